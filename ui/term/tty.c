/* Signal handlers may do hardly anything. Those for another size, a stop and going on set a flag
 * and write a byte to a pipe; tty_wait polls that pipe beside the keyboard, so that no signal is
 * missed between looking at the flags and going to sleep. Those that end the process write the
 * bytes that were prepared for that, set the modes back, and raise the signal again. */
#include "ui/term/tty.h"

#include "sims/base/array.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { IN = STDIN_FILENO, OUT = STDOUT_FILENO, LONGEST_RESTORE = 256, LARGEST_SIDE = 1000 };

static struct {
	struct termios found, ours;
	volatile sig_atomic_t taken; /* the screen and the modes are ours */
	volatile sig_atomic_t resized, stop, continued;
	volatile sig_atomic_t answers; /* what comes in may be answers of the terminal */
	char restore[LONGEST_RESTORE];
	size_t restore_bytes;
	int wake[2]; /* from the handlers to tty_wait */
	int watched[TTY_WATCHED];
	size_t n_watched;
} tty = { .wake = { -1, -1 } };

/* The signals that end a process. */
static const int fatal[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGSEGV, SIGBUS, SIGFPE,
	SIGILL, SIGABRT, SIGALRM, SIGUSR1, SIGUSR2, SIGTRAP, SIGSYS, SIGXCPU, SIGVTALRM, SIGPROF,
	SIGPOLL };

/* In the background the modes of the terminal belong to whoever is in front. */
static bool in_background(void)
{
	pid_t front = tcgetpgrp(IN);
	return front > 0 && front != getpgrp();
}

/* A terminal that has stopped reading must not keep the process alive: it gets some tries. */
static void write_dying(const char *bytes, size_t n)
{
	enum { TRIES = 20, WAIT_MS = 10 };
	int flags = fcntl(OUT, F_GETFL);
	fcntl(OUT, F_SETFL, flags | O_NONBLOCK);
	for (int i = 0; n > 0 && i < TRIES; i++) {
		ssize_t wrote = write(OUT, bytes, n);
		if (wrote < 0 && errno != EAGAIN && errno != EINTR)
			break;
		bytes += wrote > 0 ? wrote : 0;
		n -= wrote > 0 ? (size_t)wrote : 0;
		if (n > 0)
			poll(&(struct pollfd){ .fd = OUT, .events = POLLOUT }, 1, WAIT_MS);
	}
	fcntl(OUT, F_SETFL, flags); /* the shell has the same open file */
}

void tty_leave(void)
{
	if (!tty.taken)
		return;
	tty.taken = 0;
	signal(SIGTTOU, SIG_IGN); /* writing from the background could stop the process here */
	write_dying(tty.restore, tty.restore_bytes);
	if (!in_background())
		tcsetattr(IN, tty.answers ? TCSAFLUSH : TCSANOW, &tty.found);
}

void tty_expects_answers(bool yes)
{
	tty.answers = yes;
}

void tty_discard(void)
{
	tcflush(IN, TCIFLUSH);
}

bool tty_taken(void)
{
	return tty.taken;
}

static void die(int sig)
{
	tty_leave();
	signal(sig, SIG_DFL);
	raise(sig);
}

static void wake(int sig)
{
	int saved = errno;
	if (sig == SIGWINCH)
		tty.resized = 1;
	else if (sig == SIGTSTP)
		tty.stop = 1;
	else
		tty.continued = 1;
	ssize_t ignored = write(tty.wake[1], "", 1);
	(void)ignored;
	errno = saved;
}

static bool is_ignored(int sig)
{
	struct sigaction now;
	return sigaction(sig, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* A signal that was ignored when the process began (nohup) stays ignored. */
static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction sa = { .sa_handler = handler, .sa_flags = flags };
	sigemptyset(&sa.sa_mask);
	if (!is_ignored(sig))
		sigaction(sig, &sa, NULL);
}

static void install_handlers(void)
{
	static char stack[1 << 16]; /* after an overflow of the stack, handlers need another one */
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof stack };
	sigaltstack(&ss, NULL);
	for (size_t i = 0; i < LENGTH(fatal); i++)
		handle(fatal[i], die, SA_ONSTACK);
	handle(SIGWINCH, wake, SA_RESTART);
	handle(SIGCONT, wake, SA_RESTART);
	handle(SIGTSTP, wake, SA_RESTART);
	handle(SIGXFSZ, SIG_IGN, 0); /* write then fails, and says so */
}

int tty_open(void)
{
	if (tcgetattr(IN, &tty.found) || pipe(tty.wake))
		return -1;
	for (int i = 0; i < 2; i++) {
		fcntl(tty.wake[i], F_SETFL, O_NONBLOCK);
		fcntl(tty.wake[i], F_SETFD, FD_CLOEXEC);
	}
	tty.ours = tty.found;
	tty.ours.c_iflag &= ~(tcflag_t)(BRKINT | PARMRK | ISTRIP | INLCR | IGNCR | ICRNL | IXON);
	tty.ours.c_oflag &= ~(tcflag_t)OPOST;
	tty.ours.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
	tty.ours.c_cc[VMIN] = 1;
	tty.ours.c_cc[VTIME] = 0;
	install_handlers();
	return 0;
}

void tty_on_death(const char *bytes, size_t n)
{
	sigset_t all, before;
	if (n > sizeof tty.restore)
		n = sizeof tty.restore;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before); /* a handler must not see half of it */
	memcpy(tty.restore, bytes, n);
	tty.restore_bytes = n;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void tty_take(void)
{
	if (in_background())
		kill(0, SIGTTOU);
	tty.taken = 1;
	while (tcsetattr(IN, TCSANOW, &tty.ours) && errno == EINTR)
		;
	tty.continued = 0;
}

void tty_give(void)
{
	while (tcsetattr(IN, TCSANOW, &tty.found) && errno == EINTR)
		;
	tty.taken = 0;
}

void tty_stop(void)
{
	if (is_ignored(SIGTSTP))
		return; /* the shell has no job control: nobody could let the process go on */
	signal(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP); /* to the whole group: `make run` has to stop as well */
	/* Here the process goes on after fg. */
	handle(SIGTSTP, wake, SA_RESTART);
	tty.stop = tty.continued = 0;
}

void tty_write(const char *bytes, size_t n)
{
	assert(tty.wake[0] >= 0); /* after tty_open */
	while (n > 0) {
		ssize_t wrote = write(OUT, bytes, n);
		if (wrote < 0 && errno == EAGAIN)
			poll(&(struct pollfd){ .fd = OUT, .events = POLLOUT }, 1, -1);
		else if (wrote < 0 && errno != EINTR)
			return; /* a terminal that is gone shows at the next read */
		if (wrote > 0) {
			bytes += wrote;
			n -= (size_t)wrote;
		}
	}
}

bool tty_size(int *rows, int *cols)
{
	struct winsize ws;
	if (ioctl(OUT, TIOCGWINSZ, &ws) || ws.ws_row == 0 || ws.ws_col == 0)
		return false;
	*rows = ws.ws_row < LARGEST_SIDE ? ws.ws_row : LARGEST_SIDE;
	*cols = ws.ws_col < LARGEST_SIDE ? ws.ws_col : LARGEST_SIDE;
	return true;
}

char tty_erase_key(void)
{
	cc_t erase = tty.found.c_cc[VERASE];
	return erase == _POSIX_VDISABLE ? '\0' : (char)erase;
}

static bool happened(volatile sig_atomic_t *flag)
{
	bool was = *flag;
	*flag = 0;
	return was;
}

void tty_watch(const int fds[], size_t n)
{
	assert(n <= TTY_WATCHED);
	tty.n_watched = n;
	for (size_t i = 0; i < n; i++)
		tty.watched[i] = fds[i];
}

enum tty_event tty_wait(int timeout_ms)
{
	struct pollfd fds[2 + TTY_WATCHED] = { { .fd = IN, .events = POLLIN },
		{ .fd = tty.wake[0], .events = POLLIN } };
	char drained[64];
	for (size_t i = 0; i < tty.n_watched; i++)
		fds[2 + i] = (struct pollfd){ .fd = tty.watched[i], .events = POLLIN };
	/* A signal that comes after this line has written to the pipe, so that poll returns. */
	bool signalled = tty.resized || tty.stop || tty.continued;
	int ready = poll(fds, 2 + tty.n_watched, signalled ? 0 : timeout_ms);
	while (ready > 0 && fds[1].revents && read(tty.wake[0], drained, sizeof drained) > 0)
		;
	if (happened(&tty.continued))
		return TTY_CONTINUED;
	if (happened(&tty.stop))
		return TTY_STOP;
	if (happened(&tty.resized))
		return TTY_RESIZED;
	return ready > 0 && fds[0].revents ? TTY_INPUT : TTY_NOTHING;
}

bool tty_is_asked(void)
{
	struct pollfd fds[2] = { { .fd = IN, .events = POLLIN },
		{ .fd = tty.wake[0], .events = POLLIN } };
	return tty.resized || tty.stop || tty.continued || poll(fds, 2, 0) > 0;
}

ssize_t tty_read(char *buf, size_t room)
{
	ssize_t n = read(IN, buf, room);
	if (n > 0)
		return n;
	return n < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}
