/* Values that a drill computes: a formula with fields as its arguments, some of them set anew. */
#include "drills/bank_read.h"

#include <math.h>
#include <string.h>

enum { MOST_SETTINGS = 8 };

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

static int add_setting(const struct bank_reader *r, struct drill_value *v, const char *name,
	struct operand to, struct drill_setting *list)
{
	if (formula_param_index(v->formula, name) < 0)
		return bank_refuse(r, "set: %s has no parameter \"%.40s\"", v->formula->id, name);
	list[v->n_settings++] = (struct drill_setting){ arena_text(r->arena, name), to };
	return 0;
}

int bank_read_settings(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_value *v)
{
	const cJSON *set = bank_member(object, "set"), *drop = bank_member(object, "drop"), *one;
	int n = cJSON_GetArraySize(set);
	if ((set && !cJSON_IsObject(set)) || n > MOST_SETTINGS)
		return bank_refuse(r, "set: expected an object of parameters");
	if ((set || drop) && !v->formula)
		return bank_refuse(r, "set: there is no formula to set anything of");
	struct drill_setting *list = arena_array(r->arena, (size_t)n + 1, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	v->settings = list;
	cJSON_ArrayForEach(one, set)
	{
		struct operand to;
		if (bank_read_operand(r, one, d, "set", &to) ||
			add_setting(r, v, one->string, to, list))
			return -1;
	}
	if (!drop)
		return 0;
	if (!cJSON_IsString(drop))
		return bank_refuse(r, "drop: expected a parameter");
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
				return bank_refuse(r, "%s: %g is outside of %g to %g", p->name,
					f->values[i], p->min, p->max);
	}
	return 0;
}

int bank_check_value(const struct bank_reader *r, const struct drill *d, const char *what,
	const struct drill_value *v)
{
	for (size_t i = 0; i < v->formula->n_params; i++) {
		const struct formula_param *p = &v->formula->params[i];
		bool set = false;
		for (size_t k = 0; k < v->n_settings; k++)
			set |= strcmp(v->settings[k].name, p->name) == 0;
		if (set)
			continue;
		if (!bank_knows(d, p->name))
			return bank_refuse(r, "%s: nothing gives %s, which %s needs", what, p->name,
				v->formula->id);
		if (check_choices(r, d, p))
			return -1;
	}
	return 0;
}
