/* What the locale, the environment and the options say about glyphs and colours, and why each was
 * chosen (`ridge info` prints it). */
#ifndef RIDGE_UI_TERM_ENVIRONMENT_H
#define RIDGE_UI_TERM_ENVIRONMENT_H

#include "ui/term/theme.h"

enum colour_choice { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
struct environment {
	enum glyphs glyphs;
	enum colour_depth depth; /* at most; the terminal may have fewer */
	enum background background;
	const char *why_glyphs, *why_depth, *why_background;
};

/* To be called after setlocale(LC_CTYPE, ""). braille: the user said that the font shows it. */
struct environment environment_read(enum colour_choice choice, bool braille);
/* The choice that "auto", "always" or "never" names; -1: it is another word. */
int colour_choice_read(const char *text);

#endif
