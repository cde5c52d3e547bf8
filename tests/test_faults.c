/* The real program where things go wrong around it: keys nobody knows, stops, hang-ups, terminals
 * that do not read, files that are not there. */
#define _GNU_SOURCE
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SCREEN = 24 * 80 * 4 };

static void start(struct pty *p, const char *first)
{
	const char *words[] = { "open", first, NULL };
	pty_start(p, 24, 80, words, NULL);
}

static int64_t now_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Alt and a key, function keys, and what a terminal may send by itself: nothing is turned, left or
 * typed by them. */
Test(faults, unknown_keys_do_nothing_but_say_so, .description = "long")
{
	static const char *const keys[] = { "\033l", "\033q", "\0335", "\033[15~", "\033OP",
		"\033[1;5C", "\033[99~" };
	static const char strays[] = "\033[I\033[O\033[?62;4c\033]11;rgb:0/0/0\007\033[<0;55;16M";
	struct pty p;
	char before[SCREEN], after[SCREEN];
	start(&p, "stacking");
	pty_screen(&p, before, sizeof before);
	pty_send(&p, strays);
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before));
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		pty_send(&p, keys[i]);
		cr_expect(pty_shows(&p, "That key does nothing here"), "key %zu", i);
		cr_expect(pty_hides(&p, "on → off") && pty_hides(&p, " = "), "key %zu", i);
	}
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

Test(faults, escape_acts_at_once, .description = "long")
{
	struct pty p;
	int64_t least_ms = 1000;
	start(&p, "stacking");
	for (int i = 0; i < 5; i++) { /* the quickest: others use the machine too */
		pty_send(&p, ":");
		int64_t before_ms = now_ms();
		cr_assert(eq(int, (int)write(p.master, "\033", 1), 1));
		poll(&(struct pollfd){ .fd = p.master, .events = POLLIN }, 1, 1000);
		int64_t took_ms = now_ms() - before_ms;
		least_ms = took_ms < least_ms ? took_ms : least_ms;
		pty_settle(&p);
	}
	cr_expect(le(i64, least_ms, 50));
	pty_send(&p, "q");
	pty_wait(&p);
	pty_free(&p);
}

/* A paste that is longer than a line can be is cut, and says so. */
Test(faults, a_long_paste_fills_the_line_and_says_so)
{
	struct pty p;
	char digits[1001];
	memset(digits, '7', 1000);
	digits[1000] = '\0';
	start(&p, "stacking");
	pty_send(&p, digits);
	cr_expect(pty_shows(&p, "7777777777   at most 255 bytes"));
	pty_send(&p, "\033");
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

Test(faults, a_page_keeps_its_place_through_sizes, .description = "long")
{
	static const int sizes[][2] = { { 15, 21 }, { 1, 1 }, { 100, 300 }, { 12, 40 }, { 50, 61 },
		{ 1, 300 }, { 100, 1 }, { 24, 79 } };
	struct pty p;
	char before[SCREEN], after[SCREEN];
	start(&p, "page:gpu");
	pty_send(&p, "   ");
	pty_screen(&p, before, sizeof before);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		pty_resize(&p, sizes[i][0], sizes[i][1]);
	pty_resize(&p, 24, 80);
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before));
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	pty_free(&p);
}

/* kill -STOP, a shell that sets the terminal as it likes it, fg. */
Test(faults, takes_the_terminal_again_after_a_stop_that_it_did_not_see)
{
	struct pty p;
	struct termios taken, now;
	char before[SCREEN], after[SCREEN];
	start(&p, "stacking");
	pty_screen(&p, before, sizeof before);
	tcgetattr(p.slave, &taken);
	kill(p.program, SIGSTOP);
	cr_assert(pty_stopped(&p));
	tcsetattr(p.slave, TCSANOW, &p.before);
	kill(p.program, SIGCONT);
	pty_settle(&p);
	tcgetattr(p.slave, &now);
	cr_expect(eq(u32, now.c_lflag, taken.c_lflag));
	cr_expect(eq(u32, now.c_iflag, taken.c_iflag));
	cr_expect(eq(str, pty_screen(&p, after, sizeof after), before));
	pty_send(&p, "q");
	pty_wait(&p);
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

/* The shell edits its line in modes of its own; a job that dies must not change them. */
Test(faults, dying_while_stopped_leaves_the_shell_alone)
{
	struct pty p;
	struct termios shell, now;
	start(&p, "stacking");
	pty_send(&p, "\032");
	cr_assert(pty_stopped(&p));
	tcgetattr(p.slave, &shell);
	shell.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
	tcsetattr(p.slave, TCSANOW, &shell);
	size_t bytes = p.bytes;
	kill(p.program, SIGTERM);
	kill(p.program, SIGCONT);
	int status = pty_wait(&p);
	bool by_it = WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM;
	cr_expect(by_it);
	tcgetattr(p.slave, &now);
	cr_expect(eq(u32, now.c_lflag, shell.c_lflag));
	cr_expect(eq(sz, p.bytes, bytes));
	pty_free(&p);
}

static bool ends_within(struct pty *p, int ms)
{
	int status;
	for (int i = 0; i < ms / 10; i++) {
		if (waitpid(p->pid, &status, WNOHANG) == p->pid) {
			p->pid = 0;
			return true;
		}
		usleep(10000);
	}
	return false;
}

/* A terminal that stopped reading must not keep a process alive that was told to end. */
Test(faults, dies_though_nobody_reads, .description = "long")
{
	struct pty p;
	start(&p, "stacking");
	fcntl(p.master, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 3000 && write(p.master, "l", 1) == 1; i++)
		usleep(500);
	kill(p.program, SIGTERM);
	cr_expect(ends_within(&p, 2000));
	pty_free(&p);
}

/* The window is closed; with SIGHUP ignored (nohup) too nothing may spin or stay. */
Test(faults, ends_with_its_terminal)
{
	for (int ignored = 0; ignored < 2; ignored++) {
		struct pty p;
		signal(SIGHUP, ignored ? SIG_IGN : SIG_DFL);
		start(&p, "stacking");
		close(p.slave);
		close(p.master);
		cr_expect(ends_within(&p, 2000), "SIGHUP ignored: %d", ignored);
		p.master = p.slave = open("/dev/null", O_RDWR);
		pty_free(&p);
	}
}

Test(faults, mouse_is_off_until_asked_for)
{
	struct pty p;
	start(&p, "stacking");
	cr_expect(strstr(p.raw, "\033[?1000h") == NULL);
	pty_send(&p, "m");
	cr_expect(strstr(p.raw, "\033[?1000h") != NULL);
	size_t asked = p.bytes;
	pty_send(&p, "\032");
	cr_assert(pty_stopped(&p));
	cr_expect(strstr(p.raw + asked, "\033[?1000l") != NULL, "off while stopped");
	kill(p.program, SIGCONT);
	pty_settle(&p);
	size_t on_again = p.bytes;
	cr_expect(strstr(p.raw + asked, "\033[?1000h") != NULL, "on again");
	kill(p.program, SIGTERM);
	pty_wait(&p);
	cr_expect(strstr(p.raw + on_again, "\033[?1000l") != NULL, "off after a signal");
	cr_expect(pty_restored(&p));
	pty_free(&p);
}

static void put_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(text, f);
	cr_assert(eq(int, fclose(f), 0));
}

/* An author at work: the page that is shown loses the link in focus and its last headings. */
Test(faults, a_page_that_changes_is_shown_at_the_next_key, .description = "long")
{
	char folder[64] = "/tmp/ridge-content-XXXXXX", path[128], setting[128], command[128];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/chapters", folder);
	cr_assert(eq(int, mkdir(path, 0700), 0));
	snprintf(path, sizeof path, "%s/chapters/01-gpu.md", folder);
	snprintf(setting, sizeof setting, "RIDGE_CONTENT=%s", folder);
	put_file(path, "# Before\n\n[a](#before) [b](#last) [c](#last)\n\n## Last\n\n"
		       "```sim stacking\n```\n");
	const char *environment[] = { setting, NULL }, *words[] = { "open", "page:gpu", NULL };
	struct pty p;
	pty_start(&p, 24, 80, words, environment);
	cr_expect(pty_shows(&p, "Before"));
	pty_send(&p, "\t\t\t\t");
	put_file(path, "# After\n\nNothing else.\n");
	pty_send(&p, "\t");
	cr_expect(pty_shows(&p, "After") && !pty_shows(&p, "Before"));
	put_file(path, "# Third\n\n```sim memory\n```\n");
	pty_send(&p, "t");
	pty_send(&p, "G\r");
	pty_send(&p, "\t\t");
	cr_expect(pty_shows(&p, "Third"));
	pty_send(&p, "q");
	cr_expect(eq(int, pty_wait(&p), 0));
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(eq(int, system(command), 0));
	pty_free(&p);
}

Test(faults, places_that_cannot_be_used_are_told_and_borne, .description = "long")
{
	static const struct {
		const char *setting, *shown; /* on the screen, or after the end */
	} rows[] = {
		{ "RIDGE_CONTENT=/nowhere/at/all", "is not a folder" },
		{ "HOME=/dev/null", "could not be kept" },
		{ "XDG_CONFIG_HOME=/tmp/ridge-broken", "hardware.json: line 1" },
	};
	mkdir("/tmp/ridge-broken", 0700);
	mkdir("/tmp/ridge-broken/ridge", 0700);
	put_file("/tmp/ridge-broken/ridge/hardware.json", "{ \"a100\": ");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *environment[] = { rows[i].setting, NULL };
		const char *words[] = { "open", "stacking", NULL };
		struct pty p;
		pty_start(&p, 24, 80, words, environment);
		cr_expect(pty_shows(&p, "Optimisation stack"), "%s", rows[i].setting);
		pty_send(&p, "l");
		cr_expect(pty_shows(&p, "on → off"), "%s", rows[i].setting);
		pty_send(&p, "q");
		cr_expect(eq(int, pty_wait(&p), 0));
		cr_expect(strstr(p.raw, rows[i].shown) != NULL, "%s", rows[i].setting);
		pty_free(&p);
	}
	unlink("/tmp/ridge-broken/ridge/hardware.json");
	rmdir("/tmp/ridge-broken/ridge");
	rmdir("/tmp/ridge-broken");
}

/* Standard streams that are closed or full: an error, and no waiting for questions about it. */
Test(faults, an_output_that_cannot_be_written_is_an_error)
{
	static const char *const lines[] = { "read gpu >/dev/full", "sim stacking >&-",
		"--plain >&-", "calc >/dev/full", "--help >/dev/full",
		"sim stacking --json >/dev/full <&-" };
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		char command[256];
		const char *path = getenv("RIDGE");
		snprintf(command, sizeof command,
			"yes '' 2>/dev/null | timeout 10 %s %s 2>/dev/null",
			path ? path : "build/ridge", lines[i]);
		int status = system(command);
		bool failed = WIFEXITED(status) && WEXITSTATUS(status) == 1;
		cr_expect(failed, "%s: %x", lines[i], (unsigned)status);
	}
}
