/* What the parts of sims/training/step_timeline.h share: the loader (step_loader.c), the CPU thread
 * and the GPU's streams (step_timeline.c), and what instruments make of it (step_readings.c). Not
 * for others. */
#ifndef RIDGE_STEP_ENGINE_H
#define RIDGE_STEP_ENGINE_H

#include "sims/base/events.h"
#include "sims/training/step_timeline.h"

enum step_event {
	EVENT_CPU,
	EVENT_START,
	EVENT_END,
	EVENT_LOADER,
	EVENT_READ,
	EVENT_WORK,
	EVENT_PIN
};

/* Servers that the workers share; who finds none free waits in order. */
struct gate {
	size_t free;
	uint32_t *queue; /* a ring of as many as there are workers */
	size_t first, waiting, room;
};

struct worker {
	size_t batch; /* at hand */
	double since_s;
	bool busy;
};

struct loader {
	const struct step_machine *m;
	struct worker *worker;
	double *prep_s; /* of every batch */
	bool *ready;
	size_t epoch_first, epoch_end; /* batches */
	size_t asked;                  /* batches before this one have been asked for */
	size_t *next;                  /* of each worker */
	size_t taken, n_ready;
	bool open; /* workers run */
	struct gate cores, storage, pin;
	double pin_s;
};

enum stream_id { STREAM_COMPUTE, STREAM_COPY, STREAM_COMM, N_STREAMS };

/* n equal kernels in a row. */
struct task {
	double earliest_s, last_launch_s; /* of the first and of the last of its launches */
	double kernel_s, extra_s;         /* extra: before the first one, on its own stream */
	double needs[N_STREAMS];          /* tasks that must be done on each */
	size_t n;
	enum step_kind kind;
	unsigned step;
	bool ends_step;
};

/* The CPU is ahead by so many launches at most, and by so many pieces: some steps. */
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
	double any_s, copy_s, comm_s, late_s; /* any: a kernel runs, on whatever stream */
	double work_s[N_STEP_KINDS];          /* of compute kernels, without their floor */
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
	size_t n_ops, op; /* the program of a step; where the CPU is in it */
	unsigned step;
	enum cpu_state cpu;
	double cpu_since_s;
	double outstanding;    /* kernels launched and not done */
	enum idle_cause blame; /* why the CPU had nothing enqueued when the GPU ran dry */
	double idle_since_s;
	double now_s;
	struct totals sum, *at_end; /* at_end: of every step */
	struct step_span *spans;
	size_t n_spans, cap_spans;
};

void loader_init(struct loader *l, struct step_engine *e);
/* The CPU comes to the first batch of an epoch: workers are started, or woken. */
void loader_begin_epoch(struct step_engine *e);
bool loader_has(const struct loader *l, size_t batch);
void loader_take(struct step_engine *e, size_t batch);
/* True when a batch became ready. */
bool loader_event(struct step_engine *e, const struct event *event);
/* Reading, and transforming, of a batch by whoever prepares it. */
double loader_read_s(const struct loader *l, size_t batch);
double loader_work_s(const struct loader *l, size_t batch);

void step_log(struct step_engine *e, unsigned lane, enum step_kind kind, unsigned step,
	double start_s, double end_s, bool reads);
void step_write_program(struct step_engine *e);
struct step_run step_finish(struct step_engine *e);

/* A kernel takes so long however little it does: start, one wave, tail. */
extern const double step_kernel_floor_s;

#endif
