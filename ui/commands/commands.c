#include "ui/commands/commands.h"

#include "ui/commands/cmd_drill.h"
#include "sims/base/nearest.h"
#include "ui/commands/cmd_calc.h"
#include "ui/commands/cmd_grade.h"
#include "ui/commands/cmd_measure.h"
#include "ui/commands/cmd_read.h"
#include "ui/commands/cmd_stats.h"
#include "ui/commands/cmd_validate.h"
#include "ui/pages/page_env.h"
#include "ui/data/tables_load.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int run_calc(int argc, char **argv, const struct streams *io)
{
	return cmd_calc(argc, argv, io->out, io->err);
}

static int run_grade(int argc, char **argv, const struct streams *io)
{
	return cmd_grade(argc, argv, io->out, io->err);
}

static int run_drill(int argc, char **argv, const struct streams *io)
{
	return cmd_drill(argc, argv, io->in, io->out, io->err);
}

static int run_read(int argc, char **argv, const struct streams *io)
{
	struct tables t = { 0 };
	if (tables_load_for(&t, "ridge read", io->err))
		return 1;
	struct page_env env = page_env_printing(&t);
	int rc = cmd_read(argc, argv, &env, io->out, io->err);
	tables_release(&t);
	return rc;
}

/* `open` is the explorer's and needs the terminal; it stands here for --help. */
const struct command commands[] = {
	{ "open", "ridge open NAME [knob=value ...]",
		"opens the explorer on a page, a simulation, \"drill\" or \"stats\"", NULL },
	{ "sim",
		"ridge sim [NAME [knob=value ...]] [--json|--csv|--text] [--size COLSxROWS] [--at "
		"TIME] [--color]",
		"lists the simulations, or runs one without a terminal", cmd_sim },
	{ "calc", "ridge calc [FORMULA [name=value ...] [model=ID] [gpu=ID]] [--json]",
		"lists the formulas, or evaluates one: symbols, substitution, result", run_calc },
	{ "read", "ridge read [PAGE] [--width N] [--plain]", "lists the pages, or prints one",
		run_read },
	{ "search", "ridge search WORDS",
		"pages, simulations, formulas, drills that match, best first", cmd_search },
	{ "drill",
		"ridge drill [--mode M] [--topic T] [--count N] [--code CODE] [--answers] "
		"[--sheet] [--no-history] [--plain]",
		"calculation drills, in the terminal or line by line", run_drill },
	{ "stats", "ridge stats [--json|--csv] [--export]",
		"your answers: by topic and skill, times, kinds of mistakes, what is due",
		cmd_stats },
	{ "grade", "ridge grade QUESTION.json ANSWER [--json]",
		"grades one answer: verdict, what was understood, remark, credit", run_grade },
	{ "validate", "ridge validate [MODEL [FILE.csv]] [--json] [--plot] [--size COLSxROWS]",
		"the models against measurements: built-in ones, or a file of your own",
		cmd_validate },
	{ "measure", "ridge measure [--json] [--quick] [--plain]",
		"this machine's memory bandwidth by level and its peak, for the roofline",
		cmd_measure },
	{ "frame",
		"ridge frame [NAME [knob=value ...]] [--size COLSxROWS] [--keys \"l l Tab :\"] "
		"[--color] [--braille]",
		"prints the explorer's screen after those keys, without a terminal", cmd_frame },
	{ "info", "ridge info [--keys|--licences]",
		"paths, locale, colours, glyphs, and why each was chosen; the key table; notices",
		cmd_info },
};
const size_t n_commands = sizeof commands / sizeof *commands;

const struct command *command_find(const char *name)
{
	for (size_t i = 0; i < n_commands; i++)
		if (strcmp(commands[i].name, name) == 0)
			return &commands[i];
	return NULL;
}

int commands_help(FILE *out)
{
	fprintf(out, "ridge: machine-learning performance engineering, in the terminal\n\n"
		     "  ridge                    opens the explorer\n"
		     "  ridge --plain            the same, line by line, for pipes and screen "
		     "readers\n");
	for (size_t i = 0; i < n_commands; i++)
		fprintf(out, "  ridge %-18s %s\n", commands[i].name, commands[i].summary);
	fprintf(out, "\nridge COMMAND --help says more. --color=auto|always|never, --version.\n");
	return ferror(out) ? 1 : 0;
}

int commands_unknown(const char *name, FILE *err)
{
	const char *names[16];
	for (size_t i = 0; i < n_commands; i++)
		names[i] = commands[i].name;
	const char *near = nearest_name(name, names, n_commands);
	fprintf(err, "ridge: no command \"%.60s\"%s%s%s\n", name, near ? "; did you mean \"" : "",
		near ? near : "", near ? "\"?" : " (ridge --help lists them)");
	return 2;
}

int usage_error(const struct streams *io, const char *command, const char *fmt, ...)
{
	va_list ap;
	fprintf(io->err, "ridge %s: ", command);
	va_start(ap, fmt);
	vfprintf(io->err, fmt, ap);
	va_end(ap);
	fputc('\n', io->err);
	return 2;
}

int unknown_option(const struct streams *io, const char *command, const char *word)
{
	enum { MOST = 16, LONGEST = 32 };
	const struct command *c = command_find(command);
	char options[MOST][LONGEST];
	const char *names[MOST];
	size_t n = 0;
	for (const char *p = c ? c->usage : ""; n < MOST && (p = strstr(p, "--")); n++) {
		size_t length = 2 + strspn(p + 2, "abcdefghijklmnopqrstuvwxyz-");
		snprintf(options[n], LONGEST, "%.*s", (int)length, p);
		names[n] = options[n];
		p += length;
	}
	const char *near = nearest_name(word, names, n);
	return usage_error(io, command, "unknown option %.40s%s%s%s", word,
		near ? "; did you mean " : "", near ? near : "; --help lists them",
		near ? "?" : "");
}

int wants_help(int argc, char **argv, const struct streams *io)
{
	const struct command *c = command_find(argv[0]);
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
			fprintf(io->out, "%s\n  %s\n", c ? c->usage : argv[0], c ? c->summary : "");
			return 1;
		}
	return 0;
}

int size_read(const char *text, int *cols, int *rows)
{
	char *end;
	long c = strtol(text, &end, 10);
	if (end == text || *end != 'x')
		return -1;
	const char *second = end + 1;
	long r = strtol(second, &end, 10);
	if (end == second || *end || c < 1 || c > 1000 || r < 1 || r > 1000)
		return -1;
	*cols = (int)c;
	*rows = (int)r;
	return 0;
}
