#include "ui/live/live_layout.h"

#include "sims/base/minmax.h"

#include <assert.h>

struct sim_layout sim_layout(struct rect body, int n_values, int n_knobs, bool plays, bool zoomed)
{
	assert(n_values >= 0 && n_knobs >= 0);
	struct sim_layout l = { 0 };
	int rows = body.rows;
	/* From the bottom up: what the model leaves out, the sentence under its rule, the
	 * playhead. */
	if (rows >= 12) {
		l.honesty = (struct rect){ body.row + --rows, body.col, 1, body.cols };
		int lines = rows >= 20 ? 3 : 2;
		rows -= lines;
		l.sentence = (struct rect){ body.row + rows, body.col, lines, body.cols };
		rows--;
	}
	if (plays && rows > 6)
		l.playhead = (struct rect){ body.row + --rows, body.col, 1, body.cols };

	int side = zoomed || body.cols < 60 ? 0 : body.cols < 90 ? 33 : body.cols < 130 ? 38 : 46;
	int figure_cols = body.cols - (side ? side + 2 : 0);
	int knob_col = body.col + body.cols - side;
	if (!side && !zoomed) { /* narrow: values and knobs stand under the figure */
		side = body.cols;
		knob_col = body.col;
		int under = min_int(rows / 2, 6);
		l.figure = (struct rect){ body.row, body.col, rows - under, body.cols };
		l.knobs = (struct rect){ body.row + rows - under + 1, knob_col,
			max_int(0, under - 1), side };
		return l;
	}
	l.figure = (struct rect){ body.row, body.col, rows, figure_cols };
	if (zoomed) { /* the knob in focus stays in sight */
		l.figure.rows -= rows > 8;
		l.knobs = (struct rect){ body.row + rows - 1, body.col, rows > 8,
			min_int(body.cols, 56) };
		return l;
	}
	int values =
		min_int(n_values, max_int(3, rows - 1 - min_int(n_knobs, max_int(6, rows / 2))));
	l.values = (struct rect){ body.row, knob_col, min_int(values, rows), side };
	int left = rows - l.values.rows - 1;
	l.knobs = (struct rect){ body.row + l.values.rows + 1, knob_col,
		max_int(0, min_int(left, n_knobs)), side };
	return l;
}
