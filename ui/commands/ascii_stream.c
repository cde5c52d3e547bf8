/* Most text goes past the canvas, which knows what stands in for a glyph: help, messages, values,
 * sheets. A stream of our own on top of the real one sees all of it. Bytes of one character may
 * come in two writes, so those of an unfinished one are kept. */
#define _GNU_SOURCE /* fopencookie; funopen elsewhere */
#include "ui/commands/ascii_stream.h"

#include "sims/base/utf8.h"
#include "ui/term/glyphs.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct ascii {
	FILE *to;
	enum ascii_form form;
	char begun[4]; /* the first bytes of a character */
	size_t n_begun;
};

static void put_code(const struct ascii *a, uint32_t code)
{
	const char *stand_in = glyph_ascii(code);
	if (a->form == ASCII_JSON && code >= 0x10000)
		fprintf(a->to, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
			(unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
	else if (a->form == ASCII_JSON)
		fprintf(a->to, "\\u%04x", (unsigned)code);
	else /* a quote would end a field */
		fputs(a->form == ASCII_CSV && *stand_in == '"' ? "'" : stand_in, a->to);
}

/* Adds a byte that is beyond ASCII. */
static void put_part(struct ascii *a, char byte)
{
	char text[5] = { 0 };
	const char *at = text;
	if (a->n_begun && !utf8_continues(byte)) { /* what came before it was none */
		put_code(a, 0xfffd);
		a->n_begun = 0;
	}
	a->begun[a->n_begun++] = byte;
	size_t whole = (size_t)utf8_lead_bytes(a->begun[0]);
	if (whole > a->n_begun && a->n_begun < sizeof a->begun)
		return;
	memcpy(text, a->begun, a->n_begun);
	put_code(a, utf8_next(&at));
	a->n_begun = 0;
}

static void put(struct ascii *a, const char *bytes, size_t n)
{
	while (n > 0) {
		size_t plain = 0;
		while (plain < n && !((unsigned char)bytes[plain] & 0x80))
			plain++;
		if (plain && a->n_begun) {
			put_code(a, 0xfffd);
			a->n_begun = 0;
		}
		fwrite(bytes, 1, plain, a->to);
		if (plain < n)
			put_part(a, bytes[plain++]);
		bytes += plain;
		n -= plain;
	}
}

static int close_stream(void *cookie)
{
	free(cookie);
	return 0;
}

#ifdef __linux__
static ssize_t write_bytes(void *cookie, const char *bytes, size_t n)
{
	struct ascii *a = cookie;
	put(a, bytes, n);
	return fflush(a->to) || ferror(a->to) ? 0 : (ssize_t)n;
}

static FILE *open_stream(struct ascii *a)
{
	return fopencookie(
		a, "w", (cookie_io_functions_t){ NULL, write_bytes, NULL, close_stream });
}
#else
static int write_bytes(void *cookie, const char *bytes, int n)
{
	struct ascii *a = cookie;
	put(a, bytes, (size_t)n);
	return fflush(a->to) || ferror(a->to) ? -1 : n;
}

static FILE *open_stream(struct ascii *a)
{
	return funopen(a, NULL, write_bytes, NULL, close_stream);
}
#endif

FILE *ascii_stream(FILE *to, enum ascii_form form)
{
	struct ascii *a = malloc(sizeof *a);
	if (!a)
		return NULL;
	*a = (struct ascii){ .to = to, .form = form };
	FILE *stream = open_stream(a);
	if (!stream)
		free(a);
	return stream;
}
