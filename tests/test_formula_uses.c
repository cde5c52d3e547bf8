/* Where a formula is used: pages and drills that compute with it. */
#include "ui/pages/formula_uses.h"

#include "ui/data/bank_load.h"
#include "ui/data/page_list.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

/* Chapter 8 computes the cache of a request, and drills ask for it. */
Test(formula_uses, names_chapters_and_drills)
{
	struct page_list pages;
	struct tables t;
	struct drill_bank bank = { 0 };
	char err[300], text[640], cut[12];
	const struct formula *f = formula_find("kv_cache_bytes");
	cr_assert(zero(int, page_list_init(&pages)));
	cr_assert(zero(int, tables_load(&t, err, sizeof err)));
	cr_assert(zero(int, bank_load(&bank, &t, err, sizeof err)));
	formula_uses(f, &pages, &bank, text, sizeof text);
	cr_expect(strstr(text, "8 Inference") != NULL, "%s", text);
	cr_expect(strstr(text, "\nDrills: ") != NULL, "%s", text);
	formula_uses(f, &pages, NULL, text, sizeof text);
	cr_expect(strstr(text, "Drills") == NULL, "%s", text);
	cr_expect(eq(str, formula_uses(f, &pages, NULL, cut, sizeof cut), "Chapters: 8"));
	/* One that takes what it stands for, in chapter 10; and a word that chapter 12 uses as a word. */
	formula_uses(formula_find("lidar_rate"), &pages, NULL, text, sizeof text);
	cr_expect(strstr(text, "10 Driving") != NULL, "%s", text);
	formula_uses(formula_find("waves"), &pages, NULL, text, sizeof text);
	cr_expect(strstr(text, "12 Kernels") == NULL, "%s", text);
	/* Each drill that is named asks for it. */
	size_t asked = 0;
	for (size_t i = 0; i < bank.n; i++)
		asked += formula_asked_by(f, &bank.drills[i]);
	cr_expect(asked > 3);
	bank_release(&bank);
	tables_release(&t);
	page_list_release(&pages);
}
