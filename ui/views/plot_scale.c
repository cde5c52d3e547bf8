/* An axis begins as the range that the data reach. A range without length is opened, zero is taken
 * in where that costs little, room is left at the ends, and limits that the simulation gave replace
 * its ends; last it is mapped to cells, linearly or by its logarithms. */
#include "ui/views/plot_scale.h"

#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>

static double forward(enum axis_scale kind, double value)
{
	if (kind == AXIS_LINEAR)
		return value;
	return value > 0 ? log(value) : NAN;
}

static struct plot_scale scale_make(enum axis_scale kind, double lo, double hi, int cells)
{
	assert(cells > 0);
	double from = forward(kind, lo), to = forward(kind, hi);
	return (struct plot_scale){ kind, lo, hi, from, cells / (to - from) };
}

double plot_scale_cells(const struct plot_scale *s, double value)
{
	if (isinf(value) && value > 0)
		return SCALE_FAR;
	double cells = (forward(s->kind, value) - s->from) * s->per;
	return cells > SCALE_FAR ? SCALE_FAR : cells < -SCALE_FAR ? -SCALE_FAR : cells;
}

double plot_scale_between(const struct plot_scale *s, double a, double b, double share)
{
	if (s->kind == AXIS_LINEAR)
		return a + share * (b - a);
	return exp(forward(s->kind, a) * (1 - share) + forward(s->kind, b) * share);
}

/* -- Ranges -------------------------------------------------------------------------------- */

static const struct plot_range nothing = { INFINITY, -INFINITY };
/* Numbers beyond these are drawn as if infinite: their squares and differences must be finite. */
static const double most = 1e100;

static bool placeable(enum axis_scale kind, double v)
{
	return fabs(v) <= most && (kind == AXIS_LINEAR || v > 1 / most);
}

static void stretch(struct plot_range *r, double v)
{
	r->lo = fmin(r->lo, v);
	r->hi = fmax(r->hi, v);
}

static bool outside(const struct axis *a, double v)
{
	return v < a->min || v > a->max; /* false where a limit is NAN */
}

static void stretch_series(struct plot_extent *e, const struct plot *axes, const struct series *s)
{
	const struct axis *x = &axes->x, *y = &axes->y;
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		if (isnan(p->y) || !placeable(x->scale, p->x))
			continue;
		stretch(&e->x, p->x);
		if (placeable(y->scale, p->y) && !outside(x, p->x))
			stretch(&e->y, p->y);
	}
	if (is_area(s) && y->scale == AXIS_LINEAR && e->y.lo <= e->y.hi)
		stretch(&e->y, 0);
}

/* A rule is shown in the picture unless that would squeeze the data into a third of it. */
static void stretch_rule(struct plot_range *r, const struct axis *a, double at)
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

struct plot_extent plot_extent_of(const struct plot *p, const struct plot *ghost)
{
	struct plot_extent e = { .x = nothing, .y = nothing };
	for (size_t i = 0; i < p->n_series; i++)
		stretch_series(&e, p, &p->series[i]);
	for (size_t i = 0; ghost && i < ghost->n_series; i++)
		stretch_series(&e, p, &ghost->series[i]);
	e.empty = e.x.lo > e.x.hi;
	for (size_t i = 0; i < p->n_rules; i++) {
		const struct rule *rule = &p->rules[i];
		if (rule->horizontal)
			stretch_rule(&e.y, &p->y, rule->at);
		else
			stretch_rule(&e.x, &p->x, rule->at);
	}
	return e;
}

/* A limit given by the simulation that the axis can show. */
static bool given(const struct axis *a, double limit)
{
	return !isnan(limit) && placeable(a->scale, limit);
}

/* Opens a range of no length around its only value. Without any data the axis shows 0 to 1. */
static struct plot_range opened(const struct axis *a, struct plot_range r)
{
	double base = a->scale == AXIS_LOG2 ? 2 : 10;
	if (r.lo > r.hi)
		return a->scale == AXIS_LINEAR ? (struct plot_range){ 0, 1 }
					       : (struct plot_range){ 1, base };
	if (r.hi - r.lo > 1e-9 * fmax(fabs(r.lo), fabs(r.hi)))
		return r;
	if (a->scale != AXIS_LINEAR)
		return (struct plot_range){ r.lo / base, r.hi * base };
	if (r.lo == 0)
		return (struct plot_range){ 0, 1 };
	return (struct plot_range){ fmin(0, 2 * r.lo), fmax(0, 2 * r.hi) };
}

/* The range with the limits that the simulation gave. */
static struct plot_range limited(const struct axis *a, struct plot_range r)
{
	bool min = given(a, a->min), max = given(a, a->max);
	if (min && max && a->min < a->max)
		return (struct plot_range){ a->min, a->max };
	if (min && !max)
		return a->min < r.hi ? (struct plot_range){ a->min, r.hi }
				     : opened(a, (struct plot_range){ a->min, a->min });
	if (max && !min)
		return a->max > r.lo ? (struct plot_range){ r.lo, a->max }
				     : opened(a, (struct plot_range){ a->max, a->max });
	return r;
}

/* Shows zero where that costs no more than `share` of the axis. */
static void reach_zero(const struct axis *a, struct plot_range *r, double share)
{
	if (a->scale != AXIS_LINEAR)
		return;
	if (r->lo > 0 && r->lo <= share * r->hi && !given(a, a->min))
		r->lo = 0;
	if (r->hi < 0 && r->hi >= share * r->lo && !given(a, a->max))
		r->hi = 0;
}

/* Leaves room at both ends: markers at the very edge would sit on the frame. */
static void pad(const struct axis *a, struct plot_range *r, double share)
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

struct plot_scale plot_fit_x(const struct plot *p, const struct plot_extent *e, int cols)
{
	const struct axis *a = &p->x;
	struct plot_range r = opened(a, e->x);
	reach_zero(a, &r, 0.2);
	if (only_points(p))
		pad(a, &r, 0.04);
	r = limited(a, r);
	return scale_make(a->scale, r.lo, r.hi, cols);
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

/* Fits a linear axis so that its numbers stand whole rows apart, at equal distances. For each count
 * of ticks the search of ticks.h gives a round step; the rows that one step then takes are rounded
 * down to a whole number, and the axis ends wherever that leads, a little above the data rather
 * than at the next tick. Of these axes the one with the best `evenness` is taken. False: there is
 * none, as when the simulation fixed the lower end at no multiple of a step. */
static bool fit_even(const struct axis *a, struct plot_range r, int rows, struct plot_scale *scale,
	struct ticks *ticks)
{
	double best = -INFINITY, best_step = 0, best_lo = 0, best_hi = 0;
	bool fixed_min = given(a, a->min);
	for (int want = 2; want <= rows / 2 + 1 && want <= 12; want++) {
		double at[MAX_TICKS];
		if (ticks_search(r.lo, r.hi, want, at) < 2)
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
	*scale = scale_make(AXIS_LINEAR, best_lo, best_hi, rows);
	*ticks = ticks_every(best_lo, best_hi, best_step);
	return true;
}

struct plot_scale plot_fit_y(
	const struct plot *p, const struct plot_extent *e, int rows, struct ticks *ticks)
{
	const struct axis *a = &p->y;
	struct plot_scale even;
	struct plot_range r = opened(a, e->y);
	reach_zero(a, &r, 2.0 / 3);
	if (a->scale != AXIS_LINEAR)
		pad(a, &r, 0.03);
	r = limited(a, r);
	if (a->scale == AXIS_LINEAR && !given(a, a->max) && fit_even(a, r, rows, &even, ticks))
		return even;
	int labels = a->scale == AXIS_LINEAR ? rows / 3 + 1 : (rows + 1) / 2; /* every second row */
	*ticks = axis_ticks(a, r.lo, r.hi, rows < 6 ? 3 : labels);
	return scale_make(a->scale, r.lo, r.hi, rows);
}

struct plot_scale plot_fit_sparkline(const struct plot *p, const struct plot_extent *e, int rows)
{
	struct plot_range r = limited(&p->y, opened(&p->y, e->y));
	struct plot_scale s = scale_make(p->y.scale, r.lo, r.hi, rows);
	s.per *= (rows - 0.125) / rows;
	s.from -= 0.625 / s.per;
	s.lo = fmax(s.lo, 0); /* the area stands on the lowest row, not on zero */
	return s;
}
