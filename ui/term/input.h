/* Bytes from a terminal into keys. Pure: no clock, no terminal. A sequence that nobody knows is one
 * unknown key or nothing at all; its bytes never act as keys of their own, and neither do those of
 * Alt and a key. */
#ifndef RIDGE_UI_TERM_INPUT_H
#define RIDGE_UI_TERM_INPUT_H

#include "ui/term/reply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input_event {
	uint32_t key;       /* of ui/term/keys.h; KEY_NONE_: one that nothing is bound to */
	int row, col;       /* of KEY_MOUSE_... and KEY_WHEEL_... */
	struct reply reply; /* of KEY_REPLY */
};

enum { INPUT_ROOM = 1024, MAX_NAMED_KEYS = 24, LONGEST_NAMED_KEY = 15 };
/* A zeroed one is empty. */
struct input {
	unsigned char bytes[INPUT_ROOM];
	size_t n;
	/* what this terminal is known to send, besides what all terminals do */
	struct {
		char bytes[LONGEST_NAMED_KEY + 1];
		uint32_t key;
	} named[MAX_NAMED_KEYS];
	size_t n_named;
	/* Answers are on their way: what may be the beginning of one is waited for, however long
	 * the rest takes, so that the rest is not taken for keys. */
	bool expects;
};

/* From now on these bytes are that key. Empty or long ones are ignored. */
void input_name_key(struct input *in, const char *bytes, uint32_t key);

/* How many bytes can be added now (where input_next gave everything out: INPUT_ROOM). */
size_t input_room(const struct input *in);
/* Adds bytes; those beyond the room are not taken. */
void input_add(struct input *in, const char *bytes, size_t n);

enum input_state {
	INPUT_EMPTY,
	INPUT_EVENT,     /* *e was set */
	INPUT_UNFINISHED /* more bytes would tell; call again with them, or with `silent` */
};
/* The next event. silent: nothing followed for as long as a sequence may take, so that an Esc is
 * the Esc key, and what is unfinished will remain so. */
enum input_state input_next(struct input *in, bool silent, struct input_event *e);

#endif
