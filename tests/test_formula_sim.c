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

/* The slope of a line in the picture: twice a factor is twice the product, twice a divisor half. */
Test(formula_sim, draws_what_a_parameter_does)
{
	const struct sim *s = formula_sim_find("ring_allreduce_bytes");
	double v[MAX_KNOBS];
	struct figure fig = { 0 };
	sim_defaults(s, NULL, v);
	s->run(NULL, v, &fig);
	const struct plot *p = NULL;
	for (size_t b = 0; b < fig.n_blocks; b++)
		if (fig.blocks[b]->kind == BLOCK_PLOT)
			p = &fig.blocks[b]->as.plot;
	cr_assert(p != NULL);
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t j = 0; j < p->series[i].n; j++)
			if (p->series[i].points[j].x == 1)
				cr_expect(epsilon_eq(dbl, p->series[i].points[j].y, 1, 1e-12));
	figure_release(&fig);
}
