#include "ui/pages/page_place.h"

#include "sims/base/array.h"

void place_line(struct page_places *at, struct page *p, struct page_line line)
{
	line.row = at->next++;
	p->n_rows = at->next;
	ARRAY_APPEND(&p->arena, p, lines, n_lines, cap_lines, line);
}

void places_restore(struct page_places *at, struct page *p, const struct page_places *before)
{
	*at = *before;
	p->n_rows = at->next;
}

void page_rows_list(struct page *p)
{
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
