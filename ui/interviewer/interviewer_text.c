#include "ui/interviewer/interviewer_text.h"

#include "sims/quantity/quantity.h"
#include "ui/pages/page_draw.h"
#include "ui/practice/date_words.h"
#include "ui/practice/drill_summary.h"
#include "ui/practice/plain_text.h"
#include "ui/interviewer/interviewer_case.h"
#include "ui/interviewer/interviewer_listen.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAPER_COLUMNS = 78, LEAST_COLUMNS = 20 };

/* ---- The guide: what to know of a problem or of a phase. ---- */

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
	char key[96], low_text[96], high_text[96], board[1100];
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
	if (*whiteboard_line(s, board, sizeof board)) {
		fprintf(out, "  \n");
		markdown_escape(board, out);
	}
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

/* Without a formula's form and numbers, which stand beside the key. */
static void write_hints(const struct variant_step *s, FILE *out)
{
	size_t n = s->args ? s->n_hints - FORMULA_HINTS : s->n_hints;
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s*Hint %zu:* %s", i ? "  \n" : "", i + 1, s->hints[i]);
	fprintf(out, "%s", n ? "\n\n" : "");
}

/* What is needed before the candidate speaks, so that it stands on the first screen. */
static void write_at_hand(const struct variant *x, FILE *out)
{
	for (size_t i = 0; x->n_steps > 1 && i < x->n_steps; i++) {
		fprintf(out, "%s%c) **", i ? ", " : "*Keys:* ", (char)('a' + (int)i));
		write_short_key(&x->steps[i], out);
		fprintf(out, "**");
	}
	fprintf(out, "%s", x->n_steps > 1 ? "\n\n" : "");
	write_hints(&x->steps[0], out);
}

static void write_problem(const struct interviewer *v, const struct session_item *item, FILE *out)
{
	const struct variant *x = &item->variant;
	char par[32];
	fprintf(out, "**Problem %zu of %zu: %s** (%s, par %s)\n\n",
		(size_t)(item - v->session.items) + 1, v->session.n, x->drill->title,
		x->drill->topic_name,
		drill_clock_text((int64_t)(1000 * x->drill->par_s), par, sizeof par));
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
		if (several && i > 0)
			write_hints(&x->steps[i], out);
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
	const struct interview_phase *p = &v->session.plan[phase];
	const struct variant *first = v->session.n ? &v->session.items[0].variant : NULL;
	char time[32];
	fprintf(out, "**Phase %d of %d: %s** (%s)\n\n", (int)phase + 1, (int)N_INTERVIEW_PHASES,
		p->name,
		drill_clock_text(
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

static void write_phase_list(const struct interviewer *v, size_t stop, FILE *out)
{
	if (v->session.mode == MODE_INTERVIEW && v->stops[stop].item)
		write_list(v, v->stops[stop].phase, out);
}

void interviewer_write_guide(const struct interviewer *v, size_t stop, FILE *out)
{
	assert(stop < v->n_stops);
	const struct interviewer_stop *s = &v->stops[stop];
	if (v->at_case)
		interviewer_case_guide(v->at_case, s->phase, (struct case_room){ .cols = 0 }, out);
	else if (s->item)
		write_problem(v, s->item, out);
	else
		write_talk(v, s->phase, out);
}

/* ---- The summary: times, marks, answers, notes. ---- */

static void write_mark(unsigned mark, FILE *out)
{
	assert(mark <= MOST_MARK);
	if (mark)
		fprintf(out, "%s (%u)", mark_words[mark], mark);
}

/* How many parts of a problem were answered rightly in the end, as the candidate typed them or as the
 * interviewer heard them. */
size_t interviewer_right_parts(const struct interviewer *v, size_t stop)
{
	size_t from = 0, typed = 0, said = 0;
	bool right[MOST_STEPS] = { false };
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));)
		typed += e->kind == HISTORY_ANSWER && e->verdict == VERDICT_CORRECT;
	for (const struct interviewer_heard *h = v->subjects[stop].heard; h; h = h->next) {
		said += h->grade.verdict == VERDICT_CORRECT && !right[h->part];
		right[h->part] |= h->grade.verdict == VERDICT_CORRECT;
	}
	return said > typed ? said : typed;
}

static bool was_answered(const struct interviewer *v, size_t stop)
{
	return v->subjects[stop].n_answers || v->subjects[stop].heard;
}

static bool is_right(const struct interviewer *v, size_t stop)
{
	return interviewer_right_parts(v, stop) >= v->stops[stop].item->variant.n_steps;
}

static void write_answer(
	const struct interviewer *v, size_t stop, const struct history_event *e, FILE *out)
{
	char verdict[160], after[32], at[32], part[8];
	const struct interviewer_subject *s = &v->subjects[stop];
	interviewer_verdict(e, verdict, sizeof verdict);
	drill_clock_text((int64_t)(1000 * e->took_s), after, sizeof after);
	fprintf(out, "- ");
	if (e->kind == HISTORY_ANSWER) {
		fprintf(out, "answered %s\"", interviewer_part(v, stop, e, part, sizeof part));
		markdown_escape(e->given, out);
		fprintf(out, "\": ");
	}
	fprintf(out, "**");
	markdown_escape(verdict, out);
	fprintf(out, "**, after %s", after);
	if (e->hints)
		fprintf(out, ", with %u hint%s", e->hints, e->hints == 1 ? "" : "s");
	if (s->answered_ms > 0 && e == interviewer_last_event(v, stop))
		fprintf(out, ", at %s", drill_clock_text(s->answered_ms, at, sizeof at));
	fprintf(out, "\n");
}

static void write_heard(
	const struct interviewer *v, size_t stop, const struct interviewer_heard *h, FILE *out)
{
	char verdict[160], at[32];
	fprintf(out, "- %s heard ", drill_clock_text(h->at_ms, at, sizeof at));
	if (v->stops[stop].item->variant.n_steps > 1)
		fprintf(out, "%c) ", 'a' + (int)h->part);
	fprintf(out, "\"");
	markdown_escape(h->text, out);
	fprintf(out, "\": **");
	markdown_escape(interviewer_heard_verdict(h, verdict, sizeof verdict), out);
	fprintf(out, "**\n");
}

static void write_notes(const struct interviewer *v, size_t stop, FILE *out)
{
	const struct interviewer_subject *s = &v->subjects[stop];
	size_t from = 0;
	char at[32];
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));)
		write_answer(v, stop, e, out);
	for (const struct interviewer_heard *h = s->heard; h; h = h->next)
		write_heard(v, stop, h, out);
	for (const struct interviewer_note *n = s->notes; n; n = n->next) {
		fprintf(out, "- %s ", drill_clock_text(n->at_ms, at, sizeof at));
		markdown_escape(n->text, out);
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

static void write_phases(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	char planned[32], used[32];
	fprintf(out, "| phase | planned | used | mark |\n| --- | ---: | ---: | --- |\n");
	for (unsigned i = 0; i < N_INTERVIEW_PHASES; i++) {
		const struct interview_phase *p = &v->session.plan[i];
		const int64_t planned_ms = llround(1000 * p->share * v->session.limit_s);
		fprintf(out, "| %s | %s | %s | ", p->name,
			interviewer_planned_text(planned_ms, planned, sizeof planned),
			drill_clock_text(
				interviewer_phase_ms(v, (enum phase)i, now_ms), used, sizeof used));
		for (size_t k = 0; k < v->n_stops; k++)
			if (v->stops[k].phase == i && !v->stops[k].item)
				write_mark(v->subjects[k].mark, out);
		fprintf(out, " |\n");
	}
	fprintf(out, "\n");
}

static void write_problems(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	char used[32], par[32];
	fprintf(out, "| problem | used | par | answered | mark |\n"
		     "| --- | ---: | ---: | --- | --- |\n");
	for (size_t i = 0; i < v->n_stops; i++) {
		const struct session_item *item = v->stops[i].item;
		if (!item)
			continue;
		const struct variant *x = &item->variant;
		fprintf(out, "| %zu ", (size_t)(item - v->session.items) + 1);
		markdown_escape(x->drill->title, out);
		fprintf(out, " | %s | %s | ",
			drill_clock_text(interviewer_spent_ms(v, i, now_ms), used, sizeof used),
			drill_clock_text((int64_t)(1000 * x->drill->par_s), par, sizeof par));
		if (was_answered(v, i) && x->n_steps > 1)
			fprintf(out, "%zu of %zu right", interviewer_right_parts(v, i), x->n_steps);
		else if (was_answered(v, i))
			fprintf(out, "%s", is_right(v, i) ? "right" : "not right");
		fprintf(out, " | ");
		write_mark(v->subjects[i].mark, out);
		fprintf(out, " |\n");
	}
	fprintf(out, "\n");
}

static void write_marks(const struct interviewer *v, FILE *out)
{
	unsigned n[MOST_MARK + 1] = { 0 }, sum = 0;
	for (size_t i = 0; i < v->n_stops; i++) {
		n[v->subjects[i].mark]++;
		sum += v->subjects[i].mark;
	}
	unsigned marked = (unsigned)v->n_stops - n[0];
	fprintf(out, " Marks:");
	for (unsigned m = MOST_MARK; m > 0; m--)
		if (n[m])
			fprintf(out, " %u %s,", n[m], mark_words[m]);
	if (n[0])
		fprintf(out, " %u of %zu not marked.", n[0], v->n_stops);
	else
		fprintf(out, " all %zu marked.", v->n_stops);
	if (marked)
		fprintf(out, " Mean %.1f of %d.", (double)sum / marked, MOST_MARK);
}

static void write_overall(const struct interviewer *v, FILE *out)
{
	size_t right = 0, answered = 0;
	const struct interviewer_subject *whole = &v->subjects[v->n_stops];
	for (size_t i = 0; i < v->n_stops; i++)
		if (v->stops[i].item && was_answered(v, i)) {
			answered++;
			right += is_right(v, i);
		}
	fprintf(out, "**Overall: ");
	if (whole->mark)
		write_mark(whole->mark, out);
	else
		fprintf(out, "%s", mark_words[0]);
	fprintf(out, ".**");
	write_marks(v, out);
	if (answered)
		fprintf(out, " Answered here: %zu of %zu right.", right, answered);
	fprintf(out, "\n\n");
	write_notes(v, v->n_stops, out);
}

static void write_head(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	char used[32], limit[32], date[32];
	moment_text(v->opened_s, date, sizeof date);
	bool interview = v->session.mode == MODE_INTERVIEW;
	if (v->candidate[0]) {
		fprintf(out, "**");
		markdown_escape(v->candidate, out);
		fprintf(out, "**, ");
	}
	fprintf(out, "**%s %s**%s%s, %s UTC. ", interview ? "Interview" : "Session",
		v->request.code, interview ? "" : ", mode ",
		interview ? "" : mode_names[v->session.mode], date);
	if (v->at_case)
		fprintf(out, "%s, %s", v->at_case->c.title, case_level_names[v->request.level]);
	else
		fprintf(out, "%zu problems", v->session.n);
	fprintf(out, "; clock %s",
		drill_clock_text(session_total_ms(&v->session, now_ms), used, sizeof used));
	if (v->session.limit_s > 0)
		fprintf(out, " of %s",
			drill_clock_text(
				(int64_t)(1000 * v->session.limit_s), limit, sizeof limit));
	fprintf(out, ".\n\n");
}

void interviewer_write_summary(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	write_head(v, now_ms, out);
	if (v->at_case)
		interviewer_case_outcome(v->at_case, out);
	write_overall(v, out);
	if (v->session.mode == MODE_INTERVIEW)
		write_phases(v, now_ms, out);
	if (v->at_case)
		interviewer_case_result(v->at_case, out);
	else
		write_problems(v, now_ms, out);
	for (size_t i = 0; i < v->n_stops; i++) {
		const struct interviewer_stop *s = &v->stops[i];
		if (!v->subjects[i].notes && !was_answered(v, i))
			continue;
		fprintf(out, "**");
		if (s->item)
			fprintf(out, "%zu ", (size_t)(s->item - v->session.items) + 1);
		markdown_escape(
			s->item ? s->item->variant.drill->title : v->session.plan[s->phase].name,
			out);
		fprintf(out, "**\n\n");
		write_notes(v, i, out);
	}
	if (v->at_case)
		interviewer_case_heard(v->at_case, out);
}

/* ---- Both laid out. ---- */

static void write_part(const struct interviewer *v, enum interviewer_part part, int64_t now_ms,
	struct case_room room, FILE *out)
{
	if (part == PART_SUMMARY || interviewer_in_summary(v)) {
		interviewer_write_summary(v, now_ms, out);
		return;
	}
	/* What the answer to it is, is read out: it stands before all else. Where there is no room beside the guide
	 * for more than a row or two of it, they stand above it already. */
	if (part != PART_SIDE && v->at_case &&
		(part == PART_GUIDE ||
			interviewer_case_shows_last(v->at_case, v->stops[v->at].phase)))
		interviewer_case_last(v->at_case, v->stops[v->at].phase, out);
	if (part != PART_SIDE && v->at_case)
		interviewer_case_guide(v->at_case, v->stops[v->at].phase, room, out);
	else if (part != PART_SIDE)
		interviewer_write_guide(v, v->at, out);
	if (part != PART_GUIDE) {
		if (part == PART_SIDE && v->at_case)
			interviewer_case_rubric(v->at_case, v->stops[v->at].phase, room, out);
		/* Without a line between, a list above would go on with them. */
		if (v->at_case && v->subjects[v->at].notes)
			fprintf(out, "### NOTES\n\n");
		write_notes(v, v->at, out);
		write_phase_list(v, v->at, out);
	}
}

int interviewer_page(struct page *p, const struct interviewer *v, enum interviewer_part part,
	int64_t now_ms, struct case_room room, bool ascii)
{
	const int width = room.cols < LEAST_COLUMNS ? LEAST_COLUMNS : room.cols;
	char *text = NULL;
	size_t bytes = 0;
	/* A desk is read at a glance: what belongs together stands together. */
	struct page_env env = { .ascii = ascii, .tight = v->at_case ? 1 : 0, .ruled = v->at_case };
	FILE *out = open_memstream(&text, &bytes);
	*p = (struct page){ 0 };
	if (!out)
		return -1;
	write_part(v, part, now_ms, room, out);
	/* A text that memory ran out for at its end is none. */
	int rc = fclose(out) || !text ? -1 : page_layout(p, text, bytes, width, &env);
	free(text);
	return rc;
}

int interviewer_print(const struct interviewer *v, int64_t now_ms, bool ascii, FILE *out)
{
	struct page p;
	struct canvas cv = { 0 };
	enum glyphs glyphs = ascii ? GLYPHS_ASCII : GLYPHS_LINES;
	int rc = interviewer_page(
		&p, v, PART_SUMMARY, now_ms, (struct case_room){ .cols = PAPER_COLUMNS }, ascii);
	if (rc == 0)
		rc = canvas_init(&cv, (int)p.n_lines, PAPER_COLUMNS, glyphs);
	if (rc == 0) {
		page_draw(&cv, (struct rect){ 0, 0, cv.rows, cv.cols }, &p, 0, NULL, -1, -1);
		canvas_write_text(&cv, out);
	}
	canvas_release(&cv);
	page_release(&p);
	return rc;
}
