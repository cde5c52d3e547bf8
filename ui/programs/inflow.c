#include "ui/programs/inflow.h"

#include "sims/base/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the standard input, and the terminal in its place. */
static int take_input(void)
{
	if (isatty(STDIN_FILENO)) {
		errno = EINVAL;
		return -1;
	}
	int taken = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (taken < 0 || terminal < 0 || dup2(terminal, STDIN_FILENO) < 0) {
		int why = errno;
		if (taken >= 0)
			close(taken);
		if (terminal >= 0)
			close(terminal);
		errno = why;
		return -1;
	}
	close(terminal);
	return taken;
}

static const char *why_not(const char *path)
{
	return strcmp(path, "-") == 0 && errno == EINVAL
		       ? "expected something piped in, found a terminal"
		       : strerror(errno);
}

int inflow_open(struct inflow *f, const char *option, const char *path, char *err, size_t err_size)
{
	struct stat is;
	*f = NO_INFLOW;
	/* Without O_NONBLOCK a named pipe would wait for its first writer. */
	f->fd = strcmp(path, "-") == 0 ? take_input()
				       : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (f->fd < 0 || fstat(f->fd, &is) || (S_ISDIR(is.st_mode) && (errno = EISDIR)) ||
		fcntl(f->fd, F_SETFL, fcntl(f->fd, F_GETFL) | O_NONBLOCK)) {
		snprintf(err, err_size, "%s %.200s: %s", option, path, why_not(path));
		inflow_close(f);
		return -1;
	}
	f->grows = S_ISREG(is.st_mode) || S_ISFIFO(is.st_mode);
	/* A pipe that has writers tells when there is something. */
	if (strcmp(path, "-") == 0 && !S_ISREG(is.st_mode))
		f->grows = false;
	return 0;
}

void inflow_close(struct inflow *f)
{
	if (f->fd >= 0)
		close(f->fd);
	*f = NO_INFLOW;
}

size_t inflow_read(struct inflow *f, char *buf, size_t size)
{
	ssize_t got = f->fd < 0 ? 0 : read(f->fd, buf, size);
	if (got > 0) {
		const size_t mark = f->begun ? 0 : utf8_mark_bytes(buf, (size_t)got);
		f->begun = true;
		memmove(buf, buf + mark, (size_t)got - mark);
		return (size_t)got - mark;
	}
	const bool over = got == 0 && !f->grows;
	if (f->fd >= 0 && (over || (got < 0 && errno != EAGAIN && errno != EINTR)))
		inflow_close(f);
	return 0;
}
