/* The diagnosis is a chain of questions that ends at the first answer which names a bound; ask()
 * notes each with its reading, so that the chain can be shown as it was walked. What helps is not
 * looked up but tried: each remedy is applied to a copy of the machine, and the copy runs. */
#include "sims/training/step_verdict.h"

#include "sims/base/stats.h"
#include "sims/formulas/loading.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

const char *const step_bound_names[N_STEP_BOUNDS] = { "GPU", "data", "storage", "copy", "sync",
	"launch", "communication", "checkpoint" };

const char *const step_bound_short[N_STEP_BOUNDS] = { "GPU", "data", "storage", "copy", "sync",
	"launch", "comm", "save" };

/* From this share of the time on that it computes, a GPU is bound by itself. */
static const double busy_is_bound = 0.9;
/* A worker that reads for a larger share of its time waits for storage. */
static const double reading_is_storage = 0.5;
static const double worth_it = 0.03;
/* The length of a trial run; two epochs, where those are not longer than this. */
enum { TRIAL_STEPS = 72, LONGEST_EPOCH = 250 };
/* How many times as long a read takes on a spinning disk as on NVMe. */
enum { DISK_OVER_NVME = 35 };

static bool ask(struct step_verdict *v, bool yes, const char *question, const char *instrument,
	const char *fmt, double a, double b)
{
	assert(v->n_tests < MAX_STEP_TESTS);
	struct step_test *t = &v->tests[v->n_tests++];
	t->question = question;
	t->instrument = instrument;
	t->yes = yes;
	snprintf(t->reading, sizeof t->reading, fmt, a, b);
	return yes;
}

static struct step_verdict found(struct step_verdict *v, enum step_bound bound, double lost_ratio)
{
	v->bound = bound;
	v->lost_ratio = lost_ratio;
	return *v;
}

/* The loader is too slow: is it the host's CPUs, or the storage behind them? */
static struct step_verdict judge_data(
	struct step_verdict *v, const struct step_readings *r, double lost)
{
	if (r->stall_period > 0)
		ask(v, true, "every Nth step, N the workers?", "step times", "every %.0f steps",
			(double)r->stall_period, 0);
	if (ask(v, r->worker_read_ratio > reading_is_storage, "workers sit in read()?",
		    "top, py-spy", "reading %.0f %%, CPU %.0f %%", 100 * r->worker_read_ratio,
		    100 * r->worker_cpu_ratio))
		return found(v, BOUND_STORAGE, lost);
	return found(v, BOUND_DATA, lost);
}

struct step_verdict step_judge(const struct step_readings *r)
{
	struct step_verdict v = { .bound = BOUND_GPU };
	double lost[N_IDLE_CAUSES];
	for (int i = 0; i < N_IDLE_CAUSES; i++)
		lost[i] = r->mean_s > 0 ? r->idle_s[i] / r->mean_s : 0;
	enum idle_cause worst = (enum idle_cause)largest_of(lost, N_IDLE_CAUSES);
	if (ask(&v, r->busy_ratio > busy_is_bound, "kernels fill 90 % of the time?", "trace",
		    "%.0f %%, nvidia-smi %.0f %%", 100 * r->busy_ratio, 100 * r->util_ratio))
		return found(&v, BOUND_GPU, r->busy_ratio);
	if (ask(&v, r->p99_s > 2 * r->p50_s, "some steps much longer?", "p99 over p50", "%.1f",
		    r->p99_s / r->p50_s, 0) &&
		ask(&v, worst == IDLE_SIDE, "do those save or evaluate?", "log of the run",
			"%.0f %% of the time", 100 * lost[IDLE_SIDE], 0))
		return found(&v, BOUND_SIDE, lost[IDLE_SIDE]);
	if (ask(&v, worst == IDLE_COMM, "NCCL alone on the GPU?", "NCCL rows",
		    "%.0f %% of the time", 100 * lost[IDLE_COMM], 0))
		return found(&v, BOUND_COMM, lost[IDLE_COMM]);
	if (ask(&v, worst == IDLE_DATA, "GPU idle while a batch is made?", "DataLoader rows",
		    "%.0f %% of the time", 100 * lost[IDLE_DATA], 0))
		return judge_data(&v, r, lost[IDLE_DATA]);
	if (ask(&v, worst == IDLE_COPY, "forward waits for the copy?", "memcpy rows",
		    "%.0f %% of the time", 100 * lost[IDLE_COPY], 0))
		return found(&v, BOUND_COPY, lost[IDLE_COPY]);
	if (ask(&v, worst == IDLE_SYNC, "gaps follow a synchronisation?", "cudaStreamSynchronize",
		    "%.0f %% of the time", 100 * lost[IDLE_SYNC], 0))
		return found(&v, BOUND_SYNC, lost[IDLE_SYNC]);
	if (worst == IDLE_SIDE)
		return found(&v, BOUND_SIDE, lost[IDLE_SIDE]);
	ask(&v, true, "main thread busy, gaps short?", "CPU row", "CPU %.0f %%, %.0f gaps a step",
		100 * r->main_ratio, (double)r->gaps / (double)r->n);
	return found(&v, BOUND_LAUNCH, lost[IDLE_LAUNCH]);
}

#define TREATS(bound) (1u << (bound))
enum { LOADING = TREATS(BOUND_DATA) | TREATS(BOUND_STORAGE) };

const struct step_fix_row step_fixes[N_STEP_FIXES] = {
	[FIX_PERSISTENT] = { "persistent_workers", "a flag", LOADING },
	[FIX_PIN] = { "pin_memory, non_blocking", "two flags", TREATS(BOUND_COPY) },
	[FIX_WORKERS] = { "more workers", "a flag, RAM", LOADING },
	[FIX_PREFETCH] = { "prefetch_factor 4", "a flag, RAM", LOADING },
	[FIX_FUSED] = { "fused optimizer", "a flag", TREATS(BOUND_GPU) | TREATS(BOUND_LAUNCH) },
	[FIX_OVERLAP] = { "overlap the all-reduce", "a flag", TREATS(BOUND_COMM) },
	[FIX_SYNC] = { "read values rarely", "some lines", TREATS(BOUND_SYNC) },
	[FIX_AMP] = { "BF16 autocast", "line, check", TREATS(BOUND_GPU) },
	[FIX_COMPILE] = { "torch.compile", "line, warm-up",
		TREATS(BOUND_GPU) | TREATS(BOUND_LAUNCH) | TREATS(BOUND_SYNC) },
	[FIX_GRADIENTS] = { "gradients sent in BF16", "hook, check", TREATS(BOUND_COMM) },
	[FIX_COPY_STREAM] = { "copy on its own stream", "a small class", TREATS(BOUND_COPY) },
	[FIX_SAVE] = { "save in the background", "a library", TREATS(BOUND_SIDE) },
	[FIX_STORAGE] = { "data on local NVMe", "disk, staging", TREATS(BOUND_STORAGE) },
	[FIX_DECODE] = { "transforms on the GPU", "a rewrite", TREATS(BOUND_DATA) },
};

/* Workers that keep up with everything else of the step, and one for variance. */
static size_t workers_wanted(const struct step_machine *m)
{
	double rest_s = step_gpu_s(m) + step_copy_s(m);
	double need = CALL(workers_needed, .prep_time = m->prep_s, .step_time = rest_s) + 1;
	return (size_t)fmin(need, fmax(1, (double)m->cores - 1));
}

static bool set(bool *flag, bool wanted)
{
	bool changes = *flag != wanted;
	*flag = wanted;
	return changes;
}

static bool fix_loading(enum step_fix fix, struct step_machine *m)
{
	size_t workers = workers_wanted(m);
	switch (fix) {
	case FIX_PERSISTENT:
		return m->workers > 0 && m->epoch_steps > 0 && set(&m->persistent_workers, true);
	case FIX_WORKERS:
		if (m->workers >= workers)
			return false;
		m->workers = workers;
		return true;
	case FIX_PREFETCH:
		if (m->workers == 0 || m->prefetch >= 4)
			return false;
		m->prefetch = 4;
		return true;
	case FIX_STORAGE:
		if (!set(&m->io_bound, false))
			return false;
		m->readers *= DISK_OVER_NVME;
		m->prep_s *= 1 - step_read_ratio + step_read_ratio / DISK_OVER_NVME;
		return true;
	case FIX_DECODE:
		if (m->io_bound || m->prep_s <= 0)
			return false;
		/* Decoding on the GPU takes a small part of the time that a core takes. */
		m->forward_s += m->prep_s / 100;
		m->prep_s /= 5;
		return true;
	default:
		return false;
	}
}

static bool apply(enum step_fix fix, struct step_machine *m)
{
	bool pinned = m->pin_memory && m->non_blocking;
	switch (fix) {
	case FIX_PIN:
		m->pin_memory = m->non_blocking = true;
		return !pinned && m->batch_bytes > 0;
	case FIX_FUSED:
		return set(&m->fused_optimizer, true);
	case FIX_OVERLAP:
		return m->gpus > 1 && set(&m->overlap, true);
	case FIX_SYNC:
		if (m->syncs == 0)
			return false;
		m->syncs = 0;
		return true;
	case FIX_AMP:
		return set(&m->amp, true);
	case FIX_COMPILE:
		return set(&m->compile, true);
	case FIX_GRADIENTS:
		m->gradient_bytes /= 2;
		return m->gpus > 1;
	case FIX_COPY_STREAM:
		return pinned && m->batch_bytes > 0 && set(&m->copy_stream, true);
	case FIX_SAVE:
		if (m->side_s <= 0)
			return false;
		m->side_s /= 10; /* what is left is the copy to host memory */
		return true;
	default:
		return fix_loading(fix, m);
	}
}

bool step_fix(enum step_fix fix, struct step_machine *m)
{
	assert(fix < N_STEP_FIXES);
	struct step_machine was = *m;
	if (apply(fix, m))
		return true;
	*m = was;
	return false;
}

struct step_machine step_shortened(struct step_machine m)
{
	bool epochs = m.epoch_steps > TRIAL_STEPS / 2 && m.epoch_steps <= LONGEST_EPOCH;
	size_t steps = epochs ? 2 * m.epoch_steps : TRIAL_STEPS;
	m.watch_n = 0;
	m.steps = m.steps < steps ? m.steps : steps;
	return m;
}

double step_mean_s(const struct step_machine *machine)
{
	struct arena a = { 0 };
	struct step_machine m = step_shortened(*machine);
	struct step_run run = step_simulate(&a, &m);
	double s = run.r.n ? run.r.mean_s : NAN;
	arena_release(&a);
	return s;
}

bool step_has_fix(enum step_fix fix, const struct step_machine *m)
{
	assert(fix < N_STEP_FIXES);
	bool pinned = m->pin_memory && m->non_blocking && m->batch_bytes > 0;
	switch (fix) {
	case FIX_PERSISTENT:
		return m->workers > 0 && m->epoch_steps > 0 && m->persistent_workers;
	case FIX_PIN:
		return pinned;
	case FIX_WORKERS:
		return m->workers >= workers_wanted(m);
	case FIX_PREFETCH:
		return m->workers > 0 && m->prefetch >= 4;
	case FIX_FUSED:
		return m->fused_optimizer;
	case FIX_OVERLAP:
		return m->gpus > 1 && m->overlap;
	case FIX_AMP:
		return m->amp;
	case FIX_COMPILE:
		return m->compile;
	case FIX_COPY_STREAM:
		return pinned && m->copy_stream;
	default: /* those leave nothing to see on the machine */
		return false;
	}
}

struct step_trials step_try_fixes(
	const struct step_machine *m, enum step_bound bound, bool only_what_treats)
{
	assert(bound < N_STEP_BOUNDS);
	struct step_trials t = { .now_s = step_mean_s(m), .first = N_STEP_FIXES };
	t.failed = isnan(t.now_s);
	for (enum step_fix fix = 0; fix < N_STEP_FIXES; fix++) {
		struct step_machine other = *m;
		bool treats = step_fixes[fix].treats & TREATS(bound);
		bool tried = (treats || !only_what_treats) && step_fix(fix, &other);
		t.step_s[fix] = tried ? step_mean_s(&other) : NAN;
		t.failed |= tried && isnan(t.step_s[fix]);
		if (t.first == N_STEP_FIXES && treats && t.step_s[fix] < (1 - worth_it) * t.now_s)
			t.first = fix;
	}
	return t;
}
