/* A simulation in hand: what the sentence after a turn says, on figures made by hand. */
#include "ui/data/tables_load.h"
#include "ui/live/live.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "ui/live/setting_words.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static const struct knob knob = { .id = "knob",
	.label = "knob",
	.unit = "",
	.kind = KNOB_NUMBER,
	.min = 0,
	.max = 10,
	.step = 1,
	.help = "it moves" };
static const struct sim one_knob = {
	.id = "one", .title = "One", .summary = "One knob", .knobs = &knob, .n_knobs = 1
};

/* The headline values are in order of importance: a later one is told instead of an earlier one
 * when its move, as a share of the larger of old and new, is more than one and a half times as
 * large. */
Test(live, the_sentence_names_what_moved_most)
{
	static const struct {
		const char *what;
		double first[2], second[2], flag[2];
		const char *want;
	} rows[] = {
		/* 3 of 13 are 23 %, 4 of 14 are 29 %: 1.24 times as much */
		{ "the first, and the second a little more", { 10, 13 }, { 10, 14 }, { 0, 0 },
			"knob 1 → 2: first 10 ms → 13 ms (+30\u00a0%). It moves." },
		/* the first is the large number on the screen: it is told if it moved a hundredth */
		{ "the second a good deal more", { 10, 13 }, { 10, 16 }, { 0, 0 },
			"knob 1 → 2: first 10 ms → 13 ms (+30\u00a0%). It moves." },
		{ "the first hardly", { 1000, 1005 }, { 10, 16 }, { 0, 0 },
			"knob 1 → 2: second 10 GB → 16 GB (+60\u00a0%). It moves." },
		{ "nothing", { 10, 10 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: nothing here moves. It moves." },
		/* less than one in 2,000 */
		{ "next to nothing", { 10000, 10004 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: nothing here moves. It moves." },
		{ "many times", { 10, 50 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: first 10 ms → 50 ms (5 times). It moves." },
		/* up to three times is a share */
		{ "three times", { 10, 30 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: first 10 ms → 30 ms (+200\u00a0%). It moves." },
		{ "down", { 10, 4 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: first 10 ms → 4 ms (-60\u00a0%). It moves." },
		/* a slack has no share by which it changes */
		{ "below zero", { -14, -13 }, { 10, 10 }, { 0, 0 },
			"knob 1 → 2: first -14 ms → -13 ms. It moves." },
		/* yes and no say themselves in their note */
		{ "a flag", { 10, 10 }, { 10, 10 }, { 0, 1 },
			"knob 1 → 2: nothing here moves. It moves." },
		{ "to infinity", { 10, INFINITY }, { 10, 11 }, { 0, 0 },
			"knob 1 → 2: second 10 GB → 11 GB (+10\u00a0%). It moves." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = { .sim = &one_knob,
			.now = { .v = { 2 } },
			.before = { .v = { 1 } },
			.changed = 0 };
		struct figure *figures[] = { &s.previous, &s.figure };
		char text[256];
		for (int k = 0; k < 2; k++) {
			figure_value(
				figures[k], "first", "first", rows[i].first[k], "ms", ROLE_PLAIN);
			figure_value(figures[k], "second", "second", rows[i].second[k], "GB",
				ROLE_PLAIN);
			figure_value(figures[k], "flag", "flag", rows[i].flag[k], "", ROLE_PLAIN);
		}
		live_sentence(&s, text, sizeof text);
		cr_expect(eq(str, text, (char *)rows[i].want), "%s", rows[i].what);
		figure_release(&s.figure);
		figure_release(&s.previous);
	}
}

/* A setting is never cut in silence: what is too long, or has more words than knobs, is refused. */
Test(live, a_setting_is_refused_whole)
{
	struct setting_words w;
	char text[1100] = "", err[160];
	cr_assert(eq(int, setting_words(&w, " roofline  gpu=h100\tbatch=8 ", err, sizeof err), 0));
	cr_expect(eq(sz, w.n, 3));
	cr_expect(eq(str, (char *)w.words[2], "batch=8"));
	memset(text, 'x', 1024);
	text[1023] = '\0';
	cr_expect(eq(int, setting_words(&w, text, err, sizeof err), 0));
	text[1023] = 'x';
	text[1024] = '\0';
	cr_expect(eq(int, setting_words(&w, text, err, sizeof err), -1));
	cr_expect(strstr(err, "at most 1023 bytes") != NULL, "%s", err);
	text[0] = '\0';
	for (int i = 0; i < MAX_KNOBS + 2; i++)
		strcat(text, "a=1 ");
	cr_expect(eq(int, setting_words(&w, text, err, sizeof err), -1));
	cr_expect(strstr(err, "more settings") != NULL, "%s", err);
}

/* A page's figure begins with the knobs that its text speaks of. */
Test(live, shown_knobs_come_first)
{
	static const struct {
		const char *text, *err;
	} rows[] = {
		{ "memory knobs=zero,batch", NULL },
		{ "memory knobs=zerro", "knobs: memory has no knob \"zerro\"" },
		{ "memory knobs=zero,zero", "knobs: \"zero\" stands there twice" },
	};
	struct tables t;
	char err[256];
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s;
		int order[MAX_KNOBS], rc = live_open_text(&s, &t, rows[i].text, err, sizeof err);
		cr_assert(eq(int, rc, rows[i].err ? -1 : 0), "%s", rows[i].text);
		if (rows[i].err) {
			cr_expect(eq(str, err, (char *)rows[i].err));
			continue;
		}
		struct knob_story story = live_story(&s);
		int n = knob_order(&story, order);
		cr_expect(eq(int, n, (int)s.sim->n_knobs));
		cr_expect(eq(str, (char *)s.sim->knobs[order[0]].id, "zero"));
		cr_expect(eq(str, (char *)s.sim->knobs[order[1]].id, "batch"));
		cr_expect(eq(int, s.focus, order[0]));
		live_release(&s);
	}
	tables_release(&t);
}

/* What y shows, opened again: for every simulation, with one knob after another away from its
 * default, and the playhead at a time with many digits. */
Test(live, its_command_line_gives_the_same_screen, .description = "long")
{
	struct tables t = load_tables();
	for (size_t i = 0; i < n_sims; i++)
		for (size_t j = 0; j < sims[i]->n_knobs; j++) {
			struct live s = { 0 }, again = { 0 };
			char err[320], place[1024];
			cr_assert(zero(int, live_open_text(&s, &t, sims[i]->id, err, sizeof err)),
				"%s", err);
			s.focus = (int)j;
			live_act(&s, ACT_RIGHT);
			live_update(&s);
			if (s.figure.duration_s > 0)
				s.playhead_s = s.figure.duration_s * ((double)(j % 8) / 7);
			live_place(&s, place, sizeof place);
			cr_assert(zero(int, live_open_text(&again, &t, place, err, sizeof err)),
				"%s: %s", place, err);
			cr_expect(zero(int, memcmp(&s.now, &again.now, sizeof s.now)), "%s", place);
			cr_expect(s.playhead_s == again.playhead_s ||
					  (isnan(s.playhead_s) && isnan(again.playhead_s)),
				"%s", place);
			live_release(&s);
			live_release(&again);
		}
	tables_release(&t);
}
