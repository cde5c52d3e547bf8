/* What lies over a screen for a while: it has an edge and room around it, what is behind it is dim,
 * and no word there is cut in two. */
#ifndef RIDGE_UI_TERM_OVERLAY_H
#define RIDGE_UI_TERM_OVERLAY_H

#include "ui/term/canvas.h"

enum { OVERLAY_EDGE = 1, OVERLAY_ROOM = 2 /* blank columns inside and outside the edge */ };

/* Dims a part of the screen, text and fills alike, but for one row (-1: all of it). */
void overlay_dim(struct canvas *cv, struct rect behind, int spared);

/* Clears a box with the columns beside it, which also take the words that it would cut, and draws
 * its edge, with a title in its upper side ("": none). Returns what is inside. */
struct rect overlay_box(struct canvas *cv, struct rect box, const char *title);

/* The row with the cursor of a list or of knobs (a bold mark in the accent); -1: there is none.
 * What explains that row must not cover it. */
int overlay_spot(const struct canvas *cv, struct rect part);

/* Where a box of so many rows stands in a part of the screen without covering a row of it (-1: it
 * covers what it likes): as high as it may, else below that row, else where more rows are free.
 * The box may come out lower than it was wished. */
struct rect overlay_place(struct rect part, int rows, int cols, int spared);

#endif
