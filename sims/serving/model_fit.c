#include "sims/serving/model_fit.h"

#include "sims/constants.h"
#include "sims/knobs.h"

#include <math.h>

enum { CONTEXT, USERS, GPU, WEIGHTS, KV, SLACK, MEMORY, N_KNOBS };

static const char *const weight_ids[] = { "stored", "bf16", "fp8", "int8", "fp4", NULL };
static const enum dtype weight_dtypes[] = { DTYPE_BF16, DTYPE_BF16, DTYPE_FP8, DTYPE_INT8,
	DTYPE_FP4 };
static const char *const kv_ids[] = { "bf16", "fp8", "fp4", NULL };
static const enum dtype kv_dtypes[] = { DTYPE_BF16, DTYPE_FP8, DTYPE_FP4 };

static const struct knob knobs[N_KNOBS] = {
	[CONTEXT] = KNOB_DOUBLING("context", "context", "token", 1, 16777216, 8192,
		"of each sequence; at most what the model was made for"),
	[USERS] = KNOB_DOUBLING("users", "users", "", 1, 65536, 1, "sequences at once"),
	[GPU] = KNOB_GPU_OR_ANY("any", "whose memory and bandwidth bound it"),
	[WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights in", weight_ids, NULL, "stored",
		"as the file says that they are stored, or converted"),
	[KV] = KNOB_CHOICE_OF(
		"kv_dtype", "cache in", kv_ids, NULL, "bf16", "the type of keys and values"),
	[SLACK] = KNOB_DOUBLING("slack_tokens", "beyond a window", "token", 0, 65536, 0,
		"that an engine keeps of a layer with a window on top of it: llama.cpp the tokens of "
		"a micro-batch (512), others what fills a block"),
	[MEMORY] = KNOB_LINEAR("memory_pct", "memory used", "%", 10, 100, 90, 1,
		"of each GPU, for weights and caches"),
};

const struct sim model_goals = {
	.id = "model",
	.title = "A model",
	.summary = "What a model is made of and what it asks of GPUs",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
};

struct fit_goal fit_goal_of(const struct tables *t, const struct architecture *a, const double v[])
{
	const double most = a->context > 0 ? a->context : v[CONTEXT];
	return (struct fit_goal){
		.context = fmin(v[CONTEXT], most),
		.users = v[USERS],
		.slack = v[SLACK],
		.memory_share = v[MEMORY] / 100,
		.kv = kv_dtypes[(size_t)v[KV]],
		.stored = v[WEIGHTS] == 0,
		.weights = weight_dtypes[(size_t)v[WEIGHTS]],
		.gpu = v[GPU] >= (double)t->n_gpus ? NULL : gpu_at(t, v[GPU]),
	};
}

struct architecture fit_stored(const struct architecture *a, const struct fit_goal *goal)
{
	static const enum weight_part converted[] = { PART_MIXING, PART_DENSE, PART_EXPERTS,
		PART_SHARED };
	struct architecture b = *a;
	for (size_t i = 0; i < sizeof converted / sizeof *converted && !goal->stored; i++)
		b.bits[converted[i]] = 8 * dtype_bytes(goal->weights);
	if (!goal->stored)
		b.storage = dtype_names[goal->weights];
	return b;
}

struct architecture fit_cached(const struct architecture *a, const struct fit_goal *goal)
{
	struct architecture b = *a;
	for (size_t i = 0; i < b.n_groups; i++)
		if (b.groups[i].mixer.window > 0)
			b.groups[i].mixer.window += goal->slack;
	return b;
}

bool fit_lists(const struct accelerator *g)
{
	static const double least_bytes = 40e9;
	enum { FIRST_YEAR = 2020 };
	return g->memory_bytes >= least_bytes && g->usd_per_hour > 0 && g->year >= FIRST_YEAR &&
	       g->link_bandwidth > 0;
}

/* The quickest product that the stored type of most weights has on this GPU. */
static double peak_of(const struct architecture *a, const struct accelerator *g)
{
	const enum weight_part most =
		a->bits[PART_EXPERTS] < a->bits[PART_DENSE] ? PART_EXPERTS : PART_DENSE;
	static const struct {
		double bits;
		enum dtype type;
	} by_bits[] = { { 5, DTYPE_FP4 }, { 9, DTYPE_FP8 } };
	const bool sixteen = g->peak_flops[DTYPE_BF16] > 0;
	double peak = g->peak_flops[sixteen ? DTYPE_BF16 : DTYPE_FP16];
	for (size_t i = 0; i < sizeof by_bits / sizeof *by_bits; i++)
		if (a->bits[most] <= by_bits[i].bits)
			peak = fmax(peak, g->peak_flops[by_bits[i].type]);
	return peak;
}

static double cache_bytes(const struct architecture *a, const struct fit_goal *goal, double context)
{
	const struct architecture cached = fit_cached(a, goal);
	return goal->users * architecture_cache_elements(&cached, context) * dtype_bytes(goal->kv);
}

/* By bisection: a window makes the need a line with a knee. */
static double longest_context(
	const struct architecture *a, const struct fit_goal *goal, double room_bytes)
{
	double lo = 0, hi = a->context > 0 ? a->context : 16777216;
	if (cache_bytes(a, goal, hi) <= room_bytes)
		return hi;
	while (hi - lo > 1) {
		double mid = floor((lo + hi) / 2);
		if (cache_bytes(a, goal, mid) <= room_bytes)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

struct model_fit model_fit_on(
	const struct architecture *a, const struct fit_goal *goal, const struct accelerator *g)
{
	struct model_fit f = { .gpus = 1,
		.weight_bytes = architecture_weight_bytes(a, NULL),
		.cache_bytes = cache_bytes(a, goal, goal->context) };
	const double each = g->memory_bytes * goal->memory_share, peak = peak_of(a, g);
	while (f.gpus * each < f.weight_bytes + f.cache_bytes && f.gpus <= MOST_FIT_GPUS)
		f.gpus *= 2;
	if (f.gpus > MOST_FIT_GPUS) {
		f.gpus = INFINITY;
		return f;
	}
	f.longest_context = longest_context(a, goal, f.gpus * each - f.weight_bytes);
	double read_s =
		(architecture_read_bytes(a, goal->users) + f.cache_bytes) / (f.gpus * g->bandwidth);
	double flops = goal->users * architecture_token_flops(a, goal->context);
	double compute_s = peak > 0 ? flops / (f.gpus * peak) : NAN;
	f.compute_bound = compute_s > read_s;
	f.decode_s = f.compute_bound ? compute_s : read_s;
	f.tokens_per_s = goal->users / f.decode_s;
	f.prefill_s = peak > 0 ? fmax(architecture_prompt_flops(a, goal->context) / (f.gpus * peak),
					 architecture_read_bytes(a, goal->context) /
						 (f.gpus * g->bandwidth))
			       : NAN;
	f.usd_per_mtok = g->usd_per_hour > 0
				 ? g->usd_per_hour * f.gpus / HOUR_S / f.tokens_per_s * 1e6
				 : NAN;
	return f;
}
