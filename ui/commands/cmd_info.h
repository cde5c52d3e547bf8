/* ridge info: what ridge found out about where it runs, and why it chose what it chose; the tables
 * of keys and of commands as docs/ has them. */
#ifndef RIDGE_UI_COMMANDS_CMD_INFO_H
#define RIDGE_UI_COMMANDS_CMD_INFO_H

#include "ui/commands/streams.h"

int cmd_info(const struct command_line *line, const struct streams *io);

#endif
