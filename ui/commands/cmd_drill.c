#include "ui/commands/cmd_drill.h"
#include "ui/practice/drill_json.h"
#include "ui/practice/drill_sheet.h"

#include "drills/code.h"
#include "ui/data/answers.h"
#include "ui/data/bank_load.h"
#include "ui/practice/drill_lines.h"
#include "ui/practice/drill_request.h"
#include "ui/interviewer/interviewer.h"
#include "ui/data/tables_load.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char usage[] =
	"usage: ridge drill [--mode M] [--topic T] [--count N] [--seed N] [--code CODE] "
	"[--attempts N] [--answers] [--sheet] [--json] [--no-history] [--plain]\n";

static const char help[] =
	"Calculation drills, line by line. Type an answer with or without its unit, or the\n"
	"number of an option; an empty line or ? gives a hint, skip shows the solution, pause\n"
	"stops the clock until the next line, quit ends.\n"
	"\n"
	"  --mode M       set (problems against their par times), study (no clock), sprint\n"
	"                 (120 s in all), interview (five phases over 45 minutes), review (skills\n"
	"                 that are due)\n"
	"  --topic T      a topic, a skill or one drill; a mixed set without it\n"
	"  --count N      problems, 1 to 200 (5; 40 in a sprint)\n"
	"  --seed N       the same seed gives the same problems everywhere\n"
	"  --code CODE    all of these in a few symbols, as a session prints them: the same\n"
	"                 problems for another person\n"
	"  --attempts N   answers to one problem, 1 to 9 (3; 1 in a sprint, an interview, a\n"
	"                 review)\n"
	"  --sheet        prints the problems and ends\n"
	"  --answers      the interviewer's side: keys, working, likely mistakes, follow-ups,\n"
	"                 check lists; in a terminal a screen with clock, marks and notes\n"
	"  --interviewer  the same as --answers\n"
	"  --json         with --sheet: the same for programs\n"
	"  --no-history   keeps no answers: for scripts, and for another person at your desk.\n"
	"                 Otherwise ridge stats shows them, and reviews come from them\n"
	"  --plain        line by line in a terminal as well\n";

struct wanted {
	struct drill_request request;
	bool sheet, answers, json, help;
};

/* Problems alone are asked for on a sheet; else the answers are those of an interview. */
static bool interviews(int argc, char **argv)
{
	bool answers = false;
	for (int i = 1; i < argc; i++) {
		if (strcmp(argv[i], "--sheet") == 0)
			return false;
		answers |=
			strcmp(argv[i], "--answers") == 0 || strcmp(argv[i], "--interviewer") == 0;
	}
	return answers;
}

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
	if (interviews(argc, argv))
		r->request.options.mode = MODE_INTERVIEW;
	for (int i = 1; i < argc; i++) {
		const char *arg = argv[i];
		if (strcmp(arg, "--sheet") == 0) {
			r->sheet = true;
		} else if (strcmp(arg, "--answers") == 0 || strcmp(arg, "--interviewer") == 0) {
			r->answers = true;
		} else if (strcmp(arg, "--json") == 0) {
			r->json = true;
		} else if (strcmp(arg, "--help") == 0) {
			r->help = true;
		} else if (strcmp(arg, "--no-history") == 0) {
			r->request.forget = true;
		} else if (strcmp(arg, "--plain") != 0) {
			if (!takes_value(arg))
				return misuse(err, "unknown argument: ", arg);
			if (++i == argc)
				return misuse(err, "a value is missing: ", arg);
			if (drill_request_set(&r->request, arg + 2, argv[i], why, sizeof why))
				return misuse(err, why, "");
		}
	}
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

/* Of the history, when it is a review that is asked for. */
static int complete(struct drill_request *r, const struct drill_bank *b, int64_t now_s, char *why,
	size_t why_size)
{
	struct history h = { 0 };
	struct stats stats = { 0 };
	int rc = 0;
	if (r->options.mode == MODE_REVIEW)
		rc = answers_load(&h, why, why_size) || stats_init(&stats, &h, now_s);
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
	if (!r->sheet && s->mode == MODE_INTERVIEW)
		interviewer_print_lists(s, out);
	return fflush(out) ? 1 : 0;
}

static int run(struct wanted *r, const struct tables *t, const struct drill_bank *b, FILE *in,
	FILE *out, FILE *err)
{
	struct drill_session session = { 0 };
	const char *code = r->request.code;
	struct drill_lines lines = { in, out, err, now_ms, (int64_t)time(NULL),
		r->request.forget ? NULL : answers_keep, answers_load };
	char why[300];
	int rc = 2;
	if (complete(&r->request, b, lines.began_s, why, sizeof why) ||
		session_init(&session, b, t, &r->request.options, why, sizeof why)) {
		fprintf(err, "ridge drill: %s\n", why);
		session_release(&session);
		return rc;
	}
	if (r->request.attempts)
		session.max_attempts = r->request.attempts;
	if (!r->json)
		fprintf(out, "%zu problem%s, %s, seed %llu%s%s\n\n", session.n,
			session.n == 1 ? "" : "s", mode_names[session.mode],
			(unsigned long long)session.seed, *code ? ", code " : ", ",
			*code ? code : code_missing(b, &session));
	rc = r->sheet || r->answers ? print_sheet(&session, r, out)
				    : drill_lines_run(&session, &lines);
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
