/* ridge measure: this machine's bandwidth by level and its peak, kept for the roofline. */
#ifndef RIDGE_UI_COMMANDS_CMD_MEASURE_H
#define RIDGE_UI_COMMANDS_CMD_MEASURE_H

#include "ui/commands/commands.h"

int cmd_measure(int argc, char **argv, const struct streams *io);

#endif
