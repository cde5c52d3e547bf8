#include "ui/views/figure_view.h"

#include "sims/base/minmax.h"
#include "ui/term/pane.h"
#include "ui/views/bars.h"
#include "ui/views/grid.h"
#include "ui/views/note.h"
#include "ui/views/plot.h"
#include "ui/views/table.h"
#include "ui/views/timeline.h"

#include <math.h>
#include <string.h>

enum {
	GAP = 1,      /* blank rows between blocks */
	BESIDE = 150, /* columns from which two plots stand side by side */
	BETWEEN = 4,  /* columns between them */
	PLOT_LEAST = 8,
	TABLE_BESIDE = 16, /* rows of a table that are not cut for what comes after it */
	PLOT_BESIDE = 13,  /* of one among others on a screen: its picture then has 8 of them */
	PLOT_EASY = 14,    /* the first block is what the eye goes to: it is read, not squeezed */
	PLOT_MOST = 36,
	LANES_LEAST = 9,   /* a timeline with a few rows of lanes */
	LANES_SHARED = 13, /* where lanes would share rows: so many have a row for each */
	GRID_LEAST = 6,
	ROWS_LEAST = 12,  /* bars and tables: more of them may be cut short */
	ROWS_CUT = 8,     /* the same where nothing else would take the rows */
	TITLED_FROM = 14, /* rows of a figure */
	LARGE = 36,
	MAX_BANDS = 64
};

/* One block, or two side by side, or a table with two blocks beside it, one above the other. */
enum { MOST_IN_BAND = 3 };
struct band {
	size_t first, count;
	int left; /* columns of the first of two */
	int least, wish, most;
	int whole;   /* of a table that is chosen from: rows for all of it */
	bool scales; /* a picture that can be read at any height */
	/* Of each block: rows it would like, columns it has use for. */
	int wishes[MOST_IN_BAND], useful[MOST_IN_BAND];
	int upper_least, lower_least; /* of the two beside a table */
	int rows;
};

static int wish_of(const struct block *b, int cols, bool zooms)
{
	switch (b->kind) {
	case BLOCK_PLOT:
		return max_int(PLOT_LEAST, plot_rows(&b->as.plot, cols));
	case BLOCK_BARS:
		return bars_rows(&b->as.bars, cols);
	case BLOCK_TIMELINE:
		return timeline_rows(&b->as.timeline, cols);
	case BLOCK_GRID:
		return grid_rows(&b->as.grid, cols);
	case BLOCK_TABLE:
		return table_rows(&b->as.table, cols, zooms);
	case BLOCK_NOTE:
		return note_rows(&b->as.note, cols);
	}
	return 0;
}

/* What one block asks for at a width. zooms: a key shows what a table leaves out. */
static struct band ask(const struct block *b, int cols, bool zooms)
{
	struct band band = { .count = 1, .wish = wish_of(b, cols, zooms) };
	switch (b->kind) {
	case BLOCK_PLOT:
		band.least = PLOT_LEAST;
		break;
	case BLOCK_TIMELINE:
		band.least =
			min_int(band.wish, b->as.timeline.lane_ranks ? LANES_LEAST : LANES_SHARED);
		break;
	case BLOCK_NOTE:
		band.least = band.wish;
		break;
	case BLOCK_GRID:
		band.least = min_int(band.wish, GRID_LEAST);
		break;
	case BLOCK_TABLE:
		band.whole = b->as.table.n_turns ? table_least(&b->as.table, cols) : 0;
		band.least = band.whole ? band.whole : min_int(band.wish, ROWS_LEAST);
		break;
	case BLOCK_BARS:
		band.least = min_int(band.wish, ROWS_LEAST);
		break;
	}
	band.scales = b->kind == BLOCK_PLOT || b->kind == BLOCK_TIMELINE;
	band.most = b->kind == BLOCK_PLOT ? max_int(band.wish, PLOT_MOST) : band.wish;
	return band;
}

static struct band band_of(const struct figure *fig, size_t first, int cols)
{
	bool pair = cols >= BESIDE && first + 1 < fig->n_blocks &&
		    fig->blocks[first]->kind == BLOCK_PLOT &&
		    fig->blocks[first + 1]->kind == BLOCK_PLOT;
	int width = pair ? (cols - BETWEEN) / 2 : cols;
	struct band band = ask(fig->blocks[first], width, false);
	band.first = first;
	band.left = width;
	if (pair) {
		band.count = 2;
		band.wish = max_int(band.wish, wish_of(fig->blocks[first + 1], width, false));
		band.most = max_int(band.wish, band.most);
	}
	return band;
}

static size_t bands_of(
	const struct figure *fig, size_t from, int cols, struct band bands[MAX_BANDS])
{
	size_t n = 0;
	for (size_t i = from; i < fig->n_blocks && n < MAX_BANDS; i += bands[n++].count)
		bands[n] = band_of(fig, i, cols);
	return n;
}

/* Raises the least height of the first block to what it takes to read it, before any other block
 * gets a row. */
static void favour_first(
	const struct figure *fig, struct band *band, int rows, int cols, bool screen)
{
	const struct block *b = fig->blocks[band->first];
	bool plot = b->kind == BLOCK_PLOT;
	/* A larger screen shows the first plot larger, and not only more of the others. */
	int easy = plot ? max_int(min_int(PLOT_EASY, band->wish), screen ? rows * 11 / 20 : 0)
		   : band->whole ? band->whole
		   : b->kind == BLOCK_TIMELINE && band->count == 1
			   ? timeline_easy_rows(&b->as.timeline, cols)
			   : band->wish;
	band->least = max_int(band->least, min_int(easy, rows - 1));
	band->most = max_int(band->most, band->least);
}

/* Whether its cells have numbers in them. */
static bool is_written(const struct block *b)
{
	return b->kind == BLOCK_GRID && b->as.grid.notes;
}

/* Rows of a grid that are a row apart stand close where the bars below it would have no room: a picture of both says
 * more. Bars have been tightened before. */
static void tighten_grid(
	const struct figure *fig, struct band bands[], size_t n, int rows, int cols)
{
	const struct block *first = n > 1 ? fig->blocks[bands[0].first] : NULL;
	if (!first || !is_written(first) || bands[0].count > 1 || !first->as.grid.apart ||
		fig->blocks[bands[1].first]->kind != BLOCK_BARS)
		return;
	if (bands[0].least + GAP + bands[1].least <= rows)
		return;
	const int tight = grid_tight_rows(&first->as.grid, cols);
	bands[0].least = min_int(bands[0].least, tight);
	bands[0].wish = min_int(bands[0].wish, tight);
	bands[0].most = min_int(bands[0].most, tight);
}

/* Bars under a picture that is about one lane, or under a grid of numbers, go without the blank rows between them
 * rather than away: a turn of a knob makes more or fewer of them. So do those under a table to choose from, of
 * which they are the only picture. */
static void tighten_bars(const struct figure *fig, struct band bands[], size_t n, int cols)
{
	const struct block *first = n ? fig->blocks[bands[0].first] : NULL;
	bool lanes = first && first->kind == BLOCK_TIMELINE && first->as.timeline.tall;
	bool choices = first && first->kind == BLOCK_TABLE && first->as.table.n_turns > 0;
	if (!lanes && !choices && !(first && is_written(first)))
		return;
	for (size_t i = 1; i < n; i++) {
		const struct block *b = fig->blocks[bands[i].first];
		if (b->kind == BLOCK_BARS && bands[i].count == 1)
			bands[i].least =
				min_int(bands[i].least, bars_tight_rows(&b->as.bars, cols));
	}
}

static size_t blocks_in(const struct band bands[], size_t n)
{
	return n ? bands[n - 1].first + bands[n - 1].count : 0;
}

/* How many bands can have their least height, with one row kept for the line that counts the
 * blocks left out. */
static size_t bands_that_fit(
	const struct figure *fig, const struct band bands[], size_t n, int rows, bool quiet)
{
	int used = 0;
	size_t fit = 0;
	for (size_t i = 0; i < n; i++) {
		used += bands[i].least + (i > 0 ? GAP : 0);
		if (used + (!quiet && blocks_in(bands, i + 1) < fig->n_blocks) <= rows)
			fit = i + 1;
	}
	return fit;
}

/* Images with something written under them grow by whole pixels: a few rows are no use to them. */
static bool is_image(const struct block *b)
{
	return b->kind == BLOCK_GRID && b->as.grid.n_captions > 0 && grid_is_image(&b->as.grid);
}

/* In a small window a grid may be a strip; where there is more room, half of the height that it would
 * like is the least, and what comes after it waits. Images are whole, with what is written under them, and so is
 * what comes second on a large screen: larger, and not only with more after it. */
static void keep_grids_readable(const struct figure *fig, struct band bands[], size_t n, int rows)
{
	for (size_t i = 0; i < n && rows >= TITLED_FROM; i++)
		if (bands[i].count == 1 && fig->blocks[bands[i].first]->kind == BLOCK_GRID) {
			bool image = is_image(fig->blocks[bands[i].first]);
			bool whole = i == 1 && rows >= LARGE && 5 * bands[i].wish <= 2 * rows;
			int least = image || whole ? bands[i].wish : (bands[i].wish + 1) / 2;
			bands[i].least = max_int(bands[i].least, least);
		}
}

/* Even when the bands that fit grow as far as they can, they may leave enough rows for a part of
 * the next one, if that is a table or bars. Returns how many bands are shown then. */
static size_t fill_with_part(
	const struct figure *fig, struct band bands[], size_t fit, size_t n, int rows, bool quiet)
{
	if (fit == 0 || fit == n)
		return fit;
	int left = rows - GAP - (!quiet && blocks_in(bands, fit + 1) < fig->n_blocks);
	for (size_t i = 0; i < fit; i++)
		left -= (bands[i].scales ? bands[i].most : bands[i].wish) + (i > 0 ? GAP : 0);
	struct band *next = &bands[fit];
	enum block_kind kind = fig->blocks[next->first]->kind;
	for (size_t k = 1; k < next->count; k++)
		if (fig->blocks[next->first + k]->kind == BLOCK_PLOT)
			return fit; /* a plot is not cut short */
	if ((kind != BLOCK_BARS && kind != BLOCK_TABLE) || left < ROWS_CUT || left >= next->least)
		return fit;
	next->least = next->wish = next->most = left;
	return fit + 1;
}

/* Who may take a row: first blocks with a height of their own, then pictures that scale, up to what
 * they would like, then plots beyond that. */
enum growth { FIXED, SCALED, BEYOND, N_STAGES };

static bool may_grow(const struct band *b, enum growth stage)
{
	if (stage == FIXED && b->scales)
		return false;
	return b->rows < (stage == BEYOND ? b->most : b->wish);
}

static void share(struct band bands[], size_t n, int rows)
{
	for (size_t i = 0; i < n; i++) {
		bands[i].rows = bands[i].least;
		rows -= bands[i].least + (i > 0 ? GAP : 0);
	}
	for (enum growth stage = FIXED; stage < N_STAGES; stage++)
		for (bool grew = true; grew && rows > 0;) {
			grew = false;
			for (size_t i = 0; i < n && rows > 0; i++) {
				if (!may_grow(&bands[i], stage))
					continue;
				bands[i].rows++;
				rows--;
				grew = true;
			}
		}
}

/* Where a block of a band stands in it: those beside a table share the rows as they wish for them. */
static struct rect place_in(const struct band *band, size_t k, int cols)
{
	int width = k == 0 && band->count > 1 ? band->left : cols;
	struct rect r = { 0, 0, band->rows, width };
	if (k == 0)
		return r;
	r.col = band->left + BETWEEN;
	r.cols = cols - r.col;
	if (band->count < MOST_IN_BAND)
		return r;
	int both = band->rows - GAP;
	int upper = both * band->wishes[1] / max_int(1, band->wishes[1] + band->wishes[2]);
	upper = max_int(band->upper_least, min_int(upper, both - band->lower_least));
	upper = min_int(
		upper, band->rows); /* where even the least has no room, the upper one has it all */
	r.row = k == 1 ? 0 : upper + GAP;
	r.rows = k == 1 ? upper : both - upper;
	return r;
}

/* How many of so many rows of a band something in it fills. */
static int filled(const struct figure *fig, const struct band *band, int rows, int cols)
{
	int most = band->count == MOST_IN_BAND ? rows : 0;
	for (size_t k = 0; k < band->count && most < rows; k++) {
		const struct block *b = fig->blocks[band->first + k];
		int width = place_in(band, k, cols).cols;
		most = max_int(most, b->kind == BLOCK_BARS ? bars_filled(&b->as.bars, rows, width)
				     : b->kind == BLOCK_TIMELINE
					     ? timeline_filled(&b->as.timeline, rows, width)
					     : rows);
	}
	return most;
}

/* Gives a band what is left, as far as it can fill that. Returns what is then left. */
static int take_left(const struct figure *fig, struct band *band, int left, int most, int cols)
{
	int room = min_int(left, most - band->rows);
	if (room <= 0)
		return left;
	int rows = filled(fig, band, band->rows + room, cols);
	left -= max_int(0, rows - band->rows);
	band->rows = max_int(rows, band->rows);
	return left;
}

/* Bars and lanes grow by whole rows, so they leave some over. That goes to blank rows between bars, then
 * to plots, then to whatever can grow by more. */
static void share_left_over(const struct figure *fig, struct band bands[], size_t n, int cols)
{
	int left = 0;
	for (size_t i = 0; i < n; i++) {
		int rows = filled(fig, &bands[i], bands[i].rows, cols);
		left += bands[i].rows - rows;
		bands[i].rows = rows;
	}
	for (size_t i = 0; i < n && left > 0; i++)
		left = take_left(fig, &bands[i], left, bands[i].wish, cols);
	for (size_t i = 0; i < n && left > 0; i++)
		left = take_left(fig, &bands[i], left, bands[i].most, cols);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* The block of the pinned figure at the same place, if it is of the same kind and in the same units;
 * else NULL. */
static const struct block *ghost_of(
	const struct figure *fig, const struct figure_state *state, size_t i, enum block_kind kind)
{
	const struct figure *ghost = state ? state->ghost : NULL;
	if (!ghost || i >= ghost->n_blocks || ghost->blocks[i]->kind != kind)
		return NULL;
	const struct block *now = fig->blocks[i], *was = ghost->blocks[i];
	bool alike = kind == BLOCK_PLOT
			     ? same_text(now->as.plot.x.unit, was->as.plot.x.unit) &&
				       same_text(now->as.plot.y.unit, was->as.plot.y.unit)
		     : kind == BLOCK_BARS ? same_text(now->as.bars.unit, was->as.bars.unit)
					  : true;
	return alike ? was : NULL;
}

static void block_draw(struct canvas *cv, struct rect r, const struct figure *fig, size_t i,
	const struct figure_state *state, bool untitled)
{
	const struct block *b = fig->blocks[i], *ghost = ghost_of(fig, state, i, b->kind);
	double playhead_s = state ? state->playhead_s : NAN;
	struct plot plot;
	struct bars bars;
	struct timeline lanes;
	struct table table;
	switch (b->kind) {
	case BLOCK_PLOT:
		plot = b->as.plot;
		plot.title = untitled ? "" : plot.title;
		plot_draw(cv, r, &plot, ghost ? &ghost->as.plot : NULL, playhead_s);
		break;
	case BLOCK_BARS:
		bars = b->as.bars;
		bars.title = untitled ? "" : bars.title;
		bars_draw(cv, r, &bars, ghost ? &ghost->as.bars : NULL);
		break;
	case BLOCK_TIMELINE:
		lanes = b->as.timeline;
		lanes.title = untitled ? "" : lanes.title;
		timeline_draw(cv, r, &lanes, playhead_s);
		break;
	case BLOCK_GRID:
		grid_draw(cv, r, &b->as.grid, playhead_s);
		break;
	case BLOCK_TABLE:
		table = b->as.table;
		table.title = untitled && table.n_turns > 0 ? "" : table.title;
		table_draw(
			cv, r, &table, state ? state->larger : NULL, state ? state->focus : NULL);
		break;
	case BLOCK_NOTE:
		note_draw(cv, r, &b->as.note);
		break;
	}
}

static void band_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct band *band, const struct figure_state *state, bool untitled)
{
	for (size_t k = 0; k < band->count; k++) {
		struct rect part = place_in(band, k, r.cols);
		part.row += r.row;
		part.col += r.col;
		block_draw(cv, part, fig, band->first + k, state, untitled && k == 0);
	}
}

/* Which bands of a figure are drawn, and how many rows each of them has. */
struct figure_plan {
	struct band bands[MAX_BANDS];
	size_t n, hidden; /* hidden: blocks that have no room */
};

/* Fits bands, as they are arranged in plan->bands, into the rows. quiet: nothing counts the blocks
 * left out. */
static void fit_bands(struct figure_plan *plan, const struct figure *fig, size_t all, int rows,
	int cols, bool quiet)
{
	struct band *bands = plan->bands;
	keep_grids_readable(fig, bands, all, rows);
	if (all > 0)
		favour_first(fig, &bands[0], rows, cols, quiet);
	tighten_bars(fig, bands, all, cols);
	tighten_grid(fig, bands, all, rows, cols);
	plan->n = bands_that_fit(fig, bands, all, rows, quiet);
	plan->n = fill_with_part(fig, bands, plan->n, all, rows, quiet);
	bool counted = rows > 1 && !quiet;
	if (all > 0 && plan->n == 0) { /* rather a part of the first than nothing */
		plan->n = 1;
		bands[0].least = rows - (counted && fig->n_blocks > bands[0].count);
		bands[0].wish = bands[0].most = bands[0].least;
	}
	plan->hidden = fig->n_blocks - blocks_in(bands, plan->n);
	/* Bars that are alone may be thick: that is better than nothing below them. */
	if (quiet && plan->n == 1 && bands[0].count == 1 &&
		fig->blocks[bands[0].first]->kind == BLOCK_BARS)
		bands[0].most = max_int(bands[0].most, min_int(rows, 2 * bands[0].wish));
	share(bands, plan->n, rows - (plan->hidden > 0 && counted));
}

/* -- Side by side -------------------------------------------------------------------------- */

/* On a screen, blocks that follow each other may stand side by side, and two of them beside a table. All
 * ways to do that are tried (24 at most for six blocks), and the best one is that which covers most of
 * the room with pictures, leaves least of it empty, has most of it for the first, and hides least. The
 * first picture has the whole width. A table takes the columns that it needs, the rest goes to its
 * neighbours. */
enum {
	PAIRED_LEAST = 44,  /* columns of a picture beside another block, */
	WRITTEN_LEAST = 36, /* of a grid of numbers, */
	BARS_LEAST = 30,    /* and of bars beside one */
	MOST_PAIRED = 8,    /* blocks tried from the first shown on */
	STRETCH = 4,        /* grids and timelines may grow to so many halves of their wish; */
	STRETCH_MAP = 6,    /* boxes of a map may well be large; */
	STRETCH_LINES = 3,  /* number lines too far apart are read one by one; */
	STRETCH_BARS = 3,   /* bars that are too thick are slabs, */
	STRETCH_CLOSE = 5   /* and those without blank rows between them ask for few rows */
};

/* The columns that a block has use for; cols where it takes any. */
static int useful_cols(const struct block *b, int cols)
{
	if (b->kind == BLOCK_TABLE)
		return min_int(cols, table_cols(&b->as.table));
	if (b->kind == BLOCK_GRID)
		return min_int(cols, grid_cols(&b->as.grid, cols));
	return cols;
}

/* A grid of numbers says as much with narrow cells as with wide ones, so that bars may stand beside it
 * where there is no room below. */
static int left_of_bars(const struct block *grid, int cols)
{
	int left = useful_cols(grid, cols - BETWEEN - BARS_LEAST);
	return left >= WRITTEN_LEAST ? left : 0;
}

/* The columns of the first of a pair; 0: the two do not fit side by side. */
static int pair_left(const struct block *a, const struct block *b, int cols)
{
	bool fixed_a = a->kind == BLOCK_TABLE, fixed_b = b->kind == BLOCK_TABLE;
	int left = (cols - BETWEEN) / 2;
	if (a->kind == BLOCK_NOTE || b->kind == BLOCK_NOTE)
		return 0;
	if (is_written(a) && b->kind == BLOCK_BARS)
		return left_of_bars(a, cols);
	if (fixed_b)
		left = max_int(left, cols - BETWEEN - useful_cols(b, cols));
	else if (fixed_a)
		left = useful_cols(a, cols);
	int right = cols - BETWEEN - left;
	bool fits = (fixed_a ? left >= useful_cols(a, cols) : left >= PAIRED_LEAST) &&
		    (fixed_b ? right >= useful_cols(b, cols) : right >= PAIRED_LEAST);
	return fits ? left : 0;
}

/* The same among others on a screen: a plot of a few rows is left to its tab, and a table is not cut
 * short for what comes after it. */
static struct band ask_among(const struct block *b, int cols, bool zooms, bool leads)
{
	struct band band = ask(b, cols, zooms);
	if (b->kind == BLOCK_TABLE)
		band.least = max_int(band.least, min_int(band.wish, TABLE_BESIDE));
	if (b->kind == BLOCK_PLOT && !leads) {
		band.least = PLOT_BESIDE;
		band.wish = max_int(band.wish, band.least);
		band.most = max_int(band.most, band.wish);
	}
	return band;
}

static struct band pair_of(const struct figure *fig, size_t first, int left, int cols, bool zooms)
{
	struct band a = ask_among(fig->blocks[first], left, zooms, false),
		    b = ask_among(fig->blocks[first + 1], cols - BETWEEN - left, zooms, false);
	return (struct band){ .first = first,
		.count = 2,
		.left = left,
		.least = max_int(a.least, b.least),
		.wish = max_int(a.wish, b.wish),
		.most = max_int(a.most, b.most),
		.whole = a.whole ? max_int(a.whole, b.least) : 0,
		.scales = a.scales || b.scales,
		.wishes = { a.wish, b.wish },
		.useful = { useful_cols(fig->blocks[first], left),
			useful_cols(fig->blocks[first + 1], cols - BETWEEN - left) } };
}

/* A table with the two blocks after it beside it, one above the other; of no columns where they do not
 * fit. */
static struct band stack_of(const struct figure *fig, size_t first, int cols, bool zooms)
{
	const struct block *table = fig->blocks[first];
	struct band none = { .left = 0 };
	int left = useful_cols(table, cols), right = cols - BETWEEN - left;
	if (table->kind != BLOCK_TABLE || right < PAIRED_LEAST ||
		fig->blocks[first + 1]->kind == BLOCK_NOTE ||
		fig->blocks[first + 2]->kind == BLOCK_NOTE)
		return none;
	struct band a = ask_among(table, left, zooms, false),
		    b = ask_among(fig->blocks[first + 1], right, zooms, false),
		    c = ask_among(fig->blocks[first + 2], right, zooms, false);
	return (struct band){ .first = first,
		.count = MOST_IN_BAND,
		.left = left,
		.least = max_int(a.least, b.least + GAP + c.least),
		.wish = max_int(a.wish, b.wish + GAP + c.wish),
		.most = max_int(a.wish, b.wish + GAP + c.wish),
		.whole = a.whole ? max_int(a.whole, b.least + GAP + c.least) : 0,
		.scales = b.scales || c.scales,
		.wishes = { a.wish, b.wish, c.wish },
		.useful = { left, useful_cols(fig->blocks[first + 1], right),
			useful_cols(fig->blocks[first + 2], right) },
		.upper_least = b.least,
		.lower_least = c.least };
}

/* How many rows of so many a block has use for. */
static int useful_rows(const struct block *b, int wish, int rows)
{
	bool map = b->kind == BLOCK_BARS && b->as.bars.chain;
	int halves = map                                                      ? STRETCH_MAP
		     : is_written(b) || is_image(b)                           ? 2
		     : b->kind == BLOCK_GRID && b->as.grid.hi > b->as.grid.lo ? STRETCH_LINES
		     : b->kind == BLOCK_GRID || b->kind == BLOCK_TIMELINE     ? STRETCH
		     : b->kind == BLOCK_BARS && b->as.bars.close              ? STRETCH_CLOSE
		     : b->kind == BLOCK_BARS                                  ? STRETCH_BARS
									      : 2;
	/* The legend of close bars shares the row of their title, so that they wish for a row less. */
	if (b->kind == BLOCK_BARS && b->as.bars.close)
		wish++;
	return b->kind == BLOCK_PLOT ? rows : min_int(rows, halves * wish / 2);
}

/* How many rows of its band a block covers. */
static int covered_rows(const struct block *b, const struct band *band, size_t k, int cols)
{
	struct rect r = place_in(band, k, cols);
	int rows = useful_rows(b, band->wishes[k], r.rows);
	return b->kind == BLOCK_BARS ? min_int(rows, bars_filled(&b->as.bars, r.rows, r.cols))
				     : rows;
}

/* The cells that all blocks cover, less those that stay empty, and those that the first one covers at the
 * height of its wish. */
static double covered(
	const struct figure *fig, const struct figure_plan *plan, int rows, int cols, double *first)
{
	double sum = 0;
	*first = 0;
	for (size_t i = 0; i < plan->n; i++) {
		const struct band *band = &plan->bands[i];
		rows -= band->rows + (i > 0 ? GAP : 0);
		for (size_t k = 0; k < band->count; k++) {
			const struct block *b = fig->blocks[band->first + k];
			int all = place_in(band, k, cols).rows;
			int empty = all - covered_rows(b, band, k, cols);
			sum += (double)band->useful[k] * (all - 2 * empty);
			/* Beside a table that stands alone there is a hole. */
			if (band->count == 1 && b->kind == BLOCK_TABLE)
				sum -= (cols - band->useful[k]) * band->rows;
			if (i == 0 && k == 0)
				*first = (double)(is_written(b) ? cols : band->useful[0]) *
					 min_int(band->rows, band->wishes[0]);
		}
	}
	return sum - rows * cols;
}

/* Pictures may take what is left over. */
static void stretch(const struct figure *fig, struct band bands[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		/* Rows beside a table would be a hole under it. */
		for (size_t k = 0; k < bands[i].count && bands[i].count < MOST_IN_BAND; k++) {
			const struct block *b = fig->blocks[bands[i].first + k];
			bands[i].most = max_int(bands[i].most, useful_rows(b, bands[i].wish, 999));
		}
}

/* What the parts of the figure would be beside each other, worked out once. */
struct pairing {
	struct band alone[MOST_PAIRED], pair[MOST_PAIRED], stack[MOST_PAIRED];
	bool fits[MOST_PAIRED];
	size_t n;
};

static void arrange(struct figure_plan *plan, const struct figure *fig, size_t from, int rows,
	int cols, bool zooms)
{
	struct pairing p = { .n = 0 };
	double best_score = -1e9;
	bool leads = true; /* the first, or the first behind words */
	for (size_t i = from; i < fig->n_blocks && p.n < MOST_PAIRED; i++, p.n++) {
		p.alone[p.n] = ask_among(fig->blocks[i], cols, zooms, leads);
		leads = leads && fig->blocks[i]->kind == BLOCK_NOTE;
		p.alone[p.n].first = i;
		p.alone[p.n].wishes[0] = p.alone[p.n].wish;
		p.alone[p.n].useful[0] = useful_cols(fig->blocks[i], cols);
		int left = i + 1 < fig->n_blocks && p.n + 1 < MOST_PAIRED
				   ? pair_left(fig->blocks[i], fig->blocks[i + 1], cols)
				   : 0;
		bool by_itself =
			i == from && p.alone[p.n].useful[0] > cols / 2 &&
			fig->blocks[i]->kind != BLOCK_TABLE && !is_written(fig->blocks[i]) &&
			!(left > cols * 11 / 20 && fig->blocks[i + 1]->kind == BLOCK_TABLE);
		p.fits[p.n] = left > 0 && !by_itself;
		if (left > 0)
			p.pair[p.n] = pair_of(fig, i, left, cols, zooms);
		p.stack[p.n].left = 0;
		if (i + 2 < fig->n_blocks && p.n + 2 < MOST_PAIRED)
			p.stack[p.n] = stack_of(fig, i, cols, zooms);
	}
	/* Bit i: blocks i and i + 1 are a pair; two bits: i + 2 too, a table with both beside it. */
	for (unsigned way = 0; way < 1u << (p.n ? p.n - 1 : 0); way++) {
		struct figure_plan this = { .n = 0 };
		size_t all = 0, i = 0;
		bool possible = !(way & way << 1 & way << 2);
		for (; i < p.n && possible; i++) {
			bool pair = way >> i & 1u, stack = pair && (way >> i & 2u);
			possible = stack ? p.stack[i].left > 0 : !pair || p.fits[i];
			this.bands[all++] = stack ? p.stack[i] : pair ? p.pair[i] : p.alone[i];
			i += pair + stack;
		}
		if (!possible)
			continue;
		stretch(fig, this.bands, all);
		fit_bands(&this, fig, all, rows, cols, true);
		double shown = (double)blocks_in(this.bands, this.n) - (double)from;
		double first, all_of_it = covered(fig, &this, rows, cols, &first),
			      room = (double)rows * cols;
		double score = (all_of_it + first) / room + 0.5 * shown / (double)p.n;
		if (score > best_score + 1e-9) {
			best_score = score;
			*plan = this;
		}
	}
	share_left_over(fig, plan->bands, plan->n, cols);
}

static void plan_bands(struct figure_plan *plan, const struct figure *fig, size_t from, int rows,
	int cols, const struct figure_state *state)
{
	if (state && state->named)
		arrange(plan, fig, from, rows, cols, state->larger != NULL);
	else
		fit_bands(plan, fig, bands_of(fig, from, cols, plan->bands), rows, cols, false);
}

/* Whether the row of its title is what lacks between the lanes of a timeline. */
static bool title_parts_lanes(const struct timeline *t, int rows, int cols)
{
	struct timeline bare = *t;
	bare.title = "";
	return timeline_is_close(t, rows, cols) && !timeline_is_close(&bare, rows, cols);
}

/* Whether the first picture, whose name stands above it, does without its title, where rows are
 * few: a plot, which is larger then, and what lacks the row. Bars that have a row of their own
 * rather have a title than air, lanes do not. */
static bool is_untitled(const struct figure_plan *plan, const struct figure *fig, struct rect r,
	const struct figure_state *state)
{
	const struct band *leads = &plan->bands[0];
	const struct block *first = fig->blocks[leads->first];
	if (!state || !state->named)
		return false;
	if (first->kind == BLOCK_TIMELINE && leads->count == 1 &&
		title_parts_lanes(&first->as.timeline, leads->rows, r.cols))
		return true;
	if (r.rows >= TITLED_FROM)
		return false;
	if (first->kind == BLOCK_BARS && leads->count == 1 &&
		leads->rows >= bars_tight_rows(&first->as.bars, r.cols))
		return false;
	if (first->kind == BLOCK_TIMELINE && leads->count == 1) {
		struct timeline bare = first->as.timeline;
		bare.title = "";
		if (timeline_filled(&bare, leads->rows, r.cols) < leads->rows)
			return false;
	}
	return first->kind == BLOCK_PLOT || leads->rows < leads->wish;
}

/* The names of the blocks from one on, as many as there is room for; "" where a name says too little of what
 * is missing. */
static void names_of(
	const struct figure *fig, size_t from, int cols, enum glyphs glyphs, char *buf, size_t size)
{
	enum { LONGEST = 28, CUT = 5 };
	size_t used = 0;
	*buf = '\0';
	for (size_t i = from; i < fig->n_blocks; i++) {
		const char *name = block_name(fig->blocks[i]);
		const int width = text_cols(name, glyphs);
		if (!*name)
			continue;
		const bool fits = width <= LONGEST && used + strlen(name) + CUT < size &&
				  text_cols(buf, glyphs) + 2 + width + CUT <= cols;
		if (!fits && !used)
			return;
		used += (size_t)snprintf(
			buf + used, size - used, "%s%s", used ? ", " : "", fits ? name : "...");
		if (!fits)
			return;
	}
}

/* How many blocks have no room; where a key leads to them, also which. */
static void hidden_draw(const struct pane *p, int row, const struct figure *fig,
	const struct figure_plan *plan, const struct figure_state *state)
{
	char text[32], names[240];
	const enum glyphs glyphs = p->cv->glyphs;
	const int used = snprintf(text, sizeof text, "+ %zu more", plan->hidden);
	if (!state || !state->more) {
		pane_fit(p, row, 0, -1, text, STYLE_DIM, 0);
		return;
	}
	/* Besides: a blank, two brackets, a colon, a blank. */
	names_of(fig, fig->n_blocks - plan->hidden,
		p->r.cols - used - 5 - text_cols(state->more, glyphs), glyphs, names, sizeof names);
	pane_printf(p, row, 0, -1, STYLE_DIM, 0, *names ? "%s (%s): %s" : "%s%s: %s", text, names,
		state->more);
}

int figure_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct figure_state *state)
{
	struct figure_plan plan = { .n = 0 };
	struct pane p = pane_of(cv, r);
	size_t from = state && state->first_block < fig->n_blocks ? state->first_block : 0;
	if (fig->n_blocks == 0 || p.r.rows == 0 || p.r.cols == 0)
		return 0;
	if (cv->grows && fig->n_blocks == 1) {
		block_draw(cv, r, fig, 0, state, false);
		return p.r.rows;
	}
	plan_bands(&plan, fig, from, p.r.rows, p.r.cols, state);
	if (state && state->shown)
		*state->shown = blocks_in(plan.bands, plan.n) - from;
	int row = 0;
	bool untitled = is_untitled(&plan, fig, p.r, state);
	struct band *leads = &plan.bands[0];
	/* The row of the title may be the one that its lanes lacked. */
	if (untitled && plan.n == 1 && leads->count == 1 &&
		fig->blocks[leads->first]->kind == BLOCK_TIMELINE)
		leads->rows = min_int(p.r.rows, max_int(leads->rows, leads->wish));
	for (size_t i = 0; i < plan.n; i++) {
		struct rect part = { p.r.row + row, p.r.col, plan.bands[i].rows, p.r.cols };
		band_draw(cv, part, fig, &plan.bands[i], state, untitled && i == 0);
		row += plan.bands[i].rows + (i + 1 < plan.n ? GAP : 0);
	}
	if (plan.hidden > 0 && row < p.r.rows && !(state && state->named))
		hidden_draw(&p, row++, fig, &plan, state);
	return row;
}

size_t figure_shown(const struct figure *fig, int rows, int cols, const struct figure_state *state)
{
	struct figure_plan plan = { .n = 0 };
	if (fig->n_blocks == 0 || rows <= 0 || cols <= 0)
		return 0;
	size_t from = state->first_block < fig->n_blocks ? state->first_block : 0;
	plan_bands(&plan, fig, from, rows, cols, state);
	return blocks_in(plan.bands, plan.n) - from;
}

bool block_moves(const struct block *b)
{
	return b->kind == BLOCK_TIMELINE || (b->kind == BLOCK_GRID && b->as.grid.n_frames > 1) ||
	       (b->kind == BLOCK_PLOT && b->as.plot.x.is_time);
}

bool block_is_wide(const struct block *b)
{
	return (b->kind == BLOCK_BARS && b->as.bars.chain) ||
	       (b->kind == BLOCK_TIMELINE && b->as.timeline.wide);
}

int figure_rows_within(const struct figure *fig, int rows, int cols)
{
	struct figure_plan plan = { .n = 0 };
	if (fig->n_blocks == 0 || rows <= 0 || cols <= 0)
		return 0;
	plan_bands(&plan, fig, 0, rows, cols, NULL);
	int used = (int)(plan.n - 1) * GAP;
	for (size_t i = 0; i < plan.n; i++)
		used += plan.bands[i].rows;
	return used + (plan.hidden > 0 && used < rows);
}

int figure_rows(const struct figure *fig, int cols)
{
	struct band bands[MAX_BANDS];
	size_t n = bands_of(fig, 0, cols, bands);
	int rows = n < 2 ? 0 : (int)(n - 1) * GAP;
	for (size_t i = 0; i < n; i++)
		rows += bands[i].wish;
	return rows + (blocks_in(bands, n) < fig->n_blocks);
}
