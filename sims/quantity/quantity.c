/* Reading is the grammar's work (sims/quantity/quantity_parse.h); here the reading is chosen that
 * fits the unit asked for. Writing goes by the kind of unit: what takes SI prefixes, seconds,
 * dollars, things that are counted, and plain numbers have a function each. The digits all come
 * from write_fixed(), which makes them out of an integer, because printf asks the locale. */
#include "sims/quantity/quantity.h"

#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity_parse.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* --- read ------------------------------------------------------------------------------------ */

bool unit_parse(const char *text, struct unit *out)
{
	struct quantity q;
	char err[128];

	assert(text && out);
	if (quantity_parse_unit(text, &q, err, sizeof err))
		return false;
	*out = quantity_first_unit(&q);
	return isfinite(out->factor) && out->factor > 0;
}

/* "64k" for a parameter in tokens is 64,000 of them; for one in GB it could be bytes or GB, and is
 * refused. */
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

/* A unit that the grammar does not know ("layer", "step") may be typed as it is written, or with an
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
	assert(text && unit && value && err);
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

/* --- written --------------------------------------------------------------------------------- */

/* Digits after the point that leave `digits` significant ones; never negative. */
static int decimals_for(double value, int digits)
{
	if (value == 0)
		return 0;
	int decimals = digits - 1 - (int)floor(log10(fabs(value)));
	return decimals < 0 ? 0 : decimals;
}

static double round_to(double value, int decimals)
{
	double power = pow(10, decimals);
	return round(value * power) / power;
}

/* Writes a value below 1e15 with that many decimals, by hand because printf follows the locale.
 * Zeros at the end are dropped unless `fixed`. */
static void write_fixed(char *buf, size_t size, double value, int decimals, bool fixed)
{
	assert(decimals >= 0 && decimals < 20);
	char digits[48];
	uint64_t power = 1;
	for (int i = 0; i < decimals; i++)
		power *= 10;
	uint64_t scaled = (uint64_t)llround(fabs(value) * (double)power);
	bool negative = value < 0 && scaled > 0;
	while (!fixed && decimals > 0 && scaled % 10 == 0) {
		scaled /= 10;
		power /= 10;
		decimals--;
	}
	size_t at = sizeof digits;
	digits[--at] = '\0';
	uint64_t fraction = scaled % power, whole = scaled / power;
	for (int i = 0; i < decimals; i++, fraction /= 10)
		digits[--at] = (char)('0' + fraction % 10);
	if (decimals > 0)
		digits[--at] = '.';
	int written = 0;
	do {
		if (written && written % 3 == 0)
			digits[--at] = ',';
		digits[--at] = (char)('0' + whole % 10);
		written++;
	} while ((whole /= 10) > 0);
	if (negative)
		digits[--at] = '-';
	snprintf(buf, size, "%s", digits + at);
}

/* "1.07e19" */
static void write_scientific(char *buf, size_t size, double value, int digits)
{
	int exponent = (int)floor(log10(fabs(value)));
	double mantissa = value / pow(10, exponent);
	if (!isfinite(mantissa)) /* the number is denormal */
		mantissa = value * 1e300 / pow(10, exponent + 300);
	char text[48];
	mantissa = round_to(mantissa, digits - 1);
	if (fabs(mantissa) >= 10) {
		mantissa /= 10;
		exponent++;
	}
	write_fixed(text, sizeof text, mantissa, digits - 1, false);
	snprintf(buf, size, "%se%d", text, exponent);
}

char *number_write(char *buf, size_t size, double value, int digits)
{
	assert(buf && size > 0 && digits > 0);
	double a = fabs(value);
	if (isnan(value))
		snprintf(buf, size, "undefined");
	else if (isinf(value))
		snprintf(buf, size, "%sinfinite", value < 0 ? "-" : "");
	else if (a >= 1e15 || (a > 0 && a < 1e-4))
		write_scientific(buf, size, value, digits);
	else if (value == floor(value))
		write_fixed(buf, size, value, 0, false);
	else
		write_fixed(buf, size, value, decimals_for(value, digits), false);
	return buf;
}

char *number_format(char *buf, size_t size, double value)
{
	bool thousands = fabs(value) >= 1000 && fabs(value) < 10000;
	return number_write(buf, size, value, thousands ? 5 : 4);
}

/* Writes a number as quantity_format does: that many significant digits, but from 1,000 on none
 * after the point. */
static char *write_rounded(char *buf, size_t size, double value, int digits)
{
	double a = fabs(value);
	if (isfinite(value) && a >= 1000 && a < 1e15)
		write_fixed(buf, size, value, 0, false);
	else
		number_write(buf, size, value, digits);
	return buf;
}

/* A unit's first symbol and what follows it: "GB" and "/s". */
struct split {
	char head[SYMBOL_SIZE];
	const char *rest;
};

static struct split split_unit(const char *unit)
{
	struct split s = { .rest = unit + strcspn(unit, "/ *^") };
	size_t n = (size_t)(s.rest - unit);
	if (n >= sizeof s.head)
		n = sizeof s.head - 1;
	memcpy(s.head, unit, n);
	return s;
}

/* Base units that people write with an SI prefix, and how small that prefix may be. */
static const struct scaled_unit {
	const char *unit;
	const char *written; /* behind a prefix */
	int smallest;        /* exponent of the smallest prefix */
} scaled_units[] = {
	{ "B", "B", 0 },
	{ "byte", "B", 0 },
	{ "bit", "bit", 0 },
	{ "b", "b", 0 },
	{ "FLOP", "FLOP", 0 },
	{ "FLOPs", "FLOPs", 0 },
	{ "FLOPS", "FLOPS", 0 },
	{ "OP", "OP", 0 },
	{ "MAC", "MAC", 0 },
	{ "bps", "bps", 0 },
	{ "Bps", "Bps", 0 },
	{ "Hz", "Hz", 0 },
	{ "s", "s", -9 },
	{ "J", "J", -3 },
	{ "W", "W", -3 },
	{ "Wh", "Wh", 0 },
};

static const struct scaled_unit *scaled_find(const char *head)
{
	for (size_t i = 0; i < LENGTH(scaled_units); i++)
		if (strcmp(scaled_units[i].unit, head) == 0)
			return &scaled_units[i];
	return NULL;
}

static const char *prefix_of(int exponent)
{
	assert(exponent >= -9 && exponent <= 21 && exponent % 3 == 0);
	static const char *const prefixes[] = { "n", "u", "m", "", "k", "M", "G", "T", "P", "E",
		"Z" };
	return prefixes[exponent / 3 + 3];
}

/* The exponent, a multiple of 3 in [smallest, 21], that leaves 1 to 999 at three digits. */
static int prefix_exponent(double value, int smallest)
{
	if (value == 0)
		return 0;
	double a = fabs(value);
	int e = (int)floor(log10(a));
	if (a / pow(10, e) >= 9.995) /* rounds up to the next power */
		e++;
	e = (e >= 0 ? e / 3 : (e - 2) / 3) * 3;
	return e < smallest ? smallest : e > 21 ? 21 : e;
}

static void write_scaled(char *buf, size_t size, double value, const struct scaled_unit *u,
	const char *rest, int largest)
{
	char number[64];
	const double out_of_prefixes = 1e27; /* a million Z says less than 1e27 */
	if (isfinite(value) && fabs(value) >= out_of_prefixes && largest > 0) {
		number_write(number, sizeof number, value, 3);
		snprintf(buf, size, "%s %s%s", number, u->written, rest);
		return;
	}
	int e = prefix_exponent(value, u->smallest);
	if (e > largest)
		e = largest;
	double shown = e < 0 ? value * pow(10, -e) : value / pow(10, e);
	/* Smaller than the smallest prefix says: as a power of ten. */
	if (e == 0 || fabs(shown) >= 1000 || (shown != 0 && fabs(shown) < 1e-4))
		write_rounded(number, sizeof number, shown, 3);
	else
		write_fixed(number, sizeof number, shown, decimals_for(shown, 3), false);
	bool word = e == 0 && strcmp(u->written, "bit") == 0 && value != 1 && !*rest;
	snprintf(buf, size, "%s %s%s%s%s", number, prefix_of(e), u->written, word ? "s" : "", rest);
}

const char *quantity_long_time(double seconds)
{
	enum { HOURS = 100, DAYS = 100000 }; /* a mean time between failures is told in days */
	double a = fabs(seconds);
	return a < HOURS * HOUR_S ? "h" : a < DAYS * DAY_S ? "d" : "years";
}

/* Seconds as people count them: 81.7 ms, 3,220 s, 72 h, 61 d, 2,738 years. */
static void write_seconds(char *buf, size_t size, double value, const struct scaled_unit *u)
{
	char number[64];
	double a = fabs(value);
	if (a < 10000 && !(a > 0 && a < 1e-10)) {
		write_scaled(buf, size, value, u, "", 0);
		return;
	}
	const char *name = a < 1 ? "s" : quantity_long_time(value);
	struct unit unit;
	number_write(
		number, sizeof number, unit_parse(name, &unit) ? value / unit.factor : value, 3);
	snprintf(buf, size, "%s %s", number, name);
}

/* $4.10/h, $16,311, $0.23/Mtok */
static void write_dollars(char *buf, size_t size, double value, const char *rest)
{
	char number[64];
	const char *sign = value < 0 ? "-" : "", *scale = "";
	double a = fabs(value);
	if (a > 0 && a < 0.01 && (strcmp(rest, "/token") == 0 || strcmp(rest, "/tok") == 0)) {
		a *= 1e6;
		rest = "/Mtok";
	}
	if (a >= 1e7) {
		scale = a >= 1e9 ? " billion" : " million";
		a /= a >= 1e9 ? 1e9 : 1e6;
	}
	/* Cents; below a dollar a third digit where there is one, because $0.104 is not $0.10. */
	bool mills = a < 1 && fabs(round(100 * a) - 100 * a) > 0.05;
	if (a >= 1e15 || *scale || a < 0.1 || a == floor(a))
		number_write(number, sizeof number, a, 3);
	else if (a < 1000)
		write_fixed(number, sizeof number, a, mills ? 3 : 2, true);
	else
		write_fixed(number, sizeof number, a, 0, true);
	snprintf(buf, size, "%s$%s%s%s", sign, number, scale, rest);
}

/* Things that are counted, and what they are called in a rate. */
static const struct counted {
	const char *unit, *in_a_rate;
} counted[] = { { "token", "tok" }, { "parameter", "param" }, { "param", "param" },
	{ "request", "req" }, { "tok", "tok" }, { "req", "req" } };

static const char *rate_name(const char *head)
{
	for (size_t i = 0; i < LENGTH(counted); i++)
		if (strcmp(counted[i].unit, head) == 0)
			return counted[i].in_a_rate;
	return NULL;
}

/* "2,870 tok/s", "1.2 Mtok/s" */
static void write_count_rate(
	char *buf, size_t size, double value, const char *name, const char *rest)
{
	char number[64];
	if (fabs(value) >= 1e6 && fabs(value) < 1e24) {
		const struct scaled_unit u = { name, name, 0 };
		write_scaled(buf, size, value, &u, rest, 21);
		return;
	}
	write_rounded(number, sizeof number, value, 3);
	snprintf(buf, size, "%s %s%s", number, name, rest);
}

/* Whether more than one of them takes an "s": token, request, step, GPU, but not min. */
static bool is_word(const char *head)
{
	static const char *const never[] = { "thousand", "million", "billion", "trillion", "FLOP" };
	size_t n = strlen(head);
	for (size_t i = 0; i < LENGTH(never); i++)
		if (strcmp(head, never[i]) == 0)
			return false;
	if (strcmp(head, "GPU") == 0 || strcmp(head, "day") == 0 || strcmp(head, "bit") == 0)
		return true;
	for (size_t i = 0; i < n; i++)
		if (!islower((unsigned char)head[i]))
			return false;
	return n >= 4 && head[n - 1] != 's';
}

/* ms, GB, TFLOP, GiB: a base unit behind a prefix of its own. */
static bool has_prefix(const char *head)
{
	if (!*head || !strchr("numkKMGTPEZ", *head))
		return false;
	return scaled_find(head + (head[1] == 'i' ? 2 : 1)) != NULL;
}

/* Figures in ms or GB are compared and added up, so they keep one digit more. */
static int digits_in(const char *head, double value, int most)
{
	return has_prefix(head) && fabs(value) >= 1 ? most : 3;
}

/* "8,192 tokens", "70.6 billion parameters", "80 GB", "40 steps/s" */
static void write_plain(char *buf, size_t size, double value, const struct split *unit, int most)
{
	static const char *const large[] = { " million", " billion", " trillion" };
	char number[64];
	const char *scale = "", *plural = "";
	if (value != 1 && *unit->rest != ' ' && *unit->rest != '*' && is_word(unit->head))
		plural = "s";
	int e = prefix_exponent(value, 0);
	if (rate_name(unit->head) && e >= 6 && fabs(value) < 1e18) {
		e = e > 12 ? 12 : e;
		scale = large[e / 3 - 2];
		value /= pow(10, e);
		number_write(number, sizeof number, value, 3);
	} else {
		write_rounded(number, sizeof number, value, digits_in(unit->head, value, most));
	}
	if (strcmp(unit->head, "query") == 0 && *plural)
		snprintf(buf, size, "%s%s queries%s", number, scale, unit->rest);
	else
		snprintf(buf, size, "%s%s %s%s%s", number, scale, unit->head, plural, unit->rest);
}

static char *write_quantity(char *buf, size_t size, double value, const char *unit, int most)
{
	struct split s = split_unit(unit);
	const struct scaled_unit *scaled = scaled_find(s.head);
	const char *name = *s.rest == '/' ? rate_name(s.head) : NULL;
	bool ratio = strcmp(s.rest, "/B") == 0 || strcmp(s.rest, "/byte") == 0;

	if (!isfinite(value) || !*unit) {
		write_rounded(buf, size, value, 3);
	} else if (strcmp(unit, "yes/no") == 0) {
		snprintf(buf, size, "%s", value != 0 ? "yes" : "no");
	} else if (strcmp(unit, "x") == 0) {
		char number[64];
		write_rounded(number, sizeof number, value, fabs(value) >= 1 ? most : 3);
		snprintf(buf, size, "%sx", number);
	} else if (strcmp(unit, "ms") == 0 && fabs(value) >= 10000) {
		write_seconds(buf, size, value / 1000, scaled_find("s"));
	} else if (strcmp(unit, "MB") == 0 && fabs(value) >= 10000) {
		write_scaled(buf, size, value * 1e6, scaled_find("B"), "", 21);
	} else if (strcmp(s.head, "$") == 0) {
		write_dollars(buf, size, value, s.rest);
	} else if (strcmp(unit, "s") == 0) {
		write_seconds(buf, size, value, scaled);
	} else if (scaled) {
		write_scaled(buf, size, value, scaled, s.rest, ratio && fabs(value) < 1e6 ? 0 : 21);
	} else if (name) {
		write_count_rate(buf, size, value, name, s.rest);
	} else {
		write_plain(buf, size, value, &s, most);
	}
	return buf;
}

char *quantity_format(char *buf, size_t size, double value, const char *unit)
{
	assert(buf && size > 0 && unit);
	return write_quantity(buf, size, value, unit, 4);
}

/* Units that give way to a larger or a smaller one: the base unit, and how many of it they are. A
 * duration below least or from most on is written in the unit that people would pick. */
static const struct passing_unit {
	const char *unit, *base;
	double size, least, most;
} passing_units[] = {
	{ "us", "s", 1e-6, 1, 1000 },
	{ "ms", "s", 1e-3, 0.1, 1000 },
	{ "min", "s", MINUTE_S, 1, INFINITY }, /* hours: quantity_brief */
	{ "h", "s", HOUR_S, 1, INFINITY },
	{ "MB", "B", 1e6, 0.1, 10000 },
	{ "GB", "B", 1e9, 0.1, 10000 },
};

/* A duration of minutes: "19 min". */
static char *write_minutes(char *buf, size_t size, double value_s)
{
	char number[64];
	number_write(number, sizeof number, value_s / MINUTE_S, 3);
	snprintf(buf, size, "%s min", number);
	return buf;
}

char *quantity_brief(char *buf, size_t size, double value, const char *unit)
{
	assert(buf && size > 0 && unit);
	double a = fabs(value);
	const double hours_from = 1e4; /* write_quantity has hours from there on, and days */
	if (strcmp(unit, "s") == 0 && a >= 10 * MINUTE_S && a < hours_from)
		return a < 2 * HOUR_S ? write_minutes(buf, size, value)
				      : write_quantity(buf, size, value / HOUR_S, "h", 3);
	if (strcmp(unit, "min") == 0 && a >= 2 * HOUR_S / MINUTE_S)
		return write_quantity(buf, size, value / (HOUR_S / MINUTE_S), "h", 3);
	for (size_t i = 0; i < LENGTH(passing_units) && a > 0 && isfinite(value); i++) {
		const struct passing_unit *u = &passing_units[i];
		if (strcmp(unit, u->unit) != 0 || (a >= u->least && a < u->most))
			continue;
		double base = value * u->size;
		bool minutes = strcmp(u->unit, "h") == 0 && fabs(base) >= 2 * MINUTE_S;
		return minutes ? write_minutes(buf, size, base)
			       : quantity_brief(buf, size, base, u->base);
	}
	return write_quantity(buf, size, value, unit, 3);
}
