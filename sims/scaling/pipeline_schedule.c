/* Each stage has the list of its operations, in the order that the schedule prescribes, and only
 * the times are open. The stages are visited in turn, and each runs as far down its list as the
 * ends of the operations that it depends on are known; a round in which no stage moves means that
 * the lists wait for each other. */
#include "sims/scaling/pipeline_schedule.h"

#include <assert.h>
#include <math.h>

struct pipeline_line {
	struct pipeline_op *ops;
	size_t n, next;
	double free_s, busy_s, live, live_bytes;
	/* Of a zero-bubble pipeline: the list without the works below, and how much of it has run;
	 * of the works below, how many wait. Those are done in order. */
	struct pipeline_op *list;
	size_t listed, taken;
	size_t waiting, filled;
};

struct works {
	const struct pipeline_setup *s;
	struct pipeline *out;
	struct pipeline_line *lines;
	double *done_s[2]; /* [backward][virtual stage * micro_batches + micro_batch]; NAN: not yet
			    */
};

static size_t virtual_stages(const struct pipeline_setup *s)
{
	return s->chunks * s->stages;
}

/* Appends the k-th forward or backward of a stage. Interleaved, a group of as many micro-batches as
 * stages goes through one chunk after another; backward takes the chunks from the end. */
static void add(
	const struct works *f, struct pipeline_line *l, unsigned stage, size_t k, bool backward)
{
	size_t p = f->s->stages, v = f->s->chunks;
	size_t chunk = v > 1 ? k % (p * v) / p : 0;
	size_t micro = v > 1 ? k / (p * v) * p + k % p : k;
	l->ops[l->n++] = (struct pipeline_op){ .stage = stage,
		.chunk = (unsigned)(backward ? v - 1 - chunk : chunk),
		.micro_batch = (unsigned)micro,
		.backward = backward };
}

/* How many forwards a stage runs before its first backward. */
static size_t warm_up(const struct pipeline_setup *s, size_t stage)
{
	size_t all = s->micro_batches * s->chunks, below = s->stages - 1 - stage, n = below;
	if (s->kind == PIPELINE_GPIPE)
		return all;
	if (s->chunks > 1)
		n = 2 * below + (s->chunks - 1) * s->stages;
	return n < all ? n : all;
}

static void list(const struct works *f, struct pipeline_line *l, unsigned stage)
{
	size_t all = f->s->micro_batches * f->s->chunks, first = warm_up(f->s, stage);
	for (size_t k = 0; k < first; k++)
		add(f, l, stage, k, false);
	for (size_t k = first; k < all; k++) {
		add(f, l, stage, k, false);
		add(f, l, stage, k - first, true);
	}
	for (size_t k = all - first; k < all; k++)
		add(f, l, stage, k, true);
}

static bool zero_bubble(const struct works *f)
{
	return f->s->kind == PIPELINE_ZERO_BUBBLE;
}

static double *done(const struct works *f, bool backward, size_t stage, size_t micro)
{
	return &f->done_s[backward][stage * f->s->micro_batches + micro];
}

/* When the input of an operation is there; NAN: not yet known. */
static double ready_s(const struct works *f, const struct pipeline_op *op)
{
	size_t at = op->chunk * f->s->stages + op->stage, last = virtual_stages(f->s) - 1;
	double transfer_s = f->s->stages > 1 ? f->s->transfer_s : 0;
	if (!op->backward)
		return at == 0 ? 0 : *done(f, false, at - 1, op->micro_batch) + transfer_s;
	if (at == last)
		return *done(f, false, at, op->micro_batch);
	return *done(f, true, at + 1, op->micro_batch) + transfer_s;
}

static void account(const struct works *f, struct pipeline_line *l, const struct pipeline_op *op)
{
	size_t at = op->chunk * f->s->stages + op->stage;
	/* Inputs are held until both gradients are there. */
	if (zero_bubble(f) && op->backward)
		return;
	double sign = op->backward || op->weights ? -1 : 1;
	l->live += sign / (double)f->s->chunks;
	l->live_bytes += sign * f->s->held_bytes[at];
	f->out->in_flight[op->stage] = fmax(f->out->in_flight[op->stage], l->live);
	f->out->held_bytes[op->stage] = fmax(f->out->held_bytes[op->stage], l->live_bytes);
}

/* The next work of a stage takes its place. */
static void run_op(const struct works *f, struct pipeline_line *l, double from_s, double takes_s)
{
	struct pipeline_op *op = &l->ops[l->next++];
	op->start_s = fmax(from_s, l->free_s);
	op->end_s = l->free_s = op->start_s + takes_s;
	l->busy_s += takes_s;
	if (!op->weights)
		*done(f, op->backward, op->chunk * f->s->stages + op->stage, op->micro_batch) =
			op->end_s;
	f->out->time_s = fmax(f->out->time_s, op->end_s);
	account(f, l, op);
}

/* Runs a stage as far as what the others have done allows; returns how many operations that was. */
static size_t advance(const struct works *f, struct pipeline_line *l)
{
	size_t before = l->next;
	while (l->next < l->n) {
		const struct pipeline_op *op = &l->ops[l->next];
		double from_s = ready_s(f, op);
		if (isnan(from_s))
			break;
		size_t at = op->chunk * f->s->stages + op->stage;
		run_op(f, l, from_s, (op->backward ? f->s->backward_s : f->s->forward_s)[at]);
	}
	return l->next - before;
}

/* --- The zero-bubble pipeline --- */

/* The oldest gradients of weights that wait. */
static void fill(const struct works *f, struct pipeline_line *l, unsigned stage)
{
	l->ops[l->next] = (struct pipeline_op){
		.stage = stage, .micro_batch = (unsigned)l->filled++, .weights = true
	};
	l->waiting--;
	run_op(f, l, l->free_s, f->s->weights_s[stage]);
}

/* As advance, with gradients of weights where the next listed work has to wait long enough for
 * them, where the stage holds as much as it may, and at the end. */
static size_t advance_filling(const struct works *f, struct pipeline_line *l)
{
	size_t before = l->next;
	for (; l->taken < l->listed; l->taken++) {
		const struct pipeline_op *op = &l->list[l->taken];
		double from_s = ready_s(f, op), weights_s = f->s->weights_s[op->stage];
		if (isnan(from_s))
			return l->next - before;
		while (l->waiting > 0 &&
			(l->free_s + weights_s <= from_s ||
				(!op->backward && l->live >= (double)f->s->stages)))
			fill(f, l, op->stage);
		double takes_s = op->backward ? f->s->backward_s[op->stage] - weights_s
					      : f->s->forward_s[op->stage];
		l->ops[l->next] = *op;
		run_op(f, l, from_s, takes_s);
		l->waiting += op->backward;
	}
	while (l->waiting > 0)
		fill(f, l, l->list[0].stage);
	return l->next - before;
}

/* The list is 1F1B's. False when memory is out. */
static bool list_filling(
	const struct works *f, struct pipeline_line *l, unsigned stage, struct arena *arena)
{
	struct pipeline_op *ops = l->ops;
	l->list = arena_array(arena, 2 * f->s->micro_batches, sizeof *l->list);
	if (!l->list)
		return false;
	l->ops = l->list;
	list(f, l, stage);
	l->listed = l->n;
	l->ops = ops;
	return true;
}

bool pipeline_run(const struct pipeline_setup *s, struct pipeline *out, struct arena *arena)
{
	assert(s->stages > 0 && s->micro_batches > 0 && s->chunks > 0 &&
		s->kind <= PIPELINE_ZERO_BUBBLE);
	assert(s->chunks == 1 || s->micro_batches % s->stages == 0);
	bool fills = s->kind == PIPELINE_ZERO_BUBBLE;
	assert(!fills || (s->chunks == 1 && s->weights_s));
	size_t per_stage = (fills ? 3 : 2) * s->micro_batches * s->chunks, p = s->stages;
	struct works f = { .s = s, .out = out };
	*out = (struct pipeline){ .n_ops = per_stage * p };
	out->ops = arena_array(arena, out->n_ops, sizeof *out->ops);
	out->in_flight = arena_array(arena, p, sizeof *out->in_flight);
	out->held_bytes = arena_array(arena, p, sizeof *out->held_bytes);
	f.lines = arena_array(arena, p, sizeof *f.lines);
	for (int i = 0; i < 2; i++)
		f.done_s[i] = arena_array(
			arena, virtual_stages(s) * s->micro_batches, sizeof *f.done_s[i]);
	if (arena->failed)
		return false;
	for (size_t i = 0; i < virtual_stages(s) * s->micro_batches; i++)
		f.done_s[0][i] = f.done_s[1][i] = NAN;
	for (size_t i = 0; i < p; i++) {
		f.lines[i].ops = out->ops + i * per_stage;
		if (!fills)
			list(&f, &f.lines[i], (unsigned)i);
		else if (!list_filling(&f, &f.lines[i], (unsigned)i, arena))
			return false;
	}
	size_t left = out->n_ops, moved = 1;
	while (left > 0 && moved > 0) {
		moved = 0;
		for (size_t i = 0; i < p; i++)
			moved +=
				fills ? advance_filling(&f, &f.lines[i]) : advance(&f, &f.lines[i]);
		left -= moved;
	}
	double busy_s = 0;
	for (size_t i = 0; i < p; i++)
		busy_s += f.lines[i].busy_s;
	out->bubble = out->time_s > 0 ? 1 - busy_s / ((double)p * out->time_s) : 0;
	return left == 0;
}
