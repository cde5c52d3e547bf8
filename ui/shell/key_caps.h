/* The keys that were pressed last, for people who watch: each in a cap of its own, "[ l ]", at the end
 * of the bottom line, until nothing was pressed for two seconds. What is typed into a line is no
 * key here, and never shown. */
#ifndef RIDGE_UI_SHELL_KEY_CAPS_H
#define RIDGE_UI_SHELL_KEY_CAPS_H

#include "ui/term/canvas.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MOST_CAPS = 4, CAPS_STAY_MS = 2000 };

/* A zeroed one shows none. */
struct key_caps {
	bool shown;               /* somebody wants to see them */
	uint32_t keys[MOST_CAPS]; /* the newest last */
	size_t n;
	int64_t pressed_ms; /* the newest */
};

/* Nothing where none are shown. */
void key_caps_press(struct key_caps *c, uint32_t key, int64_t now_ms);
/* Takes away those whose time is over. ms until it wants to be called again; -1: there are none. */
int key_caps_tick(struct key_caps *c, int64_t now_ms);
/* The columns that are kept for them at the end of a line of so many; 0 where none are shown. */
int key_caps_cols(const struct key_caps *c, int cols);
/* At the right end of a line, as many of the newest as have room there and cover nothing. */
void key_caps_draw(const struct key_caps *c, struct canvas *cv, struct rect line);

#endif
