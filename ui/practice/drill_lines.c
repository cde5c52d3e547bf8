#include "ui/practice/drill_lines.h"
#include "ui/practice/program_lines.h"
#include "ui/practice/drill_sheet.h"

#include "sims/quantity/quantity.h"
#include "ui/data/answers.h"

#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 512 };

struct sitting {
	struct drill_session *s;
	const struct drill_lines *l;
	int64_t began_ms;
	bool told; /* that answers are not kept */
};

static int64_t now_ms(const struct sitting *t)
{
	return t->l->clock_ms();
}

/* A line without its end; what is too long for an answer is cut, and refused by the grammar. */
static bool read_line(FILE *in, char line[LINE_SIZE])
{
	if (!fgets(line, LINE_SIZE, in))
		return false;
	size_t n = strcspn(line, "\r\n");
	for (int c = line[n] ? '\n' : getc(in); c != '\n' && c != EOF; c = getc(in))
		;
	line[n] = '\0';
	return true;
}

/* Where nobody can read the problems there is no use in waiting for answers. */
static bool ask(const struct sitting *t, const char *prompt, char line[LINE_SIZE])
{
	fputs(prompt, t->l->out);
	bool more = fflush(t->l->out) == 0 && read_line(t->l->in, line);
	putc('\n', t->l->out);
	return more;
}

static void record(struct sitting *t, const struct session_item *item, enum history_kind kind,
	const char *given)
{
	char err[300];
	int64_t at_s = t->l->began_s + (now_ms(t) - t->began_ms) / 1000;
	struct history_event e = history_event_of(item, kind, given, mode_names[t->s->mode], at_s);
	if (!t->l->record || t->l->record(&e, err, sizeof err) == 0 || t->told)
		return;
	fprintf(t->l->err, "ridge drill: %s; the sitting goes on\n", err);
	t->told = true;
}

static void print_grade(const struct grade *g, FILE *out)
{
	if (*g->understood)
		fprintf(out, "read as %s\n", g->understood);
	fprintf(out, "%s: %s\n", verdict_names[g->verdict], verdict_words[g->verdict]);
	if (*g->remark)
		drill_text(g->remark, 0, out);
}

static void print_solution(
	const struct drill_session *s, const struct session_item *item, FILE *out)
{
	const struct variant *v = &item->variant;
	char spent[64], par[64];
	for (size_t i = 0; i < v->n_steps; i++) {
		if (*v->steps[i].symbols)
			drill_text(v->steps[i].symbols, 2, out);
		drill_text(v->steps[i].working, 2, out);
	}
	fprintf(out, "credit %.2f", item->credit);
	if (session_has_clock(s)) {
		quantity_format(spent, sizeof spent, (double)item->spent_ms / 1000, "s");
		quantity_format(par, sizeof par, v->drill->par_s, "s");
		fprintf(out, "; %s of %s: %s", spent, par,
			timer_names[timer_state(item->spent_ms, v->drill->par_s)]);
	}
	putc('\n', out);
	if (v->sim)
		fprintf(out, "turn the knobs: ridge sim %s\n", v->sim);
	if (v->page)
		fprintf(out, "read: ridge read %s\n", v->page);
	if (*v->follow_up) {
		fprintf(out, "follow-up:\n");
		drill_text(v->follow_up, 2, out);
	}
}

static void take_answer(struct sitting *t, struct session_item *item, const char *line)
{
	FILE *out = t->l->out;
	size_t step = item->variant.step;
	const struct grade *g = session_answer(t->s, line, now_ms(t));
	if (!g)
		return;
	record(t, item, HISTORY_ANSWER, line);
	print_grade(g, out);
	if (item->variant.step > step) {
		drill_text(item->variant.steps[step].working, 2, out);
		drill_step_of(&item->variant, out);
	}
	if (!item->closed && g->attempt_used && item->attempts)
		fprintf(out, "attempt %u of %u used\n", item->attempts, t->s->max_attempts);
}

/* False: the sitting ends. */
static bool pause_until_next_line(struct sitting *t)
{
	char line[LINE_SIZE];
	session_pause(t->s, now_ms(t));
	bool more = ask(t, "The clock stands. Enter goes on> ", line);
	session_resume(t->s, now_ms(t));
	return more;
}

/* One line of input to the current problem. False: the sitting ends. */
static bool take_line(struct sitting *t, const char *line)
{
	struct session_item *item = session_current(t->s);
	if (strcmp(line, "quit") == 0)
		return false;
	if (strcmp(line, "pause") == 0)
		return pause_until_next_line(t);
	if (strcmp(line, "skip") == 0) {
		session_give_up(t->s, now_ms(t));
		record(t, item, HISTORY_GAVE_UP, "");
	} else if (!*line || strcmp(line, "?") == 0 || strcmp(line, "hint") == 0) {
		const char *hint = session_hint(t->s);
		drill_text(hint ? hint : "No more hints; skip shows the solution.", 2, t->l->out);
	} else {
		take_answer(t, item, line);
	}
	return true;
}

/* Whether the line was a program's, which is kept as an answer without its text. */
static bool take_program(struct sitting *t, struct program_lines *program, const char *line)
{
	struct session_item *item = session_current(t->s);
	unsigned attempts = item->attempts;
	if (!program_line(program, t->s, line))
		return false;
	if (item->closed || item->attempts > attempts)
		record(t, item, HISTORY_ANSWER, "");
	return true;
}

/* A phase of talk: notes are for the candidate, an empty line goes on. False: the sitting ends. */
static bool run_talk(struct sitting *t)
{
	const struct drill_session *s = t->s;
	const struct interview_phase *p = &interview_phases[s->phase];
	FILE *out = t->l->out;
	char line[LINE_SIZE], minutes[64];
	quantity_format(minutes, sizeof minutes, p->share * s->limit_s / 60, "min");
	fprintf(out, "Phase %d of %d: %s (%s)\n", (int)s->phase + 1, (int)N_PHASES, p->name,
		minutes);
	drill_text(p->advice, 0, out);
	if (s->phase == PHASE_CLARIFY)
		drill_text(s->items[0].variant.scene, 0, out);
	if (s->phase == PHASE_DESIGN && s->n)
		drill_text(s->items[0].variant.follow_up, 0, out);
	bool more = ask(t, "notes, or an empty line to go on> ", line);
	while (more && *line && strcmp(line, "quit") != 0)
		more = ask(t, "> ", line);
	return more && !*line;
}

/* False: the sitting ends. */
static bool run_problem(struct sitting *t)
{
	struct drill_session *s = t->s;
	struct session_item *item = session_current(s);
	struct program_lines program = {
		.in = t->l->in, .out = t->l->out, .now_ms = t->l->clock_ms
	};
	char line[LINE_SIZE], n_of[64];
	bool more = true;
	snprintf(n_of, sizeof n_of, "Problem %zu of %zu", s->current + 1, s->n);
	drill_problem(&item->variant, n_of, t->l->out);
	if (item->variant.program)
		fprintf(t->l->out,
			"run FILE, edit, or the program and a line with a single dot.\n");
	while (more && !item->closed && !session_tick(s, now_ms(t))) {
		more = ask(t, "answer> ", line);
		if (more && !session_tick(s, now_ms(t)) && !take_program(t, &program, line))
			more = take_line(t, line);
	}
	free(program.draft);
	if (item->closed && item->variant.program && !program.model_shown)
		drill_model(&item->variant, t->l->out);
	if (item->closed) {
		print_solution(s, item, t->l->out);
	} else if (more) {
		record(t, item, HISTORY_TIMED_OUT, "");
		fprintf(t->l->out, "time is up\n");
	}
	putc('\n', t->l->out);
	return more;
}

int drill_lines_run(struct drill_session *s, const struct drill_lines *l)
{
	struct sitting t = { s, l, l->clock_ms(), false };
	bool more = true;
	session_resume(s, now_ms(&t));
	while (more && !session_done(s)) {
		more = session_current(s) ? run_problem(&t) : run_talk(&t);
		if (s->mode == MODE_INTERVIEW && session_timer(s, now_ms(&t)) != TIMER_OK)
			fprintf(l->out, "pacing: %s\n", timer_names[session_timer(s, now_ms(&t))]);
		if (more)
			session_next(s, now_ms(&t));
	}
	session_pause(s, now_ms(&t));
	struct session_bests bests = answers_bests(s, l->began_s, l->load_history);
	drill_score(s, &bests, l->out);
	return fflush(l->out) || ferror(l->out) ? 1 : 0;
}
