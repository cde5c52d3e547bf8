#include "sims/serving/kvcache_draw.h"

#include "sims/base/array.h"

#include <math.h>

/* The frame that shows a moment: the last one at or before it. */
static size_t frame_at(const struct kv_run *r, double at_s)
{
	size_t f = 0;
	while (f + 1 < r->n_frames && r->frame_s[f + 1] <= at_s)
		f++;
	return f;
}

/* The same memory under both, one above the other, on one clock. */
void kvcache_draw_memory(const struct kv_run *whole, const struct kv_run *paged, struct figure *fig)
{
	static const char *const kinds[N_KV_CELLS] = { "free", "used", "shared", "kept", "empty" };
	enum { COLS = 40, ROWS = KV_CELLS / COLS };
	const struct kv_run *runs[] = { whole, paged };
	const char *names[2 * ROWS];
	double times[KV_FRAMES], end_s = 0;
	for (size_t i = 0; i < 2; i++)
		if (runs[i]->n_frames)
			end_s = fmax(end_s, runs[i]->frame_s[runs[i]->n_frames - 1]);
	for (size_t i = 0; i < 2 * ROWS; i++)
		names[i] = i == 0 ? "reserved" : i == ROWS ? "paged" : "";
	for (size_t f = 0; f < KV_FRAMES; f++)
		times[f] = end_s * (double)f / KV_FRAMES;
	struct grid *g = figure_grid(fig, "The same memory, reserved and paged", kinds, N_KV_CELLS,
		names, 2 * ROWS, COLS, times, KV_FRAMES);
	for (size_t f = 0; f < KV_FRAMES; f++)
		for (size_t i = 0; i < 2 * KV_CELLS; i++) {
			const struct kv_run *r = runs[i / KV_CELLS];
			if (r->n_frames && i % KV_CELLS < r->n_cells)
				grid_set(g, f, i / COLS, i % COLS,
					r->cells[frame_at(r, times[f])][i % KV_CELLS]);
		}
	fig->duration_s = end_s;
}

void kvcache_draw_table(const struct kv_run *whole, const struct kv_run *paged, struct figure *fig)
{
	static const char *const head[] = { "", "reserved", "paged" };
	struct table *t = figure_table(fig, "The same requests", head, 3, "011");
	const struct {
		const char *what, *unit;
		double whole, paged;
	} rows[] = {
		{ "sequences at once", "", whole->mean_running, paged->mean_running },
		{ "reserved but empty", "%", 100 * (1 - whole->used_ratio),
			100 * (1 - paged->used_ratio) },
		{ "output tokens/s", "", whole->tokens / whole->span_s,
			paged->tokens / paged->span_s },
		{ "prompt found in cache", "%", 100 * whole->hit_ratio, 100 * paged->hit_ratio },
		{ "preempted", "", (double)whole->preemptions, (double)paged->preemptions },
		{ "too long, refused", "", (double)whole->refused, (double)paged->refused },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		table_row(fig, t,
			(const char *[]){ rows[i].what,
				isfinite(rows[i].whole)
					? figure_quantity(fig, rows[i].whole, rows[i].unit)
					: "none fits",
				figure_quantity(fig, rows[i].paged, rows[i].unit) });
	}
}
