/* The loops that are timed. They use the vectors that this processor has (x86 up to AVX-512, NEON,
 * plain C elsewhere), which is found out at run time. */
#ifndef RIDGE_UI_MACHINE_KERNELS_H
#define RIDGE_UI_MACHINE_KERNELS_H

#include <stdbool.h>
#include <stddef.h>

enum memory_kernel { KERNEL_READ, KERNEL_WRITE, KERNEL_TRIAD, N_MEMORY_KERNELS };
extern const char *const memory_kernel_ids[N_MEMORY_KERNELS]; /* "read", "write", "triad" */

enum { KERNEL_BLOCK = 64 }; /* n below is a multiple of it */

/* Arrays of n doubles on 64-byte boundaries: read sums a, write sets a, triad is a = b + s c. */
struct memory_work {
	double *a;
	const double *b, *c;
	size_t n;
};
/* The loop with the widest vectors that this processor has. Its result means nothing; it only keeps
 * the compiler from removing the loop. */
typedef double memory_loop(const struct memory_work *w, size_t passes);
memory_loop *memory_loop_of(enum memory_kernel k);
/* Bytes of one pass, as STREAM counts them: 8, 8 and 24 per element; that a store first reads its
 * line is not counted. */
double memory_work_bytes(enum memory_kernel k, size_t n);

enum precision { PRECISION_DOUBLE, PRECISION_SINGLE, N_PRECISIONS };
extern const char *const precision_ids[N_PRECISIONS]; /* "double", "single" */

/* Independent chains of x = x m + a in registers. */
struct flops_kernel {
	int bits;                   /* of a vector; 0: one number at a time */
	bool fused;                 /* one instruction multiplies and adds */
	double flops[N_PRECISIONS]; /* of one round */
	double (*run[N_PRECISIONS])(size_t rounds);
};
enum { MOST_WIDTHS = 4 };
/* The kernels that this processor can run, from narrow to wide. Returns their number. */
size_t flops_kernels(struct flops_kernel out[static MOST_WIDTHS]);

#endif
