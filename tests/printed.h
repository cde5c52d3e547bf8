/* What the real program prints. */
#ifndef RIDGE_TESTS_PRINTED_H
#define RIDGE_TESTS_PRINTED_H

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

/* On both streams, run by a shell with these words after its name and `tail` behind them, in a locale,
 * without any file of the user's. To be freed. */
static inline char *printed(const char *locale, const char *words, const char *tail)
{
	char command[2000], *text = NULL;
	size_t size;
	const char *ridge = getenv("RIDGE");
	snprintf(command, sizeof command,
		"LC_ALL=%s XDG_CONFIG_HOME=/nonexistent XDG_STATE_HOME=/nonexistent "
		"XDG_DATA_HOME=/nonexistent %s %s %s",
		locale, ridge ? ridge : "build/ridge", words, tail);
	FILE *p = popen(command, "r"), *out = open_memstream(&text, &size);
	cr_assert(p != NULL);
	for (int c; (c = getc(p)) != EOF;)
		putc(c, out);
	pclose(p);
	fclose(out);
	return text;
}

#endif
