/* Two actors and two kinds of events: the CPU has returned from a call, or the GPU has finished a
 * kernel. After each event both are asked whether they can go on. The GPU follows the program by a
 * walk of its own over the sections and their repeats, so that no list of launches is ever made.
 *
 * launch_iteration_s() is the same machine without spans, in one loop: a ring holds the ends of the
 * last LAUNCH_QUEUE kernels, and the CPU waits for the one that still stands in its place. */
#include "sims/gpu/launches.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/events.h"

#include <assert.h>
#include <math.h>

enum { WARM_ITERATIONS = 2 };
enum launch_event { EVENT_LAUNCHED, EVENT_DONE };

/* CPU time of handing a whole recording to the driver. */
static const double graph_launch_s = 10e-6;

struct launch_walk {
	const struct op_graph *g;
	size_t section, repeat, at; /* where the next kernel stands */
};

static const struct graph_kernel *walk_next(struct launch_walk *w)
{
	const struct graph_section *s = &w->g->section[w->section];
	while (w->at == s->n) {
		w->at = 0;
		if (++w->repeat >= s->repeat || s->n == 0) {
			w->repeat = 0;
			w->section = (w->section + 1) % N_GRAPH_SECTIONS;
			s = &w->g->section[w->section];
		}
	}
	return &s->kernels[w->at++];
}

/* Where the CPU is in its program: calls, piece by piece, with Python between them; then, where it
 * synchronises, a wait and the reading of the value. */
enum cpu_at { AT_CALL, AT_BREAK, AT_WAIT, AT_VALUE };

struct launcher {
	const struct launch_setup *setup;
	struct arena *arena;
	struct events events;
	struct launch_walk walk; /* where the GPU is in the program */
	size_t n, pieces;        /* kernels and pieces of an iteration */
	size_t iterations;       /* so many that the CPU can be as far ahead as the queue allows
				  * while the GPU is watched */
	size_t iteration, piece, kernel;
	enum cpu_at at;
	size_t launched, done; /* kernels, over all iterations */
	bool cpu_waits, gpu_busy, watching;
	double from_s; /* watching since then */
	double now_s, cpu_since_s, gpu_since_s;
	double ended_s, before_s; /* the last two ends of an iteration that count */
	const struct graph_kernel *running;
	struct launch_run run;
	size_t cap_spans;
};

/* The first kernel of piece i. All pieces are of nearly the same length. */
static size_t piece_start(const struct launcher *l, size_t i)
{
	return i * l->n / l->pieces;
}

static void log_span(struct launcher *l, double start_s, struct launch_span span)
{
	struct launch_run *run = &l->run;
	bool inside = l->watching && l->setup->watch_s > 0;
	span.start_s = fmax(0, start_s - l->from_s);
	span.end_s = fmin(l->now_s - l->from_s, l->setup->watch_s);
	if (!inside || span.end_s <= span.start_s)
		return;
	if (run->n_spans < l->cap_spans ||
		array_grow(l->arena, &run->spans, run->n_spans, &l->cap_spans, sizeof *run->spans))
		run->spans[run->n_spans++] = span;
}

/* Starts the CPU's next call, or leaves it waiting. */
static void cpu_go(struct launcher *l)
{
	const struct launch_setup *s = l->setup;
	double spent_s = s->recorded ? graph_launch_s : s->launch_s;
	l->cpu_waits = true;
	if (l->iteration == l->iterations)
		return;
	if (l->at == AT_WAIT && l->done < l->launched)
		return;
	if (l->at == AT_CALL && !s->recorded && l->launched - l->done >= LAUNCH_QUEUE)
		return;
	if (l->at == AT_WAIT)
		l->at = AT_VALUE;
	if (l->at != AT_CALL)
		spent_s = l->at == AT_BREAK ? s->break_s : ITEM_READ_S;
	l->cpu_waits = false;
	l->cpu_since_s = l->now_s;
	events_push(&l->events, l->now_s + spent_s, EVENT_LAUNCHED, 0);
}

static void next_iteration(struct launcher *l)
{
	l->iteration++;
	l->at = AT_CALL;
}

static void call_returned(struct launcher *l)
{
	size_t end = piece_start(l, l->piece + 1);
	size_t handed = l->setup->recorded ? end - l->kernel : 1;
	l->launched += handed;
	l->kernel += handed;
	if (l->kernel < end)
		return;
	l->at = AT_BREAK;
	if (++l->piece < l->pieces)
		return;
	l->piece = l->kernel = 0;
	if (l->setup->syncs)
		l->at = AT_WAIT;
	else
		next_iteration(l);
}

static void cpu_done(struct launcher *l)
{
	log_span(l, l->cpu_since_s, (struct launch_span){ .python = l->at != AT_CALL });
	if (l->at == AT_CALL)
		call_returned(l);
	else if (l->at == AT_BREAK)
		l->at = AT_CALL;
	else
		next_iteration(l);
	cpu_go(l);
}

static void gpu_go(struct launcher *l)
{
	if (l->gpu_busy || l->done == l->launched)
		return;
	l->gpu_busy = true;
	l->gpu_since_s = l->now_s;
	l->running = walk_next(&l->walk);
	events_push(&l->events, l->now_s + l->running->time_s, EVENT_DONE, 0);
}

static void gpu_done(struct launcher *l)
{
	log_span(l, l->gpu_since_s, (struct launch_span){ .kernel = l->running });
	l->gpu_busy = false;
	if (l->done + 1 == WARM_ITERATIONS * l->n + l->setup->watch_kernel) {
		l->watching = true;
		l->from_s = l->now_s;
	}
	if (++l->done % l->n != 0 || l->done > (WARM_ITERATIONS + 1) * l->n)
		return;
	if (l->done <= WARM_ITERATIONS * l->n)
		l->before_s = l->now_s;
	l->ended_s = l->now_s;
}

static double cpu_time(const struct launcher *l)
{
	const struct launch_setup *s = l->setup;
	double calls_s =
		s->recorded ? (double)l->pieces * graph_launch_s : (double)l->n * s->launch_s;
	return calls_s + (double)(l->pieces - 1) * s->break_s + (s->syncs ? ITEM_READ_S : 0);
}

static size_t pieces_of(const struct launch_setup *s, size_t n)
{
	return s->pieces < 1 ? 1 : s->pieces > n ? n : s->pieces;
}

struct launch_run launch_simulate(struct arena *a, const struct launch_setup *s)
{
	assert(a && s->graph && s->launch_s >= 0);
	struct launcher l = { .setup = s,
		.arena = a,
		.events = events_new(a, 8),
		.walk = { .g = s->graph },
		.n = (size_t)op_graph_launches(s->graph) };
	if (a->failed || l.n == 0)
		return (struct launch_run){ 0 };
	l.pieces = pieces_of(s, l.n);
	l.iterations = WARM_ITERATIONS + 2 + (s->watch_s > 0 ? LAUNCH_QUEUE / l.n + 1 : 0);
	cpu_go(&l);
	for (struct event e; events_pop(&l.events, &e);) {
		l.now_s = e.at;
		if (e.kind == EVENT_DONE)
			gpu_done(&l);
		else
			cpu_done(&l);
		gpu_go(&l);
		if (l.cpu_waits)
			cpu_go(&l);
	}
	l.run.iteration_s = l.ended_s - l.before_s;
	l.run.busy_s = op_graph_time_s(s->graph);
	l.run.launches = s->recorded ? (double)l.pieces : (double)l.n;
	l.run.cpu_s = cpu_time(&l);
	return l.run;
}

double launch_iteration_s(const struct launch_setup *s)
{
	assert(s->graph && s->launch_s >= 0);
	struct launcher l = { .setup = s, .n = (size_t)op_graph_launches(s->graph) };
	struct launch_walk walk = { .g = s->graph };
	double ends[LAUNCH_QUEUE], cpu_s = 0, gpu_s = 0, before_s = 0;
	size_t at = 0;
	if (l.n == 0)
		return 0;
	l.pieces = pieces_of(s, l.n);
	for (size_t i = 0; i <= WARM_ITERATIONS; i++) {
		before_s = gpu_s;
		for (size_t k = 0, piece = 0; k < l.n; k++, at++) {
			bool starts = piece < l.pieces && piece_start(&l, piece) == k;
			cpu_s += starts && piece > 0 ? s->break_s : 0;
			piece += starts;
			if (!s->recorded && at >= LAUNCH_QUEUE)
				cpu_s = fmax(cpu_s, ends[at % LAUNCH_QUEUE]);
			cpu_s += s->recorded ? (starts ? graph_launch_s : 0) : s->launch_s;
			gpu_s = fmax(gpu_s, cpu_s) + walk_next(&walk)->time_s;
			ends[at % LAUNCH_QUEUE] = gpu_s;
		}
		cpu_s = s->syncs ? fmax(cpu_s, gpu_s) + ITEM_READ_S : cpu_s;
	}
	return gpu_s - before_s;
}
