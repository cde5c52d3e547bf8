/* The routed experts of a layer on one GPU, against numbers worked by hand. */
#include "sims/gpu/experts.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* Without SMs, so that a product takes a launch and the longer of its work and its traffic: 500 GB/s
 * and 80 TFLOP/s are reached. */
static const struct accelerator toy = {
	.id = "toy",
	.family = "toy",
	.peak_flops = { [DTYPE_BF16] = 100e12, [DTYPE_FP8] = 200e12 },
	.bandwidth = 1e12,
	.achieved = { .compute = 0.8, .memory = 0.5, .launch_s = 2e-6 },
};

/* Mixtral's: 8 experts of three matrices, 4096 x 14336, of which a token takes two. */
static const struct feed mixtral = {
	.experts = 8, .per_token = 2, .expert_width = 14336, .expert = 3 * 4096.0 * 14336
};

static struct experts dealt(double groups, double split)
{
	return experts_of(&mixtral, 4096, groups, split, DTYPE_BF16, DTYPE_BF16);
}

/* One token reads 2 experts, two tokens 8 (1 - 0.75^2) = 3.5 of them in the mean. */
Test(experts, tokens_share_experts)
{
	const struct experts whole = dealt(1, 1), quarter = dealt(4, 1);
	cr_expect(epsilon_eq(dbl, experts_read(&whole, 1), 2, 1e-12));
	cr_expect(epsilon_eq(dbl, experts_read(&whole, 2), 3.5, 1e-12));
	cr_expect(epsilon_eq(dbl, experts_read(&quarter, 2), 0.875, 1e-12));
	cr_expect(epsilon_eq(dbl, experts_rows(&whole, 64), 128, 1e-9));
	cr_expect(epsilon_eq(dbl, experts_rows(&quarter, 64), 32, 1e-9));
}

/* Of one token: 2 x 3 x 4096 x 14336 weights of 2 B are 704.6 MB, 1.409 ms at 500 GB/s, and two
 * launches. Of 10,000 tokens: 2 x 10,000 x 2 x 176.2 MFLOP are 7.046 TFLOP, 88.08 ms. */
Test(experts, products_by_hand)
{
	const struct experts whole = dealt(1, 1);
	cr_expect(epsilon_eq(dbl, experts_products_s(&toy, &whole, 1), 1.4133e-3, 2e-6));
	cr_expect(epsilon_eq(dbl, experts_products_s(&toy, &whole, 10000), 88.08e-3, 0.2e-3));
	cr_expect(experts_products_s(&toy, &whole, 0) == 0);
}

/* Where rows are known: eight experts with 2,500 rows each are what 10,000 tokens are in the mean. Of one
 * expert alone 5,000 rows are 2 x 5,000 x 176.2 MFLOP, 22.02 ms. Two with 1,000 and 3,000 rows are 4,000
 * rows in all, 17.62 ms; experts without rows cost nothing. */
Test(experts, drawn_rows_by_hand)
{
	const struct experts whole = dealt(1, 1);
	const uint32_t even[8] = { 2500, 2500, 2500, 2500, 2500, 2500, 2500, 2500 };
	const uint32_t one[8] = { 0, 0, 5000 }, two[8] = { 1000, 0, 0, 3000 }, none[8] = { 0 };
	cr_expect(epsilon_eq(dbl, experts_drawn_s(&toy, &whole, even, 8),
		experts_products_s(&toy, &whole, 10000), 1e-9));
	cr_expect(epsilon_eq(dbl, experts_drawn_s(&toy, &whole, one, 8), 22.02e-3, 0.05e-3));
	cr_expect(epsilon_eq(dbl, experts_drawn_s(&toy, &whole, two, 8), 17.62e-3, 0.05e-3));
	cr_expect(experts_drawn_s(&toy, &whole, none, 8) == 0);
}

/* Dealt to 8 GPUs, or each cut in eight: the same bytes when all are read, an eighth of them. */
Test(experts, groups_and_splits_share_the_work)
{
	const struct experts groups = dealt(8, 1), split = dealt(1, 8), whole = dealt(1, 1);
	double all_s = experts_products_s(&toy, &whole, 256) - 4e-6;
	cr_expect(epsilon_eq(
		dbl, experts_products_s(&toy, &groups, 256) - 4e-6, all_s / 8, all_s / 100));
	cr_expect(epsilon_eq(
		dbl, experts_products_s(&toy, &split, 256) - 4e-6, all_s / 8, all_s / 20));
}

/* One expert on each of 8 GPUs: two copies. Two on each of 4: a GPU has none of a token's with
 * 6/8 x 5/7 = 30/56, so 4 x 26/56 copies. All on one: one. */
Test(experts, a_token_is_sent_once_to_a_gpu)
{
	const struct experts one = dealt(8, 1), two = dealt(4, 1), all = dealt(1, 1);
	cr_expect(epsilon_eq(dbl, experts_sent_tokens(&one, 8, 10), 20, 1e-9));
	cr_expect(epsilon_eq(dbl, experts_sent_tokens(&two, 4, 1), 4 * 26 / 56.0, 1e-12));
	cr_expect(epsilon_eq(dbl, experts_sent_tokens(&all, 1, 3), 3, 1e-12));
}

/* 8 GPUs with 800 rows: sqrt(2 ln 8 / 100) = 0.204 above the mean. With one row the mean is
 * an eighth: sqrt(2 ln 8 x 8) = 5.768 above. */
Test(experts, chance_makes_one_gpu_the_busiest)
{
	cr_expect(epsilon_eq(dbl, experts_chance_peak(8, 800), 1.2039, 1e-4));
	cr_expect(epsilon_eq(dbl, experts_chance_peak(8, 1), 6.768, 1e-3));
	cr_expect(epsilon_eq(dbl, experts_chance_peak(1, 1), 1, 0));
	cr_expect(experts_chance_peak(4, 0.1) == 4);
}

/* More tokens take no less time, and a busier GPU no less either. */
Test(experts, more_tokens_take_longer)
{
	struct experts e = dealt(8, 1), hot = e;
	hot.hot = 1.5;
	double before = 0;
	for (double tokens = 1; tokens < 1e5; tokens *= 2) {
		double s = experts_products_s(&toy, &e, tokens);
		cr_expect(s >= before, "%g tokens", tokens);
		cr_expect(experts_products_s(&toy, &hot, tokens) >= s, "%g tokens", tokens);
		before = s;
	}
}
