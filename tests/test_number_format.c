/* Number formats: the published limits, every code there and back, and rounding against a reference
 * that knows nothing of bits: a sorted list of the values that a format has, in long double. */
#include "sims/formulas/formats.h"
#include "sims/compression/number_format.h"
#include "sims/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>

static const struct number_format *format_of(size_t i)
{
	return &number_formats[i];
}

Test(number_format, limits_as_published)
{
	/* IEEE 754-2019 table 3.6, OFP8 table 1, MX 1.0 table 5; the digits by hand. */
	static const struct {
		enum number_format_id id;
		double max, min_normal, min_subnormal, epsilon;
		int bits;
	} rows[] = {
		{ NUMBER_FP32, 0x1.fffffep127, 0x1p-126, 0x1p-149, 0x1p-23, 32 },
		{ NUMBER_TF32, 0x1.ffcp127, 0x1p-126, 0x1p-136, 0x1p-10, 19 },
		{ NUMBER_FP16, 65504, 0x1p-14, 0x1p-24, 0x1p-10, 16 },
		{ NUMBER_BF16, 0x1.fep127, 0x1p-126, 0x1p-133, 0x1p-7, 16 },
		{ NUMBER_E4M3, 448, 0x1p-6, 0x1p-9, 0.125, 8 },
		{ NUMBER_E5M2, 57344, 0x1p-14, 0x1p-16, 0.25, 8 },
		{ NUMBER_E2M1, 6, 1, 0.5, 0.5, 4 },
		{ NUMBER_MXFP4, 6, 1, 0.5, 0.5, 4 },
		{ NUMBER_NVFP4, 6, 1, 0.5, 0.5, 4 },
		{ NUMBER_INT8, 127, 1, 1, 1, 8 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct number_format *f = format_of(rows[i].id);
		cr_expect(eq(dbl, number_max(f), rows[i].max), "%s", f->name);
		cr_expect(eq(dbl, number_min_normal(f), rows[i].min_normal), "%s", f->name);
		cr_expect(eq(dbl, number_min_subnormal(f), rows[i].min_subnormal), "%s", f->name);
		cr_expect(eq(dbl, number_epsilon(f), rows[i].epsilon), "%s", f->name);
		cr_expect(eq(int, number_bits(f), rows[i].bits), "%s", f->name);
		cr_expect(eq(str, (char *)number_format_ids[rows[i].id], (char *)f->id));
		cr_expect(eq(str, (char *)number_format_names[rows[i].id], (char *)f->name));
	}
}

/* F4.1's table, to its own digits: max, smallest normal, smallest subnormal, epsilon, digits. */
Test(number_format, limits_of_the_formula_sheet)
{
	static const struct {
		enum number_format_id id;
		double max, min_normal, min_subnormal, epsilon, digits;
	} rows[] = {
		{ NUMBER_FP32, 3.4028e38, 1.1755e-38, 1.401e-45, 1.19e-7, 7.22 },
		{ NUMBER_TF32, 3.401e38, 1.1755e-38, 0, 9.77e-4, 3.31 },
		{ NUMBER_FP16, 65504, 6.104e-5, 5.960e-8, 9.77e-4, 3.31 },
		{ NUMBER_BF16, 3.3895e38, 1.1755e-38, 9.184e-41, 7.81e-3, 2.41 },
		{ NUMBER_E4M3, 448, 1.5625e-2, 1.953e-3, 0.125, 1.2 },
		{ NUMBER_E5M2, 57344, 6.104e-5, 1.526e-5, 0.25, 0.90 },
		{ NUMBER_E2M1, 6, 1, 0.5, 0.5, 0.6 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct number_format *f = format_of(rows[i].id);
		double want[] = { rows[i].max, rows[i].min_normal, rows[i].min_subnormal,
			rows[i].epsilon, rows[i].digits };
		double got[] = { number_max(f), number_min_normal(f), number_min_subnormal(f),
			number_epsilon(f), number_digits(f) };
		for (size_t k = 0; k < 5; k++)
			cr_expect(want[k] == 0 || fabs(got[k] / want[k] - 1) < 6e-3,
				"%s %zu: %g, not %g", f->name, k, got[k], want[k]);
	}
}

Test(number_format, bits_with_the_scale)
{
	cr_expect(eq(dbl, number_bits_per_value(format_of(NUMBER_MXFP4)), 4.25));
	cr_expect(eq(dbl, number_bits_per_value(format_of(NUMBER_NVFP4)), 4.5));
	cr_expect(eq(dbl, number_bits_per_value(format_of(NUMBER_BF16)), 16));
}

Test(number_format, codes_as_published)
{
	static const struct {
		enum number_format_id id;
		uint32_t code;
		double value;
	} rows[] = {
		{ NUMBER_FP16, 0x3c00, 1 },
		{ NUMBER_FP16, 0x4248, 3.140625 }, /* the row of F4.1: E 16, M 584 */
		{ NUMBER_FP16, 0x7bff, 65504 },
		{ NUMBER_FP16, 0x0001, 0x1p-24 },
		{ NUMBER_FP16, 0x7c00, INFINITY },
		{ NUMBER_FP16, 0xfc00, -INFINITY },
		{ NUMBER_BF16, 0x3f80, 1 },
		{ NUMBER_BF16, 0x3dcd, 0.10009765625 }, /* 0.1 */
		{ NUMBER_E4M3, 0x7e, 448 },             /* S.1111.110 */
		{ NUMBER_E4M3, 0x78, 256 },             /* no infinity */
		{ NUMBER_E4M3, 0x01, 0x1p-9 },
		{ NUMBER_E5M2, 0x7b, 57344 },
		{ NUMBER_E5M2, 0x7c, INFINITY },
		{ NUMBER_E2M1, 0x1, 0.5 },
		{ NUMBER_E2M1, 0x7, 6 },
		{ NUMBER_E2M1, 0xf, -6 },
		{ NUMBER_INT8, 0x7f, 127 },
		{ NUMBER_INT8, 0x80, -128 },
		{ NUMBER_FP32, 0x3dcccccd, 0.100000001490116119384765625 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct number_format *f = format_of(rows[i].id);
		cr_expect(eq(dbl, number_decode(f, rows[i].code), rows[i].value), "%s %x", f->name,
			rows[i].code);
		cr_expect(eq(u32, number_encode(f, rows[i].value, false), rows[i].code), "%s %x",
			f->name, rows[i].code);
	}
	cr_expect(isnan(number_decode(format_of(NUMBER_E4M3), 0x7f)));
	cr_expect(isnan(number_decode(format_of(NUMBER_E4M3), 0xff)));
	cr_expect(isnan(number_decode(format_of(NUMBER_E5M2), 0x7d)));
}

/* E2M1 has eight magnitudes: all of them, in the order of their codes. */
Test(number_format, all_of_e2m1)
{
	static const double values[] = { 0, 0.5, 1, 1.5, 2, 3, 4, 6 };
	const struct number_format *f = format_of(NUMBER_E2M1);
	for (uint32_t code = 0; code < 8; code++) {
		cr_expect(eq(dbl, number_decode(f, code), values[code]));
		cr_expect(eq(dbl, number_decode(f, code | 8), -values[code]));
	}
}

Test(number_format, every_code_of_up_to_19_bits_comes_back)
{
	for (size_t i = 0; i < N_NUMBER_FORMATS; i++) {
		const struct number_format *f = format_of(i);
		size_t infinities = 0, nans = 0;
		if (number_bits(f) > 19)
			continue;
		for (uint32_t code = 0; code < (uint32_t)number_codes(f); code++) {
			double x = number_decode(f, code);
			infinities += isinf(x) != 0;
			nans += isnan(x) != 0;
			uint32_t back = number_encode(f, x, false);
			cr_expect(back == code, "%s: %x is %g and came back as %x", f->name, code,
				x, back);
			if (back != code)
				break;
		}
		bool ieee = f->specials == SPECIALS_IEEE;
		cr_expect(eq(sz, infinities, ieee ? 2 : 0), "%s", f->name);
		cr_expect(eq(sz, nans,
				  ieee ? 2 * ((1u << f->mantissa_bits) - 1)
				       : (f->specials == SPECIALS_NAN ? 2 : 0)),
			"%s", f->name);
	}
}

Test(number_format, every_scale_of_mx_comes_back)
{
	for (unsigned code = 0; code < 256; code++)
		cr_expect(eq(uint, e8m0_encode(e8m0_decode(code)), code));
	cr_expect(eq(dbl, e8m0_decode(0), 0x1p-127));
	cr_expect(eq(dbl, e8m0_decode(127), 1));
	cr_expect(eq(dbl, e8m0_decode(254), 0x1p127));
	cr_expect(eq(uint, e8m0_encode(0x1.8p3), 130), "the power of two below");
	/* 255 is no number: what is larger than the largest scale gets that. */
	cr_expect(eq(uint, e8m0_encode(0x1p128), 254));
	cr_expect(eq(uint, e8m0_encode(INFINITY), 254));
}

/* The machine's own conversion is the reference: values, and codes at random. */
Test(number_format, fp32_is_the_float_of_this_machine)
{
	const struct number_format *f = format_of(NUMBER_FP32);
	struct rng r = rng_stream(1, "fp32", 0);
	for (int i = 0; i < 200000; i++) {
		uint32_t code = (uint32_t)rng_next(&r);
		float single;
		memcpy(&single, &code, sizeof single);
		double x = number_decode(f, code);
		cr_assert(isnan(single) ? isnan(x) : (double)single == x, "%x", code);
		cr_assert(isnan(single) || number_encode(f, x, false) == code, "%x", code);
		/* Off its grid, from below the subnormals to beyond the largest. */
		double y = ldexp(1 + rng_uniform(&r), (int)rng_below(&r, 290) - 155);
		cr_assert(number_round(f, y, false) == (double)(float)y, "%a", y);
	}
}

/* --- rounding against a list of all values ------------------------------------------------ */

/* The magnitudes of a format in ascending order, from the definition (F4.1), and one more: what
 * would come after the largest. Even places are even mantissas. */
struct values {
	long double *x;
	size_t n; /* without the one more */
};

static struct values values_of(const struct number_format *f)
{
	struct values v = { 0 };
	if (number_is_integer(f)) {
		v.x = malloc(129 * sizeof *v.x);
		for (int i = 0; i <= 128; i++)
			v.x[v.n++] = i;
	} else {
		int per_octave = 1 << f->mantissa_bits, octaves = 1 << f->exponent_bits;
		v.x = malloc((size_t)(per_octave * octaves + 1) * sizeof *v.x);
		for (int e = 0; e < octaves; e++)
			for (int m = 0; m < per_octave; m++)
				v.x[v.n++] = (m + (e ? per_octave : 0)) *
					     powl(2, (e ? e : 1) - f->bias - f->mantissa_bits);
		if (f->specials == SPECIALS_IEEE)
			v.n -= (size_t)per_octave - 1; /* the octave of infinity: its first */
		else if (f->specials == SPECIALS_NONE)
			v.x[v.n++] = 8; /* after 6 in E2M1 */
	}
	v.n--;
	return v;
}

/* The index of the nearest, ties to even; v->n: beyond the largest. */
static size_t nearest(const struct values *v, long double x)
{
	size_t lo = 0, hi = v->n;
	if (x >= v->x[hi])
		return hi;
	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;
		if (v->x[mid] <= x)
			lo = mid;
		else
			hi = mid;
	}
	long double below = x - v->x[lo], above = v->x[hi] - x;
	if (below == above)
		return lo % 2 ? hi : lo;
	return below < above ? lo : hi;
}

static double reference(const struct number_format *f, const struct values *v, double x, bool sat)
{
	size_t i = nearest(v, fabsl((long double)x));
	if (i < v->n)
		return copysign((double)v->x[i], x);
	if (number_is_integer(f))
		return x < 0 ? -128 : 127;
	if (sat || f->specials == SPECIALS_NONE)
		return copysign((double)v->x[v->n - 1], x);
	return f->specials == SPECIALS_IEEE ? copysign(INFINITY, x) : NAN;
}

/* Anything near the format's numbers: of any magnitude, and on the ties and just beside them. */
static double draw(const struct values *v, struct rng *r)
{
	double sign = rng_below(r, 2) ? 1 : -1;
	if (rng_below(r, 2)) {
		double least = (double)v->x[1] / 8, most = (double)v->x[v->n] * 4;
		return sign * least * pow(most / least, rng_uniform(r));
	}
	size_t i = (size_t)rng_below(r, v->n);
	double tie = (double)((v->x[i] + v->x[i + 1]) / 2);
	switch (rng_below(r, 3)) {
	case 0:
		return sign * tie;
	case 1:
		return sign * nextafter(tie, 0);
	default:
		return sign * nextafter(tie, INFINITY);
	}
}

/* A million in `make test`; ten million with RIDGE_LONG set. */
Test(number_format, rounding_against_all_values)
{
	struct rng r = rng_stream(2, "rounding", 0);
	int draws = getenv("RIDGE_LONG") ? 1100000 : 110000;
	for (size_t i = 0; i < N_NUMBER_FORMATS; i++) {
		const struct number_format *f = format_of(i);
		if (number_bits(f) > 19)
			continue;
		struct values v = values_of(f);
		for (int k = 0; k < draws; k++) {
			double x = draw(&v, &r);
			bool sat = k % 2;
			double want = reference(f, &v, x, sat), got = number_round(f, x, sat);
			bool same = isnan(want) ? isnan(got)
						: got == want && !signbit(got) == !signbit(want);
			same = same || (number_is_integer(f) && got == want);
			cr_expect(same, "%s: %a became %a, not %a", f->name, x, got, want);
			if (!same)
				break;
		}
		free(v.x);
	}
}

/* FP32 has too many values for a list: the grid around a value, by long double. */
Test(number_format, rounding_of_fp32_against_long_double)
{
	const struct number_format *f = format_of(NUMBER_FP32);
	struct rng r = rng_stream(3, "rounding", 0);
	for (int i = getenv("RIDGE_LONG") ? 1000000 : 100000; i > 0; i--) {
		double x = ldexp(1 + rng_uniform(&r), (int)rng_below(&r, 276) - 150);
		int exponent;
		frexp(x, &exponent);
		long double step = ldexpl(1, (exponent - 1 < -126 ? -126 : exponent - 1) - 23);
		long double quotient = (long double)x / step, whole = floorl(quotient);
		long double rest = quotient - whole;
		if (rest > 0.5L || (rest == 0.5L && fmodl(whole, 2) == 1))
			whole++;
		cr_assert(number_round(f, x, false) == (double)(whole * step), "%a", x);
	}
}

Test(number_format, overflow_by_hand)
{
	static const struct {
		enum number_format_id id;
		double x, rounded, saturated;
	} rows[] = {
		{ NUMBER_FP16, 65519, 65504, 65504 },    /* below the half step */
		{ NUMBER_FP16, 65520, INFINITY, 65504 }, /* a tie: 65,536 is even */
		{ NUMBER_E4M3, 464, 448, 448 },          /* a tie: 448 is even, 480 odd */
		{ NUMBER_E4M3, 464.0001, NAN, 448 },
		{ NUMBER_E4M3, -1000, NAN, -448 },
		{ NUMBER_E5M2, 61440, INFINITY, 57344 },
		{ NUMBER_E5M2, INFINITY, INFINITY, 57344 },
		{ NUMBER_E2M1, 7, 6, 6 },
		{ NUMBER_E2M1, -INFINITY, -6, -6 },
		{ NUMBER_INT8, 300, 127, 127 },
		{ NUMBER_INT8, -300, -128, -128 },
		{ NUMBER_BF16, 3.4e38, INFINITY, 0x1.fep127 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct number_format *f = format_of(rows[i].id);
		double got = number_round(f, rows[i].x, false);
		cr_expect(isnan(rows[i].rounded) ? isnan(got) : got == rows[i].rounded,
			"row %zu: %g", i, got);
		cr_expect(
			eq(dbl, number_round(f, rows[i].x, true), rows[i].saturated), "row %zu", i);
	}
	cr_expect(eq(dbl, number_round(format_of(NUMBER_INT8), NAN, false), 0));
	cr_expect(isnan(number_round(format_of(NUMBER_FP16), NAN, false)));
}

/* --- neighbours and spacing --------------------------------------------------------------- */

Test(number_format, neighbours_enclose_and_are_elements)
{
	struct rng r = rng_stream(4, "neighbours", 0);
	for (size_t i = 0; i < N_NUMBER_FORMATS; i++) {
		const struct number_format *f = format_of(i);
		double max = number_max(f), least = number_min_subnormal(f) / 4;
		for (int k = 0; k < 2000; k++) {
			double x = least * pow(2 * max / least, rng_uniform(&r));
			x = rng_below(&r, 2) ? x : -x;
			double below = number_below(f, x), above = number_above(f, x);
			cr_assert(below <= x && x <= above, "%s %a", f->name, x);
			cr_assert(isinf(below) || number_round(f, below, false) == below, "%s %a",
				f->name, x);
			cr_assert(isinf(above) || number_round(f, above, false) == above, "%s %a",
				f->name, x);
			double rounded = number_round(f, x, true);
			cr_assert(rounded == below || rounded == above || fabs(x) > max, "%s %a",
				f->name, x);
			bool inside = isfinite(below) && isfinite(above) && below != above;
			cr_assert(above - below == number_ulp(f, x) || !inside, "%s %a: %a",
				f->name, x, above - below);
		}
	}
}

/* The formula sheet's rows and the bits say the same. */
Test(number_format, agrees_with_the_formulas)
{
	struct rng r = rng_stream(5, "formulas", 0);
	for (size_t i = 0; i < NUMBER_MXFP4; i++) {
		const struct number_format *f = format_of(i);
		double max = number_max(f), min = number_min_normal(f);
		for (int k = 0; k < 2000; k++) {
			double x = min / 16 * pow(15.9 * max / min, rng_uniform(&r));
			cr_assert(eq(dbl, number_ulp(f, x),
				CALL(format_ulp, .value = x, .mantissa_bits = f->mantissa_bits,
					.bias = f->bias)));
			uint32_t code = number_encode(f, fmax(x, min), true);
			uint32_t full = 1u << f->mantissa_bits;
			cr_assert(eq(dbl, number_decode(f, code),
				CALL(float_value, .sign = 0, .exponent = code >> f->mantissa_bits,
					.mantissa = code % full, .mantissa_bits = f->mantissa_bits,
					.bias = f->bias)));
		}
		/* F4.1: half of the smallest subnormal is the last value that becomes zero. */
		double zero = CALL(
			format_zero_threshold, .bias = f->bias, .mantissa_bits = f->mantissa_bits);
		cr_expect(eq(dbl, number_round(f, zero, false), 0), "%s", f->name);
		cr_expect(eq(dbl, number_round(f, nextafter(zero, 1), false),
				  number_min_subnormal(f)),
			"%s", f->name);
		/* F4.2: half a step above 1 is the last update that is lost. */
		double lost =
			CALL(absorption_threshold, .weight = 1, .mantissa_bits = f->mantissa_bits);
		cr_expect(eq(dbl, number_round(f, 1 + lost, false), 1), "%s", f->name);
		cr_expect(eq(dbl, number_round(f, 1 + lost * 1.01, false), 1 + number_epsilon(f)),
			"%s", f->name);
		cr_expect(eq(dbl, number_round(f, 1.3, false),
				  CALL(rounded_sum, .weight = 1, .update = 0.3,
					  .mantissa_bits = f->mantissa_bits)),
			"%s", f->name);
	}
}

/* F4.2's check values. */
Test(number_format, absorption_in_bf16)
{
	const struct number_format *f = format_of(NUMBER_BF16);
	cr_expect(eq(dbl, number_round(f, 1.003, false), 1));
	cr_expect(eq(dbl, number_round(f, 1.004, false), 1.0078125));
	cr_expect(eq(dbl, number_ulp(f, 1), 0.0078125));
}

Test(number_format, stochastic_rounding_is_right_on_average)
{
	const struct number_format *f = format_of(NUMBER_BF16);
	struct rng r = rng_stream(6, "stochastic", 0);
	enum { N = 100000 };
	double sum = 0;
	for (int i = 0; i < N; i++) {
		double y = number_round_stochastic(f, 1.003, false, rng_uniform(&r));
		cr_assert(y == 1 || y == 1.0078125);
		sum += y;
	}
	/* One step is 0.0078, the deviation of a mean of N at most half of it over sqrt(N). */
	cr_expect(epsilon_eq(dbl, sum / N, 1.003, 5 * 0.0039 / sqrt(N)));
	cr_expect(eq(dbl, number_round_stochastic(f, 0.5, false, 0.999), 0.5));
	cr_expect(eq(dbl, number_round_stochastic(f, 1e39, false, 0.5), INFINITY));
	cr_expect(eq(dbl, number_round_stochastic(f, 1e39, true, 0.5), number_max(f)));
}

/* --- blocks ------------------------------------------------------------------------------- */

Test(number_format, scales_by_hand)
{
	static const struct {
		enum number_format_id id;
		double amax, scale;
	} rows[] = {
		{ NUMBER_MXFP4, 6, 1 }, /* floor(log2 6) = 2, less 2 */
		{ NUMBER_MXFP4, 1, 0.25 },
		{ NUMBER_MXFP4, 7.9, 1 }, /* 7.9 saturates at 6 */
		{ NUMBER_MXFP4, 8, 2 },
		{ NUMBER_NVFP4, 6, 1 },
		{ NUMBER_NVFP4, 1, 0.171875 }, /* 1/6 in E4M3: 11/64, nearer than 10/64 */
		{ NUMBER_NVFP4, 1e9, 448 },
		{ NUMBER_NVFP4, 1e-9, 0x1p-9 },
		{ NUMBER_INT8, 254, 2 },
		{ NUMBER_BF16, 254, 1 },
		{ NUMBER_MXFP4, 0, 1 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(dbl, number_block_scale(format_of(rows[i].id), rows[i].amax),
				  rows[i].scale),
			"row %zu", i);
}

/* 32 values share a scale in MXFP4: the outlier of the first block costs only its own block. */
Test(number_format, an_outlier_costs_its_block)
{
	double x[64], y[64];
	for (int i = 0; i < 64; i++)
		x[i] = 1;
	x[5] = 24; /* scale 2^(4 - 2) = 4: 1 is a tie between 0 and half a step of 2 */
	number_quantise(format_of(NUMBER_MXFP4), x, 64, y);
	cr_expect(eq(dbl, y[5], 24));
	cr_expect(eq(dbl, y[0], 0), "0.25 is a tie between 0 and 0.5");
	cr_expect(eq(dbl, y[31], 0));
	cr_expect(eq(dbl, y[32], 1));
	number_quantise(format_of(NUMBER_NVFP4), x, 64, y);
	cr_expect(eq(dbl, y[16], 1.03125), "6 x 0.171875: the scale is rounded too");
	number_quantise(format_of(NUMBER_INT8), x, 64, y);
	cr_expect(epsilon_eq(dbl, y[63], 5 * 24 / 127.0, 1e-12), "1 / (24 / 127) = 5.29");
}
