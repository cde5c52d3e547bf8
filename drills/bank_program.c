/* A program to write: its texts, the cases it is run against and what is compared. */
#include "drills/bank_read.h"

#include "sims/base/nearest.h"

#include <ctype.h>
#include <string.h>

enum { MOST_LINES = 200, FEWEST_CHECK_LINES = 3, LONGEST_NAME = 40 };

const char *const language_names[N_LANGUAGES + 1] = { "python", "c" };
const char *const language_titles[N_LANGUAGES + 1] = { "Python", "C" };

static int read_language(const struct bank_reader *r, const cJSON *object, struct drill_program *p)
{
	const cJSON *language = bank_member(object, "language");
	const char *given = cJSON_IsString(language) ? language->valuestring : "";
	for (unsigned i = 0; i < N_LANGUAGES; i++)
		if (strcmp(language_names[i], given) == 0) {
			p->language = (enum program_language)i;
			return 0;
		}
	const char *near = nearest_name(given, language_names, N_LANGUAGES);
	return bank_refuse(r, "language: expected python or c, not \"%.40s\"%s%s", given,
		near ? "; did you mean " : "", near ? near : "");
}

static int check_line(const struct bank_reader *r, const char *what, const cJSON *line)
{
	if (!cJSON_IsString(line))
		return bank_refuse(r, "%s: expected an array of lines", what);
	for (const char *p = line->valuestring; *p; p++)
		if (iscntrl((unsigned char)*p) && *p != '\t')
			return bank_refuse(r, "%s: a line has a control character", what);
	return 0;
}

/* Lines as one text, each ended. */
static const char *join_lines(const struct bank_reader *r, const cJSON *list, size_t bytes)
{
	const cJSON *line;
	char *text = arena_array(r->arena, bytes + 1, 1), *end = text;
	if (!text) {
		bank_refuse(r, "out of memory");
		return NULL;
	}
	cJSON_ArrayForEach(line, list)
	{
		size_t n = strlen(line->valuestring);
		memcpy(end, line->valuestring, n);
		end += n;
		*end++ = '\n';
	}
	return text;
}

static int read_lines(
	const struct bank_reader *r, const cJSON *object, const char *what, const char **out)
{
	const cJSON *list = bank_member(object, what), *line;
	int n = cJSON_GetArraySize(list);
	size_t bytes = 0;
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_LINES)
		return bank_refuse(r, "%s: expected an array of 1 to %d lines", what, MOST_LINES);
	cJSON_ArrayForEach(line, list)
	{
		if (check_line(r, what, line))
			return -1;
		bytes += strlen(line->valuestring) + 1;
	}
	if (bytes > LONGEST_PROGRAM)
		return bank_refuse(r, "%s: expected at most %d bytes", what, LONGEST_PROGRAM);
	*out = join_lines(r, list, bytes);
	return *out ? 0 : -1;
}

size_t program_field(const char *at, char *name, size_t size)
{
	size_t n = *at == '@' ? strspn(at + 1, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;
	if (n == 0 || n >= size || at[1 + n] != '@')
		return 0;
	memcpy(name, at + 1, n);
	name[n] = '\0';
	return n + 2;
}

/* Every @name@ of a program must be known. */
static int check_program(
	const struct bank_reader *r, const struct drill *d, const char *what, const char *text)
{
	char name[64];
	for (const char *p = text; *p; p++) {
		size_t n = program_field(p, name, sizeof name);
		if (n && !bank_knows(d, name))
			return bank_refuse(
				r, "%s: @%s@ is no field, and no field fills it", what, name);
		p += n ? n - 1 : 0;
	}
	return 0;
}

static int read_programs(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_program *p)
{
	return read_lines(r, object, "stub", &p->stub) ||
			       read_lines(r, object, "solution", &p->solution) ||
			       read_lines(r, object, "checks", &p->checks) ||
			       check_program(r, d, "stub", p->stub) ||
			       check_program(r, d, "solution", p->solution) ||
			       check_program(r, d, "checks", p->checks)
		       ? -1
		       : 0;
}

static int read_check_list(
	const struct bank_reader *r, const cJSON *object, struct drill_program *p)
{
	const cJSON *list = bank_member(object, "check_list"), *line;
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < FEWEST_CHECK_LINES || n > MOST_CHECK_LINES)
		return bank_refuse(r, "check_list: expected %d to %d lines", FEWEST_CHECK_LINES,
			MOST_CHECK_LINES);
	const char **lines = arena_array(r->arena, (size_t)n, sizeof *lines);
	if (!lines)
		return bank_refuse(r, "out of memory");
	cJSON_ArrayForEach(line, list)
	{
		if (check_line(r, "check_list", line))
			return -1;
		lines[p->n_check_list++] = arena_text(r->arena, line->valuestring);
	}
	p->check_list = lines;
	return 0;
}

/* The formulas come first: the fields of the cases take their units from them. */
static int find_formulas(const struct bank_reader *r, const cJSON *list, struct drill_step *steps)
{
	const cJSON *one;
	size_t n = 0;
	cJSON_ArrayForEach(one, list)
	{
		struct drill_step *s = &steps[n++];
		const char *formula = NULL;
		*s = (struct drill_step){ .kind = KIND_NUMBER,
			.name = "",
			.unit = "",
			.shown_unit = "",
			.tolerance = { TOLERANCE_RELATIVE, 1e-9 },
			.key = { .times = { NULL, 1 }, .over = { NULL, 1 } } };
		if (!cJSON_IsObject(one))
			return bank_refuse(r, "expect: expected objects");
		if (bank_text(r, one, "formula", true, &formula))
			return -1;
		if (!formula)
			continue;
		s->key.formula = formula_find(formula);
		if (!s->key.formula)
			return bank_refuse(r, "expect: there is no formula \"%.40s\"", formula);
		s->unit = s->shown_unit = s->key.formula->unit;
	}
	return 0;
}

/* Names of fields are members of a struct, or keys of a dict. */
static int check_names(const struct bank_reader *r, const struct drill_program *p)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		const char *name = p->fields[i].name;
		size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
		if (name[n] || n > LONGEST_NAME || !islower((unsigned char)*name))
			return bank_refuse(r,
				"cases: expected fields such as \"layers\", not \"%.40s\"", name);
	}
	return 0;
}

/* "cases": all gets their fields behind the drill's own. */
static int read_cases(const struct bank_reader *r, const cJSON *object, struct drill *all,
	const struct drill_step *steps, size_t n_steps, struct drill_program *p)
{
	static const char *const known[] = { "count", "fields", "shown", NULL };
	const cJSON *cases = bank_member(object, "cases"), *count = bank_member(cases, "count");
	size_t own = all->n_fields;
	if (bank_check_members(r, cases, "cases", known))
		return -1;
	if (!cJSON_IsNumber(count) || !(count->valuedouble >= 1) ||
		count->valuedouble > MOST_CASES ||
		count->valuedouble != (double)(size_t)count->valuedouble)
		return bank_refuse(r, "count: expected 1 to %d cases", MOST_CASES);
	p->n_cases = (size_t)count->valuedouble;
	all->kind = KIND_NUMBER; /* its fields are not optional */
	if (bank_read_fields(r, cases, steps, n_steps, all) ||
		bank_text(r, cases, "shown", false, &p->shown) ||
		bank_check_text(r, all, "shown", p->shown))
		return -1;
	p->fields = all->fields + own;
	p->n_fields = all->n_fields - own;
	return check_names(r, p);
}

static int read_tolerance(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	char why[200];
	if (tolerance_read(object, &s->tolerance, why, sizeof why))
		return bank_refuse(r, "%s", why);
	return s->tolerance.mode == TOLERANCE_RELATIVE && s->tolerance.amount > 0 &&
			       s->tolerance.amount < 1
		       ? 0
		       : bank_refuse(r, "mode: expected {\"rel\": ...} between 0 and 1");
}

static int read_computed(const struct bank_reader *r, const cJSON *object, const struct drill *all,
	struct drill_step *s)
{
	const cJSON *times = bank_member(object, "times"), *over = bank_member(object, "over");
	if ((times && bank_read_operand(r, times, all, "times", &s->key.times)) ||
		(over && bank_read_operand(r, over, all, "over", &s->key.over)) ||
		bank_read_settings(r, object, all, &s->key) ||
		bank_check_value(r, all, "expect", &s->key))
		return -1;
	return bank_member(object, "mistakes") ? bank_read_mistakes(r, object, all, s) : 0;
}

static int read_expectation(const struct bank_reader *r, const cJSON *object,
	const struct drill *all, struct drill_step *s, struct drill_expectation *e)
{
	static const char *const of_formula[] = { "name", "formula", "set", "times", "over", "mode",
		"at_most", "mistakes", NULL };
	static const char *const of_solution[] = { "name", "from", "mode", NULL };
	const cJSON *from = bank_member(object, "from"), *limit = bank_member(object, "at_most");
	*e = (struct drill_expectation){ .step = s, .computed = s->key.formula != NULL };
	if (bank_check_members(
		    r, object, "an expectation", e->computed ? of_formula : of_solution) ||
		bank_text(r, object, "name", false, &e->name) || read_tolerance(r, object, s))
		return -1;
	if (!e->computed)
		return cJSON_IsString(from) && strcmp(from->valuestring, "solution") == 0
			       ? 0
			       : bank_refuse(r,
					 "expect: expected a formula, or \"from\": \"solution\"");
	if (limit && !cJSON_IsBool(limit))
		return bank_refuse(r, "at_most: expected true or false");
	e->at_most = cJSON_IsTrue(limit);
	return read_computed(r, object, all, s);
}

static int read_expectations(const struct bank_reader *r, const cJSON *list,
	const struct drill *all, struct drill_step *steps, struct drill_program *p)
{
	const cJSON *one;
	size_t limits = 0;
	struct drill_expectation *expectations =
		arena_array(r->arena, (size_t)cJSON_GetArraySize(list), sizeof *expectations);
	if (!expectations)
		return bank_refuse(r, "out of memory");
	p->expectations = expectations;
	cJSON_ArrayForEach(one, list)
	{
		struct drill_expectation *e = &expectations[p->n_expectations];
		if (read_expectation(r, one, all, &steps[p->n_expectations], e))
			return -1;
		limits += e->at_most;
		p->n_expectations++;
	}
	/* A program that prints zeros keeps within all limits. */
	return limits < p->n_expectations
		       ? 0
		       : bank_refuse(r, "expect: expected more than limits (\"at_most\")");
}

int bank_read_program(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *list = bank_member(object, "expect");
	size_t n = (size_t)cJSON_GetArraySize(list);
	struct drill all = *d;
	struct drill_program *p = arena_alloc(r->arena, sizeof *p);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_EXPECTATIONS)
		return bank_refuse(r, "expect: expected 1 to %d", MOST_EXPECTATIONS);
	struct drill_step *steps = arena_array(r->arena, n, sizeof *steps);
	if (!p || !steps)
		return bank_refuse(r, "out of memory");
	d->program = p;
	return read_language(r, object, p) || read_programs(r, object, d, p) ||
			       read_check_list(r, object, p) || find_formulas(r, list, steps) ||
			       read_cases(r, object, &all, steps, n, p) ||
			       read_expectations(r, list, &all, steps, p)
		       ? -1
		       : 0;
}
