#include "sims/quantity/spoken.h"

#include "sims/quantity/quantity.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A number as %g writes it where digits do not do: 1.5e+02. */
struct written {
	const char *from, *end;
	double value;
	int digits;   /* that it was written with */
	int exponent; /* of ten */
};

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

/* Reads back from the e to where the number begins; false where there is none, as in "tie-12". */
static bool read_mantissa(const char *text, const char *e, struct written *out)
{
	const char *at = e;
	int after_point = 0;
	double place = 1;
	bool pointed = false;
	out->value = 0;
	out->digits = 0;
	for (; at > text && (is_digit(at[-1]) || (at[-1] == '.' && !pointed)); at--) {
		if (at[-1] == '.') {
			pointed = true;
			after_point = out->digits;
			continue;
		}
		out->value += place * (at[-1] - '0');
		place *= 10;
		out->digits++;
	}
	out->from = at;
	out->value /= pow(10, after_point);
	/* "0x1e+05" and "v2e-10" are names. */
	return out->digits > 0 && (at == text || !isalnum((unsigned char)at[-1]));
}

/* The first number with an exponent from `at` on. */
static bool find_written(const char *text, const char *at, struct written *out)
{
	for (const char *e = at; (e = strchr(e, 'e')); e++) {
		if ((e[1] != '+' && e[1] != '-') || !is_digit(e[2]) || !is_digit(e[3]) ||
			!read_mantissa(text, e, out) || out->from < at)
			continue;
		out->exponent = 0;
		out->end = e + 2;
		for (; is_digit(*out->end) && out->exponent < 1000; out->end++)
			out->exponent = 10 * out->exponent + (*out->end - '0');
		out->exponent = e[1] == '-' ? -out->exponent : out->exponent;
		return true;
	}
	return false;
}

/* In full; where that would be more noughts than one counts, "6 x 10^-8". */
static void write_spoken(char *buf, size_t size, const struct written *w)
{
	const int most_noughts = 6;
	/* Powers of ten are exact, their reciprocals are not. */
	if (w->exponent >= 0)
		number_write(buf, size, w->value * pow(10, w->exponent), w->digits);
	else if (-w->exponent <= most_noughts)
		snprintf(buf, size, "%.*f", w->digits - 1 - w->exponent,
			w->value / pow(10, -w->exponent));
	else
		snprintf(buf, size, "%.*g x 10^%d", w->digits, w->value, w->exponent);
}

const char *numbers_spoken(struct arena *a, const char *text)
{
	assert(a && text);
	struct written w;
	const char *at = text;
	if (!find_written(text, at, &w))
		return text;
	struct arena_buffer out = { .arena = a };
	do {
		char number[64];
		write_spoken(number, sizeof number, &w);
		arena_append(&out, at, (size_t)(w.from - at));
		arena_append(&out, number, strlen(number));
		at = w.end;
	} while (find_written(text, at, &w));
	arena_append_text(&out, at);
	return a->failed ? "" : out.text;
}
