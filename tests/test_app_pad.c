/* The scratch pad on the drill screen, the parts of an estimate, and frames of every state. */
#include "tests/driller.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/term/keys.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"

#include "sims/base/rng.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static bool used_scratch;
static size_t n_kept;

static int keep(const struct history_event *e, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	used_scratch = e->scratch;
	n_kept++;
	return 0;
}

static struct explorer begin(int cols, const char *words)
{
	struct explorer e = driller_start(24, cols, GLYPHS_LINES, words);
	e.app->record = keep;
	n_kept = 0;
	used_scratch = false;
	return e;
}

/* --- the pad ---------------------------------------------------------------------------- */

Test(app_pad, lines_are_worked_out_and_their_result_goes_to_the_answer)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=2");
	explorer_press(&e, "9 Ctrl-S");
	cr_expect(explorer_shows(&e, "scratch pad") && explorer_shows(&e, "▸ 9"));
	explorer_type(&e, "2 x 48 x 8 x 128 x 2 B");
	cr_expect(explorer_shows(&e, "= 196.608 kB") == true, "as it is typed");
	explorer_press(&e, "Enter");
	explorer_type(&e, "ans x 4 x 2,048");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "#2   ans x 4 x 2,048 = 1.61061 GB") == true);
	explorer_type(&e, "#1 + 3 s");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "cannot add bytes and seconds") == true);
	cr_expect(eq(str, e.app->entry.text, (char *)"#1 + 3 s"), "it stays, to be mended");
	explorer_press(&e, "Tab");
	cr_expect(eq(str, e.app->entry.text, (char *)"9"), "the answer is as it was");
	explorer_press(&e, "Ctrl-S");
	cr_expect(eq(str, e.app->entry.text, (char *)"#1 + 3 s"));
	explorer_press(&e, "Ctrl-Y"); /* 1.610612736 GB, in full */
	cr_expect(eq(str, e.app->entry.text, (char *)"1.610612736 GB"));
	cr_expect(eq(int, e.app->entry.kind, ENTRY_ANSWER));
	answer_right(&e);
	cr_expect(explorer_shows(&e, "✓ Correct") && used_scratch && n_kept == 1);
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "scratch pad ─") == false, "the next problem has a clean one");
	answer_right(&e);
	cr_expect(used_scratch == false);
	explorer_end(&e);
}

/* Beside the pad Tab has been the way back, so that the first one takes no hint. */
Test(app_pad, one_tab_too_many_is_not_charged)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
	explorer_press(&e, "Ctrl-S");
	explorer_type(&e, "2 x 48");
	explorer_press(&e, "Enter Ctrl-Y Tab");
	cr_expect(zero(uint, item_of(&e)->hints));
	cr_expect(explorer_shows(&e, "Tab once more takes it") == true);
	explorer_press(&e, "Tab");
	cr_expect(eq(uint, item_of(&e)->hints, 1));
	explorer_press(&e, "Tab");
	cr_expect(eq(uint, item_of(&e)->hints, 2), "it is asked once");
	explorer_end(&e);
}

/* In a small window the part that was given up is what one sees, not the first one. */
Test(app_pad, the_part_that_was_given_up_is_in_sight)
{
	struct explorer e =
		driller_start(20, 60, GLYPHS_LINES, "topic=goodput-of-a-cluster seed=3 count=1");
	const struct variant *v = &item_of(&e)->variant;
	char heading[16];
	while (v->step + 1 < v->n_steps) {
		submit(&e, v->steps[v->step].answer);
	}
	snprintf(heading, sizeof heading, "Part %zu", v->n_steps);
	explorer_press(&e, "Ctrl-G");
	cr_assert(lt(sz, 1, v->n_steps));
	cr_expect(explorer_shows(&e, heading), "%s", heading);
	explorer_end(&e);
}

Test(app_pad, to_look_at_it_is_not_to_use_it)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
	explorer_press(&e, "Ctrl-S Ctrl-S");
	answer_right(&e);
	cr_expect(n_kept == 1 && !used_scratch);
	explorer_end(&e);
}

Test(app_pad, an_expression_is_an_answer_and_counts_as_scratch)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
	char text[96];
	snprintf(text, sizeof text, "(%s)", item_of(&e)->variant.steps[0].answer);
	submit(&e, text);
	cr_expect(explorer_shows(&e, "✓ Correct") && explorer_shows(&e, "read as ("));
	cr_expect(item_of(&e)->closed && used_scratch);
	explorer_end(&e);
}

/* Eight bits a byte, whatever prefix that takes. */
Test(app_pad, a_wrong_amount_is_said_in_bits_too)
{
	static const char *const rows[][2] = { { "100 kB/token", "= 800 kbit/token" },
		{ "10 EB/token", "= 80 Ebit/token" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
		submit(&e, rows[i][0]);
		cr_expect(explorer_shows(&e, rows[i][1]), "%s", rows[i][1]);
		explorer_end(&e);
	}
}

Test(app_pad, the_line_before_can_be_mended_and_escape_closes)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
	explorer_press(&e, "Ctrl-S 2 + 3 Enter BS");
	cr_expect(eq(str, e.app->entry.text, (char *)"2+3"));
	cr_expect(eq(sz, drill_of(e.app)->desk.pad.n, 0));
	explorer_press(&e, "Enter Up");
	cr_expect(eq(str, e.app->entry.text, (char *)"2+3"));
	explorer_press(&e, "Esc");
	cr_expect(eq(str, e.app->entry.text, (char *)""), "first the line");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->entry.kind, ENTRY_ANSWER), "then the pad");
	cr_expect(explorer_shows(&e, "scratch pad ─") == false);
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	explorer_press(&e, "Ctrl-Y");
	cr_expect(explorer_shows(&e, "has no result yet") == true);
	explorer_end(&e);
}

/* Under the problem; beside it where there is room. */
Test(app_pad, stands_beside_the_problem_in_a_wide_window)
{
	for (int cols = 109; cols <= 110; cols++) {
		struct explorer e = begin(cols, "topic=kv-per-token seed=3 count=1");
		explorer_press(&e, "Ctrl-S 1 + 1 Enter");
		struct canvas cv = explorer_draw(&e);
		bool beside =
			cv.cells[cv.cursor_row * cv.cols + 4].code != ' ' || cv.cursor_row < 12;
		cr_expect(eq(int, beside, cols == 110), "%d columns, cursor in row %d", cols,
			cv.cursor_row);
		canvas_release(&cv);
		explorer_end(&e);
	}
}

Test(app_pad, a_pause_hides_it_and_keeps_it)
{
	struct explorer e = begin(80, "topic=kv-per-token seed=3 count=1");
	explorer_press(&e, "7 Ctrl-S 2 + 3 Enter 4 Ctrl-P");
	cr_expect(explorer_shows(&e, "= 5") == false);
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "= 5") && explorer_shows(&e, "▸ 7"));
	cr_expect(eq(str, e.app->entry.text, (char *)"4"));
	explorer_end(&e);
}

/* --- estimates -------------------------------------------------------------------------- */

/* A step that is done with leaves its exact value and the own answer in sight. */
Test(app_pad, earlier_parts_stay_in_sight)
{
	struct explorer e = begin(80, "topic=gradient-exchange seed=3 count=1");
	const struct variant *v = &item_of(&e)->variant;
	cr_assert(lt(sz, 1, v->n_steps));
	cr_expect(explorer_shows(&e, "part 1 of") && !explorer_shows(&e, "Yours:"));
	for (int i = 0; i < 3; i++)
		answer_step_wrong(&e);
	cr_expect(eq(sz, v->step, 1));
	cr_expect(explorer_shows(&e, "part 2 of") && explorer_shows(&e, "✗ Yours: "));
	cr_expect(explorer_shows(&e, "Part 1: ✗ Not right") == true);
	char exact[64];
	const char *last = strstr(v->steps[0].working, " = ");
	cr_assert(last != NULL);
	snprintf(exact, sizeof exact, "%s", last + 1);
	cr_expect(explorer_shows(&e, exact) == true, "%s", exact);
	submit(&e, v->steps[1].answer);
	explorer_press(&e, "PgUp PgUp PgUp");
	cr_expect(explorer_shows(&e, exact) == true, "%s", exact);
	explorer_end(&e);
}

/* The second part from the own wrong first one: found among all estimates. */
Test(app_pad, follow_through_is_said)
{
	int found = 0;
	for (int seed = 1; seed <= 40 && !found; seed++) {
		char words[64];
		snprintf(words, sizeof words, "topic=estimates seed=%d count=1", seed);
		struct explorer e = begin(80, words);
		const struct variant *v = &item_of(&e)->variant;
		double given[MOST_STEPS];
		for (int i = 0; i < MOST_STEPS; i++)
			given[i] = NAN;
		given[0] = v->steps[0].question.key * 3.3;
		double own = variant_follow(v, 1, given);
		const struct question *q = &v->steps[1].question;
		bool follows = v->steps[0].step->kind == KIND_NUMBER &&
			       v->steps[1].step->kind == KIND_NUMBER && isfinite(own) &&
			       !question_accepts(q, own);
		for (int i = 0; follows && i < 3; i++) {
			char text[96];
			/* The same number twice costs one attempt: the last of three is the given one. */
			snprintf(text, sizeof text, "%.12g %s", given[0] * (0.8 + 0.1 * i),
				v->steps[0].question.unit);
			submit(&e, text);
		}
		if (follows && v->step == 1) {
			char text[96];
			snprintf(text, sizeof text, "%.12g %s", own, q->unit);
			submit(&e, text);
			found += explorer_shows(
				&e, "≈ Right from your own earlier value: 75 % of the credit");
		}
		explorer_end(&e);
	}
	cr_expect(eq(int, found, 1));
}

/* --- frames ----------------------------------------------------------------------------- */

static const struct {
	const char *words, *keys, *shows;
} states[] = {
	{ "mode=sprint seed=7", "", "Enter starts" },
	{ "mode=interview count=5 seed=7", "", "Enter starts" },
	{ "mode=set seed=7", "", "0:00 of 0:" },
	{ "mode=study seed=7", "", "1 of 5" },
	{ "mode=set seed=7", "Tab", "Hint: " },
	{ "mode=set seed=7", "a b Enter", "no attempt used" },
	{ "mode=set topic=kv-per-token seed=7", "1 Enter", "attempt 2 of 3" },
	{ "mode=set topic=kv-per-token seed=7", "1 Space s Enter", "No attempt used" },
	{ "mode=set topic=kv-per-token seed=7", "1 Space s Enter 1 Space s Enter",
		"attempt 2 of 3" },
	{ "mode=set topic=kv-per-token seed=7", "Ctrl-G", "Given up" },
	{ "mode=set topic=priorities seed=7", "Ctrl-G", "Given up" },
	{ "mode=set topic=symptoms seed=7", "Ctrl-G", "Given up" },
	{ "mode=set topic=numbers seed=7", "Ctrl-G", "Given up" },
	{ "mode=set topic=estimates seed=7", "Ctrl-G", "Given up" },
	{ "mode=set topic=coding seed=7", "e Enter 1 Ctrl-S 2 Enter Tab", "run it against" },
	{ "mode=set topic=coding seed=7", "Ctrl-G", "Given up" },
	{ "mode=set seed=7", "Ctrl-P", "Paused" },
	{ "mode=set seed=7", "Ctrl-S 2 x 3 Enter 4 +", "scratch pad" },
	{ "mode=sprint seed=7", "Enter", "left of 2:00" },
	{ "mode=sprint seed=7", "Enter Ctrl-P", "PAUSED" },
	{ "mode=interview count=5 seed=7", "Enter n o Enter", "[clarify]" },
	{ "mode=interview count=5 seed=7", "Enter Ctrl-N", "[estimate]" },
	{ "mode=interview count=5 seed=7", "Enter Ctrl-N Ctrl-N", "[design]" },
	{ "mode=interview count=5 seed=7", "Enter Ctrl-N Ctrl-N Ctrl-N", "[drill]" },
	{ "mode=interview count=5 seed=7", "Enter Ctrl-N Ctrl-N Ctrl-N Ctrl-N", "[wrap up]" },
	{ "mode=interview count=5 seed=7", "Enter Ctrl-N Ctrl-N Ctrl-N Ctrl-N Ctrl-N", "Done" },
};
enum { N_STATES = sizeof states / sizeof *states };

static void expect_frame(struct explorer *e, const char *what, bool ascii)
{
	struct canvas cv = explorer_draw(e);
	for (int i = 0; i < cv.rows * cv.cols; i++) {
		uint32_t code = cv.cells[i].code;
		cr_assert(ascii == false || (code >= 0x20 && code < 0x7f), "%s: U+%04X in row %d",
			what, code, i / cv.cols);
		cr_assert(code < 0x2800 || code > 0x28ff, "%s: braille", what);
	}
	/* Nothing stands in the margins. */
	for (int row = 2; row < cv.rows - 1; row++)
		cr_expect(cv.cells[row * cv.cols].code == ' ' &&
				  cv.cells[row * cv.cols + cv.cols - 1].code == ' ',
			"%s: row %d", what, row);
	canvas_release(&cv);
}

Test(app_pad, every_state_fits_the_least_usual_window)
{
	for (int ascii = 0; ascii < 2; ascii++)
		for (size_t i = 0; i < N_STATES; i++) {
			struct explorer e = driller_start(
				24, 80, ascii ? GLYPHS_ASCII : GLYPHS_LINES, states[i].words);
			char what[160];
			explorer_press(&e, states[i].keys);
			snprintf(what, sizeof what, "%s %s", states[i].words, states[i].keys);
			char *text = explorer_text(&e);
			cr_expect(strstr(text, states[i].shows) != NULL, "%s:\n%s", what, text);
			free(text);
			expect_frame(&e, what, ascii);
			explorer_end(&e);
		}
}

Test(app_pad, every_state_survives_any_size)
{
	static const int sizes[][2] = { { 12, 40 }, { 13, 61 }, { 16, 80 }, { 45, 160 },
		{ 100, 300 }, { 12, 200 }, { 60, 40 }, { 1, 1 } };
	for (size_t i = 0; i < N_STATES; i++) {
		struct explorer e = driller_start(24, 80, GLYPHS_LINES, states[i].words);
		explorer_press(&e, states[i].keys);
		for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
			app_resize(e.app, sizes[k][0], sizes[k][1]);
			app_settle(e.app);
			free(explorer_text(&e));
			explorer_press(&e, "PgDn PgDn PgUp End Down");
			free(explorer_text(&e));
		}
		explorer_end(&e);
	}
}

/* All of a sheet that is longer than its window is reached, and a mark says that there is more. */
Test(app_pad, nothing_is_cut_without_a_way_to_it)
{
	for (size_t i = 0; i < N_STATES; i++) {
		struct explorer tall = driller_start(200, 80, GLYPHS_LINES, states[i].words);
		struct explorer e = driller_start(24, 80, GLYPHS_LINES, states[i].words);
		explorer_press(&tall, states[i].keys);
		explorer_press(&e, states[i].keys);
		explorer_press(&tall, "PgUp"); /* no message of the last key */
		char *whole = explorer_text(&tall), *all = NULL, *rest = NULL;
		size_t size;
		FILE *f = open_memstream(&all, &size);
		for (int page = 0; page < 20; page++)
			explorer_press(&e, "PgUp");
		for (int page = 0; page < 60; page++) {
			char *text = explorer_text(&e);
			fputs(text, f);
			free(text);
			explorer_press(&e, "Down");
		}
		fclose(f);
		/* What the keys do comes last; it is in the footer as well, and in the body only where it
		 * has room. */
		for (char *line = strtok_r(whole, "\n", &rest);
			line && !strstr(line, "What you can do");
			line = strtok_r(NULL, "\n", &rest))
			cr_expect(strstr(all, line) != NULL, "%s %s: \"%s\"", states[i].words,
				states[i].keys, line);
		free(whole);
		free(all);
		explorer_end(&e);
		explorer_end(&tall);
	}
}

/* Keys of the table, digits and units, with time between them. */
static void play(const char *words, uint64_t seed)
{
	static const char typed[] = "0123456789.x/*()#+-^ GBskMin%ans";
	struct explorer e = driller_start(24, 80, seed % 2 ? GLYPHS_LINES : GLYPHS_ASCII, words);
	struct rng r = rng_stream(seed, "keys of a drill", 0);
	for (int n = 0; n < 500; n++) {
		const struct key_binding *b = &key_bindings[rng_below(&r, n_key_bindings)];
		bool types = rng_below(&r, 2) == 0;
		e.now_ms += (int64_t)rng_below(&r, 3000);
		if (types)
			explorer_key(&e, (uint32_t)typed[rng_below(&r, sizeof typed - 1)]);
		else if (b->action != ACT_QUIT && b->action != ACT_PALETTE && b->key != KEY_ESC)
			explorer_key(&e, b->key);
		app_tick(e.app, e.now_ms);
		if (n % 50 == 0)
			app_resize(
				e.app, 12 + (int)rng_below(&r, 50), 40 + (int)rng_below(&r, 120));
		if (n % 4 == 0)
			free(explorer_text(&e));
		cr_assert(e.app->failed == false && e.app->entry.bytes < sizeof e.app->entry.text);
	}
	explorer_end(&e);
}

Test(app_pad, any_keys_in_any_mode_break_nothing)
{
	static const char *const modes[] = { "mode=set", "mode=study", "mode=sprint",
		"mode=interview count=3" };
	for (uint64_t i = 0; i < 8; i++)
		play(modes[i % 4], i);
}
