/* A simulation in hand: what the sentence after a turn says, on figures made by hand. */
#include "ui/data/tables_load.h"
#include "ui/live/live_headline.h"
#include "ui/live/live_mouse.h"
#include "ui/live/live_run.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "ui/live/setting_words.h"
#include "ui/live/trial.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
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

/* A sentence of what to try names knobs and values as people do. */
Test(live, what_to_try_is_read)
{
	static const char *const formats[] = { "fp16", "e4m3", NULL };
	static const char *const format_names[] = { "half precision", "E4M3" };
	static const struct knob knobs[] = {
		{ .id = "batch",
			.label = "batch",
			.unit = "",

			.kind = KNOB_NUMBER,
			.min = 1,
			.max = 4096,
			.step = 1 },
		{ .id = "leak", .label = "leak", .unit = "", .kind = KNOB_TOGGLE },
		{ .id = "micro_batches",
			.label = "pieces",
			.unit = "",
			.kind = KNOB_NUMBER,
			.min = 1,
			.max = 64,
			.step = 1 },
		{ .id = "every",
			.label = "checkpoint every",
			.unit = "min",
			.kind = KNOB_NUMBER,
			.min = 1,
			.max = 100,
			.step = 1 },
		{ .id = "format",
			.label = "number format",
			.unit = "",
			.kind = KNOB_CHOICE,
			.choices = formats,
			.choice_names = format_names },
	};
	static const struct {
		const char *text;
		int n;
		struct trial_setting first, second;
		const char *after;
	} rows[] = {
		{ "Turn leak on. When is it full?", 1, { 1, 1 }, { 0, 0 },
			"When is it full? Go on with :present one" },
		{ "Turn the batch to 1,024, then leak off. Who waits?", 2, { 0, 1024 }, { 1, 0 },
			"Who waits? Go on with :present one" },
		{ "Turn micro batches from 8 to 32. What is left?", 1, { 2, 32 }, { 0, 0 },
			"What is left? Go on with :present one" },
		{ "Checkpoint every 50 min, then on 64 pieces. What is lost?", 2, { 2, 64 },
			{ 3, 50 }, "What is lost? Go on with :present one" },
		{ "Turn batch to 2, then to 4. And now?", 1, { 0, 4 }, { 0, 0 },
			"And now? Go on with :present one" },
		{ "Set format to FP16, then to E4M3. How far?", 1, { 4, 1 }, { 0, 0 },
			"How far? Go on with :present one" },
		{ "Set number format to half precision. How far?", 1, { 4, 0 }, { 0, 0 },
			"How far? Go on with :present one" },
		{ "Look at it. What is it?", 0, { 0, 0 }, { 0, 0 }, "Look at it. What is it?" },
		{ "Turn batches to 2. And?", 0, { 0, 0 }, { 0, 0 }, "Turn batches to 2. And?" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct sim sim = {
			.id = "one", .knobs = knobs, .n_knobs = 5, .try = rows[i].text
		};
		const struct tables no_tables = { .n_gpus = 0 };
		struct trial_setting found[MOST_TRIALS] = { { 0, 0 } };
		struct live s = { .sim = &sim, .tables = &no_tables, .now.v = { 7, 7, 7, 7, 7 } };
		char words[256];
		int n = trial_settings(&sim, &no_tables, found);
		cr_assert(eq(int, n, rows[i].n), "%s", rows[i].text);
		const struct trial_setting want[] = { rows[i].first, rows[i].second };
		cr_expect(eq(str, trial_words(&s, words, sizeof words), (char *)rows[i].text));
		for (int k = 0; k < n; k++) {
			cr_expect(eq(int, found[k].knob, want[k].knob), "%s", rows[i].text);
			cr_expect(eq(dbl, found[k].value, want[k].value), "%s", rows[i].text);
			cr_expect(trial_done(&s) == false, "%s", rows[i].text);
			s.now.v[want[k].knob] = want[k].value;
		}
		cr_expect(eq(str, trial_words(&s, words, sizeof words), (char *)rows[i].after));
	}
}

/* No simulation opens with it done, and it is noticed of all but two, which ask for what is no
 * setting: of diagnosis and caselab. */
Test(live, what_to_try_is_noticed)
{
	struct tables t = load_tables();
	size_t noticed = 0;
	for (size_t i = 0; i < n_sims; i++) {
		struct trial_setting found[MOST_TRIALS];
		struct live s = { .sim = sims[i], .tables = &t };
		sim_defaults(sims[i], &t, s.now.v);
		int n = trial_settings(sims[i], &t, found);
		cr_expect(trial_done(&s) == false, "%s", sims[i]->id);
		for (int k = 0; k < n; k++)
			s.now.v[found[k].knob] = found[k].value;
		noticed += trial_done(&s);
	}
	cr_expect(eq(sz, noticed, n_sims - 2));
	tables_release(&t);
}

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
			"Knob 1 → 2: first 10 → 13 ms (+30 %). It is so." },
		/* the first is the large number on the screen: it is told if it moved a hundredth */
		{ "the second a good deal more", { 10, 13 }, { 10, 16 }, { 0, 0 },
			"Knob 1 → 2: first 10 → 13 ms (+30 %). It is so." },
		{ "the first hardly", { 1000, 1005 }, { 10, 14 }, { 0, 0 },
			"Knob 1 → 2: second 10 → 14 GB (+40 %). It is so." },
		{ "nothing", { 10, 10 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: nothing here moves. It is so." },
		/* less than one in 2,000 */
		{ "next to nothing", { 10000, 10004 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: nothing here moves. It is so." },
		/* from half as much again on it is a factor */
		{ "one and a half times", { 10, 15 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: first 10 → 15 ms (1.5x). It is so." },
		{ "many times", { 10, 125 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: first 10 → 125 ms (12x). It is so." },
		{ "down", { 10, 4 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: first 10 → 4 ms (-60 %). It is so." },
		{ "down to next to nothing", { 1000, 1 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: first 1 s → 1 ms (-99 %). It is so." },
		/* a slack has no share by which it changes */
		{ "below zero", { -14, -13 }, { 10, 10 }, { 0, 0 },
			"Knob 1 → 2: first -14 → -13 ms. It is so." },
		/* yes and no say themselves in their note */
		{ "a flag", { 10, 10 }, { 10, 10 }, { 0, 1 },
			"Knob 1 → 2: nothing here moves. It is so." },
		{ "to infinity", { 10, INFINITY }, { 10, 11 }, { 0, 0 },
			"Knob 1 → 2: second 10 → 11 GB (+10 %). It is so." },
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
		figure_why(&s.figure, "It is so.");
		live_sentence(&s, text, sizeof text);
		cr_expect(eq(str, text, (char *)rows[i].want), "%s", rows[i].what);
		figure_release(&s.figure);
		figure_release(&s.previous);
	}
}

/* A headline of so many columns: what is dropped first, what last. */
Test(live, a_headline_keeps_to_its_room)
{
	static const struct {
		const char *why;
		int cols, lines;
		const char *want;
	} rows[] = {
		/* 29 characters say the turn; with both sentences they are 65 */
		{ "The first is long. And a second.", 65, 1,
			"Knob 1\u00a0→\u00a02: share 60\u00a0→\u00a030 %. The first is long. And a second." },
		{ "The first is long. And a second.", 50, 1,
			"Knob 1\u00a0→\u00a02: share 60\u00a0→\u00a030 %. The first is long." },
		/* rather the reason than the knob, which one has in hand */
		{ "The first is long. And a second.", 40, 1,
			"Share 60\u00a0→\u00a030 %. The first is long." },
		{ "One thing that is the case: another thing.", 60, 1,
			"Knob 1\u00a0→\u00a02: share 60\u00a0→\u00a030 %. One thing that is the case." },
		{ "This has no end that would fit here by itself.", 40, 1,
			"Knob 1\u00a0→\u00a02: share 60\u00a0→\u00a030 %." },
		{ "This has no end that would fit here by itself.", 20, 1,
			"Share 60\u00a0→\u00a030 %." },
		/* a few words before a colon are no sentence */
		{ "Two: this has no end that would fit here.", 40, 1,
			"Knob 1\u00a0→\u00a02: share 60\u00a0→\u00a030 %." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = { .sim = &one_knob,
			.now = { .v = { 2 } },
			.before = { .v = { 1 } },
			.changed = 0 };
		char text[256];
		figure_value(&s.previous, "share", "share", 60, "%", ROLE_PLAIN);
		figure_value(&s.figure, "share", "share", 30, "%", ROLE_PLAIN);
		figure_why(&s.figure, "%s", rows[i].why);
		live_headline(&s, rows[i].cols, rows[i].lines, GLYPHS_LINES, text, sizeof text);
		cr_expect(eq(str, text, (char *)rows[i].want), "row %zu", i);
		figure_release(&s.figure);
		figure_release(&s.previous);
	}
}

/* While a setting is pinned the headline reckons from that one, whatever was turned last. */
Test(live, a_headline_compares_with_the_pin)
{
	static const struct knob knobs[] = {
		{ .id = "n",
			.label = "GPUs",
			.unit = "",
			.min = 1,
			.max = 64,
			.geometric = true,
			.step = 2 },
		{ .id = "a", .label = "a", .unit = "ms", .max = 9, .step = 1 },
		{ .id = "b", .label = "b", .unit = "", .max = 9, .step = 1 },
		{ .id = "c", .label = "c", .unit = "", .max = 9, .step = 1 },
	};
	static const struct sim sim = { .id = "s", .title = "S", .knobs = knobs, .n_knobs = 4 };
	static const struct {
		double pin[4], now[4], hero[2], cost[2];
		const char *want;
	} rows[] = {
		{ { 8, 1, 1, 1 }, { 16, 1, 1, 1 }, { 60, 30 }, { 2, 3 },
			"Twice the GPUs (8 → 16): share 60 → 30 %, cost $2 → $3 (1.5x). So." },
		{ { 8, 1, 1, 1 }, { 4, 1, 1, 1 }, { 60, 30 }, { 2, 2 },
			"Half the GPUs (8 → 4): share 60 → 30 %. So." },
		/* three times has no word */
		{ { 8, 1, 1, 1 }, { 24, 1, 1, 1 }, { 60, 60 }, { 2, 3 },
			"GPUs 8 → 24: cost $2 → $3 (1.5x). So." },
		/* only steps that multiply are told as a multiple; the unit stands once */
		{ { 8, 1, 1, 1 }, { 8, 2, 1, 1 }, { 60, 30 }, { 2, 2 },
			"a 1 → 2 ms: share 60 → 30 %. So." },
		{ { 8, 1, 1, 1 }, { 8, 2, 3, 4 }, { 60, 30 }, { 2, 2 },
			"a 1 → 2 ms, b 1 → 3, c 1 → 4: share 60 → 30 %. So." },
		{ { 8, 1, 1, 1 }, { 16, 2, 3, 4 }, { 60, 30 }, { 2, 2 },
			"GPUs 8 → 16, a 1 → 2 ms and 2 more: share 60 → 30 %. So." },
		/* nothing differs: the figure is read as ever */
		{ { 8, 1, 1, 1 }, { 8, 1, 1, 1 }, { 60, 60 }, { 2, 2 }, "So." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = { .sim = &sim, .has_pin = true, .changed = 1 };
		struct figure *figures[] = { &s.pinned, &s.figure };
		char text[256];
		memcpy(s.pin.v, rows[i].pin, sizeof rows[i].pin);
		memcpy(s.now.v, rows[i].now, sizeof rows[i].now);
		for (int k = 0; k < 2; k++) {
			figure_value(figures[k], "h", "share", rows[i].hero[k], "%", ROLE_PLAIN);
			figure_value(figures[k], "c", "cost", rows[i].cost[k], "$", ROLE_PLAIN);
		}
		figure_why(&s.figure, "So.");
		live_sentence(&s, text, sizeof text);
		cr_expect(eq(str, text, (char *)rows[i].want), "row %zu", i);
		figure_release(&s.figure);
		figure_release(&s.pinned);
	}
}

static void expect_knob(const struct live *s, double now, double pin, const char *when)
{
	cr_expect(s->now.v[0] == now, "%s: now %g, not %g", when, s->now.v[0], now);
	cr_expect(s->pin.v[0] == pin, "%s: pinned %g, not %g", when, s->pin.v[0], pin);
}

/* The value of a figure in hand is that of the setting in hand, whatever changed places. */
static void expect_figures(const struct live *s, const char *when)
{
	cr_expect(s->figure.values[0].value == 10 * s->now.v[0], "%s: the figure", when);
	cr_expect(s->pinned.values[0].value == 10 * s->pin.v[0], "%s: the pinned figure", when);
}

static void ten_times(const struct tables *t, const double v[], struct figure *fig)
{
	(void)t;
	figure_value(fig, "ten", "ten", 10 * v[0], "", ROLE_PLAIN);
}

/* Pinned and present setting change places, with their figures, and undo goes back over that. */
Test(live, a_swap_is_undone)
{
	static const struct sim tens = { .id = "tens",
		.title = "Tens",
		.summary = "Tens",
		.knobs = &knob,
		.n_knobs = 1,
		.run = ten_times };
	static const struct tables none;
	static const struct {
		enum action action;
		double now, pin;
	} steps[] = {
		{ ACT_RIGHT, 1, 0 },
		{ ACT_RIGHT, 2, 0 },
		{ ACT_SWAP, 0, 2 },
		{ ACT_RIGHT, 1, 2 },
		{ ACT_SWAP, 2, 1 },
		{ ACT_UNDO, 1, 2 },
		{ ACT_UNDO, 0, 2 },
		{ ACT_UNDO, 2, 0 },
		{ ACT_UNDO, 1, 0 },
		{ ACT_SWAP, 0, 1 },
		/* another setting pinned since is not given up for an undo */
		{ ACT_COMPARE, 0, 1 },
		{ ACT_RIGHT, 1, 1 },
		{ ACT_RIGHT, 2, 1 },
		{ ACT_COMPARE, 2, 2 },
		{ ACT_UNDO, 1, 2 },
		{ ACT_UNDO, 0, 2 },
		{ ACT_UNDO, 1, 2 },
	};
	for (int settles = 0; settles < 2; settles++) {
		struct live s = { .sim = &tens, .tables = &none, .changed = -1, .stale = true };
		live_update(&s);
		live_act(&s, ACT_SWAP); /* nothing is pinned: nothing happens */
		cr_expect(eq(sz, s.n_undo, 0));
		live_act(&s, ACT_COMPARE);
		for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
			char when[64];
			snprintf(when, sizeof when, "step %zu, settles %d", i, settles);
			cr_assert(live_act(&s, steps[i].action));
			if (settles)
				live_update(&s);
			expect_knob(&s, steps[i].now, steps[i].pin, when);
			if (settles)
				expect_figures(&s, when);
		}
		live_update(&s);
		expect_figures(&s, "at the end");
		live_release(&s);
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

/* The usual batch of ResNet-50 is 2,048: twice that is one step up, half of it one step down. What
 * was set by hand stands for itself. */
Test(live, auto_is_stepped_from_what_it_comes_to)
{
	static const struct {
		const char *text;
		enum action way;
		double want;
	} rows[] = {
		{ "scaling knobs=global_batch", ACT_RIGHT, 4096 },
		{ "scaling knobs=global_batch", ACT_LEFT, 1024 },
		{ "scaling knobs=global_batch global_batch=256", ACT_RIGHT, 512 },
		{ "scaling knobs=gpu_batch mode=weak", ACT_RIGHT, 512 },
	};
	struct tables t;
	char err[256];
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s;
		cr_assert(zero(int, live_open_text(&s, &t, rows[i].text, err, sizeof err)));
		live_act(&s, rows[i].way);
		cr_expect(eq(dbl, s.now.v[s.focus], rows[i].want), "row %zu", i);
		live_release(&s);
	}
	tables_release(&t);
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

/* --- the playhead ------------------------------------------------------------------------- */

static void run_of_12_s(const struct tables *t, const double v[], struct figure *fig)
{
	(void)t;
	(void)v;
	fig->duration_s = 12.34567;
	figure_landmark(fig, 1.23411, "the first");
	figure_landmark(fig, 6, "the middle");
	figure_landmark(fig, 13, "after the end");
	figure_landmark(fig, NAN, "never");
	figure_moment(fig, 3, "a caption");
}
static const struct sim twelve = { .id = "twelve",
	.title = "Twelve",
	.summary = "Twelve",
	.knobs = &knob,
	.n_knobs = 1,
	.run = run_of_12_s };
static const struct tables no_tables;

static struct live start_twelve(void)
{
	struct live s = { .sim = &twelve,
		.tables = &no_tables,
		.changed = -1,
		.stale = true,
		.playhead_s = NAN };
	live_update(&s);
	return s;
}

/* A run takes 12 s of the clock, so that a second of the clock is 1.0288 s of this one, and 3.1 s are 3.1893 s; four digits
 * of it are hundredths. Ticks come where they like: what is rounded does not add up. */
Test(live_run, plays_at_a_speed)
{
	static const struct {
		const char *what;
		int faster; /* > so often; negative: < */
		double after_1_s, after_3_1_s;
	} rows[] = {
		{ "as it opens", 0, 1.03, 3.19 },
		{ "twice", 1, 2.06, 6.38 },
		{ "eight times", 3, 8.23, 12.34567 },
		{ "no more than that", 9, 8.23, 12.34567 },
		{ "half", -1, 0.51, 1.59 },
		{ "a quarter, and no less", -9, 0.26, 0.8 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = start_twelve();
		for (int k = rows[i].faster; k != 0; k += k < 0 ? 1 : -1)
			live_act(&s, k < 0 ? ACT_SLOWER : ACT_FASTER);
		live_act(&s, ACT_PLAY);
		int64_t begun = 5000, now = begun;
		live_tick(&s, now);
		for (; now < begun + 1000; now += 50)
			live_tick(&s, now);
		live_tick(&s, begun + 1000);
		cr_expect(eq(dbl, s.playhead_s, rows[i].after_1_s), "%s", rows[i].what);
		for (now = begun + 1090; now <= begun + 2980; now += 90)
			live_tick(&s, now);
		live_tick(&s, begun + 3050);
		live_tick(&s, begun + 3100);
		cr_expect(eq(dbl, s.playhead_s, rows[i].after_3_1_s), "%s", rows[i].what);
		live_release(&s);
	}
}

static const struct knob length = { .id = "length_s",
	.label = "length",
	.unit = "s",
	.kind = KNOB_NUMBER,
	.min = 1,
	.max = 20,
	.step = 1,
	.help = "how long it runs" };

static void run_of_so_long(const struct tables *t, const double v[], struct figure *fig)
{
	(void)t;
	fig->duration_s = v[0];
}

static const struct sim so_long = { .id = "so-long",
	.title = "So long",
	.summary = "So long",
	.knobs = &length,
	.n_knobs = 1,
	.run = run_of_so_long };

/* A run of 12 s has played for 6 s when it is turned. One of 16 s goes on from the sixth second, at 16/12 s of it in a
 * second; one of 4 s has no sixth second and goes on from its middle; and neither is thrown to its end. */
Test(live_run, goes_on_from_its_moment_when_its_length_is_turned)
{
	static const struct {
		double length_s, at_s, a_second_later;
	} rows[] = { { 16, 6, 7.33 }, { 4, 2, 2.33 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = { .sim = &so_long,
			.tables = &no_tables,
			.changed = -1,
			.stale = true,
			.now = { .v = { 12 } },
			.playhead_s = NAN };
		live_update(&s);
		live_act(&s, ACT_PLAY);
		live_tick(&s, 1000);
		live_tick(&s, 7000);
		cr_assert(eq(dbl, s.playhead_s, 6));
		live_set(&s, 0, rows[i].length_s);
		live_update(&s);
		cr_expect(eq(dbl, s.playhead_s, rows[i].at_s));
		live_tick(&s, 7050);
		live_tick(&s, 8050);
		cr_expect(epsilon_eq(dbl, s.playhead_s, rows[i].a_second_later, 0.006));
		cr_expect(s.playing);
		live_release(&s);
	}
}

/* { and } go from one to the next, and at the ends to the ends; a time is rounded up, so that what
 * happens then has happened. Those outside of the run are none. */
Test(live_run, jumps_from_landmark_to_landmark)
{
	static const struct {
		enum action action;
		double at_s;
		size_t landmark;
	} steps[] = {
		{ ACT_MOMENT_NEXT, 1.24, 1 },
		{ ACT_MOMENT_NEXT, 6, 2 },
		{ ACT_MOMENT_NEXT, 12.34567, 0 },
		{ ACT_MOMENT_NEXT, 12.34567, 0 },
		{ ACT_MOMENT_BEFORE, 6, 2 },
		{ ACT_LATER, 6.25, 0 }, /* 6 + 0.02 * 12.35 = 6.247 */
		{ ACT_MOMENT_BEFORE, 6, 2 },
		{ ACT_MOMENT_BEFORE, 1.24, 1 },
		{ ACT_MOMENT_BEFORE, 0, 0 },
		{ ACT_MOMENT_BEFORE, 0, 0 },
	};
	struct live s = start_twelve();
	cr_assert(eq(sz, s.figure.n_landmarks, 2));
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		cr_assert(live_act(&s, steps[i].action));
		cr_expect(eq(dbl, s.playhead_s, steps[i].at_s), "step %zu", i);
		cr_expect(eq(sz, s.landmark, steps[i].landmark), "step %zu", i);
	}
	/* From the whole run the way back begins at the end. */
	s.playhead_s = NAN;
	live_act(&s, ACT_MOMENT_BEFORE);
	cr_expect(eq(dbl, s.playhead_s, 6));
	/* Without landmarks the captions are jumped to. */
	s.figure.n_landmarks = 0;
	live_act(&s, ACT_MOMENT_BEFORE);
	cr_expect(eq(dbl, s.playhead_s, 3));
	/* While it plays, the one just passed is not gone back to. */
	s.figure.n_landmarks = 2;
	s.playhead_s = 6.05;
	s.playing = true;
	live_act(&s, ACT_MOMENT_BEFORE);
	cr_expect(eq(dbl, s.playhead_s, 1.24));
	live_release(&s);
}

/* What a caption tells is of the run that is shown: seen to its end, it is at the end of the one that a turn makes
 * of it, and a stop that comes at another time there is not called by its name. */
Test(live_run, a_turn_leaves_no_caption_of_the_run_before)
{
	struct tables t = load_tables();
	struct live s = { 0 };
	char err[320];
	cr_assert(zero(int, live_open_text(&s, &t, "speculative", err, sizeof err)), "%s", err);
	const double was_s = s.figure.duration_s;
	s.playhead_s = was_s;
	live_act(&s, ACT_RIGHT);
	live_update(&s);
	cr_expect(ne(dbl, s.figure.duration_s, was_s));
	cr_expect(eq(dbl, s.playhead_s, s.figure.duration_s));
	live_release(&s);
	tables_release(&t);
	s = start_twelve();
	live_act(&s, ACT_MOMENT_NEXT);
	run_keep_stop(&s);
	cr_expect(eq(sz, s.landmark, 1));
	s.figure.landmarks[0].at_s = 1.1;
	run_keep_stop(&s);
	cr_expect(eq(sz, s.landmark, 0));
	live_release(&s);
}

/* As far as that share of the run, played. */
static void play_to(struct live *s, double share)
{
	live_act(s, ACT_PLAY);
	live_tick(s, 1000);
	live_tick(s, 1000 + (int64_t)(share * 12000));
}

/* Four digits of the whole run: hundredths of 27 s, tenths of a millisecond of 107 ms. */
Test(live_run, a_place_is_short_and_reads_back)
{
	static const struct {
		double duration_s, at_s;
		const char *want;
	} rows[] = {
		{ 26.98, 2, "twelve at=end" },
		{ 0.107142857, 0.25, "twelve at=26.8ms" }, /* 26.7857 ms, to a tenth */
		{ 73.2 * 3600, 0.3, "twelve at=79100s" },  /* 79,056 s, to a hundred */
		{ 3.7e-4, 0.1, "twelve at=37us" },
		{ 26.98, 0.1, "twelve at=2.7s" }, /* 2.698 s, to a hundredth */
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct live s = start_twelve();
		char place[128], err[160];
		s.figure.duration_s = rows[i].duration_s;
		play_to(&s, rows[i].at_s);
		live_place(&s, place, sizeof place);
		cr_expect(eq(str, place, (char *)rows[i].want));
		double was = s.playhead_s;
		s.playhead_s = NAN;
		cr_assert(zero(int, run_read_time(&s, strchr(place, '=') + 1, err, sizeof err)));
		cr_expect(eq(dbl, s.playhead_s, was));
		live_release(&s);
	}
}

/* --- the mouse ---------------------------------------------------------------------------- */

/* A drag is one step for undo, and is told from where it began, however many frames it took; a key
 * in between ends that step. */
Test(live_mouse, a_drag_is_one_step)
{
	static const struct sim tens = { .id = "tens",
		.title = "Tens",
		.summary = "Tens",
		.knobs = &knob,
		.n_knobs = 1,
		.run = ten_times };
	for (int settles = 0; settles < 2; settles++) {
		struct live s = {
			.sim = &tens, .tables = &no_tables, .changed = -1, .stale = true
		};
		char text[128];
		live_update(&s);
		/* eleven columns for 0 to 10 */
		s.grip = (struct grip){ .held = true, .knob = 0, .col = 20, .cols = 11 };
		static const int cols[] = { 20, 23, 24, 40, 28 };
		for (size_t i = 0; i < sizeof cols / sizeof *cols; i++) {
			live_drag(&s, cols[i]);
			if (settles)
				live_update(&s);
		}
		live_update(&s);
		cr_expect(eq(dbl, s.now.v[0], 8));
		cr_expect(eq(sz, s.n_undo, 1));
		live_sentence(&s, text, sizeof text);
		cr_expect(strstr(text, "Knob 0 → 8: ten 0 → 80") == text, "%s", text);
		live_act(&s, ACT_LEFT);
		live_drag(&s, 25);
		live_update(&s);
		cr_expect(eq(dbl, s.now.v[0], 5));
		cr_expect(eq(sz, s.n_undo, 3));
		for (int i = 0; i < 3; i++)
			live_act(&s, ACT_UNDO);
		cr_expect(eq(dbl, s.now.v[0], 0));
		live_release(&s);
	}
}

/* An axis that begins at 1 and ends at 1,024 has 32 in its middle. */
Test(live_mouse, an_axis_leads_its_knob)
{
	static const struct knob gpus = { .id = "n",
		.label = "GPUs",
		.unit = "",
		.min = 1,
		.max = 64,
		.dflt = 1,
		.step = 2,
		.geometric = true,
		.integer = true };
	static const struct sim sim = {
		.id = "s", .title = "S", .knobs = &gpus, .n_knobs = 1, .run = ten_times
	};
	static const struct {
		int col;
		double want;
	} rows[] = { { 10, 1 }, { 15, 32 }, { 14, 16 }, { 20, 64 }, { 0, 1 }, { 99, 64 } };
	struct live s = { .sim = &sim, .tables = &no_tables, .now.v = { 2 }, .changed = -1 };
	s.grip = (struct grip){ .held = true,
		.col = 10,
		.cols = 11,
		.axis = true,
		.logarithmic = true,
		.lo = 1,
		.hi = 1024 };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		live_drag(&s, rows[i].col);
		cr_expect(eq(dbl, s.now.v[0], rows[i].want), "column %d", rows[i].col);
	}
	live_release(&s);
}
