/* The engine of models that are made of parts: against plain models, and against numbers worked by
 * hand. */
#include "sims/architecture/model_architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/gpu/engine_parts.h"
#include "sims/gpu/engine_shape.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* A plain model taken apart is as quick as whole, in decoding and prefill, with and without windows,
 * on one GPU and on four: both are the same kernels. */
Test(engine_parts, a_plain_model_is_as_quick_in_parts)
{
	static const char *const ids[] = { "llama3-8b", "llama2-70b", "mistral-7b", "gemma3-27b" };
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "h100");
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
		for (int tp = 1; tp <= 4; tp *= 4) {
			const struct model *m = model_find(&t, ids[i]);
			const struct architecture a = architecture_of_model(m);
			const struct engine_layout how = { .tp = tp, .copies = 1, .ep = 1 };
			struct engine_shape whole =
				engine_shape_of(m, g, tp, DTYPE_BF16, DTYPE_BF16);
			struct engine_shape parts =
				engine_shape_laid(&a, g, &how, DTYPE_BF16, DTYPE_BF16, DTYPE_BF16);
			for (double n = 16; n <= 4096; n *= 4) {
				double want = engine_step_s(&whole, n, 1000 * n, 0, 0);
				double got = engine_step_s(&parts, n, 1000 * n, 0, 0);
				cr_expect(epsilon_eq(dbl, got, want, 0.02 * want), "%s %g: %g, %g",
					ids[i], n, got, want);
				want = engine_step_s(&whole, 0, 0, n, 8192);
				got = engine_step_s(&parts, 0, 0, n, 8192);
				cr_expect(epsilon_eq(dbl, got, want, 0.02 * want), "%s %g: %g, %g",
					ids[i], n, got, want);
			}
		}
	tables_release(&t);
}

/* One step needs a few points of the tables, and takes as long as by the whole ones: on a point, between two, on the
 * last fine one, and beyond all. */
Test(engine_parts, one_step_needs_few_points)
{
	static const double rows[] = { 1, 7, 16, 40, 1024, 1025, 5000, 16384, 40000 };
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "a100");
	const struct model *m = model_find(&t, "llama2-7b");
	cr_assert(g && m);
	struct engine_shape e = engine_shape_of(m, g, 2, DTYPE_BF16, DTYPE_BF16);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect(eq(dbl, decode_step_s(m, g, 2, DTYPE_BF16, rows[i], 9 * rows[i]),
			engine_step_s(&e, rows[i], 9 * rows[i], 0, 0)));
		cr_expect(eq(dbl, prefill_s(m, g, 2, DTYPE_BF16, rows[i], 300),
			engine_step_s(&e, 0, 0, rows[i], 300)));
	}
	tables_release(&t);
}

/* DeepSeek-V3 as published: 671 B parameters in FP8 with their scales; in BF16 it is not widened. A
 * token caches 61 x 576 numbers once for all heads: on 8 GPUs, each holds it whole. gpt-oss-20b: 24
 * layers of 8 KV heads of 64, half of them with a window of 128 tokens. */
Test(engine_parts, bytes_of_published_models)
{
	struct tables t = load_tables();
	const struct model *v3 = any_model_find(&t, "deepseek-v3");
	const struct model *oss = any_model_find(&t, "gpt-oss-20b");
	cr_assert(v3 && oss);
	double fp8 = model_weight_bytes(v3, DTYPE_FP8), bf16 = model_weight_bytes(v3, DTYPE_BF16);
	cr_expect(epsilon_eq(dbl, fp8, 675e9, 15e9), "%g", fp8);
	cr_expect(eq(dbl, fp8, bf16));
	cr_expect(model_weight_bytes(v3, DTYPE_FP4) < 0.6 * fp8);
	cr_expect(eq(dbl, model_cache_bytes(v3, DTYPE_BF16, 1000, 1), 61 * 576 * 2 * 1000.0));
	cr_expect(eq(dbl, model_cache_bytes(v3, DTYPE_BF16, 1000, 8), 8 * 61 * 576 * 2 * 1000.0));
	double kept = 12 * 4096.0 + 12 * 128;
	cr_expect(eq(dbl, model_cache_bytes(oss, DTYPE_BF16, 4096, 1), 2 * 8 * 64 * 2 * kept));
	/* On 16 GPUs each of 8 KV heads lies twice. */
	cr_expect(eq(dbl, model_cache_bytes(oss, DTYPE_BF16, 4096, 16), 2 * 2 * 8 * 64 * 2 * kept));
	tables_release(&t);
}

/* A step of one token of a mixture cannot be quicker than reading what it touches, and is far quicker
 * than reading all: Mixtral's 2 of 8 experts. A batch of 64 reads them all. */
Test(engine_parts, few_tokens_read_few_experts)
{
	struct tables t = load_tables();
	const struct model *m = any_model_find(&t, "mixtral-8x7b");
	const struct accelerator *g = gpu_find(&t, "h100");
	struct engine_shape e = engine_shape_of(m, g, 2, DTYPE_BF16, DTYPE_BF16);
	double all_s = model_weight_bytes(m, DTYPE_BF16) / 2 / g->bandwidth;
	double one_s = engine_step_s(&e, 1, 100, 0, 0), many_s = engine_step_s(&e, 64, 6400, 0, 0);
	cr_expect(one_s > decode_floor_s(m, g, 2, DTYPE_BF16, 1, 100));
	cr_expect(one_s < 0.6 * all_s, "%g, %g", one_s, all_s);
	cr_expect(many_s > all_s, "%g, %g", many_s, all_s);
	tables_release(&t);
}

/* Sixteen copies of attention with an expert group on each GPU decode more tokens a second on as many
 * GPUs than two that cut everything over eight: latent vectors are not repeated, and each GPU reads
 * its own experts alone. Hiding the exchange never costs time where products do not grow with it. */
Test(engine_parts, copies_of_attention_share_experts)
{
	struct tables t = load_tables();
	const struct model *m = any_model_find(&t, "deepseek-v3");
	const struct accelerator *g = gpu_find(&t, "h800");
	const struct network net = network_measured(g->family, 8, g->link_bandwidth, 50e9, 5e-6);
	const struct engine_layout spread = { .tp = 1, .copies = 16, .ep = 16, .net = &net };
	const struct engine_layout cut = { .tp = 8, .copies = 1, .ep = 1 };
	struct engine_shape a =
		engine_shape_laid(m->made_of, g, &spread, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	struct engine_shape b =
		engine_shape_laid(m->made_of, g, &cut, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	double n = 1024, context = 4096;
	double spread_s = engine_step_s(&a, n, n * context, 0, 0);
	double cut_s = engine_step_s(&b, n / 2, n / 2 * context, 0, 0);
	cr_expect(spread_s < cut_s, "%g, %g", spread_s, cut_s);
	struct engine_shape free_net = a;
	free_net.exchange = (struct engine_table){ .s_per_row = 0 };
	cr_expect(engine_step_s(&free_net, n, n * context, 0, 0) < spread_s);
	tables_release(&t);
}

/* Every composed model on every GPU: finite, more work takes no less time. */
Test(engine_parts, iterations_are_monotone)
{
	struct tables t = load_tables();
	cr_assert(t.n_composed > 10);
	for (size_t i = 0; i < t.n_composed; i++) {
		const struct accelerator *g = &t.gpus[i % t.n_gpus];
		const struct model *m = &t.composed[i];
		struct engine_shape e = engine_shape_of(m, g, 4, DTYPE_FP8, DTYPE_BF16);
		double before = 0;
		cr_expect(zero(dbl, engine_step_s(&e, 0, 0, 0, 0)));
		for (double n = 1; n <= 65536; n *= 2) {
			double s = engine_step_s(&e, n, 500 * n, 0, 0);
			cr_expect(isfinite(s) && s > before, "%s on %s: %g sequences", m->id, g->id,
				n);
			cr_expect(engine_step_s(&e, n, 1000 * n, 0, 0) >= s, "%s", m->id);
			cr_expect(engine_step_s(&e, n, 500 * n, 64, 0) > s, "%s", m->id);
			before = s;
		}
	}
	tables_release(&t);
}

/* --- By hand --- */

/* Two GPUs that count. On one a second is a FLOP of a product, on the other a byte of traffic; what
 * neither counts takes no time. They have no SMs, so that products are not cut into tiles. */
static const struct accelerator work = {
	.id = "work",
	.family = "counting",
	.peak_flops = { [DTYPE_BF16] = 1 },
	.bandwidth = 1e300,
	.achieved = { .compute = 1, .memory = 1, .attention = 1, .attention_s = 0.25 },
};
static const struct accelerator traffic = {
	.id = "traffic",
	.family = "counting",
	.peak_flops = { [DTYPE_BF16] = 1e300, [DTYPE_FP8] = 1e300 },
	.bandwidth = 1,
	.achieved = { .compute = 1, .memory = 1, .attention = 1 },
};

static const struct engine_layout alone = { .tp = 1, .copies = 1, .ep = 1 };
static const struct engine_layout halved = { .tp = 2, .copies = 1, .ep = 1 };
static const struct engine_layout quartered = { .tp = 4, .copies = 1, .ep = 1 };

/* Three layers of that kind in BF16, 64 wide, with 1,000 words. */
static struct architecture layers_of_three(struct mixer mixer, struct feed feed)
{
	struct architecture a = { .layers = 3,
		.hidden = 64,
		.vocab = 1000,
		.n_groups = 1,
		.groups = { { .n = 3, .mixer = mixer, .feed = feed } },
		.rest_bits = 16 };
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		a.bits[p] = 16;
	return a;
}

static struct engine_shape laid(const struct architecture *a, const struct accelerator *g,
	const struct engine_layout *how, enum dtype weights, enum dtype activations)
{
	return engine_shape_laid(a, g, how, weights, activations, DTYPE_FP8);
}

/* What 16 rows take in the products of one of three layers. */
static double sixteen_rows(struct mixer mixer, struct feed feed, const struct accelerator *g,
	const struct engine_layout *how)
{
	const struct architecture a = layers_of_three(mixer, feed);
	return laid(&a, g, how, DTYPE_BF16, DTYPE_BF16).linear.s[1] / 3;
}

static const struct mixer no_mixer = { .kind = MIXING_NONE };
static const struct feed no_feed = { .width = 0 };

/* Queries are 8 x 12 = 96 wide, keys and values 2 x (12 + 10) = 44, what comes out 8 x 10 = 80, and
 * 6 x 64 matrices are more than that. On one GPU 64 -> 146 and 80 -> 64; on four each has a quarter,
 * but one of the two KV heads whole: 24 + 22 + 1.5 and 20. Two FLOPs for each of 16 rows. */
static const struct mixer grouped = { .kind = MIXING_WINDOW,
	.heads = 8,
	.kv_heads = 2,
	.key_dim = 12,
	.value_dim = 10,
	.window = 32,
	.matrices = 64 * (96 + 44 + 80 + 6),
	.cache_elements = 44 };

/* 4 heads of 24, of which 8 carry the position, values of 10, latent vectors of 32 and, of queries,
 * 48; 5 x 64 matrices more. Down: 32 + 8 + 48 + 5. Up: 48 -> 96, and 32 -> 4 x (16 + 10) = 104. Out:
 * 40 -> 64. */
static const struct mixer latent = { .kind = MIXING_LATENT,
	.heads = 4,
	.kv_heads = 1,
	.key_dim = 24,
	.value_dim = 10,
	.latent = 32,
	.query_latent = 48,
	.matrices = 64 * 48 + 48 * 96 + 64 * 40 + 32 * 104 + 40 * 64 + 64 * 5,
	.cache_elements = 40 };

/* A state of 1,000 numbers, and 64 x 90 weights: 60 columns go in, 30 rows out. */
static const struct mixer state = {
	.kind = MIXING_DELTA, .matrices = 64 * 90, .state_elements = 1000
};

Test(engine_parts, products_of_mixers_by_hand)
{
	struct mixer direct = latent;
	direct.query_latent = 0;
	direct.matrices = 64 * 96 + 64 * 40 + 32 * 104 + 40 * 64;
	const struct {
		struct mixer mixer;
		const struct engine_layout *how;
		double products;
	} rows[] = {
		{ grouped, &alone, 146 * 64 + 64 * 80 },
		{ grouped, &quartered, 47.5 * 64 + 64 * 20 },
		{ latent, &alone, 93 * 64 + 96 * 48 + 104 * 32 + 64 * 40 },
		{ latent, &halved, 93 * 64 + 48 * 48 + 52 * 32 + 64 * 20 },
		{ direct, &halved, 40 * 64 + 48 * 64 + 52 * 32 + 64 * 20 },
		{ state, &alone, 60 * 64 + 64 * 30 },
		{ state, &halved, 30 * 64 + 64 * 15 },
		{ no_mixer, &alone, 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = sixteen_rows(rows[i].mixer, no_feed, &work, rows[i].how);
		cr_expect(epsilon_eq(dbl, got, 2 * 16 * rows[i].products, 1e-6), "row %zu", i);
	}
}

/* With a gate two thirds of the matrices widen, without one a half. A shared expert of 20 beside 100. */
static const struct feed gated = { .width = 100, .matrices = 3 * 64 * 100 };

Test(engine_parts, products_of_feeds_by_hand)
{
	const struct feed plain = { .width = 100, .matrices = 2 * 64 * 100 };
	struct feed both = gated;
	both.shared = 3 * 64 * 20;
	const struct {
		struct feed feed;
		const struct engine_layout *how;
		double products;
	} rows[] = {
		{ gated, &alone, 200 * 64 + 64 * 100 },
		{ gated, &quartered, 50 * 64 + 64 * 25 },
		{ plain, &alone, 100 * 64 + 64 * 100 },
		{ both, &alone, 200 * 64 + 64 * 100 + 40 * 64 + 64 * 20 },
		{ both, &quartered, 50 * 64 + 64 * 25 + 10 * 64 + 64 * 5 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = sixteen_rows(no_mixer, rows[i].feed, &work, rows[i].how);
		cr_expect(epsilon_eq(dbl, got, 2 * 16 * rows[i].products, 1e-6), "row %zu", i);
	}
}

/* 64 -> 200 and 100 -> 64, for 16 rows: 16 x 64 and 16 x 100 activations, 12,800 and 6,400 weights, and
 * in 2 B 16 x 200 and 16 x 64 results. Weights that are published in fewer bits than were asked for
 * stay so, and activations that follow the weights follow them to 8 bits, where the GPU has those; none
 * follow to four. */
Test(engine_parts, activations_follow_published_weights)
{
	struct accelerator old = traffic;
	old.peak_flops[DTYPE_FP8] = 0;
	const struct {
		const struct accelerator *g;
		double bits;
		enum dtype weights, activations;
		double each_weight, each_activation;
	} rows[] = {
		{ &traffic, 16, DTYPE_BF16, DTYPE_BF16, 2, 2 },
		{ &traffic, 8.002, DTYPE_BF16, DTYPE_BF16, 1, 1 },
		{ &old, 8.002, DTYPE_BF16, DTYPE_BF16, 1, 2 },
		{ &traffic, 4.25, DTYPE_BF16, DTYPE_BF16, 0.5, 1 },
		{ &traffic, 4.25, DTYPE_FP8, DTYPE_BF16, 0.5, 2 },
		{ &traffic, 16, DTYPE_FP8, DTYPE_FP8, 1, 1 },
		{ &traffic, 16, DTYPE_FP8, DTYPE_BF16, 1, 2 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct architecture a = layers_of_three(no_mixer, gated);
		a.bits[PART_DENSE] = rows[i].bits;
		double got = laid(&a, rows[i].g, &alone, rows[i].weights, rows[i].activations)
				     .linear.s[1];
		double want = rows[i].each_activation * (16 * 64 + 16 * 100) +
			      rows[i].each_weight * (12800 + 6400) + 2 * (16 * 200 + 16 * 64);
		cr_expect(
			epsilon_eq(dbl, got, 3 * want, 1e-6), "row %zu: %g, %g", i, got, 3 * want);
	}
}

/* Without rows the weights are read all the same: 2 x 19,200 B a layer, in two halves twice. */
Test(engine_parts, tables_begin_where_only_weights_are_read)
{
	const struct engine_layout twice = { .tp = 1, .copies = 1, .ep = 1, .overlap = true };
	const struct architecture a = layers_of_three(no_mixer, gated);
	const struct engine_shape e = laid(&a, &traffic, &alone, DTYPE_BF16, DTYPE_BF16);
	const struct engine_shape two = laid(&a, &traffic, &twice, DTYPE_BF16, DTYPE_BF16);
	cr_expect(epsilon_eq(dbl, e.linear.s[0], 3 * 38400, 1e-6));
	cr_expect(epsilon_eq(dbl, two.linear.s[0], 2 * 3 * 38400, 1e-6));
	cr_expect(epsilon_eq(dbl, two.linear.s[1], e.linear.s[1] + 3 * 38400, 1e-6));
	cr_expect(two.overlapped && !e.overlapped);
}

/* Eight experts, two for a token, on two copies of two GPUs: two groups have four experts each, and the
 * two GPUs of a group half of every expert, 128 of 256. Of the 32 tokens of both copies 32 rows come to
 * a group in the mean, and to the busiest as many times more as chance makes it, 1 + sqrt(2 ln 2 / 32)
 * with 64 rows in two groups. Each copy scores its own 16 tokens. A step sends each token to every group
 * with an expert of its two, and there to both GPUs, which have a half of it each: to a group of four of
 * eight none falls with 4/8 x 3/7. It goes there as numbers of one byte and returns as 2 B, and three
 * quarters of what four GPUs exchange travels. */
static const struct feed mixture = {
	.experts = 8, .per_token = 2, .expert_width = 256, .expert = 3 * 64 * 256
};

Test(engine_parts, experts_and_their_exchange_by_hand)
{
	const struct network net = network_ideal(8, 1, 1, 0);
	const struct engine_layout spread = { .tp = 2, .copies = 2, .ep = 2, .net = &net };
	const struct architecture a = layers_of_three(no_mixer, mixture);
	const double peak = 1 + sqrt(2 * log(2) / 32);
	double got = laid(&a, &work, &spread, DTYPE_BF16, DTYPE_BF16).experts.s[1] / 3;
	double want = 2 * 32 * peak * 3 * 64 * 128 + 2 * 16 * 8 * 64;
	cr_expect(epsilon_eq(dbl, got, want, 1e-6 * want), "%g, %g", got, want);

	struct engine_layout hot = spread;
	hot.hot = 1.25;
	got = laid(&a, &work, &hot, DTYPE_BF16, DTYPE_BF16).experts.s[1] / 3;
	want = 1.25 * 2 * 32 * peak * 3 * 64 * 128 + 2 * 16 * 8 * 64;
	cr_expect(epsilon_eq(dbl, got, want, 1e-6 * want), "%g, %g", got, want);

	got = laid(&a, &traffic, &spread, DTYPE_FP8, DTYPE_FP8).exchange.s[1] / 3;
	want = 0.75 * (1 + 2) * 64 * 8 * 2 * 2 * (1 - 4 / 8. * 3 / 7.);
	cr_expect(epsilon_eq(dbl, got, want, 1e-9 * want), "%g, %g", got, want);

	/* In 16 bits two bytes go and two return. */
	got = laid(&a, &traffic, &spread, DTYPE_BF16, DTYPE_BF16).exchange.s[1] / 3;
	cr_expect(epsilon_eq(dbl, got, want * 4 / 3, 1e-9 * want), "%g, %g", got, want);

	/* One copy adds up by an all-reduce, and a layer without experts sends nothing. */
	const struct architecture none = layers_of_three(no_mixer, gated);
	cr_expect(zero(dbl, laid(&a, &work, &halved, DTYPE_BF16, DTYPE_BF16).exchange.s[1]));
	cr_expect(zero(dbl, laid(&none, &work, &spread, DTYPE_BF16, DTYPE_BF16).exchange.s[1]));
}

/* Where a token needs every expert, it goes to every GPU, however experts are dealt and cut. */
Test(engine_parts, a_token_of_all_experts_goes_everywhere)
{
	const struct network net = network_ideal(8, 1, 1, 0);
	struct feed greedy = mixture;
	greedy.per_token = greedy.experts;
	const struct architecture a = layers_of_three(no_mixer, greedy);
	struct engine_layout how = { .tp = 1, .copies = 8, .ep = 8, .net = &net };
	double dealt = laid(&a, &traffic, &how, DTYPE_BF16, DTYPE_BF16).exchange.s[1];
	for (how.ep = 1; how.ep < 8; how.ep *= 2) {
		double cut = laid(&a, &traffic, &how, DTYPE_BF16, DTYPE_BF16).exchange.s[1];
		cr_expect(epsilon_eq(dbl, cut, dealt, 1e-9 * dealt), "%g, %g", cut, dealt);
	}
	cr_expect(dealt > 0);
}

/* Nodes of eight, with the GPU's own links, and for each GPU a card of 400 Gbit/s: 50 GB/s. */
Test(engine_parts, the_usual_network)
{
	struct accelerator g = traffic;
	g.link_bandwidth = 450e9;
	const struct network usual = network_measured("counting", 8, 450e9, 50e9, 10e-6);
	struct engine_layout how = { .tp = 1, .copies = 16, .ep = 16 };
	const struct architecture a = layers_of_three(no_mixer, mixture);
	double unsaid = laid(&a, &g, &how, DTYPE_BF16, DTYPE_BF16).exchange.s[1];
	how.net = &usual;
	cr_expect(unsaid > 0);
	cr_expect(eq(dbl, unsaid, laid(&a, &g, &how, DTYPE_BF16, DTYPE_BF16).exchange.s[1]));
}

/* Prefill multiplies a query of 24 with keys and 10 wide weights with values: 4 heads x 34 x 2 FLOPs a
 * pair, and of the block on the diagonal, 128 wide, half is in vain: as if a token saw 64 more. Decoding
 * multiplies 40 and 32 numbers in each head, and reads 40 bytes for all heads. */
Test(engine_parts, latent_attention_by_hand)
{
	const struct architecture a = layers_of_three(latent, no_feed);
	const struct engine_shape e = laid(&a, &work, &halved, DTYPE_BF16, DTYPE_BF16);
	cr_assert(eq(sz, e.n_attention, 1));
	const struct engine_attention *at = &e.attention[0];
	cr_expect(eq(dbl, at->layers, 3));
	cr_expect(zero(dbl, at->window));
	cr_expect(epsilon_eq(dbl, at->prefill_s_per_pair, 3 * 2 * 34 * 2, 1e-6));
	cr_expect(epsilon_eq(dbl, at->prefill_s_per_token, 3 * 2 * 34 * 2 * 64, 1e-3));
	cr_expect(epsilon_eq(dbl, at->decode_fixed_s, 0.25, 1e-12));
	cr_expect(epsilon_eq(dbl, at->prefill_fixed_s, 3 * 0.25, 1e-12));
	cr_expect(epsilon_eq(dbl, at->kv_s_per_token, 2 * 2 * (40 + 32), 1e-9));
	cr_expect(epsilon_eq(dbl,
		laid(&a, &traffic, &halved, DTYPE_BF16, DTYPE_BF16).attention[0].kv_s_per_token, 40,
		1e-9));
}

/* A block takes 64 heads at once, and here each takes a second: of 65 heads there are two, of half as
 * many one. */
Test(engine_parts, latent_attention_takes_heads_in_blocks)
{
	struct accelerator g = work;
	struct mixer wide = latent;
	g.sm_count = 1;
	g.achieved.attention_group_s = 1;
	wide.heads = 65;
	const struct architecture a = layers_of_three(wide, no_feed);
	cr_expect(epsilon_eq(dbl,
		laid(&a, &g, &alone, DTYPE_BF16, DTYPE_BF16).attention[0].decode_s_per_seq, 2,
		1e-9));
	cr_expect(epsilon_eq(dbl,
		laid(&a, &g, &halved, DTYPE_BF16, DTYPE_BF16).attention[0].decode_s_per_seq, 1,
		1e-9));
}

/* A quarter of 8 heads of 12 and 10, with one KV head of the two: a token is (12 + 10) bytes, and takes
 * 2 x 2 x 22 FLOPs. */
Test(engine_parts, attention_of_heads_by_hand)
{
	const struct architecture a = layers_of_three(grouped, no_feed);
	const struct engine_shape w = laid(&a, &work, &quartered, DTYPE_BF16, DTYPE_BF16);
	const struct engine_shape t = laid(&a, &traffic, &quartered, DTYPE_BF16, DTYPE_BF16);
	cr_assert(eq(sz, w.n_attention, 1));
	cr_expect(eq(dbl, w.attention[0].window, 32));
	cr_expect(eq(dbl, w.attention[0].layers, 3));
	cr_expect(epsilon_eq(dbl, w.attention[0].kv_s_per_token, 2 * 2 * 22, 1e-9));
	cr_expect(epsilon_eq(dbl, w.attention[0].prefill_s_per_pair, 3 * 2 * 2 * 22, 1e-6));
	cr_expect(epsilon_eq(dbl, t.attention[0].kv_s_per_token, 22, 1e-9));
	/* Alone, it reads both KV heads. */
	cr_expect(epsilon_eq(dbl,
		laid(&a, &traffic, &alone, DTYPE_BF16, DTYPE_BF16).attention[0].kv_s_per_token, 44,
		1e-9));
}

/* A half of 1,000 numbers of one byte is read and written for each token; in a prompt each is multiplied
 * with in 4 FLOPs. A launch of a second is not counted again. */
Test(engine_parts, states_by_hand)
{
	struct accelerator slow = traffic;
	slow.achieved.launch_s = 1;
	const struct architecture a = layers_of_three(state, no_feed);
	const struct engine_shape w = laid(&a, &work, &halved, DTYPE_BF16, DTYPE_BF16);
	const struct engine_shape t = laid(&a, &slow, &halved, DTYPE_BF16, DTYPE_BF16);
	cr_assert(eq(sz, w.n_attention, 1));
	cr_expect(epsilon_eq(dbl, w.attention[0].prefill_s_per_token, 3 * 4 * 500, 1e-6));
	cr_expect(epsilon_eq(dbl, w.attention[0].prefill_fixed_s, 3 * 0.25, 1e-12));
	cr_expect(epsilon_eq(dbl, w.attention[0].decode_fixed_s, 0.25, 1e-12));
	cr_expect(epsilon_eq(dbl, t.attention[0].decode_s_per_seq, 2 * 500, 1e-9));
	cr_expect(eq(dbl, w.attention[0].layers, 3));
	/* What has no attention has none. */
	const struct architecture none = layers_of_three(no_mixer, gated);
	cr_expect(zero(sz, laid(&none, &work, &alone, DTYPE_BF16, DTYPE_BF16).n_attention));
}

/* Two norms with residuals move 8 x 64 numbers of 2 B for each token, a gate of 100 three times as many;
 * with a shared expert of 20 it is 120. On two GPUs they share the gate, and an all-reduce of 64 x 2 B
 * sends each byte once over a link of which three quarters are reached: here a byte a second. It starts
 * two kernels, of a second each, and 0.5 us for the one peer. */
Test(engine_parts, what_stands_around_products_by_hand)
{
	struct accelerator g = traffic;
	g.achieved.launch_s = 1;
	g.link_bandwidth = 1 / 0.75;
	struct feed both = gated;
	both.shared = 3 * 64 * 20;
	const struct network net = network_ideal(8, 1, 1, 0);
	const struct engine_layout copies = { .tp = 2, .copies = 2, .ep = 1, .net = &net };
	const double norms = 8 * 64 * 2;
	const double kernels_s = 3, reduce_s = 2 + 0.5e-6, reduced = 64 * 2;
	const struct {
		struct mixer mixer;
		struct feed feed;
		const struct engine_layout *how;
		double fixed_s, s_per_token;
	} rows[] = {
		{ grouped, gated, &alone, kernels_s, norms + 3 * 100 * 2 },
		{ grouped, both, &alone, kernels_s, norms + 3 * 120 * 2 },
		{ grouped, both, &halved, kernels_s + 2 * reduce_s,
			norms + 3 * 60 * 2 + 2 * reduced },
		{ no_mixer, both, &halved, kernels_s + reduce_s, norms + 3 * 60 * 2 + reduced },
		{ grouped, mixture, &halved, kernels_s + 2 * reduce_s, norms + 2 * reduced },
		{ grouped, mixture, &copies, kernels_s + reduce_s, norms + reduced },
		{ grouped, gated, &copies, kernels_s + 2 * reduce_s,
			norms + 3 * 50 * 2 + 2 * reduced },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct architecture a = layers_of_three(rows[i].mixer, rows[i].feed);
		const struct engine_shape e = laid(&a, &g, rows[i].how, DTYPE_BF16, DTYPE_BF16);
		cr_expect(epsilon_eq(dbl, e.fixed_s, 3 * rows[i].fixed_s, 1e-9), "row %zu", i);
		cr_expect(epsilon_eq(dbl, e.s_per_token, 3 * rows[i].s_per_token, 1e-7),
			"row %zu: %g", i, e.s_per_token);
	}
}

/* Half of 1,000 words are padded to 512, and in BF16 whatever the layers are in. */
Test(engine_parts, the_head_by_hand)
{
	const struct architecture a = layers_of_three(grouped, gated);
	const struct engine_shape w = laid(&a, &work, &halved, DTYPE_BF16, DTYPE_BF16);
	const struct engine_shape t = laid(&a, &traffic, &halved, DTYPE_FP8, DTYPE_FP8);
	cr_expect(epsilon_eq(dbl, w.head.s[1], 2 * 16 * 512 * 64, 1e-6));
	cr_expect(epsilon_eq(dbl, t.head.s[1], 2 * (16 * 64 + 512 * 64 + 16 * 512), 1e-6));
	cr_expect(lt(dbl, 0, w.head.s_per_row));
}

/* Four copies, whose products take a second a row and whose experts 8 s for each row of a copy in the
 * mean. A lone sequence is on one copy: 1 + 8 / 4. Eight are two each: 2 + 8 x 2. 64 tokens of one prompt
 * are on one copy, 64 + 8 x 16, and of four prompts 16 on each. */
Test(engine_parts, a_sequence_is_on_one_copy)
{
	struct engine_shape e = { .copies = 4 };
	for (size_t i = 0; i < ENGINE_POINTS; i++) {
		e.linear.s[i] = i ? engine_point_rows(i) : 0;
		e.experts.s[i] = 8 * e.linear.s[i];
	}
	cr_expect(epsilon_eq(dbl, engine_step_s(&e, 1, 100, 0, 0), 1 + 2, 1e-9));
	cr_expect(epsilon_eq(dbl, engine_step_s(&e, 8, 800, 0, 0), 2 + 16, 1e-9));
	cr_expect(
		epsilon_eq(dbl, engine_step_of_prompts_s(&e, 0, 0, 64, 0, 64), 64 + 8 * 16, 1e-9));
	cr_expect(
		epsilon_eq(dbl, engine_step_of_prompts_s(&e, 0, 0, 64, 0, 16), 16 + 8 * 16, 1e-9));
	cr_expect(epsilon_eq(dbl, engine_prefill_s(&e, 1, 64, 0), 64 + 8 * 16, 1e-9));
	cr_expect(epsilon_eq(dbl, engine_prefill_s(&e, 4, 64, 0), 16 + 8 * 16, 1e-9));
}

/* A small batch of a mixture reads an expert more with nearly every token: no step of 1 to 20 sequences is
 * faster than reading, at the datasheet's bandwidth, the weights and the experts that they choose. */
Test(engine_parts, few_tokens_read_their_experts)
{
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "h200");
	size_t mixtures = 0;
	for (size_t i = 0; i < t.n_composed; i++) {
		const struct model *m = &t.composed[i];
		if (!(model_experts(m) > 0))
			continue;
		mixtures++;
		const struct engine_shape e = engine_shape_of(m, g, 8, DTYPE_BF16, DTYPE_BF16);
		for (double n = 1; n <= 20; n++) {
			double s = engine_step_s(&e, n, 0, 0, 0);
			double least = decode_floor_s(m, g, 8, DTYPE_BF16, n, 0);
			cr_expect(s >= least, "%s, %g: %g, %g", m->id, n, s, least);
		}
	}
	cr_expect(lt(sz, (size_t)15, mixtures));
	tables_release(&t);
}

/* 1,000 tokens of each of two copies: 1 us of products, 0.5 us on their way and 0.1 us of products that the
 * SMs which hand them on do not do, each. One after another they take 1.5 ms, beside each other 1.1 ms, and
 * 2 ms where the way takes 2 us. */
Test(engine_parts, handing_tokens_on_takes_from_computing)
{
	struct engine_shape e = { .copies = 2 };
	for (size_t i = 0; i < ENGINE_POINTS; i++) {
		double rows = i > 0 ? engine_point_rows(i) : 0;
		e.linear.s[i] = 1e-6 * rows;
		e.exchange.s[i] = 0.5e-6 * rows;
		e.aside.s[i] = 0.1e-6 * rows;
	}
	cr_expect(epsilon_eq(dbl, engine_step_s(&e, 0, 0, 2000, 0), 1.5e-3, 1e-9));
	e.overlapped = true;
	cr_expect(epsilon_eq(dbl, engine_step_s(&e, 0, 0, 2000, 0), 1.1e-3, 1e-9));
	for (size_t i = 0; i < ENGINE_POINTS; i++)
		e.exchange.s[i] *= 4;
	cr_expect(epsilon_eq(dbl, engine_step_s(&e, 0, 0, 2000, 0), 2e-3, 1e-9));
}

/* Weights in blocks: the same products in the format of blocks, their inputs rounded. */
Test(engine_parts, blocks_are_multiplied_in_blocks)
{
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "h100");
	const struct model *m = any_model_find(&t, "deepseek-v3");
	cr_assert(g && m && m->made_of->fp8_blocks);
	static struct architecture one;
	one = *m->made_of;
	one.n_groups = 1;
	one.groups[0].n = 1;
	one.groups[0].mixer = (struct mixer){ .kind = MIXING_NONE };
	const struct feed *f = &one.groups[0].feed;
	cr_assert(f->experts == 0 && f->width == 18432);
	const struct engine_layout how = { .tp = 1, .copies = 1, .ep = 1 };
	const struct gemm_format *blocks = gemm_format_find("fp8_block");
	const double rows = 4096, h = one.hidden, w = f->width;
	struct engine_shape e = engine_shape_laid(&one, g, &how, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	double want_s = gemm_format_time_s(g, blocks, rows, 2 * w, h) +
			gemm_format_time_s(g, blocks, rows, h, w);
	size_t at = ENGINE_COARSE + (size_t)(rows - ENGINE_FINE) / ENGINE_COARSE_STEP;
	cr_expect(epsilon_eq(dbl, e.linear.s[at], want_s, 1e-12), "%g, %g", e.linear.s[at], want_s);
	one.fp8_blocks = false;
	e = engine_shape_laid(&one, g, &how, DTYPE_FP8, DTYPE_FP8, DTYPE_BF16);
	cr_expect(lt(dbl, e.linear.s[at], 0.95 * want_s));
	tables_release(&t);
}
