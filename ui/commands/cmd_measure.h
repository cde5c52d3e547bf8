/* ridge measure: this machine's bandwidth by level and its peak, kept for the roofline. */
#ifndef RIDGE_UI_COMMANDS_CMD_MEASURE_H
#define RIDGE_UI_COMMANDS_CMD_MEASURE_H

#include "ui/commands/streams.h"

int cmd_measure(const struct command_line *line, const struct streams *io);

#endif
