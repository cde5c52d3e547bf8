/* The numbers of pages that were worked out when ridge was built are what the simulations come to: the program, which
 * has the list, beside this one, which has none; and who has an accelerator of their own has numbers of their own. */
#include "tests/printed.h"
#include "tests/said.h"
#include "ui/data/known_numbers.h"
#include "ui/data/page_list.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

Test(known_numbers, the_program_reads_as_the_simulations_come_to, .description = "long",
	.timeout = 300)
{
	struct page_list pages;
	cr_assert(zero(int, page_list_init(&pages)));
	const bool none = known_number(NULL, "") == NULL && !&n_known_numbers;
	cr_assert(none, "this program has no list");
	for (size_t i = 0; i < pages.n; i++) {
		char line[120];
		snprintf(line, sizeof line, "read %s --width 80 --glyphs braille",
			pages.pages[i].id);
		char *program = printed("C.UTF-8", line, "2>&1");
		struct said here = said_at(0, line, NULL);
		cr_expect(zero(int, here.status), "%s", here.err);
		cr_expect(eq(str, program, here.out), "%s", pages.pages[i].id);
		forget(&here);
		free(program);
	}
	page_list_release(&pages);
}
