#include "ui/files/own_file.h"

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
	if (text)
		text[n] = '\0';
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

char *own_read_stream(FILE *in, size_t most)
{
	char *text = malloc(most + 1);

	if (!text)
		return NULL;
	size_t n = fread(text, 1, most, in);
	text[n] = '\0';
	errno = ferror(in)                      ? EIO
		: n == most && fgetc(in) != EOF ? EFBIG
		: memchr(text, '\0', n) != NULL ? EILSEQ
						: 0;
	if (errno == 0)
		return text;
	int reason = errno;
	free(text);
	errno = reason;
	return NULL;
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
		mkdir(folder, 0700);
		*slash = '/';
	}
}

static int write_text(const char *path, const char *text)
{
	/* Answers, places and measurements are nobody else's, whatever the umask is. */
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

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
