/* The statistics laid out: a sentence, the next step and the numbers over everything; then in a wide
 * window pictures on the left and lists on the right, in a narrow one all below each other. */
#include "ui/screens/stats/stats_document.h"

#include "drills/case_stats_figure.h"
#include "drills/schedule_example.h"
#include "sims/base/minmax.h"
#include "sims/base/name_words.h"
#include "sims/quantity/quantity.h"
#include "ui/screens/stats/stats_interviews.h"
#include "ui/screens/stats/stats_words.h"
#include "ui/term/overlay.h"
#include "ui/term/paragraph.h"
#include "ui/views/bars.h"
#include "ui/views/note.h"
#include "ui/views/plot.h"
#include "ui/views/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	WIDE = 132,
	BETWEEN = 4,
	LOW = 30,       /* rows of the body: plots are low */
	TALL = 46,      /* and from here on high */
	PAIR_FROM = 76, /* columns for two plots side by side */
	NARROW = 46,    /* of a plot: its title and that of its axis have no room side by side */
	MOST_TITLE = 96,
	LEAST_TREND = 10,
	MOST_TILES = 5
};

static int plot_height(const struct stats_document *d)
{
	enum { LOW_PLOT = 7, MIDDLE_PLOT = 10, HIGH_PLOT = 14, LEAST_HIGH = 54, HIGHEST_PLOT = 17 };
	return d->body_rows < LOW          ? LOW_PLOT
	       : d->body_rows < TALL - 2   ? MIDDLE_PLOT
	       : d->body_rows < LEAST_HIGH ? HIGH_PLOT
					   : HIGHEST_PLOT;
}

/* -- Over everything ----------------------------------------------------------------------- */

/* A number, and under it in as many words as there is room for what it is. */
struct tile {
	char number[56], word[48], words[64];
};

/* "879 of 1,000" */
static void of_text(char *text, size_t size, size_t part, size_t whole)
{
	char a[24], b[24];
	quantity_format(a, sizeof a, (double)part, "");
	quantity_format(b, sizeof b, (double)whole, "");
	snprintf(text, size, "%s of %s", a, b);
}

static size_t tiles_of(const struct stats *s, struct tile tiles[MOST_TILES])
{
	const struct stats_group *t = &s->total;
	size_t n = 0;
	struct tile *now = &tiles[n++];
	snprintf(now->number, sizeof now->number, "%.0f %%",
		100 * (double)t->correct / (double)t->problems);
	snprintf(now->word, sizeof now->word, "right");
	of_text(now->words, sizeof now->words, t->correct, t->problems);
	strncat(now->words, " right", sizeof now->words - strlen(now->words) - 1);
	now = &tiles[n++];
	stats_ratio_text(t->time_ratio, now->number, sizeof now->number);
	snprintf(now->word, sizeof now->word, "of par time");
	snprintf(now->words, sizeof now->words, "of par, the middle problem");
	now = &tiles[n++];
	snprintf(now->number, sizeof now->number, "%zu", s->run);
	snprintf(now->word, sizeof now->word, "right in a row");
	snprintf(now->words, sizeof now->words, "right in a row, at most %zu", s->longest_run);
	now = &tiles[n++];
	of_text(now->number, sizeof now->number, s->n_skills - s->n_due, s->n_skills);
	snprintf(now->word, sizeof now->word, "skills fresh");
	snprintf(now->words, sizeof now->words, "skills fresh, not due");
	if (s->n_sprints) {
		now = &tiles[n++];
		snprintf(now->number, sizeof now->number, "%zu", s->best_sprint);
		snprintf(now->word, sizeof now->word, "best sprint");
		snprintf(now->words, sizeof now->words, "right in the best sprint");
	}
	return n;
}

static int tiles_draw(struct stats_document *d, int row, int cols)
{
	struct tile tiles[MOST_TILES];
	size_t n = tiles_of(&d->view->answers.stats, tiles);
	enum { LEAST_TILE = 15 };
	const int across = max_int(1, min_int((int)n, cols / LEAST_TILE));
	const int down = ((int)n + across - 1) / across;
	const int each = cols / across;
	bool whole = true;
	for (size_t i = 0; i < n; i++)
		whole = whole && text_width(tiles[i].words) + 2 <= each;
	for (int i = 0; d->cv && i < (int)n; i++) {
		const int at = SPOT_MARK + i % across * each, y = row + i / across * 3;
		const bool due = i == (int)n - 1 - (d->view->answers.stats.n_sprints > 0) &&
				 d->view->answers.stats.n_due > 0;
		canvas_text(d->cv, y, at, each - 1, tiles[i].number, due ? STYLE_WARN : STYLE_PLAIN,
			ATTR_BOLD);
		canvas_text(d->cv, y + 1, at, each - 1, whole ? tiles[i].words : tiles[i].word,
			STYLE_DIM, 0);
	}
	return 3 * down - 1;
}

static int words_draw(struct stats_document *d, int row, int col, int cols, const char *text,
	enum style style, unsigned attr)
{
	const int rows = text_lines(text, cols, d->glyphs);
	if (d->cv)
		paragraph_draw(d->cv, (struct rect){ row, col, rows, cols }, text, style, attr);
	return rows;
}

/* The sentence, the next step with the cursor on it while no row has it, and the numbers. */
static int head_draw(struct stats_document *d, int top, int cols)
{
	char text[STATS_SENTENCE];
	const bool here = d->view->focus < 0;
	const struct stats *s = &d->view->answers.stats;
	int row = top + (top == 0 && d->body_rows >= LOW);
	/* A low window has no room for numbers of which the sentence has the first, where there are pictures. */
	const bool pictures = !stats_is_thin(s) || s->n_problems >= LEAST_TREND;
	/* Of a few answers the sentence says all that numbers could. */
	const bool tiled = s->n_problems >= LEAST_TREND && !(d->body_rows < LOW && pictures);
	stats_headline(s, tiled, text, sizeof text);
	row += words_draw(d, row, SPOT_MARK, cols, text, STYLE_PLAIN, ATTR_BOLD);
	stats_next_step(s, text, sizeof text);
	if (d->cv && here)
		canvas_text(d->cv, row, 0, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
	row += words_draw(d, row, SPOT_MARK, cols, text, STYLE_ACCENT, here ? ATTR_BOLD : 0) + 1;
	if (!tiled)
		return row - top;
	return row - top + tiles_draw(d, row, cols) + 1;
}

/* -- Pictures ------------------------------------------------------------------------------ */

/* Where an axis of per cents begins that leaves little of the picture empty. */
static double lowest_tens(const struct plot *p)
{
	enum { TENS = 10, MOST = 80 };
	double low = MOST;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t k = 0; k < p->series[i].n; k++)
			low = fmin(low, p->series[i].points[k].y);
	return TENS * floor(low / TENS);
}

static void plot_at(struct stats_document *d, const struct block *b, int row, int col, int cols)
{
	struct plot p = b->as.plot;
	if (!d->cv)
		return;
	/* A day has too few answers for a mark of its own beside its week. */
	while (p.n_series > 1 && p.series->style == SERIES_POINTS) {
		p.series++;
		p.n_series--;
	}
	p.y.min = lowest_tens(&p);
	struct rect at = { row, col, plot_height(d), cols };
	if (cols < NARROW) {
		char title[MOST_TITLE];
		snprintf(title, sizeof title, "%s, in %s", p.title, p.y.unit);
		canvas_text(d->cv, at.row++, col, cols, title, STYLE_PLAIN, ATTR_BOLD);
		at.rows--;
		p.title = p.y.title = p.y.unit = "";
	}
	plot_draw(d->cv, at, &p, NULL, NAN);
}

static bool is_by_day(const struct block *b)
{
	return b->as.plot.n_series > 0 && b->as.plot.series[0].style == SERIES_POINTS;
}

/* Plots below each other, or two side by side. Returns the rows with a blank one behind. */
static int plots_draw(struct stats_document *d, int row, int col, int cols, bool pairs)
{
	const struct figure *f = &d->view->figure;
	const int half = (cols - BETWEEN) / 2, high = plot_height(d) + 1;
	const struct block *plots[2];
	int n = 0;
	/* A few answers make no trend. */
	for (size_t i = 0; i < f->n_blocks && n < 2; i++)
		if (f->blocks[i]->kind == BLOCK_PLOT &&
			(!is_by_day(f->blocks[i]) ||
				d->view->answers.stats.n_problems >= LEAST_TREND))
			plots[n++] = f->blocks[i];
	if (n == 2 && pairs && cols >= PAIR_FROM - SPOT_MARK) {
		plot_at(d, plots[0], row, col, half);
		plot_at(d, plots[1], row, col + half + BETWEEN, half);
		return high;
	}
	for (int i = 0; i < n; i++)
		plot_at(d, plots[i], row + i * high, col, cols);
	return n * high;
}

/* What is neither plot nor list: the times against par, mistakes, notes. Both lists have screens of
 * their own here, and the first note is the next step. */
static int rest_draw(struct stats_document *d, enum block_kind kind, int row, int col, int cols)
{
	const struct figure *f = &d->view->figure;
	const int top = row;
	int seen = 0;
	for (size_t i = 0; i < f->n_blocks; i++) {
		const struct block *b = f->blocks[i];
		int rows = 0;
		if (b->kind != kind)
			continue;
		if (kind == BLOCK_BARS) {
			rows = bars_rows(&b->as.bars, cols);
			if (d->cv)
				bars_draw(d->cv, (struct rect){ row, col, rows, cols }, &b->as.bars,
					NULL);
		} else if (kind == BLOCK_NOTE && seen++ > 0) {
			rows = note_rows(&b->as.note, cols);
			if (d->cv)
				note_draw(
					d->cv, (struct rect){ row, col, rows, cols }, &b->as.note);
		} else if (kind == BLOCK_TABLE &&
			   strcmp(b->as.table.title, stats_skills_title) != 0 &&
			   strcmp(b->as.table.title, stats_topics_title) != 0) {
			rows = table_rows(&b->as.table, cols, false);
			if (d->cv)
				table_draw(d->cv, (struct rect){ row, col, rows, cols },
					&b->as.table, NULL, NULL);
		}
		row += rows + (rows > 0);
	}
	return row - top;
}

static int assumptions_draw(struct stats_document *d, int row, int col, int cols)
{
	int rows = 0;
	char text[512];
	for (size_t i = 0; i < d->view->figure.n_assumptions; i++) {
		snprintf(text, sizeof text, "Assumes: %s.", d->view->figure.assumptions[i]);
		rows += words_draw(d, row + rows, col, cols, text, STYLE_DIM, 0);
	}
	return rows;
}

static int share_draw(struct stats_document *d, int row, int col, int cols)
{
	enum { MOST = 72 };
	if (!stats_is_thin(&d->view->answers.stats))
		return 0;
	if (d->cv) {
		struct pane p =
			pane_of(d->cv, (struct rect){ row, col, STATS_SHARE, min_int(cols, MOST) });
		stats_share_draw(&p, &d->view->answers.stats);
	}
	return STATS_SHARE + 1;
}

static int unknowns_draw(struct stats_document *d, int row, int col, int cols)
{
	char text[MOST_UNKNOWNS][STATS_SENTENCE];
	const size_t n = stats_unknowns(&d->view->answers.stats, text);
	const int top = row;
	if (n == 0)
		return 0;
	row += words_draw(
		d, row, col, cols, "What these answers cannot say yet", STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; i < n; i++) {
		if (d->cv)
			canvas_text(d->cv, row, col, 1, "·", STYLE_DIM, 0);
		row += words_draw(d, row, col + 2, cols - 2, text[i], STYLE_DIM, 0);
	}
	return row - top + 1;
}

/* -- Lists --------------------------------------------------------------------------------- */

/* `shown`: the name as it stands there. */
static void add_spot(
	struct stats_document *d, int row, int col, int cols, const char *name, const char *shown)
{
	if (d->n_spots == MOST_SPOTS)
		return;
	if (d->cv && d->n_spots == d->view->focus) {
		canvas_text(d->cv, row, col - SPOT_MARK, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
		canvas_restyle(d->cv, (struct rect){ row, col, 1, text_width(shown) }, STYLE_ACCENT,
			ATTR_BOLD);
	}
	d->spots[d->n_spots++] = (struct stats_spot){ row, 1, col, cols, name };
}

static bool comes_before(
	const struct stats *s, const struct stats_group *a, const struct stats_group *b)
{
	const enum stats_turn turn = stats_turn(s, a), other = stats_turn(s, b);
	if (turn != other)
		return turn < other;
	return turn != TURN_NOW && turn != TURN_NEVER && a->card.due_s < b->card.due_s;
}

/* By when they come back. What is due at once stays in its order, and so does what no drill asks for any more. */
static void due_first(const struct stats *s, const struct stats_group *rows[], size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct stats_group *row = rows[i];
		size_t at = i;
		for (; at > 0 && comes_before(s, row, rows[at - 1]); at--)
			rows[at] = rows[at - 1];
		rows[at] = row;
	}
}

/* Skills of which nobody knows yet what stays come after those with a recall and those that were never right,
 * each in their order. */
static void known_first(const struct stats_group *rows[], size_t n)
{
	size_t known = 0;
	for (size_t i = 0; i < n; i++) {
		const struct stats_group *row = rows[i];
		if (!stats_recall_known(row) && row->correct)
			continue;
		memmove(&rows[known + 1], &rows[known], (i - known) * sizeof *rows);
		rows[known++] = row;
	}
}

static int skills_draw(struct stats_document *d, int row, int col, int cols)
{
	const struct stats *s = &d->view->answers.stats;
	const struct stats_group *rows[STATS_ROWS];
	const size_t n = stats_rank(s, STATS_WEAKEST, rows, STATS_ROWS);
	known_first(rows, n);
	due_first(s, rows, n);
	int at[STATS_ROWS];
	const int high = stats_skill_places(s, rows, n, at);
	if (d->cv) {
		struct pane p = pane_of(d->cv, (struct rect){ row, col, high, cols });
		stats_skill_rows(&p, s, rows, n, at);
	}
	for (size_t i = 0; i < n; i++) {
		char said[96];
		name_words(rows[i]->name, said, sizeof said);
		add_spot(d, row + at[i], col, cols, rows[i]->name, said);
	}
	d->list = (struct rect){ row, col, high, cols };
	return high + 1;
}

static int met_draw(struct stats_document *d, int row, int col, int cols, size_t n)
{
	const struct stats_view *v = d->view;
	const int high = STATS_HEAD + (int)n;
	if (d->cv) {
		struct pane p = pane_of(d->cv, (struct rect){ row, col, high, cols });
		stats_topic_rows(&p, v->topics, n);
	}
	for (size_t i = 0; i < n; i++)
		add_spot(d, row + STATS_HEAD + (int)i, col, cols, v->topics[i].id,
			v->topics[i].name);
	return high + 1;
}

static int waiting_draw(struct stats_document *d, int row, int col, int cols, size_t first)
{
	const struct stats_topic *topics = &d->view->topics[first];
	const size_t n = d->view->n_topics - first;
	const struct stats_grid g = stats_grid(topics, n, cols, first == 0);
	if (d->cv) {
		struct pane p =
			pane_of(d->cv, (struct rect){ row, col, STATS_GRID_HEAD + g.down, cols });
		stats_grid_draw(&p, topics, n, first == 0);
	}
	for (int i = 0; i < (int)n; i++)
		add_spot(d, row + STATS_GRID_HEAD + i % g.down, col + i / g.down * g.step, g.cell,
			topics[i].id, topics[i].name);
	return STATS_GRID_HEAD + g.down + 1;
}

/* Those that were answered with how much of them, then the names of those that wait. */
static int topics_draw(struct stats_document *d, int row, int col, int cols)
{
	const struct stats_view *v = d->view;
	const int top = row;
	size_t met = 0;
	while (met < v->n_topics && v->topics[met].group)
		met++;
	if (met)
		row += met_draw(d, row, col, cols, met);
	if (met < v->n_topics)
		row += waiting_draw(d, row, col, cols, met);
	return row - top;
}

/* -- Interviews ---------------------------------------------------------------------------- */

/* "Your answers · Your interviews · Ada    2/3 Tab", the part that is shown in bold; while records are read,
 * how far that is. Nothing where there are no interviews. Returns the rows. */
static int parts_draw(struct stats_document *d, int cols)
{
	const struct stats_view *v = d->view;
	char end[80];
	int col = SPOT_MARK;
	if (!v->interviews.n)
		return 0;
	if (v->interviews.at < v->interviews.n)
		snprintf(end, sizeof end, "reading interview %zu of %zu", v->interviews.at + 1,
			v->interviews.n);
	else if (!v->people.n_people)
		return 0;
	else
		snprintf(end, sizeof end, "%zu/%zu  Tab", v->part + 1, v->people.n_people + 1);
	if (!d->cv)
		return 2;
	const int room = SPOT_MARK + cols - text_width(end) - 2;
	for (size_t i = 0; i <= v->people.n_people; i++) {
		const struct case_person *p = i ? &v->people.people[i - 1] : NULL;
		const char *name = !p         ? "Your answers"
				   : *p->name ? p->name
				   : p->given ? "No name"
					      : "Your interviews";
		if (col + text_width(name) > room)
			break;
		if (i)
			col += canvas_text(d->cv, 0, col, room - col, "· ", STYLE_DIM, 0);
		col += canvas_text(d->cv, 0, col, room - col, name,
			       i == v->part ? STYLE_PLAIN : STYLE_DIM,
			       i == v->part ? ATTR_BOLD : 0) +
		       1;
	}
	canvas_text_right(d->cv, 0, SPOT_MARK, cols, end, STYLE_DIM, 0);
	return 2;
}

static struct pane part_of(struct stats_document *d, int row, int col, int cols, int rows)
{
	return pane_of(d->cv, (struct rect){ row, col, rows, cols });
}

static int phases_draw(struct stats_document *d, const struct case_person *p, int row, int cols)
{
	enum { HIGH = INTERVIEW_HEAD + N_CASE_PHASES };
	if (d->cv) {
		const struct pane pane = part_of(d, row, SPOT_MARK, cols, HIGH);
		interview_phase_rows(&pane, p);
	}
	return HIGH + 1;
}

static int kinds_draw(
	struct stats_document *d, const struct case_person *p, int row, int col, int cols)
{
	const int high = interview_kind_height(p);
	if (d->cv && high) {
		const struct pane pane = part_of(d, row, col, cols, high);
		interview_kind_rows(&pane, p);
	}
	return high ? high + 1 : 0;
}

/* The marks of the whole, interview by interview: the axis has all marks that there are. */
static int curve_draw(struct stats_document *d, int row, int col, int cols)
{
	const struct figure *f = &d->view->marks;
	if (!f->n_blocks)
		return 0;
	if (d->cv)
		plot_draw(d->cv, (struct rect){ row, col, plot_height(d), cols },
			&f->blocks[0]->as.plot, NULL, NAN);
	return plot_height(d) + 1;
}

static int cases_draw(
	struct stats_document *d, const struct case_person *p, int row, int col, int cols)
{
	const int high = INTERVIEW_HEAD + (int)p->n_last;
	if (d->cv) {
		const struct pane pane = part_of(d, row, col, cols, high);
		interview_case_rows(&pane, p, d->view->answers.stats.now_s);
	}
	for (size_t i = 0; i < p->n_last; i++)
		add_spot(d, row + INTERVIEW_HEAD + (int)i, col, cols, p->last[i]->id,
			p->last[i]->id);
	return high + 1;
}

/* One person's interviews: sentence, next case, phases over everything; then what was forgotten beside the
 * marks over time, and the cases. */
static void lay_out_person(struct stats_document *d, const struct case_person *p, int cols)
{
	char text[CASE_SENTENCE + 200];
	const bool here = d->view->focus < 0, wide = cols >= WIDE;
	const int all = cols - SPOT_MARK, half = (all - BETWEEN) / 2,
		  beside = SPOT_MARK + half + BETWEEN;
	int row = parts_draw(d, all);
	case_person_headline(p, text, sizeof text);
	row += words_draw(d, row, SPOT_MARK, all, text, STYLE_PLAIN, ATTR_BOLD);
	case_person_next(
		p, d->view->interviews.offers, d->view->interviews.n_offers, text, sizeof text);
	if (d->cv && here)
		canvas_text(d->cv, row, 0, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
	row += words_draw(d, row, SPOT_MARK, all, text, STYLE_ACCENT, here ? ATTR_BOLD : 0) + 1;
	row += phases_draw(d, p, row, all);
	if (!wide) {
		row += kinds_draw(d, p, row, SPOT_MARK, all);
		row += curve_draw(d, row, SPOT_MARK, all);
		d->rows = row + cases_draw(d, p, row, SPOT_MARK, all);
		return;
	}
	int left = row, right = row;
	left += kinds_draw(d, p, left, SPOT_MARK, half);
	left += curve_draw(d, left, SPOT_MARK, half);
	right += cases_draw(d, p, right, beside, all - half - BETWEEN);
	d->rows = max_int(left, right);
}

/* Where curves will stand, one of the schedule itself: grey, since it is nobody's. Only as high as the window has
 * rows for. */
static int example_draw(struct stats_document *d, int row, int col, int cols)
{
	enum { LEAST_HIGH = 7, MOST_HIGH = 34, MOST_COLS = 96 };
	const int high = min_int(MOST_HIGH, d->body_rows - row);
	struct figure f = { 0 };
	if (high < LEAST_HIGH)
		return 0;
	if (!d->cv)
		return high;
	schedule_example_figure(&f);
	const struct rect r = { row, col, high, min_int(cols, MOST_COLS) };
	if (f.n_blocks && !f.arena.failed) {
		plot_draw(d->cv, r, &f.blocks[0]->as.plot, NULL, NAN);
		overlay_dim(d->cv, r, -1);
	}
	figure_release(&f);
	return high;
}

/* What is there without an answer: what answers will say, and what waits to be drilled. */
static void lay_out_empty(struct stats_document *d, int cols)
{
	enum { PROMISE = 78 /* the longest on one line */ };
	const bool wide = cols >= WIDE;
	const int all = cols - SPOT_MARK, width = wide ? min_int(PROMISE, all / 2) : all;
	const int beside = wide ? SPOT_MARK + width + BETWEEN + SPOT_MARK : SPOT_MARK;
	int left = parts_draw(d, all), right;
	left += head_draw(d, left, all);
	right = left;
	left += words_draw(
		d, left, SPOT_MARK, width, "What will stand here", STYLE_PLAIN, ATTR_BOLD);
	for (size_t i = 0; stats_promises[i]; i++) {
		if (d->cv)
			canvas_text(d->cv, left, SPOT_MARK, 1, "·", STYLE_DIM, 0);
		left += words_draw(
			d, left, SPOT_MARK + 2, width - 2, stats_promises[i], STYLE_DIM, 0);
	}
	if (wide)
		left += 1 + example_draw(d, left + 1, SPOT_MARK, width);
	right = wide ? right : left + 1;
	right += topics_draw(d, right, beside, cols - beside);
	if (!wide)
		right += example_draw(d, right, SPOT_MARK, all);
	d->rows = max_int(left, right);
}

/* Draws the document, or only measures it. */
static void lay_out(struct stats_document *d, int cols)
{
	const bool wide = cols >= WIDE;
	const int all = cols - SPOT_MARK, width = wide ? (all - BETWEEN) * 9 / 20 : all;
	const int beside = wide ? SPOT_MARK + width + BETWEEN + SPOT_MARK : SPOT_MARK;
	int left = parts_draw(d, all), right;
	left += head_draw(d, left, all);
	right = left;
	int *list = wide ? &right : &left;
	left += share_draw(d, left, SPOT_MARK, width);
	left += plots_draw(d, left, SPOT_MARK, width, !wide);
	*list += skills_draw(d, *list, beside, wide ? cols - beside : width);
	left += unknowns_draw(d, left, SPOT_MARK, width);
	left += rest_draw(d, BLOCK_BARS, left, SPOT_MARK, width);
	*list += topics_draw(d, *list, beside, wide ? cols - beside : width);
	left += rest_draw(d, BLOCK_TABLE, left, SPOT_MARK, width);
	left += rest_draw(d, BLOCK_NOTE, left, SPOT_MARK, width);
	left += assumptions_draw(d, left, SPOT_MARK, width);
	d->rows = max_int(left, right);
}

static void lay_out_any(struct stats_document *d, int cols)
{
	const struct stats_view *v = d->view;
	if (v->part > 0 && v->part <= v->people.n_people)
		lay_out_person(d, &v->people.people[v->part - 1], cols);
	else if (d->view->answers.stats.n_problems)
		lay_out(d, cols);
	else
		lay_out_empty(d, cols);
}

long stats_last_scroll(long rows, int body_rows)
{
	return rows > body_rows ? rows - body_rows + 1 : 0;
}

struct stats_document stats_document(const struct app *app, struct rect body)
{
	struct stats_document d = {
		.glyphs = app->glyphs, .view = stats_seen(app), .body_rows = body.rows
	};
	lay_out_any(&d, body.cols);
	return d;
}

void stats_document_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	struct stats_document measured = stats_document(app, r);
	struct canvas tall;
	if (canvas_init_like(&tall, cv, measured.rows, r.cols))
		return;
	struct stats_document d = {
		.cv = &tall, .glyphs = cv->glyphs, .view = stats_seen(app), .body_rows = r.rows
	};
	lay_out_any(&d, r.cols);
	const long last = stats_last_scroll(measured.rows, r.rows);
	long first = stats_seen(app)->scroll < last ? stats_seen(app)->scroll : last;
	canvas_copy(cv, r.row, r.col, &tall,
		(struct rect){ (int)first, 0, r.rows - (last > 0), r.cols });
	/* What the columns of a list are stays over it while its rows scroll. */
	const struct rect list = d.list;
	const int names = list.row + STATS_HEAD - 1;
	if (list.rows > 0 && first > names && first + 1 < list.row + list.rows)
		canvas_copy(cv, r.row, r.col + list.col, &tall,
			(struct rect){ names, list.col, 1, list.cols });
	canvas_release(&tall);
	if (last == 0)
		return;
	/* The mark has the last row to itself: over a line it would cut a word. */
	const struct rect mark = { r.row + r.rows - 1, r.col, 1, r.cols };
	char text[64];
	snprintf(text, sizeof text, "%s%s%s", first ? "↑ PgUp" : "",
		first && first < last ? "   " : "", first < last ? "↓ more: PgDn" : "");
	canvas_text_right(cv, mark.row, mark.col, mark.cols, text, STYLE_ACCENT, 0);
}
