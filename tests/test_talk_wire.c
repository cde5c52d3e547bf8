/* The wire between a talk and its notes: both ends in one process, since nothing waits. */
#include "ui/programs/talk_wire.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char folder[64];

static void own_folder(void)
{
	strcpy(folder, "/tmp/ridge-wire-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_RUNTIME_DIR", folder, 1);
}

static void no_folder(void)
{
	char path[100];
	snprintf(path, sizeof path, "%s/ridge", folder);
	rmdir(path);
	rmdir(folder);
}

TestSuite(talk_wire, .init = own_folder, .fini = no_folder);

Test(talk_wire, nobody_else_can_open_it)
{
	struct wire screen = NO_WIRE;
	char path[200];
	struct stat st;
	cr_assert(zero(int, wire_serve(&screen, "queueing")));
	snprintf(path, sizeof path, "%s/ridge/present-queueing", folder);
	cr_assert(zero(int, stat(path, &st)));
	cr_expect(eq(int, (int)st.st_mode, S_IFSOCK | 0600));
	snprintf(path, sizeof path, "%s/ridge", folder);
	cr_assert(zero(int, stat(path, &st)));
	cr_expect(eq(int, (int)(st.st_mode & 0777), 0700));
	wire_close(&screen);
	/* A folder that others can enter is not used. */
	chmod(path, 0755);
	cr_expect(eq(int, wire_serve(&screen, "queueing"), -1));
	cr_expect(eq(int, errno, EACCES));
	chmod(path, 0700);
}

Test(talk_wire, the_newest_line_wins_and_late_ones_get_it)
{
	struct wire screen = NO_WIRE, early = NO_WIRE, late = NO_WIRE;
	char line[WIRE_LINE] = "";
	cr_expect(eq(int, wire_join(&early, "queueing"), -1)); /* notes before the talk */
	cr_assert(zero(int, wire_serve(&screen, "queueing")));
	cr_assert(zero(int, wire_join(&early, "queueing")));
	cr_expect(wire_read(&screen, line) == false && wire_joined(&screen));
	wire_send(&screen, "{\"step\":1}");
	wire_send(&screen, "{\"step\":2}");
	cr_expect(wire_read(&early, line));
	cr_expect(eq(str, line, "{\"step\":2}"));
	cr_expect(wire_read(&early, line) == false);
	cr_assert(zero(int, wire_join(&late, "queueing")));
	cr_expect(wire_read(&screen, line) == false);
	cr_expect(wire_read(&late, line));
	cr_expect(eq(str, line, "{\"step\":2}"));
	/* And the other way. */
	wire_send(&late, "{\"do\":\"next\"}");
	cr_expect(wire_read(&screen, line));
	cr_expect(eq(str, line, "{\"do\":\"next\"}"));
	wire_close(&late);
	wire_close(&early);
	wire_close(&screen);
}

Test(talk_wire, either_end_may_die)
{
	struct wire screen = NO_WIRE, notes = NO_WIRE;
	char line[WIRE_LINE];
	cr_assert(zero(int, wire_serve(&screen, "queueing")));
	cr_assert(zero(int, wire_join(&notes, "queueing")));
	wire_read(&screen, line);
	/* The notes are killed: the talk goes on. */
	close(notes.peers[0].fd);
	notes = NO_WIRE;
	wire_send(&screen, "one");
	wire_send(&screen, "two");
	wire_read(&screen, line);
	cr_expect(wire_joined(&screen) == false);
	/* The screen is killed, and its socket stays: the next one takes it over. */
	cr_assert(zero(int, wire_join(&notes, "queueing")));
	wire_read(&screen, line);
	close(screen.peers[0].fd);
	close(screen.listening);
	screen = NO_WIRE;
	wire_read(&notes, line);
	cr_expect(wire_joined(&notes) == false);
	cr_assert(zero(int, wire_serve(&screen, "queueing")));
	cr_assert(zero(int, wire_join(&notes, "queueing")));
	/* While one lives, another screen does not. */
	struct wire other = NO_WIRE;
	cr_expect(eq(int, wire_serve(&other, "queueing"), -1));
	cr_expect(eq(int, errno, EADDRINUSE));
	wire_close(&notes);
	wire_close(&screen);
}

/* What is no line, and does not end, is not gathered. */
Test(talk_wire, what_is_no_line_ends_the_wire)
{
	struct wire screen = NO_WIRE, notes = NO_WIRE;
	char line[WIRE_LINE], flood[2 * WIRE_LINE];
	cr_assert(zero(int, wire_serve(&screen, "../x y")));
	cr_expect(strstr(screen.path, "present----x-y") != NULL, "%s", screen.path);
	cr_assert(zero(int, wire_join(&notes, "../x y")));
	wire_read(&screen, line);
	memset(flood, 'a', sizeof flood);
	cr_assert(eq(int, (int)send(notes.peers[0].fd, flood, sizeof flood, 0), (int)sizeof flood));
	cr_expect(wire_read(&screen, line) == false);
	cr_expect(wire_joined(&screen) == false);
	wire_close(&notes);
	wire_close(&screen);
}

/* Notes without a name join the talk that is given; what a dead process left is none. */
Test(talk_wire, those_that_are_given_are_listed)
{
	struct wire first = NO_WIRE, second = NO_WIRE;
	char names[4][WIRE_NAME], path[200];
	cr_expect(eq(sz, wire_running(names, 4), 0));
	cr_assert(zero(int, wire_serve(&first, "queueing")));
	cr_expect(eq(sz, wire_running(names, 4), 1));
	cr_expect(eq(str, names[0], "queueing"));
	cr_assert(zero(int, wire_serve(&second, "roofline")));
	cr_expect(eq(sz, wire_running(names, 1), 2));
	wire_close(&second);
	/* As after a kill: the path is there, and nobody listens. */
	close(first.listening);
	first.listening = -1;
	cr_expect(eq(sz, wire_running(names, 4), 0));
	snprintf(path, sizeof path, "%s/ridge/present-queueing", folder);
	unlink(path);
	wire_close(&first);
}

/* A socket's address has little room. Where there is no runtime directory, a folder in /tmp is named. */
Test(talk_wire, the_path_has_to_fit)
{
	char path[108], longer[200], expected[108];
	snprintf(expected, sizeof expected, "%s/ridge/present-a-b", folder);
	cr_expect(eq(str, wire_path("a/b", path, sizeof path), expected));
	cr_expect(zero(ptr, wire_path("a/b", path, 12)), "no room for the folder");
	cr_expect(zero(ptr, wire_path("a/b", path, strlen(folder) + 12)), "nor for the name");
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	cr_expect(zero(ptr, wire_path(longer, longer, sizeof longer)));
	snprintf(expected, sizeof expected, "/tmp/ridge-%lu/present-x", (unsigned long)getuid());
	unsetenv("XDG_RUNTIME_DIR");
	cr_expect(eq(str, wire_path("x", path, sizeof path), expected));
	setenv("XDG_RUNTIME_DIR", "run/user", 1); /* not from the root: nobody knows where */
	cr_expect(eq(str, wire_path("x", path, sizeof path), expected));
}

Test(talk_wire, says_why_it_cannot_be_served)
{
	struct wire screen = NO_WIRE;
	char path[200], names[4][WIRE_NAME], longer[120] = "/";
	cr_expect(eq(int, wire_join(&screen, "queueing"), -1));
	cr_expect(eq(int, errno, ENOENT), "nobody serves it");
	/* A file where the folder would be. */
	snprintf(path, sizeof path, "%s/ridge", folder);
	fclose(fopen(path, "w"));
	cr_expect(eq(int, wire_serve(&screen, "queueing"), -1));
	cr_expect(eq(int, errno, EACCES));
	unlink(path);
	/* A name that no address holds. */
	memset(longer + 1, 'x', sizeof longer - 2);
	cr_expect(eq(int, wire_serve(&screen, longer), -1));
	cr_expect(eq(int, errno, ENAMETOOLONG));
	cr_expect(eq(int, wire_join(&screen, longer), -1));
	cr_expect(eq(int, errno, ENAMETOOLONG));
	setenv("XDG_RUNTIME_DIR", longer, 1);
	cr_expect(eq(int, wire_serve(&screen, "queueing"), -1));
	cr_expect(eq(int, errno, ENAMETOOLONG));
	cr_expect(eq(sz, wire_running(names, 4), 0));
	setenv("XDG_RUNTIME_DIR", "/nonexistent", 1);
	cr_expect(eq(int, wire_serve(&screen, "queueing"), -1));
	cr_expect(eq(int, errno, ENOENT));
	cr_expect(eq(sz, wire_running(names, 4), 0));
	setenv("XDG_RUNTIME_DIR", folder, 1);
}

/* As many notes as there are places; who comes then is let go. */
Test(talk_wire, has_so_many_places)
{
	struct wire screen = NO_WIRE, notes[WIRE_PEERS + 1];
	char line[WIRE_LINE] = "";
	cr_assert(zero(int, wire_serve(&screen, "queueing")));
	wire_send(&screen, "{\"step\":1}");
	for (int i = 0; i <= WIRE_PEERS; i++) {
		notes[i] = NO_WIRE;
		cr_assert(zero(int, wire_join(&notes[i], "queueing")), "%d", i);
		wire_read(&screen, line);
	}
	cr_expect(eq(int, (int)screen.n, WIRE_PEERS));
	for (int i = 0; i <= WIRE_PEERS; i++) {
		cr_expect(eq(int, wire_read(&notes[i], line), i < WIRE_PEERS), "%d", i);
		cr_expect(eq(int, wire_joined(&notes[i]), i < WIRE_PEERS), "%d", i);
		wire_close(&notes[i]);
	}
	wire_close(&screen);
}
