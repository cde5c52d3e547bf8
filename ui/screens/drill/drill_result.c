#include "ui/screens/drill/drill_result.h"

#include "sims/base/minmax.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/data/answers.h"
#include "ui/live/action.h"
#include "ui/pages/chapter_end.h"
#include "ui/practice/drill_summary.h"
#include "ui/screens/drill/drill_session.h"
#include "ui/screens/drill/drill_solution.h"
#include "ui/views/parts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL = 13 };

static bool is_shown(const struct drill_view *d)
{
	return drill_state(d) == DRILL_DONE && d->open;
}

static size_t count_seen(const struct drill_session *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++)
		n += drill_was_seen(s, i);
	return n;
}

/* The problem in that row of the list, or s->n when there is none. */
static size_t seen_at(const struct drill_session *s, size_t row)
{
	for (size_t i = 0; i < s->n; i++)
		if (drill_was_seen(s, i) && row-- == 0)
			return i;
	return s->n;
}

const struct session_item *drill_result_chosen(const struct drill_view *d)
{
	const size_t i = seen_at(&d->session, d->row);
	return i < d->session.n ? &d->session.items[i] : NULL;
}

/* --- drawing ---------------------------------------------------------------------------- */

static int draw_summary(const struct drill_view *d, struct canvas *cv, struct rect r)
{
	struct summary_line lines[SUMMARY_LINES];
	size_t n = drill_summary(&d->session, &d->bests, lines);
	int row = 0;
	for (size_t i = 0; i < n && row < r.rows; i++) {
		bool score = !*lines[i].label, best = strcmp(lines[i].label, "best") == 0;
		struct rect at = { r.row + row, r.col + LABEL, r.rows - row, r.cols - LABEL };
		canvas_text(cv, at.row, r.col, LABEL, score ? "Done" : lines[i].label,
			score ? STYLE_ACCENT : STYLE_DIM, score ? ATTR_BOLD : 0);
		row += paragraph_draw(cv, at, lines[i].text, best ? STYLE_GOOD : STYLE_PLAIN,
			score ? ATTR_BOLD : 0);
		row += score;
	}
	return row < r.rows ? row : r.rows;
}

enum style drill_word_style(const char *word)
{
	return strcmp(word, "right") == 0   ? STYLE_GOOD
	       : strcmp(word, "wrong") == 0 ? STYLE_BAD
					    : STYLE_WARN;
}

enum { BEFORE_TIME = 15, TIME = 15, LINE = 8 }; /* columns of a problem, with what stands behind */

/* Whether there is room for the times as lines beside what the problems are called. */
static bool lines_fit(const struct drill_view *d, int cols)
{
	for (size_t i = 0; i < d->session.n; i++) {
		const struct session_item *item = &d->session.items[i];
		const bool told = !session_item_right(item) && *item->grade.cause;
		const int room = cols - BEFORE_TIME - TIME - LINE - 2;
		if (told || text_width(item->variant.drill->title) > room)
			return false;
	}
	return true;
}

/* The time on a problem beside its par, and as a line on which par is in the middle. Returns the
 * columns that it takes. */
static int draw_time(const struct pane *p, int col, const struct session_item *item, bool line)
{
	enum { MOST_PARS = 2 };
	const double par_s = item->variant.drill->par_s, spent_s = (double)item->spent_ms / 1000;
	char spent[32], par[32];
	drill_clock_text(item->spent_ms, spent, sizeof spent);
	drill_clock_text(llround(1000 * par_s), par, sizeof par);
	pane_printf(p, 0, col, TIME, STYLE_DIM, 0, "%5s of %s", spent, par);
	if (!line || !(par_s > 0))
		return TIME;
	const enum style style = spent_s > par_s ? STYLE_WARN : STYLE_ACCENT;
	const int middle = col + TIME + LINE / MOST_PARS;
	meter_draw(p, 0, col + TIME, LINE, spent_s / (MOST_PARS * par_s), style);
	pane_put(p, 0, middle, glyph_or(p->cv->glyphs, spent_s > par_s ? 0x253f : 0x253c, '|'),
		spent_s > par_s ? style : STYLE_DIM, 0);
	return TIME + LINE + 2;
}

/* Columns: mark and number, word, time, title, what was wrong. */
static void draw_item(
	const struct drill_view *d, struct canvas *cv, struct rect r, size_t i, bool focused)
{
	const struct drill_session *s = &d->session;
	const struct session_item *item = &s->items[i];
	const char *word = session_item_word(s, i);
	int col = r.col + 6, end = r.col + r.cols;
	struct pane p = pane_of(cv, r);
	enum style style = focused ? STYLE_ACCENT : STYLE_PLAIN;
	if (focused)
		canvas_text(cv, r.row, r.col, 1, "▸", style, ATTR_BOLD);
	canvas_printf(cv, r.row, r.col + 2, 3, STYLE_DIM, 0, "%2zu", i + 1);
	canvas_text(cv, r.row, col, 8, word, drill_word_style(word), 0);
	col += 9;
	if (session_has_clock(s))
		col += draw_time(&p, col - r.col, item, lines_fit(d, r.cols));
	const char *cause = session_item_right(item) ? "" : item->grade.cause;
	int title = *cause ? (end - col) * 11 / 20 : end - col;
	pane_fit(&p, 0, col - r.col, title, item->variant.drill->title, style,
		focused ? ATTR_BOLD : 0);
	pane_fit(&p, 0, col - r.col + title + 1, -1, cause, STYLE_DIM, 0);
}

/* The chapter to go on with after the problems on one; NULL: none. */
static const struct page_info *next_chapter(const struct app *app)
{
	const char *topic = drill_seen(app)->request.options.topic;
	const int chapter = topic ? chapter_named(topic) : -1;
	return chapter >= 0 ? chapter_after(&app->pages, chapter) : NULL;
}

/* The ways on, as many as there are rows for. */
static void write_ways_on(const struct app *app, struct sheet *s)
{
	const struct page_info *next = next_chapter(app);
	struct session_miss missed[MOST_REVIEWED];
	const size_t n = session_missed(&drill_seen(app)->session, missed, MOST_REVIEWED);
	char text[160];
	sheet_text(s, 0, 0, "On from here", STYLE_DIM, 0);
	if (n) {
		snprintf(text, sizeof text, "the %zu skill%s missed, with fresh numbers", n,
			n == 1 ? "" : "s");
		drill_way_write(s, "r", text);
	}
	drill_way_write(s, "a", "the same kind again, with fresh numbers");
	if (next) {
		snprintf(text, sizeof text, "chapter %d, %s, %d min", next->chapter, next->title,
			app_page_minutes(app, next));
		drill_way_write(s, "n", text);
	}
	drill_way_write(s, "Enter", "a problem again: its working, and the ways on from it");
}

static void draw_ways_on(const struct app *app, struct canvas *cv, struct rect r)
{
	struct sheet ways;
	sheet_init(&ways, r.cols, cv->glyphs);
	write_ways_on(app, &ways);
	const int rows = min_int(ways.rows, r.rows);
	sheet_show(&ways, cv, (struct rect){ r.row, r.col, rows, r.cols }, 0);
	sheet_release(&ways);
}

/* Over the list, what its columns are. */
static void draw_columns(const struct drill_view *d, struct canvas *cv, struct rect r)
{
	const struct pane p = pane_of(cv, r);
	if (!session_has_clock(&d->session))
		return;
	pane_text(&p, 0, BEFORE_TIME + 1, TIME, "time, par", STYLE_DIM, 0);
	if (lines_fit(d, r.cols))
		pane_text(&p, 0, BEFORE_TIME + TIME + LINE / 2 - 1, -1, "par", STYLE_DIM, 0);
}

void drill_result_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct drill_view *d = drill_seen(app);
	/* Even in a low window the list keeps a few rows. */
	int most = r.rows - 4 > 1 ? r.rows - 4 : 1;
	int row = draw_summary(d, cv, (struct rect){ r.row, r.col, most, r.cols }) + 1;
	int n = (int)count_seen(&d->session), at = (int)d->row;
	if (row + 1 + n < r.rows) /* there is room for what the columns are */
		draw_columns(d, cv, (struct rect){ r.row + row++, r.col, 1, r.cols });
	int room = r.rows - row;
	/* A list that does not fit gives one row to say so, and the row in focus stays visible. */
	int shown = n > room ? room - 1 : n, first = at - shown / 2;
	first = first > n - shown ? n - shown : first;
	first = first < 0 ? 0 : first;
	for (int i = 0; i < shown && first + i < n; i++)
		draw_item(d, cv, (struct rect){ r.row + row + i, r.col, 1, r.cols },
			seen_at(&d->session, (size_t)first + (size_t)i), first + i == at);
	if (n + 2 < room)
		draw_ways_on(app, cv,
			(struct rect){ r.row + row + n + 1, r.col, r.rows - row - n - 1, r.cols });
	else if (n > room && room > 0)
		canvas_printf(cv, r.row + r.rows - 1, r.col + 2, r.cols - 2, STYLE_DIM, 0,
			"%d to %d of %d", first + 1, first + shown, n);
}

/* --- what its keys do ------------------------------------------------------------------- */

static void begin(struct app *app, const struct drill_request *r, const char *said)
{
	char err[300];
	if (drill_view_begin(app, r, err, sizeof err) == 0) {
		app_say(app, "%s", said);
		return;
	}
	app_say(app, "%s", err);
	app_go_back(app);
}

/* Fresh variants of the skills that were missed, in a session of their own. */
static void repeat_missed(struct app *app)
{
	const struct drill_view *d = drill_of(app);
	struct session_miss missed[MOST_REVIEWED];
	size_t n = session_missed(&d->session, missed, MOST_REVIEWED);
	struct drill_request r = { .options = { .mode = MODE_REVIEW,
					   .seed = drill_fresh_seed(app) },
		.seeded = true,
		.chosen = true,
		.forget = d->request.forget };
	char said[160];
	if (n == 0) {
		app_say(app, "Nothing was missed. a: the same kind again.");
		return;
	}
	for (size_t i = 0; i < n; i++)
		snprintf(r.skills[i], sizeof r.skills[i], "%s", missed[i].skill);
	snprintf(said, sizeof said, "A review of the %zu skill%s missed, with fresh numbers.", n,
		n == 1 ? "" : "s");
	begin(app, &r, said);
}

void drill_begin_again(struct app *app)
{
	struct drill_request r = drill_request_anew(&drill_of(app)->request, drill_fresh_seed(app));
	begin(app, &r, "The same kind again, with fresh numbers.");
}

/* The code of the session, or the command line that deals it where it has no code. */
static void show_code(struct app *app)
{
	const struct drill_request *r = &drill_of(app)->request;
	char line[900];
	if (r->options.mode == MODE_REVIEW)
		app_say(app, "A review follows your own answers: it has no code.");
	else
		app_say(app, "%s", drill_request_command(r, line, sizeof line));
}

static void move(struct drill_view *d, enum action a)
{
	size_t n = count_seen(&d->session), page = 8, row = d->row;
	switch (a) {
	case ACT_UP:
		row -= row > 0;
		break;
	case ACT_DOWN:
		row++;
		break;
	case ACT_PAGE_UP:
		row = row > page ? row - page : 0;
		break;
	case ACT_PAGE_DOWN:
		row += page;
		break;
	default:
		row = a == ACT_TOP ? 0 : n;
	}
	d->row = n == 0 ? 0 : row < n ? row : n - 1;
}

static bool act_on_list(struct app *app, enum action a)
{
	struct drill_view *d = drill_of(app);
	size_t i = seen_at(&d->session, d->row);
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
	case ACT_PAGE_UP:
	case ACT_PAGE_DOWN:
	case ACT_TOP:
	case ACT_BOTTOM:
		move(d, a);
		return true;
	case ACT_ENTER:
		d->look = i < d->session.n ? i + 1 : 0;
		d->scroll = 0;
		return true;
	case ACT_REPEAT:
		repeat_missed(app);
		return true;
	case ACT_AGAIN:
		drill_begin_again(app);
		return true;
	case ACT_SKIP:
		if (next_chapter(app))
			app_go_to_page(app, next_chapter(app)->file);
		return true;
	case ACT_BACK:
		return false;
	default:
		return a == ACT_GIVE_UP || a == ACT_HINT || a == ACT_PAUSE;
	}
}

/* While a problem is looked at again, Enter and n go on to the next and Esc goes back to the
 * list. */
static bool act_on_look(struct app *app, enum action a)
{
	struct drill_view *d = drill_of(app);
	bool more = d->row + 1 < count_seen(&d->session);
	switch (a) {
	case ACT_BACK:
		d->look = 0;
		return true;
	case ACT_ENTER:
	case ACT_SKIP:
		d->row += more;
		d->look = more ? seen_at(&d->session, d->row) + 1 : 0;
		d->scroll = 0;
		return true;
	default:
		return a == ACT_REPEAT || a == ACT_AGAIN || a == ACT_PAUSE;
	}
}

bool drill_result_act(struct app *app, enum action a)
{
	struct drill_view *d = drill_of(app);
	if (a == ACT_COMMAND_LINE) {
		show_code(app);
		return true;
	}
	if (d->look)
		return act_on_look(app, a);
	if (is_shown(d))
		return act_on_list(app, a);
	if (a == ACT_REPEAT || a == ACT_AGAIN)
		app_say(app, "That is for the result, after the last problem.");
	return a == ACT_REPEAT || a == ACT_AGAIN;
}

bool drill_result_acts(const struct app *app, enum action a)
{
	const struct drill_view *d = drill_seen(app);
	bool shown = is_shown(d);
	struct session_miss one;
	switch (a) {
	case ACT_REPEAT:
		return shown && session_missed(&d->session, &one, 1) > 0;
	case ACT_AGAIN:
	case ACT_COMMAND_LINE:
		return shown;
	case ACT_SKIP:
		return !shown || next_chapter(app);
	case ACT_HINT:
	case ACT_PAUSE:
	case ACT_GIVE_UP:
		return !shown;
	default:
		return true;
	}
}

void drill_result_settle(struct app *app)
{
	struct drill_view *d = drill_of(app);
	if (!is_shown(d) || d->has_bests)
		return;
	session_pause(&d->session, app->now_ms);
	if (app->entry.kind == ENTRY_ANSWER)
		app->entry = (struct entry){ 0 };
	d->has_bests = true;
	d->bests = answers_bests(
		&d->session, d->began_s, app_answers_are_many(app) ? NULL : app->load_history);
}
