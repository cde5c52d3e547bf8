/* Each typed line is on the disk before anything is done with it. */
#include "ui/commands/case_sit.h"

#include "ui/practice/case_lines.h"
#include "ui/practice/drill_summary.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEEDS = 100000 };

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
static bool keep_beginning(const char *name, const struct case_sitting *s, enum command_id command,
	const struct streams *io)
{
	char why[400] = "out of memory", *line = case_begin_line(s, io->now_s);
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

int case_sit(struct case_sitting *s, struct case_dealing *d, bool keeps, enum command_id command,
	const struct streams *io)
{
	struct case_lines lines = {
		.in = io->in, .out = io->out, .err = io->err, .clock_ms = now_ms, .context = d->name
	};
	struct case_talk talk;
	case_talk_begin(&talk, s);
	if (d->record)
		lines.from_ms = go_on(&talk, d->record, command, io);
	else if (keeps)
		keeps = keep_beginning(
			case_file_name(s->deal.of->id, io->now_s, d->name), s, command, io);
	lines.keep = keeps ? keep : NULL;
	int rc = case_lines_run(&talk, &lines);
	case_talk_release(&talk);
	return rc;
}

void case_dealing_complete(
	struct case_dealing *d, const struct design_case *c, bool goes_on, int64_t now_s)
{
	struct case_head head;
	if (!d->seeded)
		d->seed = (uint64_t)now_s % SEEDS;
	if (!d->levelled)
		d->level = case_least_level(c);
	if (!d->timed)
		d->minutes = CASE_MINUTES;
	d->record = goes_on ? case_file_newest(c->id, d->name) : NULL;
	if (d->record && case_head_read(d->record, &head) && case_goes_on(&head) &&
		head.held == d->held && (!d->seeded || head.seed == d->seed) &&
		(!d->levelled || head.level == d->level) &&
		(!d->timed || head.minutes == d->minutes)) {
		d->minutes = head.minutes;
		d->seed = head.seed;
		d->level = head.level;
		return;
	}
	free(d->record);
	d->record = NULL;
}
