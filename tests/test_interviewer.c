/* The interviewer's second terminal: the same problems as the candidate's, and all that there is to
 * know of them. */
#include "tests/interviewer.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/screens/home/home.h"
#include "ui/interviewer/interviewer_listen.h"
#include "ui/screens/interviewer/interviewer_screen.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/quantity_parse.h"
#include "sims/base/rng.h"
#include "tests/pty.h"
#include "ui/commands/commands.h"
#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the same problems ------------------------------------------------------------------- */

Test(interviewer, has_the_candidates_problems_byte_for_byte)
{
	static const char *const words[] = { "count=5", "count=5 seed=7",
		"mode=set topic=inference count=4 seed=3", "mode=sprint seed=99",
		"mode=study seed=5 count=9", "count=12 seed=123456789" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct explorer e = interviewer_on(words[i], 24, 80, GLYPHS_LINES);
		struct explorer c = candidate_of(&e);
		const struct drill_session *ours = &interviewer_of(e.app)->session;
		const struct drill_session *theirs = &drill_of(c.app)->session;
		cr_assert(eq(sz, ours->n, theirs->n), "%s", words[i]);
		cr_expect(eq(int, ours->mode, theirs->mode), "%s", words[i]);
		for (size_t k = 0; k < ours->n; k++) {
			const struct variant *a = &ours->items[k].variant,
					     *b = &theirs->items[k].variant;
			cr_expect(eq(str, (char *)a->drill->id, (char *)b->drill->id));
			cr_assert(eq(sz, a->n_steps, b->n_steps));
			for (size_t s = 0; s < a->n_steps; s++)
				cr_expect(eq(str, (char *)a->steps[s].prompt,
					(char *)b->steps[s].prompt));
		}
		explorer_end(&c);
		explorer_end(&e);
	}
}

Test(interviewer, makes_a_code_for_an_interview_and_shows_what_to_type)
{
	struct explorer e = interviewer_on("count=5", 24, 80, GLYPHS_LINES);
	const struct interviewer *v = interviewer_of(e.app);
	char command[64];
	cr_expect(eq(int, v->session.mode, MODE_INTERVIEW));
	snprintf(command, sizeof command, "ridge drill --code %s", v->request.code);
	expect_shown(&e, command);
	expect_shown(&e, "do not share");
	explorer_press(&e, "n");
	expect_shown(&e, "1 of 5 clarify");
	explorer_press(&e, "c");
	expect_shown(&e, command);
	explorer_end(&e);
}

Test(interviewer, goes_to_the_page_at_once_where_the_code_is_given)
{
	struct explorer e = interviewer_on("count=5 seed=4", 24, 80, GLYPHS_LINES);
	char words[64];
	snprintf(words, sizeof words, "code=%s", interviewer_of(e.app)->request.code);
	struct explorer again = interviewer_on(words, 24, 80, GLYPHS_LINES);
	expect_shown(&again, "1 of 5 clarify");
	explorer_end(&again);
	explorer_end(&e);
}

Test(interviewer, refuses_in_a_line)
{
	static const struct {
		const char *word, *said;
	} rows[] = { { "mode=review", "a review has no code" }, { "code=B10M-53", "check symbol" },
		{ "mode=intervew", "did you mean \"interview\"" },
		{ "colour=red", "there is no option colour; did you mean \"color\"?" },
		{ "count=0", "from 1 to 200" }, { "sheet=yes", "prints" },
		{ "interviewer",
			"interviewer is no topic: interviewer=yes opens the interviewer's desk" },
		{ "answers", "answers is no topic" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(24, 80, GLYPHS_LINES);
		char err[256] = "";
		int rc = app_open(e.app, "interviewer", &rows[i].word, 1, err, sizeof err);
		cr_expect(rc == -1 && strstr(err, rows[i].said), "%s: %s", rows[i].word, err);
		cr_expect(not(interviewer_of(e.app)->open));
		explorer_end(&e);
	}
}

/* No topic, code, name, case or path is as long as that, and none is cut to what there is room for. */
Test(interviewer, what_is_too_long_is_refused)
{
	static const struct {
		const char *option, *said;
	} rows[] = { { "topic=", "no topic, skill, drill, chapter or chain is called" },
		{ "code=", "code: expected at most " }, { "name=", "name: expected at most " },
		{ "case=", "no case is called " },
		{ "follow=", "follow: expected a path of at most " },
		{ "pack=", "pack: expected a path of at most " } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(24, 80, GLYPHS_LINES);
		char err[256] = "", word[6000];
		const char *const words[] = { word };
		memset(word, 'x', sizeof word - 1);
		word[sizeof word - 1] = '\0';
		memcpy(word, rows[i].option, strlen(rows[i].option));
		cr_expect(eq(int, app_open(e.app, "interviewer", words, 1, err, sizeof err), -1));
		cr_expect(strstr(err, rows[i].said) != NULL, "%s: %s", rows[i].option, err);
		explorer_end(&e);
	}
}

/* What does not go together, or is for another level. */
Test(interviewer, what_does_not_go_together_is_refused)
{
	static const struct {
		const char *place, *words[2], *said;
	} rows[] = {
		{ "drill", { "follow=x" }, "follow is the interviewer's: it goes with answers" },
		{ "interviewer", { "case=no-such-case" }, "no case \"no-such-case\"" },
		{ "interviewer", { "case=serve-70b", "level=junior" }, "level" },
		{ "interviewer", { "case=serve-70b", "minutes=0" }, "minutes" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(24, 80, GLYPHS_LINES);
		char err[256] = "";
		const size_t n = rows[i].words[1] ? 2 : 1;
		cr_expect(eq(int, app_open(e.app, rows[i].place, rows[i].words, n, err, sizeof err),
			-1));
		cr_expect(strstr(err, rows[i].said) != NULL, "row %zu: %s", i, err);
		explorer_end(&e);
	}
}

/* Every symbol that a code may have has a picture of its own, with both kinds of glyphs. */
Test(interviewer, large_symbols_differ)
{
	static const char symbols[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	enum { ROW = 10, COL = 6, ROWS = 5, COLS = 12, CELLS = ROWS * COLS };
	for (int ascii = 0; ascii < 2; ascii++) {
		uint32_t pictures[sizeof symbols][CELLS];
		struct explorer e =
			interviewer_on("count=5", 40, 100, ascii ? GLYPHS_ASCII : GLYPHS_LINES);
		for (size_t i = 0; symbols[i]; i++) {
			int inked = 0;
			snprintf(interviewer_of(e.app)->request.code, CODE_SIZE, "%c", symbols[i]);
			struct canvas cv = explorer_draw(&e);
			for (int k = 0; k < CELLS; k++) {
				pictures[i][k] =
					cv.cells[(ROW + k / COLS) * cv.cols + COL + k % COLS].code;
				inked += pictures[i][k] != ' ';
			}
			canvas_release(&cv);
			cr_expect(lt(int, 0, inked), "%c", symbols[i]);
			for (size_t k = 0; k < i; k++)
				cr_expect(memcmp(pictures[k], pictures[i], sizeof pictures[i]) != 0,
					"%c and %c", symbols[k], symbols[i]);
		}
		explorer_end(&e);
	}
}

/* --- what it shows ----------------------------------------------------------------------- */

static void expect_in(const char *guide, const char *part, const char *id)
{
	cr_expect(strstr(guide, part) != NULL, "%s: \"%s\" is not in:\n%s", id, part, guide);
}

static void check_step(const struct variant *x, const struct variant_step *s, const char *guide)
{
	char number[64];
	struct unit unit, shown;
	expect_in(guide, s->asks, x->drill->id);
	if (s->step->kind == KIND_NUMBER) {
		const struct question *q = &s->question;
		cr_assert(unit_parse(q->unit, &unit) && unit_parse(q->shown_unit, &shown));
		number_write(number, sizeof number, q->key * unit.factor / shown.factor,
			q->tolerance.mode == TOLERANCE_EXACT ? 15 : 4);
		expect_in(guide, number, x->drill->id);
		for (size_t i = 0; i < q->n_mistakes; i++) {
			number_write(number, sizeof number,
				q->mistakes[i].value * unit.factor / shown.factor, 3);
			expect_in(guide, number, x->drill->id);
		}
	} else {
		for (size_t i = 0; i < s->n_options; i++)
			expect_in(guide, s->options[i].reason, x->drill->id);
		expect_in(guide, s->answer, x->drill->id);
	}
}

Test(interviewer, every_problem_has_its_key_mistakes_hints_and_follow_up, .timeout = 60)
{
	for (int seed = 1; seed <= 12; seed++) {
		char words[32];
		snprintf(words, sizeof words, "seed=%d count=12", seed);
		struct explorer e = interviewer_on(words, 24, 80, GLYPHS_LINES);
		const struct interviewer *v = interviewer_of(e.app);
		for (size_t i = 0; i < v->n_stops; i++) {
			if (!v->stops[i].item)
				continue;
			const struct variant *x = &v->stops[i].item->variant;
			char *guide = guide_of(v, i);
			for (size_t s = 0; s < x->n_steps; s++)
				check_step(x, &x->steps[s], guide);
			size_t beside_the_key = x->steps[0].args ? FORMULA_HINTS : 0;
			for (size_t k = 0; k + beside_the_key < x->steps[0].n_hints; k++)
				expect_in(guide, x->steps[0].hints[k], x->drill->id);
			char question[24];
			snprintf(question, sizeof question, "%.*s", (int)strcspn(x->follow_up, "?"),
				x->follow_up);
			expect_in(guide, question, x->drill->id);
			free(guide);
		}
		explorer_end(&e);
	}
}

Test(interviewer, lists_for_each_phase_are_short_and_say_nothing_twice)
{
	struct explorer e = interviewer_on("count=5", 24, 80, GLYPHS_LINES);
	const struct drill_bank *b = &interviewer_of(e.app)->bank;
	for (size_t i = 0; i < b->n; i++) {
		struct variant v = { .drill = &b->drills[i] };
		for (int phase = 0; phase < N_INTERVIEW_PHASES; phase++) {
			const char *lines[MOST_LISTEN];
			size_t n = interviewer_listen_for((enum phase)phase, &v, lines);
			cr_expect(n >= 3 && n <= 5, "%s: %zu", v.drill->id, n);
			for (size_t k = 0; k < n; k++)
				for (size_t j = 0; j < k; j++)
					cr_expect(lines[j] != lines[k], "%s", v.drill->id);
		}
	}
	explorer_end(&e);
}

/* Worked by hand: a cluster that fails and a camera have questions of their own. */
Test(interviewer, to_clarify_asks_for_what_the_scene_is_about)
{
	struct drill failing = { .prompt = "{model} trains on a cluster that fails every {mtbf}." },
		     driving = { .prompt = "Cameras give {fps}." };
	struct variant a = { .drill = &failing }, b = { .drill = &driving };
	const char *of_a[MOST_LISTEN], *of_b[MOST_LISTEN];
	interviewer_listen_for(PHASE_CLARIFY, &a, of_a);
	interviewer_listen_for(PHASE_CLARIFY, &b, of_b);
	cr_expect(of_a[0] == of_b[0], "the goal comes first");
	cr_expect(strstr(of_a[2], "what fails") != NULL, "%s", of_a[2]);
	cr_expect(strstr(of_b[2], "worst frame") != NULL, "%s", of_b[2]);
}

static void expect_whole(enum glyphs glyphs, int rows, int cols)
{
	struct explorer e = interviewer_on("count=5 seed=5", rows, cols, glyphs);
	size_t n = interviewer_of(e.app)->n_stops;
	bool ascii = glyphs == GLYPHS_ASCII;
	for (size_t i = 0; i <= n; i++) {
		for (int ends = 0; ends < 2; ends++) {
			struct canvas cv = explorer_draw(&e);
			for (int k = 0; k < cv.rows * cv.cols && ascii; k++)
				cr_assert(cv.cells[k].code >= 0x20 && cv.cells[k].code < 0x7f,
					"U+%04X at stop %zu", cv.cells[k].code, i);
			canvas_release(&cv);
			explorer_press(&e, "G");
		}
		cr_expect(explorer_shows(&e, ascii ? " v more" : " ↓ more") == false,
			"stop %zu at %d x %d", i, cols, rows);
		/* Its last line is in sight, and nothing is scrolled away in vain. */
		long scroll = interviewer_of(e.app)->scroll;
		explorer_press(&e, "Down PgDn");
		cr_expect(eq(long, interviewer_of(e.app)->scroll, scroll));
		explorer_press(&e, "g n");
	}
	explorer_end(&e);
}

Test(interviewer, every_page_can_be_read_to_its_end, .timeout = 60)
{
	expect_whole(GLYPHS_LINES, 24, 80);
	expect_whole(GLYPHS_ASCII, 24, 80);
	expect_whole(GLYPHS_LINES, LEAST_ROWS, LEAST_COLS);
	expect_whole(GLYPHS_ASCII, 45, 160);
}

Test(interviewer, a_wide_window_has_everything_side_by_side)
{
	struct explorer e = interviewer_on("count=5 seed=5", 45, 160, GLYPHS_LINES);
	explorer_press(&e, "n n 3 e");
	explorer_type(&e, "asked for the goal");
	explorer_press(&e, "Enter");
	expect_shown(&e, "Problem 1 of 6");
	expect_shown(&e, "planned");
	expect_shown(&e, "[3 yes]");
	expect_shown(&e, "0:00 asked for the goal");
	explorer_end(&e);
}

/* Worked by hand: where the question ends and the answer begins. */
Test(interviewer, follow_up_is_told_from_its_answer)
{
	static const struct {
		const char *text, *asked, *good;
	} rows[] = {
		{ "Which? What then?", "*Go on with:* Which? What then?\n", NULL },
		{ "Why not? It is full.", "*Go on with:* Why not?\n",
			"*A good answer:* It is full." },
		{ "Why? And how? A good answer names waves.", "*Go on with:* Why? And how? \n",
			"\nA good answer names waves." },
	};
	struct explorer e = interviewer_on("count=5 seed=5", 24, 80, GLYPHS_LINES);
	struct interviewer *v = interviewer_of(e.app);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		v->session.items[0].variant.follow_up = rows[i].text;
		char *guide = guide_of(v, 1);
		expect_in(guide, rows[i].asked, rows[i].text);
		cr_expect(rows[i].good ? strstr(guide, rows[i].good) != NULL
				       : strstr(guide, "good answer") == NULL,
			"%s", guide);
		free(guide);
	}
	explorer_end(&e);
}

/* --- line mode and the program ----------------------------------------------------------- */

static char *printed(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size), *in = fopen("/dev/null", "r");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, command_run(argc, argv, &(struct streams){ in, out, stderr })));
	fclose(in);
	fclose(out);
	return text;
}

Test(interviewer, line_mode_prints_the_sheet_and_the_lists)
{
	char drill[] = "drill", answers[] = "--answers", sheet[] = "--sheet", seed[] = "--seed",
	     five[] = "5", count[] = "--count", mode[] = "--mode", interview[] = "interview",
	     synonym[] = "--interviewer";
	char *with_sheet[] = { drill, sheet, answers, mode, interview, count, five, seed, five,
		NULL };
	char *without[] = { drill, answers, count, five, seed, five, NULL };
	char *other[] = { drill, count, five, seed, five, synonym, NULL };
	char *paper = printed(9, with_sheet), *lines = printed(6, without),
	     *same = printed(6, other);
	cr_expect(strncmp(lines, paper, strlen(paper)) == 0, "the sheet comes first");
	cr_expect(eq(str, lines, same));
	for (int i = 0; i < N_INTERVIEW_PHASES; i++) {
		char phase[64];
		snprintf(phase, sizeof phase, "Phase %d of 5: %s", i + 1, interview_phases[i].name);
		cr_expect(strstr(lines + strlen(paper), phase) != NULL, "%s", phase);
	}
	free(paper);
	free(lines);
	free(same);
}

Test(interviewer, the_summary_is_on_the_terminal_after_it_is_restored, .description = "long")
{
	static const char *const words[] = { "drill", "--answers", "--count", "5", "--seed", "5",
		NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	cr_expect(pty_shows(&p, "The candidate types"));
	pty_send(&p, " 3");
	pty_send(&p, "e");
	pty_send(&p, "knows the numbers\r");
	pty_send(&p, "q");
	cr_expect(pty_shows(&p, "Summary"));
	pty_send(&p, "q");
	int status = pty_wait(&p);
	cr_expect(zero(int, status));
	cr_expect(pty_restored(&p));
	cr_expect(pty_shows(&p, "knows the numbers"));
	cr_expect(pty_shows(&p, "1 yes, 8 of 9 not marked"));
	pty_free(&p);
}

Test(interviewer, prints_nothing_where_nothing_happened)
{
	static const char *const words[] = { "drill", "--interviewer", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	pty_send(&p, "q");
	int status = pty_wait(&p);
	cr_expect(zero(int, status));
	cr_expect(pty_hides(&p, "Overall"));
	pty_free(&p);
}

/* --- Dealing anew --- */

static void code_of(const struct explorer *e, char *code)
{
	strcpy(code, interviewer_of(e->app)->request.code);
}

Test(interviewer, deals_others_before_it_has_begun)
{
	struct explorer e =
		interviewer_on("seed=5 count=2 topic=memory choice=no", 24, 80, GLYPHS_LINES);
	char before[CODE_SIZE], after[CODE_SIZE];
	const struct interviewer *v = interviewer_of(e.app);
	code_of(&e, before);
	explorer_press(&e, "R");
	expect_shown(&e, "Dealt anew");
	code_of(&e, after);
	cr_expect(ne(str, before, after));
	cr_expect(eq(sz, v->request.options.count, 2));
	cr_expect(eq(str, (char *)v->request.options.topic, "memory"));
	cr_expect(v->request.options.no_choice);
	explorer_press(&e, "Space");
	pass(&e, 1000);
	explorer_press(&e, "R");
	expect_shown(&e, "It has begun: what was dealt stays.");
	code_of(&e, before);
	cr_expect(eq(str, before, after));
	explorer_end(&e);
}

/* A case that was named stays, with other numbers; of one that was not there comes another, at some time. */
Test(interviewer, deals_another_case_unless_one_was_named)
{
	struct explorer named = interviewer_on("case=serve-70b level=staff", 24, 80, GLYPHS_LINES),
			any = interviewer_on("level=staff minutes=30", 24, 80, GLYPHS_LINES);
	char code[CODE_SIZE], next[CODE_SIZE], first[64];
	size_t others = 0;
	snprintf(first, sizeof first, "%s", interviewer_of(any.app)->request.case_id);
	for (int i = 0; i < 5; i++) {
		code_of(&named, code);
		explorer_press(&named, "R");
		code_of(&named, next);
		cr_expect(ne(str, code, next));
		cr_expect(eq(str, interviewer_of(named.app)->request.case_id, "serve-70b"));
		explorer_press(&any, "R");
		const struct drill_request *r = &interviewer_of(any.app)->request;
		others += strcmp(r->case_id, first) != 0;
		cr_expect(eq(int, (int)r->level, LEVEL_STAFF));
		cr_expect(eq(int, (int)r->minutes, 30));
	}
	cr_expect(others > 0);
	explorer_end(&named);
	explorer_end(&any);
}

/* The row of the home screen opens what ":interview: give one" does. */
Test(interviewer, the_home_screen_opens_the_desk)
{
	struct explorer e = start(40, 120, GLYPHS_LINES);
	home_of(e.app)->column = HOME_DRILLS;
	home_of(e.app)->row[HOME_DRILLS] = 0;
	app_settle(e.app);
	for (int i = 0; i < 9 && !explorer_shows(&e, "▸ Give an interview"); i++)
		explorer_press(&e, "j");
	cr_assert(explorer_shows(&e, "▸ Give an interview"));
	expect_shown(&e, "the interviewer's desk");
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	cr_expect(interviewer_of(e.app)->at_case != NULL);
	explorer_end(&e);
}

/* Where each has its mark, none is said to lack one. */
/* A candidate at another machine is seen to be linked, and what no longer comes is told once. */
Test(interviewer, the_desk_says_whether_the_candidate_is_linked)
{
	char path[] = "/tmp/ridge-link-XXXXXX", words[120];
	const int fd = mkstemp(path);
	cr_assert(ne(int, fd, -1));
	snprintf(words, sizeof words, "case=serve-70b level=senior seed=5 answers=yes follow=%s",
		path);
	struct explorer e = interviewer_on(words, 40, 132, GLYPHS_LINES);
	explorer_press(&e, "Space");
	expect_shown(&e, "candidate not linked yet");
	cr_assert(eq(int, (int)write(fd, "\n", 1), 1));
	pass(&e, 1000);
	expect_shown(&e, "candidate linked, 0:00 ago");
	pass(&e, 12000);
	expect_shown(&e, "candidate linked, 0:12 ago");
	pass(&e, 8000);
	expect_shown(&e, "Nothing has come from the candidate's side for 20 s");
	expect_shown(&e, "candidate silent, 0:20 ago");
	cr_assert(eq(int, (int)write(fd, "\n", 1), 1));
	pass(&e, 1000);
	expect_shown(&e, "The candidate's side is linked again.");
	explorer_end(&e);
	close(fd);
	unlink(path);
}

Test(interviewer, the_summary_says_when_all_are_marked)
{
	struct explorer e = interviewer_on("mode=set count=2 seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n 3 n 4 n");
	expect_shown(&e, "Marks: 1 strong yes, 1 yes, all 2 marked.");
	cr_expect(not(explorer_shows(&e, "minutes  ")));
	explorer_end(&e);
}

/* In a low window what has no room is left out, and the keys stay whole. */
Test(interviewer, the_first_page_leaves_the_keys_alone)
{
	for (int rows = 12; rows <= 32; rows++) {
		struct explorer e = interviewer_on(
			"case=serve-70b level=senior seed=5", rows, 60, GLYPHS_LINES);
		expect_shown(&e, "Space clock");
		expect_shown(&e, "The candidate types");
		explorer_end(&e);
	}
}
