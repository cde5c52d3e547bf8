/* Rounding works on the exponent of a double: it tells the spacing of the format around a value,
 * and value over spacing is rounded to a whole number by rint(), ties to even. Both the division
 * and the multiplication are by powers of two and exact, so that the result is the format's own.
 * Codes are then put together from sign, exponent and mantissa. */
#include "sims/compression/number_format.h"

#include "sims/formulas/formats.h"

#include <assert.h>

/* clang-format off */
const struct number_format number_formats[N_NUMBER_FORMATS] = {
	/*               id       name         e  m   bias  specials       scale       block */
	[NUMBER_FP32]  = { "fp32",  "FP32",     8, 23, 127, SPECIALS_IEEE, SCALE_NONE, 0 },
	[NUMBER_TF32]  = { "tf32",  "TF32",     8, 10, 127, SPECIALS_IEEE, SCALE_NONE, 0 },
	[NUMBER_FP16]  = { "fp16",  "FP16",     5, 10, 15,  SPECIALS_IEEE, SCALE_NONE, 0 },
	[NUMBER_BF16]  = { "bf16",  "BF16",     8, 7,  127, SPECIALS_IEEE, SCALE_NONE, 0 },
	[NUMBER_E4M3]  = { "e4m3",  "FP8 E4M3", 4, 3,  7,   SPECIALS_NAN,  SCALE_NONE, 0 },
	[NUMBER_E5M2]  = { "e5m2",  "FP8 E5M2", 5, 2,  15,  SPECIALS_IEEE, SCALE_NONE, 0 },
	[NUMBER_E2M1]  = { "e2m1",  "FP4 E2M1", 2, 1,  1,   SPECIALS_NONE, SCALE_NONE, 0 },
	[NUMBER_MXFP4] = { "mxfp4", "MXFP4",    2, 1,  1,   SPECIALS_NONE, SCALE_E8M0, 32 },
	[NUMBER_NVFP4] = { "nvfp4", "NVFP4",    2, 1,  1,   SPECIALS_NONE, SCALE_E4M3, 16 },
	[NUMBER_INT8]  = { "int8",  "INT8",     0, 7,  0,   SPECIALS_NONE, SCALE_REAL, 0 },
};
/* clang-format on */
const char *const number_format_ids[N_NUMBER_FORMATS + 1] = { "fp32", "tf32", "fp16", "bf16",
	"e4m3", "e5m2", "e2m1", "mxfp4", "nvfp4", "int8", NULL };
const char *const number_format_names[N_NUMBER_FORMATS] = { "FP32", "TF32", "FP16", "BF16",
	"FP8 E4M3", "FP8 E5M2", "FP4 E2M1", "MXFP4", "NVFP4", "INT8" };

/* --- what a format is ------------------------------------------------------------------- */

bool number_is_integer(const struct number_format *f)
{
	return f->exponent_bits == 0;
}

int number_bits(const struct number_format *f)
{
	return 1 + f->exponent_bits + f->mantissa_bits;
}

double number_codes(const struct number_format *f)
{
	return power_of_two(number_bits(f));
}

double number_bits_per_value(const struct number_format *f)
{
	return f->block ? CALL(bits_per_weight, .element_bits = number_bits(f), .scale_bits = 8,
				  .block = (double)f->block, .zero_bits = 0)
			: number_bits(f);
}

static int max_exponent(const struct number_format *f)
{
	int highest = (1 << f->exponent_bits) - 1;
	return highest - (f->specials == SPECIALS_IEEE) - f->bias;
}

double number_max(const struct number_format *f)
{
	if (number_is_integer(f))
		return (1 << f->mantissa_bits) - 1;
	return CALL(format_max, .mantissa_bits = f->mantissa_bits, .max_exponent = max_exponent(f),
		.lost_codes = f->specials == SPECIALS_NAN);
}

double number_min_normal(const struct number_format *f)
{
	return number_is_integer(f) ? 1 : CALL(format_min_normal, .bias = f->bias);
}

double number_min_subnormal(const struct number_format *f)
{
	return number_is_integer(f) ? 1
				    : CALL(format_min_subnormal, .bias = f->bias,
					      .mantissa_bits = f->mantissa_bits);
}

double number_epsilon(const struct number_format *f)
{
	return number_is_integer(f) ? 1 : CALL(format_epsilon, .mantissa_bits = f->mantissa_bits);
}

double number_digits(const struct number_format *f)
{
	return CALL(format_digits, .mantissa_bits = f->mantissa_bits);
}

/* --- rounding --------------------------------------------------------------------------- */

struct rounder rounder_of(const struct number_format *f, bool saturate)
{
	double most = number_max(f);
	bool integer = number_is_integer(f);
	return (struct rounder){
		.mantissa_bits = f->mantissa_bits,
		.least_exponent = integer ? f->mantissa_bits : 1 - f->bias,
		.least = integer ? -most - 1 : -most,
		.most = most,
		.saturates = saturate || f->specials == SPECIALS_NONE,
		.beyond = f->specials == SPECIALS_IEEE ? INFINITY : NAN,
	};
}

double number_round(const struct number_format *f, double x, bool saturate)
{
	struct rounder r = rounder_of(f, saturate);
	if (isnan(x))
		return f->specials == SPECIALS_NONE ? 0 : x;
	return rounder_nearest(&r, x);
}

double number_ulp(const struct number_format *f, double x)
{
	struct rounder r = rounder_of(f, true);
	return power_of_two(rounder_step(&r, fmin(fabs(x), r.most)));
}

double number_below(const struct number_format *f, double x)
{
	assert(!isnan(x));
	struct rounder r = rounder_of(f, true);
	if (x < r.least)
		return -INFINITY;
	int step = rounder_step(&r, x);
	return fmin(floor(x * power_of_two(-step)) * power_of_two(step), r.most);
}

double number_above(const struct number_format *f, double x)
{
	assert(!isnan(x));
	struct rounder r = rounder_of(f, true);
	if (x > r.most)
		return INFINITY;
	int step = rounder_step(&r, x);
	return fmax(ceil(x * power_of_two(-step)) * power_of_two(step), r.least);
}

double number_round_stochastic(const struct number_format *f, double x, bool saturate, double u)
{
	if (isnan(x))
		return number_round(f, x, saturate);
	double below = number_below(f, x), above = number_above(f, x);
	if (below == above || isinf(below) || isinf(above))
		return number_round(f, x, saturate);
	return u < (x - below) / (above - below) ? above : below;
}

/* --- codes ------------------------------------------------------------------------------ */

/* NaNs keep their payload: the high bits of a double's. */
static double nan_of(bool negative, uint32_t mantissa, int mantissa_bits)
{
	const uint64_t minus = 0x8000000000000000u, exponent = 0x7ff0000000000000u;
	uint64_t bits = exponent | (uint64_t)mantissa << (52 - mantissa_bits);
	bits |= negative ? minus : 0;
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

double number_decode(const struct number_format *f, uint32_t code)
{
	assert(code < number_codes(f));
	if (number_is_integer(f))
		return code < 128 ? (double)code : (double)code - 256;
	uint32_t highest = (1u << f->exponent_bits) - 1, full = (1u << f->mantissa_bits) - 1;
	uint32_t mantissa = code & full, exponent = code >> f->mantissa_bits & highest;
	bool negative = code >> (number_bits(f) - 1);
	double sign = negative ? -1 : 1;
	if (exponent == highest && f->specials == SPECIALS_IEEE)
		return mantissa ? nan_of(negative, mantissa, f->mantissa_bits) : sign * INFINITY;
	if (exponent == highest && mantissa == full && f->specials == SPECIALS_NAN)
		return nan_of(negative, mantissa, f->mantissa_bits);
	if (exponent == 0)
		return sign * mantissa * power_of_two(1 - f->bias - f->mantissa_bits);
	return sign * (mantissa + full + 1) *
	       power_of_two((int)exponent - f->bias - f->mantissa_bits);
}

/* The code of the magnitude of an element, of infinity, or of a NaN. */
static uint32_t encode_magnitude(const struct number_format *f, double x)
{
	uint32_t highest = (1u << f->exponent_bits) - 1, full = (1u << f->mantissa_bits) - 1;
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	if (isnan(x)) {
		uint32_t payload = (uint32_t)(bits >> (52 - f->mantissa_bits)) & full;
		bool whole = f->specials == SPECIALS_NAN || payload == 0;
		return highest << f->mantissa_bits | (whole ? full : payload);
	}
	if (isinf(x))
		return highest << f->mantissa_bits;
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	if (exponent < 1 - f->bias)
		return (uint32_t)(fabs(x) * power_of_two(f->bias + f->mantissa_bits - 1));
	return (uint32_t)(exponent + f->bias) << f->mantissa_bits |
	       ((uint32_t)(bits >> (52 - f->mantissa_bits)) & full);
}

uint32_t number_encode(const struct number_format *f, double x, bool saturate)
{
	double rounded = number_round(f, x, saturate);
	if (number_is_integer(f))
		return (uint32_t)(int32_t)rounded & 0xff;
	uint32_t negative = signbit(rounded) ? 1 : 0;
	return negative << (number_bits(f) - 1) | encode_magnitude(f, rounded);
}

/* --- blocks ----------------------------------------------------------------------------- */

double e8m0_decode(unsigned code)
{
	assert(code < 256);
	return code == 255 ? NAN : ldexp(1, (int)code - 127);
}

unsigned e8m0_encode(double x)
{
	if (isnan(x))
		return 255;
	if (x < ldexp(1, -127))
		return 0;
	return isinf(x) || ilogb(x) > 127 ? 254 : (unsigned)(ilogb(x) + 127);
}

double number_block_scale(const struct number_format *f, double amax)
{
	const struct number_format *e4m3 = &number_formats[NUMBER_E4M3];
	if (!(amax > 0))
		return 1;
	switch (f->scale) {
	case SCALE_E8M0:
		return e8m0_decode(e8m0_encode(amax / power_of_two(max_exponent(f))));
	case SCALE_E4M3:
		/* A scale of zero would lose the block. */
		return fmax(
			number_round(e4m3, amax / number_max(f), true), number_min_subnormal(e4m3));
	case SCALE_REAL:
		return amax / number_max(f);
	case SCALE_NONE:
		break;
	}
	return 1;
}

void number_quantise(const struct number_format *f, const double *x, size_t n, double *out)
{
	struct rounder r = rounder_of(f, true);
	size_t block = f->block ? f->block : n;
	for (size_t from = 0; from < n; from += block) {
		size_t end = from + block < n ? from + block : n;
		double amax = 0;
		for (size_t i = from; i < end; i++)
			amax = fmax(amax, fabs(x[i]));
		double scale = number_block_scale(f, amax);
		for (size_t i = from; i < end; i++)
			out[i] = rounder_nearest(&r, x[i] / scale) * scale;
	}
}
