/* Anchors of headings as GitHub makes them, so that links work there and here: lower case, words
 * joined by '-'; where two headings would have the same one, the second gets "-1" after it. */
#ifndef RIDGE_UI_PAGES_PAGE_ANCHOR_H
#define RIDGE_UI_PAGES_PAGE_ANCHOR_H

#include "sims/base/arena.h"

/* The anchor of a heading where no heading before it has the same. NULL: memory is out. */
const char *page_anchor(struct arena *a, const char *heading);

/* The anchors of a page so far, as a hash set, with the number that the next of a name gets. */
struct anchor_set {
	struct anchor {
		const char *text;
		unsigned next;
	} * slots;
	size_t n, cap; /* cap is a power of two */
};

/* The anchor of a heading, unlike all in the set, in arena a; "" when memory is out. Headings that
 * all read "a" get "a", "a-1", "a-2"; a number is passed over where a heading before reads so. */
const char *anchor_make(
	struct anchor_set *set, struct arena *scratch, struct arena *a, const char *heading);

#endif
