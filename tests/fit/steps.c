/* The work of every run is counted once; a trial of constants is then a few additions for each, so
 * that dozens of fits take seconds.
 *
 * A dozen constants trade off against each other, and left alone they follow the noise of whatever
 * rows remain. So each is held near the value that it should have by what is known of it, as if by
 * a spring: being off by a tenth costs as much as 0.01 % of error. Those values are round numbers
 * that were set by somebody who knew all of the rows: errors of rows held out flatter the model by
 * that much. */
#include "tests/fit/steps.h"

#include "sims/base/stats.h"
#include "sims/comparisons/comparisons.h"
#include "sims/comparisons/training_runs.h"
#include "tests/fit/descend.h"
#include "tests/fit/fit.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is fitted: the tree's constants of a step, and two that stand with the GPUs, of
 * which no kernel alone was measured: the attention of Blackwell Ultra, and Volta's products in
 * FP32. */
struct steps_constants {
	struct step_costs costs;
	double ultra, volta;
};
/* BERT's rows say little of language models of today, and mixtures of experts nothing of dense ones:
 * the fit on those is to stand without them. They find the constants that only they have, once the
 * others are found. */
enum turn { DENSE, LATE, MIXTURES, N_TURNS };
#define COST(field) offsetof(struct steps_constants, costs.field)
static const struct {
	const char *name, *unit;
	size_t at;
	double known, least, most, scale;
	enum turn turn;
} constants[] = {
	{ "power at full clock", "W per TFLOP/s", COST(full_clock_w), 0.6, 0.3, 1.2, 1, DENSE },
	{ "attention of alone", "", COST(attention), 0.85, 0.5, 1, 1, DENSE },
	{ "FlashAttention-2 on later GPUs", "", COST(flash2_later), 0.5, 0.3, 1, 1, DENSE },
	{ "unfused attention", "", COST(unfused), 2.5, 1, 4, 1, DENSE },
	{ "eager passes", "", COST(eager_passes), 3.5, 1, 6, 1, DENSE },
	{ "scripted passes", "", COST(scripted_passes), 2.25, 1, 6, 1, LATE },
	{ "fused passes", "", COST(fused_passes), 1, 0.7, 3, 1, DENSE },
	{ "stall of gathers", "", COST(gather_stall), 0.75, 0.1, 1, 1, DENSE },
	{ "tensor sums that show", "", COST(tensor_shown), 0.6, 0.1, 1, 1, DENSE },
	{ "starts of a layer", "us", COST(layer_s), 60e-6, 5e-6, 500e-6, 1e-6, DENSE },
	{ "young products", "", COST(young_products), 0.9, 0.6, 1, 1, DENSE },
	{ "grouped products of alone", "", COST(grouped), 0.75, 0.3, 1, 1, MIXTURES },
	{ "passes around experts", "", COST(routed_passes), 3, 1, 8, 1, MIXTURES },
	{ "the same, sent by one kernel", "", COST(sent_passes), 1.5, 0.5, 8, 1, MIXTURES },
	{ "the same, joined", "", COST(joined_passes), 0.6, 0.3, 4, 1, MIXTURES },
	{ "scans of states", "", COST(scan), 0.1, 0.02, 1, 1, MIXTURES },
	{ "host of a mixture's layer", "ms", COST(host_s), 3.5e-3, 0.1e-3, 10e-3, 1e-3, MIXTURES },
	{ "product of one expert", "us", COST(expert_s), 5e-6, 0.1e-6, 50e-6, 1e-6, MIXTURES },
	{ "the same without waiting", "ms", COST(host_starts_s), 2e-3, 0.1e-3, 10e-3, 1e-3,
		MIXTURES },
	{ "attention of Blackwell Ultra", "", offsetof(struct steps_constants, ultra), 0.79, 0.5,
		1.1, 1, DENSE },
	{ "products of Volta in FP32", "", offsetof(struct steps_constants, volta), 0.93, 0.5, 1, 1,
		LATE },
};
enum { N_CONSTANTS = COUNT(constants), MOST_RUNS = 1000 };

static double *constant_at(struct steps_constants *c, size_t i)
{
	return (double *)((char *)c + constants[i].at);
}

static double constant(const struct steps_constants *c, size_t i)
{
	return *(const double *)((const char *)c + constants[i].at);
}

struct step_rows {
	const struct training_run *run;
	struct step_work work[MOST_RUNS]; /* as in the tree */
	double images_per_s[MOST_RUNS];   /* of runs on images, of which the fit finds nothing */
	bool seen[MOST_RUNS];
	enum turn turn; /* which constants are being fitted, on which rows */
	size_t n;
	struct steps_constants tried;
};

static bool is_ultra(const struct accelerator *g)
{
	return strcmp(g->id, "b300") == 0 || strcmp(g->id, "gb300") == 0;
}

static bool on_cuda_cores(const struct step_setup *s)
{
	return strcmp(s->gpu->family, "volta") == 0 && s->dtype == DTYPE_FP32;
}

static bool is_of_images(const struct training_run *r)
{
	return r->images.workload != NULL;
}

static void scale_attention(struct layer_work *w, double by)
{
	w->attention_s *= by;
	w->scan_s *= by;
}

static double predict(const struct step_rows *rows, size_t i)
{
	const struct step_setup *s = &rows->run[i].setup;
	struct step_work w = rows->work[i];
	if (is_of_images(&rows->run[i]))
		return rows->images_per_s[i];
	if (is_ultra(s->gpu))
		scale_attention(&w.layer, s->gpu->achieved.attention / rows->tried.ultra);
	if (on_cuda_cores(s)) {
		double by = s->gpu->achieved.compute_32bit / rows->tried.volta;
		w.layer.products_s *= by;
		w.layer.products_back_s *= by;
		w.layer.weights_s *= by;
		w.layer.attention_s *= by;
		w.head_s *= by;
	}
	return training_run_per_s(&rows->run[i], &w, &rows->tried.costs);
}

static enum turn turn_of(const struct training_run *r)
{
	return r->setup.model && r->setup.model->made_of ? MIXTURES
	       : strcmp(r->group, "DLE BERT") == 0       ? LATE
							 : DENSE;
}

/* A publication counts by what it adds: Megatron-Bridge's rows twice those of llm-foundry, of which
 * many are the same run at another length; those of the short tables four times. */
static double weight(const struct training_run *r)
{
	static const struct {
		const char *group;
		double weight;
	} weights[] = { { "llm-foundry", 1 }, { "Megatron-Bridge", 2 }, { "mixtures", 1 } };
	for (size_t i = 0; i < COUNT(weights); i++)
		if (strcmp(r->group, weights[i].group) == 0)
			return weights[i].weight;
	return 4;
}

static double square(double x)
{
	return x * x;
}

/* The size of an error, rounded off below 2 %, a little more for large ones. */
static double loss(const void *of)
{
	const double rounded = 0.02, stiffness = 0.01;
	const struct step_rows *rows = of;
	double sum = 0, weights = 0;
	for (size_t i = 0; i < rows->n; i++) {
		if (!rows->seen[i] || is_of_images(&rows->run[i]) ||
			turn_of(&rows->run[i]) != rows->turn)
			continue;
		double w = weight(&rows->run[i]);
		double e = log(predict(rows, i) / rows->run[i].per_s);
		sum += w * (hypot(e, rounded) - rounded + (w > 2 ? 4 : 1) * e * e);
		weights += w;
	}
	sum = weights > 0 ? sum / weights : 0;
	for (size_t i = 0; i < N_CONSTANTS; i++)
		sum += stiffness * square(log(constant(&rows->tried, i) / constants[i].known));
	return sum;
}

static void fit_part(struct step_rows *rows, enum turn turn)
{
	struct descent d = { .loss = loss, .of = rows };
	rows->turn = turn;
	for (size_t i = 0; i < N_CONSTANTS; i++) {
		if (constants[i].turn != turn)
			continue;
		d.value[d.n] = constant_at(&rows->tried, i);
		d.least[d.n] = constants[i].least;
		d.most[d.n] = constants[i].most;
		d.scale[d.n++] = constants[i].scale;
	}
	for (int again = 0; again < 4; again++)
		descend(&d);
}

static void fit(struct step_rows *rows)
{
	for (size_t i = 0; i < N_CONSTANTS; i++)
		*constant_at(&rows->tried, i) = constants[i].known;
	for (enum turn turn = DENSE; turn < N_TURNS; turn++)
		fit_part(rows, turn);
}

/* --- What is printed --- */

typedef bool chooses(const struct training_run *r, const char *which);

static bool any(const struct training_run *r, const char *which)
{
	(void)r, (void)which;
	return true;
}

/* Rows with context parallelism are of their source too. */
static bool by_group(const struct training_run *r, const char *which)
{
	return strncmp(r->group, which, strlen(which)) == 0;
}

static bool is_of_language(const struct training_run *r)
{
	return !is_of_images(r) && turn_of(r) != MIXTURES &&
	       strncmp(r->group, "DLE", strlen("DLE")) != 0;
}

/* Errors of all rows of dense large language models that were held out, a source or a GPU at a time. */
struct pool {
	double cold[MOST_RUNS], scaled[MOST_RUNS], worst_median;
	size_t n;
};

static bool by_gpu(const struct training_run *r, const char *which)
{
	return turn_of(r) != MIXTURES && strcmp(r->setup.gpu->id, which) == 0;
}

static bool by_mixture(const struct training_run *r, const char *which)
{
	return turn_of(r) == MIXTURES && strcmp(r->setup.model->id, which) == 0;
}

static bool by_mixtures_gpu(const struct training_run *r, const char *which)
{
	return turn_of(r) == MIXTURES && strcmp(r->setup.gpu->id, which) == 0;
}

static bool by_container(const struct training_run *r, const char *which)
{
	return turn_of(r) == MIXTURES && strncmp(r->container, which, strlen(which)) == 0;
}

static void print_errors(const char *which, const char *how, double error[], size_t n)
{
	printf("\t%-18s %-26s %4zu %7.1f %7.1f %7.1f\n", which, how, n,
		100 * quantile_select(error, n, 0.5), 100 * quantile_select(error, n, 0.9),
		100 * quantile_select(error, n, 1));
}

/* Median, 90 % and worst error of the rows chosen; with `scaled` after one factor for all of them,
 * the median of what is measured over what is predicted. Returns the median. */
static double print_row(const struct step_rows *rows, chooses *choose, const char *which,
	const char *how, bool scaled)
{
	double ratio[MOST_RUNS], error[MOST_RUNS];
	size_t n = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (choose(&rows->run[i], which))
			ratio[n++] = predict(rows, i) / rows->run[i].per_s;
	if (n == 0)
		return 0;
	memcpy(error, ratio, n * sizeof *error);
	double factor = scaled ? 1 / quantile_select(error, n, 0.5) : 1;
	for (size_t i = 0; i < n; i++)
		error[i] = fabs(ratio[i] * factor - 1);
	print_errors(which, how, error, n);
	return quantile_select(error, n, 0.5);
}

static int print_constants(const struct steps_constants *fitted, const struct steps_constants *tree)
{
	int differ = 0;
	for (size_t i = 0; i < N_CONSTANTS; i++) {
		double got = constant(fitted, i), has = constant(tree, i);
		bool same = fabs(got - has) <= 1e-9 * got;
		printf("\t%-30s %.4g%s%s", constants[i].name, got / constants[i].scale,
			*constants[i].unit ? " " : "", constants[i].unit);
		if (!same)
			printf("   the tree has %.4g", has / constants[i].scale);
		printf("\n");
		differ += !same;
	}
	return differ;
}

static void add_to(struct pool *p, const struct step_rows *rows, chooses *choose, const char *which)
{
	double ratio[MOST_RUNS], sorted[MOST_RUNS];
	size_t n = 0;
	for (size_t i = 0; i < rows->n; i++)
		if (choose(&rows->run[i], which) && is_of_language(&rows->run[i]))
			ratio[n++] = predict(rows, i) / rows->run[i].per_s;
	memcpy(sorted, ratio, n * sizeof *ratio);
	double median = quantile_select(sorted, n, 0.5), worst = 0;
	for (size_t i = 0; i < n; i++) {
		sorted[i] = fabs(ratio[i] - 1);
		p->cold[p->n] = sorted[i];
		p->scaled[p->n++] = fabs(ratio[i] / median - 1);
	}
	worst = n ? quantile_select(sorted, n, 0.5) : 0;
	p->worst_median = fmax(p->worst_median, worst);
}

/* Fits without the rows chosen, and says how far off those are. */
static void hold_out(struct step_rows *rows, chooses *choose, const char *which, struct pool *pool)
{
	for (size_t i = 0; i < rows->n; i++)
		rows->seen[i] = !choose(&rows->run[i], which);
	fit(rows);
	print_row(rows, choose, which, "held out", false);
	print_row(rows, choose, which, "held out, one factor", true);
	if (pool)
		add_to(pool, rows, choose, which);
}

static void print_mark(const char *text, const char *held, double got, double limit)
{
	printf("\t%-46s %-24s %5.1f  %s\n", text, held, 100 * got,
		got <= limit ? "met" : "not met");
}

/* The half and nine tenths of all rows, each predicted without its own kind. */
static void print_pool(const char *held, double error[], size_t n, double median, double most)
{
	char text[64];
	snprintf(text, sizeof text, "language models: median <= %.0f %%", 100 * median);
	print_mark(text, held, quantile_select(error, n, 0.5), median);
	snprintf(text, sizeof text, "language models: 90 %% of rows <= %.0f %%", 100 * most);
	print_mark(text, held, quantile_select(error, n, 0.9), most);
}

static void judge(struct step_rows *rows, int *differ, const struct steps_constants *tree)
{
	static const char *const groups[] = { "llm-foundry", "Megatron-Bridge", "Megatron 2021",
		"Korthikanti 2022", "torchtitan", "DLE BERT", "mixtures", "DLE ResNet-50" };
	static const char *const gpus[] = { "v100", "a100", "h100", "h100-500w", "b200", "gb200",
		"gb300" };
	static const char *const mixtures[] = { "deepseek-v3", "qwen3-30b-a3b", "qwen3-235b-a22b",
		"gpt-oss-120b", "nemotron3-nano", "kimi-k2" };
	static const char *const containers[] = { "25.09", "25.11", "26.02", "26.04", "26.06",
		"26.08" };
	for (size_t i = 0; i < rows->n; i++)
		rows->seen[i] = true;
	fit(rows);
	printf("training steps:\n");
	*differ += print_constants(&rows->tried, tree);
	printf("\t%-18s %-26s %4s %7s %7s %7s\n", "", "error in %", "rows", "median", "90 %",
		"worst");
	print_row(rows, any, "all", "on all rows", false);
	for (size_t i = 0; i < COUNT(groups); i++)
		print_row(rows, by_group, groups[i], "on all rows", false);
	struct pool sources = { .n = 0 }, cards = { .n = 0 };
	for (size_t i = 0; i + 1 < COUNT(groups); i++) /* to images nothing was fitted */
		hold_out(rows, by_group, groups[i], &sources);
	for (size_t i = 0; i < COUNT(gpus); i++)
		hold_out(rows, by_gpu, gpus[i], &cards);
	print_pool("source held out", sources.cold, sources.n, 0.08, 0.16);
	print_pool("source held out, a factor", sources.scaled, sources.n, 0.06, 0.13);
	print_pool("GPU held out", cards.cold, cards.n, 0.06, 0.15);
	print_mark("language models: no GPU's median > 12 %", "GPU held out", cards.worst_median,
		0.12);
	printf("\tmixtures of experts:\n");
	for (size_t i = 0; i < COUNT(mixtures); i++)
		hold_out(rows, by_mixture, mixtures[i], NULL);
	for (size_t i = 1; i < COUNT(gpus); i++)
		hold_out(rows, by_mixtures_gpu, gpus[i], NULL);
	hold_out(rows, by_mixtures_gpu, "b300", NULL);
	for (size_t i = 0; i < COUNT(containers); i++)
		hold_out(rows, by_container, containers[i], NULL);
}

int steps_fit(const struct tables *t, const char *folder, int *differ)
{
	const struct measured_model *m = measured_model_find("training");
	struct measured_input in[MEASURED_FILES];
	char *texts[MEASURED_FILES];
	struct validation v = { 0 };
	struct step_rows *rows = calloc(1, sizeof *rows);
	char err[300] = "", path[4096];
	size_t n = 0;
	int rc = -1;
	for (; n < m->n_sources && n < MEASURED_FILES; n++) {
		snprintf(path, sizeof path, "%s/%s", folder, m->sources[n].files[0]);
		texts[n] = file_read(path);
		if (!texts[n])
			goto out;
		in[n] = (struct measured_input){ m->sources[n].files[0], texts[n],
			strlen(texts[n]) };
	}
	if (!rows || measured_validate(&v, m, t, in, n, err, sizeof err) != 0)
		goto out;
	rows->run = training_runs(&v, &rows->n);
	if (!rows->run || rows->n > MOST_RUNS)
		goto out;
	for (size_t i = 0; i < rows->n; i++)
		if (is_of_images(&rows->run[i]))
			rows->images_per_s[i] = training_run_per_s(&rows->run[i], NULL, NULL);
		else
			rows->work[i] = step_work_of(&rows->run[i].setup);
	struct steps_constants tree = { step_costs, 0, 0 };
	tree.volta = gpu_find(t, "v100")->achieved.compute_32bit;
	tree.ultra = gpu_find(t, "gb300")->achieved.attention;
	judge(rows, differ, &tree);
	for (size_t i = 0; i < v.n_verdicts; i++)
		print_mark(
			v.verdicts[i].text, "on all rows", v.verdicts[i].got, v.verdicts[i].limit);
	rc = 0;
out:
	if (*err)
		fprintf(stderr, "fit: %s\n", err);
	for (size_t i = 0; i < n; i++)
		free(texts[i]);
	validation_release(&v);
	free(rows);
	return rc;
}
