/* The simulation `disaggregation`: the same requests on the same number of GPUs, in one pool where
 * every server prefills in chunks beside its decodes, and in two, one for each, with the caches
 * travelling between them. */
#include "sims/serving/disaggregation.h"

#include "sims/architecture/model_architecture.h"
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/formulas/serving.h"
#include "sims/knobs.h"
#include "sims/serving/disaggregation_figure.h"
#include "sims/serving/trace_figure.h"
#include "sims/tables/trace.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const char *const arrival_ids[] = { "poisson", "gamma", "trace", NULL };
static const char *const length_ids[] = { "fixed", "exponential", "uniform", "lognormal", "trace",
	NULL };

static const struct knob knobs[N_DISAGG_KNOBS] = {
	[DISAGG_PREFILL] = KNOB_WHOLE("prefill_gpus", "prefill GPUs", "GPU", 0, 64, 4,
		"they do nothing but prompts; none: the others do both, and there is one pool"),
	[DISAGG_DECODE] = KNOB_WHOLE("decode_gpus", "decode GPUs", "GPU", 0, 64, 4,
		"they do nothing but tokens, so that no prompt stands between two of them; none: "
		"the others do both"),
	[DISAGG_RATE] = KNOB_FACTOR("rate_per_s", "rate", "req/s", 0.01, 10000, 36, 1.25,
		"goodput follows it up to what the goals allow, and falls beyond: a queue makes "
		"everybody late"),
	[DISAGG_PROMPT] = KNOB_DOUBLING("prompt_tokens", "prompt", "token", 1, 131072, 2048,
		"long prompts stretch the steps of shared servers, and their caches are what "
		"travels; short ones disturb nobody",
		.when = { WHEN(DISAGG_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL, LENGTHS_UNIFORM,
			LENGTHS_LOGNORMAL) }),
	[DISAGG_OUTPUT] = KNOB_DOUBLING("output_tokens", "output", "token", 1, 32768, 128,
		"more tokens a request: more of the GPUs should decode",
		.when = { WHEN(DISAGG_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL, LENGTHS_UNIFORM,
			LENGTHS_LOGNORMAL) },
		.group = "requests"),
	[DISAGG_LINK] = KNOB_FACTOR("transfer_GBps", "network", "GB/s", 0.1, 1000,
		NDR_CARD_GB_PER_S, 2,
		"of each GPU's card: a cache travels before its first token; NVLink has some "
		"hundreds, 10 Gb/s Ethernet 1.25"),
	[DISAGG_MODEL] = KNOB_ANY_PARTS_OF("model", "model", "qwen2.5-14b",
		"its cache per token is what travels: latent vectors and few KV heads are light"),
	[DISAGG_GPU] = KNOB_ANY_GPU("h100",
		"prefill takes its arithmetic, decode its bandwidth: both pools have the same kind",
		.group = "servers"),
	[DISAGG_TTFT] = KNOB_FACTOR("ttft_ms", "first token in", "ms", 1, 1e6, 500, 1.25,
		"a request whose first token comes later is not in time", .group = "goals"),
	[DISAGG_ITL] = KNOB_FACTOR("itl_ms", "token goal", "ms", 1, 1e5, 15, 1.25,
		"nor is one whose tokens come slower in its mean: a loose goal leaves room for "
		"prompts beside them, and sharing wins",
		.group = "goals"),
	[DISAGG_HIT] = KNOB_LINEAR("prefix_hit_pct", "prefix hits", "%", 0, 100, 0, 5,
		"share of prompt tokens that an earlier request left in a cache, if all were "
		"kept: DeepSeek counts 56 %",
		.group = "prefix cache"),
	[DISAGG_OFFLOAD] = KNOB_SWITCH("offload", "host offload", 0,
		"caches move on to host memory instead of being dropped, and come back over its "
		"link",
		.group = "prefix cache"),
	[DISAGG_REUSE] = KNOB_FACTOR("reuse_s", "used again after", "s", 1, 1e5, 300, 2,
		"mean time until the same prefix is asked for again: what is kept for less is "
		"dropped before",
		.group = "prefix cache"),
	[DISAGG_HOST_GB] = KNOB_FACTOR("host_GB", "host memory", "GB", 1, 1e4, 256, 2,
		"for caches, beside each GPU", .when = { WHEN(DISAGG_OFFLOAD, KNOB_ON) },
		.group = "prefix cache"),
	[DISAGG_HOST_LINK] = KNOB_FACTOR("host_GBps", "host link", "GB/s", 0.1, 1000, 50, 2,
		"of each GPU: PCIe 5.0 x16 copies some 50 GB/s",
		.when = { WHEN(DISAGG_OFFLOAD, KNOB_ON) }, .group = "prefix cache"),
	[DISAGG_ARRIVALS] = KNOB_CHOICE_OF("arrivals", "arrivals", arrival_ids, NULL, "poisson",
		"bursts fill the prefill pool's queue: it serves one prompt after another",
		.group = "requests"),
	[DISAGG_CV] = KNOB_LINEAR("cv", "burstiness", "", 0.1, 10, 2, 0.1,
		"of gamma gaps: 1 is Poisson; waits grow with its square (Kingman)",
		.when = { WHEN(DISAGG_ARRIVALS, ARRIVALS_GAMMA) }, .group = "requests"),
	[DISAGG_LENGTHS] = KNOB_CHOICE_OF("lengths", "lengths", length_ids, NULL, "lognormal",
		"one long prompt holds up those behind it, in a pool of its own as well",
		.group = "requests"),
	[DISAGG_LENGTH_CV] = KNOB_LINEAR("length_cv", "length cv", "", 0, 4, 0.5, 0.1,
		"the wider they spread, the longer the queue of prompts",
		.when = { WHEN(DISAGG_LENGTHS, LENGTHS_LOGNORMAL) }, .group = "requests"),
	[DISAGG_TRACE] = KNOB_ANY_TRACE("azure-conv",
		"conversations have long answers, code completions long prompts: another ratio of "
		"pools",
		.when = { WHEN(DISAGG_ARRIVALS, ARRIVALS_TRACE),
			WHEN(DISAGG_LENGTHS, LENGTHS_TRACE) },
		.group = "requests"),
	[DISAGG_LAYERS] = KNOB_SWITCH("layerwise", "layer by layer", 0,
		"each layer's cache travels while the next is computed: only the last one waits",
		.group = "servers"),
	[DISAGG_TP] = KNOB_DOUBLING("tp", "tensor parallel", "GPU", 1, 64, 1,
		"GPUs of a server: each step is shorter, for two all-reduces a layer",
		.group = "servers"),
	[DISAGG_TP_PREFILL] = KNOB_DOUBLING("tp_prefill", "prefill server", "GPU", 0, 64, 0,
		"tensor parallelism of its own: a shorter prefill for tight first tokens",
		.zero = "as tp", .least = 1, .group = "servers"),
	[DISAGG_TP_DECODE] = KNOB_DOUBLING("tp_decode", "decode server", "GPU", 0, 64, 0,
		"tensor parallelism of its own: shorter steps, and more room for caches",
		.zero = "as tp", .least = 1, .group = "servers"),
	[DISAGG_COPIES] = KNOB_DOUBLING("attn_dp", "copies of attention", "", 1, 128, 1,
		"of each server: each has requests of its own, on `tp` GPUs; they share a "
		"mixture's experts",
		.group = "servers"),
	[DISAGG_EP] = KNOB_DOUBLING("ep", "expert groups", "", 1, 1024, 1,
		"GPUs of a server that hold some experts whole instead of a part of each",
		.group = "servers"),
	[DISAGG_OVERLAP] = KNOB_SWITCH("overlap", "two batches", 0,
		"a server's batch runs in two halves, one computes while the other's tokens "
		"travel to their experts",
		.group = "servers"),
	[DISAGG_CHUNK] = KNOB_DOUBLING("chunk_tokens", "shared chunk", "token", 0, 65536, 0,
		"prompt tokens beside the decodes of a shared server's step: small ones protect "
		"the ITL and delay the first token; auto takes the best of five",
		.zero = "auto", .least = 16, .group = "servers"),
	[DISAGG_PREFILL_CHUNK] = KNOB_DOUBLING("prefill_chunk_tokens", "prefill chunk", "token", 16,
		65536, 2048,
		"tokens of a prefill server's step: more prompts at once, which then wait for "
		"each other",
		.group = "servers"),
	[DISAGG_MAX_BATCH] = KNOB_DOUBLING("max_batch", "max batch", "", 1, 8192, 1024,
		"requests that a server runs at once", .group = "servers"),
	[DISAGG_BLOCK] = KNOB_DOUBLING("block_tokens", "block", "token", 1, 1024, KV_BLOCK_TOKENS,
		"of the paged cache: half of one stays empty for each request", .group = "servers"),
	[DISAGG_WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights", value_type_ids,
		value_type_names, "bf16",
		"narrower weights are read sooner in every step; prefill gains where the GPU "
		"multiplies in them",
		.also = "quant_bits", .aliases = value_type_aliases, .group = "servers"),
	[DISAGG_ACTIVATIONS] =
		KNOB_CHOICE_OF("act_dtype", "activations", activation_ids, activation_names, "auto",
			"as the weights where the GPU computes in their type", .group = "servers"),
	[DISAGG_KV_DTYPE] = KNOB_CHOICE_OF("kv_dtype", "cache type", value_type_ids,
		value_type_names, "bf16", "half the bytes a token: half as long on its way",
		.aliases = value_type_aliases, .group = "servers"),
	[DISAGG_REQUESTS] = KNOB_DOUBLING("requests", "requests", "", 1, 20000, 400,
		"a longer run settles the tails; beyond the capacity it only makes the queue "
		"longer",
		.group = "requests"),
	[DISAGG_SEED] =
		KNOB_SEED(0, 1e6, "other requests of the same kind: what changes with it is chance",
			.group = "requests"),
};

/* --- Servers --- */

static void find_kind(struct disaggregation *d, int kind, double tp)
{
	const double *v = d->v;
	struct server_kind *k = &d->kind[kind];
	k->gpus = tp * v[DISAGG_COPIES];
	k->layout = (struct engine_layout){ .tp = tp,
		.copies = v[DISAGG_COPIES],
		.ep = fmin(v[DISAGG_EP], k->gpus),
		.overlap = v[DISAGG_OVERLAP] > 0 };
	for (int i = 0; i < kind; i++)
		if (d->kind[i].layout.tp == tp) {
			*k = d->kind[i];
			return;
		}
	k->engine = engine_shape_spread(d->model, d->gpu, &k->layout, d->weights,
		(enum activation)v[DISAGG_ACTIVATIONS], d->cache);
	double length = d->mean_prompt + d->mean_output;
	double each = model_cache_bytes(d->model, value_type_dtype(d->cache), length, tp) / length;
	k->cache_bytes =
		ENGINE_MEMORY_SHARE * k->gpus * d->gpu->memory_bytes -
		model_weight_bytes_copied(d->model, value_type_dtype(d->weights), k->layout.copies);
	k->cache_tokens = fmax(0, k->cache_bytes / each);
	/* Where the tables lack what a step is made of nothing can be served. */
	if (!isfinite(engine_step_s(&k->engine, 1, d->longest, 16, d->longest)))
		k->cache_tokens = 0;
}

static struct pool pool_of(
	const struct disaggregation *d, int kind, double gpus, int64_t chunk_tokens)
{
	const struct server_kind *k = &d->kind[kind];
	return (struct pool){ .servers = (size_t)floor(gpus / k->gpus),
		.gpus = k->gpus,
		.engine = &k->engine,
		.cache_tokens = k->cache_tokens,
		.chunk_tokens = chunk_tokens };
}

/* How long a request is there, if it is in time: first token and all others. */
static double stays_s(const struct disaggregation *d)
{
	return d->ttft_s + d->mean_output * d->itl_s;
}

/* --- Prefixes --- */

/* What is found of prefixes that are asked for again after exponential times, reuse_s in the mean: of
 * the last requests' caches as many are kept as there is room, those of the last `window` seconds. Running
 * requests need room too: as many as the goals allow to be in the servers (Little's law). Newer caches
 * are still in the GPUs, older ones in host memory. */
static struct prefix_found prefixes(const struct disaggregation *d, const struct pools_setup *s)
{
	const double *v = d->v;
	const struct pool *p = s->prefill.servers ? &s->prefill : &s->decode;
	bool both = pools_are_one(s);
	int kind = both ? KIND_SHARED : KIND_PREFILL;
	double rate = 1 / s->gap_s, length = d->mean_prompt + d->mean_output;
	double each = model_cache_bytes(d->model, value_type_dtype(d->cache), length, 1);
	double held_s = both ? stays_s(d) : d->ttft_s;
	double servers = (double)p->servers;
	double room = fmax(0, servers * d->kind[kind].cache_bytes - rate * held_s * each);
	double host = v[DISAGG_OFFLOAD] > 0 ? servers * p->gpus * v[DISAGG_HOST_GB] * 1e9 : 0;
	double asked = v[DISAGG_HIT] / 100;
	double near = CALL(prefixes_found, .asked = asked, .store_bytes = room,
		.request_rate = rate, .cache_bytes = each, .reuse_time = v[DISAGG_REUSE]);
	double all = CALL(prefixes_found, .asked = asked, .store_bytes = room + host,
		.request_rate = rate, .cache_bytes = each, .reuse_time = v[DISAGG_REUSE]);
	return (struct prefix_found){ all, all > 0 ? 1 - near / all : 0 };
}

/* --- Arrangements --- */

/* Requests that come until pools are as full as they get, and some time after that. */
static double filling_requests(const struct disaggregation *d, double rate)
{
	const double stays = 4;
	return ceil(stays * rate * stays_s(d));
}

/* Requests with which another load, ratio or chunk is tried: what is shown has all of them. */
static size_t tried_requests(const struct disaggregation *d, size_t n, double rate)
{
	const double least = 400;
	return (size_t)fmin((double)n, fmax(least, filling_requests(d, rate)));
}

struct pools_setup disaggregation_setup(
	const struct disaggregation *d, enum arrangement a, double rate, double prefill_gpus)
{
	struct pools_setup s = d->setup[SHARED];
	s.gaps = false; /* nobody asks a trial what its servers did when */
	s.watch_work = 0;
	s.n = tried_requests(d, s.n, rate);
	s.gap_s = 1 / rate;
	if (a == SPLIT && prefill_gpus > 0 && prefill_gpus < d->gpus) {
		double copies = d->v[DISAGG_COPIES];
		s.prefill = pool_of(d, KIND_PREFILL, prefill_gpus,
			(int64_t)(d->v[DISAGG_PREFILL_CHUNK] * copies));
		/* A decode server prefills only what it had to drop. */
		s.decode = pool_of(d, KIND_DECODE, d->gpus - prefill_gpus,
			(int64_t)(PREFILL_CHUNK_TOKENS * copies));
	}
	s.found = prefixes(d, &s);
	return s;
}

/* Whether each pool that there should be has a server with room in it. */
static bool can_serve(const struct disaggregation *d, const struct pools_setup *s, bool two)
{
	if (two && pools_are_one(s))
		return false;
	return pools_servers(s) > 0 && (!s->prefill.servers || s->prefill.cache_tokens > 0) &&
	       (!s->decode.servers || s->decode.cache_tokens > 0) && !d->arena->failed;
}

bool disaggregation_try(
	const struct disaggregation *d, const struct pools_setup *s, struct pools_summary *sum)
{
	struct arena arena = { 0 };
	struct pools_run *run = arena_alloc(&arena, sizeof *run);
	*sum = (struct pools_summary){ 0 };
	if (run && can_serve(d, s, false)) {
		pools_simulate(&arena, s, run);
		pools_summarise(&arena, s, run, d->ttft_s, d->itl_s, sum);
	}
	if (arena.failed)
		d->arena->failed = true;
	bool served = !arena.failed && sum->ttft_p99_s > 0;
	arena_release(&arena);
	return served;
}

/* By how much the slower of the two waits exceeds its goal, or keeps below it. */
static double strain(const struct disaggregation *d, const struct pools_summary *s)
{
	return fmax(s->ttft_p99_s / d->ttft_s, s->tpot_p99_s / d->itl_s);
}

/* More in time; where as good as all are, with more to spare. */
static bool is_better(const struct disaggregation *d, const struct pools_summary *one,
	const struct pools_summary *other)
{
	const double alike = 0.01;
	if (fabs(one->within - other->within) > alike)
		return one->within > other->within;
	return strain(d, one) < strain(d, other);
}

/* The chunk with which shared servers do best at the present load. */
static void choose_chunk(struct disaggregation *d)
{
	static const double tried[] = { 128, 256, 512, 1024, 2048 };
	struct pools_setup *s = &d->setup[SHARED];
	const size_t n = s->n;
	double copies = d->v[DISAGG_COPIES], best = PREFILL_CHUNK_TOKENS;
	struct pools_summary sum, best_sum = { 0 };
	bool any = false;
	s->n = tried_requests(d, n, d->v[DISAGG_RATE]);
	for (size_t i = 0; i < LENGTH(tried); i++) {
		s->decode.chunk_tokens = (int64_t)(tried[i] * copies);
		if (!disaggregation_try(d, s, &sum) || (any && !is_better(d, &sum, &best_sum)))
			continue;
		any = true;
		best = tried[i];
		best_sum = sum;
	}
	s->decode.chunk_tokens = (int64_t)(best * copies);
	s->n = n;
}

static void set_up_shared(struct disaggregation *d, const struct request *q, size_t n)
{
	const double *v = d->v;
	struct pools_setup *s = &d->setup[SHARED];
	double *bytes = arena_array(d->arena, n, sizeof *bytes);
	for (size_t i = 0; bytes && i < n; i++)
		bytes[i] = model_cache_bytes(
			d->model, value_type_dtype(d->cache), fmax(1, q[i].prompt_tokens), 1);
	*s = (struct pools_setup){ .requests = q,
		.n = n,
		.gap_s = 1 / v[DISAGG_RATE],
		.cache_bytes = bytes,
		.decode = pool_of(d, KIND_SHARED, d->gpus,
			(int64_t)(fmax(1, v[DISAGG_CHUNK]) * v[DISAGG_COPIES])),
		.card_bytes_per_s = v[DISAGG_LINK] * 1e9,
		.message_s = NETWORK_LATENCY_S,
		.layers = v[DISAGG_LAYERS] > 0 ? d->model->layers : 0,
		.host_bytes_per_s = v[DISAGG_HOST_LINK] * 1e9,
		.max_batch = (size_t)v[DISAGG_MAX_BATCH],
		.block_tokens = (int64_t)v[DISAGG_BLOCK] };
	s->found = prefixes(d, s);
	if (v[DISAGG_CHUNK] <= 0 && can_serve(d, s, false))
		choose_chunk(d);
}

static struct serving_workload workload_of(const struct disaggregation *d)
{
	const double *v = d->v;
	struct serving_workload w = { .arrivals = (enum arrival_law)v[DISAGG_ARRIVALS],
		.lengths = (enum length_law)v[DISAGG_LENGTHS],
		.arrival_cv = v[DISAGG_CV],
		.length_cv = v[DISAGG_LENGTH_CV],
		.prompt_tokens = v[DISAGG_PROMPT],
		.output_tokens = v[DISAGG_OUTPUT],
		.trace = trace_at(d->t, v[DISAGG_TRACE]),
		.seed = (uint64_t)v[DISAGG_SEED] };
	workload_settle(&w);
	return w;
}

static const struct request *find_requests(struct disaggregation *d, size_t n)
{
	struct serving_workload w = workload_of(d);
	struct request *q = workload_requests(d->arena, &w, n);
	const struct request_lengths l = request_lengths(q, q ? n : 0);
	d->mean_prompt = l.prompt;
	d->mean_output = l.output;
	d->longest = l.longest;
	return q;
}

/* --- What a pool has the time for --- */

/* Steps that are full: of several short prompts, or of a piece of a long one. */
static double prompts_per_s(const struct disaggregation *d, const struct pool *p, double found)
{
	double computed = fmax(1, d->mean_prompt * (1 - found)), chunk = (double)p->chunk_tokens;
	double seen = d->mean_prompt * found + computed / 2; /* by each token, in the mean */
	return (double)p->servers * chunk / computed /
	       engine_step_s(p->engine, 0, 0, chunk, seen - chunk / 2);
}

/* As many at once as the goal, the batch and the cache allow. */
static double answers_per_s(const struct disaggregation *d, const struct pool *p)
{
	enum { HALVINGS = 30 };
	double cached = d->mean_prompt + d->mean_output / 2;
	double low = 0,
	       high = fmax(1, fmin(d->v[DISAGG_MAX_BATCH],
				      p->cache_tokens / (d->mean_prompt + d->mean_output)));
	for (int i = 0; i < HALVINGS; i++) {
		double mid = (low + high) / 2;
		if (engine_step_s(p->engine, mid, mid * cached, 0, 0) <= d->itl_s)
			low = mid;
		else
			high = mid;
	}
	double step_s = engine_step_s(p->engine, low, low * cached, 0, 0);
	return low > 0 && step_s > 0 ? (double)p->servers * low / (d->mean_output * step_s) : 0;
}

/* --- The answer --- */

static void set_up(struct disaggregation *d)
{
	const double *v = d->v;
	size_t n = (size_t)v[DISAGG_REQUESTS];
	d->model = model_at(d->t, v[DISAGG_MODEL]);
	d->gpu = gpu_at(d->t, v[DISAGG_GPU]);
	d->weights = (enum value_type)v[DISAGG_WEIGHTS];
	d->cache = (enum value_type)v[DISAGG_KV_DTYPE];
	d->activations =
		activation_dtype(d->gpu, d->weights, (enum activation)v[DISAGG_ACTIVATIONS]);
	d->gpus = v[DISAGG_PREFILL] + v[DISAGG_DECODE];
	d->ttft_s = v[DISAGG_TTFT] / 1e3;
	d->itl_s = v[DISAGG_ITL] / 1e3;
	const struct request *q = find_requests(d, n);
	double tp = v[DISAGG_TP];
	find_kind(d, KIND_PREFILL, v[DISAGG_TP_PREFILL] > 0 ? v[DISAGG_TP_PREFILL] : tp);
	find_kind(d, KIND_DECODE, v[DISAGG_TP_DECODE] > 0 ? v[DISAGG_TP_DECODE] : tp);
	find_kind(d, KIND_SHARED, tp);
	d->weight_bytes =
		model_weight_bytes_copied(d->model, value_type_dtype(d->weights), v[DISAGG_COPIES]);
	if (!q)
		return;
	set_up_shared(d, q, n);
	d->setup[SPLIT] = disaggregation_setup(d, SPLIT, v[DISAGG_RATE], v[DISAGG_PREFILL]);
	d->setup[SPLIT].n = n;
}

static void simulate(struct disaggregation *d)
{
	enum { STRETCHES = 2048 };
	bool two = d->v[DISAGG_PREFILL] > 0 && d->v[DISAGG_DECODE] > 0;
	for (int a = 0; a < N_ARRANGEMENTS; a++) {
		struct pools_setup *s = &d->setup[a];
		d->used[a] = (double)s->prefill.servers * s->prefill.gpus +
			     (double)s->decode.servers * s->decode.gpus;
		d->serves[a] = can_serve(d, s, a == SPLIT && two);
		d->run[a] = arena_alloc(d->arena, sizeof *d->run[a]);
		if (!d->serves[a] || !d->run[a])
			continue;
		s->gaps = true;
		s->watch_work = STRETCHES / pools_servers(s);
		pools_simulate(d->arena, s, d->run[a]);
		pools_summarise(d->arena, s, d->run[a], d->ttft_s, d->itl_s, &d->sum[a]);
		d->serves[a] = d->run[a]->n > d->run[a]->refused;
	}
	const struct pools_setup *s = &d->setup[SPLIT];
	const struct pool *first = s->prefill.servers ? &s->prefill : &s->decode;
	d->prefill_per_s = can_serve(d, s, false) ? prompts_per_s(d, first, s->found.ratio) : 0;
	d->decode_per_s = can_serve(d, s, false)
				  ? answers_per_s(d, s->decode.servers ? &s->decode : first)
				  : 0;
}

/* Divisions into whole servers, evenly chosen where there are many. */
static void try_divisions(struct disaggregation *d)
{
	double step = d->kind[KIND_PREFILL].gpus, least = d->kind[KIND_DECODE].gpus;
	double most = floor((d->gpus - least) / step);
	double by = fmax(1, ceil(most / MOST_DIVISIONS));
	for (double k = by; k <= most && d->n_divisions < MOST_DIVISIONS; k += by) {
		struct division *one = &d->division[d->n_divisions];
		one->prefill_gpus = k * step;
		struct pools_setup s =
			disaggregation_setup(d, SPLIT, d->v[DISAGG_RATE], one->prefill_gpus);
		if (!disaggregation_try(d, &s, &one->sum))
			continue;
		if (d->n_divisions == 0 || is_better(d, &one->sum, &d->division[d->best].sum))
			d->best = d->n_divisions;
		d->n_divisions++;
	}
}

/* --- Values --- */

static const char *pools_text(
	const struct disaggregation *d, double prefill_gpus, struct figure *fig)
{
	return figure_text(fig, "%g + %g GPUs", prefill_gpus, d->gpus - prefill_gpus);
}

static double gain_of(const struct disaggregation *d)
{
	double split = d->sum[SPLIT].goodput_per_s, shared = d->sum[SHARED].goodput_per_s;
	return split == shared ? 1 : split / shared;
}

static void add_goodput(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_summary *split = &d->sum[SPLIT], *shared = &d->sum[SHARED];
	double gain = gain_of(d);
	value_note(figure_value(fig, "goodput_req_s", "in time, two pools", split->goodput_per_s,
			   "req/s", ROLE_ACCENT),
		figure_text(fig, "of %s that come", figure_quantity(fig, d->v[DISAGG_RATE], "")));
	figure_value(fig, "aggregated_req_s", "in time, shared", shared->goodput_per_s, "req/s",
		ROLE_PLAIN);
	value_note(figure_value(fig, "gain", "gain over shared", gain, "x", ROLE_PLAIN),
		isfinite(gain) ? NULL : "shared: none in time");
}

/* The best division of the GPUs among the pools, of those that were tried. */
static void add_division(const struct disaggregation *d, struct figure *fig)
{
	if (d->n_divisions == 0)
		return;
	const struct division *best = &d->division[d->best];
	value_note(figure_value(fig, "best_ratio", "best pool ratio",
			   best->prefill_gpus / (d->gpus - best->prefill_gpus), "", ROLE_PLAIN),
		pools_text(d, best->prefill_gpus, fig));
}

/* What the slowest requests of both see. */
static void add_tails(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_summary *a = &d->sum[SPLIT], *b = &d->sum[SHARED];
	bool two = d->serves[SPLIT], one = d->serves[SHARED];
	value_note(figure_value(fig, "ttft_p99_ms", "first token p99",
			   two ? 1e3 * a->ttft_p99_s : INFINITY, "ms",
			   two && a->ttft_p99_s > d->ttft_s ? ROLE_BAD : ROLE_PLAIN),
		one ? figure_text(fig, "shared %s", figure_quantity(fig, b->ttft_p99_s, "s"))
		    : NULL);
	value_note(figure_value(fig, "itl_p99_ms", "token gap p99",
			   two ? 1e3 * a->itl_p99_s : INFINITY, "ms",
			   two && a->itl_p99_s > d->itl_s ? ROLE_BAD : ROLE_PLAIN),
		one ? figure_text(fig, "shared %s", figure_quantity(fig, b->itl_p99_s, "s"))
		    : NULL);
}

static void add_latencies(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_summary *a = &d->sum[SPLIT], *b = &d->sum[SHARED];
	bool two = d->serves[SPLIT], one = d->serves[SHARED];
	figure_value(fig, "ttft_p50_ms", "first token p50", two ? 1e3 * a->ttft_p50_s : INFINITY,
		"ms", ROLE_DIM);
	figure_value(fig, "shared_ttft_p99_ms", "shared, first p99",
		one ? 1e3 * b->ttft_p99_s : INFINITY, "ms", ROLE_DIM);
	figure_value(fig, "shared_itl_p99_ms", "shared, gap p99",
		one ? 1e3 * b->itl_p99_s : INFINITY, "ms", ROLE_DIM);
	value_note(figure_value(fig, "tpot_p99_ms", "mean gap p99",
			   two ? 1e3 * a->tpot_p99_s : INFINITY, "ms", ROLE_DIM),
		one ? figure_text(fig, "shared %s", figure_quantity(fig, b->tpot_p99_s, "s"))
		    : NULL);
	figure_value(fig, "e2e_p99_ms", "last token p99", two ? 1e3 * a->e2e_p99_s : INFINITY, "ms",
		ROLE_DIM);
}

/* A transfer of its own, without waiting for others. */
static double transfer_alone_s(const struct disaggregation *d)
{
	const struct pools_setup *s = &d->setup[SPLIT];
	double cards = fmin(d->kind[KIND_PREFILL].gpus, d->kind[KIND_DECODE].gpus);
	double bytes =
		model_cache_bytes(d->model, value_type_dtype(d->cache), fmax(1, d->mean_prompt), 1);
	return s->message_s + CALL(cache_transfer_time, .tokens = d->mean_prompt,
				      .kv_per_token = bytes / d->mean_prompt, .links = cards,
				      .link_bandwidth = s->card_bytes_per_s);
}

static void add_transfer(const struct disaggregation *d, struct figure *fig)
{
	double bytes =
		model_cache_bytes(d->model, value_type_dtype(d->cache), fmax(1, d->mean_prompt), 1);
	double alone_s = transfer_alone_s(d);
	value_note(figure_value(fig, "transfer_ms", "cache transfer", 1e3 * alone_s, "ms",
			   alone_s > d->ttft_s ? ROLE_BAD : ROLE_PLAIN),
		figure_quantity(fig, bytes, "B"));
	figure_value(fig, "cache_MB", "cache of a prompt", bytes / 1e6, "MB", ROLE_DIM);
}

/* Prefill GPUs for each decode GPU with which both have the same to do. */
static double balanced_ratio(const struct disaggregation *d)
{
	const struct pools_setup *s = &d->setup[SPLIT];
	if (pools_are_one(s) || !(d->prefill_per_s > 0) || !(d->decode_per_s > 0))
		return 0;
	double prefill = (double)s->prefill.servers * s->prefill.gpus;
	double decode = (double)s->decode.servers * s->decode.gpus;
	return CALL(pool_ratio, .prompt_tokens = d->mean_prompt, .hit_ratio = 0,
		.prefill_rate = d->prefill_per_s * d->mean_prompt / prefill,
		.output_tokens = d->mean_output,
		.decode_rate = d->decode_per_s * d->mean_output / decode);
}

static void add_pools(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_setup *s = &d->setup[SPLIT];
	const struct pools_run *run = d->run[SPLIT];
	double prefill = (double)s->prefill.servers, decode = (double)s->decode.servers;
	value_note(figure_value(fig, "prefill_per_s", "prompts it takes", d->prefill_per_s, "req/s",
			   d->prefill_per_s < d->v[DISAGG_RATE] ? ROLE_WARN : ROLE_DIM),
		"prefill pool");
	value_note(figure_value(fig, "decode_per_s", "answers it gives", d->decode_per_s, "req/s",
			   d->decode_per_s < d->v[DISAGG_RATE] ? ROLE_WARN : ROLE_DIM),
		"decode pool");
	value_note(figure_value(fig, "balanced_ratio", "ratio by capacity", balanced_ratio(d), "",
			   ROLE_DIM),
		pools_are_one(s) ? "one pool" : "prefill for each decode GPU");
	bool two = d->serves[SPLIT] && run && run->end_s > 0;
	figure_value(fig, "prefill_busy_pct", "prefill pool busy",
		two && prefill > 0 ? 100 * run->prefill_busy_s / (prefill * run->prefill_end_s) : 0,
		"%", ROLE_DIM);
	figure_value(fig, "decode_busy_pct", "decode pool busy",
		two && decode > 0 ? 100 * run->decode_busy_s / (decode * run->end_s) : 0, "%",
		ROLE_DIM);
	figure_value(fig, "chunk_tokens", "shared chunk",
		(double)d->setup[SHARED].decode.chunk_tokens / d->v[DISAGG_COPIES], "token",
		ROLE_DIM);
	figure_value(fig, "found_pct", "prefix found", 100 * s->found.ratio, "%", ROLE_DIM);
	figure_value(fig, "shared_found_pct", "shared, found", 100 * d->setup[SHARED].found.ratio,
		"%", ROLE_DIM);
	figure_value(fig, "from_host_pct", "of it, from host", 100 * s->found.host, "%", ROLE_DIM);
	figure_value(fig, "preemptions", "preemptions", two ? (double)run->preemptions : 0, "",
		ROLE_DIM);
}

/* --- The sentence --- */

/* What makes two pools miss their goals. */
static const char *why_late(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_summary *s = &d->sum[SPLIT];
	const double *part = s->first_s, rate = d->v[DISAGG_RATE];
	double travels_s = part[FIRST_LINK] + part[FIRST_TRANSFER];
	if (s->in_time_next < s->in_time_first)
		return figure_text(fig, "decode gives %s answers/s on %s, at %s a token",
			figure_quantity(fig, d->decode_per_s, ""),
			figure_quantity(fig, d->gpus - d->v[DISAGG_PREFILL], "GPU"),
			figure_quantity(fig, d->itl_s, "s"));
	if (travels_s > part[FIRST_QUEUE] + part[FIRST_PREFILL] && travels_s > part[FIRST_STEP])
		return figure_text(fig, "a cache is %s on its way over the network",
			figure_quantity(fig, travels_s, "s"));
	if (part[FIRST_STEP] > part[FIRST_QUEUE])
		return figure_text(fig, "caches wait %s for room where tokens are made",
			figure_quantity(fig, part[FIRST_STEP], "s"));
	if (d->prefill_per_s < rate)
		return figure_text(fig, "prefill takes %s prompts/s on %s",
			figure_quantity(fig, d->prefill_per_s, ""),
			figure_quantity(fig, d->v[DISAGG_PREFILL], "GPU"));
	return figure_text(fig, "prompts wait %s for a prefill server",
		figure_quantity(fig, part[FIRST_QUEUE], "s"));
}

/* And what makes shared servers miss them. */
static const char *why_shared_late(const struct disaggregation *d, struct figure *fig)
{
	const struct pools_summary *s = &d->sum[SHARED];
	if (s->in_time_next < s->in_time_first)
		return "prompts delay tokens";
	return figure_text(fig,
		"chunks of %s keep tokens in time and first tokens waiting, %s at P99",
		figure_quantity(fig,
			(double)d->setup[SHARED].decode.chunk_tokens / d->v[DISAGG_COPIES],
			"token"),
		figure_quantity(fig, s->ttft_p99_s, "s"));
}

static const char *fit_text(const struct disaggregation *d, int kind, struct figure *fig)
{
	const struct server_kind *k = &d->kind[kind];
	return figure_text(fig, "%s of weights, %s on %g x %s",
		figure_quantity(fig, d->weight_bytes, "B"),
		figure_quantity(fig, ENGINE_MEMORY_SHARE * k->gpus * d->gpu->memory_bytes, "B"),
		k->gpus, d->gpu->name);
}

static void explain_nothing(const struct disaggregation *d, struct figure *fig)
{
	const struct server_kind *k = &d->kind[KIND_SHARED];
	if (d->gpus < 1)
		figure_why(fig, "There is no GPU: give either pool some.");
	else if (d->gpus < k->gpus)
		figure_why(
			fig, "No server: one takes %g GPUs, and there are %g.", k->gpus, d->gpus);
	else if (k->cache_bytes <= 0)
		figure_why(fig, "%s %s not fit: %s. Nothing is served; more GPUs a server (tp) do.",
			d->model->name, model_does(d->model), fit_text(d, KIND_SHARED, fig));
	else
		figure_why(fig, "Nothing is served: no request has room, or no step has a time.");
}

/* How much of what comes is in time: "every request", or "83 %" with what it is of. */
static const char *share_in_time(const struct pools_summary *s, const char *of, struct figure *fig)
{
	const double all = 0.995, hardly = 0.005;
	return s->within >= all     ? "every request"
	       : s->within <= 0     ? "none"
	       : s->within < hardly ? "hardly any"
				    : figure_text(fig, "%.0f %%%s", 100 * s->within, of);
}

static void explain(const struct disaggregation *d, struct figure *fig)
{
	const double alike = 0.02;
	const struct pools_summary *a = &d->sum[SPLIT], *b = &d->sum[SHARED];
	const double rate = d->v[DISAGG_RATE];
	const char *split = figure_quantity(fig, a->goodput_per_s, ""),
		   *shared = figure_quantity(fig, b->goodput_per_s, "");
	if (!d->serves[SPLIT] && !d->serves[SHARED])
		explain_nothing(d, fig);
	else if (!d->serves[SPLIT])
		figure_why(fig,
			"No two pools of %g and %g GPUs: a server of each takes %g and %g, and must hold %s.",
			d->v[DISAGG_PREFILL], d->v[DISAGG_DECODE], d->kind[KIND_PREFILL].gpus,
			d->kind[KIND_DECODE].gpus, d->model->name);
	else if (pools_are_one(&d->setup[SPLIT]))
		figure_why(fig,
			"One pool does both, %s of %s requests/s are in time: give some GPUs the prompts alone.",
			split, figure_quantity(fig, rate, ""));
	else if (!d->serves[SHARED])
		figure_why(fig,
			"Two pools serve %s of %s requests/s in time; %g GPUs a server that does both do not hold %s.",
			split, figure_quantity(fig, rate, ""), d->kind[KIND_SHARED].gpus,
			d->model->name);
	else if (fabs(a->within - b->within) <= alike && a->within > 1 - alike)
		figure_why(fig,
			"Both keep %s requests/s in time: at this load nobody notices a prompt beside the tokens.",
			figure_quantity(fig, rate, ""));
	else if (a->within <= 0 && b->within <= 0)
		figure_why(fig, "Neither keeps a request in time, at %s requests/s: %s.",
			figure_quantity(fig, rate, ""), why_late(d, fig));
	else if (fabs(a->within - b->within) <= alike)
		figure_why(fig, "Neither wins, %s and %s of %s requests/s in time: %s.", split,
			shared, figure_quantity(fig, rate, ""), why_late(d, fig));
	else if (a->within > b->within)
		figure_why(fig, "Two pools keep %s in time, shared GPUs %s: %s.",
			share_in_time(a, " of requests", fig), share_in_time(b, "", fig),
			why_shared_late(d, fig));
	else
		figure_why(fig, "Shared GPUs keep %s in time, two pools %s: %s.",
			share_in_time(b, " of requests", fig), share_in_time(a, "", fig),
			why_late(d, fig));
}

/* --- What to know about it --- */

static void warn_of_servers(const struct disaggregation *d, struct figure *fig)
{
	for (int a = 0; a < N_ARRANGEMENTS; a++)
		if (d->used[a] < d->gpus && d->serves[a])
			figure_note(fig, ROLE_PLAIN,
				"%s: %g of %g GPUs are too few for one more server.",
				a == SPLIT ? "Two pools" : "Shared", d->gpus - d->used[a], d->gpus);
	const struct server_kind *k = &d->kind[KIND_SHARED];
	if (d->model->heads > 0 && fmod(d->model->heads, k->layout.tp) != 0)
		figure_note(fig, ROLE_WARN,
			"%g query heads do not divide among %g GPUs: engines refuse this group.",
			d->model->heads, k->layout.tp);
	if (k->layout.tp > gpu_domain(d->gpu))
		figure_note(fig, ROLE_WARN,
			"A group of %g GPUs: fast links join %g of them, and the all-reduces of each "
			"layer are timed as inside of that.",
			k->layout.tp, gpu_domain(d->gpu));
}

static void warn(const struct disaggregation *d, struct figure *fig)
{
	const double *v = d->v;
	bool both = d->serves[SPLIT] && d->serves[SHARED];
	if (!both)
		figure_note(fig, ROLE_WARN, "%s serve%s nothing: %s.",
			d->serves[SPLIT]    ? "Shared GPUs"
			: d->serves[SHARED] ? "Two pools"
					    : "This",
			d->serves[SHARED] || d->serves[SPLIT] ? "" : "s",
			d->gpus < 1 ? "there is no GPU" : fit_text(d, KIND_SHARED, fig));
	else if (!isfinite(gain_of(d)))
		figure_note(
			fig, ROLE_WARN, "Shared GPUs keep no request in time: there is no factor.");
	warn_of_servers(d, fig);
	/* Half of that is a run that has filled and gone on for as long. */
	if (both && 2 * v[DISAGG_REQUESTS] < filling_requests(d, v[DISAGG_RATE]))
		figure_note(fig, ROLE_WARN,
			"%.0f requests come in %s, and one in time stays for up to %s: pools have "
			"hardly filled when the run ends. More requests judge them.",
			v[DISAGG_REQUESTS],
			figure_quantity(fig, v[DISAGG_REQUESTS] / v[DISAGG_RATE], "s"),
			figure_quantity(fig, stays_s(d), "s"));
	for (int a = 0; a < N_ARRANGEMENTS; a++)
		if (d->serves[a] && d->run[a]->refused)
			figure_note(fig, ROLE_WARN,
				"%s: %zu of %zu requests need more cache than a server has and are "
				"refused.",
				a == SPLIT ? "Two pools" : "Shared", d->run[a]->refused,
				d->run[a]->n);
	if (d->longest > d->model->context)
		figure_note(fig, ROLE_WARN,
			"The longest request has %.0f tokens, %s was trained for %.0f: it is "
			"served all the same.",
			d->longest, d->model->name, d->model->context);
	const struct trace *trace = trace_at(d->t, v[DISAGG_TRACE]);
	if (v[DISAGG_ARRIVALS] == ARRIVALS_TRACE && !trace_has_gaps(trace))
		trace_warn_gaps(fig, trace);
	if (v[DISAGG_LENGTHS] == LENGTHS_TRACE && !trace)
		figure_note(fig, ROLE_WARN, "There is no trace; fixed lengths stand in.");
}

/* What services and papers say. tests/test_disaggregation.c holds this model to these within 20 %. */
static void state_published(struct figure *fig)
{
	/* Zhong et al., DistServe, OSDI 2024: requests/s of one A100, 13B, 512 + 64 tokens. */
	double distserve = CALL(pool_ratio, .prompt_tokens = 1, .hit_ratio = 0, .prefill_rate = 5.6,
		.output_tokens = 1, .decode_rate = 10);
	/* DeepSeek-V3/R1 Inference System Overview, 2025: a day's tokens, and those of a node a
	 * second. */
	double deepseek = CALL(pool_ratio, .prompt_tokens = 608e9, .hit_ratio = 0,
		.prefill_rate = 73.7e3, .output_tokens = 168e9, .decode_rate = 14.8e3);
	figure_assume(fig,
		"held within 20 %% of: DistServe's %.2g prefill GPUs for each that decodes (13B, "
		"A100, 512 + 64 tokens), though not of its rates, which an older engine made",
		distserve);
	figure_assume(fig,
		"held within 20 %% of: DeepSeek-V3 on H800, prefill of its profile, decode of its "
		"service; its day takes %.2g prefill nodes for each decode node",
		deepseek);
}

static void state_assumptions(const struct disaggregation *d, struct figure *fig)
{
	figure_assume(fig,
		"goodput: requests a second whose first token and mean gap are in time, of %zu",
		d->setup[SHARED].n);
	figure_assume(fig, "kernel times %s; weights in %s, cache in %s",
		d->gpu->achieved.measured ? "fitted to measurements"
					  : "with the constants of the family",
		weights_name(d->model, d->weights), value_type_names[d->cache]);
	figure_assume(fig,
		"a first token of two pools: prefill, transfer, then a step of the decode "
		"server, which recomputes the last prompt token (vLLM)");
	figure_assume(fig, "requests go to servers in turn; a transfer waits for both ends");
	if (d->v[DISAGG_HIT] > 0)
		figure_assume(fig, "prefixes: found wherever they lie, for the router knows; uses "
				   "come at exponential times; running requests keep their room");
	state_published(fig);
	figure_leave_out(fig, "how a transfer is agreed on, and room kept on both sides meanwhile");
	figure_leave_out(fig, "decode servers that have a part of the prefix already");
	figure_leave_out(fig, "routers that look at queues, pools that change their size");
	figure_leave_out(fig, "time of the scheduler and the sampler on the CPU");
}

static void describe(const struct disaggregation *d, struct figure *fig)
{
	figure_subtitle(fig, "%s on %g x %s · %g prefill + %g decode · %s req/s", d->model->name,
		d->gpus, d->gpu->name, d->v[DISAGG_PREFILL], d->v[DISAGG_DECODE],
		figure_quantity(fig, d->v[DISAGG_RATE], ""));
}

static void add_trace(const struct disaggregation *d, struct figure *fig)
{
	const struct trace *trace = trace_at(d->t, d->v[DISAGG_TRACE]);
	if (trace &&
		(d->v[DISAGG_ARRIVALS] == ARRIVALS_TRACE || d->v[DISAGG_LENGTHS] == LENGTHS_TRACE))
		trace_values(fig, trace);
}

static void present(const struct disaggregation *d, struct figure *fig)
{
	describe(d, fig);
	add_goodput(d, fig);
	add_tails(d, fig);
	add_division(d, fig);
	add_latencies(d, fig);
	add_transfer(d, fig);
	add_pools(d, fig);
	add_trace(d, fig);
	disaggregation_draw_run(d, fig);
	warn(d, fig);
	disaggregation_draw_rest(d, fig);
	explain(d, fig);
	state_assumptions(d, fig);
	if (d->v[DISAGG_CHUNK] <= 0)
		figure_left_open(fig, "chunk_tokens",
			(double)d->setup[SHARED].decode.chunk_tokens / d->v[DISAGG_COPIES]);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct arena arena = { 0 };
	struct disaggregation *d = arena_alloc(&arena, sizeof *d);
	if (!d) {
		fig->arena.failed = true;
		return;
	}
	d->t = t;
	d->v = v;
	d->arena = &arena;
	set_up(d);
	if (!arena.failed)
		simulate(d);
	/* The curves take longest, and a first frame does without them. */
	fig->unfinished = fig->hurried;
	if (!arena.failed && !fig->hurried)
		try_divisions(d);
	if (!arena.failed)
		present(d, fig);
	if (arena.failed)
		fig->arena.failed = true;
	arena_release(&arena);
}

const struct sim disaggregation_sim = {
	.id = "disaggregation",
	.title = "Disaggregation",
	.summary = "Prefill and decode on GPUs of their own, against sharing them: goodput and the "
		   "best ratio",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_DISAGG_KNOBS,
	.STORY(DISAGG_PREFILL, DISAGG_DECODE, DISAGG_RATE, DISAGG_PROMPT, DISAGG_LINK, DISAGG_ITL,
		DISAGG_MODEL),
	.try = "Turn the network to 3 GB/s, then the prompt to 512. Who wins each time?",
	.run = run,
	.slow = true,
};
