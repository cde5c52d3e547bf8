/* Every two options of a command together: they are refused in one line, or the command is done. */
#include "tests/data_home.h"
#include "tests/said.h"
#include "ui/data/options.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdbool.h>
#include <unistd.h>

/* What stands before the options; NULL: the command needs a terminal, or measures this machine. */
static const char *const words[N_COMMANDS] = {
	[COMMAND_SIM] = "stacking",
	[COMMAND_CALC] = "kv_cache_bytes model=llama3-8b tokens=8192",
	[COMMAND_PLAN] = "train model=llama3-8b gpus=4 batch_tokens=64k tp=2",
	[COMMAND_MODEL] = "llama3-8b",
	[COMMAND_READ] = "errata",
	[COMMAND_SEARCH] = "ring",
	[COMMAND_DRILL] = "",
	[COMMAND_CASE] = "gradients-over-ethernet",
	[COMMAND_INTERVIEWS] = "",
	[COMMAND_STATS] = "",
	[COMMAND_DUE] = "",
	[COMMAND_CALENDAR] = "2026-12-14",
	[COMMAND_GRADE] = "no-such-file.json 7",
	[COMMAND_VALIDATE] = "linear",
	[COMMAND_FRAME] = "stacking",
	[COMMAND_INFO] = "",
};

/* Those that go on until they are ended, or begin another program. */
static bool ends(const struct option_row *row)
{
	return row->id != OPTION_FOLLOW && row->id != OPTION_STREAM && row->id != OPTION_EDIT;
}

static void spell(const struct option_row *row, char *buf, size_t size)
{
	static const char *const values[] = { [TAKES_TEXT] = "roofline",
		[TAKES_WORDS] = "l",
		[TAKES_SIZE] = "100x30",
		[TAKES_TIME] = "20ms",
		[TAKES_LENGTH] = "20m",
		[TAKES_COLOR] = "never" };
	if (row->kind == SWITCH_OFF || row->kind == SWITCH_ON)
		option_spelling(row, buf, size);
	else if (row->kind == TAKES_NUMBER)
		snprintf(buf, size, "--%s=%llu", row->name, (unsigned long long)row->least);
	else
		snprintf(buf, size, "--%s=%s", row->name,
			row->kind == TAKES_CHOICE ? row->choices[0] : values[row->kind]);
}

static void try_pair(
	enum command_id c, const struct option_row *a, const struct option_row *b, size_t *done)
{
	char one[80], two[80], line[400];
	spell(a, one, sizeof one);
	spell(b, two, sizeof two);
	snprintf(line, sizeof line, "%s %s %s %s", commands[c].name, words[c], one, two);
	struct said s = said_at(1790000000, line, "?\nskip\nquit\n");
	const char *end = strchr(s.err, '\n');
	cr_expect(s.status >= 0 && s.status <= 2, "%s: %d", line, s.status);
	cr_expect(s.status == 0 || s.err[0] != '\0', "%s: %d, and no word why", line, s.status);
	cr_expect(s.status != 2 || (!s.out[0] && end && !end[1]), "%s: %s%s", line, s.out, s.err);
	*done += s.status == 0;
	forget(&s);
}

Test(option_pairs, are_done_or_refused, .description = "long", .timeout = 300)
{
	struct data_home home;
	size_t done = 0;
	data_home_begin(&home, "drills");
	cr_assert(zero(int, chdir(home.path)));
	for (enum command_id c = 0; c < N_COMMANDS; c++)
		for (size_t i = 0; words[c] && i < n_option_rows; i++)
			for (size_t k = i; k < n_option_rows; k++) {
				const struct option_row *a = &option_rows[i], *b = &option_rows[k];
				if (a->commands >> c & b->commands >> c & 1 && ends(a) && ends(b))
					try_pair(c, a, b, &done);
			}
	cr_expect(lt(sz, 100, done));
	data_home_end(&home);
}
