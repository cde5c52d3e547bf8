/* What the tests of the errata share: the page's text, and its entries E1, E2, ... */
#ifndef RIDGE_TESTS_ERRATA_PAGE_H
#define RIDGE_TESTS_ERRATA_PAGE_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The entries that stand on the page. Those between them were slips of a single document; the others
 * keep their numbers, for pages link to them. */
static const int errata_numbers[] = { 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 17, 20, 21,
	25, 26, 27, 28, 29, 30, 31, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 44, 45, 46, 47, 48, 50,
	51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 63, 65, 66, 68, 69, 70, 71, 72, 73, 75, 76, 77, 79,
	81, 82, 85, 86, 88, 89, 90 };
enum { N_ERRATA = sizeof errata_numbers / sizeof *errata_numbers };
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
