/* Reading a chapter: what counts as read, and what comes after its last line. */
#include "tests/explorer.h"
#include "ui/pages/chapter_end.h"
#include "ui/pages/page_fold.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/screens/page/page_view.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static struct explorer open_chapter(int chapter)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_LINES);
	char name[16];
	snprintf(name, sizeof name, "%d", chapter);
	e.now_ms = 1000;
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	cr_assert(explorer_open(&e, name));
	app_tick(e.app, e.now_ms);
	return e;
}

/* So long with nothing done. Returns what app_tick says then. */
static int wait(struct explorer *e, int64_t ms)
{
	e->now_ms += ms;
	return app_tick(e->app, e->now_ms);
}

static double read_of(const struct explorer *e)
{
	return progress_of(e->app->progress, page_seen(e->app)->id);
}

Test(app_chapter, the_key_to_the_end_reads_nothing)
{
	struct explorer e = open_chapter(1);
	for (int i = 0; i < 40; i++) {
		explorer_press(&e, "G");
		wait(&e, 10);
		explorer_press(&e, "g");
		wait(&e, 10);
	}
	cr_expect(eq(dbl, read_of(&e), 0));
	explorer_end(&e);
}

Test(app_chapter, leafing_through_is_not_reading)
{
	struct explorer e = open_chapter(1);
	const struct page_info *page = page_list_find(&e.app->pages, page_seen(e.app)->id);
	double seconds = 0;
	while (page_seen(e.app)->scroll < page_view_last(e.app)) {
		wait(&e, 1000);
		explorer_press(&e, "Space");
		seconds += 1;
	}
	/* A fifth of the time that the page takes would be enough for all of it;
	 * hidden answers are not waited for. */
	const double shown = page_share_in_sight(&page_seen(e.app)->page);
	cr_expect(le(
		dbl, read_of(&e), seconds / (page_minutes(page, false) * 60 / 5.0 * shown) + 1e-9));
	cr_expect(not(progress_is_read(e.app->progress, page->id)));
	explorer_end(&e);
}

Test(app_chapter, what_is_in_sight_is_read_in_a_while_and_then_nothing_wakes)
{
	struct explorer e = open_chapter(1);
	int next_ms = wait(&e, 1);
	cr_assert(next_ms > 1000 && next_ms < 60000, "%d", next_ms);
	cr_expect(eq(dbl, read_of(&e), 0));
	cr_expect(eq(int, wait(&e, next_ms), -1));
	cr_expect(read_of(&e) > 0);
	cr_expect(eq(int, wait(&e, 3600000), -1), "an hour on one screen reads no other");
	cr_expect(lt(dbl, read_of(&e), 0.2));
	explorer_end(&e);
}

Test(app_chapter, time_on_another_screen_is_no_reading)
{
	struct explorer e = open_chapter(1);
	cr_assert(explorer_open(&e, "roofline"));
	wait(&e, 600000);
	explorer_press(&e, "Esc");
	cr_assert(eq(int, e.app->screen, SCREEN_PAGE));
	wait(&e, 10);
	cr_expect(eq(dbl, read_of(&e), 0));
	explorer_end(&e);
}

/* Reads it as somebody does, and goes on from its end by Space. */
Test(app_chapter, a_chapter_ends_in_problems_and_the_next_one)
{
	struct explorer e = open_chapter(2);
	while (page_seen(e.app)->scroll < page_view_last(e.app)) {
		wait(&e, 60000);
		explorer_press(&e, "Space");
		wait(&e, 0); /* as after every key: from now on it is this screen that is read */
	}
	wait(&e, 60000);
	cr_expect(progress_is_read(e.app->progress, page_seen(e.app)->id), "%g", read_of(&e));
	cr_expect(explorer_shows(&e, "Five problems on this chapter"));
	cr_expect(explorer_shows(&e, "chapter 3"));
	explorer_press(&e, "Space Enter");
	cr_assert(eq(int, e.app->screen, SCREEN_DRILL));
	const struct drill_session *s = &drill_of(e.app)->session;
	cr_assert(eq(sz, s->n, 5));
	for (size_t i = 0; i < s->n; i++)
		cr_expect(drill_is_of(s->items[i].variant.drill, "chapter-2"));
	for (int i = 0; i < 5; i++)
		explorer_press(&e, "Ctrl-G n");
	cr_expect(explorer_shows(&e, "chapter 3"));
	explorer_press(&e, "n");
	cr_assert(eq(int, e.app->screen, SCREEN_PAGE));
	cr_expect(eq(str, page_of(e.app)->id, "profiling"));
	explorer_end(&e);
}

Test(app_chapter, every_chapter_has_an_end_and_other_pages_have_none)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_LINES);
	const struct page_list *pages = &e.app->pages;
	for (size_t i = 0; i < pages->n; i++) {
		struct arena a = { 0 };
		size_t bytes = 5;
		const char *text =
			chapter_end_add("# One", &bytes, pages, &pages->pages[i], false, &a);
		const bool chapter = pages->pages[i].chapter >= 0;
		cr_expect(eq(int, strstr(text, "(drill:chapter-") != NULL, chapter), "%s",
			pages->pages[i].id);
		cr_expect(eq(sz, bytes, strlen(text)));
		arena_release(&a);
	}
	explorer_end(&e);
}
