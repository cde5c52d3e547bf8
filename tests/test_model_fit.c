/* What a model asks of GPUs, worked by hand from its bytes, its FLOPs and a made-up datasheet. */
#include "sims/serving/model_fit.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

/* Two layers: 400 parameters that mix, 300 that feed forward, norms of 20; a head and an embedding of
 * 500, a last norm of 10. All but the embedding are 800 + 600 + 40 + 10 + 500 = 1,950, in 2 B 3,900 B,
 * and with it 4,900 B. A token caches 2 x 20 numbers. */
static struct architecture small(void)
{
	struct architecture a = { .layers = 2,
		.hidden = 10,
		.vocab = 50,
		.context = 1000,
		.embedding = 500,
		.head = 500,
		.last_norm = 10,
		.n_groups = 1,
		.groups = { { .n = 2,
			.mixer = { .kind = MIXING_FULL,
				.heads = 2,
				.kv_heads = 2,
				.key_dim = 5,
				.value_dim = 5,
				.matrices = 400,
				.cache_elements = 20 },
			.feed = { .width = 15, .matrices = 300 },
			.norms = 20 } },
		.rest_bits = 16,
		.storage = "BF16" };
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++)
		a.bits[p] = 16;
	return a;
}

/* Three sequences of 100 tokens in one byte: 3 x 40 x 100 = 12,000 B. */
static const struct fit_goal goal = {
	.context = 100, .users = 3, .memory_share = 0.5, .kv = DTYPE_FP8, .stored = true
};

/* Half of 10,000 B hold 5,000: 16,900 B take four. */
static const struct accelerator card = { .id = "card",
	.memory_bytes = 10000,
	.bandwidth = 1000,
	.peak_flops = { [DTYPE_BF16] = 1e4 },
	.usd_per_hour = 3.6 };

/* A step reads 3,900 + 12,000 B at 4 x 1,000 B/s: 3.975 s. It computes, for each of three tokens, two
 * FLOPs for each of 1,400 weights, 2 x 10 x 50 for the head, and for each of 100 tokens that it sees
 * 2 x 2 x (5 + 5) in each of two layers: 35,400 FLOP at 4 x 10,000 FLOP/s, 0.885 s. A prompt of 100
 * multiplies 100 times with the weights, once with the head, and has 5,050 pairs: 685,000 FLOP. Four
 * cards cost 14.4 $ an hour, 0.004 $ a second, for 3 tokens in 3.975 s. */
Test(model_fit, a_small_model_by_hand)
{
	const struct architecture a = small();
	const struct model_fit f = model_fit_on(&a, &goal, &card);
	cr_expect(eq(dbl, f.gpus, 4));
	cr_expect(eq(dbl, f.weight_bytes, 4900));
	cr_expect(eq(dbl, f.cache_bytes, 12000));
	cr_expect(epsilon_eq(dbl, f.decode_s, 3.975, 1e-12));
	cr_expect(zero(int, f.compute_bound));
	cr_expect(epsilon_eq(dbl, f.tokens_per_s, 3 / 3.975, 1e-12));
	cr_expect(epsilon_eq(dbl, f.prefill_s, 685000 / 4e4, 1e-9));
	cr_expect(epsilon_eq(dbl, f.usd_per_mtok, 0.004 * 3.975 / 3 * 1e6, 1e-6));
	/* 20,000 - 4,900 B are 125 tokens of three sequences, and 100 B. */
	cr_expect(eq(dbl, f.longest_context, 125));
}

/* In two bytes a number the caches are twice as large: 28,900 B take eight cards, whose 40,000 - 4,900 B
 * are 146 tokens of 240 B, and 60 B. */
Test(model_fit, wider_caches_take_more)
{
	const struct architecture a = small();
	struct fit_goal wide = goal;
	wide.kv = DTYPE_BF16;
	const struct model_fit f = model_fit_on(&a, &wide, &card);
	cr_expect(eq(dbl, f.cache_bytes, 24000));
	cr_expect(eq(dbl, f.gpus, 8));
	cr_expect(eq(dbl, f.longest_context, 146));
}

/* Ten times slower, the units bound the step; a hundred times quicker, reading the weights bounds the
 * prompt. */
Test(model_fit, the_slower_of_two_bounds)
{
	const struct architecture a = small();
	struct accelerator slow = card, quick = card;
	slow.peak_flops[DTYPE_BF16] = 1e3;
	quick.peak_flops[DTYPE_BF16] = 1e6;
	const struct model_fit f = model_fit_on(&a, &goal, &slow);
	cr_expect(f.compute_bound);
	cr_expect(epsilon_eq(dbl, f.decode_s, 8.85, 1e-12));
	cr_expect(epsilon_eq(dbl, f.tokens_per_s, 3 / 8.85, 1e-12));
	cr_expect(epsilon_eq(dbl, model_fit_on(&a, &goal, &quick).prefill_s, 0.975, 1e-12));
}

/* Unknown peaks leave the bound of the memory, unknown prices none. */
Test(model_fit, what_a_datasheet_does_not_say)
{
	const struct architecture a = small();
	struct accelerator unknown = card;
	unknown.peak_flops[DTYPE_BF16] = 0;
	unknown.usd_per_hour = 0;
	const struct model_fit f = model_fit_on(&a, &goal, &unknown);
	cr_expect(epsilon_eq(dbl, f.decode_s, 3.975, 1e-12));
	cr_expect(isnan(f.prefill_s));
	cr_expect(isnan(f.usd_per_mtok));
	unknown.usd_per_hour = 0.5;
	cr_expect(epsilon_eq(dbl, model_fit_on(&a, &goal, &unknown).usd_per_mtok,
		0.5 * 4 / 3600 * 3.975 / 3 * 1e6, 1e-6));
}

/* What fits to the byte fits. 1,024 GPUs are asked, and no more: 16,900 B are 16.5 each. */
Test(model_fit, gpus_are_powers_of_two)
{
	const struct architecture a = small();
	static const struct {
		double memory_bytes, gpus;
	} rows[] = { { 33800, 1 }, { 33799, 2 }, { 16900, 2 }, { 16899, 4 }, { 8449, 8 },
		{ 33.2, 1024 }, { 33, INFINITY }, { 16.6, INFINITY } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct accelerator g = card;
		g.memory_bytes = rows[i].memory_bytes;
		cr_expect(eq(dbl, model_fit_on(&a, &goal, &g).gpus, rows[i].gpus), "row %zu", i);
	}
}

/* No longer than the model was made for, and where it does not say, 16 Mi tokens. With a window of 30
 * tokens in one of two layers the need has a knee: 3 x 20 (T + 30) B. */
Test(model_fit, how_long_a_context_fits)
{
	struct architecture a = small();
	struct accelerator large = card;
	large.memory_bytes = 1e12;
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &large).longest_context, 1000));
	a.context = 0;
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &large).longest_context, 16777216));
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &card).longest_context, 125));
	a.n_groups = 2;
	a.groups[0].n = 1;
	a.groups[1] = a.groups[0];
	a.groups[1].mixer.kind = MIXING_WINDOW;
	a.groups[1].mixer.window = 30;
	/* 4,900 + 60 x 130 = 12,700 B on four of 5,000: (20,000 - 4,900) / 60 - 30 = 221.7. */
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &card).longest_context, 221));
	/* To the byte: 60 (T + 30) = 15,060 where T is 221. */
	large.memory_bytes = 2 * (4900 + 15060);
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &large).longest_context, 221));
	large.memory_bytes -= 1;
	cr_expect(eq(dbl, model_fit_on(&a, &goal, &large).longest_context, 220));
}

/* A GPU multiplies in the quickest type that holds the stored weights: FP8 those of eight bits and its
 * scales, FP4 those of four, and ten or six bits are too many for them; where it has no such unit, in what it has. Of a mixture most weights are
 * the experts'. */
Test(model_fit, the_peak_is_that_of_the_stored_type)
{
	static const struct {
		double dense, experts;
		double fp16, bf16, fp8, fp4, used;
	} rows[] = {
		{ 16, 16, 1, 1000, 2000, 4000, 1000 },
		{ 16, 16, 500, 0, 2000, 4000, 500 },
		{ 8.002, 8.002, 1, 1000, 2000, 4000, 2000 },
		{ 8.5, 8.5, 1, 1000, 0, 4000, 1000 },
		{ 10, 10, 1, 1000, 2000, 4000, 1000 },
		{ 6, 6, 1, 1000, 2000, 4000, 2000 },
		{ 4.5, 4.5, 1, 1000, 2000, 4000, 4000 },
		{ 4.5, 4.5, 1, 1000, 2000, 0, 2000 },
		{ 16, 4.25, 1, 1000, 2000, 4000, 4000 },
		{ 8.002, 16, 1, 1000, 2000, 4000, 2000 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct architecture a = small();
		struct accelerator g = { .memory_bytes = 1e12,
			.bandwidth = 1e12,
			.peak_flops = { [DTYPE_FP16] = rows[i].fp16,
				[DTYPE_BF16] = rows[i].bf16,
				[DTYPE_FP8] = rows[i].fp8,
				[DTYPE_FP4] = rows[i].fp4 } };
		a.bits[PART_DENSE] = rows[i].dense;
		a.bits[PART_EXPERTS] = rows[i].experts;
		cr_expect(epsilon_eq(dbl, model_fit_on(&a, &goal, &g).decode_s,
				  35400 / rows[i].used, 1e-6),
			"row %zu", i);
	}
}

/* Layers are converted; head, embedding, routers and norms keep what they have. */
Test(model_fit, weights_are_stored_or_converted)
{
	const struct architecture a = small();
	struct fit_goal eight = goal;
	const struct architecture as_it_is = fit_stored(&a, &eight);
	eight.stored = false;
	eight.weights = DTYPE_FP8;
	const struct architecture b = fit_stored(&a, &eight);
	for (size_t p = 0; p < N_WEIGHT_PARTS; p++) {
		bool layers = p == PART_MIXING || p == PART_DENSE || p == PART_EXPERTS ||
			      p == PART_SHARED;
		cr_expect(eq(dbl, as_it_is.bits[p], 16));
		cr_expect(eq(dbl, b.bits[p], layers ? 8 : 16), "%s", weight_part_ids[p]);
	}
	cr_expect(eq(str, (char *)as_it_is.storage, "BF16"));
	cr_expect(eq(str, (char *)b.storage, "FP8"));
	/* 1,400 weights in one byte. */
	cr_expect(eq(dbl, model_fit_on(&b, &goal, &card).weight_bytes, 4900 - 1400));
}

/* context, users, gpu, weights, cache, slack, memory, as words and as knobs have them. */
Test(model_fit, knobs_are_read)
{
	struct tables t = load_tables();
	struct architecture a = small();
	const double any = (double)t.n_gpus;
	const double v[] = { 8192, 7, any, 0, 1, 0, 80 }, w[] = { 500, 1, 0, 2, 2, 512, 90 };
	cr_assert(eq(sz, model_goals.n_knobs, sizeof v / sizeof *v));
	struct fit_goal g = fit_goal_of(&t, &a, v);
	cr_expect(eq(dbl, g.context, 1000));
	cr_expect(eq(dbl, g.users, 7));
	cr_expect(epsilon_eq(dbl, g.memory_share, 0.8, 1e-12));
	cr_expect(eq(int, g.kv, DTYPE_FP8));
	cr_expect(g.stored && !g.gpu);
	g = fit_goal_of(&t, &a, w);
	cr_expect(eq(dbl, g.context, 500));
	cr_expect(eq(int, g.kv, DTYPE_FP4));
	cr_expect(eq(int, g.weights, DTYPE_FP8));
	cr_expect(zero(int, g.stored));
	cr_expect(g.gpu == &t.gpus[0]);
	cr_expect(eq(dbl, g.slack, 512));
	a.context = 0;
	cr_expect(eq(dbl, fit_goal_of(&t, &a, v).context, 8192));
	tables_release(&t);
}

/* An A100 of 40 GB, of 2020, is the smallest and oldest that is listed. */
Test(model_fit, lists_cards_of_a_datacentre)
{
	const struct accelerator a100 = {
		.memory_bytes = 40e9, .usd_per_hour = 0.5, .year = 2020, .link_bandwidth = 0.5
	};
	struct accelerator small_one = a100, old = a100, unpriced = a100, lonely = a100;
	small_one.memory_bytes = 39e9;
	old.year = 2019;
	unpriced.usd_per_hour = 0;
	lonely.link_bandwidth = 0;
	cr_expect(fit_lists(&a100));
	cr_expect(zero(int, fit_lists(&small_one)));
	cr_expect(zero(int, fit_lists(&old)));
	cr_expect(zero(int, fit_lists(&unpriced)));
	cr_expect(zero(int, fit_lists(&lonely)));
}
