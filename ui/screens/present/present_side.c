#include "ui/screens/present/present_side.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/live/change_words.h"
#include "ui/term/big_type.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/quantity_show.h"

#include <stdio.h>
#include <string.h>

enum { GAP = 2, MOST_MOVED = 4 };
/* Rows above which numbers are at twice their size, and columns above which labels are large as
 * well. */
enum { ROOMY = 20, WIDE_SIDE = 40 };

static struct rect take_top(struct rect *r, int rows)
{
	struct rect top = *r;
	top.rows = min_int(max_int(rows, 0), r->rows);
	r->row += top.rows;
	r->rows -= top.rows;
	return top;
}

/* --- Values --- */

static const struct value *was_of(const struct talk *t, const struct value *v)
{
	const struct value *was = t->live.has_pin ? figure_find(&t->live.pinned, v->id) : NULL;
	return was && was->value != v->value ? was : NULL;
}

/* "was 300 ms, 2.7x"; "" where it did not move. */
static void change_text(const struct talk *t, const struct value *v, char *buf, size_t size)
{
	const struct value *was = was_of(t, v);
	char number[64], times[32];
	buf[0] = '\0';
	if (!was)
		return;
	quantity_show(number, sizeof number, was->value, was->unit);
	change_words(was, v, times, sizeof times);
	snprintf(buf, size, "was %s%s%s", number, *times ? ", " : "", times);
}

static enum style hero_style(const struct value *v)
{
	return v->role == ROLE_PLAIN || v->role == ROLE_DIM ? STYLE_ACCENT : role_style(v->role);
}

/* The label, in large type where it fits in a line of it. Returns the rows. */
static int draw_label(struct canvas *cv, struct rect r, const char *label, bool large)
{
	struct rect line = { r.row, r.col, min_int(r.rows, big_text_rows(1)), r.cols };
	bool roomy = r.rows > ROOMY && r.cols > WIDE_SIDE;
	int rows = large && roomy ? big_text_draw(cv, line, label, STYLE_DIM) : 0;
	struct pane p = pane_of(cv, r);
	if (!rows)
		pane_fit(&p, 0, 0, -1, label, STYLE_DIM, 0);
	return rows ? rows + 1 : 1;
}

/* The number as large as it goes; *cols: how wide that is. Returns the rows. */
static int draw_number(struct canvas *cv, struct rect r, const char *number, enum style style,
	bool large, int *cols)
{
	const enum type_size sizes[] = { TYPE_DOUBLE, TYPE_LARGE };
	for (size_t i = large && r.rows > ROOMY ? 0 : 1; i < LENGTH(sizes); i++) {
		int rows = big_type_draw(cv, r, sizes[i], number, style);
		*cols = big_type_cols(sizes[i], number);
		if (rows)
			return rows;
	}
	struct pane p = pane_of(cv, r);
	*cols = pane_text(&p, 0, 0, -1, number, style, ATTR_BOLD);
	return 1;
}

/* The unit behind a number of so many rows and columns, on its line, or below it. Returns the rows
 * that number and unit take. */
static int draw_unit(struct canvas *cv, struct rect r, int rows, int cols, const char *unit,
	enum style style, bool large)
{
	struct pane p = pane_of(cv, r);
	const int high = big_type_rows(TYPE_TEXT, cv->glyphs);
	/* What hangs below the line hangs half a row below the number. */
	struct rect text = { r.row + rows - high + (rows > high), r.col + cols + GAP, high,
		r.cols - cols - GAP };
	if (large && rows >= high && big_type_draw(cv, text, TYPE_TEXT, unit, style))
		return rows;
	bool beside = cols + 1 + text_cols(unit, cv->glyphs) <= r.cols;
	pane_fit(&p, beside ? rows - 1 : rows, beside ? cols + 1 : 0, -1, unit, style, ATTR_BOLD);
	return beside ? rows : rows + 1;
}

/* The number in large type with its unit behind it, under its label. Returns the rows. */
static int draw_hero(
	struct canvas *cv, struct rect r, const struct talk *t, const struct value *v, bool large)
{
	char number[64], change[120];
	quantity_show(number, sizeof number, v->value, v->unit);
	char *unit = strchr(number, ' ');
	if (unit)
		*unit++ = '\0';
	int above = draw_label(cv, r, v->label, large), cols;
	struct rect below = { r.row + above, r.col, max_int(0, r.rows - above), r.cols };
	int rows = draw_number(cv, below, number, hero_style(v), large, &cols);
	if (unit)
		rows = draw_unit(cv, below, rows, cols, unit, hero_style(v), large);
	change_text(t, v, change, sizeof change);
	rows += large && rows > 1 && below.rows > ROOMY;
	const char *said = *change ? change : v->note ? v->note : "";
	const int lines = max_int(1, text_lines(said, below.cols, cv->glyphs));
	struct rect under = { below.row + rows, below.col, min_int(lines, below.rows - rows),
		below.cols };
	paragraph_draw(cv, under, said, STYLE_DIM, 0);
	return above + rows + lines;
}

static int draw_value(const struct pane *p, int row, const struct talk *t, const struct value *v)
{
	char number[64], change[120];
	quantity_show(number, sizeof number, v->value, v->unit);
	change_text(t, v, change, sizeof change);
	int col = pane_fit(p, row, 0, -1, v->label, STYLE_DIM, 0) + GAP, rows = 1;
	if (col + text_cols(number, p->cv->glyphs) > p->r.cols) {
		col = GAP;
		rows++;
	}
	pane_fit(p, row + rows - 1, col, -1, number, role_style(v->role), 0);
	if (!*change)
		return rows;
	pane_words(p, row + rows, GAP, -1, change, STYLE_DIM, 0);
	return rows + 1;
}

/* --- Knobs --- */

/* Those that the step moved, or the speaker since; and the one in hand, if the step or the speaker chose
 * it. */
static size_t moved_knobs(const struct talk *t, size_t knobs[MOST_MOVED])
{
	const struct live *s = &t->live;
	const bool chosen = t->off_script || talk_step(t)->knob || s->focus != t->own_knob;
	bool in_hand = false;
	size_t n = 0;
	for (size_t i = 0; i < s->sim->n_knobs && n < MOST_MOVED; i++)
		if (s->has_pin && s->now.v[i] != s->pin.v[i]) {
			in_hand |= (int)i == s->focus;
			knobs[n++] = i;
		}
	if (chosen && !in_hand) {
		n -= n == MOST_MOVED;
		knobs[n++] = (size_t)s->focus;
	}
	return n;
}

/* "0.75 → 0.9", the unit behind the second number alone. */
static void turn_text(const struct talk *t, size_t i, char *buf, size_t size)
{
	const struct live *s = &t->live;
	const struct knob *k = &s->sim->knobs[i];
	char now[80], was[80] = "";
	knob_format(k, s->tables, s->now.v[i], now, sizeof now);
	if (s->has_pin && s->pin.v[i] != s->now.v[i])
		knob_format(k, s->tables, s->pin.v[i], was, sizeof was);
	char *unit = strchr(was, ' ');
	const char *same = strchr(now, ' ');
	if (k->kind == KNOB_NUMBER && unit && same && strcmp(unit, same) == 0)
		*unit = '\0';
	snprintf(buf, size, "%s%s%s", was, *was ? " → " : "", now);
}

/* "utilisation 0.75 → 0.9": the one in hand between marks, as the keys turn it. Returns buf. */
static char *knob_text(const struct talk *t, size_t i, char *buf, size_t size)
{
	char turn[200];
	const bool in_hand = (int)i == t->live.focus;
	turn_text(t, i, turn, sizeof turn);
	snprintf(buf, size, "%s%s %s%s", in_hand ? "‹ " : "", t->live.sim->knobs[i].label, turn,
		in_hand ? " ›" : "");
	return buf;
}

/* The same under its label, in two rows. */
static void draw_knob_below(const struct pane *p, int row, const struct talk *t, size_t i)
{
	char turn[200], text[220];
	bool in_hand = (int)i == t->live.focus;
	turn_text(t, i, turn, sizeof turn);
	/* Where there is no room for both, what it is now is the one to be read whole. */
	const char *now = strstr(turn, "→");
	const bool both = text_cols(turn, p->cv->glyphs) + (in_hand ? 4 : 0) <= p->r.cols;
	snprintf(text, sizeof text, "%s%s%s", in_hand ? "‹ " : "", both || !now ? turn : now,
		in_hand ? " ›" : "");
	pane_fit(p, row, 0, -1, t->live.sim->knobs[i].label, STYLE_DIM, 0);
	pane_fit(p, row + 1, 0, -1, text, in_hand ? STYLE_ACCENT : STYLE_PLAIN, 0);
}

/* --- Beside the figure, or under it --- */

void present_side_draw(struct canvas *cv, struct rect r, const struct talk *t, bool large)
{
	const struct value *hero = talk_hero(t);
	const struct tour_step *step = talk_step(t);
	size_t knobs[MOST_MOVED], n = moved_knobs(t, knobs);
	const int below = n ? 2 * (int)n + 1 : 0;
	r.rows -= min_int(below, r.rows);
	if (hero)
		take_top(&r, draw_hero(cv, r, t, hero, large) + 1);
	struct pane p = pane_of(cv, r);
	int row = 0;
	for (size_t i = 0; i < step->n_also; i++) {
		const struct value *v = figure_find(&t->live.figure, step->also[i]);
		if (v && row + 1 < p.r.rows)
			row += draw_value(&p, row, t, v);
	}
	struct pane turned = pane_of(cv, (struct rect){ r.row + row + 1, r.col, below, r.cols });
	for (size_t i = 0; i < n; i++)
		draw_knob_below(&turned, 2 * (int)i, t, knobs[i]);
}

/* Pieces of text one behind the other, that go on in the next row where one has no room. */
struct flow {
	const struct pane *p; /* NULL: only the rows are counted */
	enum glyphs glyphs;
	int cols, row, col;
};

/* Two words that stay together, "speed-up" and "2.5x"; either may be "". */
static void flow_on(struct flow *f, const char *label, enum style style, const char *number,
	enum style of_number, unsigned attr)
{
	const int label_cols = *label ? text_cols(label, f->glyphs) + (*number != '\0') : 0;
	const int cols = label_cols + text_cols(number, f->glyphs);
	if (cols == 0)
		return;
	if (f->col > 0 && f->col + cols > f->cols) {
		f->col = 0;
		f->row++;
	}
	if (f->p) {
		pane_fit(f->p, f->row, f->col, -1, label, style, 0);
		pane_fit(f->p, f->row, f->col + label_cols, -1, number, of_number, attr);
	}
	f->col += cols + GAP;
}

static void flow_value(struct flow *f, const struct value *v, enum style style, unsigned attr)
{
	char number[64];
	quantity_show(number, sizeof number, v->value, v->unit);
	flow_on(f, v->label, STYLE_DIM, number, style, attr);
}

/* The value and what it was, the knobs that moved it, and the others. */
static void flow_foot(struct flow *f, const struct talk *t)
{
	const struct value *hero = talk_hero(t);
	const struct tour_step *step = talk_step(t);
	char text[280];
	size_t knobs[MOST_MOVED], n = moved_knobs(t, knobs);
	if (hero) {
		flow_value(f, hero, hero_style(hero), ATTR_BOLD);
		change_text(t, hero, text, sizeof text);
		flow_on(f, "", STYLE_DIM, text, STYLE_DIM, 0);
	}
	for (size_t i = 0; i < n; i++) {
		const bool in_hand = (int)knobs[i] == t->live.focus;
		flow_on(f, "", STYLE_DIM, knob_text(t, knobs[i], text, sizeof text),
			in_hand ? STYLE_ACCENT : STYLE_PLAIN, 0);
	}
	for (size_t i = 0; i < step->n_also; i++) {
		const struct value *v = figure_find(&t->live.figure, step->also[i]);
		if (v)
			flow_value(f, v, role_style(v->role), 0);
	}
}

int present_foot_rows(enum glyphs glyphs, int cols, const struct talk *t)
{
	struct flow f = { .glyphs = glyphs, .cols = cols };
	flow_foot(&f, t);
	return f.row + 1;
}

void present_foot_draw(struct canvas *cv, struct rect r, const struct talk *t)
{
	struct pane p = pane_of(cv, r);
	struct flow f = { .p = &p, .glyphs = cv->glyphs, .cols = p.r.cols };
	flow_foot(&f, t);
}
