/* A sheet in a file, as a page of HTML. */
#ifndef RIDGE_UI_COMMANDS_PAPER_FILE_H
#define RIDGE_UI_COMMANDS_PAPER_FILE_H

#include "ui/commands/streams.h"

/* Writes the page of that Markdown to the file, and says so on io->out. 0; 1 after a line on io->err. */
int paper_file(
	const char *path, const char *markdown, enum command_id command, const struct streams *io);

/* The same of what `write` writes of something; it returns 0, or -1 when memory is out. */
int paper_file_of(const char *path, int (*write)(const void *what, FILE *out), const void *what,
	enum command_id command, const struct streams *io);

#endif
