/* The screen in memory: cells of a code point and a style. Views draw in it, the terminal shows
 * it, `ridge frame` and the tests print it. Drawing outside is clipped, so no view checks sizes. */
#ifndef RIDGE_UI_TERM_CANVAS_H
#define RIDGE_UI_TERM_CANVAS_H

#include "sims/figure/figure.h"
#include "ui/term/glyphs.h"

#include <stdint.h>
#include <stdio.h>

/* What a cell means; ui/term/theme.c knows its colour. The first six are enum role, and from
 * STYLE_SERIES on stand the meanings of a figure's parts, in the order of enum meaning. Tints are
 * grounds: paler than text may be. */
enum style {
	STYLE_PLAIN = ROLE_PLAIN,
	STYLE_DIM = ROLE_DIM,
	STYLE_GOOD = ROLE_GOOD,
	STYLE_WARN = ROLE_WARN,
	STYLE_BAD = ROLE_BAD,
	STYLE_ACCENT = ROLE_ACCENT,
	STYLE_SERIES, /* STYLE_SERIES + 0..7 */
	STYLE_LEVEL = STYLE_SERIES + MEANS_LEVEL,
	STYLE_GREY = STYLE_SERIES + MEANS_GREY,
	STYLE_CODE = STYLE_SERIES + N_MEANINGS,
	STYLE_LINK,
	STYLE_TINT, /* + a meaning: under a part or an area whose colour is that of the meaning */
	N_STYLES = STYLE_TINT + MEANS_LEVEL /* kinds and meanings have tints */
};
enum {
	ATTR_BOLD = 1,
	ATTR_ITALIC = 2,
	ATTR_UNDERLINE = 4,
	ATTR_REVERSE = 8,
	ATTR_DOTTED = 16 /* a dotted underline; a plain one where the terminal has no other */
};

/* The style of a figure's role, of a meaning, and the tint that goes with a meaning (levels and
 * greys have none: the ground). */
enum style role_style(enum role role);
enum style meaning_style(enum meaning meaning);
enum style meaning_tint(enum meaning meaning);

/* One place on the screen. Code 0: the right half of the wide character in the cell before. `under` is the style whose colour is the ground of
 * the cell; STYLE_PLAIN: the terminal's own. */
struct cell {
	uint32_t code;
	uint8_t style, attr, under;
};

/* How the parts of a picture are told apart: by texture (fewer than 16 colours, and text), by solid
 * colours, or by these and tints of them. */
enum fills { FILLS_TEXTURED, FILLS_SOLID, FILLS_TINTED };

struct rect {
	int row, col, rows, cols;
};

/* An axis that was drawn as the slider of a knob, for the mouse: lo stands on its first column, hi on
 * its last one. */
struct slider {
	const char *knob; /* its id, which lives as long as what was drawn; NULL: none was */
	int row, col, cols;
	bool logarithmic;
	double lo, hi;
};

/* The rows of tables that turn knobs, where they were drawn, for the mouse. */
enum { MOST_TURNED = 32 };
struct turned_row {
	const char *knob; /* its id, which lives as long as what was drawn */
	struct rect r;
};

/* A line of text that the terminal itself draws larger, each character in a square of `scale` cells
 * by `scale`; the first one's is at (row, col). */
enum { MOST_SCALED = 16, SCALED_BYTES = 160, LARGEST_SCALE = 7 };
struct scaled_text {
	int row, col, scale, chars;
	enum style style;
	char text[SCALED_BYTES];
};
/* What stands in the cells of scaled text: no character. */
enum { SCALED_CELL = 0x110000 };

struct canvas {
	int rows, cols;
	enum glyphs glyphs;
	enum fills fills;
	/* Drawn for people at the back of a room: pictures and tables grow into all the rows that
	 * they are given. */
	bool grows;
	bool scales;                /* the terminal draws scaled text */
	struct cell *cells;         /* [row * cols + col] */
	int cursor_row, cursor_col; /* where the terminal's cursor shows; row -1: hidden */
	struct slider slider;
	struct turned_row turned[MOST_TURNED];
	int n_turned;
	struct scaled_text scaled[MOST_SCALED];
	int n_scaled;
	bool starved; /* a part of what was drawn had no memory: what is written of it is not the whole */
};

/* Textured. 0, or -1 when out of memory (the canvas is then 0 x 0). */
int canvas_init(struct canvas *cv, int rows, int cols, enum glyphs glyphs);
/* With the glyphs and fills of another one, to be copied to it, which scaled text cannot be. */
int canvas_init_like(struct canvas *cv, const struct canvas *like, int rows, int cols);
void canvas_release(struct canvas *cv);
void canvas_clear(struct canvas *cv);

/* Says in a part's room that there was no memory to draw it. */
void canvas_starve(struct canvas *cv, struct rect r);

/* Puts one code point in a cell; nothing where that lies outside. A wide one takes the next cell as
 * well, and is a blank where that one lies outside. */
void canvas_put(struct canvas *cv, int row, int col, uint32_t code, enum style s, unsigned attr);

/* Sets the ground of a cell that is there already; clipped. (What is put in a cell stands on the
 * terminal's own ground.) */
void canvas_under(struct canvas *cv, int row, int col, enum style under);

/* Writes UTF-8 text from (row, col) on, cut after `width` columns (negative: at the canvas's edge),
 * before a wide character that would need one more. Each byte that belongs to no character, and
 * each control character, shows as U+FFFD; with ASCII glyphs, what is beyond ASCII shows as
 * glyph_ascii has it. Returns the columns that the text takes, cells outside the canvas
 * included. */
int canvas_text(struct canvas *cv, int row, int col, int width, const char *text, enum style s,
	unsigned attr);
int canvas_printf(struct canvas *cv, int row, int col, int width, enum style s, unsigned attr,
	const char *fmt, ...) __attribute__((format(printf, 7, 8)));
/* The same, but a text shorter than `width` stands at the right end of those columns. */
int canvas_text_right(struct canvas *cv, int row, int col, int width, const char *text,
	enum style s, unsigned attr);

/* Copies a part of another canvas to (row, col). Where an edge of the part cuts a wide character in
 * two, a blank takes its place. */
void canvas_copy(struct canvas *cv, int row, int col, const struct canvas *from, struct rect part);

/* Puts the first bytes of a text, larger. False, and nothing is drawn: the terminal does not scale, a
 * character is not one column wide, it does not lie within the canvas, or there is too much. */
bool canvas_scaled(struct canvas *cv, int row, int col, int scale, const char *text, size_t bytes,
	enum style s);
/* Whether nothing was drawn over it since. */
bool canvas_shows_scaled(const struct canvas *cv, const struct scaled_text *t);

void canvas_fill(struct canvas *cv, struct rect r, uint32_t code, enum style s, unsigned attr);
/* Gives what stands in a rectangle another style, and adds attributes to those it has. */
void canvas_restyle(struct canvas *cv, struct rect r, enum style s, unsigned attr);
/* A rule: U+2500 or '-'; and a vertical one, U+2502 or '|'. */
void canvas_rule(struct canvas *cv, int row, int col, int width, enum style s);
void canvas_bar(struct canvas *cv, int row, int col, int height, enum style s);

/* The canvas as lines of text without trailing blanks. */
void canvas_write_text(const struct canvas *cv, FILE *out);

#endif
