#include "ui/programs/code_question.h"

#include "sims/base/array.h"
#include "ui/term/textwrap.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const marks[] = { [LANGUAGE_PYTHON] = "#", [LANGUAGE_C] = "//" };

const char *code_comment_mark(enum program_language language)
{
	assert(language < LENGTH(marks));
	return marks[language];
}

/* The last line of a comment is the mark alone: in C a backslash at the end of a line would make the next one
 * a comment, too. */
static void write_comment(const char *mark, const char *text, FILE *out)
{
	enum { MEASURE = 76 };
	struct text_line line;
	while (text_wrap(&text, MEASURE, GLYPHS_LINES, &line))
		fprintf(out, "%s%s%.*s\n", mark, line.bytes ? " " : "", (int)line.bytes,
			line.start);
	fprintf(out, "%s\n", mark);
}

char *code_question(const struct variant *v)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	if (!f)
		return NULL;
	const char *mark = code_comment_mark(v->program->program->language);
	write_comment(mark, v->prompt, f);
	if (*v->assumes) {
		char assumes[600];
		snprintf(assumes, sizeof assumes, "Assumes: %s.", v->assumes);
		write_comment(mark, assumes, f);
	}
	fputc('\n', f);
	const bool written = !ferror(f);
	if (fclose(f) == 0 && written)
		return text;
	free(text);
	return NULL;
}

const char *code_behind_question(const struct variant *v, const char *text)
{
	char *question = code_question(v);
	const size_t n = question ? strlen(question) : 0;
	const bool begins = n && strncmp(text, question, n) == 0;
	free(question);
	return begins ? text + n : text;
}

const char *code_behind_any_question(const struct variant *v, const char *text)
{
	const char *mark = code_comment_mark(v->program->program->language), *at = text;
	const size_t n = strlen(mark);
	bool ended = false; /* by a comment without words, as each paragraph of a question is */
	while (strncmp(at, mark, n) == 0) {
		const size_t line = strcspn(at, "\n");
		ended = line == n;
		at += line + (at[line] == '\n');
	}
	return ended && *at == '\n' ? at + 1 : text;
}
