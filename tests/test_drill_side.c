/* What stands beside a drill in a wide window. */
#include "ui/screens/drill/drill_side.h"

#include "tests/driller.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static char *due_text(const struct drill_request *r, int rows, int *used)
{
	struct sheet s;
	char *text = NULL;
	size_t size;
	sheet_init(&s, 50, GLYPHS_BRAILLE);
	drill_due_write(r, rows, &s);
	*used = s.rows;
	FILE *f = open_memstream(&text, &size);
	canvas_write_text(&s.cv, f);
	fclose(f);
	sheet_release(&s);
	return text;
}

/* What is known has a bar and a share, the rest is named, each in a row where there are as many; a few rows name a few
 * and count the others. */
Test(drill_side, says_what_is_due)
{
	struct drill_request r = { .options = { .n_skills = 4 },
		.skills = { "units", "kv-cache", "fp8", "decode" },
		.recall = { NAN, 0.83, NAN, 0.5 } };
	int rows;
	char *text = due_text(&r, 20, &rows);
	cr_expect(strstr(text, "KV cache") && strstr(text, "83 %"), "%s", text);
	cr_expect(strstr(text, "decode") && strstr(text, "50 %"), "%s", text);
	cr_expect(strstr(text, "units     still to be learned") != NULL, "%s", text);
	cr_expect(strstr(text, "KV cache") < strstr(text, "units"), "what fades comes first");
	free(text);
	text = due_text(&r, 4, &rows);
	cr_expect(strstr(text, "Still to be learned: units, FP8") != NULL, "%s", text);
	free(text);
	for (int most = 0; most < 9; most++) {
		text = due_text(&r, most, &rows);
		cr_expect(rows <= most, "%d rows of %d\n%s", rows, most, text);
		free(text);
	}
	r = (struct drill_request){ .options = { .n_skills = 9 } };
	for (size_t i = 0; i < 9; i++) {
		snprintf(r.skills[i], MOST_SKILL, "a-long-name-of-a-skill-%zu", i);
		r.recall[i] = NAN;
	}
	text = due_text(&r, 3, &rows);
	cr_expect(rows <= 3 && strstr(text, " more") != NULL, "%s", text);
	free(text);
}

/* The problems of a set stand beside it from 130 columns on, with what became of each; what is to come has no
 * name yet. */
Test(drill_side, lists_the_problems_where_there_is_room)
{
	for (int wide = 0; wide < 2; wide++) {
		struct explorer e =
			driller_start(40, wide ? 160 : 100, GLYPHS_BRAILLE, "topic=memory seed=3");
		cr_expect(eq(int, explorer_shows(&e, "The 5 problems"), wide));
		cr_expect(eq(int, explorer_shows(&e, "5  to come"), wide));
		cr_expect(explorer_shows(&e, "What you can do"));
		explorer_press(&e, "Ctrl-G");
		cr_expect(eq(int, explorer_shows(&e, "▸  1 "), wide));
		explorer_press(&e, "Enter");
		cr_expect(eq(int, explorer_shows(&e, "✗  1 "), wide));
		explorer_end(&e);
	}
}

/* A window with room for it has the formula of what is over as a picture, with the clock in large type; not while the
 * answer is still asked for. */
Test(drill_side, draws_what_is_over_where_there_is_room)
{
	static const char head[] = "The same numbers as a picture";
	for (int tall = 0; tall < 2; tall++) {
		struct explorer e =
			driller_start(tall ? 48 : 32, 160, GLYPHS_BRAILLE, "topic=memory seed=3");
		cr_expect(not(explorer_shows(&e, head)));
		cr_expect(eq(int, explorer_shows(&e, "0:00 of"), !tall));
		explorer_press(&e, "Ctrl-G");
		cr_expect(eq(int, explorer_shows(&e, head), tall));
		explorer_press(&e, "Enter");
		cr_expect(not(explorer_shows(&e, head)));
		explorer_end(&e);
	}
}

/* In the result what is chosen in the list stands beside it, with its question and how it goes. */
Test(drill_side, shows_the_chosen_problem_beside_the_result)
{
	for (int wide = 0; wide < 2; wide++) {
		struct explorer e = driller_start(
			48, wide ? 160 : 100, GLYPHS_BRAILLE, "topic=memory seed=3 count=2");
		explorer_press(&e, "Ctrl-G Enter Ctrl-G Enter");
		cr_assert(eq(int, drill_state(drill_seen(e.app)), DRILL_DONE));
		cr_expect(explorer_shows(&e, "On from here"));
		for (size_t i = 0; i < 2; i++) {
			const struct variant *v = &drill_seen(e.app)->session.items[i].variant;
			char begin[24];
			snprintf(begin, sizeof begin, "%.20s", v->prompt);
			cr_expect(eq(int, explorer_shows(&e, begin), wide), "%s", begin);
			cr_expect(eq(int, explorer_shows(&e, "Not answered: here is how"), wide));
			explorer_press(&e, "j");
		}
		explorer_end(&e);
	}
}

/* A card that waits has the keys beside it. */
Test(drill_side, has_the_keys_beside_a_card)
{
	for (int wide = 0; wide < 2; wide++) {
		struct explorer e =
			driller_start(40, wide ? 160 : 100, GLYPHS_BRAILLE, "mode=sprint seed=2");
		cr_expect(explorer_shows(&e, "Enter starts."));
		cr_expect(eq(int, explorer_shows(&e, "Keys, once it runs"), wide));
		explorer_end(&e);
	}
}
