/* What the three views of the simulation `formats` share. Not for others:
 * sims/compression/number_format.h, sims/compression/summation.h and
 * sims/compression/loss_scaling.h are the models. */
#ifndef RIDGE_FORMATS_H
#define RIDGE_FORMATS_H

#include "sims/figure/figure.h"
#include "sims/compression/number_format.h"

/* clang-format off */
enum formats_knob {
	FORMATS_FORMAT, FORMATS_VIEW, FORMATS_VALUE, FORMATS_CENTRE, FORMATS_ZOOM, FORMATS_BESIDE,
	FORMATS_ROUNDING, FORMATS_SATURATE, FORMATS_BLOCK_MAX, FORMATS_N, FORMATS_ORDER,
	FORMATS_DATA, FORMATS_SCALE, FORMATS_LOSS, FORMATS_MEDIAN, FORMATS_SPREAD, FORMATS_INTERVAL,
	FORMATS_SPIKES, FORMATS_SEED, N_FORMATS_KNOBS
};
/* clang-format on */
enum formats_view { FORMATS_VIEW_LINE, FORMATS_VIEW_SUM, FORMATS_VIEW_GRADIENTS };
enum formats_centre { CENTRE_VALUE, CENTRE_ZERO, CENTRE_ONE, CENTRE_SMALLEST, CENTRE_MAX };
enum formats_beside { BESIDE_NONE, BESIDE_WIDE, BESIDE_NARROW };

static inline const struct number_format *formats_chosen(const double v[])
{
	return &number_formats[(size_t)v[FORMATS_FORMAT]];
}

/* A number as people read it, and, for figures in tables, all its digits up to so many. */
const char *formats_number(struct figure *fig, double x);
const char *formats_digits(struct figure *fig, double x, int digits);

/* The value in a format and its block. */
struct formats_stored {
	const struct number_format *f;
	double x, scale;
	double rounded; /* with the scale: what is read back */
	double element; /* without it */
	uint32_t code;
};
struct formats_stored formats_store(const struct number_format *f, const double v[]);
double formats_error(const struct formats_stored *s); /* relative; INFINITY: overflow */

/* Tables of its bits, its neighbours, and of what each format stores. */
void formats_draw_bits(const double v[], const struct formats_stored *s, struct figure *fig);
void formats_draw_bits_subtitle(const struct formats_stored *s, struct figure *fig);

/* Each fills the figure's blocks, its own values, the sentence and the subtitle. */
void formats_draw_line(const double v[], struct figure *fig);
void formats_draw_sum(const double v[], struct figure *fig);
void formats_draw_gradients(const double v[], struct figure *fig);

#endif
