/* Votes from a file that grows and from a pipe. */
#include "ui/programs/vote_source.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[100];

static void own_folder(void)
{
	strcpy(folder, "/tmp/ridge-votes-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/votes", folder);
}

static void no_folder(void)
{
	unlink(path);
	rmdir(folder);
}

TestSuite(vote_source, .init = own_folder, .fini = no_folder);

static void add(const char *text)
{
	FILE *f = fopen(path, "a");
	cr_assert(f != NULL);
	fputs(text, f);
	fclose(f);
}

Test(vote_source, a_file_is_read_as_it_grows)
{
	struct vote_source v;
	unsigned votes[3] = { 0 };
	char err[200];
	add("a\nB\n");
	cr_assert(zero(int, votes_open(&v, path, err, sizeof err)));
	cr_expect(v.from.grows);
	cr_expect(eq(sz, votes_read(&v, votes, 3), 2));
	cr_expect(zero(sz, votes_read(&v, votes, 3)));
	/* A line may come in two halves; names may stand before the letter; d is no answer of three. */
	add("anna: ");
	cr_expect(zero(sz, votes_read(&v, votes, 3)));
	add("b\r\n  c  \nd\nabc\n\nb!\n");
	cr_expect(eq(sz, votes_read(&v, votes, 3), 2));
	cr_expect(votes[0] == 1 && votes[1] == 2 && votes[2] == 1);
	votes_close(&v);
}

/* A long line is no vote, and none of what follows it is lost. */
Test(vote_source, a_long_line_is_no_vote)
{
	struct vote_source v;
	unsigned votes[2] = { 0 };
	char err[200], line[3 * VOTE_LINE];
	memset(line, 'x', sizeof line - 4);
	strcpy(line + sizeof line - 4, " a\n");
	add(line);
	add("b\n");
	cr_assert(zero(int, votes_open(&v, path, err, sizeof err)));
	cr_expect(eq(sz, votes_read(&v, votes, 2), 1));
	cr_expect(votes[0] == 0 && votes[1] == 1);
	votes_close(&v);
}

/* A named pipe whose writers come and go. */
Test(vote_source, a_named_pipe_stays_open)
{
	struct vote_source v;
	unsigned votes[2] = { 0 };
	char err[200];
	cr_assert(zero(int, mkfifo(path, 0600)));
	cr_assert(zero(int, votes_open(&v, path, err, sizeof err)));
	cr_expect(zero(sz, votes_read(&v, votes, 2)));
	add("a\n");
	add("a\n");
	cr_expect(eq(sz, votes_read(&v, votes, 2), 2));
	cr_expect(v.from.fd >= 0 && votes[0] == 2);
	votes_close(&v);
}

Test(vote_source, what_cannot_be_read_is_said)
{
	struct vote_source v;
	char err[300];
	cr_expect(eq(int, votes_open(&v, path, err, sizeof err), -1));
	cr_expect(strstr(err, "--votes") != NULL && strstr(err, "No such file") != NULL);
	cr_expect(eq(int, votes_open(&v, folder, err, sizeof err), -1));
	cr_expect(strstr(err, "directory") != NULL, "%s", err);
	cr_expect(eq(int, v.from.fd, -1));
	unsigned votes[1] = { 0 };
	cr_expect(zero(sz, votes_read(&v, votes, 1)));
}
