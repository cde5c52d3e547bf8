/* From a graded answer one key opens the simulation with the same numbers, and one the page. */
#include "drills/deal.h"
#include "sims/sim.h"
#include "ui/bank_load.h"
#include "ui/content.h"
#include "ui/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens "NAME knob=value ..." as the command line would; false with a reason in err. */
static bool opens(const char *target, const struct tables *t, char *err, size_t err_size)
{
	char text[512], *rest = text;
	double v[MAX_KNOBS];
	snprintf(text, sizeof text, "%s", target);
	const struct sim *sim = sim_find(strtok_r(rest, " ", &rest));
	if (!sim) {
		snprintf(err, err_size, "no such simulation");
		return false;
	}
	sim_defaults(sim, t, v);
	for (char *word; (word = strtok_r(rest, " ", &rest));)
		if (sim_read_setting(sim, t, word, v, err, err_size))
			return false;
	return true;
}

Test(drill_links, resolve, .timeout = 60)
{
	struct tables tables = { 0 };
	struct drill_bank bank = { 0 };
	char err[300] = "";
	cr_assert(zero(int, tables_load(&tables, err, sizeof err)), "%s", err);
	cr_assert(zero(int, bank_load(&bank, &tables, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < bank.n; i++) {
		char page[200];
		void *owned = NULL;
		size_t bytes;
		if (bank.drills[i].page) {
			snprintf(page, sizeof page, "%s", bank.drills[i].page);
			page[strcspn(page, "#")] = '\0';
			cr_expect(content_read(page, &bytes, &owned) != NULL, "%s: %s",
				bank.drills[i].id, page);
			free(owned);
		}
		for (uint64_t seed = 0; bank.drills[i].sim && seed < 100; seed++) {
			struct variant v;
			cr_assert(zero(
				int, deal(&bank.drills[i], &tables, seed, 0, &v, err, sizeof err)));
			bool ok = opens(v.sim, &tables, err, sizeof err);
			cr_assert(ok, "%s: %s: %s", bank.drills[i].id, v.sim, err);
			variant_release(&v);
		}
	}
	bank_release(&bank);
	tables_release(&tables);
}
