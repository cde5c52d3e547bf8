/* ridge grade QUESTION.json ANSWER [--question NAME] [--json] */
#ifndef RIDGE_UI_COMMANDS_CMD_GRADE_H
#define RIDGE_UI_COMMANDS_CMD_GRADE_H

#include <stdio.h>

/* argv[0] is "grade". 0 done (whatever the verdict), 1 a file or the output failed, 2 usage. */
int cmd_grade(int argc, char **argv, FILE *out, FILE *err);

#endif
