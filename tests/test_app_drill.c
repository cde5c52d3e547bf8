/* A drill on the screen: nothing of the key before grading, the words of the verdict, the clock,
 * the ways on and back. */
#include "tests/driller.h"
#include "tests/times_in.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/shell/bindings.h"
#include "ui/term/paragraph.h"
#include "sims/quantity/quantity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

enum { MINUTE_MS = 60000, SEEDS = 50 };

/* The minute of the clock is the seed. */
static struct explorer open_drill(int rows, int cols, enum glyphs glyphs, int64_t seed)
{
	struct explorer e = explorer_start(rows, cols, glyphs);
	e.now_ms = seed * MINUTE_MS;
	explorer_press(&e, "j"); /* tells the time */
	cr_assert(explorer_open(&e, "drill"));
	return e;
}

/* The number in the text, not as a part of a longer one. */
static bool has_number(const char *text, const char *number)
{
	size_t n = strlen(number);
	for (const char *p = text; (p = strstr(p, number)); p++) {
		bool before = p > text && (isdigit((unsigned char)p[-1]) || strchr(".,", p[-1]));
		bool after = isdigit((unsigned char)p[n]) ||
			     (p[n] == '.' && isdigit((unsigned char)p[n + 1]));
		if (!before && !after)
			return true;
	}
	return false;
}

static size_t count_digits(const char *number)
{
	size_t n = 0;
	for (; *number; number++)
		n += isdigit((unsigned char)*number) != 0;
	return n;
}

/* Everything that a candidate can bring on the screen before an answer is graded. */
static void expect_no_key(struct explorer *e, const char *number)
{
	static const char *const keys[] = { "", "Tab", "Tab", "Ctrl-P", "Ctrl-P", "?", "Esc",
		": d r i", "Esc" };
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		explorer_press(e, keys[i]);
		char *text = explorer_text(e);
		cr_expect(has_number(text, number) == false,
			"%s of %s is on the screen after %s:\n%s", number,
			item_of(e)->variant.drill->id, keys[i], text);
		free(text);
	}
}

Test(app_drill, no_key_is_on_the_screen_before_grading, .description = "long")
{
	int checked = 0;
	for (int seed = 1; seed <= SEEDS; seed++) {
		struct explorer e =
			open_drill(40, 100, seed % 2 ? GLYPHS_LINES : GLYPHS_ASCII, seed);
		while (drill_of(e.app)->session.current < drill_of(e.app)->session.n) {
			const struct question *q = &item_of(&e)->variant.question;
			char number[64];
			/* A choice or an order has the key 0. */
			number_format(number, sizeof number, key_shown(q));
			/* Fewer digits may stand there by chance: 8 GPUs, 80 layers. */
			if (count_digits(number) >= 3) {
				expect_no_key(&e, number);
				checked++;
			}
			explorer_press(&e, "Ctrl-G Enter");
		}
		explorer_end(&e);
	}
	cr_expect(lt(int, SEEDS, checked));
}

/* The word and the mark say it, with and without colours. */
Test(app_drill, right_and_wrong_differ_in_words)
{
	for (int ascii = 0; ascii < 2; ascii++)
		for (int seed = 1; seed <= 10; seed++) {
			enum glyphs glyphs = ascii ? GLYPHS_ASCII : GLYPHS_LINES;
			struct explorer right = open_drill(40, 100, glyphs, seed);
			struct explorer wrong = open_drill(40, 100, glyphs, seed);
			answer_right(&right);
			answer_wrong(&wrong);
			cr_expect(item_of(&right)->closed && item_of(&wrong)->closed, "seed %d",
				seed);
			cr_expect(eq(int, item_of(&right)->grade.verdict, VERDICT_CORRECT),
				"seed %d", seed);
			const char *said[2] = { ascii ? "+ Correct" : "✓ Correct",
				ascii ? "x Not right" : "✗ Not right" };
			cr_expect(
				explorer_shows(&right, said[0]) && !explorer_shows(&right, said[1]),
				"seed %d", seed);
			/* Of two options there is no second wrong answer. */
			cr_expect(drill_of(wrong.app)->desk.gave_up ||
					  (explorer_shows(&wrong, said[1]) &&
						  !explorer_shows(&wrong, said[0])),
				"seed %d", seed);
			explorer_end(&right);
			explorer_end(&wrong);
		}
}

/* An option begins as a sentence does; it may end with a question mark, and is still no question. */
Test(app_drill, options_stand_behind_their_numbers)
{
	for (int wide = 0; wide < 2; wide++)
		for (int seed = 0; seed < 8; seed++) {
			char words[64], shown[64];
			snprintf(words, sizeof words, "topic=three-times-faster seed=%d", seed);
			struct explorer e =
				driller_start(wide ? 32 : 24, wide ? 100 : 80, GLYPHS_LINES, words);
			const struct variant_step *s = item_of(&e)->variant.steps;
			cr_assert(eq(sz, s->n_options, 4));
			for (size_t i = 0; i < s->n_options; i++) {
				snprintf(shown, sizeof shown, "%zu. %.20s", i + 1,
					s->options[i].text);
				shown[strlen("1. ")] = (char)toupper((unsigned char)shown[3]);
				cr_expect(explorer_shows(&e, shown), "seed %d: %s", seed, shown);
			}
			explorer_end(&e);
		}
}

Test(app_drill, what_cannot_be_read_costs_nothing_and_stays_to_be_mended)
{
	struct explorer e = open_drill(24, 80, GLYPHS_LINES, 3);
	explorer_type(&e, "a lot");
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, item_of(&e)->attempts, 0));
	cr_expect(item_of(&e)->closed == false);
	cr_expect(eq(str, e.app->entry.text, (char *)"a lot"));
	cr_expect(explorer_shows(&e, "a lot") == true);
	explorer_end(&e);
}

Test(app_drill, pause_stops_the_clock_and_hides_the_problem)
{
	struct explorer e = open_drill(24, 80, GLYPHS_LINES, 4);
	e.now_ms += 10000;
	explorer_press(&e, "Ctrl-P");
	int64_t spent_ms = session_spent_ms(&drill_of(e.app)->session, e.now_ms);
	cr_expect(eq(long, (long)spent_ms, 10000));
	char *prompt = strndup(item_of(&e)->variant.prompt, 12);
	cr_expect(explorer_shows(&e, "Paused") && !explorer_shows(&e, prompt), "%s", prompt);
	cr_expect(eq(int, app_tick(e.app, e.now_ms), -1), "nothing moves while it is paused");
	e.now_ms += 500000;
	explorer_press(&e, "Ctrl-P");
	cr_expect(explorer_shows(&e, prompt) == true);
	e.now_ms += 1000;
	cr_expect(eq(long, (long)session_spent_ms(&drill_of(e.app)->session, e.now_ms), 11000));
	cr_expect(lt(int, 0, app_tick(e.app, e.now_ms)));
	free(prompt);
	explorer_end(&e);
}

/* From the graded answer to the simulation with the same numbers, or to the page, and back. */
Test(app_drill, ways_lead_on_from_a_graded_answer_and_back)
{
	static const char *const ways[] = { "g", "p" };
	for (int seed = 1; seed <= 10; seed++)
		for (int way = 0; way < 2; way++) {
			struct explorer e = open_drill(24, 80, GLYPHS_LINES, seed);
			size_t before = e.app->behind.n;
			explorer_press(&e, "Ctrl-G");
			const struct variant *v = &item_of(&e)->variant;
			explorer_press(&e, ways[way]);
			const char *target = way ? v->page : v->sim;
			if (target && e.app->screen == SCREEN_DRILL) /* said why not */
				cr_expect(
					e.app->message[0] != '\0', "%s: %s", v->drill->id, target);
			else if (target)
				cr_expect(eq(int, e.app->screen, way ? SCREEN_PAGE : SCREEN_SIM),
					"%s", v->drill->id);
			if (e.app->screen != SCREEN_DRILL)
				explorer_press(&e, "Esc");
			cr_expect(e.app->screen == SCREEN_DRILL && e.app->behind.n == before, "%s",
				v->drill->id);
			cr_expect(item_of(&e)->closed == true, "the answer is still graded");
			explorer_end(&e);
		}
}

/* What lies between does not take the answer line away. */
Test(app_drill, an_open_problem_can_be_answered_after_a_look_elsewhere)
{
	struct explorer e = open_drill(24, 80, GLYPHS_LINES, 5);
	explorer_press(&e, "1 2 Left");
	cr_assert(explorer_open(&e, "roofline"));
	explorer_press(&e, "j l l");
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	explorer_press(&e, "Enter 7");
	cr_expect(strchr(e.app->entry.text, '7') != NULL, "\"%s\"", e.app->entry.text);
	cr_expect(eq(int, e.app->entry.kind, ENTRY_ANSWER));
	explorer_end(&e);
}

/* --- the question ----------------------------------------------------------------------- */

static bool is_blank(const struct canvas *cv, int row)
{
	for (int col = 0; col < cv->cols; col++)
		if (cv->cells[row * cv->cols + col].code != ' ')
			return false;
	return true;
}

/* Whether a row of the body has a bold question mark. */
static bool asks(const struct canvas *cv, int row)
{
	for (int col = 0; col < cv->cols; col++) {
		const struct cell *c = &cv->cells[row * cv->cols + col];
		if (c->code == '?' && c->attr & ATTR_BOLD)
			return true;
	}
	return false;
}

/* A question in words has lines of its own, with a blank one below; above it, too, or the line that
 * says which part it is. The clock is not dim. */
Test(app_drill, the_question_stands_alone_and_the_clock_is_legible)
{
	int found = 0;
	for (int64_t seed = 1; seed <= SEEDS; seed++) {
		struct explorer e = open_drill(36, 100, GLYPHS_LINES, seed);
		struct canvas cv = explorer_draw(&e);
		for (int row = 3; row < cv.rows - 2; row++) {
			int end = row;
			if (!asks(&cv, row))
				continue;
			while (!is_blank(&cv, end))
				end++;
			cr_expect(le(int, end - row, 2), "seed %d", (int)seed);
			found++;
			break;
		}
		const struct cell *last =
			&cv.cells[2 * cv.cols + text_column((struct rect){ 2, 1, 33, 98 }, 72).col +
				  71];
		cr_expect(eq(int, last->style, STYLE_PLAIN), "seed %d: the clock", (int)seed);
		cr_expect(ne(u32, last->code, ' '), "seed %d: the clock", (int)seed);
		canvas_release(&cv);
		explorer_end(&e);
	}
	cr_expect(lt(int, SEEDS / 2, found));
}

/* Down and Up put the numbers of the options into the line, from the first to the last. */
Test(app_drill, options_are_chosen_with_the_arrows)
{
	struct explorer e = driller_start(24, 80, GLYPHS_LINES, "topic=three-times-faster seed=1");
	static const struct {
		const char *key, *line;
	} steps[] = { { "Up", "1" }, { "Down", "2" }, { "Down Down Down", "4" }, { "Up", "3" } };
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		explorer_press(&e, steps[i].key);
		cr_expect(eq(str, e.app->entry.text, (char *)steps[i].line), "step %zu", i);
	}
	explorer_end(&e);
}

/* What is of another kind is said in one sentence, with the unit that is asked for. */
Test(app_drill, a_unit_of_another_kind_is_told_in_a_sentence)
{
	struct explorer e = driller_start(24, 80, GLYPHS_LINES, "topic=ridge-point seed=1");
	explorer_type(&e, "3 GB");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "3 GB is not in FLOP/B. No attempt used."));
	cr_expect(explorer_shows(&e, "Write it in FLOP/B, or without a unit."));
	cr_expect(not(explorer_shows(&e, "read as")));
	explorer_end(&e);
}

/* What is longer than its sentence is not said again, so that the unit that is asked for stays. */
Test(app_drill, a_long_line_of_another_kind_is_told_with_its_unit)
{
	struct explorer e = driller_start(24, 100, GLYPHS_LINES, "topic=ridge-point seed=1");
	for (int i = 0; i < 12; i++)
		explorer_type(&e, i ? " + 1.25 GB" : "1.25 GB");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "is not in FLOP/B. No attempt used."));
	explorer_end(&e);
}

/* The clock is a line too, which fills up to par; what counts as right is a sentence. */
Test(app_drill, time_is_a_line_and_what_counts_a_sentence)
{
	int sentences = 0, lines = 0;
	for (int64_t seed = 1; seed <= SEEDS; seed++) {
		struct explorer e = open_drill(24, 100, GLYPHS_LINES, seed);
		const struct variant *v = &item_of(&e)->variant;
		const char *rule = v->tolerance;
		/* Without the example: numbers in the unit of the answer look like the answer. */
		if (strncmp(rule, "within", strlen("within")) == 0) {
			char says[80];
			snprintf(says, sizeof says, "%.*s counts", (int)strcspn(rule, ":"), rule);
			cr_expect(explorer_shows(&e, says), "%s", rule);
			cr_expect(not(explorer_shows(&e, "counts:")), "%s", rule);
			if (strchr(rule, ':'))
				cr_expect(not(explorer_shows(&e, rule)), "%s", rule);
			sentences++;
		}
		/* Half of par fills half of the sixteen columns. */
		if (explorer_shows(&e, "················┤")) {
			e.now_ms += (int64_t)(v->drill->par_s * 1000 * (0.5 + 1 / 64.));
			app_tick(e.app, e.now_ms);
			cr_expect(explorer_shows(&e, "━━━━━━━━········┤"), "seed %d", (int)seed);
			lines++;
		}
		explorer_end(&e);
	}
	cr_expect(lt(int, SEEDS / 4, sentences));
	cr_expect(lt(int, SEEDS / 4, lines));
}

/* In 24 rows the keys keep their place beside most problems, and lose their heading first. */
Test(app_drill, keys_stand_in_the_body_of_a_low_window)
{
	int stand = 0, bare = 0;
	for (int64_t seed = 1; seed <= SEEDS; seed++) {
		struct explorer e = open_drill(24, 80, GLYPHS_LINES, seed);
		const bool keys = explorer_shows(&e, "Ctrl-G  give up, and see how it goes");
		const bool heading = explorer_shows(&e, "What you can do");
		cr_expect(keys || !heading, "seed %d", (int)seed);
		stand += keys;
		bare += keys && !heading;
		explorer_end(&e);
	}
	cr_expect(lt(int, SEEDS * 3 / 4, stand));
	cr_expect(lt(int, 0, bare));
}

/* What the keys lead to stands under the solution, each with what it does. */
Test(app_drill, the_ways_on_are_in_the_body)
{
	for (int64_t seed = 1; seed <= SEEDS; seed++) {
		struct explorer e = open_drill(90, 100, GLYPHS_LINES, seed);
		const struct variant *v = &item_of(&e)->variant;
		const bool page = v->page != NULL, sim = v->sim != NULL;
		if (!v->program) {
			explorer_press(&e, "Ctrl-G");
			cr_expect(explorer_shows(&e, "On from here"), "seed %d", (int)seed);
			cr_expect(explorer_shows(&e, "Enter   the next problem"));
			cr_expect(explorer_shows(&e, "the paragraph that explains it") == page);
			cr_expect(explorer_shows(&e, "the simulation: ") == sim, "seed %d: %s",
				(int)seed, v->drill->id);
		}
		explorer_end(&e);
	}
}

static int count_shown(const struct explorer *e, char c)
{
	char *screen = explorer_text(e);
	int n = 0;
	for (size_t i = 0; screen[i]; i++)
		n += screen[i] == c;
	free(screen);
	return n;
}

/* A program stands as it was written: tabs are blanks up to their stops, and a line that is wider than the
 * window goes on below, with a mark. */
Test(app_drill, a_program_keeps_its_tabs_and_long_lines)
{
	static const char *const shown[] = { "      y = 1", "      z = 2", "  ab  c", "> @@@@@@",
		"the end" };
	struct explorer e = explorer_start(40, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill mode=set topic=coding seed=7"));
	explorer_press(&e, "Enter");
	char program[400] = "if x:\n\ty = 1\n  \tz = 2\nab\tc\n";
	const int before = count_shown(&e, '@');
	for (int i = 0; i < 20; i++)
		strcat(program, "@@@@@@@@@@");
	strcat(program, "the end");
	drill_of(e.app)->program.text = strdup(program);
	for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
		cr_expect(explorer_shows(&e, shown[i]), "%s", shown[i]);
	cr_expect(eq(int, count_shown(&e, '\t'), 0));
	cr_expect(eq(int, count_shown(&e, '@'), before + 200));
	explorer_end(&e);
}

/* A name that would reach over the edge goes to the next row; one that is longer than a row is parted. */
Test(app_drill, a_name_of_a_program_stays_whole)
{
	struct explorer e = explorer_start(40, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "drill mode=set topic=coding seed=7"));
	explorer_press(&e, "Enter");
	char program[400] = "", name[100] = "";
	for (int i = 0; i < 31; i++)
		strcat(program, "f(");
	strcat(program, "a_name_of_twenty_four_ch)\n");
	for (int i = 0; i < 90; i++)
		strcat(name, "n");
	strcat(program, name);
	drill_of(e.app)->program.text = strdup(program);
	cr_expect(explorer_shows(&e, "> a_name_of_twenty_four_ch)"));
	cr_expect(explorer_shows(&e, "> nnn"));
	/* Of the ninety none is lost at the seam; a word of the problem may have two n beside each other. */
	int seen = 0;
	char *screen = explorer_text(&e);
	for (const char *at = screen; *at;) {
		int run = (int)strspn(at, "n");
		seen += run > 2 ? run : 0;
		at += run ? run : 1;
	}
	free(screen);
	cr_expect(eq(int, seen, 90));
	explorer_end(&e);
}

static int times_shown(const struct explorer *e, const char *part)
{
	char *screen = explorer_text(e);
	const int n = (int)times_in(screen, part);
	free(screen);
	return n;
}

/* The verdict on a choice has the option and its reason: below it stands what is left to say, and what comes
 * next without scrolling. */
Test(app_drill, a_reason_stands_once)
{
	for (int wrong = 0; wrong < 2; wrong++) {
		struct explorer e = driller_start(
			32, 100, GLYPHS_LINES, "topic=three-times-faster attempts=1 seed=1");
		const struct variant_step *s = item_of(&e)->variant.steps;
		size_t chosen = 0;
		while (s->options[chosen].right == wrong)
			chosen++;
		char typed[2] = { (char)('1' + (int)chosen) };
		submit(&e, typed);
		cr_assert(item_of(&e)->closed);
		for (size_t i = 0; i < s->n_options; i++) {
			char begin[40];
			snprintf(begin, sizeof begin, "%.24s", s->options[i].reason);
			cr_expect(eq(int, times_shown(&e, begin), 1), "%s", begin);
		}
		cr_expect(explorer_shows(&e, "On from here"));
		explorer_end(&e);
	}
}

Test(app_drill, a_sprint_is_dealt_anew_before_its_start)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	char before[CODE_SIZE];
	cr_assert(explorer_open(&e, "drill mode=sprint topic=numbers choice=no seed=3"));
	const struct drill_view *d = drill_of(e.app);
	strcpy(before, d->request.code);
	explorer_press(&e, "R");
	cr_expect(ne(str, (char *)d->request.code, before));
	cr_expect(eq(int, (int)d->request.options.mode, MODE_SPRINT));
	cr_expect(d->request.options.no_choice);
	cr_expect(eq(str, (char *)d->request.options.topic, "numbers"));
	cr_expect(d->desk.ready, "its clock stands");
	strcpy(before, d->request.code);
	explorer_press(&e, "Enter R");
	cr_expect(eq(str, (char *)d->request.code, before), "it has begun");
	explorer_end(&e);
}
