/* The wire between the screen of a talk and its speaker's notes, in two processes of one user: a
 * socket in the runtime directory that nobody else can open, lines both ways, the newest of which
 * wins. The screen serves, notes join; either may come first, leave, and come back. Nothing here
 * waits. */
#ifndef RIDGE_UI_PROGRAMS_TALK_WIRE_H
#define RIDGE_UI_PROGRAMS_TALK_WIRE_H

#include <stdbool.h>
#include <stddef.h>

enum { WIRE_PEERS = 4, WIRE_LINE = 1024, WIRE_FDS = WIRE_PEERS + 1, WIRE_NAME = 64 };

struct wire {
	int listening; /* -1: it does not serve */
	struct wire_peer {
		int fd;
		char text[WIRE_LINE]; /* of a line that is not whole yet */
		size_t n;
	} peers[WIRE_PEERS];
	size_t n;
	char path[108];
	char newest[WIRE_LINE]; /* that was sent: who joins gets it */
};

/* A wire that leads nowhere: begin with this. */
#define NO_WIRE ((struct wire){ .listening = -1 })

/* "$XDG_RUNTIME_DIR/ridge/present-TOUR", or in a folder of the user's own in /tmp. Returns buf; NULL
 * where the name has no room in a socket's address. */
char *wire_path(const char *tour, char *buf, size_t size);

/* The names of the talks that are given just now, as they stand in their paths: what is no letter and no
 * digit is "-". The first `most` of them. Returns how many there are. */
size_t wire_running(char names[][WIRE_NAME], size_t most);

/* Serves the talk's screen. A socket that a dead process left is taken over. 0; or -1 with errno:
 * EADDRINUSE where another screen gives this talk. */
int wire_serve(struct wire *w, const char *tour);
/* Joins a talk. 0; or -1 with errno: nobody gives it. */
int wire_join(struct wire *w, const char *tour);
void wire_close(struct wire *w);

/* Sends a line, without its end, to all there are and to those who join later. */
void wire_send(struct wire *w, const char *line);
/* Lets in who knocks, and reads what came: the newest whole line, in a buffer of WIRE_LINE bytes.
 * False: none came. */
bool wire_read(struct wire *w, char line[WIRE_LINE]);
/* Whether somebody is at the other end. */
bool wire_joined(const struct wire *w);
/* What to wait on. Returns how many. */
size_t wire_fds(const struct wire *w, int fds[WIRE_FDS]);

#endif
