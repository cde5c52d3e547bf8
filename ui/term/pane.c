#include "ui/term/pane.h"

#include "sims/base/minmax.h"
#include "sims/base/utf8.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int at_least_0(int n)
{
	return max_int(n, 0);
}

struct pane pane_of(struct canvas *cv, struct rect r)
{
	assert(cv);
	r.rows = at_least_0(r.rows);
	r.cols = at_least_0(r.cols);
	return (struct pane){ cv, r };
}

struct pane pane_part(const struct pane *p, struct rect part)
{
	int top = min_int(at_least_0(part.row), p->r.rows);
	int left = min_int(at_least_0(part.col), p->r.cols);
	int rows = min_int(part.row + part.rows, p->r.rows) - top;
	int cols = min_int(part.col + part.cols, p->r.cols) - left;
	return pane_of(p->cv, (struct rect){ p->r.row + top, p->r.col + left, rows, cols });
}

void pane_put(const struct pane *p, int row, int col, uint32_t code, enum style s, unsigned attr)
{
	int width = code_width(code);
	if (row >= 0 && row < p->r.rows && col >= 0 && width > 0 && col + width <= p->r.cols)
		canvas_put(p->cv, p->r.row + row, p->r.col + col, code, s, attr);
}

int pane_text(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr)
{
	int room = p->r.cols - col;
	if (width >= 0 && width < room)
		room = width;
	if (row < 0 || row >= p->r.rows || col < 0 || room <= 0)
		return 0;
	return canvas_text(p->cv, p->r.row + row, p->r.col + col, room, text, s, attr);
}

int pane_fit(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr)
{
	int room = p->r.cols - col;
	if (width >= 0 && width < room)
		room = width;
	if (room <= 0 || text_cols(text, p->cv->glyphs) <= room)
		return pane_text(p, row, col, at_least_0(room), text, s, attr);
	int used = pane_text(p, row, col, room - 1, text, s, attr);
	pane_put(p, row, col + used, glyph_or(p->cv->glyphs, 0x2026, '~'), s, attr);
	return used + 1;
}

int pane_fit_right(const struct pane *p, int row, int col, int width, const char *text,
	enum style s, unsigned attr)
{
	int slack = width - text_cols(text, p->cv->glyphs);
	return pane_fit(p, row, slack > 0 ? col + slack : col, at_least_0(width), text, s, attr);
}

/* The bytes of the longest beginning of a text that ends where a clause does and fits; 0: none has
 * the length of a few words. */
static size_t clause_end(const char *text, int room, enum glyphs glyphs)
{
	enum { FEW_WORDS = 12 };
	char part[256];
	size_t end = 0, n = strcspn(text, ",:;");
	for (; n < sizeof part && text[n]; n += 1 + strcspn(text + n + 1, ",:;")) {
		snprintf(part, n + 1, "%s", text);
		int cols = text_cols(part, glyphs);
		if (cols > room)
			break;
		if (cols >= FEW_WORDS && text[n + 1] == ' ')
			end = n;
	}
	return end;
}

int pane_clause(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr)
{
	const int room = width >= 0 && width < p->r.cols - col ? width : p->r.cols - col;
	if (text_cols(text, p->cv->glyphs) > room && clause_end(text, room, p->cv->glyphs) == 0)
		return 0;
	return pane_words(p, row, col, width, text, s, attr);
}

int pane_words(const struct pane *p, int row, int col, int width, const char *text, enum style s,
	unsigned attr)
{
	const int room = width >= 0 && width < p->r.cols - col ? width : p->r.cols - col;
	struct text_line line;
	if (text_cols(text, p->cv->glyphs) <= room)
		return pane_text(p, row, col, at_least_0(room), text, s, attr);
	size_t clause = clause_end(text, room, p->cv->glyphs);
	if (clause > 0)
		return pane_printf(p, row, col, room, s, attr, "%.*s", (int)clause, text);
	const int most = room - 2; /* a blank and the ellipsis */
	if (most < 1 || !text_wrap(&text, most, p->cv->glyphs, &line) || line.cols > most)
		return 0;
	pane_line(p, row, col, &line, s, attr);
	pane_put(p, row, col + line.cols + 1, glyph_or(p->cv->glyphs, 0x2026, '~'), s, attr);
	return line.cols + 2;
}

int pane_printf(const struct pane *p, int row, int col, int width, enum style s, unsigned attr,
	const char *fmt, ...)
{
	char text[256];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	return pane_fit(p, row, col, width, text, s, attr);
}

void pane_line(const struct pane *p, int row, int col, const struct text_line *line, enum style s,
	unsigned attr)
{
	for (const char *at = line->start; at < line->start + line->bytes;) {
		char one[5];
		utf8_write(one, utf8_next(&at));
		col += pane_text(p, row, col, -1, one, s, attr);
	}
}

void pane_restyle(const struct pane *p, struct rect part, enum style s, unsigned attr)
{
	canvas_restyle(p->cv, pane_part(p, part).r, s, attr);
}

void pane_under(const struct pane *p, int row, int col, enum style under)
{
	if (pane_cell(p, row, col))
		canvas_under(p->cv, p->r.row + row, p->r.col + col, under);
}

const struct cell *pane_cell(const struct pane *p, int row, int col)
{
	int y = p->r.row + row, x = p->r.col + col;
	bool inside = row >= 0 && row < p->r.rows && col >= 0 && col < p->r.cols && y >= 0 &&
		      y < p->cv->rows && x >= 0 && x < p->cv->cols;
	return inside ? &p->cv->cells[y * p->cv->cols + x] : NULL;
}

bool pane_blank(const struct pane *p, int row, int col)
{
	const struct cell *c = pane_cell(p, row, col);
	return c && c->code == ' ';
}
