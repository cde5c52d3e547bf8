#include "sims/serving/capacity_figure.h"

#include "sims/base/array.h"
#include "sims/formulas/serving.h"

#include <math.h>

/* --- The staircase --- */

struct stair {
	const char *name;
	double gpus;
	const char *what;
};

static double answer_gpus(const struct capacity *c)
{
	return c->best && !c->draft ? c->best->gpus : INFINITY;
}

static const char *users_text(const struct capacity *c, struct figure *fig)
{
	const struct capacity_need *n = &c->need;
	double bytes = n->context * n->kv_per_token * (1 + n->waste);
	if (n->users > 0)
		return figure_text(fig, "%s users, %s each", figure_quantity(fig, n->users, ""),
			figure_quantity(fig, bytes, "B"));
	return figure_text(fig, "%s a user", figure_quantity(fig, bytes, "B"));
}

/* From the lowest to the highest; what no number is enough for is not among them. */
static size_t sort_stairs(struct stair s[], size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isfinite(s[i].gpus))
			continue;
		struct stair one = s[i];
		size_t at = kept++;
		for (; at > 0 && s[at - 1].gpus > one.gpus; at--)
			s[at] = s[at - 1];
		s[at] = one;
	}
	return kept;
}

static void draw_stairs(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "for this alone", "for all of it" };
	static const enum meaning means[] = { MEANS_LEVEL + 3, MEANS_LEVEL + 6 };
	const struct capacity_plan *p = &c->plan;
	const struct capacity_need *n = &c->need;
	struct stair s[] = {
		{ "take the prompts", p->compute,
			figure_text(fig, "%s tokens/s of prompts",
				figure_quantity(fig, n->requests_per_s * n->prompt_tokens, "")) },
		{ figure_text(fig, "decode in %s", figure_quantity(fig, n->itl_s, "s")),
			p->bandwidth,
			figure_text(fig, "%s tokens/s of answers",
				figure_quantity(fig, n->requests_per_s * n->output_tokens, "")) },
		{ "hold the caches", p->memory, users_text(c, fig) },
		{ "do both in turn", p->speed, "on average" },
		{ "meet both P99", answer_gpus(c), "99 of 100 are in time" },
	};
	size_t count = sort_stairs(s, LENGTH(s));
	if (!count)
		return;
	struct bars *b = figure_bars(fig, "GPUs that it takes to ...", "GPU", parts, LENGTH(parts));
	figure_tab(fig, "Bounds");
	bars_mean(fig, b, means, LENGTH(means));
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count;
		struct bar *bar = bars_add(fig, b, s[i].name,
			(double[]){ last ? 0 : s[i].gpus, last ? s[i].gpus : 0 });
		if (bar)
			bar->note = s[i].what;
	}
}

/* --- What a fleet serves, by layout --- */

enum { MOST_ROWS = 8 };

static void draw_rates(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "serves", "serves the most" };
	static const enum meaning means[] = { MEANS_LEVEL + 3, MEANS_LEVEL + 6 };
	const struct serving_layout *l[MOST_ROWS];
	size_t n = capacity_ranking(c, l, LENGTH(l));
	if (!c->best || c->draft)
		return;
	struct bars *b = figure_bars(fig,
		figure_text(fig, "Requests/s that %s serve%s",
			figure_quantity(fig, c->search.fleet, "GPU"),
			c->search.fleet == 1 ? "s" : ""),
		"req/s", parts, LENGTH(parts));
	figure_tab(fig, "Served");
	bars_mean(fig, b, means, LENGTH(means));
	for (size_t i = n; i-- > 0;) {
		bool best = l[i] == c->best;
		if (l[i]->fate != LAYOUT_PASSES)
			continue;
		struct bar *bar = bars_add(fig, b, capacity_layout_text(c, l[i]),
			(double[]){ best ? 0 : l[i]->rate_per_s, best ? l[i]->rate_per_s : 0 });
		if (bar)
			bar->note = figure_text(fig, "%s replica%s",
				figure_quantity(fig, l[i]->gpus / l[i]->need.group, ""),
				l[i]->gpus > l[i]->need.group ? "s" : "");
	}
}

/* --- The layouts, the best first --- */

static const char *count_text(
	const struct capacity *c, struct figure *fig, const struct serving_layout *l)
{
	if (c->search.fleet > 0)
		return l->fate == LAYOUT_PASSES ? figure_quantity(fig, l->rate_per_s, "") : "-";
	if (l->fate == LAYOUT_PASSES)
		return figure_quantity(fig, l->gpus, "");
	return l->fate == LAYOUT_LEFT_OUT
		       ? figure_text(fig, "%s+", figure_quantity(fig, l->at_least, ""))
		       : "-";
}

/* What is left out would cost that or more: "$30+". */
static const char *cost_text(
	const struct capacity *c, struct figure *fig, const struct serving_layout *l)
{
	bool passes = l->fate == LAYOUT_PASSES, bounded = l->fate == LAYOUT_LEFT_OUT;
	if (!(l->price_per_h > 0) || !(passes || (bounded && c->search.fleet <= 0)))
		return "-";
	return figure_text(fig, "$%s%s",
		figure_quantity(fig, (passes ? l->gpus : l->at_least) * l->price_per_h, ""),
		passes ? "" : "+");
}

static void draw_layouts(const struct capacity *c, struct figure *fig)
{
	const char *const head[] = { "a replica", c->search.fleet > 0 ? "req/s" : "GPUs", "an hour",
		"why" };
	const struct serving_layout *l[MOST_ROWS];
	size_t n = capacity_ranking(c, l, LENGTH(l));
	if (n < 2 || c->draft || c->need.sharded)
		return;
	struct table *t = figure_table(fig, "The plan and what it beat", head, 4, "0110");
	figure_tab(fig, "Layouts");
	for (size_t i = 0; i < n; i++)
		table_row(fig, t,
			(const char *[]){ capacity_layout_text(c, l[i]), count_text(c, fig, l[i]),
				cost_text(c, fig, l[i]), capacity_fate_text(c, l[i]) });
}

/* --- By goal --- */

static void draw_goal(const struct capacity *c, struct figure *fig)
{
	const double from_ms = 5, to_ms = 410, by = 1.15;
	struct capacity_need n = c->need;
	struct capacity_engines e = capacity_engines(&fig->arena, &n);
	struct plot *p = NULL;
	struct series *mean = NULL, *memory = NULL;
	for (double ms = from_ms; ms < to_ms && e.n; ms *= by) {
		n.itl_s = ms / 1e3; /* the same requests arrive, whatever the goal */
		struct capacity_plan at = capacity_plan(&n, &e);
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
		struct series *s = plot_series(fig, p, "at P99", SERIES_POINTS, MEANS_COMPUTE);
		series_mark(fig, s, c->need.itl_s * 1e3, answer_gpus(c),
			figure_text(fig, "%s at P99", figure_quantity(fig, answer_gpus(c), "")),
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
	draw_layouts(c, fig);
	if (!(c->search.fleet > 0))
		draw_goal(c, fig);
	draw_memory(c, fig);
}
