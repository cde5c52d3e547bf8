/* Finding things in the explorer: search in a page, and the palette, which finds everything. */
#include "tests/explorer.h"
#include "tests/picture_words.h"
#include "ui/screens/drill/drill_state.h"
#include "ui/screens/page/page_view.h"
#include "ui/screens/sim/sim_screen.h"
#include "ui/shell/bindings.h"

#include "drills/bank.h"
#include "sims/formulas/formula.h"
#include "ui/data/bank_load.h"
#include "ui/data/options.h"
#include "sims/registry/registry.h"
#include "sims/registry/formula_sim.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- search ----------------------------------------------------------------------------- */

enum { LINES = 120 };
static const int zebras[] = { 20, 57, 90 };

/* The first page, in a folder of our own: paragraph i is "line i", with a zebra in three. */
static void write_page(const char *folder)
{
	char path[512];
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	snprintf(path, sizeof path, "%s/chapters", folder);
	cr_assert(zero(int, mkdir(path, 0700)));
	snprintf(path, sizeof path, "%s/%s", folder, pages.pages[0].file);
	FILE *f = fopen(path, "w");
	cr_assert(f != NULL);
	fprintf(f, "# Zoo\n\n");
	for (int i = 1; i <= LINES; i++) {
		bool zebra = i == zebras[0] || i == zebras[1] || i == zebras[2];
		fprintf(f, "%sline %d of the page%s\n\n", i % 40 ? "" : "## ", i,
			zebra ? ": a Zebra" : "");
	}
	fclose(f);
	page_list_release(&pages);
}

static void remove_page(const char *folder)
{
	char path[512];
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	snprintf(path, sizeof path, "%s/%s", folder, pages.pages[0].file);
	unlink(path);
	snprintf(path, sizeof path, "%s/chapters", folder);
	rmdir(path);
	rmdir(folder);
	page_list_release(&pages);
}

static bool shows_zebra(const struct explorer *e, int i)
{
	char line[64];
	snprintf(line, sizeof line, "line %d of the page: a Zebra", zebras[i]);
	return explorer_shows(e, line);
}

Test(app_find, search_walks_through_the_matches_both_ways_and_round)
{
	char folder[] = "/tmp/ridge-zoo-XXXXXX";
	cr_assert(mkdtemp(folder) != NULL);
	setenv("RIDGE_CONTENT", folder, 1);
	write_page(folder);
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, "Enter /");
	cr_expect(eq(int, e.app->entry.kind, ENTRY_SEARCH));
	explorer_type(&e, "zebra");
	explorer_press(&e, "Enter");
	cr_expect(shows_zebra(&e, 0) && !shows_zebra(&e, 1));
	explorer_press(&e, "n");
	cr_expect(shows_zebra(&e, 1) && !shows_zebra(&e, 0));
	explorer_press(&e, "n");
	cr_expect(shows_zebra(&e, 2));
	explorer_press(&e, "n");
	cr_expect(shows_zebra(&e, 0) && explorer_shows(&e, "round"));
	explorer_press(&e, "N");
	cr_expect(shows_zebra(&e, 2) && explorer_shows(&e, "round"));
	explorer_press(&e, "N");
	cr_expect(shows_zebra(&e, 1));
	cr_expect(explorer_shows(&e, "\"zebra\": match 2 of 3   n next: "));
	/* Esc is done with the search, and with the page only after that. */
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	cr_expect(shows_zebra(&e, 1) && !explorer_shows(&e, "match 2"));
	explorer_press(&e, "n");
	cr_expect(shows_zebra(&e, 1) && !explorer_shows(&e, "match"), "nothing is searched");
	explorer_press(&e, "/");
	explorer_type(&e, "okapi");
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "\"okapi\" is not in this page"));
	explorer_press(&e, "/ x Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	explorer_press(&e, "t");
	cr_expect(explorer_shows(&e, "Contents") && explorer_shows(&e, "line 80 of the page"));
	explorer_press(&e, "G Enter");
	cr_expect(explorer_shows(&e, "line 120 of the page"));
	explorer_end(&e);
	remove_page(folder);
}

/* "line 11" is in lines 11 and 110 to 119: the last of them are all in sight at the end of the page, where there is no
 * scrolling any more, and n takes one after the other all the same. */
Test(app_find, search_walks_through_the_matches_at_the_end_of_a_page)
{
	enum { MATCHES = 11 };
	char folder[] = "/tmp/ridge-zoo-XXXXXX", said[64];
	cr_assert(mkdtemp(folder) != NULL);
	setenv("RIDGE_CONTENT", folder, 1);
	write_page(folder);
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, "Enter /");
	explorer_type(&e, "line 11");
	explorer_press(&e, "Enter");
	for (int i = 1; i <= MATCHES; i++) {
		snprintf(said, sizeof said, "match %d of %d", i, MATCHES);
		cr_expect(explorer_shows(&e, said), "%s", said);
		explorer_press(&e, "n");
	}
	cr_expect(explorer_shows(&e, "round"));
	explorer_end(&e);
	remove_page(folder);
}

/* --- palette ---------------------------------------------------------------------------- */

/* All but the last letter at once: each one looks through all pages. */
static void look_for(struct explorer *e, const char *typed)
{
	struct entry *line = &e->app->palette.line;
	size_t n = strlen(typed) - 1;
	char first[sizeof line->text];
	cr_assert(lt(sz, n, sizeof first));
	memcpy(first, typed, n);
	first[n] = '\0';
	explorer_press(e, ":");
	entry_set(line, first);
	explorer_type(e, typed + n);
}

static void choose(struct explorer *e, const char *typed)
{
	look_for(e, typed);
	explorer_press(e, "Enter");
}

/* A knob is meant by its id before another is by its label: kvcache's lengths are labelled "requests", which is the id of
 * how many there are. Its label will do, or the only beginning, with or without a sign before the value. */
Test(app_find, palette_sets_a_knob_by_any_of_its_names)
{
	static const struct {
		const char *place, *typed, *set;
	} rows[] = { { "sim:kvcache", "requests=200", "requests 400 → 200" },
		{ "sim:parallelism", "micro-batches=64", "micro-batches 8 → 64" },
		{ "sim:parallelism", "network 50", "network per GPU 25 GB/s → 50 GB/s" },
		{ "sim:parallelism", "gpu h100", "GPU A100-80 SXM → H100 SXM" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = explorer_start(24, 100, GLYPHS_LINES);
		cr_assert(explorer_open(&e, rows[i].place));
		explorer_press(&e, ":");
		explorer_type(&e, rows[i].typed);
		cr_expect(explorer_shows(&e, rows[i].set), "%s", rows[i].typed);
		explorer_press(&e, "Enter :");
		explorer_type(&e, rows[i].typed);
		cr_expect(not(explorer_shows(&e, rows[i].set)), "%s is set", rows[i].typed);
		explorer_end(&e);
	}
}

/* The cursor moves in what was typed; the row in focus stays until a letter changes. */
Test(app_find, palette_line_is_edited_like_any_other)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, ":");
	explorer_type(&e, "sim:rofline");
	explorer_press(&e, "Home Down");
	cr_expect(eq(str, e.app->palette.line.text, "sim:rofline"));
	explorer_press(&e, "End Left Left Left Left o");
	cr_expect(eq(str, e.app->palette.line.text, "sim:rofoline"));
	explorer_press(&e, "Backspace Left o");
	cr_expect(eq(str, e.app->palette.line.text, "sim:roofline"));
	explorer_press(&e, "Enter");
	cr_expect(e.app->screen == SCREEN_SIM && sim_of(e.app)->sim == sim_find("roofline"));

	explorer_press(&e, ":");
	explorer_type(&e, "drill");
	explorer_press(&e, "Down Down");
	cr_expect(eq(sz, e.app->palette.row, 2));
	explorer_press(&e, "Left Home End");
	cr_expect(eq(sz, e.app->palette.row, 2));
	explorer_press(&e, "Backspace");
	cr_expect(eq(sz, e.app->palette.row, 0));
	explorer_end(&e);
}

static bool is_in_sight(const struct palette *p, const char *what)
{
	for (size_t i = 0; i < p->n_matches && i < PALETTE_SHOWN; i++) {
		const struct palette_entry *e = &p->entries[p->matches[i]];
		if (strcmp(e->id, what) == 0 || strcmp(e->name, what) == 0)
			return true;
	}
	return false;
}

/* Of several words a name may have some and what is behind it the others; of three, two are enough where no name
 * has them all. */
Test(app_find, palette_finds_what_several_words_are_about, .description = "long")
{
	static const struct {
		const char *typed, *targets[3];
	} rows[] = {
		{ "kv cache size", { "sim:kvcache", "formula:kv_cache_bytes", NULL } },
		{ "how do I compute kv cache size", { "sim:kvcache", "formula:kv_cache_bytes" } },
		{ "checkpoint interval",
			{ "formula:young_interval", "drill:goodput-interval", NULL } },
	};
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		look_for(&e, rows[i].typed);
		for (size_t k = 0; k < 3 && rows[i].targets[k]; k++)
			cr_expect(is_in_sight(&e.app->palette, rows[i].targets[k]), "%s: no %s",
				rows[i].typed, rows[i].targets[k]);
		explorer_press(&e, "Esc");
	}
	explorer_end(&e);
}

/* "place" begins the word that home has for it. */
Test(app_find, place_is_the_placement)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	choose(&e, "place");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(int, drill_of(e.app)->session.mode, MODE_PLACEMENT));
	explorer_end(&e);
}

Test(app_find, palette_finds_pages_and_simulations_by_id_and_by_title, .description = "long")
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t i = 0; i < 2 * e.app->pages.n; i++) {
		const struct page_info *p = &e.app->pages.pages[i / 2];
		choose(&e, i % 2 ? p->title : p->id);
		bool shared =
			sim_find(p->id) != NULL; /* the simulation of that name is meant as well */
		cr_expect(shared || (e.app->screen == SCREEN_PAGE &&
					    strcmp(page_of(e.app)->id, p->id) == 0),
			"%s led to %s", i % 2 ? p->title : p->id, page_of(e.app)->id);
		explorer_press(&e, "~");
	}
	for (size_t i = 0; i < 2 * n_sims; i++) {
		const struct sim *s = sims[i / 2];
		choose(&e, i % 2 ? s->title : s->id);
		const struct page_info *p = page_list_find(&e.app->pages, s->id);
		bool page =
			p && e.app->screen == SCREEN_PAGE && strcmp(page_of(e.app)->id, p->id) == 0;
		cr_expect(page || (e.app->screen == SCREEN_SIM && sim_of(e.app)->sim == s), "%s",
			s->id);
		explorer_press(&e, "~");
	}
	explorer_end(&e);
}

Test(app_find, palette_finds_every_formula_by_id, .description = "long")
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t i = 0; i < n_formulas; i++) {
		choose(&e, formulas[i].id);
		cr_expect(e.app->screen == SCREEN_SIM &&
				  sim_of(e.app)->sim == formula_sim_find(formulas[i].id),
			"%s", formulas[i].id);
		explorer_press(&e, "~");
	}
	explorer_end(&e);
}

Test(app_find, palette_finds_every_topic_and_drill_by_id, .description = "long")
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	struct drill_bank bank = { 0 };
	char err[256];
	const char *topics[32];
	cr_assert(zero(int, bank_load(&bank, app_tables(e.app), err, sizeof err)), "%s", err);
	size_t n = bank_topics(&bank, topics, 32);
	for (size_t i = 0; i < bank.n + n; i++) {
		char id[128];
		snprintf(id, sizeof id, "drill:%s",
			i < bank.n ? bank.drills[i].id : topics[i - bank.n]);
		choose(&e, id);
		cr_assert(eq(int, e.app->screen, SCREEN_DRILL), "%s: %s", id, e.app->message);
		const struct drill *d = drill_of(e.app)->session.items[0].variant.drill;
		cr_expect(strcmp(d->id, id + 6) == 0 || strcmp(d->topic, id + 6) == 0 ||
				  strcmp(d->skill, id + 6) == 0,
			"%s led to %s", id, d->id);
		explorer_press(&e, "Esc");
	}
	bank_release(&bank);
	explorer_end(&e);
}

/* A chain is listed by its ends, and leads to its lowest problem. */
Test(app_find, palette_finds_every_chain)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	struct drill_bank bank = { 0 };
	char err[256], id[128];
	const char *chains[MOST_CHAINS];
	cr_assert(zero(int, bank_load(&bank, app_tables(e.app), err, sizeof err)), "%s", err);
	size_t n = bank_chains(&bank, chains, MOST_CHAINS);
	for (size_t i = 0; i < n; i++) {
		const struct drill *d[MOST_CHAIN];
		snprintf(id, sizeof id, "drill:%s", chains[i]);
		cr_assert(lt(sz, 0, bank_chain(&bank, chains[i], d)));
		choose(&e, id);
		cr_assert(eq(int, e.app->screen, SCREEN_DRILL), "%s: %s", id, e.app->message);
		cr_expect(eq(str, (char *)drill_of(e.app)->session.items[0].variant.drill->id,
			(char *)d[0]->id));
		explorer_press(&e, "Esc");
	}
	bank_release(&bank);
	explorer_end(&e);
}

/* After the names, though more than ten titles, simulations and formulas have the word. */
Test(app_find, palette_shows_what_the_pages_say)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	const struct palette *p = &e.app->palette;
	explorer_press(&e, ":");
	explorer_type(&e, "traffic");
	cr_expect(eq(sz, p->n_entries, p->n_names + 10));
	cr_assert(lt(sz, 0, p->n_matches));
	cr_expect(eq(sz, p->matches[p->n_matches - 1], p->n_entries - 1));
	explorer_end(&e);
}

/* What was typed is bold where it stands in names, and the rest of them is not. */
Test(app_find, palette_shows_what_matched)
{
	static const char title[] = "Who fits into memory is decided by the cache";
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	explorer_press(&e, ":");
	explorer_type(&e, "kv cache size");
	struct canvas cv = explorer_draw(&e);
	const int first = cell_of(&cv, title);
	cr_assert(le(int, 0, first));
	const struct cell *at = &cv.cells[first];
	for (size_t i = 0; i < sizeof title - 1; i++)
		cr_expect(
			eq(int, (at[i].attr & ATTR_BOLD) != 0, i >= sizeof title - sizeof "cache"),
			"column %zu", i);
	canvas_release(&cv);
	explorer_end(&e);
}

/* What each simulation shows stands beside its title in a line of its own, and is not cut there. */
Test(app_find, palette_says_what_each_simulation_shows)
{
	struct explorer e = explorer_start(24, 120, GLYPHS_LINES);
	for (size_t i = 0; i < n_sims; i++) {
		char word[64], line[128];
		snprintf(word, sizeof word, "sim:%s", sims[i]->id);
		snprintf(line, sizeof line, "%s  ", sim_briefs[i]);
		look_for(&e, word);
		cr_expect(explorer_shows(&e, line), "%s", line);
		cr_expect(le(sz, strlen(sim_briefs[i]), 42), "%s", line);
		explorer_press(&e, "Esc");
	}
	explorer_end(&e);
}

Test(app_find, palette_does_every_action_that_has_a_help_text)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	choose(&e, "mouse on or off");
	cr_expect(e.app->mouse == true);
	choose(&e, "this help");
	cr_expect(eq(int, e.app->screen, SCREEN_HELP));
	explorer_press(&e, "Esc :");
	explorer_type(&e, "qqqqqqqzzz");
	cr_expect(explorer_shows(&e, "nothing matches"));
	explorer_press(&e, "Enter");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* Words by which people look for a screen, a mode or a command, and one thing that has to stand in the
 * list then without scrolling: a target, or a name. */
static const struct {
	const char *typed, *found;
} looked_for[] = {
	{ "placement", "drill mode=placement" },
	{ "where to begin", "drill mode=placement" },
	{ "interview", "drill mode=interview" },
	{ "practice", "drill mode=interview" },
	{ "practice interview", "drill mode=interview" },
	{ "interview", "interviewer" },
	{ "interviewer", "interviewer" },
	{ "desk", "interviewer" },
	{ "stats", "stats" },
	{ "statistics", "stats" },
	{ "answers", "stats" },
	{ "case", "case" },
	{ "cases", "case" },
	{ "design cases", "case" },
	{ "drill", "drill" },
	{ "mixed", "drill" },
	{ "study", "drill mode=study" },
	{ "review", "drill mode=review" },
	{ "due", "drill mode=review" },
	{ "sprint", "drill mode=sprint" },
	{ "coding", "drill:coding" },
	{ "glossary", "page:glossary" },
	{ "mistakes", "page:mistakes" },
	{ "numbers", "page:numbers" },
	{ "formulas", "page:formulas" },
	{ "errata", "page:errata" },
	{ "tips", "page:tips" },
	{ "reading", "page:reading" },
	{ "roofline", "sim:roofline" },
	{ "bookmarks", "your bookmarks in pages" },
	{ "mouse", "the mouse, on or off" },
	{ "help", "this help" },
	{ "quit", "leave ridge, to return here" },
	{ "calendar", "calendar" },
	{ "interviews", "interviews" },
	{ "plan", "plan" },
	{ "calc", "calc" },
	{ "validate", "validate" },
	{ "measure", "measure" },
	{ "grade", "grade" },
	{ "info", "info" },
};

Test(app_find, palette_finds_what_people_look_for_by_its_name)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	for (size_t i = 0; i < sizeof looked_for / sizeof *looked_for; i++) {
		look_for(&e, looked_for[i].typed);
		cr_expect(is_in_sight(&e.app->palette, looked_for[i].found), "%s: %s",
			looked_for[i].typed, looked_for[i].found);
		explorer_press(&e, "Esc");
	}
	for (int i = 0; i < N_COMMANDS; i++) {
		look_for(&e, commands[i].name);
		bool listed = is_in_sight(&e.app->palette, commands[i].name);
		cr_expect(listed || e.app->palette.verb != VERB_NONE, "%s", commands[i].name);
		explorer_press(&e, "Esc");
	}
	explorer_end(&e);
}

/* All three open a screen; a command without one is told. */
Test(app_find, palette_opens_desk_placement_and_calendar_and_tells_of_commands)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	choose(&e, "placement");
	cr_expect(eq(int, e.app->screen, SCREEN_DRILL));
	cr_expect(eq(int, drill_of(e.app)->session.mode, MODE_PLACEMENT));
	explorer_end(&e);
	e = explorer_start(32, 100, GLYPHS_LINES);
	choose(&e, "interviewer");
	cr_expect(eq(int, e.app->screen, SCREEN_INTERVIEWER));
	explorer_end(&e);
	e = explorer_start(32, 100, GLYPHS_LINES);
	choose(&e, "calendar");
	cr_expect(eq(int, e.app->screen, SCREEN_CALENDAR));
	explorer_end(&e);
	e = explorer_start(32, 100, GLYPHS_LINES);
	choose(&e, "grade");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	cr_expect(explorer_shows(&e, "ridge grade"));
	explorer_end(&e);
}

/* While a setting is typed the only row says what Enter would do, and a line of which a part cannot be
 * read turns nothing. */
Test(app_find, a_setting_is_all_done_or_not_at_all)
{
	static const struct {
		const char *typed, *row;
		double workers;
	} rows[] = {
		{ "workers=4", "set         loader workers 2 → 4", 4 },
		{ "Loader workers=4", "set         loader workers 2 → 4", 4 },
		{ "workers=2", "nothing: it is so already", 2 },
		{ "workers=4 gpu", "expected knob=value, found \"gpu\"", 2 },
		{ "workers=4 gpus=no", "gpus: no number at \"no\"", 2 },
		{ "worker=4", "did you mean \"workers\"?", 2 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		cr_assert(explorer_open(&e, "sim:timeline"));
		const struct live *s = app_live(e.app);
		const int knob = sim_knob_index(s->sim, "workers");
		cr_assert(knob >= 0);
		explorer_press(&e, ":");
		explorer_type(&e, rows[i].typed);
		cr_expect(eq(sz, e.app->palette.n_matches, 1), "row %zu", i);
		cr_expect(explorer_shows(&e, rows[i].row), "row %zu: %s", i, rows[i].row);
		explorer_press(&e, "Enter");
		cr_expect(eq(dbl, s->now.v[knob], rows[i].workers), "row %zu", i);
		cr_expect(zero(sz, rows[i].workers == 2 ? s->n_undo : 0), "row %zu", i);
		explorer_end(&e);
	}
}

/* "batch" is the batch of "max batch", and not the timeout of "batch timeout". */
Test(app_find, a_setting_is_of_what_a_label_ends_in)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "sim:batching"));
	const struct live *s = app_live(e.app);
	const int batch = sim_knob_index(s->sim, "max_batch");
	cr_assert(batch >= 0);
	explorer_press(&e, ":");
	explorer_type(&e, "batch 64");
	explorer_press(&e, "Enter");
	cr_expect(eq(dbl, s->now.v[batch], 64));
	cr_expect(eq(int, s->focus, batch));
	explorer_end(&e);
}

/* What cannot be read stays in the line, beside what is wrong with it. */
Test(app_find, a_setting_that_cannot_be_read_can_be_corrected)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "roofline"));
	explorer_press(&e, ": b a t h = 3 2 Enter");
	cr_expect(e.app->palette.open);
	cr_expect(explorer_shows(&e, "roofline has no knob \"bath\""));
	explorer_press(&e, "Left Left Left Left c Enter");
	const struct live *live = app_live(e.app);
	cr_expect(not(e.app->palette.open));
	cr_expect(eq(str, (char *)live->sim->knobs[live->focus].id, (char *)"batch"));
	cr_expect(eq(dbl, live->now.v[live->focus], 32));
	explorer_end(&e);
}

/* From a case whose list one came by: the list is no place among the recent ones, and breaks nothing. */
Test(app_find, the_palette_opens_behind_the_list_of_cases)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "case"));
	cr_assert(explorer_open(&e, "page:gpu"));
	explorer_press(&e, ":");
	cr_expect(explorer_shows(&e, "Enter open"));
	explorer_end(&e);
}

/* What the palette can match is twice as many as there are: none is lost in silence. */
Test(app_find, the_palette_has_room_for_every_entry)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_BRAILLE);
	explorer_press(&e, ":");
	cr_expect(lt(sz, (size_t)n_sims + n_formulas, e.app->palette.n_names));
	cr_expect(lt(sz, 2 * e.app->palette.n_names, PALETTE_MOST_MATCHED));
	explorer_end(&e);
}
