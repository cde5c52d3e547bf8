/* Runs a program in a process of its own, in a session and a group of its own. It has no terminal
 * and no input, everything that it prints comes through one pipe, and it is ended after a given
 * time, together with what it started in its group; at once when ridge is killed. */
#ifndef RIDGE_UI_PROGRAMS_CHILD_H
#define RIDGE_UI_PROGRAMS_CHILD_H

#include "ui/programs/confine.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct child {
	const char *const *argv; /* NULL-terminated; the program as a path */
	const char *const *env;  /* NULL-terminated; NULL: ours */
	int dir;                 /* where it runs */
	struct confine_limits limits;
	enum confinement confined;
	const char *const *readable; /* of the user's (ui/programs/confine.h); may be NULL */
	bool lenient;                /* start it where not all of that can be enforced */
	/* Asked some fifty times a second: whether to end it. NULL: never. */
	bool (*stopped)(void *context);
	void *context;
	int64_t wall_ms;
	size_t output_bytes; /* when it prints more, it is ended */
};

struct child_end {
	char *output; /* from malloc, terminated */
	size_t bytes;
	bool overtime, flooded;
	int lost;   /* the errno of what could not be read; child_run fails then. 0: nothing */
	int status; /* as waitpid has it */
	int64_t took_ms;
};

/* Between child_hold and child_release the signals that would end or stop ridge have to wait, so
 * that the files of a child can be removed first. */
struct child_hold {
	sigset_t mask;
	struct sigaction child;
};
void child_hold(struct child_hold *h);
void child_release(const struct child_hold *h);

/* To be called between the two above. 0; or -1 and one line in err when there is no pipe, process
 * or memory, when what it prints cannot be read, when it was stopped, or when a signal that ends ridge has come. Free end->output either way. */
int child_run(const struct child *c, struct child_end *end, char *err, size_t err_size);

/* A program of the PATH as a path into buf; NULL where there is none. */
char *child_find(const char *name, char *buf, size_t size);

#endif
