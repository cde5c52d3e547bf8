/* What the explorer needs to know of a screen. A new one is a file that fills this in, a word in
 * ui/term/keys.h and a line in ui/screens/screens.c. */
#ifndef RIDGE_UI_SHELL_SCREEN_H
#define RIDGE_UI_SHELL_SCREEN_H

#include "ui/shell/app.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"

/* The functions from `acts` on may be NULL. */
struct screen {
	const char *name; /* in the help: "Keys on ..." */
	/* The trail of the title line, "ridge › ...", and a word for its right end. */
	void (*title)(const struct app *app, char *trail, size_t trail_size, char *right,
		size_t right_size);
	void (*draw)(const struct app *app, struct canvas *cv, struct rect body);
	/* True when the screen took the action; others are the same everywhere. */
	bool (*act)(struct app *app, enum action a);
	/* Whether an action would do anything now: the footer shows no other. NULL: all. */
	bool (*acts)(const struct app *app, enum action a);
	/* Moves what moves by itself; ms until it wants to be called again, -1: nothing moves. */
	int (*tick)(struct app *app, int64_t now_ms);
	/* Work that keys have asked for, once for all of them. */
	void (*settle)(struct app *app);
	/* Another screen, or the shell, comes over this one: clocks stop. */
	void (*leave)(struct app *app);
	/* What Esc needs to come back here, and coming back; false: there is no way back. */
	void (*remember)(const struct app *app, struct place *p);
	bool (*restore)(struct app *app, const struct place *p);
	void (*click)(struct app *app, struct rect body, int row, int col);
};

extern const struct screen *const screens[N_SCREENS]; /* by enum screen_id */

#endif
