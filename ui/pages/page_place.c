#include "ui/pages/page_place.h"

#include "sims/base/array.h"

/* A figure that the one before it pushes further down than so many rows is no longer beside its
 * text. So many of its first rows are beside its own section, and so many rows text waits at most for the
 * end of one of another section. */
enum { MOST_BELOW = 12, OWN_ROWS = 6, MOST_WAIT = 6 };

static void count_rows(const struct page_places *at, struct page *p)
{
	p->n_rows = at->next > at->free ? at->next : at->free;
}

void place_line(struct page_places *at, struct page *p, struct page_line line)
{
	line.row = at->aside ? at->free++ : at->next++;
	line.col = at->aside ? at->beside.col : 0;
	count_rows(at, p);
	ARRAY_APPEND(&p->arena, p, lines, n_lines, cap_lines, line);
}

/* Moves the lines of the last figure so that they begin in a row. */
static void move_to(struct page_places *at, struct page *p, size_t row)
{
	for (size_t i = 0; i < at->n; i++)
		p->lines[at->first + i].row = row + i;
	at->free = row + at->n;
	at->top = row;
}

void places_restore(struct page_places *at, struct page *p, const struct page_places *before)
{
	*at = *before;
	if (at->n)
		move_to(at, p, at->top);
	count_rows(at, p);
}

/* The first row that a figure which comes next may begin in. */
static size_t below_last(const struct page_places *at)
{
	return at->n ? at->free + 1 : 0;
}

bool place_has_room(const struct page_places *at, bool gap, size_t text)
{
	return below_last(at) <= at->next + gap + (text < MOST_BELOW ? text : MOST_BELOW);
}

void place_begin_aside(struct page_places *at, struct page *p, bool gap)
{
	place_settle(at, p, false);
	const size_t least = below_last(at), here = at->next + gap;
	at->foreign = false;
	at->top = here > least ? here : least;
	at->least = at->bound > least ? at->bound : least;
	at->free = at->top;
	at->first = p->n_lines;
	at->aside = true;
}

void place_end_aside(struct page_places *at, struct page *p)
{
	at->n = p->n_lines - at->first;
	at->aside = false;
}

/* The row at or above `row` in which a block of text begins, so that a figure does not begin in the
 * middle of a paragraph; at->least where there is none. */
static size_t begin_of_block(const struct page_places *at, const struct page *p, size_t row)
{
	bool text = false; /* what is below the line at hand */
	for (size_t i = at->first; i-- > 0 && p->lines[i].row + 1 >= at->least;) {
		const struct page_line *line = &p->lines[i];
		if (line->col)
			continue;
		if (text && !line->n_spans && line->row < row)
			return line->row + 1;
		text = line->n_spans > 0;
	}
	return at->least;
}

void place_settle(struct page_places *at, struct page *p, bool whole)
{
	if (!at->foreign && at->free > at->next && at->top > at->least) {
		const size_t lack = at->free - at->next, most = at->top - at->least;
		move_to(at, p, begin_of_block(at, p, at->top - (lack < most ? lack : most)));
	}
	if (whole && at->n && !at->foreign) {
		const size_t own = at->top + (at->n < OWN_ROWS ? at->n : OWN_ROWS);
		at->next = at->next < own ? own : at->next;
		at->foreign = true;
	}
	count_rows(at, p);
}

void place_clear(struct page_places *at, bool gap)
{
	const size_t next = at->next + gap;
	if (at->foreign && next < at->free && at->free <= next + MOST_WAIT)
		at->next = at->free - gap;
}

void place_bound(struct page_places *at, bool gap)
{
	at->bound = at->next + gap;
}

bool place_is_free(const struct page_places *at, bool gap)
{
	return at->beside.cols && !at->aside && at->free <= at->next + gap;
}

/* The row below the last line before it that reaches into its columns, and a blank one. */
static size_t low_of(const struct page *p, const struct page_aside *a)
{
	for (size_t i = a->first; i-- > 0;)
		if (p->lines[i].wide && p->lines[i].row < a->home)
			return p->lines[i].row + (p->lines[i].row + 2 <= a->home ? 2 : 1);
	return 0;
}

/* The row of the first such line after it. */
static size_t high_of(const struct page *p, const struct page_aside *a)
{
	for (size_t i = a->first + a->n; i < p->n_lines; i++)
		if (p->lines[i].wide && p->lines[i].row >= a->home + a->n)
			return p->lines[i].row;
	return p->n_rows;
}

/* Where the heading stands that its text is below. */
static size_t heading_of(const struct page *p, const struct page_aside *a)
{
	size_t row = 0;
	for (size_t i = 0; i < p->n_headings && p->lines[p->headings[i].line].row <= a->home; i++)
		row = p->lines[p->headings[i].line].row;
	return row;
}

/* Where the next section begins. */
static size_t section_end(const struct page *p, const struct page_aside *a)
{
	for (size_t i = 0; i < p->n_headings; i++) {
		const size_t row = p->lines[p->headings[i].line].row;
		if (p->headings[i].level <= 2 && row > a->home)
			return row;
	}
	return p->n_rows;
}

/* Ends what is being listed. */
static void end_aside(struct page *p, struct page_aside *a)
{
	if (a->n)
		ARRAY_APPEND(&p->arena, p, asides, n_asides, cap_asides, *a);
	a->n = 0;
}

/* What stands together beside the text: between two figures at least one row is free. */
static void list_asides(struct page *p)
{
	struct page_aside here = { .n = 0 };
	for (size_t i = 0; i < p->n_lines; i++) {
		const struct page_line *line = &p->lines[i];
		if (!line->col || (here.n && line->row != here.home + here.n))
			end_aside(p, &here);
		if (line->col && !here.n)
			here = (struct page_aside){ .first = i, .home = line->row };
		here.n += line->col > 0;
	}
	end_aside(p, &here);
	for (size_t i = 0; i < p->n_asides; i++) {
		struct page_aside *a = &p->asides[i], *before = i ? a - 1 : NULL;
		a->low = low_of(p, a);
		a->high = high_of(p, a);
		a->heading = heading_of(p, a);
		a->section_end = section_end(p, a);
		if (before && before->high > a->home - 1)
			before->high = a->home - 1;
	}
}

/* The row that it begins with in a window, at or below `low`. */
static size_t slid(const struct page_aside *a, size_t low, size_t top, size_t rows)
{
	const size_t end = top + rows;
	size_t at = a->heading > top ? a->heading : top, high = a->high;
	if (a->n > rows || a->home >= end || a->section_end <= top)
		return a->home;
	if (at + a->n > end)
		at = end - a->n;
	/* What was at home above the window goes on with its section. */
	if (a->home + a->n <= top && high > a->section_end)
		high = a->section_end;
	if (at + a->n > high)
		at = high - a->n;
	if (at < low)
		at = low;
	return at < top && a->home + a->n <= top ? a->home : at; /* whole, or not at all */
}

/* Whether a window cuts no part of n rows, or has no room for them anyway. */
static bool is_whole(size_t row, size_t n, size_t top, size_t rows)
{
	const bool in_sight = row + n > top && row < top + rows;
	return !in_sight || n > rows || (row >= top && row + n <= top + rows);
}

void page_slide(struct page *p, size_t top, size_t rows)
{
	if (!p->rows || !p->n_asides)
		return;
	for (size_t i = 0; i < p->n_rows; i++)
		p->rows[i].beside = NO_LINE;
	size_t free = 0; /* below what was placed before */
	for (size_t i = 0; i < p->n_asides; i++) {
		const struct page_aside *a = &p->asides[i];
		const size_t row = slid(a, a->low > free ? a->low : free, top, rows);
		const bool whole = is_whole(row, a->n, top, rows);
		for (size_t k = 0; k < a->n; k++) {
			p->lines[a->first + k].row = row + k;
			if (whole)
				p->rows[row + k].beside = a->first + k;
		}
		free = whole ? row + a->n + 1 : free;
	}
}

bool page_leaves_out(const struct page *p, size_t line)
{
	return p->lines[line].col && p->rows[p->lines[line].row].beside != line;
}

void page_rows_list(struct page *p)
{
	list_asides(p);
	p->rows = p->n_rows ? arena_array(&p->arena, p->n_rows, sizeof *p->rows) : NULL;
	for (size_t i = 0; p->rows && i < p->n_rows; i++)
		p->rows[i] = (struct page_row){ NO_LINE, NO_LINE };
	for (size_t i = 0; p->rows && i < p->n_lines; i++) {
		struct page_row *row = &p->rows[p->lines[i].row];
		*(p->lines[i].col ? &row->beside : &row->text) = i;
	}
}

size_t page_row_of(const struct page *p, size_t line)
{
	if (!p->n_lines)
		return 0;
	return p->lines[line < p->n_lines ? line : p->n_lines - 1].row;
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
