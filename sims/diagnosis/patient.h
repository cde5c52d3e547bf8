/* A sick machine-learning system: a hidden fault, put into one of the models of this folder, and
 * what instruments say about it. The game of `diagnosis` and drills stand on it.
 *
 * A patient is drawn from a seed. Its readings are measured on the simulated system (training loop,
 * training memory, inference server, a small training run with real numbers), never looked up. A
 * remedy is applied to the same system, which is then examined again. */
#ifndef RIDGE_PATIENT_H
#define RIDGE_PATIENT_H

#include "sims/gpu/op_graph.h"
#include "sims/training/step_verdict.h"
#include "sims/tables/tables.h"
#include "sims/memory/training_memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ward { WARD_SPEED, WARD_MEMORY, WARD_SERVING, WARD_NUMBERS, N_WARDS };
extern const char *const ward_ids[N_WARDS + 2]; /* "any" first, NULL-terminated */

#define CAUSE(c, id, name, bound, ward, remedy, story) CAUSE_##c,
enum cause {
#include "sims/diagnosis/patient_rows.def"
	N_CAUSES
};
#undef CAUSE
#define REMEDY(r, id, name) REMEDY_##r,
enum remedy {
#include "sims/diagnosis/patient_rows.def"
	N_REMEDIES
};
#undef REMEDY
/* The instruments. */
#define READING(r, id, name, instrument) READING_##r,
enum patient_reading {
#include "sims/diagnosis/patient_rows.def"
	N_READINGS
};
#undef READING

/* What bounds or breaks: coarser than the cause, worth half. */
struct cause_row {
	const char *id, *name; /* "few-workers", "too few loader workers" */
	const char *bound;     /* "data", "communication", "memory", ... */
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
};
extern const struct reading_row readings[N_READINGS];

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
	double largest_gradient;          /* as sent to the optimizer, scale included */
	double epoch_jump;                /* loss at an epoch's start over the loss before */
	double channel_spread, quantised; /* quantised: 1 when it is a quantised model */
	bool nan;
};

enum { READING_TEXT = 120, MAX_CURVE = 240 };
struct examination {
	struct signs signs;
	char text[N_READINGS][READING_TEXT];
	/* What the complaint is about: lower is better, 1 is what it ought to be at most. */
	double badness;
	char complaint_number[48]; /* "412 ms a step" */
	double curve[MAX_CURVE];   /* over steps or requests: step ms, latency ms, loss */
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
	double step_s; /* of the healthy machine */
	struct step_machine machine;
	struct memory_setup memory;
	double capacity;
	bool expandable;
	struct server_plan server;
	struct numbers_plan numbers;
};

/* The patient of a seed, from a ward (or any: N_WARDS), and its readings. The tree finds the cause
 * when every instrument is read. False when memory is out. */
bool patient_make(struct arena *a, const struct tables *t, enum ward ward, uint64_t seed,
	struct patient *p, struct examination *x);
/* A patient with a given fault. */
bool patient_with(struct arena *a, const struct tables *t, enum cause cause, uint64_t seed,
	struct patient *p, struct examination *x);
/* Measures it as it is. False when memory is out. */
bool patient_examine(struct arena *a, const struct patient *p, struct examination *x);
/* Applies a remedy; false where it has nothing to act on. */
bool patient_treat(struct patient *p, enum remedy remedy);
const char *patient_complaint(const struct patient *p);

/* The way through the decision tree (S1, S3:T1 to T8) as far as the readings that were asked for
 * answer it. */
struct step_of_walk {
	const char *question;
	enum patient_reading from;
	bool yes;
};
enum { MAX_WALK = 16 };
struct walk_result {
	struct step_of_walk steps[MAX_WALK];
	size_t n;
	enum cause leaf; /* N_CAUSES: a reading is missing */
	enum patient_reading missing;
	const char *next; /* the question that it would answer */
	size_t readings;  /* different ones that were used */
};
struct walk_result patient_walk(const struct signs *s, const bool asked[N_READINGS]);

/* The tree of a ward whole, as a numbered key: every question once, the first one first. An answer
 * leads to another row, counted from 1, or to a cause. */
struct tree_exit {
	size_t row; /* 0: the cause is found */
	enum cause leaf;
};
struct tree_row {
	const char *question;
	enum patient_reading from;
	struct tree_exit yes, no;
};
enum { MAX_TREE = 32 };
size_t patient_tree(enum ward ward, struct tree_row rows[static MAX_TREE]);

/* The coarse tree that goes before it (S1): four symptoms, what each points at, and whether this
 * system has it. The last is known from the complaint: `from` is N_READINGS. */
struct symptom {
	const char *name;
	enum patient_reading from;
	bool here;
	const char *points_at;
};
enum { N_SYMPTOMS = 4 };
void patient_symptoms(const struct signs *s, struct symptom symptoms[static N_SYMPTOMS]);

/* Points of 100: 50 for the cause (25 for the bound alone), 30 for a remedy that works, 20 for no
 * reading more than the tree needs. */
struct patient_score {
	double points;
	bool cause_right, bound_right, remedy_right;
	size_t asked, par;
	double before, after; /* badness, without and with the remedy */
};
bool patient_score_of(struct arena *a, const struct patient *p, const struct examination *x,
	enum cause said, enum remedy chosen, const bool asked[N_READINGS],
	struct patient_score *score);

#endif
