/* A case is read, dealt and then either printed or sat line by line. */
#include "ui/commands/cmd_case.h"

#include "ui/commands/export.h"
#include "ui/commands/case_sit.h"
#include "ui/commands/paper_file.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"
#include "ui/practice/case_record.h"
#include "ui/practice/case_sheet.h"
#include "ui/practice/drill_summary.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

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
		char *record = case_file_find(
			case_file_read, l->cases[i].id, &(struct case_dealing){ 0 }, name);
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
			fprintf(io->out, "%-26s%-10s%-26s%s\n", l.cases[i].id, l.cases[i].area,
				levels_text(l.cases[i].levels, levels, sizeof levels),
				l.cases[i].title);
	}
	if (rc == 0 && !option_says_yes(line, OPTION_JSON))
		offer(&l, io->out);
	case_list_release(&l);
	return rc || printed_end(io->out) ? 1 : 0;
}

/* --- One case --- */

static bool is_printed(const struct command_line *line)
{
	return option_says_yes(line, OPTION_JSON) || option_says_yes(line, OPTION_SHEET);
}

static struct case_order order_of(const struct command_line *line)
{
	return (struct case_order){ .id = line->words[0],
		.how = { .seeded = option_given(line, OPTION_SEED),
			.levelled = option_given(line, OPTION_LEVEL),
			.timed = option_given(line, OPTION_MINUTES),
			.seed = line->values[OPTION_SEED].number,
			.level = (enum case_level)line->values[OPTION_LEVEL].number,
			.minutes = (unsigned)line->values[OPTION_MINUTES].number },
		.sheet = option_says_yes(line, OPTION_SHEET),
		.json = option_says_yes(line, OPTION_JSON),
		.html = line->values[OPTION_HTML].text,
		.candidate = option_says_yes(line, OPTION_CANDIDATE),
		.keeps = option_says_yes(line, OPTION_HISTORY),
		.anew = option_says_yes(line, OPTION_NEW) };
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
	const struct case_order order = order_of(line);
	int rc = case_open(&order, &t, line->command, io);
	tables_release(&t);
	return rc;
}
