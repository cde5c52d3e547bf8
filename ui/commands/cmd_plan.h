/* ridge plan: the cheapest layout for a goal, the runner-up, and why the others lose. */
#ifndef RIDGE_UI_COMMANDS_CMD_PLAN_H
#define RIDGE_UI_COMMANDS_CMD_PLAN_H

#include "ui/commands/streams.h"

int cmd_plan(const struct command_line *line, const struct streams *io);

#endif
