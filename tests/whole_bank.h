/* All drills and the tables they draw from, without files of a user. */
#ifndef RIDGE_TESTS_WHOLE_BANK_H
#define RIDGE_TESTS_WHOLE_BANK_H

#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <stdio.h>
#include <stdlib.h>

struct whole_bank {
	struct tables tables;
	struct drill_bank bank;
};

static inline void whole_bank_load(struct whole_bank *w)
{
	char err[300] = "";
	*w = (struct whole_bank){ 0 };
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	if (tables_load(&w->tables, err, sizeof err) ||
		bank_load(&w->bank, &w->tables, err, sizeof err)) {
		fprintf(stderr, "%s\n", err);
		abort();
	}
}

static inline void whole_bank_release(struct whole_bank *w)
{
	bank_release(&w->bank);
	tables_release(&w->tables);
}

#endif
