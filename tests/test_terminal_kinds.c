/* The real program in terminals of many kinds, as terminfo describes them: with few colours or none, with
 * other ways to address, without modes that others have. Each shows the screen, takes a key, and gets its
 * settings back. */
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
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

/* described: the folder of its description; NULL: the system's. */
static void sit_at(const char *kind, const char *described)
{
	char setting[40], place[60];
	const char *const words[] = { "open", "stacking", NULL }, *const environment[] = { setting,
		described ? place : NULL, NULL };
	struct pty p;
	struct termios now;
	snprintf(setting, sizeof setting, "TERM=%s", kind);
	snprintf(place, sizeof place, "TERMINFO=%s", described ? described : "");
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
			sit_at(kinds[i], NULL);
			n++;
		}
	cr_expect(lt(sz, 0, n), "no terminal is described on this system");
}

/* Terminals of the seventies and eighties, by what they differ in. All address in their own way, with a row and
 * a column and 32 more, and have no other screen to go back to. */
static const char *const old_ones[][2] = {
	{ "colours-count-blue-first",
		"colors#8, setf=\\E3%p1%d, op=\\E39, sgr0=\\E0, rev=\\E7, bold=\\E1, smul=\\E4" },
	{ "colours-shut-out-bold",
		"colors#8, ncv#32, setaf=\\E3%p1%d, op=\\E39, sgr0=\\E0, bold=\\E1" },
	{ "colours-have-no-words", "colors#8, op=\\E39, sgr0=\\E0" },
	{ "colours-have-no-end", "colors#8, setaf=\\E3%p1%d, sgr0=\\E0" },
	{ "standout-alone", "smso=\\Ej, rmso=\\Ek, msgr" },
	{ "standout-takes-a-cell", "xmc#1, smso=\\Ej, rmso=\\Ek" },
	{ "no-attributes", "am" },
	{ "computes-its-end", "sgr0=\\E%p1%d, rev=\\E7" },
	{ "waits-for-its-beam", "sgr0=\\E0$<5*/>, rev=\\E7$<5>, am, xenl" },
	{ "hides-a-cursor-for-good", "civis=\\Eh, sgr0=\\E0" },
	{ "has-a-cursor", "civis=\\Eh, cnorm=\\Es, sgr0=\\E0" },
	{ "many-colours", "colors#16, setaf=\\E3%p1%d, op=\\E39, sgr0=\\E0" },
};

Test(terminal_kinds, old_ones_are_told_in_their_own_words, .description = "long", .timeout = 300)
{
	char folder[] = "/tmp/ridge-kinds-XXXXXX", source[60], command[200];
	if (system("command -v tic >/dev/null"))
		cr_skip_test("there is no tic");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(source, sizeof source, "%s/source", folder);
	FILE *f = fopen(source, "w");
	cr_assert(f != NULL);
	for (size_t i = 0; i < sizeof old_ones / sizeof *old_ones; i++)
		fprintf(f,
			"%s|%s,\n\tcols#80, lines#24, cup=\\EY%%p1%%' '%%+%%c%%p2%%' '%%+%%c, %s%s,\n",
			old_ones[i][0], old_ones[i][0], "clear=\\EE, el=\\EK, ", old_ones[i][1]);
	fclose(f);
	snprintf(command, sizeof command, "tic -x -o %s %s 2>/dev/null", folder, source);
	cr_assert(zero(int, system(command)));
	for (size_t i = 0; i < sizeof old_ones / sizeof *old_ones; i++)
		sit_at(old_ones[i][0], folder);
	snprintf(command, sizeof command, "rm -r %s", folder);
	cr_expect(zero(int, system(command)));
}
