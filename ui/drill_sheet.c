/* Problems and their solutions as lines of text. */
#include "ui/cmd_drill.h"

#include "sims/quantity_parse.h"

#include <string.h>

enum { COLUMNS = 78 };

/* Columns of a word in UTF-8, and where it ends. Accents do not matter to a ragged margin. */
static int word_columns(const char *text, size_t *bytes)
{
	int columns = 0;
	for (*bytes = 0; text[*bytes] && !strchr(" \n", text[*bytes]); ++*bytes)
		columns += ((unsigned char)text[*bytes] & 0xc0) != 0x80;
	return columns;
}

static void put_word(const char *word, size_t bytes, FILE *out)
{
	for (size_t i = 0; i < bytes; i++)
		if (strncmp(word + i, "**", 2) == 0)
			i++;
		else if (word[i] != '`')
			putc(word[i], out);
}

void drill_text(const char *text, int indent, FILE *out)
{
	int column = 0;
	while (*text) {
		size_t bytes;
		if (strchr(" \n", *text)) {
			text++;
			continue;
		}
		int columns = word_columns(text, &bytes);
		if (column && column + 1 + columns > COLUMNS) {
			putc('\n', out);
			column = 0;
		}
		if (column)
			putc(' ', out);
		else
			fprintf(out, "%*s", indent, "");
		column = column ? column + 1 + columns : indent + columns;
		put_word(text, bytes, out);
		text += bytes;
	}
	putc('\n', out);
}

static void drill_labelled(const char *label, const char *text, FILE *out)
{
	char line[2200];
	snprintf(line, sizeof line, "%s: %s.", label, text);
	drill_text(line, 0, out);
}

void drill_problem(const struct variant *v, const char *n_of, FILE *out)
{
	char par[64];
	quantity_format(par, sizeof par, v->drill->par_s, "s");
	fprintf(out, "%s%s%s (%s, par %s)\n", n_of ? n_of : "", n_of ? ": " : "", v->drill->title,
		v->drill->topic, par);
	drill_text(v->prompt, 0, out);
	if (*v->assumes)
		drill_labelled("Assumes", v->assumes, out);
	drill_labelled("Tolerance", v->tolerance, out);
}

static void write_key(const struct variant *v, FILE *out)
{
	struct unit unit, shown;
	char text[80];
	const struct question *q = &v->question;
	if (!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &shown))
		return;
	quantity_format(text, sizeof text, q->key * unit.factor / shown.factor, q->shown_unit);
	fprintf(out, "   Key: %s\n", text);
}

static void write_answers(const struct variant *v, FILE *out)
{
	const struct question *q = &v->question;
	write_key(v, out);
	fprintf(out, "   Working:\n");
	drill_text(v->symbols, 6, out);
	drill_text(v->working, 6, out);
	fprintf(out, "   Likely mistakes:\n");
	for (size_t i = 0; i < q->n_mistakes; i++) {
		char text[80];
		quantity_format(text, sizeof text, q->mistakes[i].value, q->unit);
		fprintf(out, "      %-14s %s\n", text, q->mistakes[i].name);
	}
	for (size_t i = 0; i < 2; i++) {
		fprintf(out, "   Hint %zu:\n", i + 1);
		drill_text(v->hints[i], 6, out);
	}
	if (*v->follow_up) {
		fprintf(out, "   Follow-up:\n");
		drill_text(v->follow_up, 6, out);
	}
	fprintf(out, "   Turn the knobs: ridge sim %s\n   Read: ridge read %s\n", v->sim, v->page);
}

void drill_sheet(const struct drill_session *s, bool answers, FILE *out)
{
	for (size_t i = 0; i < s->n; i++) {
		char n_of[64];
		snprintf(n_of, sizeof n_of, "%zu", i + 1);
		drill_problem(&s->items[i].variant, n_of, out);
		if (answers)
			write_answers(&s->items[i].variant, out);
		putc('\n', out);
	}
}
