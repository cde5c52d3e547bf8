/* Spans come in the engine's lanes, with the clock of the run. They are cut to the steps that are
 * watched, set to begin at 0, and put into rows: on top the GPU, which the picture is about, under it
 * the workers that it waits for, as many as can be shown, then copy, CPU, communication. A copy that
 * has no stream of its own is in the GPU's row, as it is in its stream. */
#include "sims/training/step_draw.h"

#include "sims/base/stats.h"

#include <math.h>
#include <stdlib.h>

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

/* Lanes are drawn in another order: who waits, and right under it who prepares the batches. */
struct rows {
	unsigned workers;
	bool copies; /* they have a row of their own */
};

static unsigned row_of(const struct step_span *span, const struct rows *rows)
{
	const unsigned below[N_FIXED_LANES] = {
		[LANE_COPY] = 1, [LANE_CPU] = 1 + rows->copies, [LANE_COMM] = 2 + rows->copies
	};
	if (span->lane == LANE_GPU || (span->lane == LANE_COPY && !rows->copies))
		return 0;
	return span->lane >= LANE_WORKER ? 1 + span->lane - LANE_WORKER
					 : rows->workers + below[span->lane];
}

/* What is of one meaning is one part of the legend; a span bears the name of its own kind. */
enum {
	DRAWN_FORWARD,
	DRAWN_BACKWARD,
	DRAWN_COMM,
	DRAWN_BATCH,
	DRAWN_COPY,
	DRAWN_OVERHEAD,
	DRAWN_WAIT,
	N_DRAWN
};
static const char *const drawn_names[N_DRAWN] = { "forward", "backward", "network", "batch", "copy",
	"optimizer, launches", "waits" };
static const enum meaning drawn_means[N_DRAWN] = { MEANS_COMPUTE, MEANS_SECOND, MEANS_NETWORK,
	MEANS_KIND + 2, MEANS_TRAFFIC, MEANS_FIXED, MEANS_WAITING };
static const unsigned drawn_as[N_STEP_KINDS] = { [STEP_FORWARD] = DRAWN_FORWARD,
	[STEP_BACKWARD] = DRAWN_BACKWARD,
	[STEP_COMM] = DRAWN_COMM,
	[STEP_COPY] = DRAWN_COPY,
	[STEP_DATA] = DRAWN_BATCH,
	[STEP_LAUNCH] = DRAWN_OVERHEAD,
	[STEP_OPTIMIZER] = DRAWN_OVERHEAD,
	[STEP_WAIT] = DRAWN_WAIT };

/* Whether nearly all that the GPU waits for, but for copies that its row shows, is a batch. */
static bool starves(const struct step_run *run, bool copies_apart)
{
	static const double nearly_all = 0.9;
	double all_s = 0;
	for (int i = 0; i < N_IDLE_CAUSES; i++)
		all_s += i == IDLE_COPY && !copies_apart ? 0 : run->r.idle_s[i];
	return run->r.idle_s[IDLE_DATA] > nearly_all * all_s;
}

static int by_start(const void *a, const void *b)
{
	double x = ((const struct step_span *)a)->start_s,
	       y = ((const struct step_span *)b)->start_s;
	return (x > y) - (x < y);
}

/* What the GPU's row shows of the watched steps, by its beginning, and behind it their end: n + 1 spans.
 * NULL without memory. */
static struct step_span *work_of_gpu(
	struct figure *fig, const struct step_run *run, const struct rows *rows, size_t *n)
{
	struct step_span *work = arena_array(&fig->arena, run->n_spans + 1, sizeof *work);
	*n = 0;
	for (size_t i = 0; work && i < run->n_spans; i++)
		if (row_of(&run->spans[i], rows) == 0 && run->spans[i].end_s > run->from_s &&
			run->spans[i].start_s < run->to_s)
			work[(*n)++] = run->spans[i];
	if (!work)
		return NULL;
	qsort(work, *n, sizeof *work, by_start);
	work[*n] = (struct step_span){ .start_s = run->to_s, .end_s = run->to_s };
	return work;
}

/* The gaps between these are waits. Whoever watches a lane sees a pause of a thousandth of the picture at
 * best; and a name for waits that are next to nothing in all would be a riddle. */
static void draw_waits(
	struct figure *fig, struct timeline *t, const struct step_run *run, const struct rows *rows)
{
	static const double seen = 1e-3, named = 0.02;
	size_t n;
	const struct step_span *work = work_of_gpu(fig, run, rows, &n);
	double idle_s = run->from_s, shown_s = run->to_s - run->from_s, all_s = shown_s;
	if (!t || !work)
		return;
	for (size_t i = 0; i < n; i++) {
		all_s -= fmax(0, fmin(work[i].end_s, run->to_s) - fmax(work[i].start_s, idle_s));
		idle_s = fmax(idle_s, work[i].end_s);
	}
	idle_s = run->from_s;
	for (size_t i = 0; i <= n && all_s > named * shown_s; i++) {
		double wait_s = work[i].start_s - idle_s;
		if (wait_s > seen * shown_s)
			timeline_span(fig, t, 0, DRAWN_WAIT, idle_s - run->from_s,
				work[i].start_s - run->from_s,
				figure_text(fig, "%s %s", t->kind_names[DRAWN_WAIT],
					figure_about(fig, 1e3 * wait_s, "ms")));
		idle_s = fmax(idle_s, work[i].end_s);
	}
}

void step_draw_lanes(struct figure *fig, const struct step_machine *m, const struct step_run *run,
	const char *when, bool tells_why)
{
	const char *names[SHOWN_WORKERS + N_FIXED_LANES];
	bool comm = m->gpus > 1;
	unsigned n = 0;
	while (n < m->workers && n < SHOWN_WORKERS)
		n++;
	const unsigned workers = n++;
	const struct rows rows = { .workers = workers, .copies = m->copy_stream };
	/* Where the CPU waits for the GPU, its row has waits of that kind, too. */
	const bool starved = tells_why && m->syncs == 0 && starves(run, rows.copies > 0);
	names[0] = "GPU";
	for (unsigned k = 0; k < workers; k++)
		names[1 + k] = figure_text(fig, "worker %u", k + 1);
	if (rows.copies)
		names[n++] = "copy";
	names[n++] = "CPU";
	if (comm)
		names[n++] = "NCCL";
	size_t first = run->first + 1, last = run->first + run->watched;
	const char *title = figure_text(fig, "%s%s%s",
		first == last ? figure_text(fig, "Step %zu", first)
			      : figure_text(fig, "Steps %zu to %zu", first, last),
		m->workers > SHOWN_WORKERS
			? figure_text(fig, ", %d of %zu workers", SHOWN_WORKERS, m->workers)
			: "",
		when);
	const char *kinds[N_DRAWN];
	for (size_t i = 0; i < N_DRAWN; i++)
		kinds[i] = i == DRAWN_WAIT && starved ? "no data" : drawn_names[i];
	struct timeline *t = figure_timeline(fig, title, names, n, kinds, N_DRAWN);
	timeline_mean(fig, t, drawn_means, N_DRAWN);
	/* Two workers show what all do: the others go first where there is little room. Then the second
	 * and the copies go, for one worker and the CPU still show who lets the GPU wait. */
	unsigned char ranks[SHOWN_WORKERS + N_FIXED_LANES] = { [0] = 0 };
	for (unsigned k = 1; k < workers; k++)
		ranks[1 + k] = (unsigned char)k;
	ranks[1 + workers] = rows.copies;
	timeline_rank(fig, t, ranks, n);
	if (t)
		t->tall = 1;
	fig->duration_s = run->to_s - run->from_s;
	for (size_t i = 0; i < run->n_spans; i++) {
		const struct step_span *span = &run->spans[i];
		double start_s = fmax(span->start_s, run->from_s) - run->from_s;
		double end_s = fmin(span->end_s, run->to_s) - run->from_s;
		bool batch = span->lane >= LANE_WORKER;
		/* A CPU that calls for a copy does nothing until that is over. */
		bool held = span->lane == LANE_CPU && span->kind == STEP_COPY;
		bool idle = held || span->kind == STEP_WAIT;
		if (end_s <= start_s || row_of(span, &rows) >= n ||
			(batch && span->lane - LANE_WORKER >= workers))
			continue;
		/* What lets the CPU wait is seen in the GPU's row, but for the GPU itself. */
		if (span->lane == LANE_CPU && idle && tells_why && m->syncs == 0)
			continue;
		timeline_span(fig, t, row_of(span, &rows), held ? DRAWN_WAIT : drawn_as[span->kind],
			start_s, end_s,
			batch ? figure_text(
					fig, span->reads ? "read %u" : "batch %u", span->step + 1)
			: held                    ? "waits for the copy"
			: span->kind == STEP_WAIT ? NULL
						  : step_kind_names[span->kind]);
	}
	draw_waits(fig, t, run, &rows);
	tell(fig, run);
}
