/* The speaker's notes beside the talk that they joined, both in one process: what they show of it, what
 * they ask of it, how the clock stands against the plan, and what becomes of them without it. */
#include "tests/explorer.h"
#include "ui/screens/present/present_screen.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <unistd.h>

static char folder[64], place[2][100];

/* Three minutes, one a step; the second asks, the third may be left out. 0.75/0.25 = 3 services of wait,
 * 0.9/0.1 = 9. */
static const char tour[] =
	"# Trial\n\n3 min\n\n"
	"## Busy\n\n```sim queueing utilisation=0.75\nhero: wait_services\nseconds: 60\n```\n\n> Say this first.\n\n"
	"## And then?\n\n- [ ] as long\n- [x] longer\n\n```sim queueing utilisation=0.9\nhero: wait_services\n"
	"seconds: 60\n```\n\n> Say that later.\n\n"
	"## Fixed\n\n```sim queueing service=fixed\nhero: wait_services\nseconds: 60\noptional: yes\n```\n\n> The rest.\n";

static void begin(void)
{
	char path[80];
	strcpy(folder, "/tmp/ridge-notes-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_RUNTIME_DIR", folder, 1);
	snprintf(path, sizeof path, "%s/t.md", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs(tour, f) >= 0 && fclose(f) == 0);
	snprintf(place[0], sizeof place[0], "present:%s", path);
	snprintf(place[1], sizeof place[1], "notes:%s", path);
}

static void end(void)
{
	char command[100];
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(zero(int, system(command)));
}

TestSuite(notes_screen, .init = begin, .fini = end);

static struct explorer start(size_t which)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	e.app->shares_talks = true;
	cr_assert(explorer_open(&e, place[which]));
	return e;
}

/* Both hear what the other said until then. */
static void pass(struct explorer *talk, struct explorer *notes, int64_t now_ms)
{
	struct explorer *both[] = { talk, notes, talk, notes };
	for (size_t i = 0; i < 4; i++) {
		both[i]->now_ms = now_ms;
		app_tick(both[i]->app, now_ms);
		app_settle(both[i]->app);
	}
}

#define EXPECT_SHOWN(e, text) cr_expect(explorer_shows(e, text), "%s:\n%s", text, explorer_text(e))

Test(notes_screen, follow_the_talk)
{
	struct explorer talk = start(0), notes = start(1);
	EXPECT_SHOWN(&notes, "waits");
	pass(&talk, &notes, 1000);
	EXPECT_SHOWN(&notes, "joined");
	EXPECT_SHOWN(&notes, "NOW 1/3  Busy");
	EXPECT_SHOWN(&notes, "The clock starts with the first n.");
	EXPECT_SHOWN(&notes, "Say this first.");
	EXPECT_SHOWN(&notes, "NEXT 2/3  And then?");
	explorer_press(&talk, "n");
	pass(&talk, &notes, 2000);
	EXPECT_SHOWN(&notes, "NOW 2/3  And then?");
	EXPECT_SHOWN(&notes, "Not yet, with the answer:");
	EXPECT_SHOWN(&notes, "NEXT  the answer");
	explorer_press(&talk, "b b");
	pass(&talk, &notes, 3000);
	EXPECT_SHOWN(&notes, "(2)");
	explorer_press(&talk, "n");
	pass(&talk, &notes, 4000);
	cr_expect(explorer_shows(&notes, "Not yet") == false);
	EXPECT_SHOWN(&notes, "was 3");
	EXPECT_SHOWN(&notes, "If asked: ");
	explorer_press(&talk, "n");
	pass(&talk, &notes, 5000);
	EXPECT_SHOWN(&notes, "This is the last step.");
	explorer_end(&talk);
	explorer_end(&notes);
}

/* On, back, and a value for the knob in hand: what is typed here happens there. */
Test(notes_screen, lead_the_talk)
{
	struct explorer talk = start(0), notes = start(1);
	const struct talk *t = present_talk(talk.app);
	pass(&talk, &notes, 1000);
	explorer_press(&notes, "n");
	pass(&talk, &notes, 2000);
	cr_expect(eq(sz, t->at, 1));
	explorer_press(&notes, "p");
	pass(&talk, &notes, 3000);
	cr_expect(eq(sz, t->at, 0));
	EXPECT_SHOWN(&notes, "NOW 1/3");
	const double before = figure_find(&t->live.figure, "wait_services")->value;
	explorer_type(&notes, "0.9");
	explorer_press(&notes, "Enter");
	pass(&talk, &notes, 4000);
	cr_expect(t->off_script);
	cr_expect(lt(dbl, before, figure_find(&t->live.figure, "wait_services")->value));
	EXPECT_SHOWN(&notes, "(off the script)");
	explorer_press(&notes, "n");
	pass(&talk, &notes, 5000);
	cr_expect(t->off_script == false && t->at == 0);
	explorer_end(&talk);
	explorer_end(&notes);
}

/* The first n starts the clock: the second step is to be over after two minutes of three. */
Test(notes_screen, hold_the_clock_against_the_plan)
{
	struct explorer talk = start(0), notes = start(1);
	pass(&talk, &notes, 1000);
	talk.now_ms = 1000;
	explorer_press(&talk, "n");
	pass(&talk, &notes, 11000);
	EXPECT_SHOWN(&notes, "0:50 ahead of the plan");
	pass(&talk, &notes, 91000);
	EXPECT_SHOWN(&notes, "0:30 left for this step");
	pass(&talk, &notes, 151000);
	EXPECT_SHOWN(&notes, "0:30 late: s leaves out, in their turn, 3");
	pass(&talk, &notes, 241000);
	EXPECT_SHOWN(
		&notes, "2:00 late: s leaves out, in their turn, 3, and that is not all of it");
	explorer_end(&talk);
	explorer_end(&notes);
}

/* A talk that dies is given again where it was: the notes know. */
Test(notes_screen, bring_a_talk_back_to_where_it_was)
{
	struct explorer talk = start(0), notes = start(1);
	pass(&talk, &notes, 1000);
	explorer_press(&talk, "n");
	pass(&talk, &notes, 61000);
	explorer_end(&talk);
	app_tick(notes.app, 62000);
	EXPECT_SHOWN(&notes, "waits");
	EXPECT_SHOWN(&notes, "NOW 2/3");
	talk = start(0);
	cr_expect(zero(sz, present_talk(talk.app)->at));
	for (int64_t now_ms = 70000; now_ms < 80000; now_ms += 2000)
		pass(&talk, &notes, now_ms);
	EXPECT_SHOWN(&notes, "joined");
	cr_expect(eq(sz, present_talk(talk.app)->at, 1));
	explorer_end(&talk);
	explorer_end(&notes);
}

/* Before a talk they can be read alone, question before answer; one Esc too many does not lose them. */
Test(notes_screen, are_read_alone)
{
	struct explorer notes = start(1);
	explorer_press(&notes, "n");
	EXPECT_SHOWN(&notes, "Not yet, with the answer:");
	explorer_press(&notes, "n");
	cr_expect(explorer_shows(&notes, "Not yet") == false);
	EXPECT_SHOWN(&notes, "NOW 2/3");
	explorer_press(&notes, "n");
	EXPECT_SHOWN(&notes, "NOW 3/3");
	explorer_press(&notes, "p p p");
	EXPECT_SHOWN(&notes, "NOW 1/3");
	explorer_press(&notes, "Esc");
	EXPECT_SHOWN(&notes, "Esc again leaves the notes; f comes back to them.");
	explorer_press(&notes, "Esc");
	cr_expect(explorer_shows(&notes, "NOW 1/3") == false);
	explorer_end(&notes);
}
