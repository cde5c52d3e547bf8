/* Reading a table of thousands of rows and predicting each takes milliseconds, a knob is
 * turned many times a second, and what comes out is always the same. So both answers are
 * kept by what was asked, written as text: lines until there is no room, rows of the latest
 * few questions in turn. */
#include "sims/published/measured.h"

#include "sims/published/names.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const struct measured_model *measured_comparison(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_comparisons; i++)
		if (strcmp(t->comparisons[i]->id, id) == 0)
			return t->comparisons[i];
	return NULL;
}

static const struct measured_file *file_of(const struct tables *t, const char *name)
{
	for (size_t i = 0; i < t->n_measured; i++)
		if (t->measured[i].text && strcmp(t->measured[i].name, name) == 0)
			return &t->measured[i];
	return NULL;
}

/* What travels with ridge for a model. */
static size_t own_inputs(const struct measured_model *m, const struct tables *t,
	struct measured_input out[MEASURED_FILES])
{
	size_t n = 0;

	for (size_t s = 0; s < m->n_sources; s++)
		for (size_t i = 0; i < 2; i++) {
			const char *name = m->sources[s].files[i];
			const struct measured_file *f = name ? file_of(t, name) : NULL;
			if (f && n < MEASURED_FILES)
				out[n++] = (struct measured_input){ name, f->text, f->bytes };
		}
	return n;
}

int measured_validate_own(struct validation *v, const struct measured_model *m,
	const struct tables *t, size_t most, char *err, size_t err_size)
{
	struct measured_input inputs[MEASURED_FILES];
	size_t n = own_inputs(m, t, inputs);

	*v = (struct validation){ .model = m, .tables = t, .most = m->together ? 0 : most };
	if (n)
		return measured_validate(v, m, t, inputs, n, err, err_size);
	snprintf(err, err_size, "%s: no measurements travel with ridge%s%s; give a FILE.csv", m->id,
		m->licence ? ": " : "", m->licence ? m->licence : "");
	return -1;
}

void measured_say_errors(
	const struct measured_model *m, const struct error_stats *e, char *buf, size_t size)
{
	assert(e->n > 0);
	const char *unit = m->points ? "pt" : "%"; /* points of a share */

	snprintf(buf, size, "model error: median %.0f %s, 90 %% within %.0f %s on %zu points",
		100 * e->median, unit, 100 * e->p90, unit, e->n);
}

/* -1: out of memory. */
static int summarise(const struct tables *t, const char *model, const char *groups, size_t most,
	char *buf, size_t size)
{
	const struct measured_model *m = measured_comparison(t, model);
	struct validation v = { 0 };
	struct error_stats e = { 0 };
	char err[200];

	if (m && measured_validate_own(&v, m, t, most, err, sizeof err) == 0)
		e = validation_errors(&v, groups);
	buf[0] = '\0';
	if (e.n)
		measured_say_errors(m, &e, buf, size);
	const int rc = v.arena.failed ? -1 : 0;
	validation_release(&v);
	return rc;
}

bool measured_summary(struct measured_memo *memo, const struct tables *t, const char *model,
	const char *groups, size_t most, char *buf, size_t size)
{
	char key[sizeof memo->lines->key], line[sizeof memo->lines->line];
	size_t i = 0;

	int n = snprintf(key, sizeof key, "%s %zu %s", model, most, groups);
	while (memo && i < memo->n_lines && strcmp(memo->lines[i].key, key) != 0)
		i++;
	if (memo && i < memo->n_lines) {
		snprintf(buf, size, "%s", memo->lines[i].line);
		return buf[0] != '\0';
	}
	const bool found = summarise(t, model, groups, most, line, sizeof line) == 0;
	snprintf(buf, size, "%s", line);
	if (memo)
		memo->starved |= !found;
	if (memo && found && i < MEMO_LINES && n > 0 && (size_t)n < sizeof key) {
		strcpy(memo->lines[i].key, key);
		strcpy(memo->lines[i].line, line);
		memo->n_lines++;
	}
	return line[0] != '\0';
}

/* --- Rows near a setting --- */

/* A condition, and what its text names: looked up once, and not for each of thousands of rows. */
struct sought {
	const struct measured_condition *condition;
	const struct accelerator *gpu;
	const struct model *model;
};

static bool same_text(const struct tables *t, const struct csv *c, size_t row, size_t column,
	const struct sought *k)
{
	return csv_is(c, row, column, k->condition->text) ||
	       (k->gpu && measured_gpu_at(t, c, row, column) == k->gpu) ||
	       (k->model && measured_model_at(t, c, row, column) == k->model);
}

static int column_of(const struct csv *c, const char *name, enum csv_kind kind)
{
	for (size_t i = 0; i < c->n_columns; i++)
		if (c->columns[i].kind == kind && strcmp(c->columns[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool meets(
	const struct tables *t, const struct csv *c, size_t row, const struct sought *sought)
{
	const struct measured_condition *k = sought->condition;
	int column = column_of(c, k->column, k->text ? CSV_TEXT : CSV_NUMBER);

	if (column < 0)
		return false;
	if (k->text)
		return same_text(t, c, row, (size_t)column, sought);
	double x = csv_number(c, row, (size_t)column);
	return x >= k->low && x <= k->high;
}

/* The numbers of one row; false where a column is not there. */
static bool take(const struct csv *c, size_t row, const char *const want[], size_t n, double *out)
{
	for (size_t i = 0; i < n; i++) {
		int column = column_of(c, want[i], CSV_NUMBER);
		if (column < 0)
			return false;
		out[i] = csv_number(c, row, (size_t)column);
	}
	return true;
}

/* *starved: it had no memory for all of them. */
static size_t find_points(const struct tables *t, const char *model,
	const struct measured_condition conditions[], size_t n_conditions, const char *const want[],
	size_t n_want, double *out, size_t most, bool *starved)
{
	const struct measured_model *m = measured_comparison(t, model);
	struct measured_input inputs[MEASURED_FILES];
	size_t n_inputs = m ? own_inputs(m, t, inputs) : 0, n = 0;
	struct arena a = { 0 };
	struct sought *sought = arena_array(&a, n_conditions, sizeof *sought);

	for (size_t i = 0; sought && i < n_conditions; i++) {
		const char *text = conditions[i].text;
		sought[i] = (struct sought){ &conditions[i], text ? gpu_find(t, text) : NULL,
			text ? model_find(t, text) : NULL };
	}
	for (size_t f = 0; sought && f < n_inputs; f++) {
		struct csv c;
		struct csv_faults faults = { 0 };
		char err[200];
		const struct measured_source *s = &m->sources[0];
		for (size_t i = 1; i < m->n_sources; i++)
			if (m->sources[i].files[0] &&
				strcmp(m->sources[i].files[0], inputs[f].name) == 0)
				s = &m->sources[i];
		if (csv_read(&c, &a, inputs[f].name, inputs[f].text, inputs[f].bytes, s->columns,
			    s->n_columns, &faults, err, sizeof err))
			continue;
		for (size_t row = 0; row < c.n_rows && n < most; row++) {
			size_t k = 0;
			while (k < n_conditions && meets(t, &c, row, &sought[k]))
				k++;
			n += k == n_conditions && take(&c, row, want, n_want, out + n * n_want);
		}
	}
	*starved |= a.failed;
	arena_release(&a);
	return n;
}

/* What was asked, as text; false where it is too long to be kept. */
static bool points_key(char *key, size_t size, const char *model,
	const struct measured_condition c[], size_t n, const char *const want[], size_t n_want)
{
	size_t used = (size_t)snprintf(key, size, "%s", model);

	for (size_t i = 0; i < n && used < size; i++)
		used += (size_t)(c[i].text ? snprintf(key + used, size - used, "|%s=%s",
						     c[i].column, c[i].text)
					   : snprintf(key + used, size - used, "|%s=%a..%a",
						     c[i].column, c[i].low, c[i].high));
	for (size_t i = 0; i < n_want && used < size; i++)
		used += (size_t)snprintf(key + used, size - used, ",%s", want[i]);
	return used < size;
}

size_t measured_points(struct measured_memo *memo, const struct tables *t, const char *model,
	const struct measured_condition conditions[], size_t n_conditions, const char *const want[],
	size_t n_want, double *out, size_t most)
{
	assert(n_want > 0 && (conditions || n_conditions == 0));
	char key[sizeof memo->points->key];
	bool starved = false;

	if (!memo || most * n_want > MEMO_VALUES ||
		!points_key(key, sizeof key, model, conditions, n_conditions, want, n_want)) {
		const size_t n = find_points(
			t, model, conditions, n_conditions, want, n_want, out, most, &starved);
		if (memo)
			memo->starved |= starved;
		return n;
	}
	size_t at = 0, kept = memo->n_points < MEMO_POINTS ? memo->n_points : MEMO_POINTS;
	while (at < kept && strcmp(memo->points[at].key, key) != 0)
		at++;
	if (at == kept) {
		at = memo->n_points % MEMO_POINTS;
		memo->points[at].n = find_points(t, model, conditions, n_conditions, want, n_want,
			memo->points[at].values, MEMO_VALUES / n_want, &starved);
		strcpy(memo->points[at].key, starved ? "" : key);
		memo->n_points += !starved;
		memo->starved |= starved;
	}
	size_t n = memo->points[at].n < most ? memo->points[at].n : most;
	memcpy(out, memo->points[at].values, n * n_want * sizeof *out);
	return n;
}
