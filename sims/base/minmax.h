/* The lesser and the greater of two whole numbers; for real ones there are fmin and fmax. */
#ifndef RIDGE_SIMS_BASE_MINMAX_H
#define RIDGE_SIMS_BASE_MINMAX_H

#include <stddef.h>
#include <stdint.h>

static inline int min_int(int a, int b)
{
	return a < b ? a : b;
}

static inline int max_int(int a, int b)
{
	return a > b ? a : b;
}

static inline int64_t min_int64(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static inline int64_t max_int64(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline size_t min_size(size_t a, size_t b)
{
	return a < b ? a : b;
}

static inline size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

#endif
