/* A sentence of a chapter has at most two computed numbers: three are a table, or two sentences. Tables
 * and code are left alone. Items of lists with more are counted, and that count only falls. */
#include "ui/data/content.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COMPUTED = 2, CROWDED_IN_LISTS = 2 };

struct crowded {
	FILE *told; /* the beginning of each crowded sentence outside of lists, a line each */
	size_t in_lists;
};

static bool begins_item(const char *p)
{
	const size_t digits = strspn(p, "0123456789");
	return strncmp(p, "- ", 2) == 0 || (digits > 0 && strncmp(p + digits, ". ", 2) == 0);
}

/* Where the sentence that begins at p ends: after . : ; ? or ! before a blank, outside of code. */
static size_t sentence_length(const char *p, size_t n, size_t *computed)
{
	bool code = false;
	*computed = 0;
	for (size_t i = 0; i < n; i++) {
		*computed += p[i] == '`' && !code && i + 1 < n && p[i + 1] == '=';
		code ^= p[i] == '`';
		if (!code && strchr(".:;?!", p[i]) && i + 1 < n && isspace((unsigned char)p[i + 1]))
			return i + 1;
	}
	return n;
}

static void check_block(struct crowded *c, const char *p, size_t n)
{
	const bool list = begins_item(p);
	for (size_t at = 0; at < n;) {
		size_t computed;
		const size_t length = sentence_length(p + at, n - at, &computed);
		if (computed > MOST_COMPUTED && list)
			c->in_lists++;
		else if (computed > MOST_COMPUTED)
			fprintf(c->told, "%.*s\n", (int)strcspn(p + at + 1, "\n") + 1, p + at);
		at += length;
	}
}

/* Blocks end at an empty line, and code at its fence; marks on lines of their own are no blocks. */
static void check_page(struct crowded *c, const char *markdown)
{
	for (const char *p = markdown; *p;) {
		if (strncmp(p, "<!--", 4) == 0) {
			p += strcspn(p, "\n");
			p += strspn(p, "\n");
			continue;
		}
		const bool fence = strncmp(p, "```", 3) == 0;
		const char *end = strstr(p + fence * 3, fence ? "\n```" : "\n\n");
		const size_t n = end ? (size_t)(end - p) + fence * 4 : strlen(p);
		if (!fence && !strchr("|#", *p))
			check_block(c, p, n);
		p += n;
		p += strspn(p, "\n");
	}
}

Test(sentences, have_at_most_two_computed_numbers)
{
	struct page_list list;
	struct crowded c = { 0 };
	cr_assert(zero(int, page_list_init(&list)));
	for (size_t i = 0; i < list.n; i++) {
		if (list.pages[i].chapter < 0)
			continue;
		char *text = NULL;
		size_t bytes, length;
		void *owned = NULL;
		const char *markdown = content_read(list.pages[i].file, &bytes, &owned);
		c.told = open_memstream(&text, &length);
		cr_assert(markdown != NULL && c.told != NULL);
		check_page(&c, markdown);
		fclose(c.told);
		cr_expect(eq(str, text, ""), "%s: %s", list.pages[i].file, text);
		free(text);
		free(owned);
	}
	cr_expect(eq(sz, c.in_lists, CROWDED_IN_LISTS), "fewer is good, and becomes the limit");
	page_list_release(&list);
}

Test(sentences, that_are_crowded_are_found)
{
	static const struct {
		const char *page, *told;
		size_t in_lists;
	} cases[] = {
		{ "It is `=a`, `=b` and `=c`.\n", "It is `=a`, `=b` and `=c`.\n", 0 },
		{ "It is `=a` and `=b`. Now `=c`.\n", "", 0 },
		/* A point inside of code ends nothing, and a line's end neither. */
		{ "Of `=a b=0.5 c`,\n`=d` and\n`=e`\n", "Of `=a b=0.5 c`,\n", 0 },
		{ "> Of `=a`, `=b`, `=c`\n", "> Of `=a`, `=b`, `=c`\n", 0 },
		{ "- `=a`, `=b`, `=c`\n", "", 1 },
		{ "2. `=a`, `=b`, `=c`\n", "", 1 },
		{ "| `=a` | `=b` | `=c` |\n", "", 0 },
		{ "<!-- fold -->\n| `=a` | `=b` | `=c` |\n", "", 0 },
		{ "```\n`=a` `=b` `=c`\n\n`=a` `=b` `=c`\n```\n\n`=a`\n", "", 0 },
		{ "`a` `=b` `c` `=d` `e`\n", "", 0 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *text = NULL;
		size_t length;
		struct crowded c = { .told = open_memstream(&text, &length) };
		cr_assert(c.told != NULL);
		check_page(&c, cases[i].page);
		fclose(c.told);
		cr_expect(eq(str, text, (char *)cases[i].told), "case %zu", i);
		cr_expect(eq(sz, c.in_lists, cases[i].in_lists), "case %zu", i);
		free(text);
	}
}
