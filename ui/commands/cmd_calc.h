/* ridge calc: the formula sheet, and any row of it evaluated. */
#ifndef RIDGE_UI_COMMANDS_CMD_CALC_H
#define RIDGE_UI_COMMANDS_CMD_CALC_H

#include "ui/commands/streams.h"

int cmd_calc(const struct command_line *line, const struct streams *io);
/* `ridge calc FORMULA --help`: its parameters. */
int cmd_calc_explain(const char *formula, const struct streams *io);

#endif
