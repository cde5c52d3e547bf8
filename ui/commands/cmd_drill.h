/* ridge drill, line by line, or its problems on a sheet: for pipes, screen readers and terminals
 * that can do no more. */
#ifndef RIDGE_UI_COMMANDS_CMD_DRILL_H
#define RIDGE_UI_COMMANDS_CMD_DRILL_H

#include "ui/commands/streams.h"

/* Writes no escape byte; the end of the input ends the sitting. */
int cmd_drill(const struct command_line *line, const struct streams *io);

#endif
