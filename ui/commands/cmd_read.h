/* `ridge read`: the pages, or one page as text. */
#ifndef RIDGE_UI_COMMANDS_CMD_READ_H
#define RIDGE_UI_COMMANDS_CMD_READ_H

#include "ui/pages/page.h"

#include <stdio.h>

/* argv[0] is "read". Exit status: 0 done, 1 the world failed, 2 wrong usage (one line on err).
 * Non-ASCII text is written where LC_CTYPE is UTF-8. env may be NULL; its `ascii` is not read. */
int cmd_read(int argc, char **argv, const struct page_env *env, FILE *out, FILE *err);

#endif
