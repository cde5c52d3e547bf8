/* A monkey in every place: what people type there, the keys of the table and any others, at any size, with the
 * user's files on the disk. Nothing breaks, nothing is drawn outside, and every line that was kept can be read. */
#include "tests/data_home.h"
#include "tests/monkey.h"

#include "sims/base/array.h"
#include "sims/registry/registry.h"
#include "ui/data/answers.h"
#include "ui/interviewer/interviewer_files.h"
#include "ui/practice/case_record.h"
#include "ui/shell/layout.h"
#include "ui/talks/tour_append.h"

#include <cjson/cJSON.h>
#include <criterion/new/assert.h>
#include <ftw.h>

enum {
	START_S = 1790000000,
	KEYS = 60,
	KEYS_UNTIL_BACK = 20,
	MOST_LINES_TYPED = 8,
	LONGEST_LINE = 1 << 16
};

/* What opens a place, and lines that mean something there. */
static const struct opening {
	const char *target, *lines[MOST_LINES_TYPED];
} places[] = {
	{ "home", { "roofline", "kv cache" } },
	{ "calendar", { "2026-12-14", "yesterday", "in 2 weeks", "" } },
	{ "calendar 2026-12-14", { "2028-02-29", "2026-13-01" } },
	{ "stats", { "" } },
	{ "case", { "" } },
	{ "case:gradients-over-ethernet",
		{ "How many GPUs are there?", "1 4 s", "nodes=8", "design nodes=8", "say the ring",
			"next", "mark clarify 3", "end" } },
	{ "case:gradients-over-ethernet level=staff minutes=20",
		{ "What is the budget? And the deadline?", "?", "estimate 2 3e9 B", "yes", "no",
			"release", "because the network is slow", "quit" } },
	{ "interviewer case=gradients-over-ethernet level=senior seed=5 name=Ada",
		{ "asks what waits", "How many GPUs?", "1 4 s", "2 skip", "design nodes=4", "?" } },
	{ "interviewer", { "12 GB", "asks first", "skip" } },
	{ "drill topic=roofline count=3 seed=1",
		{ "12 GB", "1", "?", "skip", "2 x 3 B", "0.3 TFLOP/s" } },
	{ "drill mode=set topic=memory seed=7", { "1", "21", "3 1 2", "16 KiB" } },
	{ "drill mode=sprint topic=numbers choice=no seed=3", { "5", "80 GB", "1e3", "2" } },
	{ "drill mode=review", { "1 ms", "50 %" } },
	{ "drill mode=placement seed=9", { "2", "7 GB/s" } },
	{ "drill topic=coding count=1 seed=3", { "y", "n" } },
	{ "present:queueing", { "2", "b", "a guess" } },
	{ "present:why-is-my-gpu-idle 2", { "1", "4" } },
	{ "notes:queueing", { "" } },
	{ "page:glossary", { "ring", "no such word" } },
	{ "page:serving", { "P99", "=" } },
	{ "page:formulas", { "kv", "2" } },
	{ "sim:timeline", { "8", "2x" } },
	{ "sim:memory", { "8k", "on", "llama3-8b" } },
	{ "sim:diagnosis", { "1" } },
	{ "sim:stacking", { "8e3", "nan" } },
};

static struct data_home home;

static void begin(void)
{
	char command[160];
	data_home_begin(&home, "drills");
	snprintf(command, sizeof command, "cp tests/data/history.jsonl %s/ridge/", home.path);
	cr_assert(zero(int, system(command)));
}

static void end(void)
{
	data_home_end(&home);
}

TestSuite(app_places, .init = begin, .fini = end);

static struct explorer start(enum glyphs glyphs)
{
	struct explorer e = explorer_start(24, 80, glyphs);
	e.app->epoch_s = START_S;
	e.app->record = answers_keep;
	e.app->load_history = answers_load;
	e.app->history_bytes = answers_bytes;
	e.app->history_stamp = answers_stamp;
	e.app->keep_interview = interviewer_file_keep;
	e.app->load_interview = interviewer_file_unfinished;
	e.app->keep_case = case_file_keep;
	e.app->load_case = case_file_read;
	e.app->case_stamp = case_file_stamp;
	e.app->keep_step = tour_append;
	return e;
}

/* A key that the screen has, so that few are idle. */
static uint32_t key_of_screen(const struct explorer *e, struct rng *r)
{
	for (;;) {
		const struct key_binding *b = &key_bindings[rng_below(r, n_key_bindings)];
		if (b->action != ACT_QUIT && b->screens >> e->app->screen & 1)
			return b->key;
	}
}

static void type_line(struct explorer *e, const struct opening *p, struct rng *r)
{
	size_t n = 0;
	while (n < LENGTH(p->lines) && p->lines[n])
		n++;
	explorer_type(e, p->lines[rng_below(r, n)]);
	explorer_key(e, KEY_ENTER_);
}

static void press(struct explorer *e, const struct opening *p, struct rng *r)
{
	switch (rng_below(r, 8)) {
	case 0:
	case 1:
		type_line(e, p, r);
		break;
	case 2:
		explorer_key(e, random_key(r));
		break;
	case 3:
		explorer_key(e, KEY_ENTER_);
		break;
	default:
		explorer_key(e, key_of_screen(e, r));
		break;
	}
}

static void play(enum glyphs glyphs, const struct opening *p, uint64_t seed, int keys)
{
	struct explorer e = start(glyphs);
	struct rng r = rng_stream(seed, p->target, 0);
	for (int n = 0; n < keys; n++) {
		if (n % KEYS_UNTIL_BACK == 0) {
			if (e.app->entry.kind != ENTRY_NONE) /* no key opens a place from a line */
				explorer_key(&e, KEY_ESC);
			cr_assert(explorer_open(&e, p->target), "%s", p->target);
		}
		if (rng_below(&r, 8) == 0)
			app_resize(e.app, LEAST_ROWS + (int)rng_below(&r, MOST_ROWS - LEAST_ROWS),
				LEAST_COLS + (int)rng_below(&r, MOST_COLS - LEAST_COLS));
		e.now_ms += (int64_t)rng_below(&r, 40000);
		random_mouse(&e, &r);
		press(&e, p, &r);
		app_tick(e.app, e.now_ms);
		cr_assert(e.app->failed == false, "%s", p->target);
		if (n % 2 == 0)
			draw_twice(&e, n);
	}
	explorer_end(&e);
}

/* Every line that is kept is one object. */
static int check_file(const char *path, const struct stat *unused, int type, struct FTW *place)
{
	static char line[LONGEST_LINE];
	(void)unused;
	(void)place;
	if (type != FTW_F || !strstr(path, ".jsonl") || strstr(path, "history.jsonl"))
		return 0;
	FILE *f = fopen(path, "r");
	cr_assert(f != NULL, "%s", path);
	for (size_t n = 1; fgets(line, sizeof line, f); n++) {
		cJSON *root = cJSON_ParseWithOpts(line, NULL, true);
		cr_expect(cJSON_IsObject(root), "%s, line %zu: %s", path, n, line);
		cJSON_Delete(root);
	}
	fclose(f);
	return 0;
}

/* Lines of the history; of them *unreadable cannot be read. */
static size_t count_history(size_t *unreadable)
{
	struct history h = { 0 };
	char err[300];
	cr_assert(zero(int, answers_load(&h, err, sizeof err)), "%s", err);
	const size_t n = h.n_lines;
	*unreadable = h.n_unreadable;
	history_release(&h);
	return n;
}

static void play_everywhere(enum glyphs glyphs, uint64_t seed)
{
	size_t torn_before, torn_after;
	const size_t before = count_history(&torn_before);
	for (size_t i = 0; i < LENGTH(places); i++)
		play(glyphs, &places[i], seed, KEYS);
	cr_expect(lt(sz, before, count_history(&torn_after)));
	cr_expect(eq(sz, torn_before, torn_after));
	cr_expect(zero(int, nftw(home.path, check_file, 8, FTW_PHYS)));
}

Test(app_places, nothing_breaks_in_braille, .description = "long", .timeout = 300)
{
	play_everywhere(GLYPHS_BRAILLE, 1);
}

Test(app_places, nothing_breaks_in_ascii, .description = "long", .timeout = 300)
{
	play_everywhere(GLYPHS_ASCII, 2);
}

/* Every simulation, at a size of its own for every few keys. */
Test(app_places, no_simulation_breaks_in_octants, .description = "long", .timeout = 300)
{
	for (size_t i = 0; i < n_sims; i++) {
		char target[80];
		snprintf(target, sizeof target, "sim:%s", sims[i]->id);
		const struct opening one = { target, { "2", "64", "0.5", "on", "1e9", "" } };
		play(GLYPHS_OCTANTS, &one, 3, KEYS);
	}
}

/* Every talk and tour, and what its speaker sees. */
Test(app_places, no_talk_breaks, .description = "long", .timeout = 300)
{
	struct explorer e = start(GLYPHS_LINES);
	const struct tour_list *tours = &e.app->tours;
	cr_assert(lt(sz, n_sims, tours->n));
	for (size_t i = 0; i < tours->n; i++) {
		char target[160];
		snprintf(target, sizeof target, "%s:%s", i % 4 ? "present" : "notes",
			tours->tours[i].id);
		const struct opening one = { target, { "2", "1", "3.5", "b", "" } };
		play(i % 2 ? GLYPHS_OCTANTS : GLYPHS_ASCII, &one, 5, KEYS / 2);
	}
	explorer_end(&e);
}

/* A line that is typed belongs to its screen: where a click leads to another one, Enter does not take it there. */
Test(app_places, a_line_ends_where_a_click_leads_away)
{
	struct explorer e = start(GLYPHS_LINES);
	size_t led = 0;
	app_resize(e.app, 60, 160);
	cr_assert(explorer_open(&e, "page:serving"));
	for (int row = 0; row < e.app->rows; row++)
		for (int col = 2; col < e.app->cols; col += 6) {
			explorer_press(&e, "/ x");
			cr_assert(eq(int, (int)e.app->entry.kind, ENTRY_SEARCH));
			app_click(e.app, row, col);
			app_settle(e.app);
			if (e.app->screen == SCREEN_PAGE) {
				explorer_press(&e, "Esc");
				continue;
			}
			cr_expect(eq(int, (int)e.app->entry.kind, ENTRY_NONE), "%d, %d", row, col);
			explorer_press(&e, "Enter");
			cr_assert(explorer_open(&e, "page:serving"));
			led++;
		}
	cr_expect(lt(sz, 0, led));
	explorer_end(&e);
}
