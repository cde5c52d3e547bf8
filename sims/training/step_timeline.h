/* A training loop as a profiler sees it, event by event: loader workers, the main CPU thread, the
 * copy engine, the GPU's compute stream and its communication stream. No time is looked up: a step
 * is long because something waited for something.
 *
 * The run follows PyTorch's rules:
 *  - batches are dealt to the workers in turn; prefetch x workers of them are asked for ahead, one
 *    more with each that is taken, and they are taken in order;
 *  - workers share CPU cores, and a storage that serves a few reads at once;
 *  - the CPU enqueues kernels, up to 1,024 ahead of the GPU, and waits only where a value or a
 *    blocking copy makes it wait; a kernel starts when it was launched, its stream is free and
 *    everything that it depends on is done;
 *  - a copy blocks the CPU unless its source is pinned and the caller asks not to wait; it takes
 *    its turn in the compute stream unless it has a stream of its own;
 *  - gradients leave in buckets as backward makes them; the optimizer waits for the last bucket.
 *
 * Times in s, sizes in B, bandwidths in B/s. Deterministic; everything lives in the arena. */
#ifndef RIDGE_STEP_TIMELINE_H
#define RIDGE_STEP_TIMELINE_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The machine, its job and its faults. GPU times are those of the step in TF32, eager, with an
 * unfused optimizer, at full clocks; the switches below act on them. */
struct step_machine {
	size_t workers;         /* 0: the main process prepares its own batches */
	size_t prefetch;        /* batches asked of each worker ahead; >= 1 */
	double prep_s, prep_cv; /* of one batch in one worker that has all it needs; lognormal */
	bool io_bound;          /* preparing is mostly reading from storage */
	size_t cores;           /* for the workers; >= 1 */
	size_t readers;         /* reads that storage serves at full speed; the rest queue; >= 1 */
	double batch_bytes, pcie_bandwidth;
	bool pin_memory, non_blocking, copy_stream;
	bool persistent_workers;
	double worker_start_s; /* fork, imports, opening the data set */
	size_t epoch_steps;    /* 0: one epoch without end */

	double forward_s, backward_s, optimizer_s;
	double pointwise_ratio; /* of forward and backward: memory-bound chains */
	double kernels;         /* launches of forward and backward */
	double launch_s;        /* of one kernel, on the CPU */
	double host_s;          /* Python between the batch and the first launch */
	bool amp, compile, fused_optimizer;
	/* What the switches do to kernels: BF16 makes them so much faster, and of so many passes
	 * over memory-bound data a compiler leaves one. */
	double amp_gain, fused_passes;

	size_t gpus;
	/* Nodes of so many GPUs of a family on links of node_bandwidth, with a link of their own to
	 * the network each; the all-reduce is then the quickest of those of sims/communication/collective.h. 0: one ring
	 * over such links, by the textbook. */
	size_t gpus_per_node;
	const char *family;
	double node_bandwidth;
	double gradient_bytes, link_bandwidth, link_latency_s;
	bool overlap; /* all-reduce bucket by bucket during backward */
	size_t syncs; /* of a step: .item() and the like; 0: none */

	double clock_ratio; /* of the full clocks: below 1 when throttled */
	double late_s;      /* the slowest peer ends its backward so much later */
	double side_s;      /* checkpoint or evaluation, every side_steps; 0: none */
	size_t side_steps;

	size_t steps;
	uint64_t seed;
	size_t watch_first, watch_n; /* steps whose spans are logged; watch_n 0: none */
};

/* A sound machine: 4 workers against a step of 100 ms, one GPU, nothing on. */
struct step_machine step_machine_default(void);

/* What the GPU's compute stream was waiting for while it was idle. */
enum idle_cause {
	IDLE_DATA,   /* the CPU had no batch */
	IDLE_COPY,   /* the copy to the device */
	IDLE_SYNC,   /* the CPU had waited for the GPU and had to begin again */
	IDLE_LAUNCH, /* kernels shorter than their launches */
	IDLE_COMM,   /* gradients, nothing left to compute */
	IDLE_SIDE,   /* checkpoint, evaluation */
	N_IDLE_CAUSES
};

/* The order gives spans the colours of their series: forward blue, backward orange, communication
 * teal, optimizer purple, data loading red. */
enum step_kind {
	STEP_FORWARD,
	STEP_BACKWARD,
	STEP_COMM,
	STEP_COPY,
	STEP_LAUNCH,
	STEP_OPTIMIZER,
	STEP_DATA,
	STEP_WAIT,
	N_STEP_KINDS
};
extern const char *const step_kind_names[N_STEP_KINDS];

enum { LANE_GPU, LANE_COMM, LANE_COPY, LANE_CPU, LANE_WORKER, N_FIXED_LANES = LANE_WORKER };
struct step_span {
	double start_s, end_s;
	unsigned lane; /* LANE_WORKER + k: worker k */
	unsigned step; /* or batch */
	enum step_kind kind;
	bool reads; /* STEP_DATA only: the worker waits for storage */
};

/* What instruments would show. Means are per step over the steady part of the run: whole epochs
 * where it has two, otherwise everything after the first prefetched batches. */
struct step_readings {
	size_t n;       /* steps of the steady part; 0: memory ran out */
	double *step_s; /* of each, in order */
	double *wait_s; /* of each, the GPU's wait for data */
	double mean_s, p50_s, p99_s;
	double ci95_s;     /* half width for the mean; INFINITY below 200 steps */
	double busy_ratio; /* a compute kernel runs */
	double util_ratio; /* as nvidia-smi: any kernel, NCCL's too, and it sees no gap between
			    * launches */
	double idle_s[N_IDLE_CAUSES];
	double copy_s, comm_s; /* busy time of those lanes */
	double late_s;         /* the part of comm_s spent waiting for the slowest peer */
	double main_ratio;     /* main thread at work: Python, launching, preparing */
	double worker_cpu_ratio, worker_read_ratio; /* shares of a worker's time */
	double power_ratio; /* share of the power limit, estimated: see step_power */
	double clock_ratio;
	size_t gaps;         /* pauses of the compute stream that show in a trace, in all n steps */
	size_t stall_period; /* waits for data come every so many steps; 0: they have no rhythm */
	double epoch_wait_s; /* mean wait for data at the beginning of an epoch; 0: none seen */
	double ready;        /* batches that stand ready when one is taken, on average */
};

/* A step ends with its optimizer: when, on the clock of the spans, and what the GPU waited for. */
struct step_end {
	double at_s, idle_s[N_IDLE_CAUSES];
};

struct step_run {
	struct step_readings r;
	struct step_span *spans;
	size_t n_spans;
	size_t first, watched; /* steps whose spans are there */
	double from_s, to_s;   /* when they begin and end, on the same clock */
	struct step_end *ends; /* of every step */
	size_t steps;
};

struct step_run step_simulate(struct arena *a, const struct step_machine *m);

/* The share of preparing a batch that storage takes, where preparing is bound by reading. */
extern const double step_read_ratio;

/* Parts of a step, each by itself: the time of its kernels with nothing waiting, and of the
 * backward pass among them; of the copy, at half the rate where the source is pageable; of the
 * all-reduce of all buckets. */
double step_gpu_s(const struct step_machine *m);
double step_backward_s(const struct step_machine *m);
double step_copy_s(const struct step_machine *m);
double step_comm_s(const struct step_machine *m);
double step_kernels(const struct step_machine *m); /* launches, after fusion */
/* B of host memory that the loader takes when each worker copies so much of the data set. */
double step_host_memory(const struct step_machine *m, double copied_bytes);

/* The share of the power limit that a GPU draws, estimated: a fifth when idle, and of the rest all
 * during matrix products, half during memory-bound kernels, a tenth while NCCL waits and copies. */
double step_power(double product_ratio, double memory_ratio, double comm_ratio);

/* The time of a step with `workers` relative to one without any, for batches that take prep_s to
 * prepare beside step_s of everything else; to compare with published loader benchmarks. */
double step_loader_ratio(double prep_s, double step_s, size_t workers);

#endif
