/* ridge grade: one answer to one question of a file. */
#ifndef RIDGE_UI_COMMANDS_CMD_GRADE_H
#define RIDGE_UI_COMMANDS_CMD_GRADE_H

#include "ui/commands/streams.h"

int cmd_grade(const struct command_line *line, const struct streams *io);

#endif
