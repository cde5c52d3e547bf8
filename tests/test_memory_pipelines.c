/* Memory of pipelines: micro-batches in flight by hand, the published values of Korthikanti et al.
 * (2022), and rows of a user's table. */
#include "tests/settings.h"

#include "sims/comparisons/comparisons.h"
#include "sims/constants.h"
#include "sims/scaling/parallel_plan.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* A GPT whose parameters are 12 h^2 of each layer and one embedding. */
static struct model gpt(double layers, double hidden, double heads, double vocab)
{
	return (struct model){ .id = "gpt",
		.name = "GPT",
		.params = layers * 12 * hidden * hidden + vocab * hidden,
		.layers = layers,
		.hidden = hidden,
		.heads = heads,
		.kv_heads = heads,
		.head_dim = hidden / heads,
		.ffn = 4 * hidden,
		.vocab = vocab };
}

static struct plan_setup pipeline(const struct model *m, double pp, double chunks)
{
	return (struct plan_setup){ .model = m,
		.strategy = PLAN_3D,
		.gpus = pp,
		.tp = 1,
		.pp = pp,
		.cp = 1,
		.zero = 1,
		.schedule = chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B,
		.micro_batches = 8,
		.chunks = chunks,
		.batch = 1,
		.seq = 128,
		.dtype = DTYPE_BF16,
		.software.date = SOFTWARE_2025,
		.sequence_parallel = true };
}

/* 8 layers of width 64 in 4 stages, 128 tokens: a layer keeps 34 x 128 x 64 = 278,528 B of a
 * micro-batch, and stage i of 4 has 4 - i micro-batches of its 2 layers, if there are so many.
 * Interleaved in 2 chunks of one layer, stage i runs 2 (3 - i) + 4 chunks forward before its first
 * backward, and holds one more. */
Test(memory_pipelines, stages_hold_what_is_in_flight)
{
	static const struct {
		double micro_batches, chunks, layers[4];
	} rows[] = { { 8, 1, { 8, 6, 4, 2 } }, { 4, 1, { 8, 6, 4, 2 } }, { 2, 1, { 4, 4, 4, 2 } },
		{ 1, 1, { 2, 2, 2, 2 } }, { 8, 2, { 11, 9, 7, 5 } }, { 4, 2, { 8, 8, 7, 5 } } };
	const struct model m = gpt(8, 64, 4, 1000);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = { 0 };
		struct parallel_plan plan;
		struct plan_setup s = pipeline(&m, 4, rows[i].chunks);
		s.micro_batches = rows[i].micro_batches;
		cr_assert(plan_memory(&s, &plan, &arena));
		for (size_t stage = 0; stage < 4; stage++)
			cr_expect(epsilon_eq(dbl,
					  plan.part_bytes[stage * N_PLAN_PARTS + PLAN_ACTIVATIONS],
					  rows[i].layers[stage] * 278528, 0.5),
				"row %zu, stage %zu", i, stage);
		arena_release(&arena);
	}
}

/* The last stage holds one micro-batch, but 14 B for each of a vocabulary's outputs: with 128 x
 * 100,000 of them (179 MB) it is the fullest, with 100 the first is. */
Test(memory_pipelines, the_fullest_stage_is_told)
{
	static const struct {
		double vocab;
		size_t fullest;
	} rows[] = { { 100000, 3 }, { 100, 0 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = { 0 };
		struct parallel_plan plan;
		const struct model m = gpt(8, 64, 4, rows[i].vocab);
		struct plan_setup s = pipeline(&m, 4, 1);
		double bytes = 0;
		cr_assert(plan_memory(&s, &plan, &arena));
		cr_expect(eq(sz, plan.fullest, rows[i].fullest));
		for (size_t j = 0; j < N_PLAN_PARTS; j++)
			bytes += plan.part_bytes[plan.fullest * N_PLAN_PARTS + j];
		cr_expect(eq(dbl, plan.memory_bytes, bytes));
		arena_release(&arena);
	}
}

/* Korthikanti et al., figure 1, in GiB on a GPU of the first stage: weights and optimizer (18 B a
 * parameter, gradients in FP32; without the embedding), activations without sequence parallelism
 * or recomputation, and with both. 530B and 175B take 3 chunks a stage. */
static const struct {
	double layers, hidden, heads, pp, chunks, batch, state, baseline, selective;
} korthikanti[] = {
	{ 48, 6144, 64, 1, 1, 4, 45.5625, 59.25, 9.5625 },
	{ 96, 12288, 96, 8, 3, 1, 45.5625, 66.84375, 12.3515625 },
	{ 105, 20480, 128, 35, 3, 1, 31.640625, 114.0234375, 23.076171875 },
	{ 128, 25600, 160, 64, 1, 1, 32.958984375, 131.25, 26.5625 },
};

static struct plan_setup published(const struct model *m, size_t row, bool selective)
{
	struct plan_setup s = pipeline(m, korthikanti[row].pp, korthikanti[row].chunks);
	s.tp = 8;
	s.gpus = 8 * s.pp;
	s.micro_batches = 4 * s.pp;
	s.batch = korthikanti[row].batch;
	s.seq = 2048;
	s.software = software_of(MEGATRON_2021);
	s.sequence_parallel = selective;
	s.recompute = selective ? RECOMPUTE_SELECTIVE : RECOMPUTE_NONE;
	s.wide_gradients = true;
	return s;
}

Test(memory_pipelines, korthikanti_2022_figure_1)
{
	enum { VOCABULARY = 51200 };
	for (size_t i = 0; i < COUNT(korthikanti); i++) {
		const struct model m = gpt(korthikanti[i].layers, korthikanti[i].hidden,
			korthikanti[i].heads, VOCABULARY);
		struct arena arena = { 0 };
		struct parallel_plan plan;
		struct plan_setup s = published(&m, i, false);
		cr_assert(plan_memory(&s, &plan, &arena));
		const double *part = plan.part_bytes;
		cr_expect(epsilon_eq(dbl, part[PLAN_ACTIVATIONS] / GIB_BYTES,
				  korthikanti[i].baseline, 1e-9),
			"row %zu", i);
		double state = part[PLAN_WEIGHTS] + part[PLAN_GRADIENTS] + part[PLAN_OPTIMIZER];
		/* The figure counts products alone: norms are less than a thousandth. */
		double embedding = 18. * VOCABULARY * m.hidden / 8;
		cr_expect(epsilon_eq(dbl, (state - embedding) / GIB_BYTES, korthikanti[i].state,
				  1e-3 * korthikanti[i].state),
			"row %zu", i);
		s = published(&m, i, true);
		cr_assert(plan_memory(&s, &plan, &arena));
		/* The figure leaves out the layer that is whole while it runs again. */
		double layer = 34 * s.seq * s.batch * m.hidden / 8;
		cr_expect(epsilon_eq(dbl, (plan.part_bytes[PLAN_ACTIVATIONS] - layer) / GIB_BYTES,
				  korthikanti[i].selective, 1e-9),
			"row %zu", i);
		arena_release(&arena);
	}
}

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

#define MEGATRON_HEAD "model,n_gpus,gbs,mbs,seq,tp,pp,vp,cp,fsdp,recompute,peak_memory_GiB\n"
#define TORCHTITAN_HEAD                                                                            \
	"model,n_gpus,parallelism,local_batch,seq_len,activation_ckpt,mbs,vp,peak_memory_GiB\n"

static void predict(const char *head, const char *rows, double GiB[], size_t n)
{
	struct validation v = { 0 };
	char text[1000], err[300];
	snprintf(text, sizeof text, "%s%s", head, rows);
	const struct measured_input in = { "f.csv", text, strlen(text) };
	cr_assert(zero(int, measured_validate(&v, measured_model_find("memory"), &tables, &in, 1,
				    err, sizeof err)),
		"%s", err);
	cr_assert(eq(sz, v.n, n), "%s", v.faults.n ? v.faults.reasons[0].text : "");
	for (size_t i = 0; i < n; i++)
		GiB[i] = v.predictions[i].predicted;
	validation_release(&v);
}

/* Rows of GPT-3 175B on 64 GPUs: what they differ by is activations of the first stage alone, 34 s h
 * / 8 = 106,954,752 B a layer. Two micro-batches are 24 layers, 8 or more of them 96, three chunks
 * take 28 more, and a second replica takes
 * half of the optimizer's state. */
Test(memory_pipelines, rows_with_megatrons_columns, .init = load, .fini = release)
{
	double GiB[6];
	predict(MEGATRON_HEAD,
		"GPT-3 175B,64,2,1,2048,8,8,,,,,60\n"
		"GPT-3 175B,64,8,1,2048,8,8,n/a,1,0,none,60\n"
		"GPT-3 175B,64,64,1,2048,8,8,1,1,0,,60\n"
		"GPT-3 175B,64,64,1,2048,8,8,3,1,0,,60\n"
		"GPT-3 175B,64,64,1,2048,8,8,3,1,0,selective,60\n"
		"GPT-3 175B,128,128,1,2048,8,8,3,1,0,,60\n",
		GiB, 6);
	double layer = 106954752 / GIB_BYTES;
	cr_expect(epsilon_eq(dbl, GiB[1] - GiB[0], 72 * layer, 1e-6));
	cr_expect(epsilon_eq(dbl, GiB[2], GiB[1], 1e-12));
	cr_expect(epsilon_eq(dbl, GiB[3] - GiB[2], 28 * layer, 1e-6));
	cr_expect(epsilon_eq(dbl, GiB[4] - GiB[3], layer, 1e-6));
	/* Half of the 12 B for each of (12 x 12 h^2 + 50,257 h) / 8, and for norms. */
	double params = (12 * 12 * 12288. * 12288 + 50257 * 12288.) / 8;
	cr_expect(epsilon_eq(dbl, GiB[3] - GiB[5], params * 6 / GIB_BYTES, 0.05));
}

/* Degrees in one cell or in columns of their own are one job; a blank micro-batch is a sequence. */
Test(memory_pipelines, one_job_in_two_shapes, .init = load, .fini = release)
{
	double megatron[3], torchtitan[3];
	predict(MEGATRON_HEAD,
		"Llama 3.1 405B,512,256,4,8192,8,8,,,,full,80\n"
		"Llama 3.1 405B,512,256,4,8192,8,8,2,,,full,80\n"
		"Llama 3.1 405B,512,8,1,262144,8,8,,8,,full,80\n",
		megatron, 3);
	predict(TORCHTITAN_HEAD,
		"Llama 3.1 405B,512,FSDP8 TP8 PP8,32,,full AC,4,,80\n"
		"Llama 3.1 405B,512,TP8 PP8,32,,full AC,4,2,80\n"
		"Llama 3.1 405B,512,\"FSDP 1, TP 8, PP 8, CP 8\",8,262144,full AC,,,80\n",
		torchtitan, 3);
	for (size_t i = 0; i < 3; i++)
		cr_expect(epsilon_eq(dbl, megatron[i], torchtitan[i], 1e-9), "row %zu", i);
}

Test(memory_pipelines, rows_that_cannot_be_dealt, .init = load, .fini = release)
{
	static const struct {
		const char *head, *row, *why;
	} rows[] = {
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,64,1,8192,1,64,,,,,60",
			"expected a layer at least in each chunk of each stage" },
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,64,1,8192,1,8,5,,,,60",
			"expected a layer at least in each chunk of each stage" },
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,64,1,8192,8,3,,,,,60",
			"expected degrees whose product divides n_gpus" },
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,64,1,8192,4,2,,,16,,60",
			"expected degrees whose product divides n_gpus" },
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,60,8,8192,8,4,,,,,60",
			"expected a batch of whole micro-batches" },
		{ MEGATRON_HEAD, "Llama 3.1 8B,64,64,1,8192,8,4,,,,some,60",
			"recompute: expected full, sel, none or a blank cell" },
		{ TORCHTITAN_HEAD, "Llama 3.1 8B,64,FSDP8 PP8,3,8192,full AC,2,,60",
			"expected a batch of whole micro-batches" },
		{ TORCHTITAN_HEAD, "Llama 3.1 8B,512,FSDP8 PP64,64,8192,full AC,,,60",
			"expected a layer at least in each chunk of each stage" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct validation v = { 0 };
		char text[400], err[300];
		snprintf(text, sizeof text, "%s%s\n", rows[i].head, rows[i].row);
		const struct measured_input in = { "f.csv", text, strlen(text) };
		cr_assert(zero(int, measured_validate(&v, measured_model_find("memory"), &tables,
					    &in, 1, err, sizeof err)),
			"%s", err);
		cr_expect(zero(sz, v.rows), "%s", rows[i].row);
		cr_assert(eq(sz, v.faults.n_reasons, 1));
		cr_expect(eq(str, v.faults.reasons[0].text, (char *)rows[i].why));
		validation_release(&v);
	}
}
