#include "ui/views/plot.h"

#include "sims/base/array.h"
#include "sims/quantity/quantity.h"
#include "ui/views/plot_chart.h"
#include "ui/views/plot_curves.h"
#include "ui/views/plot_dots.h"
#include "ui/views/plot_labels.h"
#include "ui/views/plot_marks.h"
#include "ui/views/quantity_show.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_ROWS = 6, LEAST_COLS = 20 };

/* A plot and where its parts go: the rows and columns of the plate that the picture leaves. */
struct plot_plan {
	struct chart c;
	struct plot_extent extent;
	struct plot_trace trace;
	struct ticks x_ticks, y_ticks;
	int title_row, y_title_row, x_title_row, legend_row; /* -1: none */
	int y_title_col, x_title_col;
	int heading_end;   /* columns that the last row of the heading takes; 0: there is none */
	bool beside_ticks; /* the name of the x axis stands in the row of its labels */
	bool direct;       /* names stand at the ends of the lines, not in the legend */
	bool last_first;   /* and are placed in that order */
	struct plot_legend legend;
	int gutter; /* columns kept free for names on the right */
};

static bool has_text(const char *text)
{
	return text && text[0];
}

/* "Step time (s)" */
static void axis_title(const struct axis *a, const struct ticks *t, char *text, size_t size)
{
	const char *title = a->title ? a->title : "";
	const char *unit = t->unit ? t->unit : a->unit ? a->unit : "";
	if (*title && *unit)
		snprintf(text, size, "%s (%s)", title, unit);
	else
		snprintf(text, size, "%s%s", title, unit);
	micro_sign(text, size);
}

enum {
	TITLE_GAP = 3, /* columns between the title, the name of the y axis, and the legend */
	LABEL_GAP = 2  /* columns between labels in a row */
};

/* Whether the y axis begins so far above zero that heights do not compare. */
static bool begins_above_zero(const struct chart *c)
{
	const double little = 0.05; /* of its top */
	return c->y.kind == AXIS_LINEAR && !c->empty && c->y.lo > little * c->y.hi;
}

/* Such an axis is broken, and says so behind its name where that still fits beside the title of the
 * plot: "reached (TFLOP/s, from 500)". */
static void add_beginning(const struct chart *c, const struct ticks *t, char *text, size_t size)
{
	char longer[256];
	size_t used = strlen(text);
	if (!begins_above_zero(c) || used == 0 || t->n == 0)
		return;
	bool open = text[used - 1] == ')';
	snprintf(longer, sizeof longer, "%.*s%s%s)", (int)(used - open), text,
		open ? ", from " : " (from ", t->label[0]);
	int title = has_text(c->p->title) ? text_cols(c->p->title, c->glyphs) + TITLE_GAP : 0;
	bool fits = title + text_cols(longer, c->glyphs) <= c->plate.cols;
	if (fits || title + text_cols(text, c->glyphs) > c->plate.cols)
		snprintf(text, size, "%s", longer);
}

/* The title of the y axis, which says what the tint behind noise is, in as many words as have room beside the title
 * of the plot. */
static void y_axis_title(const struct chart *c, const struct ticks *t, char *text, size_t size)
{
	static const char *const words[] = { "median over P5 to P95, dots beyond",
		"median over P5 to P95", "P5 to P95" };
	axis_title(&c->p->y, t, text, size);
	add_beginning(c, t, text, size);
	int named = text_cols(text, c->glyphs);
	int room = c->plate.cols - text_cols(c->p->title ? c->p->title : "", c->glyphs) - TITLE_GAP;
	size_t i = 0, used = strlen(text);
	while (i + 1 < LENGTH(words) && named + 2 + text_cols(words[i], c->glyphs) > room)
		i++;
	if (c->bands)
		snprintf(text + used, size - used, "%s%s", used ? ": " : "", words[i]);
}

/* -- Layout -------------------------------------------------------------------------------- */

/* The title of the plot and the name of the y axis stand above the picture: in one row where both
 * fit, else in two. Where rows are few, the axis is named and not the plot. Returns the rows. */
static int place_heading(struct plot_plan *l, const char *y_title, int spare)
{
	const struct chart *c = &l->c;
	const char *title = has_text(c->p->title) ? c->p->title : "";
	int width = text_cols(title, c->glyphs), named = text_cols(y_title, c->glyphs);
	bool together = *title && *y_title && width + TITLE_GAP + named <= c->plate.cols;
	bool titled = *title && c->plate.rows >= (together ? 8 : 9) && spare > 0;
	bool axis = *y_title && (together || spare > titled);
	if (titled && axis && !together && c->plate.rows < 12)
		titled = false;
	together = together && titled;
	int rows = together ? 1 : titled + axis;
	l->heading_end = !rows ? 0 : together ? width + TITLE_GAP + named : axis ? named : width;
	l->title_row = titled ? 0 : -1;
	l->y_title_row = !axis ? -1 : titled && !together ? 1 : 0;
	l->y_title_col = together ? width + TITLE_GAP : 0;
	return rows;
}

/* Shares the rows. The picture has at least two, beside the axis and its labels; the legend, the
 * titles of the axes and the title of the plot follow while there is room. */
static void share_rows(struct plot_plan *l)
{
	struct chart *c = &l->c;
	int rows = c->plate.rows, spare = rows - 4;
	char x_title[256], y_title[256];
	axis_title(&c->p->x, &l->x_ticks, x_title, sizeof x_title);
	y_axis_title(c, &l->y_ticks, y_title, sizeof y_title);
	l->legend = (struct plot_legend){ 0 };
	if (plot_has_names(c->p))
		l->legend = plot_legend_of(c, l->direct, rows < 9 ? 1 : rows < 14 ? 2 : 3);
	int width = l->beside_ticks ? 0 : text_cols(x_title, c->glyphs);
	bool shares = width > 0 && l->legend.rows > 0 &&
		      l->legend.end + TITLE_GAP + 1 + width <= c->plate.cols;
	bool own_row = width > 0 && !shares && rows >= 8;
	int top = place_heading(l, y_title, spare - l->legend.rows - own_row);
	/* A legend of one row that shares none below stands at the right end of the heading, where
	 * it fits. */
	bool above = !shares && l->legend.rows == 1 && l->heading_end > 0 &&
		     l->heading_end + TITLE_GAP + l->legend.end <= c->plate.cols;
	if (above)
		l->legend.col = c->plate.cols - l->legend.end;
	else
		spare -= l->legend.rows;
	spare -= own_row + top;
	c->row = top;
	c->rows = 2 + spare;
	l->legend_row = top + c->rows + 2;
	l->x_title_row = -1;
	if (width > 0 && (shares || own_row))
		l->x_title_row = shares ? l->legend_row + l->legend.rows - 1 : l->legend_row;
	l->x_title_col = c->plate.cols - width;
	if (own_row)
		l->legend_row++;
	if (above)
		l->legend_row = top - 1;
}

static int widest_label(const struct chart *c, const struct ticks *t)
{
	int widest = 0;
	for (size_t i = 0; i < t->n; i++) {
		int w = text_cols(t->label[i], c->glyphs);
		widest = w > widest ? w : widest;
	}
	return widest;
}

/* Where an x label starts: centred under its tick, but inside the plate. */
static int label_start(const struct plot_plan *l, size_t i)
{
	const struct chart *c = &l->c;
	int w = text_cols(l->x_ticks.label[i], c->glyphs);
	int start = c->col + (int)floor(chart_x(c, l->x_ticks.at[i]) + 0.5) - w / 2;
	start = start + w > c->plate.cols ? c->plate.cols - w : start;
	return start < 0 ? 0 : start;
}

static bool labels_fit(const struct plot_plan *l)
{
	int end = -2;
	for (size_t i = 0; i < l->x_ticks.n; i++) {
		int start = label_start(l, i);
		if (start < end + LABEL_GAP)
			return false;
		end = start + text_cols(l->x_ticks.label[i], l->c.glyphs);
	}
	return true;
}

/* Fits the x axis to so many columns, with as many ticks as have room for their labels. */
static void fit_x(struct plot_plan *l, int cols)
{
	struct chart *c = &l->c;
	int most = cols / (c->p->x.scale == AXIS_LINEAR ? 6 : 5);
	most = most < 2 ? 2 : most > 10 ? 10 : most;
	do {
		c->cols = cols;
		c->x = plot_fit_even_x(c->p, &l->extent, &c->cols, most, &l->x_ticks);
		most = l->x_ticks.n < (size_t)most ? (int)l->x_ticks.n - 1 : most - 1;
	} while (!labels_fit(l) && most >= 2);
	if (!labels_fit(l) && l->x_ticks.n > 0)
		l->x_ticks.n = 1;
}

/* Whether the name of the x axis fits behind so many of its labels; then it stands there. */
static bool name_fits(struct plot_plan *l, size_t labels, int width)
{
	const struct chart *c = &l->c;
	int end = c->col;
	if (labels > 0)
		end = label_start(l, labels - 1) +
		      text_cols(l->x_ticks.label[labels - 1], c->glyphs) + LABEL_GAP;
	int start = c->col + c->cols + 1 - width;
	l->x_title_col = start > end ? start : end;
	return l->x_title_col + width <= c->plate.cols;
}

/* A few columns more for the names of lines make room for that of the x axis below them, and so a row. */
static void widen_gutter(struct plot_plan *l)
{
	enum { FEW = 4 };
	char name[256];
	axis_title(&l->c.p->x, &l->x_ticks, name, sizeof name);
	const int width = text_cols(name, l->c.glyphs);
	if (!l->gutter || !l->beside_ticks || width == 0 || name_fits(l, l->x_ticks.n, width))
		return;
	const int lacks = l->x_title_col + width - l->c.plate.cols;
	if (lacks > FEW)
		return;
	l->gutter += lacks;
	fit_x(l, l->c.plate.cols - l->c.col - 1 - l->gutter);
}

static void share_cols(struct plot_plan *l)
{
	struct chart *c = &l->c;
	int margin = c->empty ? 0 : widest_label(c, &l->y_ticks);
	if (margin > c->plate.cols / 2) {
		l->y_ticks.n = 0;
		margin = 0;
	}
	c->col = margin > 0 ? margin + 1 : 0;
	fit_x(l, c->plate.cols - c->col - 1);
	l->gutter = l->direct ? plot_gutter(c, c->plate.cols) : 0;
	if (l->gutter)
		fit_x(l, c->plate.cols - c->col - 1 - l->gutter);
	widen_gutter(l);
}

/* Whether the name of the x axis fits between two of its labels, as far right as it can: in the
 * middle, with as many blanks on either side. */
static bool name_fits_between(struct plot_plan *l, int width)
{
	const struct chart *c = &l->c;
	const struct ticks *t = &l->x_ticks;
	for (size_t i = t->n; i-- > 1;) {
		int end = label_start(l, i - 1) + text_cols(t->label[i - 1], c->glyphs);
		int room = label_start(l, i) - end;
		if (width + 2 * LABEL_GAP > room)
			continue;
		l->x_title_col = end + (room - width + 1) / 2;
		return true;
	}
	return false;
}

/* Puts the name of the x axis into the row of its labels, behind them; where rows are few also
 * between them, and where they are fewer the last ones give way: one of four, or two of six. */
static bool name_beside_labels(struct plot_plan *l)
{
	static const size_t needed[] = { 0, 4, 6 }; /* labels, for so many to give way */
	enum { ROWS_TO_SPARE = 11, ROWS_FOR_NAMES = 12 };
	char name[256];
	struct ticks *t = &l->x_ticks;
	axis_title(&l->c.p->x, t, name, sizeof name);
	int width = text_cols(name, l->c.glyphs);
	l->x_title_row = l->c.row + l->c.rows + 1;
	if (width > 0 && name_fits(l, t->n, width))
		return true;
	if (l->c.plate.rows < ROWS_FOR_NAMES && width > 0 && name_fits_between(l, width))
		return true;
	if (l->c.plate.rows >= ROWS_TO_SPARE)
		return false;
	for (size_t gone = 1; width > 0 && gone < LENGTH(needed) && t->n >= needed[gone]; gone++)
		if (name_fits(l, t->n - gone, width)) {
			for (size_t i = t->n - gone; i < t->n; i++)
				t->label[i][0] = '\0';
			return true;
		}
	return false;
}

static void sign_micro(struct ticks *t)
{
	for (size_t i = 0; i < t->n; i++)
		micro_sign(t->label[i], sizeof t->label[i]);
}

static void lay_out_once(struct plot_plan *l)
{
	share_rows(l);
	l->c.y = plot_fit_y(l->c.p, &l->extent, l->c.rows, &l->y_ticks);
	sign_micro(&l->y_ticks);
	share_cols(l);
	sign_micro(&l->x_ticks);
	if (l->c.empty)
		l->x_ticks.n = l->y_ticks.n = 0;
}

/* A row for the name of the x axis alone is a row less for the picture. */
static void lay_out(struct plot_plan *l)
{
	l->beside_ticks = true;
	lay_out_once(l);
	if (l->x_ticks.unit || l->y_ticks.unit ||
		begins_above_zero(&l->c)) /* the names of the axes have another width */
		lay_out_once(l);
	l->beside_ticks = name_beside_labels(l);
	if (!l->beside_ticks)
		lay_out_once(l);
}

/* -- The frame ----------------------------------------------------------------------------- */

static void frame_put(const struct chart *c, int row, int col, uint32_t code)
{
	plate_put(&c->plate, c->row + row, c->col + col, code, STYLE_DIM, 0, INK_FRAME);
}

static void draw_y_axis(const struct plot_plan *l)
{
	const struct chart *c = &l->c;
	int last = -1;
	for (int row = 0; row < c->rows; row++)
		frame_put(c, row, 0, chart_glyph(c, 0x2502, '|'));
	frame_put(c, c->rows, 0, chart_glyph(c, 0x2514, '+'));
	for (size_t i = l->y_ticks.n; i-- > 0;) {
		int row = (int)floor(chart_y(c, l->y_ticks.at[i]) + 0.5);
		const char *label = l->y_ticks.label[i];
		int w = text_cols(label, c->glyphs);
		if (row <= last || row > c->rows)
			continue;
		last = row;
		frame_put(c, row, 0, chart_glyph(c, row == c->rows ? 0x2534 : 0x2524, '+'));
		plate_text(
			&c->plate, c->glyphs, c->row + row, c->col - 1 - w, w, label, STYLE_DIM, 0);
	}
}

static void draw_x_axis(const struct plot_plan *l)
{
	const struct chart *c = &l->c;
	for (int col = 1; col <= c->cols; col++)
		frame_put(c, c->rows, col, chart_glyph(c, 0x2500, '-'));
	for (size_t i = 0; i < l->x_ticks.n; i++) {
		int col = (int)floor(chart_x(c, l->x_ticks.at[i]) + 0.5);
		const char *label = l->x_ticks.label[i];
		bool corner_tick = chart_at(c, c->rows, 0)->code == 0x2534;
		uint32_t code = col > 0 ? 0x252c : corner_tick ? 0x253c : 0x251c;
		frame_put(c, c->rows, col, chart_glyph(c, code, '+'));
		plate_text(&c->plate, c->glyphs, c->row + c->rows + 1, label_start(l, i),
			text_cols(label, c->glyphs), label, STYLE_DIM, 0);
	}
}

/* An axis that does not begin at zero is broken at its foot: all above that is one scale. */
static void draw_break(const struct chart *c)
{
	if (begins_above_zero(c))
		frame_put(c, c->rows, 0, chart_glyph(c, 0x2248, '~'));
}

/* The axis as the slider of a knob: heavy up to the bead, which stands where the knob does, so that
 * bead and cursor are one. */
static void draw_slider(const struct plot_plan *l)
{
	const struct chart *c = &l->c;
	double x = c->p->x.knob ? chart_x(c, c->p->x.knob_at) : NAN;
	if (isnan(x))
		return;
	int bead = (int)fmin(fmax(floor(x + 0.5), 0), c->cols);
	for (int col = begins_above_zero(c) && bead > 0; col <= bead; col++) {
		const struct spot *under = chart_at(c, c->rows, col);
		uint32_t code = under && under->code == 0x252c ? 0x252f : 0x2501;
		if (col == bead)
			code = chart_glyph(c, 0x25c9, 'O');
		else
			code = chart_glyph(c, code, '=');
		plate_put(&c->plate, c->row + c->rows, c->col + col, code, STYLE_ACCENT,
			col == bead ? ATTR_BOLD : 0, INK_FRAME);
	}
}

/* Joins the bead of the slider to the mark of the present setting, which stands over it. */
static void draw_stem(const struct chart *c)
{
	double x = c->p->x.knob ? chart_x(c, c->p->x.knob_at) : NAN;
	int col = isnan(x) ? 0 : (int)floor(x + 0.5), top = 0;
	while (top < c->rows && (!chart_at(c, top, col) || chart_at(c, top, col)->ink != INK_MARK ||
					chart_at(c, top, col)->style != STYLE_ACCENT))
		top++;
	for (int row = top + 1; row < c->rows; row++)
		if (chart_at(c, row, col) && chart_at(c, row, col)->ink < INK_LINE)
			chart_put(c, row, col, chart_glyph(c, 0x2502, '|'), STYLE_ACCENT, 0,
				INK_RULE);
}

static void draw_titles(const struct plot_plan *l)
{
	const struct chart *c = &l->c;
	const struct plate *pl = &c->plate;
	char text[256];
	if (l->title_row >= 0)
		plate_text(pl, c->glyphs, l->title_row, 0, pl->cols, c->p->title, STYLE_PLAIN,
			ATTR_BOLD);
	y_axis_title(c, &l->y_ticks, text, sizeof text);
	if (l->y_title_row >= 0)
		plate_text(pl, c->glyphs, l->y_title_row, l->y_title_col, pl->cols, text, STYLE_DIM,
			0);
	axis_title(&c->p->x, &l->x_ticks, text, sizeof text);
	if (l->x_title_row >= 0)
		plate_text(pl, c->glyphs, l->x_title_row, l->x_title_col > 0 ? l->x_title_col : 0,
			pl->cols, text, STYLE_DIM, 0);
}

/* -- Drawing ------------------------------------------------------------------------------- */

/* What comes later lies on top: what the picture is about now, else the first series. Lines of dots
 * take the cells of those before them, so that what others are compared with comes first; otherwise
 * dashed lines come last, because they give way. A tinted area has a line as its edge. */
static void draw_lines(const struct chart *c, const struct plot_trace *t)
{
	enum { DASHED, SOLID, FOCUS, N_KINDS };
	static const int orders[2][N_KINDS] = { { SOLID, FOCUS, DASHED },
		{ DASHED, SOLID, FOCUS } };
	bool dots = glyphs_have_dots(c->glyphs);
	size_t n = c->p->n_series;
	for (int k = 0; k < N_KINDS; k++)
		for (size_t j = 0; j < n; j++) {
			int kind = orders[dots][k];
			size_t i = kind == DASHED && !dots ? j : n - 1 - j;
			const struct series *s = &c->p->series[i];
			bool edge = is_area(s) && c->fills == FILLS_TINTED;
			bool dashed = s->style == SERIES_DASHED;
			bool focus = s->meaning == MEANS_FOCUS && (dots || !dashed);
			bool behind = dashed || (dots && line_is_context(s));
			if ((is_line(s) || edge) && kind == (focus           ? FOCUS
								    : behind ? DASHED
									     : SOLID))
				draw_line(c, t, i);
		}
}

static void draw_data(const struct chart *c, const struct plot_trace *t)
{
	for (size_t i = 0; i < c->p->n_series; i++)
		c->tails[i] = (struct plot_tail){ .listed = c->tails[i].listed };
	draw_areas(c, t);
	draw_bands(c);
	draw_rules(c);
	for (size_t i = 0; c->ghost && i < c->ghost->n_series && i < c->p->n_series; i++)
		draw_ghost(c, t, &c->ghost->series[i]);
	draw_lines(c, t);
	for (size_t i = 0; i < c->p->n_series; i++)
		if (chart_marks_line(c, &c->p->series[i]) && line_leader(c, i) == i)
			mark_line(c, i);
	draw_beyond(c);
	draw_trails(c, t);
	/* The model's own marks lie on top of measured ones, because they are named. */
	for (int own = 0; own < 2; own++)
		for (size_t i = 0; i < c->p->n_series; i++)
			if (is_scatter(&c->p->series[i]) && c->p->series[i].measured != own)
				draw_points(c, i);
}

static void draw_picture(struct plot_plan *l)
{
	const struct chart *c = &l->c;
	plate_clear(&c->plate);
	lay_out(l);
	draw_y_axis(l);
	draw_x_axis(l);
	draw_break(c);
	draw_slider(l);
	draw_data(c, &l->trace);
	draw_stem(c);
}

/* Draws one picture and its words. False: a name found no place at its line. */
static bool draw_once(struct plot_plan *l)
{
	const struct chart *c = &l->c;
	draw_picture(l);
	if (l->direct && plot_list_narrow(c))
		draw_picture(l);
	label_points(c, POINTS_OWN);
	if (l->direct && !label_series(c, l->gutter > 0, l->last_first))
		return false;
	if (c->empty)
		label_empty(c);
	label_points(c, POINTS_FOCUS);
	label_rules(c);
	label_points(c, POINTS_OTHER);
	draw_titles(l);
	draw_legend(c, &l->legend, l->legend_row);
	return true;
}

/* The moment in the x axis's own unit. */
static double in_axis_unit(const struct axis *a, double time_s)
{
	struct unit unit;
	if (!has_text(a->unit) || !unit_parse(a->unit, &unit) || unit.dim[DIM_TIME] != 1)
		return time_s;
	return time_s / unit.factor;
}

static void draw_chart(struct plot_plan *l, double playhead_s)
{
	const struct chart *c = &l->c;
	l->direct = plot_has_names(c->p);
	/* A name may take the only place of a later one: then the later ones choose first. */
	bool drawn = draw_once(l);
	if (!drawn) {
		l->last_first = true;
		drawn = draw_once(l);
	}
	if (!drawn) {
		l->direct = false;
		draw_once(l);
	}
	if (c->empty) {
		static const char text[] = "no data";
		int col = c->col + (c->cols - (int)sizeof text) / 2 + 1;
		plate_text(&c->plate, c->glyphs, c->row + c->rows / 2, col, c->cols, text,
			STYLE_DIM, 0);
	}
	if (c->p->x.is_time && !isnan(playhead_s) && !c->empty) {
		double at = in_axis_unit(&c->p->x, playhead_s);
		draw_playhead(c, at);
		label_values(c, at);
	}
}

/* There is no room for axes: the first series is drawn as an area over everything, or all areas where
 * it is one itself. */
static void draw_sparkline(struct plot_plan *l)
{
	struct chart *c = &l->c;
	c->row = 0;
	c->col = -1; /* the axes are outside */
	c->rows = c->plate.rows;
	c->cols = c->plate.cols;
	c->fills = FILLS_TEXTURED;
	if (c->empty)
		return;
	c->x = plot_fit_x(c->p, &l->extent, c->cols);
	c->y = plot_fit_sparkline(c->p, &l->extent, c->rows);
	if (is_area(&c->p->series[0]))
		draw_areas(c, &l->trace);
	else
		draw_area(c, &l->trace, 0);
}

/* Where the slider was drawn, for the mouse. */
static void note_slider(struct canvas *cv, struct rect r, const struct chart *c)
{
	const struct plot_scale *x = &c->x;
	if (!c->p->x.knob || c->empty || isnan(chart_x(c, c->p->x.knob_at)))
		return;
	/* The scale's own ends need not stand at the ends of the axis. */
	const double lo = chart_x(c, x->lo), hi = chart_x(c, x->hi);
	cv->slider = (struct slider){ .knob = c->p->x.knob,
		.row = r.row + c->row + c->rows,
		.col = r.col + c->col,
		.cols = c->cols + 1,
		.logarithmic = x->kind != AXIS_LINEAR,
		.lo = plot_scale_between(x, x->lo, x->hi, -lo / (hi - lo)),
		.hi = plot_scale_between(x, x->lo, x->hi, (c->cols - lo) / (hi - lo)) };
}

static void draw_planned(struct canvas *cv, struct rect r, struct plot_plan *l, double playhead_s)
{
	const struct plot *p = l->c.p;
	bool axes = r.rows >= LEAST_ROWS && r.cols >= LEAST_COLS;
	l->c.tails = calloc(p->n_series + 1, sizeof *l->c.tails);
	if (plot_trace_init(&l->trace, r.rows, r.cols) == 0 &&
		plate_init(&l->c.plate, r.rows, r.cols) == 0 && l->c.tails) {
		if (axes)
			draw_chart(l, playhead_s);
		else if (p->n_series > 0)
			draw_sparkline(l);
		if (axes)
			note_slider(cv, r, &l->c);
		plate_show(&l->c.plate, cv, r.row, r.col);
	} else {
		canvas_starve(cv, r);
	}
	plate_release(&l->c.plate);
	plot_trace_release(&l->trace);
	free(l->c.tails);
}

void plot_draw(struct canvas *cv, struct rect r, const struct plot *p, const struct plot *ghost,
	double playhead_s)
{
	assert(cv && p);
	if (r.rows <= 0 || r.cols <= 0)
		return;
	/* A band needs a tint; in a sparkline the strokes are all there is. */
	bool calm = cv->fills == FILLS_TINTED && r.rows >= LEAST_ROWS && r.cols >= LEAST_COLS;
	struct plot_calm now = calm ? plot_calm_of(p, r.cols) : (struct plot_calm){ .plot = *p };
	struct plot_calm was = { 0 };
	if (ghost)
		was = calm ? plot_calm_of(ghost, r.cols) : (struct plot_calm){ .plot = *ghost };
	struct plot_plan l = { .c = { .p = &now.plot,
				       .ghost = ghost ? &was.plot : NULL,
				       .bands = now.bands,
				       .starved = &cv->starved,
				       .glyphs = cv->glyphs,
				       .fills = cv->fills },
		.extent = plot_extent_of(p, ghost) };
	l.c.empty = l.extent.empty;
	for (size_t i = 0; i < now.plot.n_series; i++)
		l.c.squares |=
			calm && glyphs_have_dots(cv->glyphs) && !is_scatter(&now.plot.series[i]);
	draw_planned(cv, r, &l, playhead_s);
	plot_calm_release(&now);
	plot_calm_release(&was);
}

int plot_rows(const struct plot *p, int cols)
{
	int rows = 6 + cols / 6;
	rows = rows < 12 ? 12 : rows > 24 ? 24 : rows;
	return rows + has_text(p->title);
}
