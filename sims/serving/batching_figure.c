/* Pictures of a run: three telling requests under each policy, the policies' numbers, the engine's
 * slots, and the cache. */
#include "sims/serving/batching.h"

#include "sims/formulas/formula.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N_SHOWN = 3, MAX_SLOTS = 16 };

static const char *const kind_names[N_SPAN_KINDS] = { "decode", "prefill", "held", "waiting",
	"preempted" };

/* The first and the last request of the first static batch, and the first that came too late for
 * it: who waits for others to come, who joins at once, and who waits behind a whole batch. */
struct batching_shown {
	size_t id[N_SHOWN];
	size_t n;
	double end_s; /* of all that happens to them */
	size_t kinds; /* of spans that they need in the legend: preemption is rare */
};

static bool is_served(const struct serving_run *run, size_t id)
{
	return isfinite(run->served[id].finish_s);
}

static void see(struct batching_shown *s, const struct serving_span *span)
{
	for (size_t k = 0; k < s->n; k++) {
		if (span->request != s->id[k])
			continue;
		s->end_s = fmax(s->end_s, span->end_s);
		if (span->kind == SPAN_PREEMPTED)
			s->kinds = N_SPAN_KINDS;
	}
}

static struct batching_shown pick(const struct batching *b)
{
	const struct serving_run *run = &b->run[SERVING_STATIC];
	struct batching_shown s = { .kinds = SPAN_PREEMPTED };
	size_t n = run->n < b->setup.watch ? run->n : b->setup.watch, first = 0, last;
	while (first < n && !is_served(run, first))
		first++;
	if (first == n)
		return s;
	s.id[s.n++] = last = first;
	size_t next = first + 1;
	for (; next < n && run->served[next].first_s <= run->served[first].first_s; next++)
		if (is_served(run, next))
			last = next;
	while (next < n && !is_served(run, next))
		next++;
	if (last != first)
		s.id[s.n++] = last;
	if (next < n)
		s.id[s.n++] = next;
	for (int p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_log *log = &b->run[p].log;
		for (size_t i = 0; i < log->n_spans; i++)
			see(&s, &log->spans[i]);
	}
	return s;
}

static void draw_requests(
	const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	const char *lanes[N_SERVING_POLICIES * N_SHOWN];
	size_t n = 0;
	for (int p = 0; p < N_SERVING_POLICIES; p++)
		for (size_t k = 0; k < s->n; k++)
			lanes[n++] =
				figure_text(fig, "%s #%zu", batching_policy_ids[p], s->id[k] + 1);
	struct timeline *t = figure_timeline(
		fig, "The same requests under each policy", lanes, n, kind_names, s->kinds);
	for (unsigned p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_log *log = &b->run[p].log;
		for (size_t i = 0; i < log->n_spans; i++) {
			const struct serving_span *span = &log->spans[i];
			for (unsigned k = 0; k < s->n; k++)
				if (span->request == s->id[k])
					timeline_span(fig, t, p * (unsigned)s->n + k, span->kind,
						span->start_s, span->end_s, NULL);
		}
	}
}

static void draw_slots(const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	const struct serving_log *log = &b->run[b->policy].log;
	const char *lanes[MAX_SLOTS];
	size_t n = b->setup.max_batch < MAX_SLOTS ? b->setup.max_batch : MAX_SLOTS;
	for (size_t i = 0; i < n; i++)
		lanes[i] = figure_text(fig, "slot %zu", i + 1);
	const char *title = figure_text(fig, "%s %zu slots of the engine, %s",
		n < b->setup.max_batch ? "First" : "All", n, batching_policy_ids[b->policy]);
	struct timeline *t = figure_timeline(fig, title, lanes, n, kind_names, SPAN_WAITING);
	for (size_t i = 0; i < log->n_spans; i++) {
		const struct serving_span *span = &log->spans[i];
		if (span->kind == SPAN_WAITING || span->kind == SPAN_PREEMPTED || span->slot >= n ||
			span->start_s >= s->end_s)
			continue;
		char label[16];
		snprintf(label, sizeof label, "%u", span->request + 1);
		timeline_span(fig, t, span->slot, span->kind, span->start_s,
			fmin(span->end_s, s->end_s), span->kind == SPAN_DECODE ? label : NULL);
	}
}

static void draw_numbers(const struct batching *b, struct figure *fig)
{
	static const char *const head[] = { "policy", "TTFT p50", "TTFT p99", "ITL p99", "e2e p99",
		"tokens/s", "held" };
	struct table *t = figure_table(fig, "", head, 7, "0111111");
	for (int p = 0; p < N_SERVING_POLICIES; p++) {
		const struct serving_summary *s = &b->sum[p];
		table_row(fig, t,
			(const char *[]){ batching_policy_ids[p],
				figure_quantity(fig, s->ttft_p50_s, "s"),
				figure_quantity(fig, s->ttft_p99_s, "s"),
				figure_quantity(fig, s->itl_p99_s, "s"),
				figure_quantity(fig, s->e2e_p99_s, "s"),
				figure_quantity(fig, s->tokens_per_s, ""),
				figure_text(fig, "%.0f %%", 100 * s->idle_slot_ratio) });
	}
}

/* Captions in the order in which the playhead meets them. */
struct caption {
	double at_s;
	const char *text;
};
enum { MAX_CAPTIONS = 16 };
struct captions {
	struct caption c[MAX_CAPTIONS];
	size_t n;
};

static void caption(struct captions *all, double at_s, const char *text)
{
	if (all->n < MAX_CAPTIONS && isfinite(at_s))
		all->c[all->n++] = (struct caption){ at_s, text };
}

static int by_time(const void *a, const void *b)
{
	double x = ((const struct caption *)a)->at_s, y = ((const struct caption *)b)->at_s;
	return (x > y) - (x < y);
}

/* When the first batch of a request-level policy started, who was in it, and when it ended. */
struct first_batch {
	double launch_s, end_s, slot_s, held_s;
	size_t members;
	double longest;
};

static struct first_batch first_batch(const struct batching *b, enum serving_policy p, size_t first)
{
	const struct serving_run *run = &b->run[p];
	struct first_batch f = { .launch_s = INFINITY };
	for (size_t i = 0; i < run->log.n_spans; i++) {
		const struct serving_span *s = &run->log.spans[i];
		if (run->served[s->request].first_s != run->served[first].first_s)
			continue;
		if (s->kind == SPAN_PREFILL) {
			f.launch_s = s->start_s;
			f.members++;
			f.longest = fmax(f.longest, b->setup.requests[s->request].output_tokens);
		}
		f.end_s = fmax(f.end_s, s->end_s);
		if (s->kind != SPAN_WAITING)
			f.slot_s += s->end_s - s->start_s;
		if (s->kind == SPAN_HELD)
			f.held_s += s->end_s - s->start_s;
	}
	return f;
}

static void tell_batch(const struct batching *b, enum serving_policy p,
	const struct batching_shown *s, struct captions *all, struct figure *fig)
{
	const struct served *first = &b->run[p].served[s->id[0]];
	struct first_batch f = first_batch(b, p, s->id[0]);
	const char *name = batching_policy_ids[p];
	size_t most = b->setup.max_batch;
	if (!isfinite(f.launch_s))
		return;
	if (f.launch_s > first->arrival_s)
		caption(all, f.launch_s,
			figure_text(fig, "%s: %s after %.3g s, %zu of %zu slots taken", name,
				f.members == most     ? "batch full"
				: p == SERVING_STATIC ? "batch short"
						      : "timeout",
				f.launch_s - first->arrival_s, f.members, most));
	if (f.end_s > first->finish_s)
		caption(all, first->finish_s,
			figure_text(fig,
				"%s: request %zu is done, its slot is held for %.3g s more", name,
				s->id[0] + 1, f.end_s - first->finish_s));
	if (f.held_s > 0)
		caption(all, f.end_s,
			figure_text(fig,
				"%s: the longest (%.0f tokens) ends the batch; %.0f %% of its slot "
				"time was held",
				name, f.longest, 100 * f.held_s / f.slot_s));
}

static void tell(const struct batching *b, const struct batching_shown *s, struct figure *fig)
{
	const struct serving_run *run = b->run;
	struct captions all = { .n = 0 };
	size_t first = s->id[0], late = s->id[s->n - 1];
	const struct served *fixed = &run[SERVING_STATIC].served[late];
	const struct served *live = run[SERVING_CONTINUOUS].served;

	caption(&all, live[first].arrival_s,
		figure_text(fig,
			"request %zu arrives: continuous starts it, static waits for a batch of "
			"%zu",
			first + 1, b->setup.max_batch));
	if (isfinite(live[first].finish_s))
		caption(&all, live[first].finish_s,
			figure_text(fig,
				"continuous: request %zu is done, its slot is free for the next "
				"iteration",
				first + 1));
	if (s->n > 1 && isfinite(live[late].first_s) && isfinite(fixed->first_s))
		caption(&all, fixed->arrival_s,
			figure_text(fig,
				"request %zu arrives: first token after %.3g s under continuous, "
				"%.3g s under static batching",
				late + 1, live[late].first_s - live[late].arrival_s,
				fixed->first_s - fixed->arrival_s));
	tell_batch(b, SERVING_STATIC, s, &all, fig);
	tell_batch(b, SERVING_DYNAMIC, s, &all, fig);
	qsort(all.c, all.n, sizeof *all.c, by_time);
	for (size_t i = 0; i < all.n; i++)
		figure_moment(fig, all.c[i].at_s, "%s", all.c[i].text);
}

void batching_draw_requests(const struct batching *b, struct figure *fig)
{
	struct batching_shown s = pick(b);
	if (s.n == 0)
		return;
	draw_requests(b, &s, fig);
	draw_numbers(b, fig);
	tell(b, &s, fig);
	fig->duration_s = s.end_s;
}

void batching_draw_slots(const struct batching *b, struct figure *fig)
{
	struct batching_shown s = pick(b);
	if (s.n)
		draw_slots(b, &s, fig);
}

/* Paged: one heap of blocks. Contiguous and static: each holder's rectangle, filled as far as the
 * holders are on average. */
static void draw_frame(
	struct grid *g, size_t frame, const struct cache_sample *s, double cell_tokens, bool paged)
{
	size_t cells = g->rows * g->cols, holders = paged || !s->holders ? 1 : s->holders;
	double each = s->reserved / (double)holders, used = s->used / (double)holders;
	for (size_t i = 0; i < cells; i++) {
		double at = ((double)i + 0.5) * cell_tokens;
		if (at >= s->reserved)
			return;
		grid_set(g, frame, i / g->cols, i % g->cols, fmod(at, each) < used ? 1 : 2);
	}
}

void batching_draw_cache(const struct batching *b, struct figure *fig)
{
	enum { ROWS = 6, COLS = 40, MAX_FRAMES = 48 };
	static const char *const kinds[] = { "free", "used", "reserved, empty" };
	const struct serving_log *log = &b->run[b->policy].log;
	double end_s = fig->duration_s, total = b->setup.cache_tokens, times[MAX_FRAMES], most = 0;
	const struct cache_sample *samples[MAX_FRAMES];
	size_t n = 0, inside = 0;
	while (inside < log->n_cache && log->cache[inside].at_s <= end_s) {
		most = fmax(most, log->cache[inside].reserved);
		inside++;
	}
	/* A picture of an empty cache says nothing. */
	if (inside == 0 || most < 0.02 * total)
		return;
	for (size_t i = 0; i < inside; i += 1 + inside / MAX_FRAMES, n++) {
		samples[n] = &log->cache[i];
		times[n] = log->cache[i].at_s;
	}
	double cell_tokens = total / (ROWS * COLS);
	const char *cell = figure_quantity(fig, cell_tokens * b->kv_bytes_per_token, "B");
	struct grid *g = figure_grid(fig, figure_text(fig, "KV cache, %s a cell", cell), kinds, 3,
		NULL, ROWS, COLS, times, n);
	bool paged = b->setup.paged && b->policy == SERVING_CONTINUOUS;
	for (size_t i = 0; i < n && g; i++)
		draw_frame(g, i, samples[i], cell_tokens, paged);
}
