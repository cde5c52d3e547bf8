/* The result of a sitting, the statistics and the drills' column of the home screen, over a history
 * that the test holds. */
#include "tests/data_home.h"
#include "tests/explorer.h"
#include "ui/data/content.h"
#include "ui/practice/case_record.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/screens/home/home.h"
#include "ui/screens/stats/stats_screen.h"
#include "ui/screens/stats/stats_words.h"
#include "ui/shell/bindings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { NOW_S = 1767225600, MINUTE_MS = 60000, HISTORY_SIZE = 1 << 16 };

/* The lines that are kept, where a file would hold them. */
static struct {
	char text[HISTORY_SIZE];
	size_t n;
	int loads;
	int64_t bytes; /* as it says it is; 0: as it is */
} shelf;

static int keep(const struct history_event *e, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	shelf.n += history_line(e, shelf.text + shelf.n, HISTORY_SIZE - shelf.n);
	return 0;
}

static int load(struct history *h, char *err, size_t err_size)
{
	char *copy = malloc(shelf.n + 1);
	(void)err;
	(void)err_size;
	memcpy(copy, shelf.text, shelf.n + 1);
	shelf.loads++;
	return history_parse(h, copy, shelf.n);
}

static int64_t bytes(void)
{
	return shelf.bytes ? shelf.bytes : (int64_t)shelf.n;
}

static void answered(const char *skill, const char *topic, int64_t at_s, bool right)
{
	struct history_event e = { .at_s = at_s,
		.drill = skill,
		.skill = skill,
		.topic = topic,
		.seed = shelf.n,
		.used = true,
		.verdict = right ? VERDICT_CORRECT : VERDICT_WRONG,
		.credit = right,
		.attempt = 1,
		.took_s = 50,
		.par_s = 60,
		.mode = "set",
		.cause = right ? "" : "bits vs bytes" };
	keep(&e, NULL, 0);
}

static void empty_shelf(void)
{
	memset(&shelf, 0, sizeof shelf);
}

static struct explorer start(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_LINES);
	e.app->record = keep;
	e.app->load_history = load;
	e.app->history_bytes = bytes;
	e.app->epoch_s = NOW_S;
	return e;
}

/* Until nothing is to be done at once. */
static int settle(struct explorer *e)
{
	int wait_ms = 0;
	for (int i = 0; i < 10 && wait_ms == 0; i++) {
		wait_ms = app_tick(e->app, e->now_ms);
		app_settle(e->app);
	}
	return wait_ms;
}

static struct drill_session *session_of(const struct explorer *e)
{
	return &drill_of(e->app)->session;
}

/* Answers every step of the problem, with what it asks for. */
static void answer_right(struct explorer *e)
{
	struct session_item *item = session_current(session_of(e));
	while (item && !item->closed) {
		explorer_type(e, item->variant.steps[item->variant.step].answer);
		explorer_press(e, "Enter");
		explorer_press(e, item->closed ? "" : "End");
		for (size_t i = item->closed ? 0 : e->app->entry.bytes; i > 0; i--)
			explorer_press(e, "BS");
	}
}

/* Three ridge points: right, given up, right; 10 s each. */
static struct explorer sit(int rows, int cols)
{
	struct explorer e = start(rows, cols);
	e.now_ms = 5 * MINUTE_MS;
	explorer_press(&e, "G");
	cr_assert(explorer_open(&e, "drill topic=ridge-point count=3 seed=4"));
	for (int i = 0; i < 3; i++) {
		e.now_ms += 10000;
		if (i == 1)
			explorer_press(&e, "Ctrl-G");
		else
			answer_right(&e);
		explorer_press(&e, "Enter");
	}
	return e;
}

/* --- a session that was left -------------------------------------------------------------- */

/* Killed after the third of twelve, a placement begins at the fourth, with what was answered; so does its code,
 * and home says so. Nothing is kept twice. */
Test(app_left, a_placement_goes_on, .init = empty_shelf)
{
	static const bool right[] = { true, false, true };
	char target[80], code[40];
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill mode=placement"));
	const uint64_t seed = session_of(&e)->seed;
	snprintf(code, sizeof code, "%s", drill_of(e.app)->request.code);
	explorer_press(&e, "Enter");
	for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
		if (right[i])
			answer_right(&e);
		else
			explorer_press(&e, "Ctrl-G");
		explorer_press(&e, "Enter");
	}
	explorer_end(&e);
	const size_t kept = shelf.n;
	for (int by_code = 0; by_code < 2; by_code++) {
		e = start(24, 80);
		e.app->epoch_s = NOW_S + 3600;
		settle(&e);
		cr_expect(explorer_shows(&e, "Go on with the placement, at problem 4 of 12"));
		snprintf(target, sizeof target, by_code ? "drill code=%s" : "drill mode=placement",
			code);
		cr_assert(explorer_open(&e, target));
		const struct drill_session *s = session_of(&e);
		cr_expect(s->seed == seed && s->n == 12);
		cr_expect(eq(sz, s->current, 3));
		for (size_t i = 0; i < sizeof right / sizeof *right; i++)
			cr_expect(
				session_item_right(&s->items[i]) == right[i] && s->items[i].closed);
		cr_expect(explorer_shows(&e, "at problem 4 of 12"));
		cr_expect(eq(sz, shelf.n, kept));
		explorer_end(&e);
	}
	/* A day later it is another one. */
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 90000;
	cr_assert(explorer_open(&e, "drill mode=placement"));
	cr_expect(zero(sz, session_of(&e)->current));
	explorer_end(&e);
}

/* An ordinary set that was killed is offered on home by its code, and goes on there; done, it is offered no more. One
 * that is asked for by its topic has other problems. */
Test(app_left, a_set_goes_on_by_its_code, .init = empty_shelf)
{
	char target[80], code[40], offer[120];
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill topic=roofline count=3"));
	const uint64_t seed = session_of(&e)->seed;
	snprintf(code, sizeof code, "%s", drill_of(e.app)->request.code);
	explorer_press(&e, "Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 60;
	settle(&e);
	snprintf(offer, sizeof offer, "Go on with the set %s, at problem 2 of 3", code);
	cr_expect(explorer_shows(&e, offer));
	snprintf(target, sizeof target, "drill code=%s", code);
	cr_assert(explorer_open(&e, target));
	cr_expect(session_of(&e)->seed == seed);
	cr_expect(eq(sz, session_of(&e)->current, 1));
	cr_expect(explorer_shows(&e, "You left this one at problem 2 of 3"));
	explorer_press(&e, "Ctrl-G Enter Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 120;
	settle(&e);
	cr_expect(not(explorer_shows(&e, "Go on with the set")));
	cr_assert(explorer_open(&e, target));
	cr_expect(zero(sz, session_of(&e)->current));
	explorer_end(&e);
}

/* A placement whose seed is named begins anew, and says that another one was left. */
Test(app_left, a_placement_by_its_seed_says_that_one_was_left, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill mode=placement"));
	explorer_press(&e, "Enter Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 60;
	cr_assert(explorer_open(&e, "drill mode=placement seed=9"));
	cr_expect(zero(sz, session_of(&e)->current));
	cr_expect(explorer_shows(&e, "One was left at problem 2 of 12"));
	explorer_end(&e);
}

/* The five problems on a chapter go on, too, in the middle of a problem; once all are done there are others. */
Test(app_left, the_problems_on_a_chapter_go_on, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill topic=chapter-1"));
	const uint64_t seed = session_of(&e)->seed;
	explorer_press(&e, "Ctrl-G Enter Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 600;
	cr_assert(explorer_open(&e, "drill topic=chapter-1"));
	cr_expect(session_of(&e)->seed == seed);
	cr_expect(eq(sz, session_of(&e)->current, 2));
	explorer_press(&e, "Ctrl-G Enter Ctrl-G Enter Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 1200;
	cr_assert(explorer_open(&e, "drill topic=chapter-1"));
	cr_expect(session_of(&e)->seed != seed);
	cr_expect(zero(sz, session_of(&e)->current));
	explorer_end(&e);
}

/* Another set of problems of that chapter is none of the five on it, neither before them nor between. */
Test(app_left, the_problems_on_a_chapter_are_told_from_others_of_it, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill topic=roofline count=2"));
	explorer_press(&e, "Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	cr_assert(explorer_open(&e, "drill topic=chapter-1"));
	cr_expect(zero(sz, session_of(&e)->current));
	cr_expect(not(explorer_shows(&e, "You left this one")));
	const uint64_t seed = session_of(&e)->seed;
	explorer_press(&e, "Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 300;
	cr_assert(explorer_open(&e, "drill topic=roofline count=2"));
	explorer_press(&e, "Ctrl-G Enter");
	explorer_end(&e);
	e = start(24, 80);
	e.app->epoch_s = NOW_S + 600;
	cr_assert(explorer_open(&e, "drill topic=chapter-1"));
	cr_expect(session_of(&e)->seed == seed);
	cr_expect(explorer_shows(&e, "You left this one at problem 2 of 5"));
	explorer_end(&e);
}

/* --- the result ------------------------------------------------------------------------- */

Test(app_result, says_what_it_came_to, .init = empty_shelf)
{
	static const char *const says[] = {
		"2 of 3 right, 2 of them within par; credit 2.00 of 3; 0:30",
		"answers took 33 % of par in the median", "roofline, 1 of 3",
		"right     0:10 of 0:30", "gave up   0:10 of 0:30", "repeat missed"
	};
	struct explorer e = sit(24, 80);
	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		cr_expect(explorer_shows(&e, says[i]), "%s", says[i]);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1), "nothing moves");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(app_result, knows_personal_bests, .init = empty_shelf)
{
	answered("roofline", "roofline", NOW_S - 1000, true); /* in 50 s */
	struct explorer e = sit(24, 80);
	cr_expect(explorer_shows(&e, "roofline in 0:10, before 0:50"));
	cr_expect(explorer_shows(&e, "2 right in a row, before 1"));
	int loads = shelf.loads;
	explorer_press(&e, "Down Down Up");
	cr_expect(eq(int, shelf.loads, loads), "the history is read once");
	explorer_end(&e);
}

/* The second is opened as it was closed; the ways on work from there; Enter goes on to the third,
 * and then back to the list. */
Test(app_result, opens_a_problem_again, .init = empty_shelf)
{
	struct explorer e = sit(24, 80);
	explorer_press(&e, "Down Enter");
	const struct session_item *item = &session_of(&e)->items[1];
	cr_expect(explorer_shows(&e, "2 of 3"));
	cr_expect(not(explorer_shows(&e, "PAUSED")));
	cr_expect(item->closed && item->attempts == 0);
	explorer_press(&e, "g");
	cr_expect(eq(int, e.app->screen, SCREEN_SIM));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(sz, drill_of(e.app)->look, 2));
	explorer_press(&e, "p");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "Esc");
	size_t kept = shelf.n;
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, drill_of(e.app)->look, 3));
	explorer_press(&e, "Tab Ctrl-G Ctrl-P Enter");
	cr_expect(eq(sz, drill_of(e.app)->look, 0));
	cr_expect(explorer_shows(&e, "2 of 3 right"));
	cr_expect(eq(sz, shelf.n, kept), "looking answers nothing");
	cr_expect(eq(sz, session_of(&e)->items[2].hints, 0));
	explorer_press(&e, "Enter Esc");
	cr_expect(explorer_shows(&e, "2 of 3 right"), "Esc leads back to the list");
	explorer_end(&e);
}

Test(app_result, repeats_what_was_missed_with_fresh_numbers, .init = empty_shelf)
{
	struct explorer e = sit(24, 80);
	size_t before = e.app->behind.n;
	explorer_press(&e, "r");
	cr_expect(explorer_shows(&e, "A review of the 1 skill missed"));
	cr_assert(eq(sz, session_of(&e)->n, 1));
	cr_expect(eq(int, session_of(&e)->mode, MODE_REVIEW));
	cr_expect(
		eq(str, (char *)session_of(&e)->items[0].variant.drill->skill, (char *)"roofline"));
	cr_expect(ne(u64, session_of(&e)->seed, 4));
	cr_expect(eq(sz, e.app->behind.n, before), "Esc leads to where the first began");
	answer_right(&e);
	explorer_press(&e, "Enter Enter Enter");
	cr_expect(explorer_shows(&e, "1 of 1 right"));
	explorer_press(&e, "r");
	cr_expect(explorer_shows(&e, "Nothing was missed."));
	explorer_end(&e);
}

Test(app_result, begins_the_same_kind_again, .init = empty_shelf)
{
	struct explorer e = sit(24, 80);
	uint64_t seeds[3] = { session_of(&e)->seed };
	for (int i = 1; i < 3; i++) {
		explorer_press(&e, "a");
		cr_assert(eq(sz, session_of(&e)->n, 3));
		cr_expect(eq(str, (char *)session_of(&e)->items[2].variant.drill->id,
			(char *)"ridge-point"));
		seeds[i] = session_of(&e)->seed;
		for (int k = 0; k < 3; k++)
			explorer_press(&e, "Ctrl-G Enter");
	}
	cr_expect(seeds[0] != seeds[1] && seeds[1] != seeds[2] && seeds[0] != seeds[2]);
	explorer_press(&e, "y");
	cr_expect(explorer_shows(&e, "ridge drill --code "));
	explorer_end(&e);
}

/* A code leads to the same set of drills again, though its topic is in the bank that goes. */
Test(app_result, again_after_a_code, .init = empty_shelf)
{
	char code[96];
	struct explorer e = sit(24, 80);
	snprintf(code, sizeof code, "drill code=%s", drill_of(e.app)->request.code);
	explorer_press(&e, "Esc");
	cr_assert(explorer_open(&e, code));
	cr_expect(eq(u64, session_of(&e)->seed, 4));
	for (int k = 0; k < 3; k++)
		explorer_press(&e, "Ctrl-G Enter");
	explorer_press(&e, "a");
	cr_expect(
		eq(str, (char *)session_of(&e)->items[2].variant.drill->id, (char *)"ridge-point"));
	explorer_end(&e);
}

Test(app_result, an_answer_not_to_be_kept, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "drill topic=ridge-point count=1 history=no"));
	explorer_press(&e, "Ctrl-G Enter a Ctrl-G Enter");
	cr_expect(eq(sz, shelf.n, 0));
	explorer_end(&e);
}

/* Nothing is lost at any size; the problem in focus is on the screen. */
Test(app_result, fits, .init = empty_shelf)
{
	static const int sizes[][2] = { { 12, 40 }, { 24, 80 }, { 14, 60 }, { 60, 200 } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct explorer e = sit(sizes[i][0], sizes[i][1]);
		explorer_press(&e, "Down Down");
		cr_expect(explorer_shows(&e, "▸  3"), "%d x %d", sizes[i][1], sizes[i][0]);
		explorer_end(&e);
	}
}

/* --- the statistics --------------------------------------------------------------------- */

Test(app_stats, empty, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(explorer_shows(&e, "No answers yet."));
	cr_expect(explorer_shows(&e, "▸ Enter: five mixed problems"));
	explorer_press(&e, "Down");
	cr_expect(
		explorer_shows(&e, "▸ After pre-training"), "topics lead to their drills here too");
	explorer_press(&e, "PgDn d G g");
	cr_expect(explorer_shows(&e, "No answers yet."));
	explorer_press(&e, "Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_STATS));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* Decode was wrong an hour ago and is due; queueing was right a minute ago. */
static void fill_shelf(void)
{
	empty_shelf();
	answered("decode", "inference", NOW_S - 90000, true);
	answered("decode", "inference", NOW_S - 3600, false);
	answered("queueing", "serving", NOW_S - 60, true);
}

Test(app_stats, rows_lead_to_drills, .init = fill_shelf)
{
	struct explorer e = start(30, 80);
	cr_assert(explorer_open(&e, "stats"));
	static const char *const says[] = { "2 of 3 right: too few",
		"1 skill due: decode. Enter: review", "Your share of right answers",
		"By skill, what is due first", "in 9 min" };
	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		cr_expect(explorer_shows(&e, says[i]), "%s", says[i]);
	explorer_press(&e, "Down Down");
	cr_expect(explorer_shows(&e, "▸ queueing"));
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(
		eq(str, (char *)session_of(&e)->items[0].variant.drill->skill, (char *)"queueing"));
	explorer_press(&e, "Ctrl-G Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_STATS));
	cr_expect(eq(int, stats_of(e.app)->focus, 1), "and back to the same row");
	cr_expect(eq(sz, stats_of(e.app)->answers.stats.n_problems, 4),
		"with what was answered since");
	explorer_press(&e, "Down Down");
	cr_expect(explorer_shows(&e, "▸ Serving"));
	explorer_press(&e, "d");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(int, session_of(&e)->mode, MODE_REVIEW));
	cr_expect(eq(str, (char *)session_of(&e)->items[0].variant.drill->skill, (char *)"decode"));
	explorer_end(&e);
}

/* The cursor stands on the next step until a row is chosen. */
Test(app_stats, enter_takes_the_next_step, .init = fill_shelf)
{
	struct explorer e = start(30, 80);
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(explorer_shows(&e, "▸ 1 skill due"));
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(int, session_of(&e)->mode, MODE_REVIEW));
	explorer_end(&e);
}

/* How many problems the bank has on a topic. */
static size_t problems_on(const struct app *app, const char *topic)
{
	for (size_t i = 0; i < app->outline.n; i++)
		if (strcmp(app->outline.topics[i].id, topic) == 0)
			return app->outline.topics[i].drills;
	cr_assert(false, "no topic %s", topic);
	return 0;
}

/* One answer says little, and says so; topics that wait lead to their drills as well. */
Test(app_stats, one_answer, .init = empty_shelf)
{
	answered("queueing", "serving", NOW_S - 60, true);
	struct explorer e = start(48, 160);
	cr_assert(explorer_open(&e, "stats"));
	char met[32];
	snprintf(met, sizeof met, " 1 of %zu ", problems_on(e.app, "serving"));
	cr_expect(explorer_shows(&e, met), "\"%s\"", met);
	static const char *const says[] = { "One problem, right.", "21 %",
		"What these answers cannot say yet", "fewer than three times", "1 of 1" };
	for (size_t i = 0; i < sizeof says / sizeof *says; i++)
		cr_expect(explorer_shows(&e, says[i]), "%s", says[i]);
	explorer_press(&e, "Down Down Down");
	cr_expect(explorer_shows(&e, "▸ After pre-training"));
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(str, (char *)session_of(&e)->items[0].variant.drill->topic, (char *)"after"));
	explorer_end(&e);
}

/* As people write numbers, also where somebody went away with the clock running. */
Test(app_stats, a_long_time_is_written_in_full)
{
	struct stats s = { .n_problems = 20,
		.total = { .problems = 20, .correct = 10, .time_ratio = 120 } };
	char text[STATS_SENTENCE];
	stats_headline(&s, false, text, sizeof text);
	cr_expect(
		strstr(text, "50 % right, half of them within 120 times par.") == text, "%s", text);
}

/* Without an answer there is no track: a rule as long as a pool reads as progress. Topics stand by the
 * names that are shown ("Mixtures of experts" has the id "experts"). */
Test(app_stats, topics_wait_by_name, .init = empty_shelf)
{
	struct explorer e = start(60, 40);
	cr_assert(explorer_open(&e, "stats"));
	char *text = explorer_text(&e);
	const char *list = strstr(text, "Topics that wait");
	char *end = strstr(text, "recall (%");
	cr_assert(list && end && list < end, "%s", text);
	*end = '\0';
	const char *inference = strstr(list, "Inference"), *kernels = strstr(list, "Kernels");
	cr_expect(inference && kernels && inference < kernels, "%s", text);
	const char *meshes = strstr(list, "Meshes"),
		   *mixtures = strstr(list, "Mixtures of experts"),
		   *numbers = strstr(list, "Numbers");
	cr_assert(meshes && mixtures && numbers, "%s", text);
	cr_expect(meshes < mixtures && mixtures < numbers, "%s", text);
	/* A track would say how much of a topic is done; a length without one says how many problems it has. */
	cr_expect(strstr(list, "──") == NULL && strstr(list, "━━") != NULL, "%s", text);
	free(text);
	explorer_press(&e, "Down Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	explorer_end(&e);
}

/* Columns that have no room are left out, none is cut. */
Test(app_stats, no_word_is_cut, .init = fill_shelf)
{
	for (int cols = 40; cols <= 140; cols += 4) {
		struct explorer e = start(60, cols);
		cr_assert(explorer_open(&e, "stats"));
		for (int page = 0; page < 3; page++, explorer_press(&e, "PgDn")) {
			char *text = explorer_text(&e);
			cr_expect(strstr(text, "…") == NULL, "%s", text);
			free(text);
		}
		explorer_end(&e);
	}
}

Test(app_stats, nothing_due, .init = empty_shelf)
{
	answered("queueing", "serving", NOW_S - 60, true);
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(explorer_shows(&e, "Nothing due. Next review in 9 min: queueing."));
	explorer_press(&e, "d");
	cr_expect(eq(int, e.app->screen, SCREEN_STATS));
	explorer_end(&e);
}

/* All of it can be scrolled to, at any size. */
Test(app_stats, scrolls, .init = fill_shelf)
{
	static const int sizes[][2] = { { 12, 40 }, { 24, 80 }, { 45, 160 }, { 80, 200 } };
	static const char *const parts[] = { "2 of 3 right", "By skill", "By topic",
		"bits vs bytes", "Personal bests", "Assumes" };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct explorer e = start(sizes[i][0], sizes[i][1]);
		bool seen[sizeof parts / sizeof *parts] = { false };
		cr_assert(explorer_open(&e, "stats"));
		for (int page = 0; page < 40; page++) {
			for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
				seen[k] |= explorer_shows(&e, parts[k]);
			explorer_press(&e, "PgDn");
		}
		for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
			cr_expect(seen[k], "%s at %d x %d", parts[k], sizes[i][1], sizes[i][0]);
		long last = stats_of(e.app)->scroll;
		explorer_press(&e, "PgDn G");
		cr_expect(eq(long, stats_of(e.app)->scroll, last));
		explorer_press(&e, "Down");
		cr_expect(explorer_shows(&e, "▸"), "the row in focus is brought back, %d x %d",
			sizes[i][1], sizes[i][0]);
		explorer_end(&e);
	}
}

/* Reading a large one is said before it is done. */
Test(app_stats, a_large_history_is_announced, .init = fill_shelf)
{
	struct explorer e = start(24, 80);
	shelf.bytes = 100 << 20;
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(eq(int, shelf.loads, 0));
	cr_expect(explorer_shows(&e, "Reading 105 MB of answers"));
	settle(&e);
	cr_expect(eq(int, shelf.loads, 1));
	cr_expect(explorer_shows(&e, "decode"));
	explorer_end(&e);
}

/* --- the home screen -------------------------------------------------------------------- */

Test(app_home, says_what_is_due_after_the_first_paint, .init = fill_shelf)
{
	struct explorer e = start(40, 130);
	cr_expect(eq(int, shelf.loads, 0));
	cr_expect(explorer_shows(&e, "Review") && !explorer_shows(&e, "due"));
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 0), "the first tick may be before the paint");
	cr_expect(eq(int, shelf.loads, 0));
	/* Queueing comes in nine minutes: then it is looked at again. */
	cr_expect(eq(int, settle(&e), 9 * MINUTE_MS));
	cr_expect(eq(int, shelf.loads, 1));
	cr_expect(explorer_shows(&e, "▸ 1 review due, about 1 min: d")); /* 60 s at par */
	cr_expect(explorer_shows(&e, "1 skill due"));
	cr_expect(explorer_shows(&e, "50 % right"), "of inference");
	e.now_ms = 9 * MINUTE_MS;
	cr_expect(eq(int, settle(&e), -1));
	cr_expect(explorer_shows(&e, "2 skills due"));
	explorer_end(&e);
}

Test(app_home, nothing_due, .init = empty_shelf)
{
	answered("queueing", "serving", NOW_S - 60, true);
	struct explorer e = start(40, 130);
	settle(&e);
	cr_expect(explorer_shows(&e, "Nothing is due; the next review comes in 9 min."));
	explorer_press(&e, "Tab Tab Tab Tab Down Down Down Down Down Down");
	cr_expect(explorer_shows(&e, "Nothing due. Next review in 9 min."));
	explorer_press(&e, "Enter");
	/* That is a screen, and it leads on. */
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(explorer_shows(&e, "Nothing is due"));
	cr_expect(explorer_shows(&e, "The next skill, queueing, comes back in 9 min."));
	explorer_press(&e, "? Esc : Esc n h Ctrl-P Up");
	cr_expect(explorer_shows(&e, "Nothing is due"));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_press(&e, "Enter Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(int, session_of(&e)->mode, MODE_SET));
	cr_expect(lt(sz, 0, session_of(&e)->n));
	explorer_end(&e);
}

/* A sitting of a case that was begun so long ago and has a line. */
static void leave_case(const char *id, int64_t ago_s)
{
	char name[CASE_RECORD_NAME_SIZE], err[300], line[600];
	struct design_case c = { .id = id };
	struct case_sitting s = { .deal = { .of = &c }, .minutes = CASE_MINUTES };
	char *begin = case_begin_line(&s, NOW_S - ago_s),
	     *typed = case_typed_line("what is the load?", 65000);
	case_file_name(c.id, NOW_S - ago_s, name);
	snprintf(line, sizeof line, "%s%s", begin, typed);
	cr_assert(zero(int, case_file_keep(name, line, err, sizeof err)), "%s", err);
	free(begin);
	free(typed);
}

/* A case that was left an hour ago comes first, before what is due; one of last week is no longer in hand. */
Test(app_home, leads_back_to_the_case_that_was_left, .init = fill_shelf)
{
	static const struct {
		int64_t ago_s;
		bool leads;
	} rows[] = { { 3600, true }, { 7 * 86400, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct data_home h;
		data_home_begin(&h, "cases");
		leave_case("serve-70b", rows[i].ago_s);
		struct explorer e = start(24, 100);
		e.app->load_case = case_file_read;
		settle(&e);
		cr_expect(eq(int,
			explorer_shows(&e,
				"Go on with the case \"Serve a 70B assistant\", at 1:05: Enter"),
			rows[i].leads));
		cr_expect(explorer_shows(&e, "due"));
		explorer_end(&e);
		data_home_end(&h);
	}
}

/* A case of the user's own: one that travels with ridge, under another id and title. */
static void write_own_case(const struct data_home *h, const char *id, const char *title)
{
	static const char was[] = "serve-70b", was_titled[] = "Serve a 70B assistant";
	char name[80], *own;
	size_t size;
	void *owned;
	const char *text = content_read("cases/serve-70b.json", NULL, &owned);
	cr_assert(text != NULL);
	const char *at = strstr(text, was), *titled = strstr(text, was_titled);
	cr_assert(at != NULL && titled > at);
	FILE *f = open_memstream(&own, &size);
	cr_assert(f != NULL);
	fprintf(f, "%.*s%s%.*s%s%s", (int)(at - text), text, id,
		(int)(titled - at - (long)strlen(was)), at + strlen(was), title,
		titled + strlen(was_titled));
	fclose(f);
	snprintf(name, sizeof name, "%s.json", id);
	data_home_put(h, name, own);
	free(own);
	free(owned);
}

/* One that was written while ridge runs, after the cases were listed: home leads back to it, and the palette finds
 * it once it was seen in the list. */
Test(app_home, leads_back_to_a_case_that_is_new, .init = fill_shelf)
{
	struct data_home h;
	data_home_begin(&h, "cases");
	struct explorer e = start(24, 100);
	e.app->load_case = case_file_read;
	explorer_press(&e, ": Esc");
	write_own_case(&h, "of-mine", "A rack of my own");
	leave_case("of-mine", 3600);
	settle(&e);
	cr_expect(explorer_shows(&e, "Go on with the case \"A rack of my own\", at 1:05"));
	cr_assert(explorer_open(&e, "case"));
	cr_expect(explorer_shows(&e, "A rack of my own"));
	explorer_press(&e, "Esc :");
	explorer_type(&e, "a rack of my");
	cr_expect(explorer_shows(&e, "case        A rack of my own"));
	explorer_end(&e);
	data_home_end(&h);
}

/* The desk's side of the same, in a record that began so long ago. */
static int64_t desk_ago_s;
static char *desk(const char *code, int64_t now_s, char *name)
{
	char line[200];
	(void)code;
	(void)name;
	snprintf(line, sizeof line,
		"{\"schema\":1,\"did\":\"begin\",\"at\":%lld,\"code\":\"ABC\",\"name\":\"Ada\"}\n",
		(long long)(now_s - desk_ago_s));
	return strdup(line);
}

/* Of an interview that is given and one that is taken, to that which was begun last. */
Test(app_home, leads_back_to_what_was_begun_last, .init = fill_shelf)
{
	struct data_home h;
	data_home_begin(&h, "cases");
	leave_case("serve-70b", 3600);
	static const struct {
		int64_t ago_s;
		const char *leads;
	} rows[] = { { 7200, "Go on with the case " }, { 60, "Go on with the interview " } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(24, 100);
		desk_ago_s = rows[i].ago_s;
		e.app->load_case = case_file_read;
		e.app->load_interview = desk;
		settle(&e);
		cr_expect(explorer_shows(&e, rows[i].leads), "%s", rows[i].leads);
		explorer_end(&e);
	}
	data_home_end(&h);
}

/* Whoever comes back to another place than home is told there what is due, once there is something. */
Test(app_home, what_is_due_is_told_elsewhere_too, .init = empty_shelf)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "page:gpu"));
	app_tell_due(e.app);
	cr_expect(eq(str, e.app->message, ""));
	answered("queueing", "serving", NOW_S - 30 * 86400, true);
	app_tell_due(e.app);
	cr_expect(strstr(e.app->message, "1 review due") != NULL, "%s", e.app->message);
	explorer_end(&e);
}

/* Every entry opens what it names; what is answered there is counted on the way back. */
Test(app_home, every_entry_of_the_drills_opens, .init = fill_shelf)
{
	struct explorer e = start(24, 80);
	enum { NO_MODE = -1 };
	static const struct {
		enum screen_id opens;
		int mode;
	} fixed[] = { { SCREEN_CALENDAR, NO_MODE }, { SCREEN_CASE, NO_MODE },
		{ SCREEN_CASE, NO_MODE }, /* a practice interview is at a case too */
		{ SCREEN_INTERVIEWER, NO_MODE }, { SCREEN_DRILL, MODE_SET },
		{ SCREEN_DRILL, MODE_STUDY }, { SCREEN_DRILL, MODE_REVIEW },
		{ SCREEN_DRILL, MODE_SPRINT }, { SCREEN_DRILL, MODE_PLACEMENT },
		{ SCREEN_STATS, NO_MODE } };
	enum { FIXED = sizeof fixed / sizeof *fixed };
	home_of(e.app)->column = HOME_DRILLS;
	for (int i = 0; i < FIXED + (int)e.app->outline.n; i++) {
		home_of(e.app)->row[HOME_DRILLS] = i;
		explorer_press(&e, "Enter");
		const enum screen_id opens = i < FIXED ? fixed[i].opens : SCREEN_DRILL;
		cr_expect(eq(int, e.app->screen, opens), "%d: %s", i, e.app->message);
		if (i < FIXED && fixed[i].mode != NO_MODE)
			cr_expect(eq(int, (int)session_of(&e)->mode, fixed[i].mode));
		if (i >= FIXED) {
			const struct drill *first = session_of(&e)->items[0].variant.drill;
			const char *topic = e.app->outline.topics[i - FIXED].id;
			/* A skill may be called like a topic. */
			cr_expect(strcmp(first->topic, topic) == 0 ||
					  strcmp(first->skill, topic) == 0,
				"%s", topic);
		}
		explorer_press(&e, "Esc Esc");
		e.app->screen = SCREEN_HOME;
	}
	explorer_end(&e);
}

/* The outline is what the bank holds. */
Test(app_home, topics_are_those_of_the_bank)
{
	struct explorer e = explorer_start(60, 120, GLYPHS_LINES);
	const char *topics[64];
	cr_expect(explorer_shows(&e, "  Case study")); /* "casestudy" */
	cr_assert(explorer_open(&e, "drill"));
	const struct drill_bank *b = &drill_of(e.app)->bank;
	size_t n = bank_topics(b, topics, 64);
	cr_assert(eq(sz, e.app->outline.n, n));
	for (size_t i = 0; i < n; i++) {
		size_t drills = 0;
		for (size_t k = 0; k < b->n; k++)
			if (strcmp(b->drills[k].topic, topics[i]) == 0) {
				drills++;
				cr_expect(eq(str, (char *)e.app->outline.topics[i].name,
					(char *)b->drills[k].topic_name));
			}
		cr_expect(eq(str, (char *)e.app->outline.topics[i].id, (char *)topics[i]));
		cr_expect(eq(sz, e.app->outline.topics[i].drills, drills), "%s", topics[i]);
	}
	explorer_end(&e);
}

/* Under numbers of its own the sentence does not say them again. */
Test(app_stats, a_number_is_said_once)
{
	struct stats s = { .n_problems = 20,
		.total = { .problems = 20, .correct = 10, .time_ratio = 0.8 } };
	char text[STATS_SENTENCE];
	stats_headline(&s, true, text, sizeof text);
	cr_expect(strstr(text, "50 %") == NULL && strstr(text, "par") == NULL, "%s", text);
	cr_expect(strstr(text, "No skill has come back yet") == text, "%s", text);
}

/* A season of answers: 30 days of four skills, one each day. Queueing is always
 * right, decode on even days, collective-time on the first three days only and never since, and a skill that no
 * drill asks for any more is answered right as long as that. */
static void fill_season(void)
{
	enum { DAY_S = 86400, DAYS = 30, LEFT = 3 };
	empty_shelf();
	for (int day = 0; day < DAYS; day++) {
		const int64_t at_s = NOW_S - (int64_t)(DAYS - day) * DAY_S + 3600;
		answered("queueing", "serving", at_s, true);
		answered("decode", "inference", at_s + 600, day % 2 == 0);
		answered(day < LEFT ? "collective-time" : "queueing",
			day < LEFT ? "distributed" : "serving", at_s + 1200, true);
		answered(day < LEFT ? "gone-with-its-drill" : "decode", "inference", at_s + 1800,
			day < LEFT || day % 2 == 0);
	}
}

/* Right are all 57 of queueing, the three and the three of what was left, and of decode 15 of 30 and 13 of 27. */
Test(app_stats, a_season_has_trends_and_what_fades, .init = fill_season)
{
	static const struct {
		int rows, cols;
		const char *head; /* of the recall, where there is room for more than the word */
	} sizes[] = { { 60, 80, NULL }, { 60, 100, NULL }, { 60, 150, NULL },
		{ 80, 200, "recall, due at 90 %" } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct explorer e = start(sizes[i].rows, sizes[i].cols);
		bool seen = !sizes[i].head, trend = false, fades = false, gone = false;
		cr_assert(explorer_open(&e, "stats"));
		cr_expect(eq(sz, stats_of(e.app)->answers.stats.total.correct, 57 + 3 + 3 + 28));
		cr_expect(explorer_shows(&e, "Most missed: decode, 29 of 57."));
		cr_expect(explorer_shows(&e, "2 skills due, collective time first. Enter: review"));
		for (int page = 0; page < 40; page++, explorer_press(&e, "PgDn")) {
			seen = seen || explorer_shows(&e, sizes[i].head);
			trend |= explorer_shows(&e, "Right answers, day by day");
			fades |= explorer_shows(&e, "Recall, if nothing is reviewed");
			gone |= explorer_shows(&e, "no drill now");
		}
		cr_expect(seen && trend && fades && gone, "%d x %d", sizes[i].cols, sizes[i].rows);
		explorer_press(&e, "g Down Down Enter");
		cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
		cr_expect(eq(str, (char *)session_of(&e)->items[0].variant.drill->skill,
			(char *)"decode"));
		explorer_end(&e);
	}
}

/* A click puts a row in focus, a second one opens it. */
Test(app_stats, rows_are_clicked, .init = fill_season)
{
	struct explorer e = start(60, 150);
	cr_assert(explorer_open(&e, "stats"));
	const int row = explorer_row_of(&e, "collective time      ");
	cr_assert(ge(int, row, 0));
	app_click(e.app, row, 1);
	cr_expect(eq(int, stats_of(e.app)->focus, -1), "a picture is no row");
	app_click(e.app, row, 75);
	cr_expect(eq(int, stats_of(e.app)->focus, 0));
	app_click(e.app, row, 75);
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(str, (char *)session_of(&e)->items[0].variant.drill->skill,
		(char *)"collective-time"));
	explorer_end(&e);
}

/* Without anything missed often the sentence has what fades, or that nothing does. */
Test(app_stats, a_sentence_about_what_fades, .init = empty_shelf)
{
	enum { DAY_S = 86400 };
	for (int day = 30; day > 25; day--)
		answered("collective-time", "distributed", NOW_S - (int64_t)day * DAY_S, true);
	for (int day = 12; day > 0; day--)
		answered("queueing", "serving", NOW_S - (int64_t)day * DAY_S, true);
	struct explorer e = start(60, 150);
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(explorer_shows(&e, "What has faded most is collective time: you would know it "));
	explorer_end(&e);
	empty_shelf();
	for (int day = 12; day > 0; day--)
		answered("queueing", "serving", NOW_S - (int64_t)day * DAY_S, true);
	e = start(60, 150);
	cr_assert(explorer_open(&e, "stats"));
	cr_expect(explorer_shows(&e, "Nothing has faded yet."));
	explorer_end(&e);
}
