/* A number is stepped on a lattice through its default, even or geometric, so that the default can
 * always be reached again; a value that was typed between two points goes to the next one first.
 * Points of a geometric lattice are rounded, so that steps lead to numbers that people say.
 * Two cases bend the geometric lattice: zero, which lies to the left of it, and a range through
 * zero, which is its positive half, mirrored. Choices of all kinds are indices, and only
 * knob_choice() knows of what. */
#include "sims/figure/knob.h"

#include "sims/architecture/model_architecture.h"
#include "sims/base/name_words.h"
#include "sims/base/match.h"
#include "sims/base/minmax.h"
#include "sims/quantity/quantity.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const toggle_ids[] = { "off", "on" };

size_t knob_choices(const struct knob *k, const struct tables *t)
{
	assert(k);
	size_t n = 0;
	switch (k->kind) {
	case KNOB_TOGGLE:
		return 2;
	case KNOB_GPU:
		return t->n_gpus;
	case KNOB_MACHINE:
		return t->n_gpus + t->n_machines;
	case KNOB_GPU_SEARCH:
		return t->n_gpus + 1;
	case KNOB_MODEL:
		return t->n_models;
	case KNOB_ANY_PARTS:
		return t->n_models + t->n_composed;
	case KNOB_MIXTURE:
		return mixtures_count(t);
	case KNOB_MODEL_OPEN:
		return t->n_models + t->n_composed + 1;
	case KNOB_TRACE:
		return t->n_traces;
	case KNOB_CHOICE:
		while (k->choices[n])
			n++;
		return n;
	default:
		return 0;
	}
}

const char *knob_choice(const struct knob *k, const struct tables *t, size_t i)
{
	if (i >= knob_choices(k, t))
		return "";
	switch (k->kind) {
	case KNOB_TOGGLE:
		return toggle_ids[i > 0];
	case KNOB_GPU:
	case KNOB_MACHINE:
		return t->gpus[i].id;
	case KNOB_GPU_SEARCH:
		return i < t->n_gpus ? t->gpus[i].id : "any";
	case KNOB_MODEL:
	case KNOB_ANY_PARTS:
		return model_at(t, (double)i)->id;
	case KNOB_MIXTURE:
		return mixture_at(t, (double)i)->id;
	case KNOB_MODEL_OPEN:
		return model_or_none_at(t, (double)i) ? model_at(t, (double)i)->id : "none";
	case KNOB_TRACE:
		return t->traces[i].id;
	default:
		return k->choices[i];
	}
}

static int choice_index(const struct knob *k, const struct tables *t, const char *id)
{
	size_t n = knob_choices(k, t);
	for (size_t i = 0; i < n; i++)
		if (strcmp(knob_choice(k, t, i), id) == 0)
			return (int)i;
	return -1;
}

double knob_default(const struct knob *k, const struct tables *t)
{
	if (!k->dflt_choice)
		return k->dflt;
	int i = choice_index(k, t, k->dflt_choice);
	return i < 0 ? 0 : i;
}

static int read_toggle(const char *text)
{
	static const char *const words[] = { "off", "on", "no", "yes", "0", "1", "false", "true" };
	for (int i = 0; i < 8; i++)
		if (strcmp(text, words[i]) == 0)
			return i % 2;
	return -1;
}

/* A model that is there, but not for knobs of plain ones. */
static int refuse_parts(const struct knob *k, const struct model *m, char *err, size_t err_size)
{
	snprintf(err, err_size,
		"%s: %.60s has %s, which this does not compute with; `ridge model %.60s` counts it",
		k->id, m->name, architecture_beyond_a_row(m->made_of), m->id);
	return -1;
}

static int refuse_choice(
	const struct knob *k, const struct tables *t, const char *text, char *err, size_t err_size)
{
	enum { MOST = 128 };
	const struct model *known = k->kind == KNOB_MODEL ? any_model_find(t, text) : NULL;
	if (known)
		return refuse_parts(k, known, err, err_size);
	known = k->kind == KNOB_MIXTURE ? any_model_find(t, text) : NULL;
	if (known) {
		snprintf(err, err_size,
			"%s: %.60s has no routed experts: every token passes all of it", k->id,
			known->name);
		return -1;
	}
	const char *ids[MOST] = { NULL };
	size_t n = knob_choices(k, t);
	for (size_t i = 0; i < n && i < MOST; i++)
		ids[i] = knob_choice(k, t, i);
	char hint[HINT_SIZE];
	int used = snprintf(err, err_size, "%s: no \"%.40s\"%s", k->id, text,
		did_you_mean(text, ids, min_size(n, MOST), hint, sizeof hint));
	const char *before = *hint ? " choices: " : "; choices: ";
	for (size_t i = 0; i < n && i < MOST && used >= 0 && (size_t)used + 40 < err_size; i++) {
		used += snprintf(err + used, err_size - (size_t)used, "%s%s", before, ids[i]);
		before = ", ";
	}
	return -1;
}

static int read_number(
	const struct knob *k, const char *text, double *value, char *err, size_t err_size)
{
	char reason[160], lo[48], hi[48];
	double x;
	if (quantity_read(text, k->unit, &x, reason, sizeof reason)) {
		snprintf(err, err_size, "%s: %s", k->id, reason);
		return -1;
	}
	if (!(x >= k->min && x <= k->max)) {
		snprintf(err, err_size, "%s: %s is outside %s to %s", k->id, text,
			quantity_format(lo, sizeof lo, k->min, k->unit),
			quantity_format(hi, sizeof hi, k->max, k->unit));
		return -1;
	}
	if (k->integer && x != floor(x)) {
		snprintf(err, err_size, "%s: %s is not a whole number", k->id, text);
		return -1;
	}
	*value = x;
	return 0;
}

int knob_read(const struct knob *k, const struct tables *t, const char *text, double *value,
	char *err, size_t err_size)
{
	assert(k && text && value && err);
	if (k->kind == KNOB_NUMBER && k->zero &&
		(strcmp(text, "auto") == 0 || strcmp(text, k->zero) == 0)) {
		*value = 0;
		return 0;
	}
	if (k->kind == KNOB_NUMBER)
		return read_number(k, text, value, err, err_size);
	int i = k->kind == KNOB_TOGGLE ? read_toggle(text) : choice_index(k, t, text);
	for (const struct choice_alias *a = k->aliases; i < 0 && a && a->name; a++)
		if (strcmp(a->name, text) == 0)
			i = choice_index(k, t, a->choice);
	if (i < 0)
		return refuse_choice(k, t, text, err, err_size);
	*value = i;
	return 0;
}

/* As few digits as read back as the same number. */
static void write_number(const struct knob *k, double value, char *buf, size_t size)
{
	char err[160];
	double back;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(buf, size, "%.*g", digits, value);
		if (quantity_read(buf, k->unit, &back, err, sizeof err) == 0 && back == value)
			return;
	}
}

char *knob_said(const struct knob *k, char *buf, size_t size)
{
	assert(k && buf && size);
	if (strchr(k->label, '_') || strcmp(k->label, k->id) == 0)
		return name_words(k->label, buf, size);
	snprintf(buf, size, "%s", k->label);
	return buf;
}

char *knob_write(const struct knob *k, const struct tables *t, double value, char *buf, size_t size)
{
	assert(k && buf && size > 0);
	if (k->kind == KNOB_NUMBER)
		write_number(k, value, buf, size);
	else
		snprintf(buf, size, "%s", knob_choice(k, t, (size_t)value));
	return buf;
}

char *knob_format(
	const struct knob *k, const struct tables *t, double value, char *buf, size_t size)
{
	assert(k && buf && size > 0);
	/* A number may be negative, an index is not. */
	const size_t i = k->kind == KNOB_NUMBER ? 0 : (size_t)value;
	switch (k->kind) {
	case KNOB_NUMBER:
		if (k->zero && value == 0)
			snprintf(buf, size, "%s", k->zero);
		else
			quantity_format(buf, size, value, k->unit);
		break;
	case KNOB_CHOICE:
		snprintf(buf, size, "%s",
			k->choice_names ? k->choice_names[i] : knob_choice(k, t, i));
		break;
	case KNOB_GPU:
	case KNOB_MACHINE:
		snprintf(buf, size, "%s", i < knob_choices(k, t) ? t->gpus[i].name : "");
		break;
	case KNOB_GPU_SEARCH:
		snprintf(buf, size, "%s", i < t->n_gpus ? t->gpus[i].name : "any");
		break;
	case KNOB_MODEL:
	case KNOB_ANY_PARTS:
		snprintf(buf, size, "%s", i < knob_choices(k, t) ? model_at(t, value)->name : "");
		break;
	case KNOB_MIXTURE:
		snprintf(buf, size, "%s", i < knob_choices(k, t) ? mixture_at(t, value)->name : "");
		break;
	case KNOB_MODEL_OPEN:
		snprintf(buf, size, "%s",
			model_or_none_at(t, value) ? model_at(t, value)->name : "none");
		break;
	case KNOB_TRACE:
		snprintf(buf, size, "%s", i < t->n_traces ? t->traces[i].name : "");
		break;
	default:
		snprintf(buf, size, "%s", knob_choice(k, t, i));
	}
	return buf;
}

/* Where a geometric track begins: at its least value; or, where zero is allowed ("none", "the GPU's
 * own"), at a small value of about a step, with zero to the left of it. */
static double geometric_floor(const struct knob *k)
{
	if (k->min > 0)
		return k->min;
	return k->least > 0 ? k->least : fmin(1, k->max / 1000);
}

/* A geometric track through zero is its positive half, mirrored. */
static bool is_mirrored(const struct knob *k)
{
	return k->kind == KNOB_NUMBER && k->geometric && k->min < 0;
}

static struct knob positive_half(const struct knob *k)
{
	struct knob half = *k;
	half.min = 0;
	half.dflt = fabs(k->dflt);
	return half;
}

static double track_length(const struct knob *k)
{
	return k->geometric ? log(k->max / geometric_floor(k)) : k->max - k->min;
}

double knob_position(const struct knob *k, const struct tables *t, double value)
{
	assert(k);
	if (k->kind != KNOB_NUMBER) {
		size_t n = knob_choices(k, t);
		return n > 1 ? value / (double)(n - 1) : 0;
	}
	if (is_mirrored(k)) {
		struct knob half = positive_half(k);
		double from_zero = knob_position(&half, t, fabs(value)) / 2;
		return value < 0 ? 0.5 - from_zero : 0.5 + from_zero;
	}
	double length = track_length(k);
	if (length <= 0)
		return 0;
	if (k->geometric)
		return fmax(0, log(fmax(value, geometric_floor(k)) / geometric_floor(k)) / length);
	return (value - k->min) / length;
}

/* Rounds to ten significant digits, so that what sums of steps leave behind the last typed digit
 * disappears. */
static double round_decimal(double x)
{
	if (x == 0)
		return 0;
	double scale = pow(10, 9 - floor(log10(fabs(x))));
	return round(x * scale) / scale;
}

/* Steps lead over a lattice through the default, so that it can always be reached again. */
static double lattice_origin(const struct knob *k)
{
	return k->geometric && k->dflt <= 0 ? geometric_floor(k) : k->dflt;
}

static double lattice_index(const struct knob *k, double value)
{
	double origin = lattice_origin(k);
	return k->geometric ? log(value / origin) / log(k->step) : (value - origin) / k->step;
}

/* Doubling a round number gives round ones; multiplying it by 1.25 again and again does not. */
static bool is_bent(const struct knob *k)
{
	return k->geometric && k->step != floor(k->step);
}

/* The number of fewest digits near by: near enough that points stay in their order, and that each is
 * found again from its value. */
static double round_near(double x, double step)
{
	enum { MOST_DIGITS = 3 };
	const double near = (step - 1) / 7;
	double r = x;
	for (int digits = 1; digits <= MOST_DIGITS; digits++) {
		double scale = pow(10, digits - 1 - floor(log10(x)));
		r = round_decimal(round(x * scale) / scale);
		if (fabs(r / x - 1) <= near)
			break;
	}
	return r;
}

static double lattice_point(const struct knob *k, double index)
{
	double origin = lattice_origin(k);
	double x = k->geometric ? origin * pow(k->step, index) : origin + index * k->step;
	if (is_bent(k) && index != 0)
		x = round_near(x, k->step);
	return k->integer ? round(x) : round_decimal(x);
}

/* A value that was typed off the lattice goes to the next lattice point first, so that a step
 * always moves and never by more than one. */
static double lattice_step(const struct knob *k, double value, double n)
{
	enum { MOST_ALIKE = 64 };
	double at = lattice_index(k, value), near = round(at), one = n > 0 ? 1 : -1;
	bool on =
		k->integer || is_bent(k) ? lattice_point(k, near) == value : fabs(at - near) < 1e-6;
	if (on && !k->integer)
		return lattice_point(k, near + n);
	/* The last point on the way that is not beyond: a point lies beside its place, and small whole
	 * numbers have several. */
	double from = on ? near : n > 0 ? floor(at) : ceil(at);
	for (int i = 0; i < MOST_ALIKE && (lattice_point(k, from) - value) * one > 0; i++)
		from -= one;
	for (int i = 0; i < MOST_ALIKE && (lattice_point(k, from + one) - value) * one <= 0; i++)
		from += one;
	return lattice_point(k, from + n);
}

/* The first point of a track that begins at zero. */
static double least_point(const struct knob *k)
{
	const double least = geometric_floor(k) * (1 - 1e-9);
	double index = ceil(lattice_index(k, least)) - 1;
	while (lattice_point(k, index) < least)
		index++;
	return lattice_point(k, index);
}

double knob_step(const struct knob *k, const struct tables *t, double value, int n, bool big)
{
	assert(k->kind != KNOB_NUMBER || (k->min <= k->max && k->step > (k->geometric ? 1 : 0)));
	if (k->kind != KNOB_NUMBER) {
		double last = (double)knob_choices(k, t) - 1;
		return fmin(fmax(value + n, 0), last < 0 ? 0 : last);
	}
	if (is_mirrored(k)) {
		struct knob half = positive_half(k);
		bool negative = value < 0 || (value == 0 && n < 0);
		double moved = knob_step(&half, t, fabs(value), negative ? -n : n, big);
		return negative && moved > 0 ? -moved : moved;
	}
	double steps = n;
	if (big)
		steps *= fmax(
			1, round(track_length(k) / (k->geometric ? log(k->step) : k->step) / 10));
	if (k->geometric && value <= 0)
		return n > 0 ? least_point(k) : k->min;
	double moved = lattice_step(k, value, steps);
	if (k->geometric && moved < geometric_floor(k) * (1 - 1e-9))
		return k->min;
	return fmin(fmax(moved, k->min), k->max);
}

/* The ends of the range are points too, whether the lattice has them or not. */
double knob_at(const struct knob *k, const struct tables *t, double position)
{
	assert(k && position >= 0 && position <= 1);
	if (k->kind != KNOB_NUMBER) {
		size_t n = knob_choices(k, t);
		return n > 1 ? round(position * (double)(n - 1)) : 0;
	}
	if (is_mirrored(k)) {
		struct knob half = positive_half(k);
		double at = knob_at(&half, t, fabs(2 * position - 1));
		return position < 0.5 && at > 0 ? -at : at;
	}
	if (position <= 0 || position >= 1)
		return position <= 0 ? k->min : k->max;
	double value = k->geometric ? geometric_floor(k) * exp(position * track_length(k))
				    : k->min + position * track_length(k);
	double near = lattice_point(k, round(lattice_index(k, value)));
	return fmin(fmax(near, k->min), k->max);
}
