/* The levels of a memory. They are found where the curve of bandwidth over working set is flat, and
 * named after the caches that the system reports. Pure. */
#ifndef RIDGE_UI_MACHINE_LEVELS_H
#define RIDGE_UI_MACHINE_LEVELS_H

#include "ui/machine/measure.h"

enum { MOST_MACHINE_LEVELS = 6 };

/* Points first..last of the curve, both included. */
struct flat {
	size_t first, last;
};
/* The flat parts of y[0..n) from left to right: neighbours differ by less than a seventh, and each
 * part lies a sixth or more below the one before. The last begins where the curve stays down.
 * Returns their number, which is at most `most`. */
size_t flats_find(const double y[], size_t n, struct flat out[], size_t most);

/* One level. Its rates are medians over the points of its flat part, in B/s; 0 where it was not
 * seen. */
struct machine_level {
	char name[24];     /* "L1", "L2", "memory"; "level 2" when no size is known */
	double bytes;      /* of one core's: as reported, or the last working set that fits; 0 for
			    * main memory */
	double seen_bytes; /* the last working set of one thread that is in the flat part */
	double rate[N_CREWS][N_MEMORY_KERNELS];
};
/* The levels from fast to slow; the last is main memory. Each crew's flat parts are found in its
 * own best reads. Returns their number; 0 when nothing was measured. */
size_t machine_levels(
	const struct machine *m, struct machine_level out[static MOST_MACHINE_LEVELS]);

#endif
