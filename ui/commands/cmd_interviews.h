/* ridge interviews: what was kept of interviews, listed or printed. */
#ifndef RIDGE_UI_COMMANDS_CMD_INTERVIEWS_H
#define RIDGE_UI_COMMANDS_CMD_INTERVIEWS_H

#include "ui/commands/streams.h"

int cmd_interviews(const struct command_line *line, const struct streams *io);

/* With --edit, the name of the record that is opened again, into RECORD_NAME_SIZE bytes. 0; or the status of a
 * mistake, which was told. */
int interviews_edited(const struct command_line *line, const struct streams *io, char *name);

#endif
