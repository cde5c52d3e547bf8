/* Every key of the table, in states of simulations, drills and statistics, twice in a row: one that the
 * bottom line offers changes what is on the screen, and none breaks anything. */
#include "tests/explorer.h"
#include "ui/shell/bindings.h"
#include "ui/shell/screen.h"
#include "ui/term/keys.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static const struct {
	const char *place, *keys;
} states[] = { { "roofline", "" }, { "timeline", "Space" }, { "diagnosis", "Tab Enter" },
	{ "drill", "" }, { "drill", "1 Enter Enter" }, { "stats", "" } };
enum { N_STATES = sizeof states / sizeof *states };

static void enter(struct explorer *e, size_t i)
{
	cr_assert(explorer_open(e, states[i].place), "%s", states[i].place);
	explorer_press(e, states[i].keys);
}

static bool is_offered(const struct app *app, const struct key_binding *b)
{
	const struct screen *s = app_screen(app);
	return b->footer && (!s->acts || s->acts(app, b->action));
}

/* At an end of a list or of a scale there is no way on, and nothing to enter without anything in focus. */
static bool moves(enum action a)
{
	return a <= ACT_PREVIOUS || a == ACT_BACK;
}

static void try_key(struct explorer *e, size_t i, const struct key_binding *b, size_t *offered)
{
	char name[16];
	enter(e, i);
	if (!(b->screens >> e->app->screen & 1))
		return;
	key_text(b->key, name, sizeof name);
	const bool is = is_offered(e->app, b) && !moves(b->action);
	char *before = explorer_text(e);
	explorer_key(e, b->key);
	char *after = explorer_text(e);
	cr_expect(is == false || strcmp(before, after) != 0,
		"%s, %s: %s is offered and changes nothing:\n%s", states[i].place, states[i].keys,
		name, after);
	*offered += is;
	free(before);
	free(after);
	explorer_key(e, b->key);
	cr_assert(
		e->app->failed == false, "%s, %s, then %s", states[i].place, states[i].keys, name);
	for (int back = 0; back < 3; back++) /* out of lists and lines */
		explorer_key(e, KEY_ESC);
}

static void try_states(size_t from, size_t to)
{
	size_t offered = 0;
	for (size_t i = from; i < to; i++) {
		struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
		for (size_t k = 0; k < n_key_bindings; k++)
			if (key_bindings[k].action != ACT_QUIT)
				try_key(&e, i, &key_bindings[k], &offered);
		explorer_end(&e);
	}
	cr_expect(lt(sz, to - from, offered));
}

Test(every_key, simulations, .description = "long", .timeout = 600)
{
	try_states(0, 3);
}

Test(every_key, drills_and_stats, .description = "long", .timeout = 600)
{
	try_states(3, N_STATES);
}
