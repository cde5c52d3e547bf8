/* The terminal as a device: its modes, bytes and size, and the signals around it. It knows nothing
 * of screens. It owns the only state in ridge that outlives its callers, since a signal handler has
 * nothing else to find the terminal by. */
#ifndef RIDGE_UI_TERM_TTY_H
#define RIDGE_UI_TERM_TTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Remembers the modes of standard input and catches signals. Those that end a process first give
 * back a terminal that was taken (they write what tty_on_death was told, and set the modes), then
 * end it as if they had not been caught. Signals that were ignored stay so. 0, or -1 with errno. */
int tty_open(void);
/* What to write when a signal ends the process while the terminal is ours. Copied. */
void tty_on_death(const char *bytes, size_t n);

/* Gives back a terminal that was taken, in a hurry as the signal handlers do: the process is about
 * to end. */
void tty_leave(void);
/* Whether the terminal is taken now: since tty_take, until something gives it back. */
bool tty_taken(void);

/* Takes the terminal: every key comes at once, without echo or translation. In the background this
 * stops the process until it is brought to the front. */
void tty_take(void);
/* Gives the terminal back, in the modes in which tty_open found it. */
void tty_give(void);
/* Stops the process, and those it was started with, as Ctrl-Z does; returns when it goes on. */
void tty_stop(void);

/* Writes to standard output, and waits while the terminal does not read. */
void tty_write(const char *bytes, size_t n);
/* Until further notice, what comes in may be answers that nobody typed: where a signal ends the
 * process, they are thrown away rather than left to the shell. */
void tty_expects_answers(bool yes);
/* Throws away what came in and was not read. */
void tty_discard(void);
/* The size of the screen. False: the device does not say, or says nonsense. */
bool tty_size(int *rows, int *cols);
/* The character that the terminal's driver takes for Backspace; 0: none. */
char tty_erase_key(void);

enum tty_event {
	TTY_NOTHING, /* the time is over */
	TTY_INPUT,   /* tty_read has something */
	TTY_RESIZED,
	TTY_STOP,     /* somebody asks the process to stop: kill -TSTP */
	TTY_CONTINUED /* the process was stopped and goes on; the modes may be others */
};
/* Waits for something to happen, at most timeout_ms (negative: for ever; 0: not at all). */
enum tty_event tty_wait(int timeout_ms);
/* Descriptors that end the waiting, too, with TTY_NOTHING; none: n 0. */
enum { TTY_WATCHED = 8 };
void tty_watch(const int fds[], size_t n);
/* Whether it would say at once that something happened. */
bool tty_is_asked(void);
/* What was typed. 0: nothing at present; -1: the terminal is gone. */
ssize_t tty_read(char *buf, size_t room);

#endif
