/* ridge model: what a model is made of, counted from its config.json, and what it asks of GPUs. */
#ifndef RIDGE_UI_COMMANDS_CMD_MODEL_H
#define RIDGE_UI_COMMANDS_CMD_MODEL_H

#include "ui/commands/streams.h"

int cmd_model(const struct command_line *line, const struct streams *io);

#endif
