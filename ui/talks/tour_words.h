/* The words of a tour that speak of numbers: captions with computed spans, and what a step expects
 * of its figure. The same arithmetic serves both:
 *
 *	mean_wait_ms              a value of the figure, by its id
 *	before.mean_wait_ms       the same in the step before
 *	ratio(mean_wait_ms)       the one over the other
 *	2 * step_ms / base_ms     arithmetic of these */
#ifndef RIDGE_UI_TALKS_TOUR_WORDS_H
#define RIDGE_UI_TALKS_TOUR_WORDS_H

#include "sims/figure/figure.h"
#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>

/* What the words are about. */
struct tour_scene {
	const struct tables *tables;
	const struct figure *now, *before; /* NULL: there is none */
};

/* Says that a figure has no value with that id, and which is the nearest. Returns -1. */
int tour_no_value(const struct figure *fig, const char *id, char *err, size_t err_size);

/* What arithmetic comes to. 0; or -1 and one line in err with the nearest value's id. */
int tour_number(
	const struct tour_scene *s, const char *text, double *out, char *err, size_t err_size);

/* A caption or an answer with its spans computed: `=mean_wait_ms` as people read it, `=why` the
 * sentence of the figure, `=step_ms in s` in another unit, and what pages compute: a formula, or
 * `=roofline gpu=h100 : ridge`. Other code stays as it is, without its backticks. 0; or -1 and one
 * line in err; buf then has the text with a "?" in its place. */
int tour_caption(const struct tour_scene *s, const char *text, char *buf, size_t size, char *err,
	size_t err_size);

/* Whether a computed span of a caption names the value with that id: `=id`, `=ratio(id)`, `=before.id`. Spans
 * of pages ("roofline gpu=h100 : ridge") name none. */
bool tour_caption_names(const char *text, const char *id);

/* Whether an expectation holds: "A < B", "A > B", "A between B and C", "A about B" (within 5 %).
 * found gets the number that A came to. 0; or -1 and one line in err. */
int tour_expect(const struct tour_scene *s, const char *text, bool *holds, double *found, char *err,
	size_t err_size);

#endif
