/* One function for each kind of value: it gets the first byte and returns the byte behind the
 * value, or NULL where it is not well formed. */
#include "drills/json_line.h"

#include "sims/base/utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 16, EXACT_POWER = 22 /* 10^22 is the last exact one */ };

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char *skip_blanks(char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\r' || *p == '\n')
		p++;
	return p;
}

/* Four hexadecimal digits; -1 where they are not. */
static long hex4(const char *p)
{
	long code = 0;
	for (int i = 0; i < 4; i++) {
		char c = p[i];
		int digit = is_digit(c)            ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;
		if (digit < 0)
			return -1;
		code = code * 16 + digit;
	}
	return code;
}

/* An escape of four hexadecimal digits, p at the first of them, and the second half of a pair. NULL
 * for half a pair alone, and for a zero byte, which would end the text. */
static char *unescape_code(char *p, char **out)
{
	long code = hex4(p);
	if (code <= 0 || (code >= 0xdc00 && code <= 0xdfff))
		return NULL;
	p += 4;
	if (code >= 0xd800 && code <= 0xdbff) {
		long low = p[0] == '\\' && p[1] == 'u' ? hex4(p + 2) : -1;
		if (low < 0xdc00 || low > 0xdfff)
			return NULL;
		code = 0x10000 + (code - 0xd800) * 0x400 + (low - 0xdc00);
		p += 6;
	}
	*out += utf8_write(*out, (uint32_t)code);
	return p;
}

/* An escape, of p behind the backslash. */
static char *unescape(char *p, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	if (*p == 'u')
		return unescape_code(p + 1, out);
	const char *found = *p ? strchr(from, *p) : NULL;
	if (!found)
		return NULL;
	*(*out)++ = to[found - from];
	return p + 1;
}

/* Behind the closing quote; NULL: not a string. What is unescaped is never longer. */
static char *read_string(char *p, const char **text)
{
	if (*p++ != '"')
		return NULL;
	char *out = p;
	*text = p;
	while (*p != '"') {
		unsigned char c = (unsigned char)*p;
		if (c == '\\') {
			p = unescape(p + 1, &out);
			if (!p)
				return NULL;
			continue;
		}
		int bytes = c < 0x20 ? 0 : c < 0x80 ? 1 : utf8_char_bytes(p);
		if (bytes == 0)
			return NULL;
		while (bytes-- > 0)
			*out++ = *p++;
	}
	*out = '\0';
	return p + 1;
}

/* Digits into an integer; *exact turns false where they are too many. */
static char *read_digits(char *p, uint64_t *digits, bool *exact)
{
	for (; is_digit(*p); p++) {
		uint64_t digit = (uint64_t)(*p - '0');
		if (*digits > (UINT64_MAX - digit) / 10)
			*exact = false;
		*digits = *digits * 10 + digit;
	}
	return p;
}

static char *read_exponent(char *p, int *exponent)
{
	bool negative = *p == '-';
	int e = 0;
	if (*p == '-' || *p == '+')
		p++;
	if (!is_digit(*p))
		return NULL;
	for (; is_digit(*p); p++)
		e = e < 10000 ? e * 10 + (*p - '0') : e;
	*exponent += negative ? -e : e;
	return p;
}

/* Up to 2^53 times or over an exact power of ten is rounded once, so right; strtod has the rest. */
static bool quick_number(uint64_t digits, int exponent, double *out)
{
	static const double powers[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
	if (digits > (uint64_t)1 << 53 || exponent < -EXACT_POWER || exponent > EXACT_POWER)
		return false;
	*out = exponent < 0 ? (double)digits / powers[-exponent]
			    : (double)digits * powers[exponent];
	return true;
}

/* Behind the number; NULL: not one, or too large to be one. */
static char *read_number(char *start, struct json_value *v)
{
	char *p = start + (*start == '-'), *whole = p, *end;
	bool exact = true;
	int exponent = 0;
	uint64_t digits = 0;
	p = read_digits(p, &digits, &exact);
	if (p == whole || (*whole == '0' && p > whole + 1))
		return NULL;
	v->natural = digits;
	v->is_natural = exact && whole == start && *p != '.' && *p != 'e' && *p != 'E';
	if (*p == '.') {
		char *fraction = p + 1;
		p = read_digits(fraction, &digits, &exact);
		if (p == fraction)
			return NULL;
		exponent = -(int)(p - fraction > 10000 ? 10000 : p - fraction);
	}
	if ((*p == 'e' || *p == 'E') && !(p = read_exponent(p + 1, &exponent)))
		return NULL;
	if (exact && quick_number(digits, exponent, &v->number)) {
		v->number = whole > start ? -v->number : v->number;
		return p;
	}
	v->number = strtod(start, &end);
	return end == p && isfinite(v->number) ? p : NULL;
}

static char *read_word(char *p, const char *word)
{
	size_t n = strlen(word);
	return strncmp(p, word, n) == 0 ? p + n : NULL;
}

static char *skip_nested(char *p, int depth);

static char *read_value(char *p, struct json_value *v, int depth)
{
	switch (*p) {
	case '"':
		v->kind = JSON_TEXT;
		return read_string(p, &v->text);
	case '{':
	case '[':
		v->kind = JSON_NESTED;
		return skip_nested(p, depth + 1);
	case 't':
	case 'f':
		v->kind = JSON_FLAG;
		v->flag = *p == 't';
		return read_word(p, v->flag ? "true" : "false");
	case 'n':
		v->kind = JSON_NULL;
		return read_word(p, "null");
	default:
		v->kind = JSON_NUMBER;
		return read_number(p, v);
	}
}

/* A name and the colon behind it. */
static char *read_name(char *p, const char **name)
{
	p = read_string(skip_blanks(p), name);
	if (!p)
		return NULL;
	p = skip_blanks(p);
	return *p == ':' ? skip_blanks(p + 1) : NULL;
}

/* Over an array or object, of p at its bracket. */
static char *skip_nested(char *p, int depth)
{
	bool object = *p == '{';
	char close = object ? '}' : ']';
	struct json_value ignored;
	const char *name;
	if (depth > DEEPEST)
		return NULL;
	p = skip_blanks(p + 1);
	if (*p == close)
		return p + 1;
	for (;;) {
		if (object && !(p = read_name(p, &name)))
			return NULL;
		p = read_value(skip_blanks(p), &ignored, depth);
		if (!p)
			return NULL;
		p = skip_blanks(p);
		if (*p == close)
			return p + 1;
		if (*p++ != ',')
			return NULL;
	}
}

int json_member(struct json_line *l, const char **name, struct json_value *v)
{
	char *p = skip_blanks(l->at);
	bool first = !l->begun;
	l->begun = true;
	if (first) {
		if (*p != '{')
			return -1;
		p = skip_blanks(p + 1);
	}
	if (*p == '}') {
		l->at = skip_blanks(p + 1);
		return *l->at ? -1 : 0;
	}
	if (!first && *p++ != ',')
		return -1;
	p = read_name(p, name);
	p = p ? read_value(p, v, 0) : NULL;
	if (!p)
		return -1;
	l->at = p;
	return 1;
}
