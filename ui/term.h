/* The terminal. ui/term.c is the only file that knows ncurses; it also owns the only state that
 * outlives its callers, since a signal handler has nothing else to find the terminal by. */
#ifndef RIDGE_TERM_H
#define RIDGE_TERM_H

#include "ui/canvas.h"
#include "ui/theme.h"

#include <stdbool.h>
#include <stdint.h>

struct term_options {
	enum colour_depth depth;	/* at most; the terminal may have fewer */
	enum background background;
};

/* 0 and the terminal is ours until term_close (also called on every way out); -1 and one line in
 * err: the terminal cannot be used. *note: one line about a fallback that was taken, or "". */
int term_open(const struct term_options *o, char *err, size_t err_size, char *note,
	size_t note_size);
void term_close(void);
void term_size(int *rows, int *cols);

/* Shows a canvas: writes only what changed since the last one, in one write. */
void term_show(const struct canvas *cv);
/* Forgets what the terminal shows: the next term_show writes everything. */
void term_redraw(void);
void term_mouse(bool on);
/* Gives the terminal back, stops this process as Ctrl-Z does, and takes the terminal again. */
void term_suspend(void);

enum term_event { TERM_NOTHING, TERM_KEY, TERM_RESIZE, TERM_SUSPEND, TERM_GONE };
struct term_input {
	uint32_t key;		/* of TERM_KEY */
	int row, col;		/* of a click */
};
/* Waits for something to happen, at most timeout_ms (negative: for ever; 0: not at all). */
enum term_event term_wait(int timeout_ms, struct term_input *in);

#endif
