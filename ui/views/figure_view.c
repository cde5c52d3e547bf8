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

enum {
	GAP = 1,      /* blank rows between blocks */
	BESIDE = 150, /* columns from which two plots stand side by side */
	BETWEEN = 4,  /* columns between them */
	PLOT_LEAST = 8,
	PLOT_EASY = 14, /* the first block is what the eye goes to: it is read, not squeezed */
	PLOT_MOST = 36,
	LANES_LEAST = 9, /* a timeline with a few rows of lanes */
	GRID_LEAST = 6,
	ROWS_LEAST = 12, /* bars and tables: more of them may be cut short */
	ROWS_CUT = 8,    /* the same where nothing else would take the rows */
	MAX_BANDS = 64
};

/* One block, or two plots side by side. */
struct band {
	size_t first, count;
	int least, wish, most;
	bool scales; /* a picture that can be read at any height */
	int rows;
};

static int wish_of(const struct block *b, int cols)
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
		return table_rows(&b->as.table, cols);
	case BLOCK_NOTE:
		return note_rows(&b->as.note, cols);
	}
	return 0;
}

static struct band band_of(const struct figure *fig, size_t first, int cols)
{
	const struct block *b = fig->blocks[first];
	bool pair = cols >= BESIDE && first + 1 < fig->n_blocks && b->kind == BLOCK_PLOT &&
		    fig->blocks[first + 1]->kind == BLOCK_PLOT;
	int width = pair ? (cols - BETWEEN) / 2 : cols;
	struct band band = { .first = first, .count = pair ? 2 : 1, .wish = wish_of(b, width) };
	if (pair)
		band.wish = max_int(band.wish, wish_of(fig->blocks[first + 1], width));
	switch (b->kind) {
	case BLOCK_PLOT:
		band.least = PLOT_LEAST;
		break;
	case BLOCK_TIMELINE:
		band.least = min_int(band.wish, LANES_LEAST);
		break;
	case BLOCK_NOTE:
		band.least = band.wish;
		break;
	case BLOCK_GRID:
		band.least = min_int(band.wish, GRID_LEAST);
		break;
	case BLOCK_BARS:
	case BLOCK_TABLE:
		band.least = min_int(band.wish, ROWS_LEAST);
		break;
	}
	band.scales = b->kind == BLOCK_PLOT || b->kind == BLOCK_TIMELINE;
	band.most = b->kind == BLOCK_PLOT ? max_int(band.wish, PLOT_MOST) : band.wish;
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
static void favour_first(const struct figure *fig, struct band *band, int rows)
{
	bool plot = fig->blocks[band->first]->kind == BLOCK_PLOT;
	int easy = plot ? min_int(PLOT_EASY, band->wish) : band->wish;
	band->least = max_int(band->least, min_int(easy, rows - 1));
}

static size_t blocks_in(const struct band bands[], size_t n)
{
	return n ? bands[n - 1].first + bands[n - 1].count : 0;
}

/* How many bands can have their least height, with one row kept for the line that counts the
 * blocks left out. */
static size_t bands_that_fit(
	const struct figure *fig, const struct band bands[], size_t n, int rows)
{
	int used = 0;
	size_t fit = 0;
	for (size_t i = 0; i < n; i++) {
		used += bands[i].least + (i > 0 ? GAP : 0);
		if (used + (blocks_in(bands, i + 1) < fig->n_blocks) <= rows)
			fit = i + 1;
	}
	return fit;
}

/* Even when the bands that fit grow as far as they can, they may leave enough rows for a part of
 * the next one, if that is a table or bars. Returns how many bands are shown then. */
static size_t fill_with_part(
	const struct figure *fig, struct band bands[], size_t fit, size_t n, int rows)
{
	if (fit == 0 || fit == n)
		return fit;
	int left = rows - GAP - (blocks_in(bands, fit + 1) < fig->n_blocks);
	for (size_t i = 0; i < fit; i++)
		left -= (bands[i].scales ? bands[i].most : bands[i].wish) + (i > 0 ? GAP : 0);
	struct band *next = &bands[fit];
	enum block_kind kind = fig->blocks[next->first]->kind;
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

/* The block of the pinned figure at the same place, if it is of the same kind; else NULL. */
static const struct block *ghost_of(
	const struct figure_state *state, size_t i, enum block_kind kind)
{
	const struct figure *ghost = state ? state->ghost : NULL;
	if (!ghost || i >= ghost->n_blocks || ghost->blocks[i]->kind != kind)
		return NULL;
	return ghost->blocks[i];
}

static void block_draw(struct canvas *cv, struct rect r, const struct figure *fig, size_t i,
	const struct figure_state *state)
{
	const struct block *b = fig->blocks[i], *ghost = ghost_of(state, i, b->kind);
	double playhead_s = state ? state->playhead_s : NAN;
	switch (b->kind) {
	case BLOCK_PLOT:
		plot_draw(cv, r, &b->as.plot, ghost ? &ghost->as.plot : NULL, playhead_s);
		break;
	case BLOCK_BARS:
		bars_draw(cv, r, &b->as.bars, ghost ? &ghost->as.bars : NULL);
		break;
	case BLOCK_TIMELINE:
		timeline_draw(cv, r, &b->as.timeline, playhead_s);
		break;
	case BLOCK_GRID:
		grid_draw(cv, r, &b->as.grid, playhead_s);
		break;
	case BLOCK_TABLE:
		table_draw(cv, r, &b->as.table, state ? state->larger : NULL);
		break;
	case BLOCK_NOTE:
		note_draw(cv, r, &b->as.note);
		break;
	}
}

static void band_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct band *band, const struct figure_state *state)
{
	int width = band->count > 1 ? (r.cols - BETWEEN) / 2 : r.cols;
	for (size_t i = 0; i < band->count; i++) {
		struct rect part = { r.row, r.col + (int)i * (width + BETWEEN), band->rows, width };
		block_draw(cv, part, fig, band->first + i, state);
	}
}

/* Which bands of a figure are drawn, and how many rows each of them has. */
struct figure_plan {
	struct band bands[MAX_BANDS];
	size_t n, hidden; /* hidden: blocks that have no room */
};

static void plan_bands(
	struct figure_plan *plan, const struct figure *fig, size_t from, int rows, int cols)
{
	struct band *bands = plan->bands;
	size_t all = bands_of(fig, from, cols, bands);
	if (all > 0)
		favour_first(fig, &bands[0], rows);
	plan->n = bands_that_fit(fig, bands, all, rows);
	plan->n = fill_with_part(fig, bands, plan->n, all, rows);
	if (all > 0 && plan->n == 0) { /* rather a part of the first than nothing */
		plan->n = 1;
		bands[0].least = rows - (rows > 1 && fig->n_blocks > bands[0].count);
		bands[0].wish = bands[0].most = bands[0].least;
	}
	plan->hidden = fig->n_blocks - blocks_in(bands, plan->n);
	share(bands, plan->n, rows - (plan->hidden > 0 && rows > 1));
}

int figure_draw(struct canvas *cv, struct rect r, const struct figure *fig,
	const struct figure_state *state)
{
	struct figure_plan plan = { .n = 0 };
	struct pane p = pane_of(cv, r);
	size_t from = state && state->first_block < fig->n_blocks ? state->first_block : 0;
	if (fig->n_blocks == 0 || p.r.rows == 0 || p.r.cols == 0)
		return 0;
	plan_bands(&plan, fig, from, p.r.rows, p.r.cols);
	int row = 0;
	for (size_t i = 0; i < plan.n; i++) {
		struct rect part = { p.r.row + row, p.r.col, plan.bands[i].rows, p.r.cols };
		band_draw(cv, part, fig, &plan.bands[i], state);
		row += plan.bands[i].rows + (i + 1 < plan.n ? GAP : 0);
	}
	if (plan.hidden > 0 && row < p.r.rows)
		pane_printf(&p, row++, 0, -1, STYLE_DIM, 0, "+ %zu more%s%s", plan.hidden,
			state && state->more ? ": " : "", state && state->more ? state->more : "");
	return row;
}

int figure_rows_within(const struct figure *fig, int rows, int cols)
{
	struct figure_plan plan = { .n = 0 };
	if (fig->n_blocks == 0 || rows <= 0 || cols <= 0)
		return 0;
	plan_bands(&plan, fig, 0, rows, cols);
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
