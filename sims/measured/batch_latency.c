/* Latency of ResNet-50 against the batch (sims/serving/convnet.h), eager: the CPU launches each
 * kernel, ahead of the GPU while it can. */
#include "sims/measured/measured.h"

#include "sims/serving/convnet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FRAMEWORK, GPU, PRECISION, BATCH, MEAN, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[FRAMEWORK] = { .name = "framework" },
	[GPU] = { .name = "gpu" },
	[PRECISION] = { .name = "precision" },
	[BATCH] = { .name = "batch", .kind = CSV_NUMBER, .min = 1, .max = 65536, .whole = true },
	[MEAN] = { .name = "lat_avg_ms", .kind = CSV_NUMBER, .min = 1e-6, .max = 1e9 },
};

/* CPU time per kernel: those that the panel `inference` names for its knob. */
static const struct framework {
	const char *name;
	double launch_s;
} frameworks[] = { { "PyTorch", 60e-6 }, { "MXNet", 20e-6 }, { "TensorFlow", 20e-6 } };

static const struct {
	const char *name;
	enum dtype dtype;
} precisions[] = { { "FP32", DTYPE_FP32 }, { "TF32", DTYPE_TF32 }, { "FP16-mixed", DTYPE_FP16 },
	{ "FP16", DTYPE_FP16 }, { "Mixed", DTYPE_FP16 }, { "BF16", DTYPE_BF16 } };

static const struct framework *framework_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < sizeof frameworks / sizeof *frameworks; i++)
		if (csv_is(c, row, FRAMEWORK, frameworks[i].name))
			return &frameworks[i];
	return NULL;
}

static int dtype_of(const struct csv *c, size_t row)
{
	for (size_t i = 0; i < sizeof precisions / sizeof *precisions; i++)
		if (csv_is(c, row, PRECISION, precisions[i].name))
			return (int)precisions[i].dtype;
	return -1;
}

struct pass {
	double gpu_s, cpu_s;
	double latency_s;
};

static struct pass pass_of(
	const struct accelerator *g, enum dtype d, const struct framework *f, double batch)
{
	struct conv_op ops[MOST_CONV_OPS];
	size_t n = resnet50_ops(ops);
	struct pass p = { 0 };
	double bytes;

	for (size_t i = 0; i < n; i++)
		p.gpu_s += conv_op_time_s(g, d, &ops[i], batch, false, &bytes);
	p.cpu_s = (double)n * f->launch_s;
	/* The last kernel begins when it was launched. */
	p.latency_s = p.cpu_s > p.gpu_s ? p.cpu_s + p.gpu_s / (double)n : p.gpu_s;
	return p;
}

static void predict_row(struct validation *v, size_t file, size_t row)
{
	const struct csv *c = &v->files[file];
	const struct accelerator *g = validation_gpu(v, file, row, GPU);
	const struct framework *f = framework_of(c, row);
	int d = dtype_of(c, row);
	char name[32];

	if (!g)
		return;
	if (!f) {
		validation_skip(v, file, row,
			"framework: expected PyTorch, MXNet or TensorFlow, "
			"found \"%s\"",
			csv_text(c, row, FRAMEWORK, name, sizeof name));
		return;
	}
	if (d < 0) {
		validation_skip(v, file, row, "precision: unknown \"%s\"",
			csv_text(c, row, PRECISION, name, sizeof name));
		return;
	}
	struct pass p = pass_of(g, (enum dtype)d, f, csv_number(c, row, BATCH));
	uint8_t group = validation_group(v, true, "%s %s %s", g->id, f->name, dtype_names[d]);
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
	char gpu[48];

	const struct accelerator *g =
		measured_gpu(v->tables, csv_text(c, p->row, GPU, gpu, sizeof gpu));
	struct pass s = pass_of(g, (enum dtype)dtype_of(c, p->row), framework_of(c, p->row), batch);
	snprintf(w->what, sizeof w->what, "%s, batch %g", v->groups[p->group].name, batch);
	snprintf(w->thought, sizeof w->thought, "%s: %.2f ms of kernels, %.2f ms of launches",
		s.cpu_s > s.gpu_s ? "launch-bound" : "GPU-bound", 1e3 * s.gpu_s, 1e3 * s.cpu_s);
}

/* Latency at a batch of a group; NAN where it was not measured. */
static double latency_at(const struct validation *v, size_t group, double batch, bool predicted)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct prediction *p = &v->predictions[i];
		if (p->group == group && csv_number(&v->files[p->file], p->row, BATCH) == batch)
			return predicted ? p->predicted : p->measured;
	}
	return NAN;
}

/* The first batch of which twice as many bring less than a tenth more throughput; NAN: none. */
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

extern const struct measured_model measured_batch_latency;
const struct measured_model measured_batch_latency = {
	.id = "batch_latency",
	.title = "Latency against the batch",
	.predicts = "mean latency of ResNet-50, without a graph",
	.assumes = "60 us of CPU for each kernel in PyTorch, 20 in MXNet; nothing fused",
	.quantity = "latency",
	.unit = "ms",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "", 0.5, 0.2, "median <= 20 %" } },
	.finish = finish,
};
