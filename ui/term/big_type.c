#include "ui/term/big_type.h"

#include "sims/base/utf8.h"
#include "ui/term/big_fonts.h"

#include <string.h>

enum { GAP = 1, LINE_GAP = 1 }; /* dots between letters, and between lines */

static const struct big_font *font_of(enum type_size size)
{
	return size == TYPE_TEXT ? &font_text : &font_large;
}

/* Dots of the screen that a dot of the font is wide and high. */
static int zoom_of(enum type_size size)
{
	return size == TYPE_DOUBLE ? 2 : 1;
}

static const struct letter *letter_of(enum type_size size, uint32_t symbol)
{
	const struct big_font *f = font_of(size);
	for (size_t i = 0; i < f->n; i++)
		if (f->letters[i].symbol == symbol)
			return &f->letters[i];
	return NULL;
}

bool big_type_has(enum type_size size, const char *text)
{
	while (*text)
		if (!letter_of(size, utf8_next(&text)))
			return false;
	return true;
}

/* Columns of the first bytes of a text, the gap behind its last letter not counted. */
static int cols_of(enum type_size size, const char *text, size_t bytes)
{
	int dots = 0;
	for (const char *end = text + bytes; text < end;) {
		const struct letter *l = letter_of(size, utf8_next(&text));
		dots += (l ? l->wide : 0) + GAP;
	}
	return dots ? (dots - GAP) * zoom_of(size) : 0;
}

int big_type_cols(enum type_size size, const char *text)
{
	return cols_of(size, text, strlen(text));
}

static int rows_a_cell(enum glyphs glyphs)
{
	return glyphs == GLYPHS_ASCII ? 1 : 2;
}

static int cells_of(int dots, enum glyphs glyphs)
{
	int step = rows_a_cell(glyphs);
	return (dots + step - 1) / step;
}

int big_type_rows(enum type_size size, enum glyphs glyphs)
{
	return cells_of(font_of(size)->rows * zoom_of(size), glyphs);
}

/* --- Drawing --- */

/* Where a line of type begins: `dot` rows of dots below the top of the rectangle. */
struct spot {
	int row, col, dot;
	enum type_size size;
	enum style style;
};

static bool is_set(const struct letter *l, enum type_size size, int row, int col)
{
	int zoom = zoom_of(size), rows = font_of(size)->rows * zoom;
	return row >= 0 && row < rows && (l->rows[row / zoom] >> (l->wide - 1 - col / zoom) & 1);
}

/* Cells without a dot are left as they are: they may be those of the line above. */
static void draw_letter(struct canvas *cv, const struct spot *at, const struct letter *l)
{
	static const uint32_t halves[] = { 0, 0x2580, 0x2584, 0x2588 };
	bool ascii = cv->glyphs == GLYPHS_ASCII;
	int step = rows_a_cell(cv->glyphs), zoom = zoom_of(at->size);
	int first = at->dot / step;
	int last = (at->dot + font_of(at->size)->rows * zoom - 1) / step;
	for (int y = first; y <= last; y++)
		for (int x = 0; x < l->wide * zoom; x++) {
			int upper = is_set(l, at->size, y * step - at->dot, x);
			int lower = !ascii && is_set(l, at->size, y * step + 1 - at->dot, x);
			if (upper || lower)
				canvas_put(cv, at->row + y, at->col + x,
					ascii ? '#' : halves[upper + 2 * lower], at->style, 0);
		}
}

static void draw_letters(struct canvas *cv, struct spot at, const char *text, size_t bytes)
{
	int zoom = zoom_of(at.size);
	for (const char *end = text + bytes; text < end;) {
		const struct letter *l = letter_of(at.size, utf8_next(&text));
		if (!l)
			continue;
		draw_letter(cv, &at, l);
		at.col += (l->wide + GAP) * zoom;
	}
}

int big_type_draw(
	struct canvas *cv, struct rect r, enum type_size size, const char *text, enum style style)
{
	int rows = big_type_rows(size, cv->glyphs);
	bool readable = size != TYPE_TEXT || cv->glyphs != GLYPHS_ASCII;
	if (rows > r.rows || big_type_cols(size, text) > r.cols || !big_type_has(size, text) ||
		!readable)
		return 0;
	draw_letters(cv, (struct spot){ r.row, r.col, 0, size, style }, text, strlen(text));
	return rows;
}

/* --- In lines --- */

/* Who draws the letters: this module of blocks, or the terminal, each in a square of cells. */
enum drawn_by { DRAWN_HERE, DRAWN_THERE };
enum { SCALE = 3 }; /* as high as a line of blocks */

static int line_cols(enum drawn_by by, const char *text, size_t bytes)
{
	int chars = 0;
	if (by == DRAWN_HERE)
		return cols_of(TYPE_TEXT, text, bytes);
	for (const char *end = text + bytes; text < end; chars++)
		utf8_next(&text);
	return SCALE * chars;
}

struct line {
	const char *start;
	size_t bytes;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The end of the next piece that no line parts: a word, or a number with the word behind it. */
static const char *piece_end(const char *text)
{
	const char *end = text + strcspn(text, " ");
	if (end > text && is_digit(end[-1]) && *end == ' ' && end[1])
		end += 1 + strcspn(end + 1, " ");
	return end;
}

/* Takes as many pieces off *text as fit. False at its end, or where not even one fits. */
static bool next_line(enum drawn_by by, const char **text, int cols, struct line *line)
{
	const char *start = *text + strspn(*text, " ");
	const char *end = start;
	*line = (struct line){ start, 0 };
	for (const char *at = start; *at;) {
		const char *next = piece_end(at);
		if (line_cols(by, start, (size_t)(next - start)) > cols)
			break;
		end = next;
		at = next + strspn(next, " ");
	}
	line->bytes = (size_t)(end - start);
	*text = end;
	return end > start;
}

static int lines_of(enum drawn_by by, const char *text, int cols)
{
	struct line line;
	int lines = 0;
	while (next_line(by, &text, cols, &line))
		lines++;
	return text[strspn(text, " ")] ? 0 : lines;
}

int big_text_lines(const char *text, int cols)
{
	return big_type_has(TYPE_TEXT, text) ? lines_of(DRAWN_HERE, text, cols) : 0;
}

int big_text_rows(int lines)
{
	int dots = lines * (font_text.rows + LINE_GAP) - LINE_GAP;
	return lines ? cells_of(dots, GLYPHS_LINES) : 0;
}

/* The least width in which a text has no more lines than these; 0: it has more in `cols` already. */
static int even_cols(enum drawn_by by, const char *text, int lines, int cols)
{
	int n = lines_of(by, text, cols);
	if (n == 0 || n > lines)
		return 0;
	for (; cols > 1; cols--) {
		n = lines_of(by, text, cols - 1);
		if (n == 0 || n > lines)
			break;
	}
	return cols;
}

/* In the lines that the blocks would take. False, and nothing is drawn, where that cannot be. */
static bool draw_there(
	struct canvas *cv, struct rect r, const char *text, int lines, enum style style)
{
	struct line line;
	int cols = cv->scales ? even_cols(DRAWN_THERE, text, lines, r.cols) : 0;
	if (cols == 0 || SCALE * lines > r.rows)
		return false;
	const int before = cv->n_scaled;
	for (int row = r.row; next_line(DRAWN_THERE, &text, cols, &line); row += SCALE)
		if (!canvas_scaled(cv, row, r.col, SCALE, line.start, line.bytes, style)) {
			canvas_fill(cv, (struct rect){ r.row, r.col, row - r.row, r.cols }, ' ',
				STYLE_PLAIN, 0);
			cv->n_scaled = before;
			return false;
		}
	return true;
}

int big_text_draw(struct canvas *cv, struct rect r, const char *text, enum style style)
{
	struct line line;
	int lines = big_text_lines(text, r.cols), rows = big_text_rows(lines);
	if (!lines || rows > r.rows || cv->glyphs == GLYPHS_ASCII)
		return 0;
	if (draw_there(cv, r, text, lines, style))
		return rows;
	int cols = even_cols(DRAWN_HERE, text, lines, r.cols);
	struct spot at = { r.row, r.col, 0, TYPE_TEXT, style };
	for (; next_line(DRAWN_HERE, &text, cols, &line); at.dot += font_text.rows + LINE_GAP)
		draw_letters(cv, at, line.start, line.bytes);
	return rows;
}
