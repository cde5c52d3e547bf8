#include "ui/files/own_file.h"

#include "sims/base/utf8.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- Where they are --- */

static const struct {
	const char *variable, *shown; /* when this variable names the folder */
	const char *usual, *usual_shown;
} folders[N_OWN_FOLDERS] = {
	[OWN_CONFIG] = { "XDG_CONFIG_HOME", "$XDG_CONFIG_HOME/ridge", ".config",
		"~/.config/ridge" },
	[OWN_DATA] = { "XDG_DATA_HOME", "$XDG_DATA_HOME/ridge", ".local/share",
		"~/.local/share/ridge" },
	[OWN_STATE] = { "XDG_STATE_HOME", "$XDG_STATE_HOME/ridge", ".local/state",
		"~/.local/state/ridge" },
};

/* The variable's value if it is an absolute path, else NULL. */
static const char *absolute(const char *variable)
{
	const char *path = getenv(variable);

	return path && path[0] == '/' ? path : NULL;
}

char *own_path(enum own_folder folder, const char *name, char *buf, size_t size)
{
	assert(folder < N_OWN_FOLDERS && name && size > 0);
	const char *set = absolute(folders[folder].variable), *home = absolute("HOME");
	int n = -1;

	if (set)
		n = snprintf(buf, size, "%s/ridge/%s", set, name);
	else if (home)
		n = snprintf(buf, size, "%s/%s/ridge/%s", home, folders[folder].usual, name);
	return n > 0 && (size_t)n < size ? buf : NULL;
}

const char *own_folder_shown(enum own_folder folder)
{
	assert(folder < N_OWN_FOLDERS);
	return absolute(folders[folder].variable) ? folders[folder].shown
						  : folders[folder].usual_shown;
}

/* --- Reading --- */

/* Takes a byte-order mark out of n bytes, which are terminated. Returns how many are left. */
static size_t drop_mark(char *text, size_t n)
{
	const size_t mark = utf8_mark_bytes(text, n);
	if (mark)
		memmove(text, text + mark, n - mark + 1);
	return n - mark;
}

/* Reads up to *bytes bytes and terminates them; NULL with errno. *bytes becomes the number read,
 * which is smaller when the file has shrunk meanwhile. */
static char *read_bytes(int fd, size_t *bytes)
{
	char *text = malloc(*bytes + 1);
	size_t n = 0;

	while (text && n < *bytes) {
		ssize_t got = read(fd, text + n, *bytes - n);
		if (got < 0 && errno != EINTR) {
			int reason = errno;
			free(text);
			errno = reason;
			return NULL;
		}
		if (got == 0)
			break;
		n += got > 0 ? (size_t)got : 0;
	}
	if (text) {
		text[n] = '\0';
		n = drop_mark(text, n);
	}
	*bytes = n;
	return text;
}

char *own_read_fd(int fd, size_t most, size_t *bytes)
{
	struct stat st;
	size_t n;

	if (fstat(fd, &st))
		return NULL;
	if (!S_ISREG(st.st_mode) || (size_t)st.st_size > most) {
		errno = S_ISREG(st.st_mode) ? EFBIG : EINVAL;
		return NULL;
	}
	n = (size_t)st.st_size;
	char *text = read_bytes(fd, &n);
	if (bytes)
		*bytes = n;
	if (!text || bytes || !memchr(text, '\0', n))
		return text;
	free(text);
	errno = EILSEQ;
	return NULL;
}

char *own_read(const char *path, size_t most, size_t *bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return NULL;
	char *text = own_read_fd(fd, most, bytes);
	int reason = errno;
	close(fd);
	errno = reason;
	return text;
}

char *own_read_bytes(FILE *in, size_t most, size_t *bytes)
{
	struct stat st;
	if (fstat(fileno(in), &st) == 0 && S_ISREG(st.st_mode) && (size_t)st.st_size > most) {
		errno = EFBIG;
		return NULL;
	}
	/* Never more than one byte too many, however much there is. */
	size_t room = most < 1 << 16 ? most + 1 : 1 << 16, n = 0;
	char *text = malloc(room + 1);
	errno = 0;
	while (text && !feof(in) && !ferror(in) && n <= most) {
		if (n == room) {
			room = room > most / 2 ? most + 1 : 2 * room;
			char *more = realloc(text, room + 1);
			if (!more)
				free(text);
			text = more;
			continue;
		}
		n += fread(text + n, 1, room - n, in);
	}
	int why = errno ? errno : EIO; /* a directory opens, and cannot be read */
	int reason = !text ? ENOMEM : ferror(in) ? why : n > most ? EFBIG : 0;
	if (reason) {
		free(text);
		errno = reason;
		return NULL;
	}
	text[n] = '\0';
	*bytes = drop_mark(text, n);
	return text;
}

char *own_read_stream(FILE *in, size_t most)
{
	size_t bytes;
	char *text = own_read_bytes(in, most, &bytes);
	if (!text || !memchr(text, '\0', bytes))
		return text;
	free(text);
	errno = EILSEQ;
	return NULL;
}

const char *own_read_error(size_t most, char *buf, size_t size)
{
	const int why = errno;
	const bool mib = most >= 1 << 20;
	if (why == EFBIG)
		snprintf(buf, size, "expected %zu %s at most", mib ? most >> 20 : most >> 10,
			mib ? "MiB" : "KiB");
	else
		snprintf(buf, size, "%s",
			why == EINVAL   ? "expected a file"
			: why == EILSEQ ? "expected text, found a zero byte"
			: why == ENOMEM ? "out of memory"
					: strerror(why));
	return buf;
}

char *own_read_line(char *line, int size, FILE *in)
{
	if (!fgets(line, size, in))
		return NULL;
	drop_mark(line, strlen(line));
	return line;
}

bool own_lines_broke(FILE *in, const char *name, FILE *err)
{
	if (!ferror(in))
		return false;
	fprintf(err, "%s: the input could not be read to its end\n", name);
	return true;
}

/* --- Writing --- */

void own_make_folders(const char *path)
{
	char folder[OWN_PATH_SIZE];

	if (strlen(path) >= sizeof folder)
		return;
	strcpy(folder, path);
	for (char *slash = strchr(folder + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(folder, 0700) == 0)
			chmod(folder, 0700);
		*slash = '/';
	}
}

static int write_text(const char *path, const char *text)
{
	/* Answers, places and measurements are nobody else's, whatever the umask is. */
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	const bool mine = fd >= 0 && fchmod(fd, 0600) == 0;
	FILE *f = !mine ? NULL : fdopen(fd, "w");

	if (!f) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	bool wrote = fprintf(f, "%s\n", text) > 0 && fflush(f) == 0 && fsync(fileno(f)) == 0;
	int why = errno;
	if (fclose(f) == 0 && wrote)
		return 0;
	errno = wrote ? errno : why;
	return -1;
}

/* Where a link leads, at the end of all links, even if nothing is there. -1 with errno. */
static int follow_links(char *path, size_t size)
{
	enum { MOST = 40 };
	char to[OWN_PATH_SIZE];

	for (int i = 0; i < MOST; i++) {
		const ssize_t n = readlink(path, to, sizeof to - 1);
		if (n < 0)
			return 0;
		to[n] = '\0';
		char *slash = strrchr(path, '/'), *at = *to != '/' && slash ? slash + 1 : path;
		if ((size_t)(at - path) + (size_t)n >= size) {
			errno = ENAMETOOLONG;
			return -1;
		}
		strcpy(at, to);
	}
	errno = ELOOP;
	return -1;
}

int own_write(const char *link, const char *text)
{
	char path[OWN_PATH_SIZE], temporary[OWN_PATH_SIZE + 32];

	if (strlen(link) >= OWN_PATH_SIZE) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(path, link);
	if (follow_links(path, sizeof path))
		return -1;
	own_make_folders(path);
	/* The process id keeps two ridges at once from writing one temporary file. */
	snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
	if (write_text(temporary, text) == 0 && rename(temporary, path) == 0)
		return 0;
	int why = errno;
	unlink(temporary);
	errno = why;
	return -1;
}
