/* The topics of the banks and how many drills they have, found without reading the banks: enough
 * for the lists of the first screen, at a hundredth of the cost of ui/data/bank_load.h. Each file
 * is a topic. */
#ifndef RIDGE_UI_DATA_BANK_OUTLINE_H
#define RIDGE_UI_DATA_BANK_OUTLINE_H

#include "sims/base/arena.h"

#include <stddef.h>

struct topic_outline {
	const char *id;   /* "casestudy" */
	const char *name; /* for people: "case study" */
	size_t drills;
};

/* A zeroed one is empty. */
struct bank_outline {
	struct arena arena;
	struct topic_outline *topics; /* by id */
	size_t n;
};

/* 0, or -1 when out of memory. Release it either way. */
int bank_outline_init(struct bank_outline *o);
void bank_outline_release(struct bank_outline *o);

#endif
