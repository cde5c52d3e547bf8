#include "ui/screens/page/page_words.h"

#include "sims/base/minmax.h"
#include "ui/pages/glossary.h"
#include "ui/pages/page_place.h"
#include "ui/term/pane.h"

#include <string.h>

struct rect page_words_place(const struct page_view *p, struct rect body)
{
	const int spare = body.cols - PAGE_MEASURE - WORDS_GUTTER;
	if (strcmp(p->id, GLOSSARY_ID) != 0 || spare < WORDS_COLS)
		return (struct rect){ body.row, body.col, body.rows, 0 };
	const int cols = min_int(spare, MOST_WORDS_COLS);
	return (struct rect){ body.row, body.col + (spare - cols) / 2, body.rows - PAGE_AIR, cols };
}

static bool is_word(const struct page_view *p, size_t heading)
{
	return p->page.headings[heading].level == LEVEL_OF_ENTRY;
}

static long heading_row(const struct page_view *p, size_t heading)
{
	return (long)page_row_of(&p->page, p->page.headings[heading].line);
}

/* The heading that the list begins with: the entry on top of the window has a few words above it, and the list
 * has no blank end. */
static size_t first_word(const struct page_view *p, int rows)
{
	size_t n = 0, before = 0, first = p->page.n_headings;
	for (size_t i = 0; i < p->page.n_headings; i++) {
		if (!is_word(p, i))
			continue;
		first = n == 0 ? i : first;
		before += heading_row(p, i) < p->scroll;
		n++;
	}
	const long above = rows / 4, last = (long)n - rows;
	long skipped = (long)before - above;
	skipped = skipped > last ? last : skipped;
	for (; skipped > 0 && first < p->page.n_headings; first++)
		skipped -= is_word(p, first);
	return first;
}

void page_words_draw(struct canvas *cv, struct rect r, const struct page_view *p, long end)
{
	struct pane pane = pane_of(cv, r);
	int row = 0;
	if (!r.cols)
		return;
	for (size_t i = first_word(p, r.rows); i < p->page.n_headings && row < r.rows; i++) {
		const long at = heading_row(p, i);
		const bool shown = at >= p->scroll && at < end;
		if (!is_word(p, i))
			continue;
		pane_words(&pane, row++, 0, r.cols, p->page.headings[i].text,
			shown ? STYLE_PLAIN : STYLE_DIM, shown ? ATTR_BOLD : 0);
	}
}

int page_words_at(const struct page_view *p, struct rect r, int row, int col)
{
	int left = row - r.row;
	if (left < 0 || row >= r.row + r.rows || col < r.col || col >= r.col + r.cols)
		return -1;
	for (size_t i = first_word(p, r.rows); i < p->page.n_headings; i++)
		if (is_word(p, i) && left-- == 0)
			return (int)i;
	return -1;
}
