/* Lines, areas and points over two axes. This file lays out the chart, draws its frame, and says
 * in which order the rest is drawn. The parts: plot_scale.h (data to cells), plot_chart.h (the
 * picture), plot_curves.h (lines), plot_dots.h (their dots), plot_marks.h (areas,
 * points, rules), plot_labels.h (words). */
#ifndef RIDGE_UI_VIEWS_PLOT_H
#define RIDGE_UI_VIEWS_PLOT_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

/* Fills r. ghost: a pinned plot, drawn dim under this one, or NULL. playhead_s: the moment shown
 * in a plot over time, or NAN. */
void plot_draw(struct canvas *cv, struct rect r, const struct plot *p, const struct plot *ghost,
	double playhead_s);
/* Rows that it would like at a width. */
int plot_rows(const struct plot *p, int cols);

#endif
