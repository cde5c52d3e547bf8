/* What an interview came to, as Markdown: times, marks, answers, notes. */
#include "ui/interviewer/interviewer_text.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void write_mark(unsigned mark, FILE *out)
{
	if (mark)
		fprintf(out, "%s (%u)", mark_words[mark], mark);
}

/* Parts that were answered rightly in the end. */
static size_t right_parts(const struct interviewer *v, size_t stop)
{
	size_t from = 0, right = 0;
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));)
		right += e->kind == HISTORY_ANSWER && e->verdict == VERDICT_CORRECT;
	return right;
}

static bool is_right(const struct interviewer *v, size_t stop)
{
	return right_parts(v, stop) >= v->stops[stop].item->variant.n_steps;
}

static void write_answer(
	const struct interviewer *v, size_t stop, const struct history_event *e, FILE *out)
{
	char verdict[160], after[32], at[32], part[8];
	const struct interviewer_subject *s = &v->subjects[stop];
	interviewer_verdict(e, verdict, sizeof verdict);
	interviewer_time((int64_t)(1000 * e->took_s), after, sizeof after);
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
		fprintf(out, ", at %s", interviewer_time(s->answered_ms, at, sizeof at));
	fprintf(out, "\n");
}

void interviewer_write_notes(const struct interviewer *v, size_t stop, FILE *out)
{
	const struct interviewer_subject *s = &v->subjects[stop];
	size_t from = 0;
	char at[32];
	for (const struct history_event *e; (e = interviewer_event(v, stop, &from));)
		write_answer(v, stop, e, out);
	for (const struct interviewer_note *n = s->notes; n; n = n->next) {
		fprintf(out, "- %s ", interviewer_time(n->at_ms, at, sizeof at));
		markdown_escape(n->text, out);
		fprintf(out, "\n");
	}
	fprintf(out, "\n");
}

static void write_phases(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	char planned[32], used[32];
	fprintf(out, "| phase | planned | used | mark |\n| --- | ---: | ---: | --- |\n");
	for (unsigned i = 0; i < N_PHASES; i++) {
		const struct interview_phase *p = &interview_phases[i];
		double planned_ms = 1000 * p->share * v->session.limit_s;
		fprintf(out, "| %s | %s | %s | ", p->name,
			interviewer_time((int64_t)(planned_ms + 0.5), planned, sizeof planned),
			interviewer_time(
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
			interviewer_time(interviewer_spent_ms(v, i, now_ms), used, sizeof used),
			interviewer_time((int64_t)(1000 * x->drill->par_s), par, sizeof par));
		if (v->subjects[i].n_answers && x->n_steps > 1)
			fprintf(out, "%zu of %zu right", right_parts(v, i), x->n_steps);
		else if (v->subjects[i].n_answers)
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
	fprintf(out, " %u of %zu not marked.", n[0], v->n_stops);
	if (marked)
		fprintf(out, " Mean %.1f of %d.", (double)sum / marked, MOST_MARK);
}

static void write_overall(const struct interviewer *v, FILE *out)
{
	size_t right = 0, answered = 0;
	const struct interviewer_subject *whole = &v->subjects[v->n_stops];
	for (size_t i = 0; i < v->n_stops; i++)
		if (v->stops[i].item && v->subjects[i].n_answers) {
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
	interviewer_write_notes(v, v->n_stops, out);
}

static void write_head(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	char used[32], limit[32], date[64] = "";
	time_t opened = (time_t)v->opened_s;
	struct tm tm;
	if (gmtime_r(&opened, &tm))
		strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &tm);
	bool interview = v->session.mode == MODE_INTERVIEW;
	fprintf(out, "**%s %s**%s%s, %s. %zu problems; clock %s",
		interview ? "Interview" : "Session", v->request.code, interview ? "" : ", mode ",
		interview ? "" : mode_names[v->session.mode], date, v->session.n,
		interviewer_time(session_total_ms(&v->session, now_ms), used, sizeof used));
	if (v->session.limit_s > 0)
		fprintf(out, " of %s",
			interviewer_time(
				(int64_t)(1000 * v->session.limit_s), limit, sizeof limit));
	fprintf(out, ".\n\n");
}

void interviewer_write_summary(const struct interviewer *v, int64_t now_ms, FILE *out)
{
	write_head(v, now_ms, out);
	write_overall(v, out);
	if (v->session.mode == MODE_INTERVIEW)
		write_phases(v, now_ms, out);
	write_problems(v, now_ms, out);
	for (size_t i = 0; i < v->n_stops; i++) {
		const struct interviewer_stop *s = &v->stops[i];
		if (!v->subjects[i].notes && !v->subjects[i].n_answers)
			continue;
		fprintf(out, "**");
		if (s->item)
			fprintf(out, "%zu ", (size_t)(s->item - v->session.items) + 1);
		markdown_escape(
			s->item ? s->item->variant.drill->title : interview_phases[s->phase].name,
			out);
		fprintf(out, "**\n\n");
		interviewer_write_notes(v, i, out);
	}
}
