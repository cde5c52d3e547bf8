/* An entry is laid out as a small page of its own and drawn over the page that is read. */
#include "ui/screens/page/glossary_pane.h"

#include "ui/term/overlay.h"
#include "ui/data/content.h"
#include "ui/live/action.h"
#include "ui/pages/formula_sheet.h"
#include "ui/pages/page_anchor.h"
#include "ui/pages/page_draw.h"
#include "ui/pages/page_env.h"
#include "ui/pages/page_place.h"
#include "ui/screens/page/page_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_WIDTH = 20, MARGIN = 2 * (OVERLAY_EDGE + OVERLAY_ROOM) };

bool page_is_looked_up(const char *id)
{
	return strcmp(id, GLOSSARY_ID) == 0 || strcmp(id, FORMULAS_ID) == 0;
}

const struct glossary *glossary_pane_index(struct app *app, const char *page_id)
{
	const uint64_t stamp = content_stamp(GLOSSARY_FILE);
	if (page_is_looked_up(page_id))
		return NULL;
	struct page_shelf *shelf = page_shelf(app);
	if (!shelf->glossary_known || stamp != shelf->glossary_stamp) {
		size_t bytes;
		void *owned;
		const char *text = content_read(GLOSSARY_FILE, &bytes, &owned);
		glossary_release(&shelf->glossary);
		if (text && glossary_init(&shelf->glossary, text, bytes))
			app_say(app, "the glossary does not fit in memory");
		free(owned);
		shelf->glossary_known = true;
		shelf->glossary_stamp = stamp;
	}
	return &shelf->glossary;
}

void glossary_pane_release(struct glossary_pane *t)
{
	page_release(&t->entry);
	*t = (struct glossary_pane){ 0 };
}

static const struct glossary_entry *entry_in_focus(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	if (!p->term.focus || (size_t)p->term.focus > p->page.n_terms)
		return NULL;
	size_t entry = p->page.terms[p->term.focus - 1].entry;
	const struct glossary *g = &page_shelf(app)->glossary;
	return entry < g->n_entries ? &g->entries[entry] : NULL;
}

static void close_pane(struct glossary_pane *t)
{
	page_release(&t->entry);
	t->open = false;
	t->scroll = 0;
}

static int body_rows(const struct app *app)
{
	return (int)page_view_rows(app);
}

/* Rows of the pane, with its edges; a few of the page stay. */
static int pane_rows(const struct app *app)
{
	int most = body_rows(app) - 2, rows = (int)page_seen(app)->term.entry.n_lines + 2;
	return rows < most ? rows : most;
}

/* The row of a term, counted from 1. */
static long term_row(const struct page_view *p, int term)
{
	return (long)page_row_of(&p->page, p->page.terms[term - 1].line);
}

/* The pane is drawn at the bottom, or at the top where it would cover the term. In a small window
 * both may cover it, and then the page scrolls until one of them does not. */
static void uncover(struct app *app)
{
	struct page_view *p = page_of(app);
	long row = term_row(p, p->term.focus), at = row - p->scroll;
	long left = body_rows(app) - pane_rows(app), last = (long)p->page.n_rows - body_rows(app);
	if (at < left || at >= pane_rows(app))
		return;
	p->scroll = row - left / 2 <= last ? row - left / 2 : row - pane_rows(app);
}

/* Lays the entry out as one paragraph that begins with its name. */
static void open_pane(struct app *app)
{
	struct glossary_pane *t = &page_of(app)->term;
	const struct glossary_entry *e = entry_in_focus(app);
	struct page_env env = page_env_printing(app_tables(app));
	int width = page_of(app)->page.width - MARGIN;
	char text[4096];
	close_pane(t);
	if (!e)
		return;
	env.figure_rows = NULL;
	env.ascii = app->glyphs == GLYPHS_ASCII;
	int n = snprintf(text, sizeof text, "**%s**%s%s%s. %s", e->name, *e->also ? " (also " : "",
		e->also, *e->also ? ")" : "", e->text);
	size_t bytes = n < (int)sizeof text ? (size_t)n : sizeof text - 1;
	t->open = page_layout(&t->entry, text, bytes, width < LEAST_WIDTH ? LEAST_WIDTH : width,
			  &env) == 0;
	if (t->open)
		uncover(app);
	else
		app_say(app, "out of memory");
}

void glossary_pane_relayout(struct app *app)
{
	struct glossary_pane *t = &page_of(app)->term;
	if ((size_t)t->focus > page_of(app)->page.n_terms)
		glossary_pane_release(t);
	if (t->open)
		open_pane(app);
}

/* --- keys ------------------------------------------------------------------------------- */

static bool on_screen(const struct app *app, long row)
{
	return row >= page_seen(app)->scroll && row < page_view_end(app);
}

/* The term that a step leads to, counted from 1: the one after the term in focus, or, when that is
 * not on the screen, the first (going back: the last) that is. 0: there is no term in that
 * direction. */
static int step(const struct app *app, int by)
{
	const struct page_view *p = page_seen(app);
	int n = (int)p->page.n_terms, to = p->term.focus + by;
	if (!p->term.focus || !on_screen(app, term_row(p, p->term.focus))) {
		long top = p->scroll;
		long end = page_view_end(app);
		for (to = 1; to <= n && term_row(p, to) < (by > 0 ? top : end); to++)
			;
		to -= by < 0;
	}
	return to < 1 || to > n ? 0 : to;
}

/* Puts the row a third of the way down: some context above it, and room for the entry below. */
static void show_row(struct app *app, long row)
{
	struct page_view *p = page_of(app);
	if (!on_screen(app, row))
		p->scroll = row - body_rows(app) / 3;
}

static void walk(struct app *app, int by)
{
	struct page_view *p = page_of(app);
	int to = step(app, by);
	if (!to) {
		app_say(app, p->page.n_terms == 0 ? "The glossary explains no word of this page."
			     : by > 0 ? "No later word is marked; each is marked once, where it "
					"comes first."
				      : "No earlier word is marked.");
		return;
	}
	p->inside = p->show_formula = false;
	p->focus = -1;
	p->term.focus = to;
	show_row(app, term_row(p, to));
	const struct glossary_entry *e = entry_in_focus(app);
	if (p->term.open)
		open_pane(app);
	else if (e)
		app_say(app, "%s. Enter: what it means.", e->name);
}

static void go_to_glossary(struct app *app)
{
	struct arena a = { 0 };
	char target[256];
	const struct glossary_entry *e = entry_in_focus(app);
	const char *anchor = e ? page_anchor(&a, e->name) : NULL;
	if (anchor) {
		snprintf(target, sizeof target, "page:%s#%s", GLOSSARY_ID, anchor);
		app_go_to(app, target);
	}
	arena_release(&a);
}

/* The scroll that shows its last line; 0 or less: it is seen whole. */
static int last_scroll(const struct app *app)
{
	return (int)page_seen(app)->term.entry.n_lines + 2 - pane_rows(app);
}

bool glossary_pane_scrolls(const struct app *app)
{
	return last_scroll(app) > 0;
}

static bool scroll_entry(struct app *app, int by)
{
	struct glossary_pane *t = &page_of(app)->term;
	int to = t->scroll + by, last = last_scroll(app);
	if (last <= 0)
		return false;
	t->scroll = to < 0 ? 0 : to > last ? last : to;
	return true;
}

static bool pane_act(struct app *app, enum action a)
{
	struct glossary_pane *t = &page_of(app)->term;
	switch (a) {
	case ACT_UP:
	case ACT_DOWN:
		return scroll_entry(app, a == ACT_UP ? -1 : 1);
	case ACT_ENTER:
		go_to_glossary(app);
		return true;
	case ACT_BACK:
		close_pane(t);
		return true;
	default:
		return false;
	}
}

bool glossary_pane_act(struct app *app, enum action a)
{
	struct glossary_pane *t = &page_of(app)->term;
	if (a == ACT_TERM || a == ACT_TERM_BEFORE) {
		walk(app, a == ACT_TERM ? 1 : -1);
		return true;
	}
	if (!t->focus)
		return false;
	if (a == ACT_NEXT || a == ACT_PREVIOUS) {
		glossary_pane_release(t); /* Tab moves a focus of its own, over links and figures */
		return false;
	}
	if (t->open)
		return pane_act(app, a);
	if (a == ACT_ENTER)
		open_pane(app);
	else if (a == ACT_BACK)
		glossary_pane_release(t);
	return a == ACT_ENTER || a == ACT_BACK;
}

/* --- drawing ---------------------------------------------------------------------------- */

static void draw_focus(struct canvas *cv, struct rect r, const struct page_view *p)
{
	for (int i = 0; i < r.rows && p->scroll + i < (long)p->page.n_rows; i++) {
		const size_t text = p->page.rows[p->scroll + i].text;
		if (text == NO_LINE)
			continue;
		const struct page_line *line = &p->page.lines[text];
		int col = r.col + line->indent;
		for (size_t j = 0; j < line->n_spans; j++) {
			const struct page_span *s = &line->spans[j];
			int width = text_cols(s->text, cv->glyphs);
			if (s->term == p->term.focus)
				canvas_restyle(cv, (struct rect){ r.row + i, col, 1, width },
					STYLE_ACCENT, ATTR_BOLD);
			col += width;
		}
	}
}

void glossary_pane_draw(const struct app *app, struct canvas *cv, struct rect r)
{
	const struct page_view *p = page_seen(app);
	const struct glossary_pane *t = &p->term;
	if (!t->focus)
		return;
	draw_focus(cv, r, p);
	if (!t->open)
		return;
	int rows = pane_rows(app), left = r.rows - rows;
	long at = term_row(p, t->focus) - p->scroll;
	int top = at >= left && at < r.rows ? r.row : r.row + left;
	const struct rect in = overlay_box(cv, (struct rect){ top, r.col, rows, r.cols }, "");
	page_draw(cv, in, &t->entry, (size_t)t->scroll, NULL, -1, -1);
}
