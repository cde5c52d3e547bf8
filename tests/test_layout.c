/* Where things stand, at every size from 1 x 1 to 100 rows and 300 columns. */
#include "ui/shell/layout.h"
#include "ui/term/paragraph.h"
#include "ui/live/knob_list.h"
#include "ui/live/live_layout.h"
#include "ui/live/live_values.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { MOST_ROWS = 100, MOST_COLS = 300 };

static bool inside(struct rect in, struct rect out)
{
	return in.rows >= 0 && in.cols >= 0 &&
	       (in.rows == 0 || in.cols == 0 ||
		       (in.row >= out.row && in.col >= out.col &&
			       in.row + in.rows <= out.row + out.rows &&
			       in.col + in.cols <= out.col + out.cols));
}

static bool apart(struct rect a, struct rect b)
{
	return a.rows == 0 || a.cols == 0 || b.rows == 0 || b.cols == 0 ||
	       a.row + a.rows <= b.row || b.row + b.rows <= a.row || a.col + a.cols <= b.col ||
	       b.col + b.cols <= a.col;
}

Test(layout, frame_holds_its_parts_at_every_size)
{
	for (int rows = 1; rows <= MOST_ROWS; rows++)
		for (int cols = 1; cols <= MOST_COLS; cols++) {
			struct frame_layout l = frame_layout(rows, cols);
			const struct rect all = { 0, 0, rows, cols };
			const struct rect part[] = { l.title, l.rule, l.body, l.footer };
			/* Below the least size nothing but a message is drawn. */
			for (int i = 0; i < 4; i++)
				cr_assert(part[i].rows >= 0 && part[i].cols >= 0, "%d x %d", rows,
					cols);
			if (rows < LEAST_ROWS || cols < LEAST_COLS)
				continue;
			for (int i = 0; i < 4; i++) {
				cr_assert(
					inside(part[i], all), "part %d at %d x %d", i, rows, cols);
				for (int j = 0; j < i; j++)
					cr_assert(apart(part[i], part[j]), "%d, %d at %d x %d", i,
						j, rows, cols);
			}
			cr_assert(eq(int, l.body.rows, rows - 3));
		}
}

static void check_sim(struct rect body, const struct sim_parts *parts)
{
	struct sim_layout l = sim_layout(body, parts);
	const struct rect part[] = { l.headline, l.tabs, l.figure, l.values, l.knobs, l.playhead,
		l.trial, l.honesty, l.notes };
	enum { N = sizeof part / sizeof *part };
	for (int i = 0; i < N; i++) {
		cr_assert(inside(part[i], body), "part %d in %d x %d, %d values, %d knobs", i,
			body.rows, body.cols, parts->n_values, parts->knob_lines);
		for (int j = 0; j < i; j++)
			cr_assert(apart(part[i], part[j]),
				"parts %d and %d in %d x %d, %d values, %d knobs", i, j, body.rows,
				body.cols, parts->n_values, parts->knob_lines);
	}
	if (body.rows < LEAST_ROWS - 3 || body.cols < LEAST_COLS - 2)
		return;
	cr_assert(l.figure.rows > 0 && l.figure.cols > 0, "no figure in %d x %d", body.rows,
		body.cols);
	cr_assert(parts->zoomed || parts->knob_lines == 0 || l.knobs.rows > 0,
		"no knob in %d x %d, %d values, %d knobs", body.rows, body.cols, parts->n_values,
		parts->knob_lines);
	/* The first value takes three rows, and five where its digits are large. */
	cr_assert(le(int, l.values.rows, parts->n_values + (l.hero > 3 ? 4 : 2)));
}

Test(layout, simulation_holds_its_parts_at_every_size)
{
	static const int counts[][2] = { { 0, 1 }, { 1, 1 }, { 3, 16 }, { 8, 32 }, { 12, 6 },
		{ 20, 2 } };
	for (int rows = 1; rows <= MOST_ROWS; rows++)
		for (int cols = 1; cols <= MOST_COLS; cols++)
			for (int i = 0; i < 6; i++)
				for (unsigned way = 0; way < 32; way++)
					check_sim((struct rect){ 2, 1, rows, cols },
						&(struct sim_parts){ .n_values = counts[i][0],
							.knob_lines = counts[i][1],
							.all_knob_lines = counts[i][1] + 9,
							.n_blocks = way & 1 ? 4 : 1,
							.plays = way & 2,
							.moved = way & 1,
							.tries = way & 4,
							.large = way & 2,
							.zoomed = way & 8,
							.values = way & 16 });
}

/* The values and knobs of a full simulation. */
static const struct sim_parts full = { .n_values = 12,
	.large = true,
	.knob_lines = 10,
	.all_knob_lines = 22,
	.n_blocks = 4,
	.plays = true,
	.moved = true,
	.tries = true };

/* At 80 x 24 the headline, the figure over all columns, some values and six knobs show at once. */
/* A run that stands still has no row in a low window; once it moves it takes that of what the model leaves out, so that
 * the figure stays, but not that of a comparison. */
Test(layout, a_run_that_stands_still_takes_no_row)
{
	struct sim_parts still = full;
	still.moved = false;
	const struct rect low = frame_layout(24, 80).body, high = frame_layout(32, 100).body;
	struct sim_layout plays = sim_layout(low, &full), stands = sim_layout(low, &still);
	cr_expect(eq(int, stands.playhead.rows, 0));
	cr_expect(eq(int, plays.playhead.rows, 1));
	cr_expect(eq(int, stands.figure.rows, plays.figure.rows));
	cr_expect(eq(int, stands.honesty.rows, 1));
	cr_expect(zero(int, plays.honesty.rows));
	struct sim_parts compared = full;
	compared.pinned = true;
	cr_expect(eq(int, sim_layout(low, &compared).honesty.rows, 1));
	cr_expect(eq(int, sim_layout(low, &compared).playhead.rows, 1));
	cr_expect(
		eq(int, sim_layout(high, &still).figure.rows, sim_layout(high, &full).figure.rows));
}

/* A figure that wants width has all columns, until the column at its side leaves it 80. Under it the first value has
 * large digits, where figure, values and knobs have 20 rows together: of 26 with a headline of two, tabs, a run of
 * one and two lines, but not of 24, where the line of the model has given way to the run. */
Test(layout, what_wants_width_has_it)
{
	struct sim_parts wide = full;
	wide.wide = true;
	for (int cols = 60; cols <= MOST_COLS; cols++) {
		const struct rect body = { 2, 1, 26, cols };
		struct sim_layout l = sim_layout(body, &wide);
		cr_expect(ge(int, l.figure.cols, cols < 80 ? cols : 80), "%d columns", cols);
		cr_expect(l.aside || (l.values.rows == 4 && l.knobs.rows == 4), "%d columns", cols);
		const struct rect lower = { 2, 1, 24, cols };
		l = sim_layout(lower, &wide);
		cr_expect(l.aside || (l.values.rows == 1 && l.knobs.rows == 4), "%d columns", cols);
	}
	cr_expect(eq(int, sim_layout(frame_layout(30, 100).body, &wide).aside, false));
	cr_expect(sim_layout(frame_layout(48, 160).body, &wide).aside);
}

/* In a large window all values stand there, as long as groups and notes have their rows. */
Test(layout, the_fold_of_values_opens_where_rows_are_free)
{
	struct sim_parts parts = full;
	const struct rect body = frame_layout(60, 200).body;
	parts.n_values = 5;
	parts.all_values = 12;
	parts.note_lines = 10;
	parts.knob_lines = parts.all_knob_lines = 10;
	/* A hero with large digits and eleven, with a blank row after the fifth and the tenth of these. */
	cr_expect(eq(int, sim_layout(body, &parts).values.rows, 5 + 11 + 2));
	/* Knobs are unfolded first: of 57 rows with a headline, a blank, tabs and a playhead of two 52
	 * are left, of which the notes have 10 and a blank. The rest but a rule is the values'. */
	static const int folded[] = { 20 };
	parts.folded = folded;
	parts.n_folded = 1;
	parts.all_knob_lines = 10 + 20;
	cr_expect(eq(int, sim_layout(body, &parts).knobs.rows, 10 + 20));
	cr_expect(eq(int, sim_layout(body, &parts).values.rows, 52 - 11 - 30 - 1));
}

/* Groups open one after the other as long as their knobs have rows: of 4, 7 and 3 knobs under 9 lines, 16
 * rows hold the first and the last, 15 the first only, and 12 the last only. */
Test(layout, groups_open_as_far_as_rows_go)
{
	static const int folded[] = { 4, 7, 3 };
	static const struct {
		int rows, lines;
	} cases[] = { { 9, 9 }, { 12, 9 + 3 }, { 13, 9 + 4 }, { 15, 9 + 4 }, { 16, 9 + 4 + 3 },
		{ 20, 9 + 4 + 7 }, { 23, 9 + 4 + 7 + 3 } };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		cr_expect(eq(int, knob_lines_within(folded, 3, 9, cases[i].rows), cases[i].lines),
			"%d rows", cases[i].rows);
}

/* A few values stand together, more in blocks of five: a first one of three rows, then 8 as they are, and
 * 9 in two blocks. */
Test(layout, values_are_no_wall)
{
	cr_expect(eq(int, spaced_value_rows(0), 0));
	cr_expect(eq(int, spaced_value_rows(1), 3));
	cr_expect(eq(int, spaced_value_rows(1 + 8), 3 + 8));
	cr_expect(eq(int, spaced_value_rows(1 + 9), 3 + 9 + 1));
	cr_expect(eq(int, spaced_value_rows(1 + 11), 3 + 11 + 2));
	for (int n = 1; n < 30; n++) {
		int blanks = 0;
		for (int i = 0; i < n; i++)
			blanks += value_ends_block(i, n);
		cr_expect(eq(int, spaced_value_rows(1 + n), 3 + n + blanks), "%d values", n);
	}
}

Test(layout, a_small_terminal_shows_headline_figure_values_and_knobs)
{
	struct sim_parts still = full;
	still.moved = false;
	struct sim_layout l = sim_layout(frame_layout(24, 80).body, &still);
	cr_expect(eq(int, l.headline.rows, 2));
	cr_expect(eq(int, l.tabs.rows, 1));
	cr_expect(ge(int, l.figure.rows, 9));
	cr_expect(ge(int, l.figure.cols, 76));
	cr_expect(ge(int, l.values.rows, 1));
	cr_expect(ge(int, l.knobs.rows *l.knob_columns, 6));
	cr_expect(eq(int, l.trial.rows, 1));
	cr_expect(eq(int, l.honesty.rows, 1));
}

/* From 100 columns on values and knobs stand aside, all that tell the story among them, and a larger
 * window gives the figure more rows. */
Test(layout, a_large_terminal_has_values_and_knobs_aside)
{
	struct sim_layout l = sim_layout(frame_layout(32, 100).body, &full);
	struct sim_layout larger = sim_layout(frame_layout(48, 160).body, &full);
	cr_expect(l.aside && larger.aside);
	/* Two groups of 6: with 48 rows there is room for one of them above the notes, with 60 for
	 * both. */
	static const int folded[] = { 6, 6 };
	struct sim_parts grouped = full;
	grouped.folded = folded;
	grouped.n_folded = 2;
	larger = sim_layout(frame_layout(48, 160).body, &grouped);
	struct sim_layout largest = sim_layout(frame_layout(60, 200).body, &grouped);
	cr_expect(eq(int, larger.knobs.rows, 16));
	cr_expect(eq(int, largest.knobs.rows, 22));
	cr_expect(le(int, 7, largest.notes.rows));
	cr_expect(ge(int, l.values.rows, 6));
	cr_expect(ge(int, l.knobs.rows, 7));
	cr_expect(ge(int, l.figure.cols, 54));
	cr_expect(ge(int, larger.figure.rows, l.figure.rows + 12));
}

Test(layout, text_columns_are_inside_and_no_wider_than_the_measure)
{
	for (int cols = 1; cols <= MOST_COLS; cols++)
		for (int measure = 1; measure <= 120; measure++) {
			struct rect r = { 3, 5, 10, cols }, t = text_column(r, measure);
			cr_assert(inside(t, r) && t.cols > 0, "%d in %d", measure, cols);
			cr_assert(t.cols <= measure, "%d in %d", measure, cols);
			/* The margins differ by what cannot be halved, or there is hardly any. */
			int left = t.col - r.col, right = r.cols - t.cols - left;
			cr_assert(cols <= measure + 4 || left - right <= 1 || left == 2, "%d in %d",
				measure, cols);
		}
}

/* Values at the end that only explain wait in the fold, which takes a line, until all are wanted. */
Test(layout, dim_values_wait_in_the_fold)
{
	static const struct {
		enum role roles[4];
		int lines, all;
	} rows[] = {
		{ { ROLE_PLAIN, ROLE_PLAIN, ROLE_PLAIN, ROLE_PLAIN }, 4, 4 },
		{ { ROLE_PLAIN, ROLE_PLAIN, ROLE_DIM, ROLE_DIM }, 3, 4 },
		/* one in the middle is in its place */
		{ { ROLE_PLAIN, ROLE_DIM, ROLE_PLAIN, ROLE_DIM }, 4, 4 },
		/* the first is the large one, whatever it means */
		{ { ROLE_DIM, ROLE_DIM, ROLE_DIM, ROLE_DIM }, 2, 4 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = { 0 };
		for (size_t k = 0; k < 4; k++)
			figure_value(&s.figure, "id", "label", 1, "", rows[i].roles[k]);
		cr_expect(eq(int, live_value_lines(&s), rows[i].lines), "row %zu", i);
		s.all_values = true;
		cr_expect(eq(int, live_value_lines(&s), rows[i].all), "row %zu", i);
		figure_release(&s.figure);
	}
}
