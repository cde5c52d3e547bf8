/* Search over everything: pages, simulations, formulas, drills; best first. */
#ifndef RIDGE_UI_PAGES_SEARCH_H
#define RIDGE_UI_PAGES_SEARCH_H

#include "sims/base/arena.h"
#include "drills/bank.h"
#include "ui/data/page_list.h"

#include <stddef.h>

struct search_hit {
	const char *kind;   /* "page", "section", "text", "simulation", "formula", "drill" ... */
	const char *target; /* for app_open_target: "page:roofline#the-ridge", "sim:memory" */
	const char *name;   /* title of the page, simulation or formula */
	const char *line;   /* the matching line */
	int score;
	const char *
		section; /* of a "text" the heading that it stands under; NULL: none but the page's */
};
struct search_result {
	struct arena arena;
	struct search_hit *hits; /* at most `most`, best first */
	size_t n, most;
};

/* Every word must occur in the thing that is matched: a title, a block of text, a formula's row.
 * Case, -ise or -ize and the s of a plural do not matter; words like "the" count only where there
 * are no others. In a question (four words or more) most of them are enough. Whole words, words one
 * after another, and titles of little else rank highest; a section shows its best block. r is
 * released with search_release. 0, or -1 when out of memory. */
int search_run(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most);
/* The same for the pages' headings and text alone ("section", "text"), where names are known. */
int search_texts(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most);
/* Adds the drills of a bank and their mistakes: apart, because a bank takes time to read. */
void search_drills(struct search_result *r, const struct drill_bank *bank, const char *words);
void search_release(struct search_result *r);

/* The heading with this anchor in a page, as a reader sees it, in the arena; NULL: there is
 * none. */
const char *search_section(struct arena *a, const struct page_info *page, const char *anchor);

#endif
