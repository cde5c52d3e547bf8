#include "ui/practice/case_lines.h"

#include "ui/files/printed.h"
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

size_t case_lines_print(const struct case_said *said, size_t from, FILE *out)
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
		fprintf(l->err, "%s: %s\n", l->name, why);
		*keeps = false;
	}
	free(line);
}

bool case_lines_wait(FILE *in, FILE *out, char *line)
{
	fprintf(out, "\n> ");
	if (fflush(out) || !own_read_line(line, CASE_LINE_SIZE, in))
		return false;
	end_line(line, in);
	fprintf(out, "\n");
	return true;
}

/* A sitting as its lines come. */
struct course {
	struct case_talk *t;
	const struct case_lines *l;
	int64_t began_ms, over_ms; /* over_ms: where the clock stands for good; -1: it runs */
	bool keeps;
	size_t said;
};

/* What is typed after the debrief is typed at its time. */
static int64_t clock_of(const struct course *c)
{
	return c->over_ms >= 0 ? c->over_ms : c->l->clock_ms() - c->began_ms;
}

/* False: it was the last one. */
static bool take(struct course *c, const char *line)
{
	const int64_t at_ms = clock_of(c);
	if (*line)
		keep(c->l, &c->keeps, case_typed_line(line, at_ms));
	const bool more = case_talk_line(c->t, line, at_ms);
	if (c->t->heard)
		keep(c->l, &c->keeps, case_heard_line(c->t, at_ms));
	if (c->t->debriefed)
		c->over_ms = at_ms;
	c->said = case_lines_print(&c->t->said, c->said, c->l->out);
	return more;
}

/* A line that was typed before anything was said stands below that. */
static bool take_first(struct course *c)
{
	const char *line = c->l->first;
	if (!line || !*line)
		return true;
	fprintf(c->l->out, "\n> %s\n", line);
	return take(c, line);
}

int case_lines_run(struct case_talk *t, const struct case_lines *l)
{
	char line[CASE_LINE_SIZE];
	struct course c = { .t = t,
		.l = l,
		.began_ms = l->clock_ms() - l->from_ms,
		.over_ms = t->debriefed ? l->from_ms : -1,
		.keeps = l->keep != NULL };
	c.said = case_lines_print(&t->said, 0, l->out);
	bool more = take_first(&c);
	while (more && fprintf(l->out, "\n> ") > 0 && fflush(l->out) == 0 &&
		own_read_line(line, sizeof line, l->in)) {
		end_line(line, l->in);
		more = take(&c, line);
	}
	keep(l, &c.keeps,
		t->debriefed ? case_end_line(clock_of(&c)) : case_clock_line(clock_of(&c)));
	fprintf(l->out, "\n");
	const bool broke = own_lines_broke(l->in, l->name, l->err);
	return printed_end(l->out) || broke ? 1 : 0;
}
