/* The mode decides which clock is shown: the time left of a sprint or a phase, or the time spent on
 * a problem beside its par. */
#include "ui/screens/drill/drill_clock.h"

#include "sims/base/minmax.h"
#include "ui/practice/drill_summary.h"
#include "ui/term/pane.h"
#include "ui/views/clock.h"
#include "ui/screens/drill/drill_state.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The time left is rounded up, so that 0:01 stays until the very end. */
static void left_text(int64_t ms, char *buf, size_t size)
{
	drill_clock_text(ms > 0 ? (ms + 999) / 1000 * 1000 : -ms, buf, size);
}

static int64_t limit_ms(const struct drill_session *s)
{
	return (int64_t)(s->limit_s * 1000 + 0.5);
}

/* "WRAP UP  0:29 left of 2:00" */
static void clock_words(const struct app *app, char *buf, size_t size)
{
	const struct drill_session *s = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	enum timer_state state = session_timer(s, app->now_ms);
	char now[32], of[32];
	bool closed = item && item->closed && s->limit_s <= 0;
	const char *word = s->paused && !closed          ? "PAUSED"
			   : closed || state == TIMER_OK ? ""
							 : timer_names[state];
	buf[0] = '\0';
	if (drill_seen(app)->look) /* looking back after the end: no clock runs */
		return;
	if (s->mode == MODE_SPRINT) {
		left_text(limit_ms(s) - session_total_ms(s, app->now_ms), now, sizeof now);
		drill_clock_text(limit_ms(s), of, sizeof of);
		snprintf(buf, size, "%s%s%s left of %s", word, *word ? "  " : "", now, of);
	} else if (s->mode == MODE_INTERVIEW) {
		struct pacing p = session_pacing(s, app->now_ms);
		left_text(p.phase_left_ms, now, sizeof now);
		snprintf(buf, size, "%s%s%s %s", word, *word ? "  " : "", now,
			p.phase_left_ms > 0 ? "left in this phase" : "behind the plan");
	} else if (session_has_clock(s) && item) {
		drill_clock_text(session_spent_ms(s, app->now_ms), now, sizeof now);
		drill_clock_text((int64_t)(item->variant.drill->par_s * 1000), of, sizeof of);
		snprintf(buf, size, "%s%s%s of %s par", word, *word ? "  " : "", now, of);
	} else if (s->paused && !closed) {
		snprintf(buf, size, "PAUSED");
	}
}

static enum style clock_style(const struct app *app)
{
	const struct drill_session *s = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	enum timer_state state = session_timer(s, app->now_ms);
	if (item && item->closed && s->limit_s <= 0)
		return STYLE_DIM; /* its time is over, one way or the other */
	return state == TIMER_OK ? STYLE_PLAIN : state == TIMER_OVER ? STYLE_BAD : STYLE_WARN;
}

/* "clarify › [estimate] › design › drill › wrap up" */
static int draw_phases(const struct drill_session *s, struct canvas *cv, struct rect r)
{
	int col = r.col;
	for (int i = 0; i < N_INTERVIEW_PHASES; i++) {
		bool here = s->phase == (enum phase)i;
		char name[32];
		snprintf(name, sizeof name, here ? "[%s]" : "%s", interview_phases[i].name);
		if (i > 0)
			col += canvas_text(
				cv, r.row, col, r.col + r.cols - col, " › ", STYLE_DIM, 0);
		col += canvas_text(cv, r.row, col, r.col + r.cols - col, name,
			here ? STYLE_ACCENT : STYLE_DIM, here ? ATTR_BOLD : 0);
	}
	return col - r.col;
}

/* "3 of 10   KV cache of a batch", "1 of 5, part 1 of 4   A large model"; in an interview counted within the phase. While a pause hides
 * the problem, its title is hidden as well. */
static void place_words(const struct app *app, char *buf, size_t size)
{
	const struct drill_view *d = drill_seen(app);
	const struct drill_session *s = &d->session;
	const struct session_item *item = drill_view_item(d);
	size_t at = (item ? (size_t)(item - s->items) : s->current) + 1, n = s->n, used = 0;
	buf[0] = '\0';
	if (s->mode == MODE_INTERVIEW && !d->look) {
		used = (size_t)snprintf(
			buf, size, "Phase %d of %d", (int)s->phase + 1, (int)N_INTERVIEW_PHASES);
		for (size_t i = 0; i < s->n; i++) {
			n -= s->items[i].phase != s->phase;
			at -= s->items[i].phase < s->phase;
		}
	}
	if (!item || used >= size)
		return;
	/* An interview does not announce its subject. */
	bool hidden = drill_state(d) == DRILL_HIDDEN || (s->mode == MODE_INTERVIEW && !d->look);
	const struct variant *v = &item->variant;
	const bool parts = v->n_steps > 1 && !item->closed;
	char part[48] = "";
	if (parts)
		snprintf(part, sizeof part, ", part %zu of %zu", v->step + 1, v->n_steps);
	snprintf(buf + used, size - used, "%s%zu of %zu%s%s%s", used ? ", problem " : "", at, n,
		part, hidden ? "" : "   ", hidden ? "" : v->drill->title);
}

/* How much of the time that is shown has passed; NAN: there is no such time. */
static double passed_share(const struct app *app)
{
	const struct drill_session *s = &drill_seen(app)->session;
	const struct session_item *item = drill_view_item(drill_seen(app));
	if (drill_seen(app)->look)
		return NAN;
	if (s->mode == MODE_INTERVIEW && s->phase < N_INTERVIEW_PHASES) {
		const struct pacing p = session_pacing(s, app->now_ms);
		const double planned_ms = (double)p.planned_ms[s->phase];
		return planned_ms > 0 ? 1 - (double)p.phase_left_ms / planned_ms : 1;
	}
	if (s->mode == MODE_SPRINT)
		return (double)session_total_ms(s, app->now_ms) / (double)limit_ms(s);
	if (!session_has_clock(s) || !item || !(item->variant.drill->par_s > 0))
		return NAN;
	return (double)session_spent_ms(s, app->now_ms) / (1000 * item->variant.drill->par_s);
}

/* What has passed is heavy, as soon as anything has; what is left is dotted up to the end. */
static void draw_rail(const struct pane *p, int col, int cols, double share, enum style style)
{
	const int passed = share > 0 ? max_int(1, (int)floor(fmin(share, 1) * cols)) : 0;
	for (int i = 0; i < cols; i++)
		if (i < passed)
			pane_put(p, 0, col + i, glyph_or(p->cv->glyphs, 0x2501, '='), style,
				ATTR_BOLD);
		else
			pane_put(p, 0, col + i, glyph_or(p->cv->glyphs, 0x00b7, '.'), STYLE_DIM, 0);
	pane_put(p, 0, col + cols, glyph_or(p->cv->glyphs, 0x2524, '|'), STYLE_DIM, 0);
}

/* The clock as a line that fills, left of its numbers where there is room; the title keeps its own. */
static void draw_passed(
	const struct app *app, struct canvas *cv, struct rect r, int left, int right)
{
	enum { MOST = 16, LEAST = 6, GAP = 2 };
	const double share = passed_share(app);
	const int cols = min_int(MOST, r.cols - right - left - 2 * GAP - 1);
	const int col = r.col + r.cols - right - GAP - cols;
	if (isnan(share) || cols < LEAST)
		return;
	const struct pane p = pane_of(cv, r);
	const enum style style = clock_style(app);
	draw_rail(&p, col - r.col, cols, share, style == STYLE_PLAIN ? STYLE_ACCENT : style);
}

static void draw_row(
	struct canvas *cv, struct rect r, const char *left, const char *right, enum style style)
{
	int room = r.cols - (*right ? text_cols(right, cv->glyphs) + 2 : 0);
	canvas_text_right(
		cv, r.row, r.col, r.cols, right, style, style == STYLE_DIM ? 0 : ATTR_BOLD);
	const struct pane p = pane_of(cv, r);
	pane_words(&p, 0, 0, max_int(room, 0), left, STYLE_DIM, 0);
}

bool drill_clock_is_shown(const struct app *app)
{
	char clock[96];
	clock_words(app, clock, sizeof clock);
	return strpbrk(clock, "0123456789");
}

void drill_clock_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	enum { MOST = 40 };
	char clock[96];
	clock_words(app, clock, sizeof clock);
	const enum style style = clock_style(app);
	if (!clock_draw(cv, r, clock, style))
		return;
	const double share = passed_share(app);
	const struct pane p =
		pane_of(cv, (struct rect){ r.row + clock_rows(cv->glyphs), r.col, 1, r.cols });
	if (!isnan(share))
		draw_rail(&p, 0, min_int(MOST, r.cols - 1), share,
			style == STYLE_PLAIN ? STYLE_ACCENT : style);
}

int drill_head_draw(const struct app *app, bool timed, struct canvas *cv, struct rect r)
{
	const struct drill_session *s = &drill_seen(app)->session;
	char place[160], clock[96], all[64], time[32];
	place_words(app, place, sizeof place);
	clock_words(app, clock, sizeof clock);
	if (!timed)
		*clock = '\0';
	if (s->mode == MODE_INTERVIEW && !drill_seen(app)->look) {
		int64_t left_ms = session_pacing(s, app->now_ms).left_ms;
		left_text(left_ms, time, sizeof time);
		snprintf(
			all, sizeof all, left_ms > 0 ? "%s left in all" : "%s over the time", time);
		draw_row(cv, r, "", all, STYLE_DIM);
		r.cols -= text_cols(all, cv->glyphs) + 2;
		draw_phases(s, cv, r);
		r.cols += text_cols(all, cv->glyphs) + 2;
		r.row++;
	}
	draw_row(cv, r, place, clock, clock_style(app));
	if (timed)
		draw_passed(app, cv, r, text_cols(place, cv->glyphs), text_cols(clock, cv->glyphs));
	return s->mode == MODE_INTERVIEW && !drill_seen(app)->look ? 2 : 1;
}

int drill_clock_tick(const struct app *app)
{
	const struct drill_view *d = drill_seen(app);
	const struct drill_session *s = &d->session;
	const struct session_item *item = drill_view_item(d);
	bool whole = s->limit_s > 0;
	if (!d->open || d->desk.ready || s->paused || session_done(s) || !session_has_clock(s) ||
		(!whole && (!item || item->closed)))
		return -1;
	int64_t shown_ms =
		whole ? session_total_ms(s, app->now_ms) : session_spent_ms(s, app->now_ms);
	/* The end of a sprint must be noticed at once, even between two full seconds. */
	if (s->mode == MODE_SPRINT)
		return (int)((limit_ms(s) - shown_ms + 999) % 1000 + 1);
	return (int)(1000 - shown_ms % 1000);
}
