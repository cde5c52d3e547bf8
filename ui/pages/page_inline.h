/* Inline Markdown to a run: what emphasis, code, links, images, maths and computed numbers look
 * like. */
#ifndef RIDGE_UI_PAGES_PAGE_INLINE_H
#define RIDGE_UI_PAGES_PAGE_INLINE_H

#include "ui/pages/page.h"
#include "ui/pages/page_run.h"

#include <cmark.h>

/* What inline_collect asks, and the page that keeps the links and computed numbers it finds. */
struct page_inlines {
	struct page *page;
	const struct page_env *env; /* may be NULL */
	struct arena *scratch;
};

/* Appends the inline children of a node in a style. */
void inline_collect(const struct page_inlines *in, struct page_run *run, cmark_node *node,
	enum style style, unsigned attr);

#endif
