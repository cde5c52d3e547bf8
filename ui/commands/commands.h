/* The command line without a terminal: each command takes its words (argv[0] is its name) and
 * returns the exit status: 0 done, 1 the world failed, 2 wrong usage. Each tells on err what was
 * wrong, but for an output that cannot be written, which main tells for all of them. */
#ifndef RIDGE_UI_COMMANDS_COMMANDS_H
#define RIDGE_UI_COMMANDS_COMMANDS_H

#include <stdint.h>
#include <stdio.h>

struct streams {
	FILE *in, *out, *err;
	int64_t now_s; /* Unix time when the program began: only main reads clocks */
};

struct command {
	const char *name, *usage, *summary;
	int (*run)(int argc, char **argv, const struct streams *io);
};
extern const struct command commands[];
extern const size_t n_commands;

/* NULL when there is none of that name. */
const struct command *command_find(const char *name);
int commands_help(FILE *out);
/* One line on err and 2: an unknown command, with the nearest. */
int commands_unknown(const char *name, FILE *err);

/* Exit status 2 after one line that says what was wrong with the usage. */
int usage_error(const struct streams *io, const char *command, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The same for an option, with the nearest one of those that the command's usage names. */
int unknown_option(const struct streams *io, const char *command, const char *word);
/* True (and printed) when one of the words is --help. */
int wants_help(int argc, char **argv, const struct streams *io);

/* "100x30" into cols and rows, 1..1000 each; -1 when it is not that. */
int size_read(const char *text, int *cols, int *rows);

int cmd_frame(int argc, char **argv, const struct streams *io);
int cmd_sim(int argc, char **argv, const struct streams *io);
int cmd_info(int argc, char **argv, const struct streams *io);
int cmd_search(int argc, char **argv, const struct streams *io);

#endif
