/* What is known of a patient (sims/diagnosis/patient.h): its cause and its remedies, the system and
 * the job that it is made of, and what instruments say about it. */
#ifndef RIDGE_CASE_FILE_H
#define RIDGE_CASE_FILE_H

#include "sims/tables/tables.h"
#include "sims/gpu/op_graph.h"
#include "sims/memory/training_memory.h"
#include "sims/training/step_verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ward { WARD_SPEED, WARD_MEMORY, WARD_SERVING, WARD_NUMBERS, N_WARDS };
extern const char *const ward_ids[N_WARDS + 2]; /* "any" first, NULL-terminated */

#define CAUSE(c, id, name, bound, ward, remedy, story) CAUSE_##c,
enum cause {
#include "sims/diagnosis/case_rows.def"
	N_CAUSES
};
#undef CAUSE
#define REMEDY(r, id, name) REMEDY_##r,
enum remedy {
#include "sims/diagnosis/case_rows.def"
	N_REMEDIES
};
#undef REMEDY
/* The instruments. */
#define READING(r, id, name, instrument, price, wards, asks) READING_##r,
enum patient_reading {
#include "sims/diagnosis/case_rows.def"
	N_READINGS
};
#undef READING

struct cause_row {
	const char *id, *name; /* "few-workers", "too few loader workers" */
	const char *bound;     /* "data", "memory", ...: coarser than the cause, worth half */
	enum ward ward;
	enum remedy remedy;
	const char *story; /* how it comes about, one sentence */
};
extern const struct cause_row causes[N_CAUSES];
struct remedy_row {
	const char *id, *name;
};
extern const struct remedy_row remedies[N_REMEDIES];

struct reading_row {
	const char *id, *name, *instrument;
	double price;     /* of 100 points, what asking for it takes away */
	unsigned wards;   /* bit w: it tells something in ward w */
	const char *asks; /* the question that it answers */
};
extern const struct reading_row readings[N_READINGS];

/* Of so many times the median a step is much slower than the others. */
#define SLOW_STEP_RATIO 1.5

/* What the tree asks about, all measured. Ratios of time unless said otherwise; 0 where the system
 * has no such thing. */
struct signs {
	enum ward ward; /* known from the complaint */
	double util, busy, power, clock;
	double idle[N_IDLE_CAUSES];
	double worker_cpu, worker_read, main, threads_per_core;
	double p99_over_p50, period, workers; /* period: steps between slow ones; 0: none */
	double nccl_alone, comm_hidden, rank_late;
	double tensor, dram, pointwise, batch_gain;
	bool recomputes;
	double reserved_over_allocated, activation_share;
	double ttft_over_median, itl_over_median, wait_growth, cache_orphaned;
	double largest_gradient;          /* as the optimizer gets it, scale included */
	double epoch_jump;                /* loss at the start of an epoch over the loss before */
	double channel_spread, quantised; /* quantised: 1 for a quantised model */
	bool nan;
};

enum { READING_TEXT = 120, MAX_CURVE = 240 };
struct examination {
	struct signs signs;
	char text[N_READINGS][READING_TEXT];
	/* What the complaint is about: lower is better, a sound system has 1 at most. */
	double badness;
	double healthy_ms; /* a step of the same training loop without its fault; 0: it is none */
	char complaint_number[48]; /* "412 ms a step" */
	double curve[MAX_CURVE];   /* over steps or requests: step time, latency, loss */
	size_t n_curve;
	const char *curve_title, *curve_name, *curve_unit, *curve_x;
	struct step_run run; /* of a training loop, with its spans; in the arena */
};

/* The server of WARD_SERVING and the run of WARD_NUMBERS. */
struct server_plan {
	bool is_static, leaks;
	double load, chunk_tokens, replicas;
	double long_prompt; /* tokens of every third request's; 0: none */
};
struct numbers_plan {
	bool fp16, shuffled, quantised, per_channel;
	double learning_rate, scale, outlier;
};

struct patient {
	enum cause cause;
	uint64_t seed;
	const struct model *model;
	const struct accelerator *gpu;
	double batch, tokens;
	bool eager, fp32, recomputes, small; /* small: kernels shorter than launches */
	double threads_per_core, late_ratio;
	double step_s; /* on the sound machine */
	struct step_machine machine;
	struct memory_setup memory;
	double capacity;
	bool expandable;
	struct server_plan server;
	struct numbers_plan numbers;
};

/* Sets the text of a reading. */
void reading_say(struct examination *x, enum patient_reading r, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
