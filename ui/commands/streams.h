/* What a command reads and writes, and how it says that it was called in a wrong way. */
#ifndef RIDGE_UI_COMMANDS_STREAMS_H
#define RIDGE_UI_COMMANDS_STREAMS_H

#include "ui/commands/text_gate.h"
#include "ui/data/options.h"
#include "ui/term/reply.h"

struct streams {
	FILE *in, *out, *err;
	int64_t now_s; /* Unix time when the program began: only main reads clocks */
	const struct terminal_said *said; /* by the terminal, for who tells of it; NULL: nothing */
	FILE *bar; /* err past the gate for text, where it is a terminal: only for a line of our own that is
		      drawn over; NULL: there is none */
};

/* The same streams with a gate for text before out and err (ui/commands/text_gate.h): out by these rules,
 * err as text in the same glyphs and by lines. *of_memory becomes true where err speaks of memory; NULL:
 * nobody asks. 0, or -1 when memory is out; streams_ungate follows either way, and returns -1 where something
 * could not be written. */
int streams_gate(
	struct streams *gated, const struct streams *io, struct gate_rules rules, bool *of_memory);
int streams_ungate(struct streams *gated);

/* One line on err that says what was wrong with the usage. Returns 2, the exit status. */
int usage_error(const struct streams *io, enum command_id command, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
