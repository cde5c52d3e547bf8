/* A talk as a screen of the explorer: the hooks that the shell calls. */
#include "ui/screens/present/present_screen.h"

#include "sims/base/array.h"
#include "ui/live/action.h"
#include "ui/programs/talk_wire.h"
#include "ui/screens/present/present_draw.h"
#include "ui/screens/screens.h"
#include "ui/talks/talk_run.h"
#include "ui/talks/talk_state.h"
#include "ui/views/figure_view.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME_MS = 50, MOST_VOTED = 64 };

struct present {
	struct talk talk;
	bool open;
	bool blank;  /* the audience looks at the speaker */
	bool leaves; /* Esc was pressed: again it leaves */
	bool clock;
	int64_t begun_ms; /* of the talk; 0: it has not begun */
	struct wire wire; /* to the speaker's notes */
	bool served;      /* it was tried */
	struct talk_state sent;
	struct present_wishes wishes;
	bool wished;
	bool polled; /* the question that stands was there at the last tick */
	/* The answers that keys voted for, the last one last. */
	unsigned char voted[MOST_VOTED];
	size_t n_voted;
	int64_t stood_ms; /* since when nothing moves; 0: something does */
};

static struct present *present_of(struct app *app)
{
	return app_state(app, SCREEN_PRESENT);
}

static const struct present *present_seen(const struct app *app)
{
	return app_state(app, SCREEN_PRESENT);
}

static int64_t elapsed_s(const struct app *app)
{
	const struct present *p = present_seen(app);
	return p->begun_ms ? (app->now_ms - p->begun_ms) / 1000 : 0;
}

static void title(const struct app *app, char *trail, size_t trail_size, char *right, size_t size)
{
	const struct present *p = present_seen(app);
	const struct talk *t = &p->talk;
	snprintf(trail, trail_size, "ridge › present › %s", t->tour.title);
	int64_t s = elapsed_s(app), plan = (int64_t)t->tour.seconds;
	if (p->clock)
		snprintf(right, size, "%zu/%zu   %lld:%02lld of %lld:%02lld", t->at + 1, t->tour.n,
			(long long)s / 60, (long long)s % 60, (long long)plan / 60,
			(long long)plan % 60);
	else
		snprintf(right, size, "%zu/%zu", t->at + 1, t->tour.n);
}

/* Words alone fill a screen before people; in a picture or on paper they are read from near. */
static void draw(const struct app *app, struct canvas *cv, struct rect body)
{
	const struct present *p = present_seen(app);
	const bool words = !p->talk.live.sim || talk_asks(&p->talk);
	const bool others = p->wire.n > 0 || (p->wished && p->wishes.votes.from.fd >= 0);
	present_draw(cv, body, &p->talk,
		(struct present_look){
			.large = app->large || (words && !app->quiet), .alone = !others });
}

static bool is_blank(const struct app *app)
{
	return present_seen(app)->blank;
}

/* --- Moving --- */

static void begin_clock(struct app *app)
{
	if (!present_of(app)->begun_ms)
		present_of(app)->begun_ms = app->now_ms ? app->now_ms : 1;
}

/* In a recording one can go to each step. */
static void mark(struct app *app)
{
	if (app->records)
		snprintf(app->marked, sizeof app->marked, "%s", present_of(app)->talk.caption);
}

/* A talk whose last step was shown was given, for the calendar. */
static void given(struct app *app)
{
	char name[64];
	snprintf(name, sizeof name, "talk:%.50s", present_of(app)->talk.tour.id);
	progress_finish(app->progress, name, app_day(app));
}

/* To a step, whose figure plays what it plays unless a question stands before it. */
static void go_to(struct app *app, size_t step)
{
	struct talk *t = &present_of(app)->talk;
	talk_go(t, step);
	present_of(app)->n_voted = 0;
	mark(app);
	if (step > 0 && step + 1 == t->tour.n)
		given(app);
	if (!talk_asks(t))
		talk_begin(t);
}

/* Back to the script first, then the end of what moves, the answer of a question, the next stretch of
 * a run, the next step. */
static void go_on(struct app *app)
{
	struct talk *t = &present_of(app)->talk;
	begin_clock(app);
	if (t->off_script)
		talk_return(t);
	else if (talk_hurry(t))
		return;
	else if (talk_answer(t))
		talk_begin(t);
	else if (talk_play_on(t))
		return;
	else if (t->at + 1 < t->tour.n)
		go_to(app, t->at + 1);
	else
		app_say(app, "That was the last step. p goes back, g to the first.");
}

static void go_back(struct app *app)
{
	struct talk *t = &present_of(app)->talk;
	if (t->off_script)
		talk_return(t);
	else if (t->answered)
		talk_ask_again(t);
	else if (t->at == 0)
		app_say(app, "This is the first step.");
	else {
		talk_back(t);
		present_of(app)->n_voted = 0;
		mark(app);
	}
}

/* To a step, and says which ones were not shown. */
static void leave_out(struct app *app, size_t step)
{
	const size_t first = present_of(app)->talk.at + 2, last = step;
	go_to(app, step);
	if (first == last)
		app_say(app, "Step %zu is left out. p shows it.", last);
	else
		app_say(app, "Steps %zu to %zu are left out.", first, last);
}

/* Late: past the steps that may be left out. */
static void skip(struct app *app)
{
	struct talk *t = &present_of(app)->talk;
	size_t step = t->at + 1;
	while (step < t->tour.n && t->tour.steps[step].optional)
		step++;
	begin_clock(app);
	if (step >= t->tour.n)
		app_say(app, "No step behind this one must be shown.");
	else if (step == t->at + 1)
		app_say(app, "The next step is one to be shown: nothing to leave out before it.");
	else
		leave_out(app, step);
}

static void vote(struct app *app, size_t option)
{
	struct talk *t = &present_of(app)->talk;
	if (option >= talk_step(t)->n_options) {
		app_say(app, "The question has %zu answers.", talk_step(t)->n_options);
		return;
	}
	struct present *p = present_of(app);
	if (p->n_voted == MOST_VOTED)
		memmove(p->voted, p->voted + 1, --p->n_voted);
	p->voted[p->n_voted++] = (unsigned char)option;
	t->votes[option]++;
}

static void take_back_vote(struct app *app)
{
	struct present *p = present_of(app);
	if (p->n_voted == 0) {
		app_say(app, "No vote by key is left to be taken back.");
		return;
	}
	const size_t option = p->voted[--p->n_voted];
	p->talk.votes[option] -= p->talk.votes[option] > 0;
	app_say(app, "A vote for %c is taken back.", (char)('A' + option));
}

/* The list of steps, at this one. */
static void open_steps(struct app *app)
{
	const struct talk *t = &present_of(app)->talk;
	palette_open_here(app, "step: ", t->tour.n);
	if (t->at < app->palette.n_matches)
		app->palette.row = t->at;
}

/* What the speaker does to the simulation beside the script. */
static bool leave_script(struct app *app, enum action a)
{
	struct talk *t = &present_of(app)->talk;
	if (!t->live.sim || talk_asks(t) || !live_act(&t->live, a))
		return false;
	talk_stop(t);
	return true;
}

/* A letter votes while a question stands. False: it is none of a vote's. */
static bool act_on_vote(struct app *app, enum action a)
{
	switch (a) {
	case ACT_VOTE_A:
		vote(app, 0);
		return true;
	case ACT_BLANK: /* its key is b */
		vote(app, 1);
		return true;
	case ACT_VOTE_C:
	case ACT_VOTE_D:
	case ACT_VOTE_E:
		vote(app, (size_t)(a - ACT_VOTE_C) + 2);
		return true;
	case ACT_UNDO:
		take_back_vote(app);
		return true;
	default:
		return false;
	}
}

static void append_step(struct app *app)
{
	const struct talk *t = &present_of(app)->talk;
	if (t->live.sim && !talk_asks(t))
		app_ask_caption(app);
	else
		app_say(app, "There is no figure here that could be a step.");
}

static void list_steps(struct app *app)
{
	if (present_of(app)->talk.tour.id[0] == '@')
		app_say(app, "This is one figure, and no talk with steps.");
	else
		open_steps(app);
}

/* What was on the screen a moment ago is one key away; a talk before people is not left by one. */
static bool back(struct app *app)
{
	struct present *p = present_of(app);
	if (p->leaves || p->talk.tour.id[0] == '@')
		return false;
	p->leaves = true;
	app_say(app, "Esc again leaves the talk; f comes back to it.");
	return true;
}

static void open_shown(struct app *app)
{
	const struct talk *t = &present_of(app)->talk;
	char place[1024];
	if (t->live.sim)
		app_go_to(app, live_place(&t->live, place, sizeof place));
	else if (*talk_step(t)->target)
		app_go_to(app, talk_step(t)->target);
}

static void restart_clock(struct app *app)
{
	struct present *p = present_of(app);
	p->begun_ms = app->now_ms ? app->now_ms : 1;
	p->clock = true;
}

static void toggle_clock(struct app *app)
{
	struct present *p = present_of(app);
	p->clock = !p->clock;
	begin_clock(app);
}

static void toggle_recording(struct app *app)
{
	app->records = !app->records;
	mark(app);
}

/* Keys that only do one thing here. False: it is none of them. */
static bool act_plainly(struct app *app, enum action a)
{
	static const struct {
		enum action action;
		void (*does)(struct app *app);
	} plain[] = { { ACT_NEXT, go_on }, { ACT_PREVIOUS, go_back }, { ACT_APPEND, append_step },
		{ ACT_RECORD, toggle_recording }, { ACT_STEPS, list_steps },
		{ ACT_RESET, restart_clock }, { ACT_SKIP, skip }, { ACT_CLOCK, toggle_clock },
		{ ACT_OPEN_SHOWN, open_shown } };
	for (size_t i = 0; i < LENGTH(plain); i++)
		if (plain[i].action == a) {
			plain[i].does(app);
			return true;
		}
	return false;
}

static bool act(struct app *app, enum action a)
{
	struct present *p = present_of(app);
	struct talk *t = &p->talk;
	p->leaves &= a == ACT_BACK;
	p->stood_ms = 0;
	if (p->blank && a != ACT_QUIT) {
		p->blank = false;
		return true;
	}
	if (talk_asks(t) && act_on_vote(app, a))
		return true;
	if (act_plainly(app, a))
		return true;
	switch (a) {
	case ACT_TOP:
		go_to(app, 0);
		return true;
	case ACT_BOTTOM:
		go_to(app, t->tour.n - 1);
		return true;
	case ACT_DEFAULT_ALL:
		talk_return(t);
		return true;
	case ACT_BACK:
		return back(app);
	case ACT_BLANK:
		p->blank = true;
		return true;
	case ACT_VOTE_A:
	case ACT_VOTE_C:
	case ACT_VOTE_D:
	case ACT_VOTE_E:
		return false;
	default:
		return leave_script(app, a);
	}
}

static bool acts(const struct app *app, enum action a)
{
	const struct talk *t = &present_seen(app)->talk;
	switch (a) {
	case ACT_PLAY:
		return t->live.sim && !talk_asks(t) && t->live.figure.duration_s > 0 &&
		       talk_part(t) && block_moves(talk_part(t));
	case ACT_LEFT:
		return t->live.sim && !talk_asks(t);
	case ACT_DEFAULT_ALL:
		return t->off_script;
	case ACT_VOTE_A:
		return talk_asks(t);
	case ACT_BLANK: /* b is a vote */
		return !talk_asks(t);
	case ACT_PREVIOUS:
		return t->at > 0 || t->off_script || t->answered;
	case ACT_NEXT: /* something is left to be shown */
		return t->at + 1 < t->tour.n || t->off_script || talk_asks(t) ||
		       t->beat < talk_step(t)->n_pauses;
	default:
		return true;
	}
}

static const char *calls(const struct app *app, enum action a)
{
	const struct talk *t = &present_seen(app)->talk;
	static const char *const last[] = { "to b vote", "to c vote", "to d vote", "to e vote" };
	size_t options = talk_step(t)->n_options;
	if (a == ACT_VOTE_A && options >= 2)
		return last[options - 2];
	if (a == ACT_NEXT)
		return t->off_script ? "back to the script" : talk_asks(t) ? "answer" : NULL;
	if (a == ACT_BACK)
		return "leave";
	/* The footer has room for four keys, and a blank screen is needed in a hurry. */
	if (a == ACT_PREVIOUS && !t->off_script && acts(app, ACT_PLAY))
		return "";
	if (a == ACT_PLAY && t->live.sim && t->live.playing)
		return "pause";
	return NULL;
}

/* --- Time --- */

static struct talk_state state_of(const struct app *app)
{
	const struct present *p = present_seen(app);
	struct talk_state s = { .step = p->talk.at,
		.answered = p->talk.answered,
		.off_script = talk_has_left(&p->talk),
		.running = p->begun_ms != 0,
		.plan_s = p->wished ? p->wishes.seconds : 0,
		.elapsed_s = p->begun_ms ? (double)(app->now_ms - p->begun_ms) / 1000 : 0 };
	memcpy(s.votes, p->talk.votes, sizeof s.votes);
	const struct live *l = &p->talk.live;
	if (!l->sim || talk_asks(&p->talk))
		return s;
	snprintf(s.knob, sizeof s.knob, "%s", l->sim->knobs[l->focus].id);
	/* What is longer is not told: the notes say then that a knob was turned. */
	if (s.off_script) {
		char place[1024];
		live_setting(l, place, sizeof place);
		if (strlen(place) < sizeof s.place)
			strcpy(s.place, place);
	}
	return s;
}

/* Where the talk was in a terminal that is gone. One that has begun since is somewhere of its own. */
static void resume(struct app *app, const struct talk_state *at)
{
	struct present *p = present_of(app);
	/* Nor does one that was asked for at a step. */
	if (p->begun_ms || p->talk.at > 0 || at->step >= p->talk.tour.n)
		return;
	talk_go(&p->talk, at->step);
	if (at->answered)
		talk_answer(&p->talk);
	memcpy(p->talk.votes, at->votes, sizeof p->talk.votes);
	talk_follow(&p->talk, at->place);
	talk_take_knob(&p->talk, at->knob);
	int64_t passed_ms = (int64_t)(1000 * at->elapsed_s);
	p->begun_ms = app->now_ms > passed_ms ? app->now_ms - passed_ms : 1;
	app_say(app, "The notes say that the talk was here: it goes on. g begins anew.");
}

/* What was typed in the notes of this step. */
static void turn(struct app *app, const struct talk_state *at)
{
	struct talk *t = &present_of(app)->talk;
	if (at->step != t->at || talk_asks(t))
		return;
	talk_stop(t);
	talk_follow(t, at->place);
	talk_take_knob(t, at->knob);
}

static void grant(struct app *app, enum talk_wish wish, const struct talk_state *at)
{
	if (wish == WISH_NEXT)
		go_on(app);
	else if (wish == WISH_BACK)
		go_back(app);
	else if (wish == WISH_RESUME)
		resume(app, at);
	else if (wish == WISH_TURN)
		turn(app, at);
}

/* Tells the notes where the talk is, and does what they ask. Where no socket can be had the talk is
 * given without. */
static void share(struct app *app)
{
	struct present *p = present_of(app);
	char line[WIRE_LINE];
	app->n_watched = 0;
	if (!app->shares_talks)
		return;
	if (!p->served) {
		p->served = true;
		if (wire_serve(&p->wire, p->talk.tour.id) && errno == EADDRINUSE)
			app_say(app, "Another terminal gives this talk: notes follow that one.");
	}
	size_t before = p->wire.n;
	struct talk_state at;
	if (wire_read(&p->wire, line))
		grant(app, talk_wish_read(line, &at), &at);
	struct talk_state now = state_of(app);
	/* Who joins gets the newest line, whose clock is that of then: so it is told again. */
	if (!*p->wire.newest || p->wire.n > before || !talk_state_same(&now, &p->sent)) {
		p->sent = now;
		wire_send(&p->wire, talk_state_write(&now, line, sizeof line));
	}
	app->n_watched = wire_fds(&p->wire, app->watched);
}

/* The sooner of two waits; -1 is none. */
static int sooner(int a, int b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Votes that come while a question stands. What came before it, or between two, was about something
 * else. */
static int gather(struct app *app)
{
	enum { LOOK_EVERY_MS = 250 };
	struct present *p = present_of(app);
	struct vote_source *v = &p->wishes.votes;
	unsigned ignored[TOUR_OPTIONS] = { 0 };
	if (!p->wished || v->from.fd < 0)
		return -1;
	if (!talk_asks(&p->talk)) {
		p->polled = false;
		return -1;
	}
	votes_read(v, p->polled ? p->talk.votes : ignored, talk_step(&p->talk)->n_options);
	p->polled = true;
	if (v->from.fd >= 0 && !v->from.grows && app->n_watched < APP_WATCHED)
		app->watched[app->n_watched++] = v->from.fd;
	return v->from.fd >= 0 && v->from.grows ? LOOK_EVERY_MS : -1;
}

/* Unattended: a step stands as long as it does in a recording, a question before its answer for a part
 * of that. */
static int go_on_alone(struct app *app, int64_t now_ms)
{
	struct present *p = present_of(app);
	struct talk *t = &p->talk;
	if (!p->wished || !p->wishes.automatic || p->blank)
		return -1;
	if (t->moves != TALK_STILL || t->live.playing || !p->stood_ms) {
		p->stood_ms = now_ms ? now_ms : 1;
		return FRAME_MS;
	}
	double stands_s = talk_halt_s(talk_step(t)) * talk_share(t);
	int64_t left_ms = p->stood_ms + llround(1000 * stands_s) - now_ms;
	if (left_ms > 0)
		return left_ms < INT_MAX ? (int)left_ms : INT_MAX;
	bool last = t->at + 1 == t->tour.n && !talk_asks(t) && !t->off_script &&
		    t->beat >= talk_step(t)->n_pauses;
	if (last)
		go_to(app, 0);
	else
		go_on(app);
	p->stood_ms = 0;
	return 0;
}

static bool typed(struct app *app, enum entry_kind kind, const char *text)
{
	struct talk *t = &present_of(app)->talk;
	if (kind == ENTRY_GUESS) {
		if (*text && talk_guess(t, text, app->entry.error, sizeof app->entry.error))
			return false;
		if (t->answered)
			talk_begin(t);
		return true;
	}
	assert(kind == ENTRY_CAPTION);
	if (t->live.sim)
		app_keep_step(app, &t->live, talk_part(t), text);
	return true;
}

/* Alone in front of a question one predicts first. */
static bool guesses(const struct app *app)
{
	const struct talk *t = &present_seen(app)->talk;
	return talk_asks(t) && talk_hero(t);
}

static int tick(struct app *app, int64_t now_ms)
{
	struct present *p = present_of(app);
	share(app);
	int wait = gather(app);
	wait = sooner(wait, go_on_alone(app, now_ms));
	wait = sooner(wait, talk_tick(&p->talk, now_ms));
	if (p->clock && p->begun_ms)
		wait = sooner(wait, 1000 - (int)((now_ms - p->begun_ms) % 1000));
	return wait;
}

static void settle(struct app *app)
{
	struct talk *t = &present_of(app)->talk;
	if (!t->live.sim)
		return;
	bool stale = t->live.stale;
	live_update(&t->live);
	if (stale)
		talk_turned(t);
	app->failed |= t->live.figure.arena.failed;
}

static void leave(struct app *app)
{
	struct present *p = present_of(app);
	p->talk.live.playing = false;
	talk_hurry(&p->talk);
	wire_close(&p->wire);
	p->served = false;
	app->n_watched = 0;
}

/* --- Places --- */

static void close_present(struct app *app)
{
	struct present *p = present_of(app);
	if (!p->open)
		return;
	wire_close(&p->wire);
	if (p->wished)
		votes_close(&p->wishes.votes);
	p->wished = false;
	talk_release(&p->talk);
	p->open = false;
}

static enum opened begin(struct app *app, const struct talk *talk)
{
	struct present *p = present_of(app);
	close_present(app);
	*p = (struct present){ .talk = *talk, .open = true, .wire = NO_WIRE };
	app_show(app, SCREEN_PRESENT);
	return OPENED;
}

/* "present:@roofline gpu=h100": what was on the screen. */
static enum opened open_place(struct app *app, const struct tables *t, const char *sim,
	const char *const words[], size_t n, char *err, size_t err_size)
{
	char place[1024];
	struct talk talk;
	size_t used = (size_t)snprintf(place, sizeof place, "%s", sim);
	for (size_t i = 0; i < n && used < sizeof place; i++)
		used += (size_t)snprintf(place + used, sizeof place - used, " %s", words[i]);
	if (talk_open_place(&talk, t, place, err, err_size))
		return OPEN_FAILED;
	return begin(app, &talk);
}

int present_step_read(
	const struct talk *t, const char *word, size_t *step, char *err, size_t err_size)
{
	char *end;
	long number = strtol(word, &end, 10);
	if (end == word || *end || number < 1 || (size_t)number > t->tour.n) {
		snprintf(err, err_size,
			"%.80s: expected the number of a step, 1 to %zu, found \"%.40s\"",
			t->tour.id, t->tour.n, word);
		return -1;
	}
	*step = (size_t)number - 1;
	return 0;
}

static enum opened open_present(struct app *app, const char *name, const char *const words[],
	size_t n, char *err, size_t err_size)
{
	static const char mine[] = "present:";
	struct talk talk;
	if (strncmp(name, mine, strlen(mine)) != 0)
		return OPEN_NOT_MINE;
	const struct tables *t = app_tables(app);
	if (!t) {
		snprintf(err, err_size, "%s", app->message);
		return OPEN_FAILED;
	}
	if (name[strlen(mine)] == '@')
		return open_place(app, t, name + strlen(mine) + 1, words, n, err, err_size);
	size_t step = 0;
	if (n > 1) {
		snprintf(err, err_size, "expected the number of a step, found \"%.40s\"", words[1]);
		return OPEN_FAILED;
	}
	struct present *p = present_of(app);
	/* A step of the talk that is open: what it was begun with stays, time, votes and who watches. Its file may have
	 * more steps by now. */
	if (n && p->open && strcmp(p->talk.tour.id, name + strlen(mine)) == 0 &&
		present_step_read(&p->talk, words[0], &step, err, err_size) == 0) {
		app_show(app, SCREEN_PRESENT);
		go_to(app, step);
		return OPENED;
	}
	if (talk_open(&talk, t, name + strlen(mine), err, err_size))
		return OPEN_FAILED;
	if (n && present_step_read(&talk, words[0], &step, err, err_size)) {
		talk_release(&talk);
		return OPEN_FAILED;
	}
	int64_t begun_ms = p->open && strcmp(p->talk.tour.id, talk.tour.id) == 0 ? p->begun_ms : 0;
	bool clock = begun_ms && p->clock;
	begin(app, &talk);
	go_to(app, step);
	/* Who comes back to a talk comes back to its clock. */
	p->begun_ms = begun_ms;
	p->clock = clock;
	return OPENED;
}

static struct live *live(const struct app *app)
{
	struct present *p = app_state(app, SCREEN_PRESENT);
	return p->open && p->talk.live.sim && !talk_asks(&p->talk) ? &p->talk.live : NULL;
}

/* A caption of a step that is not computed: dots in place of its numbers. */
static void without_numbers(const char *caption, char *buf, size_t size)
{
	size_t n = 0;
	for (const char *at = caption; *at && n + 4 < size;) {
		const char *end = *at == '`' ? strchr(at + 1, '`') : NULL;
		if (end)
			n += (size_t)snprintf(buf + n, size - n, "…");
		else
			buf[n++] = *at;
		at = end ? end + 1 : at + 1;
	}
	buf[n] = '\0';
}

/* The steps by their captions, so that one can go to any of them: with their numbers where steps are all
 * that is listed, since each has to be run for them. */
static void list(const struct app *app, struct palette *p)
{
	const struct tour *t = &present_seen(app)->talk.tour;
	struct talk each = present_seen(app)->talk;
	each.live = (struct live){ .sim = NULL };
	each.asked = NULL;
	for (size_t i = 0; t->id[0] != '@' && i < t->n; i++) {
		char about[64], target[160], caption[CAPTION_BYTES];
		if (p->searches) {
			without_numbers(t->steps[i].caption, caption, sizeof caption);
		} else {
			snprintf(caption, sizeof caption, "%s", talk_caption(&each, i));
		}
		snprintf(about, sizeof about, "step %zu of %zu", i + 1, t->n);
		snprintf(target, sizeof target, "present:%.100s %zu", t->id, i + 1);
		palette_add(p, "step", caption, about, target);
	}
	talk_let_go(&each);
}

static void write_place(const struct app *app, char *buf, size_t size)
{
	const struct talk *t = &present_seen(app)->talk;
	if (t->tour.id[0] == '@')
		snprintf(buf, size, "present:%s", t->tour.id);
	else
		snprintf(buf, size, "present:%s %zu", t->tour.id, t->at + 1);
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

/* Behind a look around there is a talk that was begun. */
static const char *unfinished(const struct app *app, char *buf, size_t size)
{
	const struct present *p = present_seen(app);
	if (!p->open || !p->begun_ms)
		return NULL;
	snprintf(buf, size, "The talk stands at step %zu of %zu: Esc or f leads back to it.",
		p->talk.at + 1, p->talk.tour.n);
	return buf;
}

/* Who begins a talk anew that was left in the middle is told where that was. */
static void tell_where_left(struct app *app)
{
	const struct talk *t = &present_seen(app)->talk;
	char talk[65];
	size_t step;
	if (t->at == 0 && sscanf(app->progress->place, "present:%64s %zu", talk, &step) == 2 &&
		strcmp(talk, t->tour.id) == 0 && step > 1 && step <= t->tour.n)
		app_say(app, "This talk was left at step %zu: ' lists the steps.", step);
}

void present_wish(struct app *app, const struct present_wishes *w)
{
	struct present *p = present_of(app);
	p->wishes = *w;
	p->wished = true;
	p->polled = false;
	p->clock |= w->seconds > 0;
	app->large = w->large;
	app->caps.shown = w->shows_keys;
	if (w->seconds > 0)
		talk_plan(&p->talk, w->seconds);
	if (!w->automatic)
		tell_where_left(app);
}

const struct talk *present_talk(const struct app *app)
{
	return &present_seen(app)->talk;
}

void present_go(struct app *app, size_t step)
{
	talk_go(&present_of(app)->talk, step);
}

void present_plan(struct app *app, double seconds)
{
	talk_plan(&present_of(app)->talk, seconds);
}

void present_drop_notes(struct app *app)
{
	talk_drop_notes(&present_of(app)->talk);
}

const char *present_left(const struct app *app, char *buf, size_t size)
{
	const struct present *p = present_seen(app);
	const struct talk *t = &p->talk;
	if (!p->open || t->tour.id[0] == '@' || t->at == 0 || t->at + 1 >= t->tour.n)
		return NULL;
	snprintf(buf, size, "left at step %zu of %zu: ridge present %s %zu goes on", t->at + 1,
		t->tour.n, t->tour.id, t->at + 1);
	return buf;
}

void present_show_answer(struct app *app)
{
	talk_answer(&present_of(app)->talk);
}

void present_play(struct app *app)
{
	if (!talk_asks(&present_of(app)->talk))
		talk_begin(&present_of(app)->talk);
}

bool present_play_on(struct app *app)
{
	return talk_play_on(&present_of(app)->talk);
}

const struct screen present_screen = {
	.name = "a talk",
	.word = "talk",
	.state_size = sizeof(struct present),
	.open = open_present,
	.close = close_present,
	.title = title,
	.draw = draw,
	.blank = is_blank,
	.act = act,
	.acts = acts,
	.calls = calls,
	.guesses = guesses,
	.typed = typed,
	.live = live,
	.list = list,
	.tick = tick,
	.settle = settle,
	.leave = leave,
	.remember = remember,
	.restore = restore,
	.unfinished = unfinished,
	.kept = kept,
};
