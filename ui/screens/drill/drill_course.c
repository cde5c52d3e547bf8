/* The course of a drill session: answers, problems, phases, and the clock. */
#include "ui/screens/drill/drill_act.h"
#include "ui/screens/drill/drill_program.h"

#include <stdio.h>
#include <string.h>

void drill_pause(struct app *app)
{
	drill_put_line_away(app);
	if (!drill_of(app)->desk.ready)
		session_pause(&drill_of(app)->session, app->now_ms);
}

void drill_resume(struct app *app)
{
	session_resume(&drill_of(app)->session, app->now_ms);
	drill_take_line_up(app);
}

/* A history that cannot be written costs a message, never the session. */
static void record(
	struct app *app, const struct session_item *item, enum history_kind kind, const char *given)
{
	char err[256];
	const char *mode = mode_names[drill_of(app)->session.mode];
	struct history_event e = history_event_of(item, kind, given, mode, app_now_s(app));
	if (!drill_of(app)->request.forget && app->record && app->record(&e, err, sizeof err))
		app_say(app, "%s", err);
}

/* A sprint whose time is up takes the open problem with it. */
bool drill_run_out(struct app *app)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	if (!d->open || d->session.mode != MODE_SPRINT || session_done(&d->session) ||
		!session_tick(&d->session, app->now_ms))
		return false;
	if (item && !item->closed)
		record(app, item, HISTORY_TIMED_OUT, "");
	app->entry = (struct entry){ 0 };
	app_say(app, "Time is up.");
	return true;
}

/* What belonged to the problem before. The pad goes with it; but what was worked out for the
 * estimate of an interview is there for its design. */
static void clear_desk(struct app *app)
{
	struct drill_view *d = drill_of(app);
	struct drill_desk *desk = &d->desk;
	app->entry = desk->line = desk->pad_line = (struct entry){ 0 };
	memset(desk->own, 0, sizeof desk->own);
	drill_program_release(&d->program);
	desk->gave_up = desk->in_pad = false;
	if (d->session.mode != MODE_INTERVIEW || d->session.phase >= PHASE_DRILL) {
		desk->pad.n = 0;
		desk->pad_open = false;
	}
	d->scroll = 0;
}

void drill_next(struct app *app)
{
	struct drill_session *s = &drill_of(app)->session;
	session_next(s, app->now_ms);
	clear_desk(app);
	if (!session_done(s))
		drill_resume(app);
}

/* Problems that were never seen leave nothing in the history. */
void drill_next_phase(struct app *app)
{
	struct drill_session *s = &drill_of(app)->session;
	const struct session_item *item = drill_view_item(drill_of(app));
	bool open = item && !item->closed;
	size_t before = s->current;
	session_next_phase(s, app->now_ms);
	if (open)
		record(app, item, HISTORY_GAVE_UP, "");
	clear_desk(app);
	if (!session_done(s))
		drill_resume(app);
	size_t left = s->current - before - (item && !open);
	if (left)
		app_say(app, "%zu problem%s left unanswered.", left, left == 1 ? "" : "s");
}

void drill_start(struct app *app)
{
	drill_of(app)->desk.ready = false;
	drill_resume(app);
}

/* What was answered to a part stays in sight. */
static void keep_own(
	struct app *app, const struct session_item *item, size_t step, const char *text)
{
	struct own_answer *own = &drill_of(app)->desk.own[step];
	if (!item->grade.attempt_used)
		return;
	snprintf(own->text, sizeof own->text, "%.60s", text);
	while (*own->text && ((unsigned char)own->text[strlen(own->text) - 1] & 0xc0) == 0x80)
		own->text[strlen(own->text) - 1] = '\0';
	own->verdict = item->grade.verdict;
	own->follow_through = item->grade.follow_through;
}

void drill_view_answer(struct app *app, const char *text)
{
	struct drill_view *d = drill_of(app);
	const struct session_item *item = drill_view_item(d);
	if (drill_run_out(app) || drill_state(d) != DRILL_OPEN)
		return;
	if (!text[strspn(text, " ")]) {
		snprintf(app->entry.error, sizeof app->entry.error,
			"type an answer; Tab gives a hint, Ctrl-G gives up");
		return;
	}
	if (item->variant.program) {
		drill_program_assess(app, text);
		return;
	}
	size_t step = item->variant.step;
	session_answer(&d->session, text, app->now_ms);
	record(app, item, HISTORY_ANSWER, text);
	keep_own(app, item, step, text);
	if (item->closed || item->variant.step > step) {
		d->desk.line = (struct entry){ 0 };
		drill_take_line_up(app);
		drill_show_newest(app);
	} else {
		app->entry.cursor = app->entry.bytes; /* what was typed stays, to be mended */
	}
}

void drill_graded(struct app *app, const struct grade *g, const char *given)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	if (session_answer_graded(&drill_of(app)->session, g, app->now_ms))
		record(app, item, HISTORY_ANSWER, given);
}

void drill_hint(struct app *app)
{
	if (!session_hint(&drill_of(app)->session))
		app_say(app, "There is no further hint.");
	drill_show_newest(app);
}

void drill_give_up(struct app *app)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	session_give_up(&drill_of(app)->session, app->now_ms);
	record(app, item, HISTORY_GAVE_UP, "");
	drill_of(app)->desk.gave_up = true;
	drill_of(app)->desk.in_pad = false;
	app->entry = (struct entry){ 0 };
	drill_show_newest(app);
}
