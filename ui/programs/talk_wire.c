#include "ui/programs/talk_wire.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* --- Where it is --- */

/* The folder, without a slash at its end. Where there is no runtime directory, one of the user's own
 * in /tmp serves. */
static int folder_of(char *buf, size_t size)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	int n = runtime && runtime[0] == '/'
			? snprintf(buf, size, "%s/ridge", runtime)
			: snprintf(buf, size, "/tmp/ridge-%lu", (unsigned long)getuid());
	return n > 0 && (size_t)n < size ? n : -1;
}

char *wire_path(const char *tour, char *buf, size_t size)
{
	int used = folder_of(buf, size);
	if (used < 0)
		return NULL;
	size_t room = sizeof((struct sockaddr_un *)NULL)->sun_path, left = size - (size_t)used;
	int n = snprintf(buf + used, left, "/present-%s", tour);
	if (n < 0 || (size_t)n >= left || (size_t)used + (size_t)n >= room)
		return NULL;
	for (char *at = buf + used + 1; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '-';
	return buf;
}

/* The folder has to be ours alone: who else could write there could listen in. */
static int make_folder(void)
{
	char folder[108];
	struct stat st;
	if (folder_of(folder, sizeof folder) < 0) {
		errno = ENAMETOOLONG;
		return -1;
	}
	if (mkdir(folder, 0700) && errno != EEXIST)
		return -1;
	if (lstat(folder, &st))
		return -1;
	if (!S_ISDIR(st.st_mode) || st.st_uid != getuid() || (st.st_mode & 077)) {
		errno = EACCES;
		return -1;
	}
	return 0;
}

static int address_of(struct wire *w, const char *tour, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){ .sun_family = AF_UNIX };
	if (!wire_path(tour, w->path, sizeof w->path)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(address->sun_path, w->path);
	return 0;
}

static int new_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static void do_not_wait(int fd)
{
	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

static int close_failed(int fd)
{
	int error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* --- Both ends --- */

static void add_peer(struct wire *w, int fd)
{
	if (w->n == WIRE_PEERS) {
		close(fd);
		return;
	}
	do_not_wait(fd);
	w->peers[w->n++] = (struct wire_peer){ .fd = fd };
}

static void drop_peer(struct wire *w, size_t i)
{
	close(w->peers[i].fd);
	w->peers[i] = w->peers[--w->n];
}

/* A path that nobody listens at any more. */
static bool is_stale(const struct sockaddr_un *address)
{
	int fd = new_socket();
	bool stale = fd >= 0 &&
		     connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 &&
		     errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return stale;
}

/* Somebody listens there. */
static bool is_served(const char *folder, const char *name)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int n = snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, name);
	int fd = n > 0 && (size_t)n < sizeof address.sun_path ? new_socket() : -1;
	bool served =
		fd >= 0 && connect(fd, (const struct sockaddr *)&address, sizeof address) == 0;
	if (fd >= 0)
		close(fd);
	return served;
}

size_t wire_running(char names[][WIRE_NAME], size_t most)
{
	static const char prefix[] = "present-";
	char folder[108];
	DIR *dir = folder_of(folder, sizeof folder) < 0 ? NULL : opendir(folder);
	size_t n = 0;
	for (struct dirent *e; dir && (e = readdir(dir));) {
		if (strncmp(e->d_name, prefix, strlen(prefix)) != 0 ||
			!is_served(folder, e->d_name))
			continue;
		if (n < most)
			snprintf(names[n], WIRE_NAME, "%.*s", WIRE_NAME - 1,
				e->d_name + strlen(prefix));
		n++;
	}
	if (dir)
		closedir(dir);
	return n;
}

int wire_serve(struct wire *w, const char *tour)
{
	struct sockaddr_un address;
	if (make_folder() || address_of(w, tour, &address))
		return -1;
	int fd = new_socket();
	if (fd < 0)
		return -1;
	int rc = bind(fd, (struct sockaddr *)&address, sizeof address);
	if (rc && errno == EADDRINUSE && is_stale(&address)) {
		unlink(w->path);
		rc = bind(fd, (struct sockaddr *)&address, sizeof address);
	}
	if (rc)
		return close_failed(fd);
	if (chmod(w->path, 0600) || listen(fd, WIRE_PEERS))
		return close_failed(fd);
	do_not_wait(fd);
	w->listening = fd;
	return 0;
}

int wire_join(struct wire *w, const char *tour)
{
	struct sockaddr_un address;
	if (address_of(w, tour, &address))
		return -1;
	int fd = new_socket();
	if (fd < 0)
		return -1;
	if (connect(fd, (struct sockaddr *)&address, sizeof address))
		return close_failed(fd);
	add_peer(w, fd);
	return 0;
}

void wire_close(struct wire *w)
{
	while (w->n)
		drop_peer(w, w->n - 1);
	if (w->listening >= 0) {
		close(w->listening);
		unlink(w->path);
	}
	*w = NO_WIRE;
}

bool wire_joined(const struct wire *w)
{
	return w->n > 0;
}

/* --- Lines --- */

/* A peer that does not take a line of some hundred bytes has stopped reading: it is dropped. */
static bool send_to(const struct wire_peer *p, const char *line)
{
	char text[WIRE_LINE + 1];
	int n = snprintf(text, sizeof text, "%s\n", line);
	return n > 0 && send(p->fd, text, (size_t)n, MSG_NOSIGNAL) == n;
}

void wire_send(struct wire *w, const char *line)
{
	snprintf(w->newest, sizeof w->newest, "%s", line);
	for (size_t i = w->n; i-- > 0;)
		if (!send_to(&w->peers[i], w->newest))
			drop_peer(w, i);
}

static void let_in(struct wire *w)
{
	int fd;
	while (w->listening >= 0 && (fd = accept(w->listening, NULL, NULL)) >= 0) {
		fcntl(fd, F_SETFD, FD_CLOEXEC);
		size_t before = w->n;
		add_peer(w, fd);
		if (w->n > before && *w->newest && !send_to(&w->peers[before], w->newest))
			drop_peer(w, before);
	}
}

/* Takes the newest whole line out of what a peer has sent. */
static bool take_line(struct wire_peer *p, char line[WIRE_LINE])
{
	bool found = false;
	char *end;
	while ((end = memchr(p->text, '\n', p->n))) {
		size_t bytes = (size_t)(end - p->text);
		memcpy(line, p->text, bytes);
		line[bytes] = '\0';
		p->n -= bytes + 1;
		memmove(p->text, end + 1, p->n);
		found = true;
	}
	return found;
}

/* False: it is gone, or sends what is no line. */
static bool read_peer(struct wire_peer *p, char line[WIRE_LINE], bool *found)
{
	ssize_t n;
	while ((n = read(p->fd, p->text + p->n, sizeof p->text - p->n)) > 0) {
		p->n += (size_t)n;
		*found |= take_line(p, line);
		if (p->n == sizeof p->text)
			return false;
	}
	return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR);
}

bool wire_read(struct wire *w, char line[WIRE_LINE])
{
	bool found = false;
	let_in(w);
	for (size_t i = w->n; i-- > 0;)
		if (!read_peer(&w->peers[i], line, &found))
			drop_peer(w, i);
	return found;
}

size_t wire_fds(const struct wire *w, int fds[WIRE_FDS])
{
	size_t n = 0;
	if (w->listening >= 0)
		fds[n++] = w->listening;
	for (size_t i = 0; i < w->n; i++)
		fds[n++] = w->peers[i].fd;
	return n;
}
