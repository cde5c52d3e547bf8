/* A sick machine-learning system: a hidden fault, put into one of the models of this folder, and
 * what instruments say about it. The game of `diagnosis` and drills stand on it.
 *
 * A patient is drawn from a seed. Its readings are measured on the simulated system (training loop,
 * training memory, inference server, a small training run with real numbers), never looked up. A
 * remedy is applied to the same system, which is then examined again. */
#ifndef RIDGE_PATIENT_H
#define RIDGE_PATIENT_H

#include "sims/diagnosis/case_file.h"

/* The patient of a seed, from a ward (or any: N_WARDS), and its readings. The tree finds the cause
 * when every instrument is read. False when memory is out. */
bool patient_make(struct arena *a, const struct tables *t, enum ward ward, uint64_t seed,
	struct patient *p, struct examination *x);
/* A patient with a given fault. */
bool patient_with(struct arena *a, const struct tables *t, enum cause cause, uint64_t seed,
	struct patient *p, struct examination *x);
const char *patient_complaint(const struct patient *p);

/* The way through the decision tree, as far as the readings that were asked for lead. */
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

/* The whole tree of a ward as a numbered key: every question once, beginning with the first. An
 * answer leads to another row, counted from 1, or to a cause. */
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

/* Four symptoms that one looks for before any question, what each points at, and whether this
 * system has it. The last is known from the complaint: its `from` is N_READINGS. */
struct symptom {
	const char *name;
	enum patient_reading from;
	bool here;
	const char *points_at;
};
enum { N_SYMPTOMS = 4 };
void patient_symptoms(const struct signs *s, struct symptom symptoms[static N_SYMPTOMS]);

/* Points of 100: 50 for the cause (25 for the bound alone) and 20 more, 30 for a remedy that works,
 * less the prices of all readings that were asked for. */
struct patient_score {
	double points;
	bool cause_right, bound_right, remedy_right;
	size_t asked, par;       /* readings: asked for, and used by the tree */
	double spent, par_spent; /* their prices, in points */
	double before, after;    /* badness, without and with the remedy */
};
bool patient_score_of(struct arena *a, const struct patient *p, const struct examination *x,
	enum cause said, enum remedy chosen, const bool asked[N_READINGS],
	struct patient_score *score);

#endif
