/* `ridge interviews`: the list and one interview, as text, Markdown and JSON, from records as they lie in
 * the folder; and what is said of a record that is damaged and of a number that is none. */
#include "tests/data_home.h"
#include "tests/said.h"
#include "ui/practice/drill_request.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct data_home home;

/* 2026-01-01 00:00 UTC: a problem with options, heard right, and one by number, heard wrong; 90 s. */
static const char earlier[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"code\":\"810M-15\",\"name\":\"Ada\"}\n"
	"{\"did\":\"clock\",\"ms\":0,\"n\":1}\n"
	"{\"did\":\"note\",\"ms\":17400,\"began_ms\":15100,\"text\":\"asks *what* waits\"}\n"
	"{\"did\":\"heard\",\"ms\":20000,\"n\":0,\"text\":\"2\"}\n"
	"{\"did\":\"mark\",\"ms\":21000,\"n\":4}\n"
	"{\"did\":\"go\",\"ms\":30000,\"n\":1}\n"
	"{\"did\":\"heard\",\"ms\":60000,\"n\":0,\"text\":\"1 TB/token\"}\n"
	"{\"did\":\"end\",\"ms\":90000,\"n\":3}\n";
/* A day later, and left. */
static const char later[] =
	"{\"schema\":1,\"did\":\"begin\",\"at\":1767312000,\"code\":\"810M-15\",\"name\":\"Bo\"}\n"
	"{\"did\":\"clock\",\"ms\":0,\"n\":1}\n"
	"not a line of ours\n"
	"{\"did\":\"go\",\"ms\":5000,\"n\":1}\n";

static void put(const char *name, const char *text)
{
	data_home_put(&home, name, text);
}

static void begin(void)
{
	data_home_begin(&home, "interviews");
	setlocale(LC_CTYPE, "C.UTF-8");
	put("20260101-000000-810M-15.jsonl", earlier);
	put("20260102-000000-810M-15.jsonl", later);
}

static void end(void)
{
	data_home_end(&home);
}

TestSuite(interviews_command, .init = begin, .fini = end);

static struct said say(const char *line)
{
	return said_at(1767398400, line, NULL);
}

/* The latest comes first, each with what became of it. */
Test(interviews_command, a_list_from_the_latest)
{
	struct said s = say("interviews");
	cr_expect(zero(int, s.status), "%s", s.err);
	const char *bo = strstr(s.out, "  1  2026-01-02 00:00"),
		   *ada = strstr(s.out, "  2  2026-01-01 00:00");
	cr_assert(bo && ada && bo < ada, "%s", s.out);
	cr_expect(strstr(bo, "Bo") && strstr(bo, "Bo") < ada, "%s", s.out);
	cr_expect(strstr(bo, "0:05") && strstr(ada, "1:30"), "%s", s.out);
	cr_expect(
		strstr(bo, "not ended\n") != NULL && strstr(bo, "not ended\n") < ada, "%s", s.out);
	cr_expect(strstr(s.out, "\nNot ended:\n"
				"  ridge drill --answers --code 810M-15 goes on with 1\n"
				"  ridge interviews 1 --drop removes 1\n") != NULL,
		"%s", s.out);
	forget(&s);
	s = say("interviews --json");
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	const cJSON *all = cJSON_GetObjectItem(root, "interviews");
	cr_assert(eq(int, cJSON_GetArraySize(all), 2), "%s", s.out);
	const cJSON *first = cJSON_GetArrayItem(all, 0), *second = cJSON_GetArrayItem(all, 1);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(first, "candidate")), "Bo"));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(first, "clock_s")), 5));
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItem(first, "ended")) != 0);
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(second, "mark")), 3));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(second, "at")), 1767225600));
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(second, "ended")) != 0);
	cJSON_Delete(root);
	forget(&s);
}

/* What was heard, marked and noted, with the time that each took. */
Test(interviews_command, one_in_json)
{
	struct said s = say("interviews 2 --json");
	cr_assert(zero(int, s.status), "%s", s.err);
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_assert(root != NULL, "%s", s.out);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "candidate")), "Ada"));
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "code")), "810M-15"));
	const cJSON *stops = cJSON_GetObjectItem(root, "stops");
	const cJSON *choice = cJSON_GetArrayItem(stops, 0), *number = cJSON_GetArrayItem(stops, 1);
	cr_assert(choice && number, "%s", s.out);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(choice, "drill")),
		"chunked-protects"));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(choice, "mark")), 4));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(choice, "parts_right")), 1));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(choice, "spent_s")), 30));
	const cJSON *note = cJSON_GetArrayItem(cJSON_GetObjectItem(choice, "notes"), 0);
	cr_expect(eq(
		str, cJSON_GetStringValue(cJSON_GetObjectItem(note, "text")), "asks *what* waits"));
	const cJSON *heard = cJSON_GetArrayItem(cJSON_GetObjectItem(number, "heard"), 0);
	cr_expect(eq(
		str, cJSON_GetStringValue(cJSON_GetObjectItem(number, "drill")), "kv-per-token"));
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(heard, "verdict")), "WRONG"));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(heard, "at_s")), 60));
	cr_expect(eq(dbl, cJSON_GetNumberValue(cJSON_GetObjectItem(number, "parts_right")), 0));
	cJSON_Delete(root);
	forget(&s);
}

Test(interviews_command, one_as_text_and_as_markdown)
{
	struct said s = say("interviews 2"), md = say("interviews 2 --md");
	cr_expect(zero(int, s.status || md.status), "%s%s", s.err, md.err);
	cr_expect(strstr(s.out, "Ada") && strstr(s.out, "asks *what* waits"), "%s", s.out);
	cr_expect(strncmp(md.out, "**Ada**", 7) == 0, "%s", md.out);
	/* What would be emphasis is text. */
	cr_expect(strstr(md.out, "asks \\*what\\* waits") != NULL, "%s", md.out);
	forget(&s);
	forget(&md);
}

/* A damaged line costs itself, and is told; a file that is no record is told and the others are listed. */
Test(interviews_command, damaged_records_are_told)
{
	struct said s = say("interviews 1");
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.out, "Bo") != NULL, "%s", s.out);
	cr_expect(
		strstr(s.err, "20260102-000000-810M-15.jsonl: 1 line cannot be read; it is kept") !=
			NULL,
		"%s", s.err);
	forget(&s);
	put("20260103-000000-810M-15.jsonl", "{\"schema\":1,\"did\":\"mark\"}\n");
	s = say("interviews");
	cr_expect(eq(int, s.status, 1));
	cr_expect(strstr(s.err, "20260103-000000-810M-15.jsonl: it does not begin as a record") !=
			  NULL,
		"%s", s.err);
	cr_expect(strstr(s.out, "Ada") && strstr(s.out, "Bo"), "%s", s.out);
	forget(&s);
	s = say("interviews 1");
	cr_expect(eq(int, s.status, 1));
	cr_expect(strstr(s.err, "20260103-000000-810M-15.jsonl: ") != NULL, "%s", s.err);
	forget(&s);
}

Test(interviews_command, what_is_no_interview_is_told)
{
	static const struct {
		const char *line, *says;
	} rows[] = {
		{ "interviews 3", "there is no interview 3: 2 are kept" },
		{ "interviews 0", "expected a number of the list, from 1, taken, or a candidate's "
				  "name, found \"0\"" },
		{ "interviews one", "no interview is with \"one\": expected a number of the list" },
		{ "interviews taken one", "expected a number of the list, from 1, found \"one\"" },
		{ "interviews --edit", "--edit is for one interview that you gave: say which" },
		{ "interviews taken 1 --drop", "--drop is for one interview that you gave" },
		{ "interviews 1 --drop --json", "--edit and --drop go alone" },
		{ "interviews 1 --edit", "--edit opens a screen: it needs a terminal" },
		{ "interviews 3 --drop", "there is no interview 3: 2 are kept" },
		{ "interviews 12345", "expected a number of the list" },
		{ "interviews 2 --mdd", "did you mean \"--md\"" },
		{ "interviews --md", "--md prints one interview: say which" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct said s = say(rows[i].line);
		cr_expect(eq(int, s.status, 2), "row %zu", i);
		cr_expect(strstr(s.err, rows[i].says) != NULL, "row %zu: %s", i, s.err);
		cr_expect(eq(str, s.out, ""), "row %zu", i);
		forget(&s);
	}
}

static void put_sitting(const char *name, const char *text)
{
	char path[200];
	snprintf(path, sizeof path, "%s/ridge/sittings", home.path);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/sittings/%s", home.path, name);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0, "%s", path);
}

/* Practice is read again: all that was typed and said. A sitting in which nothing was typed is none. */
Test(interviews_command, those_that_were_taken_can_be_read_again)
{
	static const char *const parts[] = { "200 ms must become 50, staff, seed 9",
		"Our cars plan on pictures", "> How many cameras are there?", "are mounted",
		"> estimate blind 6 m", "Debrief" };
	struct said s = say("interviews taken");
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.out, "No interviews taken yet") != NULL, "%s", s.out);
	forget(&s);
	put_sitting("20260102-000000-200-ms-to-50.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767312000,\"case\":\"200-ms-to-50\","
		"\"seed\":\"9\",\"level\":\"staff\",\"minutes\":45}\n"
		"{\"did\":\"line\",\"ms\":20000,\"text\":\"How many cameras are there?\"}\n"
		"{\"did\":\"line\",\"ms\":40000,\"text\":\"estimate blind 6 m\"}\n"
		"{\"did\":\"line\",\"ms\":95000,\"text\":\"end\"}\n"
		"{\"did\":\"end\",\"ms\":95000}\n");
	put_sitting("20260103-000000-serve-70b.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767398400,\"case\":\"serve-70b\","
		"\"seed\":\"1\",\"level\":\"senior\",\"minutes\":45}\n");
	s = say("interviews taken");
	cr_expect(
		strstr(s.out,
			"  1  2026-01-02 00:00  200-ms-to-50               staff         1:35  to "
			"its end\n") != NULL,
		"%s", s.out);
	cr_expect(strstr(s.out, "serve-70b") == NULL, "%s", s.out);
	forget(&s);
	s = say("interviews taken 1");
	const char *at = s.out;
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *found = strstr(at, parts[i]);
		cr_assert(found != NULL, "no \"%s\" in:\n%s", parts[i], at);
		at = found;
	}
	forget(&s);
	s = say("interviews taken 1 --md");
	cr_expect(strncmp(s.out, "# 200 ms must become 50", 23) == 0, "%s", s.out);
	cr_expect(strstr(s.out, "\n**How many cameras are there?**\n") != NULL, "%s", s.out);
	forget(&s);
	s = say("interviews taken 1 --json");
	cJSON *o = cJSON_Parse(s.out);
	cr_assert(o != NULL, "%s", s.out);
	const cJSON *said = cJSON_GetObjectItemCaseSensitive(o, "said");
	cr_expect(lt(int, 6, cJSON_GetArraySize(said)));
	cJSON_Delete(o);
	forget(&s);
	s = say("interviews taken 2");
	cr_expect(eq(int, s.status, 2));
	cr_expect(strstr(s.err, "there is no interview 2 that you took: 1 is kept") != NULL, "%s",
		s.err);
	forget(&s);
	s = say("interviews 1 2");
	cr_expect(eq(int, s.status, 2));
	forget(&s);
}

/* A file that is no record is told and left out; one that breaks off in its middle is read as far as it can be; and
 * of a case that is not there nothing can be dealt. */
Test(interviews_command, taken_ones_that_are_damaged_are_told)
{
	put_sitting("20260101-000000-x.jsonl", "spoilt\n");
	put_sitting("20260102-000000-gone.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767312000,\"case\":\"gone\",\"seed\":\"9\","
		"\"level\":\"staff\",\"minutes\":45}\n"
		"{\"did\":\"line\",\"ms\":20000,\"text\":\"Hello?\"}\n");
	put_sitting("20260103-000000-200-ms-to-50.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767398400,\"case\":\"200-ms-to-50\","
		"\"seed\":\"9\",\"level\":\"staff\",\"minutes\":45,\"with\":\"interviewer\"}\n"
		"{\"did\":\"line\",\"ms\":20000,\"text\":\"How many cameras are there?\"}\n"
		"{\"did\":\"li");
	struct said s = say("interviews taken");
	cr_expect(zero(int, s.status));
	cr_expect(
		strstr(s.err, "sittings/20260101-000000-x.jsonl: it does not begin as a record") !=
			NULL,
		"%s", s.err);
	cr_expect(strstr(s.out,
			  "200-ms-to-50               staff         0:20  with an interviewer\n") !=
			  NULL,
		"%s", s.out);
	cr_expect(strstr(s.out,
			  "gone                       staff         0:20  left before its end\n") !=
			  NULL,
		"%s", s.out);
	forget(&s);
	s = say("interviews taken 1");
	cr_expect(zero(int, s.status));
	cr_expect(strstr(s.out, "> How many cameras are there?") != NULL, "%s", s.out);
	cr_expect(
		strstr(s.err, "200-ms-to-50.jsonl: 1 line cannot be read\n") != NULL, "%s", s.err);
	forget(&s);
	s = say("interviews taken 2");
	cr_expect(eq(int, s.status, 1));
	cr_expect(strstr(s.err, "sittings/20260102-000000-gone.jsonl: there is no case \"gone\"") !=
			  NULL,
		"%s", s.err);
	forget(&s);
	s = say("interviews taken --json");
	cJSON *o = cJSON_Parse(s.out);
	cr_assert(o != NULL, "%s", s.out);
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(o, "taken");
	cr_assert(eq(int, cJSON_GetArraySize(all), 2));
	const cJSON *first = cJSON_GetArrayItem(all, 0);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(first, "with_interviewer")));
	cr_expect(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(first, "ended")));
	cr_expect(eq(dbl, cJSON_GetObjectItemCaseSensitive(first, "clock_s")->valuedouble, 20));
	cJSON_Delete(o);
	forget(&s);
	s = say("interviews taken 3");
	cr_expect(eq(int, s.status, 2));
	cr_expect(strstr(s.err, "there is no interview 3 that you took: 2 are kept") != NULL, "%s",
		s.err);
	forget(&s);
}

Test(interviews_command, without_any_it_says_how_to_give_one)
{
	char command[200];
	snprintf(command, sizeof command, "rm -rf %s/ridge", home.path);
	cr_assert(zero(int, system(command)));
	struct said s = say("interviews");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.out, "No interviews given yet") && strstr(s.out, "--answers --name Ada"),
		"%s", s.out);
	forget(&s);
	s = say("interviews 1");
	cr_expect(eq(int, s.status, 2));
	cr_expect(strstr(s.err, "there is no interview 1: 0 are kept") != NULL, "%s", s.err);
	forget(&s);
}

/* How each came to its end stands in the list: marked, not marked, or left, with its code or without. */
Test(interviews_command, the_list_says_how_each_ended)
{
	static const struct {
		const char *name, *text, *who, *says;
	} rows[] = {
		{ "20260105-000000-own.jsonl",
			"{\"schema\":1,\"did\":\"begin\",\"at\":1767571200,\"mode\":\"set\",\"count\":2,"
			"\"seed\":\"7\",\"topic\":\"\",\"name\":\"Cy\"}\n",
			"Cy", "0:00  not ended\n" },
		{ "20260106-000000-810M-15.jsonl",
			"{\"schema\":1,\"did\":\"begin\",\"at\":1767657600,\"code\":\"810M-15\","
			"\"name\":\"Di\"}\n{\"did\":\"end\",\"ms\":61000,\"n\":0}\n",
			"Di", "1:01  ended, not marked\n" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		put(rows[i].name, rows[i].text);
	struct said s = say("interviews");
	cr_expect(zero(int, s.status), "%s", s.err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *who = strstr(s.out, rows[i].who);
		const char *says = who ? strstr(who, rows[i].says) : NULL;
		cr_expect(says && says < strchr(who, '\n'), "%s: %s:\n%s", rows[i].who,
			rows[i].says, s.out);
	}
	forget(&s);
}

/* What the candidate typed at another machine lies beside the record, and is printed with it: option 1 of the
 * first problem, 50 s after the beginning, whose key is 2. */
Test(interviews_command, with_what_the_candidate_answered)
{
	char path[200], own[200], line[4000] = "";
	snprintf(own, sizeof own, "%s/ridge/history.jsonl", home.path);
	snprintf(path, sizeof path, "%s/ridge/interviews/20260101-000000-810M-15.answers",
		home.path);
	struct said s = said_at(1767225650, "drill --plain --code 810M-15", "1\nquit\n");
	cr_assert(zero(int, s.status), "%s", s.err);
	forget(&s);
	FILE *f = fopen(own, "r");
	cr_assert(f && fgets(line, sizeof line, f) && fclose(f) == 0);
	cr_assert(zero(int, rename(own, path)));
	f = fopen(path, "a");
	cr_assert(f && fputs("spoilt\n", f) >= 0 && fclose(f) == 0);
	s = say("interviews 2 --json");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.err, "20260101-000000-810M-15.answers: ") != NULL, "%s", s.err);
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	const cJSON *stop = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "stops"), 0);
	const cJSON *answer = cJSON_GetArrayItem(cJSON_GetObjectItem(stop, "answers"), 0);
	cr_assert(answer != NULL, "%s\n%s", line, s.out);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(answer, "given")), (char *)"1"));
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(answer, "verdict")),
		(char *)"WRONG"));
	cJSON_Delete(root);
	forget(&s);
}

Test(interviews_command, what_cannot_be_replayed_is_told)
{
	static const struct {
		const char *text, *says;
	} rows[] = {
		{ "{\"schema\":1,\"did\":\"begin\",\"at\":1767571200}\n",
			"its first line names neither a code nor mode and count" },
		{ "{\"schema\":1,\"did\":\"begin\",\"at\":1767571200,\"code\":\"810M-16\"}\n",
			"20260107-000000-x.jsonl: " },
		{ "{\"schema\":1,\"did\":\"begin\",\"at\":1767571200,\"mode\":\"set\",\"count\":2,"
		  "\"seed\":\"7\",\"topic\":\"nothing-of-the-kind\"}\n",
			"nothing-of-the-kind" },
		{ "{\"schema\":2,\"did\":\"begin\",\"at\":1767571200,\"code\":\"810M-15\"}\n",
			"its first line is not the beginning of an interview" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		put("20260107-000000-x.jsonl", rows[i].text);
		struct said s = say("interviews 1");
		cr_expect(eq(int, s.status, 1), "row %zu", i);
		cr_expect(strstr(s.err, rows[i].says) != NULL, "row %zu: %s", i, s.err);
		cr_expect(eq(str, s.out, (char *)""), "row %zu", i);
		forget(&s);
	}
	put("20260107-000000-x.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767571200,\"code\":\"810M-15\"}\nspoilt\n"
		"{\"did\":\"nothing\",\"ms\":5}\n");
	struct said s = say("interviews 1");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.err, ": 2 lines cannot be read; they are kept") != NULL, "%s", s.err);
	forget(&s);
}

static double number_in(const cJSON *o, const char *name)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItem(o, name));
}

/* At a design case: what was told, the numbers and designs, and marks by phase. */
Test(interviews_command, at_a_case_in_json)
{
	struct drill_request r = { .options = { .mode = MODE_INTERVIEW, .seed = 7 },
		.seeded = true,
		.levelled = true,
		.level = LEVEL_SENIOR,
		.case_id = "200-ms-to-50" };
	char err[300], text[1000];
	cr_assert(zero(int, drill_request_complete_case(&r, 7, err, sizeof err)), "%s", err);
	snprintf(text, sizeof text,
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767571200,\"code\":\"%s\",\"name\":\"Eve\"}\n"
		"{\"did\":\"clock\",\"ms\":0,\"n\":1}\n"
		"{\"did\":\"heard\",\"ms\":60000,\"n\":0,\"text\":\"1\"}\n"
		"{\"did\":\"heard\",\"ms\":70000,\"n\":0,\"text\":\"2\"}\n"
		"{\"did\":\"mark\",\"ms\":180000,\"n\":2}\n"
		"{\"did\":\"go\",\"ms\":300000,\"n\":5}\n"
		"{\"did\":\"mark\",\"ms\":300000,\"n\":3}\n"
		"{\"did\":\"end\",\"ms\":300000,\"n\":3}\n",
		r.code);
	put("20260108-000000-x.jsonl", text);
	struct said s = say("interviews 1 --json");
	cr_assert(zero(int, s.status), "%s", s.err);
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_assert(root != NULL, "%s", s.out);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "case")), "200-ms-to-50"));
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(root, "level")), "senior"));
	cr_expect(eq(dbl, number_in(root, "minutes"), 45));
	cr_expect(eq(dbl, number_in(root, "mark"), 3));
	cr_expect(eq(int, cJSON_GetArraySize(cJSON_GetObjectItem(root, "told")), 2), "%s", s.out);
	const cJSON *stop = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "stops"), 0);
	cr_expect(eq(dbl, number_in(stop, "mark"), 2));
	cr_expect(eq(dbl, number_in(stop, "spent_s"), 300));
	/* Nothing was estimated or designed. */
	const cJSON *estimate = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "estimates"), 0);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(estimate, "given")), ""));
	const cJSON *designs = cJSON_GetObjectItem(root, "designs");
	cr_expect(eq(int, cJSON_GetArraySize(designs), 1));
	cr_expect(eq(dbl, number_in(cJSON_GetArrayItem(designs, 0), "runs"), 0));
	cJSON_Delete(root);
	forget(&s);
}

/* For a program the empty list is one, too. */
Test(interviews_command, without_any_the_json_is_an_empty_list)
{
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	struct said s = say("interviews --json");
	cr_expect(zero(int, s.status), "%s", s.err);
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	cr_expect(cJSON_IsArray(cJSON_GetObjectItem(root, "interviews")) != 0, "%s", s.out);
	cr_expect(zero(int, cJSON_GetArraySize(cJSON_GetObjectItem(root, "interviews"))));
	cJSON_Delete(root);
	forget(&s);
}

/* Whose row it is, found by a name of which a part will do. Numbers stay those of the whole list. */
Test(interviews_command, a_name_lists_those_with_a_candidate)
{
	struct said s = say("interviews ADA");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.out, "  2  2026-01-01 00:00") && !strstr(s.out, "Bo"), "%s", s.out);
	cr_expect(strstr(s.out, "Not ended:") == NULL, "%s", s.out);
	forget(&s);
	s = say("interviews b --json");
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	const cJSON *all = cJSON_GetObjectItem(root, "interviews");
	cr_assert(eq(int, cJSON_GetArraySize(all), 1), "%s", s.out);
	cr_expect(eq(dbl, number_in(cJSON_GetArrayItem(all, 0), "number"), 1));
	cJSON_Delete(root);
	forget(&s);
}

/* serve-70b for a senior in 45 minutes with seed 5 (EDCT-A1D5-V), and problems; all rows fit in 100 columns. */
Test(interviews_command, the_list_says_case_level_and_minutes)
{
	put("20260109-000000-EDCTA1D5V.jsonl",
		"{\"schema\":1,\"did\":\"begin\",\"at\":1767916800,\"code\":\"EDCT-A1D5-V\","
		"\"name\":\"Grace Hopper\"}\n{\"did\":\"tick\",\"ms\":61000}\n");
	struct said s = say("interviews");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.out,
			  "  1  2026-01-09 00:00  EDCT-A1D5-V  Grace Hopper  serve-70b  senior   "
			  "45     1:01  not ended\n") != NULL,
		"%s", s.out);
	cr_expect(strstr(s.out, "Ada           problems                   1:30  yes\n") != NULL,
		"%s", s.out);
	for (const char *at = s.out; *at; at += strcspn(at, "\n") + 1)
		cr_expect(le(sz, strcspn(at, "\n"), 100), "%s", at);
	forget(&s);
	s = say("interviews --json");
	cJSON *root = cJSON_ParseWithOpts(s.out, NULL, true);
	const cJSON *first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "interviews"), 0);
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(first, "case")), "serve-70b"));
	cr_expect(eq(str, cJSON_GetStringValue(cJSON_GetObjectItem(first, "level")), "senior"));
	cr_expect(eq(dbl, number_in(first, "minutes"), 45));
	cJSON_Delete(root);
	forget(&s);
}

/* One that was ended is asked for: only "yes" removes it. */
Test(interviews_command, one_that_was_ended_is_dropped_at_a_yes)
{
	static const char *const others[] = { NULL, "y\n", "no\n" };
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct said s = said_at(1767398400, "interviews 2 --drop", others[i]);
		cr_expect(eq(int, s.status, 1));
		cr_expect(strstr(s.out, "Interview 2 was ended") && strstr(s.out, "It stays."),
			"%s", s.out);
		forget(&s);
	}
	struct said s = said_at(1767398400, "interviews 2 --drop", "yes\n");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(strstr(s.out, "Removed: interview 2, ") != NULL, "%s", s.out);
	forget(&s);
	s = say("interviews");
	cr_expect(strstr(s.out, "Bo") && !strstr(s.out, "Ada"), "%s", s.out);
	forget(&s);
}

/* One that was not ended goes, with what came in during it, and what went is said. */
Test(interviews_command, one_that_was_not_ended_can_be_dropped)
{
	char path[200];
	put("20260102-000000-810M-15.answers", "x\n");
	struct said s = say("interviews 1 --drop");
	cr_expect(zero(int, s.status), "%s", s.err);
	cr_expect(eq(str, s.out,
		"Removed: interview 1, begun 2026-01-02 00:00 UTC, clock 0:05, code 810M-15, Bo.\n"));
	forget(&s);
	static const char *const gone[] = { "jsonl", "answers" };
	for (size_t i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/ridge/interviews/20260102-000000-810M-15.%s",
			home.path, gone[i]);
		cr_expect(ne(int, access(path, F_OK), 0), "%s", path);
	}
	s = say("interviews");
	cr_expect(strstr(s.out, "Ada") && !strstr(s.out, "Bo"), "%s", s.out);
	forget(&s);
}
