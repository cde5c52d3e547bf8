/* A published server beside this queue: it serves in batches and its clients wait for answers. */
#include "sims/measured/measured.h"
#include "sims/measured/overlay.h"
#include "sims/serving/queueing.h"

#include <math.h>

enum { CLIENTS, RATE, WAIT, BUSY, WANT, MOST = 64 };
#define NO_KNEE 0.955 /* up to here the curve is drawn */

/* Rows of a configuration stand together, by ascending clients: where the next one begins. */
static size_t next_config(double rows[][WANT], size_t n, size_t from)
{
	size_t i = from + 1;
	while (i < n && rows[i][CLIENTS] > rows[i - 1][CLIENTS])
		i++;
	return i;
}

static double largest_rate(double rows[][WANT], size_t from, size_t end)
{
	double most = 0;
	for (size_t i = from; i < end; i++)
		most = fmax(most, rows[i][RATE]);
	return most;
}

/* What is being compared: one row at its utilisation, waits in mean services. */
struct compared {
	double utilisation, wait, thought;
	const double *row;
};

static struct compared compare(const struct queueing *q, const double row[WANT], double capacity)
{
	double rho = row[RATE] / capacity;
	struct queue_setup s = queueing_at(q, rho);
	return (struct compared){ rho, row[WAIT] / row[BUSY],
		queue_theory(&s, q->trace_cv).wait_s / s.service_s, row };
}

static struct plot *new_plot(const struct queueing *q, struct figure *fig)
{
	struct plot *p =
		figure_plot(fig, "A server that batches, measured", "Share of its largest rate", "",
			AXIS_LINEAR, "Mean wait in services", "", AXIS_LINEAR);
	struct series *line = plot_series(fig, p, "this queue", SERIES_LINE, 0);

	for (double rho = 0.3; p && rho < NO_KNEE; rho += 0.02) {
		struct queue_setup s = queueing_at(q, rho);
		series_point(fig, line, rho, queue_theory(&s, q->trace_cv).wait_s / s.service_s);
	}
	if (p) {
		p->y.min = 0;
		p->y.max = 4; /* far above what was measured; the queue goes on upwards */
	}
	return p;
}

static void say_outside(const struct queueing *q, struct figure *fig)
{
	char line[160];

	if (measured_summary(q->tables, "queueing", "", 0, line, sizeof line))
		overlay_outside(fig,
			"measured servers batch and wait otherwise; the formula for those (ridge "
			"validate queueing) has a %s",
			line);
}

void queueing_overlay(const struct queueing *q, struct figure *fig)
{
	static const char *const want[WANT] = { "concurrency", "inferences_per_s",
		"server_queue_ms", "compute_infer_ms" };
	double rows[MOST][WANT];
	size_t n = measured_points(q->tables, "queueing", NULL, 0, want, WANT, rows[0], MOST);
	struct compared best = { 0 };

	if (n == 0)
		return;
	struct plot *p = new_plot(q, fig);
	struct series *s = overlay_series(fig, p, "measured", 6);
	for (size_t from = 0, end; from < n; from = end) {
		end = next_config(rows, n, from);
		double capacity = largest_rate(rows, from, end);
		for (size_t i = from; i < end; i++) {
			struct compared c = compare(q, rows[i], capacity);
			series_mark(fig, s, c.utilisation, c.wait, NULL, ROLE_PLAIN);
			if (!best.row ||
				fabs(c.utilisation - q->v[QUEUEING_UTILISATION]) <
					fabs(best.utilisation - q->v[QUEUEING_UTILISATION]))
				best = c;
		}
	}
	say_outside(q, fig);
	overlay_nearest(fig, q->tables, "queueing",
		"%.0f %% of the largest rate, %g clients: a wait of %.2g services, %.3g of %.3g "
		"ms; this queue says %.2g services",
		100 * best.utilisation, best.row[CLIENTS], best.wait, best.row[WAIT],
		best.row[BUSY], best.thought);
}
