#include "sims/gpu/fork_join_draw.h"

#include <math.h>

/* Spans of a few workers, evenly chosen, over the first rounds, and of the lock that all share. */
enum { MOST_LANES = 6, ROUNDS_SHOWN = 2 };
struct fork_join_picture {
	struct figure *fig;
	struct timeline *timeline;
	size_t workers, lanes;
	double until_s;
	double lock_from_s, lock_to_s; /* while it was held without a gap */
};

static size_t worker_of_lane(const struct fork_join_picture *p, size_t lane)
{
	return p->lanes > 1 ? lane * (p->workers - 1) / (p->lanes - 1) : 0;
}

static void draw_lock(struct fork_join_picture *p)
{
	if (p->lock_to_s > p->lock_from_s && p->lock_from_s < p->until_s)
		timeline_span(p->fig, p->timeline, (unsigned)p->lanes, ACTIVITY_LOCK,
			p->lock_from_s, fmin(p->lock_to_s, p->until_s), NULL);
}

static void see(void *context, const struct activity_span *span)
{
	struct fork_join_picture *p = context;
	if (span->activity == ACTIVITY_LOCK || span->activity == ACTIVITY_CROSSTALK) {
		if (span->start_s > p->lock_to_s) {
			draw_lock(p);
			p->lock_from_s = span->start_s;
		}
		p->lock_to_s = span->end_s;
	}
	for (size_t lane = 0; lane < p->lanes; lane++)
		if (worker_of_lane(p, lane) == span->worker && span->start_s < p->until_s)
			timeline_span(p->fig, p->timeline, (unsigned)lane, (unsigned)span->activity,
				span->start_s, fmin(span->end_s, p->until_s), NULL);
}

struct program_run fork_join_draw(struct figure *fig, const struct program *p,
	const char *const activities[N_ACTIVITIES], const char *lock)
{
	struct program some = *p;
	struct arena scratch = { 0 };
	some.rounds = p->rounds < ROUNDS_SHOWN ? p->rounds : ROUNDS_SHOWN;
	fig->duration_s = program_simulate(&scratch, &some, NULL).time_s;
	struct fork_join_picture picture = { .fig = fig,
		.workers = p->workers,
		.until_s = fig->duration_s,
		.lanes = p->workers < MOST_LANES ? p->workers : MOST_LANES };
	const char *names[MOST_LANES + 1];
	for (size_t i = 0; i < picture.lanes; i++)
		names[i] = figure_text(fig, "worker %zu", worker_of_lane(&picture, i) + 1);
	names[picture.lanes] = lock;
	bool locks = p->locked_s > 0 || p->crosstalk_s > 0;
	const char *title =
		figure_text(fig, picture.lanes < p->workers ? "%zu of %zu workers" : "%zu workers",
			picture.lanes, p->workers);
	picture.timeline =
		figure_timeline(fig, title, names, picture.lanes + locks, activities, N_ACTIVITIES);
	struct watcher watcher = { see, &picture };
	struct program_run run = program_simulate(&scratch, p, &watcher);
	draw_lock(&picture);
	fig->arena.failed = fig->arena.failed || scratch.failed;
	arena_release(&scratch);
	return run;
}
