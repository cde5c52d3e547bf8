#include "ui/views/plot_labels.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"
#include "ui/views/plot_curves.h"
#include "ui/views/plot_marks.h"
#include "ui/views/quantity_show.h"
#include "ui/views/series_look.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LEGEND_GAP = 3,
	WORD_GAP = 3,    /* blanks between two labels in one row */
	MOST_NAMES = 64, /* more lines than anybody tells apart */
	SWATCH = 16,     /* bytes of the glyphs that stand for a series */
	/* Words over the edge of an area are as bad as over so many cells of a dashed line. */
	EDGE_COST = 3
};

/* -- Names and their swatches --------------------------------------------------------------- */

bool plot_has_names(const struct plot *p)
{
	size_t named = 0;
	for (size_t i = 0; i < p->n_series; i++)
		named += p->series[i].name && p->series[i].name[0];
	return p->n_series >= 2 && named > 0;
}

/* The role that all points of a series share, which gives its marks their shape; ROLE_PLAIN where
 * they differ. */
static enum role shared_role(const struct series *s)
{
	enum role role = is_scatter(s) && s->n > 0 ? s->points[0].role : ROLE_PLAIN;
	for (size_t i = 1; i < s->n; i++)
		if (s->points[i].role != role)
			return ROLE_PLAIN;
	return role;
}

/* What stands for a series beside its name: the same glyphs as in the picture. */
static void write_swatch(const struct chart *c, const struct series *s, char text[SWATCH])
{
	bool plain = c->glyphs == GLYPHS_ASCII, tinted = is_area(s) && c->fills == FILLS_TINTED;
	char mark[5];
	utf8_write(mark,
		is_area(s) ? area_fill(c->glyphs, c->p, s) : chart_marker(c, s, shared_role(s)));
	if (s->style == SERIES_DASHED)
		snprintf(text, SWATCH, "%s%s", plain ? "- " : "╌",
			chart_marks_line(c, s) ? mark
			: plain                ? "-"
					       : "╌");
	else if (tinted || (is_line(s) && !chart_marks_line(c, s)))
		snprintf(text, SWATCH, "%s", plain ? "--" : "──");
	else
		snprintf(text, SWATCH, "%s", mark);
}

static bool named_line(const struct series *s)
{
	return !is_scatter(s) && !s->unlisted && s->name && s->name[0];
}

/* Whether a line is to bear a name in the picture, for itself and for those that run where it does. */
static bool bears_name(const struct chart *c, size_t series)
{
	return named_line(&c->p->series[series]) && line_leader(c, series) == series &&
	       !c->tails[series].listed;
}

/* The name of a line, and of those that run where it does, with its mark where that is needed: inside the
 * picture a mark before a word would be read as a point, and the name has the colour of its line. */
static void write_name(const struct chart *c, size_t series, bool inside, char *text, size_t size)
{
	char swatch[SWATCH] = "";
	const struct series *s = &c->p->series[series];
	bool tinted = is_area(s) && c->fills == FILLS_TINTED;
	bool dashed = s->style == SERIES_DASHED;
	/* The line itself says whether it is dashed, and what it is where it has no marks. */
	if (inside && c->fills != FILLS_TEXTURED)
		*swatch = '\0';
	else if (dashed && chart_marks_line(c, s))
		utf8_write(swatch, point_marker(c->glyphs, s, ROLE_PLAIN));
	else if (!dashed && !tinted && (!is_line(s) || chart_marks_line(c, s)))
		write_swatch(c, s, swatch);
	snprintf(text, size, "%s%s%s", swatch, *swatch ? " " : "", s->name ? s->name : "");
	for (size_t i = 0; i < c->p->n_series; i++)
		if (i != series && named_line(&c->p->series[i]) && line_leader(c, i) == series) {
			size_t used = strlen(text);
			snprintf(text + used, size - used, ", %s", c->p->series[i].name);
		}
}

/* -- The gutter: names at the ends of lines ------------------------------------------------- */

static bool ends_at_right(const struct chart *c, const struct series *s, int *row)
{
	for (size_t i = s->n; i-- > 0;) {
		double x = plot_scale_cells(&c->x, s->points[i].x), y = chart_y(c, s->points[i].y);
		if (isnan(x) || isnan(y))
			continue;
		*row = chart_row(c, y);
		return x > 0.97 * c->cols - 1 && *row >= 0 && *row < c->rows;
	}
	return false;
}

/* Names in one gutter need rows of their own. Takes the rows where n lines end, from top to bottom
 * (several may be the same), and moves them apart so that no two are equal, in the same order and
 * inside the picture: first each down below the one before, then from the bottom up into the room
 * that there is. False: a name would be more than two rows away from its line. */
static bool spread_rows(const struct chart *c, int rows[], size_t n)
{
	int want[MOST_NAMES];
	assert(n <= MOST_NAMES);
	for (size_t i = 1; i < n; i++)
		assert(rows[i - 1] <= rows[i]);
	memcpy(want, rows, n * sizeof *want);
	for (size_t i = 1; i < n; i++)
		if (rows[i] <= rows[i - 1])
			rows[i] = rows[i - 1] + 1;
	for (size_t i = n; i-- > 0;) {
		int limit = i + 1 < n ? rows[i + 1] - 1 : c->rows - 1;
		if (rows[i] > limit)
			rows[i] = limit;
	}
	for (size_t i = 0; i < n; i++)
		if (rows[i] < 0 || rows[i] > want[i] + 2 || rows[i] < want[i] - 2)
			return false;
	return true;
}

int plot_gutter(const struct chart *c, int cols)
{
	int widest = 0, rows[MOST_NAMES];
	size_t n = 0;
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		char text[256];
		int row;
		if (c->tails[i].listed)
			return 0; /* a gutter would make the areas narrower still */
		if (!bears_name(c, i))
			continue;
		if (n == MOST_NAMES || !ends_at_right(c, s, &row))
			return 0;
		size_t k = n++;
		for (; k > 0 && rows[k - 1] > row; k--)
			rows[k] = rows[k - 1];
		rows[k] = row;
		write_name(c, i, false, text, sizeof text);
		int width = text_cols(text, c->glyphs);
		widest = width > widest ? width : widest;
	}
	if (n == 0 || widest > cols * 3 / 10 || !spread_rows(c, rows, n))
		return 0;
	return widest + 1;
}

/* -- The legend ----------------------------------------------------------------------------- */

/* One point with its name beside it. */
static bool names_itself(const struct series *s)
{
	return is_scatter(s) && s->n == 1 && s->points[0].name &&
	       strcmp(s->points[0].name, s->name) == 0;
}

static bool in_legend(const struct chart *c, const struct plot_legend *l, size_t series)
{
	const struct series *s = &c->p->series[series];
	if (!s->name || !s->name[0] || names_itself(s))
		return false;
	/* The one point in focus has a name of its own beside it. */
	if (s->meaning == MEANS_FOCUS && is_scatter(s) && s->n == 1 && s->points[0].name &&
		s->points[0].name[0])
		return false;
	return !s->unlisted && (!l->direct || is_scatter(s) || c->tails[series].listed);
}

/* Flows the entries over lines of the plate's width, each name cut to `longest` columns. Draws
 * them from row `row` on unless that is negative. Returns the lines used, and in *end the columns
 * that the last one takes. */
static int flow(const struct chart *c, const struct plot_legend *l, int row, int longest, int *end)
{
	int lines = 0, col = 0;
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		char swatch[SWATCH];
		if (!in_legend(c, l, i))
			continue;
		write_swatch(c, s, swatch);
		int mark = text_cols(swatch, c->glyphs);
		int name = text_cols(s->name, c->glyphs);
		name = name > longest ? longest : name;
		if (lines == 0 || col + LEGEND_GAP + mark + 1 + name > c->plate.cols) {
			lines++;
			col = 0;
		} else {
			col += LEGEND_GAP;
		}
		if (row >= 0) {
			int at = l->col + col;
			plate_text(&c->plate, c->glyphs, row + lines - 1, at, mark, swatch,
				point_style(s, shared_role(s)), 0);
			for (int k = 0; k < mark && is_area(s) && c->fills == FILLS_TINTED; k++)
				plate_under(&c->plate, row + lines - 1, at + k,
					meaning_tint(s->meaning));
			plate_text(&c->plate, c->glyphs, row + lines - 1, at + mark + 1, name,
				s->name, STYLE_PLAIN, 0);
		}
		col += mark + 1 + name;
	}
	*end = col;
	return lines;
}

/* How long names may be for the legend to keep to `most` lines. */
static int longest_name(const struct chart *c, const struct plot_legend *l, int most)
{
	int longest = c->plate.cols - 4, end;
	while (longest > 1 && flow(c, l, -1, longest, &end) > most)
		longest--;
	return longest;
}

struct plot_legend plot_legend_of(const struct chart *c, bool direct, int most)
{
	struct plot_legend l = { .direct = direct };
	l.rows = flow(c, &l, -1, longest_name(c, &l, most), &l.end);
	l.rows = l.rows > most ? most : l.rows;
	return l;
}

void draw_legend(const struct chart *c, const struct plot_legend *l, int row)
{
	int end;
	if (l->rows > 0)
		flow(c, l, row, longest_name(c, l, l->rows), &end);
}

/* -- Finding a place ------------------------------------------------------------------------ */

struct label {
	const char *text;
	int width;
	enum style style;
	unsigned attr;
	enum ink over;      /* the strongest ink that it may cover */
	bool off_rules;     /* not in a row that a rule runs through */
	bool off_marks;     /* rather not where a mark of something else stands right before it */
	int best, row, col; /* the best place so far, and the cells it covers */
};

static struct label label_make(const struct chart *c, const char *text, enum style style)
{
	return (struct label){ .text = text,
		.width = text_cols(text, c->glyphs),
		.style = style,
		.over = INK_POINT,
		.best = INT_MAX };
}

static bool rule_runs_in(const struct chart *c, int row)
{
	for (size_t i = 0; i < c->p->n_rules; i++)
		if (c->p->rules[i].horizontal && chart_row(c, chart_y(c, c->p->rules[i].at)) == row)
			return true;
	return false;
}

/* Whether the words of another label in the row are so near that the two would be read as one. */
static bool near_words(const struct chart *c, const struct label *l, int row, int col)
{
	for (int k = 0; k < WORD_GAP; k++) {
		const struct spot *before = chart_at(c, row, col - 1 - k);
		const struct spot *after = chart_at(c, row, col + l->width + k);
		if ((before && before->ink == INK_TEXT) || (after && after->ink == INK_TEXT))
			return true;
	}
	return false;
}

/* Whether a mark of another colour stands where the mark of this label would. */
static bool meets_a_mark(const struct chart *c, const struct label *l, int row, int col)
{
	for (int k = 2; k <= WORD_GAP; k++) {
		const struct spot *spot = chart_at(c, row, col - k);
		if (spot && (spot->ink == INK_MARK || spot->ink == INK_POINT) &&
			spot->style != l->style)
			return true;
	}
	return false;
}

/* Whether the ground changes under the words: of an area's edge that runs through them, half is
 * read in either. */
static bool crosses_an_edge(const struct chart *c, const struct label *l, int row, int col)
{
	const struct spot *first = plate_at(&c->plate, c->row + row, c->col + col);
	for (int k = 1; first && k < l->width; k++) {
		const struct spot *spot = plate_at(&c->plate, c->row + row, c->col + col + k);
		if (spot && spot->under != first->under)
			return true;
	}
	return false;
}

/* Considers a place and remembers the best one so far. True: it is free, no better one need be
 * tried. */
static bool try_at(const struct chart *c, struct label *l, int row, int col)
{
	int covered = 0, left = c->col + col;
	if (row < 0 || row >= c->rows || col < 1 || left + l->width > c->plate.cols)
		return false;
	if ((l->off_rules && rule_runs_in(c, row)) || near_words(c, l, row, col))
		return false;
	for (int k = -1; k <= l->width; k++) { /* with a blank at either side */
		const struct spot *spot = plate_at(&c->plate, c->row + row, left + k);
		if (!spot)
			continue;
		if (spot->ink > l->over)
			return false;
		covered += spot->ink > INK_FRAME;
	}
	covered += l->off_marks && meets_a_mark(c, l, row, col);
	covered += crosses_an_edge(c, l, row, col) ? EDGE_COST : 0;
	if (covered < l->best) {
		l->best = covered;
		l->row = row;
		l->col = col;
	}
	return covered == 0;
}

static bool write_label(const struct chart *c, const struct label *l)
{
	if (l->best == INT_MAX)
		return false;
	int row = c->row + l->row, left = c->col + l->col;
	for (int k = -1; k <= l->width; k += l->width + 1) {
		struct spot *spot = plate_at(&c->plate, row, left + k);
		if (spot && spot->ink >= INK_FAINT && spot->ink <= INK_RULE)
			plate_put(&c->plate, row, left + k, ' ', STYLE_PLAIN, 0, INK_TEXT);
	}
	plate_text(&c->plate, c->glyphs, row, left, l->width, l->text, l->style, l->attr);
	return true;
}

/* -- Names of series ------------------------------------------------------------------------ */

/* The cell of the first point that has a place. False: none has. */
static bool begins_at(const struct chart *c, const struct series *s, int *row, int *col)
{
	for (size_t i = 0; i < s->n; i++) {
		double x = chart_x(c, s->points[i].x), y = chart_y(c, s->points[i].y);
		if (isnan(x) || isnan(y))
			continue;
		*row = chart_row(c, y);
		*col = (int)floor(x + 0.5);
		return true;
	}
	return false;
}

/* Seeks a place beside the end of the line, else beside, above or below it further back, else before
 * its beginning. */
static void seek_along(
	const struct chart *c, const struct series *s, const struct plot_tail *t, struct label *l)
{
	int w = l->width, first_row, first_col;
	if (try_at(c, l, t->row, t->col + 2) || try_at(c, l, t->row - 1, t->col - w + 1) ||
		try_at(c, l, t->row + 1, t->col - w + 1))
		return;
	for (int col = t->col - 1; col > c->cols / 4 && col > t->col - c->cols / 2; col -= 2) {
		double y = chart_y(c, chart_value_at(c, s, col));
		int row = chart_row(c, y);
		if (isnan(y) || row < 0 || row >= c->rows)
			continue;
		if (try_at(c, l, row, col + 2) || try_at(c, l, row, col - w - 1) ||
			try_at(c, l, row - 1, col - w / 2) || try_at(c, l, row + 1, col - w / 2))
			return;
	}
	if (begins_at(c, s, &first_row, &first_col))
		try_at(c, l, first_row, first_col - w - 1);
}

/* Whether a cell shows the ground of an area, with no more on it than this. */
static bool is_ground(const struct chart *c, int row, int col, enum style tint, enum ink most)
{
	const struct spot *spot = chart_at(c, row, col);
	return spot && spot->ink <= most && spot->under == tint;
}

/* The longest stretch of such ground in a row: the columns that it takes, and its last. */
static int longest_ground(const struct chart *c, int row, enum style tint, enum ink most, int *end)
{
	int longest = 0;
	for (int col = 1, run = 0; col <= c->cols; col++) {
		run = is_ground(c, row, col, tint, most) ? run + 1 : 0;
		if (run > longest) {
			longest = run;
			*end = col;
		}
	}
	return longest;
}

/* The lowest row that an area's name may stand in is the last, the highest this one. */
static int highest_inside(const struct chart *c)
{
	return c->rows / 3 + 1;
}

/* Seeks a place in the area that a series covers: low, in the middle of where it is widest, and
 * rather where it has room for blanks beside the name. */
static bool seek_inside(const struct chart *c, const struct series *s, struct label *l)
{
	enum style tint = meaning_tint(s->meaning);
	if (!is_area(s) || c->fills != FILLS_TINTED)
		return false;
	for (int beside = 2; beside >= 0; beside -= 2)
		for (int row = c->rows - 1; row >= highest_inside(c); row--) {
			int end = 0, longest = longest_ground(c, row, tint, INK_FAINT, &end);
			if (longest >= l->width + beside &&
				try_at(c, l, row, end - longest + 1 + (longest - l->width) / 2))
				return true;
		}
	return false;
}

/* Whether a series is an area with a tint and a name of its own. */
static bool is_tinted(const struct chart *c, size_t i)
{
	return is_area(&c->p->series[i]) && c->fills == FILLS_TINTED && bears_name(c, i);
}

bool plot_list_narrow(const struct chart *c)
{
	bool any = false;
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		int widest = 0;
		if (!is_tinted(c, i))
			continue;
		for (int end, row = highest_inside(c); row < c->rows; row++) {
			int longest =
				longest_ground(c, row, meaning_tint(s->meaning), INK_LINE, &end);
			widest = longest > widest ? longest : widest;
		}
		any |= widest > 0 && widest < text_cols(s->name, c->glyphs);
	}
	for (size_t i = 0; i < c->p->n_series && any; i++)
		c->tails[i].listed = is_tinted(c, i);
	return any;
}

/* Where its end is in the way of others, a line may have its name where it begins, or beside a steep
 * part of it: every row that it passes is tried. */
static void seek_from_start(const struct chart *c, const struct series *s, struct label *l)
{
	for (size_t i = 0; i + 1 < s->n && l->best > 0; i++) {
		double x = chart_x(c, s->points[i].x), y = chart_y(c, s->points[i].y);
		double dx = chart_x(c, s->points[i + 1].x) - x,
		       dy = chart_y(c, s->points[i + 1].y) - y;
		double steps = fmin(fmax(1, ceil(fabs(dy))), c->rows);
		for (int k = 0; !isnan(dx + dy) && k < (int)steps; k++) {
			int row = chart_row(c, y + dy * k / steps);
			int col = (int)floor(x + dx * k / steps + 0.5);
			if (row >= 0 && row < c->rows && col >= 0 && col < c->cols &&
				(try_at(c, l, row, col + 3) ||
					try_at(c, l, row, col - l->width - 2)))
				return;
		}
	}
}

/* The height of the last point that has a place; NAN: none has. */
static double end_height(const struct chart *c, const struct series *s)
{
	for (size_t i = s->n; i-- > 0;) {
		double y = chart_y(c, s->points[i].y);
		if (!isnan(chart_x(c, s->points[i].x)) && !isnan(y))
			return y;
	}
	return NAN;
}

/* Lines that end in one row are named in the order of their heights. */
static bool ends_below(const struct chart *c, size_t i, size_t j)
{
	if (c->tails[i].row != c->tails[j].row)
		return c->tails[i].row > c->tails[j].row;
	return end_height(c, &c->p->series[i]) > end_height(c, &c->p->series[j]);
}

/* Writes all names in the gutter beside the picture, in the order of their lines. */
static bool label_gutter(const struct chart *c)
{
	const struct plot *p = c->p;
	size_t order[MOST_NAMES], n = 0;
	int rows[MOST_NAMES];
	for (size_t i = 0; i < p->n_series; i++) {
		if (!bears_name(c, i))
			continue;
		if (!c->tails[i].drawn || n == MOST_NAMES)
			return false;
		size_t k = n++;
		for (; k > 0 && ends_below(c, order[k - 1], i); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (size_t k = 0; k < n; k++)
		rows[k] = c->tails[order[k]].row;
	if (!spread_rows(c, rows, n))
		return false;
	for (size_t k = 0; k < n; k++) {
		char text[256];
		const struct series *s = &p->series[order[k]];
		write_name(c, order[k], false, text, sizeof text);
		struct label l = label_make(c, text, meaning_style(s->meaning));
		try_at(c, &l, rows[k], c->cols + 2);
		if (!write_label(c, &l))
			return false;
	}
	return true;
}

bool label_series(const struct chart *c, bool gutter, bool last_first)
{
	size_t n = c->p->n_series;
	if (gutter)
		return label_gutter(c);
	for (size_t k = 0; k < n; k++) {
		size_t i = last_first ? n - 1 - k : k;
		const struct series *s = &c->p->series[i];
		char text[256];
		if (!bears_name(c, i))
			continue;
		if (!c->tails[i].drawn)
			return false;
		write_name(c, i, true, text, sizeof text);
		struct label l = label_make(c, text, meaning_style(s->meaning));
		l.over = INK_DASH;
		l.off_marks = true;
		if (!seek_inside(c, s, &l))
			seek_along(c, s, &c->tails[i], &l);
		if (l.best == INT_MAX)
			seek_from_start(c, s, &l);
		if (!write_label(c, &l))
			return false;
	}
	return true;
}

void label_empty(const struct chart *c)
{
	struct label l = label_make(c, "no data", STYLE_DIM);
	l.over = INK_RULE;
	try_at(c, &l, c->rows / 2, (c->cols - l.width) / 2 + 1);
	write_label(c, &l);
}

/* -- Rules ---------------------------------------------------------------------------------- */

static void seek_beside_row(const struct chart *c, struct label *l, int row)
{
	int w = l->width, last = c->cols - w + 1;
	if (try_at(c, l, row - 1, 2) || try_at(c, l, row - 1, last) || try_at(c, l, row + 1, 2) ||
		try_at(c, l, row + 1, last))
		return;
	for (int col = last - 1; col > 2; col -= 2)
		if (try_at(c, l, row - 1, col) || try_at(c, l, row + 1, col))
			return;
	l->over = INK_RULE; /* no room beside the line: in it */
	for (int col = last - 2; col > 2 && l->best == INT_MAX; col--)
		try_at(c, l, row, col);
}

static void seek_beside_col(const struct chart *c, struct label *l, int col)
{
	for (int row = 0; row < c->rows; row++)
		if (try_at(c, l, row, col + 2) || try_at(c, l, row, col - l->width - 1))
			return;
}

/* A rule outside the picture still says on which side it is. */
static void label_beyond(const struct chart *c, const struct rule *r, bool high)
{
	char text[256];
	const char *way = r->horizontal ? (high ? "▲" : "▼") : (high ? "▶" : "◀");
	snprintf(text, sizeof text, "%s %s", way, r->label);
	struct label l = label_make(c, text, rule_style(r->role));
	int last = c->cols - l.width + 1;
	for (int k = 0; k < c->rows; k++) {
		int row = r->horizontal && !high ? c->rows - 1 - k : k;
		if (try_at(c, &l, row, r->horizontal || !high ? 2 : last) ||
			try_at(c, &l, row, last))
			break;
	}
	write_label(c, &l);
}

void label_rules(const struct chart *c)
{
	for (size_t i = 0; i < c->p->n_rules; i++) {
		const struct rule *r = &c->p->rules[i];
		double at = r->horizontal ? chart_y(c, r->at) : chart_x(c, r->at);
		double end = r->horizontal ? c->rows : c->cols;
		if (!r->label || !r->label[0] || isnan(at))
			continue;
		if (at < -0.5 || at > end + 0.5) {
			label_beyond(c, r, r->horizontal ? at < 0 : at > 0);
			continue;
		}
		struct label l = label_make(c, r->label, rule_style(r->role));
		if (r->horizontal)
			seek_beside_row(c, &l, chart_row(c, at));
		else
			seek_beside_col(c, &l, (int)floor(at + 0.5));
		write_label(c, &l);
	}
}

/* -- Names of points ------------------------------------------------------------------------ */

struct cell_of {
	int row, col;
};

static bool cell_of_point(const struct chart *c, const struct point *p, struct cell_of *at)
{
	struct mark_place place;
	if (!p->name || !p->name[0] || !place_mark(c, p, &place) || place.above || place.below)
		return false;
	*at = (struct cell_of){ place.row, place.col };
	return true;
}

enum { NEAR = 64 }; /* points of a group are near each other in their series */

/* Whether point k joins the label of point i, which stands `here`: points of one role in one
 * cell or side by side share a label. `named` says which ones have theirs already. */
static bool shares(const struct chart *c, const struct series *s, const bool *named, size_t i,
	size_t k, struct cell_of here)
{
	struct cell_of other;
	return k == i || (!named[k] && s->points[k].role == s->points[i].role &&
				 cell_of_point(c, &s->points[k], &other) && other.row == here.row &&
				 abs(other.col - here.col) <= 1);
}

static size_t group_end(const struct series *s, size_t i)
{
	return i + NEAR < s->n ? i + NEAR : s->n;
}

/* The cells that points with a common label take in their row. */
struct group {
	int row, left, right;
};

/* Writes "QK, AV, 2 more": at most `most` names of the group that point i leads, then how many
 * others there are. Returns the number of points in the group. */
static size_t gather_names(const struct chart *c, const struct series *s, const bool *named,
	size_t i, size_t most, struct group *g, char *text, size_t size)
{
	size_t used = 0, n = 0, written = 0;
	struct cell_of here = { 0, 0 }, at = { 0, 0 };
	cell_of_point(c, &s->points[i], &here);
	*g = (struct group){ here.row, here.col, here.col };
	for (size_t k = i; k < group_end(s, i); k++) {
		if (!shares(c, s, named, i, k, here))
			continue;
		const char *name = s->points[k].name;
		cell_of_point(c, &s->points[k], &at);
		g->left = at.col < g->left ? at.col : g->left;
		g->right = at.col > g->right ? at.col : g->right;
		n++;
		if (written == most || (written > 0 && used + strlen(name) + 8 >= size))
			continue;
		int more =
			snprintf(text + used, size - used, "%s%s", written++ > 0 ? ", " : "", name);
		used += more > 0 ? (size_t)more : 0;
		used = used < size ? used : size - 1;
	}
	if (n > written && used + 8 < size)
		snprintf(text + used, size - used, ", %zu more", n - written);
	return n;
}

static bool is_mark(const struct spot *spot)
{
	return spot && (spot->ink == INK_MARK || spot->ink == INK_POINT);
}

/* Whether another point stands beside the label, so that the label would seem to be its name. */
static bool beside_a_mark(const struct chart *c, const struct label *l, int row, int col)
{
	for (int k = 1; k <= 4; k++)
		if (is_mark(chart_at(c, row, col - k)) ||
			is_mark(chart_at(c, row, col + l->width - 1 + k)))
			return true;
	return false;
}

/* Seeks a place in a row above or below the group: centred, or as near to the middle as
 * possible, and up to `beside` columns farther. */
static bool seek_over(
	const struct chart *c, struct label *l, int row, const struct group *g, int beside)
{
	int middle = (g->left + g->right - l->width + 1) / 2, most = l->width / 2 + 1 + beside;
	for (int k = 0; k <= 2 * most; k++) {
		int col = middle + (k % 2 ? (k + 1) / 2 : -k / 2);
		if (!beside_a_mark(c, l, row, col) && try_at(c, l, row, col))
			return true;
	}
	return false;
}

/* Seeks a place at the right of the points: next to them, or where a line climbs there, below it. */
static bool seek_right(const struct chart *c, struct label *l, const struct group *g)
{
	enum { NEXT = 2, FAR = 4 };
	for (int apart = NEXT; apart <= FAR; apart++)
		if (g->right + apart + l->width <= c->cols + 1 &&
			try_at(c, l, g->row, g->right + apart))
			return true;
	return false;
}

/* Seeks a place beside the points, if need be over a few dashes; else two rows away. */
static void seek_around(const struct chart *c, struct label *l, const struct group *g)
{
	enum { BESIDE = 4 };
	if (seek_right(c, l, g) || seek_over(c, l, g->row - 1, g, 0) ||
		seek_over(c, l, g->row + 1, g, 0) || seek_over(c, l, g->row - 1, g, BESIDE) ||
		try_at(c, l, g->row, g->left - l->width - 1) || try_at(c, l, g->row, g->right + 2))
		return;
	if (!seek_over(c, l, g->row + 2, g, 0))
		seek_over(c, l, g->row - 2, g, 0);
}

/* Names a group of points with as many of its names as there is room for; where there is none, it
 * also tries across an upright rule. A row that a rule runs through stays whole. */
static void label_point(const struct chart *c, const struct series *s, const bool *named, size_t i)
{
	static const enum ink over[] = { INK_DASH, INK_RULE };
	for (size_t k = 0; k < LENGTH(over); k++)
		for (size_t most = 3; most > 0; most--) {
			char text[128];
			struct group g;
			size_t n = gather_names(c, s, named, i, most, &g, text, sizeof text);
			struct label l = label_make(c, text, point_style(s, s->points[i].role));
			l.over = over[k];
			l.off_rules = true;
			if (n < most)
				continue; /* the same text again */
			seek_around(c, &l, &g);
			if (write_label(c, &l))
				return;
		}
}

static bool is_focus(const struct series *s)
{
	return is_scatter(s) && s->meaning == MEANS_FOCUS && s->n == 1;
}

static enum plot_points points_of(const struct series *s)
{
	return names_itself(s) ? POINTS_OWN : is_focus(s) ? POINTS_FOCUS : POINTS_OTHER;
}

void label_points(const struct chart *c, enum plot_points which)
{
	size_t most = (size_t)c->plate.rows * (size_t)c->plate.cols;
	bool *named = malloc(most * sizeof *named);
	if (!named) {
		*c->starved = true; /* a picture without names is better than none */
		return;
	}
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		if (!is_scatter(s) || s->n > most || points_of(s) != which)
			continue; /* or more points than cells */
		memset(named, 0, s->n * sizeof *named);
		for (size_t k = 0; k < s->n; k++) {
			struct cell_of here;
			if (named[k] || !cell_of_point(c, &s->points[k], &here))
				continue;
			label_point(c, s, named, k);
			for (size_t t = k; t < group_end(s, k); t++)
				named[t] = named[t] || shares(c, s, named, k, t, here);
		}
	}
	free(named);
}

void label_values(const struct chart *c, double at)
{
	double x = chart_x(c, at);
	if (!(x >= 0 && x <= c->cols))
		return;
	int col = (int)floor(x + 0.5);
	for (size_t i = 0; i < c->p->n_series; i++) {
		const struct series *s = &c->p->series[i];
		double value = chart_value_at(c, s, x);
		int row = chart_row(c, chart_y(c, value));
		char text[64];
		if (is_scatter(s) || isnan(value) || row < 0 || row >= c->rows)
			continue;
		quantity_show(text, sizeof text, value, c->p->y.unit ? c->p->y.unit : "");
		struct label l = label_make(c, text, meaning_style(s->meaning));
		l.attr = ATTR_BOLD;
		if (!try_at(c, &l, row, col + 2) && !try_at(c, &l, row, col - l.width - 1) &&
			!try_at(c, &l, row - 1, col + 2))
			try_at(c, &l, row - 1, col - l.width - 1);
		write_label(c, &l);
	}
}
