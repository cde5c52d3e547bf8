/* Programs in the real explorer, in a terminal of its own: it outlives them, its terminal is as it was,
 * and Ctrl-C stops them and not it. */
#include "tests/median.h"
#include "tests/pty.h"

#include "ui/programs/confine.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/ridge-runs-XXXXXX", source[80];

static double clock_ms(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* The explorer on a program to write, whose "editor" copies that text. */
static void open_on(struct pty *p, const char *text)
{
	static const char *const words[] = { "drill", "--topic", "code-ring", "--count", "1",
		"--seed", "3", NULL };
	char editor[120], data[80], temporary[80];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(source, sizeof source, "%s/mine.py", folder);
	FILE *f = fopen(source, "w");
	cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
	snprintf(editor, sizeof editor, "VISUAL=cp %s", source);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s", folder);
	snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
	const char *const environment[] = { editor, data, temporary, NULL };
	pty_start(p, 40, 100, words, environment);
	cr_assert(pty_shows(p, "run it against the hidden cases"));
	pty_send(p, "e");
}

static size_t folders_left(void)
{
	DIR *list = opendir(folder);
	struct dirent *e;
	size_t n = 0;
	while (list && (e = readdir(list)))
		n += strncmp(e->d_name, "ridge-run-", strlen("ridge-run-")) == 0;
	if (list)
		closedir(list);
	return n;
}

static void end(struct pty *p)
{
	char command[100];
	kill(p->program, SIGTERM);
	pty_wait(p);
	pty_free(p);
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(zero(int, system(command)));
}

static void need(void)
{
	char why[120];
	if (system("command -v python3 > /dev/null"))
		cr_skip_test("there is no python3 here");
	if (!confine_works(why, sizeof why))
		cr_skip_test("%s", why);
}

/* The pipe that it prints to is told to signal ridge with SIGKILL when something can be read. */
Test(confine_terminal, outlives_a_program_that_would_kill_it, .description = "long", .timeout = 120)
{
	struct pty p;
	struct termios before, after;
	need();
	open_on(&p, "import fcntl, os\n"
		    "fcntl.fcntl(1, 8, os.getppid())\n"
		    "fcntl.fcntl(1, 10, 9)\n");
	cr_assert(pty_shows(&p, "fcntl.fcntl(1, 10, 9)"));
	tcgetattr(p.slave, &before);
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "PermissionError"));
	cr_expect(zero(int, kill(p.program, 0)));
	tcgetattr(p.slave, &after);
	cr_expect(eq(uint, after.c_lflag, before.c_lflag));
	end(&p);
}

/* Its terminal's name is what a program can guess: a number. */
Test(confine_terminal, keeps_its_terminal, .description = "long", .timeout = 120)
{
	struct pty p;
	need();
	open_on(&p,
		"import os, termios\n"
		"got = []\n"
		"for k in range(64):\n"
		"    for name in ('/dev/pts/%d' % k, '/proc/%d/fd/0' % os.getppid(), '/dev/tty'):\n"
		"        try: got.append(os.open(name, os.O_RDONLY | os.O_NOCTTY))\n"
		"        except OSError: pass\n"
		"raise LookupError('opened %d' % len(got))\n");
	cr_assert(pty_shows(&p, "raise LookupError"));
	pty_send(&p, "\r");
	cr_expect(pty_shows(&p, "LookupError: opened 0"));
	end(&p);
}

Test(confine_terminal, ctrl_c_stops_the_program_and_not_ridge, .description = "long",
	.timeout = 120)
{
	enum { AT_MOST_MS = 200, TRIES = 3 };
	struct pty p;
	double took_ms[TRIES];
	need();
	open_on(&p, "while True:\n    pass\n");
	cr_assert(pty_shows(&p, "pass"));
	for (int i = 0; i < TRIES; i++) {
		pty_send(&p, "\r");
		cr_assert(pty_shows(&p, "Running ..."));
		nanosleep(&(struct timespec){ .tv_sec = 1 }, NULL);
		double pressed_ms = clock_ms();
		cr_assert(eq(i64, write(p.master, "\003", 1), 1));
		cr_assert(pty_shows(&p, "It was stopped"));
		took_ms[i] = p.read_ms - pressed_ms;
	}
	cr_expect(le(dbl, median_of_three(took_ms), AT_MOST_MS));
	cr_log_info("figure: the explorer is back %.0f ms after Ctrl-C", median_of_three(took_ms));
	cr_expect(zero(int, kill(p.program, 0)));
	cr_expect(zero(sz, folders_left()));
	end(&p);
}

/* Killed in the middle of a run, it leaves a folder; the next start removes it. */
Test(confine_terminal, the_next_start_clears_up, .description = "long", .timeout = 120)
{
	static const char *const words[] = { "open", "roofline", NULL };
	struct pty p, next;
	char temporary[80];
	need();
	open_on(&p, "while True:\n    pass\n");
	cr_assert(pty_shows(&p, "pass"));
	pty_send(&p, "\r");
	cr_assert(pty_shows(&p, "Running ..."));
	/* Between two runs there is none: it is stopped, looked at, and let go on until there is. */
	for (int i = 0; i < 100; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = 50 * 1000000 }, NULL);
		kill(p.program, SIGSTOP);
		if (pty_stopped(&p) && folders_left() == 1)
			break;
		kill(p.program, SIGCONT);
	}
	kill(p.program, SIGKILL);
	pty_wait(&p);
	pty_free(&p);
	cr_expect(eq(sz, folders_left(), 1));
	snprintf(temporary, sizeof temporary, "TMPDIR=%s", folder);
	const char *const environment[] = { temporary, NULL };
	pty_start(&next, 24, 80, words, environment);
	cr_expect(pty_shows(&next, "oofline"));
	cr_expect(zero(sz, folders_left()));
	end(&next);
}
