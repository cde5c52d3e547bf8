/* The y axis over a turn: it stays where the curve still fits, and follows where it does not. */
#include "ui/live/kept_axes.h"
#include "ui/views/plot_scale.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static void draw(struct figure *fig, enum axis_scale scale, const char *unit, double lo, double hi)
{
	struct plot *p = figure_plot(fig, "t", "x", "", AXIS_LINEAR, "y", unit, scale);
	struct series *s = plot_series(fig, p, "s", SERIES_LINE, MEANS_COMPUTE);
	series_point(fig, s, 0, lo);
	series_point(fig, s, 1, hi);
}

Test(kept_axes, an_axis_stays_while_the_curve_fits)
{
	static const struct {
		const char *what;
		enum axis_scale scale;
		double was_lo, was_hi, lo, hi;
		bool kept;
	} rows[] = {
		{ "a little lower", AXIS_LINEAR, 1, 80, 1, 72, true },
		/* 40 of 80 are half the height, 39 are less */
		{ "half as high", AXIS_LINEAR, 0, 80, 0, 40, true },
		{ "less than half", AXIS_LINEAR, 0, 80, 0, 39, false },
		{ "higher", AXIS_LINEAR, 0, 80, 0, 81, false },
		{ "it begins lower", AXIS_LINEAR, 10, 80, 9, 70, false },
		/* a level line at 50 takes 50 of 80, counted from the zero that is shown */
		{ "a level line", AXIS_LINEAR, 20, 80, 50, 50, true },
		/* without a zero in sight it takes nothing */
		{ "a level line far from zero", AXIS_LINEAR, 90, 99, 95, 95, false },
		/* two of four decades, then one and a half */
		{ "half of the decades", AXIS_LOG10, 1, 1e4, 10, 1001, true },
		{ "fewer decades", AXIS_LOG10, 1, 1e4, 10, 316, false },
		{ "below zero", AXIS_LINEAR, -10, 10, -5, 6, true },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure was = { 0 }, now = { 0 };
		draw(&was, rows[i].scale, "s", rows[i].was_lo, rows[i].was_hi);
		draw(&now, rows[i].scale, "s", rows[i].lo, rows[i].hi);
		keep_axes(&now, &was);
		struct plot_range y = plot_extent_of(&now.blocks[0]->as.plot, NULL).y;
		cr_expect(eq(dbl, y.lo, rows[i].kept ? rows[i].was_lo : rows[i].lo), "%s",
			rows[i].what);
		cr_expect(eq(dbl, y.hi, rows[i].kept ? rows[i].was_hi : rows[i].hi), "%s",
			rows[i].what);
		figure_release(&was);
		figure_release(&now);
	}
}

/* From 80 to 70, then to 60: the axis still reaches 80. Below the half of it it follows, and what it
 * reached before is forgotten. */
Test(kept_axes, it_is_kept_over_many_turns)
{
	static const double tops[] = { 80, 70, 60, 30, 25 }, reach[] = { 80, 80, 80, 30, 30 };
	struct figure last = { 0 };
	draw(&last, AXIS_LINEAR, "s", 0, tops[0]);
	for (size_t i = 1; i < sizeof tops / sizeof *tops; i++) {
		struct figure now = { 0 };
		draw(&now, AXIS_LINEAR, "s", 0, tops[i]);
		keep_axes(&now, &last);
		cr_expect(eq(dbl, plot_extent_of(&now.blocks[0]->as.plot, NULL).y.hi, reach[i]));
		figure_release(&last);
		last = now;
	}
	figure_release(&last);
}

/* Milliseconds are not measured against seconds. */
Test(kept_axes, another_unit_is_another_axis)
{
	struct figure was = { 0 }, now = { 0 };
	draw(&was, AXIS_LINEAR, "s", 0, 80);
	draw(&now, AXIS_LINEAR, "ms", 0, 70);
	keep_axes(&now, &was);
	cr_expect(eq(dbl, plot_extent_of(&now.blocks[0]->as.plot, NULL).y.hi, 70));
	figure_release(&was);
	figure_release(&now);
}
