/* An interview at a design case: what is asked for, the candidate's side whose verdicts are held, the
 * interviewer's desk, and both in terminals that are killed. */
#include "drills/case_plan.h"
#include "drills/case_talk.h"
#include "sims/base/array.h"
#include "tests/interviewer.h"
#include "tests/pty.h"
#include "tests/times_in.h"
#include "tests/whole_bank.h"
#include "ui/data/case_list.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_record.h"
#include "ui/practice/case_first.h"
#include "ui/practice/case_record.h"
#include "ui/practice/drill_summary.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

/* --- what is asked for ------------------------------------------------------------------- */

static int complete(struct drill_request *r, char *err, size_t size)
{
	return drill_request_complete_case(r, 12, err, size);
}

Test(interview_case, an_interview_is_at_a_case_unless_problems_are_named)
{
	const struct {
		struct drill_request request;
		bool at_case;
	} rows[] = { { { .options.mode = MODE_INTERVIEW }, true },
		{ { .options.mode = MODE_INTERVIEW, .options.count = 5 }, false },
		{ { .options.mode = MODE_INTERVIEW, .topic = "roofline" }, false },
		{ { .options.mode = MODE_SET }, false }, { { .code = "EDCT-A1D5-V" }, true },
		{ { .code = "1500-4K2Q-7" }, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(int, drill_request_at_case(&rows[i].request), rows[i].at_case),
			"row %zu", i);
}

/* Over many seeds every case comes up, only for levels that it has, and its code says the same again. */
Test(interview_case, deals_each_case_and_says_it_in_a_code)
{
	struct case_list l;
	unsigned came[256] = { 0 };
	char err[300] = "";
	cr_assert(zero(int, case_list_load(&l, stderr)));
	for (unsigned seed = 0; seed < 400; seed++) {
		struct drill_request r = { .options = { .mode = MODE_INTERVIEW, .seed = seed },
			.seeded = true,
			.levelled = seed % 2,
			.level = LEVEL_STAFF,
			.minutes = seed % 3 ? 0 : 30 };
		cr_assert(zero(int, complete(&r, err, sizeof err)), "%s", err);
		struct drill_request again = { .minutes = 0 };
		strcpy(again.code, r.code);
		cr_assert(zero(int, complete(&again, err, sizeof err)), "%s", err);
		cr_expect(eq(str, again.case_id, r.case_id));
		cr_expect(again.level == r.level && again.minutes == r.minutes &&
			  again.options.seed == seed && r.minutes == (seed % 3 ? 45 : 30));
		cr_expect(r.level == LEVEL_STAFF || seed % 2 == 0);
		for (size_t i = 0; i < l.n; i++)
			if (strcmp(l.cases[i].id, r.case_id) == 0) {
				came[i]++;
				cr_expect(l.cases[i].levels >> r.level & 1, "%s", r.case_id);
			}
	}
	for (size_t i = 0; i < l.n; i++)
		cr_expect(lt(int, 0, (int)came[i]), "%s", l.cases[i].id);
	case_list_release(&l);
}

Test(interview_case, what_cannot_be_dealt_is_told)
{
	const struct {
		struct drill_request request;
		const char *why;
	} rows[] = {
		{ { .options.mode = MODE_INTERVIEW, .case_id = "serve-70bb" },
			"there is no case \"serve-70bb\"; did you mean \"serve-70b\"?" },
		{ { .code = "EDCT-A1D5-V", .chosen = true }, "give it without them" },
		{ { .code = "EDCT-A1D5-W" }, "check symbol" },
	};
	char err[300];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct drill_request r = rows[i].request;
		cr_expect(eq(int, complete(&r, err, sizeof err), -1));
		cr_expect(strstr(err, rows[i].why) != NULL, "%s", err);
	}
}

/* --no-choice: no problem of 200 has anything to choose from or to put in order. */
Test(interview_case, problems_without_choices_have_none)
{
	struct whole_bank w;
	whole_bank_load(&w);
	for (int mode = MODE_SET; mode <= MODE_INTERVIEW; mode++) {
		const struct session_options o = {
			.count = 200, .seed = 3, .mode = (enum drill_mode)mode, .no_choice = true
		};
		struct drill_session s;
		char err[300] = "";
		cr_assert(zero(int, session_init(&s, &w.bank, &w.tables, &o, err, sizeof err)),
			"%s", err);
		for (size_t i = 0; i < s.n; i++)
			for (size_t k = 0; k < s.items[i].variant.n_steps; k++) {
				const enum drill_kind kind = s.items[i].variant.steps[k].step->kind;
				cr_expect(kind != KIND_CHOICE && kind != KIND_ORDER, "%s",
					s.items[i].variant.drill->id);
			}
		session_release(&s);
	}
	whole_bank_release(&w);
}

/* --- the candidate's side ---------------------------------------------------------------- */

static struct tables tables;
static struct design_case the_case;
static struct case_sitting sitting;
static struct case_talk talk;

/* Llama 3 70B has 70.6 billion parameters: at a byte each 70.6 GB, of which 140 GB is the double. */
static void sit_held(void)
{
	char err[700] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(
		zero(int, case_load(&the_case, &tables, "serve-70b", err, sizeof err)), "%s", err);
	cr_assert(zero(int, case_sitting_begin(&sitting, &the_case, &tables, 5, LEVEL_SENIOR, err,
				    sizeof err)),
		"%s", err);
	sitting.company = CASE_HELD;
	case_talk_begin(&talk, &sitting);
}

static void leave_held(void)
{
	case_talk_release(&talk);
	case_sitting_release(&sitting);
	case_release(&the_case);
	tables_release(&tables);
}

static bool was_said(const char *text)
{
	for (size_t i = 0; i < talk.said.n; i++)
		if (strstr(talk.said.list[i].text, text))
			return true;
	return false;
}

static void release_held(int64_t now_ms)
{
	char word[CASE_WORD_SIZE], line[64];
	snprintf(line, sizeof line, "release %s",
		case_release_word("serve-70b", 5, LEVEL_SENIOR, word));
	case_talk_line(&talk, line, now_ms);
}

Test(interview_case, verdicts_wait_for_the_interviewers_word, .init = sit_held, .fini = leave_held)
{
	case_talk_line(&talk, "what is the load at the peak?", 1000);
	case_talk_line(&talk, "estimate weights 140 GB", 2000);
	case_talk_line(&talk, "design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16", 3000);
	case_talk_line(&talk, "design tp=99", 3500);
	case_talk_line(&talk, "end", 4000);
	case_talk_line(&talk, "facts", 4000);
	case_talk_line(&talk, "release nobody", 5000);
	cr_expect(was_said("Ask it aloud") && was_said("Your interviewer knows"));
	cr_expect(was_said("Noted. Your interviewer sees what it comes to."));
	/* What cannot be read is told at once, since it would be lost. */
	cr_expect(was_said("99"));
	const bool told = was_said("off") || was_said("goals met") || was_said("req/s");
	cr_expect(eq(int, told, false));
	cr_expect(sitting.estimates[0].tries == 0 && sitting.runs[0] == 0 && !talk.debriefed);
	/* A person tells the twists: the clock does not. */
	case_talk_line(&talk, "", 44 * CASE_MINUTE_MS);
	cr_expect(eq(sz, sitting.stage, 0));
	case_talk_line(&talk, "twist", 45 * CASE_MINUTE_MS);
	cr_expect(was_said("Twist 1:"));
	release_held(45 * CASE_MINUTE_MS);
	cr_expect(was_said("140 GB: off: two bytes a parameter"));
	cr_expect(was_said("20 req/s at the peak"));
	/* The design was of the time before the twist. */
	cr_expect(sitting.runs[0] == 1 && sitting.runs[1] == 0 && sitting.stage == 1);
	cr_expect(was_said("2 of 3 goals met"));
	case_talk_line(&talk, "end", 45 * CASE_MINUTE_MS);
	cr_expect(talk.debriefed && was_said("Debrief"));
}

/* A design is noted where designs are due, in one line or in several. Where the candidate is when the word is said does
 * not make a question of it: 70.6 GB a replica of four H100 hold, and 16 of them cost 16 x $2.99. */
Test(interview_case, a_design_that_was_noted_is_run, .init = sit_held, .fini = leave_held)
{
	static const char *const lines[] = { "next", "next", "kv cache fp8",
		"gpu h100, weights fp8, tensor parallel 4, gpus you have 16", "next", "next" };
	for (size_t i = 0; i < LENGTH(lines); i++)
		case_talk_line(&talk, lines[i], 1000 * (int64_t)i);
	const int64_t entered_ms = sitting.entered_ms[CASE_WRAP_UP];
	cr_assert(eq(int, (int)sitting.phase, (int)CASE_WRAP_UP));
	release_held(60000);
	cr_expect(eq(sz, sitting.runs[0], 1));
	cr_expect(was_said("$47.84/h"));
	cr_expect(not(was_said("Do you mean")));
	cr_expect(eq(int, (int)sitting.phase, (int)CASE_WRAP_UP));
	cr_expect(eq(i64, sitting.entered_ms[CASE_WRAP_UP], entered_ms));
	case_talk_line(&talk, "end", 61000);
	cr_expect(not(was_said("No design was run")));
}

/* The candidate's side knows of no twist that is told aloud: whoever designs there is told to type the word. */
Test(interview_case, a_candidate_is_told_to_type_the_twist, .init = sit_held, .fini = leave_held)
{
	static const char design[] = "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16";
	static const char warning[] = "where one was told, type twist";
	case_talk_line(&talk, "next", 1000);
	case_talk_line(&talk, "next", 2000);
	case_talk_line(&talk, design, 3000);
	cr_expect(not(was_said(warning)));
	case_talk_line(&talk, "next", 4000);
	cr_expect(was_said("When your interviewer has told a twist, type twist"));
	case_talk_line(&talk, design, 5000);
	cr_expect(was_said(warning));
	const size_t said = talk.said.n;
	case_talk_line(&talk, "twist", 6000);
	case_talk_line(&talk, design, 7000);
	for (size_t i = said; i < talk.said.n; i++)
		cr_expect(strstr(talk.said.list[i].text, warning) == NULL);
	release_held(8000);
	cr_expect(sitting.runs[0] == 2 && sitting.runs[1] == 1);
}

/* By its number, and by its name as the file has it or as people say it. */
Test(interview_case, a_number_that_was_noted_is_read_again, .init = sit_held, .fini = leave_held)
{
	static const char *const lines[] = { "estimate at_once 26", "at once 27", "3 28", "3: 29" };
	const size_t anchor = 2;
	case_talk_line(&talk, "next", 1000);
	for (size_t i = 0; i < LENGTH(lines); i++)
		case_talk_line(&talk, lines[i], 2000);
	cr_expect(eq(str, (char *)sitting.estimates[anchor].given, "29"));
	release_held(3000);
	cr_expect(eq(uint, sitting.estimates[anchor].tries, LENGTH(lines)));
	for (size_t i = 0; i < anchor; i++)
		cr_expect(zero(uint, sitting.estimates[i].tries));
}

/* Who was given the word of one deal has it of no other. */
Test(interview_case, words_differ_and_can_be_said)
{
	char first[CASE_WORD_SIZE], again[CASE_WORD_SIZE];
	unsigned same = 0;
	case_release_word("serve-70b", 5, LEVEL_SENIOR, first);
	for (unsigned seed = 100; seed < 600; seed++) {
		case_release_word("serve-70b", seed, LEVEL_SENIOR, again);
		same += strcmp(again, first) == 0;
		for (size_t i = 0; again[i]; i++)
			cr_expect(eq(int, strchr("aeiou", again[i]) != NULL, i % 2));
	}
	/* One in 4,900: 500 draws have it by chance once in ten times, and three times hardly ever. */
	cr_expect(le(int, (int)same, 2));
}

/* --- the desk ---------------------------------------------------------------------------- */

static struct explorer desk_at_case(void)
{
	return interviewer_on("case=serve-70b level=senior seed=5", 50, 100, GLYPHS_LINES);
}

static void hear(struct explorer *e, const char *text)
{
	explorer_press(e, "a");
	explorer_type(e, text);
	explorer_press(e, "Enter");
}

Test(interview_case, the_desk_ticks_grades_and_runs_what_was_heard)
{
	struct explorer e = desk_at_case();
	const struct interviewer *v = interviewer_of(e.app);
	const struct case_sitting *s = &v->at_case->sitting;
	cr_expect(explorer_shows(&e, "Read out:") && explorer_shows(&e, "release lugi"));
	explorer_press(&e, "Space");
	cr_expect(explorer_shows(&e, "[ ] #2 the load at the peak"));
	hear(&e, "what is the load?");
	cr_expect(explorer_shows(&e, "[x] #2 the load at the peak"));
	hear(&e, "#1");
	cr_expect(
		explorer_shows(&e, "[x] #1 the model") && s->told[0] && s->told[1] && !s->told[2]);
	explorer_press(&e, "]");
	hear(&e, "1 140 GB");
	cr_expect(explorer_shows(&e, "140 GB: off: two bytes a parameter"));
	hear(&e, "1 71 GB");
	cr_expect(eq(int, s->estimates[0].best, ESTIMATE_EXACT));
	explorer_press(&e, "]");
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	cr_expect(s->runs[0] == 1 && s->met[0]);
	/* Esc comes back from the design's simulation. */
	explorer_press(&e, "s");
	cr_expect(eq(int, e.app->screen, SCREEN_SIM));
	explorer_press(&e, "Esc");
	explorer_press(&e, "]");
	hear(&e, "twist");
	cr_expect(eq(sz, s->stage, 1));
	hear(&e, "end");
	cr_expect(explorer_shows(&e, "That word is the candidate's"));
	explorer_press(&e, "3 q");
	cr_expect(explorer_shows(&e, "Told 2 of 10 facts."));
	cr_expect(explorer_shows(&e, "before a twist") && explorer_shows(&e, "after twist 1"));
	explorer_end(&e);
}

/* Its number with its sign once more takes a tick back, and only where facts are told: the record says so in a line
 * of its own, since a number that stands twice in an older record ticks twice. */
Test(interview_case, a_fact_that_was_ticked_by_mistake_is_taken_back)
{
	struct explorer e = desk_at_case();
	struct interviewer *v = interviewer_of(e.app);
	const bool *told = v->at_case->sitting.told;
	explorer_press(&e, "Space");
	hear(&e, "#1");
	hear(&e, "#3");
	cr_expect(told[0] && told[2] && explorer_shows(&e, "[x] #3 "));
	hear(&e, "#3");
	cr_expect(told[0] && !told[2] && explorer_shows(&e, "[ ] #3 "));
	cr_expect(explorer_shows(&e, "taken back"));
	cr_expect(explorer_shows(&e, "1 of the 7 that decide told, 6 to go"));
	hear(&e, "#3");
	cr_expect(told[2]);
	static const struct interviewer_deed cannot[] = { { .did = DID_UNTELL, .n = 0 },
		{ .did = DID_UNTELL, .n = 2 }, { .did = DID_UNTELL, .n = 11 } };
	for (size_t i = 0; i < sizeof cannot / sizeof *cannot; i++)
		cr_expect(not(interviewer_do(v, &cannot[i], 0)), "row %zu", i);
	const struct interviewer_deed again = { .did = DID_HEAR, .text = "1" };
	cr_expect(interviewer_do(v, &again, 0) && told[0], "as in a record of before");
	explorer_end(&e);
}

static bool goes_on(void *context, double share)
{
	(void)context;
	(void)share;
	return true;
}

/* With a loop around it that draws, the run waits for the frame that says so, keys do nothing until it is
 * done, and what came in meanwhile is to be dropped. */
Test(interview_case, the_desk_says_that_a_design_runs_before_it_does)
{
	struct explorer e = desk_at_case();
	const struct interviewer *v = interviewer_of(e.app);
	const struct case_sitting *s = &v->at_case->sitting;
	e.app->go_on = goes_on;
	explorer_press(&e, "Space ] ]");
	const size_t at = v->at;
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	cr_expect(explorer_shows(&e, "Running the design"));
	cr_expect(e.app->works && e.app->deaf && s->runs[0] == 0);
	explorer_press(&e, "n 3");
	cr_expect(v->at == at && v->subjects[at].mark == 0);
	app_work(e.app);
	app_settle(e.app);
	cr_expect(not(e.app->works));
	cr_expect(eq(sz, s->runs[0], 1));
	cr_expect(explorer_shows(&e, "goals met") && !explorer_shows(&e, "Running the design"));
	explorer_press(&e, "n");
	cr_expect(eq(sz, v->at, at + 1));
	/* A line that runs nothing is heard at once; a design in words runs as well. */
	hear(&e, "is there a budget?");
	cr_expect(not(e.app->works));
	hear(&e, "is tp=4 the best?");
	cr_expect(not(e.app->works));
	hear(&e, "tensor parallel 8");
	cr_expect(e.app->works && explorer_shows(&e, "Running the design"));
	explorer_end(&e);
}

static size_t n_runs;

static void count_run(const struct tables *t, const double v[], struct figure *fig)
{
	(void)t;
	(void)v;
	(void)fig;
	n_runs++;
}

/* The desk is drawn each second: what the case's own designs come to was run as it was dealt. */
Test(interview_case, the_desk_runs_nothing_as_it_is_drawn)
{
	struct explorer e = desk_at_case();
	struct interviewer_case *k = interviewer_of(e.app)->at_case;
	explorer_press(&e, "Space ] ]");
	const struct sim *whole = k->c.sim;
	struct sim counted = *whole;
	counted.run = count_run;
	k->c.sim = &counted;
	struct canvas cv = explorer_draw(&e);
	canvas_release(&cv);
	expect_shown(&e, "A design that meets the goals");
	cr_expect(eq(sz, n_runs, 0));
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=9");
	cr_expect(eq(sz, n_runs, 1), "but what is heard is run");
	k->c.sim = whole;
	explorer_end(&e);
}

static struct explorer narrow_desk(void)
{
	return interviewer_on("case=serve-70b level=senior seed=5", 24, 80, GLYPHS_LINES);
}

/* Where the window is narrow the first screen of each phase has its four levels and the keys that mark. */
Test(interview_case, the_rubric_is_in_sight)
{
	struct explorer e = narrow_desk();
	const struct interviewer *v = interviewer_of(e.app);
	explorer_press(&e, "Space");
	for (int phase = 0; phase < N_CASE_PHASES; phase++) {
		char beginning[24];
		for (int k = 0; k < CASE_MARKS; k++) {
			const char *level = v->at_case->c.rubric[phase].levels[k];
			snprintf(beginning, sizeof beginning, "%.20s", level);
			cr_expect(explorer_shows(&e, beginning), "%s: %s", case_phase_names[phase],
				level);
		}
		cr_expect(explorer_shows(&e, "1 to 4 mark"));
		/* The twist has one key more, and no room for all. */
		cr_expect(phase == CASE_TWIST || explorer_shows(&e, "e note"));
		/* The title has the code, and the way out stays. */
		expect_shown(&e, phase == CASE_WRAP_UP ? "q sum up" : "q end");
		expect_shown(&e, phase == CASE_TWIST ? "t told" : "a heard");
		cr_expect(explorer_shows(&e, "n next"));
		cr_expect(not(explorer_shows(&e, "] next phase")));
		explorer_press(&e, "n");
	}
	explorer_end(&e);
}

/* The row of a fact on the screen, counted from 0; -1: it is not in sight. */
static int row_of_fact(const struct explorer *e, int number)
{
	char *screen = explorer_text(e), what[16], *rest = NULL;
	int row = 0, found = -1;
	snprintf(what, sizeof what, "] #%d ", number);
	for (char *line = strtok_r(screen, "\n", &rest); line && found < 0;
		line = strtok_r(NULL, "\n", &rest), row++)
		if (strstr(line, what))
			found = row;
	free(screen);
	return found;
}

static void replay_and_compare(struct explorer *e)
{
	struct whole_bank w;
	struct interviewer again;
	size_t unreadable;
	char err[300] = "", *was = NULL, *is = NULL;
	size_t n;
	whole_bank_load(&w);
	cr_assert(zero(int, interviewer_replay(
				    &again, &w.tables, record, &unreadable, err, sizeof err)),
		"%s", err);
	cr_expect(eq(sz, unreadable, 0));
	FILE *f = open_memstream(&was, &n);
	interviewer_write_summary(interviewer_of(e->app), e->now_ms, f);
	fclose(f);
	f = open_memstream(&is, &n);
	interviewer_write_summary(&again, again.kept_ms, f);
	fclose(f);
	cr_expect(eq(str, is, was));
	free(was);
	free(is);
	interviewer_release(&again);
	whole_bank_release(&w);
}

/* What a phase's page says, in a place that the next call writes over. */
static char *phase_guide(const struct explorer *e, enum phase phase, struct case_room room)
{
	static char text[1 << 16];
	FILE *f = fmemopen(text, sizeof text, "w");
	cr_assert(f != NULL);
	interviewer_case_guide(interviewer_of(e->app)->at_case, phase, room, f);
	cr_assert(zero(int, fclose(f)));
	return text;
}

/* Each fact stands there once: whole before it is told, and then in a row that is cut; a tick leaves the page where
 * it was scrolled to. The budget's 71 bytes and its name fit in 92 columns, the load's 103 do not. */
Test(interview_case, each_fact_stands_once_and_is_short_once_it_was_told)
{
	static const struct case_room room = { .cols = 92 };
	static const char load_end[] = "so take the arrivals as random.";
	struct explorer e = narrow_desk();
	explorer_press(&e, "Space");
	const char *before = phase_guide(&e, PHASE_CLARIFY, room);
	cr_expect(eq(sz, times_in(before, load_end), 1), "%s", before);
	cr_expect(eq(sz, times_in(before, "20 req/s at the peak of the day"), 1));
	cr_expect(strstr(before, "In full") == NULL);
	hear(&e, "#2");
	hear(&e, "#9");
	const char *after = phase_guide(&e, PHASE_CLARIFY, room);
	cr_expect(zero(sz, times_in(after, load_end)), "%s", after);
	cr_expect(strstr(after, "- [x] #2 **the load at the peak**: 20 req/s") &&
		  strstr(after, "...\n"));
	cr_expect(strstr(after, "Finance will not sign more.\n") != NULL, "%s", after);
	explorer_press(&e, "PgDn j j j j j j");
	const int row = row_of_fact(&e, 4);
	cr_expect(lt(int, 0, row));
	hear(&e, "#4");
	cr_expect(eq(int, row_of_fact(&e, 4), row), "one answer has a row above as the other had");
	cr_expect(explorer_shows(&e, "[x] #4 ") &&
		  explorer_shows(&e, "3 of the 7 that decide told, 4 to go"));
	explorer_end(&e);
}

/* In a small window the rubric is cut beside the names of the facts, and stands whole a page further down. */
Test(interview_case, the_rubric_is_whole_on_the_next_page)
{
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 24, 80, GLYPHS_LINES);
	const struct case_rubric *r = &interviewer_of(e.app)->at_case->c.rubric[CASE_CLARIFY];
	explorer_press(&e, "Space PgDn");
	cr_expect(explorer_shows(&e, "LISTEN FOR, in full"));
	for (size_t k = 0; k < CASE_MARKS; k++) {
		const char *last = strrchr(r->levels[k], ' ');
		cr_assert(last != NULL);
		cr_expect(explorer_shows(&e, last + 1), "%s", r->levels[k]);
	}
	explorer_end(&e);
}

/* A question that is asked once more is answered from the page: what stands in full stays whole behind its tick. */
Test(interview_case, a_fact_in_full_stays_whole)
{
	static const struct case_room room = { .cols = 92, .rows = 32 };
	struct explorer e = narrow_desk();
	explorer_press(&e, "Space");
	hear(&e, "#2");
	const char *full = strstr(phase_guide(&e, PHASE_CLARIFY, room), "### TELL, in full");
	cr_assert(full != NULL);
	const char *load = strstr(full, "- [x] #2 ");
	cr_assert(load != NULL);
	cr_expect(eq(sz, times_in(load, "so take the arrivals as random."), 1));
	explorer_end(&e);
}

/* What a design of the candidate's comes to is seen wherever the page is. */
Test(interview_case, a_verdict_is_seen_on_any_page)
{
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 32, 100, GLYPHS_LINES);
	struct interviewer *v = interviewer_of(e.app);
	static const char *const typed[] = { "next", "next",
		"gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=12", "fleet=8" };
	explorer_press(&e, "Space n n PgDn");
	cr_assert(lt(long, 0, v->scroll));
	for (size_t i = 0; i < LENGTH(typed); i++)
		interviewer_do(v,
			&(struct interviewer_deed){ .did = DID_HEAR, .n = 1, .text = typed[i] },
			e.now_ms);
	cr_expect(explorer_shows(&e, "HEARD  candidate: 3 of 3 goals met."));
	explorer_press(&e, "Home");
	cr_expect(zero(long, v->scroll));
	cr_expect(not(explorer_shows(&e, "HEARD  candidate:")));
	cr_expect(explorer_shows(&e, "3 of 3 goals met"));
	explorer_end(&e);
}

/* Where there is room what strong and weak sound like stands beside the rubric, else last. */
Test(interview_case, what_it_sounds_like_stands_beside_the_rubric_where_there_is_room)
{
	struct explorer e = narrow_desk();
	for (int tall = 0; tall < 2; tall++) {
		const struct case_room room = { .cols = 92, .tall = tall };
		char *text = phase_guide(&e, PHASE_CLARIFY, room);
		const char *sounds = strstr(text, "- **weak** "),
			   *facts = strstr(text, "- [ ] #1 ");
		cr_assert(sounds && facts, "%s", text);
		cr_expect(eq(int, sounds < facts, tall));
	}
	explorer_end(&e);
}

/* The tool of the first phase is in sight in a narrow window too, behind the rubric: the names of
 * all facts, and in one of 32 rows a row of each. */
Test(interview_case, all_facts_are_in_sight)
{
	static const int sizes[][2] = { { 24, 80 }, { 32, 100 } };
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct explorer e = interviewer_on("case=serve-70b level=senior seed=5",
			sizes[i][0], sizes[i][1], GLYPHS_LINES);
		explorer_press(&e, "Space");
		hear(&e, "#5");
		const struct design_case *c = &interviewer_of(e.app)->at_case->c;
		for (size_t k = 0; k < c->n_facts; k++) {
			char name[40];
			snprintf(name, sizeof name, "%.18s", c->facts[k].name);
			expect_shown(&e, name);
		}
		cr_expect(explorer_shows(&e, "[x] #5"));
		explorer_end(&e);
	}
}

/* "in nodes of eight with NVLink, at list price" and "how the load varies over the day" are longer than their rows. */
Test(interview_case, a_row_of_the_desk_ends_with_a_word)
{
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 32, 100, GLYPHS_LINES);
	explorer_press(&e, "Space");
	expect_shown(&e, "in nodes of eight with...");
	explorer_end(&e);
	e = interviewer_on("case=serve-70b level=senior seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "Space");
	expect_shown(&e, "how the load varies over...");
	explorer_end(&e);
}

/* What was told is read out first, over what was said; what costs a candidate who does not ask stands with what
 * decides. */
Test(interview_case, a_wide_desk_has_what_to_tell_on_top)
{
	struct explorer e =
		interviewer_on("case=serve-70b level=senior seed=5", 48, 160, GLYPHS_LINES);
	explorer_press(&e, "Space");
	hear(&e, "#5");
	const int tell = explorer_row_of(&e, "TELL "), said = explorer_row_of(&e, "SAID "),
		  act = explorer_row_of(&e, "DO: tell");
	cr_expect(lt(int, 0, tell));
	cr_expect(lt(int, tell, said));
	cr_expect(lt(int, said, act));
	expect_shown(&e, "Not asked: A fleet is sized for a rate at its peak");
	explorer_end(&e);
}

/* In a wide window too, however many rows it has: beside the guide, or at its end. */
Test(interview_case, what_it_sounds_like_is_somewhere_in_a_wide_window)
{
	for (int rows = 24; rows <= 44; rows += 5) {
		struct explorer e = interviewer_on(
			"case=serve-70b level=senior seed=5", rows, 140, GLYPHS_LINES);
		explorer_press(&e, "Space");
		bool shown = false;
		for (int page = 0; page < 6 && !shown; page++) {
			shown = explorer_shows(&e, "weak ");
			explorer_press(&e, "PgDn");
		}
		cr_expect(shown, "%d rows", rows);
		explorer_end(&e);
	}
}

/* What was just told stands on top, and what comes next only in its own section. At staff level serve-70b has two
 * twists. */
Test(interview_case, the_next_twist_is_not_on_top)
{
	struct explorer e =
		interviewer_on("case=serve-70b level=staff seed=5", 32, 100, GLYPHS_LINES);
	struct interviewer_case *k = interviewer_of(e.app)->at_case;
	const struct case_room room = { .cols = 92, .tall = true };
	char *text = phase_guide(&e, PHASE_DRILL, room);
	cr_expect(strncmp(text, "# SAY\n\n> **Product adds retrieval", 33) == 0, "%.200s", text);
	explorer_press(&e, "Space n n n");
	for (size_t told = 1; told <= 2; told++) {
		hear(&e, "twist");
		cr_assert(eq(sz, k->sitting.stage, told));
		text = phase_guide(&e, PHASE_DRILL, room);
		cr_expect(strncmp(text, "### TOLD\n\n> ", 12) == 0, "%.200s", text);
		const char *section = strstr(text, "### Twist 1");
		cr_assert(section != NULL);
		cr_expect(eq(sz, times_in(text, "Say: "), 2 - told), "%s", text);
		const char *say = strstr(text, "Say: ");
		cr_expect(say == NULL || say > section);
		cr_expect(eq(int, strstr(text, "All twists were told") != NULL, told == 2));
	}
	explorer_end(&e);
}

/* The wait and the pace of tokens: facts 5 and 6 of serve-70b. "2" answers what the desk asked back. */
Test(interview_case, all_facts_that_were_ticked_are_read_out)
{
	static const char wait[] = "99 of 100 users see the first token within",
			  pace[] = "99 of 100 gaps between tokens are shorter";
	struct explorer e = desk_at_case();
	const struct interviewer_case *k = interviewer_of(e.app)->at_case;
	explorer_press(&e, "Space");
	hear(&e, "latency");
	cr_expect(explorer_shows(&e, "Say 1, 2 or both."));
	hear(&e, "both");
	cr_expect(k->sitting.told[4] && k->sitting.told[5]);
	const struct case_paragraph *first = interviewer_case_answer(k, PHASE_CLARIFY, 0),
				    *second = interviewer_case_answer(k, PHASE_CLARIFY, 1);
	cr_assert(first && second && !interviewer_case_answer(k, PHASE_CLARIFY, 2));
	cr_expect(strstr(first->text, wait) != NULL && strstr(second->text, pace) != NULL);
	/* Both stand above the rule, and their rows in the guide further down. */
	cr_expect(lt(int, 0, explorer_row_of(&e, pace)));
	cr_expect(lt(int, explorer_row_of(&e, pace), explorer_row_of(&e, "Said: We are")));
	explorer_end(&e);
}

/* A note below the facts makes no room between them. */
Test(interview_case, facts_stand_as_close_beside_notes)
{
	struct explorer e = desk_at_case();
	explorer_press(&e, "Space");
	hear(&e, "latency");
	const int apart = explorer_row_of(&e, "#2 ") - explorer_row_of(&e, "#1 ");
	explorer_press(&e, "e");
	explorer_type(&e, "hello");
	explorer_press(&e, "Enter");
	cr_expect(lt(int, 0, apart));
	cr_expect(eq(int, explorer_row_of(&e, "#2 ") - explorer_row_of(&e, "#1 "), apart));
	explorer_end(&e);
}

Test(interview_case, a_number_alone_ticks_and_unticks_nothing)
{
	struct explorer e = desk_at_case();
	const bool *told = interviewer_of(e.app)->at_case->sitting.told;
	e.app->keep_interview = keep_record;
	explorer_press(&e, "Space");
	hear(&e, "2");
	cr_expect(not(told[1]));
	cr_expect(explorer_shows(&e, "\"2\" alone ticks nothing: #2 is fact 2."));
	cr_expect(strstr(record, "heard") == NULL);
	hear(&e, "#2");
	hear(&e, "latency");
	hear(&e, "2");
	cr_expect(told[1] && told[5] && !told[4], "the second that was asked back");
	hear(&e, "2");
	cr_expect(told[1] && told[5]);
	cr_expect(explorer_shows(&e, "fact 2 is told, and #2 takes it back."));
	hear(&e, "#2");
	cr_expect(not(told[1]));
	explorer_press(&e, "q");
	replay_and_compare(&e);
	explorer_end(&e);
}

/* A key says that a twist was told; a design that is heard before it is judged by the goals of before, and the desk says
 * so. At senior level serve-70b has one twist, with a budget of its own. */
Test(interview_case, a_key_tells_the_twist)
{
	static const char early[] = "Judged by the goals of before";
	static const char design[] = "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=20";
	struct explorer e = desk_at_case();
	const struct case_sitting *s = &interviewer_of(e.app)->at_case->sitting;
	e.app->keep_interview = keep_record;
	explorer_press(&e, "Space n n t");
	cr_expect(explorer_shows(&e, "No twist is to be told here."));
	hear(&e, design);
	cr_expect(not(explorer_shows(&e, early)));
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "t told"));
	hear(&e, design);
	cr_expect(explorer_shows(&e, early));
	cr_expect(s->runs[0] == 2 && s->stage == 0);
	explorer_press(&e, "t");
	cr_expect(explorer_shows(&e, "Twist 1 is told"));
	cr_expect(explorer_shows(&e, "they type twist as well"));
	cr_expect(not(explorer_shows(&e, "t told")));
	hear(&e, design);
	cr_expect(not(explorer_shows(&e, early)));
	cr_expect(s->runs[1] == 1 && s->stage == 1);
	explorer_press(&e, "t");
	cr_expect(eq(sz, s->stage, 1));
	explorer_press(&e, "q");
	replay_and_compare(&e);
	explorer_end(&e);
}

static char candidates[1000];
static char *read_theirs(const char *id, size_t newer, char *name)
{
	(void)id;
	(void)name;
	return newer ? NULL : strdup(candidates);
}

static uint64_t stamp_of_theirs(const char *id)
{
	(void)id;
	return strlen(candidates);
}

static void type_theirs(struct explorer *e, const char *text)
{
	char *line = case_typed_line(text, 65000);
	strncat(candidates, line, sizeof candidates - strlen(candidates) - 1);
	free(line);
	explorer_press(e, "Down"); /* what was said before goes */
	app_tick(e->app, e->now_ms);
}

/* What the candidate types beside a design that was too early runs nothing, and nothing is said of it. */
Test(interview_case, a_line_that_runs_nothing_is_not_judged)
{
	static const char early[] = "Judged by the goals of before";
	struct explorer e = desk_at_case();
	struct interviewer *v = interviewer_of(e.app);
	struct case_sitting held = v->at_case->sitting;
	held.company = CASE_HELD;
	char *begin = case_begin_line(&held, v->opened_s);
	snprintf(candidates, sizeof candidates, "%s", begin);
	free(begin);
	e.app->load_case = read_theirs;
	e.app->case_stamp = stamp_of_theirs;
	explorer_press(&e, "Space n n n");
	type_theirs(&e, "next");
	type_theirs(&e, "next");
	type_theirs(&e, "next");
	cr_expect(not(explorer_shows(&e, early)));
	type_theirs(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=20");
	cr_expect(explorer_shows(&e, early));
	cr_expect(eq(sz, v->at_case->n_typed, 4));
	type_theirs(&e, "back");
	cr_expect(eq(sz, v->at_case->n_typed, 5));
	cr_expect(not(explorer_shows(&e, early)));
	explorer_end(&e);
}

/* The desk hears of both sides, the candidate's knows what was typed: at 20 req/s of 350 x 40 ms = 14 s, or of 300 x 40
 * ms = 12 s, 280 or 240 requests are there at once. The better answer counts, and both stand in the summary. */
Test(interview_case, of_two_answers_to_a_number_it_is_said_which_counts)
{
	struct explorer e = desk_at_case();
	struct interviewer *v = interviewer_of(e.app);
	char *text;
	size_t n;
	explorer_press(&e, "Space n");
	hear(&e, "3 260");
	cr_expect(not(explorer_shows(&e, "better answer counts")));
	const struct interviewer_deed typed = { .did = DID_HEAR, .n = 1, .text = "3: 40" };
	interviewer_do(
		v, &(struct interviewer_deed){ .did = DID_HEAR, .n = 1, .text = "next" }, e.now_ms);
	cr_assert(interviewer_do(v, &typed, e.now_ms));
	cr_expect(explorer_shows(&e, "Here the better answer counts: 260, which was heard."));
	FILE *f = open_memstream(&text, &n);
	interviewer_case_result(v->at_case, f);
	fclose(f);
	cr_expect(strstr(text, "| 260 (heard; typed: 3: 40) |") != NULL, "%s", text);
	free(text);
	explorer_end(&e);
}

/* Of an interview that is not to be kept nothing is written, whatever is done. */
Test(interview_case, nothing_is_kept_where_that_was_asked_for)
{
	struct explorer e = interviewer_on(
		"case=serve-70b level=senior seed=5 history=no", 50, 100, GLYPHS_LINES);
	e.app->keep_interview = keep_record;
	record[0] = '\0';
	cr_expect(explorer_shows(&e, "Nothing of this interview is kept"));
	explorer_press(&e, "Space");
	hear(&e, "#2");
	explorer_press(&e, "3 q q");
	cr_expect(eq(str, record, ""));
	explorer_end(&e);
}

/* Before a design is run the case's simulation opens as the facts are, and the clock of the phase stands in its corner. */
Test(interview_case, the_simulation_opens_before_a_design, .timeout = 60)
{
	struct explorer e = desk_at_case();
	explorer_press(&e, "Space n n s");
	cr_expect(not(explorer_shows(&e, "No simulation is about this.")));
	cr_expect(explorer_shows(&e, "Capacity plan"));
	const struct interviewer_times times = interviewer_times(interviewer_of(e.app), e.now_ms);
	char clock[32], shown[64];
	snprintf(shown, sizeof shown, "interview %s left",
		drill_clock_text(times.left_ms + 999, clock, sizeof clock));
	cr_expect(explorer_shows(&e, shown), "%s", shown);
	cr_expect(le(int, app_tick(e.app, e.now_ms), 1000));
	explorer_press(&e, "Esc");
	cr_expect(explorer_shows(&e, "3 of 5 Design"));
	explorer_press(&e, "Space");
	explorer_press(&e, "s");
	cr_expect(not(explorer_shows(&e, shown)));
	explorer_end(&e);
}

/* A design that met all is not outdone by a later one that does not: of serve-70b at seed 5 the budget is $26 an hour, and
 * an H100 costs $2.99 of it: 8 of them meet it and 12 do not. */
Test(interview_case, the_summary_has_the_best_design_and_the_last)
{
	struct explorer e = desk_at_case();
	const struct case_sitting *s = &interviewer_of(e.app)->at_case->sitting;
	char *text;
	size_t n;
	explorer_press(&e, "Space n n");
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	cr_assert(s->met[0]);
	hear(&e, "fleet=12");
	FILE *f = open_memstream(&text, &n);
	interviewer_case_result(interviewer_of(e.app)->at_case, f);
	fclose(f);
	cr_expect(
		strstr(text, "| before a twist: the best | 2 | 3 of 3 | gpu=h100 weight_dtype=fp8 "
			     "kv_dtype=fp8 tp=4 fleet=8 |\n"
			     "| the last |  | 2 of 3 | gpu=h100 weight_dtype=fp8 "
			     "kv_dtype=fp8 tp=4 fleet=12 |\n") != NULL,
		"%s", text);
	free(text);
	hear(&e, "fleet=8");
	f = open_memstream(&text, &n);
	interviewer_case_result(interviewer_of(e.app)->at_case, f);
	fclose(f);
	cr_expect(strstr(text, "| before a twist | 3 | 3 of 3 | gpu=h100") != NULL, "%s", text);
	free(text);
	explorer_end(&e);
}

/* What asks for help leaves nothing in the record, and says what is taken in that phase. */
Test(interview_case, help_says_in_a_line_what_is_taken)
{
	static const char *const words[] = { "?", "hint", "help", " help " };
	static const char *const takes[] = { "#3 (ticks fact 3", "2 26 GB", "gpu=...",
		"t once a twist is told", "a, then follow" };
	struct explorer e = desk_at_case();
	e.app->keep_interview = keep_record;
	explorer_press(&e, "Space");
	for (size_t phase = 0; phase < LENGTH(takes); phase++) {
		for (size_t i = 0; i < LENGTH(words); i++) {
			hear(&e, words[i]);
			expect_shown(&e, takes[phase]);
		}
		explorer_press(&e, "n");
	}
	cr_expect(strstr(record, "heard") == NULL, "%s", record);
	cr_expect(not(interviewer_case_has_heard(interviewer_of(e.app)->at_case)));
	/* A record of before has it: that line says nothing, and is no damage. */
	const struct interviewer_deed old = { .did = DID_HEAR, .text = "?" };
	explorer_press(&e, "p");
	cr_expect(interviewer_do(interviewer_of(e.app), &old, 0));
	cr_expect(not(interviewer_case_has_heard(interviewer_of(e.app)->at_case)));
	explorer_end(&e);
}

Test(interview_case, an_answer_leaves_with_its_phase)
{
	struct explorer e = desk_at_case();
	const struct interviewer_case *k = interviewer_of(e.app)->at_case;
	explorer_press(&e, "Space");
	hear(&e, "is it sunny today?");
	cr_expect(explorer_shows(&e, "Nothing on that"));
	explorer_press(&e, "n");
	cr_expect(not(explorer_shows(&e, "Nothing on that")));
	hear(&e, "2 0.4 GB");
	cr_expect(interviewer_case_answer(k, PHASE_ESTIMATE, 0) != NULL);
	for (int phase = 0; phase < N_CASE_PHASES; phase++)
		cr_expect(phase == PHASE_ESTIMATE ||
				  !interviewer_case_answer(k, (enum phase)phase, 0),
			"%s", case_phase_names[phase]);
	explorer_press(&e, "n");
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	cr_expect(interviewer_case_shows_last(k, PHASE_DESIGN));
	cr_expect(not(interviewer_case_shows_last(k, PHASE_DRILL)));
	cr_expect(interviewer_begun(interviewer_of(e.app), e.now_ms));
	explorer_end(&e);
}

/* What was said stands by phases with its minute: a design whole, and nothing that came to nothing. */
Test(interview_case, the_report_has_what_was_heard_by_phases)
{
	static const char *const has[] = { "**Heard in Clarify**",
		"- 1:00 **what is the load?**\n  - ", "- 1:00 **Is it sunny today?**",
		"**Heard in Design**",
		"- 2:00 **gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8**",
		"- 3:00 **gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=8 fleet=8**" };
	static const char *const has_not[] = { "hint", "**Heard in Estimate**", "nonsense", "99",
		"asked for #3", "\\=" };
	struct explorer e = desk_at_case();
	explorer_press(&e, "Space");
	pass(&e, MINUTE_MS);
	hear(&e, "what is the load?");
	hear(&e, "Is it sunny today?");
	hear(&e, "hint");
	hear(&e, "#3");
	hear(&e, "#3");
	explorer_press(&e, "n");
	hear(&e, "2 nonsense");
	explorer_press(&e, "n");
	pass(&e, MINUTE_MS);
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	pass(&e, MINUTE_MS);
	hear(&e, "tp=99");
	hear(&e, "tp=8");
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	interviewer_case_heard(interviewer_of(e.app)->at_case, f);
	fclose(f);
	const char *at = text;
	for (size_t i = 0; i < LENGTH(has); i++) {
		const char *found = strstr(at, has[i]);
		cr_assert(found != NULL, "no \"%s\" in:\n%s", has[i], text);
		at = found;
	}
	for (size_t i = 0; i < LENGTH(has_not); i++)
		cr_expect(strstr(text, has_not[i]) == NULL, "\"%s\" is in:\n%s", has_not[i], text);
	free(text);
	explorer_end(&e);
}

/* u: the sitting is as it was before the line, and then before the one in front of it; what the candidate typed
 * stays. */
Test(interview_case, lines_can_be_taken_back)
{
	struct explorer e = desk_at_case();
	struct interviewer *v = interviewer_of(e.app);
	const struct case_sitting *s = &v->at_case->sitting;
	e.app->keep_interview = keep_record;
	explorer_press(&e, "Space u");
	cr_expect(explorer_shows(&e, "There is no line to take back."));
	hear(&e, "#1");
	hear(&e, "what is the load?");
	explorer_press(&e, "u");
	cr_expect(explorer_shows(&e, "Taken back") && s->told[0] && !s->told[1]);
	cr_expect(zero(sz, s->asked));
	explorer_press(&e, "u");
	cr_expect(not(s->told[0]), "and the line before it");
	explorer_press(&e, "u");
	cr_expect(explorer_shows(&e, "There is no line to take back."));
	hear(&e, "#1");
	hear(&e, "#1");
	cr_expect(not(s->told[0]));
	explorer_press(&e, "u");
	cr_expect(s->told[0], "what a tick took back is there again");
	explorer_press(&e, "n");
	hear(&e, "1 71 GB");
	hear(&e, "1 140 GB");
	explorer_press(&e, "u");
	cr_expect(s->estimates[0].tries == 1 && s->estimates[0].best == ESTIMATE_EXACT);
	explorer_press(&e, "n");
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	cr_expect(eq(sz, s->runs[0], 1));
	explorer_press(&e, "n u p");
	cr_expect(s->runs[0] == 0 && !s->met[0] && !v->at_case->talk.has_run);
	cr_expect(eq(int, (int)s->phase, CASE_DESIGN), "the desk stays where it is");
	explorer_press(&e, "q");
	replay_and_compare(&e);
	interviewer_case_hear(v->at_case, PHASE_ESTIMATE, "estimate 1 140 GB", true, 1000);
	cr_expect(not(interviewer_case_unhear(v->at_case)));
	explorer_end(&e);
}

/* "#7 #9" ticks both, and each can be taken back. */
Test(interview_case, several_facts_are_ticked_in_a_line)
{
	struct explorer e = desk_at_case();
	const bool *told = interviewer_of(e.app)->at_case->sitting.told;
	e.app->keep_interview = keep_record;
	explorer_press(&e, "Space");
	hear(&e, "#7, #9 and #2");
	cr_expect(told[6] && told[8] && told[1] && !told[0]);
	hear(&e, "#9 #1");
	cr_expect(told[6] && !told[8] && told[1] && told[0], "what is told is unticked");
	hear(&e, "#3 is the length?");
	cr_expect(not(told[2]), "a question is none");
	explorer_press(&e, "u u u");
	cr_expect(told[6] && told[8] && told[1] && !told[0]);
	explorer_press(&e, "u");
	cr_expect(not(told[6] || told[8] || told[1]), "they were one line");
	hear(&e, "#2 #2 #9");
	cr_expect(told[1] && told[8], "named twice it is ticked once");
	const struct interviewer_case *k = interviewer_of(e.app)->at_case;
	const struct case_paragraph *first = interviewer_case_answer(k, PHASE_CLARIFY, 0),
				    *second = interviewer_case_answer(k, PHASE_CLARIFY, 1);
	cr_assert(first && second && !interviewer_case_answer(k, PHASE_CLARIFY, 2));
	cr_expect(strstr(first->text, k->c.facts[1].name) != NULL, "%s", first->text);
	cr_expect(strstr(second->text, k->c.facts[8].name) != NULL, "%s", second->text);
	hear(&e, "#9");
	hear(&e, "#2 #2");
	cr_expect(not(told[1] || told[8]));
	hear(&e, "#4");
	explorer_press(&e, "q");
	replay_and_compare(&e);
	explorer_end(&e);
}

/* A name that was forgotten when the desk was opened is given there, before its clock runs or after it. */
Test(interview_case, the_candidates_name_is_given_at_the_desk)
{
	struct explorer e = desk_at_case();
	struct interviewer_head head;
	e.app->keep_interview = keep_record;
	cr_expect(explorer_shows(&e, "N takes the candidate's name"));
	explorer_press(&e, "N A d a Enter");
	cr_expect(explorer_shows(&e, "Interview of Ada:"));
	cr_expect(eq(str, record, ""), "a name alone leaves no record");
	explorer_press(&e, "Space");
	cr_assert(interviewer_head_read(record, &head));
	cr_expect(eq(str, head.candidate, "Ada"));
	explorer_press(&e, "N Backspace y Enter");
	cr_assert(interviewer_head_read(record, &head));
	cr_expect(eq(str, head.candidate, "Ady"));
	explorer_press(&e, "q");
	replay_and_compare(&e);
	explorer_end(&e);
}

/* Of a name no part of a letter is kept, nor blanks around it: "é" has two bytes. */
Test(interview_case, a_name_is_kept_whole)
{
	char buf[5];
	cr_expect(eq(str, interviewer_name(buf, sizeof buf, " Ada "), (char *)"Ada"));
	cr_expect(eq(str, interviewer_name(buf, sizeof buf, "Zoé"), (char *)"Zoé"));
	cr_expect(eq(str, interviewer_name(buf, sizeof buf, "Renée"), (char *)"Ren"));
	cr_expect(eq(str, interviewer_name(buf, sizeof buf, "A\nB"), (char *)"A B"));
	cr_expect(eq(str, interviewer_name(buf, sizeof buf, " \t "), (char *)""));
}

/* 29 letters: beside the code a narrow window has no room for all of them, and a wide one has. */
Test(interview_case, a_long_name_is_cut_only_where_it_must_be)
{
	static const char name[] = "Zoé Josefa-Renée von Lovelace";
	for (int wide = 0; wide < 2; wide++) {
		struct explorer e = interviewer_on(
			"case=serve-70b level=senior seed=5", 24, wide ? 110 : 80, GLYPHS_LINES);
		struct interviewer *v = interviewer_of(e.app);
		snprintf(v->candidate, sizeof v->candidate, "%s", name);
		explorer_press(&e, "Space");
		char *screen = explorer_text(&e);
		cr_expect(eq(int, strstr(screen, name) != NULL, wide), "%s", screen);
		cr_expect(eq(int, strstr(screen, "…: do not share") == NULL, wide), "%s", screen);
		cr_expect(strstr(screen, "Interview of Zoé Josefa") != NULL, "%s", screen);
		cr_expect(strstr(screen, v->request.code) != NULL, "%s", screen);
		cr_expect(strstr(screen, "release lugi") != NULL, "%s", screen);
		free(screen);
		explorer_end(&e);
	}
}

/* Whether as many cells as a text has stand reversed in its row, and side by side. */
static bool is_reversed(const struct explorer *e, const char *text)
{
	struct canvas cv = explorer_draw(e);
	const int row = explorer_row_of(e, text);
	int in_a_row = 0, most = 0;
	for (int col = 0; row >= 0 && col < cv.cols; col++) {
		const bool is = (cv.cells[row * cv.cols + col].attr & ATTR_REVERSE) != 0;
		in_a_row = is ? in_a_row + 1 : 0;
		most = in_a_row > most ? in_a_row : most;
	}
	canvas_release(&cv);
	return most >= (int)strlen(text);
}

/* A clock that was begun and stands is loud; one that was not begun is not. */
Test(interview_case, a_clock_that_stands_is_not_overlooked)
{
	static const char paused[] = "PAUSED: the clock stands";
	static const int cols[] = { 80, 100, 160 };
	for (size_t i = 0; i < LENGTH(cols); i++) {
		struct explorer e = interviewer_on(
			"case=serve-70b level=senior seed=5", 40, cols[i], GLYPHS_LINES);
		explorer_press(&e, "n");
		cr_expect(not(explorer_shows(&e, paused)));
		explorer_press(&e, "Space");
		pass(&e, 1000);
		cr_expect(not(explorer_shows(&e, paused)));
		explorer_press(&e, "Space");
		cr_expect(explorer_shows(&e, paused) && is_reversed(&e, paused), "%d", cols[i]);
		explorer_press(&e, "q");
		cr_expect(not(explorer_shows(&e, paused)));
		explorer_end(&e);
	}
}

/* Seven, eight, seven, nine and fourteen: both sides say the same whole minutes, which are 45 in all. */
Test(interview_case, both_sides_say_the_same_minutes)
{
	struct explorer e = narrow_desk();
	const struct interviewer *v = interviewer_of(e.app);
	explorer_press(&e, "Space");
	const struct interviewer_times times = interviewer_times(v, e.now_ms);
	long all = 0;
	for (int i = 0; i < N_CASE_PHASES; i++) {
		all += times.minutes[i];
		cr_expect(eq(long, times.minutes[i],
			case_first_minutes(&v->at_case->sitting, (enum case_phase)i)));
	}
	cr_expect(eq(long, all, 45));
	explorer_end(&e);
	/* And of problems: five shares of 45 minutes. */
	e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	const struct interviewer_times problems =
		interviewer_times(interviewer_of(e.app), e.now_ms);
	all = 0;
	for (int i = 0; i < N_INTERVIEW_PHASES; i++)
		all += problems.minutes[i];
	cr_expect(eq(long, all, 45));
	explorer_end(&e);
}

/* What a candidate decides has its names before what is looked up, and what asks deeper too. */
Test(interview_case, the_guide_names_knobs_and_words)
{
	struct explorer e = narrow_desk();
	const struct case_room room = { .cols = 92 };
	char *design = phase_guide(&e, PHASE_DESIGN, room);
	const char *names = strstr(
			   design, "Knobs: `gpu`, `weight_dtype`, `kv_dtype`, `tp`, `fleet`."),
		   *known = strstr(design, "A design that meets the goals:** GPU h100, weights");
	cr_expect(names && known && names < known, "%s", design);
	char *wrap_up = phase_guide(&e, PHASE_WRAP_UP, room);
	cr_expect(strstr(wrap_up, "**a** then `follow`: next question") != NULL, "%s", wrap_up);
	explorer_end(&e);
}

/* Both sides share their minutes by one rule: Clarify ended at once leaves the same for Estimate. The work
 * of serve-70b for a senior is shared by drills/case_plan.h, with the twist at 22 minutes. */
Test(interview_case, both_clocks_agree)
{
	struct explorer e = narrow_desk();
	const struct interviewer *v = interviewer_of(e.app);
	sit_held();
	explorer_press(&e, "Space n");
	case_talk_line(&talk, "next", 0);
	for (int64_t ms = 0; ms <= 30 * CASE_MINUTE_MS; ms += 7 * CASE_MINUTE_MS + 1000) {
		const struct sitting_plan theirs = case_plan_of(&sitting, ms);
		const struct interviewer_times ours = interviewer_times(v, e.now_ms + ms);
		const int64_t left_ms =
			theirs.over_ms ? -theirs.over_ms : theirs.to_ms[CASE_ESTIMATE] - ms;
		cr_expect(eq(i64, ours.left_ms, left_ms), "at %lld", (long long)ms);
		cr_expect(eq(i64, ours.planned_ms[CASE_DESIGN],
			theirs.to_ms[CASE_DESIGN] - theirs.from_ms[CASE_DESIGN]));
	}
	/* Back in Clarify it is as if that had not ended. */
	explorer_press(&e, "[");
	const struct sitting_plan fresh = case_plan_of(&v->at_case->sitting, 0);
	cr_expect(eq(i64, interviewer_times(v, e.now_ms).left_ms, fresh.to_ms[CASE_CLARIFY]));
	leave_held();
	explorer_end(&e);
}

/* What the candidate typed leads them on, and the desk nowhere; a design of theirs leaves the page of
 * Estimate as it is, where the number has its verdict beside its question. */
Test(interview_case, the_desk_says_where_the_candidate_is)
{
	struct explorer e = narrow_desk();
	struct interviewer *v = interviewer_of(e.app);
	explorer_press(&e, "Space n");
	interviewer_case_hear(v->at_case, PHASE_ESTIMATE, "estimate 1 140 GB", true, 1000);
	cr_expect(eq(int, (int)v->at_case->theirs.phase, CASE_ESTIMATE));
	cr_expect(explorer_shows(&e, "candidate: 140 GB: off"));
	interviewer_case_hear(v->at_case, PHASE_ESTIMATE,
		"design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8", true, 2000);
	cr_expect(eq(int, (int)v->at_case->theirs.phase, CASE_DESIGN));
	cr_expect(eq(int, (int)v->at_case->sitting.phase, CASE_ESTIMATE));
	cr_expect(explorer_shows(&e, "▸Estimate "));
	cr_expect(explorer_shows(&e, "(candidate)"));
	cr_expect(explorer_shows(&e, "candidate: 3 of 3 goals met."));
	cr_expect(not(explorer_shows(&e, "[x] the GPUs of the peak")));
	cr_expect(explorer_shows(&e, "Heard: 140 GB, off."));
	interviewer_case_hear(v->at_case, PHASE_ESTIMATE, "next", true, 3000);
	cr_expect(eq(int, (int)v->at_case->theirs.phase, CASE_TWIST));
	interviewer_case_hear(v->at_case, PHASE_ESTIMATE, "end", true, 3000);
	cr_expect(eq(int, (int)v->at_case->theirs.phase, CASE_TWIST));
	/* On its own page it stands whole, and once. */
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "the GPUs of the peak"));
	cr_expect(not(explorer_shows(&e, "candidate: 3 of 3 goals met.")));
	explorer_end(&e);
}

/* What a candidate typed is judged as their own side judges it: by the twists that were typed there, from the design
 * that was typed before. What the desk heard in between, and whether a twist was told there, is no matter: the 12 GPUs that were
 * heard were never typed. */
static void judge_both(const char *told_at_the_desk)
{
	const struct {
		const char *heard, *typed;
	} lines[] = { { NULL, "next" }, { NULL, "next" },
		{ NULL, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16" },
		{ "fleet=12 tp=2", "kv_dtype=bf16" }, { NULL, "next" },
		{ told_at_the_desk, "tp=8" }, { NULL, "twist" },
		{ told_at_the_desk ? "fleet=12" : NULL, "run" }, { NULL, "fleet=24" } };
	struct explorer e = desk_at_case();
	struct interviewer_case *k = interviewer_of(e.app)->at_case;
	sit_held();
	explorer_press(&e, "Space n n");
	for (size_t i = 0; i < LENGTH(lines); i++) {
		if (lines[i].heard)
			interviewer_case_hear(k, PHASE_DRILL, lines[i].heard, false, 1000);
		case_talk_line(&talk, lines[i].typed, 1000);
		interviewer_case_hear(k, PHASE_DRILL, lines[i].typed, true, 1000);
	}
	release_held(2000);
	/* Who answers a twist was told it. */
	cr_expect(eq(sz, k->sitting.stage, 1));
	/* Three were typed before the twist, and two after it; one was heard before it. */
	cr_expect(eq(sz, sitting.runs[0], 3));
	cr_expect(eq(sz, sitting.runs[1], 2));
	cr_expect(eq(sz, k->sitting.runs[0], 4));
	cr_expect(eq(sz, k->sitting.runs[1], told_at_the_desk ? 3 : 2));
	for (size_t i = 0; i <= 1; i++) {
		cr_assert(sitting.last_design[i] && k->sitting.last_design[i]);
		cr_expect(eq(sz, k->sitting.last_n_met[i], sitting.last_n_met[i]));
		cr_expect(
			eq(str, (char *)k->sitting.last_design[i], (char *)sitting.last_design[i]));
	}
	leave_held();
	explorer_end(&e);
}

Test(interview_case, both_sides_judge_what_was_typed_alike)
{
	judge_both("twist");
	judge_both(NULL);
}

Test(interview_case, its_record_is_the_same_interview_again)
{
	struct explorer e = start(32, 100, GLYPHS_LINES);
	e.app->keep_interview = keep_record;
	cr_assert(explorer_open(&e, "interviewer case=serve-70b level=senior seed=5 name=Ada"));
	explorer_press(&e, "Space Space");
	hear(&e, "what is the load?");
	explorer_press(&e, "]");
	hear(&e, "2 0.4 GB");
	explorer_press(&e, "e g o o d Enter 4 ]");
	hear(&e, "gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=8 fleet=8");
	explorer_press(&e, "]");
	hear(&e, "twist");
	explorer_press(&e, "q 3");
	replay_and_compare(&e);
	explorer_end(&e);
}

/* --- two terminals, killed and resumed --------------------------------------------------- */

static const char code[] = "EDCT-A1D5-V"; /* serve-70b, senior, 45 minutes, seed 5 */

/* The candidate's terminal and the interviewer's, which keep their records in one folder. */
struct two {
	struct pty c, i;
	char folder[40], data[64];
};

static void start_two(struct two *t, const char *i_shows, const char *c_shows)
{
	static const char *const candidate[] = { "drill", "--code", code, NULL };
	static const char *const interviewer[] = { "drill", "--interviewer", "--code", code, NULL };
	const char *const environment[] = { t->data, NULL };
	pty_start(&t->i, 32, 100, interviewer, environment);
	cr_assert(pty_shows(&t->i, i_shows));
	pty_start(&t->c, 32, 100, candidate, environment);
	cr_assert(pty_shows(&t->c, c_shows));
	pty_send(&t->i, " ");
	pty_send(&t->c, "\r");
}

/* As if both machines lost their power: what is being typed is lost. */
static void kill_two(struct two *t)
{
	pty_send(&t->c, "half a li");
	pty_send(&t->i, "ehalf a no");
	kill(t->c.program, SIGKILL);
	kill(t->i.program, SIGKILL);
	pty_wait(&t->c);
	pty_wait(&t->i);
	pty_free(&t->c);
	pty_free(&t->i);
}

/* One types, and the desk shows what comes of it. */
static void desk_shows(struct two *t, struct pty *typist, const char *keys, const char *text)
{
	pty_send(typist, keys);
	cr_expect(pty_shows(&t->i, text), "%s: %s", keys, text);
}

static void candidate_shows(struct two *t, const char *line, const char *text)
{
	pty_send(&t->c, line);
	cr_expect(pty_shows(&t->c, text), "%s: %s", line, text);
}

/* What `ridge interviews 1 OPTION` prints about the folder, each run of blanks and ends of lines as one blank. */
static char *printed_record(const struct two *t, const char *option, char *buf, size_t size)
{
	char command[200];
	size_t n = 0;
	snprintf(command, sizeof command, "%s $RIDGE interviews 1 %s", t->data, option);
	FILE *f = popen(command, "r");
	cr_assert(ne(ptr, f, NULL));
	for (int c; n + 1 < size && (c = fgetc(f)) != EOF;) {
		bool blank = c == ' ' || c == '\n' || c == '\t';
		if (!blank || (n > 0 && buf[n - 1] != ' '))
			buf[n++] = blank ? ' ' : (char)c;
	}
	buf[n] = '\0';
	cr_expect(zero(int, pclose(f)));
	return buf;
}

static void play_clarify(struct two *t)
{
	desk_shows(t, &t->i, "awhat is the load?\r", "[x] #2 the load at the peak");
	desk_shows(t, &t->i, "ahow long are the prompts?\r", "[x] #3 the length of prompts");
	desk_shows(t, &t->i, "a#9\r", "[x] #9 the budget");
	desk_shows(t, &t->i, "egood start\r", "Noted at");
	pty_send(&t->i, "3");
}

static void play_estimate(struct two *t)
{
	desk_shows(t, &t->i, "n", "2 of 5 Estimate");
	pty_send(&t->c, "next\r");
	candidate_shows(t, "estimate 1 140 GB\r", "Your interviewer knows");
	/* It comes to the desk by itself, with its verdict. */
	cr_expect(pty_shows(&t->i, "140 GB: off: two bytes a parameter"));
	desk_shows(t, &t->c, "estimate 2 377 MB\r", "377 MB");
	pty_send(&t->i, "2");
}

static void play_design(struct two *t)
{
	desk_shows(t, &t->i, "n", "3 of 5 Design");
	pty_send(&t->c, "next\r");
	candidate_shows(t, "design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8\r",
		"sees what it comes to");
	cr_expect(pty_shows(&t->i, "3 of 3 goals met"));
	pty_send(&t->i, "4");
}

static void begin_twist(struct two *t)
{
	desk_shows(t, &t->i, "n", "4 of 5 Twist");
	desk_shows(t, &t->i, "t", "told");
	candidate_shows(t, "next\r", "When your interviewer has told a twist");
	candidate_shows(t, "twist\r", "Product adds retrieval");
	desk_shows(t, &t->i, "asay prompts grew and decoding did not\r", "Noted.");
}

static void end_twist(struct two *t)
{
	candidate_shows(t, "design fleet=20\r", "sees what it comes to");
	/* A key would be dropped while the desk runs it. */
	cr_expect(pty_shows(&t->i, "tp=4 fleet=20"));
	pty_send(&t->i, "3");
}

static void play_wrap_up(struct two *t)
{
	desk_shows(t, &t->i, "n", "5 of 5 Wrap-up");
	desk_shows(t, &t->i, "afollow\r", "A replica dies at the peak");
	desk_shows(t, &t->i, "asay I count reserve in replicas\r", "Noted.");
	pty_send(&t->i, "2");
	candidate_shows(t, "next\r", "5 of 5 Wrap-up");
	candidate_shows(t, "release lugi\r", "What it came to");
	cr_expect(pty_shows(&t->c, "Goals: 3 of 3 met"));
}

/* All that both of them did, before each kill and after it, and nothing that was half typed. */
static void expect_record(const struct two *t)
{
	static const char *const printed[] = { "All goals were met, before the twist and after it",
		"1 of 3 numbers was right", "3 of the 7 facts that decide were asked for",
		"Marks: 1 strong yes, 2 yes, 2 no", "good start", "what is the load?",
		"how long are the prompts?", "asked for #9", "weights 140 GB off 70.6 GB",
		"cache 377 MB exact", "before a twist 1 3 of 3", "after twist 1 1 3 of 3",
		"Twist 1: Product adds retrieval", "say prompts grew and decoding did not",
		"A replica dies at the peak", "say I count reserve in replicas" };
	static const char *const json[] = { "\"case\": \"serve-70b\"", "\"mark\": 4, \"case\"",
		"\"told\": [\"load\", \"prompt\", \"budget\"]",
		"\"phase\": \"Clarify\", \"mark\": 3", "\"phase\": \"Estimate\", \"mark\": 2",
		"\"phase\": \"Design\", \"mark\": 4", "\"phase\": \"Twist\", \"mark\": 3",
		"\"phase\": \"Wrap-up\", \"mark\": 2" };
	char text[16000];
	printed_record(t, "", text, sizeof text);
	for (size_t i = 0; i < LENGTH(printed); i++)
		cr_expect(strstr(text, printed[i]) != NULL, "%s: %s", printed[i], text);
	cr_expect(eq(ptr, strstr(text, "half a"), NULL), "%s", text);
	printed_record(t, "--json", text, sizeof text);
	for (size_t i = 0; i < LENGTH(json); i++)
		cr_expect(strstr(text, json[i]) != NULL, "%s: %s", json[i], text);
}

/* An interview as two people play it, from the first question to the last: killed in Estimate and in the
 * twist. */
Test(interview_case, two_terminals_lose_nothing_when_they_are_killed, .description = "long",
	.timeout = 240)
{
	struct two t = { .folder = "/tmp/ridge-interview-XXXXXX" };
	char command[200];
	cr_assert(mkdtemp(t.folder) != NULL);
	snprintf(t.data, sizeof t.data, "XDG_DATA_HOME=%s", t.folder);
	start_two(&t, "1 of 5 Clarify", "Enter starts the clock");
	play_clarify(&t);
	play_estimate(&t);
	kill_two(&t);

	/* Meanwhile the candidate sat another case of that name alone. */
	snprintf(command, sizeof command,
		"printf 'what is the load?\\nquit\\n' | %s $RIDGE case serve-70b --new > /dev/null",
		t.data);
	cr_expect(zero(int, system(command)));
	start_two(&t, "goes on where it was", "Enter goes on there");
	cr_expect(pty_shows(&t.c, "> estimate 2 377 MB") && pty_hides(&t.c, "half a li"));
	play_design(&t);
	begin_twist(&t);
	kill_two(&t);

	start_two(&t, "goes on where it was", "Enter goes on there");
	cr_expect(pty_shows(&t.c, "Product adds retrieval") && pty_hides(&t.c, "half a li"));
	cr_expect(pty_shows(&t.i, "4 of 5 Twist") && pty_hides(&t.i, "half a no"));
	end_twist(&t);
	play_wrap_up(&t);
	pty_send(&t.i, "q4q");
	cr_expect(eq(int, pty_wait(&t.i), 0));
	pty_send(&t.c, "\003");
	cr_expect(eq(int, pty_wait(&t.c), 0));
	pty_free(&t.c);
	pty_free(&t.i);
	expect_record(&t);
	snprintf(command, sizeof command, "rm -r %s", t.folder);
	cr_expect(zero(int, system(command)));
}

/* The row of marks says what the phase has come to: by hand, 10 facts of which 7 must be told, three
 * numbers, three goals. */
Test(interview_case, counts_what_was_told_and_what_counts)
{
	struct explorer e = interviewer_on("code=EDCT-A9D7-N", 24, 80, GLYPHS_LINES);
	expect_shown(&e, "0 of the 7 that decide told, 7 to go");
	explorer_press(&e, "Space a");
	explorer_type(&e, "#1");
	explorer_press(&e, "Enter");
	struct interviewer_case *k = interviewer_of(e.app)->at_case;
	char text[80];
	cr_expect(eq(str, interviewer_case_count(k, PHASE_CLARIFY, text, sizeof text),
		"1 of the 7 that decide told, 6 to go"));
	cr_expect(eq(str, interviewer_case_count(k, PHASE_ESTIMATE, text, sizeof text),
		"0 of 3 numbers count"));
	cr_expect(eq(str, interviewer_case_count(k, PHASE_DESIGN, text, sizeof text), ""),
		"nothing was designed yet");
	explorer_end(&e);
}
