/* The terminal as a screen: what it is called and can do comes from terminfo, by way of ncurses,
 * which ui/term/term.c alone knows. What is drawn is written by ui/term/paint.h, for every kind of
 * terminal; what is typed is read by ui/term/input.h. */
#ifndef RIDGE_UI_TERM_TERM_H
#define RIDGE_UI_TERM_TERM_H

#include "ui/term/canvas.h"
#include "ui/term/input.h"
#include "ui/term/theme.h"

#include <stdbool.h>
#include <stdint.h>

struct term_options {
	enum colour_depth depth; /* at most; the terminal may have fewer */
	bool direct;             /* direct colour is understood, whatever terminfo says */
	enum background background;
	bool asks;                 /* it may be asked what it is, with the first frame */
	bool asks_modes;           /* and what modes it has */
	int64_t (*clock_ms)(void); /* for how long its answers are waited for */
};

/* 0: the terminal is ours until term_close, which exit() calls too. -1 and one line in err: it
 * cannot be used. *note: one line about a fallback that was taken, or "". */
int term_open(
	const struct term_options *o, char *err, size_t err_size, char *note, size_t note_size);
void term_close(void);
void term_size(int *rows, int *cols);
/* How parts of pictures are told apart with the colours that this terminal has. */
enum fills term_fills(void);

/* Shows a canvas: writes only what changed since the last one, in one write. */
void term_show(const struct canvas *cv);
/* What the terminal said of itself so far. */
const struct terminal_said *term_said(void);
/* From the next frame on, its colours are those for this background. */
void term_background(enum background background);
/* Asks the terminal outside the explorer, and waits a moment for its answers. */
struct terminal_said term_ask(const struct term_options *o);
/* Puts text into the clipboard, where the terminal allows that. */
void term_copy(const char *text);
/* Forgets what the terminal shows: the next term_show writes everything. */
void term_redraw(void);
/* Whether the mouse is on now: false where the terminal reports none. */
bool term_mouse(bool on);
/* Gives the terminal back, stops this process as Ctrl-Z does, and takes the terminal again. */
void term_suspend(void);
/* Gives the terminal to another program, and takes it back. */
void term_give(void);
void term_take(void);

/* TERM_RESIZE: the size may be another; what the terminal shows is forgotten. TERM_SAID: term_said
 * may lead to other glyphs and colours than before. */
enum term_event { TERM_NOTHING, TERM_KEY, TERM_RESIZE, TERM_SUSPEND, TERM_SAID, TERM_GONE };
/* Waits for something to happen, about timeout_ms at most (negative: for ever; 0: not at all).
 * TERM_KEY comes with *in. */
enum term_event term_wait(int timeout_ms, struct input_event *in);
/* Descriptors (8 at most) that end the waiting, too, with TERM_NOTHING; none: n 0. */
void term_watch(const int fds[], size_t n);
/* Whether a key or a signal waits, for who is at work that takes long. */
bool term_is_asked(void);

#endif
