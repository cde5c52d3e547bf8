/* The handwritten digits that small networks learn: 8 x 8 pixels of 0 to 16, from text of one image
 * a line, "7 " and 64 signs of 0..9a..g. content/digits/NOTICE names source and licence.
 *
 * Every third image is for testing and never seen in training, so that both parts have all
 * writers. */
#ifndef RIDGE_DIGITS_H
#define RIDGE_DIGITS_H

#include "sims/base/arena.h"

#include <stddef.h>

enum {
	DIGIT_SIDE = 8,
	DIGIT_PIXELS = DIGIT_SIDE * DIGIT_SIDE,
	DIGIT_INK = 16, /* the darkest pixel */
	DIGIT_CLASSES = 10,
	LANES = 16 /* images that go through a network together */
};

enum digit_part { DIGITS_TRAIN, DIGITS_TEST };

/* x holds blocks of LANES images, [block][pixel][lane], ink as 0..1; the lanes behind the last
 * image are blank. */
struct digits {
	size_t n, n_blocks;
	const float *x;
	const unsigned char *label;
};

static inline float digit_ink(const struct digits *d, size_t image, size_t pixel)
{
	return d->x[(image / LANES * DIGIT_PIXELS + pixel) * LANES + image % LANES];
}

/* Reads the first `most` images of one part into the arena. 0; or -1 and one line in err that names
 * the line, what was expected and what was found (an empty err: out of memory). */
int digits_read(struct digits *d, struct arena *a, const char *text, enum digit_part part,
	size_t most, char *err, size_t err_size);

#endif
