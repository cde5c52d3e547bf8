/* Bytes of weights and caches, counted by hand, of plain models and of one of each kind of part. */
#include "sims/architecture/model_bytes.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* 4 layers of 2 KV heads of 5: a token is 2 x 2 x 5 x 4 = 80 numbers. */
static const struct model plain = { .params = 1000, .layers = 4, .kv_heads = 2, .head_dim = 5 };

Test(model_bytes, of_a_plain_model)
{
	struct model windowed = plain;
	cr_expect(eq(dbl, model_weight_bytes(&plain, DTYPE_BF16), 2000));
	cr_expect(eq(dbl, model_weight_bytes(&plain, DTYPE_FP8), 1000));
	cr_expect(eq(dbl, model_weight_bytes_copied(&plain, DTYPE_FP8, 3), 3000));
	cr_expect(eq(dbl, model_read_bytes(&plain, DTYPE_BF16, 7), 2000));
	cr_expect(eq(dbl, model_kv_bytes_per_token(&plain, DTYPE_BF16), 160));
	cr_expect(eq(dbl, model_cache_bytes(&plain, DTYPE_FP8, 25, 1), 25 * 80));
	/* Eight GPUs hold each of the two heads four times. */
	cr_expect(eq(dbl, model_cache_bytes(&plain, DTYPE_BF16, 25, 2), 2 * 25 * 80));
	cr_expect(eq(dbl, model_cache_bytes(&plain, DTYPE_BF16, 25, 8), 4 * 2 * 25 * 80));
	/* One layer keeps all 25, three the last ten: 55 rows of 20. */
	windowed.window = 10;
	windowed.full_layers = 1;
	cr_expect(eq(dbl, model_cache_bytes(&windowed, DTYPE_FP8, 25, 1), 55 * 20));
	cr_expect(eq(dbl, model_cache_bytes(&windowed, DTYPE_FP8, 7, 1), 4 * 7 * 20));
	/* One token is narrower than any window. */
	windowed.window = 1;
	cr_expect(eq(dbl, model_cache_bytes(&windowed, DTYPE_FP8, 25, 1), 28 * 20));
}

/* One layer: 100 weights that mix, 200 dense ones, 8 experts of 30, of which a token takes 2, a shared
 * one of 50, a router of 8, norms of 4; a head and an embedding of 20. */
static struct architecture one_of_each(double mixing_bits)
{
	struct architecture a = { .layers = 1,
		.embedding = 20,
		.head = 20,
		.n_groups = 1,
		.groups = { { .n = 1,
			.mixer = { .matrices = 100 },
			.feed = { .matrices = 200,
				.experts = 8,
				.per_token = 2,
				.expert = 30,
				.shared = 50,
				.router = 8 },
			.norms = 4 } },
		.bits = { [PART_HEAD] = 16,
			[PART_MIXING] = mixing_bits,
			[PART_DENSE] = 8.5,
			[PART_EXPERTS] = 4.25,
			[PART_SHARED] = 16 },
		.rest_bits = 16 };
	return a;
}

/* In two bytes 20 + 20 + 8 + 4 = 52 numbers: 104 B. In 16 bits the rest is 200, 212.5, 127.5 and 100 B:
 * what is published in fewer bits stays so. In 8 bits 100, 212.5, 127.5 and 50. In four attention keeps
 * its own type: 200, 100, 127.5 and 25. */
Test(model_bytes, published_types_stay)
{
	const struct architecture a = one_of_each(16), b = one_of_each(8.5);
	const struct model m = { .made_of = &a }, n = { .made_of = &b };
	cr_expect(epsilon_eq(dbl, model_weight_bytes(&m, DTYPE_BF16), 104 + 640, 1e-9));
	cr_expect(epsilon_eq(dbl, model_weight_bytes(&m, DTYPE_FP8), 104 + 490, 1e-9));
	cr_expect(epsilon_eq(dbl, model_weight_bytes(&m, DTYPE_FP4), 104 + 452.5, 1e-9));
	/* Attention of 8.5 bits, of which four make nothing. */
	cr_expect(epsilon_eq(dbl, model_weight_bytes(&n, DTYPE_FP4), 104 + 358.75, 1e-9));
	cr_expect(eq(int, part_dtype(&a, PART_MIXING, DTYPE_FP4), DTYPE_BF16));
	cr_expect(eq(int, part_dtype(&b, PART_MIXING, DTYPE_FP4), DTYPE_FP8));
	cr_expect(eq(int, part_dtype(&a, PART_MIXING, DTYPE_INT8), DTYPE_INT8));
	cr_expect(eq(int, part_dtype(&a, PART_DENSE, DTYPE_BF16), DTYPE_FP8));
	cr_expect(eq(int, part_dtype(&a, PART_EXPERTS, DTYPE_BF16), DTYPE_FP4));
	cr_expect(eq(int, part_dtype(&a, PART_EXPERTS, DTYPE_FP8), DTYPE_FP4));
	cr_expect(eq(int, part_dtype(&a, PART_SHARED, DTYPE_FP4), DTYPE_FP4));
}

/* Three copies share the experts' 127.5 B. One token reads two experts of eight, and of the embedding
 * next to nothing. */
Test(model_bytes, experts_are_shared_and_chosen)
{
	const struct architecture a = one_of_each(16);
	const struct model m = { .made_of = &a };
	cr_expect(epsilon_eq(dbl, model_weight_bytes_copied(&m, DTYPE_BF16, 3),
		3 * (744 - 127.5) + 127.5, 1e-9));
	cr_expect(epsilon_eq(
		dbl, model_read_bytes(&m, DTYPE_BF16, 1), 744 - 40 - 127.5 * 6 / 8, 1e-9));
}

/* Two layers of 2 KV heads with a window of 32 and 44 numbers a token, three of latent vectors of 40, and
 * one state of 1,000. On four GPUs each head lies twice, each vector four times, the state once. */
Test(model_bytes, caches_of_parts)
{
	const struct architecture a = { .layers = 6,
		.n_groups = 3,
		.groups = { { .n = 2,
				    .mixer = { .kind = MIXING_WINDOW,
					    .kv_heads = 2,
					    .window = 32,
					    .cache_elements = 44 } },
			{ .n = 3,
				.mixer = { .kind = MIXING_LATENT,
					.kv_heads = 9,
					.latent = 32,
					.cache_elements = 40 } },
			{ .n = 1, .mixer = { .kind = MIXING_DELTA, .state_elements = 1000 } } } };
	const struct model m = { .made_of = &a };
	struct architecture encoder = a;
	encoder.encoder = true;
	const struct model e = { .made_of = &encoder };
	cr_expect(eq(dbl, model_kv_bytes_per_token(&m, DTYPE_BF16), 2 * (88 + 120)));
	cr_expect(eq(dbl, model_cache_bytes(&m, DTYPE_FP8, 50, 1), 88 * 32 + 120 * 50 + 1000));
	cr_expect(eq(
		dbl, model_cache_bytes(&m, DTYPE_FP8, 50, 4), 2 * 88 * 32 + 4 * 120 * 50 + 1000));
	cr_expect(eq(dbl, model_cache_bytes(&m, DTYPE_BF16, 20, 1), 2 * (208 * 20 + 1000)));
	cr_expect(zero(dbl, model_cache_bytes(&e, DTYPE_BF16, 20, 1)));
}
