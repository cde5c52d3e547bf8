/* A row is not drawn span by span. First it is summed up how much of each column the spans of each
 * kind cover; then each column shows the kind that covers most of it, exact to an eighth where no more
 * than two meet. So thousands of spans in a few columns still show where the time goes. */
#include "ui/views/timeline.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/views/parts.h"
#include "ui/views/series_look.h"

#include <math.h>
#include <string.h>

enum {
	GAP = 1,     /* columns between a lane's name and its spans */
	BETWEEN = 3, /* columns between a title, a legend and a remark in a line */
	AIRY = 5,    /* so many lanes still get a blank row between them */
	EASY = 7,    /* lanes beside the one that the picture is about, with it */
	WISHED = 18, /* lanes that a picture asks rows for, where it may go without some */
	MAX_LEGEND = 3,
	AXIS = 2,
	TALLER = 2, /* rows: with them a lane has a middle row, in which its name stands */
	DOT = 0x25cf,
	FIRST_RULE = 0x2500, /* of the characters that draw lines and blocks */
	MAX_COLS = 512       /* of the spans; a wider window leaves the rest blank */
};

struct layout {
	int heading, legend, rules, axis; /* rows of each; without rules theirs is a blank one */
	int names;                        /* columns */
	unsigned rank;                    /* lanes above it are left out */
	bool slim;                        /* two lanes stand in a row, but those of rank 0 */
	int per_row;                      /* lanes gathered in a row */
	int pitch, rows;                  /* of lanes */
	int thick;                        /* rows of a lane */
	int tall;    /* 1 + the row of lanes that is higher by TALLER; 0: none */
	bool beside; /* the legend stands in the line of the title */
	bool low;    /* lanes are lower than their rows */
};

/* What one row of lanes shows in each column. */
struct row_cover {
	float time[MAX_COLS][N_FILLS]; /* columns' worth of each kind */
	float from[MAX_COLS][N_FILLS]; /* where in this column the kind begins, as a part of it */
	bool starts[MAX_COLS];         /* a span of two columns or more starts here */
	bool trace[MAX_COLS];          /* a span too short to fill a column is here */
};

static const float HALF = 0.4999f; /* of a column fills it; sums of floats fall a little short */
static const float TRACE = 1e-4f;

/* What a column of a row shows: a kind of span, or this. */
enum { NOTHING = -1 };

static bool drawable(const struct span *s)
{
	return isfinite(s->start) && isfinite(s->end) && s->end >= s->start;
}

/* Kinds of which there is no span are not named, and neither are those in `named`. The kind that is
 * drawn as dots stands last, unless the lane with the dots has its name. */
static struct legend legend_of(const struct timeline *t, const bool named[N_FILLS],
	bool absent[N_FILLS], enum glyphs glyphs)
{
	struct legend legend = { .absent = t->n_kinds <= N_FILLS ? absent : NULL,
		.names = t->kind_names,
		.n = t->n_kinds,
		.means = t->means };
	for (size_t i = 0; i < N_FILLS; i++)
		absent[i] = true;
	for (size_t i = 0; i < t->n_spans; i++) {
		unsigned kind = t->spans[i].kind;
		if (t->spans[i].count == 0) {
			absent[kind % N_FILLS] = named && named[kind % N_FILLS];
		} else if (!t->lane_names ||
			   !strstr(t->lane_names[t->spans[i].lane], t->kind_names[kind])) {
			legend.mark = glyph_or(glyphs, DOT, 'o');
			legend.mark_name = t->kind_names[kind];
		}
	}
	return legend;
}

/* -- Lanes that are shown ------------------------------------------------------------------ */

static bool lane_shown(const struct timeline *t, const struct layout *l, size_t lane)
{
	return !t->lane_ranks || t->lane_ranks[lane] <= l->rank;
}

static int lanes_shown(const struct timeline *t, const struct layout *l)
{
	int n = 0;
	for (size_t i = 0; t->lane_names && i < t->n_lanes; i++)
		n += lane_shown(t, l, i);
	return n;
}

/* The place of a lane among those that are shown. */
static unsigned place_of(const struct timeline *t, const struct layout *l, size_t lane)
{
	unsigned place = 0;
	if (!t->lane_ranks)
		return (unsigned)lane;
	for (size_t i = 0; i < lane; i++)
		place += lane_shown(t, l, i);
	return place;
}

static size_t lane_at(const struct timeline *t, const struct layout *l, unsigned place)
{
	size_t lane = 0;
	while (lane + 1 < t->n_lanes && (!lane_shown(t, l, lane) || place_of(t, l, lane) < place))
		lane++;
	return lane;
}

static unsigned highest_rank(const struct timeline *t)
{
	unsigned most = 0;
	for (size_t i = 0; t->lane_ranks && i < t->n_lanes; i++)
		most = t->lane_ranks[i] > most ? t->lane_ranks[i] : most;
	return most;
}

/* The row of a lane that is shown, where lanes are slim, and whether it is the lower half of it. A lane
 * of rank 0 has a row of its own. */
static int slim_row(const struct timeline *t, const struct layout *l, size_t lane, bool *lower)
{
	int row = -1;
	bool half = false; /* the row has room for one more */
	*lower = false;
	for (size_t i = 0; i <= lane; i++) {
		if (!lane_shown(t, l, i))
			continue;
		bool whole = !t->lane_ranks || t->lane_ranks[i] == 0;
		*lower = half && !whole;
		row += !*lower;
		half = !whole && !*lower;
	}
	return row;
}

static int slim_rows(const struct timeline *t, const struct layout *l)
{
	bool lower;
	return t->n_lanes > 0 ? slim_row(t, l, t->n_lanes - 1, &lower) + 1 : 0;
}

static int names_width(const struct timeline *t, int cols, enum glyphs glyphs)
{
	int widest = 0;
	for (size_t i = 0; i < t->n_lanes; i++) {
		int w = text_cols(t->lane_names[i], glyphs);
		widest = w > widest ? w : widest;
	}
	int most = cols * 2 / 5; /* the spans are the picture */
	return widest > most ? most : widest;
}

/* Where a row of lanes begins, and how high it is. */
static int row_of(const struct layout *l, int i)
{
	return i * l->pitch + (l->tall > 0 && i >= l->tall ? TALLER : 0);
}

static int thick_of(const struct layout *l, int i)
{
	return l->thick + (i + 1 == l->tall ? TALLER : 0);
}

static int lanes_height(const struct layout *l)
{
	return l->rows ? row_of(l, l->rows - 1) + thick_of(l, l->rows - 1) : 0;
}

/* Whether a lane is right below another. */
static bool run_together(const struct layout *l)
{
	return l->pitch == 1 && l->rows > 1;
}

static int height(const struct layout *l)
{
	return l->heading + l->legend + l->rules + lanes_height(l) + l->axis;
}

/* Slim lanes fill rows, two each, without the heading where that makes room for all. False: not even
 * those of rank 0 have room. */
static bool fill_slim(struct layout *l, const struct timeline *t, int room)
{
	int n = slim_rows(t, l);
	if (n > room && n <= room + l->heading && !l->beside) {
		room += l->heading;
		l->heading = 0;
	}
	for (; n > room && l->rank > 0; n = slim_rows(t, l))
		l->rank--;
	l->slim = n <= room;
	l->rows = n;
	return l->slim;
}

/* Lanes fill rows, one each, as many as there are rows for: those that may be left out are, and then
 * several are gathered in a row. */
static void fill_rows(struct layout *l, const struct timeline *t, int room)
{
	if (t->slim && fill_slim(l, t, room))
		return;
	int n = lanes_shown(t, l);
	for (; n > room && t->lane_ranks && l->rank > 0; n = lanes_shown(t, l))
		l->rank--;
	l->per_row = n > room ? (n + room - 1) / room : 1;
	l->rows = (n + l->per_row - 1) / l->per_row;
}

/* Gives up the blank rows first, then all of the legend but a row, then the height of the tall lane,
 * before lanes share one. Where there is hardly any room, the words around the lanes go, so that
 * three rows of lanes stay. */
static void squeeze(struct layout *l, const struct timeline *t, int rows)
{
	if (l->pitch > 1 && height(l) > rows && height(l) - TALLER * (l->tall > 0) <= rows)
		l->tall = 0; /* one height for all, and air between them */
	if (height(l) > rows)
		l->pitch = 1;
	if (height(l) > rows && l->legend > 1)
		l->legend = 1;
	/* The tall lane is what the picture is about: others go before its height. */
	for (; l->tall && height(l) > rows && t->lane_ranks && l->rank > 0;
		l->rows = lanes_shown(t, l))
		l->rank--;
	if (height(l) > rows)
		l->tall = 0;
	int fixed = height(l) - l->rows;
	if (rows - fixed < 3 && rows < height(l)) {
		l->axis = rows > 5 ? l->axis : 0;
		l->rules = rows > 4 ? l->rules : 0;
		l->legend = rows > 3 ? l->legend : 0;
		l->heading = rows > 2 ? l->heading : 0;
		l->beside = l->beside && l->heading;
		fixed = height(l) - l->rows;
	}
	if (height(l) > rows)
		fill_rows(l, t, rows - fixed < 1 ? 1 : rows - fixed);
}

/* How many lanes are left out: "+ 8 more slots"; nothing where none is. */
static const char *left_out(
	char *buf, size_t size, const struct timeline *t, const struct layout *l)
{
	int left = t->lane_names ? (int)(t->n_lanes + t->without) - lanes_shown(t, l) : 0;
	const char *name = t->rest ? t->rest : "lanes";
	int letters = (int)strlen(name) - (left == 1); /* one of them: "+ 1 more slot" */
	snprintf(buf, size, "%s", "");
	if (left > 0)
		snprintf(buf, size, "+ %d more %.*s", left, letters, name);
	return buf;
}

/* What is not as one would think: lanes that share a row, or are left out. The second stands beside the
 * title or nowhere, for a row of words would cost another lane. */
static const char *remark(char *buf, size_t size, const struct timeline *t, const struct layout *l,
	int cols, enum glyphs glyphs)
{
	left_out(buf, size, t, l);
	if (l->per_row > 1)
		snprintf(buf, size, "%d lanes a row", l->per_row);
	bool beside = heading_rows(t->title, buf, cols, glyphs) ==
		      heading_rows(t->title, NULL, cols, glyphs);
	return l->per_row > 1 || beside ? buf : "";
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

static struct layout layout_with(const struct timeline *t, int rows, int cols, enum glyphs glyphs,
	const bool named[N_FILLS], bool legends)
{
	bool absent[N_FILLS];
	struct legend legend = legend_of(t, named, absent, glyphs);
	struct layout l = { .thick = 1,
		.per_row = 1,
		.names = t->lane_names ? names_width(t, cols, glyphs) : 0,
		.rank = highest_rank(t) };
	/* The remark depends on the room, and the room on whether the remark needs a row: the
	 * second round settles both. */
	for (int i = 0; i < 2; i++) {
		char buf[48];
		const char *text = remark(buf, sizeof buf, t, &l, cols, glyphs);
		l.heading = heading_rows(t->title, text, cols, glyphs);
		l.legend = legends ? legend_rows(&legend, cols, glyphs) : 0;
		l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
		int used = text_cols(t->title, glyphs) +
			   (*text ? BETWEEN + text_cols(text, glyphs) : 0);
		l.beside = l.heading == 1 && l.legend == 1 && *t->title &&
			   legend_fits_beside(used, &legend, cols, glyphs);
		l.legend -= l.beside;
		l.rules = t->n_rules > 0;
		l.axis = AXIS;
		l.rank = highest_rank(t);
		l.per_row = 1;
		l.slim = false;
		l.rows = lanes_shown(t, &l);
		l.pitch = l.rows <= AIRY ? 2 : 1;
		l.tall = t->tall > 0 ? 1 + (int)place_of(t, &l, t->tall - 1) : 0;
		int wish = l.legend;
		squeeze(&l, t, rows);
		/* Rows that lanes sharing theirs leave over go back to the legend. */
		if (l.legend > 0)
			l.legend = min_int(wish, l.legend + max_int(0, rows - height(&l)));
	}
	return l;
}

/* The longest that every span of some lane takes, where they are four or more and all alike; 0 where
 * there is no such lane. */
static double common_s(const struct timeline *t)
{
	enum { ALIKE = 4, LOOKED_AT = 64 };
	double common = 0;
	for (unsigned lane = 0; lane < t->n_lanes && lane < LOOKED_AT; lane++) {
		double least = INFINITY, longest = 0;
		size_t n = 0;
		for (size_t i = 0; i < t->n_spans; i++) {
			const struct span *span = &t->spans[i];
			if (span->lane != lane || span->count || !drawable(span))
				continue;
			least = fmin(least, span->end - span->start);
			longest = fmax(longest, span->end - span->start);
			n++;
		}
		if (n >= ALIKE && longest > common && longest - least <= 1e-6 * longest)
			common = longest;
	}
	return common;
}

/* What takes as long is as wide: steps that are all alike get whole columns, or halves of them, where
 * that does not cost much of the width. */
static void snap(struct scale *s, double step_s)
{
	double columns = s->width * step_s / (s->hi - s->lo);
	double whole = floor(columns + 1e-9);
	if (!(step_s > 0) || columns < 2)
		return;
	if (columns > 1.1 * whole)
		whole = floor(2 * columns) / 2;
	s->hi = s->lo + s->width * step_s / whole;
}

static double lane_end(const struct timeline *t, unsigned lane)
{
	double end = -INFINITY;
	for (size_t i = 0; i < t->n_spans; i++)
		if (t->spans[i].lane == lane && drawable(&t->spans[i]))
			end = fmax(end, t->spans[i].end);
	return end;
}

/* So much narrower is the scale that what stands behind the ends of lanes has room. */
static void keep_room(struct scale *s, const struct timeline *t, enum glyphs glyphs)
{
	int all = s->width;
	for (unsigned i = 0; t->lane_notes && i < t->n_lanes; i++) {
		double end = lane_end(t, i);
		if (!t->lane_notes[i] || !isfinite(end))
			continue;
		int need = GAP + text_cols(t->lane_notes[i], glyphs);
		double most = (all - need) * (s->hi - s->lo) / fmax(end - s->lo, 1e-30);
		if (most < s->width && need < all / 2)
			s->width = (int)most;
	}
}

static struct scale scale_of(
	const struct timeline *t, const struct layout *l, int cols, enum glyphs glyphs)
{
	int col = l->names ? l->names + GAP : 0;
	int width = cols - col > MAX_COLS ? MAX_COLS : cols - col;
	struct scale s = { .lo = INFINITY, .hi = -INFINITY, .col = col, .width = width };
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
	keep_room(&s, t, glyphs);
	if (s.width > 0)
		snap(&s, common_s(t));
	return s;
}

/* The column border that a place is rounded to: a column whose middle is covered counts as
 * filled. */
static int rounded(double at)
{
	return (int)ceil(at - 0.5);
}

/* The columns from where a span begins to where it ends. */
static int cols_of(const struct scale *s, const struct span *span)
{
	return rounded(scale_at(s, span->end)) - rounded(scale_at(s, span->start));
}

/* Whether what stands in a span begins with the name of its kind: "waits 85 ms". */
static bool named_as_kind(const struct timeline *t, const struct span *span)
{
	if (!span->label || span->kind >= t->n_kinds)
		return !span->label;
	const char *kind = t->kind_names[span->kind];
	return *kind && strncmp(span->label, kind, strlen(kind)) == 0;
}

/* The columns that a span has as a whole: from *first on so many. A word in it hides no other's part of a
 * column. */
static int whole_cols(const struct scale *s, const struct span *span, int *first)
{
	const double hair = 1e-6;
	*first = (int)ceil(scale_at(s, span->start) - hair);
	return (int)floor(scale_at(s, span->end) + hair) - *first;
}

/* The kinds whose names stand in one of their spans: solid, and with room for all of it. */
static void names_in(
	const struct timeline *t, const struct scale *s, enum glyphs glyphs, bool named[N_FILLS])
{
	memset(named, 0, N_FILLS * sizeof *named);
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *span = &t->spans[i];
		if (span->kind >= N_FILLS || !named_as_kind(t, span) || span->count ||
			!drawable(span) || (t->lane_ranks && t->lane_ranks[span->lane] > 2))
			continue;
		int room = cols_of(s, span);
		int width = text_cols(t->kind_names[span->kind], glyphs);
		int first, whole = whole_cols(s, span, &first);
		named[span->kind] |= width > 0 && width + 1 <= room && width <= whole;
	}
}

/* Where two slim lanes of a row show a kind one above the other for the most columns, if they are wide
 * enough for a word. */
struct slim_place {
	int row, first, cols;
};

/* Whether a span is shown, and as long as so many columns. */
static bool has_room(const struct timeline *t, const struct layout *l, const struct scale *s,
	const struct span *span, int cols)
{
	return !span->count && drawable(span) && cols_of(s, span) >= cols &&
	       lane_shown(t, l, span->lane);
}

static struct slim_place slim_place(const struct timeline *t, const struct layout *l,
	const struct scale *s, unsigned kind, int width)
{
	struct slim_place best = { .cols = 0 };
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *a = &t->spans[i];
		bool lower;
		if (a->kind != kind || !has_room(t, l, s, a, width + 2))
			continue;
		int row = slim_row(t, l, a->lane, &lower);
		for (size_t k = 0; k < t->n_spans && !lower; k++) {
			const struct span *b = &t->spans[k];
			bool half = false;
			if (b->kind != kind || !has_room(t, l, s, b, width + 2))
				continue;
			int first = rounded(scale_at(s, fmax(a->start, b->start)));
			int cols = rounded(scale_at(s, fmin(a->end, b->end))) - first;
			if (cols > best.cols && cols >= width + 2 &&
				slim_row(t, l, b->lane, &half) == row && half)
				best = (struct slim_place){ row, first, cols };
		}
	}
	return best;
}

/* The same as names_in where lanes are slim. A kind that `named` leaves out stays out. */
static void slim_names_in(const struct timeline *t, const struct layout *l, const struct scale *s,
	enum glyphs glyphs, bool named[N_FILLS])
{
	for (unsigned kind = 0; kind < t->n_kinds && kind < N_FILLS; kind++) {
		int width = text_cols(t->kind_names[kind], glyphs);
		named[kind] = named[kind] && width > 0 && slim_place(t, l, s, kind, width).cols > 0;
	}
}

/* Lanes fill the rows that are there: first a blank row between them, then three rows each; before an audience more,
 * with more air. They are an odd number of rows high, so that names and words stand in the middle of them, but where
 * letters are large and rows few. What is left over goes to a blank row under the legend. */
static void thicken(struct layout *l, int rows, bool grows)
{
	enum { THICKEST = 3, THICKEST_GROWN = 13, AIR = 4 };
	const int thickest = grows ? max_int(THICKEST_GROWN, 3 * rows / 10) : THICKEST;
	struct layout airy = *l;
	airy.pitch = 2;
	bool single = l->per_row == 1 && !l->slim;
	if (single && l->axis && height(&airy) <= rows)
		*l = airy;
	const int more = grows ? 1 : 2;
	for (int thick = 1 + more; thick <= thickest && single && l->rows > 0 && l->axis;
		thick += more) {
		struct layout thicker = *l;
		thicker.thick = thick;
		thicker.pitch = thick + 1 + (thick > THICKEST ? thick / AIR : 0);
		if (height(&thicker) <= rows)
			*l = thicker;
	}
	if (l->legend > 0 && l->axis && !l->rules && height(l) < rows)
		l->rules = 1;
}

/* Whether lanes are right below each other in these rows. */
static bool will_touch(const struct layout *l, int rows)
{
	struct layout thick = *l;
	thicken(&thick, rows, false);
	return run_together(&thick);
}

/* Where kinds are named in their spans the legend is shorter, which may be what lets each lane have a
 * row of its own; where lanes share one, or touch, nothing is named in them. */
static struct layout layout(const struct timeline *t, int rows, int cols, enum glyphs glyphs,
	bool solid, bool named[N_FILLS])
{
	bool same = lanes_name_kinds(t);
	struct layout l = layout_with(t, rows, cols, glyphs, NULL, !same);
	struct scale s = scale_of(t, &l, cols, glyphs);
	memset(named, 0, N_FILLS * sizeof *named);
	if (solid && !same && s.width > 0) {
		names_in(t, &s, glyphs, named);
		struct layout shorter = layout_with(t, rows, cols, glyphs, named, true);
		if (shorter.slim)
			memset(named, true, N_FILLS * sizeof *named);
		/* What is named depends on the rows, and they on the legend of what is not. */
		for (int i = 0; i < 2 && shorter.slim; i++) {
			slim_names_in(t, &shorter, &s, glyphs, named);
			shorter = layout_with(t, rows, cols, glyphs, named, true);
		}
		if (shorter.slim || (shorter.per_row == 1 && !will_touch(&shorter, rows)))
			return shorter;
		memset(named, 0, N_FILLS * sizeof *named);
	}
	return l.per_row > 1 ? layout_with(t, rows, cols, glyphs, NULL, true) : l;
}

static void cover_span(struct row_cover *cover, const struct scale *s, const struct span *span)
{
	double a = scale_at(s, span->start), z = scale_at(s, span->end);
	unsigned kind = span->kind % N_FILLS;
	int first = (int)a < s->width ? (int)a : s->width - 1, last = (int)ceil(z) - 1;
	for (int i = first; i <= last; i++) {
		float from = (float)(fmax(a, i) - i);
		if (cover->time[i][kind] <= 0 || from < cover->from[i][kind])
			cover->from[i][kind] = from;
		cover->time[i][kind] += (float)(fmin(z, i + 1) - fmax(a, i));
	}
	int begin = rounded(a), end = rounded(z);
	if (end - begin >= 2)
		cover->starts[begin] = true;
	if (end <= begin) { /* however short, it is there */
		cover->trace[first] = true;
		if (cover->time[first][kind] <= 0)
			cover->from[first][kind] = (float)(a - first);
		cover->time[first][kind] += TRACE;
	}
}

/* What covers most of a column, and what covers most of the rest, or NOTHING. */
static void busiest(const float time[N_FILLS], float *total, int best[2])
{
	best[0] = best[1] = NOTHING;
	*total = 0;
	for (int kind = 0; kind < N_FILLS; kind++) {
		*total += time[kind];
		if (time[kind] <= 0)
			continue;
		if (best[0] == NOTHING || time[kind] > time[best[0]]) {
			best[1] = best[0];
			best[0] = kind;
		} else if (best[1] == NOTHING || time[kind] > time[best[1]]) {
			best[1] = kind;
		}
	}
}

static int eighths_of(float share, int most)
{
	int n = (int)lroundf(8 * share);
	return n < 1 ? 1 : n > most ? most : n;
}

/* So many eighths of a cell, from its left edge on. */
static uint32_t left_part(int eighths)
{
	return 0x2590 - (uint32_t)eighths;
}

/* A column of textures is filled by at least half a column of work; less shows as a thin mark where a
 * short span would otherwise be lost. */
static void textured_draw(const struct pane *p, int row, int col, const struct row_cover *cover,
	int i, struct fill fill, float total, bool abuts)
{
	enum glyphs glyphs = p->cv->glyphs;
	uint32_t code = total >= HALF     ? fill.code
			: cover->trace[i] ? glyph_or(glyphs, 0x258f, '\'')
					  : ' ';
	if (abuts && code == fill.code) /* two of a kind in a row stay two */
		code = glyph_or(glyphs, fill_is_solid(fill) ? 0x2590 : 0x2502, '|');
	if (code != ' ')
		pane_put(p, row, col, code, fill.style, 0);
}

/* A solid column is exact to an eighth: one kind ends or begins in it, or one ends and another
 * begins. */
static void solid_draw(const struct pane *p, int row, int col, const struct row_cover *cover, int i,
	const int best[2], const struct fill fill[2], float total, bool abuts)
{
	enum { FULL = 8 };
	const float *time = cover->time[i], *from = cover->from[i];
	const float nearly = 0.94f;
	float begin = from[best[0]], share = time[best[0]];
	if (best[1] != NOTHING && total >= nearly && fill_is_solid(fill[1])) {
		int left = from[best[1]] < begin;
		pane_put(p, row, col, left_part(eighths_of(time[best[left]], FULL - 1)),
			fill[left].style, 0);
		pane_under(p, row, col, fill[!left].style);
	} else if (abuts && total >= nearly) { /* two of a kind in a row stay two, by a thin cut */
		pane_put(p, row, col, left_part(1), fill[0].style, ATTR_REVERSE);
	} else if (begin > 1 - nearly && begin + share > nearly) {
		/* the rest of the cell is drawn, in the colour of the ground */
		pane_put(p, row, col, left_part(eighths_of(begin, FULL - 1)), fill[0].style,
			ATTR_REVERSE);
	} else {
		pane_put(p, row, col, left_part(eighths_of(share, FULL)), fill[0].style, 0);
	}
}

/* Whether what begins in column i comes right after one of its kind: that did not just begin in the column
 * before, and nothing else is between them. */
static bool comes_after_its_kind(const struct row_cover *cover, int i, int kind, const int shown[])
{
	if (!cover->starts[i] || i == 0 || shown[i - 1] != kind ||
		!(cover->from[i - 1][kind] < HALF))
		return false;
	for (int k = 0; k < N_FILLS; k++)
		if (k != kind && (cover->time[i - 1][k] > 0 || cover->time[i][k] > 0))
			return false;
	return true;
}

/* The kind that most of a column which is filled by half at least shows, or NOTHING. */
static int holder_of(const struct row_cover *cover, const struct scale *s, int i)
{
	float total = 0;
	int best[2] = { NOTHING, NOTHING };
	if (i >= 0 && i < s->width)
		busiest(cover->time[i], &total, best);
	return total >= HALF ? best[0] : NOTHING;
}

/* What fills a column, or NOTHING; outside of them nothing does. */
static int held_at(const struct scale *s, const int held[MAX_COLS], int i)
{
	return i >= 0 && i < s->width ? held[i] : NOTHING;
}

/* Whether a column is free, or what fills it also does the next one that way. */
static bool can_give(const struct scale *s, const int held[MAX_COLS], int i, int way)
{
	return held[i] == NOTHING || held[i] == held_at(s, held, i + way);
}

/* Whether a kind fills one of two columns or one beside them. */
static bool holds_near(const struct scale *s, const int held[MAX_COLS], int i, int kind)
{
	for (int k = i - 1; k <= i + 2; k++)
		if (held_at(s, held, k) == kind)
			return true;
	return false;
}

/* What comes after that which fills the first column behind a blank has the next one, from a kind that goes on there: a
 * stroke in the blank would say that it came before. */
static void hold_what_follows(
	const struct row_cover *cover, const struct scale *s, int held[MAX_COLS])
{
	for (int i = 0; i + 1 < s->width; i++)
		for (int kind = 0; kind < N_FILLS; kind++)
			if (held[i] != NOTHING && held_at(s, held, i - 1) == NOTHING &&
				cover->time[i][kind] > 0 && !holds_near(s, held, i, kind) &&
				cover->from[i][kind] > cover->from[i][held[i]] &&
				held[i + 1] != NOTHING && can_give(s, held, i + 1, 1))
				held[i + 1] = kind;
}

/* What fills the columns of low lanes. A kind that is half a column long across the border of two has the one
 * that it has more of, from a kind that goes on beside it: it would be a stroke in either. */
static void hold_columns(const struct row_cover *cover, const struct scale *s, int held[MAX_COLS])
{
	for (int i = 0; i < s->width; i++)
		held[i] = holder_of(cover, s, i);
	for (int i = 0; i + 1 < s->width; i++)
		for (int kind = 0; kind < N_FILLS; kind++) {
			const float here = cover->time[i][kind], next = cover->time[i + 1][kind];
			if (!(here > 0 && next > 0 && here + next >= HALF))
				continue;
			bool left = can_give(s, held, i, -1), right = can_give(s, held, i + 1, 1);
			if ((left || right) && !holds_near(s, held, i, kind))
				held[right && (next > here || !left) ? i + 1 : i] = kind;
		}
	hold_what_follows(cover, s, held);
}

static bool is_work(const struct timeline *t, int kind)
{
	return !t->means || meaning_is_work(t->means[kind]);
}

/* Whether there is some of a kind in both columns beside one: it is no moment then. */
static bool goes_on(const struct row_cover *cover, const struct scale *s, int i, int kind)
{
	return i > 0 && i + 1 < s->width && cover->time[i - 1][kind] > 0 &&
	       cover->time[i + 1][kind] > 0;
}

static bool fills_some(const struct scale *s, const int held[MAX_COLS], int kind)
{
	for (int i = 0; i < s->width; i++)
		if (held[i] == kind)
			return true;
	return false;
}

/* A kind that low lanes show in a column as a thin stroke, for it fills neither this column nor one beside it;
 * NOTHING. In what fills a column neither a moment without work nor what goes on in the columns beside it makes a
 * stroke. Where several lanes are one, a stroke is a hole in the others: only what is seen nowhere else makes it. */
static int stroke_of(const struct row_cover *cover, const struct scale *s, const struct timeline *t,
	const int held[MAX_COLS], int i, bool single)
{
	int stroke = NOTHING, kinds = min_int((int)t->n_kinds, N_FILLS);
	for (int kind = 0; i >= 0 && i < s->width && kind < kinds; kind++)
		if (cover->time[i][kind] > 0 && kind != held[i] &&
			kind != held_at(s, held, i - 1) && kind != held_at(s, held, i + 1) &&
			(held[i] == NOTHING || (is_work(t, kind) && !goes_on(cover, s, i, kind))) &&
			(single || !fills_some(s, held, kind)))
			stroke = kind;
	return stroke;
}

/* A column of a low lane, which has the line at its foot in its last row. */
static void low_fill(const struct pane *p, int row, int col, struct fill fill, bool last)
{
	if (last && fill_is_solid(fill))
		low_put(p, row, col, fill.style);
	else
		fill_put(p, row, col, fill);
}

/* A stroke in what fills a column of a lane of one row, where there is room for one colour. Where the same goes on
 * beside it, it is a cut; at its end it stands in the blank column behind; else it has the column. Returns what the column
 * shows. */
static int low_moment(const struct pane *p, int row, const struct scale *s,
	const struct timeline *t, const struct row_cover *cover, const int held[MAX_COLS], int i,
	int stroke)
{
	const int fills = held[i], next = held_at(s, held, i + 1);
	const struct fill fill = fill_of(p->cv, t->means, t->n_kinds, (size_t)fills),
			  thin = fill_of(p->cv, t->means, t->n_kinds, (size_t)stroke);
	const bool free = i + 1 < s->width && next == NOTHING &&
			  stroke_of(cover, s, t, held, i + 1, true) == NOTHING;
	if (held_at(s, held, i - 1) == fills && next == fills) {
		pane_put(p, row, s->col + i, left_part(1), fill.style,
			ATTR_REVERSE | ATTR_UNDERLINE);
		return NOTHING;
	}
	if (free && cover->from[i][stroke] > cover->from[i][fills]) {
		low_fill(p, row, s->col + i, fill, true);
		pane_put(p, row, s->col + i + 1, left_part(1), thin.style, 0);
		return fills;
	}
	low_fill(p, row, s->col + i, thin, true);
	return stroke;
}

/* A lane that is right below another is an eighth lower than its row, so that the two are told apart. In such a
 * cell there is room for one colour, so spans end with columns: a whole cell among the low ones would be a
 * battlement. What has no column of its own is a thin stroke, at the side of its column on which there is more to
 * see, or at the end of a blank column before. In a lane of more rows what fills the column is around the stroke,
 * and alone in the last row. */
static void low_row_draw(const struct pane *p, int row, const struct scale *s,
	const struct timeline *t, const struct row_cover *cover, const int held[MAX_COLS],
	bool single, bool first, bool last, int shown[MAX_COLS])
{
	enum { RIGHT_EIGHTH = 0x2595 };
	int stroke = NOTHING;
	for (int i = 0; i < s->width; i++) {
		int fills = held[i], left = held_at(s, held, i - 1), before = stroke;
		stroke = stroke_of(cover, s, t, held, i, single);
		shown[i] = fills;
		struct fill fill = fill_of(p->cv, t->means, t->n_kinds, (size_t)max_int(fills, 0));
		struct fill thin = fill_of(p->cv, t->means, t->n_kinds, (size_t)max_int(stroke, 0));
		bool beside = i > 0 && fills != NOTHING && left == NOTHING &&
			      (before == NOTHING || before == stroke);
		bool at_end = beside || held_at(s, held, i + 1) != NOTHING;
		bool inside =
			stroke != NOTHING && fills != NOTHING && !beside && fill_is_solid(fill);
		bool column = beside && stroke != NOTHING && /* its two parts make up a column */
			      cover->time[i - 1][stroke] + cover->time[i][stroke] >= HALF;
		if (inside && first && last) {
			shown[i] = low_moment(p, row, s, t, cover, held, i, stroke);
			continue;
		}
		if (stroke != NOTHING && column)
			low_fill(p, row, s->col + i - beside, thin, last);
		else if (stroke != NOTHING && !(inside && last))
			pane_put(p, row, s->col + i - beside, at_end ? RIGHT_EIGHTH : left_part(1),
				thin.style, 0);
		if (inside && !last)
			pane_under(p, row, s->col + i, fill.style);
		else if (fills != NOTHING && stroke == NOTHING && fill_is_solid(fill) &&
			 comes_after_its_kind(cover, i, fills, shown))
			/* two of a kind in a row stay two, by a thin cut */
			pane_put(p, row, s->col + i, left_part(1), fill.style,
				ATTR_REVERSE | (last ? ATTR_UNDERLINE : 0u));
		else if (fills != NOTHING && (stroke == NOTHING || beside || inside))
			low_fill(p, row, s->col + i, fill, last);
		else if (fills != NOTHING)
			shown[i] = NOTHING;
	}
}

static void row_draw(const struct pane *p, int row, const struct scale *s, const struct timeline *t,
	const struct row_cover *cover, bool single, int shown[MAX_COLS])
{
	for (int i = 0; i < s->width; i++) {
		float total;
		int best[2];
		busiest(cover->time[i], &total, best);
		shown[i] = NOTHING;
		if (best[0] == NOTHING)
			continue;
		struct fill fill[2] = { fill_of(p->cv, t->means, t->n_kinds, (size_t)best[0]) };
		fill[1] = best[1] == NOTHING
				  ? fill[0]
				  : fill_of(p->cv, t->means, t->n_kinds, (size_t)best[1]);
		bool abuts = single && comes_after_its_kind(cover, i, best[0], shown);
		bool solid = fill_is_solid(fill[0]) && p->cv->fills != FILLS_TEXTURED;
		if (solid)
			solid_draw(p, row, s->col + i, cover, i, best, fill, total,
				abuts && total > 0.9f);
		else
			textured_draw(p, row, s->col + i, cover, i, fill[0], total, abuts);
		shown[i] = total >= HALF ? best[0] : NOTHING;
	}
}

/* The number alone of what stands in a span, of "batch 17"; NULL: it is more than the kind's name and that. */
static const char *number_behind(const struct timeline *t, const struct span *span)
{
	const char *rest = span->label + strlen(t->kind_names[span->kind]);
	rest += strspn(rest, " ");
	return *rest && rest[strspn(rest, "0123456789")] == '\0' ? rest : NULL;
}

/* Writes a label inside a span, or the name of its kind, or of a kind that is spelled out elsewhere its number, if
 * enough of it stays visible. A solid span shows around the letters as well and needs less room. False: it has
 * none. */
static bool label_draw(const struct pane *p, int row, const struct layout *l, const struct scale *s,
	const struct timeline *t, const struct span *span, bool spelled, const int shown[MAX_COLS])
{
	int kind = (int)(span->kind % N_FILLS);
	int first = rounded(scale_at(s, span->start)), end = rounded(scale_at(s, span->end));
	struct fill fill = fill_of(p->cv, t->means, t->n_kinds, (size_t)kind);
	bool solid = fill_is_solid(fill);
	const char *label = span->label                               ? span->label
			    : solid && p->cv->fills != FILLS_TEXTURED ? t->kind_names[kind]
								      : "";
	int width = text_cols(label, p->cv->glyphs), room = end - first;
	if (width + 1 > room && solid && span->label && named_as_kind(t, span)) {
		const char *number = number_behind(t, span);
		label = spelled && number ? number : t->kind_names[kind];
		width = text_cols(label, p->cv->glyphs);
	}
	if (l->low && room > 0 && shown[first] != kind) { /* what keeps two of a kind apart */
		first++;
		room--;
	}
	/* Beside another span a blank keeps two labels apart. */
	bool between = (first > 0 && shown[first - 1] != NOTHING) ||
		       (end < s->width && shown[end] != NOTHING);
	if (width == 0 || width + (!solid || l->low ? 2 : between) > room)
		return false;
	for (int i = first; i < end; i++)
		if (shown[i] != kind)
			return false;
	int start = s->col + first + (room - width + 1) / 2;
	if (solid && p->cv->fills != FILLS_TEXTURED && !l->low) {
		int inner, whole = whole_cols(s, span, &inner);
		if (width > whole)
			return false;
		start = max_int(start, s->col + inner);
		start = min_int(start, s->col + inner + whole - width);
	}
	if (!solid && width > 1 && width + 4 <= room) { /* words want air among shades */
		pane_put(p, row, start - 1, ' ', STYLE_PLAIN, 0);
		pane_put(p, row, start + width, ' ', STYLE_PLAIN, 0);
	}
	if (solid)
		pane_text(p, row, start, width, label, fill.style, ATTR_REVERSE);
	else
		pane_text(p, row, start, width, label, fill.style, ATTR_BOLD);
	return true;
}

/* So many dots, or as many as there is room for and their number, whose word is worth more than dots. */
static void dots_draw(const struct pane *p, int row, const struct scale *s,
	const struct timeline *t, const struct span *span)
{
	char number[32] = "";
	int col = s->col + rounded(scale_at(s, span->start)),
	    end = s->col + rounded(scale_at(s, span->end)) - 1;
	struct fill fill = fill_of(p->cv, t->means, t->n_kinds, span->kind);
	if (span->count == 1 && col < s->col + s->width) { /* a dot where it begins */
		pane_put(p, row, col, glyph_or(p->cv->glyphs, DOT, 'o'), fill.style, 0);
		return;
	}
	if ((int)span->count > end - col) {
		snprintf(number, sizeof number, " %u %s", span->count,
			span->label ? span->label : "");
		if (!span->label || text_width(number) > end - col + 1)
			snprintf(number, sizeof number, " %u", span->count);
	}
	int dots = end - col - text_width(number);
	dots = (int)span->count < dots ? (int)span->count : dots;
	for (int i = 0; i < dots; i++)
		pane_put(p, row, col++, glyph_or(p->cv->glyphs, DOT, 'o'), fill.style, 0);
	/* the number alone where there is no room for a dot */
	pane_text(p, row, col, end - col, dots > 0 ? number : number + 1, STYLE_PLAIN, 0);
}

/* Spans of a kind that are about as long as each other have all their labels or none: which of them a
 * label fits is an accident of columns. bare: the kinds that have none; spelled: those of which a label is whole. */
static void find_bare(const struct layout *l, const struct scale *s, const struct timeline *t,
	const struct canvas *cv, bool bare[N_FILLS], bool spelled[N_FILLS])
{
	const double about = 1.25;
	double least[N_FILLS], most[N_FILLS] = { 0 };
	bool lacks[N_FILLS] = { false };
	for (size_t i = 0; i < N_FILLS; i++)
		least[i] = INFINITY;
	for (size_t i = 0; i < t->n_spans; i++) {
		const struct span *span = &t->spans[i];
		size_t kind = span->kind % N_FILLS;
		if (!span->label || !drawable(span) || !lane_shown(t, l, span->lane))
			continue;
		least[kind] = fmin(least[kind], span->end - span->start);
		most[kind] = fmax(most[kind], span->end - span->start);
		int room = cols_of(s, span);
		int first, whole = whole_cols(s, span, &first);
		int width = text_cols(span->label, cv->glyphs);
		bool shares = cv->fills != FILLS_TEXTURED && !l->low;
		const bool fits = width + 1 + l->low <= room && (!shares || width <= whole);
		lacks[kind] |= !fits;
		spelled[kind] |= fits;
	}
	for (size_t i = 0; i < N_FILLS; i++)
		bare[i] = lacks[i] && most[i] <= about * least[i];
}

static void lanes_draw(const struct pane *p, int top, const struct layout *l, const struct scale *s,
	const struct timeline *t, const bool named[N_FILLS])
{
	bool bare[N_FILLS], spelled[N_FILLS] = { false };
	bool said[N_FILLS] = { false }; /* a kind is named once: its colour says the rest */
	find_bare(l, s, t, p->cv, bare, spelled);
	for (int i = 0; i < l->rows; i++) {
		struct row_cover cover;
		int shown[MAX_COLS], row = top + row_of(l, i), thick = thick_of(l, i);
		int middle = row + (thick - 1) / 2;
		const bool wordless = l->low && thick == 1; /* the line at its foot has no gap */
		unsigned first = (unsigned)(i * l->per_row), end = first + (unsigned)l->per_row;
		memset(&cover, 0, sizeof cover);
		if (l->names)
			pane_fit(p, middle, 0, l->names, t->lane_names[lane_at(t, l, first)],
				STYLE_PLAIN, 0);
		for (int pass = 0; pass < 2; pass++) { /* first what they cover, then their words */
			for (size_t k = 0; k < t->n_spans; k++) {
				const struct span *span = &t->spans[k];
				unsigned place = place_of(t, l, span->lane);
				bool *told = &said[span->kind % N_FILLS];
				if (!drawable(span) || !lane_shown(t, l, span->lane) ||
					place < first || place >= end)
					continue;
				if (pass == 0 && !span->count)
					cover_span(&cover, s, span);
				else if (pass == 1 && span->count)
					dots_draw(p, middle, s, t, span);
				else if (pass == 1 && l->per_row == 1 && !wordless &&
					 !(span->label && bare[span->kind % N_FILLS]) &&
					 (span->label || (named[span->kind % N_FILLS] && !*told)))
					*told |= label_draw(p, middle, l, s, t, span,
							 spelled[span->kind % N_FILLS], shown) &&
						 !span->label;
			}
			int held[MAX_COLS];
			if (l->low && pass == 0)
				hold_columns(&cover, s, held);
			for (int k = 0; k < thick && pass == 0; k++)
				if (l->low)
					low_row_draw(p, row + k, s, t, &cover, held,
						l->per_row == 1, k == 0, k + 1 == thick, shown);
				else
					row_draw(p, row + k, s, t, &cover, l->per_row == 1, shown);
		}
	}
}

static int note_col(const struct scale *s, double end)
{
	return s->col + (int)ceil(scale_at(s, end) - 1e-6) + GAP;
}

/* What stands behind the ends of lanes; "! " before it says that it is past its limit, as in bars. */
static void lane_notes_draw(const struct pane *p, int top, const struct layout *l,
	const struct scale *s, const struct timeline *t)
{
	const int nearly = max_int(4, s->width / 20); /* columns */
	int last = 0;
	for (unsigned i = 0; t->lane_notes && i < t->n_lanes; i++)
		if (t->lane_notes[i] && isfinite(lane_end(t, i)) && lane_shown(t, l, i))
			last = max_int(last, note_col(s, lane_end(t, i)));
	for (unsigned i = 0; t->lane_notes && l->per_row == 1 && !l->slim && i < t->n_lanes; i++) {
		double end = lane_end(t, i);
		if (!t->lane_notes[i] || !isfinite(end) || !lane_shown(t, l, i))
			continue;
		int place = (int)place_of(t, l, i);
		int row = row_of(l, place) + (thick_of(l, place) - 1) / 2;
		int col = note_col(s, end);
		const int cols = text_cols(t->lane_notes[i], p->cv->glyphs);
		/* one column for those of lanes that end at nearly the same place */
		if (last - col <= nearly && last + cols <= p->r.cols)
			col = last;
		if (col + cols <= p->r.cols)
			pane_text(p, top + row, col, -1, t->lane_notes[i],
				strncmp(t->lane_notes[i], "! ", 2) == 0 ? STYLE_BAD : STYLE_PLAIN,
				ATTR_BOLD);
	}
}

/* What a lane shows in each column where it is half a row high, and where one of a kind begins right after
 * another. */
struct half {
	int kinds[MAX_COLS];
	bool begins[MAX_COLS];
};

static void half_of(const struct timeline *t, const struct scale *s, size_t lane, struct half *h)
{
	struct row_cover cover;
	memset(&cover, 0, sizeof cover);
	for (size_t i = 0; i < t->n_spans; i++)
		if (t->spans[i].lane == lane && !t->spans[i].count && drawable(&t->spans[i]))
			cover_span(&cover, s, &t->spans[i]);
	for (int i = 0; i < s->width; i++) {
		float total;
		int best[2];
		busiest(cover.time[i], &total, best);
		h->kinds[i] = total >= HALF || cover.trace[i] ? best[0] : NOTHING;
		h->begins[i] = cover.starts[i] && i > 0 && h->kinds[i] == h->kinds[i - 1];
	}
}

/* Two halves of a cell, each with what its lane shows there. What begins right after one of its kind
 * leaves the left half of its column blank, so that two stay two. */
static void halves_draw(const struct pane *p, int row, int col, const struct timeline *t,
	const struct half halves[2], int i)
{
	static const uint32_t both[] = { 0x2588, 0x259f, 0x259c, 0x2590 },
			      one[2][2] = { { 0x2580, 0x259d }, { 0x2584, 0x2597 } };
	int upper = halves[0].kinds[i], lower = halves[1].kinds[i];
	bool only = upper == NOTHING; /* the lower one */
	int first = only ? lower : upper;
	if (first == NOTHING)
		return;
	bool two = !only && lower != NOTHING;
	uint32_t code = two && upper == lower ? both[halves[0].begins[i] + 2 * halves[1].begins[i]]
			: two                 ? one[0][0]
					      : one[only][halves[only].begins[i]];
	pane_put(p, row, col, code, fill_of(p->cv, t->means, t->n_kinds, (size_t)first).style, 0);
	if (two && upper != lower)
		pane_under(p, row, col, fill_of(p->cv, t->means, t->n_kinds, (size_t)lower).style);
}

/* One row of slim lanes: two of them, or one of rank 0. */
static void slim_row_draw(const struct pane *p, int row, const struct layout *l,
	const struct scale *s, const struct timeline *t, int which)
{
	struct half halves[2];
	memset(halves, 0, sizeof halves);
	memset(halves[1].kinds, NOTHING, sizeof halves[1].kinds);
	for (size_t lane = 0; lane < t->n_lanes; lane++) {
		bool lower, whole = !t->lane_ranks || t->lane_ranks[lane] == 0;
		if (!lane_shown(t, l, lane) || slim_row(t, l, lane, &lower) != which)
			continue;
		half_of(t, s, lane, &halves[lower]);
		if (whole)
			halves[1] = halves[0];
		if (l->names && !lower)
			pane_fit(p, row, 0, l->names, t->lane_names[lane], STYLE_PLAIN, 0);
		for (size_t i = 0; i < t->n_spans && whole; i++)
			if (t->spans[i].lane == lane && t->spans[i].count)
				dots_draw(p, row, s, t, &t->spans[i]);
	}
	for (int i = 0; i < s->width; i++)
		halves_draw(p, row, s->col + i, t, halves, i);
}

static void slim_draw(const struct pane *p, int top, const struct layout *l, const struct scale *s,
	const struct timeline *t, const bool named[N_FILLS])
{
	for (int i = 0; i < l->rows; i++)
		slim_row_draw(p, top + i, l, s, t, i);
	for (unsigned kind = 0; kind < t->n_kinds && kind < N_FILLS; kind++) {
		int width = text_cols(t->kind_names[kind], p->cv->glyphs);
		struct slim_place at = slim_place(t, l, s, kind, width);
		if (named[kind] && at.cols > 0)
			pane_text(p, top + at.row, s->col + at.first + (at.cols - width) / 2, width,
				t->kind_names[kind],
				fill_of(p->cv, t->means, t->n_kinds, kind).style, ATTR_REVERSE);
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

/* Says at the end of the legend's last row which lanes are left out, where it is not said beside a title. */
static void rest_draw(
	const struct pane *p, int row, const struct timeline *t, const struct layout *l)
{
	char text[48];
	int width = text_cols(left_out(text, sizeof text, t, l), p->cv->glyphs);
	int col = p->r.cols - width;
	if (row >= 0 && col > 0 && is_free(p, row, col, width))
		pane_text(p, row, col, width, text, STYLE_DIM, 0);
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

/* The column of a moment at which a span may end: the one that its end was rounded to. */
static int edge_col(const struct scale *s, double value)
{
	return s->col + min_int(rounded(scale_at(s, value)), s->width - 1);
}

static void rules_draw(const struct pane *p, int top, int bottom, const struct layout *l,
	const struct scale *s, const struct timeline *t)
{
	for (size_t i = 0; i < t->n_rules; i++) {
		const struct rule *rule = &t->rules[i];
		enum style style = rule_style(rule->role);
		if (!isfinite(rule->at))
			continue;
		struct upright at = scale_upright(s, rule->at);
		if (l->low || p->cv->glyphs == GLYPHS_ASCII) /* spans end with columns */
			at = (struct upright){ edge_col(s, rule->at), UPRIGHT_LEFT };
		const int col = at.col;
		if (l->rules && rule->label)
			rule_label_draw(p, top - 1, col, rule->label, style);
		for (int row = top; row < bottom; row++) {
			bool blank = pane_blank(p, row, col);
			const struct cell *c = pane_cell(p, row, col);
			if (c && c->code > ' ' && c->code < FIRST_RULE)
				continue; /* a word is read, and not cut */
			if (t->rules_behind && !blank)
				continue;
			rule_put(p, row, at,
				blank ? glyph_limit(p->cv->glyphs) : glyph_crossed(p->cv->glyphs),
				style, 0);
		}
	}
}

/* What is still to come is grey: the names in it stay, and its colours go, to one that is further from the
 * words than what was. Where there are few colours it is dim at least. */
static void recede(const struct pane *p, int row, int col)
{
	const enum style grey = meaning_tint(MEANS_WAITING);
	const struct cell *c = pane_cell(p, row, col);
	if (!c)
		return;
	bool filled = c->code == FULL_BLOCK || low_is(c) || c->under != STYLE_PLAIN;
	bool reversed = c->attr & ATTR_REVERSE, on_tint = c->under >= STYLE_TINT;
	bool named = (reversed || on_tint) && c->code < FIRST_RULE;
	if (p->cv->fills != FILLS_TINTED) {
		/* where two colours share a cell, both are dim */
		if (c->under != STYLE_PLAIN)
			pane_put(p, row, col, 0x2588, STYLE_DIM, 0);
		pane_restyle(p, (struct rect){ row, col, 1, 1 }, STYLE_DIM, 0);
	} else if (named) {
		pane_put(p, row, col, c->code, STYLE_DIM, 0);
		pane_under(p, row, col, grey);
	} else if (low_is(c)) {
		low_put(p, row, col, grey);
	} else if (filled) {
		pane_put(p, row, col, FULL_BLOCK, grey, 0);
	} else {
		bool part = c->style >= STYLE_SERIES && c->code >= FIRST_RULE;
		pane_restyle(p, (struct rect){ row, col, 1, 1 }, part ? grey : STYLE_DIM, 0);
	}
}

static void playhead_draw(const struct pane *p, int top, int bottom, const struct layout *l,
	const struct scale *s, double playhead_s)
{
	enum glyphs glyphs = p->cv->glyphs;
	int col = edge_col(s, playhead_s);
	for (int row = top; row < bottom; row++)
		for (int i = col + 1; i < s->col + s->width; i++)
			recede(p, row, i);
	for (int row = top; row < bottom; row++)
		pane_put(p, row, col, glyph_or(glyphs, 0x2502, '|'), STYLE_ACCENT, ATTR_BOLD);
	if (l->axis)
		pane_put(p, bottom, col, glyph_or(glyphs, 0x25b2, '^'), STYLE_ACCENT, ATTR_BOLD);
}

void timeline_draw(struct canvas *cv, struct rect r, const struct timeline *all, double playhead_s)
{
	struct pane p = pane_of(cv, r);
	struct timeline drawn = *all;
	const struct timeline *t = &drawn;
	bool absent[N_FILLS], named[N_FILLS], solid = cv->fills != FILLS_TEXTURED;
	drawn.slim = all->slim && solid && cv->glyphs != GLYPHS_ASCII;
	struct layout l = layout(t, p.r.rows, p.r.cols, cv->glyphs, solid, named);
	struct scale s = scale_of(t, &l, p.r.cols, cv->glyphs);
	if (s.width < 1 || p.r.rows < 1)
		return;
	struct legend legend = legend_of(t, named, absent, cv->glyphs);
	thicken(&l, p.r.rows, cv->grows);
	l.low = run_together(&l) && solid && cv->glyphs != GLYPHS_ASCII;
	char text[48];
	const char *said = remark(text, sizeof text, t, &l, p.r.cols, cv->glyphs);
	int top = l.heading ? heading_draw(&p, 0, t->title, said) : 0;
	if (l.beside)
		legend_draw_beside(&p, 0, text_cols(t->title, cv->glyphs), &legend);
	if (l.legend)
		top += legend_draw(&p, top, l.legend, &legend);
	if (!l.heading || !*said)
		rest_draw(&p, top - 1, t, &l);
	top += l.rules;
	int bottom = top + lanes_height(&l);
	(l.slim ? slim_draw : lanes_draw)(&p, top, &l, &s, t, named);
	if (l.axis)
		scale_axis_draw(&p, bottom, &s, "s");
	rules_draw(&p, top, bottom, &l, &s, t);
	lane_notes_draw(&p, top, &l, &s, t);
	if (!isnan(playhead_s))
		playhead_draw(&p, top, bottom, &l, &s, playhead_s);
}

static int rows_for(const struct timeline *t, int cols, int most_lanes, bool airy)
{
	enum { PLENTY = 1 << 20 };
	bool named[N_FILLS];
	struct layout l = layout(t, PLENTY, cols, GLYPHS_LINES, false, named);
	l.pitch = airy ? l.pitch : 1;
	if (t->slim && l.rows > most_lanes)
		l.rows = slim_rows(t, &l);
	else
		for (; t->lane_ranks && l.rows > most_lanes && l.rank > 0;
			l.rows = lanes_shown(t, &l))
			l.rank--;
	return height(&l);
}

int timeline_rows(const struct timeline *t, int cols)
{
	return rows_for(t, cols, WISHED, true);
}

int timeline_easy_rows(const struct timeline *t, int cols)
{
	/* About one lane: a few others beside it, close together, so that what is below stays. */
	bool chosen = t->tall > 0 && t->lane_ranks;
	return rows_for(t, cols, chosen ? EASY : t->tall > 0 ? 0 : WISHED, !chosen);
}

int timeline_filled(const struct timeline *t, int rows, int cols)
{
	bool named[N_FILLS];
	struct layout l = layout(t, rows, cols, GLYPHS_LINES, true, named);
	thicken(&l, rows, false);
	return rows < height(&l) ? rows : height(&l);
}

bool timeline_is_close(const struct timeline *t, int rows, int cols)
{
	bool named[N_FILLS];
	struct layout l = layout(t, rows, cols, GLYPHS_LINES, true, named);
	thicken(&l, rows, false);
	return run_together(&l);
}
