/* Most text goes past the canvas, which knows what may be drawn: help, messages, values, sheets. A
 * stream of our own on top of the real one sees all of it. A character, and a style, may come in two
 * writes, so what has begun of one is kept. */
#define _GNU_SOURCE /* fopencookie; funopen elsewhere */
#include "ui/commands/text_gate.h"

#include "sims/base/utf8.h"
#include "ui/files/printed.h"
#include "ui/term/glyphs.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ESCAPE = 0x1b, STYLE_ROOM = 120 };

struct gate {
	FILE *to;
	struct gate_rules rules;
	char begun[STYLE_ROOM]; /* the first bytes of a character, or of a style */
	size_t n_begun;
};

static void put_escape(const struct gate *g, uint32_t code)
{
	if (code >= 0x10000)
		fprintf(g->to, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((code - 0x10000) >> 10)),
			(unsigned)(0xdc00 + ((code - 0x10000) & 0x3ff)));
	else
		fprintf(g->to, "\\u%04x", (unsigned)code);
}

static void put_stand_in(const struct gate *g, uint32_t code)
{
	const char *stand_in = glyph_ascii(code);
	/* a quote would end a field */
	fputs(g->rules.form == GATE_CSV && *stand_in == '"' ? "'" : stand_in, g->to);
}

/* A character that is beyond ASCII, or one that steers a terminal. */
static void put_code(const struct gate *g, uint32_t code)
{
	char text[5] = { 0 };
	const bool steers = utf8_steers(code);
	if (g->rules.form == GATE_JSON && (g->rules.ascii || steers))
		put_escape(g, code);
	else if (g->rules.ascii)
		put_stand_in(g, steers ? 0xfffd : code);
	else {
		utf8_write(text, steers ? 0xfffd : code);
		fputs(text, g->to);
	}
}

static bool is_plain(char byte)
{
	return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
}

static void put_byte(struct gate *g, char byte);

/* What had begun is nothing after all: its first byte steers or is no character, the rest is read anew. */
static void give_up(struct gate *g)
{
	char rest[STYLE_ROOM];
	const size_t n = g->n_begun - 1;
	const unsigned char first = (unsigned char)g->begun[0];
	memcpy(rest, g->begun + 1, n);
	g->n_begun = 0;
	put_code(g, first < 0x80 ? first : 0xfffd);
	for (size_t i = 0; i < n; i++)
		put_byte(g, rest[i]);
}

/* Adds a byte to a style, which is "ESC [ 0", more numbers, "m": ridge begins each one anew. */
static void put_style(struct gate *g, char byte)
{
	const size_t at = g->n_begun;
	const bool fits = at == 1   ? byte == '['
			  : at == 2 ? byte == '0'
				    : isdigit((unsigned char)byte) || strchr(";:m", byte) != NULL;
	g->begun[g->n_begun++] = byte;
	if (!fits || !byte || g->n_begun == STYLE_ROOM) {
		give_up(g);
	} else if (byte == 'm') {
		fwrite(g->begun, 1, g->n_begun, g->to);
		g->n_begun = 0;
	}
}

/* Adds a byte to a character of several. */
static void put_part(struct gate *g, char byte)
{
	char text[5] = { 0 };
	const char *at = text;
	if (g->n_begun && !utf8_continues(byte)) {
		give_up(g);
		put_byte(g, byte);
		return;
	}
	g->begun[g->n_begun++] = byte;
	const size_t whole = (size_t)utf8_lead_bytes(g->begun[0]);
	if (whole == 0) {
		give_up(g);
		return;
	}
	if (g->n_begun < whole)
		return;
	memcpy(text, g->begun, g->n_begun);
	if (utf8_char_bytes(text) == 0) { /* longer than it need be, or half of a pair */
		give_up(g);
		return;
	}
	g->n_begun = 0;
	put_code(g, utf8_next(&at));
}

static void put_byte(struct gate *g, char byte)
{
	if (g->n_begun && g->begun[0] == ESCAPE) {
		put_style(g, byte);
	} else if (g->n_begun || (unsigned char)byte >= 0x80) {
		put_part(g, byte);
	} else if (byte == ESCAPE && g->rules.styles) {
		g->begun[g->n_begun++] = byte;
	} else if (is_plain(byte)) {
		fputc(byte, g->to);
	} else {
		put_code(g, (unsigned char)byte);
	}
}

static void look_for_memory(const struct gate *g, const char *bytes, size_t n)
{
	static const char word[] = "memory";
	if (g->rules.of_memory && memmem(bytes, n, word, strlen(word)))
		*g->rules.of_memory = true;
}

static void put(struct gate *g, const char *bytes, size_t n)
{
	look_for_memory(g, bytes, n);
	while (n > 0) {
		size_t plain = 0;
		while (!g->n_begun && plain < n && is_plain(bytes[plain]))
			plain++;
		fwrite(bytes, 1, plain, g->to);
		if (plain < n)
			put_byte(g, bytes[plain++]);
		bytes += plain;
		n -= plain;
	}
}

static int close_stream(void *cookie)
{
	struct gate *g = cookie;
	while (g->n_begun)
		give_up(g);
	const int rc = fflush(g->to);
	free(g);
	return rc;
}

#ifdef __linux__
static ssize_t write_bytes(void *cookie, const char *bytes, size_t n)
{
	struct gate *g = cookie;
	put(g, bytes, n);
	return printed_end(g->to) ? 0 : (ssize_t)n;
}

static FILE *open_stream(struct gate *g)
{
	return fopencookie(
		g, "w", (cookie_io_functions_t){ NULL, write_bytes, NULL, close_stream });
}
#else
static int write_bytes(void *cookie, const char *bytes, int n)
{
	struct gate *g = cookie;
	put(g, bytes, (size_t)n);
	return printed_end(g->to) ? -1 : n;
}

static FILE *open_stream(struct gate *g)
{
	return funopen(g, NULL, write_bytes, NULL, close_stream);
}
#endif

FILE *text_gate(FILE *to, struct gate_rules rules)
{
	struct gate *g = malloc(sizeof *g);
	if (!g)
		return NULL;
	*g = (struct gate){ .to = to, .rules = rules };
	FILE *stream = open_stream(g);
	if (!stream)
		free(g);
	else if (fileno(to) >= 0 && isatty(fileno(to)))
		setvbuf(stream, NULL, _IOLBF, 0);
	return stream;
}
