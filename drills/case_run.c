#include "drills/case_run.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/quantity/quantity.h"
#include "sims/registry/sim_run_into.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 200 };

/* A miss of less than this is rounding of what was computed, not of the design. */
static const double rounding = 1e-9;

/* --- What the candidate says --- */

static const struct knob *knob_of(const struct dealt_case *d, const struct case_knob *k)
{
	return k->is ? &k->as : &d->of->sim->knobs[k->knob];
}

const char *case_knob_name(const struct dealt_case *d, const struct case_knob *k)
{
	return knob_of(d, k)->label;
}

const char *case_knob_id(const struct dealt_case *d, const struct case_knob *k)
{
	return knob_of(d, k)->id;
}

const struct case_knob *case_knob_of_id(const struct dealt_case *d, const char *id)
{
	for (size_t i = 0; i < d->of->n_knobs; i++)
		if (strcmp(case_knob_id(d, &d->of->knobs[i]), id) == 0)
			return &d->of->knobs[i];
	return NULL;
}

const char *case_knob_also(const struct dealt_case *d, const struct case_knob *k)
{
	return knob_of(d, k)->also;
}

/* What is decided in place of a knob, of a value that the simulation has. */
static double followed_by(const struct dealt_case *d, const struct case_knob *k, double value)
{
	double v[MAX_KNOBS], out;
	const char *unit;
	char unused[300];
	memcpy(v, d->reference[0].v, sizeof v);
	v[k->knob] = value;
	return case_number(d, &d->reference[0].figure, v, k->is, &out, &unit, unused, sizeof unused)
		       ? NAN
		       : out;
}

/* The same; off a whole number by rounding it is that one. */
static double decided_of(const struct dealt_case *d, const struct case_knob *k, double value)
{
	if (!k->is)
		return value;
	const double out = followed_by(d, k, value), whole = round(out);
	return fabs(out - whole) <= rounding * fabs(whole) ? whole : out;
}

/* The other way round, by halving: what is decided rises or falls with the knob. NAN: no value of it comes to that. */
static double value_of(const struct dealt_case *d, const struct case_knob *k, double decided)
{
	enum { HALVINGS = 100 };
	if (!k->is)
		return decided;
	double low = d->of->sim->knobs[k->knob].min, high = d->of->sim->knobs[k->knob].max;
	const bool falls = followed_by(d, k, low) > followed_by(d, k, high);
	for (int i = 0; i < HALVINGS; i++) {
		const double middle = 0.5 * (low + high);
		if (middle <= low || middle >= high)
			break;
		if ((followed_by(d, k, middle) > decided) == falls)
			low = middle;
		else
			high = middle;
	}
	return decided_of(d, k, low) == decided ? low : NAN;
}

char *case_knob_write(
	const struct dealt_case *d, const struct case_knob *k, double value, char *buf, size_t size)
{
	return knob_write(knob_of(d, k), d->tables, decided_of(d, k, value), buf, size);
}

char *case_knob_format(
	const struct dealt_case *d, const struct case_knob *k, double value, char *buf, size_t size)
{
	return knob_format(knob_of(d, k), d->tables, decided_of(d, k, value), buf, size);
}

static int refuse_knob(const struct dealt_case *d, const char *id, char *err, size_t err_size)
{
	const char *names[MAX_KNOBS];
	char hint[HINT_SIZE];
	for (size_t i = 0; i < d->of->n_knobs; i++)
		names[i] = knob_of(d, &d->of->knobs[i])->id;
	if (sim_knob_index(d->of->sim, id) >= 0) {
		snprintf(
			err, err_size, "%.40s is not yours to set: it is as the facts have it", id);
		return -1;
	}
	snprintf(err, err_size, "there is no knob \"%.40s\"%s", id,
		did_you_mean(id, names, d->of->n_knobs, hint, sizeof hint));
	for (size_t i = 0; !*hint && i < d->of->n_knobs; i++) {
		const size_t used = strlen(err);
		snprintf(err + used, err_size - used, "%s%s", i ? ", " : ": yours are ", names[i]);
	}
	return -1;
}

/* Whether an id is a label as it is typed in a design: "kv_cache" or "kv-cache" for "KV cache". */
static bool is_label(const char *id, const char *label)
{
	for (; *id && *label; id++, label++) {
		const bool gap = *label == ' ' && (*id == '_' || *id == '-');
		if (!gap && tolower((unsigned char)*id) != tolower((unsigned char)*label))
			return false;
	}
	return !*id && !*label;
}

/* By its id, or by its label, which is what a simulation's screen calls it. */
static const struct case_knob *find_knob(const struct dealt_case *d, const char *id)
{
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		const struct knob *k = knob_of(d, &d->of->knobs[i]);
		if (strcmp(k->id, id) == 0 || (k->also && strcmp(k->also, id) == 0))
			return &d->of->knobs[i];
	}
	for (size_t i = 0; i < d->of->n_knobs; i++)
		if (is_label(id, knob_of(d, &d->of->knobs[i])->label))
			return &d->of->knobs[i];
	return NULL;
}

bool case_design_has(const struct dealt_case *d, const char *word)
{
	return find_knob(d, word) != NULL;
}

static bool is_allowed(const struct dealt_case *d, const struct case_knob *k, double value)
{
	char unused[200];
	double one;
	bool among = k->n_one_of == 0;
	for (size_t i = 0; i < k->n_one_of; i++)
		among |= knob_read(knob_of(d, k), d->tables, k->one_of[i], &one, unused,
				 sizeof unused) == 0 &&
			 one == value;
	return among && !(value < k->from) && !(value > k->to);
}

static size_t count_choices(const struct dealt_case *d, const struct case_knob *k)
{
	return k->n_one_of ? k->n_one_of : knob_choices(knob_of(d, k), d->tables);
}

const char *case_knob_choice(const struct dealt_case *d, const struct case_knob *k, size_t i)
{
	if (i >= count_choices(d, k))
		return NULL;
	return k->n_one_of ? k->one_of[i] : knob_choice(knob_of(d, k), d->tables, i);
}

int case_knob_choice_of(const struct dealt_case *d, const struct case_knob *k, double value)
{
	char unused[200];
	double one;
	for (size_t i = 0; i < count_choices(d, k); i++)
		if (knob_read(knob_of(d, k), d->tables, case_knob_choice(d, k, i), &one, unused,
			    sizeof unused) == 0 &&
			one == value)
			return (int)i;
	return -1;
}

char *case_knob_choices(
	const struct dealt_case *d, const struct case_knob *k, char *buf, size_t size)
{
	const struct knob *knob = knob_of(d, k);
	size_t n = count_choices(d, k), used = 0;
	char low[64], high[64];
	if (n == 0) {
		knob_format(knob, d->tables, isnan(k->from) ? knob->min : k->from, low, sizeof low);
		knob_format(knob, d->tables, isnan(k->to) ? knob->max : k->to, high, sizeof high);
		snprintf(buf, size, "%s to %s", low, high);
		return buf;
	}
	for (size_t i = 0; i < n && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
			i == 0      ? ""
			: i + 1 < n ? ", "
				    : " or ",
			case_knob_choice(d, k, i));
	return buf;
}

/* What people typed for a count that comes whole: 34.2 GPUs. A share is none of those. */
static bool read_part(const struct knob *k, const char *text, double *part)
{
	char unused[200];
	double value;
	const bool is = k->kind == KNOB_NUMBER && k->integer &&
			quantity_read(text, k->unit, &value, unused, sizeof unused) == 0 &&
			value > 1 && value != floor(value);
	*part = is ? value : 0;
	return is;
}

/* As it is typed, or in small letters: a screen says "Orin" of what is typed as orin. A count is rounded up, as an
 * answer is (drills/grade.h). */
static int read_value(const struct dealt_case *d, const struct case_knob *k, const char *text,
	double *value, double *part, char *why, size_t why_size)
{
	char small[LONGEST_WORD];
	snprintf(small, sizeof small, "%s", text);
	for (char *c = small; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (read_part(knob_of(d, k), text, part))
		snprintf(small, sizeof small, "%.0f", ceil(*part));
	if (knob_read(knob_of(d, k), d->tables, text, value, why, why_size) &&
		knob_read(knob_of(d, k), d->tables, small, value, why, why_size))
		return -1;
	*value = value_of(d, k, *value);
	return isnan(*value) ? -1 : 0;
}

/* The knob of the simulation that follows from what is decided. */
static const struct case_knob *find_followed(const struct dealt_case *d, const char *id)
{
	for (size_t i = 0; i < d->of->n_knobs; i++)
		if (d->of->knobs[i].is &&
			strcmp(d->of->sim->knobs[d->of->knobs[i].knob].id, id) == 0)
			return &d->of->knobs[i];
	return NULL;
}

/* "utilisation=0.7": what is decided is whole, so the next whole number that does for it. */
static int read_followed(const struct dealt_case *d, const struct case_knob *k, const char *text,
	struct case_design *design, char *err, size_t err_size)
{
	double value, decided;
	if (knob_read(&d->of->sim->knobs[k->knob], d->tables, text, &value, err, err_size))
		return -1;
	decided = ceil(decided_of(d, k, value));
	value = decided >= k->as.min && decided <= k->as.max ? value_of(d, k, decided) : NAN;
	if (isnan(value)) {
		snprintf(err, err_size, "%s: expected %g to %g, found %g", k->as.id, k->as.min,
			k->as.max, decided);
		return -1;
	}
	design->v[k->knob] = value;
	design->given[k->knob] = true;
	return 0;
}

/* A number in the range of what is decided, from which no value of the knob follows that the simulation takes: 15 workers
 * would have to be busy for more than all of the time. False: it is out of the range itself. */
static bool refuse_followed(const struct dealt_case *d, const struct case_knob *k, const char *text,
	char *err, size_t err_size)
{
	const struct knob *knob = &d->of->sim->knobs[k->knob];
	char unused[200], limit[64], name[64];
	double decided;
	if (!k->is || knob_read(&k->as, d->tables, text, &decided, unused, sizeof unused))
		return false;
	const double low = decided_of(d, k, knob->min), high = decided_of(d, k, knob->max);
	const bool few = decided < fmin(low, high), to_max = few == (high < low);
	if (!few && decided <= fmax(low, high))
		return false;
	knob_format(knob, d->tables, to_max ? knob->max : knob->min, limit, sizeof limit);
	snprintf(err, err_size, "%s: %g is too %s, since %s would be %s than %s", k->as.id, decided,
		few ? "few" : "many", knob_said(knob, name, sizeof name), to_max ? "more" : "less",
		limit);
	return true;
}

static int read_word(const struct dealt_case *d, struct case_design *design, const char *word,
	char *err, size_t err_size)
{
	const char *equals = strchr(word, '=');
	char id[LONGEST_WORD], choices[300], why[300];
	double value, part;
	if (!equals) {
		snprintf(err, err_size, "expected knob=value, found \"%.40s\"", word);
		return -1;
	}
	snprintf(id, sizeof id, "%.*s", (int)(equals - word), word);
	const struct case_knob *k = find_knob(d, id);
	if (!k && (k = find_followed(d, id)) != NULL)
		return read_followed(d, k, equals + 1, design, err, err_size);
	if (!k)
		return refuse_knob(d, id, err, err_size);
	case_knob_choices(d, k, choices, sizeof choices);
	if (read_value(d, k, equals + 1, &value, &part, why, sizeof why) ||
		!is_allowed(d, k, value)) {
		if (refuse_followed(d, k, equals + 1, err, err_size))
			return -1;
		snprintf(
			err, err_size, "%s: expected %s, found \"%.40s\"", id, choices, equals + 1);
		return -1;
	}
	design->v[k->knob] = value;
	design->part[k->knob] = part;
	design->given[k->knob] = true;
	return 0;
}

int case_design_read(const struct dealt_case *d, struct case_design *design,
	const char *const words[], size_t n, char *err, size_t err_size)
{
	struct case_design next = *design;
	for (size_t i = 0; i < n; i++)
		if (read_word(d, &next, words[i], err, err_size))
			return -1;
	*design = next;
	return 0;
}

const struct case_knob *case_design_lacks(
	const struct dealt_case *d, const struct case_design *design)
{
	for (size_t i = 0; i < d->of->n_knobs; i++)
		if (!design->given[d->of->knobs[i].knob])
			return &d->of->knobs[i];
	return NULL;
}

bool case_design_begun(const struct dealt_case *d, const struct case_design *design)
{
	for (size_t i = 0; i < d->of->n_knobs; i++)
		if (design->given[d->of->knobs[i].knob])
			return true;
	return false;
}

/* The knobs that a design says, each as its name, a sign and its value. */
static char *write_design(const struct dealt_case *d, const struct case_design *design, bool words,
	char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < d->of->n_knobs && used < size; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		char value[64];
		if (!design->given[k->knob])
			continue;
		case_knob_write(d, k, design->v[k->knob], value, sizeof value);
		used += (size_t)snprintf(buf + used, size - used, words ? "%s%s %s" : "%s%s=%s",
			!used   ? ""
			: words ? ", "
				: " ",
			words ? case_knob_name(d, k) : case_knob_id(d, k), value);
	}
	return buf;
}

char *case_design_write(
	const struct dealt_case *d, const struct case_design *design, char *buf, size_t size)
{
	return write_design(d, design, false, buf, size);
}

char *case_design_words(
	const struct dealt_case *d, const struct case_design *design, char *buf, size_t size)
{
	return write_design(d, design, true, buf, size);
}

size_t case_design_as_today(const struct dealt_case *d, struct case_design *design)
{
	size_t n = 0;
	for (size_t i = 0; i < d->of->n_knobs && d->of->has_today; i++) {
		const struct case_knob *k = &d->of->knobs[i];
		if (design->given[k->knob] || !is_allowed(d, k, d->today.v[k->knob]))
			continue;
		design->v[k->knob] = d->today.v[k->knob];
		design->given[k->knob] = true;
		n++;
	}
	return n;
}

struct case_design case_known_design(const struct dealt_case *d, const struct case_known *k)
{
	struct case_design design = { .v = { 0 } };
	for (size_t i = 0; i < d->of->n_knobs; i++) {
		size_t knob = d->of->knobs[i].knob;
		design.v[knob] = k->v[knob];
		design.given[knob] = true;
	}
	return design;
}

int case_run_known(
	struct dealt_case *d, const struct case_known *k, size_t stage, struct case_run *out)
{
	const struct case_design design = case_known_design(d, k);
	const struct case_means means = { .figure = k->run ? &k->figure : NULL, .v = k->v };
	return case_run_by(d, stage, &design, &means, out);
}

/* --- What the candidate turns --- */

/* The values that a knob may be set to, of those that are listed. */
static size_t list_values(
	const struct dealt_case *d, const struct case_knob *k, double values[MOST_CASE_CHOICES])
{
	char unused[200];
	size_t n = 0;
	for (size_t i = 0; i < k->n_one_of && n < MOST_CASE_CHOICES; i++)
		n += knob_read(knob_of(d, k), d->tables, k->one_of[i], &values[n], unused,
			     sizeof unused) == 0;
	return n;
}

static double within(const struct case_knob *k, double value)
{
	return value < k->from ? k->from : value > k->to ? k->to : value;
}

double case_knob_turn(
	const struct dealt_case *d, const struct case_knob *k, double value, int n, bool big)
{
	double values[MOST_CASE_CHOICES];
	const size_t n_values = list_values(d, k, values);
	int at = 0;
	if (!n_values && knob_of(d, k)->kind == KNOB_TOGGLE)
		return value > 0 ? 0 : 1;
	if (!n_values) { /* NAN: the simulation has no value that comes to the next one */
		const double next = value_of(
			d, k, knob_step(knob_of(d, k), d->tables, decided_of(d, k, value), n, big));
		return isnan(next) ? value : within(k, next);
	}
	while ((size_t)at + 1 < n_values && values[at] != value)
		at++;
	at += big ? n * (int)n_values : n;
	return values[at < 0 ? 0 : (size_t)at < n_values ? (size_t)at : n_values - 1];
}

double case_knob_first(const struct dealt_case *d, const struct case_knob *k)
{
	double value = knob_default(&d->of->sim->knobs[k->knob], d->tables),
	       values[MOST_CASE_CHOICES];
	if (k->is) /* the whole number that is nearest to it */
		return value_of(
			d, k, fmin(fmax(round(decided_of(d, k, value)), k->as.min), k->as.max));
	const size_t n = list_values(d, k, values);
	if (is_allowed(d, k, value))
		return value;
	return n ? values[0] : within(k, value);
}

double case_knob_position(const struct dealt_case *d, const struct case_knob *k, double value)
{
	const struct knob *knob = knob_of(d, k);
	double values[MOST_CASE_CHOICES];
	const size_t n = list_values(d, k, values);
	size_t at = 0;
	if (n == 0 && knob->kind == KNOB_NUMBER) {
		const double low = knob_position(
				     knob, d->tables, isnan(k->from) ? knob->min : k->from),
			     high = knob_position(
				     knob, d->tables, isnan(k->to) ? knob->max : k->to),
			     here = knob_position(knob, d->tables, decided_of(d, k, value));
		return high > low ? fmin(fmax((here - low) / (high - low), 0), 1) : 0;
	}
	if (n == 0)
		return value > 0;
	while (at + 1 < n && values[at] != value)
		at++;
	return n > 1 ? (double)at / (double)(n - 1) : 0;
}

/* --- What the simulation says --- */

/* The share by which a value misses an amount; below 0: what there is to spare. */
static double share_off(enum case_goal_kind kind, double value, double amount)
{
	double over = kind == GOAL_AT_MOST ? value - amount : amount - value;
	return amount == 0 ? over : over / fabs(amount);
}

/* What is judged: knobs and what the simulation gave for them. */
struct bench {
	const struct dealt_case *d;
	const struct figure *figure;
	const double *v;
	struct arena *words;
};

/* The choices that a goal accepts, as people read them. */
static const char *choices_text(const struct bench *b, const struct case_goal *g)
{
	const struct dealt_case *d = b->d;
	const struct knob *k = &d->of->sim->knobs[g->knob];
	struct arena_buffer words = { .arena = b->words };
	char text[64], unused[200];
	double one;
	for (size_t i = 0; i < g->n_choices; i++) {
		if (knob_read(k, d->tables, g->choices[i], &one, unused, sizeof unused))
			continue;
		arena_append_text(&words, words.text ? ", " : "");
		arena_append_text(&words, knob_format(k, d->tables, one, text, sizeof text));
	}
	return arena_buffer_text(&words);
}

static void judge_choice(const struct bench *b, struct case_verdict *o)
{
	const struct dealt_case *d = b->d;
	const struct case_goal *g = o->goal;
	const struct knob *k = &d->of->sim->knobs[g->knob];
	char text[64], unused[200];
	o->value = o->amount = o->off = NAN;
	for (size_t i = 0; i < g->n_choices; i++) {
		double one;
		if (knob_read(k, d->tables, g->choices[i], &one, unused, sizeof unused) == 0)
			o->met |= one == b->v[g->knob];
	}
	o->now = arena_text(b->words, knob_format(k, d->tables, b->v[g->knob], text, sizeof text));
	o->limit = choices_text(b, g);
	o->words = arena_printf(b->words, "%s, where this will do: %s", text, o->limit);
}

static const char *limit_word(const struct case_goal *g)
{
	return g->kind == GOAL_AT_LEAST ? "at least" : "at most";
}

static const char *value_text(struct arena *words, double value, const char *unit)
{
	char text[64];
	return isnan(value) ? "no such number"
			    : arena_text(words, quantity_brief(text, sizeof text, value, unit));
}

/* What is missed by little would read as the limit itself: both with as many digits as tell them apart. */
static void tell_apart(
	const struct bench *b, struct case_verdict *o, const char *unit, char amount[64])
{
	enum { BRIEF = 3, MOST = 9 };
	char value[32], limit[32];
	for (int digits = BRIEF + 1; digits <= MOST; digits++) {
		number_write(value, sizeof value, o->value, digits);
		if (strcmp(value, number_write(limit, sizeof limit, o->amount, digits)) != 0)
			break;
	}
	/* As quantity_brief writes them: "$4.10/h", "3.07x". */
	const char *before = *unit == '$' ? "$" : "", *behind = unit + strlen(before);
	const char *gap = *before || !*unit || strcmp(unit, "x") == 0 ? "" : " ";
	o->now = arena_printf(b->words, "%s%s%s%s", before, value, gap, behind);
	snprintf(amount, 64, "%s%s%s%s", before, limit, gap, behind);
}

static const char *verdict_text(
	struct arena *words, const struct case_verdict *o, const char *amount)
{
	const char *least = limit_word(o->goal), *value = o->now;
	if (isnan(o->value))
		return arena_printf(words, "%s, %s %s: missed", value, least, amount);
	if (!isfinite(o->off) || o->off > 9.995)
		return arena_printf(words, "%s, %s %s: missed", value, least, amount);
	if (!o->met && o->off >= 1 && o->goal->kind == GOAL_AT_MOST && o->amount > 0)
		return arena_printf(
			words, "%s, %s %s: %.1f times too much", value, least, amount, 1 + o->off);
	if (!o->met)
		return arena_printf(words, "%s, %s %s: misses by %.*f %%", value, least, amount,
			o->off < 0.0995 ? 1 : 0, 100 * o->off);
	if (o->off <= -1 && o->goal->kind == GOAL_AT_LEAST && o->amount > 0)
		return arena_printf(words, "%s, %s %s: met %.1f times over", value, least, amount,
			1 + fabs(o->off));
	return arena_printf(words, "%s, %s %s: met, %.0f %% to spare", value, least, amount,
		100 * fabs(o->off));
}

/* Reads the value and the amount of a goal. Returns the unit that both are shown in. */
static const char *read_numbers(const struct bench *b, struct case_verdict *o)
{
	const struct case_goal *g = o->goal;
	const char *unit = NULL, *amount_unit = NULL, *shown;
	char unused[300];
	if (case_number(b->d, b->figure, b->v, g->is, &o->value, &unit, unused, sizeof unused))
		o->value = NAN;
	if (case_number(b->d, b->figure, b->v, g->amount, &o->amount, &amount_unit, unused,
		    sizeof unused))
		o->amount = NAN;
	shown = g->unit ? g->unit : unit ? unit : amount_unit ? amount_unit : "";
	case_in_unit(o->value, unit, shown, &o->value);
	case_in_unit(o->amount, amount_unit, shown, &o->amount);
	return shown;
}

static void judge_number(const struct bench *b, struct case_verdict *o)
{
	const char *shown = read_numbers(b, o);
	char amount[64];
	quantity_brief(amount, sizeof amount, o->amount, shown);
	o->off = share_off(o->goal->kind, o->value, o->amount);
	o->met = o->off <= rounding;
	o->now = value_text(b->words, o->value, shown);
	if (!o->met && strcmp(o->now, amount) == 0)
		tell_apart(b, o, shown, amount);
	o->limit = arena_printf(b->words, "%s %s", limit_word(o->goal), amount);
	o->words = verdict_text(b->words, o, amount);
}

static void take_limit(const struct bench *b, struct case_verdict *o)
{
	char amount[64];
	const char *shown = read_numbers(b, o);
	o->value = NAN; /* the case's own design keeps what it comes to to itself */
	o->words = o->now = arena_printf(b->words, "%s %s", limit_word(o->goal),
		quantity_brief(amount, sizeof amount, o->amount, shown));
}

void case_judge(const struct dealt_case *d, size_t stage, const struct figure *figure,
	const double v[], struct case_run *out)
{
	const struct bench bench = { d, figure, v, &out->arena };
	const struct case_goal *goals[MOST_CASE_GOALS];
	char unused[300];
	out->n_verdicts = case_goals(d, stage, goals);
	out->n_met = 0;
	for (size_t i = 0; i < out->n_verdicts; i++) {
		struct case_verdict *o = &out->verdicts[i];
		*o = (struct case_verdict){ .goal = goals[i] };
		if (goals[i]->kind == GOAL_ONE_OF)
			judge_choice(&bench, o);
		else
			judge_number(&bench, o);
		out->n_met += o->met;
	}
	out->met = out->n_met == out->n_verdicts;
	if (case_number(
		    d, figure, v, d->of->cost, &out->cost, &out->cost_unit, unused, sizeof unused))
		out->cost = NAN;
}

/* Units are those of the case's own design, since there is no other figure. */
void case_limits(const struct dealt_case *d, size_t stage, struct case_run *out)
{
	const struct case_known *known = &d->reference[stage];
	*out = (struct case_run){ .met = false };
	const struct bench bench = { d, &known->figure, known->v, &out->arena };
	const struct case_goal *goals[MOST_CASE_GOALS];
	out->n_verdicts = case_goals(d, stage, goals);
	for (size_t i = 0; i < out->n_verdicts; i++) {
		struct case_verdict *o = &out->verdicts[i];
		*o = (struct case_verdict){ .goal = goals[i], .value = NAN, .off = NAN };
		if (goals[i]->kind == GOAL_ONE_OF)
			o->words = o->now = choices_text(&bench, goals[i]);
		else
			take_limit(&bench, o);
	}
}

/* The question that fits: that of the first goal that is missed. */
static void choose_question(struct dealt_case *d, struct case_run *r)
{
	const struct case_goal *missed = NULL;
	for (size_t i = 0; i < r->n_verdicts && !missed; i++)
		missed = r->verdicts[i].met ? NULL : r->verdicts[i].goal;
	r->ask = case_text(d, missed ? missed->ask : d->of->met.ask);
	r->good = case_text(d, missed ? missed->good : d->of->met.good);
}

/* Whether a figure is of these very knobs. */
static bool is_of(const struct case_means *m, const double v[], size_t n)
{
	for (size_t i = 0; i < n && m->figure; i++)
		if (m->v[i] != v[i])
			return false;
	return m->figure != NULL;
}

int case_run_by(struct dealt_case *d, size_t stage, const struct case_design *design,
	const struct case_means *means, struct case_run *out)
{
	assert(!case_design_lacks(d, design));
	*out = (struct case_run){ .met = false };
	case_knobs(d, stage, out->v);
	for (size_t i = 0; i < d->of->n_knobs; i++)
		out->v[d->of->knobs[i].knob] = design->v[d->of->knobs[i].knob];
	const bool ran = is_of(means, out->v, d->of->sim->n_knobs);
	const struct figure *figure = ran ? means->figure : &out->figure;
	if (!ran) {
		out->figure.go_on = means->go_on;
		out->figure.go_on_context = means->context;
		sim_run_into(d->of->sim, d->tables, out->v, &out->figure);
	}
	out->why = figure->why ? arena_text(&out->arena, figure->why) : NULL;
	case_judge(d, stage, figure, out->v, out);
	choose_question(d, out);
	return figure->arena.failed || d->arena.failed || out->arena.failed ? -1 : 0;
}

int case_run(
	struct dealt_case *d, size_t stage, const struct case_design *design, struct case_run *out)
{
	return case_run_by(d, stage, design, &(struct case_means){ .figure = NULL }, out);
}

void case_run_release(struct case_run *r)
{
	figure_release(&r->figure);
	arena_release(&r->arena);
	*r = (struct case_run){ .met = false };
}

bool case_opening_states(struct dealt_case *d, double amount)
{
	const char *p = case_text(d, d->of->opening);
	while (*(p += strcspn(p, "0123456789"))) {
		char *end;
		const double stated = strtod(p, &end);
		if (fabs(stated - amount) <= 1e-9 * fabs(amount))
			return true;
		p = end;
	}
	return false;
}
