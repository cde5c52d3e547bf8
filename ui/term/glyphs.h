/* Which glyphs a terminal shows: how many columns a character takes, and what stands in for it
 * where there is only ASCII. */
#ifndef RIDGE_UI_TERM_GLYPHS_H
#define RIDGE_UI_TERM_GLYPHS_H

#include <stdint.h>

/* Which glyphs the terminal and its font are known to show. */
enum glyphs {
	GLYPHS_ASCII,
	GLYPHS_LINES,   /* line drawing, half blocks */
	GLYPHS_BRAILLE, /* and dots, two by four a cell */
	GLYPHS_OCTANTS  /* the same dots without gaps, which the terminal draws itself */
};
enum { N_GLYPHS = GLYPHS_OCTANTS + 1 };

/* "ascii", "lines", "braille", "octants", NULL: as options and files name them. */
extern const char *const glyph_names[];
/* -1: there are none of that name. */
int glyphs_named(const char *name);

/* A glyph, or what is drawn for it where there is only ASCII. */
static inline uint32_t glyph_or(enum glyphs glyphs, uint32_t code, uint32_t ascii)
{
	return glyphs == GLYPHS_ASCII ? ascii : code;
}

/* The ASCII that stands in for a code point ("x" for U+00D7, "->" for U+2192), or "?". */
const char *glyph_ascii(uint32_t code);

/* Columns of one code point as Unicode has it (never negative), and of a UTF-8 text. */
int code_width(uint32_t code);
int text_width(const char *text);

/* Columns of one code point, and of a text, as drawn with these glyphs. */
int glyph_cols(uint32_t code, enum glyphs glyphs);
int text_cols(const char *text, enum glyphs glyphs);

#endif
