/* A JSON object is read into a struct by a list of fields: name, kind, offset, unit and range. One
 * reader walks over every object with such a list, so that each figure of each kind is checked
 * alike and every message can name file, entry and field. A file is read into a new array first,
 * old entries in front, and put in place when all of it is right: a refused file changes
 * nothing. */
#include "sims/tables/tables.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/base/json_text.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* What the member of an object may be. A figure is [number, "unit", "source"]. */
enum field_kind {
	FIELD_FIGURE, /* double */
	FIELD_COUNT,  /* a figure that is a whole number */
	FIELD_ID,     /* const char *, of letters that need no quotes on a command line */
	FIELD_TEXT,   /* const char * */
	FIELD_NOTE,   /* a text for readers of the file only */
	FIELD_YEAR,   /* int, a bare number */
	FIELD_FLAG,   /* int, true or false */
	FIELD_GROUP   /* an object */
};

struct field_list {
	const struct field *fields;
	size_t n; /* at most 64 */
};

struct field {
	const char *name;
	enum field_kind kind;
	bool required;
	size_t offset;
	const char *unit; /* unit of the value in the struct; min and max are in it */
	double min, max;  /* both included */
	const struct field_list *group;
};

enum { MOST_SOURCES = 1000, MOST_UNITS = 32 };

/* Where the reader stands, for messages; and the units met so far, because a file has hundreds of
 * figures in a dozen units. */
struct fields_reader {
	struct tables *tables;
	const char *file, *entry, *group, *field;
	const cJSON *sources; /* an object of at most MOST_SOURCES members */
	struct {
		const char *text;
		struct unit unit;
	} units[MOST_UNITS];
	size_t n_units;
	char *err;
	size_t err_size;
};

/* The beginning of foreign text, fit for a terminal. */
struct excerpt {
	char text[HINT_SIZE];
};

/* --- what is known --------------------------------------------------------------------------- */

const char *const dtype_ids[N_DTYPES + 1] = {
	[DTYPE_FP32] = "fp32",
	[DTYPE_TF32] = "tf32",
	[DTYPE_FP16] = "fp16",
	[DTYPE_BF16] = "bf16",
	[DTYPE_FP8] = "fp8",
	[DTYPE_INT8] = "int8",
	[DTYPE_FP4] = "fp4",
};

const char *const dtype_names[N_DTYPES] = {
	[DTYPE_FP32] = "FP32",
	[DTYPE_TF32] = "TF32",
	[DTYPE_FP16] = "FP16",
	[DTYPE_BF16] = "BF16",
	[DTYPE_FP8] = "FP8",
	[DTYPE_INT8] = "INT8",
	[DTYPE_FP4] = "FP4",
};

double dtype_bytes(enum dtype d)
{
	switch (d) {
	case DTYPE_FP32:
	case DTYPE_TF32: /* a way to multiply FP32 values, which stay as they are in memory */
		return 4;
	case DTYPE_FP16:
	case DTYPE_BF16:
		return 2;
	case DTYPE_FP8:
	case DTYPE_INT8:
		return 1;
	case DTYPE_FP4:
		return 0.5;
	case N_DTYPES:
		break;
	}
	return 0;
}

int tables_set_machine(struct tables *t, const struct accelerator *machine)
{
	struct accelerator *all = arena_array(&t->arena, t->n_gpus + 1, sizeof *all);

	if (!all)
		return -1;
	if (t->n_gpus)
		memcpy(all, t->gpus, t->n_gpus * sizeof *all);
	struct accelerator *m = &all[t->n_gpus];
	*m = *machine;
	m->id = arena_text(&t->arena, machine->id);
	m->name = arena_text(&t->arena, machine->name);
	m->family = arena_text(&t->arena, machine->family);
	m->processor = arena_text(&t->arena, machine->processor);
	m->measured_on = arena_text(&t->arena, machine->measured_on);
	if (t->arena.failed)
		return -1;
	t->gpus = all;
	t->n_machines = 1;
	return 0;
}

/* Puts it behind n others that lie at *rows, where there is room for so many. */
static int append_model(
	struct tables *t, struct model **rows, size_t *n, size_t *room, const struct model *model)
{
	enum { MORE = 16 };
	struct model *all = *rows;
	if (*n >= *room) {
		all = arena_array(&t->arena, *n + MORE, sizeof *all);
		if (!all)
			return -1;
		if (*n)
			memcpy(all, *rows, *n * sizeof *all);
		*room = *n + MORE;
		*rows = all;
	}
	struct model *m = &all[*n];
	*m = *model;
	m->id = arena_text(&t->arena, model->id);
	m->name = arena_text(&t->arena, model->name);
	if (t->arena.failed)
		return -1;
	++*n;
	return 0;
}

int tables_add_model(struct tables *t, const struct model *model)
{
	assert(!model->made_of);
	return append_model(t, &t->models, &t->n_models, &t->models_room, model);
}

int tables_add_composed(struct tables *t, const struct model *model)
{
	assert(model->made_of);
	if (any_model_find(t, model->id))
		return 0;
	return append_model(t, &t->composed, &t->n_composed, &t->composed_room, model);
}

void tables_release(struct tables *t)
{
	if (t->asked_for)
		arena_release(t->asked_for);
	arena_release(&t->arena);
	*t = (struct tables){ 0 };
}

const struct accelerator *gpu_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_gpus; i++)
		if (strcmp(t->gpus[i].id, id) == 0)
			return &t->gpus[i];
	return NULL;
}

const struct model *model_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_models; i++)
		if (strcmp(t->models[i].id, id) == 0)
			return &t->models[i];
	return NULL;
}

const struct model *any_model_find(const struct tables *t, const char *id)
{
	const struct model *m = model_find(t, id);
	for (size_t i = 0; i < t->n_composed && !m; i++)
		if (strcmp(t->composed[i].id, id) == 0)
			m = &t->composed[i];
	return m;
}

const struct accelerator *gpu_at(const struct tables *t, double knob)
{
	assert(knob >= 0 && knob < (double)(t->n_gpus + t->n_machines));
	return &t->gpus[(size_t)knob];
}

const char *model_does(const struct model *m)
{
	return strstr(m->name, " and ") ? "do" : "does";
}

const struct model *model_at(const struct tables *t, double knob)
{
	assert(knob >= 0 && knob < (double)(t->n_models + t->n_composed));
	size_t i = (size_t)knob;
	return i < t->n_models ? &t->models[i] : &t->composed[i - t->n_models];
}

const struct model *model_or_none_at(const struct tables *t, double knob)
{
	return knob < (double)(t->n_models + t->n_composed) ? model_at(t, knob) : NULL;
}

struct parameter {
	const char *name;
	size_t offset;
};

/* 0 in an entry means unknown, so that a formula never computes with it. */
static int parameter_of(const void *entry, const struct parameter known[], size_t n,
	const char *name, double *value)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		double v;
		memcpy(&v, (const char *)entry + known[i].offset, sizeof v);
		if (v == 0)
			return 0;
		*value = v;
		return 1;
	}
	return 0;
}

int model_parameter(const struct model *m, const char *name, double *value)
{
	static const struct parameter known[] = {
		{ "params", offsetof(struct model, params) },
		{ "layers", offsetof(struct model, layers) },
		{ "hidden", offsetof(struct model, hidden) },
		{ "heads", offsetof(struct model, heads) },
		{ "kv_heads", offsetof(struct model, kv_heads) },
		{ "head_dim", offsetof(struct model, head_dim) },
		{ "ffn", offsetof(struct model, ffn) },
		{ "vocab", offsetof(struct model, vocab) },
		{ "window", offsetof(struct model, window) },
	};
	/* None is an answer here. */
	if (strcmp(name, "full_layers") == 0) {
		*value = m->window > 0 ? m->full_layers : m->layers;
		return 1;
	}
	return parameter_of(m, known, LENGTH(known), name, value);
}

double gpu_domain(const struct accelerator *g)
{
	return g->domain > 0 ? g->domain : NODE_GPUS;
}

int gpu_parameter(const struct accelerator *g, const char *name, double *value)
{
	static const struct parameter known[] = {
		{ "bandwidth", offsetof(struct accelerator, bandwidth) },
		{ "memory_bytes", offsetof(struct accelerator, memory_bytes) },
		{ "link_bandwidth", offsetof(struct accelerator, link_bandwidth) },
		{ "fp32_flops", offsetof(struct accelerator, peak_flops[DTYPE_FP32]) },
		{ "tf32_flops", offsetof(struct accelerator, peak_flops[DTYPE_TF32]) },
		{ "shared_bytes", offsetof(struct accelerator, shared_bytes) },
		{ "sm_count", offsetof(struct accelerator, sm_count) },
		{ "clock", offsetof(struct accelerator, clock_hz) },
		{ "power", offsetof(struct accelerator, power_w) },
	};
	if (strcmp(name, "peak_flops") == 0) {
		double peak = g->peak_flops[DTYPE_BF16];
		if (peak == 0)
			peak = g->peak_flops[DTYPE_FP16];
		if (peak == 0)
			return 0;
		*value = peak;
		return 1;
	}
	return parameter_of(g, known, LENGTH(known), name, value);
}

/* --- structs from the members of JSON objects ------------------------------------------------ */

enum { MOST_FIELDS = 64 /* bits of the set of fields seen */, LONGEST_TEXT = 64 };

/* Writes one line into err. Always -1. */
static int refuse(const struct fields_reader *r, const char *fmt, ...)
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

/* A file may hold anything, and a message must stay one line. */
static char printable(char c)
{
	return (char)(c >= 0x20 && c < 0x7f ? c : '?');
}

static struct excerpt excerpt(const char *s)
{
	enum { LONGEST = 40 };
	struct excerpt e = { "" };
	size_t n = 0;

	for (; *s && n < LONGEST; s++)
		e.text[n++] = printable(*s);
	if (*s)
		memcpy(e.text + n, "...", 3);
	return e;
}

static struct excerpt found(const cJSON *j)
{
	struct excerpt e = { "nothing" };

	if (!j)
		return e;
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

/* The names may be the file's own. */
static struct excerpt suggestion(const char *typed, const char *const names[], size_t n)
{
	struct excerpt e = { "" };

	for (char *c = did_you_mean(typed, names, n, e.text, sizeof e.text); *c; c++)
		*c = printable(*c);
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

static int read_members(
	struct fields_reader *r, const struct field_list *list, const cJSON *j, void *base);

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

/* Reads a JSON object into a struct: every member must be a known field, once, and every required
 * field must be there. Texts are copied to the arena of the tables, whose `failed` the caller
 * asks. */
static int read_members(
	struct fields_reader *r, const struct field_list *list, const cJSON *j, void *base)
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
			return refuse(r, "expected, but missing");
		}
	r->field = NULL;
	return 0;
}

/* --- files ----------------------------------------------------------------------------------- */

enum { LARGEST_FILE = 1 << 20, MOST_ENTRIES = 1000 };

/* clang-format off */
#define AT(member) offsetof(struct efficiency, member)
static const struct field efficiency_fields[] = {
	{ "compute",   FIELD_FIGURE, true,  AT(compute),        "",      1e-3, 1,    NULL },
	{ "memory",    FIELD_FIGURE, true,  AT(memory),         "",      1e-3, 1,    NULL },
	{ "launch",    FIELD_FIGURE, true,  AT(launch_s),       "s",     0,    1,    NULL },
	{ "measured",  FIELD_FLAG,   true,  AT(measured),       NULL,    0,    0,    NULL },
	{ "compute_8bit", FIELD_FIGURE, false, AT(compute_8bit), "",     1e-3, 1,    NULL },
	{ "compute_4bit", FIELD_FIGURE, false, AT(compute_4bit), "",     1e-3, 1,    NULL },
	{ "compute_32bit", FIELD_FIGURE, false, AT(compute_32bit), "",   1e-3, 1,    NULL },
	{ "wave",      FIELD_FIGURE, false, AT(wave_s),         "s",     0,    1,    NULL },
	{ "operands",  FIELD_FIGURE, false, AT(operand_bytes),  "B",     1e-3, 1e6,  NULL },
	{ "quantise",  FIELD_FIGURE, false, AT(quantise_s),     "s",     0,    1,    NULL },
	{ "attention", FIELD_FIGURE, false, AT(attention),      "",      1e-3, 1,    NULL },
	{ "attention_memory", FIELD_FIGURE, false, AT(attention_memory), "", 1e-3, 1, NULL },
	{ "attention_start",  FIELD_FIGURE, false, AT(attention_s),       "s", 0, 1, NULL },
	{ "attention_block",  FIELD_FIGURE, false, AT(attention_block_s), "s", 0, 1, NULL },
	{ "attention_head",   FIELD_FIGURE, false, AT(attention_head_s),  "s", 0, 1, NULL },
	{ "attention_group",  FIELD_FIGURE, false, AT(attention_group_s), "s", 0, 1, NULL },
};
#undef AT
static const struct field_list efficiency_list = {
	efficiency_fields, LENGTH(efficiency_fields)
};

#define AT(member) offsetof(struct accelerator, member)
#define PEAK(id, dtype) \
	{ id, FIELD_FIGURE, false, AT(peak_flops[dtype]), "FLOP/s", 1e9, 1e18, NULL }
static const struct field gpu_fields[] = {
	{ "id",        FIELD_ID,     true,  AT(id),             NULL,    0,    0,    NULL },
	{ "name",      FIELD_TEXT,   true,  AT(name),           NULL,    0,    0,    NULL },
	{ "family",    FIELD_ID,     true,  AT(family),         NULL,    0,    0,    NULL },
	{ "year",      FIELD_YEAR,   false, AT(year),           NULL,    1980, 2100, NULL },
	{ "note",      FIELD_NOTE,   false, 0,                  NULL,    0,    0,    NULL },
	PEAK("fp32", DTYPE_FP32),
	PEAK("tf32", DTYPE_TF32),
	PEAK("fp16", DTYPE_FP16),
	PEAK("bf16", DTYPE_BF16),
	PEAK("fp8", DTYPE_FP8),
	PEAK("int8", DTYPE_INT8),
	PEAK("fp4", DTYPE_FP4),
	{ "memory",    FIELD_FIGURE, true,  AT(memory_bytes),   "B",     1e6,  1e15, NULL },
	{ "bandwidth", FIELD_FIGURE, true,  AT(bandwidth),      "B/s",   1e6,  1e15, NULL },
	{ "l2",        FIELD_FIGURE, false, AT(l2_bytes),       "B",     1e3,  1e12, NULL },
	{ "sm_count",  FIELD_COUNT,  false, AT(sm_count),       "",      1,    1e6,  NULL },
	{ "clock",     FIELD_FIGURE, false, AT(clock_hz),       "Hz",    1e6,  1e11, NULL },
	{ "shared",    FIELD_FIGURE, false, AT(shared_bytes),   "B",     1e2,  1e9,  NULL },
	{ "link",      FIELD_FIGURE, false, AT(link_bandwidth), "B/s",   1e6,  1e15, NULL },
	{ "domain",    FIELD_COUNT,  false, AT(domain),         "",      2,    1e4,  NULL },
	{ "power",     FIELD_FIGURE, false, AT(power_w),        "W",     0.1,  1e6,  NULL },
	{ "price",     FIELD_FIGURE, false, AT(usd_per_hour),   "$/h",   1e-4, 1e5,  NULL },
	{ "achieved",  FIELD_GROUP,  false, AT(achieved),       NULL,    0,    0,
	  &efficiency_list },
};
#undef AT
static const struct field_list gpu_list = { gpu_fields, LENGTH(gpu_fields) };

#define AT(member) offsetof(struct model, member)
static const struct field model_fields[] = {
	{ "id",        FIELD_ID,     true,  AT(id),             NULL,    0,    0,    NULL },
	{ "name",      FIELD_TEXT,   true,  AT(name),           NULL,    0,    0,    NULL },
	{ "note",      FIELD_NOTE,   false, 0,                  NULL,    0,    0,    NULL },
	{ "params",    FIELD_FIGURE, true,  AT(params),         "",      1e3,  1e15, NULL },
	{ "layers",    FIELD_COUNT,  true,  AT(layers),         "",      1,    1024, NULL },
	{ "hidden",    FIELD_COUNT,  true,  AT(hidden),         "",      1,    1e6,  NULL },
	{ "heads",     FIELD_COUNT,  true,  AT(heads),          "",      1,    1e4,  NULL },
	{ "kv_heads",  FIELD_COUNT,  true,  AT(kv_heads),       "",      1,    1e4,  NULL },
	{ "head_dim",  FIELD_COUNT,  true,  AT(head_dim),       "",      1,    1e5,  NULL },
	{ "ffn",       FIELD_COUNT,  true,  AT(ffn),            "",      1,    1e7,  NULL },
	{ "vocab",     FIELD_COUNT,  true,  AT(vocab),          "",      1,    1e8,  NULL },
	{ "context",   FIELD_COUNT,  true,  AT(context),        "token", 1,    1e9,  NULL },
	{ "window",    FIELD_COUNT,  false, AT(window),         "token", 1,    1e9,  NULL },
	{ "full_layers", FIELD_COUNT, false, AT(full_layers),   "",      0,    1024, NULL },
	{ "gated",     FIELD_FLAG,   true,  AT(gated),          NULL,    0,    0,    NULL },
	{ "encoder",   FIELD_FLAG,   false, AT(encoder),        NULL,    0,    0,    NULL },
};
#undef AT
static const struct field_list model_list = {
	model_fields, LENGTH(model_fields)
};
/* clang-format on */

/* What one kind of file holds. */
struct hardware_kind {
	const char *list, *what; /* "accelerators", "accelerator" */
	const struct field_list *fields;
	size_t size;
	int (*check)(struct fields_reader *r, void *entry);
};

/* For a GPU that nobody measured: what was found for its family, or else the usual. */
static struct efficiency efficiency_of_family(const struct tables *t, const char *family)
{
	for (size_t i = 0; i < t->n_gpus; i++)
		if (strcmp(t->gpus[i].family, family) == 0) {
			struct efficiency e = t->gpus[i].achieved;
			e.measured = 0;
			return e;
		}
	return (struct efficiency){
		.compute = ASSUMED_COMPUTE_EFFICIENCY, .memory = 0.85, .launch_s = 4e-6
	};
}

static int check_gpu(struct fields_reader *r, void *entry)
{
	struct accelerator *g = entry;
	double best = 0;

	for (size_t d = 0; d < N_DTYPES; d++)
		best = fmax(best, g->peak_flops[d]);
	if (best == 0)
		return refuse(r, "expected the dense peak of a type (bf16, fp16, ...), found none");
	if (g->achieved.compute == 0)
		g->achieved = efficiency_of_family(r->tables, g->family);
	return 0;
}

static int check_model(struct fields_reader *r, void *entry)
{
	const struct model *m = entry;

	if (fmod(m->heads, m->kv_heads) != 0) {
		r->field = "kv_heads";
		return refuse(
			r, "expected a divisor of heads (%g), found %g", m->heads, m->kv_heads);
	}
	if (m->full_layers > m->layers || (m->full_layers > 0 && m->window == 0)) {
		r->field = "full_layers";
		return refuse(r, "expected at most the %g layers, beside a window, found %g",
			m->layers, m->full_layers);
	}
	return 0;
}

static const struct hardware_kind gpu_kind = { "accelerators", "accelerator", &gpu_list,
	sizeof(struct accelerator), check_gpu };
static const struct hardware_kind model_kind = { "models", "model", &model_list,
	sizeof(struct model), check_model };

/* Both kinds of entry begin with their id. */
static_assert(offsetof(struct accelerator, id) == 0 && offsetof(struct model, id) == 0, "id");

static const char *id_of(const char *entry)
{
	const char *id;
	memcpy(&id, entry, sizeof id);
	return id;
}

static size_t index_of(const char *entries, size_t n, size_t size, const char *id)
{
	size_t i = 0;
	while (i < n && strcmp(id_of(entries + i * size), id) != 0)
		i++;
	return i;
}

/* Entries old and new, in one array of the arena; the first n_old are those the tables had. */
struct staged {
	char *entries;
	bool *replaced;
	size_t n_old, n;
};

/* Takes an entry in. It replaces one of an earlier file; the same id twice in one file is a
 * slip. */
static int place(const struct fields_reader *r, const struct hardware_kind *kind, struct staged *s,
	const char *entry)
{
	size_t i = index_of(s->entries, s->n, kind->size, id_of(entry));

	if (i >= s->n_old ? i < s->n : s->replaced[i])
		return refuse(r, "expected this id once in the file, found it twice");
	if (i < s->n_old)
		s->replaced[i] = true;
	else
		s->n++;
	memcpy(s->entries + i * kind->size, entry, kind->size);
	return 0;
}

static int read_entry(
	struct fields_reader *r, const struct hardware_kind *kind, const cJSON *j, struct staged *s)
{
	union {
		struct accelerator gpu;
		struct model model;
	} entry = { 0 };

	if (!cJSON_IsObject(j))
		return refuse(r, "expected an object, found %s", found(j).text);
	if (read_members(r, kind->fields, j, &entry) || kind->check(r, &entry))
		return -1;
	return place(r, kind, s, (const char *)&entry);
}

/* How many entries were refused; the first of them is told in err. */
static size_t read_entries(struct fields_reader *r, const struct hardware_kind *kind,
	const cJSON *list, struct staged *s)
{
	size_t number = 1, refused = 0;
	char label[128], later[16], *first = r->err;
	const size_t first_size = r->err_size;
	const cJSON *j;

	cJSON_ArrayForEach(j, list)
	{
		const char *id = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(j, "id"));
		snprintf(label, sizeof label, "%s %s", kind->what, id ? excerpt(id).text : "");
		if (!id)
			snprintf(label, sizeof label, "%s number %zu", kind->what, number);
		r->entry = label;
		if (read_entry(r, kind, j, s)) {
			refused++;
			r->err = later;
			r->err_size = sizeof later;
		}
		r->group = NULL;
		number++;
	}
	r->err = first;
	r->err_size = first_size;
	r->entry = r->field = NULL;
	return refused;
}

/* Ends the line about the first entry that was refused. */
static void count_refused(const struct fields_reader *r, size_t refused)
{
	size_t used = strlen(r->err);
	if (refused > 1)
		snprintf(r->err + used, r->err_size - used, "; %zu more entr%s left out",
			refused - 1, refused > 2 ? "ies" : "y");
}

static int check_sources(struct fields_reader *r, const cJSON *sources)
{
	const cJSON *s;

	r->field = "sources";
	if (!cJSON_IsObject(sources))
		return refuse(r, "expected an object, found %s", found(sources).text);
	if (cJSON_GetArraySize(sources) > MOST_SOURCES)
		return refuse(r, "expected %d at most, found %d", MOST_SOURCES,
			cJSON_GetArraySize(sources));
	cJSON_ArrayForEach(s, sources)
	{
		if (cJSON_GetObjectItemCaseSensitive(sources, s->string) != s)
			return refuse(
				r, "expected \"%s\" once, found it twice", excerpt(s->string).text);
		if (!cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "title")) ||
			!cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "address")))
			return refuse(r, "expected a \"title\" and an \"address\" in \"%s\"",
				excerpt(s->string).text);
	}
	r->sources = sources;
	r->field = NULL;
	return 0;
}

/* Checks the top of a file: "sources" and the list, each once, and nothing else. */
static int check_top(struct fields_reader *r, const struct hardware_kind *kind, const cJSON *top,
	const cJSON **list)
{
	const char *names[] = { "sources", kind->list };
	const cJSON *members[2] = { NULL, NULL };

	if (!cJSON_IsObject(top))
		return refuse(r, "expected an object with \"sources\" and \"%s\", found %s",
			kind->list, found(top).text);
	for (const cJSON *j = top->child; j; j = j->next) {
		size_t i = 0;
		while (i < 2 && strcmp(names[i], j->string) != 0)
			i++;
		if (i == 2)
			return refuse(r, "expected \"sources\" and \"%s\", found \"%s\"%s",
				kind->list, excerpt(j->string).text,
				suggestion(j->string, names, 2).text);
		if (members[i])
			return refuse(r, "expected \"%s\" once, found it twice", names[i]);
		members[i] = j;
	}
	r->field = kind->list;
	*list = members[1];
	if (!cJSON_IsArray(*list) || cJSON_GetArraySize(*list) > MOST_ENTRIES)
		return refuse(r, "expected a list of %d at most, found %s", MOST_ENTRIES,
			found(*list).text);
	return check_sources(r, members[0]);
}

static cJSON *parse(const struct fields_reader *r, const char *json)
{
	const char *end = json;
	size_t bytes = strnlen(json, LARGEST_FILE + 1);

	if (bytes > LARGEST_FILE) {
		refuse(r, "expected %d bytes at most", LARGEST_FILE);
		return NULL;
	}
	cJSON *top = json_text_parse(json, &end);
	if (top)
		return top;
	if (errno == ENOMEM) {
		r->tables->arena.failed = true;
		refuse(r, "out of memory");
		return NULL;
	}
	size_t line = 1;
	for (const char *s = json; s < end; s++)
		line += *s == '\n';
	refuse(r, "line %zu: expected JSON, found \"%s\"", line, excerpt(end).text);
	return NULL;
}

/* Reads everything into a new array first, so that a refused file changes nothing; of entries only
 * those that are refused are left out. */
static int read_file(struct fields_reader *r, const struct hardware_kind *kind, const char *json,
	void *entries, size_t *n)
{
	struct arena *arena = &r->tables->arena;
	struct staged s = { .n_old = *n, .n = *n };
	const cJSON *list = NULL;
	cJSON *top = parse(r, json);
	const void *old;
	size_t refused = 0;
	int rc = -1;

	if (!top || check_top(r, kind, top, &list))
		goto out;
	memcpy(&old, entries, sizeof old);
	s.entries = arena_array(arena, *n + (size_t)cJSON_GetArraySize(list), kind->size);
	s.replaced = arena_array(arena, *n, sizeof *s.replaced);
	if (*n && s.entries)
		memcpy(s.entries, old, *n * kind->size);
	if (!arena->failed && s.entries)
		refused = read_entries(r, kind, list, &s);
	if (arena->failed) {
		refuse(r, "out of memory");
		goto out;
	}
	if (refused < (size_t)cJSON_GetArraySize(list) || refused == 0) {
		memcpy(entries, &s.entries, sizeof s.entries);
		*n = s.n;
	}
	count_refused(r, refused);
	rc = refused ? -1 : 0;
out:
	cJSON_Delete(top);
	return rc;
}

int tables_add_hardware(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size)
{
	struct fields_reader r = { .tables = t, .file = name, .err = err, .err_size = err_size };
	const struct accelerator *before = t->gpus;
	int rc = read_file(&r, &gpu_kind, json, &t->gpus, &t->n_gpus);
	if (t->gpus != before)
		t->n_machines = 0;
	return rc;
}

int tables_add_models(
	struct tables *t, const char *json, const char *name, char *err, size_t err_size)
{
	struct fields_reader r = { .tables = t, .file = name, .err = err, .err_size = err_size };
	return read_file(&r, &model_kind, json, &t->models, &t->n_models);
}
