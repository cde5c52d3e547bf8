/* A training loop, event by event: a discrete-event simulation with one heap of events.
 *
 * Three kinds of actors advance it. The loader's workers take batches in turn and queue at gates,
 * which are the shared cores, the storage and the thread that pins memory. The CPU runs through the
 * program of a step, an array of operations that is written once and repeated every step; an
 * operation is done at once, keeps the CPU busy until an EVENT_CPU, or makes it wait. The GPU's
 * streams are queues of tasks; the head of a stream starts as soon as it was launched and the other
 * streams have done what it needs.
 *
 * After every event each stream may start its next task and the CPU may wake, so that no actor has
 * to know who waits for it. Between two events nothing changes: clock_to() adds the stretch to what
 * the compute stream waited for (cause_of), to the state of the CPU and to the busy time of every
 * resource. Those running totals are copied at the end of each step; what instruments read are
 * differences of two copies.
 *
 * Kernels of one operation are a single task: their launches and their run times are both a
 * straight line, so that the end of n of them is exact without n events. */
#include "sims/training/step_timeline.h"

#include "sims/constants.h"
#include "sims/communication/collective.h"
#include "sims/base/array.h"
#include "sims/base/events.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/loading.h"

#include <assert.h>
#include <math.h>

enum step_event {
	EVENT_CPU,
	EVENT_START,
	EVENT_END,
	EVENT_LOADER,
	EVENT_READ,
	EVENT_WORK,
	EVENT_PIN
};

/* What can serve a few at once: the cores, the storage, the thread that pins. Whoever finds no
 * server free stands in a queue and is served in the order of coming. At the cores and the storage
 * these are workers, at the pinning thread batches, by their numbers. */
struct gate {
	size_t free;                 /* servers */
	uint32_t *queue;             /* a ring with room for all who could ever wait */
	size_t first, waiting, room; /* where the queue begins in the ring, and how long it is */
};

struct worker {
	size_t batch; /* at hand */
	double since_s;
	bool busy;
};

struct loader {
	const struct step_machine *m;
	struct worker *worker;
	double *prep_s; /* one for every batch */
	bool *ready;
	size_t epoch_first, epoch_end; /* batches */
	size_t asked;                  /* batches before this one have been asked for */
	size_t *next;                  /* each worker's next batch */
	size_t taken, n_ready;
	bool open; /* workers run */
	struct gate cores, storage, pin;
	double pin_s;
};

enum stream_id { STREAM_COMPUTE, STREAM_COPY, STREAM_COMM, N_STREAMS };

/* n equal kernels in a row. */
struct task {
	double earliest_s, last_launch_s; /* its first and its last launch */
	double kernel_s, extra_s;         /* extra: a delay before the first kernel */
	double needs[N_STREAMS];          /* how many tasks must be done on each stream */
	size_t n;
	enum step_kind kind;
	unsigned step;
	bool ends_step;
};

/* The CPU is at most so many tasks ahead of the GPU: those of some steps. */
enum { MOST_PIECES = 256, TASK_RING = 2 * MOST_PIECES };
struct step_stream {
	struct task *ring;
	double pushed, done; /* counts */
	bool running, starting;
	double since_s;
};

enum cpu_state {
	CPU_WORKS,
	CPU_PREPARES,
	CPU_WAITS_DATA,
	CPU_WAITS_COPY,
	CPU_WAITS_VALUE, /* a synchronisation */
	CPU_WAITS_QUEUE, /* so far ahead that the launch queue is full */
	CPU_SAVES,       /* checkpoint, evaluation */
	CPU_IS_DONE,
	N_CPU_STATES
};

enum step_op_kind { OP_BATCH, OP_COPY, OP_HOST, OP_KERNELS, OP_COMM, OP_SYNC, OP_SAVE };
struct step_op {
	enum step_op_kind kind;
	enum step_kind phase;
	size_t n; /* kernels */
	double kernel_s;
	bool needs_comm, ends_step, last_bucket;
};
enum { MAX_OPS = 192 };

/* Running totals; a copy is kept at the end of every step. */
struct totals {
	double at_s;
	double idle_s[N_IDLE_CAUSES];
	double cpu_s[N_CPU_STATES];
	double any_s, copy_s, comm_s, late_s; /* any: a kernel runs on some stream */
	double work_s[N_STEP_KINDS];          /* time of compute kernels, without their floor */
	double cores_s, reads_s;              /* worker-seconds */
	double gaps, taken, ready;            /* ready: summed over the batches taken */
};

struct step_engine {
	struct arena *arena;
	const struct step_machine *m;
	struct events events;
	struct loader loader;
	struct step_stream stream[N_STREAMS];
	struct step_op ops[MAX_OPS];
	size_t n_ops, op; /* the length of the program, and where the CPU is in it */
	unsigned step;
	enum cpu_state cpu;
	double cpu_since_s;
	double outstanding;    /* kernels launched and not done */
	enum idle_cause blame; /* why the CPU had nothing enqueued when the GPU ran dry */
	double idle_since_s;
	double now_s;
	struct totals sum, *at_end; /* at_end: as they were at the end of every step */
	struct step_span *spans;
	size_t n_spans, cap_spans;
};

/* --- The program of a step --- */

/* A kernel takes this long however little it does: start, one wave, tail. */
static const double kernel_floor_s = 2e-6;
/* How the switches act, beside what sims/constants.h says of the techniques. */
static const double product_launches = 1.0 / 3;    /* the share of launches that never fuse */
static const double optimizer_launches = 1.0 / 12; /* over those of forward and backward */
static const double fused_launches = 1.0 / 60;
static const double pageable_over_pinned = 2; /* staged through the driver's own buffer */

/* A step is enqueued in pieces: enough to spread buckets and synchronisations over it. */
enum { FORWARD_PIECES = 12, BACKWARD_PIECES = 24, MOST_SYNCS = 64 };

struct step_machine step_machine_default(void)
{
	return (struct step_machine){ .workers = 4,
		.prefetch = 2,
		.prep_s = 0.4,
		.cores = 16,
		.readers = 2,
		.batch_bytes = 154e6, /* 256 images of 224 x 224 x 3 in FP32 */
		.pcie_bandwidth = PCIE_BYTES_PER_S,
		.worker_start_s = 2,
		.forward_s = 0.03,
		.backward_s = 0.06,
		.optimizer_s = 0.01,
		.pointwise_ratio = 0.25,
		.kernels = 1200,
		.launch_s = EAGER_LAUNCH_S,
		.host_s = 2e-3,
		.amp_gain = BF16_OVER_TF32,
		.fused_passes = FUSED_PASSES,
		.gpus = 1,
		.family = "ampere",
		.node_bandwidth = NVLINK_BYTES_PER_S,
		.gradient_bytes = 400e6,
		.link_bandwidth = NETWORK_CARD_BYTES_PER_S,
		.link_latency_s = NETWORK_LATENCY_S,
		.overlap = true,
		.clock_ratio = 1,
		.side_steps = 1,
		.steps = 240,
		.seed = 1 };
}

/* What becomes of a time that was given in TF32, eager, at full clocks. Throttling slows down
 * arithmetic, but not memory. */
static double compute_s(const struct step_machine *m, double s)
{
	double pointwise = m->pointwise_ratio / (m->compile ? m->fused_passes : 1);
	return s * ((1 - m->pointwise_ratio) / m->clock_ratio + pointwise) /
	       (m->amp ? m->amp_gain : 1);
}

static double optimizer_s(const struct step_machine *m)
{
	return m->optimizer_s /
	       (m->fused_optimizer ? ADAMW_UNFUSED_TRAFFIC_BYTES / ADAMW_FUSED_TRAFFIC_BYTES : 1);
}

double step_gpu_s(const struct step_machine *m)
{
	return compute_s(m, m->forward_s + m->backward_s) + optimizer_s(m);
}

double step_backward_s(const struct step_machine *m)
{
	return compute_s(m, m->backward_s);
}

double step_copy_s(const struct step_machine *m)
{
	assert(m->pcie_bandwidth > 0);
	double rate = m->pcie_bandwidth / (m->pin_memory ? 1 : pageable_over_pinned);
	return CALL(host_copy_time, .bytes = m->batch_bytes, .pcie_bandwidth = rate);
}

static double all_buckets(const struct step_machine *m)
{
	return fmax(
		1, CALL(ddp_buckets, .bytes = m->gradient_bytes, .bucket_bytes = DDP_BUCKET_BYTES));
}

/* One for each piece of backward at most: the smaller ones travel together. */
static size_t step_buckets(const struct step_machine *m)
{
	return m->overlap ? (size_t)fmin(all_buckets(m), BACKWARD_PIECES) : 1;
}

double step_comm_s(const struct step_machine *m)
{
	double n = all_buckets(m);
	if (m->gpus < 2)
		return 0;
	if (m->gpus_per_node > 0) {
		struct network net = network_measured(m->family, (double)m->gpus_per_node,
			m->node_bandwidth, m->link_bandwidth, m->link_latency_s);
		return n * collective_best(
				   &net, ALL_REDUCE, (double)m->gpus, m->gradient_bytes / n, NULL);
	}
	return n * CALL(ring_allreduce_time, .bytes = m->gradient_bytes / n,
			   .gpus = (double)m->gpus, .link_bandwidth = m->link_bandwidth,
			   .latency = m->link_latency_s);
}

static double fused_kernels(const struct step_machine *m)
{
	double left = product_launches + (1 - product_launches) / FUSED_PASSES;
	return fmax(FORWARD_PIECES + BACKWARD_PIECES, m->kernels * (m->compile ? left : 1));
}

double step_kernels(const struct step_machine *m)
{
	double optimizer = m->fused_optimizer ? fused_launches : optimizer_launches;
	return rint(fused_kernels(m)) + fmax(1, rint(optimizer * m->kernels));
}

double step_host_memory(const struct step_machine *m, double copied_bytes)
{
	return CALL(loader_memory_bytes, .workers = (double)m->workers,
		.copied_bytes = copied_bytes, .prefetch_factor = (double)m->prefetch,
		.batch_bytes = m->batch_bytes);
}

double step_power(double product_ratio, double memory_ratio, double comm_ratio)
{
	return 0.2 + 0.8 * product_ratio + 0.4 * memory_ratio + 0.1 * comm_ratio;
}

double step_loader_ratio(double prep_s, double step_s, size_t workers)
{
	assert(!(prep_s < 0) && !(step_s <= 0)); /* NAN where a table lacks a row */
	double together = CALL(serial_step_time, .load_time = prep_s, .gpu_time = step_s,
		.h2d_time = 0, .sync_time = 0);
	if (workers == 0)
		return 1;
	return CALL(overlapped_step_time, .load_time = prep_s / (double)workers, .gpu_time = step_s,
		       .h2d_time = 0, .sync_time = 0) /
	       together;
}

static struct step_op *add_op(struct step_engine *e, enum step_op_kind kind)
{
	assert(e->n_ops < MAX_OPS);
	struct step_op *op = &e->ops[e->n_ops++];
	*op = (struct step_op){ .kind = kind };
	return op;
}

static void add_kernels(struct step_engine *e, enum step_kind phase, double n, double total_s)
{
	struct step_op *op = add_op(e, OP_KERNELS);
	op->phase = phase;
	op->n = (size_t)fmax(1, n);
	op->kernel_s = fmax(total_s / (double)op->n, kernel_floor_s);
}

/* The piece of backward with which bucket i of n is complete. */
static size_t bucket_piece(size_t i, size_t n)
{
	return ((i + 1) * BACKWARD_PIECES + n - 1) / n - 1;
}

static void add_buckets(struct step_engine *e, size_t piece)
{
	size_t n = step_buckets(e->m);
	double all_s = step_comm_s(e->m);
	for (size_t i = 0; i < n && e->m->gpus > 1; i++) {
		if (bucket_piece(i, n) != piece)
			continue;
		struct step_op *op = add_op(e, OP_COMM);
		op->kernel_s = all_s / (double)n;
		op->last_bucket = i + 1 == n;
	}
}

/* The program that the CPU runs through in every step. */
static void step_write_program(struct step_engine *e)
{
	enum { PIECES = FORWARD_PIECES + BACKWARD_PIECES };
	const struct step_machine *m = e->m;
	double launches = fused_kernels(m) / PIECES, total = 0;
	size_t inner = m->syncs > 1 ? m->syncs - 1 : 0, synced = 0;
	inner = inner > MOST_SYNCS ? MOST_SYNCS : inner;
	add_op(e, OP_BATCH);
	if (m->batch_bytes > 0)
		add_op(e, OP_COPY);
	add_op(e, OP_HOST);
	for (size_t i = 0; i < PIECES; i++) {
		bool forward = i < FORWARD_PIECES;
		double n = rint((double)(i + 1) * launches) - total;
		total += n;
		add_kernels(e, forward ? STEP_FORWARD : STEP_BACKWARD, n,
			forward ? compute_s(m, m->forward_s) / FORWARD_PIECES
				: step_backward_s(m) / BACKWARD_PIECES);
		if (!forward)
			add_buckets(e, i - FORWARD_PIECES);
		for (; synced * PIECES < i * inner; synced++)
			add_op(e, OP_SYNC);
	}
	add_kernels(e, STEP_OPTIMIZER, step_kernels(m) - rint(fused_kernels(m)), optimizer_s(m));
	e->ops[e->n_ops - 1].needs_comm = e->ops[e->n_ops - 1].ends_step = true;
	if (m->syncs > 0)
		add_op(e, OP_SYNC);
	if (m->side_s > 0)
		add_op(e, OP_SAVE);
}

/* The shortest gap that an eye finds in a trace. */
static const double gap_s = 2e-6;

const char *const step_kind_names[N_STEP_KINDS] = { "forward", "backward", "communication", "copy",
	"launch", "optimizer", "load", "waiting" };

/* --- Spans --- */

static void step_log(struct step_engine *e, unsigned lane, enum step_kind kind, unsigned step,
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

/* --- The loader --- */

const double step_read_ratio = 0.9;
/* One thread's memcpy from a worker's shared memory to pinned memory. */
static const double pin_bandwidth = 10e9;

static struct gate gate_new(struct arena *a, size_t servers, size_t room)
{
	room = room ? room : 1;
	return (struct gate){
		.free = servers, .queue = arena_array(a, room, sizeof(uint32_t)), .room = room
	};
}

static void loader_init(struct loader *l, struct step_engine *e)
{
	const struct step_machine *m = e->m;
	struct rng r = rng_stream(m->seed, "batch preparation", 0);
	size_t n = m->steps, room = m->workers * m->prefetch + 1;
	*l = (struct loader){ .m = m,
		.worker = arena_array(e->arena, m->workers, sizeof *l->worker),
		.next = arena_array(e->arena, m->workers, sizeof *l->next),
		.prep_s = arena_array(e->arena, n, sizeof *l->prep_s),
		.ready = arena_array(e->arena, n, sizeof *l->ready),
		.cores = gate_new(e->arena, m->cores, m->workers),
		.storage = gate_new(e->arena, m->readers, m->workers),
		.pin = gate_new(e->arena, 1, room),
		.pin_s = m->pin_memory ? m->batch_bytes / pin_bandwidth : 0 };
	for (size_t i = 0; i < n && l->prep_s; i++)
		l->prep_s[i] = m->prep_s > 0 && m->prep_cv > 0
				       ? rng_lognormal(&r, m->prep_s, m->prep_cv)
				       : m->prep_s;
}

static double loader_read_s(const struct loader *l, size_t batch)
{
	return l->m->io_bound ? step_read_ratio * l->prep_s[batch] : 0;
}

static double loader_work_s(const struct loader *l, size_t batch)
{
	return l->prep_s[batch] - loader_read_s(l, batch);
}

/* --- what workers share ------------------------------------------------------------------ */

/* True where `who` got in at once. Otherwise a later gate_leave will name it. */
static bool gate_enter(struct gate *g, uint32_t who)
{
	if (g->free > 0) {
		g->free--;
		return true;
	}
	assert(g->waiting < g->room);
	g->queue[(g->first + g->waiting++) % g->room] = who;
	return false;
}

/* Lets the next one in, if anybody waits: it takes the place of the one who leaves. */
static bool gate_leave(struct gate *g, uint32_t *who)
{
	if (g->waiting == 0) {
		g->free++;
		return false;
	}
	*who = g->queue[g->first];
	g->first = (g->first + 1) % g->room;
	g->waiting--;
	return true;
}

/* Worker k has stopped waiting and begins to work. */
static void begins(struct step_engine *e, uint32_t k)
{
	struct worker *w = &e->loader.worker[k];
	step_log(e, LANE_WORKER + k, STEP_WAIT, (unsigned)w->batch, w->since_s, e->now_s, false);
	w->since_s = e->now_s;
}

static void start_reading(struct step_engine *e, uint32_t k)
{
	const struct worker *w = &e->loader.worker[k];
	begins(e, k);
	events_push(&e->events, e->now_s + loader_read_s(&e->loader, w->batch), EVENT_READ, k);
}

static void start_working(struct step_engine *e, uint32_t k)
{
	const struct worker *w = &e->loader.worker[k];
	begins(e, k);
	events_push(&e->events, e->now_s + loader_work_s(&e->loader, w->batch), EVENT_WORK, k);
}

/* Worker k turns to its next batch, provided that the main process has asked for it. */
static void next_batch(struct step_engine *e, uint32_t k)
{
	struct loader *l = &e->loader;
	struct worker *w = &l->worker[k];
	if (w->busy || l->next[k] >= l->asked)
		return;
	w->busy = true;
	w->since_s = e->now_s;
	w->batch = l->next[k];
	l->next[k] += e->m->workers;
	if (e->m->io_bound) {
		if (gate_enter(&l->storage, k))
			start_reading(e, k);
	} else if (gate_enter(&l->cores, k)) {
		start_working(e, k);
	}
}

static void ask_until(struct step_engine *e, size_t batch)
{
	struct loader *l = &e->loader;
	l->asked = batch < l->epoch_end ? batch : l->epoch_end;
	for (uint32_t k = 0; k < e->m->workers && l->open; k++)
		next_batch(e, k);
}

/* --- the main process's side --------------------------------------------------------------- */

static void loader_begin_epoch(struct step_engine *e)
{
	struct loader *l = &e->loader;
	const struct step_machine *m = e->m;
	bool started = l->open && m->persistent_workers;
	l->epoch_first = l->taken;
	l->epoch_end = m->epoch_steps && l->taken + m->epoch_steps < m->steps
			       ? l->taken + m->epoch_steps
			       : m->steps;
	for (size_t k = 0; k < m->workers; k++)
		l->next[k] = l->epoch_first + k;
	l->open = started;
	l->asked = l->epoch_first;
	if (started)
		ask_until(e, l->epoch_first + m->prefetch * m->workers);
	else if (m->workers > 0)
		events_push(&e->events, e->now_s + m->worker_start_s, EVENT_LOADER, 0);
}

static bool loader_has(const struct loader *l, size_t batch)
{
	return l->ready[batch];
}

static void loader_take(struct step_engine *e, size_t batch)
{
	struct loader *l = &e->loader;
	e->sum.taken++;
	e->sum.ready += (double)l->n_ready;
	l->taken = batch + 1;
	if (e->m->workers == 0)
		return;
	l->n_ready--;
	ask_until(e, l->asked + 1);
}

static bool finished(struct step_engine *e, size_t batch)
{
	e->loader.ready[batch] = true;
	e->loader.n_ready++;
	return true;
}

/* Worker k is done: its batch goes to the pinning thread, and it turns to its next one. */
static bool hand_over(struct step_engine *e, uint32_t k)
{
	struct loader *l = &e->loader;
	size_t batch = l->worker[k].batch;
	l->worker[k].busy = false;
	next_batch(e, k);
	if (l->pin_s <= 0)
		return finished(e, batch);
	if (gate_enter(&l->pin, (uint32_t)batch))
		events_push(&e->events, e->now_s + l->pin_s, EVENT_PIN, (uint32_t)batch);
	return false;
}

static bool loader_event(struct step_engine *e, const struct event *event)
{
	struct loader *l = &e->loader;
	uint32_t k = event->data, other;
	switch (event->kind) {
	case EVENT_LOADER:
		l->open = true;
		ask_until(e, l->epoch_first + e->m->prefetch * e->m->workers);
		return false;
	case EVENT_READ:
		step_log(e, LANE_WORKER + k, STEP_DATA, (unsigned)l->worker[k].batch,
			l->worker[k].since_s, e->now_s, true);
		l->worker[k].since_s = e->now_s;
		if (gate_leave(&l->storage, &other))
			start_reading(e, other);
		if (gate_enter(&l->cores, k))
			start_working(e, k);
		return false;
	case EVENT_WORK:
		step_log(e, LANE_WORKER + k, STEP_DATA, (unsigned)l->worker[k].batch,
			l->worker[k].since_s, e->now_s, false);
		if (gate_leave(&l->cores, &other))
			start_working(e, other);
		return hand_over(e, k);
	case EVENT_PIN:
		if (gate_leave(&l->pin, &other))
			events_push(&e->events, e->now_s + l->pin_s, EVENT_PIN, other);
		return finished(e, k);
	default:
		return false;
	}
}

/* --- Streams --- */

static struct task *task_at(struct step_stream *s, double number)
{
	return &s->ring[(size_t)number % TASK_RING];
}

static struct task *stream_push(struct step_engine *e, enum stream_id id, struct task t)
{
	assert(e->stream[id].pushed - e->stream[id].done < TASK_RING);
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

/* Where the GPU ran dry between the launches of one task, several kernels are shown with gaps. */
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
	e->sum.work_s[t->kind] += busy_s > kernel_floor_s * (double)t->n ? busy_s : busy_s / 4;
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
		[CPU_WAITS_DATA] = STEP_WAIT,
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

/* Keeps the CPU busy for so long; EVENT_CPU will end the operation. True where that is no time. */
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

/* True where the operation is done at once. Otherwise the CPU is busy until EVENT_CPU, or waits. */
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

/* Goes on where what the CPU waited for has come: a copy is then over, everything else is tried
 * again. */
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

/* --- Readings --- */

/* A wait counts for the rhythm of stalls from this share of the mean step on. */
static const double stall_ratio = 0.02;

/* Steps [first, end) are the steady part. */
struct part {
	size_t first, end;
};

static struct part steady_part(const struct step_machine *m)
{
	assert(m->steps > 0);
	size_t n = m->steps, epoch = m->epoch_steps;
	if (epoch > 0 && 2 * epoch <= n)
		return (struct part){ epoch, n / epoch * epoch };
	size_t skip = m->workers * (m->prefetch + 1) + 4;
	skip = 2 * skip < n ? skip : n / 2;
	/* Waits come in rounds of the workers, so only whole rounds are counted. */
	size_t rounds = m->workers ? (n - skip) / m->workers : 0;
	return (struct part){ rounds ? n - rounds * m->workers : skip, n };
}

static struct totals before(const struct step_engine *e, size_t step)
{
	return step > 0 ? e->at_end[step - 1] : (struct totals){ 0 };
}

/* The rhythm in which steps wait for data, 0 where there is none. With w workers that are too slow,
 * every w-th step waits: the steps are sorted into w classes by their number, and the rhythm is w
 * where one class has three quarters of all waits and half of its own steps wait. */
static size_t stall_period(const struct step_readings *r, const struct step_machine *m)
{
	size_t w = m->workers, waited = 0, in_class = 0;
	if (w < 2 || r->n < 4 * w)
		return 0;
	for (size_t c = 0; c < w; c++) {
		size_t here = 0;
		for (size_t i = c; i < r->n; i += w)
			here += r->wait_s[i] > stall_ratio * r->mean_s;
		waited += here;
		in_class = here > in_class ? here : in_class;
	}
	bool regular = 4 * in_class >= 3 * waited && 2 * in_class * w >= r->n;
	return waited > 0 && regular ? w : 0;
}

static double epoch_wait(const struct step_engine *e, const struct part *p)
{
	size_t epoch = e->m->epoch_steps, n = 0;
	double wait_s = 0;
	for (size_t i = p->first; epoch > 0 && i < p->end; i++) {
		if (i % epoch != 0)
			continue;
		wait_s += e->at_end[i].idle_s[IDLE_DATA] - before(e, i).idle_s[IDLE_DATA];
		n++;
	}
	return n ? wait_s / (double)n : 0;
}

static void per_step(struct step_engine *e, const struct part *p, struct step_readings *r)
{
	r->step_s = arena_array(e->arena, r->n, sizeof *r->step_s);
	r->wait_s = arena_array(e->arena, r->n, sizeof *r->wait_s);
	double *sorted = arena_array(e->arena, r->n, sizeof *sorted);
	if (e->arena->failed)
		return;
	for (size_t i = 0; i < r->n; i++) {
		const struct totals *now = &e->at_end[p->first + i];
		struct totals last = before(e, p->first + i);
		sorted[i] = r->step_s[i] = now->at_s - last.at_s;
		r->wait_s[i] = now->idle_s[IDLE_DATA] - last.idle_s[IDLE_DATA];
	}
	r->ci95_s = mean_ci95(r->step_s, r->n);
	sort_ascending(sorted, r->n);
	r->p50_s = quantile_sorted(sorted, r->n, 0.5);
	r->p99_s = quantile_sorted(sorted, r->n, 0.99);
}

static double power(const struct step_machine *m, const struct totals *a, const struct totals *z,
	double span_s, double busy_ratio)
{
	double work_s = 0;
	for (int k = STEP_FORWARD; k <= STEP_BACKWARD; k++)
		work_s += z->work_s[k] - a->work_s[k];
	double pointwise = m->pointwise_ratio, bound = work_s / span_s;
	double memory_ratio = (z->work_s[STEP_OPTIMIZER] - a->work_s[STEP_OPTIMIZER]) / span_s;
	double comm_ratio = fmax(0, (z->any_s - a->any_s) / span_s - busy_ratio);
	return step_power((1 - pointwise) * bound * m->clock_ratio,
		memory_ratio + pointwise * bound, comm_ratio);
}

static struct step_readings read_part(struct step_engine *e, const struct part *p)
{
	const struct step_machine *m = e->m;
	struct totals a = before(e, p->first), z = e->at_end[p->end - 1];
	double span_s = z.at_s - a.at_s, n = (double)(p->end - p->first), idle_s = 0;
	struct step_readings r = { .n = p->end - p->first,
		.mean_s = span_s / n,
		.copy_s = (z.copy_s - a.copy_s) / n,
		.comm_s = (z.comm_s - a.comm_s) / n,
		.late_s = (z.late_s - a.late_s) / n,
		.util_ratio = (z.any_s - a.any_s) / span_s,
		.clock_ratio = m->clock_ratio,
		.gaps = (size_t)(z.gaps - a.gaps),
		.epoch_wait_s = epoch_wait(e, p),
		.ready = z.taken > a.taken ? (z.ready - a.ready) / (z.taken - a.taken) : 0 };
	static const enum cpu_state at_work[] = { CPU_WORKS, CPU_PREPARES, CPU_SAVES };
	for (size_t i = 0; i < LENGTH(at_work); i++)
		r.main_ratio += (z.cpu_s[at_work[i]] - a.cpu_s[at_work[i]]) / span_s;
	for (int i = 0; i < N_IDLE_CAUSES; i++) {
		r.idle_s[i] = (z.idle_s[i] - a.idle_s[i]) / n;
		idle_s += r.idle_s[i];
	}
	r.busy_ratio = fmax(0, 1 - idle_s / r.mean_s);
	if (m->workers > 0) {
		r.worker_cpu_ratio = (z.cores_s - a.cores_s) / span_s / (double)m->workers;
		r.worker_read_ratio = (z.reads_s - a.reads_s) / span_s / (double)m->workers;
	}
	r.power_ratio = power(m, &a, &z, span_s, r.busy_ratio);
	per_step(e, p, &r);
	r.stall_period = e->arena->failed ? 0 : stall_period(&r, m);
	return r;
}

static struct step_run step_finish(struct step_engine *e)
{
	const struct step_machine *m = e->m;
	if (e->arena->failed)
		return (struct step_run){ 0 };
	struct part p = steady_part(m);
	struct step_run run = { .r = read_part(e, &p),
		.spans = e->spans,
		.n_spans = e->n_spans,
		.steps = m->steps,
		.ends = arena_array(e->arena, m->steps, sizeof *run.ends) };
	if (e->arena->failed)
		return (struct step_run){ 0 };
	for (size_t i = 0; i < m->steps; i++) {
		struct totals last = before(e, i);
		run.ends[i].at_s = e->at_end[i].at_s;
		for (int k = 0; k < N_IDLE_CAUSES; k++)
			run.ends[i].idle_s[k] = e->at_end[i].idle_s[k] - last.idle_s[k];
	}
	if (m->watch_n > 0 && m->watch_first + m->watch_n <= m->steps) {
		run.first = m->watch_first;
		run.watched = m->watch_n;
		run.from_s = m->watch_first > 0 ? run.ends[m->watch_first - 1].at_s : 0;
		run.to_s = run.ends[m->watch_first + m->watch_n - 1].at_s;
	}
	return run;
}

/* --- the run ------------------------------------------------------------------------------ */

/* Why the compute stream is idle now: what its next task waits for, or else what the CPU does. */
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
	assert(m->steps > 0 && m->prefetch >= 1 && m->cores >= 1 && m->readers >= 1);
	assert(m->side_s <= 0 || m->side_steps > 0);
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
