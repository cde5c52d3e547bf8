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

/* Every case, by a word and by its id; tests/test_case_read.c notices when one is missing. */
/* clang-format off */
#define EACH_CASE(X) \
	X(serve_70b, "serve-70b") \
	X(halve_the_bill, "halve-the-bill") \
	X(scale_to_64, "scale-to-64") \
	X(from_200_ms_to_50, "200-ms-to-50") \
	X(failures_at_16384, "failures-at-16384") \
	X(train_in_30_days, "train-in-30-days") \
	X(p99_at_noon, "p99-at-noon") \
	X(mixture_on_72, "mixture-on-72") \
	X(fast_for_one, "fast-for-one") \
	X(train_at_128k, "train-at-128k") \
	X(long_answers, "long-answers") \
	X(move_to_another_gpu, "move-to-another-gpu") \
	X(long_documents, "long-documents") \
	X(one_server, "one-server") \
	X(gradients_over_ethernet, "gradients-over-ethernet") \
	X(smaller_model, "smaller-model") \
	X(feed_the_gpus, "feed-the-gpus") \
	X(regression_of_12_percent, "regression-of-12-percent") \
	X(how_many_workers, "how-many-workers") \
	X(rollouts, "rollouts") \
	X(drive_on_thor, "drive-on-thor") \
	X(out_of_memory, "out-of-memory") \
	X(perception_budget, "perception-budget") \
	X(is_it_faster, "is-it-faster")
/* clang-format on */
#define CASE_ID(word, id) id,
static const char *const case_ids[] = { EACH_CASE(CASE_ID) };

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
