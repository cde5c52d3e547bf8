/* ridge validate: the models against measurements, those that travel with ridge or the user's
 * own. */
#ifndef RIDGE_UI_COMMANDS_CMD_VALIDATE_H
#define RIDGE_UI_COMMANDS_CMD_VALIDATE_H

#include "ui/commands/streams.h"

/* The columns that a table of that model has, from the comparison's own list. An exit status. */
int cmd_validate_explain(const char *model, const struct streams *io);
/* The same of all models, as a table in Markdown. */
void cmd_validate_columns(FILE *out);
int cmd_validate(const struct command_line *line, const struct streams *io);

#endif
