/* A step of training, term by term, and the workloads that MLPerf trains. */
#include "sims/training/training.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static const struct accelerator plain = { .id = "plain",
	.name = "Plain",
	.peak_flops = { [DTYPE_BF16] = 1e15 },
	.memory_bytes = 80e9,
	.bandwidth = 1e12 };

/* 1 MB a sample to and from other GPUs, 16 samples each on 16 GPUs in two nodes: 8 MB of 16 leave
 * at 25 GB/s in 320 us, and their gradients in as many. Fetched a step ahead they go once, and 16 x
 * 15 us of arithmetic hide 240 of the 320. */
Test(training, vectors_of_other_gpus)
{
	for (int prefetched = 0; prefetched < 2; prefetched++) {
		struct training_workload w = { .params = 1,
			.layers = 1,
			.exchange_bytes = 1e6,
			.prefetched = prefetched,
			.gradient_bytes = 1,
			.micro_batch = 1e6 };
		struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
		t.sample_s = 15e-6;
		t.gpus = 16;
		t.global_batch = 256;
		struct training_step r = training_step(&t);
		cr_expect(epsilon_eq(dbl, r.exchange_s, prefetched ? 320e-6 : 640e-6, 1e-9));
		cr_expect(epsilon_eq(dbl, r.exposed_s, prefetched ? 80e-6 : 640e-6, 1e-9));
		cr_expect(epsilon_eq(dbl, r.step_s, r.compute_s + r.exposed_s, 1e-9));
		t.gpus = 1;
		cr_expect(zero(dbl, training_step(&t).exchange_s));
	}
}

/* 6 x 100 FLOP a token for the parameters, and 12 x 2 layers x 3 x 5 tokens = 360 for attention to all
 * others; looking back only, half of that. Five tokens each. */
Test(training, a_mask_halves_attention)
{
	struct training_workload w = { .params = 100, .layers = 2, .hidden = 3, .seq = 5 };
	cr_expect(eq(dbl, workload_flops(&w), 4800));
	w.causal = true;
	cr_expect(eq(dbl, workload_flops(&w), 3900));
}

/* Until somebody says otherwise one GPU trains, with the batch that it holds at once: nothing is sent. */
Test(training, begins_with_one_gpu)
{
	struct training_workload w = { .params = 1e9,
		.layers = 1,
		.flops_per_sample = 1e12,
		.gradient_bytes = 2e9,
		.micro_batch = 4 };
	struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
	t.sample_s = 1e-3;
	cr_expect(eq(dbl, t.gpus, 1));
	cr_expect(epsilon_eq(dbl, training_step(&t).compute_s, 4e-3, 1e-9));
	cr_expect(zero(dbl, training_step(&t).exchange_s));
	cr_expect(eq(dbl, training_step(&t).active_gpus, 1));
}

/* A GPU without a peak in the number format has no share of it. */
Test(training, no_peak_no_mfu)
{
	struct accelerator none = plain;
	struct training_workload w = { .params = 1,
		.layers = 1,
		.flops_per_sample = 1e12,
		.gradient_bytes = 1,
		.micro_batch = 1 };
	struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
	t.sample_s = 4e-3;
	t.gpus = 1;
	t.global_batch = 1;
	/* 1 TFLOP in 4 ms, of 1 PFLOP/s */
	cr_expect(epsilon_eq(dbl, training_step(&t).mfu, 0.25, 1e-6));
	none.peak_flops[DTYPE_BF16] = 0;
	t.gpu = &none;
	cr_expect(isnan(training_step(&t).mfu));
}

/* 8 GPUs share 4 sequences of 1,000 tokens: each computes half of one in 50 us, and in both layers
 * 2 MB of keys and values (500 wide, FP16) are gathered twice and their gradients scattered: half
 * of them at 100 GB/s, 10 us, six times. */
Test(training, sequences_are_shared)
{
	struct training_workload w = { .params = 1,
		.layers = 2,
		.seq = 1000,
		.kv = 500,
		.gradient_bytes = 1,
		.micro_batch = 1,
		.splits_samples = true };
	struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
	t.sample_s = 100e-6;
	t.gpus = 8;
	t.global_batch = 4;
	cr_expect(epsilon_eq(dbl, training_step(&t).compute_s, 110e-6, 1e-10));
	/* the same where each pair is one copy by plan, and takes two sequences one by one */
	t.context = 2;
	t.global_batch = 8;
	cr_expect(epsilon_eq(dbl, training_step(&t).compute_s, 220e-6, 1e-10));
}

/* 20 B through 1 TB/s for each of 1e9 parameters: 20 ms, of which a fourth on each of 4. Adapters
 * of a hundredth of them send and update a hundredth. */
Test(training, what_is_trained_and_where)
{
	struct training_workload w = { .params = 1e9,
		.layers = 1,
		.gradient_bytes = 1,
		.optimizer_bytes = 20,
		.micro_batch = 1 };
	struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
	t.sample_s = 1;
	t.gpus = 4;
	t.global_batch = 4;
	cr_expect(epsilon_eq(dbl, training_step(&t).fixed_s, 20e-3, 1e-9));
	t.strategy = STRATEGY_ZERO1;
	cr_expect(epsilon_eq(dbl, training_step(&t).fixed_s, 5e-3, 1e-9));
	/* a ring of 4: 2 x 3/4 of 1 GB at 100 GB/s */
	cr_expect(epsilon_eq(dbl, training_step(&t).comm_s, 15e-3, 1e-9));
	w.trained = 1e7;
	cr_expect(epsilon_eq(dbl, training_step(&t).fixed_s, 50e-6, 1e-9));
	cr_expect(epsilon_eq(dbl, training_step(&t).comm_s, 150e-6, 1e-9));
}

/* From the widths of the layers. */
Test(training, workloads_of_mlperf)
{
	double bottom = 13 * 512 + 512 * 256 + 256 * 128, over = 1024 * 1024 + 1024 * 512;
	double top = 512 * 256 + 256, word = 32000;
	const struct {
		enum workload_id workload;
		double params;
	} rows[] = {
		{ WORKLOAD_DLRM, bottom + 479 * 1024 + over + top },
		{ WORKLOAD_DLRM_DCNV2, bottom + 3 * 2 * 3456.0 * 512 + 3456 * 1024 + over + top },
		{ WORKLOAD_LLAMA2_70B_LORA,
			80 * 8192.0 * (2 * 8192 + 2 * 1024 + 3 * 28672) + 2 * word * 8192 },
		{ WORKLOAD_LLAMA31_8B,
			32 * 4096.0 * (2 * 4096 + 2 * 1024 + 3 * 14336) + 2 * 128256.0 * 4096 },
		{ WORKLOAD_LLAMA31_405B,
			126 * 16384.0 * (2 * 16384 + 2 * 1024 + 3 * 53248) + 2 * word * 16384 },
		/* two streams of attention, 4 h^2, MLP, 8 h^2, and modulation, 6 h^2; or one with
		 * 3 */
		{ WORKLOAD_FLUX1, (19 * 2 * 18 + 38 * 15) * 3072.0 * 3072 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl, workloads[rows[i].workload].params / rows[i].params, 1,
				  0.01),
			"row %zu", i);
	cr_expect(eq(dbl, workloads[WORKLOAD_LLAMA2_70B_LORA].trained, 44564480));
}

/* DistributedDataParallel's buckets are 25 MB: of 1e9 gradients of 2 B there are 80. A ring of 4
 * sends 2 x 3/4 of 2 GB at 100 GB/s, 30 ms, and backward, two thirds of a second, hides all of it
 * but the last bucket's eightieth. */
Test(training, gradients_travel_in_buckets)
{
	struct training_workload w = {
		.params = 1e9, .layers = 1, .gradient_bytes = 2, .micro_batch = 1
	};
	struct training t = training_defaults(&w, &plain, network_ideal(8, 100e9, 25e9, 0));
	t.sample_s = 1;
	t.gpus = 4;
	t.global_batch = 4;
	struct training_step r = training_step(&t);
	cr_expect(eq(dbl, r.buckets, 80));
	cr_expect(epsilon_eq(dbl, r.comm_s, 30e-3, 1e-12));
	cr_expect(epsilon_eq(dbl, r.exposed_s, 30e-3 / 80, 1e-12));
	/* One gradient more than fills them is a bucket more. */
	w.params = 12.5e6;
	cr_expect(eq(dbl, training_step(&t).buckets, 1));
	w.params = 12.5e6 + 1;
	cr_expect(eq(dbl, training_step(&t).buckets, 2));
	/* Not hidden at all: backward of 20/3 ms covers 79/80 of itself. */
	w.params = 1e9;
	t.sample_s = 10e-3;
	cr_expect(epsilon_eq(
		dbl, training_step(&t).exposed_s, 30e-3 - 10e-3 * 2 / 3 * 79 / 80, 1e-12));
	t.overlap = 0;
	cr_expect(epsilon_eq(dbl, training_step(&t).exposed_s, 30e-3, 1e-12));
}
