/* What names of a case stand for, and with that its settings, its designs and its texts. Everything a
 * case says is computed once while it is dealt, so that what is wrong with a file shows at any seed. */
#include "drills/case_deal.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/named.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/sim_run_into.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 64, LONGEST_INSIDE = 300, MOST_KNOWN_NAMES = 200 };

/* What names are looked up in. */
struct scene {
	const struct dealt_case *d;
	const struct figure *now; /* NULL: names that stand alone are fields only */
	const double *v;
};

static const struct binding *find_binding(const struct dealt_case *d, const char *name)
{
	for (size_t i = 0; i < d->variant.n_bindings; i++)
		if (strcmp(d->variant.bindings[i].name, name) == 0)
			return &d->variant.bindings[i];
	return NULL;
}

/* --- Names --- */

/* "today", "reference", "naive", "twist2"; NULL: there is none, or it has not been run. */
static const struct case_known *known_design(const struct dealt_case *d, const char *name)
{
	const struct case_known *k = NULL;
	size_t twist = strncmp(name, "twist", 5) == 0 ? strtoul(name + 5, NULL, 10) : 0;
	if (strcmp(name, "today") == 0)
		k = &d->today;
	else if (strcmp(name, "naive") == 0)
		k = &d->naive;
	else if (strcmp(name, "reference") == 0)
		k = &d->reference[0];
	else if (twist >= 1 && twist <= d->of->n_twists)
		k = &d->reference[twist];
	return k && k->run ? k : NULL;
}

/* The id's value in a figure, or the knob of that id. */
static int value_or_knob(const struct scene *s, const struct figure *fig, const double v[],
	const char *id, double *out, const char **unit)
{
	const struct value *value = fig ? figure_find(fig, id) : NULL;
	int knob = fig ? sim_knob_index(s->d->of->sim, id) : -1;
	if (value) {
		*out = value->value;
		*unit = value->unit;
		return 0;
	}
	if (knob < 0)
		return -1;
	*out = v[knob];
	*unit = s->d->of->sim->knobs[knob].unit;
	return 0;
}

static size_t list_names(const struct scene *s, const struct figure *fig, bool bindings,
	const char *names[MOST_KNOWN_NAMES])
{
	size_t n = 0;
	for (size_t i = 0; bindings && i < s->d->variant.n_bindings && n < MOST_KNOWN_NAMES; i++)
		names[n++] = s->d->variant.bindings[i].name;
	for (size_t i = 0; fig && i < fig->n_values && n < MOST_KNOWN_NAMES; i++)
		names[n++] = fig->values[i].id;
	for (size_t i = 0; fig && i < s->d->of->sim->n_knobs && n < MOST_KNOWN_NAMES; i++)
		names[n++] = s->d->of->sim->knobs[i].id;
	return n;
}

static int refuse_name(const struct scene *s, const struct figure *fig, bool bindings,
	const char *name, char *err, size_t err_size)
{
	const char *names[MOST_KNOWN_NAMES];
	char hint[HINT_SIZE];
	size_t n = list_names(s, fig, bindings, names);
	snprintf(err, err_size, "there is no field, value or knob \"%.40s\"%s", name,
		did_you_mean(name, names, n, hint, sizeof hint));
	return -1;
}

/* Reads a name, "fleet" or "today.fleet", and goes on behind it. */
static int read_name(const struct scene *s, const char **at, double *out, const char **unit,
	char *err, size_t err_size)
{
	char name[LONGEST_NAME], id[LONGEST_NAME];
	size_t n = name_bytes(*at);
	snprintf(name, sizeof name, "%.*s", (int)n, *at);
	*at += n;
	*unit = NULL;
	if (**at == '.' && name_bytes(*at + 1)) {
		const struct case_known *k = known_design(s->d, name);
		n = name_bytes(++*at);
		snprintf(id, sizeof id, "%.*s", (int)n, *at);
		*at += n;
		if (!k) {
			snprintf(err, err_size,
				"%.40s.%.40s: expected a design that is run before this: today, "
				"reference, naive, twist1",
				name, id);
			return -1;
		}
		return value_or_knob(s, &k->figure, k->v, id, out, unit)
			       ? refuse_name(s, &k->figure, false, id, err, err_size)
			       : 0;
	}
	const struct binding *b = find_binding(s->d, name);
	if (b) {
		*out = b->value;
		*unit = b->unit;
		return 0;
	}
	return value_or_knob(s, s->now, s->v, name, out, unit)
		       ? refuse_name(s, s->now, true, name, err, err_size)
		       : 0;
}

static int find_name(const void *scene, const char **at, double *out, char *err, size_t err_size)
{
	const char *unit;
	return read_name(scene, at, out, &unit, err, err_size);
}

/* Whether all of a text is one name. */
static bool is_name(const char *text)
{
	size_t n = name_bytes(text);
	if (n && text[n] == '.')
		n = name_bytes(text + n + 1) ? n + 1 + name_bytes(text + n + 1) : n;
	return n && !text[n];
}

static int number_in(const struct scene *s, const char *text, double *out, const char **unit,
	char *err, size_t err_size)
{
	const char *at = text;
	*unit = NULL;
	if (is_name(text))
		return read_name(s, &at, out, unit, err, err_size);
	return named_arithmetic(&(struct named_numbers){ find_name, s }, text, out, err, err_size);
}

int case_number(const struct dealt_case *d, const struct figure *now, const double v[],
	const char *text, double *out, const char **unit, char *err, size_t err_size)
{
	return number_in(&(struct scene){ d, now, v }, text, out, unit, err, err_size);
}

int case_in_unit(double value, const char *from, const char *to, double *out)
{
	struct unit a, b;
	*out = value;
	if (!from || !to || !*from || !*to || strcmp(from, to) == 0)
		return 0;
	if (!unit_parse(from, &a) || !unit_parse(to, &b) || !unit_same_dimension(&a, &b))
		return -1;
	*out = unit_scale(value, a.factor / b.factor);
	return 0;
}

/* --- Settings --- */

static int set_number(const struct dealt_case *d, const struct knob *k, const char *text,
	double *out, char *err, size_t err_size)
{
	char typed[40];
	const char *unit;
	double number;
	if (knob_read(k, d->tables, text, out, err, err_size) == 0)
		return 0;
	if (number_in(&(struct scene){ d, NULL, NULL }, text, &number, &unit, err, err_size))
		return -1;
	if (case_in_unit(number, unit, k->unit, &number)) {
		snprintf(err, err_size, "%s is in %s, and %s takes %s", text, unit, k->id,
			*k->unit ? k->unit : "a plain number");
		return -1;
	}
	snprintf(typed, sizeof typed, "%.12g", number);
	return knob_read(k, d->tables, typed, out, err, err_size);
}

static int set_knob(const struct dealt_case *d, const struct case_setting *s, double v[], char *err,
	size_t err_size)
{
	const struct knob *k = &d->of->sim->knobs[s->knob];
	const struct binding *b = find_binding(d, s->to);
	if (k->kind == KNOB_NUMBER)
		return set_number(d, k, s->to, &v[s->knob], err, err_size);
	return knob_read(k, d->tables, b ? b->program : s->to, &v[s->knob], err, err_size);
}

static int apply(const struct dealt_case *d, const struct case_settings *s, double v[], char *err,
	size_t err_size)
{
	char why[300];
	for (size_t i = 0; i < s->n; i++)
		if (set_knob(d, &s->list[i], v, why, sizeof why)) {
			snprintf(err, err_size, "%s: %s", d->of->sim->knobs[s->list[i].knob].id,
				why);
			return -1;
		}
	return 0;
}

/* case_knobs, where a setting may yet be wrong. */
static int stand(const struct dealt_case *d, size_t stage, double v[], char *err, size_t err_size)
{
	const struct design_case *c = d->of;
	sim_defaults(c->sim, d->tables, v);
	if (apply(d, &c->fixed, v, err, err_size))
		return -1;
	for (size_t i = 0; i < c->n_facts; i++)
		if (apply(d, &c->facts[i].sets, v, err, err_size))
			return -1;
	for (size_t i = 0; i < stage; i++)
		if (apply(d, &c->twists[i].sets, v, err, err_size))
			return -1;
	return 0;
}

void case_knobs(const struct dealt_case *d, size_t stage, double v[])
{
	char unused[300];
	assert(stage <= d->of->n_twists);
	int rc = stand(d, stage, v, unused, sizeof unused);
	assert(rc == 0); /* it was so when the case was dealt */
	(void)rc;
}

/* --- Texts --- */

/* Cuts " in UNIT" off; NULL where there is none. */
static const char *cut_unit(char *text)
{
	char *in = strstr(text, " in ");
	if (!in)
		return NULL;
	*in = '\0';
	return in + 4;
}

/* A choice of a design, which is no number: "H100 SXM". Returns buf, or NULL. */
static const char *write_choice(const struct scene *s, const char *text, char *buf, size_t size)
{
	const char *dot = strchr(text, '.');
	char name[LONGEST_NAME];
	if (!dot || !is_name(text))
		return NULL;
	snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
	const struct case_known *k = known_design(s->d, name);
	int knob = k && !figure_find(&k->figure, dot + 1) ? sim_knob_index(s->d->of->sim, dot + 1)
							  : -1;
	if (knob < 0 || s->d->of->sim->knobs[knob].kind == KNOB_NUMBER)
		return NULL;
	return knob_format(&s->d->of->sim->knobs[knob], s->d->tables, k->v[knob], buf, size);
}

/* What stands in braces, as people read it. */
static int write_inside(const struct scene *s, const char *inside, char *buf, size_t size,
	char *err, size_t err_size)
{
	char text[LONGEST_INSIDE];
	const char *has = NULL;
	double number;
	snprintf(text, sizeof text, "%s", inside);
	const char *unit = cut_unit(text);
	const struct binding *b = find_binding(s->d, text);
	if (b && !unit) {
		snprintf(buf, size, "%s", b->people);
		return 0;
	}
	if (!unit && write_choice(s, text, buf, size))
		return 0;
	if (number_in(s, text, &number, &has, err, err_size))
		return -1;
	if (case_in_unit(number, has, unit, &number)) {
		snprintf(err, err_size, "%.100s is in %.20s, not %.20s", text, has, unit);
		return -1;
	}
	quantity_brief(buf, size, number, unit ? unit : has ? has : "");
	return 0;
}

/* A text filled in, into a buffer in an arena. */
static int fill(const struct scene *s, const char *text, struct arena_buffer *out, char *err,
	size_t err_size)
{
	while (*text) {
		char inside[LONGEST_INSIDE], shown[LONGEST_INSIDE] = "?";
		size_t n = strcspn(text, "{");
		int rc = 0;
		arena_append(out, text, n);
		text += n;
		if (!*text)
			break;
		n = strcspn(text, "}");
		if (!text[n] || n >= sizeof inside) {
			snprintf(err, err_size, "a { without its }");
			return -1;
		}
		snprintf(inside, sizeof inside, "%.*s", (int)n - 1, text + 1);
		rc = write_inside(s, inside, shown, sizeof shown, err, err_size);
		if (rc)
			return rc;
		arena_append_text(out, shown);
		text += n + 1;
	}
	return 0;
}

const char *case_text(struct dealt_case *d, const char *text)
{
	struct arena_buffer out = { .arena = &d->arena };
	char unused[300];
	fill(&(struct scene){ d, NULL, NULL }, text, &out, unused, sizeof unused);
	return arena_buffer_text(&out);
}

const char *case_tell(struct dealt_case *d, size_t fact, size_t stage)
{
	const char *tell = d->of->facts[fact].tell;
	for (size_t i = 0; i < stage; i++)
		if (d->of->twists[i].tells[fact])
			tell = d->of->twists[i].tells[fact];
	return case_text(d, tell);
}

/* The twists that a level gets: those for higher ones come last. */
static size_t twists_of(const struct design_case *c, enum case_level level)
{
	size_t n = 0;
	while (n < c->n_twists && c->twists[n].level <= level)
		n++;
	return n;
}

static double phase_minutes(
	const struct design_case *c, enum case_level level, size_t n_twists, enum case_phase phase)
{
	static const double fact_min = 0.75, anchor_min = 2.5, knob_min = 1.5, twist_min = 5,
			    question_min = 2, end_min = 2;
	double minutes = end_min;
	switch (phase) {
	case CASE_CLARIFY:
		return fact_min * (double)c->n_facts;
	case CASE_ESTIMATE:
		return anchor_min * (double)c->drill.n_steps;
	case CASE_DESIGN:
		return knob_min * (double)c->n_knobs;
	case CASE_TWIST:
		return twist_min * (double)n_twists;
	default:
		for (size_t i = 0; i < CASE_FOLLOW_UPS; i++)
			minutes += c->follow_ups[i].level <= level ? question_min : 0;
		return minutes;
	}
}

double case_phase_minutes(const struct dealt_case *d, enum case_phase phase)
{
	return phase_minutes(d->of, d->level, d->n_twists, phase);
}

double case_level_phase_minutes(
	const struct design_case *c, enum case_level level, enum case_phase phase)
{
	return phase_minutes(c, level, twists_of(c, level), phase);
}

double case_level_minutes(const struct design_case *c, enum case_level level)
{
	double minutes = 0;
	for (int i = 0; i < N_CASE_PHASES; i++)
		minutes += case_level_phase_minutes(c, level, (enum case_phase)i);
	return minutes;
}

double case_minutes(const struct dealt_case *d)
{
	return case_level_minutes(d->of, d->level);
}

/* --- Goals --- */

size_t case_goals(
	const struct dealt_case *d, size_t stage, const struct case_goal *out[MOST_CASE_GOALS])
{
	size_t n = 0;
	for (; n < d->of->n_goals; n++)
		out[n] = &d->of->goals[n];
	for (size_t i = 0; i < stage; i++)
		for (size_t k = 0; k < d->of->twists[i].n_goals; k++) {
			const struct case_goal *g = &d->of->twists[i].goals[k];
			size_t at = 0;
			while (at < n && strcmp(out[at]->id, g->id) != 0)
				at++;
			out[at] = g;
			n += at == n;
		}
	return n;
}

/* --- Dealing --- */

/* Always -1. */
static int refuse(const struct dealt_case *d, char *err, size_t err_size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
static int refuse(const struct dealt_case *d, char *err, size_t err_size, const char *fmt, ...)
{
	char text[600];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	snprintf(err, err_size, "%s: %s", d->of->file, text);
	return -1;
}

/* Runs a design of the case. `from` NULL: the knobs of the stage. */
static int run_known(struct dealt_case *d, struct case_known *k, const char *name, size_t stage,
	const struct case_known *from, const struct case_settings *s, char *err, size_t err_size)
{
	char why[400];
	double v[MAX_KNOBS];
	if (stand(d, stage, v, why, sizeof why))
		return refuse(d, err, err_size, "%s", why);
	for (size_t i = 0; from && i < d->of->n_knobs; i++)
		v[d->of->knobs[i].knob] = from->v[d->of->knobs[i].knob];
	if (apply(d, s, v, why, sizeof why))
		return refuse(d, err, err_size, "%s: %s", name, why);
	memcpy(k->v, v, sizeof v);
	sim_run_into(d->of->sim, d->tables, k->v, &k->figure);
	k->run = true;
	return k->figure.arena.failed ? refuse(d, err, err_size, "out of memory") : 0;
}

static int run_all(struct dealt_case *d, char *err, size_t err_size)
{
	const struct design_case *c = d->of;
	char name[40];
	if ((c->has_today && run_known(d, &d->today, "today", 0, NULL, &c->today, err, err_size)) ||
		run_known(
			d, &d->reference[0], "reference", 0, NULL, &c->reference, err, err_size) ||
		run_known(d, &d->naive, "naive", 0, NULL, &c->naive, err, err_size))
		return -1;
	for (size_t i = 0; i < c->n_twists; i++) {
		snprintf(name, sizeof name, "twist %zu: reference", i + 1);
		if (run_known(d, &d->reference[i + 1], name, i + 1, &d->reference[i],
			    &c->twists[i].reference, err, err_size))
			return -1;
	}
	return 0;
}

/* A field of that name would hide the value. */
static int check_fields(const struct dealt_case *d, char *err, size_t err_size)
{
	for (size_t i = 0; i < d->of->drill.n_fields; i++)
		if (figure_find(&d->reference[0].figure, d->of->drill.fields[i].name))
			return refuse(d, err, err_size,
				"fields: \"%s\" is a value of %s already: another name",
				d->of->drill.fields[i].name, d->of->sim->id);
	return 0;
}

static int check_text(const struct dealt_case *d, const char *where, const char *text,
	bool to_candidate, char *err, size_t err_size)
{
	struct arena scrap = { 0 };
	struct arena_buffer out = { .arena = &scrap };
	char why[300];
	int rc = fill(&(struct scene){ d, NULL, NULL }, text, &out, why, sizeof why);
	arena_release(&scrap);
	if (rc)
		return refuse(d, err, err_size, "%s: %s", where, why);
	for (size_t i = 0; to_candidate && i < d->of->drill.n_steps; i++) {
		char inside[LONGEST_NAME + 2];
		snprintf(inside, sizeof inside, "{%.60s}", d->of->drill.steps[i].name);
		if (strstr(text, inside))
			return refuse(d, err, err_size, "%s: %s is what is asked", where, inside);
	}
	return 0;
}

static int check_goal(const struct dealt_case *d, const char *where, const struct case_goal *g,
	const struct case_known *k, char *err, size_t err_size)
{
	char why[300], at[160];
	double value, amount;
	const char *unit, *amount_unit;
	snprintf(at, sizeof at, "%sgoal \"%.60s\"", where, g->id);
	if (check_text(d, at, g->ask, false, err, err_size) ||
		check_text(d, at, g->good, false, err, err_size))
		return -1;
	if (g->kind == GOAL_ONE_OF)
		return 0;
	if (case_number(d, &k->figure, k->v, g->is, &value, &unit, why, sizeof why))
		return refuse(d, err, err_size, "%s: is: %s", at, why);
	if (case_number(d, &k->figure, k->v, g->amount, &amount, &amount_unit, why, sizeof why))
		return refuse(d, err, err_size, "%s: %s: %s", at,
			g->kind == GOAL_AT_MOST ? "at_most" : "at_least", why);
	if (case_in_unit(value, unit, g->unit, &value) ||
		case_in_unit(amount, amount_unit, g->unit ? g->unit : unit, &amount))
		return refuse(d, err, err_size, "%s: %s in %s, held against %s in %s", at, g->is,
			unit ? unit : "no unit", g->amount,
			g->unit       ? g->unit
			: amount_unit ? amount_unit
				      : "no unit");
	return 0;
}

static int check_facts(const struct dealt_case *d, char *err, size_t err_size)
{
	char where[100];
	for (size_t i = 0; i < d->of->n_facts; i++) {
		const struct case_fact *f = &d->of->facts[i];
		snprintf(where, sizeof where, "fact \"%.60s\"", f->id);
		if (check_text(d, where, f->tell, true, err, err_size) ||
			check_text(d, where, f->why, false, err, err_size))
			return -1;
	}
	return 0;
}

static int check_twists(const struct dealt_case *d, char *err, size_t err_size)
{
	char where[40];
	for (size_t i = 0; i < d->of->n_twists; i++) {
		const struct case_twist *w = &d->of->twists[i];
		snprintf(where, sizeof where, "twist %zu: ", i + 1);
		if (check_text(d, where, w->say, true, err, err_size) ||
			check_text(d, where, w->good, false, err, err_size))
			return -1;
		for (size_t k = 0; k < d->of->n_facts; k++)
			if (w->tells[k] && check_text(d, where, w->tells[k], true, err, err_size))
				return -1;
		for (size_t k = 0; k < w->n_goals; k++)
			if (check_goal(d, where, &w->goals[k], &d->reference[i + 1], err, err_size))
				return -1;
	}
	return 0;
}

static int check_rubric(const struct dealt_case *d, char *err, size_t err_size)
{
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const struct case_rubric *r = &d->of->rubric[i];
		for (size_t k = 0; k < CASE_MARKS; k++)
			if (check_text(d, case_phase_ids[i], r->levels[k], false, err, err_size))
				return -1;
		if (check_text(d, case_phase_ids[i], r->weak, false, err, err_size) ||
			check_text(d, case_phase_ids[i], r->strong, false, err, err_size))
			return -1;
	}
	return 0;
}

static int check_rest(const struct dealt_case *d, char *err, size_t err_size)
{
	const struct design_case *c = d->of;
	const struct case_known *k = &d->reference[0];
	char why[300];
	const char *unit;
	double cost;
	if (check_text(d, "opening", c->opening, true, err, err_size) ||
		check_text(d, "debrief", c->debrief, false, err, err_size) ||
		check_text(d, "met", c->met.ask, false, err, err_size) ||
		check_text(d, "met", c->met.good, false, err, err_size))
		return -1;
	for (size_t i = 0; i < CASE_FOLLOW_UPS; i++)
		if (check_text(d, "follow_ups", c->follow_ups[i].ask, false, err, err_size) ||
			check_text(d, "follow_ups", c->follow_ups[i].good, false, err, err_size))
			return -1;
	for (size_t i = 0; i < c->n_goals; i++)
		if (check_goal(d, "", &c->goals[i], k, err, err_size))
			return -1;
	if (case_number(d, &k->figure, k->v, c->cost, &cost, &unit, why, sizeof why))
		return refuse(d, err, err_size, "cost: %s", why);
	return 0;
}

static int check_level(const struct dealt_case *d, char *err, size_t err_size)
{
	if (d->of->levels >> d->level & 1)
		return 0;
	return refuse(d, err, err_size, "it is not for %s: its level is %s",
		case_level_names[d->level], case_level_names[case_least_level(d->of)]);
}

int case_deal(struct dealt_case *d, const struct design_case *c, const struct tables *t,
	uint64_t seed, enum case_level level, char *err, size_t err_size)
{
	char why[400];
	*d = (struct dealt_case){
		.of = c, .tables = t, .seed = seed, .level = level, .n_twists = twists_of(c, level)
	};
	if (check_level(d, err, err_size))
		return -1;
	if (deal(&c->drill, t, seed, 0, &d->variant, why, sizeof why))
		return refuse(d, err, err_size, "%s", why);
	return run_all(d, err, err_size) || check_fields(d, err, err_size) ||
			       check_facts(d, err, err_size) || check_twists(d, err, err_size) ||
			       check_rubric(d, err, err_size) || check_rest(d, err, err_size)
		       ? -1
		       : 0;
}

void case_deal_release(struct dealt_case *d)
{
	variant_release(&d->variant);
	arena_release(&d->arena);
	figure_release(&d->today.figure);
	figure_release(&d->naive.figure);
	for (size_t i = 0; i < LENGTH(d->reference); i++)
		figure_release(&d->reference[i].figure);
	*d = (struct dealt_case){ .of = NULL };
}
