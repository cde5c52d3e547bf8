/* What bounds a training loop, found by the tests that one would make on a real one: they look at
 * readings only, never at settings. And what to do about it, the cheapest first. */
#ifndef RIDGE_STEP_VERDICT_H
#define RIDGE_STEP_VERDICT_H

#include "sims/training/step_timeline.h"

enum step_bound {
	BOUND_GPU,     /* kernels: the good case */
	BOUND_DATA,    /* preparing batches: CPU */
	BOUND_STORAGE, /* preparing batches: reads, and the CPU idles too */
	BOUND_COPY,
	BOUND_SYNC,
	BOUND_LAUNCH,
	BOUND_COMM,
	BOUND_SIDE, /* checkpoints, evaluation */
	N_STEP_BOUNDS
};
extern const char *const step_bound_names[N_STEP_BOUNDS]; /* "GPU", "communication", ... */
extern const char *const step_bound_short[N_STEP_BOUNDS]; /* "GPU", "comm", ... */

/* One test: what was asked, what the instrument said, and the answer. */
struct step_test {
	const char *question, *instrument;
	char reading[48];
	bool yes;
};
enum { MAX_STEP_TESTS = 9 };
struct step_verdict {
	enum step_bound bound;
	double lost_ratio; /* its share of the step; BOUND_GPU: in which kernels run */
	struct step_test tests[MAX_STEP_TESTS];
	size_t n_tests; /* how many it took until the verdict was clear */
};
struct step_verdict step_judge(const struct step_readings *r);

/* The cheapest first. */
enum step_fix {
	FIX_PERSISTENT,
	FIX_PIN,
	FIX_WORKERS,
	FIX_PREFETCH,
	FIX_FUSED,
	FIX_OVERLAP,
	FIX_SYNC,
	FIX_AMP,
	FIX_COMPILE,
	FIX_GRADIENTS,
	FIX_COPY_STREAM,
	FIX_SAVE,
	FIX_STORAGE,
	FIX_DECODE,
	N_STEP_FIXES
};
struct step_fix_row {
	const char *name, *cost;
	unsigned treats; /* a bit per step_bound */
};
extern const struct step_fix_row step_fixes[N_STEP_FIXES];

/* The machine with that fix. False, and m as it was, where there is nothing left to change. */
bool step_fix(enum step_fix fix, struct step_machine *m);
/* Whether the machine has it already, which is not the same as that there is nothing to fix. */
bool step_has_fix(enum step_fix fix, const struct step_machine *m);

/* The machine with fewer steps, for a quick trial: two whole epochs where those are short. */
struct step_machine step_shortened(struct step_machine m);
/* Mean step of that run; NAN when memory ran out. */
double step_mean_s(const struct step_machine *m);

/* Tries every fix on the machine by simulating some steps: step_s is the mean step with it, NAN
 * where it does not apply (or, with only_what_treats, where it does not treat the bound). first:
 * the cheapest that treats the bound and takes at least 3 % off the step, or N_STEP_FIXES. */
struct step_trials {
	double now_s, step_s[N_STEP_FIXES];
	enum step_fix first;
	bool failed; /* memory ran out: some that apply are NAN */
};
struct step_trials step_try_fixes(
	const struct step_machine *m, enum step_bound bound, bool only_what_treats);

#endif
