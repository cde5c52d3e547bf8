/* Every formula can be turned: a simulation made from its row. */
#include "sims/formulas/formula.h"
#include "sims/registry/registry.h"
#include "sims/registry/formula_sim.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>

Test(formula_sim, shows_the_check_value_at_the_examples)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct formula *f = &formulas[i];
		char id[96];
		double v[MAX_KNOBS], args[MAX_KNOBS];
		struct figure fig = { 0 };
		snprintf(id, sizeof id, "formula:%s", f->id);
		const struct sim *s = sim_find(id);
		cr_assert(s != NULL, "%s", id);
		cr_assert(eq(sz, s->n_knobs, f->n_params), "%s", id);
		sim_defaults(s, NULL, v);
		for (size_t k = 0; k < f->n_params; k++)
			args[k] = f->params[k].example;
		s->run(NULL, v, &fig);
		const struct value *value = figure_find(&fig, f->id);
		cr_assert(value != NULL, "%s", id);
		double want = f->call(args);
		cr_expect(value->value == want || (isnan(want) && isnan(value->value)), "%s", id);
		cr_expect(zero(sz, fig.n_leaves_out), "of a formula there is nothing to be said");
		figure_release(&fig);
	}
}

Test(formula_sim, runs_at_both_ends_of_every_parameter)
{
	for (size_t i = 0; i < n_formulas; i++) {
		const struct sim *s = formula_sim_find(formulas[i].id);
		for (size_t k = 0; k < s->n_knobs; k++)
			for (int end = 0; end < 2; end++) {
				double v[MAX_KNOBS];
				struct figure fig = { 0 };
				sim_defaults(s, NULL, v);
				v[k] = end ? s->knobs[k].max : s->knobs[k].min;
				s->run(NULL, v, &fig);
				cr_expect(not(fig.arena.failed));
				for (size_t b = 0; b < fig.n_blocks; b++)
					cr_expect(fig.blocks[b]->kind != BLOCK_PLOT ||
						  fig.blocks[b]->as.plot.n_series <= 7);
				figure_release(&fig);
			}
	}
}

/* From 8 lanes of 1 to 31 the next step is 9, though a fiftieth of the range is 0.6; of a share it is 0.02,
 * and so 0.07 after 0.05. */
Test(formula_sim, counts_step_from_whole_number_to_whole_number)
{
	const struct sim *lanes = formula_sim_find("divergence_share");
	const struct sim *chance = formula_sim_find("divergence_chance");
	cr_assert(lanes && chance);
	cr_expect(eq(str, (char *)lanes->knobs[0].id, "lanes"));
	cr_expect(eq(dbl, knob_step(&lanes->knobs[0], NULL, 8, 1, false), 9));
	cr_expect(eq(dbl, knob_step(&lanes->knobs[0], NULL, 9, -1, false), 8));
	cr_expect(epsilon_eq(dbl, knob_step(&chance->knobs[0], NULL, 0.05, 1, false), 0.07, 1e-9));
	/* The same of every knob that begins at a whole number and steps by one or more. */
	for (size_t i = 0; i < n_formulas; i++) {
		const struct sim *s = formula_sim_find(formulas[i].id);
		for (size_t k = 0; k < s->n_knobs; k++) {
			const struct knob *n = &s->knobs[k];
			const bool counts = n->min == floor(n->min) && n->max == floor(n->max) &&
					    n->dflt == floor(n->dflt) && n->max - n->min >= 10 &&
					    n->max <= 1e9;
			if (!counts)
				continue;
			const double up = knob_step(n, NULL, n->dflt, 1, false);
			cr_expect(eq(dbl, up, round(up)), "%s: %s", s->id, n->id);
		}
	}
}

static const struct block *block_of(const struct figure *fig, enum block_kind kind)
{
	for (size_t b = 0; b < fig->n_blocks; b++)
		if (fig->blocks[b]->kind == kind)
			return fig->blocks[b];
	return NULL;
}

/* The formula's figure with its parameters in their order; to be released. */
static void run_formula(const char *id, const double v[], struct figure *fig)
{
	*fig = (struct figure){ 0 };
	formula_sim_find(id)->run(NULL, v, fig);
}

/* 2 x 32 x 32 x 128 x 2 B = 524,288 B for each token: a straight line, with the setting on it, whose axis is
 * the slider of the tokens. */
Test(formula_sim, draws_the_result_over_a_parameter)
{
	const double v[] = { 32, 32, 128, 8192, 2 };
	struct figure fig;
	run_formula("kv_cache_bytes", v, &fig);
	const struct block *b = block_of(&fig, BLOCK_PLOT);
	cr_assert(b != NULL && b->as.plot.n_series == 2);
	const struct series *line = &b->as.plot.series[0], *now = &b->as.plot.series[1];
	cr_expect(eq(str, (char *)b->as.plot.x.knob, "tokens"));
	cr_expect(line->n > 20);
	for (size_t i = 0; i < line->n; i++)
		cr_expect(epsilon_eq(dbl, line->points[i].y, 524288 * line->points[i].x, 1));
	cr_assert(eq(sz, now->n, 1));
	cr_expect(eq(dbl, now->points[0].x, 8192));
	cr_expect(eq(dbl, now->points[0].y, 4294967296));
	figure_release(&fig);
}

/* Of Amdahl's law no parameter is a power. What half and twice leave by chance is not without effect. */
Test(formula_sim, says_what_doubling_a_parameter_does)
{
	/* 1 / (0.5 + 0.5 / 1) is 1: with two GPUs 1 / 0.75; a serial fraction of 1 leaves 1, one of 0.25 too. */
	const double v[] = { 0.5, 1 };
	struct figure fig;
	run_formula("amdahl_speedup", v, &fig);
	cr_expect(eq(str, (char *)fig.why,
		"Doubling GPUs gives 1.33x. Here the result does not depend on serial fraction."));
	figure_release(&fig);
	/* 500 tokens in blocks of 16: 0.00794 with blocks of 8, 0.0234 of 32; with others as much as with 16. */
	const double waste[] = { 500, 16 };
	run_formula("paging_waste", waste, &fig);
	cr_expect(strstr(fig.why, "does not depend on") == NULL, "%s", fig.why);
	figure_release(&fig);
	const double cache[] = { 32, 32, 128, 8192, 2 };
	run_formula("kv_cache_bytes", cache, &fig);
	cr_expect(eq(str, (char *)fig.why,
		"The result grows in proportion to layers, KV heads, head dim, tokens and bytes per "
		"value."));
	const struct table *t = &block_of(&fig, BLOCK_TABLE)->as.table;
	cr_expect(eq(sz, t->n_rows, 5));
	cr_expect(eq(str, (char *)t->rows[1][0], "KV heads"));
	cr_expect(eq(str, (char *)t->rows[1][1], "2.15 GB"));
	cr_expect(eq(str, (char *)t->rows[1][2], "8.59 GB"));
	figure_release(&fig);
}

/* Half of a single GPU is none. */
Test(formula_sim, leaves_out_what_a_parameter_cannot_be)
{
	const double v[] = { 0.02, 1 };
	struct figure fig;
	run_formula("amdahl_speedup", v, &fig);
	const struct table *t = &block_of(&fig, BLOCK_TABLE)->as.table;
	cr_expect(eq(str, (char *)t->rows[1][0], "GPUs"));
	cr_expect(eq(str, (char *)t->rows[1][1], "none"));
	figure_release(&fig);
}

/* No head of 1.3. */
Test(formula_sim, curves_of_counts_go_through_whole_numbers)
{
	const double v[] = { 64, 8 };
	struct figure fig;
	run_formula("gqa_reduction", v, &fig);
	const struct block *b = block_of(&fig, BLOCK_PLOT);
	cr_assert(b != NULL);
	const struct series *s = &b->as.plot.series[0];
	cr_expect(eq(str, (char *)b->as.plot.x.knob, "heads"));
	for (size_t i = 0; i < s->n; i++) {
		cr_expect(eq(dbl, s->points[i].x, round(s->points[i].x)));
		cr_expect(epsilon_eq(dbl, s->points[i].y, s->points[i].x / 8, 1e-12));
		cr_expect(i == 0 || s->points[i].x > s->points[i - 1].x);
	}
	figure_release(&fig);
}

/* Of a grid's cells, how many are of a kind. */
static size_t cells_of(const struct grid *g, unsigned char kind)
{
	size_t n = 0;
	for (size_t i = 0; i < g->rows * g->cols; i++)
		n += g->cells[i] == kind;
	return n;
}

Test(formula_sim, sectors_of_a_warp_are_drawn)
{
	static const struct {
		double stride, bytes;
		size_t asked, idle;
	} rows[] = {
		/* 32 values of 4 B are 4 sectors; each second value is half of 8, each third of 12. */
		{ 1, 4, 32, 0 }, { 2, 4, 32, 32 }, { 3, 4, 32, 64 },
		/* A lane with a sector of its own leaves 7 of 8 values, or 15 of 16. */
		{ 8, 4, 32, 224 }, { 4096, 4, 32, 224 }, { 4096, 2, 32, 480 }, { 1, 1, 32, 0 },
		{ 5, 16, 32, 32 }
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const double v[] = { rows[i].stride, rows[i].bytes };
		struct figure fig;
		run_formula("coalesced_share", v, &fig);
		const struct block *b = block_of(&fig, BLOCK_GRID);
		cr_assert(b != NULL, "row %zu", i);
		cr_expect(eq(sz, cells_of(&b->as.grid, 2), rows[i].asked), "row %zu", i);
		cr_expect(eq(sz, cells_of(&b->as.grid, 1), rows[i].idle), "row %zu", i);
		figure_release(&fig);
	}
	const double broken[] = { 2.5, 4 }, odd[] = { 2, 3 };
	struct figure fig;
	run_formula("coalesced_share", broken, &fig);
	cr_expect(block_of(&fig, BLOCK_GRID) == NULL);
	figure_release(&fig);
	run_formula("coalesced_share", odd, &fig);
	cr_expect(block_of(&fig, BLOCK_GRID) == NULL);
	figure_release(&fig);
}

/* 8 lanes for 6 of 8 rows, then 24 for 2: 96 of 256 cells are at work, as the formula has it. */
Test(formula_sim, ways_of_a_warp_are_drawn)
{
	const double v[] = { 8, 30, 10 };
	struct figure fig;
	run_formula("divergence_share", v, &fig);
	const struct block *b = block_of(&fig, BLOCK_GRID);
	cr_assert(b != NULL);
	cr_expect(eq(sz, cells_of(&b->as.grid, 1), 160));
	cr_expect(eq(sz, cells_of(&b->as.grid, 2), 48));
	cr_expect(eq(sz, cells_of(&b->as.grid, 3), 48));
	figure_release(&fig);
}
