/* The marks that the models of serving and memory are held to, on the tables that travel with
 * ridge, and their newer terms worked by hand. */
#include "tests/settings.h"

#include "sims/comparisons/comparisons.h"
#include "sims/published/measured.h"
#include "sims/memory/memory_replay.h"
#include "sims/gpu/convnet.h"
#include "sims/training/model_step.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

TestSuite(marks, .init = load, .fini = release);

/* All marks of a model are met, and there were so many. */
static void expect_marks(const char *id, size_t n)
{
	struct validation v;
	char err[300];

	cr_assert(zero(int, measured_validate_own(
				    &v, measured_model_find(id), &tables, 0, err, sizeof err)),
		"%s", err);
	cr_expect(zero(sz, v.faults.n), "%s: rows were left out", id);
	cr_expect(eq(sz, v.n_verdicts, n), "%s", id);
	for (size_t i = 0; i < v.n_verdicts; i++)
		cr_expect(v.verdicts[i].judged && v.verdicts[i].met, "%s: %s: %g", id,
			v.verdicts[i].text, v.verdicts[i].got);
	validation_release(&v);
}

Test(marks, batch_latency_median_20_pct_and_knee_within_one_power_of_two)
{
	expect_marks("batch_latency", 2);
}

Test(marks, queue_90_pct_within_30_below_90_pct_load_and_little_exact)
{
	expect_marks("queueing", 3);
}

Test(marks, memory_90_pct_within_15_and_of_pipelines_30)
{
	expect_marks("memory", 2);
}

Test(marks, serving_tpot_median_20_pct_ttft_40)
{
	expect_marks("serving", 2);
}

Test(marks, speculative_median_15_pct)
{
	expect_marks("speculative", 1);
}

/* No constant was fitted to the RTX 3090. */
Test(marks, speculative_median_15_pct_on_the_gpu_held_out)
{
	struct validation v;
	char err[300];

	cr_assert(zero(int, measured_validate_own(&v, measured_model_find("speculative"), &tables,
				    0, err, sizeof err)));
	struct error_stats e = validation_errors(&v, "rtx3090");
	cr_expect(eq(sz, e.n, 10));
	cr_expect(le(dbl, e.median, 0.15));
	validation_release(&v);
}

/* At batch 1 the CPU is what takes time. ResNet-50 is 174 kernels: 54 products, 53 norms, 49
 * activations, 16 additions, 2 pools. PyTorch: 174 x 42 us + 3 ms, and 1.5 s over 50,000 images:
 * 10.338 ms; with a cast before each product 54 x 42 us more: 12.606. MXNet: 174 x 11 us + 1.5 ms:
 * 3.414. The last kernel is still to run: some us. */
Test(marks, launches_of_an_eager_step)
{
	static const double constants[] = { 42e-6, 3e-3, 1.5, 11e-6, 1.5e-3 };
	static const struct {
		const char *row;
		double ms;
	} rows[] = { { "PyTorch,V100,FP32,1,10", 10.338 },
		{ "PyTorch,V100,FP16-mixed,1,10", 12.606 }, { "MXNet,V100,FP16-mixed,1,10", 3.414 },
		{ "PyTorch,H100,FP32,1,10", 10.338 } };

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct validation v = { .constants = constants };
		char text[120], err[300];
		int n = snprintf(text, sizeof text,
			"framework,gpu,precision,batch,lat_avg_ms\n%s\n", rows[i].row);
		const struct measured_input in = { "f.csv", text, (size_t)n };
		cr_assert(zero(int, measured_validate(&v, measured_model_find("batch_latency"),
					    &tables, &in, 1, err, sizeof err)));
		cr_assert(eq(sz, v.n, 1));
		double got = v.predictions[0].predicted;
		cr_expect(got > rows[i].ms && got < rows[i].ms + 0.05, "%s: %g", rows[i].row, got);
		validation_release(&v);
	}
}

Test(marks, another_network_is_left_out_of_the_latencies)
{
	static const char text[] = "model,framework,gpu,precision,batch,lat_avg_ms\n"
				   "ResNet-50 v1.5,PyTorch,V100,FP32,1,10\n"
				   "BERT-large,PyTorch,V100,FP32,1,10\n";
	const struct measured_input in = { "f.csv", text, sizeof text - 1 };
	struct validation v = { 0 };
	char err[300];

	cr_assert(zero(int, measured_validate(&v, measured_model_find("batch_latency"), &tables,
				    &in, 1, err, sizeof err)));
	cr_expect(eq(sz, v.rows, 1));
	cr_assert(eq(sz, v.faults.n, 1));
	cr_expect(eq(
		str, v.faults.reasons[0].text, "model: expected ResNet-50, found \"BERT-large\""));
	validation_release(&v);
}

/* 4 outputs of a 3 x 3 are 36 multiplications, or 16 by Winograd's F(2 x 2, 3 x 3), which only
 * stride 1 allows and only CUDA cores use. */
Test(marks, convolutions_on_cuda_cores)
{
	const struct conv_op product = { CONV_PRODUCT, 4096, 512, 4608, 4096, 4096, 512, 0, 0 };
	static const struct {
		double kernel, stride, ratio;
	} rows[] = { { 3, 1, 16. / 36 }, { 3, 2, 1 }, { 1, 1, 1 } };
	const struct accelerator *g = gpu_find(&tables, "v100");
	double launch_s = kernel_efficiency(g).launch_s, bytes;
	double plain_s = conv_op_time_s(g, DTYPE_FP32, &product, 64, false, &bytes);

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct conv_op op = product;
		op.kernel = rows[i].kernel;
		op.stride = rows[i].stride;
		double s = conv_op_time_s(g, DTYPE_FP32, &op, 64, false, &bytes);
		cr_expect(
			epsilon_eq(dbl, (s - launch_s) / (plain_s - launch_s), rows[i].ratio, 1e-9),
			"%zu", i);
	}
}

/* On Tensor Cores reading and writing 64 x 8,192 values of 2 B, and 512 weights, comes on top: at
 * 0.85 of 900 GB/s 1.372 us. */
Test(marks, convolutions_on_tensor_cores)
{
	struct conv_op op = { CONV_PRODUCT, 4096, 512, 4608, 4096, 4096, 512, 0, 0 };
	const struct accelerator *g = gpu_find(&tables, "v100");
	double bytes, product_s = conv_op_time_s(g, DTYPE_FP16, &op, 64, false, &bytes);

	op.kernel = op.stride = 1;
	double s = conv_op_time_s(g, DTYPE_FP16, &op, 64, false, &bytes);
	cr_expect(eq(dbl, bytes, 1049600));
	cr_expect(epsilon_eq(dbl, s - product_s, bytes / (0.85 * 900e9), 1e-12));
	cr_expect(epsilon_eq(dbl, s - product_s, 1.372e-6, 1e-9));
}

static struct memory_setup llama_long(double seq)
{
	return (struct memory_setup){ .model = model_find(&tables, "llama3-8b"),
		.batch = 1,
		.seq = seq,
		.precision = MEMORY_BF16,
		.optimizer = MEMORY_ADAMW,
		.checkpointing = CHECKPOINT_FULL,
		.k = 1,
		.zero = 3,
		.gpus = 8,
		.tp = 1,
		.flash = true,
		.actual = true,
		.fused = true,
		.offload = true,
		.flops_per_s = 400e12,
		.bandwidth = 2e12 };
}

/* 8,030,261,248 weights of 2 B lie on the GPU whole before they are shards: a short step asks for
 * less, a long one for more. */
Test(marks, a_model_that_is_loaded_whole)
{
	struct memory_setup s = llama_long(1024);
	double part = memory_reserved_peak(&s, 141e9);
	s.loads_whole = true;
	cr_expect(lt(dbl, part, 16060522496.));
	cr_expect(eq(dbl, memory_reserved_peak(&s, 141e9), 16060522496.));
	s = llama_long(131072);
	part = memory_reserved_peak(&s, 141e9);
	s.loads_whole = true;
	cr_expect(eq(dbl, memory_reserved_peak(&s, 141e9), part));
}

/* A bucket of 5e8 gradients of 2 B; and 1e9 parameters whole, of which two layers of 218,103,808
 * (without norms, 16,384 of them) were whole already: 2.13 GB, but for rounding to 2 MiB. */
Test(marks, buffers_of_deepspeed)
{
	struct memory_setup s = llama_long(8192);
	double without = memory_reserved_peak(&s, 141e9);
	s.deepspeed = true;
	double more = memory_reserved_peak(&s, 141e9) - without;
	cr_expect(epsilon_eq(dbl, more, 1e9 + 2 * (1e9 - 2 * 218103808.), 20e6));
	s.zero = 2; /* shards gradients only: no such buffers */
	without = memory_reserved_peak(&s, 141e9);
	s.deepspeed = false;
	cr_expect(eq(dbl, memory_reserved_peak(&s, 141e9), without));
}

/* DeepLearningExamples. Sequences a second become tokens of one GPU: of 384 in SQuAD, of 128 in phase
 * 1; in phase 2 of 64 times the number of their bin, which is (1 x 2,863,079 + 2 x 3,150,804 + ... + 8
 * x 4,428,329) / 16,279,552 = 4.362645 on average. Eight A100 with PyTorch's ResNet-50 in FP16 wait for
 * the 16,621 images that their node's CPUs prepare, V100 for half of them; MXNet's for none. */
Test(marks, rates_of_deep_learning_examples)
{
	static const char text[] =
		"model,framework,gpu,precision,n_gpus,batch,accumulation,throughput\n"
		"BERT-large SQuAD,PyTorch,A100-80GB,TF32,8,32,1,469.8\n"
		"BERT-large phase 1,PyTorch,V100-32GB,FP32,1,32,128,50\n"
		"BERT-large phase 2,PyTorch,A100-80GB,FP16,8,32,128,1648\n"
		"ResNet-50,PyTorch,A100-80GB,FP16,8,256,1,16621\n"
		"ResNet-50,PyTorch,V100-16GB,FP16,8,256,1,8322\n"
		"ResNet-50,MXNet,V100-16GB,FP16,8,192,1,10723\n";
	static const double measured[] = { 22550.4, 6400, 206 * 64 * 4.362645, 16621. / 8, 1040.25,
		1340.375 };
	const struct measured_input in = { "f.csv", text, sizeof text - 1 };
	struct validation v = { 0 };
	char err[300];

	cr_assert(zero(int, measured_validate(&v, measured_model_find("training"), &tables, &in, 1,
				    err, sizeof err)),
		"%s", err);
	cr_assert(eq(sz, v.n, COUNT(measured)));
	for (size_t i = 0; i < v.n; i++) {
		const struct prediction *p = &v.predictions[i];
		cr_expect(epsilon_eq(dbl, p->measured, measured[i], 1e-6 * measured[i]), "%zu", i);
		cr_expect(fabs(p->predicted / p->measured - 1) < 0.18, "%zu: %g", i, p->predicted);
		cr_expect(v.groups[p->group].counts == (i < 3), "%zu", i);
	}
	cr_expect(epsilon_eq(dbl, v.predictions[3].predicted, 16621. / 8, 1e-6));
	cr_expect(epsilon_eq(dbl, v.predictions[4].predicted, 16621. / 16, 1e-6));
	cr_expect(v.predictions[5].predicted > 16621. / 16);
	validation_release(&v);
}

/* The step of a row by hand: BERT-large of 30,528 words, 2 x 256 sequences of 128 tokens on each of
 * 128 A100, a network card of 25 GB/s each; scripted, attention in separate kernels, 15 % of the words
 * guessed. */
Test(marks, a_row_of_bert_by_hand)
{
	static const char text[] =
		"model,framework,gpu,precision,n_gpus,batch,accumulation,throughput\n"
		"BERT-large phase 1,PyTorch,A100-80GB,FP16,128,256,2,70555\n";
	const struct measured_input in = { "f.csv", text, sizeof text - 1 };
	const struct accelerator *g = gpu_find(&tables, "a100");
	struct model bert = *model_find(&tables, "bert-large");
	struct validation v = { 0 };
	char err[300];

	bert.vocab = 30528;
	const struct step_setup s = { .model = &bert,
		.gpu = g,
		.net = network_measured("ampere", 8, g->link_bandwidth, 25e9, 5e-6),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 128,
		.shard = 1,
		.micro_batch = 256,
		.micro_batches = 2,
		.seq = 128,
		.dtype = DTYPE_FP16,
		.full = true,
		.sequence_parallel = true,
		.loss_share = 0.15,
		.software.date = SOFTWARE_2021 };
	cr_assert(zero(int, measured_validate(&v, measured_model_find("training"), &tables, &in, 1,
				    err, sizeof err)));
	cr_assert(eq(sz, v.n, 1));
	cr_expect(
		epsilon_eq(dbl, v.predictions[0].predicted, model_step(&s, 1).tokens_per_s, 1e-6));
	validation_release(&v);
}
