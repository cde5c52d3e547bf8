#include "ui/term/big_type.h"

#include "sims/base/array.h"

#include <string.h>

enum { HEIGHT = 5, WIDE = 5, GAP = 1 };

/* Rows of dots, the highest of `wide` bits on the left. */
static const struct letter {
	char symbol;
	unsigned char wide, rows[HEIGHT];
} font[] = {
	{ '0', WIDE, { 0x0e, 0x13, 0x15, 0x19, 0x0e } },
	{ '1', WIDE, { 0x04, 0x0c, 0x04, 0x04, 0x0e } },
	{ '2', WIDE, { 0x1e, 0x01, 0x0e, 0x10, 0x1f } },
	{ '3', WIDE, { 0x1e, 0x01, 0x0e, 0x01, 0x1e } },
	{ '4', WIDE, { 0x12, 0x12, 0x1f, 0x02, 0x02 } },
	{ '5', WIDE, { 0x1f, 0x10, 0x1e, 0x01, 0x1e } },
	{ '6', WIDE, { 0x0e, 0x10, 0x1e, 0x11, 0x0e } },
	{ '7', WIDE, { 0x1f, 0x01, 0x02, 0x04, 0x04 } },
	{ '8', WIDE, { 0x0e, 0x11, 0x0e, 0x11, 0x0e } },
	{ '9', WIDE, { 0x0e, 0x11, 0x0f, 0x01, 0x0e } },
	{ 'A', WIDE, { 0x0e, 0x11, 0x1f, 0x11, 0x11 } },
	{ 'B', WIDE, { 0x1e, 0x11, 0x1e, 0x11, 0x1e } },
	{ 'C', WIDE, { 0x0f, 0x10, 0x10, 0x10, 0x0f } },
	{ 'D', WIDE, { 0x1e, 0x11, 0x11, 0x11, 0x1e } },
	{ 'E', WIDE, { 0x1f, 0x10, 0x1e, 0x10, 0x1f } },
	{ 'F', WIDE, { 0x1f, 0x10, 0x1e, 0x10, 0x10 } },
	{ 'G', WIDE, { 0x0f, 0x10, 0x13, 0x11, 0x0f } },
	{ 'H', WIDE, { 0x11, 0x11, 0x1f, 0x11, 0x11 } },
	{ 'J', WIDE, { 0x07, 0x02, 0x02, 0x12, 0x0c } },
	{ 'K', WIDE, { 0x11, 0x12, 0x1c, 0x12, 0x11 } },
	{ 'M', WIDE, { 0x11, 0x1b, 0x15, 0x11, 0x11 } },
	{ 'N', WIDE, { 0x11, 0x19, 0x15, 0x13, 0x11 } },
	{ 'P', WIDE, { 0x1e, 0x11, 0x1e, 0x10, 0x10 } },
	{ 'Q', WIDE, { 0x0e, 0x11, 0x15, 0x12, 0x0d } },
	{ 'R', WIDE, { 0x1e, 0x11, 0x1e, 0x12, 0x11 } },
	{ 'S', WIDE, { 0x0f, 0x10, 0x0e, 0x01, 0x1e } },
	{ 'T', WIDE, { 0x1f, 0x04, 0x04, 0x04, 0x04 } },
	{ 'V', WIDE, { 0x11, 0x11, 0x11, 0x0a, 0x04 } },
	{ 'W', WIDE, { 0x11, 0x11, 0x15, 0x1b, 0x11 } },
	{ 'X', WIDE, { 0x11, 0x0a, 0x04, 0x0a, 0x11 } },
	{ 'Y', WIDE, { 0x11, 0x0a, 0x04, 0x04, 0x04 } },
	{ 'Z', WIDE, { 0x1f, 0x02, 0x04, 0x08, 0x1f } },
	{ '-', WIDE, { 0x00, 0x00, 0x0e, 0x00, 0x00 } },
	{ '.', 1, { 0x00, 0x00, 0x00, 0x00, 0x01 } },
	{ ',', 2, { 0x00, 0x00, 0x00, 0x01, 0x02 } },
	{ '+', 3, { 0x00, 0x02, 0x07, 0x02, 0x00 } },
	{ '%', WIDE, { 0x19, 0x1a, 0x04, 0x0b, 0x13 } },
	{ '$', WIDE, { 0x0e, 0x14, 0x0e, 0x05, 0x1e } },
	{ 'x', 3, { 0x00, 0x05, 0x02, 0x05, 0x00 } },
};

static const struct letter *letter_of(char symbol)
{
	for (size_t i = 0; i < LENGTH(font); i++)
		if (font[i].symbol == symbol)
			return &font[i];
	return NULL;
}

bool big_type_has(const char *text)
{
	for (; *text; text++)
		if (!letter_of(*text))
			return false;
	return true;
}

int big_type_cols(const char *text)
{
	int cols = 0;
	for (; *text; text++) {
		const struct letter *l = letter_of(*text);
		cols += (l ? l->wide : WIDE) + GAP;
	}
	return cols ? cols - GAP : 0;
}

static int rows_a_cell(enum glyphs glyphs)
{
	return glyphs == GLYPHS_ASCII ? 1 : 2;
}

int big_type_rows(enum glyphs glyphs)
{
	int step = rows_a_cell(glyphs);
	return (HEIGHT + step - 1) / step;
}

static bool dot(const struct letter *l, int row, int col)
{
	return row < HEIGHT && (l->rows[row] >> (l->wide - 1 - col) & 1);
}

static void draw_letter(
	struct canvas *cv, int row, int col, const struct letter *l, enum style style)
{
	static const uint32_t halves[] = { ' ', 0x2580, 0x2584, 0x2588 };
	bool ascii = cv->glyphs == GLYPHS_ASCII;
	int step = rows_a_cell(cv->glyphs), rows = big_type_rows(cv->glyphs);
	for (int y = 0; y < rows; y++)
		for (int x = 0; x < l->wide; x++) {
			int upper = dot(l, y * step, x);
			int lower = !ascii && dot(l, y * step + 1, x);
			canvas_put(cv, row + y, col + x,
				ascii ? (upper ? '#' : ' ') : halves[upper + 2 * lower], style, 0);
		}
}

int big_type_draw(struct canvas *cv, struct rect r, const char *text, enum style style)
{
	int rows = big_type_rows(cv->glyphs), col = r.col;
	if (rows > r.rows || big_type_cols(text) > r.cols || !big_type_has(text))
		return 0;
	for (; *text; text++) {
		const struct letter *l = letter_of(*text);
		draw_letter(cv, r.row, col, l, style);
		col += l->wide + GAP;
	}
	return rows;
}
