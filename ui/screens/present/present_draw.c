/* Rows go to the figure first: it has at least twelve of them wherever there are so many, and what
 * stands under or beside it takes the rest. */
#include "ui/screens/present/present_draw.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/live/live_run.h"
#include "ui/screens/present/present_side.h"
#include "ui/term/big_type.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 90, SIDE = 34, SIDE_LARGE = 50, GAP = 2, LEAST_FIGURE = 12, ANSWER_BYTES = 440 };
enum { WORDS_COLS = 72 }; /* a line that is read at ease */
enum { MOST_CAPTION = 3, MOST_ALONE = 4, MOST_ASKED = 6, MOST_ANSWER = 2 }; /* lines; no figure */
/* rows, columns of a question */
enum { INDENT = 6, INDENT_LARGE = 9, VOTES_COLS = 6, SHORT_BAR = 5 };

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

/* Behind a bar in the accent's colour; grey once the speaker has left the script. */
static void draw_caption(struct canvas *cv, struct rect r, const struct talk *t, bool large)
{
	enum style bar = t->off_script ? STYLE_DIM : STYLE_ACCENT;
	enum style ink = t->off_script ? STYLE_DIM : STYLE_PLAIN;
	struct rect text = { r.row, r.col + GAP, r.rows, r.cols - GAP };
	if (large)
		big_text_draw(cv, text, t->caption, ink);
	else
		paragraph_draw(cv, text, t->caption, ink, ATTR_BOLD);
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

/* A line's break is none that moved. */
static bool same_number(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

/* Whether some curve is not where it was: then dots show where. */
static bool curves_differ(const struct plot *now, const struct plot *was)
{
	for (size_t i = 0; i < now->n_series && i < was->n_series; i++) {
		const struct series *a = &now->series[i], *b = &was->series[i];
		if (a->n != b->n)
			return true;
		for (size_t k = 0; k < a->n; k++)
			if (!same_number(a->points[k].x, b->points[k].x) ||
				!same_number(a->points[k].y, b->points[k].y))
				return true;
	}
	return false;
}

/* What dotted curves are. */
static void draw_dots(struct canvas *cv, struct rect r, const char *name)
{
	char text[40];
	snprintf(text, sizeof text, "%s %s", cv->glyphs == GLYPHS_ASCII ? "..." : "···", name);
	canvas_text_right(cv, r.row, r.col, r.cols, text, STYLE_DIM, 0);
}

static void draw_figure(struct canvas *cv, struct rect r, const struct talk *t)
{
	static const char before[] = "before";
	const struct live *s = &t->live;
	const struct block *shown = talk_part(t);
	if (!shown) {
		paragraph_draw(cv, r, t->trouble, STYLE_BAD, 0);
		return;
	}
	struct block titled, ended, *now = &titled, *was = NULL;
	const struct block *pinned = s->has_pin ? same_part(&s->pinned, shown) : NULL;
	void *spans = talk_shown(t, shown, now), *more_spans = NULL;
	if (pinned && same_units(now, pinned)) {
		was = &ended;
		more_spans = talk_shown(t, pinned, was);
		if (was->kind == BLOCK_BARS)
			was->as.bars.called = before;
		if (was->kind == BLOCK_PLOT && r.rows > LEAST_FIGURE &&
			curves_differ(&now->as.plot, &was->as.plot))
			draw_dots(cv, take_bottom(&r, 1), before);
	}
	/* Where the run is, and what happens there, stands under it. */
	if (block_moves(now) && !isnan(s->playhead_s) && r.rows > LEAST_FIGURE)
		run_draw(cv, take_bottom(&r, min_int(2, run_rows(s, r.cols, cv->glyphs))), s, NULL);
	struct figure one = alone(&s->figure, &now), ghost = alone(&s->pinned, &was);
	struct figure_state state = {
		.ghost = was ? &ghost : NULL, .playhead_s = s->playhead_s, .named = true
	};
	struct canvas large;
	if (canvas_init_like(&large, cv, r.rows, r.cols) == 0) {
		large.grows = true;
		figure_draw(&large, (struct rect){ 0, 0, r.rows, r.cols }, &one, &state);
		/* What does not grow as tall as the screen stands a little above the middle of it, and in
		 * the middle where it is not half as tall. */
		int rows = rows_drawn(&large), left = r.rows - rows;
		int above = 2 * rows < r.rows ? left / 2 : left > 3 ? left / 3 : 0;
		canvas_copy(cv, r.row + above, r.col, &large, (struct rect){ 0, 0, rows, r.cols });
		canvas_release(&large);
	}
	free(spans);
	free(more_spans);
}

/* --- A question --- */

static unsigned votes_in_all(const struct talk *t)
{
	unsigned votes = 0;
	for (size_t i = 0; i < talk_step(t)->n_options; i++)
		votes += t->votes[i];
	return votes;
}

static unsigned most_votes(const struct talk *t)
{
	unsigned most = 1;
	for (size_t i = 0; i < talk_step(t)->n_options; i++)
		most = t->votes[i] > most ? t->votes[i] : most;
	return most;
}

/* Under an open answer what the room said: "A ██ 1   B ████ 2", the right one in its colour. */
static void draw_vote_line(struct canvas *cv, struct rect r, const struct talk *t)
{
	const struct tour_step *s = talk_step(t);
	const int each = s->n_options ? (r.cols - GAP) / (int)s->n_options : 0;
	const int longest = min_int(each - VOTES_COLS - 4, 16);
	for (size_t i = 0; i < s->n_options && r.rows > 0; i++) {
		const enum style style = s->options[i].right ? STYLE_GOOD : STYLE_SERIES;
		const char name[] = { (char)('A' + i), '\0' };
		char number[16];
		int col = r.col + GAP + (int)i * each;
		int cols = (int)(t->votes[i] * (unsigned)max_int(longest, 0) / most_votes(t));
		canvas_text(cv, r.row, col, -1, name, style, ATTR_BOLD);
		canvas_fill(cv, (struct rect){ r.row, col + 2, 1, cols },
			cv->glyphs == GLYPHS_ASCII ? '#' : 0x2588, style, 0);
		snprintf(number, sizeof number, "%u", t->votes[i]);
		canvas_text(
			cv, r.row, col + 2 + cols + (cols > 0), VOTES_COLS, number, STYLE_PLAIN, 0);
	}
}

/* The answer under its question, once it is open; "" where there is none, and off the script, since it is
 * about another setting. Returns buf. */
static char *answer_text(const struct talk *t, char *buf, size_t size)
{
	const struct tour_step *s = talk_step(t);
	struct tour_scene scene = talk_scene(t);
	char text[400], err[300];
	buf[0] = '\0';
	for (size_t i = 0; t->answered && !t->off_script && i < s->n_options; i++) {
		if (!s->options[i].right)
			continue;
		tour_caption(&scene, s->options[i].text, text, sizeof text, err, sizeof err);
		snprintf(buf, size, "%c  %s", (char)('A' + i), text);
		break;
	}
	return buf;
}

/* How the answers to choose from stand: letter, text, then the bar of its votes. */
struct choice {
	struct rect text;
	int lines; /* of a text at most */
	bool large;
	int bars; /* columns of the longest */
};

static int draw_choice(const struct pane *p, const struct choice *c, char letter, const char *text)
{
	const char name[] = { letter, '\0' };
	struct rect mark = { c->text.row, p->r.col + GAP, c->text.rows, c->text.col - p->r.col };
	if (!c->large)
		canvas_text(p->cv, mark.row, mark.col, -1, name, STYLE_ACCENT, ATTR_BOLD);
	else
		big_text_draw(p->cv, mark, name, STYLE_ACCENT);
	return c->large ? big_text_draw(p->cv, c->text, text, STYLE_PLAIN)
			: paragraph_draw(p->cv, c->text, text, STYLE_PLAIN, 0);
}

static void draw_votes(struct canvas *cv, const struct choice *c, unsigned votes, unsigned most)
{
	char number[16];
	int from = c->text.col + c->text.cols + 1, cols = (int)(votes * (unsigned)c->bars / most);
	int rows = c->large ? big_text_rows(1) : 1;
	struct rect bar = { c->text.row, from, rows, cols },
		    beside = { c->text.row, from + cols + 1, rows, VOTES_COLS };
	snprintf(number, sizeof number, "%u", votes);
	canvas_fill(cv, bar, cv->glyphs == GLYPHS_ASCII ? '#' : 0x2588, STYLE_SERIES, 0);
	if (votes && (!c->large || !big_text_draw(cv, beside, number, STYLE_PLAIN)))
		canvas_text(cv, beside.row, beside.col, beside.cols, number, STYLE_PLAIN, 0);
}

/* The text of an answer. Returns buf. */
static const char *choice_text(const struct talk *t, size_t i, char *buf, size_t size)
{
	char err[300];
	struct tour_scene scene = talk_scene(t);
	tour_caption(&scene, talk_step(t)->options[i].text, buf, size, err, sizeof err);
	return buf;
}

/* Whether all answers have room in large type. */
static bool choices_fit(
	const struct canvas *cv, const struct talk *t, int rows, int cols, int most_lines)
{
	char text[400];
	int sum = 0;
	for (size_t i = 0; i < talk_step(t)->n_options; i++) {
		int lines = big_text_lines(choice_text(t, i, text, sizeof text), cols);
		if (lines < 1 || lines > most_lines)
			return false;
		sum += big_text_rows(lines) + 1;
	}
	return sum <= rows && cv->glyphs != GLYPHS_ASCII;
}

/* Who is alone has nobody to vote with, and predicts: a small line at the bottom, which nobody reads from
 * the back of a room. A label stands as it does beside the figure: "a step takes", "speed-up". */
static void draw_invitation(const struct pane *p, int row, const struct talk *t)
{
	const struct value *hero = talk_hero(t);
	const struct value *was =
		hero && t->live.has_pin ? figure_find(&t->live.pinned, hero->id) : NULL;
	char before[64], text[240];
	const int bottom = p->r.rows - 1;
	if (!hero || row >= bottom)
		return;
	snprintf(text, sizeof text, "Alone? Type what \"%s\" will be%s%s%s, and see.", hero->label,
		was ? " (" : "",
		was ? quantity_show(before, sizeof before, was->value, was->unit) : "",
		was ? " before)" : "");
	pane_words(p, bottom, GAP, -1, text, STYLE_DIM, 0);
}

/* Large where the answers have room in it: beside bars of votes as long as they like, else short ones. */
static struct choice choice_of(
	const struct canvas *cv, struct rect r, const struct talk *t, bool large)
{
	const int rooms[] = { r.cols / 4, VOTES_COLS + SHORT_BAR };
	struct choice c = { .lines = 2 };
	int room = rooms[0];
	for (size_t i = 0; i < LENGTH(rooms) && large && !c.large; i++) {
		c.lines = 2 + (int)i;
		c.large =
			choices_fit(cv, t, r.rows, r.cols - rooms[i] - GAP - INDENT_LARGE, c.lines);
		room = c.large ? rooms[i] : room;
	}
	const int indent = c.large ? INDENT_LARGE : INDENT;
	c.bars = room - VOTES_COLS - 1;
	c.text = (struct rect){ r.row + !c.large, r.col + indent,
		c.large ? big_text_rows(c.lines) : 2, r.cols - room - GAP - indent };
	return c;
}

static void draw_question(
	struct canvas *cv, struct rect r, const struct talk *t, struct present_look look)
{
	const struct tour_step *s = talk_step(t);
	struct pane p = pane_of(cv, r);
	struct choice c = choice_of(cv, p.r, t, look.large);
	/* Each may have two lines, and two blank rows, and below them stays one for who is alone. */
	const bool roomy = !c.large && p.r.rows > 4 * (int)s->n_options + 3;
	c.text.row += roomy;
	for (size_t i = 0; i < s->n_options; i++) {
		char text[400];
		choice_text(t, i, text, sizeof text);
		c.text.rows = min_int(c.text.rows, p.r.row + p.r.rows - c.text.row);
		if (c.text.rows < 1)
			break;
		int rows = draw_choice(&p, &c, (char)('A' + i), text);
		if (t->votes[i])
			draw_votes(cv, &c, t->votes[i], most_votes(t));
		c.text.row += rows + (roomy ? 2 : 1);
	}
	if (look.alone && !votes_in_all(t))
		draw_invitation(&p, c.text.row - r.row, t);
}

/* --- All of it --- */

/* Whether the figure's names and rows would not all have room under a blank row. */
static bool wants_all_rows(const struct talk *t, int rows, int cols)
{
	const struct block *shown = t->live.sim && !talk_asks(t) ? talk_part(t) : NULL;
	struct block cut, *part = &cut;
	if (!shown || shown->kind == BLOCK_PLOT)
		return false;
	void *spans = talk_shown(t, shown, part);
	const struct figure one = alone(&t->live.figure, &part);
	const bool wants = figure_rows(&one, cols) > rows - 1;
	free(spans);
	return wants;
}

/* Rows that a text takes in large type; 0 where it is to stand in the usual one, since others could not
 * have at least `keep` rows of so many beside it. */
static int large_rows(
	const struct canvas *cv, const char *text, int most_lines, int cols, int rows, int keep)
{
	int lines = cv->glyphs == GLYPHS_ASCII ? 0 : big_text_lines(text, cols - GAP);
	int taken = big_text_rows(lines);
	return lines <= most_lines && rows - taken >= keep ? taken : 0;
}

/* The rows of the answers to choose from in the usual type, each under a blank one. */
static int choice_rows(const struct canvas *cv, struct rect r, const struct talk *t)
{
	const int cols = choice_of(cv, r, t, false).text.cols;
	char text[400];
	int rows = 0;
	for (size_t i = 0; i < talk_step(t)->n_options; i++)
		rows += 1 + text_lines(choice_text(t, i, text, sizeof text), cols, cv->glyphs);
	return rows;
}

static int words_cols(struct rect r)
{
	return max_int(min_int(r.cols - 2 * GAP, WORDS_COLS), 0);
}

/* The rows that are not the caption's, whose type is the larger the fewer these are: of the figure and
 * a blank row above it; of the answers to choose from, or the words, in the usual type. */
static int rows_kept(const struct canvas *cv, struct rect r, const struct talk *t)
{
	if (talk_asks(t))
		return choice_rows(cv, r, t);
	if (!t->live.sim)
		return text_lines(talk_step(t)->handout, words_cols(r), cv->glyphs) + 1;
	const int foot = r.cols < WIDE ? present_foot_rows(cv->glyphs, r.cols, t) : 0;
	return max_int(LEAST_FIGURE, r.rows / 2) + foot + 1;
}

/* The columns of the values beside a figure. */
static int side_cols(int cols, bool large)
{
	return large ? max_int(SIDE, min_int(cols * 28 / 100, SIDE_LARGE)) : SIDE;
}

struct present_places present_places(
	const struct canvas *cv, struct rect r, const struct talk *t, bool large)
{
	char answer[ANSWER_BYTES];
	struct present_places at = { .large_caption = false };
	const int keep = rows_kept(cv, r, t);
	const int most = talk_asks(t) ? MOST_ASKED : t->live.sim ? MOST_CAPTION : MOST_ALONE;
	int rows = large_rows(cv, t->caption, most, r.cols, r.rows, keep);
	at.large_caption = large && rows > 0;
	at.caption = take_top(&r,
		at.large_caption
			? rows
			: min_int(text_lines(t->caption, r.cols - GAP, cv->glyphs), MOST_CAPTION));
	answer_text(t, answer, sizeof answer);
	take_top(&r, at.large_caption && *answer);
	rows = large_rows(cv, answer, MOST_ANSWER, r.cols, r.rows, keep);
	at.large_answer = at.large_caption && *answer && rows > 0;
	at.answer = take_top(
		&r, at.large_answer
			    ? rows
			    : min_int(text_lines(answer, r.cols - GAP, cv->glyphs), MOST_ANSWER));
	const bool votes = *answer && votes_in_all(t);
	talk_believed(t, answer, sizeof answer);
	at.believed =
		take_top(&r, min_int(text_lines(answer, r.cols - GAP, cv->glyphs), MOST_ANSWER));
	at.votes = take_top(&r, votes);
	talk_guessed(t, answer, sizeof answer);
	at.guess = take_top(&r, min_int(text_lines(answer, r.cols - GAP, cv->glyphs), MOST_ANSWER));
	bool roomy = r.rows > LEAST_FIGURE + 3;
	if (t->live.sim && !talk_asks(t) && r.cols < WIDE) {
		const int free_rows = max_int(1, r.rows - LEAST_FIGURE);
		at.foot = take_bottom(
			&r, min_int(present_foot_rows(cv->glyphs, r.cols, t), free_rows));
		roomy = r.rows > LEAST_FIGURE + 1;
	} else if (t->live.sim && !talk_asks(t)) {
		int side = side_cols(r.cols, large);
		at.side = (struct rect){ r.row, r.col + r.cols - side, r.rows, side };
		r.cols -= side + GAP;
	}
	if (roomy && !wants_all_rows(t, r.rows, r.cols))
		take_top(&r, 1);
	at.side.row = r.row;
	at.side.rows = at.side.cols ? r.rows : 0;
	at.figure = r;
	return at;
}

static void draw_answer(struct canvas *cv, const struct present_places *at, const struct talk *t)
{
	char answer[ANSWER_BYTES];
	struct rect text = at->answer;
	text.col += GAP;
	text.cols -= GAP;
	answer_text(t, answer, sizeof answer);
	if (at->large_answer)
		big_text_draw(cv, text, answer, STYLE_GOOD);
	else
		paragraph_draw(cv, text, answer, STYLE_GOOD, ATTR_BOLD);
	text.row = at->believed.row;
	text.rows = at->believed.rows;
	paragraph_draw(cv, text, talk_believed(t, answer, sizeof answer), STYLE_DIM, 0);
	draw_vote_line(cv, at->votes, t);
	text.row = at->guess.row;
	text.rows = at->guess.rows;
	paragraph_draw(cv, text, talk_guessed(t, answer, sizeof answer), STYLE_SERIES, 0);
}

/* What a step says that shows no simulation. */
static void draw_words(struct canvas *cv, struct rect r, const struct talk *t, bool large)
{
	const char *words = talk_step(t)->handout;
	/* Under the caption, whose text begins behind its bar. */
	struct rect text = { r.row, r.col + GAP, r.rows, words_cols(r) },
		    wide = { r.row, r.col + GAP, r.rows, r.cols - 2 * GAP };
	text.row += 1;
	text.rows -= 1;
	if (*t->trouble)
		paragraph_draw(cv, text, t->trouble, STYLE_BAD, 0);
	else if (!large || !big_text_draw(cv, wide, words, STYLE_DIM))
		paragraph_draw(cv, text, words, STYLE_PLAIN, 0);
}

void present_draw(struct canvas *cv, struct rect r, const struct talk *t, struct present_look look)
{
	const bool large = look.large;
	struct present_places at = present_places(cv, r, t, large);
	draw_caption(cv, at.caption, t, at.large_caption);
	draw_answer(cv, &at, t);
	if (talk_asks(t)) {
		draw_question(cv, at.figure, t, look);
		return;
	}
	if (!t->live.sim) {
		draw_words(cv, at.figure, t, large);
		return;
	}
	draw_figure(cv, at.figure, t);
	if (at.side.rows)
		present_side_draw(cv, at.side, t, large);
	else
		present_foot_draw(cv, at.foot, t);
}
