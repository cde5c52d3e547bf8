/* All text goes through drill_text, which wraps it; only programs are printed as they are. */
#include "ui/practice/drill_sheet.h"

#include "sims/quantity/quantity.h"
#include "ui/term/textwrap.h"
#include "ui/practice/drill_summary.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { COLUMNS = 78 };

/* A line as it is printed: without the marks of emphasis, and with one blank where there are
 * more. */
static void put_line(const struct text_line *line, FILE *out)
{
	char before = '\0';
	for (size_t i = 0; i < line->bytes; i++) {
		char c = line->start[i];
		if (strncmp(line->start + i, "**", 2) == 0)
			i++;
		else if (c != '`' && (c != ' ' || before != ' '))
			putc(c, out);
		before = c;
	}
	putc('\n', out);
}

/* Lines are broken with the marks of emphasis in them, and a word too long for a line is left
 * whole: an address or a name is to be copied from paper. */
void drill_text(const char *text, int indent, FILE *out)
{
	struct text_breaker b = { .text = text,
		.end = SIZE_MAX,
		.width = COLUMNS - indent,
		.glyphs = GLYPHS_LINES,
		.rules = BREAK_NO_WORDS };
	struct text_line line;
	assert(indent >= 0 && indent < COLUMNS);
	for (bool after_blank = false; text_break(&b, &line); after_blank = line.bytes == 0) {
		if (line.bytes == 0 && after_blank)
			continue;
		fprintf(out, "%*s", line.bytes ? indent : 0, "");
		put_line(&line, out);
	}
	if (b.at == 0 || text[b.at - 1] == '\n')
		putc('\n', out); /* the last line is empty */
}

static void drill_labelled(const char *label, const char *text, FILE *out)
{
	char line[2200];
	snprintf(line, sizeof line, "%s: %s.", label, text);
	drill_text(line, 0, out);
}

static void drill_title(const struct variant *v, const char *n_of, FILE *out)
{
	char par[32];
	drill_time_text(v->drill->par_s, par, sizeof par);
	fprintf(out, "%s%s%s (%s, par %s)\n", n_of ? n_of : "", n_of ? ": " : "", v->drill->title,
		v->drill->topic_name, par);
}

static void write_tolerance(const struct variant_step *s, FILE *out)
{
	drill_labelled(s->step->kind == KIND_NUMBER ? "Tolerance" : "Answer", s->tolerance, out);
}

/* A program as it is, each line indented. */
static void write_program(const char *program, FILE *out)
{
	for (const char *p = program; *p;) {
		size_t n = strcspn(p, "\n");
		fprintf(out, "%s%.*s\n", n ? "    " : "", (int)n, p);
		p += n + (p[n] == '\n');
	}
}

static void write_stub(const struct variant *v, FILE *out)
{
	fprintf(out, "In %s:\n\n", language_titles[v->program->program->language]);
	write_program(v->program->stub, out);
	putc('\n', out);
}

void drill_model(const struct variant *v, FILE *out)
{
	fprintf(out, "A solution:\n\n");
	write_program(v->program->solution, out);
	fprintf(out, "\nCheck list:\n");
	for (size_t i = 0; i < v->program->program->n_check_list; i++) {
		char line[2200];
		snprintf(line, sizeof line, "%zu. %s", i + 1, v->program->program->check_list[i]);
		drill_text(line, 2, out);
	}
}

void drill_problem(const struct variant *v, const char *n_of, FILE *out)
{
	drill_title(v, n_of, out);
	drill_text(v->prompt, 0, out);
	if (*v->assumes)
		drill_labelled("Assumes", v->assumes, out);
	if (v->program)
		write_stub(v, out);
	write_tolerance(&v->steps[v->step], out);
}

void drill_step_of(const struct variant *v, FILE *out)
{
	fprintf(out, "\nPart %zu of %zu.\n", v->step + 1, v->n_steps);
	drill_text(v->steps[v->step].asks, 0, out);
	write_tolerance(&v->steps[v->step], out);
}

char *drill_shown(const struct question *q, double value, char *buf, size_t size)
{
	struct unit unit, shown;
	if (!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown))
		return quantity_format(buf, size, value, q->unit);
	return quantity_format(buf, size, value * unit.factor / shown.factor, q->shown_unit);
}

static void write_mistakes(const struct question *q, FILE *out)
{
	fprintf(out, "   Likely mistakes:\n");
	for (size_t i = 0; i < q->n_mistakes; i++) {
		char text[80];
		drill_shown(q, q->mistakes[i].value, text, sizeof text);
		fprintf(out, "      %-14s %s\n", text, q->mistakes[i].name);
	}
}

static void write_reasons(const struct variant_step *s, FILE *out)
{
	fprintf(out, "   Why not the others:\n");
	for (size_t i = 0; i < s->n_options; i++) {
		char line[2200];
		if (s->options[i].right)
			continue;
		snprintf(line, sizeof line, "%zu: %s", i + 1, s->options[i].reason);
		drill_text(line, 6, out);
	}
}

static void write_key(const struct variant_step *s, FILE *out)
{
	char text[80];
	const struct question *q = &s->question;
	if (s->step->kind == KIND_CODE)
		return;
	fprintf(out, "   Key: %s\n",
		s->step->kind == KIND_NUMBER ? drill_shown(q, q->key, text, sizeof text)
					     : s->answer);
}

static void write_whiteboard(const struct variant_step *s, FILE *out)
{
	char text[1100];
	if (*whiteboard_line(s, text, sizeof text))
		drill_text(text, 6, out);
}

static void write_step(const struct variant_step *s, FILE *out)
{
	write_key(s, out);
	fprintf(out, "   Working:\n");
	if (*s->symbols)
		drill_text(s->symbols, 6, out);
	drill_text(s->working, 6, out);
	write_whiteboard(s, out);
	if (s->step->kind == KIND_NUMBER)
		write_mistakes(&s->question, out);
	if (s->step->kind == KIND_CHOICE)
		write_reasons(s, out);
}

static void write_hints(const struct variant *v, FILE *out)
{
	for (size_t k = 0; k < v->n_steps; k++)
		for (size_t i = 0; i < v->steps[k].n_hints; i++) {
			if (v->n_steps > 1)
				fprintf(out, "   Hint %zu of part %zu:\n", i + 1, k + 1);
			else
				fprintf(out, "   Hint %zu:\n", i + 1);
			drill_text(v->steps[k].hints[i], 6, out);
		}
}

static void write_rest(const struct variant *v, FILE *out)
{
	write_hints(v, out);
	if (*v->follow_up) {
		fprintf(out, "   Follow-up:\n");
		drill_text(v->follow_up, 6, out);
	}
	if (v->sim)
		fprintf(out, "   Turn the knobs: ridge sim %s\n", v->sim);
	if (v->page)
		fprintf(out, "   Read: ridge read %s\n", v->page);
}

/* All steps at once. None shows the values that earlier ones find, since they are still to be
 * found. */
static void write_problem(const struct variant *v, const char *n_of, bool answers, FILE *out)
{
	drill_title(v, n_of, out);
	if (v->n_steps > 1)
		drill_text(v->scene, 0, out);
	if (*v->assumes)
		drill_labelled("Assumes", v->assumes, out);
	for (size_t i = 0; i < v->n_steps; i++) {
		if (v->n_steps > 1)
			fprintf(out, "%c) ", (char)('a' + (int)i));
		drill_text(v->steps[i].asks, 0, out);
		if (v->program)
			write_stub(v, out);
		write_tolerance(&v->steps[i], out);
		if (answers)
			write_step(&v->steps[i], out);
	}
	if (answers && v->program)
		drill_model(v, out);
	if (answers)
		write_rest(v, out);
}

void drill_sheet(const struct drill_session *s, bool answers, FILE *out)
{
	for (size_t i = 0; i < s->n; i++) {
		char n_of[64];
		snprintf(n_of, sizeof n_of, "%zu", i + 1);
		write_problem(&s->items[i].variant, n_of, answers, out);
		putc('\n', out);
	}
}

static void write_line(const struct drill_session *s, size_t i, FILE *out)
{
	const struct session_item *item = &s->items[i];
	const struct drill *d = item->variant.drill;
	const char *cause = session_item_right(item) ? "" : item->grade.cause;
	char spent[32], par[32];
	fprintf(out, "%3zu  %-7s %4.2f  ", i + 1, session_item_word(s, i), item->credit);
	if (session_has_clock(s)) {
		drill_clock_text(item->spent_ms, spent, sizeof spent);
		drill_clock_text(llround(1000 * d->par_s), par, sizeof par);
		fprintf(out, "%5s of %-5s  ", spent, par);
	}
	fprintf(out, "%s%s%s\n", d->title, *cause ? ": " : "", cause);
}

void drill_score(const struct drill_session *s, const struct session_bests *b, FILE *out)
{
	struct summary_line lines[SUMMARY_LINES];
	size_t n = drill_summary(s, b, lines);
	for (size_t i = 0; i < s->n; i++)
		if (drill_was_seen(s, i))
			write_line(s, i, out);
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s%s\n", lines[i].label, *lines[i].label ? ": " : "",
			lines[i].text);
}
