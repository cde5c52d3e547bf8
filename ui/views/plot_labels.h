/* Words in a plot: names of series at the ends of their lines or in a legend below, names of rules
 * and of points, values at the playhead.
 *
 * Placement is greedy and looks at cells. Each label has a short list of places around what it
 * names, best first (beside, above, below, then further along); it takes the first one whose
 * cells are free, or else the one that covers the fewest faint marks. What must not be hidden is
 * never covered: `over` of a label is the strongest ink that it may stand on, and solid lines,
 * marks and other labels are stronger. Labels are placed once, in the order in which they
 * matter, so an earlier one never moves for a later one. Where the names of lines do not find
 * their places, the whole plot is drawn again with a legend. */
#ifndef RIDGE_UI_VIEWS_PLOT_LABELS_H
#define RIDGE_UI_VIEWS_PLOT_LABELS_H

#include "ui/views/plot_chart.h"

bool plot_has_names(const struct plot *p);

/* Columns to keep free on the right of `cols` for names at the ends of lines; 0 where they would
 * take too much, or stand on each other. The scales are fitted by now. */
int plot_gutter(const struct chart *c, int cols);

/* Where an area is narrower than its name, the legend names all of them: a name across its neighbours
 * would seem to be theirs, and half a legend would seem to be all of it. True: so it is, and the legend
 * needs room. */
bool plot_list_narrow(const struct chart *c);
/* Names at the ends of lines: in the gutter, or in the picture. False when one found no place. */
bool label_series(const struct chart *c, bool gutter, bool last_first);
/* "no data", where a chart has none. */
void label_empty(const struct chart *c);
void label_rules(const struct chart *c);
/* Points that are the whole of their series and bear its name, which no legend has; the one that the
 * picture is about, which has few places where rules have many; and the others. */
enum plot_points { POINTS_OWN, POINTS_FOCUS, POINTS_OTHER };
void label_points(const struct chart *c, enum plot_points which);
/* The value of each line at a moment, where there is room. */
void label_values(const struct chart *c, double at);

/* Names below the picture: of all series, or where lines carry theirs (direct) of those alone that
 * have no line, or an area too narrow for a name. */
struct plot_legend {
	bool direct;
	int rows; /* 0: no legend */
	int col;  /* where it starts */
	int end;  /* columns that its last row takes, from there */
};
struct plot_legend plot_legend_of(const struct chart *c, bool direct, int most);
void draw_legend(const struct chart *c, const struct plot_legend *l, int row);

#endif
