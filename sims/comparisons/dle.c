/* From NVIDIA/DeepLearningExamples: PyTorch/LanguageModeling/BERT (README.md, run_pretraining.py,
 * scripts/run_pretraining.sh, of the container 21.11), PyTorch/Classification/ConvNets (configs.yml),
 * MxNet/Classification/RN50v1.5 (README.md, runner). */
#include "sims/comparisons/dle.h"

#include "sims/base/array.h"
#include "sims/published/validation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNTED(column)                                                                            \
	{                                                                                          \
		.name = column, .kind = CSV_NUMBER, .min = 1, .max = 1e9, .whole = true            \
	}
#define MAYBE_COUNTED(column)                                                                      \
	{                                                                                          \
		.name = column, .kind = CSV_NUMBER, .min = 1, .max = 1e9, .whole = true,           \
		.blank = true, .optional = true                                                    \
	}
const struct csv_column dle_columns[N_DLE] = {
	[DLE_MODEL] = { .name = "model" },
	[DLE_FRAMEWORK] = { .name = "framework" },
	[DLE_GPU] = { .name = "gpu" },
	[DLE_PRECISION] = { .name = "precision" },
	[DLE_GPUS] = COUNTED("n_gpus"),
	[DLE_BATCH] = MAYBE_COUNTED("batch"),
	[DLE_ACCUMULATION] = MAYBE_COUNTED("accumulation"),
	[DLE_RATE] = { .name = "throughput", .kind = CSV_NUMBER, .min = 1e-9, .max = 1e12 },
};

const double dle_bert_words = 30528;

/* Phase 2 goes in bins of 64 tokens: all sequences of a batch are of one bin, and are padded to its
 * end. How many of Wikipedia's 16,279,552 sequences of up to 512 tokens each bin has: Krell et al.,
 * Efficient Sequence Packing without Cross-contamination (2021), whose code has the histogram. */
static const double bins[] = { 2863079, 3150804, 1855542, 1349565, 1050206, 859509, 722518,
	4428329 };
static const double bin_tokens = 64;

/* Mean of the sequences' lengths as they are padded, and of their squares over its square. */
static void binned(struct dle_job *job)
{
	double n = 0, tokens = 0, squares = 0;
	for (size_t i = 0; i < LENGTH(bins); i++) {
		double length = bin_tokens * (double)(i + 1);
		n += bins[i];
		tokens += bins[i] * length;
		squares += bins[i] * length * length;
	}
	job->seq = tokens / n;
	job->spread = squares / n / (job->seq * job->seq);
}

/* What the READMEs' tables and commands have beside a rate that stands alone: the batch of one GPU in
 * mixed precision and without, and how many sequences eight GPUs take between two updates. Fewer GPUs
 * take their share of those, more share them. */
static const struct {
	const char *model;
	bool mxnet;
	const char *gpu; /* how its name begins */
	double mixed, plain, update;
} usual[] = {
	{ "ResNet-50", false, "A100", 256, 256, 0 },
	{ "ResNet-50", false, "V100", 256, 112, 0 },
	{ "ResNet-50", true, "A100", 512, 512, 0 },
	{ "ResNet-50", true, "V100", 192, 96, 0 },
	{ "BERT-large phase 1", false, "A100", 256, 128, 65536 },
	{ "BERT-large phase 1", false, "V100", 64, 32, 32768 },
	{ "BERT-large phase 2", false, "A100", 32, 16, 32768 },
	{ "BERT-large phase 2", false, "V100", 8, 4, 16384 },
	{ "BERT-large SQuAD", false, "A100", 32, 32, 0 },
	{ "BERT-large SQuAD", false, "V100", 16, 8, 0 },
};

/* Fills in what the row leaves blank. False where nobody says it. */
static bool set_usual(struct dle_job *job, const char *model, bool mxnet, const char *gpu)
{
	for (size_t i = 0; i < LENGTH(usual); i++) {
		if (strcmp(usual[i].model, model) != 0 || usual[i].mxnet != mxnet ||
			strncmp(usual[i].gpu, gpu, strlen(usual[i].gpu)) != 0)
			continue;
		if (isnan(job->batch))
			job->batch = job->dtype == DTYPE_FP16 ? usual[i].mixed : usual[i].plain;
		if (isnan(job->accumulation))
			job->accumulation =
				fmax(1, usual[i].update / fmax(8, job->gpus) / job->batch);
		return true;
	}
	return !isnan(job->batch) && !isnan(job->accumulation);
}

/* The READMEs' own names of models and precisions. */
static const struct {
	const char *name, *is;
} names[] = {
	{ "ResNet-50 v1.5", "ResNet-50" },
	{ "BERT-large pretraining seq128", "BERT-large phase 1" },
	{ "BERT-large pretraining seq512", "BERT-large phase 2" },
	{ "BERT-large SQuAD fine-tune", "BERT-large SQuAD" },
	{ "FP16-mixed", "FP16" },
};

static void rename_as_here(char *name, size_t size)
{
	for (size_t i = 0; i < LENGTH(names); i++)
		if (strcmp(name, names[i].name) == 0)
			snprintf(name, size, "%s", names[i].is);
}

/* Pre-training scripts the model and guesses 15 % of the words; SQuAD is answered by eager PyTorch
 * from 384 tokens, by two products too small to count. */
static bool set_bert(struct dle_job *job, const char *model)
{
	const double masked = 0.15;
	job->spread = 1;
	job->loss_share = masked;
	job->software.date = SOFTWARE_2021;
	if (strcmp(model, "BERT-large phase 1") == 0) {
		job->seq = 128;
	} else if (strcmp(model, "BERT-large phase 2") == 0) {
		binned(job);
	} else if (strcmp(model, "BERT-large SQuAD") == 0) {
		job->seq = 384;
		job->loss_share = 0;
		job->software.date = SOFTWARE_2023;
	} else {
		return false;
	}
	return true;
}

/* Only mixed precision has its channels last. MXNet joins norm, addition and activation there, and
 * its images are decoded by the GPUs; PyTorch's by the CPUs. */
static void set_images(struct dle_job *job, bool mxnet)
{
	bool mixed = job->dtype == DTYPE_FP16;
	job->planar = !mixed;
	job->fused = mxnet && mixed;
	job->decoded_by_gpu = mxnet;
}

static int dtype_of(const char *precision)
{
	static const struct {
		const char *name;
		enum dtype dtype;
	} dtypes[] = { { "FP32", DTYPE_FP32 }, { "TF32", DTYPE_TF32 }, { "FP16", DTYPE_FP16 } };
	for (size_t i = 0; i < LENGTH(dtypes); i++)
		if (strcmp(precision, dtypes[i].name) == 0)
			return (int)dtypes[i].dtype;
	return -1;
}

bool dle_job(const struct csv *c, size_t row, struct dle_job *job, char *err, size_t size)
{
	char model[32], framework[16], precision[16], gpu[MEASURED_NAME];
	csv_text(c, row, DLE_MODEL, model, sizeof model);
	csv_text(c, row, DLE_FRAMEWORK, framework, sizeof framework);
	csv_text(c, row, DLE_PRECISION, precision, sizeof precision);
	csv_text(c, row, DLE_GPU, gpu, sizeof gpu);
	rename_as_here(model, sizeof model);
	rename_as_here(precision, sizeof precision);
	int dtype = dtype_of(precision);
	if (dtype < 0) {
		snprintf(err, size, "precision: expected FP32, TF32 or FP16, found \"%s\"",
			precision);
		return false;
	}
	bool mxnet = strcmp(framework, "MXNet") == 0, images = strcmp(model, "ResNet-50") == 0;
	if (strcmp(framework, "PyTorch") != 0 && !(mxnet && images)) {
		snprintf(err, size,
			"framework: expected PyTorch, or MXNet with ResNet-50, found \"%s\"",
			framework);
		return false;
	}
	*job = (struct dle_job){ .images = images,
		.dtype = (enum dtype)dtype,
		.gpus = csv_number(c, row, DLE_GPUS),
		.batch = csv_number(c, row, DLE_BATCH),
		.accumulation = csv_number(c, row, DLE_ACCUMULATION),
		.samples_per_s = csv_number(c, row, DLE_RATE) };
	if (images)
		set_images(job, mxnet);
	if (images || set_bert(job, model)) {
		if (set_usual(job, model, mxnet, gpu))
			return true;
		snprintf(err, size,
			"batch and accumulation are blank, and known of A100 and V100 alone");
		return false;
	}
	snprintf(err, size,
		"model: expected ResNet-50 or BERT-large with phase 1, phase 2 or SQuAD, found "
		"\"%s\"",
		model);
	return false;
}
