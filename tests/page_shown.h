/* What the tests of pages share: an engine that answers, and a page as text. */
#ifndef RIDGE_TESTS_PAGE_SHOWN_H
#define RIDGE_TESTS_PAGE_SHOWN_H

#include "ui/pages/page.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "cache" comes to 4.29 GB, anything else is an error. */
static inline int answer(const void *context, const char *source, char *buf, size_t size)
{
	(void)context;
	if (strncmp(source, "cache", 5) != 0)
		return -1;
	snprintf(buf, size, "4.29 GB");
	return 0;
}

/* "roofline" takes 2 rows. */
static inline int rows_of(const void *context, const char *setting, int width)
{
	(void)context;
	(void)width;
	return strncmp(setting, "roofline", 8) == 0 ? 2 : -1;
}

static const struct page_env engine = { .compute = answer, .figure_rows = rows_of };

/* Blanks at line ends are not seen. */
static inline void strip_ends(char *text)
{
	char *out = text;
	for (char *p = text; *p; p++) {
		if (*p == '\n')
			while (out > text && out[-1] == ' ')
				out--;
		*out++ = *p;
	}
	*out = '\0';
}

/* The page as lines of text, to be freed. Each row of a figure shows as "<fig>". */
static inline char *shown(const char *markdown, int width)
{
	char *text = NULL;
	size_t size;
	struct page p;
	FILE *f = open_memstream(&text, &size);
	setlocale(LC_CTYPE, "C.UTF-8");
	if (!f || page_layout(&p, markdown, strlen(markdown), width, &engine))
		abort();
	for (size_t i = 0; i < p.n_lines; i++) {
		const struct page_line *line = &p.lines[i];
		fprintf(f, "%*s", line->indent, line->figure >= 0 ? "<fig>" : "");
		for (size_t j = 0; j < line->n_spans; j++)
			fputs(line->spans[j].text, f);
		fputc('\n', f);
	}
	fclose(f);
	page_release(&p);
	strip_ends(text);
	return text;
}

#endif
