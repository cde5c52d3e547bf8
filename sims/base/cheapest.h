/* The cheapest of many ways, most of which need not be worked out: what a way costs at least is known
 * from a closed form, what it costs takes a simulation. Ways are worked out in the order of their
 * least costs until what is left must cost more than the two cheapest that are known (branch and
 * bound). Where a better bound takes longer, the way whose turn it is gets it first, and waits for
 * its turn again. So the result is that of working out all of them, whatever the bounds are worth,
 * as long as no way costs less than its bound. */
#ifndef RIDGE_CHEAPEST_H
#define RIDGE_CHEAPEST_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>

struct cheapest_ways {
	size_t n;
	/* What way i costs at least, >= 0; INFINITY: it is known to be impossible. */
	double (*least)(const void *ways, size_t i);
	/* Finds a better bound for way i, which may be that of others too; false: there is none. NULL:
	 * there never is. */
	bool (*sharpen)(void *ways, size_t i);
	/* What it costs; INFINITY: it is impossible. Where that is more than `limit`, anything above
	 * the limit will do. */
	double (*cost)(void *ways, size_t i, double limit);
	/* Ways of one family are variants of one answer, of which only the cheapest counts: the
	 * second best is of another family. NULL: each is its own. */
	size_t (*family)(const void *ways, size_t i);
	/* Asked between two of them, with the share that is done; false: stop. NULL: goes on. */
	bool (*go_on)(void *ways, double share);
	void *ways;
};

enum { NO_WAY = -1 };
struct cheapest {
	long best, second; /* NO_WAY: no other is possible; of equals the first in the list */
	size_t worked_out; /* the others were left out for their bounds */
	bool stopped;      /* by go_on, or because memory ran out */
};
struct cheapest cheapest_of(const struct cheapest_ways *w);

#endif
