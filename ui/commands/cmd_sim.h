/* ridge sim: a simulation without a terminal, as text, JSON or CSV. */
#ifndef RIDGE_UI_COMMANDS_CMD_SIM_H
#define RIDGE_UI_COMMANDS_CMD_SIM_H

#include "ui/commands/streams.h"

int cmd_sim(const struct command_line *line, const struct streams *io);

#endif
