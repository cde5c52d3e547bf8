/* A machine as ridge measure would find it, made by hand: four cores with 32 KiB and 1 MiB each and
 * 16 MiB together. Rates fall from 400 to 200, 100 and 20 GB/s with one thread, from 1,600 to 800,
 * 300 and 40 with four; 400 GFLOP/s in single precision. */
#ifndef RIDGE_MADE_MACHINE_H
#define RIDGE_MADE_MACHINE_H

#include "ui/machine/host.h"
#include "ui/data/machine_file.h"

#include <stdio.h>

static inline struct spread made_spread(double best)
{
	return (struct spread){ 0.95 * best, 0.9 * best, best, best, 31 };
}

/* In GB/s, of a working set in KiB. */
static inline double made_read(enum crew_kind crew, double kib)
{
	static const double rates[N_CREWS][4] = { { 400, 200, 100, 20 }, { 1600, 800, 300, 40 } };
	static const double most[N_CREWS][3] = { { 32, 1024, 16384 }, { 128, 4096, 16384 } };
	int level = 0;

	while (level < 3 && kib > most[crew][level])
		level++;
	return rates[crew][level];
}

static inline struct machine made_machine(void)
{
	struct machine m = { .date = "2026-11-21",
		.threads = 4,
		.memory_bytes = 32e9,
		.caches = { { 1, 32768, 1 }, { 2, 1048576, 1 }, { 3, 16777216, 4 } },
		.n_caches = 3,
		.start_s = 5e-6,
		.took_s = 8 };

	host_cpu(m.cpu, sizeof m.cpu);
	for (double kib = 4; kib <= 262144; kib *= 2) {
		struct memory_point *p = &m.points[m.n_points++];
		p->bytes = 1024 * kib;
		for (int crew = 0; crew < N_CREWS; crew++) {
			double read = 1e9 * made_read((enum crew_kind)crew, kib);
			p->rate[crew][KERNEL_READ] = made_spread(read);
			p->rate[crew][KERNEL_WRITE] = made_spread(read / 2);
			p->rate[crew][KERNEL_TRIAD] = made_spread(0.75 * read);
		}
		if (kib < 16) /* four threads have 4 KiB each at least */
			for (int k = 0; k < N_MEMORY_KERNELS; k++)
				p->rate[ALL_THREADS][k] = (struct spread){ .n = 0 };
	}
	for (int bits = 128; bits <= 256; bits *= 2) {
		struct flops_point *p = &m.flops[m.n_flops++];
		*p = (struct flops_point){ .bits = bits, .fused = true };
		for (int crew = 0; crew < N_CREWS; crew++)
			for (int d = 0; d < N_PRECISIONS; d++)
				p->rate[crew][d] = made_spread(1e9 * (bits / 256.) *
							       (d == PRECISION_SINGLE ? 100 : 50) *
							       (crew ? 4 : 1));
	}
	return m;
}

#endif
