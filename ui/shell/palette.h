/* Go to anything: a fuzzy match over pages, sections, simulations, formulas, drills, actions. The
 * same list serves to choose a bookmark, or one of a knob's choices. */
#ifndef RIDGE_UI_SHELL_PALETTE_H
#define RIDGE_UI_SHELL_PALETTE_H

#include "ui/term/canvas.h"
#include "ui/data/page_list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct app;

struct palette_entry {
	const char *kind;   /* "page", "simulation", "formula", "drill", "action" */
	const char *name;   /* what is matched and shown */
	const char *about;  /* shown dim, matched too */
	const char *target; /* for app_open_target, "action:quit", or "choice:h100" */
};

enum { PALETTE_SHOWN = 12 };
struct palette {
	bool open;
	bool searches; /* in the pages' text too */
	const char *prompt;
	char text[128];
	size_t bytes;
	struct arena arena;
	struct palette_entry *entries;
	size_t n_entries, cap_entries, n_names; /* names first, then hits in the pages' text */
	size_t *matches;                        /* indices of entries, best first */
	size_t n_matches, row;
};

void palette_open(struct app *app);
/* With the bookmarks alone. */
void palette_open_bookmarks(struct app *app);
/* With the choices of the simulation's knob in focus, at the present one. */
void palette_open_choices(struct app *app);
void palette_close(struct palette *p);
/* True while it stays open. Opens what was chosen. */
void palette_key(struct app *app, uint32_t key);
void palette_draw(const struct palette *p, struct canvas *cv, struct rect r);

#endif
