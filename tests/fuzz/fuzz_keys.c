/* Any bytes are keys, resizes, clicks and time: the explorer takes them at any size and draws. */
#include "ui/shell/app.h"
#include "ui/screens/screens.h"
#include "ui/term/keys.h"
#include "sims/registry/registry.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
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
		app_resize(app, 1 + (byte & 15) * 6, 1 + next);
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

/* The first byte chooses the glyphs and where to begin. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { MOST_KEYS = 96 };
	struct app *app = malloc(sizeof *app);
	char err[256];
	int64_t now_ms = 0;
	if (size == 0 || !app) {
		free(app);
		return 0;
	}
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	require(app_init(app, screens, 24, 80, (enum glyphs)(data[0] % 3)) == 0);
	static const char *const modes[] = { "mode=set", "mode=interview", "mode=sprint" };
	size_t first = data[0] / 3 % (n_sims + 4);
	if (first < n_sims)
		require(app_open(app, sims[first]->id, NULL, 0, err, sizeof err) == 0);
	else if (first < n_sims + 3)
		require(app_open(app, "drill", &modes[first - n_sims], 1, err, sizeof err) == 0);
	for (size_t at = 1, n = 0; at < size && n < MOST_KEYS; n++) {
		take(app, data, size, &at, &now_ms);
		require(app->behind.n <= MAX_TRAIL && app->screen < N_SCREENS);
		require(app->entry.cursor <= app->entry.bytes &&
			app->entry.bytes < sizeof app->entry.text);
		if (n % 3 == 0) {
			app_settle(app);
			draw(app);
		}
	}
	app_settle(app);
	draw(app);
	app_release(app);
	free(app);
	return 0;
}
