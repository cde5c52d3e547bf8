/* Folds of a page in the explorer: keys, the mouse, searches, links, and what counts as read. */
#include "tests/explorer.h"
#include "tests/page_heading.h"
#include "ui/pages/page_fold.h"
#include "ui/pages/page_place.h"
#include "ui/screens/page/page_view.h"
#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* Words of the first answer of the chapter on GPUs, and of its first worked problem. */
static const char answer[] = "arithmetic and memory take", closed[] = "▸ Answer: Enter opens it";
static const char explain[] = "page:gpu#what-to-be-able-to-explain";

/* The first fold below a heading. */
static long first_below(const struct explorer *e, const char *anchor)
{
	const struct page *p = &page_seen(e->app)->page;
	const struct page_heading *h = heading_of(p, anchor);
	cr_assert(h != NULL, "%s", anchor);
	for (size_t i = 0; i < p->n_folds; i++)
		if (p->folds[i].line > h->line)
			return (long)i;
	return -1;
}

/* Tab goes over all that stands between. */
static void tab_to_fold(struct explorer *e, const char *anchor)
{
	const long fold = first_below(e, anchor);
	cr_assert(le(long, 0, fold));
	for (int tabs = 0; tabs < 99; tabs++) {
		struct page_item item;
		explorer_press(e, "Tab");
		cr_assert(page_view_item(page_seen(e->app), &item));
		if (item.kind == ITEM_LINK &&
			fold_of_target(page_seen(e->app)->page.links[item.index].target) == fold)
			return;
	}
	cr_assert(false, "Tab does not come to the fold");
}

Test(app_folds, keys_open_and_close_an_answer)
{
	static const struct {
		int rows, cols;
		enum glyphs glyphs;
		const char *closed, *part;
	} sizes[] = { { 24, 80, GLYPHS_LINES, closed, answer },
		{ 48, 160, GLYPHS_BRAILLE, closed, answer },
		{ 24, 80, GLYPHS_ASCII, "> Answer: Enter opens it", "v FLOPs per byte" },
		{ 12, 40, GLYPHS_LINES, closed, "FLOPs per byte" } };
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct explorer e = explorer_start(sizes[i].rows, sizes[i].cols, sizes[i].glyphs);
		cr_assert(explorer_open(&e, explain));
		cr_expect(explorer_shows(&e, sizes[i].closed));
		cr_expect(not(explorer_shows(&e, sizes[i].part)));
		explorer_press(&e, "g");
		cr_assert(explorer_open(&e, explain));
		tab_to_fold(&e, "what-to-be-able-to-explain");
		explorer_press(&e, "Space");
		cr_expect(explorer_shows(&e, sizes[i].part), "size %zu", i);
		const int focus = page_of(e.app)->focus;
		explorer_press(&e, "Enter");
		cr_expect(not(explorer_shows(&e, sizes[i].part)));
		explorer_press(&e, "Enter");
		cr_expect(explorer_shows(&e, sizes[i].part));
		cr_expect(eq(int, page_of(e.app)->focus, focus));
		explorer_end(&e);
	}
}

static size_t count_open(const struct explorer *e)
{
	const struct page *p = &page_seen(e->app)->page;
	size_t n = 0;
	for (size_t i = 0; i < p->n_folds; i++)
		n += p->folds[i].open;
	return n;
}

Test(app_folds, one_key_opens_all_and_the_visit_keeps_them)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, explain));
	const size_t n = page_seen(e.app)->page.n_folds;
	cr_assert(lt(sz, 0, n));
	cr_expect(zero(sz, count_open(&e)));
	explorer_press(&e, "a");
	cr_expect(eq(sz, count_open(&e), n));
	cr_expect(explorer_shows(&e, "All answers of this page are open."));
	cr_assert(explorer_open(&e, "sim:roofline"));
	explorer_press(&e, "Esc");
	cr_expect(eq(sz, count_open(&e), n));
	cr_assert(explorer_open(&e, "page:serving")); /* another page has its own */
	cr_expect(zero(sz, count_open(&e)));
	explorer_press(&e, "Esc");
	cr_expect(eq(sz, count_open(&e), n));
	explorer_press(&e, "a");
	cr_expect(zero(sz, count_open(&e)));
	cr_assert(explorer_open(&e, "page:numbers"));
	if (!page_seen(e.app)->page.n_folds) {
		explorer_press(&e, "a");
		cr_expect(explorer_shows(&e, "Nothing on this page is folded."));
	}
	explorer_end(&e);
}

/* The line on top stays where it is when everything below the question is opened. */
Test(app_folds, opening_all_keeps_the_place)
{
	for (int cols = 40; cols <= 160; cols += 40) {
		struct explorer e = explorer_start(24, cols, GLYPHS_LINES);
		cr_assert(explorer_open(&e, "page:gpu#which-chain-to-fuse-first"));
		explorer_press(&e, "a");
		const struct page_view *v = page_seen(e.app);
		const size_t top = page_line_at(&v->page, (size_t)v->scroll);
		cr_expect(eq(str, (char *)v->page.lines[top].spans[0].text,
				  (char *)"Which chain to fuse first"),
			"%d columns", cols);
		explorer_end(&e);
	}
}

/* Backwards a walk begins with the last link on the screen: at the end of a chapter with the one that leads
 * on. */
Test(app_folds, a_walk_begins_at_the_near_end)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:overview"));
	explorer_press(&e, "G Shift-Tab");
	const struct page_view *v = page_seen(e.app);
	struct page_item items[MAX_PAGE_ITEMS];
	const size_t n = page_items(&v->page, items);
	cr_expect(eq(int, v->focus, (int)n - 1));
	explorer_press(&e, "Home Tab");
	cr_expect(eq(int, page_seen(e.app)->focus, 0));
	explorer_end(&e);
}

Test(app_folds, a_search_opens_what_it_finds)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, "/");
	explorer_type(&e, "it hides behind the bytes");
	explorer_press(&e, "Enter");
	cr_expect(eq(sz, count_open(&e), 1));
	cr_expect(explorer_shows(&e, "Check. The arithmetic alone"));
	explorer_end(&e);
}

Test(app_folds, a_click_opens_one)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, explain));
	const struct page_view *v = page_seen(e.app);
	const struct page_fold *f = &v->page.folds[v->page.n_folds - 1];
	const struct rect body = frame_layout(24, 80).body;
	const int row = body.row + (int)((long)f->line - v->scroll);
	app_click(e.app, row, page_view_column(page_seen(e.app), body).col + 6);
	app_settle(e.app);
	cr_expect(eq(sz, count_open(&e), 1));
	cr_expect(page_seen(e.app)->page.folds[v->page.n_folds - 1].open);
	explorer_end(&e);
}

static int parts_read(const struct explorer *e)
{
	return __builtin_popcountll(progress_parts(e->app->progress, page_seen(e->app)->id));
}

/* Looks at each screen of the page for an hour. */
static void read_all(struct explorer *e)
{
	enum { HOUR_MS = 3600 * 1000 };
	explorer_press(e, "g");
	for (long last = -1; last != page_seen(e->app)->scroll;) {
		last = page_seen(e->app)->scroll;
		page_reading_tick(e->app, e->now_ms += HOUR_MS);
		page_reading_tick(e->app, e->now_ms += HOUR_MS);
		explorer_press(e, "PgDn");
	}
}

Test(app_folds, hidden_text_is_neither_read_nor_asked_for)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, explain));
	page_reading_tick(e.app, e.now_ms += 1);
	page_reading_tick(e.app, e.now_ms += 3600 * 1000);
	const int some = parts_read(&e);
	cr_expect(lt(int, 0, some));
	explorer_press(&e, "a"); /* the same place: no part of the page is new */
	page_reading_tick(e.app, e.now_ms += 1);
	page_reading_tick(e.app, e.now_ms += 3600 * 1000);
	cr_expect(le(int, parts_read(&e), some));
	explorer_press(&e, "a");
	read_all(&e);
	cr_expect(zero(sz, count_open(&e)));
	cr_expect(eq(int, parts_read(&e), PROGRESS_PARTS));
	explorer_end(&e);
}
