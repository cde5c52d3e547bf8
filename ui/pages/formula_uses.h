/* Where a formula is used: the pages that compute with it and the drills that ask for it. */
#ifndef RIDGE_UI_PAGES_FORMULA_USES_H
#define RIDGE_UI_PAGES_FORMULA_USES_H

#include "drills/bank.h"
#include "sims/formulas/formula.h"
#include "ui/data/page_list.h"

/* Whether a step of a drill, or a check of its program, is computed by a formula. */
bool formula_asked_by(const struct formula *f, const struct drill *d);

/* "Chapters: 8 Inference\nDrills: A long prompt; and 4 more": a line for each kind of place that there is, in
 * buf, which is returned. Without a bank (NULL) no drills are named. */
char *formula_uses(const struct formula *f, const struct page_list *pages,
	const struct drill_bank *bank, char *buf, size_t size);

#endif
