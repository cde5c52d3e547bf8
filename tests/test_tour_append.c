/* A talk made by clicking through it, and a recording of what happens. */
#include "tests/explorer.h"
#include "tests/settings.h"
#include "ui/commands/commands.h"
#include "ui/screens/present/present_screen.h"
#include "ui/shell/recorder.h"
#include "ui/talks/talk_check.h"
#include "ui/talks/tour_append.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], file[128];

static void own_folder(void)
{
	strcpy(folder, "/tmp/ridge-mine-XXXXXX");
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	snprintf(file, sizeof file, "%s/ridge/tours/mine.md", folder);
}

static void no_folder(void)
{
	char path[100];
	unlink(file);
	snprintf(path, sizeof path, "%s/ridge/tours", folder);
	rmdir(path);
	snprintf(path, sizeof path, "%s/ridge", folder);
	rmdir(path);
	rmdir(folder);
}

TestSuite(tour_append, .init = own_folder, .fini = no_folder);

static void expect_file(const char *text)
{
	char got[2000] = "";
	FILE *f = fopen(file, "r");
	cr_assert(f != NULL, "%s", file);
	got[fread(got, 1, sizeof got - 1, f)] = '\0';
	fclose(f);
	cr_expect(eq(str, got, (char *)text));
}

static struct explorer begin(const char *place)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	e.app->keep_step = tour_append;
	cr_assert(explorer_open(&e, place));
	return e;
}

/* What a step does not say it has from the one before, so only what was turned since is written. */
Test(tour_append, what_is_on_the_screen_becomes_a_step)
{
	struct explorer e = begin("sim:roofline gpu=h100");
	explorer_press(&e, "A");
	explorer_type(&e, "Left of the ridge");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Step 1 of"));
	cr_expect(explorer_shows(&e, "ridge present mine gives it"));
	cr_assert(explorer_open(&e, "sim:roofline gpu=a100 batch=128"));
	explorer_press(&e, "A");
	explorer_type(&e, "An A100 again");
	explorer_press(&e, "Enter");
	explorer_end(&e);
	struct tables facts = load_tables();
	struct talk t;
	char err[300];
	cr_assert(zero(int, talk_open(&t, &facts, file, err, sizeof err)), "%s", err);
	cr_assert(eq(sz, t.tour.n, 2));
	cr_expect(eq(str, (char *)t.tour.steps[0].target, "roofline gpu=h100"));
	cr_expect(eq(str, (char *)t.tour.steps[1].target, "roofline gpu=a100 batch=128"));
	cr_expect(eq(str, (char *)t.tour.steps[1].caption, "An A100 again"));
	talk_release(&t);
	tables_release(&facts);
}

/* A run that stands somewhere halts there in the talk. */
Test(tour_append, a_playhead_becomes_a_pause)
{
	struct explorer e = begin("sim:allreduce at=40ms");
	explorer_press(&e, "A");
	explorer_type(&e, "On its way");
	explorer_press(&e, "Enter");
	explorer_end(&e);
	expect_file(
		"# My talk\n\n## On its way\n\n```sim allreduce\nshow: chunks\npause: 40ms\n```\n");
}

/* Esc, and a caption without a letter, add nothing. */
Test(tour_append, nothing_is_added_without_a_caption)
{
	struct explorer e = begin("sim:roofline");
	explorer_press(&e, "A");
	explorer_type(&e, "half");
	explorer_press(&e, "Esc A Enter");
	cr_expect(access(file, F_OK) != 0);
	explorer_end(&e);
}

/* A file of the user's that is no tour stays as it is. */
Test(tour_append, what_is_no_tour_is_not_touched)
{
	static const char own[] = "## No title\n\nMy words.\n";
	struct explorer e = begin("sim:roofline");
	char path[100];
	snprintf(path, sizeof path, "%s/ridge", folder);
	mkdir(path, 0700);
	snprintf(path, sizeof path, "%s/ridge/tours", folder);
	mkdir(path, 0700);
	FILE *f = fopen(file, "w");
	cr_assert(f && fputs(own, f) >= 0 && fclose(f) == 0);
	explorer_press(&e, "A");
	explorer_type(&e, "Mine");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "no title") && explorer_shows(&e, "nothing was added"));
	expect_file(own);
	explorer_end(&e);
}

/* Off the script of a talk the setting that was turned to is kept. */
Test(tour_append, from_a_talk)
{
	struct explorer e = begin("present:queueing");
	const struct talk *t = present_talk(e.app);
	explorer_press(&e, "l A");
	explorer_type(&e, "Somebody asked");
	explorer_press(&e, "Enter");
	cr_expect(t->off_script);
	explorer_end(&e);
	struct tables facts = load_tables();
	struct talk mine;
	char err[300];
	cr_assert(zero(int, talk_open(&mine, &facts, file, err, sizeof err)), "%s", err);
	cr_expect(strncmp(mine.tour.steps[0].target, "queueing utilisation=0.7", 24) == 0, "%s",
		mine.tour.steps[0].target);
	cr_expect(eq(str, (char *)mine.tour.steps[0].show, "wait"));
	talk_release(&mine);
	tables_release(&facts);
}

/* Tours of one's own stand in the list, also one that cannot be read. */
Test(tour_append, own_tours_are_listed)
{
	struct explorer e = begin("sim:roofline");
	char *text = NULL, *argv[] = { "present" }, path[160], ids[4][TOUR_ID_BYTES];
	size_t size;
	explorer_press(&e, "A");
	explorer_type(&e, "Mine");
	explorer_press(&e, "Enter");
	snprintf(path, sizeof path, "%s/ridge/tours/broken.md", folder);
	FILE *f = fopen(path, "w");
	cr_assert(f && fputs("# Only a title\n", f) >= 0 && fclose(f) == 0);
	cr_expect(eq(sz, talk_list_own(ids, 4), 2));
	cr_expect(strcmp(ids[0], "broken") == 0 && strcmp(ids[1], "mine") == 0);
	FILE *out = open_memstream(&text, &size);
	cr_expect(zero(int, command_run(1, argv, &(struct streams){ stdin, out, out })));
	fclose(out);
	const char *own = strstr(text, "Your own");
	cr_assert(own != NULL, "%s", text);
	cr_expect(strstr(own, "broken: no step") || strstr(own, "no step"), "%s", own);
	cr_expect(strstr(own, "  My talk   1 min  mine") != NULL, "%s", own);
	unlink(path);
	free(text);
	explorer_end(&e);
}

/* --- What happens --- */

static void frame(struct explorer *e, struct recorder *r, int64_t now_ms)
{
	struct canvas cv;
	recorder_switch(r, e->app, BACKGROUND_DARK, now_ms);
	cr_assert(zero(int, canvas_init(&cv, e->app->rows, e->app->cols, e->app->glyphs)));
	app_draw(e->app, &cv);
	recorder_frame(r, e->app, &cv, now_ms);
	canvas_release(&cv);
}

Test(tour_append, records_what_happens)
{
	struct explorer e = begin("present:queueing");
	struct recorder r = { .file = NULL };
	static char text[400000];
	char path[64];
	cr_assert(zero(int, chdir(folder)));
	frame(&e, &r, 500);
	cr_expect(r.file == NULL);
	explorer_press(&e, "R");
	frame(&e, &r, 1000);
	cr_expect(r.file != NULL && explorer_shows(&e, "rec"));
	explorer_press(&e, "n");
	frame(&e, &r, 3500);
	frame(&e, &r, 4000); /* nothing changed: nothing is written */
	explorer_press(&e, "R");
	frame(&e, &r, 6000);
	cr_expect(r.file == NULL && explorer_shows(&e, "0:05"));
	strcpy(path, r.path);
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL, "%s", path);
	text[fread(text, 1, sizeof text - 1, f)] = '\0';
	fclose(f);
	unlink(path);
	cr_expect(strncmp(text, "{\"version\": 2, \"width\": 100, \"height\": 30", 40) == 0);
	cr_expect(strstr(text, "\n[0.000, \"m\", \"One server") != NULL);
	cr_expect(strstr(text, "\n[2.500, \"m\", \"From 75 to 90") != NULL);
	cr_expect(strstr(text, "\n[3.000,") == NULL);
	cr_expect(strstr(text, "\n[5.000, \"o\", \"\"]\n") != NULL);
	explorer_end(&e);
}

/* Where no file can be made, the talk goes on and says so. */
Test(tour_append, a_recording_that_cannot_be_written)
{
	struct explorer e = begin("present:queueing");
	struct recorder r = { .file = NULL };
	char away[100];
	snprintf(away, sizeof away, "%s/away", folder);
	cr_assert(mkdir(away, 0700) == 0 && chdir(away) == 0 && rmdir(away) == 0);
	explorer_press(&e, "R");
	frame(&e, &r, 1000);
	cr_expect(r.file == NULL && e.app->records == false);
	cr_expect(explorer_shows(&e, "No such file"));
	explorer_end(&e);
}

/* The steps alone, to go to one. */
Test(tour_append, goes_to_a_step_by_its_caption)
{
	struct explorer e = begin("present:queueing");
	explorer_press(&e, "'");
	cr_expect(explorer_shows(&e, "8 in all"));
	explorer_type(&e, "Sixteen");
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, present_talk(e.app)->at, 4));
	explorer_end(&e);
}
