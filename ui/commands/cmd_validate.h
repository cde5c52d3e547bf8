/* ridge validate: the models against measurements, those that travel with ridge or the user's
 * own. */
#ifndef RIDGE_UI_COMMANDS_CMD_VALIDATE_H
#define RIDGE_UI_COMMANDS_CMD_VALIDATE_H

#include "ui/commands/streams.h"

int cmd_validate(const struct command_line *line, const struct streams *io);

#endif
