#include "ui/screens/case/case_before.h"

#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/sheet.h"
#include "ui/term/paragraph.h"

#include <stdio.h>

enum { MEASURE = 76, NAME = 10, TIME = 9 };

/* A name in bold, a time where there is one, and what there is to say of it. */
static void row_of(struct sheet *s, const char *name, const char *time, const char *text)
{
	const int row = s->rows, from = NAME + (time ? TIME : 0);
	sheet_text(s, from, 0, text, STYLE_PLAIN, 0);
	canvas_text(&s->cv, row, 0, NAME, name, STYLE_PLAIN, ATTR_BOLD);
	if (time)
		canvas_text(&s->cv, row, NAME, TIME, time, STYLE_DIM, 0);
}

/* -- What it is about ------------------------------------------------------------------------- */

/* The sentence that the interviewer opens with, and what will judge the design. */
static void write_setting(const struct case_view *v, struct sheet *s)
{
	char text[400];
	sheet_text(s, 0, 0, v->opening, STYLE_PLAIN, 0);
	snprintf(text, sizeof text, "It is a case of %s. A simulation runs your design: %s.",
		v->c.area, v->c.sim->title);
	sheet_text(s, 0, 0, text, STYLE_DIM, 0);
	sheet_gap(s);
}

/* "You sat it 2 times, last a day ago, to its end: stats has what that came to." */
static void write_earlier(const struct case_view *v, int64_t now_s, struct sheet *s)
{
	enum { DAY_S = 24 * 60 * 60 };
	const struct case_earlier *e = &v->earlier;
	const long days = (long)((now_s - e->last.at_s) / DAY_S);
	char text[240], when[48], times[32], left[48], clock[32];
	if (!e->n)
		return;
	snprintf(times, sizeof times, e->n == 1 ? "once" : "%zu times", e->n);
	snprintf(when, sizeof when,
		days > 1    ? "%ld days ago"
		: days == 1 ? "a day ago"
			    : "less than a day ago",
		days);
	snprintf(left, sizeof left, "up to %s",
		drill_clock_text(e->last.clock_ms, clock, sizeof clock));
	snprintf(text, sizeof text, "You sat it %s, last %s, %s: stats has what that came to.",
		times, when, e->last.ended ? "to its end" : left);
	sheet_text(s, 0, 0, text, STYLE_PLAIN, 0);
	sheet_gap(s);
}

/* -- What will be asked ----------------------------------------------------------------------- */

static const char *phase_words(const struct case_view *v, int phase, char *buf, size_t size)
{
	const struct case_sitting *s = &v->sitting;
	switch (phase) {
	case CASE_CLARIFY:
		snprintf(buf, size, "ask for what was left out: nothing is told unasked");
		break;
	case CASE_ESTIMATE:
		snprintf(buf, size, "%zu numbers that decide, worked out on paper",
			v->c.drill.n_steps);
		break;
	case CASE_DESIGN:
		snprintf(buf, size, "%zu knobs of the simulation, turned until all goals are met",
			v->c.n_knobs);
		break;
	case CASE_TWIST:
		snprintf(buf, size, "what holds changes, %s: mend the design",
			s->deal.n_twists == 1 ? "once" : "more than once");
		break;
	default:
		snprintf(buf, size, "say what you would build, and what you would watch");
	}
	return buf;
}

static long minute_of(int64_t ms)
{
	return (long)((ms + CASE_MINUTE_MS / 2) / CASE_MINUTE_MS);
}

static void write_phases(const struct case_view *v, struct sheet *s)
{
	const struct sitting_plan plan = case_plan_of(&v->sitting, 0);
	char text[200], time[32];
	for (int i = 0; i < N_CASE_PHASES; i++) {
		/* Each end to the minute, so that they add up to the whole. */
		const long minutes = minute_of(plan.to_ms[i]) - minute_of(plan.from_ms[i]);
		if (minutes <= 0)
			continue;
		snprintf(time, sizeof time, "%3ld min", minutes);
		row_of(s, case_phase_names[i], time, phase_words(v, i, text, sizeof text));
	}
	sheet_gap(s);
}

/* -- The whole -------------------------------------------------------------------------------- */

static void write_keys(struct sheet *s)
{
	static const char *const keys[][2] = {
		{ "type", "a question, an answer, or a word that does more: help lists them" },
		{ "Tab", "to your knobs, and back to the line" },
		{ "Ctrl-N", "ends a phase before its time" },
		{ "Ctrl-P", "stops the clock; Esc leaves, and the case goes on later" },
		{ "end", "typed, shows the answers: then the clock stands for good" },
	};
	for (size_t i = 0; i < LENGTH(keys); i++)
		row_of(s, keys[i][0], NULL, keys[i][1]);
	sheet_gap(s);
}

static void write_state(const struct case_view *v, struct sheet *s)
{
	if (v->deals)
		sheet_text(s, 0, 0,
			"It is being dealt. Its designs are run first, so that all that it says is "
			"true; that takes some seconds, and the clock does not run.",
			STYLE_DIM, 0);
	else
		sheet_text(s, 0, 0,
			"Enter starts. Until then the clock stands and the interviewer is silent.",
			STYLE_ACCENT, ATTR_BOLD);
}

void case_before_draw(const struct case_view *v, int64_t now_s, struct canvas *cv, struct rect body)
{
	char text[400];
	struct sheet s;
	struct rect r = text_column(body, MEASURE);
	sheet_init(&s, r.cols, cv->glyphs);
	sheet_gap(&s);
	sheet_text(&s, 0, 0, v->wish.title, STYLE_ACCENT, ATTR_BOLD);
	sheet_gap(&s);
	if (v->ready)
		write_setting(v, &s);
	snprintf(text, sizeof text, "%u minutes in five phases. Have paper at hand.",
		v->wish.how.minutes);
	sheet_text(&s, 0, 0, text, STYLE_PLAIN, 0);
	if (v->ready)
		write_phases(v, &s);
	else
		sheet_gap(&s);
	write_keys(&s);
	if (v->ready)
		write_earlier(v, now_s, &s);
	write_state(v, &s);
	sheet_squeeze(&s, r.rows);
	/* In a tall window it stands where the eye rests, above the middle. */
	const int above = max_int(0, (r.rows - s.rows) / 3);
	r.row += above;
	r.rows -= above;
	sheet_show(&s, cv, r, 0);
	sheet_release(&s);
}
