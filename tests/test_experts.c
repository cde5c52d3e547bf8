/* The routed experts of a layer on one GPU, against numbers worked by hand. */
#include "sims/gpu/experts.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

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

/* Two of four experts, one on each of four GPUs, two nodes; links of 10 B/s inside, 1 B/s beyond, so that
 * only those count. Straight, 2/3 of what goes to others leaves the node: of 60 B 45 are for others and 30
 * leave. Handed on, a token goes to a node that has any of its experts, 2 x 5/6 nodes instead of 2 GPUs:
 * half of 50 B leave. From more than 256 tokens on that is what they take, but no less than 256. */
Test(experts, many_tokens_cross_the_network_once_a_node)
{
	const struct feed four = {
		.experts = 4, .per_token = 2, .expert_width = 64, .expert = 3 * 64.0 * 64
	};
	const struct experts e = experts_of(&four, 64, 4, 1, DTYPE_BF16, DTYPE_BF16);
	const struct network net = network_ideal(2, 10, 1, 0), one = network_ideal(4, 10, 1, 0);
	const struct expert_travel far = { &net, 4, 4 }, near = { &one, 4, 4 };
	static const struct {
		double tokens, s;
		bool handed_on;
	} rows[] = { { 1, 30, false }, { 256, 30, false }, { 257, 30 * 256 / 257., true },
		{ 512, 25, true } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double s = experts_travel_s(&e, &far, rows[i].tokens, 60);
		cr_expect(epsilon_eq(dbl, s, rows[i].s, 1e-9), "%g: %g", rows[i].tokens, s);
		cr_expect(eq(int, experts_hand_on(&far, rows[i].tokens), rows[i].handed_on));
	}
	cr_expect(not(experts_hand_on(&near, 512)));
	cr_expect(epsilon_eq(dbl, experts_travel_s(&e, &near, 512, 60), 4.5, 1e-9));
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

/* A second is a FLOP of a product on one, a byte of traffic on the other. */
static const struct accelerator work = { .id = "work",
	.family = "counting",
	.peak_flops = { [DTYPE_BF16] = 1 },
	.bandwidth = 1e300,
	.achieved = { .compute = 1, .memory = 1 } };
static const struct accelerator traffic = { .id = "traffic",
	.family = "counting",
	.peak_flops = { [DTYPE_BF16] = 1e300 },
	.bandwidth = 1,
	.achieved = { .compute = 1, .memory = 1 } };

/* gpt-oss-20b cuts experts 2,880 wide in eight parts of 360, which kernels take as 384 = 3 x 128. What
 * is narrower than 128 stays as it is. Three matrices have a gate, two have none. */
Test(experts, parts_are_padded)
{
	const struct feed oss = {
		.experts = 32, .per_token = 4, .expert_width = 2880, .expert = 3 * 2880.0 * 2880
	};
	const struct feed narrow = {
		.experts = 8, .per_token = 2, .expert_width = 100, .expert = 2 * 64 * 100
	};
	struct experts e = experts_of(&oss, 2880, 2, 8, DTYPE_FP4, DTYPE_BF16);
	cr_expect(eq(dbl, e.width, 384));
	cr_expect(eq(dbl, e.held, 16));
	cr_expect(eq(dbl, e.hot, 1));
	cr_expect(e.gated);
	cr_expect(eq(dbl, experts_of(&oss, 2880, 1, 1, DTYPE_FP4, DTYPE_BF16).width, 2880));
	e = experts_of(&narrow, 64, 1, 2, DTYPE_BF16, DTYPE_BF16);
	cr_expect(eq(dbl, e.width, 100));
	cr_expect(zero(int, e.gated));
}

/* One token takes two of eight experts: a GPU that holds one of them reads it for one token in four. An
 * expert of 256 in 64 has 2 x 256 x 64 and 64 x 256 weights, without a gate 256 x 64 twice. Were twice
 * as many tokens to come, 1 - 0.75^2 would. */
Test(experts, part_of_an_expert_is_read)
{
	const struct feed f = {
		.experts = 8, .per_token = 2, .expert_width = 256, .expert = 3 * 64 * 256
	};
	const struct feed two = {
		.experts = 8, .per_token = 2, .expert_width = 256, .expert = 2 * 64 * 256
	};
	struct experts e = experts_of(&f, 64, 8, 1, DTYPE_BF16, DTYPE_BF16);
	const struct experts open = experts_of(&two, 64, 8, 1, DTYPE_BF16, DTYPE_BF16);
	cr_expect(epsilon_eq(dbl, experts_products_s(&work, &e, 1), 0.25 * 2 * 3 * 64 * 256, 1e-6));
	cr_expect(epsilon_eq(
		dbl, experts_products_s(&work, &open, 1), 0.25 * 2 * 2 * 64 * 256, 1e-6));
	/* A row of 64 comes in and of 512 goes out, 256 in and 64 out, beside the weights. */
	cr_expect(epsilon_eq(dbl, experts_products_s(&traffic, &e, 1),
		0.25 * 2 * (64 + 2 * 256 * 64 + 512 + 256 + 256 * 64 + 64), 1e-6));
	e.hot = 2;
	cr_expect(epsilon_eq(dbl, experts_rows(&e, 1), 0.5, 1e-12));
	cr_expect(epsilon_eq(dbl, experts_read(&e, 1), 1 - 0.75 * 0.75, 1e-12));
}

/* Ten tokens of 64, twenty rows of them here, eight experts 256 wide. Scores: 640 numbers in, 512 weights,
 * 80 out, of 2 B. The choice: 80 of 4 B. Sorting reads ten and writes twenty rows, adding up the reverse.
 * A gate takes two halves and gives one; without it, one in, one out. */
Test(experts, routing_by_hand)
{
	const struct feed f = {
		.experts = 8, .per_token = 2, .expert_width = 256, .expert = 3 * 64 * 256
	};
	struct experts e = experts_of(&f, 64, 1, 1, DTYPE_BF16, DTYPE_BF16);
	double scores = 2 * (640 + 512 + 80), choice = 4 * 80, rows = 2 * 64 * 30;
	cr_expect(epsilon_eq(dbl, experts_routing_s(&traffic, &e, 10, 20),
		scores + choice + 2 * rows + 2 * 20 * 3 * 256, 1e-6));
	e.gated = false;
	cr_expect(epsilon_eq(dbl, experts_routing_s(&traffic, &e, 10, 20),
		scores + choice + 2 * rows + 2 * 20 * 2 * 256, 1e-6));
	cr_expect(epsilon_eq(dbl, experts_routing_s(&work, &e, 10, 20), 2 * 10 * 8 * 64, 1e-6));
	/* Scores of less than a token are those of one. */
	cr_expect(epsilon_eq(dbl, experts_routing_s(&work, &e, 0.5, 1), 2 * 8 * 64, 1e-6));
}

/* Two groups of which one has each of four rows: 1 + sqrt(2 ln 2 / 2). */
Test(experts, chance_of_two_groups)
{
	cr_expect(epsilon_eq(dbl, experts_chance_peak(2, 4), 1.8326, 1e-4));
	cr_expect(epsilon_eq(dbl, experts_chance_peak(2, 1), 2, 0));
	cr_expect(eq(dbl, experts_chance_peak(2, 0), 1));
}
