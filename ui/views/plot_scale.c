#include "ui/views/plot_private.h"

#include <math.h>

static double forward(enum axis_scale kind, double value)
{
	if (kind == AXIS_LINEAR)
		return value;
	return value > 0 ? log(value) : NAN;
}

struct scale scale_make(enum axis_scale kind, double lo, double hi, int cells)
{
	double from = forward(kind, lo), to = forward(kind, hi);
	return (struct scale){ kind, lo, hi, from, cells / (to - from) };
}

double scale_cells(const struct scale *s, double value)
{
	if (isinf(value) && value > 0)
		return SCALE_FAR;
	double cells = (forward(s->kind, value) - s->from) * s->per;
	return cells > SCALE_FAR ? SCALE_FAR : cells < -SCALE_FAR ? -SCALE_FAR : cells;
}

double chart_x(const struct chart *c, double value)
{
	return scale_cells(&c->x, value);
}

double chart_y(const struct chart *c, double value)
{
	return c->rows - scale_cells(&c->y, value);
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
		if (c->y.kind == AXIS_LINEAR)
			return p->y + share * (p[1].y - p->y);
		return exp(forward(c->y.kind, p->y) * (1 - share) +
			   forward(c->y.kind, p[1].y) * share);
	}
	return NAN;
}

/* -- Ranges -------------------------------------------------------------------------------- */

static const struct range nothing = { INFINITY, -INFINITY };
/* Numbers beyond these are drawn as if infinite: their squares and differences must be finite. */
static const double most = 1e100;

static bool placeable(enum axis_scale kind, double v)
{
	return fabs(v) <= most && (kind == AXIS_LINEAR || v > 1 / most);
}

static void stretch(struct range *r, double v)
{
	r->lo = fmin(r->lo, v);
	r->hi = fmax(r->hi, v);
}

static bool outside(const struct axis *a, double v)
{
	return v < a->min || v > a->max; /* false where a limit is NAN */
}

static void stretch_series(struct chart *c, const struct series *s)
{
	const struct axis *x = &c->p->x, *y = &c->p->y;
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		if (isnan(p->y) || !placeable(x->scale, p->x))
			continue;
		stretch(&c->x_data, p->x);
		if (placeable(y->scale, p->y) && !outside(x, p->x))
			stretch(&c->y_data, p->y);
	}
	if (is_area(s) && y->scale == AXIS_LINEAR && c->y_data.lo <= c->y_data.hi)
		stretch(&c->y_data, 0);
}

static void stretch_plot(struct chart *c, const struct plot *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		stretch_series(c, &p->series[i]);
}

/* A limit belongs in the picture unless it would squeeze the data into a third of it. */
static void stretch_rule(struct range *r, const struct axis *a, double at)
{
	if (!placeable(a->scale, at))
		return;
	if (r->lo > r->hi) {
		stretch(r, at);
		return;
	}
	double lo = a->scale == AXIS_LINEAR ? fmin(r->lo, 0) : r->lo;
	double from = forward(a->scale, lo), to = forward(a->scale, r->hi);
	double where = forward(a->scale, at), room = 2 * (to - from);
	if (where <= to + room && where >= from - room)
		stretch(r, at);
}

void chart_ranges(struct chart *c)
{
	c->x_data = c->y_data = nothing;
	stretch_plot(c, c->p);
	if (c->ghost)
		stretch_plot(c, c->ghost);
	c->empty = c->x_data.lo > c->x_data.hi;
	for (size_t i = 0; i < c->p->n_rules; i++) {
		const struct rule *rule = &c->p->rules[i];
		if (rule->horizontal)
			stretch_rule(&c->y_data, &c->p->y, rule->at);
		else
			stretch_rule(&c->x_data, &c->p->x, rule->at);
	}
}

/* A limit given by the simulation that the axis can show. */
static bool given(const struct axis *a, double limit)
{
	return !isnan(limit) && placeable(a->scale, limit);
}

/* A range of no length is opened around its only value; no data at all show 0 to 1. */
static struct range opened(const struct axis *a, struct range r)
{
	double base = a->scale == AXIS_LOG2 ? 2 : 10;
	if (r.lo > r.hi)
		return a->scale == AXIS_LINEAR ? (struct range){ 0, 1 } : (struct range){ 1, base };
	if (r.hi - r.lo > 1e-9 * fmax(fabs(r.lo), fabs(r.hi)))
		return r;
	if (a->scale != AXIS_LINEAR)
		return (struct range){ r.lo / base, r.hi * base };
	if (r.lo == 0)
		return (struct range){ 0, 1 };
	return (struct range){ fmin(0, 2 * r.lo), fmax(0, 2 * r.hi) };
}

static struct range limited(const struct axis *a, struct range r)
{
	bool min = given(a, a->min), max = given(a, a->max);
	if (min && max && a->min < a->max)
		return (struct range){ a->min, a->max };
	if (min && !max)
		return a->min < r.hi ? (struct range){ a->min, r.hi }
				     : opened(a, (struct range){ a->min, a->min });
	if (max && !min)
		return a->max > r.lo ? (struct range){ r.lo, a->max }
				     : opened(a, (struct range){ a->max, a->max });
	return r;
}

/* Zero is shown where it costs no more than `share` of the axis. */
static void reach_zero(const struct axis *a, struct range *r, double share)
{
	if (a->scale != AXIS_LINEAR)
		return;
	if (r->lo > 0 && r->lo <= share * r->hi && !given(a, a->min))
		r->lo = 0;
	if (r->hi < 0 && r->hi >= share * r->lo && !given(a, a->max))
		r->hi = 0;
}

/* Markers at the very edge would sit on the frame. */
static void pad(const struct axis *a, struct range *r, double share)
{
	double from = forward(a->scale, r->lo), to = forward(a->scale, r->hi);
	double room = share * (to - from);
	bool linear = a->scale == AXIS_LINEAR;
	if (!given(a, a->min) && !(linear && r->lo == 0))
		r->lo = linear ? r->lo - room : exp(from - room);
	if (!given(a, a->max) && !(linear && r->hi == 0))
		r->hi = linear ? r->hi + room : exp(to + room);
}

static bool only_points(const struct plot *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		if (!is_scatter(&p->series[i]))
			return false;
	return true;
}

void chart_fit_x(struct chart *c, int cols)
{
	const struct axis *a = &c->p->x;
	struct range r = opened(a, c->x_data);
	reach_zero(a, &r, 0.2);
	if (only_points(c->p))
		pad(a, &r, 0.04);
	r = limited(a, r);
	c->x = scale_make(a->scale, r.lo, r.hi, cols);
}

/* -- The y axis ---------------------------------------------------------------------------- */

/* How good it is to have a tick every `apart` rows and `used` of the height covered by data. */
static double evenness(int rows, int apart, double used, double step)
{
	double ideal = rows < 8 ? 2 : rows < 16 ? 3 : rows < 28 ? 4 : rows / 7.0;
	double lead = step / pow(10, floor(log10(step * (1 + 1e-9))));
	bool plain = lead < 1.1 || fabs(lead - 2) < 0.1 || fabs(lead - 5) < 0.1;
	double strange = plain ? 0 : fabs(lead - 2.5) < 0.1 && step > 10 ? 0.06 : 0.15;
	return used - 0.12 * fabs(log2(apart / ideal)) - strange;
}

/* Takes a step of whole rows, so that the numbers stand at equal distances: the axis ends
 * wherever that leads, a little above the data, not at the next tick. */
static bool fit_even(struct chart *c, struct range r, int rows)
{
	double best = -INFINITY, best_step = 0, best_lo = 0, best_hi = 0;
	bool fixed_min = given(&c->p->y, c->p->y.min);
	for (int want = 2; want <= rows / 2 + 1 && want <= 12; want++) {
		double at[MAX_TICKS];
		if (wilkinson(r.lo, r.hi, want, at) < 2)
			return false;
		double step = at[1] - at[0];
		double lo = floor(r.lo / step + 1e-9) * step;
		int apart = (int)floor(rows / ((r.hi - lo) / step) + 1e-9);
		if (apart < 1 || (fixed_min && fabs(lo - r.lo) > 1e-6 * step))
			continue;
		double hi = lo + step * rows / apart;
		double good = evenness(rows, apart, (r.hi - r.lo) / (hi - lo), step);
		if (good > best && apart < rows) {
			best = good;
			best_step = step;
			best_lo = lo;
			best_hi = hi;
		}
	}
	if (best_step == 0)
		return false;
	c->y = scale_make(AXIS_LINEAR, best_lo, best_hi, rows);
	c->y_ticks = ticks_every(best_lo, best_hi, best_step);
	return true;
}

void chart_fit_y(struct chart *c, int rows)
{
	const struct axis *a = &c->p->y;
	struct range r = opened(a, c->y_data);
	reach_zero(a, &r, 2.0 / 3);
	if (a->scale != AXIS_LINEAR)
		pad(a, &r, 0.03);
	r = limited(a, r);
	if (a->scale == AXIS_LINEAR && !given(a, a->max) && fit_even(c, r, rows))
		return;
	c->y = scale_make(a->scale, r.lo, r.hi, rows);
	int labels = a->scale == AXIS_LINEAR ? rows / 3 + 1 : (rows + 1) / 2; /* every second row */
	c->y_ticks = axis_ticks(a, r.lo, r.hi, rows < 6 ? 3 : labels);
}

void chart_fit_sparkline(struct chart *c)
{
	struct range r = limited(&c->p->y, opened(&c->p->y, c->y_data));
	c->y = scale_make(c->p->y.scale, r.lo, r.hi, c->rows);
	c->y.per *= (c->rows - 0.125) / c->rows;
	c->y.from -= 0.625 / c->y.per;
	c->y.lo = fmax(c->y.lo, 0); /* the area stands on the lowest row, not on zero */
}
