/* The shipped digits and networks in a test's hands. */
#ifndef RIDGE_TESTS_NETS_H
#define RIDGE_TESTS_NETS_H

#include "sims/compression/networks.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

enum { ALL = 100000 };

/* What the tests on the shipped data need. */
struct nets_world {
	struct tables tables;
	struct arena arena;
	struct digits train, calibration, test;
	struct networks nets;
	unsigned char answer[2000];
};

static inline void world_init(struct nets_world *w)
{
	char err[128];
	*w = (struct nets_world){ .tables = load_tables() };
	const char *text = w->tables.digits;
	cr_assert(zero(int, digits_read(&w->train, &w->arena, text, DIGITS_TRAIN, ALL, err, 128)));
	cr_assert(zero(
		int, digits_read(&w->calibration, &w->arena, text, DIGITS_TRAIN, 256, err, 128)));
	cr_assert(zero(int, digits_read(&w->test, &w->arena, text, DIGITS_TEST, ALL, err, 128)));
	cr_assert(zero(int, networks_read(&w->nets, &w->arena, w->tables.networks, err, 128)), "%s",
		err);
}

static inline void world_release(struct nets_world *w)
{
	arena_release(&w->arena);
	tables_release(&w->tables);
}

static inline double percent_right(struct nets_world *w, const struct mlp *m)
{
	return 100 * (double)mlp_answer(m, NULL, &w->test, w->answer) / (double)w->test.n;
}

#endif
