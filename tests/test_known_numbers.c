/* The numbers of pages that were worked out when ridge was built are what the simulations come to, and all of them are
 * in the list. (The tests have it as the program has; who has an accelerator of their own has numbers of their own,
 * and so have the tables here that are said to be.) */
#include "tests/settings.h"
#include "ui/data/content.h"
#include "ui/data/known_numbers.h"
#include "ui/data/page_list.h"
#include "ui/pages/page_env.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static void needs_the_list(void)
{
	if (!&n_known_numbers)
		cr_skip_test("this build has no list");
}

TestSuite(known_numbers, .init = needs_the_list, .timeout = 300);

Test(known_numbers, are_what_the_simulations_come_to, .description = "long")
{
	struct tables t = load_tables();
	cr_assert(lt(sz, 500, n_known_numbers));
	for (size_t i = 0; i < n_known_numbers; i++) {
		const char *source = known_number_texts + known_numbers[i];
		char number[256];
		t.own = false;
		const char *listed = known_number(&t, source);
		t.own = true;
		cr_assert(listed && !known_number(&t, source), "%s", source);
		cr_expect(zero(int, page_env_compute(&t, source, number, sizeof number)), "%s: %s",
			source, number);
		cr_expect(eq(str, (char *)listed, number), "%s", source);
	}
	tables_release(&t);
}

/* Notes the first that must be worked out where it is read. */
struct search {
	struct tables tables;
	char missing[512];
	size_t found;
};

static int look_up(const void *context, const char *source, char *buf, size_t size)
{
	struct search *s = (struct search *)context;
	snprintf(buf, size, "0");
	if (!strstr(source, " : ")) /* a formula's takes no time */
		return 0;
	if (known_number(&s->tables, source))
		s->found++;
	else if (!*s->missing)
		snprintf(s->missing, sizeof s->missing, "%s", source);
	return 0;
}

Test(known_numbers, are_those_of_all_pages)
{
	struct search s = { .tables = load_tables() };
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	for (size_t i = 0; i < pages.n; i++) {
		const struct page_env env = { .context = &s, .compute = look_up };
		struct page page;
		size_t bytes;
		void *owned;
		const char *text = content_read(pages.pages[i].file, &bytes, &owned);
		cr_assert(text && page_layout(&page, text, bytes, 80, &env) == 0);
		cr_expect(eq(str, s.missing, ""), "%s", pages.pages[i].id);
		s.missing[0] = '\0';
		page_release(&page);
		free(owned);
	}
	cr_expect(lt(sz, 500, s.found));
	page_list_release(&pages);
	tables_release(&s.tables);
}
