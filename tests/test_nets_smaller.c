/* Networks made smaller: codes and zero points by hand, GPTQ against rounding, outliers,
 * pruning. */
#include "sims/formulas/compression.h"
#include "sims/compression/compress.h"
#include "sims/compression/half.h"
#include "sims/base/rng.h"
#include "tests/nets.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- quantisation ---------------------------------------------------------------------------- */

/* Codes are F7.1's, whatever the width and the scheme. */
Test(nets, codes_are_those_of_the_formula)
{
	struct rng r = rng_stream(5, "codes", 0);
	for (unsigned bits = 2; bits <= 8; bits++) {
		float w[64];
		struct mlp_layer l = { 64, 1, w, NULL };
		struct quantiser q = { bits, PER_CHANNEL, 0, false, ROUND_NEAREST };
		struct arena a = { 0 };
		struct grids g;
		for (size_t i = 0; i < COUNT(w); i++)
			w[i] = (float)rng_normal(&r);
		cr_assert(zero(int, grids_of(&g, &a, &l, &q)));
		cr_assert(eq(sz, g.n, 1));
		double scale = (double)g.grid[0].scale, largest = 0;
		for (size_t i = 0; i < COUNT(w); i++) {
			double want = CALL(
				quant_code, .weight = (double)w[i], .scale = scale, .bits = bits);
			largest = fmax(largest, fabs((double)w[i]));
			cr_expect(eq(dbl, (double)code_of(g.grid, w[i]), want), "%u bits", bits);
			cr_expect(epsilon_eq(dbl, (double)code_value(g.grid, code_of(g.grid, w[i])),
				scale * want, 1e-9));
		}
		/* The scale is FP16: 11 bits of it are right. */
		double want = CALL(quant_scale, .max_abs = largest, .bits = bits);
		cr_expect(epsilon_eq(dbl, scale, want, want * 0x1p-11));
		arena_release(&a);
	}
}

/* One scale for all, one for each output, or one for each group of inputs: a group that is begun
 * has one too, and no group is longer than a row. */
Test(nets, scales_by_hand)
{
	static const struct {
		size_t in, group;
		enum granularity granularity;
		unsigned bits;
		size_t scales; /* of 3 outputs */
	} rows[] = { { 64, 32, PER_TENSOR, 4, 1 }, { 64, 32, PER_CHANNEL, 4, 3 },
		{ 31, 32, PER_GROUP, 4, 3 }, { 32, 32, PER_GROUP, 4, 3 },
		{ 33, 32, PER_GROUP, 4, 6 }, { 64, 32, PER_GROUP, 4, 6 },
		{ 65, 32, PER_GROUP, 4, 9 }, { 64, 32, PER_GROUP, UNQUANTISED_BITS, 0 },
		{ 64, 32, PER_GROUP, UNQUANTISED_BITS - 1, 6 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct mlp_layer l = { .in = rows[i].in, .out = 3 };
		struct quantiser q = { .bits = rows[i].bits,
			.granularity = rows[i].granularity,
			.group = rows[i].group };
		cr_expect(eq(sz, scales_of(&l, &q), rows[i].scales), "row %zu", i);
	}
}

/* 2 bits from 0 with a zero point: -1..2 in steps of 1, zero at code 1. */
Test(nets, a_zero_point_by_hand)
{
	float w[] = { -1, 2, 0.4F, 0.6F, 5 };
	struct mlp_layer l = { 4, 1, w, NULL };
	struct quantiser q = { 2, PER_TENSOR, 0, true, ROUND_NEAREST };
	struct arena a = { 0 };
	struct grids g;
	static const float codes[] = { 0, 3, 1, 2, 3 };
	cr_assert(zero(int, grids_of(&g, &a, &l, &q)));
	for (size_t i = 0; i < COUNT(w); i++)
		cr_expect(eq(flt, code_of(g.grid, w[i]), codes[i]), "%zu", i);
	cr_expect(all(eq(flt, code_value(g.grid, 1), 0), eq(flt, code_value(g.grid, 0), -1)));
	arena_release(&a);
}

/* C8, E32 and the reference for it: mean absolute error and signal to noise of normal weights,
 * 4,096 inputs. */
Test(nets, normal_weights_lose_what_theory_says)
{
	enum { ROWS = 128, COLUMNS = 4096 };
	static const struct {
		unsigned bits;
		enum granularity granularity;
		size_t group;
		double mae, snr_db;
	} rows[] = {
		{ 8, PER_CHANNEL, 0, 0.00748, 41.2 },
		{ 8, PER_GROUP, 128, 0.00552, 43.8 },
		{ 4, PER_CHANNEL, 0, 0.1357, 16.1 },
		{ 4, PER_GROUP, 128, 0.1002, 18.6 },
		{ 3, PER_CHANNEL, 0, 0.3165, NAN },
		{ 2, PER_CHANNEL, 0, 0.7507, NAN },
	};
	struct rng r = rng_stream(7, "normal", 0);
	struct arena a = { 0 };
	float *w = arena_array(&a, ROWS * COLUMNS, sizeof *w);
	struct mlp_layer l = { COLUMNS, ROWS, w, NULL };
	for (size_t i = 0; i < ROWS * COLUMNS; i++)
		w[i] = (float)rng_normal(&r);
	for (size_t k = 0; k < COUNT(rows); k++) {
		struct quantiser q = { rows[k].bits, rows[k].granularity, rows[k].group, false,
			ROUND_NEAREST };
		struct grids g;
		double off = 0, squares = 0, power = 0;
		cr_assert(zero(int, grids_of(&g, &a, &l, &q)));
		for (size_t i = 0; i < ROWS * COLUMNS; i++) {
			const struct code_grid *grid = grid_at(&g, i / COLUMNS, i % COLUMNS);
			double e = (double)(w[i] - code_value(grid, code_of(grid, w[i])));
			off += fabs(e);
			squares += e * e;
			power += (double)w[i] * (double)w[i];
		}
		double mae = off / (ROWS * COLUMNS);
		/* The largest of 4,096 differs by 8 % from row to row: by 0.7 % in 128 rows. */
		cr_expect(epsilon_eq(dbl, mae, rows[k].mae, 0.02 * rows[k].mae), "row %zu: %g", k,
			mae);
		if (!isnan(rows[k].snr_db))
			cr_expect(
				epsilon_eq(dbl, 10 * log10(power / squares), rows[k].snr_db, 0.2));
	}
	arena_release(&a);
}

/* Inputs 1 and 2 are the same, 3 is independent of them; a row's largest weight makes the scale 1.
 * What the first rounding takes, all but a hundredth, is the second weight's to give back. */
Test(nets, gptq_by_hand)
{
	static const struct {
		float w[3];
		enum rounding how;
		float want[3];
	} rows[] = {
		{ { 1.4F, 1.3F, 3 }, ROUND_NEAREST, { 1, 1, 3 } },
		{ { 1.4F, 1.3F, 3 }, ROUND_GPTQ, { 1, 2, 3 } },
		{ { 1.4F, 1.3F, 3 }, ROUND_GPTQ_WRONG_SIGN, { 1, 1, 3 } },
		{ { 1.4F, 0.8F, 3 }, ROUND_GPTQ, { 1, 1, 3 } },
		{ { 1.4F, 0.8F, 3 }, ROUND_GPTQ_WRONG_SIGN, { 1, 0, 3 } },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		float w[3], bias = 0, x[3 * LANES];
		struct mlp_layer l = { 3, 1, w, &bias };
		struct quantiser q = { 3, PER_CHANNEL, 0, false, rows[i].how };
		struct arena a = { 0 };
		struct curvature c;
		memcpy(w, rows[i].w, sizeof w);
		for (size_t b = 0; b < LANES; b++) {
			x[b] = x[LANES + b] = 1;
			x[2 * LANES + b] = b % 2 ? 1 : -1;
		}
		cr_assert(zero(int, curvature_of(&c, &a, x, 1, 3)));
		cr_assert(zero(int, layer_quantise(&l, &a, &q, &c, NULL)));
		for (size_t j = 0; j < 3; j++)
			cr_expect(eq(flt, w[j], rows[i].want[j]), "row %zu, weight %zu", i, j);
		arena_release(&a);
	}
}

/* U^T U is the inverse of the damped H = 2 X X^T. */
Test(nets, the_factor_is_that_of_the_inverse)
{
	enum { N = 7, BLOCKS = 2 };
	struct rng r = rng_stream(9, "factor", 0);
	struct arena a = { 0 };
	struct curvature c;
	float x[BLOCKS * N * LANES];
	double h[N][N] = { 0 }, trace = 0;
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = (float)rng_normal(&r);
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			for (size_t b = 0; b < BLOCKS * LANES; b++)
				h[i][j] += 2 * (double)x[(b / LANES * N + i) * LANES + b % LANES] *
					   (double)x[(b / LANES * N + j) * LANES + b % LANES];
	for (size_t i = 0; i < N; i++)
		trace += h[i][i];
	for (size_t i = 0; i < N; i++)
		h[i][i] += 0.01 * trace / N;
	cr_assert(zero(int, curvature_of(&c, &a, x, BLOCKS, N)));
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++) {
			double sum = 0;
			for (size_t k = 0; k < N; k++)
				for (size_t m = 0; m < N; m++)
					sum += c.u[m * N + i] * c.u[m * N + k] * h[k][j];
			cr_expect(epsilon_eq(dbl, sum, i == j, 1e-4), "%zu, %zu", i, j);
			cr_expect(j >= i || c.u[i * N + j] == 0);
		}
	arena_release(&a);
}

/* Inputs that are always 0 say nothing of how weights can help each other: then each stands alone. */
Test(nets, nothing_seen_is_no_curvature)
{
	enum { N = 3 };
	static const float x[N * LANES] = { 0 };
	struct arena a = { 0 };
	struct curvature c;
	cr_assert(zero(int, curvature_of(&c, &a, x, 1, N)));
	for (size_t i = 0; i < N; i++)
		for (size_t j = 0; j < N; j++)
			cr_expect(eq(dbl, c.u[i * N + j], i == j));
	arena_release(&a);
}

/* E7 on the real layers: compensation beats rounding, with the other sign it is worse than none. */
Test(nets, gptq_beats_rounding_and_the_wrong_sign_loses)
{
	struct nets_world w;
	world_init(&w);
	const struct recipe plain = { .outliers = 1, .quantiser = { .rounding = ROUND_GPTQ } };
	struct calibrated c;
	cr_assert(zero(int, calibrate(&c, &w.arena, &w.nets.taught[0][0], &w.calibration, &plain)));
	for (unsigned bits = 2; bits <= 4; bits++)
		for (size_t k = 0; k < c.net.n_layers; k++) {
			double error[3];
			for (unsigned how = 0; how < 3; how++) {
				struct quantiser q = { bits, PER_CHANNEL, 0, false,
					(enum rounding)how };
				struct mlp m;
				cr_assert(zero(int, mlp_copy(&m, &w.arena, &c.net)));
				cr_assert(zero(int, layer_quantise(&m.layer[k], &w.arena, &q,
							    &c.curvature[k], NULL)));
				cr_assert(zero(
					int, output_error(&error[how], &w.arena, &c.net.layer[k],
						     &m.layer[k], c.input[k], c.n_blocks)));
			}
			cr_expect(lt(dbl, error[ROUND_GPTQ], error[ROUND_NEAREST] / 2),
				"%u bits, layer %zu", bits, k);
			cr_expect(lt(dbl, error[ROUND_NEAREST], error[ROUND_GPTQ_WRONG_SIGN]),
				"%u bits, layer %zu", bits, k);
		}
	world_release(&w);
}

/* --- channels -------------------------------------------------------------------------------- */

/* What is moved between channels and weights changes no output, but for rounding of FP32. */
Test(nets, outliers_and_smoothing_leave_the_answers)
{
	static const struct recipe rows[] = {
		{ .outliers = 64 },
		{ .outliers = 64, .smoothing = SMOOTH_QUANT, .strength = 0.5 },
		{ .outliers = 8, .smoothing = SMOOTH_AWQ, .strength = 1 },
		{ .outliers = 1, .smoothing = SMOOTH_AWQ, .strength = 0.3 },
	};
	struct nets_world w;
	unsigned char before[2000];
	world_init(&w);
	mlp_answer(&w.nets.taught[0][0], NULL, &w.test, before);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct calibrated c;
		cr_assert(zero(int,
			calibrate(&c, &w.arena, &w.nets.taught[0][0], &w.calibration, &rows[i])));
		mlp_answer(&c.net, NULL, &w.test, w.answer);
		cr_expect(zero(int, memcmp(before, w.answer, w.test.n)), "row %zu", i);
		cr_expect(ne(flt, c.net.layer[1].weight[OUTLIER_FIRST],
			w.nets.taught[0][0].layer[1].weight[OUTLIER_FIRST]));
	}
	world_release(&w);
}

/* At full strength AWQ makes the mean of every channel that is active 1, SmoothQuant its
 * largest. */
Test(nets, smoothing_at_full_strength)
{
	struct nets_world w;
	world_init(&w);
	for (enum smoothing how = SMOOTH_QUANT; how <= SMOOTH_AWQ; how++) {
		const struct recipe r = { .outliers = 16, .smoothing = how, .strength = 1 };
		struct calibrated c;
		size_t active = 0;
		cr_assert(zero(
			int, calibrate(&c, &w.arena, &w.nets.taught[0][0], &w.calibration, &r)));
		for (size_t i = 0; i < c.net.layer[1].in; i++) {
			const struct channel *one = &c.channel[1][i];
			double got = (double)(how == SMOOTH_AWQ ? one->mean : one->largest);
			if (!(one->largest > 0))
				continue;
			active++;
			cr_expect(epsilon_eq(dbl, got, 1, 1e-4), "channel %zu", i);
		}
		cr_expect(lt(sz, 80, active));
	}
	world_release(&w);
}

/* --- pruning --------------------------------------------------------------------------------- */

Test(nets, masks_by_hand)
{
	static const struct {
		enum pattern pattern;
		double sparsity;
		bool wanda;
		const char *keep;
	} rows[] = {
		{ PRUNE_WEIGHTS, 0, false, "11111111" },
		{ PRUNE_WEIGHTS, 0.5, false, "01101001" }, /* 0.9 -0.8 0.7 -0.6 stay */
		{ PRUNE_WEIGHTS, 0.75, false, "00100001" },
		{ PRUNE_WEIGHTS, 0.5, true, "10100101" }, /* the first and sixth input are large */
		{ PRUNE_2_OF_4, 0, false, "01101001" },
		{ PRUNE_2_OF_4, 0, true, "10100101" },
	};
	float w[] = { 0.1F, 0.6F, 0.9F, -0.2F, 0.7F, 0.5F, -0.3F, -0.8F };
	struct channel c[8];
	struct mlp_layer l = { 8, 1, w, NULL };
	for (size_t i = 0; i < 8; i++)
		c[i].norm = i == 0 || i == 5 ? 10 : 1;
	for (size_t i = 0; i < COUNT(rows); i++) {
		unsigned char keep[8];
		prune_mask(keep, &l, rows[i].pattern, rows[i].sparsity, rows[i].wanda ? c : NULL);
		for (size_t j = 0; j < 8; j++)
			cr_expect(eq(int, keep[j], rows[i].keep[j] - '0'), "row %zu, weight %zu", i,
				j);
	}
}

Test(nets, masks_keep_the_largest)
{
	struct rng r = rng_stream(11, "mask", 0);
	for (int trial = 0; trial < 200; trial++) {
		size_t n = 1 + rng_below(&r, MLP_WIDTH), kept = 0;
		double sparsity = rng_uniform(&r);
		float w[MLP_WIDTH], least = INFINITY, most = 0;
		unsigned char keep[MLP_WIDTH];
		struct mlp_layer l = { n, 1, w, NULL };
		for (size_t i = 0; i < n; i++) /* few values: many are equal */
			w[i] = (float)rng_below(&r, trial % 2 ? 5 : 100000) - 2;
		prune_mask(keep, &l, PRUNE_WEIGHTS, sparsity, NULL);
		for (size_t i = 0; i < n; i++) {
			kept += keep[i];
			least = keep[i] ? fminf(least, fabsf(w[i])) : least;
			most = keep[i] ? most : fmaxf(most, fabsf(w[i]));
		}
		cr_expect(eq(sz, kept, n - (size_t)(sparsity * (double)n + 0.5)));
		cr_expect(le(flt, most, least), "trial %d", trial);
	}
}

/* A neuron that says nothing goes first, and nothing changes. */
Test(nets, silent_neurons_go_first)
{
	struct nets_world w;
	struct mlp m, small;
	unsigned char before[2000];
	world_init(&w);
	cr_assert(zero(int, mlp_copy(&m, &w.arena, &w.nets.taught[1][0])));
	for (size_t c = 0; c < 12; c++) /* a quarter of the 48 */
		for (size_t o = 0; o < m.layer[1].out; o++)
			m.layer[1].weight[o * m.layer[1].in + 4 * c] = 0;
	for (size_t c = 0; c < 6; c++) /* and of the 24 */
		for (size_t o = 0; o < m.layer[2].out; o++)
			m.layer[2].weight[o * m.layer[2].in + 4 * c + 1] = 0;
	mlp_answer(&m, NULL, &w.test, before);
	cr_assert(zero(int, prune_neurons(&small, &w.arena, &m, 0.25, NULL)));
	cr_expect(all(eq(sz, small.layer[0].out, 36), eq(sz, small.layer[1].in, 36)));
	cr_expect(all(eq(sz, small.layer[1].out, 18), eq(sz, small.layer[2].out, 10)));
	mlp_answer(&small, NULL, &w.test, w.answer);
	cr_expect(zero(int, memcmp(before, w.answer, w.test.n)));
	cr_assert(zero(int, prune_neurons(&small, &w.arena, &m, 0.99, NULL)));
	cr_expect(all(eq(sz, small.layer[0].out, 1), eq(sz, small.layer[1].out, 1)));
	world_release(&w);
}
