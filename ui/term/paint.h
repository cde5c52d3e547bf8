/* What to write to a terminal so that it shows a canvas, given what it shows already: the fewest
 * bytes, all in one buffer. Pure. Nearly all terminals understand ECMA-48. For the others the
 * caller says what to send instead (struct paint_words); they get cursor addressing, the attributes
 * that they have, and erasing to the end of a row.
 *
 * Blanks are erased on the terminal's own ground only, so that it does not matter whether erasing
 * takes on the present one (back colour erase). */
#ifndef RIDGE_UI_TERM_PAINT_H
#define RIDGE_UI_TERM_PAINT_H

#include "ui/term/canvas.h"
#include "ui/term/theme.h"

#include <stdbool.h>
#include <stddef.h>

enum { PAINT_COLOURS = 16, PAINT_WORD = 32 };
/* What a terminal outside ECMA-48 is sent; "": it cannot do that. */
struct paint_words {
	char plain[PAINT_WORD]; /* turns attributes and colours off */
	char bold[PAINT_WORD], underline[PAINT_WORD], reverse[PAINT_WORD];
	char colours[PAINT_COLOURS][PAINT_WORD]; /* of text; set after plain */
	char erase[PAINT_WORD];                  /* to the end of the row */
	bool moves_in_style;                     /* the cursor may move while attributes are on */
	/* Terminated; "" where size is too small. */
	void (*address)(char *buf, size_t size, int row, int col);
};

struct paint_caps {
	enum colour_depth depth;
	enum background background;
	unsigned attrs;                  /* ATTR_... that the terminal has */
	bool repeat;                     /* ECMA-48 REP: the last glyph n times more */
	bool blanks;                     /* ECH: n blanks without moving */
	bool last_cell;                  /* writing the last cell does not scroll */
	const struct paint_words *words; /* NULL: it understands ECMA-48 */
	int tabs;                        /* columns with a stop in every eighth; 0: nobody knows */
};

/* What the terminal is known to be set to. A zeroed one knows nothing. */
struct paint_state {
	bool known_position, known_style;
	int row, col;
	uint8_t style, attr, under;
};

struct paint_buffer {
	char *bytes;
	size_t n, room;
	bool failed; /* out of memory: what is in it is not to be written */
};

/* Appends to out what turns `was` into `now` (same size), and updates the state. */
void paint(const struct canvas *was, const struct canvas *now, const struct paint_caps *caps,
	struct paint_state *s, struct paint_buffer *out);

void paint_bytes(struct paint_buffer *out, const char *bytes, size_t n);
/* Moves the cursor to a cell, by the fewest bytes. */
void paint_move(struct paint_buffer *out, const struct paint_caps *caps, struct paint_state *s,
	int row, int col);
void paint_release(struct paint_buffer *out);

#endif
