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
	double sign = op->backward ? -1 : 1;
	l->live += sign / (double)f->s->chunks;
	l->live_bytes += sign * f->s->held_bytes[at];
	f->out->in_flight[op->stage] = fmax(f->out->in_flight[op->stage], l->live);
	f->out->held_bytes[op->stage] = fmax(f->out->held_bytes[op->stage], l->live_bytes);
}

/* Runs a stage as far as what the others have done allows; returns how many operations that was. */
static size_t advance(const struct works *f, struct pipeline_line *l)
{
	size_t before = l->next;
	for (; l->next < l->n; l->next++) {
		struct pipeline_op *op = &l->ops[l->next];
		size_t at = op->chunk * f->s->stages + op->stage;
		double from_s = ready_s(f, op);
		if (isnan(from_s))
			break;
		double takes_s = (op->backward ? f->s->backward_s : f->s->forward_s)[at];
		op->start_s = fmax(from_s, l->free_s);
		op->end_s = l->free_s = op->start_s + takes_s;
		l->busy_s += takes_s;
		*done(f, op->backward, at, op->micro_batch) = op->end_s;
		f->out->time_s = fmax(f->out->time_s, op->end_s);
		account(f, l, op);
	}
	return l->next - before;
}

bool pipeline_run(const struct pipeline_setup *s, struct pipeline *out, struct arena *arena)
{
	assert(s->stages > 0 && s->micro_batches > 0 && s->chunks > 0 &&
		s->kind <= PIPELINE_INTERLEAVED);
	assert(s->chunks == 1 || s->micro_batches % s->stages == 0);
	size_t per_stage = 2 * s->micro_batches * s->chunks, p = s->stages;
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
		list(&f, &f.lines[i], (unsigned)i);
	}
	size_t left = out->n_ops, moved = 1;
	while (left > 0 && moved > 0) {
		moved = 0;
		for (size_t i = 0; i < p; i++)
			moved += advance(&f, &f.lines[i]);
		left -= moved;
	}
	double busy_s = 0;
	for (size_t i = 0; i < p; i++)
		busy_s += f.lines[i].busy_s;
	out->bubble = out->time_s > 0 ? 1 - busy_s / ((double)p * out->time_s) : 0;
	return left == 0;
}
