#include "ui/live/live_knobs.h"

#include "sims/base/minmax.h"
#include "ui/live/knob_list.h"
#include "ui/term/pane.h"
#include "ui/views/quantity_show.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST_TRACK = 6, FAIR_TRACK = 9, MOST_TRACK = 30, BETWEEN = 3 };

/* Columns inside a line: all tracks begin under each other, and the values of numbers end in column `end`, right
 * behind them, however wide the line is. A value that is much wider than others shortens its own track. What has no
 * track has its value where they begin, or behind the widest of their labels. */
struct knob_columns {
	int label, track, value, end;
	int named; /* columns of those labels */
};

static char *value_text(
	const struct live *s, const struct knob *k, double value, char *buf, size_t size)
{
	if (k->kind == KNOB_TOGGLE) {
		snprintf(buf, size, "%s", value > 0 ? "[x]" : "[ ]");
		return buf;
	}
	micro_sign(knob_format(k, s->tables, value, buf, size), size);
	double own = live_stands_for(s, (int)(k - s->sim->knobs));
	if (k->stands_for && !isnan(own)) { /* "auto: 2,048" */
		size_t used = strlen(buf);
		snprintf(buf + used, size - used, ": ");
		quantity_show(buf + used + 2, size - used - 2, own, k->unit);
	}
	return buf;
}

/* The widest label and value of the numbers in the list: only they have tracks. Values have room for
 * some more digits, so that a track hardly ever jumps while its knob is turned; those that would leave hardly a track
 * beside the widest label are not counted. */
static struct knob_columns measure(
	const struct live *s, const struct knob_line *lines, int n, int cols)
{
	enum { ROOMY = 9 };
	struct knob_columns c = { 0, 0, 0, cols - 2, 0 };
	const int room = cols - 4 - 2;
	for (int i = 0; i < n; i++) {
		const struct knob *k = lines[i].knob < 0 ? NULL : &s->sim->knobs[lines[i].knob];
		char text[64];
		if (k && k->kind == KNOB_NUMBER)
			c.label = max_int(c.label, text_width(knob_said(k, text, sizeof text)));
		else if (k)
			c.named = max_int(c.named, text_width(k->label));
	}
	for (int i = 0; i < n; i++) {
		const struct knob *k = lines[i].knob < 0 ? NULL : &s->sim->knobs[lines[i].knob];
		char text[64];
		if (!k || k->kind != KNOB_NUMBER)
			continue;
		const int width =
			text_width(value_text(s, k, s->now.v[lines[i].knob], text, sizeof text));
		if (c.label + width + FAIR_TRACK <= room)
			c.value = max_int(c.value, width);
	}
	/* Where a label would lose its track to that, the digits to come have no room. */
	if (c.label + FAIR_TRACK + ROOMY <= room)
		c.value = max_int(c.value, ROOMY);
	c.track = min_int(room - c.label - c.value, MOST_TRACK);
	if (c.track < LEAST_TRACK || c.value == 0)
		c.track = 0;
	else
		c.end = min_int(c.end, 2 + c.label + 1 + c.track + 1 + c.value);
	return c;
}

/* Whether a value leaves it to the model, and is no amount. */
static bool left_open(const struct knob *k, double value)
{
	return k->zero && value == 0 && strcmp(k->zero, "none") != 0;
}

/* Where a knob's bead stands, 0 to `last`: of one that is left to the model, where the model put it; at
 * the beginning, where its zero is, if that has no place. */
static int bead_of(const struct live *s, const struct knob *k, double value, int last, bool *open)
{
	double own = live_stands_for(s, (int)(k - s->sim->knobs));
	*open = left_open(k, value);
	const bool placed = *open && !isnan(own);
	return (int)lround(knob_position(k, s->tables, placed ? own : value) * last);
}

/* A track: heavy up to the bead, `│` at the default, `○` at the pinned value. The bead of a knob that
 * is left to the model is hollow, and the track thin all along. */
static void draw_track(const struct pane *p, int row, int col, int width, const struct live *s,
	const struct knob *k, double value, enum style style)
{
	bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	int last = width - 1;
	bool open;
	int at = bead_of(s, k, value, last, &open), heavy = open ? 0 : at;
	for (int i = 0; i < width; i++)
		pane_put(p, row, col + i,
			ascii       ? (i < heavy ? '=' : '-')
			: i < heavy ? 0x2501
				    : 0x2500,
			i < heavy ? style : STYLE_DIM, 0);
	int home = (int)lround(knob_position(k, s->tables, knob_default(k, s->tables)) * last);
	if (home != at && !open)
		pane_put(p, row, col + home,
			ascii       ? '|'
			: home < at ? 0x253f
				    : 0x253c,
			STYLE_DIM, 0);
	const double pinned = s->pin.v[k - s->sim->knobs];
	if (s->has_pin && !left_open(k, pinned)) {
		int pin = (int)lround(knob_position(k, s->tables, pinned) * last);
		pane_put(p, row, col + pin, ascii ? 'o' : 0x25cb, STYLE_DIM, 0);
	}
	pane_put(p, row, col + at, ascii ? (open ? 'o' : '*') : open ? 0x25cb : 0x25cf, style, 0);
}

/* The columns that a knob's value takes, of the columns up to `end`. */
static int value_cols(const char *text, int end, enum glyphs glyphs)
{
	return min_int(text_cols(text, glyphs), end - 2);
}

/* Where the track of a knob begins in a line with values up to `end`, and its columns; 0: it has
 * none. Where a long value leaves no room for it, it begins behind the knob's own label. */
static int track_of(
	const struct knob *k, const struct knob_columns *c, int label, int value, int end, int *col)
{
	*col = 2 + c->label + 1;
	if (k->kind != KNOB_NUMBER || c->track <= 0)
		return 0;
	const int last = end - value - 1;
	if (last - *col < LEAST_TRACK)
		*col = 2 + label + 1;
	const int room = min_int(c->track, last - *col);
	return room >= LEAST_TRACK ? room : 0;
}

static int label_cols(const struct knob *k, int end, int value, enum glyphs glyphs)
{
	char text[64];
	return min_int(text_cols(knob_said(k, text, sizeof text), glyphs), end - 2 - value - 1);
}

/* Where a name or a box begins: under all others of its kind, if it fits there; else so that it ends where the line
 * does. */
static int name_col(const struct knob_columns *c, int width, int end)
{
	enum { APART = 2 };
	const int tracks = c->track > 0 ? 2 + c->label + 1 : 0;
	const int col = max_int(tracks, 2 + c->named + APART);
	return col + width <= end ? col : end - width;
}

static void draw_knob(const struct pane *p, int row, const struct live *s, int knob,
	const struct knob_columns *c, bool focused)
{
	const struct knob *k = &s->sim->knobs[knob];
	double value = s->now.v[knob];
	bool off_default = value != knob_default(k, s->tables);
	enum style style = focused                                        ? STYLE_ACCENT
			   : knob_matters(s->sim, s->now.v, (size_t)knob) ? STYLE_PLAIN
									  : STYLE_DIM;
	char text[96], called[64];
	value_text(s, k, value, text, sizeof text);
	const bool number = k->kind == KNOB_NUMBER;
	int end = number ? c->end : p->r.cols - 2, width = value_cols(text, end, p->cv->glyphs);
	/* The value is always whole, the label takes what it leaves, and a track stands between the
	 * two where it has its columns. */
	int label = label_cols(k, end, width, p->cv->glyphs);
	pane_fit(p, row, 2, label, knob_said(k, called, sizeof called), style,
		focused ? ATTR_BOLD : 0);
	int track_col, track = track_of(k, c, label, width, end, &track_col);
	if (track > 0)
		draw_track(p, row, track_col, track, s, k, value, style);
	const int at = number ? end - width : name_col(c, width, end);
	pane_text(p, row, at, width, text, style, off_default ? ATTR_BOLD : 0);
	if (focused) {
		pane_text(p, row, 0, 1, "‹", style, ATTR_BOLD);
		pane_text(p, row, at + width + 1, 1, "›", style, ATTR_BOLD);
	} else if (!number && k->kind != KNOB_TOGGLE) {
		/* A name alone looks as if it were fixed. */
		pane_text(p, row, at + width + 1, 1, "›", STYLE_DIM, 0);
	}
}

static void draw_heading(const struct pane *p, int row, const struct knob_line *line)
{
	bool ascii = p->cv->glyphs == GLYPHS_ASCII;
	const char *mark = ascii ? (line->open ? "v" : ">") : line->open ? "▾" : "▸";
	int col = pane_text(p, row, 0, -1, mark, STYLE_DIM, 0) + 1;
	col += pane_text(p, row, col, -1, line->heading, STYLE_DIM, line->open ? ATTR_BOLD : 0);
	if (!line->open)
		pane_printf(p, row, col, -1, STYLE_DIM, 0, " (%d)", line->count);
}

/* Which lines of the list are shown: the one in focus with a neighbour on either side. */
struct knob_window {
	struct knob_line lines[MOST_KNOB_LINES];
	int n, first, shown, rows; /* rows of a column */
};

/* Puts a blank line above each heading where the rows hold one for all. Returns how many lines. */
static int space_groups(struct knob_line lines[MOST_KNOB_LINES], int n, int rows)
{
	int headings = 0;
	for (int i = 0; i < n; i++)
		headings += lines[i].heading != NULL;
	if (n + headings > rows || n + headings > MOST_KNOB_LINES)
		return n;
	for (int i = n - 1, to = n + headings - 1; i >= 0; i--) {
		lines[to--] = lines[i];
		if (lines[i].heading)
			lines[to--] = (struct knob_line){ .knob = -1 };
	}
	return n + headings;
}

static struct knob_window window_of(const struct live *s, int rows, int columns)
{
	struct knob_window w = { .rows = rows };
	int focus = 0;
	struct knob_story story = live_story(s);
	w.n = knob_list_within(&story, s->focus, rows * columns, w.lines);
	if (columns == 1)
		w.n = space_groups(w.lines, w.n, rows);
	for (int i = 0; i < w.n; i++)
		if (w.lines[i].knob == s->focus)
			focus = i;
	w.shown = min_int(w.n, rows * columns);
	w.first = focus - w.shown + 2;
	w.first = max_int(0, min_int(w.first, w.n - w.shown));
	return w;
}

static struct rect column_of(struct rect r, int columns, int i)
{
	int width = (r.cols - (columns - 1) * BETWEEN) / columns;
	return (struct rect){ r.row, r.col + i * (width + BETWEEN), r.rows, width };
}

void live_draw_knobs(
	struct canvas *cv, struct rect r, int columns, const struct live *s, bool focused)
{
	struct knob_window w = window_of(s, r.rows, columns);
	struct rect column = column_of(r, columns, 0);
	struct knob_columns c = measure(s, w.lines, w.n, column.cols);
	for (int i = 0; i < w.shown; i++) {
		struct pane p = pane_of(cv, column_of(r, columns, i / w.rows));
		const struct knob_line *line = &w.lines[w.first + i];
		if (line->knob < 0 && !line->heading)
			continue;
		else if (line->knob < 0)
			draw_heading(&p, i % w.rows, line);
		else
			draw_knob(&p, i % w.rows, s, line->knob, &c,
				focused && line->knob == s->focus);
	}
	if (w.first > 0)
		canvas_text(cv, r.row, r.col, 1, "↑", STYLE_DIM, 0);
	if (w.shown && w.first + w.shown < w.n) {
		struct rect last = column_of(r, columns, (w.shown - 1) / w.rows);
		bool heading = w.lines[w.first + w.shown - 1].heading != NULL;
		struct pane p = pane_of(cv, last);
		if (heading) /* that keeps its own sign; the key that leads on stands at the end */
			pane_fit_right(&p, (w.shown - 1) % w.rows, 0, c.end, "Tab ↓", STYLE_DIM, 0);
		else
			pane_text(&p, (w.shown - 1) % w.rows, 0, 1, "↓", STYLE_DIM, 0);
	}
}

int live_knob_in(struct rect r, int columns, const struct live *s, int row, int col)
{
	struct knob_window w = window_of(s, r.rows, columns);
	if (row < r.row || row >= r.row + r.rows)
		return -1;
	for (int i = 0; i < columns; i++) {
		struct rect c = column_of(r, columns, i);
		int at = i * w.rows + row - r.row;
		if (col >= c.col && col < c.col + c.cols && at < w.shown)
			return w.lines[w.first + at].knob;
	}
	return -1;
}

bool live_track_in(
	struct rect r, int columns, const struct live *s, int row, int col, struct grip *grip)
{
	int knob = live_knob_in(r, columns, s, row, col), i = 0;
	assert(s->sim->knobs);
	if (knob < 0)
		return false;
	while (col >= column_of(r, columns, i).col + column_of(r, columns, i).cols)
		i++;
	const struct rect column = column_of(r, columns, i);
	const struct knob *k = &s->sim->knobs[knob];
	const struct knob_window w = window_of(s, r.rows, columns);
	const struct knob_columns c = measure(s, w.lines, w.n, column.cols);
	char text[96];
	value_text(s, k, s->now.v[knob], text, sizeof text);
	const int end = c.end, value = value_cols(text, end, GLYPHS_LINES);
	const int label = label_cols(k, end, value, GLYPHS_LINES);
	int from, track = track_of(k, &c, label, value, end, &from);
	from += column.col;
	if (track == 0 || col < from || col >= from + track)
		return false;
	*grip = (struct grip){ .held = true, .knob = knob, .col = from, .cols = track };
	return true;
}

struct knob_counts live_knob_counts(const struct live *s)
{
	struct knob_line lines[MOST_KNOB_LINES];
	struct knob_story story = live_story(s);
	struct knob_counts c = { .lines = knob_list(&story, s->focus, lines) };
	c.all = c.lines;
	for (int i = 0; i < c.lines; i++) {
		c.headings += lines[i].heading != NULL;
		if (!lines[i].heading || lines[i].open)
			continue;
		c.folded[c.n_folded++] = lines[i].count;
		c.all += lines[i].count;
	}
	return c;
}
