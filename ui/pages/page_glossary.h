/* Terms of the glossary in running text: the first mention of each on a page is marked. */
#ifndef RIDGE_UI_PAGES_PAGE_GLOSSARY_H
#define RIDGE_UI_PAGES_PAGE_GLOSSARY_H

#include "ui/pages/glossary.h"
#include "ui/pages/page.h"
#include "ui/pages/page_run.h"

struct page_marks {
	struct page *page;
	const struct glossary *terms; /* NULL: nothing is marked */
	struct arena *scratch;
	bool *met; /* terms that the page has had, by their entry */
};

/* Marks the terms that a range mentions first. */
void terms_mark(struct page_marks *m, struct page_run *run, struct page_range r);

#endif
