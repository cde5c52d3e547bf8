/* A box is cleared first, edge and room included, and only then drawn: what stood there cannot be
 * seen through it. */
#include "ui/term/overlay.h"

#include "sims/base/minmax.h"

#include <stdbool.h>

static struct cell *cell_at(const struct canvas *cv, int row, int col)
{
	return row < 0 || row >= cv->rows || col < 0 || col >= cv->cols
		       ? NULL
		       : &cv->cells[row * cv->cols + col];
}

/* Blocks, reversed blanks and tints are parts of a picture, and louder in grey than the words around them: they go. */
static void dim_cell(struct cell *c)
{
	enum { BLOCKS = 0x2580, SHADES = 0x259f };
	const bool block = c->code >= BLOCKS && c->code <= SHADES;
	if (block || c->style >= STYLE_TINT)
		c->code = ' ';
	c->attr = 0;
	c->style = STYLE_DIM;
	c->under = STYLE_PLAIN;
}

void overlay_dim(struct canvas *cv, struct rect behind, int spared)
{
	for (int row = behind.row; row < behind.row + behind.rows; row++)
		for (int col = behind.col; col < behind.col + behind.cols; col++) {
			struct cell *c = cell_at(cv, row, col);
			if (!c || row == spared)
				continue;
			dim_cell(c);
		}
}

/* Text, in which a cut would show: not the lines and fills of a picture. */
static bool is_of_a_word(const struct canvas *cv, int row, int col)
{
	const struct cell *c = cell_at(cv, row, col);
	return c && c->code != ' ' && (c->code < 0x2300 || c->code > 0x28ff);
}

static void clear_word(struct canvas *cv, int row, int col, int by)
{
	for (; is_of_a_word(cv, row, col); col += by)
		canvas_put(cv, row, col, ' ', STYLE_PLAIN, 0);
}

static void draw_edge(struct canvas *cv, struct rect box)
{
	const int last_row = box.row + box.rows - 1, last_col = box.col + box.cols - 1;
	canvas_rule(cv, box.row, box.col, box.cols, STYLE_ACCENT);
	canvas_rule(cv, last_row, box.col, box.cols, STYLE_ACCENT);
	for (int row = box.row + 1; row < last_row; row++) {
		canvas_put(cv, row, box.col, glyph_or(cv->glyphs, 0x2502, '|'), STYLE_ACCENT, 0);
		canvas_put(cv, row, last_col, glyph_or(cv->glyphs, 0x2502, '|'), STYLE_ACCENT, 0);
	}
	canvas_put(cv, box.row, box.col, glyph_or(cv->glyphs, 0x256d, '+'), STYLE_ACCENT, 0);
	canvas_put(cv, box.row, last_col, glyph_or(cv->glyphs, 0x256e, '+'), STYLE_ACCENT, 0);
	canvas_put(cv, last_row, box.col, glyph_or(cv->glyphs, 0x2570, '+'), STYLE_ACCENT, 0);
	canvas_put(cv, last_row, last_col, glyph_or(cv->glyphs, 0x256f, '+'), STYLE_ACCENT, 0);
}

struct rect overlay_box(struct canvas *cv, struct rect box, const char *title)
{
	const struct rect room = { box.row, box.col - OVERLAY_ROOM, box.rows,
		box.cols + 2 * OVERLAY_ROOM };
	const int inset = OVERLAY_EDGE + OVERLAY_ROOM, text = box.cols - 2 * inset;
	for (int row = room.row; row < room.row + room.rows; row++) {
		if (is_of_a_word(cv, row, room.col))
			clear_word(cv, row, room.col - 1, -1);
		if (is_of_a_word(cv, row, room.col + room.cols - 1))
			clear_word(cv, row, room.col + room.cols, 1);
	}
	canvas_fill(cv, room, ' ', STYLE_PLAIN, 0);
	draw_edge(cv, box);
	if (*title) {
		canvas_put(cv, box.row, box.col + inset - 1, ' ', STYLE_PLAIN, 0);
		int used = canvas_text(cv, box.row, box.col + inset, max_int(text, 0), title,
			STYLE_ACCENT, ATTR_BOLD);
		canvas_put(cv, box.row, box.col + inset + used, ' ', STYLE_PLAIN, 0);
	}
	return (struct rect){ box.row + OVERLAY_EDGE, box.col + inset,
		max_int(box.rows - 2 * OVERLAY_EDGE, 0), max_int(text, 0) };
}

int overlay_spot(const struct canvas *cv, struct rect part)
{
	const bool ascii = cv->glyphs == GLYPHS_ASCII;
	const uint32_t entry = ascii ? '>' : 0x25b8, knob = ascii ? '<' : 0x2039;
	for (int row = part.row; row < part.row + part.rows; row++)
		for (int col = part.col; col < part.col + part.cols; col++) {
			const struct cell *c = cell_at(cv, row, col);
			if (c && c->style == STYLE_ACCENT && c->attr & ATTR_BOLD &&
				(c->code == entry || c->code == knob))
				return row;
		}
	return -1;
}

struct rect overlay_place(struct rect part, int rows, int cols, int spared)
{
	const int above = spared - part.row, below = part.row + part.rows - spared - 1;
	struct rect box = { part.row, part.col + (part.cols - cols) / 2, min_int(rows, part.rows),
		cols };
	if (spared < part.row || below < 0 || above >= rows)
		return box;
	if (below >= above) {
		box.row = spared + 1;
		box.rows = min_int(rows, below);
	} else {
		box.rows = min_int(rows, above);
	}
	return box;
}
