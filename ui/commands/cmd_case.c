/* A case is read, dealt and then either printed or sat line by line; each typed line is on the disk
 * before anything is done with it. */
#include "ui/commands/cmd_case.h"

#include "ui/commands/export.h"
#include "ui/commands/paper_file.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/practice/case_lines.h"
#include "ui/practice/case_record.h"
#include "ui/practice/case_sheet.h"
#include "ui/practice/drill_summary.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEEDS = 100000 };

/* --- The list --- */

static const char *levels_text(unsigned levels, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < N_CASE_LEVELS && used < size; i++)
		if (levels >> i & 1)
			used += (size_t)snprintf(buf + used, size - used, "%s%s", used ? ", " : "",
				case_level_names[i]);
	return buf;
}

static cJSON *info_json(const struct case_info *info)
{
	cJSON *o = cJSON_CreateObject(), *levels;
	cJSON_AddStringToObject(o, "case", info->id);
	cJSON_AddStringToObject(o, "title", info->title);
	cJSON_AddStringToObject(o, "area", info->area);
	levels = cJSON_AddArrayToObject(o, "levels");
	for (size_t i = 0; i < N_CASE_LEVELS; i++)
		if (info->levels >> i & 1)
			cJSON_AddItemToArray(levels, cJSON_CreateString(case_level_names[i]));
	cJSON_AddBoolToObject(o, "own", info->own);
	return o;
}

/* The sittings that were left before their end, each a case's last one. */
static void offer(const struct case_list *l, FILE *out)
{
	char name[CASE_RECORD_NAME_SIZE], time[32];
	bool any = false;
	for (size_t i = 0; i < l->n; i++) {
		struct case_head head;
		char *record = case_file_newest(l->cases[i].id, name);
		if (record && case_head_read(record, &head) && case_goes_on(&head)) {
			fprintf(out, "%s%s was left at %s: ridge case %s goes on there\n",
				any ? "" : "\n", l->cases[i].title,
				drill_clock_text(head.clock_ms, time, sizeof time), l->cases[i].id);
			any = true;
		}
		free(record);
	}
}

static int list(const struct command_line *line, const struct streams *io)
{
	struct case_list l;
	char levels[64];
	int rc = case_list_load(&l, io->err);
	if (rc == 0 && option_says_yes(line, OPTION_JSON)) {
		cJSON *root = cJSON_CreateObject();
		cJSON_AddNumberToObject(root, "schema", 1);
		cJSON *all = cJSON_AddArrayToObject(root, "cases");
		for (size_t i = 0; i < l.n; i++)
			cJSON_AddItemToArray(all, info_json(&l.cases[i]));
		rc = json_print(root, io->out);
	} else {
		for (size_t i = 0; rc == 0 && i < l.n; i++)
			fprintf(io->out, "%-24s%-10s%-26s%s\n", l.cases[i].id, l.cases[i].area,
				levels_text(l.cases[i].levels, levels, sizeof levels),
				l.cases[i].title);
	}
	if (rc == 0 && !option_says_yes(line, OPTION_JSON))
		offer(&l, io->out);
	case_list_release(&l);
	return rc || fflush(io->out) || ferror(io->out) ? 1 : 0;
}

/* --- A sitting --- */

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int keep(void *name, const char *line, char *err, size_t err_size)
{
	return case_file_keep(name, line, err, err_size);
}

/* Begins the record of a sitting. False: nothing can be kept, and that was said. */
static bool keep_beginning(const char *name, const struct case_sitting *s, const struct streams *io)
{
	char why[400] = "out of memory", *line = case_begin_line(s, io->now_s);
	bool kept = line && case_file_keep(name, line, why, sizeof why) == 0;
	if (!kept)
		fprintf(io->err, "ridge case: %s\n", why);
	free(line);
	return kept;
}

/* What was typed before the sitting was cut off, typed once more. Returns where its clock stands. */
static int64_t go_on(struct case_talk *t, const char *record, const struct streams *io)
{
	size_t unreadable;
	char time[32];
	int64_t clock_ms = case_replay(t, record, &unreadable);
	if (unreadable)
		fprintf(io->err, "ridge case: %zu line%s of the record cannot be read\n",
			unreadable, unreadable == 1 ? "" : "s");
	case_say(&t->said, TONE_HINT,
		"This sitting was left at %s and goes on there; ridge case %s --new begins another.",
		drill_clock_text(clock_ms, time, sizeof time), t->sitting->deal.of->id);
	case_say_apart(&t->said);
	return clock_ms;
}

/* record: what was typed so far, in the file of that name; NULL: it begins. */
static int sit(struct case_sitting *s, bool keeps, char *name, const char *record,
	const struct streams *io)
{
	struct case_lines lines = {
		.in = io->in, .out = io->out, .err = io->err, .clock_ms = now_ms, .context = name
	};
	struct case_talk talk;
	case_talk_begin(&talk, s);
	if (record)
		lines.from_ms = go_on(&talk, record, io);
	else if (keeps)
		keeps = keep_beginning(case_file_name(s->deal.of->id, io->now_s, name), s, io);
	lines.keep = keeps ? keep : NULL;
	int rc = case_lines_run(&talk, &lines);
	case_talk_release(&talk);
	return rc;
}

/* --- One case --- */

/* How a case is dealt, and what was typed to it so far. */
struct dealing {
	uint64_t seed;
	enum case_level level;
	unsigned minutes;
	char *record, name[CASE_RECORD_NAME_SIZE]; /* from malloc; NULL: it begins */
};

static bool is_printed(const struct command_line *line)
{
	return option_says_yes(line, OPTION_JSON) || option_says_yes(line, OPTION_SHEET);
}

/* The last sitting of the case goes on, if it was not over and nothing else is asked for. */
static void choose_dealing(const struct command_line *line, const struct design_case *c,
	const struct streams *io, struct dealing *d)
{
	const bool seeded = option_given(line, OPTION_SEED),
		   levelled = option_given(line, OPTION_LEVEL),
		   timed = option_given(line, OPTION_MINUTES);
	struct case_head head;
	d->seed = seeded ? line->values[OPTION_SEED].number : (uint64_t)io->now_s % SEEDS;
	d->level =
		levelled ? (enum case_level)line->values[OPTION_LEVEL].number : case_least_level(c);
	d->minutes = timed ? (unsigned)line->values[OPTION_MINUTES].number : CASE_MINUTES;
	if (is_printed(line) || option_says_yes(line, OPTION_NEW) ||
		!option_says_yes(line, OPTION_HISTORY))
		return;
	d->record = case_file_newest(c->id, d->name);
	if (d->record && case_head_read(d->record, &head) && case_goes_on(&head) &&
		(!seeded || head.seed == d->seed) && (!levelled || head.level == d->level) &&
		(!timed || head.minutes == d->minutes)) {
		d->minutes = head.minutes;
		d->seed = head.seed;
		d->level = head.level;
		return;
	}
	free(d->record);
	d->record = NULL;
}

/* The sheet as a page in the file that was asked for. */
static int print_page(
	const struct command_line *line, struct dealt_case *deal, const struct streams *io)
{
	const bool candidate = option_says_yes(line, OPTION_CANDIDATE);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int rc = out ? (candidate ? case_sheet_candidate : case_sheet_interviewer)(deal, out) : -1;
	if ((out && fclose(out)) || rc)
		fprintf(io->err, "ridge case: out of memory\n");
	else
		rc = paper_file(line->values[OPTION_HTML].text, text, COMMAND_CASE, io);
	free(text);
	return rc ? 1 : 0;
}

static int show(const struct command_line *line, struct case_sitting *s, struct dealing *dealing,
	const struct streams *io)
{
	bool candidate = option_says_yes(line, OPTION_CANDIDATE);
	int rc;
	if (option_says_yes(line, OPTION_JSON)) {
		cJSON *o = case_sheet_json(&s->deal, !candidate);
		rc = json_print(o, io->out);
	} else if (option_says_yes(line, OPTION_SHEET)) {
		if (line->values[OPTION_HTML].text)
			return print_page(line, &s->deal, io);
		rc = (candidate ? case_sheet_candidate : case_sheet_interviewer)(&s->deal, io->out);
	} else {
		return sit(s, option_says_yes(line, OPTION_HISTORY), dealing->name, dealing->record,
			io);
	}
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge case: out of memory\n");
	return rc || fflush(io->out) ? 1 : 0;
}

static int open_case(
	const struct command_line *line, const struct tables *t, const struct streams *io)
{
	struct design_case c;
	struct case_sitting s = { .stage = 0 };
	struct dealing d = { .record = NULL };
	char why[700];
	int rc = 2;
	if (case_load(&c, t, line->words[0], why, sizeof why)) {
		usage_error(io, line->command, "%s", why);
	} else {
		choose_dealing(line, &c, io, &d);
		if (case_sitting_begin(&s, &c, t, d.seed, d.level, why, sizeof why)) {
			usage_error(io, line->command, "%s", why);
		} else {
			s.minutes = d.minutes;
			rc = show(line, &s, &d, io);
		}
	}
	free(d.record);
	case_sitting_release(&s);
	case_release(&c);
	return rc;
}

int cmd_case(const struct command_line *line, const struct streams *io)
{
	struct tables t = { 0 };
	if (option_says_yes(line, OPTION_CANDIDATE) && !option_says_yes(line, OPTION_SHEET) &&
		!option_says_yes(line, OPTION_JSON))
		return usage_error(io, line->command, "--candidate goes with --sheet or --json");
	if (line->values[OPTION_HTML].text && !option_says_yes(line, OPTION_SHEET))
		return usage_error(io, line->command, "--html goes with --sheet");
	if (option_says_yes(line, OPTION_SHEET) && option_says_yes(line, OPTION_JSON))
		return usage_error(io, line->command, "--sheet and --json: expected one of them");
	if (!line->n_words && option_says_yes(line, OPTION_SHEET))
		return usage_error(io, line->command, "--sheet prints one case: say which");
	if (option_says_yes(line, OPTION_NEW) && (!line->n_words || is_printed(line)))
		return usage_error(
			io, line->command, "--new begins a sitting anew: say of which case");
	if (!line->n_words)
		return list(line, io);
	if (tables_load_for(&t, "ridge case", io->err))
		return 1;
	int rc = open_case(line, &t, io);
	tables_release(&t);
	return rc;
}
