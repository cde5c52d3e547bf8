/* The modes of a sitting against a clock that the test turns. */
#include "ui/practice/drill_request.h"
#include "drills/session.h"
#include "ui/practice/drill_sheet.h"
#include "ui/practice/drill_summary.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct drill_session begin(enum drill_mode mode, const char *topic, size_t count)
{
	struct drill_session s;
	char err[300] = "";
	struct session_options o = { topic, count, 3, mode, 1, NULL, 0, 0 };
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	session_resume(&s, 0);
	return s;
}

static const char *right_answer(const struct drill_session *s)
{
	const struct variant *v = &s->items[s->current].variant;
	return v->steps[v->step].answer;
}

Test(modes, study_has_no_clock, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_STUDY, "memory", 2);
	cr_expect(not(session_has_clock(&s)));
	cr_expect(eq(int, session_timer(&s, 100000000), TIMER_OK));
	session_release(&s);
}

/* 120 s in all, reading solutions included; the state changes at 90 s and at 120 s. */
Test(modes, a_sprint_ends_at_its_second, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_SPRINT, "", 40);
	for (size_t i = 0; i < s.n; i++)
		cr_expect(s.items[i].variant.n_steps == 1 && s.items[i].variant.drill->par_s <= 60);
	cr_expect(eq(uint, s.max_attempts, 1));
	session_answer(&s, right_answer(&s), 10000);
	session_next(&s, 20000); /* ten seconds with the solution */
	cr_expect(eq(i64, session_total_ms(&s, 20000), 20000));
	cr_expect(eq(int, session_timer(&s, 89999), TIMER_OK));
	cr_expect(eq(int, session_timer(&s, 90000), TIMER_WRAP_UP));
	cr_expect(eq(int, session_timer(&s, 119999), TIMER_WRAP_UP));
	cr_expect(eq(int, session_timer(&s, 120000), TIMER_OVER));
	cr_expect(not(session_tick(&s, 119999)));
	cr_expect(session_answer(&s, right_answer(&s), 120000) == NULL);
	cr_expect(session_done(&s));
	cr_expect(eq(i64, session_total_ms(&s, 500000), 120000));
	struct session_score score = session_score(&s);
	cr_expect(eq(sz, score.correct, 1));
	cr_expect(eq(i64, score.spent_ms, 110000)); /* 10 s, and 100 s on the second */
	session_release(&s);
}

Test(modes, a_pause_stops_a_sprint, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_SPRINT, "", 5);
	session_pause(&s, 100000);
	session_resume(&s, 900000);
	cr_expect(not(session_tick(&s, 919999)));
	cr_expect(session_tick(&s, 920000));
	session_release(&s);
}

/* 5, 10, 15, 10 and 5 minutes; a minute before the planned end of each it is time to wrap up. */
Test(modes, an_interview_keeps_its_pace, .init = load, .fini = release)
{
	static const struct {
		int64_t end_s;
		bool problems;
	} phases[N_INTERVIEW_PHASES] = { { 300, false }, { 900, true }, { 1800, false },
		{ 2400, true }, { 2700, false } };
	struct drill_session s = begin(MODE_INTERVIEW, "", 3);
	cr_expect(eq(sz, s.n, 4));
	cr_expect(eq(int, s.items[0].variant.drill->kind, KIND_ESTIMATE));
	for (int i = 0; i < N_INTERVIEW_PHASES; i++) {
		int64_t end_ms = 1000 * phases[i].end_s;
		cr_expect(eq(int, s.phase, (enum phase)i));
		cr_expect(eq(int, session_current(&s) != NULL, phases[i].problems), "phase %d", i);
		cr_expect(eq(int, session_timer(&s, end_ms - 60001), TIMER_OK));
		cr_expect(eq(int, session_timer(&s, end_ms - 60000), TIMER_WRAP_UP));
		cr_expect(eq(int, session_timer(&s, end_ms), TIMER_OVER));
		struct pacing p = session_pacing(&s, end_ms - 1000);
		cr_expect(eq(int, p.planned, (enum phase)i));
		cr_expect(eq(i64, p.phase_left_ms, 1000));
		cr_expect(eq(i64, p.left_ms, 2700000 - end_ms + 1000));
		cr_expect(eq(int, session_next_phase(&s, end_ms), i + 1 < N_INTERVIEW_PHASES));
	}
	cr_expect(session_done(&s));
	cr_expect(eq(sz, session_score(&s).closed, 4), "what a phase left open is given up");
	session_release(&s);
}

/* What a phase leaves, or takes from the others, all that are left share by the plan of 5, 10, 15, 10 and 5 minutes. 3
 * minutes instead of 5 leave 42 for 40 planned; a design of 25
 * instead of 16 leaves 7 for 15. */
Test(modes, phases_share_what_is_left, .init = load, .fini = release)
{
	enum { MINUTE_MS = 60000 };
	struct drill_session s = begin(MODE_INTERVIEW, "", 3);
	cr_assert(session_next_phase(&s, 3 * MINUTE_MS));
	struct pacing p = session_pacing(&s, 3 * MINUTE_MS);
	cr_expect(eq(i64, p.planned_ms[PHASE_CLARIFY], 5 * MINUTE_MS));
	cr_expect(eq(i64, p.planned_ms[PHASE_ESTIMATE], 42 * MINUTE_MS / 4));
	cr_expect(eq(i64, p.phase_left_ms, 42 * MINUTE_MS / 4));
	cr_expect(eq(i64, p.planned_ms[PHASE_DESIGN], 42 * MINUTE_MS * 3 / 8));
	p = session_pacing(&s, 13 * MINUTE_MS);
	cr_expect(eq(i64, p.phase_left_ms, MINUTE_MS / 2));
	cr_expect(eq(i64, p.planned_ms[PHASE_DESIGN], 42 * MINUTE_MS * 3 / 8));
	cr_assert(session_next_phase(&s, 13 * MINUTE_MS));
	p = session_pacing(&s, 38 * MINUTE_MS); /* 32 for 30: 16 of them */
	cr_expect(eq(i64, p.phase_left_ms, (16 - 25) * MINUTE_MS));
	cr_expect(eq(i64, p.planned_ms[PHASE_DRILL], 7 * MINUTE_MS * 2 / 3));
	cr_expect(eq(i64, p.planned_ms[PHASE_WRAP_UP], 7 * MINUTE_MS / 3));
	session_release(&s);
}

/* The last problem of a phase leads to the next phase. */
Test(modes, an_interview_goes_on_by_itself, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_INTERVIEW, "", 2);
	size_t problems = 0, steps = 0;
	do {
		struct session_item *item = session_current(&s);
		for (; item && !item->closed; steps++)
			session_answer(&s, right_answer(&s), 1000);
		problems += item != NULL;
	} while (session_next(&s, 2000));
	cr_expect(eq(sz, problems, 3));
	cr_expect(lt(sz, 3, steps));
	cr_expect(eq(sz, session_score(&s).correct, 3));
	session_release(&s);
}

/* Two topics are one set, of which both come up; a name that is none is told by itself. */
Test(modes, several_topics_are_one_set, .init = load, .fini = release)
{
	struct session_options o = { .topic = "memory,communication", .count = 40, .seed = 3 };
	struct drill_session s;
	char err[300] = "";
	size_t n[2] = { 0 };
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < s.n; i++) {
		const struct drill *d = s.items[i].variant.drill;
		n[0] += drill_is_of(d, "memory");
		n[1] += !drill_is_of(d, "memory") && drill_is_of(d, "communication");
	}
	cr_expect(eq(sz, n[0] + n[1], 40));
	cr_expect(n[0] > 0 && n[1] > 0);
	session_release(&s);
	o.topic = "memory,comunication";
	cr_expect(eq(int, session_init(&s, &bank, &tables, &o, err, sizeof err), -1));
	cr_expect(strstr(err, "\"comunication\"; did you mean \"communication\"?") != NULL, "%s",
		err);
	session_release(&s);
}

static void several_words(const char *const words[], size_t n, const char *topic)
{
	struct drill_request r = { 0 };
	char err[300] = "";
	cr_assert(zero(int, drill_request_words(&r, words, n, err, sizeof err)), "%s", err);
	cr_expect(eq(str, r.topic, (char *)topic));
}

Test(modes, several_topics_are_several_words)
{
	several_words(
		(const char *const[]){ "memory", "communication" }, 2, "memory,communication");
	several_words((const char *const[]){ "memory", "count=3", "kv-cache", "chapter-8" }, 4,
		"memory,kv-cache,chapter-8");
	several_words((const char *const[]){ "topic=memory", "kv-cache" }, 2, "memory,kv-cache");
	several_words((const char *const[]){ "memory" }, 1, "memory");
}

Test(modes, a_review_takes_its_skills_in_order, .init = load, .fini = release)
{
	static const char *const skills[] = { "queueing", "kv-cache", "queueing" };
	struct session_options o = { "", 0, 3, MODE_REVIEW, 0, skills, 3, 0 };
	struct drill_session s;
	char err[300] = "";
	cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s", err);
	cr_assert(eq(sz, s.n, 3));
	for (size_t i = 0; i < 3; i++)
		cr_expect(eq(str, (char *)s.items[i].variant.drill->skill, (char *)skills[i]));
	cr_expect(strcmp(s.items[0].variant.prompt, s.items[2].variant.prompt) != 0,
		"the same skill again is a fresh variant");
	session_release(&s);
	static const char *const typo[] = { "queuing" };
	o.skills = typo;
	o.n_skills = 1;
	cr_expect(eq(int, session_init(&s, &bank, &tables, &o, err, sizeof err), -1));
	cr_expect(strstr(err, "did you mean \"queueing\"") != NULL, "%s", err);
	session_release(&s);
}

/* Twelve chapters, a problem of each in their order; all right but those on chapters 2 and 5. */
Test(modes, a_placement_asks_for_each_chapter_once, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_PLACEMENT, "", PLACEMENT_COUNT);
	struct summary_line lines[SUMMARY_LINES];
	struct session_bests bests = { 0 };
	bool told = false;
	cr_assert(eq(sz, s.n, 12));
	for (size_t i = 0; i < s.n; i++) {
		char chapter[32];
		snprintf(chapter, sizeof chapter, "chapter-%zu", i);
		cr_expect(drill_is_of(s.items[i].variant.drill, chapter), "%s", chapter);
		cr_expect(eq(sz, s.items[i].variant.n_steps, 1));
		if (i == 2 || i == 5)
			session_give_up(&s, 1000);
		else
			session_answer(&s, right_answer(&s), 1000);
		session_next(&s, 1000);
	}
	const size_t n = drill_summary(&s, &bests, lines);
	for (size_t i = 0; i < n; i++)
		if (strcmp(lines[i].label, "to be read") == 0) {
			told = true;
			cr_expect(
				zero(strcmp(lines[i].text,
					"chapters 2 and 5; of those asked the others are known, by one problem each: five more would tell")),
				"%s", lines[i].text);
		}
	cr_expect(told);
	session_release(&s);
}

/* One right at half of par, one given up after a fifth of it: of two there is no middle one. */
Test(modes, score_sheet, .init = load, .fini = release)
{
	struct drill_session s = begin(MODE_SET, "ridge-point", 3); /* par 30 s */
	char *text = NULL;
	size_t n;
	session_answer(&s, right_answer(&s), 15000);
	session_next(&s, 20000);
	session_answer(&s, "1 GB", 25000); /* another kind of quantity: asked again, */
	session_answer(&s, "1 GB", 26000); /* and then an attempt of three */
	session_give_up(&s, 26000);
	FILE *out = open_memstream(&text, &n);
	struct session_bests unknown = { 0 };
	drill_score(&s, &unknown, out);
	fclose(out);
	cr_expect(eq(str, text,
		(char *)"  1  right   1.00   0:15 of 0:30   The ridge point\n"
			"  2  gave up 0.00   0:06 of 0:30   The ridge point: wrong kind of "
			"quantity\n"
			"1 of 3 right, 1 of them within par; credit 1.00 of 3; 0:21\n"
			"time: slowest: The ridge point, 0:15 of 0:30\n"
			"most missed: roofline, 1 of 2\n"
			"mistakes: wrong kind of quantity 1x\n"));
	free(text);
	session_release(&s);
}

/* A sprint is of what is done in a head: 20 s a problem. Codes of the first four editions had problems of up
 * to 60 s, and have them still. */
Test(modes, a_sprint_is_of_short_problems, .init = load, .fini = release)
{
	enum { MOST_S = 20, EARLY_MOST_S = 60, ENOUGH = 40 };
	for (size_t edition = 0; edition <= bank.n_editions; edition++) {
		const struct session_options o = {
			.count = 200, .seed = 5, .mode = MODE_SPRINT, .edition = edition
		};
		struct drill_session s;
		char err[300] = "";
		double longest = 0;
		size_t different = 0;
		cr_assert(zero(int, session_init(&s, &bank, &tables, &o, err, sizeof err)), "%s",
			err);
		for (size_t i = 0; i < s.n; i++) {
			bool before = false;
			for (size_t k = 0; k < i; k++)
				before |= s.items[k].variant.drill == s.items[i].variant.drill;
			different += !before;
			longest = fmax(longest, s.items[i].variant.drill->par_s);
		}
		const bool early = edition > 0 && edition <= 4;
		cr_expect(eq(dbl, longest, early ? EARLY_MOST_S : MOST_S), "edition %zu", edition);
		cr_expect(early || different >= ENOUGH, "edition %zu: %zu", edition, different);
		session_release(&s);
	}
}
