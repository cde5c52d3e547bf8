/* Reads cases. The form is described in drills/case.h and nowhere else; this file is its other half. The
 * fields and the anchors are a drill of several steps, and are read as one (drills/bank_read.h). What
 * only a figure can tell, whether a value has that name, drills/case_deal.c checks. */
#include "drills/case.h"

#include "drills/bank_read.h"
#include "drills/json_reader.h"
#include "drills/json_root.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/registry.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const case_level_names[] = { "senior", "staff", "principal", NULL };
const char *const case_area_names[] = { "serving", "training", "memory", "cost", "incidents",
	"driving", NULL };
const char *const case_area_subjects[] = { "answers for users, in time", "runs on many GPUs",
	"it does not fit", "the same for less money", "something broke, or got slower",
	"a plan in time, in a car", NULL };
static_assert(LENGTH(case_area_subjects) == LENGTH(case_area_names), "one for each area");
const char *const case_phase_ids[] = { "clarify", "estimate", "design", "twist", "wrap_up", NULL };
const char *const case_phase_names[] = { "Clarify", "Estimate", "Design", "Twist", "Wrap-up",
	NULL };

const char *const fact_kind_ids[] = { "subject", "load", "lengths", "hardware", "today", "goals",
	"limits", "money", NULL };
const char *const fact_kind_names[] = { "what it is about", "the load", "lengths and sizes",
	"the hardware", "what runs today", "goals", "what may change", "money and time",
	"other things" };

static_assert(LENGTH(case_phase_ids) == N_CASE_PHASES + 1, "an id for each phase");
static_assert(LENGTH(fact_kind_ids) == FACT_OTHER + 1, "an id for each kind that is one");
static_assert(LENGTH(case_level_names) == N_CASE_LEVELS + 1, "a name for each level");

enum { LONGEST_CASE_MIN = 180, MOST_SIMS = 64 };

/* The factor within which an estimate counts. */
static const double counts_within = 1.3;

static size_t count_of(const char *const names[])
{
	size_t n = 0;
	while (names[n])
		n++;
	return n;
}

/* Index of a name, or -1 after a refusal. */
static int read_name(
	const struct json_reader *r, const cJSON *text, const char *what, const char *const names[])
{
	const char *given = cJSON_IsString(text) ? text->valuestring : "";
	size_t n = count_of(names);
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], given) == 0)
			return (int)i;
	return json_refuse_name(
		r, given, names, n, "%s: there is no %s \"%.40s\"", what, what, given);
}

/* The place for messages, as long as the entry is read. */
static void stand_at(struct json_reader *r, const char *what, const char *id)
{
	r->place = id ? arena_printf(r->arena, "%s \"%s\"", what, id) : what;
}

/* The objects of an array, from least to most of them. */
static int check_list(
	const struct json_reader *r, const cJSON *list, const char *name, size_t least, size_t most)
{
	size_t n = (size_t)cJSON_GetArraySize(list);
	const cJSON *one;
	if (!cJSON_IsArray(list) || n < least || n > most)
		return json_refuse(r, "%s: expected %zu to %zu objects", name, least, most);
	JSON_EACH(one, list)
	{
		if (!cJSON_IsObject(one))
			return json_refuse(r, "%s: expected objects", name);
	}
	return 0;
}

/* --- Settings --- */

static int find_knob(
	const struct json_reader *r, const struct sim *s, const char *what, const char *id)
{
	const char *names[MAX_KNOBS];
	int i = sim_knob_index(s, id);
	if (i >= 0)
		return i;
	for (size_t k = 0; k < s->n_knobs; k++)
		names[k] = s->knobs[k].id;
	return json_refuse_name(
		r, id, names, s->n_knobs, "%s: %s has no knob \"%.40s\"", what, s->id, id);
}

static const char *setting_text(const struct json_reader *r, const cJSON *to)
{
	if (cJSON_IsString(to) && *to->valuestring)
		return arena_text(r->arena, to->valuestring);
	if (cJSON_IsNumber(to) && isfinite(to->valuedouble))
		return arena_printf(r->arena, "%.12g", to->valuedouble);
	return NULL;
}

static int read_settings(const struct json_reader *r, const cJSON *object, const char *what,
	const struct sim *s, struct case_settings *out)
{
	const cJSON *set = json_item(object, what), *one;
	if (!set)
		return 0;
	if (!cJSON_IsObject(set) || cJSON_GetArraySize(set) > MAX_KNOBS)
		return json_refuse(r, "%s: expected an object of knobs", what);
	struct case_setting *list =
		json_new_array(r, (size_t)cJSON_GetArraySize(set) + 1, sizeof *list);
	if (!list)
		return -1;
	out->list = list;
	JSON_EACH(one, set)
	{
		int knob = find_knob(r, s, what, one->string);
		const char *to = setting_text(r, one);
		if (knob < 0)
			return -1;
		if (!to)
			return json_refuse(r, "%s: %s: expected a number, a choice or a field",
				what, one->string);
		list[out->n++] = (struct case_setting){ (size_t)knob, to };
	}
	return 0;
}

/* --- Facts and anchors --- */

static int find_fact(
	const struct json_reader *r, const struct design_case *c, const char *what, const char *id)
{
	const char *names[MOST_FACTS];
	for (size_t i = 0; i < c->n_facts; i++) {
		names[i] = c->facts[i].id;
		if (strcmp(names[i], id) == 0)
			return (int)i;
	}
	return json_refuse_name(
		r, id, names, c->n_facts, "%s: there is no fact \"%.40s\"", what, id);
}

static int read_must(const struct json_reader *r, const cJSON *object, bool *out)
{
	const cJSON *must = json_item(object, "must");
	if (must && !cJSON_IsBool(must))
		return json_refuse(r, "must: expected true or false");
	*out = cJSON_IsTrue(must);
	return 0;
}

static int read_kind(const struct json_reader *r, const cJSON *object, enum fact_kind *out)
{
	const cJSON *kind = json_item(object, "kind");
	const int n = kind ? read_name(r, kind, "kind", fact_kind_ids) : FACT_OTHER;
	*out = n < 0 ? FACT_OTHER : (enum fact_kind)n;
	return n < 0 ? -1 : 0;
}

static int read_fact(
	struct json_reader *r, const cJSON *object, struct design_case *c, struct case_fact *f)
{
	static const char *const known[] = { "id", "name", "asks", "not", "tell", "sets", "must",
		"kind", "why", NULL };
	stand_at(r, "facts", NULL);
	if (json_read_text(r, object, "id", false, &f->id))
		return -1;
	stand_at(r, "fact", f->id);
	for (size_t i = 0; i < c->n_facts; i++)
		if (strcmp(c->facts[i].id, f->id) == 0)
			return json_refuse(r, "id: there is another fact of this name");
	return json_check_items(r, object, "the fact", known) ||
			       json_read_text(r, object, "name", false, &f->name) ||
			       json_read_text(r, object, "tell", false, &f->tell) ||
			       json_read_text(r, object, "why", false, &f->why) ||
			       json_read_texts(
				       r, object, "asks", 1, MOST_ASKS, &f->asks, &f->n_asks) ||
			       json_read_texts(
				       r, object, "not", 0, MOST_NOTS, &f->nots, &f->n_nots) ||
			       read_must(r, object, &f->must) || read_kind(r, object, &f->kind) ||
			       read_settings(r, object, "sets", c->sim, &f->sets)
		       ? -1
		       : 0;
}

static int read_facts(struct json_reader *r, const cJSON *root, struct design_case *c)
{
	const cJSON *list = json_item(root, "facts"), *one;
	if (check_list(r, list, "facts", FEWEST_FACTS, MOST_FACTS))
		return -1;
	JSON_EACH(one, list)
	{
		if (read_fact(r, one, c, &c->facts[c->n_facts]))
			return -1;
		c->n_facts++;
	}
	r->place = NULL;
	return 0;
}

static int read_anchor_facts(const struct json_reader *r, const cJSON *object,
	const struct design_case *c, struct case_anchor *a)
{
	const char *const *ids = NULL;
	size_t n;
	if (json_read_texts(r, object, "facts", 0, MOST_FACTS, &ids, &n))
		return -1;
	for (size_t i = 0; i < n; i++) {
		int fact = find_fact(r, c, "facts", ids[i]);
		if (fact < 0)
			return -1;
		a->facts |= 1u << fact;
	}
	return 0;
}

/* A step of a drill, which has what the anchor has. NULL: out of memory. */
static cJSON *step_of(const cJSON *anchor)
{
	cJSON *step = cJSON_Duplicate(anchor, true), *mode = cJSON_CreateObject();
	cJSON *ask = cJSON_DetachItemFromObjectCaseSensitive(step, "ask");
	cJSON_AddNumberToObject(mode, "geo", counts_within);
	cJSON_AddItemToObject(step, "mode", mode);
	cJSON_DeleteItemFromObjectCaseSensitive(step, "facts");
	if (ask)
		cJSON_AddItemToObject(step, "prompt", ask);
	return step;
}

static cJSON *steps_of(const cJSON *anchors)
{
	cJSON *steps = cJSON_CreateArray();
	const cJSON *one;
	JSON_EACH(one, anchors)
	{
		cJSON_AddItemToArray(steps, step_of(one));
	}
	return steps;
}

/* Fields and anchors as a drill: its prompt is the title, and hints and par are nobody's. */
static cJSON *drill_object(const cJSON *root, const struct design_case *c)
{
	cJSON *drill = cJSON_CreateObject(), *hints = cJSON_AddArrayToObject(drill, "hints");
	const cJSON *assumes = json_item(root, "assumes");
	enum { ANCHOR_PAR_S = 60 };
	cJSON_AddStringToObject(drill, "id", c->id);
	cJSON_AddStringToObject(drill, "kind", "estimate");
	cJSON_AddStringToObject(drill, "skill", "design");
	cJSON_AddStringToObject(drill, "title", c->title);
	cJSON_AddStringToObject(drill, "prompt", c->title);
	for (int i = 0; i < 2; i++)
		cJSON_AddItemToArray(hints, cJSON_CreateString("-"));
	cJSON_AddNumberToObject(drill, "par_s", ANCHOR_PAR_S);
	cJSON_AddItemToObject(drill, "fields", cJSON_Duplicate(json_item(root, "fields"), true));
	cJSON_AddItemToObject(drill, "steps", steps_of(json_item(root, "anchors")));
	if (assumes)
		cJSON_AddItemToObject(drill, "assumes", cJSON_Duplicate(assumes, true));
	return drill;
}

static int read_anchors(
	struct json_reader *r, const struct tables *t, const cJSON *root, struct design_case *c)
{
	static const char *const known[] = { "name", "ask", "facts", "formula", "set", "shown_unit",
		"unit_policy", "dual", "between", "tags", "factors", "mistakes", NULL };
	const cJSON *list = json_item(root, "anchors"), *one;
	const char *ask;
	size_t n = 0;
	if (!cJSON_IsObject(json_item(root, "fields")))
		return json_refuse(r, "fields: expected an object");
	if (check_list(r, list, "anchors", 2, MOST_STEPS))
		return -1;
	JSON_EACH(one, list)
	{
		stand_at(r, "anchor",
			cJSON_IsString(json_item(one, "name")) ? json_item(one, "name")->valuestring
							       : NULL);
		if (json_check_items(r, one, "the anchor", known) ||
			json_read_text(r, one, "ask", false, &ask) ||
			read_anchor_facts(r, one, c, &c->anchors[n++]))
			return -1;
		if (strchr(ask, '{'))
			return json_refuse(r, "ask: it would tell facts: name them instead");
	}
	r->place = NULL;
	errno = 0;
	cJSON *drill = drill_object(root, c);
	if (!drill || errno == ENOMEM) { /* then members are missing */
		cJSON_Delete(drill);
		r->arena->failed = true;
		return json_refuse(r, "out of memory");
	}
	int rc = drill_read(r->arena, t, drill, r->file, &c->drill, r->err, r->err_size);
	cJSON_Delete(drill);
	return rc;
}

/* --- The design --- */

static int read_choices(const struct json_reader *r, const struct tables *t, const struct knob *k,
	const char *const *choices, size_t n)
{
	char why[300];
	double unused;
	for (size_t i = 0; i < n; i++)
		if (knob_read(k, t, choices[i], &unused, why, sizeof why))
			return json_refuse(r, "one_of: %s", why);
	return 0;
}

static int read_limit(const struct json_reader *r, const cJSON *object, const char *name,
	const struct knob *k, double *out)
{
	const cJSON *limit = json_item(object, name);
	*out = NAN;
	if (!limit)
		return 0;
	if (!cJSON_IsNumber(limit) || k->kind != KNOB_NUMBER || limit->valuedouble < k->min ||
		limit->valuedouble > k->max)
		return json_refuse(r, "%s: expected a number that %s can have", name, k->id);
	*out = limit->valuedouble;
	return 0;
}

/* Words that mean a value of the knob in this case. */
static int read_sayings(struct json_reader *r, const struct tables *t, const struct knob *knob,
	const cJSON *object, struct case_knob *k)
{
	const cJSON *said = json_item(object, "said"), *one;
	char err[300];
	double unused;
	if (!said)
		return 0;
	if (!cJSON_IsObject(said) || !cJSON_GetArraySize(said))
		return json_refuse(r, "said: expected an object from words to values");
	struct case_saying *list =
		json_new_array(r, (size_t)cJSON_GetArraySize(said), sizeof *list);
	if (!list)
		return -1;
	JSON_EACH(one, said)
	{
		if (!cJSON_IsString(one) ||
			knob_read(knob, t, one->valuestring, &unused, err, sizeof err))
			return json_refuse(
				r, "said: \"%.40s\" is no value of %s", one->string, knob->id);
		list[k->n_said++] = (struct case_saying){ arena_text(r->arena, one->string),
			arena_text(r->arena, one->valuestring) };
	}
	k->said = list;
	return 0;
}

/* What is decided in the place of the knob. */
static int read_stand_in(
	struct json_reader *r, const struct knob *knob, const cJSON *object, struct case_knob *k)
{
	static const char *const known[] = { "id", "name", "is", "from", "to", NULL };
	const cJSON *as = json_item(object, "as"), *from, *to;
	if (!as)
		return 0;
	from = json_item(as, "from");
	to = json_item(as, "to");
	if (json_check_items(r, as, "as", known) || json_read_text(r, as, "id", false, &k->as.id) ||
		json_read_text(r, as, "name", false, &k->as.label) ||
		json_read_text(r, as, "is", false, &k->is))
		return -1;
	if (knob->kind != KNOB_NUMBER || !cJSON_IsNumber(from) || !cJSON_IsNumber(to) ||
		from->valuedouble >= to->valuedouble ||
		from->valuedouble != floor(from->valuedouble) ||
		to->valuedouble != floor(to->valuedouble))
		return json_refuse(
			r, "as: expected a number from one whole number to a larger one");
	k->as.unit = "";
	k->as.kind = KNOB_NUMBER;
	k->as.integer = true;
	k->as.step = 1;
	k->as.min = from->valuedouble;
	k->as.max = to->valuedouble;
	return 0;
}

static int read_knobs(
	struct json_reader *r, const struct tables *t, const cJSON *design, struct design_case *c)
{
	static const char *const known[] = { "ask", "one_of", "from", "to", "said", "as", NULL };
	const cJSON *knobs = json_item(design, "knobs"), *one;
	if (!cJSON_IsObject(knobs) || !cJSON_GetArraySize(knobs))
		return json_refuse(r, "knobs: expected an object of knobs");
	JSON_EACH(one, knobs)
	{
		struct case_knob *k = &c->knobs[c->n_knobs];
		int knob = find_knob(r, c->sim, "knobs", one->string);
		if (knob < 0 || c->n_knobs == MAX_KNOBS)
			return -1;
		stand_at(r, "design, knob", one->string);
		k->knob = (size_t)knob;
		if (json_check_items(r, one, "the knob", known) ||
			json_read_text(r, one, "ask", false, &k->ask) ||
			json_read_texts(
				r, one, "one_of", 0, MOST_CASE_CHOICES, &k->one_of, &k->n_one_of) ||
			read_choices(r, t, &c->sim->knobs[knob], k->one_of, k->n_one_of) ||
			read_limit(r, one, "from", &c->sim->knobs[knob], &k->from) ||
			read_limit(r, one, "to", &c->sim->knobs[knob], &k->to) ||
			read_sayings(r, t, &c->sim->knobs[knob], one, k) ||
			read_stand_in(r, &c->sim->knobs[knob], one, k))
			return -1;
		c->n_knobs++;
	}
	stand_at(r, "design", NULL);
	return 0;
}

static int read_amount(const struct json_reader *r, const struct tables *t, const cJSON *object,
	const struct design_case *c, struct case_goal *g)
{
	static const char *const kinds[] = { "at_most", "at_least" };
	const cJSON *most = json_item(object, "at_most"), *least = json_item(object, "at_least");
	const cJSON *one_of = json_item(object, "one_of");
	if (!most + !least + !one_of != 2)
		return json_refuse(r, "expected at_most, at_least or one_of");
	g->kind = most ? GOAL_AT_MOST : least ? GOAL_AT_LEAST : GOAL_ONE_OF;
	if (!one_of) {
		g->amount = setting_text(r, most ? most : least);
		return g->amount ? 0
				 : json_refuse(r, "%s: expected a number, a field or arithmetic",
					   kinds[g->kind]);
	}
	int knob = find_knob(r, c->sim, "is", g->is);
	if (knob < 0)
		return -1;
	g->knob = (size_t)knob;
	return json_read_texts(
		       r, object, "one_of", 1, MOST_CASE_CHOICES, &g->choices, &g->n_choices) ||
			       read_choices(r, t, &c->sim->knobs[knob], g->choices, g->n_choices)
		       ? -1
		       : 0;
}

static int read_goal_unit(const struct json_reader *r, const cJSON *object, struct case_goal *g)
{
	struct unit unit;
	if (json_read_text(r, object, "unit", true, &g->unit))
		return -1;
	return !g->unit || unit_parse(g->unit, &unit)
		       ? 0
		       : json_refuse(r, "unit: \"%.20s\" is none", g->unit);
}

static int read_goal(struct json_reader *r, const struct tables *t, const cJSON *object,
	const struct design_case *c, struct case_goal *g)
{
	static const char *const known[] = { "id", "name", "is", "at_most", "at_least", "one_of",
		"unit", "fact", "ask", "good", NULL };
	const char *fact = NULL;
	*g = (struct case_goal){ .fact = -1 };
	if (json_read_text(r, object, "id", false, &g->id))
		return -1;
	stand_at(r, "goal", g->id);
	if (json_check_items(r, object, "the goal", known) ||
		json_read_text(r, object, "name", false, &g->name) ||
		json_read_text(r, object, "is", false, &g->is) ||
		json_read_text(r, object, "ask", false, &g->ask) ||
		json_read_text(r, object, "good", false, &g->good) ||
		json_read_text(r, object, "fact", true, &fact) || read_goal_unit(r, object, g) ||
		read_amount(r, t, object, c, g))
		return -1;
	if (fact && (g->fact = find_fact(r, c, "fact", fact)) < 0)
		return -1;
	return 0;
}

static int read_goals(struct json_reader *r, const struct tables *t, const cJSON *object,
	size_t least, const struct design_case *c, const struct case_goal **out, size_t *n)
{
	const cJSON *list = json_item(object, "goals"), *one;
	if (!list && least == 0)
		return 0;
	if (check_list(r, list, "goals", least, MOST_GOALS))
		return -1;
	struct case_goal *goals =
		json_new_array(r, (size_t)cJSON_GetArraySize(list), sizeof *goals);
	if (!goals)
		return -1;
	*out = goals;
	JSON_EACH(one, list)
	{
		if (read_goal(r, t, one, c, &goals[*n]))
			return -1;
		for (size_t i = 0; i < *n; i++)
			if (strcmp(goals[i].id, goals[*n].id) == 0)
				return json_refuse(r, "id: there is another goal of this name");
		++*n;
	}
	return 0;
}

static int read_question(const struct json_reader *r, const cJSON *object, const char *what,
	bool leveled, struct case_question *q)
{
	static const char *const plain[] = { "ask", "good", NULL };
	static const char *const with_level[] = { "ask", "good", "level", NULL };
	const cJSON *level = json_item(object, "level");
	if (json_check_items(r, object, what, leveled ? with_level : plain) ||
		json_read_text(r, object, "ask", false, &q->ask) ||
		json_read_text(r, object, "good", false, &q->good))
		return -1;
	int least = level ? read_name(r, level, "level", case_level_names) : LEVEL_SENIOR;
	q->level = least < 0 ? LEVEL_SENIOR : (enum case_level)least;
	return least < 0 ? -1 : 0;
}

static bool is_candidates(const struct design_case *c, size_t knob)
{
	for (size_t i = 0; i < c->n_knobs; i++)
		if (c->knobs[i].knob == knob)
			return true;
	return false;
}

/* A design of the candidate's kind sets the candidate's knobs, all of them where it stands alone. */
static int check_design(const struct json_reader *r, const struct design_case *c, const char *what,
	const struct case_settings *s, bool whole)
{
	for (size_t i = 0; i < s->n; i++)
		if (!is_candidates(c, s->list[i].knob))
			return json_refuse(r, "%s: %s is none of the candidate's knobs", what,
				c->sim->knobs[s->list[i].knob].id);
	for (size_t k = 0; whole && k < c->n_knobs; k++) {
		bool set = false;
		for (size_t i = 0; i < s->n; i++)
			set |= s->list[i].knob == c->knobs[k].knob;
		if (!set)
			return json_refuse(r, "%s: it does not say %s", what,
				c->sim->knobs[c->knobs[k].knob].id);
	}
	return 0;
}

static int check_not_candidates(
	const struct json_reader *r, const struct design_case *c, const struct case_settings *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (is_candidates(c, s->list[i].knob))
			return json_refuse(r, "%s is the candidate's to set",
				c->sim->knobs[s->list[i].knob].id);
	return 0;
}

/* No fact and nothing fixed sets what is the candidate's. */
static int check_owners(struct json_reader *r, const struct design_case *c)
{
	stand_at(r, "fixed", NULL);
	if (check_not_candidates(r, c, &c->fixed))
		return -1;
	for (size_t i = 0; i < c->n_facts; i++) {
		stand_at(r, "fact", c->facts[i].id);
		if (check_not_candidates(r, c, &c->facts[i].sets))
			return -1;
	}
	return 0;
}

static int read_design(
	struct json_reader *r, const struct tables *t, const cJSON *root, struct design_case *c)
{
	static const char *const known[] = { "knobs", "goals", "reference", "naive", "today",
		"cost", "cost_name", "met", NULL };
	const cJSON *design = json_item(root, "design");
	stand_at(r, "design", NULL);
	if (json_check_items(r, design, "the design", known) || read_knobs(r, t, design, c) ||
		read_goals(r, t, design, 1, c, &c->goals, &c->n_goals))
		return -1;
	stand_at(r, "design", NULL);
	c->has_today = json_item(design, "today") != NULL;
	return read_settings(r, design, "reference", c->sim, &c->reference) ||
			       read_settings(r, design, "naive", c->sim, &c->naive) ||
			       read_settings(r, design, "today", c->sim, &c->today) ||
			       check_design(r, c, "reference", &c->reference, true) ||
			       check_design(r, c, "naive", &c->naive, true) ||
			       json_read_text(r, design, "cost", false, &c->cost) ||
			       json_read_text(r, design, "cost_name", false, &c->cost_name) ||
			       read_question(r, json_item(design, "met"), "met", false, &c->met) ||
			       check_owners(r, c)
		       ? -1
		       : 0;
}

/* --- Twists, follow-ups, rubric --- */

static int read_tells(const struct json_reader *r, const cJSON *object, const struct design_case *c,
	struct case_twist *w)
{
	const cJSON *facts = json_item(object, "facts"), *one;
	if (facts && !cJSON_IsObject(facts))
		return json_refuse(r, "facts: expected an object of facts");
	cJSON_ArrayForEach(one, facts)
	{
		int fact = find_fact(r, c, "facts", one->string);
		if (fact < 0 || json_read_text(r, facts, one->string, false, &w->tells[fact]))
			return -1;
	}
	return 0;
}

static int read_minute(
	const struct json_reader *r, const cJSON *object, unsigned least, unsigned *out)
{
	const cJSON *at = json_item(object, "at_min");
	if (!cJSON_IsNumber(at) || !(at->valuedouble >= least) ||
		at->valuedouble > LONGEST_CASE_MIN || at->valuedouble != floor(at->valuedouble))
		return json_refuse(
			r, "at_min: expected whole minutes from %u to %d", least, LONGEST_CASE_MIN);
	*out = (unsigned)at->valuedouble;
	return 0;
}

static int read_twist(struct json_reader *r, const struct tables *t, const cJSON *object,
	struct design_case *c, struct case_twist *w)
{
	static const char *const known[] = { "at_min", "level", "say", "sets", "facts", "goals",
		"reference", "good", NULL };
	const char *place = arena_printf(r->arena, "twist %zu", c->n_twists + 1);
	const cJSON *level = json_item(object, "level");
	unsigned least = c->n_twists ? c->twists[c->n_twists - 1].at_min + 1 : 1;
	r->place = place;
	if (json_check_items(r, object, "the twist", known) ||
		read_minute(r, object, least, &w->at_min) ||
		json_read_text(r, object, "say", false, &w->say) ||
		json_read_text(r, object, "good", false, &w->good) ||
		read_settings(r, object, "sets", c->sim, &w->sets) || read_tells(r, object, c, w) ||
		read_goals(r, t, object, 0, c, &w->goals, &w->n_goals))
		return -1;
	r->place = place;
	int from = level ? read_name(r, level, "level", case_level_names) : LEVEL_SENIOR;
	if (from < 0 || check_not_candidates(r, c, &w->sets) ||
		read_settings(r, object, "reference", c->sim, &w->reference) ||
		check_design(r, c, "reference", &w->reference, false))
		return -1;
	w->level = (enum case_level)from;
	if (c->n_twists && w->level < c->twists[c->n_twists - 1].level)
		return json_refuse(r, "level: twists for higher levels come last");
	return 0;
}

static int read_twists(
	struct json_reader *r, const struct tables *t, const cJSON *root, struct design_case *c)
{
	const cJSON *list = json_item(root, "twists"), *one;
	r->place = NULL;
	if (check_list(r, list, "twists", 1, MOST_TWISTS))
		return -1;
	JSON_EACH(one, list)
	{
		if (read_twist(r, t, one, c, &c->twists[c->n_twists]))
			return -1;
		c->n_twists++;
	}
	r->place = NULL;
	return 0;
}

static int read_follow_ups(struct json_reader *r, const cJSON *root, struct design_case *c)
{
	const cJSON *list = json_item(root, "follow_ups"), *one;
	size_t n = 0;
	if (check_list(r, list, "follow_ups", CASE_FOLLOW_UPS, CASE_FOLLOW_UPS))
		return -1;
	stand_at(r, "follow_ups", NULL);
	JSON_EACH(one, list)
	{
		if (read_question(r, one, "the follow-up", true, &c->follow_ups[n++]))
			return -1;
	}
	return 0;
}

static int read_rubric(struct json_reader *r, const cJSON *root, struct design_case *c)
{
	static const char *const known[] = { "levels", "weak", "strong", NULL };
	const cJSON *rubric = json_item(root, "rubric");
	stand_at(r, "rubric", NULL);
	if (json_check_items(r, rubric, "the rubric", case_phase_ids))
		return -1;
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const cJSON *phase = json_item(rubric, case_phase_ids[i]);
		struct case_rubric *out = &c->rubric[i];
		const char *const *levels = NULL;
		size_t n;
		stand_at(r, "rubric", case_phase_ids[i]);
		if (json_check_items(r, phase, "the phase", known) ||
			json_read_texts(r, phase, "levels", CASE_MARKS, CASE_MARKS, &levels, &n) ||
			json_read_text(r, phase, "weak", false, &out->weak) ||
			json_read_text(r, phase, "strong", false, &out->strong))
			return -1;
		for (size_t k = 0; k < n; k++)
			out->levels[k] = levels[k];
	}
	r->place = NULL;
	return 0;
}

/* --- The file --- */

static int read_levels(const struct json_reader *r, const cJSON *root, unsigned *out)
{
	const cJSON *levels = json_item(root, "levels"), *one;
	if (!cJSON_IsArray(levels) || !cJSON_GetArraySize(levels))
		return json_refuse(r, "levels: expected senior, staff or principal");
	JSON_EACH(one, levels)
	{
		int level = read_name(r, one, "level", case_level_names);
		if (level < 0)
			return -1;
		*out |= 1u << level;
	}
	return 0;
}

static int read_head(const struct json_reader *r, const cJSON *root, struct design_case *c)
{
	const cJSON *schema = json_item(root, "schema");
	if (!cJSON_IsObject(root))
		return json_refuse(r, "expected an object with \"facts\", \"design\" and so on");
	if (!cJSON_IsNumber(schema) || schema->valuedouble != 1)
		return json_refuse(r, "schema: expected 1");
	if (json_read_text(r, root, "id", false, &c->id) ||
		json_read_text(r, root, "title", false, &c->title) ||
		read_levels(r, root, &c->levels))
		return -1;
	int area = read_name(r, json_item(root, "area"), "area", case_area_names);
	c->area = area < 0 ? NULL : case_area_names[area];
	return area < 0 ? -1 : 0;
}

static int read_sim(const struct json_reader *r, const cJSON *root, struct design_case *c)
{
	const char *id = NULL, *names[MOST_SIMS];
	size_t n = 0;
	if (json_read_text(r, root, "sim", false, &id))
		return -1;
	c->sim = sim_find(id);
	for (; n < n_sims && n < MOST_SIMS; n++)
		names[n] = sims[n]->id;
	return c->sim ? 0
		      : json_refuse_name(
				r, id, names, n, "sim: there is no simulation \"%.40s\"", id);
}

static int read_root(
	struct json_reader *r, const struct tables *t, const cJSON *root, struct design_case *c)
{
	static const char *const known[] = { "schema", "id", "title", "levels", "area", "sim",
		"opening", "fields", "assumes", "fixed", "facts", "anchors", "design", "twists",
		"follow_ups", "rubric", "debrief", NULL };
	return read_head(r, root, c) || json_check_items(r, root, "the file", known) ||
			       read_sim(r, root, c) ||
			       json_read_text(r, root, "opening", false, &c->opening) ||
			       json_read_text(r, root, "debrief", false, &c->debrief) ||
			       read_settings(r, root, "fixed", c->sim, &c->fixed) ||
			       read_facts(r, root, c) || read_anchors(r, t, root, c) ||
			       read_design(r, t, root, c) || read_twists(r, t, root, c) ||
			       read_follow_ups(r, root, c) || read_rubric(r, root, c)
		       ? -1
		       : 0;
}

/* The parsed file; NULL after a refusal. */
static cJSON *root_of(const struct json_reader *r, const char *json)
{
	char why[64];
	cJSON *root = json_root(json, why, sizeof why);
	if (!root) {
		r->arena->failed |= errno == ENOMEM;
		json_refuse(r, "%s", why);
	}
	return root;
}

int case_read(struct design_case *c, const struct tables *t, const char *json, const char *name,
	char *err, size_t err_size)
{
	assert(c && t && json && name && err && err_size > 0);
	*c = (struct design_case){ .file = NULL };
	struct json_reader r = {
		.arena = &c->arena, .file = name, .err = err, .err_size = err_size
	};
	cJSON *root = root_of(&r, json);
	if (!root)
		return -1;
	c->file = arena_text(&c->arena, name);
	int rc = read_root(&r, t, root, c);
	cJSON_Delete(root);
	r.place = NULL;
	/* Text that found no room reads as empty, and is refused for that before. */
	return c->arena.failed ? json_refuse(&r, "out of memory") : rc;
}

int case_read_head(
	struct design_case *c, const char *json, const char *name, char *err, size_t err_size)
{
	*c = (struct design_case){ .file = NULL };
	struct json_reader r = {
		.arena = &c->arena, .file = name, .err = err, .err_size = err_size
	};
	cJSON *root = root_of(&r, json);
	int rc = root ? read_head(&r, root, c) : -1;
	cJSON_Delete(root);
	r.place = NULL;
	return root && c->arena.failed ? json_refuse(&r, "out of memory") : rc;
}

void case_release(struct design_case *c)
{
	arena_release(&c->arena);
	*c = (struct design_case){ .file = NULL };
}

bool case_hides_sim(const char *area)
{
	return strcmp(area, "incidents") == 0;
}

enum case_level case_least_level(const struct design_case *c)
{
	for (unsigned i = 0; i < N_CASE_LEVELS; i++)
		if (c->levels >> i & 1)
			return (enum case_level)i;
	return LEVEL_SENIOR;
}
