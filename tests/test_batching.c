/* The batching simulation as its knobs turn it: the contract, the ends, random settings, the closed
 * forms through the same door as a user. */
#include "sims/gpu/engine_shape.h"
#include "sims/registry/registry.h"
#include "sims/formulas/serving.h"
#include "sims/serving/serving.h"
#include "sims/base/rng.h"
#include "sims/figure/sim.h"
#include "ui/data/tables_load.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct sim batching_sim;

static struct tables t;

static void load(void)
{
	char err[256] = "";
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(batching, .init = load, .fini = unload);

/* Settings separated by blanks, over the defaults. */
static struct figure simulate(const char *settings)
{
	return sim_run(&batching_sim, &t, settings);
}

static double value_of(const char *settings, const char *id)
{
	return sim_number(&batching_sim, &t, settings, id);
}

static bool warns(const struct figure *fig)
{
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (fig->blocks[i]->kind == BLOCK_NOTE && fig->blocks[i]->as.note.role == ROLE_WARN)
			return true;
	return false;
}

/* The text of the note that has these words, or NULL. */
static const char *note_with(const struct figure *fig, const char *words)
{
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (fig->blocks[i]->kind == BLOCK_NOTE &&
			strstr(fig->blocks[i]->as.note.text, words))
			return fig->blocks[i]->as.note.text;
	return NULL;
}

static const char *const contract_knobs[] = { "policy", "arrivals", "rate_per_s", "cv",
	"concurrency", "lengths", "prompt_tokens", "output_tokens", "max_batch", "timeout_ms",
	"model", "gpu", "tp", "kv_GB", "paging", "block_tokens", "chunk_tokens", "requests",
	"seed" };
static const char *const contract_values[] = { "ttft_p50_ms", "ttft_p99_ms", "itl_p50_ms",
	"e2e_p99_ms", "tokens_per_s", "requests_per_s", "gpu_busy_pct", "kv_waste_pct",
	"preemptions" };

Test(batching, keeps_the_contract)
{
	struct figure fig = simulate("");
	for (size_t i = 0; i < COUNT(contract_knobs); i++)
		cr_expect(sim_knob_index(&batching_sim, contract_knobs[i]) >= 0, "%s",
			contract_knobs[i]);
	for (size_t i = 0; i < COUNT(contract_values); i++)
		cr_expect(figure_find(&fig, contract_values[i]) != NULL, "%s", contract_values[i]);
	for (size_t i = 0; i < batching_sim.n_knobs; i++) {
		cr_expect(batching_sim.knobs[i].help != NULL, "%s", batching_sim.knobs[i].id);
		cr_expect(batching_sim.n_knobs <= MAX_KNOBS);
	}
	cr_expect(fig.duration_s > 0 && fig.n_moments > 0 && fig.why && fig.subtitle);
	cr_expect(fig.blocks[0]->kind == BLOCK_TIMELINE);
	for (size_t i = 1; i < fig.n_moments; i++)
		cr_expect(fig.moments[i - 1].at_s <= fig.moments[i].at_s);
	figure_release(&fig);
}

/* Finite, or infinite latencies with nothing served and a note that says why. */
static void expect_sound(const struct figure *fig, const char *what)
{
	bool served = figure_number(fig, "requests_per_s") > 0;
	cr_expect(served || warns(fig), "%s: nothing served and no word of it", what);
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *x = &fig->values[i];
		cr_expect(x->value >= 0, "%s: %s is %g", what, x->id, x->value);
		cr_expect(isfinite(x->value) || !served, "%s: %s is %g", what, x->id, x->value);
	}
	static const char *const shares[] = { "gpu_busy_pct", "kv_waste_pct", "idle_slots_pct",
		"kv_peak_pct" };
	for (size_t i = 0; i < COUNT(shares); i++)
		cr_expect(figure_number(fig, shares[i]) <= 100 + 1e-6, "%s: %s", what, shares[i]);
	cr_expect(
		figure_number(fig, "ttft_p50_ms") <= figure_number(fig, "ttft_p99_ms"), "%s", what);
	cr_expect(
		figure_number(fig, "ttft_p99_ms") <= figure_number(fig, "e2e_p99_ms"), "%s", what);
	cr_expect(figure_number(fig, "goodput_per_s") <= figure_number(fig, "requests_per_s"), "%s",
		what);
	cr_expect(fig->why != NULL, "%s", what);
	for (size_t i = 0; i < fig->n_blocks; i++) {
		const struct block *b = fig->blocks[i];
		for (size_t k = 0; b->kind == BLOCK_TIMELINE && k < b->as.timeline.n_spans; k++) {
			const struct span *s = &b->as.timeline.spans[k];
			cr_expect(s->start >= 0 && s->end >= s->start &&
					  s->end <= fig->duration_s * (1 + 1e-9),
				"%s", what);
			cr_expect(s->lane < b->as.timeline.n_lanes &&
					  s->kind < b->as.timeline.n_kinds,
				"%s", what);
		}
	}
}

static void expect_sound_run(const double v[], const char *what)
{
	struct figure fig = { 0 };
	batching_sim.run(&t, v, &fig);
	cr_assert(fig.arena.failed == false);
	expect_sound(&fig, what);
	figure_release(&fig);
}

Test(batching, both_ends_of_every_knob, .description = "long")
{
	for (size_t i = 0; i < batching_sim.n_knobs; i++) {
		const struct knob *k = &batching_sim.knobs[i];
		size_t choices = knob_choices(k, &t);
		for (size_t end = 0; end < (choices ? choices : 2); end++) {
			double v[MAX_KNOBS];
			char what[96];
			sim_defaults(&batching_sim, &t, v);
			v[i] = choices ? (double)end : end ? k->max : k->min;
			snprintf(what, sizeof what, "%s = %g", k->id, v[i]);
			expect_sound_run(v, what);
		}
	}
}

static double random_value(struct rng *r, const struct knob *k)
{
	size_t choices = knob_choices(k, &t);
	if (choices)
		return (double)rng_below(r, choices);
	double lo = k->min, hi = strcmp(k->id, "requests") == 0 ? 1000 : k->max, x;
	if (k->geometric && lo <= 0 && rng_below(r, 3) == 0)
		return 0;
	if (k->geometric && lo <= 0)
		lo = k->max / 1e4;
	x = k->geometric ? lo * pow(hi / lo, rng_uniform(r)) : lo + (hi - lo) * rng_uniform(r);
	return k->integer ? round(x) : x;
}

Test(batching, random_settings, .description = "long")
{
	struct rng r = rng_stream(11, "test", 0);
	for (int n = 0; n < 300; n++) {
		double v[MAX_KNOBS];
		char what[1200], text[64];
		size_t used = 0;
		sim_defaults(&batching_sim, &t, v);
		for (size_t i = 0; i < batching_sim.n_knobs; i++) {
			const struct knob *k = &batching_sim.knobs[i];
			if (rng_below(&r, 2))
				v[i] = random_value(&r, k);
			knob_write(k, &t, v[i], text, sizeof text);
			used += (size_t)snprintf(
				what + used, sizeof what - used, "%s=%s ", k->id, text);
		}
		expect_sound_run(v, what);
	}
}

static void expect_same(const struct figure *a, const struct figure *b)
{
	cr_assert(eq(sz, a->n_values, b->n_values));
	cr_assert(eq(sz, a->n_blocks, b->n_blocks));
	for (size_t i = 0; i < a->n_values; i++)
		cr_expect(memcmp(&a->values[i].value, &b->values[i].value, sizeof(double)) == 0,
			"%s", a->values[i].id);
	const struct timeline *x = &a->blocks[0]->as.timeline, *y = &b->blocks[0]->as.timeline;
	cr_assert(eq(sz, x->n_spans, y->n_spans));
	for (size_t i = 0; i < x->n_spans; i++)
		cr_expect(x->spans[i].start == y->spans[i].start &&
			  x->spans[i].end == y->spans[i].end);
	cr_expect(eq(str, (char *)a->why, (char *)b->why));
}

Test(batching, same_knobs_same_figure)
{
	struct figure a = simulate("kv_GB=2 rate_per_s=5 max_batch=64");
	struct figure b = simulate("kv_GB=2 rate_per_s=5 max_batch=64");
	struct figure c = simulate("kv_GB=2 rate_per_s=5 max_batch=64 seed=2");
	expect_same(&a, &b);
	cr_expect(figure_number(&a, "e2e_p99_ms") != figure_number(&c, "e2e_p99_ms"));
	figure_release(&a);
	figure_release(&b);
	figure_release(&c);
}

/* Where an iteration does not depend on what is in it, continuous batching gains what the padding
 * of static batching wastes: H_32 = 4.06 for exponential lengths, 64/33 = 1.94 for uniform ones. */
static const struct {
	const char *settings;
	double gain;
} gains[] = {
	{ "lengths=exponential arrivals=closed concurrency=64", 4.06 },
	{ "lengths=exponential arrivals=poisson rate_per_s=1000", 4.06 },
	{ "lengths=uniform arrivals=closed concurrency=64", 1.94 },
};

Test(batching, gain_of_continuous_batching)
{
	for (size_t i = 0; i < COUNT(gains); i++) {
		double rate[2];
		for (int p = 0; p < 2; p++) {
			char settings[200];
			snprintf(settings, sizeof settings,
				"%s step=fixed max_batch=32 requests=20000 policy=%s",
				gains[i].settings, p ? "continuous" : "static");
			rate[p] = value_of(settings, "requests_per_s");
		}
		cr_expect(fabs(rate[1] / rate[0] / gains[i].gain - 1) < 0.05, "%s: %g",
			gains[i].settings, rate[1] / rate[0]);
	}
}

/* F9.2 through the knobs. */
Test(batching, waste_of_the_cache)
{
	static const char fixed[] =
		"lengths=fixed prompt_tokens=500 output_tokens=1 rate_per_s=1 %s";
	char settings[200];
	snprintf(settings, sizeof settings, fixed, "paging=on");
	cr_expect(epsilon_eq(dbl, value_of(settings, "kv_waste_pct"), 2.34, 0.01));
	snprintf(settings, sizeof settings, fixed, "paging=off max_len=8192");
	cr_expect(epsilon_eq(dbl, value_of(settings, "kv_waste_pct"), 93.9, 0.01));
	snprintf(settings, sizeof settings, fixed, "paging=off"); /* Llama-3 8B's own context */
	cr_expect(epsilon_eq(dbl, value_of(settings, "kv_waste_pct"), 93.9, 0.01));
}

/* 72 GB less 16.06 GB of weights; 131,072 B a token. */
Test(batching, cache_is_what_the_gpu_has_left)
{
	cr_expect(epsilon_eq(dbl, value_of("", "kv_capacity_GB"), 72 - 16.06, 0.02));
	cr_expect(epsilon_eq(dbl, value_of("kv_GB=5", "kv_capacity_GB"), 5, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("tp=2", "kv_capacity_GB"), 144 - 16.06, 0.02));
}

Test(batching, says_when_a_model_does_not_fit)
{
	struct figure fig = simulate("model=llama3-70b");
	cr_expect(isinf(figure_number(&fig, "ttft_p99_ms")) &&
		  isinf(figure_number(&fig, "e2e_p99_ms")));
	cr_expect(figure_number(&fig, "tokens_per_s") == 0 &&
		  figure_number(&fig, "requests_per_s") == 0);
	cr_expect(warns(&fig));
	figure_release(&fig);
	fig = simulate("model=llama3-70b tp=4");
	cr_expect(isfinite(figure_number(&fig, "e2e_p99_ms")) && !warns(&fig));
	figure_release(&fig);
}

/* What each knob's help promises. */
Test(batching, turns_as_its_help_says)
{
	static const char heavy[] = "rate_per_s=4 max_batch=64 ";
	cr_expect(value_of("policy=static", "ttft_p50_ms") > 10 * value_of("", "ttft_p50_ms"));
	cr_expect(value_of("arrivals=gamma cv=4 rate_per_s=4", "ttft_p99_ms") >
		  value_of("rate_per_s=4", "ttft_p99_ms"));
	cr_expect(value_of("arrivals=closed concurrency=4", "ttft_p99_ms") <
		  value_of("arrivals=closed concurrency=64", "ttft_p99_ms"));
	cr_expect(value_of("gpu=h100", "itl_p50_ms") < value_of("", "itl_p50_ms"));
	cr_expect(value_of("tp=2", "itl_p50_ms") < value_of("", "itl_p50_ms"));
	cr_expect(value_of("chunk_tokens=128 rate_per_s=4", "itl_p99_ms") <
		  value_of("chunk_tokens=4096 rate_per_s=4", "itl_p99_ms"));
	cr_expect(value_of("rate_per_s=4 max_batch=64 kv_GB=1", "preemptions") > 0);
	cr_expect(value_of(heavy, "preemptions") == 0);
	cr_expect(value_of("block_tokens=256", "kv_waste_pct") > value_of("", "kv_waste_pct"));
	cr_expect(value_of("policy=static lengths=fixed", "idle_slots_pct") < 1e-6);
	/* Where full batches always wait, a time-out changes nothing; where they must fill, it
	 * spares waiting. */
	cr_expect(value_of("policy=dynamic rate_per_s=2", "ttft_p50_ms") <=
		  value_of("policy=static rate_per_s=2", "ttft_p50_ms"));
	cr_expect(value_of("policy=dynamic rate_per_s=0.5", "ttft_p50_ms") <
		  value_of("policy=static rate_per_s=0.5", "ttft_p50_ms") / 2);
	cr_expect(value_of("policy=static timeout_ms=1", "ttft_p50_ms") ==
		  value_of("policy=static", "ttft_p50_ms"));
}

/* Little's law from values that a user sees: users in a closed loop are all in the system, so
 * throughput times mean latency is their number, at both ends of every knob that has to do with it;
 * with few users and widely spread lengths chance is larger. Nobody thinks between two questions. */
static const struct {
	const char *settings;
	double within;
} loops[] = {
	{ "", 0.03 },
	{ "policy=static", 0.04 },
	{ "policy=dynamic timeout_ms=0", 0.04 },
	{ "policy=dynamic timeout_ms=60000", 0.04 },
	{ "max_batch=1", 0.03 },
	{ "max_batch=1024", 0.03 },
	{ "output_tokens=1", 0.03 },
	{ "output_tokens=32768", 0.03 },
	{ "prompt_tokens=1", 0.03 },
	{ "prompt_tokens=32768", 0.03 },
	{ "lengths=fixed", 0.02 },
	{ "lengths=uniform", 0.03 },
	{ "lengths=lognormal", 0.06 },
	{ "lengths=trace", 0.06 },
	{ "chunk_tokens=16", 0.03 },
	{ "chunk_tokens=65536", 0.03 },
	{ "paging=off", 0.03 },
	{ "block_tokens=1", 0.03 },
	{ "block_tokens=1024", 0.03 },
	{ "kv_GB=1", 0.03 },
	{ "tp=16", 0.03 },
	{ "requests=1", 0.03 },
	{ "requests=20000", 0.01 },
	{ "step=fixed step_ms=0.01", 0.03 },
	{ "step=fixed step_ms=10000", 0.03 },
	{ "weight_dtype=int4 kv_dtype=fp8", 0.03 },
};

static void expect_all_in_the_system(const char *settings, double users, double within)
{
	struct figure fig = simulate(settings);
	double rate = figure_number(&fig, "requests_per_s"),
	       mean_s = figure_number(&fig, "e2e_mean_ms") / 1e3;
	double got = CALL(littles_law, .arrival_rate = rate, .time = mean_s);
	cr_expect(fabs(got / users - 1) <= within, "%s: %g of %g", settings, got, users);
	figure_release(&fig);
}

Test(batching, users_are_all_in_the_system)
{
	static const double users[] = { 1, 32, 400, 1024 };
	char settings[200];
	for (size_t i = 0; i < COUNT(loops); i++)
		for (size_t k = 0; k < COUNT(users); k++) {
			snprintf(settings, sizeof settings, "arrivals=closed concurrency=%g %s",
				users[k], loops[i].settings);
			expect_all_in_the_system(settings, users[k], loops[i].within);
		}
	expect_all_in_the_system("arrivals=closed concurrency=4096 max_batch=1024", 4096, 0.03);
	expect_all_in_the_system("arrivals=closed concurrency=4096 max_batch=1", 4096, 0.03);
	expect_all_in_the_system("arrivals=closed concurrency=1024 max_batch=1024", 1024, 0.03);
	expect_all_in_the_system("arrivals=closed concurrency=400 max_batch=1024", 400, 0.03);
}

/* The curve of a closed loop reaches the users who are there, however many. */
Test(batching, a_closed_curve_reaches_the_present)
{
	static const double users[] = { 1, 32, 100, 1000, 4096 };
	char settings[120];
	for (size_t i = 0; i < COUNT(users); i++) {
		double last = 0;
		snprintf(settings, sizeof settings, "arrivals=closed max_batch=64 concurrency=%g",
			users[i]);
		struct figure fig = simulate(settings);
		for (size_t k = 0; k < fig.n_blocks; k++) {
			const struct plot *p = &fig.blocks[k]->as.plot;
			if (fig.blocks[k]->kind != BLOCK_PLOT ||
				strcmp(p->title, "Last token against users, p99") != 0)
				continue;
			for (size_t n = 0; n < p->n_series; n++)
				if (strcmp(p->series[n].name, "continuous") == 0)
					last = p->series[n].points[p->series[n].n - 1].x;
		}
		cr_expect(ge(dbl, last, users[i]), "%g users: %g", users[i], last);
		figure_release(&fig);
	}
}

/* One user who asks again as soon as he is answered, and iterations of 10 ms: the first makes the
 * first of 100 tokens, each of the 99 others one more. */
#define ALONE "arrivals=closed concurrency=1 lengths=fixed output_tokens=100 step=fixed "
static const struct sim_row shown[] = {
	{ ALONE "prompt_tokens=100", "ttft_p50_ms", 10, 0 },
	{ ALONE "prompt_tokens=100", "ttft_p99_ms", 10, 0 },
	{ ALONE "prompt_tokens=100", "itl_p50_ms", 10, 0 },
	{ ALONE "prompt_tokens=100", "e2e_p99_ms", 1000, 0 },
	{ ALONE "prompt_tokens=100", "mean_batch", 1, 0 },
	/* two chunks of the prompt */
	{ ALONE "prompt_tokens=1024 chunk_tokens=512", "ttft_p50_ms", 20, 0 },
	{ ALONE "prompt_tokens=100 step_ms=20", "e2e_p50_ms", 2000, 0 },
	/* half of the prompt is there: one chunk of it is left, and a request a second counts whole */
	{ ALONE "prompt_tokens=1024 chunk_tokens=512 cached_pct=50", "ttft_p50_ms", 10, 0 },
	{ ALONE "prompt_tokens=1024 chunk_tokens=512 cached_pct=50", "prompt_tokens_per_s_gpu",
		1024, 1 },
	{ ALONE "prompt_tokens=8192 chunk_tokens=512 cached_pct=100", "ttft_p50_ms", 10, 0 },
	/* chunks and slots are those of each of four copies: a prompt on one of them takes four chunks,
	 * and four that come at once go on side by side */
	{ ALONE "prompt_tokens=2048 chunk_tokens=512 attn_dp=4", "ttft_p50_ms", 40, 0 },
	{ "arrivals=closed concurrency=4 lengths=fixed output_tokens=1 step=fixed "
	  "prompt_tokens=2048 chunk_tokens=512 attn_dp=4",
		"ttft_p50_ms", 40, 0 },
	{ "arrivals=closed concurrency=4 lengths=fixed output_tokens=1 step=fixed "
	  "prompt_tokens=2048 chunk_tokens=512 attn_dp=1",
		"ttft_p50_ms", 160, 0 },
	{ "arrivals=closed concurrency=8 lengths=fixed step=fixed max_batch=2 attn_dp=4",
		"mean_batch", 8, 0.1 },
	{ "arrivals=closed concurrency=8 lengths=fixed step=fixed max_batch=2 attn_dp=1",
		"mean_batch", 2, 0.1 },
	/* Llama 2 7B without a graph: 25.5 tokens/s (PyTorch blog, gpt-fast's starting point) */
	{ "arrivals=closed concurrency=1 lengths=fixed model=llama2-7b graphs=off", "itl_p50_ms",
		39.2, 0.1 },
};

Test(batching, shown_values_by_hand)
{
	expect_rows(sim_find("batching"), &t, shown, sizeof shown / sizeof *shown);
}

/* What the CPU does in between is on top of each iteration; launches are not, where the GPU takes longer. */
Test(batching, the_cpu_comes_on_top_of_iterations)
{
	static const char lone[] = "arrivals=closed concurrency=1 lengths=fixed model=llama2-7b";
	static const char many[] =
		"arrivals=closed concurrency=1 lengths=fixed model=llama3-70b gpu=a100 tp=2";
	char set[256];
	snprintf(set, sizeof set, "%s host_ms=5", lone);
	double more_ms = value_of(set, "itl_p50_ms") - value_of(lone, "itl_p50_ms");
	cr_expect(epsilon_eq(dbl, more_ms, 5, 0.05), "%g", more_ms);
	snprintf(set, sizeof set, "%s graphs=off", many);
	double launched_ms = value_of(set, "itl_p50_ms");
	cr_expect(epsilon_eq(dbl, launched_ms, 80 / 25.5 / 32 * 1e3, 0.5), "%g", launched_ms);
}

/* Fast links join 72 GPUs of a GB200: no group of 16 leaves them. */
Test(batching, a_large_domain_holds_a_large_group)
{
	struct figure fig = simulate("tp=16 gpu=gb200");
	cr_expect(note_with(&fig, "fast links join") == NULL);
	figure_release(&fig);
	static const char of_gpu[] = "gpu=%s model=deepseek-v3 attn_dp=32 ep=32 weight_dtype=fp8 "
				     "arrivals=closed lengths=fixed cached_pct=100 concurrency=256 "
				     "max_batch=8 requests=20 output_tokens=64";
	char near[256], far[256];
	snprintf(near, sizeof near, of_gpu, "gb200");
	snprintf(far, sizeof far, of_gpu, "b200");
	cr_expect(value_of(near, "itl_p50_ms") < 0.9 * value_of(far, "itl_p50_ms"), "%g, %g",
		value_of(near, "itl_p50_ms"), value_of(far, "itl_p50_ms"));
}

/* Tokens a second and GPU as published: alibaba/InferSim's README (SGLang on H20, and DeepSeek's own
 * profiles, deepseek-ai/profile-data, of prompts of 4,096), DeepSeek's service (open-infra-index: 14.8k a
 * node, after 4,989 tokens on average, 20 to 22 a second for each user), and a server of gpt-oss-120b that
 * aiconfigurator measured at batches for which it has no graph (47.3 ms a token). */
Test(batching, published_throughputs_of_mixtures, .description = "long")
{
#define CLOSED "arrivals=closed lengths=fixed requests=64 prompt_tokens=4096 "
	static const struct {
		const char *set, *id;
		double published, within;
	} rows[] = {
		{ CLOSED "model=deepseek-v3 gpu=h800 weight_dtype=fp8 attn_dp=32 ep=32 overlap=on "
			 "output_tokens=1 chunk_tokens=8192 concurrency=256",
			"prompt_tokens_per_s_gpu", 7839, 0.2 },
		{ CLOSED "model=qwen3-30b-a3b gpu=h20 attn_dp=4 ep=4 output_tokens=1 "
			 "chunk_tokens=16384 concurrency=64",
			"prompt_tokens_per_s_gpu", 16594, 0.2 },
		{ CLOSED "model=qwen3-30b-a3b gpu=h20 attn_dp=4 ep=4 output_tokens=2048 "
			 "cached_pct=100 concurrency=400 max_batch=100 host_ms=5",
			"tokens_per_s_gpu", 2749, 0.2 },
		{ "arrivals=closed lengths=fixed requests=64 model=deepseek-v3 gpu=h800 "
		  "weight_dtype=fp8 attn_dp=144 ep=144 overlap=on prompt_tokens=4489 "
		  "output_tokens=1000 cached_pct=100 concurrency=12672 max_batch=88",
			"tokens_per_s_gpu", 1850, 0.2 },
		{ CLOSED "model=qwen3-8b gpu=h20 weight_dtype=fp8 output_tokens=1 "
			 "chunk_tokens=16384 concurrency=16",
			"prompt_tokens_per_s_gpu", 15061, 0.2 },
		{ "arrivals=closed lengths=fixed requests=64 prompt_tokens=4000 output_tokens=1000 "
		  "model=gpt-oss-120b gpu=h100 tp=4 ep=2 weight_dtype=fp8 concurrency=40 "
		  "max_batch=40 chunk_tokens=8192 graphs=off",
			"itl_p50_ms", 47.262, 0.25 },
		/* its clients were 160 in all */
		{ "arrivals=closed lengths=fixed requests=640 prompt_tokens=4000 "
		  "output_tokens=1000 model=gpt-oss-120b gpu=h100 tp=4 ep=2 weight_dtype=fp8 "
		  "concurrency=160 max_batch=160 chunk_tokens=8192 graphs=off",
			"itl_p50_ms", 47.262, 0.25 },
	};
#undef CLOSED
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = value_of(rows[i].set, rows[i].id);
		cr_expect(fabs(got / rows[i].published - 1) < rows[i].within, "%s: %g, %g",
			rows[i].set, got, rows[i].published);
	}
}

/* DeepSeek's service in a day (open-infra-index, 202502OpenSourceWeek, day 6, CC0): 608e9 tokens in, 168e9
 * out, at 73.7k and 14.8k a node and second, on 226.75 nodes in the mean. The first four give the fifth:
 * so the figures are means over all the time that nodes were held, and no speeds at full load. */
Test(batching, a_service_is_a_mean_over_its_day)
{
	const double day_s = 86400;
	double nodes = 608e9 / 73700 / day_s + 168e9 / 14800 / day_s;
	cr_expect(epsilon_eq(dbl, nodes, 226.75, 0.005 * 226.75), "%g", nodes);
}

/* SGLang on 32 H100 (SGLang team, Deploying DeepSeek on 96 H100 GPUs, 2025) took in 59,337 tokens/s a node
 * with experts chosen at random, and 50,302 with those of its texts: a busiest group of 1.5 is what makes
 * that difference here. The service's prompts are as long as its 4,989 cached tokens a decoded one and its
 * 3.62 tokens in for each out say (4,383), 56.3 % of them cached. Its decode GPUs had 1,850 / 21 = 88
 * users in the mean, of the 128 for which they are laid out (deepseek-ai/profile-data): loaded 69 % of the
 * time, and so its prefill. */
Test(batching, prefill_of_mixtures_on_servers, .description = "long")
{
#define PREFILL                                                                                    \
	"arrivals=closed lengths=fixed requests=64 model=deepseek-v3 weight_dtype=fp8 "            \
	"attn_dp=32 ep=32 overlap=on output_tokens=1 chunk_tokens=8192 concurrency=256 "
	static const struct {
		const char *set;
		double published;
	} rows[] = {
		{ PREFILL "gpu=h100 prompt_tokens=4096", 59337 / 8. },
		{ PREFILL "gpu=h100 prompt_tokens=4096 imbalance=1.5", 50302 / 8. },
		{ PREFILL "gpu=h100 prompt_tokens=2048 imbalance=1.5", 54543 / 8. },
		{ PREFILL "gpu=h100 prompt_tokens=1024 imbalance=1.5", 57674 / 8. },
		{ PREFILL "gpu=h800 prompt_tokens=4383 imbalance=1.5 cached_pct=56.3 loaded_pct=69",
			73700 / 8. },
	};
#undef PREFILL
	for (size_t i = 0; i < COUNT(rows); i++) {
		double got = value_of(rows[i].set, "prompt_tokens_per_s_gpu");
		cr_expect(fabs(got / rows[i].published - 1) < 0.2, "%s: %g, %g", rows[i].set, got,
			rows[i].published);
	}
}

/* Loaded half of the time, a GPU does half as much, and nobody waits longer or shorter. */
Test(batching, a_day_is_a_share_of_its_load)
{
	double full = value_of("", "tokens_per_s_gpu"), wait_ms = value_of("", "ttft_p50_ms");
	cr_expect(epsilon_eq(
		dbl, value_of("loaded_pct=50", "tokens_per_s_gpu"), full / 2, 1e-9 * full));
	cr_expect(eq(dbl, value_of("loaded_pct=50", "ttft_p50_ms"), wait_ms));
}

/* Servers of Llama-3.1-8B that aiconfigurator measured on one H100 in BF16 (serving.csv):
 * prompts of 1024 and answers of 256 tokens, and that many clients. An answer takes the time to its
 * first token and 255 times that between two. Each client always has one request in the server, so
 * that N clients send N / time a second (Little). */
static const struct {
	double clients, ttft_ms, tpot_ms;
} servers_of_256[] = { { 8, 318.02, 7.549 }, { 16, 194.89, 8.773 }, { 32, 159.88, 10.924 },
	{ 64, 195.95, 15.199 }, { 128, 469.34, 23.088 } };

static const struct series *measured_series(const struct figure *fig)
{
	for (size_t b = 0; b < fig->n_blocks; b++)
		for (size_t i = 0;
			fig->blocks[b]->kind == BLOCK_PLOT && i < fig->blocks[b]->as.plot.n_series;
			i++)
			if (fig->blocks[b]->as.plot.series[i].measured)
				return &fig->blocks[b]->as.plot.series[i];
	cr_assert(false, "nothing measured is drawn");
	return NULL;
}

static void expect_servers(const char *settings, bool closed)
{
	struct figure fig = simulate(settings);
	const struct series *s = measured_series(&fig);
	cr_assert(eq(sz, s->n, COUNT(servers_of_256)), "%s", settings);
	for (size_t i = 0; i < s->n; i++) {
		double clients = servers_of_256[i].clients;
		double whole_s =
			(servers_of_256[i].ttft_ms + 255 * servers_of_256[i].tpot_ms) / 1000;
		cr_expect(epsilon_eq(dbl, s->points[i].y, whole_s, 1e-9), "%s", settings);
		cr_expect(
			epsilon_eq(dbl, s->points[i].x, closed ? clients : clients / whole_s, 1e-9),
			"%s", settings);
	}
	figure_release(&fig);
}

/* Of the measured lengths those are shown that are the fewest doublings away from the setting's,
 * both lengths together: of answers of 128, 256 and 512 tokens 256 is next to 182 and to 362, as
 * sqrt(2) x 128 is 181.02 and sqrt(2) x 256 is 362.04; of prompts of 1024 and 2048 the first is
 * next to 1448, as sqrt(2) x 1024 is 1448.15. */
Test(batching, measured_servers_by_hand)
{
	expect_servers("gpu=h100 lengths=fixed prompt_tokens=1024 output_tokens=256", false);
	expect_servers("gpu=h100 lengths=fixed prompt_tokens=1024 output_tokens=182", false);
	expect_servers("gpu=h100 lengths=fixed prompt_tokens=1448 output_tokens=362", false);
	expect_servers(
		"gpu=h100 lengths=fixed prompt_tokens=1024 output_tokens=256 arrivals=closed",
		true);
}

/* The one at the load that is the fewest doublings away is named. */
Test(batching, the_nearest_server_by_hand)
{
	static const struct {
		const char *settings, *clients;
	} rows[] = {
		/* 8 and 16 clients send 3.567 and 6.579 a second: 4.844 is in the middle */
		{ "rate_per_s=1", ", 8 clients" },
		{ "rate_per_s=4.8", ", 8 clients" },
		{ "rate_per_s=4.9", ", 16 clients" },
		/* 64 and 128 clients 15.718 and 20.136: 17.790 */
		{ "rate_per_s=17.7", ", 64 clients" },
		{ "rate_per_s=17.9", ", 128 clients" },
		{ "arrivals=closed concurrency=22", ", 16 clients" },
		{ "arrivals=closed concurrency=23", ", 32 clients" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[128];
		const char *named = NULL;
		snprintf(settings, sizeof settings,
			"gpu=h100 lengths=fixed prompt_tokens=1024 output_tokens=256 %s",
			rows[i].settings);
		struct figure fig = simulate(settings);
		for (size_t k = 0; k < fig.n_assumptions && !named; k++)
			if (strncmp(fig.assumptions[k], "nearest measurement", 19) == 0)
				named = fig.assumptions[k];
		cr_expect(named && strstr(named, "1024 + 256 tokens") &&
				  strstr(named, rows[i].clients),
			"%s: %s", settings, named ? named : "none");
		figure_release(&fig);
	}
}

/* The first block of a figure, which is to be a timeline. */
static const struct timeline *first_timeline(const struct figure *fig)
{
	cr_assert(fig->n_blocks > 0 && fig->blocks[0]->kind == BLOCK_TIMELINE);
	return &fig->blocks[0]->as.timeline;
}

/* What the screen promises: static's queue and half of its 16 slots above those of continuous batching that
 * are at work, on one clock; what is held is grey, and who waits is a number of dots; a window with few rows leaves
 * out slots of both in turn, and never a queue or that of the request that the others are held for, which
 * alone has its number; at a load that static just carries, it starts answers much later, and the headline
 * says so. */
Test(batching, shows_both_on_one_clock)
{
	struct figure fig = simulate("");
	const struct timeline *both = first_timeline(&fig);
	enum { SLOTS = 8, QUEUE = 1 + SLOTS, FIRST = 1 + QUEUE };
	cr_assert(both->n_lanes > FIRST && both->n_lanes <= 2 * (1 + SLOTS));
	cr_expect(eq(sz, both->without, 16 - SLOTS));
	cr_expect(eq(str, (char *)both->lane_names[0], "static"));
	cr_expect(eq(str, (char *)both->lane_names[QUEUE], "continuous"));
	cr_expect(eq(str, (char *)both->lane_names[FIRST], "slot 1"));
	cr_expect(both->means[SPAN_HELD] == MEANS_HELD);
	/* The number is the same above, below and in the title. */
	bool seen[2] = { false, false }, works[2 * (1 + SLOTS)] = { false };
	for (size_t i = 0; i < both->n_spans; i++) {
		const struct span *s = &both->spans[i];
		works[s->lane] = true;
		if (s->count > 0 || !s->label || !*s->label)
			continue;
		cr_expect(eq(str, (char *)s->label, "#14"));
		cr_expect(eq(int, both->lane_ranks[s->lane], s->lane > QUEUE ? 2 : 1));
		seen[s->lane > QUEUE] = true;
	}
	cr_expect(seen[0] && seen[1]);
	cr_expect(strstr(both->title, "the longest, #14") != NULL, "%s", both->title);
	for (size_t i = 0, rank = 4; FIRST + i < both->n_lanes; i++) {
		cr_expect(works[FIRST + i], "slots without work are left out: %zu", i);
		if (both->lane_ranks[FIRST + i] == 2)
			continue;
		cr_expect(eq(sz, both->lane_ranks[FIRST + i], rank));
		rank += 2;
	}
	cr_expect(both->lane_ranks[0] == 0 && both->lane_ranks[QUEUE] == 0);
	/* The slots are in order; the first that a window has room for is the one that is never held
	 * while the first batch runs, and then come the others. */
	size_t wanted = 0;
	int next = 3, slot = 0;
	for (size_t i = 1; i <= SLOTS; i++) {
		int named = atoi(both->lane_names[i] + strlen("slot "));
		cr_expect(lt(int, slot, named));
		slot = named;
		if (both->lane_ranks[i] == 1)
			wanted = i;
		else {
			cr_expect(eq(int, both->lane_ranks[i], next));
			next += 2;
		}
	}
	double longest_s = 0, end_s = 0, first_s = INFINITY;
	for (size_t i = 0; i < both->n_spans; i++) {
		const struct span *s = &both->spans[i];
		if (s->lane >= 1 && s->lane <= SLOTS && s->kind == SPAN_HELD)
			first_s = fmin(first_s, s->end);
	}
	for (size_t i = 0; i < both->n_spans; i++) {
		const struct span *s = &both->spans[i];
		if (s->lane < 1 || s->lane > SLOTS || s->kind != SPAN_DECODE ||
			s->end > first_s + 1e-9)
			continue;
		end_s = fmax(end_s, s->end);
		if (s->lane == wanted)
			longest_s = s->end;
	}
	cr_expect(eq(dbl, longest_s, end_s));
	size_t held[2] = { 0, 0 }, counted = 0;
	for (size_t i = 0; i < both->n_spans; i++) {
		const struct span *s = &both->spans[i];
		held[s->lane >= QUEUE] += s->kind == SPAN_HELD;
		bool queue = s->lane == 0 || s->lane == QUEUE;
		cr_expect(eq(int, s->count > 0, queue));
		counted += s->count;
	}
	cr_expect(held[0] > 0 && held[1] == 0);
	cr_expect(counted > 0);
	cr_expect(strncmp(fig.why, "Static waits for 16", 19) == 0, "%s", fig.why);
	/* The share that static holds is one number wherever it stands. */
	const char *share_held = figure_find(&fig, "idle_slots_pct")->note;
	cr_assert(strncmp(share_held, "static ", 7) == 0, "%s", share_held);
	const struct table *numbers = &fig.blocks[1]->as.table;
	cr_assert(eq(int, (int)fig.blocks[1]->kind, BLOCK_TABLE));
	cr_expect(eq(str, (char *)numbers->rows[0][5], (char *)share_held + 7));
	cr_expect(strlen(fig.why) <= 160, "%s", fig.why);
	figure_release(&fig);
	cr_expect(value_of("policy=static", "requests_per_s") > 0.95);
	cr_expect(value_of("policy=static", "ttft_p50_ms") > 100 * value_of("", "ttft_p50_ms"));
	fig = simulate("policy=dynamic");
	cr_expect(eq(str, (char *)first_timeline(&fig)->lane_names[0], "dynamic"));
	figure_release(&fig);
}

/* By hand: each batch of static starts when 16 have come. Its queue has a dot for each of them that waits, at
 * the moment at which it came: for all but the last, with which the batch starts. */
Test(batching, the_queue_has_a_dot_for_each_that_waits)
{
	struct figure fig = simulate("");
	const struct timeline *both = first_timeline(&fig);
	double start_s = INFINITY;
	size_t waited = 0;
	for (size_t i = 0; i < both->n_spans; i++)
		if (both->spans[i].lane == 1)
			start_s = fmin(start_s, both->spans[i].start);
	for (size_t i = 0; i < both->n_spans; i++) {
		const struct span *s = &both->spans[i];
		if (s->lane > 0)
			continue;
		cr_expect(eq(uint, s->count, 1));
		cr_expect(lt(dbl, s->start, s->end));
		waited += s->start < start_s;
	}
	cr_expect(eq(sz, waited, 15));
	figure_release(&fig);
}

/* Dots that could not be told apart are none: where hundreds wait, the queue is how many wait in a stretch of time,
 * and its spans follow each other without a gap that nobody left. */
Test(batching, a_long_queue_is_counted)
{
	struct figure fig = simulate("rate_per_s=60");
	const struct timeline *both = first_timeline(&fig);
	size_t spans = 0, most = 0;
	for (size_t i = 0; i < both->n_spans; i++)
		if (both->spans[i].lane == 0) {
			spans++;
			most = both->spans[i].count > most ? both->spans[i].count : most;
		}
	cr_expect(lt(sz, 40, most));
	cr_expect(le(sz, spans, 40));
	figure_release(&fig);
}

/* A batch is full when 16 requests are there, or as many as come at all; where all users fit into one
 * it is the batch before that they wait for. The title says that slots wait, as long as any does. */
Test(batching, says_what_static_waits_for)
{
	static const struct {
		const char *settings, *said;
		bool held;
	} rows[] = { { "", "Static waits for 16 requests: first tokens in 15 s, not 35.1 ms",
			     true },
		{ "requests=8", "Static waits for 8 requests: ", true },
		{ "arrivals=closed concurrency=4", ": the batch before must end.", true },
		{ "requests=1", ": a batch of one waits for nobody.", false },
		{ "lengths=fixed", "Static holds no slot, but waits for 16 requests: ", false },
		{ "max_batch=1", "The only slot is taken: ", false } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = simulate(rows[i].settings);
		cr_expect(
			strstr(fig.why, rows[i].said) != NULL, "%s: %s", rows[i].settings, fig.why);
		bool held =
			strstr(first_timeline(&fig)->title, "Slots wait for the longest") != NULL;
		cr_expect(held == rows[i].held, "%s: %s", rows[i].settings,
			first_timeline(&fig)->title);
		figure_release(&fig);
	}
}

/* Eight come at once and have a slot each. Each iteration takes 10 ms: eight for the prompts, of which the
 * last brings a first token, and 255 for the other tokens of the last request: 2.63 s. Of 400 in 16 slots
 * the load is what lasts. */
Test(batching, says_how_one_burst_ends)
{
	struct figure fig =
		simulate("rate_per_s=1000 requests=8 lengths=fixed step=fixed step_ms=10");
	cr_expect(strstr(fig.why, "All 8 requests come before one is done") != NULL, "%s", fig.why);
	cr_expect(strstr(fig.why, "the last after 2.63 s.") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = simulate("rate_per_s=1000");
	cr_expect(strstr(fig.why, "the queue keeps growing") != NULL, "%s", fig.why);
	figure_release(&fig);
}

/* One burst is one batch that drains: eight rounds of slots at most, and all there before the first is
 * done. With 10 ms a step an answer of 256 tokens takes 2.56 s at least, so that of 1000 requests a
 * second 17 are there before. Of two that come ten seconds apart on average the first is done before the
 * second is there; and one alone is no burst. */
Test(batching, a_burst_is_eight_rounds_at_most)
{
	static const struct {
		const char *settings;
		bool burst;
	} rows[] = {
		{ "rate_per_s=1000 max_batch=1 requests=8", true },
		{ "rate_per_s=1000 max_batch=1 requests=9", false },
		{ "rate_per_s=1000 max_batch=2 requests=16", true },
		{ "rate_per_s=1000 max_batch=2 requests=17", false },
		{ "rate_per_s=1000 requests=2", true },
		{ "rate_per_s=1000 requests=1", false },
		{ "rate_per_s=0.1 requests=2", false },
		/* who sends the next when one is answered */
		{ "arrivals=closed concurrency=4 requests=4", false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char settings[160];
		snprintf(settings, sizeof settings, "lengths=fixed step=fixed step_ms=10 %s",
			rows[i].settings);
		struct figure fig = simulate(settings);
		bool said = strstr(fig.why, "come before one is done") != NULL;
		cr_expect(eq(int, said, rows[i].burst), "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
}

/* A limit of exactly what the run takes is kept, one that is a hundredth less is not: neither moves the
 * run. */
Test(batching, a_limit_is_kept_to_its_last_digit)
{
	static const char *const rows[][2] = { { "ttft_p99_ms", "slo_ttft_ms" },
		{ "itl_p99_ms", "slo_itl_ms" } };
	static const double limits[] = { 0.99, 1, 1.01 };
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t k = 0; k < COUNT(limits); k++) {
			char settings[80];
			double takes_ms = value_of("", rows[i][0]);
			snprintf(settings, sizeof settings, "%s=%.17g", rows[i][1],
				takes_ms * limits[k]);
			struct figure fig = simulate(settings);
			const struct value *v = figure_find(&fig, rows[i][0]);
			cr_assert(v != NULL);
			cr_expect(eq(dbl, v->value, takes_ms));
			cr_expect(eq(int, v->role == ROLE_BAD, limits[k] < 1), "%s", settings);
			figure_release(&fig);
		}
}

/* Of Qwen2.5-3B, whose output shares the embedding's matrix, a token reads 3.0859e9 B in FP8, at 273 GB/s in
 * 11.3 ms. An answer of one token has no gap. */
Test(batching, says_what_an_answer_takes_alone)
{
	struct figure fig = simulate("arrivals=closed concurrency=1 lengths=fixed requests=20 "
				     "model=qwen2.5-3b gpu=thor weight_dtype=fp8");
	cr_expect(
		strstr(fig.why, "reading the weights is at least 11.3 ms.") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = simulate("arrivals=closed concurrency=1 lengths=fixed requests=20 output_tokens=1");
	cr_expect(strstr(fig.why, "Alone an answer of one token takes ") != NULL, "%s", fig.why);
	figure_release(&fig);
}

/* Whatever rows a window has, the slot of the longest answer of the first batch is among them: of
 * all that began together with it, none decodes for longer. */
Test(batching, the_slot_that_holds_the_others_comes_first)
{
	enum { DECODES = 0, SLOTS = 8 };
	static const char *const settings[] = { "", "rate_per_s=2", "lengths=lognormal seed=3" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct figure fig = simulate(settings[i]);
		const struct timeline *both = first_timeline(&fig);
		const struct span *first = NULL;
		size_t together = 0;
		unsigned lane = 1;
		while (lane < SLOTS && both->lane_ranks[lane] != 1)
			lane++;
		for (size_t k = 0; k < both->n_spans && !first; k++)
			if (both->spans[k].lane == lane && both->spans[k].kind == DECODES)
				first = &both->spans[k];
		cr_assert(first != NULL);
		for (size_t k = 0; k < both->n_spans; k++) {
			const struct span *s = &both->spans[k];
			if (s->lane > SLOTS || s->kind != DECODES || s->start != first->start)
				continue;
			cr_expect(s->end <= first->end, "%s: lane %u", settings[i], s->lane);
			together++;
		}
		cr_expect(lt(sz, 1, together));
		figure_release(&fig);
	}
}

/* In a closed loop the curve doubles the users as long as each sends four requests, then goes on in
 * fours up to the five that are set. */
Test(batching, users_of_the_curve_by_hand)
{
	static const struct {
		const char *requests;
		double first;
		size_t n; /* the last of them is 5 where that is more than the one before */
	} rows[] = { { "requests=400", 1, 7 }, { "requests=16", 1, 4 }, { "requests=15", 1, 3 },
		{ "requests=7", 1, 2 }, { "requests=5", 1, 2 }, { "requests=3", 3, 2 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[128];
		snprintf(settings, sizeof settings, "arrivals=closed concurrency=5 %s",
			rows[i].requests);
		struct figure fig = simulate(settings);
		const struct series *s = NULL;
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (size_t k = 0; fig.blocks[b]->kind == BLOCK_PLOT &&
					   k < fig.blocks[b]->as.plot.n_series;
				k++)
				if (strcmp(fig.blocks[b]->as.plot.series[k].name, "continuous") ==
					0)
					s = &fig.blocks[b]->as.plot.series[k];
		cr_assert(s != NULL, "%s", settings);
		cr_assert(eq(sz, s->n, rows[i].n), "%s", settings);
		for (size_t k = 0; k < s->n; k++)
			cr_expect(eq(dbl, s->points[k].x,
					  i && k + 1 == s->n ? 5 : rows[i].first * exp2((double)k)),
				"%s %zu", settings, k);
		figure_release(&fig);
	}
}

/* The abscissae of the curve of continuous batching, in requests a second. */
static size_t loads_of_curve(const char *settings, double x[], size_t most)
{
	struct figure fig = simulate(settings);
	size_t n = 0;
	for (size_t b = 0; b < fig.n_blocks; b++)
		for (size_t k = 0;
			fig.blocks[b]->kind == BLOCK_PLOT && k < fig.blocks[b]->as.plot.n_series;
			k++) {
			const struct series *s = &fig.blocks[b]->as.plot.series[k];
			if (strcmp(s->name, "continuous") == 0)
				for (n = 0; n < s->n && n < most; n++)
					x[n] = s->points[n].x;
		}
	figure_release(&fig);
	return n;
}

/* An open curve goes up to a tenth beyond what full batches serve, from left to right. Iterations of
 * 10 ms, of which a request of 1,000 tokens in, 100 out takes two for its prompt, 512 at a time, and 99
 * more: 16 in 1.01 s. By the engine it takes what its chunks take, each after those before it, and 99
 * shares of a step of four sequences, half way through their answers. */
#define OPEN_CURVE                                                                                 \
	"lengths=fixed prompt_tokens=2048 output_tokens=100 chunk_tokens=512 rate_per_s=0.1 "

Test(batching, an_open_curve_by_hand)
{
	double x[20];
	size_t n = loads_of_curve(
		"lengths=fixed prompt_tokens=1000 output_tokens=100 chunk_tokens=512 "
		"rate_per_s=0.1 step=fixed step_ms=10 max_batch=16",
		x, COUNT(x));
	cr_assert(lt(sz, 10, n));
	cr_expect(epsilon_eq(dbl, x[n - 1], 1.1 * 16 / 1.01, 1e-6), "%g", x[n - 1]);
	for (size_t i = 1; i < n; i++)
		cr_expect(lt(dbl, x[i - 1], x[i]), "%zu", i);

	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama3-8b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	double s = 99 * engine_step_s(&e, 4, 4 * (2048 + 50), 0, 0) / 4;
	for (double after = 0; after < 2048; after += 512)
		s += engine_step_s(&e, 0, 0, 512, after);
	n = loads_of_curve(OPEN_CURVE "max_batch=4", x, COUNT(x));
	cr_assert(lt(sz, 10, n));
	cr_expect(epsilon_eq(dbl, x[n - 1], 1.1 / s, 1e-6 / s), "%g, %g", x[n - 1], 1.1 / s);
}

/* Beyond static's capacity full batches always wait, and a time-out changes nothing: the two lines go
 * on as one, which says so; below it each has its own, up to that point. The knob of the load comes
 * first. */
Test(batching, lines_that_coincide_are_one)
{
	struct figure fig = simulate("");
	const struct plot *p = &figure_block(&fig, BLOCK_PLOT, NULL)->as.plot;
	cr_assert(le(sz, 4, p->n_series));
	static const char *const names[] = { "static", "dynamic", "dynamic = static",
		"continuous" };
	for (size_t i = 0; i < COUNT(names); i++)
		cr_expect(eq(str, (char *)p->series[i].name, (char *)names[i]));
	const struct series *both = &p->series[2], *apart = &p->series[0];
	cr_expect(eq(dbl, apart->points[apart->n - 1].x, both->points[0].x));
	cr_expect(eq(dbl, both->points[both->n - 1].x, p->series[3].points[p->series[3].n - 1].x));
	cr_expect(lt(dbl, p->series[1].points[0].y, apart->points[0].y / 2));
	figure_release(&fig);
	const struct sim *sim = sim_find("batching");
	cr_expect(eq(str, (char *)sim->knobs[sim->story[0]].id, "rate_per_s"));
}

/* Output tokens a second of Llama-3.3-70B in FP8 on two H100 at full load, as TensorRT-LLM's own
 * benchmark of version 1.0 gives them; its checkpoints keep the cache in FP8 too. */
Test(batching, fp8_serves_what_was_published)
{
	static const struct {
		int isl, osl;
		double tokens_per_s;
	} rows[] = { { 1000, 1000, 4205 }, { 128, 2048, 6651 }, { 500, 2000, 5222 },
		{ 2048, 2048, 3082 }, { 5000, 500, 898 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char set[320];
		snprintf(set, sizeof set,
			"model=llama3-70b gpu=h100 tp=2 weight_dtype=fp8 kv_dtype=fp8 "
			"arrivals=closed concurrency=512 lengths=fixed max_batch=1024 "
			"chunk_tokens=8192 requests=3000 prompt_tokens=%d output_tokens=%d",
			rows[i].isl, rows[i].osl);
		double got = value_of(set, "tokens_per_s");
		cr_expect(epsilon_eq(dbl, got, rows[i].tokens_per_s, 0.13 * rows[i].tokens_per_s),
			"%d + %d: %g", rows[i].isl, rows[i].osl, got);
	}
}

/* 8,030,261,248 parameters of Llama-3-8B on an A100 used at nine tenths leave 72 GB less 16.06, 8.03
 * and 4.015 GB. */
Test(batching, types_save_bytes_and_units_save_time)
{
	static const double params = 8030261248.;
	cr_expect(epsilon_eq(dbl, value_of("", "kv_capacity_GB"), 72 - 2 * params / 1e9, 1e-6));
	cr_expect(epsilon_eq(
		dbl, value_of("weight_dtype=fp8", "kv_capacity_GB"), 72 - params / 1e9, 1e-6));
	cr_expect(epsilon_eq(
		dbl, value_of("weight_dtype=int4", "kv_capacity_GB"), 72 - params / 2e9, 1e-6));
	/* Spelled as elsewhere before. */
	cr_expect(eq(dbl, value_of("quant_bits=8", "itl_p50_ms"),
		value_of("weight_dtype=fp8", "itl_p50_ms")));
	/* An A100 computes in no type of 8 bits but INT8, an H100 not in FP4: tokens come sooner,
	 * since fewer bytes are read; prompts are prefilled no sooner. */
	static const char *const prompts = "lengths=fixed prompt_tokens=8192 output_tokens=1 "
					   "rate_per_s=0.1 requests=20 chunk_tokens=8192";
	static const struct {
		const char *gpu, *type;
		bool units;
	} rows[] = { { "a100", "fp8", false }, { "a100", "int8", true }, { "h100", "fp8", true },
		{ "h100", "fp4", false }, { "b200", "fp4", true }, { "b200", "int4", false } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char plain[200], typed[240];
		snprintf(plain, sizeof plain, "gpu=%s %s", rows[i].gpu, prompts);
		snprintf(typed, sizeof typed, "%s weight_dtype=%s", plain, rows[i].type);
		double ratio = value_of(plain, "ttft_p50_ms") / value_of(typed, "ttft_p50_ms");
		cr_expect(rows[i].units ? ratio > 1.3 : ratio < 1.05, "%s %s: %g", rows[i].gpu,
			rows[i].type, ratio);
		struct figure fig = simulate(typed);
		cr_expect(eq(int, note_with(&fig, "widened to 16 bits") == NULL, rows[i].units));
		figure_release(&fig);
	}
}

/* Groups that engines refuse, that reach beyond a machine, that hold the cache more than once. */
Test(batching, groups_of_odd_sizes_are_told)
{
	static const struct {
		const char *set, *words;
	} rows[] = { { "tp=3", "do not divide among 3 GPUs" },
		{ "tp=7", "do not divide among 7 GPUs" }, { "tp=12", "do not divide among 12" },
		{ "tp=16", "fast links join 8 of them" }, { "tp=16", "holds the cache 2 times" },
		{ "act_dtype=fp8", "does not compute in FP8" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = simulate(rows[i].set);
		cr_expect(note_with(&fig, rows[i].words) != NULL, "%s", rows[i].set);
		figure_release(&fig);
	}
}

/* Without a trace in the tables, what asks for its lengths gets fixed ones, and what asks for others
 * gets those. */
Test(batching, lengths_without_a_trace)
{
	const size_t traces = t.n_traces;
	t.n_traces = 0;
	double fixed = value_of("lengths=fixed", "tokens_per_s"),
	       traced = value_of("lengths=trace", "tokens_per_s"),
	       drawn = value_of("lengths=exponential", "tokens_per_s");
	t.n_traces = traces;
	cr_expect(eq(dbl, traced, fixed));
	cr_expect(drawn != fixed);
}

/* Four requests that come together: the line goes up to 4 in four steps and down in four, and each policy's
 * ends when its last is done. What keeps coming has no such picture. */
Test(batching, a_burst_is_shown_until_its_last_is_done)
{
	struct figure fig = simulate("requests=4 rate_per_s=1000");
	const struct block *block = figure_block(&fig, BLOCK_PLOT, "Under way");
	cr_assert(ne(ptr, (void *)block, NULL));
	const struct plot *p = &block->as.plot;
	cr_assert(eq(sz, p->n_series, 2));
	for (size_t i = 0; i < p->n_series; i++) {
		const struct series *line = &p->series[i];
		cr_assert(eq(sz, line->n, 1 + 2 * 4));
		cr_expect(eq(dbl, line->points[4].y, 4));
		cr_expect(eq(dbl, line->points[8].y, 0));
	}
	const double continuous_s = p->series[0].points[8].x, static_s = p->series[1].points[8].x;
	cr_expect(lt(dbl, continuous_s, static_s * (1 + 1e-9)));
	figure_release(&fig);
	fig = simulate("");
	for (size_t i = 0; i < fig.n_blocks; i++)
		cr_expect(ne(str, (char *)block_name(fig.blocks[i]), "Under way"));
	figure_release(&fig);
}

/* 64 slots begin together, and no picture has lanes for all: that of the longest is among them, which decodes
 * until the run of continuous batching is over. */
Test(batching, the_longest_of_a_burst_has_a_lane)
{
	struct figure fig = simulate("requests=64 rate_per_s=1000 max_batch=64 output_tokens=2000");
	const struct timeline *both = first_timeline(&fig);
	double last_s = 0;
	unsigned continuous = 0;
	for (unsigned i = 0; i < both->n_lanes; i++)
		if (strcmp(both->lane_names[i], "continuous") == 0)
			continuous = i;
	cr_assert(continuous > 0);
	for (size_t i = 0; i < both->n_spans; i++)
		if (both->spans[i].lane > continuous)
			last_s = fmax(last_s, both->spans[i].end);
	const struct series *line = &figure_block(&fig, BLOCK_PLOT, "Under way")->as.plot.series[0];
	cr_expect(epsilon_eq(dbl, last_s, line->points[line->n - 1].x, 1e-6));
	figure_release(&fig);
}
