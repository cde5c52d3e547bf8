/* Each line of input goes to the session, and what came of it is printed. A program may be many
 * lines, so a part of the file reads those. */
#include "ui/practice/drill_lines.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "ui/files/own_file.h"
#include "ui/files/printed.h"
#include "ui/programs/code_draft.h"
#include "ui/programs/code_edit.h"
#include "ui/programs/code_run.h"
#include "ui/programs/confine_files.h"
#include "ui/programs/consent.h"
#include "ui/programs/private_dir.h"
#include "ui/data/answers.h"
#include "ui/practice/date_words.h"
#include "ui/practice/drill_sheet.h"
#include "ui/practice/sitting.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_SIZE = 512, PROGRAM_LINE_SIZE = 1024 };

/* ---- Programs as answers. ---- */

struct line_program {
	FILE *in, *out;
	int64_t (*now_ms)(void);
	char *draft;      /* the program so far, or NULL; the caller frees it */
	bool keeps;       /* it, until it passes */
	bool model_shown; /* to judge the program by */
};

/* A program that is being read. */
struct program_text {
	char *bytes; /* from malloc, terminated */
	size_t n;
	bool too_long;
};

static void add_text(struct program_text *t, const char *bytes, size_t n)
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

/* The first line and those that follow, until a single dot or the end of the input. NULL: too
 * long. */
static char *read_lines(const char *first, FILE *in)
{
	struct program_text t = { 0 };
	char line[PROGRAM_LINE_SIZE];
	bool begins = true; /* at the beginning of a line, not within a long one */
	add_text(&t, first, strlen(first));
	add_text(&t, "\n", 1);
	while (fgets(line, sizeof line, in)) {
		size_t n = strlen(line);
		bool whole = n > 0 && line[n - 1] == '\n';
		if (begins && (strcmp(line, ".\n") == 0 || strcmp(line, ".\r\n") == 0))
			break;
		add_text(&t, line, n);
		begins = whole;
	}
	if (t.too_long) {
		free(t.bytes);
		return NULL;
	}
	return t.bytes;
}

/* The file that the user names, from malloc; NULL, and a line to out that says why. */
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

static void take_draft(struct line_program *l, char *text)
{
	free(l->draft);
	l->draft = text;
}

/* Opens an editor on the program as it is so far. */
static char *edit_program(struct line_program *l, const struct variant *v)
{
	char err[300] = "out of memory";
	char *text = strdup(l->draft ? l->draft : v->program->stub);
	if (!isatty(fileno(l->in)))
		snprintf(err, sizeof err, "edit: the input is not a terminal; expected run FILE");
	else if (text && code_edit(v, l->keeps, NULL, &text, err, sizeof err) == 0)
		return text;
	fprintf(l->out, "%s\n", err);
	/* what the editor had saved, or what was there before it */
	if (text && strcmp(text, v->program->stub) != 0)
		take_draft(l, text);
	else
		free(text);
	return NULL;
}

/* The program as it is so far, once more: the one that was left, or that failed for another reason than itself. */
static char *again(const struct line_program *l)
{
	if (!l->draft)
		fprintf(l->out,
			"there is no program yet: expected run FILE, edit, or its first line\n");
	return l->draft ? strdup(l->draft) : NULL;
}

/* text: NULL where it has passed. */
static void keep_draft(const struct line_program *l, const struct variant *v, const char *text)
{
	char err[400];
	if (l->keeps && code_draft_keep(v, text, err, sizeof err))
		fprintf(l->out, "your program is not kept: %s\n", err);
}

/* A program that was left before it passed is there again. */
static void take_up(struct line_program *l, const struct variant *v, int64_t today)
{
	char day[DATE_WORDS_SIZE];
	int64_t left_s = 0;
	l->draft = l->keeps ? code_draft_read(v, &left_s) : NULL;
	if (l->draft)
		fprintf(l->out,
			"You left a program here on %s: edit goes on with it, run runs it.\n",
			date_words(left_s / CALENDAR_DAY_S, today, day, sizeof day));
}

/* Where nothing can be run, the candidate compares the program with the solution and judges it. */
static void assess(struct line_program *l, struct drill_session *s)
{
	const struct variant *v = &session_current(s)->variant;
	struct grade g = { .verdict = VERDICT_INVALID };
	char line[PROGRAM_LINE_SIZE];
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

/* Each line marked, so that a program cannot pass its own for ridge's. */
static void print_said(const char *said, FILE *out)
{
	fputs("it printed:\n", out);
	while (*said) {
		size_t n = strcspn(said, "\n");
		fprintf(out, "  | %.*s\n", (int)n, said);
		said += n + (said[n] == '\n');
	}
}

static void print_result(const struct code_result *r, FILE *out)
{
	const struct grade *g = &r->grade;
	if (*r->said)
		print_said(r->said, out);
	fprintf(out, "%s: %s%s%s\n", verdict_names[g->verdict],
		g->verdict == VERDICT_INVALID ? "no attempt used" : verdict_words[g->verdict],
		*g->understood ? ", " : "", g->understood);
	if (*g->remark)
		drill_text(g->remark, 0, out);
}

/* Whether the user lets it run where it cannot be confined. */
static bool gives_leave(const struct line_program *l, const char *why)
{
	char line[PROGRAM_LINE_SIZE], text[1200];
	drill_text(consent_text(why, text, sizeof text), 0, l->out);
	for (;;) {
		fprintf(l->out, "%s, or Enter> ", CONSENT_WORDS);
		if (fflush(l->out) || !fgets(line, sizeof line, l->in))
			return false;
		line[strcspn(line, "\r\n")] = '\0';
		if (!*line)
			return false;
		if (strcmp(line, CONSENT_WORDS) == 0 && consent_keep(text, sizeof text) == 0)
			return true;
		fprintf(l->out, "%s\n",
			strcmp(line, CONSENT_WORDS) == 0 ? text : "that is neither of them");
	}
}

static void run_draft(struct line_program *l, struct drill_session *s)
{
	struct session_item *item = session_current(s);
	struct code_result r;
	char err[600];
	int rc = code_run(&item->variant, l->draft, NULL, &r, err, sizeof err);
	bool asked = rc == 0 && r.state == CODE_NOT_CONFINED;
	if (asked && gives_leave(l, r.why))
		rc = code_run(&item->variant, l->draft, NULL, &r, err, sizeof err);
	if (rc) {
		fprintf(l->out, "%s\n", err);
		return;
	}
	if (r.state == CODE_NOT_CONFINED) {
		fprintf(l->out, "Compare it with this.\n");
		assess(l, s);
		return;
	}
	if (r.state == CODE_NO_TOOL) {
		fprintf(l->out, "There is no %s here to run it: compare it with this.\n", r.tool);
		assess(l, s);
		return;
	}
	if (*r.why)
		fprintf(l->out, "It ran unconfined, as you allowed: %s.\n", r.why);
	print_result(&r, l->out);
	session_answer_graded(s, &r.grade, l->now_ms());
	if (!item->closed && r.grade.attempt_used)
		fprintf(l->out, "attempt %u of %u used\n", item->attempts, s->max_attempts);
}

static char *read_program(struct line_program *l, const struct variant *v, const char *line)
{
	if (strncmp(line, "run ", 4) == 0)
		return read_file(line + 4 + strspn(line + 4, " "), l->out);
	if (strcmp(line, "run") == 0)
		return again(l);
	if (strcmp(line, "edit") == 0)
		return edit_program(l, v);
	char *text = read_lines(line, l->in);
	if (!text)
		fprintf(l->out, "the program is too long: expected at most %d bytes\n",
			LARGEST_PROGRAM);
	return text;
}

/* A line of input to the current problem where that is a program to write: "run FILE", "run", "edit", or
 * the first line of the program itself, whose others are read until a line with a single dot.
 * False: the problem is of another kind, or the line is a command. */
static bool program_line(struct line_program *l, struct drill_session *s, const char *line)
{
	static const char *const others[] = { "", "?", "hint", "skip", "pause", "quit" };
	const struct session_item *item = session_current(s);
	if (!item || !item->variant.program)
		return false;
	for (size_t i = 0; i < LENGTH(others); i++)
		if (strcmp(line, others[i]) == 0)
			return false;
	char *text = read_program(l, &item->variant, line);
	if (!text)
		return true;
	take_draft(l, text);
	keep_draft(l, &item->variant, text);
	run_draft(l, s);
	if (item->closed && session_item_right(item))
		keep_draft(l, &item->variant, NULL);
	return true;
}

/* ---- The sitting. ---- */

struct desk {
	struct drill_session *s;
	const struct drill_lines *l;
	struct sitting sitting;
	bool told; /* that answers are not kept */
};

static int64_t now_ms(const struct desk *t)
{
	return t->l->clock_ms();
}

/* A line without its end. What is too long for an answer is cut; the grammar then refuses it. */
static bool read_line(FILE *in, char line[LINE_SIZE])
{
	if (!own_read_line(line, LINE_SIZE, in))
		return false;
	size_t n = strcspn(line, "\r\n");
	for (int c = line[n] ? '\n' : getc(in); c != '\n' && c != EOF; c = getc(in))
		;
	line[n] = '\0';
	return true;
}

/* False at the end of the input, and where the output fails: who cannot read the problems will not
 * answer them. */
static bool ask(const struct desk *t, const char *prompt, char line[LINE_SIZE])
{
	fputs(prompt, t->l->out);
	bool more = fflush(t->l->out) == 0 && read_line(t->l->in, line);
	putc('\n', t->l->out);
	return more;
}

/* Said once: all that follows is not kept either. */
static void tell_if_lost(struct desk *t)
{
	if (!*t->sitting.error || t->told)
		return;
	fprintf(t->l->err, "ridge drill: %s; the sitting goes on\n", t->sitting.error);
	t->told = true;
}

static void print_grade(const struct grade *g, FILE *out)
{
	if (*g->understood)
		fprintf(out, "read as %s\n", g->understood);
	fprintf(out, "%s: %s\n", verdict_names[g->verdict], verdict_words[g->verdict]);
	if (*g->remark)
		drill_text(g->remark, 0, out);
	if (g->verdict == VERDICT_WRONG_DIM && !g->attempt_used)
		fprintf(out, "asked again: it cost no attempt\n");
}

/* Whether the result of the working has the number that the answer has, and so its unit. */
static bool ends_as_asked(const struct variant_step *step)
{
	const char *result = step->working;
	double asked = strtod(step->answer, NULL);
	char digits[32];
	size_t n = 0;
	for (const char *p = result; (p = strstr(p, " = "));)
		result = p += strlen(" = ");
	for (; *result && *result != ' ' && n < sizeof digits - 1; result++)
		if (strchr("-.0123456789", *result))
			digits[n++] = *result;
	digits[n] = '\0';
	return fabs(strtod(digits, NULL) - asked) <= 0.02 * fabs(asked);
}

static void print_working(const struct variant_step *step, FILE *out)
{
	char text[1100];
	drill_text(step->working, 2, out);
	if (step->args && !ends_as_asked(step)) {
		snprintf(text, sizeof text, "= %s", step->answer);
		drill_text(text, 2, out);
	}
	if (*whiteboard_line(step, text, sizeof text))
		drill_text(text, 2, out);
}

static void print_solution(
	const struct drill_session *s, const struct session_item *item, FILE *out)
{
	const struct variant *v = &item->variant;
	char spent[64], par[64];
	for (size_t i = 0; i < v->n_steps; i++) {
		if (*v->steps[i].symbols)
			drill_text(v->steps[i].symbols, 2, out);
		print_working(&v->steps[i], out);
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

static void take_answer(struct desk *t, struct session_item *item, const char *line)
{
	FILE *out = t->l->out;
	size_t step = item->variant.step;
	const struct grade *g = sitting_answer(&t->sitting, line, now_ms(t));
	if (!g)
		return;
	tell_if_lost(t);
	print_grade(g, out);
	if (item->variant.step > step) {
		drill_text(item->variant.steps[step].working, 2, out);
		drill_step_of(&item->variant, out);
	}
	if (!item->closed && g->attempt_used && item->attempts)
		fprintf(out, "attempt %u of %u used\n", item->attempts, t->s->max_attempts);
}

/* False: the sitting ends. */
static bool pause_until_next_line(struct desk *t)
{
	char line[LINE_SIZE];
	session_pause(t->s, now_ms(t));
	bool more = ask(t, "The clock stands. Enter goes on> ", line);
	session_resume(t->s, now_ms(t));
	return more;
}

/* One line of input to the current problem. False: the sitting ends. */
static bool take_line(struct desk *t, const char *line)
{
	struct session_item *item = session_current(t->s);
	if (strcmp(line, "quit") == 0)
		return false;
	if (strcmp(line, "pause") == 0)
		return pause_until_next_line(t);
	if (strcmp(line, "skip") == 0) {
		sitting_give_up(&t->sitting, now_ms(t));
		tell_if_lost(t);
	} else if (!*line || strcmp(line, "?") == 0 || strcmp(line, "hint") == 0) {
		const char *hint = session_hint(t->s);
		const char *none = item->step_hints
					   ? "No more hints; skip shows the solution."
					   : "This part has no hint; skip shows the solution.";
		drill_text(hint ? hint : none, 2, t->l->out);
	} else {
		take_answer(t, item, line);
	}
	return true;
}

/* Whether the line belonged to a program. The history keeps that it was answered, not its text. */
static bool take_program(struct desk *t, struct line_program *program, const char *line)
{
	struct session_item *item = session_current(t->s);
	unsigned attempts = item->attempts;
	if (!program_line(program, t->s, line))
		return false;
	if (item->closed || item->attempts > attempts)
		sitting_record(&t->sitting, item, HISTORY_ANSWER, "", now_ms(t));
	tell_if_lost(t);
	return true;
}

/* A phase of talk: the candidate may type notes, which nobody reads; an empty line goes on. False:
 * the sitting ends. */
static bool run_talk(struct desk *t)
{
	const struct drill_session *s = t->s;
	const struct interview_phase *p = &s->plan[s->phase];
	FILE *out = t->l->out;
	char line[LINE_SIZE], minutes[64];
	quantity_format(minutes, sizeof minutes, p->share * s->limit_s / 60, "min");
	fprintf(out, "Phase %d of %d: %s (%s)\n", (int)s->phase + 1, (int)N_INTERVIEW_PHASES,
		p->name, minutes);
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
static bool run_problem(struct desk *t)
{
	struct drill_session *s = t->s;
	struct session_item *item = session_current(s);
	struct line_program program = { .in = t->l->in,
		.out = t->l->out,
		.now_ms = t->l->clock_ms,
		.keeps = t->l->record != NULL };
	char line[LINE_SIZE], n_of[64];
	bool more = true;
	snprintf(n_of, sizeof n_of, "Problem %zu of %zu", s->current + 1, s->n);
	drill_problem(&item->variant, n_of, t->l->out);
	if (item->variant.program) {
		fprintf(t->l->out, "run FILE, edit, or the program and a line with a single dot.\n"
				   "Confined, it can read " CONFINE_READS ".\n");
		take_up(&program, &item->variant, t->l->began_s / CALENDAR_DAY_S);
	}
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
		sitting_record(&t->sitting, item, HISTORY_TIMED_OUT, "", now_ms(t));
		tell_if_lost(t);
		fprintf(t->l->out, "time is up\n");
	}
	putc('\n', t->l->out);
	return more;
}

/* Against a clock the first problem waits for who sits there; a pipe has nobody to wait for. False: the input
 * ends before. */
static bool wait_to_begin(struct desk *t)
{
	const int in = fileno(t->l->in);
	char line[LINE_SIZE];
	return t->s->limit_s <= 0 || in < 0 || !isatty(in) ||
	       ask(t, "The clock stands. Enter starts it> ", line);
}

int drill_lines_run(struct drill_session *s, const struct drill_lines *l)
{
	struct desk t = { .s = s, .l = l };
	t.sitting = (struct sitting){
		.session = s,
		.keep = l->record,
		.set = l->set,
		.began_s = l->began_s,
		.began_ms = l->clock_ms(),
	};
	private_dir_sweep();
	bool more = wait_to_begin(&t);
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
	const bool broke = own_lines_broke(l->in, "ridge drill", l->err);
	return printed_end(l->out) || broke ? 1 : 0;
}
