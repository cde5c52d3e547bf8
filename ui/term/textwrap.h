/* Breaks UTF-8 text into lines that fit a width in columns. Pure; nothing is copied: a line is a
 * piece of the text. Widths are those of the glyphs that the canvas draws, so that "→", drawn as
 * "->" in ASCII, counts two columns there. */
#ifndef RIDGE_UI_TERM_TEXTWRAP_H
#define RIDGE_UI_TERM_TEXTWRAP_H

#include "ui/term/canvas.h"

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

/* Columns of a text, and of one code point, as drawn with these glyphs. */
int text_cols(const char *text, enum glyphs glyphs);
int glyph_cols(uint32_t code, enum glyphs glyphs);

/* Columns of the longest word: the least width that breaks no word. */
int text_longest_word(const char *text, enum glyphs glyphs);

#endif
