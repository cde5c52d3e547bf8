/* The record of a sitting: wherever it ends, what was typed before is there, and the sitting that goes
 * on from it is the one that would have been. */
#include "tests/cases.h"

#include "drills/case_talk.h"
#include "sims/base/array.h"
#include "ui/practice/case_lines.h"
#include "ui/practice/case_record.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static struct tables tables;
static char folder[] = "/tmp/ridge-sittings-XXXXXX";

static void load(void)
{
	cases_load_tables(&tables);
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
}

static void unload(void)
{
	char command[100];
	tables_release(&tables);
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(case_record, .init = load, .fini = unload);

struct sat {
	struct design_case c;
	struct case_sitting sitting;
	struct case_talk talk;
};

static void begin(struct sat *t, uint64_t seed, enum case_level level)
{
	char err[500];
	cases_open(&t->c, &tables, "200-ms-to-50");
	cr_assert(zero(int, case_sitting_begin(
				    &t->sitting, &t->c, &tables, seed, level, err, sizeof err)),
		"%s", err);
	case_talk_begin(&t->talk, &t->sitting);
}

static void end(struct sat *t)
{
	case_talk_release(&t->talk);
	case_sitting_release(&t->sitting);
	case_release(&t->c);
}

/* What is typed, and when. A twist comes by the clock, with the line after minute 22; what comes after it
 * is another stage. */
static const struct {
	const char *line;
	int64_t ms;
} typed[] = {
	{ "How many cameras are there?", 20000 },
	{ "What about the insurance?", 45000 },
	{ "estimate blind 6", 300000 }, /* without a unit, which is asked for once */
	{ "estimate blind 6 m", 310000 },
	{ "design platform=orin cameras=11 tensorrt=on", 600000 },
	{ "design backbone_sharing=on temporal_fusion=off sparse=off pipelined=off", 660000 },
	{ "say TensorRT \"first\"", 700000 },
	{ "  design cameras=12", 1400000 },
	{ "follow", 1500000 },
	{ "next", 1600000 },
	{ "mark clarify 3", 1700000 },
	{ "end", 1790000 },
};

static char *said(const struct sat *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (size_t i = 0; i < t->talk.said.n; i++)
		fprintf(f, "%d %d %s\n", (int)t->talk.said.list[i].tone, t->talk.said.list[i].apart,
			t->talk.said.list[i].text);
	fclose(f);
	return text;
}

static void type(struct sat *t, size_t i)
{
	case_talk_line(&t->talk, "", typed[i].ms);
	case_talk_echo(&t->talk, typed[i].line);
	case_talk_line(&t->talk, typed[i].line, typed[i].ms);
}

/* The record of the first n lines, and of half of the next. */
static char *record_of(const struct sat *t, size_t n)
{
	char *text = NULL, *line;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	line = case_begin_line(&t->sitting, 1767225600);
	fputs(line, f);
	free(line);
	for (size_t i = 0; i <= n && i < LENGTH(typed); i++) {
		line = case_typed_line(typed[i].line, typed[i].ms);
		fprintf(f, "%.*s", (int)(i < n ? strlen(line) : strlen(line) / 2), line);
		free(line);
	}
	fclose(f);
	return text;
}

/* Killed while any line is being written, it goes on as if nothing had happened. */
Test(case_record, loses_nothing_but_the_line_being_typed)
{
	struct sat whole;
	begin(&whole, 9, LEVEL_STAFF);
	for (size_t i = 0; i < LENGTH(typed); i++)
		type(&whole, i);
	char *expected = said(&whole);
	for (size_t n = 0; n <= LENGTH(typed); n++) {
		struct sat again;
		struct case_head head;
		size_t unreadable;
		char *record = record_of(&whole, n);
		cr_assert(case_head_read(record, &head));
		cr_expect(strcmp(head.id, "200-ms-to-50") == 0);
		cr_expect(eq(u64, head.seed, 9));
		cr_expect(eq(int, (int)head.level, LEVEL_STAFF));
		cr_expect(eq(uint, head.minutes, 45));
		cr_expect(eq(sz, head.typed, n));
		cr_expect(eq(int, case_goes_on(&head), n > 0));
		cr_expect(eq(i64, head.clock_ms, n ? typed[n - 1].ms : 0));
		begin(&again, head.seed, head.level);
		cr_expect(eq(i64, case_replay(&again.talk, record, &unreadable), head.clock_ms));
		cr_expect(eq(sz, unreadable, n < LENGTH(typed)), "the half line");
		for (size_t i = n; i < LENGTH(typed); i++)
			type(&again, i);
		char *text = said(&again);
		cr_expect(strcmp(text, expected) == 0, "cut after %zu lines:\n%s", n, text);
		cr_expect(eq(int, (int)again.sitting.phase, (int)whole.sitting.phase));
		cr_expect(eq(sz, again.sitting.stage, 1));
		free(text);
		free(record);
		end(&again);
	}
	free(expected);
	end(&whole);
}

#define BEGIN                                                                                      \
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":\"x\",\"seed\":\"7\","         \
	"\"level\":\"staff\"}\n"
#define LINE(ms, text) "{\"did\":\"line\",\"ms\":" ms ",\"text\":\"" text "\"}\n"

Test(case_record, says_what_goes_on)
{
	static const struct {
		const char *text;
		bool is, goes_on;
		int64_t clock_ms;
	} rows[] = {
		{ BEGIN, true, false, 0 }, /* nothing was typed */
		{ BEGIN LINE("5", "quit"), true, false, 5 },
		{ BEGIN LINE("5", "hello"), true, true, 5 },
		{ BEGIN LINE("5", "hello") LINE("9", "quit"), true, true, 9 },
		{ BEGIN LINE("5", "hello") "{\"did\":\"clock\",\"ms\":60000}\n", true, true,
			60000 },
		{ BEGIN LINE("5", "end"), true, true, 5 }, /* marks may follow */
		{ BEGIN LINE("5", "end") LINE("9", " quit "), true, false, 9 },
		{ BEGIN LINE("5", "end") LINE("9", "mark clarify 3") LINE("9", "quit"), true, false,
			9 },
		{ BEGIN LINE("5", "next") "{\"did\":\"end\",\"ms\":7}\n", true, false, 7 },
		{ BEGIN LINE("5", "the end"), true, true, 5 },
		{ BEGIN "nonsense\n" LINE("-5", "hello") "[1]\n{\"did\":3}\n", true, true, 0 },
		{ "", false, false, 0 },
		{ "{\"schema\":2}\n", false, false, 0 },
		{ LINE("5", "hello"), false, false, 0 },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct case_head head;
		cr_assert(eq(int, case_head_read(rows[i].text, &head), rows[i].is), "row %zu", i);
		if (!rows[i].is)
			continue;
		cr_expect(eq(int, case_goes_on(&head), rows[i].goes_on), "row %zu", i);
		cr_expect(eq(i64, head.clock_ms, rows[i].clock_ms), "row %zu", i);
	}
}

/* Clocks do not go back, whatever a record says; the lines that do are left out and counted. */
Test(case_record, leaves_out_what_cannot_be_read)
{
	static const char record[] = BEGIN LINE("5000", "How many cameras are there?")
		LINE("4000", "design") "{\"did\":\"dance\",\"ms\":6000}\n\n" LINE("7000", "quit");
	struct sat t;
	size_t unreadable;
	begin(&t, 7, LEVEL_STAFF);
	size_t n = t.talk.said.n;
	cr_expect(eq(i64, case_replay(&t.talk, record, &unreadable), 7000));
	cr_expect(eq(sz, unreadable, 3), "the early one, the unknown one, the empty one");
	cr_expect(eq(sz, t.talk.said.n, n + 2), "the question and its answer");
	cr_expect(not(t.talk.left), "who comes back has not left");
	end(&t);
}

/* Whoever goes on is told when the last record cannot be read, in whole or in part. */
Test(case_record, damage_is_told)
{
	static const struct {
		const char *id, *text, *why;
	} rows[] = {
		{ "whole", BEGIN LINE("5000", "design"), NULL },
		{ "torn", BEGIN "{\"did\":\"line\",\"ms\":50\n",
			"-torn.jsonl: a part of it cannot be read" },
		{ "other", "[1]\n", "-other.jsonl: it does not begin as a record" },
		{ "none", NULL, NULL },
	};
	char name[CASE_RECORD_NAME_SIZE], err[600];
	for (size_t i = 0; i < LENGTH(rows); i++) {
		case_file_name(rows[i].id, 1767225600, name);
		if (rows[i].text)
			cr_assert(zero(int, case_file_keep(name, rows[i].text, err, sizeof err)));
		bool told = case_file_damaged(rows[i].id, err, sizeof err);
		cr_expect(eq(int, told, rows[i].why != NULL), "%s", rows[i].id);
		bool as_it_is = !told || strstr(err, rows[i].why) != NULL;
		cr_expect(as_it_is, "%s", err);
	}
}

/* Its own last one, however ids begin and end alike; two in one second are two. */
Test(case_record, finds_the_newest_of_a_case)
{
	static const struct {
		const char *id;
		int64_t at_s;
		const char *text;
	} kept[] = {
		{ "x", 1767225600, "first\n" },
		{ "200-x", 1767225601, "other\n" },
		{ "x", 1767225600, "second\n" },
		{ "x-1", 1767225602, "third\n" },
	};
	static const struct {
		const char *id, *text;
	} rows[] = { { "x", "second\n" }, { "200-x", "other\n" }, { "x-1", "third\n" },
		{ "1", NULL }, { "-x", NULL }, { "", NULL } };
	char name[CASE_RECORD_NAME_SIZE], err[300];
	cr_expect(case_file_read("x", 0, name) == NULL, "there is no folder yet");
	for (size_t i = 0; i < LENGTH(kept); i++) {
		case_file_name(kept[i].id, kept[i].at_s, name);
		cr_assert(
			zero(int, case_file_keep(name, kept[i].text, err, sizeof err)), "%s", err);
	}
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char *text = case_file_read(rows[i].id, 0, name);
		cr_expect(rows[i].text ? text && strcmp(text, rows[i].text) == 0 : !text, "%s: %s",
			rows[i].id, text);
		free(text);
	}
}

/* A sitting counts for a day once a quarter of its time ran: of 45 minutes, 11:15. */
Test(case_record, counts_a_day_for_those_who_worked)
{
	/* 1767225600 s are 20,454 days: 2026-01-01. */
	static const struct {
		const char *id;
		int64_t at_s, clock_ms;
	} kept[] = { { "x", 1767225600, 11 * 60000 + 15000 }, { "y", 1767225601, 674999 },
		{ "x", 1767225600 + 86400, 1000 } };
	char name[CASE_RECORD_NAME_SIZE], err[300], line[300];
	for (size_t i = 0; i < LENGTH(kept); i++) {
		struct design_case c = { .id = kept[i].id };
		struct case_sitting s = { .deal = { .of = &c }, .minutes = CASE_MINUTES };
		char *begin = case_begin_line(&s, kept[i].at_s);
		case_file_name(kept[i].id, kept[i].at_s, name);
		char *clock = case_clock_line(kept[i].clock_ms);
		snprintf(line, sizeof line, "%s%s", begin, clock);
		cr_assert(zero(int, case_file_keep(name, line, err, sizeof err)), "%s", err);
		free(begin);
		free(clock);
	}
	cr_expect(eq(i64, case_file_day("x"), 20454));
	cr_expect(eq(i64, case_file_day("y"), -1));
	cr_expect(eq(i64, case_file_day("z"), -1));
	cr_expect(eq(sz, case_files_on(20454), 1));
	cr_expect(eq(sz, case_files_on(20455), 0));
	cr_expect(eq(sz, case_files_on(20453), 0));
}

/* Who is quick has sat it, too, who came to the debrief with a line for each of the five phases, moving on not
 * among them; who only looked on, or left before, has not. */
Test(case_record, counts_the_quick_who_came_to_the_end)
{
	static const struct {
		const char *id, *lines[10];
		bool counts;
	} rows[] = {
		{ "quick", { "a", "b", "next", "c", "d", "e", "next", "end" }, true },
		{ "looks", { "a", "next", "next", "b", "next", "next", "next", "next", "end" },
			false },
		{ "left", { "a", "b", "c", "d", "e", "f", "g", "next", "quit" }, false },
	};
	char name[CASE_RECORD_NAME_SIZE], err[300];
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct design_case c = { .id = rows[i].id };
		struct case_sitting s = { .deal = { .of = &c }, .minutes = CASE_MINUTES };
		char *line = case_begin_line(&s, 1767225600);
		case_file_name(rows[i].id, 1767225600, name);
		cr_assert(zero(int, case_file_keep(name, line, err, sizeof err)), "%s", err);
		free(line);
		for (size_t k = 0; k < LENGTH(rows[i].lines) && rows[i].lines[k]; k++) {
			line = case_typed_line(rows[i].lines[k], 60000);
			cr_assert(zero(int, case_file_keep(name, line, err, sizeof err)));
			free(line);
		}
		cr_expect(eq(i64, case_file_day(rows[i].id), rows[i].counts ? 20454 : -1), "%s",
			rows[i].id);
	}
}

/* --- How lines were read --- */

/* Of a question that no reading would understand it says what was told, and of an offer what was meant; a word
 * that has come since was a question then. What the case has no more is left out. */
Test(case_record, what_was_told_stays_told)
{
	static const char record[] =
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"case\":\"200-ms-to-50\","
		"\"seed\":\"9\",\"level\":\"staff\",\"minutes\":45}\n"
		"{\"did\":\"line\",\"ms\":1000,\"text\":\"What about the insurance?\"}\n"
		"{\"did\":\"read\",\"ms\":1000,\"readings\":[{\"text\":\"What about the insurance?\","
		"\"as\":\"facts\",\"facts\":[\"weeks\",\"gone\"]}]}\n"
		"{\"did\":\"line\",\"ms\":2000,\"text\":\"How many cameras are there?\"}\n"
		"{\"did\":\"read\",\"ms\":2000,\"readings\":[{\"text\":\"How many cameras are there?\","
		"\"as\":\"nothing\"}]}\n"
		"{\"did\":\"line\",\"ms\":3000,\"text\":\"facts\"}\n"
		"{\"did\":\"read\",\"ms\":3000,\"readings\":[{\"text\":\"facts\",\"as\":\"offer\","
		"\"facts\":[\"jitter\",\"rate\"]}]}\n"
		"{\"did\":\"line\",\"ms\":4000,\"text\":\"the latter\"}\n"
		"{\"did\":\"read\",\"ms\":4000,\"readings\":[{\"text\":\"the latter\",\"as\":\"meant\","
		"\"facts\":[\"rate\"]}]}\n"
		"{\"did\":\"line\",\"ms\":5000,\"text\":\"it depends\"}\n"
		"{\"did\":\"read\",\"ms\":5000,\"readings\":[{\"text\":\"it depends\",\"as\":\"answer\"}]}\n"
		"{\"did\":\"line\",\"ms\":6000,\"text\":\"What is the deadline?\"}\n";
	static const char *const told[] = { "weeks", "rate", "meaning" };
	struct sat again;
	size_t unreadable, n = 0;
	begin(&again, 9, LEVEL_STAFF);
	cr_expect(eq(i64, case_replay(&again.talk, record, &unreadable), 6000));
	cr_expect(eq(sz, unreadable, 0));
	for (size_t i = 0; i < again.c.n_facts; i++) {
		bool is = false;
		for (size_t k = 0; k < LENGTH(told); k++)
			is |= strcmp(again.c.facts[i].id, told[k]) == 0;
		/* Without a reading it is read as it is now: the last line asks what the 50 ms are. */
		cr_expect(eq(int, again.sitting.told[i], is), "%s", again.c.facts[i].id);
		n += again.sitting.told[i];
	}
	cr_expect(eq(sz, n, 3));
	cr_expect(eq(sz, again.sitting.asked, 4), "with an answer and what was meant not counted");
	cr_expect(eq(sz, again.sitting.unanswered, 1));
	cr_expect(eq(sz, again.sitting.n_said, 1));
	end(&again);
}

/* What is written of a line is what it was read as, and comes back the same. */
Test(case_record, a_reading_is_written_and_read)
{
	static const char line[] = "How many cameras are there?";
	struct sat first, again;
	begin(&first, 9, LEVEL_STAFF);
	begin(&again, 9, LEVEL_STAFF);
	case_talk_line(&first.talk, "facts", 500);
	cr_expect(first.talk.heard == NULL, "a word is read by nobody");
	case_talk_line(&first.talk, line, 1000);
	char *text = case_heard_line(&first.talk, 1000);
	cr_expect(eq(str, text,
		(char *)"{\"did\":\"read\",\"ms\":1000,\"readings\":[{\"text\":\"How many cameras are "
			"there?\",\"as\":\"facts\",\"facts\":[\"cameras\"]}]}\n"));
	case_record_reading(&again.talk, text);
	cr_assert(again.talk.recorded != NULL);
	cr_expect(again.talk.recorded->as == READ_FACTS && again.talk.recorded->n == 1);
	case_talk_line(&again.talk, line, 1000);
	cr_expect(again.talk.recorded == NULL, "it was of that line alone");
	cr_expect(zero(
		int, memcmp(first.sitting.told, again.sitting.told, sizeof first.sitting.told)));
	free(text);
	end(&first);
	end(&again);
}

/* A reading of another version, or of nobody, is none: the line is then read as it is now. Anchors count from 1. */
Test(case_record, what_is_no_reading_is_left_out)
{
	static const struct {
		const char *reading;
		int anchor; /* -1: it is none */
	} rows[] = {
		{ "{\"text\":\"5 ms\",\"as\":\"number\",\"anchor\":2}", 2 },
		{ "{\"text\":\"5 ms\",\"as\":\"number\",\"anchor\":99}", 0 },
		{ "{\"text\":\"5 ms\",\"as\":\"number\",\"anchor\":1.5}", 0 },
		{ "{\"text\":\"5 ms\",\"as\":\"number\",\"anchor\":\"2\"}", 0 },
		{ "{\"text\":\"5 ms\",\"as\":\"number\"}", 0 },
		{ "{\"text\":\"5 ms\",\"as\":\"song\"}", -1 },
		{ "{\"text\":\"5 ms\"}", -1 },
		{ "{\"as\":\"number\"}", -1 },
		{ "{\"text\":\"facts\",\"as\":\"offer\"}", -1 },
		{ "{\"text\":\"facts\",\"as\":\"offer\",\"facts\":[7,\"rate\"]}", 0 },
		{ "{\"text\":\"facts\",\"as\":\"offer\",\"facts\":[\"rate\",\"jitter\",\"weeks\"]}",
			-1 },
		{ "7", -1 },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct sat s;
		char line[300];
		begin(&s, 9, LEVEL_STAFF);
		snprintf(line, sizeof line, "{\"did\":\"read\",\"ms\":1000,\"readings\":[%s]}\n",
			rows[i].reading);
		case_record_reading(&s.talk, line);
		const struct case_heard *h = s.talk.recorded;
		cr_expect(eq(int, h != NULL, rows[i].anchor >= 0), "%s", rows[i].reading);
		if (h)
			cr_expect(eq(sz, h->anchor, (size_t)rows[i].anchor), "%s", rows[i].reading);
		end(&s);
	}
}

/* --- Line by line --- */

static int64_t minutes_ms;

/* A minute passes whenever somebody looks. */
static int64_t minute_clock(void)
{
	return minutes_ms += 60000;
}

static int keep_in(void *kept, const char *line, char *err, size_t err_size)
{
	(void)err;
	(void)err_size;
	strcat(kept, line);
	return 0;
}

/* The second line shows the answers, and what is typed after it is typed at its time. */
Test(case_record, the_clock_stands_after_the_end)
{
	static char typed_lines[] = "facts\nend\nmark clarify 3\nmark design 2\nquit\n";
	char kept[4000] = "", *printed = NULL;
	size_t size;
	struct sat t;
	begin(&t, 9, LEVEL_STAFF);
	FILE *in = fmemopen(typed_lines, strlen(typed_lines), "r"),
	     *out = open_memstream(&printed, &size);
	const struct case_lines lines = { .name = "ridge case",
		.in = in,
		.out = out,
		.err = out,
		.clock_ms = minute_clock,
		.keep = keep_in,
		.context = kept };
	cr_expect(zero(int, case_lines_run(&t.talk, &lines)));
	fclose(in);
	fclose(out);
	/* Looked at as it begins, and for each line: the end is two minutes after that. */
	cr_expect(strstr(kept, "\"ms\":60000,\"text\":\"facts\"") != NULL, "%s", kept);
	cr_expect(strstr(kept, "\"ms\":120000,\"text\":\"end\"") != NULL, "%s", kept);
	cr_expect(strstr(kept, "\"ms\":120000,\"text\":\"mark design 2\"") != NULL, "%s", kept);
	cr_expect(strstr(kept, "\"did\":\"end\",\"ms\":120000") != NULL, "%s", kept);
	free(printed);
	end(&t);
}

static char *newest;
static char *read_newest(const char *id, size_t newer, char *name)
{
	(void)id;
	snprintf(name, CASE_RECORD_NAME_SIZE, "newest");
	return newer ? NULL : strdup(newest);
}

/* Adds a line to what is read as the newest record. */
static void add(char *line)
{
	const size_t used = newest ? strlen(newest) : 0;
	char *more = line ? realloc(newest, used + strlen(line) + 1) : NULL;
	cr_assert(more != NULL);
	strcpy(more + used, line);
	free(line);
	newest = more;
}

/* A candidate's sitting begins at 10,000 s, is typed in for 20 minutes and then left, ended or gone on with. An interview
 * of that code takes it as its own where it was there already or still, and not where it was over, or was that of an
 * interview that ended meanwhile. */
Test(case_record, a_sitting_that_ended_is_no_new_interviews)
{
	enum { BEGAN_S = 10000, MINUTES_20_MS = 20 * 60 * 1000, OVER_S = BEGAN_S + 20 * 60 };
	static const struct {
		bool ends;
		int64_t again_s, opened_s, after_s;
		bool is;
		const char *what;
	} rows[] = {
		{ false, 0, BEGAN_S - 60, 0, true, "the candidate comes later" },
		{ false, 0, BEGAN_S + 60, 0, true, "or a minute before" },
		{ true, 0, BEGAN_S + 60, 0, true, "and ends meanwhile" },
		{ true, 0, OVER_S + 60, 0, false, "the code is used again" },
		{ false, 0, OVER_S + 60, 0, true, "what was broken off waits" },
		{ false, 0, OVER_S + 60, OVER_S, false, "it was left, and the interview ended" },
		{ false, OVER_S + 90, OVER_S + 60, OVER_S, true,
			"and is gone on with all the same" },
		{ false, 0, BEGAN_S + 3601, 0, false, "more than an hour before" },
		{ false, BEGAN_S + 7200, BEGAN_S + 7300, 0, true, "but gone on with since" },
	};
	struct sat t;
	begin(&t, 7, LEVEL_SENIOR);
	t.sitting.company = CASE_HELD;
	const struct case_dealing deal = {
		.seed = 7, .level = LEVEL_SENIOR, .minutes = t.sitting.minutes
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char name[CASE_RECORD_NAME_SIZE];
		add(case_begin_line(&t.sitting, BEGAN_S));
		add(case_typed_line("next", 1000));
		if (rows[i].ends)
			add(case_end_line(MINUTES_20_MS));
		else
			add(case_clock_line(MINUTES_20_MS));
		if (rows[i].again_s)
			add(case_again_line(MINUTES_20_MS, rows[i].again_s));
		char *found = case_file_candidate(
			read_newest, "200-ms-to-50", deal, rows[i].opened_s, rows[i].after_s, name);
		cr_expect(eq(int, found != NULL, rows[i].is), "%s", rows[i].what);
		free(found);
		free(newest);
		newest = NULL;
	}
	end(&t);
}
