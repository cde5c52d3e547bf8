/* The cases that travel with the program, read and dealt for tests. */
#ifndef RIDGE_TESTS_CASES_H
#define RIDGE_TESTS_CASES_H

#include "drills/case_run.h"
#include "ui/data/case_list.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static const char *const case_ids[] = { "serve-70b", "long-answers", "halve-the-bill",
	"scale-to-64", "200-ms-to-50", "failures-at-16384", "train-in-30-days" };

/* The tables alone, without any file of the user's. */
static inline void cases_load_tables(struct tables *t)
{
	char err[300];
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	setenv("XDG_DATA_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(t, err, sizeof err)), "%s", err);
}

static inline void cases_open(struct design_case *c, const struct tables *t, const char *id)
{
	char err[500];
	cr_assert(zero(int, case_load(c, t, id, err, sizeof err)), "%s", err);
}

static inline void cases_deal(struct dealt_case *d, const struct design_case *c,
	const struct tables *t, uint64_t seed, enum case_level level)
{
	char err[700];
	cr_assert(zero(int, case_deal(d, c, t, seed, level, err, sizeof err)), "%s", err);
}

#endif
