/* Votes from outside (inflow.h), one a line. Whatever gathers them (a chat, a form, people in a shell)
 * writes there. */
#ifndef RIDGE_UI_PROGRAMS_VOTE_SOURCE_H
#define RIDGE_UI_PROGRAMS_VOTE_SOURCE_H

#include "ui/programs/inflow.h"

#include <stddef.h>

enum { VOTE_LINE = 256 };

struct vote_source {
	struct inflow from; /* its fd -1: there is none */
	char line[VOTE_LINE];
	size_t n; /* of a line that is not whole yet */
};

/* A source of nothing: begin with this. */
#define NO_VOTES ((struct vote_source){ .from = NO_INFLOW })

/* Opens a file, a named pipe, or the standard input ("-"), in whose place the terminal is opened, for
 * keys. 0; or -1 and one line in err. */
int votes_open(struct vote_source *v, const char *path, char *err, size_t err_size);
void votes_close(struct vote_source *v);

/* Adds what came since to counts of n options. A vote is a line whose last word is one of the first n
 * letters, "b" or "anna: B"; other lines are none. Returns how many votes there were. */
size_t votes_read(struct vote_source *v, unsigned counts[], size_t n);

#endif
