/* What a review is made of: the skills that are due, the most forgotten first, each once. */
#include "ui/data/bank_load.h"
#include "ui/practice/drill_request.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

enum { DAY = 86400, NOW = 100 * DAY };

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

#define ANSWER(skill_, days_ago_, seed_, verdict_)                                                 \
	{                                                                                          \
		.at_s = NOW - (days_ago_)*DAY, .drill = skill_, .skill = skill_, .topic = "t",     \
		.seed = seed_, .used = true, .cause = "", .mode = "set", .par_s = 100,             \
		.took_s = 90, .attempt = 1, .verdict = verdict_                                    \
	}

/* A first review of Again leaves a stability of 0.212 days, of Good 2.3065: after the same time the
 * first is remembered less, and more so the longer ago. Good after ten minutes, and once more then,
 * goes to review; a skill of no drill is left out, and so is one that is not due. */
static const struct history_event events[] = { ANSWER("decode", 10, 1, VERDICT_CORRECT),
	ANSWER("kv-cache", 30, 2, VERDICT_WRONG), ANSWER("gone", 40, 3, VERDICT_WRONG),
	ANSWER("numbers", 10, 4, VERDICT_WRONG), ANSWER("queueing", 0, 5, VERDICT_CORRECT),
	/* the same skill twice is one skill */
	ANSWER("decode", 10, 6, VERDICT_CORRECT) };

static void expect_review(size_t count, const char *const skills[], size_t n)
{
	struct history h = { .events = (struct history_event *)events,
		.n = sizeof events / sizeof *events };
	struct drill_request r = { .options = { .mode = MODE_REVIEW, .count = count } };
	struct drill_session s = { 0 };
	struct stats stats;
	char err[300] = "";
	cr_assert(eq(int, stats_init(&stats, &h, NOW), 0));
	cr_assert(eq(int, drill_request_complete(&r, &bank, &stats, 7, err, sizeof err), 0), "%s",
		err);
	cr_expect(eq(str, r.code, (char *)""), "a review has no code");
	cr_assert(eq(int, session_init(&s, &bank, &tables, &r.options, err, sizeof err), 0), "%s",
		err);
	cr_assert(eq(sz, s.n, n));
	for (size_t i = 0; i < n; i++)
		cr_expect(eq(str, (char *)s.items[i].variant.drill->skill, (char *)skills[i]));
	session_release(&s);
	stats_release(&stats);
}

Test(review, takes_the_most_forgotten_first, .init = load, .fini = release)
{
	static const char *const skills[] = { "kv-cache", "numbers", "decode" };
	expect_review(0, skills, 3);
	expect_review(2, skills, 2);
	expect_review(20, skills, 3);
}

Test(review, of_given_skills_asks_no_history, .init = load, .fini = release)
{
	struct drill_request r = { .options = { .mode = MODE_REVIEW }, .skills = { "queueing" } };
	char err[300] = "";
	cr_assert(
		eq(int, drill_request_complete(&r, &bank, NULL, 7, err, sizeof err), 0), "%s", err);
	cr_assert(eq(sz, r.options.n_skills, 1));
	cr_expect(eq(str, (char *)r.options.skills[0], (char *)"queueing"));
	struct drill_request none = { .options = { .mode = MODE_REVIEW } };
	cr_expect(eq(int, drill_request_complete(&none, &bank, NULL, 7, err, sizeof err), -1));
	cr_expect(ne(ptr, strstr(err, "nothing to review yet"), NULL), "%s", err);
}

/* Where a skill and a topic share their name, a review is of the skill. */
Test(review, is_of_skills_not_of_topics, .init = load, .fini = release)
{
	for (uint64_t seed = 0; seed < 30; seed++) {
		const char *skill = "roofline";
		struct session_options o = {
			.mode = MODE_REVIEW, .seed = seed, .skills = &skill, .n_skills = 1
		};
		struct drill_session s;
		char err[300] = "";
		cr_assert(eq(int, session_init(&s, &bank, &tables, &o, err, sizeof err), 0));
		cr_expect(eq(str, (char *)s.items[0].variant.drill->skill, (char *)skill));
		session_release(&s);
	}
}
