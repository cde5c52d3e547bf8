/* The rows stand on a canvas that doubles its height when it is full. */
#include "ui/practice/sheet.h"

#include "ui/term/pane.h"
#include "ui/term/textwrap.h"
#include "ui/pages/page.h"
#include "ui/pages/page_draw.h"

#include <assert.h>
#include <string.h>

void sheet_init(struct sheet *s, int cols, enum glyphs glyphs)
{
	*s = (struct sheet){ 0 };
	canvas_init(&s->cv, 32, cols < 1 ? 1 : cols, glyphs);
}

void sheet_release(struct sheet *s)
{
	canvas_release(&s->cv);
	s->rows = 0;
}

/* False: there is no memory, and what is written from then on is not seen. */
static bool grow(struct sheet *s, int rows)
{
	struct canvas more;
	int height = s->cv.rows;
	if (rows <= height)
		return true;
	while (height && height < rows)
		height *= 2;
	if (!height || canvas_init_like(&more, &s->cv, height, s->cv.cols))
		return false;
	memcpy(more.cells, s->cv.cells,
		(size_t)s->cv.rows * (size_t)s->cv.cols * sizeof *more.cells);
	more.cursor_row = s->cv.cursor_row;
	more.cursor_col = s->cv.cursor_col;
	canvas_release(&s->cv);
	s->cv = more;
	return true;
}

int sheet_rows(struct sheet *s, int rows)
{
	int first = s->rows;
	assert(rows >= 0);
	if (grow(s, first + rows))
		s->rows += rows;
	return first;
}

static bool is_blank(const struct sheet *s, int row)
{
	for (int col = 0; col < s->cv.cols; col++)
		if (s->cv.cells[row * s->cv.cols + col].code != ' ')
			return false;
	return true;
}

void sheet_gap(struct sheet *s)
{
	if (s->rows > 0 && !is_blank(s, s->rows - 1))
		sheet_rows(s, 1);
}

void sheet_squeeze(struct sheet *s, int rows)
{
	const size_t cols = (size_t)s->cv.cols;
	int to = 0;
	for (int from = 0; from < s->rows; from++) {
		const int left = s->rows - from;
		if (to + left > rows && is_blank(s, from))
			continue;
		if (s->cv.cursor_row == from)
			s->cv.cursor_row = to;
		memmove(s->cv.cells + (size_t)to++ * cols, s->cv.cells + (size_t)from * cols,
			cols * sizeof *s->cv.cells);
	}
	s->rows = to;
}

void sheet_words(struct sheet *s, int row, int col, int cols, const char *text, enum style style,
	unsigned attr)
{
	const struct pane p = pane_of(&s->cv, (struct rect){ 0, 0, s->cv.rows, s->cv.cols });
	pane_words(&p, row, col, cols, text, style, attr);
}

void sheet_text(
	struct sheet *s, int indent, int hang, const char *text, enum style style, unsigned attr)
{
	struct text_line line;
	for (int n = 0; text_wrap(&text, s->cv.cols - indent - (n ? hang : 0), s->cv.glyphs, &line);
		n++) {
		char piece[1024];
		size_t bytes = line.bytes < sizeof piece - 1 ? line.bytes : sizeof piece - 1;
		memcpy(piece, line.start, bytes);
		piece[bytes] = '\0';
		int row = sheet_rows(s, 1);
		canvas_text(&s->cv, row, indent + (n ? hang : 0), -1, piece, style, attr);
	}
}

void sheet_markdown(struct sheet *s, int indent, const char *text)
{
	struct page p = { 0 };
	struct page_env env = { .ascii = s->cv.glyphs == GLYPHS_ASCII };
	int cols = s->cv.cols - indent;
	if (page_layout(&p, text, strlen(text), cols < 20 ? 20 : cols, &env) == 0) {
		int rows = (int)p.n_lines, row = sheet_rows(s, rows);
		page_draw(&s->cv, (struct rect){ row, indent, rows, cols }, &p, 0, NULL, -1, -1);
	}
	page_release(&p);
}

void sheet_show(const struct sheet *s, struct canvas *cv, struct rect r, int first)
{
	for (int row = 0; row < r.rows && first + row < s->rows; row++)
		for (int col = 0; col < r.cols && col < s->cv.cols; col++) {
			const struct cell *c = &s->cv.cells[(first + row) * s->cv.cols + col];
			if (c->code && (c->code != ' ' || c->attr))
				canvas_put(cv, r.row + row, r.col + col, c->code,
					(enum style)c->style, c->attr);
		}
	int row = s->cv.cursor_row - first;
	if (s->cv.cursor_row >= 0 && row >= 0 && row < r.rows) {
		cv->cursor_row = r.row + row;
		cv->cursor_col = r.col + s->cv.cursor_col;
	}
}
