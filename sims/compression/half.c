/* FP16 by arithmetic on the exponent: exact, and the same on every machine. */
#include "sims/compression/half.h"

#include <math.h>
#include <string.h>

enum { FRACTION = 10, LEAST_EXPONENT = -14, INFINITE = 0x7c00, SIGN = 0x8000, FLOAT_FRACTION = 23 };

uint16_t half_of(float x)
{
	unsigned sign = signbit(x) ? SIGN : 0;
	int exponent;
	if (isnan(x))
		return INFINITE | 1;
	frexpf(x, &exponent);
	exponent = x == 0 || exponent <= LEAST_EXPONENT ? LEAST_EXPONENT : exponent - 1;
	/* Whole steps of the spacing at x; a step into the next power of two carries by itself. */
	double steps = rint(ldexp(fabs((double)x), FRACTION - exponent));
	double code = steps + ldexp(exponent - LEAST_EXPONENT, FRACTION);
	return (uint16_t)(sign | (code < INFINITE ? (unsigned)code : INFINITE));
}

/* With its bits shifted to where a float has them, a number is 2^112 times too small, normal or
 * not. */
float half_value(uint16_t bits)
{
	uint32_t shifted = (uint32_t)(bits & ~SIGN) << (FLOAT_FRACTION - FRACTION);
	float size;
	memcpy(&size, &shifted, sizeof size);
	size = (bits & INFINITE) == INFINITE ? (bits & ((1 << FRACTION) - 1) ? NAN : INFINITY)
					     : size * 0x1p112F;
	return bits & SIGN ? -size : size;
}
