/* Small networks: data, arithmetic by hand, and training that gives the shipped bytes again. */
#include "sims/formulas/compression.h"
#include "sims/compression/compress.h"
#include "sims/compression/half.h"
#include "sims/base/rng.h"
#include "tests/nets.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* --- FP16 ------------------------------------------------------------------------------------ */

Test(nets, half_precision)
{
	static const struct {
		double value;
		uint16_t bits;
	} rows[] = { { 0, 0 }, { 1, 0x3c00 }, { -2, 0xc000 }, { 65504, 0x7bff }, { 65519, 0x7bff },
		{ 65520, 0x7c00 }, { 0x1p-14, 0x0400 }, { 0x1p-24, 0x0001 }, { 0x1p-25, 0 },
		{ 0x1.8p-24, 0x0002 }, { 1 + 0x1p-11, 0x3c00 }, { 1 + 0x3p-11, 0x3c02 },
		{ 2 - 0x1p-12, 0x4000 }, { 1.0 / 3, 0x3555 } };
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(eq(u16, half_of((float)rows[i].value), rows[i].bits), "row %zu", i);
	for (unsigned bits = 0; bits < 0x10000; bits++)
		if (!isnan(half_value((uint16_t)bits)))
			cr_expect(eq(u16, half_of(half_value((uint16_t)bits)), (uint16_t)bits));
	/* An exponent of ones is infinite without a fraction, and no number with one. */
	cr_expect(half_value(0x7c00) == INFINITY && half_value(0xfc00) == -INFINITY);
	for (unsigned fraction = 1; fraction < 0x400; fraction *= 2)
		cr_expect(isnan(half_value((uint16_t)(0x7c00 | fraction))));
	cr_expect(isnan(half_value(half_of(NAN))));
}

/* --- A layer ----------------------------------------------------------------------------------- */

/* Sums in the order of the inputs, each product and each sum rounded, on any processor: to the last bit. Five
 * outputs are four together and one. */
Test(nets, a_layer_adds_in_order)
{
	enum { IN = 7, OUT = 5 };
	float weight[OUT * IN], bias[OUT], x[IN * LANES], y[OUT * LANES];
	struct rng r = rng_stream(3, "layer", 0);
	for (size_t i = 0; i < COUNT(weight); i++)
		weight[i] = (float)(rng_uniform(&r) - 0.5);
	for (size_t i = 0; i < COUNT(bias); i++)
		bias[i] = (float)(rng_uniform(&r) - 0.5);
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = (float)(rng_uniform(&r) - 0.5);
	const struct mlp_layer l = { IN, OUT, weight, bias };
	size_t below = 0;
	for (int relu = 0; relu < 2; relu++) {
		layer_forward(&l, x, y, relu);
		for (size_t o = 0; o < OUT; o++)
			for (size_t lane = 0; lane < LANES; lane++) {
				float sum = bias[o];
				for (size_t i = 0; i < IN; i++)
					sum += weight[o * IN + i] * x[i * LANES + lane];
				below += relu && sum < 0;
				cr_expect(y[o * LANES + lane] == (relu && sum < 0 ? 0 : sum));
			}
	}
	cr_expect(ne(sz, below, 0)); /* so that there was something to cut */
}

/* --- the data -------------------------------------------------------------------------------- */

/* Class counts as the UCI repository gives them for this part of its set. */
Test(nets, digits_are_the_published_ones)
{
	static const size_t published[DIGIT_CLASSES] = { 178, 182, 177, 183, 181, 182, 181, 179,
		174, 180 };
	struct nets_world w;
	size_t count[DIGIT_CLASSES] = { 0 };
	world_init(&w);
	cr_expect(eq(sz, w.train.n, 1198));
	cr_expect(eq(sz, w.test.n, 599));
	for (size_t i = 0; i < w.train.n; i++)
		count[w.train.label[i]]++;
	for (size_t i = 0; i < w.test.n; i++)
		count[w.test.label[i]]++;
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		cr_expect(eq(sz, count[c], published[c]), "%zu", c);
	world_release(&w);
}

Test(nets, digits_refused)
{
#define BLANK_63 "000000000000000000000000000000000000000000000000000000000000000"
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "", "line 1: expected images" },
		{ "7 " BLANK_63 "\n", "line 1: expected a digit" },
		{ "7 " BLANK_63 "0\n7 " BLANK_63 "00\n", "line 2: expected a digit" },
		{ "x " BLANK_63 "0\n", "line 1: expected a digit" },
		{ "7:" BLANK_63 "0\n", "line 1: expected a digit" },
		{ "7 " BLANK_63 "h\n", "line 1: expected pixels" },
		{ "\n", "line 1: expected a digit" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct digits d;
		char err[128] = "";
		cr_expect(lt(int,
			digits_read(&d, &a, rows[i].text, DIGITS_TRAIN, ALL, err, sizeof err), 0));
		cr_expect(strstr(err, rows[i].says) != NULL, "row %zu: %s", i, err);
		arena_release(&a);
	}
}

Test(nets, digits_become_ink)
{
	struct arena a = { 0 };
	struct digits d;
	char err[128];
	cr_assert(zero(int, digits_read(&d, &a, "3 g" BLANK_63 "\n4 " BLANK_63 "8", DIGITS_TRAIN,
				    ALL, err, 128)));
	cr_expect(all(eq(sz, d.n, 2), eq(sz, d.n_blocks, 1)));
	cr_expect(all(eq(flt, digit_ink(&d, 0, 0), 1), eq(flt, digit_ink(&d, 0, 1), 0)));
	cr_expect(all(eq(flt, digit_ink(&d, 1, 63), 0.5F), eq(u8, d.label[1], 4)));
	arena_release(&a);
}

Test(nets, networks_refused)
{
	static const char head[] = "network 1/1 labels 64 96 48 10\n";
	static const struct {
		const char *before, *row, *says;
	} rows[] = {
		{ "", "", "line 1: expected \"network 1/1 labels 64 96 48 10\"" },
		{ "network 1/1 labels 64 96 49 10\n", "", "line 1: expected \"network" },
		{ head, "", "line 2: expected a bias" },
		{ head, "3c00\n", "line 2: expected a bias" },
		{ head, "zz", "line 2: expected FP16 numbers" },
		{ head, "7c00", "line 2: expected FP16 numbers" },
		{ head, "7e00", "line 2: expected FP16 numbers" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct networks n;
		char text[512], err[160] = "";
		int used = snprintf(text, sizeof text, "%s%s", rows[i].before, rows[i].row);
		size_t whole = strlen(rows[i].before) + 65 * 4;
		while (strstr(rows[i].says, "FP16") && (size_t)used < whole)
			text[used++] = '0';
		text[used] = '\0';
		cr_expect(lt(int, networks_read(&n, &a, text, err, sizeof err), 0));
		cr_expect(strstr(err, rows[i].says) != NULL, "row %zu: %s", i, err);
		arena_release(&a);
	}
}

/* --- forward --------------------------------------------------------------------------------- */

Test(nets, a_layer_by_hand)
{
	float w[] = { 1, 2, 3, -4 }, bias[] = { 0.5F, -3 }, x[2 * LANES], y[2 * LANES];
	struct mlp_layer l = { 2, 2, w, bias };
	for (size_t lane = 0; lane < LANES; lane++) {
		x[lane] = (float)lane;
		x[LANES + lane] = 1;
	}
	layer_forward(&l, x, y, false);
	for (size_t lane = 0; lane < LANES; lane++) { /* x + 2.5 and 3 x - 7 */
		cr_expect(eq(flt, y[lane], (float)lane + 2.5F));
		cr_expect(eq(flt, y[LANES + lane], 3 * (float)lane - 7));
	}
	layer_forward(&l, x, y, true);
	cr_expect(all(eq(flt, y[LANES + 2], 0), eq(flt, y[LANES + 3], 2)));
	cr_expect(eq(flt, lanes_dot(x, x), 1240)); /* 0 + 1 + 4 + ... + 225 */
}

/* --- training -------------------------------------------------------------------------------- */

static double log_share(const float y[DIGIT_CLASSES], double temperature, size_t c)
{
	double sum = 0;
	for (size_t i = 0; i < DIGIT_CLASSES; i++)
		sum += exp((double)y[i] / temperature);
	return (double)y[c] / temperature - log(sum);
}

static double loss_of(const float y[DIGIT_CLASSES], const float target[DIGIT_CLASSES],
	unsigned label, const struct lesson *how)
{
	double t = (double)how->temperature, divergence = 0;
	for (size_t c = 0; c < DIGIT_CLASSES; c++) {
		double wanted = log_share(target, t, c);
		divergence += exp(wanted) * (wanted - log_share(y, t, c));
	}
	return CALL(distillation_loss, .cross_entropy = -log_share(y, 1, label),
		.divergence = divergence, .teacher_weight = (double)how->teacher_weight,
		.temperature = t);
}

/* Shares are e^y over their sum, also where e^y itself is beyond every number. With labels alone the
 * gradient is the share, less 1 at the label. */
Test(nets, shares_of_the_classes)
{
	static const struct lesson labels = { .temperature = 1 };
	static const float sure[DIGIT_CLASSES] = { 0, 900 };
	static const float near[DIGIT_CLASSES] = { 0, -0.3F, -0.25F, -0.2F, -0.15F, -0.1F };
	float gradient[DIGIT_CLASSES];
	double sum = 0;
	distillation_gradient(sure, sure, 0, &labels, gradient);
	cr_expect(eq(flt, gradient[0], -1));
	cr_expect(eq(flt, gradient[1], 1));
	cr_expect(eq(flt, gradient[2], 0));
	for (size_t c = 0; c < DIGIT_CLASSES; c++)
		sum += exp((double)near[c]);
	distillation_gradient(near, near, 0, &labels, gradient);
	for (size_t c = 1; c < DIGIT_CLASSES; c++)
		cr_expect(epsilon_eq(dbl, (double)gradient[c], exp((double)near[c]) / sum, 1e-7));
}

/* The gradient is the slope of F7.8's loss. */
Test(nets, the_gradient_is_the_slope_of_the_loss)
{
	static const struct lesson rows[] = {
		{ .temperature = 1 },
		{ .temperature = 4, .teacher_weight = 1 },
		{ .temperature = 2, .teacher_weight = 0.5F },
	};
	struct rng r = rng_stream(13, "slope", 0);
	for (size_t i = 0; i < COUNT(rows); i++) {
		float y[DIGIT_CLASSES], target[DIGIT_CLASSES], gradient[DIGIT_CLASSES];
		for (size_t c = 0; c < DIGIT_CLASSES; c++) {
			y[c] = (float)(3 * rng_normal(&r));
			target[c] = (float)(3 * rng_normal(&r));
		}
		distillation_gradient(y, target, 3, &rows[i], gradient);
		for (size_t c = 0; c < DIGIT_CLASSES; c++) {
			float up[DIGIT_CLASSES], down[DIGIT_CLASSES];
			memcpy(up, y, sizeof y);
			memcpy(down, y, sizeof y);
			up[c] += 0x1p-8F;
			down[c] -= 0x1p-8F;
			double slope = (loss_of(up, target, 3, &rows[i]) -
					       loss_of(down, target, 3, &rows[i])) /
				       (double)(up[c] - down[c]);
			cr_expect(epsilon_eq(dbl, (double)gradient[c], slope, 1e-4), "row %zu", i);
		}
	}
}

/* What a reader is told of the networks, held against the test images. */
Test(nets, shipped_networks_are_as_good_as_they_are_said_to_be)
{
	struct nets_world w;
	world_init(&w);
	double teacher = percent_right(&w, &w.nets.taught[0][0]);
	cr_expect(all(ge(dbl, teacher, 97), le(dbl, teacher, 98.5)), "%g", teacher);
	for (size_t i = 1; i < STUDENT_SIZES; i++) {
		double right[N_TEACHINGS];
		for (size_t how = 0; how < N_TEACHINGS; how++)
			right[how] = percent_right(&w, &w.nets.taught[i][how]);
		/* Few images: the teacher's answers are worth points; many: none (two errors). */
		cr_expect(lt(dbl, right[LABELS_FEW] + 5, right[TEACHER_FEW]), "size %zu", i);
		cr_expect(epsilon_eq(dbl, right[TEACHER_ALL], right[LABELS_ALL], 3), "size %zu", i);
		cr_expect(lt(dbl, right[TEACHER_ALL], teacher));
	}
	world_release(&w);
}

/* `make train` would change nothing. */
Test(nets, training_again_gives_the_shipped_networks, .description = "long", .timeout = 200)
{
	struct nets_world w;
	world_init(&w);
	const char *text = networks_train(&w.arena, &w.train);
	cr_assert(text != NULL);
	cr_expect(zero(int, strcmp(text, w.tables.networks)));
	world_release(&w);
}
