/* A drill as a whole: its kind, its texts, its steps in order. */
#include "drills/bank_read.h"

#include "sims/base/nearest.h"

#include <string.h>

/* What of the field a drill asks for: rows of the inventory and errata, by their ids. */
static int read_covers(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *covers = bank_member(object, "covers"), *id;
	if (!covers)
		return 0;
	size_t n = (size_t)cJSON_GetArraySize(covers);
	const char **ids = arena_array(r->arena, n, sizeof *ids);
	if (!cJSON_IsArray(covers) || n == 0 || n > MOST_COVERS)
		return bank_refuse(r, "covers: expected 1 to %d ids", MOST_COVERS);
	if (!ids)
		return bank_refuse(r, "out of memory");
	cJSON_ArrayForEach(id, covers)
	{
		if (!cJSON_IsString(id) || !*id->valuestring)
			return bank_refuse(r, "covers: expected ids, such as \"R4\"");
		ids[d->n_covers++] = arena_text(r->arena, id->valuestring);
	}
	d->covers = ids;
	return 0;
}

static int read_texts(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *hints = bank_member(object, "hints"), *hint;
	size_t n = 0;
	if (!cJSON_IsArray(hints) || cJSON_GetArraySize(hints) != 2)
		return bank_refuse(r, "hints: expected two, the second saying more");
	cJSON_ArrayForEach(hint, hints)
	{
		if (!cJSON_IsString(hint) || !*hint->valuestring)
			return bank_refuse(r, "hints: expected texts");
		d->hints[n++] = arena_text(r->arena, hint->valuestring);
	}
	return bank_text(r, object, "title", false, &d->title) ||
			       bank_text(r, object, "skill", false, &d->skill) ||
			       bank_text(r, object, "prompt", false, &d->prompt) ||
			       bank_text(r, object, "assumes", true, &d->assumes) ||
			       bank_text(r, object, "page", true, &d->page) ||
			       bank_text(r, object, "sim", true, &d->sim) ||
			       bank_text(r, object, "follow_up", true, &d->follow_up)
		       ? -1
		       : 0;
}

/* Before any step is read, so that a text cannot name what the steps ask for. */
static int check_texts(const struct bank_reader *r, const struct drill *d)
{
	const struct {
		const char *what, *text;
	} texts[] = { { "prompt", d->prompt }, { "assumes", d->assumes }, { "hints", d->hints[0] },
		{ "hints", d->hints[1] }, { "sim", d->sim }, { "follow_up", d->follow_up } };
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (bank_check_text(r, d, texts[i].what, texts[i].text))
			return -1;
	return 0;
}

static int read_par(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	const cJSON *par = bank_member(object, "par_s");
	if (!cJSON_IsNumber(par) || !(par->valuedouble >= 5 && par->valuedouble <= 3600))
		return bank_refuse(r, "par_s: expected 5 to 3600 seconds");
	d->par_s = par->valuedouble;
	return 0;
}

static int read_kind(const struct bank_reader *r, const cJSON *object, enum drill_kind *out)
{
	const cJSON *kind = bank_member(object, "kind");
	const char *given = cJSON_IsString(kind) ? kind->valuestring : "";
	for (unsigned i = 0; i < N_KINDS; i++)
		if (strcmp(kind_names[i], given) == 0) {
			*out = (enum drill_kind)i;
			return 0;
		}
	const char *near = nearest_name(given, kind_names, N_KINDS);
	return bank_refuse(r,
		"kind: expected number, choice, order, recall, estimate or code, not \"%.40s\"%s%s",
		given, near ? "; did you mean " : "", near ? near : "");
}

/* The solution of a program is no key, but another program. */
static int refuse_typed_key(const struct bank_reader *r, const cJSON *object)
{
	static const char *const typed[] = { "key", "answer", "value", "result", "solution" };
	bool program = cJSON_IsArray(bank_member(object, "solution"));
	for (size_t i = 0; i < sizeof typed / sizeof *typed - program; i++)
		if (bank_member(object, typed[i]))
			return bank_refuse(r, "%s: a key is never typed; name a formula", typed[i]);
	return 0;
}

static int check_drill_members(
	const struct bank_reader *r, const cJSON *object, enum drill_kind kind)
{
#define DRILL_MEMBERS                                                                              \
	"id", "kind", "skill", "title", "prompt", "fields", "assumes", "par_s", "hints", "page",   \
		"sim", "follow_up", "covers"
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
	return bank_check_members(r, object, "the drill", known[kind]);
}

static int check_step_members(const struct bank_reader *r, const cJSON *step)
{
	static const char *const of_number[] = { "name", "prompt", NUMBER_MEMBERS, NULL };
	static const char *const of_choice[] = { "name", "prompt", "options", NULL };
	return refuse_typed_key(r, step) ||
			       bank_check_members(r, step, "a step",
				       bank_member(step, "options") ? of_choice : of_number)
		       ? -1
		       : 0;
}

/* What is asked at once: the steps, or the drill itself as the only one. */
static const cJSON *step_object(const cJSON *object, size_t i)
{
	const cJSON *steps = bank_member(object, "steps");
	return steps ? cJSON_GetArrayItem(steps, (int)i) : object;
}

static int count_steps(const struct bank_reader *r, const cJSON *object, size_t *n)
{
	const cJSON *steps = bank_member(object, "steps"), *one;
	*n = 1;
	if (!steps)
		return 0;
	*n = (size_t)cJSON_GetArraySize(steps);
	if (!cJSON_IsArray(steps) || *n < 2 || *n > MOST_STEPS)
		return bank_refuse(r, "steps: expected 2 to %d", MOST_STEPS);
	cJSON_ArrayForEach(one, steps)
	{
		if (check_step_members(r, one))
			return -1;
	}
	return 0;
}

/* The formulas of all steps come first: fields take their units from them. */
static int find_formula(const struct bank_reader *r, const cJSON *object, struct drill_step *s)
{
	const char *formula = NULL;
	*s = (struct drill_step){ .name = "",
		.unit = "",
		.shown_unit = "",
		.key = { .times = { NULL, 1 }, .over = { NULL, 1 } } };
	s->kind = bank_member(object, "options")  ? KIND_CHOICE
		  : bank_member(object, "items")  ? KIND_ORDER
		  : bank_member(object, "checks") ? KIND_CODE
						  : KIND_NUMBER;
	if (s->kind != KIND_NUMBER)
		return 0;
	if (bank_text(r, object, "formula", true, &formula) ||
		bank_text(r, object, "fact", true, &s->key.field))
		return -1;
	if (!formula == !s->key.field)
		return bank_refuse(
			r, "formula: expected one, by its name%s", formula ? ", or a fact" : "");
	s->key.formula = formula ? formula_find(formula) : NULL;
	if (formula && !s->key.formula)
		return bank_refuse(r, "formula: there is no \"%.40s\"", formula);
	return 0;
}

static int read_step(const struct bank_reader *r, const cJSON *object, const cJSON *whole,
	const struct drill *d, struct drill_step *s)
{
	/* On paper all steps are read before any is answered: no text names a step's value. */
	const struct drill nameless = { .fields = d->fields, .n_fields = d->n_fields };
	if (object != whole && (bank_text(r, object, "name", s->kind != KIND_NUMBER, &s->name) ||
				       bank_text(r, object, "prompt", false, &s->prompt) ||
				       bank_check_text(r, &nameless, "prompt", s->prompt)))
		return -1;
	if (*s->name && bank_knows(d, s->name))
		return bank_refuse(r, "name: there is a field or a step \"%.40s\"", s->name);
	switch (s->kind) {
	case KIND_CHOICE:
		return bank_read_options(r, object, d, s);
	case KIND_ORDER:
		return bank_read_items(r, object, d, s);
	case KIND_CODE:
		return 0;
	default:
		return bank_read_number(r, object, d, s);
	}
}

static int read_steps(const struct bank_reader *r, const cJSON *object, struct drill *d)
{
	size_t n;
	if (count_steps(r, object, &n))
		return -1;
	struct drill_step *steps = arena_array(r->arena, n, sizeof *steps);
	if (!steps)
		return bank_refuse(r, "out of memory");
	for (size_t i = 0; i < n; i++)
		if (find_formula(r, step_object(object, i), &steps[i]))
			return -1;
	d->steps = steps;
	if (bank_read_fields(r, object, steps, n, d) || check_texts(r, d))
		return -1;
	for (; d->n_steps < n; d->n_steps++)
		if (read_step(r, step_object(object, d->n_steps), object, d, &steps[d->n_steps]))
			return -1;
	return 0;
}

/* The members that make the kind what it is. */
static int check_kind(const struct bank_reader *r, const cJSON *object, enum drill_kind kind)
{
	bool steps = bank_member(object, "steps"), options = bank_member(object, "options");
	if (kind == KIND_ESTIMATE && !steps)
		return bank_refuse(r, "steps: an estimate needs 2 to %d", MOST_STEPS);
	if (kind == KIND_CHOICE && steps == options)
		return bank_refuse(r, "options: a choice needs options, or steps that have them");
	if (kind == KIND_ORDER && !bank_member(object, "items"))
		return bank_refuse(r, "items: an order needs items");
	if (kind == KIND_CODE && !bank_member(object, "checks"))
		return bank_refuse(r, "checks: a program to write needs some");
	return 0;
}

int bank_read_drill(struct bank_reader *r, const cJSON *object, const char *topic, struct drill *d)
{
	*d = (struct drill){ .id = "", .topic = topic, .assumes = "", .follow_up = "" };
	r->drill = NULL;
	if (!cJSON_IsObject(object))
		return bank_refuse(r, "drills: expected objects");
	if (bank_text(r, object, "id", false, &d->id))
		return -1;
	r->drill = d->id;
	return refuse_typed_key(r, object) || read_kind(r, object, &d->kind) ||
			       check_drill_members(r, object, d->kind) ||
			       check_kind(r, object, d->kind) || read_texts(r, object, d) ||
			       read_par(r, object, d) || read_covers(r, object, d) ||
			       read_steps(r, object, d) ||
			       (d->kind == KIND_CODE && bank_read_program(r, object, d))
		       ? -1
		       : 0;
}
