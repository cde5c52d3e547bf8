/* Figures for programs: JSON that another parser reads back, CSV with six columns in each row. */
#include "tests/settings.h"
#include "ui/commands/export.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

enum { COLUMNS = 6 };

static const cJSON *member(const cJSON *obj, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(obj, name);
}

/* cJSON writes as many digits as tell two numbers apart by more than one rounding. */
static bool is_number(const cJSON *item, double x)
{
	return cJSON_IsNumber(item) && fabs(item->valuedouble - x) <= fabs(x) * 2.3e-16;
}

static void check_knobs(
	const struct sim *s, const struct tables *t, const double v[], const cJSON *knobs)
{
	cr_expect(eq(int, cJSON_GetArraySize(knobs), (int)s->n_knobs), "%s", s->id);
	for (size_t i = 0; i < s->n_knobs; i++) {
		const struct knob *k = &s->knobs[i];
		const cJSON *item = member(knobs, k->id);
		bool choice = k->kind != KNOB_NUMBER && k->kind != KNOB_TOGGLE;
		if (choice)
			cr_expect(cJSON_IsString(item) &&
					  strcmp(item->valuestring,
						  knob_choice(k, t, (size_t)v[i])) == 0,
				"%s %s", s->id, k->id);
		else
			cr_expect(is_number(item, v[i]), "%s %s: %.17g", s->id, k->id, v[i]);
	}
}

static void check_values(const struct figure *fig, const cJSON *values)
{
	cr_expect(eq(int, cJSON_GetArraySize(values), (int)fig->n_values));
	for (size_t i = 0; i < fig->n_values; i++) {
		const struct value *v = &fig->values[i];
		const cJSON *item = member(values, v->id), *number = member(item, "value");
		cr_expect(cJSON_IsString(member(item, "label")) &&
				  cJSON_IsString(member(item, "unit")),
			"%s", v->id);
		cr_expect(is_number(number, v->value) ||
				  (!isfinite(v->value) && cJSON_IsNull(number)),
			"%s: %g", v->id, v->value);
	}
}

static void check_json(const struct sim *s, const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	fig.memo = t->memo;
	s->run(t, v, &fig);
	cr_assert(zero(int, json_print(figure_json(s, t, v, &fig), f)));
	fclose(f);
	cJSON *obj = cJSON_ParseWithOpts(text, NULL, true);
	cr_assert(cJSON_IsObject(obj) != 0, "%s: %.200s", s->id, text);
	cr_expect(eq(dbl, cJSON_GetNumberValue(member(obj, "schema")), 1));
	cr_expect(eq(str, cJSON_GetStringValue(member(obj, "sim")), (char *)s->id));
	check_knobs(s, t, v, member(obj, "knobs"));
	check_values(&fig, member(obj, "values"));
	cr_expect(eq(int, cJSON_GetArraySize(member(obj, "assumptions")), (int)fig.n_assumptions));
	cr_expect(eq(int, cJSON_GetArraySize(member(obj, "leaves_out")), (int)fig.n_leaves_out));
	cr_expect(eq(int, cJSON_GetArraySize(member(obj, "blocks")), (int)fig.n_blocks));
	const cJSON *block;
	cJSON_ArrayForEach(block, member(obj, "blocks"))
		cr_expect(cJSON_IsString(member(block, "kind")) != 0, "%s", s->id);
	cJSON_Delete(obj);
	free(text);
	figure_release(&fig);
}

/* A field of CSV (RFC 4180) at *p, into buf without its quotes. False: not well formed. */
static bool csv_field(const char **p, char *buf, size_t size)
{
	size_t n = 0;
	bool quoted = **p == '"';
	*p += quoted;
	for (; **p && n + 1 < size; (*p)++) {
		if (quoted && (*p)[0] == '"' && (*p)[1] == '"')
			(*p)++;
		else if (quoted && **p == '"')
			break;
		else if (!quoted && strchr(",\n\"", **p))
			break;
		buf[n++] = **p;
	}
	buf[n] = '\0';
	if (quoted && **p != '"')
		return false;
	*p += quoted;
	return **p == ',' || **p == '\n';
}

/* Checks every row of the text; the number of rows. */
static size_t check_rows(const char *text)
{
	size_t rows = 0;
	for (const char *p = text; *p; p++, rows++)
		for (int column = 0; column < COLUMNS; column++) {
			char field[1024], *end;
			cr_assert(csv_field(&p, field, sizeof field), "row %zu: %.80s", rows, p);
			cr_assert(p[0] == (column < COLUMNS - 1 ? ',' : '\n'),
				"row %zu, column %d: %.80s", rows, column, p);
			if (rows > 0 && (column == 3 || column == 4) && field[0])
				cr_expect(isnan(strtod(field, &end)) == 0 && end[0] == '\0',
					"row %zu: \"%s\"", rows, field);
			p += column < COLUMNS - 1;
		}
	return rows;
}

static char *csv_of(const struct figure *fig)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	figure_csv(fig, f);
	fclose(f);
	return text;
}

static void for_some_settings(
	void (*check)(const struct sim *, const struct tables *, const double[]))
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct rng r = rng_stream(6, sims[i]->id, 0);
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		for (int n = 0; n < 8; n++) {
			check(sims[i], &t, v);
			random_setting(sims[i], &t, &r, v);
		}
	}
	tables_release(&t);
}

Test(export, json_of_every_simulation_is_whole, .description = "long")
{
	for_some_settings(check_json);
}

static void check_csv(const struct sim *s, const struct tables *t, const double v[])
{
	struct figure fig = { 0 };
	fig.memo = t->memo;
	s->run(t, v, &fig);
	char *text = csv_of(&fig);
	cr_expect(strncmp(text, "block,series,label,x,y,unit\n", 28) == 0);
	cr_expect(lt(sz, fig.n_values, check_rows(text)), "%s", s->id);
	free(text);
	figure_release(&fig);
}

Test(export, csv_of_every_simulation_has_six_columns, .description = "long")
{
	for_some_settings(check_csv);
}

/* One block of each kind, with everything in its texts that a field must be quoted for. */
static void build_nasty(struct figure *fig)
{
	static const char *const parts[] = { "a,b", "\"" }, *const head[] = { "x,", "\"y\"" },
				 *const cells[] = { "one,two", "\"quoted\"\nline" };
	figure_value(fig, "v", "comma, quote \"", INFINITY, "B/s", ROLE_PLAIN);
	figure_value(fig, "nan", "not a number", NAN, "", ROLE_PLAIN);
	struct plot *p =
		figure_plot(fig, "plot, \"one\"", "x", "", AXIS_LINEAR, "y", "", AXIS_LINEAR);
	struct series *s = plot_series(fig, p, "s,\n", SERIES_POINTS, 0);
	series_mark(fig, s, 1, NAN, "mark, \"", ROLE_GOOD);
	series_point(fig, s, 1e-300, -0.1);
	bars_add(fig, figure_bars(fig, "bars", "ms", parts, 2), "bar\"", (double[]){ 1, NAN });
	timeline_span(fig, figure_timeline(fig, "t", parts, 2, parts, 2), 1, 0, 0, 1, NULL);
	figure_grid(fig, "g", parts, 2, NULL, 2, 2, NULL, 1);
	table_row(fig, figure_table(fig, "table", head, 2, "00"), cells);
	figure_note(fig, ROLE_WARN, "note, \"\n");
}

Test(export, csv_quotes_what_it_must)
{
	struct figure fig = { 0 };
	build_nasty(&fig);
	char *text = csv_of(&fig);
	/* head, two values, two points, two parts, a span, a cell */
	cr_expect(eq(sz, check_rows(text), 9), "%s", text);
	cr_expect(strstr(text, "values,v,\"comma, quote \"\"\",,") != NULL, "%s", text);
	cr_expect(strstr(text, "\"plot, \"\"one\"\"\",\"s,\n\",\"mark, \"\"\",1,,\n") != NULL, "%s",
		text);
	free(text);
	figure_release(&fig);
}

Test(export, json_survives_any_text)
{
	struct tables t = load_tables();
	struct figure fig = { 0 };
	double v[MAX_KNOBS];
	sim_defaults(sims[0], &t, v);
	build_nasty(&fig);
	cJSON *made = figure_json(sims[0], &t, v, &fig);
	char *text = cJSON_PrintUnformatted(made);
	cJSON *obj = cJSON_ParseWithOpts(text, NULL, true);
	cr_assert(cJSON_IsObject(obj) != 0);
	cr_expect(cJSON_Compare(made, obj, true) != 0);
	check_values(&fig, member(obj, "values"));
	static const char *const kinds[] = { "plot", "bars", "timeline", "grid", "table", "note" };
	for (int i = 0; i < 6; i++)
		cr_expect(eq(str,
			cJSON_GetStringValue(
				member(cJSON_GetArrayItem(member(obj, "blocks"), i), "kind")),
			(char *)kinds[i]));
	cJSON_Delete(obj);
	cJSON_Delete(made);
	cJSON_free(text);
	figure_release(&fig);
	tables_release(&t);
}
