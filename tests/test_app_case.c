/* Design cases in the explorer: the list, a sitting by its keys, the knobs, the clock, and one that was
 * cut off. */
#include "tests/explorer.h"

#include "drills/case_plan.h"
#include "sims/base/array.h"
#include "ui/screens/case/case_layout.h"
#include "ui/screens/case/case_side.h"
#include "ui/screens/case/case_state.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* --- A record in memory --- */

static char kept[16384], kept_name[CASE_RECORD_NAME_SIZE];

static int keep_case(const char *name, const char *line, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	snprintf(kept_name, sizeof kept_name, "%s", name);
	if (strlen(kept) + strlen(line) < sizeof kept)
		strcat(kept, line);
	return 0;
}

static char *load_case(const char *id, size_t newer, char *name)
{
	snprintf(name, CASE_RECORD_NAME_SIZE, "%s", kept_name);
	return newer == 0 && strstr(kept_name, id) ? strdup(kept) : NULL;
}

static struct explorer start(int rows, int cols)
{
	struct explorer e = explorer_start(rows, cols, GLYPHS_BRAILLE);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	e.app->keep_case = keep_case;
	e.app->load_case = load_case;
	return e;
}

/* Past the first page, where the clock starts. */
static void sit(struct explorer *e, const char *target)
{
	cr_assert(explorer_open(e, target));
	cr_assert(eq(int, (int)case_where(case_seen(e->app)), CASE_READY));
	explorer_press(e, "Enter");
}

static void say(struct explorer *e, const char *line)
{
	explorer_type(e, line);
	explorer_press(e, "Enter");
}

static void pass(struct explorer *e, int64_t ms)
{
	e->now_ms += ms;
	app_tick(e->app, e->now_ms);
	app_settle(e->app);
}

static void expect_shown(const struct explorer *e, const char *part, int line)
{
	char *text = explorer_text(e);
	cr_expect(strstr(text, part) != NULL, "line %d: no \"%s\" in:\n%s", line, part, text);
	free(text);
}
#define shows(e, part) expect_shown(e, part, __LINE__)

static void hides(const struct explorer *e, const char *part)
{
	char *text = explorer_text(e);
	cr_expect(strstr(text, part) == NULL, "\"%s\" in:\n%s", part, text);
	free(text);
}

/* --- The list --- */

/* Puts the cursor, which stands above it, on the row of the list that begins so. */
static void choose(struct explorer *e, const char *row)
{
	char marked[100];
	snprintf(marked, sizeof marked, "▸ %s", row);
	for (size_t n = case_seen(e->app)->list.n; n > 1 && !explorer_shows(e, marked); n--)
		explorer_press(e, "Down");
	cr_assert(explorer_shows(e, marked), "no case \"%s\"", row);
}

/* Minutes by the one rule of all cases (test_cases.c): scale-to-64 holds 28.75 for a senior, and 35.75 for
 * staff. */
Test(app_case, is_chosen_from_a_list)
{
	struct explorer e = start(48, 80); /* with room for every case */
	cr_assert(explorer_open(&e, "case"));
	shows(&e, "level  [senior]");
	/* By subject, cost before driving, and in it by title. */
	shows(&e, "Cost  the same for less money");
	shows(&e, "▸ Halve this bill ");
	const int cost = explorer_row_of(&e, "Move to another GPU"),
		  driving = explorer_row_of(&e, "Driving  ");
	cr_expect(lt(int, cost, driving));
	choose(&e, "64 GPUs should be");
	shows(&e, "36 min of work");
	explorer_press(&e, "l l");
	shows(&e, " staff [principal]");
	shows(&e, "41 min of work");
	explorer_press(&e, "g Down Up");
	shows(&e, "higher levels: more twists");
	explorer_press(&e, "Enter");
	shows(&e, "Enter starts.");
	explorer_press(&e, "Enter");
	shows(&e, "Design cases › Halve this bill");
	shows(&e, "principal, seed 0");
	shows(&e, "1 of 5 Clarify");
	explorer_press(&e, "Esc");
	shows(&e, "level");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* A click chooses, a second one begins; heads and what stands around the list are no cases. */
Test(app_case, is_chosen_with_the_mouse)
{
	struct explorer e = start(48, 80);
	cr_assert(explorer_open(&e, "case"));
	const struct case_view *v = case_seen(e.app);
	const int row = explorer_row_of(&e, "Move to another GPU"),
		  head = explorer_row_of(&e, "Driving  ");
	cr_assert(row > 0 && head > 0);
	app_click(e.app, row, 10);
	cr_expect(eq(str, (char *)v->list.cases[v->row].id, "move-to-another-gpu"));
	const size_t chosen = v->row;
	app_click(e.app, head, 10);
	app_click(e.app, 1, 10);
	app_click(e.app, 47, 10);
	cr_expect(eq(sz, v->row, chosen));
	cr_expect(eq(int, (int)case_where(v), CASE_CHOOSING));
	app_click(e.app, explorer_row_of(&e, "Move to another GPU"), 10);
	cr_expect(eq(int, (int)case_where(v), CASE_READY));
	cr_expect(eq(str, (char *)v->c.id, "move-to-another-gpu"));
	explorer_end(&e);
}

/* From another case the way back leads to the first, which is dealt again as it was. */
Test(app_case, a_case_comes_back_behind_another)
{
	struct explorer e = start(30, 100);
	sit(&e, "case:gradients-over-ethernet seed=7 level=staff");
	say(&e, "How many GPUs are there?");
	cr_assert(explorer_open(&e, "case:one-server seed=3"));
	cr_expect(eq(str, (char *)case_seen(e.app)->c.id, "one-server"));
	app_go_back(e.app);
	app_settle(e.app);
	cr_assert(eq(int, e.app->screen, SCREEN_CASE));
	cr_expect(eq(str, (char *)case_seen(e.app)->c.id, "gradients-over-ethernet"));
	cr_expect(eq(u64, case_seen(e.app)->sitting.deal.seed, 7));
	explorer_end(&e);
}

/* What kind of case it is, and nothing that the interviewer says: who read that before the clock starts would have
 * all the time that there is for the first question. */
Test(app_case, the_list_says_what_kind_a_case_is)
{
	for (int wide = 0; wide < 2; wide++) {
		struct explorer e = start(32, wide ? 100 : 80);
		cr_assert(explorer_open(&e, "case"));
		choose(&e, "Serve a 70B assistant");
		hides(&e, "We are about to launch");
		shows(&e, "A case of serving: answers for users");
		shows(&e, "Judged by the simulation ");
		shows(&e, wide ? " on a clock of 45. The clock" : "facts decide · 3 numbers");
		explorer_press(&e, "g");
		shows(&e, "more: PgDn");
		explorer_end(&e);
	}
}

/* The row that is chosen is in sight in any window, and a click on a title chooses it. */
Test(app_case, keeps_the_chosen_case_in_sight)
{
	static const int sizes[][2] = { { 12, 60 }, { 24, 80 }, { 32, 100 }, { 48, 160 } };
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct explorer e = start(sizes[i][0], sizes[i][1]);
		cr_assert(explorer_open(&e, "case"));
		const struct case_view *v = case_seen(e.app);
		for (size_t row = 0; row < v->list.n; row++) {
			char title[100];
			snprintf(title, sizeof title, "▸ %s", v->list.cases[row].title);
			shows(&e, title);
			explorer_press(&e, "Down");
		}
		explorer_end(&e);
	}
}

Test(app_case, is_found_in_the_palette)
{
	struct explorer e = start(24, 80);
	explorer_press(&e, ":");
	explorer_type(&e, "serve 70b");
	shows(&e, "Serve a 70B assistant");
	explorer_press(&e, "Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_CASE));
	cr_expect(strcmp(case_seen(e.app)->wish.id, "serve-70b") == 0);
	explorer_end(&e);
}

/* As a page and a simulation are: `ridge open serve-70b`. */
Test(app_case, is_opened_by_its_name)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "serve-70b level=senior"));
	cr_expect(eq(int, e.app->screen, SCREEN_CASE));
	cr_expect(zero(strcmp(case_seen(e.app)->wish.id, "serve-70b")));
	explorer_end(&e);
}

Test(app_case, takes_a_length)
{
	struct explorer e = start(24, 80);
	sit(&e, "case 200-ms-to-50 minutes=30");
	shows(&e, "0:00 of 30:00");
	explorer_end(&e);
}

Test(app_case, refuses_what_is_no_case)
{
	static const struct {
		const char *target, *says;
	} rows[] = {
		{ "case:serve-71b", "did you mean \"serve-70b\"" },
		{ "case serve-70b level=junior", "expected senior, staff or principal" },
		{ "case serve-70b size=4",
			"expected a case, level=LEVEL, seed=N, minutes=10 to 180" },
		{ "case serve-70b minutes=5", "minutes=10 to 180" },
		{ "case serve-70b another", "found \"another\"" },
	};
	struct explorer e = start(24, 80);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char err[400] = "";
		cr_expect(ne(int, app_open_target(e.app, rows[i].target, err, sizeof err), 0));
		cr_expect(strstr(err, rows[i].says) != NULL, "%s: %s", rows[i].target, err);
	}
	explorer_end(&e);
}

/* --- A sitting --- */

/* 16 cameras and 6 m as in test_case_talk.c: seed 1 deals them. */
Test(app_case, is_sat_by_its_keys)
{
	struct explorer e = start(32, 100);
	sit(&e, "case 200-ms-to-50 seed=1");
	shows(&e, "Our cars plan on pictures");
	shows(&e, "You know nothing yet. Ask.");
	shows(&e, "1 blind");
	pass(&e, 20000);
	say(&e, "How many cameras are there?");
	shows(&e, "> How many cameras are there?");
	shows(&e, "16 are mounted");
	shows(&e, "Told so far");
	shows(&e, "0:20 of 45:00");
	say(&e, "estimate blind 6 m");
	shows(&e, "2 of 5 Estimate");
	shows(&e, "right, 4.1 % off"); /* of 6.26 m */
	/* The knobs: none is decided, and there is no figure. */
	explorer_press(&e, "Tab");
	shows(&e, "Your knobs  l sets one that is open");
	shows(&e, "You have not asked for the facts that decide");
	say(&e, ""); /* nothing to say */
	cr_expect(case_where(case_seen(e.app)) == CASE_AT_DESK);
	explorer_press(&e, "Tab");
	say(&e, "design platform=orin cameras=11 tensorrt=on backbone_sharing=on");
	shows(&e, "What it does not say stays as it is today.");
	say(&e, "design temporal_fusion=off sparse=off pipelined=off");
	shows(&e, "Goals: 4 of 4 met");
	shows(&e, "3 of 5 Design");
	/* Six steps down, to the fewest cameras: what is seen so is no design before it is said. */
	explorer_press(&e, "Tab Down h h h h h h");
	shows(&e, "‹ 6 ›");
	shows(&e, "cameras: 6 is the last one");
	explorer_end(&e);
}

/* What is decided stands beside the talk, or above it, and all that is not is named at once. */
Test(app_case, keeps_the_design_in_sight)
{
	static const struct {
		int rows, cols;
		const char *kept;
	} rows[] = { { 32, 100, "tensor parallel    1  2 [4] 8" },
		{ 24, 80, "GPU h100, tensor parallel 4, GPUs you have 16; weights? KV cache?" } };
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct explorer e = start(rows[i].rows, rows[i].cols);
		sit(&e, "case serve-70b seed=7 new=yes");
		say(&e, "Which model is it?");
		say(&e, "gpu=h100 tp=4 fleet=16");
		shows(&e, rows[i].kept);
		shows(&e, "Still open: weights, KV cache.");
		say(&e, "end");
		shows(&e, "Design: no design was run.");
		shows(&e, "Twist: passed over.");
		/* Another deal of the same case. */
		shows(&e, rows[i].cols < 100 ? "again: other numbers"
					     : "again · mark clarify 3 · quit");
		say(&e, "help");
		explorer_press(&e, "PgDn");
		shows(&e, "again: the same case");
		say(&e, " Again ");
		cr_expect(case_where(case_seen(e.app)) == CASE_READY);
		explorer_end(&e);
	}
}

/* In one place of the screen, and no more. */
static void shows_once(const struct explorer *e, const char *part)
{
	char *text = explorer_text(e);
	const char *first = strstr(text, part);
	cr_expect(first && !strstr(first + 1, part), "\"%s\" once in:\n%s", part, text);
	free(text);
}

/* What is asked next stands over the line, and beside the talk are the others: the talk does not
 * say them again. */
Test(app_case, asks_for_a_number_once)
{
	struct explorer e = start(32, 100);
	sit(&e, "case serve-70b seed=7");
	say(&e, "next");
	shows(&e, "3 numbers, in any order: weights, cache, at once.");
	shows(&e, "Numbers to estimate");
	shows_once(&e, "How much memory");
	shows_once(&e, "How large is the cache");
	explorer_end(&e);
	e = start(24, 80);
	sit(&e, "case serve-70b seed=7 new=yes");
	say(&e, "next");
	shows_once(&e, "1 weights: How much");
	explorer_end(&e);
}

/* Seed 1 asks for 10 cameras in 8 or 9 weeks, and after the twist for 14 in 24 (the fields of the
 * case). While the simulation has not said what the design comes to then, its verdicts of before
 * are not shown. */
Test(app_case, shows_the_limits_of_a_twist_while_it_searches)
{
	struct explorer e = start(40, 140);
	sit(&e, "case 200-ms-to-50 seed=1");
	say(&e, "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off");
	shows(&e, "Goals: 4 of 4 met");
	shows(&e, "at least 10");
	say(&e, "twist");
	shows(&e, "Goals: 3 of 4 met"); /* 11 cameras are too few, told without another question */
	shows(&e, "at least 14");
	case_of(e.app)->desk.is_judged = false; /* as after a first run that is not through */
	shows(&e, "Goals: searching");
	shows(&e, "at most 50 ms");
	shows(&e, "at least 14");
	hides(&e, "Goals: 3 of 4 met");
	hides(&e, "Goals: 4 of 4 met");
	explorer_end(&e);
}

/* Goals or facts in a row each. The caller frees it. */
static char *brief(const struct explorer *e,
	void (*write)(const struct case_view *v, bool brief, struct sheet *s), int cols)
{
	struct sheet s;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	sheet_init(&s, cols, GLYPHS_BRAILLE);
	write(case_seen(e->app), true, &s);
	canvas_write_text(&s.cv, f);
	sheet_release(&s);
	cr_assert(zero(int, fclose(f)));
	return text;
}

static void facts_in_a_row(const struct case_view *v, bool brief, struct sheet *s)
{
	(void)brief;
	case_facts_write(v, 1, s);
}

/* In a row each, of numbers with a comma in thousands and of lists as well. The batch is as it was typed. */
Test(app_case, a_goal_in_a_row_has_its_value_whole)
{
	struct explorer e = start(24, 80);
	e.app->load_case = NULL;
	sit(&e, "case scale-to-64 seed=1");
	say(&e, "design global_batch=2048 inter_GBps=3.125 overlap=0 strategy=ddp");
	char *text = brief(&e, case_goals_write, 78);
	cr_expect(strstr(text, " 2,048\n") != NULL, "%s", text);
	cr_expect(strstr(text, " 3.13 GB/s\n") != NULL, "%s", text);
	free(text);
	explorer_end(&e);

	e = start(24, 80);
	e.app->load_case = NULL;
	sit(&e, "case 200-ms-to-50 seed=1");
	say(&e, "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off");
	say(&e, "twist");
	case_of(e.app)->desk.is_judged = false; /* as after a first run that is not through */
	text = brief(&e, case_goals_write, 78);
	cr_expect(strstr(text, " SA8650P, Orin\n") != NULL, "%s", text);
	cr_expect(strstr(text, " at most 50 ms\n") != NULL, "%s", text);
	free(text);
	explorer_end(&e);
}

/* Of a fact what a row holds, with an ellipsis only where that is not all. */
Test(app_case, a_fact_in_a_row_has_an_ellipsis_where_it_is_cut)
{
	struct explorer e = start(24, 80);
	sit(&e, "case serve-70b seed=7 new=yes");
	say(&e, "Which model is it?");
	const struct case_view *v = case_seen(e.app);
	char whole[400];
	cr_assert(v->tells[0] != NULL);
	snprintf(whole, sizeof whole, "model: %s\n", v->tells[0]);
	const int cols = text_width(v->tells[0]) + (int)strlen("model: ");
	for (int cut = 0; cut < 2; cut++) {
		char *text = brief(&e, facts_in_a_row, cols - cut);
		cr_expect(eq(int, strstr(text, whole) != NULL, !cut), "%s", text);
		cr_expect(eq(int, strstr(text, " …\n") != NULL, cut), "%s", text);
		free(text);
	}
	explorer_end(&e);
}

/* Knobs have the place of the talk in a narrow window: while no figure stands there, what one knows stands beside them
 * in a column, whole or as much of each fact as two rows hold. */
Test(app_case, what_was_told_stands_beside_the_knobs)
{
	struct explorer e = start(24, 80);
	sit(&e, "case 200-ms-to-50 seed=1");
	say(&e, "cameras?");
	explorer_press(&e, "Tab");
	shows_once(&e, "Your knobs");
	shows_once(&e, "Goals");
	shows_once(&e, "Told so far");
	shows_once(&e, "Numbers to estimate");
	hides(&e, "more: facts");
	explorer_end(&e);
}

/* What is turned is judged at once, and becomes a line when it is said. */
Test(app_case, turns_knobs_and_says_them)
{
	struct explorer e = start(32, 100);
	const struct case_view *v = case_seen(e.app);
	kept[0] = '\0';
	sit(&e, "case 200-ms-to-50 seed=1");
	say(&e, "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off");
	cr_expect(v->talk.run.met);
	/* 10 of the cameras see the road, so that 9 are too few. */
	explorer_press(&e, "Tab Down h h");
	shows(&e, "‹ 9 ›");
	shows(&e, "not said yet");
	cr_expect(eq(dbl, v->desk.live.now.v[v->c.knobs[1].knob], 9));
	cr_expect(eq(sz, v->sitting.runs[0], 1));
	cr_expect(v->desk.is_judged && !v->desk.judged.met);
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, v->sitting.runs[0], 2));
	cr_expect(eq(dbl, v->sitting.design.v[v->c.knobs[1].knob], 9));
	cr_expect(not(v->talk.run.met));
	cr_expect(eq(sz, v->talk.run.n_met, v->desk.judged.n_met));
	for (size_t i = 0; i < v->talk.run.n_verdicts; i++)
		cr_expect(strcmp(v->talk.run.verdicts[i].words, v->desk.judged.verdicts[i].words) ==
				  0,
			"the simulation says the same at the knobs and to the line");
	shows(&e, "> design cameras 9");
	cr_expect(strstr(kept, "\"text\":\"design cameras 9\"") != NULL, "%s", kept);
	cr_expect(case_where(v) == CASE_TALKING);
	explorer_end(&e);
}

/* The candidate's side of EDCT-A1D5-V (serve-70b, seed 5): what is known, in a narrow window and after the
 * word, and the knobs whose verdict is the interviewer's. */
Test(app_case, shows_a_candidate_what_was_noted)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "case code=EDCT-A1D5-V"));
	explorer_press(&e, "Enter");
	shows(&e, "0 of 3 numbers noted");
	say(&e, "estimate 1 140 GB");
	shows(&e, "1 of 3 numbers noted");
	shows(&e, "2 of 5 Estimate");
	hides(&e, "0 facts");
	say(&e, "end");
	shows(&e, "2 of 5 Estimate");
	explorer_press(&e, "Tab");
	shows(&e, "j k knob");
	shows(&e, "h l turn");
	shows(&e,
		"Once every knob is decided, Enter says the"); /* "design to your interviewer", below it */
	explorer_press(&e, "Tab");
	say(&e, "design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=8");
	explorer_press(&e, "Tab");
	shows(&e, "This design is said.");
	hides(&e, "runs once every knob");
	explorer_press(&e, "Tab");
	say(&e, "release lugi");
	shows(&e, "1 of 3 numbers given, 0 count");
	/* Two people have one deal, so no other is offered. */
	say(&e, "end");
	shows(&e, "mark clarify 3: your mark");
	hides(&e, "again: other numbers");
	say(&e, "help");
	explorer_press(&e, "PgDn");
	shows(&e, "help: this list");
	hides(&e, "again: the same case");
	explorer_end(&e);
}

/* After the word facts are still asked for aloud, and the knobs have the names that people say. */
Test(app_case, names_knobs_as_people_do)
{
	struct explorer e = start(32, 100);
	cr_assert(explorer_open(&e, "case code=EDCT-A1D5-V"));
	explorer_press(&e, "Enter");
	shows(&e, "Facts: ask for them aloud.");
	shows(&e, "3 at once");
	say(&e, "release lugi");
	shows(&e, "Facts: ask for them aloud.");
	explorer_press(&e, "Tab");
	const struct case_view *v = case_seen(e.app);
	for (size_t i = 0; i < v->c.n_knobs; i++)
		shows(&e, v->c.sim->knobs[v->c.knobs[i].knob].label);
	/* What is typed of it is said of the knob in hand. */
	for (size_t i = 0; i < v->c.n_knobs; i++) {
		shows(&e, v->c.knobs[i].ask);
		explorer_press(&e, "j");
	}
	explorer_end(&e);
}

/* In a wide window the sentence in place of a figure takes no more room than it needs: the numbers follow
 * it after a row or two. */
Test(app_case, keeps_no_room_for_a_figure_that_does_not_come)
{
	struct explorer e = start(48, 160);
	cr_assert(explorer_open(&e, "case code=EDCT-A1D5-V"));
	explorer_press(&e, "Enter Tab");
	const int sentence = explorer_row_of(&e, "Once every knob"),
		  numbers = explorer_row_of(&e, "Numbers to");
	cr_expect(lt(int, 0, sentence));
	cr_expect(lt(int, sentence, numbers));
	cr_expect(lt(int, numbers, sentence + 8), "%d %d", sentence, numbers);
	shows(&e, "tensor parallel");
	explorer_end(&e);
	/* Once all is over nothing is to come: a head, the case's three numbers, a blank row, and what was asked for. */
	e = start(48, 160);
	sit(&e, "case serve-70b seed=7 new=yes");
	say(&e, "end");
	cr_expect(eq(int, explorer_row_of(&e, "No fact was asked for."),
		explorer_row_of(&e, "Numbers  ") + 5));
	/* What nobody asked for is told then, since the next sitting has other numbers. */
	cr_expect(eq(int, explorer_row_of(&e, "Not asked for"),
		explorer_row_of(&e, "No fact was asked for.") + 2));
	shows(&e, "budget: $");
	explorer_end(&e);
}

/* Of 45 minutes in 12 columns the 11 of this phase have 3, and the 11 of the next come behind them. */
Test(app_case, the_plan_shows_where_its_phases_lie)
{
	struct explorer e = start(32, 100);
	sit(&e, "case serve-70b seed=7 new=yes");
	say(&e, "next");
	shows(&e, "0:00 to 11:00  ●──");
	shows(&e, "11:00 to 22:00     ───");
	explorer_end(&e);
}

/* Which GPUs there are is a fact to be asked for, until they are to be chosen from; then their datasheets say what
 * anybody can look up. */
Test(app_case, has_the_datasheets_of_the_gpus_to_choose_from)
{
	struct explorer e = start(48, 160);
	sit(&e, "case serve-70b seed=7 new=yes");
	hides(&e, "Datasheets");
	say(&e, "next");
	hides(&e, "Datasheets");
	say(&e, "next");
	shows(&e, "Datasheets");
	/* NVIDIA's, dense: an A100 has no FP8. */
	shows(&e, "A100-80 SXM   80 GB 2.04 TB/s  312 TFLOP/s          none");
	shows(&e, "H200 SXM     141 GB  4.8 TB/s  989 TFLOP/s");
	explorer_end(&e);
	e = start(48, 160);
	sit(&e, "case failures-at-16384 seed=7 new=yes");
	say(&e, "next");
	say(&e, "next");
	hides(&e, "Datasheets");
	explorer_end(&e);
}

/* The clock tells the twist, stands while one is elsewhere or has stopped it, and lines come back. */
Test(app_case, has_a_clock)
{
	struct explorer e = start(24, 80);
	sit(&e, "case 200-ms-to-50 seed=1");
	pass(&e, 60000);
	say(&e, "What is the deadline?");
	say(&e, "facts");
	explorer_press(&e, "Up Up");
	cr_expect(strcmp(e.app->entry.text, "What is the deadline?") == 0);
	explorer_press(&e, "Down");
	cr_expect(strcmp(e.app->entry.text, "facts") == 0);
	explorer_press(&e, "Down");
	cr_expect(strcmp(e.app->entry.text, "") == 0);
	explorer_press(&e, "Ctrl-P");
	shows(&e, "The clock stands. Enter goes on.");
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1));
	pass(&e, 3600000);
	shows(&e, "1:00 of 45:00");
	explorer_press(&e, "Enter");
	explorer_type(&e, "half a li");
	explorer_press(&e, "Ctrl-U ? q");
	pass(&e, 1000);
	cr_expect(eq(int, e.app->entry.kind, ENTRY_TALK), "the line is there again after the help");
	/* Elsewhere and back. */
	explorer_press(&e, ": m e m o r y Enter");
	cr_expect(ne(int, e.app->screen, SCREEN_CASE));
	pass(&e, 3600000);
	explorer_press(&e, "Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_CASE));
	shows(&e, "1:01 of 45:00");
	pass(&e, 21 * CASE_MINUTE_MS - 2000);
	cr_expect(eq(sz, case_seen(e.app)->sitting.stage, 0));
	pass(&e, 1000);
	cr_expect(eq(sz, case_seen(e.app)->sitting.stage, 1));
	shows(&e, "Twist 1: Safety review");
	shows(&e, "4 of 5 Twist");
	explorer_press(&e, "Ctrl-N");
	shows(&e, "5 of 5 Wrap-up");
	explorer_press(&e, "Ctrl-N");
	cr_expect(not(case_seen(e.app)->talk.debriefed), "one key too many shows no answers");
	shows(&e, "next again");
	explorer_press(&e, "Ctrl-N");
	cr_expect(case_seen(e.app)->talk.debriefed);
	/* 22:00 since the beginning, and it stays so whatever is typed. */
	shows(&e, "Ended  at 22:00 of 45:00");
	pass(&e, 600000);
	say(&e, "mark clarify 3");
	cr_expect(eq(i64, case_clock_ms(case_seen(e.app), e.now_ms), 22 * CASE_MINUTE_MS));
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1));
	explorer_end(&e);
}

/* What is over is not offered: neither a pause, nor a next phase, nor asking. */
Test(app_case, offers_nothing_that_is_over)
{
	struct explorer e = start(32, 100);
	sit(&e, "case serve-70b seed=7");
	shows(&e, "You know nothing yet. Ask.");
	shows(&e, "next phase");
	say(&e, "end");
	say(&e, "end");
	shows(&e, "Ended  at 0:00 of 45:00");
	shows(&e, "there is nothing to judge.");
	shows(&e, "No fact was asked for.");
	hides(&e, "next phase");
	explorer_press(&e, "Ctrl-P");
	cr_expect(not(case_seen(e.app)->paused));
	explorer_end(&e);
}

/* A case says what will come before its clock starts, and nothing but Enter starts it. */
Test(app_case, begins_with_a_page_that_waits)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "case 200-ms-to-50 seed=1 minutes=30"));
	const struct case_view *v = case_seen(e.app);
	shows(&e, "30 minutes, by phases");
	shows(&e, "Ctrl-N");
	shows(&e, "Enter starts.");
	shows(&e, "It is a case of driving.");
	hides(&e, "Our cars plan on pictures"); /* the time to think of it has not begun */
	shows(&e, "Wrap-up");
	pass(&e, 300000);
	cr_expect(eq(i64, case_clock_ms(v, e.now_ms), 0));
	/* Elsewhere and back it still waits. */
	explorer_press(&e, ": m e m o r y Enter");
	explorer_press(&e, "Esc");
	shows(&e, "Enter starts.");
	explorer_press(&e, "a");
	cr_expect(ne(u64, v->sitting.deal.seed, 1), "dealt anew");
	shows(&e, "Enter starts.");
	explorer_press(&e, "Enter");
	shows(&e, "Our cars plan on pictures");
	shows(&e, "0:00 of 30:00");
	pass(&e, 5000);
	shows(&e, "0:05 of 30:00");
	explorer_end(&e);
}

/* Who has an interviewer waits for their word on the same page, and two people have one deal. */
Test(app_case, a_candidate_waits_on_the_first_page)
{
	struct explorer e = start(24, 80);
	cr_assert(explorer_open(&e, "case code=EDCT-A1D5-V"));
	shows(&e, "Told to begin? Enter starts the clock");
	shows(&e, "what you ask, you ask aloud");
	hides(&e, "We are about to launch");
	hides(&e, "other numbers");
	explorer_press(&e, "a");
	cr_expect(eq(u64, case_seen(e.app)->sitting.deal.seed, 5));
	pass(&e, 60000);
	explorer_press(&e, "Enter");
	shows(&e, "We are about to launch");
	shows(&e, "0:00 of 45:00");
	explorer_end(&e);
}

static bool goes_on(void *context, double share)
{
	(void)context;
	(void)share;
	return true;
}

/* With a loop around it that draws, a design waits for the frame that says so. Until it is run no key acts, and
 * what is typed stays in the field. The knobs whose figure is there already are said at once. */
Test(app_case, says_that_a_design_runs_before_it_does)
{
	static const char design[] =
		"design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off";
	struct explorer e = start(32, 100);
	const struct case_view *v = case_seen(e.app);
	kept[0] = '\0';
	sit(&e, "case 200-ms-to-50 seed=1");
	e.app->go_on = goes_on;
	say(&e, design);
	shows(&e, "Running the design");
	cr_expect(e.app->works && e.app->deaf);
	cr_expect(eq(sz, v->sitting.runs[0], 0));
	cr_expect(strstr(kept, "platform=orin") != NULL, "it is kept before it is run");
	explorer_press(&e, "Ctrl-N Tab");
	say(&e, "next");
	cr_expect(eq(int, (int)v->sitting.phase, CASE_CLARIFY));
	cr_expect(case_where(v) == CASE_TALKING);
	cr_expect(eq(str, e.app->entry.text, (char *)"next"));
	pass(&e, 23 * CASE_MINUTE_MS); /* the twist comes after what was typed before it */
	cr_expect(eq(sz, v->sitting.stage, 0));
	app_work(e.app);
	app_settle(e.app);
	cr_expect(eq(sz, v->sitting.runs[0], 1));
	shows(&e, "4 of 4 met");
	cr_expect(eq(str, e.app->entry.text, (char *)"next"));
	explorer_press(&e, "Ctrl-U");
	pass(&e, 1000);
	cr_expect(eq(sz, v->sitting.stage, 1));
	/* At the knobs the simulation has run by the time that they are said. */
	explorer_press(&e, "Tab Down l l l Enter");
	cr_expect(eq(sz, v->sitting.runs[1], 1));
	hides(&e, "Running the design");
	explorer_end(&e);
}

/* A line was typed at 0:30, and the record ends there. */
Test(app_case, tells_of_an_earlier_sitting)
{
	struct explorer e = start(24, 80);
	kept[0] = kept_name[0] = '\0';
	sit(&e, "case 200-ms-to-50 seed=1 level=staff");
	hides(&e, "You sat it");
	pass(&e, 30000);
	say(&e, "How many cameras are there?");
	explorer_end(&e);

	e = start(24, 80);
	cr_assert(explorer_open(&e, "case 200-ms-to-50 seed=2 new=yes"));
	cr_assert(eq(int, (int)case_where(case_seen(e.app)), CASE_READY));
	shows(&e, "You sat it once, last less than a day ago, up to 0:30");
	shows(&e, "Enter starts.");
	explorer_end(&e);
}

/* Cut off: another ridge has all that was typed, and the clock where it stood. The list says so. */
Test(app_case, goes_on_where_it_was_cut_off)
{
	struct explorer e = start(32, 100);
	kept[0] = kept_name[0] = '\0';
	sit(&e, "case 200-ms-to-50 seed=1 level=staff");
	cr_expect(eq(sz, strlen(kept), 0), "nothing was typed yet");
	pass(&e, 30000);
	say(&e, "How many cameras are there?");
	say(&e, "estimate blind 6 m");
	explorer_type(&e, "half a li");
	pass(&e, 95000); /* the clock is kept by the minute */
	explorer_end(&e);

	e = start(32, 100);
	cr_assert(explorer_open(&e, "case"));
	shows(&e, "left at 2:05");
	explorer_press(&e, "Enter");
	shows(&e, "staff, seed 1");
	/* The clock waits for whoever came back. */
	shows(&e, "It was left at 2:05. Enter goes on there");
	pass(&e, 60000);
	explorer_press(&e, "Enter");
	shows(&e, "16 are mounted");
	shows(&e, "6 m: right, 4.1 % off");
	shows(&e, "This sitting was left at 2:05 and goes on there.");
	shows(&e, "2:05 of 45:00");
	say(&e, "end");
	pass(&e, 60000);
	explorer_press(&e, "Esc");
	/* It is over, so the next one begins. */
	hides(&e, "left at");
	explorer_press(&e, "Enter");
	shows(&e, "Enter starts.");
	explorer_press(&e, "Enter");
	shows(&e, "0:00 of 45:00");
	explorer_end(&e);
}

/* --- Every size --- */

static bool inside(struct rect r, struct rect in)
{
	return r.rows == 0 ||
	       (r.row >= in.row && r.col >= in.col && r.rows > 0 && r.cols > 0 &&
		       r.row + r.rows <= in.row + in.rows && r.col + r.cols <= in.col + in.cols);
}

static bool apart(struct rect a, struct rect b)
{
	return !a.rows || !b.rows || a.row + a.rows <= b.row || b.row + b.rows <= a.row ||
	       a.col + a.cols <= b.col || b.col + b.cols <= a.col;
}

Test(app_case, lays_out_every_size)
{
	for (int rows = 9; rows <= 80; rows += 3)
		for (int cols = 38; cols <= 300; cols += 7)
			for (int how = 0; how < 4; how++) {
				const struct rect body = { 2, 1, rows, cols };
				const struct case_layout l =
					case_layout(body, how & 1, how & 2, 9, 8);
				const struct rect all[] = { l.head, l.talk, l.line, l.knobs,
					l.figure };
				cr_assert(inside(l.side, body));
				for (size_t i = 0; i < LENGTH(all); i++) {
					cr_assert(inside(all[i], body), "%dx%d %d: %zu", cols, rows,
						how, i);
					for (size_t k = 0; k < i; k++)
						cr_assert(apart(all[i], all[k]),
							"%dx%d %d: %zu %zu", cols, rows, how, i, k);
				}
				bool types = l.line.rows == 1, turns = l.knobs.rows > 0;
				bool used = how & 1 ? turns : types;
				cr_assert(used, "%dx%d %d", cols, rows, how);
			}
}

/* What is to be estimated is seen in its words at any size, whatever was said since; of two the one that is still
 * open. */
Test(app_case, the_question_of_a_number_stays_in_sight)
{
	static const int sizes[][2] = { { 24, 80 }, { 32, 100 }, { 48, 160 } };
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct explorer e = start(sizes[i][0], sizes[i][1]);
		e.app->load_case = NULL; /* each begins anew */
		sit(&e, "case 200-ms-to-50 seed=3");
		pass(&e, 0);
		explorer_press(&e, "Ctrl-N");
		for (int k = 0; k < 12; k++)
			say(&e, "say so much for that");
		expect_shown(&e, "1 blind", __LINE__);
		expect_shown(&e, "How far does the car drive", __LINE__);
		say(&e, "estimate 1 5.8 m");
		for (int k = 0; k < 12; k++)
			say(&e, "say so much for that");
		expect_shown(&e, "How old is the plan", __LINE__);
		explorer_end(&e);
	}
}

/* In a large window each goal has a line of its own. */
Test(app_case, goals_have_the_width_of_their_column)
{
	struct explorer e = start(48, 160);
	sit(&e, "case 200-ms-to-50 seed=3");
	pass(&e, 0);
	say(&e, "How many cameras are there?");
	say(&e, "design platform=orin cameras=11 tensorrt=on backbone_sharing=on "
		"temporal_fusion=off sparse=off pipelined=off");
	pass(&e, 0);
	expect_shown(&e, "│ ✓ from capture to plan, P99: 48.7 ms, at most 50 ms: met", __LINE__);
	expect_shown(&e, "▸Design to 22:00", __LINE__);
	expect_shown(&e, "Wrap-up 45:00", __LINE__);
	explorer_end(&e);
}

/* No cell is beyond ASCII where that is asked for, and what the keys go to is on the screen. */
Test(app_case, is_whole_in_ascii_at_every_size)
{
	static const struct {
		int rows, cols;
	} sizes[] = { { 12, 40 }, { 24, 80 }, { 32, 100 }, { 48, 160 } };
	for (size_t i = 0; i < LENGTH(sizes); i++) {
		struct explorer e = explorer_start(sizes[i].rows, sizes[i].cols, GLYPHS_ASCII);
		static const char *const states[] = { "", "Tab", "Tab Down l", "Enter", "Ctrl-P" };
		sit(&e, "case serve-70b seed=1");
		say(&e, "What is the load at the peak?");
		say(&e, "design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=16");
		for (size_t k = 0; k < LENGTH(states); k++) {
			explorer_press(&e, states[k]);
			char *text = explorer_text(&e);
			bool plain = true;
			for (const char *p = text; *p; p++)
				plain &= *p == '\n' || (*p >= ' ' && *p < 0x7f);
			cr_expect(plain, "%s", text);
			bool desk = case_where(case_seen(e.app)) == CASE_AT_DESK;
			cr_expect(
				strstr(text, desk ? "tensor parallel" : "> ") != NULL, "%s", text);
			free(text);
		}
		explorer_end(&e);
	}
}

/* The bead goes from one end of its track to the other, and never back, over all that may be had. */
Test(app_case, beads_of_knobs_go_from_end_to_end)
{
	struct explorer e = start(32, 100);
	sit(&e, "case serve-70b seed=1");
	const struct case_view *v = case_seen(e.app);
	for (size_t i = 0; i < v->c.n_knobs; i++) {
		const struct case_knob *k = &v->c.knobs[i];
		const struct dealt_case *d = &v->sitting.deal;
		double at = case_knob_first(d, k), before;
		for (int n = 0; n < 20; n++)
			at = case_knob_turn(d, k, at, -1, true);
		double place = case_knob_position(d, k, at);
		cr_expect(zero(dbl, place));
		do {
			before = at;
			at = case_knob_turn(d, k, before, 1, false);
			cr_expect(at == before || place < case_knob_position(d, k, at));
			place = case_knob_position(d, k, at);
		} while (at != before);
		cr_expect(epsilon_eq(dbl, place, 1, 1e-9), "%s ends at %g",
			v->c.sim->knobs[k->knob].id, place);
	}
	explorer_end(&e);
}

/* Who turns knobs without having asked is told nothing by them: neither the goals' limits nor what the
 * simulation says. A design that is said is run, and then all is told. */
Test(app_case, knobs_tell_nothing_that_was_not_asked_for)
{
	struct explorer e = start(32, 100);
	sit(&e, "case serve-70b seed=7");
	const struct case_view *v = case_seen(e.app);
	explorer_press(&e, "Tab");
	for (size_t i = 0; i < v->c.n_knobs; i++)
		explorer_press(&e, "l j");
	cr_expect(zero(ptr, (void *)case_design_lacks(&v->sitting.deal, &v->desk.design)));
	cr_expect(not(v->desk.runs));
	shows(&e, "Not known yet.");
	shows(&e, "You have not asked for the facts that decide");
	explorer_press(&e, "Enter");
	shows(&e, "of 3 goals met.");
	explorer_press(&e, "Tab l");
	cr_expect(v->desk.runs);
	explorer_end(&e);
}

/* Beside one another what was designed and what meets the goals keep a blank between: "GB200 (one GPU)" is longer than
 * its half of the side at this width. */
Test(app_case, values_beside_one_another_do_not_meet)
{
	struct explorer e = start(32, 100);
	sit(&e, "case:mixture-on-72");
	say(&e, "design gpu=gb200 batch=4900");
	say(&e, "end");
	shows(&e, "yours");
	shows(&e, "GB200 (one");
	char *text = explorer_text(&e);
	for (const char *at = text; (at = strstr(at, "GB200 (one")); at++)
		cr_expect(at == text || at[-1] == ' ', "%.60s", at - 20);
	free(text);
	explorer_end(&e);
}

/* The first page of an incident does not say what it is a case of: that is to be found out. */
Test(app_case, an_incident_does_not_name_its_simulation)
{
	struct explorer e = start(32, 100);
	cr_assert(explorer_open(&e, "case:is-it-faster"));
	shows(&e, "It is a case of incidents. A simulation runs your design; which");
	hides(&e, "A benchmark that lies");
	cr_assert(explorer_open(&e, "case:serve-70b"));
	shows(&e, "Capacity plan");
	explorer_end(&e);
}

/* Neither does the list. */
Test(app_case, the_list_does_not_name_the_simulation_of_an_incident)
{
	struct explorer e = start(50, 160);
	cr_assert(explorer_open(&e, "case"));
	choose(&e, "Is it faster");
	shows(&e, "Judged by a simulation; which one, you find out.");
	hides(&e, "A benchmark that lies");
	explorer_end(&e);
}
