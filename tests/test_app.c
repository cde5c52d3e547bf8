/* The explorer, driven by its keys: where they lead, what they change, what the screen says. */
#include "ui/live/live_run.h"
#include "tests/explorer.h"
#include "ui/live/live_headline.h"
#include "ui/screens/home/home.h"
#include "ui/screens/page/page_view.h"
#include "ui/screens/sim/sim_screen.h"
#include "ui/shell/bindings.h"
#include "ui/term/textwrap.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static const struct {
	int rows, cols;
	enum glyphs glyphs;
} windows[] = { { 24, 80, GLYPHS_LINES }, { 60, 200, GLYPHS_LINES }, { 24, 80, GLYPHS_ASCII },
	{ 60, 200, GLYPHS_BRAILLE } };
enum { N_SIZES = sizeof windows / sizeof *windows };

static struct explorer start(size_t i)
{
	return explorer_start(windows[i].rows, windows[i].cols, windows[i].glyphs);
}

/* Help and palette lie over any screen, and leaving them leads back to it. */
static void look_over(struct explorer *e)
{
	enum screen_id was = e->app->screen;
	char *before = explorer_text(e);
	explorer_press(e, "?");
	cr_expect(e->app->screen == SCREEN_HELP && explorer_shows(e, "Keys on"), "screen %d", was);
	explorer_press(e, "Esc");
	explorer_press(e, ":");
	cr_expect(e->app->palette.open == true, "screen %d", was);
	explorer_press(e, "Esc");
	cr_expect(e->app->screen == was && !e->app->palette.open, "from screen %d", was);
	char *after = explorer_text(e);
	cr_expect(eq(str, after, before), "screen %d changed by a look at help and palette", was);
	free(before);
	free(after);
}

Test(app, every_screen_is_reached_and_escape_returns)
{
	static const enum screen_id column[HOME_COLUMNS] = { SCREEN_PAGE, SCREEN_PAGE,
		SCREEN_PRESENT, SCREEN_SIM, SCREEN_CALENDAR };
	for (size_t i = 0; i < N_SIZES; i++) {
		struct explorer e = start(i);
		look_over(&e);
		for (int c = 0; c < HOME_COLUMNS; c++) {
			char *home = explorer_text(&e);
			explorer_press(&e, "Enter");
			cr_expect(eq(int, e.app->screen, column[c]), "size %zu", i);
			look_over(&e);
			explorer_press(&e, c == HOME_TALKS ? "Esc Esc" : "Esc");
			cr_expect(eq(int, e.app->screen, SCREEN_HOME), "size %zu, column %d", i, c);
			char *again = explorer_text(&e);
			/* A page that was looked at has begun to be read. */
			cr_expect(c <= HOME_PAGES || strcmp(home, again) == 0,
				"size %zu, column %d", i, c);
			free(home);
			free(again);
			explorer_press(&e, "Tab");
		}
		cr_expect(e.over == false);
		explorer_press(&e, "q");
		cr_expect(e.over == true);
		explorer_end(&e);
	}
}

Test(app, home_opens_every_page_and_simulation, .description = "long")
{
	struct explorer e = start(0);
	for (size_t i = 0; i < e.app->pages.n + n_sims; i++) {
		bool page = i < e.app->pages.n;
		size_t row = page ? i : i - e.app->pages.n;
		home_of(e.app)->column = page ? HOME_PAGES : HOME_SIMS;
		explorer_press(&e, "g");
		for (size_t j = 0; j < row; j++)
			explorer_press(&e, "j");
		explorer_press(&e, "Enter");
		const char *got = page ? page_of(e.app)->id : sim_of(e.app)->sim->id;
		const char *want = page ? e.app->pages.pages[row].id : sims[row]->id;
		cr_expect(eq(int, e.app->screen, page ? SCREEN_PAGE : SCREEN_SIM), "%s", want);
		cr_expect(eq(str, (char *)got, (char *)want));
		explorer_press(&e, "Esc");
	}
	explorer_end(&e);
}

/* Home, page, simulation with a turned knob, its page, and back through all of them. */
Test(app, escape_goes_back_step_by_step_and_finds_things_as_they_were)
{
	struct explorer e = start(0);
	explorer_press(&e, "Enter j j");
	long scroll = page_of(e.app)->scroll;
	char page[64], setting[600], again[600];
	snprintf(page, sizeof page, "%s", page_of(e.app)->id);
	cr_assert(explorer_open(&e, "sim:stacking"));
	explorer_press(&e, "j l j l");
	int focus = sim_of(e.app)->focus;
	live_setting(sim_of(e.app), setting, sizeof setting);
	cr_expect(strchr(setting, '=') != NULL, "%s", setting);
	explorer_press(&e, "p");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	cr_expect(eq(str, page_of(e.app)->id, (char *)sim_of(e.app)->sim->page));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_SIM));
	cr_expect(eq(str, live_setting(sim_of(e.app), again, sizeof again), setting));
	cr_expect(eq(int, sim_of(e.app)->focus, focus));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_PAGE));
	cr_expect(eq(str, page_of(e.app)->id, page));
	cr_expect(eq(long, page_of(e.app)->scroll, scroll));
	explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

Test(app, a_hundred_steps_forth_can_be_gone_back)
{
	struct explorer e = start(0);
	for (int i = 0; i < 100; i++)
		cr_assert(explorer_open(&e, i % 2 ? "sim:scaling" : "sim:roofline"));
	for (int i = 0; i < MAX_TRAIL + 1; i++)
		explorer_press(&e, "Esc");
	cr_expect(eq(int, e.app->screen, SCREEN_HOME));
	explorer_end(&e);
}

/* --- knobs ------------------------------------------------------------------------------ */

Test(app, every_knob_turns_and_undo_takes_it_back, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, sims[i]->id));
		struct live *s = sim_of(e.app);
		struct setting dflt = s->now;
		struct knob_story story = live_story(s);
		int order[MAX_KNOBS], n = knob_order(&story, order);
		cr_expect(eq(int, n, (int)sims[i]->n_knobs), "%s", sims[i]->id);
		for (int j = 0; j < n; j++) {
			size_t k = (size_t)order[j];
			cr_expect(eq(int, s->focus, (int)k), "%s", sims[i]->id);
			bool end = knob_step(&sims[i]->knobs[k], s->tables, dflt.v[k], 1, false) ==
				   dflt.v[k];
			explorer_press(
				&e, end && sims[i]->knobs[k].kind != KNOB_TOGGLE ? "h" : "l");
			cr_expect(s->now.v[k] != dflt.v[k], "%s %s", sims[i]->id,
				sims[i]->knobs[k].id);
			explorer_press(&e, k % 2 ? "u" : "r");
			cr_expect(memcmp(&s->now, &dflt, sims[i]->n_knobs * sizeof *dflt.v) == 0,
				"%s %s", sims[i]->id, sims[i]->knobs[k].id);
			explorer_press(&e, "L H L r j");
		}
		explorer_press(&e, "l g l R");
		cr_expect(memcmp(&s->now, &dflt, sims[i]->n_knobs * sizeof *dflt.v) == 0, "%s",
			sims[i]->id);
		explorer_end(&e);
	}
}

static void focus_knob(struct explorer *e, const char *id)
{
	sim_of(e->app)->focus = sim_knob_index(sim_of(e->app)->sim, id);
	cr_assert(sim_of(e->app)->focus >= 0, "%s", id);
}

/* 200 Gb/s are 25 GB/s. */
Test(app, a_value_is_typed_with_its_unit)
{
	static const struct {
		const char *sim, *knob, *typed;
		double value;
	} rows[] = {
		{ "scaling", "inter_GBps", "200 Gb/s", 25 },
		{ "scaling", "inter_GBps", "12.5", 12.5 },
		{ "scaling", "gpus", "64", 64 },
		{ "roofline", "bytes", "3 GB", 3e9 },
		{ "roofline", "flops", "2 TFLOP", 2e12 },
		{ "roofline", "seq", "8k", 8000 },
		{ "stacking", "base_ms", "1.5 s", 1500 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, rows[i].sim));
		focus_knob(&e, rows[i].knob);
		explorer_type(&e, rows[i].typed);
		cr_expect(explorer_shows(&e, rows[i].typed), "%s is not on the screen",
			rows[i].typed);
		explorer_press(&e, "Enter");
		cr_expect(epsilon_eq(dbl, sim_of(e.app)->now.v[sim_of(e.app)->focus], rows[i].value,
				  1e-9),
			"%s=%s", rows[i].knob, rows[i].typed);
		cr_expect(eq(int, e.app->entry.kind, ENTRY_NONE));
		explorer_end(&e);
	}
}

Test(app, a_refused_value_keeps_the_line_and_says_why, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++)
		for (size_t k = 0; k < sims[i]->n_knobs; k++) {
			struct explorer e = start(0);
			cr_assert(explorer_open(&e, sims[i]->id));
			focus_knob(&e, sims[i]->knobs[k].id);
			struct setting before = sim_of(e.app)->now;
			explorer_type(&e, "-1e90x"); /* '-' begins a value */
			explorer_press(&e, "Enter");
			cr_expect(eq(int, e.app->entry.kind, ENTRY_VALUE), "%s %s", sims[i]->id,
				sims[i]->knobs[k].id);
			cr_expect(eq(str, e.app->entry.text, (char *)"-1e90x"));
			cr_expect(explorer_shows(&e, "-1e90x") && e.app->entry.error[0], "%s",
				sims[i]->id);
			/* The line has the knob's name, and needs no id. */
			const char *id = sims[i]->knobs[k].id, *said = e.app->entry.error;
			if (strncmp(said, id, strlen(id)) == 0 && said[strlen(id)] == ':')
				said += strlen(id) + 2;
			char *first = strndup(said, 12);
			cr_expect(explorer_shows(&e, first), "%s %s: \"%s\" is not on the screen",
				sims[i]->id, sims[i]->knobs[k].id, e.app->entry.error);
			free(first);
			cr_expect(memcmp(&before, &sim_of(e.app)->now,
					  sizeof *before.v * sims[i]->n_knobs) == 0);
			explorer_press(&e, "Esc");
			cr_expect(eq(int, e.app->entry.kind, ENTRY_NONE));
			cr_expect(eq(int, e.app->screen, SCREEN_SIM),
				"Esc leaves the line, not the screen");
			explorer_end(&e);
		}
}

/* The list begins where the knob stands; letters of an id or of a name narrow it, and what is in
 * no name leaves all as it was. */
Test(app, a_knob_with_names_is_chosen_from_a_list)
{
	static const struct {
		const char *knob, *typed, *id;
	} rows[] = {
		{ "gpu", "h200", "h200" },
		{ "gpu", "rtx 4090", "rtx4090" },
		{ "phase", "dec", "decode" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, "roofline"));
		focus_knob(&e, rows[i].knob);
		const struct live *s = sim_of(e.app);
		const struct knob *k = &s->sim->knobs[s->focus];
		double was = s->now.v[s->focus];
		explorer_press(&e, "Enter");
		cr_assert(e.app->palette.open == true);
		cr_expect(eq(sz, e.app->palette.n_matches, knob_choices(k, s->tables)));
		explorer_type(&e, "qqzz");
		explorer_press(&e, "Enter");
		cr_expect(e.app->palette.open && s->now.v[s->focus] == was);
		explorer_press(&e, "Esc Enter Enter"); /* the one that it stands at */
		cr_expect(not(e.app->palette.open));
		cr_expect(eq(dbl, s->now.v[s->focus], was));
		explorer_press(&e, "Enter");
		explorer_type(&e, rows[i].typed);
		explorer_press(&e, "Enter");
		const char *id = knob_choice(k, s->tables, (size_t)s->now.v[s->focus]);
		cr_expect(eq(str, (char *)id, (char *)rows[i].id));
		cr_expect(eq(int, e.app->screen, SCREEN_SIM));
		explorer_end(&e);
	}
}

Test(app, the_line_is_edited_where_the_cursor_stands)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "scaling"));
	focus_knob(&e, "gpus");
	explorer_type(&e, "1é9");
	explorer_press(&e, "Left BS 2 End BS Home 5 Del Del Left Left Right");
	cr_expect(eq(str, e.app->entry.text, (char *)"5"));
	explorer_press(&e, "End BS BS");
	cr_expect(eq(int, e.app->entry.kind, ENTRY_NONE), "backspace on an empty line leaves it");
	for (int i = 0; i < 400; i++)
		explorer_press(&e, "1");
	cr_expect(lt(sz, strlen(e.app->entry.text), sizeof e.app->entry.text));
	explorer_press(&e, "Enter");
	cr_expect(eq(int, e.app->entry.kind, ENTRY_VALUE));
	explorer_end(&e);
}

/* A and B change places and back; without a pin the key says what is missing. */
Test(app, x_swaps_the_pinned_setting_and_this_one)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "scaling"));
	explorer_press(&e, "x");
	cr_expect(explorer_shows(&e, "Nothing is pinned"));
	explorer_press(&e, "c l");
	cr_expect(explorer_shows(&e, "Twice the GPUs (64 → 128): efficiency 68.6 → 51.7 %"));
	cr_expect(explorer_shows(&e, "x swap"));
	char *before = explorer_text(&e);
	explorer_press(&e, "x");
	cr_expect(explorer_shows(&e, "Half the GPUs (128 → 64): efficiency 51.7 → 68.6 %"));
	explorer_press(&e, "x");
	char *after = explorer_text(&e);
	cr_expect(eq(str, after, before));
	explorer_press(&e, "u u");
	free(after);
	after = explorer_text(&e);
	cr_expect(eq(str, after, before));
	free(after);
	free(before);
	explorer_end(&e);
}

Test(app, compare_pins_a_setting_and_shows_it_beside)
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(1);
		cr_assert(explorer_open(&e, sims[i]->id));
		struct live *s = sim_of(e.app);
		explorer_press(&e, "c");
		cr_expect(s->has_pin == true);
		double headline = s->figure.values[0].value;
		for (int k = 0; k < (int)sims[i]->n_knobs && s->figure.values[0].value == headline;
			k++)
			explorer_press(&e, "l l l j");
		cr_expect(
			s->figure.values[0].value != headline, "%s: no knob moves it", sims[i]->id);
		cr_expect(s->pinned.values[0].value == headline, "%s", sims[i]->id);
		explorer_press(&e, "c");
		cr_expect(s->has_pin == false);
		explorer_end(&e);
	}
}

/* The last cell of the row of a table that a knob is; "": it is none that was taken. */
static const char *row_says(const struct live *s, int knob)
{
	const struct table *t = live_table_of(s, knob, NULL);
	for (size_t i = 0; t && i < t->n_rows; i++)
		if (table_knob(t, i) && strcmp(table_knob(t, i), s->sim->knobs[knob].id) == 0)
			return s->now.v[knob] > 0 ? t->rows[i][t->cols - 1] : "";
	return "";
}

/* What changed and why, in two lines of eighty columns: the knob, or where the reason needs its room
 * the value that moved, or what a row of a table says now that it was taken, or the sentence that the
 * figure has for it; and never the general words on a knob. */
Test(app, the_sentence_tells_what_was_turned, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(1);
		cr_assert(explorer_open(&e, sims[i]->id));
		struct live *s = sim_of(e.app);
		struct knob_story story = live_story(s);
		int order[MAX_KNOBS], n = knob_order(&story, order);
		for (int j = 0; j < 2 * n; j++) {
			char text[1024];
			if (j == n)
				explorer_press(&e, "g c");
			/* A reading that is asked for may move to the table. */
			int knob = s->focus;
			const struct knob *k = &sims[i]->knobs[knob];
			explorer_press(&e, "l h l");
			live_sentence(s, text, sizeof text);
			const char *says = row_says(s, knob);
			bool own = s->figure.tells && strstr(s->figure.tells, k->id);
			cr_expect(strstr(text, k->label + 1) || strstr(text, " → ") || own ||
					  (*says && strstr(text, says)) || s->n_undo == 0 ||
					  s->has_pin,
				"%s: %s", k->id, text);
			cr_expect(k->help == NULL || strstr(text, k->help + 1) == NULL, "%s: %s",
				k->id, text);
			cr_expect(le(int, text_lines(text, 78, GLYPHS_LINES), 2), "%s: cut: %s",
				k->id, text);
			explorer_press(&e, "j");
		}
		explorer_end(&e);
	}
}

/* A slack that stays below zero did not fall by a share of itself. */
Test(app, the_sentence_gives_no_share_of_a_negative_number)
{
	struct explorer e = start(1);
	char text[1024];
	/* Stages at work on several frames, and no jitter: more frames a second leave the way from
	 * capture to plan as it was, but not the time to spare. */
	cr_assert(explorer_open(&e, "latency pipelined=1 jitter_cv=0 fps=50"));
	explorer_press(&e, "j j j j j j l");
	live_sentence(sim_of(e.app), text, sizeof text);
	const char *slack = strstr(text, ": slack -");
	cr_assert(slack != NULL, "%s", text);
	cr_expect(memchr(slack, '%', strcspn(slack, ".")) == NULL, "%s", text);
	explorer_end(&e);
}

/* 2^48 does not fit beside the figure of a small screen. */
Test(app, a_long_number_is_whole)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "formats"));
	explorer_press(&e, "j L L a");
	cr_expect(explorer_shows(&e, "281,474,976,710,656"));
	explorer_end(&e);
}

/* The notes of a model are longer than a small screen, which says so until their end. */
Test(app, notes_that_go_on_say_so)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "roofline"));
	explorer_press(&e, "s");
	cr_expect(explorer_shows(&e, "more: PgDn"));
	for (int i = 0; i < 30; i++)
		explorer_press(&e, "PgDn");
	cr_expect(eq(int, explorer_shows(&e, "more: PgDn"), false));
	explorer_end(&e);
}

/* --- the playhead ----------------------------------------------------------------------- */

Test(app, a_run_plays_to_its_end_and_stops)
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, sims[i]->id));
		struct live *s = sim_of(e.app);
		double last_s = -1;
		int ticks = 0;
		if (s->figure.duration_s > 0) {
			explorer_press(&e, "w");
			for (int64_t t = 1000, wait; (wait = app_tick(e.app, t)) >= 0; t += wait) {
				cr_assert(lt(int, ++ticks, 5000), "%s plays for ever", sims[i]->id);
				cr_expect(s->playhead_s >= last_s, "%s", sims[i]->id);
				last_s = s->playhead_s;
			}
			cr_expect(s->playhead_s == s->figure.duration_s && ticks > 10, "%s",
				sims[i]->id);
		}
		cr_expect(eq(int, app_tick(e.app, 99999999), -1), "%s: idle wakes nobody",
			sims[i]->id);
		explorer_press(&e, ", , . ,");
		cr_expect(s->figure.duration_s > 0 ? s->playhead_s < s->figure.duration_s
						   : isnan(s->playhead_s),
			"%s", sims[i]->id);
		explorer_end(&e);
	}
}

/* What y shows, opened again, is the same screen: wherever the run was stopped. */
Test(app, a_stopped_run_opens_again_as_it_was, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++)
		for (int ticks = 20; ticks <= 300; ticks += 140) {
			struct explorer e = start(0);
			cr_assert(explorer_open(&e, sims[i]->id));
			struct live *s = sim_of(e.app);
			char command[1200];
			explorer_press(&e, "w");
			if (s->figure.duration_s > 0) {
				for (int k = 0; k < ticks; k++)
					app_tick(e.app, 1000 + 53 * k);
				if (s->playing)
					explorer_press(&e, "w");
				char *before = explorer_text(&e);
				explorer_press(&e, "y");
				snprintf(command, sizeof command, "%s", e.app->message);
				char *at = strstr(command, " at=");
				cr_assert(strncmp(command, "ridge open ", 11) == 0 && at, "%s",
					command);
				cr_expect(
					le(sz, strlen(at), strlen(" at=1234.5us")), "%s", command);
				cr_assert(explorer_open(&e, command + strlen("ridge open ")));
				e.app->message[0] = '\0';
				char *after = explorer_text(&e);
				cr_expect(eq(str, after, before), "%s", command);
				free(before);
				free(after);
			} else {
				cr_expect(explorer_shows(&e, "has no run to play"), "%s",
					sims[i]->id);
			}
			explorer_end(&e);
		}
}

__attribute__((noinline)) static void expect_row(const struct live *s, const char *text)
{
	const char *row = strstr(text, "‖ ");
	cr_assert(row != NULL, "%s", text);
	const char *cut = strstr(row, "…"), *end = strstr(row, "Try:");
	const struct landmark *to = s->figure.landmarks;
	cr_expect(cut == NULL || (end != NULL && cut > end), "%s:\n%s", s->sim->id, text);
	if (s->landmark)
		cr_expect(
			strstr(row, to[s->landmark - 1].name) != NULL, "%s:\n%s", s->sim->id, text);
}

/* Where there is a run, Space plays it and stops it, whatever is in focus; without one it turns a check
 * box, at once and back. Enter turns a box everywhere, unless it takes the row of a table. */
Test(app, space_plays_and_else_turns_a_box)
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, sims[i]->id));
		struct live *s = sim_of(e.app);
		const bool box = sims[i]->knobs[s->focus].kind == KNOB_TOGGLE;
		const bool runs = s->figure.duration_s > 0;
		const double was = s->now.v[s->focus];
		explorer_press(&e, "Space");
		cr_expect(eq(int, s->playing, runs), "%s", sims[i]->id);
		cr_expect(eq(int, s->now.v[s->focus] != was, box && !runs), "%s", sims[i]->id);
		explorer_press(&e, "Space");
		cr_expect(not(s->playing), "%s", sims[i]->id);
		cr_expect(eq(dbl, s->now.v[s->focus], was), "%s", sims[i]->id);
		if (box)
			explorer_press(&e, "Enter");
		cr_expect(eq(int, s->now.v[s->focus] != was, box), "%s", sims[i]->id);
		explorer_end(&e);
	}
}

/* On a check box Enter and Space do the same where there is no run, and the footer says it once: with its
 * own word where a table has one. Where there is a run Space plays it, and Enter turns the box. Beside any
 * other knob Enter types. */
Test(app, the_footer_has_one_key_for_one_deed)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "stacking"));
	cr_expect(explorer_shows(&e, "Space turn"));
	cr_expect(not(explorer_shows(&e, "Enter turn")));
	explorer_end(&e);
	e = start(0);
	cr_assert(explorer_open(&e, "caselab"));
	cr_expect(explorer_shows(&e, "Enter buy"));
	cr_expect(not(explorer_shows(&e, "Space turn")));
	explorer_end(&e);
	e = start(0);
	e.app->rows = 32;
	cr_assert(explorer_open(&e, "latency"));
	cr_expect(
		explorer_shows(&e, "Space opens and plays Frames, "), "they are in the part below");
	cr_expect(explorer_shows(&e, "Enter turn on"));
	cr_expect(explorer_shows(&e, "Space play"));
	explorer_press(&e, "Enter");
	cr_expect(explorer_shows(&e, "Enter turn off"));
	explorer_end(&e);
	e = start(0);
	cr_assert(explorer_open(&e, "goodput"));
	cr_expect(explorer_shows(&e, "Enter type"));
	cr_expect(explorer_shows(&e, "Space play"));
	explorer_end(&e);
}

/* Of what is set as many parts stand in the title as have room, from the first on. */
Test(app, the_title_leaves_out_the_last_parts)
{
	struct explorer e = start(0);
	cr_assert(explorer_open(&e, "flashattention"));
	cr_expect(explorer_shows(&e, "A100-80 SXM · 8,192 tokens"));
	cr_expect(not(explorer_shows(&e, "32 heads of 128")));
	explorer_end(&e);
	e = start(0);
	e.app->cols = 100;
	cr_assert(explorer_open(&e, "flashattention"));
	cr_expect(explorer_shows(&e, "A100-80 SXM · 8,192 tokens · 32 heads of 128"));
	explorer_end(&e);
}

/* The row of the playhead tells speed, keys and the moment that was jumped to, and no caption is
 * cut, in a small window too. */
Test(app, a_run_is_told_in_its_row, .description = "long")
{
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer e = start(0);
		cr_assert(explorer_open(&e, sims[i]->id));
		const struct live *s = sim_of(e.app);
		if (s->figure.duration_s > 0) {
			cr_expect(explorer_shows(&e, "Space play"), "%s", sims[i]->id);
			explorer_press(&e, ">");
			cr_expect(explorer_shows(&e, " at 2x"), "%s", sims[i]->id);
			explorer_press(&e, "<");
			cr_expect(not(explorer_shows(&e, "plays the run of")), "%s", sims[i]->id);
			for (int k = 0; k < 12; k++) {
				explorer_press(&e, "}");
				char *text = explorer_text(&e);
				expect_row(s, text);
				free(text);
			}
		}
		explorer_end(&e);
	}
}

/* The experiments of caselab are rows of its table: the cursor begins there, Enter buys one and the
 * sentence says what it found, and the list of knobs has them no more. */
Test(app, a_row_of_a_table_is_taken_with_enter)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "caselab"));
	const struct live *s = sim_of(e.app);
	cr_expect(explorer_shows(&e, "› profile of 10 steps"));
	cr_expect(explorer_shows(&e, "Enter buy"));
	cr_expect(not(explorer_shows(&e, "buy: profile")));
	explorer_press(&e, "j Enter");
	int data = sim_knob_index(s->sim, "look_data");
	cr_expect(eq(int, s->focus, data));
	cr_expect(eq(dbl, s->now.v[data], 1));
	cr_expect(eq(int, e.app->entry.kind, ENTRY_NONE));
	cr_expect(explorer_shows(&e, "› lengths of the texts   bought"));
	cr_expect(explorer_shows(&e, "no padding, nothing cut."), "in the sentence");
	explorer_press(&e, "Tab");
	cr_expect(eq(int, s->focus, sim_knob_index(s->sim, "culprit")), "the next group");
	cr_expect(explorer_shows(&e, "Enter choose"));
	explorer_press(&e, "BTab G Tab");
	cr_expect(eq(int, s->focus, sim_knob_index(s->sim, "look_profile")), "round to the first");
	explorer_end(&e);
}

/* Where the table does not stand on the screen, moving through it brings it there. */
Test(app, the_row_in_hand_comes_into_sight)
{
	struct explorer e = explorer_start(24, 80, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "caselab"));
	cr_expect(explorer_shows(&e, "› profile of 10 steps"));
	explorer_press(&e, "PgDn");
	cr_expect(not(explorer_shows(&e, "profile of 10 steps")), "a key leads away");
	explorer_press(&e, "j");
	cr_expect(explorer_shows(&e, "› lengths of the texts"));
	explorer_end(&e);
}

/* A press on a row goes there, one on the row in hand takes it. */
Test(app, the_mouse_takes_a_row_of_a_table)
{
	struct explorer e = explorer_start(32, 100, GLYPHS_LINES);
	cr_assert(explorer_open(&e, "caselab"));
	const struct live *s = sim_of(e.app);
	int rank = sim_knob_index(s->sim, "run_rank"), row = 0;
	struct canvas cv = explorer_draw(&e);
	while (row < cv.n_turned && strcmp(cv.turned[row].knob, "run_rank") != 0)
		row++;
	cr_assert(lt(int, row, cv.n_turned));
	row = cv.turned[row].r.row;
	canvas_release(&cv);
	app_click(e.app, row, 4);
	app_settle(e.app);
	cr_expect(eq(int, s->focus, rank));
	cr_expect(zero(dbl, s->now.v[rank]));
	app_click(e.app, row, 4);
	app_settle(e.app);
	cr_expect(eq(dbl, s->now.v[rank], 1));
	cr_expect(explorer_shows(&e, "bought"));
	explorer_end(&e);
}
