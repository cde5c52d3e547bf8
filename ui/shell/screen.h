/* What the shell knows of a screen: a row of hooks and the size of its state. A new screen is a
 * folder in ui/screens/ that fills this in, its id in ui/shell/bindings.h and its line in
 * ui/screens/screens.h and screens.c. The shell never asks which screen is shown: it calls a
 * hook. */
#ifndef RIDGE_UI_SHELL_SCREEN_H
#define RIDGE_UI_SHELL_SCREEN_H

#include "ui/term/canvas.h"
#include "ui/term/entry.h"
#include "ui/live/action.h"
#include "ui/live/live.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;
struct palette;
struct place;

/* What `open` answers to a name. */
enum opened { OPENED, OPEN_FAILED, OPEN_NOT_MINE };

/* Every hook but title and draw may be NULL. */
struct screen {
	const char *name; /* in the help: "Keys on ..." */
	const char *word; /* in the table of keys: "answers" */
	/* Bytes of the screen's own state. The shell allocates it, zeroed, and app_state gives it
	 * back; nobody else looks inside. */
	size_t state_size;
	bool root;    /* where the explorer begins, and where the way back ends */
	bool overlay; /* lies over the screen that it was called from, and goes back to that */

	/* Where "page:gpu", "roofline" or "drill" leads, with the words that follow it. It shows
	 * itself by app_show. OPEN_FAILED: err has one line. An overlay is opened with an empty
	 * name, and cannot fail. */
	enum opened (*open)(struct app *app, const char *name, const char *const words[], size_t n,
		char *err, size_t err_size);
	/* Gives back what the state owns; the state itself is the shell's. */
	void (*close)(struct app *app);

	/* The trail of the title line, "ridge › ...", and a word for its right end. */
	void (*title)(const struct app *app, char *trail, size_t trail_size, char *right,
		size_t right_size);
	void (*draw)(const struct app *app, struct canvas *cv, struct rect body);
	/* Whether nothing at all is shown just now, not even title and footer; NULL: never. */
	bool (*blank)(const struct app *app);

	/* True when the screen took the action; others are the same everywhere. */
	bool (*act)(struct app *app, enum action a);
	/* Whether an action would do anything now: the footer shows only those. NULL: all. */
	bool (*acts)(const struct app *app, enum action a);
	/* What the footer calls an action now, where that is not what the table says; NULL. "":
	 * nothing, another key that is told does the same. */
	const char *(*calls)(const struct app *app, enum action a);
	size_t hints; /* keys in the footer, where they have room; 0: as many as usual */
	/* Whether a digit begins a line of its own (ENTRY_GUESS) where no knob takes it; NULL: never. */
	bool (*guesses)(const struct app *app);
	/* What stands beside a line of its own while it is typed: how it is understood so far, or what
	 * could be typed. NULL: nothing. */
	void (*reads)(const struct app *app, enum entry_kind kind, const char *text, char *note,
		size_t size);
	/* A line of its own was typed to its end (app->entry). True: the line is done with. */
	bool (*typed)(struct app *app, enum entry_kind kind, const char *text);
	/* The simulation whose knobs the keys turn, or NULL. */
	struct live *(*live)(const struct app *app);
	/* Rows that only this screen can add to the palette, by palette_add. */
	void (*list)(const struct app *app, struct palette *p);
	void (*click)(struct app *app, struct rect body, int row, int col);
	void (*drag)(struct app *app, struct rect body, int row, int col);
	/* The wheel, by -1 (up) or 1. False: it moves a line, as everywhere. */
	bool (*wheel)(struct app *app, int by, struct rect body, int row, int col);

	/* Moves what moves by itself; ms until it wants to be called again, -1: nothing moves. */
	int (*tick)(struct app *app, int64_t now_ms);
	/* Work that keys have asked for, once for all of them. Sets app->failed when memory ran
	 * out. */
	void (*settle)(struct app *app);
	/* Work that takes a while or needs the terminal, after a frame that said so: app->works. */
	void (*work)(struct app *app);

	/* Another screen takes its place, or the process stops: clocks stop. (An overlay does not
	 * call it: whether a clock goes on under the help is for the screen to say, in `act`.) */
	void (*leave)(struct app *app);
	/* What lay over it is gone again. */
	void (*uncover)(struct app *app);
	/* What Esc needs to come back here, and coming back; false: there is no way back. */
	void (*remember)(const struct app *app, struct place *p);
	bool (*restore)(struct app *app, const struct place *p);
	/* The same place as a target for app_open_target, which the palette lists among the last
	 * ones; NULL: it is not listed. */
	void (*target)(const struct place *p, char *target, size_t size);
	/* Why ridge is not left by one key while another screen is shown, as a sentence in buf, which is
	 * returned; NULL: nothing of this one would be lost. */
	const char *(*unfinished)(const struct app *app, char *buf, size_t size);
	/* Its clock in a few words, which stands on top of any other screen while it runs; NULL: none does. */
	const char *(*elsewhere)(const struct app *app, char *buf, size_t size);
	/* Where ridge opens the next time: a target for app_open_target, and how far it was
	 * scrolled. NULL: where it was before. */
	void (*kept)(const struct app *app, char *target, size_t size, long *scroll);
	/* Scrolls there, once it was opened again. */
	void (*scroll_to)(struct app *app, long row);
};

#endif
