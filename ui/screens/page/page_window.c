#include "ui/screens/page/page_window.h"

#include "sims/base/minmax.h"
#include "ui/pages/page_place.h"
#include "ui/shell/layout.h"

#include <string.h>

/* So many lines of its text stand with a heading. */
enum { TEXT_OF_HEADING = 2 };

/* A window ends before what its last rows would cut if it leaves no more than so many rows empty, and
 * this share of them, in per cent. Half a plot says less than half a table. */
enum { MOST_EMPTY = 6, SHARE_EMPTY = 25, MOST_FOR_FIGURE = 10, SHARE_FOR_FIGURE = 40 };

/* Rows from one on to before another. */
struct stretch {
	long from, end;
};

/* -- What is seen whole ---------------------------------------------------------------------- */

/* The row that a figure begins with, with the lines of its caption; in the text these are what stands right
 * above it. */
static long top_of_figure(const struct page *p, const struct page_figure *f)
{
	size_t line = f->line;
	while (line > 0 && p->lines[line - 1].n_spans && p->lines[line - 1].figure < 0 &&
		p->lines[line - 1].col == p->lines[f->line].col &&
		p->lines[line - 1].row + 1 == p->lines[line].row)
		line--;
	return (long)p->lines[line].row;
}

int page_caption_rows(const struct page *p, size_t figure)
{
	const struct page_figure *f = &p->figures[figure];
	return (int)((long)page_row_of(p, f->line) - top_of_figure(p, f));
}

static size_t count_wholes(const struct page *p)
{
	return p->n_figures + p->n_wholes;
}

/* The rows of a figure, a table or a listing. *in_text: none of it is beside the text. */
static struct stretch rows_of(const struct page *p, size_t i, bool *in_text)
{
	const struct page_figure *f = i < p->n_figures ? &p->figures[i] : NULL;
	const size_t line = f ? f->line : p->wholes[i - p->n_figures].line;
	const size_t n = f ? (size_t)f->rows : p->wholes[i - p->n_figures].n;
	const long row = (long)page_row_of(p, line);
	*in_text = line < p->n_lines && !p->lines[line].col;
	return (struct stretch){ row, row + (long)n };
}

/* The same from the caption on, if there is room for that in a window. */
static struct stretch captioned(const struct page *p, size_t i, long rows, bool *in_text)
{
	struct stretch s = rows_of(p, i, in_text);
	if (i < p->n_figures && s.from < s.end) {
		const long top = top_of_figure(p, &p->figures[i]);
		s.from = s.end - top <= rows ? top : s.from;
	}
	return s;
}

/* -- Where a window ends --------------------------------------------------------------------- */

/* The line of the text in a row, if there is something in it. */
static const struct page_line *text_in(const struct page *p, long row)
{
	const size_t line = row < (long)p->n_rows ? p->rows[row].text : NO_LINE;
	if (line == NO_LINE || (!p->lines[line].n_spans && p->lines[line].figure < 0))
		return NULL;
	return &p->lines[line];
}

/* The row where the heading ends with which a row begins, with the words right below it. */
static long below_heading(const struct page *p, long row, long end)
{
	while (row < end && text_in(p, row))
		row++;
	return row;
}

/* How many of the rows have text. */
static int texts_in(const struct page *p, struct stretch s)
{
	int n = 0;
	for (long row = s.from; row < s.end; row++)
		n += text_in(p, row) != NULL;
	return n;
}

/* The row of the heading after one that does not belong to its section; beyond the page there is none. */
static long end_of_section(const struct page *p, size_t heading)
{
	for (size_t i = heading + 1; i < p->n_headings; i++)
		if (!p->headings[i].fold && p->headings[i].level <= p->headings[heading].level)
			return (long)page_row_of(p, p->headings[i].line);
	return (long)p->n_rows;
}

/* Whether a window that ends in front of a row has less of a section than what should stand with its
 * heading, though there is more. */
static bool is_stranded(const struct page *p, size_t heading, long row, long end)
{
	const long text = below_heading(p, row, end);
	return texts_in(p, (struct stretch){ text, end }) < TEXT_OF_HEADING &&
	       texts_in(p, (struct stretch){ end, end_of_section(p, heading) }) > 0;
}

/* Where a window ends that would show rows of this, so that no heading is stranded there. */
static long before_headings(const struct page *p, struct stretch window)
{
	long end = window.end;
	for (size_t i = p->n_headings; i-- > 0;) {
		const long row = (long)page_row_of(p, p->headings[i].line);
		if (p->headings[i].fold || row >= end)
			continue;
		if (row <= window.from || !is_stranded(p, i, row, end))
			break;
		end = row;
	}
	return end;
}

static long most_empty(bool figure, long rows)
{
	const long most = figure ? MOST_FOR_FIGURE : MOST_EMPTY;
	const long share = rows * (figure ? SHARE_FOR_FIGURE : SHARE_EMPTY) / 100;
	return share < most ? share : most;
}

/* Where it ends so that it shows no small part of what there is room for in the next one. */
static long before_wholes(const struct page *p, struct stretch window)
{
	const long rows = window.end - window.from;
	long end = window.end;
	for (size_t i = 0; i < count_wholes(p); i++) {
		bool in_text;
		const struct stretch s = captioned(p, i, rows, &in_text);
		if (in_text && s.from > window.from && s.from < end && s.end > window.end &&
			s.end - s.from <= rows &&
			window.end - s.from <= most_empty(i < p->n_figures, rows))
			end = s.from;
	}
	return end;
}

/* Where it ends if the text goes on with another figure beside it for a few rows: these are left to the next
 * one, which shows that figure. */
static long before_figures(const struct page *p, struct stretch window)
{
	for (size_t i = 1; i < p->n_asides; i++) {
		const long from = (long)p->asides[i].from;
		if (from > window.from && from < window.end && window.end - from <= MOST_FOR_FIGURE)
			return from;
	}
	return window.end;
}

/* Whether the text of a row leads to what comes below it: it ends with a colon. */
static bool leads_on(const struct page *p, long row)
{
	const struct page_line *line = text_in(p, row);
	if (!line || !line->n_spans)
		return false;
	const char *last = line->spans[line->n_spans - 1].text;
	return *last && last[strlen(last) - 1] == ':';
}

/* Where it ends so that what leads to a formula, a list or a table stands in one window with it: before its
 * paragraph or, if that has many rows or is to be parted, before the last two of these. */
static long before_lead(const struct page *p, struct stretch window, long full, bool part)
{
	long last = window.end - 1;
	while (last > window.from && !text_in(p, last))
		last--;
	if (!leads_on(p, last) || texts_in(p, (struct stretch){ window.end, (long)p->n_rows }) == 0)
		return window.end;
	long from = last;
	while (from > window.from && text_in(p, from - 1))
		from--;
	if (part || full - from > MOST_FOR_FIGURE)
		from = max_int64(from, last - 1);
	return from > window.from ? from : window.end;
}

/* The same, and no heading is stranded above. */
static long before_parts(const struct page *p, struct stretch window, long full, bool part)
{
	for (long end = -1; end != window.end;) {
		end = window.end;
		window.end = before_headings(p, window);
		window.end = before_lead(p, window, full, part);
	}
	return window.end;
}

/* A gap of more than a third of the window is worse than a paragraph in two parts. */
static long before_leads(const struct page *p, struct stretch window, long full)
{
	enum { THIRD = 3 };
	const long end = before_parts(p, window, full, false);
	if (full - end <= (full - window.from) / THIRD)
		return end;
	return max_int64(end, before_parts(p, window, full, true));
}

long page_window_end(const struct page_view *v, long top, long rows)
{
	const struct page *p = &v->page;
	const struct stretch window = { top, top + rows };
	const struct stretch whole = { top,
		min_int64(before_figures(p, window), before_wholes(p, window)) };
	const long end = before_leads(p, whole, window.end);
	/* The headings above what is left out may leave too much out with it. */
	return window.end - end > MOST_FOR_FIGURE ? before_leads(p, window, window.end) : end;
}

/* -- Where the next one begins --------------------------------------------------------------- */

/* There, or with what it would cut if the end of this window cuts that and a window has room for it. */
static long not_after(long to, struct stretch window, struct stretch s, long rows)
{
	const bool cut = s.from > window.from && s.from < to && s.end > window.end;
	return cut && s.end - s.from <= rows ? s.from : to;
}

/* There, or below what this window has whole and of which the next would show a tail. */
static long not_inside(long to, struct stretch window, struct stretch s)
{
	const bool seen = s.from >= window.from && s.end <= window.end;
	return seen && s.from < to && to < s.end ? s.end : to;
}

long page_window_next(const struct page_view *v, long rows)
{
	const struct page *p = &v->page;
	const struct stretch window = { v->scroll, page_window_end(v, v->scroll, rows) };
	long to = v->scroll + rows - SEEN_AGAIN;
	to = to < window.end ? to : window.end;
	bool in_text;
	for (size_t i = 0; i < count_wholes(p); i++)
		to = not_after(to, window, captioned(p, i, rows, &in_text), rows);
	for (size_t i = 0; i < count_wholes(p); i++) {
		const struct stretch s = rows_of(p, i, &in_text);
		to = in_text ? not_inside(to, window, s) : to;
	}
	while (to < window.end && !text_in(p, to)) /* it begins with text */
		to++;
	return to;
}

/* -- Of the page that is read --------------------------------------------------------------- */

long page_view_rows(const struct app *app)
{
	return frame_layout(app->rows, app->cols).body.rows - PAGE_AIR;
}

long page_view_last(const struct app *app)
{
	long last = (long)page_seen(app)->page.n_rows - page_view_rows(app);
	return last < 0 ? 0 : last;
}

void page_view_keep(struct app *app)
{
	struct page_view *p = page_of(app);
	if (p->scroll > page_view_last(app))
		p->scroll = page_view_last(app);
	if (p->scroll < 0)
		p->scroll = 0;
}

long page_view_end(const struct app *app)
{
	const struct page_view *p = page_seen(app);
	const long rows = page_view_rows(app);
	return p->scroll == p->paged ? page_window_end(p, p->scroll, rows) : p->scroll + rows;
}

void page_view_paged(struct app *app)
{
	page_view_keep(app);
	page_of(app)->paged = page_of(app)->scroll;
}
