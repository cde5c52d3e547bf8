/* Terms in the explorer: a key walks over them, Enter shows the entry and then the glossary, Esc
 * leaves the page as it was. */
#include "tests/explorer.h"
#include "ui/screens/page/page_view.h"
#include "ui/shell/bindings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const struct glossary_entry *focused(const struct explorer *e)
{
	const struct page_view *p = page_of(e->app);
	cr_assert(p->term.focus > 0 && (size_t)p->term.focus <= p->page.n_terms);
	return &page_shelf(e->app)->glossary.entries[p->page.terms[p->term.focus - 1].entry];
}

static struct explorer reading(int rows, int cols, enum glyphs glyphs, const char *page)
{
	struct explorer e = explorer_start(rows, cols, glyphs);
	char target[80];
	snprintf(target, sizeof target, "page:%s", page);
	cr_assert(explorer_open(&e, target));
	return e;
}

/* Cells of a style and attributes that are on the screen. */
static int count_cells(const struct explorer *e, int style, unsigned attr)
{
	struct canvas cv = explorer_draw(e);
	int n = 0;
	for (int i = 0; i < cv.rows * cv.cols; i++)
		n += (style < 0 || cv.cells[i].style == style) && (cv.cells[i].attr & attr) == attr;
	canvas_release(&cv);
	return n;
}

/* "streaming multiprocessors" are the first words of the page that the glossary has: 25 cells. */
Test(glossary_pane, key_walks_over_the_terms)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	cr_expect(zero(int, page_of(e.app)->term.focus));
	explorer_press(&e, "w");
	cr_expect(eq(str, (char *)focused(&e)->name, "SM"));
	cr_expect(eq(int, count_cells(&e, STYLE_ACCENT, ATTR_BOLD | ATTR_DOTTED), 25));
	cr_expect(explorer_shows(&e, "SM. Enter: what it means."));
	explorer_press(&e, "w");
	cr_expect(ne(str, (char *)focused(&e)->name, "SM"));
	explorer_press(&e, "W");
	cr_expect(eq(str, (char *)focused(&e)->name, "SM"));
	explorer_press(&e, "W");
	cr_expect(eq(str, (char *)focused(&e)->name, "SM"));
	cr_expect(explorer_shows(&e, "No earlier word"));
	explorer_end(&e);
}

Test(glossary_pane, enter_shows_the_entry_and_escape_the_page_as_it_was)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w w");
	const struct glossary_entry *entry = focused(&e);
	explorer_press(&e, "Ctrl-L"); /* the message goes */
	char *before = explorer_text(&e);
	explorer_press(&e, "Enter");
	cr_expect(page_of(e.app)->term.open);
	cr_expect(explorer_shows(&e, entry->name));
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "Esc");
	char *after = explorer_text(&e);
	cr_expect(eq(str, after, before));
	free(before);
	free(after);
	explorer_press(&e, "Esc");
	cr_expect(zero(int, page_of(e.app)->term.focus));
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(glossary_pane, entry_has_its_other_names_and_live_numbers)
{
	struct explorer e = reading(40, 100, GLYPHS_LINES, "gpu");
	while (!page_of(e.app)->term.focus ||
		strcmp(focused(&e)->name, "Arithmetic intensity") != 0)
		explorer_press(&e, "w");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Arithmetic intensity (also operational intensity). FLOPs"));
	/* 4,096 / 3, as the page itself has it */
	cr_expect(explorer_shows(&e, "1,365 FLOP/B."));
	explorer_end(&e);
}

Test(glossary_pane, second_enter_goes_to_the_glossary_and_escape_returns)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "PgDn w");
	long scroll = page_of(e.app)->scroll;
	const char *name = focused(&e)->name;
	explorer_press(&e, "Enter Enter");
	cr_expect(eq(str, page_of(e.app)->id, "glossary"));
	size_t at = (size_t)page_of(e.app)->scroll;
	cr_expect(eq(str, (char *)page_of(e.app)->page.lines[at].spans[0].text, (char *)name));
	explorer_press(&e, "Esc");
	cr_expect(eq(str, page_of(e.app)->id, "gpu"));
	cr_expect(eq(long, page_of(e.app)->scroll, scroll));
	explorer_end(&e);
}

Test(glossary_pane, next_term_is_shown_while_the_entry_is_open)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w Enter w");
	cr_expect(page_of(e.app)->term.open);
	cr_expect(explorer_shows(&e, "FP32 (also single precision)."));
	explorer_end(&e);
}

Test(glossary_pane, tab_and_figures_have_a_focus_of_their_own)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w Enter Tab");
	cr_expect(zero(int, page_of(e.app)->term.focus));
	cr_expect(not(page_of(e.app)->term.open));
	cr_expect(ge(int, page_of(e.app)->focus, 0));
	while (!page_of(e.app)->inside)
		explorer_press(&e, "Tab");
	explorer_press(&e, "w");
	cr_expect(not(page_of(e.app)->inside));
	cr_expect(eq(int, page_of(e.app)->focus, -1));
	cr_expect(page_of(e.app)->term.focus > 0);
	explorer_end(&e);
}

/* From a part of the page that the focus is not in, a step leads into the part that is seen. */
Test(glossary_pane, walk_begins_where_the_reader_is)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w PgDn PgDn PgDn PgDn w");
	long at = (long)page_of(e.app)->page.terms[page_of(e.app)->term.focus - 1].line;
	cr_expect(at >= page_of(e.app)->scroll && at < page_of(e.app)->scroll + 24);
	explorer_press(&e, "g W");
	cr_expect(le(long, page_of(e.app)->scroll, 1));
	explorer_end(&e);
}

Test(glossary_pane, glossary_and_formulas_mark_nothing)
{
	static const char *const pages[] = { "glossary", "formulas" };
	for (size_t i = 0; i < 2; i++) {
		struct explorer e = reading(24, 80, GLYPHS_LINES, pages[i]);
		cr_expect(zero(sz, page_of(e.app)->page.n_terms), "%s", pages[i]);
		explorer_press(&e, "w");
		cr_expect(explorer_shows(&e, "explains no word of this page"), "%s", pages[i]);
		cr_expect(not(explorer_shows(&e, "w words")), "%s", pages[i]);
		explorer_end(&e);
	}
}

/* The pane never covers the word that it explains, and shows the entry's first line, whatever the
 * window and wherever on the page. */
Test(glossary_pane, every_entry_opens_beside_its_word, .description = "long", .timeout = 120)
{
	static const struct {
		int rows, cols;
		enum glyphs glyphs;
	} sizes[] = { { 12, 40, GLYPHS_LINES }, { 24, 80, GLYPHS_ASCII },
		{ 60, 200, GLYPHS_LINES } };
	struct explorer list = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t k = 0; k < 3 * list.app->pages.n; k++) {
		const char *page = list.app->pages.pages[k / 3].id;
		struct explorer e =
			reading(sizes[k % 3].rows, sizes[k % 3].cols, sizes[k % 3].glyphs, page);
		for (size_t i = 0; i < page_of(e.app)->page.n_terms; i++) {
			explorer_press(&e, "w");
			cr_expect(eq(int, page_of(e.app)->term.focus, (int)i + 1), "%s", page);
			if (i == 0)
				explorer_press(&e, "Enter");
			cr_expect(count_cells(&e, STYLE_ACCENT, ATTR_BOLD | ATTR_DOTTED) > 0,
				"%s: %s is covered", page, focused(&e)->name);
			cr_expect(explorer_shows(&e, focused(&e)->name), "%s: %s", page,
				focused(&e)->name);
		}
		explorer_end(&e);
	}
	explorer_end(&list);
}

Test(glossary_pane, entry_longer_than_the_window_scrolls)
{
	struct explorer e = reading(12, 40, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w Enter");
	cr_assert(ge(sz, page_of(e.app)->term.entry.n_lines, 6));
	long scroll = page_of(e.app)->scroll;
	char *before = explorer_text(&e);
	explorer_press(&e, "j");
	char *after = explorer_text(&e);
	cr_expect(strcmp(before, after) != 0);
	cr_expect(eq(long, page_of(e.app)->scroll, scroll));
	for (int i = 0; i < 40; i++)
		explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "See the GPU."));
	free(before);
	free(after);
	explorer_end(&e);
}

Test(glossary_pane, entry_follows_a_resize)
{
	struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
	explorer_press(&e, "w Enter");
	app_resize(e.app, 14, 44);
	app_settle(e.app);
	cr_expect(page_of(e.app)->term.open);
	cr_expect(le(int, page_of(e.app)->term.entry.width, page_of(e.app)->page.width));
	cr_expect(explorer_shows(&e, "SM (also streaming"));
	app_resize(e.app, 60, 200);
	app_settle(e.app);
	cr_expect(explorer_shows(&e, "SM (also streaming multiprocessor)."));
	explorer_end(&e);
}

/* An author mends the glossary: the page that is open is marked anew at the next key. */
Test(glossary_pane, changed_glossary_is_read_anew)
{
	char folder[] = "/tmp/ridge-terms-XXXXXX", path[128], sub[128];
	cr_assert(mkdtemp(folder) != NULL);
	snprintf(sub, sizeof sub, "mkdir -p %s/reference", folder);
	cr_assert(zero(int, system(sub)));
	snprintf(path, sizeof path, "%s/reference/glossary.md", folder);
	for (int i = 0; i < 2; i++) {
		FILE *f = fopen(path, "w");
		cr_assert(f != NULL);
		fprintf(f, "# Glossary\n\n### %s\n\nA word.\n", i ? "Warp and more" : "Memory");
		fclose(f);
		if (i == 0)
			setenv("RIDGE_CONTENT", folder, 1);
		struct explorer e = reading(24, 80, GLYPHS_LINES, "gpu");
		cr_expect(eq(sz, page_of(e.app)->page.n_terms, i ? 0 : 1));
		f = fopen(path, "w");
		fprintf(f, "# Glossary\n\n### Warp\n\nA word.\n\n### SM\n\nAnother, and more.\n");
		fclose(f);
		explorer_press(&e, "j");
		cr_expect(eq(sz, page_of(e.app)->page.n_terms, 2));
		explorer_end(&e);
	}
	unsetenv("RIDGE_CONTENT");
	remove(path);
	snprintf(path, sizeof path, "%s/reference", folder);
	remove(path);
	remove(folder);
}

/* The row of the screen that begins with a word, at a column; -1: there is none. */
static int row_of_word(const struct explorer *e, const char *word)
{
	char *text = explorer_text(e);
	int row = 0, found = -1;
	for (const char *at = text; *at && found < 0; row++) {
		const char *from = at + strspn(at, " ");
		if (strncmp(from, word, strlen(word)) == 0)
			found = row;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	free(text);
	return found;
}

/* From 100 columns on the words stand beside their entries, also those whose entries are further on, and a click
 * on one goes there. */
Test(glossary_pane, words_stand_beside_their_entries_where_there_is_room)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:glossary"));
	const int row = row_of_word(&e, "Arithmetic intensity");
	cr_assert(lt(int, 0, row));
	app_click(e.app, row, 3);
	app_settle(e.app);
	cr_expect(explorer_shows(&e, "Arithmetic intensity – "), "clicked row %d", row);
	explorer_end(&e);
	e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:glossary"));
	cr_expect(eq(int, row_of_word(&e, "Arithmetic intensity"), -1));
	explorer_end(&e);
}
