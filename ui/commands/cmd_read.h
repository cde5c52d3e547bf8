/* ridge read: the pages, or one page as text. */
#ifndef RIDGE_UI_COMMANDS_CMD_READ_H
#define RIDGE_UI_COMMANDS_CMD_READ_H

#include "sims/tables/tables.h"
#include "ui/commands/streams.h"

/* Non-ASCII text is written where LC_CTYPE is UTF-8. */
int cmd_read(const struct command_line *line, const struct streams *io);
/* The same with tables that are loaded already. */
int read_with_tables(
	const struct tables *t, const struct command_line *line, const struct streams *io);

#endif
