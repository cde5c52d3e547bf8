/* The date comes from the line or its file; everything else is gathered and planned anew. */
#include "ui/commands/cmd_calendar.h"

#include "drills/stats.h"
#include "ui/commands/export.h"
#include "ui/data/answers.h"
#include "ui/data/bank_load.h"
#include "ui/data/calendar_file.h"
#include "ui/data/tables_load.h"
#include "ui/files/printed.h"
#include "ui/practice/date_words.h"
#include "ui/shell/path.h"

#include <assert.h>
#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>

enum { WHAT = 52 };

/* All that a calendar is made from. */
struct gathered {
	struct tables tables;
	struct page_list pages;
	struct tour_list tours;
	struct case_list cases;
	struct drill_bank bank;
	struct answers answers;
	struct progress progress;
	struct arena arena;
};

static const char command_name[] = "ridge calendar";

/* One that cannot be read is told, and planned for as if there were none. */
static int load_history(struct history *h, FILE *err)
{
	char why[300];
	if (answers_load(h, why, sizeof why) == 0)
		return 0;
	if (errno == ENOMEM)
		return -1;
	history_release(h);
	fprintf(err, "%s: %s\n", command_name, why);
	return 0;
}

static int gather(struct gathered *g, const struct streams *io)
{
	char err[300] = "out of memory";
	progress_load(&g->progress);
	/* A table or a drill of the user's own that is damaged is told, and no reason to plan nothing. */
	if (tables_load_for(&g->tables, command_name, io->err) ||
		bank_load_for(&g->bank, &g->tables, command_name, io->err))
		return -1;
	if (page_list_init(&g->pages) || tour_list_init(&g->tours) ||
		case_list_load(&g->cases, io->err) || load_history(&g->answers.history, io->err) ||
		answers_count(&g->answers, io->now_s, err, sizeof err)) {
		fprintf(io->err, "%s: %s\n", command_name, err);
		return -1;
	}
	if (*history_complaint(&g->answers.history, err, sizeof err))
		fprintf(io->err, "%s: %s\n", command_name, err);
	if (answers_retire(&g->answers.stats, &g->tables) == 0)
		return 0;
	fprintf(io->err, "%s: out of memory\n", command_name);
	return -1;
}

static void let_go(struct gathered *g)
{
	answers_release(&g->answers);
	bank_release(&g->bank);
	case_list_release(&g->cases);
	tour_list_release(&g->tours);
	page_list_release(&g->pages);
	tables_release(&g->tables);
	arena_release(&g->arena);
}

static void print_task(const struct calendar_task *t, FILE *out)
{
	char what[256], length[32];
	snprintf(what, sizeof what, "%s", t->what);
	if (strlen(what) > WHAT)
		snprintf(what + WHAT - 3, 4, "...");
	fprintf(out, "  %s %-*s %9s   %s\n", t->done ? "x" : "-", WHAT, what,
		t->done ? "done" : calendar_length(t->minutes, length, sizeof length), t->opens);
}

static void print_day(const struct calendar *c, size_t day, const struct answers *a, FILE *out)
{
	char date[DATE_WORDS_SIZE], length[32], due[64];
	const char *name = day == 0 ? "Today, " : day == 1 ? "Tomorrow, " : "";
	const double due_s = stats_due_s(&a->stats, &a->history);
	const int minutes = calendar_minutes_with(c, day, due_s);
	fprintf(out, "\n%s%s%s%s\n", name,
		date_words(c->today + (int64_t)day, c->today, date, sizeof date),
		minutes ? ", "
		: day   ? ": reviews alone"
			: "",
		minutes ? calendar_length(minutes, length, sizeof length) : "");
	if (day == 0 && a->stats.n_due)
		fprintf(out, "  - %s: ridge drill mode=review\n",
			stats_due_brief(a->stats.n_due, due_s, due, sizeof due));
	for (size_t i = 0; i < c->n_learn; i++)
		if (c->learn[i].day == day)
			print_task(&c->learn[i], out);
	for (size_t i = 0; i < c->n_practise; i++)
		if (c->practise[i].day == day)
			print_task(&c->practise[i], out);
}

static int print(const struct calendar *c, const struct answers *a, FILE *out)
{
	char lead[300];
	fprintf(out, "%s\n", calendar_lead(c, lead, sizeof lead));
	for (size_t i = 0; i < calendar_days(c); i++)
		print_day(c, i, a, out);
	return 0;
}

static cJSON *task_json(const struct calendar_task *t)
{
	cJSON *o = cJSON_CreateObject();
	cJSON_AddStringToObject(o, "kind", task_names[t->kind]);
	cJSON_AddStringToObject(o, "what", t->what);
	cJSON_AddStringToObject(o, "opens", t->opens);
	cJSON_AddNumberToObject(o, "minutes", t->minutes);
	cJSON_AddBoolToObject(o, "done", t->done);
	return o;
}

static cJSON *calendar_json(const struct calendar *c)
{
	char date[CALENDAR_ISO_SIZE];
	cJSON *root = cJSON_CreateObject();
	cJSON_AddNumberToObject(root, "schema", 1);
	cJSON_AddStringToObject(root, "date", calendar_date(c->date, date, sizeof date));
	cJSON *all = cJSON_AddArrayToObject(root, "days");
	for (size_t day = 0; day < calendar_days(c); day++) {
		cJSON *o = cJSON_CreateObject();
		cJSON_AddStringToObject(
			o, "date", calendar_date(c->today + (int64_t)day, date, sizeof date));
		cJSON_AddNumberToObject(o, "minutes", calendar_minutes(c, day));
		cJSON *tasks = cJSON_AddArrayToObject(o, "tasks");
		for (size_t i = 0; i < c->n_learn; i++)
			if (c->learn[i].day == day)
				cJSON_AddItemToArray(tasks, task_json(&c->learn[i]));
		for (size_t i = 0; i < c->n_practise; i++)
			if (c->practise[i].day == day)
				cJSON_AddItemToArray(tasks, task_json(&c->practise[i]));
		cJSON_AddItemToArray(all, o);
	}
	return root;
}

static int show(int64_t today, int64_t date, bool json, const struct streams *io)
{
	struct gathered g = { 0 };
	struct calendar c;
	int rc = gather(&g, io);
	const struct path_sources from = { .pages = &g.pages,
		.tours = &g.tours,
		.cases = &g.cases,
		.bank = &g.bank,
		.history = &g.answers.history,
		.progress = &g.progress };
	if (rc == 0 && (rc = path_calendar(&c, &from, today, date, &g.arena)))
		fprintf(io->err, "ridge calendar: out of memory\n");
	if (rc == 0)
		rc = json ? json_print(calendar_json(&c), io->out) : print(&c, &g.answers, io->out);
	let_go(&g);
	return rc || printed_end(io->out) ? 1 : 0;
}

static int none(const struct streams *io)
{
	fprintf(io->out,
		"No interview is in the calendar. `ridge calendar 14 December` says on each day "
		"until then what to read, drill and present.\n");
	return 0;
}

int cmd_calendar(const struct command_line *line, const struct streams *io)
{
	const int64_t today = io->now_s / CALENDAR_DAY_S;
	char kept[CALENDAR_ISO_SIZE], iso[CALENDAR_ISO_SIZE] = "", err[300], shown[DATE_WORDS_SIZE];
	const bool words = line->n_words > 0;
	int64_t date = 0;
	int rc = 0;
	if (words && calendar_words(line->words, line->n_words, today, iso, err, sizeof err))
		return usage_error(io, line->command, "%s", err);
	if (words)
		rc = calendar_file_write(*iso ? iso : NULL, err, sizeof err);
	if (rc == 0)
		rc = path_date(today, kept, &date, err, sizeof err);
	if (rc) {
		fprintf(io->err, "ridge calendar: %s\n", err);
		return 1;
	}
	if (*kept && date <= today) {
		fprintf(io->out, "The interview was on %s. `ridge calendar DATE` begins another.\n",
			date_words(date, today, shown, sizeof shown));
		return 0;
	}
	return date > today ? show(today, date, option_says_yes(line, OPTION_JSON), io) : none(io);
}
