#include "sims/constants.h"
#include "sims/training/step_engine.h"

#include "sims/base/array.h"

#include <math.h>

/* A gap that an eye finds in a trace. */
static const double gap_s = 2e-6;

const char *const step_kind_names[N_STEP_KINDS] = { "forward", "backward", "communication", "copy",
	"launching", "optimizer", "data loading", "waiting" };

/* --- streams ------------------------------------------------------------------------------ */

void step_log(struct step_engine *e, unsigned lane, enum step_kind kind, unsigned step,
	double start_s, double end_s, bool reads)
{
	const struct step_machine *m = e->m;
	size_t slack = 2 + (m->prefetch + 1) * m->workers;
	if (m->watch_n == 0 || step + slack < m->watch_first ||
		step > m->watch_first + m->watch_n + slack || end_s <= start_s)
		return;
	struct step_span *s = ARRAY_PUSH(e->arena, e, spans, n_spans, cap_spans);
	if (s)
		*s = (struct step_span){ .start_s = start_s,
			.end_s = end_s,
			.lane = lane,
			.step = step,
			.kind = kind,
			.reads = reads };
}

static struct task *task_at(struct step_stream *s, double number)
{
	return &s->ring[(size_t)number % TASK_RING];
}

static struct task *stream_push(struct step_engine *e, enum stream_id id, struct task t)
{
	struct task *slot = task_at(&e->stream[id], e->stream[id].pushed++);
	*slot = t;
	slot->step = e->step;
	return slot;
}

static struct task *stream_head(struct step_engine *e, enum stream_id id)
{
	struct step_stream *s = &e->stream[id];
	return s->done < s->pushed ? task_at(s, s->done) : NULL;
}

static bool stream_drained(const struct step_engine *e, enum stream_id id)
{
	return e->stream[id].done == e->stream[id].pushed;
}

static void stream_try(struct step_engine *e, enum stream_id id)
{
	struct step_stream *s = &e->stream[id];
	const struct task *t = stream_head(e, id);
	if (!t || s->running || s->starting)
		return;
	for (int i = 0; i < N_STREAMS; i++)
		if (e->stream[i].done < t->needs[i])
			return;
	if (t->earliest_s > e->now_s) {
		s->starting = true;
		events_push(&e->events, t->earliest_s, EVENT_START, id);
		return;
	}
	double end_s = fmax(
		e->now_s + t->extra_s + (double)t->n * t->kernel_s, t->last_launch_s + t->kernel_s);
	s->running = true;
	s->since_s = e->now_s;
	if (id == STREAM_COMPUTE) {
		e->sum.gaps += e->now_s - e->idle_since_s > gap_s;
		e->blame = IDLE_LAUNCH;
	}
	events_push(&e->events, end_s, EVENT_END, id);
}

/* Launch by launch the GPU may have run dry inside of a piece; each kernel is shown. */
static void log_compute(struct step_engine *e, const struct task *t)
{
	enum { MOST_SHOWN = 6 };
	double start_s = e->stream[STREAM_COMPUTE].since_s, all_s = e->now_s - start_s;
	double busy_s = (double)t->n * t->kernel_s, n = busy_s < 0.95 * all_s ? MOST_SHOWN : 1;
	n = fmin(n, (double)t->n);
	for (double i = 0; i < n; i++)
		step_log(e, LANE_GPU, t->kind, t->step, start_s + i / n * all_s,
			start_s + (i * all_s + busy_s) / n, false);
}

static void compute_ended(struct step_engine *e, const struct task *t)
{
	double busy_s = (double)t->n * t->kernel_s;
	double gaps_s = e->now_s - e->stream[STREAM_COMPUTE].since_s - busy_s;
	if (gaps_s > 1e-9 * busy_s) { /* more than rounding */
		e->sum.idle_s[IDLE_LAUNCH] += gaps_s;
		e->sum.gaps += gaps_s > gap_s * (double)t->n ? (double)t->n : 0;
	}
	e->sum.work_s[t->kind] += busy_s > step_kernel_floor_s * (double)t->n ? busy_s : busy_s / 4;
	e->outstanding -= (double)t->n;
	e->idle_since_s = e->now_s;
	log_compute(e, t);
	if (t->ends_step)
		e->at_end[t->step] = e->sum;
}

static void stream_ended(struct step_engine *e, enum stream_id id)
{
	struct step_stream *s = &e->stream[id];
	const struct task *t = task_at(s, s->done++);
	s->running = false;
	if (id == STREAM_COMPUTE)
		compute_ended(e, t);
	else
		step_log(e, id == STREAM_COPY ? LANE_COPY : LANE_COMM, t->kind, t->step, s->since_s,
			e->now_s, false);
	e->sum.late_s += t->extra_s;
}

/* --- the CPU ------------------------------------------------------------------------------ */

static void cpu_become(struct step_engine *e, enum cpu_state state)
{
	static const enum step_kind shown[N_CPU_STATES] = { [CPU_WORKS] = STEP_LAUNCH,
		[CPU_PREPARES] = STEP_DATA,
		[CPU_WAITS_DATA] = STEP_DATA,
		[CPU_WAITS_COPY] = STEP_COPY,
		[CPU_WAITS_VALUE] = STEP_WAIT,
		[CPU_WAITS_QUEUE] = STEP_WAIT,
		[CPU_SAVES] = STEP_WAIT };
	if (state == e->cpu)
		return;
	step_log(e, LANE_CPU, shown[e->cpu], e->step, e->cpu_since_s, e->now_s, false);
	e->cpu = state;
	e->cpu_since_s = e->now_s;
}

/* Busy for so long; EVENT_CPU ends the operation. */
static bool cpu_spend(struct step_engine *e, enum cpu_state state, double s)
{
	if (s <= 0)
		return true;
	cpu_become(e, state);
	events_push(&e->events, e->now_s + s, EVENT_CPU, 0);
	return false;
}

static bool cpu_wait(struct step_engine *e, enum cpu_state state)
{
	cpu_become(e, state);
	return false;
}

static bool do_batch(struct step_engine *e)
{
	struct loader *l = &e->loader;
	if (l->epoch_end == e->step)
		loader_begin_epoch(e);
	if (e->m->workers == 0) {
		bool at_once = cpu_spend(e, CPU_PREPARES, l->prep_s[e->step] + l->pin_s);
		loader_take(e, e->step);
		return at_once;
	}
	if (!loader_has(l, e->step))
		return cpu_wait(e, CPU_WAITS_DATA);
	loader_take(e, e->step);
	return true;
}

static bool do_copy(struct step_engine *e)
{
	const struct step_machine *m = e->m;
	struct task t = {
		.earliest_s = e->now_s, .kernel_s = step_copy_s(m), .n = 1, .kind = STEP_COPY
	};
	t.last_launch_s = t.earliest_s;
	if (!m->copy_stream)
		t.needs[STREAM_COMPUTE] = e->stream[STREAM_COMPUTE].pushed;
	stream_push(e, STREAM_COPY, t);
	stream_try(e, STREAM_COPY);
	return m->pin_memory && m->non_blocking ? true : cpu_wait(e, CPU_WAITS_COPY);
}

static bool queue_is_full(const struct step_engine *e, double n)
{
	const struct step_stream *s = &e->stream[STREAM_COMPUTE];
	return (e->outstanding > 0 && e->outstanding + n > LAUNCH_QUEUE) ||
	       s->pushed - s->done >= MOST_PIECES;
}

static bool do_kernels(struct step_engine *e, const struct step_op *op)
{
	double n = (double)op->n, launch_s = e->m->launch_s;
	if (queue_is_full(e, n))
		return cpu_wait(e, CPU_WAITS_QUEUE);
	struct task t = { .earliest_s = e->now_s + launch_s,
		.last_launch_s = e->now_s + n * launch_s,
		.kernel_s = op->kernel_s,
		.n = op->n,
		.kind = op->phase,
		.ends_step = op->ends_step };
	t.needs[STREAM_COPY] = e->stream[STREAM_COPY].pushed;
	if (op->needs_comm)
		t.needs[STREAM_COMM] = e->stream[STREAM_COMM].pushed;
	e->outstanding += n;
	stream_push(e, STREAM_COMPUTE, t);
	stream_try(e, STREAM_COMPUTE);
	return cpu_spend(e, CPU_WORKS, n * launch_s);
}

/* The last bucket waits for the slowest peer's backward to end. */
static bool do_comm(struct step_engine *e, const struct step_op *op)
{
	struct task t = { .earliest_s = e->now_s,
		.kernel_s = op->kernel_s,
		.n = 1,
		.kind = STEP_COMM,
		.extra_s = op->last_bucket ? e->m->late_s : 0 };
	t.needs[STREAM_COMPUTE] = e->stream[STREAM_COMPUTE].pushed;
	stream_push(e, STREAM_COMM, t);
	stream_try(e, STREAM_COMM);
	return true;
}

static bool do_save(struct step_engine *e)
{
	if ((e->step + 1) % e->m->side_steps != 0)
		return true;
	if (!stream_drained(e, STREAM_COMPUTE))
		return cpu_wait(e, CPU_WAITS_VALUE);
	return cpu_spend(e, CPU_SAVES, e->m->side_s);
}

/* True: done at once. Otherwise the CPU is busy until EVENT_CPU, or waits. */
static bool do_op(struct step_engine *e, const struct step_op *op)
{
	switch (op->kind) {
	case OP_BATCH:
		return do_batch(e);
	case OP_COPY:
		return do_copy(e);
	case OP_HOST:
		return cpu_spend(e, CPU_WORKS, e->m->host_s);
	case OP_KERNELS:
		return do_kernels(e, op);
	case OP_COMM:
		return do_comm(e, op);
	case OP_SYNC:
		return stream_drained(e, STREAM_COMPUTE) ? cpu_spend(e, CPU_WORKS, ITEM_READ_S)
							 : cpu_wait(e, CPU_WAITS_VALUE);
	case OP_SAVE:
		return do_save(e);
	}
	return true;
}

static void cpu_next(struct step_engine *e)
{
	if (++e->op < e->n_ops)
		return;
	cpu_become(e, CPU_WORKS);
	e->op = 0;
	if (++e->step == e->m->steps)
		cpu_become(e, CPU_IS_DONE);
}

static void cpu_run(struct step_engine *e)
{
	while (e->cpu != CPU_IS_DONE && do_op(e, &e->ops[e->op]))
		cpu_next(e);
}

/* What the CPU waited for has come: what was it, and does the operation go on or is it over? */
static void cpu_wake(struct step_engine *e)
{
	switch (e->cpu) {
	case CPU_WAITS_DATA:
		if (!loader_has(&e->loader, e->step))
			return;
		break;
	case CPU_WAITS_COPY:
		if (!stream_drained(e, STREAM_COPY))
			return;
		e->blame = IDLE_COPY;
		cpu_become(e, CPU_WORKS);
		cpu_next(e);
		break;
	case CPU_WAITS_VALUE:
		if (!stream_drained(e, STREAM_COMPUTE))
			return;
		e->blame = IDLE_SYNC;
		cpu_become(e, CPU_WORKS);
		break;
	case CPU_WAITS_QUEUE:
		if (queue_is_full(e, (double)e->ops[e->op].n))
			return;
		break;
	default:
		return;
	}
	cpu_run(e);
}

/* --- the run ------------------------------------------------------------------------------ */

/* Why the compute stream is idle now: what its next task waits for, else what the CPU does. */
static enum idle_cause cause_of(struct step_engine *e)
{
	const struct task *t = stream_head(e, STREAM_COMPUTE);
	if (t && e->stream[STREAM_COMM].done < t->needs[STREAM_COMM])
		return IDLE_COMM;
	if (t && e->stream[STREAM_COPY].done < t->needs[STREAM_COPY])
		return IDLE_COPY;
	switch (e->cpu) {
	case CPU_PREPARES:
	case CPU_WAITS_DATA:
		return IDLE_DATA;
	case CPU_WAITS_COPY:
		return IDLE_COPY;
	case CPU_SAVES:
		return IDLE_SIDE;
	default:
		return e->blame;
	}
}

static void clock_to(struct step_engine *e, double at_s)
{
	double dt = at_s - e->now_s;
	const struct step_stream *s = e->stream;
	const struct loader *l = &e->loader;
	if (!s[STREAM_COMPUTE].running)
		e->sum.idle_s[cause_of(e)] += dt;
	e->sum.any_s += s[STREAM_COMPUTE].running || s[STREAM_COMM].running ? dt : 0;
	e->sum.copy_s += s[STREAM_COPY].running ? dt : 0;
	e->sum.comm_s += s[STREAM_COMM].running ? dt : 0;
	e->sum.cpu_s[e->cpu] += dt;
	e->sum.cores_s += (double)(e->m->cores - l->cores.free) * dt;
	e->sum.reads_s += (double)(e->m->readers - l->storage.free + l->storage.waiting) * dt;
	e->now_s = e->sum.at_s = at_s;
}

static void handle(struct step_engine *e, const struct event *event)
{
	switch (event->kind) {
	case EVENT_CPU:
		if (e->cpu == CPU_SAVES)
			e->blame = IDLE_SIDE;
		cpu_become(e, CPU_WORKS);
		cpu_next(e);
		cpu_run(e);
		break;
	case EVENT_START:
		e->stream[event->data].starting = false;
		break;
	case EVENT_END:
		stream_ended(e, (enum stream_id)event->data);
		break;
	default:
		loader_event(e, event);
	}
	for (int i = 0; i < N_STREAMS; i++)
		stream_try(e, (enum stream_id)i);
	cpu_wake(e);
}

struct step_run step_simulate(struct arena *a, const struct step_machine *m)
{
	struct step_engine *e = arena_alloc(a, sizeof *e);
	if (!e)
		return (struct step_run){ 0 };
	*e = (struct step_engine){ .arena = a,
		.m = m,
		.events = events_new(a, 64 + 2 * m->workers),
		.blame = IDLE_LAUNCH,
		.at_end = arena_array(a, m->steps, sizeof *e->at_end) };
	for (int i = 0; i < N_STREAMS; i++)
		e->stream[i].ring = arena_array(a, TASK_RING, sizeof(struct task));
	loader_init(&e->loader, e);
	if (a->failed)
		return (struct step_run){ 0 };
	step_write_program(e);
	cpu_run(e);
	for (struct event event; events_pop(&e->events, &event);) {
		clock_to(e, event.at);
		handle(e, &event);
	}
	return step_finish(e);
}
