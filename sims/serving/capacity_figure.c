#include "sims/serving/capacity_figure.h"

#include "sims/base/array.h"
#include "sims/formulas/serving.h"

#include <math.h>
#include <string.h>

/* --- The plans, the best first, and above them what the best one is made of --- */

/* What GPUs are for: some only make replicas whole, some only the slowest requests need. */
enum { FOR_PROMPTS, FOR_DECODING, FOR_WHOLE, FOR_CACHES, FOR_LATE, N_FOR };

static double answer_gpus(const struct capacity *c)
{
	return c->best && !c->draft ? c->best->gpus : INFINITY;
}

/* The GPUs of a plan by what they are for. What prompts and decoding leave of replicas makes these whole. Where it
 * takes more it is for the caches, and then for who comes at a bad moment. */
static void deal_out(const struct capacity_plan *p, const struct capacity_busy *busy, double gpus,
	double part[N_FOR])
{
	double speed = fmin(p->speed, gpus);
	double mean = fmin(fmax(speed, p->memory), gpus);
	double share = fmin(1, speed / (busy->prompts + busy->decoding));
	part[FOR_PROMPTS] = share * busy->prompts;
	part[FOR_DECODING] = share * busy->decoding;
	const double left = speed - part[FOR_PROMPTS] - part[FOR_DECODING];
	part[FOR_WHOLE] = left > 1e-9 * speed ? left : 0; /* not what rounding leaves */
	part[FOR_CACHES] = mean - speed;
	part[FOR_LATE] = gpus - mean;
}

/* What it takes on average, where nothing is known of the slowest; infinite where no number is enough. */
static double shown_gpus(const struct capacity *c)
{
	double gpus = answer_gpus(c);
	return isfinite(gpus) ? gpus : c->plan.gpus;
}

static const char *part_note(const struct capacity *c, size_t part, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	if (part != FOR_CACHES)
		return NULL;
	return figure_text(fig, "%s a user",
		figure_quantity(fig, n->context * n->kv_per_token * (1 + n->waste), "B"));
}

static const char *const part_names[N_FOR] = { "prompts", "decoding", "idle", "caches",
	"for the slowest 1 %" };

static struct bars *gpu_bars(struct figure *fig, const char *title, bool in_dollars)
{
	static const enum meaning means[N_FOR] = { MEANS_TRAFFIC, MEANS_COMPUTE, MEANS_HELD,
		MEANS_CACHE, MEANS_FIXED };
	struct bars *b = figure_bars(fig, title, in_dollars ? "$" : "GPU", part_names, N_FOR);
	figure_tab(fig, in_dollars ? "Costs" : "Plans");
	bars_mean(fig, b, means, N_FOR);
	return b;
}

static bool is_there(double gpus)
{
	const double least = 1e-9; /* rounding */
	return isfinite(gpus) && gpus > least;
}

/* Every GPU does all of it in turn: the row of a part is time, counted in GPUs. */
static const char *const part_rows[N_FOR] = { "for prompts", "for decoding", "idle", "for caches",
	"for the slowest 1 %" };

/* A bar for each part that is there. */
static void add_parts(
	const struct capacity *c, const double part[N_FOR], struct figure *fig, struct bars *b)
{
	for (size_t i = 0; i < N_FOR; i++) {
		double one[N_FOR] = { [0] = 0 };
		one[i] = part[i];
		if (!is_there(part[i]))
			continue;
		struct bar *bar = bars_add(fig, b, part_rows[i], one);
		if (bar)
			bar->note = part_note(c, i, fig);
	}
}

/* What a bar does not say: dollars, or, where those are the bars, GPUs. What was left out takes as many as
 * its bar has, or more: the bars come in order, and it was not tried for that. */
static const char *plan_note(
	struct figure *fig, const struct serving_layout *l, double gpus, bool in_dollars)
{
	bool least = l->fate == LAYOUT_LEFT_OUT;
	if (in_dollars)
		return least ? figure_text(fig, "%s+ GPUs", figure_quantity(fig, gpus, ""))
			     : figure_quantity(fig, gpus, "GPU");
	if (!(l->price_per_h > 0))
		return least ? "or more" : NULL;
	return figure_text(fig, "%s$%s/h", least ? "from " : "",
		figure_quantity(fig, gpus * l->price_per_h, ""));
}

/* "replicas of 2, FP8 weights": that they are GPUs the headline and the axis say. */
static const char *plan_label(
	const struct capacity *c, const struct serving_layout *l, struct figure *fig)
{
	const char *more = strstr(capacity_layout_text(c, l), "GPU");
	return figure_text(fig, "replicas of %.0f%s", l->need.group, more + strspn(more, "GPUs"));
}

/* A layout that came into question, by what its GPUs are for. */
static void add_plan(const struct capacity *c, const struct serving_layout *l, bool in_dollars,
	struct figure *fig, struct bars *b)
{
	if (l->fate != LAYOUT_PASSES && l->fate != LAYOUT_LEFT_OUT)
		return;
	double gpus = l->fate == LAYOUT_PASSES ? l->gpus : l->at_least, part[N_FOR];
	struct serving_layout bounds = *l;
	if (l == c->best)
		bounds.plan = c->plan;
	else
		serving_bounds(&bounds);
	/* Its bound may have been found since it was left out. */
	if (l->fate == LAYOUT_LEFT_OUT)
		gpus = fmax(gpus, bounds.plan.gpus);
	const struct engine_shape replica = capacity_engine(&l->need, l->need.group);
	const struct capacity_busy busy = capacity_busy(&l->need, &replica, &bounds.plan);
	deal_out(&bounds.plan, &busy, gpus, part);
	if (!isfinite(part[FOR_PROMPTS]))
		return;
	for (size_t i = 0; i < N_FOR; i++)
		part[i] *= in_dollars ? l->price_per_h : 1;
	struct bar *bar = bars_add(
		fig, b, in_dollars ? capacity_layout_text(c, l) : plan_label(c, l, fig), part);
	if (!bar)
		return;
	bar->note = plan_note(fig, l, gpus, in_dollars);
	bar->role = l == c->best ? ROLE_ACCENT : ROLE_PLAIN;
}

/* The best plan step by step, then a bar for each plan. GPUs of different kinds are compared by what they
 * cost, in a picture of its own. */
static void draw_plans(const struct capacity *c, struct figure *fig)
{
	const struct serving_layout *l[MOST_TOLD];
	size_t n = c->need.sharded || c->draft ? 0 : capacity_ranking(c, l, LENGTH(l));
	bool in_dollars = (size_t)c->v[CAPACITY_GPU] >= c->t->n_gpus;
	double gpus = shown_gpus(c), part[N_FOR] = { [FOR_PROMPTS] = c->plan.compute,
		[FOR_DECODING] = c->plan.bandwidth,
		[FOR_CACHES] = c->plan.memory };
	const struct capacity_busy busy =
		capacity_busy(&c->need, c->engines.n ? c->engines.shape : NULL, &c->plan);
	if (isfinite(gpus))
		deal_out(&c->plan, &busy, gpus, part);
	if (!is_there(part[FOR_PROMPTS]) && !is_there(part[FOR_DECODING]) &&
		!is_there(part[FOR_CACHES]))
		return;
	struct bars *b = gpu_bars(fig,
		isfinite(gpus) ? "What keeps GPUs busy, the cheapest plan first"
			       : "GPUs that each would take alone",
		false);
	add_parts(c, part, fig, b);
	if (!b || !isfinite(gpus))
		return;
	b->n_steps = b->n_bars;
	if (n == 0 || in_dollars || !isfinite(answer_gpus(c))) {
		struct bar *bar = bars_add(
			fig, b, isfinite(answer_gpus(c)) ? "the answer" : "on average", part);
		if (bar)
			bar->role = ROLE_ACCENT;
	}
	if (in_dollars && n > 1)
		b = gpu_bars(fig, "What each plan costs an hour", true);
	for (size_t i = 0; i < n && (!in_dollars || n > 1); i++)
		add_plan(c, l[i], in_dollars, fig, b);
}

/* --- What a fleet serves, by layout --- */

enum { SERVES_MOST, SERVES, SERVES_AT_MOST, N_SERVES };

static const enum meaning serves_means[N_SERVES] = { MEANS_LEVEL + 6, MEANS_LEVEL + 3, MEANS_HELD };

static struct bars *rate_bars(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[N_SERVES] = { "serves the most", "serves",
		"at most, not simulated" };
	double asked = c->v[CAPACITY_REQUESTS_PER_S];
	struct bars *b = figure_bars(fig,
		figure_text(fig, "Requests/s that %s serve%s",
			figure_quantity(fig, c->search.fleet, "GPU"),
			c->search.fleet == 1 ? "s" : ""),
		"req/s", parts, N_SERVES);
	figure_tab(fig, "Served");
	bars_mean(fig, b, serves_means, N_SERVES);
	if (b && asked > 0) {
		b->limit = asked;
		b->limit_label = "asked";
		b->goal = true;
	}
	return b;
}

/* What the fleet is as such replicas: "4 x 2 GPUs". */
static const char *fleet_text(
	const struct capacity *c, const struct serving_layout *l, struct figure *fig)
{
	const double replicas = l->need.sharded ? 1 : floor(c->search.fleet / l->need.group);
	return figure_text(fig, "%s x %s", figure_quantity(fig, fmax(1, replicas), ""),
		capacity_layout_text(c, l));
}

/* The best first, each against the rate that is asked for, where one is; then those that serve nobody,
 * with their reasons. */
static void draw_rates(const struct capacity *c, struct figure *fig)
{
	const struct serving_layout *l[MOST_TOLD];
	size_t n = capacity_ranking(c, l, LENGTH(l));
	if (c->draft || !n)
		return;
	struct bars *b = rate_bars(c, fig);
	for (size_t i = 0; i < n; i++) {
		double rate[N_SERVES] = { 0 };
		bool serves = l[i]->fate == LAYOUT_PASSES;
		size_t part = l[i] == c->best ? SERVES_MOST : serves ? SERVES : SERVES_AT_MOST;
		if (serves || l[i]->fate == LAYOUT_LEFT_OUT)
			rate[part] = l[i]->rate_per_s;
		struct bar *bar = bars_add(fig, b, fleet_text(c, l[i], fig), rate);
		if (!bar)
			continue;
		bar->role = l[i] == c->best ? ROLE_ACCENT : ROLE_PLAIN;
		if (!(rate[part] > 0))
			bar->note = capacity_fate_text(c, l[i]);
	}
}

/* --- By goal --- */

static void draw_goal(const struct capacity *c, struct figure *fig)
{
	const double from_ms = 5, by = 1.15, to_ms = fmax(30, 1.6e3 * c->need.itl_s);
	struct capacity_need n = c->need;
	struct plot *p = NULL;
	struct series *mean = NULL, *memory = NULL;
	for (double ms = from_ms; ms < to_ms && c->engines.n; ms *= by) {
		n.itl_s = ms / 1e3; /* the same requests arrive, whatever the goal */
		struct capacity_plan at = capacity_plan(&n, &c->engines);
		if (!isfinite(at.gpus) && !p)
			continue;
		if (!p) {
			p = figure_plot(fig, "GPUs by the time that a token may take",
				"Time between tokens", "ms", AXIS_LOG10, "GPUs", "", AXIS_LOG2);
			figure_tab(fig, "By goal");
			mean = plot_series(
				fig, p, "to meet it on average", SERIES_LINE, MEANS_KIND + 3);
			memory = plot_series(
				fig, p, "to hold the caches", SERIES_DASHED, MEANS_KIND + 2);
		}
		series_point(fig, mean, ms, isfinite(at.gpus) ? at.gpus : NAN);
		series_point(fig, memory, ms, isfinite(at.memory) ? at.memory : NAN);
	}
	if (!p)
		return;
	if (isfinite(c->plan.memory)) /* so that its line is not the axis */
		p->y.reach_lo = c->plan.memory / 1.5;
	plot_rule(fig, p, false, c->need.itl_s * 1e3, "goal", ROLE_ACCENT);
	if (isfinite(answer_gpus(c))) {
		struct series *s = plot_series(fig, p, "", SERIES_POINTS, MEANS_FOCUS);
		series_mark(fig, s, c->need.itl_s * 1e3, answer_gpus(c),
			figure_text(fig, "%s at P99", figure_quantity(fig, answer_gpus(c), "GPU")),
			ROLE_ACCENT);
	}
}

/* --- Memory --- */

static void draw_memory(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "weights", "caches", "waste", "room for more users",
		"kept free" };
	static const enum meaning means[] = { MEANS_WEIGHTS, MEANS_CACHE, MEANS_HELD, MEANS_FREE,
		MEANS_WAITING };
	const struct capacity_need *n = &c->need;
	if (!c->best || c->draft)
		return;
	double gpus = n->group, replicas = n->sharded ? 1 : c->best->gpus / n->group;
	double users = n->users > 0 ? n->users / replicas : capacity_holders(&c->best->check);
	double all = gpus * n->gpu->memory_bytes;
	double cache = CALL(users_cache_bytes, .users = users, .context = n->context,
		.kv_per_token = n->kv_per_token * capacity_kv_copies(n, gpus), .waste = 0);
	double used = n->weight_bytes + cache * (1 + n->waste);
	double gb[] = { n->weight_bytes, cache, cache * n->waste, fmax(0, all * n->fill - used),
		all * (1 - n->fill) };
	for (size_t i = 0; i < LENGTH(gb); i++)
		gb[i] /= gpus * 1e9;
	struct bars *b = figure_bars(fig,
		figure_text(fig, "Memory of one GPU, %s",
			figure_quantity(fig, n->gpu->memory_bytes, "B")),
		"GB", parts, LENGTH(gb));
	figure_tab(fig, "Memory");
	bars_mean(fig, b, means, LENGTH(means));
	bars_add(fig, b, n->gpu->name, gb);
	if (b)
		b->shares = true;
}

/* --- A contradiction --- */

static void draw_refusal(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "time" };
	static const enum meaning means[] = { MEANS_COMPUTE };
	struct bars *b = figure_bars(fig, "Time for one answer", "s", parts, LENGTH(parts));
	figure_tab(fig, "Little's law");
	bars_mean(fig, b, means, LENGTH(means));
	b->log = true;
	bars_add(fig, b, "users / requests", (double[]){ c->users_wait_s });
	bars_add(fig, b, c->users_wait_s < c->answer_s ? "a user alone" : "the goals allow",
		(double[]){ c->answer_s });
}

void capacity_draw(const struct capacity *c, struct figure *fig)
{
	if (c->refusal) {
		draw_refusal(c, fig);
		return;
	}
	if (c->search.fleet > 0)
		draw_rates(c, fig);
	else
		draw_plans(c, fig);
	draw_memory(c, fig);
	if (!(c->search.fleet > 0))
		draw_goal(c, fig);
}
