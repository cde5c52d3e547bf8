/* The real program in a real pseudo-terminal, its output read by libvterm. */
#ifndef RIDGE_TEST_PTY_H
#define RIDGE_TEST_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

struct pty {
	int master, slave; /* we keep the slave open, to read its settings after the end */
	pid_t pid;         /* the session's leader; ends as the program ends */
	pid_t program;
	struct VTerm *vt;
	int rows, cols;
	struct termios before;
	size_t bytes;      /* written by the program so far */
	size_t writes;     /* chunks that were read; a frame that came in one is one */
	double read_ms;    /* when the last of them was read, on the monotonic clock */
	double painted_ms; /* when the last row of the screen got its first text; 0: not yet */
	char *raw;         /* everything that it wrote */
	size_t raw_room;
	char home[64]; /* its HOME: a fresh directory */
};

/* Starts $RIDGE with these words (NULL-terminated) and environment (NAME=value, NULL-terminated;
 * may be NULL). Aborts the test when it cannot. */
void pty_start(struct pty *p, int rows, int cols, const char *const words[],
	const char *const environment[]);
/* The same, back at the first bytes that it writes. */
void pty_start_quick(struct pty *p, int rows, int cols, const char *const words[]);
/* Reads until nothing came for so long; the first bytes may take first_ms. */
void pty_read(struct pty *p, int first_ms, int quiet_ms);
/* Sends keys, then reads until the program has been silent for a while. */
void pty_send(struct pty *p, const char *keys);
void pty_settle(struct pty *p);
void pty_resize(struct pty *p, int rows, int cols);
/* Waits for the end; the status of waitpid, or -1 when it did not end within ten seconds (it is
 * then killed). */
int pty_wait(struct pty *p);
/* True when the program is stopped within two seconds. */
bool pty_stopped(const struct pty *p);
void pty_free(struct pty *p);

/* The screen as text: rows without trailing blanks, each ended by '\n'. */
char *pty_screen(const struct pty *p, char *buf, size_t size);
/* Whether a text is on the screen, or gone from it: on a busy machine that may take some seconds. */
bool pty_shows(struct pty *p, const char *text);
bool pty_hides(struct pty *p, const char *text);
/* The terminal's settings are as they were, the program left the alternate screen and the cursor
 * shows. */
bool pty_restored(const struct pty *p);

#endif
