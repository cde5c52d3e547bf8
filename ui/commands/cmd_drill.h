/* ridge drill, line by line: for pipes, screen readers and terminals that can do no more.
 *
 *   ridge drill [--mode M] [--topic T] [--count N] [--seed N] [--attempts N] [--no-history]
 *               [--plain]
 *   ridge drill --code CODE [...]
 *   ridge drill --answers [...]
 *   ridge drill --sheet [--answers] [--json] [...] */
#ifndef RIDGE_UI_COMMANDS_CMD_DRILL_H
#define RIDGE_UI_COMMANDS_CMD_DRILL_H

#include <stdio.h>

/* argv[0] is "drill". Writes no escape byte; the end of the input ends the sitting. 0 done, 1 a
 * file or the output failed, 2 usage. */
int cmd_drill(int argc, char **argv, FILE *in, FILE *out, FILE *err);

#endif
