/* Reading in the explorer: the way back and forward, links to headings, bookmarks, what is left. */
#include "sims/registry/registry.h"
#include "tests/explorer.h"
#include "sims/formulas/formula.h"
#include "ui/live/live_knobs.h"
#include "ui/pages/page_place.h"
#include "ui/screens/page/page_view.h"
#include "ui/screens/sim/sim_screen.h"
#include "ui/shell/bindings.h"
#include "ui/term/paragraph.h"

#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the explorer is there: the screen, and what it shows. */
static bool at_page(const struct explorer *e, const char *id, long scroll)
{
	return e->app->screen == SCREEN_PAGE && strcmp(page_of(e->app)->id, id) == 0 &&
	       page_of(e->app)->scroll == scroll;
}

static bool at_sim(const struct explorer *e, const char *id)
{
	return e->app->screen == SCREEN_SIM && strcmp(sim_of(e->app)->sim->id, id) == 0;
}

Test(app_reading, goes_back_and_forward_through_pages_simulations_and_drills)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "PgDn PgDn j j j");
	long gpu = page_of(e.app)->scroll;
	cr_assert(lt(long, 0, gpu));
	cr_assert(explorer_open(&e, "sim:memory batch=8"));
	const int first = sim_of(e.app)->focus;
	explorer_press(&e, "j j");
	const int focus = sim_of(e.app)->focus;
	cr_assert(focus != first);
	cr_assert(explorer_open(&e, "page:serving"));
	explorer_press(&e, "PgDn");
	long serving = page_of(e.app)->scroll;
	cr_assert(explorer_open(&e, "drill:memory"));

	explorer_press(&e, "Esc");
	cr_expect(at_page(&e, "serving", serving));
	explorer_press(&e, "Esc");
	cr_expect(at_sim(&e, "memory") && sim_of(e.app)->focus == focus);
	explorer_press(&e, "Esc");
	cr_expect(at_page(&e, "gpu", gpu));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_HOME));
	explorer_press(&e, "Esc Esc"); /* nothing before the first */

	explorer_press(&e, "f");
	cr_expect(at_page(&e, "gpu", gpu));
	explorer_press(&e, "f");
	cr_expect(at_sim(&e, "memory") && sim_of(e.app)->focus == focus);
	char setting[512];
	live_setting(sim_of(e.app), setting, sizeof setting);
	cr_expect(strstr(setting, "batch=8") != NULL, "%s", setting);
	explorer_press(&e, "f");
	cr_expect(at_page(&e, "serving", serving));
	explorer_press(&e, "f");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_DRILL));
	explorer_press(&e, "Esc f Esc"); /* and it can be done again */
	cr_expect(at_page(&e, "serving", serving));
	explorer_end(&e);
}

Test(app_reading, a_new_way_forgets_what_lay_ahead)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	cr_assert(explorer_open(&e, "page:serving"));
	explorer_press(&e, "Esc");
	cr_assert(explorer_open(&e, "sim:roofline"));
	explorer_press(&e, "f");
	cr_expect(at_sim(&e, "roofline"));
	cr_expect(explorer_shows(&e, "Nothing lies ahead"));
	/* The home screen by its key is a step as well. */
	explorer_press(&e, "~ Esc");
	cr_expect(at_sim(&e, "roofline"));
	explorer_press(&e, "f");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(app_reading, remembers_more_steps_than_it_has_room_for, .description = "long")
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (int i = 0; i < MAX_TRAIL + 9; i++)
		cr_assert(explorer_open(&e, i % 2 ? "page:gpu" : "sim:roofline"));
	for (int i = 0; i < MAX_TRAIL; i++) { /* the way back is the newest part of it */
		explorer_press(&e, "Esc");
		cr_expect(eq(int, (int)e.app->screen, i % 2 ? SCREEN_SIM : SCREEN_PAGE), "%d", i);
	}
	for (int i = 0; i < MAX_TRAIL; i++)
		explorer_press(&e, "f");
	cr_expect(at_sim(&e, "roofline"));
	explorer_end(&e);
}

Test(app_reading, jumps_in_a_page_are_steps)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "PgDn");
	long here = page_of(e.app)->scroll;
	explorer_press(&e, "t G k k Enter");
	long there = page_of(e.app)->scroll;
	cr_expect(lt(long, here, there));
	explorer_press(&e, "Esc");
	cr_expect(at_page(&e, "gpu", here));
	explorer_press(&e, "f");
	cr_expect(at_page(&e, "gpu", there));
	explorer_end(&e);
}

Test(app_reading, links_lead_to_headings_and_say_when_one_is_gone)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	const struct page *p = &page_of(e.app)->page;
	cr_assert(lt(sz, 4, p->n_headings));
	for (size_t i = 1; i < 4; i++) {
		char target[256];
		long line = (long)p->headings[i].line;
		snprintf(target, sizeof target, "page:gpu#%s", p->headings[i].anchor);
		cr_assert(explorer_open(&e, target));
		cr_expect(eq(long, page_of(e.app)->scroll, line), "%s", target);
		cr_expect(not(explorer_shows(&e, "no heading")));
	}
	cr_assert(explorer_open(&e, "page:gpu#no-such-heading"));
	cr_expect(zero(long, page_of(e.app)->scroll));
	char err[256];
	cr_assert(zero(int, app_open_target(e.app, "page:gpu#nor-this-one", err, sizeof err)));
	cr_expect(explorer_shows(&e, "no heading \"#nor-this-one\""));
	explorer_end(&e);
}

/* The way back leads to the same words, though the window was made narrow meanwhile. */
Test(app_reading, comes_back_to_the_same_words_in_another_window)
{
	struct explorer e = explorer_start(24, 120, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "t j j Enter");
	cr_assert(explorer_open(&e, "sim:roofline"));
	app_resize(e.app, 24, 50);
	app_settle(e.app);
	explorer_press(&e, "Esc");
	cr_expect(eq(long, page_of(e.app)->scroll, (long)page_of(e.app)->page.headings[2].line));
	explorer_end(&e);
}

#define FIRST_PAGE "chapters/00-overview.md"

enum { PATH = 512 };

/* The first chapter in a folder of one's own: a list of links. */
static void write_links(const char *folder, int links)
{
	char path[PATH];
	snprintf(path, sizeof path, "%s/" FIRST_PAGE, folder);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fprintf(f, "# Links\n\n");
	for (int i = 0; i < links; i++)
		fprintf(f, "- [simulation %d](sim:roofline)\n", i);
	fclose(f);
}

/* What was in focus may be gone when one comes back. */
Test(app_reading, comes_back_to_a_page_that_lost_its_links)
{
	enum { LINKS = 12 };
	char folder[] = "/tmp/ridge-links-XXXXXX", path[PATH];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(path, sizeof path, "%s/chapters", folder);
	cr_assert(zero(int, mkdir(path, 0700)));
	setenv("RIDGE_CONTENT", folder, 1);
	write_links(folder, LINKS);
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:overview"));
	for (int i = 0; i < LINKS; i++)
		explorer_press(&e, "Tab");
	cr_assert(eq(int, page_of(e.app)->focus, LINKS - 1));
	explorer_press(&e, "Enter");
	cr_assert(at_sim(&e, "roofline"));
	write_links(folder, 1);
	explorer_press(&e, "Esc Tab");
	cr_expect(at_page(&e, "overview", 0));
	cr_expect(zero(int, page_of(e.app)->focus));
	explorer_end(&e);
	snprintf(path, sizeof path, "%s/" FIRST_PAGE, folder);
	unlink(path);
	snprintf(path, sizeof path, "%s/chapters", folder);
	rmdir(path);
	rmdir(folder);
}

/* Marks in the margin of the page. */
static int marks(const struct explorer *e)
{
	struct canvas cv = explorer_draw(e);
	struct rect body = frame_layout(cv.rows, cv.cols).body;
	int col = text_column(body, 76).col - 1, n = 0;
	for (int row = 0; row < cv.rows; row++)
		n += cv.cells[row * cv.cols + col].code == 0x258c;
	canvas_release(&cv);
	return n;
}

Test(app_reading, sets_lists_follows_and_clears_bookmarks)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, "v");
	cr_expect(explorer_shows(&e, "No bookmarks yet"));
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "t j j Enter B");
	cr_expect(explorer_shows(&e, "Bookmark set"));
	cr_expect(eq(int, marks(&e), 1));
	const char *heading = page_of(e.app)->page.headings[2].text;
	cr_expect(eq(str, e.app->progress->bookmarks[0].text, (char *)heading));
	long here = page_of(e.app)->scroll;
	cr_assert(explorer_open(&e, "page:serving"));
	explorer_press(&e, "G B");
	long end = page_of(e.app)->scroll;
	cr_expect(eq(sz, e.app->progress->n_bookmarks, 2));

	explorer_press(&e, "~ v");
	cr_expect(explorer_shows(&e, "bookmarks:"));
	const struct palette *list = &e.app->palette;
	cr_assert(eq(sz, list->n_matches, 2)); /* and nothing else is in the list */
	cr_expect(eq(sz, list->n_entries, 2));
	char place[256];
	snprintf(place, sizeof place, "The GPU and the roofline › %s", list->entries[0].about);
	cr_expect(eq(str, (char *)list->entries[0].name, place));
	cr_expect(strncmp(list->entries[1].name, "Serving › ", 12) == 0);
	explorer_press(&e, "Enter");
	cr_expect(at_page(&e, "gpu", here));
	explorer_press(&e, "v Down Enter");
	cr_expect(at_page(&e, "serving", end));
	explorer_press(&e, "B"); /* here it is set: away with it */
	cr_expect(eq(sz, e.app->progress->n_bookmarks, 1));
	cr_expect(zero(int, marks(&e)));

	/* Another window: the mark is at its words, and B finds it there. */
	app_resize(e.app, 30, 44);
	app_settle(e.app);
	explorer_press(&e, "v Enter");
	cr_expect(eq(long, page_of(e.app)->scroll, (long)page_of(e.app)->page.headings[2].line));
	explorer_press(&e, "B");
	cr_expect(zero(sz, e.app->progress->n_bookmarks));
	explorer_end(&e);
}

Test(app_reading, bookmarks_are_found_by_their_words_and_bounded)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	for (int i = 0; i < MAX_BOOKMARKS; i++)
		explorer_press(&e, "B j");
	cr_expect(eq(sz, e.app->progress->n_bookmarks, MAX_BOOKMARKS));
	explorer_press(&e, "B");
	cr_expect(explorer_shows(&e, "64 bookmarks already"));
	explorer_press(&e, "v");
	size_t all = e.app->palette.n_matches;
	explorer_type(&e, "roofline");
	cr_expect(0 < e.app->palette.n_matches && e.app->palette.n_matches <= all);
	explorer_press(&e, "Esc Esc");
	/* The palette that has everything has them too. */
	explorer_press(&e, ":");
	explorer_type(&e, e.app->progress->bookmarks[0].text);
	cr_expect(explorer_shows(&e, "bookmark"));
	/* A page that no longer exists has no bookmarks to follow. */
	explorer_press(&e, "Esc");
	strcpy(e.app->progress->bookmarks[0].page, "gone");
	explorer_press(&e, "v");
	cr_expect(eq(sz, e.app->palette.n_matches, MAX_BOOKMARKS - 1));
	explorer_end(&e);
}

/* 0: none is told. */
static long minutes_left(const struct explorer *e, long most)
{
	char told[32];
	for (long n = most + 1; n > 0; n--) {
		snprintf(told, sizeof told, ", %ld min left", n);
		if (explorer_shows(e, told))
			return n;
	}
	return 0;
}

Test(app_reading, tells_how_much_is_left)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	const struct page_info *info = page_list_find(&e.app->pages, "gpu");
	long before = page_minutes(info, false);
	cr_expect(lt(long, 0, minutes_left(&e, before)));
	for (int i = 0; i < 60; i++) {
		long minutes = minutes_left(&e, before);
		cr_expect(le(long, minutes, before));
		before = minutes;
		explorer_press(&e, "PgDn");
	}
	cr_expect(zero(long, before));
	cr_expect(explorer_shows(&e, "100 %"));
	explorer_end(&e);
}

/* As over the page of a dictionary; nobody reads all of it. */
Test(app_reading, the_glossary_is_headed_by_the_words_in_sight)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:glossary"));
	cr_expect(explorer_shows(&e, "1F1B – "));
	cr_expect(not(explorer_shows(&e, "min left")));
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, " – Zig-zag"));
	explorer_end(&e);
}

/* The sheet begins with its subjects, and each of these with an index: no entry begins there, but all formulas are
 * entries. A narrow window has the place alone. */
Test(app_reading, the_formulas_say_where_one_is_among_all)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	char text[64];
	cr_assert(explorer_open(&e, "page:formulas"));
	snprintf(text, sizeof text, "%zu entries", n_formulas);
	cr_expect(explorer_shows(&e, text));
	explorer_press(&e, "PgDn PgDn");
	snprintf(text, sizeof text, "%zu entries · Scaling", n_formulas);
	cr_expect(explorer_shows(&e, text));
	app_resize(e.app, 20, 60);
	explorer_press(&e, "G");
	snprintf(text, sizeof text, "%zu of %zu", n_formulas, n_formulas);
	cr_expect(explorer_shows(&e, text));
	explorer_end(&e);
}

/* An hour over a list of formulas is none of reading: it has no end, and no share of it is known. */
Test(app_reading, what_is_looked_up_is_not_counted_as_read)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:formulas"));
	for (int i = 0; i < 60; i++)
		page_reading_tick(e.app, 1000 + i * 60000);
	cr_expect(eq(u64, progress_parts(e.app->progress, "formulas"), 0));
	cr_assert(explorer_open(&e, "page:gpu"));
	for (int i = 0; i < 60; i++)
		page_reading_tick(e.app, 3600000 + i * 60000);
	cr_expect(ne(u64, progress_parts(e.app->progress, "gpu"), 0));
	explorer_end(&e);
}

/* --- figures ---------------------------------------------------------------------------- */

Test(app_reading, a_figure_with_a_run_begins_where_its_page_says_and_plays)
{
	struct explorer e = explorer_start(40, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:distributed"));
	struct live *s = &page_of(e.app)->figures[0];
	cr_assert(eq(str, (char *)s->sim->id, "allreduce"));
	cr_expect(epsilon_eq(dbl, s->playhead_s, 0.03, 1e-12)); /* at=30ms */
	explorer_press(&e, "Space"); /* outside of a figure a page down */
	cr_expect(lt(long, 0, page_of(e.app)->scroll));
	cr_expect(not(s->playing));
	explorer_press(&e, "g");
	for (int i = 0; i < 20 && page_view_figure(page_of(e.app)) != s; i++)
		explorer_press(&e, "Tab");
	cr_assert(page_view_figure(page_of(e.app)) == s);
	explorer_press(&e, ".");
	/* to four digits of the run, or fewer */
	cr_expect(epsilon_eq(dbl, s->playhead_s, 0.03 + 0.02 * s->figure.duration_s,
		s->figure.duration_s / 2000));
	long scroll = page_of(e.app)->scroll;
	explorer_press(&e, "Space");
	cr_expect(s->playing && page_of(e.app)->scroll == scroll);
	double before_s = s->playhead_s;
	app_tick(e.app, 1000);
	cr_expect(eq(int, app_tick(e.app, 1050), 50));
	cr_expect(lt(dbl, before_s, s->playhead_s));
	explorer_press(&e, "Space");
	/* No frame any more: it wakes once, when what is in sight counts as read. */
	const int next_ms = app_tick(e.app, 1100);
	cr_expect(next_ms < 0 || next_ms > 1000, "%d", next_ms);
	explorer_end(&e);
}

Test(app_reading, a_moment_outside_of_the_run_is_refused)
{
	static const struct {
		const char *setting, *why;
	} rows[] = {
		{ "allreduce at=9s", "at: 9s is outside the run of " },
		{ "allreduce at=-1s", "at: -1s is outside the run of " },
		{ "roofline at=1s", "at: 1s is outside the run of 0 s" },
	};
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char err[256] = "";
		cr_expect(eq(int, app_open_target(e.app, rows[i].setting, err, sizeof err), -1));
		cr_expect(zero(int, strncmp(err, rows[i].why, strlen(rows[i].why))), "%s", err);
	}
	explorer_end(&e);
}

static bool always_due(const struct app *app)
{
	return app != NULL;
}

/* Where its time is up, a first frame has the text, and neither numbers nor figures; they come after it, and
 * then all is as it is where there was time. */
Test(app_reading, a_first_frame_that_is_due_waits_for_no_number)
{
	static const char *const places[] = { "page:tips", "page:numbers", "page:formulas" };
	static const char *const openings[] = { "What to type,", "A number is known",
		"searches this page" };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct explorer slow = explorer_start(24, 80, GLYPHS_BRAILLE);
		struct explorer quick = explorer_start(24, 80, GLYPHS_BRAILLE);
		quick.app->hurried = true;
		quick.app->due = always_due;
		cr_assert(explorer_open(&slow, places[i]) && explorer_open(&quick, places[i]));
		cr_expect(eq(sz, page_seen(quick.app)->n_figures, 0));
		cr_expect(eq(sz, page_seen(quick.app)->n_results, 0));
		char *want = explorer_text(&slow), *first = explorer_text(&quick);
		/* The text begins, and what is not worked out does not. */
		cr_expect(strstr(first, openings[i]) != NULL, "%s", places[i]);
		cr_expect(page_seen(slow.app)->n_results > 0 ||
				  page_seen(quick.app)->page.n_lines <
					  page_seen(slow.app)->page.n_lines,
			"%s", places[i]);
		free(first);
		quick.app->hurried = false;
		app_work(quick.app);
		app_settle(quick.app);
		first = explorer_text(&quick);
		cr_expect(eq(str, first, want), "%s", places[i]);
		free(first);
		free(want);
		explorer_end(&slow);
		explorer_end(&quick);
	}
}

static bool always_on(void *context, double share)
{
	return context == NULL && share >= 0;
}

/* A simulation that is opened while somebody waits begins with a first look, which is drawn at any size,
 * also where nothing of it is quick; then it is what it is where nobody waits. The slow ones look first. */
Test(app_reading, a_first_look_becomes_the_whole)
{
	static const int sizes[][2] = { { 12, 40 }, { 24, 80 }, { 48, 160 } };
	for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
		for (size_t i = 0; i < n_sims; i++) {
			struct explorer slow =
				explorer_start(sizes[k][0], sizes[k][1], GLYPHS_BRAILLE);
			struct explorer quick =
				explorer_start(sizes[k][0], sizes[k][1], GLYPHS_BRAILLE);
			quick.app->go_on = always_on;
			char place[64];
			snprintf(place, sizeof place, "sim:%s", sims[i]->id);
			cr_assert(explorer_open(&slow, place) && explorer_open(&quick, place));
			cr_expect(sim_of(quick.app)->unfinished == sims[i]->slow, "%s", place);
			char *want = explorer_text(&slow), *first = explorer_text(&quick);
			/* In a narrow window the title is cut. */
			cr_expect(k == 0 || strstr(first, sims[i]->title), "%s", place);
			free(first);
			app_work(quick.app);
			app_settle(quick.app);
			char *last = explorer_text(&quick);
			cr_expect(eq(str, last, want), "%s", place);
			free(last);
			free(want);
			explorer_end(&slow);
			explorer_end(&quick);
		}
}

/* What the first frame shows is what it shows at last, but for how much is left below; all the rest is
 * there after it. Profiling has five figures, none of them on the first screen. */
Test(app_reading, a_first_frame_does_not_wait_for_what_is_below)
{
	struct explorer slow = explorer_start(24, 80, GLYPHS_BRAILLE);
	struct explorer quick = explorer_start(24, 80, GLYPHS_BRAILLE);
	quick.app->hurried = true;
	cr_assert(
		explorer_open(&slow, "page:profiling") && explorer_open(&quick, "page:profiling"));
	cr_expect(page_seen(slow.app)->n_figures > 0);
	cr_expect(eq(sz, page_seen(quick.app)->n_figures, 0));
	cr_expect(quick.app->works);
	char *want = explorer_text(&slow), *first = explorer_text(&quick);
	cr_expect(eq(str, strchr(first, '\n'), strchr(want, '\n')));
	free(first);
	quick.app->hurried = false;
	app_work(quick.app);
	app_settle(quick.app);
	char *last = explorer_text(&quick);
	cr_expect(eq(str, last, want));
	cr_expect(eq(sz, page_seen(quick.app)->n_figures, page_seen(slow.app)->n_figures));
	cr_expect(eq(sz, page_seen(quick.app)->page.n_lines, page_seen(slow.app)->page.n_lines));
	free(last);
	free(want);
	explorer_end(&slow);
	explorer_end(&quick);
}

/* Keys that turn a figure are told, and do so, as long as it is on the screen. */
Test(app_reading, a_figure_that_is_scrolled_away_has_no_keys)
{
	struct explorer e = explorer_start(40, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:kernels"));
	explorer_press(&e, "i");
	cr_assert(page_seen(e.app)->inside);
	explorer_press(&e, "G");
	cr_expect(not(page_seen(e.app)->inside));
	explorer_press(&e, "g i");
	cr_expect(page_seen(e.app)->inside);
	explorer_end(&e);
}

/* In the text and beside it: i goes into the figure that is seen, then into the next ones, whole in sight. */
Test(app_reading, i_goes_from_figure_to_figure)
{
	static const int sizes[][2] = { { 40, 100 }, { 48, 160 } };
	for (size_t k = 0; k < 2; k++) {
		struct explorer e = explorer_start(sizes[k][0], sizes[k][1], GLYPHS_LINES);
		cr_assert(explorer_open(&e, "page:kernels"));
		struct page_view *v = page_of(e.app);
		const size_t n = v->n_figures;
		cr_assert(lt(sz, 2, n));
		for (size_t i = 0; i < n; i++) {
			explorer_press(&e, "i");
			cr_assert(page_view_figure(v) == &v->figures[i], "%zu", i);
			const struct page_figure *f = &v->page.figures[i];
			const long row = (long)page_row_of(&v->page, f->line) - v->scroll;
			cr_expect(row >= 0 && row + f->rows <= page_view_rows(e.app), "%zu", i);
		}
		explorer_press(&e, "i");
		cr_expect(page_view_figure(v) == &v->figures[n - 1]);
		explorer_press(&e, "I");
		cr_expect(page_view_figure(v) == &v->figures[n - 2]);
		explorer_press(&e, "Esc G I");
		cr_expect(page_view_figure(v) == &v->figures[n - 1]);
		explorer_end(&e);
	}
}

/* The knobs of a figure in a page are in the mouse's reach as those of a simulation are. */
Test(app_reading, the_mouse_turns_the_knobs_of_a_figure)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:serving"));
	struct page_view *p = page_of(e.app);
	const struct rect body = { 2, 1, 21, 78 };
	cr_assert(lt(sz, 0, p->n_figures));
	struct live *s = &p->figures[0];
	p->scroll = (long)p->page.figures[0].line;
	struct rect knobs = page_view_knobs(p, body, 0);
	struct grip grip = { .held = false };
	int row = knobs.row, col = 0;
	/* the first track there */
	for (; row < knobs.row + knobs.rows && !grip.held; row++)
		for (col = knobs.col; col < knobs.col + knobs.cols && !grip.held; col++)
			live_track_in(knobs, 1, s, row, col, &grip);
	cr_assert(grip.held);
	row--;
	const struct knob *k = &s->sim->knobs[grip.knob];
	app_click(e.app, row, grip.col);
	app_drag(e.app, row, grip.col + grip.cols - 1);
	app_settle(e.app);
	cr_expect(page_view_figure(p) == s);
	cr_expect(eq(int, s->focus, grip.knob));
	cr_expect(eq(dbl, s->now.v[grip.knob], k->max));
	cr_expect(eq(sz, s->n_undo, 1));
	app_wheel(e.app, 1, row, grip.col);
	app_settle(e.app);
	cr_expect(lt(dbl, s->now.v[grip.knob], k->max));
	/* elsewhere it scrolls */
	long scroll = p->scroll;
	app_wheel(e.app, 1, knobs.row - 3, knobs.col);
	cr_expect(lt(long, scroll, p->scroll));
	explorer_end(&e);
}

/* In a window of 24 rows Tab leads to a figure whose knobs are seen with it: h and l turn what is on the
 * screen. Its body has 21 rows. */
Test(app_reading, a_figure_and_its_knobs_fit_a_small_window)
{
	static const char *const pages[] = { "page:overview", "page:pytorch", "page:distributed" };
	for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
		struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
		cr_assert(explorer_open(&e, pages[i]));
		const struct page *p = &page_seen(e.app)->page;
		cr_assert(lt(sz, 0, p->n_figures));
		for (size_t line = 0, rows = 0; line < p->n_lines; line++) {
			rows = p->lines[line].figure < 0 ? 0 : rows + 1;
			cr_expect(
				le(sz, rows, 21), "%s: a figure ends in line %zu", pages[i], line);
		}
		explorer_end(&e);
	}
}
