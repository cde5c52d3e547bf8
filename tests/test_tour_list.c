/* What lists and links say of a tour is what the tour says of itself when it is read. */
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "ui/data/content_facts.h"
#include "ui/data/tour_list.h"
#include "ui/talks/talk.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

Test(tour_list, is_what_the_tours_say)
{
	struct tour_list list;
	struct tables facts = load_tables();
	char err[400];
	cr_assert(zero(int, tour_list_init(&list)));
	cr_expect(eq(sz, list.n, talk_list(NULL, 0)));
	cr_expect(eq(sz, list.n - list.n_talks, n_sims));
	for (size_t i = 0; i < list.n; i++) {
		const struct tour_info *t = &list.tours[i];
		struct talk talk;
		cr_assert(zero(int, talk_open(&talk, &facts, t->id, err, sizeof err)), "%s", err);
		cr_expect(eq(str, (char *)t->title, (char *)talk.tour.title));
		cr_expect(eq(int, t->minutes, (int)lround(talk.tour.seconds / 60)), "%s", t->id);
		cr_expect(t->talk == (i < list.n_talks), "%s", t->id);
		cr_expect(t->talk == !sim_find(t->id), "%s", t->id);
		talk_release(&talk);
	}
	tour_list_release(&list);
	tables_release(&facts);
}

Test(tour_list, minutes_stand_under_the_heading)
{
	static const struct {
		const char *text;
		size_t minutes;
	} rows[] = {
		{ "# A title\n\n8 min\n\n## A step\n", 8 },
		{ "# A title\r\n120 min", 120 },
		{ "# A title\n\n8 minutes of reading\n", 0 },
		{ "# A title\n\n## 8 min\n", 0 },
		{ "# A title\n\nWords first.\n\n8 min\n", 0 },
		{ "8 min\n", 0 },
		{ "# 8 min\n", 0 },
		{ "# A title\n\n8000 min\n", 0 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(
			eq(sz, content_facts(rows[i].text).minutes, rows[i].minutes), "row %zu", i);
}

Test(tour_list, no_tour_of_that_name)
{
	struct arena a = { 0 };
	struct tour_info t;
	cr_expect(tour_info_read("no-such", &a, &t) == false);
	cr_expect(tour_info_read("", &a, &t) == false);
	cr_expect(tour_info_read("../models.json", &a, &t) == false);
	cr_expect(tour_info_read("queueing", &a, &t) == true);
	cr_expect(t.talk == false);
	arena_release(&a);
}
