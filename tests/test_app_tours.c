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

/* A formula drawn over its parameters has no tour. */
static bool is_formula(const struct page_figure *f)
{
	static const char formula[] = "formula:";
	return strncmp(f->setting, formula, sizeof formula - 1) == 0;
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
			if (is_formula(&p->figures[k]))
				continue;
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
	const struct rect column = page_view_column(page_seen(e.app), body);
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

/* --- The palette --- */

static void type_and_enter(struct explorer *e, const char *typed)
{
	explorer_press(e, ":");
	entry_set(&e->app->palette.line, "");
	explorer_type(e, typed);
	explorer_press(e, "Enter");
}

/* "present ID" and "present TITLE" for each that there is. */
Test(app_tours, the_palette_presents_each_by_id_and_by_title)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	for (size_t i = 0; i < e.app->tours.n; i++) {
		const struct tour_info *t = &e.app->tours.tours[i];
		char typed[200];
		snprintf(typed, sizeof typed, "present %s", t->id);
		app_go_home(e.app);
		type_and_enter(&e, typed);
		cr_expect(eq(str, (char *)presented(&e), (char *)t->id));
		snprintf(typed, sizeof typed, "Present  %s", t->title);
		app_go_home(e.app);
		type_and_enter(&e, typed);
		cr_expect(eq(str, (char *)presented(&e), (char *)t->id));
	}
	explorer_end(&e);
}

/* Without a verb too, by words of the title; what a simulation is called leads to the simulation. */
Test(app_tours, the_palette_finds_talks_and_tours_by_their_words)
{
	static const struct {
		const char *typed, *kind, *id;
	} rows[] = {
		{ "gpu idle?", "talk", "why-is-my-gpu-idle" },
		{ "33 milli", "talk", "33-milliseconds" },
		{ "has no knee", "tour", "queueing" },
		{ "speculation spends", "tour", "speculative" },
	};
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		app_go_home(e.app);
		explorer_press(&e, ":");
		explorer_type(&e, rows[i].typed);
		const struct palette *p = &e.app->palette;
		cr_assert(p->n_matches > 0);
		cr_expect(eq(str, (char *)p->entries[p->matches[0]].kind, (char *)rows[i].kind));
		explorer_press(&e, "Enter");
		cr_expect(eq(str, (char *)presented(&e), (char *)rows[i].id));
	}
	type_and_enter(&e, "queueing");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_SIM));
	explorer_end(&e);
}

Test(app_tours, present_alone_is_the_key_p)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "roofline gpu=h100"));
	explorer_press(&e, "P");
	char by_key[200];
	snprintf(by_key, sizeof by_key, "%s", presented(&e));
	explorer_press(&e, "Esc");
	type_and_enter(&e, "present");
	cr_expect(strncmp(by_key, "@roofline ", 10) == 0, "%s", by_key);
	cr_expect(eq(str, (char *)presented(&e), by_key));
	/* Its tour stands next. */
	explorer_press(&e, "Esc :");
	explorer_type(&e, "present");
	explorer_press(&e, "Down Enter");
	cr_expect(eq(str, (char *)presented(&e), (char *)"roofline"));
	/* A setting, typed. */
	type_and_enter(&e, "present queueing utilisation=0.9");
	cr_expect(
		strncmp(presented(&e), "@queueing utilisation=0.9", 25) == 0, "%s", presented(&e));
	/* The figure of a page that the keys go to. */
	cr_assert(explorer_open(&e, "page:serving"));
	for (int i = 0; i < 100 && !app_live(e.app); i++)
		explorer_press(&e, "Tab");
	type_and_enter(&e, "present");
	cr_expect(strncmp(presented(&e), "@batching", 9) == 0, "%s", presented(&e));
	explorer_end(&e);
}

Test(app_tours, present_says_what_to_do_where_nothing_is_to_be_presented)
{
	static const char *const places[] = { "home", "page:serving", "stats", "drill" };
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		cr_assert(explorer_open(&e, places[i]));
		int screen = e.app->screen;
		explorer_press(&e, ":");
		explorer_type(&e, "present");
		cr_expect(explorer_shows(&e, "No simulation is on this screen: open one"));
		cr_expect(explorer_shows(&e, "Why is my GPU idle?")); /* to be chosen */
		explorer_press(&e, "Enter");
		cr_expect(eq(int, (int)e.app->screen, screen));
		cr_expect(explorer_shows(&e, "Open one and press P"));
		explorer_press(&e, ":");
		explorer_type(&e, "present");
		explorer_press(&e, "Down Enter");
		cr_expect(eq(str, (char *)presented(&e), (char *)e.app->tours.tours[0].id));
	}
	explorer_end(&e);
}

Test(app_tours, notes_and_names_that_no_list_has)
{
	struct explorer e = explorer_start(30, 90, GLYPHS_LINES);
	type_and_enter(&e, "notes no knee");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_NOTES));
	cr_expect(explorer_shows(&e, "notes › A queue has no knee"));
	/* In a talk its own notes come first. */
	cr_assert(explorer_open(&e, "present:serving-a-70b-model 2"));
	type_and_enter(&e, "notes");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_NOTES));
	cr_expect(explorer_shows(&e, "notes › Serving a 70B model"));
	app_go_home(e.app);
	type_and_enter(&e, "present queueingg");
	cr_expect(eq(int, (int)e.app->screen, SCREEN_HOME));
	cr_expect(explorer_shows(&e, "did you mean \"queueing\"?"));
	explorer_end(&e);
}

/* --- A simulation --- */

Test(app_tours, the_notes_of_a_simulation_name_its_tour)
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = explorer_start(200, 120, GLYPHS_LINES);
		char name[120];
		cr_assert(explorer_open(&e, sims[i]->id));
		explorer_press(&e, "s");
		snprintf(name, sizeof name, "• :present %s gives", sims[i]->id);
		cr_expect(explorer_shows(&e, name), "%s", name);
		explorer_end(&e);
	}
}

/* A number alone is a step of the talk, whatever else begins with it. */
Test(app_tours, a_number_is_a_step)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "present:why-is-my-gpu-idle"));
	static const char *const typed[] = { "7", "3", "10", "2" };
	static const char *const shown[] = { "7/18", "3/18", "10/18", "2/18" };
	for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
		explorer_press(&e, ":");
		explorer_type(&e, typed[i]);
		explorer_press(&e, "Enter");
		cr_expect(explorer_shows(&e, shown[i]), ":%s", typed[i]);
	}
	explorer_end(&e);
}
