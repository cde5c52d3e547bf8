#include "ui/views/plot_chart.h"

#include "sims/base/utf8.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- The plate ----------------------------------------------------------------------------- */

int plate_init(struct plate *pl, int rows, int cols)
{
	assert(rows > 0 && cols > 0);
	*pl = (struct plate){ 0 };
	pl->spots = calloc((size_t)rows * (size_t)cols, sizeof *pl->spots);
	if (!pl->spots)
		return -1;
	pl->rows = rows;
	pl->cols = cols;
	return 0;
}

void plate_release(struct plate *pl)
{
	free(pl->spots);
	*pl = (struct plate){ 0 };
}

void plate_clear(const struct plate *pl)
{
	memset(pl->spots, 0, (size_t)pl->rows * (size_t)pl->cols * sizeof *pl->spots);
}

struct spot *plate_at(const struct plate *pl, int row, int col)
{
	if (row < 0 || col < 0 || row >= pl->rows || col >= pl->cols)
		return NULL;
	return &pl->spots[row * pl->cols + col];
}

void plate_put(const struct plate *pl, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink)
{
	assert((unsigned)s < N_STYLES);
	struct spot *spot = plate_at(pl, row, col);
	if (spot)
		*spot = (struct spot){ .code = code,
			.style = (uint8_t)s,
			.attr = (uint8_t)attr,
			.ink = (uint8_t)ink,
			.under = spot->under };
}

void plate_under(const struct plate *pl, int row, int col, enum style under)
{
	assert((unsigned)under < N_STYLES);
	struct spot *spot = plate_at(pl, row, col);
	if (spot)
		spot->under = (uint8_t)under;
}

static void put_code(const struct plate *pl, enum glyphs glyphs, int row, int col, uint32_t code,
	enum style s, unsigned attr)
{
	if (glyphs == GLYPHS_ASCII && code >= 0x80) {
		for (const char *a = glyph_ascii(code); *a; a++)
			plate_put(pl, row, col++, (unsigned char)*a, s, attr, INK_TEXT);
		return;
	}
	if (code < 0x20 || code == 0x7f)
		code = glyph_or(glyphs, 0xfffd, '?');
	plate_put(pl, row, col, code, s, attr, INK_TEXT);
	if (code_width(code) == 2)
		plate_put(pl, row, col + 1, 0, s, attr, INK_TEXT);
}

int plate_text(const struct plate *pl, enum glyphs glyphs, int row, int col, int width,
	const char *text, enum style s, unsigned attr)
{
	bool cut = text_cols(text, glyphs) > width;
	int used = 0, dots = cut ? glyph_cols(0x2026, glyphs) : 0;
	if (dots > width) { /* three ASCII points may be more than there is room for */
		cut = false;
		dots = 0;
	}
	for (uint32_t code; (code = utf8_next(&text));) {
		int w = glyph_cols(code, glyphs);
		if (used + w > width - dots)
			break;
		if (w > 0)
			put_code(pl, glyphs, row, col + used, code, s, attr);
		used += w;
	}
	if (cut) {
		put_code(pl, glyphs, row, col + used, 0x2026, s, attr);
		used += dots;
	}
	return used;
}

void plate_show(const struct plate *pl, struct canvas *cv, int row, int col)
{
	for (int i = 0; i < pl->rows; i++)
		for (int j = 0; j < pl->cols; j++) {
			const struct spot *spot = &pl->spots[i * pl->cols + j];
			bool right_half = j > 0 && !spot->code && code_width(spot[-1].code) == 2;
			if (spot->code)
				canvas_put(
					cv, row + i, col + j, spot->code, spot->style, spot->attr);
			else if (spot->under && !right_half)
				canvas_put(cv, row + i, col + j, ' ', STYLE_PLAIN, 0);
			if (spot->under)
				canvas_under(cv, row + i, col + j, (enum style)spot->under);
		}
}

/* -- The picture on it --------------------------------------------------------------------- */

double chart_x(const struct chart *c, double value)
{
	return plot_scale_cells(&c->x, value);
}

double chart_y(const struct chart *c, double value)
{
	return c->rows - plot_scale_cells(&c->y, value);
}

int chart_row(const struct chart *c, double y)
{
	if (!(y >= -0.5))
		return -1;
	if (y < c->rows - 0.5)
		return (int)floor(y + 0.5);
	return y <= c->rows + 0.5 ? c->rows - 1 : c->rows;
}

double chart_value_at(const struct chart *c, const struct series *s, double x_cells)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		double x0 = chart_x(c, p->x);
		if (fabs(x0 - x_cells) < 1e-6 && !(i + 1 < s->n && p[1].x == p->x))
			return p->y;
		if (i + 1 == s->n)
			break;
		double x1 = chart_x(c, p[1].x);
		if (!(fmin(x0, x1) <= x_cells && x_cells <= fmax(x0, x1)) || x0 == x1)
			continue;
		if (s->style == SERIES_STEP)
			return p->y;
		double share = (x_cells - x0) / (x1 - x0);
		return plot_scale_between(&c->y, p->y, p[1].y, share);
	}
	return NAN;
}

uint32_t chart_marker(const struct chart *c, const struct series *s, enum role role)
{
	const bool plain = role == ROLE_PLAIN || role == ROLE_ACCENT;
	if (c->squares && is_scatter(s) && plain && !s->measured)
		return SQUARE;
	return point_marker(c->glyphs, s, role);
}

bool chart_marks_line(const struct chart *c, const struct series *s)
{
	for (size_t i = 0; c->squares && i < c->p->n_series; i++)
		if (is_scatter(&c->p->series[i]) && !c->p->series[i].measured &&
			!c->p->series[i].names_only)
			return false;
	return line_is_marked(c->p, s);
}

uint32_t chart_glyph(const struct chart *c, uint32_t code, uint32_t ascii)
{
	return glyph_or(c->glyphs, code, ascii);
}

void chart_put(const struct chart *c, int row, int col, uint32_t code, enum style s, unsigned attr,
	enum ink ink)
{
	if (row >= 0 && row < c->rows && col >= 1 && col <= c->cols)
		plate_put(&c->plate, c->row + row, c->col + col, code, s, attr, ink);
}

struct spot *chart_at(const struct chart *c, int row, int col)
{
	if (row < 0 || row > c->rows || col < 0 || col > c->cols)
		return NULL;
	return plate_at(&c->plate, c->row + row, c->col + col);
}
