#include "ui/practice/case_lines.h"

#include "ui/practice/case_record.h"
#include "ui/files/own_file.h"
#include "ui/term/textwrap.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_WIDTH = 80 };

static void print_paragraph(const struct case_paragraph *p, FILE *out)
{
	const char *text = p->text;
	struct text_line line;
	int indent = p->indent;
	if (p->apart)
		fprintf(out, "\n");
	while (text_wrap(&text, TEXT_WIDTH - indent, GLYPHS_BRAILLE, &line)) {
		fprintf(out, "%*s%.*s\n", indent, "", (int)line.bytes, line.start);
		indent = p->indent + p->hang;
	}
}

/* Prints what was said since. Returns up to where. */
static size_t print_since(const struct case_said *said, size_t from, FILE *out)
{
	for (; from < said->n; from++)
		print_paragraph(&said->list[from], out);
	return from;
}

/* Cuts the end of the line off; what was longer than there is room for is dropped up to its end. */
static void end_line(char *line, FILE *in)
{
	size_t n = strcspn(line, "\r\n");
	bool whole = line[n] != '\0';
	line[n] = '\0';
	for (int c; !whole && (c = getc(in)) != EOF && c != '\n';)
		;
	/* Control characters would reach the terminal again. */
	for (char *p = line; *p; p++)
		if (iscntrl((unsigned char)*p))
			*p = ' ';
}

/* Keeps a line, which is freed. What could not be kept once is not tried again. */
static void keep(const struct case_lines *l, bool *keeps, char *line)
{
	char why[300] = "out of memory";
	if (*keeps && (!line || l->keep(l->context, line, why, sizeof why))) {
		fprintf(l->err, "ridge case: %s\n", why);
		*keeps = false;
	}
	free(line);
}

int case_lines_run(struct case_talk *t, const struct case_lines *l)
{
	char line[CASE_LINE_SIZE];
	int64_t began_ms = l->clock_ms() - l->from_ms;
	bool go_on = true, keeps = l->keep != NULL;
	size_t said = print_since(&t->said, 0, l->out);
	while (go_on && fprintf(l->out, "\n> ") > 0 && fflush(l->out) == 0 &&
		own_read_line(line, sizeof line, l->in)) {
		int64_t at_ms = l->clock_ms() - began_ms;
		end_line(line, l->in);
		if (*line)
			keep(l, &keeps, case_typed_line(line, at_ms));
		go_on = case_talk_line(t, line, at_ms);
		said = print_since(&t->said, said, l->out);
	}
	int64_t at_ms = l->clock_ms() - began_ms;
	keep(l, &keeps, t->debriefed ? case_end_line(at_ms) : case_clock_line(at_ms));
	fprintf(l->out, "\n");
	return fflush(l->out) || ferror(l->out) ? 1 : 0;
}
