/* The reading rules: typed text may mean several things, and this says which one is meant. A unit
 * with several readings ("TFLOPs" as an amount or a rate) takes the one whose dimension was asked
 * for. A bare number is in the shown unit; where a question takes
 * fractions and percents alike (dual), it is in whichever of the two brings it nearer to the key.
 * "2.9k" only multiplies, so it is bare too, and so is a count with what is counted behind it, "35 workers". What the
 * grammar of quantities does not know is tried as an expression. */
#include "drills/answer.h"

#include "drills/answer_said.h"
#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "sims/quantity/scratch.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void understood_as(struct answer *a, const char *text, const char *shown, const char *note)
{
	size_t n = strlen(text);
	while (n && strchr(" \t", text[n - 1]))
		n--;
	while (n && strchr(" \t", *text)) {
		text++;
		n--;
	}
	if (n == strlen(shown) && strncmp(text, shown, n) == 0)
		snprintf(a->understood, sizeof a->understood, "%s%s", shown, note);
	else
		snprintf(a->understood, sizeof a->understood, "%.*s = %s%s", (int)n, text, shown,
			note);
}

static bool ends_with(const char *text, const char *end)
{
	size_t n = strlen(text), m = strlen(end);
	return n >= m && strcmp(text + n - m, end) == 0;
}

/* "TFLOPs" for a rate and "TFLOPS" for an amount are read as meant, and said. */
static const char *spelling_note(const struct quantity *typed, unsigned flags)
{
	for (size_t t = 0; t < typed->n_terms; t++) {
		const char *s = typed->terms[t].symbol;
		if ((flags & READING_RATE) &&
			(ends_with(s, "FLOPs") || ends_with(s, "OPs") || ends_with(s, "MACs")))
			return " (small s: read as a rate, as asked)";
		if ((flags & READING_AMOUNT) &&
			(ends_with(s, "FLOPS") || ends_with(s, "OPS") || ends_with(s, "MACS")))
			return " (capital S: read as an amount, as asked)";
	}
	return flags & READING_BINARY ? " (powers of 1024)" : "";
}

static void set_value(struct answer *a, const struct quantity *typed, double factor)
{
	double ratio = factor / a->asked.factor;
	a->value = unit_scale(typed->number, ratio);
	if (typed->has_last_digit)
		a->half_digit = 0.5 * pow(10, typed->last_digit) * fabs(ratio);
	if (isfinite(a->value) && isfinite(a->half_digit))
		return;
	a->kind = ANSWER_INVALID;
	snprintf(a->problem, sizeof a->problem, "the number is too large");
}

/* A plain number may be in the shown unit or a fraction: the one whose logarithm is nearer to that
 * of the key. */
static double nearer_factor(
	const struct question *q, const struct answer *a, double number, double shown_factor)
{
	if (!q->dual || number <= 0 || q->key <= 0)
		return shown_factor;
	double key = q->key * a->asked.factor;
	double as_shown = fabs(log(number * shown_factor / key)), plain = fabs(log(number / key));
	return plain < as_shown ? 1 : shown_factor;
}

static void read_bare(const struct question *q, const struct quantity *typed,
	const struct unit *shown, const char *text, struct answer *a)
{
	char number[64], written[128];
	a->kind = ANSWER_BARE;
	set_value(a, typed, nearer_factor(q, a, typed->number, shown->factor));
	if (a->kind == ANSWER_INVALID)
		return;
	double value = a->value * a->asked.factor / shown->factor;
	if (*q->shown_unit == '$')
		quantity_format(written, sizeof written, value, q->shown_unit);
	else if (*q->shown_unit == '\0') /* all that was typed may count */
		number_write(written, sizeof written, value, 7);
	else
		snprintf(written, sizeof written, "%s %s",
			number_write(number, sizeof number, value, 7), q->shown_unit);
	if (typed->has_last_digit)
		snprintf(a->understood, sizeof a->understood, "%s", written);
	else
		understood_as(a, text, written, "");
}

/* "2.9k" and "70.6B": a count; in a shown unit with a prefix of its own it could be anything. */
static void read_multiplied(const struct question *q, const struct quantity *typed,
	const struct quantity *shown_unit, const struct unit *shown, const char *text,
	struct answer *a)
{
	char written[128];
	double multiplier = quantity_multiplier(typed);
	a->kind = ANSWER_BARE;
	if (!q->dual && unit_has_prefix(shown_unit)) {
		a->kind = ANSWER_INVALID;
		snprintf(a->problem, sizeof a->problem,
			"say the unit: the answer is asked for in %s", q->shown_unit);
		return;
	}
	set_value(a, typed, q->dual ? multiplier : multiplier * shown->factor);
	if (a->kind == ANSWER_INVALID)
		return;
	quantity_format(
		written, sizeof written, a->value * a->asked.factor / shown->factor, q->shown_unit);
	understood_as(a, text, written, "");
}

static void read_united(const struct question *q, const struct quantity *typed,
	const struct unit *shown, const char *text, struct answer *a)
{
	char written[128];
	unsigned flags;
	a->kind = ANSWER_READ;
	switch (quantity_unit(typed, &a->asked, &a->given, &flags)) {
	case UNIT_DIFFERS:
		a->kind = ANSWER_WRONG_DIM;
		unit_difference(&a->given, &a->asked, a->problem, sizeof a->problem);
		snprintf(a->understood, sizeof a->understood, "%s", text);
		return;
	case UNIT_UNCLEAR:
		a->kind = ANSWER_INVALID;
		unit_unclear(typed, q->shown_unit, a->problem, sizeof a->problem);
		return;
	case UNIT_FITS:
		break;
	}
	set_value(a, typed, a->given.factor);
	if (a->kind == ANSWER_INVALID)
		return;
	quantity_format(
		written, sizeof written, a->value * a->asked.factor / shown->factor, q->shown_unit);
	understood_as(a, text, written, spelling_note(typed, flags));
}

/* An expression as the quantity that it comes to, in base units; false: it is not an expression. */
static bool read_expression(const char *text, const struct unit *asked, struct quantity *typed,
	char *problem, size_t size)
{
	struct scratch_value v;
	char why[320];
	if (scratch_read(NULL, text, asked, &v, why, sizeof why)) {
		/* Two readers have complained; this one was meant where there are signs of a
		 * sum. */
		if (strpbrk(text, "()+^") || strstr(text, "\xc2\xb1"))
			snprintf(problem, size, "%s", why);
		return false;
	}
	*typed = (struct quantity){ .number = v.number };
	if (!v.has_unit)
		return true;
	struct quantity_reading *r = &typed->terms[typed->n_terms++].readings[0];
	typed->terms[0].power = 1;
	typed->terms[0].n_readings = 1;
	r->unit = v.unit;
	r->unit.factor = 1;
	/* Units may cancel. The plain number that is left answers a question about a ratio; to any
	 * other question it is like "70.6B", a number without a unit. */
	const struct unit none = { 0 };
	bool plain = unit_same_dimension(&v.unit, &none);
	r->flags = plain && !unit_same_dimension(asked, &none) ? READING_MULTIPLIER : 0;
	return true;
}

static bool is_count(const struct unit *asked)
{
	const struct unit none = { 0 };
	return asked->factor == 1 && unit_same_hard_dimension(asked, &none);
}

/* A word that may belong to what is counted: no number, and no unit but for a soft one. */
static bool is_noun(const char *word)
{
	static const char *const joins[] = { "or", "and", "plus", "minus", "times", "over", "to" };
	struct quantity_reading r[QUANTITY_MAX_READINGS];
	const struct unit none = { 0 };
	double unused;
	if (!isalpha((unsigned char)*word) || answer_words(word, &unused) ||
		behind_any_word(word, joins, LENGTH(joins)))
		return false;
	const size_t n = symbol_readings(word, r);
	for (size_t i = 0; i < n; i++)
		if ((r[i].flags & READING_MULTIPLIER) ||
			!unit_same_hard_dimension(&r[i].unit, &none))
			return false;
	return n > 0 || !symbol_is_unclear(word);
}

/* What is counted in this field, said or not by the question. Not every word will do: a misspelt unit would be taken
 * for one of these. */
static bool is_counted(const char *word)
{
	static const char *const things[] = { "accelerators", "batches", "blocks", "boards",
		"boxes", "buckets", "cameras", "cards", "chips", "cores", "customers", "devices",
		"experts", "failures", "frames", "heads", "hosts", "images", "instances",
		"iterations", "kernels", "layers", "machines", "nodes", "pages", "processes",
		"racks", "ranks", "replicas", "requests", "restarts", "samples", "sequences",
		"servers", "sessions", "stages", "steps", "tasks", "threads", "tiles", "users",
		"warps", "waves", "workers" };
	for (size_t i = 0; i < LENGTH(things); i++)
		if (strcasecmp(word, things[i]) == 0)
			return true;
	/* "H100s": no unit has digits in its name. */
	const size_t n = strlen(word);
	return n > 3 && word[n - 1] == 's' && strpbrk(word, "0123456789");
}

/* "35 busy workers": a count, with words behind it of which one is what is counted. */
static bool read_counted(const char *text, struct quantity *typed, struct answer *out)
{
	char copy[QUANTITY_MAX_BYTES + 1], counted[SYMBOL_SIZE] = "", unused[200];
	const char *words[2 * QUANTITY_MAX_TERMS];
	size_t n = 0;
	snprintf(copy, sizeof copy, "%s", text);
	char *rest = strpbrk(copy, " \t"), *at = NULL;
	if (!is_count(&out->asked) || !rest)
		return false;
	*rest++ = '\0';
	for (char *w = strtok_r(rest, " \t", &at); w && n < LENGTH(words);
		w = strtok_r(NULL, " \t", &at))
		words[n++] = w;
	for (size_t i = 0; i < n; i++) {
		if (!is_noun(words[i]))
			return false;
		if (is_counted(words[i]) && !*counted)
			snprintf(
				counted, sizeof counted, "%.*s", (int)sizeof counted - 1, words[i]);
	}
	if (!*counted || quantity_parse(copy, typed, unused, sizeof unused) ||
		(typed->n_terms && !quantity_only_multiplies(typed, &out->asked)))
		return false;
	memcpy(out->counted, counted, sizeof counted);
	return true;
}

/* What is counted by the unit that was typed. */
static void note_counted(const struct quantity *typed, struct answer *out)
{
	const size_t n = typed->n_terms ? strlen(typed->terms[0].symbol) : 0;
	if (typed->n_terms == 1 && is_count(&out->given) && n > 3 &&
		typed->terms[0].symbol[n - 1] == 's')
		snprintf(out->counted, sizeof out->counted, "%s", typed->terms[0].symbol);
}

/* As it stands, as a sum, or without the words that only hedge, which then go from *text, too. False: it is none
 * of them, and why is what is wrong with it as it stands. */
static bool read_typed(
	const char **text, char *said, size_t said_size, struct quantity *typed, struct answer *out)
{
	char why[sizeof out->problem];
	if (quantity_parse(*text, typed, out->problem, sizeof out->problem) == 0)
		return true;
	out->expression =
		read_expression(*text, &out->asked, typed, out->problem, sizeof out->problem);
	if (out->expression)
		return true;
	answer_said(*text, said, said_size);
	if (!*said)
		return false;
	if (read_counted(said, typed, out))
		return true;
	if (strcmp(said, *text) == 0)
		return false;
	if (quantity_parse(said, typed, why, sizeof why)) {
		out->expression = read_expression(said, &out->asked, typed, why, sizeof why);
		if (!out->expression)
			return false;
	}
	*text = said;
	return true;
}

/* "3.1 GB / 273 GB/s" is a unit divided by 273 of another by the grammar of quantities, and a time as a sum, which is
 * meant where a time is asked for. False: it is no sum of what is asked for. */
static bool read_as_sum(
	const struct question *q, const struct unit *shown, const char *text, struct answer *out)
{
	struct answer sum = *out;
	struct quantity typed;
	char unused[sizeof out->problem];
	if (!strchr(text, '/') ||
		!read_expression(text, &out->asked, &typed, unused, sizeof unused) ||
		typed.n_terms == 0)
		return false;
	sum.problem[0] = '\0';
	read_united(q, &typed, shown, text, &sum);
	if (sum.kind != ANSWER_READ)
		return false;
	sum.expression = true;
	*out = sum;
	return true;
}

void answer_read(const struct question *q, const char *text, struct answer *out)
{
	struct quantity typed, shown_unit;
	struct unit shown;
	char unused[128], said[QUANTITY_MAX_BYTES + 1];
	*out = (struct answer){ .kind = ANSWER_INVALID };
	if (!unit_parse(q->unit, &out->asked) || !unit_parse(q->shown_unit, &shown) ||
		quantity_parse_unit(q->shown_unit, &shown_unit, unused, sizeof unused)) {
		snprintf(out->problem, sizeof out->problem, "the question's own unit is unknown");
		return;
	}
	if (strlen(text) > QUANTITY_MAX_BYTES) {
		quantity_parse(text, &typed, out->problem, sizeof out->problem);
		return;
	}
	if (!read_typed(&text, said, sizeof said, &typed, out))
		return;
	out->problem[0] = '\0';
	out->given = out->asked;
	if (typed.n_terms == 0)
		read_bare(q, &typed, &shown, text, out);
	else if (quantity_only_multiplies(&typed, &out->asked))
		read_multiplied(q, &typed, &shown_unit, &shown, text, out);
	else
		read_united(q, &typed, &shown, text, out);
	if (out->kind == ANSWER_WRONG_DIM && !out->expression)
		read_as_sum(q, &shown, text, out);
	if (!*out->counted && !out->expression)
		note_counted(&typed, out);
}
