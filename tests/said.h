/* What a command says, run in this process. */
#ifndef RIDGE_TESTS_SAID_H
#define RIDGE_TESTS_SAID_H

#include "ui/commands/commands.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct said {
	int status;
	char *out, *err;
};

/* "sim roofline batch=2": words with a blank between them, and "~" for a blank inside of one. input: what
 * stands on its input; NULL: an empty line. now_s: its clock; 0: the system's. Released by forget(). */
static inline struct said said_at(int64_t now_s, const char *line, const char *input)
{
	char copy[512], *argv[32], *rest = NULL;
	int argc = 0;
	size_t size;
	struct said s = { 0 };
	snprintf(copy, sizeof copy, "%s", line);
	for (char *w = strtok_r(copy, " ", &rest); w && argc < 31; w = strtok_r(NULL, " ", &rest)) {
		for (char *p = w; (p = strchr(p, '~'));)
			*p = ' ';
		argv[argc++] = w;
	}
	argv[argc] = NULL;
	FILE *in = fmemopen((void *)(input ? input : "\n"), input ? strlen(input) : 1, "r");
	FILE *out = open_memstream(&s.out, &size), *err = open_memstream(&s.err, &size);
	s.status = command_run(argc, argv, &(struct streams){ in, out, err, now_s });
	fclose(in);
	fclose(out);
	fclose(err);
	return s;
}

static inline void forget(struct said *s)
{
	free(s->out);
	free(s->err);
}

#endif
