/* What stands in a plot besides lines: areas, ghosts of a pinned plot, markers, rules, the
 * playhead. Each stays out of the way of what matters more (enum ink). */
#ifndef RIDGE_UI_VIEWS_PLOT_MARKS_H
#define RIDGE_UI_VIEWS_PLOT_MARKS_H

#include "ui/views/plot_chart.h"
#include "ui/views/plot_curves.h"

void draw_area(const struct chart *c, const struct plot_trace *t, size_t series);
/* All areas, the higher ones first, so that the lower ones lie on top and stay in sight. */
void draw_areas(const struct chart *c, const struct plot_trace *t);
/* The tints behind noise, and the points beyond them. */
void draw_bands(const struct chart *c);
void draw_beyond(const struct chart *c);
void draw_ghost(const struct chart *c, const struct plot_trace *t, const struct series *s);
/* The cell of a point; above or below: it is beyond the picture, in whose outermost row it is
 * shown. False: it has no place. */
struct mark_place {
	int row, col;
	bool above, below;
};
bool place_mark(const struct chart *c, const struct point *p, struct mark_place *at);
/* What moved since the plot was pinned: a line of dots from where each mark was to where it is. */
void draw_trails(const struct chart *c, const struct plot_trace *t);
void draw_points(const struct chart *c, size_t series);
void draw_rules(const struct chart *c);
/* at: where the moment stands, in the x axis's own numbers. */
void draw_playhead(const struct chart *c, double at);

#endif
