#include "sims/kernel.h"

#include <math.h>
#include <string.h>

/* Families that were measured; a GPU without constants takes its family's, another the last row. */
static const struct {
	const char *family;
	struct efficiency e;
} family_constants[] = {
	{ "ampere", { 0.86, 0.83, 4e-6, 0 } },
	{ "hopper", { 0.79, 0.86, 3e-6, 0 } },
	{ "blackwell", { 0.72, 0.80, 3e-6, 0 } },
	{ "", { 0.75, 0.80, 4e-6, 0 } },
};

static const enum dtype next_best[N_DTYPES][4] = {
	[DTYPE_FP32] = { DTYPE_FP32, DTYPE_FP32, DTYPE_FP32, DTYPE_FP32 },
	[DTYPE_TF32] = { DTYPE_TF32, DTYPE_FP32, DTYPE_FP32, DTYPE_FP32 },
	[DTYPE_FP16] = { DTYPE_FP16, DTYPE_BF16, DTYPE_TF32, DTYPE_FP32 },
	[DTYPE_BF16] = { DTYPE_BF16, DTYPE_FP16, DTYPE_TF32, DTYPE_FP32 },
	[DTYPE_FP8] = { DTYPE_FP8, DTYPE_BF16, DTYPE_FP16, DTYPE_FP32 },
	[DTYPE_INT8] = { DTYPE_INT8, DTYPE_FP8, DTYPE_BF16, DTYPE_FP16 },
	[DTYPE_FP4] = { DTYPE_FP4, DTYPE_BF16, DTYPE_FP16, DTYPE_FP32 },
};

enum dtype kernel_math_dtype(const struct accelerator *g, enum dtype d)
{
	for (size_t i = 0; i < 4; i++)
		if (g->peak_flops[next_best[d][i]] > 0)
			return next_best[d][i];
	return d;
}

double kernel_peak_flops(const struct accelerator *g, enum dtype d)
{
	return g->peak_flops[kernel_math_dtype(g, d)];
}

struct efficiency kernel_efficiency(const struct accelerator *g)
{
	if (g->achieved.compute > 0)
		return g->achieved;
	size_t i = 0;
	while (family_constants[i].family[0] &&
	        (!g->family || strcmp(family_constants[i].family, g->family) != 0))
		i++;
	return family_constants[i].e;
}

/* a / b, where no work takes no time even on a machine without the unit. */
static double work_s(double amount, double per_s)
{
	return amount > 0 ? amount / per_s : 0;
}

double datasheet_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes)
{
	return fmax(work_s(flops, kernel_peak_flops(g, d)), work_s(bytes, g->bandwidth));
}

double kernel_time_s(const struct accelerator *g, enum dtype d, double flops, double bytes)
{
	struct efficiency e = kernel_efficiency(g);
	return e.launch_s + fmax(work_s(flops, e.compute * kernel_peak_flops(g, d)),
	                            work_s(bytes, e.memory * g->bandwidth));
}

double gemm_bytes(const struct accelerator *g, enum dtype d, double m, double n, double k)
{
	double activation = dtype_bytes(kernel_math_dtype(g, d));
	return m * k * activation + k * n * dtype_bytes(d) + m * n * fmax(2, dtype_bytes(d));
}

double gemm_time_s(const struct accelerator *g, enum dtype d, double m, double n, double k)
{
	return kernel_time_s(g, d, 2 * m * n * k, gemm_bytes(g, d, m, n, k));
}

double attention_prefill_time_s(const struct accelerator *g, const struct attention_shape *s,
        double new_tokens, double context)
{
	double pairs = new_tokens * (context + new_tokens / 2);
	double flops = 4 * s->batch * s->q_heads * s->head_dim * pairs;
	double bytes = s->batch * s->head_dim *
	               (4 * s->q_heads * new_tokens +
	                       2 * s->kv_heads * s->kv_bytes * (context + new_tokens));
	return kernel_time_s(g, DTYPE_BF16, flops, bytes);
}

double attention_decode_time_s(
        const struct accelerator *g, const struct attention_shape *s, double kv_len)
{
	double bytes =
	        s->batch * s->head_dim * (4 * s->q_heads + 2 * s->kv_heads * s->kv_bytes * kv_len);
	return kernel_time_s(
	        g, DTYPE_BF16, 4 * s->batch * s->q_heads * s->head_dim * kv_len, bytes);
}

double pointwise_time_s(const struct accelerator *g, double bytes)
{
	return kernel_time_s(g, DTYPE_FP32, 0, bytes);
}

double node_allreduce_time_s(const struct accelerator *g, double n, double bytes)
{
	if (n <= 1)
		return 0;
	const double pcie_bandwidth = 25e9, step_latency_s = 1.5e-6, bus_ratio = 0.8;
	double link = g->link_bandwidth > 0 ? g->link_bandwidth : pcie_bandwidth;
	return 2 * (n - 1) * step_latency_s + 2 * (n - 1) / n * bytes / (bus_ratio * link);
}
