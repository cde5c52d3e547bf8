#include "ui/commands/paper_file.h"

#include "ui/practice/paper.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

int paper_file(
	const char *path, const char *markdown, enum command_id command, const struct streams *io)
{
	const char *name = commands[command].name;
	FILE *out = fopen(path, "w");
	if (!out) {
		fprintf(io->err, "ridge %s: %.300s: %s\n", name, path, strerror(errno));
		return 1;
	}
	const int rc = paper_html(markdown, out);
	const bool lost = ferror(out) != 0;
	if (fclose(out) || lost || rc) {
		fprintf(io->err, "ridge %s: %.300s: %s\n", name, path,
			rc ? "out of memory" : strerror(errno));
		return 1;
	}
	fprintf(io->out, "%s: a page to print\n", path);
	return fflush(io->out) ? 1 : 0;
}
