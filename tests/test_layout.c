/* Where things stand, at every size from 1 x 1 to 100 rows and 300 columns. */
#include "ui/shell/layout.h"
#include "ui/term/paragraph.h"
#include "ui/live/live_layout.h"

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

static void check_sim(struct rect body, int values, int knobs, bool plays, bool zoomed)
{
	struct sim_layout l = sim_layout(body, values, knobs, plays, zoomed);
	const struct rect part[] = { l.figure, l.values, l.knobs, l.playhead, l.sentence,
		l.honesty };
	for (int i = 0; i < 6; i++) {
		cr_assert(inside(part[i], body), "part %d in %d x %d, %d values, %d knobs%s%s", i,
			body.rows, body.cols, values, knobs, plays ? ", plays" : "",
			zoomed ? ", zoomed" : "");
		for (int j = 0; j < i; j++)
			cr_assert(apart(part[i], part[j]),
				"parts %d and %d in %d x %d, %d values, %d knobs%s%s", i, j,
				body.rows, body.cols, values, knobs, plays ? ", plays" : "",
				zoomed ? ", zoomed" : "");
	}
	if (body.rows < LEAST_ROWS - 3 || body.cols < LEAST_COLS - 2)
		return;
	cr_assert(l.figure.rows > 0 && l.figure.cols > 0, "no figure in %d x %d", body.rows,
		body.cols);
	cr_assert(zoomed || knobs == 0 || l.knobs.rows > 0,
		"no knob in %d x %d, %d values, %d knobs", body.rows, body.cols, values, knobs);
	cr_assert(le(int, l.values.rows, values));
}

Test(layout, simulation_holds_its_parts_at_every_size)
{
	static const int counts[][2] = { { 0, 1 }, { 1, 1 }, { 3, 16 }, { 8, 32 }, { 12, 6 },
		{ 20, 2 } };
	for (int rows = 1; rows <= MOST_ROWS; rows++)
		for (int cols = 1; cols <= MOST_COLS; cols++)
			for (int i = 0; i < 6; i++)
				for (int j = 0; j < 4; j++)
					check_sim((struct rect){ 2, 1, rows, cols }, counts[i][0],
						counts[i][1], j & 1, j & 2);
}

/* At 80 x 24 with the values and knobs of a full simulation, the essentials show at once. */
Test(layout, a_small_terminal_shows_values_knobs_figure_and_sentence)
{
	struct sim_layout l = sim_layout(frame_layout(24, 80).body, 8, 12, true, false);
	cr_expect(ge(int, l.values.rows, 5));
	cr_expect(ge(int, l.knobs.rows, 6));
	cr_expect(ge(int, l.figure.rows, 12));
	cr_expect(ge(int, l.figure.cols, 40));
	cr_expect(eq(int, l.playhead.rows, 1));
	cr_expect(ge(int, l.sentence.rows, 2));
	cr_expect(eq(int, l.honesty.rows, 1));
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
