/* A child in a session of its own has the terminal; the parent feeds what it writes to libvterm
 * and calls it settled when it is silent. */
#define _GNU_SOURCE
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

enum { QUIET_MS = 120, SILENT_MS = 600, DEADLINE_MS = 5000 };

static const char *program(void)
{
	const char *path = getenv("RIDGE");
	return path ? path : "build/ridge";
}

static void child(const struct pty *p, const char *const words[], const char *const environment[])
{
	char home[96];
	const char *env[32] = { "TERM=xterm-256color", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
		"PATH=/usr/bin:/bin", home };
	const char *argv[16] = { program() };
	size_t n = 5, argc = 1;
	snprintf(home, sizeof home, "HOME=%s", p->home);
	for (size_t i = 0; environment && environment[i] && n < 30; i++)
		env[n++] = environment[i];
	for (size_t i = 0; words && words[i] && argc < 15; i++)
		argv[argc++] = words[i];
	for (size_t i = 0; i < n / 2; i++) { /* the first of a name wins in getenv */
		const char *other = env[i];
		env[i] = env[n - 1 - i];
		env[n - 1 - i] = other;
	}
	execve(argv[0], (char *const *)argv, (char *const *)env);
	_exit(127);
}

/* What a shell is to its jobs: the leader of the session, with the program in a process group of
 * its own (a group without such a parent cannot be stopped by Ctrl-Z). Ends as the program ends. */
static void lead(
	const struct pty *p, int report, const char *const words[], const char *const environment[])
{
	int status;
	/* What nohup or a background job made us ignore, the program is not to inherit. */
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	setsid();
	ioctl(p->slave, TIOCSCTTY, 0);
	for (int fd = 0; fd < 3; fd++)
		dup2(p->slave, fd);
	close(p->master);
	signal(SIGTTOU, SIG_IGN);
	struct rlimit no_core = { 0, 0 };
	setrlimit(RLIMIT_CORE, &no_core); /* dying of SIGQUIT is quick then */
	pid_t program = fork();
	if (program == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		child(p, words, environment);
	}
	if (write(report, &program, sizeof program) != sizeof program)
		_exit(126);
	while (waitpid(program, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status)) {
		signal(WTERMSIG(status), SIG_DFL);
		kill(getpid(), WTERMSIG(status));
	}
	_exit(WEXITSTATUS(status));
}

static void begin(struct pty *p, int rows, int cols, const char *const words[],
	const char *const environment[])
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	int report[2];
	*p = (struct pty){ .rows = rows, .cols = cols };
	strcpy(p->home, "/tmp/ridge-test-XXXXXX");
	cr_assert(mkdtemp(p->home) != NULL);
	cr_assert(openpty(&p->master, &p->slave, NULL, NULL, &size) == 0);
	cr_assert(pipe(report) == 0);
	tcgetattr(p->slave, &p->before);
	p->vt = vterm_new(rows, cols);
	vterm_set_utf8(p->vt, 1);
	vterm_screen_enable_altscreen(vterm_obtain_screen(p->vt), 1);
	vterm_screen_reset(vterm_obtain_screen(p->vt), 1);
	p->pid = fork();
	cr_assert(p->pid >= 0);
	if (p->pid == 0)
		lead(p, report[1], words, environment);
	cr_assert(read(report[0], &p->program, sizeof p->program) == sizeof p->program);
	close(report[0]);
	close(report[1]);
}

static void keep(struct pty *p, const char *bytes, size_t n)
{
	if (p->bytes + n + 1 > p->raw_room) {
		p->raw_room = (p->bytes + n + 1) * 2;
		p->raw = realloc(p->raw, p->raw_room);
		cr_assert(p->raw != NULL);
	}
	memcpy(p->raw + p->bytes, bytes, n);
	p->bytes += n;
	p->raw[p->bytes] = '\0';
}

/* A frame is written from the top to the bottom, and the last row is the footer, which has keys on
 * every screen: with it the frame is whole. */
static bool is_painted(const struct pty *p)
{
	VTermScreenCell cell;
	for (int col = 0; col < p->cols; col++) {
		vterm_screen_get_cell(
			vterm_obtain_screen(p->vt), (VTermPos){ p->rows - 1, col }, &cell);
		if (cell.chars[0] > ' ')
			return true;
	}
	return false;
}

static bool read_some(struct pty *p, int timeout_ms)
{
	char buf[65536];
	struct pollfd fd = { .fd = p->master, .events = POLLIN };
	if (poll(&fd, 1, timeout_ms) <= 0)
		return false;
	ssize_t n = read(p->master, buf, sizeof buf);
	if (n <= 0)
		return false;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	p->read_ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
	keep(p, buf, (size_t)n);
	p->writes++;
	vterm_input_write(p->vt, buf, (size_t)n);
	if (p->painted_ms == 0 && is_painted(p))
		p->painted_ms = p->read_ms;
	return true;
}

void pty_read(struct pty *p, int first_ms, int quiet_ms)
{
	bool some = read_some(p, first_ms);
	while (some)
		some = read_some(p, quiet_ms);
}

/* Reads until the program is silent; all takes longer under valgrind. */
static void settle(struct pty *p, int first_ms)
{
	int slower = getenv("RIDGE_SLOW") ? 10 : 1;
	pty_read(p, first_ms * slower, QUIET_MS * slower);
}

void pty_settle(struct pty *p)
{
	settle(p, SILENT_MS);
}

void pty_send(struct pty *p, const char *keys)
{
	size_t n = strlen(keys);
	cr_assert(write(p->master, keys, n) == (ssize_t)n);
	pty_settle(p);
}

void pty_resize(struct pty *p, int rows, int cols)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols };
	p->rows = rows;
	p->cols = cols;
	vterm_set_size(p->vt, rows, cols);
	ioctl(p->master, TIOCSWINSZ, &size);
	pty_settle(p);
}

void pty_start(struct pty *p, int rows, int cols, const char *const words[],
	const char *const environment[])
{
	begin(p, rows, cols, words, environment);
	settle(p, DEADLINE_MS);
}

void pty_start_quick(struct pty *p, int rows, int cols, const char *const words[])
{
	begin(p, rows, cols, words, NULL);
	read_some(p, DEADLINE_MS);
}

int pty_wait(struct pty *p)
{
	int status;
	for (int i = 0; i < 1000; i++) { /* about ten seconds: the machine may be busy */
		while (read_some(p, 5))
			;
		if (waitpid(p->pid, &status, WNOHANG) == p->pid) {
			while (read_some(p, 5))
				;
			p->pid = 0;
			return status;
		}
		usleep(10000);
	}
	kill(p->program, SIGKILL);
	waitpid(p->pid, &status, 0);
	p->pid = 0;
	return -1;
}

void pty_free(struct pty *p)
{
	char command[128];
	if (p->pid) {
		kill(p->program, SIGKILL);
		waitpid(p->pid, NULL, 0);
	}
	vterm_free(p->vt);
	close(p->master);
	close(p->slave);
	free(p->raw);
	snprintf(command, sizeof command, "rm -rf %s", p->home);
	if (system(command))
		fprintf(stderr, "%s: left behind\n", p->home);
}

static size_t put_code(char *buf, uint32_t code)
{
	if (code < 0x80) {
		buf[0] = (char)code;
		return 1;
	}
	int n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
	static const unsigned char lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	for (int i = n - 1; i > 0; i--, code >>= 6)
		buf[i] = (char)(0x80 | (code & 0x3f));
	buf[0] = (char)(lead[n] | code);
	return (size_t)n;
}

char *pty_screen(const struct pty *p, char *buf, size_t size)
{
	VTermScreen *screen = vterm_obtain_screen(p->vt);
	size_t used = 0;
	for (int row = 0; row < p->rows; row++) {
		size_t end = used;
		for (int col = 0; col < p->cols && used + 8 < size; col++) {
			VTermScreenCell cell;
			vterm_screen_get_cell(screen, (VTermPos){ row, col }, &cell);
			uint32_t code = cell.chars[0];
			if (code == (uint32_t)-1)
				continue;
			used += put_code(buf + used, code ? code : ' ');
			if (code && code != ' ')
				end = used;
		}
		used = end;
		buf[used++] = '\n';
	}
	buf[used] = '\0';
	return buf;
}

static bool on_screen(const struct pty *p, const char *text)
{
	char screen[200 * 100 * 4];
	return strstr(pty_screen(p, screen, sizeof screen), text) != NULL;
}

/* Reads on until a text is there, or is not. */
static bool comes_to(struct pty *p, const char *text, bool shown)
{
	enum { TRIES = 30, EACH_MS = 200 };
	for (int i = 0; i < TRIES && on_screen(p, text) != shown; i++)
		read_some(p, EACH_MS);
	return on_screen(p, text) == shown;
}

bool pty_shows(struct pty *p, const char *text)
{
	return comes_to(p, text, true);
}

bool pty_hides(struct pty *p, const char *text)
{
	return comes_to(p, text, false);
}

/* Whether the last of two switches that was written is `off`. */
static bool ended_with(const struct pty *p, const char *off, const char *on)
{
	const char *last_off = NULL, *last_on = NULL;
	for (const char *at = p->raw; at && (at = strstr(at, off)); at++)
		last_off = at;
	for (const char *at = p->raw; at && (at = strstr(at, on)); at++)
		last_on = at;
	return !last_on || (last_off && last_off > last_on);
}

bool pty_restored(const struct pty *p)
{
	struct termios now;
	if (tcgetattr(p->slave, &now))
		return false;
	return now.c_iflag == p->before.c_iflag && now.c_oflag == p->before.c_oflag &&
	       now.c_lflag == p->before.c_lflag && now.c_cflag == p->before.c_cflag &&
	       ended_with(p, "\033[?1049l", "\033[?1049h") &&
	       ended_with(p, "\033[?25h", "\033[?25l");
}

bool pty_stopped(const struct pty *p)
{
	char path[64], line[512] = "";
	snprintf(path, sizeof path, "/proc/%d/stat", (int)p->program);
	for (int i = 0; i < 200; i++) {
		FILE *f = fopen(path, "r");
		bool got = f && fgets(line, sizeof line, f);
		if (f)
			fclose(f);
		const char *state = got ? strrchr(line, ')') : NULL;
		if (state && state[1] && state[2] == 'T')
			return true;
		usleep(10000);
	}
	return false;
}
