/* Pictures of eager and compiled runs: launches against kernels, the time of a whole stream, the
 * modes side by side, and what became of a layer's kernels. */
#include "sims/gpu/compile.h"

#include <math.h>
#include <stdio.h>

/* The order gives a launch its colour in every timeline of a step. */
enum {
	SPAN_PRODUCT,
	SPAN_ATTENTION,
	SPAN_POINTWISE,
	SPAN_FUSED,
	SPAN_LAUNCH,
	SPAN_PYTHON,
	N_SPANS
};
static const char *const span_names[N_SPANS] = { "product", "attention", "pointwise", "fused",
	"launch", "Python" };

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
		figure_text(fig, "%s in layer %.0f of %.0f", figure_quantity(fig, s->watch_s, "s"),
			floor(s->model->layers / 2) + 1, s->model->layers),
		lanes, 2 * n, span_names, N_SPANS);
	fig->duration_s = 0;
	for (size_t i = 0; i < n; i++) {
		const struct launch_run *run = &s->run[modes[i]];
		for (size_t k = 0; k < run->n_spans; k++) {
			const struct launch_span *span = &run->spans[k];
			timeline_span(fig, t, (unsigned)(2 * i) + (span->kernel != NULL),
				kind_of(span), span->start_s, span->end_s,
				span->kernel ? span->kernel->name : NULL);
			fig->duration_s = fmax(fig->duration_s, span->end_s);
		}
	}
}

/* Thinned to what a plot can show, with every stall kept. */
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
	struct plot *p = figure_plot(fig, "Time since the start", "Iteration", "", AXIS_LINEAR,
		"Time", "s", AXIS_LINEAR);
	struct series *eager = plot_series(fig, p, "eager", SERIES_DASHED, 1);
	add_curve(fig, eager, &s->eager);
	if (s->mode != MODE_EAGER)
		add_curve(fig, plot_series(fig, p, run_mode_ids[s->mode], SERIES_LINE, 0),
			&s->stream);
	if (p)
		p->y.min = 0;
	const struct compile_stream *c = &s->stream;
	double gain_s = s->eager.steady_s - c->steady_s;
	if (s->mode != MODE_EAGER && gain_s > 0 && c->stall_s / gain_s < (double)c->n)
		plot_rule(fig, p, false, c->stall_s / gain_s, "even", ROLE_GOOD);
}

static void draw_modes(struct figure *fig, const struct compile_scene *s)
{
	static const char *const head[] = { "mode", "kernels", "CPU calls", "CPU", "kernels take",
		"iteration", "faster", "compiles in" };
	struct table *t = figure_table(fig,
		figure_text(fig, "An iteration of %g tokens", s->v[COMPILE_TOKENS]), head, 8,
		"01111111");
	for (enum run_mode mode = 0; mode < N_RUN_MODES; mode++) {
		const struct launch_run *run = &s->run[mode];
		double gain = s->run[MODE_EAGER].iteration_s / run->iteration_s;
		table_row(fig, t,
			(const char *[]){ run_mode_ids[mode],
				figure_quantity(fig, op_graph_launches(&s->graph[mode]), ""),
				figure_quantity(fig, run->launches, ""),
				figure_quantity(fig, 1e3 * run->cpu_s, "ms"),
				figure_quantity(fig, 1e3 * run->busy_s, "ms"),
				figure_quantity(fig, 1e3 * run->iteration_s, "ms"),
				figure_text(fig, "%.2fx", gain),
				mode == MODE_EAGER
					? "-"
					: figure_quantity(fig, s->compile_s[mode], "s") });
	}
}

/* The shape trap: what each setting of `dynamic` makes of the same stream. */
static void draw_dynamic(struct figure *fig, const struct compile_scene *s)
{
	static const char *const head[] = { "dynamic", "versions", "compiling", "ran eager",
		"whole run" };
	struct table *t = figure_table(fig,
		figure_text(fig, "%g iterations of %zu kind%s of input", s->v[COMPILE_ITERATIONS],
			s->n_sizes, s->n_sizes == 1 ? "" : "s"),
		head, 5, "01111");
	for (enum dynamic d = 0; d < N_DYNAMIC; d++) {
		const struct compile_stream *c = &s->other[d];
		double n = (double)c->n;
		table_row(fig, t,
			(const char *[]){ dynamic_ids[d], figure_text(fig, "%zu", c->compilations),
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

static void draw_where(struct figure *fig, const struct compile_scene *s)
{
	static const char *const parts[] = { "kernels", "waiting for launches" };
	struct bars *b = figure_bars(fig, "An iteration on the GPU", "ms", parts, 2);
	for (enum run_mode mode = 0; mode < N_RUN_MODES; mode++) {
		const struct launch_run *run = &s->run[mode];
		bars_add(fig, b, run_mode_ids[mode],
			(double[]){ 1e3 * run->busy_s,
				fmax(0, 1e3 * (run->iteration_s - run->busy_s)) });
	}
}

/* What happens on the lanes, once per kind of thing. */
static void tell(struct figure *fig, const struct compile_scene *s)
{
	const struct launch_run *eager = &s->run[MODE_EAGER], *run = &s->run[s->mode];
	double launch_s = s->v[COMPILE_LAUNCH] / 1e6;
	bool behind = eager->iteration_s > 1.02 * eager->busy_s;
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

void compile_draw(struct figure *fig, const struct compile_scene *s)
{
	bool varied = s->n_sizes > 1 && s->mode != MODE_EAGER;
	if (!varied)
		draw_lanes(fig, s);
	draw_totals(fig, s);
	if (varied) {
		draw_dynamic(fig, s);
		draw_lanes(fig, s);
	}
	draw_where(fig, s);
	draw_modes(fig, s);
	draw_layer(fig, s);
	if (!varied && s->mode != MODE_EAGER)
		draw_dynamic(fig, s);
	tell(fig, s);
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
				: "; dynamic=None would have stopped at two");
	else
		figure_why(fig, "%zu kinds of input took %zu compilation%s, %s: %s.", s->n_sizes,
			c->compilations, c->compilations == 1 ? "" : "s",
			figure_quantity(fig, c->stall_s, "s"),
			s->mode >= MODE_GRAPHS
				? "and a recording for each size"
				: "one version for every size is enough, it is not one per shape");
}

void compile_explain(struct figure *fig, const struct compile_scene *s)
{
	const struct launch_run *eager = &s->run[MODE_EAGER], *run = &s->run[s->mode];
	double launches = op_graph_launches(&s->graph[MODE_EAGER]);
	bool bound = eager->iteration_s > 1.05 * eager->busy_s;
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
	else if (run->iteration_s > 1.05 * run->busy_s)
		figure_why(fig,
			"Fusing leaves %.0f of %.0f launches, still more than %s of kernels can "
			"hide%s.",
			op_graph_launches(&s->graph[s->mode]), launches,
			figure_quantity(fig, run->busy_s, "s"),
			s->mode == MODE_DEFAULT ? ": a CUDA graph would remove them" : "");
	else
		figure_why(fig, "Fusing takes %s off the kernels' %s; launches %s.",
			figure_quantity(fig, eager->busy_s - run->busy_s, "s"),
			figure_quantity(fig, eager->busy_s, "s"),
			bound ? figure_text(fig, "cost another %s, and no longer show",
					figure_quantity(
						fig, eager->iteration_s - eager->busy_s, "s"))
			      : "were hidden before, so that nothing is gained there");
}
