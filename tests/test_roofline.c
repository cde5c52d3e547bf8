/* The roofline simulation: the ridges of the datasheets, the layer of the sheet, and both ends of
 * every knob. */
#include "tests/sim_run.h"
#include "tests/settings.h"
#include "sims/registry/registry.h"
#include "sims/base/rng.h"
#include "sims/figure/sim.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

extern const struct sim roofline_sim;

static struct tables load(void)
{
	struct tables t = { 0 };
	char err[200];
	cr_assert(tables_load(&t, err, sizeof err) == 0, "%s", err);
	return t;
}

/* A headline value under settings (NULL-terminated); NAN where the figure has no such value. */
static double value(const struct tables *t, const char *const settings[], const char *id)
{
	double v[MAX_KNOBS];
	char err[200];
	sim_defaults(&roofline_sim, t, v);
	for (size_t i = 0; settings[i]; i++)
		cr_assert(sim_read_setting(&roofline_sim, t, settings[i], v, err, sizeof err) == 0,
			"%s: %s", settings[i], err);
	struct figure fig = { 0 };
	roofline_sim.run(t, v, &fig);
	const struct value *found = figure_find(&fig, id);
	double got = found ? found->value : NAN;
	figure_release(&fig);
	return got;
}
#define VALUE(id, ...) value(&t, (const char *const[]){ __VA_ARGS__, NULL }, id)

Test(roofline, ridges_of_the_datasheets)
{
	static const struct {
		const char *gpu;
		double ridge;
	} rows[] = { { "gpu=a100", 153.0 }, { "gpu=a100-40", 200.6 }, { "gpu=h100", 295.3 },
		{ "gpu=h200", 206.1 } };
	struct tables t = load();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = VALUE("ridge", rows[i].gpu, "ceiling=datasheet");
		cr_expect(epsilon_eq(dbl, got, rows[i].ridge, 0.15), "%s: %g", rows[i].gpu, got);
	}
	/* The V100 has no BF16, so FP16 does the work: 125 TFLOP/s over 900 GB/s. */
	cr_expect(epsilon_eq(dbl, VALUE("ridge", "gpu=v100", "ceiling=datasheet"), 138.9, 0.05));
	cr_expect(
		epsilon_eq(dbl, VALUE("peak_tflops", "gpu=a100", "ceiling=datasheet"), 312, 1e-9));
	double bandwidth = VALUE("bandwidth_TBps", "gpu=a100", "ceiling=datasheet");
	cr_expect(epsilon_eq(dbl, bandwidth, 2.039, 1e-9));
	tables_release(&t);
}

Test(roofline, layer_of_the_sheet)
{
	static const struct {
		const char *id;
		double intensity, tolerance;
	} rows[] = {
		{ "intensity_qkv", 2234.2, 0.05 },
		{ "intensity_qk_t", 113.8, 0.05 },
		{ "intensity_attn_v", 113.8, 0.05 },
		{ "intensity_softmax", 1.25, 1e-9 },
		{ "intensity_out_proj", 1638.4, 0.05 },
		{ "intensity_layernorm", 1.0 / 3, 1e-9 },
		{ "intensity_ffn_up", 2340.6, 0.05 },
		{ "intensity_ffn_down", 2340.6, 0.05 },
	};
	struct tables t = load();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = VALUE(rows[i].id, "gpu=a100");
		cr_expect(epsilon_eq(dbl, got, rows[i].intensity, rows[i].tolerance), "%s: %g",
			rows[i].id, got);
	}
	cr_expect(epsilon_eq(dbl, VALUE("intensity_flash", "attention=flash"), 1024, 1e-9));
	double causal = VALUE("intensity_flash", "attention=flash", "causal=on");
	cr_expect(epsilon_eq(dbl, causal, 512, 0.5));
	/* Norms, scores, softmax, values, residuals and GELU wait for memory; the four products do
	 * not. */
	cr_expect(epsilon_eq(dbl, VALUE("memory_bound_ops", "gpu=a100"), 6, 0));
	tables_release(&t);
}

/* F1.3: with T tokens a d x d weight does 2 T / (2 + 4 T / d) per byte: T = 1 gives 0.9995. */
Test(roofline, decode_reads_weights_for_few_tokens)
{
	struct tables t = load();
	double one = VALUE("intensity_out_proj", "phase=decode", "batch=1");
	cr_expect(epsilon_eq(dbl, one, 0.9995, 0.0001));
	double many = VALUE("intensity_out_proj", "phase=decode", "batch=64");
	cr_expect(epsilon_eq(dbl, many, 62.06, 0.01));
	/* Attention reads the keys of each sequence: 1 FLOP/B, and 8 where 8 heads share them. */
	double mha = VALUE("intensity_flash", "phase=decode", "attention=flash");
	double gqa = VALUE("intensity_flash", "phase=decode", "attention=flash", "gqa=8");
	cr_expect(epsilon_eq(dbl, mha, 1, 0.01));
	cr_expect(epsilon_eq(dbl, gqa, 8, 0.1));
	tables_release(&t);
}

/* Flash attention over 1,024 tokens does 512 FLOP/B. It runs in BF16, and so is right of the H100's
 * ridge of 295, though it would be left of the ridge in FP8 (591). Only norms, residuals and GELU
 * wait for memory. */
Test(roofline, attention_is_judged_by_its_own_peak)
{
	struct tables t = load();
	double bound = VALUE("memory_bound_ops", "gpu=h100", "dtype=fp8", "attention=flash",
		"seq=1024", "ceiling=datasheet");
	cr_expect(eq(dbl, bound, 3));
	tables_release(&t);
}

Test(roofline, ones_own_point)
{
	struct tables t = load();
	cr_expect(isnan(VALUE("intensity_own", "flops=1e12")));
	cr_expect(eq(dbl, VALUE("intensity_own", "flops=1", "bytes=4"), 0.25));
	cr_expect(epsilon_eq(dbl, VALUE("intensity_own", "flops=1e12", "bytes=1e9"), 1000, 1e-9));
	/* 1 TFLOP takes its time at 312 TFLOP/s; 1 GFLOP with 2.039 GB takes 1 ms of the
	 * bandwidth. */
	double compute = VALUE("own_ms", "flops=1e12", "bytes=1e9", "ceiling=datasheet");
	cr_expect(epsilon_eq(dbl, compute, 3.205, 0.001));
	double memory = VALUE("own_ms", "flops=1e9", "bytes=2.039e9", "ceiling=datasheet");
	cr_expect(epsilon_eq(dbl, memory, 1, 1e-9));
	tables_release(&t);
}

/* 1 GFLOP over 1 GB lies left of the A100's ridge of 153 FLOP/B and reaches 2.039 TFLOP/s. */
Test(roofline, the_sentence_speaks_of_ones_own_point)
{
	static const struct {
		const char *flops, *bytes, *says;
	} rows[] = {
		{ "flops=1e9", "bytes=1e9",
			"Memory bounds your point: 1 FLOP/B lie left of the ridge at 153, so that "
			"it reaches 2.04 of 312 TFLOP/s at best." },
		{ "flops=1e12", "bytes=1e9",
			"Arithmetic bounds your point: 1,000 FLOP/B lie right" },
		{ "flops=none", "bytes=none", "FlashAttention leaves 3." },
	};
	struct tables t = load();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double v[MAX_KNOBS];
		char err[200];
		struct figure fig = { 0 };
		sim_defaults(&roofline_sim, &t, v);
		cr_assert(sim_read_setting(&roofline_sim, &t, rows[i].flops, v, err, sizeof err) ==
			  0);
		cr_assert(sim_read_setting(&roofline_sim, &t, rows[i].bytes, v, err, sizeof err) ==
			  0);
		roofline_sim.run(&t, v, &fig);
		bool said = strstr(fig.why, rows[i].says) != NULL;
		cr_expect(said, "%s", fig.why);
		figure_release(&fig);
	}
	tables_release(&t);
}

Test(roofline, fusing_and_the_better_machine_never_cost_time)
{
	struct tables t = load();
	static const char *const ceilings[] = { "ceiling=datasheet", "ceiling=achieved" };
	for (size_t i = 0; i < 2; i++) {
		double plain = VALUE("layer_ms", "gpu=a100", ceilings[i]);
		double flash = VALUE("layer_ms", "gpu=a100", "attention=flash", ceilings[i]);
		double fused = VALUE("layer_ms", "gpu=a100", "fusion=on", ceilings[i]);
		double h100 = VALUE("layer_ms", "gpu=h100", ceilings[i]);
		cr_expect(flash < plain && fused < plain && h100 < plain, "%s", ceilings[i]);
	}
	double ideal = VALUE("layer_ms", "ceiling=datasheet");
	cr_expect(lt(dbl, ideal, VALUE("layer_ms", "ceiling=achieved")));
	tables_release(&t);
}

static void expect_sound(const struct tables *t, const double v[], const char *what)
{
	struct figure fig = { 0 };
	roofline_sim.run(t, v, &fig);
	cr_expect(fig.arena.failed == false && fig.n_blocks >= 3 && fig.why && fig.subtitle, "%s",
		what);
	for (size_t i = 0; i < fig.n_values; i++)
		cr_expect(isfinite(fig.values[i].value) && fig.values[i].value >= 0, "%s: %s is %g",
			what, fig.values[i].id, fig.values[i].value);
	figure_release(&fig);
}

static double any_value(struct rng *r, const struct knob *k, const struct tables *t)
{
	size_t n = knob_choices(k, t);
	if (n)
		return (double)rng_below(r, n);
	double x = k->min > 0 ? k->min * pow(k->max / k->min, rng_uniform(r))
			      : k->max * pow(rng_uniform(r), 8);
	return k->integer ? floor(x) : x;
}

Test(roofline, every_setting_gives_a_sound_figure, .description = "long")
{
	struct tables t = load();
	double v[MAX_KNOBS];
	for (size_t i = 0; i < roofline_sim.n_knobs; i++) {
		const struct knob *k = &roofline_sim.knobs[i];
		size_t n = knob_choices(k, &t);
		sim_defaults(&roofline_sim, &t, v);
		v[i] = n ? 0 : k->min;
		expect_sound(&t, v, k->id);
		v[i] = n ? (double)n - 1 : k->max;
		expect_sound(&t, v, k->id);
		cr_expect(k->help && *k->help, "%s says nothing", k->id);
	}
	struct rng r = rng_stream(1, "roofline", 0);
	for (int i = 0; i < 300; i++) {
		for (size_t j = 0; j < roofline_sim.n_knobs; j++)
			v[j] = any_value(&r, &roofline_sim.knobs[j], &t);
		expect_sound(&t, v, "a random setting");
	}
	tables_release(&t);
}

/* One layer of 4 x 2048 tokens, width 4096, FFN 16384, on an A100 by its datasheet, 312 TFLOP/s and
 * 2.039 TB/s. The products, in ms at 312 TFLOP/s: QKV 824.634 GFLOP, 2.64306; output 274.878,
 * 0.88102; FFN up and down 1099.512 each, 3.52408. Flash attention 274.878, 0.88102. What is bound
 * by bytes: two norms of 402.653 MB, 0.19748 each; two residuals of 201.327 MB, 0.09874 each; GELU
 * 536.871 MB, 0.26330. Together 12.30897 ms. Backward takes twice that, and another half of the
 * attention's 0.88102, since it has five products instead of two. Unfused attention has two
 * products of 1.20796 GB, 0.59243 ms each, and a softmax of 2.14748 GB, 1.05320. */
static const struct sim_row shown[] = {
	{ "ceiling=datasheet", "ridge", 312 / 2.039, 0 },
	{ "ceiling=datasheet attention=flash", "layer_ms", 12.30897, 0.0001 },
	{ "ceiling=datasheet attention=flash", "backward_ms", 2 * 12.30897 + 0.5 * 0.88102,
		0.0002 },
	{ "ceiling=datasheet", "layer_ms", 12.30897 - 0.88102 + 2 * 0.59243 + 1.05320, 0.0001 },
	{ "ceiling=datasheet", "backward_ms", 2 * (12.30897 - 0.88102 + 2 * 0.59243 + 1.05320),
		0.0002 },
	{ "ceiling=datasheet attention=flash", "memory_bound_ops", 3, 0 },
};

Test(roofline, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("roofline"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* What the screen promises: being bound by memory has one colour in the plot and in the bars, and
 * is no alarm. */
Test(roofline, one_bound_has_one_colour)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("roofline"), &t, "");
	const struct plot *p = &fig.blocks[0]->as.plot;
	const struct bars *share = &fig.blocks[1]->as.bars, *b = &fig.blocks[2]->as.bars;
	cr_assert(fig.blocks[0]->kind == BLOCK_PLOT && fig.blocks[1]->kind == BLOCK_BARS &&
		  fig.blocks[2]->kind == BLOCK_BARS);
	cr_expect(share->means[0] == b->means[0] && share->means[1] == b->means[1]);
	size_t found = 0;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < b->n_parts; k++)
			if (strstr(p->series[i].name, b->part_names[k])) { /* "6 memory-bound" */
				cr_expect(p->series[i].meaning == b->means[k]);
				found++;
			}
	cr_expect(eq(sz, found, 2));
	for (size_t i = 0; i < fig.n_values; i++)
		cr_expect(fig.values[i].role != ROLE_BAD, "%s", fig.values[i].id);
	figure_release(&fig);
	tables_release(&t);
}

/* LayerNorm, residual add, softmax and GELU have a few FLOP/B, the two products of attention 114, all
 * left of the ridge at 153: six of ten. Of 8,192 tokens they move 6.31 GB, 3.09 ms at 2.039 TB/s; the four
 * weight products do 24 x 8,192 x 4,096 x 4,096 FLOP, 10.57 ms at 312 TFLOP/s. */
Test(roofline, opens_on_its_lesson)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(sim_find("roofline"), &t, "");
	cr_expect(eq(str, (char *)fig.values[0].id, "memory_time_pct"));
	cr_expect(epsilon_eq(dbl, fig.values[0].value, 22.6, 0.1));
	cr_expect(eq(dbl, figure_number(&fig, "memory_bound_ops"), 6));
	const char *said =
		"6 of 10 operations wait for memory (22.6 % of time). FlashAttention leaves 3.";
	cr_expect(strncmp(fig.why, said, strlen(said)) == 0, "%s", fig.why);
	figure_release(&fig);
	/* A flash kernel writes no scores: of eight operations those three wait that compute little. */
	fig = sim_run(sim_find("roofline"), &t, "attention=flash");
	said = "3 of 8 operations wait for memory (";
	cr_expect(strncmp(fig.why, said, strlen(said)) == 0, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}
