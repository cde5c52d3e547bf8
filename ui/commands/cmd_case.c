/* A case is read, dealt and then either printed or sat line by line; each typed line is on the disk
 * before anything is done with it. */
#include "ui/commands/cmd_case.h"

#include "ui/commands/export.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"
#include "ui/files/own_file.h"
#include "ui/files/own_lines.h"
#include "ui/practice/case_lines.h"
#include "ui/practice/case_sheet.h"

#include <cjson/cJSON.h>
#include <errno.h>
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

/* The file of a sitting: $XDG_DATA_HOME/ridge/sittings/DATE-CASE.jsonl. */
struct sitting_file {
	char path[OWN_PATH_SIZE];
};

static bool name_file(struct sitting_file *f, const char *id, int64_t now_s)
{
	char name[400], date[32] = "";
	time_t at = (time_t)now_s;
	struct tm tm = { 0 };
	if (gmtime_r(&at, &tm))
		strftime(date, sizeof date, "%Y%m%d-%H%M%S", &tm);
	snprintf(name, sizeof name, "sittings/%s-%.300s.jsonl", date, id);
	return own_path(OWN_DATA, name, f->path, sizeof f->path) != NULL;
}

/* Deletes o. */
static int append(const struct sitting_file *f, cJSON *o, char *err, size_t err_size)
{
	char *text = cJSON_PrintUnformatted(o),
	     *line = text ? realloc(text, strlen(text) + 2) : NULL;
	int rc = -1;
	cJSON_Delete(o);
	errno = ENOMEM;
	if (line) {
		strcat(line, "\n");
		rc = own_append(f->path, line, strlen(line));
	}
	if (rc)
		snprintf(err, err_size, "what you type is not kept: %s/sittings: %s",
			own_folder_shown(OWN_DATA), strerror(errno));
	free(line ? line : text);
	return rc;
}

static int keep_line(void *context, const char *typed, int64_t at_ms, char *err, size_t err_size)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "did", "line");
	cJSON_AddNumberToObject(o, "ms", (double)at_ms);
	cJSON_AddStringToObject(o, "text", typed);
	return append(context, o, err, err_size);
}

static int keep_beginning(const struct sitting_file *f, const struct dealt_case *d, int64_t now_s,
	char *err, size_t err_size)
{
	cJSON *o = cJSON_CreateObject();
	char seed[24];
	snprintf(seed, sizeof seed, "%llu", (unsigned long long)d->seed);
	cJSON_AddNumberToObject(o, "schema", 1);
	cJSON_AddStringToObject(o, "did", "begin");
	cJSON_AddNumberToObject(o, "at", (double)now_s);
	cJSON_AddStringToObject(o, "case", d->of->id);
	cJSON_AddStringToObject(o, "seed", seed);
	cJSON_AddStringToObject(o, "level", case_level_names[d->level]);
	return append(f, o, err, err_size);
}

static int sit(struct case_sitting *s, bool keeps, const struct streams *io)
{
	struct sitting_file file;
	struct case_lines lines = {
		.in = io->in, .out = io->out, .err = io->err, .clock_ms = now_ms, .context = &file
	};
	char why[400];
	if (keeps && !name_file(&file, s->deal.of->id, io->now_s)) {
		fprintf(io->err, "ridge case: what you type is not kept: no HOME says where\n");
		keeps = false;
	}
	if (keeps && keep_beginning(&file, &s->deal, io->now_s, why, sizeof why)) {
		fprintf(io->err, "ridge case: %s\n", why);
		keeps = false;
	}
	lines.keep = keeps ? keep_line : NULL;
	struct case_talk talk;
	case_talk_begin(&talk, s);
	int rc = case_lines_run(&talk, &lines);
	case_talk_release(&talk);
	return rc;
}

/* --- One case --- */

static int show(const struct command_line *line, struct case_sitting *s, const struct streams *io)
{
	bool candidate = option_says_yes(line, OPTION_CANDIDATE);
	int rc;
	if (option_says_yes(line, OPTION_JSON)) {
		cJSON *o = case_sheet_json(&s->deal, !candidate);
		rc = json_print(o, io->out);
	} else if (option_says_yes(line, OPTION_SHEET)) {
		rc = (candidate ? case_sheet_candidate : case_sheet_interviewer)(&s->deal, io->out);
	} else {
		return sit(s, option_says_yes(line, OPTION_HISTORY), io);
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
	char why[700];
	int rc = 2;
	uint64_t seed = option_given(line, OPTION_SEED) ? line->values[OPTION_SEED].number
							: (uint64_t)io->now_s % SEEDS;
	if (case_load(&c, t, line->words[0], why, sizeof why)) {
		usage_error(io, line->command, "%s", why);
	} else {
		enum case_level level = option_given(line, OPTION_LEVEL)
						? (enum case_level)line->values[OPTION_LEVEL].number
						: case_least_level(&c);
		if (case_sitting_begin(&s, &c, t, seed, level, why, sizeof why))
			usage_error(io, line->command, "%s", why);
		else
			rc = show(line, &s, io);
	}
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
	if (option_says_yes(line, OPTION_SHEET) && option_says_yes(line, OPTION_JSON))
		return usage_error(io, line->command, "--sheet and --json: expected one of them");
	if (!line->n_words && option_says_yes(line, OPTION_SHEET))
		return usage_error(io, line->command, "--sheet prints one case: say which");
	if (!line->n_words)
		return list(line, io);
	if (tables_load_for(&t, "ridge case", io->err))
		return 1;
	int rc = open_case(line, &t, io);
	tables_release(&t);
	return rc;
}
