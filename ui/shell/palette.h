/* Go to anything: a fuzzy match over pages, sections, simulations, talks, formulas, drills, actions,
 * commands. The same list serves to choose a bookmark, or one of a knob's choices. */
#ifndef RIDGE_UI_SHELL_PALETTE_H
#define RIDGE_UI_SHELL_PALETTE_H

#include "sims/base/arena.h"
#include "ui/term/canvas.h"
#include "ui/term/entry.h"
#include "ui/live/action.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

/* What Enter does with a row. */
enum palette_does {
	PALETTE_OPENS,
	PALETTE_ACTS,
	PALETTE_CHOOSES,
	PALETTE_GOES,
	PALETTE_PRESENTS,
	PALETTE_SETS, /* a knob of the simulation in hand: its id is "gpu=h100" */
	PALETTE_TELLS /* how to type it in a shell: a command that has no screen of its own */
};

/* The first word that was typed, where it says what to do with a tour or talk: "present queueing",
 * "notes queueing". */
enum palette_verb { VERB_NONE, VERB_PRESENT, VERB_NOTES };

struct palette_entry {
	const char *kind;  /* "page", "simulation", "talk", "drill", "key", "command" */
	const char *name;  /* what is matched and shown */
	const char *about; /* shown dim, matched too */
	const char *id;    /* matched as well: "sim:memory", "h100"; "" for none */
	enum palette_does does;
	union {
		enum action action; /* PALETTE_ACTS */
		int choice;         /* PALETTE_CHOOSES: of the knob in focus */
		int knob;           /* PALETTE_GOES: of the simulation in hand */
		int command;        /* PALETTE_TELLS */
	} as;                       /* PALETTE_OPENS: app_open_target of id */
};

/* PALETTE_MOST_MATCHED: of so many entries, a good many more than there are; others would be lost. */
enum { PALETTE_SHOWN = 12, PALETTE_MOST_MATCHED = 4096 };
struct palette {
	bool open;
	bool searches;                /* in the pages' text too */
	const char *prompt, *nothing; /* nothing: what an empty list says; NULL: the usual */
	struct entry line;            /* what is typed */
	struct arena arena;
	struct palette_entry *entries;
	size_t n_entries, cap_entries, n_names; /* names first, then hits in the pages' text */
	size_t *matches;                        /* indices of entries, best first */
	size_t n_matches, row;
	enum palette_verb verb;
};

void palette_open(struct app *app);
/* With the bookmarks alone; says so where there are none. */
void palette_open_bookmarks(struct app *app);
/* With the rows of the screen alone, at most so many: its steps, its sections. */
void palette_open_here(struct app *app, const char *prompt, size_t most);
/* With the choices of the knob in focus of the simulation in hand, at the present one. */
void palette_open_choices(struct app *app);

/* A row that opens a target, for a screen's hook `list`; what does not fit is left out. Text is
 * copied. */
void palette_add(struct palette *p, const char *kind, const char *name, const char *about,
	const char *target);
void palette_close(struct palette *p);
/* Takes a key while it is open; Enter does what the row in focus says. */
void palette_key(struct app *app, uint32_t key);
void palette_draw(const struct palette *p, struct canvas *cv, struct rect r);
/* Its own keys, for the bottom line: those of the screen behind do nothing now. */
void palette_draw_keys(const struct palette *p, struct canvas *cv, struct rect r);

#endif
