/* A camera's frame on its way to the plan: the source's table by hand, and laws of the stages. */
#include "sims/driving/driving.h"
#include "sims/figure/sim.h"

#include "sims/base/rng.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))
#define ALL_FOUR "backbone_sharing=1 temporal_fusion=1 tensorrt=1 sparse=1"

extern const struct sim latency_sim;

static size_t choices(const struct knob *k)
{
	size_t n = 0;
	while (k->choices && k->choices[n])
		n++;
	return k->kind == KNOB_TOGGLE ? 2 : n;
}

static void set(double v[], const char *settings)
{
	char text[256], *rest = text;
	for (size_t i = 0; i < latency_sim.n_knobs; i++)
		v[i] = latency_sim.knobs[i].dflt;
	snprintf(text, sizeof text, "%s", settings);
	for (char *word; (word = strtok_r(rest, " ", &rest));) {
		char *value = strchr(word, '=');
		*value++ = '\0';
		bool found = false;
		for (size_t i = 0; i < latency_sim.n_knobs; i++)
			if (strcmp(latency_sim.knobs[i].id, word) == 0) {
				v[i] = strtod(value, NULL);
				found = true;
			}
		cr_assert(found, "no knob %s", word);
	}
}

static double value_of(const char *settings, const char *id)
{
	double v[MAX_KNOBS];
	set(v, settings);
	struct figure fig = { 0 };
	latency_sim.run(NULL, v, &fig);
	const struct value *found = figure_find(&fig, id);
	double got = found ? found->value : NAN;
	figure_release(&fig);
	return got;
}

/* The source's table, and what follows from it by hand: 70 mph = 31.29 m/s. */
Test(latency, check_values)
{
	static const struct {
		const char *settings, *value;
		double want, tolerance;
	} rows[] = {
		{ "", "total_ms", 48, 0 },
		{ ALL_FOUR, "total_ms", 27, 0 },
		{ "", "slack_ms", -14.667, 1e-3 }, /* 33.333 - 48 */
		{ ALL_FOUR, "slack_ms", 6.333, 1e-3 },
		{ "", "fps_serial", 20.833, 1e-3 }, /* 1000 / 48 */
		{ ALL_FOUR, "fps_serial", 37.037, 1e-3 },
		{ "", "fps_pipelined", 83.333, 1e-3 }, /* the backbone's 12 ms */
		{ "", "deadline_ms", 33.333, 1e-3 },   /* 1000 / 30 */
		{ "", "blind_m", 1.502, 1e-3 },        /* 31.2928 m/s x 48 ms */
		{ "", "sharing_saves_pct", 63.7, 0.05 },
		{ "cameras=8", "camera_GBps", 1.44, 1e-9 },
		{ "jitter_cv=0 " ALL_FOUR, "p99_ms", 27, 1e-9 },
		{ "jitter_cv=0 " ALL_FOUR, "miss_pct", 0, 0 },
		{ "jitter_cv=0", "miss_pct", 100, 0 },
		/* Every frame takes 48 ms of a 33.3 ms period: 1 - 33.3/48 of them are
		 * overtaken. */
		{ "jitter_cv=0 frames=10000", "dropped_pct", 30.6, 0.1 },
		{ "jitter_cv=0 frames=10000", "fps_planned", 20.833, 0.01 },
		{ "jitter_cv=0 frames=10000 pipelined=1", "fps_planned", 30, 0.01 },
		{ "jitter_cv=0 frames=10000 pipelined=1 fps=200", "fps_planned", 83.333, 0.1 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl, value_of(rows[i].settings, rows[i].value), rows[i].want,
				  rows[i].tolerance),
			"%s: %s", rows[i].settings, rows[i].value);
}

/* Without jitter, at 70 mph = 31.29 m/s. Serial: a frame that was captured
 * w ms before its turn has a plan w + 48 ms old when it comes, w + 96 when the next replaces it.
 * The tenth turn is at 432 ms, for the frame of 400: w is 32, more than before, 128 ms in all.
 * Pipelined: 48 ms and a period of 33.33. */
Test(latency, oldest_plan)
{
	cr_expect(epsilon_eq(
		dbl, value_of("jitter_cv=0 frames=20", "blind_streak_m"), 31.2928 * 0.128, 1e-6));
	cr_expect(epsilon_eq(dbl, value_of("jitter_cv=0 pipelined=1", "blind_streak_m"),
		31.2928 * (0.048 + 1 / 30.0), 1e-6));
	cr_expect(epsilon_eq(dbl, value_of("", "blind_streak_m"), 4.2, 0.4));
	cr_expect(epsilon_eq(dbl, value_of("pipelined=1", "blind_streak_m"), 2.75, 0.25));
}

/* Networks take half of their time by arithmetic, half by bandwidth: on Thor (85 / 517 + 204.8 /
 * 273) / 2 = 0.4573 of Orin's 40 ms; tracking and planning half of 8. */
Test(latency, platforms)
{
	cr_expect(epsilon_eq(dbl, value_of("platform=1", "total_ms"), 40 * 0.4573 + 4, 0.01));
}

/* The optimised column of the table, stage by stage. */
Test(latency, optimised_column)
{
	static const double want_ms[N_STAGES] = { 2, 6, 4, 3, 3, 5, 4 };
	struct driving d = { .cameras = 6, .on = { true, true, true, true } };
	for (enum driving_stage s = 0; s < N_STAGES; s++)
		cr_expect(eq(dbl, stage_ms(&d, s), want_ms[s]), "%s", stage_names[s]);
}

/* 12 ms of backbone for 6 cameras are 24 for 12, and 5 of preprocessing 10. */
Test(latency, cameras)
{
	cr_expect(epsilon_eq(dbl, value_of("cameras=12", "total_ms"), 65, 1e-9));
}

/* Deviation of a sum of independent stages: cv sqrt(sum of squares) = 0.2 x sqrt(115) = 2.14 ms on
 * 27; log-normal sums of this size are near normal: P99 about 27 + 2.33 x 2.14 = 32.0. */
Test(latency, jitter)
{
	double p99 = value_of(ALL_FOUR " pipelined=1 jitter_cv=0.2 frames=10000", "p99_ms");
	double p50 = value_of(ALL_FOUR " pipelined=1 jitter_cv=0.2 frames=10000", "p50_ms");
	cr_expect(epsilon_eq(dbl, p50, 27, 0.3));
	cr_expect(epsilon_eq(dbl, p99, 32.2, 0.5));
	double last = -1;
	for (int cv = 0; cv <= 10; cv++) {
		char text[128];
		snprintf(text, sizeof text, ALL_FOUR " pipelined=1 frames=5000 jitter_cv=%g",
			cv / 10.0);
		double missed = value_of(text, "miss_pct");
		cr_expect(ge(dbl, missed, last - 1), "%s", text);
		last = missed;
	}
	cr_expect(lt(dbl, 10, last));
}

/* One worker never does two things at once, stages keep their order, time never runs back. */
static void expect_order(const struct driving_frame *frames, size_t n, bool pipelined)
{
	double free_s[N_STAGES] = { 0 };
	for (size_t i = 0; i < n; i++) {
		const struct driving_frame *f = &frames[i];
		double at_s = f->capture_s;
		for (unsigned s = 0; s < f->stages_done; s++) {
			cr_expect(ge(dbl, f->start_s[s], at_s));
			cr_expect(ge(dbl, f->end_s[s], f->start_s[s]));
			unsigned worker = pipelined ? s : 0;
			cr_expect(ge(dbl, f->start_s[s], free_s[worker]));
			free_s[worker] = at_s = f->end_s[s];
		}
	}
}

Test(latency, workers)
{
	struct arena a = { 0 };
	struct driving d = { .cameras = 8 };
	for (int pipelined = 0; pipelined < 2; pipelined++)
		for (double fps = 5; fps < 240; fps *= 2) {
			struct driving_frame *f = driving_run(&a, &d, pipelined, fps, 0.5, 500, 7);
			cr_assert(f != NULL);
			expect_order(f, 500, pipelined);
			cr_expect(frame_planned(&f[499]), "nothing overtakes the last frame");
		}
	arena_release(&a);
}

Test(latency, same_seed_same_figure)
{
	static const char *const ids[] = { "p99_ms", "miss_pct", "p50_ms", "dropped_pct" };
	for (size_t i = 0; i < COUNT(ids); i++)
		cr_expect(eq(dbl, value_of("seed=3", ids[i]), value_of("seed=3", ids[i])));
	cr_expect(ne(dbl, value_of("seed=3", "p99_ms"), value_of("seed=4", "p99_ms")));
}

static void expect_sound(const double v[], const char *what)
{
	struct figure fig = { 0 };
	latency_sim.run(NULL, v, &fig);
	cr_expect(not(fig.arena.failed));
	cr_expect(fig.why && fig.subtitle && fig.n_assumptions > 0 && fig.n_leaves_out > 0);
	cr_expect(lt(dbl, 0, fig.duration_s));
	for (size_t i = 0; i < fig.n_values; i++)
		cr_expect(isfinite(fig.values[i].value), "%s: %s is %g", what, fig.values[i].id,
			fig.values[i].value);
	figure_release(&fig);
}

Test(latency, both_ends_of_every_knob)
{
	for (size_t i = 0; i < latency_sim.n_knobs; i++) {
		const struct knob *k = &latency_sim.knobs[i];
		size_t n = choices(k);
		for (size_t end = 0; end < (n ? n : 2); end++) {
			double v[MAX_KNOBS];
			set(v, "");
			v[i] = n ? (double)end : end ? k->max : k->min;
			expect_sound(v, k->id);
		}
		cr_expect(k->help && *k->help, "%s", k->id);
	}
}

Test(latency, random_settings, .description = "long")
{
	struct rng r = rng_stream(1, "latency", 0);
	for (int round = 0; round < 300; round++) {
		double v[MAX_KNOBS];
		for (size_t i = 0; i < latency_sim.n_knobs; i++) {
			const struct knob *k = &latency_sim.knobs[i];
			v[i] = k->min + rng_uniform(&r) * (k->max - k->min);
			if (choices(k))
				v[i] = (double)rng_below(&r, choices(k));
			else if (k->integer)
				v[i] = floor(v[i]);
		}
		expect_sound(v, "random");
	}
}

/* What the screen promises: the setting comes first, stage by stage and then in one bar, in the same
 * colours as the frames' ways; no row is drawn twice, neither as this setting and as none, one or all
 * of the four; the stages take 5, 12, 8, 5, 3, 10 and 5 ms; the sentence says how late plans come:
 * 48 ms of 33.3. */
Test(latency, the_setting_comes_first)
{
	static const struct {
		const char *settings;
		size_t rows;
	} rows[] = { { "", 6 }, { ALL_FOUR, 6 }, { "tensorrt=1", 6 },
		{ "tensorrt=1 sparse=1", 7 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		set(v, rows[i].settings);
		latency_sim.run(NULL, v, &fig);
		const struct bars *b = &fig.blocks[0]->as.bars;
		cr_assert(fig.blocks[0]->kind == BLOCK_BARS);
		cr_assert(eq(sz, b->n_steps, N_STAGES));
		cr_expect(eq(str, (char *)b->bars[N_STAGES].label, "now"));
		cr_expect(eq(sz, b->n_bars, N_STAGES + rows[i].rows), "%s", rows[i].settings);
		static const double parts[] = { 5, 12, 8, 5, 3, 10, 5 };
		cr_assert(eq(sz, b->n_parts, N_STAGES));
		for (size_t k = 0; k < N_STAGES && i == 0; k++) {
			cr_expect(epsilon_eq(dbl, b->bars[k].parts[k], parts[k], 1e-9));
			cr_expect(epsilon_eq(dbl, b->bars[N_STAGES].parts[k], parts[k], 1e-9));
		}
		cr_assert(fig.blocks[1]->kind == BLOCK_TIMELINE);
		for (size_t k = 0; k < b->n_parts; k++)
			cr_expect(b->means[k] == fig.blocks[1]->as.timeline.means[k]);
		if (i == 0)
			cr_expect(eq(str, (char *)fig.why,
				"The stages make a plan 14.7 ms late. All "
				"optimisations leave 6.33 ms to spare."));
		figure_release(&fig);
	}
}

/* Late frames: 48 ms of 33.33 are 14.7 too many, and 27 with all four leave 6.33; of 1000/60 = 16.67 ms
 * they are 31.3 and 10.3 too many, and there is nothing left to turn on; pipelining is told apart. */
Test(latency, the_sentence_names_the_way_out)
{
	static const struct {
		const char *settings, *late, *out;
	} rows[] = {
		{ "", "The stages make a plan 14.7 ms late. ",
			"All optimisations leave 6.33 ms to spare." },
		/* One that comes at any moment between two frames waits 16.7 / 2 on average. */
		{ "fps=60", "The stages make a plan 31.3 ms late. ",
			"All optimisations leave it 10.3 ms late." },
		{ ALL_FOUR " fps=60", "The stages make a plan 10.3 ms late. ",
			"That is with all optimisations." },
		{ "pipelined=1", "The stages make a plan 14.7 ms late. ",
			"Pipelining plans more frames, none of them sooner." },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		set(v, rows[i].settings);
		latency_sim.run(NULL, v, &fig);
		cr_expect(strstr(fig.why, rows[i].late) == fig.why, "%s", fig.why);
		cr_expect(strstr(fig.why, rows[i].out) != NULL, "%s", fig.why);
		figure_release(&fig);
	}
}

/* A frame takes 48 ms alone, and half of them 64.8 where they come every 33.3 ms to one worker: the rest is
 * waiting, and the number says so beside the other. Frames that are dropped are missing in the picture, which
 * says which; with all four optimisations none waits and none is dropped. */
Test(latency, waiting_and_dropped_frames_are_said)
{
	static const char *const settings[] = { "", ALL_FOUR };
	for (size_t i = 0; i < COUNT(settings); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		set(v, settings[i]);
		latency_sim.run(NULL, v, &fig);
		const char *note = figure_find(&fig, "p50_ms")->note;
		double more =
			figure_find(&fig, "p50_ms")->value - figure_find(&fig, "total_ms")->value;
		const char *title = fig.blocks[1]->as.timeline.title;
		char want[32];
		snprintf(want, sizeof want, "%.3g ms in the queue", more);
		cr_expect(eq(str, (char *)note, i == 0 ? want : "P50"));
		cr_expect(eq(int, strstr(title, " dropped") != NULL, i == 0), "%s", title);
		figure_release(&fig);
	}
}

/* The picture of the tail: 1 in 200 of the serial frames is beyond its axis, and the line of each
 * mode goes to its end; the deadline has one role in all pictures. */
Test(latency, the_tail_fills_its_axis)
{
	double v[MAX_KNOBS];
	struct figure fig = { 0 };
	set(v, "frames=10000");
	latency_sim.run(NULL, v, &fig);
	const struct plot *p = &figure_block(&fig, BLOCK_PLOT, NULL)->as.plot;
	cr_assert(p->n_series == 2 && p->n_rules == 1);
	for (size_t i = 0; i < 2; i++) {
		const struct series *line = &p->series[i];
		cr_expect(eq(dbl, line->points[line->n - 1].x, p->x.max));
	}
	const struct series *serial = &p->series[0];
	double planned = 100 - figure_find(&fig, "dropped_pct")->value;
	cr_expect(epsilon_eq(dbl, serial->points[serial->n - 1].y / planned, 0.995, 1e-3));
	cr_expect(p->rules[0].role == fig.blocks[1]->as.timeline.rules[0].role);
	figure_release(&fig);
}

/* No two stages have the same colour, wherever they are drawn; the networks, which detect and
 * segment on one backbone, are shades of one. */
Test(latency, stages_have_colours_of_their_own)
{
	double v[MAX_KNOBS];
	size_t found = 0;
	set(v, "");
	struct figure fig = { 0 };
	latency_sim.run(NULL, v, &fig);
	for (size_t i = 0; i < fig.n_blocks; i++) {
		const struct bars *b = &fig.blocks[i]->as.bars;
		if (fig.blocks[i]->kind != BLOCK_BARS || b->n_parts != N_STAGES)
			continue;
		found++;
		for (size_t k = 0; k < N_STAGES; k++)
			for (size_t j = 0; j < k; j++)
				cr_expect(b->means[k] != b->means[j], "%s and %s", b->part_names[k],
					b->part_names[j]);
		cr_expect(b->means[STAGE_DETECTION] >= MEANS_LEVEL);
		cr_expect(b->means[STAGE_DETECTION] < MEANS_LEVEL + 8);
		cr_expect(b->means[STAGE_SEGMENTATION] >= MEANS_LEVEL);
		cr_expect(b->means[STAGE_SEGMENTATION] < b->means[STAGE_DETECTION]);
	}
	cr_expect(lt(sz, 0, found));
	figure_release(&fig);
}
