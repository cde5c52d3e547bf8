/* The keys of a page: walking over links, numbers and figures, following a link, finding text, the
 * list of contents, and turning the knobs of a figure. */
#include "ui/screens/page/page_view.h"

#include "ui/live/action.h"
#include "ui/live/live_knobs.h"
#include "ui/live/live_mouse.h"
#include "ui/pages/chapter_end.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_fold.h"
#include "ui/pages/page_place.h"
#include "ui/screens/page/glossary_pane.h"
#include "ui/screens/page/page_window.h"
#include "ui/screens/page/page_words.h"

#include <stdio.h>
#include <string.h>

void page_view_show(struct app *app, long row, int rows)
{
	struct page_view *p = page_of(app);
	long height = page_view_rows(app);
	if (row + rows > page_view_end(app))
		p->paged = -1;
	if (row < p->scroll)
		p->scroll = row - 2;
	else if (row + rows > p->scroll + height)
		p->scroll = rows < height ? row + rows - height + 1 : row - 1;
	page_view_keep(app);
}

void page_view_show_figure(struct app *app, size_t figure)
{
	const struct page *p = &page_of(app)->page;
	const int caption = page_caption_rows(p, figure), rows = p->figures[figure].rows;
	const int said = caption + rows < page_view_rows(app) ? caption : 0;
	page_view_show(app, (long)page_row_of(p, p->figures[figure].line) - said, rows + said);
}

/* Of what stands beside the text, the row where the text is that is about it. */
static long row_of(const struct page_view *p, const struct page_item *item)
{
	return (long)page_home_of(&p->page, item->line);
}

/* Whether it stands beside the text, and is in sight there. */
static bool is_in_sight_beside(const struct page_view *p, const struct page_item *item)
{
	return p->page.lines[item->line].col && !page_leaves_out(&p->page, item->line);
}

/* The item that a walk begins with: the first on the screen, or backwards the last. */
static int begin_of_walk(const struct app *app, const struct page_item *items, size_t n, int by)
{
	const struct page_view *p = page_seen(app);
	const long end = page_view_end(app);
	int first = 0, last = (int)n - 1;
	while (first < (int)n - 1 && row_of(p, &items[first]) < p->scroll)
		first++;
	while (last > first && row_of(p, &items[last]) >= end)
		last--;
	return by < 0 ? last : first;
}

static void go_to_item(struct app *app, const struct page_item *items, int to)
{
	struct page_view *p = page_of(app);
	const struct page_item *item = &items[to];
	p->focus = to;
	p->inside = item->kind == ITEM_FIGURE;
	p->show_formula = false;
	if (is_in_sight_beside(p, item))
		return;
	/* A figure in the text is shown whole, with what is said over it; one beside it where its text is. */
	if (item->kind == ITEM_FIGURE && !p->page.lines[item->line].col)
		page_view_show_figure(app, (size_t)item->index);
	else
		page_view_show(app, row_of(p, item), 1);
}

static void walk(struct app *app, int by)
{
	struct page_view *p = page_of(app);
	struct page_item items[MAX_PAGE_ITEMS];
	size_t n = page_items(&p->page, items);
	p->inside = false;
	p->show_formula = false;
	if (n == 0)
		return;
	int to = p->focus + by;
	/* Without a focus that is on the screen, start at an end of it. (The focus can also be
	 * beyond the last item: the page may have fewer since it was remembered.) */
	bool lost = p->focus < 0 || (size_t)p->focus >= n ||
		    row_of(p, &items[p->focus]) + 30 < p->scroll ||
		    row_of(p, &items[p->focus]) > p->scroll + app->rows;
	if (lost)
		to = begin_of_walk(app, items, n, by);
	if (to < 0 || to >= (int)n)
		return;
	go_to_item(app, items, to);
}

/* The figure beside the text that is in sight, the first of two; -1: there is none. */
static int figure_beside(const struct page_view *p, const struct page_item *items, int n)
{
	for (int i = 0; i < n; i++)
		if (items[i].kind == ITEM_FIGURE && is_in_sight_beside(p, &items[i]))
			return i;
	return -1;
}

/* From a figure to the next one or the one before; from elsewhere to one in sight beside the text, or else to the
 * first that begins on the screen or below it, or to the last that begins above its end. */
static void walk_figures(struct app *app, int by)
{
	struct page_view *p = page_of(app);
	struct page_item items[MAX_PAGE_ITEMS];
	const int n = (int)page_items(&p->page, items);
	const long end = p->scroll + page_view_rows(app);
	const bool from_one = p->inside && p->focus >= 0 && p->focus < n;
	const int near = from_one ? -1 : figure_beside(p, items, n);
	int to = from_one ? p->focus + by : near >= 0 ? near : by > 0 ? 0 : n - 1;
	for (; to >= 0 && to < n; to += by) {
		const long row = row_of(p, &items[to]);
		if (items[to].kind == ITEM_FIGURE &&
			(from_one || to == near || (by > 0 ? row >= p->scroll : row < end)))
			break;
	}
	if (to < 0 || to >= n) {
		app_say(app, by > 0 ? "no figure comes after this" : "no figure comes before this");
		return;
	}
	go_to_item(app, items, to);
}

/* Follows "02-memory.md#anchor", "../reference/x.md", "sim:memory batch=4", "drill:kv", "present:memory",
 * "#anchor"; a URL is only shown. */
static void follow(struct app *app, const char *target)
{
	char name[600], page[256];
	struct page_spot spot;
	const long fold = fold_of_target(target);
	if (fold >= 0) {
		page_fold_toggle(app, (size_t)fold);
		return;
	}
	if (target[0] == '#') {
		snprintf(name, sizeof name, "%s%.512s", page_of(app)->id, target);
		if (page_spot_read(name, page, sizeof page, &spot)) {
			app_push(app);
			page_view_go(app, &spot);
		}
		return;
	}
	if (strstr(target, "://")) {
		app_say(app, "%s", target);
		return;
	}
	if (strncmp(target, "sim:", 4) == 0 || strncmp(target, "drill:", 6) == 0 ||
		strncmp(target, "formula:", 8) == 0 || strncmp(target, "present:", 8) == 0)
		app_go_to(app, target);
	else
		app_go_to_page(app, target);
}

static void enter(struct app *app)
{
	struct page_view *p = page_of(app);
	struct page_item item;
	char setting[600];
	if (!page_view_item(p, &item))
		return;
	if (item.kind == ITEM_LINK) {
		char target[512];
		snprintf(target, sizeof target, "%s", p->page.links[item.index].target);
		follow(app, target);
	} else if (item.kind == ITEM_NUMBER) {
		p->show_formula = !p->show_formula;
	} else {
		live_setting(&p->figures[item.index], setting, sizeof setting);
		app_go_to(app, setting);
	}
}

/* The line that a search begins after: the one before what was found last, as long as nobody moved. At the end of a
 * page it is not on top, and beside the text the next may be in the same row. */
static long find_from(const struct page_view *p, bool backwards, bool from_here)
{
	const long top = p->scroll + (from_here || backwards ? 0 : 2);
	if (!from_here && p->found && p->scroll == p->found_scroll)
		return (long)p->found - 1;
	return (long)page_line_at(&p->page, (size_t)top) - from_here;
}

/* "n next: The ridge, 4 %": the section that a line is in, and how far down the page. */
static void next_words(const struct page *page, long line, char *text, size_t size)
{
	const char *section = "";
	for (size_t i = 0; i < page->n_headings && (long)page->headings[i].line <= line; i++)
		section = page->headings[i].text;
	const size_t rows = page->n_rows ? page->n_rows : 1;
	snprintf(text, size, "   n next: %s, %zu %%   N back", section,
		100 * page_row_of(page, (size_t)line) / rows);
}

/* Which of the lines with the text it is, and of how many, and how to go on or be done. */
static void say_found(struct app *app, const char *text, long line, bool round)
{
	const struct page *page = &page_of(app)->page;
	size_t all = 0, at = 0;
	char next[256] = "";
	long first = -1, after = -1;
	for (long l = -1; (l = page_find(page, text, l, false)) >= 0;) {
		first = all++ ? first : l;
		after = after < 0 && l > line ? l : after;
		at += l <= line;
	}
	if (all > 1)
		next_words(page, after < 0 ? first : after, next, sizeof next);
	app_say(app, "\"%.60s\": match %zu of %zu%s%s   Esc done", text, at, all,
		round ? ", the search went round" : "", next);
}

void page_view_find(struct app *app, const char *text, bool backwards, bool from_here)
{
	struct page_view *p = page_of(app);
	bool round = false;
	if (!*text)
		return;
	const long from = find_from(p, backwards, from_here);
	long line = page_find(&p->page, text, from, backwards);
	if (line < 0) {
		line = page_find(&p->page, text, backwards ? (long)p->page.n_lines : -1, backwards);
		round = true;
	}
	if (line >= 0 && p->page.lines[line].stands_for) {
		page_fold_toggle(app, (size_t)p->page.lines[line].stands_for - 1);
		line = page_find(&p->page, text, line - 1, false);
	}
	if (line < 0)
		app_say(app, "\"%.60s\" is not in this page (: searches everywhere)", text);
	else {
		p->scroll = (long)page_home_of(&p->page, (size_t)line) - 2;
		say_found(app, text, line, round);
	}
	page_view_keep(app);
	p->paged = -1; /* all rows show what was found */
	p->found = (size_t)(line + 1);
	p->found_scroll = p->scroll;
}

static void show_heading(struct app *app, size_t heading)
{
	const struct page_heading *h = &page_seen(app)->page.headings[heading];
	if (h->fold)
		page_fold_toggle(app, (size_t)h->fold - 1);
	const struct page *p = &page_seen(app)->page;
	page_of(app)->scroll = (long)page_row_of(p, p->headings[heading].line);
}

static bool contents_act(struct app *app, enum action a)
{
	struct page_view *p = page_of(app);
	int last = (int)p->page.n_headings - 1;
	switch (a) {
	case ACT_UP:
		p->contents_row -= p->contents_row > 0;
		break;
	case ACT_DOWN:
		p->contents_row += p->contents_row < last;
		break;
	case ACT_TOP:
		p->contents_row = 0;
		break;
	case ACT_BOTTOM:
		p->contents_row = last;
		break;
	case ACT_ENTER:
		if (last >= 0) {
			app_push(app);
			show_heading(app, (size_t)p->contents_row);
		}
		page_view_paged(app);
		p->contents = false;
		break;
	case ACT_BACK:
	case ACT_CONTENTS:
		p->contents = false;
		break;
	default:
		return false;
	}
	return true;
}

static bool figure_act(struct app *app, enum action a)
{
	struct live *s = page_view_figure(page_of(app));
	if (!s)
		return false;
	switch (a) {
	case ACT_BACK:
		page_of(app)->inside = false;
		return true;
	case ACT_UP:
	case ACT_DOWN:
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_FAR_LEFT:
	case ACT_FAR_RIGHT:
	case ACT_DEFAULT:
	case ACT_UNDO:
	case ACT_COMPARE:
	case ACT_SWAP:
	case ACT_EARLIER:
	case ACT_LATER:
	case ACT_SLOWER:
	case ACT_FASTER:
	case ACT_MOMENT_BEFORE:
	case ACT_MOMENT_NEXT:
		return live_act(s, a);
	case ACT_PLAY:
		return s->figure.duration_s > 0 && live_act(s, a);
	default:
		return false;
	}
}

/* -- The mouse ----------------------------------------------------------------------------- */

/* The keys go to a figure, as if Tab had led there. */
static void enter_figure(struct page_view *p, size_t figure)
{
	struct page_item items[MAX_PAGE_ITEMS];
	size_t n = page_items(&p->page, items);
	for (size_t i = 0; i < n; i++)
		if (items[i].kind == ITEM_FIGURE && items[i].index == (int)figure) {
			p->focus = (int)i;
			p->inside = true;
			p->show_formula = false;
		}
}

/* The figure whose knobs are at (row, col); -1: none is, or something lies over the page. */
static int figure_under(const struct page_view *p, struct rect body, int row, int col)
{
	for (size_t i = 0; i < p->page.n_figures && i < p->n_figures && !p->contents; i++)
		if (p->page.figures[i].rows &&
			!page_leaves_out(&p->page, p->page.figures[i].line) &&
			live_knob_in(page_view_knobs(p, body, i), 1, &p->figures[i], row, col) >= 0)
			return (int)i;
	return -1;
}

/* The link whose text is at a column of a line; -1: none is. */
static int link_in(const struct app *app, size_t line, int col)
{
	if (line == NO_LINE)
		return -1;
	const struct page_line *at = &page_seen(app)->page.lines[line];
	int from = at->col + at->indent;
	for (size_t i = 0; i < at->n_spans && from <= col; i++) {
		int to = from + text_cols(at->spans[i].text, app->glyphs);
		if (col < to)
			return at->spans[i].link;
		from = to;
	}
	return -1;
}

/* The link whose text is at (row, col); -1: none is, or something lies over the page. */
static int link_under(const struct app *app, struct rect body, int row, int col)
{
	const struct page_view *p = page_seen(app);
	const struct rect r = page_view_column(p, body);
	const long at = p->scroll + row - r.row;
	if (row < r.row || row >= r.row + r.rows || at >= (long)p->page.n_rows || p->contents ||
		p->term.open)
		return -1;
	const struct page_row *both = &p->page.rows[at];
	const int link = at < page_view_end(app) ? link_in(app, both->text, col - r.col) : -1;
	return link >= 0 ? link : link_in(app, both->beside, col - r.col);
}

/* As if Tab had led there, and then Enter. */
static bool press_link(struct app *app, int link)
{
	struct page_view *p = page_of(app);
	struct page_item items[MAX_PAGE_ITEMS];
	size_t n = link < 0 ? 0 : page_items(&p->page, items);
	for (size_t i = 0; i < n; i++)
		if (items[i].kind == ITEM_LINK && items[i].index == link) {
			p->focus = (int)i;
			p->inside = p->show_formula = false;
			enter(app);
			return true;
		}
	return false;
}

bool page_view_press(struct app *app, struct rect body, int row, int col)
{
	struct page_view *p = page_of(app);
	const int word = page_words_at(p, page_words_place(p, body), row, col);
	if (word >= 0) {
		show_heading(app, (size_t)word);
		return true;
	}
	int i = figure_under(p, body, row, col);
	if (i < 0)
		return press_link(app, link_under(app, body, row, col));
	enter_figure(p, (size_t)i);
	return live_press_knobs(&p->figures[i], page_view_knobs(p, body, (size_t)i), row, col);
}

bool page_view_wheel(struct app *app, int by, struct rect body, int row, int col)
{
	struct page_view *p = page_of(app);
	int i = figure_under(p, body, row, col);
	if (i < 0)
		return false;
	enter_figure(p, (size_t)i);
	p->figures[i].focus =
		live_knob_in(page_view_knobs(p, body, (size_t)i), 1, &p->figures[i], row, col);
	return live_act(&p->figures[i], by < 0 ? ACT_RIGHT : ACT_LEFT);
}

static void open_contents(struct page_view *p)
{
	p->contents = true;
	p->contents_row = 0;
	for (size_t i = 0; i < p->page.n_headings; i++)
		if ((long)page_row_of(&p->page, p->page.headings[i].line) <= p->scroll + 1)
			p->contents_row = (int)i;
}

/* A page further; from the end of a chapter to the problems on it. */
static void page_down(struct app *app)
{
	struct page_view *p = page_of(app);
	struct page_item items[MAX_PAGE_ITEMS];
	const struct page_info *info = page_list_find(&app->pages, p->id);
	const size_t n = page_items(&p->page, items);
	const bool at_end = p->scroll >= page_view_last(app);
	char drill[64];
	p->scroll = page_window_next(p, page_view_rows(app));
	if (!at_end || !info || info->chapter < 0)
		return;
	chapter_end_drill(info, drill, sizeof drill);
	for (size_t i = 0; i < n; i++)
		if (items[i].kind == ITEM_LINK &&
			strcmp(p->page.links[items[i].index].target, drill) == 0) {
			p->focus = (int)i;
			p->inside = p->show_formula = false;
		}
}

/* Opens or closes the fold in focus, if it is in sight. */
static bool toggle_in_focus(struct app *app)
{
	const struct page_view *p = page_seen(app);
	struct page_item item;
	if (!page_view_item(p, &item) || item.kind != ITEM_LINK)
		return false;
	const long fold = fold_of_target(p->page.links[item.index].target);
	const long row = row_of(p, &item) - p->scroll;
	if (fold < 0 || row < 0 || row >= page_view_rows(app))
		return false;
	page_fold_toggle(app, (size_t)fold);
	return true;
}

/* Where the page stands. False: the action is another. */
static bool scroll_act(struct app *app, enum action a)
{
	struct page_view *p = page_of(app);
	switch (a) {
	case ACT_UP:
		p->scroll--;
		return true;
	case ACT_DOWN:
		p->scroll++;
		return true;
	case ACT_PAGE_UP:
		p->scroll -= page_view_rows(app) - SEEN_AGAIN;
		page_view_paged(app);
		return true;
	case ACT_PAGE_DOWN:
	case ACT_PLAY: /* Space, when the focus is not in a figure that plays */
		if (toggle_in_focus(app))
			return true;
		page_down(app);
		page_view_paged(app);
		return true;
	case ACT_TOP:
		p->scroll = 0;
		page_view_paged(app);
		return true;
	case ACT_BOTTOM:
		p->scroll = page_view_last(app);
		return true;
	default:
		return false;
	}
}

/* The keys do not go to a figure that was scrolled off the screen. */
static void leave_what_is_gone(struct app *app)
{
	struct page_view *p = page_of(app);
	struct page_item item;
	if (!p->inside || !page_view_item(p, &item) || item.kind != ITEM_FIGURE)
		return;
	const long row = row_of(p, &item);
	const bool in_sight = p->page.lines[item.line].col
				      ? is_in_sight_beside(p, &item)
				      : row < page_view_end(app) &&
						row + p->page.figures[item.index].rows > p->scroll;
	p->inside = in_sight;
}

bool page_view_works(const struct page_view *p)
{
	struct page_item item;
	return p->show_formula && page_view_item(p, &item) && item.kind == ITEM_NUMBER;
}

bool page_view_searches(const struct page_view *p)
{
	return p->search[0] && p->found && p->scroll == p->found_scroll;
}

/* Takes the marks of a match off, before Esc leaves the page. */
static bool search_done(struct page_view *p)
{
	const bool here = page_view_searches(p);
	if (here) {
		p->search[0] = '\0';
		p->found = 0;
	}
	return here;
}

bool page_view_act(struct app *app, enum action a)
{
	struct page_view *p = page_of(app);
	if (p->contents && contents_act(app, a))
		return true;
	if (glossary_pane_act(app, a)) {
		page_view_keep(app);
		return true;
	}
	if (p->inside && figure_act(app, a))
		return true;
	if (scroll_act(app, a)) {
		page_view_keep(app);
		leave_what_is_gone(app);
		return true;
	}
	switch (a) {
	case ACT_NEXT:
		walk(app, 1);
		break;
	case ACT_PREVIOUS:
		walk(app, -1);
		break;
	case ACT_FIGURE:
		walk_figures(app, 1);
		break;
	case ACT_FIGURE_BEFORE:
		walk_figures(app, -1);
		break;
	case ACT_ENTER:
		enter(app);
		break;
	case ACT_FOLDS:
		page_folds_toggle_all(app);
		break;
	case ACT_DEPTH:
		page_view_toggle_first(app);
		break;
	case ACT_FORMULA:
		p->show_formula = !p->show_formula;
		break;
	case ACT_CONTENTS:
		open_contents(p);
		break;
	case ACT_BOOKMARK:
		page_marks_toggle(app);
		break;
	case ACT_BACK:
		if (page_view_works(p))
			p->show_formula = false;
		else if (!search_done(p))
			return false;
		break;
	case ACT_SEARCH:
		entry_begin(&app->entry, ENTRY_SEARCH, 0);
		break;
	case ACT_FIND_NEXT:
		page_view_find(app, p->search, false, false);
		break;
	case ACT_FIND_PREVIOUS:
		page_view_find(app, p->search, true, false);
		break;
	case ACT_LEFT:
	case ACT_RIGHT:
	case ACT_SWAP:
	case ACT_EARLIER:
	case ACT_LATER:
	case ACT_SLOWER:
	case ACT_FASTER:
	case ACT_MOMENT_BEFORE:
	case ACT_MOMENT_NEXT:
		app_say(app, "i goes to the next figure; there h and l turn its knobs.");
		break;
	default:
		return false;
	}
	page_view_keep(app);
	return true;
}
