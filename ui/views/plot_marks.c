#include "ui/views/plot_marks.h"

#include "ui/views/plot_dots.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* -- Areas --------------------------------------------------------------------------------- */

/* The glyph of the cell that an area's edge runs through: so many eighths of the cell are filled,
 * from below or from above. Over another area it is all or nothing, because the rest of the cell
 * would lose that area's colour. */
static uint32_t edge_glyph(
	const struct chart *c, uint32_t full, int eighths, bool from_below, bool over_area)
{
	if (c->glyphs == GLYPHS_ASCII || over_area)
		return eighths >= 4 ? full : 0;
	if (from_below)
		return eighths > 0 ? 0x2580u + (unsigned)(eighths < 7 ? eighths : 7) : 0;
	if (eighths >= 8)
		return full;
	return eighths >= 6 ? full : eighths >= 2 ? 0x2580 : 0;
}

struct area {
	size_t series;
	uint32_t full;
	double base;         /* the height of zero */
	const uint8_t *bits; /* the dots of its line, one mask a cell; NULL: it has none */
};

static void fill_cell(const struct chart *c, const struct area *f, int row, int col, uint32_t code)
{
	if (!code || row < 0 || row >= c->rows)
		return;
	chart_put(c, row, col, code, meaning_style(c->p->series[f->series].meaning), 0, INK_FAINT);
	struct plot_tail *t = &c->tails[f->series];
	if (!t->drawn || col > t->col || (col == t->col && row < t->row))
		*t = (struct plot_tail){ true, t->listed, row, col };
}

/* The edge of an area in a column: where its line is at the middle, and the highest and the lowest place of
 * it at the middles of dots, in rows from above. */
struct edge {
	double y, high, low;
	bool is_peak; /* what a column comes to is not lost between its cells */
};

/* The rows of a column that an area reaches over, and whether it hangs from zero down. */
struct ground {
	int first, end;
	bool hangs;
};

/* Whether more of these dots are in the half of a cell that is away from zero, or as many. */
static bool are_outside(unsigned dots, bool hangs)
{
	int outer = 0;
	for (int bit = 0; bit < DOTS_ACROSS * DOTS_DOWN; bit++)
		if (dots >> bit & 1)
			outer += (bit / DOTS_ACROSS < DOTS_DOWN / 2) != hangs ? 1 : -1;
	return outer > 0;
}

/* Whether a cell in or beside these rows has the ground. Lines of dots are the edge of it, and a cell of the line
 * has it where half of the cell or more is within: so the ground is never half a cell away from its line. */
static bool has_ground(
	const struct chart *c, const struct area *f, const struct ground *g, int row, int col)
{
	unsigned dots = f->bits ? f->bits[row * (c->cols + 1) + col] : 0;
	return dots ? are_outside(dots, g->hangs) : row >= g->first && row < g->end;
}

/* On a logarithmic axis what is below a line is no quantity. There the ground is a strip along the x axis, which says
 * what range of it the line has, and a place for its name. */
static int strip_of(const struct chart *c)
{
	enum { SHARE = 6, LEAST = 2 };
	int rows = c->rows / SHARE;
	return c->y.kind == AXIS_LINEAR ? c->rows : rows > LEAST ? rows : LEAST;
}

static void tint_column(const struct chart *c, const struct area *f, int col, const struct edge *e)
{
	const int highest = c->rows - strip_of(c);
	bool hangs = e->y > f->base; /* from zero down */
	const double little = 0.25;  /* of a cell that the tip of a peak is in */
	double middle = e->is_peak ? e->high - little : (e->low + e->high) / 2;
	double from = hangs ? f->base : middle, to = hangs ? middle : f->base;
	struct ground g = { (int)fmax(ceil(from - 1e-9), 0),
		(int)fmin(floor(to + 1e-9) + hangs, c->rows), hangs };
	enum style tint = meaning_tint(c->p->series[f->series].meaning);
	for (int row = (int)fmax(g.first - 1, highest); row < (int)fmin(g.end + 1, c->rows); row++)
		if (e->is_peak ? row >= g.first && row < g.end : has_ground(c, f, &g, row, col))
			plate_under(&c->plate, c->row + row, c->col + col, tint);
}

static void fill_column(const struct chart *c, const struct area *f, int col, const struct edge *e)
{
	const double y = e->y;
	if (c->fills == FILLS_TINTED) {
		tint_column(c, f, col, e);
		return;
	}
	double height = fmin(fmax(y, -1), c->rows); /* loops stay inside the picture */
	int edge = (int)floor(height + 0.5), base = (int)ceil(f->base);
	const struct spot *under = chart_at(c, edge, col);
	bool over = under && under->ink == INK_FAINT;
	if (y < f->base) {
		for (int row = edge + 1; row < base; row++)
			fill_cell(c, f, row, col, f->full);
		int eighths = (int)lround((edge + 0.5 - height) * 8);
		if (eighths <= 0 && !over) {
			edge++; /* it lies between two cells: the lower one has it */
			eighths = 8;
		}
		if (edge < base)
			fill_cell(c, f, edge, col, edge_glyph(c, f->full, eighths, true, over));
	} else {
		for (int row = (int)floor(f->base) + 1; row < edge; row++)
			fill_cell(c, f, row, col, f->full);
		int eighths = (int)lround((height - edge + 0.5) * 8);
		if (edge > f->base)
			fill_cell(c, f, edge, col, edge_glyph(c, f->full, eighths, false, over));
	}
	if (y < -0.5)
		fill_cell(c, f, 0, col, chart_glyph(c, 0x25b2, '^'));
}

/* Where an area is hardly wider than a column it would take one or two, as it falls: it takes the one that its
 * middle is in. */
static void keep_to_one_column(struct plot_run *run)
{
	const double narrow = 1.5;
	if (run->x1 - run->x0 >= narrow || run->last <= run->first)
		return;
	int middle = (int)floor((run->x0 + run->x1) / 2 + 0.5);
	if (middle >= run->first && middle <= run->last)
		run->first = run->last = middle;
}

/* Whether the line of an area begins or ends with a peak inside the picture, where another goes on: the tip is
 * narrower than the column, and without it peaks of one height would end in different rows. */
static bool is_narrow_peak(const struct chart *c, const struct plot_run *run, int col, double top,
	const double side[2])
{
	const double clearly = 0.75; /* rows */
	bool begins = col == run->first && run->x0 > 1.5;
	bool ends = col == run->last && run->x1 < c->cols - 0.5;
	return (begins || ends) && top <= fmin(side[0], side[1]) &&
	       top < fmax(side[0], side[1]) - clearly;
}

void draw_area(const struct chart *c, const struct plot_trace *t, size_t series)
{
	assert(series < c->p->n_series);
	const struct series *s = &c->p->series[series];
	bool dots = c->fills == FILLS_TINTED && glyphs_have_dots(c->glyphs);
	struct area f = { series, area_fill(c->glyphs, c->p, s), c->rows, dots ? t->bits : NULL };
	struct plot_run run;
	if (dots)
		read_line_dots(c, t, s);
	if (c->y.kind == AXIS_LINEAR && c->y.lo < 0)
		f.base = fmax(chart_y(c, 0), -1);
	for (size_t next = 0; plot_read_run(c, t, s, 0, &next, &run);) {
		keep_to_one_column(&run);
		for (int col = run.first; col <= run.last; col++) {
			double y = plot_run_height(t, &run, 2 * col + 1);
			double left = plot_run_height(t, &run, 2 * col);
			double right = plot_run_height(t, &run, 2 * col + 2);
			const struct plot_sample *at = &t->samples[col];
			double low = (y + fmax(left, right)) / 2,
			       high = (y + fmin(left, right)) / 2;
			if (at->bottom > fmax(left, right)) /* a valley narrower than the column */
				low = at->bottom;
			if (at->top <= fmin(left, right)) /* a peak narrower than the column */
				high = y = at->top;
			else if (at->bottom > fmax(fmax(left, right), f.base))
				y = at->bottom;
			fill_column(c, &f, col,
				&(struct edge){ y, high, low,
					is_narrow_peak(c, &run, col, at->top,
						(double[]){ left, right }) });
		}
	}
	for (int col = 1; f.base < c->rows - 0.5 && col <= c->cols; col++)
		chart_put(c, (int)floor(f.base + 0.5), col, chart_glyph(c, 0x2500, '-'), STYLE_DIM,
			0, INK_FRAME);
}

/* The mean height of a series; NAN: none of its points has a place. */
static double mean_height(const struct chart *c, const struct series *s)
{
	double sum = 0;
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		double y = chart_y(c, s->points[i].y);
		sum += isnan(y) ? 0 : c->rows - y;
		n += isnan(y) ? 0 : 1;
	}
	return n ? sum / (double)n : NAN;
}

struct ranked_area {
	size_t series;
	double mean;
};

/* The higher area comes first. Of two that are equally high the later series does, so that the
 * earlier one lies on top. */
static int by_height(const void *a, const void *b)
{
	const struct ranked_area *x = a, *y = b;
	if (x->mean != y->mean)
		return x->mean > y->mean ? -1 : 1;
	return x->series > y->series ? -1 : x->series < y->series;
}

void draw_areas(const struct chart *c, const struct plot_trace *t)
{
	struct ranked_area *areas = calloc(c->p->n_series + 1, sizeof *areas);
	size_t n = 0;
	if (!areas) {
		*c->starved = true; /* a picture without areas is better than none */
		return;
	}
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		double mean = is_area(s) ? mean_height(c, s) : NAN;
		if (!isnan(mean))
			areas[n++] = (struct ranked_area){ i, mean };
	}
	qsort(areas, n, sizeof *areas, by_height);
	for (size_t i = 0; i < n; i++)
		draw_area(c, t, areas[i].series);
	free(areas);
}

/* -- Bands --------------------------------------------------------------------------------- */

static void tint_band(const struct chart *c, const struct plot_band *b, int col)
{
	const double rather = 0.12; /* as below a line */
	double top = chart_y(c, chart_value_at(c, &b->high, col));
	double bottom = chart_y(c, chart_value_at(c, &b->low, col));
	if (isnan(top) || isnan(bottom))
		return;
	int first = (int)fmax(ceil(top - rather), 0);
	int last = (int)fmin(floor(bottom + rather), c->rows - 1);
	for (int row = first; row <= last; row++)
		plate_under(&c->plate, c->row + row, c->col + col, meaning_tint(b->low.meaning));
}

void draw_bands(const struct chart *c)
{
	for (size_t i = 0; c->bands && i < c->p->n_series; i++)
		for (int col = 1; col <= c->cols; col++)
			tint_band(c, &c->bands[i], col);
}

void draw_beyond(const struct chart *c)
{
	for (size_t i = 0; c->bands && i < c->p->n_series; i++)
		for (size_t k = 0; k < c->bands[i].n_beyond; k++) {
			const struct point *p = &c->bands[i].beyond[k];
			const struct spot *spot;
			int row = chart_row(c, chart_y(c, p->y));
			int col = (int)floor(chart_x(c, p->x) + 0.5);
			spot = row >= 0 && row < c->rows ? chart_at(c, row, col) : NULL;
			if (spot && spot->ink < INK_LINE)
				chart_put(c, row, col, chart_glyph(c, 0x2022, '.'),
					meaning_style(c->p->series[i].meaning), 0, INK_POINT);
		}
}

/* -- Ghosts -------------------------------------------------------------------------------- */

static void ghost_dot(const struct chart *c, int row, int col)
{
	chart_put(c, row, col, chart_glyph(c, 0xb7, '.'), STYLE_DIM, 0, INK_FAINT);
}

void draw_ghost(const struct chart *c, const struct plot_trace *t, const struct series *s)
{
	struct plot_run run;
	if (!is_scatter(s) && glyphs_have_dots(c->glyphs)) {
		draw_dotted(c, t, s);
		return;
	}
	for (size_t i = 0; is_scatter(s) && i < s->n; i++) {
		double x = chart_x(c, s->points[i].x), y = chart_y(c, s->points[i].y);
		if (x >= 0.5 && x < c->cols + 0.5 && y > -0.5 && y < c->rows + 0.5)
			ghost_dot(c, chart_row(c, y), (int)floor(x + 0.5));
	}
	if (is_scatter(s))
		return;
	for (size_t next = 0; plot_read_run(c, t, s, 0.5, &next, &run);)
		for (int col = run.first; col <= run.last; col++) {
			int from = chart_row(c, plot_run_height(t, &run, 2 * col));
			int to = chart_row(c, plot_run_height(t, &run, 2 * col + 2));
			ghost_dot(c, chart_row(c, plot_run_height(t, &run, 2 * col + 1)), col);
			for (int row = (from < to ? from : to) + 1; row < (from < to ? to : from);
				row++)
				ghost_dot(c, row, col);
		}
}

/* -- Markers ------------------------------------------------------------------------------- */

bool place_mark(const struct chart *c, const struct point *p, struct mark_place *at)
{
	double x = floor(chart_x(c, p->x) + 0.5), y = chart_y(c, p->y);
	if (!(x >= 0 && x <= c->cols) || isnan(y))
		return false;
	x = fmax(x, 1); /* beside the y axis, where lines begin as well */
	int row = row_on_line(c, y, (int)x);
	*at = (struct mark_place){ row, (int)x, row < 0, chart_row(c, y) >= c->rows };
	at->row = at->above ? 0 : at->below ? c->rows - 1 : row;
	return true;
}

/* A mark hides the line in its cell, but where that runs is known still. */
static void put_mark(const struct chart *c, const struct mark_place *at, uint32_t code,
	enum style s, unsigned attr, enum ink ink)
{
	struct spot *spot = chart_at(c, at->row, at->col), was = *spot;
	if (was.ink == INK_LINE && ink < INK_LINE)
		ink = INK_MARK; /* no name may break the line that it lies on */
	plate_put(&c->plate, c->row + at->row, c->col + at->col, code, s, attr, ink);
	spot->owner = was.owner;
	spot->lean = was.lean;
	spot->bits = was.bits;
}

/* -- Trails -------------------------------------------------------------------------------- */

enum { MOST_TRAILS = 16 }; /* more are a thicket */

static bool same_name(const struct point *a, const struct point *b)
{
	return a->name && b->name && strcmp(a->name, b->name) == 0;
}

/* Where the point i of a series was: the one of that name in the pinned plot (which may have gone
 * from one series to another), or else the one in its place. NULL: it is new. */
static const struct point *was_at(const struct chart *c, size_t series, size_t i)
{
	const struct series *s = &c->p->series[series], *old = c->ghost->series;
	const struct point *p = &s->points[i];
	if (!p->name)
		return series < c->ghost->n_series && is_scatter(&old[series]) &&
				       old[series].n == s->n
			       ? &old[series].points[i]
			       : NULL;
	for (size_t k = 0; k < c->ghost->n_series; k++)
		for (size_t j = 0; is_scatter(&old[k]) && !old[k].measured && j < old[k].n; j++)
			if (same_name(&old[k].points[j], p))
				return &old[k].points[j];
	return NULL;
}

static uint32_t arrow_head(const struct chart *c, int right, int down)
{
	static const uint16_t heads[3][3] = { { 0x2196, 0x2191, 0x2197 }, { 0x2190, 0xb7, 0x2192 },
		{ 0x2199, 0x2193, 0x2198 } };
	static const char ascii_heads[3][4] = { "\\^/", "<.>", "/v\\" };
	return chart_glyph(
		c, heads[down + 1][right + 1], (unsigned char)ascii_heads[down + 1][right + 1]);
}

/* The way from one cell to another, in steps of one cell or none. */
static int toward(int by, int of)
{
	return 2 * abs(by) < of ? 0 : by < 0 ? -1 : 1;
}

static void draw_trail_of(const struct chart *c, const struct plot_trace *t, const struct series *s,
	const struct point *p, const struct point *old)
{
	struct mark_place to, from;
	if (!old || !place_mark(c, p, &to) || !place_mark(c, old, &from))
		return;
	int across = to.col - from.col, down = to.row - from.row;
	int far = abs(across) > abs(down) ? abs(across) : abs(down);
	if (far < 2)
		return;
	draw_trail(c, t, old, p);
	int right = toward(across, far), below = toward(down, far);
	chart_put(c, from.row, from.col, chart_glyph(c, 0x25e6, 'o'), STYLE_DIM, 0, INK_FAINT);
	chart_put(c, to.row - below, to.col - right, arrow_head(c, right, below),
		point_style(s, p->role), 0, INK_LINE);
}

void draw_trails(const struct chart *c, const struct plot_trace *t)
{
	for (size_t i = 0; c->ghost && i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		if (!is_scatter(s) || s->measured || s->n > MOST_TRAILS)
			continue;
		for (size_t k = 0; k < s->n; k++)
			draw_trail_of(c, t, s, &s->points[k], was_at(c, i, k));
	}
}

/* -- Points -------------------------------------------------------------------------------- */

enum { MOST_ON_A_LINE = 6 };

static bool is_plain(const struct point *p)
{
	return !(p->name && p->name[0]) && p->role == ROLE_PLAIN;
}

static bool all_plain(const struct series *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (!is_plain(&s->points[i]))
			return false;
	return true;
}

/* Marks of the model's own that confirm a line, one after the other, would hide it. Those with a
 * name or a meaning of their own are shown even so. */
static bool crowds_a_line(const struct chart *c, const struct series *s)
{
	size_t on = 0;
	struct mark_place at;
	for (size_t i = 0; i < s->n; i++)
		on += place_mark(c, &s->points[i], &at) &&
		      line_is_near(c, chart_y(c, s->points[i].y), at.col);
	return s->n > MOST_ON_A_LINE && 4 * on >= 3 * s->n && !s->measured;
}

/* Whether point i is among `most` that are spread evenly over n. */
static bool is_chosen(size_t i, size_t n, size_t most)
{
	return i == 0 || i * (most - 1) / (n - 1) != (i - 1) * (most - 1) / (n - 1);
}

/* Points that are hardly more than a column apart, each in the nearest one, would leave gaps that
 * mean nothing. The column after such a point is then its own as well. */
static bool beats(const struct chart *c, const struct series *s)
{
	double first = s->n ? chart_x(c, s->points[0].x) : NAN;
	double last = s->n ? chart_x(c, s->points[s->n - 1].x) : NAN;
	double apart = (last - first) / (double)(s->n > 1 ? s->n - 1 : 1);
	return s->n >= 20 && apart > 1 && apart < 2 && !s->measured && all_plain(s);
}

/* What stands for a stretch [top, bottom] of rows in one of them; 0: nothing, since it has too little of
 * the stretch. The half strokes are in fonts that have dots too. */
static uint32_t range_stroke(const struct chart *c, int row, double top, double bottom)
{
	double from = fmax(top, row - 0.5), to = fmin(bottom, row + 0.5), part = to - from;
	bool halves = glyphs_have_dots(c->glyphs);
	if (part >= (halves ? 0.75 : 0.5))
		return chart_glyph(c, 0x2502, '|');
	if (!halves || part < 0.25)
		return 0;
	return chart_glyph(c, from + to < 2 * row ? 0x2575 : 0x2577, '|');
}

/* An upright line over the range of a marker, through the curves but not through other markers, and as
 * long as the range within a quarter of a row, or of half a row. A range of less than half a row is under
 * its marker. */
static void draw_range(const struct chart *c, const struct series *s, const struct point *p)
{
	struct mark_place at;
	double top = chart_y(c, p->high), bottom = chart_y(c, p->low);
	if (!(p->low < p->high) || !place_mark(c, p, &at) || !(bottom - top >= 0.5))
		return;
	int last = (int)fmin(c->rows - 1, floor(bottom + 0.5));
	for (int row = (int)fmax(0, floor(top + 0.5)); row <= last; row++) {
		uint32_t stroke = range_stroke(c, row, top, bottom);
		if (stroke && row != at.row && chart_at(c, row, at.col)->ink < INK_MARK)
			chart_put(c, row, at.col, stroke, point_style(s, p->role), 0, INK_LINE);
	}
}

enum { UPPER_HALF = 0x2580, LOWER_HALF = 0x2584 };

/* A square stands in the half of its cell in which its point is, so that it lies on its line, which is drawn in
 * quarters of a row. */
static uint32_t mark_in_its_half(
	const struct chart *c, const struct point *p, const struct mark_place *at, uint32_t code)
{
	if (!c->squares || code != SQUARE)
		return code;
	return chart_y(c, p->y) < at->row ? UPPER_HALF : LOWER_HALF;
}

/* What was measured stays in its own row: beside a line, two measurements would become one on it. So does a square,
 * which has halves of rows to stand in. */
static bool place_point(
	const struct chart *c, const struct series *s, const struct point *p, struct mark_place *at)
{
	if (!place_mark(c, p, at))
		return false;
	int row = chart_row(c, chart_y(c, p->y));
	bool stays = s->measured || (c->squares && chart_marker(c, s, p->role) == SQUARE);
	if (stays && !at->above && !at->below && row >= 0)
		at->row = row;
	return true;
}

void draw_points(const struct chart *c, size_t series)
{
	const struct series *s = &c->p->series[series];
	bool few = crowds_a_line(c, s), wide = !few && beats(c, s);
	for (size_t i = 0; i < s->n && !s->names_only; i++) {
		const struct point *p = &s->points[i];
		struct mark_place at;
		bool left_out = few && is_plain(p) && !is_chosen(i, s->n, MOST_ON_A_LINE);
		if (left_out || !place_point(c, s, p, &at))
			continue;
		draw_range(c, s, p);
		uint32_t code = at.above ? chart_glyph(c, 0x25b2, '^')
				: at.below
					? chart_glyph(c, 0x25bc, 'v')
					: mark_in_its_half(c, p, &at, chart_marker(c, s, p->role));
		put_mark(c, &at, code, point_style(s, p->role),
			p->role == ROLE_ACCENT ? ATTR_BOLD : 0, s->measured ? INK_POINT : INK_MARK);
		c->tails[series].drawn = true;
		struct mark_place next;
		if (!wide || i + 1 == s->n || !place_point(c, s, p + 1, &next) ||
			next.col != at.col + 2)
			continue;
		at.col++;
		put_mark(c, &at, code, point_style(s, p->role), 0, INK_MARK);
	}
}

/* -- Rules --------------------------------------------------------------------------------- */

static void rule_cell(const struct chart *c, int row, int col, uint32_t code, enum role role)
{
	const struct spot *spot = chart_at(c, row, col);
	if (spot && spot->ink < INK_RULE)
		chart_put(c, row, col, code, rule_style(role), role == ROLE_WARN ? ATTR_BOLD : 0,
			INK_RULE);
}

/* A level rule in the third of its row where it is: what hardly crosses it is not below it. */
static uint32_t level_stroke(const struct chart *c, double y)
{
	const double off = y - chart_row(c, y), third = 0.25;
	const bool thirds = glyphs_have_dots(c->glyphs);
	return thirds && off > third    ? 0x2581
	       : thirds && off < -third ? 0x2594
					: chart_glyph(c, 0x2504, '-');
}

void draw_rules(const struct chart *c)
{
	for (size_t i = 0; i < c->p->n_rules; i++) {
		const struct rule *r = &c->p->rules[i];
		double at = r->horizontal ? chart_y(c, r->at) : chart_x(c, r->at);
		if (isnan(at))
			continue;
		if (r->horizontal) {
			for (int col = 1; col <= c->cols; col++)
				if (c->glyphs != GLYPHS_ASCII || col % 2)
					rule_cell(c, chart_row(c, at), col, level_stroke(c, at),
						r->role);
		} else if (at > -0.5 && at < c->cols + 0.5) {
			for (int row = 0; row < c->rows; row++)
				rule_cell(c, row, (int)floor(at + 0.5), chart_glyph(c, 0x2506, ':'),
					r->role);
		}
	}
}

/* -- The playhead -------------------------------------------------------------------------- */

static void dim_from(const struct chart *c, int first)
{
	for (int row = 0; row <= c->rows; row++)
		for (int col = first; col <= c->cols; col++) {
			struct spot *spot = chart_at(c, row, col);
			if (spot->ink > INK_FRAME && spot->ink < INK_TEXT)
				spot->style = STYLE_DIM;
			if (spot->under)
				spot->under = (uint8_t)meaning_tint(MEANS_FREE);
		}
}

void draw_playhead(const struct chart *c, double at)
{
	double x = chart_x(c, at);
	if (isnan(x))
		return;
	int here = (int)fmin(fmax(floor(x + 0.5), 0), c->cols + 1);
	dim_from(c, here + (x >= 0));
	if (x < 0 || here > c->cols)
		return;
	for (int row = 0; row < c->rows; row++)
		if (chart_at(c, row, here)->ink < INK_TEXT)
			plate_put(&c->plate, c->row + row, c->col + here,
				chart_glyph(c, 0x2502, '|'), STYLE_ACCENT, 0, INK_LINE);
	plate_put(&c->plate, c->row + c->rows, c->col + here, chart_glyph(c, 0x2534, '+'),
		STYLE_ACCENT, 0, INK_FRAME);
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		int row = chart_row(c, chart_y(c, chart_value_at(c, s, x)));
		if (is_scatter(s) || row < 0 || row >= c->rows ||
			chart_at(c, row, here)->ink == INK_TEXT)
			continue;
		plate_put(&c->plate, c->row + row, c->col + here, chart_glyph(c, 0x25cf, 'o'),
			meaning_style(s->meaning), ATTR_BOLD, INK_MARK);
	}
}
