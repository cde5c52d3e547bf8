/* The simulation `moe`: tokens drawn to experts, and what that takes. Rows are worked by hand from the
 * model's own text (sims/serving/routing.h, moe_layer.h), and the draw is held to the closed forms and
 * to the engine that `batching` serves with. */
#include "sims/serving/moe_run.h"
#include "sims/serving/routing.h"
#include "sims/architecture/model_architecture.h"
#include "sims/base/stats.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables tables;
static struct arena arena;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	tables = load_tables();
}

static void unload(void)
{
	arena_release(&arena);
	tables_release(&tables);
}

TestSuite(moe, .init = load, .fini = unload);

/* --- A case counted by hand --- */

/* Six tokens, four experts, two choices each; experts 0 and 1 lie on GPU 0, 2 and 3 on GPU 1. Tokens 0 to
 * 2 are GPU 0's, 3 to 5 GPU 1's.
 *
 *	token     0    1    2    3    4    5
 *	experts   0 1  0 2  0 1  0 3  0 1  2 3
 *
 * Expert 0 is wanted by 5, 1 by 3, 2 by 2, 3 by 2. */
static uint32_t choices[] = { 0, 1, 0, 2, 0, 1, 0, 3, 0, 1, 2, 3 };
static const struct routing by_hand = {
	.experts = 4, .per_token = 2, .tokens = 6, .chosen = choices
};

static struct routing counted(double factor)
{
	const struct router r = { .experts = 4, .per_token = 2, .capacity_factor = factor };
	return routing_first(&by_hand, &r, 6, &arena);
}

/* A capacity of 1 is 6 x 2 / 4 = 3 rows an expert: expert 0 drops tokens 3 and 4. One of 0.5 is 1.5, in
 * whole rows 2: expert 0 drops three, expert 1 one. One of 2 is 6 rows: none is dropped. */
Test(moe, capacity_counted_by_hand)
{
	static const struct {
		double factor;
		uint32_t capacity;
		size_t dropped;
	} rows[] = { { 1, 3, 2 }, { 0.5, 2, 4 }, { 2, 6, 0 }, { 0, UINT32_MAX, 0 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct routing g = counted(rows[i].factor);
		cr_expect(eq(u32, g.capacity, rows[i].capacity), "row %zu", i);
		cr_expect(eq(sz, g.dropped, rows[i].dropped), "row %zu", i);
		cr_expect(eq(sz, routing_overflow(&g, g.capacity), rows[i].dropped), "row %zu", i);
	}
	struct routing g = counted(1);
	cr_expect(eq(u32, g.wanted[0], 5));
	cr_expect(eq(u32, g.rows[0], 3));
	cr_expect(g.taken[2 * 2] && !g.taken[2 * 3] && !g.taken[2 * 4]);
}

/* Without a capacity GPU 0 has 5 + 3 = 8 rows, GPU 1 has 4. Tokens of GPU 0 that go to GPU 1: token 1 (its
 * expert 2). Of GPU 1 to GPU 0: tokens 3 and 4, each once, though both of token 4's experts are there. So
 * GPU 1 sends 2 and GPU 0 sends 1. On four GPUs that share two and two, each copy goes to both GPUs of
 * the group, and the second GPU of a token's own group gets one too. */
Test(moe, copies_counted_by_hand)
{
	struct routing g = counted(0);
	struct routing_load l = routing_load(&g, 2, 2, 0, 1, &arena);
	cr_expect(eq(u32, l.group_rows[0], 8));
	cr_expect(eq(u32, l.group_rows[1], 4));
	cr_expect(eq(dbl, l.most, 8));
	cr_expect(eq(dbl, l.mean, 6));
	cr_expect(eq(dbl, l.most_copies, 2));
	cr_expect(epsilon_eq(dbl, l.mean_copies, 1.5, 1e-12));
	/* The first half of the batch is tokens 0, 2 and 4: experts 0 1, 0 1, 0 1. */
	struct routing_load half = routing_load(&g, 2, 2, 0, 2, &arena);
	cr_expect(eq(sz, half.tokens, 3));
	cr_expect(eq(u32, half.group_rows[0], 6));
	cr_expect(eq(u32, half.group_rows[1], 0));
	/* GPUs of tokens on four: 0 0 1 2 2 3. Needed: token 0 group 0 (GPUs 0, 1): 1 copy; token 1
	 * groups 0 and 1: 3; token 2 group 0, from GPU 1: 1; token 3 both, from GPU 2: 3; token 4 group
	 * 0 from GPU 2: 2; token 5 group 1, from GPU 3: 1. 11 copies from 4 GPUs. */
	struct routing_load four = routing_load(&g, 4, 2, 0, 1, &arena);
	cr_expect(epsilon_eq(dbl, four.mean_copies, 11 / 4.0, 1e-12));
	cr_expect(eq(dbl, four.most_copies, 5)); /* GPU 2 sends 3 + 2 */
}

/* Ten experts in four groups: 3, 2, 3, 2, and each expert is in the group that holds it. Two experts in
 * four groups: two groups have none. */
Test(moe, experts_are_dealt_evenly)
{
	static const size_t first[] = { 0, 3, 5, 8, 10 };
	for (size_t g = 0; g <= 4; g++)
		cr_expect(eq(sz, routing_first_expert(10, 4, g), first[g]), "group %zu", g);
	for (size_t e = 0; e < 10; e++) {
		size_t g = routing_group_of(10, 4, e);
		cr_expect(first[g] <= e && e < first[g + 1], "expert %zu", e);
	}
	cr_expect(eq(sz, routing_group_of(2, 4, 0), 0));
	cr_expect(eq(sz, routing_group_of(2, 4, 1), 2));
}

/* --- The draw against closed forms --- */

/* Four tokens that choose one of two experts: an expert with room for 2 is wanted by 3 with a chance of 4/16
 * and by 4 with 1/16; it drops 4/16 + 2/16 of 2 in the mean, 3/16. With room for 1: 6/16 + 2 x 4/16 + 3 x
 * 1/16 = 17/16 of 2. Every token at every expert, room for 3 of 4: a quarter. */
Test(moe, binomial_overflow_by_hand)
{
	cr_expect(epsilon_eq(dbl, routing_expected_drop(2, 4, 1, 2), 3 / 16.0, 1e-12));
	cr_expect(epsilon_eq(dbl, routing_expected_drop(1, 4, 1, 2), 17 / 32.0, 1e-12));
	cr_expect(epsilon_eq(dbl, routing_expected_drop(3, 4, 2, 2), 0.25, 1e-12));
	cr_expect(eq(dbl, routing_expected_drop(4, 4, 1, 2), 0));
}

/* E (1 - (1 - k/E)^B) by hand: 8 experts, two a token: 2, 3.5 for two tokens, 8 (1 - 0.75^4) = 5.469 for
 * four. 128 with four a token: 64 tokens leave (31/32)^64 = 0.1311 of them, 111.2. Over 400 seeds the mean
 * lies within four deviations of its own. */
Test(moe, distinct_experts_meet_the_closed_form)
{
	static const struct {
		size_t experts, per_token, tokens;
		double want;
	} rows[] = { { 8, 2, 1, 2 }, { 8, 2, 2, 3.5 }, { 8, 2, 4, 5.46875 },
		{ 128, 4, 64, 111.22 } };
	enum { SEEDS = 400 };
	for (size_t i = 0; i < COUNT(rows); i++) {
		double sum = 0, squares = 0;
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			const struct router r = { .experts = rows[i].experts,
				.per_token = rows[i].per_token,
				.seed = seed };
			double n = (double)routing_draw(&r, rows[i].tokens, &arena).touched;
			sum += n;
			squares += n * n;
		}
		double mean = sum / SEEDS, var = squares / SEEDS - mean * mean;
		double off = 4 * sqrt(fmax(0, var) / SEEDS) + 0.01;
		cr_expect(fabs(mean - rows[i].want) <= off, "row %zu: %g, by hand %g", i, mean,
			rows[i].want);
	}
}

/* With a skew of 1 two experts have weights 1 and 1/2: a token that takes one of them takes the first with
 * 2/3. Of three (1, 1/2, 1/3: 6/11, 3/11, 2/11) a token that takes two leaves the first out with 3/11 x
 * 2/8 + 2/11 x 3/9 = 0.06818 + 0.06061 = 0.1288. 30,000 tokens: a deviation of 0.3 %. */
Test(moe, favourites_by_hand)
{
	static const struct {
		size_t experts, per_token;
		double share; /* of tokens with the favourite */
	} rows[] = { { 2, 1, 2 / 3.0 }, { 3, 2, 1 - 0.12879 } };
	enum { TOKENS = 30000 };
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct router r = { .experts = rows[i].experts,
			.per_token = rows[i].per_token,
			.skew = 1,
			.seed = 5 };
		struct routing g = routing_draw(&r, TOKENS, &arena);
		uint32_t most = 0;
		for (size_t e = 0; e < g.experts; e++)
			most = g.wanted[e] > most ? g.wanted[e] : most;
		cr_expect(
			epsilon_eq(dbl, most / (double)TOKENS, rows[i].share, 0.012), "row %zu", i);
	}
}

/* A token's experts differ, whatever the law, and with as many choices as experts it has each. */
Test(moe, choices_differ)
{
	static const struct router routers[] = {
		{ .experts = 8, .per_token = 8, .skew = 2, .seed = 1 },
		{ .experts = 64, .per_token = 10, .skew = 2, .seed = 2 },
		{ .experts = 1, .per_token = 1, .skew = 0.5, .seed = 3 },
	};
	for (size_t i = 0; i < COUNT(routers); i++) {
		struct routing g = routing_draw(&routers[i], 200, &arena);
		for (size_t t = 0; t < 200; t++)
			for (size_t a = 0; a < g.per_token; a++)
				for (size_t b = 0; b < a; b++)
					cr_expect(ne(u32, g.chosen[t * g.per_token + a],
							  g.chosen[t * g.per_token + b]),
						"router %zu, token %zu", i, t);
	}
}

/* The tokens of a smaller batch are the first of a larger one. */
Test(moe, a_batch_begins_a_larger_one)
{
	const struct router r = {
		.experts = 32, .per_token = 4, .skew = 0.7, .seed = 9, .capacity_factor = 1
	};
	struct routing large = routing_draw(&r, 512, &arena), small = routing_draw(&r, 100, &arena);
	struct routing first = routing_first(&large, &r, 100, &arena);
	cr_expect(memcmp(large.chosen, small.chosen, 400 * sizeof *small.chosen) == 0);
	cr_expect(memcmp(first.rows, small.rows, 32 * sizeof *small.rows) == 0);
	cr_expect(eq(sz, first.dropped, small.dropped));
}

/* --- Numbers on the screen --- */

/* Mixtral: 8 experts, of which a token takes 2, each 3 x 4096 x 14336 = 176.16 M parameters, 32 layers.
 * One token reads 2: 32 x 2 x 176.16e6 x 2 B = 22.55 GB in BF16, 11.27 GB in FP8. Of 46.7 G parameters a
 * token passes 12.88 G. With one expert a GPU, one token goes to two of eight GPUs; it is GPU 0's. */
static const struct sim_row rows[] = {
	{ "model=mixtral-8x7b weight_dtype=bf16 batch_tokens=1", "experts_touched", 2, 0 },
	{ "model=mixtral-8x7b weight_dtype=bf16 batch_tokens=1", "expected_touched", 2, 0 },
	{ "model=mixtral-8x7b weight_dtype=bf16 batch_tokens=2", "expected_touched", 3.5, 0 },
	{ "model=mixtral-8x7b weight_dtype=bf16 batch_tokens=1", "expert_bytes_read", 22.5486e9,
		1e5 },
	{ "model=mixtral-8x7b weight_dtype=fp8 batch_tokens=1", "expert_bytes_read", 11.2743e9,
		1e5 },
	{ "model=mixtral-8x7b", "active_params", 12.88e9, 0.01e9 },
	/* 1 row on each of two of eight GPUs: the mean is a quarter */
	{ "model=mixtral-8x7b batch_tokens=1 skew=0", "imbalance", 4, 0 },
	/* 128 (1 - (31/32)^64) */
	{ "batch_tokens=64", "expected_touched", 111.22, 0.01 },
	/* One GPU has all: nothing travels, nobody waits. */
	{ "gpus=1", "all_to_all_ms", 0, 0 },
	{ "gpus=1", "waiting_pct", 0, 1e-9 },
	{ "gpus=1", "imbalance", 1, 0 },
	/* Experts cut over all GPUs: the same. */
	{ "ep=1 tp=8", "all_to_all_ms", 0, 0 },
	{ "ep=1 tp=8", "imbalance", 1, 0 },
	{ "capacity_factor=8 skew=0", "dropped_pct", 0, 0 },
	/* An H100 multiplies 989.5 TFLOP/s in BF16 and reads 3.35 TB/s: a dense matrix in BF16 is read
	 * as long as it is multiplied with at 295 rows. Mixtral's experts get a quarter of the tokens. */
	{ "model=mixtral-8x7b weight_dtype=bf16", "read_bound_tokens", 4 * 295.4, 6 },
};

Test(moe, rows_by_hand)
{
	expect_rows(sim_find("moe"), &tables, rows, COUNT(rows));
}

/* Sixteen tokens, two a GPU, each to the two GPUs that have its two experts, in BF16 there and back: a
 * token sends at most 2 copies of 4096 values of 2 B each way, 32,768 B in all, and a GPU with two tokens at
 * most twice that; the GPU that gets the most can get one copy of each of the 14 others. */
Test(moe, bytes_of_the_exchange)
{
	static const char set[] = "model=mixtral-8x7b weight_dtype=bf16 batch_tokens=16";
	double bytes = sim_number(sim_find("moe"), &tables, set, "sent_bytes");
	const double copy = 4096 * (2 + 2);
	double copies = bytes / copy;
	cr_expect(epsilon_eq(dbl, copies, round(copies), 1e-9), "%g copies", copies);
	cr_expect(ge(dbl, copies, 2));
	cr_expect(le(dbl, copies, 14));
	/* In FP8 the way there has half the bytes: three quarters in all. */
	double fp8 = sim_number(sim_find("moe"), &tables,
		"model=mixtral-8x7b weight_dtype=fp8 batch_tokens=16", "sent_bytes");
	cr_expect(epsilon_eq(dbl, fp8 / bytes, 0.75, 1e-9));
}

/* The layer that is played, as often as the model has layers with experts, is the step; and the rate is the
 * batch over the step. */
Test(moe, parts_make_up_the_whole)
{
	static const char *const settings[] = { "batch_tokens=512 capacity_factor=1",
		"batch_tokens=512 overlap=on", "phase=prefill batch_tokens=4096",
		"model=deepseek-v3 gpu=h200 gpus=16" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct figure fig = sim_run(sim_find("moe"), &tables, settings[i]);
		double step_ms = figure_number(&fig, "step_ms");
		double layers = i < 3 ? 36 : 58;
		cr_expect(epsilon_eq(dbl, 1e3 * layers * fig.duration_s, step_ms, 1e-9 * step_ms),
			"%s: %g layers of %g s, step %g ms", settings[i], layers, fig.duration_s,
			step_ms);
		double rate = figure_number(&fig, "tokens_per_s") * step_ms / 1e3;
		cr_expect(epsilon_eq(dbl, rate, round(rate), 1e-6), "%s", settings[i]);
		figure_release(&fig);
	}
}

/* --- The same layer as the engine's --- */

static struct moe_model model_named(const char *id, const char *gpu, enum value_type weights)
{
	struct moe_model m = { .model = any_model_find(&tables, id),
		.gpu = gpu_find(&tables, gpu),
		.weights = weights,
		.cache = VALUE_BF16,
		.context = 1024 };
	cr_assert(m.model && m.gpu);
	m.a = m.model->made_of;
	for (size_t i = 0; i < m.a->n_groups; i++)
		if (m.a->groups[i].feed.experts > 0) {
			m.feed = &m.a->groups[i].feed;
			m.layers += (double)m.a->groups[i].n;
		}
	m.activations = activation_dtype(m.gpu, weights, ACTIVATION_AUTO);
	m.net = network_measured(m.gpu->family, 8, m.gpu->link_bandwidth, 50e9, 2 * 5e-6);
	m.router = (struct router){ .experts = (size_t)m.feed->experts,
		.per_token = (size_t)m.feed->per_token };
	return m;
}

/* In BF16 an expert's weights are two bytes and each of its rows two FLOP: as many rows as FLOP/s over B/s,
 * 989.4e12 / 3.35e12 on an H100. */
Test(moe, dense_bound_is_the_ridge)
{
	struct moe_model m = model_named("mixtral-8x7b", "h100", VALUE_BF16);
	cr_expect(epsilon_eq(dbl, moe_dense_bound_tokens(&m), 295.3, 0.1));
	struct accelerator unknown = *m.gpu;
	for (size_t i = 0; i < sizeof unknown.peak_flops / sizeof *unknown.peak_flops; i++)
		unknown.peak_flops[i] = 0;
	m.gpu = &unknown;
	cr_expect(eq(dbl, moe_dense_bound_tokens(&m), INFINITY));
	cr_expect(eq(dbl, moe_read_bound_tokens(&m), INFINITY));
}

static double drawn_step_s(struct moe_model *m, double gpus, double tp, double ep, size_t tokens)
{
	enum { SEEDS = 8 };
	const struct moe_layout l = moe_layout_of(m, gpus, tp, ep, false, 0);
	double sum_s = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		m->router.seed = seed;
		struct routing r = routing_draw(&m->router, tokens, &arena);
		sum_s += moe_step_of(m, &l, &r, &arena).step_s;
	}
	return sum_s / SEEDS;
}

/* Where all experts are alike the mean over seeds is what `batching` would take for the same step: it has
 * expectations where this counts. */
Test(moe, a_balanced_step_is_the_engines)
{
	static const struct {
		const char *model, *gpu;
		enum value_type weights;
		double gpus, tp, ep;
		size_t tokens;
	} cases[] = {
		{ "mixtral-8x7b", "h100", VALUE_BF16, 1, 1, 1, 64 },
		{ "mixtral-8x7b", "h100", VALUE_BF16, 8, 8, 1, 64 },
		{ "mixtral-8x7b", "h100", VALUE_BF16, 8, 1, 8, 512 },
		{ "gpt-oss-120b", "h100", VALUE_FP4, 8, 1, 8, 256 },
		{ "gpt-oss-120b", "h100", VALUE_FP4, 4, 4, 1, 16 },
		{ "deepseek-v3", "h200", VALUE_FP8, 8, 1, 8, 1024 },
		{ "deepseek-v3", "h200", VALUE_FP8, 32, 1, 32, 4096 },
		{ "qwen3-235b-a22b", "h100", VALUE_FP8, 8, 8, 8, 128 },
	};
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct moe_model m = model_named(cases[i].model, cases[i].gpu, cases[i].weights);
		const struct engine_layout how = {
			.tp = cases[i].tp, .copies = cases[i].gpus / cases[i].tp, .ep = cases[i].ep
		};
		const struct engine_shape e = engine_shape_spread(
			m.model, m.gpu, &how, m.weights, ACTIVATION_AUTO, VALUE_BF16);
		double n = (double)cases[i].tokens;
		double engine_s = engine_step_s(&e, n, n * 1024, 0, 0);
		double drawn_s =
			drawn_step_s(&m, cases[i].gpus, cases[i].tp, cases[i].ep, cases[i].tokens);
		cr_expect(fabs(drawn_s / engine_s - 1) <= 0.1, "%s on %g: drawn %g s, engine %g s",
			cases[i].model, cases[i].gpus, drawn_s, engine_s);
	}
}

/* --- What turning does --- */

static double at(const char *settings, const char *id)
{
	return sim_number(sim_find("moe"), &tables, settings, id);
}

Test(moe, turning_does_what_help_says)
{
	/* More favourites: a busier GPU, and a longer wait for it where rows bind. */
	cr_expect(at("phase=prefill batch_tokens=8192 skew=1.2", "waiting_pct") >
		  at("phase=prefill batch_tokens=8192 skew=0", "waiting_pct"));
	/* A capacity trades that wait for dropped choices. */
	static const char roomy[] = "phase=prefill batch_tokens=8192 skew=1 capacity_factor=4";
	static const char tight[] = "phase=prefill batch_tokens=8192 skew=1 capacity_factor=1";
	cr_expect(at(tight, "dropped_pct") > at(roomy, "dropped_pct"));
	cr_expect(at(tight, "imbalance") < at(roomy, "imbalance"));
	cr_expect(at(tight, "step_ms") < at(roomy, "step_ms"));
	/* Two halves hide the travel of a prompt, and cost a small decode its second read. */
	cr_expect(at("phase=prefill batch_tokens=65536 overlap=on", "step_ms") <
		  at("phase=prefill batch_tokens=65536", "step_ms"));
	cr_expect(at("overlap=on", "step_ms") > at("overlap=off", "step_ms"));
	/* A slower network only carries tokens between nodes. */
	cr_expect(at("gpus=16 inter_GBps=10", "all_to_all_ms") >
		  at("gpus=16 inter_GBps=100", "all_to_all_ms"));
	cr_expect(eq(dbl, at("gpus=8 inter_GBps=10", "all_to_all_ms"),
		at("gpus=8 inter_GBps=100", "all_to_all_ms")));
}

/* When the products of a lane's experts end. */
static double products_end_s(const struct timeline *t, size_t lane)
{
	double end_s = 0;
	for (size_t i = 0; i < t->n_spans; i++)
		if (t->spans[i].lane == lane && t->means[t->spans[i].kind] == MEANS_COMPUTE)
			end_s = fmax(end_s, t->spans[i].end);
	return end_s;
}

/* The lanes go from the GPU that all wait for to the one that waits longest, and a window too low for
 * all of them keeps both. */
Test(moe, lanes_go_from_the_slowest_to_the_one_that_waits_longest)
{
	static const char *const settings[] = { "", "gpus=32", "batch_tokens=1024", "gpus=2" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(sim_find("moe"), &tables, settings[k]);
		const struct timeline *t =
			&figure_block(&fig, BLOCK_TIMELINE, "Lanes")->as.timeline;
		cr_assert(t->n_lanes > 2 && t->lane_ranks != NULL);
		for (size_t i = 2; i < t->n_lanes; i++) /* the first is the network's */
			cr_expect(le(dbl, products_end_s(t, i), products_end_s(t, i - 1)),
				"%s: lane %zu", settings[k], i);
		const unsigned last = t->lane_ranks[t->n_lanes - 1];
		for (size_t i = 2; i + 1 < t->n_lanes; i++)
			cr_expect(lt(u32, last, t->lane_ranks[i]), "%s: lane %zu", settings[k], i);
		figure_release(&fig);
	}
}

/* Kinds without colour have shades, the first the darkest: so the most rows come first. Where a
 * level is one number, as of 1 and 2 rows, its name is that number and not "to" it. */
Test(moe, the_most_rows_are_the_darkest)
{
	static const char *const settings[] = { "batch_tokens=8192 phase=prefill",
		"batch_tokens=2 skew=0" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct figure fig = sim_run(sim_find("moe"), &tables, settings[i]);
		const struct grid *g = &figure_block(&fig, BLOCK_GRID, NULL)->as.grid;
		/* Behind what no level is: not read, read, and the slowest GPU's. */
		const size_t first = 3;
		cr_assert(lt(sz, first + 5, g->n_kinds));
		cr_expect(eq(int, (int)g->means[0], MEANS_EMPTY));
		cr_expect(
			strstr(g->kind_names[first], "token") != NULL, "%s", g->kind_names[first]);
		cr_expect(eq(int, strncmp(g->kind_names[first], "to ", 3) == 0, i == 0), "%s",
			g->kind_names[first]);
		for (size_t k = first; k < first + 4 && *g->kind_names[k + 1]; k++)
			cr_expect(g->means[k] > g->means[k + 1], "%s: %zu", settings[i], k);
		figure_release(&fig);
	}
}

/* In a small batch reads decide: each expert is read or it is not, the numbers at the ends of the
 * rows add up to all that are read, and who has the largest is the one that all wait for: it has a
 * colour of its own in every cell, comes first among the lanes of GPUs, which say what each reads, and is in
 * the sentence.
 * With a prompt of 8,192 tokens all experts are read, and the ends of the rows have its 8,192 x 4
 * choices. */
Test(moe, the_picture_shows_whom_all_wait_for)
{
	struct figure fig = sim_run(sim_find("moe"), &tables, "");
	const struct timeline *t = &fig.blocks[0]->as.timeline;
	const struct grid *g = &fig.blocks[1]->as.grid;
	size_t most = 0, read = 0, frame = 0;
	while (frame + 1 < g->n_frames && g->frame_times[frame + 1] <= g->still_s)
		frame++;
	cr_assert(eq(sz, g->rows, 8));
	for (size_t row = 0; row < g->rows; row++) {
		read += (size_t)atoi(g->row_notes[row]);
		if (atoi(g->row_notes[row]) > atoi(g->row_notes[most]))
			most = row;
	}
	cr_expect(eq(dbl, (double)read, figure_number(&fig, "experts_touched")));
	for (size_t row = 0; row < g->rows; row++) {
		size_t there = 0;
		for (size_t col = 0; col < g->cols; col++) {
			unsigned kind = g->cells[(frame * g->rows + row) * g->cols + col];
			there += kind != 0;
			cr_expect(kind == 0 || (g->means[kind] == MEANS_FOCUS) == (row == most));
		}
		cr_expect(eq(sz, there, (size_t)atoi(g->row_notes[row])), "row %zu", row);
	}
	cr_expect(eq(str, (char *)t->lane_names[1], (char *)g->row_names[most]));
	/* Behind each lane stands what its GPU reads, as at its row. */
	cr_assert(t->lane_notes != NULL);
	for (size_t lane = 1; lane < t->n_lanes; lane++) {
		char reads[32] = "";
		for (size_t row = 0; row < g->rows; row++)
			if (strcmp(g->row_names[row], t->lane_names[lane]) == 0)
				snprintf(reads, sizeof reads, "reads %s", g->row_notes[row]);
		cr_expect(eq(str, (char *)t->lane_notes[lane], reads));
	}
	cr_expect(eq(sz, t->n_lanes - 1 + t->without, 8));
	cr_expect(strstr(fig.why, g->row_names[most]) != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(sim_find("moe"), &tables, "phase=prefill batch_tokens=8192");
	g = &fig.blocks[1]->as.grid;
	double all = 0;
	for (size_t row = 0; row < g->rows; row++) {
		char digits[16] = "";
		for (const char *c = g->row_notes[row]; *c; c++)
			if (*c != ',')
				strncat(digits, c, 1);
		all += atof(digits);
	}
	cr_expect(eq(dbl, all, 8192 * 4));
	figure_release(&fig);
	/* Where choices are dropped the sentence is about full experts, and so is the first picture. */
	fig = sim_run(sim_find("moe"), &tables, "batch_tokens=1024 capacity_factor=1");
	cr_expect(strstr(fig.why, "find their expert full") != NULL, "%s", fig.why);
	cr_expect(eq(int, (int)fig.blocks[0]->kind, BLOCK_GRID));
	figure_release(&fig);
}

/* A plain model is refused with its reason, and a mixture is found by any of its spellings. */
Test(moe, a_plain_model_is_refused)
{
	double v[MAX_KNOBS];
	char err[256] = "";
	const struct sim *s = sim_find("moe");
	sim_defaults(s, &tables, v);
	cr_expect(ne(int, sim_read_setting(s, &tables, "model=llama3-8b", v, err, sizeof err), 0));
	cr_expect(strstr(err, "no routed experts") != NULL, "%s", err);
	cr_expect(zero(int, sim_read_setting(s, &tables, "model=kimi-k2", v, err, sizeof err)));
	cr_expect(eq(str, (char *)mixture_at(&tables, v[sim_knob_index(s, "model")])->id,
		(char *)"kimi-k2"));
}
