/* Spans come in the engine's lanes, with the clock of the run. They are cut to the steps that are
 * watched, set to begin at 0, and put into rows: workers on top, as many as can be shown, then CPU,
 * copy, GPU, communication. */
#include "sims/training/step_draw.h"

#include "sims/base/stats.h"

#include <math.h>

enum { SHOWN_WORKERS = 4 };

/* A caption for each watched step: the longest of its waits. */
static void tell(struct figure *fig, const struct step_run *run)
{
	static const char *const what[N_IDLE_CAUSES] = { "no batch is ready: the GPU waits",
		"the copy stands before forward:", "after the sync the GPU waits for launches:",
		"kernels end before the next is launched:",
		"nothing is left to hide gradients behind:",
		"everything waits for the checkpoint:" };
	for (size_t i = run->first; i < run->first + run->watched; i++) {
		const struct step_end *end = &run->ends[i];
		double begun_s = i > 0 ? run->ends[i - 1].at_s : 0, step_s = end->at_s - begun_s;
		size_t worst = largest_of(end->idle_s, N_IDLE_CAUSES);
		if (end->idle_s[worst] > 0.02 * step_s)
			figure_moment(fig, begun_s - run->from_s, "step %zu: %s %s", i + 1,
				what[worst], figure_quantity(fig, 1e3 * end->idle_s[worst], "ms"));
		else
			figure_moment(fig, begun_s - run->from_s,
				"step %zu: its batch stood ready, the GPU computes all the time",
				i + 1);
	}
}

/* Lanes are drawn in another order: workers on top, then CPU, copy, GPU, communication. */
static unsigned row_of(const struct step_span *span, unsigned workers)
{
	static const unsigned below[N_FIXED_LANES] = {
		[LANE_CPU] = 0, [LANE_COPY] = 1, [LANE_GPU] = 2, [LANE_COMM] = 3
	};
	return span->lane >= LANE_WORKER ? span->lane - LANE_WORKER : workers + below[span->lane];
}

void step_draw_lanes(struct figure *fig, const struct step_machine *m, const struct step_run *run)
{
	const char *names[SHOWN_WORKERS + N_FIXED_LANES];
	bool comm = m->gpus > 1;
	unsigned n = 0;
	while (n < m->workers && n < SHOWN_WORKERS)
		n++;
	unsigned workers = n;
	for (unsigned k = 0; k < workers; k++)
		names[k] = figure_text(fig, "worker %u", k + 1);
	names[n++] = "CPU";
	names[n++] = "copy";
	names[n++] = "GPU";
	if (comm)
		names[n++] = "NCCL";
	const char *title =
		figure_text(fig, "Steps %zu to %zu%s", run->first + 1, run->first + run->watched,
			m->workers > SHOWN_WORKERS
				? figure_text(fig, ", %d of %zu workers", SHOWN_WORKERS, m->workers)
				: "");
	static const enum meaning means[N_STEP_KINDS] = { [STEP_FORWARD] = MEANS_COMPUTE,
		[STEP_BACKWARD] = MEANS_SECOND,
		[STEP_COMM] = MEANS_NETWORK,
		[STEP_COPY] = MEANS_TRAFFIC,
		[STEP_LAUNCH] = MEANS_KIND + 5,
		[STEP_OPTIMIZER] = MEANS_FIXED,
		[STEP_DATA] = MEANS_KIND + 3,
		[STEP_WAIT] = MEANS_WAITING };
	struct timeline *t = figure_timeline(fig, title, names, n, step_kind_names, N_STEP_KINDS);
	timeline_mean(fig, t, means, N_STEP_KINDS);
	fig->duration_s = run->to_s - run->from_s;
	for (size_t i = 0; i < run->n_spans; i++) {
		const struct step_span *span = &run->spans[i];
		double start_s = fmax(span->start_s, run->from_s) - run->from_s;
		double end_s = fmin(span->end_s, run->to_s) - run->from_s;
		if (end_s <= start_s || row_of(span, workers) >= n ||
			(span->lane >= LANE_WORKER && span->lane - LANE_WORKER >= workers))
			continue;
		bool batch = span->lane >= LANE_WORKER;
		timeline_span(fig, t, row_of(span, workers), span->kind, start_s, end_s,
			batch ? figure_text(fig, span->reads ? "read %u" : "%u", span->step + 1)
			      : NULL);
	}
	tell(fig, run);
}
