#include "sims/communication/allreduce_measured.h"

#include "sims/measured/measured.h"
#include "sims/measured/overlay.h"

#include <math.h>

enum { MOST = 100, WANT = 2, FROM_BYTES = 1000, APART = 8 };

static void say_nearest(struct figure *fig, const struct tables *t, const struct network *net,
	double gpus, double rows[][WANT], size_t n, double bytes)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (overlay_distance(rows[i][0], bytes) < overlay_distance(rows[best][0], bytes))
			best = i;
	double model_s = collective_best(net, ALL_REDUCE, gpus, rows[best][0], NULL);
	overlay_nearest(fig, t, "collectives", "%s on %g GPUs, %s; the model says %s%s",
		figure_quantity(fig, rows[best][0], "B"), gpus,
		figure_quantity(fig, rows[best][1] * 1e-6, "s"), figure_quantity(fig, model_s, "s"),
		overlay_distance(rows[best][0], bytes) > 1
			? ". The message lies outside what was measured"
			: "");
}

void allreduce_overlay(struct figure *fig, struct plot *p, const struct tables *t,
	const struct accelerator *g, const struct network *net, double gpus, double gpus_per_node,
	double bytes)
{
	const struct measured_condition c[] = { { "gpu", g->id, 0, 0 },
		{ "op", "all_reduce", 0, 0 }, { "n_gpus", NULL, gpus, gpus } };
	static const char *const want[WANT] = { "bytes", "time_us" };
	double rows[MOST][WANT];
	size_t n = gpus > gpus_per_node
			   ? 0
			   : measured_points(t, "collectives", c, 3, want, WANT, rows[0], MOST);

	if (!n) {
		overlay_outside(fig, "no all-reduce of %g x %s%s; links as of its family", gpus,
			g->name, gpus > gpus_per_node ? " over several nodes" : "");
		return;
	}
	const char *what = figure_text(fig, "collectives in a node of A100 or H100");
	if (!overlay_error(fig, t, "collectives", "", 0, what))
		return;
	struct series *s = overlay_series(fig, p, "measured", 6);
	/* So many that the curves are still seen, over a floor of their own. */
	double next = FROM_BYTES, least_s = INFINITY;
	for (size_t i = 0; i < n; i++)
		if (rows[i][0] >= next) {
			series_mark(fig, s, rows[i][0], rows[i][1] * 1e-6, NULL, ROLE_PLAIN);
			least_s = fmin(least_s, rows[i][1] * 1e-6);
			next = APART * rows[i][0];
		}
	if (p)
		p->y.min = pow(10, floor(log10(least_s) - 0.1));
	say_nearest(fig, t, net, gpus, rows, n, bytes);
}
