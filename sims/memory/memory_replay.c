/* Both replays walk over the same list of events. With ideal memory it is a running sum, with the
 * parts of the moment at which it was highest. The caching one asks the allocator for every event,
 * and stops at the first that does not fit. Curves are thinned as they grow: a bin of time keeps
 * its lowest and its highest value, so that no peak is lost. */
#include "sims/memory/memory_replay.h"

#include "sims/base/array.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* A curve as it grows: each bin of time keeps its lowest and its highest value, at their own times,
 * so that thinning loses no peak. */
struct curve_writer {
	struct memory_curve *curve;
	double bin_s, end_s; /* width of a bin, end of this one */
	double low, high, low_s, high_s;
	bool any;
};

static void curve_push(struct memory_curve *c, double at_s, double bytes)
{
	if (c->n < LENGTH(c->at_s)) {
		c->at_s[c->n] = at_s;
		c->bytes[c->n++] = bytes;
	}
}

static void curve_flush(struct curve_writer *w)
{
	if (!w->any)
		return;
	bool rises = w->low_s < w->high_s;
	curve_push(w->curve, rises ? w->low_s : w->high_s, rises ? w->low : w->high);
	if (w->low < w->high)
		curve_push(w->curve, rises ? w->high_s : w->low_s, rises ? w->high : w->low);
	w->any = false;
}

static void curve_add(struct curve_writer *w, double at_s, double bytes)
{
	if (!w->curve)
		return;
	if (at_s >= w->end_s) {
		curve_flush(w);
		w->end_s = (floor(at_s / w->bin_s) + 1) * w->bin_s;
	}
	if (!w->any || bytes < w->low) {
		w->low = bytes;
		w->low_s = at_s;
	}
	if (!w->any || bytes > w->high) {
		w->high = bytes;
		w->high_s = at_s;
	}
	w->any = true;
}

static struct curve_writer curve_begin(struct memory_curve *curve, double duration_s)
{
	if (curve)
		curve->n = 0;
	return (struct curve_writer){ .curve = curve, .bin_s = duration_s / MEMORY_BINS };
}

/* Counts what is alive when a step of steady state begins: weights and the optimizer's state. */
static void begin_steady(const struct memory_trace *t, double live[])
{
	for (size_t i = 0; i < t->n_events; i++)
		if (i < t->n_loading || t->events[i].once) {
			const struct memory_tensor *tensor = &t->tensors[t->events[i].tensor];
			live[tensor->kind] += (double)tensor->bytes;
		}
}

struct memory_peak memory_replay_ideal(
	const struct memory_trace *t, double outside, double capacity, struct memory_curve *curve)
{
	assert(t->n_loading <= t->n_events);
	double live[N_MEMORY_KINDS] = { [MEMORY_OTHER] = outside }, total = 0;
	begin_steady(t, live);
	for (int k = 0; k < N_MEMORY_KINDS; k++)
		total += live[k];
	struct memory_peak p = { .bytes = total, .over = t->n_events, .event = t->n_loading };
	memcpy(p.part, live, sizeof live);
	if (total > capacity)
		p.over = 0;
	struct curve_writer writer = curve_begin(curve, t->duration_s);
	curve_add(&writer, 0, total);
	for (size_t i = t->n_loading; i < t->n_events; i++) {
		const struct memory_event *e = &t->events[i];
		const struct memory_tensor *tensor = &t->tensors[e->tensor];
		if (e->once)
			continue;
		double change = e->frees ? -(double)tensor->bytes : (double)tensor->bytes;
		live[tensor->kind] += change;
		total += change;
		p.activations = fmax(p.activations, live[MEMORY_ACTIVATIONS]);
		p.logits = fmax(p.logits, live[MEMORY_LOGITS]);
		if (total > p.bytes) {
			p.bytes = total;
			p.at_s = e->at_s;
			p.event = i;
			memcpy(p.part, live, sizeof live);
		}
		if (total > capacity && i < p.over)
			p.over = i;
		curve_add(&writer, e->at_s, total);
	}
	if (curve) {
		curve_flush(&writer);
		curve_push(curve, t->duration_s, total);
	}
	return p;
}

/* Adds a stretch of bytes to the cells that it covers. */
static void paint(double (*sums)[N_MEMORY_CELL_KINDS], double cell_bytes, double from, double size,
	enum memory_cell kind)
{
	size_t cell = (size_t)(from / cell_bytes);
	for (double left = size; left > 0 && cell < MEMORY_CELLS; cell++) {
		double part = fmin(left, (double)(cell + 1) * cell_bytes - from);
		sums[cell][kind] += part;
		from += part;
		left -= part;
	}
}

/* A free block beside used ones is the remainder of a split, which the driver cannot have back. */
static void snapshot(const struct allocator *a, double cell_bytes, unsigned char cells[])
{
	double sums[MEMORY_CELLS][N_MEMORY_CELL_KINDS] = { { 0 } }, at = 0;
	for (size_t i = 0; i < a->n_segments; i++) {
		const struct memory_segment *s = &a->segments[i];
		if (!s->size)
			continue;
		bool whole = a->blocks[s->first].next == NO_BLOCK;
		for (int32_t b = s->first; b != NO_BLOCK; b = a->blocks[b].next) {
			double size = (double)a->blocks[b].size;
			enum memory_cell free_kind = whole ? CELL_CACHED : CELL_REMAINDER;
			paint(sums, cell_bytes, at, size,
				a->blocks[b].used ? CELL_USED : free_kind);
			at += size;
		}
	}
	for (size_t c = 0; c < MEMORY_CELLS; c++) {
		int most = CELL_FREE_CARD;
		for (int k = CELL_USED; k < N_MEMORY_CELL_KINDS; k++)
			if (sums[c][k] > sums[c][most])
				most = k;
		cells[c] = (unsigned char)most;
	}
}

/* A caching replay under way. */
struct player {
	const struct memory_trace *t;
	struct allocator allocator;
	struct memory_replay *r;
	int32_t *blocks; /* by tensor */
	double outside;
	bool details;
	size_t top; /* the event that brings a step of ideal memory to its highest */
};

static void note_break(struct player *p, size_t event, bool first_step)
{
	struct memory_replay *r = p->r;
	const struct memory_event *e = &p->t->events[event];
	r->fits = false;
	r->event = event;
	r->at_s = e->at_s;
	r->first_step = first_step;
	r->wanted = allocator_rounded(p->t->tensors[e->tensor].bytes);
	r->cached = p->allocator.reserved - p->allocator.allocated;
	r->largest_free = allocator_largest_free(&p->allocator);
}

static bool play_event(struct player *p, size_t i, bool first_step)
{
	const struct memory_event *e = &p->t->events[i];
	struct allocator *a = &p->allocator;
	if (e->frees) {
		allocator_free(a, p->blocks[e->tensor]);
		return true;
	}
	int32_t b = allocator_alloc(a, p->t->tensors[e->tensor].bytes);
	if (b == ALLOCATOR_FULL) {
		note_break(p, i, first_step);
		return false;
	}
	p->blocks[e->tensor] = b;
	if (a->allocated == a->peak_allocated) {
		p->r->allocated_at_peak = (double)a->allocated;
		p->r->reserved_at_peak = (double)a->reserved;
	}
	return true;
}

/* One frame more. */
static void take_frame(struct player *p, double at_s)
{
	struct memory_replay *r = p->r;
	assert(r->n_frames < MEMORY_FRAMES);
	r->frame_s[r->n_frames] = at_s;
	snapshot(&p->allocator, r->cell_bytes, r->cells[r->n_frames++]);
}

static bool play_step(struct player *p, bool first_step)
{
	struct memory_replay *r = p->r;
	struct curve_writer writer =
		curve_begin(p->details ? &r->reserved : NULL, p->t->duration_s);
	double stride_s = p->t->duration_s / MEMORY_STRIDES;
	int strides = 0;
	bool fits = true;
	r->n_frames = 0;
	curve_add(&writer, 0, (double)p->allocator.reserved + p->outside);
	for (size_t i = p->t->n_loading; fits && i < p->t->n_events; i++) {
		const struct memory_event *e = &p->t->events[i];
		if (e->once && !first_step)
			continue;
		for (; p->details && strides < MEMORY_STRIDES && e->at_s >= strides * stride_s;
			strides++)
			take_frame(p, strides * stride_s);
		fits = play_event(p, i, first_step) && !p->allocator.arena->failed;
		if (p->details && fits && i == p->top)
			take_frame(p, e->at_s);
		curve_add(&writer, e->at_s, (double)p->allocator.reserved + p->outside);
	}
	if (p->details) {
		curve_flush(&writer);
		curve_push(&r->reserved, fits ? p->t->duration_s : r->at_s,
			(double)p->allocator.reserved + p->outside);
	}
	return fits;
}

void memory_replay_caching(const struct memory_trace *t, double outside, double capacity,
	bool details, struct memory_replay *r, struct arena *arena)
{
	assert(t->n_loading <= t->n_events && r && arena);
	*r = (struct memory_replay){ .fits = true };
	struct player p = { .t = t, .r = r, .outside = outside, .details = details };
	p.top = details ? memory_replay_ideal(t, outside, capacity, NULL).event : t->n_events;
	double room = fmax(0, capacity - outside);
	r->cell_bytes = fmax(1, ceil(room / MEMORY_CELLS));
	allocator_init(&p.allocator, arena,
		capacity >= (double)ALLOCATOR_UNLIMITED ? ALLOCATOR_UNLIMITED : (uint64_t)room);
	p.blocks = arena_array(arena, t->n_tensors + 1, sizeof *p.blocks);
	bool fits = p.blocks != NULL;
	for (size_t i = 0; fits && i < t->n_loading; i++)
		fits = play_event(&p, i, true) && !arena->failed;
	if (fits && play_step(&p, true))
		play_step(&p, false);
	r->peak_reserved = p.allocator.peak_reserved;
	r->peak_allocated = p.allocator.peak_allocated;
	r->flushes = p.allocator.flushes;
}

double memory_reserved_peak(const struct memory_setup *s, double capacity)
{
	struct arena arena = { 0 };
	struct memory_trace trace = { 0 };
	double outside = memory_context_bytes(s), peak = NAN;
	memory_trace_build(s, &trace, &arena);
	struct memory_replay *r = arena_alloc(&arena, sizeof *r);
	if (r && !arena.failed)
		memory_replay_caching(&trace, outside, capacity, false, r, &arena);
	if (r && !arena.failed && !r->fits)
		memory_replay_caching(
			&trace, outside, (double)ALLOCATOR_UNLIMITED, false, r, &arena);
	if (r && !arena.failed)
		peak = (double)r->peak_reserved;
	if (s->loads_whole && !isnan(peak))
		peak = fmax(peak, s->model->params / s->tp *
					  memory_state_bytes(s->precision, s->optimizer).weight);
	arena_release(&arena);
	return peak;
}
