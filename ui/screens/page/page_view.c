/* A page as it is read: layout for the present width, live figures, what Tab walks over,
 * drawing. */
#include "ui/screens/page/page_view.h"

#include "sims/base/array.h"
#include "sims/base/match.h"
#include "sims/base/minmax.h"
#include "sims/registry/registry.h"
#include "ui/term/overlay.h"
#include "ui/term/pane.h"
#include "ui/term/paragraph.h"
#include "ui/term/textwrap.h"
#include "ui/views/figure_view.h"
#include "ui/views/quantity_show.h"
#include "ui/data/content.h"
#include "ui/data/in_depth.h"
#include "ui/live/live_draw.h"
#include "ui/live/live_headline.h"
#include "ui/live/live_knobs.h"
#include "ui/pages/chapter_end.h"
#include "ui/pages/first_reading.h"
#include "ui/pages/formula_sheet.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_fold.h"
#include "ui/pages/page_env.h"
#include "ui/pages/page_place.h"
#include "ui/shell/bindings.h"
#include "ui/shell/layout.h"
#include "ui/screens/page/glossary_pane.h"
#include "ui/screens/page/page_window.h"
#include "ui/screens/page/page_words.h"

#include <math.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_MEASURE = 20, KNOB_ROWS = 4, FIGURE_ROWS = 20 };

/* A sheet whose rows are names and formulas is wider than a text that is read. */
enum { SHEET_MEASURE = 110 };

/* From so many columns on, figures stand beside the text; the columns between the two, and those of
 * a figure at most. */
enum { BESIDE_FROM = 150, GUTTER = 4, MOST_BESIDE = 100, MARGINS = 4 };

/* Figures keep their state when the page is laid out again: the n-th fence of the text belongs to
 * the n-th figure, whatever the width. */
struct layout_context {
	struct app *app;
	size_t *next;
};

static bool is_due(const struct app *app)
{
	return app->due && app->due(app);
}

/* Figures and numbers take the engine a while. Before the first frame only those are worked out that
 * it shows, and of these what there is time for; the others are there when it has been painted
 * (page_view_finish). */
static bool can_wait(const struct layout_context *c)
{
	const struct page_view *p = page_of(c->app);
	if (p->draft && is_due(c->app))
		return true;
	size_t i = p->page.n_lines;
	while (i > 0 && p->page.lines[i - 1].col)
		i--;
	/* Beside figures, a screen has more text, and so more numbers: none is worked out in vain. */
	const long end = p->page.beside.cols ? page_view_rows(c->app) - 1 : c->app->rows;
	return p->draft && i > 0 && (long)p->page.lines[i - 1].row >= end;
}

static int compute(const void *context, const char *source, char *buf, size_t size)
{
	const struct layout_context *c = context;
	if (can_wait(c)) {
		snprintf(buf, size, "...");
		return 0;
	}
	struct page_view *p = page_of(c->app);
	for (size_t i = 0; i < p->n_results; i++)
		if (strcmp(p->results[i].source, source) == 0) {
			snprintf(buf, size, "%s", p->results[i].result);
			return p->results[i].failed ? -1 : 0;
		}
	int rc = page_env_compute(app_tables(c->app), source, buf, size);
	struct page_result r = { arena_text(&p->kept, source), arena_text(&p->kept, buf), rc != 0 };
	if (!p->kept.failed)
		ARRAY_APPEND(&p->kept, p, results, n_results, cap_results, r);
	return rc;
}

enum { LEAST_FIGURE = 8 };

/* A figure, what is said over it and the knobs under it are seen together, also in a small window. In a tall one it
 * takes about half of the rows; beside the text all that its caption and a link leave. */
static int most_figure_rows(const struct app *app, bool beside)
{
	enum { VALUES_AND_GAPS = 3, CAPTION = 2, CAPTION_AND_LINK = 3 };
	const int rows = (int)page_view_rows(app), room = rows - KNOB_ROWS - VALUES_AND_GAPS;
	const int most = beside ? room - CAPTION_AND_LINK : max_int(FIGURE_ROWS, rows / 2);
	return max_int(LEAST_FIGURE, min_int(room - (beside ? 0 : CAPTION), most));
}

static int figure_height(const struct live *s, int width, int most)
{
	int rows = figure_rows(&s->figure, width), knobs = (int)s->sim->n_knobs;
	if (rows > most || most > FIGURE_ROWS)
		rows = figure_rows_within(&s->figure, most, width);
	rows = rows < LEAST_FIGURE ? LEAST_FIGURE : rows;
	return rows + 2 + (knobs < KNOB_ROWS ? knobs : KNOB_ROWS);
}

static bool is_open(const void *context, size_t fold)
{
	return page_fold_is_open(((const struct layout_context *)context)->app, fold);
}

/* Whether a simulation, with its settings behind its name, takes so long that text is painted first. */
static bool is_slow(const char *setting)
{
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, " "), setting);
	const struct sim *sim = sim_find(name);
	return sim && sim->slow;
}

static int rows_of_figure(const void *context, const char *setting, int width)
{
	const struct layout_context *c = context;
	struct page_view *p = page_of(c->app);
	const struct tables *t = app_tables(c->app);
	char err[256];
	size_t i = (*c->next)++;
	if (!t || i >= MAX_PAGE_FIGURES)
		return -1;
	/* Behind one that waits all others do: they are opened in their order. Beside the text, a figure that
	 * is so low does not move up into sight before it is there. */
	if (can_wait(c) || (p->draft && (i > p->n_figures || is_slow(setting))))
		return p->page.beside.cols ? 1 : p->figure_rows;
	if (i >= p->n_figures) {
		if (live_open_text(&p->figures[i], t, setting, err, sizeof err)) {
			(*c->next)--;
			return -1;
		}
		p->n_figures++;
	}
	return figure_height(&p->figures[i], width, p->figure_rows);
}

/* Reading the bank of drills takes long, so only the formula sheet, which lists drills, has it
 * read, and not for a first frame. */
static const char *expand(
	const void *context, const char *markdown, size_t *bytes, bool ascii, struct arena *a)
{
	struct app *app = ((const struct layout_context *)context)->app;
	const struct page_info *info = page_list_find(&app->pages, page_of(app)->id);
	char err[256];
	if (info && info->chapter >= 0)
		return chapter_end_add(markdown, bytes, &app->pages, info, app->progress->first, a);
	if (!formula_sheet_wanted(markdown, *bytes))
		return markdown;
	if (page_of(app)->draft) {
		*bytes = formula_sheet_first(markdown, *bytes);
		return formula_sheet_expand(markdown, bytes, NULL, ascii, a);
	}
	/* Without it the sheet just lists no drills. */
	return formula_sheet_expand(
		markdown, bytes, app_tables(app) ? app_bank(app, err, sizeof err) : NULL, ascii, a);
}

bool page_view_is_first(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	return app->progress->first && p->depth && !p->whole;
}

static int measure_of(const struct page_view *p, int cols)
{
	return strcmp(p->id, FORMULAS_ID) == 0
		       ? min_int(max_int(cols - MARGINS, PAGE_MEASURE), SHEET_MEASURE)
		       : PAGE_MEASURE;
}

static int page_width(const struct app *app)
{
	struct rect body = frame_layout(app->rows, app->cols).body;
	int cols = text_column(body, measure_of(page_seen(app), body.cols)).cols;
	return cols < LEAST_MEASURE ? LEAST_MEASURE : cols;
}

/* The columns for figures in a window of so many; none, where it is too narrow or the text has no
 * figure. */
static struct page_beside beside_in(int cols, bool with_figures)
{
	if (cols < BESIDE_FROM || !with_figures)
		return (struct page_beside){ 0, 0 };
	return (struct page_beside){ PAGE_MEASURE + GUTTER,
		min_int(MOST_BESIDE, cols - MARGINS - PAGE_MEASURE - GUTTER) };
}

struct rect page_view_place(const struct page_view *p, struct rect body)
{
	const struct page_beside *beside = &p->page.beside;
	body.rows -= PAGE_AIR;
	const struct rect words = page_words_place(p, body);
	if (words.cols)
		return (struct rect){ body.row, words.col + words.cols + WORDS_GUTTER, body.rows,
			PAGE_MEASURE };
	return text_column(
		body, beside->cols ? beside->col + beside->cols : measure_of(p, body.cols));
}

struct rect page_view_column(const struct page_view *p, struct rect body)
{
	struct rect r = page_view_place(p, body);
	r.cols = min_int(r.cols, measure_of(p, body.cols));
	return r;
}

/* Where a figure stands, in the columns of the page: in the text or beside it. */
static struct rect figure_column(const struct page_view *p, struct rect body, size_t figure)
{
	const struct rect r = page_view_column(p, body);
	const struct page_beside *beside = &p->page.beside;
	if (!p->page.lines[p->page.figures[figure].line].col)
		return r;
	return (struct rect){ r.row, r.col + beside->col, r.rows, beside->cols };
}

size_t page_items(const struct page *p, struct page_item items[MAX_PAGE_ITEMS])
{
	size_t n = 0, link = 0, number = 0, figure = 0;
	while (n < MAX_PAGE_ITEMS) {
		size_t l = link < p->n_links ? p->links[link].line : SIZE_MAX;
		size_t c = number < p->n_computed ? p->computed[number].line : SIZE_MAX;
		while (figure < p->n_figures && !p->figures[figure].rows)
			figure++;
		size_t f = figure < p->n_figures ? p->figures[figure].line : SIZE_MAX;
		if (l == SIZE_MAX && c == SIZE_MAX && f == SIZE_MAX)
			break;
		if (l <= c && l <= f)
			items[n++] = (struct page_item){ ITEM_LINK, (int)link++, l };
		else if (c <= f)
			items[n++] = (struct page_item){ ITEM_NUMBER, (int)number++, c };
		else
			items[n++] = (struct page_item){ ITEM_FIGURE, (int)figure++, f };
	}
	return n;
}

bool page_view_item(const struct page_view *p, struct page_item *item)
{
	struct page_item items[MAX_PAGE_ITEMS];
	size_t n = page_items(&p->page, items);
	if (p->focus < 0 || (size_t)p->focus >= n)
		return false;
	*item = items[p->focus];
	return true;
}

struct live *page_view_figure(struct page_view *p)
{
	struct page_item item;
	if (!p->inside || !page_view_item(p, &item) || item.kind != ITEM_FIGURE)
		return NULL;
	return &p->figures[item.index];
}

static uint64_t stamp_of(const struct page_info *info)
{
	return content_stamp(info->file) + 31 * content_stamp(GLOSSARY_FILE);
}

static void say_unreadable(struct app *app)
{
	app_say(app, "the page cannot be read%s", errno == ENOMEM ? ": out of memory" : "");
}

/* How many bytes of a text a first screen can show, up to the heading behind them: the rest is laid out when it has
 * been painted. */
static size_t draft_bytes(const struct app *app, const char *text, size_t bytes)
{
	enum { OF_A_ROW = 250 };
	const size_t shown = (size_t)app->rows * OF_A_ROW;
	const char *heading = shown < bytes ? strstr(text + shown, "\n\n## ") : NULL;
	return heading ? (size_t)(heading - text) + 1 : bytes;
}

static int lay_out(struct app *app)
{
	struct page_view *p = page_of(app);
	const struct page_info *info = page_list_find(&app->pages, p->id);
	size_t next = 0;
	const struct layout_context context = { app, &next };
	struct page_env env = { .context = &context,
		.compute = compute,
		.figure_rows = rows_of_figure,
		.below_figure = page_env_tour,
		.expand = expand,
		.is_open = is_open,
		.terms = glossary_pane_index(app, p->id),
		.tight = page_is_looked_up(p->id) ? LEVEL_OF_ENTRY : 0,
		.ascii = app->glyphs == GLYPHS_ASCII };
	size_t bytes;
	void *owned;
	const char *text = info ? content_read(info->file, &bytes, &owned) : NULL;
	if (!text)
		return -1;
	page_release(&p->page);
	p->draft = app->hurried && p->scroll == 0;
	app->works |= p->draft;
	struct in_depth section;
	struct arena shortened = { 0 };
	p->depth = in_depth_next(text, &section);
	if (page_view_is_first(app))
		text = first_reading(text, &bytes, ": d shows it", &shortened);
	p->with_figures = text && strstr(text, "```sim ");
	if (p->draft && text)
		bytes = draft_bytes(app, text, bytes);
	env.beside = beside_in(app->cols, p->with_figures);
	p->figure_rows = most_figure_rows(app, env.beside.cols > 0);
	int rc = text ? page_layout(&p->page, text, bytes, page_width(app), &env) : -1;
	arena_release(&shortened);
	p->shown_share = page_share_in_sight(&p->page);
	p->stamp = stamp_of(info);
	free(owned);
	return rc;
}

int page_view_open(struct app *app, const char *id, char *err, size_t err_size)
{
	char name[64];
	struct page_spot spot;
	bool read = page_spot_read(id, name, sizeof name, &spot);
	const struct page_info *info = read ? page_list_find(&app->pages, name) : NULL;
	if (!info) {
		char hint[HINT_SIZE];
		page_list_hint(&app->pages, id, hint, sizeof hint);
		snprintf(err, err_size, "there is no page \"%.120s\"%s", id,
			*hint ? hint : "; ridge read lists all of them");
		return -1;
	}
	page_view_release(page_of(app));
	snprintf(page_of(app)->id, sizeof page_of(app)->id, "%s", info->id);
	app->hurried = app->hurried && !strchr(id, '#');
	if (lay_out(app)) {
		snprintf(err, err_size, "page \"%s\" cannot be read%s", name,
			errno == ENOMEM ? ": out of memory" : "");
		return -1;
	}
	page_view_go(app, &spot);
	app_show(app, SCREEN_PAGE);
	return 0;
}

static void forget_figures(struct page_view *p);

/* The whole page, though a first reading is asked for. */
static bool show_whole(struct app *app)
{
	struct page_view *p = page_of(app);
	if (!page_view_is_first(app))
		return false;
	p->whole = true;
	forget_figures(p);
	return lay_out(app) == 0;
}

void page_view_go(struct app *app, const struct page_spot *spot)
{
	const struct page *p = &page_of(app)->page;
	bool lost;
	page_spot_line(p, spot, &lost);
	if (lost && show_whole(app))
		app_say(app,
			"It goes into depth, so all of the page is shown. d: a first reading.");
	for (size_t i = 0; i < p->n_headings; i++)
		if (p->headings[i].fold && strcmp(p->headings[i].anchor, spot->anchor) == 0)
			page_fold_toggle(app, (size_t)p->headings[i].fold - 1);
	page_of(app)->scroll = (long)page_home_of(p, page_spot_line(p, spot, &lost));
	page_view_paged(app);
	if (lost)
		app_say(app, "This page has no heading \"#%s\" (any more): here is its top.",
			spot->anchor);
}

void page_view_toggle_first(struct app *app)
{
	struct page_view *p = page_of(app);
	const struct page_info *info = page_list_find(&app->pages, p->id);
	if (!p->depth || !info) {
		app_say(app, "No section of this page goes into depth.");
		return;
	}
	const struct page_spot top = page_view_top(app);
	app->progress->first = !page_view_is_first(app);
	app->progress->unsaved = true;
	p->whole = false;
	forget_figures(p);
	if (lay_out(app)) {
		say_unreadable(app);
		return;
	}
	page_view_put_top(app, &top);
	page_view_keep(app);
	if (app->progress->first)
		app_say(app,
			"First reading of all chapters, here %d of %d min; the calendar follows. d: all.",
			page_minutes(info, true), page_minutes(info, false));
	else
		app_say(app,
			"All of each chapter, with what goes into depth; the calendar follows.");
}

void page_view_finish(struct app *app)
{
	if (page_of(app)->draft && lay_out(app))
		say_unreadable(app);
	page_of(app)->draft = false;
}

void page_view_release(struct page_view *p)
{
	page_release(&p->page);
	arena_release(&p->kept);
	glossary_pane_release(&p->term);
	for (size_t i = 0; i < p->n_figures; i++)
		live_release(&p->figures[i]);
	*p = (struct page_view){ .focus = -1 };
}

struct page_spot page_view_top(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	return page_spot_at(&p->page, page_line_at(&p->page, (size_t)p->scroll));
}

void page_view_put_top(struct app *app, const struct page_spot *spot)
{
	struct page_view *p = page_of(app);
	p->scroll = (long)page_home_of(&p->page, page_spot_line(&p->page, spot, NULL));
}

/* The author has changed the file, so figures, links and headings may be different now. */
static void forget_figures(struct page_view *p)
{
	for (size_t i = 0; i < p->n_figures; i++)
		live_release(&p->figures[i]);
	glossary_pane_release(&p->term);
	p->n_figures = 0;
	p->focus = -1;
	p->inside = p->show_formula = p->contents = false;
}

static void keep_place(struct app *app)
{
	struct page_view *p = page_of(app);
	p->kept_share = (double)p->scroll / (double)p->page.n_rows;
	p->kept_top = page_view_top(app);
	p->kept_beside = p->page.beside.cols > 0;
}

/* Keeps the same part of the page at the top. As long as the reader has not scrolled, the share of
 * the page is taken from before the first resize, so that rounding does not add up and a hundred
 * resizes end where they began. Between a page with figures beside the text and one without, a share
 * says little, and the line on top counts. */
static void lay_out_again(struct app *app)
{
	struct page_view *p = page_of(app);
	const bool paged = p->scroll == p->paged;
	if (p->scroll != p->kept_scroll && p->page.n_rows)
		keep_place(app);
	if (lay_out(app))
		say_unreadable(app);
	glossary_pane_relayout(app);
	if (p->kept_beside == (p->page.beside.cols > 0))
		p->scroll = lround(p->kept_share * (double)p->page.n_rows);
	else
		page_view_put_top(app, &p->kept_top);
	page_view_keep(app);
	p->kept_scroll = p->scroll;
	p->paged = paged ? p->scroll : -1;
}

void page_view_again(struct app *app)
{
	if (lay_out(app))
		say_unreadable(app);
	page_of(app)->paged = -1; /* an answer that was opened shows, as far as there is room */
	glossary_pane_relayout(app);
	page_view_keep(app);
}

/* Whether the window has other columns for figures now than the page was laid out for. */
static bool has_other_columns(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	const struct page_beside beside = beside_in(app->cols, p->with_figures);
	return beside.cols != p->page.beside.cols;
}

/* The figure that the keys go to; NO_FIGURE. */
static size_t figure_in_hand(const struct page_view *p)
{
	struct page_item item;
	if (!p->inside || !page_view_item(p, &item) || item.kind != ITEM_FIGURE)
		return NO_FIGURE;
	return (size_t)item.index;
}

static void place_beside(struct app *app)
{
	struct page_view *p = page_of(app);
	/* A draft has no figures yet, and a caption alone says nothing. */
	const struct page_sight sight = { (size_t)p->scroll, (size_t)page_view_end(app),
		p->draft ? 0 : (size_t)page_view_rows(app), figure_in_hand(p) };
	page_place_beside(&p->page, &sight);
}

/* A turn may have made the figure in hand higher: the text below it gives way, so that no part of it goes that there
 * is room for. It does not come back when the figure is lower again, which would make it jump. */
static void make_room(struct app *app)
{
	struct page_view *p = page_of(app);
	const size_t i = figure_in_hand(p);
	if (i >= p->n_figures || i >= p->page.n_figures)
		return;
	const bool beside = p->page.lines[p->page.figures[i].line].col > 0;
	const int rows = figure_height(
		&p->figures[i], beside ? p->page.beside.cols : p->page.width, p->figure_rows);
	if (rows <= p->page.figures[i].rows)
		return;
	if (lay_out(app))
		say_unreadable(app);
	else if (!beside)
		page_view_show_figure(app, i);
}

void page_view_relayout(struct app *app)
{
	struct page_view *p = page_of(app);
	const struct page_info *info = page_list_find(&app->pages, p->id);
	bool changed = info && stamp_of(info) != p->stamp;
	if (changed) {
		forget_figures(p);
		page_folds_forget(app);
	}
	if (changed || p->page.width != page_width(app) || has_other_columns(app) ||
		p->figure_rows != most_figure_rows(app, p->page.beside.cols > 0))
		lay_out_again(app);
	page_view_keep(app);
	app->failed = p->page.arena.failed;
	for (size_t i = 0; i < p->n_figures; i++) {
		live_update(&p->figures[i]);
		app->failed |= p->figures[i].figure.arena.failed;
	}
	make_room(app);
	place_beside(app);
}

/* Whether knobs of a figure were turned since the page was opened, and not turned back. */
static bool is_turned(const struct live *s)
{
	return s->n_undo > 0;
}

/* "peak 71.3 GB, was 141": a value, and what it was before the last turn. */
static void value_words(const struct live *s, const struct value *v, char *buf, size_t size)
{
	char now[64], before[64];
	const struct value *was = is_turned(s) ? figure_find(&s->previous, v->id) : NULL;
	quantity_show(now, sizeof now, v->value, v->unit);
	const int used = snprintf(buf, size, "%s %s", v->label, now);
	if (!was || strcmp(was->label, v->label) != 0)
		return;
	quantity_show(before, sizeof before, was->value, was->unit);
	if (strcmp(before, now) == 0)
		return;
	const char *unit = strchr(now, ' '), *had = strchr(before, ' ');
	const bool same = unit && had && strcmp(unit, had) == 0;
	snprintf(buf + used, size - (size_t)used, ", was %.*s",
		same ? (int)(had - before) : (int)strlen(before), before);
}

/* The first values, as many as fit completely. */
static void values_line(const struct live *s, char *line, size_t size, int cols, enum glyphs glyphs)
{
	line[0] = '\0';
	for (size_t i = 0; i < s->figure.n_values && i < 4; i++) {
		size_t used = strlen(line);
		char words[192];
		value_words(s, &s->figure.values[i], words, sizeof words);
		snprintf(line + used, size - used, "%s%s", i ? "   " : "", words);
		if (i > 0 && text_cols(line, glyphs) > cols)
			line[used] = '\0';
	}
}

/* Where the knobs of a figure of so many rows stand in it. One that has fewer than it was given (which is not the
 * one in hand) leaves to its knobs what its parts do not fill. */
static struct rect knobs_in(const struct live *s, struct rect figure, bool shortened)
{
	int rows = min_int((int)s->sim->n_knobs, KNOB_ROWS);
	if (shortened) {
		const int room = figure.rows - rows - 2;
		rows += max_int(0, room - figure_rows_within(&s->figure, room, figure.cols));
	}
	return (struct rect){ figure.row + figure.rows - rows, figure.col, rows,
		min_int(figure.cols, 64) };
}

static bool is_shortened(const struct page_figure *f)
{
	return f->shown < f->rows;
}

/* The row of the window that a figure begins in. */
static int figure_row(const struct page_view *p, size_t figure)
{
	return (int)((long)page_row_of(&p->page, p->page.figures[figure].line) - p->scroll);
}

struct rect page_view_knobs(const struct page_view *p, struct rect body, size_t figure)
{
	const struct page_figure *f = &p->page.figures[figure];
	const struct rect column = figure_column(p, body, figure);
	return knobs_in(&p->figures[figure],
		(struct rect){
			column.row + figure_row(p, figure), column.col, f->shown, column.cols },
		is_shortened(f));
}

/* What a table says is done with its row of a knob: "ask", "buy". NULL: it is none. */
static const char *verb_of(const struct figure *f, const char *knob)
{
	for (size_t i = 0; i < f->n_blocks; i++) {
		const struct table *t =
			f->blocks[i]->kind == BLOCK_TABLE ? &f->blocks[i]->as.table : NULL;
		for (size_t k = 0; t && t->verb && k < t->n_turns; k++) {
			const char *id = table_knob(t, k);
			if (id && strcmp(id, knob) == 0)
				return t->verb;
		}
	}
	return NULL;
}

/* What to do with it, in the row above its knobs: the one in focus, and what to watch meanwhile with its number, which
 * need not stand in the picture, as far as that has room. */
static void draw_invitation(struct canvas *cv, struct rect r, const struct live *s, bool focused)
{
	enum { MOST = 256 };
	char text[MOST];
	const struct figure *f = &s->figure;
	const char *first = focused ? "" : "i, then ", *label = s->sim->knobs[s->focus].label;
	const char *verb = verb_of(f, s->sim->knobs[s->focus].id);
	const bool says = verb && strncmp(label, verb, strlen(verb)) == 0; /* "buy: profile" */
	const char *stop = label[strlen(label) - 1] == '.' ? "" : ".";     /* "tensor par." */
	const int used = says ? snprintf(text, sizeof text, "Try: %sl to %s%s", first, label, stop)
			 : verb ? snprintf(text, sizeof text, "Try: %sl to %s: %s%s", first, verb,
					  label, stop)
				: snprintf(text, sizeof text, "Try: %sl and h turn %s%s", first,
					  label, stop);
	if (f->n_values && used < MOST) {
		char words[192];
		value_words(s, &f->values[0], words, sizeof words);
		snprintf(text + used, sizeof text - (size_t)used, " Watch: %s.", words);
		if (text_cols(text, cv->glyphs) > r.cols)
			text[used] = '\0';
	}
	canvas_text(cv, r.row, r.col, r.cols, text, STYLE_DIM, 0);
	if (focused)
		canvas_restyle(cv, (struct rect){ r.row, r.col, 1, 4 }, STYLE_ACCENT, 0);
}

/* A figure scrolls with the text, so it can be partly visible: it is drawn whole on a canvas of its
 * own, from which the visible rows are copied. */
static void draw_figure(struct canvas *cv, struct rect r, const struct live *s,
	const struct page_figure *f, int from, bool focused)
{
	struct canvas whole;
	if (canvas_init_like(&whole, cv, f->shown, r.cols))
		return;
	const struct rect knobs =
		knobs_in(s, (struct rect){ 0, 0, f->shown, r.cols }, is_shortened(f));
	char line[256];
	values_line(s, line, sizeof line, r.cols, cv->glyphs);
	canvas_text(&whole, 0, 0, r.cols, line, focused ? STYLE_ACCENT : STYLE_PLAIN,
		focused ? ATTR_BOLD : 0);
	const char *whole_key = "Enter in the figure";
	live_draw_figure(
		&whole, (struct rect){ 1, 0, knobs.row - 2, r.cols }, s, whole_key, whole_key);
	draw_invitation(&whole, (struct rect){ knobs.row - 1, 0, 1, r.cols }, s, focused);
	live_draw_knobs(&whole, knobs, 1, s, focused);
	if (!focused)
		canvas_restyle(&whole, knobs, STYLE_DIM, 0);
	canvas_copy(cv, r.row, r.col, &whole, (struct rect){ from, 0, r.rows, r.cols });
	canvas_release(&whole);
}

/* What the figure says, in bold over what the page says of it, which moves down into the row of the values: the
 * sentence has them. One that takes two rows however short would leave the page's own no room. */
static void lead_caption(struct canvas *cv, struct rect at, const struct live *s, bool focused)
{
	char text[1024];
	live_headline(s, at.cols, 1, cv->glyphs, text, sizeof text);
	if (!*text || text_lines(text, at.cols, cv->glyphs) > 1)
		return;
	for (int row = at.row + at.rows; row > at.row; row--)
		memcpy(&cv->cells[row * cv->cols + at.col],
			&cv->cells[(row - 1) * cv->cols + at.col],
			(size_t)at.cols * sizeof *cv->cells);
	const struct rect first = { at.row, at.col, 1, at.cols };
	canvas_fill(cv, first, ' ', STYLE_PLAIN, 0);
	live_draw_headline(cv, first, s);
	if (focused)
		canvas_restyle(cv, first, STYLE_ACCENT, ATTR_BOLD);
}

/* A caption is of the setting that the page was written for: after a turn its rows say what that did. */
static void draw_caption(struct canvas *cv, struct rect r, const struct page_view *p, size_t figure,
	long top, bool focused)
{
	const int rows = page_caption_rows(&p->page, figure);
	const struct live *s = &p->figures[figure];
	const struct rect at = { r.row + (int)top - rows, r.col, rows, r.cols };
	if (!rows || top < rows || top >= r.rows)
		return;
	if (!is_turned(s)) {
		lead_caption(cv, at, s, focused);
		return;
	}
	canvas_fill(cv, at, ' ', STYLE_PLAIN, 0);
	live_draw_headline(cv, at, s);
}

/* Whether a figure is left to another window, with the text that it stands in or since it would be cut. */
static bool is_left_out(const struct page_view *p, size_t figure, long end)
{
	const size_t line = p->page.figures[figure].line;
	const struct page_line *at = &p->page.lines[line];
	return page_leaves_out(&p->page, line) || (!at->col && (long)at->row >= end);
}

static void draw_figures(struct canvas *cv, struct rect body, const struct page_view *p, long end)
{
	struct page_item item = { ITEM_LINK, -1, 0 };
	bool some = page_view_item(p, &item) && item.kind == ITEM_FIGURE && p->inside;
	for (size_t i = 0; i < p->page.n_figures && i < p->n_figures; i++) {
		const struct page_figure *f = &p->page.figures[i];
		const struct rect r = figure_column(p, body, i);
		long top = figure_row(p, i), bottom = top + f->shown;
		long from = top < 0 ? -top : 0;
		if (!f->shown || bottom <= 0 || top >= r.rows || is_left_out(p, i, end))
			continue;
		long last = bottom < r.rows ? bottom : r.rows;
		draw_figure(cv,
			(struct rect){ r.row + (int)(top + from), r.col, (int)(last - top - from),
				r.cols },
			&p->figures[i], f, (int)from, some && item.index == (int)i);
		draw_caption(cv, r, p, i, top, some && item.index == (int)i);
	}
}

/* A row of the list: indented by its level, with a mark where the cursor is, and how far down the
 * page it leads. */
static void draw_heading(
	struct canvas *cv, struct rect r, const struct page_heading *h, long percent, bool here)
{
	enum { PERCENT = 7 };
	struct pane p = pane_of(cv, r);
	int indent = 2 + 2 * (h->level > 1 ? h->level - 2 : 0);
	enum style style = here ? STYLE_ACCENT : STYLE_PLAIN;
	char text[16];
	snprintf(text, sizeof text, "%ld %%", percent);
	if (here)
		pane_text(&p, 0, 0, 1, "▸", STYLE_ACCENT, ATTR_BOLD);
	pane_words(&p, 0, indent, r.cols - indent - PERCENT, h->text, style,
		here || h->level <= 1 ? ATTR_BOLD : 0);
	pane_fit_right(&p, 0, r.cols - PERCENT, PERCENT, text, STYLE_DIM, 0);
}

/* The headings over the page that they lead into, which stays in sight, dim, above and below. The
 * box is wider than the text, of which it would leave pieces of lines. */
static void draw_contents(struct canvas *cv, struct rect r, const struct page_view *p)
{
	enum { WIDE = PAGE_MEASURE + 2 * (OVERLAY_EDGE + OVERLAY_ROOM) };
	const int n = (int)p->page.n_headings;
	const int cols = min_int(WIDE, r.cols), rows = min_int(n + 2 * OVERLAY_EDGE, r.rows);
	overlay_dim(cv, r, -1);
	const struct rect box = { r.row + (r.rows - rows) / 3, r.col + (r.cols - cols) / 2, rows,
		cols };
	const struct rect in = overlay_box(cv, box, "Contents");
	int first = max_int(0, min_int(p->contents_row - in.rows / 2, n - in.rows));
	for (int i = 0; i < in.rows && first + i < n; i++) {
		const struct page_heading *h = &p->page.headings[first + i];
		draw_heading(cv, (struct rect){ in.row + i, in.col, 1, in.cols }, h,
			100 * (long)page_row_of(&p->page, h->line) /
				max_int((int)p->page.n_rows, 1),
			first + i == p->contents_row);
	}
	if (first + in.rows < n)
		canvas_text_right(
			cv, in.row + in.rows, in.col, in.cols, " ↓ more: j ", STYLE_ACCENT, 0);
}

/* The line of the number in focus, which is on the screen; NO_LINE: it is not. */
static size_t number_line(const struct page_view *p, struct rect r, int number)
{
	const long first = (long)page_line_at(&p->page, (size_t)p->scroll);
	for (long i = first; i < (long)p->page.n_lines; i++) {
		const struct page_line *line = &p->page.lines[i];
		const long row = (long)line->row - p->scroll;
		if (row >= r.rows && !line->col)
			break;
		for (size_t j = 0; j < line->n_spans; j++)
			if (line->spans[j].computed == number)
				return (size_t)i;
	}
	return NO_LINE;
}

/* Rows of the window. */
struct stretch {
	int from, end;
};

/* Whether one line stands in the row above another, in the same column, and both have text. */
static bool stands_above(const struct page_line *a, const struct page_line *b)
{
	return a->n_spans && b->n_spans && a->figure < 0 && b->figure < 0 && a->col == b->col &&
	       a->row + 1 == b->row;
}

/* What a number stands in without a blank row, a table with its head or a paragraph: what explains it must not cover
 * that. */
static struct stretch around(const struct page_view *p, struct rect r, size_t line)
{
	const struct page_line *lines = p->page.lines;
	size_t first = line, last = line;
	while (first > 0 && stands_above(&lines[first - 1], &lines[first]))
		first--;
	while (last + 1 < p->page.n_lines && stands_above(&lines[last], &lines[last + 1]))
		last++;
	const int top = r.row - (int)p->scroll;
	return (struct stretch){ max_int(r.row, top + (int)lines[first].row),
		min_int(r.row + r.rows, top + (int)lines[last].row + 1) };
}

/* Where a box of so many rows stands: low in the window, or else right above what the number stands in, or where that
 * is too high, right above the number. */
static int row_of_box(const struct page_view *p, struct rect r, size_t line, int rows)
{
	const int low = r.row + r.rows - rows;
	if (line == NO_LINE)
		return low;
	const struct stretch s = around(p, r, line);
	const int number = r.row + (int)((long)p->page.lines[line].row - p->scroll);
	return s.end <= low             ? low
	       : s.from - rows >= r.row ? s.from - rows
	       : number < low           ? low
	       : number - rows >= r.row ? number - rows
					: r.row;
}

static void draw_formula(const struct app *app, struct canvas *cv, struct rect r, int number)
{
	enum {
		MOST_ROWS = 8,
		EDGES = 2 * OVERLAY_EDGE,
		BESIDE = 2 * (OVERLAY_EDGE + OVERLAY_ROOM)
	};
	const struct page_view *p = page_seen(app);
	const char *source = p->page.computed[number].source;
	const size_t line = number_line(p, r, number);
	char text[2048];
	page_env_working(app->has_tables ? &app->tables : NULL, source, cv->glyphs == GLYPHS_ASCII,
		text, sizeof text);
	const int most = min_int(MOST_ROWS + EDGES, r.rows - 1);
	const int rows = min_int(text_lines(text, r.cols - BESIDE, cv->glyphs) + EDGES, most);
	const struct rect box = { row_of_box(p, r, line, rows), r.col, rows, r.cols };
	paragraph_draw(cv, overlay_box(cv, box, ""), text, STYLE_PLAIN, 0);
}

/* Takes the text off again that is left to the next window. What stands beside it stays. */
static void blank_below(struct canvas *cv, struct rect r, const struct page_view *p, long end)
{
	for (long row = end; row < p->scroll + r.rows && row < (long)p->page.n_rows; row++) {
		const bool shared = p->page.rows[row].beside != NO_LINE;
		canvas_fill(cv,
			(struct rect){ r.row + (int)(row - p->scroll), r.col, 1,
				shared ? p->page.beside.col : r.cols },
			' ', STYLE_PLAIN, 0);
	}
}

void page_view_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct page_view *p = page_seen(app);
	const long end = page_view_end(app);
	const struct rect column = page_view_column(p, r);
	struct page_item item = { ITEM_LINK, -1, 0 };
	bool focused = page_view_item(p, &item) && !p->contents;
	page_draw(cv, page_view_place(p, r), &p->page, (size_t)p->scroll,
		p->search[0] ? p->search : NULL,
		focused && item.kind == ITEM_LINK ? item.index : -1,
		focused && item.kind == ITEM_NUMBER ? item.index : -1);
	blank_below(cv, page_view_place(p, r), p, end);
	draw_figures(cv, r, p, end);
	page_words_draw(cv, page_words_place(p, r), p, end);
	page_marks_draw(app, cv, column);
	if (focused && item.kind == ITEM_NUMBER && p->show_formula)
		draw_formula(app, cv, column, item.index);
	if (p->contents)
		draw_contents(cv, r, p);
	else
		glossary_pane_draw(app, cv, column);
}
