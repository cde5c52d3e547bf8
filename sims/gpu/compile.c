/* Eager, compiled, CUDA graphs (W12, X7): launches against kernels on a timeline, what fusing takes
 * away, and what a stream of shapes does to it. */
#include "sims/gpu/compile.h"

#include "sims/formulas/stacking.h"
#include "sims/quantity/quantity.h"
#include "sims/base/stats.h"
#include "sims/knobs.h"

#include <math.h>

const char *const run_mode_ids[] = { "eager", "default", "reduce-overhead", "max-autotune", NULL };
const char *const dynamic_ids[] = { "none", "true", "false", NULL };
static const char *const dynamic_names[] = { "None", "True", "False" };
static const char *const phase_ids[] = { "decode", "forward", "train", NULL };
static const char *const varies_ids[] = { "size", "constant", NULL };
static const char *const varies_names[] = { "a size", "a constant" };

#define COMPILED                                                                                   \
	{                                                                                          \
		WHEN(COMPILE_MODE, MODE_DEFAULT, MODE_GRAPHS, MODE_AUTOTUNE)                       \
	}

static const struct knob knobs[N_COMPILE_KNOBS] = {
	[COMPILE_MODE] = KNOB_CHOICE_OF("mode", "mode", run_mode_ids, NULL, "default",
		"default fuses; reduce-overhead also records the launches in a CUDA graph; "
		"max-autotune tries templates for the products, whose epilogues take pointwise "
		"kernels in"),
	[COMPILE_MODEL] = KNOB_ANY_MODEL("model", "model", "llama3.2-1b",
		"a small one's kernels are shorter than their launches; a large one hides them"),
	[COMPILE_GPU] = KNOB_ANY_GPU(
		"a100", "the faster the GPU, the sooner launches show: the CPU stays what it was"),
	[COMPILE_PHASE] = KNOB_CHOICE_OF("phase", "phase", phase_ids, NULL, "decode",
		"decode: one token per sequence, many tiny kernels; training adds backward, where "
		"the compiler fuses as well"),
	[COMPILE_BATCH] = KNOB_DOUBLING("batch", "batch", "", 1, 1024, 1,
		"longer kernels, as many launches: a large batch hides what a compiler could save "
		"there"),
	[COMPILE_TOKENS] = KNOB_DOUBLING("tokens", "tokens each", "token", 16, 32768, 512,
		"length of each sequence; in decode, what is in its cache"),
	[COMPILE_LAUNCH] = KNOB_LINEAR("launch_us", "a launch", "us", 0, 100, 8, 1,
		"CPU time of each kernel from Python: 5 to 10 us, more on a slow or busy host"),
	[COMPILE_BREAKS] = KNOB_WHOLE("graph_breaks", "graph breaks", "", 0, 64, 0,
		"at each, Python runs again for 50 us, guards are checked, a recording ends",
		.when = COMPILED),
	[COMPILE_SYNC] = KNOB_SWITCH("sync", "sync each time", 0,
		"the CPU waits for every result, so that it never gets ahead and part of the "
		"launches always shows"),
	[COMPILE_DYNAMIC] = KNOB_CHOICE_OF("dynamic", "dynamic", dynamic_ids, dynamic_names, "none",
		"None: the first new size compiles once more, for all sizes; True: for all sizes "
		"at once; False: once for each size, until the limit",
		.when = COMPILED),
	[COMPILE_SIZES] = KNOB_WHOLE("sizes", "kinds of input", "", 1, MAX_SIZES, 1,
		"different lengths, between half and one and a half of tokens each (or values of "
		"a constant), in random order"),
	[COMPILE_VARIES] = KNOB_CHOICE_OF("varies", "what varies", varies_ids, varies_names, "size",
		"a size can become symbolic; a constant that Dynamo burned in cannot, each value "
		"is a new version"),
	[COMPILE_LIMIT] = KNOB_WHOLE("recompile_limit", "recompile limit", "", 1, 64, 8,
		"versions of one function; whatever none of them fits runs eager from then on",
		.when = COMPILED),
	[COMPILE_ITERATIONS] = KNOB_FACTOR("iterations", "iterations", "", 10, 20000, 2000,
		1.25892541, "compiling is paid once, its gain each time", .integer = true),
	[COMPILE_COMPILE_S] = KNOB_LINEAR("compile_s", "a compilation", "s", 0, 3600, 0, 1,
		"auto: 3 s and 20 ms for each operation traced, half a second more for every "
		"product and template search",
		.zero = "auto", .when = COMPILED),
	[COMPILE_WARMUP] = KNOB_SWITCH("include_warmup", "count warm-up", 0,
		"a mean over everything mixes the compiler's time into the model's: true of "
		"nothing"),
	[COMPILE_SEED] = KNOB_SEED(0, 9999, "another order of the same inputs"),
};

/* Python of a graph break: guards of the next piece, frame, arguments. */
static const double break_s = 50e-6;
/* Of a compilation, by what it has to trace and generate; template searches run every candidate. */
static const double compile_base_s = 3, compile_op_s = 0.02, autotune_s = 5;
/* As long as eager takes for so many kernels: few enough to see the gaps between them. */
enum { SHOWN_KERNELS = 24 };
/* A recording: two runs to warm up, one to capture, and the driver's graph node by node. */
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

/* Products of different shapes: what a template search has to go through. */
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
		/* A layer in the middle: the backlog of the iteration before is worked off. */
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

/* The sizes of the stream, and what an iteration of each takes every way. */
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

static void add_values(struct figure *fig, const struct compile_scene *s)
{
	const struct compile_stream *c = &s->stream;
	const struct launch_run *run = &s->run[s->mode];
	bool all = s->v[COMPILE_WARMUP] > 0;
	double mean_s = c->steady_s + (all ? c->stall_s / (double)c->n : 0);
	double speedup = s->eager.steady_s / mean_s, even = INFINITY;
	if (s->eager.steady_s > c->steady_s)
		even = CALL(break_even_iterations, .compile_time = c->stall_s,
			.before_time = s->eager.steady_s, .after_time = c->steady_s);
	double bound = 100 * (1 - run->busy_s / run->iteration_s);
	value_note(
		figure_value(fig, "ms_per_iteration", "iteration", 1e3 * mean_s, "ms", ROLE_ACCENT),
		all ? "warm-up counted" : NULL);
	value_note(figure_value(fig, "speedup", "speed-up", speedup, "x",
			   speedup > 1.02 ? ROLE_GOOD : ROLE_PLAIN),
		s->mode == MODE_EAGER ? "this is eager" : "over eager");
	figure_value(fig, "launch_bound_pct", "waits on launches", bound > 1e-9 ? bound : 0, "%",
		bound > 10 ? ROLE_WARN : ROLE_PLAIN);
	figure_value(fig, "warmup_s", "warm-up", c->stall_s, "s", ROLE_PLAIN);
	value_note(figure_value(
			   fig, "break_even_iterations", "breaks even after", even, "", ROLE_PLAIN),
		isinf(even)           ? s->mode == MODE_EAGER ? "nothing to repay" : "never faster"
		: even > (double)c->n ? "iterations, not yet"
				      : "iterations");
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
		figure_note(
			fig, ROLE_WARN, "Fewer lengths than kinds of input: some are the same.");
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
	struct compile_scene s = { .v = v,
		.model = &t->models[(size_t)v[COMPILE_MODEL]],
		.gpu = &t->gpus[(size_t)v[COMPILE_GPU]],
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
	.run = run,
};
