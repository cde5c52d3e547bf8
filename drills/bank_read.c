/* Reads drill banks. The form is described in drills/bank.h and nowhere else; this file is its
 * other half and checks all that the manual asks for. It goes from the small to the large: what all
 * readers share, values, fields, mistakes, steps, programs, a drill, a file. The first thing that
 * is wrong ends the reading, with one line that names file, drill and member. */
#include "drills/bank_read.h"

#include "drills/json_reader.h"
#include "drills/json_root.h"
#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <errno.h>
#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DRILLS = 1000 };
enum { MOST_FORMULAS = 1000, MOST_SETTINGS = 8 };
enum { FEWEST_OPTIONS = 2, FEWEST_ITEMS = 3, FEWEST_STEPS = 2 };
enum { MOST_LINES = 200, FEWEST_CHECK_LINES = 3, LONGEST_NAME = 40 };

/* Where a reader is, for its messages. json.place is the drill, by its id; where that is not known, by
 * its number. */
struct bank_reader {
	struct json_reader json;
	const struct tables *tables;
};

/* Always -1, so that a reader can return it. */
static int refuse(const struct bank_reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
static int refuse(const struct bank_reader *r, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	json_vrefuse(&r->json, fmt, ap);
	va_end(ap);
	return -1;
}

static int refuse_name(const struct bank_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, ...) __attribute__((format(printf, 5, 6)));
static int refuse_name(const struct bank_reader *r, const char *given, const char *const known[],
	size_t n, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	json_vrefuse_name(&r->json, given, known, n, fmt, ap);
	va_end(ap);
	return -1;
}

static void *new_array(const struct bank_reader *r, size_t n, size_t size)
{
	return json_new_array(&r->json, n, size);
}

static const cJSON *member(const cJSON *object, const char *name)
{
	return json_item(object, name);
}

static int check_members(const struct bank_reader *r, const cJSON *object, const char *what,
	const char *const known[])
{
	return json_check_items(&r->json, object, what, known);
}

static int read_text(const struct bank_reader *r, const cJSON *object, const char *name,
	bool optional, const char **out)
{
	return json_read_text(&r->json, object, name, optional, out);
}

static bool among(const char *name, const char *const names[])
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Whether a name is a field, or filled by one, or the value of a step that was read before. */
static bool knows(const struct drill *d, const char *name)
{
	for (size_t i = 0; i < d->n_fields; i++) {
		const struct drill_field *f = &d->fields[i];
		if (strcmp(f->name, name) == 0 ||
			(f->kind == DRILL_MODELS && among(name, model_fills)) ||
			(f->kind == DRILL_GPUS && among(name, gpu_fills)))
			return true;
	}
	for (size_t i = 0; i < d->n_steps; i++)
		if (d->steps[i].kind == KIND_NUMBER && strcmp(d->steps[i].name, name) == 0)
			return true;
	return false;
}

/* All the names that knows() knows, at most `most`. */
static size_t list_names(const struct drill *d, const char *names[], size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < d->n_fields; i++) {
		const struct drill_field *f = &d->fields[i];
		const char *const *filled = f->kind == DRILL_MODELS ? model_fills
					    : f->kind == DRILL_GPUS ? gpu_fills
								    : NULL;
		if (n < most)
			names[n++] = f->name;
		for (; filled && *filled && n < most; filled++)
			names[n++] = *filled;
	}
	for (size_t i = 0; i < d->n_steps && n < most; i++)
		if (d->steps[i].kind == KIND_NUMBER && *d->steps[i].name)
			names[n++] = d->steps[i].name;
	return n;
}

/* About a name that knows() does not know. */
static int refuse_field(
	const struct bank_reader *r, const struct drill *d, const char *what, const char *name)
{
	const char *names[2 * MOST_FIELDS];
	size_t n = list_names(d, names, LENGTH(names));
	return refuse_name(r, name, names, n,
		"%.40s: there is no field \"%.40s\", and no field fills it", what, name);
}

/* Every {name} of a text must be known. */
static int check_text(
	const struct bank_reader *r, const struct drill *d, const char *what, const char *text)
{
	for (const char *p = text; p && (p = strchr(p, '{')); p++) {
		char name[64];
		size_t n = strcspn(p + 1, "}");
		if (!p[1 + n] || n >= sizeof name)
			return refuse(r, "%s: a { without its }", what);
		snprintf(name, sizeof name, "%.*s", (int)n, p + 1);
		if (!knows(d, name))
			return refuse_field(r, d, what, name);
	}
	return 0;
}

/* A formula by its id; NULL after a refusal. */
static const struct formula *find_formula(
	const struct bank_reader *r, const char *what, const char *id)
{
	const struct formula *found = formula_find(id);
	const char *ids[MOST_FORMULAS];
	size_t n = 0;
	if (found)
		return found;
	for (; n < n_formulas && n < MOST_FORMULAS; n++)
		ids[n] = formulas[n].id;
	refuse_name(r, id, ids, n, "%s: there is no formula \"%.40s\"", what, id);
	return NULL;
}

/* ---- Values that a drill computes: a formula with fields as its arguments, some set anew. */

static int read_operand(const struct bank_reader *r, const cJSON *value, const struct drill *d,
	const char *what, struct operand *out)
{
	if (cJSON_IsNumber(value) && isfinite(value->valuedouble)) {
		*out = (struct operand){ .number = value->valuedouble };
		return 0;
	}
	if (!cJSON_IsString(value))
		return refuse(r, "%s: expected the name of a field, or a number", what);
	if (!knows(d, value->valuestring))
		return refuse_field(r, d, what, value->valuestring);
	*out = (struct operand){ .name = arena_text(r->json.arena, value->valuestring) };
	return 0;
}

static int refuse_parameter(const struct bank_reader *r, const struct formula *f, const char *name)
{
	const char *names[MOST_ARGS];
	size_t n = 0;
	for (; n < f->n_params && n < MOST_ARGS; n++)
		names[n] = f->params[n].name;
	return refuse_name(r, name, names, n, "set: %s has no parameter \"%.40s\"", f->id, name);
}

static int add_setting(const struct bank_reader *r, struct drill_value *v, const char *name,
	struct operand to, struct drill_setting *list)
{
	if (formula_param_index(v->formula, name) < 0)
		return refuse_parameter(r, v->formula, name);
	list[v->n_settings++] = (struct drill_setting){ arena_text(r->json.arena, name), to };
	return 0;
}

/* "set" and "drop". The formula is known by now. */
static int read_settings(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_value *v)
{
	const cJSON *set = member(object, "set"), *drop = member(object, "drop"), *one;
	int n = cJSON_GetArraySize(set);
	if ((set && !cJSON_IsObject(set)) || n > MOST_SETTINGS)
		return refuse(r, "set: expected an object of parameters");
	if ((set || drop) && !v->formula)
		return refuse(r, "set: only a formula has parameters to set");
	struct drill_setting *list = new_array(r, (size_t)n + 1, sizeof *list);
	if (!list)
		return -1;
	v->settings = list;
	cJSON_ArrayForEach(one, set)
	{
		struct operand to;
		if (read_operand(r, one, d, "set", &to) || add_setting(r, v, one->string, to, list))
			return -1;
	}
	if (!drop)
		return 0;
	if (!cJSON_IsString(drop))
		return refuse(r, "drop: expected a parameter");
	return add_setting(r, v, drop->valuestring, (struct operand){ .number = 1 }, list);
}

/* Choices that the formula has no value for would fail at some seed, so they fail here. */
static int check_choices(
	const struct bank_reader *r, const struct drill *d, const struct formula_param *p)
{
	for (size_t k = 0; k < d->n_fields; k++) {
		const struct drill_field *f = &d->fields[k];
		for (size_t i = 0; f->kind == DRILL_CHOICES && i < f->n; i++)
			if (strcmp(f->name, p->name) == 0 &&
				!(f->values[i] >= p->min && f->values[i] <= p->max))
				return refuse(r, "%s: %g is outside of %g to %g", p->name,
					f->values[i], p->min, p->max);
	}
	return 0;
}

/* Whether the formula gets all the parameters that it needs. */
static int check_value(const struct bank_reader *r, const struct drill *d, const char *what,
	const struct drill_value *v)
{
	for (size_t i = 0; i < v->formula->n_params; i++) {
		const struct formula_param *p = &v->formula->params[i];
		bool set = false;
		for (size_t k = 0; k < v->n_settings; k++)
			set |= strcmp(v->settings[k].name, p->name) == 0;
		if (set)
			continue;
		if (!knows(d, p->name))
			return refuse(r, "%s: nothing gives %s, which %s needs", what, p->name,
				v->formula->id);
		if (check_choices(r, d, p))
			return -1;
	}
	return 0;
}

/* ---- "fields": what the parameters of a drill are drawn from. */

static int read_text_list(const struct bank_reader *r, const cJSON *list, const char *what,
	size_t n, const char *const **out)
{
	const cJSON *one;
	size_t i = 0;
	if (!list)
		return 0;
	if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != n)
		return refuse(r, "%s: expected %zu texts, one for each choice", what, n);
	const char **texts = new_array(r, n, sizeof *texts);
	if (!texts)
		return -1;
	JSON_EACH(one, list)
	{
		if (!cJSON_IsString(one))
			return refuse(r, "%s: expected texts", what);
		texts[i++] = arena_text(r->json.arena, one->valuestring);
	}
	*out = texts;
	return 0;
}

static int read_choices(
	const struct bank_reader *r, const cJSON *object, const cJSON *list, struct drill_field *f)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_VALUES)
		return refuse(r, "%s: expected 1 to %d choices", f->name, MOST_VALUES);
	double *values = new_array(r, (size_t)n, sizeof *values);
	if (!values)
		return -1;
	JSON_EACH(one, list)
	{
		if (!cJSON_IsNumber(one) || !isfinite(one->valuedouble))
			return refuse(r, "%s: expected numbers as choices", f->name);
		values[f->n++] = one->valuedouble;
	}
	f->kind = DRILL_CHOICES;
	f->values = values;
	return read_text_list(r, member(object, "names"), "names", f->n, &f->names) ||
			       read_text_list(r, member(object, "ids"), "ids", f->n, &f->ids)
		       ? -1
		       : 0;
}

/* The ids of models or GPUs, all of which the tables must have. */
static int read_entries(const struct bank_reader *r, const cJSON *list, enum drill_field_kind kind,
	const struct drill *d, struct drill_field *f)
{
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_VALUES)
		return refuse(r, "%s: expected 1 to %d ids", f->name, MOST_VALUES);
	if (knows(d, kind == DRILL_MODELS ? *model_fills : *gpu_fills))
		return refuse(r, "%s: %s is given already", f->name,
			kind == DRILL_MODELS ? *model_fills : *gpu_fills);
	f->kind = kind;
	f->n = (size_t)n;
	if (read_text_list(r, list, f->name, f->n, &f->ids))
		return -1;
	for (size_t i = 0; i < f->n; i++)
		if (kind == DRILL_MODELS ? !model_find(r->tables, f->ids[i])
					 : !gpu_find(r->tables, f->ids[i]))
			return refuse(r, "%s: there is no %s \"%.40s\"", f->name,
				kind == DRILL_MODELS ? "model" : "accelerator", f->ids[i]);
	return 0;
}

static int read_operands(const struct bank_reader *r, const cJSON *list, enum drill_field_kind kind,
	const struct drill *d, struct drill_field *f)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_VALUES)
		return refuse(r, "%s: expected fields and numbers", f->name);
	struct operand *operands = new_array(r, (size_t)n, sizeof *operands);
	if (!operands)
		return -1;
	JSON_EACH(one, list)
	{
		if (read_operand(r, one, d, f->name, &operands[f->n++]))
			return -1;
	}
	f->kind = kind;
	f->operands = operands;
	return 0;
}

/* The unit that the field gives; else that of the parameter of its name in the first step whose
 * formula has one. Numbers go to the formula as they stand: a unit of another size would have the
 * prompt say something else than the key. */
static int read_unit(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n, struct drill_field *f)
{
	const char *taken_in = NULL;
	char words[64];
	struct unit given, taken;
	for (size_t k = n; k-- > 0;) {
		const struct formula *formula = steps[k].key.formula;
		int i = formula ? formula_param_index(formula, f->name) : -1;
		if (i >= 0 && strcmp(formula->params[i].name, f->name) == 0)
			taken_in = formula->params[i].unit;
	}
	f->unit = taken_in ? taken_in : "";
	if (read_text(r, object, "unit", true, &f->unit))
		return -1;
	if (taken_in && unit_parse(taken_in, &taken) && unit_parse(f->unit, &given) &&
		unit_same_dimension(&taken, &given) && given.factor != taken.factor)
		return refuse(r, "%s: its unit is %s, but its numbers go to the formula as %s",
			f->name, f->unit, unit_words(&taken, words, sizeof words));
	return 0;
}

static int read_field(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n, const struct drill *d, struct drill_field *f)
{
	static const char *const known[] = { "choices", "names", "ids", "unit", "models", "gpus",
		"product", "sum", NULL };
	f->name = arena_text(r->json.arena, object->string);
	if (knows(d, f->name))
		return refuse(r, "fields: %s is there already", f->name);
	if (read_unit(r, object, steps, n, f))
		return -1;
	if (cJSON_IsNumber(object)) {
		double *value = new_array(r, 1, sizeof *value);
		if (!value)
			return -1;
		*value = object->valuedouble;
		f->values = value;
		f->n = 1;
		return 0;
	}
	if (check_members(r, object, f->name, known))
		return -1;
	const cJSON *choices = member(object, "choices"), *models = member(object, "models");
	const cJSON *gpus = member(object, "gpus"), *product = member(object, "product");
	const cJSON *sum = member(object, "sum");
	if (!choices + !models + !gpus + !product + !sum != 4)
		return refuse(r,
			"%s: expected a number, or one of choices, models, gpus, product, sum",
			f->name);
	if (choices)
		return read_choices(r, object, choices, f);
	if (product || sum)
		return read_operands(
			r, product ? product : sum, product ? DRILL_PRODUCT : DRILL_SUM, d, f);
	return read_entries(r, models ? models : gpus, models ? DRILL_MODELS : DRILL_GPUS, d, f);
}

static int read_fields(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n_steps, struct drill *d)
{
	const cJSON *fields = member(object, "fields"), *one;
	int n = cJSON_GetArraySize(fields);
	bool optional = d->kind == KIND_CHOICE || d->kind == KIND_ORDER || d->kind == KIND_CODE;
	if (!fields && optional)
		return 0;
	if (!cJSON_IsObject(fields) || n < 1 || n > MOST_FIELDS)
		return refuse(r, "fields: expected an object of 1 to %d", MOST_FIELDS);
	struct drill_field *list = new_array(r, d->n_fields + (size_t)n, sizeof *list);
	if (!list)
		return -1;
	if (d->n_fields)
		memcpy(list, d->fields, d->n_fields * sizeof *list);
	d->fields = list;
	JSON_EACH(one, fields)
	{
		if (read_field(r, one, steps, n_steps, d, &list[d->n_fields]))
			return -1;
		d->n_fields++;
	}
	return 0;
}

/* ---- "factors" and "mistakes" of a number. */

static int read_source(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	const struct drill_step *s, struct drill_mistake *m)
{
	const char *formula = NULL, *what = "mistakes";
	struct drill_value *v = &m->value;
	if (read_text(r, object, "formula", true, &formula) ||
		read_text(r, object, "field", true, &v->field))
		return -1;
	if (v->field && !knows(d, v->field))
		return refuse_field(r, d, what, v->field);
	if (formula && v->field)
		return refuse(r, "mistakes: expected a formula or a field, not both");
	if (!formula && !v->field)
		v->field = s->key.field;
	if (!v->field)
		v->formula = formula ? find_formula(r, what, formula) : s->key.formula;
	if (formula && !v->formula)
		return -1;
	bool changed = formula || member(object, "field");
	static const char *const changes[] = { "set", "drop", "times", "over" };
	for (size_t i = 0; i < LENGTH(changes); i++)
		changed |= member(object, changes[i]) != NULL;
	if (!changed)
		return refuse(r,
			"mistakes: \"%s\" changes nothing: expected set, drop, formula, field, "
			"times or over",
			m->name);
	return 0;
}

/* A mistake with the formula of the key also sets what the key sets, except for what it sets
 * anew. */
static int keep_settings(
	const struct bank_reader *r, const struct drill_step *s, struct drill_value *v)
{
	if (v->formula != s->key.formula || !s->key.n_settings)
		return 0;
	size_t n = v->n_settings;
	struct drill_setting *list = new_array(r, n + s->key.n_settings, sizeof *list);
	if (!list)
		return -1;
	/* The first of a name counts. */
	if (n)
		memcpy(list, v->settings, n * sizeof *list);
	memcpy(list + n, s->key.settings, s->key.n_settings * sizeof *list);
	v->settings = list;
	v->n_settings = n + s->key.n_settings;
	return 0;
}

static int read_mistake(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	const struct drill_step *s, struct drill_mistake *m)
{
	static const char *const known[] = { "name", "credit", "link", "formula", "field", "set",
		"drop", "times", "over", NULL };
	const cJSON *credit = member(object, "credit"), *times = member(object, "times");
	const cJSON *over = member(object, "over");
	*m = (struct drill_mistake){ .name = "",
		.credit = DEFAULT_CREDIT_PERCENT / 100.0,
		.value = { .times = { NULL, 1 }, .over = { NULL, 1 } } };
	if (check_members(r, object, "a mistake", known) ||
		read_text(r, object, "name", false, &m->name) ||
		read_text(r, object, "link", true, &m->link))
		return -1;
	if (credit &&
		(!cJSON_IsNumber(credit) || !(credit->valuedouble >= 0 && credit->valuedouble < 1)))
		return refuse(r, "credit: expected 0 to below 1");
	if (credit)
		m->credit = credit->valuedouble;
	if ((times && read_operand(r, times, d, "times", &m->value.times)) ||
		(over && read_operand(r, over, d, "over", &m->value.over)) ||
		read_source(r, object, d, s, m) || read_settings(r, object, d, &m->value))
		return -1;
	if (m->value.field)
		return 0;
	return keep_settings(r, s, &m->value) || check_value(r, d, m->name, &m->value) ? -1 : 0;
}

static int read_factors(const struct bank_reader *r, const cJSON *factors, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(factors);
	if ((factors && !cJSON_IsObject(factors)) || n > MOST_MISTAKES)
		return refuse(r, "factors: expected an object of at most %d", MOST_MISTAKES);
	struct drill_factor *list = new_array(r, (size_t)n, sizeof *list);
	if (!list)
		return -1;
	s->factors = list;
	cJSON_ArrayForEach(one, factors)
	{
		if (!cJSON_IsString(one) || !knows(d, one->string))
			return refuse(r,
				"factors: expected a field and what people call it, not \"%.40s\"",
				one->string);
		list[s->n_factors++] =
			(struct drill_factor){ arena_text(r->json.arena, one->string),
				arena_text(r->json.arena, one->valuestring) };
	}
	return 0;
}

static int read_mistakes(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *mistakes = member(object, "mistakes"), *one;
	int n = cJSON_GetArraySize(mistakes);
	if (!cJSON_IsArray(mistakes) || n < 1 || n > MOST_MISTAKES)
		return refuse(r, "mistakes: expected 1 to %d", MOST_MISTAKES);
	struct drill_mistake *list = new_array(r, (size_t)n, sizeof *list);
	if (!list)
		return -1;
	s->mistakes = list;
	JSON_EACH(one, mistakes)
	{
		if (!cJSON_IsObject(one) || read_mistake(r, one, d, s, &list[s->n_mistakes]))
			return cJSON_IsObject(one) ? -1 : refuse(r, "mistakes: expected objects");
		s->n_mistakes++;
	}
	return read_factors(r, member(object, "factors"), d, s);
}

/* ---- What one step asks: a number and how it is graded, options, or items to put in order. */

/* Whether "GB" is a word of the prompt, as in "in GB?": then a bare number has one meaning. */
static bool names_unit(const char *prompt, const char *unit)
{
	for (const char *p = prompt; (p = strstr(p, unit)); p++) {
		const char *end = p + strlen(unit);
		if ((p == prompt || p[-1] == ' ' || p[-1] == '(') && strchr(" .,;:)?\n", *end))
			return true;
	}
	return false;
}

static int check_assumptions(
	const struct bank_reader *r, const struct drill *d, const struct drill_step *s)
{
	if ((s->tags & (TAG_INFO | TAG_PEAK | TAG_LINK | TAG_FLOPS)) && !*d->assumes)
		return refuse(r,
			"assumes: tags info, peak, link and flops need it (decimal or binary, "
			"dense or sparse, one or both directions)");
	if (s->unit_policy == UNIT_NAMED && *s->shown_unit &&
		!names_unit(s->prompt ? s->prompt : d->prompt, s->shown_unit))
		return refuse(r, "prompt: must name the unit %s, or unit_policy be \"required\"",
			s->shown_unit);
	return 0;
}

static int read_range(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	const cJSON *range = member(object, "between");
	s->least = 0;
	s->most = INFINITY;
	if (!range)
		return 0;
	const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
	if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2 || !cJSON_IsNumber(low) ||
		!cJSON_IsNumber(high) || !(low->valuedouble < high->valuedouble))
		return refuse(r, "between: expected [least, most] in shown units");
	s->least = low->valuedouble;
	s->most = high->valuedouble;
	return 0;
}

static int read_grading(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	char why[200];
	const cJSON *dual = member(object, "dual"), *shown = member(object, "shown_unit");
	struct unit unit, key_unit;
	s->tolerance = (struct tolerance){ TOLERANCE_RELATIVE, 0.05 };
	if (tolerance_read(object, &s->tolerance, why, sizeof why) ||
		unit_policy_read(object, &s->unit_policy, why, sizeof why) ||
		tags_read(object, &s->tags, why, sizeof why))
		return refuse(r, "%s", why);
	if (dual && !cJSON_IsBool(dual))
		return refuse(r, "dual: expected true or false");
	if (!cJSON_IsString(shown) || !unit_parse(shown->valuestring, &unit))
		return refuse(r, "shown_unit: expected a unit such as \"GB\"");
	if (!unit_parse(s->unit, &key_unit) || !unit_same_dimension(&unit, &key_unit))
		return refuse(r, "shown_unit: %s does not measure what comes in %s",
			shown->valuestring, s->unit);
	s->shown_unit = arena_text(r->json.arena, shown->valuestring);
	s->dual = cJSON_IsTrue(dual);
	return read_range(r, object, s);
}

/* A fact is what a model or a GPU of the tables fills. A field would not do: its numbers are
 * typed, and a key never is. */
static int check_fact(
	const struct bank_reader *r, const struct drill *d, const struct drill_step *s)
{
	bool filled = false;
	for (size_t i = 0; model_fills[i]; i++)
		filled |= strcmp(model_fills[i], s->key.field) == 0;
	for (size_t i = 0; gpu_fills[i]; i++)
		filled |= strcmp(gpu_fills[i], s->key.field) == 0;
	return filled && knows(d, s->key.field)
		       ? 0
		       : refuse(r, "fact: no model or GPU among the fields fills \"%.40s\"",
				 s->key.field);
}

static int read_number(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	s->unit = s->key.formula ? s->key.formula->unit : filled_unit(s->key.field);
	if (s->key.formula ? read_settings(r, object, d, &s->key) ||
				     check_value(r, d, "formula", &s->key)
			   : check_fact(r, d, s))
		return -1;
	return read_grading(r, object, s) || check_assumptions(r, d, s) ||
			       read_mistakes(r, object, d, s)
		       ? -1
		       : 0;
}

static int read_less(const struct bank_reader *r, const cJSON *less, const struct drill *d,
	struct drill_option *o)
{
	if (!cJSON_IsArray(less) || cJSON_GetArraySize(less) != 2)
		return refuse(r, "less: expected two names");
	for (int i = 0; i < 2; i++) {
		const cJSON *name = cJSON_GetArrayItem(less, i);
		if (!cJSON_IsString(name) || !knows(d, name->valuestring))
			return refuse(r, "less: expected fields, or steps before this one");
		o->less[i] = arena_text(r->json.arena, name->valuestring);
	}
	return 0;
}

/* "times": from at least 1; without an end it is null. */
static int read_times(const struct bank_reader *r, const cJSON *times, struct drill_option *o)
{
	o->times[0] = 1;
	o->times[1] = INFINITY;
	if (!times)
		return 0;
	const cJSON *from = cJSON_GetArrayItem(times, 0), *to = cJSON_GetArrayItem(times, 1);
	if (!o->less[0] || !cJSON_IsArray(times) || cJSON_GetArraySize(times) != 2 ||
		!cJSON_IsNumber(from) || !(cJSON_IsNumber(to) || cJSON_IsNull(to)))
		return refuse(r, "times: expected [1, 2] or [2, null], beside \"less\"");
	o->times[0] = from->valuedouble;
	if (cJSON_IsNumber(to))
		o->times[1] = to->valuedouble;
	return o->times[0] >= 1 && o->times[0] < o->times[1]
		       ? 0
		       : refuse(r, "times: expected 1 or more, and then more");
}

static int read_option(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_option *o)
{
	static const char *const known[] = { "text", "right", "less", "times", "reason", NULL };
	const cJSON *right = member(object, "right"), *less = member(object, "less");
	/* Options are read before any step is answered, so only reasons may name values of
	 * steps. */
	const struct drill nameless = { .fields = d->fields, .n_fields = d->n_fields };
	*o = (struct drill_option){ 0 };
	if (check_members(r, object, "an option", known) ||
		read_text(r, object, "text", false, &o->text) ||
		read_text(r, object, "reason", false, &o->reason) ||
		check_text(r, &nameless, "text", o->text) || check_text(r, d, "reason", o->reason))
		return -1;
	if (right && !cJSON_IsBool(right))
		return refuse(r, "right: expected true or false");
	o->right = cJSON_IsTrue(right);
	return (less && read_less(r, less, d, o)) || read_times(r, member(object, "times"), o) ? -1
											       : 0;
}

static bool of_one_pair(const struct drill_option *a, const struct drill_option *b)
{
	return strcmp(a->less[0], b->less[0]) == 0 && strcmp(a->less[1], b->less[1]) == 0;
}

/* Whether what one option leaves is there in others of its pair: from 1 without a gap to no end. */
static bool goes_on(const struct drill_step *s, const struct drill_option *o)
{
	size_t before = 0, after = 0, same = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		const struct drill_option *other = &s->options[i];
		if (other == o || !of_one_pair(o, other))
			continue;
		same += other->times[0] == o->times[0];
		before += other->times[1] == o->times[0];
		after += other->times[0] == o->times[1];
	}
	return !same && before == (o->times[0] > 1) && after == (o->times[1] < INFINITY);
}

static int check_options(const struct bank_reader *r, const struct drill_step *s)
{
	size_t right = 0, computed = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		right += s->options[i].right;
		computed += s->options[i].less[0] != NULL;
	}
	if (computed ? right || computed != s->n_options : right != 1)
		return refuse(r, "options: expected one right one, or \"less\" for each of them");
	for (size_t i = 0; computed && i < s->n_options; i++)
		if (!goes_on(s, &s->options[i]))
			return refuse(r, "times: expected all from 1 to null, each once");
	return 0;
}

static struct drill_option *new_options(
	const struct bank_reader *r, const cJSON *list, int least, struct drill_step *s)
{
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < least || n > MOST_OPTIONS) {
		refuse(r, "options or items: expected %d to %d", least, MOST_OPTIONS);
		return NULL;
	}
	/* An item may be a list of items: as many as there can be at most. */
	struct drill_option *options = new_array(r, MOST_OPTIONS, sizeof *options);
	s->options = options;
	return options;
}

static int read_options(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *list = member(object, "options"), *one;
	struct drill_option *options = new_options(r, list, 2, s);
	if (!options)
		return -1;
	JSON_EACH(one, list)
	{
		if (read_option(r, one, d, &options[s->n_options++]))
			return -1;
	}
	return check_options(r, s);
}

static int read_item(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	size_t place, struct drill_step *s, struct drill_option *items)
{
	static const char *const known[] = { "text", "reason", NULL };
	if (s->n_options == MOST_OPTIONS)
		return refuse(r, "items: more than %d", MOST_OPTIONS);
	struct drill_option *o = &items[s->n_options++];
	*o = (struct drill_option){ .place = place };
	return check_members(r, object, "an item", known) ||
			       read_text(r, object, "text", false, &o->text) ||
			       read_text(r, object, "reason", false, &o->reason) ||
			       check_text(r, d, "text", o->text) ||
			       check_text(r, d, "reason", o->reason)
		       ? -1
		       : 0;
}

static int read_items(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *list = member(object, "items"), *one, *among;
	struct drill_option *items = new_options(r, list, FEWEST_ITEMS, s);
	size_t place = 0;
	if (!items)
		return -1;
	JSON_EACH(one, list)
	{
		if (!cJSON_IsArray(one)) {
			if (read_item(r, one, d, place, s, items))
				return -1;
		} else {
			JSON_EACH(among, one)
			{
				if (read_item(r, among, d, place, s, items))
					return -1;
			}
		}
		place++;
	}
	return 0;
}

/* ---- A program to write: its texts, the cases that it is run against and what is compared. */

static int read_language(const struct bank_reader *r, const cJSON *object, struct drill_program *p)
{
	const cJSON *language = member(object, "language");
	const char *given = cJSON_IsString(language) ? language->valuestring : "";
	for (unsigned i = 0; i < N_LANGUAGES; i++)
		if (strcmp(language_names[i], given) == 0) {
			p->language = (enum program_language)i;
			return 0;
		}
	return refuse_name(r, given, language_names, N_LANGUAGES,
		"language: expected python or c, not \"%.40s\"", given);
}

static int check_line(const struct bank_reader *r, const char *what, const cJSON *line)
{
	if (!cJSON_IsString(line))
		return refuse(r, "%s: expected an array of lines", what);
	for (const char *p = line->valuestring; *p; p++)
		if (iscntrl((unsigned char)*p) && *p != '\t')
			return refuse(r, "%s: a line has a control character", what);
	return 0;
}

/* The lines as one text, each with a newline at its end. */
static const char *join_lines(const struct bank_reader *r, const cJSON *list, size_t bytes)
{
	const cJSON *line;
	char *text = new_array(r, bytes + 1, 1), *end = text;
	if (!text)
		return NULL;
	JSON_EACH(line, list)
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
	const cJSON *list = member(object, what), *line;
	int n = cJSON_GetArraySize(list);
	size_t bytes = 0;
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_LINES)
		return refuse(r, "%s: expected an array of 1 to %d lines", what, MOST_LINES);
	JSON_EACH(line, list)
	{
		if (check_line(r, what, line))
			return -1;
		bytes += strlen(line->valuestring) + 1;
	}
	if (bytes > LONGEST_PROGRAM)
		return refuse(r, "%s: expected at most %d bytes", what, LONGEST_PROGRAM);
	*out = join_lines(r, list, bytes);
	return *out ? 0 : -1;
}

/* Every @name@ of a program must be known. */
static int check_program(
	const struct bank_reader *r, const struct drill *d, const char *what, const char *text)
{
	char name[64];
	for (const char *p = text; *p; p++) {
		size_t n = program_field(p, name, sizeof name);
		if (n && !knows(d, name))
			return refuse_field(r, d, what, name);
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
	const cJSON *list = member(object, "check_list"), *line;
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < FEWEST_CHECK_LINES || n > MOST_CHECK_LINES)
		return refuse(r, "check_list: expected %d to %d lines", FEWEST_CHECK_LINES,
			MOST_CHECK_LINES);
	const char **lines = new_array(r, (size_t)n, sizeof *lines);
	if (!lines)
		return -1;
	JSON_EACH(line, list)
	{
		if (check_line(r, "check_list", line))
			return -1;
		lines[p->n_check_list++] = arena_text(r->json.arena, line->valuestring);
	}
	p->check_list = lines;
	return 0;
}

/* The expectations as steps, before anything of them is read but their formulas, from which the
 * fields of the cases take their units. */
static int begin_expectations(
	const struct bank_reader *r, const cJSON *list, struct drill_step *steps)
{
	const cJSON *one;
	size_t n = 0;
	JSON_EACH(one, list)
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
			return refuse(r, "expect: expected objects");
		if (read_text(r, one, "formula", true, &formula))
			return -1;
		if (!formula)
			continue;
		s->key.formula = find_formula(r, "expect", formula);
		if (!s->key.formula)
			return -1;
		s->unit = s->shown_unit = s->key.formula->unit;
	}
	return 0;
}

/* Names of the fields of cases become members of a struct in C, and keys of a dict in Python. */
static int check_names(const struct bank_reader *r, const struct drill_program *p)
{
	for (size_t i = 0; i < p->n_fields; i++) {
		const char *name = p->fields[i].name;
		size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
		if (name[n] || n > LONGEST_NAME || !islower((unsigned char)*name))
			return refuse(r, "cases: expected fields such as \"layers\", not \"%.40s\"",
				name);
	}
	return 0;
}

/* "cases". `all` is the drill as the cases see it: it gets their fields behind the drill's own. */
static int read_cases(const struct bank_reader *r, const cJSON *object, struct drill *all,
	const struct drill_step *steps, size_t n_steps, struct drill_program *p)
{
	static const char *const known[] = { "count", "fields", "shown", NULL };
	const cJSON *cases = member(object, "cases"), *count = member(cases, "count");
	size_t own = all->n_fields;
	if (check_members(r, cases, "cases", known))
		return -1;
	if (!cJSON_IsNumber(count) || !(count->valuedouble >= 1) ||
		count->valuedouble > MOST_CASES ||
		count->valuedouble != (double)(size_t)count->valuedouble)
		return refuse(r, "count: expected 1 to %d cases", MOST_CASES);
	p->n_cases = (size_t)count->valuedouble;
	all->kind = KIND_NUMBER; /* its fields are not optional */
	if (read_fields(r, cases, steps, n_steps, all) ||
		read_text(r, cases, "shown", false, &p->shown) ||
		check_text(r, all, "shown", p->shown))
		return -1;
	p->fields = all->fields + own;
	p->n_fields = all->n_fields - own;
	return check_names(r, p);
}

static int read_tolerance(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	char why[200];
	if (tolerance_read(object, &s->tolerance, why, sizeof why))
		return refuse(r, "%s", why);
	return s->tolerance.mode == TOLERANCE_RELATIVE && s->tolerance.amount > 0 &&
			       s->tolerance.amount < 1
		       ? 0
		       : refuse(r, "mode: expected {\"rel\": ...} between 0 and 1");
}

static int read_computed(const struct bank_reader *r, const cJSON *object, const struct drill *all,
	struct drill_step *s)
{
	const cJSON *times = member(object, "times"), *over = member(object, "over");
	if ((times && read_operand(r, times, all, "times", &s->key.times)) ||
		(over && read_operand(r, over, all, "over", &s->key.over)) ||
		read_settings(r, object, all, &s->key) || check_value(r, all, "expect", &s->key))
		return -1;
	return member(object, "mistakes") ? read_mistakes(r, object, all, s) : 0;
}

static int read_expectation(const struct bank_reader *r, const cJSON *object,
	const struct drill *all, struct drill_step *s, struct drill_expectation *e)
{
	static const char *const of_formula[] = { "name", "formula", "set", "times", "over", "mode",
		"at_most", "mistakes", NULL };
	static const char *const of_solution[] = { "name", "from", "mode", NULL };
	const cJSON *from = member(object, "from"), *limit = member(object, "at_most");
	*e = (struct drill_expectation){ .step = s, .computed = s->key.formula != NULL };
	if (check_members(r, object, "an expectation", e->computed ? of_formula : of_solution) ||
		read_text(r, object, "name", false, &e->name) || read_tolerance(r, object, s))
		return -1;
	if (!e->computed)
		return cJSON_IsString(from) && strcmp(from->valuestring, "solution") == 0
			       ? 0
			       : refuse(r, "expect: expected a formula, or \"from\": \"solution\"");
	if (limit && !cJSON_IsBool(limit))
		return refuse(r, "at_most: expected true or false");
	e->at_most = cJSON_IsTrue(limit);
	return read_computed(r, object, all, s);
}

static int read_expectations(const struct bank_reader *r, const cJSON *list,
	const struct drill *all, struct drill_step *steps, struct drill_program *p)
{
	const cJSON *one;
	size_t limits = 0;
	struct drill_expectation *expectations =
		new_array(r, (size_t)cJSON_GetArraySize(list), sizeof *expectations);
	if (!expectations)
		return -1;
	p->expectations = expectations;
	JSON_EACH(one, list)
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
		       : refuse(r, "expect: expected more than limits (\"at_most\")");
}

static int read_program(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *list = member(object, "expect");
	size_t n = (size_t)cJSON_GetArraySize(list);
	struct drill all = *d;
	struct drill_program *p = new_array(r, 1, sizeof *p);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_EXPECTATIONS)
		return refuse(r, "expect: expected 1 to %d", MOST_EXPECTATIONS);
	struct drill_step *steps = new_array(r, n, sizeof *steps);
	if (!p || !steps)
		return -1;
	d->program = p;
	return read_language(r, object, p) || read_programs(r, object, d, p) ||
			       read_check_list(r, object, p) ||
			       begin_expectations(r, list, steps) ||
			       read_cases(r, object, &all, steps, n, p) ||
			       read_expectations(r, list, &all, steps, p)
		       ? -1
		       : 0;
}

/* ---- A drill as a whole: its kind, its texts, its steps in order. */

/* "covers": what of the whole subject a drill asks for, by the ids of rows of the inventory and of
 * the errata. */
static int read_covers(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *covers = member(object, "covers"), *id;
	if (!covers)
		return 0;
	size_t n = (size_t)cJSON_GetArraySize(covers);
	const char **ids = new_array(r, n, sizeof *ids);
	if (!cJSON_IsArray(covers) || n == 0 || n > MOST_COVERS)
		return refuse(r, "covers: expected 1 to %d ids", MOST_COVERS);
	if (!ids)
		return -1;
	JSON_EACH(id, covers)
	{
		if (!cJSON_IsString(id) || !*id->valuestring)
			return refuse(r, "covers: expected ids, such as \"R4\"");
		ids[d->n_covers++] = arena_text(r->json.arena, id->valuestring);
	}
	d->covers = ids;
	return 0;
}

/* "chain": {"name": "cache", "place": 3}. Its neighbours are compared when the drill is whole. */
static int read_chain(struct bank_reader *r, const cJSON *object, struct drill *d)
{
	static const char *const known[] = { "name", "place", NULL };
	const cJSON *chain = member(object, "chain"), *place = member(chain, "place");
	const char *name = "";
	if (!chain)
		return 0;
	if (check_members(r, chain, "chain", known) || read_text(r, chain, "name", false, &name))
		return -1;
	if (strlen(name) > LONGEST_NAME ||
		name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return refuse(r, "chain: expected a name of at most %d small letters, digits and -",
			LONGEST_NAME);
	if (!cJSON_IsNumber(place) || !(place->valuedouble >= 1) ||
		place->valuedouble > MOST_CHAIN || place->valuedouble != floor(place->valuedouble))
		return refuse(r, "chain: expected a place, 1 to %d", MOST_CHAIN);
	d->chain = arena_printf(r->json.arena, "chain-%s", name);
	d->chain_place = (unsigned)place->valuedouble;
	return d->chain ? 0 : refuse(r, "out of memory");
}

/* A chain climbs: each place is taken once, and no rung is lower than one before it. */
static int check_chain(
	const struct bank_reader *r, const struct drill_bank *b, const struct drill *d)
{
	for (size_t i = 0; d->chain && i < b->n; i++) {
		const struct drill *other = &b->drills[i];
		if (!other->chain || strcmp(other->chain, d->chain) != 0)
			continue;
		if (other->chain_place == d->chain_place)
			return refuse(r, "chain: place %u of %s is that of %.64s", d->chain_place,
				d->chain, other->id);
		bool after = d->chain_place > other->chain_place;
		const struct drill *low = after ? other : d, *high = after ? d : other;
		if (low->rung > high->rung)
			return refuse(r, "chain: %s goes down: %.64s (%s) is before %.64s (%s)",
				d->chain, low->id, rung_names[low->rung], high->id,
				rung_names[high->rung]);
	}
	return 0;
}

static int read_texts(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *hints = member(object, "hints"), *hint;
	size_t n = 0;
	int given = cJSON_IsArray(hints) ? cJSON_GetArraySize(hints) : 0;
	if (given < 1 || given > 2)
		return refuse(r, "hints: expected one text or two, the second saying more");
	JSON_EACH(hint, hints)
	{
		if (!cJSON_IsString(hint) || !*hint->valuestring)
			return refuse(r, "hints: expected texts");
		d->hints[n++] = arena_text(r->json.arena, hint->valuestring);
	}
	return read_text(r, object, "title", false, &d->title) ||
			       read_text(r, object, "skill", false, &d->skill) ||
			       read_text(r, object, "prompt", false, &d->prompt) ||
			       read_text(r, object, "assumes", true, &d->assumes) ||
			       read_text(r, object, "page", true, &d->page) ||
			       read_text(r, object, "sim", true, &d->sim) ||
			       read_text(r, object, "follow_up", true, &d->follow_up)
		       ? -1
		       : 0;
}

/* Before any step is read, so that a text cannot name what the steps ask for. */
static int check_texts(const struct bank_reader *r, const struct drill *d)
{
	const struct {
		const char *what, *text;
	} texts[] = { { "prompt", d->prompt }, { "assumes", d->assumes }, { "hints", d->hints[0] },
		{ "hints", d->hints[1] ? d->hints[1] : "" }, { "sim", d->sim },
		{ "follow_up", d->follow_up } };
	for (size_t i = 0; i < LENGTH(texts); i++)
		if (check_text(r, d, texts[i].what, texts[i].text))
			return -1;
	return 0;
}

static int read_par(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *par = member(object, "par_s");
	if (!cJSON_IsNumber(par) || !(par->valuedouble >= 5 && par->valuedouble <= 3600))
		return refuse(r, "par_s: expected 5 to 3600 seconds");
	d->par_s = par->valuedouble;
	return 0;
}

static int read_kind(const struct bank_reader *r, const cJSON *object, enum drill_kind *out)
{
	const cJSON *kind = member(object, "kind");
	const char *given = cJSON_IsString(kind) ? kind->valuestring : "";
	for (unsigned i = 0; i < N_KINDS; i++)
		if (strcmp(kind_names[i], given) == 0) {
			*out = (enum drill_kind)i;
			return 0;
		}
	return refuse_name(r, given, kind_names, N_KINDS,
		"kind: expected number, choice, order, recall, estimate or code, not \"%.40s\"",
		given);
}

static int read_rung(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	static const enum drill_rung usual[N_KINDS] = { [KIND_RECALL] = RUNG_RECALL,
		[KIND_NUMBER] = RUNG_APPLY,
		[KIND_ESTIMATE] = RUNG_COMBINE,
		[KIND_CODE] = RUNG_COMBINE,
		[KIND_CHOICE] = RUNG_JUDGE,
		[KIND_ORDER] = RUNG_JUDGE };
	const cJSON *rung = member(object, "rung");
	const char *given = cJSON_IsString(rung) ? rung->valuestring : "";
	d->rung = usual[d->kind];
	for (unsigned i = 0; rung && i < N_RUNGS; i++)
		if (strcmp(rung_names[i], given) == 0) {
			d->rung = (enum drill_rung)i;
			return 0;
		}
	return !rung ? 0
		     : refuse_name(r, given, rung_names, N_RUNGS,
			       "rung: expected recall, apply, combine or judge, not \"%.40s\"",
			       given);
}

/* The solution of a program is another program, so it is not a typed key. */
static int refuse_typed_key(const struct bank_reader *r, const cJSON *object)
{
	static const char *const typed[] = { "key", "answer", "value", "result", "solution" };
	bool program = cJSON_IsArray(member(object, "solution"));
	for (size_t i = 0; i < LENGTH(typed) - program; i++)
		if (member(object, typed[i]))
			return refuse(r, "%s: a key is never typed; name a formula", typed[i]);
	return 0;
}

static int check_drill_members(
	const struct bank_reader *r, const cJSON *object, enum drill_kind kind)
{
#define DRILL_MEMBERS                                                                              \
	"id", "kind", "rung", "chain", "skill", "title", "prompt", "fields", "assumes", "par_s",   \
		"hints", "page", "sim", "follow_up", "covers"
#define NUMBER_MEMBERS                                                                             \
	"formula", "set", "shown_unit", "unit_policy", "mode", "dual", "between", "tags",          \
		"factors", "mistakes"
	static const char *const of_number[] = { DRILL_MEMBERS, NUMBER_MEMBERS, NULL };
	static const char *const of_recall[] = { DRILL_MEMBERS, NUMBER_MEMBERS, "fact", NULL };
	static const char *const of_choice[] = { DRILL_MEMBERS, "options", "steps", NULL };
	static const char *const of_order[] = { DRILL_MEMBERS, "items", NULL };
	static const char *const of_estimate[] = { DRILL_MEMBERS, "steps", NULL };
	static const char *const of_code[] = { DRILL_MEMBERS, "language", "stub", "solution",
		"checks", "cases", "expect", "check_list", NULL };
	static const char *const *const known[N_KINDS] = { [KIND_NUMBER] = of_number,
		[KIND_RECALL] = of_recall,
		[KIND_CHOICE] = of_choice,
		[KIND_ORDER] = of_order,
		[KIND_ESTIMATE] = of_estimate,
		[KIND_CODE] = of_code };
	return check_members(r, object, "the drill", known[kind]);
}

static int check_step_members(const struct bank_reader *r, const cJSON *step)
{
	static const char *const of_number[] = { "name", "prompt", "hint", NUMBER_MEMBERS, NULL };
	static const char *const of_choice[] = { "name", "prompt", "hint", "options", NULL };
	return refuse_typed_key(r, step) || check_members(r, step, "a step",
						    member(step, "options") ? of_choice : of_number)
		       ? -1
		       : 0;
}

/* The object of step i: one of "steps", or the drill itself where it has none. */
static const cJSON *step_object(const cJSON *object, size_t i)
{
	const cJSON *steps = member(object, "steps");
	return steps ? cJSON_GetArrayItem(steps, (int)i) : object;
}

static int count_steps(const struct bank_reader *r, const cJSON *object, size_t *n)
{
	const cJSON *steps = member(object, "steps"), *one;
	*n = 1;
	if (!steps)
		return 0;
	*n = (size_t)cJSON_GetArraySize(steps);
	if (!cJSON_IsArray(steps) || *n < 2 || *n > MOST_STEPS)
		return refuse(r, "steps: expected 2 to %d", MOST_STEPS);
	JSON_EACH(one, steps)
	{
		if (check_step_members(r, one))
			return -1;
	}
	return 0;
}

/* A step before anything of it is read but its kind and its formula. The formulas of all steps come
 * first, since fields take their units from them. */
static int begin_step(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	const char *formula = NULL;
	*s = (struct drill_step){ .name = "",
		.unit = "",
		.shown_unit = "",
		.key = { .times = { NULL, 1 }, .over = { NULL, 1 } } };
	s->kind = member(object, "options")  ? KIND_CHOICE
		  : member(object, "items")  ? KIND_ORDER
		  : member(object, "checks") ? KIND_CODE
					     : KIND_NUMBER;
	if (s->kind != KIND_NUMBER)
		return 0;
	if (read_text(r, object, "formula", true, &formula) ||
		read_text(r, object, "fact", true, &s->key.field))
		return -1;
	if (!formula && !s->key.field)
		return refuse(
			r, "formula: expected the id of a formula, as `ridge calc` lists them");
	if (formula && s->key.field)
		return refuse(r, "fact: expected a formula or a fact, not both");
	if (!formula)
		return 0;
	s->key.formula = find_formula(r, "formula", formula);
	return s->key.formula ? 0 : -1;
}

/* The hints of the first step are the drill's. */
static int read_hint(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const struct drill nameless = { .fields = d->fields, .n_fields = d->n_fields };
	if (!member(object, "hint"))
		return 0;
	if (d->n_steps == 0)
		return refuse(r, "hint: those of the first step are the \"hints\" of the drill");
	return read_text(r, object, "hint", false, &s->hint) ||
			       check_text(r, &nameless, "hint", s->hint)
		       ? -1
		       : 0;
}

static int read_step(const struct bank_reader *r, const cJSON *object, const cJSON *whole,
	const struct drill *d, struct drill_step *s)
{
	/* On paper all steps are read before any is answered: no text names a step's value. */
	const struct drill nameless = { .fields = d->fields, .n_fields = d->n_fields };
	if (object != whole && (read_text(r, object, "name", s->kind != KIND_NUMBER, &s->name) ||
				       read_text(r, object, "prompt", false, &s->prompt) ||
				       check_text(r, &nameless, "prompt", s->prompt) ||
				       read_hint(r, object, d, s)))
		return -1;
	if (*s->name && knows(d, s->name))
		return refuse(r, "name: there is a field or a step \"%.40s\"", s->name);
	switch (s->kind) {
	case KIND_CHOICE:
		return read_options(r, object, d, s);
	case KIND_ORDER:
		return read_items(r, object, d, s);
	case KIND_CODE:
		return 0;
	default:
		return read_number(r, object, d, s);
	}
}

static int read_steps(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	size_t n;
	if (count_steps(r, object, &n))
		return -1;
	struct drill_step *steps = new_array(r, n, sizeof *steps);
	if (!steps)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (begin_step(r, step_object(object, i), &steps[i]))
			return -1;
	d->steps = steps;
	if (read_fields(r, object, steps, n, d) || check_texts(r, d))
		return -1;
	for (; d->n_steps < n; d->n_steps++)
		if (read_step(r, step_object(object, d->n_steps), object, d, &steps[d->n_steps]))
			return -1;
	return 0;
}

/* Whether the members are there that make the kind what it is. */
static int check_kind(const struct bank_reader *r, const cJSON *object, enum drill_kind kind)
{
	bool steps = member(object, "steps"), options = member(object, "options");
	if (kind == KIND_ESTIMATE && !steps)
		return refuse(r, "steps: an estimate needs 2 to %d", MOST_STEPS);
	if (kind == KIND_CHOICE && steps == options)
		return refuse(r, "options: a choice needs options, or steps that have them");
	if (kind == KIND_ORDER && !member(object, "items"))
		return refuse(r, "items: an order needs items");
	if (kind == KIND_CODE && !member(object, "checks"))
		return refuse(r, "checks: a program to write needs some");
	return 0;
}

/* "chapters/08-inference.md#kv-cache" is of "chapter-8"; a page that is no chapter, of none. */
static int name_chapter(struct bank_reader *r, struct drill *d)
{
	unsigned number;
	if (!d->page || sscanf(d->page, "chapters/%2u-", &number) != 1)
		return 0;
	d->chapter = arena_printf(r->json.arena, "chapter-%u", number);
	return d->chapter ? 0 : refuse(r, "out of memory");
}

static int read_drill(
	struct bank_reader *r, const cJSON *object, const char *topic, struct drill *d)
{
	*d = (struct drill){ .id = "", .topic = topic, .assumes = "", .follow_up = "" };
	if (!cJSON_IsObject(object))
		return refuse(r, "drills: expected objects");
	if (read_text(r, object, "id", false, &d->id))
		return -1;
	r->json.place = d->id;
	return refuse_typed_key(r, object) || read_kind(r, object, &d->kind) ||
			       read_rung(r, object, d) || read_chain(r, object, d) ||
			       check_drill_members(r, object, d->kind) ||
			       check_kind(r, object, d->kind) || read_texts(r, object, d) ||
			       name_chapter(r, d) || read_par(r, object, d) ||
			       read_covers(r, object, d) || read_steps(r, object, d) ||
			       (d->kind == KIND_CODE && read_program(r, object, d))
		       ? -1
		       : 0;
}

/* ---- A file: drills of one topic, or the editions of the bank. */

static int read_drills(struct bank_reader *r, const cJSON *root, struct drill_bank *b)
{
	static const char *const known[] = { "schema", "topic", "name", "drills", NULL };
	const cJSON *list = member(root, "drills"), *one;
	const char *topic = "";
	if (!cJSON_IsArray(list))
		return refuse(r, "expected an object with \"drills\"");
	if (check_members(r, root, "the file", known) || read_text(r, root, "topic", false, &topic))
		return -1;
	const char *name = topic;
	if (read_text(r, root, "name", true, &name))
		return -1;
	size_t more = (size_t)cJSON_GetArraySize(list);
	if (b->n + more > MOST_DRILLS)
		return refuse(r, "more than %d drills", MOST_DRILLS);
	struct drill *all = new_array(r, b->n + more, sizeof *all);
	if (!all)
		return -1;
	if (b->n)
		memcpy(all, b->drills, b->n * sizeof *all);
	struct drill_bank next = { .drills = all, .n = b->n };
	JSON_EACH(one, list)
	{
		r->json.place =
			arena_printf(r->json.arena, "drill %zu of the file", next.n - b->n + 1);
		if (read_drill(r, one, topic, &all[next.n]))
			return -1;
		if (bank_find(&next, all[next.n].id))
			return refuse(r, "id: there is another drill of this name");
		if (check_chain(r, &next, &all[next.n]))
			return -1;
		all[next.n].topic_name = name;
		next.n++;
	}
	r->json.place = NULL;
	if (r->json.arena->failed)
		return refuse(r, "out of memory");
	b->drills = next.drills;
	b->n = next.n;
	return 0;
}

static int read_edition(const struct bank_reader *r, const cJSON *list, struct drill_edition *out)
{
	const cJSON *id;
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > MOST_DRILLS)
		return refuse(r, "editions: expected arrays of at most %d ids", MOST_DRILLS);
	const char **ids = new_array(r, (size_t)cJSON_GetArraySize(list), sizeof *ids);
	if (!ids)
		return -1;
	out->ids = ids;
	JSON_EACH(id, list)
	{
		if (!cJSON_IsString(id))
			return refuse(r, "editions: expected ids of drills");
		ids[out->n++] = arena_text(r->json.arena, id->valuestring);
	}
	return 0;
}

static int read_editions(const struct bank_reader *r, const cJSON *root, struct drill_bank *b)
{
	static const char *const known[] = { "schema", "editions", NULL };
	const cJSON *list = member(root, "editions"), *one;
	size_t n = 0;
	if (check_members(r, root, "the file", known))
		return -1;
	if (b->n_editions)
		return refuse(r, "editions: there is another list of them");
	if (!cJSON_IsArray(list) || cJSON_GetArraySize(list) > MOST_EDITIONS)
		return refuse(r, "editions: expected at most %d", MOST_EDITIONS);
	struct drill_edition *editions =
		new_array(r, (size_t)cJSON_GetArraySize(list), sizeof *editions);
	if (!editions)
		return -1;
	JSON_EACH(one, list)
	{
		if (read_edition(r, one, &editions[n++]))
			return -1;
	}
	if (r->json.arena->failed)
		return refuse(r, "out of memory");
	b->editions = editions;
	b->n_editions = n;
	return 0;
}

static int read_file(struct bank_reader *r, const cJSON *root, struct drill_bank *b)
{
	const cJSON *schema = member(root, "schema");
	if (!cJSON_IsObject(root))
		return refuse(r, "expected an object with \"drills\"");
	if (!cJSON_IsNumber(schema) || schema->valuedouble != 1)
		return refuse(r, "schema: expected 1");
	return member(root, "editions") ? read_editions(r, root, b) : read_drills(r, root, b);
}

int bank_add(struct drill_bank *b, const struct tables *t, const char *json, const char *name,
	char *err, size_t err_size)
{
	assert(b && t && json && name && err && err_size > 0);
	struct bank_reader r = {
		.json = { .arena = &b->arena, .file = name, .err = err, .err_size = err_size },
		.tables = t
	};
	char why[64];
	cJSON *root = json_root(json, why, sizeof why);
	if (!root) {
		b->arena.failed |= errno == ENOMEM;
		return refuse(&r, "%s", why);
	}
	int rc = read_file(&r, root, b);
	cJSON_Delete(root);
	return rc;
}

int drill_read(struct arena *a, const struct tables *t, const cJSON *object, const char *name,
	struct drill *out, char *err, size_t err_size)
{
	struct bank_reader r = {
		.json = { .arena = a, .file = name, .err = err, .err_size = err_size }, .tables = t
	};
	if (read_drill(&r, object, "cases", out))
		return -1;
	out->topic_name = out->topic;
	return a->failed ? refuse(&r, "out of memory") : 0;
}
