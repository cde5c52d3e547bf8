/* Labels in the picture. Each tries a few places in order and takes the first on free cells, or
 * the one that covers the fewest faint ones; lines, marks and other labels are never covered. */
#include "sims/quantity.h"
#include "ui/figure_view.h"
#include "ui/views/plot_private.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct label {
	const char *text;
	int width;
	enum style style;
	unsigned attr;
	enum ink over;      /* the strongest ink that it may cover */
	int best, row, col; /* the best place so far, and the cells it covers */
};

static struct label label_make(const struct chart *c, const char *text, enum style style)
{
	return (struct label){ text, plate_text_width(c->glyphs, text), style, 0, INK_FAINT,
		INT_MAX, 0, 0 };
}

/* Considers a place; true when it is free of everything, so that no better one need be tried. */
static bool try_at(const struct chart *c, struct label *l, int row, int col)
{
	int covered = 0, left = c->col + col;
	if (row < 0 || row >= c->rows || col < 1 || left + l->width > c->plate.cols)
		return false;
	for (int k = -1; k <= l->width; k++) { /* with a blank at either side */
		const struct spot *spot = plate_at(&c->plate, c->row + row, left + k);
		if (!spot)
			continue;
		if (spot->ink > l->over)
			return false;
		covered += spot->ink > INK_FRAME;
	}
	if (covered < l->best) {
		l->best = covered;
		l->row = row;
		l->col = col;
	}
	return covered == 0;
}

static bool write_label(struct chart *c, const struct label *l)
{
	if (l->best == INT_MAX)
		return false;
	int row = c->row + l->row, left = c->col + l->col;
	for (int k = -1; k <= l->width; k += l->width + 1) {
		struct spot *spot = plate_at(&c->plate, row, left + k);
		if (spot && (spot->ink == INK_FAINT || spot->ink == INK_RULE))
			plate_put(&c->plate, row, left + k, ' ', STYLE_PLAIN, 0, INK_TEXT);
	}
	plate_text(&c->plate, c->glyphs, row, left, l->width, l->text, l->style, l->attr);
	return true;
}

/* -- Names of series ------------------------------------------------------------------------ */

static bool named_line(const struct series *s)
{
	return !is_scatter(s) && s->name && s->name[0];
}

/* Beside the end of the line, else above or below it further back. */
static void seek_along(
        const struct chart *c, const struct series *s, const struct tail *t, struct label *l)
{
	int w = l->width;
	if (try_at(c, l, t->row, t->col + 2) || try_at(c, l, t->row - 1, t->col - w + 1) ||
	        try_at(c, l, t->row + 1, t->col - w + 1))
		return;
	for (int col = t->col - 1; col > c->cols / 4 && col > t->col - c->cols / 2; col -= 2) {
		double y = chart_y(c, chart_value_at(c, s, col));
		int row = row_of(c, y);
		if (isnan(y) || row < 0 || row >= c->rows)
			continue;
		if (try_at(c, l, row, col + 2) || try_at(c, l, row, col - w - 1) ||
		        try_at(c, l, row - 1, col - w / 2) || try_at(c, l, row + 1, col - w / 2))
			return;
	}
}

/* All names in the gutter, in the order of their lines. */
static bool label_gutter(struct chart *c)
{
	const struct plot *p = c->p;
	size_t order[64], n = 0;
	int rows[64];
	for (size_t i = 0; i < p->n_series; i++) {
		if (!named_line(&p->series[i]))
			continue;
		if (!c->tails[i].drawn || n == sizeof order / sizeof *order)
			return false;
		size_t k = n++;
		for (; k > 0 && c->tails[order[k - 1]].row > c->tails[i].row; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t k = 0; k < n; k++)
		rows[k] = c->tails[order[k]].row;
	if (!spread_rows(c, rows, n))
		return false;
	for (size_t k = 0; k < n; k++) {
		char text[256];
		const struct series *s = &p->series[order[k]];
		write_name(c, s, text, sizeof text);
		struct label l = label_make(c, text, series_style(s->colour));
		try_at(c, &l, rows[k], c->cols + 2);
		if (!write_label(c, &l))
			return false;
	}
	return true;
}

bool label_series(struct chart *c)
{
	if (c->gutter)
		return label_gutter(c);
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		char text[256];
		if (!named_line(s))
			continue;
		if (!c->tails[i].drawn)
			return false;
		write_name(c, s, text, sizeof text);
		struct label l = label_make(c, text, series_style(s->colour));
		seek_along(c, s, &c->tails[i], &l);
		if (!write_label(c, &l))
			return false;
	}
	return true;
}

void label_empty(struct chart *c)
{
	struct label l = label_make(c, "no data", STYLE_DIM);
	l.over = INK_RULE;
	try_at(c, &l, c->rows / 2, (c->cols - l.width) / 2 + 1);
	write_label(c, &l);
}

/* -- Rules ---------------------------------------------------------------------------------- */

static void seek_beside_row(const struct chart *c, struct label *l, int row)
{
	int w = l->width, last = c->cols - w + 1;
	if (try_at(c, l, row - 1, 2) || try_at(c, l, row - 1, last) || try_at(c, l, row + 1, 2) ||
	        try_at(c, l, row + 1, last))
		return;
	for (int col = last - 1; col > 2; col -= 2)
		if (try_at(c, l, row - 1, col) || try_at(c, l, row + 1, col))
			return;
	l->over = INK_RULE; /* no room beside the line: in it */
	for (int col = last - 2; col > 2 && l->best == INT_MAX; col--)
		try_at(c, l, row, col);
}

static void seek_beside_col(const struct chart *c, struct label *l, int col)
{
	for (int row = 0; row < c->rows; row++)
		if (try_at(c, l, row, col + 2) || try_at(c, l, row, col - l->width - 1))
			return;
}

/* A rule outside the picture still says on which side it is. */
static void label_beyond(struct chart *c, const struct rule *r, bool high)
{
	char text[256];
	const char *way = r->horizontal ? (high ? "▲" : "▼") : (high ? "▶" : "◀");
	snprintf(text, sizeof text, "%s %s", way, r->label);
	struct label l = label_make(c, text, (enum style)r->role);
	int last = c->cols - l.width + 1;
	for (int k = 0; k < c->rows; k++) {
		int row = r->horizontal && !high ? c->rows - 1 - k : k;
		if (try_at(c, &l, row, r->horizontal || !high ? 2 : last) ||
		        try_at(c, &l, row, last))
			break;
	}
	write_label(c, &l);
}

void label_rules(struct chart *c)
{
	for (size_t i = 0; i < c->p->n_rules; i++) {
		const struct rule *r = &c->p->rules[i];
		double at = r->horizontal ? chart_y(c, r->at) : chart_x(c, r->at);
		double end = r->horizontal ? c->rows : c->cols;
		if (!r->label || !r->label[0] || isnan(at))
			continue;
		if (at < -0.5 || at > end + 0.5) {
			label_beyond(c, r, r->horizontal ? at < 0 : at > 0);
			continue;
		}
		struct label l = label_make(c, r->label, (enum style)r->role);
		if (r->horizontal)
			seek_beside_row(c, &l, row_of(c, at));
		else
			seek_beside_col(c, &l, (int)floor(at + 0.5));
		write_label(c, &l);
	}
}

/* -- Names of points ------------------------------------------------------------------------ */

struct cell_of {
	int row, col;
};

static bool cell_of_point(const struct chart *c, const struct point *p, struct cell_of *at)
{
	double x = floor(chart_x(c, p->x) + 0.5), y = floor(chart_y(c, p->y) + 0.5);
	if (!(x >= 0 && x <= c->cols && y >= 0 && y <= c->rows) || !p->name || !p->name[0])
		return false;
	*at = (struct cell_of){ (int)y, (int)x };
	return true;
}

/* Points that share a cell share a label: "QK, AV". False when an earlier point speaks for it. */
static bool gather_names(
        const struct chart *c, const struct series *s, size_t i, char *text, size_t size)
{
	struct cell_of here, other;
	if (!cell_of_point(c, &s->points[i], &here))
		return false;
	size_t used = (size_t)snprintf(text, size, "%s", s->points[i].name);
	enum { NEAR = 64 };
	for (size_t k = i > NEAR ? i - NEAR : 0; k < s->n && k < i + NEAR; k++) {
		const struct point *p = &s->points[k];
		if (k == i || p->role != s->points[i].role || !cell_of_point(c, p, &other) ||
		        other.row != here.row || other.col != here.col)
			continue;
		if (k < i)
			return false;
		if (used + strlen(p->name) + 3 < size)
			used += (size_t)snprintf(text + used, size - used, ", %s", p->name);
	}
	return true;
}

void label_points(struct chart *c)
{
	static const struct {
		int down, right, width; /* right + width * the label's width, in halves */
	} places[] = { { 0, 2, 0 }, { -1, 0, -1 }, { 1, 0, -1 }, { 0, -1, -2 }, { -1, 1, 0 },
		{ 1, 1, 0 }, { -1, 0, -2 }, { 1, 0, -2 }, { 2, 0, -1 }, { -2, 0, -1 } };
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		for (size_t k = 0; is_scatter(s) && k < s->n; k++) {
			char text[128];
			struct cell_of at;
			if (!gather_names(c, s, k, text, sizeof text) ||
			        !cell_of_point(c, &s->points[k], &at))
				continue;
			struct label l = label_make(c, text, chart_style(s, s->points[k].role));
			for (size_t t = 0; t < sizeof places / sizeof *places; t++)
				if (try_at(c, &l, at.row + places[t].down,
				            at.col + places[t].right +
				                    places[t].width * l.width / 2))
					break;
			write_label(c, &l);
		}
	}
}

void label_values(struct chart *c, double at)
{
	double x = chart_x(c, at);
	if (!(x >= 0 && x <= c->cols))
		return;
	int col = (int)floor(x + 0.5);
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		double value = chart_value_at(c, s, x);
		int row = row_of(c, chart_y(c, value));
		char text[64];
		if (is_scatter(s) || isnan(value) || row < 0 || row >= c->rows)
			continue;
		number_format(text, sizeof text, value);
		struct label l = label_make(c, text, series_style(s->colour));
		l.attr = ATTR_BOLD;
		if (!try_at(c, &l, row, col + 2) && !try_at(c, &l, row, col - l.width - 1) &&
		        !try_at(c, &l, row - 1, col + 2))
			try_at(c, &l, row - 1, col - l.width - 1);
		write_label(c, &l);
	}
}
