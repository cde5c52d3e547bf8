/* The formula sheet: every row against published or hand-worked values. */
#include "sims/formulas/formula.h"
#include "sims/formulas/communication.h"
#include "sims/formulas/inference.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 16 };

#define COUNT(table) (sizeof(table) / sizeof *(table))

static const struct check {
	const char *id, *settings;
	double expected, tolerance;
} checks[] = {
#include "tests/formula_checks.def"
};

static void examples(const struct formula *f, double args[])
{
	for (size_t i = 0; i < f->n_params; i++)
		args[i] = f->params[i].example;
}

/* "name=value name=value" into args; false where the row has no such name or the value is outside
 * of its domain. */
static bool apply(const struct formula *f, const char *settings, double args[])
{
	while (*settings) {
		char name[64];
		size_t n = strcspn(settings, "=");
		char *end;
		snprintf(name, sizeof name, "%.*s", (int)n, settings);
		int i = formula_param_index(f, name);
		if (i < 0)
			return false;
		args[i] = strtod(settings + n + 1, &end);
		if (!(args[i] >= f->params[i].min && args[i] <= f->params[i].max))
			return false;
		settings = end + strspn(end, " ");
	}
	return true;
}

static bool same(double got, double want, double tolerance)
{
	if (!isfinite(got) || !isfinite(want))
		return got == want;
	return fabs(got - want) <= tolerance + 1e-12 * fabs(want);
}

Test(formulas, check_values)
{
	for (size_t i = 0; i < COUNT(checks); i++) {
		const struct check *c = &checks[i];
		const struct formula *f = formula_find(c->id);
		double args[MAX_PARAMS];
		cr_assert(f != NULL, "row %zu: no formula %s", i, c->id);
		examples(f, args);
		cr_expect(
			apply(f, c->settings, args), "%s %s: no such setting", c->id, c->settings);
		double got = f->call(args);
		cr_expect(same(got, c->expected, c->tolerance), "%s %s: %.10g, not %.10g", c->id,
			c->settings, got, c->expected);
	}
}

Test(formulas, every_formula_has_a_check_value)
{
	for (size_t i = 0; i < n_formulas; i++) {
		size_t n = 0;
		for (size_t k = 0; k < COUNT(checks); k++)
			n += strcmp(checks[k].id, formulas[i].id) == 0;
		cr_expect(n > 0, "%s", formulas[i].id);
	}
}

/* Ids that simulations, drills and pages call by name. */
Test(formulas, ids_that_others_rely_on)
{
	static const char *const ids[] = { "kv_cache_bytes", "spec_decode_speedup",
		"spec_decode_tokens", "ring_allreduce_time", "ring_allreduce_bytes",
		"tree_allreduce_time", "hierarchical_allreduce_time", "arithmetic_intensity",
		"ridge_point", "attainable_flops", "gemm_intensity", "linear_intensity",
		"attention_intensity", "flash_attention_intensity", "amdahl_speedup",
		"gustafson_speedup", "usl_speedup", "speedup", "scaling_efficiency", "mfu",
		"training_time", "training_flops", "training_cost", "young_interval",
		"static_memory_bytes", "zero1_bytes", "zero2_bytes", "zero3_bytes",
		"activation_bytes", "flash_activation_bytes", "full_recompute_bytes",
		"checkpoint_bytes", "logits_bytes", "workers_needed", "decode_step_time",
		"prefill_flops", "batched_decode_time", "pipeline_bubble", "exposed_comm_time",
		"littles_law", "mm1_sojourn_mean", "mm1_sojourn_quantile", "kingman_wait",
		"sakasegawa_wait", "mmc_wait", "static_batching_gain_exponential",
		"static_batching_gain_uniform", "paging_blocks", "capacity_gpus", "sensor_rate",
		"distance_travelled", "latency_fps", "quant_scale", "quant_mae", "bits_per_weight",
		"decode_speedup_from_bits", "distillation_loss" };

	for (size_t i = 0; i < COUNT(ids); i++)
		cr_expect(formula_find(ids[i]) != NULL, "%s", ids[i]);
	cr_expect(formula_find("no_such_formula") == NULL);
}

Test(formulas, a_call_by_name_is_the_row)
{
	double kv = CALL(kv_cache_bytes, .layers = 80, .kv_heads = 8, .head_dim = 128,
		.tokens = 8192, .bytes_per_value = 2);
	cr_expect(epsilon_eq(dbl, kv, 2684354560., 0));
}

/* Seven accepted tokens is the best draft length at a = 0.8, c = 2/30. */
Test(formulas, best_draft_length)
{
	double speedup[10];

	for (int k = 0; k < 10; k++)
		speedup[k] = CALL(spec_decode_speedup, .acceptance = 0.8, .draft_tokens = k,
			.draft_time = 0.002, .target_time = 0.03);
	for (int k = 0; k < 10; k++)
		cr_expect(k == 7 || speedup[k] < speedup[7], "k = %d", k);
}

Test(formulas, ring_and_tree_cross_where_the_formula_says)
{
	for (double n = 8; n <= 512; n *= 8) {
		double bytes = CALL(
			ring_tree_crossover, .gpus = n, .link_bandwidth = 25e9, .latency = 5e-6);
		double ring = CALL(ring_allreduce_time, .bytes = bytes, .gpus = n,
			.link_bandwidth = 25e9, .latency = 5e-6);
		double tree = CALL(tree_allreduce_time, .bytes = bytes, .gpus = n,
			.link_bandwidth = 25e9, .latency = 5e-6);
		cr_expect(epsilon_eq(dbl, ring, tree, 1e-9 * tree), "%g GPUs", n);
	}
}

/* What is not hidden is at least one bucket and at most everything, whatever overlaps. */
Test(formulas, exposed_communication_is_never_more_than_the_communication)
{
	static const double comm[] = { 0, 0.001, 0.49, 1, 1.96, 100 };
	static const double backward[] = { 0, 0.3, 1, 50 }, buckets[] = { 1, 2, 7, 560 };

	for (size_t i = 0; i < COUNT(comm) * COUNT(backward) * COUNT(buckets); i++) {
		double c = comm[i % COUNT(comm)];
		double w = backward[i / COUNT(comm) % COUNT(backward)];
		double n = buckets[i / COUNT(comm) / COUNT(backward)];
		double got =
			CALL(exposed_comm_time, .comm_time = c, .backward_time = w, .buckets = n);
		/* Buckets become ready evenly through backward and go out one after another. */
		double done = 0;
		for (double k = 1; k <= n; k++)
			done = fmax(done, k * w / n) + c / n;
		cr_expect(got <= c * (1 + 1e-12), "%g %g %g: %g", c, w, n, got);
		cr_expect(same(got, done - w, 1e-9), "%g %g %g: %g", c, w, n, got);
	}
}

Test(formulas, whole_numbers_come_out_of_quotients)
{
	static const struct {
		double x, want;
	} rows[] = { { 0, 0 }, { 4, 4 }, { 4.01, 5 }, { 0.1, 1 }, { 11.000000000000002, 11 },
		{ 6.999999999999999, 7 }, { 1e300, 1e300 } };

	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(whole(rows[i].x) == rows[i].want, "row %zu", i);
}
