/* ridge stats: what the history of answers says. */
#ifndef RIDGE_UI_COMMANDS_CMD_STATS_H
#define RIDGE_UI_COMMANDS_CMD_STATS_H

#include "ui/commands/streams.h"

int cmd_stats(const struct command_line *line, const struct streams *io);

#endif
