/* The values of a figure beside it: one large, two or three more, the rest dim. What a value was in
 * the pinned setting stands before it, and how much that changed behind it. */
#ifndef RIDGE_UI_LIVE_LIVE_VALUES_H
#define RIDGE_UI_LIVE_LIVE_VALUES_H

#include "ui/live/live.h"
#include "ui/term/canvas.h"

/* How many lines the values take: those at the end that are dim (ROLE_DIM) wait in the fold until
 * someone asks for all, and a line counts them. */
int live_value_lines(const struct live *s);

/* Whether the first value with what stands beside it fits in so many columns in large digits. */
bool live_hero_fits(const struct live *s, int cols, enum glyphs glyphs);

/* In a column: the first value with its label above it, in large digits where it may have `hero`
 * rows of five and fits, then a line each. Where there is no room for all, the last line counts the
 * others and names the key that shows them. */
void live_draw_values(struct canvas *cv, struct rect r, const struct live *s, int hero);
/* Under a figure: the first value as it is in a column, of so many columns, and the others at its right. */
int live_strip_cols(int cols);
void live_draw_value_strip(struct canvas *cv, struct rect r, const struct live *s);
/* In one line, as many as fit. */
void live_draw_value_line(struct canvas *cv, struct rect r, const struct live *s);
/* A line each, without a large one: under a figure of a page. */
void live_draw_value_list(struct canvas *cv, struct rect r, const struct live *s);

#endif
