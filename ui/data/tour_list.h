/* The tours and talks that ridge has, as lists and links show them: what a file says of itself on its
 * first lines, so that no step is read and nothing computed. */
#ifndef RIDGE_UI_DATA_TOUR_LIST_H
#define RIDGE_UI_DATA_TOUR_LIST_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct tour_info {
	const char *id;    /* "queueing": the file's name without .md */
	const char *title; /* text of the first heading */
	int minutes;       /* as the file says; 0: it does not */
	bool talk;         /* across simulations; else the tour of the simulation of that id */
};
struct tour_list {
	struct arena arena;
	struct tour_info *tours; /* talks first, from z to a; then tours, by id */
	size_t n, n_talks;
};

/* 0; or -1 when out of memory (the list is then empty). */
int tour_list_init(struct tour_list *list);
void tour_list_release(struct tour_list *list);

/* The one of that id, its texts in the arena. False: there is none. */
bool tour_info_read(const char *id, struct arena *a, struct tour_info *out);

#endif
