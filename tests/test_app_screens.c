/* What the explorer's screens say, at any size and with any glyphs: help, footer, the least size,
 * ASCII, and nothing by colour alone. */
#include "tests/explorer.h"
#include "ui/screens/sim/sim_screen.h"
#include "ui/screens/page/page_view.h"
#include "ui/term/keys.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"

#include "ui/shell/layout.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <ctype.h>

/* Everything there is to be on, opened by name. */
enum { PLACE_HOME, PLACE_PAGE, PLACE_SIM, PLACE_DRILL, PLACE_STATS, PLACE_INTERVIEWER, N_PLACES };

static void go(struct explorer *e, size_t place)
{
	char target[128];
	if (place == PLACE_PAGE) {
		snprintf(target, sizeof target, "page:%s", e->app->pages.pages[0].id);
		cr_assert(explorer_open(e, target));
	} else if (place == PLACE_SIM) {
		cr_assert(explorer_open(e, sims[0]->id));
	} else if (place == PLACE_DRILL) {
		cr_assert(explorer_open(e, "drill"));
	} else if (place == PLACE_STATS) {
		cr_assert(explorer_open(e, "stats"));
	} else if (place == PLACE_INTERVIEWER) {
		cr_assert(explorer_open(e, "interviewer"));
	}
}

/* --- help and footer -------------------------------------------------------------------- */

/* The whole help of the screen, a window after another. */
static char *whole_help(struct explorer *e)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	for (int i = 0; i < 60; i++) {
		char *part = explorer_text(e);
		fputs(part, f);
		free(part);
		explorer_press(e, "j");
	}
	fclose(f);
	return text;
}

/* A line of the text that begins with the key, among other keys, and goes on with the help. */
static bool explains(const char *text, const char *key, const char *help)
{
	char beginning[32]; /* it may go on in the next line */
	snprintf(beginning, sizeof beginning, "%s", help);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		char copy[512], *rest = NULL;
		snprintf(copy, sizeof copy, "%.*s", (int)strcspn(line, "\n"), line);
		char *at = strstr(copy, beginning);
		if (!at)
			continue;
		*at = '\0';
		for (char *w = strtok_r(copy, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
			if (strcmp(w, key) == 0)
				return true;
	}
	return false;
}

/* Whether a key of the screen does the action. */
static bool is_done(enum action a, enum screen_id screen)
{
	for (size_t i = 0; i < n_key_bindings; i++)
		if (key_bindings[i].action == a && (key_bindings[i].screens & (1u << screen)))
			return true;
	return false;
}

static const char *help_text_of(size_t i, enum screen_id screen)
{
	const struct key_pair *pair = key_pair_of(screen, key_bindings[i].action);
	const char *help = NULL;
	if (pair && is_done(pair->first, screen) && is_done(pair->second, screen))
		return pair->help;
	for (size_t j = 0; j < n_key_bindings; j++)
		if (key_bindings[j].action == key_bindings[i].action && key_bindings[j].help &&
			(!help || (key_bindings[j].screens & (1u << screen))))
			help = key_bindings[j].help;
	return help;
}

Test(screens, help_explains_every_key_of_the_screen_in_eighty_columns)
{
	for (size_t place = 0; place < N_PLACES; place++) {
		struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
		go(&e, place);
		enum screen_id screen = e.app->screen;
		app_do(e.app, ACT_HELP);
		char *text = whole_help(&e);
		for (size_t i = 0; i < n_key_bindings; i++) {
			char key[16];
			if (!(key_bindings[i].screens & (1u << screen)))
				continue;
			key_text(key_bindings[i].key, key, sizeof key);
			cr_expect(explains(text, key, help_text_of(i, screen)),
				"screen %d: %s (%s)", screen, key, help_text_of(i, screen));
		}
		/* Scrolling ends where the text does. */
		char *last = explorer_text(&e);
		int lines = 0;
		for (const char *p = last; *p; p++)
			lines += *p == '\n' && p[1] && p[1] != '\n';
		cr_expect(ge(int, lines, 12), "screen %d scrolled away:\n%s", screen, last);
		free(last);
		free(text);
		explorer_end(&e);
	}
}

/* Whole words: what is cut would end in the last column. */
static void check_footer(const struct explorer *e)
{
	struct canvas cv = explorer_draw(e);
	const struct cell *row = &cv.cells[(cv.rows - 1) * cv.cols];
	int words = 0;
	cr_expect(row[cv.cols - 1].code == ' ', "screen %d at %d columns", e->app->screen, cv.cols);
	for (int i = 1; i < cv.cols; i++)
		words += row[i].code != ' ' && row[i - 1].code == ' ';
	cr_expect(ge(int, words, 4), "screen %d at %d columns", e->app->screen, cv.cols);
	cr_expect(explorer_shows(e, "? help") == true, "screen %d at %d columns", e->app->screen,
		cv.cols);
	canvas_release(&cv);
}

Test(screens, footer_fits_and_always_names_the_help)
{
	for (size_t place = 0; place < N_PLACES; place++) {
		struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
		go(&e, place);
		for (int cols = LEAST_COLS; cols <= 200; cols += 7) {
			app_resize(e.app, 24, cols);
			app_settle(e.app);
			check_footer(&e);
		}
		explorer_end(&e);
	}
}

/* A large window has room for what one can press elsewhere, which is never the screen one comes from. */
Test(screens, help_of_a_large_window_tells_of_other_screens)
{
	for (int large = 0; large < 2; large++) {
		struct explorer e =
			explorer_start(large ? 48 : 32, large ? 160 : 100, GLYPHS_LINES);
		go(&e, PLACE_SIM);
		explorer_press(&e, "?");
		cr_expect(eq(int, explorer_shows(&e, "Elsewhere"), large));
		cr_expect(eq(int, explorer_shows(&e, "On a drill"), large));
		cr_expect(not(explorer_shows(&e, "On a simulation")));
		explorer_end(&e);
	}
}

/* The way out stays on the screen: under a message, a line that is typed, and whatever else there is to
 * press. */
Test(screens, the_way_out_is_always_told)
{
	static const size_t places[] = { PLACE_PAGE, PLACE_SIM, PLACE_DRILL, PLACE_STATS };
	for (size_t i = 0; i < sizeof places / sizeof *places; i++)
		for (int cols = 60; cols <= 160; cols += 20) {
			struct explorer e = explorer_start(24, cols, GLYPHS_LINES);
			go(&e, places[i]);
			cr_expect(explorer_shows(&e, "Esc back"), "place %zu at %d", i, cols);
			app_say(e.app, "A word.");
			cr_expect(explorer_shows(&e, "A word.") && explorer_shows(&e, "Esc back"),
				"place %zu at %d", i, cols);
			app_say(e.app, "%0*d", cols - 8, 7); /* no room beside it */
			cr_expect(explorer_shows(&e, "Esc back"), "place %zu at %d", i, cols);
			explorer_end(&e);
		}
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	go(&e, PLACE_HOME);
	app_say(e.app, "A word.");
	cr_expect(explorer_shows(&e, "q quit"));
	go(&e, PLACE_SIM);
	explorer_type(&e, "1");
	cr_expect(explorer_shows(&e, "Esc cancel"));
	explorer_end(&e);
}

Test(screens, footer_tells_that_the_mouse_is_on)
{
	for (size_t place = 0; place < N_PLACES; place++) {
		struct explorer e = explorer_start(24, LEAST_COLS, GLYPHS_LINES);
		go(&e, place);
		cr_expect(explorer_shows(&e, "mouse on") == false, "place %zu", place);
		e.app->mouse = true;
		cr_expect(explorer_shows(&e, "mouse on") == true, "place %zu", place);
		explorer_end(&e);
	}
}

Test(screens, an_unbound_key_says_so)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	explorer_press(&e, "%");
	cr_expect(explorer_shows(&e, "% does nothing here; ? shows the keys."));
	explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "does nothing here") == false, "until the next key");
	explorer_end(&e);
}

/* --- sizes ------------------------------------------------------------------------------ */

Test(screens, too_small_a_window_says_so_calmly_keeps_everything_and_quits)
{
	static const int sizes[][2] = { { 1, 1 }, { 1, 200 }, { 100, 1 }, { 2, 30 }, { 11, 80 },
		{ 24, 39 }, { 5, 20 } };
	for (size_t place = 0; place < N_PLACES; place++)
		for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
			struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
			go(&e, place);
			char *before = explorer_text(&e);
			app_resize(e.app, sizes[i][0], sizes[i][1]);
			app_settle(e.app);
			char *small = explorer_text(&e);
			cr_expect(sizes[i][1] < 20 || sizes[i][0] < 2 ||
					  strstr(small, "ridge needs") != NULL,
				"%d x %d:\n%s", sizes[i][0], sizes[i][1], small);
			/* A key whose effect cannot be seen must not have one. */
			explorer_press(&e, "l j Enter x 5 Tab Esc");
			app_resize(e.app, 24, 80);
			app_settle(e.app);
			char *after = explorer_text(&e);
			cr_expect(strcmp(after, before) == 0, "place %zu at %d x %d", place,
				sizes[i][0], sizes[i][1]);
			app_resize(e.app, sizes[i][0], sizes[i][1]);
			explorer_press(&e, "q");
			cr_expect(e.over == true, "place %zu", place);
			free(before);
			free(small);
			free(after);
			explorer_end(&e);
		}
}

/* --- glyphs and styles ------------------------------------------------------------------ */

static void expect_ascii(const struct explorer *e, const char *what)
{
	struct canvas cv = explorer_draw(e);
	for (int i = 0; i < cv.rows * cv.cols; i++)
		cr_assert(cv.cells[i].code >= 0x20 && cv.cells[i].code < 0x7f,
			"%s: U+%04X in row %d", what, cv.cells[i].code, i / cv.cols);
	canvas_release(&cv);
}

Test(screens, ascii_is_ascii_everywhere, .description = "long")
{
	struct explorer e = explorer_start(30, 100, GLYPHS_ASCII);
	expect_ascii(&e, "home");
	for (size_t i = 0; i < e.app->pages.n; i++) {
		explorer_open(&e, e.app->pages.pages[i].file);
		for (size_t j = 0; j < page_of(e.app)->page.n_lines; j += 20) {
			expect_ascii(&e, page_of(e.app)->id);
			explorer_press(&e, "PgDn");
		}
		explorer_press(&e, "t");
		expect_ascii(&e, "contents");
		explorer_press(&e, "t ~");
	}
	for (size_t i = 0; i < n_sims; i++) {
		explorer_open(&e, sims[i]->id);
		for (size_t k = 0; k < sims[i]->n_knobs; k++) {
			explorer_press(&e, "l j");
			expect_ascii(&e, sims[i]->id);
		}
		explorer_press(&e, "c l");
		expect_ascii(&e, sims[i]->id);
		explorer_press(&e, "s");
		expect_ascii(&e, "notes");
		explorer_press(&e, "s Space");
		expect_ascii(&e, "playing");
		explorer_press(&e, ":");
		expect_ascii(&e, "palette");
		explorer_press(&e, "Esc ?");
		expect_ascii(&e, "help");
		explorer_press(&e, "Esc Enter 5 x Enter");
		expect_ascii(&e, "a refused value");
		explorer_press(&e, "Esc ~");
	}
	explorer_open(&e, "drill");
	expect_ascii(&e, "drill");
	explorer_press(&e, "Tab 1 Enter");
	expect_ascii(&e, "a graded drill");
	explorer_end(&e);
}

/* Without colours and attributes the states still differ. */
Test(screens, no_state_is_told_by_colour_alone)
{
	for (int ascii = 0; ascii < 2; ascii++) {
		struct explorer e = explorer_start(24, 80, ascii ? GLYPHS_ASCII : GLYPHS_LINES);
		char *here = explorer_text(&e), *there;
		explorer_press(&e, "j");
		there = explorer_text(&e);
		cr_expect(strcmp(here, there) != 0, "the entry in focus on the home screen");
		free(here);
		free(there);
		explorer_press(&e, ":");
		here = explorer_text(&e);
		explorer_press(&e, "Down");
		there = explorer_text(&e);
		cr_expect(strcmp(here, there) != 0, "the entry in focus in the palette");
		free(here);
		free(there);
		explorer_press(&e, "Esc");
		explorer_open(&e, "stacking");
		here = explorer_text(&e);
		explorer_press(&e, "j");
		there = explorer_text(&e);
		cr_expect(strcmp(here, there) != 0, "the knob in focus");
		free(here);
		free(there);
		cr_expect(explorer_shows(&e, "[x]") || explorer_shows(&e, "[ ]"), "a toggle");
		explorer_end(&e);
	}
}

/* On the map Enter opens the simulation of the box where the knob stands: the vehicle's, then, one to
 * the left, serving's. With another knob in hand it asks for a value. */
Test(screens, a_box_of_the_map_opens_its_simulation)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "system"));
	cr_expect(explorer_shows(&e, "Enter Frame budget"));
	explorer_press(&e, "Enter");
	cr_expect(eq(str, (char *)sim_of(e.app)->sim->id, "latency"));
	cr_assert(explorer_open(&e, "system"));
	explorer_press(&e, "h");
	cr_expect(explorer_shows(&e, "Enter Batching"));
	explorer_press(&e, "Enter");
	cr_expect(eq(str, (char *)sim_of(e.app)->sim->id, "batching"));
	cr_assert(explorer_open(&e, "system"));
	explorer_press(&e, "j Enter");
	cr_expect(eq(str, (char *)sim_of(e.app)->sim->id, "system"));
	cr_expect(explorer_shows(&e, "Enter Frame") == false);
	explorer_end(&e);
}

Test(screens, a_toggle_says_what_it_is, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++)
		for (size_t k = 0; k < sims[i]->n_knobs; k++) {
			char on[80], off[80];
			if (sims[i]->knobs[k].kind != KNOB_TOGGLE)
				continue;
			struct explorer e = explorer_start(60, 200, GLYPHS_LINES);
			snprintf(on, sizeof on, "%s %s=on", sims[i]->id, sims[i]->knobs[k].id);
			snprintf(off, sizeof off, "%s %s=off", sims[i]->id, sims[i]->knobs[k].id);
			cr_assert(explorer_open(&e, on));
			sim_of(e.app)->focus = (int)k; /* its group is open then */
			char *first = explorer_text(&e);
			bool is_row = live_table_of(sim_of(e.app), (int)k, NULL) != NULL;
			cr_assert(explorer_open(&e, off));
			sim_of(e.app)->focus = (int)k;
			/* A row of a table that is taken says what it found instead. */
			if (is_row || live_table_of(sim_of(e.app), (int)k, NULL)) {
				free(first);
				explorer_end(&e);
				continue;
			}
			char *second = explorer_text(&e);
			int boxes[2] = { 0, 0 };
			for (const char *p = first; (p = strstr(p, "[x]")); p++)
				boxes[0]++;
			for (const char *p = second; (p = strstr(p, "[x]")); p++)
				boxes[1]++;
			cr_expect(eq(int, boxes[0], boxes[1] + 1), "%s", on);
			free(first);
			free(second);
			explorer_end(&e);
		}
}

/* The mark of a warning belongs to the number behind it: a blank parts it from the label. */
Test(screens, no_mark_touches_a_label)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	for (size_t i = 0; i < n_sims; i++) {
		cr_assert(explorer_open(&e, sims[i]->id));
		char *text = explorer_text(&e);
		for (const char *p = text; (p = strstr(p, "! ")); p++)
			cr_expect(p == text || !isalnum((unsigned char)p[-1]), "%s:\n%s",
				sims[i]->id, text);
		free(text);
	}
	explorer_end(&e);
}
