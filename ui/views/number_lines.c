#include "ui/views/number_lines.h"

#include "sims/base/minmax.h"
#include "ui/views/parts.h"

#include <math.h>

enum { AXIS_ROWS = 2, FURTHEST = 3, FURTHEST_GROWN = 7, MOST_COLS = 512 };

struct layout {
	int heading, names, notes; /* rows, columns, columns */
	int signs, wanted;         /* rows of the legend and of the number that is wanted */
	int width;                 /* columns of a line */
	int pitch, axis;           /* rows from a line to the next, rows of the axis */
	int below;                 /* rows more below the line in focus, for what it has */
};

static int widest(const char *const names[], size_t n, enum glyphs glyphs)
{
	int most = 0;
	for (size_t i = 0; names && i < n; i++)
		most = max_int(most, text_cols(names[i], glyphs));
	return most;
}

/* The signs and their names, each after three blanks. */
static int signs_cols(const struct grid *g, enum glyphs glyphs)
{
	int cols = 0;
	for (size_t i = 1; i < g->n_kinds; i++)
		cols += 3 + 2 + text_cols(g->kind_names[i], glyphs);
	return cols;
}

/* They stand beside the title, or where they do not fit there in a row of their own. */
static bool signs_need_row(const struct grid *g, int cols, enum glyphs glyphs)
{
	int signs = signs_cols(g, glyphs);
	return text_cols(g->title, glyphs) + signs > cols && signs - 3 <= cols;
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

/* Whether the numbers of a line are all as many columns apart, but for so many of them. Numbers in every column are no
 * sight of how far they are apart, nor are two. What is kept is one of them, unless it lies beside them (kept false). */
static bool evenly_apart(const struct grid *g, size_t row, int width, int odd, bool kept)
{
	const unsigned char *cells = g->cells + row * g->cols;
	int last = -1, least = width, most = 0, at_least = 0, at_most = 0;
	for (int col = 0; col < width; col++) {
		const unsigned kind = kind_at(g, cells, width, col);
		if (kind == 0 || (kind + 1 == g->n_kinds && !kept))
			continue;
		const int apart = last < 0 ? 0 : col - last;
		last = col;
		if (apart == 0)
			continue;
		at_least = apart < least ? 1 : at_least + (apart == least);
		at_most = apart > most ? 1 : at_most + (apart == most);
		least = min_int(least, apart);
		most = max_int(most, apart);
	}
	return least <= 1 || least >= most ||
	       (most == least + 1 && min_int(at_least, at_most) <= odd);
}

/* The column of a line of so many in which a number's cell is. */
static int col_of(const struct grid *g, int width, double x)
{
	double cells = (double)g->cols, cell = floor((x - g->lo) / (g->hi - g->lo) * cells);
	size_t k = (size_t)fmin(fmax(cell, 0), cells - 1);
	int col = 0;
	while (col + 1 < width && ((size_t)col + 1) * g->cols / (size_t)width <= k)
		col++;
	return col;
}

/* Whether what the line in focus keeps stands in the column of the number that is wanted. */
static bool meets_rule(const struct grid *g, int width)
{
	return kind_at(g, g->cells + g->focus * g->cols, width, col_of(g, width, g->wanted)) + 1 ==
	       g->n_kinds;
}

/* Numbers that are evenly apart look so, where that costs the lines no more than a quarter of their columns: on all
 * of them, or all but for one number, which has the rest that is left of places in cells. What is kept stays as
 * clear of the rule as it was. */
static int even_width(const struct grid *g, int width)
{
	const int step = 1 + (int)(g->cols % 2); /* the middle cell stays in the middle column */
	const bool meets = meets_rule(g, width);
	for (int odd = 0; odd <= 1; odd++)
		for (int less = 0; 4 * less <= width; less += step) {
			bool even = meets_rule(g, width - less) == meets;
			for (size_t row = 0; row < g->rows && even; row++)
				even = evenly_apart(g, row, width - less, odd, true) ||
				       evenly_apart(g, row, width - less, odd, false);
			if (even)
				return width - less;
		}
	return width;
}

static struct layout layout(const struct grid *g, int rows, int cols, const struct canvas *cv)
{
	enum glyphs glyphs = cv->glyphs;
	struct layout l = { .heading = heading_rows(g->title, NULL, cols, glyphs) };
	int lines = (int)g->rows;
	l.names = min_int(widest(g->row_names, g->rows, glyphs) + 1, cols / 3);
	l.notes = widest(g->row_notes, g->rows, glyphs) + 2;
	if (!g->row_notes || l.notes > cols / 3)
		l.notes = 0;
	l.width = min_int(max_int(1, cols - l.names - l.notes), MOST_COLS);
	/* What stands in the middle cell stands in the middle column, not on the edge of two. */
	if (g->cols % 2 && l.width % 2 == 0)
		l.width--;
	l.width = even_width(g, l.width);
	if (rows < l.heading + lines)
		l.heading = 0;
	l.wanted = g->wanted_text && g->wanted >= g->lo && g->wanted <= g->hi &&
		   rows >= l.heading + lines + 1;
	l.axis = rows >= l.heading + l.wanted + lines + AXIS_ROWS ? AXIS_ROWS : 0;
	int used = l.heading + l.wanted + l.axis;
	l.signs = l.heading > 0 && signs_need_row(g, cols, glyphs) && rows >= used + 1 + lines;
	/* The last line needs no blank row after it. */
	int room = rows - used - l.signs - 1;
	const int furthest = cv->grows ? max_int(FURTHEST_GROWN, rows / 6) : FURTHEST;
	l.pitch = max_int(1, min_int(room / max_int(1, lines - 1), furthest));
	l.below = l.wanted && l.pitch == 1 && rows > used + l.signs + lines;
	return l;
}

/* The row of a line, from that of the first one. */
static int row_of(const struct grid *g, const struct layout *l, size_t line)
{
	return (int)line * l->pitch + (line > g->focus ? l->below : 0);
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

/* The signs and their names, behind the title or in a row of their own. */
static void signs_draw(const struct pane *p, int row, int col, const struct grid *g)
{
	int n = (int)g->n_kinds;
	if (col + signs_cols(g, p->cv->glyphs) > p->r.cols + 3 * (col == 0))
		return;
	col -= 3 * (col == 0);
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

/* The rule at the wanted number, from its text down to the last line, but not over what a line has
 * there. */
static void wanted_draw(
	const struct pane *p, int row, const struct grid *g, const struct layout *l, size_t frame)
{
	int col = col_of(g, l->width, g->wanted), rows = row_of(g, l, g->rows - 1) + 1;
	int width = text_cols(g->wanted_text, p->cv->glyphs);
	int from = max_int(0, min_int(l->names + col - width / 2, p->r.cols - width));
	unsigned last = (unsigned)g->n_kinds - 1;
	pane_text(p, row, from, width, g->wanted_text, STYLE_PLAIN, ATTR_BOLD);
	for (int i = 0; i < rows; i++)
		pane_put(
			p, row + 1 + i, l->names + col, glyph_limit(p->cv->glyphs), STYLE_PLAIN, 0);
	for (size_t i = 0; i < g->rows; i++) {
		const unsigned char *cells = g->cells + (frame * g->rows + i) * g->cols;
		if (kind_at(g, cells, l->width, col) == last)
			pane_put(p, row + 1 + row_of(g, l, i), l->names + col,
				sign_of(p->cv, g, last, false).code,
				sign_of(p->cv, g, last, false).style,
				i == g->focus ? ATTR_BOLD : 0);
	}
}

/* What the row in focus has, under its mark. */
static void kept_draw(
	const struct pane *p, int row, const struct grid *g, const struct layout *l, size_t frame)
{
	const unsigned char *cells = g->cells + (frame * g->rows + g->focus) * g->cols;
	int width = text_cols(g->kept_text, p->cv->glyphs);
	for (int col = 0; col < l->width; col++)
		if (kind_at(g, cells, l->width, col) + 1 == g->n_kinds) {
			bool right = col + 2 + width <= l->width;
			pane_text(p, row, l->names + (right ? col + 2 : col - 1 - width), width,
				g->kept_text, STYLE_ACCENT, ATTR_BOLD);
			return;
		}
}

void number_lines_draw(const struct pane *p, const struct grid *g, size_t frame)
{
	struct layout l = layout(g, p->r.rows, p->r.cols, p->cv);
	int first = l.heading + l.signs + l.wanted;
	if (l.heading) {
		heading_draw(p, 0, g->title, NULL);
		signs_draw(p, l.signs ? l.heading : 0,
			l.signs ? 0 : text_cols(g->title, p->cv->glyphs), g);
	}
	for (size_t i = 0; i < g->rows; i++) {
		bool focus = i == g->focus;
		int row = first + row_of(g, &l, i);
		enum style style = focus ? STYLE_ACCENT : STYLE_PLAIN;
		unsigned attr = focus ? ATTR_BOLD : 0;
		if (g->row_names && l.names > 1)
			pane_fit(p, row, 0, l.names - 1, g->row_names[i], style, attr);
		line_draw_at(p, row, g, &l, g->cells + (frame * g->rows + i) * g->cols, focus);
		if (l.notes)
			pane_text(p, row, l.names + l.width + 2, -1, g->row_notes[i],
				focus ? STYLE_ACCENT : STYLE_DIM, attr);
	}
	if (l.wanted)
		wanted_draw(p, first - 1, g, &l, frame);
	/* The axis follows its lines, with no more blank rows between than they have. */
	int axis = min_int(first + row_of(g, &l, g->rows), p->r.rows - l.axis);
	int below = first + row_of(g, &l, g->focus) + 1;
	if (l.wanted && g->kept_text && l.pitch + l.below > 1 && below < axis)
		kept_draw(p, below, g, &l, frame);
	if (l.axis)
		scale_axis_draw(p, axis,
			&(struct scale){ .lo = g->lo,
				.hi = g->hi,
				.col = l.names,
				.width = l.width,
				.of_cells = true },
			"");
}

int number_lines_rows(const struct grid *g, int cols)
{
	return heading_rows(g->title, NULL, cols, GLYPHS_LINES) +
	       signs_need_row(g, cols, GLYPHS_LINES) + (g->wanted_text != NULL) +
	       max_int(1, 2 * (int)g->rows - 1) + AXIS_ROWS;
}
