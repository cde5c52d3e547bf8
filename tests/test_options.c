/* The one table of options: every option of every command is accepted, refused in one style and
 * named in its command's help, and means the same as a word. */
#include "ui/commands/commands.h"
#include "ui/commands/plain.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

/* A value that an option takes; NULL: it takes none. */
static const char *good_value(const struct option_row *row)
{
	static const char *const values[] = { [SWITCH_OFF] = NULL,
		[SWITCH_ON] = NULL,
		[TAKES_TEXT] = "anything",
		[TAKES_WORDS] = "l Tab",
		[TAKES_NUMBER] = NULL,
		[TAKES_SIZE] = "100x30",
		[TAKES_TIME] = "20ms",
		[TAKES_LENGTH] = "20m",
		[TAKES_CHOICE] = NULL,
		[TAKES_COLOR] = "never" };
	static char number[24];
	if (row->kind == TAKES_CHOICE)
		return row->choices[0];
	snprintf(number, sizeof number, "%llu", (unsigned long long)row->least);
	return row->kind == TAKES_NUMBER ? number : values[row->kind];
}

static int read_words(struct command_line *line, enum command_id command, const char *one,
	const char *two, char err[static 400])
{
	const char *const words[] = { one, two };
	size_t n = !one ? 0 : !two ? 1 : 2;
	err[0] = '\0';
	return command_line_read(line, command, words, n, err, 400);
}

#define EACH_OPTION(c, row)                                                                        \
	for (enum command_id c = 0; c < N_COMMANDS; c++)                                           \
		for (const struct option_row *row = option_rows;                                   \
			row < option_rows + n_option_rows; row++)                                  \
			if (row->commands >> c & 1)

Test(options, each_is_accepted_in_each_form)
{
	struct command_line line;
	char typed[80], err[400];
	EACH_OPTION(c, row)
	{
		const char *value = good_value(row);
		option_spelling(row, typed, sizeof typed);
		int rc = row->kind == TAKES_COLOR ? read_words(&line, c, typed, NULL, err)
						  : read_words(&line, c, typed, value, err);
		cr_expect(zero(int, rc), "%s %s: %s", commands[c].name, typed, err);
		cr_expect(option_given(&line, row->id), "%s %s", commands[c].name, typed);
		if (!value)
			cr_expect(
				eq(int, option_says_yes(&line, row->id), row->kind == SWITCH_OFF));
		snprintf(typed, sizeof typed, "--%s=%s", row->name, value ? value : "yes");
		rc = read_words(&line, c, typed, NULL, err);
		cr_expect(zero(int, rc), "%s %s: %s", commands[c].name, typed, err);
		if (value)
			cr_expect(eq(str, (char *)line.values[row->id].text, (char *)value));
	}
}

/* "COMMAND: --NAME: expected WHAT, found nothing", and found "VALUE" for one that is not what. */
Test(options, a_value_that_is_missing_or_wrong_is_refused_in_one_style)
{
	struct command_line line;
	char typed[80], begins[120], err[400];
	EACH_OPTION(c, row)
	{
		snprintf(begins, sizeof begins, "--%s: expected ", row->name);
		if (good_value(row) && row->kind != TAKES_COLOR) {
			snprintf(typed, sizeof typed, "--%s", row->name);
			cr_expect(eq(int, read_words(&line, c, typed, NULL, err), -1));
			cr_expect(strncmp(err, begins, strlen(begins)) == 0, "%s", err);
			cr_expect(strstr(err, ", found nothing") != NULL, "%s", err);
		}
		if (row->kind == TAKES_WORDS)
			continue;
		/* An empty value is one that is missing. */
		snprintf(typed, sizeof typed, "--%s=", row->name);
		cr_expect(eq(int, read_words(&line, c, typed, NULL, err), -1), "%s", typed);
		cr_expect(strncmp(err, begins, strlen(begins)) == 0, "%s", err);
		cr_expect(strstr(err, ", found nothing") != NULL, "%s", err);
		if (row->kind == TAKES_TEXT)
			continue;
		snprintf(typed, sizeof typed, "--%s=7q", row->name);
		cr_expect(eq(int, read_words(&line, c, typed, NULL, err), -1), "%s", typed);
		cr_expect(strncmp(err, begins, strlen(begins)) == 0, "%s", err);
		cr_expect(strstr(err, ", found \"7q\"") != NULL, "%s", err);
	}
}

Test(options, an_unknown_one_is_refused_with_the_nearest)
{
	struct command_line line;
	char right[80], wrong[90], hint[400], err[400];
	EACH_OPTION(c, row)
	{
		option_spelling(row, right, sizeof right);
		snprintf(wrong, sizeof wrong, "%sx", right);
		cr_expect(eq(int, read_words(&line, c, wrong, NULL, err), -1), "%s", wrong);
		snprintf(hint, sizeof hint,
			"there is no option %s; did you mean \"%s\"? (ridge %s --help lists them)",
			wrong, right, commands[c].name);
		cr_expect(eq(str, err, hint));
	}
	/* Where none is near, all are named. */
	for (enum command_id c = 0; c < N_COMMANDS; c++) {
		cr_expect(eq(int, read_words(&line, c, "--frobnicate", NULL, err), -1));
		cr_expect(strncmp(err, "there is no option --frobnicate: expected ", 42) == 0, "%s",
			err);
		for (const struct option_row *row = option_rows; row < option_rows + n_option_rows;
			row++)
			if (row->commands >> c & 1)
				cr_expect(strstr(err, option_spelling(row, right, sizeof right)) !=
						  NULL,
					"%s: %s", right, err);
		cr_expect(strstr(err, " or --help") != NULL, "%s", err);
	}
}

Test(options, near_misses)
{
	static const struct {
		enum command_id command;
		const char *typed, *near;
	} rows[] = {
		{ COMMAND_SIM, "--jsn", "--json" },
		{ COMMAND_SIM, "--siez", "--size" },
		{ COMMAND_DRILL, "--topc", "--topic" },
		{ COMMAND_DRILL, "topc=x", "topic" },
		{ COMMAND_DRILL, "--no-histry", "--no-history" },
		{ COMMAND_DRILL, "histroy=no", "history" },
		{ COMMAND_READ, "--widht=40", "--width" },
		{ COMMAND_FRAME, "--colour", "--color" },
		{ COMMAND_OPEN, "--plian", "--plain" },
		{ COMMAND_INFO, "--licenses", "--licences" },
		{ COMMAND_SEARCH, "--hlep", "--help" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct command_line line;
		char err[400], hint[60];
		cr_expect(
			eq(int, read_words(&line, rows[i].command, rows[i].typed, NULL, err), -1));
		snprintf(hint, sizeof hint, "; did you mean \"%s\"? (ridge ", rows[i].near);
		cr_expect(strstr(err, hint) != NULL, "%s: %s", rows[i].typed, err);
	}
}

Test(options, a_command_has_an_option_once)
{
	EACH_OPTION(c, row)
	{
		cr_expect(option_find(c, row->name) == row, "%s --%s", commands[c].name, row->name);
		for (const struct option_row *other = option_rows; other < row; other++)
			if (other->commands >> c & 1)
				cr_expect(ne(int, other->id, row->id), "%s --%s", commands[c].name,
					row->name);
	}
}

/* What the two forms of help say of every option. */
Test(options, help_names_each)
{
	for (enum command_id c = 0; c < N_COMMANDS; c++) {
		char *help = NULL, *markdown = NULL, name[80], cell[90];
		size_t n, m;
		FILE *out = open_memstream(&help, &n);
		cr_expect(zero(int, command_help(c, out)));
		fclose(out);
		out = open_memstream(&markdown, &m);
		cr_expect(zero(int, command_markdown(c, out)));
		fclose(out);
		for (const struct option_row *row = option_rows; row < option_rows + n_option_rows;
			row++) {
			if (!(row->commands >> c & 1))
				continue;
			cr_expect(lt(sz, 0, strlen(row->help)));
			option_spelling(row, name, sizeof name);
			snprintf(cell, sizeof cell, "\n  %s", name);
			cr_expect(strstr(help, cell) != NULL, "%s: %s", commands[c].name, help);
			snprintf(cell, sizeof cell, "\n| `%s", name);
			cr_expect(strstr(markdown, cell) != NULL, "%s", markdown);
			for (size_t i = 0; row->choices && row->choices[i]; i++)
				cr_expect(strstr(row->help, row->choices[i]) != NULL, "%s: %s",
					row->name, row->choices[i]);
		}
		for (const char *p = help; *p; p += strcspn(p, "\n") + 1)
			cr_expect(le(sz, strcspn(p, "\n"), 80), "%.*s", (int)strcspn(p, "\n"), p);
		free(help);
		free(markdown);
	}
}

/* Every whole number of 64 bits is a seed, however it is written, and no other is. */
Test(options, seeds_of_twenty_digits)
{
	static const struct {
		const char *typed;
		uint64_t seed; /* 0: refused */
	} rows[] = {
		{ "12345678901234567890", 12345678901234567890u },
		{ "18446744073709551615", 18446744073709551615u },
		{ "000000000000000000000000005", 5 },
		{ "18446744073709551616", 0 },
		{ "99999999999999999999999", 0 },
		{ "-1", 0 },
		{ "1e3", 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct command_line line;
		char err[400];
		int rc = read_words(&line, COMMAND_DRILL, "--seed", rows[i].typed, err);
		cr_expect(eq(int, rc, rows[i].seed ? 0 : -1), "%s: %s", rows[i].typed, err);
		if (rows[i].seed)
			cr_expect(eq(u64, line.values[OPTION_SEED].number, rows[i].seed));
		else
			cr_expect(strstr(err, "from 0 to 18446744073709551615, found ") != NULL,
				"%s", err);
	}
}

/* Whichever way an empty value is typed, it is refused in the same words. */
Test(options, an_empty_value_is_a_missing_one)
{
	static const struct {
		const char *one, *two, *refused;
	} rows[] = {
		{ "topic=", NULL,
			"topic: expected a topic, a skill, a drill, a chapter or a chain, found nothing" },
		{ "", NULL,
			"topic: expected a topic, a skill, a drill, a chapter or a chain, found nothing" },
		{ "--topic=", NULL,
			"--topic: expected a topic, a skill, a drill, a chapter or a chain, found nothing" },
		{ "--topic", "",
			"--topic: expected a topic, a skill, a drill, a chapter or a chain, found nothing" },
		{ "--code", "", "--code: expected a code as a session prints it, found nothing" },
		{ "mode=", NULL,
			"mode: expected set, study, sprint, interview, review or placement, found nothing" },
		{ "--count=", NULL,
			"--count: expected a whole number from 1 to 200, found nothing" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct command_line line;
		char err[400];
		cr_expect(eq(
			int, read_words(&line, COMMAND_DRILL, rows[i].one, rows[i].two, err), -1));
		cr_expect(eq(str, err, (char *)rows[i].refused));
	}
}

/* A word is the option of its name. */
Test(options, words_of_a_drill_are_its_options)
{
	static const char *const dashed[] = { "--topic", "kv-cache", "--mode", "sprint", "--count",
		"7", "--seed", "18446744073709551", "--attempts", "2", "--no-history",
		"--answers" };
	static const char *const words[] = { "kv-cache", "mode=sprint", "count=7",
		"seed=18446744073709551", "attempts=2", "history=no", "answers=yes" };
	struct command_line a, b;
	char err[400];
	cr_assert(zero(int, command_line_read(&a, COMMAND_DRILL, dashed, 12, err, sizeof err)));
	cr_assert(zero(int, command_line_read(&b, COMMAND_DRILL, words, 7, err, sizeof err)));
	cr_expect(eq(sz, a.n_words, 0));
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const enum option_id id = (enum option_id)i;
		cr_expect(eq(int, option_given(&a, id), option_given(&b, id)), "%zu", i);
		cr_expect(eq(int, option_says_yes(&a, id), option_says_yes(&b, id)), "%zu", i);
		cr_expect(eq(u64, a.values[i].number, b.values[i].number), "%zu", i);
	}
	cr_expect(eq(str, (char *)a.values[OPTION_TOPIC].text, "kv-cache"));
	cr_expect(eq(u64, a.values[OPTION_MODE].number, 2)); /* set, study, sprint */
	cr_expect(eq(u64, a.values[OPTION_SEED].number, 18446744073709551u));
	cr_expect(option_says_yes(&a, OPTION_HISTORY) == false &&
		  option_says_yes(&a, OPTION_ANSWERS));
}

Test(options, what_is_not_an_option_is_a_word)
{
	struct command_line line;
	char err[400];
	/* A negative answer; after two dashes anything. */
	cr_expect(
		zero(int, read_words(&line, COMMAND_GRADE, "q.json", "-10.7 GB", err)), "%s", err);
	cr_expect(eq(sz, line.n_words, 2));
	cr_expect(eq(str, (char *)line.words[1], "-10.7 GB"));
	cr_expect(zero(int, read_words(&line, COMMAND_GRADE, "--", "--json", err)), "%s", err);
	cr_expect(eq(str, (char *)line.words[0], "--json"));
	cr_expect(not(option_given(&line, OPTION_JSON)));
	/* Help is what was asked for, whatever stands beside it. */
	cr_expect(zero(int, read_words(&line, COMMAND_CALC, "--bogus", "--help", err)));
	cr_expect(line.help);
	cr_expect(zero(int, read_words(&line, COMMAND_GRADE, "--", "--help", err)));
	cr_expect(not(line.help));
}

/* The contract of scripts. */
Test(options, those_that_scripts_use)
{
	static const struct {
		enum command_id command;
		const char *names;
	} rows[] = {
		{ COMMAND_SIM, "json csv text size at color" },
		{ COMMAND_CALC, "json" },
		{ COMMAND_READ, "width plain color" },
		{ COMMAND_DRILL,
			"topic mode count seed code attempts sheet answers interviewer json "
			"history plain" },
		{ COMMAND_GRADE, "question json" },
		{ COMMAND_STATS, "json csv export" },
		{ COMMAND_VALIDATE, "json plot size color" },
		{ COMMAND_MEASURE, "json quick plain" },
		{ COMMAND_FRAME, "size keys color glyphs" },
		{ COMMAND_INFO, "keys licences glyphs" },
		{ COMMAND_OPEN, "plain color version" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char names[120], *rest = NULL;
		snprintf(names, sizeof names, "%s", rows[i].names);
		for (char *w = strtok_r(names, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
			cr_expect(option_find(rows[i].command, w) != NULL, "%s --%s",
				commands[rows[i].command].name, w);
	}
}

/* The shell and the explorer line by line say in the same words what is wrong with a drill. */
Test(options, a_drill_is_refused_in_one_line_everywhere)
{
	char words[][24] = { "topc=memory", "topic=no-such-topic", "seed=" };
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		char *ignored, *shell, *plain;
		const char *const open[] = { "drill", words[i] };
		char *argv[] = { "drill", words[i], NULL };
		size_t n;
		FILE *none = fopen("/dev/null", "r"), *out = open_memstream(&ignored, &n);
		FILE *err = open_memstream(&shell, &n);
		cr_expect(eq(int, command_run(2, argv, &(struct streams){ none, out, err, 0 }), 2));
		fclose(err);
		err = open_memstream(&plain, &n);
		cr_expect(
			zero(int, plain_explore(open, 2, &(struct streams){ none, out, err, 0 })));
		fclose(err);
		fclose(out);
		fclose(none);
		cr_expect(strncmp(shell, "ridge drill: ", 13) == 0, "%s", shell);
		cr_expect(eq(str, plain, shell));
		free(ignored);
		free(shell);
		free(plain);
	}
}

/* A machine that is busy may take a second between two lines. */
static void without_seconds(char *text)
{
	static const char clock[] = "credit 0.00; 0:0";
	for (char *at = text; (at = strstr(at, clock)); at++)
		at[strlen(clock)] = 's';
}

/* Line by line as in the explorer and in the shell. */
Test(options, the_same_words_in_plain_lines_and_frames)
{
	static const char *const lines[] = { "drill topic=kv-cache history=no seed=3",
		"drill kv-cache --no-history --seed 3" };
	char *said[3];
	size_t n;
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	for (size_t i = 0; i < 2; i++) {
		char input[120];
		snprintf(input, sizeof input, "%s\nquit\nquit\n", lines[i]);
		FILE *in = fmemopen(input, strlen(input), "r"), *out = open_memstream(&said[i], &n);
		cr_expect(zero(int, plain_explore(NULL, 0, &(struct streams){ in, out, out, 0 })));
		fclose(in);
		fclose(out);
		cr_expect(strstr(said[i], "5 problems, set, kv-cache, seed 3") != NULL, "%s",
			said[i]);
		cr_expect(strstr(said[i], "there is no option") == NULL, "%s", said[i]);
		without_seconds(said[i]);
	}
	cr_expect(eq(str, said[0], said[1]));
	FILE *out = open_memstream(&said[2], &n);
	char *argv[] = { "frame", "drill", "topic=kv-cache", "history=no", "seed=3", NULL };
	cr_expect(zero(int, command_run(5, argv, &(struct streams){ stdin, out, out, 0 })));
	fclose(out);
	/* The code says topic, mode, count and seed. */
	char code[40] = "";
	const char *shown = strstr(said[0], ", code ");
	cr_assert(ne(ptr, (void *)shown, NULL));
	sscanf(shown, ", %39[^\n]", code);
	cr_expect(strstr(said[2], code) != NULL, "%s is not in %s", code, said[2]);
	for (size_t i = 0; i < 3; i++)
		free(said[i]);
}

/* Metres are no length of a talk: there "20m" is twenty minutes. */
Test(options, a_talk_has_a_length)
{
	static const struct {
		const char *typed;
		double seconds;
	} rows[] = { { "20m", 1200 }, { "1h", 3600 }, { "90s", 90 }, { "1.5m", 90 },
		{ "5 min", 300 } };
	struct command_line line;
	char err[400];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_assert(
			zero(int, read_words(&line, COMMAND_PRESENT, "--time", rows[i].typed, err)),
			"%s", err);
		cr_expect(eq(dbl, line.values[OPTION_TIME].seconds, rows[i].seconds));
	}
	static const char *const wrong[] = { "20", "30s", "25h", "-3m", "m", "20mm", "inf m" };
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
		cr_expect(read_words(&line, COMMAND_PRESENT, "--time", wrong[i], err) != 0, "%s",
			wrong[i]);
}
