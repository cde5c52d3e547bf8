/* A knob: one row that the prompt, keys, command line, range check, help and documentation all
 * read. What is typed, written, shown and stepped comes from that row alone, so that a knob behaves
 * the same wherever it is turned. */
#ifndef RIDGE_KNOB_H
#define RIDGE_KNOB_H

#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum knob_kind {
	KNOB_NUMBER,
	KNOB_CHOICE,     /* value: index into choices */
	KNOB_TOGGLE,     /* 0 or 1, typed as off/on, no/yes, 0/1 */
	KNOB_GPU,        /* value: index into tables->gpus; dflt_choice is the id of the default */
	KNOB_MACHINE,    /* the same, and the user's own machine where it was measured */
	KNOB_GPU_SEARCH, /* the same as KNOB_GPU, and as the last choice "any" of them */
	KNOB_MODEL,      /* value: index into tables->models */
	KNOB_ANY_PARTS,  /* the same, and behind them those that are made of parts (model_at) */
	KNOB_MIXTURE, /* value: index among those of them that have routed experts (mixture_at) */
	KNOB_MODEL_OPEN, /* the same as KNOB_ANY_PARTS, and as the last choice "none" of them */
	KNOB_TRACE       /* value: index into tables->traces, a file of the user's among them */
};

/* Another knob of the same simulation has one of some values. */
struct knob_condition {
	unsigned char knob; /* its index */
	uint32_t values;    /* bit i: choice i, or of a number the value i; 0: no condition */
};
enum { KNOB_CONDITIONS = 2 };

/* Another spelling of a choice that is read as that one and never written. */
struct choice_alias {
	const char *name, *choice;
};

/* Prompt, keys, command line, range check, help and documentation read this row. It is written with
 * the macros of sims/knobs.h. */
struct knob {
	const char *id, *label, *unit;
	enum knob_kind kind;
	double min, max, dflt;
	double step;    /* added by a small step; for a geometric knob it multiplies */
	bool geometric; /* 1, 2, 4, 8: steps multiply, the track is logarithmic; with min = -max it
			 * runs through zero into the negative, mirrored */
	bool integer;
	const char *const *choices; /* NULL-terminated ids; of KNOB_CHOICE */
	const char *dflt_choice;    /* id, for choices, GPUs, models and traces */
	const char *help; /* a clause, shown after a change: what turning it does, and why */
	const char *const *choice_names; /* for people: "BF16" for "bf16"; NULL: the ids */
	const char *zero; /* what 0 means where it is no amount: "auto", "none"; typed so, or as
			     "auto" */
	const char *
		stands_for; /* the figure's value (its id, in the knob's unit) that says what 0 comes
				 * to, so that a step goes on from there; NULL: none does */
	/* It matters only while one of these holds; none given: always. Written with WHEN of
	 * sims/knobs.h. */
	struct knob_condition when[KNOB_CONDITIONS];
	const char *group; /* the heading it stands under when it is not in the story: "network" */
	const char *also;  /* other ids that are read as its own, a blank between; or NULL */
	const struct choice_alias *aliases; /* of choices, until one without a name; or NULL */
	double least; /* the smallest amount beside 0 of a geometric knob that reaches it, where a
			   * thousandth of max, or 1, would be too much; 0: that */
};

/* Number of choices of a knob (2 for a toggle, 0 for a number), and the id of one. */
size_t knob_choices(const struct knob *k, const struct tables *t);
const char *knob_choice(const struct knob *k, const struct tables *t, size_t i);
double knob_default(const struct knob *k, const struct tables *t);

/* Reads what a person typed. 0 and *value; -1 and one line in err with the range or the nearest
 * choice. Nothing is clamped. */
int knob_read(const struct knob *k, const struct tables *t, const char *text, double *value,
	char *err, size_t err_size);

/* The label as it is said: a formula's parameters have their ids for labels, and "kv_heads" is "KV heads".
 * Returns buf. */
char *knob_said(const struct knob *k, char *buf, size_t size);

/* What a program reads back: "0.85", "a100", "on". */
char *knob_write(
	const struct knob *k, const struct tables *t, double value, char *buf, size_t size);
/* What a person reads: "2,048", "A100-80 SXM", "[x]", "25 GB/s". */
char *knob_format(
	const struct knob *k, const struct tables *t, double value, char *buf, size_t size);

/* The value n small steps (big: large ones, a tenth of the track) from value, on the knob's own
 * lattice and inside its range. Choices stop at the ends. */
double knob_step(const struct knob *k, const struct tables *t, double value, int n, bool big);

/* Where value stands on the knob's track, 0..1. */
double knob_position(const struct knob *k, const struct tables *t, double value);
/* The value of the knob's lattice (or end of its range) that stands nearest to a place on the track,
 * 0..1. */
double knob_at(const struct knob *k, const struct tables *t, double position);

#endif
