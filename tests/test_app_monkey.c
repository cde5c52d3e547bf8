/* A monkey at the keys: any keys at any size, and nothing breaks, nothing is drawn outside, drawing
 * is a function of the state. */
#include "tests/explorer.h"
#include "ui/screens/sim/sim_screen.h"
#include "ui/term/keys.h"
#include "ui/shell/bindings.h"
#include "ui/live/action.h"

#include "sims/base/rng.h"
#include "ui/shell/layout.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { MOST_ROWS = 100, MOST_COLS = 300 };

static uint32_t random_key(struct rng *r)
{
	static const uint32_t rare[] = { 0xfffd, 0x10ffff, 0x7f13, 0xe9, 1, 0 };
	switch (rng_below(r, 4)) {
	case 0:
		return (uint32_t)(0x20 + rng_below(r, 0x5f));
	case 1:
		return rng_below(r, 20) ? KEY_UP_ + (uint32_t)rng_below(r, KEY_NONE_ - KEY_UP_)
					: rare[rng_below(r, sizeof rare / sizeof *rare)];
	default:
		break;
	}
	/* What the table knows, but for what quits. */
	for (;;) {
		const struct key_binding *b = &key_bindings[rng_below(r, n_key_bindings)];
		if (b->action != ACT_QUIT)
			return b->key;
	}
}

static void check_cells(const struct explorer *e, const struct canvas *cv, int n)
{
	for (int i = 0; i < cv->rows * cv->cols; i++) {
		const struct cell *c = &cv->cells[i];
		cr_assert(c->style < N_STYLES, "after %d keys", n);
		cr_assert(c->code == 0 || c->code == ' ' || code_width(c->code) > 0,
			"after %d keys: U+%04X", n, c->code);
		cr_assert(e->app->glyphs != GLYPHS_ASCII || (c->code >= 0x20 && c->code < 0x7f),
			"after %d keys: U+%04X on screen %d", n, c->code, e->app->screen);
	}
	cr_assert(cv->cursor_row < cv->rows, "after %d keys", n);
}

static void draw_twice(const struct explorer *e, int n)
{
	struct canvas first = explorer_draw(e), second = explorer_draw(e);
	size_t cells = (size_t)first.rows * (size_t)first.cols;
	cr_assert(memcmp(first.cells, second.cells, cells * sizeof *first.cells) == 0,
		"after %d keys", n);
	check_cells(e, &first, n);
	canvas_release(&first);
	canvas_release(&second);
}

static void play(enum glyphs glyphs, uint64_t seed, int keys)
{
	struct explorer e = explorer_start(24, 80, glyphs);
	struct rng r = rng_stream(seed, "monkey", 0);
	for (int n = 0; n < keys; n++) {
		bool small = rng_below(&r, 16) == 0;
		if (rng_below(&r, 4) == 0)
			app_resize(e.app, 1 + (int)rng_below(&r, small ? LEAST_ROWS : MOST_ROWS),
				1 + (int)rng_below(&r, small ? LEAST_COLS : MOST_COLS));
		e.now_ms += (int64_t)rng_below(&r, 3000);
		if (rng_below(&r, 16) == 0)
			app_click(e.app, (int)rng_below(&r, MOST_ROWS),
				(int)rng_below(&r, MOST_COLS));
		if (rng_below(&r, 16) == 0)
			app_drag(e.app, (int)rng_below(&r, MOST_ROWS),
				(int)rng_below(&r, MOST_COLS));
		if (rng_below(&r, 32) == 0)
			app_wheel(e.app, rng_below(&r, 2) ? 1 : -1, (int)rng_below(&r, MOST_ROWS),
				(int)rng_below(&r, MOST_COLS));
		/* Now and then several before anything settles, as they arrive in life. */
		for (uint64_t i = rng_below(&r, 3); i > 0; i--)
			app_key(e.app, random_key(&r), e.now_ms);
		explorer_key(&e, random_key(&r));
		app_tick(e.app, e.now_ms);
		cr_assert(e.app->failed == false);
		cr_assert(e.app->behind.n <= MAX_TRAIL && e.app->screen < N_SCREENS,
			"after %d keys", n);
		if (n % 4 == 0)
			draw_twice(&e, n);
	}
	explorer_end(&e);
}

Test(app_monkey, breaks_nothing, .description = "long")
{
	play(GLYPHS_LINES, 1, 700);
}

Test(app_monkey, breaks_nothing_in_ascii, .description = "long")
{
	play(GLYPHS_ASCII, 2, 700);
}

Test(app_monkey, breaks_nothing_in_braille, .description = "long")
{
	play(GLYPHS_BRAILLE, 3, 600);
}

/* A thousand keys at once run a simulation once, and end where they would one by one. */
Test(app_monkey, keys_at_once_end_where_keys_one_by_one_end, .description = "long")
{
	static const char keys[] = "lllljhhjLjlkulljlHru";
	for (size_t i = 0; i < n_sims; i++) {
		struct explorer one = explorer_start(24, 80, GLYPHS_LINES);
		struct explorer all = explorer_start(24, 80, GLYPHS_LINES);
		cr_assert(explorer_open(&one, sims[i]->id) && explorer_open(&all, sims[i]->id));
		for (int n = 0; keys[n]; n++) {
			explorer_key(&one, (uint32_t)keys[n]);
			app_key(all.app, (uint32_t)keys[n], 0);
		}
		app_settle(all.app);
		cr_expect(memcmp(sim_of(one.app)->now.v, sim_of(all.app)->now.v,
				  sims[i]->n_knobs * sizeof(double)) == 0,
			"%s", sims[i]->id);
		for (size_t v = 0; v < sim_of(one.app)->figure.n_values; v++) {
			double a = sim_of(one.app)->figure.values[v].value,
			       b = sim_of(all.app)->figure.values[v].value;
			cr_expect(a == b || (a != a && b != b), "%s %s", sims[i]->id,
				sim_of(one.app)->figure.values[v].id);
		}
		explorer_end(&one);
		explorer_end(&all);
	}
}
