#include "ui/measure/kernels.h"

const char *const memory_kernel_ids[N_MEMORY_KERNELS] = { "read", "write", "triad" };

/* Sanitizers look at every access: what they would measure is themselves. */
#define PLAIN __attribute__((no_sanitize("address", "undefined")))
/* Memory may have changed, for all that the compiler knows: every pass is done. */
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
	return (k == KERNEL_TRIAD ? 24. : 8.) * (double)n;
}
