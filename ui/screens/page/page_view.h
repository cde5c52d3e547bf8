/* The parts of reading that ui/screens/page/page_screen.c makes a screen of: layout and drawing
 * (page_view.c), keys (page_act.c), bookmarks (page_marks.c). */
#ifndef RIDGE_UI_SCREENS_PAGE_PAGE_VIEW_H
#define RIDGE_UI_SCREENS_PAGE_PAGE_VIEW_H

#include "sims/base/arena.h"
#include "ui/pages/glossary.h"
#include "ui/pages/page.h"
#include "ui/pages/page_spot.h"
#include "ui/shell/app.h"

/* What lies over a page (ui/screens/page/glossary_pane.h). */
struct glossary_pane {
	int focus;         /* among the page's terms, from 1; 0: none */
	bool open;         /* the entry of that term is shown */
	struct page entry; /* laid out, while it is open */
	int scroll;
};

/* What a computed span came to. It is kept as long as the page is read: folds and windows change far
 * more often than the engine, and a chapter may hold a second of computing. */
struct page_result {
	const char *source, *result;
	bool failed;
};

/* The level of the headings that are entries of the glossary and of the formula sheet. */
enum { LEVEL_OF_ENTRY = 3, PAGE_MEASURE = 76 /* columns of a text that is read */ };

/* A page that is being read: laid out for the present width, with its live figures. */
enum { MAX_PAGE_FIGURES = 16 };
struct page_view {
	char id[64];
	struct page page;
	struct live figures[MAX_PAGE_FIGURES];
	size_t n_figures;
	struct arena kept;
	struct page_result *results;
	size_t n_results, cap_results;
	long scroll;      /* the row at the top of the window */
	long paged;       /* the row at the top where Space led, or opening; -1: to none */
	long kept_scroll; /* where the last layout put the reader, and what that stood for */
	double kept_share;
	struct page_spot kept_top;
	bool kept_beside; /* whether figures stood beside the text then */
	int focus;        /* among links, computed numbers and figures in reading order; -1 */
	bool inside;      /* the keys go to the focused figure */
	bool contents;    /* the list of contents is open */
	int contents_row;
	bool show_formula;
	struct glossary_pane term;
	char search[256];
	size_t found;       /* the line that was found last, from 1; 0: none */
	long found_scroll;  /* as long as the page stands where that left it */
	uint64_t stamp;     /* of the file and the glossary, for live reload */
	int figure_rows;    /* of a figure at most, in the window that the page is laid out for */
	int64_t read_at_ms; /* reading was looked at last; 0: not yet, or the page was left */
	long read_top;      /* the row at the top then */
	double unspent_ms;  /* of the time since, what was not enough for a part */
	double shown_share; /* of the text, that no fold hides when all are closed */
	bool depth;         /* the page has sections in depth, which a first reading leaves out */
	bool whole;         /* they are shown all the same: one of them was asked for by its name */
	bool with_figures;  /* its text has fences for figures */
	bool draft;         /* what lies below the first screen is not worked out yet */
};

enum { FOLD_WORDS = 8, MAX_OPENED_PAGES = 64 };

/* What pages are laid out with, read when the first page needs it and kept for the next. */
struct page_shelf {
	struct glossary glossary;
	uint64_t glossary_stamp;
	bool glossary_known;
	/* Which folds of a page the reader has opened, a bit each, for the pages that were opened
	 * last; beyond the bits folds cannot be opened. */
	struct page_opened {
		char id[64];
		uint64_t bits[FOLD_WORDS];
	} opened[MAX_OPENED_PAGES];
	size_t n_opened;
};

struct page_state {
	struct page_view view;
	struct page_shelf shelf;
};

/* The state of the screen: to read while drawing, and to change. */
static inline const struct page_view *page_seen(const struct app *app)
{
	return &((const struct page_state *)app_state(app, SCREEN_PAGE))->view;
}

static inline struct page_view *page_of(struct app *app)
{
	return &((struct page_state *)app_state(app, SCREEN_PAGE))->view;
}

static inline struct page_shelf *page_shelf(const struct app *app)
{
	return &((struct page_state *)app_state(app, SCREEN_PAGE))->shelf;
}

/* Shows a page: "gpu", "gpu#anchor" or a spot as page_spot_write has it. 0; -1 and a line. */
int page_view_open(struct app *app, const char *id, char *err, size_t err_size);
void page_view_release(struct page_view *p);
/* Counts what was in sight as read (page_reading.c); ms until all that is in sight now will be, -1:
 * it is. */
int page_reading_tick(struct app *app, int64_t now_ms);
/* Whether the page is shown without its sections in depth; and that from now on pages are, or whole. */
bool page_view_is_first(const struct app *app);
void page_view_toggle_first(struct app *app);
/* Works out what a first frame left out. */
void page_view_finish(struct app *app);
/* The live figure that the keys go to, or NULL. */
struct live *page_view_figure(struct page_view *p);
void page_view_find(struct app *app, const char *text, bool backwards, bool from_here);
/* Whether a match is marked that is still where it was found. */
bool page_view_searches(const struct page_view *p);
/* Whether the working of the number in focus is shown. */
bool page_view_works(const struct page_view *p);

/* The line at the top of the window, as a spot; and scrolls until a spot is there. */
struct page_spot page_view_top(const struct app *app);
void page_view_put_top(struct app *app, const struct page_spot *spot);

/* Scrolls the page, which is laid out already, to a spot; says so when its heading is gone. */
void page_view_go(struct app *app, const struct page_spot *spot);

/* Folds (page_folds.c): whether the reader has opened one; opens or closes it, or all of the page. */
bool page_fold_is_open(const struct app *app, size_t fold);
void page_fold_toggle(struct app *app, size_t fold);
void page_folds_toggle_all(struct app *app);
/* The author has changed the page: its folds are others now. */
void page_folds_forget(struct app *app);

/* Bookmarks (page_marks.c): set or taken away at the line on top; drawn in the margin left of the
 * page's column. */
void page_marks_toggle(struct app *app);
void page_marks_draw(const struct app *app, struct canvas *cv, struct rect column);

/* What Tab stops at, in reading order. */
struct page_item {
	enum { ITEM_LINK, ITEM_NUMBER, ITEM_FIGURE } kind;
	int index;
	size_t line;
};
enum { MAX_PAGE_ITEMS = 1024 };
size_t page_items(const struct page *p, struct page_item items[MAX_PAGE_ITEMS]);
/* The one in focus; false: none is. */
bool page_view_item(const struct page_view *p, struct page_item *item);

/* A blank row parts the page from the footer. */
enum { PAGE_AIR = 1 };

/* Rows of a page that a window shows; the scroll that shows the last of them. The third brings the
 * scroll into the range that this makes. */
long page_view_rows(const struct app *app);
long page_view_last(const struct app *app);
void page_view_keep(struct app *app);
/* The row below the last one whose text is in sight. A window that Space leads to may end early
 * (page_window.h), as long as it stands there; the second says that it was led to. */
long page_view_end(const struct app *app);
void page_view_paged(struct app *app);

/* Scrolls until so many rows from a row of the page on are in sight, or its first ones. */
void page_view_show(struct app *app, long row, int rows);
/* The same for a figure in the text, with what is said over it where both have room. */
void page_view_show_figure(struct app *app, size_t figure);
/* Lays the page out once more, as after a fold was opened; the focus stays where it is. */
void page_view_again(struct app *app);
void page_view_relayout(struct app *app);
bool page_view_act(struct app *app, enum action a);
void page_view_draw(const struct app *app, struct canvas *cv, struct rect r);

/* Where the page stands in the body, and the text in it, with figures beside it or not. */
struct rect page_view_place(const struct page_view *p, struct rect body);
struct rect page_view_column(const struct page_view *p, struct rect body);
/* Where the knobs of a figure stand on the screen, as far as they are on it. */
struct rect page_view_knobs(const struct page_view *p, struct rect body, size_t figure);
/* The mouse on the knobs of figures, and page_view_press on links: false, none is there. */
bool page_view_press(struct app *app, struct rect body, int row, int col);
bool page_view_wheel(struct app *app, int by, struct rect body, int row, int col);

#endif
