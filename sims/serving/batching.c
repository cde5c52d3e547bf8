/* Batching policies of an LLM server (W9, C12): the same requests under static, dynamic and
 * continuous batching; latency against load; the KV cache. */
#include "sims/serving/batching.h"

#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/serving/trace_figure.h"

#include <math.h>
#include <string.h>

const char *const batching_policy_ids[] = { "static", "dynamic", "continuous", NULL };
static const char *const arrival_ids[] = { "poisson", "gamma", "trace", "closed", NULL };
static const char *const length_ids[] = { "fixed", "exponential", "uniform", "lognormal", "trace",
	NULL };
static const char *const arrival_names[] = { "Poisson", "gamma", "trace", "closed loop" };
enum { STEP_ROOFLINE, STEP_FIXED };
static const char *const step_ids[] = { "roofline", "fixed", NULL };

static const struct knob knobs[N_BATCHING_KNOBS] = {
	[BATCHING_POLICY] = KNOB_CHOICE_OF("policy", "policy", batching_policy_ids, NULL,
		"continuous",
		"static and dynamic hold every slot until the longest of the batch is done; "
		"continuous refills a slot at the next iteration"),
	[BATCHING_ARRIVALS] = KNOB_CHOICE_OF("arrivals", "arrivals", arrival_ids, arrival_names,
		"poisson",
		"gamma and trace come in bursts, which wait longer at the same load; closed: each "
		"of so many users waits for the answer, so a slow server is asked less"),
	[BATCHING_RATE] = KNOB_FACTOR("rate_per_s", "rate", "req/s", 0.01, 1000, 2, 1.25,
		"waits grow as 1/(1 - load): they are small until just before the policy's "
		"capacity, and beyond it they grow for as long as the load lasts",
		.when = { WHEN(
			BATCHING_ARRIVALS, ARRIVALS_POISSON, ARRIVALS_GAMMA, ARRIVALS_TRACE) }),
	[BATCHING_MAX_BATCH] = KNOB_DOUBLING("max_batch", "max batch", "", 1, 1024, 16,
		"weights are read once per iteration for all slots, so throughput grows with "
		"them; so do the iteration and, under static batching, the wait for the longest "
		"of more"),
	[BATCHING_OUTPUT_TOKENS] = KNOB_DOUBLING("output_tokens", "output", "token", 1, 32768, 256,
		"one iteration per token: sets how long a slot is taken",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL,
			LENGTHS_UNIFORM, LENGTHS_LOGNORMAL) }),
	[BATCHING_PROMPT_TOKENS] = KNOB_DOUBLING("prompt_tokens", "prompt", "token", 1, 131072, 512,
		"prefilled in parallel, bound by compute: it delays everybody's next token, "
		"unless it comes in chunks",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_FIXED, LENGTHS_EXPONENTIAL,
			LENGTHS_UNIFORM, LENGTHS_LOGNORMAL) }),
	[BATCHING_LENGTHS] = KNOB_CHOICE_OF("lengths", "lengths", length_ids, NULL, "exponential",
		"equal lengths leave a static batch nothing to waste; the longest of B "
		"exponential ones is 1 + 1/2 + ... + 1/B times the mean"),
	[BATCHING_LENGTH_CV] = KNOB_LINEAR("length_cv", "length cv", "", 0, 4, 1, 0.1,
		"the wider they spread, the longer a static batch waits for its longest",
		.when = { WHEN(BATCHING_LENGTHS, LENGTHS_LOGNORMAL) }),
	[BATCHING_CV] = KNOB_LINEAR("cv", "burstiness", "", 0.1, 10, 2, 0.1,
		"of gamma gaps: 1 is Poisson; waits grow with its square (Kingman)",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_GAMMA) }),
	[BATCHING_CONCURRENCY] = KNOB_DOUBLING("concurrency", "users", "", 1, 4096, 32,
		"beyond the batch that runs at once, more users only wait longer (Little)",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_CLOSED) }),
	[BATCHING_TRACE] = KNOB_ANY_TRACE("azure-conv",
		"conversations have long answers, code completions long prompts; bursts stay, "
		"stretched to the rate; your own: trace=FILE.csv on the command line",
		.when = { WHEN(BATCHING_ARRIVALS, ARRIVALS_TRACE),
			WHEN(BATCHING_LENGTHS, LENGTHS_TRACE) }),
	[BATCHING_TIMEOUT] = KNOB_FACTOR("timeout_ms", "batch timeout", "ms", 0, 60000, 8000, 2,
		"how long the first of a batch waits for it to fill: fuller batches for a later "
		"first token",
		.when = { WHEN(BATCHING_POLICY, SERVING_DYNAMIC) }),
	[BATCHING_CHUNK_TOKENS] = KNOB_DOUBLING("chunk_tokens", "prefill chunk", "token", 16, 65536,
		512,
		"prompt tokens per iteration: smaller chunks protect the ITL of running decodes "
		"and raise the TTFT of long prompts",
		.when = { WHEN(BATCHING_POLICY, SERVING_CONTINUOUS) }),
	[BATCHING_MODEL] = KNOB_ANY_MODEL("model", "model", "llama3-8b",
		"its weights are read in every iteration, its layers and KV heads set the cache "
		"per token"),
	[BATCHING_GPU] = KNOB_ANY_GPU("a100",
		"bandwidth sets the decode step, compute the prefill, memory what is left for "
		"cache"),
	[BATCHING_TP] = KNOB_DOUBLING("tp", "tensor parallel", "GPU", 1, 16, 1,
		"GPUs that share every layer: less weight and more room for cache on each, for "
		"two all-reduces per layer in every iteration"),
	[BATCHING_KV_GB] = KNOB_FACTOR("kv_GB", "KV cache", "GB", 0, 10000, 0, 2,
		"auto: nine tenths of the GPUs' memory less the weights; it bounds how many "
		"requests can run at once",
		.zero = "auto"),
	[BATCHING_PAGING] = KNOB_SWITCH("paging", "paged KV", 1,
		"blocks as a request grows, at most one of them partly empty; off: each reserves "
		"its longest possible length at once"),
	[BATCHING_BLOCK_TOKENS] = KNOB_DOUBLING("block_tokens", "block", "token", 1, 1024, 16,
		"half a block per request stays empty on average; smaller ones only cost the "
		"kernel's look-ups",
		.when = { WHEN(BATCHING_PAGING, KNOB_ON) }),
	[BATCHING_MAX_LEN] = KNOB_LINEAR("max_len", "reservation", "token", 0, 1e6, 0, 1024,
		"what every request reserves; auto is the model's context", .zero = "auto",
		.integer = true, .when = { WHEN(BATCHING_PAGING, KNOB_OFF) }),
	[BATCHING_SLO_TTFT] = KNOB_FACTOR("slo_ttft_ms", "TTFT limit", "ms", 1, 1e6, 1000, 1.25,
		"requests whose first token comes later do not count as goodput"),
	[BATCHING_SLO_ITL] = KNOB_FACTOR("slo_itl_ms", "ITL limit", "ms", 1, 1e5, 50, 1.25,
		"requests whose tokens come slower on average do not count as goodput"),
	[BATCHING_STEP] = KNOB_CHOICE_OF("step", "iteration", step_ids, NULL, "roofline",
		"fixed: an iteration takes the same time whatever is in it, so that only "
		"scheduling is left (static against continuous is then E[longest]/E[length])"),
	[BATCHING_STEP_MS] = KNOB_FACTOR("step_ms", "fixed step", "ms", 0.01, 10000, 10, 1.25,
		"it scales every time and no ratio", .when = { WHEN(BATCHING_STEP, STEP_FIXED) }),
	[BATCHING_REQUESTS] = KNOB_DOUBLING("requests", "requests", "", 1, 20000, 400,
		"a longer run settles the tail: a 99th percentile of 400 rests on four requests"),
	[BATCHING_SEED] = KNOB_SEED(
		0, 1e6, "other requests of the same kind: what changes with it is chance"),
};

/* Requests that are logged for the pictures: the first batches. */
static size_t watched(const struct batching *b)
{
	size_t first = 2 * (size_t)b->v[BATCHING_MAX_BATCH] + 256,
	       n = (size_t)b->v[BATCHING_REQUESTS];
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
	if (!trace_has_gaps(w.trace) && w.arrivals == ARRIVALS_TRACE)
		w.arrivals = ARRIVALS_POISSON;
	if (!w.trace && w.lengths == LENGTHS_TRACE)
		w.lengths = LENGTHS_FIXED;
	return w;
}

/* Weights lie once over the group; KV heads are repeated where there are fewer than GPUs. */
static void find_memory(struct batching *b)
{
	double tp = b->v[BATCHING_TP], copies = fmax(1, tp / b->model->kv_heads);
	b->weight_bytes = model_weight_bytes(b->model, DTYPE_BF16);
	b->kv_bytes_per_token = copies * model_kv_bytes_per_token(b->model, DTYPE_BF16);
	b->cache_bytes =
		b->v[BATCHING_KV_GB] > 0
			? b->v[BATCHING_KV_GB] * 1e9
			: ENGINE_MEMORY_SHARE * tp * b->gpu->memory_bytes - b->weight_bytes;
}

static void find_requests(struct batching *b, const struct tables *t)
{
	struct serving_workload w = workload_of(b, t);
	size_t n = b->setup.n;
	struct request *q = workload_requests(b->arena, &w, n);
	b->setup.requests = q;
	for (size_t i = 0; q && i < n; i++) {
		b->mean_prompt += q[i].prompt_tokens / (double)n;
		b->mean_output += fmax(1, q[i].output_tokens) / (double)n;
		b->longest = fmax(b->longest, q[i].prompt_tokens + q[i].output_tokens);
	}
}

static void set_up(struct batching *b, const struct tables *t)
{
	const double *v = b->v;
	b->model = &t->models[(size_t)v[BATCHING_MODEL]];
	b->gpu = &t->gpus[(size_t)v[BATCHING_GPU]];
	b->policy = (enum serving_policy)v[BATCHING_POLICY];
	b->engine = engine_shape_of(b->model, b->gpu, (int)v[BATCHING_TP], DTYPE_BF16, DTYPE_BF16);
	find_memory(b);
	b->setup = (struct serving_setup){
		.policy = b->policy,
		.n = (size_t)v[BATCHING_REQUESTS],
		.gap_s = 1 / v[BATCHING_RATE],
		.users = v[BATCHING_ARRIVALS] == ARRIVALS_CLOSED ? (size_t)v[BATCHING_CONCURRENCY]
								 : 0,
		.engine = &b->engine,
		.fixed_step_s = v[BATCHING_STEP] == STEP_FIXED ? v[BATCHING_STEP_MS] / 1e3 : 0,
		.max_batch = (size_t)v[BATCHING_MAX_BATCH],
		.timeout_s = v[BATCHING_TIMEOUT] / 1e3,
		.cache_tokens = fmax(0, b->cache_bytes / b->kv_bytes_per_token),
		.paged = v[BATCHING_PAGING] > 0,
		.block_tokens = (int64_t)v[BATCHING_BLOCK_TOKENS],
		.reserve_tokens = (int64_t)(v[BATCHING_MAX_LEN] > 0 ? v[BATCHING_MAX_LEN]
								    : b->model->context),
		.chunk_tokens = (int64_t)v[BATCHING_CHUNK_TOKENS],
		.watch = watched(b),
	};
	find_requests(b, t);
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

double batching_capacity_per_s(const struct batching *b)
{
	double prompt = b->mean_prompt, output = b->mean_output,
	       chunk = b->v[BATCHING_CHUNK_TOKENS];
	double fits = b->setup.cache_tokens / (prompt + output);
	double n = fmax(1, fmin(b->v[BATCHING_MAX_BATCH], floor(fits)));
	if (b->setup.fixed_step_s > 0)
		return fmin(n / (output + ceil(prompt / chunk) - 1), fmax(1, chunk / prompt)) /
		       b->setup.fixed_step_s;
	double part = fmin(chunk, prompt);
	double prefill_s =
		engine_step_s(&b->engine, 0, 0, part, (prompt - part) / 2) * prompt / part;
	double decode_s = engine_step_s(&b->engine, n, n * (prompt + output / 2), 0, 0) / n;
	return 1 / (prefill_s + (output - 1) * decode_s);
}

bool batching_overloaded(const struct batching *b, enum serving_policy p)
{
	enum { TOO_FEW = 50 };
	const struct serving_run *run = &b->run[p];
	if (b->setup.users || run->n < TOO_FEW || run->refused)
		return false;
	double last_s = run->served[run->n - 1].arrival_s;
	size_t there = 0;
	for (size_t i = 0; i < run->n; i++)
		there += run->served[i].finish_s > last_s;
	return (double)there > fmax(2 * b->v[BATCHING_MAX_BATCH], 0.15 * (double)run->n) &&
	       b->sum[p].requests_per_s * last_s < 0.93 * (double)(run->n - 1);
}

static void add_values(const struct batching *b, struct figure *fig)
{
	const struct serving_summary *s = &b->sum[b->policy];
	const struct serving_run *run = &b->run[b->policy];
	bool late = s->ttft_p99_s * 1e3 > b->v[BATCHING_SLO_TTFT],
	     slow = s->itl_p99_s * 1e3 > b->v[BATCHING_SLO_ITL];
	bool stopped = run->n == run->refused;
	double goodput = s->requests_per_s * s->within_limits;

	figure_value(fig, "ttft_p50_ms", "TTFT p50", s->ttft_p50_s * 1e3, "ms", ROLE_PLAIN);
	value_note(figure_value(fig, "ttft_p99_ms", "TTFT p99", s->ttft_p99_s * 1e3, "ms",
			   late ? ROLE_BAD : ROLE_GOOD),
		late ? "over its limit" : NULL);
	figure_value(fig, "itl_p50_ms", "ITL p50", stopped ? INFINITY : s->itl_p50_s * 1e3, "ms",
		ROLE_PLAIN);
	figure_value(fig, "e2e_p99_ms", "e2e p99", s->e2e_p99_s * 1e3, "ms", ROLE_PLAIN);
	figure_value(fig, "tokens_per_s", "throughput", s->tokens_per_s, "token/s", ROLE_ACCENT);
	value_note(figure_value(fig, "requests_per_s", "requests", s->requests_per_s, "req/s",
			   batching_overloaded(b, b->policy) ? ROLE_BAD : ROLE_PLAIN),
		batching_overloaded(b, b->policy) ? "less than comes" : NULL);
	figure_value(fig, "gpu_busy_pct", "GPU busy", s->busy_ratio * 100, "%", ROLE_PLAIN);
	value_note(figure_value(fig, "kv_waste_pct", "KV waste", s->waste_ratio * 100, "%",
			   s->waste_ratio > 0.2 ? ROLE_WARN : ROLE_PLAIN),
		"of what is reserved");
	figure_value(fig, "preemptions", "preemptions", (double)run->preemptions, "",
		run->preemptions ? ROLE_WARN : ROLE_PLAIN);
	figure_value(fig, "itl_p99_ms", "ITL p99", stopped ? INFINITY : s->itl_p99_s * 1e3, "ms",
		slow ? ROLE_BAD : ROLE_GOOD);
	figure_value(fig, "goodput_per_s", "goodput", goodput, "req/s", ROLE_PLAIN);
	value_note(figure_value(fig, "mean_batch", "slots at work", s->mean_batch, "", ROLE_PLAIN),
		figure_text(fig, "of %g", b->v[BATCHING_MAX_BATCH]));
	value_note(figure_value(fig, "idle_slots_pct", "slot-steps held", s->idle_slot_ratio * 100,
			   "%", s->idle_slot_ratio > 0.5 ? ROLE_WARN : ROLE_PLAIN),
		"taken, no token made");
	figure_value(fig, "mean_waiting", "waiting", s->mean_waiting, "req", ROLE_PLAIN);
	figure_value(fig, "e2e_p50_ms", "e2e p50", s->e2e_p50_s * 1e3, "ms", ROLE_PLAIN);
	figure_value(fig, "kv_capacity_GB", "KV capacity", fmax(0, b->cache_bytes) / 1e9, "GB",
		b->cache_bytes > 0 ? ROLE_PLAIN : ROLE_BAD);
	value_note(
		figure_value(fig, "kv_peak_pct", "KV peak",
			b->setup.cache_tokens > 0 ? 100 * run->most_reserved / b->setup.cache_tokens
						  : 0,
			"%", ROLE_PLAIN),
		"reserved at most");
}

static void add_trace(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const struct trace *trace = trace_at(t, b->v[BATCHING_TRACE]);
	bool driven = b->v[BATCHING_ARRIVALS] == ARRIVALS_TRACE ||
		      b->v[BATCHING_LENGTHS] == LENGTHS_TRACE;

	if (trace && driven)
		trace_values(fig, trace);
}

/* Tables of facts may lack what an engine's step is made of. */
static bool steps_finite(const struct batching *b)
{
	return b->setup.fixed_step_s > 0 || isfinite(engine_step_s(&b->engine, 1, b->longest,
						    b->v[BATCHING_CHUNK_TOKENS], b->longest));
}

static void warn(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const double *v = b->v;
	const struct serving_run *run = &b->run[b->policy];
	const struct trace *trace = trace_at(t, v[BATCHING_TRACE]);

	const char *need = figure_quantity(fig, b->weight_bytes, "B");
	const char *have = figure_quantity(
		fig, ENGINE_MEMORY_SHARE * v[BATCHING_TP] * b->gpu->memory_bytes, "B");
	if (!steps_finite(b))
		figure_note(fig, ROLE_WARN,
			"The tables give %s no peak or no bandwidth: nothing can be timed on it.",
			b->gpu->name);
	else if (b->cache_bytes <= 0)
		figure_note(fig, ROLE_WARN,
			"%s does not fit: %s of weights in BF16, %s on %g x %s. Nothing is served; "
			"more GPUs (tp) share the weights.",
			b->model->name, need, have, v[BATCHING_TP], b->gpu->name);
	else if (v[BATCHING_KV_GB] > 0 &&
		 b->weight_bytes + b->cache_bytes > v[BATCHING_TP] * b->gpu->memory_bytes)
		figure_note(fig, ROLE_WARN,
			"Weights (%s) and cache (%g GB) are more than %g x %s has.", need,
			v[BATCHING_KV_GB], v[BATCHING_TP], b->gpu->name);
	if (b->setup.cache_tokens > 0 && run->refused)
		figure_note(fig, ROLE_WARN,
			"%zu of %zu requests need more cache than there is (%.0f tokens%s) and are "
			"refused.",
			run->refused, run->n, b->setup.cache_tokens,
			v[BATCHING_PAGING] > 0 ? "" : ", reserved at full length");
	if (b->longest > b->model->context)
		figure_note(fig, ROLE_WARN,
			"The longest request has %.0f tokens, %s was trained for %.0f: it is "
			"served all the same.",
			b->longest, b->model->name, b->model->context);
	if (v[BATCHING_ARRIVALS] == ARRIVALS_TRACE && !trace_has_gaps(trace))
		trace_warn_gaps(fig, trace);
	if (v[BATCHING_LENGTHS] == LENGTHS_TRACE && !trace)
		figure_note(fig, ROLE_WARN, "There is no trace; fixed lengths stand in.");
	if (trace && v[BATCHING_REQUESTS] > (double)trace->n &&
		(v[BATCHING_LENGTHS] == LENGTHS_TRACE || v[BATCHING_ARRIVALS] == ARRIVALS_TRACE))
		figure_note(fig, ROLE_PLAIN, "%s has %zu requests and is begun again %.0f times.",
			trace->name, trace->n, ceil(v[BATCHING_REQUESTS] / (double)trace->n) - 1);
}

/* What a full batch takes per iteration, and what its bytes and FLOPs would on the datasheet. */
static void state_iteration(const struct batching *b, struct figure *fig)
{
	double cached = b->mean_prompt + b->mean_output / 2, tp = b->v[BATCHING_TP];
	double n = fmax(1, fmin(b->v[BATCHING_MAX_BATCH], floor(b->setup.cache_tokens / cached)));
	double step_s = engine_step_s(&b->engine, n, n * cached, 0, 0);
	double floor_s = decode_floor_s(b->model, b->gpu, (int)tp, DTYPE_BF16, n, n * cached);
	figure_assume(fig,
		"iteration: kernel times %s, %.3g ms for a batch of %g; the datasheet floor would "
		"be %.3g ms; BF16 weights and cache",
		b->gpu->achieved.measured ? "fitted to measurements"
					  : "with the constants of its family",
		1e3 * step_s, n, 1e3 * floor_s);
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
	figure_assume(fig,
		"percentiles leave out the first tenth of the requests; throughput is that between "
		"a tenth and nine tenths done");
	figure_assume(fig,
		"cache: nine tenths of memory less the weights, unless given; preemption prefills "
		"again");
	figure_leave_out(fig, "time of the scheduler and the sampler on the CPU");
	figure_leave_out(fig, "prefix caching, swapping to host memory, speculative decoding");
	figure_leave_out(fig, "network and tokenisation");
}

static void describe(const struct batching *b, const struct tables *t, struct figure *fig)
{
	const double *v = b->v;
	const char *tp = v[BATCHING_TP] > 1 ? figure_text(fig, "%g x ", v[BATCHING_TP]) : "";
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
	if (!steps_finite(b))
		b->setup.cache_tokens =
			0; /* nothing can be served: the same answer as without room */
	if (!arena.failed)
		simulate(b);
	if (!arena.failed) {
		describe(b, t, fig);
		add_values(b, fig);
		add_trace(b, t, fig);
		batching_draw_requests(b, fig);
		warn(b, t, fig);
		batching_draw_curve(b, t, fig);
		batching_draw_slots(b, fig);
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
	.run = run,
};
