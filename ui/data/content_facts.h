/* What lists of pages, drills and tours show of a file before anybody opens it. content/embed.c
 * counts it when ridge is built, so that the explorer need not read any file when it starts. */
#ifndef RIDGE_UI_DATA_CONTENT_FACTS_H
#define RIDGE_UI_DATA_CONTENT_FACTS_H

#include <stddef.h>

struct content_facts {
	const char *heading; /* the first "# ..." on a line of its own; 0 bytes: none */
	size_t heading_bytes;
	size_t minutes; /* of a tour: "8 min" under the heading; 0: not there */
	/* Words are begun by a letter or a digit; none are counted of a sheet of formulas, which is looked into, not
	 * read. first_words: without those of sections in depth (in_depth.h). */
	size_t words, first_words;
	size_t drills;    /* of a drill bank: members "skill", each drill has one */
	const char *name; /* and its topic's name for people; 0 bytes: none is given */
	size_t name_bytes;
};

/* heading and name are parts of the text. */
struct content_facts content_facts(const char *text);

/* The words of a part of a terminated text. */
size_t content_words(const char *begin, const char *end);

#endif
