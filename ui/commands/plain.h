/* The explorer line by line: numbered menus, one line an event, no escape byte. For pipes, dumb
 * terminals and screen readers; the same pages, simulations and drills. */
#ifndef RIDGE_UI_COMMANDS_PLAIN_H
#define RIDGE_UI_COMMANDS_PLAIN_H

#include "ui/commands/streams.h"

/* What to open first, with its settings; n 0: the menu. Returns the exit status. */
int plain_explore(const char *const words[], size_t n, const struct streams *io);

#endif
