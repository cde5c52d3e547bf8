/* The stack of optimisations, worked by hand: the template of a simulation's test.
 *
 * The model is written at the top of its file and in its assumptions. A base step of 850 ms in TF32
 * is made of six parts; each technique changes its own parts only:
 *
 *	BF16           matmuls at twice the speed, pointwise kernels with half the bytes
 *	compile        pointwise chains in 1 / 2.5 of the passes, a fifth of the launch gaps left
 *	fused AdamW    28 instead of 56 B a parameter: half the time
 *	checkpointing  forward once more: 4/3 of the matmuls and of the pointwise kernels
 *	accumulation   K times the launches
 *	overlap        what backward (2/3 of the compute) does not cover, at least one bucket of 32
 *	loader         the longer of preparing / workers and the GPU, instead of their sum
 *
 * The rows below were worked from that text and not from the program; what cannot be done in one's
 * head was done on a calculator, and says how beside it. */
#include "sims/figure/sim.h"
#include "sims/registry/registry.h"
#include "sims/training/model_step.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables tables;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	tables = load_tables();
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(stacking, .init = load, .fini = unload);

/* The base step of 850 ms: 28.6 % data 243.1, 44 % matmuls 374, 14 % pointwise 119, 4 % optimizer
 * 34, 4 % launches 34, 5.4 % communication 45.9. */
#define NOTHING "loader=off amp=off compile=off fused_optimizer=off "

#define SHEET                                                                                      \
	"base_ms=850 data_pct=28.6 matmul_pct=44 pointwise_pct=14 optimizer_pct=4 launch_pct=4 "   \
	"comm_pct=5.4 "

/* Another one: data 85, matmuls 442, pointwise 119, optimizer and launches 34, network 136. */
#define NETWORK                                                                                    \
	"base_ms=850 data_pct=10 matmul_pct=52 pointwise_pct=14 optimizer_pct=4 launch_pct=4 "     \
	"comm_pct=16 "

static const struct sim_row steps[] = {
	{ NOTHING, "step_ms", 850, 0 },
	{ NOTHING, "speedup", 1, 0 },
	{ NOTHING, "cost_usd", 50000, 0 },
	/* 243.1 / 8 = 30.4 is less than the GPU's 606.9 and hides behind it */
	{ NOTHING "loader=on", "step_ms", 606.9, 0 },
	{ NOTHING "loader=on workers=1", "step_ms", 606.9, 0 },
	{ NOTHING "amp=on", "step_ms", 243.1 + 187 + 59.5 + 34 + 34 + 45.9, 0 },
	{ NOTHING "compile=on", "step_ms", 243.1 + 374 + 47.6 + 34 + 6.8 + 45.9, 0 },
	{ NOTHING "fused_optimizer=on", "step_ms", 850 - 17, 0 },
	{ NOTHING "checkpointing=on", "step_ms", 850 + 374. / 3 + 119. / 3, 0 },
	{ NOTHING "accumulation=4", "step_ms", 850 + 3 * 34, 0 },
	/* backward is 2/3 of 493: it covers all but the last bucket, 45.9 / 32 */
	{ NOTHING "overlap=on", "step_ms", 850 - 45.9 + 1.434375, 0 },

	/* All four of the defaults: 187 + 23.8 + 17 + 6.8 + 45.9. */
	{ "", "step_ms", 280.5, 0 },
	{ "", "speedup", 850 / 280.5, 0 },
	{ "", "cost_usd", 16500, 0 }, /* 50,000 / 3.0303 */
	/* Seven launches more of 6.8 each: 328.1, and 850 / 328.1. */
	{ "accumulation=8", "step_ms", 328.1, 0 },
	{ "accumulation=8", "speedup", 2.591, 0.0005 },
	{ "compile=off accumulation=8", "step_ms", 187 + 59.5 + 17 + 8 * 34 + 45.9, 0 },
	/* a third of 187 + 23.8 more */
	{ "checkpointing=on", "step_ms", 280.5 + 210.8 / 3, 0 },
	{ "overlap=on", "step_ms", 234.6 + 1.434375, 0 },
	{ "base_ms=1700 base_usd=10000", "step_ms", 561, 0 },
	{ "base_ms=1700 base_usd=10000", "cost_usd", 3300, 0 },
};

/* A step of 1 s, and shares that leave round numbers: data 600, matmuls 200 to 100, pointwise 100
 * to 20, optimizer 40 to 20, launches 40 to 8, communication 20: the GPU takes 168. */
#define ROUND                                                                                      \
	"base_ms=1000 data_pct=60 matmul_pct=20 pointwise_pct=10 optimizer_pct=4 launch_pct=4 "    \
	"comm_pct=2 "

static const struct sim_row loaders[] = {
	{ ROUND "loader=off", "step_ms", 768, 0 },
	{ ROUND "workers=1", "step_ms", 600, 0 },
	{ ROUND "workers=2", "step_ms", 300, 0 },
	{ ROUND "workers=3", "step_ms", 200, 0 },
	{ ROUND "workers=4", "step_ms", 168, 0 }, /* 150: the GPU is the longer */
	{ ROUND "workers=2", "coupled_speedup", 10. / 3, 0 },
	/* Every share ten times: weights, so nothing changes. */
	{ "base_ms=1000 data_pct=6 matmul_pct=2 pointwise_pct=1 optimizer_pct=0.4 launch_pct=0.4 "
	  "comm_pct=0.2 workers=3",
		"step_ms", 200, 0 },
};

/* Communication 90 of 100, matmuls 10: in BF16 backward is 10/3 ms of matmuls at 5, of which 31/32
 * cover communication: 90 - 10/3 x 31/32 = 86.7708, and 5 for the matmuls. */
static const struct sim_row overlaps[] = {
	{ "base_ms=100 data_pct=0 matmul_pct=10 pointwise_pct=0 optimizer_pct=0 launch_pct=0 "
	  "comm_pct=90 overlap=on",
		"step_ms", 5 + 86.7708333333, 1e-6 },
	/* Checkpointing runs forward again within backward: the matmuls are 20/3, backward 40/9. */
	{ "base_ms=100 data_pct=0 matmul_pct=10 pointwise_pct=0 optimizer_pct=0 launch_pct=0 "
	  "comm_pct=90 overlap=on checkpointing=on",
		"step_ms", 20. / 3 + 90 - 40. / 9 * 31 / 32, 0 },
};

/* The product multiplies what is claimed, whatever the parts say. */
static const struct sim_row products[] = {
	{ "", "product_speedup", 3.06544, 0 }, /* 1.4 x 1.7 = 2.38; x 1.15 = 2.737; x 1.12 */
	{ "loader=off", "product_speedup", 2.1896, 0 },
	{ "amp=off", "product_speedup", 1.8032, 0 },
	{ "compile=off", "product_speedup", 2.6656, 0 },
	{ "fused_optimizer=off", "product_speedup", 2.737, 0 },
	{ "overlap=on", "product_speedup", 3.371984, 0 },      /* x 1.1 */
	{ "checkpointing=on", "product_speedup", 2.29908, 0 }, /* x 3/4 */
	{ "accumulation=8", "product_speedup", 3.06544, 0 },
	{ "m_loader=2 m_amp=2 m_compile=2 m_fused=2", "product_speedup", 16, 0 },
	/* "headline from" says which of the two the first three values tell */
	{ "coupling=product", "speedup", 3.06544, 0 },
	{ "coupling=product", "step_ms", 277.285, 0.0005 }, /* 850 / 3.06544 */
	{ "coupling=product", "cost_usd", 16310.9, 0.05 },
	{ "coupling=product", "coupled_speedup", 850 / 280.5, 0 },
	{ "coupling=amdahl", "speedup", 850 / 280.5, 0 },
};

/* 6,738,415,616 parameters at 16 B over 8 GPUs are 13.476831 GB. Activations in BF16 are 34 B for
 * each of 2048 tokens x 4 sequences x 4096 x 32 layers, 36.507222 GB, twice that in FP32; with
 * every layer recomputed 2 B each, 2.147484 GB, and one layer whole, 1.140851 GB. */
static const struct sim_row memories[] = {
	{ "", "memory_GB", 49.984053, 1e-6 },
	{ "amp=off", "memory_GB", 13.476831 + 2 * 36.507222, 2e-6 },
	{ "shards=1", "memory_GB", 107.814650 + 36.507222, 2e-6 },
	{ "accumulation=4", "memory_GB", 13.476831 + 36.507222 / 4, 2e-6 },
	{ "checkpointing=on", "memory_GB", 13.476831 + 2.147484 + 1.140851, 2e-6 },
	{ "batch=8 seq=1024", "memory_GB", 49.984053, 1e-6 },
	{ "batch=8", "memory_GB", 13.476831 + 2 * 36.507222, 2e-6 },
};

static void expect(const struct sim_row rows[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char settings[400];
		snprintf(settings, sizeof settings, "%s%s", SHEET, rows[i].settings);
		struct sim_row row = rows[i];
		row.settings = settings;
		expect_rows(sim_find("stacking"), &tables, &row, 1);
	}
}

Test(stacking, each_technique_changes_its_own_parts)
{
	expect(steps, COUNT(steps));
}

Test(stacking, the_loader_hides_behind_the_gpu_until_it_is_the_longer)
{
	expect(loaders, COUNT(loaders));
}

Test(stacking, overlap_hides_what_backward_covers)
{
	expect(overlaps, COUNT(overlaps));
}

Test(stacking, the_product_is_of_what_was_claimed)
{
	expect(products, COUNT(products));
}

Test(stacking, memory_is_state_and_activations)
{
	expect(memories, COUNT(memories));
}

/* The stack as it grows: 606.9, then 187 + 59.5 for 374 + 119, then 23.8 and 6.8, then 17; 850, 606.9,
 * 360.4, 297.5 and 280.5 ms. */
Test(stacking, the_cascade_adds_a_technique_a_row)
{
	static const char *const labels[] = { "baseline", "+ loader", "+ BF16", "+ compile",
		"+ fused AdamW" };
	/* optimizer and launches are drawn as one: 34 + 34, 34 + 6.8, 17 + 6.8 */
	static const double parts_ms[][5] = {
		{ 243.1, 374, 119, 68, 45.9 },
		{ 0, 374, 119, 68, 45.9 },
		{ 0, 187, 59.5, 68, 45.9 },
		{ 0, 187, 23.8, 40.8, 45.9 },
		{ 0, 187, 23.8, 23.8, 45.9 },
	};
	/* In % faster than the row before, 850 over 606.9 and so on, and the claims. */
	static const double given[][2] = { { 40.06, 40 }, { 68.40, 70 }, { 21.14, 15 },
		{ 6.06, 12 } };
	static const double memory_GB[] = { 86.5, 50 }; /* BF16 alone changes it */
	struct figure fig = sim_run(sim_find("stacking"), &tables, SHEET);
	cr_assert(eq(sz, fig.n_blocks, 3));
	const struct bars *time = &fig.blocks[0]->as.bars, *claims = &fig.blocks[1]->as.bars,
			  *memory = &fig.blocks[2]->as.bars;
	/* and across them what the claims promise: 850 ms / 3.0654 */
	cr_assert(eq(sz, time->n_bars, COUNT(labels)));
	cr_expect(epsilon_eq(dbl, 1e3 * time->limit, 277.3, 0.1));
	cr_assert(eq(sz, memory->n_bars, COUNT(memory_GB)));
	cr_assert(eq(sz, claims->n_bars, COUNT(given)));
	cr_assert(eq(sz, time->n_parts, COUNT(parts_ms[0])));
	for (size_t i = 0; i < COUNT(labels); i++) {
		cr_expect(eq(str, (char *)time->bars[i].label, (char *)labels[i]));
		for (size_t j = 0; j < COUNT(parts_ms[i]); j++)
			cr_expect(epsilon_eq(
				dbl, 1e3 * time->bars[i].parts[j], parts_ms[i][j], 1e-9));
	}
	for (size_t i = 0; i < COUNT(memory_GB); i++)
		cr_expect(epsilon_eq(dbl, memory->bars[i].parts[0] + memory->bars[i].parts[1],
			memory_GB[i], 0.05));
	cr_expect(eq(str, (char *)memory->bars[1].label, "+ BF16"));
	for (size_t i = 0; i < COUNT(given); i++) {
		cr_expect(epsilon_eq(dbl, claims->bars[i].parts[0], given[i][0], 0.01), "%s: %g",
			claims->bars[i].label, claims->bars[i].parts[0]);
		cr_expect(epsilon_eq(dbl, claims->bars[i].mark, given[i][1], 1e-9), "%s: %g",
			claims->bars[i].label, claims->bars[i].mark);
	}
	/* What the step gives comes first. */
	static const char *const notes[] = { "40 %, as claimed", "68 %, not 70 %", "21 %, not 15 %",
		"6.1 %, not 12 %" };
	for (size_t i = 0; i < COUNT(notes); i++)
		cr_expect(eq(str, (char *)claims->bars[i].note, (char *)notes[i]));
	figure_release(&fig);
}

/* The sentence below the figure: which of the two is larger, and by what a part is bounded. */
Test(stacking, says_what_the_claims_are_worth)
{
	static const struct {
		const char *settings, *said;
	} rows[] = {
		{ "", "the product promises 3.07x, the step's parts give 3.03x" },
		/* 1.12 against 850 / 833 */
		{ NOTHING "fused_optimizer=on",
			"Claims multiply to 1.12x, the step gives 1.02x: each speeds up only its "
			"share." },
		/* 1 / (1 - 0.44) */
		{ NOTHING, "Matmuls are 44 % of the step: if they took no time at all, it would be "
			   "1.79x as fast" },
		/* 1.15 against 850 / 751.4 = 1.131: within 2 % */
		{ NOTHING "compile=on", "Each claim fits its share here" },
		/* 1.05 against 1.131 */
		{ NOTHING "compile=on m_compile=1.05",
			"their product is 1.05x, the step's parts give 1.13x" },
		/* two give more than 5 and 60 %, but 3x of the optimizer's 4 % cannot be */
		{ "m_compile=1.05 m_amp=1.6 m_fused=3", "what falls short weighs more" },
		{ ROUND "workers=2", "The loader is the bottleneck again: 2 workers take longer" },
		{ ROUND "workers=1", "1 worker takes longer" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[400];
		snprintf(settings, sizeof settings, "%s%s", SHEET, rows[i].settings);
		struct figure fig = sim_run(sim_find("stacking"), &tables, settings);
		cr_expect(
			strstr(fig.why, rows[i].said) != NULL, "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
}

/* A third of 221 + 23.8 ms more in 850, of $50,000, are $4,800. Activations of 34 and of 2 + 34 / 32
 * times 2,048 x 4 x 4,096 x 32 B are 36.5 and 3.3 GB. */
Test(stacking, says_what_a_gigabyte_costs)
{
	struct figure fig = sim_run(sim_find("stacking"), &tables, NETWORK "checkpointing=on");
	cr_expect(strstr(fig.why, "frees 33.2 GB") != NULL, "%s", fig.why);
	cr_expect(strstr(fig.why, "$4,800 more for the run, $144 for each GB") != NULL, "%s",
		fig.why);
	figure_release(&fig);
}

/* What the screen promises: the claims promise more than the step gives, and the
 * sentence says so first. Data 85, matmuls 442 to 221, pointwise 119 to 23.8, optimizer 34 to 17,
 * launches 34 to 6.8, communication 136: 404.6 of 850 ms are 2.10x, of $50,000 they are $23,800. */
Test(stacking, tells_its_lesson)
{
	static const char *const tabs[] = { "Time", "Claims", "Memory" };
	struct figure fig = sim_run(sim_find("stacking"), &tables, NETWORK);
	cr_expect(strncmp(fig.why, "Claims multiply to 3.07x, the step gives 2.1x", 45) == 0, "%s",
		fig.why);
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "step_ms"), 404.6, 1e-9));
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "cost_usd"), 23800, 1e-6));
	cr_assert(eq(sz, fig.n_blocks, COUNT(tabs)));
	for (size_t i = 0; i < COUNT(tabs); i++)
		cr_expect(eq(str, (char *)block_name(fig.blocks[i]), (char *)tabs[i]));
	cr_expect(fig.blocks[0]->as.bars.means[0] == MEANS_WAITING);
	/* By the claims 850 / (1.4 x 1.7 x 1.15 x 1.12) = 277.3 ms. */
	static const double step_s[] = { 0.850, 0.765, 0.4845, 0.4216, 0.4046 };
	const struct bars *time = &fig.blocks[0]->as.bars;
	cr_assert(eq(sz, time->n_bars, COUNT(step_s)));
	cr_expect(epsilon_eq(dbl, time->limit, 0.2773, 1e-4));
	for (size_t i = 0; i < COUNT(step_s); i++) {
		double sum = 0;
		for (size_t k = 0; k < time->n_parts; k++)
			sum += time->bars[i].parts[k];
		cr_expect(epsilon_eq(dbl, sum, step_s[i], 1e-4));
	}
	/* What a claim gives has no colour of a part of the step. */
	const struct bars *claims = &fig.blocks[1]->as.bars;
	for (size_t i = 0; i < time->n_parts; i++)
		for (size_t k = 0; k < claims->n_parts; k++)
			cr_expect(time->means[i] != claims->means[k]);
	/* Nor has any part of the step one of what lies in memory. */
	const struct bars *memory = &fig.blocks[2]->as.bars;
	for (size_t i = 0; i < time->n_parts; i++)
		for (size_t k = 0; k < memory->n_parts; k++)
			cr_expect(time->means[i] != memory->means[k]);
	cr_expect(zero(dbl, time->bars[0].was));
	cr_expect(epsilon_eq(dbl, 1e3 * time->bars[1].was, 850, 1e-9));
	figure_release(&fig);
}

/* As it opens nothing is typed, and the base step is Llama-2 7B's on 8 A100: 8,192 tokens of
 * 6 x (32 x 202,375,168 + 32,000 x 4,096) FLOP of products and 3 x 32 x 2 x 4,096 x 2,048 of
 * attention are 338 TFLOP, at least 2.17 s at 156 TFLOP/s; kernels reach 70 to 90 % of that. */
Test(stacking, opens_on_a_real_step)
{
	const struct sim *sim = sim_find("stacking");
	struct figure fig = sim_run(sim, &tables, "");
	cr_expect(strncmp(fig.why, "Claims multiply to 3.07x, the step gives", 40) == 0, "%s",
		fig.why);
	double base_ms = figure_number(&fig, "base_step_ms");
	double matmul_ms = base_ms * figure_number(&fig, "base_matmul_pct") / 100;
	cr_expect(matmul_ms > 2167 / 0.9 && matmul_ms < 2167 / 0.7, "%g", matmul_ms);
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "base_data_pct"), 10, 1e-9));
	/* 56 B for each of 6.738 billion parameters over 8 GPUs, at 70 to 100 % of 2,039 GB/s */
	double optimizer_ms = base_ms * figure_number(&fig, "base_optimizer_pct") / 100;
	cr_expect(optimizer_ms > 23.1 && optimizer_ms < 60, "%g", optimizer_ms);
	figure_release(&fig);
	/* Alone there is nothing to send; what is typed stands, and the rest is dealt out beside it. */
	cr_expect(eq(dbl, sim_number(sim, &tables, "shards=1", "base_comm_pct"), 0));
	cr_expect(epsilon_eq(
		dbl, sim_number(sim, &tables, "comm_pct=40", "base_comm_pct"), 40, 1e-9));
	cr_expect(epsilon_eq(
		dbl, sim_number(sim, &tables, "comm_pct=40", "base_data_pct"), 10, 1e-9));
	double alone = sim_number(sim, &tables, "", "base_matmul_pct") /
		       sim_number(sim, &tables, "", "base_pointwise_pct");
	double beside = sim_number(sim, &tables, "comm_pct=40", "base_matmul_pct") /
			sim_number(sim, &tables, "comm_pct=40", "base_pointwise_pct");
	cr_expect(epsilon_eq(dbl, beside, alone, 1e-9));
}

/* Left to the model, the base step is that of its parts, each once: launches are what the model's step
 * has as starts of kernels, and stand apart from the pointwise kernels that they belong to; the
 * optimizer, not yet fused, moves 56 B and not 28. Accumulating in two pays the launches once more. */
Test(stacking, the_models_step_has_each_part_once)
{
	const struct accelerator *g = gpu_find(&tables, "a100");
	const struct step_setup setup = { .model = model_find(&tables, "llama2-7b"),
		.gpu = g,
		.net = network_measured(g->family, 8, g->link_bandwidth, 25e9, 5e-6),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 8,
		.shard = 8,
		.micro_batch = 4,
		.micro_batches = 1,
		.seq = 2048,
		.dtype = DTYPE_TF32,
		.flash = true,
		.bare = 1,
		.loss_share = 1,
		.software.date = SOFTWARE_2023 };
	const struct step_time time = model_step(&setup, 1);
	double s = time.part_s[SPENT_OPTIMIZER];
	for (size_t i = 0; i < N_SPENT; i++)
		s += time.part_s[i];
	const struct sim_row rows[] = {
		{ NOTHING "data_pct=0", "step_ms", 1e3 * s, 1e-6 },
		{ NOTHING "data_pct=0 accumulation=2", "step_ms", 1e3 * (s + time.starts_s), 1e-6 },
	};
	expect_rows(sim_find("stacking"), &tables, rows, COUNT(rows));
}

/* The note at the end of a bar of any block; "": there is no such bar. */
static const char *note_of(const struct figure *fig, const char *block, const char *bar)
{
	for (size_t i = 0; i < fig->n_blocks; i++) {
		const struct block *b = fig->blocks[i];
		if (b->kind != BLOCK_BARS || !strstr(b->as.bars.title, block))
			continue;
		for (size_t k = 0; k < b->as.bars.n_bars; k++)
			if (strcmp(b->as.bars.bars[k].label, bar) == 0)
				return b->as.bars.bars[k].note ? b->as.bars.bars[k].note : "";
	}
	return "";
}

/* With 60 % of the step waiting for data, a loader of plenty makes it 1/0.4 times as fast, 150 % faster.
 * With two workers the loader then holds what the GPU gains: no technique after BF16 changes the step. */
Test(stacking, gains_are_written_as_people_do)
{
	struct figure fig = sim_run(sim_find("stacking"), &tables,
		"data_pct=60 matmul_pct=25 pointwise_pct=8 optimizer_pct=2 launch_pct=2 comm_pct=3 "
		"workers=2");
	cr_expect(eq(str, (char *)note_of(&fig, "What each gives", "+ loader"), "150 %, not 40 %"));
	cr_expect(eq(
		str, (char *)note_of(&fig, "What each gives", "+ fused AdamW"), "0 %, not 12 %"));
	const char *compile = note_of(&fig, "What each gives", "+ compile");
	cr_expect(strncmp(compile, "0 %, not ", 9) == 0, "%s", compile);
	figure_release(&fig);
	/* Without the 85 ms of data matmuls of 374 and pointwise bytes of 119 ms halve: 765 over 518.5 is 48 %
	 * faster, and 765 over 578 without those bytes 32 %. */
	fig = sim_run(sim_find("stacking"), &tables,
		SHEET NOTHING "loader=on amp=on m_amp=1.4 data_pct=10 comm_pct=24");
	cr_expect(eq(str, (char *)note_of(&fig, "What each gives", "+ BF16"),
		"48 %, not 40 %: bytes halve too"));
	figure_release(&fig);
}
