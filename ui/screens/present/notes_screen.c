/* The speaker's notes of a talk that another terminal shows: what it is at, what to say, what comes
 * next, and the clock against the plan. The talk knows nothing of its notes but the lines that they
 * send: it goes on without them. */
#include "ui/shell/app.h"

#include "sims/base/minmax.h"
#include "ui/live/action.h"
#include "ui/programs/talk_wire.h"
#include "ui/screens/screens.h"
#include "ui/talks/talk.h"
#include "ui/talks/talk_state.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRY_EVERY_MS = 1000, SECOND_MS = 1000 };

struct notes {
	struct talk talk;
	bool open;
	struct wire wire;
	struct talk_state state;
	bool leaves; /* Esc was pressed: again it leaves */
	bool lost;   /* the screen that was joined is gone: the next one is told where it was */
	int64_t begun_ms; /* of the talk, on our clock */
	int64_t tried_ms; /* when joining was tried last */
	char next[CAPTION_BYTES];
};

static struct notes *notes_of(struct app *app)
{
	return app_state(app, SCREEN_NOTES);
}

static const struct notes *notes_seen(const struct app *app)
{
	return app_state(app, SCREEN_NOTES);
}

static double elapsed_s(const struct app *app)
{
	const struct notes *n = notes_seen(app);
	return n->state.running ? (double)(app->now_ms - n->begun_ms) / SECOND_MS : 0;
}

static void minutes(double s, char *buf, size_t size)
{
	long whole = lround(fmax(0, s));
	snprintf(buf, size, "%ld:%02ld", whole / 60, whole % 60);
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct notes *n = notes_seen(app);
	char now[24], plan[24];
	snprintf(trail, trail_size, "ridge › notes › %s", n->talk.tour.title);
	minutes(elapsed_s(app), now, sizeof now);
	minutes(n->talk.tour.seconds, plan, sizeof plan);
	snprintf(right, size, "%s   %s of %s", wire_joined(&n->wire) ? "joined" : "waits", now,
		plan);
}

/* --- Drawing --- */

static void take(struct rect *r, int rows)
{
	rows = min_int(rows, r->rows);
	r->row += rows;
	r->rows -= rows;
}

static void put(struct canvas *cv, struct rect *r, const char *text, enum style s, unsigned attr)
{
	take(r, paragraph_draw(cv, *r, text, s, attr));
}

/* ": leave out steps 5 and 9": those ahead that may be, until they make up for what is late. */
static void leave_out(const struct tour *t, size_t at, double late_s, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = at + 1; i < t->n && late_s > 0 && used < size; i++) {
		if (!t->steps[i].optional)
			continue;
		used += (size_t)snprintf(buf + used, size - used, "%s %zu",
			used ? "," : ": s leaves out, in their turn,", i + 1);
		late_s -= t->steps[i].seconds;
	}
	if (used && used < size && late_s > 0)
		snprintf(buf + used, size - used, ", and that is not all of it");
}

/* How the clock stands against the steps: when this one should have begun, and should end. */
static void draw_plan(const struct app *app, struct canvas *cv, struct rect *r)
{
	const struct notes *n = notes_seen(app);
	const struct tour *t = &n->talk.tour;
	double begins_s = 0, sum_s = 0, now_s = elapsed_s(app);
	char late[24], text[260], skips[160] = "";
	for (size_t i = 0; i < t->n; i++) {
		begins_s += i < n->talk.at ? t->steps[i].seconds : 0;
		sum_s += t->steps[i].seconds;
	}
	/* The file may give the talk another length than its steps add up to. */
	double scale = sum_s > 0 ? t->seconds / sum_s : 1;
	double ends_s = scale * (begins_s + talk_step(&n->talk)->seconds);
	if (!n->state.running) {
		put(cv, r, "The clock starts with the first n.", STYLE_DIM, 0);
		return;
	}
	minutes(fabs(now_s - ends_s), late, sizeof late);
	double starts_s = scale * begins_s;
	if (now_s < starts_s)
		minutes(starts_s - now_s, late, sizeof late);
	leave_out(t, n->talk.at, now_s - ends_s, skips, sizeof skips);
	snprintf(text, sizeof text,
		now_s > ends_s     ? "%s late%s"
		: now_s < starts_s ? "%s ahead of the plan%s"
				   : "%s left for this step%s",
		late, skips);
	put(cv, r, text, now_s > ends_s ? STYLE_WARN : STYLE_GOOD, 0);
}

/* Whether the audience has the question before it, and not yet the figure. */
static bool asks(const struct notes *n)
{
	return talk_step(&n->talk)->n_options > 0 && !n->state.answered;
}

/* What the audience sees large, and what h and l would turn. */
static void draw_shown(const struct notes *n, struct canvas *cv, struct rect *r)
{
	const struct talk *t = &n->talk;
	const struct value *hero = talk_hero(t);
	const struct live *s = &t->live;
	char line[400], number[64], knob[80];
	if (asks(n)) {
		put(cv, r, "On the screen: the question. n shows the answer.", STYLE_SERIES, 0);
		return;
	}
	if (!s->sim || !hero)
		return;
	const struct value *was = s->has_pin ? figure_find(&s->pinned, hero->id) : NULL;
	const struct knob *k = &s->sim->knobs[s->focus];
	size_t used = (size_t)snprintf(line, sizeof line, "On the screen: %s %s", hero->label,
		quantity_show(number, sizeof number, hero->value, hero->unit));
	if (was && was->value != hero->value)
		used += (size_t)snprintf(line + used, sizeof line - used, ", was %s",
			quantity_show(number, sizeof number, was->value, was->unit));
	knob_format(k, s->tables, s->now.v[s->focus], knob, sizeof knob);
	snprintf(line + used, sizeof line - used, ". There h and l turn %s, %s.", k->label, knob);
	put(cv, r, line, STYLE_SERIES, 0);
}

static void draw_votes(const struct notes *n, struct canvas *cv, struct rect *r)
{
	const struct tour_step *s = talk_step(&n->talk);
	struct tour_scene scene = talk_scene(&n->talk);
	for (size_t i = 0; i < s->n_options; i++) {
		char text[400], line[460], err[300];
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		int used = snprintf(line, sizeof line, "%c  %s", (char)('A' + i), text);
		if (n->state.votes[i])
			used += snprintf(line + used, sizeof line - (size_t)used, "  (%u)",
				n->state.votes[i]);
		if (s->options[i].right)
			snprintf(line + used, sizeof line - (size_t)used, "  <- right");
		put(cv, r, line, s->options[i].right ? STYLE_GOOD : STYLE_PLAIN, 0);
	}
}

/* How many steps before this one show the same simulation. */
static size_t steps_before(const struct talk *t)
{
	size_t n = 0;
	const char *sim = talk_step(t)->target;
	for (size_t i = 0; i < t->at; i++) {
		const struct tour_step *s = &t->tour.steps[i];
		size_t name = strcspn(sim, " ");
		n += s->is_sim && strcspn(s->target, " ") == name &&
		     strncmp(s->target, sim, name) == 0;
	}
	return n;
}

static bool is_among(const char *word, size_t bytes, const char *const ids[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(ids[i]) == bytes && strncmp(ids[i], word, bytes) == 0)
			return true;
	return false;
}

/* Whether a line begins with a value, "score: ...", that no step of the talk shows: nobody asks. */
static bool is_of_hidden(const struct talk *t, const char *line)
{
	size_t n = strcspn(line, ":");
	char id[48];
	snprintf(id, sizeof id, "%.*s", (int)n, line);
	if (!line[n] || !figure_find(&t->live.figure, id))
		return false;
	for (size_t i = 0; i < t->tour.n; i++) {
		const struct tour_step *s = &t->tour.steps[i];
		if ((s->hero && strcmp(s->hero, id) == 0) || is_among(line, n, s->also, s->n_also))
			return false;
	}
	return true;
}

/* What the model rests on: the answers to what somebody may ask, some at each step, so that each stands
 * there once. */
static void draw_asked(const struct notes *n, struct canvas *cv, struct rect *r)
{
	enum { EACH = 2 };
	const struct talk *t = &n->talk;
	const struct figure *fig = &t->live.figure;
	const size_t first = t->live.sim ? EACH * steps_before(t) : 0;
	char line[500];
	for (size_t i = 0, place = 0; t->live.sim && i <= fig->n_assumptions; i++) {
		const char *text = i ? fig->assumptions[i - 1] : fig->accuracy;
		if (!text || is_of_hidden(t, text))
			continue;
		if (place >= first && place < first + EACH) {
			snprintf(line, sizeof line, "If asked: %s", text);
			put(cv, r, line, STYLE_DIM, 0);
		}
		place++;
	}
}

static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct notes *n = notes_seen(app);
	const struct talk *t = &n->talk;
	char line[CAPTION_BYTES + 40];
	struct rect r = body, next = body;
	next.rows = min_int(3, body.rows / 4);
	next.row = body.row + body.rows - next.rows;
	r.rows -= next.rows;
	/* Before the caption, whose lines end anywhere. */
	snprintf(line, sizeof line, "NOW %zu/%zu%s  %s", t->at + 1, t->tour.n,
		n->state.off_script ? " (off the script)" : "", t->caption);
	put(cv, &r, line, STYLE_ACCENT, ATTR_BOLD);
	draw_plan(app, cv, &r);
	draw_shown(n, cv, &r);
	take(&r, 1);
	/* What is said of the answer comes behind the question, and says so. */
	if (asks(n)) {
		draw_votes(n, cv, &r);
		take(&r, 1);
		put(cv, &r, "Not yet, with the answer:", STYLE_DIM, 0);
	}
	put(cv, &r, talk_step(t)->notes, asks(n) ? STYLE_DIM : STYLE_PLAIN, 0);
	take(&r, 1);
	if (!asks(n)) {
		draw_votes(n, cv, &r);
		draw_asked(n, cv, &r);
	}
	if (asks(n))
		snprintf(line, sizeof line, "NEXT  the answer");
	else if (*n->next)
		snprintf(line, sizeof line, "NEXT %zu/%zu  %s", t->at + 2, t->tour.n, n->next);
	else
		snprintf(line, sizeof line, "This is the last step.");
	canvas_rule(cv, next.row, next.col, next.cols, STYLE_DIM);
	next.row++;
	next.rows--;
	paragraph_draw(cv, next, line, STYLE_PLAIN, 0);
}

/* --- The wire --- */

static void find_next(struct notes *n)
{
	struct talk ahead = n->talk;
	ahead.live = (struct live){ .sim = NULL };
	n->next[0] = '\0';
	if (n->talk.at + 1 >= n->talk.tour.n)
		return;
	talk_go(&ahead, n->talk.at + 1);
	snprintf(n->next, sizeof n->next, "%s", ahead.caption);
	talk_let_go(&ahead);
}

static void go(struct notes *n, size_t step)
{
	talk_go(&n->talk, step);
	/* Without a screen the notes are where the talk is: who comes is told so. */
	n->state.step = n->talk.at;
	n->state.answered = n->state.off_script = false;
	n->state.knob[0] = '\0'; /* until the screen says which one it has in hand */
	find_next(n);
}

static void hear(struct app *app, const char *line)
{
	struct notes *n = notes_of(app);
	struct talk_state s;
	if (!talk_state_read(line, &s) || s.step >= n->talk.tour.n)
		return;
	if (n->lost && n->state.running && !s.running) {
		char wish[WIRE_LINE];
		n->lost = false;
		n->state.elapsed_s = elapsed_s(app);
		wire_send(&n->wire, talk_wish_write(WISH_RESUME, &n->state, wish, sizeof wish));
		return;
	}
	n->lost = false;
	if (s.step != n->talk.at)
		go(n, s.step);
	if (strcmp(s.place, n->state.place) != 0 || !s.off_script)
		talk_follow(&n->talk, s.place);
	talk_take_knob(&n->talk, s.knob);
	if (s.plan_s > 0 && s.plan_s != n->talk.tour.seconds)
		talk_plan(&n->talk, s.plan_s);
	n->state = s;
	n->begun_ms = app->now_ms - (int64_t)(s.elapsed_s * SECOND_MS);
}

static void join(struct app *app)
{
	struct notes *n = notes_of(app);
	if (n->tried_ms && app->now_ms - n->tried_ms < TRY_EVERY_MS)
		return;
	n->tried_ms = app->now_ms;
	wire_join(&n->wire, n->talk.tour.id);
}

static int tick(struct app *app, int64_t now_ms)
{
	struct notes *n = notes_of(app);
	char line[WIRE_LINE];
	app->n_watched = 0;
	if (!app->shares_talks)
		return -1;
	const bool was_joined = wire_joined(&n->wire);
	if (!was_joined)
		join(app);
	if (wire_joined(&n->wire) && wire_read(&n->wire, line))
		hear(app, line);
	n->lost |= was_joined && !wire_joined(&n->wire);
	if (!wire_joined(&n->wire))
		return TRY_EVERY_MS;
	app->n_watched = wire_fds(&n->wire, app->watched);
	return n->state.running ? SECOND_MS - (int)((now_ms - n->begun_ms) % SECOND_MS) : -1;
}

static bool act(struct app *app, enum action a)
{
	struct notes *n = notes_of(app);
	enum talk_wish wish = a == ACT_NEXT ? WISH_NEXT : WISH_BACK;
	char line[WIRE_LINE];
	bool leaves = n->leaves;
	n->leaves = a == ACT_BACK;
	if (a == ACT_BACK && !leaves) {
		app_say(app, "Esc again leaves the notes; f comes back to them.");
		return true;
	}
	if (a != ACT_NEXT && a != ACT_PREVIOUS)
		return false;
	if (wire_joined(&n->wire))
		wire_send(&n->wire, talk_wish_write(wish, NULL, line, sizeof line));
	else if (a == ACT_NEXT && asks(n))
		n->state.answered = true;
	else
		go(n, a == ACT_NEXT ? n->talk.at + 1 : n->talk.at ? n->talk.at - 1 : 0);
	return true;
}

/* --- Places --- */

static enum opened open_notes(struct app *app, const char *name, const char *const words[],
	size_t n_words, char *err, size_t err_size)
{
	static const char mine[] = "notes:";
	struct notes *n = notes_of(app);
	struct talk talk;
	(void)words;
	(void)n_words;
	if (strncmp(name, mine, strlen(mine)) != 0)
		return OPEN_NOT_MINE;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return OPEN_FAILED;
	}
	if (talk_open(&talk, t, name + strlen(mine), err, err_size))
		return OPEN_FAILED;
	if (n->open) {
		wire_close(&n->wire);
		talk_release(&n->talk);
	}
	*n = (struct notes){ .talk = talk, .open = true, .wire = NO_WIRE };
	find_next(n);
	app_show(app, SCREEN_NOTES);
	return OPENED;
}

/* What is typed here turns the knob before the audience: the talk is asked, and says what became of
 * it. */
static struct live *live(const struct app *app)
{
	struct notes *n = app_state(app, SCREEN_NOTES);
	return n->open && wire_joined(&n->wire) && n->talk.live.sim && !asks(n) ? &n->talk.live
										: NULL;
}

static void settle(struct app *app)
{
	struct notes *n = notes_of(app);
	struct live *s = live(app);
	char place[1024], line[WIRE_LINE];
	if (!s || !*n->state.knob ||
		(!s->stale && strcmp(s->sim->knobs[s->focus].id, n->state.knob) == 0))
		return;
	struct talk_state wish = { .step = n->talk.at };
	snprintf(wish.knob, sizeof wish.knob, "%s", s->sim->knobs[s->focus].id);
	live_update(s);
	talk_turned(&n->talk);
	if (strlen(live_setting(s, place, sizeof place)) >= sizeof wish.place) {
		app_say(app, "That is too long to be told to the talk.");
		return;
	}
	if (talk_has_left(&n->talk))
		strcpy(wish.place, place);
	strcpy(n->state.knob, wish.knob);
	strcpy(n->state.place, wish.place);
	wire_send(&n->wire, talk_wish_write(WISH_TURN, &wish, line, sizeof line));
	app->failed |= s->figure.arena.failed;
}

static void leave(struct app *app)
{
	wire_close(&notes_of(app)->wire);
	app->n_watched = 0;
}

static void close_notes(struct app *app)
{
	struct notes *n = notes_of(app);
	if (!n->open)
		return;
	wire_close(&n->wire);
	talk_release(&n->talk);
	n->open = false;
}

static void write_place(const struct app *app, char *buf, size_t size)
{
	snprintf(buf, size, "notes:%s", notes_seen(app)->talk.tour.id);
}

static void remember(const struct app *app, struct place *p)
{
	write_place(app, p->name, sizeof p->name);
}

static bool restore(struct app *app, const struct place *p)
{
	char err[256];
	return app_reopen(app, p->name, err, sizeof err) == 0;
}

static void kept(const struct app *app, char *target, size_t size, long *scroll)
{
	(void)scroll;
	write_place(app, target, size);
}

const struct screen notes_screen = {
	.name = "a speaker's notes",
	.word = "notes",
	.state_size = sizeof(struct notes),
	.open = open_notes,
	.close = close_notes,
	.title = title,
	.draw = draw,
	.act = act,
	.live = live,
	.tick = tick,
	.settle = settle,
	.leave = leave,
	.remember = remember,
	.restore = restore,
	.kept = kept,
};
