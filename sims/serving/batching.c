/* The simulation `batching`: the same requests on an LLM server under static, dynamic and
 * continuous batching; latency against load; the KV cache. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/architecture/model_architecture.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "sims/base/stats.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/serving.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/gpu/precision.h"
#include "sims/gpu/room.h"
#include "sims/figure/uncovered.h"
#include "sims/published/measured.h"
#include "sims/published/overlay.h"
#include "sims/serving/serving.h"
#include "sims/serving/trace_figure.h"
#include "sims/tables/trace.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum batching_knob {
	BATCHING_POLICY,
	BATCHING_ARRIVALS,
	BATCHING_RATE,
	BATCHING_MAX_BATCH,
	BATCHING_OUTPUT_TOKENS,
	BATCHING_PROMPT_TOKENS,
	BATCHING_LENGTHS,
	BATCHING_LENGTH_CV,
	BATCHING_CV,
	BATCHING_CONCURRENCY,
	BATCHING_TRACE,
	BATCHING_LOADED,
	BATCHING_TIMEOUT,
	BATCHING_CHUNK_TOKENS,
	BATCHING_MODEL,
	BATCHING_GPU,
	BATCHING_TP,
	BATCHING_COPIES,
	BATCHING_EP,
	BATCHING_HOT,
	BATCHING_OVERLAP,
	BATCHING_GRAPHS,
	BATCHING_HOST,
	BATCHING_CACHED,
	BATCHING_WEIGHTS,
	BATCHING_ACTIVATIONS,
	BATCHING_KV_DTYPE,
	BATCHING_KV_GB,
	BATCHING_PAGING,
	BATCHING_BLOCK_TOKENS,
	BATCHING_MAX_LEN,
	BATCHING_SLO_TTFT,
	BATCHING_SLO_ITL,
	BATCHING_STEP,
	BATCHING_STEP_MS,
	BATCHING_REQUESTS,
	BATCHING_SEED,
	N_BATCHING_KNOBS
};

/* One setting of the knobs, and what comes of it under each policy. */
struct batching {
	const double *v;
	const struct model *model;
	const struct accelerator *gpu;
	enum serving_policy policy; /* the chosen one */
	enum value_type weights, cache;
	enum dtype activations;
	struct engine_layout layout;
	struct engine_shape engine;
	double gpus; /* of all copies */
	double weight_bytes, kv_bytes_per_token, cache_bytes;
	struct serving_setup setup; /* for the chosen policy; the others differ in that only */
	double mean_prompt, mean_output, longest; /* of the requests, in tokens */
	double history;                           /* of a prompt, in the cache when it comes */
	struct serving_run run[N_SERVING_POLICIES];
	struct serving_summary sum[N_SERVING_POLICIES];
	struct arena *arena; /* holds all of this */
};

static const char *const batching_policy_ids[] = { "static", "dynamic", "continuous", NULL };
static const char *const arrival_ids[] = { "poisson", "gamma", "trace", "closed", NULL };
static const char *const length_ids[] = { "fixed", "exponential", "uniform", "lognormal", "trace",
	NULL };
static const char *const arrival_names[] = { "Poisson", "gamma", "trace", "closed loop" };
enum { STEP_ROOFLINE, STEP_FIXED };
static const char *const step_ids[] = { "roofline", "fixed", NULL };

static_assert(LENGTH(arrival_ids) == LENGTH(arrival_names) + 1, "a name for every choice");

static const struct knob knobs[N_BATCHING_KNOBS] = {
	[BATCHING_POLICY] = KNOB_CHOICE_OF("policy", "policy", batching_policy_ids, NULL,
		"continuous",
		"static and dynamic hold every slot until the longest of the batch is done; "
		"continuous refills a slot at the next iteration"),
	[BATCHING_ARRIVALS] = KNOB_CHOICE_OF("arrivals", "arrivals", arrival_ids, arrival_names,
		"poisson",
		"gamma and trace come in bursts, which wait longer at the same load; closed: each "
		"of so many users waits for the answer, so a slow server is asked less",
		.group = "arrivals"),
	[BATCHING_RATE] = KNOB_FACTOR("rate_per_s", "rate", "req/s", 0.01, 1000, 1, 1.25,
		"waits grow as 1/(1 - load): they are small until just before the policy's "
		"capacity, and beyond it they grow for as long as the load lasts",
		.when = { WHEN(
			BATCHING_ARRIVALS, ARRIVALS_POISSON, ARRIVALS_GAMMA, ARRIVALS_TRACE) }),
	[BATCHING_MAX_BATCH] = KNOB_DOUBLING("max_batch", "max batch", "", 1, 1024, 16,
		"weights are read once per iteration for all slots, so throughput grows with "
		"them; so do the iteration and, under static batching, the wait for the longest "
		"of more; of each copy of attention"),
	[BATCHING_OUTPUT_TOKENS] = KNOB_DOUBLING("output_tokens", "output", "token", 1, 32768, 256,
		"one iteration per token: sets how long a slot is taken",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL,
			LENGTHS_UNIFORM, LENGTHS_LOGNORMAL) }),
	[BATCHING_PROMPT_TOKENS] = KNOB_DOUBLING("prompt_tokens", "prompt", "token", 1, 131072, 512,
		"prefilled in parallel, bound by compute: it delays everybody's next token, "
		"unless it comes in chunks",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL,
			LENGTHS_UNIFORM, LENGTHS_LOGNORMAL) },
		.group = "lengths"),
	[BATCHING_LENGTHS] = KNOB_CHOICE_OF("lengths", "lengths", length_ids, NULL, "exponential",
		"equal lengths leave a static batch nothing to waste; the longest of B "
		"exponential ones is 1 + 1/2 + ... + 1/B times the mean"),
	[BATCHING_LENGTH_CV] = KNOB_LINEAR("length_cv", "length cv", "", 0, 4, 1, 0.1,
		"the wider they spread, the longer a static batch waits for its longest",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_LOGNORMAL) }, .group = "lengths"),
	[BATCHING_CV] = KNOB_LINEAR("cv", "burstiness", "", 0.1, 10, 2, 0.1,
		"of gamma gaps: 1 is Poisson; waits grow with its square (Kingman)",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_GAMMA) }, .group = "arrivals"),
	[BATCHING_CONCURRENCY] = KNOB_DOUBLING("concurrency", "users", "", 1, 32768, 32,
		"beyond the batch that runs at once, more users only wait longer (Little)",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_CLOSED) }, .group = "arrivals"),
	[BATCHING_TRACE] = KNOB_ANY_TRACE("azure-conv",
		"conversations have long answers, code completions long prompts; bursts stay, "
		"stretched to the rate; your own: trace=FILE.csv on the command line",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_TRACE),
			WHEN(BATCHING_LENGTHS, LENGTHS_TRACE) },
		.group = "arrivals"),
	[BATCHING_TIMEOUT] = KNOB_FACTOR("timeout_ms", "batch timeout", "ms", 0, 60000, 8000, 2,
		"how long the first of a batch waits for it to fill: fuller batches for a later "
		"first token",
		.when = { WHEN(BATCHING_POLICY, SERVING_DYNAMIC) }, .group = "engine"),
	[BATCHING_CHUNK_TOKENS] = KNOB_DOUBLING("chunk_tokens", "prefill chunk", "token", 16, 65536,
		PREFILL_CHUNK_TOKENS,
		"prompt tokens per iteration, of each copy of attention: smaller chunks protect "
		"the ITL of running decodes and raise the TTFT of long prompts",
		.when = { WHEN(BATCHING_POLICY, SERVING_CONTINUOUS) }),
	[BATCHING_MODEL] = KNOB_ANY_PARTS_OF("model", "model", "llama3-8b",
		"its weights are read in every iteration, its layers and KV heads set the cache "
		"per token",
		.group = "engine"),
	[BATCHING_GPU] = KNOB_ANY_GPU("a100",
		"bandwidth sets the decode step, compute the prefill, memory what is left for "
		"cache"),
	[BATCHING_TP] = KNOB_DOUBLING("tp", "tensor parallel", "GPU", 1, 16, 1,
		"GPUs that share every layer: less weight and more room for cache on each, for "
		"two all-reduces per layer in every iteration",
		.group = "engine"),
	[BATCHING_COPIES] = KNOB_DOUBLING("attn_dp", "copies of attention", "", 1, 256, 1,
		"each has requests of its own, on `tp` GPUs; they share a mixture's experts, to "
		"which tokens travel and back in every layer",
		.group = "engine"),
	[BATCHING_EP] = KNOB_DOUBLING("ep", "expert groups", "", 1, 1024, 1,
		"GPUs that hold some experts whole instead of a part of each: products stay "
		"large, and the busiest group holds the others",
		.group = "engine"),
	[BATCHING_LOADED] = KNOB_LINEAR("loaded_pct", "loaded", "%", 1, 100, 100, 5,
		"share of a day's time that comes to such a load: what a GPU does in the mean "
		"over all the time that it is held; latencies are those of the load",
		.group = "arrivals"),
	[BATCHING_HOT] = KNOB_LINEAR("imbalance", "busiest group", "", 1, 8, 1, 0.1,
		"tokens that come to it, in those of the mean group, beyond what chance does: "
		"all others wait for it",
		.group = "engine"),
	[BATCHING_OVERLAP] = KNOB_SWITCH("overlap", "two batches in turn", 0,
		"one half of the batch computes while the tokens of the other travel: that hides "
		"the shorter of the two, and reads the weights twice",
		.group = "engine"),
	[BATCHING_GRAPHS] = KNOB_SWITCH("graphs", "CUDA graphs", 1,
		"all kernels of an iteration launched at once; off: by Python, layer by layer, "
		"which takes longer than a small batch computes",
		.group = "engine"),
	[BATCHING_HOST] = KNOB_FACTOR("host_ms", "CPU in between", "ms", 0, 100, 0, 2,
		"scheduling, inputs and sampling between two iterations, while the GPU waits: 1 "
		"to 5 ms, where nothing of it is overlapped",
		.group = "engine"),
	[BATCHING_CACHED] = KNOB_LINEAR("cached_pct", "prompts in cache", "%", 0, 100, 0, 5,
		"share of each prompt whose keys and values are there before it comes: a shared "
		"prefix; at 100 all but its last token, as in a pool that only decodes",
		.group = "KV cache"),
	[BATCHING_WEIGHTS] = KNOB_CHOICE_OF("weight_dtype", "weights", value_type_ids,
		value_type_names, "bf16",
		"narrower weights are read sooner in every iteration and leave room for cache; "
		"arithmetic gains only where the GPU has units for them",
		.also = "quant_bits", .aliases = value_type_aliases, .group = "engine"),
	[BATCHING_ACTIVATIONS] = KNOB_CHOICE_OF("act_dtype", "activations", activation_ids,
		activation_names, "auto",
		"as the weights where the GPU computes in their type; in 16 bits the weights are "
		"widened on their way",
		.group = "engine"),
	[BATCHING_KV_DTYPE] = KNOB_CHOICE_OF("kv_dtype", "cache type", value_type_ids,
		value_type_names, "bf16",
		"half the bytes a token: room for twice the requests, and half to read in every "
		"iteration",
		.aliases = value_type_aliases, .group = "KV cache"),
	[BATCHING_KV_GB] = KNOB_FACTOR("kv_GB", "KV cache", "GB", 0, 10000, 0, 2,
		"auto: nine tenths of the GPUs' memory less the weights; it bounds how many "
		"requests can run at once",
		.zero = "auto", .group = "KV cache"),
	[BATCHING_PAGING] = KNOB_SWITCH("paging", "paged KV", 1,
		"blocks as a request grows, at most one of them partly empty; off: each reserves "
		"its longest possible length at once",
		.group = "KV cache"),
	[BATCHING_BLOCK_TOKENS] = KNOB_DOUBLING("block_tokens", "block", "token", 1, 1024,
		KV_BLOCK_TOKENS,
		"half a block per request stays empty on average; smaller ones only cost the "
		"kernel's look-ups",
		.when = { WHEN(BATCHING_PAGING, KNOB_ON) }, .group = "KV cache"),
	[BATCHING_MAX_LEN] = KNOB_LINEAR("max_len", "reservation", "token", 0, 1e6, 0, 1024,
		"what every request reserves; auto is the model's context", .zero = "auto",
		.integer = true, .when = { WHEN(BATCHING_PAGING, KNOB_OFF) }, .group = "KV cache"),
	[BATCHING_SLO_TTFT] = KNOB_FACTOR("slo_ttft_ms", "TTFT limit", "ms", 1, 1e6, 1000, 1.25,
		"requests whose first token comes later do not count as goodput",
		.group = "limits"),
	[BATCHING_SLO_ITL] = KNOB_FACTOR("slo_itl_ms", "ITL limit", "ms", 1, 1e5, 50, 1.25,
		"requests whose tokens come slower on average do not count as goodput",
		.group = "limits"),
	[BATCHING_STEP] = KNOB_CHOICE_OF("step", "iteration", step_ids, NULL, "roofline",
		"fixed: an iteration takes the same time whatever is in it, so that only "
		"scheduling is left (static against continuous is then E[longest]/E[length])",
		.group = "engine"),
	[BATCHING_STEP_MS] = KNOB_FACTOR("step_ms", "fixed step", "ms", 0.01, 10000, 10, 1.25,
		"it scales every time and no ratio", .when = { WHEN(BATCHING_STEP, STEP_FIXED) },
		.group = "engine"),
	[BATCHING_REQUESTS] = KNOB_DOUBLING("requests", "requests", "", 1, 20000, 400,
		"a longer run settles the tail: a 99th percentile of 400 rests on four requests",
		.group = "arrivals"),
	[BATCHING_SEED] =
		KNOB_SEED(0, 1e6, "other requests of the same kind: what changes with it is chance",
			.group = "arrivals"),
};

/* How many requests are logged for the pictures: those of the first batches. */
static size_t watched(const struct batching *b)
{
	size_t first = 2 * b->setup.max_batch + 256, n = (size_t)b->v[BATCHING_REQUESTS];
	return first < n ? first : n;
}

static struct serving_workload workload_of(const struct batching *b, const struct tables *t)
{
	const double *v = b->v;
	struct serving_workload w = { .arrivals = (enum arrival_law)v[BATCHING_ARRIVALS],
		.lengths = (enum length_law)v[BATCHING_LENGTHS],
		.arrival_cv = v[BATCHING_CV],
		.length_cv = v[BATCHING_LENGTH_CV],
		.prompt_tokens = v[BATCHING_PROMPT_TOKENS],
		.output_tokens = v[BATCHING_OUTPUT_TOKENS],
		.trace = trace_at(t, v[BATCHING_TRACE]),
		.seed = (uint64_t)v[BATCHING_SEED] };
	workload_settle(&w);
	return w;
}

/* Weights lie once over the group; KV heads are repeated where there are fewer than GPUs. A token takes
 * what it does in the mean of a request: windows and states do not grow with it. */
static void find_memory(struct batching *b)
{
	const struct engine_layout *how = &b->layout;
	double length = b->mean_prompt + b->mean_output;
	b->weight_bytes =
		model_weight_bytes_copied(b->model, value_type_dtype(b->weights), how->copies);
	b->kv_bytes_per_token =
		model_cache_bytes(b->model, value_type_dtype(b->cache), length, how->tp) / length;
	b->cache_bytes =
		b->v[BATCHING_KV_GB] > 0
			? b->v[BATCHING_KV_GB] * 1e9
			: ENGINE_MEMORY_SHARE * b->gpus * b->gpu->memory_bytes - b->weight_bytes;
}

/* The share of each prompt that is there already is not prefilled, all but the last token of it at most.
 * Every request finds as much as the mean one: that is what the server's model knows. */
static void find_history(struct batching *b, struct request *q, size_t n)
{
	double found = 0;
	for (size_t i = 0; q && i < n; i++) {
		double all = q[i].prompt_tokens;
		q[i].prompt_tokens = fmax(1, round(all * (1 - b->v[BATCHING_CACHED] / 100)));
		found += (all - q[i].prompt_tokens) / (double)n;
	}
	b->history = round(found);
	b->setup.history_tokens = (int64_t)b->history;
}

static void find_requests(struct batching *b, const struct tables *t)
{
	struct serving_workload w = workload_of(b, t);
	size_t n = b->setup.n;
	struct request *q = workload_requests(b->arena, &w, n);
	b->setup.requests = q;
	const struct request_lengths l = request_lengths(q, q ? n : 0);
	b->mean_prompt = l.prompt;
	b->mean_output = l.output;
	b->longest = l.longest;
	if (b->v[BATCHING_CACHED] > 0)
		find_history(b, q, n);
}

static void set_up(struct batching *b, const struct tables *t)
{
	const double *v = b->v;
	b->model = model_at(t, v[BATCHING_MODEL]);
	b->gpu = gpu_at(t, v[BATCHING_GPU]);
	assert(b->gpu->bandwidth > 0); /* no table is read without it */
	b->policy = (enum serving_policy)v[BATCHING_POLICY];
	b->weights = (enum value_type)v[BATCHING_WEIGHTS];
	b->cache = (enum value_type)v[BATCHING_KV_DTYPE];
	b->activations =
		activation_dtype(b->gpu, b->weights, (enum activation)v[BATCHING_ACTIVATIONS]);
	b->gpus = v[BATCHING_TP] * v[BATCHING_COPIES];
	b->layout = (struct engine_layout){ .tp = v[BATCHING_TP],
		.copies = v[BATCHING_COPIES],
		.ep = fmin(v[BATCHING_EP], b->gpus),
		.hot = v[BATCHING_HOT],
		.overlap = v[BATCHING_OVERLAP] > 0 };
	b->engine = engine_shape_spread(b->model, b->gpu, &b->layout, b->weights,
		(enum activation)v[BATCHING_ACTIVATIONS], b->cache);
	b->engine.host_s = v[BATCHING_HOST] / 1e3;
	b->engine.eager_s = v[BATCHING_GRAPHS] > 0 ? 0 : EAGER_LAYER_S * b->model->layers;
	b->setup = (struct serving_setup){
		.policy = b->policy,
		.n = (size_t)v[BATCHING_REQUESTS],
		.gap_s = 1 / v[BATCHING_RATE],
		.users = v[BATCHING_ARRIVALS] == ARRIVALS_CLOSED ? (size_t)v[BATCHING_CONCURRENCY]
								 : 0,
		.engine = &b->engine,
		.fixed_step_s = v[BATCHING_STEP] == STEP_FIXED ? v[BATCHING_STEP_MS] / 1e3 : 0,
		.max_batch = (size_t)(v[BATCHING_MAX_BATCH] * v[BATCHING_COPIES]),
		.timeout_s = v[BATCHING_TIMEOUT] / 1e3,
		.paged = v[BATCHING_PAGING] > 0,
		.block_tokens = (int64_t)v[BATCHING_BLOCK_TOKENS],
		.reserve_tokens = (int64_t)(v[BATCHING_MAX_LEN] > 0 ? v[BATCHING_MAX_LEN]
								    : b->model->context),
		.chunk_tokens = (int64_t)(v[BATCHING_CHUNK_TOKENS] * v[BATCHING_COPIES]),
		.watch = watched(b),
	};
	if (b->setup.users)
		b->setup.n = closed_loop_requests(b->setup.n, b->setup.users);
	find_requests(b, t);
	find_memory(b);
	b->setup.cache_tokens = fmax(0, b->cache_bytes / b->kv_bytes_per_token);
}

static void simulate(struct batching *b)
{
	for (int p = 0; p < N_SERVING_POLICIES; p++) {
		struct serving_setup setup = b->setup;
		setup.policy = (enum serving_policy)p;
		b->run[p] = serving_simulate(b->arena, &setup);
		b->sum[p] = serving_summarise(b->arena, &setup, &b->run[p],
			b->v[BATCHING_SLO_TTFT] / 1e3, b->v[BATCHING_SLO_ITL] / 1e3);
	}
}

static double batching_capacity_per_s(const struct batching *b)
{
	double prompt = b->mean_prompt - b->history, output = b->mean_output,
	       chunk = (double)b->setup.chunk_tokens;
	double whole = b->mean_prompt + output, fits = b->setup.cache_tokens / whole;
	double n = fmax(1, fmin((double)b->setup.max_batch, floor(fits)));
	if (b->setup.fixed_step_s > 0)
		return fmin(n / (output + ceil(prompt / chunk) - 1), fmax(1, chunk / prompt)) /
		       b->setup.fixed_step_s;
	double part = fmin(chunk, prompt);
	double prefill_s = engine_step_s(&b->engine, 0, 0, part, b->history + (prompt - part) / 2) *
			   prompt / part;
	double decode_s = engine_step_s(&b->engine, n, n * (b->mean_prompt + output / 2), 0, 0) / n;
	return 1 / (prefill_s + (output - 1) * decode_s);
}

static bool batching_overloaded(const struct batching *b, enum serving_policy p)
{
	enum { TOO_FEW = 50 };
	const struct serving_run *run = &b->run[p];
	if (b->setup.users || run->n < TOO_FEW || run->refused)
		return false;
	double last_s = run->served[run->n - 1].arrival_s;
	size_t there = 0;
	for (size_t i = 0; i < run->n; i++)
		there += run->served[i].finish_s > last_s;
	return (double)there > fmax(2 * (double)b->setup.max_batch, 0.15 * (double)run->n) &&
	       b->sum[p].requests_per_s * last_s < 0.93 * (double)(run->n - 1);
}

/* --- Pictures of a run --- */

enum { N_SHOWN = 3, MAX_SLOTS = 8 };

static const char *const kind_names[N_SPAN_KINDS] = { "decode", "prefill", "held for nothing",
	"waiting", "preempted" };
static const enum meaning kind_means[N_SPAN_KINDS] = { MEANS_COMPUTE, MEANS_TRAFFIC, MEANS_HELD,
	MEANS_WAITING, MEANS_SECOND };

/* The first and the last request of the first static batch, and the first that came too late for
 * it: who waits for others to come, who joins at once, and who waits behind a whole batch. */
struct batching_shown {
	size_t id[N_SHOWN];
	size_t n;
	double end_s; /* when the last of them is done */
	size_t kinds; /* of spans in the legend: preemption is rare */
};

static bool is_served(const struct serving_run *run, size_t id)
{
	return isfinite(run->served[id].finish_s);
}

static void see(struct batching_shown *s, const struct serving_span *span)
{
	for (size_t k = 0; k < s->n; k++) {
		if (span->request != s->id[k])
			continue;
		s->end_s = fmax(s->end_s, span->end_s);
		if (span->kind == SPAN_PREEMPTED)
			s->kinds = N_SPAN_KINDS;
	}
}

static struct batching_shown pick(const struct batching *b)
{
	const struct serving_run *run = &b->run[SERVING_STATIC];
	struct batching_shown s = { .kinds = SPAN_PREEMPTED };
	size_t n = run->n < b->setup.watch ? run->n : b->setup.watch, first = 0, last;
	while (first < n && !is_served(run, first))
		first++;
	if (first == n)
		return s;
	s.id[s.n++] = last = first;
	size_t next = first + 1;
	for (; next < n && run->served[next].first_s <= run->served[first].first_s; next++)
		if (is_served(run, next))
			last = next;
	while (next < n && !is_served(run, next))
		next++;
	if (last != first)
		s.id[s.n++] = last;
	if (next < n)
		s.id[s.n++] = next;
	for (int p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_log *log = &b->run[p].log;
		for (size_t i = 0; i < log->n_spans; i++)
			see(&s, &log->spans[i]);
	}
	return s;
}

static void draw_requests(
	const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	const char *lanes[N_SERVING_POLICIES * N_SHOWN];
	size_t n = 0;
	for (int p = 0; p < N_SERVING_POLICIES; p++)
		for (size_t k = 0; k < s->n; k++)
			lanes[n++] =
				figure_text(fig, "%s #%zu", batching_policy_ids[p], s->id[k] + 1);
	struct timeline *t = figure_timeline(
		fig, "Three of the requests, under each policy", lanes, n, kind_names, s->kinds);
	timeline_mean(fig, t, kind_means, s->kinds);
	figure_tab(fig, "Requests");
	for (unsigned p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_log *log = &b->run[p].log;
		for (size_t i = 0; i < log->n_spans; i++) {
			const struct serving_span *span = &log->spans[i];
			for (unsigned k = 0; k < s->n; k++)
				if (span->request == s->id[k])
					timeline_span(fig, t, p * (unsigned)s->n + k, span->kind,
						span->start_s, span->end_s, NULL);
		}
	}
}

/* The share of slot time that is held without use, as every place on the screen has it. */
static const char *held_text(struct figure *fig, const struct serving_summary *s)
{
	const double pct = 100 * s->idle_slot_ratio, whole_from = 10;
	return figure_quantity(fig, pct < whole_from ? pct : round(pct), "%");
}

/* A policy has one colour in all plots, and none that a pass or a wait has in the picture of slots. */
static const enum meaning policy_means[N_SERVING_POLICIES] = { MEANS_KIND + 5, MEANS_KIND + 4,
	MEANS_KIND + 2 };

/* The policy that continuous batching is shown beside. */
static enum serving_policy batch_policy(const struct batching *b)
{
	return b->policy == SERVING_DYNAMIC ? SERVING_DYNAMIC : SERVING_STATIC;
}

/* One slot of a policy's engine, in a lane, until end_s. The request that others are held for has its
 * number. */
static void draw_slot(const struct batching *b, enum serving_policy policy, size_t slot,
	size_t numbered, struct figure *fig, struct timeline *t, unsigned lane, double end_s)
{
	const struct serving_log *log = &b->run[policy].log;
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		if (span->kind == SPAN_WAITING || span->kind == SPAN_PREEMPTED ||
			span->slot != slot || span->start_s >= end_s)
			continue;
		char label[16] = "";
		if (span->request == numbered)
			snprintf(label, sizeof label, "#%u", span->request + 1);
		timeline_span(fig, t, lane, span->kind, span->start_s, fmin(span->end_s, end_s),
			span->kind == SPAN_DECODE ? label : NULL);
	}
}

/* Whether all requests have come before the first of them is done, and are so few that the slots are
 * soon empty: no load that lasts, but one batch that drains. */
static bool is_one_burst(const struct batching *b)
{
	enum { FEW_ROUNDS = 8 };
	const struct serving_run *run = &b->run[b->policy];
	double first_s = INFINITY;
	for (size_t i = 0; i < run->n; i++)
		first_s = fmin(first_s, run->served[i].finish_s);
	return !b->setup.users && run->n > 1 && run->n <= FEW_ROUNDS * b->setup.max_batch &&
	       run->served[run->n - 1].arrival_s < first_s;
}

/* The request that ends last of those that started together with the first: all others of its batch
 * are held until then. Of a burst under continuous batching, the one that ends last of all. */
static size_t longest_of(const struct batching *b, enum serving_policy policy, size_t first)
{
	const struct serving_run *run = &b->run[policy];
	const bool all = policy == SERVING_CONTINUOUS;
	size_t longest = first;
	double last_s = 0;
	for (size_t i = 0; i < run->log.n_spans; i++) {
		const struct serving_span *span = &run->log.spans[i];
		bool with = all || run->served[span->request].first_s == run->served[first].first_s;
		if (span->kind != SPAN_DECODE || span->end_s <= last_s || !with)
			continue;
		last_s = span->end_s;
		longest = span->request;
	}
	return longest;
}

/* The slot in which a request is done, or the first where it has none before the end. */
static size_t slot_of(
	const struct batching *b, enum serving_policy policy, size_t request, double end_s)
{
	const struct serving_log *log = &b->run[policy].log;
	size_t slot = 0;
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		if (span->request == request && span->kind == SPAN_DECODE && span->start_s < end_s)
			slot = span->slot;
	}
	return slot;
}

/* Whether a slot of its batch is held until that one is free. */
static bool is_held(const struct batching *b, enum serving_policy policy, size_t first)
{
	const struct serving_run *run = &b->run[policy];
	for (size_t i = 0; i < run->log.n_spans; i++) {
		const struct serving_span *span = &run->log.spans[i];
		if (span->kind == SPAN_HELD &&
			run->served[span->request].first_s == run->served[first].first_s)
			return true;
	}
	return false;
}

/* So many slots are at work until then, the first ones: those that are free all the time show nothing. */
static size_t slots_used(const struct batching *b, enum serving_policy policy, double end_s)
{
	const struct serving_log *log = &b->run[policy].log;
	size_t used = 1;
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		bool works = span->kind == SPAN_DECODE || span->kind == SPAN_PREFILL;
		if (works && span->start_s < end_s && span->slot >= used)
			used = span->slot + 1;
	}
	return used;
}

/* How many requests wait at a moment. */
static size_t waiting_at(const struct serving_log *log, double at_s)
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		n += span->kind == SPAN_WAITING && span->start_s <= at_s && at_s < span->end_s;
	}
	return n;
}

/* Few enough stretches of time that a narrow window has room in each for a number and its word. */
enum { STRETCHES = 5 };

/* The moments until then at which some leave the queue, ascending; more than STRETCHES of them are not
 * told, and SIZE_MAX is returned. */
static size_t launches(const struct serving_log *log, double end_s, double at_s[STRETCHES])
{
	size_t n = 0;
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		size_t at = 0;
		if (span->kind != SPAN_WAITING || span->end_s > end_s)
			continue;
		while (at < n && at_s[at] < span->end_s)
			at++;
		if (at < n && at_s[at] == span->end_s)
			continue;
		if (n == STRETCHES)
			return SIZE_MAX;
		memmove(at_s + at + 1, at_s + at, (n++ - at) * sizeof *at_s);
		at_s[at] = span->end_s;
	}
	return n;
}

static int by_start(const void *a, const void *b)
{
	const double x = ((const struct serving_span *)a)->start_s;
	const double y = ((const struct serving_span *)b)->start_s;
	return (x > y) - (x < y);
}

/* The waits that begin before the end, in the order in which they do, in the figure's arena. */
static struct serving_span *waits_of(
	const struct serving_log *log, struct figure *fig, double end_s, size_t *n)
{
	struct serving_span *waits = arena_array(&fig->arena, log->n_spans, sizeof *waits);
	*n = 0;
	for (size_t i = 0; waits && i < log->n_spans; i++)
		if (log->spans[i].kind == SPAN_WAITING && log->spans[i].start_s < end_s)
			waits[(*n)++] = log->spans[i];
	if (waits)
		qsort(waits, *n, sizeof *waits, by_start);
	return waits;
}

/* The queue: where batches leave it and those that wait are few enough to be told apart, a dot for each at the
 * moment at which it came; else how many wait in a stretch of time. */
static void draw_queue(const struct serving_run *run, struct figure *fig, struct timeline *t,
	unsigned lane, double end_s)
{
	const struct serving_log *log = &run->log;
	enum { MOST_DOTS = 40 };
	double at_s[STRETCHES];
	size_t n_waits = 0;
	const struct serving_span *waits =
		launches(log, end_s, at_s) != SIZE_MAX ? waits_of(log, fig, end_s, &n_waits) : NULL;
	const bool told_apart = waits && n_waits <= MOST_DOTS;
	for (size_t i = 0, next; told_apart && i < n_waits; i = next) {
		for (next = i + 1; next < n_waits && waits[next].start_s <= waits[i].start_s;
			next++)
			;
		/* A lane has one span at a time: the next that comes ends it. */
		double until_s = next < n_waits ? waits[next].start_s : end_s;
		timeline_count(fig, t, lane, SPAN_WAITING, waits[i].start_s,
			fmin(waits[next - 1].end_s, until_s), (unsigned)(next - i), "wait");
	}
	if (told_apart)
		return;
	for (int i = 0; i < STRETCHES; i++) {
		size_t n = waiting_at(log, end_s * (i + 0.5) / STRETCHES);
		if (n > 0)
			timeline_count(fig, t, lane, SPAN_WAITING, end_s * i / STRETCHES,
				end_s * (i + 1) / STRETCHES, (unsigned)n, "wait");
	}
}

/* The slot in a lane of n: they stand in their order, and one that is wanted and beyond them has the last. */
static size_t slot_at(size_t lane, size_t n, size_t wanted)
{
	return lane + 1 == n && wanted >= n ? wanted : lane;
}

/* The lesson's picture: the queue and the slots of batch by batch above those of continuous batching,
 * with one clock and the same requests. The lane of a queue is headed by its policy. A window shows as
 * many slots of each as it has rows for, but no more than tell the story, in their order, and always that
 * of the longest request of the first batch: the others are held for it. */
static void draw_both(const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	static const char *const kinds[] = { "decode", "prefill", "held for nothing", "waiting" };
	const char *lanes[2 * (MAX_SLOTS + 1)];
	unsigned char ranks[2 * (MAX_SLOTS + 1)];
	size_t n = 0;
	const enum serving_policy both[] = { batch_policy(b), SERVING_CONTINUOUS };
	const size_t longest = longest_of(b, both[0], s->id[0]);
	size_t slots[2], wants[2], without = 0;
	for (size_t p = 0; p < 2; p++) {
		const size_t request =
			p == 1 && is_one_burst(b) ? longest_of(b, both[p], s->id[0]) : longest;
		const size_t wanted = slot_of(b, both[p], request, s->end_s);
		const size_t used = slots_used(b, both[p], s->end_s);
		slots[p] = used < MAX_SLOTS ? used : MAX_SLOTS;
		without += used - slots[p];
		ranks[n] = 0;
		lanes[n++] = batching_policy_ids[both[p]];
		for (size_t i = 0; i < slots[p]; i++) {
			const size_t slot = slot_at(i, slots[p], wanted);
			/* those before the wanted one move up by one */
			size_t place = slot == wanted ? 0 : slot < wanted ? i + 1 : i;
			ranks[n] = (unsigned char)(2 * place + p + 1);
			lanes[n++] = figure_text(fig, "slot %zu", slot + 1);
		}
		wants[p] = wanted;
	}
	const bool held = is_held(b, both[0], s->id[0]);
	const char *title = held ? figure_text(fig, "Slots wait for the longest, #%zu", longest + 1)
				 : "The same requests on one clock";
	struct timeline *t = figure_timeline(fig, title, lanes, n, kinds, LENGTH(kinds));
	timeline_mean(fig, t, kind_means, LENGTH(kinds));
	timeline_rank(fig, t, ranks, n);
	if (t) {
		t->rest = "slots";
		t->without = without;
	}
	figure_tab(fig, "Slots");
	unsigned lane = 0;
	for (size_t p = 0; p < 2; p++) {
		draw_queue(&b->run[both[p]], fig, t, lane++, s->end_s);
		for (size_t i = 0; i < slots[p]; i++)
			draw_slot(b, both[p], slot_at(i, slots[p], wants[p]),
				held ? longest : SIZE_MAX, fig, t, lane++, s->end_s);
	}
}

/* How many have come and are not done, in time. */
static void add_under_way(const struct serving_run *run, struct figure *fig, struct series *line)
{
	double *come_s = arena_array(&fig->arena, run->n, sizeof *come_s);
	double *done_s = arena_array(&fig->arena, run->n, sizeof *done_s);
	size_t come = 0, done = 0;
	if (!come_s || !done_s)
		return;
	for (size_t i = 0; i < run->n; i++) {
		come_s[i] = run->served[i].arrival_s;
		done_s[i] = run->served[i].finish_s;
	}
	sort_ascending(come_s, run->n);
	sort_ascending(done_s, run->n);
	series_point(fig, line, 0, 0);
	while (done < run->n && isfinite(done_s[done])) {
		bool comes = come < run->n && come_s[come] <= done_s[done];
		double at_s = comes ? come_s[come++] : done_s[done++];
		series_point(fig, line, at_s, (double)(come - done));
	}
}

/* Of requests that come together: how the last ones keep everybody waiting who needs them all. */
static void draw_under_way(const struct batching *b, struct figure *fig)
{
	const enum serving_policy both[] = { SERVING_CONTINUOUS, batch_policy(b) };
	if (!is_one_burst(b))
		return;
	struct plot *p = figure_plot(fig, "Requests that are not done yet", "Time", "s",
		AXIS_LINEAR, "Requests", "", AXIS_LINEAR);
	figure_tab(fig, "Under way");
	if (p)
		p->x.is_time = true;
	for (size_t i = 0; i < LENGTH(both); i++)
		add_under_way(&b->run[both[i]], fig,
			plot_series(fig, p, batching_policy_ids[both[i]], SERIES_STEP,
				policy_means[both[i]]));
}

static void draw_numbers(const struct batching *b, struct figure *fig)
{
	static const char *const head[] = { "policy", "median first token", "first token p99",
		"between tokens p99", "tokens/s", "slots held" };
	struct table *t = figure_table(fig, "The three policies in numbers", head, 6, "011111");
	figure_tab(fig, "Numbers");
	for (int p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_summary *s = &b->sum[p];
		table_row(fig, t,
			(const char *[]){ batching_policy_ids[p],
				figure_quantity(fig, s->ttft_p50_s, "s"),
				figure_quantity(fig, s->ttft_p99_s, "s"),
				figure_quantity(fig, s->itl_p99_s, "s"),
				figure_quantity(fig, s->tokens_per_s, ""), held_text(fig, s) });
	}
}

/* Captions in the order in which the playhead meets them. */
struct caption {
	double at_s;
	const char *text;
};
enum { MAX_CAPTIONS = 16 };
struct captions {
	struct caption c[MAX_CAPTIONS];
	size_t n;
};

static void caption(struct captions *all, double at_s, const char *text)
{
	if (all->n < MAX_CAPTIONS && isfinite(at_s))
		all->c[all->n++] = (struct caption){ at_s, text };
}

static int by_time(const void *a, const void *b)
{
	double x = ((const struct caption *)a)->at_s, y = ((const struct caption *)b)->at_s;
	return (x > y) - (x < y);
}

/* When the first batch of a request-level policy started, who was in it, and when it ended. */
struct first_batch {
	double launch_s, end_s, slot_s, held_s;
	size_t members;
	double longest;
};

static struct first_batch first_batch(const struct batching *b, enum serving_policy p, size_t first)
{
	const struct serving_run *run = &b->run[p];
	struct first_batch f = { .launch_s = INFINITY };
	for (size_t i = 0; i < run->log.n_spans; i++) {
		const struct serving_span *s = &run->log.spans[i];
		if (run->served[s->request].first_s != run->served[first].first_s)
			continue;
		if (s->kind == SPAN_PREFILL) {
			f.launch_s = s->start_s;
			f.members++;
			f.longest = fmax(f.longest, b->setup.requests[s->request].output_tokens);
		}
		f.end_s = fmax(f.end_s, s->end_s);
		if (s->kind != SPAN_WAITING)
			f.slot_s += s->end_s - s->start_s;
		if (s->kind == SPAN_HELD)
			f.held_s += s->end_s - s->start_s;
	}
	return f;
}

static void tell_batch(const struct batching *b, enum serving_policy p,
	const struct batching_shown *s, struct captions *all, struct figure *fig)
{
	const struct served *first = &b->run[p].served[s->id[0]];
	struct first_batch f = first_batch(b, p, s->id[0]);
	const char *name = batching_policy_ids[p];
	size_t most = b->setup.max_batch;
	if (!isfinite(f.launch_s))
		return;
	if (f.launch_s > first->arrival_s)
		caption(all, f.launch_s,
			figure_text(fig, "%s: %s after %.3g s, %zu of %zu slots taken", name,
				f.members == most     ? "batch full"
				: p == SERVING_STATIC ? "batch short"
						      : "timeout",
				f.launch_s - first->arrival_s, f.members, most));
	if (f.end_s > first->finish_s)
		caption(all, first->finish_s,
			figure_text(fig,
				"%s: request %zu is done, its slot is held for %.3g s more", name,
				s->id[0] + 1, f.end_s - first->finish_s));
	if (f.held_s > 0)
		caption(all, f.end_s,
			figure_text(fig,
				"%s: the longest (%.0f tokens) ends the batch; %.0f %% of its slot "
				"time was held",
				name, f.longest, 100 * f.held_s / f.slot_s));
}

static void tell(const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	const struct serving_run *run = b->run;
	struct captions all = { .n = 0 };
	size_t first = s->id[0], late = s->id[s->n - 1];
	const struct served *fixed = &run[SERVING_STATIC].served[late];
	const struct served *live = run[SERVING_CONTINUOUS].served;

	caption(&all, live[first].arrival_s,
		figure_text(fig,
			"request %zu arrives: continuous starts it, static waits for a batch of "
			"%zu",
			first + 1, b->setup.max_batch));
	if (isfinite(live[first].finish_s))
		caption(&all, live[first].finish_s,
			figure_text(fig,
				"continuous: request %zu is done, its slot is free for the next "
				"iteration",
				first + 1));
	if (s->n > 1 && isfinite(live[late].first_s) && isfinite(fixed->first_s))
		caption(&all, fixed->arrival_s,
			figure_text(fig,
				"request %zu arrives: first token after %.3g s under continuous, "
				"%.3g s under static batching",
				late + 1, live[late].first_s - live[late].arrival_s,
				fixed->first_s - fixed->arrival_s));
	tell_batch(b, batch_policy(b), s, &all, fig);
	qsort(all.c, all.n, sizeof *all.c, by_time);
	for (size_t i = 0; i < all.n; i++)
		figure_moment(fig, all.c[i].at_s, "%s", all.c[i].text);
}

static void batching_draw_requests(const struct batching *b, struct figure *fig)
{
	struct batching_shown s = pick(b);
	if (s.n == 0)
		return;
	draw_both(b, &s, fig);
	tell(b, &s, fig);
	fig->duration_s = s.end_s;
}

/* What else can be seen of the run. */
static void batching_draw_details(const struct batching *b, struct figure *fig)
{
	struct batching_shown s = pick(b);
	if (s.n == 0)
		return;
	draw_requests(b, &s, fig);
}

/* A paged cache is drawn as one heap of blocks. Otherwise every holder has a rectangle, which is
 * filled as far as those of all holders are on average. */
static void draw_frame(
	struct grid *g, size_t frame, const struct cache_sample *s, double cell_tokens, bool paged)
{
	size_t cells = g->rows * g->cols, holders = paged || !s->holders ? 1 : s->holders;
	double each = s->reserved / (double)holders, used = s->used / (double)holders;
	for (size_t i = 0; i < cells; i++) {
		double at = ((double)i + 0.5) * cell_tokens;
		if (at >= s->reserved)
			return;
		grid_set(g, frame, i / g->cols, i % g->cols, fmod(at, each) < used ? 1 : 2);
	}
}

static void batching_draw_cache(const struct batching *b, struct figure *fig)
{
	enum { ROWS = 6, COLS = 40, MAX_FRAMES = 48 };
	static const char *const kinds[] = { "free", "used", "reserved, empty" };
	const struct serving_log *log = &b->run[b->policy].log;
	double end_s = fig->duration_s, total = b->setup.cache_tokens, times[MAX_FRAMES], most = 0;
	const struct cache_sample *samples[MAX_FRAMES];
	size_t n = 0, inside = 0;
	while (inside < log->n_cache && log->cache[inside].at_s <= end_s) {
		most = fmax(most, log->cache[inside].reserved);
		inside++;
	}
	/* A picture of an empty cache says nothing. */
	if (inside == 0 || most < 0.02 * total)
		return;
	for (size_t i = 0; i < inside; i += 1 + inside / MAX_FRAMES, n++) {
		samples[n] = &log->cache[i];
		times[n] = log->cache[i].at_s;
	}
	double cell_tokens = total / (ROWS * COLS);
	const char *cell = figure_quantity(fig, cell_tokens * b->kv_bytes_per_token, "B");
	struct grid *g = figure_grid(fig, figure_text(fig, "KV cache, %s a cell", cell), kinds, 3,
		NULL, ROWS, COLS, times, n);
	grid_mean(fig, g, (const enum meaning[]){ MEANS_FREE, MEANS_COMPUTE, MEANS_HELD }, 3);
	figure_tab(fig, "KV cache");
	bool paged = b->setup.paged && b->policy == SERVING_CONTINUOUS;
	for (size_t i = 0; i < n && g; i++)
		draw_frame(g, i, samples[i], cell_tokens, paged);
}

/* --- Measured servers --- */

enum { ISL, OSL, CLIENTS, TTFT, TPOT, WANT, MOST = 200 };
/* How many rows are worth the time of their prediction while somebody turns a knob. */
enum { MOST_PREDICTED = 8 };

static double mean_s(const double row[WANT])
{
	return (row[TTFT] + row[TPOT] * (row[OSL] - 1)) / 1e3;
}

static double shape_distance(const struct batching *b, const double row[WANT])
{
	return overlay_distance(row[ISL], b->mean_prompt) +
	       overlay_distance(row[OSL], b->mean_output);
}

static double load_of(const struct batching *b, const double row[WANT])
{
	/* Little: each client has one request in the server. */
	return b->setup.users ? row[CLIENTS] : row[CLIENTS] / mean_s(row);
}

static size_t nearest_shape(const struct batching *b, double rows[][WANT], size_t n)
{
	size_t best = 0;
	for (size_t i = 1; i < n; i++)
		if (shape_distance(b, rows[i]) < shape_distance(b, rows[best]))
			best = i;
	return best;
}

/* The rows of one pair of lengths; the one nearest to the present load is named. */
static void add_points(const struct batching *b, const struct tables *t, struct figure *fig,
	struct plot *p, double rows[][WANT], size_t n, const double shape[WANT])
{
	struct series *s = overlay_series(fig, p, "measured, mean", 6);
	double load = b->setup.users ? (double)b->setup.users : b->v[BATCHING_RATE];
	const double *best = NULL;
	for (size_t i = 0; i < n; i++) {
		const double *r = rows[i];
		if (r[ISL] != shape[ISL] || r[OSL] != shape[OSL] || !isfinite(mean_s(r)))
			continue;
		series_mark(fig, s, load_of(b, r), mean_s(r), NULL, ROLE_PLAIN);
		if (!best || overlay_distance(load_of(b, r), load) <
				     overlay_distance(load_of(b, best), load))
			best = r;
	}
	if (best)
		overlay_nearest(fig, t, "serving",
			"%g + %g tokens, %g clients at once: %.3g ms to the first token, %.3g ms "
			"for each other; requests per second by Little's law",
			best[ISL], best[OSL], best[CLIENTS], best[TTFT], best[TPOT]);
}

static void batching_overlay(
	const struct batching *b, const struct tables *t, struct figure *fig, struct plot *p)
{
	enum { OCTAVES = 2 }; /* of both lengths together, from the setting's */
	const double tp = b->gpus;
	/* As the table spells the weights of its servers; no other types were measured. */
	static const char *const measured_as[N_VALUE_TYPES] = { "", "fp8", "none", "nvfp4",
		"none" };
	const struct measured_condition c[] = { { "system", b->gpu->id, 0, 0 },
		{ "model", b->model->id, 0, 0 }, { "gemm_quant", measured_as[b->weights], 0, 0 },
		{ "tp", NULL, tp, tp } };
	static const char *const want[WANT] = { "isl", "osl", "client_concurrency", "ttft_ms",
		"tpot_ms" };
	double rows[MOST][WANT];
	bool other = b->setup.fixed_step_s > 0 || b->layout.copies > 1 || b->history > 0 ||
		     b->engine.eager_s > 0;
	size_t n =
		other ? 0
		      : measured_points(fig->memo, t, "serving", c, 4, want, WANT, rows[0], MOST);
	size_t shape = n ? nearest_shape(b, rows, n) : 0;

	if (n == 0)
		overlay_outside(fig, "no server of %s in %s on %g x %s; kernels %s%s",
			b->model->name, value_type_names[b->weights], tp, b->gpu->name,
			b->gpu->achieved.measured ? "as measured on it" : "as of its family",
			b->setup.fixed_step_s > 0 ? ", and a fixed iteration" : "");
	else if (shape_distance(b, rows[shape]) > OCTAVES)
		overlay_outside(fig, "the nearest run has %g + %g tokens, this one %.0f + %.0f",
			rows[shape][ISL], rows[shape][OSL], b->mean_prompt, b->mean_output);
	else if (overlay_error(fig, t, "serving", "tpot_ms", MOST_PREDICTED,
			 "time per token of servers on H100 and H200"))
		add_points(b, t, fig, p, rows, n, rows[shape]);
}

/* --- Latency against load --- */

enum { CURVE_REQUESTS = 400, MAX_LOADS = 14 };

struct loads {
	double at[MAX_LOADS];
	size_t n;
};

/* Loads in units of what full continuous batches could serve: dense where static batching has its
 * knee, and beyond what any policy serves. */
static struct loads open_loads(const struct batching *b)
{
	static const double of_capacity[] = { 0.03, 0.1, 0.17, 0.25, 0.32, 0.4, 0.5, 0.6, 0.7, 0.8,
		0.9, 1, 1.1 };
	struct loads l = { .n = 0 };
	double capacity = batching_capacity_per_s(b);
	for (size_t i = 0; i < LENGTH(of_capacity); i++)
		l.at[l.n++] = of_capacity[i] * capacity;
	if (b->v[BATCHING_RATE] > l.at[l.n - 1])
		l.at[l.n++] = b->v[BATCHING_RATE];
	return l;
}

/* Numbers of users: close to each other as long as all requests are several of each, then far apart,
 * up to the present one. Each sends some requests anyhow, or no part of the run is steady. */
enum { ROUNDS_OF_CURVE = 4 };

static struct loads closed_loads(const struct batching *b, size_t requests)
{
	const double few = (double)requests / ROUNDS_OF_CURVE, now = b->v[BATCHING_CONCURRENCY];
	struct loads l = { .n = 0 };
	for (double users = 1; users <= few && l.n + 1 < MAX_LOADS; users *= 2)
		l.at[l.n++] = users;
	for (double users = fmax(1, 4 * few); users < now && l.n + 1 < MAX_LOADS; users *= 4)
		l.at[l.n++] = users;
	if (l.n == 0 || l.at[l.n - 1] < now)
		l.at[l.n++] = now;
	return l;
}

static double p99_at(const struct batching *b, enum serving_policy p, double load, size_t requests)
{
	struct arena arena = { 0 };
	struct serving_setup setup = b->setup;
	setup.policy = p;
	setup.n = requests;
	setup.watch = 0;
	if (setup.users) {
		setup.users = (size_t)load;
		setup.n = min_size(b->setup.n, max_size(requests, ROUNDS_OF_CURVE * setup.users));
	} else
		setup.gap_s = 1 / load;
	struct serving_run *run = arena_alloc(&arena, sizeof *run);
	double p99_s = NAN;
	if (run) {
		*run = serving_simulate(&arena, &setup);
		p99_s = serving_summarise(&arena, &setup, run, 1, 1).e2e_p99_s;
	}
	if (arena.failed)
		b->arena->failed = true;
	arena_release(&arena);
	return isfinite(p99_s) ? p99_s : NAN;
}

/* From which point on two curves lie on each other, as an eye would have it: within a dot of a
 * logarithmic axis. n: nowhere. */
static size_t joined_from(const double a[], const double b[], size_t n)
{
	size_t from = n;
	while (from > 0 && fabs(a[from - 1] - b[from - 1]) <= 0.05 * fabs(a[from - 1]))
		from--;
	return from + 1 < n ? from : n;
}

static void add_curve(struct figure *fig, struct plot *p, const char *name, enum meaning meaning,
	const struct loads *l, const double p99_s[], size_t from, size_t end)
{
	struct series *s = from < end ? plot_series(fig, p, name, SERIES_LINE, meaning) : NULL;
	for (size_t i = from; s && i < end; i++)
		series_point(fig, s, l->at[i], p99_s[i]);
}

static void batching_draw_curve(
	const struct batching *b, const struct tables *t, struct figure *fig)
{
	size_t requests = (size_t)fmin(b->v[BATCHING_REQUESTS], CURVE_REQUESTS);
	if (b->run[b->policy].n == b->run[b->policy].refused)
		return;
	bool closed = b->setup.users > 0;
	struct loads loads = closed ? closed_loads(b, requests) : open_loads(b);
	struct plot *p = figure_plot(fig,
		closed ? "Last token against users, p99"
		       : figure_text(fig, "Last token against load, p99 of %zu requests", requests),
		closed ? "Users" : "Load", closed ? "" : "req/s", closed ? AXIS_LOG2 : AXIS_LINEAR,
		"Last token p99", "s", AXIS_LOG10);
	double p99_s[N_SERVING_POLICIES][MAX_LOADS];
	for (unsigned policy = 0; policy < N_SERVING_POLICIES; policy++)
		for (size_t i = 0; i < loads.n; i++)
			p99_s[policy][i] =
				p99_at(b, (enum serving_policy)policy, loads.at[i], requests);
	size_t joined = joined_from(p99_s[SERVING_STATIC], p99_s[SERVING_DYNAMIC], loads.n);
	size_t apart = joined < loads.n && joined > 0 ? joined + 1 : joined;
	/* Static keeps its colour where another joins it. */
	add_curve(fig, p, "static", policy_means[SERVING_STATIC], &loads, p99_s[SERVING_STATIC], 0,
		apart);
	add_curve(fig, p, "dynamic", policy_means[SERVING_DYNAMIC], &loads, p99_s[SERVING_DYNAMIC],
		0, apart);
	add_curve(fig, p, "dynamic = static", policy_means[SERVING_STATIC], &loads,
		p99_s[SERVING_STATIC], joined, loads.n);
	add_curve(fig, p, "continuous", policy_means[SERVING_CONTINUOUS], &loads,
		p99_s[SERVING_CONTINUOUS], 0, loads.n);
	figure_tab(fig, "Load");
	batching_overlay(b, t, fig, p);
	plot_rule(fig, p, false, closed ? b->v[BATCHING_CONCURRENCY] : b->v[BATCHING_RATE], "now",
		ROLE_ACCENT);
}

static void explain_overload(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const struct serving_run *run = &b->run[b->policy];
	double last_s = run->served[run->n - 1].arrival_s;
	double offered = last_s > 0 ? (double)(run->n - 1) / last_s : b->v[BATCHING_RATE];
	double fit = floor(b->setup.cache_tokens / (double)b->setup.reserve_tokens);
	const char *cause = b->setup.max_batch > 1 ? figure_text(fig, "All %zu slots are taken",
							     b->setup.max_batch)
						   : "The only slot is taken";
	if (b->policy != SERVING_CONTINUOUS)
		cause = figure_text(fig,
			"A batch runs until its longest is done, %s of slot time makes no token",
			held_text(fig, s));
	else if (!b->setup.paged && fit < (double)b->setup.max_batch)
		cause = figure_text(fig,
			"The cache holds %.0f reservations of %s tokens, each %.0f %% empty", fit,
			figure_quantity(fig, (double)b->setup.reserve_tokens, ""),
			100 * s->waste_ratio);
	else if (run->preemptions || s->mean_batch < 0.7 * (double)b->setup.max_batch)
		cause = "Cache or prefill run out before the slots do";
	figure_why(fig, "%s: %.3g of %.3g requests/s are served, and the queue keeps growing.",
		cause, s->requests_per_s, offered);
}

static void explain_whole_batches(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy], *other = &b->sum[SERVING_CONTINUOUS];
	figure_why(fig,
		"A slot is held until the longest of its batch is done, %s of its time: half "
		"the first tokens take %s, %s if slots refill at once.",
		held_text(fig, s), figure_quantity(fig, s->ttft_p50_s, "s"),
		figure_quantity(fig, other->ttft_p50_s, "s"));
}

static void explain_reservations(const struct batching *b, struct figure *fig)
{
	double used = b->mean_prompt + b->mean_output, tokens = b->setup.cache_tokens;
	figure_why(fig,
		"Each request reserves %s tokens and uses %s, %.0f %% is empty: %s requests fit, "
		"in blocks of %g it would be %s.",
		figure_quantity(fig, (double)b->setup.reserve_tokens, ""),
		figure_quantity(fig, round(used), ""), 100 * b->sum[b->policy].waste_ratio,
		figure_quantity(fig, floor(tokens / (double)b->setup.reserve_tokens), ""),
		b->v[BATCHING_BLOCK_TOKENS], figure_quantity(fig, floor(tokens / used), ""));
}

/* Whether static and continuous batching serve as many requests, but for how the run ends. */
static bool serves_as_much(const struct batching *b)
{
	const double alike = 0.03;
	return fabs(b->sum[SERVING_STATIC].requests_per_s /
			       b->sum[SERVING_CONTINUOUS].requests_per_s -
		       1) < alike;
}

/* What static batching makes of a load that both carry: a batch is full when so many are there as fit,
 * or as there are; where all users fit into one it is the batch before that they wait for. */
static void explain_static(const struct batching *b, struct figure *fig, const char *first)
{
	const struct serving_summary *old = &b->sum[SERVING_STATIC];
	size_t come = b->setup.users ? b->setup.users : b->setup.n;
	size_t full = b->setup.max_batch < come ? b->setup.max_batch : come;
	const char *takes = figure_quantity(fig, old->ttft_p50_s, "s");
	bool holds = old->idle_slot_ratio >= 0.005;
	if (full > 1 && !(b->setup.users && come <= b->setup.max_batch)) {
		figure_why(fig, "Static %s for %zu requests: first tokens in %s, not %s%s.",
			holds ? "waits" : "holds no slot, but waits", full, takes, first,
			serves_as_much(b) ? ", for nothing" : "");
		return;
	}
	figure_why(fig, "Continuous starts an answer in %s, static in %s: %s.", first, takes,
		full == 1 ? "a batch of one waits for nobody" : "the batch before must end");
}

static void explain_continuous(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[SERVING_CONTINUOUS],
				     *old = &b->sum[SERVING_STATIC];
	const struct serving_run *run = &b->run[SERVING_CONTINUOUS];
	const char *first = figure_quantity(fig, s->ttft_p50_s, "s");
	if (run->preemptions)
		figure_why(fig,
			"The cache is full: %zu times the newest request gave its blocks up and "
			"was prefilled again, a pause of up to %s between tokens.",
			run->preemptions,
			figure_quantity(fig, histogram_quantile(&run->itl_s, 1), "s"));
	else if (!b->setup.paged && s->waste_ratio > 0.2)
		explain_reservations(b, fig);
	else if (batching_overloaded(b, SERVING_STATIC))
		figure_why(fig,
			"Continuous serves all %.3g requests/s and starts an answer in %s. Static "
			"serves %.3g: %s of its slots' time is held for nothing.",
			s->requests_per_s, first, old->requests_per_s, held_text(fig, old));
	else
		explain_static(b, fig, first);
}

static void explain_burst(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const struct serving_run *run = &b->run[b->policy];
	figure_why(fig,
		"All %zu requests come before one is done: half are there after %s, the last after "
		"%s. An iteration makes %s on average.",
		run->n, figure_quantity(fig, s->e2e_p50_s, "s"),
		figure_quantity(fig, run->end_s, "s"),
		figure_quantity(fig, s->mean_batch, "token"));
}

/* One user who waits for each answer: nothing is scheduled, so the sentence is about its two phases. */
static void explain_alone(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const double read_s = model_read_bytes(b->model, value_type_dtype(b->weights), 1) /
			      (b->gpus * b->gpu->bandwidth);
	const char *all = figure_quantity(fig, s->e2e_p50_s, "s");
	if (s->itl_p50_s > 0)
		figure_why(fig,
			"Alone an answer takes %s: %s until the first token, then %s for each, of "
			"which reading the weights is at least %s.",
			all, figure_quantity(fig, s->ttft_p50_s, "s"),
			figure_quantity(fig, s->itl_p50_s, "s"), figure_quantity(fig, read_s, "s"));
	else
		figure_why(fig,
			"Alone an answer of one token takes %s, and all of that is its prompt: "
			"reading the weights once takes at least %s.",
			all, figure_quantity(fig, read_s, "s"));
}

static void batching_explain(const struct batching *b, struct figure *fig)
{
	const struct serving_run *run = &b->run[b->policy];
	if (run->n == run->refused)
		figure_why(fig, "Nothing can be served: the cache has room for %s tokens.",
			figure_quantity(fig, floor(b->setup.cache_tokens), ""));
	else if (b->setup.users == 1 && b->setup.fixed_step_s <= 0)
		explain_alone(b, fig);
	else if (b->policy == SERVING_CONTINUOUS && !run->preemptions && is_one_burst(b))
		explain_burst(b, fig);
	else if (batching_overloaded(b, b->policy))
		explain_overload(b, fig);
	else if (b->policy == SERVING_CONTINUOUS)
		explain_continuous(b, fig);
	else
		explain_whole_batches(b, fig);
}

/* --- The simulation --- */

/* What publishers of throughputs state: tokens that are made and prompt tokens that are answered, those
 * found in the cache among them. */
static void add_rates(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const double loaded = b->v[BATCHING_LOADED] / 100;
	const double requests = loaded * s->requests_per_s / b->gpus;
	value_note(figure_value(fig, "tokens_per_s_gpu", "the same, a GPU",
			   loaded * s->tokens_per_s / b->gpus, "token/s", ROLE_DIM),
		loaded < 1 ? figure_text(fig, "loaded %g %% of the time", 100 * loaded) : NULL);
	value_note(figure_value(fig, "prompt_tokens_per_s_gpu", "prompts, a GPU",
			   requests * b->mean_prompt, "token/s", ROLE_DIM),
		b->history > 0
			? figure_text(fig, "%s of them computed",
				  figure_quantity(
					  fig, requests * (b->mean_prompt - b->history), "token/s"))
			: NULL);
}

static void add_values(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const struct serving_run *run = &b->run[b->policy];
	bool late = s->ttft_p99_s * 1e3 > b->v[BATCHING_SLO_TTFT],
	     slow = s->itl_p99_s * 1e3 > b->v[BATCHING_SLO_ITL];
	bool stopped = run->n == run->refused;
	double goodput = s->requests_per_s * s->within_limits;

	const struct serving_summary *other =
		&b->sum[b->policy == SERVING_CONTINUOUS ? SERVING_STATIC : SERVING_CONTINUOUS];
	const char *other_name = b->policy == SERVING_CONTINUOUS ? "static" : "continuous";
	value_note(figure_value(fig, "ttft_p50_ms", "median first token", s->ttft_p50_s * 1e3, "ms",
			   ROLE_PLAIN),
		stopped ? NULL
			: figure_text(fig, "%s %s", other_name,
				  figure_quantity(fig, other->ttft_p50_s, "s")));
	value_note(figure_value(fig, "ttft_p99_ms", "first token p99", s->ttft_p99_s * 1e3, "ms",
			   late ? ROLE_BAD : ROLE_PLAIN),
		late ? "over its limit" : NULL);
	value_note(figure_value(fig, "requests_per_s", "served", s->requests_per_s, "req/s",
			   batching_overloaded(b, b->policy) ? ROLE_BAD : ROLE_PLAIN),
		batching_overloaded(b, b->policy) ? "less than comes" : NULL);
	value_note(figure_value(fig, "idle_slots_pct", "held for nothing", s->idle_slot_ratio * 100,
			   "%", s->idle_slot_ratio > 0.5 ? ROLE_WARN : ROLE_PLAIN),
		stopped ? NULL : figure_text(fig, "%s %s", other_name, held_text(fig, other)));
	value_note(figure_value(fig, "mean_batch", "slots at work", s->mean_batch, "", ROLE_PLAIN),
		figure_text(fig, "of %zu", b->setup.max_batch));
	figure_value(fig, "tokens_per_s", "throughput", s->tokens_per_s, "token/s", ROLE_PLAIN);
	add_rates(b, fig);
	/* The rest only explains, unless it is over a limit. */
	figure_value(fig, "mean_waiting", "waiting", s->mean_waiting, "req", ROLE_DIM);
	figure_value(fig, "itl_p50_ms", "between tokens", stopped ? INFINITY : s->itl_p50_s * 1e3,
		"ms", ROLE_DIM);
	figure_value(fig, "itl_p99_ms", "between tokens p99",
		stopped ? INFINITY : s->itl_p99_s * 1e3, "ms", slow ? ROLE_BAD : ROLE_DIM);
	figure_value(fig, "e2e_p50_ms", "last token p50", s->e2e_p50_s * 1e3, "ms", ROLE_DIM);
	figure_value(fig, "e2e_mean_ms", "last token mean", s->e2e_mean_s * 1e3, "ms", ROLE_DIM);
	figure_value(fig, "e2e_p99_ms", "last token p99", s->e2e_p99_s * 1e3, "ms", ROLE_DIM);
	value_note(figure_value(fig, "goodput_per_s", "goodput", goodput, "req/s", ROLE_DIM),
		"within both limits");
	figure_value(fig, "gpu_busy_pct", "GPU busy", s->busy_ratio * 100, "%", ROLE_DIM);
	figure_value(fig, "preemptions", "preemptions", (double)run->preemptions, "",
		run->preemptions ? ROLE_WARN : ROLE_DIM);
	value_note(figure_value(fig, "kv_waste_pct", "KV cache empty", s->waste_ratio * 100, "%",
			   s->waste_ratio > 0.2 ? ROLE_WARN : ROLE_DIM),
		"of what is reserved");
	value_note(
		figure_value(fig, "kv_peak_pct", "KV cache peak",
			b->setup.cache_tokens > 0 ? 100 * run->most_reserved / b->setup.cache_tokens
						  : 0,
			"%", ROLE_DIM),
		"reserved at most");
	figure_value(fig, "kv_capacity_GB", "KV cache", fmax(0, b->cache_bytes) / 1e9, "GB",
		b->cache_bytes > 0 ? ROLE_DIM : ROLE_BAD);
}

static void add_trace(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const struct trace *trace = trace_at(t, b->v[BATCHING_TRACE]);
	bool driven = b->v[BATCHING_ARRIVALS] == ARRIVALS_TRACE ||
		      b->v[BATCHING_LENGTHS] == LENGTHS_TRACE;

	if (trace && driven)
		trace_values(fig, trace);
}

/* What experts in such groups do not get. */
static void warn_of_experts(const struct batching *b, struct figure *fig)
{
	const double asked = b->v[BATCHING_EP], ep = b->layout.ep;
	double experts = 0;
	int mixed =
		b->model->made_of && architecture_parameter(b->model->made_of, "experts", &experts);
	if (!mixed && (asked > 1 || b->layout.hot > 1 || b->layout.overlap))
		figure_note(fig, ROLE_WARN,
			"%s has no routed experts: ep, imbalance and overlap change nothing.",
			b->model->name);
	else if (asked > ep)
		figure_note(fig, ROLE_WARN, "%g expert groups on %g GPUs: there are %g.", asked,
			b->gpus, ep);
	else if (mixed && (fmod(b->gpus, ep) != 0 || fmod(experts, ep) != 0))
		figure_note(fig, ROLE_WARN,
			"%g experts on %g GPUs do not divide into %g groups: engines refuse them.",
			experts, b->gpus, ep);
}

/* What such types do not get. */
static void warn_of_types(const struct batching *b, struct figure *fig)
{
	enum activation asked = (enum activation)b->v[BATCHING_ACTIVATIONS];
	if (asked > ACTIVATION_BF16 && b->activations == DTYPE_BF16)
		figure_note(fig, ROLE_WARN,
			"%s does not compute in %s with %s weights: products are in 16 bits.",
			b->gpu->name, activation_names[asked], value_type_names[b->weights]);
	else if (b->weights != VALUE_BF16 && b->activations == DTYPE_BF16)
		figure_note(fig, ROLE_PLAIN,
			"%s weights are widened to 16 bits on their way: they save bytes, no "
			"arithmetic.",
			value_type_names[b->weights]);
}

/* What groups of that size do not get. */
static void warn_of_layout(const struct batching *b, struct figure *fig)
{
	const struct model *m = b->model;
	double tp = b->layout.tp;
	if (m->heads > 0 && fmod(m->heads, tp) != 0)
		figure_note(fig, ROLE_WARN,
			"%g query heads do not divide among %g GPUs: engines refuse this group.",
			m->heads, tp);
	else if (tp > gpu_domain(b->gpu))
		figure_note(fig, ROLE_WARN,
			"A group of %g GPUs: fast links join %g of them, and the all-reduces of each "
			"layer are timed as inside of that.",
			tp, gpu_domain(b->gpu));
	double once = model_cache_bytes(m, DTYPE_BF16, b->longest, 1);
	double held = model_cache_bytes(m, DTYPE_BF16, b->longest, tp) / once;
	if (held > 1)
		figure_note(fig, ROLE_PLAIN, "A group of %g GPUs holds the cache %.3g times: %s.",
			tp, held,
			m->kv_heads < tp && !(m->made_of && architecture_layers_of(
								    m->made_of, MIXING_LATENT))
				? figure_text(fig, "it is of %s",
					  figure_quantity(fig, m->kv_heads, "KV head"))
				: "a latent vector stands for all heads, and each has some");
	warn_of_experts(b, fig);
	warn_of_types(b, fig);
}

static void warn(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const double *v = b->v;
	const struct serving_run *run = &b->run[b->policy];
	const struct trace *trace = trace_at(t, v[BATCHING_TRACE]);

	const char *need = figure_quantity(fig, b->weight_bytes, "B");
	const char *have =
		figure_quantity(fig, ENGINE_MEMORY_SHARE * b->gpus * b->gpu->memory_bytes, "B");
	if (b->cache_bytes <= 0)
		figure_note(fig, ROLE_WARN,
			"%s %s not fit: %s of weights in %s, %s on %g x %s. Nothing is served; "
			"more GPUs (tp) share the weights.",
			b->model->name, model_does(b->model), need,
			weights_name(b->model, b->weights), have, b->gpus, b->gpu->name);
	else if (v[BATCHING_KV_GB] > 0 &&
		 b->weight_bytes + b->cache_bytes > b->gpus * b->gpu->memory_bytes)
		figure_note(fig, ROLE_WARN,
			"Weights (%s) and cache (%g GB) are more than %g x %s has.", need,
			v[BATCHING_KV_GB], b->gpus, b->gpu->name);
	if (b->setup.cache_tokens > 0 && run->refused)
		figure_note(fig, ROLE_WARN,
			"%zu of %zu requests need more cache than there is (%.0f tokens%s) and are "
			"refused.",
			run->refused, run->n, b->setup.cache_tokens,
			v[BATCHING_PAGING] > 0 ? "" : ", reserved at full length");
	note_encoder(fig, b->model);
	warn_of_layout(b, fig);
	if (b->longest > b->model->context)
		figure_note(fig, ROLE_WARN,
			"The longest request has %.0f tokens, %s was trained for %.0f: it is "
			"served all the same.",
			b->longest, b->model->name, b->model->context);
	if (v[BATCHING_ARRIVALS] == ARRIVALS_TRACE && !trace_has_gaps(trace))
		trace_warn_gaps(fig, trace);
	if (v[BATCHING_LENGTHS] == LENGTHS_TRACE && !trace)
		figure_note(fig, ROLE_WARN, "There is no trace; fixed lengths stand in.");
	if (trace && b->setup.n > trace->n &&
		(v[BATCHING_LENGTHS] == LENGTHS_TRACE || v[BATCHING_ARRIVALS] == ARRIVALS_TRACE))
		figure_note(fig, ROLE_PLAIN, "%s has %zu requests and is begun again %.0f times.",
			trace->name, trace->n, ceil((double)b->setup.n / (double)trace->n) - 1);
}

/* No iteration of `batch` sequences that hold so many tokens is faster: by the datasheet, the bytes
 * of weights and cache, or the arithmetic in the type of the activations. */
static double iteration_floor_s(const struct batching *b, double batch, double tokens)
{
	const struct model *m = b->model;
	double bytes = model_read_bytes(m, value_type_dtype(b->weights), batch) +
		       tokens * b->kv_bytes_per_token;
	double flops = m->made_of ? batch * architecture_token_flops(m->made_of, tokens / batch)
				  : 2 * m->params * batch +
					    4 * m->layers * m->heads * m->head_dim * tokens;
	return datasheet_time_s(b->gpu, b->activations, flops / b->gpus, bytes / b->gpus);
}

/* What a full batch takes per iteration, and what its bytes and FLOPs would on the datasheet. */
static void state_iteration(const struct batching *b, struct figure *fig)
{
	double cached = b->mean_prompt + b->mean_output / 2;
	double n = fmax(1, fmin((double)b->setup.max_batch, floor(b->setup.cache_tokens / cached)));
	double step_s = engine_step_s(&b->engine, n, n * cached, 0, 0);
	double floor_s = iteration_floor_s(b, n, n * cached);
	figure_assume(fig,
		"iteration: kernel times %s, %.3g ms for a batch of %g; the datasheet floor would "
		"be %.3g ms; weights in %s, products in %s, cache in %s",
		b->gpu->achieved.measured ? "fitted to measurements"
					  : "with the constants of its family",
		1e3 * step_s, n, 1e3 * floor_s, weights_name(b->model, b->weights),
		dtype_names[kernel_math_dtype(b->gpu, b->activations)], value_type_names[b->cache]);
}

static void state_assumptions(const struct batching *b, struct figure *fig)
{
	if (b->setup.fixed_step_s > 0)
		figure_assume(fig, "every iteration takes %g ms, whatever is in it",
			b->v[BATCHING_STEP_MS]);
	else
		state_iteration(b, fig);
	figure_assume(
		fig, "tokens stream to the client under every policy; only scheduling differs");
	if (b->setup.users)
		figure_assume(fig,
			"%zu requests, %zu of each user; what counts is done after two rounds of "
			"all users and before the last",
			b->setup.n, b->setup.n / b->setup.users);
	else
		figure_assume(fig,
			"percentiles leave out the first tenth of the requests; throughput is that "
			"between a tenth and nine tenths done");
	figure_assume(fig,
		"cache: nine tenths of memory less the weights, unless given; preemption prefills "
		"again");
	if (b->model->window > 0 || b->model->made_of)
		figure_assume(fig,
			"cache: a request of %.0f tokens takes %s, of which each token has its "
			"share (windows, latent vectors and states counted)",
			b->mean_prompt + b->mean_output,
			figure_quantity(fig,
				b->kv_bytes_per_token * (b->mean_prompt + b->mean_output), "B"));
	if (b->layout.ep > 1)
		figure_assume(fig,
			b->layout.hot > 1
				? "experts: the busiest group has so much more, and what chance gives it"
				: "experts: chosen alike often; the busiest group has what chance "
				  "gives it");
	if (!(b->engine.host_s > 0))
		figure_leave_out(fig, "time of the scheduler and the sampler on the CPU");
	if (b->history > 0)
		figure_assume(fig,
			"%.0f tokens of each prompt are in the cache when it comes, and take room "
			"there of its own",
			b->history);
	if (b->engine.eager_s > 0)
		figure_assume(fig,
			"without CUDA graphs: the CPU takes %.3g ms to launch a layer, %.3g ms an "
			"iteration (PyTorch, eager, Llama 2 7B), and the GPU works meanwhile",
			1e3 * EAGER_LAYER_S, 1e3 * b->engine.eager_s);
	if (b->layout.copies > 1)
		figure_assume(fig,
			"each of %g copies of attention has an equal part of the work; fast links "
			"join %g GPUs, and %g GB/s a GPU those of different ones",
			b->layout.copies, gpu_domain(b->gpu), NDR_CARD_GB_PER_S);
	figure_leave_out(fig, "swapping to host memory, speculative decoding");
	figure_leave_out(fig, "network and tokenisation");
}

static void describe(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const double *v = b->v;
	const char *tp = b->gpus > 1 ? figure_text(fig, "%g x ", b->gpus) : "";
	const struct trace *trace = trace_at(t, v[BATCHING_TRACE]);
	const char *arrivals = v[BATCHING_ARRIVALS] == ARRIVALS_TRACE && trace
				       ? trace->name
				       : arrival_names[(size_t)v[BATCHING_ARRIVALS]];
	const char *load = b->setup.users
				   ? figure_text(fig, "%g users", v[BATCHING_CONCURRENCY])
				   : figure_text(fig, "%s %.4g req/s", arrivals, v[BATCHING_RATE]);
	figure_subtitle(fig, "%s on %s%s · %s · %s", b->model->name, tp, b->gpu->name,
		batching_policy_ids[b->policy], load);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct arena arena = { 0 };
	struct batching *b = arena_alloc(&arena, sizeof *b);
	if (!b) {
		fig->arena.failed = true;
		return;
	}
	b->v = v;
	b->arena = &arena;
	set_up(b, t);
	if (!arena.failed)
		simulate(b);
	if (!arena.failed) {
		describe(b, t, fig);
		add_values(b, fig);
		add_trace(b, t, fig);
		batching_draw_requests(b, fig);
		draw_under_way(b, fig);
		warn(b, t, fig);
		draw_numbers(b, fig);
		batching_draw_details(b, fig);
		/* Servers at twenty loads take five times as long as all else. */
		fig->unfinished = fig->hurried;
		if (!fig->hurried)
			batching_draw_curve(b, t, fig);
		batching_draw_cache(b, fig);
		batching_explain(b, fig);
		state_assumptions(b, fig);
	}
	if (arena.failed)
		fig->arena.failed = true;
	arena_release(&arena);
}

const struct sim batching_sim = {
	.id = "batching",
	.title = "Batching",
	.summary = "Requests under static, dynamic and continuous batching, and latency against "
		   "load",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_BATCHING_KNOBS,
	.STORY(BATCHING_RATE, BATCHING_LENGTHS, BATCHING_POLICY, BATCHING_OUTPUT_TOKENS,
		BATCHING_MAX_BATCH, BATCHING_CHUNK_TOKENS, BATCHING_GPU),
	.try = "Turn the rate to 2, then lengths to fixed. What is left of static's loss?",
	.run = run,
	.slow = true,
};
