/* The ways into tours and talks from elsewhere in the explorer: pages, the home screen, the palette, a
 * simulation. */
#include "sims/registry/registry.h"
#include "tests/explorer.h"
#include "ui/pages/page_env.h"
#include "ui/screens/page/page_view.h"
#include "ui/screens/present/present_screen.h"
#include "ui/shell/layout.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const char *presented(const struct explorer *e)
{
	return e->app->screen == SCREEN_PRESENT ? present_talk(e->app)->tour.id : "";
}

/* --- Pages --- */

static size_t links_to(const struct page *p, const char *target, const struct page_link **last)
{
	size_t n = 0;
	for (size_t i = 0; i < p->n_links; i++)
		if (strcmp(p->links[i].target, target) == 0) {
			*last = &p->links[i];
			n++;
		}
	return n;
}

/* The simulation of a figure in a page: the first word of its setting. */
static void tour_of(const struct page_figure *f, char *target, size_t size)
{
	snprintf(target, size, "present:%.*s", (int)strcspn(f->setting, " "), f->setting);
}

/* Under its first figure, once, however many figures of the simulation the page has. */
Test(app_tours, each_figure_of_a_page_leads_to_its_tour)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	for (size_t i = 0; i < e.app->pages.n; i++) {
		char place[80];
		snprintf(place, sizeof place, "page:%s", e.app->pages.pages[i].id);
		cr_assert(explorer_open(&e, place));
		const struct page *p = &page_of(e.app)->page;
		for (size_t k = 0; k < p->n_figures; k++) {
			const struct page_link *link = NULL;
			char target[80];
			bool first = true;
			tour_of(&p->figures[k], target, sizeof target);
			cr_expect(eq(sz, links_to(p, target, &link), 1), "%s: %s", place, target);
			for (size_t j = 0; j < k; j++) {
				char before[80];
				tour_of(&p->figures[j], before, sizeof before);
				first = first && strcmp(before, target) != 0;
			}
			size_t below = p->figures[k].line + (size_t)p->figures[k].rows;
			cr_expect(link && (!first || link->line == below), "%s: %s", place, target);
		}
	}
	explorer_end(&e);
}

Test(app_tours, a_page_leads_to_a_tour_by_key_and_by_mouse_and_back)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "page:serving"));
	const struct page_link *link = NULL;
	cr_assert(eq(sz, links_to(&page_of(e.app)->page, "present:batching", &link), 1));
	cr_expect(eq(str, (char *)link->text,
		(char *)"6 min tour: Batch at every step, not at every batch"));
	const int line = (int)link->line;
	struct page_item item = { .line = 0 };
	for (int i = 0; i < 100 && item.line != link->line; i++) {
		explorer_press(&e, "Tab");
		page_view_item(page_of(e.app), &item);
	}
	explorer_press(&e, "Enter");
	cr_expect(eq(str, (char *)presented(&e), (char *)"batching"));
	explorer_press(&e, "Esc Esc");
	cr_assert(eq(int, (int)e.app->screen, SCREEN_PAGE));

	const struct rect body = frame_layout(e.app->rows, e.app->cols).body;
	const struct rect column = page_view_column(body);
	const int row = column.row + line - (int)page_of(e.app)->scroll;
	cr_assert(row > column.row && row < column.row + column.rows);
	app_click(e.app, row, column.col - 1); /* beside the text */
	app_click(e.app, row, column.col + text_width(link->text));
	cr_expect(eq(int, (int)e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "t");
	app_click(e.app, row, column.col + 3); /* under the list of contents */
	cr_expect(eq(int, (int)e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "t");
	app_click(e.app, row, column.col + 3);
	app_settle(e.app);
	cr_expect(eq(str, (char *)presented(&e), (char *)"batching"));
	explorer_end(&e);
}

/* On paper the command stands in place of the link. */
Test(app_tours, a_printed_page_names_the_command)
{
	static const char text[] = "# T\n\n```sim queueing\n```\n\n```sim queueing\n```\n";
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	const struct page_env env = page_env_printing(app_tables(e.app));
	struct page p;
	char printed[200];
	size_t n = 0;
	cr_assert(zero(int, page_layout(&p, text, strlen(text), 80, &env)));
	for (size_t i = 0; i < p.n_lines; i++)
		for (size_t k = 0; k < p.lines[i].n_spans; k++)
			if (p.lines[i].spans[k].link >= 0 && ++n)
				snprintf(printed, sizeof printed, "%s", p.lines[i].spans[k].text);
	cr_expect(eq(sz, n, 1));
	cr_expect(eq(str, printed, (char *)"6 min tour: ridge present queueing"));
	page_release(&p);
	explorer_end(&e);
}
