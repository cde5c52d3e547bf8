/* The texts of drills have Markdown's own marks of emphasis and lists, so they are written as they are;
 * what is worked out stands in blocks of code, where no sign of arithmetic means anything else. */
#include "ui/practice/drill_markdown.h"

#include "sims/quantity/quantity.h"
#include "ui/practice/drill_sheet.h"
#include "ui/practice/drill_summary.h"

#include <ctype.h>
#include <string.h>

static void write_fenced(const char *language, const char *text, FILE *out)
{
	const size_t n = strlen(text);
	fprintf(out, "```%s\n%s%s```\n\n", language, text, n && text[n - 1] == '\n' ? "" : "\n");
}

static void write_working(const struct variant_step *s, FILE *out)
{
	char board[1100];
	fprintf(out, "Working:\n\n```text\n");
	if (*s->symbols)
		fprintf(out, "%s\n", s->symbols);
	fprintf(out, "%s\n", s->working);
	if (*whiteboard_line(s, board, sizeof board))
		fprintf(out, "%s\n", board);
	fprintf(out, "```\n\n");
}

static void write_mistakes(const struct question *q, FILE *out)
{
	char text[80];
	fprintf(out, "Likely mistakes:\n\n");
	for (size_t i = 0; i < q->n_mistakes; i++)
		fprintf(out, "- %s: %s\n", drill_shown(q, q->mistakes[i].value, text, sizeof text),
			q->mistakes[i].name);
	fprintf(out, "\n");
}

static void write_reasons(const struct variant_step *s, FILE *out)
{
	fprintf(out, "Why not the others:\n\n");
	for (size_t i = 0; i < s->n_options; i++)
		if (!s->options[i].right)
			fprintf(out, "- %zu: %s\n", i + 1, s->options[i].reason);
	fprintf(out, "\n");
}

static void write_key(const struct variant_step *s, FILE *out)
{
	const struct question *q = &s->question;
	char text[80];
	if (s->step->kind == KIND_CODE)
		return;
	fprintf(out, "**Key: %s**\n\n",
		s->step->kind == KIND_NUMBER ? drill_shown(q, q->key, text, sizeof text)
					     : s->answer);
	write_working(s, out);
	if (s->step->kind == KIND_NUMBER)
		write_mistakes(q, out);
	if (s->step->kind == KIND_CHOICE)
		write_reasons(s, out);
}

static void write_program(const struct variant *v, FILE *out)
{
	const char *title = language_titles[v->program->program->language];
	char language[32] = "";
	for (size_t i = 0; title[i] && i + 1 < sizeof language; i++)
		language[i] = (char)tolower((unsigned char)title[i]);
	write_fenced(language, v->program->stub, out);
}

static void write_model(const struct variant *v, FILE *out)
{
	fprintf(out, "A solution:\n\n");
	write_fenced("", v->program->solution, out);
	for (size_t i = 0; i < v->program->program->n_check_list; i++)
		fprintf(out, "- [ ] %s\n", v->program->program->check_list[i]);
	fprintf(out, "\n");
}

static void write_rest(const struct variant *v, FILE *out)
{
	fprintf(out, "Hints:\n\n");
	for (size_t k = 0; k < v->n_steps; k++)
		for (size_t i = 0; i < v->steps[k].n_hints; i++)
			fprintf(out, "- %s\n", v->steps[k].hints[i]);
	fprintf(out, "\n");
	if (*v->follow_up)
		fprintf(out, "Follow-up: %s\n\n", v->follow_up);
	if (v->sim)
		fprintf(out, "Turn the knobs: `ridge sim %s`\n\n", v->sim);
	if (v->page)
		fprintf(out, "Read: `ridge read %s`\n\n", v->page);
}

static void write_problem(const struct variant *v, size_t number, bool answers, FILE *out)
{
	char par[32];
	drill_time_text(v->drill->par_s, par, sizeof par);
	fprintf(out, "## %zu. %s\n\n*%s, par %s*\n\n", number, v->drill->title,
		v->drill->topic_name, par);
	if (v->n_steps > 1)
		fprintf(out, "%s\n\n", v->scene);
	for (size_t i = 0; i < v->n_steps; i++) {
		const struct variant_step *s = &v->steps[i];
		if (v->n_steps > 1)
			fprintf(out, "**%c)** ", (char)('a' + (int)i));
		fprintf(out, "%s\n\n", s->asks);
		if (v->program)
			write_program(v, out);
		fprintf(out, "*%s: %s.*\n\n", s->step->kind == KIND_NUMBER ? "Tolerance" : "Answer",
			s->tolerance);
		if (answers)
			write_key(s, out);
	}
	if (*v->assumes)
		fprintf(out, "Assumes: %s.\n\n", v->assumes);
	if (answers && v->program)
		write_model(v, out);
	if (answers)
		write_rest(v, out);
}

void drill_markdown(const struct drill_session *s, const char *code, bool answers, FILE *out)
{
	fprintf(out, "# %zu problem%s%s\n\n%s, seed %llu%s%s\n\n", s->n, s->n == 1 ? "" : "s",
		answers ? ": the interviewer's side" : "", mode_names[s->mode],
		(unsigned long long)s->seed, *code ? ", code " : "", code);
	for (size_t i = 0; i < s->n; i++)
		write_problem(&s->items[i].variant, i + 1, answers, out);
}
