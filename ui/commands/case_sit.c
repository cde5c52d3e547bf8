/* Each typed line is on the disk before anything is done with it. */
#include "ui/commands/case_sit.h"

#include "ui/commands/export.h"
#include "ui/commands/paper_file.h"
#include "ui/data/case_list.h"
#include "ui/files/own_file.h"
#include "ui/files/printed.h"
#include "ui/practice/case_first.h"
#include "ui/practice/case_lines.h"
#include "ui/practice/case_sheet.h"
#include "ui/practice/drill_summary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- Line by line --- */

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

/* Adds a line of a record, which is freed. False: nothing can be kept, and that was said. */
static bool keep_own(
	const char *name, char *line, enum command_id command, const struct streams *io)
{
	char why[400] = "out of memory";
	bool kept = line && case_file_keep(name, line, why, sizeof why) == 0;
	if (!kept)
		fprintf(io->err, "ridge %s: %s\n", commands[command].name, why);
	free(line);
	return kept;
}

/* What was typed before the sitting was cut off, typed once more. Returns where its clock stands. */
static int64_t go_on(
	struct case_talk *t, const char *record, enum command_id command, const struct streams *io)
{
	size_t unreadable;
	char time[32];
	int64_t clock_ms = case_replay(t, record, &unreadable);
	if (unreadable)
		fprintf(io->err, "ridge %s: %zu line%s of the record cannot be read\n",
			commands[command].name, unreadable, unreadable == 1 ? "" : "s");
	case_say(&t->said, TONE_HINT, "This sitting was left at %s and goes on there%s%s%s.",
		drill_clock_text(clock_ms, time, sizeof time),
		t->sitting->company == CASE_ALONE ? "; ridge case " : "",
		t->sitting->company == CASE_ALONE ? t->sitting->deal.of->id : "",
		t->sitting->company == CASE_ALONE ? " --new begins another" : "");
	case_say_apart(&t->said);
	return clock_ms;
}

/* Whether memory lacked since errno was 0. What is read then passes for a record that is not there, or
 * for a text without a fault, because neither is told from none. */
static bool memory_lacked(void)
{
	return errno == ENOMEM;
}

static int say_memory(enum command_id command, const struct streams *io)
{
	fprintf(io->err, "ridge %s: out of memory: something may be missing\n",
		commands[command].name);
	return 1;
}

/* The first page, until a line starts the clock; false: none came. *lacked: not all of it is there. */
static bool begins(const struct case_sitting *s, bool keeps, enum command_id command,
	const struct streams *io, char *first, bool *lacked)
{
	errno = 0;
	const struct case_earlier e =
		case_earlier_of(keeps ? case_file_read : NULL, s->deal.of->id);
	*lacked = memory_lacked();
	if (*lacked)
		say_memory(command, io);
	case_first_print(s, &e, io->now_s, io->out);
	return case_lines_wait(io->in, io->out, first);
}

/* A sitting that begins, or goes on with the record in the file of that name. */
static int sit(struct case_sitting *s, bool keeps, char *name, const char *record,
	enum command_id command, const struct streams *io)
{
	char program[40];
	snprintf(program, sizeof program, "ridge %s", commands[command].name);
	struct case_lines lines = { .name = program,
		.in = io->in,
		.out = io->out,
		.err = io->err,
		.clock_ms = now_ms,
		.context = name };
	struct case_talk talk;
	char first[CASE_LINE_SIZE] = "";
	bool lacked = false;
	if (!record && !begins(s, keeps, command, io, first, &lacked)) {
		const bool broke = own_lines_broke(io->in, program, io->err);
		return printed_end(io->out) || broke || lacked ? 1 : 0;
	}
	lines.first = first;
	case_talk_begin(&talk, s);
	if (record)
		lines.from_ms = go_on(&talk, record, command, io);
	if (record && keeps && s->company == CASE_HELD)
		keeps = keep_own(name, case_again_line(lines.from_ms, io->now_s), command, io);
	else if (!record && keeps)
		keeps = keep_own(case_file_name(s->deal.of->id, io->now_s, name),
			case_begin_line(s, io->now_s), command, io);
	lines.keep = keeps ? keep : NULL;
	int rc = case_lines_run(&talk, &lines);
	if (!rc && talk.said.arena.failed)
		rc = say_memory(command, io);
	case_talk_release(&talk);
	return rc ? rc : lacked;
}

/* --- On paper --- */

struct printing {
	struct case_sitting *sitting;
	bool candidate;
	const char *above; /* the code, where there is one; or NULL */
};

static int write_sheet(const void *what, FILE *out)
{
	const struct printing *p = what;
	if (p->above)
		fprintf(out, "%s\n\n", p->above);
	return (p->candidate ? case_sheet_candidate : case_sheet_interviewer)(p->sitting, out);
}

static int print(struct case_sitting *s, const struct case_order *order, enum command_id command,
	const struct streams *io)
{
	const struct printing p = { s, order->candidate, order->above };
	if (order->html)
		return paper_file_of(order->html, write_sheet, &p, command, io);
	const int rc = order->json ? json_print(case_sheet_json(s, !order->candidate), io->out)
				   : write_sheet(&p, io->out);
	if (rc && !ferror(io->out))
		fprintf(io->err, "ridge %s: out of memory\n", commands[command].name);
	return rc || fflush(io->out) ? 1 : 0;
}

/* --- Either --- */

static void complete(struct case_dealing *d, const struct design_case *c, int64_t now_s)
{
	if (!d->seeded)
		d->seed = (uint64_t)now_s % CASE_SEEDS;
	if (!d->levelled)
		d->level = case_least_level(c);
	if (!d->timed)
		d->minutes = CASE_MINUTES;
}

int case_open(const struct case_order *order, const struct tables *t, enum command_id command,
	const struct streams *io)
{
	const bool prints = order->sheet || order->json;
	struct case_dealing how = order->how;
	struct design_case c = { .file = NULL };
	struct case_sitting s = { .stage = 0 };
	char why[700], name[CASE_RECORD_NAME_SIZE], *record = NULL;
	int rc = 2;
	const bool looks = !prints && order->keeps && !order->anew;
	errno = 0;
	if (looks)
		record = case_file_find(case_file_read, order->id, &how, name);
	const bool goes_on = record && case_dealing_fits(&how, record);
	bool lacked = memory_lacked();
	errno = 0;
	const bool damaged = looks && !goes_on && case_file_damaged(order->id, why, sizeof why);
	lacked = lacked || memory_lacked();
	if (damaged && !lacked)
		fprintf(io->err, "ridge %s: %s\n", commands[command].name, why);
	if (lacked) {
		rc = say_memory(command, io);
	} else if (case_load(&c, t, order->id, why, sizeof why)) {
		usage_error(io, command, "%s", why);
	} else {
		if (!goes_on)
			complete(&how, &c, io->now_s);
		errno = 0;
		if (case_sitting_begin(&s, &c, t, how.seed, how.level, why, sizeof why)) {
			usage_error(io, command, "%s", why);
		} else if (memory_lacked()) {
			rc = say_memory(command, io);
		} else {
			s.minutes = how.minutes;
			s.company = how.held ? CASE_HELD : CASE_ALONE;
			rc = prints ? print(&s, order, command, io)
				    : sit(&s, order->keeps, name, goes_on ? record : NULL, command,
					      io);
		}
	}
	free(record);
	case_sitting_release(&s);
	case_release(&c);
	return rc;
}
