/* A talk made by clicking through it: what is on the screen becomes the next step of the user's own
 * tour, $XDG_DATA_HOME/ridge/tours/mine.md. */
#ifndef RIDGE_UI_TALKS_TOUR_APPEND_H
#define RIDGE_UI_TALKS_TOUR_APPEND_H

#include "ui/live/live.h"

#include <stddef.h>

/* Adds a step with this caption: the setting, the part of the figure (NULL: its first), and where the
 * run stands. What is in the file stays as it is. 0 and in `said` which step it is and what gives
 * it; or -1 and what is wrong there, the file as it was. */
int tour_append(const struct live *s, const struct block *part, const char *caption, char *said,
	size_t size);

/* The text that is added: "## caption", and a fence with what differs from the setting of `last`, the
 * step before ("": there is none). 0; or -1 when it has no room. */
int tour_step_text(const struct live *s, const struct block *part, const char *last,
	const char *caption, char *buf, size_t size);

#endif
