#include "sims/registry/formula_picture.h"

#include "sims/base/array.h"
#include "sims/figure/figure.h"
#include "sims/formulas/formula.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { LANES = 32, SECTOR_BYTES = 32 };

static double param(const struct formula *f, const double v[], const char *name)
{
	int k = formula_param_index(f, name);
	assert(k >= 0);
	return v[k];
}

/* A cell for each value in the sectors that the warp touches, the sectors side by side and below each
 * other, as wide as the warp has lanes. */
static void draw_sectors(double stride, double value_bytes, struct figure *fig)
{
	static const char *const kinds[] = { "", "moved for nothing", "asked for by a lane" };
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_HELD, MEANS_KIND };
	const double values = SECTOR_BYTES / value_bytes, step_bytes = stride * value_bytes;
	if (stride != floor(stride) || values != floor(values))
		return;
	const size_t cells = (size_t)values, beside = LANES / cells;
	unsigned char asked[LANES][SECTOR_BYTES] = { { 0 } };
	size_t n = 0;
	double last = -1;
	for (int lane = 0; lane < LANES; lane++) {
		const double sector = floor(lane * step_bytes / SECTOR_BYTES);
		n += sector != last;
		last = sector;
		asked[n - 1][(size_t)(fmod(lane * step_bytes, SECTOR_BYTES) / value_bytes)] = 1;
	}
	struct grid *g = figure_grid(fig, "Sectors of 32 B that a warp touches", kinds,
		LENGTH(kinds), NULL, (n + beside - 1) / beside, beside * (cells + 1) - 1, NULL, 1);
	grid_mean(fig, g, means, LENGTH(means));
	figure_tab(fig, "Sectors");
	g->bare = true;
	for (size_t i = 0; i < n; i++)
		for (size_t col = 0; col < cells; col++)
			grid_set(g, 0, i / beside, i % beside * (cells + 1) + col,
				1u + asked[i][col]);
}

/* A column for each lane; down the rows the time that both ways take together. */
static void draw_ways(double lanes, double first, double second, struct figure *fig)
{
	enum { ROWS = 8 };
	static const char *const kinds[] = { "", "switched off", "first way", "second way" };
	static const enum meaning means[] = { MEANS_EMPTY, MEANS_WAITING, MEANS_KIND,
		MEANS_KIND + 1 };
	struct grid *g = figure_grid(fig, "The warp's lanes, an eighth of the time in each row",
		kinds, LENGTH(kinds), NULL, ROWS, LANES, NULL, 1);
	grid_mean(fig, g, means, LENGTH(means));
	figure_tab(fig, "The warp's lanes");
	for (size_t row = 0; row < ROWS; row++) {
		const bool on_first = ((double)row + 0.5) / ROWS * (first + second) < first;
		for (size_t lane = 0; lane < LANES; lane++)
			grid_set(g, 0, row, lane,
				((double)lane < lanes) != on_first ? 1
				: on_first                         ? 2
								   : 3);
	}
}

void formula_picture(const struct formula *f, const double v[], struct figure *fig)
{
	assert(f && v && fig);
	if (strncmp(f->id, "coalesced_", strlen("coalesced_")) == 0)
		draw_sectors(param(f, v, "stride"), param(f, v, "bytes_per_value"), fig);
	else if (strcmp(f->id, "divergence_share") == 0)
		draw_ways(param(f, v, "lanes"), param(f, v, "first"), param(f, v, "second"), fig);
}
