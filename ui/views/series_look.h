/* What a series looks like, wherever it is drawn: its colour, the shape of its markers, the shade
 * of its area. No two series of a plot are told apart by colour alone. */
#ifndef RIDGE_UI_VIEWS_SERIES_LOOK_H
#define RIDGE_UI_VIEWS_SERIES_LOOK_H

#include "sims/figure/figure.h"
#include "ui/term/canvas.h"

enum { N_SERIES_LOOKS = 8 }; /* colours and shapes; the ninth series looks like the first again */

/* A series is drawn as a line, as an area or as markers: what was measured is never joined. */
bool is_line(const struct series *s);
bool is_area(const struct series *s);
bool is_scatter(const struct series *s);

/* A point of a series: each series has a shape of its own (a letter in ASCII), which its role
 * changes, so that meaning is told by shape as well as by colour. */
uint32_t point_marker(enum glyphs glyphs, const struct series *s, enum role role);
enum style point_style(const struct series *s, enum role role);
/* Of a rule and its name: a limit has the terminal's own foreground, since amber is the colour of a
 * sign, and parts may be yellow. */
enum style rule_style(enum role role);

/* What the area of a series of p is filled with: another shade for each area. */
uint32_t area_fill(enum glyphs glyphs, const struct plot *p, const struct series *s);

/* Whether the line of s carries markers: it does where p has several lines of its kind. */
bool line_is_marked(const struct plot *p, const struct series *s);

#endif
