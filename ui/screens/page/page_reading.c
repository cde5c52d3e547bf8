/* A line counts as read when it was in sight for as long as somebody needs who reads fast, not when
 * it was scrolled past. The time that passes goes to the parts of the page in sight that are not
 * read yet, from the top down, since nobody reads two at once. */
#include "ui/screens/page/page_view.h"

#include "ui/pages/page_place.h"

/* Pages say how many minutes they take; nobody is quicker than so many times that. */
enum { FASTEST = 5 };

static double part_ms(
	const struct app *app, const struct page_info *page, const struct page_view *p)
{
	return p->shown_share * app_page_minutes(app, page) * 60000.0 / PROGRESS_PARTS / FASTEST;
}

/* How many lines would stand before a line if all folds were closed. Parts are of these, so opening
 * an answer moves none, and what nobody opened is neither read nor asked for. */
static long lines_before(const struct page *p, size_t line)
{
	long n = 0;
	for (size_t i = 0; i < line && i < p->n_lines; i++)
		n += !p->lines[i].fold || p->folds[p->lines[i].fold - 1].line == i;
	return n;
}

/* Of all those lines, the ones that are in sight when a row is on top. */
struct sight {
	long all, from, to;
};

static struct sight sight_from(const struct app *app, long top)
{
	const struct page *p = &page_seen(app)->page;
	const size_t end = (size_t)(top + page_view_rows(app));
	return (struct sight){ lines_before(p, p->n_lines),
		lines_before(p, page_line_at(p, (size_t)top)),
		lines_before(p, page_line_at(p, end)) };
}

/* Whether a part is still to be read, and its middle in sight. */
static bool is_left(uint64_t read, unsigned part, const struct sight *s)
{
	const long middle = (2 * (long)part + 1) * s->all / (2 * PROGRESS_PARTS);
	return !(read >> part & 1) && middle >= s->from && middle < s->to;
}

int page_reading_tick(struct app *app, int64_t now_ms)
{
	struct page_view *p = page_of(app);
	const struct page_info *page = page_list_find(&app->pages, p->id);
	double wait_ms = 0;
	/* What is looked up takes no minutes, and is never read to its end. */
	if (!page || p->draft || !p->page.n_lines || app_page_minutes(app, page) == 0)
		return -1;
	const double need_ms = part_ms(app, page, p);
	const struct sight before = sight_from(app, p->read_top), now = sight_from(app, p->scroll);
	if (p->read_at_ms)
		p->unspent_ms += (double)(now_ms - p->read_at_ms);
	uint64_t read = progress_parts(app->progress, p->id);
	bool all = true;
	for (unsigned i = 0; all && i < PROGRESS_PARTS; i++) {
		if (!is_left(read, i, &before))
			continue;
		all = p->unspent_ms >= need_ms;
		if (all) {
			progress_read(app->progress, p->id, i);
			read |= UINT64_C(1) << i;
			p->unspent_ms -= need_ms;
		}
	}
	if (progress_is_read(app->progress, p->id))
		progress_finish(app->progress, p->id, app_day(app));
	p->unspent_ms = all ? 0 : p->unspent_ms;
	p->read_at_ms = now_ms;
	p->read_top = p->scroll;
	for (unsigned i = 0; i < PROGRESS_PARTS; i++)
		wait_ms += is_left(read, i, &now) ? need_ms : 0;
	return wait_ms > 0 ? (int)(wait_ms - p->unspent_ms) + 1 : -1;
}
