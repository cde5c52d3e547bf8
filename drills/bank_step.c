/* What one step of a drill asks: a number and how it is graded, options, or items to order. */
#include "drills/bank_read.h"

#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <string.h>

enum { FEWEST_ITEMS = 3 };

/* "in GB": a word of the prompt, so that a bare number has one meaning. */
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
		return bank_refuse(r,
			"assumes: tags info, peak, link and flops need it (decimal or binary, "
			"dense or sparse, one or both directions)");
	if (s->unit_policy == UNIT_NAMED && *s->shown_unit &&
		!names_unit(s->prompt ? s->prompt : d->prompt, s->shown_unit))
		return bank_refuse(r,
			"prompt: must name the unit %s, or unit_policy be \"required\"",
			s->shown_unit);
	return 0;
}

static int read_range(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	const cJSON *range = bank_member(object, "between");
	s->least = 0;
	s->most = INFINITY;
	if (!range)
		return 0;
	const cJSON *low = cJSON_GetArrayItem(range, 0), *high = cJSON_GetArrayItem(range, 1);
	if (!cJSON_IsArray(range) || cJSON_GetArraySize(range) != 2 || !cJSON_IsNumber(low) ||
		!cJSON_IsNumber(high) || !(low->valuedouble < high->valuedouble))
		return bank_refuse(r, "between: expected [least, most] in shown units");
	s->least = low->valuedouble;
	s->most = high->valuedouble;
	return 0;
}

static int read_grading(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	char why[200];
	const cJSON *dual = bank_member(object, "dual"), *shown = bank_member(object, "shown_unit");
	struct unit unit, key_unit;
	s->tolerance = (struct tolerance){ TOLERANCE_RELATIVE, 0.05 };
	if (tolerance_read(object, &s->tolerance, why, sizeof why) ||
		unit_policy_read(object, &s->unit_policy, why, sizeof why) ||
		tags_read(object, &s->tags, why, sizeof why))
		return bank_refuse(r, "%s", why);
	if (dual && !cJSON_IsBool(dual))
		return bank_refuse(r, "dual: expected true or false");
	if (!cJSON_IsString(shown) || !unit_parse(shown->valuestring, &unit))
		return bank_refuse(r, "shown_unit: expected a unit such as \"GB\"");
	if (!unit_parse(s->unit, &key_unit) || !unit_same_dimension(&unit, &key_unit))
		return bank_refuse(r, "shown_unit: %s is no unit for what is in %s",
			shown->valuestring, s->unit);
	s->shown_unit = arena_text(r->arena, shown->valuestring);
	s->dual = cJSON_IsTrue(dual);
	return read_range(r, object, s);
}

/* A fact is what a model or a GPU of the tables fills: never a field, whose numbers are typed. */
static int check_fact(
	const struct bank_reader *r, const struct drill *d, const struct drill_step *s)
{
	bool filled = false;
	for (size_t i = 0; model_fills[i]; i++)
		filled |= strcmp(model_fills[i], s->key.field) == 0;
	for (size_t i = 0; gpu_fills[i]; i++)
		filled |= strcmp(gpu_fills[i], s->key.field) == 0;
	return filled && bank_knows(d, s->key.field)
		       ? 0
		       : bank_refuse(r, "fact: \"%.40s\" is nothing that a model or GPU here fills",
				 s->key.field);
}

int bank_read_number(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	s->unit = s->key.formula ? s->key.formula->unit : filled_unit(s->key.field);
	if (s->key.formula ? bank_read_settings(r, object, d, &s->key) ||
				     bank_check_value(r, d, "formula", &s->key)
			   : check_fact(r, d, s))
		return -1;
	return read_grading(r, object, s) || check_assumptions(r, d, s) ||
			       bank_read_mistakes(r, object, d, s)
		       ? -1
		       : 0;
}

static int read_less(const struct bank_reader *r, const cJSON *less, const struct drill *d,
	struct drill_option *o)
{
	if (!cJSON_IsArray(less) || cJSON_GetArraySize(less) != 2)
		return bank_refuse(r, "less: expected two names");
	for (int i = 0; i < 2; i++) {
		const cJSON *name = cJSON_GetArrayItem(less, i);
		if (!cJSON_IsString(name) || !bank_knows(d, name->valuestring))
			return bank_refuse(r, "less: expected fields, or steps before this one");
		o->less[i] = arena_text(r->arena, name->valuestring);
	}
	return 0;
}

static int read_option(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_option *o)
{
	static const char *const known[] = { "text", "right", "less", "reason", NULL };
	const cJSON *right = bank_member(object, "right"), *less = bank_member(object, "less");
	const struct drill nameless = { .fields = d->fields, .n_fields = d->n_fields };
	*o = (struct drill_option){ 0 };
	if (bank_check_members(r, object, "an option", known) ||
		bank_text(r, object, "text", false, &o->text) ||
		bank_text(r, object, "reason", false, &o->reason) ||
		bank_check_text(r, &nameless, "text", o->text) ||
		bank_check_text(r, d, "reason", o->reason))
		return -1;
	if (right && !cJSON_IsBool(right))
		return bank_refuse(r, "right: expected true or false");
	o->right = cJSON_IsTrue(right);
	return less ? read_less(r, less, d, o) : 0;
}

static int check_options(const struct bank_reader *r, const struct drill_step *s)
{
	size_t right = 0, computed = 0;
	for (size_t i = 0; i < s->n_options; i++) {
		right += s->options[i].right;
		computed += s->options[i].less[0] != NULL;
	}
	if (computed ? right || computed != s->n_options : right != 1)
		return bank_refuse(r, "options: expected one right one, or \"less\" for each");
	return 0;
}

static struct drill_option *options_new(
	const struct bank_reader *r, const cJSON *list, int least, struct drill_step *s)
{
	int n = cJSON_GetArraySize(list);
	if (!cJSON_IsArray(list) || n < least || n > MOST_OPTIONS) {
		bank_refuse(r, "options or items: expected %d to %d", least, MOST_OPTIONS);
		return NULL;
	}
	/* An item may be a list of items: as many as there can be at most. */
	struct drill_option *options = arena_array(r->arena, MOST_OPTIONS, sizeof *options);
	if (!options)
		bank_refuse(r, "out of memory");
	s->options = options;
	return options;
}

int bank_read_options(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *list = bank_member(object, "options"), *one;
	struct drill_option *options = options_new(r, list, 2, s);
	if (!options)
		return -1;
	cJSON_ArrayForEach(one, list)
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
		return bank_refuse(r, "items: more than %d", MOST_OPTIONS);
	struct drill_option *o = &items[s->n_options++];
	*o = (struct drill_option){ .place = place };
	return bank_check_members(r, object, "an item", known) ||
			       bank_text(r, object, "text", false, &o->text) ||
			       bank_text(r, object, "reason", false, &o->reason) ||
			       bank_check_text(r, d, "text", o->text) ||
			       bank_check_text(r, d, "reason", o->reason)
		       ? -1
		       : 0;
}

int bank_read_items(const struct bank_reader *r, const cJSON *object, const struct drill *d,
	struct drill_step *s)
{
	const cJSON *list = bank_member(object, "items"), *one, *among;
	struct drill_option *items = options_new(r, list, FEWEST_ITEMS, s);
	size_t place = 0;
	if (!items)
		return -1;
	cJSON_ArrayForEach(one, list)
	{
		if (!cJSON_IsArray(one)) {
			if (read_item(r, one, d, place, s, items))
				return -1;
		} else {
			cJSON_ArrayForEach(among, one)
			{
				if (read_item(r, among, d, place, s, items))
					return -1;
			}
		}
		place++;
	}
	return 0;
}
