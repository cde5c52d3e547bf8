/* The simulation `tiles`: a matrix product cut into tiles that walk over the SMs; what each level of
 * memory carries for it, which waves it takes, and where the SMs' time goes. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/formulas/kernels.h"
#include "sims/formulas/roofline.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/tiled_product.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <stdint.h>

enum {
	M,
	TILE_M,
	TILE_N,
	SCHEDULE,
	STAGES,
	RASTER,
	GPU,
	N,
	K,
	DTYPE,
	TILE_K,
	SPLIT_K,
	L2,
	N_KNOBS
};

static const char *const side_ids[] = { "auto", "64", "128", "192", "256", NULL };
static const double sides[] = { 0, 64, 128, 192, 256 };
static const char *const depth_ids[] = { "auto", "32", "64", "128", NULL };
static const double depths[] = { 0, 32, 64, 128 };
static const char *const schedule_ids[] = { "blocks", "persistent", "stream_k", NULL };
static const char *const schedule_names[] = { "one block per tile", "persistent", "stream-K" };
static const char *const type_ids[] = { "bf16", "fp16", "fp8", "tf32", NULL };
static const char *const type_names[] = { "BF16", "FP16", "FP8", "TF32" };
static const enum dtype types[] = { DTYPE_BF16, DTYPE_FP16, DTYPE_FP8, DTYPE_TF32 };
/* As tables of measurements write them. */
static const char *const measured_as[] = { "bfloat16", "bfloat16", "fp8", "none" };

enum { KIB = 1024, MIB = 1024 * 1024 };

static const struct knob knobs[N_KNOBS] = {
	[M] = KNOB_LINEAR("m", "rows of A and C", "", 1, 16384, 4352, 128,
		"tokens of a batch: a row of tiles more may begin another wave, which most SMs spend "
		"idle",
		.integer = true),
	[TILE_M] = KNOB_CHOICE_OF("tile_m", "tile rows", side_ids, NULL, "128",
		"each row of A that a tile holds is multiplied with all of its columns of B: larger "
		"tiles read less, and there are fewer of them to share out"),
	[TILE_N] = KNOB_CHOICE_OF("tile_n", "tile columns", side_ids, NULL, "256",
		"as its rows: the sums of rows x columns must fit into the registers"),
	[SCHEDULE] = KNOB_CHOICE_OF("schedule", "schedule", schedule_ids, schedule_names, "blocks",
		"persistent blocks load the next tile while they store one; stream-K cuts what whole "
		"waves leave over into equal parts for all SMs"),
	[STAGES] = KNOB_WHOLE("stages", "buffers", "", 0, 8, 0,
		"with one of them loads and products take turns; more hide the latency, and take "
		"shared memory",
		.zero = "auto", .stands_for = "stages"),
	[RASTER] = KNOB_DOUBLING("raster", "raster group", "", 1, 64, 8,
		"so many rows of tiles are walked together: tiles that run at once share rows of A "
		"and columns of B, and a block of them shares more than a line"),
	[GPU] = KNOB_ANY_GPU("h100", "how many SMs share the tiles, and what feeds them"),
	[N] = KNOB_DOUBLING("n", "columns of B, C", "", 64, 8192, 4096,
		"more columns of tiles: more waves, and a last one that matters less",
		.group = "product"),
	[K] = KNOB_DOUBLING("k", "depth", "", 64, 16384, 4096,
		"longer tiles: their beginning and end weigh less", .group = "product"),
	[DTYPE] = KNOB_CHOICE_OF("dtype", "dtype", type_ids, type_names, "bf16",
		"half the bytes and twice the products a second: the same intensity is asked for",
		.also = "act_dtype", .group = "product"),
	[TILE_K] = KNOB_CHOICE_OF("tile_k", "depth of a step", depth_ids, NULL, "auto",
		"what is loaded at once: deeper steps hide the latency with fewer buffers, each of "
		"them larger; auto is 128 B of a row",
		.group = "tile"),
	[SPLIT_K] = KNOB_DOUBLING("split_k", "split of k", "", 1, 32, 1,
		"several SMs share a tile, each a part of its depth, and a second kernel adds up: "
		"for products with fewer tiles than SMs",
		.when = { WHEN(SCHEDULE, TILES_ONE_EACH, TILES_PERSISTENT) }, .group = "tile"),
	[L2] = KNOB_FACTOR("l2_MiB", "L2", "MiB", 0, 512, 0, 2,
		"what it still holds, memory need not bring again", .zero = "the GPU's", .least = 1,
		.group = "tile"),
};

struct tiles {
	const double *v;
	struct tiled_product p;
	struct tile_costs costs;
	struct tiled_run r;
	struct tile_run *runs;
	double sms, tiles, last_wave; /* units of the last wave */
	struct arena *arena;
};

static struct tiled_product product_of(const struct tables *t, const double v[])
{
	const struct accelerator *g = gpu_at(t, v[GPU]);
	struct tiled_product p =
		tiled_library_product(g, types[(size_t)v[DTYPE]], v[M], v[N], v[K]);
	p.tile_m = sides[(size_t)v[TILE_M]];
	p.tile_n = sides[(size_t)v[TILE_N]];
	p.tile_k = depths[(size_t)v[TILE_K]];
	p.stages = v[STAGES];
	p.split_k = (int)v[SCHEDULE] == TILES_STREAM_K ? 1 : v[SPLIT_K];
	p.schedule = (enum tile_schedule)v[SCHEDULE];
	p.group = v[RASTER];
	if (v[L2] > 0)
		p.l2_bytes = v[L2] * MIB;
	tiled_choose(&p);
	return p;
}

/* Times of the same product otherwise; what it needs is released at once. */
static struct tiled_run run_beside(const struct tiled_product *p, struct figure *fig)
{
	struct arena arena = { 0 };
	struct tiled_run r = tiled_product_run(p, &arena, NULL, 0, NULL, 0);
	fig->arena.failed |= arena.failed;
	arena_release(&arena);
	return r;
}

static size_t most_pieces(const struct tiled_product *p)
{
	double tiles = tiled_rows(p) * tiled_columns(p);
	return (size_t)(tiles * p->split_k + 2 * tiled_sms(p->gpu));
}

static void set_up(struct tiles *s, const struct tables *t)
{
	s->p = product_of(t, s->v);
	s->costs = tile_costs_of(&s->p);
	s->sms = tiled_sms(s->p.gpu);
	s->tiles = tiled_rows(&s->p) * tiled_columns(&s->p);
	size_t most = most_pieces(&s->p);
	s->runs = arena_array(s->arena, most, sizeof *s->runs);
	if (!s->arena->failed)
		s->r = tiled_product_run(&s->p, s->arena, s->runs, most, NULL, 0);
	s->last_wave = (double)s->r.units - (ceil(s->r.waves) - 1) * s->sms;
}

/* Tiles that a figure walks beside its own product, for each of its parts: a run takes a millisecond
 * for some thousands of them. */
enum {
	MOST_COMPARED = 4096,
	MOST_OF_CURVE = 6 * MOST_COMPARED,
	MOST_OF_SHAPES = 3 * MOST_COMPARED
};

static double tflops(const struct tiled_run *r)
{
	return r->flops / r->time_s / 1e12;
}

static double peak_tflops(const struct tiles *s)
{
	return kernel_peak_flops(s->p.gpu, s->p.dtype) / 1e12;
}

static double least_bytes(const struct tiled_product *p)
{
	return p->gpu ? gemm_bytes(p->gpu, p->dtype, p->m, p->n, p->k) : 0;
}

static double hbm_bytes(const struct tiled_run *r)
{
	return r->hbm_read_bytes + r->hbm_write_bytes;
}

static double of_sms(const struct tiles *s, double sm_seconds)
{
	return sm_seconds / (s->sms * s->r.run_s);
}

/* --- C at the playhead --- */

enum { FRAMES = 40, MOST_ROWS = 24, MOST_COLUMNS = 40, WAVES_SHOWN = 6, A_LEFT = 2, B_ABOVE = 2 };
enum {
	TO_COME,
	IN_L2,
	NOT_IN_L2,
	AT_WORK,
	FIRST_WAVE,
	LAST_WAVE = FIRST_WAVE + WAVES_SHOWN,
	N_CELLS
};

/* When a tile is begun and when it is stored. */
struct lifetime {
	float from_s, to_s;
};

static struct lifetime *lifetimes(const struct tiles *s)
{
	size_t n = (size_t)s->tiles;
	struct lifetime *l = arena_array(s->arena, n, sizeof *l);
	for (size_t i = 0; !s->arena->failed && i < s->r.segments; i++) {
		struct lifetime *of = &l[s->runs[i].tile];
		if (of->to_s <= 0 || s->runs[i].start_s < of->from_s)
			of->from_s = s->runs[i].start_s;
		of->to_s = fmaxf(of->to_s, s->runs[i].end_s);
	}
	return l;
}

/* Several tiles are one cell where there is no room for all. */
struct raster {
	size_t rows, columns, by_row, by_column;
	struct lifetime *of;
	uint32_t *tiles; /* that stands for each cell, by its number in the walk */
	struct tile_glimpse *seen;
};

static size_t wave_of(const struct tiles *s, size_t tile)
{
	return (size_t)((double)tile / s->sms);
}

static unsigned kind_of_tile(
	const struct tiles *s, const struct lifetime *l, size_t tile, double at_s)
{
	size_t waves = (size_t)ceil(s->tiles / s->sms), wave = wave_of(s, tile);
	if (at_s < (double)l->from_s)
		return TO_COME;
	if (at_s < (double)l->to_s)
		return AT_WORK;
	if (wave + 1 == waves && waves > 1)
		return LAST_WAVE;
	return FIRST_WAVE + (unsigned)(waves <= WAVES_SHOWN + 1 ? wave : 0);
}

static unsigned kind_of_panel(float held)
{
	return held >= 0.5F ? IN_L2 : NOT_IN_L2;
}

static void draw_frame(const struct tiles *s, const struct raster *c, struct grid *g, size_t frame)
{
	double at_s = g->frame_times[frame];
	const struct tile_glimpse *seen = &c->seen[frame];
	for (size_t i = 0; i < c->rows; i++)
		grid_set(g, frame, i + B_ABOVE, 0, kind_of_panel(seen->a[i * c->by_row]));
	for (size_t i = 0; i < c->columns; i++)
		grid_set(g, frame, 0, i + A_LEFT, kind_of_panel(seen->b[i * c->by_column]));
	for (size_t i = 0; i < c->rows * c->columns; i++)
		grid_set(g, frame, i / c->columns + B_ABOVE, i % c->columns + A_LEFT,
			kind_of_tile(s, &c->of[c->tiles[i]], c->tiles[i], at_s - s->r.launch_s));
}

static void choose_cells(const struct tiles *s, struct raster *c)
{
	c->tiles = arena_array(s->arena, c->rows * c->columns, sizeof *c->tiles);
	for (size_t tile = 0; !s->arena->failed && tile < (size_t)s->tiles; tile++) {
		struct tile_place at = tile_at(&s->p, tile);
		if (at.row % c->by_row == 0 && at.column % c->by_column == 0)
			c->tiles[at.row / c->by_row * c->columns + at.column / c->by_column] =
				(uint32_t)tile;
	}
}

static bool look(const struct tiles *s, struct raster *c, const double times[])
{
	size_t rows = (size_t)tiled_rows(&s->p), columns = (size_t)tiled_columns(&s->p);
	c->by_row = (rows + MOST_ROWS - 1) / MOST_ROWS;
	c->by_column = (columns + MOST_COLUMNS - 1) / MOST_COLUMNS;
	c->rows = (rows + c->by_row - 1) / c->by_row;
	c->columns = (columns + c->by_column - 1) / c->by_column;
	c->of = lifetimes(s);
	choose_cells(s, c);
	c->seen = arena_array(s->arena, FRAMES + 1, sizeof *c->seen);
	for (size_t i = 0; !s->arena->failed && i <= FRAMES; i++) {
		c->seen[i].at_s = times[i] - s->r.launch_s;
		c->seen[i].a = arena_array(s->arena, rows, sizeof *c->seen[i].a);
		c->seen[i].b = arena_array(s->arena, columns, sizeof *c->seen[i].b);
	}
	if (!s->arena->failed)
		tiled_product_run(&s->p, s->arena, NULL, 0, c->seen, FRAMES + 1);
	return !s->arena->failed;
}

static void name_waves(const struct tiles *s, struct figure *fig, const char *names[N_CELLS],
	enum meaning means[N_CELLS])
{
	size_t waves = (size_t)ceil(s->tiles / s->sms);
	for (unsigned i = 0; i < WAVES_SHOWN; i++) {
		names[FIRST_WAVE + i] =
			waves <= WAVES_SHOWN + 1 ? figure_text(fig, "wave %u", i + 1) : "done";
		means[FIRST_WAVE + i] = (enum meaning)(MEANS_LEVEL + 7 - min_size(i, 6));
	}
	names[LAST_WAVE] = "last wave";
	means[LAST_WAVE] = MEANS_SECOND;
}

/* When about half of the last wave's work is done: the picture that stands still. */
static double still_s(const struct tiles *s, const struct lifetime *of)
{
	size_t last = (size_t)s->tiles - 1;
	return s->r.launch_s + 0.5 * (double)(of[last].from_s + of[last].to_s);
}

static void draw_walk(const struct tiles *s, struct figure *fig)
{
	const char *names[N_CELLS] = { "to come", "in the L2", "from HBM", "at work" };
	enum meaning means[N_CELLS] = { MEANS_EMPTY, MEANS_TRAFFIC, MEANS_FREE, MEANS_FOCUS };
	double times[FRAMES + 1];
	struct raster c;
	for (size_t i = 0; i <= FRAMES; i++)
		times[i] = fig->duration_s * (double)i / FRAMES;
	if (!look(s, &c, times))
		return;
	name_waves(s, fig, names, means);
	struct grid *g = figure_grid(fig, "Tiles of C; A at the left, B above", names, N_CELLS,
		NULL, c.rows + B_ABOVE, c.columns + A_LEFT, times, FRAMES + 1);
	figure_tab(fig, "Tiles");
	grid_mean(fig, g, means, N_CELLS);
	for (size_t i = 0; g && i <= FRAMES; i++)
		draw_frame(s, &c, g, i);
	if (g) {
		g->bare = true;
		g->still_s = still_s(s, c.of);
	}
}

/* --- SMs as lanes --- */

enum { LANE_LOAD, LANE_MULTIPLY, LANE_STORE, LANE_IDLE, N_LANE_KINDS, MOST_LANES = 6 };

/* Every so many-th SM. */
static size_t lane_of(const struct tiles *s, size_t sm, size_t lanes)
{
	size_t sms = (size_t)s->sms, lane;
	assert(sms > 0 && lanes > 0);
	lane = sm * lanes / sms;
	return (lane * sms + lanes - 1) / lanes == sm ? lane : lanes;
}

static void add_run(const struct tiles *s, struct figure *fig, struct timeline *t, unsigned lane,
	const struct tile_run *r, double *free_s)
{
	const double at = s->r.launch_s, start = fmax((double)r->start_s, *free_s);
	bool fills = *free_s <= 0 || s->p.schedule == TILES_ONE_EACH;
	double fill_s = fills ? s->costs.latency_s + s->costs.load_s : 0;
	double loop_s = (double)r->loop_s, from_s = fmin(start + fill_s, loop_s);
	if (fills)
		timeline_span(fig, t, lane, LANE_LOAD, at + start, at + from_s, NULL);
	timeline_span(fig, t, lane, LANE_MULTIPLY, at + from_s, at + loop_s,
		figure_text(fig, "%u", r->tile));
	/* What is stored beside the next tile does not show. */
	double end_s = s->p.schedule == TILES_ONE_EACH ? (double)r->end_s : loop_s;
	if (end_s > loop_s)
		timeline_span(fig, t, lane, LANE_STORE, at + loop_s, at + end_s, NULL);
	*free_s = end_s;
}

static void draw_lanes(const struct tiles *s, struct figure *fig)
{
	static const char *const kinds[] = { "first load", "multiply", "store", "idle" };
	static const enum meaning means[] = { MEANS_TRAFFIC, MEANS_COMPUTE, MEANS_FIXED,
		MEANS_WAITING };
	const char *names[MOST_LANES];
	double free_s[MOST_LANES] = { 0 };
	size_t most = s->r.waves > 40 ? 4 : MOST_LANES, lanes = min_size(most, (size_t)s->sms);
	for (size_t i = 0; i < lanes; i++)
		names[i] = figure_text(fig, "SM %zu", (i * (size_t)s->sms + lanes - 1) / lanes);
	struct timeline *t = figure_timeline(fig,
		figure_text(fig, "%zu of %g SMs, and the tile that each is at", lanes, s->sms),
		names, lanes, kinds, N_LANE_KINDS);
	figure_tab(fig, "SMs");
	timeline_mean(fig, t, means, N_LANE_KINDS);
	if (t)
		t->rest = "SMs";
	for (size_t i = 0; i < s->r.segments; i++) {
		size_t lane = lane_of(s, s->runs[i].sm, lanes);
		if (lane < lanes)
			add_run(s, fig, t, (unsigned)lane, &s->runs[i], &free_s[lane]);
	}
	for (size_t i = 0; i < lanes; i++)
		if (free_s[i] < s->r.run_s)
			timeline_span(fig, t, (unsigned)i, LANE_IDLE, s->r.launch_s + free_s[i],
				s->r.launch_s + s->r.run_s, NULL);
}

/* --- TFLOP/s by rows --- */

enum { CURVE = 24, LIBRARY = 8, AHEAD = 8 };

/* The rows of tiles from which a curve goes, and in which steps, around the present one. */
struct window {
	double first, last, by;
};

static struct window window_of(const struct tiles *s)
{
	double rows = tiled_rows(&s->p), columns = tiled_columns(&s->p);
	double most = fmax(4, fmin(CURVE, floor(MOST_OF_CURVE / (rows * columns))));
	struct window w = { 1, rows + AHEAD, 1 };
	if (w.last > most)
		w.first = fmax(1, w.last - CURVE);
	w.by = fmax(1, ceil((w.last - w.first) / most));
	while (w.by > 1 && fmod(rows - w.first, w.by) != 0)
		w.first++;
	return w;
}

/* All numbers of rows of A that fill as many rows of tiles take the same time: the curve rises
 * between two, and falls where another row of tiles begins. */
static void plot_teeth(const struct tiles *s, struct figure *fig, struct series *line)
{
	struct window w = window_of(s);
	for (double rows = w.first; rows <= w.last; rows += w.by) {
		struct tiled_product p = s->p;
		double m = rows * p.tile_m;
		bool here = rows == tiled_rows(&s->p);
		p.m = m;
		double time_s = here ? s->r.time_s : run_beside(&p, fig).time_s;
		double per_row = 2 * p.n * p.k / time_s / 1e12;
		if (w.by <= 1)
			series_point(fig, line, m - p.tile_m + 1, per_row * (m - p.tile_m + 1));
		series_point(fig, line, m, per_row * m);
	}
}

/* By rows of A, and of as many by what is reached. */
static int by_rows(const void *a, const void *b)
{
	const double *x = a, *y = b;
	const size_t k = x[0] == y[0];
	return (x[k] > y[k]) - (x[k] < y[k]);
}

enum { MOST_MEASURED = 40 };

/* What a library reaches, in TFLOP/s by rows of A: measured, and by the model in the tiles that a library
 * chooses. */
struct library {
	double measured[MOST_MEASURED][2], modelled[MOST_MEASURED][2];
	size_t n, used;
};

/* Of products measured with nearly as many rows, such as 4,096 and 4,097, the plot of these tiles has the
 * best. */
static void draw_best(struct figure *fig, struct plot *p, const struct library *l)
{
	const double nearly = 1.01;
	struct series *line =
		l->n > 0 ? plot_series(fig, p, "a library, measured", SERIES_LINE, MEANS_WAITING)
			 : NULL;
	for (size_t i = 0, first = 0, best = 0; i < l->n; i++) {
		best = l->measured[i][1] > l->measured[best][1] ? i : best;
		if (i + 1 < l->n && l->measured[i + 1][0] < nearly * l->measured[first][0])
			continue;
		series_point(fig, line, l->measured[best][0], l->measured[best][1]);
		first = best = i + 1;
	}
}

/* All that was measured, beside what the model says of it. */
static void draw_library(struct figure *fig, const struct library *l)
{
	if (l->n < 2)
		return;
	struct plot *p = figure_plot(fig, "What a library reaches in its own tiles", "rows of A",
		"", AXIS_LINEAR, "reached", "TFLOP/s", AXIS_LINEAR);
	figure_tab(fig, "Library");
	struct series *points = overlay_series(fig, p, "measured", 6);
	struct series *model = plot_series(fig, p, "modelled", SERIES_POINTS, MEANS_TRAFFIC);
	double least = INFINITY;
	for (size_t i = 0; i < l->n; i++) {
		series_point(fig, points, l->measured[i][0], l->measured[i][1]);
		least = fmin(least, l->measured[i][1]);
	}
	for (size_t i = 0; i < l->used; i++) {
		series_point(fig, model, l->modelled[i][0], l->modelled[i][1]);
		least = fmin(least, l->modelled[i][1]);
	}
	if (p)
		p->y.min =
			100 * floor(least / 100); /* a row of the axis in the lowest window too */
}

/* Products measured with as many columns and as deep, in the window, and what the model takes for
 * them when it chooses tiles as a library does. */
static void find_measured(
	const struct tiles *s, const struct tables *t, struct figure *fig, struct library *l)
{
	enum { WANT = 2 };
	static const char *const want[WANT] = { "m", "time_us" };
	const struct accelerator *g = s->p.gpu;
	struct window w = window_of(s);
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "dtype", measured_as[(size_t)s->v[DTYPE]], 0, 0 },
		{ "m", NULL, w.first * s->p.tile_m, w.last * s->p.tile_m },
		{ "n", NULL, s->p.n, s->p.n }, { "k", NULL, s->p.k, s->p.k } };
	double rows[MOST_MEASURED][WANT], errors[MOST_MEASURED], walked = 0;
	const double *best = NULL;
	l->used = 0;
	l->n = measured_points(
		fig->memo, t, "tiles", c, LENGTH(c), want, WANT, rows[0], MOST_MEASURED);
	for (size_t i = 0; i < l->n; i++) {
		l->measured[i][0] = rows[i][0];
		l->measured[i][1] = 2 * rows[i][0] * s->p.n * s->p.k / rows[i][1] / 1e6;
		if (!best ||
			overlay_distance(rows[i][0], s->p.m) < overlay_distance(best[0], s->p.m))
			best = rows[i];
		if (i % ((l->n + LIBRARY - 1) / LIBRARY) != 0 || walked > MOST_COMPARED)
			continue;
		struct tiled_product lib =
			tiled_library_product(g, s->p.dtype, rows[i][0], s->p.n, s->p.k);
		const struct gemm_format *f = gemm_format_find(measured_as[(size_t)s->v[DTYPE]]);
		lib.b_in_l2 = gemm_rotated_in_l2(g, f, lib.n, lib.k);
		tiled_choose(&lib);
		walked += tiled_rows(&lib) * tiled_columns(&lib) * lib.split_k;
		double s_lib = run_beside(&lib, fig).time_s + gemm_rounding_s(g, f, lib.m, lib.k);
		l->modelled[l->used][0] = lib.m;
		l->modelled[l->used][1] = 2 * lib.m * lib.n * lib.k / s_lib / 1e12;
		errors[l->used++] = fabs(1e6 * s_lib / rows[i][1] - 1);
	}
	qsort(l->measured, l->n, sizeof *l->measured, by_rows);
	qsort(l->modelled, l->used, sizeof *l->modelled, by_rows);
	if (!best) {
		overlay_outside(fig, "no product of %g columns and depth %g in %s on %s", s->p.n,
			s->p.k, type_names[(size_t)s->v[DTYPE]], g->name);
		return;
	}
	overlay_own_error(fig, t, "tiles", errors, l->used,
		"of a library's products, by this model with tiles as a library chooses them");
	overlay_nearest(fig, t, "tiles", "%g x %g x %g on %s, %.3g µs", best[0], s->p.n, s->p.k,
		g->name, best[1]);
}

static void draw_curve(const struct tiles *s, struct figure *fig, const struct library *l)
{
	struct plot *p = figure_plot(fig, "What these tiles reach", "rows of A", "", AXIS_LINEAR,
		"reached", "TFLOP/s", AXIS_LINEAR);
	figure_tab(fig, "By rows");
	struct series *line = plot_series(fig, p, "these tiles", SERIES_LINE, MEANS_COMPUTE);
	struct series *at = plot_series(fig, p, "here", SERIES_POINTS, MEANS_FOCUS);
	plot_teeth(s, fig, line);
	draw_best(fig, p, l);
	series_mark(fig, at, s->p.m, tflops(&s->r), "here", ROLE_ACCENT);
	plot_slider(fig, p, "m", s->p.m);
	if (at)
		at->unlisted = true;
	if (line) /* the title says what it is */
		line->unlisted = true;
}

/* --- Waves --- */

/* The SMs that the last wave keeps busy, under those before it, which are full. */
static void draw_waves(const struct tiles *s, struct figure *fig)
{
	static const char *const parts[] = { "at work", "idle" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_WAITING };
	size_t waves = (size_t)ceil(s->r.waves);
	if (s->p.schedule == TILES_STREAM_K || waves < 2)
		return;
	struct bars *b = figure_bars(fig,
		figure_text(fig, "SMs with a tile in each wave, of %g", s->sms), "%", parts, 2);
	figure_tab(fig, "Waves");
	bars_mean(fig, b, means, 2);
	if (b)
		b->shares = b->close = true;
	const char *before = waves > 2 ? figure_text(fig, "s 1 to %zu", waves - 1) : " 1";
	bars_add(
		fig, b, figure_text(fig, "wave%s: %g", before, s->sms), (const double[]){ 100, 0 });
	double share = 100 * s->last_wave / s->sms;
	bars_add(fig, b, figure_text(fig, "wave %zu: %g", waves, s->last_wave),
		(const double[]){ share, 100 - share });
}

/* --- Bytes and time --- */

static void draw_traffic(const struct tiles *s, struct figure *fig)
{
	static const char *const part[] = { "moved" };
	static const enum meaning means[] = { MEANS_TRAFFIC };
	const struct {
		const char *label;
		double bytes;
	} rows[] = { { "shared memory", s->r.shared_bytes }, { "L2", s->r.l2_bytes },
		{ "HBM", hbm_bytes(&s->r) } };
	struct bars *b = figure_bars(fig, "Bytes moved, and the least: A, B, C once", "B", part, 1);
	figure_tab(fig, "Traffic");
	bars_mean(fig, b, means, 1);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct bar *bar = bars_add(fig, b, rows[i].label, &rows[i].bytes);
		if (bar) {
			bar->note = figure_text(
				fig, "%.3g times the least", rows[i].bytes / least_bytes(&s->p));
			bar->mark = least_bytes(&s->p);
		}
	}
	if (b)
		b->mark_label = "the least";
}

enum { N_USES = 8 };
static const char *const uses[N_USES] = { "multiply", "beyond the edges", "wait for HBM",
	"wait for L2", "too few buffers", "first loads, stores", "idle", "launch, add up" };
static const enum meaning use_means[N_USES] = { MEANS_COMPUTE, MEANS_HELD, MEANS_TRAFFIC,
	(enum meaning)(MEANS_LEVEL + 3), MEANS_NETWORK, MEANS_FIXED, MEANS_WAITING, MEANS_SECOND };

static void add_schedule(const struct tiles *s, struct figure *fig, struct bars *b,
	const char *label, const struct tiled_run *r)
{
	const double us = 1e6 / s->sms;
	const double parts[N_USES] = { us * r->useful_s, us * r->padding_s, us * r->hbm_s,
		us * r->l2_s, us * r->latency_s, us * (r->fill_s + r->store_s), us * r->idle_s,
		1e6 * (r->launch_s + r->reduce_s) };
	double kept[N_USES]; /* rounding may leave less than nothing of a difference */
	for (size_t i = 0; i < N_USES; i++)
		kept[i] = fmax(0, parts[i]);
	bars_add(fig, b, label, kept);
}

static void draw_schedules(const struct tiles *s, struct figure *fig)
{
	struct bars *b = figure_bars(fig, "Where an SM's time goes", "us", uses, N_USES);
	figure_tab(fig, "Schedules");
	bars_mean(fig, b, use_means, N_USES);
	for (int i = 0; i < N_TILE_SCHEDULES; i++) {
		struct tiled_product p = s->p;
		p.schedule = (enum tile_schedule)i;
		p.split_k = p.schedule == TILES_STREAM_K ? 1 : fmax(1, s->v[SPLIT_K]);
		if (p.schedule == s->p.schedule)
			add_schedule(s, fig, b, schedule_names[i], &s->r);
		else if (s->r.units <= MOST_COMPARED) {
			struct tiled_run r = run_beside(&p, fig);
			add_schedule(s, fig, b, schedule_names[i], &r);
		}
	}
}

static void draw_shapes(const struct tiles *s, struct figure *fig)
{
	static const char *const head[] = { "tile", "waves", "TFLOP/s", "HBM", "shared mem." };
	static const double shapes[][2] = { { 256, 128 }, { 128, 256 }, { 128, 192 }, { 128, 128 },
		{ 64, 256 }, { 64, 128 }, { 64, 64 } };
	double walked = 0;
	struct table *t = figure_table(fig, "Other tiles", head, LENGTH(head), "01111");
	figure_tab(fig, "Other tiles");
	for (size_t i = 0; i < LENGTH(shapes); i++) {
		struct tiled_product p = s->p;
		p.tile_m = shapes[i][0];
		p.tile_n = shapes[i][1];
		p.stages = s->v[STAGES];
		tiled_choose(&p);
		double tiles = tiled_rows(&p) * tiled_columns(&p) * p.split_k;
		if (walked + tiles > MOST_OF_SHAPES || !tiled_fits(&p))
			continue;
		walked += tiles;
		struct tiled_run r = run_beside(&p, fig);
		table_row(fig, t,
			(const char *[]){ figure_text(fig, "%g x %g", p.tile_m, p.tile_n),
				figure_text(fig, "%.2f", r.waves),
				figure_text(fig, "%.0f", tflops(&r)),
				figure_quantity(fig, hbm_bytes(&r), "B"),
				figure_text(fig, "%.0f KiB", tiled_buffer_bytes(&p) / KIB) });
	}
	if (t && t->n_rows == 0)
		table_row(fig, t, (const char *[]){ "too many tiles", "", "", "", "" });
}

/* --- Values and words --- */

static void add_levels(const struct tiles *s, struct figure *fig)
{
	const struct tiled_product *p = &s->p;
	double hbm = hbm_bytes(&s->r), w = dtype_bytes(p->dtype);
	value_note(figure_value(fig, "hbm_bytes", "HBM traffic", hbm, "B", ROLE_PLAIN),
		figure_text(fig, "%.3g times the least", hbm / least_bytes(p)));
	value_note(figure_value(fig, "l2_bytes", "L2 traffic", s->r.l2_bytes, "B", ROLE_DIM),
		figure_text(fig, "%.3g times the least", s->r.l2_bytes / least_bytes(p)));
	value_note(
		figure_value(fig, "l2_hit_pct", "found in the L2",
			100 * fmax(0, 1 - s->r.hbm_read_bytes / s->r.loaded_bytes), "%", ROLE_DIM),
		"of what tiles load");
	value_note(figure_value(fig, "hbm_intensity", "intensity, HBM", s->r.flops / hbm, "FLOP/B",
			   ROLE_DIM),
		figure_text(fig, "ridge %.0f",
			kernel_peak_flops(p->gpu, p->dtype) / p->gpu->bandwidth));
	value_note(figure_value(fig, "tile_intensity", "intensity, L2",
			   CALL(tile_intensity, .tile_rows = p->tile_m, .tile_columns = p->tile_n,
				   .bytes_per_value = w),
			   "FLOP/B", ROLE_DIM),
		figure_text(fig, "ridge %.0f",
			kernel_peak_flops(p->gpu, p->dtype) / kernel_operand_bandwidth(p->gpu)));
	value_note(figure_value(fig, "shared_intensity", "intensity, shared",
			   s->r.padded_flops / s->r.shared_bytes, "FLOP/B", ROLE_DIM),
		"of Tensor Cores' reads");
	value_note(
		figure_value(fig, "shared_KiB", "buffers", tiled_buffer_bytes(p) / KIB, "KiB",
			tiled_buffer_bytes(p) > tiled_shared_bytes(p->gpu) ? ROLE_WARN : ROLE_DIM),
		figure_text(fig, "an SM has %g", tiled_shared_bytes(p->gpu) / KIB));
	value_note(figure_value(fig, "sums_KiB", "sums of a tile", tiled_accumulator_bytes(p) / KIB,
			   "KiB", ROLE_DIM),
		"in registers, FP32");
}

static void add_values(const struct tiles *s, struct figure *fig)
{
	const struct tiled_product *p = &s->p;
	double peak = peak_tflops(s), kernel_s = gemm_time_s(p->gpu, p->dtype, p->m, p->n, p->k);
	double in_waves =
		CALL(waves, .blocks = (double)s->r.units, .sm_count = s->sms, .blocks_per_sm = 1);
	value_note(figure_value(fig, "tflops", "reached", tflops(&s->r), "TFLOP/s", ROLE_ACCENT),
		figure_text(fig, "%.0f %% of the peak", 100 * tflops(&s->r) / peak));
	value_note(figure_value(fig, "time_us", "time", 1e6 * s->r.time_s, "us", ROLE_PLAIN),
		figure_text(fig, "%.0f by formula", 1e6 * kernel_s));
	value_note(figure_value(fig, "waves", "waves", in_waves, "", ROLE_PLAIN),
		s->p.schedule == TILES_STREAM_K
			? "the rest is shared"
			: figure_text(fig, "last: %g of %g SMs", s->last_wave, s->sms));
	value_note(figure_value(fig, "tail_pct", "SMs idle", 100 * of_sms(s, s->r.idle_s), "%",
			   ROLE_PLAIN),
		"of their time");
	value_note(figure_value(fig, "alignment_pct", "inside the edges",
			   100 * s->r.flops / s->r.padded_flops, "%", ROLE_DIM),
		"of what is multiplied");
	add_levels(s, fig);
	value_note(figure_value(fig, "peak_pct", "share of the peak", 100 * tflops(&s->r) / peak,
			   "%", ROLE_DIM),
		NULL);
	figure_value(fig, "gemm_us", "by formula", 1e6 * kernel_s, "us", ROLE_DIM);
	figure_value(fig, "stages", "buffers used", p->stages, "", ROLE_DIM);
	figure_left_open(fig, "stages", p->stages);
	figure_left_open(fig, "l2_MiB", p->l2_bytes / MIB);
}

/* "fifth" up to the tenth, "21st". */
static const char *ordinal(struct figure *fig, double n)
{
	static const char *const words[] = { "first", "second", "third", "fourth", "fifth", "sixth",
		"seventh", "eighth", "ninth", "tenth" };
	const size_t place = (size_t)n;
	if (place >= 1 && place <= LENGTH(words))
		return words[place - 1];
	int last = (int)fmod(n, 10), teen = (int)fmod(n, 100);
	const char *end = teen >= 11 && teen <= 13 ? "th"
			  : last == 1              ? "st"
			  : last == 2              ? "nd"
			  : last == 3              ? "rd"
						   : "th";
	return figure_text(fig, "%g%s", n, end);
}

/* What one row of tiles more or less has to do with it. */
static void explain_tail(const struct tiles *s, struct figure *fig)
{
	double rows = tiled_rows(&s->p), waves = ceil(s->r.waves);
	struct tiled_product less = s->p;
	less.m = (rows - 1) * less.tile_m;
	if (waves > 1 && rows > 1 && s->p.split_k <= 1 && s->r.units <= MOST_COMPARED) {
		struct tiled_run before = run_beside(&less, fig);
		double slower = s->r.time_s / before.time_s;
		if (slower > 1.1) {
			const double more = 100 * (s->p.m / less.m - 1);
			figure_why(fig,
				"%s%.0f %% more rows take %.0f %% more time: they begin a wave that "
				"fills %g of %g SMs.",
				more < 1 ? "Less than " : "", fmax(1, more), 100 * (slower - 1),
				s->last_wave, s->sms);
			return;
		}
	}
	if (waves <= 1)
		figure_why(fig, "%g tiles for %g SMs: the others have nothing to do.",
			(double)s->r.units, s->sms);
	else
		figure_why(fig,
			"The %s wave has work for %g of %g SMs, and the others wait for them: they are "
			"idle for %.0f %% of their time.",
			ordinal(fig, waves), s->last_wave, s->sms, 100 * of_sms(s, s->r.idle_s));
}

enum { LOSES_PADDING, LOSES_HBM, LOSES_L2, LOSES_LATENCY, LOSES_ENDS, LOSES_IDLE, N_LOSSES };

static void explain(const struct tiles *s, struct figure *fig)
{
	const double lost[N_LOSSES] = { of_sms(s, s->r.padding_s), of_sms(s, s->r.hbm_s),
		of_sms(s, s->r.l2_s), of_sms(s, s->r.latency_s),
		of_sms(s, s->r.fill_s + s->r.store_s), of_sms(s, s->r.idle_s) };
	size_t most = 0;
	for (size_t i = 1; i < N_LOSSES; i++)
		most = lost[i] > lost[most] ? i : most;
	double share = 100 * lost[most];
	double memory_s =
		hbm_bytes(&s->r) / (kernel_efficiency(s->p.gpu).memory * s->p.gpu->bandwidth);
	if (memory_s > 0.75 * s->r.run_s) {
		figure_why(fig,
			"Memory sets the pace: it is busy for %.0f %% of the time, with %.3g times what "
			"A, B and C hold.",
			fmin(100, 100 * memory_s / s->r.run_s),
			hbm_bytes(&s->r) / least_bytes(&s->p));
		return;
	}
	if (lost[most] < 0.08) {
		figure_why(fig, "SMs multiply for %.0f %% of their time: %.3g waves, %s.",
			100 * of_sms(s, s->r.useful_s), s->r.waves,
			s->p.schedule == TILES_STREAM_K ? "the last of them shared by all"
							: "and little is lost between them");
		return;
	}
	switch (most) {
	case LOSES_PADDING:
		figure_why(fig,
			"%.0f %% of the SMs' time goes into products beyond the edges of C: tiles of "
			"%g x %g are computed whole.",
			share, s->p.tile_m, s->p.tile_n);
		break;
	case LOSES_HBM:
		figure_why(fig,
			"SMs wait for memory for %.0f %% of their time: it carries %.3g times what A, B "
			"and C hold.",
			share, hbm_bytes(&s->r) / least_bytes(&s->p));
		break;
	case LOSES_L2:
		figure_why(fig,
			"Tiles of %g x %g are too small for the L2: their loads take %.2g times as long "
			"as their products.",
			s->p.tile_m, s->p.tile_n, s->costs.load_s / s->costs.multiply_s);
		break;
	case LOSES_LATENCY:
		figure_why(fig, "%s: Tensor Cores stand still for %.0f %% of the SMs' time.",
			s->p.stages <= 1 ? "With one buffer, loads and products take turns"
					 : "Too few buffers to hide the way from memory",
			share);
		break;
	case LOSES_ENDS:
		figure_why(fig,
			"%.0f %% of the SMs' time goes into the first loads and the stores of tiles "
			"that are only %g steps deep.",
			share, ceil(tiled_steps(&s->p) / s->p.split_k));
		break;
	default:
		explain_tail(s, fig);
	}
}

static void warn(const struct tiles *s, struct figure *fig)
{
	const struct tiled_product *p = &s->p;
	double need = tiled_buffer_bytes(p) / KIB, has = tiled_shared_bytes(p->gpu) / KIB;
	if (need > has)
		figure_note(fig, ROLE_WARN,
			"%g buffers take %g KiB of shared memory, and an SM has %g: this kernel does "
			"not start. It is timed as if it did.",
			p->stages, need, has);
	else if (!tiled_fits(p))
		figure_note(fig, ROLE_WARN,
			"The sums of a tile of %g x %g take all 256 KiB of registers and leave none "
			"for anything else: this kernel does not start. It is timed as if it did.",
			p->tile_m, p->tile_n);
	if (p->gpu->sm_count <= 0)
		figure_note(fig, ROLE_WARN,
			"The tables know no SMs of %s: it is one unit here that does tile after tile.",
			p->gpu->name);
	else if (p->gpu->shared_bytes <= 0)
		figure_note(fig, ROLE_WARN,
			"The shared memory of %s is not in the table: 164 KiB are assumed.",
			p->gpu->name);
}

static void tell(const struct tiles *s, struct figure *fig)
{
	enum { MOST_TOLD = 12 };
	size_t waves = (size_t)ceil(s->r.waves), sms = (size_t)s->sms;
	double units = (double)s->r.units, told_s = 0;
	figure_moment(fig, 0, "the launch, and the first loads: nothing is multiplied yet");
	for (size_t w = 0; w < waves && w < MOST_TOLD; w++) {
		size_t shown = waves <= MOST_TOLD || w + 1 < MOST_TOLD ? w : waves - 1;
		double at_s = (double)shown / s->r.waves * s->r.run_s;
		/* Pieces are in the order in which they end: the first of a wave is the first that
		 * ends after sms others of each wave before. */
		if (shown * sms < s->r.segments && s->p.schedule != TILES_STREAM_K)
			at_s = (double)s->runs[shown * sms].start_s;
		double has = fmin(s->sms, units - (double)shown * s->sms);
		told_s = fmax(told_s, s->r.launch_s + fmin(s->r.run_s, at_s + s->costs.latency_s));
		figure_moment(fig, told_s,
			s->p.schedule == TILES_STREAM_K && shown + 1 == waves
				? "wave %zu of %zu: what is left, in equal parts for all SMs"
				: "wave %zu of %zu: %g SMs at work",
			shown + 1, waves, has);
	}
	if (s->r.reduce_s > 0)
		figure_moment(fig, fmax(told_s, s->r.launch_s + s->r.run_s),
			"a second kernel adds up %g sums for each value of C", s->p.split_k);
}

static void state_assumptions(const struct tiles *s, struct figure *fig)
{
	figure_assume(fig,
		"one block of threads an SM; tiles and steps are loaded and multiplied whole, also "
		"beyond the edges");
	figure_assume(fig,
		"%s of %s sustained, %s of HBM's bandwidth, loads %.0f ns on their way: constants "
		"fitted to measured products%s",
		figure_quantity(fig,
			kernel_compute_ratio(s->p.gpu, kernel_math_dtype(s->p.gpu, s->p.dtype)) *
				kernel_peak_flops(s->p.gpu, s->p.dtype),
			"FLOP/s"),
		figure_quantity(fig, kernel_peak_flops(s->p.gpu, s->p.dtype), "FLOP/s"),
		figure_text(fig, "%.0f %%", 100 * kernel_efficiency(s->p.gpu).memory),
		1e9 * s->costs.latency_s, s->p.gpu->achieved.measured ? "" : ", of its family");
	figure_assume(fig,
		"the L2 keeps slices of rows of A and columns of B, the latest touched; %.3g MiB of it "
		"serve all SMs",
		s->p.l2_bytes / MIB);
	figure_assume(fig,
		"SMs take in %s together, as fitted to products: what some of them share is counted "
		"for each, so that it is more than reads of the L2 alone would reach",
		figure_quantity(fig, kernel_operand_bandwidth(s->p.gpu), "B/s"));
	if (s->r.units > MOST_COMPARED)
		figure_leave_out(
			fig, "other schedules and most other tiles: there are too many to walk");
	figure_leave_out(fig, "clusters, bank conflicts, the power limit, clocks that fall");
}

static void draw(const struct tiles *s, const struct tables *t, struct figure *fig)
{
	fig->unfinished = fig->hurried;
	struct library l = { .n = 0 };
	if (!fig->hurried) {
		find_measured(s, t, fig, &l);
		draw_curve(s, fig, &l);
	}
	draw_waves(s, fig);
	draw_walk(s, fig);
	draw_lanes(s, fig);
	draw_traffic(s, fig);
	if (fig->hurried)
		return;
	draw_schedules(s, fig);
	draw_shapes(s, fig);
	draw_library(fig, &l);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct arena arena = { 0 };
	struct tiles s = { .v = v, .arena = &arena };
	set_up(&s, t);
	if (!arena.failed) {
		figure_subtitle(fig, "%g x %g x %g · %s · tiles of %g x %g · %s", s.p.m, s.p.n,
			s.p.k, type_names[(size_t)v[DTYPE]], s.p.tile_m, s.p.tile_n, s.p.gpu->name);
		fig->duration_s = s.r.time_s;
		add_values(&s, fig);
		explain(&s, fig);
		warn(&s, fig);
		draw(&s, t, fig);
		tell(&s, fig);
		state_assumptions(&s, fig);
	}
	fig->arena.failed |= arena.failed;
	arena_release(&arena);
}

extern const struct sim tiles_sim;
const struct sim tiles_sim = {
	.id = "tiles",
	.title = "Tiled matrix product",
	.summary = "Tiles of a matrix product on SMs: traffic, intensity, waves, split k, stream-K",
	.page = "kernels",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(M, TILE_M, TILE_N, SCHEDULE, STAGES, RASTER, GPU),
	.try = "Turn rows of A and C to 4,224. What was the last wave for?",
	.run = run,
	.slow = true,
};
