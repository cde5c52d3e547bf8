/* The child is watched from one loop that polls its pipe in short slices: between two of them it
 * looks at the output, the time, whether the child has ended, and whether a signal waits to end
 * ridge. So no handler and no thread is needed. */
#include "ui/programs/child.h"

#include "sims/base/array.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

enum { CANNOT_START = 127, SLICE_MS = 20, LAST_SIGNAL = 64 };

extern char **environ;

/* These signals end ridge, but only after the child is gone and its files are removed. */
static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static int fail(char *err, size_t err_size, const char *what)
{
	snprintf(err, err_size, "%s: %s", what, strerror(errno));
	return -1;
}

/* Closes all files but the standard streams and that one. */
static void close_others(int kept)
{
	DIR *list = opendir("/dev/fd");
	struct dirent *e;
	if (!list) {
		for (int fd = 3; fd < 1024; fd++)
			if (fd != kept)
				close(fd);
		return;
	}
	while ((e = readdir(list))) {
		int fd = atoi(e->d_name);
		if (fd > STDERR_FILENO && fd != dirfd(list) && fd != kept)
			close(fd);
	}
	closedir(list);
}

#ifdef PR_SET_PDEATHSIG
static void end_group(int sig)
{
	(void)sig;
	kill(0, SIGKILL);
}

/* Ends as that process did. */
static _Noreturn void end_like(int status)
{
	if (WIFEXITED(status))
		_exit(WEXITSTATUS(status));
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* a crash that is not ours */
	signal(WTERMSIG(status), SIG_DFL);
	kill(getpid(), WTERMSIG(status));
	_exit(CANNOT_START);
}

/* The system tells one process that ridge was killed, not those that it has started: these would go
 * on. So where others may be started, the leader of the group stays as it is and waits, for its
 * program or for that news, and the program begins in a process below it: there this returns, with
 * the leader's number. */
static pid_t leave_guard(pid_t ridge)
{
	const pid_t guard = getpid();
	int status = 0;
	signal(SIGTERM, end_group);
	prctl(PR_SET_PDEATHSIG, SIGTERM, 0, 0, 0);
	pid_t pid = getppid() == ridge ? fork() : -1;
	if (pid < 0)
		_exit(CANNOT_START);
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		return guard;
	}
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		close(fd);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	end_like(status);
}
#else
static pid_t leave_guard(pid_t ridge)
{
	return ridge;
}
#endif

/* Runs in the child. When anything fails here the program must not be started. */
static void become(const struct child *c, int out, pid_t ridge)
{
	sigset_t none;
	for (int sig = 1; sig <= LAST_SIGNAL; sig++)
		signal(sig, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	/* If a standard stream was closed, the pipe may have its number: move the pipe out of the
	 * way. */
	out = fcntl(out, F_DUPFD, STDERR_FILENO + 1);
	int in = open("/dev/null", O_RDONLY);
	if (in < 0 || out < 0 || fchdir(c->dir) || dup2(in, STDIN_FILENO) < 0 ||
		dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
		_exit(CANNOT_START);
	close_others(c->dir);
	pid_t parent = c->limits.alone ? ridge : leave_guard(ridge);
	fcntl(c->dir, F_SETFD, FD_CLOEXEC); /* the rules for files are made of it */
	/* A parent that died before the limits ask for its signal sends none. */
	if (confine_limit(&c->limits) || getppid() != parent)
		_exit(CANNOT_START);
	if (c->confined != CONFINED_BY_LIMITS && confine(c->confined, c->dir, c->readable) &&
		!c->lenient)
		_exit(CANNOT_START);
	execve(c->argv[0], (char *const *)c->argv, c->env ? (char *const *)c->env : environ);
	_exit(CANNOT_START);
}

/* Reads what is there now. False when nothing more will come. */
static bool drain(int fd, size_t most, struct child_end *end)
{
	for (;;) {
		size_t room = most + 1 - end->bytes;
		ssize_t n = room > 0 ? read(fd, end->output + end->bytes, room) : 0;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			end->lost = errno == EAGAIN ? 0 : errno;
			return !end->lost;
		}
		end->bytes += (size_t)n;
		if (end->bytes > most) {
			end->bytes = most;
			end->flooded = true;
			return false;
		}
		if (n == 0)
			return false;
	}
}

static bool has_ended(pid_t pid)
{
	siginfo_t info = { 0 };
	/* WNOWAIT leaves it a zombie, so that no other process gets its number, which is also that
	 * of its group. */
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
	       info.si_pid == pid;
}

static bool is_interrupted(void)
{
	sigset_t pending;
	sigemptyset(&pending);
	sigpending(&pending);
	for (size_t i = 0; i < LENGTH(fatal); i++)
		if (sigismember(&pending, fatal[i]) == 1)
			return true;
	return false;
}

/* True when the child ended, or was ended because of what it did; false when somebody wants it to
 * end, or a signal ridge. */
static bool watch(const struct child *c, pid_t pid, int fd, struct child_end *end)
{
	int64_t begun_ms = now_ms();
	bool open = true, going_on = true;
	while (going_on && !end->flooded && !end->overtime && !has_ended(pid)) {
		struct pollfd p = { .fd = open ? fd : -1, .events = POLLIN };
		/* After it has closed the pipe nothing wakes us when it ends, so look often. */
		poll(&p, 1, open ? SLICE_MS : 1);
		open = open && drain(fd, c->output_bytes, end);
		end->took_ms = now_ms() - begun_ms;
		end->overtime = end->took_ms >= c->wall_ms;
		going_on = !is_interrupted() && !(c->stopped && c->stopped(c->context));
	}
	end->took_ms = now_ms() - begun_ms;
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL); /* in case setsid was not reached yet */
	while (waitpid(pid, &end->status, 0) < 0 && errno == EINTR)
		;
	if (open && !end->flooded)
		drain(fd, c->output_bytes, end);
	end->overtime |= WIFSIGNALED(end->status) && WTERMSIG(end->status) == SIGXCPU;
	return going_on;
}

static int start(const struct child *c, struct child_end *end, char *err, size_t err_size)
{
	int fds[2];
	if (pipe(fds))
		return fail(err, err_size, "cannot make a pipe");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 2; i++)
		fcntl(fds[i], F_SETFD, FD_CLOEXEC);
	pid_t ridge = getpid(), pid = fork();
	if (pid == 0)
		become(c, fds[1], ridge);
	int rc = pid < 0 ? fail(err, err_size, "cannot start a process") : 0;
	close(fds[1]);
	if (pid > 0 && !watch(c, pid, fds[0], end)) {
		snprintf(err, err_size, "It was stopped: no attempt is used.");
		rc = -1;
	} else if (end->lost) {
		errno = end->lost;
		rc = fail(err, err_size, "cannot read what it prints");
	}
	close(fds[0]);
	return rc;
}

int child_run(const struct child *c, struct child_end *end, char *err, size_t err_size)
{
	assert(c->argv && c->argv[0] && c->dir >= 0 && c->wall_ms > 0);
	*end = (struct child_end){ .output = malloc(c->output_bytes + 2) };
	if (!end->output)
		return fail(err, err_size, "cannot read what it prints");
	int rc = start(c, end, err, err_size);
	end->output[end->bytes] = '\0';
	return rc;
}

void child_hold(struct child_hold *h)
{
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t held;
	sigemptyset(&held);
	sigaddset(&held, SIGTSTP); /* a stopped ridge could not watch the time */
	for (size_t i = 0; i < LENGTH(fatal); i++)
		sigaddset(&held, fatal[i]);
	sigemptyset(&usual.sa_mask);
	sigaction(SIGCHLD, &usual, &h->child); /* if it were ignored, waitpid would find nothing */
	sigprocmask(SIG_BLOCK, &held, &h->mask);
}

void child_release(const struct child_hold *h)
{
	sigaction(SIGCHLD, &h->child, NULL);
	sigprocmask(SIG_SETMASK, &h->mask, NULL);
}

char *child_find(const char *name, char *buf, size_t size)
{
	const char *path = getenv("PATH");
	for (const char *p = path ? path : "/usr/local/bin:/usr/bin:/bin"; *p;) {
		struct stat st;
		size_t n = strcspn(p, ":");
		int length = snprintf(buf, size, "%.*s/%s", (int)n, p, name);
		/* Relative paths mean something else in the directory where the program will
		 * run. */
		if (*p == '/' && length > 0 && (size_t)length < size && access(buf, X_OK) == 0 &&
			stat(buf, &st) == 0 && S_ISREG(st.st_mode))
			return buf;
		p += n + (p[n] == ':');
	}
	return NULL;
}
