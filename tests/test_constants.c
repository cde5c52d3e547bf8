/* Formula rows print their numbers, so they cannot name a constant: here they are held to it. And
 * numbers that are not measured but follow from others are worked out. */
#include "sims/constants.h"
#include "sims/formulas/formula.h"
#include "sims/formulas/formats.h"
#include "sims/formulas/stacking.h"
#include "sims/quantity/quantity.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

Test(constants, formula_rows_say_the_same)
{
	cr_expect(eq(dbl, CALL(optimizer_time, .params = 1e9, .bandwidth = 1e9, .shards = 1),
		ADAMW_FUSED_TRAFFIC_BYTES));
	cr_expect(eq(dbl, CALL(loss_scale_limit, .largest_gradient = 1), FP16_MAX));
	cr_expect(eq(dbl, in_hours(7200), 2));
	const struct formula *f = formula_find("ddp_buckets");
	int i = f ? formula_param_index(f, "bucket_bytes") : -1;
	cr_assert(ge(int, i, 0));
	cr_expect(eq(dbl, f->params[i].example, DDP_BUCKET_BYTES));
}

/* FP32 AdamW, fused: reads weight, gradient, two moments (16 B), writes all but the gradient
 * (12). */
Test(constants, worked_out)
{
	cr_expect(eq(dbl, ADAMW_FUSED_TRAFFIC_BYTES, 4 * FP32_BYTES + 3 * FP32_BYTES));
	cr_expect(eq(dbl, ADAMW_UNFUSED_TRAFFIC_BYTES, 56));
	cr_expect(eq(dbl, MIXED_STATE_BYTES, 16));
	cr_expect(eq(dbl, TRAINING_PASSES, 3));
	cr_expect(eq(dbl, EAGER_LAUNCH_S, 8e-6));
	cr_expect(eq(dbl, NETWORK_CARD_BYTES_PER_S, 200e9 / 8));
	cr_expect(eq(dbl, FP16_MAX, (2 - ldexp(1, -10)) * ldexp(1, 15)));
	cr_expect(eq(dbl, GIB_BYTES, ldexp(1, 30)));
	cr_expect(epsilon_eq(dbl, MPH_M_PER_S, 0.44704, 1e-12));
	cr_expect(eq(dbl, DAY_S, 24 * 60 * MINUTE_S));
	cr_expect(eq(dbl, NETWORK_LATENCY_S, 5e-6));
}
