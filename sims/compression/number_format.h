/* The number formats of training and inference, bit by bit: what a code is worth, and which code a
 * value is rounded to. Exact: every code decodes to a double without loss, and encodes back to
 * itself, NaNs with their payloads.
 *
 * Sources: IEEE 754-2019 (FP32, FP16); OCP 8-bit Floating Point (OFP8), 2023 (E4M3 without
 * infinities, E5M2); OCP Microscaling Formats (MX) 1.0, 2023 (E2M1, E8M0); NVIDIA on TF32, 2020,
 * and NVFP4, 2025. */
#ifndef RIDGE_NUMBER_FORMAT_H
#define RIDGE_NUMBER_FORMAT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum number_format_id {
	NUMBER_FP32,
	NUMBER_TF32,
	NUMBER_FP16,
	NUMBER_BF16,
	NUMBER_E4M3,
	NUMBER_E5M2,
	NUMBER_E2M1,
	NUMBER_MXFP4,
	NUMBER_NVFP4,
	NUMBER_INT8,
	N_NUMBER_FORMATS
};

/* What the codes of the highest exponent stand for. */
enum number_specials {
	SPECIALS_IEEE, /* infinity and NaNs */
	SPECIALS_NAN,  /* numbers, but for one NaN of each sign */
	SPECIALS_NONE  /* numbers; what is too large becomes the largest */
};

/* What is multiplied with the elements of a block. */
enum number_scale {
	SCALE_NONE,
	SCALE_E8M0, /* a power of two (MX) */
	SCALE_E4M3, /* (NVFP4; its second scale, FP32 for the whole tensor, is the caller's) */
	SCALE_REAL  /* in FP32 or better (INT8) */
};

struct number_format {
	const char *id, *name;                  /* "bf16", "BF16" */
	int exponent_bits, mantissa_bits, bias; /* of an element; INT8: 0, 7, 0 */
	enum number_specials specials;
	enum number_scale scale;
	size_t block; /* elements that share a scale; 0: all of a tensor, or there is none */
};
extern const struct number_format number_formats[N_NUMBER_FORMATS];
extern const char *const number_format_ids[N_NUMBER_FORMATS + 1]; /* NULL-terminated */
extern const char *const number_format_names[N_NUMBER_FORMATS];

/* Bits of an element with its sign, and of a value with its share of the scale (4.25 for MXFP4). */
int number_bits(const struct number_format *f);
double number_bits_per_value(const struct number_format *f);
double number_codes(const struct number_format *f); /* 2^bits */
bool number_is_integer(const struct number_format *f);

/* For an element without its scale. The smallest subnormal is the first value above zero. */
double number_max(const struct number_format *f);
double number_min_normal(const struct number_format *f);
double number_min_subnormal(const struct number_format *f);
double number_epsilon(const struct number_format *f);
double number_digits(const struct number_format *f);

/* Distance from |x| to the next larger element; at the largest element and beyond, from the one
 * before it. x must not be NaN. */
double number_ulp(const struct number_format *f, double x);

/* The largest element at or below x, the smallest at or above it; -INFINITY and INFINITY where
 * there is none. x must not be NaN. */
double number_below(const struct number_format *f, double x);
double number_above(const struct number_format *f, double x);

/* code < number_codes(f). */
double number_decode(const struct number_format *f, uint32_t code);

/* Round to nearest, ties to even. What rounds to more than the largest becomes infinity, or NaN
 * where the format has none; with `saturate`, and where it has neither, the largest. NaN becomes
 * NaN, or 0 where the format has none. */
double number_round(const struct number_format *f, double x, bool saturate);
uint32_t number_encode(const struct number_format *f, double x, bool saturate);

/* The neighbour above with a probability that grows from 0 at the one below to 1: right on
 * average. u is uniform in [0, 1). */
double number_round_stochastic(const struct number_format *f, double x, bool saturate, double u);

/* The scale of a block whose largest magnitude is amax: 2^(floor(log2 amax) - 2) for MXFP4, amax/6
 * in E4M3 for NVFP4, amax/127 for INT8; 1 where the format has none, and where amax is 0. */
double number_block_scale(const struct number_format *f, double amax);

/* x[0..n) as the format holds them, scaled block by block, saturating. out may be x. */
void number_quantise(const struct number_format *f, const double *x, size_t n, double *out);

/* The 8-bit scale of MX: 2^(code - 127), NaN for 255. Encodes the largest power of two that is not
 * more than x, at the ends the nearest one. */
double e8m0_decode(unsigned code);
unsigned e8m0_encode(double x);

/* Rounding in loops: what there is to know of a format, worked out once. */
struct rounder {
	int mantissa_bits, least_exponent; /* below it the spacing no longer shrinks */
	double least, most;                /* the lowest and the highest element */
	bool saturates;
	double beyond; /* otherwise this takes the place of a magnitude above most */
};
struct rounder rounder_of(const struct number_format *f, bool saturate);

/* 2^n for n in -1022 .. 1023. */
static inline double power_of_two(int n)
{
	uint64_t bits = (uint64_t)(n + 1023) << 52;
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* The exponent of two of the spacing around x, which may be infinite or NaN. */
static inline int rounder_step(const struct rounder *r, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	exponent = exponent < r->least_exponent ? r->least_exponent : exponent;
	return (exponent > 1023 ? 1023 : exponent) - r->mantissa_bits;
}

/* number_round, but for NaN where the format has none. */
static inline double rounder_nearest(const struct rounder *r, double x)
{
	/* A power of two takes nothing from x, and rint() rounds ties to even. */
	int step = rounder_step(r, x);
	double rounded = rint(x * power_of_two(-step)) * power_of_two(step);
	if (rounded > r->most)
		return r->saturates ? r->most : r->beyond;
	if (rounded < r->least)
		return r->saturates ? r->least : -r->beyond;
	return rounded;
}

#endif
