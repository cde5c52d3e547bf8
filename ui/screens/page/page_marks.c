/* Bookmarks in pages: set and removed at the top line, drawn in the margin. */
#include "ui/screens/page/page_view.h"

#include "ui/pages/page_place.h"

#include <string.h>

/* The top row after following a bookmark. Near the end of a page that is above the bookmark's own
 * line, because the last lines of a page never scroll to the top. */
static long top_of(const struct app *app, const struct bookmark *b)
{
	const struct page *p = &page_seen(app)->page;
	long row = (long)page_home_of(p, page_spot_line(p, &b->spot, NULL));
	long last = page_view_last(app);
	return row < last ? row : last;
}

static bool is_here(const struct app *app, const struct bookmark *b)
{
	return strcmp(b->page, page_seen(app)->id) == 0 && top_of(app, b) == page_seen(app)->scroll;
}

/* The first words at or after a line. */
static void text_from(const struct page *p, size_t line, char *buf, size_t size)
{
	size_t n = 0;
	buf[0] = '\0';
	for (; n == 0 && line < p->n_lines; line++)
		for (size_t i = 0; i < p->lines[line].n_spans; i++) {
			const char *text = p->lines[line].spans[i].text;
			for (; *text && n + 1 < size; text++)
				if (*text != ' ' || (n && buf[n - 1] != ' '))
					buf[n++] = *text;
			buf[n] = '\0';
		}
}

void page_marks_toggle(struct app *app)
{
	struct page_view *p = page_of(app);
	char text[256];
	for (size_t i = 0; i < app->progress->n_bookmarks; i++)
		if (is_here(app, &app->progress->bookmarks[i])) {
			progress_unmark(app->progress, i);
			app_say(app, "Bookmark taken away.");
			return;
		}
	struct page_spot spot = page_view_top(app);
	text_from(&p->page, page_line_at(&p->page, (size_t)p->scroll), text, sizeof text);
	if (progress_mark(app->progress, p->id, &spot, text))
		app_say(app, "Bookmark set; v lists them.");
	else
		app_say(app, "There are %d bookmarks already: B takes one away where it is.",
			MAX_BOOKMARKS);
}

void page_marks_draw(const struct app *app, struct canvas *cv, struct rect column)
{
	for (size_t i = 0; i < app->progress->n_bookmarks; i++) {
		const struct bookmark *b = &app->progress->bookmarks[i];
		if (strcmp(b->page, page_seen(app)->id) != 0)
			continue;
		const struct page *p = &page_seen(app)->page;
		long row = (long)page_home_of(p, page_spot_line(p, &b->spot, NULL)) -
			   page_seen(app)->scroll;
		if (row >= 0 && row < column.rows)
			canvas_text(
				cv, column.row + (int)row, column.col - 1, 1, "▌", STYLE_ACCENT, 0);
	}
}
