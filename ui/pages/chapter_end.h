/* How a chapter ends: with problems on what was read, and the chapter after it. What is written here
 * is no part of the chapter's file, so that no two chapters end differently. */
#ifndef RIDGE_UI_PAGES_CHAPTER_END_H
#define RIDGE_UI_PAGES_CHAPTER_END_H

#include "sims/base/arena.h"
#include "ui/data/page_list.h"

/* The Markdown of a page with that end, for who reads it first or whole, in an arena, and its length in *bytes; as it was where the
 * page is no chapter. NULL: out of memory. */
const char *chapter_end_add(const char *markdown, size_t *bytes, const struct page_list *pages,
	const struct page_info *page, bool first, struct arena *a);

/* The link of that end to the problems: "drill:chapter-2". Returns buf. */
char *chapter_end_drill(const struct page_info *page, char *buf, size_t size);

/* The chapter after this one; NULL after the last. */
const struct page_info *chapter_after(const struct page_list *pages, int chapter);

#endif
