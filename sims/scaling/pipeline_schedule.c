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

static bool two_ways(const struct works *f)
{
	return f->s->kind == PIPELINE_DUALPIPE;
}

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

/* --- Two ways --- */

/* A list as it grows: of each way how many forwards and backwards are in it, and the backwards whose
 * gradients of weights are still to come. */
struct dual {
	const struct works *f;
	struct pipeline_line *line;
	struct pipeline_op *later; /* of split backwards, in their order */
	size_t forwards[2], backwards[2], split, filled;
	unsigned stage;
	unsigned own; /* the way that comes in from the nearer end; 1 - own is the other */
};

static void add_dual(struct dual *d, unsigned way, bool backward, bool split, bool paired)
{
	size_t half = d->f->s->micro_batches / 2;
	size_t k = backward ? d->backwards[way]++ : d->forwards[way]++;
	struct pipeline_op op = { .stage = d->stage,
		.chunk = way,
		.micro_batch = (unsigned)(way * half + k),
		.backward = backward,
		.split = split,
		.paired = paired };
	d->line->ops[d->line->n++] = op;
	if (split)
		d->later[d->split++] = op;
}

static void forward_of(struct dual *d, unsigned way)
{
	add_dual(d, way, false, false, false);
}

static void backward_of(struct dual *d, unsigned way, bool split)
{
	add_dual(d, way, true, split, false);
}

static void both_of(struct dual *d, unsigned forward_way)
{
	add_dual(d, forward_way, false, false, true);
	add_dual(d, 1 - forward_way, true, false, true);
}

static void weights_of(struct dual *d)
{
	struct pipeline_op op = d->later[d->filled++];
	op.backward = op.split = false;
	op.weights = true;
	d->line->ops[d->line->n++] = op;
}

/* The published order, by how far a stage is from the nearer end: it fills with its own way, then takes
 * both in turn; backwards of the other way arrive; then every forward has a backward beside it, until
 * there are no more; what is left of the backwards leaves its gradients of weights for the gaps. */
static void list_dual(struct dual *d)
{
	size_t p = d->f->s->stages, half = p / 2, from_end = d->stage;
	if (from_end >= half)
		from_end = p - 1 - from_end;
	unsigned own = d->own, other = 1 - own;
	size_t inner = half - from_end - 1; /* stages between this one and the middle */
	for (size_t i = 0; i < 2 * inner; i++)
		forward_of(d, own);
	for (size_t i = 0; i <= from_end; i++) {
		forward_of(d, own);
		forward_of(d, other);
	}
	for (size_t i = 0; i < inner; i++) {
		backward_of(d, other, true);
		weights_of(d);
		forward_of(d, other);
	}
	for (size_t i = 0; i < d->f->s->micro_batches / 2 + from_end + 1 - p; i++) {
		/* In the middle the first two would wait for each other's neighbours. */
		if (i == 0 && inner == 0) {
			forward_of(d, own);
			backward_of(d, other, false);
		} else {
			both_of(d, own);
		}
		both_of(d, other);
	}
	for (size_t i = 0; i < inner; i++) {
		backward_of(d, other, false);
		both_of(d, other);
	}
	/* Of the last 2 (from_end + 1) the second half is split. */
	for (size_t i = 0; i < 2 * (from_end + 1); i++)
		backward_of(d, i % 2 ? own : other, i > from_end);
	for (size_t i = 0; i < inner; i++) {
		weights_of(d);
		backward_of(d, own, true);
	}
	while (d->filled < d->split)
		weights_of(d);
}

/* False when memory is out. */
static bool make_dual(
	const struct works *f, struct pipeline_line *l, unsigned stage, struct arena *arena)
{
	struct dual d = { .f = f, .line = l, .stage = stage, .own = stage >= f->s->stages / 2 };
	d.later = arena_array(arena, f->s->micro_batches, sizeof *d.later);
	if (!d.later)
		return false;
	list_dual(&d);
	return true;
}

static double *done(const struct works *f, bool backward, size_t stage, size_t micro)
{
	return &f->done_s[backward][stage * f->s->micro_batches + micro];
}

/* One way goes up through the stages, the other down. */
static double ready_in_way_s(
	const struct works *f, const struct pipeline_op *op, size_t at, double transfer_s)
{
	bool up = op->chunk == 0;
	size_t ends = f->s->stages - 1;
	if (!op->backward) {
		if (op->stage == (up ? 0 : ends))
			return 0;
		return *done(f, false, up ? at - 1 : at + 1, op->micro_batch) + transfer_s;
	}
	if (op->stage == (up ? ends : 0))
		return *done(f, false, at, op->micro_batch);
	return *done(f, true, up ? at + 1 : at - 1, op->micro_batch) + transfer_s;
}

/* When the input of an operation is there; NAN: not yet known. */
static double ready_s(const struct works *f, const struct pipeline_op *op)
{
	size_t at = op->chunk * f->s->stages + op->stage, last = virtual_stages(f->s) - 1;
	double transfer_s = f->s->stages > 1 ? f->s->transfer_s : 0;
	if (two_ways(f))
		return ready_in_way_s(f, op, at, transfer_s);
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
	if (op->split)
		return;
	double sign = op->backward || op->weights ? -1 : 1;
	l->live += two_ways(f) ? sign : sign / (double)f->s->chunks;
	l->live_bytes += sign * f->s->held_bytes[at];
	f->out->in_flight[op->stage] = fmax(f->out->in_flight[op->stage], l->live);
	f->out->held_bytes[op->stage] = fmax(f->out->held_bytes[op->stage], l->live_bytes);
}

/* Something ends: what waits for it may go on. */
static void end_op(const struct works *f, struct pipeline_line *l, struct pipeline_op *op,
	double start_s, double end_s)
{
	op->start_s = start_s;
	op->end_s = end_s;
	if (!op->weights)
		*done(f, op->backward, op->chunk * f->s->stages + op->stage, op->micro_batch) =
			op->end_s;
	f->out->time_s = fmax(f->out->time_s, op->end_s);
	account(f, l, op);
}

/* The next work of a stage takes its place; `together`: it and the one behind it do. */
static void run_op(const struct works *f, struct pipeline_line *l, double from_s, double takes_s,
	bool together)
{
	double start_s = fmax(from_s, l->free_s);
	l->free_s = start_s + takes_s;
	l->busy_s += takes_s;
	end_op(f, l, &l->ops[l->next++], start_s, l->free_s);
	if (together)
		end_op(f, l, &l->ops[l->next++], start_s, l->free_s);
}

static double takes_s(const struct works *f, const struct pipeline_op *op)
{
	size_t at = op->chunk * f->s->stages + op->stage;
	if (op->weights)
		return f->s->weights_s[at];
	if (!op->backward)
		return op->paired ? f->s->pair_s[at] : f->s->forward_s[at];
	return f->s->backward_s[at] - (op->split ? f->s->weights_s[at] : 0);
}

/* Runs a stage as far as what the others have done allows; returns how many operations that was. */
static size_t advance(const struct works *f, struct pipeline_line *l)
{
	size_t before = l->next;
	while (l->next < l->n) {
		const struct pipeline_op *op = &l->ops[l->next];
		double from_s = op->weights ? 0 : ready_s(f, op);
		double with_s = op->paired ? ready_s(f, op + 1) : 0;
		if (isnan(from_s) || isnan(with_s))
			break;
		run_op(f, l, fmax(from_s, with_s), takes_s(f, op), op->paired);
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
	run_op(f, l, l->free_s, f->s->weights_s[stage], false);
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
		l->ops[l->next] = *op;
		l->ops[l->next].split = op->backward;
		run_op(f, l, from_s, takes_s(f, &l->ops[l->next]), false);
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

/* What a stage runs at most: each micro-batch twice in every chunk, or once each way; and gradients of
 * weights by themselves. */
static size_t most_ops(const struct pipeline_setup *s)
{
	if (s->kind == PIPELINE_DUALPIPE)
		return 2 * s->micro_batches + s->stages;
	return (s->kind == PIPELINE_ZERO_BUBBLE ? 3 : 2) * s->micro_batches * s->chunks;
}

/* The list of every stage. False when memory is out. */
static bool make_lists(struct works *f, struct arena *arena)
{
	size_t p = f->s->stages, n = 0;
	bool fills = zero_bubble(f);
	struct pipeline *out = f->out;
	for (size_t i = 0; i < p; i++) {
		struct pipeline_line *l = &f->lines[i];
		l->ops = out->ops + n;
		if (fills ? !list_filling(f, l, (unsigned)i, arena)
			  : two_ways(f) && !make_dual(f, l, (unsigned)i, arena))
			return false;
		if (!fills && !two_ways(f))
			list(f, l, (unsigned)i);
		n += fills ? most_ops(f->s) : l->n;
		out->first[i + 1] = n;
	}
	out->n_ops = n;
	return true;
}

bool pipeline_run(const struct pipeline_setup *s, struct pipeline *out, struct arena *arena)
{
	assert(s->stages > 0 && s->micro_batches > 0 && s->chunks > 0 &&
		s->kind <= PIPELINE_DUALPIPE);
	/* Micro-batches come both ways through the same stages: both are even, and there are enough to
	 * fill them. */
	assert(s->kind != PIPELINE_DUALPIPE ||
		(s->stages % 2 == 0 && s->chunks == 2 && s->micro_batches % 2 == 0 &&
			s->micro_batches >= 2 * s->stages && s->weights_s && s->pair_s));
	assert(s->kind == PIPELINE_DUALPIPE || s->chunks == 1 || s->micro_batches % s->stages == 0);
	bool fills = s->kind == PIPELINE_ZERO_BUBBLE;
	assert(!fills || (s->chunks == 1 && s->weights_s));
	size_t p = s->stages;
	struct works f = { .s = s, .out = out };
	*out = (struct pipeline){ .n_ops = 0 };
	out->ops = arena_array(arena, most_ops(s) * p, sizeof *out->ops);
	out->first = arena_array(arena, p + 1, sizeof *out->first);
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
	if (!make_lists(&f, arena))
		return false;
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
