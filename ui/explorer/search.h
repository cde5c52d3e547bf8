/* Search over everything: pages, simulations, formulas, drills; best first. */
#ifndef RIDGE_SEARCH_H
#define RIDGE_SEARCH_H

#include "drills/bank.h"
#include "sims/base/arena.h"
#include "ui/pages/pages.h"

#include <stddef.h>

struct search_hit {
	const char
		*kind; /* "page", "section", "text", "simulation", "formula", "drill", "mistake" */
	const char *target; /* for app_open_target: "page:roofline#the-ridge", "sim:memory" */
	const char *name;   /* title of the page, simulation or formula */
	const char *line;   /* the matching line */
	int score;
};
struct search_result {
	struct arena arena;
	struct search_hit *hits; /* at most `most`, best first */
	size_t n, most;
};

/* Every word must occur (case ignored) in the thing that is matched: a title, a paragraph, a
 * formula's row. r is released with search_release. 0, or -1 when out of memory. */
int search_run(
	struct search_result *r, const struct page_list *pages, const char *words, size_t most);
/* Adds the drills of a bank and their mistakes: apart, because a bank takes time to read. */
void search_drills(struct search_result *r, const struct drill_bank *bank, const char *words);
void search_release(struct search_result *r);

#endif
