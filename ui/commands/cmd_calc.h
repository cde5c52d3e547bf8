/* ridge calc: the formula sheet, and any row of it evaluated. */
#ifndef RIDGE_UI_COMMANDS_CMD_CALC_H
#define RIDGE_UI_COMMANDS_CMD_CALC_H

#include <stdio.h>

/* argv[0] is "calc". Returns the exit status: 0 done, 1 the world failed, 2 wrong usage. */
int cmd_calc(int argc, char **argv, FILE *out, FILE *err);

#endif
