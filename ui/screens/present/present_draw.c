/* Rows go to the figure first: it has at least twelve of them wherever there are so many, and what
 * stands under or beside it takes the rest. */
#include "ui/screens/present/present_draw.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/live/change_words.h"
#include "ui/live/live_run.h"
#include "ui/term/big_type.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	WIDE = 90,
	SIDE = 34,
	GAP = 2,
	LEAST_FIGURE = 12,
	MOST_CAPTION = 3,
	MOST_MOVED = 4,
	ROOMY = 30,
	ANSWER_BYTES = 440
};

static struct rect take_top(struct rect *r, int rows)
{
	struct rect top = *r;
	top.rows = min_int(max_int(rows, 0), r->rows);
	r->row += top.rows;
	r->rows -= top.rows;
	return top;
}

static struct rect take_bottom(struct rect *r, int rows)
{
	struct rect bottom = *r;
	bottom.rows = min_int(max_int(rows, 0), r->rows);
	bottom.row = r->row + r->rows - bottom.rows;
	r->rows -= bottom.rows;
	return bottom;
}

/* --- The caption --- */

static int caption_rows(const struct canvas *cv, int cols, const struct talk *t)
{
	return min_int(text_lines(t->caption, cols - GAP, cv->glyphs), MOST_CAPTION);
}

/* Behind a bar in the accent's colour; grey once the speaker has left the script. */
static void draw_caption(struct canvas *cv, struct rect r, const struct talk *t)
{
	enum style bar = t->off_script ? STYLE_DIM : STYLE_ACCENT;
	struct rect text = { r.row, r.col + GAP, r.rows, r.cols - GAP };
	paragraph_draw(cv, text, t->caption, t->off_script ? STYLE_DIM : STYLE_PLAIN, ATTR_BOLD);
	for (int i = 0; i < r.rows; i++)
		canvas_put(cv, r.row + i, r.col, cv->glyphs == GLYPHS_ASCII ? '|' : 0x258c, bar, 0);
}

/* --- The figure --- */

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

/* Whether two parts measure the same: a line in samples says nothing over an axis of tokens. */
static bool same_units(const struct block *a, const struct block *b)
{
	const struct plot *p = &a->as.plot, *q = &b->as.plot;
	if (a->kind == BLOCK_BARS)
		return same_text(a->as.bars.unit, b->as.bars.unit);
	return a->kind != BLOCK_PLOT ||
	       (same_text(p->x.title, q->x.title) && same_text(p->y.title, q->y.title) &&
		       same_text(p->x.unit, q->x.unit) && same_text(p->y.unit, q->y.unit));
}

/* The part of a figure that has the same name. */
static struct block *same_part(const struct figure *fig, const struct block *like)
{
	for (size_t i = 0; i < fig->n_blocks; i++)
		if (fig->blocks[i]->kind == like->kind &&
			strcmp(block_name(fig->blocks[i]), block_name(like)) == 0)
			return fig->blocks[i];
	return NULL;
}

/* A figure that has this part only. */
static struct figure alone(const struct figure *fig, struct block **part)
{
	struct figure one = *fig;
	one.blocks = part;
	one.n_blocks = *part ? 1 : 0;
	return one;
}

/* The rows down to the last in which something stands. */
static int rows_drawn(const struct canvas *cv)
{
	for (int i = cv->rows * cv->cols; i-- > 0;)
		if (cv->cells[i].code != ' ' || cv->cells[i].under != STYLE_PLAIN)
			return i / cv->cols + 1;
	return 0;
}

/* A part that has no title of its own, as it stands alone here, has the name of its tab. */
static struct block with_name(const struct block *b)
{
	struct block named = *b;
	if (b->kind == BLOCK_BARS && !*b->as.bars.title)
		named.as.bars.title = block_name(b);
	return named;
}

static void draw_figure(struct canvas *cv, struct rect r, const struct talk *t)
{
	const struct live *s = &t->live;
	const struct block *shown = talk_part(t);
	if (!shown) {
		paragraph_draw(cv, r, t->trouble, STYLE_BAD, 0);
		return;
	}
	struct block titled = with_name(shown), *now = &titled;
	struct block *was = s->has_pin ? same_part(&s->pinned, shown) : NULL;
	if (was && !same_units(now, was))
		was = NULL;
	/* Where the run is, and what happens there, stands under it. */
	if (block_moves(now) && !isnan(s->playhead_s) && r.rows > LEAST_FIGURE)
		run_draw(cv, take_bottom(&r, min_int(2, run_rows(s, r.cols, cv->glyphs))), s);
	struct figure one = alone(&s->figure, &now), ghost = alone(&s->pinned, &was);
	struct figure_state state = {
		.ghost = was ? &ghost : NULL, .playhead_s = s->playhead_s, .named = true
	};
	struct canvas large;
	if (canvas_init_like(&large, cv, r.rows, r.cols))
		return;
	large.grows = true;
	figure_draw(&large, (struct rect){ 0, 0, r.rows, r.cols }, &one, &state);
	/* What does not grow as tall as the screen stands a little above the middle of it. */
	int rows = rows_drawn(&large), left = r.rows - rows;
	canvas_copy(cv, r.row + (left > 3 ? left / 3 : 0), r.col, &large,
		(struct rect){ 0, 0, rows, r.cols });
	canvas_release(&large);
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

/* The number in large type with its unit behind it, under its label. Returns the rows. */
static int draw_hero(struct canvas *cv, struct rect r, const struct talk *t, const struct value *v)
{
	char number[64], change[120];
	struct pane p = pane_of(cv, r);
	quantity_show(number, sizeof number, v->value, v->unit);
	char *unit = strchr(number, ' ');
	if (unit)
		*unit++ = '\0';
	pane_fit(&p, 0, 0, -1, v->label, STYLE_DIM, 0);
	struct rect large = { r.row + 1, r.col, r.rows - 1, r.cols };
	int rows = big_type_draw(cv, large, TYPE_LARGE, number, hero_style(v)),
	    col = big_type_cols(TYPE_LARGE, number) + 1;
	if (!rows) {
		col = pane_text(&p, 1, 0, -1, number, hero_style(v), ATTR_BOLD) + 1;
		rows = 1;
	}
	bool beside = unit && col + text_cols(unit, cv->glyphs) <= r.cols;
	if (unit && !beside)
		rows++;
	if (unit)
		pane_fit(&p, rows, beside ? col : 0, -1, unit, hero_style(v), ATTR_BOLD);
	change_text(t, v, change, sizeof change);
	pane_words(&p, rows + 1, 0, -1, *change ? change : v->note ? v->note : "", STYLE_DIM, 0);
	return rows + 2;
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

/* Those that the step moved, or the speaker since; where nothing moved, the one in hand. */
static size_t moved_knobs(const struct talk *t, size_t knobs[MOST_MOVED])
{
	const struct live *s = &t->live;
	size_t n = 0;
	for (size_t i = 0; i < s->sim->n_knobs && n < MOST_MOVED; i++)
		if (s->has_pin && s->now.v[i] != s->pin.v[i])
			knobs[n++] = i;
	if (n == 0 && t->off_script)
		knobs[n++] = (size_t)s->focus;
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

/* "utilisation 0.75 → 0.9": the one in hand between marks, as the keys turn it. Returns columns. */
static int draw_knob(const struct pane *p, int row, int col, const struct talk *t, size_t i)
{
	char turn[200], text[280];
	bool in_hand = (int)i == t->live.focus;
	turn_text(t, i, turn, sizeof turn);
	snprintf(text, sizeof text, "%s%s %s%s", in_hand ? "‹ " : "", t->live.sim->knobs[i].label,
		turn, in_hand ? " ›" : "");
	return pane_fit(p, row, col, -1, text, in_hand ? STYLE_ACCENT : STYLE_PLAIN, 0);
}

/* The same under its label. */
static void draw_knob_below(const struct pane *p, int row, const struct talk *t, size_t i)
{
	char turn[200], text[220];
	bool in_hand = (int)i == t->live.focus;
	turn_text(t, i, turn, sizeof turn);
	snprintf(text, sizeof text, "%s%s%s", in_hand ? "‹ " : "", turn, in_hand ? " ›" : "");
	pane_fit(p, row, 0, -1, t->live.sim->knobs[i].label, STYLE_DIM, 0);
	pane_fit(p, row + 1, 0, -1, text, in_hand ? STYLE_ACCENT : STYLE_PLAIN, 0);
}

/* --- Beside the figure, or under it --- */

static void draw_side(struct canvas *cv, struct rect r, const struct talk *t)
{
	const struct value *hero = talk_hero(t);
	const struct tour_step *step = talk_step(t);
	size_t knobs[MOST_MOVED], n = moved_knobs(t, knobs);
	const int below = n ? 2 * (int)n + 1 : 0;
	r.rows -= min_int(below, r.rows);
	if (hero)
		take_top(&r, draw_hero(cv, r, t, hero) + 1);
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

/* In two rows: the hero and what it was, then the others and the knobs. */
static void draw_foot(struct canvas *cv, struct rect r, const struct talk *t)
{
	const struct value *hero = talk_hero(t);
	const struct tour_step *step = talk_step(t);
	struct pane p = pane_of(cv, r);
	char number[64], change[120];
	size_t knobs[MOST_MOVED], n = moved_knobs(t, knobs);
	int col = 0;
	if (hero) {
		quantity_show(number, sizeof number, hero->value, hero->unit);
		change_text(t, hero, change, sizeof change);
		col += pane_text(&p, 0, 0, -1, hero->label, STYLE_DIM, 0) + 1;
		col += pane_text(&p, 0, col, -1, number, hero_style(hero), ATTR_BOLD) + GAP;
		pane_words(&p, 0, col, -1, change, STYLE_DIM, 0);
	}
	col = 0;
	for (size_t i = 0; i < n; i++)
		col += draw_knob(&p, 1, col, t, knobs[i]) + GAP;
	for (size_t i = 0; i < step->n_also; i++) {
		const struct value *v = figure_find(&t->live.figure, step->also[i]);
		char text[200];
		if (!v)
			continue;
		quantity_show(number, sizeof number, v->value, v->unit);
		snprintf(text, sizeof text, "%s %s", v->label, number);
		if (col + text_cols(text, cv->glyphs) <= p.r.cols)
			col += pane_text(&p, 1, col, -1, text, STYLE_DIM, 0) + GAP;
	}
}

/* --- A question --- */

/* The answer under its question, once it is open; "" where there is none. Returns buf. */
static char *answer_text(const struct talk *t, char *buf, size_t size)
{
	const struct tour_step *s = talk_step(t);
	struct tour_scene scene = talk_scene(t);
	char text[400], err[300];
	unsigned votes = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < s->n_options; i++)
		votes += t->votes[i];
	for (size_t i = 0; t->answered && i < s->n_options; i++) {
		if (!s->options[i].right)
			continue;
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		int n = snprintf(buf, size, "%c  %s", (char)('A' + i), text);
		if (votes && n > 0 && (size_t)n < size)
			snprintf(buf + n, size - (size_t)n, "  (%u of %u votes)", t->votes[i],
				votes);
		break;
	}
	return buf;
}

/* Who is alone has nobody to vote with, and predicts. */
static void draw_invitation(const struct pane *p, int row, const struct talk *t)
{
	const struct value *hero = talk_hero(t);
	const struct value *was = hero ? was_of(t, hero) : NULL;
	char before[64], text[240];
	if (!hero || row >= p->r.rows)
		return;
	snprintf(text, sizeof text, "Alone? Type a number for the %s%s%s, and see.", hero->label,
		was ? ", which was " : "",
		was ? quantity_show(before, sizeof before, was->value, was->unit) : "");
	pane_words(p, row, 2, -1, text, STYLE_DIM, 0);
}

static void draw_question(struct canvas *cv, struct rect r, const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	struct pane p = pane_of(cv, r);
	unsigned most = 1;
	for (size_t i = 0; i < s->n_options; i++)
		most = t->votes[i] > most ? t->votes[i] : most;
	int bars = p.r.cols / 4, texts = p.r.cols - bars - 8, row = 1;
	int apart = p.r.rows >= ROOMY ? 2 : 1;
	struct tour_scene scene = talk_scene(t);
	for (size_t i = 0; i < s->n_options; i++) {
		char text[400], err[300];
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		struct rect cell = { r.row + row, r.col + 6, 2, texts };
		pane_put(&p, row, 2, (uint32_t)('A' + i), STYLE_ACCENT, ATTR_BOLD);
		int rows = paragraph_draw(cv, cell, text, STYLE_PLAIN, 0);
		int cols = (int)(t->votes[i] * (unsigned)bars / most);
		for (int c = 0; c < cols; c++)
			pane_put(&p, row, texts + 7 + c, cv->glyphs == GLYPHS_ASCII ? '#' : 0x2588,
				STYLE_SERIES, 0);
		if (t->votes[i])
			pane_printf(&p, row, texts + 8 + min_int(cols, bars - 5), 5, STYLE_PLAIN, 0,
				"%u", t->votes[i]);
		row += rows + apart;
	}
	draw_invitation(&p, row + 1, t);
}

/* --- All of it --- */

static bool asks(const struct talk *t)
{
	return talk_step(t)->n_options && !t->answered;
}

/* Whether the figure's names and rows would not all have room under a blank row. */
static bool wants_all_rows(const struct talk *t, int rows, int cols)
{
	struct block *part = t->live.sim && !asks(t) && talk_part(t)
				     ? same_part(&t->live.figure, talk_part(t))
				     : NULL;
	const struct figure one = alone(&t->live.figure, &part);
	return part && part->kind != BLOCK_PLOT && figure_rows(&one, cols) > rows - 1;
}

struct present_places present_places(const struct canvas *cv, struct rect r, const struct talk *t)
{
	char answer[ANSWER_BYTES];
	struct present_places at = { .caption = take_top(&r, caption_rows(cv, r.cols, t)) };
	answer_text(t, answer, sizeof answer);
	at.answer = take_top(&r, min_int(text_lines(answer, r.cols - GAP, cv->glyphs), 2));
	talk_guessed(t, answer, sizeof answer);
	at.guess = take_top(&r, min_int(text_lines(answer, r.cols - GAP, cv->glyphs), 2));
	const bool roomy = r.rows > LEAST_FIGURE + 3;
	if (t->live.sim && !asks(t) && r.cols < WIDE) {
		at.foot = take_bottom(&r, r.rows > LEAST_FIGURE ? 2 : 1);
	} else if (t->live.sim && !asks(t)) {
		at.side = (struct rect){ r.row, r.col + r.cols - SIDE, r.rows, SIDE };
		r.cols -= SIDE + GAP;
	}
	if (roomy && !wants_all_rows(t, r.rows, r.cols))
		take_top(&r, 1);
	at.side.row = r.row;
	at.side.rows = at.side.cols ? r.rows : 0;
	at.figure = r;
	return at;
}

/* As far from the edge as the words of the caption. */
static struct rect beside_bar(struct rect r)
{
	return (struct rect){ r.row, r.col + GAP, r.rows, r.cols - GAP };
}

void present_draw(struct canvas *cv, struct rect r, const struct talk *t)
{
	char answer[ANSWER_BYTES];
	struct present_places at = present_places(cv, r, t);
	draw_caption(cv, at.caption, t);
	paragraph_draw(cv, beside_bar(at.answer), answer_text(t, answer, sizeof answer), STYLE_GOOD,
		ATTR_BOLD);
	paragraph_draw(
		cv, beside_bar(at.guess), talk_guessed(t, answer, sizeof answer), STYLE_SERIES, 0);
	if (asks(t)) {
		draw_question(cv, at.figure, t);
		return;
	}
	if (!t->live.sim) {
		struct rect text = text_column(at.figure, 72);
		text.row += 1;
		text.rows -= 1;
		paragraph_draw(cv, text, *t->trouble ? t->trouble : talk_step(t)->handout,
			*t->trouble ? STYLE_BAD : STYLE_PLAIN, 0);
		return;
	}
	draw_figure(cv, at.figure, t);
	if (at.side.rows)
		draw_side(cv, at.side, t);
	else
		draw_foot(cv, at.foot, t);
}
