/* What a step plays by itself: sweeps, runs with pauses, and hands that take over. */
#include "tests/explorer.h"
#include "tests/settings.h"
#include "ui/commands/talk_record.h"
#include "ui/screens/present/present_screen.h"
#include "ui/talks/talk_check.h"
#include "ui/talks/talk_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static char path[64];

/* One server without a spread of its own waits ρ/(1-ρ) services: 3 at 0.75, 4 at 0.8, 9 at 0.9. */
static const char tour[] =
	"# Trial\n\n"
	"## Three quarters\n\n```sim queueing\nutilisation=0.75\nshow: wait\nhero: wait_services\n```\n\n"
	"## It waits `=wait_services`\n\n"
	"```sim queueing\nsweep: utilisation 0.75 0.8 0.9 2s each\nshow: wait\nhero: wait_services\n```\n\n"
	"## A ring\n\n```sim allreduce\npause: 1ms\npause: \"go round once more\"\npause: end\nseconds: 30\n```\n\n"
	"## And then?\n\n- [ ] no\n- [x] yes\n\n"
	"```sim queueing\nsweep: utilisation 0.5 0.6\nshow: wait\nhero: wait_services\n```\n";

static void write_tour(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	snprintf(path, sizeof path, "/tmp/ridge-talk-run-%d.md", (int)getpid());
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fputs(tour, f);
	fclose(f);
}

static void remove_tour(void)
{
	remove(path);
}

TestSuite(talk_run, .init = write_tour, .fini = remove_tour);

static struct explorer begin(void)
{
	char place[100];
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	snprintf(place, sizeof place, "present:%s", path);
	cr_assert(explorer_open(&e, place));
	return e;
}

static int tick(struct explorer *e, int64_t now_ms)
{
	int wait_ms = app_tick(e->app, now_ms);
	app_settle(e->app);
	return wait_ms;
}

static double waits(const struct talk *t)
{
	return figure_find(&t->live.figure, "wait_services")->value;
}

Test(talk_run, a_sweep_turns_its_knob_by_itself)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "n");
	cr_expect(fabs(waits(t) - 3) < 0.1 && t->off_script == false);
	cr_expect(eq(int, tick(&e, 1000), 2000));
	cr_expect(eq(int, tick(&e, 2500), 500));
	cr_expect(fabs(waits(t) - 3) < 0.1);
	tick(&e, 3000);
	cr_expect(fabs(waits(t) - 4) < 0.1 && t->off_script == false);
	cr_expect(strstr(t->caption, "It waits 4") != NULL, "%s", t->caption);
	cr_expect(eq(int, tick(&e, 5000), -1));
	cr_expect(fabs(waits(t) - 9) < 0.2 && t->at == 1);
	/* Back and forth shows its end again; n in the middle of it goes to its end first. */
	explorer_press(&e, "p n");
	cr_expect(fabs(waits(t) - 3) < 0.1);
	explorer_press(&e, "n");
	cr_expect(fabs(waits(t) - 9) < 0.2 && t->at == 1 && t->moves == TALK_STILL);
	explorer_press(&e, "n");
	cr_expect(eq(sz, t->at, 2));
	explorer_end(&e);
}

Test(talk_run, a_hand_takes_over_a_sweep)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "n");
	tick(&e, 1000);
	explorer_press(&e, "l");
	cr_expect(t->off_script && t->moves == TALK_STILL);
	double turned = waits(t);
	cr_expect(eq(int, tick(&e, 9000), -1));
	cr_expect(waits(t) == turned);
	explorer_press(&e, "n");
	cr_expect(t->off_script == false && t->at == 1 && fabs(waits(t) - 9) < 0.2);
	explorer_end(&e);
}

/* Each stretch of the run takes three seconds, and n is what goes on to the next one. */
Test(talk_run, a_run_halts_at_its_pauses)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "n n n");
	cr_assert(eq(sz, t->at, 2));
	cr_expect(t->live.playhead_s == 0);
	tick(&e, 10000);
	tick(&e, 11500);
	cr_expect(fabs(t->live.playhead_s - 0.5e-3) < 1e-9);
	cr_expect(eq(int, tick(&e, 13000), -1));
	cr_expect(fabs(t->live.playhead_s - 1e-3) < 1e-12 && t->at == 2);
	explorer_press(&e, "n");
	tick(&e, 20000);
	cr_expect(eq(int, tick(&e, 23000), -1));
	double second_s = t->live.playhead_s;
	cr_expect(second_s > 1e-3 && second_s < t->live.figure.duration_s);
	explorer_press(&e, "n n");
	cr_expect(t->live.playhead_s == t->live.figure.duration_s && t->at == 2);
	explorer_press(&e, "n");
	cr_expect(eq(sz, t->at, 3));
	explorer_end(&e);
}

/* Behind a question nothing moves: its answer does. */
Test(talk_run, an_answer_begins_its_sweep)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "G");
	cr_expect(t->moves == TALK_STILL && t->at == 3);
	explorer_press(&e, "n");
	cr_expect(t->moves == TALK_SWEEPS && t->answered);
	cr_expect(fabs(waits(t) - 1) < 0.1); /* 0.5 / (1 - 0.5) */
	explorer_end(&e);
}

static void keep(void *text, const char *line)
{
	snprintf(text, 400, "%s", line);
}

/* What check says of a file with one step like this. */
static int checked(const char *fence, char said[400])
{
	char text[400], err[300];
	struct tables facts = load_tables();
	struct talk t;
	FILE *f = fopen(path, "w");
	said[0] = '\0';
	snprintf(text, sizeof text, "# T\n\n## One\n\n```sim %s\n```\n", fence);
	fputs(text, f);
	fclose(f);
	if (talk_open(&t, &facts, path, err, sizeof err)) {
		snprintf(said, 400, "%s", err);
		tables_release(&facts);
		return 1;
	}
	int found = (int)talk_check(&t, keep, said);
	talk_release(&t);
	tables_release(&facts);
	return found;
}

Test(talk_run, check_says_what_cannot_be_played)
{
	static const struct {
		const char *fence, *said;
	} rows[] = {
		{ "allreduce\npause: 3h", "3h" },
		{ "allreduce\npause: 100s", "outside the run" },
		{ "allreduce\npause: \"nobody says this\"", "nothing says" },
		{ "allreduce\npause: end\npause: 1ms", "does not come after" },
		{ "roofline\npause: 1s", "has no run" },
		{ "queueing\nsweep: utilisation 0.5", "2 to 12 values" },
		{ "queueing\nsweep: utilisation 0.5 0.6 3 each", "expected 0.1s to 60s each" },
		{ "queueing\nsweep: utilisation 0.5 7 0.6", "sweep: " },
		{ "queueing\nsweep: utilsation 0.5 0.6", "utilisation" },
		{ "queueing\nknob: utilsation", "utilisation" },
		{ "allreduce\nsweep: gpus 8 16\npause: end", "not both" },
	};
	char said[400];
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		cr_expect(checked(rows[i].fence, said) > 0, "%s", rows[i].fence);
		cr_expect(strstr(said, rows[i].said) != NULL, "%s: %s", rows[i].fence, said);
	}
	cr_expect(eq(int, checked("allreduce\npause: 1ms\npause: end", said), 0), "%s", said);
}

/* While nothing happens nothing wakes up, on the talk's screen or in its notes; with the clock shown it is
 * once a second. */
Test(talk_run, nothing_wakes_up_for_nothing)
{
	static const char *const places[] = { "present:queueing", "notes:queueing" };
	for (size_t i = 0; i < 2; i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		cr_assert(explorer_open(&e, places[i]));
		cr_expect(eq(int, tick(&e, 1000), -1), "%s", places[i]);
		explorer_end(&e);
	}
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, places[0]));
	e.app->now_ms = e.now_ms = 5000;
	explorer_press(&e, "t");
	cr_expect(eq(int, tick(&e, 5000), 1000));
	cr_expect(eq(int, tick(&e, 6200), 800));
	explorer_press(&e, "t");
	cr_expect(eq(int, tick(&e, 7000), -1));
	explorer_end(&e);
}

/* Votes count while a question stands: what was written before it was about something else. */
Test(talk_run, votes_come_from_a_file)
{
	char file[80], err[300];
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	struct present_wishes wishes = { .votes = NO_VOTES };
	snprintf(file, sizeof file, "%.60s.votes", path);
	FILE *f = fopen(file, "w");
	cr_assert(f && fputs("a\na\n", f) >= 0 && fflush(f) == 0);
	cr_assert(zero(int, votes_open(&wishes.votes, file, err, sizeof err)), "%s", err);
	present_wish(e.app, &wishes);
	cr_expect(eq(int, tick(&e, 1000), -1)); /* no question, nothing to wake up for */
	explorer_press(&e, "G");
	cr_expect(tick(&e, 2000) > 0);
	cr_expect(t->votes[0] == 0 && t->votes[1] == 0);
	cr_assert(fputs("b\na\nB\n", f) >= 0 && fflush(f) == 0);
	tick(&e, 2500);
	cr_expect(t->votes[0] == 1 && t->votes[1] == 2);
	explorer_press(&e, "n");
	cr_assert(fputs("b\n", f) >= 0 && fflush(f) == 0);
	tick(&e, 3000);
	cr_expect(t->votes[1] == 2);
	fclose(f);
	remove(file);
	explorer_end(&e);
}

/* Who is alone types a number for the value that the question is about. 0.6 / (1 - 0.6) is 1.5. */
Test(talk_run, a_guess_is_compared)
{
	char said[200];
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, "Type what \"mean wait\" will be, and see"));
	explorer_press(&e, "3 z Enter");
	cr_expect(t->answered == false && e.app->entry.error[0] != '\0');
	explorer_press(&e, "Backspace Enter");
	cr_expect(t->answered && t->guessed && t->guess == 3);
	cr_expect(zero(int, (int)strlen(talk_guessed(t, said, sizeof said)))); /* it still moves */
	explorer_press(&e, "n");
	cr_expect(eq(str, talk_guessed(t, said, sizeof said),
		"You said 3. On the screen: mean wait 1.5, and you said 2 times as much."));
	cr_expect(explorer_shows(&e, "You said 3."));
	explorer_press(&e, "p 1 . 5 Enter n");
	cr_expect(eq(str, talk_guessed(t, said, sizeof said),
		"You said 1.5. On the screen: mean wait 1.5, as you said."));
	explorer_end(&e);
}

/* Alone it goes through sweeps, pauses, questions and answers, and begins anew. */
Test(talk_run, goes_on_by_itself)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	struct present_wishes wishes = { .automatic = true, .votes = NO_VOTES };
	size_t seen = 0, last = 0;
	bool answered = false;
	int64_t now_ms = 1000;
	present_wish(e.app, &wishes);
	while (now_ms < 200000 && seen < 4) {
		int wait_ms = tick(&e, now_ms);
		cr_assert(wait_ms >= 0);
		now_ms += wait_ms ? wait_ms : 1;
		seen += t->at != last;
		last = t->at;
		answered |= t->answered;
	}
	/* Four steps of 30 s, as the file says nothing else, and back at the first. */
	cr_expect(answered && t->at == 0);
	cr_expect(now_ms > 115000 && now_ms < 125000, "%d s", (int)(now_ms / 1000));
	explorer_end(&e);
}

Test(talk_run, another_length_is_shared_by_the_steps)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	struct present_wishes wishes = { .seconds = 240, .votes = NO_VOTES };
	present_wish(e.app, &wishes);
	cr_expect(t->tour.seconds == 240 && t->tour.steps[3].seconds == 60);
	cr_expect(explorer_shows(&e, "0:00 of 4:00"));
	explorer_end(&e);
}

/* A recording has a screen for each value, as long as the file says. */
Test(talk_run, is_recorded_as_it_moves)
{
	char *text = NULL;
	size_t size;
	int swept = 0;
	struct explorer e = begin();
	FILE *f = open_memstream(&text, &size);
	cr_assert(zero(int, talk_record(e.app, CAST_V3, BACKGROUND_DARK, f)));
	fclose(f);
	for (const char *at = text; (at = strstr(at, "\n[2.000, \"o\"")); at++)
		swept++;
	cr_expect(eq(int, swept, 2)); /* to 0.8 and to 0.9 */
	free(text);
	explorer_end(&e);
}

/* Votes by mistake go again, the last one first, and none that a key did not give; b is one while a question stands, and else a blank screen, which
 * any key ends, also one that does nothing. */
Test(talk_run, a_vote_is_taken_back_and_any_key_ends_a_blank_screen)
{
	struct explorer e = begin();
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "b");
	cr_expect(explorer_shows(&e, "present") == false);
	explorer_press(&e, "x");
	cr_expect(explorer_shows(&e, "present"));
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, "blank") == false);
	explorer_press(&e, "a b b u");
	cr_expect(eq(uint, t->votes[0], 1));
	cr_expect(eq(uint, t->votes[1], 1));
	cr_expect(explorer_shows(&e, "A vote for B is taken back."));
	explorer_press(&e, "u u");
	cr_expect(eq(uint, t->votes[0] + t->votes[1], 0));
	explorer_press(&e, "u");
	cr_expect(eq(uint, t->votes[0] + t->votes[1], 0));
	cr_expect(explorer_shows(&e, "No vote by key is left"));
	explorer_press(&e, "n");
	cr_expect(explorer_shows(&e, "n next") == false, "it is the last step");
	explorer_end(&e);
}
