/* The inference engine: ResNet-50 as published, latencies as measured, and what each switch may
 * do. */
#include "sims/gpu/convnet.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

static double value_of(const char *id, const char *settings)
{
	return sim_number(sim_find("inference"), &tables, settings, id);
}

/* He et al.: 53 convolutions and a classifier, 25.6 M parameters (25.5 of them here, without the
 * norms'), and for v1.5, whose stride is on the 3 x 3, 4.1 G multiply-adds. */
Test(inference, resnet50_as_published)
{
	struct conv_op ops[MOST_CONV_OPS];
	size_t n = resnet50_ops(ops), products = 0, additions = 0;
	double weights = 0, macs = 0;
	for (size_t i = 0; i < n; i++) {
		products += ops[i].kind == CONV_PRODUCT;
		additions += ops[i].kind == CONV_ADD;
		weights += ops[i].weights;
		macs += ops[i].rows * ops[i].cols * ops[i].k;
	}
	cr_expect(eq(sz, products, 54));
	cr_expect(eq(sz, additions, 16));
	cr_expect(epsilon_eq(dbl, weights, 25.5e6, 0.05e6));
	cr_expect(epsilon_eq(dbl, macs, 4.1e9, 0.02e9));
}

/* What a block has of the one before is not timed again, and takes what it takes alone. Of the 54 products 24 differ:
 * the two ends; in the first stage three of the first block (the way around it is as large as its last product)
 * and the first of the second, which gets more channels; in each later stage four and two, since strides end. */
Test(inference, blocks_that_repeat_are_timed_once)
{
	static const struct accelerator g = { .peak_flops = { [DTYPE_FP16] = 1e12 },
		.bandwidth = 1e10,
		.sm_count = 7,
		.achieved = { .compute = 0.5, .memory = 0.9, .launch_s = 1e-6 } };
	struct conv_op ops[MOST_CONV_OPS];
	struct conv_time times[MOST_CONV_OPS];
	size_t n = resnet50_ops(ops), products = 0;
	for (int fused = 0; fused < 2; fused++) {
		conv_times(&g, DTYPE_FP16, ops, n, 3, fused, times);
		for (size_t i = 0; i < n; i++) {
			double bytes, s = conv_op_time_s(&g, DTYPE_FP16, &ops[i], 3, fused, &bytes);
			cr_expect(times[i].s == s && times[i].bytes == bytes, "%zu", i);
		}
	}
	for (size_t i = 0; i < n; i++)
		products += ops[i].kind == CONV_PRODUCT && ops[i].like == i;
	cr_expect(eq(sz, products, 24));
}

static double training_s(struct conv_training t)
{
	struct accelerator g = { .clock_hz = 1e9, .bandwidth = 1e12 };
	g.peak_flops[DTYPE_FP32] = g.peak_flops[DTYPE_TF32] = 1e30;
	t.batch = 1;
	t.bandwidth = 1e12;
	return convnet_training_s(&g, &t, NULL);
}

/* Without arithmetic traffic is all. The 16 additions write 3 x 56^2 x 256, 4 x 28^2 x 512, 6 x 14^2
 * x 1024 and 3 x 7^2 x 2048 values, the 49 activations as many, 112^2 x 64, and what the inner two
 * convolutions of every block write. One by one an activation moves five times as much, an addition
 * six; in one kernel with the norm, an addition three. Planar tensors cost whoever has Tensor Cores:
 * those of convolutions, 53 and one gradient less, are turned around, read and written each. */
Test(inference, traffic_of_training)
{
	const double additions = 5519360, activations = 9608704;
	struct conv_training t = { .dtype = DTYPE_TF32 };
	double plain_s = training_s(t);
	t.fused = true;
	double saved = (plain_s - training_s(t)) * 1e12 / 4;
	double want = 5 * activations + (6 - 3) * additions;
	cr_expect(epsilon_eq(dbl, saved, want, 1e-6 * want), "%.12g", saved);

	struct conv_op ops[MOST_CONV_OPS];
	double turned = 0;
	for (size_t i = 0; i < resnet50_ops(ops); i++)
		if (ops[i].kernel > 0)
			turned += (i == 0 ? 2 : 3) * 2 * (ops[i].in + ops[i].out);
	t = (struct conv_training){ .dtype = DTYPE_TF32, .planar = true };
	double more = (training_s(t) - plain_s) * 1e12 / 4;
	cr_expect(epsilon_eq(dbl, more, turned, 1e-6 * turned), "%.12g", more);
	t.dtype = DTYPE_FP32;
	double planar_s = training_s(t);
	t.planar = false;
	cr_expect(eq(dbl, planar_s, training_s(t)));
}

/* V100, NVIDIA DeepLearningExamples, mean latency in ms: the model has no constant of its own for
 * any of them but the CPU's time per kernel. Median within a fifth. */
Test(inference, latencies_as_measured, .init = load, .fini = release)
{
	static const struct {
		const char *setting;
		double batch, measured_ms;
	} rows[] = {
		{ "precision=fp32 launch_us=60", 1, 10.37 },
		{ "precision=fp32 launch_us=60", 8, 11.5 },
		{ "precision=fp32 launch_us=60", 32, 29.37 },
		{ "precision=fp32 launch_us=60", 128, 109.26 },
		{ "precision=fp32 launch_us=60", 256, 214.48 },
		{ "precision=fp16 launch_us=20", 1, 3.48 },
		{ "precision=fp16 launch_us=20", 8, 4.87 },
		{ "precision=fp16 launch_us=20", 32, 11.02 },
		{ "precision=fp16 launch_us=20", 128, 38.06 },
		{ "precision=fp16 launch_us=20", 256, 83.73 },
	};
	enum { N = sizeof rows / sizeof *rows };
	size_t within = 0;
	for (size_t i = 0; i < N; i++) {
		char setting[120];
		snprintf(setting, sizeof setting, "gpu=v100 %s batch=%g", rows[i].setting,
			rows[i].batch);
		double error = value_of("latency_ms", setting) / rows[i].measured_ms - 1;
		within += fabs(error) <= 0.2;
		cr_expect(lt(dbl, fabs(error), 0.35), "%s: %+.0f %%", setting, 100 * error);
	}
	cr_expect(le(sz, N / 2, within));
}

/* Fusion and graphs never cost; a batch never lowers latency, and never throughput by much. */
Test(inference, switches_and_batches, .init = load, .fini = release)
{
	static const char *const networks[] = { "network=resnet50", "network=bert_large" };
	static const char *const gpus[] = { "gpu=v100", "gpu=a100", "gpu=h100", "gpu=orin" };
	for (size_t i = 0; i < 8; i++) {
		char base[80], with[120];
		double last_ms = 0;
		snprintf(base, sizeof base, "%s %s", networks[i / 4], gpus[i % 4]);
		for (int batch = 1; batch <= 256; batch *= 4) {
			snprintf(with, sizeof with, "%s batch=%d", base, batch);
			double ms = value_of("latency_ms", with);
			cr_expect(le(dbl, last_ms, ms * (1 + 1e-9)), "%s", with);
			last_ms = ms;
			size_t used = strlen(with);
			snprintf(with + used, sizeof with - used, " fusion=on");
			double fused = value_of("latency_ms", with);
			cr_expect(le(dbl, fused, ms * (1 + 1e-9)), "%s", with);
			snprintf(with + used, sizeof with - used, " fusion=on graph=on");
			cr_expect(le(dbl, value_of("latency_ms", with), fused * (1 + 1e-9)));
		}
	}
}

/* The sentence says what fewer launches would bring, in the times that the knobs give. At one image
 * 174 launches of 20 us take 3.48 ms. */
Test(inference, the_sentence_says_what_fewer_launches_bring, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("inference"), &tables, "batch=1");
	double latency_ms = value_of("latency_ms", "batch=1");
	char gain[48];
	snprintf(gain, sizeof gain, "CUDA graph is %.2gx as fast.",
		latency_ms / value_of("latency_ms", "batch=1 fusion=on graph=on"));
	cr_expect(strstr(fig.why, "% of a batch waits for launches; a fused CUDA graph") != NULL,
		"%s", fig.why);
	cr_expect(strstr(fig.why, gain) != NULL, "%s: %s", gain, fig.why);
	cr_expect(lt(dbl, 3.48, latency_ms));
	cr_expect(lt(dbl, latency_ms, 3.48 + 0.1));
	figure_release(&fig);
	/* Fused already: only the graph is left. */
	fig = sim_run(sim_find("inference"), &tables, "batch=1 fusion=on");
	cr_expect(strstr(fig.why, "fused") == NULL, "%s", fig.why);
	cr_expect(strstr(fig.why, "; a CUDA graph") != NULL, "%s", fig.why);
	figure_release(&fig);
}

/* At 200 us a launch nothing but their number counts. ResNet-50 as it is written: 53 convolutions,
 * 53 norms, 49 activations, 16 additions, two poolings and a classifier, 174; folded into the
 * convolutions, 53, two and one. */
static const struct sim_row shown[] = {
	{ "batch=1 launch_us=200", "latency_ms", 174 * 0.2, 0.01 },
	{ "batch=1 launch_us=200 fusion=1", "latency_ms", 56 * 0.2, 0.01 },
	{ "batch=1 launch_us=100", "latency_ms", 174 * 0.1, 0.01 },
	{ "batch=4 launch_us=200 fusion=1", "throughput", 4 / (56 * 0.2e-3), 0.4 },
};

Test(inference, shown_values_by_hand, .init = load, .fini = release)
{
	expect_rows(sim_find("inference"), &tables, shown, sizeof shown / sizeof *shown);
}

/* A missed deadline is in the sentence, and so is what would keep it. */
Test(inference, a_missed_deadline_is_said, .init = load, .fini = release)
{
	static const struct {
		const char *settings, *says;
	} rows[] = {
		{ "batch=256 deadline_ms=20", "past the deadline of 20 ms: with fused layers" },
		{ "batch=256 deadline_ms=10 fusion=on", "is the largest that is done in it" },
		{ "batch=8 launch_us=200 deadline_ms=20", "past the deadline; a fused" },
		{ "batch=8 launch_us=20 deadline_ms=20", "launches; a fused" },
		{ "batch=256 deadline_ms=0.1 graph=on", "not even a single one" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("inference"), &tables, rows[i].settings);
		cr_expect(
			strstr(fig.why, rows[i].says) != NULL, "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
}

/* From some batch on the GPU waits for no launch, and a graph takes as long as the kernels one by one: there its line
 * has met that of fusion, and ends. No line is without a point. */
Test(inference, a_line_ends_where_it_has_met_the_one_before, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("inference"), &tables, "");
	const struct plot *p = &figure_block(&fig, BLOCK_PLOT, "Trade-off")->as.plot;
	const struct series *fusion = &p->series[1], *graph = &p->series[2];
	cr_expect(eq(str, (char *)graph->name, "+ CUDA graph"));
	cr_expect(lt(sz, graph->n, fusion->n));
	for (size_t i = 0; i < graph->n; i++) {
		bool met = fabs(graph->points[i].y / fusion->points[i].y - 1) < 0.01;
		cr_expect(eq(int, met, i + 1 == graph->n), "batch %g", ldexp(1, (int)i));
	}
	figure_release(&fig);
	fig = sim_run(sim_find("inference"), &tables, "launch_us=1 batch=256");
	p = &figure_block(&fig, BLOCK_PLOT, "Trade-off")->as.plot;
	for (size_t i = 0; i < p->n_series; i++)
		cr_expect(p->series[i].n > 0, "%s", p->series[i].name);
	figure_release(&fig);
}

/* The largest batch is done in time and one more is not, at a deadline of 1 ms too. */
Test(inference, the_largest_batch_is_the_last_in_time, .init = load, .fini = release)
{
	for (double deadline_ms = 1; deadline_ms <= 16; deadline_ms *= 4) {
		char settings[100];
		snprintf(settings, sizeof settings, "fusion=on graph=on deadline_ms=%g",
			deadline_ms);
		double most = sim_number(sim_find("inference"), &tables, settings, "largest_batch");
		cr_expect(most >= 8, "%g in %g ms", most, deadline_ms);
		for (int more = 0; more <= 1; more++) {
			snprintf(settings, sizeof settings, "fusion=on graph=on batch=%g",
				most + more);
			double latency_ms =
				sim_number(sim_find("inference"), &tables, settings, "latency_ms");
			bool late = latency_ms > deadline_ms;
			cr_expect(eq(int, late, more), "%s: %g", settings, latency_ms);
		}
	}
}

/* With INT8 in every bar the step to it is none. At batch 8 the CPU launches 174 kernels at 20 us,
 * 3.48 ms, whatever the bits are. */
Test(inference, int8_that_changes_nothing_is_said, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("inference"), &tables, "batch=8");
	cr_expect(eq(sz, fig.blocks[0]->as.bars.n_bars, 4));
	figure_release(&fig);
	fig = sim_run(sim_find("inference"), &tables, "batch=8 precision=int8");
	cr_expect(eq(sz, fig.blocks[0]->as.bars.n_bars, 3));
	cr_expect(
		strstr(fig.why, "INT8 changes nothing: 174 launches take 3.48") == fig.why ||
			strstr(fig.why, "INT8 changes nothing: 174 launches take 3.49") == fig.why,
		"%s", fig.why);
	figure_release(&fig);
}

/* The title says what binds, a bar how many times as fast as the first one it is. At batch 8 launches bind until the graph takes them
 * away, and a graph gains nothing where they hide behind the kernels. */
Test(inference, the_bars_say_what_binds_and_what_is_gained, .init = load, .fini = release)
{
	static const struct {
		const char *settings, *title;
		bool graph_gains;
	} rows[] = {
		{ "batch=8", "A batch of 8: launches set the pace", true },
		{ "batch=256", "A batch of 256: norms set the pace", false },
		{ "batch=256 fusion=on", "A batch of 256: products set the pace", false },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("inference"), &tables, rows[i].settings);
		const struct bars *b = &fig.blocks[0]->as.bars;
		cr_expect(eq(str, (char *)b->title, (char *)rows[i].title));
		cr_assert(eq(sz, b->n_bars, 4));
		cr_expect(eq(str, (char *)b->bars[0].note, "1x"));
		char times[16];
		double first = 0, last = 0;
		for (size_t part = 0; part < b->n_parts; part++) {
			first += b->bars[0].parts[part];
			last += b->bars[3].parts[part];
		}
		snprintf(times, sizeof times, "%.2gx", first / last);
		cr_expect(eq(str, (char *)b->bars[3].note, times));
		cr_expect(strchr(b->bars[1].note, 'x') != NULL, "%s", b->bars[1].note);
		cr_expect(eq(int, strcmp(b->bars[2].note, "no gain") != 0, rows[i].graph_gains));
		cr_expect(strchr(b->bars[3].note, 'x') != NULL, "%s", b->bars[3].note);
		figure_release(&fig);
	}
}

/* Batches are four times as large from bar to bar, with the one that is set among them and in focus. */
Test(inference, the_batch_that_is_set_is_among_the_batches, .init = load, .fini = release)
{
	static const struct {
		const char *settings;
		size_t n, focus;
	} rows[] = { { "batch=8", 6, 2 }, { "batch=256", 5, 4 }, { "batch=512", 6, 5 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("inference"), &tables, rows[i].settings);
		const struct bars *b = &fig.blocks[1]->as.bars;
		cr_assert(eq(sz, b->n_bars, rows[i].n), "%s", rows[i].settings);
		for (size_t k = 0; k < b->n_bars; k++)
			cr_expect(eq(int, b->bars[k].role == ROLE_ACCENT, k == rows[i].focus));
		figure_release(&fig);
	}
}

/* An A100 has no FP8 units, a V100 none for FP8 and INT8: no engine has such kernels, and nothing is
 * gained, neither time nor bytes. Where there are units there is a gain. */
Test(inference, types_without_kernels_gain_nothing)
{
	static const struct {
		const char *gpu, *type;
		bool units;
	} rows[] = { { "a100", "fp8", false }, { "v100", "int8", false }, { "v100", "fp8", false },
		{ "a100", "int8", true }, { "h100", "fp8", true }, { "t4", "int8", true } };
	static const char *const networks[] = { "resnet50", "bert_large" };
	struct tables t = load_tables();
	for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
		char plain[120], typed[160];
		const char *gpu = rows[i / 2].gpu, *network = networks[i % 2];
		snprintf(plain, sizeof plain, "gpu=%s network=%s batch=64 fusion=on graph=on", gpu,
			network);
		snprintf(typed, sizeof typed, "%s precision=%s", plain, rows[i / 2].type);
		const struct sim *sim = sim_find("inference");
		double half = sim_number(sim, &t, plain, "latency_ms"),
		       less = sim_number(sim, &t, typed, "latency_ms");
		if (rows[i / 2].units)
			cr_expect(lt(dbl, less, 0.9 * half), "%s", typed);
		else {
			cr_expect(epsilon_eq(dbl, less, half, 1e-9 * half), "%s", typed);
			cr_expect(eq(dbl, sim_number(sim, &t, typed, "moved_GB"),
				sim_number(sim, &t, plain, "moved_GB")));
		}
	}
	tables_release(&t);
}

/* What is drawn is not another model: each step of the optimisation takes what its own setting does.
 * The three parts of a bar are the latency where the CPU is waited for or nothing else is. */
static void expect_steps(const char *network)
{
	static const char *const settings[] = { "fusion=off graph=off", "fusion=on graph=off",
		"fusion=on graph=on", "fusion=on graph=on precision=int8" };
	enum { STEPS = sizeof settings / sizeof *settings };
	char all[64];
	snprintf(all, sizeof all, "launch_us=8 network=%s", network);
	struct figure fig = sim_run(sim_find("inference"), &tables, all);
	const struct bars *bars = &figure_block(&fig, BLOCK_BARS, NULL)->as.bars;
	cr_assert(eq(sz, bars->n_bars, STEPS));
	for (size_t i = 0; i < STEPS; i++) {
		char text[160];
		double sum_s = 0, latency_ms;
		snprintf(text, sizeof text, "%s %s", all, settings[i]);
		latency_ms = value_of("latency_ms", text);
		for (size_t k = 0; k < bars->n_parts; k++)
			sum_s += bars->bars[i].parts[k];
		cr_expect(epsilon_eq(dbl, 1e3 * sum_s, latency_ms, 1e-9 * latency_ms), "%s: %g %g",
			settings[i], 1e3 * sum_s, latency_ms);
	}
	/* The one that is set is marked. */
	for (size_t i = 0; i < STEPS; i++)
		cr_expect(eq(int, bars->bars[i].role == ROLE_ACCENT, i == 0));
	figure_release(&fig);
}

Test(inference, each_step_is_its_own_setting, .init = load, .fini = release)
{
	expect_steps("resnet50");
	expect_steps("bert_large");
}

/* --- Language models --- */

#define STEP "network=decoder graph=on "

/* Llama 3 8B: 8.030e9 parameters of 2 B, and of each of 8 sequences 1,024 tokens of 32 x 2 x 8 x
 * 128 numbers. A step is 32 layers of nine kernels (four products, three of norms and gate, two
 * of attention) and two at the end, 290, which take 200 us each to launch. Of 8 experts of
 * Mixtral 2 are chosen by each of 4: 8 (1 - (3/4)^4) are read, of 32 layers, 3 x 4096 x 14336
 * numbers each. */
static const struct sim_row steps[] = {
	{ STEP, "weights_GB", 16.06, 0.01 },
	{ STEP, "cache_GB", 8 * 1024 * 131072 / 1e9, 1e-9 },
	{ STEP, "moved_GB", 16.06 + 1.0737, 0.01 },
	{ STEP "context=0", "cache_GB", 0, 0 },
	{ STEP "precision=int8", "weights_GB", 8.03, 0.01 },
	{ "network=decoder batch=1 launch_us=200", "latency_ms", 290 * 0.2, 0.1 },
	{ STEP "model=mixtral-8x7b batch=4 gpu=h200", "experts_read", 8 * (1 - 81 / 256.), 1e-9 },
	{ STEP "model=mixtral-8x7b batch=4 gpu=h200", "expert_GB",
		8 * (1 - 81 / 256.) * 32 * 3 * 4096 * 14336 * 2 / 1e9, 0.01 },
	{ STEP "model=mixtral-8x7b batch=1 gpu=h200", "experts_read", 2, 1e-9 },
};

Test(inference, a_step_by_hand, .init = load, .fini = release)
{
	expect_rows(sim_find("inference"), &tables, steps, sizeof steps / sizeof *steps);
}

/* gpt-fast on an A100, batch 1 (its README): Llama 2 7B makes 104.9 tokens/s in BF16 and 155.58
 * with weights in INT8, widened to 16 bits on their way, as an A100 does with FP8; both compiled,
 * with CUDA graphs, of short prompts. */
Test(inference, decoding_as_measured, .init = load, .fini = release)
{
	static const struct {
		const char *setting;
		double tokens_per_s;
	} rows[] = { { "precision=fp16", 104.9 }, { "precision=fp8", 155.58 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char setting[160];
		snprintf(setting, sizeof setting,
			STEP "model=llama2-7b gpu=a100 batch=1 context=128 %s", rows[i].setting);
		double got = value_of("throughput", setting);
		cr_expect(epsilon_eq(dbl, got, rows[i].tokens_per_s, 0.05 * rows[i].tokens_per_s),
			"%s: %g", setting, got);
	}
}

/* A step reads no less than a floor of its bytes, more of a batch takes longer, and makes more
 * tokens. */
Test(inference, a_step_grows_with_its_batch, .init = load, .fini = release)
{
	static const char *const models[] = { "llama3-8b", "mixtral-8x7b", "gpt-oss-120b",
		"qwen3-next-80b-a3b", "gemma3-27b" };
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		double ms = 0, rate = 0, read = 0;
		for (int batch = 1; batch <= 256; batch *= 4) {
			char set[160];
			snprintf(set, sizeof set, STEP "gpu=h200 tp=2 model=%s batch=%d", models[i],
				batch);
			double now_ms = value_of("latency_ms", set);
			double gb = value_of("moved_GB", set);
			cr_expect(now_ms >= gb / (2 * 4.8), "%s: %g ms, %g GB", set, now_ms, gb);
			cr_expect(now_ms > ms && value_of("throughput", set) > rate && gb > read,
				"%s", set);
			ms = now_ms;
			rate = value_of("throughput", set);
			read = gb;
		}
	}
}

/* The sentence names what a larger batch would share: nothing of caches, ever more experts,
 * weights. */
Test(inference, a_step_says_what_a_batch_shares, .init = load, .fini = release)
{
	static const struct {
		const char *settings, *says;
	} rows[] = {
		{ STEP "batch=8", "are weights, which the batch shares" },
		{ STEP "gpu=h200 batch=64 context=8192 deadline_ms=0",
			"are caches, which no batch shares" },
		{ STEP "model=mixtral-8x7b gpu=h200 batch=4 context=1024 ",
			"A batch of 4 chooses 5.47 of 8 experts" },
		{ STEP "model=llama3-405b gpu=h100", "does not fit" },
		{ "network=decoder model=llama3.2-1b gpu=h100 batch=1 launch_us=60",
			"; a CUDA graph is" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("inference"), &tables, rows[i].settings);
		cr_expect(
			strstr(fig.why, rows[i].says) != NULL, "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
}
