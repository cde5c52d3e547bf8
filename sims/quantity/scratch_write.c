/* A value with its unit, in the unit that leaves a number one can read. */
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/quantity/scratch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A unit in the making: "B/s", and how many base units it is. */
struct written {
	char text[96];
	double factor;
};

static void append(struct written *w, const char *text)
{
	size_t n = strlen(w->text);
	snprintf(w->text + n, sizeof w->text - n, "%s", text);
}

/* The order in which they are written. */
static const struct scratch_symbol {
	enum dimension dim;
	const char *name;
} symbols[N_DIMENSIONS] = {
	{ DIM_DOLLAR, "$" },
	{ DIM_WORK, "FLOP" },
	{ DIM_INFORMATION, "B" },
	{ DIM_PARAMETER, "param" },
	{ DIM_TOKEN, "tok" },
	{ DIM_REQUEST, "req" },
	{ DIM_ENERGY, "J" },
	{ DIM_LENGTH, "m" },
	{ DIM_DEVICE, "GPU" },
	{ DIM_TIME, "s" },
};

static void append_power(struct written *w, const struct scratch_symbol *s, int power, bool bits)
{
	char text[16];
	bool information = s->dim == DIM_INFORMATION;
	append(w, information && bits ? "bit" : s->name);
	if (power > 1) {
		snprintf(text, sizeof text, "^%d", power);
		append(w, text);
	}
}

/* What stands before the first "/" and all behind it; W and GPU h for what they are. */
static void write_dimension(
	const struct scratch_value *v, struct written *over, struct written *under)
{
	const signed char *dim = v->unit.dim;
	bool bits = v->in_bits && !v->in_bytes;
	*over = *under = (struct written){ .factor = 1 };
	over->factor = bits ? 1 : pow(8, dim[DIM_INFORMATION]);
	for (size_t i = 0; i < N_DIMENSIONS; i++) {
		const struct scratch_symbol *s = &symbols[i];
		int power = dim[s->dim];
		if (power > 0) {
			append(over, *over->text ? "*" : "");
			append_power(over, s, power, bits);
		} else if (power < 0) {
			append(under, "/");
			append_power(under, s, -power, bits);
		}
	}
	if (strcmp(over->text, "J") == 0 && strcmp(under->text, "/s") == 0) {
		strcpy(over->text, "W");
		under->text[0] = '\0';
	}
	if (strcmp(over->text, "GPU*s") == 0) {
		strcpy(over->text, "GPU*h");
		over->factor *= HOUR_S;
	}
}

/* One with a prefix: how small and how large that may be; NULL: none. */
static const struct prefixed {
	const char *text;
	int least, most;
} prefixed[] = { { "B", 0, 21 }, { "bit", 0, 21 }, { "FLOP", 0, 21 }, { "J", -3, 21 },
	{ "W", -3, 21 }, { "s", -9, 0 }, { "tok", 0, 21 }, { "param", 0, 21 }, { "req", 0, 21 } };

static const struct prefixed *prefixed_find(const char *text)
{
	for (size_t i = 0; i < LENGTH(prefixed); i++)
		if (strcmp(prefixed[i].text, text) == 0)
			return &prefixed[i];
	return NULL;
}

/* A multiple of 3 that leaves 1 to 999 before the point, within limits. */
static int exponent_for(double value, int least, int most)
{
	if (value == 0)
		return 0;
	int e = (int)floor(log10(fabs(value)) + 1e-12);
	e = (e >= 0 ? e / 3 : (e - 2) / 3) * 3;
	return e < least ? least : e > most ? most : e;
}

static const char *prefix_text(int exponent)
{
	static const char *const texts[] = { "n", "u", "m", "", "k", "M", "G", "T", "P", "E", "Z" };
	return texts[exponent / 3 + 3];
}

static double scaled(double value, int exponent)
{
	return exponent < 0 ? value * pow(10, -exponent) : value / pow(10, exponent);
}

static void write_scaled(const struct prefixed *u, double value, int least, const char *under,
	int digits, char *buf, size_t size)
{
	char number[64];
	int e = exponent_for(value, u->least, u->most);
	if (e > 0 && e < least)
		e = 0;
	number_write(number, sizeof number, scaled(value, e), digits);
	snprintf(buf, size, "%s %s%s%s", number, prefix_text(e), u->text, under);
}

/* 8,192 tokens, 15 trillion tokens; never a prefix, which nobody says. */
static void write_count(const char *name, double value, int digits, char *buf, size_t size)
{
	static const char *const large[] = { "", "", " million", " billion", " trillion" };
	char number[64];
	int e = exponent_for(value, 0, 12);
	e = e < 6 ? 0 : e;
	number_write(number, sizeof number, scaled(value, e), digits);
	snprintf(buf, size, "%s%s %s", number, large[e / 3], name);
}

/* Seconds below three hours; then hours, and days from a hundred hours on. */
static void write_long_time(double value, int digits, char *buf, size_t size)
{
	char number[64];
	bool days = fabs(value) >= 100 * HOUR_S;
	number_write(number, sizeof number, value / (days ? DAY_S : HOUR_S), digits);
	snprintf(buf, size, "%s %s", number, days ? "d" : "h");
}

static void write_dollars(double value, const char *under, int digits, char *buf, size_t size)
{
	char number[64];
	bool tokens = strcmp(under, "/tok") == 0 && fabs(value) < 0.01 && value != 0;
	number_write(number, sizeof number, tokens ? value * 1e6 : value, digits);
	snprintf(buf, size, "$%s%s", number, tokens ? "/Mtok" : under);
}

char *scratch_write(const struct scratch_value *v, int digits, char *buf, size_t size)
{
	struct written over, under;
	char number[64];
	if (*v->in) {
		number_write(number, sizeof number, v->number / v->unit.factor, digits);
		snprintf(buf, size, "%s %s", number, v->in);
		return buf;
	}
	write_dimension(v, &over, &under);
	double value = v->number / over.factor;
	const struct prefixed *u = prefixed_find(over.text);
	bool ratio = strcmp(over.text, "FLOP") == 0 && strcmp(under.text, "/B") == 0;
	if (strcmp(over.text, "$") == 0)
		write_dollars(value, under.text, digits, buf, size);
	else if (strcmp(over.text, "s") == 0 && !*under.text && fabs(value) >= 10000)
		write_long_time(value, digits, buf, size);
	else if (strcmp(over.text, "tok") == 0 && !*under.text)
		write_count(value == 1 ? "token" : "tokens", value, digits, buf, size);
	else if (strcmp(over.text, "param") == 0 && !*under.text)
		write_count(value == 1 ? "param" : "params", value, digits, buf, size);
	else if (u)
		write_scaled(u, value, ratio ? 6 : 0, under.text, digits, buf, size);
	else
		snprintf(buf, size, "%s%s%s%s", number_write(number, sizeof number, value, digits),
			*over.text || *under.text ? " " : "", over.text, under.text);
	return buf;
}
