/* A monkey at the keys: any keys at any size, and nothing breaks, nothing is drawn outside, drawing
 * is a function of the state. */
#include "tests/monkey.h"
#include "ui/screens/sim/sim_screen.h"

#include "sims/registry/registry.h"
#include "ui/shell/layout.h"

#include <criterion/new/assert.h>

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
		random_mouse(&e, &r);
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
