/* What an interviewer has to know of a problem or a phase, as Markdown. Numbers stand in the unit
 * that the candidate was asked for. */
#include "ui/interviewer/interviewer.h"
#include "ui/term/keys.h"

#include "ui/interviewer/interviewer_text.h"

#include "sims/quantity/quantity_parse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* "30.06 GB": a value of the question in the unit that its prompt names. */
static const char *shown(const struct question *q, double value, int digits, char *buf, size_t size)
{
	struct unit unit, as;
	char number[64];
	if (!unit_parse(q->unit, &unit) || !unit_parse(q->shown_unit, &as))
		return "?";
	number_write(number, sizeof number, value * unit.factor / as.factor, digits);
	snprintf(buf, size, "%s%s%s", number, *q->shown_unit ? " " : "", q->shown_unit);
	return buf;
}

static void write_number(const struct variant_step *s, FILE *out)
{
	enum { KEY_DIGITS = 4, RANGE_DIGITS = 4, MISTAKE_DIGITS = 3, ALL_DIGITS = 15 };
	const struct question *q = &s->question;
	bool exact = q->tolerance.mode == TOLERANCE_EXACT;
	char key[96], low_text[96], high_text[96];
	double low, high;
	question_accepted(q, &low, &high);
	fprintf(out, "**Key: %s**",
		shown(q, q->key, exact ? ALL_DIGITS : KEY_DIGITS, key, sizeof key));
	if (exact)
		fprintf(out, ", exactly\n\n");
	else
		fprintf(out, ", right from %s to %s\n\n",
			shown(q, low, RANGE_DIGITS, low_text, sizeof low_text),
			shown(q, high, RANGE_DIGITS, high_text, sizeof high_text));
	if (*s->symbols) {
		markdown_escape(s->symbols, out);
		fprintf(out, "  \n");
	}
	markdown_escape(s->working, out);
	fprintf(out, "\n\n");
	for (size_t i = 0; i < q->n_mistakes; i++) {
		fprintf(out, "%sIf you hear **%s**: ", i ? "  \n" : "",
			shown(q, q->mistakes[i].value, MISTAKE_DIGITS, key, sizeof key));
		markdown_escape(q->mistakes[i].name, out);
	}
	fprintf(out, "\n");
}

static void write_choice(const struct variant_step *s, FILE *out)
{
	for (size_t i = 0; i < s->n_options; i++)
		if (s->options[i].right)
			fprintf(out, "**Key: %zu**, %s: %s\n\n", i + 1, s->options[i].text,
				s->options[i].reason);
	for (size_t i = 0; i < s->n_options; i++)
		if (!s->options[i].right)
			fprintf(out, "- **%zu**, %s: %s\n", i + 1, s->options[i].text,
				s->options[i].reason);
}

static void write_order(const struct variant_step *s, FILE *out)
{
	fprintf(out, "**Key: %s**\n\n", s->answer);
	for (size_t place = 0; place < s->n_options; place++)
		for (size_t i = 0; i < s->n_options; i++)
			if (s->options[i].place == place)
				fprintf(out, "- **%zu**, %s: %s\n", i + 1, s->options[i].text,
					s->options[i].reason);
}

static void write_key(const struct variant_step *s, FILE *out)
{
	switch (s->step->kind) {
	case KIND_NUMBER:
		write_number(s, out);
		break;
	case KIND_CHOICE:
		write_choice(s, out);
		break;
	case KIND_ORDER:
		write_order(s, out);
		break;
	default:
		fprintf(out, "**Key:** %s\n\n%s\n", s->answer, s->working);
	}
	fprintf(out, "\n");
}

static void write_follow_up(const struct variant *v, FILE *out)
{
	const char *text = v->follow_up, *rest = text + variant_follow_up_asks(v);
	if (!*text)
		return;
	fprintf(out, "*Go on with:* %.*s\n\n", (int)(rest - text), text);
	if (*rest)
		fprintf(out, "%s%s\n\n",
			strncmp(rest, "A good answer", 13) == 0 ? "" : "*A good answer:*", rest);
}

static void write_short_key(const struct variant_step *s, FILE *out)
{
	enum { DIGITS = 4 };
	char key[96];
	bool number = s->step->kind == KIND_NUMBER;
	markdown_escape(
		number ? shown(&s->question, s->question.key, DIGITS, key, sizeof key) : s->answer,
		out);
}

/* What one needs before the candidate speaks stands on the first screen. */
static void write_at_hand(const struct variant *x, FILE *out)
{
	for (size_t i = 0; x->n_steps > 1 && i < x->n_steps; i++) {
		fprintf(out, "%s%c) **", i ? ", " : "*Keys:* ", (char)('a' + (int)i));
		write_short_key(&x->steps[i], out);
		fprintf(out, "**");
	}
	fprintf(out, "%s*Hint 1:* %s  \n*Hint 2:* %s\n\n", x->n_steps > 1 ? "\n\n" : "",
		x->hints[0], x->hints[1]);
}

static void write_problem(const struct interviewer *v, const struct session_item *item, FILE *out)
{
	const struct variant *x = &item->variant;
	char par[32];
	fprintf(out, "**Problem %zu of %zu: %s** (%s, par %s)\n\n",
		(size_t)(item - v->session.items) + 1, v->session.n, x->drill->title,
		x->drill->topic_name,
		interviewer_time((int64_t)(1000 * x->drill->par_s), par, sizeof par));
	bool several = x->n_steps > 1;
	fprintf(out, "%s\n\n", several ? x->scene : x->steps[0].asks);
	if (*x->assumes)
		fprintf(out, "*Assumes* %s.\n\n", x->assumes);
	if (several)
		write_at_hand(x, out);
	for (size_t i = 0; i < x->n_steps; i++) {
		if (several)
			fprintf(out, "**%c)** %s\n\n", (char)('a' + (int)i), x->steps[i].asks);
		write_key(&x->steps[i], out);
	}
	if (!several)
		write_at_hand(x, out);
	write_follow_up(x, out);
}

static void write_list(const struct interviewer *v, enum phase phase, FILE *out)
{
	const char *lines[MOST_LISTEN];
	const struct variant *first = v->session.n ? &v->session.items[0].variant : NULL;
	size_t n = interviewer_listen_for(phase, first, lines);
	fprintf(out, "*Listen for:*\n\n");
	for (size_t i = 0; i < n; i++)
		fprintf(out, "- %s\n", lines[i]);
	fprintf(out, "\n");
}

/* What the candidate has before them: the scene to ask about, the question to design for. */
static void write_talk(const struct interviewer *v, enum phase phase, FILE *out)
{
	const struct interview_phase *p = &interview_phases[phase];
	const struct variant *first = v->session.n ? &v->session.items[0].variant : NULL;
	char time[32];
	fprintf(out, "**Phase %d of %d: %s** (%s)\n\n", (int)phase + 1, (int)N_PHASES, p->name,
		interviewer_time(
			(int64_t)(1000 * p->share * v->session.limit_s + 0.5), time, sizeof time));
	fprintf(out, "The candidate reads: %s\n\n", p->advice);
	if (first && (phase == PHASE_CLARIFY || phase == PHASE_DESIGN) && first->scene)
		fprintf(out, "> %s\n\n", first->scene);
	write_list(v, phase, out);
	if (first && phase == PHASE_CLARIFY && *first->assumes)
		fprintf(out, "*Tell, when asked:* %s.\n\n", first->assumes);
	if (first && phase == PHASE_DESIGN)
		write_follow_up(first, out);
}

void interviewer_write_list(const struct interviewer *v, size_t stop, FILE *out)
{
	if (v->session.mode == MODE_INTERVIEW && v->stops[stop].item)
		write_list(v, v->stops[stop].phase, out);
}

void interviewer_write_guide(const struct interviewer *v, size_t stop, FILE *out)
{
	const struct interviewer_stop *s = &v->stops[stop];
	if (s->item)
		write_problem(v, s->item, out);
	else
		write_talk(v, s->phase, out);
}
