/* A row is not drawn span by span. First it is summed up how much of each column the spans of each
 * kind cover; then each column shows the kind that covers most of it. So thousands of spans in a
 * few columns still show where the time goes. */
#include "ui/views/timeline.h"

#include "sims/base/array.h"
#include "ui/views/parts.h"

#include <math.h>
#include <string.h>

enum {
	GAP = 1,  /* columns between a lane's name and its spans */
	AIRY = 4, /* so many lanes still get a blank row between them */
	MAX_LEGEND = 3,
	AXIS = 2,
	MAX_COLS = 512 /* of the spans; a wider window leaves the rest blank */
};

struct layout {
	int heading, legend, rules, axis; /* rows of each */
	int names;                        /* columns */
	int per_row;                      /* lanes gathered in a row */
	int pitch, rows;                  /* of lanes */
	int thick;                        /* rows of a lane */
};

/* What one row of lanes shows in each column. */
struct row_cover {
	float time[MAX_COLS][N_FILLS]; /* columns' worth of each kind */
	float until[MAX_COLS];         /* a solid end inside this column, as a part of it */
	bool starts[MAX_COLS];         /* a span of two columns or more starts here */
	bool trace[MAX_COLS];          /* a span too short to fill a column is here */
};

static const float HALF = 0.4999f; /* of a column fills it; sums of floats fall a little short */
static const float TRACE = 1e-4f;

/* What a column of a row shows: a kind of span, or this. */
enum { NOTHING = -1 };

/* Kinds of which there is no span are not named. */
static struct legend legend_of(const struct timeline *t, bool absent[N_FILLS])
{
	for (size_t i = 0; i < N_FILLS; i++)
		absent[i] = true;
	for (size_t i = 0; i < t->n_spans; i++)
		absent[t->spans[i].kind % N_FILLS] = false;
	return (struct legend){ .absent = t->n_kinds <= N_FILLS ? absent : NULL,
		.names = t->kind_names,
		.n = t->n_kinds,
		.means = t->means };
}

static int names_width(const struct timeline *t, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; i < t->n_lanes; i++) {
		int w = text_cols(t->lane_names[i], glyphs);
		widest = w > widest ? w : widest;
	}
	return widest > cols / 3 ? cols / 3 : widest;
}

static int height(const struct layout *l)
{
	int lanes = l->rows ? (l->rows - 1) * l->pitch + l->thick : 0;
	return l->heading + l->legend + l->rules + lanes + l->axis;
}

/* Gives up the blank rows first, then gathers several lanes in one row. Where there is hardly any
 * room, the words around the lanes go, so that three rows of lanes stay. */
static void squeeze(struct layout *l, int n_lanes, int rows)
{
	if (height(l) > rows)
		l->pitch = 1;
	int fixed = height(l) - l->rows;
	if (rows - fixed < 3 && rows < height(l)) {
		l->axis = rows > 5 ? l->axis : 0;
		l->rules = rows > 4 ? l->rules : 0;
		l->legend = rows > 3 ? l->legend : 0;
		l->heading = rows > 2 ? l->heading : 0;
		fixed = height(l) - l->rows;
	}
	int room = rows - fixed < 1 ? 1 : rows - fixed;
	if (n_lanes > room) {
		l->per_row = (n_lanes + room - 1) / room;
		l->rows = (n_lanes + l->per_row - 1) / l->per_row;
	}
}

static const char *remark(char *buf, size_t size, const struct layout *l)
{
	if (l->per_row < 2)
		return "";
	snprintf(buf, size, "%d lanes a row", l->per_row);
	return buf;
}

/* Whether every lane has a kind of its own, and its name: then there is no need of a legend. */
static bool lanes_name_kinds(const struct timeline *t)
{
	if (!t->lane_names || t->n_lanes != t->n_kinds)
		return false;
	for (size_t i = 0; i < t->n_lanes; i++)
		if (strcmp(t->lane_names[i], t->kind_names[i]) != 0)
			return false;
	return true;
}

static struct layout layout_with(
	const struct timeline *t, int rows, int cols, enum glyphs glyphs, bool named)
{
	bool absent[N_FILLS];
	struct legend legend = legend_of(t, absent);
	int n_lanes = t->lane_names ? (int)t->n_lanes : 0;
	struct layout l = {
		.thick = 1, .per_row = 1, .names = n_lanes ? names_width(t, cols, glyphs) : 0
	};
	/* The remark depends on the room, and the room on whether the remark needs a row: the
	 * second round settles both. */
	for (int i = 0; i < 2; i++) {
		char text[48];
		l.heading = heading_rows(t->title, remark(text, sizeof text, &l), cols, glyphs);
		l.legend = named ? legend_rows(&legend, cols, glyphs) : 0;
		l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
		l.rules = t->n_rules > 0;
		l.axis = AXIS;
		l.pitch = n_lanes <= AIRY ? 2 : 1;
		l.per_row = 1;
		l.rows = n_lanes;
		squeeze(&l, n_lanes, rows);
	}
	return l;
}

/* Lanes that share a row do not all have their names there. */
static struct layout layout(const struct timeline *t, int rows, int cols, enum glyphs glyphs)
{
	struct layout l = layout_with(t, rows, cols, glyphs, !lanes_name_kinds(t));
	return l.per_row > 1 ? layout_with(t, rows, cols, glyphs, true) : l;
}

static bool drawable(const struct span *s)
{
	return isfinite(s->start) && isfinite(s->end) && s->end >= s->start;
}

static struct scale scale_of(const struct timeline *t, const struct layout *l, int cols)
{
	int col = l->names ? l->names + GAP : 0;
	int width = cols - col > MAX_COLS ? MAX_COLS : cols - col;
	struct scale s = { INFINITY, -INFINITY, col, width };
	for (size_t i = 0; i < t->n_spans; i++) {
		if (!drawable(&t->spans[i]))
			continue;
		s.lo = fmin(s.lo, t->spans[i].start);
		s.hi = fmax(s.hi, t->spans[i].end);
	}
	for (size_t i = 0; i < t->n_rules; i++) {
		if (!isfinite(t->rules[i].at))
			continue;
		s.lo = fmin(s.lo, t->rules[i].at);
		s.hi = fmax(s.hi, t->rules[i].at);
	}
	/* The axis begins at 0, unless all that is shown is far from there. */
	if (s.lo > 0 && s.lo < s.hi / 2)
		s.lo = 0;
	if (!(s.hi > s.lo)) {
		s.lo = isfinite(s.lo) ? s.lo : 0;
		s.hi = s.lo + (s.lo > 0 ? s.lo : 1);
	}
	return s;
}

/* The column border that a place is rounded to: a column whose middle is covered counts as
 * filled. */
static int rounded(double at)
{
	return (int)ceil(at - 0.5);
}

static void cover_span(struct row_cover *cover, const struct scale *s, const struct span *span)
{
	double a = scale_at(s, span->start), z = scale_at(s, span->end);
	unsigned kind = span->kind % N_FILLS;
	int first = (int)a < s->width ? (int)a : s->width - 1, last = (int)ceil(z) - 1;
	for (int i = first; i <= last; i++)
		cover->time[i][kind] += (float)(fmin(z, i + 1) - fmax(a, i));
	int begin = rounded(a), end = rounded(z);
	if (last > first && z < last + 1)
		cover->until[last] = (float)(z - last);
	if (end - begin >= 2)
		cover->starts[begin] = true;
	if (end <= begin) { /* however short, it is there */
		cover->trace[first] = true;
		cover->time[first][kind] += TRACE;
	}
}

static int busiest(const float time[N_FILLS], float *total)
{
	int best = 0;
	*total = 0;
	for (int kind = 0; kind < N_FILLS; kind++) {
		*total += time[kind];
		if (time[kind] > time[best])
			best = kind;
	}
	return *total > 0 ? best : NOTHING;
}

/* At least half a column of work fills it; less shows as the exact end of a solid span, and as a
 * thin mark where a short span would otherwise be lost. */
static uint32_t glyph_for(const struct row_cover *cover, int i, int kind, float total,
	const int shown[], struct fill fill, enum glyphs glyphs)
{
	bool follows = i > 0 && shown[i - 1] == kind;
	if (fill_is_solid(fill) && follows && cover->until[i] > 0 && total < 0.99f) {
		int eighths = (int)lroundf(total * 8);
		return eighths > 0 ? 0x2590 - (uint32_t)eighths : ' ';
	}
	if (total >= HALF)
		return fill.code;
	if (!cover->trace[i])
		return ' ';
	return glyph_or(glyphs, 0x258f, '\'');
}

static void row_draw(const struct pane *p, int row, const struct scale *s, const struct timeline *t,
	const struct row_cover *cover, bool single, int shown[MAX_COLS])
{
	enum glyphs glyphs = p->cv->glyphs;
	for (int i = 0; i < s->width; i++) {
		float total;
		int kind = busiest(cover->time[i], &total);
		shown[i] = NOTHING;
		if (kind == NOTHING)
			continue;
		struct fill fill = fill_of(p->cv, t->means, t->n_kinds, (size_t)kind);
		uint32_t code = glyph_for(cover, i, kind, total, shown, fill, glyphs);
		bool abuts = single && cover->starts[i] && i > 0 && shown[i - 1] == kind;
		if (abuts && code == fill.code) /* two of a kind in a row stay two */
			code = glyph_or(glyphs, fill_is_solid(fill) ? 0x2590 : 0x2502, '|');
		shown[i] = total >= HALF ? kind : NOTHING;
		if (code != ' ')
			pane_put(p, row, s->col + i, code, fill.style, 0);
	}
}

/* Writes a label inside its span if enough of the span stays visible. A solid span shows around the
 * letters as well and needs less room. */
static void label_draw(const struct pane *p, int row, const struct scale *s,
	const struct timeline *t, const struct span *span, const int shown[MAX_COLS])
{
	int kind = (int)(span->kind % N_FILLS);
	int first = rounded(scale_at(s, span->start)), end = rounded(scale_at(s, span->end));
	int width = text_cols(span->label, p->cv->glyphs), room = end - first;
	struct fill fill = fill_of(p->cv, t->means, t->n_kinds, (size_t)kind);
	bool solid = fill_is_solid(fill);
	if (width == 0 || width + (solid ? 1 : 2) > room)
		return;
	for (int i = first; i < end; i++)
		if (shown[i] != kind)
			return;
	int start = s->col + first + (room - width + 1) / 2;
	if (!solid && width > 1 && width + 4 <= room) { /* words want air among shades */
		pane_put(p, row, start - 1, ' ', STYLE_PLAIN, 0);
		pane_put(p, row, start + width, ' ', STYLE_PLAIN, 0);
	}
	pane_text(p, row, start, width, span->label, fill.style, solid ? ATTR_REVERSE : ATTR_BOLD);
}

static void lanes_draw(const struct pane *p, int top, const struct layout *l, const struct scale *s,
	const struct timeline *t)
{
	for (int i = 0; i < l->rows; i++) {
		struct row_cover cover;
		int shown[MAX_COLS], row = top + i * l->pitch;
		unsigned first = (unsigned)(i * l->per_row), end = first + (unsigned)l->per_row;
		memset(&cover, 0, sizeof cover);
		for (size_t k = 0; k < t->n_spans; k++) {
			const struct span *span = &t->spans[k];
			if (span->lane >= first && span->lane < end && drawable(span))
				cover_span(&cover, s, span);
		}
		if (l->names)
			pane_fit(p, row, 0, l->names, t->lane_names[first], STYLE_PLAIN, 0);
		for (int k = 0; k < l->thick; k++)
			row_draw(p, row + k, s, t, &cover, l->per_row == 1, shown);
		for (size_t k = 0; k < t->n_spans && l->per_row == 1; k++)
			if (t->spans[k].label && t->spans[k].lane == first &&
				drawable(&t->spans[k]))
				label_draw(p, row + (l->thick - 1) / 2, s, t, &t->spans[k], shown);
	}
}

/* Whether these columns and the one on either side are free. What lies outside the pane is in
 * nobody's way. */
static bool is_free(const struct pane *p, int row, int col, int width)
{
	for (int i = col - 1; i <= col + width; i++)
		if (i >= 0 && i < p->r.cols && !pane_blank(p, row, i))
			return false;
	return true;
}

/* Writes a rule's label above it, moved aside where it would leave the pane or run into another. */
static void rule_label_draw(
	const struct pane *p, int row, int col, const char *label, enum style style)
{
	int width = text_cols(label, p->cv->glyphs);
	int starts[] = { col - width / 2, col - width + 1, col };
	for (size_t i = 0; i < LENGTH(starts); i++) {
		int start = starts[i] + width > p->r.cols ? p->r.cols - width : starts[i];
		start = start < 0 ? 0 : start;
		if (is_free(p, row, start, width)) {
			pane_fit(p, row, start, -1, label, style, 0);
			return;
		}
	}
}

static void rules_draw(const struct pane *p, int top, int bottom, const struct layout *l,
	const struct scale *s, const struct timeline *t)
{
	for (size_t i = 0; i < t->n_rules; i++) {
		const struct rule *rule = &t->rules[i];
		enum style style = rule->role == ROLE_PLAIN ? STYLE_WARN : role_style(rule->role);
		if (!isfinite(rule->at))
			continue;
		int col = scale_col(s, rule->at);
		if (l->rules && rule->label)
			rule_label_draw(p, top - 1, col, rule->label, style);
		for (int row = top; row < bottom; row++) {
			bool blank = pane_blank(p, row, col);
			pane_put(p, row, col,
				blank ? glyph_limit(p->cv->glyphs) : glyph_crossed(p->cv->glyphs),
				style, 0);
		}
	}
}

static void playhead_draw(const struct pane *p, int top, int bottom, const struct layout *l,
	const struct scale *s, double playhead_s)
{
	enum glyphs glyphs = p->cv->glyphs;
	int col = scale_col(s, playhead_s);
	pane_restyle(p, (struct rect){ top, col + 1, bottom - top, s->col + s->width - col - 1 },
		STYLE_DIM, 0);
	for (int row = top; row < bottom; row++)
		pane_put(p, row, col, glyph_or(glyphs, 0x2502, '|'), STYLE_ACCENT, ATTR_BOLD);
	if (l->axis)
		pane_put(p, bottom, col, glyph_or(glyphs, 0x25b2, '^'), STYLE_ACCENT, ATTR_BOLD);
}

/* Lanes fill the rows that are there. */
static void thicken(struct layout *l, int rows)
{
	enum { THICKEST = 3 };
	for (int thick = 2; thick <= THICKEST && l->per_row == 1 && l->rows > 0 && l->axis;
		thick++) {
		struct layout thicker = *l;
		thicker.thick = thick;
		thicker.pitch = thick + 1;
		if (height(&thicker) <= rows)
			*l = thicker;
	}
}

void timeline_draw(struct canvas *cv, struct rect r, const struct timeline *t, double playhead_s)
{
	struct pane p = pane_of(cv, r);
	struct layout l = layout(t, p.r.rows, p.r.cols, cv->glyphs);
	struct scale s = scale_of(t, &l, p.r.cols);
	if (s.width < 1 || p.r.rows < 1)
		return;
	bool absent[N_FILLS];
	struct legend legend = legend_of(t, absent);
	thicken(&l, p.r.rows);
	char text[48];
	int top = l.heading ? heading_draw(&p, 0, t->title, remark(text, sizeof text, &l)) : 0;
	if (l.legend)
		top += legend_draw(&p, top, l.legend, &legend);
	top += l.rules;
	int bottom = top + (l.rows ? (l.rows - 1) * l.pitch + l.thick : 0);
	lanes_draw(&p, top, &l, &s, t);
	if (l.axis)
		scale_axis_draw(&p, bottom, &s, "s");
	rules_draw(&p, top, bottom, &l, &s, t);
	if (!isnan(playhead_s))
		playhead_draw(&p, top, bottom, &l, &s, playhead_s);
}

int timeline_rows(const struct timeline *t, int cols)
{
	enum { PLENTY = 1 << 20 };
	struct layout l = layout(t, PLENTY, cols, GLYPHS_LINES);
	return height(&l);
}
