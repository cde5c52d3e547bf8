/* The real program in terminals of many kinds, as terminfo describes them: with few colours or none, with
 * other ways to address, without modes that others have. Each shows the screen, takes a key, and gets its
 * settings back. */
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Those of every system's smallest set of descriptions; what is not there is left out. */
static const char *const kinds[] = { "ansi", "cons25", "cygwin", "linux", "mach-color", "pcansi",
	"rxvt", "screen", "screen-256color", "sun", "tmux", "vt100", "vt102", "vt220", "vt52",
	"wsvt25", "xterm", "xterm-256color", "xterm-mono", "xterm-r5", "xterm-vt220", "Eterm" };

static bool is_described(const char *name)
{
	static const char *const folders[] = { "/lib/terminfo", "/usr/share/terminfo",
		"/etc/terminfo" };
	char path[100];
	struct stat st;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		snprintf(path, sizeof path, "%s/%c/%s", folders[i], name[0], name);
		if (stat(path, &st) == 0)
			return true;
	}
	return false;
}

static void sit_at(const char *kind)
{
	char setting[40];
	const char *const words[] = { "open", "stacking", NULL }, *const environment[] = { setting,
		NULL };
	struct pty p;
	struct termios now;
	snprintf(setting, sizeof setting, "TERM=%s", kind);
	pty_start(&p, 24, 80, words, environment);
	cr_expect(strstr(p.raw, "Optimisation stack") != NULL, "%s: %.200s", kind, p.raw);
	const size_t before = p.bytes;
	pty_send(&p, "l");
	cr_expect(lt(sz, before, p.bytes), "%s: a knob was turned, and nothing is drawn", kind);
	pty_send(&p, "q");
	cr_expect(zero(int, pty_wait(&p)), "%s", kind);
	tcgetattr(p.slave, &now);
	cr_expect(now.c_lflag == p.before.c_lflag && now.c_iflag == p.before.c_iflag, "%s", kind);
	pty_free(&p);
}

Test(terminal_kinds, each_shows_the_screen, .description = "long", .timeout = 300)
{
	size_t n = 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (is_described(kinds[i])) {
			sit_at(kinds[i]);
			n++;
		}
	cr_expect(lt(sz, 0, n), "no terminal is described on this system");
}
