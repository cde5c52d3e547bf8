#include "ui/term/textwrap.h"

#include "sims/base/utf8.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

enum { NO_BREAK_SPACE = 0xa0, EM_DASH = 0x2014, FIRST_WIDE = 0x1100 };

/* How a line is found. The characters are read once, from its start to the one that no longer
 * fits, and on the way the last place of each kind where the line may end is remembered: at a
 * blank (or between characters that may be parted), after a hyphen inside a word, before a unit.
 * The line then ends at the best of these that there is, or else right where the room ends. This
 * takes as many words as fit, as most printers do; it looks at one line only and never balances
 * a paragraph as Knuth and Plass do, because what is on a screen must not move when a word is
 * added further down. */
struct stop {
	bool set;
	size_t at;
	int cols; /* of the line that ends before it */
};

static bool ends(const struct text_breaker *b, size_t at)
{
	return at >= b->end || !b->text[at];
}

static uint32_t code_at(const struct text_breaker *b, size_t *at)
{
	unsigned char c = (unsigned char)b->text[*at];
	if (c < 0x80) {
		++*at;
		return c;
	}
	const char *text = b->text + *at;
	uint32_t code = utf8_next(&text);
	*at = (size_t)(text - b->text);
	return code;
}

static bool alphanumeric(uint32_t c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c >= 0xc0;
}

static bool is_wide(uint32_t code)
{
	return code >= FIRST_WIDE && code_width(code) == 2;
}

static bool among(uint32_t code, const char *set)
{
	for (uint32_t c; (c = utf8_next(&set));)
		if (c == code)
			return true;
	return false;
}

/* Whether a line may end between these two though no blank is there. Closing marks do not begin a
 * line, opening ones do not end it. */
static bool parts(uint32_t before, uint32_t code)
{
	if (before < FIRST_WIDE && code < FIRST_WIDE)
		return false;
	if (before == EM_DASH)
		return alphanumeric(code);
	if (!is_wide(before) && !is_wide(code))
		return false;
	return code_width(code) > 0 &&
	       !among(code, ",.;:!?)]}%、。，．・：；？！）］｝〉》」』】〕’”…") &&
	       !among(before, "([{$（［｛〈《「『【〔‘“");
}

/* Whether a long word may be broken here, after hyphen, slash and the like. */
static bool may_split(uint32_t earlier, uint32_t before, uint32_t code)
{
	return alphanumeric(earlier) && before < 0x80 && before && strchr("-/_,=&?", (int)before) &&
	       code != before;
}

/* Columns from `at` to the end of the word, counted no farther than to `enough`. */
static int rest_of_word(const struct text_breaker *b, size_t at, int enough)
{
	int cols = 0;
	while (!ends(b, at) && cols <= enough) {
		uint32_t code = code_at(b, &at);
		if (code == ' ' || code == '\n')
			break;
		cols += glyph_cols(code, b->glyphs);
	}
	return cols;
}

/* The places where the line that is being read may end. */
struct stops {
	struct stop blank, split, unit;
};

/* The best of them for a line that is full. */
static struct stop choose(
	const struct text_breaker *b, const struct stops *s, const struct stop *full)
{
	if (!s->split.set)
		return s->blank.set ? s->blank : s->unit.set ? s->unit : *full;
	int half = b->width / 2, before = s->blank.set ? s->blank.cols : 0;
	int word = full->cols - before + rest_of_word(b, full->at, half);
	return !s->blank.set || word > half ? s->split : s->blank;
}

static bool held(const struct text_breaker *b, size_t at)
{
	return b->holds && b->holds(b->context, at);
}

static bool finish(
	struct text_breaker *b, const struct stop *end, size_t next, struct text_line *line)
{
	*line = (struct text_line){ b->text + b->at, end->at - b->at, end->cols };
	b->at = next;
	return true;
}

/* Remembers that the line may end before `here`, if it may. */
static void note_stop(const struct text_breaker *b, struct stops *s, uint32_t earlier,
	uint32_t before, uint32_t code, const struct stop *here)
{
	if (code == ' ') {
		bool unit = (b->rules & BREAK_UNITS) && here->at + 1 < b->end &&
			    b->text[here->at + 1] == '%';
		if (before != ' ')
			*(unit ? &s->unit : &s->blank) = *here;
		s->split.set = false;
	} else if ((b->rules & BREAK_SCRIPTS) && before && before != ' ' && parts(before, code)) {
		s->blank = *here;
		s->split.set = false;
	} else if ((b->rules & BREAK_LONG_WORDS) && may_split(earlier, before, code)) {
		s->split = *here;
	}
}

bool text_break(struct text_breaker *b, struct text_line *line)
{
	assert(b->text);
	while (!ends(b, b->at) && b->text[b->at] == ' ')
		b->at++;
	if (ends(b, b->at))
		return false;
	const int width = b->width < 1 ? 1 : b->width;
	struct stops stops = { 0 };
	uint32_t earlier = 0, before = 0;
	size_t at = b->at, next;
	int cols = 0;
	for (; !ends(b, at); at = next) {
		next = at;
		uint32_t code = code_at(b, &next);
		struct stop here = { true, at, cols };
		if (code == '\n')
			return finish(b, before == ' ' ? &stops.blank : &here, next, line);
		if (code == ' ' && held(b, at))
			code = NO_BREAK_SPACE;
		note_stop(b, &stops, earlier, before, code, &here);
		int wide = glyph_cols(code, b->glyphs);
		if (code != ' ' && cols + wide > width && at > b->at) {
			struct stop end = choose(b, &stops, &here);
			if (end.at < at || !(b->rules & BREAK_NO_WORDS))
				return finish(b, &end, end.at, line);
		}
		cols += wide;
		earlier = before;
		before = code;
	}
	struct stop last = { true, at, cols };
	return finish(b, before == ' ' ? &stops.blank : &last, at, line);
}

int text_widest(const struct text_breaker *b, bool words)
{
	int most = 0, cols = 0;
	uint32_t before = 0;
	for (size_t at = b->at; !ends(b, at);) {
		size_t here = at;
		uint32_t code = code_at(b, &at);
		bool scripts = (b->rules & BREAK_SCRIPTS) && before && parts(before, code);
		if (code == '\n' || (words && ((code == ' ' && !held(b, here)) || scripts)))
			cols = 0;
		if (code != '\n' && (code != ' ' || cols > 0))
			cols += glyph_cols(code, b->glyphs);
		if (code != ' ' && cols > most)
			most = cols;
		before = code;
	}
	return most;
}

static struct text_breaker plain_text(const char *text, int width, enum glyphs glyphs)
{
	return (struct text_breaker){ .text = text,
		.end = SIZE_MAX,
		.width = width,
		.glyphs = glyphs,
		.rules = BREAK_UNITS };
}

bool text_wrap(const char **text, int width, enum glyphs glyphs, struct text_line *line)
{
	struct text_breaker b = plain_text(*text, width, glyphs);
	bool found = text_break(&b, line);
	*text += b.at;
	return found;
}

int text_lines(const char *text, int width, enum glyphs glyphs)
{
	struct text_breaker b = plain_text(text, width, glyphs);
	struct text_line line;
	int n = 0;
	while (text_break(&b, &line))
		n++;
	return n;
}

int text_longest_word(const char *text, enum glyphs glyphs)
{
	struct text_breaker b = plain_text(text, 0, glyphs);
	return text_widest(&b, true);
}
