/* A slow server: requests go through sims/serving/serving.h, with a scheduler, a load or a cache
 * that is not as it should be. */
#include "sims/diagnosis/ward_serving.h"

#include "sims/constants.h"
#include "sims/gpu/engine_shape.h"
#include "sims/base/array.h"
#include "sims/base/stats.h"
#include "sims/serving/serving.h"

#include <math.h>
#include <stdio.h>

enum { REQUESTS = 240, SLOTS = 32, WINDOWS = 4 };
_Static_assert((int)REQUESTS <= (int)MAX_CURVE, "every request is a point of the curve");
static const double prompt_tokens = 600, output_tokens = 150;

void serving_draw(struct patient *p, const struct tables *t, struct rng *r)
{
	static const char *const models[] = { "llama3-8b", "mistral-7b", "qwen2.5-7b" };
	static const char *const gpus[] = { "a100", "h100" };
	p->model = model_find(t, models[rng_below(r, 3)]);
	p->gpu = gpu_find(t, gpus[rng_below(r, 2)]);
	p->model = p->model ? p->model : &t->models[0];
	p->gpu = p->gpu ? p->gpu : &t->gpus[0];
	p->server = (struct server_plan){ .load = 0.3 + 0.1 * rng_uniform(r),
		.chunk_tokens = PREFILL_CHUNK_TOKENS,
		.replicas = 1 };
	switch (p->cause) {
	case CAUSE_STATIC_BATCH:
		p->server.is_static = true;
		break;
	case CAUSE_LONG_PREFILL:
		p->server.chunk_tokens = 65536;
		p->server.long_prompt = 5000 + 2000 * rng_uniform(r);
		break;
	case CAUSE_OVERLOAD:
		p->server.load = 1.8 + 0.6 * rng_uniform(r);
		break;
	default:
		p->server.leaks = true;
	}
}

/* How many requests full continuous batches would serve. */
static double capacity_per_s(const struct engine_shape *e, double long_prompt)
{
	double prompt = long_prompt > 0 ? (2 * prompt_tokens + long_prompt) / 3 : prompt_tokens;
	double context = prompt + output_tokens / 2;
	double decode_s = engine_step_s(e, SLOTS, SLOTS * context, 0, 0) / SLOTS;
	double prefill = engine_step_s(e, 0, 0, prompt, 0);
	return 1 / (prefill + output_tokens * decode_s);
}

struct served_run {
	double latency_s[REQUESTS], ttft_s[REQUESTS];
	struct serving_summary sum;
	double used, reserved;
	double sound_s; /* what a usual request takes among seven others */
};

static bool serve(struct arena *a, const struct patient *p, struct served_run *out)
{
	const struct server_plan *plan = &p->server;
	struct serving_workload w = { .arrivals = ARRIVALS_POISSON,
		.lengths = LENGTHS_LOGNORMAL,
		.length_cv = 0.3,
		.prompt_tokens = prompt_tokens,
		.output_tokens = output_tokens,
		.seed = p->seed };
	struct engine_shape engine = engine_shape_of(p->model, p->gpu, 1, DTYPE_BF16, DTYPE_BF16);
	double kv = model_kv_bytes_per_token(p->model, DTYPE_BF16);
	double cache = ENGINE_MEMORY_SHARE * p->gpu->memory_bytes -
		       model_weight_bytes(p->model, DTYPE_BF16);
	struct request *requests = workload_requests(a, &w, REQUESTS);
	double longest = 0;
	for (size_t i = 0; requests && i < REQUESTS; i++) {
		if (plan->long_prompt > 0 && i % 3 == 0)
			requests[i].prompt_tokens = rint(plan->long_prompt);
		longest = fmax(longest, requests[i].prompt_tokens + requests[i].output_tokens);
	}
	struct serving_setup s = { .policy = plan->is_static ? SERVING_STATIC : SERVING_CONTINUOUS,
		.requests = requests,
		.n = REQUESTS,
		.gap_s = plan->replicas / (plan->load * capacity_per_s(&engine, plan->long_prompt)),
		.engine = &engine,
		.max_batch = SLOTS,
		.timeout_s = 1,
		/* In the user's own tables the card may be too small for the model: the case is
		 * then of one with a cache for all slots. */
		.cache_tokens = fmax(cache / kv, SLOTS * (prompt_tokens + output_tokens)),
		.paged = true,
		.block_tokens = KV_BLOCK_TOKENS,
		.reserve_tokens = 4096,
		.chunk_tokens = (int64_t)plan->chunk_tokens };
	if (!s.requests)
		return false;
	/* A leak leaves less of the cache for each request that comes; the run is cut in windows,
	 * in each of which what is left stands still. */
	size_t each = plan->leaks ? REQUESTS / WINDOWS : REQUESTS;
	for (size_t from = 0; from < REQUESTS; from += each) {
		struct serving_setup part = s;
		part.n = each;
		/* In the last window one request fits, but hardly two. */
		double left = 1.3 * longest / s.cache_tokens;
		if (plan->leaks)
			part.cache_tokens *= pow(left, (double)from / (REQUESTS - (double)each));
		out->used = part.cache_tokens;
		struct serving_run run = serving_simulate(a, &part);
		if (run.n == 0)
			return false;
		for (size_t i = 0; i < each; i++) {
			const struct served *q = &run.served[i];
			out->latency_s[from + i] = fmin(q->finish_s - q->arrival_s, 1e4);
			out->ttft_s[from + i] = fmin(q->first_s - q->arrival_s, 1e4);
		}
		out->sum = serving_summarise(a, &part, &run, 1, 0.1);
	}
	out->reserved = s.cache_tokens;
	out->sound_s = engine_step_s(&engine, 0, 0, prompt_tokens, 0) +
		       output_tokens * engine_step_s(&engine, 8, 8 * prompt_tokens, 0, 0);
	return true;
}

static double mean_wait(const struct served_run *run, size_t from, size_t to)
{
	return mean_of(run->ttft_s + from, to - from);
}

static void measure(const struct served_run *run, const struct patient *p, struct signs *s)
{
	double sorted[REQUESTS];
	for (size_t i = 0; i < REQUESTS; i++)
		sorted[i] = run->ttft_s[i];
	sort_ascending(sorted, REQUESTS);
	s->util = run->sum.busy_ratio;
	s->busy = s->util;
	s->clock = 1;
	/* Decoding reads memory, mostly. */
	s->power = step_power(0.2 * s->util, 0.8 * s->util, 0);
	s->ttft_over_median =
		quantile_sorted(sorted, REQUESTS, 0.99) / quantile_sorted(sorted, REQUESTS, 0.5);
	s->itl_over_median = run->sum.itl_p99_s / fmax(1e-9, run->sum.itl_p50_s);
	s->wait_growth = mean_wait(run, 3 * REQUESTS / 4, REQUESTS) /
			 fmax(1e-9, mean_wait(run, REQUESTS / 4, REQUESTS / 2));
	s->cache_orphaned = p->server.leaks ? 1 - run->used / run->reserved : 0;
}

bool serving_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	struct served_run *run = arena_alloc(a, sizeof *run);
	struct signs *s = &x->signs;
	double sorted[REQUESTS];
	if (!run || !serve(a, p, run))
		return false;
	measure(run, p, s);
	for (size_t i = 0; i < REQUESTS; i++)
		sorted[i] = run->latency_s[i];
	sort_ascending(sorted, REQUESTS);
	double p50_s = quantile_sorted(sorted, REQUESTS, 0.5);
	double p99_s = quantile_sorted(sorted, REQUESTS, 0.99);
	const struct serving_summary *sum = &run->sum;
	reading_say(x, READING_UTILISATION, "%.0f %%", 100 * s->util);
	reading_say(x, READING_POWER, "%.0f %% of the limit, clocks as usual", 100 * s->power);
	reading_say(x, READING_TOP, "the scheduler's process 30 %%, nothing else");
	reading_say(x, READING_LATENCY,
		"TTFT P99 %.1f x its median, ITL %.1f x; later requests wait %.1f x as long",
		s->ttft_over_median, s->itl_over_median, s->wait_growth);
	reading_say(x, READING_CACHE, "%.0f %% of the blocks belong to no running request",
		100 * s->cache_orphaned);
	reading_say(x, READING_BATCH, "%.1f requests run together, %.1f wait, on average",
		fmax(0, sum->mean_in_system - sum->mean_waiting), sum->mean_waiting);
	reading_say(x, READING_MEMORY, "weights %.1f GB, KV cache %.1f GB, reserved at the start",
		model_weight_bytes(p->model, DTYPE_BF16) / 1e9,
		run->reserved * model_kv_bytes_per_token(p->model, DTYPE_BF16) / 1e9);
	reading_say(x, READING_STEPS, "iterations of %.1f ms in the median, P99 %.1f ms",
		1e3 * sum->itl_p50_s, 1e3 * sum->itl_p99_s);
	reading_say(x, READING_TRACE, "decode after decode, prefills of up to %.0f tokens between",
		p->server.chunk_tokens);
	reading_say(x, READING_CHANGES, "none that anybody remembers");
	static const enum patient_reading nothing[] = { READING_NCCL, READING_RANKS,
		READING_KERNELS, READING_LOSS, READING_TENSORS };
	for (size_t i = 0; i < LENGTH(nothing); i++)
		reading_say(x, nothing[i], "one GPU that serves: nothing unusual");
	x->badness = p99_s / (3 * run->sound_s);
	x->badness = fmax(x->badness, s->itl_over_median / 3);
	snprintf(x->complaint_number, sizeof x->complaint_number, "P99 %.1f s, P50 %.1f s", p99_s,
		p50_s);
	x->curve_title = "Request after request";
	x->curve_name = "latency";
	x->curve_unit = "s";
	x->curve_x = "Request";
	for (size_t i = 0; i < REQUESTS; i++)
		x->curve[x->n_curve++] = run->latency_s[i];
	return !a->failed;
}

bool serving_treat(struct patient *p, enum remedy remedy)
{
	switch (remedy) {
	case REMEDY_CONTINUOUS:
		p->server.is_static = false;
		return true;
	case REMEDY_CHUNKS:
		p->server.chunk_tokens = 256;
		return true;
	case REMEDY_REPLICAS:
		p->server.replicas *= 4;
		return true;
	case REMEDY_FREE_CACHE:
		p->server.leaks = false;
		return true;
	default:
		return false;
	}
}
