/* Programs as answers, line by line. */
#include "ui/practice/program_lines.h"
#include "ui/practice/drill_sheet.h"
#include "ui/files/own_file.h"
#include "ui/programs/code_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 1024 };

/* A program that is being read. */
struct text {
	char *bytes; /* from malloc, terminated */
	size_t n;
	bool too_long;
};

static void add(struct text *t, const char *bytes, size_t n)
{
	char *more = t->n + n <= LARGEST_PROGRAM ? realloc(t->bytes, t->n + n + 1) : NULL;
	if (!more) {
		t->too_long = true;
		return;
	}
	memcpy(more + t->n, bytes, n);
	t->bytes = more;
	t->n += n;
	t->bytes[t->n] = '\0';
}

/* The lines after the first, until a single dot or the end of the input. */
static char *read_lines(const char *first, FILE *in)
{
	struct text t = { 0 };
	char line[LINE_SIZE];
	bool begins = true; /* a line, not a further part of a long one */
	add(&t, first, strlen(first));
	add(&t, "\n", 1);
	while (fgets(line, sizeof line, in)) {
		size_t n = strlen(line);
		bool whole = n > 0 && line[n - 1] == '\n';
		if (begins && (strcmp(line, ".\n") == 0 || strcmp(line, ".\r\n") == 0))
			break;
		add(&t, line, n);
		begins = whole;
	}
	if (t.too_long) {
		free(t.bytes);
		return NULL;
	}
	return t.bytes;
}

/* A file that the user names, from malloc; NULL and a line to out. */
static char *read_file(const char *path, FILE *out)
{
	char *text = own_read(path, LARGEST_PROGRAM, NULL);
	if (text)
		return text;
	if (errno == EINVAL || errno == EFBIG || errno == EILSEQ)
		fprintf(out, "%s: expected a text file of at most %d bytes\n", path,
			LARGEST_PROGRAM);
	else
		fprintf(out, "%s: %s\n", path, strerror(errno));
	return NULL;
}

/* From the program as it is so far. */
static char *edit(const struct program_lines *l, const struct variant *v)
{
	char err[300] = "out of memory";
	char *text = strdup(l->draft ? l->draft : v->program->stub);
	if (!isatty(fileno(l->in)))
		snprintf(err, sizeof err, "edit: the input is no terminal; expected run FILE");
	else if (text && code_edit(v, NULL, &text, err, sizeof err) == 0)
		return text;
	fprintf(l->out, "%s\n", err);
	free(text);
	return NULL;
}

/* The grade by one's own judgement, where nothing can be run. */
static void assess(struct program_lines *l, struct drill_session *s)
{
	const struct variant *v = &session_current(s)->variant;
	struct grade g = { .verdict = VERDICT_INVALID };
	char line[LINE_SIZE];
	drill_model(v, l->out);
	l->model_shown = true;
	while (!g.attempt_used) {
		fprintf(l->out, "y or n for each line of the check list> ");
		if (fflush(l->out) || !fgets(line, sizeof line, l->in))
			return;
		line[strcspn(line, "\r\n")] = '\0';
		program_assess(v, line, &g);
		fprintf(l->out, "%s\n", *g.remark ? g.remark : g.understood);
	}
	session_answer_graded(s, &g, l->now_ms());
	session_give_up(s, l->now_ms()); /* the solution is known now */
}

static void print_result(const struct code_result *r, FILE *out)
{
	const struct grade *g = &r->grade;
	if (*r->said)
		fprintf(out, "it printed:\n%s%s", r->said,
			r->said[strlen(r->said) - 1] == '\n' ? "" : "\n");
	fprintf(out, "%s: %s%s%s\n", verdict_names[g->verdict],
		g->verdict == VERDICT_INVALID ? "no attempt used" : verdict_words[g->verdict],
		*g->understood ? ", " : "", g->understood);
	if (*g->remark)
		drill_text(g->remark, 0, out);
}

static void run(struct program_lines *l, struct drill_session *s)
{
	struct session_item *item = session_current(s);
	struct code_result r;
	char err[600];
	if (code_run(&item->variant, l->draft, NULL, &r, err, sizeof err)) {
		fprintf(l->out, "%s\n", err);
		return;
	}
	if (r.state == CODE_NO_TOOL) {
		fprintf(l->out, "There is no %s here to run it: compare it with this.\n", r.tool);
		assess(l, s);
		return;
	}
	print_result(&r, l->out);
	session_answer_graded(s, &r.grade, l->now_ms());
	if (!item->closed && r.grade.attempt_used)
		fprintf(l->out, "attempt %u of %u used\n", item->attempts, s->max_attempts);
}

static char *take_program(const struct program_lines *l, const struct variant *v, const char *line)
{
	if (strncmp(line, "run ", 4) == 0)
		return read_file(line + 4 + strspn(line + 4, " "), l->out);
	if (strcmp(line, "edit") == 0)
		return edit(l, v);
	char *text = read_lines(line, l->in);
	if (!text)
		fprintf(l->out, "the program is too long: expected at most %d bytes\n",
			LARGEST_PROGRAM);
	return text;
}

bool program_line(struct program_lines *l, struct drill_session *s, const char *line)
{
	static const char *const others[] = { "", "?", "hint", "skip", "pause", "quit" };
	const struct session_item *item = session_current(s);
	if (!item || !item->variant.program)
		return false;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(line, others[i]) == 0)
			return false;
	char *text = take_program(l, &item->variant, line);
	if (!text)
		return true;
	free(l->draft);
	l->draft = text;
	run(l, s);
	return true;
}
