/* A Frontier section ages, so each of its entries says from when it is: an item of its list, or a
 * paragraph where it has no list, names a year outside of code. */
#include "ui/data/content.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The section's text after its heading; *n its bytes, up to the next heading of its level. NULL:
 * there is none. */
static const char *frontier_of(const char *markdown, size_t *n)
{
	const char *at = strstr(markdown, "\n## Frontier\n");
	if (!at)
		return NULL;
	at += strlen("\n## Frontier\n");
	const char *end = strstr(at, "\n## ");
	*n = end ? (size_t)(end - at) + 1 : strlen(at);
	return at;
}

/* Four digits from 1950 to 2049 that no digit, comma or letter touches. */
static bool names_a_year(const char *text, size_t n)
{
	bool code = false;
	for (size_t i = 0; i + 4 <= n; i++) {
		code ^= text[i] == '`';
		if (code || !isdigit((unsigned char)text[i]) ||
			(i > 0 &&
				(isalnum((unsigned char)text[i - 1]) || strchr(",.", text[i - 1]))))
			continue;
		const size_t digits = strspn(text + i, "0123456789");
		const long year = strtol(text + i, NULL, 10);
		const char *after = text + i + digits;
		const bool goes_on = isalpha((unsigned char)*after) ||
				     (strchr(",.", *after) && isdigit((unsigned char)after[1]));
		if (digits == 4 && !goes_on && year >= 1950 && year < 2050)
			return true;
	}
	return false;
}

/* Where the entry or other block at p ends: before an empty line, and before the next item. An
 * empty line is a block of its own. */
static size_t entry_length(const char *p, size_t n)
{
	if (*p == '\n')
		return 1;
	for (size_t i = 1; i < n; i++)
		if (p[i - 1] == '\n' && (p[i] == '\n' || strncmp(p + i, "- ", 2) == 0))
			return i;
	return n;
}

/* Entries without a year, a line each to `faults`; how many entries there are. */
static size_t check_entries(const char *section, size_t n, FILE *faults)
{
	const char *list = strstr(section, "\n- ");
	const bool listed = strncmp(section, "- ", 2) == 0 || (list && list < section + n);
	size_t entries = 0;
	for (size_t at = 0; at < n;) {
		const char *p = section + at;
		const size_t length = entry_length(p, n - at);
		const bool entry =
			listed ? strncmp(p, "- ", 2) == 0 : *p != '\0' && !strchr("\n|<`#", *p);
		entries += entry;
		if (entry && !names_a_year(p, length))
			fprintf(faults, "%.*s\n", (int)strcspn(p, "\n"), p);
		at += length;
	}
	return entries;
}

Test(frontier, every_entry_has_a_year)
{
	struct page_list list;
	size_t chapters = 0;
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		char *text = NULL;
		size_t bytes, n;
		void *owned = NULL;
		const char *markdown = content_read(list.pages[i].file, &bytes, &owned);
		cr_assert(markdown != NULL);
		const char *section = frontier_of(markdown, &n);
		FILE *faults = open_memstream(&text, &bytes);
		cr_assert(faults != NULL);
		const size_t entries = section ? check_entries(section, n, faults) : 0;
		fclose(faults);
		chapters += list.pages[i].chapter >= 0 && entries > 0;
		cr_expect(eq(str, text, ""), "%s: no year: %s", list.pages[i].file, text);
		free(text);
		free(owned);
	}
	cr_expect(eq(sz, chapters, 17), "each chapter has entries");
	page_list_release(&list);
}

Test(frontier, entries_without_a_year_are_found)
{
	static const struct {
		const char *page, *faults;
		size_t entries;
	} cases[] = {
		{ "\n## Frontier\n\n- **A** (2024).\n- **B**, in\n  March 2026.\n", "", 2 },
		{ "\n## Frontier\n\n- A, 2024\n- B\n  c\n\n## 2025\n", "- B\n", 2 },
		/* Numbers that are no years, and years that are code. */
		{ "\n## Frontier\n\n- 2,048 or 12024 x\n", "- 2,048 or 12024 x\n", 1 },
		{ "\n## Frontier\n\n- `2024`\n- B200\n- 2048x\n", "- `2024`\n- B200\n- 2048x\n",
			3 },
		/* Beside a list, paragraphs lead to it or away; without one they are entries. */
		{ "\n## Frontier\n\nSome:\n\n- A (2024)\n\nMore.\n", "", 1 },
		{ "\n## Frontier\n\n<!-- in depth -->\n\nA.\n\n| b |\n|---|\n\nC, 2024.\n", "A.\n",
			2 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = NULL;
		size_t bytes, n;
		FILE *faults = open_memstream(&text, &bytes);
		cr_assert(faults != NULL);
		const char *section = frontier_of(cases[i].page, &n);
		cr_assert(section != NULL);
		cr_expect(eq(sz, check_entries(section, n, faults), cases[i].entries), "%zu", i);
		fclose(faults);
		cr_expect(eq(str, text, (char *)cases[i].faults), "case %zu", i);
		free(text);
	}
}
