/* A table from the id of a command to the function that runs it; names, words and options are in
 * ui/data/options.h. */
#include "ui/commands/commands.h"

#include "sims/base/match.h"
#include "ui/commands/cmd_calc.h"
#include "ui/commands/cmd_calendar.h"
#include "ui/commands/cmd_case.h"
#include "ui/commands/cmd_drill.h"
#include "ui/commands/cmd_due.h"
#include "ui/commands/cmd_frame.h"
#include "ui/commands/cmd_grade.h"
#include "ui/commands/cmd_info.h"
#include "ui/commands/cmd_interviews.h"
#include "ui/commands/cmd_measure.h"
#include "ui/commands/cmd_model.h"
#include "ui/commands/cmd_plan.h"
#include "ui/commands/cmd_present.h"
#include "ui/commands/cmd_read.h"
#include "ui/commands/cmd_search.h"
#include "ui/commands/cmd_sim.h"
#include "ui/commands/cmd_stats.h"
#include "ui/commands/cmd_validate.h"

#include "ui/term/environment.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

static int (*const runs[N_COMMANDS])(const struct command_line *, const struct streams *) = {
	[COMMAND_SIM] = cmd_sim,
	[COMMAND_CALC] = cmd_calc,
	[COMMAND_PLAN] = cmd_plan,
	[COMMAND_MODEL] = cmd_model,
	[COMMAND_READ] = cmd_read,
	[COMMAND_SEARCH] = cmd_search,
	[COMMAND_DRILL] = cmd_drill,
	[COMMAND_CASE] = cmd_case,
	[COMMAND_INTERVIEWS] = cmd_interviews,
	[COMMAND_PRESENT] = cmd_present,
	[COMMAND_STATS] = cmd_stats,
	[COMMAND_DUE] = cmd_due,
	[COMMAND_CALENDAR] = cmd_calendar,
	[COMMAND_GRADE] = cmd_grade,
	[COMMAND_VALIDATE] = cmd_validate,
	[COMMAND_MEASURE] = cmd_measure,
	[COMMAND_FRAME] = cmd_frame,
	[COMMAND_INFO] = cmd_info,
};

bool command_find(const char *name, enum command_id *command)
{
	/* Its other name. */
	if (strcmp(name, "demo") == 0)
		name = commands[COMMAND_PRESENT].name;
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(commands[i].name, name) == 0) {
			*command = (enum command_id)i;
			return true;
		}
	return false;
}

/* `ridge calc FORMULA --help` is about the formula, `ridge validate MODEL --help` about its tables. */
static int help(const struct command_line *line, const struct streams *io)
{
	if (line->command == COMMAND_CALC && line->n_words)
		return cmd_calc_explain(line->words[0], io);
	if (line->command == COMMAND_VALIDATE && line->n_words)
		return cmd_validate_explain(line->words[0], io);
	return command_help(line->command, io->out) || fflush(io->out) ? 1 : 0;
}

static enum gate_form form_of(const struct command_line *line)
{
	return option_says_yes(line, OPTION_CSV) ? GATE_CSV
	       : option_says_yes(line, OPTION_JSON) || option_says_yes(line, OPTION_EXPORT) ||
			       option_says_yes(line, OPTION_STREAM)
		       ? GATE_JSON
		       : GATE_TEXT;
}

static int run_read(const struct command_line *line, const struct streams *io)
{
	if (line->help)
		return help(line, io);
	assert(runs[line->command]);
	return runs[line->command](line, io);
}

/* Runs with streams that print nothing which steers a terminal. */
static int run_gated(const struct command_line *line, const struct streams *io)
{
	const struct gate_rules rules = { form_of(line), environment_glyphs() == GLYPHS_ASCII,
		option_wants_colour(line), NULL };
	struct streams gated;
	bool told = false;
	int rc = 1;
	errno = 0;
	if (streams_gate(&gated, io, rules, &told))
		fprintf(io->err, "ridge: out of memory\n");
	else
		rc = run_read(line, &gated);
	/* Much goes on without what there was no memory for (a frame without a label, JSON without a member).
	 * Nobody has to take that for the whole: the allocator's errno is still there. */
	const bool no_memory = errno == ENOMEM;
	if (rc == 0 && no_memory) {
		fprintf(io->err, "ridge: out of memory: something may be missing\n");
		rc = 1;
	} else if (no_memory && !told) {
		fprintf(io->err, "ridge: out of memory\n");
	}
	if (streams_ungate(&gated))
		rc = rc ? rc : 1;
	return rc;
}

int command_run(int argc, char **argv, const struct streams *io)
{
	struct command_line line;
	enum command_id command;
	char err[400];
	bool found = command_find(argv[0], &command);
	assert(found);
	if (!found)
		return 2;
	if (command_line_read(&line, command, (const char *const *)argv + 1, (size_t)argc - 1, err,
		    sizeof err))
		return usage_error(io, command, "%s", err);
	if (line.values[OPTION_GLYPHS].at)
		environment_wish((enum glyphs)line.values[OPTION_GLYPHS].number);
	return run_gated(&line, io);
}

int commands_help(FILE *out)
{
	fprintf(out, "ridge: machine-learning performance engineering, in the terminal\n\n"
		     "  ridge                    opens the explorer\n"
		     "  ridge --plain            the same, line by line, for pipes and screen "
		     "readers\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		fprintf(out, "  ridge %-18s %s\n", commands[i].name, commands[i].summary);
	fprintf(out, "\nridge COMMAND --help says more. --color=auto|always|never, --version.\n");
	return ferror(out) ? 1 : 0;
}

int commands_unknown(const char *name, FILE *err)
{
	const char *names[N_COMMANDS];
	for (size_t i = 0; i < N_COMMANDS; i++)
		names[i] = commands[i].name;
	char hint[HINT_SIZE];
	did_you_mean(name, names, N_COMMANDS, hint, sizeof hint);
	fprintf(err, "ridge: no command \"%.60s\"%s\n", name,
		*hint ? hint : " (ridge --help lists them)");
	return 2;
}
