/* The views that figures are drawn with, each in a picture of a few rows. */
#include "sims/base/utf8.h"
#include "sims/base/rng.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/times_in.h"
#include "ui/views/bars.h"
#include "ui/views/figure_view.h"
#include "ui/views/grid.h"
#include "ui/views/parts.h"
#include "ui/views/quantity_show.h"
#include "ui/views/table.h"
#include "ui/views/timeline.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

Test(textwrap, lines)
{
	static const struct {
		const char *text;
		int width;
		enum glyphs glyphs;
		const char *lines; /* ended by | */
	} rows[] = {
		{ "one two three", 7, GLYPHS_LINES, "one two|three|" },
		{ "one two three", 6, GLYPHS_LINES, "one|two|three|" },
		{ "  one   two  ", 20, GLYPHS_LINES, "one   two|" },
		{ "one   two", 4, GLYPHS_LINES, "one|two|" },
		{ "bandwidth", 4, GLYPHS_LINES, "band|widt|h|" },
		{ "a bandwidth", 4, GLYPHS_LINES, "a|band|widt|h|" },
		{ "a\nb\n\nc", 9, GLYPHS_LINES, "a|b||c|" },
		{ "ab → cd", 6, GLYPHS_LINES, "ab →|cd|" },
		{ "ab → cd", 4, GLYPHS_ASCII, "ab|→|cd|" }, /* drawn as -> */
		{ "does 6.74 (84.2 %) and", 17, GLYPHS_LINES, "does 6.74|(84.2 %) and|" },
		{ "84.2 %", 5, GLYPHS_LINES, "84.2|%|" },
		{ "2·d", 2, GLYPHS_LINES, "2·|d|" },
		{ "xy", 0, GLYPHS_LINES, "x|y|" },
		{ "   ", 5, GLYPHS_LINES, "" },
		{ "", 5, GLYPHS_LINES, "" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char got[64] = "";
		const char *text = rows[i].text;
		struct text_line line;
		int n = 0;
		for (; text_wrap(&text, rows[i].width, rows[i].glyphs, &line); n++) {
			strncat(got, line.start, line.bytes);
			strcat(got, "|");
		}
		cr_expect(eq(str, got, (char *)rows[i].lines), "row %zu", i);
		cr_expect(eq(int, text_lines(rows[i].text, rows[i].width, rows[i].glyphs), n));
	}
	cr_expect(eq(int, text_longest_word("at most eight", GLYPHS_LINES), 5));
	cr_expect(eq(int, text_cols("a → b", GLYPHS_ASCII), 6));
}

static char *picture(const struct figure *fig, int rows, int cols, enum glyphs glyphs,
	const struct figure_state *state)
{
	struct canvas cv;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, canvas_init(&cv, rows, cols, glyphs)));
	figure_draw(&cv, (struct rect){ 0, 0, rows, cols }, fig, state);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	return text;
}

static void expect_picture(const struct figure *fig, int rows, int cols, enum glyphs glyphs,
	const struct figure_state *state, const char *want)
{
	char *got = picture(fig, rows, cols, glyphs, state);
	cr_expect(eq(str, got, (char *)want));
	free(got);
}

static const char *const two_parts[] = { "weights", "cache" };

/* In 40 columns: label 1, gap 2, bars, gap 2, totals 7; so the bars have 28 columns for 56 GB. */
static void add_memory(struct figure *fig, double b_cache)
{
	struct bars *b = figure_bars(fig, "Memory", "GB", two_parts, 2);
	if (!b)
		return;
	b->limit = 40;
	b->limit_label = "card";
	bars_add(fig, b, "A", (double[]){ 20, 36 });
	bars_add(fig, b, "B", (double[]){ 20, b_cache });
}

/* The legend stands beside the title where it fits there. */
Test(bars, stacked_against_a_limit)
{
	struct figure fig = { 0 }, pinned = { 0 };
	add_memory(&fig, 12);
	add_memory(&pinned, 8);
	expect_picture(&fig, 5, 40, GLYPHS_LINES, NULL,
		"Memory   █ weights   ▓ cache\n"
		"                  card 40 GB\n"
		"A  ██████████▓▓▓▓▓▓▓▓▓▓▎▓▓▓▓▓▓▓  ! 56 GB\n"
		"                       ▏\n"
		"B  ██████████▓▓▓▓▓▓    ▏           32 GB\n");
	expect_picture(&fig, 5, 40, GLYPHS_ASCII, NULL,
		"Memory   # weights   = cache\n"
		"                  card 40 GB\n"
		"A  ##########==========!=======  ! 56 GB\n"
		"                       :\n"
		"B  ##########======    :           32 GB\n");
	/* The pinned B ended at 28 GB, column 14; the pinned A where this one ends: no mark. */
	expect_picture(&fig, 5, 40, GLYPHS_LINES,
		&(struct figure_state){ .ghost = &pinned, .playhead_s = NAN },
		"Memory   █ weights   ▓ cache   │ pinned\n"
		"                  card 40 GB\n"
		"A  ██████████▓▓▓▓▓▓▓▓▓▓▎▓▓▓▓▓▓▓  ! 56 GB\n"
		"                       ▏\n"
		"B  ██████████▓▓▓▓▏▓    ▏           32 GB\n");
	figure_release(&fig);
	figure_release(&pinned);
}

/* Of a bar that it crosses the limit takes a thin cut, whether the bar fills its row or is low: the colour on
 * both sides is also that of the cell that is cut. */
Test(bars, a_limit_is_a_thin_cut)
{
	struct figure fig = { 0 };
	struct canvas cv;
	add_memory(&fig, 12);
	cr_assert(zero(int, canvas_init(&cv, 5, 40, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	figure_draw(&cv, (struct rect){ 0, 0, 5, 40 }, &fig, NULL);
	const struct cell *row = cv.cells;
	while (row->code != 'A')
		row += 40;
	const struct cell *cut = row + 3 + 20, *before = cut - 1;
	cr_expect(eq(u32, cut->code, 0x258f)); /* at the edge of its column: 40 GB are 20 columns */
	cr_expect(ne(int, (int)(cut->attr & ATTR_REVERSE), 0));
	cr_expect(eq(int, (int)cut->style, (int)before->style));
	canvas_release(&cv);
	figure_release(&fig);
}

/* A bar that is cut is to scale as far as it goes: of 20, 30 and two of 50 on a scale that ends at 2.2 times the limit
 * of 10 there are the first and a little of the second. The rest lies beyond, and takes no column from them where
 * bars touch and parts end with columns either. */
Test(bars, a_bar_that_is_cut_is_to_scale)
{
	static const char *const parts[] = { "one", "two", "three", "four" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_NETWORK, MEANS_SECOND,
		MEANS_SECOND };
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "", parts, 4);
	bars_mean(&fig, b, means, 4);
	cr_assert(b != NULL);
	b->limit = 10;
	b->limit_label = "room";
	for (int i = 0; i < 3; i++)
		bars_add(&fig, b, "A", (double[]){ 20, 30, 50, 50 });
	for (int rows = 6; rows < 14; rows++) {
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, rows, 40, GLYPHS_BRAILLE)));
		cv.fills = FILLS_TINTED;
		bars_draw(&cv, (struct rect){ 0, 0, rows, 40 }, b, NULL);
		for (int row = 0; row < rows; row++) {
			if (cv.cells[row * 40].code != 'A')
				continue;
			size_t first = 0, second = 0;
			for (int col = 3; col < 33; col++) {
				/* past the limit a part is behind its edge */
				const struct cell *c = &cv.cells[row * 40 + col];
				enum style style = (enum style)(c->under ? c->under : c->style);
				first += style == meaning_style(MEANS_COMPUTE);
				second += style == meaning_style(MEANS_NETWORK);
				cr_expect(ne(int, (int)style, (int)meaning_style(MEANS_SECOND)),
					"%d rows", rows);
			}
			cr_expect(all(lt(sz, 0, second), lt(sz, 4 * second, first)),
				"%d rows: %zu and %zu", rows, first, second);
		}
		canvas_release(&cv);
	}
	figure_release(&fig);
}

Test(bars, solid_ends_are_exact_to_an_eighth)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "s", (const char *const[]){ "time" }, 1);
	bars_add(&fig, b, "x", (double[]){ 21 });
	bars_add(&fig, b, "y", (double[]){ 10.5 });
	bars_add(&fig, b, "z", (double[]){ 0.01 }); /* too short to draw, but not nothing */
	bars_add(&fig, b, "0", (double[]){ 0 });
	/* 32 columns: 21 for 21 s */
	expect_picture(&fig, 4, 32, GLYPHS_LINES, NULL,
		"x  █████████████████████    21 s\n"
		"y  ██████████▌            10.5 s\n"
		"z  ▏                       10 ms\n"
		"0                            0 s\n");
	figure_release(&fig);
}

/* Solid bars right below each other are parted by a line at the foot of their cells, which one with an end in it does
 * not have: 10.4 of 32 columns are 10. What is less than a column keeps its eighth. */
Test(bars, those_that_touch_end_at_whole_columns)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct bars *b = figure_bars(&fig, "", "s", (const char *const[]){ "time" }, 1);
	bars_add(&fig, b, "x", (double[]){ 21 });
	bars_add(&fig, b, "y", (double[]){ 10.4 });
	bars_add(&fig, b, "z", (double[]){ 0.01 });
	cr_assert(zero(int, canvas_init(&cv, 3, 32, GLYPHS_LINES)));
	cv.fills = FILLS_SOLID;
	figure_draw(&cv, (struct rect){ 0, 0, 3, 32 }, &fig, NULL);
	cr_expect(ne(int, (int)cv.cells[32 + 3 + 9].code, ' '));
	cr_expect(eq(int, (int)cv.cells[32 + 3 + 10].code, ' '));
	cr_expect(eq(int, (int)cv.cells[2 * 32 + 3].code, 0x258f));
	canvas_release(&cv);
	figure_release(&fig);
}

/* In 22 columns: label 3, gap 2, bars, gap 2, totals 3; so the bars have 12 columns for 6 s. Steps of 4 s
 * and 2 s over what they make up; where there is no room for all of them only that is left. */
Test(bars, steps_begin_where_the_one_before_ends)
{
	static const char *const parts[] = { "a", "b" };
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "s", parts, 2);
	bars_add(&fig, b, "one", (double[]){ 4, 0 });
	bars_add(&fig, b, "two", (double[]){ 0, 2 });
	bars_add(&fig, b, "all", (double[]){ 4, 2 });
	b->n_steps = 2;
	expect_picture(&fig, 4, 22, GLYPHS_LINES, NULL,
		"one  ████████      4 s\n"
		"two          ▓▓▓▓  2 s\n"
		"\n"
		"all  ████████▓▓▓▓  6 s\n");
	expect_picture(&fig, 2, 22, GLYPHS_LINES, NULL,
		"█ a   ▓ b\n"
		"all  ████████▓▓▓▓  6 s\n");
	figure_release(&fig);
}

/* From 10 us to 10 ms in 42 columns: 14 a decade, and the limit where the first one ends. Twice 10 us
 * is log10(2) of a decade, 4.2 columns. */
Test(bars, a_decade_is_as_wide_as_the_next)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "s", (const char *const[]){ "time" }, 1);
	b->log = true;
	b->limit = 100e-6;
	b->limit_label = "true";
	bars_add(&fig, b, "x", (double[]){ 10e-3 });
	bars_add(&fig, b, "y", (double[]){ 1e-3 });
	bars_add(&fig, b, "z", (double[]){ 20e-6 });
	bars_add(&fig, b, "0", (double[]){ 0 });
	expect_picture(&fig, 7, 54, GLYPHS_LINES, NULL,
		"            true 100 µs\n"
		"x  ██████████████▎███████████████████████████  ! 10 ms\n"
		"y  ██████████████▎█████████████                 ! 1 ms\n"
		"z  ████▎         ▏                               20 µs\n"
		"0                ▏                                 0 s\n"
		"   ▏             ▏             ▏            ▕\n"
		"   10 µs      100 µs         1 ms          10 ms\n");
	figure_release(&fig);
}

/* 20 columns for 20 s. A tick stands at 5 s, at the edge of a column, and a line leads on to where the bar before
 * ended. */
Test(bars, say_what_was_promised_and_what_was_taken_off)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "s", (const char *const[]){ "time" }, 1);
	b->mark_label = "said";
	bars_add(&fig, b, "x", (double[]){ 20 });
	struct bar *bar = bars_add(&fig, b, "y", (double[]){ 10 });
	bar->was = 20;
	bar->mark = 5;
	expect_picture(&fig, 3, 29, GLYPHS_LINES, NULL,
		"x  ████████████████████  20 s\n"
		"y  █████▎████─────────▕  10 s\n"
		"    said 5 s\n");
	figure_release(&fig);
}

/* One bar of shares needs no axis. In 80 columns it has 63, of which each name fits in its part; in 40
 * it has 23, and a quarter of them holds no five letters with room to spare: a legend names both. Two
 * bars with their totals need no axis either, and a blank row stands between them. */
Test(bars, what_is_written_needs_no_axis)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "%", two_parts, 2);
	b->shares = true;
	bars_add(&fig, b, "a step", (double[]){ 75, 25 })->note = "18 ms";
	cr_expect(eq(int, bars_rows(b, 80), 1));
	cr_expect(eq(int, bars_rows(b, 40), 2));
	struct bars *pair = figure_bars(&fig, "", "GB", two_parts, 1);
	bars_add(&fig, pair, "one", (double[]){ 17 });
	bars_add(&fig, pair, "two", (double[]){ 5 });
	cr_expect(eq(int, bars_rows(pair, 80), 3));
	bars_add(&fig, pair, "three", (double[]){ 5 });
	cr_expect(eq(int, bars_rows(pair, 80), 3 + 2 + 2)); /* a bar, a blank; an axis */
	figure_release(&fig);
}

/* 8 to the left and 4 to the right are 16 columns, those of 27 that label, numbers and blanks leave: 8 are 10.7 of
 * them, 2 are 2.7 and 4 are 5.3. The numbers are in the notes: no total, no axis. */
Test(bars, two_things_are_weighed)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "%", (const char *const[]){ "saves", "costs" }, 2);
	b->mirrored = b->close = true;
	struct bar *x = bars_add(&fig, b, "x", (double[]){ 8, 0 });
	struct bar *y = bars_add(&fig, b, "y", (double[]){ 2, 4 });
	x->note = "8, 0";
	y->note = "2, 4";
	expect_picture(&fig, 4, 27, GLYPHS_LINES, NULL,
		"█ saves   ▓ costs\n"
		"x  ███████████         8, 0\n"
		"y          ███▓▓▓▓▓    2, 4\n"
		"\n");
	figure_release(&fig);
}

/* 3.49 ms over 727 us would have the eye compare 3 with 727. */
Test(bars, totals_have_the_unit_of_the_longest)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "ms", two_parts, 2);
	bars_add(&fig, b, "A", (double[]){ 1.49, 2 });
	bars_add(&fig, b, "B", (double[]){ 0.2, 0.527 });
	char *got = picture(&fig, 6, 60, GLYPHS_LINES, NULL);
	cr_expect(ne(ptr, strstr(got, "0.727 ms"), NULL), "%s", got);
	free(got);
	figure_release(&fig);
}

/* The axis of what takes over ten minutes counts in minutes: 3,000 s are 50 of them. */
Test(bars, seconds_are_counted_as_people_do)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "s", two_parts, 2);
	bars_add(&fig, b, "A", (double[]){ 1200, 1800 });
	char *got = picture(&fig, 6, 60, GLYPHS_LINES, NULL);
	cr_expect(ne(ptr, strstr(got, "50 min"), NULL), "%s", got);
	cr_expect(eq(ptr, strstr(got, "000"), NULL), "%s", got);
	free(got);
	figure_release(&fig);
}

Test(bars, words_move_before_they_are_cut)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "GB", two_parts, 1);
	bars_add(&fig, b, "optimizer states in FP32", (double[]){ 12 })->note = "two moments";
	char *wide = picture(&fig, 6, 80, GLYPHS_LINES, NULL);
	char *narrow = picture(&fig, 6, 40, GLYPHS_LINES, NULL);
	cr_expect(ne(ptr, strstr(wide, "12 GB  two moments\n"), NULL));
	cr_expect(ne(ptr, strstr(narrow, "optimizer states in FP32           12 GB\n"), NULL));
	cr_expect(ne(ptr, strstr(narrow, "\ntwo moments\n"), NULL));
	cr_expect(eq(int, bars_rows(&fig.blocks[0]->as.bars, 40), 5));
	cr_expect(eq(int, bars_rows(&fig.blocks[0]->as.bars, 80), 3));
	free(wide);
	free(narrow);
	figure_release(&fig);
}

/* With two rows there is none left for the notes: a clause that does not fit goes as a whole, and
 * the bars get its columns. A comma within a number does not end a clause. */
Test(bars, notes_are_cut_at_their_clauses)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "ms", (const char *const[]){ "time" }, 1);
	bars_add(&fig, b, "up", (double[]){ 12 })->note = "26 %, 2,341 FLOP/B";
	bars_add(&fig, b, "GELU", (double[]){ 6 })->note = "2 %, 2 FLOP/B";
	/* 34 columns less 4 and 2 for the labels, 7 for the totals, 6 for the clauses: 15 */
	expect_picture(&fig, 2, 34, GLYPHS_LINES, NULL,
		"up    ███████████████  12 ms  26 %\n"
		"GELU  ███████▌          6 ms  2 %\n");
	figure_release(&fig);
}

/* Bars of one part in a chain: the first hands 9 apples on, the second pears, the last something to
 * the first. */
static struct bars *add_chain(struct figure *fig, size_t n)
{
	static const char *const part[] = { "work" };
	static const char *const labels[] = { "one", "two", "three", "four" };
	static const char *const passes[] = { "9 apples", "pears", NULL, "plums" };
	struct bars *b = figure_bars(fig, "", "%", part, 1);
	for (size_t i = 0; b && i < n; i++) {
		struct bar *bar = bars_add(fig, b, labels[i], (double[]){ 100 });
		if (bar)
			bar->passes = passes[i];
	}
	cr_assert(b != NULL);
	b->chain = true;
	return b;
}

/* 46 columns: two boxes of 19 and 8 for the arrow. The second row goes back to the left, so that the
 * last box stands under the first. With a row less they are bars, in 32 columns beside 5 for the
 * names, 5 for the totals and 2 between. */
Test(bars, a_chain_is_boxes_with_arrows)
{
	struct figure fig = { 0 };
	struct bars *b = add_chain(&fig, 4);
	b->bars[1].note = "late";
	b->bars[1].role = ROLE_BAD;
	expect_picture(&fig, 7, 46, GLYPHS_ASCII, NULL,
		"+ one ------------+   9    + ! two ----------+\n"
		"|#################| -----> |#################|\n"
		"+-----------------+ apples + late -----------+\n"
		"         ^ plums                    v pears\n"
		"+ four -----------+        + three ----------+\n"
		"|#################|        |#################|\n"
		"+-----------------+        +-----------------+\n");
	b->bars[1].note = NULL;
	expect_picture(&fig, 6, 46, GLYPHS_ASCII, NULL,
		"one    ################################  100 %\n"
		"two    ################################  100 %\n"
		"three  ################################  100 %\n"
		"four   ################################  100 %\n"
		"       +---------------+--------------+\n"
		"       0              50             100 %\n");
	figure_release(&fig);
}

/* Words beside an arrow break where the longer of two lines is shortest: "16.1 GB" and "of weights" have
 * 10 columns at most, and so would have "16.1 GB of" and "weights", but the earlier break keeps "of" with
 * its word. Two columns of the gap are blank. */
Test(bars, words_beside_an_arrow_are_not_torn)
{
	struct figure fig = { 0 };
	struct bars *b = add_chain(&fig, 2);
	b->bars[0].passes = "16.1 GB of weights";
	b->bars[1].passes = NULL;
	expect_picture(&fig, 3, 50, GLYPHS_ASCII, NULL,
		"+ one ------------+  16.1 GB   + two ------------+\n"
		"|#################| ---------> |#################|\n"
		"+-----------------+ of weights +-----------------+\n");
	figure_release(&fig);
}

/* What a box gains stands at the end of its name where all boxes have room for theirs: one of 19 columns
 * has 6 around them, so 13 for both, which "three" and 8 letters fill and 9 do not. */
Test(bars, what_a_box_gains)
{
	struct figure fig = { 0 };
	struct bars *b = add_chain(&fig, 4);
	b->bars[0].gains = "2x";
	b->bars[2].gains = "12345678";
	expect_picture(&fig, 7, 46, GLYPHS_ASCII, NULL,
		"+ one ------- 2x -+   9    + two ------------+\n"
		"|#################| -----> |#################|\n"
		"+-----------------+ apples +-----------------+\n"
		"         ^ plums                    v pears\n"
		"+ four -----------+        + three 12345678 -+\n"
		"|#################|        |#################|\n"
		"+-----------------+        +-----------------+\n");
	b->bars[2].gains = "123456789";
	char *got = picture(&fig, 7, 46, GLYPHS_ASCII, NULL);
	cr_expect(strncmp(got, "+ one ------------+", 19) == 0, "%s", got);
	free(got);
	figure_release(&fig);
}

/* The box where the knob stands has a heavy frame, and the key that opens what it names. What the last
 * of one row hands on has a long way, so the first is named. */
Test(bars, the_chosen_box)
{
	struct figure fig = { 0 };
	struct bars *b = add_chain(&fig, 2);
	b->title = "Chain";
	b->knob = "which";
	b->knob_at = 1;
	b->bars[0].opens = "alpha";
	b->bars[1].opens = "beta";
	const struct figure_state state = { .focus = "which", .playhead_s = NAN },
				  other = { .focus = "another", .playhead_s = NAN };
	expect_picture(&fig, 5, 46, GLYPHS_ASCII, &state,
		"Chain\n"
		"+ one ------------+   9    + two ============+\n"
		"|#################| -----> |#################|\n"
		"+-----------------+ apples +=================+\n"
		"                                  pears -> one\n");
	char *got = picture(&fig, 5, 46, GLYPHS_ASCII, &other);
	cr_expect(strncmp(got, "Chain\n", 6) == 0, "%s", got);
	free(got);
	figure_release(&fig);
}

static struct timeline *add_lanes(struct figure *fig)
{
	static const char *const lanes[] = { "a", "b" }, *const kinds[] = { "run", "wait" };
	struct timeline *t = figure_timeline(fig, "", lanes, 2, kinds, 2);
	timeline_span(fig, t, 0, 0, 0, 5, NULL);
	timeline_span(fig, t, 0, 1, 5, 20, NULL);
	timeline_span(fig, t, 1, 0, 10, 20, "hi");
	timeline_rule(fig, t, 10, "due", ROLE_WARN);
	return t;
}

Test(timeline, spans_to_scale)
{
	struct figure fig = { 0 };
	add_lanes(&fig);
	/* 22 columns: a name, a gap, 20 for 20 s */
	expect_picture(&fig, 5, 22, GLYPHS_LINES, NULL,
		"█ run   ▓ wait\n"
		"           due\n"
		"a █████▓▓▓▓▓▎▓▓▓▓▓▓▓▓▓\n"
		"b           ▎███hi████\n"
		"\n");
	expect_picture(&fig, 5, 22, GLYPHS_LINES, &(struct figure_state){ .playhead_s = 5 },
		"█ run   ▓ wait\n"
		"           due\n"
		"a █████│▓▓▓▓▎▓▓▓▓▓▓▓▓▓\n"
		"b      │    ▎███hi████\n"
		"\n");
	figure_release(&fig);
}

/* A moment that ends nothing in a lane goes behind what fills it: a waits from 5 to 20, and at 10 nothing changes. */
Test(timeline, a_rule_behind_cuts_no_span)
{
	struct figure fig = { 0 };
	add_lanes(&fig)->rules_behind = true;
	expect_picture(&fig, 5, 22, GLYPHS_LINES, NULL,
		"█ run   ▓ wait\n"
		"           due\n"
		"a █████▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓\n"
		"b           ████hi████\n"
		"\n");
	figure_release(&fig);
}

/* Both lanes have room for the names of their kinds, each of which stands there once; what a span says of itself
 * stands in each. */
Test(timeline, a_kind_is_named_once)
{
	static const char *const lanes[] = { "a", "b" }, *const kinds[] = { "run", "wait" };
	struct figure fig = { 0 };
	struct canvas cv;
	char *got = NULL;
	size_t size;
	struct timeline *t = figure_timeline(&fig, "", lanes, 2, kinds, 2);
	for (unsigned lane = 0; lane < 2; lane++) {
		timeline_span(&fig, t, lane, 0, 0, 10, NULL);
		timeline_span(&fig, t, lane, 1, 10, 20, NULL);
		timeline_span(&fig, t, lane, 0, 20, 30, "#7");
	}
	cr_assert(zero(int, canvas_init(&cv, 5, 40, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	figure_draw(&cv, (struct rect){ 0, 0, 5, 40 }, &fig, NULL);
	FILE *f = open_memstream(&got, &size);
	canvas_write_text(&cv, f);
	fclose(f);
	cr_expect(eq(sz, times_in(got, "run"), 1), "%s", got);
	cr_expect(eq(sz, times_in(got, "wait"), 1), "%s", got);
	cr_expect(eq(sz, times_in(got, "#7"), 2), "%s", got);
	free(got);
	canvas_release(&cv);
	figure_release(&fig);
}

/* 17 columns: a name, a gap, 10 for 10 s, a gap and what is said at the end. The lane that the picture
 * is about is three rows high, with its name and what is said in the middle; where there are no rows for that, all are
 * one row high. */
Test(timeline, lanes_say_when_they_end)
{
	struct figure fig = { 0 };
	static const char *const lanes[] = { "a", "b" }, *const kinds[] = { "run" };
	struct timeline *t = figure_timeline(&fig, "", lanes, 2, kinds, 1);
	timeline_span(&fig, t, 0, 0, 0, 10, "");
	timeline_span(&fig, t, 1, 0, 0, 5, "");
	timeline_note(&fig, t, 0, "10 s");
	timeline_note(&fig, t, 1, "5 s");
	t->tall = 1;
	expect_picture(&fig, 8, 17, GLYPHS_LINES, NULL,
		"█ run\n"
		"  ██████████\n"
		"a ██████████ 10 s\n"
		"  ██████████\n"
		"\n"
		"b █████ 5 s\n"
		"  ▏        ▕\n"
		"  0        10 s\n");
	expect_picture(&fig, 7, 17, GLYPHS_LINES, NULL,
		"█ run\n"
		"\n"
		"a ██████████ 10 s\n"
		"\n"
		"b █████ 5 s\n"
		"  ▏        ▕\n"
		"  0        10 s\n");
	figure_release(&fig);
}

/* Two columns before the longest a lane ends at nearly the same place: its number is in the same column. */
Test(timeline, what_lanes_say_stands_in_a_column)
{
	struct figure fig = { 0 };
	static const char *const lanes[] = { "a", "b" }, *const kinds[] = { "run" };
	struct timeline *t = figure_timeline(&fig, "", lanes, 2, kinds, 1);
	timeline_span(&fig, t, 0, 0, 0, 10, "");
	timeline_span(&fig, t, 1, 0, 0, 8, "");
	timeline_note(&fig, t, 0, "10 s");
	timeline_note(&fig, t, 1, "8 s");
	expect_picture(&fig, 5, 17, GLYPHS_LINES, NULL,
		"█ run\n"
		"a ██████████ 10 s\n"
		"b ████████   8 s\n"
		"  ▏        ▕\n"
		"  0        10 s\n");
	figure_release(&fig);
}

Test(timeline, what_is_right_of_the_playhead_is_dim)
{
	struct figure fig = { 0 };
	struct canvas cv;
	add_lanes(&fig);
	cr_assert(zero(int, canvas_init(&cv, 5, 22, GLYPHS_LINES)));
	timeline_draw(&cv, (struct rect){ 0, 0, 5, 22 }, &fig.blocks[0]->as.timeline, 5);
	for (int col = 2; col < 22; col++) {
		enum style want = col < 7 ? STYLE_SERIES : col == 7 ? STYLE_ACCENT : STYLE_DIM;
		cr_expect(eq(int, cv.cells[2 * 22 + col].style, (int)want), "column %d", col);
	}
	canvas_release(&cv);
	figure_release(&fig);
}

Test(timeline, neighbours_of_a_kind_stay_apart_and_short_spans_are_seen)
{
	struct figure fig = { 0 };
	struct timeline *t = figure_timeline(
		&fig, "", (const char *const[]){ "a" }, 1, (const char *const[]){ "run" }, 1);
	timeline_span(&fig, t, 0, 0, 0, 4, NULL);
	timeline_span(&fig, t, 0, 0, 4, 8, NULL);
	timeline_span(&fig, t, 0, 0, 12, 12.01, NULL);
	timeline_span(&fig, t, 0, 0, 18, 20, NULL);
	timeline_span(&fig, t, 0, 0, NAN, 3, NULL); /* says nothing */
	timeline_span(&fig, t, 0, 0, 9, 3, NULL);
	timeline_span(&fig, t, 7, 0, 9, 10, NULL);
	expect_picture(&fig, 2, 22, GLYPHS_LINES, NULL, "a ████▐███    ▏     ██\n\n");
	expect_picture(&fig, 2, 22, GLYPHS_ASCII, NULL, "a ####|###    '     ##\n\n");
	figure_release(&fig);
}

/* Lane a works all the time in 20 columns of a second, and is three rows high over five more right below. What takes
 * 0.3 s on either side of a border has one of the two columns, whichever it has more of; 0.2 s within one are a
 * stroke with the work around it, and only there. Nothing of the lane is blank. */
Test(timeline, a_busy_lane_has_no_hole)
{
	static const struct {
		double from, to;
		int column; /* -1: none of its own */
	} rows[] = { { 4.7, 5.3, 4 }, { 4.75, 5.35, 5 }, { 5.3, 5.5, -1 } };
	static const char *const lanes[] = { "a", "b", "c", "d", "e", "f" };
	static const char *const kinds[] = { "run", "stop" };
	enum { COLS = 22, LANES = 6, ROWS = 1 + 3 + 5 + 2, NAMES = 2 };
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct timeline *t = figure_timeline(&fig, "", lanes, LANES, kinds, 2);
		cr_assert(ne(ptr, t, NULL));
		timeline_mean(&fig, t, (const enum meaning[]){ MEANS_COMPUTE, MEANS_FIXED }, 2);
		timeline_span(&fig, t, 0, 0, 0, rows[k].from, "");
		timeline_span(&fig, t, 0, 1, rows[k].from, rows[k].to, "");
		timeline_span(&fig, t, 0, 0, rows[k].to, 20, "");
		for (unsigned lane = 1; lane < LANES; lane++)
			timeline_span(&fig, t, lane, 0, 0, 20, "");
		t->tall = 1;
		cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_BRAILLE)));
		cv.fills = FILLS_TINTED;
		timeline_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, t, NAN);
		int top = 0, stops = 0, at = -1;
		while (top < ROWS && cv.cells[top * COLS].code != 'a')
			top++;
		cr_assert(lt(int, top + 1, ROWS));
		for (int i = 0; i < 2 * (COLS - NAMES); i++) {
			const struct cell *c = &cv.cells[(top + i / (COLS - NAMES)) * COLS + NAMES +
							 i % (COLS - NAMES)];
			bool stop = c->style == meaning_style(MEANS_FIXED);
			cr_expect(
				c->code > ' ' || c->under != STYLE_PLAIN, "%zu: blank at %d", k, i);
			stops += stop;
			at = stop && at < 0 ? i : at;
			if (stop && rows[k].column < 0)
				cr_expect(
					eq(int, (int)c->under, (int)meaning_style(MEANS_COMPUTE)));
		}
		cr_expect(eq(int, stops, rows[k].column < 0 ? 1 : 2), "%zu", k);
		cr_expect(eq(int, at, rows[k].column < 0 ? 5 : rows[k].column), "%zu", k);
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* Lanes of one row right below each other, 20 columns of a second. 0.2 s within what goes on are a thin cut, at its end
 * a stroke in the blank behind, and between two others a column. What ends the first column behind a blank, 0.3 s of it,
 * has the next one: the blank stays blank. */
Test(timeline, a_low_lane_has_no_hole_and_keeps_its_order)
{
	static const char *const lanes[] = { "a", "b", "c", "d", "e", "f" };
	static const char *const kinds[] = { "run", "stop", "held" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_FIXED, MEANS_WAITING };
	enum { COLS = 22, LANES = 6, ROWS = 1 + LANES + 2, NAMES = 2 };
	struct figure fig = { 0 };
	struct canvas cv;
	struct timeline *t = figure_timeline(&fig, "", lanes, LANES, kinds, 3);
	cr_assert(ne(ptr, t, NULL));
	timeline_mean(&fig, t, means, 3);
	timeline_span(&fig, t, 0, 0, 0, 5.5, "");
	timeline_span(&fig, t, 0, 1, 5.5, 5.7, "");
	timeline_span(&fig, t, 0, 0, 5.7, 9.7, "");
	timeline_span(&fig, t, 0, 1, 9.7, 9.9, "");
	timeline_span(&fig, t, 0, 2, 9.9, 15, "");
	timeline_span(&fig, t, 0, 0, 15, 17.7, "");
	timeline_span(&fig, t, 0, 1, 17.7, 17.9, "");
	timeline_span(&fig, t, 1, 0, 5, 5.7, "");
	timeline_span(&fig, t, 1, 1, 5.7, 6, "");
	timeline_span(&fig, t, 1, 2, 6, 20, "");
	for (unsigned lane = 2; lane < LANES; lane++)
		timeline_span(&fig, t, lane, 0, 0, 20, "");
	cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	timeline_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, t, NAN);
	int top = 0;
	while (top < ROWS && cv.cells[top * COLS].code != 'a')
		top++;
	cr_assert(lt(int, top + 1, ROWS));
	const struct cell *a = &cv.cells[top * COLS + NAMES], *b = a + COLS;
	for (int i = 0; i < 18; i++)
		cr_expect(a[i].code > ' ' || a[i].under != STYLE_PLAIN, "blank at %d", i);
	cr_expect(eq(int, (int)a[5].code, 0x258f));
	cr_expect(eq(int, (int)a[5].style, (int)meaning_style(MEANS_COMPUTE)));
	cr_expect(eq(uint, a[5].attr, ATTR_REVERSE | ATTR_UNDERLINE));
	cr_expect(eq(int, (int)a[9].style, (int)meaning_style(MEANS_FIXED)));
	cr_expect(eq(int, (int)a[10].style, (int)meaning_style(MEANS_WAITING)));
	cr_expect(eq(int, (int)a[17].style, (int)meaning_style(MEANS_COMPUTE)));
	cr_expect(eq(int, (int)a[18].code, 0x258f));
	cr_expect(eq(int, (int)a[18].style, (int)meaning_style(MEANS_FIXED)));
	cr_expect(b[4].code <= ' ' && b[4].under == STYLE_PLAIN);
	cr_expect(eq(int, (int)b[5].style, (int)meaning_style(MEANS_COMPUTE)));
	cr_expect(eq(int, (int)b[6].style, (int)meaning_style(MEANS_FIXED)));
	cr_expect(eq(int, (int)b[7].style, (int)meaning_style(MEANS_WAITING)));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Lanes of the highest rank give way one after another where rows are missing, and those of rank 0 stay
 * to the last. Half of the 40 columns have room for 3 dots and a blank, not for 25: these are 16 and their
 * number. */
Test(timeline, lanes_may_be_left_out_and_those_who_wait_are_dots)
{
	static const char *const lanes[] = { "queue", "a", "b", "c" }, *const kinds[] = { "work",
		"waiting" };
	struct figure fig = { 0 };
	struct timeline *t = figure_timeline(&fig, "", lanes, 4, kinds, 2);
	timeline_rank(&fig, t, (const unsigned char[]){ 0, 2, 1, 3 }, 4);
	timeline_count(&fig, t, 0, 1, 0, 10, 3, NULL);
	timeline_count(&fig, t, 0, 1, 10, 20, 25, NULL);
	timeline_span(&fig, t, 1, 0, 0, 20, NULL);
	timeline_span(&fig, t, 2, 0, 0, 10, NULL);
	timeline_span(&fig, t, 3, 0, 10, 20, NULL);
	/* queue and a blank are 6 columns; of the other 40 a half is 20 for 10 s */
	expect_picture(&fig, 7, 46, GLYPHS_ASCII, NULL,
		"# work   o waiting\n"
		"queue ooo                 oooooooooooooooo 25\n"
		"a     ########################################\n"
		"b     ####################\n"
		"c                         ####################\n"
		"      +-------------------+------------------+\n"
		"      0                  10               20 s\n");
	expect_picture(&fig, 6, 46, GLYPHS_ASCII, NULL,
		"# work   o waiting               + 1 more lane\n"
		"queue ooo                 oooooooooooooooo 25\n"
		"a     ########################################\n"
		"b     ####################\n"
		"      +-------------------+------------------+\n"
		"      0                  10               20 s\n");
	figure_release(&fig);
}

/* A number of those who wait has its word, and as many dots beside it as are left; where there is no room
 * for the word it has the dots. 10 s are 20 columns, of which the last is blank and 8 are " 25 wait": 11
 * dots. 5 s are 10: one dot, or 6 beside the number alone. */
Test(timeline, a_number_of_those_who_wait_has_a_word)
{
	static const char *const lanes[] = { "queue" }, *const kinds[] = { "work", "waiting" };
	struct figure fig = { 0 };
	struct timeline *t = figure_timeline(&fig, "", lanes, 1, kinds, 2);
	timeline_count(&fig, t, 0, 1, 0, 10, 25, "wait");
	timeline_count(&fig, t, 0, 1, 10, 15, 25, "wait");
	timeline_count(&fig, t, 0, 1, 15, 20, 25, "customers");
	expect_picture(&fig, 4, 46, GLYPHS_ASCII, NULL,
		"o waiting\n"
		"queue ooooooooooo 25 wait o 25 wait oooooo 25\n"
		"      +-------------------+------------------+\n"
		"      0                  10               20 s\n");
	figure_release(&fig);
}

/* What a timeline looks like where its fills are solid. */
static void expect_solid(const struct timeline *t, int rows, int cols, const char *want)
{
	struct canvas cv;
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_LINES)));
	cv.fills = FILLS_TINTED;
	timeline_draw(&cv, (struct rect){ 0, 0, rows, cols }, t, NAN);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	cr_expect(eq(str, text, (char *)want));
	free(text);
}

/* A queue and five slim lanes, and 20 columns for 20 s: two in the halves of a row, the last in an upper
 * half. A kind is named where two halves show it, or else in the legend; the lane of the queue names the
 * dots. A row less has no place for the last lane. (A whole cell of the legend has a line of ground at its foot,
 * which is what is left of it without its colours.) */
Test(timeline, slim_lanes_are_half_a_row_high)
{
	static const char *const lanes[] = { "queue", "a", "b", "c", "d", "e" }, *const kinds[] = {
		"work", "queue", "idle"
	};
	struct figure fig = { 0 };
	struct timeline *t = figure_timeline(&fig, "", lanes, 6, kinds, 3);
	timeline_rank(&fig, t, (const unsigned char[]){ 0, 1, 2, 3, 4, 5 }, 6);
	cr_assert(t != NULL);
	t->slim = true;
	t->rest = "slots";
	timeline_count(&fig, t, 0, 1, 0, 10, 3, NULL);
	timeline_span(&fig, t, 1, 0, 0, 20, NULL);
	timeline_span(&fig, t, 2, 0, 0, 10, NULL);
	timeline_span(&fig, t, 2, 2, 10, 15, NULL);
	timeline_span(&fig, t, 4, 0, 5, 10, NULL);
	timeline_span(&fig, t, 5, 0, 0, 8, NULL);
	timeline_span(&fig, t, 5, 0, 8, 20, NULL); /* the second of two */
	expect_solid(t, 7, 26,
		"▁ idle\n"
		"queue ●●●\n"
		"a     ███work███▀▀▀▀▀▀▀▀▀▀\n"
		"c          ▄▄▄▄▄\n"
		"e     ▀▀▀▀▀▀▀▀▝▀▀▀▀▀▀▀▀▀▀▀\n"
		"      ▏         ▏        ▕\n"
		"      0        10     20 s\n");
	expect_solid(t, 6, 26,
		"▁ idle       + 1 more slot\n"
		"queue ●●●\n"
		"a     ███work███▀▀▀▀▀▀▀▀▀▀\n"
		"c          ▄▄▄▄▄\n"
		"      ▏         ▏        ▕\n"
		"      0        10     20 s\n");
	figure_release(&fig);
}

/* Steps that are all alike are as wide as each other: 4 of 1 s in 30 columns would be 7 or 8, and are 7
 * each, in textures with a line where two of a kind meet. */
Test(timeline, equal_spans_have_equal_columns)
{
	static const char *const lane[] = { "" }, *const kinds[] = { "step" };
	struct figure fig = { 0 };
	struct timeline *t = figure_timeline(&fig, "", lane, 1, kinds, 1);
	for (int i = 0; i < 4; i++)
		timeline_span(&fig, t, 0, 0, i, i + 1, "");
	char *got = picture(&fig, 4, 30, GLYPHS_ASCII, NULL);
	cr_expect(strstr(got, "\n#######|######|######|######\n") != NULL, "%s", got);
	free(got);
	figure_release(&fig);
}

/* Where lanes touch a word has a column of its span on both sides: "#113" in five of 30 stands in the legend then. In
 * each height it is somewhere. */
Test(timeline, a_kind_is_named_in_its_span_or_in_the_legend)
{
	static const char *const lanes[] = { "a", "b", "c" }, *const kinds[] = { "work", "#113" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_FOCUS };
	for (int rows = 6; rows < 16; rows++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct timeline *t = figure_timeline(&fig, "Lanes", lanes, 3, kinds, 2);
		timeline_mean(&fig, t, means, 2);
		timeline_span(&fig, t, 0, 1, 0, 5, NULL);
		timeline_span(&fig, t, 0, 0, 5, 30, NULL);
		timeline_span(&fig, t, 1, 0, 0, 30, NULL);
		timeline_span(&fig, t, 2, 0, 2, 30, NULL);
		cr_assert(zero(int, canvas_init(&cv, rows, 33, GLYPHS_BRAILLE)));
		cv.fills = FILLS_TINTED;
		figure_draw(&cv, (struct rect){ 0, 0, rows, 33 }, &fig, NULL);
		bool said = false;
		for (int i = 0; i + 3 < rows * 33; i++)
			said |= cv.cells[i].code == '#' && cv.cells[i + 3].code == '3';
		cr_expect(said, "%d rows", rows);
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* -- Lanes of every simulation --------------------------------------------------------------- */

/* How much of a cell is the terminal's ground. */
static double ground_in(const struct cell *c)
{
	const double eighths = c->code >= 0x2588 && c->code < 0x2590 ? 0x2590 - (double)c->code : 0;
	if (c->under != STYLE_PLAIN)
		return 0;
	return c->attr & ATTR_REVERSE ? eighths / 8 : 1 - eighths / 8;
}

/* The spans of one lane that fill time, in order. */
static size_t spans_of(const struct timeline *t, unsigned lane, struct span *list)
{
	size_t n = 0;
	for (size_t i = 0; i < t->n_spans; i++) {
		struct span s = t->spans[i];
		if (s.lane != lane || s.count || !(s.end > s.start) || !isfinite(s.end - s.start))
			continue;
		s.lane = 0;
		size_t at = n++;
		for (; at > 0 && list[at - 1].start > s.start; at--)
			list[at] = list[at - 1];
		list[at] = s;
	}
	return n;
}

/* Whether somebody has all of the time from one moment to another. */
static bool is_taken(const struct span *list, size_t n, double from, double to)
{
	for (size_t i = 0; i < n && list[i].start <= from; i++)
		from = list[i].end >= from ? fmax(from, list[i].end) + 1e-9 * (to - from) : from;
	return from >= to;
}

/* Draws the lane alone over the whole width, and looks at the row that has most of it. What is taken
 * from end to end shows the ground in a cut between two of a kind at most. */
static void expect_no_holes(
	const struct timeline *t, const struct span *list, size_t n, int cols, const char *name)
{
	enum { ROWS = 4 };
	struct timeline one = *t;
	struct canvas cv;
	double lo = list[0].start, hi = 0;
	int best = 0, first = -1, end = 0;
	one.title = "";
	one.lane_names = (const char *const[]){ "" };
	one.lane_ranks = NULL;
	one.lane_notes = NULL;
	one.n_lanes = 1;
	one.tall = one.n_rules = 0;
	one.slim = false;
	one.spans = (struct span *)list;
	one.n_spans = n;
	for (size_t i = 0; i < n; i++)
		hi = fmax(hi, list[i].end);
	cr_assert(zero(int, canvas_init(&cv, ROWS, cols, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	timeline_draw(&cv, (struct rect){ 0, 0, ROWS, cols }, &one, NAN);
	const struct cell *row = cv.cells;
	for (int r = 0; r < ROWS; r++) {
		int inked = 0;
		for (int i = 0; i < cols; i++)
			inked += ground_in(&cv.cells[r * cols + i]) < 1;
		if (inked > best) {
			best = inked;
			row = &cv.cells[r * cols];
		}
	}
	for (int i = 0; i < cols; i++) {
		first = ground_in(&row[i]) < 1 && first < 0 ? i : first;
		end = ground_in(&row[i]) < 1 ? i + 1 : end;
	}
	/* To the eighth: where the first span begins and the last one ends. */
	double from = first + (row[first].attr & ATTR_REVERSE ? ground_in(&row[first]) : 0);
	double to = end - (row[end - 1].attr & ATTR_REVERSE ? 0 : ground_in(&row[end - 1]));
	double second = (to - from) / (hi - lo);
	for (int i = first; i < end && second > 0; i++)
		if (is_taken(list, n, lo + (i - 0.2 - from) / second,
			    lo + (i + 1.2 - from) / second))
			cr_expect(ground_in(&row[i]) <= 0.125, "%s: a hole in column %d of %d",
				name, i, cols);
	canvas_release(&cv);
}

/* -- Rows of every simulation ---------------------------------------------------------------- */

static uint32_t code_at(const struct canvas *cv, int row, int col)
{
	bool inside = row >= 0 && row < cv->rows && col >= 0 && col < cv->cols;
	return inside ? cv->cells[row * cv->cols + col].code : 0;
}

static bool is_block(uint32_t code)
{
	return code == 0x2588 || code == 0x2581;
}

/* Whether two spans of a kind touch in a lane: such lanes are whole, with a cut between the two. */
static bool spans_abut(const struct timeline *t)
{
	for (size_t i = 0; i < t->n_spans; i++)
		for (size_t k = 0; k < t->n_spans; k++) {
			const struct span *a = &t->spans[i], *b = &t->spans[k];
			if (i != k && a->lane == b->lane && a->kind == b->kind &&
				fabs(b->start - a->end) < 1e-6 * (a->end - a->start))
				return true;
		}
	return false;
}

/* A low cell, or one that may be among them: with a line at its foot (the ground's, or the edge of what is over a
 * limit), a thin stroke, a cut whose underline goes on with the line, or no part at all. A whole cell, one that two
 * parts share, and one with a letter on a part would close the gap below it. */
static bool keeps_low(const struct cell *c)
{
	bool reversed = c->attr & ATTR_REVERSE;
	bool block = c->code >= 0x2580 && c->code <= 0x2595;
	bool foot = c->code == 0x2581 && (reversed || c->style == STYLE_BAD);
	bool stroke = (c->code == 0x258e || c->code == 0x258f || c->code == 0x2595) &&
		      c->under == STYLE_PLAIN;
	bool cut = stroke && reversed;
	return foot || (cut ? (c->attr & ATTR_UNDERLINE) != 0 : stroke) || (!block && !reversed);
}

/* Bars have one height: where one cell is low, all in its row and in those beside it are. What is over a limit has
 * its edge in the gap. */
static void expect_one_height(const struct canvas *cv, const char *name)
{
	for (int row = 0; row < cv->rows; row++) {
		bool low = false;
		for (int col = 0; col < cv->cols; col++) {
			const struct cell *c = &cv->cells[row * cv->cols + col];
			low |= c->code == 0x2581 && c->attr & ATTR_REVERSE;
		}
		for (int col = 0; low && col < cv->cols; col++) {
			const struct cell *c = &cv->cells[row * cv->cols + col];
			cr_expect(keeps_low(c), "%s %dx%d: (%d, %d) is higher than its bar", name,
				cv->cols, cv->rows, row, col);
		}
	}
}

/* Where two rows have names right below each other, what the upper one fills does not reach the lower one:
 * no two whole blocks of it are beside each other. */
static void expect_rows_apart(const struct block *b, int rows, int cols, const char *name)
{
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	if (b->kind == BLOCK_BARS)
		bars_draw(&cv, (struct rect){ 0, 0, rows, cols }, &b->as.bars, NULL);
	else
		timeline_draw(&cv, (struct rect){ 0, 0, rows, cols }, &b->as.timeline, NAN);
	expect_one_height(&cv, name);
	bool whole = b->kind == BLOCK_TIMELINE && spans_abut(&b->as.timeline);
	for (int row = 1; row < rows && !whole; row++) {
		bool named = code_at(&cv, row, 0) > ' ' && code_at(&cv, row, 0) < 0x2000 &&
			     code_at(&cv, row - 1, 0) > ' ' && code_at(&cv, row - 1, 0) < 0x2000;
		for (int col = 1; named && col < cols; col++) {
			bool below = is_block(code_at(&cv, row, col)) &&
				     is_block(code_at(&cv, row, col + 1));
			bool above = code_at(&cv, row - 1, col) == 0x2588 &&
				     is_block(code_at(&cv, row - 1, col + 1));
			cr_expect(below == false || above == false, "%s %dx%d: (%d, %d)", name,
				cols, rows, row, col);
		}
	}
	canvas_release(&cv);
}

static bool begins_row(const struct canvas *cv, int row, const char *label)
{
	for (int col = 0; *label; col++)
		if (code_at(cv, row, col) != utf8_next(&label))
			return false;
	return true;
}

/* Whether a row has a cell of that meaning. */
static bool row_has(const struct canvas *cv, int row, enum style style)
{
	for (int col = 0; col < cv->cols; col++) {
		const struct cell *c = &cv->cells[row * cv->cols + col];
		if ((c->code > ' ' && c->style == style) || c->under == style)
			return true;
	}
	return false;
}

/* A part that takes three fifths of a column, of a scale that is 0.3 of the width at least. */
static void expect_parts_seen(const struct bars *b, int rows, int cols, const char *name)
{
	struct canvas cv;
	double longest = 0;
	cr_assert(zero(int, canvas_init(&cv, rows, cols, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	bars_draw(&cv, (struct rect){ 0, 0, rows, cols }, b, NULL);
	for (size_t i = 0; i < b->n_bars; i++) {
		double sum = 0;
		for (size_t k = 0; k < b->n_parts; k++)
			sum += fmax(0, b->bars[i].parts[k]);
		longest = fmax(longest, fmax(sum, b->bars[i].was));
	}
	/* What goes far beyond a limit is cut. */
	if (isfinite(b->limit) && longest > 2 * b->limit)
		longest = INFINITY;
	for (size_t i = 0; i < b->n_bars; i++) {
		int row = 0;
		while (row < rows && !begins_row(&cv, row, b->bars[i].label))
			row++;
		for (size_t k = 0; row < rows && k < b->n_parts; k++)
			if (b->bars[i].parts[k] / longest * 0.3 * cols >= 0.6)
				cr_expect(row_has(&cv, row, meaning_style(b->means[k])),
					"%s %dx%d: %s of %s", name, cols, rows, b->part_names[k],
					b->bars[i].label);
	}
	canvas_release(&cv);
}

Test(bars, rows_are_told_apart, .timeout = 60)
{
	static const int sizes[][2] = { { 7, 58 }, { 8, 57 }, { 9, 46 }, { 12, 58 }, { 14, 109 },
		{ 20, 109 }, { 30, 150 } };
	struct tables tables = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &tables, v);
		sims[i]->run(&tables, v, &fig);
		for (size_t b = 0; b < fig.n_blocks; b++) {
			const struct block *block = fig.blocks[b];
			bool lanes = block->kind == BLOCK_TIMELINE && !block->as.timeline.slim;
			bool bars = block->kind == BLOCK_BARS && !block->as.bars.chain;
			for (size_t k = 0; (lanes || bars) && k < sizeof sizes / sizeof *sizes;
				k++) {
				expect_rows_apart(block, sizes[k][0], sizes[k][1], sims[i]->id);
				if (bars && !block->as.bars.log && !block->as.bars.n_steps &&
					block->as.bars.n_parts > 1)
					expect_parts_seen(&block->as.bars, sizes[k][0], sizes[k][1],
						sims[i]->id);
			}
		}
		figure_release(&fig);
	}
	tables_release(&tables);
}

Test(timeline, what_is_taken_has_no_holes, .timeout = 60)
{
	static const int widths[] = { 30, 48, 67, 101, 150 };
	struct tables tables = load_tables();
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &tables, v);
		sims[i]->run(&tables, v, &fig);
		for (size_t b = 0; b < fig.n_blocks; b++) {
			const struct timeline *t = &fig.blocks[b]->as.timeline;
			if (fig.blocks[b]->kind != BLOCK_TIMELINE)
				continue;
			struct span *list = calloc(t->n_spans + 1, sizeof *list);
			for (unsigned lane = 0; list && lane < t->n_lanes; lane++) {
				size_t n = spans_of(t, lane, list);
				for (size_t k = 0; n > 0 && k < sizeof widths / sizeof *widths; k++)
					expect_no_holes(t, list, n, widths[k], sims[i]->id);
			}
			free(list);
		}
		figure_release(&fig);
	}
	tables_release(&tables);
}

/* Six lanes of a minute, without blank rows between them, at some 1.3 columns a second. In each,
 * turns of work, its second pass, and an instant without work: of a second, where both passes take
 * less than a column, or of two, where the second takes more than one. Nothing of a lane is blank,
 * and both are seen. */
Test(timeline, dense_lanes_have_no_holes)
{
	enum { LANES = 6, SECONDS = 60, ROWS = LANES + 3, COLS = 80 };
	static const char *const lanes[LANES] = { "a", "b", "c", "d", "e", "f" };
	static const char *const kinds[] = { "work", "second", "idle" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_SECOND, MEANS_WAITING };
	for (double turn_s = 1; turn_s < 3; turn_s++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct timeline *t = figure_timeline(&fig, "", lanes, LANES, kinds, 3);
		cr_assert(ne(ptr, t, NULL));
		timeline_mean(&fig, t, means, 3);
		for (unsigned lane = 0; lane < LANES; lane++)
			for (int i = 0; i < SECONDS / turn_s; i++) {
				double at_s = turn_s * i + 0.11 * lane, first_s = 0.35 * turn_s;
				timeline_span(&fig, t, lane, 0, at_s, at_s + first_s, "");
				timeline_span(
					&fig, t, lane, 1, at_s + first_s, at_s + 0.98 * turn_s, "");
				timeline_span(
					&fig, t, lane, 2, at_s + 0.98 * turn_s, at_s + turn_s, "");
			}
		cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_BRAILLE)));
		cv.fills = FILLS_TINTED;
		timeline_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, t, NAN);
		for (int lane = 0; lane < LANES; lane++) {
			int row = 0;
			while (row < ROWS && !begins_row(&cv, row, lanes[lane]))
				row++;
			cr_assert(lt(int, row, ROWS));
			cr_expect(row_has(&cv, row, meaning_style(MEANS_COMPUTE)));
			cr_expect(row_has(&cv, row, meaning_style(MEANS_SECOND)));
			for (int col = 5; col < COLS - 5; col++)
				cr_expect(ground_in(&cv.cells[row * COLS + col]) <= 0.125,
					"%g s: lane %d, column %d", turn_s, lane, col);
		}
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* A pipeline of many micro-batches in few columns: 300,000 spans are some passes over them, which take less than
 * a second even where each is checked, and not 300,000 passes, which take many minutes. Neither lanes that touch
 * nor slim ones look at each pair. */
Test(timeline, drawing_grows_with_spans_and_not_with_pairs, .timeout = 60)
{
	enum { LANES = 8, EACH = 300000 / LANES, ROWS = 12, COLS = 120 };
	static const char *const lanes[LANES] = { "a", "b", "c", "d", "e", "f", "g", "h" },
				 *const kinds[] = { "forward", "backward" };
	for (int slim = 0; slim < 2; slim++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct timeline *t = figure_timeline(&fig, "", lanes, LANES, kinds, 2);
		cr_assert(ne(ptr, t, NULL));
		timeline_rank(&fig, t, (const unsigned char[]){ 0, 1, 1, 1, 1, 1, 1, 1 }, LANES);
		t->slim = slim;
		for (unsigned lane = 0; lane < LANES; lane++) {
			for (int i = 0; i < EACH; i++)
				timeline_span(&fig, t, lane, (unsigned)i % 2, i, i + 1, NULL);
			/* one that may be cut from its neighbour, and one that a name may stand in */
			timeline_span(&fig, t, lane, 0, EACH, 1.05 * EACH, NULL);
			timeline_span(&fig, t, lane, 1, 1.05 * EACH, 1.4 * EACH, NULL);
		}
		cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_LINES)));
		cv.fills = FILLS_TINTED;
		timeline_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, t, NAN);
		int filled = 0; /* each column of each lane, but the space that a scale may leave */
		for (int i = 0; i < ROWS * COLS; i++)
			filled += cv.cells[i].style >= STYLE_SERIES ||
				  cv.cells[i].under != STYLE_PLAIN;
		cr_expect(le(int, (slim ? 4 : LANES) * COLS / 2, filled));
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* A word of four stands in the four whole columns of a span from 3.2 to 8, and not in those of one from 3.2
 * to 7.9: another has a part of either end. Lanes of 20 s in 20 columns. */
Test(timeline, a_word_hides_no_other_part, .timeout = 10)
{
	static const char *const lane[] = { "" }, *const kinds[] = { "other", "word" };
	for (int fits = 0; fits < 2; fits++) {
		struct figure fig = { 0 };
		struct timeline *t = figure_timeline(&fig, "", lane, 1, kinds, 2);
		double end = fits ? 8 : 7.9;
		timeline_span(&fig, t, 0, 0, 0, 3.2, "");
		timeline_span(&fig, t, 0, 1, 3.2, end, NULL);
		timeline_span(&fig, t, 0, 0, end, 20, "");
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 4, 20, GLYPHS_LINES)));
		cv.fills = FILLS_TINTED;
		timeline_draw(&cv, (struct rect){ 0, 0, 4, 20 }, t, NAN);
		int words = 0;
		for (int i = 0; i + 3 < 4 * 20; i++)
			words += cv.cells[i].code == 'w' && (cv.cells[i].attr & ATTR_REVERSE);
		cr_expect(eq(int, words, fits), "to %g", end);
		canvas_release(&cv);
		figure_release(&fig);
	}
}

Test(timeline, many_lanes_share_rows)
{
	struct figure fig = { 0 };
	static char names[128][12];
	const char *lanes[128];
	for (int i = 0; i < 128; i++) {
		snprintf(names[i], sizeof names[i], "%d", i);
		lanes[i] = names[i];
	}
	struct timeline *t =
		figure_timeline(&fig, "Requests", lanes, 128, (const char *const[]){ "run" }, 1);
	for (unsigned i = 0; i < 128; i++)
		timeline_span(&fig, t, i, 0, i, i + 1, NULL);
	/* 20 rows: title with the legend, axis of 2, so 17 for lanes: 8 lanes a row */
	char *text = picture(&fig, 20, 60, GLYPHS_LINES, NULL);
	cr_expect(ne(ptr, strstr(text, "8 lanes a row\n"), NULL));
	cr_expect(ne(ptr, strstr(text, "\n120 "), NULL));
	cr_expect(eq(int, timeline_rows(t, 60), 1 + 128 + 2));
	free(text);
	figure_release(&fig);
}

static const char *const cells[] = { "free", "a", "b" };

Test(grid, frames)
{
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "KV", cells, 3, NULL, 2, 3, (double[]){ 1, 2 }, 2);
	grid_set(g, 0, 0, 1, 1);
	grid_set(g, 0, 0, 2, 2);
	grid_set(g, 1, 1, 0, 1);
	static const struct {
		double at_s;
		const char *want;
	} rows[] = {
		{ 0.5, "KV\n· free   █ a   ▓ b\n·     █████ ▓▓▓▓▓\n·     ·     ·\n" },
		{ 1.9, "KV\n· free   █ a   ▓ b\n·     █████ ▓▓▓▓▓\n·     ·     ·\n" },
		/* The legend names what is drawn. While it plays each name keeps its place. */
		{ 2, "KV\n· free   █ a\n·     ·     ·\n█████ ·     ·\n" },
		{ NAN, "KV   · free   █ a\n·     ·     ·\n█████ ·     ·\n\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		expect_picture(&fig, 4, 18, GLYPHS_LINES,
			&(struct figure_state){ .playhead_s = rows[i].at_s }, rows[i].want);
	figure_release(&fig);
}

/* What plays keeps the places of its names: before b the place of a is empty. */
Test(grid, names_keep_their_places)
{
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "KV", cells, 3, NULL, 1, 2, (double[]){ 0, 1, 2 }, 3);
	grid_set(g, 0, 0, 0, 1);
	grid_set(g, 1, 0, 0, 2);
	if (g)
		g->bare = true;
	expect_picture(&fig, 2, 18, GLYPHS_LINES, &(struct figure_state){ .playhead_s = 0.5 },
		"KV   █ a\n███████\n");
	expect_picture(&fig, 2, 18, GLYPHS_LINES, &(struct figure_state){ .playhead_s = 1.5 },
		"KV         ▓ b\n▓▓▓▓▓▓▓\n");
	figure_release(&fig);
}

/* Two steps, so three frames. Three columns of 8 behind names of 6: the numbers stand in the middle with
 * the arrow behind them, the legend names no level because the numbers do, nothing stands for an empty
 * cell, and the columns are counted from 0. */
Test(grid, cells_have_their_numbers_and_columns)
{
	static const char *const kinds[] = { "nothing", "one", "two", "sent" };
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_LEVEL, MEANS_LEVEL + 7,
		MEANS_FOCUS };
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "Sums", kinds, 4,
		(const char *const[]){ "GPU 0", "GPU 1" }, 2, 3, (double[]){ 0, 1, 2 }, 3);
	grid_mean(&fig, g, means, 4);
	grid_axes(&fig, g, "chunk", "step");
	grid_set(g, 0, 0, 0, 1);
	grid_write(&fig, g, 0, 0, 0, 1, 0);
	grid_set(g, 0, 0, 1, 3);
	grid_write(&fig, g, 0, 0, 1, 12, 5);
	grid_set(g, 0, 1, 2, 2);
	grid_write(&fig, g, 0, 1, 2, 2, -1);
	/* One gets 5 more, the next, which is empty, becomes 7. */
	grid_set(g, 0, 1, 0, 1);
	grid_write(&fig, g, 0, 1, 0, 1, 0);
	grid_receive(g, 0, 1, 0, 5, true);
	grid_receive(g, 0, 1, 1, 7, false);
	struct figure_state at = { .playhead_s = 0.5 };
	expect_picture(&fig, 4, 30, GLYPHS_LINES, &at,
		"Sums   ▒ sent      step 1 of 2\n"
		"chunk    0       1       2\n"
		"GPU 0    1    ▒▒▒12↓▒▒\n"
		"GPU 1   1+5      →7      2↑\n");
	/* Without room for them the columns have no numbers; the cells keep theirs. */
	expect_picture(&fig, 3, 30, GLYPHS_ASCII, &at,
		"Sums   + sent      step 1 of 2\n"
		"GPU 0    1    +++12v++\n"
		"GPU 1   1+5      >7      2^\n");
	figure_release(&fig);
}

/* Where rows stand apart, what goes to the next one has its arrow between the two; what goes further
 * has it in its cell. */
Test(grid, arrows_stand_between_rows_that_are_apart)
{
	static const char *const kinds[] = { "nothing", "one", "sent" };
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_LEVEL, MEANS_FOCUS };
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "Sums", kinds, 3,
		(const char *const[]){ "GPU 0", "GPU 1", "GPU 2" }, 3, 3, (double[]){ 0 }, 1);
	grid_mean(&fig, g, means, 3);
	g->apart = true;
	for (size_t i = 0; i < 9; i++) {
		grid_set(g, 0, i / 3, i % 3, i % 4 ? 1 : 2);
		/* on the diagonal: down, down, and from the last row back to the first */
		grid_write(&fig, g, 0, i / 3, i % 3, 1, i % 4 ? 0 : i < 8 ? 1 : -2);
	}
	struct figure_state at = { .playhead_s = 0 };
	expect_picture(&fig, 6, 30, GLYPHS_ASCII, &at,
		"Sums   = sent\n"
		"GPU 0 ===1====   1       1\n"
		"         v\n"
		"GPU 1    1    ===1====   1\n"
		"                 v\n"
		"GPU 2    1       1    ===1^===\n");
	/* Where there is no room for blank rows, all have them in their cells. */
	expect_picture(&fig, 4, 30, GLYPHS_ASCII, &at,
		"Sums   = sent\n"
		"GPU 0 ===1v===   1       1\n"
		"GPU 1    1    ===1v===   1\n"
		"GPU 2    1       1    ===1^===\n");
	figure_release(&fig);
}

/* Of 18 columns 2 are names and 3 notes, which end together: 13 are left, so that three cells have 4 each.
 * On a bare ground nothing stands for an empty cell, nor in the legend. */
Test(grid, rows_have_notes_and_a_bare_ground)
{
	struct figure fig = { 0 };
	struct grid *g =
		figure_grid(&fig, "KV", cells, 3, (const char *const[]){ "x", "y" }, 2, 3, NULL, 1);
	grid_set(g, 0, 0, 1, 1);
	grid_set(g, 0, 1, 0, 1);
	grid_row_notes(&fig, g, (const char *const[]){ "1", "12" });
	struct figure_state at = { .playhead_s = NAN };
	expect_picture(&fig, 4, 18, GLYPHS_LINES, &at,
		"KV   · free   █ a\nx ·   ███ ·     1\ny ███ ·   ·    12\n\n");
	if (g)
		g->bare = true;
	expect_picture(&fig, 4, 18, GLYPHS_LINES, &at,
		"KV   █ a\nx     ███       1\ny ███          12\n\n");
	figure_release(&fig);
}

/* Of six rows in two lines one cell in three is enough where nothing stands for an empty one. */
Test(grid, one_of_several_cells_is_seen_on_a_bare_ground)
{
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "", cells, 3, NULL, 6, 2, NULL, 1);
	for (size_t row = 0; row < 6; row++)
		grid_set(g, 0, row, 0, 1);
	grid_set(g, 0, 5, 1, 1);
	struct figure_state at = { .playhead_s = NAN };
	if (g)
		g->bare = true;
	expect_picture(&fig, 3, 7, GLYPHS_LINES, &at, "█ a\n██\n██ ██\n");
	figure_release(&fig);
}

/* A dark level is a ground for the terminal's own ink, a bright one is reversed. */
Test(grid, numbers_can_be_read_on_their_fills)
{
	static const char *const kinds[] = { "none", "dark", "bright" };
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_LEVEL, MEANS_LEVEL + 7 };
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "", kinds, 3, NULL, 1, 2, NULL, 1);
	grid_mean(&fig, g, means, 3);
	for (unsigned i = 0; i < 2; i++) {
		grid_set(g, 0, 0, i, i + 1);
		grid_write(&fig, g, 0, 0, i, i + 1, 0);
	}
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 1, 6, GLYPHS_LINES)));
	cv.fills = FILLS_TINTED;
	grid_draw(&cv, (struct rect){ 0, 0, 1, 6 }, g, NAN);
	const struct cell *dark = &cv.cells[1], *bright = &cv.cells[4];
	cr_expect(all(eq(u32, dark->code, '1'), eq(u32, bright->code, '2')));
	cr_expect(all(eq(int, dark->style, STYLE_PLAIN), eq(int, dark->under, STYLE_LEVEL)));
	cr_expect(eq(int, bright->style, STYLE_LEVEL + 7));
	cr_expect(eq(int, bright->attr &ATTR_REVERSE, ATTR_REVERSE));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Memory of 2 x 6 cells under two names. In 13 columns behind the names a line holds all of a name, 2
 * columns a cell. Where there are 3 places for 6 cells, a mark is 2 of them. */
Test(grid, memory_flows_into_the_room_that_there_is)
{
	struct figure fig = { 0 };
	const char *const names[] = { "x", "", "y", "" };
	struct grid *g = figure_grid(&fig, "", cells, 3, names, 4, 3, NULL, 1);
	grid_mean(&fig, g, (const enum meaning[]){ MEANS_EMPTY, MEANS_COMPUTE, MEANS_HELD }, 3);
	g->flows = true;
	for (size_t i = 0; i < 6; i++) {
		grid_set(g, 0, i / 3, i % 3, i < 4 ? 1 : 0);
		grid_set(g, 0, 2 + i / 3, i % 3, 2);
	}
	expect_picture(&fig, 3, 15, GLYPHS_LINES, NULL,
		"█ a   ▓ b\n"
		"x █ █ █ █\n"
		"y ▓ ▓ ▓ ▓ ▓ ▓\n");
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 2, 4, GLYPHS_ASCII)));
	grid_draw(&cv, (struct rect){ 0, 0, 2, 4 }, g, NAN);
	/* The names have a third of 4 columns: one, which holds none. */
	for (int i = 0; i < 8; i++)
		cr_expect(eq(chr, (char)cv.cells[i].code, " ##  ==="[i]), "cell %d", i);
	canvas_release(&cv);
	figure_release(&fig);
}

/* 2 columns for the name and 20 for 10 cells, 2 each: 6 cells in a row are 12 columns, which "free, 9 %" and
 * a blank at either side fit; 4 are 8, which have room for its last clause. */
Test(grid, words_among_cells_that_flow)
{
	static const char *const words[] = { NULL, NULL, "free, 9 %" };
	for (unsigned used = 4; used <= 6; used += 2) {
		struct figure fig = { 0 };
		struct grid *g = figure_grid(
			&fig, "", cells, 3, (const char *const[]){ "x" }, 1, 10, NULL, 1);
		grid_mean(&fig, g, (const enum meaning[]){ MEANS_EMPTY, MEANS_COMPUTE, MEANS_HELD },
			3);
		g->flows = true;
		g->words = words;
		for (size_t i = 0; i < 10; i++)
			grid_set(g, 0, 0, i, i < used ? 1 : 2);
		struct canvas cv;
		cr_assert(zero(int, canvas_init(&cv, 2, 22, GLYPHS_LINES)));
		cv.fills = FILLS_TINTED;
		grid_draw(&cv, (struct rect){ 0, 0, 2, 22 }, g, NAN);
		const struct cell *row = &cv.cells[22];
		size_t at = used == 4 ? 11 : 16; /* 2 + 8 + 1 of 12, 2 + 12 + 2 of 8 */
		const char *want = used == 4 ? "free, 9 %" : "9 %";
		for (size_t i = 0; want[i]; i++)
			cr_expect(eq(chr, (char)row[at + i].code, want[i]), "%u, %zu", used, i);
		cr_expect(eq(u32, row[at - 1].code, 0x2588));
		cr_expect(eq(u32, cv.cells[6].code, ' '), "no legend of it");
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* Lines of 20 cells from 0 to 2 on 20 columns: one number every 5 cells, numbers that touch, more than
 * can be told apart, and in each row the place of its value; the words of the row at its end. On 10
 * columns a column is two cells, and the value is not lost. */
Test(grid, rows_may_be_lines_of_numbers)
{
	static const char *const kinds[] = { "none", "number", "many", "value" };
	struct figure fig = { 0 };
	struct grid *g = figure_grid(
		&fig, "N", kinds, 4, (const char *const[]){ "a", "b", "c" }, 3, 20, NULL, 1);
	grid_mean(&fig, g,
		(const enum meaning[]){ MEANS_EMPTY, MEANS_LEVEL, MEANS_LEVEL, MEANS_FOCUS }, 4);
	grid_number_lines(&fig, g, 0, 2, 1, (const char *const[]){ "off 1", "2", "3" });
	for (size_t i = 0; i < 20; i++) {
		grid_set(g, 0, 0, i, i % 5 == 0);
		grid_set(g, 0, 1, i, 1);
		grid_set(g, 0, 2, i, 2);
	}
	for (size_t row = 0; row < 3; row++)
		grid_set(g, 0, row, 7 + row, 3);
	expect_picture(&fig, 4, 29, GLYPHS_LINES, NULL,
		"N\n"
		"a ┼────┼─◆──┼────┼────  off 1\n"
		"b ┼┼┼┼┼┼┼┼◆┼┼┼┼┼┼┼┼┼┼┼  2\n"
		"c ═════════◆══════════  3\n");
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 3, 12, GLYPHS_ASCII)));
	grid_draw(&cv, (struct rect){ 0, 0, 3, 12 }, g, NAN);
	/* The words of the rows have no room here. */
	for (int i = 0; i < 12; i++)
		cr_expect(eq(chr, (char)cv.cells[i].code, "a |-|*-|-|--"[i]), "column %d", i);
	canvas_release(&cv);
	figure_release(&fig);
}

/* The number that the lines are about stands above them, with a rule down through them: 0.75 of 0 to 2
 * is in the eighth of 20 columns. The line in focus has 1.0 in its place, under its mark, where there is a
 * row for that. */
Test(grid, lines_of_numbers_have_a_rule_at_what_is_wanted)
{
	static const char *const kinds[] = { "none", "a number", "many numbers", "kept" };
	struct figure fig = { 0 };
	struct grid *g =
		figure_grid(&fig, "N", kinds, 4, (const char *const[]){ "a", "b" }, 2, 20, NULL, 1);
	grid_mean(&fig, g,
		(const enum meaning[]){ MEANS_EMPTY, MEANS_LEVEL, MEANS_LEVEL, MEANS_FOCUS }, 4);
	grid_number_lines(&fig, g, 0, 2, 0, NULL);
	grid_wanted(&fig, g, 0.75, "0.75", "1.0");
	grid_set(g, 0, 0, 10, 3);
	grid_set(g, 0, 1, 7, 3);
	expect_picture(&fig, 7, 22, GLYPHS_LINES, NULL,
		"N\n"
		"       0.75\n"
		"a ───────┊──◆─────────\n"
		"         ┊    1.0\n"
		"b ───────◆────────────\n"
		"  ├─────────┼────────┼\n"
		"  0         1        2\n");
	figure_release(&fig);
}

Test(grid, too_many_cells_are_gathered_by_majority)
{
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "", cells, 3, NULL, 4, 8, NULL, 1);
	for (size_t row = 0; row < 4; row++)
		for (size_t col = 0; col < 8; col++)
			grid_set(g, 0, row, col, row < 2 ? 1 : col < 5 ? 2 : 0);
	/* In 2 rows of 4, without room for words, a mark is 2 x 2 cells. The third mark of the
	 * lower row is half b and half free, and shows b. */
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 2, 4, GLYPHS_ASCII)));
	grid_draw(&cv, (struct rect){ 0, 0, 2, 4 }, g, NAN);
	for (int i = 0; i < 8; i++)
		cr_expect(eq(chr, (char)cv.cells[i].code, "####===."[i]), "cell %d", i);
	canvas_release(&cv);
	figure_release(&fig);
}

/* Two by two pixels, black over white and grey over black, twice as large: a pixel is two columns
 * wide and a row high. Where nothing has a colour, shades stand for greys. */
Test(grid, small_images_have_square_pixels)
{
	static const char *const kinds[] = { "black", "grey", "white" };
	static const enum meaning means[] = { MEANS_GREY, MEANS_GREY + 3, MEANS_GREY + 7 };
	struct figure fig = { 0 };
	struct grid *g = figure_grid(&fig, "", kinds, 3, NULL, 2, 2, NULL, 1);
	grid_mean(&fig, g, means, 3);
	grid_set(g, 0, 0, 1, 1);
	grid_set(g, 0, 1, 0, 2);
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 1, 2, GLYPHS_LINES)));
	cv.fills = FILLS_TINTED;
	grid_draw(&cv, (struct rect){ 0, 0, 1, 2 }, g, NAN);
	for (int i = 0; i < 2; i++) {
		cr_expect(eq(u32, cv.cells[i].code, 0x2580));
		cr_expect(eq(int, cv.cells[i].style, (int)meaning_style(means[i])));
		cr_expect(eq(int, cv.cells[i].under, (int)meaning_style(means[i ? 0 : 2])));
	}
	canvas_release(&cv);
	cr_assert(zero(int, canvas_init(&cv, 2, 4, GLYPHS_ASCII)));
	grid_draw(&cv, (struct rect){ 0, 0, 2, 4 }, g, NAN);
	cr_expect(eq(chr, (char)cv.cells[0].code, ' '));
	cr_expect(eq(chr, (char)cv.cells[2].code, ':'));
	cr_expect(eq(chr, (char)cv.cells[4].code, '#'));
	canvas_release(&cv);
	figure_release(&fig);
}

Test(table, aligned_then_wrapped_then_listed)
{
	struct figure fig = { 0 };
	struct table *t =
		figure_table(&fig, "", (const char *const[]){ "Link", "GB/s", "Use" }, 3, "010");
	table_row(&fig, t,
		(const char *const[]){ "NVLink", "900", "between the GPUs of one machine" });
	table_row(&fig, t, (const char *const[]){ "IB", "50", "between machines" });
	expect_picture(&fig, 4, 60, GLYPHS_LINES, NULL,
		"Link    GB/s  Use\n"
		"─────────────────────────────────────────────\n"
		"NVLink   900  between the GPUs of one machine\n"
		"IB        50  between machines\n");
	expect_picture(&fig, 6, 31, GLYPHS_ASCII, NULL,
		"Link    GB/s  Use\n"
		"-------------------------------\n"
		"NVLink   900  between the GPUs\n"
		"              of one machine\n"
		"IB        50  between machines\n"
		"\n");
	cr_expect(eq(int, table_rows(t, 31, false), 5));
	expect_picture(&fig, 10, 22, GLYPHS_ASCII, NULL,
		"Link  NVLink\n"
		"GB/s  900\n"
		"Use   between the GPUs\n"
		"      of one machine\n"
		"\n"
		"Link  IB\n"
		"GB/s  50\n"
		"Use   between machines\n"
		"\n\n");
	cr_expect(eq(int, table_rows(t, 22, false), 8));
	expect_picture(&fig, 3, 60, GLYPHS_LINES, NULL,
		"Link    GB/s  Use\n"
		"─────────────────────────────────────────────\n"
		"+ 2 more rows\n");
	/* Where a key shows the rest, the last columns give way before the rows do. */
	expect_picture(&fig, 7, 22, GLYPHS_ASCII,
		&(struct figure_state){ .playhead_s = NAN, .larger = "z" },
		"Link    GB/s\n"
		"------------\n"
		"NVLink   900\n"
		"IB        50\n"
		"+ 1 more column: z\n"
		"\n\n");
	expect_picture(&fig, 4, 22, GLYPHS_ASCII,
		&(struct figure_state){ .playhead_s = NAN, .larger = "z" },
		"Link    GB/s\n"
		"------------\n"
		"NVLink   900\n"
		"+ 1 more row: z\n");
	figure_release(&fig);
}

Test(note, roles_show_without_colour)
{
	static const struct {
		enum role role;
		const char *lines, *ascii;
	} rows[] = {
		{ ROLE_PLAIN, "one\ntwo\n", "one\ntwo\n" },
		{ ROLE_WARN, "! one\n  two\n", "! one\n  two\n" },
		{ ROLE_BAD, "× one\n  two\n", "x one\n  two\n" },
		{ ROLE_GOOD, "✓ one\n  two\n", "+ one\n  two\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = { 0 };
		figure_note(&fig, rows[i].role, "one two");
		expect_picture(&fig, 2, 6, GLYPHS_LINES, NULL, rows[i].lines);
		expect_picture(&fig, 2, 6, GLYPHS_ASCII, NULL, rows[i].ascii);
		cr_expect(eq(int, figure_rows(&fig, 6), 2));
		figure_release(&fig);
	}
}

Test(fills, differ_without_colour)
{
	for (unsigned i = 0; i < N_FILLS; i++)
		for (unsigned k = 0; k < i; k++)
			for (int glyphs = GLYPHS_ASCII; glyphs <= GLYPHS_BRAILLE; glyphs++) {
				struct canvas cv = { .glyphs = glyphs };
				enum meaning means[N_FILLS + 1] = { MEANS_EMPTY };
				for (unsigned m = 0; m < N_FILLS; m++)
					means[m + 1] = (enum meaning)(m % N_MEANINGS % MEANS_EMPTY);
				struct fill a = fill_of(&cv, means, N_FILLS + 1, i + 1),
					    b = fill_of(&cv, means, N_FILLS + 1, k + 1);
				struct fill empty = fill_of(&cv, means, N_FILLS + 1, 0);
				cr_expect(ne(u32, a.code, b.code), "%u and %u", i, k);
				cr_expect(ne(u32, a.code, empty.code), "%u", i);
				cv.fills = FILLS_SOLID;
				a = fill_of(&cv, means, N_FILLS + 1, i + 1);
				b = fill_of(&cv, means, N_FILLS + 1, k + 1);
				cr_expect(
					a.code != b.code || a.style != b.style, "%u and %u", i, k);
			}
}

/* Labels, separated by two blanks or more, are numbers that grow; the last one has the unit. */
static int count_labels(const char *line, unsigned seed)
{
	double last = -1;
	int n = 0;
	for (const char *p = line + strspn(line, " "); *p && *p != '\n'; n++) {
		double value = strtod(p, NULL);
		cr_expect(lt(dbl, last, value), "seed %u: %s", seed, line);
		last = value;
		const char *gap = strstr(p, "  ");
		if (!gap)
			break;
		p = gap + strspn(gap, " ");
	}
	return n + 1;
}

Test(axis, labels_are_apart_and_inside)
{
	struct rng r = rng_stream(1, "axis", 0);
	for (unsigned seed = 0; seed < 2000; seed++) {
		int width = 24 + (int)rng_below(&r, 120), col = (int)rng_below(&r, 10);
		struct scale s = { 0, rng_lognormal(&r, 1, 20), col, width };
		struct canvas cv;
		char *text = NULL;
		size_t size;
		cr_assert(zero(int, canvas_init(&cv, 2, col + width, GLYPHS_LINES)));
		struct pane p = pane_of(&cv, (struct rect){ 0, 0, 2, col + width });
		scale_axis_draw(&p, 0, &s, "s");
		FILE *f = open_memstream(&text, &size);
		canvas_write_text(&cv, f);
		fclose(f);
		const char *labels = strchr(text, '\n') + 1;
		cr_expect(ge(int, count_labels(labels, seed), 2), "seed %u: %s", seed, labels);
		cr_expect(eq(chr, labels[strcspn(labels, "\n") - 1], 's'), "seed %u", seed);
		free(text);
		canvas_release(&cv);
	}
}

/* Only units gain a byte, and only where there is room for one more. */
Test(views, micro_has_its_sign)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "5 us", "5 µs" }, { "Time (us)", "Time (µs)" },
		{ "5 us a hop, 10 us/step; 2.5 us.", "5 µs a hop, 10 µs/step; 2.5 µs." },
		{ "let us use 5 users, (usual) us", "let us use 5 users, (usual) us" },
		{ "us", "µs" }, { "us,", "us," }, { " us", " us" }, { "", "" },
		{ "0123456789 5 us", "0123456789 5 us" }, /* sixteen bytes are full */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[48];
		size_t size = strlen(rows[i].text) == 15 ? 16 : sizeof text;
		snprintf(text, sizeof text, "%s", rows[i].text);
		cr_expect(eq(str, micro_sign(text, size), (char *)rows[i].want));
	}
	char shown[32];
	cr_expect(eq(str, quantity_show(shown, sizeof shown, 2.5e-6, "s"), "2.5 µs"));
	cr_expect(eq(str, quantity_show(shown, sizeof shown, 5, "us"), "5 µs"));
	cr_expect(eq(str, quantity_show(shown, sizeof shown, 5e-3, "s"), "5 ms"));
	struct figure fig = { 0 };
	struct table *t = figure_table(&fig, "", (const char *const[]){ "Hop", "(us)" }, 2, "01");
	table_row(&fig, t, (const char *const[]){ "NVLink", "5 us" });
	expect_picture(
		&fig, 3, 20, GLYPHS_LINES, NULL, "Hop     (µs)\n────────────\nNVLink  5 µs\n");
	expect_picture(
		&fig, 3, 20, GLYPHS_ASCII, NULL, "Hop     (us)\n------------\nNVLink  5 us\n");
	figure_release(&fig);
}

/* What is left of a branch stands under its words, and not under the line that leads to it. */
Test(table, the_rest_of_a_branch_is_under_its_words)
{
	struct figure fig = { 0 };
	struct table *t =
		figure_table(&fig, "", (const char *const[]){ "question", "answer" }, 2, "00");
	cr_assert(ne(ptr, t, NULL));
	table_row(&fig, t, (const char *const[]){ "is it slow and much so?", "?" });
	table_row(&fig, t, (const char *const[]){ "├ yes: does it wait?", "" });
	expect_picture(&fig, 6, 24, GLYPHS_LINES, NULL,
		"question          answer\n"
		"────────────────────────\n"
		"is it slow and    ?\n"
		"much so?\n"
		"├ yes: does it\n"
		"  wait?\n");
	figure_release(&fig);
}

/* A row after the one at hand is still to come. */
Test(table, what_is_to_come_is_dim)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct table *t = figure_table(&fig, "", (const char *const[]){ "question", "" }, 2, "00");
	table_row(&fig, t, (const char *const[]){ "asked", "no" });
	table_row(&fig, t, (const char *const[]){ "at hand", "?" });
	table_row(&fig, t, (const char *const[]){ "to come", "" });
	t->at_hand = 2;
	cr_assert(zero(int, canvas_init(&cv, 5, 20, GLYPHS_LINES)));
	figure_draw(&cv, (struct rect){ 0, 0, 5, 20 }, &fig, NULL);
	/* Under the head and its rule. */
	cr_expect(eq(int, cv.cells[2 * 20].style, STYLE_PLAIN));
	cr_expect(zero(int, cv.cells[2 * 20].attr));
	cr_expect(eq(int, cv.cells[3 * 20].style, STYLE_PLAIN));
	cr_expect(eq(int, cv.cells[3 * 20].attr, ATTR_BOLD));
	cr_expect(eq(int, cv.cells[4 * 20].style, STYLE_DIM));
	canvas_release(&cv);
	figure_release(&fig);
}

/* -- Tables that are chosen from ------------------------------------------------------------ */

static struct table *shop(struct figure *fig, int rows)
{
	static const char *const names[] = { "one", "two", "three", "four", "five", "six" };
	struct table *t = figure_table(fig, "", (const char *const[]){ "thing", "price" }, 2, "01");
	for (int i = 0; i < rows; i++) {
		table_row(fig, t, (const char *const[]){ names[i], "$1" });
		table_turns(fig, t, names[i], i ? ROLE_DIM : ROLE_PLAIN);
	}
	return t;
}

static void expect_choice(const struct figure *fig, int rows, const char *focus, const char *want)
{
	struct figure_state state = { .focus = focus };
	expect_picture(fig, rows, 20, GLYPHS_LINES, &state, want);
}

/* The cursor stands at the row of the knob in hand; where the table is too long, that row stays in
 * sight, and what is above and below is counted. */
Test(table, the_cursor_goes_through_its_rows)
{
	struct figure fig = { 0 };
	shop(&fig, 6);
	expect_choice(&fig, 8, "two",
		"  thing  price\n──────────────\n  one       $1\n› two       $1\n"
		"  three     $1\n  four      $1\n  five      $1\n  six       $1\n");
	expect_choice(&fig, 6, "two",
		"  thing  price\n──────────────\n  one       $1\n› two       $1\n"
		"  three     $1\n  ↓ 3 more\n");
	expect_choice(&fig, 6, "five",
		"  thing  price\n── ↑ 2 more ──\n  three     $1\n  four      $1\n"
		"› five      $1\n  six       $1\n");
	expect_choice(&fig, 6, "six",
		"  thing  price\n── ↑ 2 more ──\n  three     $1\n  four      $1\n"
		"  five      $1\n› six       $1\n");
	expect_choice(&fig, 6, NULL,
		"  thing  price\n──────────────\n  one       $1\n  two       $1\n"
		"  three     $1\n  ↓ 3 more\n");
	figure_release(&fig);
}

/* A row that turns nothing has no knob; the rows that do are told to the mouse, where they stand. */
Test(table, rows_that_turn_are_told_to_the_mouse)
{
	struct figure fig = { 0 };
	struct canvas cv;
	struct table *t =
		figure_table(&fig, "", (const char *const[]){ "thing", "price" }, 2, "01");
	table_row(&fig, t, (const char *const[]){ "nothing", "$0" });
	table_row(&fig, t, (const char *const[]){ "thing", "$1" });
	table_turns(&fig, t, "thing", ROLE_PLAIN);
	cr_expect(eq(ptr, (void *)table_knob(t, 0), NULL));
	cr_expect(eq(str, (char *)table_knob(t, 1), "thing"));
	cr_expect(eq(ptr, (void *)table_knob(t, 2), NULL));
	cr_assert(zero(int, canvas_init(&cv, 6, 24, GLYPHS_LINES)));
	figure_draw(&cv, (struct rect){ 1, 2, 5, 20 }, &fig, NULL);
	cr_assert(eq(int, cv.n_turned, 1));
	cr_expect(eq(str, (char *)cv.turned[0].knob, "thing"));
	/* Under the head, its rule and the first row. */
	cr_expect(eq(int, cv.turned[0].r.row, 1 + 3));
	cr_expect(eq(int, cv.turned[0].r.col, 2));
	cr_expect(eq(int, cv.turned[0].r.rows, 1));
	canvas_release(&cv);
	figure_release(&fig);
}

/* Bars go from what should be, 10 s, to what is: on an axis from 1 s, a tenth of it, to 1,000 s. In 44
 * columns the label takes 1 and a gap of 2, the totals 5 and 2: 34 are left for three decades, so that
 * the limit stands at a third of them, in column 11 of 0 to 33, and 100 s at two thirds, in 22.7. */
Test(bars, from_what_should_be_to_what_is)
{
	struct figure fig = { 0 };
	static const char *const part[] = { "time" };
	struct bars *b = figure_bars(&fig, "", "s", part, 1);
	cr_assert(ne(ptr, b, NULL));
	b->log = b->from_limit = true;
	b->limit = 10;
	b->limit_label = "true:";
	struct bar *over = bars_add(&fig, b, "a", (double[]){ 100 });
	over->note = "10x too long";
	struct bar *under = bars_add(&fig, b, "b", (double[]){ 1 });
	under->note = "10x too short";
	char *got = picture(&fig, 9, 44, GLYPHS_ASCII, NULL);
	const char *long_row = strstr(got, "a  "), *short_row = strstr(got, "b  ");
	cr_assert(long_row && short_row);
	cr_expect(eq(int, long_row[3 + 11], '|'), "%s", got);
	cr_expect(eq(int, long_row[3 + 10], ' '), "%s", got);
	cr_expect(eq(int, long_row[3 + 12], '#'), "%s", got);
	cr_expect(eq(int, long_row[3 + 24], ' '), "%s", got);
	cr_expect(eq(int, short_row[3], '#'), "%s", got);
	cr_expect(eq(int, short_row[3 + 10], '#'), "%s", got);
	cr_expect(eq(int, short_row[3 + 11], '|'), "%s", got);
	cr_expect(eq(int, short_row[3 + 12], ' '), "%s", got);
	cr_expect(strstr(got, "!") == NULL, "the limit is no alarm: %s", got);
	/* One note stands beyond its bar, the other on the limit's free side. */
	cr_expect(strstr(short_row, "10x too short") != NULL, "%s", got);
	free(got);
	figure_release(&fig);
}

/* Bars in colours, 50 columns wide. */
static char *drawn_bars(const struct bars *b, int rows)
{
	struct canvas cv;
	char *text = NULL;
	size_t size;
	cr_assert(zero(int, canvas_init(&cv, rows, 50, GLYPHS_BRAILLE)));
	cv.fills = FILLS_TINTED;
	bars_draw(&cv, (struct rect){ 0, 0, rows, 50 }, b, NULL);
	FILE *f = open_memstream(&text, &size);
	canvas_write_text(&cv, f);
	fclose(f);
	canvas_release(&cv);
	return text;
}

/* A picture of two bars of three parts, in colours; `second` is what the second bar has of each. */
static char *parts_picture(int rows, const double second[3])
{
	static const char *const names[] = { "apples", "pears", "plums" };
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "Fruit", "kg", names, 3);
	cr_assert(ne(ptr, b, NULL));
	bars_add(&fig, b, "A", (double[]){ 30, 2, 1 });
	bars_add(&fig, b, "B", second);
	char *text = drawn_bars(b, rows);
	figure_release(&fig);
	return text;
}

/* Two bars, the first all work, the second a wait without room for its name. */
static char *kinds_picture(void)
{
	static const char *const names[] = { "wait", "work" };
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "Time", "ms", names, 2);
	cr_assert(ne(ptr, b, NULL));
	bars_add(&fig, b, "A", (double[]){ 0, 30 });
	bars_add(&fig, b, "B", (double[]){ 1, 0 });
	char *text = drawn_bars(b, 8);
	figure_release(&fig);
	return text;
}

/* Three bars of two parts in four rows. */
static char *titled_picture(const char *title)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, title, "kg", (const char *const[]){ "red", "green" }, 2);
	cr_assert(ne(ptr, b, NULL));
	for (int k = 0; k < 3; k++)
		bars_add(&fig, b, "x", (double[]){ 2, 3 });
	char *text = picture(&fig, 4, 50, GLYPHS_LINES, NULL);
	figure_release(&fig);
	return text;
}

/* A title for which there is no row of its own shares that of the legend, unless it is too long for that. */
Test(bars, a_title_comes_back_beside_the_legend)
{
	static const struct {
		const char *title;
		bool shown;
	} rows[] = { { "Fruit", true }, { "Fruit that is here at the end of the day", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = titled_picture(rows[i].title);
		cr_expect(eq(int, strstr(got, "Fruit") != NULL, rows[i].shown), "%s", got);
		cr_expect(strstr(got, "red") != NULL, "%s", got);
		cr_expect(eq(sz, times_in(got, "x  "), 3), "%s", got);
		free(got);
	}
}

/* A has room for the apples only. Where B has room for the pears they would be named there and the plums above: so
 * all three are named above. Where B has none, the apples are named in A and the others above. No name is there
 * twice. */
Test(bars, names_are_not_scattered)
{
	static const struct {
		double second[3];
		bool above;
	} rows[] = { { { 2, 30, 1 }, true }, { { 2, 2, 1 }, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *got = parts_picture(8, rows[i].second);
		cr_expect(eq(sz, times_in(got, "apples"), 1), "%s", got);
		cr_expect(eq(sz, times_in(got, "pears"), 1), "%s", got);
		cr_expect(eq(sz, times_in(got, "plums"), 1), "%s", got);
		const char *bar = strstr(got, "\nA "), *apples = strstr(got, "apples");
		cr_assert(bar && apples);
		cr_expect(eq(int, apples < bar, rows[i].above), "%s", got);
		free(got);
	}
}

/* Where each bar has one part only, a part is a kind of bar: its name in one of them, and others above, would not
 * say that. */
Test(bars, kinds_of_bars_are_named_together)
{
	char *got = kinds_picture();
	cr_expect(eq(sz, times_in(got, "wait"), 1), "%s", got);
	cr_expect(eq(sz, times_in(got, "work"), 1), "%s", got);
	char *bar = strstr(got, "\nA ");
	cr_assert(ne(ptr, bar, NULL), "%s", got);
	*bar = '\0';
	cr_expect(eq(sz, times_in(got, "wait"), 1), "%s", got);
	cr_expect(eq(sz, times_in(got, "work"), 1), "%s", got);
	free(got);
}

/* Where two bars of three rows and one between them have room, label and total stand in the middle row of each. The
 * title, with the legend, is above them. */
Test(bars, words_stand_in_the_middle)
{
	char *got = parts_picture(1 + 3 + 1 + 3, (double[]){ 2, 2, 1 });
	const char *row = got;
	for (int i = 0; i < 1 + 1; i++)
		row = strchr(row, '\n') + 1;
	cr_expect(eq(int, row[0], 'A'), "%s", got);
	cr_expect(ne(ptr, strstr(row, "33 kg\n"), NULL), "%s", got);
	for (int i = 0; i < 4; i++)
		row = strchr(row, '\n') + 1;
	cr_expect(eq(int, row[0], 'B'), "%s", got);
	cr_expect(ne(ptr, strstr(row, "5 kg\n"), NULL), "%s", got);
	free(got);
}

/* As many rows of a bar or a lane are above the one with its name as are below, however many rows there are. */
static void expect_names_in_the_middle(const struct canvas *cv)
{
	enum { FILL = 5 }; /* a column in all of them */
	int seen = 0;
	for (int row = 0; row < cv->rows; row++) {
		uint32_t name = code_at(cv, row, 0);
		int above = 0, below = 0;
		if (name < 'p' || name > 'r')
			continue;
		seen++;
		while (code_at(cv, row - above - 1, FILL) == 0x2588)
			above++;
		while (code_at(cv, row + below + 1, FILL) == 0x2588)
			below++;
		cr_expect(eq(int, above, below), "%c in %d rows", (int)name, cv->rows);
	}
	cr_expect(lt(int, 0, seen), "%d rows", cv->rows);
}

Test(views, names_stand_in_the_middle)
{
	static const char *const lanes[] = { "p", "q", "r" }, *const kinds[] = { "x", "y" };
	for (int rows = 5; rows < 24; rows++) {
		struct figure fig = { 0 };
		struct canvas cv;
		struct bars *b = figure_bars(&fig, "", "s", kinds, 2);
		struct timeline *t = figure_timeline(&fig, "", lanes, 3, kinds, 2);
		for (unsigned i = 0; i < 3; i++) {
			bars_add(&fig, b, lanes[i], (double[]){ 6, 2 });
			timeline_span(&fig, t, i, 0, 0, 6, NULL);
		}
		t->tall = rows % 2 ? 2 : 0;
		cr_assert(zero(int, canvas_init(&cv, rows, 40, GLYPHS_LINES)));
		cv.fills = FILLS_SOLID;
		bars_draw(&cv, (struct rect){ 0, 0, rows, 40 }, b, NULL);
		/* low bars have other cells, and one row each */
		expect_names_in_the_middle(&cv);
		canvas_clear(&cv);
		timeline_draw(&cv, (struct rect){ 0, 0, rows, 40 }, t, NAN);
		expect_names_in_the_middle(&cv);
		canvas_release(&cv);
		figure_release(&fig);
	}
}

/* Three steps right below each other, a row apart from four bars with a blank row between two: 11 rows. The axis, for
 * which there would be room if the bars touched, is left out. */
Test(bars, under_steps_air_comes_before_an_axis)
{
	enum { ROWS = 3 + 1 + 4 + 3, COLS = 30 };
	static const char *const want[ROWS] = { "s1", "s2", "s3", "", "A", "", "B", "", "C", "",
		"D" };
	struct figure fig = { 0 };
	struct canvas cv;
	struct bars *b = figure_bars(&fig, "", "s", (const char *const[]){ "x", "y", "z" }, 3);
	bars_add(&fig, b, "s1", (double[]){ 4, 0, 0 });
	bars_add(&fig, b, "s2", (double[]){ 0, 4, 0 });
	bars_add(&fig, b, "s3", (double[]){ 0, 0, 4 });
	b->n_steps = 3;
	bars_add(&fig, b, "A", (double[]){ 4, 4, 4 });
	bars_add(&fig, b, "B", (double[]){ 4, 4, 0 });
	bars_add(&fig, b, "C", (double[]){ 0, 4, 4 });
	bars_add(&fig, b, "D", (double[]){ 4, 0, 4 });
	cr_assert(zero(int, canvas_init(&cv, ROWS, COLS, GLYPHS_LINES)));
	cv.fills = FILLS_SOLID;
	bars_draw(&cv, (struct rect){ 0, 0, ROWS, COLS }, b, NULL);
	for (int row = 0; row < ROWS; row++)
		cr_expect(begins_row(&cv, row, *want[row] ? want[row] : " "), "row %d", row);
	canvas_release(&cv);
	figure_release(&fig);
}

/* Where rows are few the title goes, and then the head: what can be chosen stays. */
Test(table, rows_to_choose_from_come_before_title_and_head)
{
	struct figure fig = { 0 };
	struct table *t = shop(&fig, 3);
	t->title = "Shop";
	expect_choice(&fig, 6, "three",
		"Shop\n  thing  price\n──────────────\n  one       $1\n  two       $1\n"
		"› three     $1\n");
	expect_choice(&fig, 5, "three",
		"  thing  price\n──────────────\n  one       $1\n  two       $1\n› three     $1\n");
	expect_choice(&fig, 2, "three", "  two       $1\n› three     $1\n");
	figure_release(&fig);
}

/* A bar to the left of zero ends inside a cell only where there is a glyph for it. */
Test(bars, to_the_left_of_zero_in_ascii)
{
	struct figure fig = { 0 };
	struct bars *b = figure_bars(&fig, "", "", (const char *const[]){ "x" }, 1);
	for (int i = 1; i < 20; i++)
		bars_add(&fig, b, "a", (double[]){ -i - 0.3 });
	struct canvas cv;
	cr_assert(zero(int, canvas_init(&cv, 24, 40, GLYPHS_ASCII)));
	cv.fills = FILLS_SOLID; /* as in a terminal with colours */
	figure_draw(&cv, (struct rect){ 0, 0, 24, 40 }, &fig, NULL);
	for (int i = 0; i < cv.rows * cv.cols; i++)
		cr_expect(lt(int, (int)cv.cells[i].code, 0x80), "cell %d", i);
	canvas_release(&cv);
	figure_release(&fig);
}
