/* A clock that is read at a glance: its time in large type, and what it is of in words behind it. */
#ifndef RIDGE_UI_VIEWS_CLOCK_H
#define RIDGE_UI_VIEWS_CLOCK_H

#include "ui/term/canvas.h"

/* Rows that it takes. */
int clock_rows(enum glyphs glyphs);
/* "WRAP UP  0:29 left of 2:00": the first time in it large, in the style, with the words before it over those behind it.
 * False: there is no time in it, or r has no room; nothing is drawn then. */
bool clock_draw(struct canvas *cv, struct rect r, const char *words, enum style style);

#endif
