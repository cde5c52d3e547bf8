#include "ui/screens/case/case_layout.h"

#include "sims/base/minmax.h"

enum {
	BESIDE_FROM = 96,
	FIGURE_FROM = 140,
	SIDE = 42,
	TALK = 82,
	GAP = 3,
	BAND_FROM = 64,
	ROOMY_BAND_FROM = 110, /* goals are sentences, which want half of it */
	LEAST_FIGURE = 6,
	LARGEST_FIGURE = 24,
	BRIEF_CLOCK_ROWS = 4,
	LEAST_KNOWN = 8
};

bool case_band_is_wide(int cols, bool roomy)
{
	return cols >= (roomy ? ROOMY_BAND_FROM : BAND_FROM);
}

static int band_rows(int cols, bool roomy, int knob_rows, int goal_rows)
{
	return case_band_is_wide(cols, roomy) ? max_int(knob_rows, goal_rows)
					      : knob_rows + 1 + goal_rows;
}

/* The knobs on top of the figure; where that has no room, they have all of it. */
static void place_desk(struct case_layout *l, struct rect r, int band)
{
	l->knobs = (struct rect){ r.row, r.col, min_int(band, r.rows), r.cols };
	const int left = r.rows - l->knobs.rows - 1;
	if (left >= LEAST_FIGURE)
		l->figure = (struct rect){ r.row + l->knobs.rows + 1, r.col, left, r.cols };
	else
		l->knobs.rows = r.rows;
}

/* What is said, and the line under it, apart from it where there is room. */
static void place_talk(struct case_layout *l, struct rect r)
{
	const int apart = r.rows >= 12;
	l->line = (struct rect){ r.row + r.rows - 1, r.col, 1, r.cols };
	l->talk = (struct rect){ r.row, r.col, max_int(0, r.rows - 1 - apart), r.cols };
}

/* The rows that a figure at the side has under the clock and the band. */
static int figure_rows(struct rect body, int band)
{
	return min_int(LARGEST_FIGURE, body.rows - BRIEF_CLOCK_ROWS - band - 2 - LEAST_KNOWN);
}

static void place_beside(
	struct case_layout *l, struct rect body, bool desk, bool design, int knobs, int goals)
{
	const int most = body.cols - TALK - GAP, band = band_rows(most, true, knobs, goals);
	const int figure = figure_rows(body, band);
	const bool roomy = body.cols >= FIGURE_FROM && figure >= LEAST_FIGURE;
	const int side = roomy ? most : SIDE;
	const struct rect left = { body.row, body.col, body.rows, body.cols - side - GAP };
	l->side = (struct rect){ body.row, body.col + body.cols - side, body.rows, side };
	l->goals_aside = !roomy;
	l->roomy = roomy;
	if (desk && !roomy)
		place_desk(l, left, knobs);
	else
		place_talk(l, left);
	if (!roomy || !(design || desk))
		return;
	l->knobs = (struct rect){ body.row + BRIEF_CLOCK_ROWS, l->side.col, band, side };
	l->figure =
		(struct rect){ body.row + BRIEF_CLOCK_ROWS + band + 1, l->side.col, figure, side };
}

struct case_layout case_layout(
	struct rect body, bool desk, bool design, int knob_rows, int goal_rows)
{
	struct case_layout l = { .head = { body.row, body.col, 0, body.cols } };
	if (body.cols >= BESIDE_FROM) {
		place_beside(&l, body, desk, design, knob_rows, goal_rows);
		return l;
	}
	l.head.rows = body.rows >= 14 ? 2 : 1;
	const int above = l.head.rows + (body.rows >= 14);
	const struct rect rest = { body.row + above, body.col, max_int(0, body.rows - above),
		body.cols };
	if (desk)
		place_desk(&l, rest, band_rows(rest.cols, false, knob_rows, goal_rows));
	else
		place_talk(&l, rest);
	return l;
}
