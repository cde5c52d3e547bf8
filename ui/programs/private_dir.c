#define _DEFAULT_SOURCE /* flock */
#include "ui/programs/private_dir.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(char *err, size_t err_size, const char *what, const char *name)
{
	snprintf(err, err_size, "%s %.200s: %s", what, name, strerror(errno));
	return -1;
}

/* The name says whose it is, this bit of the mode that no user made it, and the lock that its maker
 * lives: all three are looked at before one is removed that somebody left behind. */
static const char prefix[] = "ridge-run-";
enum { RANDOM_LETTERS = 6, OURS = S_ISVTX | 0700, MAKE_TRIES = 20 };

static const char *temporary(void)
{
	const char *tmp = getenv("TMPDIR");
	return tmp && tmp[0] == '/' ? tmp : "/tmp";
}

/* Marks and locks it. False where private_dir_sweep of another ridge was faster: then it is gone, or
 * will be. A file system without locks keeps that one from removing anything. */
static bool take(int fd)
{
	struct stat st;
	if (fd < 0 || (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK))
		return false;
	return fchmod(fd, OURS) == 0 && fstat(fd, &st) == 0 && st.st_nlink > 0;
}

int private_dir_make(struct private_dir *d, char *err, size_t err_size)
{
	const char *tmp = temporary();
	for (int i = 0; i < MAKE_TRIES; i++) {
		d->fd = -1;
		int n = snprintf(d->path, sizeof d->path, "%s/%sXXXXXX", tmp, prefix);
		if (n < 0 || (size_t)n >= sizeof d->path) {
			errno = ENAMETOOLONG;
			return fail(err, err_size, "cannot make a directory in", tmp);
		}
		if (!mkdtemp(d->path))
			return fail(err, err_size, "cannot make a directory,", d->path);
		d->fd = open(d->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (take(d->fd))
			return 0;
		int reason = errno;
		if (d->fd >= 0)
			close(d->fd);
		rmdir(d->path);
		errno = reason;
	}
	d->fd = -1;
	return fail(err, err_size, "cannot open", d->path);
}

int private_dir_put(
	const struct private_dir *d, const char *name, const char *text, char *err, size_t err_size)
{
	size_t left = strlen(text);
	assert(d->fd >= 0 && name);
	int fd = openat(d->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return fail(err, err_size, "cannot write", name);
	while (left > 0) {
		ssize_t n = write(fd, text, left);
		if (n < 0 && errno != EINTR)
			break;
		text += n > 0 ? n : 0;
		left -= n > 0 ? (size_t)n : 0;
	}
	int rc = left > 0 ? fail(err, err_size, "cannot write", name) : 0;
	close(fd);
	return rc;
}

static char *read_text(int fd, size_t most, const char *name, char *err, size_t err_size)
{
	char *text = malloc(most + 2);
	size_t n = 0;
	ssize_t got = 1;
	while (text && got != 0 && n <= most) {
		got = read(fd, text + n, most + 1 - n);
		if (got < 0 && errno != EINTR)
			break;
		n += got > 0 ? (size_t)got : 0;
	}
	if (!text || got < 0) {
		fail(err, err_size, "cannot read", name);
	} else if (n > most || memchr(text, '\0', n)) {
		snprintf(err, err_size, "%.200s: expected a text of at most %zu bytes", name, most);
	} else {
		text[n] = '\0';
		return text;
	}
	free(text);
	return NULL;
}

char *private_dir_get(
	const struct private_dir *d, const char *name, size_t most, char *err, size_t err_size)
{
	struct stat st;
	assert(d->fd >= 0 && name);
	/* O_NONBLOCK, because opening a pipe would wait for its writer. */
	int fd = openat(d->fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	if (fd < 0) {
		fail(err, err_size, "cannot read", name);
		return NULL;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		snprintf(err, err_size, "%.200s: expected a regular file", name);
	else
		text = read_text(fd, most, name, err, err_size);
	close(fd);
	return text;
}

static bool is_directory(int dir, const char *name)
{
	struct stat st;
	return fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

/* Lets us into a directory that is to be removed. Where this cannot be done, what needs it fails next
 * and leaves the directory there. */
static void let_in(int dir, const char *name)
{
	int rc = fchmodat(dir, name, 0700, 0);
	(void)rc;
}

/* Opens a directory that is to be removed, whatever its mode. Nobody else works in here any
 * more. */
static int open_inner(int dir, const char *name)
{
	if (is_directory(dir, name))
		let_in(dir, name);
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Moves a directory up into top, under a name that is free there. */
static void move_up(int from, const char *name, int top, unsigned *serial)
{
	enum { TRIES = 10000 };
	char to[32];
	let_in(from, name);
	for (int i = 0; i < TRIES; i++) {
		snprintf(to, sizeof to, "ridge-%u", (*serial)++);
		if (renameat(from, name, top, to) == 0)
			return;
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return;
	}
}

/* Empties a directory inside top. Directories in it are moved up into top, to be emptied later, so
 * that even the deepest tree needs no more than two open directories. */
static void empty_inner(int dir, int top, unsigned *serial)
{
	DIR *list = fdopendir(dir);
	struct dirent *e;
	if (!list) {
		close(dir);
		return;
	}
	while ((e = readdir(list))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (is_directory(dirfd(list), e->d_name))
			move_up(dirfd(list), e->d_name, top, serial);
		else
			unlinkat(dirfd(list), e->d_name, 0);
	}
	closedir(list);
}

/* One walk over top. True when something was removed or moved, so that another walk may do more. */
static bool empty_once(int top, unsigned *serial)
{
	int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = copy >= 0 ? fdopendir(copy) : NULL;
	struct dirent *e;
	bool done = false;
	if (!list) {
		if (copy >= 0)
			close(copy);
		return false;
	}
	while ((e = readdir(list))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (!is_directory(top, e->d_name)) {
			done |= unlinkat(top, e->d_name, 0) == 0;
			continue;
		}
		unsigned before = *serial;
		int inner = open_inner(top, e->d_name);
		if (inner >= 0)
			empty_inner(inner, top, serial);
		done |= unlinkat(top, e->d_name, AT_REMOVEDIR) == 0 || *serial != before;
	}
	closedir(list);
	return done;
}

void private_dir_remove(struct private_dir *d)
{
	unsigned serial = 0;
	if (d->fd < 0)
		return;
	fchmod(d->fd, OURS);
	while (empty_once(d->fd, &serial))
		;
	close(d->fd);
	rmdir(d->path);
	d->fd = -1;
}

/* Removes one that was left behind: ours by name, owner and mode, and of nobody who lives. */
static void sweep(int tmp, const char *tmp_path, const char *name)
{
	struct private_dir d;
	struct stat st;
	int n = snprintf(d.path, sizeof d.path, "%s/%s", tmp_path, name);
	if (strncmp(name, prefix, strlen(prefix)) != 0 ||
		strlen(name) != strlen(prefix) + RANDOM_LETTERS || n < 0 ||
		(size_t)n >= sizeof d.path)
		return;
	d.fd = openat(tmp, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d.fd < 0)
		return;
	if (fstat(d.fd, &st) == 0 && st.st_uid == geteuid() && (st.st_mode & 07777) == OURS &&
		flock(d.fd, LOCK_EX | LOCK_NB) == 0)
		private_dir_remove(&d);
	else
		close(d.fd);
}

void private_dir_sweep(void)
{
	DIR *list = opendir(temporary());
	struct dirent *e;
	if (!list)
		return;
	while ((e = readdir(list)))
		sweep(dirfd(list), temporary(), e->d_name);
	closedir(list);
}
