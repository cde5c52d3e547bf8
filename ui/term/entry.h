/* A line that is being typed: a knob's value, a search, an answer. */
#ifndef RIDGE_UI_TERM_ENTRY_H
#define RIDGE_UI_TERM_ENTRY_H

#include "ui/term/canvas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum entry_kind {
	ENTRY_NONE,
	ENTRY_VALUE,
	ENTRY_SEARCH,
	ENTRY_NOTE,
	ENTRY_HEARD,
	ENTRY_NAME,
	ENTRY_CAPTION,
	ENTRY_GUESS,
	ENTRY_DATE,
	ENTRY_ANSWER,
	ENTRY_TALK,
	ENTRY_SCRATCH
};

/* Whether a line of this kind stays on the screen as long as it can be typed into: letters go into
 * it, but while it is empty it lets ? and : through. Others come with a key and go with Enter or
 * Esc. */
bool entry_stays(enum entry_kind kind);

struct entry {
	enum entry_kind kind;
	char text[256]; /* UTF-8 */
	size_t bytes, cursor;
	char error[256]; /* what was wrong with it, until the next key */
	bool judged; /* its text was an answer: a character that is typed begins another, and what
			  * moves or deletes goes on with this one */
};

/* An empty line, or one that begins with the character `first` (0: none). */
void entry_begin(struct entry *e, enum entry_kind kind, uint32_t first);

/* Puts the text there, cut at a whole character, with the cursor behind it. */
void entry_set(struct entry *e, const char *text);

/* Does what a key that moves or edits says, readline's Ctrl-A, E, U, K and W among them. False: the key does
 * neither. */
bool entry_edit(struct entry *e, uint32_t key);

/* Draws the line, scrolled so that its cursor is seen, and puts the canvas's cursor there.
 * Returns the columns used. */
int entry_draw(
	const struct entry *e, struct canvas *cv, int row, int col, int width, unsigned attr);

#endif
