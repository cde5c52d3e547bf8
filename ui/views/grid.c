/* Cells of kinds, at the moment under the playhead. What does not fit is gathered: a mark then
 * stands for a rectangle of cells and shows the kind that most of them have. */
#include "ui/figure_view.h"
#include "sims/quantity.h"
#include "ui/views/parts.h"

#include <math.h>
#include <string.h>

enum { N_KINDS = 256, MAX_LEGEND = 3 };

struct layout {
	int title, legend, names;	/* rows, rows, columns */
	int rows, cols;			/* marks shown */
	int per_row, per_col;		/* cells that a mark stands for */
	int width;			/* columns of a mark: 1 or 2 */
};

static int divide_up(int a, int b)
{
	return b > 0 ? (a + b - 1) / b : a;
}

static int names_width(const struct grid *g, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; g->row_names && i < g->rows; i++) {
		int w = text_cols(g->row_names[i], glyphs) + 1;
		widest = w > widest ? w : widest;
	}
	return widest > cols / 3 ? cols / 3 : widest;
}

static struct legend legend_of(const struct grid *g)
{
	return (struct legend){ .names = g->kind_names, .n = g->n_kinds, .cells = true };
}

static struct layout layout(const struct grid *g, int rows, int cols, enum glyphs glyphs)
{
	struct legend legend = legend_of(g);
	struct layout l = {
		.title = (g->title && *g->title) || g->n_frames > 1,
		.legend = legend_rows(&legend, cols, glyphs),
		.names = names_width(g, cols, glyphs),
	};
	l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
	/* The cells matter most, then what they mean, then what it is called. */
	if (rows - l.legend - l.title < 1)
		l.title = 0;
	if (rows - l.legend < 1)
		l.legend = 0;
	int all_rows = (int)g->rows, all_cols = (int)g->cols;
	int room_rows = rows - l.title - l.legend, room_cols = cols - l.names;
	l.width = room_cols >= 2 * all_cols ? 2 : 1;
	l.per_row = all_rows > room_rows ? divide_up(all_rows, room_rows) : 1;
	l.per_col = all_cols > room_cols ? divide_up(all_cols, room_cols) : 1;
	l.rows = divide_up(all_rows, l.per_row);
	l.cols = divide_up(all_cols, l.per_col);
	return l;
}

static size_t frame_at(const struct grid *g, double playhead_s)
{
	size_t frame = g->n_frames - 1;
	while (frame > 0 && g->frame_times[frame] > playhead_s)
		frame--;
	return frame;
}

/* The kind that most cells of a mark have; of equals the one that is not empty. */
static unsigned majority(const struct grid *g, size_t frame, const struct layout *l, int row,
	int col)
{
	unsigned count[N_KINDS] = { 0 }, best = 0;
	size_t row0 = (size_t)(row * l->per_row), col0 = (size_t)(col * l->per_col);
	if (l->per_row == 1 && l->per_col == 1)
		return g->cells[(frame * g->rows + row0) * g->cols + col0];
	for (size_t i = row0; i < row0 + (size_t)l->per_row && i < g->rows; i++)
		for (size_t j = col0; j < col0 + (size_t)l->per_col && j < g->cols; j++)
			count[g->cells[(frame * g->rows + i) * g->cols + j]]++;
	for (unsigned kind = 1; kind < N_KINDS; kind++)
		if (count[kind] > count[best] || (best == 0 && count[kind] == count[0] && count[kind]))
			best = kind;
	return best;
}

/* Which moment is shown, and how many cells a mark stands for, at the right end of the title. */
static void title_line(const struct pane *p, const struct grid *g, const struct layout *l,
	size_t frame)
{
	char time[48], text[128] = "";
	bool gathered = l->per_row > 1 || l->per_col > 1;
	if (gathered)
		snprintf(text, sizeof text, "a mark: %d x %d cells", l->per_row, l->per_col);
	if (g->n_frames > 1) {
		size_t n = strlen(text);
		quantity_format(time, sizeof time, g->frame_times[frame], "s");
		snprintf(text + n, sizeof text - n, "%sat %s", n ? "  " : "", time);
	}
	int width = text_cols(text, p->cv->glyphs);
	int room = p->r.cols - (width ? width + 2 : 0);
	pane_fit(p, 0, 0, room > 0 ? room : 0, g->title ? g->title : "", STYLE_PLAIN, ATTR_BOLD);
	pane_fit_right(p, 0, 0, p->r.cols, text, STYLE_DIM, 0);
}

void grid_draw(struct canvas *cv, struct rect r, const struct grid *g, double playhead_s)
{
	struct pane p = pane_of(cv, r);
	struct legend legend = legend_of(g);
	if (!g->cells || !g->frame_times || !g->n_frames || !g->rows || !g->cols || !p.r.rows)
		return;
	struct layout l = layout(g, p.r.rows, p.r.cols, cv->glyphs);
	size_t frame = isnan(playhead_s) ? g->n_frames - 1 : frame_at(g, playhead_s);
	if (l.title)
		title_line(&p, g, &l, frame);
	if (l.legend)
		legend_draw(&p, l.title, l.legend, &legend);
	for (int row = 0; row < l.rows; row++) {
		int y = l.title + l.legend + row;
		if (g->row_names && l.names > 1)
			pane_fit(&p, y, 0, l.names - 1, g->row_names[row * l.per_row], STYLE_PLAIN, 0);
		for (int col = 0; col < l.cols; col++) {
			struct fill fill = cell_fill(cv->glyphs, majority(g, frame, &l, row, col));
			pane_put(&p, y, l.names + col * l.width, fill.code, fill.style, 0);
		}
	}
}

int grid_rows(const struct grid *g, int cols)
{
	struct layout l = layout(g, (int)g->rows + 1 + MAX_LEGEND, cols, GLYPHS_LINES);
	return l.title + l.legend + l.rows;
}
