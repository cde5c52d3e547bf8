/* An SM begins a slice, as many k steps as a slice has; it ends a piece of a tile; it stores a tile:
 * these are the events. Slices are the grain of the clock and of the L2. Whatever asks memory does it
 * at its own time, so that memory serves requests in their order. */
#include "sims/gpu/tiled_product.h"

#include "sims/base/array.h"
#include "sims/base/events.h"
#include "sims/formulas/kernels.h"
#include "sims/gpu/kernel.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Clocks until a load from device memory arrives: 466 on an A100, 479 on an H100, 542 on an RTX
 * 4090 (Luo et al., Dissecting the NVIDIA Hopper Architecture, 2024). */
static const double load_latency_clocks = 480;
/* B a clock that a warp scheduler's four banks of shared memory take: 32 banks of 4 B (CUDA C++
 * Programming Guide). */
static const double shared_bytes_per_clock = 128;
static const double register_bytes = 256 * 1024;       /* 65,536 of 4 B, of Volta and later */
static const double shared_unknown_bytes = 164 * 1024; /* an A100's */
/* Where whole waves use the SMs as well as this, nothing is cut up (CUTLASS, its switch from stream-K
 * to whole tiles). */
static const double well_used = 0.92;
/* Where the tables have no clock (TPUs). */
static const double clock_unknown_hz = 1e9;

double tiled_l2_bytes(const struct accelerator *g)
{
	return kernel_l2_for_all(g);
}

double tiled_sms(const struct accelerator *g)
{
	return fmax(1, g->sm_count);
}

double tiled_shared_bytes(const struct accelerator *g)
{
	return g->shared_bytes > 0 ? g->shared_bytes : shared_unknown_bytes;
}

static bool is_of(const struct accelerator *g, const char *family)
{
	return g->family && strcmp(g->family, family) == 0;
}

static double value_bytes(const struct tiled_product *p)
{
	return dtype_bytes(p->dtype);
}

static double result_bytes(const struct tiled_product *p)
{
	return fmax(2, value_bytes(p));
}

double tiled_steps(const struct tiled_product *p)
{
	return ceil(p->k / p->tile_k);
}

double tiled_rows(const struct tiled_product *p)
{
	return ceil(p->m / p->tile_m);
}

double tiled_columns(const struct tiled_product *p)
{
	return ceil(p->n / p->tile_n);
}

static double buffer_bytes(const struct tiled_product *p, double stages)
{
	return CALL(pipeline_bytes, .tile_rows = p->tile_m, .tile_columns = p->tile_n,
		.tile_inner = p->tile_k, .stages = stages, .bytes_per_value = value_bytes(p));
}

double tiled_buffer_bytes(const struct tiled_product *p)
{
	return buffer_bytes(p, p->stages);
}

double tiled_accumulator_bytes(const struct tiled_product *p)
{
	return CALL(accumulator_bytes, .tile_rows = p->tile_m, .tile_columns = p->tile_n);
}

/* Registers hold addresses as well; tensor memory holds nothing else. */
static bool accumulators_fit(const struct tiled_product *p, double tiles)
{
	double bytes = tiles * tiled_accumulator_bytes(p);
	return is_of(p->gpu, "blackwell") ? bytes <= register_bytes : bytes < register_bytes;
}

bool tiled_fits(const struct tiled_product *p)
{
	return tiled_buffer_bytes(p) <= tiled_shared_bytes(p->gpu) && accumulators_fit(p, 1);
}

/* What Tensor Cores take from shared memory for one k step. An instruction of a Hopper multiplies 64
 * rows of A by all columns of the tile, one of a Blackwell 128 (PTX, wgmma and tcgen05.mma); before,
 * a warp loads blocks of 64 x 64 into its registers (CUTLASS, its usual shape). */
static double shared_bytes_of(const struct tiled_product *p)
{
	double rows = is_of(p->gpu, "blackwell") ? 128 : 64;
	double columns = is_of(p->gpu, "blackwell") || is_of(p->gpu, "hopper") ? 256 : 64;
	return (p->tile_m * ceil(p->tile_n / columns) + p->tile_n * ceil(p->tile_m / rows)) *
	       p->tile_k * value_bytes(p);
}

struct tile_costs tile_costs_of(const struct tiled_product *p)
{
	const struct accelerator *g = p->gpu;
	enum dtype math = kernel_math_dtype(g, p->dtype);
	double sms = tiled_sms(g), clock = g->clock_hz > 0 ? g->clock_hz : clock_unknown_hz;
	double flops_per_s = kernel_compute_ratio(g, math) * g->peak_flops[math] / sms;
	double port = kernel_operand_bandwidth(g) / sms,
	       c_bytes = p->tile_m * p->tile_n * result_bytes(p);
	struct tile_costs c = { .load_bytes = buffer_bytes(p, 1),
		.latency_s = load_latency_clocks / clock };
	c.multiply_s = 2 * p->tile_m * p->tile_n * p->tile_k / flops_per_s;
	c.load_s = c.load_bytes / port;
	c.step_s = CALL(pipelined_step, .latency = c.latency_s, .load_time = c.load_s,
		.multiply_time = c.multiply_s, .stages = p->stages);
	c.shared_bytes = shared_bytes_of(p);
	c.store_s = c_bytes / port;
	/* With room for a second tile of sums the next one begins at once; otherwise when the sums
	 * are in shared memory, from where they leave by themselves. */
	c.put_s = accumulators_fit(p, 2)
			  ? 0
			  : fmin(c.store_s, c_bytes / (shared_bytes_per_clock * clock));
	c.partial_s = tiled_accumulator_bytes(p) / port;
	return c;
}

struct tile_place tile_at(const struct tiled_product *p, size_t i)
{
	size_t rows = (size_t)tiled_rows(p), columns = (size_t)tiled_columns(p);
	size_t group = (size_t)fmax(1, fmin(p->group, (double)rows));
	size_t band = i / (group * columns), in_band = i % (group * columns);
	size_t height = band * group + group <= rows ? group : rows - band * group;
	return (struct tile_place){ (uint32_t)(band * group + in_band % height),
		(uint32_t)(in_band / height) };
}

/* --- The L2 ---------------------------------------------------------------------------------- */

/* A slice of a panel. The list runs from the latest touch to the earliest; its ends are NONE. */
enum { NONE = -1 };
struct slice {
	int32_t newer, older;
	bool held;
	float bytes;
	double ready_s; /* when memory has brought it */
};

struct l2 {
	struct slice *slices; /* [panels of A][slices of k], then those of B */
	size_t rows, per_panel;
	int32_t newest, oldest;
	double bytes, held_bytes;
	/* Memory: one request after the other. */
	double bandwidth, free_s, read_bytes, write_bytes;
};

static void l2_unlink(struct l2 *l, int32_t i)
{
	struct slice *s = &l->slices[i];
	if (s->newer != NONE)
		l->slices[s->newer].older = s->older;
	else
		l->newest = s->older;
	if (s->older != NONE)
		l->slices[s->older].newer = s->newer;
	else
		l->oldest = s->newer;
}

static void l2_push(struct l2 *l, int32_t i)
{
	struct slice *s = &l->slices[i];
	s->newer = NONE;
	s->older = l->newest;
	if (l->newest != NONE)
		l->slices[l->newest].newer = i;
	else
		l->oldest = i;
	l->newest = i;
}

static void l2_hold(struct l2 *l, int32_t i)
{
	l->held_bytes += (double)l->slices[i].bytes;
	l->slices[i].held = true;
	l2_push(l, i);
	while (l->held_bytes > l->bytes && l->oldest != NONE) {
		struct slice *out = &l->slices[l->oldest];
		out->held = false;
		l->held_bytes -= (double)out->bytes;
		l2_unlink(l, l->oldest);
	}
}

/* When memory is done with so many bytes more that are asked for at a moment. */
static double memory_done_s(struct l2 *l, double at_s, double bytes)
{
	l->free_s = fmax(at_s, l->free_s) + (bytes > 0 ? bytes / l->bandwidth : 0);
	return l->free_s;
}

/* When the slice is there for an SM that asks for it at a moment. */
static double l2_touch(struct l2 *l, int32_t i, double at_s)
{
	struct slice *s = &l->slices[i];
	if (s->held) {
		if (l->newest != i) {
			l2_unlink(l, i);
			l2_push(l, i);
		}
		return s->ready_s;
	}
	/* Neighbours that ask in the same moment, or while it is on its way, get it from the one
	 * request even where nothing can be kept. */
	if (at_s < s->ready_s)
		return s->ready_s;
	l->read_bytes += (double)s->bytes;
	s->ready_s = memory_done_s(l, at_s, (double)s->bytes);
	l2_hold(l, i);
	return s->ready_s;
}

static float held_share(const struct l2 *l, size_t panel)
{
	size_t held = 0;
	for (size_t i = 0; i < l->per_panel; i++)
		held += l->slices[panel * l->per_panel + i].held;
	return (float)held / (float)l->per_panel;
}

/* --- The clock ------------------------------------------------------------------------------- */

enum { SLICE, END, STORE };

/* What an SM works on; steps are k steps of a tile. */
struct sm {
	uint64_t next; /* of its pieces, or after it the first step of its share of stream-K */
	uint64_t end;  /* of that share */
	uint32_t tile, first, step, to;
	struct tile_place place;
	double start_s;
	double stored_s; /* when the store of the tile before is done */
	bool busy, first_piece, sharing;
};

struct machine {
	const struct tiled_product *p;
	struct tile_costs costs;
	struct tiled_run r;
	struct l2 l2;
	struct events events;
	struct sm *sms;
	size_t n_sms, rows, columns, steps, slice_steps, parts, whole_units, dealt;
	uint64_t shared_steps;  /* k steps that stream-K cuts up */
	uint16_t *missing;      /* of a tile: pieces whose sums its owner still needs */
	uint32_t *owner;        /* 1 + the SM that waits for them */
	double *sums_s;         /* when the last of them was there */
	uint16_t *pieces;       /* sums that the owner adds */
	double multiply_useful; /* share of a step's FLOPs of the whole product that is asked for */
	struct tile_run *runs;
	size_t most;
	struct tile_glimpse *glimpses;
	size_t n_glimpses, seen;
	double end_s;
};

/* How many k steps make a slice: so that what a wave touches at once fits into half the L2, 4 slices
 * at least and 16 at most; fewer where there are thousands of tiles, which many waves average. */
static size_t slice_steps_of(const struct tiled_product *p)
{
	double steps = tiled_steps(p), tiles = tiled_rows(p) * tiled_columns(p);
	double side = sqrt(fmin(tiles, tiled_sms(p->gpu)));
	double wave = side * (p->tile_m + p->tile_n) * p->k * value_bytes(p);
	double least = p->schedule == TILES_STREAM_K ? 8 : 4;
	double slices = p->l2_bytes > 0 ? fmax(least, ceil(wave / (p->l2_bytes / 2))) : least;
	slices = fmin(16, slices);
	slices = fmin(slices, fmax(1, floor(8192 / tiles)));
	return (size_t)fmax(1, ceil(steps / fmin(steps, slices)));
}

static float slice_bytes(
	const struct machine *s, double extent, double tile, size_t panel, size_t i)
{
	const struct tiled_product *p = s->p;
	double depth = (double)s->slice_steps * p->tile_k;
	double across = fmin(tile, extent - (double)panel * tile);
	return (float)(across * fmin(depth, p->k - (double)i * depth) * value_bytes(p));
}

static bool set_up_l2(struct machine *s, struct arena *arena)
{
	const struct tiled_product *p = s->p;
	struct l2 *l = &s->l2;
	l->rows = s->rows;
	l->per_panel = (s->steps + s->slice_steps - 1) / s->slice_steps;
	l->newest = l->oldest = NONE;
	l->bytes = p->l2_bytes;
	l->bandwidth = kernel_efficiency(p->gpu).memory * p->gpu->bandwidth;
	l->slices = arena_array(arena, (s->rows + s->columns) * l->per_panel, sizeof *l->slices);
	if (arena->failed)
		return false;
	for (size_t panel = 0; panel < s->rows + s->columns; panel++)
		for (size_t i = 0; i < l->per_panel; i++) {
			struct slice *at = &l->slices[panel * l->per_panel + i];
			at->ready_s = -1;
			at->bytes = panel < s->rows
					    ? slice_bytes(s, p->m, p->tile_m, panel, i)
					    : slice_bytes(s, p->n, p->tile_n, panel - s->rows, i);
		}
	for (size_t i = s->rows * l->per_panel;
		p->b_in_l2 && i < (s->rows + s->columns) * l->per_panel; i++)
		l2_hold(l, (int32_t)i);
	return true;
}

static uint64_t share_begin(const struct machine *s, size_t sm)
{
	return s->shared_steps * sm / s->n_sms;
}

static bool set_up_sharing(struct machine *s, struct arena *arena)
{
	const size_t tiles = s->r.tiles;
	s->missing = arena_array(arena, tiles, sizeof *s->missing);
	s->pieces = arena_array(arena, tiles, sizeof *s->pieces);
	s->owner = arena_array(arena, tiles, sizeof *s->owner);
	s->sums_s = arena_array(arena, tiles, sizeof *s->sums_s);
	if (arena->failed)
		return false;
	/* Every boundary between two SMs that lies within a tile makes one piece more of it. */
	for (size_t i = 1; i < s->n_sms; i++) {
		uint64_t at = share_begin(s, i);
		if (at % s->steps != 0 && at != share_begin(s, i - 1))
			s->missing[s->whole_units + at / s->steps]++;
	}
	memcpy(s->pieces, s->missing, tiles * sizeof *s->pieces);
	return true;
}

static bool set_up(struct machine *s, struct arena *arena)
{
	const struct tiled_product *p = s->p;
	assert(p->m >= 1 && p->n >= 1 && p->k >= 1 && p->stages >= 1 && p->split_k >= 1);
	assert(p->tile_m >= 1 && p->tile_n >= 1 && p->tile_k >= 1);
	s->costs = tile_costs_of(p);
	s->rows = (size_t)tiled_rows(p);
	s->columns = (size_t)tiled_columns(p);
	s->steps = (size_t)tiled_steps(p);
	s->n_sms = (size_t)tiled_sms(p->gpu);
	s->slice_steps = slice_steps_of(p);
	s->r.tiles = s->rows * s->columns;
	bool stream = p->schedule == TILES_STREAM_K;
	s->parts = stream ? 1 : (size_t)fmin(p->split_k, (double)s->steps);
	s->r.units = s->whole_units = s->r.tiles * s->parts;
	s->r.waves = (double)s->r.units / (double)s->n_sms;
	s->r.flops = 2 * p->m * p->n * p->k;
	s->r.padded_flops =
		2 * (double)s->r.tiles * p->tile_m * p->tile_n * (double)s->steps * p->tile_k;
	s->multiply_useful = s->r.flops / s->r.padded_flops;
	size_t rest = s->r.tiles % s->n_sms;
	if (stream && s->r.waves < well_used * ceil(s->r.waves)) {
		s->whole_units = s->r.tiles - rest;
		s->shared_steps = (uint64_t)rest * s->steps;
	}
	s->sms = arena_array(arena, s->n_sms, sizeof *s->sms);
	s->events = events_new(arena, s->n_sms + 1);
	return set_up_l2(s, arena) && (s->shared_steps == 0 || set_up_sharing(s, arena));
}

/* Gives an SM its next piece; false where there is none. */
static bool next_piece(struct machine *s, size_t at)
{
	struct sm *sm = &s->sms[at];
	if (!sm->sharing) {
		bool dealt = s->p->schedule == TILES_ONE_EACH;
		size_t unit = dealt ? s->dealt++ : at + sm->next++ * s->n_sms;
		if (unit < s->whole_units) {
			size_t part = unit / s->r.tiles;
			sm->tile = (uint32_t)(unit % s->r.tiles);
			sm->first = sm->step = (uint32_t)(s->steps * part / s->parts);
			sm->to = (uint32_t)(s->steps * (part + 1) / s->parts);
			return true;
		}
		sm->sharing = true;
		sm->next = share_begin(s, at);
		sm->end = share_begin(s, at + 1);
	}
	if (sm->next >= sm->end)
		return false;
	sm->tile = (uint32_t)(s->whole_units + sm->next / s->steps);
	sm->first = sm->step = (uint32_t)(sm->next % s->steps);
	uint64_t left = sm->end - sm->next, of_tile = s->steps - sm->first;
	sm->to = (uint32_t)(sm->first + (left < of_tile ? left : of_tile));
	sm->next += sm->to - sm->first;
	return true;
}

static bool has_more(const struct machine *s, size_t at)
{
	const struct sm *sm = &s->sms[at];
	if (s->p->schedule == TILES_ONE_EACH)
		return false;
	return sm->sharing ? sm->next < sm->end
			   : at + sm->next * s->n_sms < s->whole_units ||
				     share_begin(s, at) < share_begin(s, at + 1);
}

static void look(struct machine *s, double until_s)
{
	for (; s->seen < s->n_glimpses && s->glimpses[s->seen].at_s <= until_s; s->seen++) {
		struct tile_glimpse *g = &s->glimpses[s->seen];
		for (size_t i = 0; i < s->rows; i++)
			g->a[i] = held_share(&s->l2, i);
		for (size_t i = 0; i < s->columns; i++)
			g->b[i] = held_share(&s->l2, s->rows + i);
	}
}

/* Begins the next piece of an SM that is free at a moment, or leaves it idle. */
static void begin(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	sm->first_piece = !sm->busy || s->p->schedule == TILES_ONE_EACH;
	sm->busy = next_piece(s, at);
	if (!sm->busy)
		return;
	double fill_s = sm->first_piece ? s->costs.latency_s + s->costs.load_s : 0;
	s->r.fill_s += fill_s;
	sm->place = tile_at(s->p, sm->tile);
	sm->start_s = at_s;
	events_push(&s->events, at_s + fill_s, SLICE, (uint32_t)at);
}

static void record(struct machine *s, size_t at, double loop_s, double end_s)
{
	const struct sm *sm = &s->sms[at];
	if (s->runs && s->r.segments < s->most)
		s->runs[s->r.segments] = (struct tile_run){ (uint32_t)at, sm->tile, sm->first,
			sm->to, (float)sm->start_s, (float)loop_s, (float)end_s };
	s->r.segments++;
	s->end_s = fmax(s->end_s, end_s);
}

/* The bytes of a tile of C, without what lies beyond its edges. */
static double tile_result_bytes(const struct machine *s, struct tile_place at)
{
	const struct tiled_product *p = s->p;
	return fmin(p->tile_m, p->m - at.row * p->tile_m) *
	       fmin(p->tile_n, p->n - at.column * p->tile_n) * result_bytes(p);
}

/* Writes a tile out, and lets the SM go on as early as its schedule allows. */
static void store_tile(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	double bytes = tile_result_bytes(s, sm->place);
	s->r.l2_bytes += bytes;
	s->l2.write_bytes += bytes;
	memory_done_s(&s->l2, at_s, bytes);
	bool more = has_more(s, at);
	double from_s = fmax(at_s, sm->stored_s);
	sm->stored_s = from_s + s->costs.store_s;
	double free_s = more ? from_s + s->costs.put_s : sm->stored_s;
	s->r.store_s += free_s - at_s;
	record(s, at, at_s, sm->stored_s);
	begin(s, at, free_s);
}

/* Adds the sums of the other pieces to one's own, which all are there now. */
static void add_and_store(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	double add_s = s->pieces[sm->tile] * s->costs.partial_s;
	s->r.store_s += add_s;
	s->r.l2_bytes += s->pieces[sm->tile] * tiled_accumulator_bytes(s->p);
	events_push(&s->events, at_s + add_s, STORE, (uint32_t)at);
}

/* A piece without the first step of its tile leaves sums to the SM that has it. */
static void leave_sums(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	uint32_t tile = sm->tile, owner = s->owner[tile];
	double done_s = at_s + s->costs.partial_s;
	s->r.l2_bytes += tiled_accumulator_bytes(s->p);
	s->r.partial_bytes += 2 * tiled_accumulator_bytes(s->p);
	s->r.store_s += s->costs.partial_s;
	s->sums_s[tile] = fmax(s->sums_s[tile], done_s);
	record(s, at, at_s, done_s);
	begin(s, at, done_s);
	if (--s->missing[tile] == 0 && owner > 0)
		add_and_store(s, owner - 1, s->sums_s[tile]);
}

static void end_piece(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	bool whole = sm->first == 0 && sm->to == s->steps;
	if (s->parts > 1) { /* a kernel of its own adds the sums up */
		double bytes = tiled_accumulator_bytes(s->p);
		s->r.l2_bytes += bytes;
		s->r.partial_bytes += 2 * bytes;
		s->r.store_s += s->costs.partial_s;
		record(s, at, at_s, at_s + s->costs.partial_s);
		begin(s, at, at_s + s->costs.partial_s);
	} else if (whole)
		store_tile(s, at, at_s);
	else if (sm->first > 0)
		leave_sums(s, at, at_s);
	else if (s->missing[sm->tile] == 0) {
		add_and_store(s, at, fmax(at_s, s->sums_s[sm->tile]));
	} else
		s->owner[sm->tile] = (uint32_t)at + 1;
}

/* One slice of an SM's piece. */
static void walk(struct machine *s, size_t at, double at_s)
{
	struct sm *sm = &s->sms[at];
	const struct tile_costs *c = &s->costs;
	size_t i = sm->step / s->slice_steps, slice_end = (i + 1) * s->slice_steps;
	size_t to = slice_end < sm->to ? slice_end : sm->to;
	double n = (double)(to - sm->step);
	size_t a = sm->place.row * s->l2.per_panel + i;
	size_t b = (s->rows + sm->place.column) * s->l2.per_panel + i;
	double a_s = l2_touch(&s->l2, (int32_t)a, at_s), b_s = l2_touch(&s->l2, (int32_t)b, at_s);
	double took_s = n * c->step_s, waited_s = took_s - n * c->multiply_s;
	if (to == sm->to && !has_more(s, at)) { /* nothing is loaded beside the last product */
		took_s -= c->step_s - c->multiply_s;
		waited_s -= c->step_s - c->multiply_s;
	}
	double end_s = fmax(at_s + took_s, fmax(a_s, b_s));
	s->r.useful_s += n * c->multiply_s * s->multiply_useful;
	s->r.padding_s += n * c->multiply_s * (1 - s->multiply_useful);
	*(c->load_s >= c->step_s ? &s->r.l2_s : &s->r.latency_s) += waited_s;
	s->r.hbm_s += end_s - at_s - took_s;
	s->r.l2_bytes += n * c->load_bytes;
	sm->step = (uint32_t)to;
	events_push(&s->events, end_s, to < sm->to ? SLICE : END, (uint32_t)at);
}

/* Sums that were left in the L2 by a split, added up by a second kernel that writes C. What does
 * not fit goes out to memory and comes back. */
static void reduce(struct machine *s)
{
	const struct tiled_product *p = s->p;
	double sums = (double)s->parts * p->m * p->n * sizeof(float);
	double result = p->m * p->n * result_bytes(p);
	if (s->parts <= 1)
		return;
	s->r.l2_bytes += sums + result;
	s->l2.write_bytes += result;
	double spilled = fmax(0, sums - p->l2_bytes);
	s->l2.write_bytes += spilled;
	s->l2.read_bytes += spilled;
	s->r.reduce_s = s->r.launch_s + fmax(sums / kernel_operand_bandwidth(p->gpu),
						(2 * spilled + result) / s->l2.bandwidth);
}

struct tiled_run tiled_product_run(const struct tiled_product *p, struct arena *arena,
	struct tile_run runs[], size_t most, struct tile_glimpse glimpses[], size_t n_glimpses)
{
	static void (*const act[])(struct machine *, size_t,
		double) = { [SLICE] = walk, [END] = end_piece, [STORE] = store_tile };
	struct machine s = {
		.p = p, .runs = runs, .most = most, .glimpses = glimpses, .n_glimpses = n_glimpses
	};
	if (!set_up(&s, arena))
		return (struct tiled_run){ 0 };
	s.r.launch_s = kernel_efficiency(p->gpu).launch_s;
	for (size_t i = 0; i < s.n_sms; i++)
		begin(&s, i, 0);
	for (struct event e; events_pop(&s.events, &e);) {
		look(&s, e.at);
		act[e.kind](&s, e.data, e.at);
	}
	look(&s, INFINITY);
	s.r.run_s = fmax(s.end_s, s.l2.free_s);
	reduce(&s);
	s.r.hbm_read_bytes = s.l2.read_bytes;
	s.r.hbm_write_bytes = s.l2.write_bytes;
	s.r.shared_bytes = (double)s.r.tiles * (double)s.steps * s.costs.shared_bytes;
	s.r.loaded_bytes = (double)s.r.tiles * (double)s.steps * s.costs.load_bytes;
	s.r.time_s = s.r.launch_s + s.r.run_s + s.r.reduce_s;
	double busy_s = s.r.useful_s + s.r.padding_s + s.r.l2_s + s.r.latency_s + s.r.hbm_s +
			s.r.fill_s + s.r.store_s;
	s.r.idle_s = fmax(0, (double)s.n_sms * s.r.run_s - busy_s);
	if (arena->failed)
		return (struct tiled_run){ 0 };
	return s.r;
}

/* --- As a library would ---------------------------------------------------------------------- */

/* Without running it: whole waves of units that share nothing but the least traffic. */
static double estimate_s(const struct tiled_product *p)
{
	const struct accelerator *g = p->gpu;
	struct tile_costs c = tile_costs_of(p);
	double tiles = tiled_rows(p) * tiled_columns(p), steps = tiled_steps(p);
	double waves = ceil(tiles * p->split_k / tiled_sms(g)),
	       launch_s = kernel_efficiency(g).launch_s;
	double fill_s = c.latency_s + c.load_s;
	double loop_s = ceil(steps / p->split_k) * c.step_s;
	double store_s = p->split_k > 1 ? c.partial_s : c.store_s;
	double put_s = p->split_k > 1 ? c.partial_s : c.put_s;
	double run_s = p->schedule == TILES_ONE_EACH
			       ? waves * (fill_s + loop_s + store_s)
			       : fill_s + waves * loop_s + (waves - 1) * put_s + store_s;
	double weights = p->b_in_l2 ? 0 : p->k * p->n;
	double bytes = (p->m * p->k + weights) * value_bytes(p) + p->m * p->n * result_bytes(p);
	double hbm_s = bytes / (kernel_efficiency(g).memory * g->bandwidth);
	double sums = p->split_k > 1 ? p->split_k * p->m * p->n * sizeof(float) : 0;
	double reduce_s = p->split_k > 1 ? launch_s + sums / kernel_operand_bandwidth(g) : 0;
	return fmax(run_s, hbm_s) + reduce_s;
}

enum { MOST_STAGES = 4 };

static void choose_buffers(struct tiled_product *p, double tile_k, double stages)
{
	p->tile_k = tile_k > 0 ? tile_k : 128 / value_bytes(p);
	p->stages = stages;
	if (stages > 0)
		return;
	p->stages = 1;
	double room = tiled_shared_bytes(p->gpu) / buffer_bytes(p, 1);
	p->stages = fmax(1, fmin(MOST_STAGES, floor(room)));
}

struct tiled_product tiled_library_product(
	const struct accelerator *g, enum dtype d, double m, double n, double k)
{
	bool persistent = is_of(g, "hopper") || is_of(g, "blackwell");
	return (struct tiled_product){ .gpu = g,
		.dtype = d,
		.m = m,
		.n = n,
		.k = k,
		.schedule = persistent ? TILES_PERSISTENT : TILES_ONE_EACH,
		.group = 8,
		.l2_bytes = tiled_l2_bytes(g) };
}

/* The best of the shapes that a library has, among those that fit or among all; false where there is
 * none. */
static bool choose_among(struct tiled_product *p, bool fitting)
{
	static const double sides[] = { 64, 128, 192, 256 };
	const struct tiled_product asked = *p;
	bool wide = is_of(p->gpu, "hopper") || is_of(p->gpu, "blackwell");
	double best_s = INFINITY;
	for (size_t i = 0; i < LENGTH(sides) * LENGTH(sides); i++) {
		double tile_m = sides[i / LENGTH(sides)], tile_n = sides[i % LENGTH(sides)];
		struct tiled_product now = asked;
		now.tile_m = asked.tile_m > 0 ? asked.tile_m : tile_m;
		now.tile_n = asked.tile_n > 0 ? asked.tile_n : tile_n;
		/* Instructions before Hopper's take powers of two only. */
		if (!wide && (now.tile_m == 192 || now.tile_n == 192) && fitting)
			continue;
		choose_buffers(&now, asked.tile_k, asked.stages);
		if (fitting && !tiled_fits(&now))
			continue;
		double most = asked.split_k > 0 ? asked.split_k : fmax(1, fmin(16, now.k / 256));
		for (now.split_k = fmax(1, asked.split_k); now.split_k <= most; now.split_k *= 2) {
			double s = estimate_s(&now);
			if (s < best_s || p->tile_m <= 0) { /* also where nothing can be timed */
				best_s = s;
				*p = now;
			}
		}
	}
	return isfinite(best_s);
}

void tiled_choose(struct tiled_product *p)
{
	if (!choose_among(p, true))
		choose_among(p, false);
}
