#include "ui/measure/kernels.h"

#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

const char *const precision_ids[N_PRECISIONS] = { "double", "single" };

/* Two units, each of which takes four or five clocks for a result, need ten chains; twelve and two
 * constants still fit in the sixteen registers of AVX2. */
enum { CHAINS = 12 };
#define EACH(step)                                                                                 \
	x0 = step(x0, m, a), x1 = step(x1, m, a), x2 = step(x2, m, a), x3 = step(x3, m, a),        \
	x4 = step(x4, m, a), x5 = step(x5, m, a), x6 = step(x6, m, a), x7 = step(x7, m, a),        \
	x8 = step(x8, m, a), x9 = step(x9, m, a), x10 = step(x10, m, a), x11 = step(x11, m, a)

/* x = x m + a goes to 1 from wherever it begins: never large, never denormal. `splat` fills a
 * `vector` whose elements are of type `lane`. */
#define CHAIN_LOOP(name, TARGET, vector, lane, splat, step)                                        \
	TARGET static double name(size_t rounds)                                                   \
	{                                                                                          \
		const vector m = splat((lane)0.75), a = splat((lane)0.25);                         \
		vector x0 = splat(1), x1 = splat(2), x2 = splat(3), x3 = splat(4), x4 = splat(5),  \
		       x5 = splat(6), x6 = splat(7), x7 = splat(8), x8 = splat(9), x9 = splat(10), \
		       x10 = splat(11), x11 = splat(12);                                           \
		lane first;                                                                        \
		for (size_t i = 0; i < rounds; i++)                                                \
			EACH(step);                                                                \
		x0 += x1 + x2 + x3 + x4 + x5 + x6 + x7 + x8 + x9 + x10 + x11;                      \
		memcpy(&first, &x0, sizeof first);                                                 \
		return (double)first;                                                              \
	}

#define KERNEL(bits, fused, doubles, singles, d, s)                                                \
	{                                                                                          \
		bits, fused, { 2. * CHAINS * (doubles), 2. * CHAINS * (singles) },                 \
		{                                                                                  \
			d, s                                                                       \
		}                                                                                  \
	}

#if defined __x86_64__
#define FMA __attribute__((target("avx,fma")))
#define AVX512 __attribute__((target("avx512f")))
#define MULTIPLY_ADD(x, m, a) ((x) * (m) + (a))
#define SCALAR_PD(x, m, a) _mm_add_sd(_mm_mul_sd(x, m), a)
#define SCALAR_PS(x, m, a) _mm_add_ss(_mm_mul_ss(x, m), a)

/* One number at a time in a vector's register, which no compiler packs together. */
CHAIN_LOOP(scalar_d, , __m128d, double, _mm_set1_pd, SCALAR_PD)
CHAIN_LOOP(scalar_s, , __m128, float, _mm_set1_ps, SCALAR_PS)
CHAIN_LOOP(sse_d, , __m128d, double, _mm_set1_pd, MULTIPLY_ADD)
CHAIN_LOOP(sse_s, , __m128, float, _mm_set1_ps, MULTIPLY_ADD)
CHAIN_LOOP(fma_scalar_d, FMA, __m128d, double, _mm_set1_pd, _mm_fmadd_sd)
CHAIN_LOOP(fma_scalar_s, FMA, __m128, float, _mm_set1_ps, _mm_fmadd_ss)
CHAIN_LOOP(fma_128_d, FMA, __m128d, double, _mm_set1_pd, _mm_fmadd_pd)
CHAIN_LOOP(fma_128_s, FMA, __m128, float, _mm_set1_ps, _mm_fmadd_ps)
CHAIN_LOOP(fma_256_d, FMA, __m256d, double, _mm256_set1_pd, _mm256_fmadd_pd)
CHAIN_LOOP(fma_256_s, FMA, __m256, float, _mm256_set1_ps, _mm256_fmadd_ps)
CHAIN_LOOP(fma_512_d, AVX512, __m512d, double, _mm512_set1_pd, _mm512_fmadd_pd)
CHAIN_LOOP(fma_512_s, AVX512, __m512, float, _mm512_set1_ps, _mm512_fmadd_ps)

static const struct flops_kernel plain_rows[] = {
	KERNEL(0, false, 1, 1, scalar_d, scalar_s),
	KERNEL(128, false, 2, 4, sse_d, sse_s),
};
static const struct flops_kernel fused_rows[] = {
	KERNEL(0, true, 1, 1, fma_scalar_d, fma_scalar_s),
	KERNEL(128, true, 2, 4, fma_128_d, fma_128_s),
	KERNEL(256, true, 4, 8, fma_256_d, fma_256_s),
	KERNEL(512, true, 8, 16, fma_512_d, fma_512_s),
};

size_t flops_kernels(struct flops_kernel out[static MOST_WIDTHS])
{
	bool fused = __builtin_cpu_supports("fma");
	size_t n = !fused ? 2 : __builtin_cpu_supports("avx512f") ? 4 : 3;

	memcpy(out, fused ? fused_rows : plain_rows, n * sizeof *out);
	return n;
}

#elif defined __aarch64__
#define SPLAT_D(x) vdupq_n_f64(x)
#define SPLAT_S(x) vdupq_n_f32(x)
#define LANE_D(x) vdup_n_f64(x)
#define FUSED_D(x, m, a) vfmaq_f64(a, x, m)
#define FUSED_S(x, m, a) vfmaq_f32(a, x, m)
#define FUSED_LANE_D(x, m, a) vfma_f64(a, x, m)
#define ITSELF(x) (x)

CHAIN_LOOP(lane_d, , float64x1_t, double, LANE_D, FUSED_LANE_D)
CHAIN_LOOP(lane_s, , float, float, ITSELF, __builtin_fmaf)
CHAIN_LOOP(neon_d, , float64x2_t, double, SPLAT_D, FUSED_D)
CHAIN_LOOP(neon_s, , float32x4_t, float, SPLAT_S, FUSED_S)

static const struct flops_kernel rows[] = {
	KERNEL(0, true, 1, 1, lane_d, lane_s),
	KERNEL(128, true, 2, 4, neon_d, neon_s),
};

size_t flops_kernels(struct flops_kernel out[static MOST_WIDTHS])
{
	memcpy(out, rows, sizeof rows);
	return sizeof rows / sizeof *rows;
}

#else
#define MULTIPLY_ADD(x, m, a) ((x) * (m) + (a))
#define ITSELF(x) (x)

CHAIN_LOOP(plain_d, , double, double, ITSELF, MULTIPLY_ADD)
CHAIN_LOOP(plain_s, , float, float, ITSELF, MULTIPLY_ADD)

static const struct flops_kernel rows[] = { KERNEL(0, false, 1, 1, plain_d, plain_s) };

size_t flops_kernels(struct flops_kernel out[static MOST_WIDTHS])
{
	out[0] = rows[0];
	return 1;
}
#endif
