/* The training step of models that are made of parts: counts by hand, published work for a token, and
 * the plain layer as the special case that it is. */
#include "sims/architecture/model_architecture.h"
#include "sims/gpu/kernel.h"
#include "sims/training/step_parts.h"
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

TestSuite(step_parts, .init = load, .fini = unload);

/* Eight GPUs, each with a sequence of 4,096 tokens, in nodes of eight joined at 100 GB/s, 10 GB/s
 * outside, without latency. */
static struct step_setup setup(const char *model, double ep)
{
	return (struct step_setup){ .model = any_model_find(&facts, model),
		.gpu = gpu_find(&facts, "h100"),
		.net = network_ideal(8, 100e9, 10e9, 0),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 8,
		.shard = 1,
		.micro_batch = 1,
		.micro_batches = 1,
		.seq = 4096,
		.dtype = DTYPE_BF16,
		.flash = true,
		.sequence_parallel = true,
		.loss_share = 1,
		.software.date = SOFTWARE_2025,
		.ep = ep };
}

/* What NVIDIA divides by: model TFLOP/s over tokens/s of docs/performance-summary.md, GFLOP a token.
 * DeepSeek-V3 trains a head for a second token, and does not where the table says "w/o MTP". */
Test(step_parts, flops_of_a_token_are_those_published)
{
	static const struct {
		const char *model;
		double seq, mtp, gflop;
	} rows[] = {
		{ "deepseek-v3", 4096, 1, 260.0 },     /* 1635 / 6288 */
		{ "qwen3-30b-a3b", 4096, 0, 23.1 },    /* 1029 / 44544 */
		{ "deepseek-v3", 4096, 0, 249.7 },     /* w/o MTP: 961 / 3848 */
		{ "qwen3-235b-a22b", 4096, 0, 148.0 }, /* 974 / 6583 */
		{ "kimi-k2", 4096, 0, 204.5 },         /* 1037 / 5072 */
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_setup s = setup(rows[i].model, 1);
		s.seq = rows[i].seq;
		s.mtp = rows[i].mtp;
		double got = model_flops_per_token(&s) / 1e9;
		cr_expect(epsilon_eq(dbl, got / rows[i].gflop, 1, 0.015), "%s: %g", rows[i].model,
			got);
	}
}

/* Qwen3-30B-A3B: 128 experts of 768 in each layer, three matrices of 2,048 x 768 each; attention of
 * 32 heads and 4 KV heads of 128: 2,048 x (2 x 4,096 + 2 x 512); a router of 128 x 2,048. */
Test(step_parts, experts_are_dealt)
{
	const double expert = 3 * 2048 * 768, rest = 2048 * (2 * 4096 + 2 * 512) + 128 * 2048;
	struct step_setup s = setup("qwen3-30b-a3b", 8);
	struct step_work w = step_work_of(&s);
	cr_expect(eq(dbl, w.layer.expert_params, 16 * expert));
	cr_expect(epsilon_eq(dbl, w.layer.params, rest, 1));
	cr_expect(eq(dbl, w.layer.mixtures, 1));
	/* Two groups of four GPUs: twice as many experts here, and each GPU twice. */
	s.ep = 4;
	struct expert_mesh mesh = expert_mesh_of(&s);
	cr_expect(eq(dbl, mesh.copies, 2));
	cr_expect(eq(dbl, mesh.split, 1));
	cr_expect(eq(dbl, step_work_of(&s).layer.expert_params, 32 * expert));
	/* A tensor group of eight around two groups: each expert is cut in four, 768 / 4 = 192, which
	 * kernels take as 256. */
	s.tp = 8;
	s.dp = 1;
	s.ep = 2;
	mesh = expert_mesh_of(&s);
	cr_expect(eq(dbl, mesh.split, 4));
	cr_expect(eq(dbl, mesh.copies, 1));
	cr_expect(eq(dbl, step_work_of(&s).layer.expert_params, 64 * 3 * 2048.0 * 256));
}

/* The experts' state is dealt, too: 44 B a parameter of each step's traffic, ZeRO-1 over the GPUs that
 * hold the same. */
Test(step_parts, the_optimizer_sees_what_a_gpu_holds)
{
	const double bytes = 44, layers = 48, expert = 3 * 2048 * 768;
	struct step_setup s = setup("qwen3-30b-a3b", 8);
	double rest = step_work_of(&s).optimizer_bytes;
	s.shard_optimizer = true;
	double shared = step_work_of(&s).optimizer_bytes;
	/* Of 16 experts nobody else has a copy; of the rest all eight have. */
	double own = bytes * layers * 16 * expert;
	cr_expect(epsilon_eq(dbl, shared - own, (rest - own) / 8, 1));
}

/* A token goes to 8 of 128 experts on 8 GPUs. Where the host sorts, each copy travels by itself: 8 of
 * them, an eighth of which stay. 4,096 tokens x 8 x 7/8 x 2,048 values x 2 B = 117,440,512 B, there and
 * back. */
Test(step_parts, tokens_travel)
{
	struct step_setup s = setup("qwen3-30b-a3b", 8);
	double once_s = 4096.0 * 8 * 7 / 8 * 2048 * 2 / 100e9;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.dispatch_s, 2 * once_s, 1e-9));
	/* In nodes of four half of the copies leave, through a card of a tenth of the link. */
	s.net.gpus_per_node = 4;
	double out_s = 4096.0 * 8 / 2 * 2048 * 2 / 10e9;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.dispatch_s, 2 * out_s, 1e-9));
	/* One kernel sends a token once to a node. It misses one of two nodes where all of 8 experts are
	 * among the 64 of the other: 64 x 63 x ... x 57 / (128 x 127 x ... x 121). */
	s.routing = ROUTING_SENT;
	double misses = 1;
	for (int i = 0; i < 8; i++)
		misses *= (64. - i) / (128 - i);
	out_s = 4096.0 * (2 * (1 - misses) / 2) * 2048 * 2 / 10e9;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.dispatch_s, 2 * out_s, 1e-9));
	/* All on one GPU: nobody travels. */
	s.ep = 1;
	cr_expect(eq(dbl, step_work_of(&s).layer.dispatch_s, 0));
}

/* 8 GPUs bring 32,768 tokens, each with 8 of 128 experts: 2,048 rows for each of the 16 here. */
Test(step_parts, experts_multiply_their_rows)
{
	struct step_setup s = setup("qwen3-30b-a3b", 8);
	const struct accelerator *g = s.gpu;
	double up_s = gemm_grouped_time_s(g, DTYPE_BF16, DTYPE_BF16, 16, 2048, 2 * 768, 2048);
	double down_s = gemm_grouped_time_s(g, DTYPE_BF16, DTYPE_BF16, 16, 2048, 2048, 768);
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.experts_s, up_s + down_s, 1e-12));
	/* The busiest group has a quarter more rows, and they take that long to come. */
	double sent_s = step_work_of(&s).layer.dispatch_s;
	s.hot = 1.25;
	up_s = gemm_grouped_time_s(g, DTYPE_BF16, DTYPE_BF16, 16, 2560, 2 * 768, 2048);
	down_s = gemm_grouped_time_s(g, DTYPE_BF16, DTYPE_BF16, 16, 2560, 2048, 768);
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.experts_s, up_s + down_s, 1e-12));
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.dispatch_s, 1.25 * sent_s, 1e-12));
	/* With room for the mean alone it computes the mean, whatever comes. */
	s.capacity = 1;
	cr_expect(epsilon_eq(dbl, step_work_of(&s).layer.dispatch_s, sent_s, 1e-12));
}

/* Every token of Mixtral 8x7B passes three products of a layer, all else are experts': queries of 4,096
 * with keys and values of 2 x 1,024, the output, and the router's scores of 8 experts. A product of
 * width 0 would be a launch that nobody makes. */
Test(step_parts, a_layer_of_experts_alone_has_no_other_feed)
{
	struct step_setup s = setup("mixtral-8x7b", 8);
	struct layer_work w = step_work_of(&s).layer;
	static const double tokens = 4096, h = 4096, out[] = { 4096 + 2 * 1024, 4096, 8 };
	double products_s = 0, weights_s = 0;
	for (size_t i = 0; i < COUNT(out); i++) {
		products_s += gemm_time_s(s.gpu, DTYPE_BF16, tokens, out[i], h);
		weights_s += gemm_time_s(s.gpu, DTYPE_BF16, h, out[i], tokens);
	}
	cr_expect(epsilon_eq(dbl, w.products_s, products_s, 1e-12));
	cr_expect(epsilon_eq(dbl, w.weights_s, weights_s, 1e-12));
}

/* gpt-oss: every second layer sees 128 tokens: 128 - 128^2 / (2 x 4,096) = 126 on average, the others
 * 2,048; 64 heads with keys and values of 64, 36 layers. */
Test(step_parts, windows_are_seen)
{
	struct step_setup s = setup("gpt-oss-120b", 1);
	cr_expect(eq(dbl, parts_attention_flops(&s), 18 * 2 * 64 * 128.0 * (126 + 2048)));
}

/* A plain decoder taken apart is the plain decoder. */
Test(step_parts, a_plain_model_is_one_of_them)
{
	static const char *const models[] = { "llama3-8b", "llama3-70b", "qwen3-32b" };
	for (size_t i = 0; i < COUNT(models); i++) {
		struct step_setup s = setup(models[i], 1);
		const struct model *plain = s.model;
		struct architecture a = architecture_of_model(plain);
		struct model apart = model_made_of(&a);
		for (s.tp = 1; s.tp <= 4; s.tp *= 4) {
			s.dtype = s.tp > 1 ? DTYPE_FP8 : DTYPE_BF16;
			s.model = plain;
			struct layer_work w = step_work_of(&s).layer;
			double flops = model_flops_per_token(&s);
			s.model = &apart;
			struct layer_work v = step_work_of(&s).layer;
			cr_expect(epsilon_eq(dbl, v.products_s, w.products_s, 1e-12), "%s",
				models[i]);
			cr_expect(epsilon_eq(dbl, v.weights_s, w.weights_s, 1e-12));
			cr_expect(epsilon_eq(dbl, v.attention_s, w.attention_s, 1e-12));
			cr_expect(epsilon_eq(dbl, v.pointwise_bytes, w.pointwise_bytes, 1));
			cr_expect(epsilon_eq(dbl, v.rounding_bytes, w.rounding_bytes, 1));
			cr_expect(epsilon_eq(dbl, v.tensor_s, w.tensor_s, 1e-12));
			cr_expect(epsilon_eq(dbl, v.params, w.params, 1));
			cr_expect(epsilon_eq(dbl, model_flops_per_token(&s) / flops, 1, 1e-9));
		}
	}
}

/* And keeps what it keeps, tensor by tensor, whether all of it or selectively. */
Test(step_parts, a_plain_layer_keeps_the_same)
{
	static const char *const models[] = { "llama3-8b", "llama3-70b", "qwen3-32b" };
	for (size_t i = 0; i < COUNT(models); i++) {
		struct step_setup s = setup(models[i], 1);
		struct architecture a = architecture_of_model(s.model);
		struct model apart = model_made_of(&a);
		for (s.tp = 1; s.tp <= 4; s.tp *= 4) {
			struct step_setup p = s;
			p.model = &apart;
			struct layer_setup like = parts_layer_setup(&p, 0);
			struct training_layer parts = layer_of(&like);
			like.group = NULL;
			like.model = s.model;
			struct training_layer plain = layer_of(&like);
			cr_expect(eq(sz, parts.n, plain.n), "%s", models[i]);
			cr_expect(eq(dbl, layer_saved_bytes(&parts), layer_saved_bytes(&plain)));
			cr_expect(eq(dbl, layer_stored_bytes(&parts), layer_stored_bytes(&plain)));
			cr_expect(epsilon_eq(dbl, layer_flops(&parts), layer_flops(&plain), 1e3));
			cr_expect(eq(dbl, layer_params(&parts), layer_params(&plain)));
			cr_expect(eq(dbl, parts_kept_bytes(&p, RECOMPUTE_NONE),
				layer_saved_bytes(&plain)));
		}
	}
}

/* What a token of Mixtral 8x7B keeps: stream 4,096; queries as wide, keys and values 1,024; two experts
 * of 14,336 with gate, activation, product and up of each; rows come and go. By hand, in values of 2 B:
 *   input, norm, query, context, residual, norm 2    6 x 4,096
 *   key, value                                       2 x 1,024
 *   rows and what comes of them                      2 x 2 x 4,096
 *   gate, its activation, up, their product          4 x 2 x 14,336
 * and in FP32 one number for each of 32 heads and the scores of 8 experts. Selectively: input, query,
 * context; the value; the gates, and both ways of the rows, with their sum for each token. */
Test(step_parts, what_an_experts_layer_keeps)
{
	struct step_setup s = setup("mixtral-8x7b", 8);
	double tokens = 4096, fp32 = 4 * (32 + 8);
	double all = 2 * (6 * 4096.0 + 2 * 1024 + 4 * 4096 + 8 * 14336) + fp32;
	double some = 2 * (3 * 4096.0 + 1024 + 4 * 4096 + 2 * 14336 + 4096) + fp32;
	cr_expect(epsilon_eq(dbl, parts_kept_bytes(&s, RECOMPUTE_NONE), tokens * all, 1));
	cr_expect(epsilon_eq(dbl, parts_kept_bytes(&s, RECOMPUTE_SELECTIVE), tokens * some, 1));
	cr_expect(eq(dbl, parts_kept_bytes(&s, RECOMPUTE_FULL), tokens * 2 * 4096));
	/* One of 8 experts lies here, three matrices of 4,096 x 14,336. */
	struct layer_setup like = parts_layer_setup(&s, 0);
	struct training_layer l = layer_of(&like);
	cr_expect(eq(dbl, layer_expert_params(&l), 3.0 * 4096 * 14336));
	/* Work of a token, forward: 2 for each parameter of attention, router and two experts, and four
	 * for each of 4,096 tokens met and each dimension of 32 heads. */
	double params = 4096 * (2 * 4096.0 + 2 * 1024) + 8 * 4096 + 2 * 3 * 4096.0 * 14336;
	double flops = tokens * (2 * params + 4 * 4096.0 * 4096);
	cr_expect(epsilon_eq(dbl, layer_flops(&l), flops, 1e-9 * flops));
}

/* DeepSeek-V3's latent attention, 128 heads with keys of 128 + 64 and values of 128: the query's latent
 * of 1,536 and the keys' and values' of 512 + 64, each with its norm; what comes out of them for all
 * heads. First three layers are dense, 18,432 wide. */
Test(step_parts, what_latent_attention_keeps)
{
	struct step_setup s = setup("deepseek-v3", 8);
	struct layer_setup like = parts_layer_setup(&s, 0);
	struct training_layer l = layer_of(&like);
	double stream = 4 * 7168, latents = 2 * (1536 + 576), heads = 128 * 2 * (192 + 128);
	double kept = 2 * (stream + latents + heads + 4 * 18432) + 4 * 128;
	cr_expect(epsilon_eq(dbl, layer_saved_bytes(&l), 4096 * kept, 1));
	double params = 7168 * (1536.0 + 576) + 1536 * 128 * 192.0 + 512 * 128 * (128.0 + 128) +
			128 * 128 * 7168.0 + 3 * 7168.0 * 18432;
	/* Norms have their scales besides: two of the stream. */
	cr_expect(epsilon_eq(dbl, layer_params(&l), params + 2 * 7168, 1));
}

/* Nemotron 3 Nano is one part a layer: a state, attention or experts, its input and the norm of it before
 * each. Its experts have no gate. */
Test(step_parts, layers_of_one_part_keep_one)
{
	struct step_setup s = setup("nemotron3-nano", 8);
	const struct architecture *a = s.model->made_of;
	bool states = false, experts = false;
	for (size_t i = 0; i < a->n_groups; i++) {
		const struct layer_group *g = &a->groups[i];
		struct layer_setup like = parts_layer_setup(&s, i);
		struct training_layer l = layer_of(&like);
		double kept = 2 * 2 * a->hidden;
		if (g->mixer.kind == MIXING_MAMBA) {
			kept += 2 * g->mixer.matrices / a->hidden;
			states = true;
		} else if (g->feed.experts > 0) {
			double shared = g->feed.shared / (2 * a->hidden);
			kept += 2 * (g->feed.per_token * 2 * (a->hidden + g->feed.expert_width) +
					    2 * shared) +
				4 * g->feed.experts;
			experts = true;
		} else {
			continue;
		}
		cr_expect(epsilon_eq(dbl, layer_saved_bytes(&l), 4096 * kept, 1), "group %zu", i);
		cr_expect(eq(sz, l.input_reader, l.n - 1));
	}
	cr_expect(states && experts);
}

/* Separate kernels of attention compute and move the scores of whole sequences, a window's as well; what
 * they take is that of the plain layer, and a state's scan is the same as ever. */
Test(step_parts, unfused_attention_moves_its_scores)
{
	struct step_setup s = setup("llama3-8b", 1);
	struct architecture a = architecture_of_model(s.model);
	struct model apart = model_made_of(&a);
	s.flash = false;
	struct layer_work plain = step_work_of(&s).layer;
	s.model = &apart;
	struct layer_work parts = step_work_of(&s).layer;
	cr_expect(epsilon_eq(dbl, parts.score_bytes, plain.score_bytes, 1));
	cr_expect(epsilon_eq(dbl, parts.attention_s, plain.attention_s, 1e-12));
	/* gpt-oss: 64 heads, 36 layers, windows in half of them. */
	s = setup("gpt-oss-120b", 1);
	s.flash = false;
	double scores = 4096.0 * 4096 * 64;
	cr_expect(epsilon_eq(
		dbl, step_work_of(&s).layer.score_bytes, scores * step_score_bytes(&s), 1));
	s = setup("nemotron3-nano", 1);
	double fused = step_work_of(&s).layer.scan_s;
	s.flash = false;
	cr_expect(eq(dbl, step_work_of(&s).layer.scan_s, fused));
	struct layer_parts p = model_layer(&s);
	cr_expect(p.attention_s > fused / step_costs.scan);
}

/* The parts are the step, and none is less than nothing; overlap hides what it can; what the host
 * waits for shows with few tokens and not with many. */
Test(step_parts, parts_add_up)
{
	static const char *const models[] = { "deepseek-v3", "qwen3-next-80b-a3b", "gpt-oss-120b",
		"nemotron3-nano", "llama4-scout", "gemma3-27b" };
	for (size_t i = 0; i < COUNT(models); i++)
		for (double pp = 1; pp <= 4; pp *= 4) {
			struct step_setup s = setup(models[i], 8);
			s.pp = pp;
			s.micro_batches = 8;
			s.mtp = pp > 1;
			struct step_time t = model_step(&s, 1);
			double sum = 0;
			for (size_t k = 0; k < N_SPENT; k++) {
				cr_expect(t.part_s[k] > -1e-9 * t.step_s, "%s: part %zu is %g",
					models[i], k, t.part_s[k]);
				sum += t.part_s[k];
			}
			cr_expect(epsilon_eq(dbl, sum, t.step_s, 1e-9 * t.step_s));
			s.dispatch_overlap = true;
			struct step_time hidden = model_step(&s, 1);
			cr_expect(hidden.step_s <= t.step_s);
			cr_expect(hidden.part_s[SPENT_DISPATCH] <= t.part_s[SPENT_DISPATCH]);
		}
}

Test(step_parts, the_host_waits_where_little_is_computed)
{
	struct step_setup s = setup("qwen3-30b-a3b", 8);
	s.net = network_measured("hopper", 8, 450e9, 50e9, 5e-6);
	s.seq = 512;
	struct step_time few = model_step(&s, 1);
	/* 3.2 ms forward and twice that backward, the constant, where the GPU has less to do. */
	cr_expect(epsilon_eq(dbl, few.forward_s + few.backward_s, 9.6e-3, 0.2e-3), "%g",
		few.forward_s + few.backward_s);
	s.seq = 4096;
	s.micro_batch = 16;
	struct step_time many = model_step(&s, 1);
	cr_expect(many.host_s < 0.01 * (many.forward_s + many.backward_s));
	s.micro_batch = 1;
	s.routing = ROUTING_ON_GPU;
	cr_expect(eq(dbl, model_step(&s, 1).host_s, 0));
	/* Where experts have a fixed room nothing has to be waited for either. */
	s.routing = ROUTING_ON_HOST;
	s.capacity = 1;
	cr_expect(eq(dbl, model_step(&s, 1).host_s, 0));
}

/* An H100 has no unit for FP4, an A100 none for FP8: products run in what it has, of experts too, and no
 * step is shorter or longer for the wish. A B200 has both. */
Test(step_parts, a_type_without_a_unit_gains_nothing)
{
	static const struct {
		const char *gpu;
		enum dtype asked, runs;
		bool gains;
	} rows[] = { { "a100", DTYPE_FP8, DTYPE_BF16, false },
		{ "a100", DTYPE_FP4, DTYPE_BF16, false }, { "h100", DTYPE_FP8, DTYPE_FP8, true },
		{ "b200", DTYPE_FP4, DTYPE_FP4, true } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct step_setup s = setup("qwen3-30b-a3b", 8);
		s.gpu = gpu_find(&facts, rows[i].gpu);
		cr_assert(s.gpu != NULL);
		cr_assert(eq(int, kernel_math_dtype(s.gpu, rows[i].asked), rows[i].runs));
		s.dtype = DTYPE_BF16;
		double wide = step_work_of(&s).layer.experts_s;
		s.dtype = rows[i].asked;
		double narrow = step_work_of(&s).layer.experts_s;
		if (rows[i].gains)
			cr_expect(lt(dbl, narrow, wide), "%s", rows[i].gpu);
		else
			cr_expect(eq(dbl, narrow, wide), "%s", rows[i].gpu);
	}
}
