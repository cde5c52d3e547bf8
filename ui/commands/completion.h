/* What completes words in a shell, made from the tables of commands and options and from the names that
 * commands take: `ridge info --completion bash`. */
#ifndef RIDGE_UI_COMMANDS_COMPLETION_H
#define RIDGE_UI_COMMANDS_COMPLETION_H

#include <stdio.h>

/* shell: SHELL_BASH and others (ui/data/options.h). 0, or -1 when memory is out. */
int completion_write(unsigned shell, FILE *out);

#endif
