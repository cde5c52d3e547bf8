/* The comparison `scaling`: training throughput of the same job on more accelerators
 * (sims/training/training.h). The smallest run of a round, benchmark and accelerator anchors the
 * time of a sample, the rest is predicted. */
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/published/names.h"
#include "sims/training/training.h"
#include "sims/comparisons/mlperf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUND, BENCHMARK, ACCELERATOR, N_ACCEL, BATCH, RATE, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[ROUND] = { .name = "round" },
	[BENCHMARK] = { .name = "benchmark" },
	[ACCELERATOR] = { .name = "accelerator" },
	[N_ACCEL] = { .name = "n_accel", .kind = CSV_NUMBER, .min = 1, .max = 1e6, .whole = true },
	[BATCH] = { .name = "global_batch", .kind = CSV_NUMBER, .min = 1, .max = 1e9 },
	[RATE] = { .name = "logged_throughput",
		.kind = CSV_NUMBER,
		.min = 1e-9,
		.max = 1e18,
		.blank = true },
};

#define KERNELS(name, workload)                                                                    \
	{                                                                                          \
		"kernels of a step, " name, "", 1, &workloads[WORKLOAD_##workload].kernels, 50,    \
			20000, BENCHMARK, name                                                     \
	}
/* For workloads that several kinds of accelerators ran and about which nothing else is known. */
static const struct measured_constant constants[] = {
	KERNELS("maskrcnn", MASK_RCNN),
	KERNELS("unet3d", UNET3D),
	KERNELS("ssd", SSD),
	KERNELS("rnnt", RNNT),
};
enum { N_CONSTANTS = LENGTH(constants) };

static double kernels_of(const struct validation *v, enum workload_id workload)
{
	for (size_t i = 0; i < N_CONSTANTS; i++)
		if (constants[i].at == &workloads[workload].kernels)
			return validation_constant(v, i);
	return workloads[workload].kernels;
}

static const struct mlperf_benchmark *benchmark_of(const struct csv *c, size_t row)
{
	char name[48];

	return mlperf_benchmark(csv_text(c, row, BENCHMARK, name, sizeof name));
}

/* A run that can be used. */
struct scaling_run {
	const struct csv *c;
	uint32_t row;
	double gpus, per_s; /* samples per s of the whole machine */
};

/* Logs of RetinaNet in rounds 2.0 to 4.1 give the rate of one accelerator. */
static bool rate_of_one(const struct csv *c, size_t row)
{
	char round[16];
	double number =
		strtod(csv_text(c, row, ROUND, round, sizeof round) + (*round == 'v'), NULL);

	return benchmark_of(c, row)->workload == WORKLOAD_SSD && number >= 2 && number < 5;
}

static int compare_groups(const struct scaling_run *x, const struct scaling_run *y)
{
	int differ = csv_compare(x->c, ROUND, x->row, y->row);

	differ = differ ? differ : csv_compare(x->c, BENCHMARK, x->row, y->row);
	return differ ? differ : csv_compare(x->c, ACCELERATOR, x->row, y->row);
}

/* Orders runs by group, then by size, then by rate. */
static int compare(const void *a, const void *b)
{
	const struct scaling_run *x = a, *y = b;
	int differ = compare_groups(x, y);

	if (differ)
		return differ;
	if (x->gpus != y->gpus)
		return x->gpus < y->gpus ? -1 : 1;
	if (x->per_s != y->per_s)
		return x->per_s < y->per_s ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

/* The job of a group, its sample time taken from the anchor. `training` points to `workload`. */
struct scaling_job {
	struct training_workload workload;
	struct training training;
	bool possible;             /* false: the anchor is faster than the model can be */
	double gpus, global_batch; /* of the latest step; 0: there was none yet */
	struct training_step step;
};

static void calibrate(
	const struct validation *v, const struct scaling_run *anchor, struct scaling_job *job)
{
	const struct csv *c = anchor->c;
	const struct accelerator *g = measured_gpu_at(v->tables, c, anchor->row, ACCELERATOR);
	const struct mlperf_benchmark *b = benchmark_of(c, anchor->row);
	struct training *t = &job->training;

	*t = mlperf_training(b, g, kernels_of(v, b->workload), &job->workload);
	t->gpus = anchor->gpus;
	t->global_batch = csv_number(c, anchor->row, BATCH);
	job->possible = training_calibrate(t, anchor->per_s);
}

/* The step on another number of accelerators. Runs of one size follow each other, often with the
 * same batch: the latest step is kept. */
static struct training_step step_of(struct scaling_job *job, const struct scaling_run *run)
{
	struct training t = job->training;

	t.gpus = run->gpus;
	t.global_batch = csv_number(run->c, run->row, BATCH);
	if (t.gpus != job->gpus || t.global_batch != job->global_batch)
		job->step = training_step(&t);
	job->gpus = t.gpus;
	job->global_batch = t.global_batch;
	return job->step;
}

/* The accelerator of a row, or NULL where the row cannot be used. */
static const struct accelerator *usable(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	char name[48], hint[HINT_SIZE];

	if (isnan(csv_number(c, row, RATE))) {
		validation_set_aside(v, file, row, "logged_throughput: the log gives none");
		return NULL;
	}
	const struct mlperf_benchmark *b = benchmark_of(c, row);
	if (!b) {
		csv_text(c, row, BENCHMARK, name, sizeof name);
		validation_skip(v, file, row, "benchmark: no workload is known for \"%s\"%s", name,
			mlperf_did_you_mean(name, hint, sizeof hint));
		return NULL;
	}
	const struct accelerator *g = validation_gpu(v, file, row, ACCELERATOR);
	double least = g ? mlperf_least_gpus(b, g) : 0;
	if (csv_number(c, row, N_ACCEL) >= least)
		return g;
	validation_skip(v, file, row, "n_accel: expected %g or more, over which %s is split", least,
		b->name);
	return NULL;
}

static struct scaling_run run_of(const struct csv *c, size_t row, const struct accelerator *g)
{
	const struct mlperf_benchmark *b = benchmark_of(c, row);
	double gpus = csv_number(c, row, N_ACCEL), rate = csv_number(c, row, RATE);

	if (rate_of_one(c, row))
		rate *= gpus;
	if (mlperf_counts_tokens(b, g, gpus, rate))
		rate /= b->tokens;
	return (struct scaling_run){ c, (uint32_t)row, gpus, rate };
}

static void compare_run(struct validation *v, size_t file, const struct scaling_run *anchor,
	struct scaling_job *job, const struct scaling_run *run)
{
	double scale = anchor->gpus / run->gpus / anchor->per_s;

	if (run->gpus == anchor->gpus) {
		validation_set_aside(v, file, run->row,
			"as large as the smallest run of its group, which is the anchor");
		return;
	}
	if (!job->possible) {
		validation_skip(v, file, run->row,
			"the anchor is faster than the model allows on any arithmetic");
		return;
	}
	uint8_t group = validation_group(v, true, "%s", benchmark_of(run->c, run->row)->name);
	struct scaling_run *anchors = v->notes[file];
	anchors[run->row] = *anchor;
	struct training_step step = step_of(job, run);
	validation_add(v, file, run->row, group, step.samples_per_s * scale, run->per_s * scale);
}

/* Among several runs of the smallest size, the one of median rate is the anchor. */
static void predict_group(
	struct validation *v, size_t file, const struct scaling_run runs[], size_t n)
{
	size_t smallest = 1;
	struct scaling_job job = { .possible = false };

	while (smallest < n && runs[smallest].gpus == runs[0].gpus)
		smallest++;
	const struct scaling_run *anchor = &runs[(smallest - 1) / 2];
	if (smallest < n) /* else there is nothing to predict */
		calibrate(v, anchor, &job);
	for (size_t i = 0; i < n; i++)
		compare_run(v, file, anchor, &job, &runs[i]);
}

static void predict(struct validation *v, size_t file)
{
	const struct csv *c = &v->files[file];
	struct scaling_run *runs = arena_array(&v->arena, c->n_rows + 1, sizeof *runs);
	size_t n = 0, end;

	v->notes[file] = arena_array(&v->arena, c->n_rows + 1, sizeof *runs);
	if (!runs || !v->notes[file])
		return;
	for (size_t row = 0; row < c->n_rows; row++) {
		const struct accelerator *g = usable(v, file, row);
		if (g)
			runs[n++] = run_of(c, row, g);
	}
	qsort(runs, n, sizeof *runs, compare);
	for (size_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && compare_groups(&runs[i], &runs[end]) == 0; end++)
			;
		predict_group(v, file, runs + i, end - i);
	}
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	const struct scaling_run *anchors = v->notes[p->file];
	struct scaling_run run =
		run_of(c, p->row, measured_gpu_at(v->tables, c, p->row, ACCELERATOR));
	struct scaling_job job = { .possible = false };
	char round[16], name[32], gpu[40];

	snprintf(w->what, sizeof w->what, "%s %s, %g x %s, batch %g",
		csv_text(c, p->row, ROUND, round, sizeof round),
		csv_text(c, p->row, BENCHMARK, name, sizeof name), run.gpus,
		csv_text(c, p->row, ACCELERATOR, gpu, sizeof gpu), csv_number(c, p->row, BATCH));
	calibrate(v, &anchors[p->row], &job);
	struct training_step s = step_of(&job, &run);
	if (job.possible)
		snprintf(w->thought, sizeof w->thought,
			"from %g: %.0f %% communication, %.0f %% fixed, %.0f %% stragglers",
			anchors[p->row].gpus, 100 * s.exposed_s / s.step_s,
			100 * s.fixed_s / s.step_s, 100 * s.straggler_s / s.step_s);
}

static void finish(struct validation *v)
{
	size_t within = 0;

	for (size_t i = 0; i < v->n; i++)
		within += fabs(prediction_error(v, &v->predictions[i])) <= 0.08;
	validation_value(v, "within_8_points", "within 8 points",
		v->n ? (double)within / (double)v->n : NAN, "");
}

static const struct measured_source sources[] = {
	{ .files = { "scaling.csv" },
		.from = "MLPerf logs, unverified",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.predict = predict,
		.describe = describe },
};

const struct measured_model measured_scaling = {
	.id = "scaling",
	.title = "Scaling of training",
	.predicts = "throughput per accelerator, relative to the smallest run of the group",
	.assume = mlperf_assume,
	.quantity = "relative throughput",
	.unit = "",
	.points = true,
	.sources = sources,
	.n_sources = 1,
	.together = true,
	.marks = { { "", 2 / 3., 0.08, "two rows in three <= 8 points" } },
	.finish = finish,
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "accelerator", ACCELERATOR }, { "round", ROUND } },
};
