/* `ridge case`: lists the design cases, deals one line by line, prints its sheets. */
#ifndef RIDGE_UI_COMMANDS_CMD_CASE_H
#define RIDGE_UI_COMMANDS_CMD_CASE_H

#include "ui/commands/streams.h"

int cmd_case(const struct command_line *line, const struct streams *io);

#endif
