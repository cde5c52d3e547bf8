/* The schedule of a skill that is right each time, as it is shown to who has no answers yet. */
#include "drills/fsrs.h"
#include "drills/schedule_example.h"
#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* The published stability of a first answer that was good is 2.3065 days, and further good ones of the same day
 * change it little: 2 whole days. From then on each interval is longer than the one before. */
Test(schedule_example, comes_back_later_each_time)
{
	long days[EXAMPLE_REVIEWS], before = 0, interval = 0;
	cr_assert(eq(sz, schedule_example_days(days, EXAMPLE_REVIEWS), EXAMPLE_REVIEWS));
	cr_expect(eq(long, days[0], 2));
	for (size_t i = 0; i < EXAMPLE_REVIEWS; i++) {
		cr_expect(lt(long, interval, days[i] - before), "review %zu", i);
		interval = days[i] - before;
		before = days[i];
	}
}

/* It is answered when recall has fallen to what the schedule waits for, up to half a day of rounding, and never
 * much below. */
Test(schedule_example, is_answered_when_it_is_about_to_be_forgotten)
{
	struct figure f = { 0 };
	schedule_example_figure(&f);
	cr_assert(eq(sz, f.n_blocks, 1));
	const struct series *s = &f.blocks[0]->as.plot.series[0];
	double least = 100, most = 0;
	for (size_t i = 0; i < s->n; i++) {
		least = s->points[i].y < least ? s->points[i].y : least;
		most = s->points[i].y > most ? s->points[i].y : most;
	}
	cr_expect(eq(dbl, most, 100));
	cr_expect(lt(dbl, 100 * fsrs_defaults.retention - 2, least));
	cr_expect(lt(dbl, least, 100 * fsrs_defaults.retention + 2));
	figure_release(&f);
}
