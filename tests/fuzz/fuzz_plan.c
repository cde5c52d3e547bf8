/* Any words behind `ridge plan serve` and `ridge plan train`: refused in one line, or a plan that keeps
 * its goals. The first byte chooses; searches that take long are stopped, as by a key. Most changes of a word
 * leave all goals as they were: the same goals have the same plan, and are searched for once. */
#include "sims/scaling/train_goals.h"
#include "sims/serving/capacity.h"
#include "tests/fuzz/fuzz.h"
#include "ui/data/tables_load.h"

#include <stdio.h>

enum { MOST_LOOKS = 3, GOALS_KNOWN = 1 << 16 };

static struct tables tables;
static uint64_t known[GOALS_KNOWN]; /* goals that were searched for, by their hash; 0: none */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	must(tables_load(&tables, err, sizeof err) == 0);
	return 0;
}

static bool has_looks(void *left, double share)
{
	size_t *n = left;
	must(share >= 0 && share <= 1);
	return *n && --*n;
}

/* Words that cannot be read leave their knob as it was. */
static void read_settings(const struct sim *s, char *text, double v[])
{
	char err[320] = "", *rest = NULL;
	sim_defaults(s, &tables, v);
	for (char *w = strtok_r(text, " \n", &rest); w; w = strtok_r(NULL, " \n", &rest))
		if (sim_read_setting(s, &tables, w, v, err, sizeof err))
			must(fuzz_is_line(err));
}

/* FNV-1a over the values. A later one takes the place of one that shares it. */
static bool is_new(const struct sim *s, const double v[])
{
	uint64_t hash = 14695981039346656037ULL;
	for (const unsigned char *c = (const unsigned char *)v,
				 *end = (const unsigned char *)(v + s->n_knobs);
		c < end; c++)
		hash = (hash ^ *c) * 1099511628211ULL;
	hash = (hash ^ (s == &train_goals)) * 1099511628211ULL | 1;
	uint64_t *place = &known[(hash >> 1) % GOALS_KNOWN];
	const bool had = *place == hash;
	*place = hash;
	return !had;
}

static void check_layout(const struct capacity *c, const double v[])
{
	const struct serving_layout *l = c->best;
	must(l->gpus >= l->need.group && l->gpus <= SENSIBLE_GPUS && l->rate_per_s > 0);
	must(c->relaxed || (l->check.ttft_p99_s <= v[CAPACITY_TTFT_MS] / 1e3 * (1 + 1e-9) &&
				   l->check.itl_p99_s <= v[CAPACITY_ITL_MS] / 1e3 * (1 + 1e-9)));
	must(!c->second || capacity_cost(l) <= capacity_cost(c->second));
}

static void plan_serving(char *text)
{
	double v[MAX_KNOBS];
	struct arena arena = { 0 };
	size_t looks = MOST_LOOKS;
	read_settings(&capacity_sim, text, v);
	if (!is_new(&capacity_sim, v))
		return;
	struct capacity c = capacity_answer(&tables, v, &arena, false, has_looks, &looks);
	if (c.refusal)
		must(fuzz_is_line(c.refusal));
	else if (c.best && !c.draft && !c.search.found.stopped)
		check_layout(&c, v);
	for (size_t i = 0; !c.refusal && i < c.search.n && i < MOST_TOLD; i++)
		must(fuzz_is_line(capacity_layout_text(&c, &c.search.layouts[i])) &&
			fuzz_is_line(capacity_fate_text(&c, &c.search.layouts[i])));
	must(!arena.failed);
	arena_release(&arena);
}

static void plan_training(char *text)
{
	double v[MAX_KNOBS];
	struct arena arena = { 0 };
	read_settings(&train_goals, text, v);
	if (!is_new(&train_goals, v))
		return;
	const struct train_answer a = train_answer(&tables, v, &arena);
	if (a.refusal)
		must(fuzz_is_line(a.refusal));
	for (size_t i = 0; !a.refusal && i < a.search.n; i++) {
		const struct train_plan *p = &a.search.best[i];
		must(p->memory_bytes <= a.goal.gpu->memory_bytes && p->step_s > 0);
		must(train_hours(&a, p) >= train_hours(&a, &a.search.best[0]));
		must(p->mfu > 0 && p->mfu <= 1 && p->bubble >= 0 && p->bubble < 1);
		must(fuzz_is_line(train_layout_text(p, &arena)));
	}
	must(!arena.failed);
	arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	char *text = fuzz_text(data + 1, size - 1);
	if (data[0] == 't')
		plan_training(text);
	else
		plan_serving(text);
	free(text);
	return 0;
}
