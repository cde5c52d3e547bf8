/* Breaks UTF-8 text into lines that fit a width in columns. Pure; nothing is copied: a line is a
 * piece of the text. Widths are those of the glyphs that the canvas draws, so that "→", drawn as
 * "->" in ASCII, counts two columns there. */
#ifndef RIDGE_UI_TERM_TEXTWRAP_H
#define RIDGE_UI_TERM_TEXTWRAP_H

#include "ui/term/glyphs.h"

#include <stdbool.h>
#include <stddef.h>

struct text_line {
	const char *start;
	size_t bytes;
	int cols;
};

/* Takes the next line off *text: as many words as fit in `width` columns (less than 1 counts as 1),
 * without the blanks around the break. "84 %" stays together where it can. A word that is longer
 * than a line is broken inside; '\n' ends a line. A character wider than the width stands alone.
 * False at the end of the text. */
bool text_wrap(const char **text, int width, enum glyphs glyphs, struct text_line *line);

/* Lines that the text takes; 0 for an empty one. */
int text_lines(const char *text, int width, enum glyphs glyphs);

/* Columns of the longest word: the least width that breaks no word. */
int text_longest_word(const char *text, enum glyphs glyphs);

/* By itself text_break ends lines at blanks, at '\n', and inside a word that is longer than a line.
 * These rules change that; text_wrap has BREAK_UNITS alone. */
enum {
	BREAK_UNITS = 1,      /* the blank of "84 %" ends a line only where no other place does */
	BREAK_SCRIPTS = 2,    /* lines may end beside wide characters, after a long dash */
	BREAK_LONG_WORDS = 4, /* and after a hyphen or slash in a word longer than half a line */
	BREAK_NO_WORDS = 8    /* no word is broken for its length alone: its line is too long */
};

/* A text from which lines are taken. */
struct text_breaker {
	const char *text;
	size_t at, end; /* what is left of it, in bytes; it also ends at a 0 */
	int width;      /* of the next line; less than 1 counts as 1 */
	enum glyphs glyphs;
	unsigned rules; /* BREAK_... */
	/* Whether the blank at a byte holds together what stands around it; NULL: none does. */
	bool (*holds)(const void *context, size_t at);
	const void *context;
};

/* The next line, without the blanks at its ends. False at the end of the text. */
bool text_break(struct text_breaker *b, struct text_line *line);

/* Columns of the widest line when nothing is wrapped, or of the longest word (words). */
int text_widest(const struct text_breaker *b, bool words);

#endif
