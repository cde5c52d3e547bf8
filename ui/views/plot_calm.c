#include "ui/views/plot_calm.h"

#include "sims/base/stats.h"
#include "ui/views/series_look.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quantiles are taken of so many points to either side: a seventh of all. With fewer the percentiles are noise
 * themselves, with more the band does not follow what the series does. */
enum { LEAST_AROUND = 10, MOST_AROUND = 30, SHARE = 7, MOST_WINDOW = 2 * MOST_AROUND + 1 };

static size_t around(size_t n)
{
	size_t share = n / SHARE;
	return share < LEAST_AROUND ? LEAST_AROUND : share > MOST_AROUND ? MOST_AROUND : share;
}

/* Points without names or roles of their own, with a value everywhere, from left to right. */
static bool is_plain_run(const struct series *s)
{
	for (size_t i = 0; i < s->n; i++) {
		const struct point *p = &s->points[i];
		if (!isfinite(p->x) || !isfinite(p->y) || p->name || p->role != ROLE_PLAIN ||
			(i > 0 && !(p->x > p[-1].x)))
			return false;
	}
	return true;
}

/* The 5th to the 95th percentile of n values of a series from one on; the values are copied to `room`. */
static double spread_of(const struct series *s, size_t from, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = s->points[from + i].y;
	double low = quantile_select(room, n, 0.05);
	return quantile_select(room, n, 0.95) - low;
}

/* What a column holds spans much of what the series does, on an average: a curve with a few points more than
 * columns, or a walk, goes only a little way in each. */
static bool is_noise(const struct series *s, int cols, double *room)
{
	const double much = 0.35;
	size_t each = (s->n + (size_t)cols - 1) / (size_t)cols + 1, windows = s->n / each;
	double sum = 0, all = spread_of(s, 0, s->n, room);
	for (size_t k = 0; k < windows; k++) {
		double lo = INFINITY, hi = -INFINITY;
		for (size_t i = k * each; i < (k + 1) * each; i++) {
			lo = fmin(lo, s->points[i].y);
			hi = fmax(hi, s->points[i].y);
		}
		sum += fmin(hi - lo, all);
	}
	return all > 0 && sum / (double)windows > much * all;
}

static bool series_new(struct series *s, const struct series *like)
{
	*s = *like;
	s->cap = s->n;
	s->points = malloc(s->n * sizeof *s->points);
	if (!s->points)
		return false;
	memcpy(s->points, like->points, s->n * sizeof *s->points);
	return true;
}

static void band_release(struct plot_band *b)
{
	free(b->low.points);
	free(b->high.points);
	free(b->beyond);
	*b = (struct plot_band){ 0 };
}

static bool band_new(struct plot_band *b, const struct series *s)
{
	b->beyond = malloc(s->n * sizeof *b->beyond);
	bool low = series_new(&b->low, s), high = series_new(&b->high, s);
	if (b->beyond && low && high)
		return true;
	band_release(b);
	return false;
}

/* Sets the quantiles around each point in the band and in `median`, and gathers what is farther beyond the band
 * than half its width. Steps and areas that are noise become a line. */
static void settle(struct series *median, struct plot_band *b, const struct series *s)
{
	double room[MOST_WINDOW];
	const size_t side = around(s->n), window = 2 * side + 1;
	for (size_t i = 0; i < s->n; i++) {
		size_t from = i < side ? 0 : i + side >= s->n ? s->n - window : i - side;
		size_t n = window;
		for (size_t k = 0; k < n; k++)
			room[k] = s->points[from + k].y;
		double y = s->points[i].y, low = quantile_select(room, n, 0.05);
		double high = quantile_select(room, n, 0.95);
		median->points[i].y = quantile_select(room, n, 0.5);
		b->low.points[i].y = low;
		b->high.points[i].y = high;
		if (y > high + (high - low) / 2 || y < low - (high - low) / 2)
			b->beyond[b->n_beyond++] = s->points[i];
	}
	median->style = b->low.style = b->high.style = SERIES_LINE;
}

/* Two tints in one place would be a third. */
static void median_alone(struct plot_band *b)
{
	b->low.n = b->high.n = b->n_beyond = 0;
}

static bool may_be_noise(const struct series *s, int cols)
{
	return !is_scatter(s) && s->style != SERIES_DASHED && s->n > (size_t)cols &&
	       s->n > 4 * LEAST_AROUND && is_plain_run(s);
}

static void calm_series(struct plot_calm *c, size_t series, const struct series *s, int cols)
{
	struct series median;
	double *room = malloc(s->n * sizeof *room);
	if (room && is_noise(s, cols, room) && series_new(&median, s)) {
		if (band_new(&c->bands[series], s)) {
			settle(&median, &c->bands[series], s);
			if (is_area(s))
				median_alone(&c->bands[series]);
			c->plot.series[series] = median;
		} else {
			free(median.points);
		}
	}
	free(room);
}

struct plot_calm plot_calm_of(const struct plot *p, int cols)
{
	struct plot_calm c = { .plot = *p };
	bool any = false;
	for (size_t i = 0; i < p->n_series; i++)
		any |= may_be_noise(&p->series[i], cols);
	struct series *series = any ? malloc(p->n_series * sizeof *series) : NULL;
	struct plot_band *bands = any ? calloc(p->n_series, sizeof *bands) : NULL;
	if (!series || !bands) {
		free(series);
		free(bands);
		return c;
	}
	memcpy(series, p->series, p->n_series * sizeof *series);
	c.plot.series = series;
	c.bands = bands;
	any = false;
	for (size_t i = 0; i < p->n_series; i++) {
		if (may_be_noise(&p->series[i], cols))
			calm_series(&c, i, &p->series[i], cols);
		any |= bands[i].low.points != NULL;
	}
	if (any)
		return c;
	plot_calm_release(&c);
	return (struct plot_calm){ .plot = *p };
}

void plot_calm_release(struct plot_calm *c)
{
	for (size_t i = 0; c->bands && i < c->plot.n_series; i++) {
		if (c->bands[i].low.points)
			free(c->plot.series[i].points);
		band_release(&c->bands[i]);
	}
	if (c->bands)
		free(c->plot.series);
	free(c->bands);
	*c = (struct plot_calm){ 0 };
}
