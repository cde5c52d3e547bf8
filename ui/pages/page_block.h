/* Block Markdown to lines: one walk over cmark's tree, without recursion, so that no nesting is too
 * deep for it. */
#ifndef RIDGE_UI_PAGES_PAGE_BLOCK_H
#define RIDGE_UI_PAGES_PAGE_BLOCK_H

#include "ui/pages/page.h"

/* Lays out Markdown that is safe to parse (page.c) and terminated. Memory that runs out shows in
 * p's arena or in scratch. env may be NULL. */
void page_blocks(struct page *p, const char *source, size_t bytes, const struct page_env *env,
	struct arena *scratch);

#endif
