/* An axis begins as the range that the data reach. A range without length is opened, zero is taken
 * in where that costs little, room is left at the ends, and limits that the simulation gave replace
 * its ends; last it is mapped to cells, linearly or by its logarithms. */
#include "ui/views/plot_scale.h"

#include "sims/base/array.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>
#include <string.h>

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
	if (!e.empty && placeable(p->y.scale, p->y.reach_lo))
		stretch(&e.y, p->y.reach_lo);
	if (!e.empty && placeable(p->y.scale, p->y.reach_hi))
		stretch(&e.y, p->y.reach_hi);
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

static struct plot_range x_range(const struct plot *p, const struct plot_extent *e)
{
	const struct axis *a = &p->x;
	struct plot_range r = opened(a, e->x);
	reach_zero(a, &r, 0.2);
	if (only_points(p))
		pad(a, &r, 0.04);
	return limited(a, r);
}

struct plot_scale plot_fit_x(const struct plot *p, const struct plot_extent *e, int cols)
{
	struct plot_range r = x_range(p, e);
	return scale_make(p->x.scale, r.lo, r.hi, cols);
}

/* -- Even ticks ---------------------------------------------------------------------------- */

/* Ticks stand whole cells apart, at equal distances. That is so when one step takes a whole number
 * of cells, `apart`, wherever the first tick is; so the axis is not stretched to its room, but ends
 * a little above the data (y), or takes a few columns less (x). All here is in the axis's own
 * measure, logarithms where it has them. Every way that an axis may count is scored, and the best
 * one is taken: it uses much of the room, has about as many ticks as are good to read, and its
 * numbers are plain. */
struct fit {
	const struct axis *axis;
	double lo, hi;   /* what must be shown */
	bool fixed;      /* the simulation set the lower end */
	bool shrinks;    /* takes fewer cells, instead of showing more */
	int cells, most; /* room, and how many ticks may be in it */
	double ideal;    /* cells from tick to tick that are good to read */
	double best;     /* the best score so far, and what has it */
	double from, per;
	double every; /* as axis_ticks_every has it */
	int taken;
	struct ticks ticks;
};

static double backward(enum axis_scale kind, double measure)
{
	return kind == AXIS_LINEAR ? measure : exp(measure);
}

static struct plot_scale fitted(const struct fit *f)
{
	double hi = f->from + f->taken / f->per;
	enum axis_scale kind = f->axis->scale;
	return (struct plot_scale){ kind, backward(kind, f->from), backward(kind, hi), f->from,
		f->per };
}

static bool evenly_apart(const struct plot_scale *s, const struct ticks *t, int cells)
{
	int gap = 0;
	for (size_t i = 1; i < t->n; i++) {
		int here = (int)floor(cells - plot_scale_cells(s, t->at[i]) + 0.5);
		int last = (int)floor(cells - plot_scale_cells(s, t->at[i - 1]) + 0.5);
		if (here == last || (gap && last - here != gap))
			return false;
		gap = last - here;
	}
	return t->n > 1;
}

/* Where an axis of columns begins: where it must. */
static double begin_across(const struct fit *f, double cell)
{
	bool between = fabs(f->lo / cell - floor(f->lo / cell + 1e-9) - 0.5) < 1e-3;
	return f->lo - (between ? 2e-3 * cell : 0); /* all ticks round to one side */
}

/* Where an axis of rows begins: a whole number of rows below its first tick, so that a tick stands where its
 * number is and not up to half a row beside it. What is to spare is in equal parts below and above (all of it
 * above where the axis counts from zero, or where the simulation set its lower end). NAN: there is no
 * room for that. */
static double begin_up(const struct fit *f, double cell, int taken, double every)
{
	const double over = 0.4; /* the uppermost row reaches half a row above its middle */
	const double decade = log(10);
	/* Doublings count from a power of ten; all else counts from 0, or 1. */
	double phase = every == TICKS_DOUBLING ? decade * floor((f->lo + f->hi) / 2 / decade) : 0;
	double from = phase + floor((f->lo - phase) / cell + 1e-9) * cell;
	double spare = taken * cell - (f->hi - from);
	if (spare < -over * cell)
		return NAN;
	if (f->axis->scale != AXIS_LINEAR && !f->fixed && spare > 0)
		from -= floor(spare / cell / 2 + 1e-9) * cell;
	return from;
}

/* Two ticks do not say how an axis counts. */
enum { FEW = 3 };
static const double too_few = 0.4;

/* Considers ticks a step apart, which takes `apart` cells, or fewer where whole rows need that; `every`
 * says how ticks.h counts it, and `shown` how many of them are in a step. */
static void consider(struct fit *f, double step, int apart, double every, int shown, double strange)
{
	double cell = step / apart, need = (f->hi - f->lo) / cell;
	int taken = f->shrinks ? (int)ceil(need - 1e-6) : f->cells;
	if (apart < 1 || taken > f->cells || taken < 1 || !isfinite(need))
		return;
	struct fit with = *f;
	with.per = 1 / cell;
	with.taken = taken;
	with.from = f->shrinks ? begin_across(f, cell) : begin_up(f, cell, taken, every);
	if (isnan(with.from)) {
		consider(f, step, apart - shown, every, shown, strange);
		return;
	}
	struct plot_scale s = fitted(&with);
	double used = f->shrinks ? 0.6 * taken / f->cells : need / f->cells;
	double good = used - 0.12 * fabs(log2(apart / f->ideal / shown)) - strange;
	if (good <= f->best || !(s.lo < s.hi))
		return;
	with.every = every;
	double n =
		floor((with.from + taken * cell) / step + 1e-9) - ceil(with.from / step - 1e-9) + 1;
	if (every > 0 && n < FEW && f->most >= FEW)
		good -= too_few;
	if (good <= f->best)
		return;
	with.best = good;
	bool even = n >= 2 && n <= f->most;
	if (every <= 0) { /* neither multiples nor powers */
		struct ticks t = axis_ticks_every(f->axis, s.lo, s.hi, every);
		even = t.n <= (size_t)f->most && evenly_apart(&s, &t, taken);
	}
	if (even)
		*f = with;
}

static int cells_a_step(const struct fit *f, double step)
{
	return (int)fmin(floor(f->cells / ((f->hi - f->lo) / step) + 1e-9), f->cells);
}

/* 2.5 reads well from 25 on; 3 and 4 never do. */
static double strangeness(double step)
{
	double lead = step / pow(10, floor(log10(step * (1 + 1e-9))));
	bool plain = lead < 1.1 || fabs(lead - 2) < 0.1 || fabs(lead - 5) < 0.1;
	return plain ? 0 : fabs(lead - 2.5) < 0.1 && step > 10 ? 0.12 : 0.2;
}

static void count_evenly(struct fit *f)
{
	static const double nice[] = { 1, 2, 2.5, 5 };
	double range = f->hi - f->lo, far = fmax(fabs(f->lo), fabs(f->hi)), lo = f->lo;
	if (!(range > far * 1e-12) || range < 1e-150) /* no round numbers between the doubles */
		return;
	double unit = pow(10, floor(log10(range / f->most)));
	for (; unit <= range; unit *= 10)
		for (size_t i = 0; i < LENGTH(nice) && nice[i] * unit <= range; i++) {
			double step = nice[i] * unit;
			if (step < range / (f->most + 1))
				continue;
			if (!f->fixed && !f->shrinks) /* from a tick on */
				f->lo = floor(lo / step + 1e-9) * step;
			consider(f, step, cells_a_step(f, step), step, 1, strangeness(step));
			f->lo = lo;
		}
}

/* Powers of the base; 1, 2, 5 where a third of a decade is a whole number of rows, so few of them
 * that log 2 and log 2.5 round to the same; doublings where there is hardly one power. */
static void count_powers(struct fit *f)
{
	double power = log(f->axis->scale == AXIS_LOG2 ? 2 : 10);
	for (int k = 1; k <= 40; k++)
		consider(f, k * power, cells_a_step(f, k * power), k, 1, k > 1 ? 0.03 : 0);
	if (f->axis->scale == AXIS_LOG2)
		return;
	int thirds = cells_a_step(f, power) / 3 * 3;
	if (!f->shrinks)
		consider(f, power, thirds < 15 ? thirds : 15, TICKS_1_2_5, 3, 0);
	if (f->hi - f->lo < (f->shrinks ? 2.2 : 1.5) * power)
		consider(f, log(2), cells_a_step(f, log(2)), TICKS_DOUBLING, 1, 0.2);
}

/* Where nothing is even, as in a range without round numbers, the ticks are two. */
static void fit_even(struct fit *f)
{
	f->best = -INFINITY;
	if (f->axis->scale == AXIS_LINEAR)
		count_evenly(f);
	else
		count_powers(f);
	if (f->best > -INFINITY) {
		struct plot_scale s = fitted(f);
		f->ticks = axis_ticks_every(f->axis, s.lo, s.hi, f->every);
		return;
	}
	enum axis_scale kind = f->axis->scale;
	f->from = f->lo;
	f->per = f->cells / (f->hi - f->lo);
	f->taken = f->cells;
	f->ticks = axis_ticks(f->axis, backward(kind, f->lo), backward(kind, f->hi), 3);
	if (f->ticks.n > 2 && kind == AXIS_LINEAR)
		f->ticks.n = 2;
	for (size_t last = f->ticks.n - 1; f->ticks.n > 2; f->ticks.n = 2) {
		f->ticks.at[1] = f->ticks.at[last];
		memcpy(f->ticks.label[1], f->ticks.label[last], sizeof f->ticks.label[1]);
	}
}

struct plot_scale plot_fit_even_x(const struct plot *p, const struct plot_extent *e, int *cols,
	int at_most, struct ticks *ticks)
{
	struct plot_range r = x_range(p, e);
	enum axis_scale kind = p->x.scale;
	int good = at_most < 7 ? at_most : 7;
	struct fit f = { .axis = &p->x,
		.lo = forward(kind, r.lo),
		.hi = forward(kind, r.hi),
		.fixed = true,
		.shrinks = true,
		.cells = *cols,
		.most = at_most,
		.ideal = fmax((double)*cols / good, 1) };
	fit_even(&f);
	*ticks = f.ticks;
	*cols = f.taken;
	return fitted(&f);
}

/* An axis may end above the limit that it was given, but counts no further: 200 % of answers are none. */
static void count_to_limit(const struct axis *a, struct ticks *t)
{
	while (given(a, a->max) && t->n > 2 && t->at[t->n - 1] > a->max * (1 + 1e-9))
		t->n--;
}

struct plot_scale plot_fit_y(
	const struct plot *p, const struct plot_extent *e, int rows, struct ticks *ticks)
{
	const struct axis *a = &p->y;
	struct plot_range r = opened(a, e->y);
	reach_zero(a, &r, 2.0 / 3);
	if (a->scale != AXIS_LINEAR)
		pad(a, &r, 0.03);
	r = limited(a, r);
	struct fit f = { .axis = a,
		.lo = forward(a->scale, r.lo),
		.hi = forward(a->scale, r.hi),
		.fixed = given(a, a->min),
		.cells = rows,
		.most = rows < 6 ? 3 : rows / 2 + 1,
		.ideal = rows < 8    ? 2
			 : rows < 16 ? 3
			 : rows < 28 ? 4
				     : rows / 7.0 };
	fit_even(&f);
	*ticks = f.ticks;
	count_to_limit(a, ticks);
	return fitted(&f);
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
