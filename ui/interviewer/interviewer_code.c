#include "ui/interviewer/interviewer_code.h"

#include "sims/base/array.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <string.h>

enum { GLYPH = 5, CELL = GLYPH + 1 };

/* The symbols that codes are made of: five rows of five dots, the highest bit on the left, and the
 * word of the spelling alphabet. */
static const struct glyph {
	char symbol;
	unsigned char rows[GLYPH];
	const char *word;
} font[] = {
	{ '0', { 0x0e, 0x13, 0x15, 0x19, 0x0e }, "0" },
	{ '1', { 0x04, 0x0c, 0x04, 0x04, 0x0e }, "1" },
	{ '2', { 0x1e, 0x01, 0x0e, 0x10, 0x1f }, "2" },
	{ '3', { 0x1e, 0x01, 0x0e, 0x01, 0x1e }, "3" },
	{ '4', { 0x12, 0x12, 0x1f, 0x02, 0x02 }, "4" },
	{ '5', { 0x1f, 0x10, 0x1e, 0x01, 0x1e }, "5" },
	{ '6', { 0x0e, 0x10, 0x1e, 0x11, 0x0e }, "6" },
	{ '7', { 0x1f, 0x01, 0x02, 0x04, 0x04 }, "7" },
	{ '8', { 0x0e, 0x11, 0x0e, 0x11, 0x0e }, "8" },
	{ '9', { 0x0e, 0x11, 0x0f, 0x01, 0x0e }, "9" },
	{ 'A', { 0x0e, 0x11, 0x1f, 0x11, 0x11 }, "Alfa" },
	{ 'B', { 0x1e, 0x11, 0x1e, 0x11, 0x1e }, "Bravo" },
	{ 'C', { 0x0f, 0x10, 0x10, 0x10, 0x0f }, "Charlie" },
	{ 'D', { 0x1e, 0x11, 0x11, 0x11, 0x1e }, "Delta" },
	{ 'E', { 0x1f, 0x10, 0x1e, 0x10, 0x1f }, "Echo" },
	{ 'F', { 0x1f, 0x10, 0x1e, 0x10, 0x10 }, "Foxtrot" },
	{ 'G', { 0x0f, 0x10, 0x13, 0x11, 0x0f }, "Golf" },
	{ 'H', { 0x11, 0x11, 0x1f, 0x11, 0x11 }, "Hotel" },
	{ 'J', { 0x07, 0x02, 0x02, 0x12, 0x0c }, "Juliett" },
	{ 'K', { 0x11, 0x12, 0x1c, 0x12, 0x11 }, "Kilo" },
	{ 'M', { 0x11, 0x1b, 0x15, 0x11, 0x11 }, "Mike" },
	{ 'N', { 0x11, 0x19, 0x15, 0x13, 0x11 }, "November" },
	{ 'P', { 0x1e, 0x11, 0x1e, 0x10, 0x10 }, "Papa" },
	{ 'Q', { 0x0e, 0x11, 0x15, 0x12, 0x0d }, "Quebec" },
	{ 'R', { 0x1e, 0x11, 0x1e, 0x12, 0x11 }, "Romeo" },
	{ 'S', { 0x0f, 0x10, 0x0e, 0x01, 0x1e }, "Sierra" },
	{ 'T', { 0x1f, 0x04, 0x04, 0x04, 0x04 }, "Tango" },
	{ 'V', { 0x11, 0x11, 0x11, 0x0a, 0x04 }, "Victor" },
	{ 'W', { 0x11, 0x11, 0x15, 0x1b, 0x11 }, "Whiskey" },
	{ 'X', { 0x11, 0x0a, 0x04, 0x0a, 0x11 }, "X-ray" },
	{ 'Y', { 0x11, 0x0a, 0x04, 0x04, 0x04 }, "Yankee" },
	{ 'Z', { 0x1f, 0x02, 0x04, 0x08, 0x1f }, "Zulu" },
	{ '-', { 0x00, 0x00, 0x0e, 0x00, 0x00 }, "," },
};

static const struct glyph *glyph_of(char symbol)
{
	for (size_t i = 0; i < LENGTH(font); i++)
		if (font[i].symbol == symbol)
			return &font[i];
	return NULL;
}

static bool dot(const struct glyph *g, int row, int col)
{
	return row < GLYPH && (g->rows[row] >> (GLYPH - 1 - col) & 1);
}

/* Draws the code in dots, two rows of them in a row of cells where there are half blocks. Returns
 * the rows it took; 0 where it does not fit. */
static int draw_large(struct canvas *cv, struct rect r, const char *code)
{
	static const uint32_t halves[] = { ' ', 0x2580, 0x2584, 0x2588 };
	bool ascii = cv->glyphs == GLYPHS_ASCII;
	int step = ascii ? 1 : 2, rows = (GLYPH + step - 1) / step;
	if (rows > r.rows || (int)strlen(code) * CELL > r.cols)
		return 0;
	for (int i = 0; code[i]; i++) {
		const struct glyph *g = glyph_of(code[i]);
		for (int cell = 0; g && cell < rows * GLYPH; cell++) {
			int row = cell / GLYPH, col = cell % GLYPH, y = row * step;
			int upper = dot(g, y, col), lower = !ascii && dot(g, y + 1, col);
			canvas_put(cv, r.row + row, r.col + i * CELL + col,
				ascii ? (upper ? '#' : ' ') : halves[upper + 2 * lower],
				STYLE_ACCENT, 0);
		}
	}
	return rows;
}

static void spell(const char *code, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (; *code && used < size; code++) {
		const struct glyph *g = glyph_of(*code);
		used += (size_t)snprintf(text + used, size - used, "%s%s",
			used && *code != '-' ? " " : "", g ? g->word : "?");
	}
}

static int put(struct canvas *cv, struct rect *r, const char *text, enum style s, unsigned attr)
{
	int rows = paragraph_draw(cv, *r, text, s, attr);
	r->row += rows;
	r->rows -= rows;
	return rows;
}

static void skip(struct rect *r, int rows)
{
	rows = rows < r->rows ? rows : r->rows;
	r->row += rows;
	r->rows -= rows;
}

void interviewer_code_draw(const struct interviewer *v, struct canvas *cv, struct rect r)
{
	char command[200], text[400];
	bool roomy = r.rows >= 18;
	skip(&r, roomy);
	put(cv, &r, "The candidate types:", STYLE_PLAIN, 0);
	skip(&r, roomy);
	snprintf(text, sizeof text, "  %s", interviewer_command(v, command, sizeof command));
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_PLAIN, ATTR_BOLD);
	skip(&r, 2);
	if (r.rows >= GLYPH + 5)
		skip(&r, 1 + draw_large(cv, (struct rect){ r.row, r.col + 2, r.rows, r.cols - 2 },
				     v->request.code));
	if (v->request.code[0]) {
		char words[200];
		spell(v->request.code, words, sizeof words);
		snprintf(text, sizeof text,
			"Read out: %s. Small letters will do, hyphens may be left out.", words);
		put(cv, &r, text, STYLE_PLAIN, 0);
		skip(&r, roomy);
	}
	int minutes = (int)(v->session.limit_s / 60);
	snprintf(text, sizeof text, "%zu problems, mode %s%s", v->session.n,
		mode_names[v->session.mode], minutes ? "" : ".");
	if (minutes)
		snprintf(text + strlen(text), sizeof text - strlen(text), ", %d min.", minutes);
	put(cv, &r, text, STYLE_DIM, 0);
	put(cv, &r,
		"From here on this screen shows keys and hints: do not share it. Space starts the "
		"clock; n looks at the first page without.",
		STYLE_DIM, 0);
}
