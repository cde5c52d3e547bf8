#include "ui/views/grid.h"

#include "sims/base/minmax.h"
#include "ui/views/parts.h"
#include "ui/views/quantity_show.h"

#include <math.h>

enum { N_KINDS = 256, MAX_LEGEND = 3, PLENTY = 1 << 20 };

struct layout {
	int heading, legend, names; /* rows, rows, columns */
	int rows, cols;             /* marks shown */
	int per_row, per_col;       /* cells that a mark stands for */
	int width, height;          /* columns and rows of a mark */
	int zoom;                   /* of an image: columns and half rows of a pixel; 0: none */
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

enum { WIDEST = 4, HIGHEST = 2, HIGHEST_ZOOM = 3, UPPER_HALF = 0x2580 }; /* of a mark */

/* Kinds that no cell has at any time are not named. */
static struct legend legend_of(const struct grid *g, bool absent[N_KINDS])
{
	for (size_t i = 0; i < N_KINDS; i++)
		absent[i] = !g->used[i];
	return (struct legend){
		.names = g->kind_names, .n = g->n_kinds, .means = g->means, .absent = absent
	};
}

/* A small image in shades of grey has square pixels: half a row high. */
static bool is_image(const struct grid *g)
{
	return g->means && g->n_kinds > 0 && g->means[0] == MEANS_GREY && !g->row_names;
}

/* The largest zoom that there is room for; the rows are text rows then. */
static bool place_image(struct layout *l, const struct grid *g, int rows, int cols, bool fill)
{
	int all_rows = (int)g->rows, all_cols = (int)g->cols;
	int room_rows = max_int(0, rows - l->legend - l->heading);
	int most = fill ? 2 * room_rows / max_int(1, all_rows) : 1;
	l->zoom = min_int(cols / max_int(1, all_cols), min_int(most, HIGHEST_ZOOM));
	if (l->zoom < 1)
		return false;
	l->per_row = l->per_col = l->height = 1;
	l->width = l->zoom;
	l->rows = divide_up(all_rows * l->zoom, 2);
	l->cols = all_cols;
	return true;
}

/* Chooses the size of a mark, which may be higher than a row where there are rows to fill. */
static void place(struct layout *l, const struct grid *g, int rows, int cols, bool fill)
{
	int all_rows = (int)g->rows, all_cols = (int)g->cols, room_cols = cols - l->names;
	int room_rows = rows - l->heading - l->legend, most_rows = fill ? room_rows : all_rows;
	l->width = max_int(1, min_int(room_cols / max_int(1, all_cols), WIDEST));
	l->height = max_int(1, min_int(most_rows / max_int(1, all_rows), HIGHEST));
	if (l->height == 1)
		l->width = min_int(l->width, 2);
	l->per_row = all_rows > room_rows ? divide_up(all_rows, room_rows) : 1;
	l->per_col = all_cols > room_cols ? divide_up(all_cols, room_cols) : 1;
	l->rows = divide_up(all_rows, l->per_row);
	l->cols = divide_up(all_cols, l->per_col);
}

/* Says which moment is shown and how many cells a mark stands for. */
static void remark(
	char *buf, size_t size, const struct grid *g, const struct layout *l, size_t frame)
{
	char time[48] = "", marks[64] = "";
	if (l->per_row > 1 || l->per_col > 1)
		snprintf(marks, sizeof marks, "a mark: %d x %d cells", l->per_row, l->per_col);
	if (g->n_frames > 1)
		quantity_show(time, sizeof time, g->frame_times[frame], "s");
	snprintf(buf, size, "%s%s%s%s", marks, *marks && *time ? "  " : "", *time ? "at " : "",
		time);
}

/* The cells matter most, then the legend, then the heading. cv NULL: what it takes on any. */
static struct layout layout(const struct grid *g, const struct legend *legend, size_t frame,
	int rows, int cols, const struct canvas *cv)
{
	enum glyphs glyphs = cv ? cv->glyphs : GLYPHS_LINES;
	bool halves = cv && cv->fills != FILLS_TEXTURED && glyphs != GLYPHS_ASCII && is_image(g);
	bool fill = rows < PLENTY;
	struct layout l = {
		.names = names_width(g, cols, glyphs), .per_row = 1, .per_col = 1, .height = 1
	};
	/* The remark depends on the room, and the room on whether the remark needs a row: the
	 * second round settles both. */
	for (int i = 0; i < 2; i++) {
		char text[128];
		remark(text, sizeof text, g, &l, frame);
		l.heading = heading_rows(g->title, text, cols, glyphs);
		l.legend = legend_rows(legend, cols, glyphs);
		l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
		if (rows - l.legend - l.heading < 1)
			l.heading = 0;
		if (rows - l.legend < 1)
			l.legend = 0;
		l.zoom = 0;
		if (!halves || !place_image(&l, g, rows, cols, fill))
			place(&l, g, rows, cols, fill);
	}
	return l;
}

static size_t frame_at(const struct grid *g, double playhead_s)
{
	size_t frame = g->n_frames - 1;
	while (frame > 0 && g->frame_times[frame] > playhead_s)
		frame--;
	return frame;
}

/* The kind that most cells of a mark have. If the empty kind ties with another, the other wins, so
 * that nothing vanishes. */
static unsigned majority(
	const struct grid *g, size_t frame, const struct layout *l, int row, int col)
{
	unsigned count[N_KINDS] = { 0 }, best = 0;
	size_t row0 = (size_t)row * (size_t)l->per_row, col0 = (size_t)col * (size_t)l->per_col;
	if (l->per_row == 1 && l->per_col == 1)
		return g->cells[(frame * g->rows + row0) * g->cols + col0];
	for (size_t i = row0; i < row0 + (size_t)l->per_row && i < g->rows; i++)
		for (size_t j = col0; j < col0 + (size_t)l->per_col && j < g->cols; j++)
			count[g->cells[(frame * g->rows + i) * g->cols + j]]++;
	for (unsigned kind = 1; kind < N_KINDS; kind++)
		if (count[kind] > count[best] ||
			(best == 0 && count[kind] == count[0] && count[kind]))
			best = kind;
	return best;
}

/* A mark fills all its columns, so that neighbours of a kind join; an empty one is a dot. */
static void mark_draw(const struct pane *p, int row, int col, int width, const struct grid *g,
	unsigned kind, bool first)
{
	struct fill fill = fill_of(p->cv, g->means, g->n_kinds, kind);
	bool wide = fill_is_solid(fill) && p->cv->fills != FILLS_TEXTURED;
	for (int i = 0; i < (wide ? width : first); i++)
		fill_put(p, row, col + i, fill);
}

/* Two pixels stand in a cell: one in its upper half, over the ground that is the other. */
static void image_draw(
	const struct pane *p, int top, const struct grid *g, const struct layout *l, size_t frame)
{
	const unsigned char *cells = g->cells + frame * g->rows * g->cols;
	for (int row = 0; row < l->rows; row++)
		for (int col = 0; col < l->cols * l->zoom; col++) {
			size_t x = (size_t)(col / l->zoom), y = (size_t)(2 * row / l->zoom);
			size_t below = (size_t)min_int((2 * row + 1) / l->zoom, (int)g->rows - 1);
			struct fill upper =
				fill_of(p->cv, g->means, g->n_kinds, cells[y * g->cols + x]);
			struct fill lower =
				fill_of(p->cv, g->means, g->n_kinds, cells[below * g->cols + x]);
			pane_put(p, top + row, col, UPPER_HALF, upper.style, 0);
			if (top + row < p->r.rows && col < p->r.cols)
				canvas_under(
					p->cv, p->r.row + top + row, p->r.col + col, lower.style);
		}
}

static void cells_draw(
	const struct pane *p, int top, const struct grid *g, const struct layout *l, size_t frame)
{
	for (int row = 0; row < l->rows; row++) {
		if (g->row_names && l->names > 1)
			pane_fit(p, top + row * l->height, 0, l->names - 1,
				g->row_names[row * l->per_row], STYLE_PLAIN, 0);
		for (int col = 0; col < l->cols; col++) {
			unsigned kind = majority(g, frame, l, row, col);
			for (int k = 0; k < l->height; k++)
				mark_draw(p, top + row * l->height + k, l->names + col * l->width,
					l->width, g, kind, k == 0);
		}
	}
}

void grid_draw(struct canvas *cv, struct rect r, const struct grid *g, double playhead_s)
{
	struct pane p = pane_of(cv, r);
	char text[128];
	bool absent[N_KINDS];
	if (!g->cells || !g->frame_times || !g->n_frames || !g->rows || !g->cols || !p.r.rows)
		return;
	struct legend legend = legend_of(g, absent);
	double whole_s = g->still_s > 0 ? g->still_s : INFINITY;
	size_t frame = frame_at(g, isnan(playhead_s) ? whole_s : playhead_s);
	struct layout l = layout(g, &legend, frame, p.r.rows, p.r.cols, cv);
	remark(text, sizeof text, g, &l, frame);
	if (l.heading)
		heading_draw(&p, 0, g->title, text);
	if (l.legend)
		legend_draw(&p, l.heading, l.legend, &legend);
	(l.zoom ? image_draw : cells_draw)(&p, l.heading + l.legend, g, &l, frame);
}

static struct layout natural(const struct grid *g, int cols)
{
	bool absent[N_KINDS];
	struct legend legend = legend_of(g, absent);
	return layout(g, &legend, g->n_frames - 1, PLENTY, cols, NULL);
}

int grid_rows(const struct grid *g, int cols)
{
	if (!g->n_frames)
		return 0;
	struct layout l = natural(g, cols);
	return l.heading + l.legend + l.rows;
}

int grid_cols(const struct grid *g, int cols)
{
	if (!g->n_frames)
		return 0;
	struct layout l = natural(g, cols);
	return l.names + l.cols * l.width;
}
