/* Where a bead was taken is kept from the press on: turning the knob may open a group of the list or
 * move the axis, and the bead under the mouse must not jump for that. */
#include "ui/live/live_mouse.h"

#include "ui/live/live_draw.h"
#include "ui/live/live_knobs.h"

#include <math.h>

/* Draws the screen once more, to know where plots and tables put what can be pressed. */
static bool drawn(struct canvas *cv, const struct live *s, struct rect r, enum glyphs glyphs)
{
	if (canvas_init(cv, r.row + r.rows, r.col + r.cols, glyphs))
		return false;
	live_draw(cv, r, s);
	return true;
}

/* The axis of a plot that is the slider of a knob and lies at (row, col). */
static bool axis_at(const struct live *s, struct rect r, enum glyphs glyphs, int row, int col,
	struct grip *grip)
{
	struct canvas cv;
	if (!drawn(&cv, s, r, glyphs))
		return false;
	const struct slider at = cv.slider;
	canvas_release(&cv);
	int knob = at.knob ? sim_knob_index(s->sim, at.knob) : -1;
	if (knob < 0 || row != at.row || col < at.col || col >= at.col + at.cols)
		return false;
	*grip = (struct grip){ true, knob, at.col, at.cols, true, at.logarithmic, at.lo, at.hi, 0 };
	return true;
}

/* The knob whose row of a table lies at (row, col); -1: none. */
static int row_at(const struct live *s, struct rect r, enum glyphs glyphs, int row, int col)
{
	struct canvas cv;
	int knob = -1;
	if (s->n_rows == 0 || !drawn(&cv, s, r, glyphs))
		return -1;
	for (int i = 0; i < cv.n_turned; i++) {
		const struct rect at = cv.turned[i].r;
		if (row >= at.row && row < at.row + at.rows && col >= at.col &&
			col < at.col + at.cols)
			knob = sim_knob_index(s->sim, cv.turned[i].knob);
	}
	canvas_release(&cv);
	return knob;
}

static double value_at(const struct live *s, const struct grip *g, int col)
{
	const struct knob *k = &s->sim->knobs[g->knob];
	double share = g->cols > 1 ? (double)(col - g->col) / (g->cols - 1) : 0;
	share = fmin(fmax(share, 0), 1);
	if (g->axis) {
		double value = g->logarithmic ? g->lo * pow(g->hi / g->lo, share)
					      : g->lo + share * (g->hi - g->lo);
		share = knob_position(k, s->tables, fmin(fmax(value, k->min), k->max));
	}
	return knob_at(k, s->tables, share);
}

void live_drag(struct live *s, int col)
{
	struct grip *g = &s->grip;
	if (!g->held)
		return;
	const double value = value_at(s, g, col);
	if (s->now.v[g->knob] == value)
		return;
	/* A key may have been pressed meanwhile: then what follows is another step. */
	if (g->undo_at == 0 || g->undo_at != s->n_undo || s->changed != g->knob) {
		live_set(s, g->knob, value);
		g->undo_at = s->n_undo;
		return;
	}
	s->continued = s->continued || !s->stale;
	s->now.v[g->knob] = value;
	s->stale = true;
}

void live_press(struct live *s, struct rect r, enum glyphs glyphs, int row, int col)
{
	int knob = live_knob_at(s, r, row, col), turned = row_at(s, r, glyphs, row, col);
	s->grip = (struct grip){ .held = false };
	if (turned >= 0) { /* the first press goes there, the next one takes it */
		if (s->focus == turned)
			live_act(s, ACT_RIGHT);
		s->focus = turned;
	} else if (live_track_at(s, r, row, col, &s->grip) ||
		   axis_at(s, r, glyphs, row, col, &s->grip)) {
		s->focus = s->grip.knob;
		live_drag(s, col);
	} else if (knob >= 0) {
		s->focus = knob;
	}
}

bool live_press_knobs(struct live *s, struct rect r, int row, int col)
{
	int knob = live_knob_in(r, 1, s, row, col);
	s->grip = (struct grip){ .held = false };
	if (knob < 0)
		return false;
	live_track_in(r, 1, s, row, col, &s->grip);
	s->focus = knob;
	live_drag(s, col);
	return true;
}

int live_knob_under(const struct live *s, struct rect r, enum glyphs glyphs, int row, int col)
{
	struct grip axis;
	int knob = live_knob_at(s, r, row, col);
	return knob < 0 && axis_at(s, r, glyphs, row, col, &axis) ? axis.knob : knob;
}
