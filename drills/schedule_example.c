#include "drills/schedule_example.h"

#include "drills/fsrs.h"

#include <math.h>

/* The card as it is left on a day of the example, after the answers of that day. Returns the time of the next
 * answer. */
static int64_t answer_day(struct fsrs_card *card, int64_t now_s)
{
	const int64_t day = now_s / CALENDAR_DAY_S;
	do
		fsrs_review(card, &fsrs_defaults, FSRS_GOOD, now_s);
	while ((now_s = card->due_s) / CALENDAR_DAY_S == day);
	return now_s;
}

size_t schedule_example_days(long days[], size_t n)
{
	struct fsrs_card card = { 0 };
	int64_t now_s = 0;
	for (size_t i = 0; i < n; i++) {
		now_s = answer_day(&card, now_s);
		days[i] = (long)(now_s / CALENDAR_DAY_S);
	}
	return n;
}

/* Recall falls from one answer to the next, and there is back at all of it. */
static void add_fall(
	struct figure *fig, struct series *s, const struct fsrs_card *card, int64_t until_s)
{
	enum { POINTS = 24 };
	const double from = (double)card->last_s, span = (double)until_s - from;
	for (int i = 0; i <= POINTS; i++) {
		const double at = span * i / POINTS;
		series_point(fig, s, (from + at) / CALENDAR_DAY_S,
			100 * fsrs_recall(fsrs_defaults.w, at / CALENDAR_DAY_S,
				      card->memory.stability_days));
	}
}

void schedule_example_figure(struct figure *fig)
{
	enum { LOWEST = 85 };
	const double least = 100 * fsrs_defaults.retention;
	/* The rule's own name would stand beside the sign that breaks the axis, and look like a part of it. */
	struct plot *p = figure_plot(fig,
		figure_text(fig, "An example: one skill, right each time, back at %.0f %%", least),
		"days", "", AXIS_LINEAR, "recall", "%", AXIS_LINEAR);
	struct series *s = plot_series(fig, p, "recall", SERIES_LINE, MEANS_COMPUTE);
	struct fsrs_card card = { 0 };
	int64_t now_s = 0;
	plot_rule(fig, p, true, least, "", ROLE_DIM);
	if (p) {
		p->y.min = LOWEST;
		p->y.max = 100;
	}
	for (size_t i = 0; i + 1 < EXAMPLE_REVIEWS; i++) {
		now_s = answer_day(&card, now_s);
		add_fall(fig, s, &card, now_s);
	}
}
