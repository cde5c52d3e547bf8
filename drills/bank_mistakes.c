/* The "factors" and "mistakes" of a drill. */
#include "drills/bank_read.h"

#include <math.h>
#include <string.h>

enum { MOST_MISTAKES = 16, MOST_SETTINGS = 8 };

int bank_read_operand(const struct bank_reader *r, const cJSON *value, const struct drill *d,
        const char *what, struct operand *out)
{
	if (cJSON_IsNumber(value) && isfinite(value->valuedouble)) {
		*out = (struct operand){ .number = value->valuedouble };
		return 0;
	}
	if (!cJSON_IsString(value))
		return bank_refuse(r, "%s: expected the name of a field, or a number", what);
	if (!bank_knows(d, value->valuestring))
		return bank_refuse(r, "%s: there is no field \"%.40s\"", what, value->valuestring);
	*out = (struct operand){ .name = arena_text(r->arena, value->valuestring) };
	return 0;
}

static int add_setting(const struct bank_reader *r, struct drill_mistake *m, const char *name,
        struct operand to, struct drill_setting *list)
{
	if (formula_param_index(m->formula, name) < 0)
		return bank_refuse(
		        r, "mistakes: %s has no parameter \"%.40s\"", m->formula->id, name);
	list[m->n_settings++] = (struct drill_setting){ arena_text(r->arena, name), to };
	return 0;
}

static int read_settings(const struct bank_reader *r, const cJSON *object, const struct drill *d,
        struct drill_mistake *m)
{
	const cJSON *set = bank_member(object, "set"), *drop = bank_member(object, "drop"), *one;
	int n = cJSON_GetArraySize(set);
	if ((set && !cJSON_IsObject(set)) || n > MOST_SETTINGS)
		return bank_refuse(r, "set: expected an object of parameters");
	struct drill_setting *list = arena_array(r->arena, (size_t)n + 1, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	m->settings = list;
	cJSON_ArrayForEach(one, set)
	{
		struct operand to;
		if (bank_read_operand(r, one, d, "set", &to) ||
		        add_setting(r, m, one->string, to, list))
			return -1;
	}
	if (!drop)
		return 0;
	if (!cJSON_IsString(drop))
		return bank_refuse(r, "drop: expected a parameter");
	return add_setting(r, m, drop->valuestring, (struct operand){ .number = 1 }, list);
}

/* A formula of a mistake is called with the drill's fields: they must have all it needs. */
static int check_formula(
        const struct bank_reader *r, const struct drill *d, const struct drill_mistake *m)
{
	for (size_t i = 0; i < m->formula->n_params; i++) {
		const char *name = m->formula->params[i].name;
		bool given = bank_knows(d, name);
		for (size_t k = 0; k < m->n_settings; k++)
			given |= strcmp(m->settings[k].name, name) == 0;
		if (!given)
			return bank_refuse(r, "mistakes: \"%s\": nothing gives %s, which %s needs",
			        m->name, name, m->formula->id);
	}
	return 0;
}

static int read_source(const struct bank_reader *r, const cJSON *object, const struct drill *d,
        struct drill_mistake *m)
{
	const char *formula = NULL;
	if (bank_text(r, object, "formula", true, &formula) ||
	        bank_text(r, object, "field", true, &m->field))
		return -1;
	m->formula = formula ? formula_find(formula) : d->formula;
	if (!m->formula)
		return bank_refuse(r, "mistakes: there is no formula \"%.40s\"", formula);
	if (m->field && !bank_knows(d, m->field))
		return bank_refuse(r, "mistakes: there is no field \"%.40s\"", m->field);
	bool changed = formula || m->field;
	static const char *const changes[] = { "set", "drop", "times", "over" };
	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
		changed |= bank_member(object, changes[i]) != NULL;
	if (!changed)
		return bank_refuse(r,
		        "mistakes: \"%s\" changes nothing: expected set, drop, formula, "
		        "field, times or over",
		        m->name);
	return 0;
}

static int read_mistake(const struct bank_reader *r, const cJSON *object, const struct drill *d,
        struct drill_mistake *m)
{
	static const char *const known[] = { "name", "credit", "link", "formula", "field", "set",
		"drop", "times", "over", NULL };
	const cJSON *credit = bank_member(object, "credit"), *times = bank_member(object, "times");
	const cJSON *over = bank_member(object, "over");
	*m = (struct drill_mistake){
		.credit = DEFAULT_CREDIT_PERCENT / 100.0, .times = { NULL, 1 }, .over = { NULL, 1 }
	};
	if (bank_check_members(r, object, "a mistake", known) ||
	        bank_text(r, object, "name", false, &m->name) ||
	        bank_text(r, object, "link", true, &m->link))
		return -1;
	if (credit &&
	        (!cJSON_IsNumber(credit) || !(credit->valuedouble >= 0 && credit->valuedouble < 1)))
		return bank_refuse(r, "credit: expected 0 to below 1");
	if (credit)
		m->credit = credit->valuedouble;
	if ((times && bank_read_operand(r, times, d, "times", &m->times)) ||
	        (over && bank_read_operand(r, over, d, "over", &m->over)) ||
	        read_source(r, object, d, m) || read_settings(r, object, d, m))
		return -1;
	return m->field ? 0 : check_formula(r, d, m);
}

static int read_factors(const struct bank_reader *r, const cJSON *factors, struct drill *d)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(factors);
	if ((factors && !cJSON_IsObject(factors)) || n > MOST_MISTAKES)
		return bank_refuse(r, "factors: expected an object of at most %d", MOST_MISTAKES);
	struct drill_factor *list = arena_array(r->arena, (size_t)n, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	d->factors = list;
	cJSON_ArrayForEach(one, factors)
	{
		if (!cJSON_IsString(one) || !bank_knows(d, one->string))
			return bank_refuse(r,
			        "factors: expected a field and what people call it, not "
			        "\"%.40s\"",
			        one->string);
		list[d->n_factors++] = (struct drill_factor){ arena_text(r->arena, one->string),
			arena_text(r->arena, one->valuestring) };
	}
	return 0;
}

int bank_read_mistakes(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *mistakes = bank_member(object, "mistakes"), *one;
	int n = cJSON_GetArraySize(mistakes);
	if (!cJSON_IsArray(mistakes) || n < 1 || n > MOST_MISTAKES)
		return bank_refuse(r, "mistakes: expected 1 to %d", MOST_MISTAKES);
	struct drill_mistake *list = arena_array(r->arena, (size_t)n, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	d->mistakes = list;
	cJSON_ArrayForEach(one, mistakes)
	{
		if (!cJSON_IsObject(one) || read_mistake(r, one, d, &list[d->n_mistakes]))
			return cJSON_IsObject(one) ? -1
			                           : bank_refuse(r, "mistakes: expected objects");
		d->n_mistakes++;
	}
	return read_factors(r, bank_member(object, "factors"), d);
}
