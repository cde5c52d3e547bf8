/* A case in the real program, which is killed: what was said is there when it is opened again. */
#include "tests/printed.h"
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A design of serve-70b is simulated for a while. Keys that come meanwhile are dropped or stand in the field: two
 * phases would be over otherwise. */
Test(case_terminal, keys_do_nothing_while_a_design_runs, .description = "long")
{
	static const char *const words[] = { "open", "case:serve-70b", "seed=7", NULL };
	struct pty p;
	pty_start(&p, 32, 100, words, NULL);
	cr_assert(pty_shows(&p, "Enter starts."));
	cr_expect(pty_hides(&p, "We are about to launch"));
	pty_send(&p, "\r");
	cr_assert(pty_shows(&p, "We are about to launch"));
	pty_send(&p, "design gpu=h100 weight_dtype=fp8 kv_dtype=fp8 tp=4 fleet=40\r\016\016\t");
	cr_expect(pty_shows(&p, "goals met."));
	cr_expect(pty_shows(&p, "3 of 5 Design"));
	cr_expect(pty_hides(&p, "Running the design"));
	pty_send(&p, "\003");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

/* Line by line, too, nobody's clock begins before they said so: a sprint's problems wait. */
Test(case_terminal, a_sprint_in_lines_waits_for_its_start)
{
	static const char *const words[] = { "drill", "--mode", "sprint", "--seed", "3", "--plain",
		NULL };
	struct pty p;
	pty_start(&p, 32, 100, words, NULL);
	cr_assert(pty_shows(&p, "The clock stands. Enter starts it>"));
	cr_expect(pty_hides(&p, "Problem 1 of"));
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "Problem 1 of"));
	pty_send(&p, "quit\r");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

Test(case_terminal, loses_only_the_line_being_typed_when_it_is_killed, .description = "long")
{
	static const char *const words[] = { "open", "case:200-ms-to-50", "seed=1", NULL };
	char folder[] = "/tmp/ridge-killed-XXXXXX", data[64], command[80];
	struct pty p;
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", folder);
	const char *const environment[] = { data, NULL };
	pty_start(&p, 32, 100, words, environment);
	cr_assert(pty_shows(&p, "Enter starts."));
	pty_send(&p, "\r");
	cr_assert(pty_shows(&p, "Our cars plan on pictures"));
	pty_send(&p, "How many cameras are there?\r");
	cr_expect(pty_shows(&p, "16 are mounted"));
	pty_send(&p, "estimate blind 6 m\r");
	cr_expect(pty_shows(&p, "6 m: right, 4.1 % off"));
	pty_send(&p, "half a li");
	cr_expect(pty_shows(&p, "> half a li"));
	kill(p.program, SIGKILL);
	pty_wait(&p);
	pty_free(&p);

	pty_start(&p, 32, 100, words, environment);
	cr_assert(pty_shows(&p, "Enter goes on there"));
	pty_send(&p, "\r");
	cr_assert(pty_shows(&p, "This sitting was left at"));
	cr_expect(pty_shows(&p, "> How many cameras are there?"));
	cr_expect(pty_shows(&p, "16 are mounted"));
	cr_expect(pty_shows(&p, "6 m: right, 4.1 % off"));
	cr_expect(pty_hides(&p, "half a li"));
	/* What comes now is added to the same record. */
	pty_send(&p, "What is the deadline?\r");
	cr_expect(pty_shows(&p, "> What is the deadline?"));
	pty_send(&p, "\003");
	cr_expect(eq(int, pty_wait(&p), 0));
	cr_expect(pty_restored(&p));
	pty_free(&p);
	snprintf(command, sizeof command,
		"test $(cat %s/ridge/sittings/* | grep -c '\"line\"') = 3", folder);
	cr_expect(zero(int, system(command)));
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}

/* An interview that was ended: each of its designs of serve-70b is simulated for a while. */
static void put_interview(const char *folder)
{
	static const char *const lines[] = {
		"{\"did\":\"clock\",\"at\":1767225600,\"ms\":0,\"n\":1}",
		"{\"did\":\"go\",\"at\":1767225601,\"ms\":1000,\"n\":2}",
		"{\"did\":\"heard\",\"at\":1767225602,\"ms\":2000,\"text\":\"12 h100 tp 4 fp8 both\"}",
		"{\"did\":\"heard\",\"at\":1767225603,\"ms\":3000,\"n\":0,\"text\":\"fleet=16\"}",
		"{\"did\":\"heard\",\"at\":1767225604,\"ms\":4000,\"n\":0,\"text\":\"fleet=20\"}",
		"{\"did\":\"end\",\"at\":1767225605,\"ms\":5000,\"n\":0}"
	};
	char path[120],
		code[32] = "",
		*sheet = printed("C.UTF-8",
			"drill --mode interview --case serve-70b --level staff --sheet", "");
	cr_assert(eq(int, sscanf(sheet, "An interview of 45 minutes, code %31s", code), 1), "%s",
		sheet);
	free(sheet);
	snprintf(path, sizeof path, "mkdir -p %s/ridge/interviews", folder);
	cr_assert(zero(int, system(path)));
	snprintf(path, sizeof path, "%s/ridge/interviews/20260101-000000-X.jsonl", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fprintf(f, "{\"schema\":1,\"did\":\"begin\",\"at\":1767225600,\"code\":\"%s\"}\n", code);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		fprintf(f, "%s\n", lines[i]);
	cr_assert(zero(int, fclose(f)));
}

/* Whoever corrects an interview waits until its designs have run: what is done meanwhile is said at once. */
Test(case_terminal, what_is_read_before_there_is_a_screen_is_said, .description = "long")
{
	static const char *const words[] = { "interviews", "1", "--edit", NULL };
	char folder[] = "/tmp/ridge-edited-XXXXXX", data[64], command[80];
	struct pty p;
	cr_assert(mkdtemp(folder) != NULL);
	put_interview(folder);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", folder);
	const char *const environment[] = { data, NULL };
	pty_start(&p, 32, 100, words, environment);
	cr_expect(pty_shows(&p, "Summary"));
	cr_expect(strstr(p.raw, "Reading the interview") != NULL); /* however quick it was */
	cr_expect(pty_hides(&p, "Reading the interview"));
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	cr_expect(pty_restored(&p));
	pty_free(&p);
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}
