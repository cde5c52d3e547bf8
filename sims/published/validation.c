/* A validation goes through four stages: a table is read in the shape that fits its columns best,
 * the comparison predicts each row and adds what it predicted, errors are gathered by group and in
 * all, and marks are judged. Rows that cannot be compared are counted by the reason. */
#include "sims/published/validation.h"

#include "sims/base/stats.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void validation_release(struct validation *v)
{
	arena_release(&v->arena);
	*v = (struct validation){ 0 };
}

/* --- What adapters call --- */

uint8_t validation_group(struct validation *v, bool counts, const char *fmt, ...)
{
	char name[sizeof v->groups->name];
	va_list ap;
	size_t i = 0;

	va_start(ap, fmt);
	vsnprintf(name, sizeof name, fmt, ap);
	va_end(ap);
	while (i < v->n_groups && strcmp(v->groups[i].name, name) != 0)
		i++;
	if (i < v->n_groups)
		return (uint8_t)i;
	if (v->n_groups == MEASURED_GROUPS)
		return MEASURED_GROUPS - 1;
	struct measured_group *g = &v->groups[v->n_groups++];
	*g = (struct measured_group){ .counts = counts };
	snprintf(g->name, sizeof g->name, "%s", v->n_groups == MEASURED_GROUPS ? "others" : name);
	return (uint8_t)i;
}

void validation_skip(struct validation *v, size_t file, size_t row, const char *fmt, ...)
{
	assert(file < v->n_files && row < v->files[file].n_rows);
	char text[CSV_REASON];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	csv_fault(&v->faults, v->files[file].name, v->files[file].lines[row], "%s", text);
}

void validation_set_aside(struct validation *v, size_t file, size_t row, const char *why)
{
	validation_skip(v, file, row, "%s", why);
	v->set_aside++;
}

bool validation_reserve(struct validation *v, size_t more_predictions)
{
	size_t cap = v->n + more_predictions;
	if (cap <= v->cap)
		return true;
	struct prediction *more = arena_array(&v->arena, cap, sizeof *more);
	if (!more)
		return false;
	if (v->n)
		memcpy(more, v->predictions, v->n * sizeof *more);
	v->predictions = more;
	v->cap = cap;
	return true;
}

static bool has_room(struct validation *v)
{
	return (v->predictions && v->n < v->cap) ||
	       validation_reserve(v, v->n > 1024 ? v->n : 1024);
}

bool validation_add(struct validation *v, size_t file, size_t row, uint8_t group, double predicted,
	double measured)
{
	assert(file < v->n_files && row < v->files[file].n_rows && group < v->n_groups);
	double least = v->model->points ? -HUGE_VAL : 0;

	if (!isfinite(predicted) || !isfinite(measured) || !(measured > least) ||
		!(predicted >= least) || (!v->model->points && !isfinite(predicted / measured))) {
		validation_skip(v, file, row, "the model has no answer here: %g against %g",
			predicted, measured);
		return false;
	}
	if (!has_room(v))
		return false;
	const struct prediction *last = v->n ? &v->predictions[v->n - 1] : NULL;
	v->rows += !last || last->row != row || last->file != file;
	v->predictions[v->n++] =
		(struct prediction){ predicted, measured, (uint32_t)row, (uint8_t)file, group };
	return true;
}

double validation_constant(const struct validation *v, size_t i)
{
	assert(i < v->model->n_constants);
	return v->constants ? v->constants[i] : *v->model->constants[i].at;
}

void validation_value(
	struct validation *v, const char *id, const char *label, double value, const char *unit)
{
	if (v->n_values < MEASURED_VALUES)
		v->values[v->n_values++] = (struct measured_value){ id, label, value, unit };
}

void validation_verdict(struct validation *v, const char *text, bool judged, bool met)
{
	if (v->n_verdicts < MEASURED_MARKS)
		v->verdicts[v->n_verdicts++] =
			(struct measured_verdict){ text, judged, met, NAN, NAN };
}

/* --- Statistics --- */

double prediction_error(const struct validation *v, const struct prediction *p)
{
	return v->model->points ? p->predicted - p->measured : p->predicted / p->measured - 1;
}

size_t prediction_line(const struct validation *v, const struct prediction *p)
{
	assert(p->file < v->n_files && p->row < v->files[p->file].n_rows);
	return v->files[p->file].lines[p->row];
}

struct measured_words prediction_words(const struct validation *v, const struct prediction *p)
{
	assert(p->file < v->n_files);
	struct measured_words words = { "", "", false };

	v->source[p->file]->describe(v, p, &words);
	return words;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Whether a mark, or a caller, asks for this group. */
static bool chosen(const struct validation *v, const struct measured_group *g, const char *groups)
{
	if (*groups == '\0')
		return g->counts;
	if (*groups == '-')
		return g->counts && !begins(g->name, groups + 1);
	if (strcmp(groups, "!") != 0)
		return begins(g->name, groups);
	const struct measured_mark *m = v->model->marks;
	for (size_t i = 0; i < MEASURED_MARKS && m[i].text; i++)
		if (*m[i].groups && !strchr("!-", *m[i].groups) && begins(g->name, m[i].groups))
			return false;
	return g->counts;
}

/* Collects the signed errors of some groups; errors has room for all predictions. */
static size_t gather(const struct validation *v, const bool wanted[MEASURED_GROUPS], double *errors)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++)
		if (wanted[v->predictions[i].group])
			errors[n++] = prediction_error(v, &v->predictions[i]);
	return n;
}

static size_t gather_chosen(const struct validation *v, const char *groups, double *errors)
{
	bool wanted[MEASURED_GROUPS] = { false };

	for (size_t g = 0; g < v->n_groups; g++)
		wanted[g] = chosen(v, &v->groups[g], groups);
	return gather(v, wanted, errors);
}

static struct error_stats stats_of(double *errors, size_t n)
{
	struct error_stats e = { .n = n, .bias = quantile_select(errors, n, 0.5) };

	for (size_t i = 0; i < n; i++)
		errors[i] = fabs(errors[i]);
	e.median = quantile_select(errors, n, 0.5);
	e.p90 = quantile_select(errors, n, 0.9);
	return e;
}

struct error_stats validation_errors(const struct validation *v, const char *groups)
{
	struct arena a = { 0 };
	struct error_stats e = { 0, NAN, NAN, NAN };
	double *errors = arena_array(&a, v->n + 1, sizeof *errors);

	if (errors)
		e = stats_of(errors, gather_chosen(v, groups, errors));
	arena_release(&a);
	return e;
}

static void find_group_errors(struct validation *v, double *errors)
{
	for (size_t g = 0; g < v->n_groups; g++) {
		bool wanted[MEASURED_GROUPS] = { false };
		wanted[g] = true;
		v->groups[g].errors = stats_of(errors, gather(v, wanted, errors));
	}
}

static void find_worst(struct validation *v)
{
	for (size_t i = 0; i < v->n; i++) {
		const struct prediction *p = &v->predictions[i];
		double error = fabs(prediction_error(v, p));
		size_t at = v->n_worst;
		if (!v->groups[p->group].counts)
			continue;
		while (at > 0 && error > fabs(prediction_error(v, v->worst[at - 1])))
			at--;
		if (at == MEASURED_WORST)
			continue;
		v->n_worst += v->n_worst < MEASURED_WORST;
		for (size_t k = v->n_worst - 1; k > at; k--)
			v->worst[k] = v->worst[k - 1];
		v->worst[at] = p;
	}
}

static void judge(struct validation *v, double *errors)
{
	const struct measured_mark *m = v->model->marks;

	for (size_t i = 0; i < MEASURED_MARKS && m[i].text; i++) {
		size_t n = gather_chosen(v, m[i].groups, errors);
		for (size_t k = 0; k < n; k++)
			errors[k] = fabs(errors[k]);
		double got = quantile_select(errors, n, m[i].q);
		v->verdicts[v->n_verdicts++] = (struct measured_verdict){ m[i].text, n > 0,
			got <= m[i].limit, got, m[i].limit };
	}
}

static int find_errors(struct validation *v)
{
	double *errors = arena_array(&v->arena, v->n + 1, sizeof *errors);

	if (!errors)
		return -1;
	v->errors = stats_of(errors, gather_chosen(v, "", errors));
	find_group_errors(v, errors);
	judge(v, errors);
	find_worst(v);
	return 0;
}

/* --- Reading --- */

/* The shape of which the table lacks the fewest columns, so that a slip in a name is reported
 * against the right one. */
static const struct measured_source *source_of(
	const struct measured_model *m, const struct measured_input *in)
{
	const struct measured_source *best = &m->sources[0];
	size_t least = SIZE_MAX;

	for (size_t i = 0; i < m->n_sources; i++) {
		const struct measured_source *s = &m->sources[i];
		size_t missing = csv_missing(in->text, in->bytes, s->columns, s->n_columns);
		if (missing < least) {
			least = missing;
			best = s;
		}
	}
	return best;
}

/* Keeps `most` rows, evenly from the first to near the last. */
static void thin(struct csv *c, size_t most)
{
	if (!most || c->n_rows <= most)
		return;
	for (size_t i = 0; i < most; i++) {
		size_t from = i * c->n_rows / most;
		c->lines[i] = c->lines[from];
		memcpy(&c->cells[i * c->n_columns], &c->cells[from * c->n_columns],
			c->n_columns * sizeof *c->cells);
	}
	c->n_rows = most;
}

static int read_input(
	struct validation *v, const struct measured_input *in, char *err, size_t err_size)
{
	const struct measured_source *s = source_of(v->model, in);
	struct csv *c = &v->files[v->n_files];

	if (csv_read(c, &v->arena, in->name, in->text, in->bytes, s->columns, s->n_columns,
		    &v->faults, err, err_size))
		return -1;
	if (s->most_rows && c->n_rows > s->most_rows) {
		snprintf(err, err_size,
			"%.200s: expected %zu rows at most, found %zu: each is a simulation",
			in->name, s->most_rows, c->n_rows);
		return -1;
	}
	thin(c, v->most);
	v->source[v->n_files++] = s;
	v->read += c->n_read;
	return 0;
}

int measured_validate(struct validation *v, const struct measured_model *m, const struct tables *t,
	const struct measured_input inputs[], size_t n_inputs, char *err, size_t err_size)
{
	assert(m->n_sources > 0 && m->n_constants <= MEASURED_CONSTANTS);
	*v = (struct validation){
		.model = m, .tables = t, .most = v->most, .constants = v->constants
	};
	for (size_t i = 0; i < n_inputs && i < MEASURED_FILES; i++)
		if (read_input(v, &inputs[i], err, err_size))
			return -1;
	for (size_t i = 0; i < v->n_files; i++)
		v->source[i]->predict(v, i);
	if (!v->arena.failed && find_errors(v) == 0) {
		if (m->finish)
			m->finish(v);
		return 0;
	}
	snprintf(err, err_size, "%s: out of memory", m->id);
	return -1;
}
