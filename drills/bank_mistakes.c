/* The "factors" and "mistakes" of a number. */
#include "drills/bank_read.h"

#include <string.h>

enum { MOST_MISTAKES = 16 };

static int read_source(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	const struct drill_step *s, struct drill_mistake *m)
{
	const char *formula = NULL, *what = "mistakes";
	struct drill_value *v = &m->value;
	if (bank_text(r, object, "formula", true, &formula) ||
		bank_text(r, object, "field", true, &v->field))
		return -1;
	if (v->field && !bank_knows(d, v->field))
		return bank_refuse(r, "%s: there is no field \"%.40s\"", what, v->field);
	if (!formula && !v->field)
		v->field = s->key.field;
	v->formula = v->field ? NULL : formula ? formula_find(formula) : s->key.formula;
	if (formula && !v->formula)
		return bank_refuse(r, "%s: there is no formula \"%.40s\"", what, formula);
	bool changed = formula || bank_member(object, "field");
	static const char *const changes[] = { "set", "drop", "times", "over" };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		changed |= bank_member(object, changes[i]) != NULL;
	if (!changed)
		return bank_refuse(r,
			"mistakes: \"%s\" changes nothing: expected set, drop, formula, field, "
			"times or over",
			m->name);
	return 0;
}

/* What the key sets, the mistake sets too, unless it is another formula. */
static int keep_settings(
	const struct bank_reader *r, const struct drill_step *s, struct drill_value *v)
{
	if (v->formula != s->key.formula || !s->key.n_settings)
		return 0;
	size_t n = v->n_settings;
	struct drill_setting *list = arena_array(r->arena, n + s->key.n_settings, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
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
	const cJSON *credit = bank_member(object, "credit"), *times = bank_member(object, "times");
	const cJSON *over = bank_member(object, "over");
	*m = (struct drill_mistake){ .name = "",
		.credit = DEFAULT_CREDIT_PERCENT / 100.0,
		.value = { .times = { NULL, 1 }, .over = { NULL, 1 } } };
	if (bank_check_members(r, object, "a mistake", known) ||
		bank_text(r, object, "name", false, &m->name) ||
		bank_text(r, object, "link", true, &m->link))
		return -1;
	if (credit &&
		(!cJSON_IsNumber(credit) || !(credit->valuedouble >= 0 && credit->valuedouble < 1)))
		return bank_refuse(r, "credit: expected 0 to below 1");
	if (credit)
		m->credit = credit->valuedouble;
	if ((times && bank_read_operand(r, times, d, "times", &m->value.times)) ||
		(over && bank_read_operand(r, over, d, "over", &m->value.over)) ||
		read_source(r, object, d, s, m) || bank_read_settings(r, object, d, &m->value))
		return -1;
	if (m->value.field)
		return 0;
	return keep_settings(r, s, &m->value) || bank_check_value(r, d, m->name, &m->value) ? -1
											    : 0;
}

static int read_factors(const struct bank_reader *r, const cJSON *factors, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(factors);
	if ((factors && !cJSON_IsObject(factors)) || n > MOST_MISTAKES)
		return bank_refuse(r, "factors: expected an object of at most %d", MOST_MISTAKES);
	struct drill_factor *list = arena_array(r->arena, (size_t)n, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	s->factors = list;
	cJSON_ArrayForEach(one, factors)
	{
		if (!cJSON_IsString(one) || !bank_knows(d, one->string))
			return bank_refuse(r,
				"factors: expected a field and what people call it, not \"%.40s\"",
				one->string);
		list[s->n_factors++] = (struct drill_factor){ arena_text(r->arena, one->string),
			arena_text(r->arena, one->valuestring) };
	}
	return 0;
}

int bank_read_mistakes(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *mistakes = bank_member(object, "mistakes"), *one;
	int n = cJSON_GetArraySize(mistakes);
	if (!cJSON_IsArray(mistakes) || n < 1 || n > MOST_MISTAKES)
		return bank_refuse(r, "mistakes: expected 1 to %d", MOST_MISTAKES);
	struct drill_mistake *list = arena_array(r->arena, (size_t)n, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	s->mistakes = list;
	cJSON_ArrayForEach(one, mistakes)
	{
		if (!cJSON_IsObject(one) || read_mistake(r, one, d, s, &list[s->n_mistakes]))
			return cJSON_IsObject(one) ? -1
						   : bank_refuse(r, "mistakes: expected objects");
		s->n_mistakes++;
	}
	return read_factors(r, bank_member(object, "factors"), d, s);
}
