#include "sims/gpu/roofline_measured.h"

#include "sims/base/stats.h"
#include "sims/gpu/kernel.h"
#include "sims/measured/measured.h"
#include "sims/measured/overlay.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 500, WANT = 4, BINS = 16 };
struct measured_product {
	double m, n, k, time_us;
};

static double intensity(const struct measured_product *p, double value_bytes)
{
	return 2 * p->m * p->n * p->k /
	       ((p->m * p->k + p->k * p->n) * value_bytes + 2 * p->m * p->n);
}

static double rate_flops(const struct measured_product *p)
{
	return 2 * p->m * p->n * p->k / (p->time_us * 1e-6);
}

/* Half decades of intensity from 0.1. */
static int bin_of(const struct measured_product *p, double value_bytes)
{
	return (int)floor(2 * log10(intensity(p, value_bytes) / 0.1));
}

static void add_points(struct figure *fig, struct plot *p, const struct measured_product rows[],
	size_t n, double value_bytes)
{
	struct series *s = overlay_series(fig, p, "measured", 6);

	for (int bin = 0; bin < BINS; bin++) {
		double x[MOST], y[MOST];
		size_t found = 0;
		for (size_t i = 0; i < n; i++)
			if (bin_of(&rows[i], value_bytes) == bin) {
				x[found] = log(intensity(&rows[i], value_bytes));
				y[found++] = rate_flops(&rows[i]);
			}
		if (found)
			series_mark(fig, s, exp(quantile_select(x, found, 0.5)),
				quantile_select(y, found, 0.5) / 1e12, NULL, ROLE_PLAIN);
	}
}

static void say_nearest(struct figure *fig, const struct tables *t, const struct accelerator *g,
	enum dtype d, const struct measured_product rows[], size_t n,
	const struct measured_product *to, const char *name)
{
	const struct measured_product *best = NULL;
	double least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		double off = overlay_distance(rows[i].m, to->m) +
			     overlay_distance(rows[i].n, to->n) +
			     overlay_distance(rows[i].k, to->k);
		if (off < least) {
			least = off;
			best = &rows[i];
		}
	}
	if (!best)
		return;
	double model_s = gemm_time_s(g, d, best->m, best->n, best->k);
	overlay_nearest(fig, t, "gemm",
		"to %s, %.0f x %.0f x %.0f, %s; the model of kernels says %s", name, best->m,
		best->n, best->k, figure_quantity(fig, best->time_us * 1e-6, "s"),
		figure_quantity(fig, model_s, "s"));
}

void roofline_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, enum dtype d, const char *name, double m, double n, double k)
{
	const char *format = d == DTYPE_BF16 ? "bfloat16" : d == DTYPE_FP8 ? "fp8" : "-";
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 }, { "dtype", format, 0, 0 } };
	static const char *const want[WANT] = { "m", "n", "k", "time_us" };
	struct measured_product rows[MOST];
	char groups[48];

	snprintf(groups, sizeof groups, "%s %s", g->id, format);
	const char *what = figure_text(fig, "products on %s in %s", g->name, dtype_names[d]);
	size_t found = measured_points(t, "gemm", c, 2, want, WANT, &rows[0].m, MOST);
	if (!found || !overlay_error(fig, t, "gemm", groups, 400, what)) {
		overlay_outside(fig, "no %s; the datasheet%s", what,
			g->achieved.measured ? ", and constants fitted to other types"
					     : ", and the constants of its family");
		return;
	}
	add_points(fig, p, rows, found, dtype_bytes(d));
	say_nearest(fig, t, g, d, rows, found, &(struct measured_product){ m, n, k, 0 }, name);
}
