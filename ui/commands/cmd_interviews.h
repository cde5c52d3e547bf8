/* ridge interviews: what was kept of interviews, listed or printed. */
#ifndef RIDGE_UI_COMMANDS_CMD_INTERVIEWS_H
#define RIDGE_UI_COMMANDS_CMD_INTERVIEWS_H

#include "ui/commands/streams.h"

int cmd_interviews(const struct command_line *line, const struct streams *io);

#endif
