/* Eager, compiled, CUDA graphs: launches against kernels on a timeline, what fusing takes away, and
 * what a stream of shapes does to it. */
#include "sims/base/array.h"
#include "sims/constants.h"
#include "sims/base/rng.h"
#include "sims/base/stats.h"
#include "sims/quantity/quantity.h"
#include "sims/formulas/stacking.h"
#include "sims/figure/figure.h"
#include "sims/figure/sim.h"
#include "sims/knobs.h"
#include "sims/gpu/engine.h"
#include "sims/gpu/room.h"
#include "sims/figure/uncovered.h"
#include "sims/gpu/launches.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum compile_knob {
	COMPILE_MODE,
	COMPILE_MODEL,
	COMPILE_GPU,
	COMPILE_PHASE,
	COMPILE_BATCH,
	COMPILE_TOKENS,
	COMPILE_LAUNCH,
	COMPILE_BREAKS,
	COMPILE_SYNC,
	COMPILE_DYNAMIC,
	COMPILE_SIZES,
	COMPILE_VARIES,
	COMPILE_LIMIT,
	COMPILE_ITERATIONS,
	COMPILE_COMPILE_S,
	COMPILE_WARMUP,
	COMPILE_SEED,
	N_COMPILE_KNOBS
};
enum run_mode { MODE_EAGER, MODE_DEFAULT, MODE_GRAPHS, MODE_AUTOTUNE, N_RUN_MODES };
enum dynamic { DYNAMIC_NONE, DYNAMIC_TRUE, DYNAMIC_FALSE, N_DYNAMIC };
enum varies { VARIES_SIZE, VARIES_CONSTANT };

enum { MAX_SIZES = 64 };

/* What a stream of inputs costs when it is compiled in one way. */
struct compile_stream {
	double *total_s;                   /* after each iteration; NULL: nobody draws it */
	size_t n, compilations, fallbacks; /* fallbacks: iterations that ran eager */
	double stall_s;                    /* compiling and recording */
	double steady_s;                   /* mean iteration without that */
};

struct compile_scene {
	const double *v;
	const struct model *model;
	const struct accelerator *gpu;
	enum run_mode mode;
	struct op_graph graph[N_RUN_MODES]; /* at the mean size */
	struct launch_run run[N_RUN_MODES];
	double watch_s;                /* the stretch of an iteration that the lanes show */
	double compile_s[N_RUN_MODES]; /* one compilation */
	double record_s[N_RUN_MODES];  /* time of recording a CUDA graph */
	size_t n_sizes;
	double tokens[MAX_SIZES];
	double eager_s[MAX_SIZES], fixed_s[MAX_SIZES], symbolic_s[MAX_SIZES]; /* an iteration */
	struct compile_stream eager, stream; /* stream: in the mode that is set */
	struct compile_stream other[N_DYNAMIC];
};

static const char *const run_mode_ids[] = { "eager", "default", "reduce-overhead", "max-autotune",
	NULL };
static const char *const dynamic_ids[] = { "none", "true", "false", NULL };
static const char *const dynamic_names[] = { "as needed", "at once", "never" };
static const char *const run_mode_names[] = { "eager", "default: fused", "reduce-overhead",
	"max-autotune" };
static const char *const phase_ids[] = { "decode", "forward", "train", NULL };
static const char *const varies_ids[] = { "size", "constant", NULL };
static const char *const varies_names[] = { "a size", "a constant" };

#define COMPILED                                                                                   \
	{                                                                                          \
		WHEN(COMPILE_MODE, MODE_DEFAULT, MODE_GRAPHS, MODE_AUTOTUNE)                       \
	}

static const struct knob knobs[N_COMPILE_KNOBS] = {
	[COMPILE_MODE] = KNOB_CHOICE_OF("mode", "mode", run_mode_ids, run_mode_names, "default",
		"default fuses; reduce-overhead also records the launches in a CUDA graph; "
		"max-autotune tries templates for the products, whose epilogues take pointwise "
		"kernels in"),
	[COMPILE_MODEL] = KNOB_ANY_MODEL("model", "model", "llama3.2-1b",
		"a small one's kernels are shorter than their launches; a large one hides them",
		.group = "model"),
	[COMPILE_GPU] = KNOB_ANY_GPU(
		"a100", "the faster the GPU, the sooner launches show: the CPU stays what it was"),
	[COMPILE_PHASE] = KNOB_CHOICE_OF("phase", "phase", phase_ids, NULL, "decode",
		"decode: one token per sequence, many tiny kernels; training adds backward, where "
		"the compiler fuses as well",
		.group = "model"),
	[COMPILE_BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 1024, 1,
		"longer kernels, as many launches: a large batch hides what a compiler could save "
		"there"),
	[COMPILE_TOKENS] = KNOB_DOUBLING("tokens", "tokens each", "token", 16, 32768, 512,
		"length of each sequence; in decode, what is in its cache", .group = "model"),
	[COMPILE_LAUNCH] = KNOB_LINEAR("launch_us", "launch cost", "us", 0, 100, EAGER_LAUNCH_US, 1,
		"CPU time of each kernel from Python: 5 to 10 us, more on a slow or busy host"),
	[COMPILE_BREAKS] = KNOB_WHOLE("graph_breaks", "graph breaks", "", 0, 64, 0,
		"at each, Python runs again for 50 us, guards are checked, a recording ends",
		.group = "compiler", .when = COMPILED),
	[COMPILE_SYNC] = KNOB_SWITCH("sync", "sync each time", 0,
		"the CPU waits for every result, so that it never gets ahead and part of the "
		"launches always shows",
		.group = "compiler"),
	[COMPILE_DYNAMIC] = KNOB_CHOICE_OF("dynamic", "dynamic sizes", dynamic_ids, dynamic_names,
		"none",
		"as needed (None): the first new size compiles once more, for all sizes; at once "
		"(True): for all sizes from the start; never (False): once for each size, until "
		"the limit",
		.when = COMPILED),
	[COMPILE_SIZES] = KNOB_WHOLE("sizes", "input shapes", "", 1, MAX_SIZES, 1,
		"different lengths, between half and one and a half of tokens each (or values of "
		"a constant), in random order"),
	[COMPILE_VARIES] = KNOB_CHOICE_OF("varies", "what varies", varies_ids, varies_names, "size",
		"a size can become symbolic; a constant that Dynamo burned in cannot, each value "
		"is a new version",
		.group = "compiler"),
	[COMPILE_LIMIT] = KNOB_WHOLE("recompile_limit", "recompile limit", "", 1, 64, 8,
		"versions of one function; whatever none of them fits runs eager from then on",
		.group = "compiler", .when = COMPILED),
	[COMPILE_ITERATIONS] = KNOB_FACTOR("iterations", "iterations", "", 10, 20000, 10000,
		1.25892541, "compiling is paid once, its gain each time", .integer = true),
	[COMPILE_COMPILE_S] = KNOB_LINEAR("compile_s", "a compilation", "s", 0, 3600, 0, 1,
		"auto: 3 s and 20 ms for each operation traced, half a second more for every "
		"product and template search",
		.group = "compiler", .zero = "auto", .when = COMPILED),
	[COMPILE_WARMUP] = KNOB_SWITCH("include_warmup", "count warm-up", 0,
		"a mean over everything mixes the compiler's time into the model's: true of "
		"nothing",
		.group = "run"),
	[COMPILE_SEED] = KNOB_SEED(0, 9999, "another order of the same inputs", .group = "run"),
};

/* Python runs at a graph break: guards of the next piece, frame, arguments. */
static const double break_s = 50e-6;
/* Time of a compilation, by what it has to trace and generate; a template search runs every
 * candidate. */
static const double compile_base_s = 3, compile_op_s = 0.02, autotune_s = 5;
/* The lanes show as long as eager takes for this many kernels: few enough to see the gaps between
 * them. */
enum { SHOWN_KERNELS = 24 };
/* What recording a graph takes: two runs to warm up, one to capture, and the driver's graph node by
 * node. */
enum { RECORD_RUNS = 3 };
static const double record_node_s = 10e-6;

static const enum fusion fusions[N_RUN_MODES] = { FUSION_NONE, FUSION_CHAINS, FUSION_CHAINS,
	FUSION_EPILOGUES };

static struct launch_setup setup_of(
	const struct compile_scene *s, enum run_mode mode, const struct op_graph *g)
{
	return (struct launch_setup){ .graph = g,
		.launch_s = s->v[COMPILE_LAUNCH] / 1e6,
		.recorded = mode >= MODE_GRAPHS,
		.pieces = mode == MODE_EAGER ? 1 : (size_t)s->v[COMPILE_BREAKS] + 1,
		.break_s = break_s,
		.syncs = s->v[COMPILE_SYNC] > 0 };
}

static struct graph_setup shape(const struct compile_scene *s, double tokens)
{
	return (struct graph_setup){ .model = s->model,
		.gpu = s->gpu,
		.phase = (enum graph_phase)s->v[COMPILE_PHASE],
		.batch = s->v[COMPILE_BATCH],
		.tokens = tokens };
}

/* The number of products of different shapes, which a template search has to go through. */
static double products(const struct op_graph *g)
{
	double n = 0;
	for (int i = 0; i < N_GRAPH_SECTIONS; i++)
		for (size_t k = 0; k < g->section[i].n; k++)
			n += g->section[i].kernels[k].kind == NODE_GEMM;
	return n;
}

static double compile_time(const struct compile_scene *s, enum run_mode mode)
{
	if (mode == MODE_EAGER)
		return 0;
	if (s->v[COMPILE_COMPILE_S] > 0)
		return s->v[COMPILE_COMPILE_S];
	double search_s = mode == MODE_AUTOTUNE ? autotune_s * products(&s->graph[MODE_EAGER]) : 0;
	return compile_base_s + compile_op_s * op_graph_launches(&s->graph[MODE_EAGER]) + search_s;
}

static void run_modes(struct compile_scene *s, struct arena *a)
{
	struct graph_setup at = shape(s, s->v[COMPILE_TOKENS]);
	for (enum run_mode mode = 0; mode < N_RUN_MODES; mode++) {
		s->graph[mode] = op_graph_of(&at, fusions[mode], false);
		struct launch_setup setup = setup_of(s, mode, &s->graph[mode]);
		if (mode == MODE_EAGER)
			s->watch_s = SHOWN_KERNELS * launch_iteration_s(&setup) /
				     op_graph_launches(&s->graph[mode]);
		setup.watch_s = s->watch_s;
		/* Watch a layer in the middle: the backlog of the iteration before is worked off
		 * there. */
		setup.watch_kernel =
			s->graph[mode].section[SECTION_FORWARD].n * (size_t)(s->model->layers / 2);
		s->run[mode] = launch_simulate(a, &setup);
		s->compile_s[mode] = compile_time(s, mode);
		setup.recorded = false;
		s->record_s[mode] =
			mode < MODE_GRAPHS
				? 0
				: RECORD_RUNS * launch_iteration_s(&setup) +
					  record_node_s * op_graph_launches(&s->graph[mode]);
	}
}

static double time_at(const struct compile_scene *s, enum run_mode mode, double tokens, bool any)
{
	struct graph_setup at = shape(s, tokens);
	struct op_graph g = op_graph_of(&at, fusions[mode], any);
	struct launch_setup setup = setup_of(s, mode, &g);
	return launch_iteration_s(&setup);
}

/* The sizes of the stream, and what an iteration of each takes in each way. */
static void measure_sizes(struct compile_scene *s)
{
	size_t n = s->v[COMPILE_VARIES] == VARIES_SIZE ? s->n_sizes : 1;
	for (size_t k = 0; k < n; k++) {
		double share = n > 1 ? 0.5 + (double)k / (double)(n - 1) : 1;
		s->tokens[k] = fmax(1, rint(share * s->v[COMPILE_TOKENS]));
		s->eager_s[k] = time_at(s, MODE_EAGER, s->tokens[k], false);
		s->fixed_s[k] = time_at(s, s->mode, s->tokens[k], false);
		s->symbolic_s[k] = time_at(s, s->mode, s->tokens[k], true);
	}
}

/* --- a stream of inputs ---------------------------------------------------------------------- */

/* Guards, versions and the limit. Dynamo keeps a list of compiled versions of a function, each with
 * guards that say which inputs it fits. An input that none of them fits is compiled anew: for its
 * own size, or, after the first surprise (dynamic=None), for any size at once. When the list is as
 * long as the limit, whatever fits none of them runs eager. Source: PyTorch, torch.compile
 * troubleshooting.
 *
 * What Dynamo has made of one function so far. */
struct versions {
	bool fixed[MAX_SIZES];    /* one for this size, or with this constant burned in */
	bool recorded[MAX_SIZES]; /* a CUDA graph of this size exists */
	bool symbolic;            /* one for any size */
	size_t n;
};

enum stream_served { SERVED_FIXED, SERVED_SYMBOLIC, SERVED_EAGER };

/* Which version runs an input of kind k; compiles one if need and limit allow it. */
static enum stream_served serve(struct versions *have, const struct compile_scene *s,
	enum dynamic dynamic, size_t k, bool *compiles)
{
	assert(k < MAX_SIZES);
	bool sizes = s->v[COMPILE_VARIES] == VARIES_SIZE;
	*compiles = false;
	if (have->fixed[k])
		return sizes                     ? SERVED_FIXED
		       : dynamic == DYNAMIC_TRUE ? SERVED_SYMBOLIC
						 : SERVED_FIXED;
	if (sizes && have->symbolic)
		return SERVED_SYMBOLIC;
	if ((double)have->n >= s->v[COMPILE_LIMIT])
		return SERVED_EAGER;
	*compiles = true;
	have->n++;
	bool general = dynamic == DYNAMIC_TRUE || (dynamic == DYNAMIC_NONE && have->n > 1);
	if (sizes && general)
		have->symbolic = true;
	else
		have->fixed[k] = true;
	return general && (sizes || dynamic == DYNAMIC_TRUE) ? SERVED_SYMBOLIC : SERVED_FIXED;
}

/* Sends the stream that the knobs describe through the compiler; curves: with total_s. */
static struct compile_stream compile_stream_run(struct arena *a, const struct compile_scene *s,
	enum run_mode mode, enum dynamic dynamic, bool curves)
{
	struct versions have;
	struct rng r = rng_stream((uint64_t)s->v[COMPILE_SEED], "inputs of a compiled model", 0);
	struct compile_stream out = { .n = (size_t)s->v[COMPILE_ITERATIONS] };
	bool records = mode == MODE_GRAPHS || mode == MODE_AUTOTUNE;
	double total_s = 0;
	memset(&have, 0, sizeof have);
	if (curves) {
		out.total_s = arena_array(a, out.n, sizeof *out.total_s);
		if (a->failed)
			return (struct compile_stream){ 0 };
	}
	for (size_t i = 0; i < out.n; i++) {
		size_t k = s->n_sizes > 1 ? (size_t)rng_below(&r, s->n_sizes) : 0;
		size_t size = s->v[COMPILE_VARIES] == VARIES_SIZE ? k : 0;
		bool compiles = false;
		enum stream_served by =
			mode == MODE_EAGER ? SERVED_EAGER : serve(&have, s, dynamic, k, &compiles);
		double run_s = by == SERVED_EAGER   ? s->eager_s[size]
			       : by == SERVED_FIXED ? s->fixed_s[size]
						    : s->symbolic_s[size];
		double stall_s = compiles ? s->compile_s[mode] : 0;
		bool recording = records && by != SERVED_EAGER && !have.recorded[k];
		have.recorded[k] |= recording;
		stall_s += recording ? s->record_s[mode] : 0;
		out.compilations += compiles;
		out.fallbacks += mode != MODE_EAGER && by == SERVED_EAGER;
		out.stall_s += stall_s;
		total_s += run_s + stall_s;
		if (curves)
			out.total_s[i] = total_s;
	}
	out.steady_s = (total_s - out.stall_s) / (double)out.n;
	return out;
}

/* --- pictures -------------------------------------------------------------------------------- */

/* The order gives a launch its colour in every timeline of a step. */
enum {
	SPAN_PRODUCT,
	SPAN_ATTENTION,
	SPAN_POINTWISE,
	SPAN_FUSED,
	SPAN_LAUNCH,
	SPAN_PYTHON,
	SPAN_WAITS,
	N_SPANS
};
/* Traffic is what fusing takes away; what is left of it is a paler kind of it. */
static const enum meaning span_means[N_SPANS] = { MEANS_COMPUTE, MEANS_KIND + 2, MEANS_TRAFFIC,
	MEANS_KIND + 3, MEANS_FIXED, MEANS_HELD, MEANS_WAITING };
static const char *const span_names[N_SPANS] = { "product", "attention", "pointwise", "fused",
	"launch", "Python", "waits" };

static unsigned kind_of(const struct launch_span *span)
{
	if (!span->kernel)
		return span->python ? SPAN_PYTHON : SPAN_LAUNCH;
	if (span->kernel->kind == NODE_GEMM)
		return SPAN_PRODUCT;
	if (span->kernel->kind == NODE_ATTENTION)
		return SPAN_ATTENTION;
	return span->kernel->ops > 1 ? SPAN_FUSED : SPAN_POINTWISE;
}

/* Whether kernels are over before the next ones are launched. */
static bool waits_for_launches(const struct launch_run *run)
{
	return run->iteration_s > 1.02 * run->busy_s;
}

static void draw_lanes(struct figure *fig, const struct compile_scene *s)
{
	static const enum run_mode only_eager[] = { MODE_EAGER };
	const enum run_mode both[] = { MODE_EAGER, s->mode };
	const enum run_mode *modes = s->mode == MODE_EAGER ? only_eager : both;
	size_t n = s->mode == MODE_EAGER ? 1 : 2;
	const char *lanes[4];
	for (size_t i = 0; i < n; i++) {
		lanes[2 * i] = figure_text(fig, "CPU %s", i ? "compiled" : "eager");
		lanes[2 * i + 1] = figure_text(fig, "GPU %s", i ? "compiled" : "eager");
	}
	struct timeline *t = figure_timeline(fig,
		figure_text(fig, "Layer %.0f: eager %s", floor(s->model->layers / 2) + 1,
			waits_for_launches(&s->run[MODE_EAGER])
				? "kernels wait for the CPU's next launch"
				: "launches run ahead, and kernels queue"),
		lanes, 2 * n, span_names, N_SPANS);
	figure_tab(fig, "Launches");
	timeline_mean(fig, t, span_means, N_SPANS);
	fig->duration_s = 0;
	for (size_t i = 0; i < n; i++) {
		const struct launch_run *run = &s->run[modes[i]];
		double done_s = INFINITY; /* the kernel before, on the GPU */
		for (size_t k = 0; k < run->n_spans; k++) {
			const struct launch_span *span = &run->spans[k];
			if (span->kernel && span->start_s > done_s)
				timeline_span(fig, t, (unsigned)(2 * i) + 1, SPAN_WAITS, done_s,
					span->start_s, NULL);
			if (span->kernel)
				done_s = span->end_s;
			timeline_span(fig, t, (unsigned)(2 * i) + (span->kernel != NULL),
				kind_of(span), span->start_s, span->end_s,
				span->kernel ? span->kernel->name : NULL);
			fig->duration_s = fmax(fig->duration_s, span->end_s);
		}
	}
}

/* Iterations after which the compiler's time is back; INFINITY: never. */
static double break_even(const struct compile_scene *s)
{
	if (s->eager.steady_s <= s->stream.steady_s)
		return INFINITY;
	return CALL(break_even_iterations, .compile_time = s->stream.stall_s,
		.before_time = s->eager.steady_s, .after_time = s->stream.steady_s);
}

/* The curve is thinned to what a plot can show, with every stall kept. */
static void add_curve(struct figure *fig, struct series *to, const struct compile_stream *c)
{
	enum { MOST = 160 };
	double last_s = 0, usual_s = 3 * c->steady_s;
	series_point(fig, to, 0, 0);
	for (size_t i = 0; c->total_s && i < c->n; i++) {
		bool jump = c->total_s[i] - last_s > usual_s;
		if (jump)
			series_point(fig, to, (double)i, last_s);
		if (jump || i + 1 == c->n || i % (c->n / MOST + 1) == 0)
			series_point(fig, to, (double)i + 1, c->total_s[i]);
		last_s = c->total_s[i];
	}
}

static void draw_totals(struct figure *fig, const struct compile_scene *s)
{
	const struct compile_stream *c = &s->stream;
	double even = break_even(s);
	struct plot *p = figure_plot(fig,
		s->mode == MODE_EAGER ? "Time since the start"
				      : figure_text(fig, "%s of compiling, %s",
						figure_quantity(fig, c->stall_s, "s"),
						even < (double)c->n ? "paid back at the crossing"
								    : "not paid back in this run"),
		"Iteration", "", AXIS_LINEAR, "Time", "s", AXIS_LINEAR);
	figure_tab(fig, "Payback");
	struct series *eager = plot_series(fig, p, "eager", SERIES_LINE, MEANS_WAITING);
	add_curve(fig, eager, &s->eager);
	if (s->mode != MODE_EAGER)
		add_curve(fig, plot_series(fig, p, "compiled", SERIES_LINE, MEANS_COMPUTE),
			&s->stream);
	if (p)
		p->y.min = 0;
	if (c->compilations == 1) {
		/* Short: the lines are close together there. The title says what it is, and a value. */
		const char *name = figure_quantity(fig, c->stall_s, "s");
		struct series *start = plot_series(fig, p, name, SERIES_POINTS, MEANS_FIXED);
		if (start)
			start->unlisted = true; /* its point has the name */
		series_mark(fig, start, 0, c->stall_s, name, ROLE_PLAIN);
	}
	if (!(even < (double)c->n))
		return;
	/* A compilation on the way is a step in the curve: only of one at the start is the crossing known. */
	bool crosses = c->compilations == 1;
	plot_rule(fig, p, false, even, crosses ? "" : "paid back", ROLE_ACCENT);
	if (crosses)
		series_mark(fig, plot_series(fig, p, "", SERIES_POINTS, MEANS_FOCUS), even,
			even * s->eager.steady_s, "paid back", ROLE_ACCENT);
}

static void draw_modes(struct figure *fig, const struct compile_scene *s)
{
	static const char *const head[] = { "mode", "kernels", "CPU calls", "CPU", "kernels take",
		"iteration", "faster", "compiles in" };
	struct table *t = figure_table(fig,
		figure_text(fig, "An iteration of %g tokens", s->v[COMPILE_TOKENS]), head, 8,
		"01111111");
	figure_tab(fig, "Modes");
	for (enum run_mode mode = 0; mode < N_RUN_MODES; mode++) {
		const struct launch_run *run = &s->run[mode];
		double gain = s->run[MODE_EAGER].iteration_s / run->iteration_s;
		table_row(fig, t,
			(const char *[]){ run_mode_names[mode],
				figure_quantity(fig, op_graph_launches(&s->graph[mode]), ""),
				figure_quantity(fig, run->launches, ""),
				figure_quantity(fig, run->cpu_s, "s"),
				figure_quantity(fig, run->busy_s, "s"),
				figure_quantity(fig, run->iteration_s, "s"),
				figure_text(fig, "%.2fx", gain),
				mode == MODE_EAGER
					? "0 s"
					: figure_quantity(fig, s->compile_s[mode], "s") });
	}
}

/* The shape trap: what each setting of `dynamic` makes of the same stream. */
static void draw_dynamic(struct figure *fig, const struct compile_scene *s)
{
	static const char *const head[] = { "dynamic sizes", "versions", "compiling", "ran eager",
		"whole run" };
	struct table *t = figure_table(fig,
		figure_text(fig, "%s iterations of %zu input shape%s",
			figure_quantity(fig, s->v[COMPILE_ITERATIONS], ""), s->n_sizes,
			s->n_sizes == 1 ? "" : "s"),
		head, 5, "01111");
	figure_tab(fig, "Shapes");
	for (enum dynamic d = 0; d < N_DYNAMIC; d++) {
		const struct compile_stream *c = &s->other[d];
		double n = (double)c->n;
		table_row(fig, t,
			(const char *[]){ dynamic_names[d],
				figure_text(fig, "%zu", c->compilations),
				figure_quantity(fig, c->stall_s, "s"),
				figure_text(fig, "%.0f %%", 100 * (double)c->fallbacks / n),
				figure_quantity(fig, c->steady_s * n + c->stall_s, "s") });
	}
	double eager_s = s->eager.steady_s * (double)s->eager.n;
	table_row(fig, t,
		(const char *[]){
			"eager", "0", "0 s", "100 %", figure_quantity(fig, eager_s, "s") });
}

static void draw_layer(struct figure *fig, const struct compile_scene *s)
{
	static const char *const head[] = { "kernel", "replaces", "moves", "eager", "now" };
	const struct graph_section *layer = &s->graph[s->mode].section[SECTION_FORWARD];
	struct table *t = figure_table(fig, "One layer's kernels", head, 5, "01111");
	figure_tab(fig, "Kernels");
	for (size_t i = 0; i < layer->n; i++) {
		const struct graph_kernel *k = &layer->kernels[i];
		table_row(fig, t,
			(const char *[]){ k->ops > 1 ? figure_text(fig, "%s and %zu more", k->name,
							       k->ops - 1)
						     : k->name,
				figure_text(fig, "%zu", k->ops),
				figure_quantity(fig, k->bytes, "B"),
				figure_quantity(fig, k->unfused_s, "s"),
				figure_quantity(fig, k->time_s, "s") });
	}
}

/* Why it is faster: eager beside the mode that is set (or beside the usual one). Fusing makes the
 * kernels shorter, a recording takes the waits between them away. */
static void draw_where(struct figure *fig, const struct compile_scene *s)
{
	static const char *const parts[] = { "kernels", "waits" };
	static const enum meaning means[] = { MEANS_COMPUTE, MEANS_WAITING };
	const enum run_mode shown[] = { MODE_EAGER,
		s->mode == MODE_EAGER ? MODE_DEFAULT : s->mode };
	struct bars *b = figure_bars(fig, "An iteration on the GPU: the line is what it saves", "s",
		parts, LENGTH(parts));
	figure_tab(fig, "Iteration");
	bars_mean(fig, b, means, LENGTH(means));
	double before_s = 0;
	for (size_t i = 0; i < LENGTH(shown); i++) {
		const struct launch_run *run = &s->run[shown[i]];
		double waits_s = run->iteration_s - run->busy_s;
		bool seen = waits_s > 1e-3 * run->iteration_s; /* less is not worth a line */
		struct bar *bar = bars_add(fig, b, run_mode_names[shown[i]],
			(double[]){ seen ? run->busy_s : run->iteration_s, seen ? waits_s : 0 });
		if (bar && i > 0 && run->iteration_s < before_s)
			bar->was = before_s;
		before_s = run->iteration_s;
	}
}

/* Says what happens on the lanes, once for each kind of span. */
static void tell(struct figure *fig, const struct compile_scene *s)
{
	const struct launch_run *eager = &s->run[MODE_EAGER], *run = &s->run[s->mode];
	double launch_s = s->v[COMPILE_LAUNCH] / 1e6;
	bool behind = waits_for_launches(eager);
	figure_moment(fig, 0,
		behind ? "eager: each kernel is over before the next launch, %s apart"
		       : "eager: the CPU is ahead, kernels queue; launches of %s are hidden",
		figure_quantity(fig, launch_s, "s"));
	if (s->mode == MODE_DEFAULT)
		figure_moment(fig, fig->duration_s / 3,
			"compiled: %.0f kernels instead of %.0f, a launch each",
			op_graph_launches(&s->graph[s->mode]),
			op_graph_launches(&s->graph[MODE_EAGER]));
	else if (s->mode != MODE_EAGER)
		figure_moment(fig, fig->duration_s / 3,
			"recorded: %.0f call%s for %.0f kernels, back to back on the GPU",
			run->launches, run->launches > 1 ? "s" : "",
			op_graph_launches(&s->graph[s->mode]));
}

static void compile_draw(struct figure *fig, const struct compile_scene *s)
{
	bool varied = s->n_sizes > 1 && s->mode != MODE_EAGER;
	bool eager = s->mode == MODE_EAGER; /* nothing to pay back */
	if (eager)
		draw_lanes(fig, s);
	else
		draw_totals(fig, s);
	if (varied)
		draw_dynamic(fig, s);
	draw_where(fig, s);
	if (eager)
		draw_totals(fig, s);
	else
		draw_lanes(fig, s);
	draw_modes(fig, s);
	draw_layer(fig, s);
	if (!varied && s->mode != MODE_EAGER)
		draw_dynamic(fig, s);
	tell(fig, s);
}

/* "6,209 iterations pay back the 16 s of compiling", where so many can. */
static const char *paid_back(struct figure *fig, const struct compile_scene *s)
{
	double even = break_even(s);
	return figure_text(fig, "%s iterations pay back the %s of compiling%s",
		figure_quantity(fig, even, ""), figure_quantity(fig, s->stream.stall_s, "s"),
		even > (double)s->stream.n ? ", more than this run has" : "");
}

/* What the versions are for. */
static const char *versions_text(const struct compile_scene *s)
{
	size_t n = s->stream.compilations;
	return s->mode >= MODE_GRAPHS ? "and a recording for each size"
	       : n == s->n_sizes      ? "one for each"
	       : n == 1               ? "which serves them all"
				      : "of which the last serves the rest";
}

static void explain_trap(struct figure *fig, const struct compile_scene *s)
{
	const struct compile_stream *c = &s->stream;
	if (c->fallbacks > 0)
		figure_why(fig,
			"After %zu versions Dynamo gives up: %.0f %% of the iterations run eager, "
			"and compiling took %s%s.",
			c->compilations, 100 * (double)c->fallbacks / (double)c->n,
			figure_quantity(fig, c->stall_s, "s"),
			s->v[COMPILE_VARIES] == VARIES_CONSTANT
				? "; make the constant a tensor"
				: "; with dynamic sizes two would do");
	else
		figure_why(fig, "%zu input shapes take %zu compilation%s, %s: %s.", s->n_sizes,
			c->compilations, c->compilations == 1 ? "" : "s", versions_text(s),
			isinf(break_even(s)) ? "an iteration is no faster for it"
					     : paid_back(fig, s));
}

/* Whether the kernels of an iteration are too short to hide its launches. */
static bool launches_show(const struct launch_run *run)
{
	return run->iteration_s > 1.05 * run->busy_s;
}

/* Whether the sentence is about when compiling has paid, and nothing else. */
static bool tells_payback(const struct compile_scene *s)
{
	return s->mode != MODE_EAGER && s->n_sizes <= 1 && !launches_show(&s->run[s->mode]) &&
	       isfinite(break_even(s));
}

static void compile_explain(struct figure *fig, const struct compile_scene *s)
{
	const struct launch_run *eager = &s->run[MODE_EAGER], *run = &s->run[s->mode];
	double launches = op_graph_launches(&s->graph[MODE_EAGER]);
	bool bound = launches_show(eager);
	if (s->n_sizes > 1 && s->mode != MODE_EAGER)
		explain_trap(fig, s);
	else if (s->mode == MODE_EAGER && bound)
		figure_why(fig,
			"%.0f launches take the CPU %s, their kernels only %s: the GPU waits for "
			"Python.",
			launches, figure_quantity(fig, eager->cpu_s, "s"),
			figure_quantity(fig, eager->busy_s, "s"));
	else if (s->mode == MODE_EAGER)
		figure_why(fig,
			"%.0f launches take the CPU %s and nobody sees it: kernels take %s and "
			"queue up.",
			launches, figure_quantity(fig, eager->cpu_s, "s"),
			figure_quantity(fig, eager->busy_s, "s"));
	else if (launches_show(run))
		figure_why(fig,
			"Fusing leaves %.0f of %.0f launches, still more than %s of kernels can "
			"hide%s.",
			op_graph_launches(&s->graph[s->mode]), launches,
			figure_quantity(fig, run->busy_s, "s"),
			s->mode == MODE_DEFAULT ? ": a CUDA graph would remove them" : "");
	else if (isinf(break_even(s)))
		figure_why(fig,
			"Compiled, an iteration is no faster than eager: the %s of compiling are "
			"never paid back.",
			figure_quantity(fig, s->stream.stall_s, "s"));
	else
		figure_why(fig,
			"Compiling %s after %s iterations%s: each later one is %.3g times as fast.",
			break_even(s) > (double)s->stream.n ? "would pay" : "pays",
			figure_quantity(fig, break_even(s), ""),
			break_even(s) > (double)s->stream.n ? ", more than this run has" : "",
			eager->iteration_s / run->iteration_s);
}

/* --- values and words ------------------------------------------------------------------------ */

static void add_break_even(struct figure *fig, const struct compile_scene *s)
{
	double even = break_even(s);
	value_note(
		figure_value(fig, "break_even_iterations", "paid back after", even, "", ROLE_PLAIN),
		isinf(even) ? s->mode == MODE_EAGER ? "nothing to repay" : "never faster"
		: even > (double)s->stream.n ? "iterations, not yet"
					     : "iterations");
}

static void add_values(struct figure *fig, const struct compile_scene *s)
{
	const struct compile_stream *c = &s->stream;
	const struct launch_run *run = &s->run[s->mode];
	bool all = s->v[COMPILE_WARMUP] > 0;
	double mean_s = c->steady_s + (all ? c->stall_s / (double)c->n : 0);
	double speedup = s->eager.steady_s / mean_s;
	double bound = 100 * (1 - run->busy_s / run->iteration_s);
	figure_left_open(fig, "compile_s", s->compile_s[s->mode]);
	if (tells_payback(s)) /* the sentence is about it */
		add_break_even(fig, s);
	value_note(figure_value(fig, "speedup", "speed-up", speedup, "x",
			   speedup > 1.02 ? ROLE_GOOD : ROLE_PLAIN),
		s->mode == MODE_EAGER ? "this is eager" : "over eager");
	figure_value(fig, "warmup_s", "compiling takes", c->stall_s, "s", ROLE_PLAIN);
	if (!tells_payback(s))
		add_break_even(fig, s);
	value_note(
		figure_value(fig, "ms_per_iteration", "iteration", 1e3 * mean_s, "ms", ROLE_PLAIN),
		all ? "warm-up counted" : NULL);
	figure_value(fig, "launch_bound_pct", "waits on launches", bound > 1e-9 ? bound : 0, "%",
		bound > 10 ? ROLE_WARN : ROLE_PLAIN);
	figure_value(fig, "recompiles", "recompilations",
		c->compilations > 0 ? (double)c->compilations - 1 : 0, "",
		c->compilations > 2 ? ROLE_WARN : ROLE_PLAIN);
	value_note(figure_value(fig, "eager_pct", "ran eager",
			   100 * (double)c->fallbacks / (double)c->n, "%",
			   c->fallbacks ? ROLE_BAD : ROLE_PLAIN),
		c->fallbacks ? "past the limit" : NULL);
	figure_value(
		fig, "kernels", "kernels", op_graph_launches(&s->graph[s->mode]), "", ROLE_PLAIN);
	value_note(figure_value(fig, "launch_ms", "CPU time", 1e3 * run->cpu_s, "ms", ROLE_PLAIN),
		"of an iteration");
	value_note(figure_value(fig, "gpu_ms", "kernel time", 1e3 * run->busy_s, "ms", ROLE_PLAIN),
		"of an iteration");
	figure_value(fig, "run_s", "whole run", c->steady_s * (double)c->n + c->stall_s, "s",
		ROLE_PLAIN);
}

static void small_print(struct figure *fig, const struct compile_scene *s)
{
	if (s->v[COMPILE_WARMUP] > 0 && s->mode != MODE_EAGER)
		figure_note(fig, ROLE_WARN,
			"Warm-up is counted in: the figure depends on how long the run was.");
	if (s->v[COMPILE_BREAKS] + 1 > op_graph_launches(&s->graph[s->mode]))
		figure_note(fig, ROLE_WARN, "More graph breaks than kernels to stand between.");
	if (s->v[COMPILE_VARIES] == VARIES_SIZE && s->v[COMPILE_SIZES] > s->v[COMPILE_TOKENS])
		figure_note(fig, ROLE_WARN, "Fewer lengths than input shapes: some are the same.");
	figure_assume(fig,
		"kernels of a plain PyTorch model: %s; attention fused already; GEMMs are library "
		"calls",
		s->model->gated ? "RMSNorm and rotary embedding written out, 8 and 5 kernels"
				: "LayerNorm and GELU are a kernel each");
	figure_assume(fig,
		"kernel times as in the roofline's achieved ceiling; BF16; at most 1,024 launches "
		"ahead");
	figure_assume(fig, "CUDA graph: 10 us for a whole recording, a new one for each size");
	figure_assume(fig, "kernels for any size run 5 %% longer where they were generated");
	figure_leave_out(
		fig, "the optimizer; memory that recordings keep; caches of compiled code");
	figure_leave_out(
		fig, "autograd's own bookkeeping: eager backward launches slower than forward");
}

static void run(const struct tables *t, const double v[], struct figure *fig)
{
	assert(v[COMPILE_MODE] < N_RUN_MODES && v[COMPILE_DYNAMIC] < N_DYNAMIC &&
		v[COMPILE_SIZES] <= MAX_SIZES);
	struct compile_scene s = { .v = v,
		.model = model_at(t, v[COMPILE_MODEL]),
		.gpu = gpu_at(t, v[COMPILE_GPU]),
		.mode = (enum run_mode)v[COMPILE_MODE],
		.n_sizes = (size_t)v[COMPILE_SIZES] };
	struct arena *a = &fig->arena;
	run_modes(&s, a);
	measure_sizes(&s);
	enum dynamic dynamic = (enum dynamic)v[COMPILE_DYNAMIC];
	s.eager = compile_stream_run(a, &s, MODE_EAGER, dynamic, true);
	s.stream = compile_stream_run(a, &s, s.mode, dynamic, true);
	for (enum dynamic d = 0; d < N_DYNAMIC; d++)
		s.other[d] = compile_stream_run(a, &s, s.mode, d, false);
	if (a->failed)
		return;
	figure_subtitle(fig, "%s · %s · %s", s.model->name, s.gpu->name,
		phase_ids[(size_t)v[COMPILE_PHASE]]);
	add_values(fig, &s);
	compile_draw(fig, &s);
	compile_explain(fig, &s);
	warn_too_large(
		fig, s.model, "BF16", model_weight_bytes(s.model, DTYPE_BF16), s.gpu, 1, true);
	if (strcmp(phase_ids[(size_t)v[COMPILE_PHASE]], "decode") == 0)
		note_encoder(fig, s.model);
	note_windows(fig, s.model, v[COMPILE_TOKENS]);
	small_print(fig, &s);
}

const struct sim compile_sim = {
	.id = "compile",
	.title = "Compiled or eager",
	.summary =
		"Launches against kernels: what fusing and CUDA graphs take away, and when shapes "
		"take it back",
	.page = "pytorch",
	.knobs = knobs,
	.n_knobs = N_COMPILE_KNOBS,
	.STORY(COMPILE_ITERATIONS, COMPILE_MODE, COMPILE_SIZES, COMPILE_DYNAMIC, COMPILE_BATCH,
		COMPILE_LAUNCH, COMPILE_GPU),
	.try = "Turn iterations to 5,000, then input shapes to 20. Is it paid back?",
	.run = run,
};
