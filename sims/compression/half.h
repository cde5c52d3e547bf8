/* FP16 as networks are stored in: one sign bit, 5 of exponent, 10 of fraction. */
#ifndef RIDGE_HALF_H
#define RIDGE_HALF_H

#include <stdint.h>

uint16_t half_of(float x); /* the nearest, ties to even; too large becomes infinite */
float half_value(uint16_t bits);

static inline float half_round(float x)
{
	return half_value(half_of(x));
}

#endif
