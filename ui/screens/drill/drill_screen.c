/* A drill as a screen of the explorer: what its keys do in each state. */
#include "ui/screens/drill/drill_clock.h"
#include "sims/base/array.h"
#include "ui/screens/drill/drill_draw.h"
#include "ui/screens/drill/drill_picture.h"
#include "ui/screens/drill/drill_result.h"
#include "ui/screens/drill/drill_session.h"
#include "ui/screens/screens.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- ways on from a closed problem: its numbers as knobs, its simulation, its paragraph */

/* Opens the problem's own numbers with each parameter as a knob (for every drill that has a formula this shows all of
 * them, which its simulation may not), or the simulation of its subject when that is asked for or there is no formula. */
static void open_numbers(struct app *app, bool subject)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	char target[1024];
	if (!item || !item->closed)
		return;
	bool formula = !subject && drill_formula_target(&item->variant, target, sizeof target);
	if (!formula && !item->variant.sim)
		return;
	if (!formula)
		snprintf(target, sizeof target, "sim:%s", item->variant.sim);
	app_go_to(app, target);
}

static void open_paragraph(struct app *app)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	if (item && item->closed && item->variant.page)
		app_go_to_page(app, item->variant.page);
}

/* --- keys */

/* Scrolls to what has just been added, now that all of it is there to be measured. */
static void show_newest(struct app *app)
{
	struct drill_view *d = drill_of(app);
	if (d->to_newest)
		d->scroll = drill_view_newest(app);
	d->to_newest = false;
}

static void scroll(struct app *app, long by)
{
	show_newest(app);
	long last = drill_view_last_scroll(app), to = drill_of(app)->scroll;
	to = (to < last ? to : last) + by;
	drill_of(app)->scroll = to < 0 ? 0 : to < last ? to : last;
}

/* Over an open problem it turns the text; the arrows choose an option. */
static bool wheel(struct app *app, int by, struct rect body, int row, int col)
{
	(void)body, (void)row, (void)col;
	if (drill_state(drill_of(app)) != DRILL_OPEN)
		return false;
	scroll(app, by);
	return true;
}

static bool scroll_act(struct app *app, enum action a)
{
	const long far = 100000;
	switch (a) {
	case ACT_UP:
		if (!drill_take_back(app))
			scroll(app, -1);
		break;
	case ACT_DOWN:
		scroll(app, 1);
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		scroll(app, (a == ACT_PAGE_UP ? -1 : 1) * drill_view_page(app));
		break;
	case ACT_TOP:
	case ACT_BOTTOM:
		scroll(app, a == ACT_TOP ? -far : far);
		break;
	default:
		return false;
	}
	return true;
}

/* Puts the number of the option above or below into the line, of one that is to be chosen. */
static bool choose(struct app *app, int by)
{
	const struct session_item *item = drill_view_item(drill_of(app));
	const struct variant_step *step = &item->variant.steps[item->variant.step];
	char text[16];
	if (step->step->kind != KIND_CHOICE || app->entry.kind != ENTRY_ANSWER)
		return false;
	const long at = strtol(app->entry.text, NULL, 10), n = (long)step->n_options;
	const long to = at + by < 1 ? 1 : at + by > n ? n : at + by;
	snprintf(text, sizeof text, "%ld", to);
	entry_set(&app->entry, text);
	return true;
}

/* While a problem is open, or in a phase of talk. */
static bool act_working(struct app *app, enum action a, bool open)
{
	struct drill_desk *desk = &drill_of(app)->desk;
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		return open && choose(app, a == ACT_UP ? -1 : 1);
	case ACT_HINT:
		if (desk->in_pad)
			drill_to_pad(app, false);
		else if (open)
			drill_hint(app);
		break;
	case ACT_SCRATCH:
		desk->pad_open = true;
		drill_to_pad(app, !desk->in_pad);
		break;
	case ACT_COPY_RESULT:
		drill_copy_result(app);
		break;
	case ACT_GIVE_UP:
		if (open)
			drill_give_up(app);
		break;
	case ACT_ENTER:
	case ACT_EDIT:
		if (!open || !drill_program_open(drill_of(app)))
			return false;
		drill_of(app)->program.asks = a == ACT_ENTER ? PROGRAM_RUN : PROGRAM_EDIT;
		app->works = true;
		app_say(app, a == ACT_ENTER ? "Running ..." : "Waiting for the editor ...");
		break;
	case ACT_UNDO:
		if (!open || !drill_of(app)->program.left_s)
			return false;
		drill_program_as_given(app);
		break;
	case ACT_BACK:
		if (!desk->in_pad)
			return false;
		drill_to_pad(app, false);
		desk->pad_open = false;
		break;
	default:
		return false;
	}
	return true;
}

static bool act_closed(struct app *app, enum action a)
{
	switch (a) {
	case ACT_ENTER:
	case ACT_SKIP:
		drill_next(app);
		break;
	case ACT_SIMULATE:
		open_numbers(app, false);
		break;
	case ACT_SUBJECT:
		open_numbers(app, true);
		break;
	case ACT_OPEN_PAGE:
		open_paragraph(app);
		break;
	default:
		return false;
	}
	return true;
}

static bool is_running(const struct drill_view *d)
{
	return !d->desk.ready && !session_done(&d->session) && !d->session.paused;
}

/* Keys that work whether or not a problem is open. Leaving a session against the clock takes two
 * steps, a pause first, so that one key too many does not end an interview. */
static bool act_always(struct app *app, enum action a)
{
	struct drill_view *d = drill_of(app);
	switch (a) {
	case ACT_PAUSE:
		if (is_running(d))
			drill_pause(app);
		else if (drill_state(d) == DRILL_HIDDEN)
			drill_resume(app);
		return true;
	case ACT_NEXT_PHASE:
		if (d->session.mode == MODE_INTERVIEW && is_running(d))
			drill_next_phase(app);
		return true;
	case ACT_HELP:
		d->desk.in_help = is_running(d);
		if (d->desk.in_help)
			drill_pause(app);
		return false;
	case ACT_BACK:
		if (is_running(d) && d->session.limit_s > 0) {
			drill_pause(app);
			return true;
		}
		if (drill_stop(app))
			return true;
		drill_pause(app);
		return false;
	default:
		return scroll_act(app, a);
	}
}

static bool act(struct app *app, enum action a)
{
	struct drill_view *d = drill_of(app);
	bool done = false;
	if (drill_run_out(app))
		return true; /* the key was meant for the problem that has just ended */
	if (drill_result_act(app, a))
		return true;
	switch (drill_state(d)) {
	case DRILL_NOTHING:
		if (a == ACT_ENTER)
			app_go_to(app, "drill");
		return a == ACT_ENTER || a == ACT_PAUSE;
	case DRILL_READY:
		done = a == ACT_ENTER || a == ACT_REROLL;
		if (a == ACT_REROLL)
			drill_begin_again(app);
		else if (done)
			drill_start(app);
		break;
	case DRILL_HIDDEN:
		done = a == ACT_ENTER;
		if (done)
			drill_resume(app);
		break;
	case DRILL_TALK:
	case DRILL_OPEN:
		done = act_working(app, a, drill_state(d) == DRILL_OPEN);
		break;
	case DRILL_CLOSED:
		done = act_closed(app, a);
		break;
	case DRILL_DONE:
		break;
	}
	return done || act_always(app, a);
}

static int tick(struct app *app, int64_t now_ms)
{
	(void)now_ms;
	return drill_run_out(app) ? -1 : drill_clock_tick(app);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct drill_view *d = drill_seen(app);
	const char *mode = mode_names[d->session.mode];
	char subject[100];
	snprintf(trail, trail_size, "ridge › Drill › %c%s", *mode - 'a' + 'A', mode + 1);
	if (d->request.nothing_due)
		return;
	drill_request_subject(&d->request, subject, sizeof subject);
	/* One drill by its title, whose id was asked for. */
	const struct drill *first = d->session.n ? d->session.items[0].variant.drill : NULL;
	snprintf(trail, trail_size, "ridge › Drill › %c%s › %s", *mode - 'a' + 'A', mode + 1,
		first && strcmp(first->id, subject) == 0 ? first->title : subject);
	if (d->request.code[0] && drill_state(d) == DRILL_READY)
		return; /* the sheet has it, in large letters */
	if (d->request.code[0])
		snprintf(right, size, "code %s", d->request.code);
	else
		snprintf(right, size, "seed %llu", (unsigned long long)d->session.seed);
}

static bool acts(const struct app *app, enum action a)
{
	const struct drill_view *d = drill_seen(app);
	const struct session_item *item = drill_view_item(d);
	enum drill_state state = drill_state(d);
	if (state == DRILL_NOTHING)
		return a == ACT_ENTER || a == ACT_BACK || a == ACT_PALETTE || a == ACT_HELP;
	if (!drill_result_acts(app, a))
		return false;
	bool open = state == DRILL_OPEN && !d->desk.in_pad, talk = state == DRILL_TALK;
	switch (a) {
	case ACT_ENTER:
		if (state == DRILL_READY || state == DRILL_HIDDEN || state == DRILL_DONE)
			return true;
		return open && (drill_line_kind(d) == ENTRY_ANSWER || drill_program_open(d));
	case ACT_REROLL:
		return state == DRILL_READY;
	case ACT_EDIT:
		return open && drill_program_open(d) && drill_line_kind(d) == ENTRY_NONE;
	case ACT_UNDO:
		return open && drill_program_open(d) && d->program.left_s;
	case ACT_GIVE_UP:
		return open;
	case ACT_HINT:
		return open && session_has_hint(item);
	case ACT_PAUSE:
		return open || talk || (state == DRILL_CLOSED && d->session.limit_s > 0);
	case ACT_SCRATCH:
		return open || (talk && !d->desk.in_pad);
	case ACT_COPY_RESULT:
		return d->desk.in_pad && d->desk.pad.n > 0;
	case ACT_NEXT_PHASE:
		return d->session.mode == MODE_INTERVIEW && is_running(d);
	case ACT_SKIP:
		return state == DRILL_CLOSED;
	case ACT_SIMULATE:
		return state == DRILL_CLOSED &&
		       (item->variant.sim || variant_formula_step(&item->variant));
	case ACT_OPEN_PAGE:
		return state == DRILL_CLOSED && item->variant.page;
	case ACT_SUBJECT:
		return state == DRILL_CLOSED && item->variant.sim;
	default:
		return true;
	}
}

static const char *calls(const struct app *app, enum action a)
{
	static const char *const enter[] = { [DRILL_NOTHING] = "five problems",
		[DRILL_READY] = "start",
		[DRILL_HIDDEN] = "go on",
		[DRILL_DONE] = "open" };
	const enum drill_state state = drill_state(drill_seen(app));
	/* What the screen says with all its words the footer does not repeat. */
	if (state == DRILL_OPEN && (a == ACT_ENTER || a == ACT_HINT || a == ACT_GIVE_UP) &&
		drill_view_has_ways(app))
		return "";
	return a == ACT_ENTER && (size_t)state < LENGTH(enter) ? enter[state] : NULL;
}

static void leave(struct app *app)
{
	if (drill_of(app)->open && drill_state(drill_of(app)) != DRILL_NOTHING)
		drill_pause(app);
}

static void uncover(struct app *app)
{
	struct drill_view *d = drill_of(app);
	if (d->desk.in_help)
		drill_resume(app);
	d->desk.in_help = false;
}

/* Coming back from another screen. A clock that was stopped waits for Enter; a session without a
 * clock goes on at once. */
static bool restore(struct app *app, const struct place *p)
{
	(void)p;
	if (!drill_of(app)->open)
		return false;
	app_show(app, SCREEN_DRILL);
	if (drill_state(drill_of(app)) != DRILL_NOTHING &&
		!session_has_clock(&drill_of(app)->session))
		drill_resume(app);
	return true;
}

/* A code has an interviewer on its other side; without one the case asks by itself. */
static enum opened open_at_case(
	struct app *app, struct drill_request *r, char *err, size_t err_size)
{
	char word[4][80];
	const char *words[] = { word[0], word[1], word[2], word[3] };
	if (r->code[0] && !r->chosen) {
		snprintf(word[0], sizeof word[0], "code=%s", r->code);
		return case_screen.open(app, "case", words, 1, err, err_size);
	}
	if (drill_request_complete_case(r, drill_fresh_seed(app), err, err_size))
		return OPEN_FAILED;
	snprintf(word[0], sizeof word[0], "%s", r->case_id);
	snprintf(word[1], sizeof word[1], "level=%s", case_level_names[r->level]);
	snprintf(word[2], sizeof word[2], "minutes=%u", r->minutes);
	snprintf(word[3], sizeof word[3], "seed=%" PRIu64, r->options.seed);
	return case_screen.open(app, "case", words, 4, err, err_size);
}

/* "drill topic=kv", or "drill:kv" as links have it. */
static enum opened open_drill(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	struct drill_request request = { 0 };
	const char *topic = strncmp(name, "drill:", 6) == 0 ? name + 6 : "";
	if (!*topic && strcmp(name, "drill") != 0 && strcmp(name, "drill:") != 0)
		return OPEN_NOT_MINE;
	if (drill_request_words(&request, *topic ? &topic : words, *topic ? 1 : n, err, err_size))
		return OPEN_FAILED;
	if (request.answers)
		return interviewer_screen.open(app, "interviewer", words, n, err, err_size);
	if (drill_request_at_case(&request))
		return open_at_case(app, &request, err, err_size);
	if (drill_view_begin(app, &request, err, err_size))
		return OPEN_FAILED;
	return OPENED;
}

static void close_drill(struct app *app)
{
	drill_view_release(drill_of(app));
}

/* The line is not cleared here: an answer that can be corrected stays in it. */
static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	if (kind == ENTRY_ANSWER)
		drill_view_answer(app, text);
	else if (kind == ENTRY_TALK)
		drill_view_note(app, text);
	else
		drill_view_work(app, text);
	return false;
}

/* The problem whose working is on the screen; NULL: none is. */
static const struct session_item *worked(const struct drill_view *d)
{
	const enum drill_state state = drill_state(d);
	const struct session_item *item = state == DRILL_CLOSED ? drill_view_item(d)
					  : state == DRILL_DONE ? drill_result_chosen(d)
								: NULL;
	return d->open && item && item->closed ? item : NULL;
}

static void settle(struct app *app)
{
	show_newest(app);
	drill_result_settle(app);
	drill_picture_settle(app, worked(drill_of(app)));
}

const struct screen drill_screen = {
	.name = "a drill",
	.word = "drill",
	.state_size = sizeof(struct drill_view),
	.open = open_drill,
	.close = close_drill,
	.title = title,
	.draw = drill_view_draw,
	.act = act,
	.acts = acts,
	.calls = calls,
	.wheel = wheel,
	.typed = typed,
	.tick = tick,
	.settle = settle,
	.work = drill_program_work,
	.leave = leave,
	.uncover = uncover,
	.restore = restore,
};
