/* The key table: dispatch, footer, help screen and palette read these rows, and nothing else says
 * what a key does. */
#ifndef RIDGE_UI_SHELL_BINDINGS_H
#define RIDGE_UI_SHELL_BINDINGS_H

#include "ui/live/action.h"

#include <stddef.h>
#include <stdint.h>

enum screen_id {
	SCREEN_HOME,
	SCREEN_PAGE,
	SCREEN_SIM,
	SCREEN_DRILL,
	SCREEN_STATS,
	SCREEN_CASE,
	SCREEN_CALENDAR,
	SCREEN_INTERVIEWER,
	SCREEN_PRESENT,
	SCREEN_NOTES,
	SCREEN_HELP,
	N_SCREENS
};
enum {
	ON_HOME = 1 << SCREEN_HOME,
	ON_PAGE = 1 << SCREEN_PAGE,
	ON_SIM = 1 << SCREEN_SIM,
	ON_DRILL = 1 << SCREEN_DRILL,
	ON_STATS = 1 << SCREEN_STATS,
	ON_CASE = 1 << SCREEN_CASE,
	ON_CALENDAR = 1 << SCREEN_CALENDAR,
	ON_INTERVIEWER = 1 << SCREEN_INTERVIEWER,
	ON_PRESENT = 1 << SCREEN_PRESENT,
	ON_NOTES = 1 << SCREEN_NOTES,
	ON_HELP = 1 << SCREEN_HELP,
	ON_ALL = (1 << N_SCREENS) - 1
};

struct key_binding {
	unsigned screens; /* ON_... */
	uint32_t key;
	enum action action;
	const char *help;   /* for the help screen; rows of one action share the first row's */
	const char *footer; /* a word for the bottom line, or NULL */
};
extern const struct key_binding key_bindings[];
extern const size_t n_key_bindings;

/* Two actions that are each other's opposite, or a like: the help has one line for both, the first
 * one's keys first. */
struct key_pair {
	unsigned screens; /* ON_... */
	enum action first, second;
	const char *help;
};
extern const struct key_pair key_pairs[];
extern const size_t n_key_pairs;

/* The pair that an action is one of on a screen, or NULL. */
const struct key_pair *key_pair_of(enum screen_id s, enum action a);

/* What a key does on a screen; ACT_NONE when nothing. */
enum action key_action(enum screen_id s, uint32_t key);

#endif
