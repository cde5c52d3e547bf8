/* The pages that can be read: chapters and reference, found by the names people use for them. */
#ifndef RIDGE_UI_DATA_PAGE_LIST_H
#define RIDGE_UI_DATA_PAGE_LIST_H

#include "sims/base/arena.h"
#include "ui/data/content.h"

#include <stdbool.h>
#include <stddef.h>

struct page_info {
	const char *id;    /* "roofline": the file's name without number and .md */
	const char *file;  /* "chapters/01-roofline.md", for content_read() */
	const char *title; /* text of the first heading; the id where there is none */
	int chapter;       /* 0, 1, ...; -1: a reference page */
	size_t words,
		first_words; /* all, and those of a first reading (in_depth.h); 0: it is made of rows
				    * that are looked up, and nobody reads it from end to end */
};
struct page_list {
	struct arena arena;
	struct page_info *pages; /* chapters by number, then reference pages by name */
	size_t n;
};

/* Reads the pages of the content (ui/data/content.h), or of the files given, which must be sorted
 * by name. 0; or -1 when out of memory (the list is then empty). */
int page_list_init(struct page_list *list);
int page_list_init_from(struct page_list *list, const struct content_file files[], size_t n);
void page_list_release(struct page_list *list);

/* The page that is called so: "roofline", "01-roofline", "1", "chapter-1", "01-roofline.md#ridge",
 * "../reference/errata.md"; case ignored. NULL: none. */
const struct page_info *page_list_find(const struct page_list *list, const char *name);
/* The 8 of "chapter-8", as pages and sets of problems are called; -1: it is no such name. */
int chapter_named(const char *name);
/* What a message that refuses the name ends with: as did_you_mean, "" where no page is near.
 * Returns buf. */
char *page_list_hint(const struct page_list *list, const char *name, char *buf, size_t size);

/* Minutes of reading, rounded up: of so many words; of a page, all of it or a first reading (0: it is not read). */
int words_minutes(size_t words);
int page_minutes(const struct page_info *page, bool first);

#endif
