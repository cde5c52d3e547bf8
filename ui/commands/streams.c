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
