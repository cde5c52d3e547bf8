/* `ridge present`: the list of tours; a tour as text, as pictures, as a recording; and whether it is
 * true. Given in a terminal it is the explorer (ui/screens/present/). */
#ifndef RIDGE_UI_COMMANDS_CMD_PRESENT_H
#define RIDGE_UI_COMMANDS_CMD_PRESENT_H

#include "ui/commands/streams.h"

/* Returns the exit status. */
int cmd_present(const struct command_line *line, const struct streams *io);
/* Whether the words ask for something on paper, and not for a talk on the screen. */
bool present_prints(const struct command_line *line);
/* The talk that notes without a name join: the one that is given just now. 0; or -1 and one line in err,
 * which lists those that are, where there are several. */
int present_running(char *name, size_t size, char *err, size_t err_size);

#endif
