/* Every comparison becomes a figure like those of the simulations, so the same writers print it;
 * only the numbers of a comparison have a JSON of their own. */
#include "ui/commands/cmd_validate.h"

#include "sims/base/match.h"
#include "sims/published/measured.h"
#include "sims/published/validation_figure.h"
#include "sims/comparisons/comparisons.h"
#include "ui/data/tables_load.h"
#include "ui/commands/export.h"
#include "ui/commands/text_report.h"
#include "ui/files/own_file.h"
#include "ui/files/printed.h"
#include "ui/term/textwrap.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ERR_SIZE = 400 };

struct wanted {
	const char *model, *file;
	bool json, plot;
	struct report_options report;
};

static int unknown_model(const char *name, const struct streams *io)
{
	enum { MOST = 32 };
	const char *ids[MOST];
	size_t n = n_measured_models < MOST ? n_measured_models : MOST;

	for (size_t i = 0; i < n; i++)
		ids[i] = measured_models[i]->id;
	char hint[HINT_SIZE];
	did_you_mean(name, ids, n, hint, sizeof hint);
	return usage_error(io, COMMAND_VALIDATE, "no model \"%.60s\"%s", name,
		*hint ? hint : " (ridge validate lists them)");
}

/* --- Columns --- */

static void print_columns(
	const struct measured_source *s, const char *before, const char *after, FILE *out)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		const struct csv_column *c = &s->columns[i];
		fprintf(out, "%s%s%s%s%s%s", i ? " " : "", c->optional ? "[" : "", before, c->name,
			after, c->optional ? "]" : "");
	}
}

static void print_wrapped(const char *text, FILE *out)
{
	enum { COLUMNS = 78 };
	struct text_line piece;

	while (text_wrap(&text, COLUMNS, GLYPHS_ASCII, &piece))
		fprintf(out, "  %.*s\n", (int)piece.bytes, piece.start);
}

static bool print_shape(const struct measured_source *s, FILE *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *line = open_memstream(&text, &bytes);

	if (!line)
		return false;
	print_columns(s, "", "", line);
	bool written = fclose(line) == 0 && text;
	if (written)
		print_wrapped(text, out);
	free(text);
	return written;
}

int cmd_validate_explain(const char *model, const struct streams *io)
{
	const struct measured_model *m = measured_model_find(model);

	if (!m)
		return unknown_model(model, io);
	fprintf(io->out, "%s: %s\n\nColumns of FILE.csv, in any order and among others%s:\n",
		m->title, m->predicts, m->n_sources > 1 ? "; one of these shapes" : "");
	bool whole = true;
	for (size_t i = 0; whole && i < m->n_sources; i++) {
		fputc('\n', io->out);
		whole = print_shape(&m->sources[i], io->out);
	}
	fprintf(io->out, "\nThose in brackets may be missing.\n");
	return !whole || printed_end(io->out) ? 1 : 0;
}

void cmd_validate_columns(FILE *out)
{
	fprintf(out, "\n| model | columns of FILE.csv; those in brackets may be missing |\n"
		     "| --- | --- |\n");
	for (size_t i = 0; i < n_measured_models; i++)
		for (size_t j = 0; j < measured_models[i]->n_sources; j++) {
			fprintf(out, "| %s | ", j ? "" : measured_models[i]->id);
			print_columns(&measured_models[i]->sources[j], "`", "`", out);
			fprintf(out, " |\n");
		}
}

/* --- The user's file --- */

/* All of it; NULL with errno set. It may be a pipe. */
static char *read_file(const char *path, FILE *in, size_t *bytes)
{
	FILE *f = strcmp(path, "-") == 0 ? in : fopen(path, "rb");

	if (!f)
		return NULL;
	char *text = own_read_bytes(f, CSV_LARGEST, bytes);
	int reason = errno;
	if (f != in)
		fclose(f);
	errno = reason;
	return text;
}

/* The last part of a path, for messages. */
static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* --- JSON --- */

static void add_errors(cJSON *obj, const struct error_stats *e)
{
	json_add_number(obj, "median_error", e->median);
	json_add_number(obj, "p90_error", e->p90);
	json_add_number(obj, "bias", e->bias);
}

static cJSON *values_json(const struct validation *v)
{
	cJSON *obj = cJSON_CreateObject();

	for (size_t i = 0; i < v->n_values; i++) {
		cJSON *value = cJSON_AddObjectToObject(obj, v->values[i].id);
		cJSON_AddStringToObject(value, "label", v->values[i].label);
		json_add_number(value, "value", v->values[i].value);
		cJSON_AddStringToObject(value, "unit", v->values[i].unit);
	}
	return obj;
}

static cJSON *groups_json(const struct validation *v)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < v->n_groups; i++) {
		const struct measured_group *g = &v->groups[i];
		cJSON *obj = cJSON_CreateObject();
		cJSON_AddStringToObject(obj, "group", g->name);
		cJSON_AddBoolToObject(obj, "counts", g->counts);
		cJSON_AddNumberToObject(obj, "points", (double)g->errors.n);
		add_errors(obj, &g->errors);
		cJSON_AddItemToArray(array, obj);
	}
	return array;
}

static cJSON *marks_json(const struct validation *v)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < v->n_verdicts; i++) {
		const struct measured_verdict *d = &v->verdicts[i];
		cJSON *obj = cJSON_CreateObject();
		cJSON_AddStringToObject(obj, "mark", d->text);
		cJSON_AddItemToObject(
			obj, "met", d->judged ? cJSON_CreateBool(d->met) : cJSON_CreateNull());
		json_add_number(obj, "got", d->got);
		json_add_number(obj, "limit", d->limit);
		cJSON_AddItemToArray(array, obj);
	}
	return array;
}

static cJSON *faults_json(const struct csv_faults *f)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < f->n_reasons; i++) {
		const struct csv_reason *r = &f->reasons[i];
		cJSON *obj = cJSON_CreateObject();
		cJSON_AddStringToObject(obj, "reason", r->text);
		cJSON_AddNumberToObject(obj, "rows", (double)r->n);
		cJSON_AddStringToObject(obj, "file", r->file);
		cJSON_AddNumberToObject(obj, "first_line", (double)r->line);
		cJSON_AddItemToArray(array, obj);
	}
	return array;
}

/* *failed: memory was out. */
static cJSON *worst_json(const struct validation *v, bool *failed)
{
	cJSON *array = cJSON_CreateArray();

	for (size_t i = 0; i < v->n_worst; i++) {
		const struct prediction *p = v->worst[i];
		struct measured_words w = prediction_words(v, p);
		*failed |= w.failed;
		cJSON *obj = cJSON_CreateObject();
		cJSON_AddNumberToObject(obj, "line", (double)prediction_line(v, p));
		cJSON_AddStringToObject(obj, "row", w.what);
		json_add_number(obj, "predicted", p->predicted);
		json_add_number(obj, "measured", p->measured);
		json_add_number(obj, "error", prediction_error(v, p));
		cJSON_AddStringToObject(obj, "thought", w.thought);
		cJSON_AddItemToArray(array, obj);
	}
	return array;
}

/* {"schema":1,"model":ID,"rows":N,"skipped":N,"median_error":..,"p90_error":..,"bias":..} and more:
 * rows were compared, skipped ones left out, of "read" rows in all. Errors are fractions: relative
 * ones, or differences of shares where "error" is "points"; bias is the signed median. Where
 * nothing was compared they are null. NULL when out of memory; the caller deletes it. */
static cJSON *validation_json(const struct validation *v)
{
	cJSON *obj = cJSON_CreateObject();
	bool failed = false;

	cJSON_AddNumberToObject(obj, "schema", 1);
	cJSON_AddStringToObject(obj, "model", v->model->id);
	cJSON_AddNumberToObject(obj, "rows", (double)v->rows);
	cJSON_AddNumberToObject(obj, "skipped", (double)v->faults.n);
	add_errors(obj, &v->errors);
	cJSON_AddNumberToObject(obj, "read", (double)v->read);
	cJSON_AddNumberToObject(obj, "points", (double)v->errors.n);
	cJSON_AddStringToObject(obj, "error", v->model->points ? "points" : "relative");
	cJSON_AddStringToObject(obj, "predicts", v->model->predicts);
	cJSON_AddStringToObject(obj, "unit", v->model->unit);
	cJSON_AddItemToObject(obj, "values", values_json(v));
	cJSON_AddItemToObject(obj, "marks", marks_json(v));
	cJSON_AddItemToObject(obj, "groups", groups_json(v));
	cJSON_AddItemToObject(obj, "worst", worst_json(v, &failed));
	cJSON_AddItemToObject(obj, "left_out", faults_json(&v->faults));
	if (failed) {
		cJSON_Delete(obj);
		return NULL;
	}
	return obj;
}

/* The blocks of its figure, written as if it were a simulation without knobs. */
static cJSON *validation_blocks_json(const struct validation *v, const struct figure *fig)
{
	const struct sim none = { .id = v->model->id, .title = v->model->title };
	const double nothing[1] = { 0 };
	cJSON *all = figure_json(&none, v->tables, nothing, fig);
	cJSON *blocks = cJSON_DetachItemFromObject(all, "blocks");

	cJSON_Delete(all);
	return blocks;
}

/* --- Output --- */

static int print_json(const struct wanted *w, const struct validation *v, const struct streams *io)
{
	struct figure fig = { 0 };
	cJSON *obj = validation_json(v);

	if (w->plot) {
		validation_figure(v, true, &fig);
		cJSON *blocks = fig.arena.failed ? NULL : validation_blocks_json(v, &fig);
		if (!cJSON_AddItemToObject(obj, "blocks", blocks)) {
			cJSON_Delete(blocks);
			cJSON_Delete(obj);
			obj = NULL;
		}
	}
	figure_release(&fig);
	return json_print(obj, io->out);
}

static int print_text(const struct wanted *w, const struct validation *v, const struct streams *io)
{
	struct figure fig = { 0 };
	int rc = -1;

	validation_figure(v, w->plot, &fig);
	if (!fig.arena.failed) {
		fprintf(io->out, "%s: %s\n\n", v->model->title, v->model->predicts);
		rc = report_figure(&fig, &w->report, io->out);
	}
	figure_release(&fig);
	return rc;
}

static int finish(int rc, const struct streams *io)
{
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge validate: out of memory\n");
	return rc || printed_end(io->out) ? 1 : 0;
}

static int one(const struct wanted *w, const struct tables *t, const struct streams *io)
{
	const struct measured_model *m = measured_model_find(w->model);
	struct measured_input in = { .name = w->file ? base_name(w->file) : NULL };
	struct validation v = { 0 };
	char err[ERR_SIZE], *text = NULL;
	int rc;

	if (!m)
		return unknown_model(w->model, io);
	if (w->file) {
		text = read_file(w->file, io->in, &in.bytes);
		in.text = text;
		if (!text) {
			fprintf(io->err, "ridge validate: %.300s: %s\n", w->file,
				own_read_error(CSV_LARGEST, err, sizeof err));
			return 1;
		}
	}
	rc = w->file ? measured_validate(&v, m, t, &in, 1, err, sizeof err)
		     : measured_validate_own(&v, m, t, 0, err, sizeof err);
	if (rc) {
		fprintf(io->err, "ridge validate: %s\n", err);
		rc = w->file || v.arena.failed ? 1 : 2;
	} else {
		rc = finish(w->json ? print_json(w, &v, io) : print_text(w, &v, io), io);
	}
	validation_release(&v);
	free(text);
	return rc;
}

/* --- All of them --- */

static const char *percent(struct figure *fig, const struct measured_model *m, double error)
{
	return isfinite(error) ? figure_text(fig, "%.1f %s", round(1000 * error) / 10 + 0.0,
					 m->points ? "pt" : "%")
			       : "-";
}

static const char *met_text(struct figure *fig, const struct validation *v)
{
	size_t judged = 0, met = 0;

	for (size_t i = 0; i < v->n_verdicts; i++) {
		judged += v->verdicts[i].judged;
		met += v->verdicts[i].judged && v->verdicts[i].met;
	}
	return judged ? figure_text(fig, "%zu of %zu", met, judged) : "-";
}

static void add_model(const struct validation *v, struct table *t, struct figure *fig)
{
	const struct measured_model *m = v->model;

	table_row(fig, t,
		(const char *[]){ m->id, figure_text(fig, "%zu", v->rows),
			figure_text(fig, "%zu", v->faults.n), percent(fig, m, v->errors.median),
			percent(fig, m, v->errors.p90), percent(fig, m, v->errors.bias),
			met_text(fig, v) });
}

static void add_marks(const struct validation *v, struct table *t, struct figure *fig)
{
	for (size_t i = 0; i < v->n_verdicts; i++) {
		const struct measured_verdict *d = &v->verdicts[i];
		table_row(fig, t,
			(const char *[]){ i ? "" : v->model->id, d->text,
				percent(fig, v->model, d->got), measured_verdict_word(d) });
	}
}

/* 1: compared; 0: ridge brings no measurements for this model (err says so); -1: out of memory. */
static int compare(struct validation *v, const struct measured_model *m, const struct tables *t,
	char err[static ERR_SIZE])
{
	if (measured_validate_own(v, m, t, 0, err, ERR_SIZE) == 0)
		return 1;
	return v->arena.failed ? -1 : 0;
}

/* Two tables of all models: their errors, and their marks. 0; -1 when out of memory. */
static int all_figure(const struct tables *t, struct figure *fig)
{
	static const char *const head[] = { "model", "rows", "left out", "median", "90 % within",
		"bias", "marks met" };
	static const char *const mark_head[] = { "model", "mark", "here", "" };
	struct table *errors = figure_table(fig,
		"The models against the measurements that travel with ridge", head, 7, "0111111");
	struct table *marks = figure_table(fig, "Marks", mark_head, 4, "0010");
	int compared = 0;

	for (size_t i = 0; i < n_measured_models && compared >= 0; i++) {
		struct validation v;
		char err[ERR_SIZE];
		compared = compare(&v, measured_models[i], t, err);
		if (compared > 0) {
			add_model(&v, errors, fig);
			add_marks(&v, marks, fig);
		} else {
			figure_note(fig, ROLE_DIM, "%s", err);
		}
		validation_release(&v);
	}
	figure_note(fig, ROLE_DIM,
		"pt: points, the difference of two shares. ridge validate MODEL says more, ridge "
		"validate MODEL FILE.csv takes your own.");
	return compared < 0 || fig->arena.failed ? -1 : 0;
}

static int all_text(const struct wanted *w, const struct tables *t, const struct streams *io)
{
	struct figure fig = { 0 };

	int rc = all_figure(t, &fig);
	if (rc == 0)
		rc = report_figure(&fig, &w->report, io->out);
	figure_release(&fig);
	return finish(rc, io);
}

static int all_json(const struct tables *t, const struct streams *io)
{
	cJSON *obj = cJSON_CreateObject(), *models = cJSON_AddArrayToObject(obj, "models");
	int compared = 0;

	cJSON_AddNumberToObject(obj, "schema", 1);
	for (size_t i = 0; i < n_measured_models && compared >= 0; i++) {
		struct validation v;
		char err[ERR_SIZE];
		compared = compare(&v, measured_models[i], t, err);
		cJSON *model = compared > 0 ? validation_json(&v) : NULL;
		if (compared > 0 && !cJSON_AddItemToArray(models, model)) {
			cJSON_Delete(model);
			compared = -1;
		}
		validation_release(&v);
	}
	if (compared < 0) {
		cJSON_Delete(obj);
		obj = NULL;
	}
	return finish(json_print(obj, io->out), io);
}

int cmd_validate(const struct command_line *line, const struct streams *io)
{
	struct wanted w = { .model = line->words[0],
		.file = line->words[1],
		.json = option_says_yes(line, OPTION_JSON),
		.plot = option_says_yes(line, OPTION_PLOT),
		.report = report_asked(line) };
	struct tables t = { 0 };
	int rc;

	if (tables_load_for(&t, "ridge validate", io->err))
		return 1;
	rc = w.model ? one(&w, &t, io) : w.json ? all_json(&t, io) : all_text(&w, &t, io);
	tables_release(&t);
	return rc;
}
