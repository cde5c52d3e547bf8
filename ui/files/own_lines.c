#include "ui/files/own_lines.h"

#include "ui/files/own_file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_PATIENCE_MS = 2000, LOCK_PAUSE_MS = 2 };

/* Makes sure that a new file's name, too, is on the disk. */
static void sync_folder(const char *path)
{
	char folder[OWN_PATH_SIZE];
	const char *slash = strrchr(path, '/');
	if (!slash || (size_t)(slash - path) >= sizeof folder)
		return;
	snprintf(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path);
	int fd = open(folder, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

static int open_for_append(const char *path)
{
	const int flags = O_RDWR | O_APPEND | O_CLOEXEC;
	int fd = open(path, flags);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	own_make_folders(path);
	fd = open(path, flags | O_CREAT, 0600);
	if (fd >= 0) {
		fchmod(fd, 0600); /* whatever the umask took */
		sync_folder(path);
	}
	return fd;
}

/* Waits for a while only, because a program that was stopped while it holds the lock must not stop
 * this one too. A lock of fcntl ends with its process, or when the process closes the file. */
static int lock_file(int fd, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
	for (int waited_ms = 0; fcntl(fd, F_SETLK, &lock); waited_ms += LOCK_PAUSE_MS) {
		if (errno != EACCES && errno != EAGAIN && errno != EINTR)
			return -1;
		if (waited_ms >= LOCK_PATIENCE_MS) {
			errno = EAGAIN;
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = LOCK_PAUSE_MS * 1000000 }, NULL);
	}
	return 0;
}

/* 1 where the file does not end in a newline, 0 where it does, -1 with errno. */
static int is_torn(int fd, off_t size)
{
	char last;
	if (size == 0)
		return 0;
	ssize_t n = pread(fd, &last, 1, size - 1);
	return n < 0 ? -1 : n == 1 && last != '\n';
}

/* Writes the line at the end of a file of that size, in one call. A line that was written only in
 * part is cut off again, which is safe: it stands behind `size`, and we hold the lock. If that
 * fails too, the file has a torn line, which readers skip. */
static int write_whole(int fd, off_t size, const char *line, size_t n)
{
	ssize_t written;
	do
		written = write(fd, line, n);
	while (written < 0 && errno == EINTR);
	if (written == (ssize_t)n)
		return 0;
	int reason = written < 0 ? errno : ENOSPC;
	if (written > 0 && ftruncate(fd, size) == 0)
		fsync(fd);
	errno = reason;
	return -1;
}

/* line has room for a newline before it. */
static int append_line(int fd, const char *line, size_t n)
{
	struct stat st;
	if (lock_file(fd, F_WRLCK) || fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	int torn = is_torn(fd, st.st_size);
	if (torn < 0)
		return -1;
	if (write_whole(fd, st.st_size, line + !torn, n - (size_t)!torn))
		return -1;
	/* fsync takes a thousand times as long as the write. Others need not hold out for it: if
	 * they did, they would starve beside a program that writes without a pause. */
	lock_file(fd, F_UNLCK);
	return fsync(fd);
}

int own_append(const char *path, const char *line, size_t n)
{
	assert(path && n > 0 && line[n - 1] == '\n');
	char *after = malloc(n + 1); /* a newline, and the line */
	if (!after)
		return -1;
	after[0] = '\n';
	memcpy(after + 1, line, n);
	int fd = open_for_append(path), rc = fd < 0 ? -1 : append_line(fd, after, n + 1),
	    why = errno;
	if (fd >= 0)
		close(fd);
	free(after);
	errno = why;
	return rc;
}

char *own_read_lines(const char *path, size_t most, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return NULL;
	/* With the lock no line is read half written. Without it such a line counts as
	 * unreadable. */
	lock_file(fd, F_RDLCK);
	char *text = own_read_fd(fd, most, bytes);
	int why = errno;
	close(fd);
	errno = why;
	return text;
}
