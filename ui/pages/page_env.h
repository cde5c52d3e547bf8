/* What pages ask of the engine: computed numbers, figures. */
#ifndef RIDGE_UI_PAGES_PAGE_ENV_H
#define RIDGE_UI_PAGES_PAGE_ENV_H

#include "sims/tables/tables.h"
#include "ui/pages/page.h"

/* "kv_cache_bytes layers=32 model=llama2-7b", or "roofline gpu=a100 : ridge" for a value of a
 * simulation; either may end in " in %" or another unit of the same dimension. What stands in
 * brackets is computed first, as in "speedup time_one=80 time_n=[roofline : ridge]", and put in
 * without a unit, in base units. 0 and the result as people read it; -1 and a reason in buf. Fails
 * where t is NULL. */
int page_env_compute(const struct tables *t, const char *source, char *buf, size_t size);

/* The formula behind a computed span: its title, its symbols, and the numbers put in. Returns
 * buf. */
char *page_env_working(
	const struct tables *t, const char *source, bool ascii, char *buf, size_t size);

/* The environment of pages that are printed; context is the tables. */
struct page_env page_env_printing(const struct tables *t);

/* The link below a figure in the explorer: "8 min tour: A queue has no knee", to "present:queueing"
 * (struct page_env). */
const char *page_env_tour(
	const void *context, const char *setting, const char **target, struct arena *a);

#endif
