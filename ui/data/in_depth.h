/* Sections of a page that a first reading leaves out. In Markdown a comment stands directly below the
 * heading, `<!-- in depth -->` on a line of its own, and all of the section belongs to it, with its
 * subsections: any other reader of Markdown shows the text whole. */
#ifndef RIDGE_UI_DATA_IN_DEPTH_H
#define RIDGE_UI_DATA_IN_DEPTH_H

#include <stdbool.h>
#include <stddef.h>

struct in_depth {
	const char *heading;     /* "## Wave quantisation" */
	const char *mark;        /* the line of the comment, and */
	const char *begin, *end; /* what stands below it, up to the next section */
};

/* Whether a line is that comment. */
bool in_depth_marks(const char *line);

/* The first such section in the terminated text from `from` on. False: there is none. */
bool in_depth_next(const char *from, struct in_depth *s);

#endif
