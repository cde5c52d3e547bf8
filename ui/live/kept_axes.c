#include "ui/live/kept_axes.h"

#include "ui/views/plot_scale.h"

#include <math.h>
#include <string.h>

/* Of the height that data must take for its axis to be kept. */
static const double least_share = 0.5;

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool same_axis(const struct axis *a, const struct axis *b)
{
	return a->scale == b->scale && same_text(a->title, b->title) && same_text(a->unit, b->unit);
}

/* What the axis shows, in its own measure: logarithms where it has them, and down to zero where a
 * linear axis would show that as well. */
static struct plot_range measured(const struct axis *a, struct plot_range r)
{
	if (a->scale != AXIS_LINEAR)
		return (struct plot_range){ log(r.lo), log(r.hi) };
	bool from_zero = r.lo > 0 && r.lo <= 2.0 / 3 * r.hi;
	return (struct plot_range){ from_zero ? 0 : r.lo, r.hi };
}

static bool is_good_part(const struct axis *a, struct plot_range part, struct plot_range all)
{
	struct plot_range p = measured(a, part), q = measured(a, all);
	if (q.lo == 0 && a->scale == AXIS_LINEAR)
		p.lo = fmin(p.lo, 0);
	return p.hi - p.lo >= least_share * (q.hi - q.lo);
}

static void keep_axis(struct plot *now, const struct plot *before)
{
	if (!same_axis(&now->x, &before->x) || !same_axis(&now->y, &before->y))
		return;
	struct plot_range was = plot_extent_of(before, NULL).y, is = plot_extent_of(now, NULL).y;
	if (!(was.lo <= was.hi && is.lo <= is.hi))
		return;
	if (is.lo < was.lo || is.hi > was.hi || !is_good_part(&now->y, is, was))
		return;
	now->y.reach_lo = was.lo;
	now->y.reach_hi = was.hi;
}

void keep_axes(struct figure *now, const struct figure *before)
{
	for (size_t i = 0; i < now->n_blocks && i < before->n_blocks; i++)
		if (now->blocks[i]->kind == BLOCK_PLOT && before->blocks[i]->kind == BLOCK_PLOT)
			keep_axis(&now->blocks[i]->as.plot, &before->blocks[i]->as.plot);
}
