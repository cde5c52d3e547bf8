/* The headings of a page, by the anchors that links name. */
#ifndef RIDGE_TESTS_PAGE_HEADING_H
#define RIDGE_TESTS_PAGE_HEADING_H

#include "ui/pages/page.h"

#include <string.h>

/* NULL: no heading has this anchor. */
static inline const struct page_heading *heading_of(const struct page *p, const char *anchor)
{
	for (size_t i = 0; i < p->n_headings; i++)
		if (strcmp(p->headings[i].anchor, anchor) == 0)
			return &p->headings[i];
	return NULL;
}

#endif
