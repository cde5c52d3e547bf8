/* Numbers as people write them, drawn so that their value is known, and a reader of such text that
 * shares nothing with the program's. */
#include "tests/laws.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t below(struct rng *r, size_t n)
{
	return (size_t)rng_below(r, n);
}

static bool chance(struct rng *r, size_t one_in)
{
	return below(r, one_in) == 0;
}

static const char *const group_marks[] = { "_", "'", ",", " ", "\xe2\x80\x89", "\xe2\x80\xaf" };

/* Digits with a point behind the first `whole` of them, in groups of three where that is wanted. */
static void write_digits(const char *digits, int whole, const char *mark, char *out, size_t size)
{
	size_t n = 0;
	int all = (int)strlen(digits);
	if (whole <= 0)
		n += (size_t)snprintf(out, size, "0.%.*s", -whole, "00000000000000000000");
	for (int i = 0; i < (whole > all ? whole : all); i++) {
		if (i == whole && whole > 0)
			n += (size_t)snprintf(out + n, size - n, ".");
		n += (size_t)snprintf(out + n, size - n, "%c", i < all ? digits[i] : '0');
		if (mark && i + 1 < whole && (whole - i - 1) % 3 == 0)
			n += (size_t)snprintf(out + n, size - n, "%s", mark);
	}
}

long double number_draw(struct rng *r, double wanted, char *out, size_t size)
{
	static const char *const powers[] = { "%s%se%d", "%s%sE%d", "%s%se%+d", "%s%sx10^%d",
		"%s%s x 10^%d", "%s%s*10**%d", "%s%s\303\22710^%d", /* × */
		"%s%s \xc2\xb7 10 ^ %d" };
	char digits[32], plain[64];
	const char *sign = wanted < 0     ? (chance(r, 2) ? "-" : "\xe2\x88\x92")
			   : chance(r, 9) ? "+"
					  : "";
	int n = 1 + (int)below(r, chance(r, 4) ? 15 : 5);
	int exponent = (int)floor(log10(fabs(wanted)));
	snprintf(digits, sizeof digits, "%.0f", rint(fabs(wanted) * pow(10, n - 1 - exponent)));
	n = (int)strlen(digits);
	long double value = strtold(digits, NULL) * powl(10, exponent - n + 1);
	/* A rounding up to the next power of ten has one digit more; the value knows. */
	int scale = (int)floorl(log10l(value) + 1e-12L);
	value = strtold(digits, NULL) * powl(10, scale - n + 1);
	bool readable = scale >= -6 && scale <= 20;
	if (readable && !chance(r, 3)) {
		bool grouped = scale >= 3 && chance(r, 2);
		const char *mark = grouped ? group_marks[below(r, 6)] : NULL;
		write_digits(digits, scale + 1, mark, plain, sizeof plain);
		bool bare_point = scale < 0 && chance(r, 3),
		     last_point = !strchr(plain, '.') && chance(r, 6);
		snprintf(out, size, "%s%s%s", sign, plain + bare_point, last_point ? "." : "");
	} else {
		int whole = 1 + (int)below(r, (size_t)n);
		write_digits(digits, whole, NULL, plain, sizeof plain);
		snprintf(out, size, powers[below(r, sizeof powers / sizeof *powers)], sign, plain,
			scale - whole + 1);
	}
	return wanted < 0 ? -value : value;
}

long double product_draw(struct rng *r, double wanted, bool divide, char *out, size_t size)
{
	static const char *const signs[] = { "*", " * ", "x", " x ", "\xc3\x97" };
	char number[100];
	double by = 2 + (double)below(r, 63);
	if (divide) {
		long double value = number_draw(r, wanted * by, number, sizeof number);
		snprintf(out, size, "%s%s%.0f", number, chance(r, 2) ? "/" : " / ", by);
		return value / by;
	}
	long double value = number_draw(r, fabs(wanted) / by, number, sizeof number);
	/* A sign cannot follow an operator. */
	snprintf(out, size, "%s%.0f%s%s", wanted < 0 ? "-" : "", by, signs[below(r, 5)],
		number + (*number == '+'));
	return (wanted < 0 ? -value : value) * by;
}

static const char *skip_blanks(const char *p)
{
	static const char *const blanks[] = { " ", "\t", "\xc2\xa0", "\xe2\x80\x89",
		"\xe2\x80\xaf" };
	for (size_t i = 0; i < 5; i++)
		if (strncmp(p, blanks[i], strlen(blanks[i])) == 0)
			return skip_blanks(p + strlen(blanks[i]));
	return p;
}

static bool at_int(const char *p)
{
	p += *p == '-' || *p == '+';
	return isdigit((unsigned char)*p) != 0;
}

/* The power of ten that may stand behind digits, as "e9" or " x 10^9"; *p moves behind it. */
static int read_power(const char **p)
{
	static const char *const signs[] = { "**", "*", "x", "\xc3\x97", "\xc2\xb7",
		"\xe2\x8b\x85" };
	const char *at = *p;
	char *end;
	if ((*at == 'e' || *at == 'E') && at_int(at + 1)) {
		long e = strtol(at + 1, &end, 10);
		*p = end;
		return (int)e;
	}
	at = skip_blanks(at);
	size_t i = 0;
	while (i < 6 && strncmp(at, signs[i], strlen(signs[i])) != 0)
		i++;
	at = i < 6 ? skip_blanks(at + strlen(signs[i])) : "";
	if (strncmp(at, "10", 2) != 0)
		return 0;
	at = skip_blanks(at + 2);
	size_t caret = *at == '^' ? 1 : strncmp(at, "**", 2) == 0 ? 2 : 0;
	at = skip_blanks(at + caret);
	if (!caret || !at_int(at))
		return 0;
	long e = strtol(at, &end, 10);
	*p = end;
	return (int)e;
}

/* Digits of one number with groups taken out; *p moves behind them. False: none, or badly
 * grouped. */
static bool read_digits(const char **p, char *digits, size_t size)
{
	size_t n = strspn(*p, "0123456789"), used = 0;
	const char *mark = NULL, *at = *p;
	used += (size_t)snprintf(digits, size, "%.*s", (int)n, at);
	at += n;
	for (size_t i = 0; n >= 1 && n <= 3 && **p != '0' && i < 6; i++)
		if (strncmp(at, group_marks[i], strlen(group_marks[i])) == 0)
			mark = group_marks[i];
	while (mark && strncmp(at, mark, strlen(mark)) == 0 &&
		strspn(at + strlen(mark), "0123456789") == 3) {
		at += strlen(mark);
		used += (size_t)snprintf(digits + used, size - used, "%.3s", at);
		at += 3;
	}
	bool decimal_comma = n && *at == ',' && isdigit((unsigned char)at[1]);
	if (decimal_comma || (n && (*at == '_' || *at == '\'')))
		return false;
	size_t fraction = *at == '.' ? strspn(at + 1, "0123456789") : 0;
	if (*at == '.') {
		used += (size_t)snprintf(
			digits + used, size - used, ".%.*s", (int)fraction, at + 1);
		at += 1 + fraction;
	}
	*p = at;
	return n + fraction > 0;
}

static bool read_one(const char **p, bool signs, long double *value)
{
	char digits[400];
	bool minus_sign = signs && strncmp(*p, "\xe2\x88\x92", 3) == 0, minus = signs && **p == '-';
	*p += minus_sign ? 3 : minus || (signs && **p == '+');
	if (!read_digits(p, digits, sizeof digits))
		return false;
	int e = read_power(p);
	*value = strtold(digits, NULL) * powl(10, e) * (minus || minus_sign ? -1 : 1);
	return abs(e) <= 400 && fabsl(*value) <= DBL_MAX;
}

int numbers_read(const char *text, long double *value)
{
	long double next;
	const char *p = skip_blanks(text);
	if (!read_one(&p, true, value))
		return 0;
	for (;;) {
		const char *at = skip_blanks(p);
		bool divide = *at == '/', cross = strncmp(at, "\xc3\x97", 2) == 0;
		if (!*at)
			return 1;
		if (!divide && !cross && *at != '*' && *at != 'x')
			return -1;
		at = skip_blanks(at + (cross ? 2 : 1));
		if (!isdigit((unsigned char)*at) && !(*at == '.' && isdigit((unsigned char)at[1])))
			return -1;
		if (!read_one(&at, false, &next) || (divide && next == 0))
			return 0;
		*value = divide ? *value / next : *value * next;
		p = at;
	}
}
