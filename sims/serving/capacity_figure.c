/* Pictures of a capacity plan: GPUs over the goal and over the context, one GPU's memory. */
#include "sims/base/array.h"
#include "sims/serving/capacity.h"

#include "sims/formulas/serving.h"

#include <math.h>

static void add(struct figure *fig, struct series *s, double x, double y)
{
	series_point(fig, s, x, isfinite(y) ? y : NAN);
}

struct lines {
	struct series *memory, *bandwidth, *compute, *speed;
};

static struct lines lines_of(struct figure *fig, struct plot *p)
{
	return (struct lines){ plot_series(fig, p, "memory", SERIES_LINE, 0),
		plot_series(fig, p, "bandwidth", SERIES_DASHED, 1),
		plot_series(fig, p, "compute", SERIES_DASHED, 2),
		plot_series(fig, p, "both in turn", SERIES_LINE, 3) };
}

/* The plans along an axis. */
struct sweep {
	double x[64];
	struct capacity_plan plan[64];
	size_t n;
	bool possible; /* some number of GPUs meets a bound somewhere */
};

static void sweep_add(struct sweep *s, double x, struct capacity_plan p)
{
	if (s->n == LENGTH(s->x))
		return;
	s->x[s->n] = x;
	s->plan[s->n++] = p;
	s->possible |= isfinite(p.memory) || isfinite(p.bandwidth) || isfinite(p.compute) ||
		       isfinite(p.speed);
}

static void draw_sweep(struct figure *fig, struct plot *p, const struct sweep *s)
{
	struct lines l = lines_of(fig, p);
	for (size_t i = 0; i < s->n; i++) {
		add(fig, l.memory, s->x[i], s->plan[i].memory);
		add(fig, l.bandwidth, s->x[i], s->plan[i].bandwidth);
		add(fig, l.compute, s->x[i], s->plan[i].compute);
		add(fig, l.speed, s->x[i], s->plan[i].speed);
	}
}

void capacity_draw_goal(const struct capacity *c, struct figure *fig)
{
	struct sweep s = { .n = 0 };
	for (double ms = 5; ms < 410; ms *= 1.15) {
		struct capacity_need n = c->need;
		n.itl_s = ms / 1e3; /* the same requests arrive, whatever the goal */
		sweep_add(&s, ms, capacity_plan(&n, &c->engines));
	}
	if (!s.possible)
		return;
	struct plot *p = figure_plot(fig, "GPUs by each bound, over the ITL goal",
		"Time between tokens", "ms", AXIS_LOG10, "GPUs", "", AXIS_LOG10);
	draw_sweep(fig, p, &s);
	plot_rule(fig, p, false, c->need.itl_s * 1e3, "goal", ROLE_ACCENT);
}

void capacity_draw_context(const struct capacity *c, struct figure *fig)
{
	struct sweep s = { .n = 0 };
	for (double context = 128; context < 40000; context *= sqrt(2)) {
		struct capacity_need n = c->need;
		n.context = round(context);
		sweep_add(&s, context, capacity_plan(&n, &c->engines));
	}
	if (!s.possible)
		return;
	struct plot *p = figure_plot(fig, "GPUs by each bound, over the context",
		"Context per user", "token", AXIS_LOG2, "GPUs", "", AXIS_LOG10);
	draw_sweep(fig, p, &s);
	plot_rule(fig, p, false, c->need.context, "now", ROLE_ACCENT);
}

void capacity_draw_memory(const struct capacity *c, struct figure *fig)
{
	static const char *const parts[] = { "weights", "caches", "waste", "room for more users",
		"kept free" };
	const struct capacity_need *n = &c->need;
	if (!isfinite(c->plan.gpus))
		return;
	double gpus = n->sharded ? c->plan.gpus : n->group, users = c->plan.users_per_replica;
	double all = gpus * n->gpu->memory_bytes;
	double cache = CALL(users_cache_bytes, .users = users, .context = n->context,
		.kv_per_token = n->kv_per_token * capacity_kv_copies(n, gpus), .waste = 0);
	double used = n->weight_bytes + cache * (1 + n->waste);
	double gb[] = { n->weight_bytes, cache, cache * n->waste, fmax(0, all * n->fill - used),
		all * (1 - n->fill) };
	for (size_t i = 0; i < LENGTH(gb); i++)
		gb[i] /= gpus * 1e9;
	struct bars *b = figure_bars(fig, "Memory of one GPU", "GB", parts, LENGTH(gb));
	bars_add(fig, b, n->gpu->name, gb);
}

static const char *count_text(struct figure *fig, double n)
{
	return isfinite(n) ? figure_quantity(fig, n, "") : "none";
}

void capacity_draw_tables(const struct capacity *c, struct figure *fig)
{
	static const char *const head[] = { "bound", "GPUs", "what sets it" };
	static const char *const check_head[] = { "one replica", "p50", "p99", "goal" };
	const struct capacity_need *n = &c->need;
	const struct capacity_plan *p = &c->plan;
	const char *total = figure_quantity(fig, capacity_total_bytes(n), "B");
	const char *user = figure_quantity(fig, n->context * n->kv_per_token * (1 + n->waste), "B");
	struct table *t = figure_table(fig, "", head, 3, "010");
	table_row(fig, t,
		(const char *[]){ "memory", count_text(fig, p->memory),
			figure_text(fig, "%s in all, %s a user", total, user) });
	table_row(fig, t,
		(const char *[]){ "bandwidth", count_text(fig, p->bandwidth),
			figure_text(fig, "%s tokens/s to read",
				count_text(fig, CALL(token_demand, .users = n->users,
							.token_interval = n->itl_s))) });
	table_row(fig, t,
		(const char *[]){ "compute", count_text(fig, p->compute),
			figure_text(fig, "%s prompt tokens/s",
				figure_quantity(fig, n->requests_per_s * n->prompt_tokens, "")) });
	table_row(fig, t,
		(const char *[]){ "both in turn", count_text(fig, p->speed),
			"a step waits while a prompt runs" });
	if (!c->checked)
		return;
	t = figure_table(fig, "", check_head, 4, "0111");
	table_row(fig, t,
		(const char *[]){ "TTFT", figure_quantity(fig, c->check.ttft_p50_s, "s"),
			figure_quantity(fig, c->check.ttft_p99_s, "s"),
			figure_quantity(fig, c->ttft_s, "s") });
	table_row(fig, t,
		(const char *[]){ "ITL", figure_quantity(fig, c->check.itl_p50_s, "s"),
			figure_quantity(fig, c->check.itl_p99_s, "s"),
			figure_quantity(fig, n->itl_s, "s") });
}
