/* The real program in a pseudo-terminal that is hard on it: window sizes that change, stops, standard streams that are
 * not there, and any keys. `make terminals` and `make monkey` try it as often as the design promises. */
#define _GNU_SOURCE
#include "sims/base/array.h"
#include "sims/base/rng.h"
#include "tests/laws.h"
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vterm.h>

/* --- cells --- */

enum { MOST_ROWS = 60, MOST_COLS = 200 };
struct cells {
	VTermScreenCell at[MOST_ROWS][MOST_COLS];
};

static void look(const struct pty *p, struct cells *c)
{
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++)
			vterm_screen_get_cell(vterm_obtain_screen(p->vt), (VTermPos){ row, col },
				&c->at[row][col]);
}

static bool same_cell(const VTermScreenCell *a, const VTermScreenCell *b)
{
	/* A cell that was never written shows what a blank does. */
	const uint32_t x = a->chars[0] ? a->chars[0] : ' ', y = b->chars[0] ? b->chars[0] : ' ';
	return x == y && a->attrs.bold == b->attrs.bold && a->attrs.reverse == b->attrs.reverse &&
	       a->attrs.underline == b->attrs.underline &&
	       (x == ' ' || vterm_color_is_equal(&a->fg, &b->fg)) &&
	       vterm_color_is_equal(&a->bg, &b->bg);
}

/* Cells that are not as the program draws them when it is asked to draw all anew. *drawn: of those that are not
 * blank. */
static size_t wrong_cells(struct pty *p, size_t *drawn)
{
	static struct cells shown, anew;
	size_t wrong = 0;
	pty_settle(p);
	pty_read(p, 250, 120); /* a busy machine may have been slow to begin */
	look(p, &shown);
	pty_send(p, "\014");
	look(p, &anew);
	for (int row = 0; row < p->rows; row++)
		for (int col = 0; col < p->cols; col++) {
			wrong += !same_cell(&shown.at[row][col], &anew.at[row][col]);
			*drawn += anew.at[row][col].chars[0] > ' ';
		}
	return wrong;
}

/* --- sizes and stops --- */

static void turn(struct pty *p, struct rng *r)
{
	p->rows = 1 + (int)rng_below(r, MOST_ROWS);
	p->cols = 1 + (int)rng_below(r, MOST_COLS);
	struct winsize size = { .ws_row = (unsigned short)p->rows,
		.ws_col = (unsigned short)p->cols };
	vterm_set_size(p->vt, p->rows, p->cols);
	ioctl(p->master, TIOCSWINSZ, &size);
}

static const char *const places[][3] = { { NULL }, { "open", "stacking" }, { "open", "page:gpu" },
	{ "open", "formula:kv_cache_bytes" } };

/* Every fourth is the last of three in a row, of which the program may see one. */
Test(terminal_trials, resizes_leave_no_wrong_cell, .description = "long", .timeout = 7200)
{
	const size_t resizes = laws_count("TERMINAL_RESIZES", 12) / LENGTH(places);
	struct rng r = rng_stream(11, "resizes", 0);
	size_t wrong = 0, drawn = 0;
	for (size_t i = 0; i < LENGTH(places); i++) {
		struct pty p;
		pty_start(&p, 24, 80, places[i], NULL);
		for (size_t n = 0; n < resizes; n++) {
			for (int more = n % 4 == 3 ? 3 : 1; more > 0; more--)
				turn(&p, &r);
			const size_t now = wrong_cells(&p, &drawn);
			cr_expect(zero(sz, now), "%s, resize %zu, %d x %d",
				places[i][1] ? places[i][1] : "home", n, p.rows, p.cols);
			wrong += now;
		}
		pty_send(&p, "q");
		cr_expect(zero(int, pty_wait(&p)));
		pty_free(&p);
	}
	cr_expect(lt(sz, 200 * resizes, drawn), "nothing was drawn");
	cr_log_info("figure: %zu wrong cells after %zu resizes", wrong, resizes * LENGTH(places));
}

/* The window may have another size when it goes on. */
Test(terminal_trials, stops_and_goes_on, .description = "long", .timeout = 7200)
{
	const size_t stops = laws_count("TERMINAL_RESIZES", 12) / 4;
	struct rng r = rng_stream(11, "stops", 0);
	struct pty p;
	size_t wrong = 0, drawn = 0;
	pty_start(&p, 24, 80, places[1], NULL);
	for (size_t n = 0; n < stops; n++) {
		pty_send(&p, "\032");
		cr_assert(pty_stopped(&p));
		cr_expect(pty_restored(&p), "stop %zu", n);
		if (n % 2)
			turn(&p, &r);
		kill(p.program, SIGCONT);
		const size_t now = wrong_cells(&p, &drawn);
		cr_expect(zero(sz, now), "stop %zu, %d x %d", n, p.rows, p.cols);
		wrong += now;
	}
	pty_send(&p, "q");
	cr_expect(zero(int, pty_wait(&p)));
	cr_expect(pty_restored(&p));
	cr_expect(lt(sz, 100 * stops, drawn), "nothing was drawn");
	cr_log_info("figure: %zu wrong cells after %zu stops, the terminal given back each time",
		wrong, stops);
	pty_free(&p);
}

/* --- standard streams --- */

/* What of them is not the terminal. */
struct streams_lost {
	const char *name;
	bool null_in, closed[3], broken_out, deaf_to_hangup;
};

static pid_t start_without(const struct streams_lost *s, const char *home, int *master)
{
	struct winsize size = { .ws_row = 24, .ws_col = 80 };
	pid_t pid = forkpty(master, NULL, NULL, &size);
	cr_assert(pid >= 0);
	if (pid > 0)
		return pid;
	const char *path = getenv("RIDGE");
	int ends[2];
	for (int sig = 1; sig < 32; sig++)
		signal(sig, SIG_DFL);
	setenv("TERM", "xterm-256color", 1);
	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("HOME", home, 1);
	unsetenv("XDG_DATA_HOME");
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("XDG_STATE_HOME");
	if (s->deaf_to_hangup)
		signal(SIGHUP, SIG_IGN);
	if (s->null_in)
		dup2(open("/dev/null", O_RDONLY), 0);
	if (s->broken_out && pipe(ends) == 0) {
		close(ends[0]);
		dup2(ends[1], 1);
		close(ends[1]);
	}
	for (int fd = 0; fd < 3; fd++)
		if (s->closed[fd])
			close(fd);
	execl(path ? path : "build/ridge", "ridge", "open", "stacking", (char *)NULL);
	_exit(127);
}

/* Reads what it writes, for so long or until it ends. */
static bool ends_within(pid_t pid, int master, int ms, int *status)
{
	for (int waited = 0; waited < ms; waited += 10) {
		char bytes[4096];
		struct pollfd fd = { .fd = master, .events = POLLIN };
		if (master >= 0 && poll(&fd, 1, 10) > 0 && read(master, bytes, sizeof bytes) > 0)
			continue;
		if (waitpid(pid, status, WNOHANG) == pid)
			return true;
		nanosleep(&(struct timespec){ .tv_nsec = 10 * 1000000 }, NULL);
	}
	return false;
}

/* Of a processor, in seconds. */
static double used_s(pid_t pid)
{
	char path[64], line[1024] = "";
	unsigned long user = 0, system = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	FILE *f = fopen(path, "r");
	cr_assert(f && fgets(line, sizeof line, f) && fclose(f) == 0);
	const char *rest = strrchr(line, ')');
	cr_assert(rest && sscanf(rest, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
				  &user, &system) == 2);
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* Ends by itself, without a signal; or waits for keys, without using the processor, and q ends it. */
static void expect_no_spin(const struct streams_lost *s)
{
	char home[] = "/tmp/ridge-streams-XXXXXX", command[80];
	int master, status = 0;
	cr_assert(mkdtemp(home) != NULL);
	const pid_t pid = start_without(s, home, &master);
	bool ended = ends_within(pid, master, 1500, &status);
	if (s->deaf_to_hangup && !ended) {
		close(master);
		master = -1;
		ended = ends_within(pid, master, 1500, &status);
	}
	if (!ended) {
		const double before_s = used_s(pid);
		ended = ends_within(pid, master, 1500, &status);
		cr_expect(ended || used_s(pid) - before_s < 0.1, "%s: it spins", s->name);
	}
	if (!ended && master >= 0 && write(master, "q", 1) == 1)
		ended = ends_within(pid, master, 5000, &status);
	cr_expect(ended, "%s: it does not end", s->name);
	const int by = ended && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	cr_expect(by == 0 || by == SIGPIPE, "%s: signal %d", s->name, by);
	if (!ended) {
		kill(pid, SIGKILL);
		waitpid(pid, &status, 0);
	}
	if (master >= 0)
		close(master);
	snprintf(command, sizeof command, "rm -rf %s", home);
	cr_expect(zero(int, system(command)));
}

Test(terminal_trials, no_stream_that_is_lost_makes_it_spin, .description = "long", .timeout = 300)
{
	static const struct streams_lost cases[] = {
		{ .name = "input is /dev/null", .null_in = true },
		{ .name = "input closed", .closed = { true } },
		{ .name = "output closed", .closed = { false, true } },
		{ .name = "errors closed", .closed = { false, false, true } },
		{ .name = "all closed", .closed = { true, true, true } },
		{ .name = "nobody reads the output", .broken_out = true },
		{ .name = "its window closed, and SIGHUP ignored", .deaf_to_hangup = true },
	};
	for (size_t i = 0; i < LENGTH(cases); i++)
		expect_no_spin(&cases[i]);
	cr_log_info("figure: %zu ways to lose a stream, and none makes it spin", LENGTH(cases));
}

/* --- any keys --- */

/* What stops it, or ends it by a signal, is left out: Ctrl-C, Ctrl-Z, Ctrl-\. */
static bool is_sent(char byte)
{
	return byte != 3 && byte != 26 && byte != 28;
}

static size_t random_bytes(struct rng *r, const char *from, size_t most, char *to)
{
	size_t n = 0;
	for (size_t left = 1 + rng_below(r, most); left > 0; left--) {
		char byte = from ? from[rng_below(r, strlen(from))] : (char)rng_below(r, 256);
		if (is_sent(byte))
			to[n++] = byte;
	}
	return n;
}

/* A key, a click, bytes that are neither; or a size, and then no bytes. */
static size_t random_input(struct pty *p, struct rng *r, char *to, size_t size)
{
	static const char *const named[] = { "\033[A", "\033[B", "\033[C", "\033[D", "\033OA",
		"\033OB", "\033OC", "\033OD", "\033[H", "\033[F", "\033[5~", "\033[6~", "\033[2~",
		"\033[3~", "\033[Z", "\r", "\t", "\033", " ", "\177", "\b", "\033OP", "\033OQ",
		"\033[15~", "\033[24~", "\033[200~8 GB\r\033[201~" };
	const uint64_t kind = rng_below(r, 100);
	if (kind < 45)
		return (size_t)snprintf(to, size, "%c", (int)(32 + rng_below(r, 95)));
	if (kind < 75)
		return (size_t)snprintf(to, size, "%s", named[rng_below(r, LENGTH(named))]);
	if (kind < 85)
		return random_bytes(r, NULL, 6, to);
	if (kind < 93)
		return (size_t)snprintf(to, size, "\033[<%d;%d;%d%c", (int)rng_below(r, 66),
			(int)rng_below(r, MOST_COLS), (int)rng_below(r, 90),
			rng_below(r, 2) ? 'M' : 'm');
	if (kind < 95) {
		turn(p, r);
		return 0;
	}
	const size_t n = (size_t)snprintf(to, size, "\033%c", "[OPX"[rng_below(r, 4)]);
	return n + random_bytes(r, "0123456789;:?<>ABCDHFPQRSZ~mMu", 8, to + n);
}

/* Both ways at once, for a program that waits until its output is read reads no key. False: it takes none. */
static bool push(struct pty *p, const char *bytes, size_t n)
{
	enum { PATIENCE_MS = 60000 };
	while (n > 0) {
		struct pollfd fd = { .fd = p->master, .events = POLLIN | POLLOUT };
		if (poll(&fd, 1, PATIENCE_MS) <= 0)
			return false;
		if (fd.revents & POLLIN)
			pty_read(p, 0, 0);
		if (!(fd.revents & POLLOUT))
			continue;
		ssize_t sent = write(p->master, bytes, n);
		if (sent < 0 && errno != EAGAIN && errno != EINTR)
			return false;
		bytes += sent > 0 ? sent : 0;
		n -= sent > 0 ? (size_t)sent : 0;
	}
	return true;
}

static bool has_ended(struct pty *p, int *status)
{
	if (p->pid && waitpid(p->pid, status, WNOHANG) == p->pid)
		p->pid = 0;
	return !p->pid;
}

/* Until it has read all, so that keys do something and are not merely on their way. False: it does not, for a
 * minute. */
static bool catch_up(struct pty *p, int *status)
{
	enum { LOOKS = 12000, EACH_MS = 5 };
	for (int i = 0; i < LOOKS; i++) {
		int left = 0;
		p->bytes = 0; /* nobody looks at it */
		pty_read(p, EACH_MS, 2);
		if (has_ended(p, status) || ioctl(p->slave, FIONREAD, &left) || left == 0)
			return true;
	}
	return false;
}

/* So many inputs or until it ends; how many there were, and the status, or -1 while it runs. */
static size_t press_until_it_ends(struct pty *p, struct rng *r, size_t most, int *status)
{
	enum { AT_ONCE = 8 };
	size_t n = 0;
	bool takes = true;
	*status = -1;
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	while (n < most && takes && p->pid) {
		char bytes[64];
		const size_t length = random_input(p, r, bytes, sizeof bytes);
		takes = push(p, bytes, length) && (++n % AT_ONCE || catch_up(p, status));
	}
	cr_expect(takes, "it takes no key after %zu", n);
	return takes ? n : most;
}

/* What is left of it ends as it is told to. */
static bool ends_well(struct pty *p, int status)
{
	if (!p->pid)
		return status == 0;
	kill(p->program, SIGTERM);
	status = pty_wait(p);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
}

/* Keys may end it, as q does; then it is started again. */
static void play(size_t seed)
{
	enum { SCREEN = MOST_ROWS * (MOST_COLS * 4 + 1) };
	static const char *const environment[] = { "VISUAL=true", NULL };
	const size_t keys = laws_count("MONKEY_KEYS", 150);
	struct rng r = rng_stream(seed, "monkey in a terminal", 0);
	size_t starts = 0, crashes = 0;
	for (size_t n = 0; n < keys; starts++) {
		struct pty p;
		char screen[SCREEN];
		int status;
		pty_start(&p, 24, 80, places[starts % LENGTH(places)], environment);
		n += press_until_it_ends(&p, &r, keys - n, &status);
		const bool good = ends_well(&p, status) && pty_restored(&p);
		cr_expect(good, "seed %zu, %zu keys, status %x:\n%s", seed, n, (unsigned)status,
			pty_screen(&p, screen, sizeof screen));
		crashes += !good;
		pty_free(&p);
	}
	cr_log_info("figure: seed %zu: %zu crashes in %zu inputs, %zu starts", seed, crashes, keys,
		starts);
}

#define PLAY(seed)                                                                                 \
	Test(terminal_monkey, crashes_nothing_##seed, .description = "long", .timeout = 7200)      \
	{                                                                                          \
		play(seed);                                                                        \
	}
PLAY(1)
PLAY(2)
PLAY(3)
PLAY(4)
PLAY(5)
