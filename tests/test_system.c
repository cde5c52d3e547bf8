/* The map: its components add up to what the other simulations say, and its gains to Amdahl's
 * law. */
#include "sims/driving/driving.h"
#include "sims/gpu/engine_shape.h"
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
	cr_expect(epsilon_eq(dbl, value_of("frame_ms", "component=serving"), 48, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("time_ms", "component=vehicle"), 48, 1e-9));
	double step_s = decode_step_s(model_find(&tables, "llama3-8b"), gpu_find(&tables, "a100"),
		1, DTYPE_BF16, 16, 16 * 2048);
	cr_expect(epsilon_eq(dbl, value_of("itl_ms", "component=vehicle"), step_s * 1e3, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of("time_ms", "component=serving"), step_s * 1e3, 1e-9));
}

/* The published table's two ends: 48 ms as it is, 27 with all four. */
Test(system, gains_by_hand, .init = load, .fini = release)
{
	double gain = value_of("largest_gain", "component=vehicle");
	cr_expect(epsilon_eq(dbl, gain, 48.0 / 27, 1e-9));
}

/* More GPUs lengthen the step, and only that; an A100 gains nothing from FP8, an H100 does. */
Test(system, what_the_knobs_change, .init = load, .fini = release)
{
	double few =
		value_of("time_ms", "component=training gpus=8 workload=llama2_7b inter_GBps=1");
	double many =
		value_of("time_ms", "component=training gpus=1024 workload=llama2_7b inter_GBps=1");
	cr_expect(lt(dbl, few, many));
	cr_expect(eq(dbl, value_of("itl_ms", "gpus=8"), value_of("itl_ms", "gpus=1024")));
	cr_expect(lt(dbl, value_of("largest_gain", "component=inference gpu=a100"),
		value_of("largest_gain", "component=inference gpu=h100")));
}

/* Six boxes, each a whole, each handing something on, and the last to the first. The knob stands on
 * the box that it names, and on training's for profiling, which looks at that step. 16 sequences of a
 * token in 13.5 ms are 1,180 tokens/s; 6 cameras of 2 million pixels of 3 bytes at 30 frames/s are
 * 1.08 GB/s. */
Test(system, the_map, .init = load, .fini = release)
{
	static const struct {
		const char *component, *opens;
		size_t at;
	} boxes[] = { { "data", "timeline", 0 }, { "training", "scaling", 1 },
		{ "profiling", "timeline", 1 }, { "compression", "compression", 2 },
		{ "inference", "inference", 3 }, { "serving", "batching", 4 },
		{ "vehicle", "latency", 5 } };
	for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
		char setting[64];
		snprintf(setting, sizeof setting, "component=%s", boxes[i].component);
		struct figure fig = sim_run(sim_find("system"), &tables, setting);
		cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_BARS));
		const struct bars *map = &fig.blocks[0]->as.bars;
		cr_expect(map->chain);
		cr_assert(eq(sz, map->n_bars, 6));
		cr_expect(eq(str, (char *)map->knob, "component"));
		cr_expect(eq(sz, map->knob_at, boxes[i].at), "%s", boxes[i].component);
		cr_expect(eq(str, (char *)map->bars[map->knob_at].opens, (char *)boxes[i].opens));
		cr_expect(sim_find(boxes[i].opens) != NULL);
		for (size_t k = 0; k < map->n_bars; k++) {
			double whole = 0;
			for (size_t part = 0; part < map->n_parts; part++)
				whole += map->bars[k].parts[part];
			cr_expect(epsilon_eq(dbl, whole, 100, 1e-9));
			cr_expect(map->bars[k].passes != NULL);
		}
		cr_expect(eq(str, (char *)map->bars[4].passes, "1,180 tokens/s"));
		cr_expect(eq(str, (char *)map->bars[5].passes, "1.08 GB/s of camera frames"));
		figure_release(&fig);
	}
}

/* At 20 frames/s there are 50 ms for the 48, at 30 only 33.3: the box of the car and the sentence say so
 * whatever is chosen. */
Test(system, a_late_frame_is_said, .init = load, .fini = release)
{
	static const struct {
		const char *settings;
		bool said, late;
	} rows[] = { { "component=vehicle fps=30", true, true },
		{ "component=vehicle fps=20", false, false },
		{ "component=training fps=30", true, true },
		{ "component=training fps=20", false, false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("system"), &tables, rows[i].settings);
		cr_expect(eq(int, strstr(fig.why, "is 14.7 ms late") != NULL, rows[i].said),
			"%s: %s", rows[i].settings, fig.why);
		cr_expect(eq(int, strstr(fig.why, "late") != NULL, rows[i].said));
		const struct bar *car = &fig.blocks[0]->as.bars.bars[5];
		bool chosen = i < 2;
		cr_expect(eq(int, strstr(car->note, "14.7 ms late") != NULL, rows[i].late));
		cr_expect(eq(int, car->role == ROLE_BAD, rows[i].late && !chosen));
		cr_expect(eq(int, car->role == ROLE_ACCENT, chosen));
		figure_release(&fig);
	}
}

/* The whole system in a sentence: a late vehicle, else the chosen box, then what is more urgent or gains
 * more. All four optimisations make a frame of 48 ms one of 27: less than the 33.3 of 30 frames/s and 7
 * more than the 20 of 50. With time for every frame the largest gain is INT4's in compression, 73 % of a
 * token to a quarter. */
Test(system, the_sentence_looks_at_the_whole_map, .init = load, .fini = release)
{
	static const char *const rows[][2] = {
		{ "component=training", " The vehicle is more urgent: its frame is 14.7 ms late." },
		{ "component=vehicle", " late: all techniques together bring it in time." },
		{ "component=vehicle fps=50", " late; with all techniques together still 7 ms." },
		{ "fps=10", " Most is to be gained in compression: 2.21x, by INT4 weights." },
		{ "fps=10 component=compression", " No other box has more to gain." },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct figure fig = sim_run(sim_find("system"), &tables, rows[i][0]);
		const char *said = strstr(fig.why, rows[i][1]);
		cr_expect(said && strcmp(said, rows[i][1]) == 0, "%s", fig.why);
		figure_release(&fig);
	}
}

/* What the sentence says of the chosen box is in the box: 35 of 48 ms of a frame are networks. Profiling
 * has no box of its own, and says which one it looks at. */
Test(system, the_chosen_box_bears_the_number, .init = load, .fini = release)
{
	struct figure fig = sim_run(sim_find("system"), &tables, "component=vehicle fps=20");
	cr_expect(eq(str, (char *)fig.blocks[0]->as.bars.bars[5].note, "arithmetic 73 %"));
	cr_expect(strstr(fig.why, "73 % of a frame is arithmetic") != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(sim_find("system"), &tables, "component=training");
	cr_expect(eq(str, (char *)fig.blocks[0]->as.bars.bars[5].note, "14.7 ms late"));
	const char *note = fig.blocks[0]->as.bars.bars[1].note;
	cr_assert(strncmp(note, "memory ", 7) == 0, "%s", note);
	cr_expect(strstr(fig.why, note + 7) != NULL, "%s: %s", note, fig.why);
	figure_release(&fig);
	fig = sim_run(sim_find("system"), &tables, "component=profiling");
	cr_expect(strncmp(fig.why, "Profiling looks at training, which gains ", 41) == 0, "%s",
		fig.why);
	figure_release(&fig);
}

/* The CPUs of a node of A100 prepare 16,621 images/s, and 8 GPUs ask for 256 each in a step: it takes
 * 2,048 / 16.621 ms.
 * A frame: 5 + 12 + 8 + 5 + 3 + 10 + 5 ms. Networks are 35 of them; three times as fast they leave
 * 13 + 35/3, the largest gain of the vehicle. On Thor half of a network's time falls with the
 * arithmetic and half with the bandwidth, (85 / 517 + 204.8 / 273) / 2 of what Orin takes, for 40
 * ms of networks and input; the other 8 ms are on CPUs of twice the speed. */
Test(system, shown_values_by_hand, .init = load, .fini = release)
{
	static const struct sim_row rows[] = {
		{ "component=training", "time_ms", 2048 / 16.621, 0 },
		{ "component=data", "time_ms", 2048 / 16.621, 0 },
		{ "component=vehicle", "time_ms", 48, 0 },
		{ "component=vehicle", "largest_gain", 48 / 27., 0 },
		{ "component=training", "frame_ms", 48, 0 },
		{ "component=vehicle platform=thor", "time_ms",
			40 * (85. / 517 + 204.8 / 273) / 2 + 8. / 2, 0 },
	};
	expect_rows(sim_find("system"), &tables, rows, sizeof rows / sizeof *rows);
}

/* The best of each box beside each other; that of the chosen one is the number at the right. */
Test(system, the_bars_compare_what_boxes_have_to_gain, .init = load, .fini = release)
{
	static const char *const chosen[] = { "vehicle", "compression", "serving" };
	for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
		char setting[64];
		snprintf(setting, sizeof setting, "component=%s", chosen[i]);
		struct figure fig = sim_run(sim_find("system"), &tables, setting);
		cr_assert(eq(str, (char *)block_name(fig.blocks[1]), "Gains"));
		const struct bars *b = &fig.blocks[1]->as.bars;
		cr_assert(eq(sz, b->n_bars, 6));
		for (size_t k = 0; k < b->n_bars; k++) {
			bool own = strcmp(b->bars[k].label, chosen[i]) == 0;
			cr_expect(eq(int, b->bars[k].role == ROLE_ACCENT, own));
			if (own)
				cr_expect(epsilon_eq(dbl, b->bars[k].parts[0] + b->bars[k].parts[1],
					figure_number(&fig, "largest_gain"), 1e-12));
		}
		figure_release(&fig);
	}
}

/* Each technique is shown in a simulation, by the title that it has there. */
Test(system, techniques_name_simulations_by_their_titles, .init = load, .fini = release)
{
	static const char *const components[] = { "data", "training", "profiling", "compression",
		"inference", "serving", "vehicle" };
	for (size_t k = 0; k < sizeof components / sizeof *components; k++) {
		char setting[32];
		snprintf(setting, sizeof setting, "component=%s", components[k]);
		struct figure fig = sim_run(sim_find("system"), &tables, setting);
		const struct table *table = &figure_block(&fig, BLOCK_TABLE, NULL)->as.table;
		cr_assert(eq(str, (char *)table->head[4], "shown in"));
		for (size_t row = 0; row < table->n_rows; row++) {
			bool found = false;
			for (size_t i = 0; i < n_sims; i++)
				found |= strcmp(sims[i]->title, table->rows[row][4]) == 0;
			cr_expect(found, "%s", table->rows[row][4]);
		}
		figure_release(&fig);
	}
}
