/* Any bytes are keys, resizes, clicks and time: the explorer takes them at any size and draws. */
#include "ui/shell/app.h"
#include "ui/data/tables_load.h"
#include "ui/screens/screens.h"
#include "ui/term/keys.h"
#include "sims/registry/registry.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

enum { MOST_KEYS = 8, MOST_LOOKS = 4 };

/* Of all explorers, which only read them: with what comparisons with measurements came to, which takes
 * longer than an input. */
static struct tables tables;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	require(setenv("XDG_CONFIG_HOME", "/nonexistent", 1) == 0);
	require(tables_load(&tables, err, sizeof err) == 0);
	return 0;
}

static void draw(const struct app *app)
{
	struct canvas cv;
	require(canvas_init(&cv, app->rows, app->cols, app->glyphs) == 0);
	app_draw(app, &cv);
	for (int i = 0; i < cv.rows * cv.cols; i++) {
		require(cv.cells[i].style < N_STYLES);
		require(app->glyphs != GLYPHS_ASCII ||
			(cv.cells[i].code >= 0x20 && cv.cells[i].code < 0x7f));
	}
	canvas_release(&cv);
}

/* Bytes of text are themselves; the rest are the keys that have names, and what else happens. */
static void take(struct app *app, const uint8_t *data, size_t size, size_t *at, int64_t *now_ms)
{
	uint8_t byte = data[(*at)++];
	uint8_t next = *at < size ? data[*at] : 0;
	if (byte < 0x80) {
		app_key(app, byte, *now_ms);
	} else if (byte < 0x80 + (KEY_NONE_ - KEY_UP_)) {
		app_key(app, KEY_UP_ + (uint32_t)(byte - 0x80), *now_ms);
	} else if (byte < 0xc0) {
		app_key(app, 0x80 + 97u * next, *now_ms);
		++*at;
	} else if (byte < 0xd0) {
		app_resize(app, 1 + (byte & 15) * 3, 1 + next / 2);
		++*at;
	} else if (byte < 0xe0) {
		(next & 64 ? app_drag : app_click)(app, next % 64, (byte & 15) * 8);
		++*at;
	} else if (byte < 0xf0) {
		app_wheel(app, byte & 1 ? 1 : -1, next % 64, (byte & 15) * 8);
		++*at;
	} else {
		*now_ms += next * 100;
		app_tick(app, *now_ms);
		++*at;
	}
}

/* Long runs are told to stop after some looks, as by a key that waits. */
static bool has_looks(void *left, double share)
{
	size_t *n = left;
	require(share >= 0 && share <= 1);
	return *n && --*n;
}

/* What the loop does between two keys. */
static void show(struct app *app, size_t *looks)
{
	*looks = MOST_LOOKS;
	app_settle(app);
	draw(app);
	if (app->works)
		app_work(app);
}

/* Simulations that take long at each turn of a knob. Their screens are those of the others, and what they
 * read is tried in fuzz_setting: here it begins at home in place of them. */
static bool is_slow(const char *id)
{
	static const char *const slow[] = { "tiles", "memory", "timeline", "compression",
		"disaggregation" };
	for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
		if (strcmp(slow[i], id) == 0)
			return true;
	return false;
}

/* The first byte chooses the glyphs and where to begin. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct app *app = malloc(sizeof *app);
	char err[256];
	int64_t now_ms = 0;
	size_t looks = MOST_LOOKS;
	if (size == 0 || !app) {
		free(app);
		return 0;
	}
	require(app_init(app, screens, 16, 60, (enum glyphs)(data[0] % 3)) == 0);
	app->tables = tables;
	app->has_tables = true;
	app->go_on = has_looks;
	app->go_on_context = &looks;
	static const char *const modes[] = { "mode=set", "mode=interview", "mode=sprint" };
	size_t first = data[0] / 3 % (n_sims + 4);
	if (first < n_sims)
		require(is_slow(sims[first]->id) ||
			app_open(app, sims[first]->id, NULL, 0, err, sizeof err) == 0);
	else if (first < n_sims + 3)
		require(app_open(app, "drill", &modes[first - n_sims], 1, err, sizeof err) == 0);
	for (size_t at = 1, n = 0; at < size && n < MOST_KEYS; n++) {
		take(app, data, size, &at, &now_ms);
		require(app->behind.n <= MAX_TRAIL && app->screen < N_SCREENS);
		require(app->entry.cursor <= app->entry.bytes &&
			app->entry.bytes < sizeof app->entry.text);
		if (n % 4 == 0)
			show(app, &looks);
	}
	show(app, &looks);
	app->tables = (struct tables){ 0 };
	app_release(app);
	free(app);
	return 0;
}
