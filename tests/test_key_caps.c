/* The keys that were pressed, for people who watch. */
#include "tests/explorer.h"
#include "ui/screens/present/present_screen.h"
#include "ui/shell/key_caps.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

static struct explorer talk_with_caps(void)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	explorer_press(&e, "K");
	return e;
}

/* The bottom line. To be freed. */
static char *bottom(const struct explorer *e)
{
	char *text = explorer_text(e), *end = text + strlen(text) - 1, *line = end;
	while (line > text && line[-1] != '\n')
		line--;
	char *copy = strndup(line, (size_t)(end - line));
	free(text);
	return copy;
}

static void expect_bottom(const struct explorer *e, const char *end, bool there)
{
	char *line = bottom(e);
	cr_expect(eq(int, strstr(line, end) != NULL, there), "\"%s\" in \"%s\"", end, line);
	free(line);
}

Test(key_caps, the_last_four)
{
	struct explorer e = talk_with_caps();
	expect_bottom(&e, "  [ K ]", true);
	explorer_press(&e, "l l h");
	expect_bottom(&e, "[ K ] [ l ] [ l ] [ h ]", true);
	explorer_press(&e, "n");
	expect_bottom(&e, "  [ l ] [ l ] [ h ] [ n ]", true);
	/* Long names take the room of others, the newest first. */
	explorer_press(&e, "PgDn PgUp PgDn");
	expect_bottom(&e, "  [ PgUp ] [ PgDn ]", true);
	explorer_press(&e, "K l");
	expect_bottom(&e, "[ l ]", false);
	explorer_end(&e);
}

/* Nothing wakes up once they are gone. */
Test(key_caps, go_after_two_seconds)
{
	struct explorer e = talk_with_caps();
	e.now_ms = 5000;
	explorer_press(&e, "l");
	cr_expect(eq(int, app_tick(e.app, 5000), 2000));
	e.now_ms = 6500;
	explorer_press(&e, "l");
	cr_expect(eq(int, app_tick(e.app, 8499), 1));
	expect_bottom(&e, "[ l ] [ l ]", true);
	cr_expect(eq(int, app_tick(e.app, 8500), -1));
	expect_bottom(&e, "[ l ]", false);
	cr_expect(eq(int, app_tick(e.app, 8600), -1));
	explorer_end(&e);
}

/* What is typed into the palette, or as a value, is nobody's business. */
Test(key_caps, what_is_typed_is_not_shown)
{
	struct explorer e = talk_with_caps();
	explorer_press(&e, ": s e c r e t");
	cr_expect(eq(sz, e.app->caps.n, 2));
	explorer_press(&e, "Esc");
	expect_bottom(&e, "[ K ] [ : ]", true);
	explorer_press(&e, "0 . 8 Enter");
	cr_expect(present_talk(e.app)->off_script);
	cr_expect(eq(sz, e.app->caps.n, 2));
	expect_bottom(&e, "[ 8 ]", false);
	explorer_end(&e);
}

/* Without being asked for, none are kept and nothing moves. */
Test(key_caps, are_off)
{
	struct explorer e = explorer_start(30, 100, GLYPHS_BRAILLE);
	cr_assert(explorer_open(&e, "present:queueing"));
	explorer_press(&e, "l");
	cr_expect(zero(sz, e.app->caps.n));
	cr_expect(eq(int, app_tick(e.app, 10), -1));
	explorer_end(&e);
}
