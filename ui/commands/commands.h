/* The command line without a terminal: `ridge WORD ...`, from the word to what it runs. Each
 * command says on err what went wrong, except that its output cannot be written: main says that
 * for all of them. */
#ifndef RIDGE_UI_COMMANDS_COMMANDS_H
#define RIDGE_UI_COMMANDS_COMMANDS_H

#include "ui/commands/streams.h"

/* True and the command of that name. */
bool command_find(const char *name, enum command_id *command);
/* Reads the words of a command (argv[0] is its name, which command_find knows) and runs it, or
 * prints its help. Returns the exit status: 0 done, 1 the world failed, 2 wrong usage. `open`
 * opens the explorer, which main does: here it only helps and refuses. */
int command_run(int argc, char **argv, const struct streams *io);

/* All commands, a line each. 0, or 1 on a write error. */
int commands_help(FILE *out);
/* One line on err and 2: an unknown command, with the nearest. */
int commands_unknown(const char *name, FILE *err);

#endif
