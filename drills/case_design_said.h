/* A design as it is said aloud, "12 H100s, FP8 weights and TP 4": values may stand before what they are of, or stand for
 * it. Pure. */
#ifndef RIDGE_CASE_DESIGN_SAID_H
#define RIDGE_CASE_DESIGN_SAID_H

#include "drills/case_run.h"

/* What a line says of a design, into an empty one. False: it has a word that is none of a design, or one that may be of
 * two knobs and nothing else; then *out is not to be used. */
bool case_design_said(const struct dealt_case *d, const char *line, struct case_design *out);

struct case_design_part {
	struct case_design design;
	char left
		[300]; /* the words that say nothing of a design, with blanks between; cut where they are more */
	size_t n, n_left; /* the words that say something, and of all words those */
};

/* The same as far as it can be read. False: nothing in it can be of one knob alone. */
bool case_design_said_partly(
	const struct dealt_case *d, const char *line, struct case_design_part *out);

/* The knob that words name, by its id, its label or what people call it, or by the beginning of a name that it alone has.
 * *used: how many of them that takes. NULL: they name none. */
const struct case_knob *case_design_named(
	const struct dealt_case *d, const char *const words[], size_t n, size_t *used);

/* The knob that a few words are to change, without a value that can be read: "more micro-batches"; NULL: they say no
 * such thing. */
const struct case_knob *case_design_change(const struct dealt_case *d, const char *line);

#endif
