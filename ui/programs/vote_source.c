#include "ui/programs/vote_source.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse(const char *path, char *err, size_t err_size)
{
	snprintf(err, err_size, "--votes %.200s: %s", path, strerror(errno));
	return -1;
}

/* Takes the standard input for votes, and the terminal in its place. */
static int take_input(void)
{
	int votes = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (votes < 0 || terminal < 0 || dup2(terminal, STDIN_FILENO) < 0) {
		int why = errno;
		if (votes >= 0)
			close(votes);
		if (terminal >= 0)
			close(terminal);
		errno = why;
		return -1;
	}
	close(terminal);
	return votes;
}

int votes_open(struct vote_source *v, const char *path, char *err, size_t err_size)
{
	struct stat is;
	*v = NO_VOTES;
	/* Without O_NONBLOCK a named pipe would wait for its first writer. */
	v->fd = strcmp(path, "-") == 0 ? take_input()
				       : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (v->fd < 0 || fstat(v->fd, &is) || (S_ISDIR(is.st_mode) && (errno = EISDIR)) ||
		fcntl(v->fd, F_SETFL, fcntl(v->fd, F_GETFL) | O_NONBLOCK)) {
		refuse(path, err, err_size);
		votes_close(v);
		return -1;
	}
	v->grows = S_ISREG(is.st_mode) || S_ISFIFO(is.st_mode);
	/* A pipe that has writers tells when there is something. */
	if (strcmp(path, "-") == 0 && !S_ISREG(is.st_mode))
		v->grows = false;
	return 0;
}

void votes_close(struct vote_source *v)
{
	if (v->fd >= 0)
		close(v->fd);
	*v = NO_VOTES;
}

/* The last word of the line as the number of an option; -1: it is none. */
static int option_of(const char *line, size_t bytes)
{
	while (bytes && isspace((unsigned char)line[bytes - 1]))
		bytes--;
	if (!bytes || (bytes > 1 && !isspace((unsigned char)line[bytes - 2])))
		return -1;
	int letter = tolower((unsigned char)line[bytes - 1]);
	return letter >= 'a' && letter <= 'z' ? letter - 'a' : -1;
}

/* Counts the line that is whole. What is longer than a line may be is none. */
static size_t count_line(struct vote_source *v, unsigned counts[], size_t n)
{
	int option = v->n < sizeof v->line ? option_of(v->line, v->n) : -1;
	v->n = 0;
	if (option < 0 || (size_t)option >= n)
		return 0;
	counts[option]++;
	return 1;
}

size_t votes_read(struct vote_source *v, unsigned counts[], size_t n)
{
	char text[4096];
	size_t votes = 0;
	ssize_t got = 0;
	while (v->fd >= 0 && (got = read(v->fd, text, sizeof text)) > 0)
		for (ssize_t i = 0; i < got; i++)
			if (text[i] == '\n')
				votes += count_line(v, counts, n);
			else if (v->n < sizeof v->line)
				v->line[v->n++] = text[i];
	bool over = got == 0 && !v->grows;
	if (v->fd >= 0 && (over || (got < 0 && errno != EAGAIN && errno != EINTR)))
		votes_close(v);
	return votes;
}
