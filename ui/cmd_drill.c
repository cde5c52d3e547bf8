#include "ui/cmd_drill.h"

#include "drills/code.h"
#include "sims/quantity.h"
#include "ui/bank_load.h"
#include "ui/drill_request.h"
#include "ui/history_file.h"
#include "ui/tables_load.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_SIZE = 512 };

static const char usage[] =
	"usage: ridge drill [--mode M] [--topic T] [--count N] [--seed N] [--code "
	"CODE] [--attempts N] [--sheet [--answers] [--json]] [--plain]\n";

static const char help[] =
	"Calculation drills, line by line. Type an answer with or without its unit, or the\n"
	"number of an option; an empty line or ? gives a hint, skip shows the solution, quit\n"
	"ends.\n"
	"\n"
	"  --mode M       set (problems against their par times), study (no clock), sprint\n"
	"                 (120 s in all), interview (five phases over 45 minutes), review (skills\n"
	"                 that are due)\n"
	"  --topic T      a topic, a skill or one drill; a mixed set without it\n"
	"  --count N      problems, 1 to 200 (5; 40 in a sprint)\n"
	"  --seed N       the same seed gives the same problems everywhere\n"
	"  --code CODE    all of these in a few symbols, as a session prints them: the same\n"
	"                 problems for another person\n"
	"  --attempts N   answers to one problem, 1 to 9 (1)\n"
	"  --sheet        prints the problems and ends\n"
	"  --answers      with --sheet: keys, working, likely mistakes, follow-ups\n"
	"  --json         with --sheet: the same for programs\n"
	"  --plain        line by line in a terminal as well\n";

struct wanted {
	struct drill_request request;
	bool sheet, answers, json, help;
};

static int misuse(FILE *err, const char *what, const char *arg)
{
	fprintf(err, "ridge drill: %s%s; %s", what, arg, usage);
	return 2;
}

static bool takes_value(const char *arg)
{
	static const char *const names[] = { "--mode", "--topic", "--count", "--seed", "--code",
		"--attempts" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(arg, names[i]) == 0)
			return true;
	return false;
}

static int read_arguments(int argc, char **argv, struct wanted *r, FILE *err)
{
	char why[300];
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		if (strcmp(arg, "--sheet") == 0) {
			r->sheet = true;
		} else if (strcmp(arg, "--answers") == 0) {
			r->answers = true;
		} else if (strcmp(arg, "--json") == 0) {
			r->json = true;
		} else if (strcmp(arg, "--help") == 0) {
			r->help = true;
		} else if (strcmp(arg, "--plain") != 0) {
			if (!takes_value(arg))
				return misuse(err, "unknown argument: ", arg);
			if (++i == argc)
				return misuse(err, "a value is missing: ", arg);
			if (drill_request_set(&r->request, arg + 2, argv[i], why, sizeof why))
				return misuse(err, why, "");
		}
	}
	if (r->answers && !r->sheet)
		return misuse(err, "--answers goes with --sheet", "");
	if (r->json && !r->sheet)
		return misuse(err, "--json goes with --sheet", "");
	return 0;
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
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

static void print_grade(const struct grade *g, FILE *out)
{
	if (*g->understood)
		fprintf(out, "read as %s\n", g->understood);
	fprintf(out, "%s: %s\n", verdict_names[g->verdict], verdict_words[g->verdict]);
	if (*g->remark)
		drill_text(g->remark, 0, out);
}

static void print_solution(
	const struct drill_session *s, const struct session_item *item, int64_t spent_ms, FILE *out)
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
		quantity_format(spent, sizeof spent, (double)spent_ms / 1000, "s");
		quantity_format(par, sizeof par, v->drill->par_s, "s");
		fprintf(out, "; %s of %s: %s", spent, par,
			timer_names[timer_state(spent_ms, v->drill->par_s)]);
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

/* One line of input to the current problem. False: the sitting ends. */
static bool take_line(struct drill_session *s, const char *line, FILE *out)
{
	struct session_item *item = session_current(s);
	if (strcmp(line, "quit") == 0)
		return false;
	if (strcmp(line, "skip") == 0) {
		session_give_up(s, now_ms());
		return true;
	}
	if (!*line || strcmp(line, "?") == 0 || strcmp(line, "hint") == 0) {
		const char *hint = session_hint(s);
		drill_text(hint ? hint : "No more hints; skip shows the solution.", 2, out);
		return true;
	}
	size_t step = item->variant.step;
	const struct grade *g = session_answer(s, line, now_ms());
	if (g)
		print_grade(g, out);
	if (item->variant.step > step) {
		drill_text(item->variant.steps[step].working, 2, out);
		drill_step_of(&item->variant, out);
	}
	if (!item->closed && g && g->attempt_used && item->attempts)
		fprintf(out, "attempt %u of %u used\n", item->attempts, s->max_attempts);
	return true;
}

/* A phase of talk: notes are for the candidate, an empty line goes on. False: the sitting ends. */
static bool run_talk(struct drill_session *s, FILE *in, FILE *out)
{
	const struct interview_phase *p = &interview_phases[s->phase];
	char line[LINE_SIZE], minutes[64];
	quantity_format(minutes, sizeof minutes, p->share * s->limit_s / 60, "min");
	fprintf(out, "Phase %d of %d: %s (%s)\n", (int)s->phase + 1, (int)N_PHASES, p->name,
		minutes);
	drill_text(p->advice, 0, out);
	if (s->phase == PHASE_CLARIFY)
		drill_text(s->items[0].variant.scene, 0, out);
	if (s->phase == PHASE_DESIGN && s->n)
		drill_text(s->items[0].variant.follow_up, 0, out);
	fprintf(out, "notes, or an empty line to go on> ");
	bool more;
	while ((more = fflush(out) == 0 && read_line(in, line)) && *line &&
		strcmp(line, "quit") != 0)
		fprintf(out, "> ");
	putc('\n', out);
	return more && !*line;
}

/* False: the sitting ends. */
static bool run_problem(struct drill_session *s, FILE *in, FILE *out)
{
	struct session_item *item = session_current(s);
	char line[LINE_SIZE], n_of[64];
	bool more = true;
	snprintf(n_of, sizeof n_of, "Problem %zu of %zu", s->current + 1, s->n);
	drill_problem(&item->variant, n_of, out);
	while (more && !item->closed && !session_tick(s, now_ms())) {
		fprintf(out, "answer> ");
		/* Where nobody can read the problems there is no use in waiting for answers. */
		more = fflush(out) == 0 && read_line(in, line);
		putc('\n', out);
		more = more && take_line(s, line, out);
	}
	if (item->closed)
		print_solution(s, item, item->spent_ms, out);
	else if (session_done(s))
		fprintf(out, "time is up\n");
	putc('\n', out);
	return more;
}

static int run_lines(struct drill_session *s, FILE *in, FILE *out)
{
	bool more = true;
	session_resume(s, now_ms());
	while (more && !session_done(s)) {
		more = session_current(s) ? run_problem(s, in, out) : run_talk(s, in, out);
		if (s->mode == MODE_INTERVIEW && session_timer(s, now_ms()) != TIMER_OK)
			fprintf(out, "pacing: %s\n", timer_names[session_timer(s, now_ms())]);
		if (more)
			session_next(s, now_ms());
	}
	session_pause(s, now_ms());
	drill_score(s, out);
	return fflush(out) || ferror(out) ? 1 : 0;
}

/* Of the history, when it is a review that is asked for. */
static int complete(struct drill_request *r, const struct drill_bank *b, char *why, size_t why_size)
{
	struct history h = { 0 };
	struct stats stats = { 0 };
	char path[4096];
	int64_t now_s = (int64_t)time(NULL);
	int rc = 0;
	if (r->options.mode == MODE_REVIEW && history_path(path, sizeof path))
		rc = history_load(&h, path, why, why_size) || stats_init(&stats, &h, now_s);
	if (rc == 0)
		rc = drill_request_complete(r, b, &stats, (uint64_t)now_s % 100000, why, why_size);
	stats_release(&stats);
	history_release(&h);
	return rc;
}

static int print_sheet(const struct drill_session *s, const struct wanted *r, FILE *out)
{
	if (r->json)
		return drill_json(s, r->request.code, r->answers, out);
	drill_sheet(s, r->answers, out);
	return fflush(out) ? 1 : 0;
}

static int run(struct wanted *r, const struct tables *t, const struct drill_bank *b, FILE *in,
	FILE *out, FILE *err)
{
	struct drill_session session = { 0 };
	const char *code = r->request.code;
	char why[300];
	int rc = 2;
	if (complete(&r->request, b, why, sizeof why) ||
		session_init(&session, b, t, &r->request.options, why, sizeof why)) {
		fprintf(err, "ridge drill: %s\n", why);
		session_release(&session);
		return rc;
	}
	session.max_attempts = r->request.attempts ? r->request.attempts : 1;
	if (!r->json)
		fprintf(out, "%zu problems, %s, seed %llu%s%s\n\n", session.n,
			mode_names[session.mode], (unsigned long long)session.seed,
			*code ? ", code " : ", ", *code ? code : code_missing(b, &session));
	rc = r->sheet ? print_sheet(&session, r, out) : run_lines(&session, in, out);
	session_release(&session);
	return rc;
}

int cmd_drill(int argc, char **argv, FILE *in, FILE *out, FILE *err)
{
	struct wanted r = { 0 };
	struct tables t = { 0 };
	struct drill_bank b = { 0 };
	int rc = read_arguments(argc, argv, &r, err);
	if (rc)
		return rc;
	if (r.help) {
		fprintf(out, "%s\n%s", usage, help);
		return fflush(out) ? 1 : 0;
	}
	if (tables_load_for(&t, "ridge drill", err))
		return 1;
	rc = bank_load_for(&b, &t, "ridge drill", err) ? 1 : run(&r, &t, &b, in, out, err);
	bank_release(&b);
	tables_release(&t);
	return rc;
}
