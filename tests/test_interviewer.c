/* The interviewer's second terminal: the same problems as the candidate's, all that there is to
 * know of them, the plan of the phases, marks and notes, and what the candidate answers. */
#include "tests/explorer.h"

#include "sims/quantity/quantity_parse.h"
#include "sims/base/rng.h"
#include "tests/pty.h"
#include "ui/commands/cmd_drill.h"
#include "ui/interviewer/interviewer_text.h"
#include "ui/term/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

enum { MINUTE_MS = 60000, START_S = 1767225600 /* 2026-01-01 */ };

/* --- the history that both share, in memory ----------------------------------------------- */

static char kept[1 << 16];
static size_t kept_bytes;

static int keep(const struct history_event *e, char *err, size_t err_size)
{
	size_t n = history_line(e, kept + kept_bytes, sizeof kept - kept_bytes);
	snprintf(err, err_size, "full");
	kept_bytes += n;
	return n ? 0 : -1;
}

static int load_kept(struct history *h, char *err, size_t err_size)
{
	char *text = malloc(kept_bytes + 1);
	snprintf(err, err_size, "out of memory");
	if (!text)
		return -1;
	memcpy(text, kept, kept_bytes);
	return history_parse(h, text, kept_bytes);
}

static uint64_t kept_stamp(void)
{
	return kept_bytes;
}

static struct explorer start(int rows, int cols, enum glyphs glyphs)
{
	struct explorer e = explorer_start(rows, cols, glyphs);
	e.app->epoch_s = START_S;
	e.app->record = keep;
	e.app->load_history = load_kept;
	e.app->history_stamp = kept_stamp;
	return e;
}

static struct explorer interviewer_on(const char *words, int rows, int cols, enum glyphs glyphs)
{
	struct explorer e = start(rows, cols, glyphs);
	char target[128];
	snprintf(target, sizeof target, "interviewer %s", words);
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

static struct explorer candidate_of(const struct explorer *interviewer)
{
	struct explorer e = start(24, 80, GLYPHS_LINES);
	char target[128];
	snprintf(
		target, sizeof target, "drill code=%s", interviewer->app->interviewer.request.code);
	cr_assert(explorer_open(&e, target), "%s", target);
	return e;
}

static void pass(struct explorer *e, int64_t ms)
{
	e->now_ms += ms;
	app_tick(e->app, e->now_ms);
	app_settle(e->app);
}

static void expect_shown(const struct explorer *e, const char *text)
{
	char *screen = explorer_text(e);
	cr_expect(strstr(screen, text) != NULL, "\"%s\" is not in:\n%s", text, screen);
	free(screen);
}

/* The whole of a stop's page, unwrapped. */
static char *guide_of(const struct interviewer *v, size_t stop)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	interviewer_write_guide(v, stop, f);
	fclose(f);
	return text;
}

/* --- the same problems ------------------------------------------------------------------- */

Test(interviewer, has_the_candidates_problems_byte_for_byte)
{
	static const char *const words[] = { "", "seed=7",
		"mode=set topic=inference count=4 seed=3", "mode=sprint seed=99",
		"mode=study seed=5 count=9", "count=12 seed=123456789" };
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		struct explorer e = interviewer_on(words[i], 24, 80, GLYPHS_LINES);
		struct explorer c = candidate_of(&e);
		const struct drill_session *ours = &e.app->interviewer.session;
		const struct drill_session *theirs = &c.app->drill.session;
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
	struct explorer e = interviewer_on("", 24, 80, GLYPHS_LINES);
	const struct interviewer *v = &e.app->interviewer;
	char command[64];
	cr_expect(eq(int, v->session.mode, MODE_INTERVIEW));
	snprintf(command, sizeof command, "ridge drill --code %s", v->request.code);
	expect_shown(&e, command);
	expect_shown(&e, "do not share this screen");
	explorer_press(&e, "n");
	expect_shown(&e, "1 of 5 clarify");
	explorer_press(&e, "c");
	expect_shown(&e, command);
	explorer_end(&e);
}

Test(interviewer, goes_to_the_page_at_once_where_the_code_is_given)
{
	struct explorer e = interviewer_on("seed=4", 24, 80, GLYPHS_LINES);
	char words[64];
	snprintf(words, sizeof words, "code=%s", e.app->interviewer.request.code);
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
		{ "mode=intervew", "did you mean interview" },
		{ "colour=red", "there is no \"colour\"" }, { "count=0", "from 1 to 200" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(24, 80, GLYPHS_LINES);
		char err[256] = "";
		int rc = app_open(e.app, "interviewer", &rows[i].word, 1, err, sizeof err);
		cr_expect(rc == -1 && strstr(err, rows[i].said), "%s: %s", rows[i].word, err);
		cr_expect(not(e.app->interviewer.open));
		explorer_end(&e);
	}
}

/* Every symbol that a code may have has a picture of its own, with both kinds of glyphs. */
Test(interviewer, large_symbols_differ)
{
	static const char symbols[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	enum { ROW = 7, COL = 12, ROWS = 5, COLS = 12, CELLS = ROWS * COLS };
	for (int ascii = 0; ascii < 2; ascii++) {
		uint32_t pictures[sizeof symbols][CELLS];
		struct explorer e =
			interviewer_on("", 40, 100, ascii ? GLYPHS_ASCII : GLYPHS_LINES);
		for (size_t i = 0; symbols[i]; i++) {
			int inked = 0;
			snprintf(e.app->interviewer.request.code, CODE_SIZE, "%c", symbols[i]);
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
		const struct interviewer *v = &e.app->interviewer;
		for (size_t i = 0; i < v->n_stops; i++) {
			if (!v->stops[i].item)
				continue;
			const struct variant *x = &v->stops[i].item->variant;
			char *guide = guide_of(v, i);
			for (size_t s = 0; s < x->n_steps; s++)
				check_step(x, &x->steps[s], guide);
			expect_in(guide, x->hints[0], x->drill->id);
			expect_in(guide, x->hints[1], x->drill->id);
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
	struct explorer e = interviewer_on("", 24, 80, GLYPHS_LINES);
	const struct drill_bank *b = &e.app->interviewer.bank;
	for (size_t i = 0; i < b->n; i++) {
		struct variant v = { .drill = &b->drills[i] };
		for (int phase = 0; phase < N_PHASES; phase++) {
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
	struct explorer e = interviewer_on("seed=5", rows, cols, glyphs);
	size_t n = e.app->interviewer.n_stops;
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
		long scroll = e.app->interviewer.scroll;
		explorer_press(&e, "Down PgDn");
		cr_expect(eq(long, e.app->interviewer.scroll, scroll));
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
	struct explorer e = interviewer_on("seed=5", 45, 160, GLYPHS_LINES);
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
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
	struct interviewer *v = &e.app->interviewer;
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

/* --- a whole interview ------------------------------------------------------------------- */

/* The plan is 5, 10, 15, 10 and 5 minutes; WRAP UP is a minute before the planned end. */
Test(interviewer, clock_says_when_a_phase_is_over)
{
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n");
	expect_shown(&e, "PAUSED");
	pass(&e, 10 * MINUTE_MS); /* of small talk */
	explorer_press(&e, "Space");
	expect_shown(&e, "OK, 5:00 left");
	pass(&e, 4 * MINUTE_MS - 1);
	expect_shown(&e, "OK, 1:01 left");
	pass(&e, 1);
	expect_shown(&e, "WRAP UP, 1:00 left");
	pass(&e, MINUTE_MS - 1);
	expect_shown(&e, "WRAP UP");
	pass(&e, 1);
	expect_shown(&e, "OVER, 0:00 left");
	pass(&e, 30000);
	expect_shown(&e, "OVER by 0:30");
	expect_shown(&e, "all 5:30 of 45:00, 39:30 left");
	expect_shown(&e, "▸clarify 5/5");
	explorer_press(&e, "Space");
	pass(&e, 10 * MINUTE_MS);
	expect_shown(&e, "PAUSED");
	explorer_press(&e, "Space ]");
	expect_shown(&e, "2 of 5 estimate, 0:00");
	expect_shown(&e, "OK, 9:30 left");
	explorer_end(&e);
}

Test(interviewer, clock_wakes_the_screen_each_second_and_not_while_nothing_moves)
{
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
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
	struct interviewer *v = &e.app->interviewer;
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
	static const char *const lines[] = { "2026-01-01 00:00 UTC", "clock 30:42 of 45:00",
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
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
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
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "Space");
	pass(&e, MINUTE_MS);
	cr_assert(explorer_open(&e, "roofline"));
	e.now_ms += MINUTE_MS;
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	expect_shown(&e, "all 2:00 of 45:00");
	explorer_end(&e);
}

/* Marks of Markdown, of a terminal, of UTF-8: a note is shown as it was typed. */
Test(interviewer, notes_are_shown_as_typed)
{
	static const char typed[] = "**a** _b_ | # `c` <d> 1. \\ [e](f) & é";
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
	explorer_press(&e, "n");
	note(&e, typed);
	explorer_press(&e, "q");
	explorer_press(&e, "G");
	expect_shown(&e, typed);
	explorer_press(&e, "p e Enter E");
	for (int i = text_width(typed); i > 0; i--)
		explorer_press(&e, "BS");
	explorer_press(&e, "Enter");
	cr_expect(zero(ptr, e.app->interviewer.subjects[0].notes), "an empty note goes");
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
	cr_expect(eq(sz, e.app->interviewer.at, 0), "the interviewer goes on, not the program");
	explorer_press(&c, "Enter");
	const struct session_item *item = &c.app->drill.session.items[1];
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

/* Of several parts each has to be done with; then the phase is what goes on. */
Test(interviewer, knows_when_a_problem_of_several_parts_is_closed)
{
	struct explorer e = interviewer_on("seed=5 count=2", 24, 80, GLYPHS_LINES);
	struct explorer c = candidate_of(&e);
	const struct interviewer *v = &e.app->interviewer;
	struct drill_session *s = &c.app->drill.session;
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
	cr_expect(lt(sz, (size_t)1, e.app->interviewer.history.n), "it was read");
	explorer_end(&other);
	explorer_end(&e);
	explorer_end(&early);
	explorer_end(&before);
}

/* --- any keys ---------------------------------------------------------------------------- */

Test(interviewer, any_keys_break_nothing, .timeout = 60)
{
	static const char keys[] = "nnp][1234eEcq gGjkx?\r\033\177: ";
	struct rng r = rng_stream(1, "interviewer", 0);
	struct explorer e = interviewer_on("seed=5", 24, 80, GLYPHS_LINES);
	for (int n = 0; n < 1500; n++) {
		if (rng_below(&r, 8) == 0)
			app_resize(e.app, 1 + (int)rng_below(&r, 60), 1 + (int)rng_below(&r, 200));
		e.now_ms += (int64_t)rng_below(&r, 20000);
		explorer_key(&e, (uint32_t)keys[rng_below(&r, sizeof keys - 1)]);
		app_tick(e.app, e.now_ms);
		if (e.app->screen != SCREEN_INTERVIEWER && n % 5 == 0)
			explorer_open(&e, "interviewer seed=5");
		const struct interviewer *v = &e.app->interviewer;
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

/* --- line mode and the program ----------------------------------------------------------- */

static char *printed(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size), *in = fopen("/dev/null", "r");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, cmd_drill(argc, argv, in, out, stderr)));
	fclose(in);
	fclose(out);
	return text;
}

Test(interviewer, line_mode_prints_the_sheet_and_the_lists)
{
	char drill[] = "drill", answers[] = "--answers", sheet[] = "--sheet", seed[] = "--seed",
	     five[] = "5", mode[] = "--mode", interview[] = "interview",
	     synonym[] = "--interviewer";
	char *with_sheet[] = { drill, sheet, answers, mode, interview, seed, five, NULL };
	char *without[] = { drill, answers, seed, five, NULL };
	char *other[] = { drill, seed, five, synonym, NULL };
	char *paper = printed(7, with_sheet), *lines = printed(4, without),
	     *same = printed(4, other);
	cr_expect(strncmp(lines, paper, strlen(paper)) == 0, "the sheet comes first");
	cr_expect(eq(str, lines, same));
	for (int i = 0; i < N_PHASES; i++) {
		char phase[64];
		snprintf(phase, sizeof phase, "Phase %d of 5: %s", i + 1, interview_phases[i].name);
		cr_expect(strstr(lines + strlen(paper), phase) != NULL, "%s", phase);
	}
	free(paper);
	free(lines);
	free(same);
}

Test(interviewer, the_summary_is_on_the_terminal_after_it_is_restored)
{
	static const char *const words[] = { "drill", "--answers", "--seed", "5", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, NULL);
	cr_expect(pty_shows(&p, "The candidate types:"));
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
	cr_expect(not(pty_shows(&p, "Overall")));
	pty_free(&p);
}
