/* Columns are placed from the left; what has no room is left out from the right, the next review
 * last of all. */
#include "ui/screens/stats/stats_rows.h"

#include "sims/base/capital.h"
#include "sims/base/minmax.h"
#include "sims/base/name_words.h"
#include "ui/screens/stats/stats_words.h"
#include "ui/views/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	GAP = 2,
	LAST = 5,         /* answers shown one by one */
	SHARE = 6,        /* "  69 %" */
	COUNT = 9,        /* "31 of 43" */
	RATIO = 6,        /* " 111 %" */
	WHEN = 12,        /* "no drill now" */
	LEAST = 8,        /* columns of a bar */
	LEAST_RECALL = 4, /* with the number behind it as long as "first seen" */
	MOST = 24,
	MOST_MET = 38
};
static const double most_par = 2; /* a bar of times ends here */

static void rule_draw(const struct pane *p, int row, int col)
{
	const struct cell *at = pane_cell(p, row, col);
	const bool thick = at && at->style != STYLE_DIM;
	pane_put(p, row, col, glyph_or(p->cv->glyphs, thick ? 0x253f : 0x253c, '|'),
		thick ? (enum style)at->style : STYLE_DIM, 0);
}

/* -- By skill ------------------------------------------------------------------------------ */

/* Where the columns begin and how wide the bars are; 0 columns: not shown. */
struct columns {
	int name, recall, recall_cols, last, last_cols, count, count_cols, time, time_cols,
		ratio_cols;
	int when;
};

static int widest_name(const struct stats_group *const rows[], size_t n)
{
	int cols = 0;
	char said[96];
	for (size_t i = 0; i < n; i++)
		cols = max_int(cols, text_width(name_words(rows[i]->name, said, sizeof said)));
	return cols;
}

static bool any_recall(const struct stats_group *const rows[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (stats_recall_known(rows[i]))
			return true;
	return false;
}

/* Takes a column and the gap before it from what is left. 0: there is no room. */
static int take(int *left, int cols)
{
	if (*left < GAP + cols)
		return 0;
	*left -= GAP + cols;
	return cols;
}

/* Bars take what the words leave, up to a width at which an eye still follows the row. */
static struct columns columns_of(const struct stats_group *const rows[], size_t n, int cols)
{
	struct columns c = { .name = widest_name(rows, n) };
	int left = cols - c.name - GAP - WHEN;
	const int recall = any_recall(rows, n) ? take(&left, LEAST_RECALL + SHARE) : 0;
	c.count_cols = take(&left, COUNT);
	c.last_cols = take(&left, LAST);
	c.ratio_cols = take(&left, RATIO);
	if (recall) {
		const int half = (left + LEAST_RECALL) / 2;
		const bool both = half >= LEAST && c.ratio_cols;
		c.recall_cols = min_int(both ? half : LEAST_RECALL + max_int(left, 0), MOST);
		left -= c.recall_cols - LEAST_RECALL;
	}
	c.time_cols = c.ratio_cols && left >= LEAST ? min_int(left, MOST) : 0;
	c.recall = c.name + GAP;
	c.last = c.recall + (recall ? c.recall_cols + SHARE + GAP : 0);
	c.count = c.last + (c.last_cols ? c.last_cols + GAP : 0);
	c.time = c.count + (c.count_cols ? c.count_cols + GAP : 0);
	c.when = c.time + (c.ratio_cols ? c.time_cols + c.ratio_cols + GAP : 0);
	return c;
}

static void skill_head(const struct pane *p, const struct columns *c)
{
	pane_text(p, 1, 0, -1, "skill", STYLE_DIM, 0);
	if (c->recall_cols)
		pane_text(p, 1, c->recall, c->recall_cols + SHARE,
			c->recall_cols + SHARE > 18 ? "recall, due at 90 %" : "recall", STYLE_DIM,
			0);
	if (c->last_cols)
		pane_fit_right(p, 1, c->last, LAST, "last", STYLE_DIM, 0);
	if (c->count_cols)
		pane_fit_right(p, 1, c->count, COUNT, "right", STYLE_DIM, 0);
	if (c->ratio_cols)
		pane_text(p, 1, c->time, c->time_cols + RATIO,
			c->time_cols >= LEAST ? "time, of par" : "of par", STYLE_DIM, 0);
	pane_text(p, 1, c->when, -1, "next", STYLE_DIM, 0);
}

static void recall_draw(
	const struct pane *p, int row, const struct columns *c, const struct stats_group *g)
{
	if (!stats_recall_known(g)) {
		pane_text(p, row, c->recall, c->recall_cols + SHARE,
			g->problems == 1 ? "first seen" : "learning", STYLE_DIM, 0);
		return;
	}
	/* On each side of the rule a bar of its own, so that none reaches it that is due. */
	const enum style style = g->due ? meaning_style(MEANS_FIXED) : meaning_style(MEANS_COMPUTE);
	const double due = fsrs_defaults.retention;
	const int under = c->recall_cols < LEAST ? c->recall_cols : (int)(due * c->recall_cols);
	meter_draw(p, row, c->recall, under,
		fmin(1, under < c->recall_cols ? g->recall / due : g->recall), style);
	if (under < c->recall_cols) {
		meter_draw(p, row, c->recall + under, c->recall_cols - under,
			fmax(0, g->recall - due) / (1 - due), style);
		rule_draw(p, row, c->recall + under);
	}
	pane_printf(p, row, c->recall + c->recall_cols, SHARE, STYLE_PLAIN, 0, "%4.0f %%",
		100 * g->recall);
}

/* The last answers of a skill, the newest at the right. */
static void last_draw(
	const struct pane *p, int row, int col, const struct stats *s, const struct stats_group *g)
{
	int at = LAST;
	for (size_t i = s->n_problems; i-- > 0 && at > 0;) {
		const struct stats_problem *q = &s->problems[i];
		if (q->skill != g->name && strcmp(q->skill, g->name) != 0)
			continue;
		at--;
		pane_text(p, row, col + at, 1, q->outcome.correct ? "✓" : "✗",
			q->outcome.correct ? STYLE_GOOD : STYLE_BAD, 0);
	}
}

/* Of what was never right, the times are those of giving up. */
static void time_draw(
	const struct pane *p, int row, const struct columns *c, const struct stats_group *g)
{
	const int par = (int)(c->time_cols / most_par);
	if (g->correct == 0) {
		pane_text(p, row, c->time, c->time_cols + RATIO,
			c->time_cols >= LEAST ? "not right yet" : "", STYLE_DIM, 0);
	} else if (c->time_cols >= LEAST) {
		meter_draw(p, row, c->time, c->time_cols, g->time_ratio / most_par,
			meaning_style(MEANS_SECOND));
		if (g->time_ratio > most_par)
			pane_put(p, row, c->time + c->time_cols - 1,
				glyph_or(p->cv->glyphs, 0x25b6, '>'), STYLE_WARN, ATTR_BOLD);
	}
	if (c->time_cols >= LEAST && g->correct)
		rule_draw(p, row, c->time + par);
	char text[24];
	if (g->correct)
		pane_fit_right(p, row, c->time + c->time_cols, RATIO,
			stats_ratio_text(g->time_ratio, text, sizeof text),
			g->time_ratio > 1 ? STYLE_WARN : STYLE_PLAIN, 0);
}

enum stats_turn stats_turn(const struct stats *s, const struct stats_group *g)
{
	enum { WEEK = 7 };
	const int64_t away_s = g->card.due_s - s->now_s;
	return g->retired                       ? TURN_NEVER
	       : g->due                         ? TURN_NOW
	       : away_s < CALENDAR_DAY_S        ? TURN_DAY
	       : away_s < WEEK * CALENDAR_DAY_S ? TURN_WEEK
						: TURN_LATER;
}

static bool is_parted(size_t n)
{
	enum { LONG = 12 };
	return n >= LONG;
}

/* Whether a heading stands over that row. */
static bool begins_turn(
	const struct stats *s, const struct stats_group *const rows[], size_t n, size_t i)
{
	return is_parted(n) && (i == 0 || stats_turn(s, rows[i]) != stats_turn(s, rows[i - 1]));
}

int stats_skill_places(
	const struct stats *s, const struct stats_group *const rows[], size_t n, int at[STATS_ROWS])
{
	int row = STATS_HEAD;
	for (size_t i = 0; i < n; i++) {
		row += begins_turn(s, rows, n, i);
		at[i] = row++;
	}
	return row;
}

/* "due now: 23 skills", over the first of them. */
static void turn_draw(const struct pane *p, int row, const struct stats *s,
	const struct stats_group *const rows[], size_t n, size_t i)
{
	static const char *const names[N_TURNS] = { "due now", "within a day", "within a week",
		"later", "no drill asks for it now" };
	const enum stats_turn turn = stats_turn(s, rows[i]);
	size_t end = i;
	while (end < n && stats_turn(s, rows[end]) == turn)
		end++;
	const int cols = pane_printf(p, row, 0, -1, turn == TURN_NOW ? STYLE_WARN : STYLE_DIM,
		ATTR_BOLD, "%s: %zu ", names[turn], end - i);
	for (int col = cols; col < p->r.cols; col++)
		pane_put(p, row, col, glyph_or(p->cv->glyphs, 0x2500, '-'), STYLE_DIM, 0);
}

void stats_skill_rows(const struct pane *p, const struct stats *s,
	const struct stats_group *const rows[], size_t n, const int at[STATS_ROWS])
{
	const struct columns c = columns_of(rows, n, p->r.cols);
	pane_text(p, 0, 0, -1, "By skill, what is due first", STYLE_PLAIN, ATTR_BOLD);
	skill_head(p, &c);
	for (size_t i = 0; i < n; i++) {
		const struct stats_group *g = rows[i];
		const int row = at[i];
		char when[64], count[48], said[96];
		if (begins_turn(s, rows, n, i))
			turn_draw(p, row - 1, s, rows, n, i);
		pane_text(p, row, 0, -1, name_words(g->name, said, sizeof said), STYLE_PLAIN, 0);
		if (c.recall_cols)
			recall_draw(p, row, &c, g);
		if (c.last_cols)
			last_draw(p, row, c.last, s, g);
		snprintf(count, sizeof count, "%zu of %zu", g->correct, g->problems);
		if (c.count_cols)
			pane_fit_right(p, row, c.count, COUNT, count, STYLE_PLAIN, 0);
		if (c.ratio_cols)
			time_draw(p, row, &c, g);
		stats_when(g->card.due_s, s->now_s, when, sizeof when);
		/* Where a heading says it, nothing does so again. */
		if (!is_parted(n) || (!g->due && !g->retired))
			pane_text(p, row, c.when, -1, g->retired ? "no drill now" : when,
				g->due ? STYLE_WARN : STYLE_DIM, 0);
	}
}

/* -- By topic ------------------------------------------------------------------------------ */

/* "Mixtures of experts", as home has it. */
static const char *topic_name(const struct stats_topic *t, char *text, size_t size)
{
	snprintf(text, size, "%s", t->name);
	return capital_first(text);
}

static int widest_topic(const struct stats_topic topics[], size_t n)
{
	int cols = 0;
	for (size_t i = 0; i < n; i++)
		cols = max_int(cols, text_width(topics[i].name));
	return cols;
}

/* All tracks are equally long: what is filled is a share, and the number of problems is a number. */
void stats_topic_rows(const struct pane *p, const struct stats_topic topics[], size_t n)
{
	enum { MET = 9, RIGHT = 11 };
	const int name = widest_topic(topics, n);
	int room = p->r.cols - name - GAP - MET;
	const int right = take(&room, RIGHT);
	const int bar = min_int(max_int(room, 0), MOST_MET), met = name + GAP + bar;
	pane_text(p, 0, 0, -1, "By topic, how much of it has come up", STYLE_PLAIN, ATTR_BOLD);
	pane_text(p, 1, 0, -1, "topic", STYLE_DIM, 0);
	pane_fit_right(p, 1, met, MET, "met", STYLE_DIM, 0);
	if (right)
		pane_fit_right(p, 1, met + MET + GAP, right, "right", STYLE_DIM, 0);
	for (size_t i = 0; i < n; i++) {
		const struct stats_topic *t = &topics[i];
		const struct stats_group *g = t->group;
		const int row = STATS_HEAD + (int)i;
		char text[64];
		pane_text(p, row, 0, -1, topic_name(t, text, sizeof text), STYLE_PLAIN, 0);
		meter_draw(p, row, name + GAP, bar, (double)t->met / (double)t->drills,
			meaning_style(MEANS_COMPUTE));
		snprintf(text, sizeof text, "%zu of %zu", t->met, t->drills);
		pane_fit_right(p, row, met, MET, text, STYLE_PLAIN, 0);
		if (!right)
			continue;
		snprintf(text, sizeof text, "%zu of %zu", g->correct, g->problems);
		pane_fit_right(p, row, met + MET + GAP, right, text, STYLE_PLAIN, 0);
	}
}

/* -- Topics that wait ---------------------------------------------------------------------- */

enum { GRID_DRILLS = 3 };

struct stats_grid stats_grid(const struct stats_topic topics[], size_t n, int cols, bool bars)
{
	enum { MOST_ACROSS = 3, BETWEEN = 3, LEAST_BAR = 4, MOST_BAR = 12 };
	struct stats_grid g = { .name = widest_topic(topics, n) };
	g.cell = g.name + 1 + GRID_DRILLS;
	const int across = max_int(1, min_int(MOST_ACROSS, (cols + BETWEEN) / (g.cell + BETWEEN)));
	/* What is left over has bars, since lengths compare faster than numbers. */
	const int spare = (cols + BETWEEN) / across - g.cell - BETWEEN - 1;
	g.bar = bars && spare >= LEAST_BAR ? min_int(spare, MOST_BAR) : 0;
	g.cell += g.bar ? 1 + g.bar : 0;
	g.step = g.cell + BETWEEN;
	g.down = ((int)n + across - 1) / across;
	return g;
}

void stats_grid_draw(const struct pane *p, const struct stats_topic topics[], size_t n, bool bars)
{
	const struct stats_grid g = stats_grid(topics, n, p->r.cols, bars);
	size_t most = 0;
	for (size_t i = 0; i < n; i++)
		most = topics[i].drills > most ? topics[i].drills : most;
	pane_text(p, 0, 0, -1, "Topics that wait, with their problems", STYLE_PLAIN, ATTR_BOLD);
	for (int i = 0; i < (int)n; i++) {
		const int row = STATS_GRID_HEAD + i % g.down, col = i / g.down * g.step;
		char text[64];
		pane_text(
			p, row, col, -1, topic_name(&topics[i], text, sizeof text), STYLE_PLAIN, 0);
		snprintf(text, sizeof text, "%zu", topics[i].drills);
		pane_fit_right(p, row, col + g.name, 1 + GRID_DRILLS, text, STYLE_DIM, 0);
		length_draw(p, row, col + g.name + 2 + GRID_DRILLS, g.bar,
			(double)topics[i].drills / (double)most, STYLE_DIM);
	}
}

/* -- The share and its range --------------------------------------------------------------- */

/* A label in the middle over a place of the scale, inside the pane; left out where another one is. */
static void label_draw(
	const struct pane *p, int row, int at, double share, enum style style, unsigned attr)
{
	char text[16];
	snprintf(text, sizeof text, "%.0f %%", 100 * share);
	const int width = text_width(text);
	const int col = max_int(0, min_int(at - width / 2, p->r.cols - width));
	for (int i = col - 1; i <= col + width; i++)
		if (i >= 0 && i < p->r.cols && !pane_blank(p, row, i))
			return;
	pane_text(p, row, col, -1, text, style, attr);
}

void stats_share_draw(const struct pane *p, const struct stats *s)
{
	const double share = (double)s->total.correct / (double)s->total.problems;
	const struct scale at = { .hi = 1, .width = p->r.cols };
	double lo, hi;
	stats_share_range(s->total.correct, s->total.problems, &lo, &hi);
	static const char *const titles[] = {
		"Your share of right answers lies in the thick part, 19 times of 20",
		"Your share of right answers"
	};
	const bool whole = text_width(titles[0]) <= p->r.cols;
	pane_text(p, 0, 0, -1, titles[whole ? 0 : 1], STYLE_PLAIN, ATTR_BOLD);
	const int from = scale_col(&at, lo), to = scale_col(&at, hi), here = scale_col(&at, share);
	for (int i = 0; i < p->r.cols; i++) {
		const bool in = i >= from && i <= to;
		pane_put(p, 1, i, glyph_or(p->cv->glyphs, in ? 0x2501 : 0x2500, in ? '=' : '-'),
			in ? meaning_style(MEANS_COMPUTE) : STYLE_DIM, 0);
	}
	pane_put(p, 1, here, glyph_or(p->cv->glyphs, 0x25cf, '*'), STYLE_PLAIN, ATTR_BOLD);
	label_draw(p, 2, here, share, STYLE_PLAIN, ATTR_BOLD);
	label_draw(p, 2, from, lo, STYLE_DIM, 0);
	label_draw(p, 2, to, hi, STYLE_DIM, 0);
	label_draw(p, 2, 0, 0, STYLE_DIM, 0);
	label_draw(p, 2, p->r.cols - 1, 1, STYLE_DIM, 0);
}
