#include "ui/commands/paper_file.h"

#include "ui/practice/paper.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
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

int paper_file_of(const char *path, int (*write)(const void *what, FILE *out), const void *what,
	enum command_id command, const struct streams *io)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = out ? write(what, out) : -1;
	if ((out && fclose(out)) || rc || !text) {
		fprintf(io->err, "ridge %s: out of memory\n", commands[command].name);
		rc = 1;
	} else {
		rc = paper_file(path, text, command, io);
	}
	free(text);
	return rc;
}
