#include "sims/quantity_parse.h"

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
		snprintf(err, err_size, "a rate given, an amount was asked (%s, not %s)", a, g);
	else if (differs_by_time(given, asked, -1) && is_rate(asked) && !is_rate(given))
		snprintf(err, err_size, "an amount given, a rate was asked (%s, not %s)", a, g);
	else
		snprintf(err, err_size, "%s given, %s asked", g, a);
}

bool quantity_only_multiplies(const struct quantity *q)
{
	struct unit none = { .factor = 1 }, unit;
	unsigned flags;
	for (size_t t = 0; t < q->n_terms; t++) {
		bool multiplier = false;
		for (size_t i = 0; i < q->terms[t].n_readings; i++)
			multiplier |= q->terms[t].readings[i].flags & READING_MULTIPLIER;
		if (!multiplier || q->terms[t].power != 1)
			return false;
	}
	return q->n_terms > 0 && quantity_unit(q, &none, &unit, &flags) == UNIT_FITS;
}

double quantity_multiplier(const struct quantity *q)
{
	struct unit none = { .factor = 1 }, unit;
	unsigned flags;
	quantity_unit(q, &none, &unit, &flags);
	return unit.factor;
}

char *quantity_unit_text(const struct quantity *q, char *buf, size_t size)
{
	char part[SYMBOL_SIZE + 8];
	buf[0] = '\0';
	for (size_t t = 0; t < q->n_terms; t++) {
		int power = q->terms[t].power;
		const char *before = power < 0 ? (t ? "/" : "1/") : t ? " " : "";
		int size_of_power = power < 0 ? -power : power;
		if (size_of_power > 1)
			snprintf(part, sizeof part, "%s%s^%d", before, q->terms[t].symbol,
			        size_of_power);
		else
			snprintf(part, sizeof part, "%s%s", before, q->terms[t].symbol);
		append(buf, size, part);
	}
	return buf;
}

/* value * ratio; by way of a division where the ratio is 1/1000 and the like, so that "25 ms" is
 * the double 0.025 and not a neighbour of it. */
static double scale(double value, double ratio)
{
	double inverse = round(1 / ratio);
	if (ratio < 1 && inverse < 0x1p53 && fabs(inverse * ratio - 1) < 1e-12)
		return value / inverse;
	double whole = round(ratio);
	if (ratio > 1 && whole < 0x1p53 && fabs(ratio / whole - 1) < 1e-12)
		return value * whole;
	return value * ratio;
}

static bool has_prefix(const struct quantity *unit)
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
	if (has_prefix(asked)) {
		snprintf(err, err_size, "say the unit: the value is in %s", unit);
		return -1;
	}
	*value = scale(q->number, quantity_multiplier(q));
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
		snprintf(err, err_size, "the unit can be read in two ways: use %s", unit);
		return -1;
	case UNIT_FITS:
		break;
	}
	*value = scale(q->number, given.factor / asked.factor);
	return 0;
}

static bool only_billion(const struct quantity *q, const struct quantity *asked)
{
	for (size_t t = 0; t < asked->n_terms; t++)
		if (asked->terms[t].readings[0].unit.dim[DIM_INFORMATION])
			return false;
	return q->n_terms == 1 && strcmp(q->terms[0].symbol, "B") == 0;
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
	char unused[128], number[QUANTITY_MAX_BYTES + 2];
	if (quantity_parse_unit(unit, &asked, unused, sizeof unused)) {
		asked.n_terms = 0;
		cut_word(text, unit, number, sizeof number);
		text = number;
	}
	if (quantity_parse(text, &q, err, err_size))
		return -1;
	double read = q.number;
	if ((quantity_only_multiplies(&q) && strcmp(q.terms[0].symbol, "B") != 0) ||
	        only_billion(&q, &asked)) {
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
