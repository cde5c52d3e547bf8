#include "sims/serving/capacity_figure.h"

#include "sims/base/array.h"
#include "sims/formulas/serving.h"

#include <math.h>

/* The share of GPUs that do both in turn which is for prompts: as prompts alone would take them beside
 * decoding alone, so that the parts of a bar are those of the bars above it. */
static double prompts_share(const struct capacity_plan *p)
{
	return p->compute / (p->compute + p->bandwidth);
}

/* --- The staircase --- */

/* What GPUs are for: the last are those that only the slowest requests need. */
enum { FOR_PROMPTS, FOR_DECODING, FOR_CACHES, FOR_LATE, N_FOR };

struct stair {
	const char *name;
	double part[N_FOR]; /* GPUs */
	const char *what;
};

static double stair_gpus(const struct stair *s)
{
	double sum = 0;
	for (size_t i = 0; i < N_FOR; i++)
		sum += s->part[i];
	return sum;
}

static double answer_gpus(const struct capacity *c)
{
	return c->best && !c->draft ? c->best->gpus : INFINITY;
}

/* Who has a cache on so many GPUs: fewer of them are slower, and a user stays for longer. */
static double holders_on(const struct capacity_need *n, const struct engine_shape *e, double gpus)
{
	double replicas = n->sharded ? 1 : gpus / n->group;
	double step_s = capacity_step_s(n, e, n->requests_per_s / replicas, false, INFINITY);
	return n->requests_per_s * n->output_tokens * step_s;
}

static const char *users_text(
	const struct capacity *c, const struct engine_shape *e, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	double bytes = n->context * n->kv_per_token * (1 + n->waste);
	double users = n->users > 0 ? n->users : e ? holders_on(n, e, c->plan.memory) : NAN;
	const char *size = figure_quantity(fig, bytes, "B");
	if (!isfinite(users))
		return figure_text(fig, "%s a user", size);
	return figure_text(fig, "%s user%s%s, %s each", figure_quantity(fig, round(users), ""),
		round(users) == 1 ? "" : "s",
		n->users > 0 || !(c->plan.memory < answer_gpus(c)) ? "" : ", served slower", size);
}

/* From the lowest to the highest; what no number is enough for is not among them. */
static size_t sort_stairs(struct stair s[], size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(stair_gpus(&s[i])))
			continue;
		struct stair one = s[i];
		size_t at = kept++;
		for (; at > 0 && stair_gpus(&s[at - 1]) > stair_gpus(&one); at--)
			s[at] = s[at - 1];
		s[at] = one;
	}
	return kept;
}

/* Where the answer takes more than both it is for the caches, and then for who comes at a bad moment. */
static void deal_out(const struct capacity *c, double both[N_FOR], double all[N_FOR])
{
	const struct capacity_plan *p = &c->plan;
	double prompts = prompts_share(p);
	both[FOR_PROMPTS] = all[FOR_PROMPTS] = p->speed * prompts;
	both[FOR_DECODING] = all[FOR_DECODING] = p->speed * (1 - prompts);
	double mean = fmin(fmax(p->speed, p->memory), answer_gpus(c));
	all[FOR_CACHES] = fmax(0, mean - p->speed);
	all[FOR_LATE] = fmax(0, answer_gpus(c) - fmax(mean, p->speed));
}

/* "90,000 tokens/s, 13,400 a GPU" */
static const char *rate_text(struct figure *fig, double all, double each)
{
	const char *rate = figure_text(fig, "%s tokens/s", figure_quantity(fig, all, ""));
	if (!(each > 0))
		return rate;
	return figure_text(fig, "%s, %s a GPU", rate, figure_about(fig, each, ""));
}

static struct bars *stair_bars(struct figure *fig)
{
	static const char *const parts[N_FOR] = { "prompts", "decoding", "caches",
		"for the slowest" };
	static const enum meaning means[N_FOR] = { MEANS_TRAFFIC, MEANS_COMPUTE, MEANS_CACHE,
		MEANS_WAITING };
	struct bars *b = figure_bars(fig, "GPUs that it takes to ...", "GPU", parts, N_FOR);
	figure_tab(fig, "Bounds");
	bars_mean(fig, b, means, N_FOR);
	if (b)
		b->close = true; /* the plans below need their axis more than these need air */
	return b;
}

static void draw_stairs(const struct capacity *c, struct figure *fig)
{
	const struct capacity_plan *p = &c->plan;
	const struct capacity_need *n = &c->need;
	const struct engine_shape *replica = n->sharded || !c->engines.n ? NULL : c->engines.shape;
	double prompts = replica ? capacity_prompts_per_s(n, replica) / n->group : 0;
	double decodes = replica ? capacity_decodes_per_s(n, replica) / n->group : 0;
	struct stair s[] = {
		{ "take the prompts", { [FOR_PROMPTS] = p->compute },
			rate_text(fig, n->requests_per_s * n->prompt_tokens, prompts) },
		{ figure_text(fig, "decode in %s", figure_quantity(fig, n->itl_s, "s")),
			{ [FOR_DECODING] = p->bandwidth },
			rate_text(fig, n->requests_per_s * n->output_tokens, decodes) },
		{ "hold the caches", { [FOR_CACHES] = p->memory }, users_text(c, replica, fig) },
		{ "keep 99 % in time", { 0 }, "the answer" },
		{ "do both in turn", { 0 }, "on average" },
	};
	size_t all = LENGTH(s);
	deal_out(c, s[all - 1].part, s[all - 2].part);
	/* Where the slowest need no more than the average one bar says both. */
	if (stair_gpus(&s[all - 1]) == stair_gpus(&s[all - 2])) {
		all--;
		s[all - 1].name = "do both in turn";
		s[all - 1].what = "the answer: 99 % are in time";
	}
	size_t count = sort_stairs(s, all);
	struct bars *b = count ? stair_bars(fig) : NULL;
	for (size_t i = 0; i < count; i++) {
		struct bar *bar = bars_add(fig, b, s[i].name, s[i].part);
		if (!bar)
			continue;
		bar->note = s[i].what;
		bar->role = i + 1 == count ? ROLE_ACCENT : ROLE_PLAIN;
	}
}

/* --- What a fleet serves, by layout --- */

enum { SERVES_MOST, SERVES, SERVES_AT_MOST, N_SERVES };

static const enum meaning serves_means[N_SERVES] = { MEANS_LEVEL + 6, MEANS_LEVEL + 3, MEANS_HELD };

static struct bars *rate_bars(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[N_SERVES] = { "serves the most", "serves",
		"at most, so not tried" };
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

/* --- The plans, the best first --- */

/* What the bars do not say: dollars, or, where those are the bars, GPUs. What is left out takes as many as
 * its bar has, or more. */
static const char *plan_note(
	struct figure *fig, const struct serving_layout *l, double gpus, bool in_dollars)
{
	bool least = l->fate == LAYOUT_LEFT_OUT;
	if (in_dollars)
		return figure_text(fig, "%s%s", figure_quantity(fig, gpus, "GPU"),
			least ? " at least, so not tried" : "");
	if (least)
		return "at least, so not tried";
	return l->price_per_h > 0
		       ? figure_text(fig, "$%s/h", figure_quantity(fig, gpus * l->price_per_h, ""))
		       : NULL;
}

static struct bars *plan_bars(struct figure *fig, bool in_dollars)
{
	static const char *const parts[] = { "prompts", "decoding" };
	static const enum meaning means[] = { MEANS_TRAFFIC, MEANS_COMPUTE };
	struct bars *b = figure_bars(fig,
		in_dollars ? "What each plan costs an hour" : "GPUs that each plan takes",
		in_dollars ? "$" : "GPU", parts, LENGTH(parts));
	bars_mean(fig, b, means, LENGTH(means));
	figure_tab(fig, "Plans");
	return b;
}

/* A bar for each plan that came into question, made of what its GPUs do; behind it what it costs. GPUs of
 * different kinds are compared by that alone. */
static void draw_plans(const struct capacity *c, struct figure *fig)
{
	const struct serving_layout *l[MOST_TOLD];
	size_t n = capacity_ranking(c, l, LENGTH(l));
	bool in_dollars = (size_t)c->v[CAPACITY_GPU] >= c->t->n_gpus;
	if (n < 2 || c->draft || c->need.sharded || c->search.fleet > 0)
		return;
	struct bars *b = NULL;
	for (size_t i = 0; i < n; i++) {
		bool passes = l[i]->fate == LAYOUT_PASSES;
		double gpus = passes ? l[i]->gpus : l[i]->at_least;
		struct serving_layout bounds = *l[i];
		serving_bounds(&bounds);
		double prompts = prompts_share(&bounds.plan);
		double size = gpus * (in_dollars ? l[i]->price_per_h : 1);
		if ((!passes && l[i]->fate != LAYOUT_LEFT_OUT) || !isfinite(prompts))
			continue;
		b = b ? b : plan_bars(fig, in_dollars);
		const char *layout = capacity_layout_text(c, l[i]);
		struct bar *bar = bars_add(fig, b,
			in_dollars ? layout : figure_text(fig, "replicas of %s", layout),
			(double[]){ size * prompts, size * (1 - prompts) });
		if (!bar)
			continue;
		if (l[i] == c->best) { /* so that one sees how far the others are from it */
			b->limit = size;
			b->limit_label = "the cheapest";
			b->goal = true;
		}
		bar->note = plan_note(fig, l[i], gpus, in_dollars);
		bar->role = l[i] == c->best ? ROLE_ACCENT : ROLE_PLAIN;
	}
}

/* --- By goal --- */

static void draw_goal(const struct capacity *c, struct figure *fig)
{
	const double from_ms = 5, to_ms = 410, by = 1.15;
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
				"Time between tokens", "ms", AXIS_LOG10, "GPUs", "", AXIS_LOG10);
			figure_tab(fig, "By goal");
			mean = plot_series(fig, p, "on average", SERIES_LINE, MEANS_KIND + 3);
			memory = plot_series(
				fig, p, "to hold the caches", SERIES_DASHED, MEANS_KIND + 2);
		}
		series_point(fig, mean, ms, isfinite(at.gpus) ? at.gpus : NAN);
		series_point(fig, memory, ms, isfinite(at.memory) ? at.memory : NAN);
	}
	if (!p)
		return;
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
	struct bars *b = figure_bars(fig, "Memory of one GPU", "GB", parts, LENGTH(gb));
	figure_tab(fig, "Memory");
	bars_mean(fig, b, means, LENGTH(means));
	bars_add(fig, b, n->gpu->name, gb);
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
		draw_stairs(c, fig);
	draw_plans(c, fig);
	if (!(c->search.fleet > 0))
		draw_goal(c, fig);
	draw_memory(c, fig);
}
