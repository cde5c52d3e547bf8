/* ridge due: the reviews that are due, in one line for a shell's prompt. */
#ifndef RIDGE_UI_COMMANDS_CMD_DUE_H
#define RIDGE_UI_COMMANDS_CMD_DUE_H

#include "ui/commands/streams.h"

/* 1: reviews are due; 0: none are, or nothing was answered yet; 2: the history cannot be read. */
int cmd_due(const struct command_line *line, const struct streams *io);

#endif
