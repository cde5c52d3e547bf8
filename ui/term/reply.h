/* What a terminal says of itself when it is asked: bytes into facts. Pure. */
#ifndef RIDGE_UI_TERM_REPLY_H
#define RIDGE_UI_TERM_REPLY_H

#include <stdbool.h>
#include <stddef.h>

enum reply_kind {
	REPLY_NONE,
	REPLY_BACKGROUND, /* to OSC 11: the colour of the ground */
	REPLY_NAME,       /* to XTVERSION: its name and version */
	REPLY_MODE,       /* to DECRQM: whether it knows a mode */
	REPLY_PLACE,      /* to DSR 6: where the cursor is, in the second row */
	REPLY_SCHEME,     /* the user turned to dark or to light (mode 2031) */
	REPLY_LAST        /* to DA1, which every terminal answers, and which is asked last */
};
/* Where the cursor is after two tabs from the first column, if there is a stop in every eighth. */
enum { COL_AFTER_TABS = 17 };
enum { LONGEST_NAME = 47, MODE_SYNCHRONIZED = 2026, MODE_SCHEME = 2031 };

struct reply {
	enum reply_kind kind;
	bool light;                  /* REPLY_BACKGROUND, REPLY_SCHEME */
	int mode;                    /* REPLY_MODE */
	int col;                     /* REPLY_PLACE, from 1 */
	bool offered;                /* it can be switched */
	char name[LONGEST_NAME + 1]; /* "kitty(0.40.1)": printable ASCII */
};

/* A whole sequence, from its ESC to its end. False: it answers none of these questions. */
bool reply_read(const char *bytes, size_t n, struct reply *a);

/* All that was said so far; a zeroed one knows nothing. */
struct terminal_said {
	char name[LONGEST_NAME + 1]; /* "": it did not say */
	bool has_background, light;
	bool synchronized; /* frames can be announced, so that none is shown by halves */
	bool follows;      /* it tells when the user turns to dark or to light */
	bool tabs;         /* it has the tab stops that terminals start with */
	bool all;          /* the last answer came: no other will */
};
/* Adds an answer. True: somebody who drew by the old knowledge may have to draw anew. */
bool said_add(struct terminal_said *s, const struct reply *a);

#endif
