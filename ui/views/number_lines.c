#include "ui/views/number_lines.h"

#include "sims/base/minmax.h"
#include "ui/views/parts.h"

enum { AXIS_ROWS = 2, FURTHEST = 3, MOST_COLS = 512 };

struct layout {
	int heading, names, notes; /* rows, columns, columns */
	int width;                 /* columns of a line */
	int pitch, axis;           /* rows from a line to the next, rows of the axis */
};

static int widest(const char *const names[], size_t n, enum glyphs glyphs)
{
	int most = 0;
	for (size_t i = 0; names && i < n; i++)
		most = max_int(most, text_cols(names[i], glyphs));
	return most;
}

static struct layout layout(const struct grid *g, int rows, int cols, enum glyphs glyphs)
{
	struct layout l = { .heading = heading_rows(g->title, NULL, cols, glyphs) };
	int lines = (int)g->rows;
	l.names = min_int(widest(g->row_names, g->rows, glyphs) + 1, cols / 3);
	l.notes = widest(g->row_notes, g->rows, glyphs) + 2;
	if (!g->row_notes || l.notes > cols / 3)
		l.notes = 0;
	l.width = min_int(max_int(1, cols - l.names - l.notes), MOST_COLS);
	if (rows < l.heading + lines)
		l.heading = 0;
	l.axis = rows >= l.heading + lines + AXIS_ROWS ? AXIS_ROWS : 0;
	l.pitch = max_int(1, min_int((rows - l.heading - l.axis) / max_int(1, lines), FURTHEST));
	return l;
}

/* The highest kind of the cells that a column stands for. */
static unsigned kind_at(const struct grid *g, const unsigned char *cells, int width, int col)
{
	size_t first = (size_t)col * g->cols / (size_t)width;
	size_t end = ((size_t)col + 1) * g->cols / (size_t)width;
	unsigned most = cells[first];
	for (size_t i = first + 1; i < end; i++)
		most = cells[i] > most ? cells[i] : most;
	return most;
}

/* Whether ticks touch here: nearly all columns around have one. */
static bool is_dense(const unsigned kinds[], int width, int col)
{
	int filled = 0, seen = 0;
	for (int i = max_int(0, col - 2); i <= min_int(width - 1, col + 2); i++, seen++)
		filled += kinds[i] > 0;
	return seen > 3 ? filled + 1 >= seen : filled == seen;
}

/* What a kind looks like on a line. */
struct sign {
	uint32_t code;
	enum style style;
};

static struct sign sign_of(const struct canvas *cv, const struct grid *g, unsigned kind, bool dense)
{
	struct fill fill = fill_of(cv, g->means, g->n_kinds, kind);
	if (kind + 1 == g->n_kinds)
		return (struct sign){ glyph_or(cv->glyphs, 0x25c6, '*'), fill.style };
	if (kind == 0)
		return (struct sign){ glyph_or(cv->glyphs, 0x2500, '-'), STYLE_DIM };
	if (kind > 1)
		return (struct sign){ glyph_or(cv->glyphs, 0x2550, '='), fill.style };
	/* A row of ticks without a gap would be the brightest thing on the screen. */
	return (struct sign){ glyph_or(cv->glyphs, 0x253c, '|'), dense ? fill.style : STYLE_PLAIN };
}

/* The signs and their names, behind the title where there is room. */
static void signs_draw(const struct pane *p, int row, int col, const struct grid *g)
{
	int cols = 0, n = (int)g->n_kinds;
	for (int i = 1; i < n; i++)
		cols += 3 + 2 + text_cols(g->kind_names[i], p->cv->glyphs);
	if (col + cols > p->r.cols)
		return;
	for (int i = 1; i < n; i++) {
		struct sign sign = sign_of(p->cv, g, (unsigned)i, false);
		col += 3;
		pane_put(p, row, col, sign.code, sign.style, 0);
		col += 2 + pane_text(p, row, col + 2, -1, g->kind_names[i], STYLE_DIM, 0);
	}
}

static void line_draw_at(const struct pane *p, int row, const struct grid *g,
	const struct layout *l, const unsigned char *cells, bool focus)
{
	unsigned kinds[MOST_COLS], last = (unsigned)g->n_kinds - 1;
	for (int i = 0; i < l->width; i++)
		kinds[i] = kind_at(g, cells, l->width, i);
	for (int i = 0; i < l->width; i++) {
		bool here = kinds[i] == last;
		struct sign sign =
			sign_of(p->cv, g, kinds[i], !here && is_dense(kinds, l->width, i));
		pane_put(
			p, row, l->names + i, sign.code, sign.style, here && focus ? ATTR_BOLD : 0);
	}
}

void number_lines_draw(const struct pane *p, const struct grid *g, size_t frame)
{
	struct layout l = layout(g, p->r.rows, p->r.cols, p->cv->glyphs);
	int row = l.heading;
	if (l.heading) {
		heading_draw(p, 0, g->title, NULL);
		signs_draw(p, 0, text_cols(g->title, p->cv->glyphs), g);
	}
	for (size_t i = 0; i < g->rows; i++, row += l.pitch) {
		bool focus = i == g->focus;
		enum style style = focus ? STYLE_ACCENT : STYLE_PLAIN;
		unsigned attr = focus ? ATTR_BOLD : 0;
		if (g->row_names && l.names > 1)
			pane_fit(p, row, 0, l.names - 1, g->row_names[i], style, attr);
		line_draw_at(p, row, g, &l, g->cells + (frame * g->rows + i) * g->cols, focus);
		if (l.notes)
			pane_text(p, row, l.names + l.width + 2, -1, g->row_notes[i],
				focus ? STYLE_ACCENT : STYLE_DIM, attr);
	}
	/* The axis follows its lines, with no more blank rows between than they have. */
	if (l.axis)
		scale_axis_draw(p, min_int(row, p->r.rows - AXIS_ROWS),
			&(struct scale){
				.lo = g->lo, .hi = g->hi, .col = l.names, .width = l.width },
			"");
}

int number_lines_rows(const struct grid *g, int cols)
{
	return heading_rows(g->title, NULL, cols, GLYPHS_LINES) + 2 * (int)g->rows + AXIS_ROWS;
}
