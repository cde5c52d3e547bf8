#include "sims/tables/tables_fields.h"

#include "sims/base/nearest.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_FIELDS = 64 /* bits of the set of fields seen */, LONGEST_TEXT = 64 };

int refuse(const struct fields_reader *r, const char *fmt, ...)
{
	char why[320];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	snprintf(r->err, r->err_size, "%s: %s%s%s%s%s%s%s", r->file, r->entry ? r->entry : "",
		r->entry ? ": " : "", r->group ? r->group : "", r->group ? "." : "",
		r->field ? r->field : "", r->field ? ": " : "", why);
	return -1;
}

struct excerpt excerpt(const char *s)
{
	enum { LONGEST = 40 };
	struct excerpt e = { "" };
	size_t n = 0;

	for (; *s && n < LONGEST; s++)
		e.text[n++] = (char)(*s >= 0x20 && *s < 0x7f ? *s : '?');
	if (*s)
		memcpy(e.text + n, "...", 3);
	return e;
}

struct excerpt found(const cJSON *j)
{
	struct excerpt e = { "nothing" };

	if (cJSON_IsString(j))
		snprintf(e.text, sizeof e.text, "\"%.50s\"", excerpt(j->valuestring).text);
	else if (cJSON_IsNumber(j))
		snprintf(e.text, sizeof e.text, "%g", j->valuedouble);
	else if (cJSON_IsArray(j))
		snprintf(e.text, sizeof e.text, "a list of %d", cJSON_GetArraySize(j));
	else if (cJSON_IsObject(j))
		snprintf(e.text, sizeof e.text, "an object");
	else if (cJSON_IsBool(j))
		snprintf(e.text, sizeof e.text, "%s", cJSON_IsTrue(j) ? "true" : "false");
	else if (cJSON_IsNull(j))
		snprintf(e.text, sizeof e.text, "null");
	return e;
}

struct excerpt suggestion(const char *typed, const char *const names[], size_t n)
{
	const char *nearest = nearest_name(typed, names, n);
	struct excerpt e = { "" };

	if (nearest)
		snprintf(
			e.text, sizeof e.text, " (did you mean \"%.50s\"?)", excerpt(nearest).text);
	return e;
}

static int check_source(const struct fields_reader *r, const char *key)
{
	const char *names[MOST_SOURCES];
	size_t n = 0;

	if (cJSON_GetObjectItemCaseSensitive(r->sources, key))
		return 0;
	for (const cJSON *s = r->sources->child; s; s = s->next)
		names[n++] = s->string;
	return refuse(r, "expected a source named in \"sources\", found \"%s\"%s",
		excerpt(key).text, suggestion(key, names, n).text);
}

static int check_range(const struct fields_reader *r, const struct field *f, double value)
{
	char least[64], most[64], got[64];

	if (value >= f->min && value <= f->max)
		return f->kind == FIELD_COUNT && value != floor(value)
			       ? refuse(r, "expected a whole number, found %g", value)
			       : 0;
	return refuse(r, "expected %s to %s, found %s",
		quantity_format(least, sizeof least, f->min, f->unit),
		quantity_format(most, sizeof most, f->max, f->unit),
		quantity_format(got, sizeof got, value, f->unit));
}

static bool read_unit(struct fields_reader *r, const char *text, struct unit *unit)
{
	for (size_t i = 0; i < r->n_units; i++)
		if (strcmp(r->units[i].text, text) == 0) {
			*unit = r->units[i].unit;
			return true;
		}
	if (!unit_parse(text, unit))
		return false;
	if (r->n_units < MOST_UNITS) {
		r->units[r->n_units].text = text;
		r->units[r->n_units++].unit = *unit;
	}
	return true;
}

static int read_figure(struct fields_reader *r, const struct field *f, const cJSON *j, void *to)
{
	const cJSON *number = cJSON_GetArrayItem(j, 0);
	const cJSON *unit = cJSON_GetArrayItem(j, 1);
	const cJSON *source = cJSON_GetArrayItem(j, 2);
	struct unit given, wanted;

	if (!cJSON_IsArray(j) || cJSON_GetArraySize(j) != 3 || !cJSON_IsNumber(number) ||
		!cJSON_IsString(unit) || !cJSON_IsString(source))
		return refuse(
			r, "expected [number, \"unit\", \"source\"], found %s", found(j).text);
	if (!read_unit(r, f->unit, &wanted) || !read_unit(r, unit->valuestring, &given) ||
		!unit_same_dimension(&given, &wanted))
		return refuse(r, "expected a unit such as \"%s\", found \"%s\"", f->unit,
			excerpt(unit->valuestring).text);
	double value = number->valuedouble * given.factor / wanted.factor;
	if (check_range(r, f, value) || check_source(r, source->valuestring))
		return -1;
	memcpy(to, &value, sizeof value);
	return 0;
}

static bool is_id(const char *s)
{
	return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789.-_")] == '\0';
}

static bool is_printable(const char *s)
{
	for (; *s; s++)
		if (*s < 0x20 || *s > 0x7e)
			return false;
	return true;
}

static int read_text(const struct fields_reader *r, const struct field *f, const cJSON *j, void *to)
{
	const char *s = cJSON_GetStringValue(j);

	if (!s)
		return refuse(r, "expected a text, found %s", found(j).text);
	if (f->kind == FIELD_NOTE)
		return 0;
	if (!*s || strlen(s) > LONGEST_TEXT)
		return refuse(r, "expected 1 to %d characters, found %zu", LONGEST_TEXT, strlen(s));
	if (f->kind == FIELD_ID && !is_id(s))
		return refuse(r,
			"expected lower-case letters, digits, '.', '-' and '_', found \"%s\"",
			excerpt(s).text);
	if (!is_printable(s))
		return refuse(r, "expected plain ASCII, found \"%s\"", excerpt(s).text);
	const char *copy = arena_text(&r->tables->arena, s);
	memcpy(to, &copy, sizeof copy);
	return 0;
}

static int read_year(const struct fields_reader *r, const struct field *f, const cJSON *j, void *to)
{
	double year = cJSON_IsNumber(j) ? j->valuedouble : NAN;

	if (!(year >= f->min && year <= f->max) || year != floor(year))
		return refuse(r, "expected a year from %g to %g, found %s", f->min, f->max,
			found(j).text);
	memcpy(to, &(int){ (int)year }, sizeof(int));
	return 0;
}

static int read_flag(const struct fields_reader *r, const cJSON *j, void *to)
{
	if (!cJSON_IsBool(j))
		return refuse(r, "expected true or false, found %s", found(j).text);
	memcpy(to, &(int){ cJSON_IsTrue(j) }, sizeof(int));
	return 0;
}

static int read_field(struct fields_reader *r, const struct field *f, const cJSON *j, char *base)
{
	r->field = f->name;
	switch (f->kind) {
	case FIELD_FIGURE:
	case FIELD_COUNT:
		return read_figure(r, f, j, base + f->offset);
	case FIELD_ID:
	case FIELD_TEXT:
	case FIELD_NOTE:
		return read_text(r, f, j, base + f->offset);
	case FIELD_YEAR:
		return read_year(r, f, j, base + f->offset);
	case FIELD_FLAG:
		return read_flag(r, j, base + f->offset);
	case FIELD_GROUP:
		break;
	}
	if (!cJSON_IsObject(j))
		return refuse(r, "expected an object, found %s", found(j).text);
	r->group = f->name;
	int rc = read_members(r, f->group, j, base + f->offset);
	r->group = NULL;
	return rc;
}

static int unknown_field(struct fields_reader *r, const struct field_list *list, const char *name)
{
	const char *names[MOST_FIELDS];

	for (size_t i = 0; i < list->n; i++)
		names[i] = list->fields[i].name;
	r->field = NULL;
	return refuse(r, "has no field \"%s\"%s", excerpt(name).text,
		suggestion(name, names, list->n).text);
}

int read_members(struct fields_reader *r, const struct field_list *list, const cJSON *j, void *base)
{
	uint64_t seen = 0;

	assert(list->n <= MOST_FIELDS);
	for (const cJSON *member = j->child; member; member = member->next) {
		size_t i = 0;
		while (i < list->n && strcmp(list->fields[i].name, member->string) != 0)
			i++;
		if (i == list->n)
			return unknown_field(r, list, member->string);
		r->field = list->fields[i].name;
		if (seen >> i & 1)
			return refuse(r, "expected once, found twice");
		seen |= UINT64_C(1) << i;
		if (read_field(r, &list->fields[i], member, base))
			return -1;
	}
	for (size_t i = 0; i < list->n; i++)
		if (list->fields[i].required && !(seen >> i & 1)) {
			r->field = list->fields[i].name;
			return refuse(r, "expected, but not there");
		}
	r->field = NULL;
	return 0;
}
