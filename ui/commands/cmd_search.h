/* ridge search: everything that matches, best first. */
#ifndef RIDGE_UI_COMMANDS_CMD_SEARCH_H
#define RIDGE_UI_COMMANDS_CMD_SEARCH_H

#include "ui/commands/streams.h"

int cmd_search(const struct command_line *line, const struct streams *io);

#endif
