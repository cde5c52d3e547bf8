/* A canvas as a picture in SVG, for `ridge frame --svg` and the contact sheet. */
#ifndef RIDGE_UI_TERM_SVG_H
#define RIDGE_UI_TERM_SVG_H

#include "ui/term/theme.h"

/* In direct colour on a dark or a light ground, with a margin of half a row. Every byte is ASCII, so
 * that no locale matters. 0; or -1 when out of memory, or where what was drawn was, and then nothing
 * is written. */
int canvas_write_svg(const struct canvas *cv, enum background background, FILE *out);
/* The same with a title and a description, for who does not see it; either may be NULL. With a
 * description it is one picture to a screen reader, without it is text. */
int canvas_write_told_svg(const struct canvas *cv, enum background background, const char *title,
	const char *description, FILE *out);

/* Its size, of so many columns and rows. */
int svg_width(int cols);
int svg_height(int rows);

#endif
