/* The explorer line by line: numbered menus, one line an event, no escape byte. For pipes, dumb
 * terminals and screen readers; the same pages, simulations and drills. */
#ifndef RIDGE_UI_COMMANDS_PLAIN_H
#define RIDGE_UI_COMMANDS_PLAIN_H

#include "ui/commands/commands.h"

/* argv: what to open first, with its settings; argc 0: the menu. Returns the exit status. */
int plain_explore(int argc, char **argv, const struct streams *io);

#endif
