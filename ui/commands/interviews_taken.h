/* The practice interviews that were taken, which are the kept sittings of cases: a list, or all that was said in
 * one. */
#ifndef RIDGE_UI_COMMANDS_INTERVIEWS_TAKEN_H
#define RIDGE_UI_COMMANDS_INTERVIEWS_TAKEN_H

#include "ui/commands/streams.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct taken_wish {
	size_t number; /* of the list, from 1, the latest; 0: the list */
	bool json, markdown;
};

/* Returns the exit status. */
int interviews_taken(const struct taken_wish *w, const struct streams *io);

#endif
