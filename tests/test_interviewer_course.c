/* A whole interview at the interviewer's terminal: the plan of the phases, marks and notes, what
 * the candidate answers, and any keys. */
#include "tests/interviewer.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/screens/interviewer/interviewer_screen.h"
#include "ui/shell/bindings.h"
#include "sims/quantity/quantity_parse.h"
#include "sims/base/rng.h"
#include "tests/pty.h"
#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

/* --- a whole interview ------------------------------------------------------------------- */

/* What is planned stands in steps of ten seconds, on the desk and in the report. */
Test(interviewer, plans_are_told_to_ten_seconds)
{
	static const struct {
		int64_t ms;
		const char *text;
	} rows[] = { { 4999, "0:00" }, { 5000, "0:10" }, { 592500, "9:50" }, { 595000, "10:00" } };
	char buf[32];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(str, interviewer_planned_text(rows[i].ms, buf, sizeof buf),
			(char *)rows[i].text));
}

/* The plan is 5, 10, 15, 10 and 5 minutes; WRAP UP is a minute before the planned end. 5:30 leave 39:30 for 40: 9:52.5 for
 * the estimate, of which the clock shows whole seconds. */
Test(interviewer, clock_says_when_a_phase_is_over)
{
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n");
	expect_shown(&e, "Space starts the clock");
	pass(&e, 10 * MINUTE_MS); /* of small talk */
	explorer_press(&e, "Space");
	expect_shown(&e, "clarify   5:00 left");
	pass(&e, 4 * MINUTE_MS - 1);
	expect_shown(&e, "clarify   1:01 left");
	pass(&e, 1);
	expect_shown(&e, "WRAP UP, 1:00 left");
	pass(&e, MINUTE_MS - 1);
	expect_shown(&e, "WRAP UP");
	pass(&e, 1);
	expect_shown(&e, "OVER, 0:00 left");
	pass(&e, 30000);
	expect_shown(&e, "OVER by 0:30");
	expect_shown(&e, " 5:30 of 45:00");
	expect_shown(&e, "minutes  ▸clarify 5  estimate 10");
	explorer_press(&e, "Space");
	pass(&e, 10 * MINUTE_MS);
	expect_shown(&e, "PAUSED");
	explorer_press(&e, "Space ]");
	expect_shown(&e, "2 of 5 estimate");
	expect_shown(&e, "estimate   9:52 left");
	explorer_end(&e);
}

Test(interviewer, clock_wakes_the_screen_each_second_and_not_while_nothing_moves)
{
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n");
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 1000), "the history is looked at");
	e.app->history_stamp = NULL;
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1));
	explorer_press(&e, "Space");
	pass(&e, 300);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), 700));
	explorer_end(&e);
}

static void note(struct explorer *e, const char *text)
{
	explorer_press(e, "e");
	explorer_type(e, text);
	explorer_press(e, "Enter");
}

/* From the first question to the print. Times and marks of the summary are worked by hand. */
Test(interviewer, a_whole_interview)
{
	struct explorer e = interviewer_on("seed=5 count=2", 24, 80, GLYPHS_LINES);
	struct interviewer *v = interviewer_of(e.app);
	char *text = NULL;
	size_t size;
	cr_assert(eq(sz, v->n_stops, 6), "clarify, 1, design, 2, 3, wrap up");
	explorer_press(&e, "Space");
	pass(&e, 3 * MINUTE_MS);
	note(&e, "asked for the p99, not the mean");
	pass(&e, MINUTE_MS + 12000);
	explorer_press(&e, "3 n"); /* clarify: 4:12, yes */
	pass(&e, 8 * MINUTE_MS);
	explorer_press(&e, "2 2 4 n"); /* estimate: 8:00; the mark is changed twice */
	pass(&e, 15 * MINUTE_MS + 30000);
	explorer_press(&e, "1 ]"); /* design: 15:30, strong no */
	pass(&e, 40000);
	note(&e, "slow");
	explorer_press(&e, "E Space");
	explorer_type(&e, "but right");
	explorer_press(&e, "Enter 3 n"); /* 2: 0:40 */
	pass(&e, 20000);
	explorer_press(&e, "n"); /* 3: 0:20, not marked */
	pass(&e, 2 * MINUTE_MS);
	explorer_press(&e, "q");
	cr_expect(not(e.over), "q asks for the summary first");
	pass(&e, 10 * MINUTE_MS); /* the clock stands */
	explorer_press(&e, "3");
	note(&e, "hire");
	/* 4:12 + 8:00 + 15:30 + 1:00 + 2:00; marks 3, 4, 1, 3. */
	expect_shown(&e, "30:42 of 45:00");
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, interviewer_print(v, e.now_ms, true, f)));
	fclose(f);
	static const char *const lines[] = { "2026-01-01 00:00 UTC", "clock 30:42 of",
		"Overall: yes (3).", "1 strong yes, 2 yes, 1 strong no, 2 of 6 not marked.",
		"Mean 2.8 of 4.", "clarify      5:00   4:12  yes (3)", "estimate    10:00   8:00",
		"design      15:00  15:30  strong no (1)", "drill       10:00   1:00",
		"wrap up      5:00   2:00", "3:00 asked for the p99, not the mean",
		"28:22 slow but right", "30:42 hire" };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		cr_expect(strstr(text, lines[i]) != NULL, "\"%s\" is not in:\n%s", lines[i], text);
	for (const char *p = text; *p; p++) {
		bool plain = *p == '\n' || (*p >= 0x20 && *p < 0x7f);
		cr_assert(plain, "ASCII was asked for:\n%s", text);
	}
	explorer_press(&e, "q");
	cr_expect(e.over);
	free(text);
	explorer_end(&e);
}

Test(interviewer, leaves_at_once_only_where_nothing_would_be_lost)
{
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n 4");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	expect_shown(&e, "The interview goes on");
	explorer_press(&e, "4 Esc"); /* the mark is taken away */
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(interviewer, goes_on_while_one_looks_something_up)
{
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "Space");
	pass(&e, MINUTE_MS);
	cr_assert(explorer_open(&e, "roofline"));
	e.now_ms += MINUTE_MS;
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	expect_shown(&e, " 2:00 of 45:00");
	explorer_end(&e);
}

/* Marks of Markdown, of a terminal, of UTF-8: a note is shown as it was typed. */
Test(interviewer, notes_are_shown_as_typed)
{
	static const char typed[] = "**a** _b_ | # `c` <d> 1. \\ [e](f) & é";
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n");
	note(&e, typed);
	explorer_press(&e, "q");
	explorer_press(&e, "G");
	expect_shown(&e, typed);
	explorer_press(&e, "p e Enter E");
	for (int i = text_width(typed); i > 0; i--)
		explorer_press(&e, "BS");
	explorer_press(&e, "Enter");
	cr_expect(zero(ptr, interviewer_of(e.app)->subjects[0].notes), "an empty note goes");
	explorer_end(&e);
}

/* --- the candidate ----------------------------------------------------------------------- */

static void type_answer(struct explorer *c, const char *text)
{
	explorer_type(c, text);
	explorer_press(c, "Enter");
}

Test(interviewer, shows_what_the_candidate_answers)
{
	struct explorer e =
		interviewer_on("mode=set topic=inference count=3 seed=3", 24, 80, GLYPHS_LINES);
	struct explorer c = candidate_of(&e);
	explorer_press(&e, "n Space");
	pass(&e, 2 * MINUTE_MS + 59000);
	c.now_ms = e.now_ms;
	cr_expect(explorer_shows(&e, "answered") == false);
	explorer_press(&c, "Enter");
	type_answer(&c, "no idea");
	pass(&e, 1000);
	expect_shown(&e, "candidate answered: no idea  NOT READABLE, costs nothing at 3:00");
	cr_expect(explorer_shows(&e, "goes on") == false);
	explorer_press(&c, "End Ctrl-G");
	pass(&e, 12000);
	expect_shown(&e, "candidate gave up at 3:12; n goes on");
	cr_expect(eq(sz, interviewer_of(e.app)->at, 0), "the interviewer goes on, not the program");
	explorer_press(&c, "Enter");
	const struct session_item *item = &drill_of(c.app)->session.items[1];
	c.now_ms += 12000;
	type_answer(&c, item->variant.steps[0].answer);
	pass(&e, 1000);
	expect_shown(&e, "gave up");
	explorer_press(&e, "n");
	expect_shown(&e, "CORRECT at 3:13");
	explorer_press(&e, "n");
	expect_shown(&e, "candidate answered problem 2:");
	explorer_press(&e, "q");
	expect_shown(&e, "Answered here: 1 of 2 right");
	explorer_end(&c);
	explorer_end(&e);
}

/* Where a phase has several parts, all of them have to be done with before the phase ends. */
Test(interviewer, knows_when_a_problem_of_several_parts_is_closed)
{
	struct explorer e = interviewer_on("seed=5 count=2", 24, 80, GLYPHS_LINES);
	struct explorer c = candidate_of(&e);
	const struct interviewer *v = interviewer_of(e.app);
	struct drill_session *s = &drill_of(c.app)->session;
	explorer_press(&e, "n n");
	size_t stop = v->at, parts = v->stops[stop].item->variant.n_steps;
	cr_assert(lt(sz, (size_t)1, parts));
	explorer_press(&c, "Enter Ctrl-N"); /* through the talk before it */
	for (size_t i = 0; i < parts; i++) {
		cr_expect(not(interviewer_closed(v, stop)), "part %zu", i);
		/* The second one wrong: an interview has one attempt. */
		explorer_press(&c, "End");
		while (c.app->entry.bytes)
			explorer_press(&c, "BS");
		type_answer(&c, i == 1 ? "1e30" : s->items[0].variant.steps[i].answer);
		pass(&e, 1000);
	}
	cr_expect(interviewer_closed(v, stop));
	expect_shown(&e, "; ] goes on");
	char letter[32];
	snprintf(letter, sizeof letter, "answered: %c) ", (char)('a' + (int)parts - 1));
	expect_shown(&e, letter);
	char part[64];
	snprintf(part, sizeof part, "%zu of %zu right", parts - 1, parts);
	explorer_press(&e, "q G");
	expect_shown(&e, part);
	expect_shown(&e, "answered b) \"1e30\": WRONG");
	explorer_end(&c);
	explorer_end(&e);
}

/* What was there before, what belongs to another seed, and another problem. */
Test(interviewer, does_not_take_others_answers_for_the_candidates)
{
	static const char words[] = "mode=set topic=inference count=2 seed=3";
	struct explorer before = interviewer_on(words, 24, 80, GLYPHS_LINES);
	struct explorer early = candidate_of(&before);
	explorer_press(&early, "Ctrl-G");
	struct explorer e = start(24, 80, GLYPHS_LINES);
	e.now_ms = MINUTE_MS;
	explorer_press(&e, "j"); /* tells the time */
	char target[96];
	snprintf(target, sizeof target, "interviewer %s", words);
	cr_assert(explorer_open(&e, target));
	struct explorer other = start(24, 80, GLYPHS_LINES);
	other.now_ms = 2 * MINUTE_MS;
	explorer_press(&other, "j");
	cr_assert(explorer_open(&other, "drill topic=inference seed=4"));
	explorer_press(&other, "Ctrl-G");
	explorer_press(&e, "n");
	pass(&e, 3 * MINUTE_MS);
	cr_expect(explorer_shows(&e, "answered") == false);
	cr_expect(lt(sz, (size_t)1, interviewer_of(e.app)->history.n), "it was read");
	explorer_end(&other);
	explorer_end(&e);
	explorer_end(&early);
	explorer_end(&before);
}

/* --- any keys ---------------------------------------------------------------------------- */

static void press_any_keys(const char *words)
{
	static const char keys[] = "nnp][1234eEcqas gGjkx?\r\033\177: ";
	struct rng r = rng_stream(1, "interviewer", 0);
	struct explorer e = interviewer_on(words, 24, 80, GLYPHS_LINES);
	char target[128];
	snprintf(target, sizeof target, "interviewer %s", words);
	for (int n = 0; n < 1500; n++) {
		if (rng_below(&r, 8) == 0)
			app_resize(e.app, 1 + (int)rng_below(&r, 60), 1 + (int)rng_below(&r, 200));
		e.now_ms += (int64_t)rng_below(&r, 20000);
		explorer_key(&e, (uint32_t)keys[rng_below(&r, sizeof keys - 1)]);
		app_tick(e.app, e.now_ms);
		if (e.app->screen != SCREEN_INTERVIEWER && n % 5 == 0)
			explorer_open(&e, target);
		const struct interviewer *v = interviewer_of(e.app);
		int64_t sum_ms = 0;
		for (size_t i = 0; i < v->n_stops; i++)
			sum_ms += interviewer_spent_ms(v, i, e.now_ms);
		/* No time is lost or counted twice. */
		cr_assert(eq(long, (long)sum_ms, (long)session_total_ms(&v->session, e.now_ms)),
			"after %d keys", n);
		struct canvas cv = explorer_draw(&e);
		canvas_release(&cv);
	}
	explorer_end(&e);
}

Test(interviewer, any_keys_break_nothing, .description = "long", .timeout = 60)
{
	press_any_keys("count=5 seed=5");
}

Test(interviewer, any_keys_break_nothing_at_a_case, .description = "long", .timeout = 120)
{
	press_any_keys("case=serve-70b seed=5");
}
