/* How a talk looks to an audience: all steps of all tours, at the sizes that rooms have. */
#include "tests/explorer.h"
#include "ui/screens/present/present_draw.h"
#include "ui/screens/present/present_screen.h"
#include "sims/base/minmax.h"
#include "ui/shell/layout.h"
#include "ui/term/textwrap.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

TestSuite(talk_look);

/* What one step looks like. */
struct look {
	const struct talk *talk;
	struct canvas cv;
	struct rect body;
	struct present_places at;
};

/* Calls `see` for each step of each tour, with the answer open where it asks. */
static void each_step(int rows, int cols, enum glyphs glyphs, void (*see)(struct look *l))
{
	char ids[64][TOUR_ID_BYTES], target[TOUR_ID_BYTES + 16];
	size_t n = talk_list(ids, 64);
	cr_assert(n > 20 && n <= 64);
	for (size_t i = 0; i < n; i++) {
		struct explorer e = explorer_start(rows, cols, glyphs);
		snprintf(target, sizeof target, "present:%.*s", TOUR_ID_BYTES, ids[i]);
		cr_assert(explorer_open(&e, target));
		const struct talk *t = present_talk(e.app);
		for (size_t k = 0; k < t->tour.n; k++) {
			present_go(e.app, k);
			app_settle(e.app);
			present_show_answer(e.app);
			struct look l = { .talk = t, .cv = explorer_draw(&e) };
			l.body = frame_layout(rows, cols).body;
			l.at = present_places(&l.cv, l.body, t);
			see(&l);
			canvas_release(&l.cv);
		}
		explorer_end(&e);
	}
}

static bool is_blank(const struct canvas *cv, int row, struct rect r)
{
	for (int col = r.col; col < r.col + r.cols; col++) {
		const struct cell *c = &cv->cells[row * cv->cols + col];
		if (c->code > ' ' || c->under != STYLE_PLAIN)
			return false;
	}
	return true;
}

/* The rows from the first to the last in which something stands. */
static int rows_used(const struct canvas *cv, struct rect r)
{
	int first = r.row, last = r.row + r.rows - 1;
	while (first <= last && is_blank(cv, first, r))
		first++;
	while (last >= first && is_blank(cv, last, r))
		last--;
	return last - first + 1;
}

static void fills_its_rows(struct look *l)
{
	const struct block *part = l->talk->live.sim ? talk_part(l->talk) : NULL;
	if (!part)
		return;
	int used = rows_used(&l->cv, l->at.figure), least = (6 * l->at.figure.rows + 9) / 10;
	/* One bar is not made a wall, and rows of a table are not torn further apart than three blank
	 * ones: those of few rows stay small. */
	if (part->kind == BLOCK_BARS && part->as.bars.n_bars == 1)
		least = 12;
	if (part->kind == BLOCK_TABLE) {
		size_t lines = min_size(part->as.table.n_rows, part->as.table.cols - 1);
		least = min_int(least, 4 * (int)lines);
	}
	cr_expect(used >= least, "%s %zu: %d of %d rows, kind %d", l->talk->tour.id,
		l->talk->at + 1, used, l->at.figure.rows, (int)part->kind);
}

/* On a large screen the figure is large. */
Test(talk_look, a_figure_fills_its_rows)
{
	each_step(48, 160, GLYPHS_BRAILLE, fills_its_rows);
}
