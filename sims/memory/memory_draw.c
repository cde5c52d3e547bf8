#include "sims/memory/memory_draw.h"

#include "sims/base/array.h"

#include <math.h>

const char *const memory_part_names[N_MEMORY_PARTS] = { "weights", "gradients", "optimizer",
	"activations", "logits", "other", "cached", "context" };

void memory_parts(const struct memory_peak *ideal, double outside, double peak_bytes,
	double part[N_MEMORY_PARTS])
{
	for (int k = 0; k < N_MEMORY_KINDS; k++)
		part[k] = ideal->part[k];
	part[MEMORY_OTHER] = fmax(0, part[MEMORY_OTHER] - outside);
	part[PART_CACHED] = peak_bytes - ideal->bytes;
	part[PART_CONTEXT] = outside;
}

static const char *phase_text(struct figure *fig, const struct memory_phase *p)
{
	switch (p->kind) {
	case PHASE_EMBED:
		return "forward, embedding";
	case PHASE_FORWARD:
		return figure_text(fig, "forward, layer %d", p->layer);
	case PHASE_LOSS:
		return "loss and its logits";
	case PHASE_RECOMPUTE:
		if (p->layer == p->last_layer)
			return figure_text(fig, "backward recomputes layer %d", p->layer);
		return figure_text(
			fig, "backward recomputes layers %d to %d", p->layer, p->last_layer);
	case PHASE_BACKWARD:
		return figure_text(fig, "backward, layer %d", p->layer);
	default:
		return "optimizer";
	}
}

const char *memory_event_text(struct figure *fig, const struct memory_trace *t, size_t event)
{
	const struct memory_phase *at = NULL;
	for (size_t i = 0; i < t->n_phases && t->phases[i].first_event <= event; i++)
		at = &t->phases[i];
	return at ? phase_text(fig, at) : "loading the weights";
}

static struct series *curve_series(struct figure *fig, struct plot *p, const char *name,
	enum series_style style, unsigned colour, const struct memory_curve *c)
{
	struct series *s = plot_series(fig, p, name, style, colour);
	for (size_t i = 0; i < c->n; i++)
		series_point(fig, s, c->at_s[i], c->bytes[i] / 1e9);
	return s;
}

struct plot *memory_draw_sawtooth(struct figure *fig, const struct memory_found *f)
{
	struct plot *p = figure_plot(fig, "Memory through one training step", "Time in the step",
		"s", AXIS_LINEAR, "Memory of one GPU", "GB", AXIS_LINEAR);
	if (!p)
		return NULL;
	p->x.is_time = true;
	p->x.min = p->y.min = 0;
	p->x.max = f->trace.duration_s;
	/* The card belongs into the picture unless the step would be a thin line at its foot. */
	double card = f->capacity / 1e9, peak = f->peak_bytes / 1e9;
	p->y.max = 1.06 * (peak > card / 8 ? fmax(card, peak) : peak);
	curve_series(fig, p, "in use", SERIES_AREA, 0, &f->allocated);
	if (f->caching && f->replay.reserved.n > 1)
		curve_series(fig, p,
			f->replay.first_step ? "first step, with cached" : "with cached",
			SERIES_STEP, 1, &f->replay.reserved);
	if (p->y.max >= card)
		plot_rule(fig, p, true, card, figure_text(fig, "%s %.0f GB", f->gpu->name, card),
			ROLE_BAD);
	if (!f->fits)
		plot_rule(fig, p, false, f->broke_s, "out of memory", ROLE_BAD);
	return p;
}

/* The peak of another setting, with the allocator that is set. */
static double other_peak(
	const struct memory_found *f, const struct memory_setup *setup, struct memory_peak *ideal)
{
	struct arena scratch = { 0 };
	struct memory_trace trace = { 0 };
	double bytes = NAN;
	memory_trace_build(setup, &trace, &scratch);
	if (!scratch.failed) {
		*ideal = memory_replay_ideal(&trace, f->outside, f->capacity, NULL);
		bytes = ideal->bytes;
	}
	arena_release(&scratch);
	if (f->caching && !isnan(bytes))
		bytes = fmax(bytes, memory_reserved_peak(setup, f->capacity) + f->outside);
	return bytes;
}

/* One bar: the parts of a setting's peak. */
static double add_bar(struct figure *fig, struct bars *b, const struct memory_found *f,
	const char *label, const struct memory_setup *setup)
{
	struct memory_peak ideal = f->ideal;
	double parts[N_MEMORY_PARTS], bytes = f->peak_bytes;
	if (setup != &f->setup)
		bytes = other_peak(f, setup, &ideal);
	if (isnan(bytes)) {
		fig->arena.failed = true;
		return INFINITY;
	}
	memory_parts(&ideal, f->outside, bytes, parts);
	for (int k = 0; k < N_MEMORY_PARTS; k++)
		parts[k] /= 1e9;
	struct bar *bar = bars_add(fig, b, label, parts);
	if (bar) {
		bar->role = setup == &f->setup ? ROLE_ACCENT : ROLE_PLAIN;
		if (bytes > f->capacity)
			bar->role = ROLE_BAD;
	}
	return bytes;
}

static void consider(struct memory_found *f, const char *label, double bytes)
{
	if (!f->fits && !f->remedy && bytes <= f->capacity) {
		f->remedy = label;
		f->remedy_bytes = bytes;
	}
}

static double total_of(const struct bar *bar)
{
	double sum = 0;
	for (int k = 0; k < N_MEMORY_PARTS; k++)
		sum += bar->parts[k];
	return sum;
}

/* Why a stage more is no byte less. */
static void note_gradients(struct figure *fig, const struct bar *zero1, const struct bar *zero2)
{
	double more = total_of(zero2) - total_of(zero1);
	double kept = zero2->parts[PART_CACHED] - zero1->parts[PART_CACHED];
	if (zero1->parts[MEMORY_GRADIENTS] > 0 || more < 0)
		return;
	figure_note(fig, ROLE_PLAIN,
		"No gradient is alive at the peak of ZeRO-1, so that sharding them, ZeRO-2, does "
		"not lower it%s.",
		more < 0.005 || fabs(more - kept) > 0.005
			? ""
			: figure_text(fig,
				  ": by the blocks that the allocator keeps it is %.2g GB higher",
				  more));
}

void memory_draw_parts(struct figure *fig, struct memory_found *f)
{
	static const struct {
		const char *label;
		enum memory_checkpointing how;
	} recomputation[] = { { "keep everything", CHECKPOINT_NONE },
		{ "selective", CHECKPOINT_SELECTIVE }, { "full recompute", CHECKPOINT_FULL } };
	static const char *const stages[] = { "no ZeRO", "ZeRO-1", "ZeRO-2", "ZeRO-3" };
	struct bars *b = figure_bars(fig, "What the peak is made of, and what would change it",
		"GB", memory_part_names, N_MEMORY_PARTS);
	if (!b)
		return;
	b->limit = f->capacity / 1e9;
	b->limit_label = f->gpu->name;
	size_t at[4] = { 0 }; /* of each stage's bar; the first is this setting's */
	add_bar(fig, b, f, "this setting", &f->setup);
	for (size_t i = 0; i < LENGTH(recomputation); i++) {
		struct memory_setup other = f->setup;
		other.checkpointing = recomputation[i].how;
		if (other.checkpointing != f->setup.checkpointing)
			consider(f, recomputation[i].label,
				add_bar(fig, b, f, recomputation[i].label, &other));
	}
	for (int stage = 0; stage <= 3 && memory_shards(&f->setup) > 1; stage++) {
		struct memory_setup other = f->setup;
		other.zero = stage;
		if (stage == f->setup.zero)
			continue;
		at[stage] = b->n_bars;
		consider(f, stages[stage], add_bar(fig, b, f, stages[stage], &other));
	}
	struct memory_setup both = f->setup;
	both.checkpointing = CHECKPOINT_FULL;
	both.zero = 3;
	if (!f->fits && !f->remedy && memory_shards(&both) > 1)
		consider(f, "full + ZeRO-3", add_bar(fig, b, f, "full + ZeRO-3", &both));
	if (memory_shards(&f->setup) > 1 && !fig->arena.failed)
		note_gradients(fig, &b->bars[at[1]], &b->bars[at[2]]);
}

void memory_draw_blocks(struct figure *fig, const struct memory_found *f)
{
	static const char *const kinds[N_MEMORY_CELL_KINDS] = { "not reserved", "in use",
		"free, rest of a split", "free, whole segment" };
	const struct memory_replay *r = &f->replay;
	if (!f->caching || !r->n_frames)
		return;
	struct grid *g = figure_grid(fig,
		figure_text(fig, "The allocator's blocks, a cell is %.0f MB", r->cell_bytes / 1e6),
		kinds, N_MEMORY_CELL_KINDS, NULL, MEMORY_ROWS, MEMORY_COLS, r->frame_s,
		r->n_frames);
	for (size_t i = 0; i < r->n_frames; i++)
		for (size_t c = 0; c < MEMORY_CELLS; c++)
			grid_set(g, i, c / MEMORY_COLS, c % MEMORY_COLS, r->cells[i][c]);
}

void memory_draw_moments(struct figure *fig, const struct memory_found *f)
{
	enum { MOST = 600 };
	const struct memory_trace *t = &f->trace;
	size_t every = t->n_phases / MOST + 1;
	for (size_t i = 0; i < t->n_phases; i += every)
		figure_moment(fig, t->phases[i].at_s, "%s", phase_text(fig, &t->phases[i]));
	if (every > 1)
		figure_moment(fig, t->phases[t->n_phases - 1].at_s, "optimizer");
}
