/* The interviewer's screen as the shell calls it: what its keys do, its clock, following the
 * candidate. */
#include "ui/screens/interviewer/interviewer_screen.h"

#include "ui/live/action.h"
#include "ui/practice/drill_summary.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/screens.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static enum opened open_interview(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	struct drill_request request = { .options.mode = MODE_INTERVIEW };
	if (strcmp(name, "interviewer") != 0)
		return OPEN_NOT_MINE;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return OPEN_FAILED;
	}
	if (drill_request_words(&request, words, n, err, err_size))
		return OPEN_FAILED;
	interviewer_release(interviewer_of(app));
	if (interviewer_begin(interviewer_of(app), &request, t, app_now_s(app), err, err_size))
		return OPEN_FAILED;
	interviewer_of(app)->history_stamp = app->history_stamp ? app->history_stamp() : 0;
	app_show(app, SCREEN_INTERVIEWER);
	app->entry = (struct entry){ 0 };
	return OPENED;
}

static void close_interview(struct app *app)
{
	interviewer_release(interviewer_of(app));
}

static void scroll_by(struct app *app, long by)
{
	struct interviewer *v = interviewer_of(app);
	struct rect body = frame_layout(app->rows, app->cols).body;
	struct rect r = interviewer_guide_rect(v, body);
	struct page p;
	interviewer_page(&p, v, interviewer_guide_part(body), app->now_ms, r.cols,
		app->glyphs == GLYPHS_ASCII);
	long last = (long)p.n_lines - r.rows, to = v->scroll + by;
	page_release(&p);
	to = to > last ? last : to;
	v->scroll = to > 0 ? to : 0;
}

static void begin_note(struct app *app, bool edits)
{
	struct interviewer *v = interviewer_of(app);
	const struct interviewer_note *last = interviewer_last_note(v);
	if (edits && !last) {
		app_say(app, "There is no note here yet; e begins one.");
		return;
	}
	v->edits = edits;
	v->note_at_ms = edits ? last->at_ms : session_total_ms(&v->session, app->now_ms);
	entry_begin(&app->entry, ENTRY_NOTE, 0);
	if (edits)
		entry_set(&app->entry, last->text);
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	assert(kind == ENTRY_NOTE);
	struct interviewer *v = interviewer_of(app);
	if (v->edits)
		interviewer_drop_note(v);
	bool empty = !text[strspn(text, " ")];
	char at[32];
	if (!empty && !interviewer_add_note(v, text, v->note_at_ms))
		app_say(app, "Out of memory: the note is lost.");
	else if (!empty)
		app_say(app, "Noted at %s.", drill_clock_text(v->note_at_ms, at, sizeof at));
	else if (v->edits)
		app_say(app, "The note is gone.");
	return true;
}

static void toggle_clock(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	bool was_code = v->shows_code, runs = v->session.paused;
	v->shows_code = false;
	if (interviewer_in_summary(v))
		app_say(app, "The clock stands while the summary is shown; p goes back.");
	else if (runs || !was_code)
		interviewer_clock(v, runs, app->now_ms);
}

static void move(struct app *app, enum action a)
{
	struct interviewer *v = interviewer_of(app);
	size_t to = v->at;
	if (v->shows_code) { /* any of these keys leads from the code back to the guide */
		v->shows_code = false;
		return;
	}
	if (a == ACT_LATER || a == ACT_EARLIER)
		to = interviewer_phase_stop(v, a == ACT_LATER ? 1 : -1);
	else if (a == ACT_NEXT)
		to = v->at + 1;
	else if (v->at > 0)
		to = interviewer_in_summary(v) ? v->back : v->at - 1;
	interviewer_go(v, to, app->now_ms);
}

/* One key too many must not end an interview, so the first q leads to the summary, which can be
 * left again. */
static bool quit(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	if (interviewer_in_summary(v) || !interviewer_begun(v, app->now_ms))
		return false;
	v->shows_code = false;
	interviewer_go(v, v->n_stops, app->now_ms);
	return true;
}

static bool back(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	if (v->shows_code && interviewer_begun(v, app->now_ms)) {
		v->shows_code = false;
		return true;
	}
	if (interviewer_in_summary(v)) {
		interviewer_go(v, v->back, app->now_ms);
		return true;
	}
	if (!interviewer_begun(v, app->now_ms))
		return false;
	app_say(app, "The interview goes on; q sums it up.");
	return true;
}

static bool act_scroll(struct app *app, enum action a)
{
	int page =
		interviewer_guide_rect(interviewer_of(app), frame_layout(app->rows, app->cols).body)
			.rows;
	enum { FAR = 1 << 20 };
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		scroll_by(app, a == ACT_UP ? -1 : 1);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		scroll_by(app, a == ACT_PAGE_UP ? 1 - page : page - 1);
		return true;
	case ACT_TOP:
	case ACT_BOTTOM:
		scroll_by(app, a == ACT_TOP ? -FAR : FAR);
		return true;
	default:
		return false;
	}
}

static bool act(struct app *app, enum action a)
{
	struct interviewer *v = interviewer_of(app);
	switch (a) {
	case ACT_PLAY:
		toggle_clock(app);
		return true;
	case ACT_NEXT:
	case ACT_PREVIOUS:
	case ACT_LATER:
	case ACT_EARLIER:
		move(app, a);
		return true;
	case ACT_MARK_1:
	case ACT_MARK_2:
	case ACT_MARK_3:
	case ACT_MARK_4:
		if (!v->shows_code)
			interviewer_mark(v, (unsigned)(a - ACT_MARK_1) + 1);
		return true;
	case ACT_NOTE:
	case ACT_EDIT_NOTE:
		begin_note(app, a == ACT_EDIT_NOTE);
		return true;
	case ACT_CODE:
		v->shows_code = !v->shows_code;
		return true;
	case ACT_QUIT:
		return quit(app);
	case ACT_BACK:
		return back(app);
	default:
		return act_scroll(app, a);
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct interviewer *v = interviewer_seen(app);
	bool summary = interviewer_in_summary(v) && !v->shows_code;
	switch (a) {
	case ACT_NEXT:
	case ACT_PLAY:
		return !summary;
	case ACT_LATER:
		return !summary && !v->shows_code && v->session.mode == MODE_INTERVIEW;
	case ACT_PREVIOUS:
		return summary;
	case ACT_MARK_1:
	case ACT_NOTE:
		return !v->shows_code;
	case ACT_BACK:
		return !interviewer_begun(v, app->now_ms);
	default:
		return true;
	}
}

/* In a wider window the guide has fewer lines, and the scroll may be beyond its end. */
static void settle(struct app *app)
{
	if (!too_small(app->rows, app->cols) && interviewer_of(app)->scroll > 0)
		scroll_by(app, 0);
}

/* Called once a second: when the history file has changed, it is read again. */
static void follow(struct app *app)
{
	struct interviewer *v = interviewer_of(app);
	uint64_t stamp = app->history_stamp ? app->history_stamp() : 0;
	struct history h;
	char err[256];
	if (stamp == v->history_stamp)
		return;
	v->history_stamp = stamp;
	if (app_history(app, &h, err, sizeof err)) {
		history_release(&h);
		app_say(app, "%s", err);
		return;
	}
	interviewer_follow(v, h, app->now_ms);
}

/* The clocks show whole seconds, so it is enough to wake at the next full second. */
static int tick(struct app *app, int64_t now_ms)
{
	const struct interviewer *v = interviewer_of(app);
	follow(app);
	if (v->session.paused || interviewer_in_summary(v))
		return app->history_stamp ? 1000 : -1;
	return (int)(1000 - session_total_ms(&v->session, now_ms) % 1000);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const char *code = interviewer_seen(app)->request.code;
	snprintf(trail, trail_size, "ridge › Interviewer: do not share this screen");
	snprintf(right, size, "%s%s", *code ? "code " : "", code);
}

static bool restore(struct app *app, const struct place *p)
{
	(void)p;
	if (!interviewer_of(app)->open)
		return false;
	app_show(app, SCREEN_INTERVIEWER);
	return true;
}

/* It has no `leave`: going elsewhere does not stop the clock, for the candidate goes on. */
const struct screen interviewer_screen = {
	.name = "the interviewer's screen",
	.word = "interviewer",
	.state_size = sizeof(struct interviewer),
	.open = open_interview,
	.close = close_interview,
	.title = title,
	.draw = interviewer_view_draw,
	.act = act,
	.acts = acts,
	.typed = typed,
	.tick = tick,
	.settle = settle,
	.restore = restore,
};
