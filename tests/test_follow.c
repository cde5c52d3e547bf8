/* A candidate at another machine: here, one with another home. What is typed there is printed by
 * --stream, goes through a pipe, and comes to the interviewer's desk. */
#include "tests/pty.h"
#include "ui/interviewer/followed.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two machines: homes of their own. Where the desk goes first, the stream ends by itself as soon as a line finds
 * nobody, not of a signal. */
struct machines {
	char theirs[32], mine[32], their_data[64], my_data[64], shell[600];
	struct pty candidate, desk;
};

static void run(const char *what, const struct machines *m)
{
	char command[700];
	snprintf(command, sizeof command, what, m->mine);
	cr_expect(zero(int, system(command)), "%s", command);
}

/* The candidate sits at a code; the desk has what is streamed from there as its standard input. */
static void begin(struct machines *m, const char *code)
{
	const char *const candidate[] = { "drill", "--code", code, NULL };
	const char *const their_environment[] = { m->their_data, NULL };
	const char *const desk[] = { "-c", m->shell, NULL };
	const char *const my_environment[] = { m->my_data, NULL };
	const char *given = getenv("RIDGE");
	char *program = strdup(given ? given : "build/ridge");
	cr_assert(program != NULL);
	char *path = realpath(program, NULL);
	strcpy(m->theirs, "/tmp/ridge-theirs-XXXXXX");
	strcpy(m->mine, "/tmp/ridge-mine-XXXXXX");
	cr_assert(mkdtemp(m->theirs) && mkdtemp(m->mine) && path);
	snprintf(m->their_data, sizeof m->their_data, "XDG_DATA_HOME=%s", m->theirs);
	snprintf(m->my_data, sizeof m->my_data, "XDG_DATA_HOME=%s", m->mine);
	snprintf(m->shell, sizeof m->shell,
		"trap '' PIPE; XDG_DATA_HOME=%s %s drill --code %s --stream | "
		"%s drill --code %s --answers --name Ada --follow -",
		m->theirs, path, code, path, code);
	pty_start(&m->candidate, 32, 100, candidate, their_environment);
	setenv("RIDGE", "/bin/sh", 1);
	pty_start(&m->desk, 32, 100, desk, my_environment);
	setenv("RIDGE", program, 1);
	free(program);
	free(path);
}

static void end(struct machines *m)
{
	pty_send(&m->candidate, "\003");
	kill(m->candidate.program, SIGKILL);
	pty_wait(&m->candidate);
	pty_free(&m->candidate);
	pty_free(&m->desk);
	char command[200];
	snprintf(command, sizeof command, "rm -r %s %s", m->theirs, m->mine);
	cr_expect(zero(int, system(command)));
}

/* The code of serve-70b at seed 7 for staff, 45 minutes. */
Test(follow, a_case_on_two_machines, .description = "long", .timeout = 120)
{
	struct machines m;
	begin(&m, "EDCT-A9D7-N");
	cr_assert(pty_shows(&m.candidate, "Enter starts the clock"));
	cr_assert(pty_shows(&m.desk, "1 of 5 Clarify"));
	pty_send(&m.candidate, "\r");
	pty_send(&m.desk, " ");
	pty_send(&m.candidate, "estimate 1 140 GB\r");
	cr_expect(pty_shows(&m.desk, "140 GB: off: two bytes a parameter"));
	pty_send(&m.candidate, "end\r");
	pty_send(&m.desk, "q4q");
	cr_expect(zero(int, pty_wait(&m.desk)));
	run("XDG_DATA_HOME=%s $RIDGE interviews 1 | grep -q '140 GB'", &m);
	end(&m);
}

/* Of problems, the answers are kept on the interviewer's machine, whose own history has none of them. */
Test(follow, problems_on_two_machines, .description = "long", .timeout = 120)
{
	struct machines m;
	begin(&m, "B609-KRF7-3Z");
	cr_assert(pty_shows(&m.desk, "1 of 5 clarify"));
	pty_send(&m.desk, " n");
	pty_send(&m.candidate, "\r");
	pty_send(&m.candidate, "\016"); /* Ctrl-N: on to the estimate */
	pty_send(&m.candidate, "123 ms\r");
	cr_expect(pty_shows(&m.desk, "a) 123 ms"));
	pty_send(&m.desk, "q3q");
	cr_expect(zero(int, pty_wait(&m.desk)));
	run("XDG_DATA_HOME=%s $RIDGE interviews 1 | grep -q '123 ms'", &m);
	end(&m);
}

/* --- What comes in --- */

static FILE *file_in(char *path)
{
	strcpy(path, "/tmp/ridge-follow-XXXXXX");
	FILE *f = fdopen(mkstemp(path), "w");
	cr_assert(f != NULL);
	setvbuf(f, NULL, _IONBF, 0);
	return f;
}

static void expect_lines(const struct followed *f, const char *expected)
{
	size_t bytes;
	char *lines = followed_lines(f, &bytes);
	cr_expect(eq(str, lines, (char *)expected));
	cr_expect(eq(sz, bytes, strlen(expected)));
	free(lines);
}

Test(follow, only_whole_lines_of_a_file_that_grows)
{
	char path[32], err[300];
	FILE *out = file_in(path);
	struct followed *f = followed_open(path, err, sizeof err);
	cr_assert(f != NULL, "%s", err);
	cr_expect(not(followed_take(f)), "nothing is there yet");
	expect_lines(f, "");
	fputs("one\ntw", out);
	cr_expect(followed_take(f));
	expect_lines(f, "one\n");
	cr_expect(not(followed_take(f)), "half a line is none");
	fputs("o\n", out);
	cr_expect(followed_take(f));
	expect_lines(f, "one\ntwo\n");
	cr_expect(not(followed_ended(f)), "a file may grow");
	followed_release(f);
	fclose(out);
	unlink(path);
}

/* Whoever stops --stream and starts it again, in the middle of a line, is heard once. */
Test(follow, a_stream_that_begins_again_says_nothing_twice)
{
	char path[32], err[300];
	FILE *out = file_in(path);
	struct followed *f = followed_open(path, err, sizeof err);
	cr_assert(f != NULL, "%s", err);
	fputs("begin\none\n\nt", out);
	cr_expect(followed_take(f));
	fputs("\nbegin\none\n", out);
	cr_expect(followed_take(f), "the half line is one");
	expect_lines(f, "begin\none\nt\n");
	fputs("\n", out);
	cr_expect(not(followed_take(f)));
	cr_expect(
		eq(sz, followed_came(f), strlen("begin\none\n\nt") + strlen("\nbegin\none\n") + 1));
	for (int i = 0; i < 1000; i++)
		fprintf(out, "%d\n%d\n", i, i / 2);
	cr_expect(followed_take(f));
	size_t bytes, lines = 0;
	char *text = followed_lines(f, &bytes);
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		lines++;
	free(text);
	cr_expect(eq(sz, lines, 3 + 1000));
	followed_release(f);
	fclose(out);
	unlink(path);
}

Test(follow, ends_where_more_comes_than_an_interview_has)
{
	enum { MOST = 16 << 20, BLOCK = 1 << 16 };
	static char block[BLOCK];
	char path[32], err[300];
	FILE *out = file_in(path);
	size_t bytes;
	memset(block, 'x', sizeof block);
	block[BLOCK - 1] = '\n';
	for (size_t i = 0; i <= MOST / BLOCK; i++)
		fwrite(block, 1, sizeof block, out);
	struct followed *f = followed_open(path, err, sizeof err);
	cr_assert(f != NULL, "%s", err);
	cr_expect(followed_take(f));
	cr_expect(followed_ended(f));
	free(followed_lines(f, &bytes));
	cr_expect(le(sz, bytes, MOST));
	followed_release(f);
	fclose(out);
	unlink(path);
}

Test(follow, says_what_cannot_be_opened)
{
	char err[300];
	cr_expect(zero(ptr, followed_open("/tmp", err, sizeof err)));
	cr_expect(eq(str, err, "follow /tmp: Is a directory"));
	cr_expect(zero(ptr, followed_open("/nonexistent/nowhere", err, sizeof err)));
	cr_expect(eq(str, err, "follow /nonexistent/nowhere: No such file or directory"));
	followed_release(NULL);
}
