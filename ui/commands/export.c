/* One function for each kind of block writes its JSON; the CSV has one row for each point, part,
 * span or cell. */
#include "ui/commands/export.h"

#include "sims/base/array.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <string.h>

static cJSON *strings(const char *const text[], size_t n)
{
	cJSON *array = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(array, cJSON_CreateString(text[i] ? text[i] : ""));
	return array;
}

static void add_text(cJSON *obj, const char *name, const char *text)
{
	if (text && *text)
		cJSON_AddStringToObject(obj, name, text);
}

void json_add_number(cJSON *obj, const char *name, double x)
{
	if (isfinite(x))
		cJSON_AddNumberToObject(obj, name, x);
	else
		cJSON_AddNullToObject(obj, name);
}

static cJSON *numbers(const double x[], size_t n)
{
	cJSON *array = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++)
		cJSON_AddItemToArray(
			array, isfinite(x[i]) ? cJSON_CreateNumber(x[i]) : cJSON_CreateNull());
	return array;
}

static const char *role_word(enum role r)
{
	static const char *const words[] = { "plain", "dim", "good", "warn", "bad", "accent" };
	assert((size_t)r < LENGTH(words));
	return words[r];
}

static cJSON *axis_json(const struct axis *a)
{
	static const char *const scales[] = { "linear", "log2", "log10" };
	assert((size_t)a->scale < LENGTH(scales));
	cJSON *obj = cJSON_CreateObject();
	cJSON_AddStringToObject(obj, "title", a->title);
	cJSON_AddStringToObject(obj, "unit", a->unit);
	cJSON_AddStringToObject(obj, "scale", scales[a->scale]);
	return obj;
}

static cJSON *rules_json(const struct rule *rules, size_t n)
{
	cJSON *array = cJSON_CreateArray();
	for (size_t i = 0; i < n; i++) {
		cJSON *rule = cJSON_CreateObject();
		cJSON_AddStringToObject(rule, "axis", rules[i].horizontal ? "y" : "x");
		json_add_number(rule, "at", rules[i].at);
		add_text(rule, "label", rules[i].label);
		cJSON_AddItemToArray(array, rule);
	}
	return array;
}

/* One for each point, of the markers that have one. */
static void add_ranges(cJSON *obj, const struct series *s)
{
	cJSON *ranges = NULL;
	for (size_t i = 0; i < s->n && !ranges; i++)
		if (s->style == SERIES_POINTS && s->points[i].low < s->points[i].high)
			ranges = cJSON_AddArrayToObject(obj, "ranges");
	for (size_t i = 0; ranges && i < s->n; i++)
		cJSON_AddItemToArray(
			ranges, numbers((double[]){ s->points[i].low, s->points[i].high }, 2));
}

static cJSON *series_json(const struct series *s)
{
	cJSON *obj = cJSON_CreateObject(), *points = cJSON_CreateArray();
	cJSON_AddStringToObject(obj, "name", s->name);
	cJSON_AddBoolToObject(obj, "measured", s->measured);
	cJSON_AddItemToObject(obj, "points", points);
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		cJSON *point = numbers((double[]){ p->x, p->y }, 2);
		if (p->name) {
			cJSON_AddItemToArray(point, cJSON_CreateString(p->name));
			cJSON_AddItemToArray(point, cJSON_CreateString(role_word(p->role)));
		}
		cJSON_AddItemToArray(points, point);
	}
	add_ranges(obj, s);
	return obj;
}

static void plot_json(cJSON *obj, const struct plot *p)
{
	cJSON *series = cJSON_CreateArray();
	cJSON_AddItemToObject(obj, "x", axis_json(&p->x));
	cJSON_AddItemToObject(obj, "y", axis_json(&p->y));
	cJSON_AddItemToObject(obj, "series", series);
	for (size_t i = 0; i < p->n_series; i++)
		cJSON_AddItemToArray(series, series_json(&p->series[i]));
	cJSON_AddItemToObject(obj, "rules", rules_json(p->rules, p->n_rules));
}

static void bars_json(cJSON *obj, const struct bars *b)
{
	cJSON *bars = cJSON_CreateArray();
	cJSON_AddStringToObject(obj, "unit", b->unit);
	if (b->log)
		cJSON_AddTrueToObject(obj, "log");
	cJSON_AddItemToObject(obj, "parts", strings(b->part_names, b->n_parts));
	cJSON_AddItemToObject(obj, "bars", bars);
	for (size_t i = 0; i < b->n_bars; i++) {
		cJSON *bar = cJSON_CreateObject();
		cJSON_AddStringToObject(bar, "label", b->bars[i].label);
		cJSON_AddItemToObject(bar, "values", numbers(b->bars[i].parts, b->n_parts));
		add_text(bar, "note", b->bars[i].note);
		if (b->bars[i].passes)
			add_text(bar, "passes", b->bars[i].passes);
		if (b->bars[i].opens)
			add_text(bar, "opens", b->bars[i].opens);
		if (b->bars[i].mark > 0)
			cJSON_AddNumberToObject(bar, "mark", b->bars[i].mark);
		cJSON_AddItemToArray(bars, bar);
	}
	if (isfinite(b->limit))
		cJSON_AddNumberToObject(obj, "limit", b->limit);
}

static void timeline_json(cJSON *obj, const struct timeline *t)
{
	cJSON *spans = cJSON_CreateArray();
	cJSON_AddItemToObject(obj, "lanes", strings(t->lane_names, t->n_lanes));
	cJSON_AddItemToObject(obj, "kinds", strings(t->kind_names, t->n_kinds));
	cJSON_AddItemToObject(obj, "spans", spans);
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *s = &t->spans[i];
		assert((size_t)s->lane < t->n_lanes && (size_t)s->kind < t->n_kinds);
		cJSON_AddItemToArray(
			spans, numbers((double[]){ s->lane, s->kind, s->start, s->end }, 4));
	}
	cJSON_AddItemToObject(obj, "rules", rules_json(t->rules, t->n_rules));
}

/* Each frame is a list of rows, and a row is a string with one character for each cell: that is
 * small, and easy to read back. */
static void grid_json(cJSON *obj, const struct grid *g)
{
	cJSON *frames = cJSON_CreateArray();
	cJSON_AddItemToObject(obj, "kinds", strings(g->kind_names, g->n_kinds));
	cJSON_AddItemToObject(obj, "times_s", numbers(g->frame_times, g->n_frames));
	cJSON_AddItemToObject(obj, "frames", frames);
	char row[1024];
	for (size_t f = 0; f < g->n_frames; f++) {
		cJSON *lines = cJSON_CreateArray();
		for (size_t r = 0; r < g->rows; r++) {
			size_t n = g->cols < sizeof row - 1 ? g->cols : sizeof row - 1;
			for (size_t c = 0; c < n; c++)
				row[c] = (char)('0' + g->cells[(f * g->rows + r) * g->cols + c]);
			row[n] = '\0';
			cJSON_AddItemToArray(lines, cJSON_CreateString(row));
		}
		cJSON_AddItemToArray(frames, lines);
	}
}

static void table_json(cJSON *obj, const struct table *t)
{
	cJSON *rows = cJSON_CreateArray();
	cJSON_AddItemToObject(obj, "head", strings(t->head, t->cols));
	cJSON_AddItemToObject(obj, "rows", rows);
	for (size_t i = 0; i < t->n_rows; i++)
		cJSON_AddItemToArray(rows, strings(t->rows[i], t->cols));
}

static cJSON *block_json(const struct block *b)
{
	static const char *const kinds[] = { "plot", "bars", "timeline", "grid", "table", "note" };
	assert((size_t)b->kind < LENGTH(kinds));
	cJSON *obj = cJSON_CreateObject();
	cJSON_AddStringToObject(obj, "kind", kinds[b->kind]);
	switch (b->kind) {
	case BLOCK_PLOT:
		add_text(obj, "title", b->as.plot.title);
		plot_json(obj, &b->as.plot);
		break;
	case BLOCK_BARS:
		add_text(obj, "title", b->as.bars.title);
		bars_json(obj, &b->as.bars);
		break;
	case BLOCK_TIMELINE:
		add_text(obj, "title", b->as.timeline.title);
		timeline_json(obj, &b->as.timeline);
		break;
	case BLOCK_GRID:
		add_text(obj, "title", b->as.grid.title);
		grid_json(obj, &b->as.grid);
		break;
	case BLOCK_TABLE:
		add_text(obj, "title", b->as.table.title);
		table_json(obj, &b->as.table);
		break;
	case BLOCK_NOTE:
		add_text(obj, "text", b->as.note.text);
		add_text(obj, "role", role_word(b->as.note.role));
		break;
	}
	return obj;
}

static cJSON *knobs_json(const struct sim *s, const struct tables *t, const double v[])
{
	cJSON *obj = cJSON_CreateObject();
	for (size_t i = 0; i < s->n_knobs; i++) {
		const struct knob *k = &s->knobs[i];
		if (k->kind == KNOB_NUMBER || k->kind == KNOB_TOGGLE)
			json_add_number(obj, k->id, v[i]);
		else
			cJSON_AddStringToObject(obj, k->id, knob_choice(k, t, (size_t)v[i]));
	}
	return obj;
}

static cJSON *values_json(const struct figure *fig)
{
	cJSON *obj = cJSON_CreateObject();
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *value = &fig->values[i];
		cJSON *item = cJSON_CreateObject();
		cJSON_AddStringToObject(item, "label", value->label);
		json_add_number(item, "value", value->value);
		cJSON_AddStringToObject(item, "unit", value->unit);
		if (isinf(value->value))
			cJSON_AddStringToObject(
				item, "note", value->value > 0 ? "infinite" : "minus infinite");
		else
			add_text(item, "note", value->note);
		cJSON_AddItemToObject(obj, value->id, item);
	}
	return obj;
}

cJSON *figure_json(
	const struct sim *s, const struct tables *t, const double v[], const struct figure *fig)
{
	cJSON *obj = cJSON_CreateObject(), *blocks = cJSON_CreateArray();
	cJSON_AddNumberToObject(obj, "schema", 1);
	cJSON_AddStringToObject(obj, "sim", s->id);
	cJSON_AddItemToObject(obj, "knobs", knobs_json(s, t, v));
	cJSON_AddItemToObject(obj, "values", values_json(fig));
	cJSON_AddItemToObject(obj, "assumptions", strings(fig->assumptions, fig->n_assumptions));
	cJSON_AddItemToObject(obj, "leaves_out", strings(fig->leaves_out, fig->n_leaves_out));
	add_text(obj, "why", fig->why);
	add_text(obj, "accuracy", fig->accuracy);
	cJSON_AddItemToObject(obj, "blocks", blocks);
	for (size_t i = 0; i < fig->n_blocks; i++)
		cJSON_AddItemToArray(blocks, block_json(fig->blocks[i]));
	return obj;
}

int json_print(cJSON *obj, FILE *out)
{
	/* cJSON leaves out what there is no memory for, and then only the allocator's errno tells. */
	char *text = obj && errno != ENOMEM ? cJSON_Print(obj) : NULL;
	cJSON_Delete(obj);
	if (!text)
		return -1;
	int rc = fprintf(out, "%s\n", text) < 0 || fflush(out) ? -1 : 0;
	cJSON_free(text);
	return rc;
}

static void csv_text(const char *text, FILE *out)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_row(FILE *out, const char *block, const char *series, const char *label, double x,
	double y, const char *unit)
{
	csv_text(block, out);
	fputc(',', out);
	csv_text(series, out);
	fputc(',', out);
	csv_text(label, out);
	fputc(',', out);
	if (!isnan(x))
		fprintf(out, "%.10g", x);
	fputc(',', out);
	if (!isnan(y))
		fprintf(out, "%.10g", y);
	fputc(',', out);
	csv_text(unit, out);
	fputc('\n', out);
}

static void block_csv(const struct block *b, FILE *out)
{
	const struct plot *p = &b->as.plot;
	const struct bars *bars = &b->as.bars;
	const struct timeline *t = &b->as.timeline;
	const struct table *table = &b->as.table;
	switch (b->kind) {
	case BLOCK_PLOT:
		for (size_t i = 0; i < p->n_series; i++)
			for (size_t j = 0; j < p->series[i].n; j++) {
				const struct point *at = &p->series[i].points[j];
				csv_row(out, p->title, p->series[i].name, at->name, at->x, at->y,
					p->y.unit);
			}
		break;
	case BLOCK_BARS:
		for (size_t i = 0; i < bars->n_bars; i++)
			for (size_t j = 0; j < bars->n_parts; j++)
				csv_row(out, bars->title, bars->part_names[j], bars->bars[i].label,
					NAN, bars->bars[i].parts[j], bars->unit);
		break;
	case BLOCK_TIMELINE:
		for (size_t i = 0; i < t->n_spans; i++)
			csv_row(out, t->title, t->lane_names[t->spans[i].lane],
				t->kind_names[t->spans[i].kind], t->spans[i].start, t->spans[i].end,
				"s");
		break;
	case BLOCK_TABLE:
		for (size_t i = 0; i < table->n_rows; i++)
			for (size_t j = 1; j < table->cols; j++)
				csv_row(out, table->rows[i][0], table->head[j], table->rows[i][j],
					NAN, NAN, "");
		break;
	case BLOCK_GRID:
	case BLOCK_NOTE:
		break;
	}
}

void figure_csv(const struct figure *fig, FILE *out)
{
	fputs("block,series,label,x,y,unit\n", out);
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *v = &fig->values[i];
		csv_row(out, "values", v->id, v->label, NAN, v->value, v->unit);
	}
	for (size_t i = 0; i < fig->n_blocks; i++)
		block_csv(fig->blocks[i], out);
}
