#include "sims/adapters/bound.h"

#include "sims/gpu/kernel.h"

#include <stdio.h>

void measured_bound(const struct accelerator *g, enum dtype d, double flops, double bytes,
	double predicted_s, char *buf, size_t size)
{
	double floor_s = datasheet_time_s(g, d, flops, bytes);
	double launch_s = kernel_efficiency(g).launch_s;
	double arithmetic_s = datasheet_time_s(g, d, flops, 0);
	const char *bound = floor_s < launch_s       ? "launch-bound"
			    : arithmetic_s < floor_s ? "memory-bound"
						     : "compute-bound";

	snprintf(buf, size, "%s, %.1fx the roofline", bound, predicted_s / floor_s);
}
