#include "ui/pages/page_place.h"

#include "sims/base/array.h"

#include <string.h>

/* So many rows of text about another figure give it a place of its own as well, if the window has so many rows for each
 * of them; and so many rows a figure has at least, or all of its own. */
enum { ANOTHER_FROM = 10, ROWS_EACH = 18, LEAST_SHOWN = 8, MOST_TOGETHER = 3 };

void place_line(struct page_places *at, struct page *p, struct page_line line)
{
	line.row = at->aside ? at->home : at->next++;
	line.col = at->aside ? at->beside.col : 0;
	line.aside = at->aside ? at->n : 0;
	p->n_rows = at->next;
	ARRAY_APPEND(&p->arena, p, lines, n_lines, cap_lines, line);
}

void places_restore(struct page_places *at, struct page *p, const struct page_places *before)
{
	*at = *before;
	p->n_rows = at->next;
}

void place_begin_aside(struct page_places *at, bool gap)
{
	at->home = at->next + gap;
	at->aside = true;
	at->n++;
}

void place_end_aside(struct page_places *at)
{
	at->aside = false;
}

/* -- What text is about which figure --------------------------------------------------------- */

/* The row of the heading that a row is below. */
static size_t heading_above(const struct page *p, size_t row)
{
	size_t at = 0;
	for (size_t i = 0; i < p->n_headings; i++) {
		const size_t here = p->lines[p->headings[i].line].row;
		if (!p->headings[i].fold && here <= row)
			at = here;
	}
	return at;
}

static void list_asides(struct page *p)
{
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		if (!line->aside)
			continue;
		if (!i || p->lines[i - 1].aside != line->aside) {
			const struct page_aside a = {
				.first = i, .home = line->row, .figure = NO_FIGURE
			};
			ARRAY_APPEND(&p->arena, p, asides, n_asides, cap_asides, a);
		}
		if (!p->n_asides)
			return; /* out of memory */
		struct page_aside *last = &p->asides[p->n_asides - 1];
		last->n++;
		if (line->figure >= 0)
			last->figure = (size_t)line->figure;
	}
}

static void share_text(struct page *p)
{
	for (size_t i = 0; i < p->n_asides; i++) {
		struct page_aside *a = &p->asides[i], *before = i ? a - 1 : NULL;
		const size_t heading = heading_above(p, a->home);
		a->from = !before ? 0 : heading > before->home ? heading : a->home;
		/* Behind all text it has the last row of it. */
		if (a->from >= p->n_rows && p->n_rows)
			a->from = p->n_rows - 1;
		a->end = p->n_rows;
		if (before)
			before->end = a->from;
	}
}

/* -- What a window shows --------------------------------------------------------------------- */

/* How many rows of text in a window are about it. */
static size_t rows_about(const struct page_aside *a, const struct page_sight *sight)
{
	const size_t from = a->from > sight->top ? a->from : sight->top;
	const size_t end = a->end < sight->end ? a->end : sight->end;
	return end > from ? end - from : 0;
}

/* Whether a row of text has the key that leads to a figure, as in "Press `i` for the figure". */
static bool asks_for_it(const struct page *p, size_t row)
{
	const size_t line = p->rows[row].text;
	for (size_t i = 0; line != NO_LINE && i < p->lines[line].n_spans; i++)
		if (strcmp(p->lines[line].spans[i].text, "i") == 0)
			return true;
	return false;
}

/* The same, but a row that asks for it counts for more than a window has. */
static size_t weight_of(
	const struct page *p, const struct page_aside *a, const struct page_sight *sight)
{
	const size_t end = a->end < sight->end ? a->end : sight->end;
	size_t weight = rows_about(a, sight);
	for (size_t row = a->from > sight->top ? a->from : sight->top; row < end; row++)
		weight += asks_for_it(p, row) ? sight->rows : 0;
	return weight;
}

/* Those that a window shows, as they follow each other. */
struct together {
	size_t list[MOST_TOGETHER], n;
};

static bool has(const struct together *t, size_t aside)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->list[i] == aside)
			return true;
	return false;
}

static void join(struct together *t, size_t aside)
{
	size_t at = t->n++;
	for (; at > 0 && t->list[at - 1] > aside; at--)
		t->list[at] = t->list[at - 1];
	t->list[at] = aside;
}

/* The one that most of a window is about but for those, if it is so many rows at least; else the number of
 * all. */
static size_t most_about(const struct page *p, const struct page_sight *sight,
	const struct together *others, size_t least)
{
	size_t best = p->n_asides, most = least - 1;
	for (size_t i = 0; i < p->n_asides; i++) {
		const size_t weight = weight_of(p, &p->asides[i], sight);
		if (!has(others, i) && weight > most) {
			best = i;
			most = weight;
		}
	}
	return best;
}

/* The one of a figure that is asked for, if a window has text about it. */
static size_t asked_for(const struct page *p, const struct page_sight *sight)
{
	for (size_t i = 0; i < p->n_asides; i++)
		if (p->asides[i].figure == sight->figure && rows_about(&p->asides[i], sight))
			return i;
	return p->n_asides;
}

/* Puts it into so many rows from one on, as many of them as it has; what is too much its figure lacks. Returns how
 * many those are. */
static size_t put(struct page *p, const struct page_aside *a, size_t row, size_t rows)
{
	const size_t lacks = a->n > rows ? a->n - rows : 0;
	struct page_figure *f = a->figure != NO_FIGURE ? &p->figures[a->figure] : NULL;
	size_t n = 0;
	const int shown = f ? f->rows - (int)lacks : 0;
	if (f ? shown < f->rows && shown < LEAST_SHOWN : lacks)
		return 0;
	if (f)
		f->shown = shown;
	for (size_t i = a->first; i < a->first + a->n; i++) {
		struct page_line *line = &p->lines[i];
		if (f && line->figure >= 0 && line->figure_row >= f->shown)
			continue;
		line->row = row + n++;
		p->rows[line->row].beside = i;
	}
	return n;
}

static void take_off(struct page *p)
{
	for (size_t i = 0; i < p->n_rows; i++)
		p->rows[i].beside = NO_LINE;
	for (size_t i = 0; i < p->n_asides; i++) {
		const struct page_aside *a = &p->asides[i];
		for (size_t k = a->first; k < a->first + a->n; k++)
			p->lines[k].row = a->home < p->n_rows ? a->home : p->n_rows - 1;
		if (a->figure != NO_FIGURE)
			p->figures[a->figure].shown = 0;
	}
}

static struct together choose(const struct page *p, const struct page_sight *sight, size_t rows)
{
	const size_t most = rows / ROWS_EACH > 1 ? rows / ROWS_EACH : 1;
	struct together t = { .n = 0 };
	const size_t asked = asked_for(p, sight);
	if (asked < p->n_asides) { /* who turns its knobs sees all of it */
		join(&t, asked);
		return t;
	}
	while (t.n < most && t.n < MOST_TOGETHER) {
		const size_t next = most_about(p, sight, &t, t.n ? ANOTHER_FROM : 1);
		if (next == p->n_asides)
			break;
		join(&t, next);
	}
	return t;
}

/* The rows of one of them, of those that it and the ones below it share: its part, and what those do not
 * need. */
static size_t rows_of(const struct page *p, const struct together *t, size_t i, size_t rows)
{
	const size_t part = (rows - (t->n - i - 1)) / (t->n - i), n = p->asides[t->list[i]].n;
	size_t need = 0;
	for (size_t k = i + 1; k < t->n; k++)
		need += p->asides[t->list[k]].n + 1;
	const size_t most = rows > need + part ? rows - need : part;
	return n < most ? n : most;
}

void page_place_beside(struct page *p, const struct page_sight *sight)
{
	if (!p->rows || !p->n_asides)
		return;
	const size_t below = sight->top < p->n_rows ? p->n_rows - sight->top : 0;
	size_t rows = sight->rows < below ? sight->rows : below, row = sight->top;
	const struct together t = choose(p, sight, rows);
	take_off(p);
	for (size_t i = 0; i < t.n; i++) {
		const size_t used = put(p, &p->asides[t.list[i]], row, rows_of(p, &t, i, rows));
		row += used ? used + 1 : 0;
		rows -= !used ? 0 : rows > used ? used + 1 : rows;
	}
}

bool page_leaves_out(const struct page *p, size_t line)
{
	return p->lines[line].col && p->rows[p->lines[line].row].beside != line;
}

void page_rows_list(struct page *p)
{
	list_asides(p);
	share_text(p);
	for (size_t i = 0; i < p->n_asides; i++)
		p->n_rows = p->asides[i].n > p->n_rows ? p->asides[i].n : p->n_rows;
	p->rows = p->n_rows ? arena_array(&p->arena, p->n_rows, sizeof *p->rows) : NULL;
	for (size_t i = 0; p->rows && i < p->n_rows; i++)
		p->rows[i] = (struct page_row){ NO_LINE, NO_LINE };
	for (size_t i = 0; p->rows && i < p->n_lines; i++)
		if (!p->lines[i].col)
			p->rows[p->lines[i].row].text = i;
	page_place_beside(p, &(struct page_sight){ 0, p->n_rows, p->n_rows, NO_FIGURE });
}

size_t page_row_of(const struct page *p, size_t line)
{
	if (!p->n_lines)
		return 0;
	return p->lines[line < p->n_lines ? line : p->n_lines - 1].row;
}

size_t page_home_of(const struct page *p, size_t line)
{
	for (size_t i = 0; i < p->n_asides; i++) {
		const struct page_aside *a = &p->asides[i];
		if (a->first <= line && line < a->first + a->n)
			return a->home < p->n_rows ? a->home : p->n_rows - 1;
	}
	return page_row_of(p, line);
}

size_t page_line_at(const struct page *p, size_t row)
{
	if (row >= p->n_rows)
		return p->n_lines;
	for (;; row--) {
		const struct page_row *r = &p->rows[row];
		if (r->text != NO_LINE || r->beside != NO_LINE || !row)
			return r->text != NO_LINE ? r->text : r->beside != NO_LINE ? r->beside : 0;
	}
}

size_t page_rows_of(const struct page *p, size_t first, size_t n)
{
	size_t least = SIZE_MAX, end = 0;
	for (size_t i = first; i < first + n && i < p->n_lines; i++) {
		const size_t row = p->lines[i].row;
		least = row < least ? row : least;
		end = row >= end ? row + 1 : end;
	}
	return least < end ? end - least : 0;
}
