/* The "fields" of a drill: what its parameters are drawn from. */
#include "drills/bank_read.h"

#include "sims/base/nearest.h"

#include <math.h>
#include <string.h>

enum { MOST_FIELDS = 32, MOST_VALUES = 64 };

const char *const model_fills[] = { "params", "layers", "hidden", "heads", "kv_heads", "head_dim",
	"ffn", "vocab", NULL };
const char *const gpu_fills[] = { "peak_flops", "bandwidth", "memory_bytes", "link_bandwidth",
	"fp32_flops", "tf32_flops", "shared_bytes", "sm_count", "clock", "power", NULL };

static bool among(const char *name, const char *const names[])
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

bool bank_knows(const struct drill *d, const char *name)
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

static int read_texts(const struct bank_reader *r, const cJSON *list, const char *what, size_t n,
	const char *const **out)
{
	const cJSON *one;
	size_t i = 0;
	if (!list)
		return 0;
	if (!cJSON_IsArray(list) || (size_t)cJSON_GetArraySize(list) != n)
		return bank_refuse(r, "%s: expected %zu texts, one for each choice", what, n);
	const char **texts = arena_array(r->arena, n, sizeof *texts);
	if (!texts)
		return bank_refuse(r, "out of memory");
	cJSON_ArrayForEach(one, list)
	{
		if (!cJSON_IsString(one))
			return bank_refuse(r, "%s: expected texts", what);
		texts[i++] = arena_text(r->arena, one->valuestring);
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
		return bank_refuse(r, "%s: expected 1 to %d choices", f->name, MOST_VALUES);
	double *values = arena_array(r->arena, (size_t)n, sizeof *values);
	if (!values)
		return bank_refuse(r, "out of memory");
	cJSON_ArrayForEach(one, list)
	{
		if (!cJSON_IsNumber(one) || !isfinite(one->valuedouble))
			return bank_refuse(r, "%s: expected numbers as choices", f->name);
		values[f->n++] = one->valuedouble;
	}
	f->kind = DRILL_CHOICES;
	f->values = values;
	return read_texts(r, bank_member(object, "names"), "names", f->n, &f->names) ||
			       read_texts(r, bank_member(object, "ids"), "ids", f->n, &f->ids)
		       ? -1
		       : 0;
}

/* The ids of models or GPUs, all of which the tables must have. */
static int read_entries(const struct bank_reader *r, const cJSON *list, enum drill_field_kind kind,
	const struct drill *d, struct drill_field *f)
{
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_VALUES)
		return bank_refuse(r, "%s: expected 1 to %d ids", f->name, MOST_VALUES);
	if (bank_knows(d, kind == DRILL_MODELS ? *model_fills : *gpu_fills))
		return bank_refuse(r, "%s: %s is given already", f->name,
			kind == DRILL_MODELS ? *model_fills : *gpu_fills);
	f->kind = kind;
	f->n = (size_t)n;
	if (read_texts(r, list, f->name, f->n, &f->ids))
		return -1;
	for (size_t i = 0; i < f->n; i++)
		if (kind == DRILL_MODELS ? !model_find(r->tables, f->ids[i])
					 : !gpu_find(r->tables, f->ids[i]))
			return bank_refuse(r, "%s: there is no %s \"%.40s\"", f->name,
				kind == DRILL_MODELS ? "model" : "accelerator", f->ids[i]);
	return 0;
}

static int read_operands(const struct bank_reader *r, const cJSON *list, enum drill_field_kind kind,
	const struct drill *d, struct drill_field *f)
{
	const cJSON *one;
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < 1 || n > MOST_VALUES)
		return bank_refuse(r, "%s: expected fields and numbers", f->name);
	struct operand *operands = arena_array(r->arena, (size_t)n, sizeof *operands);
	if (!operands)
		return bank_refuse(r, "out of memory");
	cJSON_ArrayForEach(one, list)
	{
		if (bank_read_operand(r, one, d, f->name, &operands[f->n++]))
			return -1;
	}
	f->kind = kind;
	f->operands = operands;
	return 0;
}

const char *filled_unit(const char *name)
{
	static const struct {
		const char *name, *unit;
	} units[] = { { "params", "param" }, { "peak_flops", "FLOP/s" }, { "bandwidth", "B/s" },
		{ "memory_bytes", "B" }, { "link_bandwidth", "B/s" }, { "fp32_flops", "FLOP/s" },
		{ "tf32_flops", "FLOP/s" }, { "shared_bytes", "B" }, { "clock", "Hz" },
		{ "power", "W" } };
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (strcmp(units[i].name, name) == 0)
			return units[i].unit;
	return "";
}

/* Of a parameter of one of the formulas, unless the field says otherwise. */
static int read_unit(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n, struct drill_field *f)
{
	f->unit = "";
	for (size_t k = n; k-- > 0;) {
		const struct formula *formula = steps[k].key.formula;
		int i = formula ? formula_param_index(formula, f->name) : -1;
		if (i >= 0 && strcmp(formula->params[i].name, f->name) == 0)
			f->unit = formula->params[i].unit;
	}
	return bank_text(r, object, "unit", true, &f->unit);
}

static int read_field(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n, const struct drill *d, struct drill_field *f)
{
	static const char *const known[] = { "choices", "names", "ids", "unit", "models", "gpus",
		"product", "sum", NULL };
	f->name = arena_text(r->arena, object->string);
	if (bank_knows(d, f->name))
		return bank_refuse(r, "fields: %s is there already", f->name);
	if (read_unit(r, object, steps, n, f))
		return -1;
	if (cJSON_IsNumber(object)) {
		double *value = arena_alloc(r->arena, sizeof *value);
		if (!value)
			return bank_refuse(r, "out of memory");
		*value = object->valuedouble;
		f->values = value;
		f->n = 1;
		return 0;
	}
	if (bank_check_members(r, object, f->name, known))
		return -1;
	const cJSON *choices = bank_member(object, "choices"),
		    *models = bank_member(object, "models");
	const cJSON *gpus = bank_member(object, "gpus"), *product = bank_member(object, "product");
	const cJSON *sum = bank_member(object, "sum");
	if (!choices + !models + !gpus + !product + !sum != 4)
		return bank_refuse(r,
			"%s: expected a number, or one of choices, models, gpus, product, sum",
			f->name);
	if (choices)
		return read_choices(r, object, choices, f);
	if (product || sum)
		return read_operands(
			r, product ? product : sum, product ? DRILL_PRODUCT : DRILL_SUM, d, f);
	return read_entries(r, models ? models : gpus, models ? DRILL_MODELS : DRILL_GPUS, d, f);
}

int bank_read_fields(const struct bank_reader *r, const cJSON *object,
	const struct drill_step *steps, size_t n_steps, struct drill *d)
{
	const cJSON *fields = bank_member(object, "fields"), *one;
	int n = cJSON_GetArraySize(fields);
	bool optional = d->kind == KIND_CHOICE || d->kind == KIND_ORDER || d->kind == KIND_CODE;
	if (!fields && optional)
		return 0;
	if (!cJSON_IsObject(fields) || n < 1 || n > MOST_FIELDS)
		return bank_refuse(r, "fields: expected an object of 1 to %d", MOST_FIELDS);
	struct drill_field *list = arena_array(r->arena, d->n_fields + (size_t)n, sizeof *list);
	if (!list)
		return bank_refuse(r, "out of memory");
	if (d->n_fields)
		memcpy(list, d->fields, d->n_fields * sizeof *list);
	d->fields = list;
	cJSON_ArrayForEach(one, fields)
	{
		if (read_field(r, one, steps, n_steps, d, &list[d->n_fields]))
			return -1;
		d->n_fields++;
	}
	return 0;
}
