/* The simulation `kvcache`: bytes per token under MHA, GQA and MQA; memory that fills, reserved in
 * one piece or paged; prompts that begin alike and share their blocks. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/inference.h"
#include "sims/formulas/serving.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/room.h"
#include "sims/published/overlay.h"
#include "sims/serving/kvcache_run.h"
#include "sims/serving/kvcache_trace.h"
#include "sims/serving/trace_figure.h"
#include "sims/tables/trace.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

enum {
	MODEL,
	ATTENTION,
	KV_TYPE,
	CONTEXT,
	BATCH,
	GPU,
	TP,
	WEIGHTS,
	UTIL,
	MAX_BATCH,
	BLOCK,
	LENGTHS,
	TRACE,
	PROMPT,
	OUTPUT,
	CV,
	PREFIX,
	GROUPS,
	SHARING,
	REQUESTS,
	SEED,
	N_KNOBS
};
enum { AS_MODEL, MHA, GQA8, MQA };

static const char *const attentions[] = { "model", "mha", "gqa8", "mqa", NULL };
static const char *const attention_names[] = { "the model's", "MHA", "GQA, 8 KV heads", "MQA" };
enum { LENGTHS_OF_LAW, LENGTHS_OF_TRACE };
static const char *const length_ids[] = { "lognormal", "trace", NULL };

static_assert(LENGTH(attentions) == LENGTH(attention_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama2-7b",
		"layers, KV heads and head dimension are all that a token's bytes depend on; the "
		"parameters do not enter"),
	[ATTENTION] = KNOB_CHOICE_OF("attention", "attention", attentions, attention_names, "model",
		"query heads that share a KV head divide the cache, by as many as share"),
	[KV_TYPE] = KNOB_CHOICE_OF("kv_dtype", "cache type", value_type_ids, value_type_names,
		"bf16",
		"the cache is stored and read in this type; attention still computes in 16 bits",
		.aliases = value_type_aliases),
	[CONTEXT] = KNOB_DOUBLING("context", "max length", "token", 256, 131072, 8192,
		"what a contiguous cache must set aside for everyone, because anyone might use it"),
	[BATCH] = KNOB_DOUBLING("batch", "sequences", "", 1, 1024, 1,
		"of the longest length, for the size that is asked in interviews",
		.group = "engine"),
	[GPU] = KNOB_ANY_GPU("a100", "its memory, less the weights, is the pool"),
	[TP] = KNOB_DOUBLING("gpus", "GPUs", "GPU", 1, 16, 1,
		"the weights are divided, so that the pool grows by more than the GPUs",
		.group = "engine"),
	[WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights", value_type_ids, value_type_names,
		"bf16", "what quantised weights free goes to the cache", .also = "weights",
		.aliases = value_type_aliases, .group = "engine"),
	[UTIL] = KNOB_LINEAR("memory_pct", "memory used", "%", 10, 100, 100 * ENGINE_MEMORY_SHARE,
		5, "the rest is left to activations and the runtime", .group = "engine"),
	[MAX_BATCH] = KNOB_DOUBLING("max_batch", "max batch", "", 0, 1024, 0,
		"sequences at once, though there is room for more: each waits for the caches of "
		"all in every step",
		.zero = "no limit", .group = "engine"),
	[BLOCK] = KNOB_DOUBLING("block_tokens", "block", "token", 1, 1024, KV_BLOCK_TOKENS,
		"half a block is empty at the end of every sequence; small ones mean longer "
		"tables"),
	[LENGTHS] = KNOB_CHOICE_OF("lengths", "requests", length_ids, NULL, "lognormal",
		"of a law, or of a trace: its prompts and outputs in its order, with the blocks "
		"that they share where it says so",
		.group = "requests"),
	[TRACE] = KNOB_ANY_TRACE("mooncake",
		"turns of a conversation begin with all that was said before; your own: "
		"trace=FILE.csv on the command line",
		.when = { WHEN(LENGTHS, LENGTHS_OF_TRACE) }, .group = "requests"),
	[PROMPT] = KNOB_DOUBLING("prompt_tokens", "mean prompt", "token", 1, 131072, 350,
		"held from the first step on", .when = { WHEN(LENGTHS, LENGTHS_OF_LAW) },
		.group = "requests"),
	[OUTPUT] = KNOB_DOUBLING("output_tokens", "mean output", "token", 1, 16384, 300,
		"grows a token a step: nobody knows how far",
		.when = { WHEN(LENGTHS, LENGTHS_OF_LAW) }, .group = "requests"),
	[CV] = KNOB_LINEAR("length_cv", "spread of lengths", "", 0, 2, 0.8, 0.1,
		"standard deviation over mean: the wider, the more the longest is a bad guess",
		.when = { WHEN(LENGTHS, LENGTHS_OF_LAW) }, .group = "requests"),
	[PREFIX] = KNOB_DOUBLING("prefix_tokens", "common prompt", "token", 0, 131072, 0,
		"a system prompt or a document that the requests of a group begin with",
		.zero = "none", .when = { WHEN(LENGTHS, LENGTHS_OF_LAW) }, .group = "prefixes"),
	[GROUPS] = KNOB_DOUBLING("groups", "groups", "", 1, 256, 4,
		"applications, each with a prompt of its own", .when = { WHEN(SHARING, KNOB_ON) },
		.group = "prefixes"),
	[SHARING] = KNOB_SWITCH("sharing", "prefix cache", 1,
		"blocks with the same tokens before them are kept once and prefilled once",
		.group = "prefixes"),
	[REQUESTS] = KNOB_DOUBLING("requests", "requests", "", 50, 2000, 400,
		"that wait at the start; the engine always has more than fit", .group = "requests"),
	[SEED] = KNOB_SEED(1, 1000, "other lengths of the same law", .group = "requests"),
};

/* What the knobs come to. */
struct cache_case {
	const struct model *model;
	const struct accelerator *gpu;
	const struct trace *trace; /* NULL: lengths of a law */
	struct model as_set;       /* the model with the attention that was chosen */
	double bytes_per_token;    /* of a sequence of the longest length, each token's share */
	double weight_bytes, pool_bytes, pool_tokens;
	double copies; /* of the cache, where GPUs each hold what others hold too */
	struct engine_shape engine;
	const struct kv_request *requests;
	size_t n, n_cut; /* requests, and those that the longest length cuts */
	double mean_tokens;
	double block_tokens; /* the blocks in which the run counts */
};

static double kv_heads_of(const struct model *m, double attention)
{
	switch ((int)attention) {
	case MHA:
		return m->heads;
	case GQA8:
		return fmin(8, m->heads);
	case MQA:
		return 1;
	default:
		return m->kv_heads;
	}
}

/* A model that is made of parts keeps its own attention. */
static struct model with_attention(const struct model *m, double attention)
{
	struct model as_set = *m;
	if (!m->made_of)
		as_set.kv_heads = kv_heads_of(m, attention);
	return as_set;
}

static enum dtype kv_dtype(const double v[])
{
	return value_type_dtype((enum value_type)v[KV_TYPE]);
}

/* Of a sequence of so many tokens on so many GPUs, each token's share. */
static double token_bytes(const struct model *m, enum dtype type, double tokens, double gpus)
{
	return model_cache_bytes(m, type, tokens, gpus) / tokens;
}

static double draw_length(struct rng *r, double mean, double cv)
{
	double tokens = cv > 0 ? rng_lognormal(r, mean, cv) : mean;
	return fmax(1, floor(tokens + 0.5));
}

/* Lengths are cut to the longest sequence, for longer requests would not be taken. */
static void draw_requests(struct figure *fig, const double v[], struct cache_case *c)
{
	struct rng lengths = rng_stream((uint64_t)v[SEED], "kvcache lengths", 0);
	struct rng groups = rng_stream((uint64_t)v[SEED], "kvcache groups", 0);
	double prefix = fmin(v[PREFIX], v[CONTEXT] - 2);
	c->n = (size_t)v[REQUESTS];
	struct kv_request *r = arena_array(&fig->arena, c->n, sizeof *r);
	c->requests = r;
	for (size_t i = 0; r && i < c->n; i++) {
		double room = v[CONTEXT] - prefix;
		double whole_prompt = draw_length(&lengths, v[PROMPT], v[CV]);
		double whole_output = draw_length(&lengths, v[OUTPUT], v[CV]);
		double prompt = fmin(room - 1, whole_prompt);
		double output = fmin(room - prompt, whole_output);
		c->n_cut += whole_prompt + whole_output > room;
		r[i] = (struct kv_request){ (uint32_t)(prefix + prompt), (uint32_t)output,
			(uint32_t)rng_below(&groups, (uint64_t)v[GROUPS]), NULL, 0 };
	}
}

static double request_tokens(const struct kv_request *r)
{
	return (double)r->prompt + r->output;
}

static void find_requests(
	const struct tables *t, const double v[], struct cache_case *c, struct figure *fig)
{
	double total = 0;
	c->trace = v[LENGTHS] > 0 ? trace_at(t, v[TRACE]) : NULL;
	if (c->trace)
		c->requests = trace_kv_requests(&fig->arena, c->trace, (size_t)v[REQUESTS], &c->n);
	else
		draw_requests(fig, v, c);
	for (size_t i = 0; c->requests && i < c->n; i++)
		total += request_tokens(&c->requests[i]);
	c->mean_tokens = total / (double)c->n;
}

static struct cache_case case_of(const struct tables *t, const double v[], struct figure *fig)
{
	struct cache_case c = { .model = model_at(t, v[MODEL]), .gpu = gpu_at(t, v[GPU]) };
	enum value_type weights = (enum value_type)v[WEIGHTS];
	c.as_set = with_attention(c.model, v[ATTENTION]);
	c.bytes_per_token = token_bytes(&c.as_set, kv_dtype(v), v[CONTEXT], 1);
	c.weight_bytes = model_weight_bytes(c.model, value_type_dtype(weights));
	c.pool_bytes = fmax(0, v[TP] * c.gpu->memory_bytes * v[UTIL] / 100 - c.weight_bytes);
	c.copies = token_bytes(&c.as_set, kv_dtype(v), v[CONTEXT], v[TP]) / c.bytes_per_token;
	c.engine = engine_shape_typed(&c.as_set, c.gpu, (int)v[TP], weights, ACTIVATION_AUTO,
		(enum value_type)v[KV_TYPE]);
	find_requests(t, v, &c, fig);
	if (c.mean_tokens > 0)
		c.pool_tokens = floor(
			c.pool_bytes / token_bytes(&c.as_set, kv_dtype(v), c.mean_tokens, v[TP]));
	return c;
}

/* Blocks are made larger until the run is short: half a million of them show nothing that ten
 * thousand do not. */
static double simulated_block(const struct cache_case *c, const double v[])
{
	enum { MOST_BLOCKS = 60000, MOST_STEPS = 400000 };
	double block = v[BLOCK], tokens = 0;
	for (size_t i = 0; i < c->n; i++)
		tokens += fmin(request_tokens(&c->requests[i]), c->pool_tokens);
	while (c->pool_tokens / block > MOST_BLOCKS || tokens / block > MOST_STEPS)
		block *= 2;
	return block;
}

/* Tokens to be reserved for the longest sequence, where the pool is counted in tokens of a mean one: less
 * than it has, if windows and states make a long sequence's tokens smaller. */
static double reserved_tokens(const struct cache_case *c, const double v[])
{
	if (!c->as_set.made_of && !(c->as_set.window > 0))
		return v[CONTEXT];
	double mean = token_bytes(&c->as_set, kv_dtype(v), c->mean_tokens, v[TP]);
	return v[CONTEXT] * token_bytes(&c->as_set, kv_dtype(v), v[CONTEXT], v[TP]) / mean;
}

static struct kv_run run_case(
	const struct cache_case *c, const double v[], bool paged, struct figure *fig)
{
	struct kv_setup setup = { .requests = c->requests,
		.n = c->n,
		.engine = &c->engine,
		.pool_tokens = c->pool_tokens,
		.block_tokens = c->block_tokens,
		.longest = v[CONTEXT],
		.reserved = reserved_tokens(c, v),
		.prefix_tokens = fmin(v[PREFIX], v[CONTEXT] - 2),
		.paged = paged,
		.max_running = (size_t)v[MAX_BATCH],
		.sharing = v[SHARING] > 0,
		.identity_tokens = TRACE_BLOCK_TOKENS };
	return kv_simulate(&fig->arena, &setup);
}

/* --- Pictures --- */

/* The frame that shows a moment is the last one at or before it. */
static size_t frame_at(const struct kv_run *r, double at_s)
{
	size_t f = 0;
	while (f + 1 < r->n_frames && r->frame_s[f + 1] <= at_s)
		f++;
	return f;
}

/* When the fewest cells are free, for the first time; NAN: nothing ran. */
static double fullest_s(const struct kv_run *r)
{
	size_t least = r->n_cells + 1;
	double at_s = NAN;
	for (size_t f = 0; f < r->n_frames; f++) {
		size_t free_cells = 0;
		for (size_t i = 0; i < r->n_cells; i++)
			free_cells += r->cells[f][i] == KV_FREE;
		if (free_cells < least) {
			least = free_cells;
			at_s = r->frame_s[f];
		}
	}
	return at_s;
}

/* "paged 260": how many sequences are held so, on average; nothing where none ever is. */
static const char *held_name(struct figure *fig, const char *how, const struct kv_run *r)
{
	return r->mean_running > 0 ? figure_text(fig, "%s %s", how,
					     figure_quantity(fig, round(r->mean_running), ""))
				   : how;
}

/* A moment that both are busy at: halfway through the time in which somebody waits under both, or
 * for pages alone; where nobody waits for those, when they hold most. */
static double busy_s(const struct kv_run *whole, const struct kv_run *paged)
{
	if (!kv_waits(paged))
		return fullest_s(paged);
	return 0.5 * (kv_waits(whole) ? fmin(whole->waits_s, paged->waits_s) : paged->waits_s);
}

/* Whether a reservation is wide enough, in cells, that words stand in what is empty of it. */
static bool room_for_words(const struct kv_run *whole)
{
	enum { WORDS = 14 };
	return (1 - whole->used_ratio) * KV_CELLS >= WORDS * whole->mean_running;
}

/* The same memory under both, one above the other, on one clock. */
static void kvcache_draw_memory(const struct kv_run *whole, const struct kv_run *paged,
	double pool_tokens, struct figure *fig)
{
	/* A shade tells a sequence from the next and has no name of its own. */
	const char *empty =
		figure_text(fig, "reserved, empty %.0f %%", 100 * (1 - whole->used_ratio));
	/* What is empty in the last block of a sequence is too little for a cell. */
	const char *both =
		figure_text(fig, "%s; paged, empty %.2g %%", empty, 100 * (1 - paged->used_ratio));
	const char *const kinds[N_KV_CELLS] = { "free", "", "in use, a shade each sequence", "",
		"shared", "kept for later", both };
	enum { COLS = 45, ROWS = KV_CELLS / COLS };
	const struct kv_run *runs[] = { whole, paged };
	const char *names[2 * ROWS];
	double times[KV_FRAMES], end_s = 0;
	for (size_t i = 0; i < 2; i++)
		end_s = fmax(end_s, runs[i]->span_s);
	for (size_t i = 0; i < 2 * ROWS; i++)
		names[i] = i == 0      ? held_name(fig, "reserved", whole)
			   : i == ROWS ? held_name(fig, "paged", paged)
				       : "";
	for (size_t f = 0; f < KV_FRAMES; f++)
		times[f] = end_s * (double)f / KV_FRAMES;
	const char **words = arena_array(&fig->arena, N_KV_CELLS, sizeof *words);
	if (words && room_for_words(whole))
		words[KV_RESERVED] = empty;
	struct grid *g = figure_grid(fig,
		figure_text(fig, "Memory for %s, blank is free",
			figure_about(fig, pool_tokens, "token")),
		kinds, N_KV_CELLS, names, 2 * ROWS, COLS, times, KV_FRAMES);
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_LEVEL + 2, MEANS_LEVEL + 4,
		MEANS_LEVEL + 6, MEANS_SECOND, MEANS_TRAFFIC, MEANS_HELD };
	grid_mean(fig, g, means, LENGTH(means));
	figure_tab(fig, "Memory");
	if (g) {
		g->flows = true; /* memory has no rows of its own */
		g->still_s = busy_s(whole, paged);
		g->words = words;
	}
	for (size_t f = 0; f < KV_FRAMES; f++)
		for (size_t i = 0; i < 2 * KV_CELLS; i++) {
			const struct kv_run *r = runs[i / KV_CELLS];
			if (r->n_frames && i % KV_CELLS < r->n_cells)
				grid_set(g, f, i / COLS, i % COLS,
					r->cells[frame_at(r, times[f])][i % KV_CELLS]);
		}
	fig->duration_s = end_s;
	figure_landmark(fig, fullest_s(whole), "reserved: at its fullest");
	figure_landmark(fig, fullest_s(paged), "paged: at its fullest");
	figure_landmark(fig, paged->span_s, "paged: all are served");
}

static void kvcache_draw_table(
	const struct kv_run *whole, const struct kv_run *paged, struct figure *fig)
{
	static const char *const head[] = { "", "reserved", "paged" };
	struct table *t = figure_table(fig, "The same requests", head, 3, "011");
	figure_tab(fig, "Side by side");
	const struct {
		const char *what, *unit;
		double whole, paged;
	} rows[] = {
		{ "sequences at once", "", whole->mean_running, paged->mean_running },
		{ "reserved but empty", "%", 100 * (1 - whole->used_ratio),
			100 * (1 - paged->used_ratio) },
		{ "output tokens/s", "", whole->tokens / whole->span_s,
			paged->tokens / paged->span_s },
		{ "prompt found in cache", "%", 100 * whole->hit_ratio, 100 * paged->hit_ratio },
		{ "preempted", "", (double)whole->preemptions, (double)paged->preemptions },
		{ "too long, refused", "", (double)whole->refused, (double)paged->refused },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		table_row(fig, t,
			(const char *[]){ rows[i].what,
				isfinite(rows[i].whole)
					? figure_quantity(fig, rows[i].whole, rows[i].unit)
					: "none fits",
				figure_quantity(fig, rows[i].paged, rows[i].unit) });
	}
}

/* What so many cards leave to an engine. */
static double usable_bytes(const struct cache_case *c, const double v[], double gpus)
{
	return gpus * c->gpu->memory_bytes * v[UTIL] / 100;
}

static bool weights_fit(const struct cache_case *c, const double v[])
{
	return c->weight_bytes < usable_bytes(c, v, v[TP]);
}

/* Whether so many GPUs hold weights of such a type and one sequence of the longest. */
static bool holds_one(const struct cache_case *c, const double v[], double gpus, enum dtype type)
{
	return model_weight_bytes(c->model, type) +
		       model_cache_bytes(&c->as_set, kv_dtype(v), v[CONTEXT], gpus) <=
	       usable_bytes(c, v, gpus);
}

/* What would make room for the weights: the fewest GPUs, or the widest type that is narrower; 0 and
 * -1 where the knobs have none. */
struct remedy {
	double gpus;
	int type;
};

static struct remedy remedy_for(const struct cache_case *c, const double v[])
{
	struct remedy r = { 0, -1 };
	size_t set = (size_t)v[WEIGHTS];
	for (double gpus = 2 * v[TP]; gpus <= knobs[TP].max && r.gpus == 0; gpus *= 2)
		if (holds_one(c, v, gpus, value_type_dtype((enum value_type)set)))
			r.gpus = gpus;
	for (size_t i = set + 1; i < N_VALUE_TYPES && r.type < 0; i++)
		if (holds_one(c, v, v[TP], value_type_dtype((enum value_type)i)))
			r.type = (int)i;
	return r;
}

static void add_weights(
	struct figure *fig, struct bars *b, const char *label, double bytes, enum role role)
{
	struct bar *bar = bars_add(fig, b, label, (double[]){ bytes / 1e9 });
	if (bar)
		bar->role = role;
}

/* The weights against the end of the card, and what would bring them under it. */
static void draw_weights(const struct cache_case *c, const double v[], struct figure *fig)
{
	static const char *const parts[] = { "weights" };
	static const enum meaning means[] = { MEANS_WEIGHTS };
	struct remedy r = remedy_for(c, v);
	struct bars *b = figure_bars(fig, "Weights on each card", "GB", parts, 1);
	bars_mean(fig, b, means, 1);
	figure_tab(fig, "Memory");
	if (b) {
		b->limit = usable_bytes(c, v, 1) / 1e9;
		b->limit_label = figure_text(fig, "%g %% of %s", v[UTIL], c->gpu->name);
	}
	add_weights(fig, b,
		figure_text(fig, "%s, %s", figure_quantity(fig, v[TP], "card"),
			value_type_names[(size_t)v[WEIGHTS]]),
		c->weight_bytes / v[TP], ROLE_BAD);
	if (weights_fit(c, v))
		return; /* nothing to remedy */
	if (r.gpus > 0)
		add_weights(fig, b, figure_quantity(fig, r.gpus, "card"), c->weight_bytes / r.gpus,
			ROLE_PLAIN);
	if (r.type >= 0)
		add_weights(fig, b, value_type_names[r.type],
			model_weight_bytes(c->model, value_type_dtype((enum value_type)r.type)) /
				v[TP],
			ROLE_PLAIN);
}

static void explain_weights(const struct cache_case *c, const double v[], struct figure *fig)
{
	struct remedy r = remedy_for(c, v);
	const char *cards = r.gpus > 0 ? figure_quantity(fig, r.gpus, "card") : "";
	const char *bits =
		r.type < 0 ? ""
			   : figure_text(fig, "%g bits a weight",
				     8 * dtype_bytes(value_type_dtype((enum value_type)r.type)));
	figure_why(fig, "%s of weights do not fit %s, %g %% of %s%s%s%s%s.",
		figure_quantity(fig, c->weight_bytes, "B"),
		figure_quantity(fig, usable_bytes(c, v, v[TP]), "B"), v[UTIL],
		figure_quantity(fig, v[TP], "card"), *cards || *bits ? ": take " : "", cards,
		*cards && *bits ? " or " : "", bits);
}

/* A way of keeping a token. */
struct kept {
	const char *name;
	double bytes; /* of a token */
	double all;   /* on all GPUs */
	bool set;     /* the setting is this one */
};

static void add_kept(
	const struct cache_case *c, const struct kept *k, struct bars *b, struct figure *fig)
{
	double kib = k->bytes / 1024;
	struct bar *bar =
		bars_add(fig, b, figure_text(fig, "%s%s", k->name, k->set ? ", as set" : ""), &kib);
	if (bar && c->pool_bytes > 0)
		bar->note = figure_text(fig, "%s users",
			figure_quantity(fig, floor(c->pool_bytes / k->all / c->mean_tokens), ""));
}

/* Heads that are shared by none, by eight, by all, and as they are set. */
static void draw_heads(
	const struct cache_case *c, const double v[], struct bars *b, struct figure *fig)
{
	const enum value_type kv = (enum value_type)v[KV_TYPE];
	const struct {
		const char *name;
		double heads;
		enum value_type type;
	} rows[] = { { "MHA", c->model->heads, VALUE_BF16 },
		{ "GQA-8", fmin(8, c->model->heads), VALUE_BF16 }, { "MQA", 1, VALUE_BF16 },
		{ "as set", c->as_set.kv_heads, kv } };
	bool again = false; /* the setting is one of the others */
	for (size_t i = 0; i < LENGTH(rows); i++) {
		bool set = rows[i].heads == c->as_set.kv_heads && rows[i].type == kv && !again;
		if (i + 1 == LENGTH(rows) && again)
			break;
		again |= set;
		struct model m = *c->model;
		m.kv_heads = rows[i].heads;
		enum dtype type = value_type_dtype(rows[i].type);
		add_kept(c,
			&(struct kept){ figure_text(fig, "%s, %s", rows[i].name,
						value_type_names[rows[i].type]),
				token_bytes(&m, type, c->mean_tokens, 1),
				token_bytes(&m, type, c->mean_tokens, v[TP]),
				set && i + 1 < LENGTH(rows) },
			b, fig);
	}
}

/* As published, and what it saves: every layer whole, keys and values of every head. */
static void draw_parts(
	const struct cache_case *c, const double v[], struct bars *b, struct figure *fig)
{
	const enum value_type kv = (enum value_type)v[KV_TYPE];
	double whole =
		architecture_expanded_elements(c->model->made_of, c->mean_tokens) / c->mean_tokens;
	double all = token_bytes(c->model, kv_dtype(v), c->mean_tokens, v[TP]);
	add_kept(c,
		&(struct kept){ "every layer and head, BF16", whole * BF16_BYTES,
			whole * BF16_BYTES, false },
		b, fig);
	add_kept(c,
		&(struct kept){ "as published, BF16",
			token_bytes(c->model, DTYPE_BF16, c->mean_tokens, 1),
			token_bytes(c->model, DTYPE_BF16, c->mean_tokens, v[TP]),
			kv == VALUE_BF16 },
		b, fig);
	if (kv != VALUE_BF16)
		add_kept(c,
			&(struct kept){ figure_text(fig, "as published, %s", value_type_names[kv]),
				token_bytes(c->model, kv_dtype(v), c->mean_tokens, 1), all, true },
			b, fig);
}

/* Bytes per token: who shares what. */
static void draw_bytes(const struct cache_case *c, const double v[], struct figure *fig)
{
	static const char *const parts[] = { "keys and values" };
	const char *title =
		c->pool_bytes > 0
			? figure_text(fig, "A token in every layer; users of %.0f tokens that fit",
				  c->mean_tokens)
			: "A token in every layer";
	struct bars *b = figure_bars(fig, title, "KiB", parts, 1);
	static const enum meaning means[] = { MEANS_TRAFFIC };
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "A token");
	if (c->model->made_of)
		draw_parts(c, v, b, fig);
	else
		draw_heads(c, v, b, fig);
}

/* What a token's bytes are made of. */
static const char *token_text(const struct cache_case *c, const double v[], struct figure *fig)
{
	const struct model *m = &c->as_set;
	if (!m->made_of && m->window <= 0)
		return figure_text(fig, "2 x %g layers x %g KV heads x %g x %g B", m->layers,
			m->kv_heads, m->head_dim,
			c->bytes_per_token / (2 * m->layers * m->kv_heads * m->head_dim));
	double expanded = m->made_of ? architecture_expanded_elements(m->made_of, v[CONTEXT]) *
					       dtype_bytes(kv_dtype(v)) / v[CONTEXT]
				     : model_kv_bytes_per_token(m, kv_dtype(v));
	return figure_text(fig, "of %s; %.3gx if every layer and head kept all",
		figure_quantity(fig, v[CONTEXT], "token"), expanded / c->bytes_per_token);
}

/* A share of the prompts that is worth the headline, and how many times the sequences are. */
static const double OFTEN = 0.2, MANY = 1.5;

static void add_values(const struct cache_case *c, const double v[], const struct kv_run *paged,
	const struct kv_run *whole, struct figure *fig)
{
	double tokens = v[BATCH] * v[CONTEXT];
	const char *longest = figure_quantity(fig, v[CONTEXT], "token");
	bool runs = paged->span_s > 0; /* without anybody nothing is wasted either */
	value_note(figure_value(fig, "paged_users", "at once, paged", paged->mean_running, "",
			   runs ? ROLE_GOOD : ROLE_BAD),
		!kv_waits(paged) && runs ? "all there are" : "sequences, on average");
	figure_value(
		fig, "contiguous_users", "at once, reserved", whole->mean_running, "", ROLE_PLAIN);
	value_note(figure_value(fig, "contiguous_waste_pct", "reserved, empty",
			   runs ? 100 * (1 - whole->used_ratio) : 0, "%",
			   runs ? ROLE_WARN : ROLE_PLAIN),
		figure_text(fig, "still %.3g %% when done",
			100 * CALL(contiguous_waste, .tokens = fmin(c->mean_tokens, v[CONTEXT]),
				      .max_tokens = v[CONTEXT])));
	figure_value(fig, "paged_waste_pct", "paged, empty",
		runs ? 100 * (1 - paged->used_ratio) : 0, "%", ROLE_PLAIN);
	value_note(figure_value(fig, "kv_bytes_per_token", "a token", c->bytes_per_token / 1024,
			   "KiB", ROLE_PLAIN),
		token_text(c, v, fig));
	value_note(figure_value(fig, "kv_GB", "cache asked for",
			   c->copies * tokens * c->bytes_per_token / 1e9, "GB", ROLE_PLAIN),
		c->copies > 1 ? figure_text(fig, "%g x %s, %g copies", v[BATCH], longest, c->copies)
			      : figure_text(fig, "%g x %s", v[BATCH], longest));
	value_note(figure_value(fig, "pool_GB", "room for the cache", c->pool_bytes / 1e9, "GB",
			   c->pool_bytes > 0 ? ROLE_PLAIN : ROLE_BAD),
		figure_text(fig, "%.3g GB weights", c->weight_bytes / 1e9));
	value_note(figure_value(fig, "hit_pct", "prompts found", 100 * paged->hit_ratio, "%",
			   ROLE_PLAIN),
		"not prefilled again");
	value_note(figure_value(fig, "requests_per_s", "served, paged",
			   runs ? (double)(c->n - paged->refused) / paged->span_s : 0, "req/s",
			   runs ? ROLE_PLAIN : ROLE_BAD),
		"while others always wait");
}

static void add_trace(const struct cache_case *c, const double v[], struct figure *fig)
{
	size_t longer = 0;
	for (size_t i = 0; i < c->n; i++)
		longer += request_tokens(&c->requests[i]) > v[CONTEXT];
	trace_values(fig, c->trace);
	if (longer)
		figure_note(fig, ROLE_WARN,
			"%zu of %zu requests are longer than %s: no reservation serves them, pages "
			"do where the pool is large enough.",
			longer, c->n, figure_quantity(fig, v[CONTEXT], "token"));
	if (c->n < (size_t)v[REQUESTS])
		figure_note(fig, ROLE_PLAIN, "Of %s the first %zu requests are taken.",
			c->trace->name, c->n);
	figure_assume(fig, "requests come in the trace's order, each as soon as it fits");
	if (c->trace->prefixes)
		figure_assume(fig,
			"a prompt goes on from the latest earlier one that is long enough: the "
			"trace says how many of its blocks were seen, not whose");
	else
		figure_leave_out(
			fig, "prompts that begin alike: %s does not say which do", c->trace->name);
}

/* Whether pages hold more than reservations do, and only because there are so few requests not more still. */
static bool pages_hold_all(const struct kv_run *paged, const struct kv_run *whole)
{
	return paged->span_s > 0 && !kv_waits(paged) && !paged->refused && whole->span_s > 0 &&
	       !whole->refused && paged->hit_ratio <= OFTEN &&
	       paged->mean_running > MANY * whole->mean_running;
}

static void max_batch_binds(const struct cache_case *c, const double v[],
	const struct kv_run *paged, const struct kv_run *whole, struct figure *fig)
{
	if (whole->most_running == paged->most_running)
		figure_why(fig,
			"Max batch lets in %zu at once, and there is room for them either way: here "
			"paging gains nothing.",
			paged->most_running);
	else
		figure_why(fig,
			"Pages hold the %zu sequences that max batch lets in, reservations %zu: each "
			"reserves %s and uses %.0f.",
			paged->most_running, whole->most_running,
			figure_quantity(fig, v[CONTEXT], "token"), c->mean_tokens);
}

static void read_for_the_reader(const struct cache_case *c, const double v[],
	const struct kv_run *paged, const struct kv_run *whole, struct figure *fig)
{
	const char *longest = figure_quantity(fig, v[CONTEXT], "token");
	if (!weights_fit(c, v))
		explain_weights(c, v, fig);
	else if (paged->span_s <= 0)
		figure_why(fig, "Nothing fits: %.3g GB of weights leave %.3g GB for the cache.",
			c->weight_bytes / 1e9, c->pool_bytes / 1e9);
	else if (whole->span_s <= 0)
		figure_why(fig,
			"A reservation of %s is larger than the pool: only pages serve anyone.",
			longest);
	else if (whole->refused > paged->refused)
		figure_why(fig,
			"Reserving %s for everyone refuses %zu of %zu requests, pages refuse %zu, "
			"and %.0f %% of the prompt tokens are found in the cache.",
			longest, whole->refused, c->n, paged->refused, 100 * paged->hit_ratio);
	else if (paged->hit_ratio > OFTEN)
		figure_why(fig,
			"%.0f %% of all prompt tokens are found in the cache: held once, prefilled "
			"once, by every request %s.",
			100 * paged->hit_ratio,
			c->trace ? "that goes on from them" : "of the group");
	else if (v[MAX_BATCH] > 0 && kv_waits(paged) && paged->most_running == (size_t)v[MAX_BATCH])
		max_batch_binds(c, v, paged, whole, fig);
	else if (pages_hold_all(paged, whole))
		figure_why(fig,
			"Pages hold all %.0f requests at once, reservations %.0f: each reserves %s and "
			"uses %.0f. More requests show what pages can hold.",
			paged->mean_running, whole->mean_running, longest, c->mean_tokens);
	else if (paged->mean_running > MANY * whole->mean_running) {
		double faster = paged->tokens / paged->span_s / (whole->tokens / whole->span_s);
		double more = paged->mean_running / whole->mean_running;
		const char *but =
			faster >= 1 ? ""
				    : figure_text(fig,
					      " Tokens per second fall to %.0f %%: what gives "
					      "up its blocks is prefilled again.",
					      100 * faster);
		figure_why(fig,
			"Pages hold %.3g times the sequences: each reserves %s and uses %.0f.%s",
			more, longest, c->mean_tokens, but);
	} else
		figure_why(fig,
			"All requests fit at once either way, or nearly use what they reserve: "
			"paging gains %.2gx.",
			paged->mean_running / whole->mean_running);
}

/* A model that reads its input in one pass keeps nothing for a next token. */
static void run_encoder(const struct cache_case *c, const double v[], struct figure *fig)
{
	figure_subtitle(fig, "%s on %g x %s · no cache", c->model->name, v[TP], c->gpu->name);
	figure_value(fig, "kv_bytes_per_token", "a token", 0, "KiB", ROLE_PLAIN);
	figure_value(fig, "kv_GB", "cache asked for", 0, "GB", ROLE_PLAIN);
	value_note(figure_value(fig, "pool_GB", "left by weights", c->pool_bytes / 1e9, "GB",
			   ROLE_PLAIN),
		figure_text(fig, "%.3g GB weights", c->weight_bytes / 1e9));
	draw_weights(c, v, fig);
	figure_assume(fig, "weights and activations share %g %% of the memory", v[UTIL]);
	figure_leave_out(fig, "activations of the one pass, which the batch and its length set");
	figure_why(fig,
		"%s is an encoder: it sees all tokens in one pass and generates none, so that "
		"there is no KV cache.",
		c->model->name);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct cache_case c = case_of(t, v, fig);
	if (!c.requests)
		return;
	if (c.model->encoder) {
		run_encoder(&c, v, fig);
		return;
	}
	c.block_tokens = simulated_block(&c, v);
	struct kv_run paged = run_case(&c, v, true, fig), whole = run_case(&c, v, false, fig);
	figure_subtitle(fig, "%s on %g x %s · %s cache", c.model->name, v[TP], c.gpu->name,
		value_type_names[(size_t)v[KV_TYPE]]);
	add_values(&c, v, &paged, &whole, fig);
	if (c.trace)
		add_trace(&c, v, fig);
	if (!weights_fit(&c, v))
		draw_weights(&c, v, fig);
	if (paged.n_frames > 1)
		kvcache_draw_memory(&whole, &paged, c.pool_tokens, fig);
	if (paged.span_s > 0)
		kvcache_draw_table(&whole, &paged, fig);
	if (c.trace)
		trace_draw_hits(fig, c.trace, c.bytes_per_token, c.pool_tokens);
	draw_bytes(&c, v, fig);
	read_for_the_reader(&c, v, &paged, &whole, fig);
	if (paged.span_s > 0 && !kv_waits(&paged) && !paged.refused &&
		!pages_hold_all(&paged, &whole))
		figure_note(fig, ROLE_WARN,
			"All %zu requests are there at once: their number is the limit, and not the "
			"cache. More of them show what it holds.",
			c.n);
	if (c.n_cut > 0)
		figure_note(fig, ROLE_WARN,
			"%zu of %zu requests would be longer than %s and are cut to it: a longer max "
			"length lets them grow.",
			c.n_cut, c.n, figure_quantity(fig, v[CONTEXT], "token"));
	if (c.block_tokens != v[BLOCK])
		figure_note(fig, ROLE_WARN,
			"The run counts in blocks of %g tokens, to stay quick; waste inside blocks "
			"is larger than with %g.",
			c.block_tokens, v[BLOCK]);
	if (c.copies > 1 && c.model->made_of)
		figure_note(fig, ROLE_WARN,
			"The %g GPUs hold the cache %.3g times: a latent vector stands for all "
			"heads, and each GPU has some.",
			v[TP], c.copies);
	else if (c.copies > 1)
		figure_note(fig, ROLE_WARN, "More GPUs than the %s: each is kept on %g of them.",
			figure_quantity(fig, c.as_set.kv_heads, "KV head"), c.copies);
	if (c.model->made_of && v[ATTENTION] != AS_MODEL)
		figure_note(fig, ROLE_WARN, "%s keeps its own attention: the knob changes nothing.",
			c.model->name);
	else if (v[ATTENTION] == GQA8 && fmod(c.model->heads, 8) != 0)
		figure_note(fig, ROLE_WARN, "%g query heads do not divide into 8 groups.",
			c.model->heads);
	/* A step's length is the reading of weights and caches. */
	if (!overlay_error(fig, t, "attention_decode",
		    figure_text(fig, "over 1 MB %s", gpu_at(t, v[GPU])->id), 0,
		    "decode attention on this GPU, which reads the cache"))
		overlay_outside(fig,
			"no decode attention was measured on %s; its datasheet and its family's "
			"constants",
			gpu_at(t, v[GPU])->name);
	figure_assume(fig, "requests wait from the start: the cache %s",
		v[MAX_BATCH] > 0 ? "and max batch are the only limits" : "is the only limit");
	figure_assume(fig, "weights, activations and cache share %g %% of the memory", v[UTIL]);
	figure_assume(fig, "when blocks run out the youngest sequence gives up its own and is "
			   "prefilled again");
	figure_leave_out(fig, "scales and zero points of a quantised cache");
	if (c.model->made_of || c.model->window > 0)
		figure_assume(fig,
			"windows, states: each token has its share of a request of mean length");
	figure_leave_out(fig, "offloading to the host");
}

const struct sim kvcache_sim = {
	.id = "kvcache",
	.title = "KV cache",
	.summary = "Bytes per token, reserved against paged memory as it fills, shared prefixes",
	.page = "inference",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(CONTEXT, MODEL, ATTENTION, KV_TYPE, GPU, BLOCK),
	.try = "Turn max length to 32,768. How many fit reserved, and how many paged?",
	.run = run,
};
