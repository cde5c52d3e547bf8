/* Horizontal stacked bars and waterfalls: label, bar, total, a few words. */
#include "ui/figure_view.h"
#include "sims/quantity.h"
#include "ui/views/parts.h"

#include <math.h>
#include <string.h>

enum {
	GAP = 2,		/* columns between label, bar, total and note */
	LEAST_BAR = 16,		/* columns; with less, labels go above their bars */
	AIRY = 6,		/* so many bars still get a blank row between them */
	MAX_LEGEND = 3,
	AXIS = 2
};

struct layout {
	int title, legend, limit, axis;	/* rows of each */
	int pitch;			/* rows from one bar to the next */
	bool stacked;			/* the label stands above its bar */
	int label, value, note;		/* columns of each */
	size_t shown;			/* bars that fit */
};

/* Where a bar starts and ends, and how far its parts reach. */
struct extent {
	double start, end, lo, hi;
};

static bool counts(double x)
{
	return !isnan(x) && x != 0;
}

/* In a waterfall the parts follow each other, each from where the last one ended; otherwise
 * positive parts stack to the right of zero and negative ones to the left. */
static struct extent part_extent(const struct bars *b, size_t bar, size_t part, double start)
{
	double from = start, x = b->bars[bar].parts[part];
	for (size_t i = 0; i < part; i++) {
		double before = b->bars[bar].parts[i];
		if (counts(before) && (b->waterfall || (before < 0) == (x < 0)))
			from += before;
	}
	double to = counts(x) ? from + x : from;
	return (struct extent){ from, to, fmin(from, to), fmax(from, to) };
}

static struct extent bar_extent(const struct bars *b, size_t bar, double last_end)
{
	double start = b->waterfall && !b->bars[bar].total ? last_end : 0;
	struct extent e = { start, start, start, start };
	for (size_t i = 0; i < b->n_parts; i++) {
		struct extent part = part_extent(b, bar, i, start);
		if (counts(b->bars[bar].parts[i]))
			e.end += b->bars[bar].parts[i];
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
	double end = 0;
	for (size_t i = 0; b && i < b->n_bars; i++) {
		struct extent e = bar_extent(b, i, end);
		end = e.end;
		if (isfinite(e.lo) && e.lo < *lo)
			*lo = e.lo;
		if (isfinite(e.hi) && e.hi > *hi)
			*hi = e.hi;
	}
}

static struct scale scale_of(const struct bars *b, const struct bars *ghost)
{
	struct scale s = { 0, 0, 0, 0 };
	widen(&s.lo, &s.hi, b);
	widen(&s.lo, &s.hi, ghost);
	if (isfinite(b->limit)) {
		s.lo = fmin(s.lo, b->limit);
		s.hi = fmax(s.hi, b->limit);
	}
	if (!(s.hi > s.lo) || !isfinite(s.hi - s.lo))
		s = (struct scale){ 0, 1, 0, 0 };
	return s;
}

static bool over_limit(const struct bars *b, const struct extent *e)
{
	return isfinite(b->limit) && e->hi > b->limit;
}

/* The total as people write it: "! 96 GB" past the limit, "+3 ms" for a step of a waterfall. */
static void total_text(char *buf, size_t size, const struct bars *b, size_t bar,
	const struct extent *e)
{
	char number[64];
	double sum = bar_sum(b, bar);
	bool step = b->waterfall && !b->bars[bar].total && bar > 0;
	quantity_format(number, sizeof number, sum, b->unit);
	snprintf(buf, size, "%s%s%s", over_limit(b, e) ? "! " : "", step && sum > 0 ? "+" : "",
		number);
}

static struct legend legend_of(const struct bars *b, const struct bars *ghost, enum glyphs glyphs)
{
	bool named = b->n_parts > 1;
	return (struct legend){ .names = b->part_names,
		.n = named ? b->n_parts : 0,
		.mark = ghost ? glyph_ghost(glyphs) : 0,
		.mark_name = "pinned" };
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

static void measure(struct layout *l, const struct bars *b, enum glyphs glyphs)
{
	double end = 0;
	for (size_t i = 0; i < b->n_bars; i++) {
		const struct bar *bar = &b->bars[i];
		struct extent e = bar_extent(b, i, end);
		char text[80];
		end = e.end;
		total_text(text, sizeof text, b, i, &e);
		l->label = max_int(l->label, text_cols(bar->label, glyphs));
		l->value = max_int(l->value, text_cols(text, glyphs));
		if (bar->note)
			l->note = max_int(l->note, text_cols(bar->note, glyphs));
	}
}

static int height(const struct layout *l, size_t n_bars)
{
	int last = l->stacked ? 2 : 1;
	int bars = n_bars ? ((int)n_bars - 1) * l->pitch + last : 0;
	return l->title + l->legend + l->limit + bars + l->axis;
}

/* Gives up what matters least until the bars fit: air, axis, labels of their own, title, legend. */
static void squeeze(struct layout *l, size_t n_bars, int rows)
{
	if (height(l, n_bars) > rows)
		l->pitch = l->stacked ? 2 : 1;
	if (height(l, n_bars) > rows)
		l->axis = 0;
	if (height(l, n_bars) > rows && l->stacked) {
		l->stacked = false;
		l->pitch = 1;
	}
	if (height(l, n_bars) > rows)
		l->limit = 0;
	if (height(l, n_bars) > rows)
		l->title = 0;
	if (height(l, n_bars) > rows)
		l->legend = rows > 4 ? l->legend : 0;
	l->shown = n_bars;
	while (l->shown && height(l, l->shown) + (l->shown < n_bars) > rows)
		l->shown--;
}

static struct layout layout(const struct bars *b, const struct bars *ghost, int rows, int cols,
	enum glyphs glyphs)
{
	struct legend legend = legend_of(b, ghost, glyphs);
	struct layout l = {
		.title = b->title && *b->title,
		.legend = legend_rows(&legend, cols, glyphs),
		.limit = isfinite(b->limit) && b->limit_label,
		.axis = AXIS,
	};
	l.legend = l.legend > MAX_LEGEND ? MAX_LEGEND : l.legend;
	measure(&l, b, glyphs);
	int beside = l.label + GAP + GAP + l.value + (l.note ? GAP + l.note : 0);
	l.stacked = cols - beside < LEAST_BAR;
	l.pitch = (l.stacked ? 2 : 1) + (b->n_bars <= AIRY);
	squeeze(&l, b->n_bars, rows);
	return l;
}

/* The columns of the bars themselves. Where labels do not fit beside them and there are no rows to
 * put them above, labels and notes lose their ends. */
static void place_scale(struct layout *l, struct scale *s, int cols)
{
	if (l->stacked) {
		s->col = 0;
		s->width = cols;
		return;
	}
	int room = cols - GAP - GAP - l->value - LEAST_BAR / 2;
	if (l->label + (l->note ? GAP + l->note : 0) > room)
		l->note = max_int(0, room - l->label - GAP);
	if (l->label > room)
		l->label = max_int(0, room);
	s->col = l->label + (l->label ? GAP : 0);
	s->width = cols - s->col - GAP - l->value - (l->note ? GAP + l->note : 0);
	if (s->width < 4) { /* a bar and its name, without numbers */
		l->value = l->note = 0;
		s->width = cols - s->col;
	}
}

static uint32_t eighth(int eighths)
{
	return 0x2590 - (uint32_t)eighths; /* U+258F is one eighth of a column, U+2588 all of it */
}

/* One part, from column to column; a solid one that ends its bar ends within the cell. */
static void part_draw(const struct pane *p, int row, const struct scale *s, double from, double to,
	struct fill fill, bool last)
{
	double a = scale_at(s, fmin(from, to)), z = scale_at(s, fmax(from, to));
	int first = (int)lround(a), end = (int)lround(z), eighths = 0;
	if (last && to > from && fill.code == 0x2588) {
		end = (int)z;
		eighths = (int)lround((z - end) * 8);
	}
	for (int i = first; i < end; i++)
		pane_put(p, row, s->col + i, fill.code, fill.style, 0);
	if (eighths > 0 && end >= first && end < s->width)
		pane_put(p, row, s->col + end, eighth(eighths), fill.style, 0);
	else if (end <= first && last && first < s->width && p->cv->glyphs != GLYPHS_ASCII)
		pane_put(p, row, s->col + first, eighth(1), fill.style, 0);
}

static void parts_draw(const struct pane *p, int row, const struct scale *s, const struct bars *b,
	size_t bar, double start)
{
	size_t last = b->n_parts;
	while (last > 0 && !counts(b->bars[bar].parts[last - 1]))
		last--;
	for (size_t i = 0; i < last; i++) {
		struct extent e = part_extent(b, bar, i, start);
		struct fill fill = fill_of(p->cv->glyphs, (unsigned)i);
		if (b->n_parts == 1 && b->bars[bar].role != ROLE_PLAIN)
			fill.style = (enum style)b->bars[bar].role;
		if (counts(b->bars[bar].parts[i]))
			part_draw(p, row, s, e.start, e.end, fill, i + 1 == last);
	}
}

/* The limit stands over the bar; what lies past it takes the colour of trouble. */
static void limit_draw(const struct pane *p, int row, const struct scale *s, const struct bars *b,
	const struct extent *e)
{
	int col = scale_col(s, b->limit);
	bool over = e && over_limit(b, e);
	if (over) {
		int end = (int)ceil(scale_at(s, e->hi)) + s->col;
		pane_restyle(p, (struct rect){ row, col, 1, end - col }, STYLE_BAD, 0);
	}
	pane_put(p, row, col, over ? glyph_crossed(p->cv->glyphs) : glyph_limit(p->cv->glyphs),
		over ? STYLE_BAD : STYLE_WARN, over ? ATTR_BOLD : 0);
}

static const struct bar *find_ghost(const struct bars *ghost, const struct bars *b, size_t bar,
	struct extent *e)
{
	double end = 0;
	if (!ghost || bar >= ghost->n_bars || strcmp(ghost->bars[bar].label, b->bars[bar].label) != 0)
		return NULL;
	for (size_t i = 0; i <= bar; i++) {
		*e = bar_extent(ghost, i, end);
		end = e->end;
	}
	return &ghost->bars[bar];
}

static void words_draw(const struct pane *p, int row, const struct layout *l,
	const struct scale *s, const struct bars *b, size_t bar, const struct extent *e)
{
	const struct bar *this = &b->bars[bar];
	bool over = over_limit(b, e);
	enum style style = over ? STYLE_BAD : (enum style)this->role;
	int label = l->stacked ? p->r.cols - l->value - GAP : l->label;
	int value = l->stacked ? p->r.cols - l->value : s->col + s->width + GAP;
	char text[80];
	int used = pane_fit(p, row, 0, max_int(0, label), this->label,
		this->role == ROLE_DIM ? STYLE_DIM : STYLE_PLAIN, this->total ? ATTR_BOLD : 0);
	if (l->stacked && this->note)
		pane_fit(p, row, used + GAP, max_int(0, label - used - GAP), this->note,
			STYLE_DIM, 0);
	if (l->value) {
		total_text(text, sizeof text, b, bar, e);
		pane_fit_right(p, row, max_int(0, value), l->value, text, style,
			over || this->total ? ATTR_BOLD : 0);
	}
	if (!l->stacked && this->note && l->note)
		pane_fit(p, row, value + l->value + GAP, l->note, this->note,
			this->role == ROLE_PLAIN ? STYLE_DIM : (enum style)this->role, 0);
}

static void limit_label_draw(const struct pane *p, int row, const struct scale *s,
	const struct bars *b)
{
	char number[48], text[160];
	quantity_format(number, sizeof number, b->limit, b->unit);
	snprintf(text, sizeof text, "%s %s", b->limit_label, number);
	int width = text_cols(text, p->cv->glyphs), col = scale_col(s, b->limit) - width / 2;
	if (col + width > p->r.cols)
		col = p->r.cols - width;
	pane_fit(p, row, max_int(0, col), -1, text, STYLE_WARN, 0);
}

static void rows_draw(const struct pane *p, int row, const struct layout *l, const struct scale *s,
	const struct bars *b, const struct bars *ghost)
{
	double end = 0;
	for (size_t i = 0; i < l->shown; i++, row += l->pitch) {
		int bar_row = row + l->stacked;
		struct extent old, e = bar_extent(b, i, end);
		end = e.end;
		words_draw(p, row, l, s, b, i, &e);
		parts_draw(p, bar_row, s, b, i, e.start);
		if (find_ghost(ghost, b, i, &old) && scale_col(s, old.end) != scale_col(s, e.end))
			pane_put(p, bar_row, scale_col(s, old.end), glyph_ghost(p->cv->glyphs),
				STYLE_DIM, 0);
		if (isfinite(b->limit)) {
			limit_draw(p, bar_row, s, b, &e);
			for (int air = bar_row + 1; i + 1 < l->shown && air < row + l->pitch; air++)
				limit_draw(p, air, s, b, NULL);
		}
	}
}

void bars_draw(struct canvas *cv, struct rect r, const struct bars *b, const struct bars *ghost)
{
	struct pane p = pane_of(cv, r);
	struct legend legend = legend_of(b, ghost, cv->glyphs);
	struct layout l = layout(b, ghost, p.r.rows, p.r.cols, cv->glyphs);
	struct scale s = scale_of(b, ghost);
	place_scale(&l, &s, p.r.cols);
	int row = l.title ? title_draw(&p, 0, b->title) : 0;
	if (l.legend)
		row += legend_draw(&p, row, l.legend, &legend);
	if (l.limit && s.width > 0)
		limit_label_draw(&p, row, &s, b);
	row += l.limit;
	if (s.width > 0)
		rows_draw(&p, row, &l, &s, b, ghost);
	row += height(&l, l.shown) - l.title - l.legend - l.limit - l.axis;
	if (l.shown < b->n_bars)
		pane_printf(&p, row++, 0, -1, STYLE_DIM, 0, "+ %zu more", b->n_bars - l.shown);
	if (l.axis && l.shown)
		scale_axis_draw(&p, row, &s, b->unit);
}

int bars_rows(const struct bars *b, int cols)
{
	enum { PLENTY = 1 << 20 };
	struct layout l = layout(b, NULL, PLENTY, cols, GLYPHS_LINES);
	return height(&l, b->n_bars);
}
