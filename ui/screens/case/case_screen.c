/* Cases as a screen of the explorer: the list, and in a sitting what its keys do. */
#include "sims/base/array.h"
#include "ui/screens/case/case_before.h"
#include "ui/screens/case/case_choose.h"
#include "ui/screens/case/case_course.h"
#include "ui/screens/case/case_desk.h"
#include "ui/screens/case/case_draw.h"
#include "ui/practice/drill_request.h"
#include "ui/practice/sheet.h"
#include "ui/screens/screens.h"
#include "ui/shell/bindings.h"
#include "ui/term/paragraph.h"

#include <stdio.h>
#include <string.h>

/* --- Opening --- */

static int begin_and_show(struct app *app, const struct case_wish *w, char *err, size_t err_size)
{
	if (case_begin(app, w, err, err_size))
		return -1;
	app_show(app, SCREEN_CASE);
	app->entry = (struct entry){ 0 };
	case_take_line_up(app);
	return 0;
}

/* "code=V4K2-...": all of it, and an interviewer on the other side. */
static int read_code(struct case_wish *w, const char *code, char *err, size_t err_size)
{
	struct drill_request r = { .minutes = 0 };
	if (strlen(code) >= sizeof r.code || !code_is_of_case(code)) {
		snprintf(err, err_size, "code: \"%.40s\" is of no interview at a case", code);
		return -1;
	}
	strcpy(r.code, code);
	if (drill_request_complete_case(&r, 0, err, err_size))
		return -1;
	w->how = (struct case_dealing){ .levelled = true,
		.seeded = true,
		.timed = true,
		.held = true,
		.level = r.level,
		.seed = r.options.seed,
		.minutes = r.minutes };
	snprintf(w->id, sizeof w->id, "%s", r.case_id);
	return 0;
}

/* "level=staff", "seed=7", "minutes=30", "new=yes", as `ridge case` has them. */
static int read_word(struct case_wish *w, const char *word, char *err, size_t err_size)
{
	unsigned long long seed;
	unsigned minutes;
	char rest;
	if (strncmp(word, "code=", 5) == 0)
		return read_code(w, word + 5, err, err_size);
	if (strncmp(word, "record=", 7) == 0) {
		snprintf(w->record, sizeof w->record, "%s", word + 7);
		return 0;
	}
	if (sscanf(word, "minutes=%4u%c", &minutes, &rest) == 1 && minutes >= LEAST_CASE_MINUTES &&
		minutes <= MOST_CASE_MINUTES) {
		w->how.timed = true;
		w->how.minutes = minutes;
		return 0;
	}
	if (strncmp(word, "level=", 6) == 0) {
		for (w->how.level = 0; w->how.level < N_CASE_LEVELS; w->how.level++)
			if (strcmp(word + 6, case_level_names[w->how.level]) == 0) {
				w->how.levelled = true;
				return 0;
			}
		snprintf(err, err_size,
			"level: expected senior, staff or principal, found \"%.40s\"", word + 6);
		return -1;
	}
	if (word[0] == 's' && sscanf(word, "seed=%19llu%c", &seed, &rest) == 1) {
		w->how.seeded = true;
		w->how.seed = seed;
		return 0;
	}
	if (strcmp(word, "new=yes") == 0 || strcmp(word, "new=no") == 0) {
		w->anew = strcmp(word, "new=yes") == 0;
		return 0;
	}
	if (!strchr(word, '=') && !*w->id) {
		snprintf(w->id, sizeof w->id, "%s", word);
		return 0;
	}
	snprintf(err, err_size,
		"case: expected a case, level=LEVEL, seed=N, minutes=10 to 180 or new=yes, found \"%.40s\"",
		word);
	return -1;
}

static enum opened open_case(struct app *app, const char *name, const char *const words[], size_t n,
	char *err, size_t err_size)
{
	struct case_wish w = { .id = "" };
	const char *of = strncmp(name, "case:", 5) == 0 ? name + 5 : "";
	if (!*of && strcmp(name, "case") != 0 && strcmp(name, "case:") != 0)
		return OPEN_NOT_MINE;
	if (*of && read_word(&w, of, err, err_size))
		return OPEN_FAILED;
	for (size_t i = 0; i < n; i++)
		if (read_word(&w, words[i], err, err_size))
			return OPEN_FAILED;
	if (*w.id || *w.record)
		return begin_and_show(app, &w, err, err_size) ? OPEN_FAILED : OPENED;
	if (case_choose_load(app, err, err_size))
		return OPEN_FAILED;
	case_end(case_of(app));
	if (w.how.levelled)
		case_of(app)->level = w.how.level;
	app->entry = (struct entry){ 0 };
	app_show(app, SCREEN_CASE);
	return OPENED;
}

/* Whoever leaves ridge in the middle finds the clock where it stood. */
static void close_case(struct app *app)
{
	case_pause(app);
	case_end(case_of(app));
	case_choose_release(case_of(app));
}

/* --- Keys --- */

static void sit(struct app *app, bool anew)
{
	struct case_view *v = case_of(app);
	char target[300];
	if (v->row >= v->list.n)
		return;
	const bool goes_on = !anew && v->choices[v->row].left_ms >= 0;
	snprintf(target, sizeof target, "case:%s%s%s%s", v->list.cases[v->row].id,
		goes_on ? "" : " level=",
		goes_on ? "" : case_level_names[case_choice_level(v, v->row)],
		goes_on ? "" : " new=yes");
	app_go_to(app, target);
}

static void move_row(struct app *app, long by)
{
	struct case_view *v = case_of(app);
	const long last = (long)v->list.n - 1, to = (long)v->row + by;
	v->row = (size_t)(to < 0 ? 0 : to > last ? last : to);
}

static bool act_choosing(struct app *app, enum action a)
{
	enum { FAR = 100000, PAGE = 10 };
	struct case_view *v = case_of(app);
	switch (a) {
	case ACT_ENTER:
		sit(app, false);
		break;
	case ACT_AGAIN:
		sit(app, true);
		break;
	case ACT_UP:
	case ACT_DOWN:
		move_row(app, a == ACT_UP ? -1 : 1);
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		move_row(app, a == ACT_PAGE_UP ? -PAGE : PAGE);
		break;
	case ACT_TOP:
	case ACT_BOTTOM:
		move_row(app, a == ACT_TOP ? -FAR : FAR);
		break;
	case ACT_LEFT:
		v->level -= v->level > 0;
		break;
	case ACT_RIGHT:
		v->level += v->level + 1 < N_CASE_LEVELS;
		break;
	default:
		return false;
	}
	return true;
}

static void scroll(struct app *app, long by)
{
	struct case_view *v = case_of(app);
	v->up = case_talk_within(app, v->up + by);
}

static bool act_talking(struct app *app, enum action a)
{
	enum { FAR = 100000 };
	const long page = app->rows > 16 ? app->rows / 2 : 4;
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		case_recall(app, a == ACT_UP ? 1 : -1);
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		scroll(app, a == ACT_PAGE_UP ? page : -page);
		break;
	case ACT_TOP:
	case ACT_BOTTOM:
		scroll(app, a == ACT_TOP ? FAR : -FAR);
		break;
	case ACT_NEXT:
		case_to_desk(app, true);
		break;
	case ACT_NEXT_PHASE:
		case_type(app, "next");
		break;
	default:
		return false;
	}
	return true;
}

/* The knobs as they stand become a design that was said, and the line has the keys again. */
static void say_design(struct app *app)
{
	struct case_view *v = case_of(app);
	char line[CASE_LINE_SIZE];
	if (!case_desk_differs(v)) {
		app_say(app, "This is the design that was said last: h and l turn a knob.");
		return;
	}
	case_type(app, case_desk_line(v, line, sizeof line));
	case_to_desk(app, false);
}

static bool act_at_desk(struct app *app, enum action a)
{
	struct case_view *v = case_of(app);
	struct case_desk *k = &v->desk;
	switch (a) {
	case ACT_UP:
		k->row -= k->row > 0;
		break;
	case ACT_DOWN:
		k->row += k->row + 1 < v->c.n_knobs;
		break;
	case ACT_TOP:
	case ACT_BOTTOM:
		k->row = a == ACT_TOP ? 0 : v->c.n_knobs - 1;
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_FAR_LEFT:
	case ACT_FAR_RIGHT:
		case_desk_turn(app, a == ACT_LEFT || a == ACT_FAR_LEFT ? -1 : 1,
			a == ACT_FAR_LEFT || a == ACT_FAR_RIGHT);
		break;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		if (k->runs)
			live_act(&k->live, a);
		break;
	case ACT_ENTER:
		say_design(app);
		break;
	case ACT_NEXT:
	case ACT_BACK:
		case_to_desk(app, false);
		break;
	case ACT_NEXT_PHASE:
		case_type(app, "next");
		break;
	default:
		return false;
	}
	return true;
}

static bool act_reading(struct app *app, enum action a)
{
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		scroll(app, a == ACT_UP ? 1 : -1);
		return true;
	case ACT_AGAIN:
		case_deal_anew(app);
		return true;
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
	case ACT_TOP:
	case ACT_BOTTOM:
		return act_talking(app, a);
	default:
		return false;
	}
}

static bool act(struct app *app, enum action a)
{
	const enum case_where where = case_where(case_of(app));
	if (case_seen(app)->to_run) /* it would act on what nobody has seen yet */
		return true;
	if (a == ACT_HELP && where == CASE_TALKING)
		case_put_line_away(app);
	if (where == CASE_DEALING)
		return false;
	if (where == CASE_CHOOSING)
		return act_choosing(app, a);
	if (where == CASE_READY) {
		/* Two people have one deal. */
		const bool anew = a == ACT_AGAIN && !case_seen(app)->wish.how.held;
		if (a == ACT_ENTER)
			case_start(app);
		else if (anew)
			case_deal_anew(app);
		return a == ACT_ENTER || anew;
	}
	if (where == CASE_READING)
		return act_reading(app, a);
	if (a == ACT_PAUSE) {
		(where == CASE_STANDS ? case_resume : case_pause)(app);
		return true;
	}
	if (where == CASE_STANDS) {
		if (a == ACT_ENTER)
			case_resume(app);
		return a == ACT_ENTER || a == ACT_LEFT || a == ACT_RIGHT;
	}
	return where == CASE_AT_DESK ? act_at_desk(app, a) : act_talking(app, a);
}

static bool acts(const struct app *app, enum action a)
{
	const struct case_view *v = case_seen(app);
	const enum case_where where = case_where(v);
	switch (a) {
	case ACT_ENTER:
		return where != CASE_DEALING && where != CASE_READING &&
		       (where != CASE_AT_DESK || case_desk_differs(v));
	case ACT_AGAIN:
		if (where == CASE_READY || where == CASE_READING)
			return where == CASE_READING || !v->wish.how.held;
		return where == CASE_CHOOSING && v->row < v->list.n &&
		       v->choices[v->row].left_ms >= 0;
	case ACT_LEFT:
		return where == CASE_CHOOSING || where == CASE_AT_DESK;
	case ACT_NEXT:
		return (where == CASE_TALKING && !v->over) || where == CASE_AT_DESK;
	case ACT_NEXT_PHASE:
	case ACT_PAUSE:
		return (where == CASE_TALKING || where == CASE_AT_DESK) && !v->over;
	case ACT_UP:
	case ACT_DOWN:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
		return where != CASE_READY && where != CASE_DEALING;
	default:
		return true;
	}
}

static const char *calls(const struct app *app, enum action a)
{
	const struct case_view *v = case_seen(app);
	const enum case_where where = case_where(v);
	switch (a) {
	case ACT_ENTER:
		return where == CASE_CHOOSING && v->row < v->list.n &&
				       v->choices[v->row].left_ms >= 0
			       ? "go on"
		       : where == CASE_CHOOSING ? "begin"
		       : where == CASE_READY    ? "start"
		       : where == CASE_STANDS   ? "go on"
		       : where == CASE_AT_DESK  ? "say it"
		       : v->over                ? "do it"
						: "say";
	case ACT_AGAIN:
		return where == CASE_READY     ? "other numbers"
		       : where == CASE_READING ? "take it again"
					       : NULL;
	case ACT_LEFT:
		return where == CASE_CHOOSING ? "level" : NULL;
	case ACT_DOWN:
		return where == CASE_AT_DESK ? "knob" : where == CASE_READING ? "scroll" : "";
	case ACT_NEXT:
		return where == CASE_AT_DESK ? "to the talk" : NULL;
	default:
		return NULL;
	}
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	struct case_view *v = case_of(app);
	char line[sizeof app->entry.text];
	if (kind != ENTRY_TALK || case_where(v) != CASE_TALKING)
		return true;
	if (v->to_run) /* stays in the field until what it answers is there */
		return false;
	snprintf(line, sizeof line, "%s", text);
	if (case_talk_asks_anew(&v->talk, line)) {
		case_deal_anew(app);
		return false;
	}
	entry_begin(&app->entry, ENTRY_TALK, 0);
	v->line = app->entry;
	case_type(app, line);
	if (v->talk.left) {
		v->talk.left = false;
		app_go_back(app);
	}
	return false;
}

static void click(struct app *app, struct rect body, int row, int col)
{
	struct case_view *v = case_of(app);
	const int at = case_where(v) == CASE_CHOOSING ? case_choose_at(app, body, row) : -1;
	(void)col;
	if (at < 0)
		return;
	const bool again = (size_t)at == v->row;
	v->row = (size_t)at;
	if (again)
		sit(app, false);
}

static bool wheel(struct app *app, int by, struct rect body, int row, int col)
{
	(void)body;
	(void)row;
	(void)col;
	const enum case_where where = case_where(case_of(app));
	if (where != CASE_TALKING && where != CASE_READING)
		return false;
	scroll(app, -by);
	return true;
}

/* --- The rest --- */

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct case_view *v = case_seen(app);
	const struct case_dealing *how = &v->wish.how;
	if (!v->sits && !v->deals) {
		snprintf(trail, trail_size, "ridge › Design cases");
		return;
	}
	snprintf(trail, trail_size, "ridge › Design cases › %s", v->wish.title);
	snprintf(right, size, "%s, seed %llu", case_level_names[how->level],
		(unsigned long long)how->seed);
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const enum case_where where = case_where(case_seen(app));
	if (where == CASE_DEALING || where == CASE_READY)
		case_before_draw(case_seen(app), app_now_s(app), cv, body);
	else
		(case_seen(app)->sits ? case_draw : case_choose_draw)(app, cv, body);
}

static int tick(struct app *app, int64_t now_ms)
{
	(void)now_ms;
	return case_course_tick(app);
}

static void work(struct app *app)
{
	case_course_work(app);
	case_desk_work(app);
}

static void settle(struct app *app)
{
	const struct case_view *v = case_seen(app);
	/* What is typed while neither can answer is dropped. */
	if (v->deals || v->to_run)
		app->works = app->deaf = true;
	if (v->to_run)
		app_say(app, "Running the design ...");
	else
		case_desk_settle(app);
}

static void leave(struct app *app)
{
	case_pause(app);
}

static void uncover(struct app *app)
{
	case_take_line_up(app);
}

/* What leads back to the sitting: its case, or where an interviewer has the other side its code. */
static char *place_of(const struct case_view *v, char *buf, size_t size)
{
	const struct case_dealing *how = &v->wish.how;
	char code[CODE_SIZE];
	if (!v->sits && !v->deals)
		*buf = '\0';
	else if (*v->wish.record)
		snprintf(buf, size, "record=%s", v->wish.record);
	else if (how->held)
		snprintf(buf, size, "code=%s",
			case_code_write(&(struct case_code){ v->wish.id, how->level, how->minutes,
						how->seed },
				code));
	else
		snprintf(buf, size, "%s", v->wish.id);
	return buf;
}

static void remember(const struct app *app, struct place *p)
{
	const struct case_view *v = case_seen(app);
	place_of(v, p->name, sizeof p->name);
	p->focus = (int)v->row;
}

/* The sitting that is still there goes on; another is opened again, and goes on as its record has it. */
static bool restore(struct app *app, const struct place *p)
{
	struct case_view *v = case_of(app);
	char err[300], here[sizeof p->name];
	if (*p->name && v->sits && strcmp(p->name, place_of(v, here, sizeof here)) == 0) {
		app_show(app, SCREEN_CASE);
		app->entry = (struct entry){ 0 };
		case_resume(app);
		return true;
	}
	if (*p->name) {
		struct case_wish w = { .id = "" };
		return read_word(&w, p->name, err, sizeof err) == 0 &&
		       begin_and_show(app, &w, err, sizeof err) == 0;
	}
	case_end(v);
	if (case_choose_load(app, err, sizeof err))
		return false;
	v->row = p->focus >= 0 && (size_t)p->focus < v->list.n ? (size_t)p->focus : 0;
	app->entry = (struct entry){ 0 };
	app_show(app, SCREEN_CASE);
	return true;
}

static void target(const struct place *p, char *text, size_t size)
{
	snprintf(text, size, *p->name ? "case:%s" : "case%s", p->name);
}

static void kept(const struct app *app, char *text, size_t size, long *row)
{
	const struct case_view *v = case_seen(app);
	char here[CASE_RECORD_NAME_SIZE + 8];
	(void)row;
	snprintf(text, size, v->sits ? "case:%s" : "case%s",
		v->sits ? place_of(v, here, sizeof here) : "");
}

const struct screen case_screen = {
	.name = "a design case",
	.word = "case",
	.state_size = sizeof(struct case_view),
	.open = open_case,
	.close = close_case,
	.title = title,
	.draw = draw,
	.act = act,
	.acts = acts,
	.calls = calls,
	.hints = 6,
	.typed = typed,
	.click = click,
	.wheel = wheel,
	.tick = tick,
	.settle = settle,
	.work = work,
	.leave = leave,
	.uncover = uncover,
	.remember = remember,
	.restore = restore,
	.target = target,
	.kept = kept,
};
