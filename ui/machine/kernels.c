#include "ui/machine/kernels.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

#if defined __x86_64__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

/* --- Memory --- */

const char *const memory_kernel_ids[N_MEMORY_KERNELS] = { "read", "write", "triad" };

/* Sanitizers check every access, and would then be what is measured. */
#define PLAIN __attribute__((no_sanitize("address", "undefined")))
/* Tells the compiler that memory may have changed, so that it cannot skip a pass. */
#define AGAIN() __asm__ volatile("" ::: "memory")

/* One set of loops for vectors of `bytes` bytes; TARGET is the attribute that allows them. Eight
 * sums, so that no addition waits for the one before. */
#define LOOPS(name, bytes, TARGET)                                                                 \
	typedef double name __attribute__((vector_size(bytes), may_alias));                        \
	enum { LANES_##name = (bytes) / 8 };                                                       \
                                                                                                   \
	TARGET PLAIN static double read_##name(const struct memory_work *w, size_t passes)         \
	{                                                                                          \
		name s0 = { 0 }, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;    \
		for (size_t p = 0; p < passes; p++) {                                              \
			const name *a = (const name *)(const void *)w->a;                          \
			AGAIN();                                                                   \
			for (size_t i = 0; i < w->n / LANES_##name; i += 8) {                      \
				s0 += a[i];                                                        \
				s1 += a[i + 1];                                                    \
				s2 += a[i + 2];                                                    \
				s3 += a[i + 3];                                                    \
				s4 += a[i + 4];                                                    \
				s5 += a[i + 5];                                                    \
				s6 += a[i + 6];                                                    \
				s7 += a[i + 7];                                                    \
			}                                                                          \
		}                                                                                  \
		s0 += s1 + s2 + s3 + s4 + s5 + s6 + s7;                                            \
		return s0[0];                                                                      \
	}                                                                                          \
                                                                                                   \
	TARGET PLAIN static double write_##name(const struct memory_work *w, size_t passes)        \
	{                                                                                          \
		name x = { 0 };                                                                    \
		for (size_t p = 0; p < passes; p++) {                                              \
			name *a = (name *)(void *)w->a;                                            \
			AGAIN();                                                                   \
			x += 0.5;                                                                  \
			for (size_t i = 0; i < w->n / LANES_##name; i += 4) {                      \
				a[i] = x;                                                          \
				a[i + 1] = x;                                                      \
				a[i + 2] = x;                                                      \
				a[i + 3] = x;                                                      \
			}                                                                          \
		}                                                                                  \
		return x[0];                                                                       \
	}                                                                                          \
                                                                                                   \
	TARGET PLAIN static double triad_##name(const struct memory_work *w, size_t passes)        \
	{                                                                                          \
		const double s = 3;                                                                \
		for (size_t p = 0; p < passes; p++) {                                              \
			name *a = (name *)(void *)w->a;                                            \
			const name *b = (const name *)(const void *)w->b;                          \
			const name *c = (const name *)(const void *)w->c;                          \
			AGAIN();                                                                   \
			for (size_t i = 0; i < w->n / LANES_##name; i += 4) {                      \
				a[i] = b[i] + s * c[i];                                            \
				a[i + 1] = b[i + 1] + s * c[i + 1];                                \
				a[i + 2] = b[i + 2] + s * c[i + 2];                                \
				a[i + 3] = b[i + 3] + s * c[i + 3];                                \
			}                                                                          \
		}                                                                                  \
		return w->a[0];                                                                    \
	}                                                                                          \
                                                                                                   \
	static memory_loop *const loops_##name[N_MEMORY_KERNELS] = { read_##name, write_##name,    \
		triad_##name };

LOOPS(v128, 16, )
#if defined __x86_64__ || defined __i386__
LOOPS(v256, 32, __attribute__((target("avx"))))
LOOPS(v512, 64, __attribute__((target("avx512f"))))
#endif

memory_loop *memory_loop_of(enum memory_kernel k)
{
	assert(k < N_MEMORY_KERNELS);
#if defined __x86_64__ || defined __i386__
	if (__builtin_cpu_supports("avx512f"))
		return loops_v512[k];
	if (__builtin_cpu_supports("avx"))
		return loops_v256[k];
#endif
	return loops_v128[k];
}

double memory_work_bytes(enum memory_kernel k, size_t n)
{
	assert(k < N_MEMORY_KERNELS);
	return (k == KERNEL_TRIAD ? 24. : 8.) * (double)n;
}

/* --- Arithmetic --- */

const char *const precision_ids[N_PRECISIONS] = { "double", "single" };

#define STARTS(x, splat)                                                                           \
	x##0 = splat(1), x##1 = splat(2), x##2 = splat(3), x##3 = splat(4), x##4 = splat(5),       \
	x##5 = splat(6), x##6 = splat(7), x##7 = splat(8), x##8 = splat(9), x##9 = splat(10),      \
	x##10 = splat(11), x##11 = splat(12)
#define STEPS(x, step)                                                                             \
	x##0 = step(x##0, m, a), x##1 = step(x##1, m, a), x##2 = step(x##2, m, a),                 \
	x##3 = step(x##3, m, a), x##4 = step(x##4, m, a), x##5 = step(x##5, m, a),                 \
	x##6 = step(x##6, m, a), x##7 = step(x##7, m, a), x##8 = step(x##8, m, a),                 \
	x##9 = step(x##9, m, a), x##10 = step(x##10, m, a), x##11 = step(x##11, m, a)
#define SUM(x) x##0 + x##1 + x##2 + x##3 + x##4 + x##5 + x##6 + x##7 + x##8 + x##9 + x##10 + x##11

/* Two units, each of which takes four or five clocks for a result, need ten chains; twelve and two
 * constants still fit in the sixteen registers of AVX2. ARM cores have up to four units, and twice
 * the registers. */
#if defined __aarch64__
enum { CHAINS = 24 };
#define ALL_STARTS(splat) STARTS(x, splat), STARTS(y, splat)
#define ALL_STEPS(step) STEPS(x, step), STEPS(y, step)
#define ALL_SUM (SUM(x)) + (SUM(y))
#else
enum { CHAINS = 12 };
#define ALL_STARTS(splat) STARTS(x, splat)
#define ALL_STEPS(step) STEPS(x, step)
#define ALL_SUM SUM(x)
#endif

/* x = x m + a goes to 1 from wherever it begins: never large, never denormal. `splat` fills a
 * `vector` whose elements are of type `lane`. */
#define CHAIN_LOOP(name, TARGET, vector, lane, splat, step)                                        \
	TARGET static double name(size_t rounds)                                                   \
	{                                                                                          \
		const vector m = splat((lane)0.75), a = splat((lane)0.25);                         \
		vector ALL_STARTS(splat);                                                          \
		lane first;                                                                        \
		for (size_t i = 0; i < rounds; i++)                                                \
			ALL_STEPS(step);                                                           \
		x0 = ALL_SUM;                                                                      \
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
	return LENGTH(rows);
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
