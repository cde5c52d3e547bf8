/* Private to the simulation `memory`: what it found, and how that becomes blocks of a figure. */
#ifndef RIDGE_MEMORY_DRAW_H
#define RIDGE_MEMORY_DRAW_H

#include "sims/figure/figure.h"
#include "sims/memory/memory_replay.h"

struct memory_found {
	struct memory_setup setup;
	const struct accelerator *gpu;
	struct arena scratch; /* of trace and replay */
	struct memory_trace trace;
	struct memory_peak ideal; /* with context */
	struct memory_curve allocated;
	struct memory_replay replay; /* of the caching allocator, where that is chosen */
	bool caching, fits;
	double peak_bytes, capacity, outside;
	size_t broke_at; /* event, where it does not fit */
	double broke_s;
	/* The cheapest change that fits where the present setting does not; NULL: none. */
	const char *remedy;
	double remedy_bytes;
};

/* What the peak is made of: the kinds of tensors, and what is no tensor. */
enum { PART_CACHED = N_MEMORY_KINDS, PART_CONTEXT, N_MEMORY_PARTS };
extern const char *const memory_part_names[N_MEMORY_PARTS];

/* Splits a peak of so many bytes; the parts add up to it. */
void memory_parts(const struct memory_peak *ideal, double outside, double peak_bytes,
	double part[N_MEMORY_PARTS]);

/* "forward, layer 12": the phase of an event. */
const char *memory_event_text(struct figure *fig, const struct memory_trace *t, size_t event);

/* Returns its plot, or NULL. */
struct plot *memory_draw_sawtooth(struct figure *fig, const struct memory_found *f);
/* Also finds the remedy. */
void memory_draw_parts(struct figure *fig, struct memory_found *f);
void memory_draw_blocks(struct figure *fig, const struct memory_found *f);
void memory_draw_moments(struct figure *fig, const struct memory_found *f);

/* Of the dense peak: what the time axis stands on. */
extern const double memory_assumed_mfu;

/* Where it broke: "first step, forward, layer 12". */
const char *memory_break_text(struct figure *fig, const struct memory_found *f);
/* B saved per token and unit of the hidden size, of one layer: 34 in the GPT rule. */
double memory_layer_constant(const struct memory_setup *s);

void memory_write_explain(struct figure *fig, const struct memory_found *f);
/* Where the input is outside of what the model knows. */
void memory_write_warnings(struct figure *fig, const struct memory_found *f);
/* What the rules of thumb say, beside what the walk finds. */
void memory_write_rules(struct figure *fig, const struct memory_found *f);
void memory_write_assume(struct figure *fig, const struct memory_found *f);
/* Published peaks of this shape across the plot p, and how far off the model is on all of them; or
 * that the setting lies outside of them. */
void memory_overlay(
	struct figure *fig, const struct tables *t, const struct memory_found *f, struct plot *p);

#endif
