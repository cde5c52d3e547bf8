/* The map: its components add up to what the other simulations say, and its gains to Amdahl's
 * law. */
#include "sims/driving/driving.h"
#include "sims/gpu/engine.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

static struct tables tables;

static void load(void)
{
	tables = load_tables();
}

static void release(void)
{
	tables_release(&tables);
}

static double value_of(const char *id, const char *settings)
{
	return sim_number(sim_find("system"), &tables, settings, id);
}

/* 5 + 12 + 8 + 5 + 3 + 10 + 5 ms; a token as the engine makes it. */
Test(system, components_are_the_other_models, .init = load, .fini = release)
{
	cr_expect(epsilon_eq(dbl, value_of("frame_ms", "component=vehicle"), 48, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("time_ms", "component=vehicle"), 48, 1e-9));
	double step_s = decode_step_s(model_find(&tables, "llama3-8b"), gpu_find(&tables, "a100"),
		1, DTYPE_BF16, 16, 16 * 2048);
	cr_expect(epsilon_eq(dbl, value_of("itl_ms", "component=serving"), step_s * 1e3, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("time_ms", "component=serving"), step_s * 1e3, 1e-9));
}

/* 35 of 48 ms are networks (12 + 8 + 5 + 10); three times as fast they are 11.67: 48 / 24.67. */
Test(system, gains_by_hand, .init = load, .fini = release)
{
	double gain = value_of("largest_gain", "component=vehicle");
	cr_expect(epsilon_eq(dbl, gain, 48 / (13 + 35.0 / 3), 1e-9));
}

/* More GPUs lengthen the step, and only that; an A100 gains nothing from FP8, an H100 does. */
Test(system, what_the_knobs_change, .init = load, .fini = release)
{
	double few = value_of("training_step_ms", "gpus=8 workload=llama2_7b inter_GBps=1");
	double many = value_of("training_step_ms", "gpus=1024 workload=llama2_7b inter_GBps=1");
	cr_expect(lt(dbl, few, many));
	cr_expect(eq(dbl, value_of("itl_ms", "gpus=8"), value_of("itl_ms", "gpus=1024")));
	cr_expect(lt(dbl, value_of("largest_gain", "component=inference gpu=a100"),
		value_of("largest_gain", "component=inference gpu=h100")));
}

/* A frame: 5 + 12 + 8 + 5 + 3 + 10 + 5 ms. Networks are 35 of them; three times as fast they leave
 * 13 + 35/3, the largest gain of the vehicle. On Thor half of a network's time falls with the
 * arithmetic and half with the bandwidth, (85 / 517 + 204.8 / 273) / 2 of what Orin takes, for 40
 * ms of networks and input; the other 8 ms are on CPUs of twice the speed. */
Test(system, shown_values_by_hand, .init = load, .fini = release)
{
	static const struct sim_row rows[] = {
		{ "component=vehicle", "time_ms", 48, 0 },
		{ "component=vehicle", "largest_gain", 48 / (13 + 35. / 3), 0 },
		{ "component=vehicle", "frame_ms", 48, 0 },
		{ "component=training", "frame_ms", 48, 0 },
		{ "component=vehicle platform=thor", "time_ms",
			40 * (85. / 517 + 204.8 / 273) / 2 + 8. / 2, 0 },
	};
	expect_rows(sim_find("system"), &tables, rows, sizeof rows / sizeof *rows);
}
