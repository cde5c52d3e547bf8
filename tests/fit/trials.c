/* For each model: fit the constants on all rows, then again without each part of the rows in
 * turn, and print the errors that the parts left out have. */
#include "tests/fit/trials.h"

#include "sims/base/stats.h"
#include "sims/comparisons/comparisons.h"
#include "tests/fit/descend.h"
#include "tests/fit/fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model's table, row by row. */
struct table_rows {
	const struct measured_model *model;
	const struct tables *tables;
	struct validation all; /* as the tree has it */
	char *text;
	const char **line; /* head, then a line for each good row */
	size_t *bytes;
	size_t n; /* good rows */
};

/* Rows chosen, with the constants that are tried on them. */
struct trial {
	const struct table_rows *rows;
	char *text;
	size_t n;
	double constants[MEASURED_CONSTANTS];
};

static int table_open(struct table_rows *r, const char *folder)
{
	char path[4096], err[300];
	snprintf(path, sizeof path, "%s/%s", folder, r->model->sources[0].files[0]);
	r->text = file_read(path);
	if (!r->text)
		return -1;
	struct measured_input in = { path, r->text, strlen(r->text) };
	if (measured_validate(&r->all, r->model, r->tables, &in, 1, err, sizeof err) != 0) {
		fprintf(stderr, "fit: %s\n", err);
		return -1;
	}
	const struct csv *c = &r->all.files[0];
	r->n = c->n_rows;
	r->line = calloc(r->n + 1, sizeof *r->line);
	r->bytes = calloc(r->n + 1, sizeof *r->bytes);
	if (!r->line || !r->bytes)
		return -1;
	size_t at = 1, row = 0;
	for (const char *s = r->text; *s; at++) {
		size_t bytes = strcspn(s, "\n");
		bytes += s[bytes] == '\n';
		bool head = at == 1, good = row < r->n && c->lines[row] == at;
		if (head || good) {
			r->line[head ? 0 : row + 1] = s;
			r->bytes[head ? 0 : row + 1] = bytes;
		}
		row += good;
		s += bytes;
	}
	return 0;
}

static void table_close(struct table_rows *r)
{
	validation_release(&r->all);
	free(r->text);
	free(r->line);
	free(r->bytes);
}

static int trial_open(struct trial *t, const struct table_rows *r, const bool wanted[])
{
	*t = (struct trial){ .rows = r, .text = malloc(strlen(r->text) + 2) };
	if (!t->text)
		return -1;
	char *to = t->text;
	for (size_t i = 0; i <= r->n; i++)
		if (r->line[i] && (i == 0 || wanted[i - 1])) {
			memcpy(to, r->line[i], r->bytes[i]);
			to += r->bytes[i];
			if (to[-1] != '\n')
				*to++ = '\n';
			t->n += i > 0;
		}
	*to = '\0';
	return 0;
}

/* Nothing is wrong with rows that have been read once. */
static void trial_run(const struct trial *t, struct validation *v)
{
	char err[300];
	struct measured_input in = { "rows", t->text, strlen(t->text) };
	*v = (struct validation){ .constants = t->constants };
	if (measured_validate(v, t->rows->model, t->rows->tables, &in, 1, err, sizeof err) != 0) {
		fprintf(stderr, "fit: %s\n", err);
		exit(2);
	}
}

/* --- Fitting --- */

/* What the strictest mark allows a group: its errors count in that measure. */
static double allowed(const struct measured_model *m, const struct measured_group *g)
{
	double least = HUGE_VAL;
	for (size_t i = 0; i < MEASURED_MARKS && m->marks[i].text; i++)
		if (strncmp(g->name, m->marks[i].groups, strlen(m->marks[i].groups)) == 0)
			least = fmin(least, m->marks[i].limit);
	return g->counts && isfinite(least) ? least : HUGE_VAL;
}

/* The sum over the rows of |log(model / measured)|, or of the difference where the model's errors
 * are points, each over what the marks allow. A row that the constants leave without an answer adds
 * 1, as if it stood at its limit. */
static double loss(const void *of)
{
	const struct trial *t = of;
	const struct measured_model *m = t->rows->model;
	struct validation v;
	double sum = 0;
	trial_run(t, &v);
	for (size_t i = 0; i < v.n; i++) {
		const struct prediction *p = &v.predictions[i];
		double size = m->points ? fabs(p->predicted - p->measured)
					: fabs(log(p->predicted / p->measured));
		sum += size / allowed(m, &v.groups[p->group]);
	}
	sum += (double)(v.faults.n - v.set_aside);
	validation_release(&v);
	return sum;
}

static bool bears_on(const struct table_rows *r, size_t row, const struct measured_constant *c)
{
	return !c->is || csv_is(&r->all.files[0], row, c->column, c->is);
}

/* Whether two constants have the same rows, and so are fitted together. */
static bool together(const struct measured_constant *a, const struct measured_constant *b)
{
	return a->is ? b->is && a->column == b->column && strcmp(a->is, b->is) == 0 : !b->is;
}

/* Fits the constants that go with the first of them. */
static int fit_group(
	const struct table_rows *r, const bool train[], size_t first, double constants[])
{
	const struct measured_constant *c = r->model->constants;
	struct trial t;
	struct descent d = { .loss = loss, .of = &t, .pairs = true };
	bool *wanted = calloc(r->n + 1, sizeof *wanted);
	for (size_t i = 0; wanted && i < r->n; i++)
		wanted[i] = train[i] && bears_on(r, i, &c[first]);
	if (!wanted || trial_open(&t, r, wanted) != 0) {
		free(wanted);
		return -1;
	}
	memcpy(t.constants, constants, sizeof t.constants);
	for (size_t i = first; i < r->model->n_constants; i++)
		if (together(&c[first], &c[i])) {
			d.value[d.n] = &t.constants[i];
			d.scale[d.n] = c[i].scale;
			d.least[d.n] = c[i].least;
			d.most[d.n++] = c[i].most;
		}
	if (t.n > 0)
		descend(&d);
	memcpy(constants, t.constants, sizeof t.constants);
	free(t.text);
	free(wanted);
	return 0;
}

static int fit(const struct table_rows *r, const bool train[], double constants[])
{
	const struct measured_constant *c = r->model->constants;
	for (size_t i = 0; i < r->model->n_constants; i++)
		constants[i] = sqrt(c[i].least * c[i].most);
	for (size_t i = 0; i < r->model->n_constants; i++) {
		size_t first = 0;
		while (!together(&c[first], &c[i]))
			first++;
		if (first == i && fit_group(r, train, i, constants) != 0)
			return -1;
	}
	return 0;
}

/* --- Holding out --- */

/* Errors of rows that the fit did not see, or of all rows. */
struct judged {
	double *error; /* sizes */
	char (*group)[sizeof((struct measured_group *)0)->name];
	bool *counts;
	size_t n, cap;
};

static void judge(struct judged *j, const struct trial *t)
{
	struct validation v;
	trial_run(t, &v);
	for (size_t i = 0; i < v.n && j->n < j->cap; i++) {
		const struct measured_group *g = &v.groups[v.predictions[i].group];
		j->error[j->n] = fabs(prediction_error(&v, &v.predictions[i]));
		j->counts[j->n] = g->counts;
		memcpy(j->group[j->n++], g->name, sizeof g->name);
	}
	validation_release(&v);
}

static bool same_value(const struct csv *c, size_t column, size_t row, size_t other)
{
	if (c->columns[column].kind == CSV_NUMBER)
		return csv_number(c, row, column) == csv_number(c, other, column);
	return csv_compare(c, column, row, other) == 0;
}

/* In which part of FOLDS each row is: by the values of the column, in the order in which they come,
 * so that a value is held out with all its rows. */
static void part_of_rows(const struct table_rows *r, size_t column, uint32_t part[])
{
	uint32_t values = 0;
	for (size_t i = 0; i < r->n; i++) {
		size_t same = 0;
		while (same < i && !same_value(&r->all.files[0], column, same, i))
			same++;
		part[i] = same < i ? part[same] : values++ % FOLDS;
	}
}

/* Leaves out rows whose constants nothing is left to fit on. */
static void leave_unfitted(const struct table_rows *r, const bool train[], bool test[])
{
	const struct measured_constant *c = r->model->constants;
	for (size_t k = 0; k < r->model->n_constants; k++) {
		bool any = false;
		for (size_t i = 0; i < r->n; i++)
			any |= train[i] && bears_on(r, i, &c[k]);
		for (size_t i = 0; i < r->n && !any; i++)
			test[i] = test[i] && !bears_on(r, i, &c[k]);
	}
}

static int judge_part(const struct table_rows *r, struct judged *j, const uint32_t part[],
	uint32_t which, bool train[], bool test[])
{
	double constants[MEASURED_CONSTANTS];
	struct trial t;
	for (size_t i = 0; i < r->n; i++) {
		test[i] = part[i] == which;
		train[i] = !test[i];
	}
	leave_unfitted(r, train, test);
	if (trial_open(&t, r, test) != 0)
		return -1;
	int rc = 0;
	if (t.n > 0 && (rc = fit(r, train, constants)) == 0) {
		memcpy(t.constants, constants, sizeof t.constants);
		judge(j, &t);
	}
	free(t.text);
	return rc;
}

static int judge_held(const struct table_rows *r, struct judged *j, size_t column)
{
	uint32_t *part = calloc(r->n + 1, sizeof *part);
	bool *train = calloc(2 * (r->n + 1), sizeof *train);
	int rc = part && train ? 0 : -1;
	if (rc == 0)
		part_of_rows(r, column, part);
	j->n = 0;
	for (uint32_t which = 0; rc == 0 && which < FOLDS; which++)
		rc = judge_part(r, j, part, which, train, train + r->n + 1);
	free(part);
	free(train);
	return rc;
}

/* --- What is printed --- */

static void print_mark(const struct judged *j, const struct measured_mark *m, const char *held)
{
	double *errors = calloc(j->n + 1, sizeof *errors);
	size_t n = 0;
	for (size_t i = 0; errors && i < j->n; i++)
		if (*m->groups ? strncmp(j->group[i], m->groups, strlen(m->groups)) == 0
			       : j->counts[i])
			errors[n++] = j->error[i];
	double got = quantile_select(errors, n, m->q);
	printf("\t%-46s %-24s %5.1f  %s\n", m->text, held, 100 * got,
		!n                ? "no rows"
		: got <= m->limit ? "met"
				  : "not met");
	free(errors);
}

static void print_marks(const struct judged *j, const struct measured_model *m, const char *held)
{
	for (size_t i = 0; i < MEASURED_MARKS && m->marks[i].text; i++)
		print_mark(j, &m->marks[i], held);
}

static int compare(const struct measured_model *m, const double constants[])
{
	int differ = 0;
	printf("%s:\n", m->id);
	for (size_t i = 0; i < m->n_constants; i++) {
		const struct measured_constant *c = &m->constants[i];
		bool same = fabs(constants[i] - *c->at) <= 1e-9 * constants[i];
		printf("\t%-30s %.4g%s%s", c->name, constants[i] / c->scale, *c->unit ? " " : "",
			c->unit);
		if (!same)
			printf("   the tree has %.4g", *c->at / c->scale);
		printf("\n");
		differ += !same;
	}
	return differ;
}

static int judge_model(const struct table_rows *r, struct judged *j, int *differ)
{
	bool *all = calloc(r->n + 1, sizeof *all);
	struct trial t = { .text = NULL };
	for (size_t i = 0; all && i < r->n; i++)
		all[i] = true;
	int rc = all ? trial_open(&t, r, all) : -1;
	if (rc == 0 && (rc = fit(r, all, t.constants)) == 0) {
		*differ += compare(r->model, t.constants);
		judge(j, &t);
		print_marks(j, r->model, "on all rows");
	}
	free(t.text);
	for (size_t i = 0; rc == 0 && i < MEASURED_HELD && r->model->held[i].name; i++) {
		char held[40];
		rc = judge_held(r, j, r->model->held[i].column);
		snprintf(held, sizeof held, "%s held out", r->model->held[i].name);
		print_marks(j, r->model, held);
	}
	free(all);
	return rc;
}

static int fit_model(const struct measured_model *m, const struct tables *tables,
	const char *folder, int *differ)
{
	struct table_rows r = { .model = m, .tables = tables };
	struct judged j = { 0 };
	int rc = table_open(&r, folder);
	if (rc == 0) {
		j.cap = r.all.n + 1;
		j.error = calloc(j.cap, sizeof *j.error);
		j.group = calloc(j.cap, sizeof *j.group);
		j.counts = calloc(j.cap, sizeof *j.counts);
		rc = j.error && j.group && j.counts ? judge_model(&r, &j, differ) : -1;
	}
	free(j.error);
	free(j.group);
	free(j.counts);
	table_close(&r);
	return rc;
}

int trials_fit(const struct tables *t, const char *folder, int *differ)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n_measured_models; i++)
		if (measured_models[i]->n_constants > 0)
			rc = fit_model(measured_models[i], t, folder, differ);
	return rc;
}
