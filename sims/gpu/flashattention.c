/* FlashAttention: tiles walking through SRAM, the softmax that is carried from tile to tile, and
 * the memory traffic that is saved, against the size of the SRAM and the length. */
#include "sims/gpu/flashattention.h"

#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "sims/formulas/inference.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/precision.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	SEQ,
	HEAD_DIM,
	HEADS,
	BATCH,
	GPU,
	DTYPE,
	SRAM_KB,
	BLOCK_Q,
	BLOCK_K,
	CAUSAL,
	ORDER,
	L2,
	SEED,
	N_KNOBS
};
enum { QUERIES, KEYS };

static const char *const types[] = { "bf16", "fp16", "fp8", NULL };
static const char *const type_names[] = { "BF16", "FP16", "FP8" };
static const enum dtype type_dtypes[] = { DTYPE_BF16, DTYPE_FP16, DTYPE_FP8 };
static const char *const orders[] = { "queries", "keys", NULL };
static const char *const order_names[] = { "queries outside", "keys outside" };

static const struct knob knobs[N_KNOBS] = {
	[SEQ] = KNOB_DOUBLING("seq", "sequence", "token", 256, 131072, 8192,
		"unfused traffic grows with its square; so does the fused kernel's, but divided "
		"by the rows that fit in SRAM"),
	[HEAD_DIM] = KNOB_DOUBLING("head_dim", "head dimension", "", 16, 256, 128,
		"wider rows leave room for fewer of them: the traffic goes with its square",
		.group = "shape"),
	[HEADS] = KNOB_DOUBLING("heads", "heads", "", 1, 256, 32,
		"each is a problem of its own: everything but the footprint of one head is "
		"proportional",
		.group = "shape"),
	[BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 256, 1,
		"as heads: more problems of the same kind", .group = "shape"),
	[GPU] = KNOB_ANY_GPU("a100", "sets the SRAM of an SM, the ridge, and how well kernels do"),
	[DTYPE] = KNOB_CHOICE_OF("dtype", "dtype", types, type_names, "bf16",
		"half the bytes a value: twice the rows in the same SRAM", .also = "act_dtype",
		.aliases = value_type_aliases, .group = "shape"),
	[SRAM_KB] = KNOB_FACTOR("sram_kB", "SRAM of an SM", "KiB", 0, 4096, 0, 2,
		"more of it, larger tiles, fewer times that keys and values are read again",
		.zero = "the GPU's"),
	[BLOCK_Q] = KNOB_DOUBLING("block_q", "query tile", "token", 0, 1024, 0,
		"the rows that share one reading of the keys: the traffic goes with its inverse",
		.zero = "auto", .group = "tiles"),
	[BLOCK_K] = KNOB_DOUBLING("block_k", "key tile", "token", 0, 1024, 0,
		"with queries outside it changes no traffic, only how often the row is rescaled",
		.zero = "auto", .group = "tiles"),
	[CAUSAL] = KNOB_SWITCH("causal", "causal mask", 1,
		"whole tiles above the diagonal are skipped: half the work, half the traffic",
		.group = "shape"),
	[ORDER] = KNOB_CHOICE_OF("order", "outer loop", orders, order_names, "queries",
		"keys outside, as in the first paper, moves outputs and statistics with every "
		"tile; queries outside keeps them in registers",
		.group = "tiles"),
	[L2] = KNOB_SWITCH("l2", "count the L2", 1,
		"blocks of a head walk its keys together: what is read again comes from the L2; "
		"without it, as the first paper counts, from HBM",
		.group = "tiles"),
	[SEED] = KNOB_SEED(1, 1000, "other random scores for the softmax that is carried along",
		.group = "tiles"),
};

/* --- the tiles of one head ------------------------------------------------------------------- */

enum { GRAIN = 16 }; /* what matrix units take at once */

static double down_to_grain(double x)
{
	return fmax(GRAIN, GRAIN * floor(x / GRAIN));
}

void flash_blocks(struct flash_shape *s, double sram_bytes)
{
	assert(s->head_dim > 0 && s->value_bytes > 0);
	double elements = sram_bytes / s->value_bytes;
	s->block_k = down_to_grain(elements / (4 * s->head_dim));
	s->block_q = down_to_grain(fmin(s->block_k, s->head_dim));
}

double flash_sram_bytes(const struct flash_shape *s)
{
	return s->value_bytes * s->head_dim * (2 * s->block_q + 2 * s->block_k);
}

/* How many blocks of keys the i-th block of queries sees. */
static double keys_seen(const struct flash_shape *s, double i)
{
	double last = fmin(s->seq, (i + 1) * s->block_q);
	return ceil((s->causal ? last : s->seq) / s->block_k);
}

struct flash_traffic flash_traffic_of(const struct flash_shape *s)
{
	assert(s->block_q >= 1 && s->block_k >= 1);
	enum { STATISTIC_BYTES = 4 }; /* FP32 */
	struct flash_traffic t = { 0 };
	double row = s->head_dim * s->value_bytes, blocks = ceil(s->seq / s->block_q);
	t.read_once = 4 * s->seq * row + s->seq * STATISTIC_BYTES;
	for (double i = 0; i < blocks; i++) {
		double rows = fmin(s->block_q, s->seq - i * s->block_q), seen = keys_seen(s, i);
		double keys = fmin(s->seq, seen * s->block_k);
		t.tiles += seen;
		if (s->keys_outside)
			/* With keys outside, a tile reads its queries, reads and writes their
			 * outputs, and does the same with maxima and sums. */
			t.again += seen * rows * (3 * row + 4 * STATISTIC_BYTES) -
				   rows * (2 * row + STATISTIC_BYTES);
		else
			t.again += 2 * keys * row;
	}
	if (!s->keys_outside)
		t.again -= 2 * s->seq * row; /* the first time is counted above */
	t.again = fmax(0, t.again);
	return t;
}

double flash_missed_share(const struct flash_shape *s, double heads, double sms, double l2_bytes)
{
	double row = s->head_dim * s->value_bytes;
	double readers = ceil(s->seq / (s->keys_outside ? s->block_k : s->block_q));
	double together = s->keys_outside || !(l2_bytes > 0) ? 1 : fmin(readers, fmax(1, sms));
	double heads_at_once = fmax(1, fmin(heads, fmax(1, sms) / together));
	double wanted = heads_at_once * s->seq * row * (s->keys_outside ? 3 : 2);
	double kept = fmin(1, fmax(0, l2_bytes) / 2 / wanted);
	double walks = readers / together;
	return readers > 1 ? (walks - 1) * (1 - kept) / (readers - 1) : 0;
}

double unfused_traffic_bytes(const struct flash_shape *s)
{
	return (4 * s->seq * s->head_dim + 4 * s->seq * s->seq) * s->value_bytes;
}

/* The online softmax (Milakov, Gimelshein 2018): a row is never seen whole, so its running sum is
 * kept relative to the largest score so far. When a tile brings a larger one, all that was summed
 * before, and the output that was accumulated with it, shrinks by exp(old maximum - new
 * maximum). */
double online_softmax_add(struct online_softmax *s, const double score[], size_t n)
{
	double m = s->m, sum = 0;
	for (size_t i = 0; i < n; i++)
		m = fmax(m, score[i]);
	for (size_t i = 0; i < n; i++)
		sum += exp(score[i] - m);
	double shrink = s->l > 0 ? exp(s->m - m) : 0;
	s->m = m;
	s->l = s->l * shrink + sum;
	return shrink;
}

/* What is accumulated for one query: by tiles in single precision, and exactly. */
struct tile_row {
	float online[ONLINE_MOST_DIM];
	double exact[ONLINE_MOST_DIM], exact_m, exact_l;
	double score[ONLINE_MOST_KEYS]; /* of the present tile */
};

/* The exact row is summed relative to a fixed maximum that bounds every score, so that it takes no
 * second pass: exp never overflows, and double precision has the range. */
static void add_value(struct tile_row *r, size_t i, double score, float p, float v)
{
	r->exact[i] += exp(score - r->exact_m) * (double)v;
	r->online[i] += p * v;
}

double online_softmax_error(size_t keys, size_t head_dim, size_t block_k, uint64_t seed,
	struct online_softmax steps[], size_t most, size_t *n_steps)
{
	assert(keys > 0 && keys <= ONLINE_MOST_KEYS && block_k > 0);
	assert(head_dim > 0 && head_dim <= ONLINE_MOST_DIM);
	struct online_softmax s = { -INFINITY, 0 };
	struct tile_row r = { .exact_m = 8 }; /* no score passes it: they are normal with deviation
					       * 1 */
	struct rng scores = rng_stream(seed, "scores", 0), values = rng_stream(seed, "values", 0);
	*n_steps = 0;
	for (size_t done = 0; done < keys; done += block_k) {
		size_t n = keys - done < block_k ? keys - done : block_k;
		for (size_t k = 0; k < n; k++)
			r.score[k] = (double)(float)rng_normal(&scores);
		float shrink = (float)online_softmax_add(&s, r.score, n);
		for (size_t i = 0; i < head_dim; i++)
			r.online[i] *= shrink;
		for (size_t k = 0; k < n; k++) {
			float p = (float)exp(r.score[k] - s.m);
			r.exact_l += exp(r.score[k] - r.exact_m);
			for (size_t i = 0; i < head_dim; i++)
				add_value(&r, i, r.score[k], p, (float)rng_uniform(&values) - 0.5f);
		}
		if (*n_steps < most)
			steps[(*n_steps)++] = s;
	}
	double error = 0, largest = 0;
	for (size_t i = 0; i < head_dim; i++) {
		double exact = r.exact[i] / r.exact_l;
		error = fmax(error, fabs((double)r.online[i] / s.l - exact));
		largest = fmax(largest, fabs(exact));
	}
	return largest > 0 ? error / largest : 0;
}

/* --- all heads on a GPU ---------------------------------------------------------------------- */

struct attention {
	const struct accelerator *gpu;
	struct flash_shape shape;
	enum dtype dtype;
	double heads; /* over the batch */
	double sram_bytes;
	bool l2;
};

enum { KIB = 1024 };
static const double sram_unknown_bytes = 164 * 1024; /* an A100's, where a table has none */

static struct attention attention_of(const struct tables *t, const double v[], double sram_bytes)
{
	assert((size_t)v[DTYPE] < LENGTH(type_dtypes));
	struct attention a = { .gpu = gpu_at(t, v[GPU]),
		.dtype = type_dtypes[(size_t)v[DTYPE]],
		.heads = v[HEADS] * v[BATCH],
		.l2 = v[L2] > 0 };
	a.shape = (struct flash_shape){ .seq = v[SEQ],
		.head_dim = v[HEAD_DIM],
		.value_bytes = dtype_bytes(a.dtype),
		.causal = v[CAUSAL] > 0,
		.keys_outside = v[ORDER] == KEYS };
	double own = a.gpu->shared_bytes > 0 ? a.gpu->shared_bytes : sram_unknown_bytes;
	a.sram_bytes = sram_bytes > 0 ? sram_bytes : v[SRAM_KB] > 0 ? v[SRAM_KB] * KIB : own;
	flash_blocks(&a.shape, a.sram_bytes);
	if (v[BLOCK_Q] > 0 && sram_bytes == 0)
		a.shape.block_q = v[BLOCK_Q];
	if (v[BLOCK_K] > 0 && sram_bytes == 0)
		a.shape.block_k = v[BLOCK_K];
	a.shape.block_q = fmin(a.shape.block_q, a.shape.seq);
	a.shape.block_k = fmin(a.shape.block_k, a.shape.seq);
	return a;
}

/* B that the tiles of all heads load and store: the SMs' side of the L2. */
static double tile_bytes(const struct attention *a)
{
	struct flash_traffic t = flash_traffic_of(&a->shape);
	return a->heads * (t.read_once + t.again);
}

/* What of them HBM carries. */
static double flash_bytes(const struct attention *a)
{
	struct flash_traffic t = flash_traffic_of(&a->shape);
	double l2 = a->l2 ? a->gpu->l2_bytes : 0;
	double missed = flash_missed_share(&a->shape, a->heads, a->gpu->sm_count, l2);
	return a->heads * (t.read_once + missed * t.again);
}

static double unfused_bytes(const struct attention *a)
{
	return a->heads * unfused_traffic_bytes(&a->shape);
}

static double flops_of(const struct attention *a, bool halved)
{
	double s = a->shape.seq;
	return a->heads * 4 * s * s * a->shape.head_dim * (halved ? 0.5 : 1);
}

/* What the FlashAttention that was written for a generation sustains of its 16-bit peak on long
 * sequences: the second about 200 TFLOP/s of an A100's 312, the third 640 of an H100's 989 (causal,
 * heads of 128, the papers' figures), the fourth 1,418 of a B200's 2,250 (8,192 tokens, the
 * project's own). Elsewhere what other fused kernels do. */
static double flash_ratio(const struct accelerator *g)
{
	static const char *const written_for[] = { "ampere", "ada", "hopper", "blackwell" };
	static const double sustained = 0.65;
	for (size_t i = 0; g->family && i < LENGTH(written_for); i++)
		if (strcmp(g->family, written_for[i]) == 0)
			return sustained;
	return kernel_efficiency(g).attention;
}

/* What a kernel in tiles waits for: it takes as long as the longest of these. */
struct pace {
	double start_s, products_s; /* one after the other */
	double l2_s, hbm_s;
};

/* The arithmetic, where every block of queries takes its SM some time to start and end and the
 * block on the diagonal is computed whole; or the traffic of HBM or of the L2. */
static struct pace flash_pace(const struct attention *a)
{
	enum { BLOCK = 128 };
	const struct flash_shape *s = &a->shape;
	struct efficiency e = kernel_efficiency(a->gpu);
	double seen = s->causal ? (s->seq + BLOCK) / 2 : s->seq;
	double flops = 4 * a->heads * s->seq * seen * s->head_dim;
	double blocks = a->heads * ceil(s->seq / BLOCK);
	return (struct pace){
		.start_s = e.launch_s + e.attention_block_s * blocks / fmax(1, a->gpu->sm_count),
		.products_s = flops / (flash_ratio(a->gpu) * kernel_peak_flops(a->gpu, DTYPE_BF16)),
		.l2_s = e.launch_s + (a->l2 ? tile_bytes(a) / kernel_operand_bandwidth(a->gpu) : 0),
		.hbm_s = pointwise_time_s(a->gpu, flash_bytes(a)),
	};
}

static double flash_time_s(const struct attention *a)
{
	struct pace p = flash_pace(a);
	return fmax(fmax(p.start_s + p.products_s, p.l2_s), p.hbm_s);
}

/* What sets that time, in words that "set the pace" goes on from. */
static const char *pace_words(const struct attention *a)
{
	struct pace p = flash_pace(a);
	double compute_s = p.start_s + p.products_s;
	if (p.hbm_s >= fmax(compute_s, p.l2_s))
		return "HBM still sets";
	if (p.l2_s >= compute_s)
		return "now the L2 sets";
	return p.start_s > p.products_s ? "now launch and start of blocks set"
					: "now arithmetic sets";
}

/* The same in a server's library, which also rotates queries and keys and appends to the cache. */
static double served_time_s(const struct attention *a)
{
	struct attention_shape shape = { 1, a->heads, a->heads, a->shape.head_dim,
		a->shape.value_bytes, !a->shape.causal };
	return attention_prefill_time_s(a->gpu, &shape, a->shape.seq, 0);
}

/* Scores, softmax and weighted sum as kernels of their own; the mask saves them nothing. */
static double unfused_time_s(const struct attention *a)
{
	double s = a->shape.seq, d = a->shape.head_dim;
	return gemm_batch_time_s(a->gpu, a->dtype, a->heads, s, s, d) +
	       pointwise_time_s(a->gpu, a->heads * 2 * s * s * a->shape.value_bytes) +
	       gemm_batch_time_s(a->gpu, a->dtype, a->heads, s, d, s);
}

/* The scores of a head, under its keys and values, with its queries at the left and its output at the
 * right. So few rows that the keys keep one of their own where there is little room. */
enum { ROWS = 13, COLS = 24, KEYS_ABOVE = 1, QUERIES_LEFT = 1, OUTPUT_RIGHT = 1, MOST_FRAMES = 64 };
enum { CELL_NONE, CELL_HBM, CELL_NOW, CELL_DROPPED, CELL_AHEAD, N_CELLS };

/* Cells of the picture are tiles, or blocks of tiles where there are more than fit. */
struct picture {
	double rows, cols, tiles_down, tiles_across;
};

static struct picture picture_of(const struct flash_shape *s)
{
	struct picture p;
	p.tiles_down = ceil(s->seq / s->block_q);
	p.tiles_across = ceil(s->seq / s->block_k);
	p.rows = fmin(ROWS, p.tiles_down);
	p.cols = fmin(COLS, p.tiles_across);
	return p;
}

static unsigned cell_at(const struct flash_shape *s, const struct picture *p, size_t row,
	size_t col, size_t now_row, size_t now_col)
{
	double first_key = floor((double)col * p->tiles_across / p->cols) * s->block_k;
	double last_query = ceil(((double)row + 1) * p->tiles_down / p->rows) * s->block_q;
	size_t outer = s->keys_outside ? col : row, inner = s->keys_outside ? row : col;
	size_t now_outer = s->keys_outside ? now_col : now_row;
	size_t now_inner = s->keys_outside ? now_row : now_col;
	if (s->causal && first_key >= last_query)
		return CELL_NONE;
	if (row == now_row && col == now_col)
		return CELL_NOW;
	bool before = outer < now_outer || (outer == now_outer && inner < now_inner);
	return before ? CELL_DROPPED : CELL_AHEAD;
}

/* The two ways have their colours in every picture: unfused that of overhead, tiles that of work. */
enum { WAY_UNFUSED, WAY_TILES, N_WAYS };
static const char *const ways[N_WAYS] = { "unfused", "in tiles" };
static const enum meaning ways_mean[N_WAYS] = { MEANS_FIXED, MEANS_COMPUTE };

/* What HBM carries for the whole, by what it is: what any attention moves, what is read again because
 * SRAM is small, and scores, which only go there unfused. What the L2 keeps from it is said beside. */
static void draw_traffic(const struct attention *a, struct figure *fig)
{
	enum { ONCE, AGAIN, SCORES, N_CARRIED };
	const char *const parts[N_CARRIED] = { "queries, keys, values, output",
		a->shape.keys_outside ? "queries and output again" : "keys and values again",
		"scores" };
	/* In the colour of the way that is avoided, of which scores are nearly all. */
	static const enum meaning means[N_CARRIED] = { MEANS_TRAFFIC, MEANS_SECOND, MEANS_FIXED };
	const struct flash_shape *s = &a->shape;
	double unfused = unfused_bytes(a), tiled = flash_bytes(a), kept = tile_bytes(a) - tiled;
	double once = a->heads * 4 * s->seq * s->head_dim * s->value_bytes;
	double tiled_once = fmin(tiled, a->heads * flash_traffic_of(s).read_once);
	struct bars *b = figure_bars(fig, "What HBM carries", "GB", parts, N_CARRIED);
	bars_mean(fig, b, means, N_CARRIED);
	figure_tab(fig, "Traffic");
	bars_add(fig, b, ways[WAY_UNFUSED], (double[]){ once / 1e9, 0, (unfused - once) / 1e9 });
	struct bar *tiles = bars_add(fig, b, ways[WAY_TILES],
		(double[]){ tiled_once / 1e9, (tiled - tiled_once) / 1e9, 0 });
	if (b)
		b->close = true;
	if (tiles && kept > 0)
		tiles->note =
			figure_text(fig, "re-read in L2: %s", figure_quantity(fig, kept, "B"));
}

/* A frame: one tile of scores in the chip, with what it is made of (a block of queries, one of keys and
 * values) and what it is added to (a block of the output). HBM holds all but the scores. */
static void draw_frame(const struct flash_shape *s, const struct picture *p, struct grid *g,
	size_t frame, size_t now_row, size_t now_col)
{
	size_t rows = (size_t)p->rows, cols = (size_t)p->cols, right = cols + QUERIES_LEFT;
	/* With its corners HBM is one frame at every size. */
	grid_set(g, frame, 0, 0, CELL_HBM);
	grid_set(g, frame, 0, right, CELL_HBM);
	for (size_t col = 0; col < cols; col++)
		grid_set(g, frame, 0, col + QUERIES_LEFT, col == now_col ? CELL_NOW : CELL_HBM);
	for (size_t row = 0; row < rows; row++) {
		bool now = row == now_row;
		/* With keys outside every output goes out, unfinished, with the first keys. */
		bool written = row < now_row || (s->keys_outside && now_col > 0);
		grid_set(g, frame, row + KEYS_ABOVE, 0, now ? CELL_NOW : CELL_HBM);
		grid_set(g, frame, row + KEYS_ABOVE, right,
			now       ? CELL_NOW
			: written ? CELL_HBM
				  : CELL_AHEAD);
		for (size_t col = 0; col < cols; col++)
			grid_set(g, frame, row + KEYS_ABOVE, col + QUERIES_LEFT,
				cell_at(s, p, row, col, now_row, now_col));
	}
}

/* One head on one SM, tile by tile. */
static void draw_walk(const struct attention *a, struct figure *fig)
{
	static const char *const kinds[N_CELLS] = { "masked", "in HBM", "in SRAM",
		"done, never stored", "to come" };
	/* Its longest row is that of the keys. */
	static const char *const words[N_CELLS] = { [CELL_HBM] = "keys and values, in HBM" };
	const struct flash_shape *s = &a->shape;
	struct picture p = picture_of(s);
	size_t rows = (size_t)p.rows, cols = (size_t)p.cols, order[ROWS * COLS], n = 0;
	double times[ROWS * COLS];
	for (size_t i = 0; i < rows * cols; i++) {
		size_t row = s->keys_outside ? i % rows : i / cols;
		size_t col = s->keys_outside ? i / rows : i % cols;
		if (cell_at(s, &p, row, col, rows, cols) != CELL_NONE)
			order[n++] = row * cols + col;
	}
	/* The kernel's own time, so that the screen has one clock. */
	fig->duration_s = flash_time_s(a);
	size_t frames = n < MOST_FRAMES ? n : MOST_FRAMES;
	for (size_t f = 0; f < frames; f++)
		times[f] = fig->duration_s * (double)f / (double)frames;
	struct grid *g = figure_grid(fig,
		s->causal ? "One tile is on the chip; black is masked" : "One tile is on the chip",
		kinds, N_CELLS, NULL, rows + KEYS_ABOVE, cols + QUERIES_LEFT + OUTPUT_RIGHT, times,
		frames);
	static const enum meaning means[N_CELLS] = { MEANS_EMPTY, MEANS_TRAFFIC, MEANS_FOCUS,
		MEANS_COMPUTE, MEANS_FREE };
	grid_mean(fig, g, means, N_CELLS);
	figure_tab(fig, "Tiles");
	if (g)
		g->still_s = 0.6 * fig->duration_s; /* tiles of every kind */
	if (g)
		g->bare = true;
	if (g)
		g->words = words;
	for (size_t f = 0; f < frames; f++) {
		size_t now = order[f * n / frames];
		draw_frame(s, &p, g, f, now / cols, now % cols);
	}
}

/* Draws how the maximum and the sum of a row are carried from tile to tile. */
static double draw_softmax(const struct attention *a, uint64_t seed, struct figure *fig)
{
	enum { MOST = 64, MOST_KEYS = 2048 };
	struct online_softmax steps[MOST];
	size_t n = 0, keys = (size_t)fmin(a->shape.seq, MOST_KEYS);
	size_t block = (size_t)fmin(a->shape.block_k, (double)keys);
	size_t dim = (size_t)fmin(a->shape.head_dim, ONLINE_MOST_DIM);
	double error = online_softmax_error(keys, dim, block, seed, steps, MOST, &n);
	struct plot *p = figure_plot(fig, "One row's softmax, from tile to tile", "keys seen", "",
		AXIS_LINEAR, "running value", "", AXIS_LOG10);
	figure_tab(fig, "Softmax");
	if (p && n > 0) /* the first maximum, the lowest, stands clear of the axis */
		p->y.reach_lo = fmax(steps[0].m, 0.01) / 2;
	struct series *l = plot_series(fig, p, "sum of exp(score - m)", SERIES_LINE, MEANS_KIND);
	struct series *m = plot_series(fig, p, "maximum m", SERIES_STEP, MEANS_KIND + 2);
	for (size_t i = 0; i < n; i++) {
		double seen = fmin((double)keys, (double)((i + 1) * block));
		series_point(fig, l, seen, steps[i].l);
		series_point(fig, m, seen, fmax(steps[i].m, 0.01));
		if (i == 0 || steps[i].m > steps[i - 1].m)
			figure_moment(fig, fig->duration_s * (double)i / (double)n,
				"tile %zu: maximum %.3g, the sum so far times %.2g", i + 1,
				steps[i].m, i ? exp(steps[i - 1].m - steps[i].m) : 0);
	}
	return error;
}

static void draw_over_sram(const struct tables *t, const double v[], struct figure *fig)
{
	struct attention here = attention_of(t, v, 0);
	struct plot *p = figure_plot(fig, "Traffic against the SRAM of an SM", "SRAM", "B",
		AXIS_LOG2, "moved", "B", AXIS_LOG10);
	figure_tab(fig, "SRAM");
	if (p)
		p->x.information = true;
	struct series *flash =
		plot_series(fig, p, ways[WAY_TILES], SERIES_LINE, ways_mean[WAY_TILES]);
	struct series *unfused =
		plot_series(fig, p, ways[WAY_UNFUSED], SERIES_DASHED, ways_mean[WAY_UNFUSED]);
	struct series *loaded =
		here.l2 ? plot_series(fig, p, "L2 and HBM", SERIES_LINE, MEANS_TRAFFIC) : NULL;
	struct series *at = plot_series(fig, p, "here", SERIES_POINTS, MEANS_FOCUS);
	for (double bytes = 16 * KIB; bytes <= 4096 * KIB; bytes *= sqrt(2)) {
		struct attention a = attention_of(t, v, bytes);
		series_point(fig, flash, bytes, flash_bytes(&a));
		series_point(fig, unfused, bytes, unfused_bytes(&a));
		if (here.l2)
			series_point(fig, loaded, bytes, tile_bytes(&a));
	}
	series_mark(fig, at, here.sram_bytes, flash_bytes(&here), "here", ROLE_ACCENT);
}

/* Published kernels choose tiles for their own GPU, so that a curve of other tiles may lie off them
 * without being wrong. */
static bool has_tiles_of_its_own(const double v[])
{
	return v[SRAM_KB] > 0 || v[BLOCK_Q] > 0 || v[BLOCK_K] > 0 || (int)v[ORDER] == KEYS;
}

/* What the arithmetic that the mask leaves comes to in such a time: times over ten doublings of the
 * length would lie on one line. */
static double reached_tflops(const struct attention *a, double time_s)
{
	return flops_of(a, a->shape.causal) / time_s / 1e12;
}

/* Marks a server library's kernels of this GPU and shape (causal, as many key heads), as they were
 * published, with the curve that is theirs, and says how far off it is. */
static void add_measured(
	const struct tables *t, const double v[], struct plot *p, struct figure *fig)
{
	enum { MOST = 40, WANT = 2, FROM = 256 };
	static const char *const want[WANT] = { "seq_len", "time_us" };
	const struct accelerator *g = gpu_at(t, v[GPU]);
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "q_heads", NULL, v[HEADS], v[HEADS] }, { "kv_heads", NULL, v[HEADS], v[HEADS] },
		{ "head_dim", NULL, v[HEAD_DIM], v[HEAD_DIM] },
		{ "batch", NULL, v[BATCH], v[BATCH] } };
	struct attention here = attention_of(t, v, 0);
	double rows[MOST][WANT], errors[MOST], now[N_KNOBS];
	const double *best = NULL;
	if (has_tiles_of_its_own(v)) {
		overlay_outside(fig, "measured kernels choose their own tiles");
		return;
	}
	size_t used = 0, n = here.dtype != DTYPE_BF16 || !here.shape.causal
				     ? 0
				     : measured_points(fig->memo, t, "attention_prefill", c, 5,
					       want, WANT, rows[0], MOST);
	struct series *served =
		n ? plot_series(fig, p, "a server's kernels", SERIES_LINE, MEANS_KIND + 7) : NULL;
	struct series *s = n ? overlay_series(fig, p, "a server, measured", 6) : NULL;
	for (int i = 0; i < N_KNOBS; i++)
		now[i] = v[i];
	for (size_t i = 0; i < n; i++) {
		if (rows[i][0] < FROM)
			continue;
		now[SEQ] = rows[i][0];
		struct attention a = attention_of(t, now, 0);
		double s_served = served_time_s(&a);
		series_point(fig, served, rows[i][0], reached_tflops(&a, s_served));
		series_mark(fig, s, rows[i][0], reached_tflops(&a, rows[i][1] * 1e-6), NULL,
			ROLE_PLAIN);
		errors[used++] = fabs(s_served / (rows[i][1] * 1e-6) - 1);
		if (!best ||
			overlay_distance(rows[i][0], v[SEQ]) < overlay_distance(best[0], v[SEQ]))
			best = rows[i];
	}
	if (!best) {
		overlay_outside(fig,
			"no causal BF16 kernel of %g heads of %g at batch %g on %s; a roofline",
			v[HEADS], v[HEAD_DIM], v[BATCH], g->name);
		return;
	}
	overlay_own_error(fig, t, "attention_prefill", errors, used,
		"the kernels of a server, which also rotate and append to the cache");
	overlay_nearest(fig, t, "attention_prefill", "%s, %g heads of %g, batch %g on %s, %.3g ms",
		figure_quantity(fig, best[0], "token"), v[HEADS], v[HEAD_DIM], v[BATCH], g->name,
		best[1] / 1e3);
}

static void draw_over_seq(const struct tables *t, const double v[], struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Speed against length", "tokens in the sequence", "",
		AXIS_LOG2, "reached", "TFLOP/s", AXIS_LINEAR);
	figure_tab(fig, "Length");
	struct series *flash =
		plot_series(fig, p, ways[WAY_TILES], SERIES_LINE, ways_mean[WAY_TILES]);
	struct series *unfused =
		plot_series(fig, p, ways[WAY_UNFUSED], SERIES_DASHED, ways_mean[WAY_UNFUSED]);
	double now[N_KNOBS];
	for (int i = 0; i < N_KNOBS; i++)
		now[i] = v[i];
	for (double seq = 256; seq <= 131072; seq *= 2) {
		now[SEQ] = seq;
		struct attention a = attention_of(t, now, 0);
		series_point(fig, flash, seq, reached_tflops(&a, flash_time_s(&a)));
		series_point(fig, unfused, seq, reached_tflops(&a, unfused_time_s(&a)));
	}
	add_measured(t, v, p, fig);
	plot_rule(fig, p, false, v[SEQ], "here", ROLE_DIM);
}

/* Sizes by powers of two, as SRAM and sequences are measured: "32 KiB", "128 MiB". */
static const char *kept_text(struct figure *fig, double bytes)
{
	static const char *const units[] = { "KiB", "MiB", "GiB" };
	size_t i = 0;
	for (bytes /= KIB; bytes >= KIB && i < 2; i++)
		bytes /= KIB;
	return figure_quantity(fig, bytes, units[i]);
}

static void draw_table(const struct attention *a, struct figure *fig)
{
	const char *const head[] = { "", ways[WAY_UNFUSED], ways[WAY_TILES] };
	double s = a->shape.seq;
	const struct {
		const char *what, *unit;
		double unfused, flash;
	} rows[] = {
		{ "moved, all heads", "GB", unfused_bytes(a) / 1e9, flash_bytes(a) / 1e9 },
		{ "kept for one head", NULL,
			CALL(attention_matrix_bytes, .seq = s,
				.bytes_per_value = a->shape.value_bytes),
			CALL(flash_state_bytes, .seq = s, .bytes_per_value = 4) },
		{ "intensity", "FLOP/B", flops_of(a, false) / unfused_bytes(a),
			flops_of(a, a->shape.causal) / flash_bytes(a) },
		{ "time", "s", unfused_time_s(a), flash_time_s(a) },
	};
	struct table *t = figure_table(fig, "Side by side", head, 3, "011");
	figure_tab(fig, "Side by side");
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const char *unit = rows[i].unit;
		table_row(fig, t,
			(const char *[]){ rows[i].what,
				unit ? figure_quantity(fig, rows[i].unfused, unit)
				     : kept_text(fig, rows[i].unfused),
				unit ? figure_quantity(fig, rows[i].flash, unit)
				     : kept_text(fig, rows[i].flash) });
	}
}

static void read_for_the_reader(const struct attention *a, struct figure *fig)
{
	double ratio = unfused_bytes(a) / flash_bytes(a);
	double ridge = kernel_peak_flops(a->gpu, a->dtype) / a->gpu->bandwidth;
	double intensity = flops_of(a, a->shape.causal) / flash_bytes(a);
	bool served = !a->l2 && flash_missed_share(&a->shape, a->heads, a->gpu->sm_count,
					a->gpu->l2_bytes) < 0.5;
	if (ratio >= 2)
		figure_why(fig, "Scores stay on the chip: HBM carries %.3gx less, %s the pace.",
			ratio, pace_words(a));
	else if (intensity < ridge)
		figure_why(fig,
			"Tiles of %g queries: each reading of the keys serves too few rows, and "
			"the fused kernel is memory-bound as well (%.0f FLOP/B, the ridge is "
			"%.0f).",
			a->shape.block_q, intensity, ridge);
	else
		figure_why(fig,
			"At %s the scores are small: %.2gx less traffic is all there is to save.",
			figure_quantity(fig, a->shape.seq, "token"), ratio);
	if (intensity < ridge && served)
		figure_assume(fig,
			"tiles of %g queries read the keys too often for HBM alone (%.0f FLOP/B, "
			"the ridge is %.0f): the L2 serves most of the later readings (knob: count "
			"the L2).",
			a->shape.block_q, intensity, ridge);
	else if (intensity < ridge && ratio >= 2)
		figure_assume(fig,
			"tiles of %g queries: each reading of the keys serves few rows, and the "
			"fused kernel is memory-bound too (%.0f FLOP/B, the ridge is %.0f).",
			a->shape.block_q, intensity, ridge);
}

static void add_values(const struct attention *a, double error, struct figure *fig)
{
	double flash = flash_bytes(a), unfused = unfused_bytes(a);
	value_note(
		figure_value(fig, "saved_ratio", "less traffic", unfused / flash, "x", ROLE_ACCENT),
		"than unfused");
	value_note(figure_value(fig, "hbm_GB", "HBM traffic", flash / 1e9, "GB", ROLE_PLAIN),
		"in tiles");
	value_note(figure_value(fig, "time_ms", "time", flash_time_s(a) * 1e3, "ms", ROLE_PLAIN),
		figure_text(fig, "unfused %s", figure_quantity(fig, unfused_time_s(a), "s")));
	value_note(figure_value(fig, "tflops", "arithmetic", reached_tflops(a, flash_time_s(a)),
			   "TFLOP/s", ROLE_PLAIN),
		figure_text(fig, "of %.0f", kernel_peak_flops(a->gpu, a->dtype) / 1e12));
	value_note(figure_value(fig, "state_kB", "kept per head",
			   CALL(flash_state_bytes, .seq = a->shape.seq, .bytes_per_value = 4) / KIB,
			   "KiB", ROLE_DIM),
		figure_text(fig, "not %s",
			kept_text(fig, CALL(attention_matrix_bytes, .seq = a->shape.seq,
					       .bytes_per_value = a->shape.value_bytes))));
	value_note(figure_value(fig, "intensity", "intensity", flops_of(a, a->shape.causal) / flash,
			   "FLOP/B", ROLE_DIM),
		figure_text(fig, "not %.3g", flops_of(a, false) / unfused));
	value_note(figure_value(fig, "tiles", "tiles a head", flash_traffic_of(&a->shape).tiles, "",
			   ROLE_DIM),
		figure_text(fig, "%g x %g, %.3g KiB", a->shape.block_q, a->shape.block_k,
			flash_sram_bytes(&a->shape) / KIB));
	figure_value(fig, "online_error", "softmax error", error, "", ROLE_DIM);
	figure_left_open(fig, "sram_kB", a->sram_bytes / KIB);
	figure_left_open(fig, "block_q", a->shape.block_q);
	figure_left_open(fig, "block_k", a->shape.block_k);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct attention a = attention_of(t, v, 0);
	figure_subtitle(fig, "%s · %s · %g heads of %g", a.gpu->name,
		figure_quantity(fig, v[SEQ], "token"), v[HEADS], v[HEAD_DIM]);
	draw_traffic(&a, fig);
	draw_walk(&a, fig);
	draw_over_sram(t, v, fig);
	draw_over_seq(t, v, fig);
	draw_table(&a, fig);
	double error = draw_softmax(&a, (uint64_t)v[SEED], fig);
	add_values(&a, error, fig);
	read_for_the_reader(&a, fig);
	if (flash_sram_bytes(&a.shape) > a.sram_bytes)
		figure_note(fig, ROLE_WARN,
			"These tiles need %.3g KiB of SRAM, an SM has %.3g: the kernel would not "
			"start.",
			flash_sram_bytes(&a.shape) / KIB, a.sram_bytes / KIB);
	if (a.gpu->shared_bytes <= 0 && v[SRAM_KB] == 0)
		figure_note(fig, ROLE_WARN,
			"The SRAM of %s is not in the table: 164 KiB are assumed.", a.gpu->name);
	figure_assume(fig,
		"the walk shows one head and takes as long as the kernel, which works on "
		"many tiles at once");
	figure_assume(fig, "forward pass; as many key and value heads as query heads");
	figure_assume(fig,
		"tiles by the first paper's rule: keys, values, queries and outputs share the "
		"SRAM");
	figure_assume(fig, "unfused: scores and probabilities are written and read once each");
	if (a.l2)
		figure_assume(fig,
			"blocks of a head that run at once walk its keys together; when the SMs "
			"walk them again, the L2 still holds what half of it can");
	else
		figure_leave_out(fig, "what the L2 serves (knob: count the L2)");
	figure_assume(fig,
		"%.0f %% of the 16-bit peak on long sequences, as the FlashAttention written for "
		"this GPU's generation sustains",
		100 * flash_ratio(a.gpu));
	figure_leave_out(fig, "split keys for decoding, dropout, the backward pass");
}

extern const struct sim flashattention_sim;
const struct sim flashattention_sim = {
	.id = "flashattention",
	.title = "FlashAttention",
	.summary = "Tiles walking through SRAM, online softmax, traffic against SRAM and length",
	.page = "inference",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(SEQ, HEAD_DIM, SRAM_KB, GPU),
	.try = "Turn the sequence to 32,768. How much more does each way move?",
	.run = run,
};
