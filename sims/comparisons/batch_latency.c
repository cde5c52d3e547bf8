/* Latency of ResNet-50 against the batch (sims/gpu/convnet.h), eager: the CPU launches each
 * kernel, ahead of the GPU while it can. Each step ends with the GPU drained: PyTorch's loop reads
 * loss and accuracy back, MXNet's waits for the outputs and fetches the next batch. */
#include "sims/base/array.h"
#include "sims/published/names.h"
#include "sims/gpu/convnet.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MODEL, FRAMEWORK, GPU, PRECISION, BATCH, MEAN, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[MODEL] = { .name = "model", .blank = true, .optional = true },
	[FRAMEWORK] = { .name = "framework" },
	[GPU] = { .name = "gpu" },
	[PRECISION] = { .name = "precision" },
	[BATCH] = { .name = "batch", .kind = CSV_NUMBER, .min = 1, .max = 65536, .whole = true },
	[MEAN] = { .name = "lat_avg_ms", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e9 },
};

/* CPU times, facts of a framework whatever the GPU: of one kernel's launch, and of a step between
 * the last kernel and the next step's first. TensorFlow's are assumed.
 * first_s: how much longer the first batch takes (cuDNN tries its algorithms, kernels are loaded),
 * where the mean is over all of the validation set. */
enum { PYTORCH, MXNET, TENSORFLOW };
static const struct framework {
	const char *name;
	double launch_s, step_s, first_s;
	bool casts; /* mixed precision casts each FP32 weight before its use */
} frameworks[] = {
	[PYTORCH] = { "PyTorch", 54.3e-6, 0.867e-3, 1.4, true },
	[MXNET] = { "MXNet", 14e-6, 1.4e-3, 0, false },
	[TENSORFLOW] = { "TensorFlow", 20e-6, 3e-3, 0, true },
};
enum { TORCH_LAUNCH, TORCH_STEP, TORCH_FIRST, MXNET_LAUNCH, MXNET_STEP, N_CONSTANTS };
static const struct measured_constant constants[N_CONSTANTS] = {
	[TORCH_LAUNCH] = { "PyTorch, a launch", "us", 1e-6, &frameworks[PYTORCH].launch_s, 2e-6,
		100e-6, FRAMEWORK, "PyTorch" },
	[TORCH_STEP] = { "PyTorch, between steps", "ms", 1e-3, &frameworks[PYTORCH].step_s, 0.1e-3,
		20e-3, FRAMEWORK, "PyTorch" },
	[TORCH_FIRST] = { "PyTorch, first batch", "s", 1, &frameworks[PYTORCH].first_s, 0.1, 10,
		FRAMEWORK, "PyTorch" },
	[MXNET_LAUNCH] = { "MXNet, a launch", "us", 1e-6, &frameworks[MXNET].launch_s, 2e-6, 100e-6,
		FRAMEWORK, "MXNet" },
	[MXNET_STEP] = { "MXNet, between steps", "ms", 1e-3, &frameworks[MXNET].step_s, 0.1e-3,
		20e-3, FRAMEWORK, "MXNet" },
};
static const double validation_images = 50000; /* ImageNet */

static const struct {
	const char *name;
	enum dtype dtype;
} precisions[] = { { "FP32", DTYPE_FP32 }, { "TF32", DTYPE_TF32 }, { "FP16-mixed", DTYPE_FP16 },
	{ "FP16", DTYPE_FP16 }, { "Mixed", DTYPE_FP16 }, { "Mixed precision", DTYPE_FP16 },
	{ "AMP", DTYPE_FP16 }, { "BF16", DTYPE_BF16 } };

/* The framework of a row, with the constants that are tried, if any. False where it is unknown. */
static bool framework_of(
	const struct validation *v, const struct csv *c, size_t row, struct framework *f)
{
	size_t n = LENGTH(frameworks), i = 0;

	while (i < n && !measured_is(c, row, FRAMEWORK, frameworks[i].name))
		i++;
	if (i == n)
		return false;
	*f = frameworks[i];
	for (size_t k = 0; k < N_CONSTANTS; k++) {
		const char *at = (const char *)constants[k].at,
			   *first = (const char *)&frameworks[i];
		double value = validation_constant(v, k);
		if (strcmp(constants[k].is, f->name) == 0)
			memcpy((char *)f + (at - first), &value, sizeof value);
	}
	return true;
}

static int dtype_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < LENGTH(precisions); i++)
		if (measured_is(c, row, PRECISION, precisions[i].name))
			return (int)precisions[i].dtype;
	return -1;
}

/* "ResNet-50 v1.5", "resnet50", "RN50v1.5"; a table without the column is about nothing else. */
static bool is_resnet50(const struct csv *c, size_t row)
{
	char name[32], letters[32];
	size_t n = 0;

	csv_text(c, row, MODEL, name, sizeof name);
	for (const char *s = name; *s; s++)
		if (isalnum((unsigned char)*s))
			letters[n++] = (char)tolower((unsigned char)*s);
	letters[n] = '\0';
	return n == 0 || strncmp(letters, "resnet50", 8) == 0 || strncmp(letters, "rn50", 4) == 0;
}

struct latency_pass {
	double gpu_s, cpu_s; /* all kernels, all launches */
	double end_s;        /* when the last kernel has run */
	double latency_s;
};

/* The CPU launches one more kernel, which runs once it was launched and the GPU is free. */
static void launch(struct latency_pass *p, const struct framework *f, double kernel_s)
{
	p->cpu_s += f->launch_s;
	p->gpu_s += kernel_s;
	p->end_s = fmax(p->end_s, p->cpu_s) + kernel_s;
}

static struct latency_pass pass_of(
	const struct accelerator *g, enum dtype d, const struct framework *f, double batch)
{
	struct conv_op ops[MOST_CONV_OPS];
	size_t n = resnet50_ops(ops);
	bool casts = f->casts && dtype_bytes(d) < 4;
	struct latency_pass p = { 0 };
	struct conv_time times[MOST_CONV_OPS];

	conv_times(g, d, ops, n, batch, false, times);
	for (size_t i = 0; i < n; i++) {
		if (casts && ops[i].weights > 0)
			launch(&p, f, pointwise_time_s(g, ops[i].weights * (4 + dtype_bytes(d))));
		launch(&p, f, times[i].s);
	}
	p.latency_s = p.end_s + f->step_s + f->first_s * fmin(1, batch / validation_images);
	return p;
}

static void predict_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GPU);
	struct framework f;
	int d = dtype_of(c, row);
	char name[32];

	if (!g)
		return;
	if (!is_resnet50(c, row)) {
		validation_skip(v, file, row, "model: expected ResNet-50, found \"%s\"",
			csv_text(c, row, MODEL, name, sizeof name));
		return;
	}
	if (!framework_of(v, c, row, &f)) {
		validation_skip(v, file, row,
			"framework: expected PyTorch, MXNet or TensorFlow, found \"%s\"",
			csv_text(c, row, FRAMEWORK, name, sizeof name));
		return;
	}
	if (d < 0) {
		validation_skip(v, file, row,
			"precision: expected FP32, TF32, FP16 or BF16, found \"%s\"",
			csv_text(c, row, PRECISION, name, sizeof name));
		return;
	}
	struct latency_pass p = pass_of(g, (enum dtype)d, &f, csv_number(c, row, BATCH));
	uint8_t group = validation_group(v, true, "%s %s %s", g->id, f.name, dtype_names[d]);
	validation_add(v, file, row, group, 1e3 * p.latency_s, csv_number(c, row, MEAN));
}

static void predict(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		predict_row(v, file, row);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	double batch = csv_number(c, p->row, BATCH);
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, GPU);
	struct framework f = { 0 };

	framework_of(v, c, p->row, &f);
	struct latency_pass s = pass_of(g, (enum dtype)dtype_of(c, p->row), &f, batch);
	snprintf(w->what, sizeof w->what, "%s, batch %g", v->groups[p->group].name, batch);
	snprintf(w->thought, sizeof w->thought, "%s: %.2f ms of kernels, %.2f ms of launches",
		s.cpu_s > s.gpu_s ? "launch-bound" : "GPU-bound", 1e3 * s.gpu_s, 1e3 * s.cpu_s);
}

/* A group's latency at some batch; NAN where it was not measured. */
static double latency_at(const struct validation *v, size_t group, double batch, bool predicted)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct prediction *p = &v->predictions[i];
		if (p->group == group && csv_number(&v->files[p->file], p->row, BATCH) == batch)
			return predicted ? p->predicted : p->measured;
	}
	return NAN;
}

/* The first batch at which twice the batch brings less than a tenth more throughput; NAN: none. */
static double knee_of(const struct validation *v, size_t group, bool predicted)
{
	for (double batch = 1; batch <= 32768; batch *= 2) {
		double now = latency_at(v, group, batch, predicted);
		double twice = latency_at(v, group, 2 * batch, predicted);
		if (2 * now < 1.1 * twice)
			return batch;
	}
	return NAN;
}

static void finish(struct validation *v)
{
	bool judged = false, met = true;

	for (size_t g = 0; g < v->n_groups; g++) {
		double measured = knee_of(v, g, false), predicted = knee_of(v, g, true);
		if (isnan(measured))
			continue;
		judged = true;
		met = met && fabs(log2(predicted / measured)) <= 1;
	}
	validation_verdict(v, "knee within one power of two", judged, met);
}

static const struct measured_source sources[] = {
	{ .files = { "batch_latency.csv" },
		.from = "NVIDIA Deep Learning Examples",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.most_rows = 10000,
		.predict = predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	const struct framework *f = &frameworks[TENSORFLOW];

	figure_assume(fig,
		"the CPU launches each kernel and waits for the last, nothing fused; TensorFlow: "
		"%s a launch and %s a step",
		figure_quantity(fig, f->launch_s, "s"), figure_quantity(fig, f->step_s, "s"));
}

const struct measured_model measured_batch_latency = {
	.id = "batch_latency",
	.title = "Latency against the batch",
	.predicts = "mean latency of ResNet-50, without a graph",
	.assume = assume,
	.quantity = "latency",
	.unit = "ms",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "", 0.5, 0.2, "median <= 20 %" } },
	.finish = finish,
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "precision", PRECISION }, { "batch", BATCH } },
};
