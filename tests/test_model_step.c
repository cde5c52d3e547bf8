/* The model of a training step: its counts by hand, its parts against its whole, and rows of
 * published tables. */
#include "sims/training/model_step.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables facts;

static void load(void)
{
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(model_step, .init = load, .fini = unload);

static struct step_setup setup(const char *model, const char *gpu)
{
	const struct accelerator *g = gpu_find(&facts, gpu);
	return (struct step_setup){ .model = model_find(&facts, model),
		.gpu = g,
		.net = network_measured(g->family, 8, g->link_bandwidth, 25e9, 5e-6),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 1,
		.shard = 1,
		.micro_batch = 1,
		.micro_batches = 1,
		.seq = 4096,
		.dtype = DTYPE_BF16,
		.flash = true,
		.sequence_parallel = true,
		.loss_share = 1,
		.software.date = SOFTWARE_2023 };
}

/* Llama-2 7B: 4 x 4096^2 + 3 x 4096 x 11008 weights a layer, 32 of them, 32,000 words. */
Test(model_step, counts_of_llama2_7b)
{
	struct step_setup s = setup("llama2-7b", "a100");
	cr_expect(eq(dbl, layer_product_params(s.model), 202375168));
	/* 6 x (32 x 202,375,168 + 32,000 x 4,096) and 3 x 32 x 2 x 4,096 x 4,096 */
	cr_expect(eq(dbl, model_flops_per_token(&s), 42863689728.0));
	struct step_work w = step_work_of(&s);
	cr_expect(eq(dbl, w.layer.params, 202375168));
	/* 10 x 4,096 of the stream, 3 x 11,008, rotary 2 x 64 x 128, of 2 B each */
	cr_expect(eq(dbl, w.layer.pointwise_bytes, 2.0 * 4096 * (40960 + 33024 + 16384)));
	/* 16 B a logit */
	cr_expect(eq(dbl, w.loss_bytes, 16.0 * 4096 * 32000));
	/* 44 B of each of 32 layers, the embedding and the head */
	cr_expect(eq(dbl, w.optimizer_bytes, 44 * (32 * 202375168.0 + 2 * 131072000.0)));
	cr_expect(eq(dbl, w.exchange_s, 0));
	cr_expect(eq(dbl, w.transfer_s, 0));
	cr_expect(eq(dbl, w.layer.rounding_bytes, 0));
	/* An A100 computes FP8 weights in BF16 and rounds nothing; an H100 does, 6 B for each input
	 * of a product: 2 x 4,096, 4,096, 11,008. */
	s.dtype = DTYPE_FP8;
	cr_expect(eq(dbl, step_work_of(&s).layer.rounding_bytes, 0));
	s.gpu = gpu_find(&facts, "h100");
	cr_expect(
		eq(dbl, step_work_of(&s).layer.rounding_bytes, 6.0 * 4096 * (8192 + 4096 + 11008)));
}

/* A tensor group of 8 leaves each GPU an eighth of the weights; beyond 8 KV heads they are copied. */
Test(model_step, a_tensor_group_shares)
{
	struct step_setup s = setup("llama3-70b", "h100");
	double whole = step_work_of(&s).layer.params;
	cr_expect(eq(dbl, whole, layer_product_params(s.model)));
	s.tp = 8;
	cr_expect(eq(dbl, step_work_of(&s).layer.params, whole / 8));
	s.tp = 16;
	/* one KV head of 128 on each of 16 GPUs, where half of one would do: 2 x 8,192 x 64 more */
	cr_expect(eq(dbl, step_work_of(&s).layer.params, whole / 16 + 2 * 8192 * 64.0));
}

/* A sum is a scatter and a gather. ZeRO-1 does each once a step; ZeRO-2, which keeps no whole
 * gradients, scatters after every one of 5 micro-batches: 5 scatters and a gather, three sums. No
 * step is faster for it. */
Test(model_step, zero2_pays_for_every_micro_batch)
{
	struct step_setup s = setup("llama3-8b", "h100");
	s.dp = 64;
	s.micro_batches = 5;
	s.shard_optimizer = true;
	double once_s = step_work_of(&s).exchange_s, step_s = model_step(&s, 1).step_s;
	cr_expect(once_s > 0);
	s.shard_gradients = true;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).exchange_s, 3 * once_s, 1e-12));
	cr_expect(model_step(&s, 1).step_s > step_s);
	/* With one micro-batch the two are the same. */
	s.micro_batches = 1;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).exchange_s, once_s, 1e-12));
}

/* The parts are the step, and none is less than nothing. */
Test(model_step, parts_add_up)
{
	static const struct {
		double tp, pp, cp, dp, shard, chunks, micro_batches;
		enum recompute recompute;
		struct software software;
		bool flash;
	} rows[] = {
		{ 1, 1, 1, 1, 1, 1, 1, RECOMPUTE_NONE, { SOFTWARE_2023 }, true },
		{ 1, 1, 1, 64, 64, 1, 4, RECOMPUTE_FULL, { SOFTWARE_2023 }, true },
		{ 8, 8, 1, 1, 1, 5, 32, RECOMPUTE_NONE, { SOFTWARE_2025 }, true },
		{ 8, 8, 2, 8, 1, 1, 16, RECOMPUTE_SELECTIVE, { SOFTWARE_2021, .fused = true },
			false },
		{ 2, 1, 1, 32, 8, 1, 2, RECOMPUTE_SELECTIVE, { SOFTWARE_2025 }, true },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_setup s = setup("llama3-70b", "h100");
		s.tp = rows[i].tp;
		s.pp = rows[i].pp;
		s.cp = rows[i].cp;
		s.dp = rows[i].dp;
		s.shard = rows[i].shard;
		s.micro_batches = rows[i].micro_batches;
		s.recompute = rows[i].recompute;
		s.software = rows[i].software;
		s.flash = rows[i].flash;
		struct step_time t = model_step(&s, rows[i].chunks);
		double sum = 0;
		for (size_t k = 0; k < N_SPENT; k++) {
			cr_expect(ge(dbl, t.part_s[k], -1e-12), "%zu: part %zu is %g", i, k,
				t.part_s[k]);
			sum += t.part_s[k];
		}
		cr_expect(epsilon_eq(dbl, sum, t.step_s, 1e-9 * sum));
		cr_expect(lt(dbl, 0, t.mfu));
		cr_expect(lt(dbl, t.mfu, 1), "%zu: MFU %g", i, t.mfu);
	}
}

/* 1F1B of p equal stages takes (m + p - 1) of a stage's micro-batch: with 80 layers on 8 stages, 16
 * micro-batches and no vocabulary to speak of, the bubble is 7 of 16. */
Test(model_step, the_bubble_of_equal_stages)
{
	struct model even = *model_find(&facts, "llama3-70b");
	even.vocab = 1;
	struct step_setup s = setup("llama3-70b", "h100");
	s.model = &even;
	s.pp = 8;
	s.micro_batches = 16;
	struct step_work w = step_work_of(&s);
	w.transfer_s = w.embedding_bytes = w.loss_bytes = w.head_s = 0;
	struct step_time t = step_time_of(&s, &w, 1, NULL);
	double stage_s = 10 * (t.forward_s + t.backward_s);
	cr_expect(epsilon_eq(dbl, t.part_s[SPENT_PIPELINE], 7 * stage_s, 1e-9));
	cr_expect(epsilon_eq(dbl, t.step_s, 23 * stage_s + t.optimizer_s, 1e-9));
	/* five chunks a stage: a fifth of it */
	t = step_time_of(&s, &w, 5, NULL);
	cr_expect(epsilon_eq(dbl, t.part_s[SPENT_PIPELINE], 7 * stage_s / 5, 1e-9));
}

/* Published steps, seconds. Korthikanti et al. (2022), table 5: GPT-3 of 175B on 64 A100, micro-batch
 * 1 of 64, three chunks: 18.13 s with everything again, 13.75 with attention again and sequences cut.
 * torchtitan: Llama 3.1 8B, 8,192 tokens, on 8 H100 of 500 W, 6,667 tokens/s compiled. The marks ask
 * for 12 %. */
Test(model_step, published_steps)
{
	struct step_setup s = setup("gpt3-175b", "a100");
	s.tp = s.pp = 8;
	s.micro_batches = 64;
	s.seq = 2048;
	s.software = software_of(MEGATRON_2021);
	s.flash = false;
	s.sequence_parallel = false;
	s.recompute = RECOMPUTE_FULL;
	cr_expect(epsilon_eq(dbl, model_step(&s, 3).step_s, 18.13, 0.12 * 18.13));
	s.sequence_parallel = true;
	s.recompute = RECOMPUTE_SELECTIVE;
	cr_expect(epsilon_eq(dbl, model_step(&s, 3).step_s, 13.75, 0.12 * 13.75));

	struct accelerator card = *gpu_find(&facts, "h100-96");
	card.power_w = 500;
	card.bandwidth = 2.4e12;
	s = setup("llama3-8b", "h100");
	s.gpu = &card;
	s.dp = s.shard = 8;
	s.micro_batch = 2;
	s.seq = 8192;
	s.recompute = RECOMPUTE_SELECTIVE;
	s.wide_gradients = true;
	s.software.fused = true;
	cr_expect(epsilon_eq(dbl, model_step(&s, 1).tokens_per_s, 6667, 0.12 * 6667));
}

/* What helps: newer software, a link, power; what costs: running forward again. */
Test(model_step, what_helps_and_what_costs)
{
	struct step_setup s = setup("llama3-8b", "h100");
	s.dp = s.shard = 64;
	s.micro_batch = 2;
	struct step_setup other = s;
	double base = model_step(&s, 1).step_s;
	other.software.date = SOFTWARE_2025;
	cr_expect(lt(dbl, model_step(&other, 1).step_s, base));
	other = s;
	other.net = network_measured("hopper", 8, s.gpu->link_bandwidth, 50e9, 5e-6);
	cr_expect(lt(dbl, model_step(&other, 1).step_s, base));
	other = s;
	other.software.fused = true;
	cr_expect(lt(dbl, model_step(&other, 1).step_s, base));
	other = s;
	other.recompute = RECOMPUTE_SELECTIVE;
	double selective = model_step(&other, 1).step_s;
	other.recompute = RECOMPUTE_FULL;
	cr_expect(lt(dbl, base, selective));
	cr_expect(lt(dbl, selective, model_step(&other, 1).step_s));
	struct accelerator held = *s.gpu;
	held.power_w = 350;
	other = s;
	other.gpu = &held;
	cr_expect(lt(dbl, base, model_step(&other, 1).step_s));
}

/* BERT-large in FP32: values of 4 B. A token of an encoder meets the whole sequence, and its 16
 * scores with each token move ten times, with a mask of a byte; Megatron's own kernels move them six
 * times. The stream is 10 x 1,024 and 2 x 4,096, and 4 x 1,024 of dropout's masks that stay as they
 * are. */
Test(model_step, wide_values_and_whole_scores)
{
	struct step_setup s = setup("bert-large", "v100");
	s.seq = 512;
	s.flash = false;
	s.full = true;
	s.dtype = DTYPE_FP32;
	double scores = 512. * 512 * 16;
	cr_expect(eq(dbl, step_work_of(&s).layer.score_bytes, (10 * 4 + 1) * scores));
	cr_expect(eq(dbl, step_work_of(&s).layer.pointwise_bytes,
		512. * (4 * (10 * 1024 + 2 * 4096) + 2 * 4096)));
	s.software.fused = true;
	cr_expect(eq(dbl, step_work_of(&s).layer.score_bytes, (6 * 4 + 1) * scores));
	s.dtype = DTYPE_FP16;
	cr_expect(eq(dbl, step_work_of(&s).layer.score_bytes, (6 * 2 + 1) * scores));
}

/* As many sequences of 128 and of 384 tokens: 256 on average, and a token meets
 * (128^2 + 384^2) / 512 = 320 of them. */
Test(model_step, sequences_of_unequal_length)
{
	struct step_setup s = setup("bert-large", "a100");
	s.flash = false;
	s.full = true;
	double scores = 0;
	for (s.seq = 128; s.seq <= 384; s.seq += 256)
		scores += step_work_of(&s).layer.score_bytes / 2;
	s.seq = 256;
	s.spread = 320 / 256.;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.score_bytes, scores, 1e-9 * scores));
	double flops = model_flops_per_token(&s);
	s.spread = 1;
	/* 24 layers, 6 x 2 x 1,024 for each token met */
	cr_expect(epsilon_eq(
		dbl, flops - model_flops_per_token(&s), 24. * 12 * 1024 * (320 - 256), 1));
}

/* Gradients of a halved model are half as large. In one piece after backward, their exchange shows
 * whole; where buckets start on their way, less does. */
Test(model_step, exchange_of_gradients)
{
	struct step_setup s = setup("bert-large", "a100");
	s.dp = 64;
	s.net.intra_hop_s = s.net.inter_hop_s = 0;
	s.flash = false;
	s.software.date = SOFTWARE_2021;
	struct step_work wide = step_work_of(&s);
	cr_expect(eq(dbl, model_step(&s, 1).exchange_s, wide.exchange_s));
	s.dtype = DTYPE_FP16;
	cr_expect(epsilon_eq(
		dbl, step_work_of(&s).exchange_s, wide.exchange_s / 2, 0.05 * wide.exchange_s));
	s.software.date = SOFTWARE_2023;
	cr_expect(model_step(&s, 1).exchange_s < step_work_of(&s).exchange_s);
}

/* TorchScript joins some of what eager PyTorch runs kernel by kernel, a compiler more. */
Test(model_step, pointwise_kernels_are_joined_by_and_by)
{
	struct step_setup s = setup("bert-large", "a100");
	s.software.date = SOFTWARE_2023;
	double eager = model_step(&s, 1).part_s[SPENT_POINTWISE];
	s.software.date = SOFTWARE_2021;
	double scripted = model_step(&s, 1).part_s[SPENT_POINTWISE];
	s.software.fused = true;
	cr_expect(eager > scripted && scripted > model_step(&s, 1).part_s[SPENT_POINTWISE]);
}
