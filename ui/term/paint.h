/* What to write to a terminal so that it shows a canvas, given what it shows already: the fewest
 * bytes, all in one buffer. Pure; for terminals that understand ECMA-48 (all of terminfo's that
 * have the usual cursor addressing). */
#ifndef RIDGE_UI_TERM_PAINT_H
#define RIDGE_UI_TERM_PAINT_H

#include "ui/term/canvas.h"
#include "ui/term/theme.h"

#include <stdbool.h>
#include <stddef.h>

struct paint_caps {
	enum colour_depth depth;
	enum background background;
	unsigned attrs; /* ATTR_... that the terminal has */
	bool repeat;    /* ECMA-48 REP: the last glyph n times more */
	bool blanks;    /* ECH: n blanks without moving */
	bool last_cell; /* writing the last cell does not scroll */
};

/* What the terminal is known to be set to. A zeroed one knows nothing. */
struct paint_state {
	bool known_position, known_style;
	int row, col;
	uint8_t style, attr;
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
void paint_move(struct paint_buffer *out, struct paint_state *s, int row, int col);
void paint_release(struct paint_buffer *out);

#endif
