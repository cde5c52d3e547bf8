/* Texts of drills as they are shown: on a line of 80 columns, and laid out as Markdown. */
#include "tests/laws.h"
#include "ui/practice/drill_sheet.h"
#include "ui/pages/page.h"
#include "ui/term/textwrap.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 80 };

/* All but blanks and what only means emphasis. */
static void squeeze(char *text)
{
	char *out = text;
	for (char *p = text; *p; p++)
		if (!isspace((unsigned char)*p) && !strchr("*`", *p))
			*out++ = *p;
	*out = '\0';
}

/* The text has no line that is too wide, and nothing is lost of what was written. */
static bool is_whole(const char *written, char *shown, char *why, size_t size)
{
	char *copy = strdup(written), *rest = shown;
	bool ok = copy != NULL;
	for (char *line = shown; ok && *line; line = rest) {
		rest = line + strcspn(line, "\n");
		char end = *rest;
		*rest = '\0';
		ok = text_cols(line, GLYPHS_LINES) <= COLUMNS;
		snprintf(why, size, "%d columns: %.200s", text_cols(line, GLYPHS_LINES), line);
		*rest = end;
		rest += end != '\0';
	}
	if (ok) {
		squeeze(copy);
		squeeze(shown);
		ok = strcmp(copy, shown) == 0;
		snprintf(why, size, "something is lost: %.230s", written);
	}
	free(copy);
	return ok;
}

static bool wraps(const char *text, char *why, size_t size)
{
	char *shown = NULL;
	size_t bytes;
	FILE *f = open_memstream(&shown, &bytes);
	cr_assert(f != NULL);
	drill_text(text, 6, f);
	fclose(f);
	bool ok = is_whole(text, shown, why, size);
	free(shown);
	return ok;
}

static bool lays_out(const char *text, char *why, size_t size)
{
	char *shown = NULL;
	size_t bytes;
	struct page p;
	FILE *f = open_memstream(&shown, &bytes);
	cr_assert(f != NULL && page_layout(&p, text, strlen(text), COLUMNS, NULL) == 0);
	for (size_t i = 0; i < p.n_lines; i++) {
		fprintf(f, "%*s", p.lines[i].indent, "");
		for (size_t j = 0; j < p.lines[i].n_spans; j++)
			fputs(p.lines[i].spans[j].text, f);
		fputc('\n', f);
	}
	fclose(f);
	page_release(&p);
	bool ok = is_whole(text, shown, why, size);
	free(shown);
	return ok;
}

bool text_fits(const char *text, char *why, size_t size)
{
	return wraps(text, why, size) && lays_out(text, why, size);
}
