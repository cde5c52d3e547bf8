/* The formula sheet: pages say where a subject's formulas stand, and what stands there is made from
 * the table of formulas (sims/formulas/) and the bank of drills, never typed. A fence
 *
 *   ```formulas memory
 *   One line for those who read the file elsewhere.
 *   ```
 *
 * becomes the rows of memory.def, one to a line, each a link to its entry, and the entries: title as a heading,
 * the formula in symbols, in the values of an example, and what comes out, one below the other; the units of its
 * symbols; source, number, a link to the formula as a simulation, links to the drills that ask for it. In the text
 * of such a page "<!-- formulas memory -->" becomes the number of rows that memory.def has, and
 * "<!-- formula ridge_point -->" the name of one, and what it is in words. */
#ifndef RIDGE_UI_PAGES_FORMULA_SHEET_H
#define RIDGE_UI_PAGES_FORMULA_SHEET_H

#include "drills/bank.h"

#define FORMULAS_ID "formulas" /* of the page that has them all */

/* Whether there is such a fence. The Markdown is terminated or not. */
bool formula_sheet_wanted(const char *markdown, size_t bytes);

/* How many of its bytes end with the first such fence: what a screen shows of it stands there. */
size_t formula_sheet_first(const char *markdown, size_t bytes);

/* The Markdown with its fences replaced, in an arena, and its length in *bytes. Where it has
 * none, it is returned as it was; a fence of an unknown subject stays, and so does a second one
 * of the same subject. Without a bank (NULL) no drills are named. With ascii, formulas are
 * written in ASCII. NULL: out of memory. */
const char *formula_sheet_expand(const char *markdown, size_t *bytes, const struct drill_bank *bank,
	bool ascii, struct arena *a);

#endif
