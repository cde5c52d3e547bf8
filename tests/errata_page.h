/* What the tests of the errata share: the page's text, and its entries E1, E2, ... */
#ifndef RIDGE_TESTS_ERRATA_PAGE_H
#define RIDGE_TESTS_ERRATA_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_ERRATA = 90 };
#define ERRATA_FILE "reference/errata.md"

/* The text of an entry, without its heading, each paragraph in one line: to be freed. NULL where
 * there is no such entry, or two of them. */
static inline char *errata_entry(const char *markdown, int number)
{
	char heading[16];
	snprintf(heading, sizeof heading, "\n### E%d\n", number);
	const char *body = strstr(markdown, heading);
	if (!body || strstr(body + 1, heading))
		return NULL;
	body += strlen(heading);
	size_t bytes = strlen(body);
	static const char *const ends[] = { "\n### ", "\n## " };
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		const char *end = strstr(body, ends[i]);
		if (end && (size_t)(end - body) < bytes)
			bytes = (size_t)(end - body);
	}
	char *text = strndup(body, bytes);
	for (size_t i = 1; text && i + 1 < bytes; i++)
		if (text[i] == '\n' && text[i - 1] != '\n' && text[i + 1] != '\n')
			text[i] = ' ';
	return text;
}

#endif
