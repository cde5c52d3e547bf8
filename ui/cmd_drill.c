#include "ui/cmd_drill.h"

#include "sims/quantity.h"
#include "ui/bank_load.h"
#include "ui/tables_load.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE_SIZE = 512, MOST_COUNT = 200, MOST_ATTEMPTS = 9 };

static const char usage[] = "usage: ridge drill [--topic T] [--count N] [--seed N] [--attempts N] "
			    "[--sheet [--answers]] [--plain]\n";

static const char help[] =
	"Calculation drills, line by line. Type an answer with or without its unit; an\n"
	"empty line or ? gives a hint, skip shows the solution, quit ends.\n"
	"\n"
	"  --topic T      a topic, a skill or one drill; a mixed set without it\n"
	"  --count N      problems, 1 to 200 (5)\n"
	"  --seed N       the same seed gives the same problems everywhere\n"
	"  --attempts N   answers to one problem, 1 to 9 (1)\n"
	"  --sheet        prints the problems and ends\n"
	"  --answers      with --sheet: keys, working, likely mistakes, follow-ups\n"
	"  --plain        line by line in a terminal as well\n";

struct wanted {
	struct session_options options;
	unsigned long long attempts;
	bool seeded, sheet, answers, help;
};

static int misuse(FILE *err, const char *what, const char *arg)
{
	fprintf(err, "ridge drill: %s%s; %s", what, arg, usage);
	return 2;
}

static bool read_number(const char *text, unsigned long long least, unsigned long long most,
	unsigned long long *out)
{
	char *end;
	if (!*text || strspn(text, "0123456789") != strlen(text) || strlen(text) > 19)
		return false;
	*out = strtoull(text, &end, 10);
	return *out >= least && *out <= most;
}

/* An option that takes a value. 0; 1 when it is none of them; -1 when the value is wrong. */
static int read_option(const char *name, const char *value, struct wanted *r)
{
	unsigned long long n = 0;
	if (strcmp(name, "--topic") == 0) {
		r->options.topic = value;
		return 0;
	}
	if (strcmp(name, "--count") == 0) {
		if (!read_number(value, 1, MOST_COUNT, &n))
			return -1;
		r->options.count = (size_t)n;
		return 0;
	}
	if (strcmp(name, "--seed") == 0) {
		r->seeded = true;
		if (!read_number(value, 0, ~0ull, &n))
			return -1;
		r->options.seed = n;
		return 0;
	}
	if (strcmp(name, "--attempts") == 0)
		return read_number(value, 1, MOST_ATTEMPTS, &r->attempts) ? 0 : -1;
	return 1;
}

static int read_arguments(int argc, char **argv, struct wanted *r, FILE *err)
{
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		if (strcmp(arg, "--sheet") == 0) {
			r->sheet = true;
		} else if (strcmp(arg, "--answers") == 0) {
			r->answers = true;
		} else if (strcmp(arg, "--help") == 0) {
			r->help = true;
		} else if (strcmp(arg, "--plain") != 0) {
			int rc = read_option(arg, i + 1 < argc ? argv[i + 1] : "", r);
			if (rc > 0)
				return misuse(err, "unknown argument: ", arg);
			if (rc < 0 || i + 1 == argc)
				return misuse(err, "a value is missing or out of range: ", arg);
			i++;
		}
	}
	if (r->answers && !r->sheet)
		return misuse(err, "--answers goes with --sheet", "");
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

static void print_solution(const struct session_item *item, int64_t spent_ms, FILE *out)
{
	const struct variant *v = &item->variant;
	char spent[64], par[64];
	drill_text(v->symbols, 2, out);
	drill_text(v->working, 2, out);
	quantity_format(spent, sizeof spent, (double)spent_ms / 1000, "s");
	quantity_format(par, sizeof par, v->drill->par_s, "s");
	fprintf(out, "credit %.2f; %s of %s: %s\n", item->credit, spent, par,
		timer_names[timer_state(spent_ms, v->drill->par_s)]);
	fprintf(out, "turn the knobs: ridge sim %s\nread: ridge read %s\n", v->sim, v->page);
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
	const struct grade *g = session_answer(s, line, now_ms());
	if (g)
		print_grade(g, out);
	if (!item->closed && g && g->attempt_used)
		fprintf(out, "attempt %u of %u used\n", item->attempts, s->max_attempts);
	return true;
}

static void print_score(const struct drill_session *s, FILE *out)
{
	struct session_score score = session_score(s);
	char spent[64];
	quantity_format(spent, sizeof spent, (double)score.spent_ms / 1000, "s");
	fprintf(out, "%zu of %zu right, %zu of them within par; credit %.2f; %s\n", score.correct,
		score.n, score.within_par, score.credit, spent);
}

static int run_lines(struct drill_session *s, FILE *in, FILE *out)
{
	char line[LINE_SIZE], n_of[64];
	bool more = true;
	while (more && session_current(s)) {
		struct session_item *item = session_current(s);
		snprintf(n_of, sizeof n_of, "Problem %zu of %zu", s->current + 1, s->n);
		drill_problem(&item->variant, n_of, out);
		session_resume(s, now_ms());
		while (more && !item->closed) {
			fprintf(out, "answer> ");
			/* Where nobody can read the problems there is no use in waiting for
			 * answers. */
			more = fflush(out) == 0 && read_line(in, line);
			putc('\n', out);
			more = more && take_line(s, line, out);
		}
		if (item->closed)
			print_solution(item, session_spent_ms(s, now_ms()), out);
		putc('\n', out);
		session_next(s, now_ms());
	}
	print_score(s, out);
	return fflush(out) || ferror(out) ? 1 : 0;
}

static int run(struct wanted *r, const struct tables *t, const struct drill_bank *b, FILE *in,
	FILE *out, FILE *err)
{
	struct drill_session session;
	char why[300];
	int rc = 1;
	if (session_init(&session, b, t, &r->options, why, sizeof why)) {
		fprintf(err, "ridge drill: %s\n", why);
		rc = 2;
	} else {
		session.max_attempts = (unsigned)r->attempts;
		fprintf(out, "%zu problems, seed %llu\n\n", session.n,
			(unsigned long long)session.seed);
		if (r->sheet)
			drill_sheet(&session, r->answers, out);
		rc = r->sheet ? (fflush(out) ? 1 : 0) : run_lines(&session, in, out);
	}
	session_release(&session);
	return rc;
}

int cmd_drill(int argc, char **argv, FILE *in, FILE *out, FILE *err)
{
	struct wanted r = { .options = { .count = 5 }, .attempts = 1 };
	struct tables t = { 0 };
	struct drill_bank b = { 0 };
	char why[300];
	int rc = read_arguments(argc, argv, &r, err);
	if (rc)
		return rc;
	if (r.help) {
		fprintf(out, "%s\n%s", usage, help);
		return fflush(out) ? 1 : 0;
	}
	if (!r.seeded)
		r.options.seed = (uint64_t)time(NULL) % 100000;
	if (tables_load_for(&t, "ridge drill", err))
		return 1;
	if (bank_load(&b, &t, why, sizeof why)) {
		fprintf(err, "ridge drill: %s\n", why);
		rc = 1;
	} else {
		rc = run(&r, &t, &b, in, out, err);
	}
	bank_release(&b);
	tables_release(&t);
	return rc;
}
