/* ridge calendar: what to do on each day until an interview. */
#ifndef RIDGE_UI_COMMANDS_CMD_CALENDAR_H
#define RIDGE_UI_COMMANDS_CMD_CALENDAR_H

#include "ui/commands/streams.h"

int cmd_calendar(const struct command_line *line, const struct streams *io);

#endif
