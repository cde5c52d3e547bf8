/* The frame budget of a driving pipeline: stages against the deadline of a frame, with jitter,
 * optimisations and pipelining. The pipeline itself is sims/driving/driving.h. */
#include "sims/constants.h"
#include "sims/base/stats.h"
#include "sims/formulas/driving.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/driving/driving.h"

#include <assert.h>
#include <math.h>

enum {
	FPS,
	SPEED,
	PLATFORM,
	SHARING,
	TEMPORAL,
	TENSOR_RT,
	SPARSITY,
	JITTER,
	PIPELINED,
	CAMERAS,
	FRAMES,
	SEED,
	N_KNOBS
};

static const char *const platform_labels[] = { "Orin", "Thor", "SA8650P", "RTX 4090" };

static const struct knob knobs[] = {
	[FPS] = KNOB_LINEAR("fps", "frames/s", "", 1, 240, 30, 1,
		"every frame must be planned before the next one: the deadline is 1/fps"),
	[SPEED] = KNOB_LINEAR("speed_mph", "speed", "mph", 0, 200, 70, 5,
		"the car goes on while the answer is computed", .group = "the car"),
	[PLATFORM] = KNOB_CHOICE_OF("platform", "platform", platform_ids, platform_labels, "orin",
		"networks scale by arithmetic and bandwidth, tracking and planning by the CPU",
		.group = "the car"),
	[SHARING] = KNOB_SWITCH("backbone_sharing", "shared input", 0,
		"one preparation of the images for all heads takes 3 ms off preprocessing; the "
		"backbone is no different, the table's 12 ms are one shared encoder already"),
	[TEMPORAL] = KNOB_SWITCH("temporal_fusion", "temporal fusion", 0,
		"moves the last frames' features with the car instead of computing them again: "
		"detection, segmentation, prediction"),
	[TENSOR_RT] = KNOB_SWITCH("tensorrt", "TensorRT", 0,
		"fuses layers and tunes kernels of all that is a network: most for the backbone "
		"and prediction"),
	[SPARSITY] = KNOB_SWITCH("sparse", "sparse", 0,
		"skips empty space: a little of detection, segmentation and planning"),
	[JITTER] = KNOB_LINEAR("jitter_cv", "jitter cv", "", 0, 1, 0.1, 0.02,
		"deadlines are missed by the tail, not by the mean"),
	[PIPELINED] = KNOB_SWITCH("pipelined", "pipelined", 0,
		"stages work on different frames at once: more frames, but each one still takes "
		"its whole way"),
	[CAMERAS] = KNOB_WHOLE("cameras", "cameras", "", 1, 16, 6,
		"preprocessing and the backbone see every camera; the heads see their sum",
		.group = "the car"),
	[FRAMES] = KNOB_FACTOR("frames", "frames", "", 10, 10000, 1000, 1.25892541,
		"a P99 needs some hundreds of frames to stand still", .integer = true,
		.group = "the drive"),
	[SEED] = KNOB_SEED(0, 9999, "another drive with the same statistics", .group = "the drive"),
};

/* One drive in one mode, and its results. */
struct drive {
	const struct driving_frame *frames;
	size_t n, planned;
	double *latency_ms; /* latencies of planned frames, ascending */
	double missed;      /* share of all frames without a plan by the deadline */
	double fps;         /* plans per second */
	double oldest_s;    /* the most time since the frame behind the newest plan was captured */
};

struct latency_setting {
	const double *v;
	struct driving driving;
	double deadline_s;
};

static struct latency_setting setting_of(const double v[])
{
	assert(v[PLATFORM] < N_PLATFORMS);
	struct latency_setting s = { .v = v,
		.deadline_s = CALL(frame_deadline, .fps = v[FPS]),
		.driving = { .platform = (enum platform)v[PLATFORM], .cameras = v[CAMERAS] } };
	for (unsigned o = 0; o < N_OPTIMISATIONS; o++)
		s.driving.on[o] = v[SHARING + o] > 0;
	return s;
}

static bool drive_run(
	struct figure *fig, const struct latency_setting *s, bool pipelined, struct drive *d)
{
	const double *v = s->v;
	d->n = (size_t)v[FRAMES];
	d->frames = driving_run(
		&fig->arena, &s->driving, pipelined, v[FPS], v[JITTER], d->n, (uint64_t)v[SEED]);
	d->latency_ms = arena_array(&fig->arena, d->n, sizeof *d->latency_ms);
	if (!d->frames || !d->latency_ms)
		return false;
	size_t missed = 0;
	double first_s = INFINITY, last_s = 0, newest_s = 0;
	for (size_t i = 0; i < d->n; i++) {
		double latency_s = frame_latency_s(&d->frames[i]);
		missed += latency_s > s->deadline_s;
		if (isinf(latency_s))
			continue;
		d->latency_ms[d->planned++] = 1e3 * latency_s;
		first_s = fmin(first_s, d->frames[i].end_s[N_STAGES - 1]);
		last_s = d->frames[i].end_s[N_STAGES - 1];
		/* A plan is the oldest just before the next one replaces it. */
		if (d->planned > 1)
			d->oldest_s = fmax(d->oldest_s, last_s - newest_s);
		newest_s = d->frames[i].capture_s;
		d->oldest_s = fmax(d->oldest_s, latency_s);
	}
	d->missed = (double)missed / (double)d->n;
	d->fps = d->planned > 1 ? (double)(d->planned - 1) / (last_s - first_s) : NAN;
	sort_ascending(d->latency_ms, d->planned);
	return true;
}

/* Less than this share of the stages is their jitter, and no wait. */
static const double wait_counts = 0.05;

static void values(struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	const double *v = s->v;
	double total_ms = stages_total_ms(&s->driving), deadline_ms = 1e3 * s->deadline_s;
	double slack_ms = deadline_ms - total_ms;
	double speed = v[SPEED] * MPH_M_PER_S;
	double p50 = quantile_sorted(d->latency_ms, d->planned, 0.5);
	double p99 = quantile_sorted(d->latency_ms, d->planned, 0.99);
	enum role fits = slack_ms >= 0 ? ROLE_GOOD : ROLE_BAD;
	value_note(figure_value(fig, "total_ms", "stages together", total_ms, "ms", fits),
		figure_text(fig, "deadline %s", figure_quantity(fig, deadline_ms, "ms")));
	figure_value(fig, "miss_pct", "frames late", 100 * d->missed, "%",
		d->missed < 0.001  ? ROLE_GOOD
		: d->missed < 0.05 ? ROLE_WARN
				   : ROLE_BAD);
	/* Where frames come sooner than they are done, they also wait for each other. */
	double waited_ms = p50 - total_ms;
	value_note(figure_value(fig, "p50_ms", "median frame", p50, "ms", ROLE_PLAIN),
		waited_ms < wait_counts * total_ms
			? "P50"
			: figure_text(
				  fig, "%s in the queue", figure_quantity(fig, waited_ms, "ms")));
	value_note(figure_value(fig, "p99_ms", "slowest in 100", p99, "ms",
			   p99 <= deadline_ms ? ROLE_PLAIN : ROLE_BAD),
		"P99");
	value_note(figure_value(fig, "blind_m", "driven blind",
			   CALL(distance_travelled, .speed = speed, .latency = total_ms / 1e3), "m",
			   ROLE_PLAIN),
		"during the stages");
	figure_value(fig, "fps_serial", "rate, serial",
		CALL(latency_fps, .latency = total_ms / 1e3), "Hz", ROLE_PLAIN);
	figure_value(fig, "fps_pipelined", "rate, pipelined",
		CALL(pipelined_fps, .slowest_stage = slowest_stage_ms(&s->driving) / 1e3), "Hz",
		ROLE_PLAIN);
	value_note(figure_value(fig, "slack_ms", "slack", slack_ms, "ms", ROLE_PLAIN),
		slack_ms < 0 ? "too late" : "to spare");
	figure_value(fig, "deadline_ms", "deadline", deadline_ms, "ms", ROLE_PLAIN);
	figure_value(fig, "p99_over_p50", "P99/P50", CALL(jitter_ratio, .p99 = p99, .p50 = p50), "",
		ROLE_PLAIN);
	figure_value(fig, "dropped_pct", "dropped", 100 * (1 - (double)d->planned / (double)d->n),
		"%", ROLE_PLAIN);
	figure_value(fig, "fps_planned", "plans", d->fps, "Hz", ROLE_PLAIN);
	value_note(figure_value(fig, "blind_streak_m", "longest blind",
			   CALL(distance_travelled, .speed = speed, .latency = d->oldest_s), "m",
			   ROLE_PLAIN),
		figure_text(fig, "on a plan %.0f ms old", 1e3 * d->oldest_s));
	figure_value(fig, "camera_GBps", "camera data",
		CALL(sensor_rate, .cameras = v[CAMERAS], .pixels = 2e6, .bytes_per_pixel = 3,
			.fps = v[FPS]) /
			1e9,
		"GB/s", ROLE_PLAIN);
	value_note(figure_value(fig, "sharing_saves_pct", "FLOPs saved",
			   100 * CALL(backbone_sharing_saving, .backbone_flops = 8.5e9,
					 .cameras = v[CAMERAS], .tasks = 3, .head_flops = 4.5e9),
			   "%", ROLE_PLAIN),
		"against 3 encoders");
}

/* The setting without any optimisation: the published table itself, for these cameras on this
 * machine. */
static struct driving unoptimised(const struct latency_setting *s)
{
	struct driving d = s->driving;
	for (unsigned o = 0; o < N_OPTIMISATIONS; o++)
		d.on[o] = false;
	return d;
}

/* A stage has one name and one colour in every part of the figure; networks are blues. */
static const char *const stage_labels[N_STAGES] = { "input", "backbone", "detect", "segment",
	"track", "predict", "plan" };
static const enum meaning stage_means[N_STAGES] = { [STAGE_PREPROCESS] = MEANS_TRAFFIC,
	[STAGE_BACKBONE] = MEANS_COMPUTE,
	[STAGE_DETECTION] = MEANS_LEVEL + 6,
	[STAGE_SEGMENTATION] = MEANS_LEVEL + 4,
	[STAGE_TRACKING] = MEANS_FIXED,
	[STAGE_PREDICTION] = MEANS_SECOND,
	[STAGE_PLANNING] = MEANS_KIND + 2 };
static const char *const optimisation_labels[N_OPTIMISATIONS] = { "shared input", "temporal fusion",
	"TensorRT", "sparse" };

/* In the order of the story's knobs. */
static const enum optimisation as_told[N_OPTIMISATIONS] = { TENSORRT, TEMPORAL_FUSION,
	BACKBONE_SHARING, SPARSE };

static void add_stages(struct figure *fig, struct bars *b, const char *label,
	const struct driving *d, double deadline_ms)
{
	double parts[N_STAGES], total_ms = stages_total_ms(d);
	for (enum driving_stage s = 0; s < N_STAGES; s++)
		parts[s] = stage_ms(d, s);
	struct bar *bar = bars_add(fig, b, label, parts);
	if (bar)
		bar->role = total_ms <= deadline_ms ? ROLE_GOOD : ROLE_BAD;
}

/* The stages of a setting, each on a row of its own. */
static void add_steps(struct figure *fig, struct bars *b, const struct driving *d)
{
	for (enum driving_stage s = 0; s < N_STAGES; s++) {
		double parts[N_STAGES] = { 0 };
		parts[s] = stage_ms(d, s);
		bars_add(fig, b, stage_labels[s], parts);
	}
	if (b)
		b->n_steps = b->n_bars;
}

static bool is_same(const struct driving *a, const struct driving *b)
{
	for (unsigned o = 0; o < N_OPTIMISATIONS; o++)
		if (a->on[o] != b->on[o])
			return false;
	return true;
}

/* This setting, and then what there is to choose from, less what is this setting. */
static void stage_bars(struct figure *fig, const struct latency_setting *s)
{
	struct bars *b = figure_bars(
		fig, "From capture to plan: the stages of a frame", "ms", stage_labels, N_STAGES);
	double deadline_ms = 1e3 * s->deadline_s;
	struct driving none = unoptimised(s), all = none;
	bars_mean(fig, b, stage_means, N_STAGES);
	figure_tab(fig, "Budget");
	add_steps(fig, b, &s->driving);
	for (unsigned o = 0; o < N_OPTIMISATIONS; o++)
		all.on[o] = true;
	add_stages(fig, b, "now", &s->driving, deadline_ms);
	if (!is_same(&s->driving, &none))
		add_stages(fig, b, "none", &none, deadline_ms);
	for (unsigned i = 0; i < N_OPTIMISATIONS; i++) {
		struct driving one = none;
		one.on[as_told[i]] = true;
		if (!is_same(&s->driving, &one))
			add_stages(fig, b, optimisation_labels[as_told[i]], &one, deadline_ms);
	}
	if (!is_same(&s->driving, &all))
		add_stages(fig, b, "all together", &all, deadline_ms);
	if (!b)
		return;
	b->limit = deadline_ms;
	b->limit_label = "deadline";
}

enum { SHOWN_FRAMES = 8 };

/* "4 and 7 dropped", of the first frames; else how they are worked on. */
static const char *frames_title(
	struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	bool pipelined = s->v[PIPELINED] > 0;
	const char *mode = pipelined ? "pipelined" : "serial", *lost = "";
	unsigned last = 0;
	for (unsigned i = 0; i < SHOWN_FRAMES && i < d->n; i++) {
		if (!isinf(frame_latency_s(&d->frames[i])))
			continue;
		if (last > 0)
			lost = *lost ? figure_text(fig, "%s, %u", lost, last)
				     : figure_text(fig, "%u", last);
		last = i + 1;
	}
	if (last > 0)
		return figure_text(fig, "The first frames, %s: %s%s%u dropped", mode, lost,
			*lost ? " and " : "", last);
	return figure_text(fig, "The first frames, %s: %s", mode,
		pipelined ? "a worker for each stage" : "one at a time");
}

/* Draws the ways of the first frames through the stages, each span with its frame's number. */
static double timeline(struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	struct timeline *t = figure_timeline(
		fig, frames_title(fig, s, d), stage_labels, N_STAGES, stage_labels, N_STAGES);
	timeline_mean(fig, t, stage_means, N_STAGES);
	figure_tab(fig, "Frames");
	double end_s = 0;
	for (unsigned i = 0; i < SHOWN_FRAMES && i < d->n; i++) {
		const struct driving_frame *f = &d->frames[i];
		const char *label = figure_text(fig, "%u", i + 1);
		for (unsigned k = 0; k < f->stages_done; k++) {
			timeline_span(fig, t, k, k, f->start_s[k], f->end_s[k], label);
			end_s = fmax(end_s, f->end_s[k]);
		}
	}
	for (unsigned i = 1; i <= 4; i++)
		timeline_rule(fig, t, i * s->deadline_s,
			i == 1 ? "due 1" : figure_text(fig, "%u", i), ROLE_WARN);
	return end_s;
}

static void moments(struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	for (unsigned i = 0; i < SHOWN_FRAMES && i < d->n; i++) {
		const struct driving_frame *f = &d->frames[i];
		double due_s = f->capture_s + s->deadline_s, latency_s = frame_latency_s(f);
		if (isinf(latency_s))
			figure_moment(
				fig, due_s, "frame %u was dropped: a newer one overtook it", i + 1);
		else if (latency_s > s->deadline_s)
			figure_moment(fig, due_s, "frame %u misses its deadline by %.1f ms", i + 1,
				1e3 * (latency_s - s->deadline_s));
		else
			figure_moment(fig, f->end_s[N_STAGES - 1],
				"frame %u is planned with %.1f ms to spare", i + 1,
				1e3 * (s->deadline_s - latency_s));
	}
}

static double least_latency_ms(const struct drive drives[2])
{
	double least = INFINITY;
	for (int i = 0; i < 2; i++)
		if (drives[i].planned > 0)
			least = fmin(least, drives[i].latency_ms[0]);
	return least;
}

/* Draws the share of all frames that are planned within x, as far as most_ms: dropped ones keep the
 * curve below 100 %. */
static void distribution(struct figure *fig, struct plot *p, const struct drive *d,
	const char *name, enum meaning meaning, double most_ms)
{
	enum { POINTS = 200 };
	struct series *line = plot_series(fig, p, name, SERIES_LINE, meaning);
	size_t every = d->planned > POINTS ? d->planned / POINTS : 1, within = 0;
	while (within < d->planned && d->latency_ms[within] <= most_ms)
		within++;
	for (size_t i = 0; i < within; i += every)
		series_point(fig, line, d->latency_ms[i], 100 * (double)(i + 1) / (double)d->n);
	if (within > 0)
		series_point(fig, line, most_ms, 100 * (double)within / (double)d->n);
}

/* "serial: 30 % dropped", where that can be seen. */
static const char *dropped_text(struct figure *fig, const char *name, const struct drive *d)
{
	const double dropped = 100 * (1 - (double)d->planned / (double)d->n), seen = 0.5;
	return dropped < seen ? name : figure_text(fig, "%s: %.0f %% dropped", name, dropped);
}

/* Frames by their latency, up to the slowest 1 in 200 of the serial ones: a few late ones would
 * take half of the axis. The deadline is always on it. */
static void draw_tail(
	struct figure *fig, const struct latency_setting *s, const struct drive drives[2])
{
	double deadline_ms = 1e3 * s->deadline_s, least_ms = least_latency_ms(drives);
	double most_ms = quantile_sorted(drives[0].latency_ms, drives[0].planned, 0.995);
	most_ms = fmax(most_ms, 1.05 * fmax(deadline_ms, least_ms));
	struct plot *p = figure_plot(fig, "Frames planned within a latency", "Latency", "ms",
		AXIS_LINEAR, "Frames", "%", AXIS_LINEAR);
	if (p) { /* from off the axis, where the deadline's rule is seen */
		p->x.min = 0.9 * fmin(deadline_ms, least_ms);
		p->x.max = most_ms;
	}
	figure_tab(fig, "Tail");
	distribution(fig, p, &drives[0], dropped_text(fig, "serial", &drives[0]), MEANS_KIND + 3,
		most_ms);
	distribution(fig, p, &drives[1], dropped_text(fig, "pipelined", &drives[1]), MEANS_KIND + 6,
		most_ms);
	plot_rule(fig, p, false, deadline_ms, "deadline", ROLE_WARN);
}

/* What it takes to be in time: less than all, all, or more than there is. */
static const char *way_out(struct figure *fig, const struct latency_setting *s)
{
	struct driving all = s->driving;
	for (unsigned o = 0; o < N_OPTIMISATIONS; o++)
		all.on[o] = true;
	double spare_s = s->deadline_s - stages_total_ms(&all) / 1e3;
	if (is_same(&s->driving, &all))
		return "That is with all optimisations.";
	return figure_text(fig,
		spare_s >= 0 ? "All optimisations leave %s to spare."
			     : "All optimisations leave it %s late.",
		figure_quantity(fig, fabs(spare_s), "s"));
}

/* Writes the one sentence that reads the figure, what is wrong first. */
static void why(struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	double total_s = stages_total_ms(&s->driving) / 1e3, slack_s = s->deadline_s - total_s;
	const char *total = figure_quantity(fig, total_s, "s"),
		   *slack = figure_quantity(fig, fabs(slack_s), "s"),
		   *deadline = figure_quantity(fig, s->deadline_s, "s");
	if (slack_s < 0)
		figure_why(fig, "The stages make a plan %s late. %s", slack,
			s->v[PIPELINED] > 0 ? "Pipelining plans more frames, none of them sooner."
					    : way_out(fig, s));
	else if (d->missed > 0)
		figure_why(fig,
			"The tail misses, not the mean: the stages take %s of %s, and still %.2g "
			"%% of plans are late.",
			total, deadline, 100 * d->missed);
	else
		figure_why(fig,
			"Every plan is in time: the stages take %s of %s, and the tail needs less "
			"than the %s to spare.",
			total, deadline, slack);
}

static void explain(struct figure *fig, const struct latency_setting *s, const struct drive *d)
{
	const struct driving table = unoptimised(s);
	double backbone_ms = stage_ms(&table, STAGE_BACKBONE), table_ms = stages_total_ms(&table);
	figure_subtitle(fig, "%s · %.0f cameras · %s", platform_names[s->driving.platform],
		s->v[CAMERAS], s->v[PIPELINED] > 0 ? "pipelined" : "serial");
	why(fig, s, d);
	figure_assume(
		fig, "stages one after the other; latency counts from capture, waiting included");
	figure_assume(fig, "a free stage takes the newest frame; older ones that wait are dropped");
	figure_assume(fig,
		"stage times log-normal and independent; a frame misses when its plan is later "
		"than 1/fps, or never comes");
	figure_assume(fig,
		"the published table names no machine: taken as an Orin's; others by half their "
		"arithmetic, half their bandwidth");
	figure_assume(fig,
		"both ends of each stage are published, what each optimisation contributes is our "
		"split, in ms, so that order does not matter");
	figure_assume(fig,
		"the table's %.3g ms of backbone are one shared encoder already: three separate "
		"ones would make %.3g ms of its %.3g",
		backbone_ms, table_ms + 2 * backbone_ms, table_ms);
	if (s->driving.platform == PLATFORM_ORIN)
		figure_assume(fig, "published on Orin with TensorRT: BEVFusion 18 frames/s (FP16), "
				   "25 (INT8)");
	figure_leave_out(
		fig, "contention of stages for the same chip: pipelined rates are upper bounds");
	figure_leave_out(fig,
		"sensors, transport and actuation, thermal limits, and what fusion and sparsity "
		"cost in accuracy");
}

static void run(const struct tables *tables, const double v[], struct figure *fig)
{
	(void)tables;
	struct latency_setting s = setting_of(v);
	struct drive drives[2] = { { 0 }, { 0 } };
	for (int pipelined = 0; pipelined < 2; pipelined++)
		if (!drive_run(fig, &s, pipelined, &drives[pipelined]))
			return;
	const struct drive *d = &drives[v[PIPELINED] > 0];
	values(fig, &s, d);
	stage_bars(fig, &s);
	fig->duration_s = timeline(fig, &s, d);
	moments(fig, &s, d);
	draw_tail(fig, &s, drives);
	explain(fig, &s, d);
}

const struct sim latency_sim = {
	.id = "latency",
	.title = "Frame budget",
	.summary = "Stages of a driving pipeline against the deadline, with jitter and pipelining",
	.page = "driving",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(TENSOR_RT, TEMPORAL, SHARING, SPARSITY, PIPELINED, JITTER, FPS),
	.try = "Turn TensorRT on, then the next. Which is the first to be in time?",
	.run = run,
};
