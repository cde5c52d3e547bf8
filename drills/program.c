#include "drills/program.h"

#include "drills/json_line.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is left of a line that is being read; it need not be terminated. */
struct reader {
	const char *at, *end;
};

char *program_printable(const char *text, size_t bytes, bool lines, char *buf, size_t size)
{
	size_t n = 0;
	for (size_t i = 0; i < bytes && n + 5 <= size;) {
		char character[5] = "";
		memcpy(character, text + i, bytes - i < 4 ? bytes - i : 4);
		int length = json_utf8_bytes(character);
		unsigned char c = (unsigned char)text[i];
		/* U+0080 to U+009F are controls too. */
		bool control = length == 0 || c < 0x20 || c == 0x7f ||
			       (length == 2 && c == 0xc2 && (unsigned char)text[i + 1] < 0xa0);
		size_t step = length > 0 ? (size_t)length : 1;
		if (!control) {
			memcpy(buf + n, text + i, step);
			n += step;
		} else if (lines && c == '\n') {
			buf[n++] = '\n';
		} else {
			buf[n++] = c == '\t' || c == '\n' ? ' ' : '?';
		}
		i += step;
	}
	buf[n] = '\0';
	return buf;
}

static bool take(struct reader *r, const char *word)
{
	size_t n = strlen(word);
	if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
		return false;
	r->at += n;
	return true;
}

/* "3" of "case 3 ", below n. */
static bool take_index(struct reader *r, size_t n, size_t *out)
{
	const char *from = r->at;
	*out = 0;
	for (; r->at < r->end && isdigit((unsigned char)*r->at) && r->at - from < 4; r->at++)
		*out = 10 * *out + (size_t)(*r->at - '0');
	return r->at > from && *out < n;
}

/* As repr() and %.17g write it; "nan" and "inf" too. */
static bool take_number(struct reader *r, double *out)
{
	char text[40], *end;
	size_t n = 0;
	while (r->at + n < r->end && n < sizeof text - 1 && !strchr(",; ", r->at[n]))
		n++;
	memcpy(text, r->at, n);
	text[n] = '\0';
	*out = strtod(text, &end);
	r->at += n;
	return n > 0 && !*end && strspn(text, "+-.0123456789eEnaif") == n;
}

static size_t count_numbers(const struct reader *r)
{
	size_t n = r->at < r->end && *r->at != ';';
	for (const char *p = r->at; p < r->end && *p != ';'; p++)
		n += *p == ',';
	return n;
}

/* The numbers of all expectations. False: this is no line of a check. */
static bool take_numbers(
	struct reader *r, size_t n_expectations, struct arena *a, struct program_answer *out)
{
	for (size_t i = 0; i < n_expectations; i++) {
		if (i > 0 && !take(r, ";"))
			return false;
		size_t n = count_numbers(r);
		double *numbers = n <= MOST_NUMBERS ? arena_array(a, n, sizeof *numbers) : NULL;
		if (!numbers)
			return false;
		for (size_t k = 0; k < n; k++)
			if ((k > 0 && !take(r, ",")) || !take_number(r, &numbers[k]))
				return false;
		out->numbers[i] = numbers;
		out->counts[i] = n;
	}
	return r->at == r->end;
}

static void read_case(const struct variant *v, struct reader *r, struct program_answers *out)
{
	size_t k;
	if (!take_index(r, v->program->n_cases, &k) || !take(r, " "))
		return;
	struct program_answer *c = &out->cases[k];
	if (c->answered) {
		*c = (struct program_answer){ .answered = true };
		snprintf(c->reason, sizeof c->reason, "it was answered twice");
		return;
	}
	c->answered = true;
	if (take(r, "! "))
		program_printable(
			r->at, (size_t)(r->end - r->at), false, c->reason, sizeof c->reason);
	else if (!take_numbers(r, v->drill->program->n_expectations, &out->arena, c))
		snprintf(c->reason, sizeof c->reason, "what it returned cannot be read");
}

static void read_line(const struct variant *v, struct reader *r, struct program_answers *out)
{
	if (take(r, " case "))
		read_case(v, r, out);
	else if (take(r, " load ! "))
		program_printable(r->at, (size_t)(r->end - r->at), false, out->load_reason,
			sizeof out->load_reason);
}

void program_read(const struct variant *v, const char *nonce, const char *output, size_t bytes,
	struct program_answers *out)
{
	*out = (struct program_answers){ 0 };
	for (const char *p = output, *end = output + bytes; p < end;) {
		const char *newline = memchr(p, '\n', (size_t)(end - p));
		struct reader r = { p, newline ? newline : end };
		/* A line without its end was cut. */
		if (newline && take(&r, nonce))
			read_line(v, &r, out);
		p = newline ? newline + 1 : end;
	}
}

void program_answers_release(struct program_answers *a)
{
	arena_release(&a->arena);
	*a = (struct program_answers){ 0 };
}
