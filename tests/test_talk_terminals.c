/* A talk in one terminal and its speaker's notes in another, as two processes. */
#include "tests/pty.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64], runtime[100];

static void own_folder(void)
{
	strcpy(folder, "/tmp/ridge-talk-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(runtime, sizeof runtime, "XDG_RUNTIME_DIR=%s", folder);
}

static void no_folder(void)
{
	char path[120];
	snprintf(path, sizeof path, "%s/ridge/present-queueing", folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/ridge", folder);
	rmdir(path);
	rmdir(folder);
}

TestSuite(talk_terminals, .init = own_folder, .fini = no_folder);

static void begin(struct pty *p, bool notes)
{
	const char *const words[] = { "present", "queueing", notes ? "--notes" : NULL, NULL };
	const char *const environment[] = { runtime, NULL };
	pty_start(p, 30, 100, words, environment);
}

static void end(struct pty *p)
{
	pty_send(p, "q");
	int status = pty_wait(p);
	cr_expect(eq(int, status, 0));
	pty_free(p);
}

Test(talk_terminals, notes_follow_and_lead, .description = "long")
{
	struct pty screen, notes;
	begin(&notes, true); /* before the talk */
	cr_expect(pty_shows(&notes, "waits"));
	cr_expect(pty_shows(&notes, "NOW 1/"));
	begin(&screen, false);
	cr_expect(pty_shows(&notes, "joined"));
	pty_send(&screen, "n");
	cr_expect(pty_shows(&notes, "NOW 2/"));
	pty_send(&notes, "p");
	cr_expect(pty_shows(&screen, "1/"));
	cr_expect(pty_shows(&notes, "NOW 1/"));
	pty_send(&screen, "l");
	cr_expect(pty_shows(&notes, "off the script"));
	/* One step of the knob above 0.75, as the audience sees it. */
	cr_expect(pty_shows(&notes, "turn utilisation") || pty_shows(&notes, "turn utilisation"));
	pty_send(&notes, "n");
	cr_expect(pty_hides(&notes, "off the script"));
	/* The notes end: the talk goes on. */
	end(&notes);
	pty_send(&screen, "n");
	cr_expect(pty_shows(&screen, "2/"));
	/* Late notes are where the talk is. */
	begin(&notes, true);
	cr_expect(pty_shows(&notes, "NOW 2/"));
	/* The screen is killed; another one, and the notes tell it where it was. */
	kill(screen.program, SIGKILL);
	pty_wait(&screen);
	pty_free(&screen);
	cr_expect(pty_shows(&notes, "waits"));
	begin(&screen, false);
	cr_expect(pty_shows(&screen, "2/") && pty_shows(&screen, "it goes on"));
	cr_expect(pty_shows(&notes, "joined") && pty_shows(&notes, "NOW 2/"));
	end(&screen);
	end(&notes);
}

/* The first turn is in the notes at once, with the knob that is really in hand; notes turn one, too. */
Test(talk_terminals, notes_know_the_knob_in_hand, .description = "long")
{
	struct pty screen, notes;
	begin(&screen, false);
	/* The only talk that is given needs no name. */
	const char *const words[] = { "present", "--notes", NULL };
	const char *const environment[] = { runtime, NULL };
	pty_start(&notes, 30, 100, words, environment);
	cr_expect(pty_shows(&notes, "joined") && pty_shows(&notes, "turn utilisation, 0.75"));
	pty_send(&screen, "l");
	cr_expect(
		pty_shows(&notes, "off the script") && pty_shows(&notes, "turn utilisation, 0.76"));
	pty_send(&screen, "j");
	cr_expect(pty_hides(&notes, "turn utilisation"));
	pty_send(&screen, ":servers=3\r");
	cr_expect(pty_shows(&notes, "turn servers, 3"));
	pty_send(&screen, "n");
	cr_expect(pty_shows(&notes, "turn utilisation, 0.75"));
	pty_send(&notes, ":servers=2\r");
	cr_expect(pty_shows(&screen, "servers 1 → 2") || pty_shows(&screen, "1 → 2"));
	cr_expect(pty_shows(&notes, "turn servers, 2") && pty_shows(&notes, "off the script"));
	/* Notes that come late change nothing. */
	end(&notes);
	begin(&notes, true);
	cr_expect(pty_shows(&notes, "turn servers, 2") && pty_shows(&notes, "off the script"));
	cr_expect(pty_shows(&screen, "1 → 2"));
	end(&screen);
	end(&notes);
}
