#include "ui/live/live_values.h"

#include "sims/base/minmax.h"
#include "ui/live/change_words.h"
#include "ui/live/live_layout.h"
#include "ui/term/big_type.h"
#include "ui/term/pane.h"
#include "ui/views/quantity_show.h"

#include <stdio.h>
#include <string.h>

enum {
	BRIGHT = 4,   /* values that are not dim */
	MOST_OPEN = 6 /* outside the fold */
};

/* Whether a value has a mark before its number: what is said by colour is said by a sign as
 * well. */
static bool is_marked(const struct value *v)
{
	return v->role == ROLE_BAD || v->role == ROLE_WARN;
}

/* What a value was in the pinned setting, without the unit that stands behind the new number, and
 * how much it changed. */
struct change {
	char was[64], times[32]; /* "": it did not move; two numbers say it all */
	bool up;
};

static struct change change_of(const struct live *s, const struct value *v)
{
	const struct value *pinned = s->has_pin ? figure_find(&s->pinned, v->id) : NULL;
	struct change c = { .was = "" };
	char now[64];
	if (!pinned || pinned->value == v->value)
		return c;
	quantity_show(now, sizeof now, v->value, v->unit);
	quantity_show(c.was, sizeof c.was, pinned->value, pinned->unit);
	if (strcmp(c.was, now) == 0) /* nobody sees a difference */
		return (struct change){ .was = "" };
	char *unit = strchr(c.was, ' ');
	const char *same = strchr(now, ' ');
	if (unit && same && strcmp(unit, same) == 0)
		*unit = '\0';
	c.up = v->value > pinned->value;
	change_words(pinned, v, c.times, sizeof c.times);
	return c;
}

/* The columns of the labels: what the longest needs, but not so many that a number has no room. */
static int label_cols(const struct figure *f, size_t from, int cols)
{
	int widest = 0;
	for (size_t i = from; i < f->n_values; i++) {
		int w = text_width(f->values[i].label) + is_marked(&f->values[i]);
		widest = max_int(widest, w);
	}
	return min_int(widest + 2, cols - 12);
}

/* "312 → 989.4 TFLOP/s  3.2x": what it was before the number and how much that is behind it, as far as
 * there is room; where there is none for what it was, an arrow says the direction. Without a change
 * the value's note stands behind it. Returns the columns used. */
static int draw_number(const struct pane *p, int row, int col, int room, const struct live *s,
	const struct value *v, enum style style, unsigned attr)
{
	static const char arrow[] = " → ";
	enum { GAP = 2 };
	char text[64];
	struct change c = change_of(s, v);
	quantity_show(text, sizeof text, v->value, v->unit);
	enum glyphs glyphs = p->cv->glyphs;
	int width = text_cols(text, glyphs), was = text_cols(c.was, glyphs), from = col;
	if (*c.was && was + text_cols(arrow, glyphs) + width <= room) {
		col += pane_text(p, row, col, -1, c.was, STYLE_DIM, 0);
		col += pane_text(p, row, col, -1, arrow, STYLE_DIM, 0);
	}
	const bool told = col > from;
	/* A number that is cut says so: its first digits alone are another number. */
	col += pane_fit(p, row, col, room - (col - from), text, style, attr);
	if (*c.was && !told && col - from + 1 < room)
		col += pane_text(p, row, col, 1, c.up ? "▲" : "▼", STYLE_DIM, 0);
	const char *behind = *c.was ? c.times : v->note ? v->note : "";
	if (*behind && col - from + GAP + text_cols(behind, glyphs) <= room)
		col += pane_text(p, row, col + GAP, -1, behind, STYLE_DIM, 0) + GAP;
	return col - from;
}

static void draw_value(const struct pane *p, int row, int at, const struct live *s, size_t i)
{
	const struct value *v = &s->figure.values[i];
	bool dim = i >= BRIGHT && v->role != ROLE_BAD && v->role != ROLE_WARN;
	enum style style = dim ? STYLE_DIM : role_style(v->role);
	pane_fit(p, row, 0, at - 2, v->label, STYLE_DIM, 0);
	if (is_marked(v))
		pane_put(p, row, at - 2, '!', style, ATTR_BOLD);
	unsigned attr = !dim && v->role != ROLE_PLAIN && v->role != ROLE_DIM ? ATTR_BOLD : 0;
	draw_number(p, row, at, p->r.cols - at, s, v, style, attr);
}

/* The first value in large digits, and what stands at their right. A sign of money in front is small: as large as
 * the digits it reads as one of them. */
struct hero {
	const char *sign;
	char number[64], unit[64], was[80];
	char note[2][96]; /* behind the unit; or under it, in two lines where it needs them */
	struct change change;
	int col;    /* of what stands at the right */
	bool below; /* the note stands behind the unit */
};

/* Parts a note at a blank so that its first line is as long as it may be. */
static void part_note(struct hero *h, int cols, enum glyphs glyphs)
{
	char line[sizeof h->note[0]];
	snprintf(line, sizeof line, "%s", h->note[0]);
	for (char *space; text_cols(line, glyphs) > cols && (space = strrchr(line, ' '));)
		*space = '\0';
	const size_t used = strlen(line);
	if (!h->note[0][used])
		return;
	snprintf(h->note[1], sizeof h->note[1], "%s", h->note[0] + used + 1);
	h->note[0][used] = '\0';
}

static struct hero hero_of(const struct live *s, int cols, enum glyphs glyphs)
{
	enum { BESIDE = 2 };
	const struct value *v = &s->figure.values[0];
	struct hero h = { .change = change_of(s, v) };
	quantity_show(h.number, sizeof h.number, v->value, v->unit);
	char *space = strchr(h.number, ' ');
	snprintf(h.unit, sizeof h.unit, "%s", space ? space + 1 : "");
	if (space)
		*space = '\0';
	const char *was = h.change.was;
	snprintf(h.note[0], sizeof h.note[0], "%s", v->note && !*was ? v->note : "");
	/* What moved by less than the digits show was what it is. */
	const bool moved = *was && strcmp(was, h.number) != 0;
	snprintf(h.was, sizeof h.was, "%s%s", moved ? "was " : "", moved ? was : "");
	if (*h.number == '$') {
		h.sign = "$";
		memmove(h.number, h.number + 1, strlen(h.number));
	}
	if (!big_type_has(TYPE_LARGE, h.number))
		return h;
	h.col = 2 * (h.sign != NULL) + big_type_cols(TYPE_LARGE, h.number) + BESIDE;
	h.below = text_cols(h.unit, glyphs) + (*h.unit && *h.note[0] ? BESIDE : 0) +
			  text_cols(h.note[0], glyphs) <=
		  cols - h.col;
	if (!h.below)
		part_note(&h, cols - h.col, glyphs);
	return h;
}

static bool hero_fits(const struct hero *h, int cols, enum glyphs glyphs)
{
	const int noted = max_int(text_cols(h->note[0], glyphs), text_cols(h->note[1], glyphs));
	const int named = max_int(text_cols(h->was, glyphs), text_cols(h->unit, glyphs));
	return h->col > 0 && h->col + max_int(named, noted) <= cols;
}

bool live_hero_fits(const struct live *s, int cols, enum glyphs glyphs)
{
	if (s->figure.n_values == 0 || glyphs == GLYPHS_ASCII)
		return false;
	const struct hero h = hero_of(s, cols, glyphs);
	return hero_fits(&h, cols, glyphs);
}

/* From above: how much the value changed, what it was, and its unit with its note, or a long note under its
 * unit. False, and nothing is drawn, where the digits and these do not fit. */
static bool draw_large(const struct pane *p, const struct live *s, enum style style)
{
	enum { ROWS = 3, BESIDE = 2 };
	const enum glyphs glyphs = p->cv->glyphs;
	if (!live_hero_fits(s, p->r.cols, glyphs))
		return false;
	const struct hero h = hero_of(s, p->r.cols, glyphs);
	const int digits = h.sign ? 1 + pane_text(p, 1, 0, -1, h.sign, style, ATTR_BOLD) : 0;
	big_type_draw(p->cv,
		(struct rect){ p->r.row + 1, p->r.col + digits, ROWS, p->r.cols - digits },
		TYPE_LARGE, h.number, style);
	if (h.below) {
		pane_text(p, 1, h.col, -1, h.change.times, STYLE_DIM, 0);
		pane_text(p, 2, h.col, -1, h.was, STYLE_DIM, 0);
		pane_text(p, 3, h.col, -1, h.unit, style, ATTR_BOLD);
		pane_text(p, 3, h.col + text_cols(h.unit, glyphs) + (*h.unit ? BESIDE : 0), -1,
			h.note[0], STYLE_DIM, 0);
		return true;
	}
	const int row = *h.note[1] ? 1 : 2;
	pane_text(p, row, h.col, -1, h.unit, style, ATTR_BOLD);
	pane_text(p, row + 1, h.col, -1, h.note[0], STYLE_DIM, 0);
	pane_text(p, row + 2, h.col, -1, h.note[1], STYLE_DIM, 0);
	return true;
}

/* Returns the rows of it and of the blank one under it. */
static int draw_hero(const struct pane *p, const struct live *s, int rows)
{
	enum { SMALL = 3 };
	const struct value *v = &s->figure.values[0];
	char label[96];
	enum style style =
		v->role == ROLE_PLAIN || v->role == ROLE_DIM ? STYLE_ACCENT : role_style(v->role);
	snprintf(label, sizeof label, "%s%s", is_marked(v) ? "! " : "", v->label);
	pane_fit(p, 0, 0, -1, label, is_marked(v) ? style : STYLE_DIM, 0);
	if (rows > SMALL && draw_large(p, s, style))
		return rows;
	draw_number(p, 1, 0, p->r.cols, s, v, style, ATTR_BOLD);
	return SMALL;
}

/* How many values stand there before someone asks for all: those at the end that are dim wait in the
 * fold, and those after the first few. */
static size_t open_values(const struct live *s)
{
	size_t n = s->figure.n_values;
	if (!s->all_values && n > MOST_OPEN + 1) /* a fold of one takes as many rows */
		n = MOST_OPEN;
	while (!s->all_values && n > 1 && s->figure.values[n - 1].role == ROLE_DIM)
		n--;
	return n;
}

int live_value_lines(const struct live *s)
{
	size_t open = open_values(s);
	return (int)(open + (open < s->figure.n_values));
}

/* Rows of so many values in a list: in blocks, unless someone asked for all and rows are few. */
static int list_rows(int n, bool blocks)
{
	return blocks ? spaced_value_rows(1 + n) - spaced_value_rows(1) : n;
}

/* How many of n values so many rows hold; where not all, one row counts the others. */
static int values_within(int n, int rows, bool blocks)
{
	int shown = n;
	while (shown > 0 && list_rows(shown, blocks) + (shown < n) > rows)
		shown--;
	return shown;
}

static void draw_list(const struct pane *p, int row, const struct live *s, size_t from)
{
	int n = (int)(s->figure.n_values - from), room = p->r.rows - row;
	int at = label_cols(&s->figure, from, p->r.cols);
	bool blocks = !s->all_values || list_rows(n, true) <= room;
	int shown = values_within(n, room, blocks);
	for (int i = 0; i < shown; i++) {
		draw_value(p, row++, at, s, from + (size_t)i);
		row += blocks && value_ends_block(i, shown);
	}
	if (shown < n && row < p->r.rows)
		pane_printf(p, row, 0, -1, STYLE_DIM, 0, "+ %d more: a", n - shown);
}

void live_draw_values(struct canvas *cv, struct rect r, const struct live *s, int hero)
{
	struct pane p = pane_of(cv, r);
	if (s->figure.n_values == 0 || p.r.rows == 0)
		return;
	if (p.r.rows < 3) {
		draw_list(&p, 0, s, 0);
		return;
	}
	draw_list(&p, draw_hero(&p, s, min_int(hero, p.r.rows)), s, 1);
}

int live_strip_cols(int cols)
{
	return cols / 2;
}

void live_draw_value_strip(struct canvas *cv, struct rect r, const struct live *s)
{
	const int side = live_strip_cols(r.cols);
	struct pane first = pane_of(cv, (struct rect){ r.row, r.col, r.rows, side });
	struct pane others =
		pane_of(cv, (struct rect){ r.row, r.col + side, r.rows, r.cols - side });
	draw_hero(&first, s, r.rows);
	draw_list(&others, 0, s, 1);
}

void live_draw_value_list(struct canvas *cv, struct rect r, const struct live *s)
{
	struct pane p = pane_of(cv, r);
	int at = label_cols(&s->figure, 0, p.r.cols);
	for (size_t i = 0; i < s->figure.n_values && (int)i < p.r.rows; i++)
		draw_value(&p, (int)i, at, s, i);
}

void live_draw_value_line(struct canvas *cv, struct rect r, const struct live *s)
{
	enum { BETWEEN = 3, FOR_MORE = 15 };
	struct pane p = pane_of(cv, r);
	size_t n = s->figure.n_values, open = open_values(s), i = 0;
	int col = 0;
	for (; i < open; i++) {
		const struct value *v = &s->figure.values[i];
		char text[64];
		quantity_show(text, sizeof text, v->value, v->unit);
		struct change c = change_of(s, v);
		int label = text_cols(v->label, cv->glyphs) + 1 + 2 * is_marked(v);
		int number = text_cols(text, cv->glyphs);
		int room = p.r.cols - col - (i + 1 < n ? FOR_MORE : 0) - label;
		if (number > room)
			break;
		enum style style =
			i == 0 && v->role == ROLE_PLAIN ? STYLE_ACCENT : role_style(v->role);
		col += pane_text(&p, 0, col, -1, v->label, STYLE_DIM, 0) + 1;
		if (is_marked(v))
			col += pane_text(&p, 0, col, -1, "! ", style, ATTR_BOLD);
		/* In one line a note would only push the next value out. */
		col += draw_number(
			&p, 0, col, *c.was ? room : number, s, v, style, i == 0 ? ATTR_BOLD : 0);
		col += BETWEEN;
	}
	if (i < n)
		pane_printf(&p, 0, col, -1, STYLE_DIM, 0, "+ %zu more: a", n - i);
}
