#include "ui/live/live_layout.h"

#include "sims/base/minmax.h"
#include "ui/live/knob_list.h"

#include <assert.h>

enum {
	ASIDE_FROM = 88, /* columns of a body with a column at the side */
	UNDER_FROM = 58, /* with values and two columns of knobs under the figure */
	WIDE_LEAST = 80, /* of a figure that wants width, beside such a column */
	GAP = 3,         /* columns between figure and side */
	HERO = 3,        /* rows of the first value, with its label and a blank, */
	HERO_LARGE = 2,  /* and so many more where its digits are large: */
	HERO_STRIP = 4,  /* under a figure: a label over the digits, and no blank, */
	STRIP_FROM = 20, /* where so many rows hold figure, values and knobs: */
	LARGE_FROM = 36, /* in a column of so many rows always, else where the knobs leave them */
	SECONDS = 3,     /* values that follow it */
	AIRY_FROM = 36,  /* rows with a blank one under a headline of two */
	LEAST_KNOBS = 3,
	PLAYED_FROM = 26, /* rows in which a run that stands still has a row */
	TALL = 16,        /* rows of a figure that can spare one */
	LEAST_NOTES = 7,
	VALUE_WALL = 8,      /* values under the first that may stand without a blank row */
	VALUES_TOGETHER = 5, /* between two blank rows, where there are more */
};

/* Takes rows from the bottom of what is left. */
static struct rect take_bottom(struct rect *left, int rows)
{
	left->rows -= rows;
	return (struct rect){ left->row + left->rows, left->col, rows, left->cols };
}

static struct rect take_top(struct rect *left, int rows)
{
	struct rect taken = { left->row, left->col, rows, left->cols };
	left->row += rows;
	left->rows -= rows;
	return taken;
}

/* Two, so that nothing moves when a turn makes the sentence longer, but on a wide screen. */
static int headline_rows(int rows, int cols, int lines)
{
	return rows < 16 || (cols >= ONE_LINE_FROM && lines < 2) ? 1 : 2;
}

/* The rows above and below: headline, tabs, playhead, what to try, what the model leaves out. */
static void frame(
	struct sim_layout *l, struct rect *left, const struct sim_parts *parts, bool noted)
{
	int rows = left->rows;
	if (rows >= 8)
		l->headline = take_top(left, headline_rows(rows, left->cols, parts->headline));
	/* A sentence of one line leaves its second row blank. */
	if (rows >= AIRY_FROM)
		take_top(left, 1);
	if (parts->n_blocks > 1 && rows >= 10)
		l->tabs = take_top(left, 1);
	/* In a low window a run that has moved takes the row of what the model leaves out, so that
	 * the figure stays as it is. */
	bool told = parts->moved && rows < PLAYED_FROM && !parts->pinned;
	if (rows >= 12 && !noted && !told)
		l->honesty = take_bottom(left, 1);
	if (parts->tries && rows >= 20 && !noted)
		l->trial = take_bottom(left, 1);
	/* In a low window a run that stands still needs no row: the footer has its key. The second
	 * row is for captions and parts it from what is below; a figure with values and knobs under
	 * it needs it more. */
	if (parts->plays && rows >= PLAYED_FROM)
		l->playhead = take_bottom(
			left, parts->wide && !sim_has_side(left->cols, parts->wide) ? 1 : 2);
	else if (parts->moved && rows > 6)
		l->playhead = take_bottom(left, 1);
}

int sim_side_columns(int cols)
{
	return cols < 110 ? 38 : cols < 130 ? 40 : cols < 170 ? 46 : 48;
}

int spaced_value_rows(int n)
{
	int rest = n - 1;
	return n <= 0 ? 0 : HERO + rest + (rest > VALUE_WALL ? (rest - 1) / VALUES_TOGETHER : 0);
}

bool value_ends_block(int i, int n)
{
	return n > VALUE_WALL && i + 1 < n && (i + 1) % VALUES_TOGETHER == 0;
}

/* Rows of the values before any is free: those outside the fold, but so many knobs stay in sight as tell
 * the story. */
static int value_rows(int rows, const struct sim_parts *parts)
{
	int all = HERO + parts->n_values - 1, few = min_int(all, HERO + SECONDS + 1);
	int room = rows - 1 - min_int(parts->knob_lines, max_int(LEAST_KNOBS, rows));
	int values = parts->n_values == 0 ? 0 : max_int(few, min_int(all, room));
	if (parts->values)
		values = min_int(all, rows - 1 - LEAST_KNOBS);
	return max_int(0, min_int(values, rows - 1 - LEAST_KNOBS));
}

/* Rows of the notes under so many that are left by what is folded, and a blank one above them; 0: they
 * stand under the figure. */
static int note_rows_of(int left, const struct sim_parts *parts)
{
	int rows = max_int(LEAST_NOTES, min_int(parts->note_lines, SIDE_NOTES));
	return left <= LEAST_NOTES ? 0 : min_int(rows, left - 1) + 1;
}

/* Whether the digits of the first value are large. In a column that is not high that costs no knob in sight, but values
 * beyond those that follow it. */
static bool hero_is_large(int rows, const struct sim_parts *parts)
{
	const int few = min_int(HERO + parts->n_values - 1, HERO + SECONDS + 1);
	if (!parts->large || parts->n_values <= 0 || parts->values)
		return false;
	return rows >= LARGE_FROM || rows - HERO_LARGE - few - 1 >= parts->knob_lines;
}

/* What is free when all have their least goes first to groups of knobs, for which the notes too give way
 * down to their least, then to the values in the fold. */
static void beside(struct sim_layout *l, struct rect left, const struct sim_parts *parts)
{
	int side = sim_side_columns(left.cols), col = left.col + left.cols - side;
	const int larger = hero_is_large(left.rows, parts) ? HERO_LARGE : 0;
	const int rows = left.rows - larger;
	l->aside = true;
	l->figure = (struct rect){ left.row, left.col, left.rows, left.cols - side - GAP };
	l->hero = HERO + larger;
	int values = value_rows(rows, parts), rule = values > 0;
	if (values > HERO + SECONDS + 1) /* before a group of knobs is closed for it */
		values = max_int(HERO + SECONDS + 1, values - larger);
	int below = rows - values - rule, knobs = max_int(0, min_int(below, parts->knob_lines));
	int notes = note_rows_of(below - knobs, parts);
	int give = notes ? notes - LEAST_NOTES - 1 : 0;
	int open = knob_lines_within(parts->folded, parts->n_folded, knobs, below - notes);
	if (open < parts->all_knob_lines)
		open = knob_lines_within(
			parts->folded, parts->n_folded, knobs, below - notes + give);
	notes = min_int(notes, below - open);
	if (notes - 1 < parts->note_lines && notes - 1 > parts->note_least)
		notes = max_int(LEAST_NOTES, parts->note_least) + 1;
	int free = rows - values - rule - open - notes, most = spaced_value_rows(parts->all_values);
	if (values > 0 && values < most && free >= 1)
		values = min_int(most, values + free);
	free = rows - values - rule - open - notes;
	values += larger;
	l->values = (struct rect){ left.row, col, values, side };
	l->knobs = (struct rect){ left.row + values + rule, col, open, side };
	/* Headings have a blank row above them where rows are still free. */
	l->knobs.rows += free >= parts->n_headings ? parts->n_headings : 0;
	if (notes > 0)
		l->notes = (struct rect){ left.row + left.rows - notes + 1, col, notes - 1, side };
}

static void under(struct sim_layout *l, struct rect left, const struct sim_parts *parts)
{
	bool two = left.cols >= UNDER_FROM;
	const int all = left.rows;
	int rows = two ? (parts->knob_lines + 1) / 2 : parts->knob_lines;
	int most = two ? max_int(4, left.rows / 6) : 6;
	int knobs = max_int(0, min_int(rows, min_int(left.rows / 3, most)));
	l->knob_columns = two ? 2 : 1;
	l->knobs = take_bottom(&left, knobs);
	l->hero = two && parts->large && !parts->values && all >= STRIP_FROM ? HERO_STRIP : 0;
	if (left.rows > 4 && parts->n_values > 0)
		l->values =
			take_bottom(&left, parts->values ? min_int(parts->n_values, left.rows / 2)
							 : max_int(1, l->hero));
	if (left.rows > 12 && l->values.rows)
		take_bottom(&left, 1);
	l->figure = left;
}

bool sim_has_side(int cols, bool wide)
{
	return cols >= ASIDE_FROM && !(wide && cols - sim_side_columns(cols) - GAP < WIDE_LEAST);
}

static struct sim_layout place(struct rect body, const struct sim_parts *parts, bool noted)
{
	struct sim_layout l = { .knob_columns = 1 };
	struct rect left = body;
	frame(&l, &left, parts, noted);
	if (parts->zoomed) { /* the knob in focus stays in sight */
		if (left.rows > 8)
			l.knobs = take_bottom(&left, 1);
		l.knobs.cols = min_int(l.knobs.cols, 60);
		l.figure = left;
	} else if (sim_has_side(left.cols, parts->wide)) {
		beside(&l, left, parts);
		/* What is below, what to try or the keys, is not glued to an axis or a legend. */
		l.figure.rows -= !l.playhead.rows && l.figure.rows >= TALL;
	} else {
		under(&l, left, parts);
	}
	return l;
}

/* Where the column at the side has room for the notes, they need no rows at the bottom. */
struct sim_layout sim_layout(struct rect body, const struct sim_parts *parts)
{
	assert(parts->n_values >= 0 && parts->knob_lines >= 0);
	struct sim_layout l = place(body, parts, false);
	return l.notes.rows > 0 ? place(body, parts, true) : l;
}
