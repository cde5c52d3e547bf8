/* Folds of a page in the explorer: which ones the reader has opened, until ridge is left, and what
 * opening one does to the page. */
#include "ui/screens/page/page_view.h"

#include "ui/pages/page_fold.h"
#include "ui/pages/page_place.h"

#include <stdio.h>
#include <string.h>

enum { BITS = 64, MOST_FOLDS = FOLD_WORDS * BITS };

static const struct page_opened *opened_of(const struct app *app)
{
	const struct page_shelf *shelf = page_shelf(app);
	for (size_t i = 0; i < MAX_OPENED_PAGES && i < shelf->n_opened; i++)
		if (strcmp(shelf->opened[i].id, page_seen(app)->id) == 0)
			return &shelf->opened[i];
	return NULL;
}

/* The bits of the page that is read. Where there is no more room, the page that was opened first
 * gives its own away. */
static struct page_opened *opened_for(struct app *app)
{
	struct page_shelf *shelf = page_shelf(app);
	const struct page_opened *known = opened_of(app);
	if (known)
		return &shelf->opened[known - shelf->opened];
	struct page_opened *new = &shelf->opened[shelf->n_opened++ % MAX_OPENED_PAGES];
	*new = (struct page_opened){ .id = "" };
	snprintf(new->id, sizeof new->id, "%s", page_seen(app)->id);
	return new;
}

bool page_fold_is_open(const struct app *app, size_t fold)
{
	const struct page_opened *o = opened_of(app);
	return o && fold < MOST_FOLDS && (o->bits[fold / BITS] >> fold % BITS & 1);
}

/* The line on top stays there, or the fold that it is in. */
static void lay_out_in_place(struct app *app)
{
	const struct page_spot top = page_view_top(app);
	page_view_again(app);
	page_view_put_top(app, &top);
	page_view_keep(app);
}

void page_fold_toggle(struct app *app, size_t fold)
{
	const struct page *p = &page_seen(app)->page;
	if (fold >= MOST_FOLDS || fold >= p->n_folds)
		return;
	opened_for(app)->bits[fold / BITS] ^= UINT64_C(1) << fold % BITS;
	/* What is above the fold does not move, unless the top of the window was in it. */
	if ((long)page_row_of(p, p->folds[fold].line) >= page_seen(app)->scroll)
		page_view_again(app);
	else
		lay_out_in_place(app);
	const struct page_fold *f = &p->folds[fold];
	page_view_show(
		app, (long)page_row_of(p, f->line), (int)page_rows_of(p, f->line, f->n_lines));
}

/* Where the focus is a fold, it stays on that fold; other focuses are given up, since every one
 * has another number now. */
static void focus_fold(struct app *app, long fold)
{
	struct page_view *v = page_of(app);
	struct page_item items[MAX_PAGE_ITEMS];
	size_t n = page_items(&v->page, items);
	v->focus = -1;
	v->inside = v->show_formula = false;
	for (size_t i = 0; i < n && fold >= 0; i++)
		if (items[i].kind == ITEM_LINK &&
			fold_of_target(v->page.links[items[i].index].target) == fold)
			v->focus = (int)i;
}

void page_folds_toggle_all(struct app *app)
{
	const struct page *p = &page_seen(app)->page;
	struct page_item item;
	bool all = true;
	long focused = -1;
	if (!p->n_folds) {
		app_say(app, "Nothing on this page is folded.");
		return;
	}
	if (page_view_item(page_seen(app), &item) && item.kind == ITEM_LINK)
		focused = fold_of_target(p->links[item.index].target);
	for (size_t i = 0; i < p->n_folds && i < MOST_FOLDS; i++)
		all &= p->folds[i].open;
	struct page_opened *o = opened_for(app);
	memset(o->bits, all ? 0 : 0xff, sizeof o->bits);
	lay_out_in_place(app);
	focus_fold(app, focused);
	app_say(app, all ? "All answers of this page are closed."
			 : "All answers of this page are open.");
}

void page_folds_forget(struct app *app)
{
	const struct page_opened *known = opened_of(app);
	if (known)
		memset(opened_for(app)->bits, 0, sizeof known->bits);
}
