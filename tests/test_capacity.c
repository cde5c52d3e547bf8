/* The capacity plan: the figures of F9.1, bounds that hold by definition, and its check. */
#include "sims/gpu/engine_shape.h"
#include "sims/serving/capacity.h"
#include "tests/laws.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(capacity, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(&capacity_sim, &t, settings, id);
}

/* E2, E75, F9.1: A100 of 80 GB filled to 80 %, a thousand users of 1,000 tokens. Replicated and
 * before any waste: (64 - 3.5) GB / 524,288,000 B = 115 users, nine replicas; with 4 %: 110,
 * ten. */
static const struct {
	const char *settings, *id;
	double want, tolerance;
} sheet[] = {
	{ "users=1000 params=7e9 layout=sharded kv_rule=scaled waste_pct=30", "total_GB", 653.5,
		1e-9 },
	{ "users=1000 params=7e9 layout=sharded kv_rule=scaled waste_pct=30", "gpus_memory", 11,
		0 },
	{ "users=1000 params=7e9 layout=sharded", "total_GB", 548.8, 0.05 },
	{ "users=1000 params=7e9 layout=sharded", "gpus_memory", 9, 0 },
	{ "users=1000 params=8e9 model=llama3-8b layout=sharded", "total_GB", 140.3, 0.05 },
	{ "users=1000 params=8e9 model=llama3-8b layout=sharded", "gpus_memory", 3, 0 },
	{ "users=1000 params=7e9 waste_pct=0 tp=1", "gpus_memory", 9, 0 },
	{ "users=1000 params=7e9 tp=1", "gpus_memory", 10, 0 },
	/* one request a second of a model that a card holds twenty times: no group is smaller */
	{ "layout=sharded model=llama3-8b requests_per_s=1", "gpus", 1, 0 },
	{ "", "kv_per_token_kB", 524.288, 1e-9 },
	{ "model=llama3-8b", "kv_per_token_kB", 131.072, 1e-9 },
	{ "model=llama3-8b kv_dtype=fp8", "kv_per_token_kB", 65.536, 1e-9 },
};

Test(capacity, figures_of_the_sheet)
{
	for (size_t i = 0; i < COUNT(sheet); i++) {
		double got = value_of(sheet[i].settings, sheet[i].id);
		cr_expect(epsilon_eq(dbl, got, sheet[i].want, sheet[i].tolerance), "%s: %s is %g",
			sheet[i].settings, sheet[i].id, got);
	}
}

/* The number that a bound gives meets the goal; one replica less does not. */
Test(capacity, a_bound_is_the_least_that_meets_the_goal)
{
	static const double goals_s[] = { 0.012, 0.02, 0.05, 0.1 };
	for (size_t i = 0; i < COUNT(goals_s); i++) {
		struct arena a = { 0 };
		struct capacity_need n = { .model = model_find(&t, "llama3-8b"),
			.gpu = gpu_find(&t, "h100"),
			.users = 3000,
			.context = 4000,
			.itl_s = goals_s[i],
			.requests_per_s = 150,
			.prompt_tokens = 3000,
			.output_tokens = 400,
			.chunk_tokens = 512,
			.weights = VALUE_BF16,
			.kv = VALUE_BF16,
			.fill = 0.9,
			.group = 1 };
		n.weight_bytes = model_weight_bytes(n.model, DTYPE_BF16);
		n.kv_per_token = model_kv_bytes_per_token(n.model, DTYPE_BF16);
		struct capacity_engines e = capacity_engines(&a, &n);
		struct capacity_plan p = capacity_plan(&n, &e);
		double rate = n.requests_per_s, most_s = n.itl_s;
		cr_expect(
			isfinite(capacity_step_s(&n, e.shape, rate / p.bandwidth, false, most_s)));
		cr_expect(isinf(
			capacity_step_s(&n, e.shape, rate / (p.bandwidth - 1), false, most_s)));
		cr_expect(isfinite(capacity_step_s(&n, e.shape, rate / p.speed, true, most_s)));
		cr_expect(isinf(capacity_step_s(&n, e.shape, rate / (p.speed - 1), true, most_s)));
		double held = capacity_users_per_replica(&n, 1);
		cr_expect(p.memory * held >= n.users && (p.memory - 1) * held < n.users);
		cr_expect(p.speed >= p.bandwidth && p.speed >= p.compute);
		cr_expect(eq(dbl, p.gpus, fmax(p.memory, p.speed)));
		arena_release(&a);
	}
}

/* Little's law, solved: an iteration that decodes what the rate brings in its own time. Nothing is
 * faster than reading the weights and those users' caches. */
Test(capacity, a_step_serves_who_comes_in_it)
{
	struct capacity_need n = { .model = model_find(&t, "llama3-8b"),
		.gpu = gpu_find(&t, "h100"),
		.context = 1000,
		.prompt_tokens = 900,
		.output_tokens = 200,
		.chunk_tokens = 512,
		.kv = VALUE_BF16 };
	struct engine_shape e = engine_shape_of(n.model, n.gpu, 1, DTYPE_BF16, DTYPE_BF16);
	for (double rate = 0.1; rate < 40; rate *= 2) {
		double s = capacity_step_s(&n, &e, rate, false, INFINITY), users = rate * 200 * s;
		double again = engine_step_s(&e, users, users * n.context, 0, 0);
		cr_expect(epsilon_eq(dbl, again, s, 1e-4 * s), "%g/s: %g s, %g s", rate, s, again);
		cr_expect(s >=
			  decode_floor_s(n.model, n.gpu, 1, DTYPE_BF16, users, users * n.context));
		cr_expect(ge(dbl, capacity_step_s(&n, &e, rate, true, INFINITY), s));
	}
	/* 1,000 requests of 900 tokens are 14.4e15 FLOP a second, of 0.99e15 that there are. */
	cr_expect(isinf(capacity_step_s(&n, &e, 1000, true, INFINITY)));
}

/* More requests a second, longer iterations, until there are too many for good: also where tiles that
 * fill up make the time of a product rise in stairs. */
Test(capacity, a_step_grows_with_the_rate)
{
	static const struct {
		const char *model, *gpu;
		double group, prompt, output, chunk;
		enum value_type weights;
	} rows[] = { { "llama3-70b", "h100", 2, 100, 200, 384, VALUE_INT4 },
		{ "llama3-70b", "b200", 1, 900, 200, 512, VALUE_FP8 },
		{ "llama3-8b", "h200", 1, 900, 200, 256, VALUE_INT4 },
		{ "llama2-7b", "a100", 1, 900, 200, 512, VALUE_INT4 },
		{ "llama3-8b", "l40s", 1, 2000, 50, 128, VALUE_FP8 } };
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int prompts = 0; prompts < 2; prompts++) {
			struct capacity_need n = { .model = model_find(&t, rows[i].model),
				.gpu = gpu_find(&t, rows[i].gpu),
				.prompt_tokens = rows[i].prompt,
				.output_tokens = rows[i].output,
				.context = rows[i].prompt + rows[i].output / 2,
				.chunk_tokens = rows[i].chunk,
				.weights = rows[i].weights,
				.kv = VALUE_BF16 };
			struct engine_shape e = capacity_engine(&n, rows[i].group);
			double last = 0;
			for (double rate = 0.1; rate < 300; rate *= 1.01) {
				double s = capacity_step_s(&n, &e, rate, prompts, 1);
				cr_expect(s >= last * (1 - 1e-4), "row %zu, %g/s: %g s after %g s",
					i, rate, s, last);
				last = s;
			}
			cr_expect(isinf(last), "row %zu", i);
		}
}

Test(capacity, laws)
{
	double gpus = value_of("", "gpus");
	cr_expect(lt(dbl, gpus, value_of("requests_per_s=200", "gpus")));
	cr_expect(lt(dbl, gpus, value_of("itl_ms=20", "gpus")));
	cr_expect(lt(dbl, value_of("model=llama3-8b users=1000", "gpus_memory"),
		value_of("users=1000", "gpus_memory")));
	cr_expect(lt(dbl, value_of("requests_per_s=10", "gpus_compute"),
		value_of("requests_per_s=1000", "gpus_compute")));
	/* $2 an hour for each GPU, 100 requests/s of 200 tokens: $/h over 72e6 tokens/h */
	double usd = value_of("price_per_gpu_h=2", "usd_per_mtok");
	cr_expect(epsilon_eq(dbl, usd, gpus * 2 / 72, 1e-9));
	/* and at half a dollar a quarter of that */
	usd = value_of("price_per_gpu_h=0.5", "usd_per_mtok");
	cr_expect(epsilon_eq(dbl, usd, gpus * 0.5 / 72, 1e-9));
	/* 810 GB in BF16 on two GPUs of 80 */
	cr_expect(isinf(value_of("model=llama3-405b weight_dtype=bf16 tp=2", "gpus")));
	/* more to choose from never costs more */
	cr_expect(le(dbl, value_of("weight_dtype=any kv_dtype=any", "usd_per_mtok"),
		value_of("weight_dtype=fp8 kv_dtype=fp8", "usd_per_mtok")));
	cr_expect(le(dbl, value_of("gpu=any", "usd_per_mtok"), value_of("", "usd_per_mtok")));
}

/* Requests are given, or follow from users who read a token per goal: 1,000 in 200 x 50 ms. */
Test(capacity, users_and_requests_follow_from_each_other)
{
	cr_expect(eq(dbl, value_of("users=1000", "rate_per_s"), 100));
	cr_expect(eq(dbl, value_of("users=1000 itl_ms=100", "rate_per_s"), 50));
	cr_expect(eq(dbl, value_of("users=1000", "users"), 1000));
	cr_expect(eq(dbl, value_of("rate_per_s=40", "rate_per_s"), 40));
	/* Little: so many a second, each as long as its first token and 199 more take. */
	double users = value_of("", "users"), itl_s = value_of("", "itl_p50_ms") / 1e3;
	cr_expect(lt(dbl, 100 * 199 * itl_s * 0.8, users));
	cr_expect(lt(dbl, users, 100 * (1 + 200 * 0.05)));
	/* Memory holds those who are given, as many again with twice of them. */
	cr_expect(epsilon_eq(dbl, value_of("users=2000 tp=1", "gpus_memory"),
		2 * value_of("users=1000 tp=1", "gpus_memory"), 1));
}

/* Ten users who send 200 a second would have an answer every 50 ms; 5,000 who send 10, one in 500 s,
 * where the goals allow 1 + 200 x 0.05. */
Test(capacity, a_contradiction_is_refused)
{
	static const struct {
		const char *settings, *said;
	} rows[] = {
		{ "users=10 requests_per_s=200", "10 users cannot send 200 requests/s" },
		{ "requests_per_s=200 users=10", "an answer would have to be there after 50 ms" },
		{ "users=5000 rate_per_s=10", "wait 500 s for each answer, and the goals allow "
					      "11 s" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&capacity_sim, &t, rows[i].settings);
		cr_expect(strstr(fig.why, rows[i].said) != NULL, "%s", fig.why);
		cr_expect(isinf(figure_number(&fig, "gpus")));
		figure_release(&fig);
	}
	cr_expect(isfinite(value_of("users=1000 requests_per_s=100", "gpus")));
	/* Faster than the goals, as an answer must be there in 5 s: more GPUs, and no more users. */
	double users = value_of("users=500 requests_per_s=100 tp=1", "users_per_replica");
	cr_expect(lt(
		dbl, users, value_of("users=1000 requests_per_s=100 tp=1", "users_per_replica")));
}

/* The plan meets both goals in its own check, or says which it cannot meet and for what it is. */
Test(capacity, the_plan_meets_its_goals)
{
	static const char *const settings[] = { "", "itl_ms=20", "ttft_ms=400", "users=1000",
		"model=llama3-70b gpu=h100 weight_dtype=fp8", "layout=sharded requests_per_s=2",
		"fleet=8" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[i]);
		cr_expect(figure_find(&fig, "ttft_p99_ms")->role == ROLE_GOOD, "%s", settings[i]);
		cr_expect(figure_find(&fig, "itl_p99_ms")->role == ROLE_GOOD, "%s", settings[i]);
		cr_expect(strstr(fig.why, "within the goals") || strstr(fig.why, " decides") ||
				  strstr(fig.why, " for the slowest 1 % of ") ||
				  strstr(fig.why, " come whole.") ||
				  strstr(fig.why, ", and a replica takes ") ||
				  strstr(fig.why, ": one is enough."),
			"%s", fig.why);
		figure_release(&fig);
	}
	struct figure fig = sim_run(&capacity_sim, &t, "ttft_ms=1");
	cr_expect(strstr(fig.why, "No group of up to 8 GPUs gives a first token in 1 ms at P99") ==
			  fig.why,
		"%s", fig.why);
	cr_expect(isfinite(figure_number(&fig, "gpus")));
	cr_expect(figure_find(&fig, "ttft_p99_ms")->role == ROLE_BAD);
	cr_expect(figure_find(&fig, "itl_p99_ms")->role == ROLE_GOOD);
	figure_release(&fig);
	/* 405e9 weights of 8 bits on 32 A100 do what they cannot on 8. */
	fig = sim_run(&capacity_sim, &t, "model=llama3-405b gpu=a100 weight_dtype=fp8");
	cr_expect(strstr(fig.why, "No group of up to 8 GPUs gives a first token in 1 s") == fig.why,
		"%s", fig.why);
	figure_release(&fig);
	cr_expect(le(dbl,
		value_of("model=llama3-405b gpu=a100 weight_dtype=fp8 tp=32", "ttft_p99_ms"),
		1000));
	fig = sim_run(&capacity_sim, &t, "ttft_ms=1 tp=1");
	cr_expect(strstr(fig.why, "No single GPU gives a first token") == fig.why, "%s", fig.why);
	figure_release(&fig);
}

/* Whatever is planned lies in the memory that is paid for: the caches of those who are served, with
 * their waste, and no plan is smaller than its own bound of memory. */
static void expect_room(const char *settings)
{
	struct arena a = { 0 };
	double v[MAX_KNOBS];
	sim_set(&capacity_sim, &t, settings, v);
	struct capacity c = capacity_answer(&t, v, &a, false, NULL, NULL);
	if (c.best) {
		const struct capacity_need *n = &c.need;
		double gpus = c.search.fleet > 0 ? c.search.fleet : c.best->gpus;
		double replicas = n->sharded ? 1 : floor(gpus / n->group);
		double held = n->users > 0 ? n->users / replicas : capacity_holders(&c.best->check);
		double token =
			n->kv_per_token * (1 + n->waste) * fmax(1, n->group / n->model->kv_heads);
		double bytes = n->weight_bytes + held * n->context * token;
		cr_expect(bytes <= n->group * n->gpu->memory_bytes * n->fill,
			"%s: %g GB in %g GPUs", settings, bytes / 1e9, n->group);
		cr_expect(c.plan.memory <= gpus, "%s: %g GPUs, %g to hold it", settings, gpus,
			c.plan.memory);
	}
	arena_release(&a);
}

Test(capacity, the_plan_holds_what_it_says)
{
	static const char *const models[] = { "llama2-7b", "llama3-8b weight_dtype=bf16",
		"llama3-70b gpu=h100", "llama3-70b gpu=h200 weight_dtype=fp8 kv_dtype=fp8" };
	static const char *const loads[] = { "", "context=100000", "context=32768 rate_per_s=3",
		"context=131072 itl_ms=200", "context=100000 users=100", "users=1000 context=4000",
		"context=50000 fleet=16", "context=20000 fleet=64 ttft_ms=10000 lengths=fixed",
		"fleet=8 prompt_tokens=100 waste_pct=100 memory_pct=60 ttft_ms=100000 itl_ms=1000",
		"waste_pct=300", "waste_pct=0 context=20000", "memory_pct=40 context=8192",
		"context=16384 layout=sharded rate_per_s=1",
		"context=65536 tp=8 output_tokens=2000 lengths=fixed", "context=1" };
	char settings[160];
	for (size_t i = 0; i < COUNT(models); i++)
		for (size_t k = 0; k < COUNT(loads); k++) {
			snprintf(settings, sizeof settings, "model=%s %s", models[i], loads[k]);
			expect_room(settings);
		}
}

/* A history is read by every token and kept for every user: more GPUs, and the check is slower by
 * what it reads: 99,000 tokens of 131,072 B from 8 A100, which give 2.039 TB/s each, 0.8 ms. */
Test(capacity, a_history_is_served)
{
	static const char with[] = "model=llama3-8b tp=8 rate_per_s=1 context=100000",
			  without[] = "model=llama3-8b tp=8 rate_per_s=1";
	cr_expect(lt(dbl, value_of(without, "gpus_memory"),
		value_of("model=llama3-8b tp=8 "
			 "context=100000",
			"gpus_memory")));
	double more_ms = value_of(with, "itl_p50_ms") - value_of(without, "itl_p50_ms");
	cr_expect(lt(dbl, 99000. * 131072 / (8 * 2.039e12) * 1e3, more_ms));
	cr_expect(le(dbl, value_of(without, "gpus"), value_of(with, "gpus")));
}

/* What a fleet serves needs that fleet: the plan for so much is no larger, and for a tenth more it
 * is. */
Test(capacity, a_fleet_is_the_plan_turned_round)
{
	double rate = value_of("fleet=8 tp=1", "rate_per_s");
	char settings[80];
	snprintf(settings, sizeof settings, "tp=1 requests_per_s=%.6g", rate);
	cr_expect(le(dbl, value_of(settings, "gpus"), 8));
	snprintf(settings, sizeof settings, "tp=1 requests_per_s=%.6g", 1.1 * rate);
	cr_expect(lt(dbl, 8, value_of(settings, "gpus")));
	cr_expect(lt(dbl, rate, value_of("fleet=16 tp=1", "rate_per_s")));
	cr_expect(isinf(value_of("fleet=4 model=llama3-405b weight_dtype=bf16", "gpus")));
}

/* A mixture's replica by its copies and groups, as they are asked for or found; of more groups than GPUs
 * each GPU is one; and what is found is no dearer than any that is asked for. */
Test(capacity, experts_lie_as_asked)
{
	static const char job[] = "model=qwen3-30b-a3b gpu=h100 weight_dtype=fp8 rate_per_s=100";
	static const struct {
		const char *with;
		double tp, copies, ep;
	} rows[] = { { "tp=4 attn_dp=1 ep=2", 4, 1, 2 }, { "tp=1 attn_dp=4 ep=4", 1, 4, 4 },
		{ "tp=2 attn_dp=3 ep=1", 2, 3, 1 }, { "tp=2 attn_dp=2 ep=64", 2, 2, 4 },
		{ "ep=3", 1, 3, 3 } };
	char settings[200];
	double found = value_of(job, "gpus");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		double v[MAX_KNOBS];
		snprintf(settings, sizeof settings, "%s %s", job, rows[i].with);
		sim_set(&capacity_sim, &t, settings, v);
		struct capacity c = capacity_answer(&t, v, &a, false, NULL, NULL);
		cr_assert(c.best != NULL, "%s", settings);
		const struct engine_layout how = capacity_layout(&c.need, c.need.group);
		cr_expect(how.tp == rows[i].tp && how.copies == rows[i].copies &&
				  how.ep == rows[i].ep,
			"%s: %g %g %g", settings, how.tp, how.copies, how.ep);
		cr_expect(le(dbl, found, c.best->gpus), "%s", settings);
		arena_release(&a);
	}
	/* A model without experts has nothing to deal. */
	struct figure fig = sim_run(&capacity_sim, &t, "model=llama3-8b ep=4");
	cr_expect(figure_has_note(&fig, "has no experts"));
	figure_release(&fig);
}

/* What opens a layout that a search came to. */
Test(capacity, a_layout_as_settings)
{
	static const struct {
		enum value_type weights, kv;
		const char *settings;
	} rows[] = {
		{ VALUE_BF16, VALUE_BF16,
			"gpu=h100 weight_dtype=bf16 kv_dtype=bf16 tp=4 chunk_tokens=512" },
		{ VALUE_FP8, VALUE_FP8,
			"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 chunk_tokens=512" },
		{ VALUE_INT4, VALUE_BF16,
			"gpu=h100 weight_dtype=int4 kv_dtype=bf16 tp=4 chunk_tokens=512" },
	};
	struct arena arena = { 0 };
	struct capacity c = { .arena = &arena };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct serving_layout l = { .need = { .model = model_find(&t, "llama3-8b"),
						    .gpu = gpu_find(&t, "h100"),
						    .weights = rows[i].weights,
						    .kv = rows[i].kv,
						    .group = 4,
						    .chunk_tokens = 512 } };
		cr_expect(eq(str, (char *)capacity_settings(&c, &l), (char *)rows[i].settings));
	}
	arena_release(&arena);
}

/* Of cards that are all too small the one is named of which the weights take the least:
 * 405,853,388,800 weights of 2 B are 812 GB, and four fifths of the largest card's 288 GB are
 * 230. */
Test(capacity, the_nearest_card_is_the_largest)
{
	struct figure fig =
		sim_run(&capacity_sim, &t, "gpu=any model=llama3-405b weight_dtype=bf16 tp=1");
	cr_expect(strstr(fig.why, "weights of 812 GB in 230 GB") != NULL, "%s", fig.why);
	figure_release(&fig);
}

/* The first look names the layouts and simulates none; a run that is told to stop is unfinished. */
static bool stop(void *context, double share)
{
	(void)share;
	--*(int *)context;
	return *(int *)context > 0;
}

Test(capacity, a_search_can_be_left)
{
	double v[MAX_KNOBS];
	int steps = 6;
	sim_set(&capacity_sim, &t, "", v);
	struct figure fig = { .hurried = true };
	capacity_sim.run(&t, v, &fig);
	cr_expect(fig.unfinished);
	cr_expect(isfinite(figure_number(&fig, "gpus")));
	cr_expect(figure_find(&fig, "itl_p99_ms") == NULL);
	figure_release(&fig);
	fig = (struct figure){ .go_on = stop, .go_on_context = &steps };
	capacity_sim.run(&t, v, &fig);
	cr_expect(fig.unfinished && steps == 0);
	cr_expect(zero(sz, fig.n_values), "half a search is no answer");
	figure_release(&fig);
}

Test(capacity, large_rates_are_written_out)
{
	struct figure fig = sim_run(&capacity_sim, &t, "requests_per_s=10000 tp=1");
	const struct value *v = figure_find(&fig, "gpus_compute");
	cr_assert(v && v->note);
	cr_expect(eq(str, (char *)v->note, "10,000 prompts/s"));
	figure_release(&fig);
}

/* The answer is the first thing said, and then what decides; a number of 1,000 and more with a comma. */
Test(capacity, the_sentence_says_what_decides)
{
	struct figure fig = sim_run(&capacity_sim, &t, "");
	char takes[64];
	snprintf(takes, sizeof takes, "100 requests/s take %.0f A100", figure_number(&fig, "gpus"));
	cr_expect(strstr(fig.why, takes) == fig.why, "%s", fig.why);
	/* 6.73 for prompts and 8 for decoding; the 16 are eight replicas of two. */
	cr_expect(
		strstr(fig.why, ": 14.7 are busy, and a replica takes 2.") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(&capacity_sim, &t, "requests_per_s=20000 tp=1");
	double gpus = figure_number(&fig, "gpus");
	char count[32];
	cr_assert(all(le(dbl, 1000, gpus), lt(dbl, gpus, 1e6)));
	snprintf(count, sizeof count, "%.0f,%03.0f A100", floor(gpus / 1000), fmod(gpus, 1000));
	cr_expect(strstr(fig.why, count) != NULL, "no %s in: %s", count, fig.why);
	figure_release(&fig);
}

static double total_of(const struct bars *b, size_t bar)
{
	double sum = 0;
	for (size_t i = 0; i < b->n_parts; i++)
		sum += b->bars[bar].parts[i];
	return sum;
}

/* Memory of a GPU in the figure's bars, their parts summed: waste and what is kept free as well. */
static double bar_GB(const struct figure *fig, double *caches_GB)
{
	const struct bars *b = &figure_block(fig, BLOCK_BARS, "Memory")->as.bars;
	*caches_GB = b->bars[0].parts[1];
	return total_of(b, 0);
}

/* A copy of a head takes what another head would: with as many KV heads as GPUs or with fewer, each
 * GPU holds one head of its group's users. So plan, check and figure are the same in all cases, and
 * what is planned fills no GPU beyond its memory. */
Test(capacity, copies_of_heads_cost_what_heads_do)
{
	static const struct {
		const char *settings, *model;
		double heads; /* as many as GPUs, or fewer of them */
	} rows[] = {
		{ "model=llama3-8b tp=16 memory_pct=10 users=200 prompt_tokens=30000 "
		  "output_tokens=2000 context=31000 ttft_ms=20000 checked=200",
			"llama3-8b", 16 },
		{ "model=llama3-405b layout=sharded weight_dtype=bf16 users=60 itl_ms=500 "
		  "ttft_ms=20000",
			"llama3-405b", 8 },
	};
	static const char *const ids[] = { "gpus", "gpus_memory", "gpus_speed", "users_per_replica",
		"ttft_p99_ms", "itl_p99_ms" };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct model *m = (struct model *)model_find(&t, rows[i].model);
		double want[COUNT(ids)] = { 0 }, want_GB = 0, heads_as_they_are = m->kv_heads;
		for (double heads = rows[i].heads; heads >= 1; heads /= 2) {
			double caches_GB = 0;
			m->kv_heads = heads;
			struct figure fig = sim_run(&capacity_sim, &t, rows[i].settings);
			double sum_GB = bar_GB(&fig, &caches_GB);
			want_GB = heads == rows[i].heads ? caches_GB : want_GB;
			cr_expect(epsilon_eq(dbl, caches_GB, want_GB, 1e-9 * want_GB),
				"%s, %g heads: %g GB", rows[i].settings, heads, caches_GB);
			cr_expect(epsilon_eq(dbl, sum_GB, 80, 1e-9), "%s, %g heads: %g GB",
				rows[i].settings, heads, sum_GB);
			for (size_t k = 0; k < COUNT(ids); k++) {
				double got = figure_number(&fig, ids[k]);
				want[k] = heads == rows[i].heads ? got : want[k];
				cr_expect(epsilon_eq(dbl, got, want[k], 1e-9 * want[k]),
					"%s, %g heads: %s is %g", rows[i].settings, heads, ids[k],
					got);
			}
			figure_release(&fig);
		}
		m->kv_heads = heads_as_they_are;
	}
	/* 2,000 users of 1,000 tokens: 85 GB for each of 8 heads, on GPUs of 80. */
	cr_expect(isinf(value_of("model=llama3-70b layout=sharded users=2000", "gpus_memory")));
}

/* A fleet's bars stand against what is asked of it: 100 requests/s of sixteen A100 that serve more, and 80
 * of eight H100 that serve fewer. Who serves nobody stands among them with the reason, since 141 GB
 * of weights are more than the 64 GB of one H100 that may be filled. */
Test(capacity, a_fleet_stands_against_what_is_asked)
{
	static const struct {
		const char *settings, *title, *says;
		double asked;
		bool enough;
	} rows[] = {
		{ "fleet=16 requests_per_s=80", "Requests/s that 16 GPUs serve",
			" more than the 80 asked for", 80, true },
		{ "fleet=8 model=llama3-70b weight_dtype=bf16 gpu=h100 requests_per_s=80",
			"Requests/s that 8 GPUs serve", " fewer than the 80 asked for", 80, false },
		{ "fleet=16", "Requests/s that 16 GPUs serve", "within the goals, as", NAN, true },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&capacity_sim, &t, rows[i].settings);
		const struct bars *b = &figure_block(&fig, BLOCK_BARS, "Served")->as.bars;
		cr_assert(lt(sz, 1, b->n_bars), "%s", rows[i].settings);
		cr_expect(eq(str, (char *)b->title, (char *)rows[i].title));
		if (rows[i].asked > 0)
			cr_expect(ieee_ulp_eq(dbl, b->limit, rows[i].asked, 0));
		else
			cr_expect(isnan(b->limit));
		cr_expect(eq(int, b->goal, rows[i].asked > 0));
		cr_expect(strstr(fig.why, rows[i].says) != NULL, "%s", fig.why);
		cr_expect(ieee_ulp_eq(dbl, total_of(b, 0), figure_number(&fig, "rate_per_s"), 0));
		for (size_t k = 1; k < b->n_bars; k++)
			cr_expect(le(dbl, total_of(b, k), total_of(b, k - 1)), "%zu", k);
		if (!rows[i].enough) {
			cr_expect(lt(dbl, total_of(b, 0), rows[i].asked));
			cr_expect(zero(dbl, total_of(b, b->n_bars - 1)));
			const char *why = b->bars[b->n_bars - 1].note;
			cr_expect(strstr(why, "weights of 141 GB") != NULL, "%s", why);
		}
		figure_release(&fig);
	}
}

/* The steps that lead to the answer, and the plans. */
static const struct bars *answer_bars(const struct figure *fig)
{
	const struct bars *b = &figure_block(fig, BLOCK_BARS, "Plans")->as.bars;
	cr_assert(b->n_steps > 0 && b->n_steps < b->n_bars);
	return b;
}

/* The index of the answer among them: the plans come after the steps, the best one first. */
static size_t answer_of(const struct bars *b)
{
	cr_expect(eq(int, b->bars[b->n_steps].role, ROLE_ACCENT));
	return b->n_steps;
}

/* Each step begins where the one before it ends, and the last one ends where the answer does. */
Test(capacity, the_steps_lead_to_the_answer)
{
	static const char *const settings[] = { "", "model=llama3-8b", "itl_ms=20", "users=1000",
		"prompt_tokens=20", "model=llama3-70b weight_dtype=bf16 gpu=h200" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[k]);
		const struct bars *b = answer_bars(&fig);
		size_t answer = answer_of(b);
		double steps = 0;
		for (size_t i = 0; i < answer; i++)
			steps += total_of(b, i);
		cr_expect(epsilon_eq(dbl, steps, total_of(b, answer), 1e-9), "%s", settings[k]);
		cr_expect(epsilon_eq(dbl, steps, figure_number(&fig, "gpus"), 1e-9), "%s",
			settings[k]);
		figure_release(&fig);
	}
}

/* The answer is prompts and decoding, and what it takes beyond: caches of 545 MB a user, or who comes at a bad
 * moment. With nothing beyond there are two steps. */
Test(capacity, the_answer_is_made_of_what_decides)
{
	enum { PROMPTS, DECODING, WHOLE, CACHES, SLOWEST };
	static const struct {
		const char *settings;
		bool whole; /* whether replicas are more than both keep busy */
		int beyond; /* the part that is there beyond; -1: none */
	} rows[] = { { "", true, -1 }, { "model=llama3-8b", false, SLOWEST },
		{ "users=800 itl_ms=100", true, CACHES } };
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, rows[k].settings);
		const struct bars *b = answer_bars(&fig);
		const double *answer = b->bars[answer_of(b)].parts;
		cr_assert(eq(sz, b->n_steps, (size_t)(2 + rows[k].whole + (rows[k].beyond >= 0))));
		cr_expect(answer[PROMPTS] > 0 && answer[DECODING] > 0);
		cr_expect(eq(int, answer[WHOLE] > 1e-9, rows[k].whole), "%s", rows[k].settings);
		cr_expect(epsilon_eq(dbl, answer[PROMPTS] + answer[DECODING] + answer[WHOLE],
			figure_number(&fig, "gpus_speed"), 1e-9));
		for (int part = CACHES; part <= SLOWEST; part++)
			cr_expect(eq(int, answer[part] > 0, part == rows[k].beyond), "%s, part %d",
				rows[k].settings, part);
		if (rows[k].beyond == CACHES)
			cr_expect(eq(str, (char *)b->bars[3].note, (char *)"545 MB a user"));
		figure_release(&fig);
	}
}

static bool assumes(const struct figure *fig, const char *words)
{
	for (size_t i = 0; i < fig->n_assumptions; i++)
		if (strstr(fig->assumptions[i], words))
			return true;
	return false;
}

/* 90,000 tokens of prompts a second keep 6.7 GPUs busy at 13,400 each, and not the 8 that they take alone as
 * replicas of 2; 20,000 of answers keep 8 busy at 2,500. The bar is what is busy, never more than whole replicas;
 * the notes have both rates. */
Test(capacity, the_parts_are_what_each_keeps_busy)
{
	enum { PROMPTS, DECODING };
	static const char *const settings[] = { "", "gpu=h100", "model=llama3-8b" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[k]);
		const struct bars *b = answer_bars(&fig);
		const double *answer = b->bars[answer_of(b)].parts;
		cr_expect(le(dbl, answer[PROMPTS], figure_number(&fig, "gpus_compute")));
		cr_expect(le(dbl, answer[DECODING], figure_number(&fig, "gpus_bandwidth")));
		figure_release(&fig);
	}
	struct figure fig = sim_run(&capacity_sim, &t, "");
	const struct bars *b = answer_bars(&fig);
	static const double busy[] = { 90000 / 13400.0, 20000 / 2500.0 };
	for (size_t i = 0; i < COUNT(busy); i++)
		cr_expect(epsilon_eq(dbl, total_of(b, i), busy[i], 0.01 * busy[i]));
	cr_expect(assumes(&fig, "reads 13,400 tokens of prompts a second, or writes 2,500"));
	figure_release(&fig);
}

/* Two short prompts and answers share steps: 30,000 / 2,350 = 12.8 and 6,000 / 1,300 = 4.6 L4 would be busy alone,
 * 17.4, and a plan of 16 has them all: the rates are said to be those of a GPU that does nothing else. */
Test(capacity, rates_alone_are_said_to_be_that)
{
	struct figure fig = sim_run(&capacity_sim, &t,
		"gpu=l4 weight_dtype=bf16 requests_per_s=300 prompt_tokens=100 output_tokens=20");
	const struct bars *b = answer_bars(&fig);
	static const double alone[] = { 30000 / 2350.0, 6000 / 1300.0 };
	for (size_t i = 0; i < COUNT(alone); i++)
		cr_expect(total_of(b, i) < 0.95 * alone[i]);
	cr_expect(assumes(
		&fig, "nothing else reads 2,350 tokens of prompts a second, or writes 1,300"));
	figure_release(&fig);
}

/* The answer is the first of the plans, in focus, and none of one GPU's kind takes fewer. Each bar is what
 * its GPUs do, and one that was not simulated says so: both parts are there, and four times the prompt takes a
 * larger share of them. */
Test(capacity, the_plans_begin_with_the_answer)
{
	static const char *const settings[] = { "", "model=llama3-8b", "itl_ms=20" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[k]);
		const struct bars *b = answer_bars(&fig);
		size_t answer = answer_of(b);
		const char *note = b->bars[answer].note;
		cr_expect(ge(sz, b->n_bars, answer + 3));
		for (size_t i = answer; i < b->n_bars; i++) {
			const char *said = b->bars[i].note ? b->bars[i].note : "";
			cr_expect(said[0] == '$' || strncmp(said, "from $", 6) == 0, "%s", said);
			cr_expect(b->bars[i].parts[0] > 0 && b->bars[i].parts[1] > 0);
			cr_expect(total_of(b, i) >= total_of(b, answer) - 1e-9, "%s", settings[k]);
		}
		cr_expect(note && note[0] == '$' && strstr(note, "/h") != NULL, "%s", note);
		figure_release(&fig);
	}
	static const char *const prompts[] = { "", "prompt_tokens=3600" };
	double share[2];
	for (size_t k = 0; k < 2; k++) {
		struct figure fig = sim_run(&capacity_sim, &t, prompts[k]);
		const struct bars *b = answer_bars(&fig);
		share[k] = b->bars[answer_of(b)].parts[0] / total_of(b, answer_of(b));
		figure_release(&fig);
	}
	cr_expect(share[0] < share[1], "%g, %g", share[0], share[1]);
}

/* The cheapest plan's price an hour; INFINITY where the goals are out of reach. */
static double usd_per_h(const char *goals, const char *gpu)
{
	static const char *const open[] = { "weight_dtype=any", "kv_dtype=any" };
	char words[160], err[200], *rest;
	double v[MAX_KNOBS];
	struct arena a = { 0 };
	sim_defaults(&capacity_sim, &t, v);
	for (size_t i = 0; i < COUNT(open); i++)
		cr_assert(zero(
			int, sim_read_setting(&capacity_sim, &t, open[i], v, err, sizeof err)));
	snprintf(words, sizeof words, "%s gpu=%s", goals, gpu);
	for (char *w = strtok_r(words, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		cr_assert(zero(int, sim_read_setting(&capacity_sim, &t, w, v, err, sizeof err)),
			"%s", err);
	struct capacity c = capacity_answer(&t, v, &a, false, NULL, NULL);
	double usd = c.best && !c.relaxed ? capacity_cost(c.best) : INFINITY;
	cr_expect(eq(sz, c.search.unproven, (size_t)0), "%s", words);
	arena_release(&a);
	return usd;
}

/* Three GPUs at half a dollar an hour are $1.50; without a price they are three. */
Test(capacity, gpus_without_a_price_are_counted)
{
	struct serving_layout l = { .gpus = 3, .price_per_h = 0.5 };
	cr_expect(eq(dbl, capacity_cost(&l), 1.5));
	l.price_per_h = 0;
	cr_expect(eq(dbl, capacity_cost(&l), 3));
}

/* Goals that few GPUs meet: thousands of layouts look cheaper by the time that all prompts take, and
 * none of them may keep the search from those that do. */
Test(capacity, all_gpus_are_never_dearer_than_one)
{
	static const char *const goals[] = { "model=llama3-8b prompt_tokens=8000 ttft_ms=200",
		"model=llama3-8b prompt_tokens=8000 ttft_ms=250",
		"model=llama3-8b prompt_tokens=8000 ttft_ms=300",
		"model=llama3-70b prompt_tokens=8000 ttft_ms=1000",
		"model=qwen2.5-32b prompt_tokens=8000 ttft_ms=500" };
	static const char *const gpus[] = { "h200", "mi355x", "b200", "gb200", "b300", "gb300" };
	for (size_t i = 0; i < COUNT(goals); i++) {
		double of_all = usd_per_h(goals[i], "any"), least = INFINITY;
		for (size_t g = 0; g < COUNT(gpus); g++)
			least = fmin(least, usd_per_h(goals[i], gpus[g]));
		cr_expect(lt(dbl, least, (double)INFINITY), "%s", goals[i]);
		cr_expect(le(dbl, of_all, least), "%s", goals[i]);
	}
}

/* What a setting asks for in GPUs where both goals are met; INFINITY where not. */
static double met_by(const char *settings)
{
	struct figure fig = sim_run(&capacity_sim, &t, settings);
	const struct value *first = figure_find(&fig, "ttft_p99_ms");
	const struct value *next = figure_find(&fig, "itl_p99_ms");
	bool met = first && next && first->role == ROLE_GOOD && next->role == ROLE_GOOD;
	double gpus = met ? figure_number(&fig, "gpus") : INFINITY;
	/* Else the sentence says which goal is missed, or that nothing holds the model. */
	cr_expect(met || strncmp(fig.why, "No ", 3) == 0, "%s: %s", settings, fig.why);
	figure_release(&fig);
	return gpus;
}

/* Models, cards and widths, and every group that a node holds: the search is as good as the best of
 * them by hand, however few layouts it simulated. Groups beyond a node may be better still. A third of
 * the sixty in `make test`, all in `make laws`. */
Test(capacity, nothing_is_lost_of_sixty_searches, .description = "long", .timeout = 600)
{
	static const char *const models[] = { "llama3-8b", "qwen2.5-32b", "llama3-70b",
		"llama3-405b" };
	static const char *const cards[] = { "l40s", "a100", "h100", "h200", "b200" };
	static const char *const weights[] = { "int4", "fp8", "bf16" };
	size_t n = COUNT(models) * COUNT(cards) * COUNT(weights);
	size_t step = laws_count("LAWS_SETTINGS", 20) >= n ? 1 : 3;
	for (size_t i = 0; i < n; i += step) {
		char job[120], settings[140];
		/* With a step of 3 the widths take turns. */
		snprintf(job, sizeof job, "model=%s gpu=%s weight_dtype=%s", models[i / 15],
			cards[i / 3 % 5], weights[(i + i / 3) % 3]);
		double found = met_by(job), best = INFINITY;
		for (int tp = 1; tp <= 8; tp *= 2) {
			snprintf(settings, sizeof settings, "%s tp=%d", job, tp);
			best = fmin(best, met_by(settings));
		}
		cr_expect(le(dbl, found, best), "%s", job);
	}
}
