/* The step timeline: the loader's formulas, launches, copies, buckets, each from a simulated run
 * against its closed form, the verdicts, and the fixes. Times by hand: a step of 100 ms (30 + 60 +
 * 10), a batch of 400 ms, nothing else that takes time unless a row says so. */
#include "sims/registry/registry.h"
#include "sims/training/step_verdict.h"

#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

extern const struct sim timeline_sim;

static struct step_machine bare(void)
{
	struct step_machine m = step_machine_default();
	m.host_s = m.launch_s = m.batch_bytes = 0;
	return m;
}

/* To be given back with arena_release. */
static struct step_run run_of(struct arena *a, struct step_machine m)
{
	*a = (struct arena){ 0 };
	struct step_run run = step_simulate(a, &m);
	cr_assert(run.r.n > 0);
	return run;
}

static struct step_readings readings(struct step_machine m)
{
	struct arena a;
	struct step_readings r = run_of(&a, m).r;
	arena_release(&a);
	r.step_s = r.wait_s = NULL;
	return r;
}

/* F3.1: idle per step = max(0, prep / w - step). */
Test(timeline, workers_needed)
{
	static const struct {
		size_t workers;
		double mean_s, idle_s;
	} rows[] = { { 1, 0.4, 0.3 }, { 2, 0.2, 0.1 }, { 3, 0.4 / 3, 0.1 / 3 }, { 4, 0.1, 0 },
		{ 8, 0.1, 0 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_machine m = bare();
		m.workers = rows[i].workers;
		struct step_readings r = readings(m);
		cr_expect(epsilon_eq(dbl, r.mean_s, rows[i].mean_s, 1e-9), "row %zu", i);
		cr_expect(epsilon_eq(dbl, r.idle_s[IDLE_DATA], rows[i].idle_s, 1e-9), "row %zu", i);
	}
}

/* F3.3: one worker in four is late by prep - 4 steps, with any queue: 500 - 400 ms. */
Test(timeline, every_nth_step_stalls)
{
	for (size_t prefetch = 1; prefetch <= 8; prefetch *= 2) {
		struct step_machine m = bare();
		struct arena a;
		m.prep_s = 0.5;
		m.prefetch = prefetch;
		struct step_run run = run_of(&a, m);
		size_t late = 0;
		for (size_t i = 0; i < run.r.n; i++) {
			double wait_s = run.r.wait_s[i];
			late += wait_s > 1e-9;
			cr_expect(wait_s < 1e-9 || fabs(wait_s - 0.1) < 1e-9, "step %zu: %g", i,
				wait_s);
			if (i >= 4)
				cr_expect(epsilon_eq(dbl, wait_s, run.r.wait_s[i - 4], 1e-9));
		}
		cr_expect(eq(sz, late, run.r.n / 4));
		cr_expect(eq(sz, run.r.stall_period, 4));
		arena_release(&a);
	}
}

/* Four steps of each class are enough to see a rhythm: with 16 of 4 workers each waits 4 times. */
Test(timeline, four_rounds_show_the_rhythm)
{
	for (size_t rounds = 3; rounds <= 5; rounds++) {
		struct step_machine m = bare();
		m.prep_s = 0.5;
		const size_t n = 4 * rounds; /* steps of the steady part */
		m.steps = n;
		struct step_readings r;
		for (r = readings(m); r.n != n && m.steps < 100; m.steps++)
			r = readings(m);
		cr_expect(eq(sz, r.n, n));
		cr_expect(eq(sz, r.stall_period, rounds >= 4 ? 4 : 0), "%zu", rounds);
	}
}

/* A trial run of a machine whose epochs take at most half of it is as long as any other; two
 * longer epochs take their time. */
Test(timeline, a_trial_run_holds_two_epochs)
{
	static const struct {
		size_t epoch_steps, steps;
	} rows[] = { { 0, 72 }, { 20, 72 }, { 30, 72 }, { 36, 72 }, { 40, 80 }, { 250, 500 },
		{ 251, 72 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_machine m = bare();
		m.steps = 1000;
		m.epoch_steps = rows[i].epoch_steps;
		cr_expect(eq(sz, step_shortened(m).steps, rows[i].steps), "row %zu", i);
	}
}

/* F3.2: a queue absorbs variance, never the mean; and what it costs. */
Test(timeline, prefetch_is_for_variance)
{
	struct step_machine m = bare();
	m.prep_cv = 0.8;
	m.workers = 5;
	m.prefetch = 1;
	double shallow_s = readings(m).idle_s[IDLE_DATA];
	m.prefetch = 4;
	double deep_s = readings(m).idle_s[IDLE_DATA];
	cr_expect(lt(dbl, 10 * deep_s, shallow_s), "%g, %g", shallow_s, deep_s);
	m.workers = 2;
	m.prep_cv = 0;
	for (m.prefetch = 1; m.prefetch <= 16; m.prefetch *= 4)
		cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.2, 1e-9), "%zu", m.prefetch);
	/* 4 workers x 2 GB, and 8 batches of 154 MB twice */
	m = step_machine_default();
	cr_expect(epsilon_eq(dbl, step_host_memory(&m, 2e9), 10.464e9, 1));
}

/* F3.4: the sum when the CPU waits for every step, the maximum when nothing does. */
Test(timeline, serial_and_overlapped)
{
	struct step_machine m = bare();
	m.batch_bytes = 250e6; /* 20 ms pageable, 10 ms pinned */
	m.kernels = 600;       /* a whole step fits into the launch queue */
	m.workers = 0;
	m.syncs = 1;
	/* 0.4 + 0.02 + 0.1, and 25 us for the value to be read */
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.520025, 1e-9));
	m.syncs = 0;
	/* the batch is prepared beside the GPU's 100 ms, the copy is not */
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.42, 1e-9));
	m.workers = 8;
	m.pin_memory = m.non_blocking = true;
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.11, 1e-9));
	m.prep_s = 1.2;
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.15, 1e-9));
}

/* F3.5: 154 MB at 25 GB/s are 6.16 ms, at half of it 12.32. Only a pinned copy that does not block,
 * on a stream of its own, hides. */
Test(timeline, copies)
{
	static const struct {
		bool pin, non_blocking, stream;
		double mean_s;
	} rows[] = { { false, false, false, 0.11232 }, { false, true, false, 0.11232 },
		{ true, false, false, 0.10616 }, { true, true, false, 0.10616 },
		{ false, false, true, 0.1 }, { true, true, true, 0.1 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_machine m = bare();
		m.workers = 8;
		m.batch_bytes = 154e6;
		m.pin_memory = rows[i].pin;
		m.non_blocking = rows[i].non_blocking;
		m.copy_stream = rows[i].stream;
		cr_expect(epsilon_eq(dbl, readings(m).mean_s, rows[i].mean_s, 1e-9), "row %zu", i);
	}
	/* With Python between copy and forward, who blocks pays for it. */
	struct step_machine m = step_machine_default();
	m.workers = 8;
	m.launch_s = 0;
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.11432, 1e-9));
	m.pin_memory = m.non_blocking = true;
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.10616, 1e-9));
}

/* F1.6: 1,300 launches of 10 us are 13 ms; they show only where kernels are shorter. */
Test(timeline, launches)
{
	struct step_machine m = bare();
	m.launch_s = 10e-6;
	m.prep_s = 0.001;
	struct step_readings r = readings(m);
	cr_expect(epsilon_eq(dbl, r.mean_s, 0.1, 1e-9));
	cr_expect(epsilon_eq(dbl, r.idle_s[IDLE_LAUNCH], 0, 1e-9));
	m.forward_s = 0.003;
	m.backward_s = 0.006;
	m.optimizer_s = 0.001;
	r = readings(m);
	cr_expect(epsilon_eq(dbl, step_kernels(&m), 1300, 0));
	cr_expect(epsilon_eq(dbl, r.mean_s, 0.013, 1e-6), "%g", r.mean_s);
	cr_expect(epsilon_eq(dbl, r.idle_s[IDLE_LAUNCH], 0.003, 1e-5));
	cr_expect(eq(int, step_judge(&r).bound, BOUND_LAUNCH));
	/* nvidia-smi sees no gap between launches (S3:T2). */
	cr_expect(lt(dbl, r.busy_ratio, 0.8));
	cr_expect(lt(dbl, 0.99, r.util_ratio));
}

/* F5.2, F5.5: 24 buckets of 25 MB over 8 GPUs, 14 hops of 5 us + 25 MB / (8 x 25 GB/s) each. */
Test(timeline, buckets)
{
	static const struct {
		double link_bandwidth, comm_s, exposed_s;
		bool overlap;
	} rows[] = { { 25e9, 0.04368, 0.00182, true }, { 25e9, 0.04368, 0.04368, false },
		{ 5e9, 0.21168, 0.15418, true }, { 5e9, 0.21168, 0.21168, false } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct step_machine m = bare();
		m.gpus = 8;
		m.prep_s = 0.01;
		m.gradient_bytes = 600e6;
		m.link_bandwidth = rows[i].link_bandwidth;
		m.overlap = rows[i].overlap;
		struct step_readings r = readings(m);
		cr_expect(epsilon_eq(dbl, step_comm_s(&m), rows[i].comm_s, 1e-9), "row %zu", i);
		cr_expect(epsilon_eq(dbl, r.comm_s, rows[i].comm_s, 1e-9), "row %zu", i);
		cr_expect(epsilon_eq(dbl, r.idle_s[IDLE_COMM], rows[i].exposed_s, 1e-9), "row %zu",
			i);
		cr_expect(epsilon_eq(dbl, r.mean_s, 0.1 + rows[i].exposed_s, 1e-9), "row %zu", i);
	}
}

/* S3:T8: two reads at once of 360 ms each are a batch every 180 ms, whatever the workers. */
Test(timeline, storage_serves_few)
{
	for (size_t workers = 8; workers <= 32; workers *= 2) {
		struct step_machine m = bare();
		m.workers = workers;
		m.io_bound = true;
		m.steps = 400;
		struct step_readings r = readings(m);
		cr_expect(epsilon_eq(dbl, r.mean_s, 0.18, 1e-9), "%zu: %g", workers, r.mean_s);
		cr_expect(eq(int, step_judge(&r).bound, BOUND_STORAGE));
	}
	/* ... and as many cores as workers are what transforms need. */
	struct step_machine m = bare();
	m.workers = 8;
	m.cores = 2;
	cr_expect(epsilon_eq(dbl, readings(m).mean_s, 0.2, 1e-9));
}

/* By hand: a quarter of 60 ms is pointwise and fused 2.5 to 1, 60 x (0.75 + 0.1) = 51 ms, half of
 * that in BF16; of 400 ms nine tenths are read, 35 times as fast from NVMe. */
Test(timeline, fixes_and_sentences_know_the_step)
{
	struct step_machine m = bare();
	cr_expect(epsilon_eq(dbl, step_backward_s(&m), 0.06, 1e-12));
	m.compile = true;
	cr_expect(epsilon_eq(dbl, step_backward_s(&m), 0.051, 1e-12));
	m.amp = true;
	cr_expect(epsilon_eq(dbl, step_backward_s(&m), 0.0255, 1e-12));
	cr_expect(eq(int, step_fix(FIX_STORAGE, &m), false)); /* it does not wait for storage */
	m.io_bound = true;
	cr_expect(eq(int, step_fix(FIX_STORAGE, &m), true));
	cr_expect(epsilon_eq(dbl, m.prep_s, 0.04 + 0.36 / 35, 1e-12));
}

/* S3:T5: an epoch begins with an empty queue, and without persistent workers with none. */
Test(timeline, epochs)
{
	struct step_machine m = bare();
	m.epoch_steps = 40;
	m.syncs = 1;
	m.workers = 8;
	struct step_readings r = readings(m);
	cr_expect(epsilon_eq(dbl, r.epoch_wait_s, 2.4, 1e-4), "%g", r.epoch_wait_s);
	cr_expect(eq(sz, r.n, 200));
	m.persistent_workers = true;
	cr_expect(epsilon_eq(dbl, readings(m).epoch_wait_s, 0.4, 1e-4));
}

Test(timeline, checkpoints_and_late_peers)
{
	struct step_machine m = bare();
	m.side_s = 1;
	m.side_steps = 40;
	struct step_readings r = readings(m);
	cr_expect(epsilon_eq(dbl, r.p50_s, 0.1, 1e-9));
	cr_expect(epsilon_eq(dbl, r.p99_s, 1.1, 1e-3), "%g", r.p99_s);
	cr_expect(eq(int, step_judge(&r).bound, BOUND_SIDE));
	m = bare();
	m.gpus = 8;
	m.overlap = false;
	m.late_s = 0.03;
	r = readings(m);
	cr_expect(epsilon_eq(dbl, r.late_s, 0.03, 1e-9));
	cr_expect(epsilon_eq(dbl, r.mean_s, 0.13 + step_comm_s(&m), 1e-9));
}

/* The parts of a mean step are the step, on any machine. */
Test(timeline, nothing_is_lost)
{
	struct rng rng = rng_stream(5, "timeline", 0);
	for (int i = 0; i < 60; i++) {
		struct step_machine m = step_machine_default();
		m.workers = rng_below(&rng, 9);
		m.prefetch = 1 + rng_below(&rng, 3);
		m.prep_cv = rng_uniform(&rng);
		m.prep_s = 0.05 + 0.5 * rng_uniform(&rng);
		m.io_bound = rng_below(&rng, 2);
		m.pin_memory = rng_below(&rng, 2);
		m.non_blocking = rng_below(&rng, 2);
		m.copy_stream = rng_below(&rng, 2);
		m.kernels = 36 + (double)rng_below(&rng, 9000);
		m.syncs = rng_below(&rng, 4);
		m.gpus = 1 + rng_below(&rng, 3);
		m.overlap = rng_below(&rng, 2);
		m.epoch_steps = rng_below(&rng, 2) * 50;
		struct arena a;
		struct step_run run = run_of(&a, m);
		double idle_s = 0, sum_s = 0;
		for (int k = 0; k < N_IDLE_CAUSES; k++)
			idle_s += run.r.idle_s[k];
		for (size_t k = 0; k < run.r.n; k++)
			sum_s += run.r.step_s[k];
		cr_expect(epsilon_eq(dbl, run.r.busy_ratio + idle_s / run.r.mean_s, 1, 1e-9));
		cr_expect(epsilon_eq(dbl, sum_s / (double)run.r.n, run.r.mean_s, 1e-9));
		cr_expect(le(dbl, run.r.busy_ratio, run.r.util_ratio + 1e-9));
		double kernels_s = run.r.busy_ratio * run.r.mean_s;
		cr_expect(ge(dbl, kernels_s, 0.999 * step_gpu_s(&m)), "%g", kernels_s);
		for (size_t k = 1; k < run.n_spans; k++)
			cr_expect(run.spans[k].end_s > run.spans[k].start_s);
		arena_release(&a);
	}
}

/* What the tests of S3:T1 to T8 say of machines with one fault each, and what they would try. */
Test(timeline, verdicts)
{
	static const struct {
		const char *settings;
		enum step_bound bound;
		const char *fix; /* how its name begins; NULL: none */
	} rows[] = {
		{ "workers=8 pin_memory=1 non_blocking=1", BOUND_GPU, "fused" },
		{ "workers=8 pin_memory=1 non_blocking=1 fused_optimizer=1", BOUND_GPU, "BF16" },
		{ "workers=2", BOUND_DATA, "more workers" },
		{ "workers=0", BOUND_DATA, "more workers" },
		{ "workers=5 prep_cv=1 prefetch=1 pin_memory=1 non_blocking=1", BOUND_DATA,
			"prefetch" },
		{ "workers=8 pin_memory=1 non_blocking=1 epoch_steps=40", BOUND_DATA, "persist" },
		{ "workers=8 io_bound=1", BOUND_STORAGE, "data on local" },
		{ "workers=8 batch_MB=300", BOUND_COPY, "pin" },
		{ "workers=8 batch_MB=300 pin_memory=1 non_blocking=1", BOUND_COPY, "copy" },
		{ "workers=8 kernels=9000 forward_ms=10 backward_ms=20", BOUND_LAUNCH, "fused" },
		{ "workers=8 gpus=8 gpus_per_node=1 link_GBps=2", BOUND_COMM, "gradients" },
		{ "workers=8 gpus=8 gpus_per_node=1 overlap=0", BOUND_COMM, "overlap" },
		{ "workers=8 sync_every_step=1 syncs=60 forward_ms=1 backward_ms=2 kernels=120 "
		  "prep_ms=1 batch_MB=1 pin_memory=1 non_blocking=1",
			BOUND_SYNC, "read values" },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(rows); i++) {
		char want[64];
		struct figure fig = sim_run(&timeline_sim, &t, rows[i].settings);
		const struct value *verdict = figure_find(&fig, "verdict_pct");
		/* As the lanes and the bars call it. */
		if (rows[i].bound == BOUND_DATA)
			snprintf(want, sizeof want, "no data");
		else
			snprintf(want, sizeof want, "%s-bound", step_bound_short[rows[i].bound]);
		cr_expect(eq(str, (char *)verdict->label, want), "%s", rows[i].settings);
		const char *marked = "";
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (size_t k = 0; fig.blocks[b]->kind == BLOCK_TABLE &&
					   k < fig.blocks[b]->as.table.n_rows;
				k++)
				if (strstr(fig.blocks[b]->as.table.rows[k][0], "<- first"))
					marked = fig.blocks[b]->as.table.rows[k][0];
		cr_assert(strncmp(marked, "[ ] ", 4) == 0, "%s: %s", rows[i].settings, marked);
		marked += 4;
		cr_expect(strncmp(marked, rows[i].fix, strlen(rows[i].fix)) == 0, "%s: %s",
			rows[i].settings, marked);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The list has a mark for what the machine has, and none for what has nothing to do there: one GPU
 * has no all-reduce to overlap. */
Test(timeline, fixes_are_a_check_list)
{
	static const struct {
		const char *settings, *row;
		bool there;
	} rows[] = {
		{ "", "[ ] fused optimizer", true },
		{ "fused_optimizer=1", "[✓] fused optimizer", true },
		{ "fused_optimizer=1", "[ ] fused optimizer", false },
		{ "", "[ ] pin_memory, non_blocking", true },
		{ "pin_memory=1", "[ ] pin_memory, non_blocking", true },
		{ "pin_memory=1 non_blocking=1", "[✓] pin_memory, non_blocking", true },
		{ "amp=1", "[✓] BF16 autocast", true },
		{ "gpus=1", "[✓] overlap the all-reduce", false },
		{ "gpus=8", "[✓] overlap the all-reduce", true },
		{ "workers=2", "[ ] more workers", true },
		{ "workers=8", "[✓] more workers", true },
	};
	struct tables t = load_tables();
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(&timeline_sim, &t, rows[i].settings);
		bool found = false;
		for (size_t b = 0; b < fig.n_blocks; b++)
			for (size_t k = 0; fig.blocks[b]->kind == BLOCK_TABLE &&
					   k < fig.blocks[b]->as.table.n_rows;
				k++)
				found |= strncmp(fig.blocks[b]->as.table.rows[k][0], rows[i].row,
						 strlen(rows[i].row)) == 0;
		cr_expect(eq(int, found, rows[i].there), "%s: %s", rows[i].settings, rows[i].row);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* A fix changes the machine or says that it does not. */
Test(timeline, fixes_do_what_they_say)
{
	struct step_machine m = bare(), was = m;
	m.pin_memory = m.non_blocking = m.amp = m.compile = m.fused_optimizer = true;
	m.workers = 32;
	m.prefetch = 4;
	was = m;
	for (enum step_fix fix = 0; fix < N_STEP_FIXES; fix++)
		if (fix != FIX_DECODE)
			cr_expect(step_fix(fix, &m) == false && memcmp(&m, &was, sizeof m) == 0,
				"%s", step_fixes[fix].name);
	/* 400 ms beside a step of 100: 4, and one for variance */
	m = bare();
	m.workers = 1;
	cr_expect(step_fix(FIX_WORKERS, &m) && m.workers == 5);
}

/* Published loader sweeps give ratios: 4 s prepared beside 1 s of step, 5 s together. */
Test(timeline, loader_ratio)
{
	static const double want[] = { 1, 4 / 5., 2 / 5., 4 / 15., 1 / 5., 1 / 5., 1 / 5. };
	for (size_t w = 0; w < COUNT(want); w++)
		cr_expect(epsilon_eq(dbl, step_loader_ratio(4, 1, w), want[w], 1e-12), "%zu", w);
}

/* 100 ms of kernels. 154 MB at 25 GB/s from pinned memory are 6.16 ms, hidden by a stream of their
 * own. BF16 halves forward and backward, fused AdamW its 10 ms. Two workers of 400 ms deliver a
 * batch every 200 ms. */
static const struct sim_row shown[] = {
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0", "step_ms", 106.16, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0", "verdict_pct", 100 / 1.0616, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0", "gpu_busy_pct", 100 / 1.0616, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0", "copy_wait_ms", 6.16, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0 copy_stream=1", "step_ms", 100, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0 amp=1", "step_ms", 61.16, 0 },
	{ "workers=8 pin_memory=1 non_blocking=1 prep_cv=0 fused_optimizer=1", "step_ms", 101.16,
		0 },
	{ "prep_cv=0", "step_ms", 200, 0 },
	{ "prep_cv=0", "gpu_busy_pct", 50, 0 },
};

Test(timeline, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("timeline"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* The same buckets on the same machines take what the simulation `allreduce` says, whose costs are
 * fitted on NCCL's: at 1,024 GPUs in nodes of 8 it neither waits for 2,046 hops nor sends 400 MB out
 * of a node eight times. */
Test(timeline, gradients_travel_as_in_allreduce)
{
	static const char *const rows[] = { "gpus=8", "gpus=16", "gpus=64", "gpus=1024",
		"gpus=8 gpus_per_node=1", "gpus=32 gpus_per_node=4" };
	struct tables t = load_tables();
	const struct sim *allreduce = sim_find("allreduce");
	for (size_t i = 0; i < COUNT(rows); i++) {
		char here[160], there[160];
		snprintf(here, sizeof here,
			"workers=8 pin_memory=1 non_blocking=1 prep_cv=0 overlap=0 %s", rows[i]);
		snprintf(there, sizeof there,
			"gpu=a100 algorithm=auto bytes=400MB buckets=16 inter_GBps=25 %s", rows[i]);
		double comm_ms = sim_number(&timeline_sim, &t, here, "exposed_comm_ms");
		cr_expect(epsilon_eq(dbl, comm_ms, sim_number(allreduce, &t, there, "comm_ms"),
				  1e-6 * comm_ms),
			"%s", rows[i]);
		cr_expect(epsilon_eq(dbl, sim_number(&timeline_sim, &t, here, "step_ms"),
			106.16 + comm_ms, 1e-6));
		cr_expect(lt(dbl, comm_ms, 40), "%s: %g", rows[i], comm_ms);
	}
	tables_release(&t);
}

/* Who waits is grey, in the lanes and in the bars; the GPU stands over the workers and is higher, and
 * nothing of its lane is without a name: works, copies and waits are the whole time. It has no data but
 * while it waits, and the sentence says how much of the time that is. */
Test(timeline, waiting_is_grey)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&timeline_sim, &t, "workers=2");
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_TIMELINE));
	const struct timeline *lanes = &fig.blocks[0]->as.timeline;
	cr_assert(eq(str, (char *)lanes->lane_names[0], "GPU"));
	cr_expect(eq(sz, lanes->tall, 1));
	double waits_s = 0, works_s = 0, copies_s = 0;
	for (size_t i = 0; i < lanes->n_spans; i++) {
		const struct span *s = &lanes->spans[i];
		bool waits = lanes->means[s->kind] == MEANS_WAITING;
		bool copies = lanes->means[s->kind] == MEANS_TRAFFIC;
		if (waits) {
			cr_expect(eq(uint, s->lane, 0));
			cr_expect(strncmp(s->label, "no data ", 8) == 0, "%s", s->label);
		}
		if (s->lane == 0)
			*(waits ? &waits_s : copies ? &copies_s : &works_s) += s->end - s->start;
	}
	cr_expect(epsilon_eq(
		dbl, waits_s + works_s + copies_s, fig.duration_s, 0.02 * fig.duration_s));
	cr_expect(
		lt(dbl, figure_number(&fig, "verdict_pct") / 100 * fig.duration_s * 0.9, waits_s));
	cr_assert(eq(int, (int)fig.blocks[1]->kind, BLOCK_BARS));
	const struct bars *b = &fig.blocks[1]->as.bars;
	cr_expect(eq(int, (int)b->means[b->n_parts - 1], MEANS_WAITING));
	cr_expect(epsilon_eq(
		dbl, b->bars[0].parts[b->n_parts - 1], figure_number(&fig, "data_wait_ms"), 1e-9));
	/* What is shown is like the run: the waits of two batches, or of all. */
	double idle_pct = 100 - figure_number(&fig, "gpu_busy_pct");
	cr_expect(epsilon_eq(dbl, 100 * (waits_s + copies_s) / fig.duration_s, idle_pct, 1));
	char begins[80];
	snprintf(begins, sizeof begins, "The GPU has no data for %.3g %% of a step: 2 workers",
		figure_number(&fig, "verdict_pct"));
	cr_expect(strncmp(fig.why, begins, strlen(begins)) == 0, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* Forward 30, backward 60 and optimizer 10 ms, and a copy of 154 MB over half of 25 GB/s, 12.3 ms: a batch of
 * 400 ms needs 400 / 112.3 = 3.6, so 4 workers. The remedy leaves one to spare, and its row says how many
 * there are then, not how many more. On 3 cores 4 cannot run. */
Test(timeline, the_sentence_and_the_remedy_count_the_same_workers)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&timeline_sim, &t, "");
	const struct bars *fixes = &fig.blocks[1]->as.bars;
	cr_expect(strstr(fig.why, "2 workers are too slow, 5 keep up.") != NULL, "%s", fig.why);
	cr_expect(eq(str, (char *)fixes->bars[1].label, "+ workers: 5"));
	figure_release(&fig);
	fig = sim_run(&timeline_sim, &t, "cores=3");
	cr_expect(strstr(fig.why, "4 keep up, but here are only 3 cores.") != NULL, "%s", fig.why);
	figure_release(&fig);
	/* 8 of them take turns: a batch comes every 400 / 3 ms, not every 400 / 8. */
	fig = sim_run(&timeline_sim, &t, "cores=3 workers=8");
	cr_expect(strstr(fig.why, "too slow, 4 keep up, but here are only 3 cores.") != NULL, "%s",
		fig.why);
	figure_release(&fig);
	fig = sim_run(&timeline_sim, &t, "workers=4");
	char begins[80];
	snprintf(begins, sizeof begins,
		"The GPU waits for the copy %.3g %% of the time: its 12.3 ms stand before",
		figure_number(&fig, "verdict_pct"));
	cr_expect(strncmp(fig.why, begins, strlen(begins)) == 0, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* A turn of the workers moves neither the first step that the lanes show nor how much time they show:
 * two batches of 400 ms. */
Test(timeline, a_turn_keeps_the_window)
{
	struct tables t = load_tables();
	for (int workers = 1; workers <= 4; workers++) {
		char settings[32];
		snprintf(settings, sizeof settings, "workers=%d", workers);
		struct figure fig = sim_run(&timeline_sim, &t, settings);
		const char *title = fig.blocks[0]->as.timeline.title;
		cr_expect(strncmp(title, "Steps 17 to ", 12) == 0, "%s: %s", settings, title);
		cr_expect(epsilon_eq(dbl, fig.duration_s, 0.8, 1e-9), "%s: %g", settings,
			fig.duration_s);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* Lanes show no more than 60 steps of the GPU, 6 s of 100 ms each, but a step at least: without a worker
 * it takes the 10 s of its batch besides, and the next begins where the lanes end. Of steps of 400 and 100
 * ms two batches, 800 ms, reach into the second. */
Test(timeline, lanes_show_a_step_at_least)
{
	static const char *const rows[][2] = { { "10000", "Step 17" },
		{ "400", "Steps 17 to 18" } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char settings[60];
		snprintf(settings, sizeof settings, "workers=0 prep_cv=0 prep_ms=%s", rows[i][0]);
		struct figure fig = sim_run(&timeline_sim, &t, settings);
		const char *title = fig.blocks[0]->as.timeline.title;
		cr_expect(eq(str, (char *)title, (char *)rows[i][1]));
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The making of batches and their copies look different, and the share of a step that is lost is that of
 * its milliseconds, which stand once: 42.6 % of 199 ms are 84.8. */
Test(timeline, batches_and_copies_are_told_apart)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&timeline_sim, &t, "");
	const struct timeline *lanes = &fig.blocks[0]->as.timeline;
	bool seen[2] = { false, false };
	for (size_t i = 0; i < lanes->n_spans; i++) {
		const struct span *s = &lanes->spans[i];
		const char *lane = lanes->lane_names[s->lane];
		bool worker = strncmp(lane, "worker", 6) == 0;
		bool traffic = lanes->means[s->kind] == MEANS_TRAFFIC;
		/* in the GPU's stream, and so in its row */
		if (traffic)
			cr_expect(eq(str, (char *)lane, "GPU"));
		seen[0] |= traffic;
		seen[1] |= worker;
	}
	cr_expect(seen[0] && seen[1]);
	cr_expect(eq(str, (char *)figure_find(&fig, "verdict_pct")->note, "of a step"));
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "data_wait_ms"), 84.8, 0.05));
	figure_release(&fig);
	tables_release(&t);
}

/* A stream of their own is a row of their own, right under the workers. A GPU that waits for other
 * things than batches is not said to have no data. */
Test(timeline, copies_of_their_own_stream_have_a_row)
{
	struct tables t = load_tables();
	struct figure fig =
		sim_run(&timeline_sim, &t, "workers=2 pin_memory=1 non_blocking=1 copy_stream=1");
	const struct timeline *lanes = &fig.blocks[0]->as.timeline;
	cr_assert(eq(str, (char *)lanes->lane_names[3], "copy"));
	size_t copies = 0;
	for (size_t i = 0; i < lanes->n_spans; i++) {
		bool traffic = lanes->means[lanes->spans[i].kind] == MEANS_TRAFFIC;
		copies += traffic;
		cr_expect(eq(int, lanes->spans[i].lane == 3, traffic));
	}
	cr_expect(ne(sz, copies, 0));
	figure_release(&fig);
	fig = sim_run(&timeline_sim, &t, "workers=8 kernels=20000");
	lanes = &fig.blocks[0]->as.timeline;
	for (size_t i = 0; i < lanes->n_kinds; i++)
		cr_expect(ne(str, (char *)lanes->kind_names[i], "no data"));
	figure_release(&fig);
	tables_release(&t);
}
