/* A canvas as text with colours, for `ridge frame --color` and `ridge sim --color`. */
#ifndef RIDGE_UI_TERM_ANSI_H
#define RIDGE_UI_TERM_ANSI_H

#include "ui/term/theme.h"

/* The canvas as lines without trailing blanks; a sequence only where the style changes, and each
 * line ends in the terminal's own style, so that a line can be cut out. DEPTH_NONE keeps bold and
 * underline only; canvas_write_text writes no escape byte at all. */
void canvas_write_ansi(
	const struct canvas *cv, enum colour_depth depth, enum background background, FILE *out);

#endif
