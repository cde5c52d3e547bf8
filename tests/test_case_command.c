/* `ridge case` as it is used: in a pipe, line by line, and on paper. */
#include "tests/printed.h"

#include "sims/base/array.h"

#include <criterion/new/assert.h>
#include <string.h>
#include <unistd.h>

/* What comes in this order; what is between does not matter. */
static void expect_in_order(const char *text, const char *const parts[], size_t n)
{
	const char *at = text;
	for (size_t i = 0; i < n; i++) {
		const char *found = strstr(at, parts[i]);
		cr_assert(found != NULL, "no \"%s\" in or after:\n%s", parts[i], at);
		at = found + strlen(parts[i]);
	}
}

/* A whole sitting. The numbers follow from seed 1: what is typed and what comes stand side by side. */
Test(case_command, is_sat_in_a_pipe)
{
	static const char typed[] = "How many cameras are there?\\n"
				    "What about the insurance?\\n"
				    "At what speed does the car drive?\\n"
				    "yes\\n"
				    "facts\\n"
				    "estimate\\n"
				    "estimate blind 6 m\\n"
				    "estimate 2 50 ms\\n"
				    "design platform=orin cameras=11 tensorrt=on\\n"
				    "design backbone_sharing=on temporal_fusion=off sparse=off "
				    "pipelined=off\\n"
				    "design cameras=99\\n"
				    "say TensorRT first\\n"
				    "follow\\n"
				    "twist\\n"
				    "How many cameras are there?\\n"
				    "twist\\n"
				    "mark clarify 3\\n"
				    "end\\n"
				    "quit\\n";
	static const char *const parts[] = { "200 ms must become 50, senior, seed 1",
		"Our cars plan on pictures that are 200 ms old",
		"> How many cameras are there?\n16 are mounted", "> Nothing on that.",
		"> Do you mean the frame rate and the speed", "> Frames come at 10 Hz",
		"how many cameras there must be: 16", "the frame rate and the speed: Frames",
		"1 blind: How far", "Type 26 m for number 1", "6 m: right, 4.1 % off.",
		"50 ms: off: the latency alone", "What it does not say stays as it is today.",
		"4 of 4 goals met.", "[x] from capture to plan, P99: 4", "(nobody asked for it)",
		"The simulation says: Every plan is in time", "Weeks: 7.",
		"The interviewer asks: How would you prove",
		"cameras: expected 6 to 16, found \"99\"", "Noted.", "Why does running the stages",
		"Twist 1: Safety review", "14 cameras at speed", "There are no more twists.",
		"Clarify: 3, Asks what is measured", "Debrief", "Clarify, marked",
		"asked 4 questions, 1 of them about nothing here: ", "* 3 Asks what is measured",
		"blind: 6 m (right, 4.1 % off); it is",
		"2 designs run, the goals were met; the last: platform orin",
		"said: TensorRT first", "no design was run", "Never asked",
		"how long there is, and what each change takes", "mark PHASE 1 to 4" };
	char tail[2000];
	snprintf(tail, sizeof tail, "--seed 1 --no-history <<'END'\n");
	/* printf would read the % signs; a here-document takes the lines as they are. */
	for (const char *p = typed; *p; p++) {
		size_t n = strlen(tail);
		if (p[0] == '\\' && p[1] == 'n') {
			snprintf(tail + n, sizeof tail - n, "\n");
			p++;
		} else {
			snprintf(tail + n, sizeof tail - n, "%c", *p);
		}
	}
	snprintf(tail + strlen(tail), sizeof tail - strlen(tail), "END\n");
	char *text = printed("C.UTF-8", "case 200-ms-to-50", tail);
	expect_in_order(text, parts, LENGTH(parts));
	cr_expect(strchr(text, '\033') == NULL, "no escape byte");
	free(text);
}

/* The first page says what will come, and not how it begins: the clock starts with the first line. A question
 * is one as well as Enter, and who leaves before that has begun nothing. */
Test(case_command, begins_with_a_page)
{
	static const char *const before[] = { "200 ms must become 50, senior, seed 1",
		"It is a case of driving.", "30 minutes, by phases", "Clarify", " min  ask for",
		"Twist", "Wrap-up", "end ", "Enter starts the clock" };
	char *text = printed(
		"C.UTF-8", "case 200-ms-to-50", "--seed 1 --minutes 30 --no-history < /dev/null\n");
	expect_in_order(text, before, LENGTH(before));
	cr_expect(strstr(text, "Our cars plan") == NULL, "%s", text);
	free(text);
	static const char *const after[] = { "Enter starts the clock", "> \n", "Our cars plan",
		"> 16 are mounted" };
	text = printed("C.UTF-8", "case 200-ms-to-50",
		"--seed 1 --no-history <<'END'\n\nHow many cameras are there?\nEND\n");
	expect_in_order(text, after, LENGTH(after));
	free(text);
}

/* What is typed is on the disk before it is answered: a sitting that is killed has all of its lines. */
Test(case_command, keeps_each_line_at_once)
{
	char folder[] = "/tmp/ridge-case-XXXXXX", command[6000], line[400];
	const char *ridge = getenv("RIDGE");
	char path[4096];
	size_t n = 0;
	cr_assert(realpath(ridge ? ridge : "build/ridge", path) != NULL);
	cr_assert(mkdtemp(folder) != NULL);
	/* It is killed as soon as the last line is there, with its input still open. */
	snprintf(command, sizeof command,
		"cd %s && mkfifo in && { XDG_CONFIG_HOME=/nonexistent XDG_DATA_HOME=%s %s case 200-ms-to-50 "
		"--seed 9 --level staff < in > /dev/null 2>&1 & } && exec 3> in && "
		"echo What is the deadline\\? >&3 && echo 'say \"two words\"' >&3 && "
		"for i in $(seq 200); do grep -qs two ridge/sittings/* && break; sleep 0.05; done; "
		"kill -9 $!; cat ridge/sittings/*-200-ms-to-50.jsonl; cd / && rm -r %s",
		folder, folder, path, folder);
	static const char *const parts[] = {
		"\"case\":\"200-ms-to-50\",\"seed\":\"9\",\"level\":\"staff\",\"minutes\":45}",
		"\"text\":\"What is the deadline?\"}", "\"as\":\"facts\",\"facts\":[\"meaning\"]",
		"\"text\":\"say \\\"two words\\\"\"}"
	};
	FILE *p = popen(command, "r");
	cr_assert(p != NULL);
	while (fgets(line, sizeof line, p)) {
		cr_assert(lt(sz, n, LENGTH(parts)));
		cr_expect(strstr(line, parts[n]) != NULL, "%s", line);
		n++;
	}
	cr_expect(eq(sz, n, LENGTH(parts)));
	pclose(p);
}

/* Cut off, or left before its end, it goes on: with all that was typed, and its answers, before what comes
 * now. At its end it is over, and the next one begins anew. */
Test(case_command, goes_on_where_it_was_left)
{
	static const struct {
		const char *words, *typed, *has[5], *lacks;
	} rows[] = {
		{ "case 200-ms-to-50 --seed 9 --level staff", "How many cameras are there?\n",
			{ "staff, seed 9", "16 are mounted" }, "was left at" },
		/* the same case: that sitting, its seed and its level */
		{ "case 200-ms-to-50", "facts\nquit\n",
			{ "staff, seed 9", "> How many cameras are there?", "16 are mounted",
				"This sitting was left at 0:00", "how many cameras there must be" },
			NULL },
		{ "case", "", { "200-ms-to-50 ", "200 ms must become 50 was left at 0:00" }, NULL },
		/* another seed, or nothing kept: no such sitting */
		{ "case 200-ms-to-50 --seed 8 --no-history", "", { "seed 8" }, "was left at" },
		{ "case 200-ms-to-50 --no-history", "", { "senior" }, "was left at" },
		{ "case 200-ms-to-50 --minutes 30 --no-history", "", { "senior" }, "was left at" },
		{ "case 200-ms-to-50", "end\n",
			{ "> How many", "> facts", "This sitting", "Debrief" }, NULL },
		{ "case 200-ms-to-50", "hello\n", { "senior" }, "was left at" },
		{ "case 200-ms-to-50", "", { "> hello", "was left at" }, "> facts" },
		{ "case 200-ms-to-50 --new", "", { "senior" }, "was left at" },
		{ "case 200-ms-to-50 --new --sheet", "", { "--new begins a sitting anew" }, NULL },
		{ "case --new", "", { "--new begins a sitting anew" }, NULL },
	};
	char home[] = "/tmp/ridge-case-XXXXXX", words[4100], tail[300];
	const char *ridge = getenv("RIDGE");
	char was[4000];
	cr_assert(mkdtemp(home) != NULL);
	snprintf(was, sizeof was, "%s", ridge ? ridge : "build/ridge");
	snprintf(words, sizeof words, "env XDG_DATA_HOME=%s %s", home, was);
	setenv("RIDGE", words, 1);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		snprintf(tail, sizeof tail, "2>&1 <<'END'\n%sEND\n", rows[i].typed);
		char *text = printed("C.UTF-8", rows[i].words, tail);
		size_t n = 0;
		while (n < LENGTH(rows[i].has) && rows[i].has[n])
			n++;
		expect_in_order(text, rows[i].has, n);
		bool lacks = !rows[i].lacks || !strstr(text, rows[i].lacks);
		cr_expect(lacks, "row %zu: %s", i, text);
		free(text);
	}
	snprintf(tail, sizeof tail, "rm -r %s", home);
	cr_expect(zero(int, system(tail)));
}

Test(case_command, lists_cases_and_refuses_others)
{
	static const struct {
		const char *words, *says;
	} rows[] = {
		{ "case",
			"serve-70b                 serving   senior, staff, principal  Serve a 70B" },
		{ "case --json", "\"cases\"" },
		{ "case serve-71b",
			"ridge case: there is no case \"serve-71b\"; did you mean \"serve-70b\"?" },
		{ "case ../x", "there is no case \"../x\"" },
		{ "case serve-70b --level junior", "--level: expected senior, staff or principal" },
		{ "case --sheet", "--sheet prints one case: say which" },
		{ "case serve-70b --candidate", "--candidate goes with --sheet or --json" },
		{ "case serve-70b --sheet --json", "expected one of them" },
		{ "case serve-70b --minutes 5", "--minutes: expected" },
		{ "case --help", "--no-history" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1 < /dev/null");
		cr_expect(strstr(text, rows[i].says) != NULL, "%s: %s", rows[i].words, text);
		free(text);
	}
}

/* A sheet printed without a seed names the command that prints the other side of the very same deal. */
Test(case_command, each_side_says_how_the_other_is_printed)
{
	char *candidates =
		printed("C.UTF-8", "case p99-at-noon --level staff --sheet --candidate", "");
	char command[200] = "";
	const char *begin = strstr(candidates, "`ridge "),
		   *end = begin ? strchr(begin + 1, '`') : NULL;
	cr_assert(end != NULL, "%s", candidates);
	snprintf(command, sizeof command, "%.*s", (int)(end - begin) - (int)strlen("`ridge "),
		begin + strlen("`ridge "));
	char *interviewers = printed("C.UTF-8", command, "");
	const char *facts = strstr(interviewers, "## Facts");
	cr_assert(facts != NULL, "%s", interviewers);
	cr_expect(zero(int, strncmp(interviewers, candidates, (size_t)(facts - interviewers))),
		"%s", command);
	free(interviewers);
	free(candidates);
}

/* The twist at minute 22 of 45 stands at 22 x 20 / 45 = 9.8 of 20. */
Test(case_command, prints_a_sheet_of_the_length_that_is_asked_for)
{
	char *sheet = printed("C.UTF-8", "case serve-70b --seed 1 --minutes 20 --sheet", "");
	static const char *const parts[] = { "minutes of work on a clock of 20\n",
		"### Twist 1, at 10 minutes" };
	expect_in_order(sheet, parts, LENGTH(parts));
	free(sheet);
}

/* The simulation of an incident is told to the interviewer alone. */
Test(case_command, tells_a_candidate_no_simulation_of_an_incident)
{
	char *theirs = printed("C.UTF-8", "case is-it-faster --seed 1 --candidate --json", "");
	char *whole = printed("C.UTF-8", "case is-it-faster --seed 1 --json", "");
	cr_expect(strstr(theirs, "\"sim\":") == NULL && strstr(theirs, "measurement") == NULL, "%s",
		theirs);
	cr_expect(strstr(whole, "\"sim\":") != NULL);
	free(theirs);
	free(whole);
}

/* The candidate's side has no fact, no key and no answer. */
Test(case_command, keeps_the_candidates_side_apart)
{
	static const char *const secrets[] = { "16 are mounted", "6.26", "5.81", "Safety review",
		"weeks of", "A strong", "tensorrt=on", "Debrief", "megapixels of 1" };
	static const char *const forms[] = { "case 200-ms-to-50 --seed 1 --candidate --sheet",
		"case 200-ms-to-50 --seed 1 --candidate --json" };
	for (size_t f = 0; f < LENGTH(forms); f++) {
		char *text = printed("C.UTF-8", forms[f], "");
		cr_expect(strstr(text, "How far does the car drive") != NULL);
		for (size_t i = 0; i < LENGTH(secrets); i++)
			cr_expect(strstr(text, secrets[i]) == NULL, "%s: %s", forms[f], secrets[i]);
		free(text);
	}
	char *whole = printed("C.UTF-8", "case 200-ms-to-50 --seed 1 --sheet", "");
	static const char *const parts[] = { "# 200 ms must become 50",
		"## Facts, for whoever asks", "16 are mounted", "## Numbers", "## Design",
		"**A design that meets the goals:** `platform=orin",
		"**One that does not:** `platform=orin cameras=16", "[ ] from capture to plan",
		"## Twists", "### Twist 1, at 22 minutes", "## Deeper", "## Rubric", "## Debrief" };
	expect_in_order(whole, parts, LENGTH(parts));
	cr_expect(strstr(whole, "{") == NULL, "every text is filled in");
	free(whole);
}
