/* What a history says of runs, sprints and problems of several steps, and what a sitting was the
 * best at. */
#include "drills/bests.h"

#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

enum { DAY = 86400 };

static struct stats stats_of(const struct history_event *events, size_t n, int64_t now_s)
{
	struct stats s;
	struct history h = { .events = (struct history_event *)events, .n = n };
	cr_assert(eq(int, stats_init(&s, &h, now_s), 0));
	return s;
}

/* --- problems of several steps ---------------------------------------------------------- */

#define STEP(step_, attempt_, at_)                                                                 \
	.at_s = at_, .drill = "e", .skill = "e", .topic = "t", .seed = 1, .used = true,            \
	.cause = "", .mode = "set", .par_s = 100, .took_s = 10 * (at_), .step = step_, .steps = 3, \
	.attempt = attempt_

/* Right; wrong, then right; right: one problem, right in the end, on the second try. Its credit is
 * the mean of 1, a half and 1. */
Test(stats_steps, a_chain_of_steps_is_one_problem)
{
	const struct history_event events[] = {
		{ STEP(0, 1, 1), .verdict = VERDICT_CORRECT, .credit = 1 },
		{ STEP(1, 1, 2), .verdict = VERDICT_WRONG, .credit = 0 },
		{ STEP(1, 2, 3), .verdict = VERDICT_CORRECT, .credit = 1 },
		{ STEP(2, 1, 4), .verdict = VERDICT_CORRECT, .credit = 1 },
	};
	struct stats s = stats_of(events, 4, DAY);
	cr_assert(eq(sz, s.n_problems, 1));
	cr_expect(eq(sz, s.total.answers, 4));
	cr_expect(s.problems[0].outcome.correct);
	cr_expect(eq(uint, s.problems[0].outcome.attempts, 2));
	cr_expect(epsilon_eq(dbl, s.total.credit, 2.5 / 3, 1e-12));
	cr_expect(eq(int, fsrs_rate(&s.problems[0].outcome), FSRS_HARD));
	stats_release(&s);
}

/* What is right in the first step alone is not right; given up it is Again. */
Test(stats_steps, one_wrong_step_makes_the_problem_wrong)
{
	const struct history_event events[] = {
		{ STEP(0, 1, 1), .verdict = VERDICT_CORRECT, .credit = 1 },
		{ STEP(1, 1, 2), .verdict = VERDICT_WRONG, .credit = 0 },
		{ STEP(2, 1, 3), .kind = HISTORY_GAVE_UP },
		{ STEP(0, 1, 9), .verdict = VERDICT_WRONG, .credit = 0 }, /* once more, later */
		{ STEP(1, 1, 10), .verdict = VERDICT_CORRECT, .credit = 1 },
		{ STEP(2, 1, 11), .verdict = VERDICT_CORRECT, .credit = 1 },
	};
	struct stats s = stats_of(events, 6, DAY);
	cr_assert(eq(sz, s.n_problems, 2));
	for (size_t i = 0; i < 2; i++) {
		cr_expect(not(s.problems[i].outcome.correct), "problem %zu", i);
		cr_expect(eq(int, fsrs_rate(&s.problems[i].outcome), FSRS_AGAIN));
	}
	cr_expect(epsilon_eq(dbl, s.problems[0].credit, 1.0 / 3, 1e-12));
	cr_expect(epsilon_eq(dbl, s.problems[1].credit, 2.0 / 3, 1e-12));
	cr_expect(eq(sz, s.problems[1].before, 1), "the variant was there before");
	stats_release(&s);
}

Test(stats_steps, are_in_the_line_only_where_there_are_several)
{
	struct history_event e = { STEP(1, 1, 1), .verdict = VERDICT_CORRECT, .credit = 1 };
	char line[HISTORY_LINE_SIZE];
	cr_assert(lt(sz, 0, history_line(&e, line, sizeof line)));
	cr_expect(ne(ptr, strstr(line, "\"step\":1,\"steps\":3"), NULL), "%s", line);
	e.step = 0;
	e.steps = 1;
	history_line(&e, line, sizeof line);
	cr_expect(eq(ptr, strstr(line, "step"), NULL), "%s", line);
	/* A line from before there were any is a problem of one step. */
	struct history h;
	char *text = strdup(line);
	cr_assert(eq(int, history_parse(&h, text, strlen(line)), 0));
	struct stats s;
	cr_assert(eq(int, stats_init(&s, &h, DAY), 0));
	cr_expect(s.n_problems == 1 && s.problems[0].outcome.correct);
	stats_release(&s);
	history_release(&h);
}

/* --- sprints and runs ------------------------------------------------------------------- */

#define SPRINT(seed_, part_, verdict_)                                                             \
	{                                                                                          \
		.at_s = 1, .drill = "d", .skill = "k", .topic = "t", .seed = seed_, .part = part_, \
		.used = true, .cause = "", .mode = "sprint", .par_s = 30, .took_s = 9,             \
		.attempt = 1, .verdict = verdict_                                                  \
	}

/* Two right, with another sitting's problem between; then another seed with one; then the first
 * code again, whose first problem shows it, with three right. */
Test(stats_sprints, end_where_seed_or_variants_begin_anew)
{
	const struct history_event events[] = {
		SPRINT(7, 0, VERDICT_CORRECT),
		SPRINT(7, 1, VERDICT_WRONG),
		{ .at_s = 1,
			.drill = "x",
			.skill = "k",
			.topic = "t",
			.used = true,
			.cause = "",
			.mode = "set",
			.par_s = 30,
			.attempt = 1,
			.verdict = VERDICT_CORRECT },
		SPRINT(7, 2, VERDICT_CORRECT),
		SPRINT(8, 0, VERDICT_CORRECT),
		SPRINT(7, 0, VERDICT_CORRECT),
		SPRINT(7, 1, VERDICT_CORRECT),
		SPRINT(7, 2, VERDICT_CORRECT),
	};
	struct stats s = stats_of(events, 8, DAY);
	cr_expect(eq(sz, s.n_sprints, 3));
	cr_expect(eq(sz, s.best_sprint, 3));
	cr_expect(eq(sz, s.longest_run, 6));
	stats_release(&s);
	s = stats_of(events, 5, DAY);
	cr_expect(eq(sz, s.n_sprints, 2));
	cr_expect(eq(sz, s.best_sprint, 2));
	stats_release(&s);
}

/* --- what is due ------------------------------------------------------------------------ */

/* 1970-01-01 was a Thursday; 2026-01-01 is one too, 20,454 days later. */
Test(stats_when, words)
{
	enum { NOON = 20454 * DAY + DAY / 2 };
	static const struct {
		int64_t at_s;
		const char *words;
	} rows[] = {
		{ NOON - 1, "now" },
		{ NOON, "now" },
		{ NOON + 1, "in 1 min" },
		{ NOON + 600, "in 10 min" },
		{ NOON + 7199, "in 120 min" },
		{ NOON + 7200, "in 2 h" },
		{ NOON + 7201, "in 3 h" },
		{ NOON + DAY - 1, "in 24 h" },
		{ NOON + DAY, "tomorrow" },
		{ NOON + DAY + DAY / 2, "Saturday" },
		{ NOON + 6 * DAY, "Wednesday" },
		{ NOON + 7 * DAY, "in 7 days" },
		{ NOON + 100 * DAY, "in 100 days" },
	};
	char text[64];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(str, stats_when(rows[i].at_s, NOON, text, sizeof text),
			(char *)rows[i].words));
}

#define ONCE(skill_, at_, verdict_)                                                                \
	{                                                                                          \
		.at_s = at_, .drill = skill_, .skill = skill_, .topic = "t", .used = true,         \
		.cause = "", .mode = "set", .par_s = 100, .took_s = 90, .attempt = 1,              \
		.verdict = verdict_                                                                \
	}

static bool is_not_gone(const void *bank, const char *skill)
{
	(void)bank;
	return strcmp(skill, "gone") != 0;
}

/* Wrong comes again after a minute, right within par after ten. */
Test(stats_due, retired_skills_are_never_due)
{
	const struct history_event events[] = { ONCE("gone", 0, VERDICT_WRONG),
		ONCE("missed", 0, VERDICT_WRONG), ONCE("known", 0, VERDICT_CORRECT) };
	struct stats s = stats_of(events, 3, 60);
	char text[200];
	cr_expect(eq(sz, s.n_due, 2));
	stats_retire(&s, is_not_gone, NULL);
	cr_expect(eq(sz, s.n_due, 1));
	cr_expect(eq(str, stats_due_text(&s, text, sizeof text), (char *)"1 skill due: missed."));
	cr_expect(eq(str, (char *)stats_next(&s)->name, (char *)"known"));
	stats_release(&s);
	s = stats_of(events, 3, 59);
	stats_retire(&s, is_not_gone, NULL);
	cr_expect(eq(str, stats_due_text(&s, text, sizeof text),
		(char *)"Nothing due. Next review in 1 min: missed."));
	stats_release(&s);
	s = stats_of(events, 1, 59);
	stats_retire(&s, is_not_gone, NULL);
	cr_expect(eq(ptr, (void *)stats_next(&s), NULL));
	cr_expect(eq(str, stats_due_text(&s, text, sizeof text), (char *)"Nothing due."));
	stats_release(&s);
}

/* --- a sitting against those before ----------------------------------------------------- */

static struct tables tables;
static struct drill_bank bank;

static void load(void)
{
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
}

static void release(void)
{
	bank_release(&bank);
	tables_release(&tables);
}

/* Two problems right at once, in 12 and 20 s, then one given up. */
static struct drill_session sit(enum drill_mode mode)
{
	struct drill_session s;
	char err[300] = "";
	struct session_options o = { "ridge-point", 3, 3, mode, 1, NULL, 0, 0 };
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	session_resume(&s, 0);
	session_answer(&s, s.items[0].variant.steps[0].answer, 12000);
	session_next(&s, 12000);
	session_answer(&s, s.items[1].variant.steps[0].answer, 32000);
	session_next(&s, 32000);
	session_give_up(&s, 33000);
	session_next(&s, 33000);
	return s;
}

static struct history_event before(double took_s, enum verdict v, unsigned attempt)
{
	return (struct history_event){ .drill = "ridge-point",
		.skill = "roofline",
		.topic = "roofline",
		.seed = (uint64_t)(1000 * took_s),
		.used = true,
		.cause = "",
		.mode = "sprint",
		.verdict = v,
		.attempt = attempt,
		.took_s = took_s,
		.par_s = 30 };
}

Test(bests, are_better_than_all_before, .init = load, .fini = release)
{
	const struct history_event wrong = before(5, VERDICT_WRONG, 1),
				   second_try = before(6, VERDICT_CORRECT, 2),
				   right = before(19, VERDICT_CORRECT, 1),
				   faster = before(11, VERDICT_CORRECT, 1);
	static const struct history_event none;
	const struct {
		struct history_event events[3];
		size_t n;
		double time_before_s; /* NAN: no best time */
		size_t run;
	} rows[] = {
		{ { none }, 0, NAN, 0 },              /* the first sitting is better than nothing */
		{ { right }, 1, 19, 3 },              /* the run goes on: one before, two now */
		{ { right, faster }, 2, NAN, 4 },     /* 12 s is not a best time */
		{ { right, wrong }, 2, 19, 2 },       /* the run was broken: two, before one */
		{ { wrong, second_try }, 2, NAN, 3 }, /* no time that counts */
	};
	struct drill_session s = sit(MODE_SET);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct stats history = stats_of(rows[i].events, rows[i].n, DAY);
		struct session_bests b = session_bests(&s, &history);
		cr_expect(eq(sz, b.n_times, isnan(rows[i].time_before_s) ? 0 : 1), "row %zu", i);
		if (b.n_times)
			cr_expect(b.times[0].item == 0 &&
					  b.times[0].before_s == rows[i].time_before_s,
				"row %zu", i);
		cr_expect(eq(sz, b.run, rows[i].run), "row %zu", i);
		stats_release(&history);
	}
	session_release(&s);
}

Test(bests, of_a_sprint, .init = load, .fini = release)
{
	const struct history_event events[] = { before(19, VERDICT_CORRECT, 1) };
	struct drill_session s = sit(MODE_SPRINT);
	struct stats history = stats_of(events, 1, DAY);
	struct session_bests b = session_bests(&s, &history);
	cr_expect(b.is_sprint);
	cr_expect(eq(sz, b.sprint, 2));
	cr_expect(eq(sz, b.sprint_before, 1));
	stats_release(&history);
	session_release(&s);
}

/* The sitting's own answers are in the history by the time anybody asks. */
Test(bests, history_until_the_sitting_began)
{
	struct history_event events[] = { { .at_s = 1 }, { .at_s = 5 }, { .at_s = 4 },
		{ .at_s = 3 } };
	struct history h = { .events = events, .n = 4 };
	history_until(&h, 4);
	cr_assert(eq(sz, h.n, 2));
	cr_expect(h.events[0].at_s == 1 && h.events[1].at_s == 3);
}
