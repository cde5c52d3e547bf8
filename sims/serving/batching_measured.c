/* Published server runs over the curve of latency against load. */
#include "sims/measured/measured.h"
#include "sims/measured/overlay.h"
#include "sims/serving/batching.h"

#include <math.h>

enum { ISL, OSL, CLIENTS, TTFT, TPOT, WANT, MOST = 200 };
/* Rows of the table whose prediction is worth its time while somebody turns a knob. */
enum { MOST_PREDICTED = 8 };

static double mean_s(const double row[WANT])
{
	return (row[TTFT] + row[TPOT] * (row[OSL] - 1)) / 1e3;
}

static double shape_distance(const struct batching *b, const double row[WANT])
{
	return overlay_distance(row[ISL], b->mean_prompt) +
	       overlay_distance(row[OSL], b->mean_output);
}

static double load_of(const struct batching *b, const double row[WANT])
{
	/* Little: each client has one request in the server. */
	return b->setup.users ? row[CLIENTS] : row[CLIENTS] / mean_s(row);
}

static size_t nearest_shape(const struct batching *b, double rows[][WANT], size_t n)
{
	size_t best = 0;
	for (size_t i = 1; i < n; i++)
		if (shape_distance(b, rows[i]) < shape_distance(b, rows[best]))
			best = i;
	return best;
}

/* The rows of one pair of lengths; the one nearest to the present load is named. */
static void add_points(const struct batching *b, const struct tables *t, struct figure *fig,
	struct plot *p, double rows[][WANT], size_t n, const double shape[WANT])
{
	struct series *s = overlay_series(fig, p, "measured, mean", 6);
	double load = b->setup.users ? (double)b->setup.users : b->v[BATCHING_RATE];
	const double *best = NULL;
	for (size_t i = 0; i < n; i++) {
		const double *r = rows[i];
		if (r[ISL] != shape[ISL] || r[OSL] != shape[OSL] || !isfinite(mean_s(r)))
			continue;
		series_mark(fig, s, load_of(b, r), mean_s(r), NULL, ROLE_PLAIN);
		if (!best || overlay_distance(load_of(b, r), load) <
				     overlay_distance(load_of(b, best), load))
			best = r;
	}
	if (best)
		overlay_nearest(fig, t, "serving",
			"%g + %g tokens, %g clients at once: %.3g ms to the first token, %.3g ms "
			"for each other; requests per second by Little's law",
			best[ISL], best[OSL], best[CLIENTS], best[TTFT], best[TPOT]);
}

void batching_overlay(
	const struct batching *b, const struct tables *t, struct figure *fig, struct plot *p)
{
	enum { OCTAVES = 2 }; /* of both lengths together, from the setting's */
	const double tp = b->v[BATCHING_TP];
	const struct measured_condition c[] = { { "system", b->gpu->id, 0, 0 },
		{ "model", b->model->id, 0, 0 }, { "gemm_quant", "", 0, 0 },
		{ "tp", NULL, tp, tp } };
	static const char *const want[WANT] = { "isl", "osl", "client_concurrency", "ttft_ms",
		"tpot_ms" };
	double rows[MOST][WANT];
	size_t n = b->setup.fixed_step_s > 0
			   ? 0
			   : measured_points(t, "serving", c, 4, want, WANT, rows[0], MOST);
	size_t shape = n ? nearest_shape(b, rows, n) : 0;

	if (n == 0)
		overlay_outside(fig, "no server of %s in BF16 on %g x %s; kernels %s%s",
			b->model->name, tp, b->gpu->name,
			b->gpu->achieved.measured ? "as measured on it" : "as of its family",
			b->setup.fixed_step_s > 0 ? ", and a fixed iteration" : "");
	else if (shape_distance(b, rows[shape]) > OCTAVES)
		overlay_outside(fig, "the nearest run has %g + %g tokens, this one %.0f + %.0f",
			rows[shape][ISL], rows[shape][OSL], b->mean_prompt, b->mean_output);
	else if (overlay_error(fig, t, "serving", "tpot_ms", MOST_PREDICTED,
			 "time per token of servers on H100 and H200"))
		add_points(b, t, fig, p, rows, n, rows[shape]);
}
