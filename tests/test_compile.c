/* Eager, compiled and recorded: launches against kernels (F1.6), what is fused (E14), a stream of
 * shapes (E45), warm-up (E67). */
#include "sims/registry/registry.h"
#include "sims/formulas/roofline.h"
#include "sims/formulas/stacking.h"
#include "sims/gpu/launches.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

extern const struct sim compile_sim;

/* 32 layers of 50 equal kernels. */
static struct op_graph uniform(double kernel_s)
{
	struct op_graph g = { 0 };
	struct graph_section *s = &g.section[SECTION_FORWARD];
	s->n = 50;
	s->repeat = 32;
	for (size_t i = 0; i < s->n; i++)
		s->kernels[i] = (struct graph_kernel){ .name = "k", .ops = 1, .time_s = kernel_s };
	return g;
}

static double iteration_s(const struct launch_setup *s)
{
	struct arena a = { 0 };
	double got_s = launch_simulate(&a, s).iteration_s;
	cr_assert(a.failed == false);
	arena_release(&a);
	return got_s;
}

/* F1.6: 1,600 launches of 10 us take 16 ms of CPU time. Beside 50 ms of kernels none of it shows;
 * beside 10 ms, 6 ms do. A sync adds the first launch or the last kernel, and 25 us. */
Test(compile, launches_show_only_where_kernels_are_shorter)
{
	static const struct {
		double kernel_s;
		bool recorded, syncs;
		double iteration_s;
	} rows[] = {
		{ 31.25e-6, false, false, 0.05 },
		{ 6.25e-6, false, false, 0.016 },
		{ 6.25e-6, true, false, 0.01 },
		{ 31.25e-6, false, true, 0.05 + 10e-6 + 25e-6 },
		{ 6.25e-6, false, true, 0.016 + 6.25e-6 + 25e-6 },
		{ 6.25e-6, true, true, 0.01 + 10e-6 + 25e-6 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct op_graph g = uniform(rows[i].kernel_s);
		struct launch_setup s = { .graph = &g,
			.launch_s = 10e-6,
			.recorded = rows[i].recorded,
			.syncs = rows[i].syncs,
			.pieces = 1 };
		cr_expect(
			epsilon_eq(dbl, iteration_s(&s), rows[i].iteration_s, 1e-9), "row %zu", i);
		if (rows[i].recorded || rows[i].syncs)
			continue;
		double exposed_s = CALL(exposed_launch_time, .operations = 1600,
			.launch_time = 10e-6, .gpu_time = op_graph_time_s(&g));
		cr_expect(epsilon_eq(dbl, iteration_s(&s) - op_graph_time_s(&g), exposed_s, 1e-9),
			"row %zu", i);
	}
}

/* The events and a recurrence must come to the same number. */
Test(compile, events_agree_with_the_recurrence)
{
	struct rng r = rng_stream(7, "compile", 0);
	for (int i = 0; i < 40; i++) {
		struct op_graph g = uniform(5e-6);
		for (int k = 0; k < 50; k++)
			g.section[0].kernels[k].time_s = rng_exponential(&r, 10e-6);
		g.section[SECTION_BACKWARD] = g.section[0];
		g.section[SECTION_BACKWARD].repeat = (size_t)rng_below(&r, 20);
		if (g.section[SECTION_BACKWARD].repeat == 0)
			g.section[SECTION_BACKWARD].n = 0;
		struct launch_setup s = { .graph = &g,
			.launch_s = 1e-6 * (double)(1 + rng_below(&r, 20)),
			.recorded = rng_below(&r, 2),
			.syncs = rng_below(&r, 2),
			.pieces = 1 + rng_below(&r, 20),
			.break_s = 50e-6 };
		cr_expect(epsilon_eq(dbl, iteration_s(&s), launch_iteration_s(&s), 1e-9), "%d", i);
	}
}

static struct op_graph graph_of(
	const struct tables *t, const char *model, enum graph_phase phase, enum fusion fusion)
{
	struct graph_setup s = { .model = model_find(t, model),
		.gpu = gpu_find(t, "a100"),
		.phase = phase,
		.batch = 1,
		.tokens = 512 };
	return op_graph_of(&s, fusion, false);
}

/* E14, counted by hand. A gated layer has: an addition and an RMSNorm of 8 kernels, three products,
 * rotary of 5 + 5, attention, a product, an addition and a norm, gate, up, SiLU, multiply and down.
 * By default each chain becomes one kernel and nothing is fused into a product. With templates the
 * second addition goes into the output product, SiLU into gate and multiply into up, but a norm
 * never does. */
Test(compile, what_fuses)
{
	static const struct {
		const char *model;
		enum fusion fusion;
		size_t kernels;
	} rows[] = {
		{ "llama3.2-1b", FUSION_NONE, 38 },
		{ "llama3.2-1b", FUSION_CHAINS, 13 },
		{ "llama3.2-1b", FUSION_EPILOGUES, 12 },
		{ "gpt2", FUSION_NONE, 10 },
		{ "gpt2", FUSION_CHAINS, 8 },
		{ "gpt2", FUSION_EPILOGUES, 7 },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct op_graph g = graph_of(&t, rows[i].model, GRAPH_PREFILL, rows[i].fusion);
		const struct graph_section *layer = &g.section[SECTION_FORWARD];
		size_t ops = 0;
		cr_expect(eq(sz, layer->n, rows[i].kernels), "row %zu", i);
		for (size_t k = 0; k < layer->n; k++) {
			const struct graph_kernel *kernel = &layer->kernels[k];
			ops += kernel->ops;
			if (kernel->kind == NODE_GEMM && rows[i].fusion == FUSION_CHAINS)
				cr_expect(eq(sz, kernel->ops, 1), "row %zu: %s", i, kernel->name);
			cr_expect(le(dbl, kernel->time_s, kernel->unfused_s * (1 + 1e-9)),
				"row %zu", i);
		}
		cr_expect(eq(sz, ops, rows[i].model[0] == 'g' ? 10 : 38), "row %zu", i);
	}
	/* The fused addition and norm of 512 x 2,048 in BF16 read two tensors and write two, the
	 * sum and the norm. */
	struct op_graph g = graph_of(&t, "llama3.2-1b", GRAPH_PREFILL, FUSION_CHAINS);
	cr_expect(epsilon_eq(dbl, g.section[0].kernels[0].bytes, 4 * 512 * 2048 * 2., 1));
	/* In eager mode, in FP32: 6.3, 8.4, 4.2, 8.4, 6.3, 4.2 MB, and 6.3 of the addition */
	g = graph_of(&t, "llama3.2-1b", GRAPH_PREFILL, FUSION_NONE);
	double bytes = 0;
	for (size_t k = 0; k < 9; k++)
		bytes += g.section[0].kernels[k].bytes;
	cr_expect(epsilon_eq(dbl, bytes, (3 + 3 + 4 + 2 + 4 + 3 + 2) * 512 * 2048 * 2., 2e4));
	tables_release(&t);
}

/* Backward has two products for each one of forward; fusing never makes anything slower. */
Test(compile, backward_is_there)
{
	static const char *const models[] = { "llama3.2-1b", "gpt2", "llama3-8b", "bert-large" };
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(models); i++) {
		double last_s = INFINITY;
		for (enum fusion f = FUSION_NONE; f <= FUSION_EPILOGUES; f++) {
			struct op_graph g = graph_of(&t, models[i], GRAPH_TRAIN, f);
			size_t products[N_GRAPH_SECTIONS] = { 0 };
			for (int s = 0; s < N_GRAPH_SECTIONS; s++)
				for (size_t k = 0; k < g.section[s].n; k++)
					products[s] += g.section[s].kernels[k].kind == NODE_GEMM;
			cr_expect(
				eq(sz, products[SECTION_BACKWARD], 2 * products[SECTION_FORWARD]));
			cr_expect(eq(sz, products[SECTION_HEAD], 3));
			cr_expect(le(dbl, op_graph_time_s(&g), last_s), "%s %d", models[i], f);
			last_s = op_graph_time_s(&g);
		}
	}
	tables_release(&t);
}

static double value_of(const struct tables *t, const char *settings, const char *id)
{
	return sim_number(&compile_sim, t, settings, id);
}

/* E45: dynamic=None compiles twice, True once, False up to the limit. A constant that is burned in
 * compiles again for every value, whatever is said about shapes. F6.4 gives the time. */
Test(compile, the_stream_of_shapes)
{
	static const struct {
		const char *settings;
		double sizes, versions;
		bool falls_back;
	} rows[] = {
		{ "sizes=1 dynamic=none", 1, 2, false },
		{ "sizes=40 dynamic=none", 40, 2, false },
		{ "sizes=40 dynamic=true", 40, 1, false },
		{ "sizes=40 dynamic=false", 40, 8, true },
		{ "sizes=8 dynamic=false", 8, 8, false },
		{ "sizes=40 dynamic=false recompile_limit=64", 40, 64, false },
		{ "sizes=40 dynamic=none varies=constant", 40, 8, true },
		{ "sizes=40 dynamic=true varies=constant", 40, 8, true },
		{ "sizes=40 dynamic=false varies=constant", 40, 8, true },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[128];
		snprintf(settings, sizeof settings, "%s compile_s=30", rows[i].settings);
		double want_s = CALL(compile_stall, .sizes = rows[i].sizes,
			.versions = rows[i].versions, .compile_time = 30);
		cr_expect(epsilon_eq(dbl, value_of(&t, settings, "warmup_s"), want_s, 1e-9), "%s",
			settings);
		double eager = value_of(&t, settings, "eager_pct");
		cr_expect(rows[i].falls_back ? eager > 50 : eager == 0, "%s: %g", settings, eager);
	}
	tables_release(&t);
}

/* E67: 2,000 iterations, and 30 s of compiling within them. */
Test(compile, warm_up)
{
	struct tables t = load_tables();
	double steady_ms = value_of(&t, "compile_s=30 iterations=2000", "ms_per_iteration");
	double mean_ms =
		value_of(&t, "compile_s=30 iterations=2000 include_warmup=1", "ms_per_iteration");
	cr_expect(epsilon_eq(dbl, mean_ms - steady_ms, 15, 1e-9));
	double even = value_of(&t, "compile_s=30", "break_even_iterations");
	double eager_ms = value_of(&t, "mode=eager", "ms_per_iteration");
	cr_expect(epsilon_eq(dbl, even, 30e3 / (eager_ms - steady_ms), 1e-6));
	cr_expect(isinf(value_of(&t, "mode=eager", "break_even_iterations")));
	tables_release(&t);
}

Test(compile, laws)
{
	static const char *const modes[] = { "eager", "default", "reduce-overhead" };
	static const char *const shapes[] = { "phase=decode", "phase=forward gpu=b200",
		"phase=train", "phase=forward batch=64", "model=llama3-8b phase=decode sync=1" };
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(shapes); i++) {
		double last_ms = INFINITY;
		for (size_t k = 0; k < COUNT(modes); k++) {
			char settings[128];
			snprintf(settings, sizeof settings, "%s mode=%s", shapes[i], modes[k]);
			double ms = value_of(&t, settings, "ms_per_iteration");
			cr_expect(le(dbl, ms, last_ms * (1 + 1e-9)), "%s", settings);
			last_ms = ms;
		}
	}
	/* A larger batch hides the launches; a graph break shows one of them again. */
	double one = value_of(&t, "mode=eager phase=forward gpu=h100", "launch_bound_pct");
	double many =
		value_of(&t, "mode=eager phase=forward gpu=h100 batch=64", "launch_bound_pct");
	cr_expect(lt(dbl, many, one), "%g, %g", one, many);
	cr_expect(lt(dbl, value_of(&t, "mode=default", "ms_per_iteration"),
		value_of(&t, "mode=default graph_breaks=16", "ms_per_iteration")));
	tables_release(&t);
}

/* Llama-3.2-1B has 16 layers. Plain PyTorch launches 40 kernels in each: two norms of 8 kernels,
 * rotary of 5 on queries and on keys, q, k, v, two for the cache, attention, output, gate, up,
 * down, SiLU, multiply and two residuals. 10 more are the last norm, the embedding and the head. At
 * 100 us a launch nothing else counts. Once chains are fused, 15 a layer and 2 others are left.
 * Compiling takes 3 s and 20 ms a kernel. */
static const struct sim_row shown[] = {
	{ "mode=eager launch_us=100", "kernels", 16 * 40 + 10, 0 },
	{ "mode=eager launch_us=100", "ms_per_iteration", 65, 0 },
	{ "mode=eager launch_us=100", "speedup", 1, 0 },
	{ "mode=eager launch_us=100", "launch_ms", 65, 0 },
	{ "mode=eager launch_us=100", "warmup_s", 0, 0 },
	{ "mode=eager", "recompiles", 0, 0 },
	{ "", "recompiles", 0, 0 }, /* the one compilation is no second */
	{ "launch_us=100", "kernels", 16 * 15 + 2, 0 },
	{ "launch_us=100", "ms_per_iteration", 24.2, 0 },
	{ "launch_us=100", "speedup", 65 / 24.2, 0 },
	{ "launch_us=100", "warmup_s", 3 + 0.02 * 650, 0 },
	{ "launch_us=100", "break_even_iterations", 16 / (0.065 - 0.0242), 0 },
	{ "launch_us=100 iterations=1000 include_warmup=on", "ms_per_iteration", 24.2 + 16, 0 },
	{ "launch_us=100 iterations=1000", "run_s", 24.2 + 16, 0 },
};

Test(compile, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("compile"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* By default the lines cross inside the picture, the rule stands there, and the sentence says it. */
Test(compile, the_crossing_is_in_sight)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&compile_sim, &t, "");
	const struct plot *p = &fig.blocks[0]->as.plot;
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_PLOT));
	cr_assert(eq(sz, p->n_rules, 1));
	cr_expect(epsilon_eq(
		dbl, p->rules[0].at, figure_number(&fig, "break_even_iterations"), 1e-6));
	cr_expect(lt(dbl, p->rules[0].at, p->series[0].points[p->series[0].n - 1].x));
	cr_expect(strstr(fig.why, "Compiling pays after 6,209 iterations: ") == fig.why, "%s",
		fig.why);
	const struct series *here = &p->series[p->n_series - 1];
	cr_assert(eq(sz, here->n, 1));
	cr_expect(epsilon_eq(dbl, here->points[0].x, p->rules[0].at, 1e-9));
	/* As eager has come there, and as compiled has: its warm-up, and what its iterations take. */
	double step_s = figure_number(&fig, "ms_per_iteration") / 1e3;
	cr_expect(epsilon_eq(dbl, here->points[0].y,
		figure_number(&fig, "warmup_s") + here->points[0].x * step_s, 0.1));
	cr_expect(eq(str, (char *)p->title, "16 s of compiling, paid back at the crossing"));
	cr_expect(eq(str, (char *)here->points[0].name, "paid back"));
	figure_release(&fig);
	tables_release(&t);
}

/* The knob that is asked to be turned is the first one, and turning it changes what is drawn. */
Test(compile, the_first_knob_is_the_one_to_try)
{
	struct tables t = load_tables();
	const struct knob *first = &compile_sim.knobs[compile_sim.story[0]];
	cr_expect(strstr(compile_sim.try, first->label) != NULL, "%s", first->label);
	cr_expect(lt(dbl, sim_number(&compile_sim, &t, "iterations=5000", "run_s"),
		sim_number(&compile_sim, &t, "", "run_s")));
	tables_release(&t);
}

/* A version of Llama-3.2-1B takes 16 s to compile. As needed there are two of them for any number of lengths,
 * the second for all that follow; at once there is one; never, one for each, until after 8 Dynamo gives up. In
 * a run of 10,000 iterations of which each saves 2.6 ms, 26 s, only one of them is paid back. */
Test(compile, the_sentence_says_what_versions_are_for)
{
	static const struct {
		const char *settings, *first, *last;
	} rows[] = {
		{ "sizes=20",
			"20 input shapes take 2 compilations, of which the last serves the rest: ",
			" pay back the 32 s of compiling, more than this run has." },
		{ "sizes=20 dynamic=true",
			"20 input shapes take 1 compilation, which serves them all: ",
			" iterations pay back the 16 s of compiling." },
		{ "sizes=3 dynamic=false", "3 input shapes take 3 compilations, one for each: ",
			" pay back the 48 s of compiling, more than this run has." },
		{ "sizes=20 dynamic=false", "After 8 versions Dynamo gives up: ",
			"compiling took 128 s; with dynamic sizes two would do." },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(&compile_sim, &t, rows[i].settings);
		const char *last = strstr(fig.why, rows[i].last);
		cr_expect(
			strncmp(fig.why, rows[i].first, strlen(rows[i].first)) == 0, "%s", fig.why);
		cr_expect(last && strlen(last) == strlen(rows[i].last), "%s", fig.why);
		figure_release(&fig);
	}
	tables_release(&t);
}
