/* An asciicast: frames of a screen as a terminal would get them, rows that changed since the frame
 * before, with their times. Direct colour. */
#ifndef RIDGE_UI_FILES_CAST_H
#define RIDGE_UI_FILES_CAST_H

#include "ui/term/canvas.h"
#include "ui/term/theme.h"

#include <stdio.h>

/* The second form counts seconds from the start and is what Debian's asciinema plays, the third from
 * the event before. */
enum cast_form { CAST_V2, CAST_V3 };

struct cast {
	FILE *out;
	enum cast_form form;
	enum background background;
	double told_s; /* the last event */
	int rows, cols;
	/* Of the last frame: its lines in one text. */
	char *text, **lines;
	size_t n;
};

/* Begins one in an open file, which stays the caller's. All of these: 0; or -1 when out of memory. What
 * could not be written the file knows (ferror). */
int cast_begin(struct cast *c, FILE *out, enum cast_form form, enum background background,
	const char *title, int rows, int cols);
/* at_s: since it began, never before an event that was told already. */
int cast_frame(struct cast *c, const struct canvas *cv, double at_s);
/* A place to go to in the player, under that name. */
int cast_mark(struct cast *c, const char *name, double at_s);
/* Ends it and gives back what it holds. */
int cast_end(struct cast *c, double at_s);

#endif
