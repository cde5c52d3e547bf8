/* The simulation `capacity`: GPUs for so many users, such a context and a model, by memory, by
 * bandwidth and by compute; and the plan tried on a simulated replica. */
#include "sims/constants.h"
#include "sims/knobs.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/serving.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/serving/capacity_plan.h"
#include "sims/serving/serving.h"

#include <assert.h>
#include <math.h>

enum {
	USERS,
	CONTEXT,
	MODEL,
	QUANT_BITS,
	GPU,
	ITL_MS,
	LAYOUT,
	TP,
	KV_DTYPE,
	WASTE_PCT,
	MEMORY_PCT,
	REQUESTS_PER_S,
	PROMPT_TOKENS,
	OUTPUT_TOKENS,
	TTFT_MS,
	PRICE,
	KV_RULE,
	PARAMS,
	CHECKED,
	SEED,
	N_KNOBS
};
enum { REPLICATED, SHARDED };
static const char *const layout_ids[] = { "replicated", "sharded", NULL };
static const char *const bits_ids[] = { "16", "8", "4", NULL };
static const char *const bits_names[] = { "16, BF16", "8, FP8", "4, weights only" };
static const enum dtype bits_dtypes[] = { DTYPE_BF16, DTYPE_FP8, DTYPE_FP4 };
static const char *const kv_ids[] = { "bf16", "fp8", NULL };
static const char *const kv_names[] = { "BF16", "FP8" };
static const char *const rule_ids[] = { "exact", "scaled", NULL };

static_assert(LENGTH(bits_ids) == LENGTH(bits_names) + 1, "a name for every choice");
static_assert(LENGTH(kv_ids) == LENGTH(kv_names) + 1, "a name for every choice");

static const struct knob knobs[N_KNOBS] = {
	[USERS] = KNOB_DOUBLING("users", "users at once", "", 1, 1000000, 1000,
		"each has a cache in memory and reads a token per ITL: every bound grows with "
		"them"),
	[CONTEXT] = KNOB_DOUBLING("context", "context", "token", 1, 131072, 1000,
		"what each user holds in the cache on average, prompt and half of the answer"),
	[MODEL] = KNOB_ANY_MODEL("model", "model", "llama2-7b",
		"KV heads decide more than parameters: with 8 of them instead of 32 the cache is "
		"a quarter"),
	[QUANT_BITS] = KNOB_CHOICE_OF("quant_bits", "weight bits", bits_ids, bits_names, "4",
		"shrinks what is small here: many users' caches outweigh the weights"),
	[GPU] = KNOB_ANY_GPU("a100",
		"memory holds the caches, bandwidth reads them once per token, compute takes the "
		"prompts"),
	[ITL_MS] = KNOB_FACTOR("itl_ms", "ITL goal", "ms", 1, 1000, 50, 1.25,
		"a step must end within it: a tighter goal allows fewer users per GPU, whatever "
		"the memory holds"),
	[LAYOUT] = KNOB_CHOICE_OF("layout", "layout", layout_ids, NULL, "replicated",
		"replicas repeat the weights and fail alone; sharded, all GPUs share every layer "
		"and wait for each other twice in it",
		.group = "layout"),
	[TP] = KNOB_WHOLE("tp", "GPUs per replica", "GPU", 0, 64, 0,
		"auto: the fewest, in powers of two, that hold the weights and a user",
		.group = "layout", .zero = "auto", .when = { WHEN(LAYOUT, REPLICATED) }),
	[KV_DTYPE] = KNOB_CHOICE_OF("kv_dtype", "KV cache", kv_ids, kv_names, "bf16",
		"FP8 halves what is held and what every step reads", .group = "memory"),
	[WASTE_PCT] = KNOB_LINEAR("waste_pct", "cache waste", "%", 0, 300, 4, 1,
		"paging leaves under 4 %; the 30 % that go round are not paging's",
		.group = "memory"),
	[MEMORY_PCT] = KNOB_LINEAR("memory_pct", "memory used", "%", 10, 100, 80, 1,
		"the rest is for activations, the runtime and growth", .group = "memory"),
	[REQUESTS_PER_S] = KNOB_FACTOR("requests_per_s", "requests", "req/s", 0, 100000, 0, 1.25,
		"each brings a prompt to compute; auto is Little's: users over the time of an "
		"answer at the goal",
		.group = "requests", .zero = "auto"),
	[PROMPT_TOKENS] = KNOB_DOUBLING("prompt_tokens", "prompt", "token", 1, 131072, 900,
		"prefilled once: compute, and time that no decode step gets"),
	[OUTPUT_TOKENS] = KNOB_DOUBLING("output_tokens", "output", "token", 1, 32768, 200,
		"short answers mean many prompts for the same users", .group = "requests"),
	[TTFT_MS] = KNOB_FACTOR("ttft_ms", "TTFT goal", "ms", 1, 100000, 1000, 1.25,
		"the check marks a P99 beyond it; no bound is made from it", .group = "requests"),
	[PRICE] = KNOB_LINEAR("price_per_gpu_h", "price", "$/h", 0, 1000, 0, 0.1,
		"of one GPU; auto is a public cloud's, as the tables have it",
		.group = "cost, check", .zero = "auto"),
	[KV_RULE] = KNOB_CHOICE_OF("kv_rule", "cache per token", rule_ids, NULL, "exact",
		"exact is from layers and KV heads; scaled, 0.5 MB per 7e9 parameters, is the "
		"rule that goes round (E75)",
		.group = "memory"),
	[PARAMS] = KNOB_FACTOR("params", "params", "param", 0, 1e13, 0, 1.25,
		"for the weights' memory only; auto is the model's own count", .group = "memory",
		.zero = "auto"),
	[CHECKED] = KNOB_DOUBLING("checked", "checked with", "req", 50, 4000, 1000,
		"requests that the simulated replica serves: a P99 of few of them is chance",
		.group = "cost, check"),
	[SEED] = KNOB_SEED(0, 1e6, "other requests for the check: what changes with it is chance",
		.group = "cost, check"),
};

struct capacity {
	const double *v;
	struct capacity_need need;
	struct capacity_engines engines;
	struct capacity_plan plan;
	struct serving_summary check; /* one replica at its share of the load */
	bool checked;
	/* The fewest GPUs whose replica meets both goals at P99; INFINITY: none up to MOST_TIMES
	 * the plan; 0: not looked for. */
	double passing;
	double ttft_s, price_per_h, usd_per_token; /* ttft_s: the goal */
	struct arena *arena;
};

static double group_size(const struct capacity_need *n, double asked)
{
	if (asked > 0)
		return asked;
	double group = 1;
	while (group < 64 && capacity_users_per_replica(n, group) < 1)
		group *= 2;
	return group;
}

static void find_need(struct capacity *c, const struct tables *t)
{
	const double *v = c->v;
	const struct model *m = model_at(t, v[MODEL]);
	struct capacity_need *n = &c->need;
	*n = (struct capacity_need){ .model = m,
		.gpu = gpu_at(t, v[GPU]),
		.users = v[USERS],
		.context = v[CONTEXT],
		.itl_s = v[ITL_MS] / 1e3,
		.prompt_tokens = v[PROMPT_TOKENS],
		.output_tokens = v[OUTPUT_TOKENS],
		.waste = v[WASTE_PCT] / 100,
		.fill = v[MEMORY_PCT] / 100,
		.weights = bits_dtypes[(size_t)v[QUANT_BITS]],
		.kv = v[KV_DTYPE] > 0 ? DTYPE_FP8 : DTYPE_BF16,
		.sharded = v[LAYOUT] == SHARDED };
	double params = v[PARAMS] > 0 ? v[PARAMS] : m->params;
	n->weight_bytes = params * dtype_bytes(n->weights);
	n->kv_per_token =
		v[KV_RULE] > 0 ? 0.5e6 * params / 7e9 : model_kv_bytes_per_token(m, n->kv);
	n->requests_per_s = v[REQUESTS_PER_S] > 0 ? v[REQUESTS_PER_S]
						  : n->users / (n->output_tokens * n->itl_s);
	n->group = group_size(n, v[TP]);
	c->price_per_h = v[PRICE] > 0 ? v[PRICE] : n->gpu->usd_per_hour;
}

/* One of so many replicas under its share of the requests; false where it serves none of them. */
static bool try_replicas(
	const struct capacity *c, struct arena *a, double r, struct serving_summary *summary)
{
	const struct capacity_need *n = &c->need;
	double gpus = n->sharded ? c->plan.gpus : n->group;
	struct engine_shape engine =
		engine_shape_of(n->model, n->gpu, (int)gpus, n->weights, n->kv);
	struct serving_workload w = { .arrivals = ARRIVALS_POISSON,
		.lengths = LENGTHS_EXPONENTIAL,
		.prompt_tokens = n->prompt_tokens,
		.output_tokens = n->output_tokens,
		.seed = (uint64_t)c->v[SEED] };
	double room = gpus * n->gpu->memory_bytes * n->fill - n->weight_bytes;
	double users = ceil(n->users / r);
	struct serving_setup setup = { .policy = SERVING_CONTINUOUS,
		.n = (size_t)c->v[CHECKED],
		.gap_s = r / n->requests_per_s,
		.engine = &engine,
		.max_batch = (size_t)fmin(fmax(2 * users, 8), 8192),
		.cache_tokens = fmax(0, room / (n->kv_per_token * capacity_kv_copies(n, gpus))),
		.paged = true,
		.block_tokens = KV_BLOCK_TOKENS,
		.chunk_tokens = PREFILL_CHUNK_TOKENS };
	setup.requests = workload_requests(a, &w, setup.n);
	struct serving_run *run = arena_alloc(a, sizeof *run);
	if (!setup.requests || !run)
		return false;
	*run = serving_simulate(a, &setup);
	*summary = serving_summarise(a, &setup, run, c->ttft_s, n->itl_s);
	return run->n > run->refused;
}

static bool meets_goals(const struct capacity *c, const struct serving_summary *s)
{
	return s->ttft_p99_s <= c->ttft_s && s->itl_p99_s <= c->need.itl_s;
}

static bool passes(const struct capacity *c, double replicas)
{
	struct arena scratch = { 0 };
	struct serving_summary s;
	bool pass = try_replicas(c, &scratch, replicas, &s) && meets_goals(c, &s);
	arena_release(&scratch);
	return pass;
}

/* Halves the interval between the plan, which fails, and MOST_TIMES as many replicas: each trial is
 * a run of one replica, a millisecond or two. */
enum { MOST_TIMES = 4 };
static double fewest_passing(const struct capacity *c)
{
	double fails = c->plan.replicas, pass = MOST_TIMES * fails;
	if (!passes(c, pass))
		return INFINITY;
	while (pass - fails > 1) {
		double mid = floor((pass + fails) / 2);
		if (passes(c, mid))
			pass = mid;
		else
			fails = mid;
	}
	return pass * c->need.group;
}

/* One replica of the plan, and where it misses a goal, how many it would take. A group that shares
 * each layer is one replica whatever its size. */
static void check(struct capacity *c)
{
	double gpus = c->need.sharded ? c->plan.gpus : c->need.group;
	if (!isfinite(c->plan.gpus) || gpus > 4096)
		return;
	c->checked = try_replicas(c, c->arena, c->plan.replicas, &c->check);
	if (c->checked && !meets_goals(c, &c->check) && !c->need.sharded)
		c->passing = fewest_passing(c);
}

static enum role met(double value_s, double goal_s)
{
	return value_s <= goal_s ? ROLE_GOOD : ROLE_BAD;
}

/* --- Pictures --- */

static void add(struct figure *fig, struct series *s, double x, double y)
{
	series_point(fig, s, x, isfinite(y) ? y : NAN);
}

struct lines {
	struct series *memory, *bandwidth, *compute, *speed;
};

static struct lines lines_of(struct figure *fig, struct plot *p)
{
	return (struct lines){ plot_series(fig, p, "memory", SERIES_LINE, MEANS_KIND + 2),
		plot_series(fig, p, "decode", SERIES_DASHED, MEANS_TRAFFIC),
		plot_series(fig, p, "prompts", SERIES_DASHED, MEANS_COMPUTE),
		plot_series(fig, p, "both in turn", SERIES_LINE, MEANS_KIND + 3) };
}

/* The plans along an axis. */
struct sweep {
	double x[64];
	struct capacity_plan plan[64];
	size_t n;
	bool possible; /* somewhere some number of GPUs meets some bound */
};

static void sweep_add(struct sweep *s, double x, struct capacity_plan p)
{
	if (s->n == LENGTH(s->x))
		return;
	s->x[s->n] = x;
	s->plan[s->n++] = p;
	s->possible |= isfinite(p.memory) || isfinite(p.bandwidth) || isfinite(p.compute) ||
		       isfinite(p.speed);
}

static void draw_sweep(struct figure *fig, struct plot *p, const struct sweep *s)
{
	struct lines l = lines_of(fig, p);
	for (size_t i = 0; i < s->n; i++) {
		add(fig, l.memory, s->x[i], s->plan[i].memory);
		add(fig, l.bandwidth, s->x[i], s->plan[i].bandwidth);
		add(fig, l.compute, s->x[i], s->plan[i].compute);
		add(fig, l.speed, s->x[i], s->plan[i].speed);
	}
}

/* What each need takes, as stairs: the last step is the plan. */
static void draw_stairs(const struct capacity *c, struct figure *fig)
{
	/* The number at the end of the bar goes before it: "6 GPUs would do". */
	static const char *const parts[] = { "would do", "decides" };
	static const enum meaning means[] = { MEANS_HELD, MEANS_COMPUTE };
	const struct capacity_plan *p = &c->plan;
	const struct capacity_need *need = &c->need;
	struct {
		const char *name;
		double gpus;
		const char *what;
	} steps[] = {
		{ "take the prompts", p->compute,
			figure_text(fig, "%s prompt tokens/s",
				figure_quantity(
					fig, need->requests_per_s * need->prompt_tokens, "")) },
		{ figure_text(fig, "decode in %s", figure_quantity(fig, need->itl_s, "s")),
			p->bandwidth,
			figure_text(fig, "%s tokens/s to read",
				figure_quantity(fig,
					CALL(token_demand, .users = need->users,
						.token_interval = need->itl_s),
					"")) },
		{ "hold the caches", p->memory,
			figure_text(fig, "%s, %s a user",
				figure_quantity(fig, capacity_total_bytes(need), "B"),
				figure_quantity(fig,
					need->context * need->kv_per_token * (1 + need->waste),
					"B")) },
		{ "decode and prompts", p->speed, "a step waits for prompts" },
	};
	bool any = false, drawn[LENGTH(steps)] = { false };
	for (size_t i = 0; i < LENGTH(steps); i++)
		any |= isfinite(steps[i].gpus);
	if (!any)
		return;
	struct bars *b = figure_bars(fig, "GPUs that it takes to ...", "GPU", parts, LENGTH(parts));
	figure_tab(fig, "Bounds");
	bars_mean(fig, b, means, LENGTH(means));
	for (size_t n = 0; n < LENGTH(steps); n++) {
		size_t least = LENGTH(steps);
		for (size_t i = 0; i < LENGTH(steps); i++)
			if (!drawn[i] && isfinite(steps[i].gpus) &&
				(least == LENGTH(steps) || steps[i].gpus < steps[least].gpus))
				least = i;
		if (least == LENGTH(steps))
			break;
		drawn[least] = true;
		double gpus = steps[least].gpus;
		bool decides = gpus >= p->gpus;
		struct bar *bar = bars_add(fig, b, steps[least].name,
			(double[]){ decides ? 0 : gpus, decides ? gpus : 0 });
		if (bar)
			bar->note = steps[least].what;
	}
}

static void capacity_draw_goal(const struct capacity *c, struct figure *fig)
{
	struct sweep s = { .n = 0 };
	for (double ms = 5; ms < 410; ms *= 1.15) {
		struct capacity_need n = c->need;
		n.itl_s = ms / 1e3; /* the same requests arrive, whatever the goal */
		sweep_add(&s, ms, capacity_plan(&n, &c->engines));
	}
	if (!s.possible)
		return;
	struct plot *p = figure_plot(fig, "GPUs by the time that a token may take",
		"Time between tokens", "ms", AXIS_LOG10, "GPUs", "", AXIS_LOG10);
	figure_tab(fig, "By goal");
	draw_sweep(fig, p, &s);
	plot_rule(fig, p, false, c->need.itl_s * 1e3, "goal", ROLE_ACCENT);
}

static void capacity_draw_context(const struct capacity *c, struct figure *fig)
{
	struct sweep s = { .n = 0 };
	for (double context = 128; context < 40000; context *= sqrt(2)) {
		struct capacity_need n = c->need;
		n.context = round(context);
		sweep_add(&s, context, capacity_plan(&n, &c->engines));
	}
	if (!s.possible)
		return;
	struct plot *p = figure_plot(fig, "GPUs by the context of a user", "Context per user",
		"token", AXIS_LOG2, "GPUs", "", AXIS_LOG10);
	figure_tab(fig, "By context");
	draw_sweep(fig, p, &s);
	plot_rule(fig, p, false, c->need.context, "now", ROLE_ACCENT);
}

static void capacity_draw_memory(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "weights", "caches", "waste", "room for more users",
		"kept free" };
	static const enum meaning means[] = { MEANS_KIND + 2, MEANS_KIND, MEANS_HELD, MEANS_FREE,
		MEANS_WAITING };
	const struct capacity_need *n = &c->need;
	if (!isfinite(c->plan.gpus))
		return;
	double gpus = n->sharded ? c->plan.gpus : n->group, users = c->plan.users_per_replica;
	double all = gpus * n->gpu->memory_bytes;
	double cache = CALL(users_cache_bytes, .users = users, .context = n->context,
		.kv_per_token = n->kv_per_token * capacity_kv_copies(n, gpus), .waste = 0);
	double used = n->weight_bytes + cache * (1 + n->waste);
	double gb[] = { n->weight_bytes, cache, cache * n->waste, fmax(0, all * n->fill - used),
		all * (1 - n->fill) };
	for (size_t i = 0; i < LENGTH(gb); i++)
		gb[i] /= gpus * 1e9;
	struct bars *b = figure_bars(fig, "Memory of one GPU", "GB", parts, LENGTH(gb));
	figure_tab(fig, "Memory");
	bars_mean(fig, b, means, LENGTH(means));
	bars_add(fig, b, n->gpu->name, gb);
}

/* In the unit of the values, to three digits. */
static const char *wait_text(struct figure *fig, double wait_s)
{
	double ms = wait_s * 1e3, place = pow(10, floor(log10(ms)) - 2);
	return figure_quantity(fig, isfinite(ms) && ms > 0 ? place * round(ms / place) : ms, "ms");
}

static void capacity_draw_check(const struct capacity *c, struct figure *fig)
{
	static const char *const check_head[] = { "", "p50", "p99", "goal" };
	const struct capacity_need *n = &c->need;
	if (!c->checked)
		return;
	struct table *t = figure_table(fig, "One replica, simulated", check_head, 4, "0111");
	figure_tab(fig, "Check");
	table_row(fig, t,
		(const char *[]){ "first token", wait_text(fig, c->check.ttft_p50_s),
			wait_text(fig, c->check.ttft_p99_s), wait_text(fig, c->ttft_s) });
	table_row(fig, t,
		(const char *[]){ "between tokens", wait_text(fig, c->check.itl_p50_s),
			wait_text(fig, c->check.itl_p99_s), wait_text(fig, n->itl_s) });
}

/* --- The simulation --- */

static void add_values(struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	const struct capacity_plan *p = &c->plan;
	double rate = n->requests_per_s * n->output_tokens;
	c->usd_per_token = isfinite(p->gpus) ? CALL(cost_per_token, .gpus = p->gpus,
						       .price_per_hour = c->price_per_h,
						       .time = HOUR_S, .token_rate = rate)
					     : INFINITY;
	value_note(figure_value(fig, "gpus", "GPUs", p->gpus, "GPU", ROLE_ACCENT),
		figure_text(fig, "bound by %s", capacity_binding(p)));
	if (c->passing > 0 && isfinite(c->passing))
		value_note(figure_value(
				   fig, "gpus_p99", "for both P99", c->passing, "GPU", ROLE_PLAIN),
			"meet both goals");
	figure_value(
		fig, "usd_per_mtok", "1M tokens cost", c->usd_per_token * 1e6, "$", ROLE_PLAIN);
	if (c->checked) {
		value_note(figure_value(fig, "ttft_p99_ms", "first token P99",
				   c->check.ttft_p99_s * 1e3, "ms",
				   met(c->check.ttft_p99_s, c->ttft_s)),
			figure_text(fig, "goal %s", wait_text(fig, c->ttft_s)));
		value_note(figure_value(fig, "itl_p99_ms", "token P99", c->check.itl_p99_s * 1e3,
				   "ms", met(c->check.itl_p99_s, n->itl_s)),
			figure_text(fig, "goal %s", wait_text(fig, n->itl_s)));
		value_note(figure_value(fig, "itl_p50_ms", "token P50", c->check.itl_p50_s * 1e3,
				   "ms", met(c->check.itl_p50_s, n->itl_s)),
			"one replica, simulated");
	}
	figure_value(fig, "gpus_memory", "to hold it", p->memory, "GPU", ROLE_PLAIN);
	value_note(
		figure_value(fig, "gpus_bandwidth", "to decode", p->bandwidth, "GPU", ROLE_PLAIN),
		figure_text(fig, "decode within %.3g ms", n->itl_s * 1e3));
	value_note(figure_value(fig, "gpus_compute", "for prompts", p->compute, "GPU", ROLE_PLAIN),
		figure_text(fig, "%s prompts/s", figure_quantity(fig, n->requests_per_s, "")));
	value_note(figure_value(fig, "gpus_speed", "for both in turn", p->speed, "GPU", ROLE_PLAIN),
		"decode and prompts");
	value_note(figure_value(fig, "total_GB", "memory", capacity_total_bytes(n) / 1e9, "GB",
			   ROLE_PLAIN),
		figure_text(fig, "%.3g GB are weights", n->weight_bytes / 1e9));
	value_note(figure_value(fig, "users_per_replica", "users a replica", p->users_per_replica,
			   "", ROLE_PLAIN),
		isfinite(p->replicas) ? figure_text(fig, "%.0f replicas", p->replicas) : NULL);
	figure_value(
		fig, "kv_per_token_kB", "cache per token", n->kv_per_token / 1e3, "kB", ROLE_PLAIN);
}

static bool misses_ttft(const struct capacity *c)
{
	return c->checked && c->check.ttft_p99_s > c->ttft_s;
}

static bool misses_itl(const struct capacity *c)
{
	return c->checked && c->check.itl_p99_s > c->need.itl_s;
}

/* How many GPUs would meet both goals, or why none do. */
static const char *way_out(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	double prompt = fmin(n->prompt_tokens, PREFILL_CHUNK_TOKENS);
	double step_s =
		c->engines.n ? engine_step_s(c->engines.shape, 1, n->context, prompt, 0) : 0;
	if (c->passing <= 0)
		return "";
	if (isfinite(c->passing))
		return figure_text(fig, ", but the goals take %.0f", c->passing);
	if (step_s > n->itl_s)
		return figure_text(fig, ", and more do not help, as a step with a prompt takes %s",
			wait_text(fig, step_s));
	return figure_text(fig, ", but %.0f would not meet the goals", MOST_TIMES * c->plan.gpus);
}

/* The plan is made from means; what its replica keeps one of a hundred waiting for comes first. */
static void explain_missed(const struct capacity *c, struct figure *fig)
{
	const struct capacity_plan *p = &c->plan;
	const char *first = figure_text(fig, "%s for a first token (goal %s)",
		wait_text(fig, c->check.ttft_p99_s), wait_text(fig, c->ttft_s));
	const char *next = figure_text(fig, "%s for the next token (goal %s)",
		wait_text(fig, c->check.itl_p99_s), wait_text(fig, c->need.itl_s));
	figure_why(fig, "%.0f GPUs do on average%s: %s1 in 100 waits %s%s%s.", p->gpus,
		way_out(c, fig),
		isfinite(c->passing) && c->passing > 0 ? figure_text(fig, "with %.0f, ", p->gpus)
						       : "",
		misses_ttft(c) ? first : "", misses_ttft(c) && misses_itl(c) ? ", " : "",
		misses_itl(c) ? next : "");
}

static void explain(const struct capacity *c, struct figure *fig)
{
	const struct capacity_plan *p = &c->plan;
	double itl_ms = c->need.itl_s * 1e3;
	if (!isfinite(p->memory) && c->need.sharded)
		figure_why(fig,
			"From %g GPUs on each holds a KV head of all users, and that is more than "
			"it has: only replicas share out the users.",
			c->need.model->kv_heads);
	else if (!isfinite(p->memory))
		figure_why(fig,
			"A replica of %g does not hold the weights and one user: no number of such "
			"replicas will.",
			c->need.group);
	else if (!isfinite(p->bandwidth))
		figure_why(fig,
			"No number of %s gives a token every %.3g ms: a step takes longer even for "
			"a single user.",
			c->need.gpu->name, itl_ms);
	else if (!isfinite(p->speed))
		figure_why(fig,
			"Memory would do with %.0f GPUs, but all of them take part in each of %.3g "
			"prompts a second, and its all-reduces do not shrink: replicate.",
			p->memory, c->need.requests_per_s);
	else if (misses_ttft(c) || misses_itl(c))
		explain_missed(c, fig);
	else if (p->memory >= p->speed)
		figure_why(fig,
			"%.0f GPUs to hold the caches, %.0f would be fast enough. A smaller cache "
			"per token saves GPUs, a faster kernel does not.",
			p->memory, p->speed);
	else if (p->speed > fmax(p->bandwidth, p->compute))
		figure_why(fig,
			"%.0f GPUs: %.0f would hold the caches and %.0f decode within %.3g ms, but "
			"prompts come in between. Memory alone plans too small.",
			p->gpus, p->memory, p->bandwidth, itl_ms);
	else if (p->bandwidth >= p->compute)
		figure_why(fig,
			"%.0f GPUs for a token every %.3g ms, because each step reads all caches. "
			"Memory would do with %.0f.",
			p->speed, itl_ms, p->memory);
	else
		figure_why(fig,
			"%.0f GPUs to take %s prompts a second; memory would do with %.0f. Shorter "
			"prompts help, a larger memory does not.",
			p->compute, figure_quantity(fig, c->need.requests_per_s, ""), p->memory);
}

static void warn(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	double in_node = 8, users = n->users / c->plan.replicas;
	double copies = capacity_kv_copies(n, n->sharded ? c->plan.gpus : n->group);
	if (!isfinite(c->plan.gpus))
		figure_note(fig, ROLE_WARN, "No plan: %s.",
			isfinite(c->plan.memory) ? "the goals are out of reach in this layout"
			: n->sharded             ? "replicated, each holds its own users only"
						 : "more GPUs per replica (tp) share the weights");
	else if ((n->sharded ? c->plan.gpus : n->group) > in_node)
		figure_note(fig, ROLE_WARN,
			"A group of %.0f GPUs: most machines hold 8, and the all-reduces of each "
			"layer are timed as inside of one.",
			n->sharded ? c->plan.gpus : n->group);
	if (copies > 1 && isfinite(c->plan.gpus))
		figure_note(fig, ROLE_PLAIN,
			"A group of more GPUs than the %g KV heads holds the cache %.3g times.",
			n->model->kv_heads, copies);
	if (misses_ttft(c) || misses_itl(c))
		figure_leave_out(fig,
			"bursts and long prompts: the plan is made from means, and the simulated "
			"replica, at its share of the load, misses a goal at P99");
	if (c->checked && c->v[CHECKED] < 3 * users)
		figure_note(fig, ROLE_WARN,
			"%g requests do not fill a replica of %.0f users: the check sees an "
			"emptier one.",
			c->v[CHECKED], users);
	double held = n->prompt_tokens + n->output_tokens / 2;
	if (held > 2 * n->context || held < n->context / 2)
		figure_note(fig, ROLE_WARN,
			"Memory is planned for %.0f tokens a user, prompt and answers hold %.0f on "
			"average: the check serves the latter.",
			n->context, held);
	if (!(c->price_per_h > 0))
		figure_note(fig, ROLE_PLAIN, "The tables have no price for %s.", n->gpu->name);
	if (n->context > n->model->context)
		figure_note(fig, ROLE_WARN,
			"%s was trained for %.0f tokens; more are planned all the same.",
			n->model->name, n->model->context);
	if (c->v[KV_RULE] > 0)
		figure_note(fig, ROLE_WARN,
			"Cache scaled from the parameter count: wrong wherever query heads share "
			"keys (E75); the exact one is %.3g kB per token.",
			model_kv_bytes_per_token(n->model, n->kv) / 1e3);
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct capacity c = { .v = v, .ttft_s = v[TTFT_MS] / 1e3, .arena = &fig->arena };
	find_need(&c, t);
	c.engines = capacity_engines(c.arena, &c.need);
	c.plan = capacity_plan(&c.need, &c.engines);
	check(&c);
	figure_subtitle(fig, "%s, %s-bit weights · %s · %s", c.need.model->name,
		bits_ids[(size_t)v[QUANT_BITS]], c.need.gpu->name, layout_ids[(size_t)v[LAYOUT]]);
	add_values(&c, fig);
	draw_stairs(&c, fig);
	capacity_draw_goal(&c, fig);
	capacity_draw_memory(&c, fig);
	capacity_draw_check(&c, fig);
	capacity_draw_context(&c, fig);
	explain(&c, fig);
	warn(&c, fig);
	figure_assume(fig, "GB = 1e9 B; kernel times %s; prompts and steps take turns on a replica",
		c.need.gpu->achieved.measured ? "fitted to measurements" : "by the GPU's family");
	figure_assume(fig,
		"check: Poisson arrivals, exponential lengths, chunks of %d, blocks of %d",
		PREFILL_CHUNK_TOKENS, KV_BLOCK_TOKENS);
	figure_assume(fig, "price: an input; tokens per dollar count the output only");
	figure_leave_out(
		fig, "the host's time per step, a router that balances badly, failures (N + 1)");
	figure_leave_out(fig, "shared prefixes, hours of less load, links between machines");
}

const struct sim capacity_sim = {
	.id = "capacity",
	.title = "Capacity plan",
	.summary = "GPUs for users, context and model: by memory, by bandwidth, by compute",
	.page = "serving",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(USERS, CONTEXT, MODEL, GPU, ITL_MS, QUANT_BITS, PROMPT_TOKENS),
	.try = "Set the model to Llama-3-8B. What decides now, and what would help?",
	.run = run,
};
