/* The colours: what each style looks like at a colour depth, on a dark and on a light background.
 * Pure. Plain text keeps the terminal's own foreground; every colour of text reaches a contrast of
 * 4.5:1 on black (dark) or on white (light), every part of a picture 3:1 (but tints, what is empty
 * and the lower levels of a ramp), and the series colours stay apart for the three kinds of colour
 * blindness. With few colours some styles share one: shape and word tell them apart. */
#ifndef RIDGE_UI_TERM_THEME_H
#define RIDGE_UI_TERM_THEME_H

#include "ui/term/canvas.h"

enum colour_depth { DEPTH_NONE, DEPTH_8, DEPTH_16, DEPTH_256, DEPTH_RGB, N_DEPTHS };
enum background { BACKGROUND_DARK, BACKGROUND_LIGHT, N_BACKGROUNDS };

struct colour {
	bool own;         /* the terminal's own foreground: no colour is set */
	bool bold, faint; /* attributes that belong to the style at this depth */
	bool underline;
	int index;             /* in the palette of 8, 16 or 256; -1 for 24 bit and own */
	unsigned char r, g, b; /* as xterm shows it (8 colours: bold is bright, as on consoles) */
};

/* How parts are told apart with so many colours. */
enum fills theme_fills(enum colour_depth depth);

struct colour theme_colour(enum style style, enum colour_depth depth, enum background background);

/* What stands for the terminal's own colours where there is no terminal, as 0xrrggbb. */
int theme_own_rgb(enum background background, bool ground);

/* Writes the SGR sequence that turns to this style and these attributes (ATTR_...), on the ground of
 * another style (STYLE_PLAIN: the terminal's own), from any other; terminated. Returns its bytes; 0
 * and an empty string where size is too small (64 is enough). */
int theme_sgr(char *buf, size_t size, enum style style, unsigned attr, enum style under,
	enum colour_depth depth, enum background background);

/* The colour of a style alone, of the text or of its ground, as parameters of SGR: "38;5;214;", "39;".
 * Returns its bytes. */
int theme_colour_sgr(char *buf, size_t size, enum style style, bool ground, enum colour_depth depth,
	enum background background);

#endif
