/* First a layout says how many rows and columns each part gets, and what a small window goes
 * without; then everything is drawn where the layout has it. */
#include "ui/views/bars.h"

#include "sims/base/minmax.h"
#include "ui/views/flow.h"
#include "ui/views/parts.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GAP = 2,                  /* columns between label, bar, total and note */
	LEAST_BAR = 16,           /* columns; with less, labels go above their bars */
	LEAST_BAR_WITH_NOTE = 28, /* with less, notes go below, */
	SHORT_NOTE = 10,          /* but for those */
	AIRY = 5,                 /* so many bars still get a blank row between them */
	MAX_LEGEND = 3,
	AXIS = 2,
	MOST_PARTS = 64, /* with more, all are named */
	THICKEST = 3,    /* rows of a bar where there are rows to fill */
	THICKEST_GROWN = 12,
	MOST_AIR = 3, /* blank rows between such bars */
	AROUND = 1,   /* columns of a part beside its name */
	NONE = -1
};

/* A bar beyond so many times the limit is cut, at so many times. */
static const double CUT_FROM = 4, CUT_AT = 2.2;
/* Bars that go from the limit have room for so many times less and more. */
static const double LEAST_BELOW = 10, LEAST_ABOVE = 100;

/* -- Extents ------------------------------------------------------------------------------- */

/* Where a bar starts and ends, and how far its parts reach, in the unit of the figure. */
struct extent {
	double start, end, lo, hi;
};

/* A part that is nothing, or not a number, takes no room. */
static bool part_counts(double x)
{
	return !isnan(x) && x != 0;
}

/* Where a bar begins: at zero, or a step where the one before it ends. */
static double begin_of(const struct bars *b, size_t bar)
{
	double at = 0;
	for (size_t i = 0; bar < b->n_steps && i < bar; i++)
		for (size_t k = 0; k < b->n_parts; k++)
			at += part_counts(b->bars[i].parts[k]) ? b->bars[i].parts[k] : 0;
	return at;
}

/* How far a part goes, to the left below 0. */
static double part_length(const struct bars *b, size_t bar, size_t part)
{
	double x = b->bars[bar].parts[part];
	return b->mirrored && part == 0 ? -x : x;
}

/* Positive parts stack to the right of the beginning and negative ones to the left. */
static struct extent part_extent(const struct bars *b, size_t bar, size_t part)
{
	double from = b->from_limit ? b->limit : begin_of(b, bar), x = part_length(b, bar, part);
	if (b->from_limit)
		return (struct extent){ from, x, fmin(from, x), fmax(from, x) };
	for (size_t i = 0; i < part; i++) {
		double before = part_length(b, bar, i);
		if (part_counts(before) && (before < 0) == (x < 0))
			from += before;
	}
	double to = part_counts(x) ? from + x : from;
	return (struct extent){ from, to, fmin(from, to), fmax(from, to) };
}

/* From the beginning to the sum of the parts, or from the limit to the one part. */
static struct extent bar_extent(const struct bars *b, size_t bar)
{
	double begin = begin_of(b, bar);
	struct extent e = { begin, begin, begin, begin };
	if (b->from_limit)
		return part_extent(b, bar, 0);
	for (size_t i = 0; i < b->n_parts; i++) {
		struct extent part = part_extent(b, bar, i);
		if (part_counts(b->bars[bar].parts[i]))
			e.end += part_length(b, bar, i);
		e.lo = fmin(e.lo, part.lo);
		e.hi = fmax(e.hi, part.hi);
	}
	return e;
}

static double bar_sum(const struct bars *b, size_t bar)
{
	double sum = 0;
	for (size_t i = 0; i < b->n_parts; i++)
		sum += b->bars[bar].parts[i];
	return sum;
}

static void widen(double *lo, double *hi, const struct bars *b)
{
	for (size_t i = 0; b && i < b->n_bars; i++) {
		struct extent e = bar_extent(b, i);
		if (isfinite(e.lo) && e.lo < *lo)
			*lo = e.lo;
		if (isfinite(e.hi) && e.hi > *hi)
			*hi = e.hi;
		double drawn = fmax(b->bars[i].mark, b->bars[i].was);
		*hi = isfinite(drawn) ? fmax(*hi, drawn) : *hi;
	}
}

static double least_above_zero(const struct bars *b, double least)
{
	for (size_t i = 0; b && i < b->n_bars; i++) {
		double x = b->from_limit ? bar_extent(b, i).lo : bar_extent(b, i).hi;
		least = x > 0 && x < least ? x : least;
	}
	return least;
}

/* A logarithmic scale begins at a power of ten, well below the shortest bar. */
static struct scale log_scale(const struct bars *b, const struct bars *ghost, double hi)
{
	double least = least_above_zero(b, b->limit > 0 ? b->limit : hi);
	least = least_above_zero(ghost, least);
	if (b->from_limit) { /* whole decades, and enough of them that the axis stays as it is */
		double below = fmin(least, b->limit / LEAST_BELOW),
		       above = fmax(hi, b->limit * LEAST_ABOVE);
		return (struct scale){ .lo = pow(10, floor(log10(below))),
			.hi = pow(10, ceil(log10(above))),
			.log = true };
	}
	double lo = pow(10, floor(log10(least / 2)));
	return (struct scale){ .lo = lo, .hi = hi, .log = true };
}

/* A scale wide enough for all bars, the ghost's too (or NULL), zero and the limit. Its columns are
 * not set yet. */
static struct scale bars_scale(const struct bars *b, const struct bars *ghost)
{
	struct scale s = { 0 };
	widen(&s.lo, &s.hi, b);
	widen(&s.lo, &s.hi, ghost);
	if (isfinite(b->limit)) {
		s.lo = fmin(s.lo, b->limit);
		s.hi = fmax(s.hi, b->limit);
	}
	if (!(s.hi > s.lo) || !isfinite(s.hi - s.lo))
		return (struct scale){ .hi = 1 };
	if (b->log && s.hi > 0)
		return log_scale(b, ghost, s.hi);
	/* A bar far beyond the limit would leave the others no room: the scale ends before it. */
	if (b->limit > 0 && !b->goal && s.hi > CUT_FROM * b->limit)
		s.hi = CUT_AT * b->limit;
	return s;
}

static bool bar_is_cut(const struct scale *s, const struct extent *e)
{
	return e->hi > s->hi * (1 + 1e-9);
}

static bool bar_over_limit(const struct bars *b, const struct extent *e)
{
	return isfinite(b->limit) && !b->from_limit && !b->goal && e->hi > b->limit;
}

/* -- Layout -------------------------------------------------------------------------------- */

struct layout {
	int cols;                               /* of all */
	int heading, legend, limit, mark, axis; /* rows of each */
	int below_legend;                       /* blank rows below it */
	bool beside;                            /* the legend stands in the title's row */
	int air;                                /* blank rows between bars, but for steps */
	int apart;                              /* blank rows between steps and the other bars */
	int thick;                              /* rows of a bar */
	int whole; /* more rows of the bar that the steps make up, where no other stands below it */
	bool low;  /* bars are lower than their rows, */
	bool keyed;             /* and all names stand in the legend, none in a part */
	bool above;             /* label and total stand above their bar */
	bool below;             /* the note stands below it */
	int label, value, note; /* columns of each */
	struct shown_unit unit; /* in which the longest bar is written */
	size_t shown;           /* bars that fit */
};

/* The unit that a chart counts in: that of its longest bar. It has no factor where there is none to share. */
static struct shown_unit unit_of_longest(const struct bars *b)
{
	double lo = 0, longest = 0;
	widen(&lo, &longest, b);
	if (b->log || b->shares || b->mirrored || !isfinite(longest))
		return (struct shown_unit){ .factor = 0 };
	return pick_unit(b->unit, longest);
}

/* A total in the unit that the axis counts in, so that bars and numbers compare; in its own where it is
 * less than a tenth of that, or where lengths are logarithms. */
static void one_unit(
	char *buf, size_t size, const struct bars *b, double sum, const struct shown_unit *shared)
{
	const double least = 0.1;
	const bool fits = shared->factor > 0 && fabs(sum / shared->factor) >= least;
	quantity_show(buf, size, sum, b->unit);
	const char *unit = strrchr(buf, ' ');
	bool shares = unit && strcmp(unit + 1, shared->name) == 0; /* seen without reading units */
	if (!fits || shares || pick_unit(b->unit, sum).factor == shared->factor)
		return;
	quantity_show(buf, size, sum / shared->factor, "");
	const size_t used = strlen(buf);
	snprintf(buf + used, size - used, " %s", shared->name);
}

/* Whether what a bar comes to is too much. A step that begins late ends late, and may be as long as it
 * should. */
static bool total_is_over(const struct bars *b, size_t bar, const struct extent *e)
{
	return bar >= b->n_steps && bar_over_limit(b, e);
}

/* The total as people write it: "! 96 GB" past the limit. */
static void total_text(char *buf, size_t size, const struct bars *b, size_t bar,
	const struct extent *e, const struct shown_unit *shared)
{
	char number[64];
	*buf = '\0';
	if (b->shares || b->mirrored)
		return;
	one_unit(number, sizeof number, b, bar_sum(b, bar), shared);
	snprintf(buf, size, "%s%s", total_is_over(b, bar, e) ? "! " : "", number);
}

/* The pinned bar of the same name. */
static const struct bar *find_ghost(
	const struct bars *ghost, const struct bars *b, size_t bar, struct extent *e)
{
	for (size_t i = 0; ghost && i < ghost->n_bars; i++)
		if (strcmp(ghost->bars[i].label, b->bars[bar].label) == 0) {
			*e = bar_extent(ghost, i);
			return &ghost->bars[i];
		}
	return NULL;
}

/* Whether some bar ends elsewhere than its pinned one. */
static bool differs(const struct bars *ghost, const struct bars *b)
{
	struct extent old;
	for (size_t i = 0; i < b->n_bars; i++)
		if (find_ghost(ghost, b, i, &old) &&
			fabs(old.end - bar_extent(b, i).end) > 1e-9 * fabs(old.end))
			return true; /* more than sums of the same shares do */
	return false;
}

/* Parts that no bar has are not named, nor those that a step has, whose name it is; absent has room for n_parts. */
static struct legend legend_of(
	const struct bars *b, const struct bars *ghost, enum glyphs glyphs, bool absent[MOST_PARTS])
{
	bool named = b->n_parts > 1 && (b->n_steps == 0 || b->n_parts <= MOST_PARTS);
	for (size_t i = 0; i < b->n_parts && i < MOST_PARTS; i++) {
		absent[i] = true;
		for (size_t k = 0; k < b->n_bars; k++)
			absent[i] &= !part_counts(b->bars[k].parts[i]);
		for (size_t k = 0; k < b->n_steps; k++)
			absent[i] |= part_counts(b->bars[k].parts[i]);
	}
	return (struct legend){ .names = b->part_names,
		.means = b->means,
		.absent = b->n_parts <= MOST_PARTS ? absent : NULL,
		.n = named ? b->n_parts : 0,
		.mark = differs(ghost, b) ? glyph_ghost(glyphs) : 0,
		.mark_name = ghost && ghost->called ? ghost->called : "pinned" };
}

static void measure(struct layout *l, const struct bars *b, enum glyphs glyphs)
{
	l->unit = unit_of_longest(b);
	for (size_t i = 0; i < b->n_bars; i++) {
		const struct bar *bar = &b->bars[i];
		struct extent e = bar_extent(b, i);
		char text[80];
		total_text(text, sizeof text, b, i, &e, &l->unit);
		l->label = max_int(l->label, text_cols(bar->label, glyphs));
		l->value = max_int(l->value, text_cols(text, glyphs));
		if (bar->note && !b->from_limit)
			l->note = max_int(l->note, text_cols(bar->note, glyphs));
	}
}

static int thickness(const struct layout *l, const struct bars *b, size_t bar)
{
	return l->thick + (b->n_steps > 0 && bar == b->n_steps ? l->whole : 0);
}

static int bar_height(const struct layout *l, const struct bars *b, size_t bar)
{
	const char *note = b->bars[bar].note;
	return thickness(l, b, bar) + l->above + (l->below && note && *note);
}

/* The rows of the first n bars with everything around them. */
static int height(const struct layout *l, const struct bars *b, size_t n)
{
	int rows = l->heading + l->legend + l->below_legend + l->limit + l->mark + l->axis;
	const size_t beside = n > b->n_steps ? n - b->n_steps : 0; /* not steps */
	rows += (beside ? (int)(beside - 1) * l->air : 0) + (beside ? l->apart : 0);
	for (size_t i = 0; i < n; i++)
		rows += bar_height(l, b, i);
	return rows;
}

/* An axis is for reading off what is not written: shares of one bar are its parts, and two bars have
 * their totals beside them, as mirrored ones have both of their numbers. A limit is one more number,
 * which one or two close bars have in their title. */
static bool has_axis(const struct bars *b)
{
	bool alone = b->n_bars == 1 && b->shares;
	bool few = b->n_bars == 2 || (b->n_bars == 1 && b->close && isfinite(b->limit));
	bool pair = few && !b->shares && !b->log && (!isfinite(b->limit) || b->close);
	return !alone && !pair && !b->mirrored;
}

/* The last bar that has a tick: that one says what the ticks are. */
static const struct bar *last_marked(const struct bars *b)
{
	for (size_t i = b->n_bars; b->mark_label && i-- > 0;)
		if (b->bars[i].mark > 0)
			return &b->bars[i];
	return NULL;
}

/* Gives up what matters least until the bars fit: first the blank rows, then the axis, the rows of
 * labels and notes, the title, the name of the limit and the legend; the last bars go only after all
 * of these. */
static void squeeze(struct layout *l, const struct bars *b, int rows)
{
	if (height(l, b, b->n_bars) > rows)
		l->air = 0;
	if (height(l, b, b->n_bars) > rows)
		l->axis = 0;
	if (height(l, b, b->n_bars) > rows)
		l->above = l->below = false;
	if (height(l, b, b->n_bars) > rows)
		l->heading = 0;
	if (height(l, b, b->n_bars) > rows)
		/* a rule without a name is a riddle, so it keeps its row longer */
		l->limit = l->mark = 0;
	if (height(l, b, b->n_bars) > rows)
		l->legend = rows > 4 ? l->legend : 0;
	if (!l->axis && has_axis(b) && height(l, b, b->n_bars) + AXIS <= rows)
		l->axis = AXIS; /* what went after it made room */
	l->shown = b->n_bars;
	while (l->shown && height(l, b, l->shown) + (l->shown < b->n_bars) > rows)
		l->shown--;
}

static struct layout layout(
	const struct bars *b, const struct bars *ghost, int rows, int cols, enum glyphs glyphs)
{
	bool absent[MOST_PARTS];
	struct legend legend = legend_of(b, ghost, glyphs, absent);
	struct layout l = {
		.heading = heading_rows(b->title, NULL, cols, glyphs),
		.cols = cols,
		.legend = legend_rows(&legend, cols, glyphs),
		.limit = isfinite(b->limit) && b->limit_label,
		.mark = last_marked(b) != NULL,
		.axis = has_axis(b) ? AXIS : 0,
		.air = b->n_bars <= AIRY && !b->close,
		.apart = b->n_steps > 0,
		.thick = 1,
	};
	l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
	measure(&l, b, glyphs);
	int room = cols - l.label - GAP - GAP - l.value;
	l.above = room < LEAST_BAR;
	int least = l.above ? 0 : l.note <= SHORT_NOTE ? LEAST_BAR : LEAST_BAR_WITH_NOTE;
	l.below = l.note && room - GAP - l.note < least;
	squeeze(&l, b, rows);
	return l;
}

/* The note cut after as many clauses as fit in `cols` columns, in buf; the whole note where not
 * even the first clause fits. */
static const char *clauses(const char *note, int cols, enum glyphs glyphs, char *buf, size_t size)
{
	snprintf(buf, size, "%s", note);
	for (size_t i = strlen(buf); i-- > 1 && text_cols(buf, glyphs) > cols;)
		if (buf[i - 1] == ',' && buf[i] == ' ')
			buf[i - 1] = '\0';
	return text_cols(buf, glyphs) <= cols ? buf : note;
}

static int widest_clauses(const struct bars *b, int cols, enum glyphs glyphs)
{
	char buf[160];
	int widest = 0;
	for (size_t i = 0; i < b->n_bars; i++) {
		const char *note = b->bars[i].note;
		note = note ? clauses(note, cols, glyphs, buf, sizeof buf) : "";
		widest = max_int(widest, text_cols(note, glyphs));
	}
	return widest < cols ? widest : cols;
}

/* Chooses the columns of the bars themselves. Where the labels do not fit beside them and there are
 * no rows to put them above, the notes lose clauses, and then labels and notes are cut. */
static void place_scale(
	struct layout *l, struct scale *s, const struct bars *b, int cols, enum glyphs glyphs)
{
	if (l->above) {
		s->col = 0;
		s->width = cols;
		return;
	}
	if (l->below)
		l->note = 0;
	int room = cols - GAP - GAP - l->value - LEAST_BAR / 2;
	if (l->label + (l->note ? GAP + l->note : 0) > room)
		l->note = widest_clauses(b, max_int(0, room - l->label - GAP), glyphs);
	if (l->label > room)
		l->label = max_int(0, room);
	s->col = l->label + (l->label ? GAP : 0);
	s->width = cols - s->col - GAP - l->value - (l->note ? GAP + l->note : 0);
	if (s->width < 4) { /* a bar and its name, without numbers */
		l->value = l->note = 0;
		s->width = cols - s->col;
	}
}

/* -- Drawing ------------------------------------------------------------------------------- */

static uint32_t eighth(int eighths)
{
	return 0x2590 - (uint32_t)eighths; /* U+258F is one eighth of a column, U+2588 all of it */
}

/* One part, between two values. The last part of a bar, if it is solid, may end inside a cell. */
static void part_draw(const struct pane *p, int row, const struct scale *s, double from, double to,
	struct fill fill, bool last)
{
	double a = scale_at(s, fmin(from, to)), z = scale_at(s, fmax(from, to));
	int first = (int)lround(a), end = (int)lround(z), eighths = 0;
	if (last && to > from && fill_is_solid(fill)) {
		end = (int)z;
		eighths = (int)lround((z - end) * 8);
	}
	for (int i = first; i < end; i++)
		fill_put(p, row, s->col + i, fill);
	if (eighths > 0 && end >= first && end < s->width)
		pane_put(p, row, s->col + end, eighth(eighths), fill.style, 0);
	else if (end <= first && last && first < s->width && p->cv->glyphs != GLYPHS_ASCII)
		pane_put(p, row, s->col + first, eighth(1), fill.style, 0);
}

static struct fill bar_fill(const struct canvas *cv, const struct bars *b, size_t bar, size_t part)
{
	struct fill fill = fill_of(cv, b->means, b->n_parts, part);
	if (b->n_parts == 1 && b->bars[bar].role != ROLE_PLAIN)
		fill.style = role_style(b->bars[bar].role);
	return fill;
}

/* Parts that differ in texture begin and end with a column. */
static void textured_draw(
	const struct pane *p, int row, const struct scale *s, const struct bars *b, size_t bar)
{
	size_t last = b->n_parts;
	while (last > 0 && !part_counts(b->bars[bar].parts[last - 1]))
		last--;
	for (size_t i = 0; i < last; i++) {
		struct extent e = part_extent(b, bar, i);
		if (part_counts(b->bars[bar].parts[i]))
			part_draw(p, row, s, e.start, e.end, bar_fill(p->cv, b, bar, i),
				i + 1 == last);
	}
}

/* A part of a bar on the row, in columns from the left end of the scale. */
struct stretch {
	double from, to;
	struct fill fill;
};

enum { MOST_STRETCHES = 64 };

/* The parts of a bar from left to right. One that is not zero is at least an eighth of a column
 * wide, so that it can be seen; those after it give way. Where the scale ends before the bar, what
 * lies beyond is not there: the rest is to scale. */
static size_t stretches_of(const struct pane *p, const struct scale *s, const struct bars *b,
	size_t bar, struct stretch list[MOST_STRETCHES])
{
	const struct extent all = bar_extent(b, bar);
	const bool cut = bar_is_cut(s, &all);
	size_t n = 0;
	for (size_t i = 0; i < b->n_parts && n < MOST_STRETCHES; i++) {
		struct extent e = part_extent(b, bar, i);
		if (!part_counts(b->bars[bar].parts[i]) || (cut && scale_at(s, e.lo) >= s->width))
			continue;
		struct stretch new = { scale_at(s, e.lo), scale_at(s, e.hi),
			bar_fill(p->cv, b, bar, i) };
		size_t at = n++;
		for (; at > 0 && list[at - 1].from > new.from; at--)
			list[at] = list[at - 1];
		list[at] = new;
	}
	/* The limit has a column of its own, from which the bar goes. */
	if (b->from_limit && n > 0) {
		int limit = scale_col(s, b->limit) - s->col;
		bool right = b->bars[bar].parts[0] > b->limit;
		list[0].from = right ? limit + 1 : list[0].from;
		list[0].to = right ? list[0].to : limit;
	}
	double end = 0;
	for (size_t i = 0; i < n; i++) {
		struct stretch *t = &list[i];
		t->from = fmax(t->from, end);
		t->to = fmin(fmax(t->to, t->from + 0.125), s->width);
		end = t->to;
	}
	return n;
}

/* One column: one part fills it, or two share it at an eighth. Of three and more the first stays, and
 * the other is one that has no other column, if there is one. */
static void column_draw(
	const struct pane *p, int row, int col, int at, const struct stretch list[], size_t n)
{
	const struct stretch *first = NULL, *second = NULL;
	for (size_t i = 0; i < n; i++) {
		const struct stretch *t = &list[i];
		if (t->to <= at + 0.03 || t->from >= at + 0.97)
			continue;
		if (!first)
			first = t;
		else if (!second || (t->from >= at && t->to <= at + 1 && second->to > at + 1))
			second = t;
	}
	if (!first)
		return;
	double end = fmin(first->to, at + 1) - at, begin = fmax(first->from, at) - at;
	int eighths = (int)lround(8 * end), before = (int)lround(8 * begin);
	if (before > 0 && end > 0.97 && fill_is_solid(first->fill)) {
		/* It begins inside the column: the rest is drawn, in the colour of the ground. */
		pane_put(p, row, col, eighth(min_int(before, 7)), first->fill.style, ATTR_REVERSE);
		return;
	}
	eighths = eighths < 1 ? 1 : eighths > 7 && second ? 7 : eighths;
	if (eighths >= 8 || !fill_is_solid(first->fill)) {
		fill_put(p, row, col, first->fill);
		return;
	}
	pane_put(p, row, col, eighth(eighths), first->fill.style, 0);
	if (second)
		pane_under(p, row, col, second->fill.style);
}

static void solid_draw(
	const struct pane *p, int row, const struct scale *s, const struct bars *b, size_t bar)
{
	struct stretch list[MOST_STRETCHES];
	const size_t n = stretches_of(p, s, b, bar, list);
	for (int i = 0; i < s->width; i++)
		column_draw(p, row, s->col + i, i, list, n);
}

/* Low bars are made of whole columns: a cell in which one part ends and the next begins has no colour to spare for the
 * line at its foot. Every part has a column at least, which the widest one gives. */
static void share_columns(
	const struct stretch list[], size_t n, int first, int cols[MOST_STRETCHES])
{
	const int all = (int)lround(list[n - 1].to) - first;
	int end = first, taken = 0;
	for (size_t i = 0; i < n; i++) {
		const int to = (int)lround(list[i].to);
		cols[i] = max_int(to - end, 1);
		end = max_int(end, to);
		taken += cols[i];
	}
	for (; taken > all && taken > (int)n; taken--) {
		size_t widest = 0;
		for (size_t i = 1; i < n; i++)
			widest = cols[i] > cols[widest] ? i : widest;
		cols[widest]--;
	}
}

/* A bar that has others right above or below it: a line in the terminal's ground at the foot of every cell parts it
 * from the next, and no name stands in it, for a cell with a letter has all of its row. A bar of less than a column
 * keeps its width: the number beside it has more to say. */
static void low_row_draw(
	const struct pane *p, int row, const struct scale *s, const struct bars *b, size_t bar)
{
	struct stretch list[MOST_STRETCHES];
	int cols[MOST_STRETCHES];
	const size_t n = stretches_of(p, s, b, bar, list);
	if (n == 0 || list[n - 1].to - list[0].from < 1) {
		solid_draw(p, row, s, b, bar);
		return;
	}
	int at = (int)lround(list[0].from);
	share_columns(list, n, at, cols);
	for (size_t i = 0; i < n; i++)
		for (int k = 0; k < cols[i] && at < s->width; k++, at++)
			if (fill_is_solid(list[i].fill))
				low_put(p, row, s->col + at, list[i].fill.style);
			else
				fill_put(p, row, s->col + at, list[i].fill);
}

static void parts_draw(
	const struct pane *p, int row, const struct scale *s, const struct bars *b, size_t bar)
{
	if (p->cv->fills == FILLS_TEXTURED)
		textured_draw(p, row, s, b, bar);
	else
		solid_draw(p, row, s, b, bar);
}

/* -- Names in the parts -------------------------------------------------------------------- */

/* The columns of a part in which a name may stand: those on the wider side of a rule through it. */
struct room {
	int from, to;
};

static void keep_clear(struct room *r, const struct scale *s, double rule)
{
	int col = isfinite(rule) && rule > 0 ? scale_upright(s, rule).col - s->col : -1;
	if (col < r->from || col >= r->to)
		return;
	if (col - r->from > r->to - col)
		r->to = col;
	else
		r->from = col + 1;
}

/* A part's name stands in it, reversed, where the part is solid and has room for it. */
static bool name_fits(const struct canvas *cv, const struct scale *s, const struct bars *b,
	size_t bar, size_t part, struct room *room)
{
	struct extent e = part_extent(b, bar, part);
	bool wanted = b->n_steps == 0 || bar == b->n_steps; /* steps name the parts of the others */
	if (cv->fills == FILLS_TEXTURED || b->n_parts < 2 || !b->part_names || !wanted ||
		!part_counts(b->bars[bar].parts[part]) ||
		!fill_is_solid(bar_fill(cv, b, bar, part)))
		return false;
	int name = text_cols(b->part_names[part], cv->glyphs);
	*room = (struct room){ (int)ceil(scale_at(s, e.lo)), (int)floor(scale_at(s, e.hi)) };
	if (name + AROUND > room->to - room->from)
		return false;
	keep_clear(room, s, b->limit);
	keep_clear(room, s, b->bars[bar].mark);
	return name + AROUND - 1 <= room->to - room->from;
}

static bool named_before(const struct canvas *cv, const struct scale *s, const struct bars *b,
	size_t bar, size_t part)
{
	struct room room;
	for (size_t i = 0; i < bar; i++)
		if (name_fits(cv, s, b, i, part, &room))
			return true;
	return false;
}

/* Each part is named once, in the first bar that has room for its name: its colour says the rest. */
static void names_draw(const struct pane *p, int row, const struct scale *s, const struct bars *b,
	size_t bar, bool once)
{
	for (size_t i = 0; i < b->n_parts; i++) {
		struct room room;
		if (!name_fits(p->cv, s, b, bar, i, &room) ||
			(once && named_before(p->cv, s, b, bar, i)))
			continue;
		int width = text_cols(b->part_names[i], p->cv->glyphs);
		int col = s->col + room.from + (room.to - room.from - width) / 2;
		enum style style = bar_fill(p->cv, b, bar, i).style;
		pane_text(p, row, col, width, b->part_names[i], style, ATTR_REVERSE);
	}
}

/* -- The limit ----------------------------------------------------------------------------- */

/* What lies past the limit keeps its colour and gets an edge; where there is only texture, it gets
 * the colour of what is wrong. */
static void edge_draw(const struct pane *p, int row, int from, int to, bool last)
{
	if (p->cv->fills == FILLS_TEXTURED) {
		pane_restyle(p, (struct rect){ row, from, 1, to - from }, STYLE_BAD, 0);
		return;
	}
	for (int col = from; last && col < to; col++) {
		const struct cell *c = pane_cell(p, row, col);
		if (c && (c->code == FULL_BLOCK || low_is(c))) {
			enum style part = (enum style)c->style;
			pane_put(p, row, col, FOOT, STYLE_BAD, 0);
			pane_under(p, row, col, part);
		}
	}
}

static enum style note_style(const struct bar *bar)
{
	return bar->role == ROLE_PLAIN ? STYLE_DIM : role_style(bar->role);
}

static enum style limit_style(const struct bars *b, bool over)
{
	return over && !b->from_limit ? STYLE_BAD : STYLE_PLAIN;
}

/* Where a rule through the bars stands: low bars give it a column, in the middle of which it is, as do those that go
 * from the limit. */
static struct upright rule_at(
	const struct layout *l, const struct scale *s, const struct bars *b, double value)
{
	if (l->low || (b->from_limit && value == b->limit))
		return (struct upright){ scale_col(s, value), UPRIGHT_MIDDLE };
	return scale_upright(s, value);
}

/* Draws the limit over the bar. */
static void limit_draw(const struct pane *p, int row, const struct layout *l, const struct scale *s,
	const struct bars *b, const struct extent *e, bool last)
{
	const struct upright at = rule_at(l, s, b, b->limit);
	bool over = e && bar_over_limit(b, e), crossed = over && e->lo < b->limit;
	if (over)
		edge_draw(p, row, max_int(at.col + 1, scale_col(s, e->lo)),
			(int)ceil(scale_at(s, e->hi)) + s->col, last);
	uint32_t code = b->from_limit ? glyph_or(p->cv->glyphs, 0x2502, '|')
			: crossed     ? glyph_crossed(p->cv->glyphs)
				      : glyph_limit(p->cv->glyphs);
	rule_put(p, row, at, code, limit_style(b, crossed), ATTR_BOLD);
}

/* A bar that goes away from the limit has its note in it, or else beside the limit where it is not. */
static void note_at_bar(const struct pane *p, int row, const struct scale *s, const struct bars *b,
	size_t bar, const struct extent *e, bool low)
{
	const struct bar *this = &b->bars[bar];
	int width = this->note ? text_cols(this->note, p->cv->glyphs) : 0;
	int from = (int)ceil(scale_at(s, e->lo)), to = (int)floor(scale_at(s, e->hi));
	int limit = scale_col(s, b->limit) - s->col;
	bool right = e->end > e->start;
	from = right ? limit + 1 : from;
	if (width == 0)
		return;
	if (to - from > width + 1 && !low && p->cv->fills != FILLS_TEXTURED)
		pane_text(p, row, s->col + (right ? to - width - 1 : from + 1), width, this->note,
			bar_fill(p->cv, b, bar, 0).style, ATTR_REVERSE);
	else if (!right && limit + 2 + width <= s->width)
		pane_text(p, row, s->col + limit + 2, width, this->note, note_style(this), 0);
	else if (right && to + 2 + width <= s->width)
		pane_text(p, row, s->col + to + 2, width, this->note, note_style(this), 0);
	else if (from - 1 >= width)
		pane_text(
			p, row, s->col + from - 1 - width, width, this->note, note_style(this), 0);
}

static void total_draw(const struct pane *p, int row, int col, const struct layout *l,
	const struct bars *b, size_t bar, const struct extent *e)
{
	char text[80];
	bool over = total_is_over(b, bar, e);
	total_text(text, sizeof text, b, bar, e, &l->unit);
	pane_fit_right(p, row, max_int(0, col), l->value, text,
		over ? STYLE_BAD : role_style(b->bars[bar].role), over ? ATTR_BOLD : 0);
}

/* Writes label, total and, where it fits, the note on the row above the bar. */
static void words_above(const struct pane *p, int row, const struct layout *l, const struct bars *b,
	size_t bar, const struct extent *e)
{
	const struct bar *this = &b->bars[bar];
	int room = max_int(0, p->r.cols - l->value - GAP);
	int used = pane_fit(p, row, 0, room, this->label, STYLE_PLAIN, 0);
	if (this->note && l->below)
		pane_fit(p, row + 2, 0, -1, this->note, note_style(this), 0);
	else if (this->note && !b->from_limit && room > used + GAP)
		pane_fit(p, row, used + GAP, room - used - GAP, this->note, note_style(this), 0);
	total_draw(p, row, p->r.cols - l->value, l, b, bar, e);
}

static void words_beside(const struct pane *p, int row, const struct layout *l,
	const struct scale *s, const struct bars *b, size_t bar, const struct extent *e)
{
	const struct bar *this = &b->bars[bar];
	char buf[160];
	int value = s->col + s->width + GAP, thick = thickness(l, b, bar);
	int middle = row + (thick - 1) / 2;
	pane_fit(p, middle, 0, l->label, this->label, STYLE_PLAIN, 0);
	if (l->value)
		total_draw(p, middle, value, l, b, bar, e);
	if (this->note && l->below)
		pane_fit(p, row + thick, s->col, -1, this->note, note_style(this), 0);
	else if (this->note && l->note)
		pane_fit(p, middle, value + l->value + GAP, l->note,
			clauses(this->note, l->note, p->cv->glyphs, buf, sizeof buf),
			note_style(this), 0);
}

/* Says what stands at a value, above or below it. */
static void value_label_draw(const struct pane *p, int row, const struct scale *s,
	const char *label, double value, const char *unit, enum style style)
{
	char number[48], text[160];
	quantity_show(number, sizeof number, value, unit);
	snprintf(text, sizeof text, "%s %s", label, number);
	int width = text_cols(text, p->cv->glyphs), col = scale_upright(s, value).col - width / 2;
	if (col + width > p->r.cols)
		col = p->r.cols - width;
	pane_fit(p, row, max_int(0, col), -1, text, style, 0);
}

/* The way from the end of this bar to where the one before it ended: what was taken off. */
static void way_draw(const struct pane *p, int row, const struct scale *s, double end, double was)
{
	const struct upright at = scale_upright(s, was);
	const enum glyphs glyphs = p->cv->glyphs;
	int from = (int)ceil(scale_at(s, end)), to = at.col - s->col;
	for (int i = from; i < to; i++)
		pane_put(p, row, s->col + i, glyph_or(glyphs, 0x2500, '-'), STYLE_DIM, 0);
	if (to >= from)
		pane_put(p, row, at.col, upright_glyph(glyphs, at, glyph_or(glyphs, 0x2524, '|')),
			STYLE_DIM, 0);
}

/* Whether a part's name stands there, which nothing may cut. */
static bool names_at(const struct pane *p, int row, int col)
{
	const struct cell *c = pane_cell(p, row, col);
	return c && c->code > ' ' && c->code < 0x2000;
}

static void bar_draw(const struct pane *p, int row, const struct layout *l, const struct scale *s,
	const struct bars *b, size_t bar, const struct bars *ghost, const struct extent *e)
{
	struct extent old = { 0, 0, 0, 0 };
	if (l->above)
		words_above(p, row, l, b, bar, e);
	else
		words_beside(p, row, l, s, b, bar, e);
	row += l->above;
	bool ghosted =
		find_ghost(ghost, b, bar, &old) && scale_col(s, old.end) != scale_col(s, e->end);
	const struct bar *this = &b->bars[bar];
	int thick = thickness(l, b, bar);
	for (int i = 0; i < thick; i++) {
		(l->low ? low_row_draw : parts_draw)(p, row + i, s, b, bar);
		if (i == (thick - 1) / 2) {
			if (!l->keyed)
				names_draw(p, row + i, s, b, bar, true);
			if (this->was > e->hi)
				way_draw(p, row + i, s, e->hi, this->was);
		}
		if (this->mark > 0)
			rule_put(p, row + i, rule_at(l, s, b, this->mark),
				glyph_crossed(p->cv->glyphs), role_style(this->role), ATTR_BOLD);
		if (ghosted && !names_at(p, row + i, scale_upright(s, old.end).col))
			rule_put(p, row + i, rule_at(l, s, b, old.end), glyph_ghost(p->cv->glyphs),
				STYLE_DIM, 0);
		if (isfinite(b->limit))
			limit_draw(p, row + i, l, s, b, e, i + 1 == thick);
		if (b->from_limit && i == (l->thick - 1) / 2)
			note_at_bar(p, row + i, s, b, bar, e, l->low);
		if (bar_is_cut(s, e))
			pane_put(p, row + i, s->col + s->width - 1,
				glyph_or(p->cv->glyphs, 0x25b6, '>'), STYLE_BAD, ATTR_BOLD);
	}
}

/* Returns the row below the last bar. */
static int rows_draw(const struct pane *p, int top, const struct layout *l, const struct scale *s,
	const struct bars *b, const struct bars *ghost)
{
	int row = top;
	for (size_t i = 0; i < l->shown; i++) {
		struct extent e = bar_extent(b, i);
		row += i > b->n_steps ? l->air : 0;
		row += i > 0 && i == b->n_steps ? l->apart : 0;
		bar_draw(p, row, l, s, b, i, ghost, &e);
		row += bar_height(l, b, i);
	}
	/* The limit goes on between the bars, behind the words. */
	int limit = rule_at(l, s, b, b->limit).col;
	for (int i = top; isfinite(b->limit) && i < row; i++)
		if (pane_blank(p, i, limit) && pane_blank(p, i, limit - 1))
			limit_draw(p, i, l, s, b, NULL, false);
	return row;
}

/* Bars fill the rows that are there: first a blank row between them, then three rows each, so that names and numbers
 * stand in their middle, then more air, and a row between them and their legend; or at least the bar that the steps
 * make up, or the room below the steps. */
static void thicken(struct layout *l, const struct bars *b, int rows)
{
	if (l->shown < b->n_bars)
		return;
	/* What steps take is written beside each: the axis gives its rows for air between the bars below. */
	struct layout no_axis = *l;
	no_axis.axis = 0;
	no_axis.air = 1;
	if (b->n_steps > 0 && height(&no_axis, b, b->n_bars) <= rows &&
		height(&no_axis, b, b->n_bars) + l->axis > rows)
		*l = no_axis;
	for (int thick = 1; thick <= THICKEST; thick += 2) {
		struct layout thicker = *l;
		thicker.thick = thick;
		thicker.air = 1;
		if (height(&thicker, b, b->n_bars) <= rows)
			*l = thicker;
	}
	struct layout airy = *l;
	airy.air++;
	/* two that are weighed stand close: more air would part them */
	if (l->air > 0 && l->thick == 1 && b->n_bars > 2 && height(&airy, b, b->n_bars) <= rows)
		*l = airy;
	if (l->legend > 0 && height(l, b, b->n_bars) < rows)
		l->below_legend = 1;
	/* Beside others that it is compared with, it would look larger than it is. */
	const bool alone = b->n_steps > 0 && b->n_bars == b->n_steps + 1;
	l->whole = alone && l->thick < THICKEST ? THICKEST - l->thick : 0;
	if (height(l, b, b->n_bars) > rows)
		l->whole = 0;
	if (b->n_steps > 0 && !alone && height(l, b, b->n_bars) < rows)
		l->apart = 2;
}

/* Before an audience bars take all rows: a third as much air between them as they are thick. One
 * alone is no wall. */
static void grow(struct layout *l, const struct bars *b, int rows)
{
	const int thickest = max_int(THICKEST_GROWN, 3 * rows / 10);
	const int most = b->n_bars == 1 ? min_int(thickest, rows / 2) : thickest;
	for (int thick = l->thick + 2; thick <= most && l->shown == b->n_bars; thick += 2) {
		struct layout thicker = *l;
		thicker.thick = thick;
		thicker.whole = 0;
		thicker.air = max_int(l->air, min_int(thick / MOST_AIR, MOST_AIR));
		if (height(&thicker, b, b->n_bars) <= rows)
			*l = thicker;
	}
}

/* Whether a bar stands right below another. */
static bool run_together(const struct layout *l, const struct bars *b)
{
	if (l->above || l->air > 0 || l->thick > 1)
		return false;
	for (size_t i = 1; i < l->shown; i++)
		if (bar_height(l, b, i - 1) == thickness(l, b, i - 1) &&
			!(i == b->n_steps && l->apart))
			return true;
	return false;
}

/* A legend of one row stands beside a title that leaves room for it; a title for which there was no row comes
 * back so. */
static void share_title_row(
	struct layout *l, const struct legend *legend, const struct bars *b, enum glyphs glyphs)
{
	l->beside = l->legend == 1 && heading_rows(b->title, NULL, l->cols, glyphs) == 1 &&
		    legend_fits_beside(text_cols(b->title, glyphs), legend, l->cols, glyphs);
	if (!l->beside)
		return;
	l->heading = 1;
	l->legend = 0;
}

/* Whether no bar has two parts: then a part is a kind of bar, and its name belongs to all bars of the kind. */
static bool parts_are_kinds(const struct bars *b)
{
	for (size_t bar = 0; bar < b->n_bars; bar++) {
		size_t n = 0;
		for (size_t i = 0; i < b->n_parts; i++)
			n += part_counts(b->bars[bar].parts[i]);
		if (n > 1)
			return false;
	}
	return b->n_bars > 1 && b->n_parts > 1;
}

/* A part whose name stands in a bar needs none in the legend. Names that are scattered over bars and the legend are a
 * puzzle: then all of them stand in the legend, if that has no more rows. */
static void leave_out_named(struct layout *l, const struct legend *legend, bool absent[MOST_PARTS],
	const struct canvas *cv, const struct scale *s, const struct bars *b)
{
	struct room room;
	bool all[MOST_PARTS], rest = false, scattered = parts_are_kinds(b);
	size_t home = l->shown;
	memcpy(all, absent, sizeof all);
	int full = legend_rows(legend, l->cols, cv->glyphs);
	for (size_t i = 0; i < b->n_parts && i < MOST_PARTS; i++) {
		for (size_t bar = 0; bar < l->shown && !absent[i]; bar++) {
			absent[i] = name_fits(cv, s, b, bar, i, &room);
			scattered |= absent[i] && home < l->shown && bar != home;
			home = absent[i] ? bar : home;
		}
		rest |= !absent[i];
	}
	int rows = legend_rows(legend, l->cols, cv->glyphs);
	l->keyed = rest && scattered && rows == full && full <= l->legend;
	if (l->keyed)
		memcpy(absent, all, sizeof all);
	l->legend = min_int(l->legend, rows);
	share_title_row(l, legend, b, cv->glyphs);
}

/* Where bars touch all names stand in the legend, which has no more rows than let all bars be seen. */
static void key_low(struct layout *l, const struct legend *legend, const struct canvas *cv,
	const struct bars *b, int rows)
{
	l->low = l->keyed = true;
	l->legend = min_int(MAX_LEGEND, legend_rows(legend, l->cols, cv->glyphs));
	share_title_row(l, legend, b, cv->glyphs);
	while (l->legend > 1 && height(l, b, b->n_bars) > rows)
		l->legend--;
}

/* The rows of names that stand in their parts may be those that the title lacked, or the axis. */
static void restore(struct layout *l, const struct bars *b, int rows, enum glyphs glyphs)
{
	const int heading = heading_rows(b->title, NULL, l->cols, glyphs);
	if (!l->heading && l->shown == b->n_bars && height(l, b, b->n_bars) + heading <= rows)
		l->heading = heading;
	if (!l->axis && has_axis(b) && l->shown == b->n_bars &&
		height(l, b, b->n_bars) + AXIS <= rows)
		l->axis = AXIS;
}

static bool fits(const struct layout *l, const struct bars *b, int rows)
{
	return height(l, b, l->shown) + (l->shown < b->n_bars) <= rows;
}

/* Gives names their places and bars their rows: names stand in the bars that have room, or where bars touch in the
 * legend. */
static void lower(struct layout *l, const struct legend *legend, bool absent[MOST_PARTS],
	const struct canvas *cv, const struct scale *s, const struct bars *b, int rows)
{
	struct layout low = *l;
	bool unnamed[MOST_PARTS];
	memcpy(unnamed, absent, sizeof unnamed);
	leave_out_named(l, legend, absent, cv, s, b);
	restore(l, b, rows, cv->glyphs);
	thicken(l, b, rows);
	if (!run_together(l, b) || cv->fills == FILLS_TEXTURED || cv->glyphs == GLYPHS_ASCII)
		return;
	memcpy(absent, unnamed, sizeof unnamed);
	key_low(&low, legend, cv, b, rows);
	while (low.shown > 0 && !fits(&low, b, rows))
		low.shown--;
	restore(&low, b, rows, cv->glyphs);
	thicken(&low, b, rows);
	low.low = run_together(&low, b);
	*l = low;
}

static struct scale stack_scale(const struct bars *b, size_t bar, int col, int cols)
{
	double hi = bar_extent(b, bar).hi;
	return (struct scale){ .hi = hi > 0 ? hi : 1, .col = col, .width = cols };
}

void bars_stack_draw(const struct pane *p, int row, int col, int cols, const struct bars *b,
	size_t bar, bool names)
{
	struct scale s = stack_scale(b, bar, col, cols);
	parts_draw(p, row, &s, b, bar);
	if (names)
		names_draw(p, row, &s, b, bar, false);
}

bool bars_stack_names(
	const struct canvas *cv, const struct bars *b, size_t bar, size_t part, int cols)
{
	struct scale s = stack_scale(b, bar, 0, cols);
	struct room room;
	return name_fits(cv, &s, b, bar, part, &room);
}

/* The bars without their steps, which go first where room is scarce. */
static struct bars without_steps(const struct bars *b)
{
	struct bars rest = *b;
	if (b->n_steps)
		rest.bars += b->n_steps;
	rest.n_bars -= b->n_steps;
	rest.n_steps = 0;
	return rest;
}

void bars_draw(struct canvas *cv, struct rect r, const struct bars *b, const struct bars *ghost)
{
	struct pane p = pane_of(cv, r);
	bool absent[MOST_PARTS];
	int boxes = b->chain ? flow_rows(b, p.r.cols) : 0;
	struct bars rest = without_steps(b);
	if (b->n_steps > 0 && layout(b, ghost, p.r.rows, p.r.cols, cv->glyphs).shown < b->n_bars)
		b = &rest;
	if (boxes > 0 && boxes <= p.r.rows) {
		flow_draw(cv, r, b);
		return;
	}
	struct legend legend = legend_of(b, ghost, cv->glyphs, absent);
	struct layout l = layout(b, ghost, p.r.rows, p.r.cols, cv->glyphs);
	struct scale s = bars_scale(b, ghost);
	place_scale(&l, &s, b, p.r.cols, cv->glyphs);
	if (s.width < 1)
		return;
	lower(&l, &legend, absent, cv, &s, b, p.r.rows);
	if (cv->grows) {
		grow(&l, b, p.r.rows);
		l.low = l.low && run_together(&l, b);
	}
	int row = l.heading ? heading_draw(&p, 0, b->title, NULL) : 0;
	if (l.beside)
		legend_draw_beside(&p, 0, text_cols(b->title, cv->glyphs), &legend);
	if (l.legend)
		row += legend_draw(&p, row, l.legend, &legend) + l.below_legend;
	if (l.limit)
		value_label_draw(
			&p, row++, &s, b->limit_label, b->limit, b->unit, limit_style(b, false));
	row = rows_draw(&p, row, &l, &s, b, ghost);
	const struct bar *marked = last_marked(b);
	if (l.mark && marked)
		value_label_draw(&p, row++, &s, b->mark_label, marked->mark, b->unit,
			role_style(marked->role));
	if (l.shown < b->n_bars)
		pane_printf(&p, row++, 0, -1, STYLE_DIM, 0, "+ %zu more", b->n_bars - l.shown);
	if (l.axis && l.shown)
		scale_axis_draw(&p, row, &s, b->unit);
}

/* How it is laid out in so many rows. Where parts are solid, those with their names in them need no
 * legend. */
static struct layout layout_within(const struct bars *b, int rows, int cols)
{
	bool absent[MOST_PARTS];
	const struct canvas solid = { .glyphs = GLYPHS_LINES, .fills = FILLS_TINTED };
	struct legend legend = legend_of(b, NULL, GLYPHS_LINES, absent);
	struct layout l = layout(b, NULL, rows, cols, GLYPHS_LINES);
	struct scale s = bars_scale(b, NULL);
	place_scale(&l, &s, b, cols, GLYPHS_LINES);
	if (s.width >= 1 && run_together(&l, b))
		key_low(&l, &legend, &solid, b, rows);
	else if (s.width >= 1)
		leave_out_named(&l, &legend, absent, &solid, &s, b);
	restore(&l, b, rows, GLYPHS_LINES);
	return l;
}

int bars_rows(const struct bars *b, int cols)
{
	enum { PLENTY = 1 << 20 };
	int boxes = b->chain ? flow_wish(b, cols) : 0;
	if (boxes > 0)
		return boxes;
	struct layout l = layout_within(b, PLENTY, cols);
	return height(&l, b, b->n_bars);
}

int bars_filled(const struct bars *b, int rows, int cols)
{
	if (b->chain && flow_wish(b, cols) > 0)
		return rows;
	struct layout l = layout_within(b, rows, cols);
	if (l.shown < b->n_bars)
		return rows;
	thicken(&l, b, rows);
	return min_int(rows, height(&l, b, b->n_bars));
}

int bars_tight_rows(const struct bars *b, int cols)
{
	int blank = !b->chain && b->n_bars > 0 && b->n_bars <= AIRY ? (int)b->n_bars - 1 : 0;
	return bars_rows(b, cols) - blank;
}
