/* Registers, shared memory and block size to blocks on an SM; what their warps keep under way, by
 * Little's law and on the clock of a scheduler; and how a grid ends in a tail. */
#include "sims/base/array.h"
#include "sims/figure/sim.h"
#include "sims/formulas/kernels.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/sm_resources.h"
#include "sims/gpu/warp_scheduler.h"
#include "sims/knobs.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { GPU, THREADS, REGISTERS, SHARED, ILP, LOAD_BYTES, BLOCKS, WORK, LATENCY, N_KNOBS };
enum { KIB = 1024 };

static const struct knob knobs[N_KNOBS] = {
	[GPU] = KNOB_ANY_GPU("h100", "sets what an SM has, how many there are, and what bandwidth "
				     "each of them must carry"),
	[THREADS] = KNOB_LINEAR("threads", "threads a block", "", 32, 1024, 256, 32,
		"blocks are placed whole: a large one leaves room that no other fits into",
		.integer = true),
	[REGISTERS] = KNOB_LINEAR("registers", "registers", "", 16, 255, 128, 8,
		"of one thread, as the compiler reports them; a warp is given them in units of "
		"256, eight for each thread",
		.integer = true),
	[SHARED] = KNOB_LINEAR("shared_KiB", "shared memory", "KiB", 0, 227, 0, 4,
		"of one block; from compute capability 8.0 on the system takes 1 KiB more"),
	[ILP] = KNOB_DOUBLING("ilp", "loads at once", "", 1, MOST_LOADS, 8,
		"of one thread, none of which waits for another: unrolling a loop multiplies what "
		"is under way, and needs registers for it"),
	[LOAD_BYTES] = KNOB_DOUBLING("bytes_per_load", "bytes a load", "B", 1, 16, 4,
		"4: a float; 16: a float4, four times as much under way for one instruction"),
	[BLOCKS] = KNOB_FACTOR("blocks", "blocks in the grid", "", 1, 100000, 1000, 1.25892541,
		"they run in waves of what fits on all SMs at once, and the last wave is rarely full",
		.integer = true),
	[WORK] = KNOB_WHOLE("work", "arithmetic", "", 0, 64, 1,
		"multiply-adds for each load, each of which waits for the one before: with many, "
		"units and issue slots are the limit, not memory",
		.group = "kernel"),
	[LATENCY] = KNOB_FACTOR("latency_cycles", "memory latency", "", 0, 5000, 0, 1.25892541,
		"cycles that a load takes on an idle GPU; more of them ask for more under way",
		.zero = "the GPU's", .integer = true, .group = "kernel"),
};

/* --- the kernel on its GPU ------------------------------------------------------------------- */

struct scene {
	const double *v;
	const struct accelerator *gpu;
	const struct sm_kind *sm;
	bool stand_in; /* the rules are another GPU's */
	struct block_needs block;
	struct residency fit;
	struct sm_timing timing;
	struct warp_program program;
	double sustained; /* B/s, of the GPU */
	struct warp_rate rate;
	struct warp_clock clock;
};

/* Cycles from one multiply-add to the next that needs its result: Jia et al., 2018, on a V100, and the
 * same since. */
static const double fma_cycles = 4;

static struct sm_timing timing_of(const struct scene *s)
{
	double latency = s->v[LATENCY] > 0 ? s->v[LATENCY] : s->sm->latency_cycles;
	return (struct sm_timing){ .load_latency = latency,
		.bytes_per_cycle = s->sustained / s->gpu->sm_count / s->gpu->clock_hz,
		.fma_latency = fma_cycles,
		.fma_interval = fmax(1, WARP_THREADS * SM_SCHEDULERS / s->sm->fp32_lanes) };
}

static struct scene scene_of(const struct tables *t, const double v[])
{
	struct scene s = { .v = v, .gpu = gpu_at(t, v[GPU]) };
	s.sm = sm_kind_of(s.gpu);
	if (!s.sm || s.gpu->clock_hz <= 0) {
		s.stand_in = true;
		s.gpu = gpu_find(t, "h100");
		s.sm = sm_kind_find("9.0");
		assert(s.gpu && s.sm);
	}
	s.block = (struct block_needs){
		.threads = v[THREADS], .registers = v[REGISTERS], .shared_bytes = v[SHARED] * KIB
	};
	s.fit = sm_residency(s.sm, &s.block);
	s.sustained = s.gpu->bandwidth * kernel_efficiency(s.gpu).memory;
	s.timing = timing_of(&s);
	s.program = (struct warp_program){
		.loads = (size_t)v[ILP], .work = (size_t)v[WORK], .bytes_per_load = v[LOAD_BYTES]
	};
	s.rate = warp_rate_of(&s.timing, &s.program, (size_t)s.fit.warps);
	return s;
}

static double bandwidth_pct(const struct scene *s, size_t loads, double warps)
{
	struct warp_program p = s->program;
	p.loads = loads;
	return 100 * warp_rate_of(&s->timing, &p, (size_t)warps).bytes_per_cycle /
	       s->timing.bytes_per_cycle;
}

static double in_flight_bytes(const struct scene *s)
{
	return s->fit.warps > 0
		       ? CALL(bytes_in_flight, .resident_threads = s->fit.warps * WARP_THREADS,
				 .loads_in_flight = s->v[ILP], .bytes_per_load = s->v[LOAD_BYTES])
		       : 0;
}

/* B that cover the latency of an idle memory. */
static double needed_bytes(const struct scene *s)
{
	return CALL(bytes_to_cover_latency, .bandwidth = s->sustained, .sm_count = s->gpu->sm_count,
		.latency = s->timing.load_latency / s->gpu->clock_hz);
}

static double waves_of(const struct scene *s)
{
	return CALL(waves, .blocks = s->v[BLOCKS], .sm_count = s->gpu->sm_count,
		.blocks_per_sm = s->fit.blocks);
}

static double tail_efficiency(const struct scene *s, double blocks)
{
	return CALL(wave_efficiency, .blocks = blocks, .sm_count = s->gpu->sm_count,
		.blocks_per_sm = s->fit.blocks);
}

/* --- what binds ------------------------------------------------------------------------------ */

static const char *const limit_names[N_SM_LIMITS] = { "warp slots", "registers", "shared memory",
	"block slots" };

static const char *binding(struct figure *fig, const struct residency *r)
{
	const char *words = "";
	for (size_t i = 0; i < N_SM_LIMITS; i++)
		if (r->binds[i])
			words = *words ? figure_text(fig, "%s and %s", words, limit_names[i])
				       : limit_names[i];
	return words;
}

/* "registers bind", but "shared memory binds". */
static const char *binds_word(const struct residency *r)
{
	size_t n = 0;
	for (size_t i = 0; i < N_SM_LIMITS; i++)
		n += r->binds[i];
	return n == 1 && r->binds[SM_SHARED] ? "binds" : "bind";
}

/* What each limit alone would allow, and what runs: the shortest bar is the kernel's. */
static void draw_limits(const struct scene *s, struct figure *fig)
{
	static const char *const parts[] = { "runs", "would fit" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_FREE };
	struct bars *b = figure_bars(fig,
		figure_text(fig, "Occupancy by limit: %s %s", binding(fig, &s->fit),
			binds_word(&s->fit)),
		"%", parts, LENGTH(parts));
	figure_tab(fig, "Limits");
	bars_mean(fig, b, means, LENGTH(means));
	if (b)
		b->close = true;
	double warps = CALL(warps_of_block, .threads = s->block.threads);
	double runs = 100 * s->fit.occupancy;
	for (size_t i = 0; i < N_SM_LIMITS; i++) {
		double allows = fmin(100, 100 * s->fit.allows[i] * warps / s->sm->warp_slots);
		struct bar *bar =
			bars_add(fig, b, limit_names[i], (double[]){ runs, allows - runs });
		if (bar && s->fit.binds[i])
			bar->role = ROLE_ACCENT;
	}
}

/* --- Little's law ---------------------------------------------------------------------------- */

/* The curve of kernels with so many loads at once. */
static void draw_loads(const struct scene *s, size_t loads, enum series_style style,
	enum meaning meaning, struct plot *p, struct figure *fig)
{
	double slots = s->sm->warp_slots;
	struct series *l = plot_series(fig, p,
		figure_text(fig, "%zu load%s", loads, loads == 1 ? "" : "s"), style, meaning);
	double least =
		fmin(SM_SCHEDULERS, fmax(1, s->fit.warps)); /* before, all curves run together */
	for (double w = least; w <= slots; w++)
		series_point(fig, l, 100 * w / slots, bandwidth_pct(s, loads, w));
}

/* Points that the sentence speaks of, with their share where it is another kernel's. */
static void mark_points(const struct scene *s, struct plot *p, struct figure *fig)
{
	double slots = s->sm->warp_slots, full = bandwidth_pct(s, 1, slots);
	struct series *other = s->program.loads > 1 ? plot_series(fig, p, "every warp slot",
							      SERIES_POINTS, MEANS_WAITING)
						    : NULL;
	series_mark(fig, other, 100, full, figure_text(fig, "%.3g %%", full), ROLE_PLAIN);
	struct series *here = plot_series(fig, p, "here", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, here, 100 * s->fit.occupancy,
		bandwidth_pct(s, s->program.loads, s->fit.warps), "this kernel", ROLE_ACCENT);
	if (here)
		here->unlisted = true;
	if (other)
		other->unlisted = true;
}

/* The kernel's curve and one to compare it with: what warps do alone, with one load a thread, or where that is
 * the kernel, what loads add. */
static void draw_bandwidth(const struct scene *s, struct figure *fig)
{
	enum { MANY = 8 };
	struct plot *p = figure_plot(fig, "Share of the bandwidth that an SM draws", "occupancy",
		"%", AXIS_LINEAR, "bandwidth", "%", AXIS_LINEAR);
	figure_tab(fig, "Bandwidth");
	size_t loads = s->program.loads;
	draw_loads(s, loads, SERIES_LINE, MEANS_TRAFFIC, p, fig);
	draw_loads(s, loads > 1 ? 1 : MANY, SERIES_LINE, MEANS_WAITING, p, fig);
	if (p) {
		p->x.reach_lo = 0;
		p->y.reach_lo = 0;
		p->y.reach_hi = 100;
	}
	mark_points(s, p, fig);
}

/* --- cliffs ---------------------------------------------------------------------------------- */

static double occupancy_pct(const struct scene *s, double threads, double registers)
{
	struct block_needs block = s->block;
	block.threads = threads;
	block.registers = registers;
	return 100 * sm_residency(s->sm, &block).occupancy;
}

static void mark_here(
	const struct scene *s, struct plot *p, double at, const char *what, struct figure *fig)
{
	struct series *here = plot_series(fig, p, "here", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, here, at, 100 * s->fit.occupancy, figure_text(fig, "%g %s", at, what),
		ROLE_ACCENT);
	if (here)
		here->unlisted = true;
	if (!p)
		return;
	p->y.reach_lo = 0;
}

static void draw_registers(const struct scene *s, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Occupancy falls in steps as registers grow",
		"registers a thread", "", AXIS_LINEAR, "occupancy", "%", AXIS_LINEAR);
	figure_tab(fig, "Registers");
	struct series *l = plot_series(fig, p, "occupancy", SERIES_STEP, MEANS_COMPUTE);
	for (double r = knobs[REGISTERS].min; r <= knobs[REGISTERS].max; r++)
		series_point(fig, l, r, occupancy_pct(s, s->block.threads, r));
	if (l)
		l->unlisted = true;
	plot_slider(fig, p, "registers", s->block.registers);
	mark_here(s, p, s->block.registers, "registers", fig);
	if (p)
		p->y.reach_hi = 100;
}

static void draw_threads(const struct scene *s, struct figure *fig)
{
	struct plot *p = figure_plot(fig, "Occupancy against block size", "threads a block", "",
		AXIS_LINEAR, "occupancy", "%", AXIS_LINEAR);
	figure_tab(fig, "Blocks");
	struct series *l = plot_series(fig, p, "occupancy", SERIES_STEP, MEANS_COMPUTE);
	for (double n = knobs[THREADS].min; n <= knobs[THREADS].max; n += WARP_THREADS)
		series_point(fig, l, n, occupancy_pct(s, n, s->block.registers));
	if (l)
		l->unlisted = true;
	plot_slider(fig, p, "threads", s->block.threads);
	mark_here(s, p, s->block.threads, "threads", fig);
}

/* --- warps on a clock ------------------------------------------------------------------------ */

static const char *const state_names[N_WARP_STATES] = { "issues loads", "computes",
	"ready, not chosen", "waits for units", "waits for memory" };
static const enum meaning state_means[N_WARP_STATES] = { MEANS_TRAFFIC, MEANS_COMPUTE, MEANS_FOCUS,
	MEANS_HELD, MEANS_WAITING };

static void draw_warps(struct scene *s, struct figure *fig)
{
	const char *lanes[MOST_WARPS / SM_SCHEDULERS + 1];
	unsigned char ranks[LENGTH(lanes)];
	s->clock = warp_clock_run(&fig->arena, &s->timing, &s->program, (size_t)s->fit.warps);
	const struct warp_clock *c = &s->clock;
	size_t n = c->watched_warps;
	if (n == 0)
		return;
	double cycle_s = 1 / s->gpu->clock_hz;
	fig->duration_s = c->watched * cycle_s;
	lanes[0] = "scheduler";
	ranks[0] = 0;
	for (size_t i = 0; i < n; i++) {
		lanes[i + 1] = figure_text(fig, "warp %zu", i + 1);
		ranks[i + 1] = (unsigned char)(i + 1);
	}
	struct timeline *t = figure_timeline(fig,
		figure_text(fig, "One of four schedulers and its %zu warp%s", n, n == 1 ? "" : "s"),
		lanes, n + 1, state_names, N_WARP_STATES);
	figure_tab(fig, "Warps");
	timeline_mean(fig, t, state_means, N_WARP_STATES);
	timeline_rank(fig, t, ranks, n + 1);
	if (t) {
		t->rest = "warps";
		t->slim = true;
	}
	for (size_t i = 0; i < c->n_spans; i++) {
		const struct warp_span *span = &c->spans[i];
		bool own = span->warp == n;
		const char *label = !own                               ? NULL
				    : span->state == WARP_WAITS_MEMORY ? "nothing to issue"
								       : "issues";
		timeline_span(fig, t, own ? 0 : (unsigned)span->warp + 1, span->state,
			span->from * cycle_s, span->to * cycle_s, label);
	}
	double latency_s = s->timing.load_latency * cycle_s;
	figure_moment(fig, 0, "every warp issues %zu load%s, one after the other", s->program.loads,
		s->program.loads == 1 ? "" : "s");
	figure_moment(fig, fmin(0.3 * fig->duration_s, latency_s / 4),
		"nothing is left to issue: %s are under way in this SM",
		figure_text(fig, "%.3g KiB", in_flight_bytes(s) / KIB));
	if (latency_s < fig->duration_s)
		figure_moment(fig, latency_s,
			"from here data arrive: a warp computes, and asks for more");
}

/* --- waves ----------------------------------------------------------------------------------- */

static void draw_waves(const struct scene *s, struct figure *fig)
{
	double slots = s->gpu->sm_count * s->fit.blocks, most = fmax(6 * slots, s->v[BLOCKS]);
	if (slots <= 0)
		return;
	struct plot *p = figure_plot(fig,
		figure_text(fig, "Slots in use over all waves of %s blocks",
			figure_quantity(fig, slots, "")),
		"blocks in the grid", "", AXIS_LINEAR, "slots in use", "%", AXIS_LINEAR);
	figure_tab(fig, "Waves");
	struct series *l = plot_series(fig, p, "in use", SERIES_LINE, MEANS_COMPUTE);
	/* A tooth is a straight line: from the first block of a wave to its last. */
	for (double wave = 1; (wave - 1) * slots < most && wave <= 2000; wave++) {
		double first = (wave - 1) * slots + 1, last = fmin(most, wave * slots);
		series_point(fig, l, first, 100 * tail_efficiency(s, first));
		series_point(fig, l, last, 100 * tail_efficiency(s, last));
	}
	if (l)
		l->unlisted = true;
	struct series *here = plot_series(fig, p, "here", SERIES_POINTS, MEANS_FOCUS);
	series_mark(fig, here, s->v[BLOCKS], 100 * tail_efficiency(s, s->v[BLOCKS]),
		figure_quantity(fig, s->v[BLOCKS], "block"), ROLE_ACCENT);
	if (here)
		here->unlisted = true;
	if (!p)
		return;
	p->x.reach_lo = 0;
	p->y.reach_lo = 0;
	p->y.reach_hi = 100;
	plot_slider(fig, p, "blocks", s->v[BLOCKS]);
}

/* --- side by side ---------------------------------------------------------------------------- */

/* The same kernel with fewer loads and more warps, and the other way round. */
static void draw_table(const struct scene *s, struct figure *fig)
{
	static const char *const head[] = { "kernel", "warps", "under way", "bandwidth" };
	struct table *t =
		figure_table(fig, "Warps or loads: both put bytes under way", head, 4, "0111");
	figure_tab(fig, "Table");
	double slots = s->sm->warp_slots;
	const struct {
		const char *name;
		size_t loads;
		double warps;
	} rows[] = {
		{ "as set", s->program.loads, s->fit.warps },
		{ "one load a thread", 1, s->fit.warps },
		{ "every warp slot, one load", 1, slots },
		{ "every warp slot", s->program.loads, slots },
	};
	for (size_t i = 0; i < LENGTH(rows); i++)
		table_row(fig, t,
			(const char *[]){ rows[i].name,
				figure_text(fig, "%.0f of %.0f", rows[i].warps, slots),
				figure_text(fig, "%.3g KiB",
					rows[i].warps * WARP_THREADS * (double)rows[i].loads *
						s->program.bytes_per_load / KIB),
				figure_text(fig, "%.0f %%",
					bandwidth_pct(s, rows[i].loads, rows[i].warps)) });
}

/* --- words and values ------------------------------------------------------------------------ */

static void refuse(const struct scene *s, struct figure *fig)
{
	figure_why(fig, "A block of %.0f threads does not fit on an SM: it runs out of %s.",
		s->block.threads, binding(fig, &s->fit));
	figure_note(fig, ROLE_BAD,
		"The launch would fail: one block asks for more than an SM of capability %s has.",
		s->sm->capability);
}

static void read_for_the_reader(const struct scene *s, struct figure *fig)
{
	double here = bandwidth_pct(s, s->program.loads, s->fit.warps);
	double full = bandwidth_pct(s, 1, s->sm->warp_slots);
	double share = 100 * s->fit.occupancy;
	const char *loads =
		figure_text(fig, "%zu load%s", s->program.loads, s->program.loads == 1 ? "" : "s");
	if (s->rate.bound == BOUND_ISSUE || s->rate.bound == BOUND_UNITS)
		figure_why(fig,
			"Memory waits: %s set the pace at %.3g %% occupancy, and %.3g %% of the "
			"bandwidth is all that they ask for.",
			s->rate.bound == BOUND_UNITS ? "the FP32 units" : "the issue slots", share,
			here);
	else if (share < 60 && here > full + 1 && here >= 75)
		figure_why(fig,
			"%s at once need only %.3g %% occupancy to draw %.3g %% of the bandwidth.",
			loads, share, here);
	else if (s->rate.bound == BOUND_BANDWIDTH)
		figure_why(fig,
			"%.3g %% occupancy with %s a thread reaches %.3g %% of the bandwidth: more "
			"under way would only queue.",
			share, loads, here);
	else if (in_flight_bytes(s) >= needed_bytes(s))
		figure_why(fig,
			"%.3g %% occupancy draws %.3g %% of the bandwidth: %.3g KiB under way in an "
			"SM would do for an idle memory, and a loaded one answers later.",
			share, here, in_flight_bytes(s) / KIB);
	else
		figure_why(fig,
			"Too little is under way: %.3g KiB an SM where %.3g KiB cover the latency, "
			"so %.3g %% occupancy draws %.3g %% of the bandwidth.",
			in_flight_bytes(s) / KIB, needed_bytes(s) / KIB, share, here);
}

static void add_values(const struct scene *s, struct figure *fig)
{
	bool runs = s->fit.blocks > 0;
	double waves_here = runs ? waves_of(s) : INFINITY;
	double tail = runs ? 100 * (1 - tail_efficiency(s, s->v[BLOCKS])) : 0;
	double slots = s->gpu->sm_count * s->fit.blocks;
	double share = bandwidth_pct(s, s->program.loads, s->fit.warps);
	value_note(figure_value(fig, "bandwidth_pct", "bandwidth drawn", share, "%", ROLE_ACCENT),
		figure_quantity(fig, share / 100 * s->sustained, "B/s"));
	value_note(figure_value(fig, "occupancy_pct", "occupancy", 100 * s->fit.occupancy, "%",
			   runs ? ROLE_PLAIN : ROLE_BAD),
		figure_text(fig, "%.0f of %.0f warps", s->fit.warps, s->sm->warp_slots));
	value_note(figure_value(fig, "blocks_per_sm", "blocks on an SM", s->fit.blocks, "",
			   runs ? ROLE_PLAIN : ROLE_BAD),
		figure_text(fig, "%s %s", binding(fig, &s->fit), binds_word(&s->fit)));
	value_note(figure_value(fig, "bytes_in_flight", "bytes under way", in_flight_bytes(s) / KIB,
			   "KiB", ROLE_PLAIN),
		figure_text(fig, "latency asks %.3g KiB", needed_bytes(s) / KIB));
	value_note(figure_value(fig, "waves", "waves", waves_here, "", ROLE_DIM),
		runs ? figure_text(fig, "of %s blocks", figure_quantity(fig, slots, ""))
		     : "nothing fits");
	value_note(figure_value(fig, "tail_pct", "lost to the tail", tail, "%",
			   tail > 10 ? ROLE_WARN : ROLE_DIM),
		runs ? figure_text(fig, "last wave %.0f %% full",
			       100 * (waves_here - ceil(waves_here) + 1))
		     : "nothing fits");
	value_note(figure_value(fig, "issue_pct", "issue slots used",
			   100 * s->clock.issued / SM_SCHEDULERS, "%", ROLE_DIM),
		"on the clock");
	value_note(
		figure_value(fig, "clock_bandwidth_pct", "bandwidth, clocked",
			100 * s->clock.bytes_per_cycle / s->timing.bytes_per_cycle, "%", ROLE_DIM),
		"by the scheduler");
	value_note(figure_value(fig, "ready_warps", "warps ready", s->clock.ready, "", ROLE_DIM),
		"of a scheduler");
	value_note(figure_value(fig, "latency_ns", "latency, loaded",
			   1e9 * s->rate.load_latency / s->gpu->clock_hz, "ns", ROLE_DIM),
		figure_text(fig, "idle %.0f cycles", s->timing.load_latency));
	value_note(figure_value(fig, "carveout_KiB", "shared, set aside",
			   s->fit.carveout_bytes / KIB, "KiB", ROLE_DIM),
		figure_text(fig, "leaves L1 %.0f KiB",
			(s->sm->l1_bytes - s->fit.carveout_bytes) / KIB));
	for (size_t i = 0; i < N_SM_LIMITS; i++) {
		static const char *const ids[] = { "warps_limit", "registers_limit", "shared_limit",
			"slots_limit" };
		value_note(figure_value(fig, ids[i], figure_text(fig, "by %s", limit_names[i]),
				   s->fit.allows[i], "", ROLE_DIM),
			isinf(s->fit.allows[i]) ? "none used" : "blocks");
	}
	figure_left_open(fig, "latency_cycles", s->timing.load_latency);
}

static void small_print(const struct scene *s, struct figure *fig)
{
	if (s->stand_in)
		figure_note(fig, ROLE_WARN,
			"This accelerator is not programmed in blocks and warps: an H100 stands in.");
	figure_assume(fig, "rules of CUDA's occupancy calculator, compute capability %s",
		s->sm->capability);
	if (s->v[LATENCY] > 0)
		figure_assume(fig, "latency as set, %.0f cycles", s->timing.load_latency);
	else
		figure_assume(fig, "%.4g cycles to device memory: %s%s", s->timing.load_latency,
			s->sm->latency_source,
			s->sm->latency_assumed ? "; here assumed to be the same" : "");
	figure_assume(fig,
		"100 %% is what kernels sustain, %.0f %% of the datasheet; each SM has its share",
		100 * kernel_efficiency(s->gpu).memory);
	figure_assume(fig,
		"under load a load takes sqrt(latency^2 + (bytes under way / bandwidth)^2): the knee "
		"of gpu-benches on a V100");
	figure_assume(fig,
		"a multiply-add's result after %.0f cycles (Jia et al., 2018); %.0f of them a cycle",
		fma_cycles, s->sm->fp32_lanes);
	figure_assume(fig,
		"blocks of a wave end together; a warp reads whole lines, all from device memory");
	figure_leave_out(fig,
		"caches, stores, clusters, spilled registers, what a block does before its loop");
	figure_leave_out(fig,
		"copies that need no registers, such as cp.async and TMA: they put more under way");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	struct scene s = scene_of(t, v);
	figure_subtitle(fig, "%s · capability %s · %s x %.0f threads", s.gpu->name,
		s.sm->capability, figure_quantity(fig, v[BLOCKS], ""), v[THREADS]);
	draw_bandwidth(&s, fig);
	draw_limits(&s, fig);
	draw_registers(&s, fig);
	draw_threads(&s, fig);
	draw_warps(&s, fig);
	draw_waves(&s, fig);
	draw_table(&s, fig);
	add_values(&s, fig);
	if (s.fit.blocks > 0)
		read_for_the_reader(&s, fig);
	else
		refuse(&s, fig);
	small_print(&s, fig);
}

extern const struct sim occupancy_sim;
const struct sim occupancy_sim = {
	.id = "occupancy",
	.title = "Occupancy",
	.summary =
		"Registers and shared memory to blocks on an SM, latency hidden, waves and tails",
	.page = "kernels",
	.knobs = knobs,
	.n_knobs = N_KNOBS,
	.STORY(REGISTERS, ILP, LOAD_BYTES, THREADS, SHARED, BLOCKS, GPU),
	.try = "Turn loads at once to 1. Do fewer registers or wider loads bring it back?",
	.run = run,
};
