/* A monkey at the explorer's keys: any key, and what holds of every screen whatever was pressed. */
#ifndef RIDGE_TESTS_MONKEY_H
#define RIDGE_TESTS_MONKEY_H

#include "tests/explorer.h"
#include "ui/live/action.h"
#include "ui/shell/bindings.h"
#include "ui/term/keys.h"

#include "sims/base/rng.h"

#include <criterion/criterion.h>

enum { MOST_ROWS = 100, MOST_COLS = 300 };

static inline uint32_t random_key(struct rng *r)
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

static inline void check_cells(const struct explorer *e, const struct canvas *cv, int n)
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

/* Nothing is drawn outside, and drawing is a function of the state. */
static inline void draw_twice(const struct explorer *e, int n)
{
	struct canvas first = explorer_draw(e), second = explorer_draw(e);
	size_t cells = (size_t)first.rows * (size_t)first.cols;
	cr_assert(memcmp(first.cells, second.cells, cells * sizeof *first.cells) == 0,
		"after %d keys", n);
	check_cells(e, &first, n);
	canvas_release(&first);
	canvas_release(&second);
}

/* Now and then a click, a drag, the wheel, anywhere. */
static inline void random_mouse(const struct explorer *e, struct rng *r)
{
	if (rng_below(r, 16) == 0)
		app_click(e->app, (int)rng_below(r, MOST_ROWS), (int)rng_below(r, MOST_COLS));
	if (rng_below(r, 16) == 0)
		app_drag(e->app, (int)rng_below(r, MOST_ROWS), (int)rng_below(r, MOST_COLS));
	if (rng_below(r, 32) == 0)
		app_wheel(e->app, rng_below(r, 2) ? 1 : -1, (int)rng_below(r, MOST_ROWS),
			(int)rng_below(r, MOST_COLS));
}

#endif
