#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const dimension_words[N_DIMENSIONS][2] = {
	[DIM_TIME] = { "second", "seconds" },
	[DIM_INFORMATION] = { "byte", "bytes" },
	[DIM_WORK] = { "FLOP", "FLOP" },
	[DIM_TOKEN] = { "token", "tokens" },
	[DIM_PARAMETER] = { "parameter", "parameters" },
	[DIM_REQUEST] = { "request", "requests" },
	[DIM_DEVICE] = { "device", "devices" },
	[DIM_DOLLAR] = { "dollar", "dollars" },
	[DIM_ENERGY] = { "joule", "joules" },
	[DIM_LENGTH] = { "metre", "metres" },
};

static void append(char *buf, size_t size, const char *text)
{
	size_t n = strlen(buf);
	snprintf(buf + n, size - n, "%s", text);
}

char *unit_words(const struct unit *u, char *buf, size_t size)
{
	char part[48];
	bool any = false, per = false;
	buf[0] = '\0';
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (u->dim[d] > 0) {
			append(buf, size, any ? " times " : "");
			append(buf, size, dimension_words[d][1]);
			if (u->dim[d] > 1) {
				snprintf(part, sizeof part, "^%d", u->dim[d]);
				append(buf, size, part);
			}
			any = true;
		}
	for (int d = 0; d < N_DIMENSIONS; d++)
		if (u->dim[d] < 0) {
			append(buf, size, per ? " and " : any ? " per " : "a number per ");
			append(buf, size, dimension_words[d][0]);
			if (u->dim[d] < -1) {
				snprintf(part, sizeof part, "^%d", -u->dim[d]);
				append(buf, size, part);
			}
			per = true;
		}
	if (!any && !per)
		append(buf, size, "a plain number");
	return buf;
}

/* by: 1 when a is b per time, -1 the other way round. */
static bool differs_by_time(const struct unit *a, const struct unit *b, int by)
{
	struct unit shifted = *b;
	shifted.dim[DIM_TIME] = (signed char)(shifted.dim[DIM_TIME] - by);
	return unit_same_hard_dimension(a, &shifted);
}

static bool is_rate(const struct unit *u)
{
	return u->dim[DIM_TIME] < 0;
}

void unit_difference(const struct unit *given, const struct unit *asked, char *err, size_t err_size)
{
	char g[128], a[128];
	unit_words(given, g, sizeof g);
	unit_words(asked, a, sizeof a);
	if (differs_by_time(given, asked, 1) && is_rate(given) && !is_rate(asked))
		snprintf(err, err_size, "rate given, amount asked: %s, not %s", a, g);
	else if (differs_by_time(given, asked, -1) && is_rate(asked) && !is_rate(given))
		snprintf(err, err_size, "amount given, rate asked: %s, not %s", a, g);
	else
		snprintf(err, err_size, "%s given, %s asked", g, a);
}

static bool may_multiply(const struct term *t)
{
	if (t->power != 1)
		return false;
	for (size_t i = 0; i < t->n_readings; i++)
		if (t->readings[i].flags & READING_MULTIPLIER)
			return true;
	return false;
}

bool quantity_only_multiplies(const struct quantity *q, const struct unit *asked)
{
	for (size_t t = 0; t < q->n_terms; t++) {
		bool bytes = strcmp(q->terms[t].symbol, "B") == 0 && asked->dim[DIM_INFORMATION];
		if (bytes || !may_multiply(&q->terms[t]))
			return false;
	}
	return q->n_terms > 0;
}

double quantity_multiplier(const struct quantity *q)
{
	const struct unit none = { .factor = 1 };
	struct unit unit;
	unsigned flags;
	quantity_unit(q, &none, &unit, &flags);
	return unit.factor;
}

double unit_scale(double value, double ratio)
{
	double inverse = round(1 / ratio), whole = round(ratio);
	if (ratio < 1 && inverse < 0x1p53 && fabs(inverse * ratio - 1) < 1e-12)
		return value / inverse;
	if (ratio > 1 && whole < 0x1p53 && fabs(ratio / whole - 1) < 1e-12)
		return value * whole;
	return value * ratio;
}

bool unit_has_prefix(const struct quantity *unit)
{
	for (size_t t = 0; t < unit->n_terms; t++)
		if (unit->terms[t].readings[0].flags & (READING_PREFIXED | READING_MULTIPLIER))
			return true;
	return false;
}

/* "64k" for a parameter in tokens; of "GB" it would be read in two ways. */
static int read_multiplied(const struct quantity *q, const struct quantity *asked, const char *unit,
	double *value, char *err, size_t err_size)
{
	if (unit_has_prefix(asked)) {
		snprintf(err, err_size, "say the unit: the value is in %s", unit);
		return -1;
	}
	*value = unit_scale(q->number, quantity_multiplier(q));
	return 0;
}

static int read_with_unit(
	const struct quantity *q, const char *unit, double *value, char *err, size_t err_size)
{
	struct unit asked, given;
	unsigned flags;
	if (!unit_parse(unit, &asked)) {
		snprintf(err, err_size, "the value has the unit \"%s\": type the number alone",
			unit);
		return -1;
	}
	switch (quantity_unit(q, &asked, &given, &flags)) {
	case UNIT_DIFFERS:
		unit_difference(&given, &asked, err, err_size);
		return -1;
	case UNIT_UNCLEAR:
		unit_unclear(q, unit, err, err_size);
		return -1;
	case UNIT_FITS:
		break;
	}
	*value = unit_scale(q->number, given.factor / asked.factor);
	return 0;
}

/* A unit that is no unit of the grammar ("layer", "step") may be typed as it is written, or with an
 * "s": copies the text without it. */
static void cut_word(const char *text, const char *unit, char *out, size_t size)
{
	size_t n = strlen(unit), length = strlen(text);
	snprintf(out, size, "%s", text);
	for (size_t plural = 0; plural < 2; plural++)
		if (n && length >= n + plural && length < size &&
			(!plural || text[length - 1] == 's') &&
			strncmp(text + length - n - plural, unit, n) == 0)
			out[length - n - plural] = '\0';
}

int quantity_read(const char *text, const char *unit, double *value, char *err, size_t err_size)
{
	struct quantity q, asked;
	struct unit dimension;
	char unused[128], number[QUANTITY_MAX_BYTES + 2];
	if (quantity_parse_unit(unit, &asked, unused, sizeof unused)) {
		asked.n_terms = 0;
		cut_word(text, unit, number, sizeof number);
		text = number;
	}
	if (quantity_parse(text, &q, err, err_size))
		return -1;
	if (!unit_parse(unit, &dimension))
		dimension = (struct unit){ .factor = 1 };
	double read = q.number;
	if (quantity_only_multiplies(&q, &dimension)) {
		if (read_multiplied(&q, &asked, unit, &read, err, err_size))
			return -1;
	} else if (q.n_terms && read_with_unit(&q, unit, &read, err, err_size)) {
		return -1;
	}
	if (!isfinite(read)) {
		snprintf(err, err_size, "the number is too large");
		return -1;
	}
	*value = read;
	return 0;
}
