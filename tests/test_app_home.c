/* The home screen: whole titles at 80 columns, how far each page was read, reference pages. */
#include "tests/explorer.h"
#include "ui/screens/home/home.h"
#include "ui/screens/home/home_lead.h"
#include "ui/data/answers.h"
#include "ui/data/calendar_file.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <unistd.h>

Test(app_home_pages, shows_every_chapter_whole_in_eighty_columns)
{
	static const int sizes[][2] = { { 24, 80 }, { 30, 100 }, { 40, 119 }, { 40, 120 },
		{ 45, 160 } };
	for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		struct explorer e = explorer_start(sizes[s][0], sizes[s][1], GLYPHS_LINES);
		for (size_t i = 0; i < e.app->pages.n; i++) {
			const struct page_info *p = &e.app->pages.pages[i];
			char line[256];
			snprintf(line, sizeof line, "%2d %s", p->chapter, p->title);
			if (p->chapter < 0)
				continue;
			/* A low window scrolls to it. */
			home_of(e.app)->column = HOME_PAGES;
			home_of(e.app)->row[HOME_PAGES] = (int)i;
			app_settle(e.app);
			cr_expect(explorer_shows(&e, line), "%s at %d columns", line, sizes[s][1]);
		}
		explorer_end(&e);
	}
}

static int sims_shown(const struct explorer *e)
{
	int n = 0;
	for (size_t i = 0; i < n_sims; i++)
		n += explorer_shows(e, sims[i]->title);
	return n;
}

static int talks_shown(const struct explorer *e)
{
	int n = 0;
	for (size_t i = 0; i < e->app->tours.n_talks; i++)
		n += explorer_shows(e, e->app->tours.tours[i].title);
	return n;
}

Test(app_home_pages, gives_the_room_to_the_list_that_the_cursor_is_in)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_expect(explorer_shows(&e, "▸ Start here: chapter 0, "), "the cursor is on the lead");
	cr_expect(ge(int, sims_shown(&e), 4));
	cr_expect(explorer_shows(&e, "A mixed set"), "no list is a heading alone");
	cr_expect(ge(int, talks_shown(&e), 1));
	/* What an interview is prepared with is in sight from the first. */
	cr_expect(explorer_shows(&e, "Interview") && explorer_shows(&e, "Calendar"));
	cr_expect(explorer_shows(&e, "Design cases"));
	cr_expect(explorer_shows(&e, "Practice interview"));
	cr_expect(explorer_shows(&e, "Give an interview"));
	cr_expect(explorer_shows(&e, "Drill  ↓ "), "the count is of its own list");
	explorer_press(&e, "l");
	cr_expect(eq(int, home_of(e.app)->column, HOME_SIMS));
	cr_expect(explorer_shows(&e, "A mixed set"));
	/* The cursor is seen wherever it goes. */
	for (size_t i = 0; i < n_sims; i++) {
		char line[128];
		snprintf(line, sizeof line, "▸ %s", sims[i]->title);
		cr_expect(explorer_shows(&e, line), "%s", line);
		explorer_press(&e, "j");
	}
	cr_expect(eq(int, home_of(e.app)->column, HOME_DRILLS)); /* past the last: the drills */
	cr_expect(explorer_shows(&e, "▸ Calendar"));
	cr_expect(ge(int, sims_shown(&e), 3));
	/* Up from the top of a list is the lead. */
	explorer_press(&e, "Shift-Tab g k");
	cr_expect(eq(int, home_of(e.app)->column, HOME_LEAD));
	explorer_end(&e);
}

/* Each group stands above its own simulations, all of which are seen with what they show. */
Test(app_home_pages, shows_every_simulation_with_its_group_in_a_large_window)
{
	struct explorer e = explorer_start(60, 200, GLYPHS_LINES);
	char *text = explorer_text(&e), *at = text;
	size_t i = 0;
	for (size_t g = 0; g < n_sim_groups; g++) {
		at = strstr(at, sim_groups[g].title);
		cr_assert(ne(ptr, at, NULL), "%s", sim_groups[g].title);
		for (size_t k = 0; k < sim_groups[g].n; k++, i++) {
			char line[160], brief[160];
			snprintf(line, sizeof line, "%-22s%.40s", sims[i]->title, sims[i]->summary);
			snprintf(brief, sizeof brief, "%-22s%s", sims[i]->title, sim_briefs[i]);
			char *whole = strstr(at, line);
			at = whole ? whole : strstr(at, brief);
			cr_assert(ne(ptr, at, NULL), "%s", line);
		}
	}
	cr_expect(eq(sz, i, n_sims));
	free(text);
	explorer_end(&e);
}

Test(app_home_pages, is_a_place_as_any_other)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "roofline"));
	cr_assert(explorer_open(&e, "home"));
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	cr_expect(not(explorer_open(&e, "home now=1")));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_SIM));
	explorer_end(&e);
}

Test(app_home_pages, tells_time_progress_and_end)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	const struct page_info *p = e.app->pages.pages;
	char minutes[64], about[160];
	snprintf(minutes, sizeof minutes, "%d min", page_minutes(&p[0], false));
	snprintf(about, sizeof about, "about %d minutes to read", page_minutes(&p[0], false));
	cr_expect(explorer_shows(&e, minutes));
	explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, about));
	progress_seen(e.app->progress, p[0].id, 0.5);
	/* Half of it: half a bar, and half of the minutes, begun ones whole. */
	snprintf(about, sizeof about, "50 %% read, about %d of %d minutes left",
		(page_minutes(&p[0], false) + 1) / 2, page_minutes(&p[0], false));
	cr_expect(explorer_shows(&e, "━━━───"));
	cr_expect(explorer_shows(&e, about));
	snprintf(about, sizeof about, "Next: chapter 0, %s, %d of %d min left", p[0].title,
		(page_minutes(&p[0], false) + 1) / 2, page_minutes(&p[0], false));
	cr_expect(explorer_shows(&e, about));
	progress_seen(e.app->progress, p[0].id, 1);
	cr_expect(explorer_shows(&e, "✓ read"));
	snprintf(about, sizeof about, "Next: chapter 1, %s, %d min", p[1].title,
		page_minutes(&p[1], false));
	cr_expect(explorer_shows(&e, about));
	cr_expect(not(explorer_shows(&e, "min: Enter")), "Enter is for the entry in focus");
	explorer_press(&e, "k");
	cr_expect(explorer_shows(&e, "min: Enter"));
	app_resize(e.app, 24, 44); /* without the title where the line is too long */
	snprintf(about, sizeof about, "Next: chapter 1, %d min: Enter", page_minutes(&p[1], false));
	cr_expect(explorer_shows(&e, about));
	app_resize(e.app, 24, 80);
	explorer_press(&e, "Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_PAGE));
	cr_expect(explorer_shows(&e, p[1].title));
	explorer_press(&e, "Esc");
	for (size_t i = 0; i < e.app->pages.n; i++)
		if (p[i].chapter >= 0)
			progress_seen(e.app->progress, p[i].id, 1);
	cr_expect(explorer_shows(&e, "Every chapter is read"));
	explorer_end(&e);
}

/* How far into the screen's text something stands; -1: nowhere. */
static long place_of(const struct explorer *e, const char *part)
{
	char *text = explorer_text(e);
	const size_t n = strlen(text);
	long at = -1;
	for (size_t i = 0; at < 0 && i < n; i++)
		if (strncmp(text + i, part, strlen(part)) == 0)
			at = (long)i;
	free(text);
	return at;
}

static const struct content_file files[] = {
	{ "chapters/00-why.md", "# Why\n\nText.\n", 0 },
	{ "chapters/01-gpu.md", "# The GPU\n\nText.\n", 0 },
	{ "reference/errata.md", "# Errata\n\nText.\n", 0 },
	{ "reference/glossary.md", "# Glossary\n\nText.\n", 0 },
};

/* Reference pages stand below the chapters, under a heading that is not an entry itself. */
Test(app_home_pages, groups_reference_pages_below_the_chapters)
{
	struct explorer e = explorer_start(30, 80, GLYPHS_LINES);
	page_list_release(&e.app->pages);
	cr_assert(zero(int, page_list_init_from(&e.app->pages, files, 4)));
	long gpu = place_of(&e, "1 The GPU"), head = place_of(&e, "Look up");
	cr_expect(0 <= gpu && gpu < head && head < place_of(&e, "Errata"));
	explorer_press(&e, "j j j");
	cr_expect(explorer_shows(&e, "▸ Errata"));
	explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "▸ Glossary"));
	app_click(e.app, explorer_row_of(&e, "0 Why"), 6);
	cr_expect(eq(int, home_of(e.app)->row[HOME_PAGES], 0));
	app_click(e.app, explorer_row_of(&e, "Look up"), 6); /* the head */
	cr_expect(eq(int, home_of(e.app)->row[HOME_PAGES], 0));
	app_click(e.app, explorer_row_of(&e, "Errata"), 6);
	cr_expect(eq(int, home_of(e.app)->row[HOME_PAGES], 2));
	/* A chapter is next to be read, never a page to look things up in. */
	progress_seen(e.app->progress, "why", 1);
	progress_seen(e.app->progress, "gpu", 1);
	cr_expect(explorer_shows(&e, "Every chapter is read"));
	/* In a low window the list scrolls to them. */
	app_resize(e.app, 12, 60);
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, "▸ Glossary"));
	explorer_end(&e);
}

/* All chapters are there, so that what is below is said to be something else. */
Test(app_home_pages, names_the_group_that_is_below)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_expect(explorer_shows(&e, "Read  Look up ↓ "));
	app_resize(e.app, 24, 80);
	cr_expect(explorer_shows(&e, "Read  ↓ "));
	app_resize(e.app, 60, 160);
	cr_expect(not(explorer_shows(&e, "Look up ↓ ")));
	cr_expect(explorer_shows(&e, "Look up"));
	explorer_end(&e);
}

/* A list that is scrolled stands under the heading of what is in sight. */
Test(app_home_pages, a_scrolled_list_has_the_heading_of_its_entries)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_expect(explorer_shows(&e, "Interview"));
	home_of(e.app)->column = HOME_DRILLS;
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, "▸ Training"));
	cr_expect(explorer_shows(&e, "One topic"));
	cr_expect(not(explorer_shows(&e, "Interview")));
	home_of(e.app)->column = HOME_PAGES;
	for (int i = 0; i < home_chapters(e.app); i++)
		explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "Read"));
	explorer_press(&e, "G");
	cr_expect(explorer_shows(&e, "▸ Profiling: twenty-four tips"));
	cr_expect(explorer_shows(&e, "Look up"));
	cr_expect(not(explorer_shows(&e, "Read  ")));
	explorer_end(&e);
}

/* --- Talks --- */

Test(app_home_pages, lists_talks_where_the_next_step_keeps_its_place)
{
	static const struct {
		int rows, cols, least;
	} sizes[] = { { 24, 80, 1 }, { 32, 100, 3 }, { 40, 120, 6 }, { 48, 160, 6 },
		{ 60, 200, 6 } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct explorer e = explorer_start(sizes[i].rows, sizes[i].cols, GLYPHS_LINES);
		cr_expect(explorer_shows(&e, "▸ Start here: chapter 0, "), "size %zu", i);
		cr_expect(explorer_shows(&e, "10 Driving"), "size %zu", i);
		cr_expect(explorer_shows(&e, "Give a talk"), "size %zu", i);
		cr_expect(talks_shown(&e) >= sizes[i].least, "size %zu: %d", i, talks_shown(&e));
		explorer_end(&e);
	}
}

/* Down from the last page stands the first talk; there all of them are seen, and Enter opens one. */
Test(app_home_pages, goes_on_from_pages_to_talks_and_opens_one)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, "j G j");
	cr_assert(eq(int, home_of(e.app)->column, HOME_TALKS));
	cr_expect(eq(int, talks_shown(&e), (int)e.app->tours.n_talks));
	for (size_t i = 0; i < e.app->tours.n_talks; i++) {
		const struct tour_info *t = &e.app->tours.tours[i];
		char text[160];
		snprintf(text, sizeof text, "▸ %s", t->title);
		cr_expect(explorer_shows(&e, text), "%s", text);
		snprintf(text, sizeof text, "%d min", t->minutes);
		cr_expect(explorer_shows(&e, text), "%s", text);
		snprintf(text, sizeof text, "ridge present %s --notes", t->id);
		cr_expect(explorer_shows(&e, text), "%s", text);
		explorer_press(&e, "j");
	}
	cr_expect(eq(int, home_of(e.app)->column, HOME_TALKS)); /* nothing stands below */
	explorer_press(&e, "Enter");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_PRESENT));
	explorer_press(&e, "Esc Esc l");
	cr_expect(eq(int, home_of(e.app)->column, HOME_SIMS));
	explorer_press(&e, "h");
	cr_expect(eq(int, home_of(e.app)->column, HOME_PAGES));
	explorer_press(&e, "j k");
	cr_expect(eq(int, home_of(e.app)->column, HOME_PAGES));
	cr_expect(eq(int, home_of(e.app)->row[HOME_PAGES], (int)e.app->pages.n - 1));
	explorer_end(&e);
}

/* On 2026-11-21 at noon, with an interview on that date. */
static struct explorer before_interview(const char *date)
{
	char err[300] = "";
	cr_assert(zero(int, calendar_file_write(date, err, sizeof err)), "%s", err);
	struct explorer e = explorer_start(40, 120, GLYPHS_LINES);
	e.app->load_history = answers_load;
	e.app->epoch_s = 1795262400;
	for (int i = 0; i < 4; i++) {
		app_tick(e.app, i);
		app_settle(e.app);
	}
	return e;
}

/* Chapter 0 comes first, on the first day; an interview that is over, or further away than anybody plans,
 * is none. */
Test(app_home, says_what_the_calendar_has_for_today)
{
	static const struct {
		const char *date, *shows;
	} rows[] = { { "2026-12-07",
			     "Interview in 16 days. Today: chapters 0 and 1, problems on chapter" },
		{ "2026-11-22", "Interview in 1 day. Today: " }, { "2026-11-21", NULL },
		{ "2026-11-01", NULL }, { "2036-11-01", NULL } };
	char folder[] = "/tmp/ridge-home-XXXXXX", command[100];
	cr_assert(mkdtemp(folder) != NULL);
	setenv("XDG_DATA_HOME", folder, 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = before_interview(rows[i].date);
		char *text = explorer_text(&e);
		cr_expect(eq(int, strstr(text, "Interview in") != NULL, rows[i].shows != NULL),
			"%s:\n%s", rows[i].date, text);
		cr_expect(rows[i].shows == NULL || strstr(text, rows[i].shows) != NULL, "%s:\n%s",
			rows[i].date, text);
		free(text);
		explorer_end(&e);
	}
	snprintf(command, sizeof command, "rm -rf %s", folder);
	cr_expect(zero(int, system(command)));
}
