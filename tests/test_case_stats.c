/* What interviews came to: one of them counted from its sitting, several from results made by hand, and
 * the case that is to be taken next. */
#include "tests/cases.h"

#include "drills/case_stats.h"
#include "drills/case_stats_figure.h"
#include "drills/case_talk.h"
#include "sims/base/array.h"

#include <math.h>

enum { MINUTE_MS = 60000 };

/* --- one of them ---------------------------------------------------------------------------- */

struct sat {
	struct tables tables;
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
};

static void sit_down(struct sat *t, enum case_level level)
{
	char err[500];
	cases_load_tables(&t->tables);
	cases_open(&t->c, &t->tables, "200-ms-to-50");
	cr_assert(zero(int, case_sitting_begin(
				    &t->sitting, &t->c, &t->tables, 3, level, err, sizeof err)),
		"%s", err);
	case_talk_begin(&t->talk, &t->sitting);
}

static void stand_up(struct sat *t)
{
	case_talk_release(&t->talk);
	case_sitting_release(&t->sitting);
	case_release(&t->c);
	tables_release(&t->tables);
}

static void type(struct sat *t, const char *line, int64_t minute)
{
	case_talk_line(&t->talk, line, minute * MINUTE_MS);
}

static void type_number(struct sat *t, size_t anchor, double times, int64_t minute)
{
	char line[100];
	const struct question *q = &t->sitting.deal.variant.steps[anchor].question;
	double shown;
	cr_assert(zero(int, case_in_unit(q->key * times, q->unit, q->unit, &shown)));
	snprintf(line, sizeof line, "estimate %zu %.9g %s", anchor + 1, shown, q->unit);
	type(t, line, minute);
}

/* Two of the six facts that must be asked for, of two kinds; one number exact and one within a factor of
 * 1.3; a sentence aloud. A phase counts once it was left, and its time is that between the two. */
Test(case_stats, counts_a_sitting_phase_by_phase)
{
	struct sat t;
	struct case_result r;
	sit_down(&t, LEVEL_SENIOR);
	type(&t, "How many cameras are there?", 1);
	type(&t, "What is the current pipeline?", 2);
	type(&t, "What about the insurance?", 3);
	case_result_of(&t.sitting, false, 4 * MINUTE_MS, &r);
	cr_expect(r.asks_seen && !r.over && !r.counts[CASE_CLARIFY]);
	cr_expect(eq(i64, r.spent_ms[CASE_CLARIFY], 4 * MINUTE_MS));
	type(&t, "next", 5);
	type_number(&t, 0, 1.04, 6);
	type_number(&t, 1, 1.25, 7);
	type(&t, "say two of them", 8);
	case_result_of(&t.sitting, false, 9 * MINUTE_MS, &r);
	cr_expect(r.counts[CASE_CLARIFY] && !r.counts[CASE_ESTIMATE]);
	cr_expect(eq(sz, case_result_must(&r), 6));
	cr_expect(eq(sz, case_result_asked(&r), 2));
	cr_expect(r.asked[FACT_TODAY] == 1 && r.asked[FACT_LENGTHS] == 1);
	cr_expect(eq(sz, r.near, 2));
	cr_expect(eq(sz, r.exact, 1));
	cr_expect(eq(sz, r.said, 1));
	cr_expect(eq(i64, r.spent_ms[CASE_CLARIFY], 5 * MINUTE_MS));
	cr_expect(eq(i64, r.spent_ms[CASE_ESTIMATE], 4 * MINUTE_MS));
	cr_expect(eq(i64, r.spent_ms[CASE_DESIGN], 0));
	stand_up(&t);
}

/* The plan is that of the beginning, whatever took longer, and fills the 45 minutes. */
Test(case_stats, holds_the_time_against_the_first_plan)
{
	struct sat t;
	struct case_result early, late;
	int64_t all_ms = 0;
	sit_down(&t, LEVEL_SENIOR);
	case_result_of(&t.sitting, false, 0, &early);
	type(&t, "next", 15);
	case_result_of(&t.sitting, false, 20 * MINUTE_MS, &late);
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		all_ms += late.planned_ms[i];
		cr_expect(eq(i64, late.planned_ms[i], early.planned_ms[i]));
	}
	cr_expect(lt(i64, 45 * MINUTE_MS - N_CASE_PHASES, all_ms));
	cr_expect(le(i64, all_ms, 45 * MINUTE_MS));
	stand_up(&t);
}

/* The best of the designs is what was met; a twist that was told last counts when the rest is over. */
Test(case_stats, counts_designs_and_twists)
{
	struct sat t;
	struct case_result r;
	char line[700], text[600];
	sit_down(&t, LEVEL_SENIOR);
	case_result_of(&t.sitting, true, 0, &r);
	cr_expect(r.designs == 0 && r.goals_met == 0 && r.goals > 1);
	const size_t goals = r.goals;
	struct case_design known = case_known_design(&t.sitting.deal, &t.sitting.deal.naive);
	snprintf(line, sizeof line, "design %s",
		case_design_write(&t.sitting.deal, &known, text, sizeof text));
	type(&t, line, 10);
	case_result_of(&t.sitting, true, 10 * MINUTE_MS, &r);
	cr_expect(r.designs == 1 && r.goals == goals && r.goals_met < goals);
	known = case_known_design(&t.sitting.deal, &t.sitting.deal.reference[0]);
	snprintf(line, sizeof line, "design %s",
		case_design_write(&t.sitting.deal, &known, text, sizeof text));
	type(&t, line, 11);
	type(&t, "twist", 20);
	case_result_of(&t.sitting, false, 21 * MINUTE_MS, &r);
	cr_expect(r.designs == 2 && r.goals_met == goals && r.twists == 0);
	case_result_of(&t.sitting, true, 21 * MINUTE_MS, &r);
	cr_expect(r.twists == 1 && r.twists_met == 0);
	known = case_known_design(&t.sitting.deal, &t.sitting.deal.reference[1]);
	snprintf(line, sizeof line, "design %s",
		case_design_write(&t.sitting.deal, &known, text, sizeof text));
	type(&t, line, 22);
	case_result_of(&t.sitting, true, 23 * MINUTE_MS, &r);
	cr_expect(r.twists == 1 && r.twists_met == 1 && r.goals_met == goals);
	stand_up(&t);
}

/* --- several -------------------------------------------------------------------------------- */

/* One that is over: of ten facts so many asked for, of three numbers, of three goals, of two twists. */
static struct case_result made(const char *who, bool given, const char *id, int64_t at_s,
	size_t asked, size_t near, size_t goals, size_t twists, unsigned mark)
{
	struct case_result r = { .given = given,
		.at_s = at_s,
		.over = true,
		.asks_seen = true,
		.must = { [FACT_LOAD] = 4, [FACT_LENGTHS] = 6 },
		.asked = { [FACT_LOAD] = asked < 4 ? asked : 4,
			[FACT_LENGTHS] = asked < 4 ? 0 : asked - 4 },
		.numbers = 3,
		.near = near,
		.exact = near / 2,
		.designs = 1,
		.goals = 3,
		.goals_met = goals,
		.twists = 2,
		.twists_met = twists };
	snprintf(r.who, sizeof r.who, "%s", who);
	snprintf(r.id, sizeof r.id, "%s", id);
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		r.counts[i] = true;
		r.marks[i] = mark;
		r.spent_ms[i] = 10 * MINUTE_MS;
		r.planned_ms[i] = 9 * MINUTE_MS;
	}
	return r;
}

static struct case_stats counted(const struct case_result results[], size_t n)
{
	struct case_stats s;
	cr_assert(zero(int, case_stats_init(&s, results, n)));
	return s;
}

Test(case_stats, nobody_has_no_statistics)
{
	struct case_stats s = counted(NULL, 0);
	cr_expect(eq(sz, s.n_people, 0));
	case_stats_release(&s);
}

/* Who takes them here comes first, candidates by their names after that, the latest first. */
Test(case_stats, tells_people_apart)
{
	const struct case_result results[] = {
		made("Ada", true, "a", 50, 8, 1, 3, 0, 3),
		made("", false, "b", 30, 8, 1, 3, 0, 3),
		made("Bob", true, "a", 70, 8, 1, 3, 0, 3),
		made("Ada", true, "b", 20, 8, 1, 3, 0, 3),
		made("", true, "b", 60, 8, 1, 3, 0, 3),
	};
	static const struct {
		const char *name;
		bool given;
		size_t n;
	} people[] = { { "", false, 1 }, { "Bob", true, 1 }, { "", true, 1 }, { "Ada", true, 2 } };
	struct case_stats s = counted(results, LENGTH(results));
	cr_assert(eq(sz, s.n_people, LENGTH(people)));
	for (size_t i = 0; i < LENGTH(people); i++) {
		cr_expect(eq(str, (char *)s.people[i].name, (char *)people[i].name));
		cr_expect(s.people[i].given == people[i].given);
		cr_expect(eq(sz, s.people[i].n, people[i].n));
	}
	cr_expect(s.people[3].results[0]->at_s == 20 && s.people[3].results[1]->at_s == 50);
	case_stats_release(&s);
}

/* 5 + 9 of 20 facts, 1 + 2 of 6 numbers of which 0 + 1 within 5 %, 3 + 1 of 6 goals, 0 + 2 of 4 twists;
 * lengths: 1 + 5 of 12; the load: 4 + 4 of 8. 20 minutes of each phase against 18. Marks 2 and 3. */
Test(case_stats, adds_up_phases_kinds_and_times)
{
	const struct case_result results[] = { made("", false, "a", 10, 5, 1, 3, 0, 2),
		made("", false, "a", 20, 9, 2, 1, 2, 3) };
	static const size_t sums[][3] = { { 20, 14, 0 }, { 6, 3, 1 }, { 6, 4, 0 }, { 4, 2, 0 },
		{ 2, 0, 0 } };
	struct case_stats s = counted(results, LENGTH(results));
	const struct case_person *p = &s.people[0];
	enum fact_kind kinds[N_FACT_KINDS];
	for (size_t i = 0; i < N_CASE_PHASES; i++) {
		const struct case_phase_sum *sum = &p->phases[i];
		cr_expect(sum->n == 2 && sum->of == sums[i][0] && sum->done == sums[i][1] &&
				  sum->better == sums[i][2],
			"%s", case_phase_names[i]);
		cr_expect(eq(i64, sum->spent_ms, 20 * MINUTE_MS));
		cr_expect(eq(i64, sum->planned_ms, 18 * MINUTE_MS));
		cr_expect(epsilon_eq(dbl, case_phase_mark(sum), 2.5, 1e-12));
	}
	cr_assert(eq(sz, case_forgotten(p, kinds), 1));
	cr_expect(kinds[0] == FACT_LENGTHS && p->must[FACT_LENGTHS] == 12 &&
		  p->asked[FACT_LENGTHS] == 6);
	cr_expect(eq(sz, p->n_last, 1));
	cr_expect(p->last[0]->at_s == 20);
	case_stats_release(&s);
}

/* What nobody could see, and what was not left yet, is no zero. */
Test(case_stats, what_is_not_known_counts_for_nothing)
{
	struct case_result results[] = { made("", false, "a", 10, 5, 1, 3, 0, 0),
		made("", false, "b", 20, 0, 0, 0, 0, 0) };
	results[1].asks_seen = false;
	results[1].over = false;
	for (size_t i = CASE_ESTIMATE; i < N_CASE_PHASES; i++)
		results[1].counts[i] = false;
	struct case_stats s = counted(results, LENGTH(results));
	const struct case_person *p = &s.people[0];
	cr_expect(p->phases[CASE_CLARIFY].of == 10 && p->phases[CASE_CLARIFY].done == 5);
	cr_expect(p->phases[CASE_ESTIMATE].of == 3 && p->phases[CASE_ESTIMATE].n == 1);
	cr_expect(p->n == 2 && p->n_over == 1 && p->must[FACT_LENGTHS] == 6);
	cr_expect(isnan(case_phase_mark(&p->phases[CASE_DESIGN])));
	case_stats_release(&s);
}

/* Those of each name, and of none; what is not there is left out of the sentence. */
Test(case_stats, a_person_is_said_in_a_sentence)
{
	static const struct {
		struct case_person p;
		const char *name, *headline;
	} rows[] = {
		{ { .name = "", .n = 1, .n_over = 1 }, "You", "1 interview taken." },
		{ { .name = "", .given = true, .n = 1 }, "A candidate without a name",
			"1 interview given, 0 to its end." },
		{ { .name = "Ada", .given = true, .n = 3, .n_over = 1 }, "Ada",
			"3 interviews given, 1 to their end." },
		{ { .name = "Ada",
			  .n = 1,
			  .n_over = 1,
			  .phases[CASE_ESTIMATE] = { .of = 4, .done = 1 } },
			"Ada", "1 interview taken: 25 % of the numbers within a factor of 1.3." },
		{ { .name = "Ada",
			  .n = 1,
			  .n_over = 1,
			  .phases[CASE_DESIGN] = { .of = 4, .done = 3 } },
			"Ada", "1 interview taken: 75 % of the goals met." },
		{ { .name = "Ada",
			  .n = 1,
			  .n_over = 1,
			  .phases[CASE_CLARIFY] = { .of = 2, .done = 1 },
			  .phases[CASE_DESIGN] = { .of = 4, .done = 3 } },
			"Ada",
			"1 interview taken: 50 % of the facts asked for, 75 % of the goals met." },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[300];
		cr_expect(eq(str, (char *)case_person_name(&rows[i].p), (char *)rows[i].name));
		cr_expect(eq(str, case_person_headline(&rows[i].p, text, sizeof text),
			(char *)rows[i].headline));
	}
}

/* Fewer than three mean marks are no curve; three are, by the number of each interview. Without memory there is
 * none, whatever there is to show. */
Test(case_stats, marks_are_a_curve_from_the_third_on)
{
	struct case_result results[] = { made("", false, "a", 10, 5, 1, 3, 0, 2),
		made("", false, "b", 20, 5, 1, 3, 0, 0), made("", false, "c", 30, 5, 1, 3, 0, 3),
		made("", false, "d", 40, 5, 1, 3, 0, 4) };
	for (size_t n = 1; n <= LENGTH(results); n++) {
		struct case_stats s = counted(results, n);
		struct figure fig = { 0 }, none = { .arena = { .failed = true } };
		case_stats_marks(&s.people[0], &fig);
		cr_expect(eq(sz, fig.n_blocks, n == LENGTH(results)), "%zu", n);
		if (fig.n_blocks) {
			const struct plot *p = &fig.blocks[0]->as.plot;
			cr_expect(p->x.min == 1 && p->x.max == 4 && p->series[0].n == 3);
			cr_expect(p->series[0].points[1].x == 3 && p->series[0].points[1].y == 3);
		}
		case_stats_marks(&s.people[0], &none);
		case_stats_figure(&s.people[0], NULL, 0, 50, &none);
		cr_expect(zero(sz, none.n_blocks));
		figure_release(&none);
		figure_release(&fig);
		case_stats_release(&s);
	}
}

/* --- what comes next ------------------------------------------------------------------------ */

static const struct case_offer offers[] = {
	{ .id = "a",
		.area = "serving",
		.must = { [FACT_LENGTHS] = 2 },
		.numbers = 3,
		.goals = 3,
		.twists = 1 },
	{ .id = "b",
		.area = "serving",
		.must = { [FACT_LENGTHS] = 1 },
		.numbers = 4,
		.goals = 4,
		.twists = 1 },
	{ .id = "c",
		.area = "memory",
		.must = { [FACT_LENGTHS] = 3 },
		.numbers = 2,
		.goals = 2,
		.twists = 2 },
	{ .id = "d",
		.area = "cost",
		.must = { [FACT_LENGTHS] = 0 },
		.numbers = 2,
		.goals = 2,
		.twists = 3 },
};

static void expect_next(
	const struct case_result results[], size_t n, const char *id, const char *why)
{
	char text[300];
	struct case_stats s = counted(results, n);
	const struct case_offer *o =
		case_next(&s.people[0], offers, LENGTH(offers), text, sizeof text);
	cr_assert(o != NULL);
	cr_expect(eq(str, (char *)o->id, (char *)id));
	cr_expect(strstr(text, why) != NULL, "%s", text);
	case_stats_release(&s);
}

/* "a" was taken: 4 of 10 facts, none of 3 numbers, one of 3 goals or none of 2 twists are what went worst. */
Test(case_stats, the_next_case_is_for_what_went_worst)
{
	static const struct {
		size_t asked, near, goals, twists;
		const char *id, *why;
	} rows[] = {
		{ 4, 3, 3, 2, "c",
			"6 of 10 facts that must be asked for were not, of these 6 about "
			"lengths and sizes; this case has 3 such." },
		{ 10, 0, 3, 2, "b", "3 of 3 numbers were off or not given; this case asks for 4." },
		{ 10, 3, 1, 2, "a", "Its design met 1 of 3 goals the last time." },
		{ 10, 3, 3, 0, "d",
			"After 2 of 2 twists no design met the goals; this case has 3." },
		{ 10, 3, 3, 2, "c", "All went well, and memory was seen least." },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct case_result r = made("", false, "a", 10, rows[i].asked, rows[i].near,
			rows[i].goals, rows[i].twists, 0);
		expect_next(&r, 1, rows[i].id, rows[i].why);
	}
}

/* Goals that were missed and then met are done; of all that was taken, what lies longest ago. */
Test(case_stats, a_case_comes_again_when_all_were_taken)
{
	const struct case_result results[] = { made("", false, "a", 10, 10, 3, 1, 2, 0),
		made("", false, "b", 20, 10, 3, 3, 2, 0), made("", false, "c", 30, 10, 3, 3, 2, 0),
		made("", false, "d", 40, 10, 3, 3, 2, 0),
		made("", false, "a", 50, 10, 3, 3, 2, 0) };
	expect_next(results, LENGTH(results), "b", "lies longest ago");
	expect_next(results, 4, "a", "Its design met 1 of 3 goals the last time.");
}

/* Every fact of the cases that travel with the program is of a kind. */
Test(case_stats, every_fact_is_of_a_kind)
{
	struct tables t;
	cases_load_tables(&t);
	for (size_t i = 0; i < LENGTH(case_ids); i++) {
		struct design_case c;
		cases_open(&c, &t, case_ids[i]);
		for (size_t k = 0; k < c.n_facts; k++)
			cr_expect(ne(int, (int)c.facts[k].kind, (int)FACT_OTHER), "%s: %s",
				case_ids[i], c.facts[k].id);
		case_release(&c);
	}
	tables_release(&t);
}
