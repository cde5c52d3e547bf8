#include "ui/commands/streams.h"

#include <assert.h>
#include <stdarg.h>

int usage_error(const struct streams *io, enum command_id command, const char *fmt, ...)
{
	va_list ap;
	assert(command < N_COMMANDS);
	fprintf(io->err, "ridge %s: ", commands[command].name);
	va_start(ap, fmt);
	vfprintf(io->err, fmt, ap);
	va_end(ap);
	fputc('\n', io->err);
	return 2;
}

int streams_gate(
	struct streams *gated, const struct streams *io, struct gate_rules rules, bool *of_memory)
{
	*gated = *io;
	gated->out = text_gate(io->out, rules);
	gated->err = text_gate(
		io->err, (struct gate_rules){ .ascii = rules.ascii, .of_memory = of_memory });
	if (gated->err)
		setvbuf(gated->err, NULL, _IOLBF, 0);
	return gated->out && gated->err ? 0 : -1;
}

int streams_ungate(struct streams *gated)
{
	const int rc = gated->out && fclose(gated->out) ? -1 : 0;
	if (gated->err)
		fclose(gated->err);
	return rc;
}
