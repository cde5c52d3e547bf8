/* Fitting by one constant after the other: up or down by a factor that shrinks from 1.4 to 1.005,
 * as long as the loss falls; then rounded to three digits. It needs no derivative, and ends at the
 * same constants on every machine. */
#ifndef RIDGE_FIT_DESCEND_H
#define RIDGE_FIT_DESCEND_H

#include <stdbool.h>
#include <stddef.h>

enum { MOST_TOGETHER = 24 };
struct descent {
	double *value[MOST_TOGETHER]; /* where the loss reads them; above 0 */
	double least[MOST_TOGETHER], most[MOST_TOGETHER];
	double scale[MOST_TOGETHER]; /* what is rounded is value / scale */
	size_t n;
	bool pairs; /* tries two at once too: slower, but leaves a valley that crosses the axes */
	double (*loss)(const void *of);
	const void *of;
};
/* Starts from the values as they are. */
void descend(const struct descent *d);

#endif
