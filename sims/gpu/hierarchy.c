#include "sims/gpu/hierarchy.h"

#include "sims/formulas/roofline.h"

static const char *rate(struct figure *fig, double x)
{
	return x > 0 ? figure_quantity(fig, x, "B/s") : "-";
}

static const char *size_text(struct figure *fig, double bytes)
{
	bool small = bytes < 1048576;
	const char *text = figure_quantity(fig, bytes / (small ? 1024 : 1048576), "");
	return bytes > 0 ? figure_text(fig, "%s %s", text, small ? "KiB" : "MiB") : "-";
}

static const char *ridge_text(struct figure *fig, double peak_flops, double bandwidth)
{
	if (bandwidth <= 0)
		return "-";
	double ridge = CALL(ridge_point, .peak_flops = peak_flops, .bandwidth = bandwidth);
	return figure_quantity(fig, ridge, "");
}

void hierarchy_table(struct figure *fig, const struct accelerator *g, double peak_flops)
{
	static const char *const head[] = { "level", "per core", "read", "write", "triad",
		"ridge, FLOP/B" };
	if (!g->n_levels)
		return;
	const char *title = figure_text(fig, "Memory hierarchy, %u %s", g->threads,
		g->threads == 1 ? "thread" : "threads together");
	struct table *t = figure_table(fig, title, head, 6, "011111");
	for (size_t i = 0; i < g->n_levels; i++) {
		const struct memory_level *l = &g->levels[i];
		const char *const cells[] = { l->name, size_text(fig, l->bytes), rate(fig, l->read),
			rate(fig, l->write), rate(fig, l->triad),
			ridge_text(fig, peak_flops, l->read) };
		table_row(fig, t, cells);
	}
}
