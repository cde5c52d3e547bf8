/* A pipe table on the page: columns as wide as their text, the widest made narrower until the table
 * fits, cells wrapped; and where even that leaves no readable columns, one record a row. */
#include "ui/pages/page_build.h"

#include <string.h>

enum {
	BETWEEN = 2,           /* blanks between columns */
	READABLE = 10,         /* text in columns narrower than this is no pleasure */
	LONG_HEADS = 2000,     /* bytes; such heads are not repeated in every record */
	MOST_COLUMNS = 1 << 10 /* as columns of a grid */
};

/* Words up to so many columns are kept whole; the first limit that fits is taken. */
static const int word_limits[] = { 24, 12, 8 };

struct columns {
	struct build *b;
	const struct pipe_table *t;
	struct range *cells; /* [row * n_columns + column] in b->run */
	int *natural, *word, *width;
	struct wrap *wraps;
};

static struct range collect(struct build *b, size_t cell, bool head)
{
	struct range r = { b->run.n, b->run.n };
	inline_collect(b, &b->run, b->cells[cell], STYLE_PLAIN, head ? ATTR_BOLD : 0);
	r.end = b->run.n;
	if (!head)
		terms_mark(b, &b->run, r);
	return r;
}

static int larger(int a, int b)
{
	return a > b ? a : b;
}

static int smaller(int a, int b)
{
	return a < b ? a : b;
}

static bool measure(struct columns *g)
{
	const struct pipe_table *t = g->t;
	struct arena *a = &g->b->scratch;
	g->cells = arena_array(a, t->n_rows * t->n_columns, sizeof *g->cells);
	g->natural = arena_array(a, t->n_columns, sizeof *g->natural);
	g->word = arena_array(a, t->n_columns, sizeof *g->word);
	g->width = arena_array(a, t->n_columns, sizeof *g->width);
	g->wraps = arena_array(a, t->n_columns, sizeof *g->wraps);
	if (a->failed)
		return false;
	for (size_t row = 0; row < t->n_rows; row++)
		for (size_t c = 0; c < t->rows[row].n_cells; c++) {
			struct range r = collect(g->b, t->rows[row].first_cell + c, row == 0);
			g->cells[row * t->n_columns + c] = r;
			g->natural[c] = larger(g->natural[c], range_width(&g->b->run, r));
			g->word[c] = larger(g->word[c], range_word_width(&g->b->run, r));
		}
	return true;
}

static int total(const struct columns *g, int word_limit, int level)
{
	int sum = BETWEEN * ((int)g->t->n_columns - 1);
	for (size_t c = 0; c < g->t->n_columns; c++) {
		int word = larger(smaller(g->word[c], word_limit), READABLE);
		int least = smaller(g->natural[c], word);
		g->width[c] = larger(least, smaller(g->natural[c], level));
		sum += g->width[c];
	}
	return sum;
}

/* Sets the widths; false: too narrow for columns. */
static bool fit(struct columns *g)
{
	const int room = block_width(g->b);
	size_t i = 0, n = sizeof word_limits / sizeof *word_limits;
	while (i < n && total(g, word_limits[i], 0) > room)
		i++;
	if (i == n)
		return false;
	int level = room;
	while (total(g, word_limits[i], level) > room)
		level--;
	int left = room - total(g, word_limits[i], level);
	for (size_t c = 0; c < g->t->n_columns && left > 0; c++)
		if (g->width[c] < g->natural[c] && g->width[c] >= level) {
			g->width[c]++;
			left--;
		}
	return true;
}

/* One line of a row: what is left of every cell. False when nothing was. */
static bool row_line(struct columns *g)
{
	struct build *b = g->b;
	int blanks = 0;
	bool begun = false;
	for (size_t c = 0; c < g->t->n_columns; c++) {
		struct range r = { 0, 0 };
		int columns = 0;
		if (wrap_next(&g->wraps[c], &r, &columns) && !begun) {
			line_begin(b);
			begun = true;
			line_blanks(b, blanks);
			blanks = 0;
		}
		int spare = g->width[c] - columns;
		char align = g->t->align[c];
		int before = align == 'r' ? spare : align == 'c' ? spare / 2 : 0;
		blanks += before;
		if (r.begin < r.end) {
			line_blanks(b, blanks);
			line_range(b, &b->run, r);
			blanks = 0;
		}
		blanks += spare - before + BETWEEN + (r.begin < r.end ? 0 : columns);
	}
	if (begun)
		line_end(b);
	return begun;
}

static bool row_lines(struct columns *g, size_t row)
{
	for (size_t c = 0; c < g->t->n_columns; c++)
		g->wraps[c] = wrap_begin(
			&g->b->run, g->cells[row * g->t->n_columns + c], larger(g->width[c], 1));
	bool any = false;
	while (row_line(g))
		any = true;
	return any;
}

static void grid_lines(struct columns *g)
{
	int columns = BETWEEN * ((int)g->t->n_columns - 1);
	for (size_t c = 0; c < g->t->n_columns; c++)
		columns += g->width[c];
	if (row_lines(g, 0))
		block_rule(g->b, columns);
	for (size_t row = 1; row < g->t->n_rows; row++)
		row_lines(g, row);
}

/* "head: cell" on lines of its own; the first record shows every head, also of an empty cell. */
static void record_field(struct build *b, struct run *field, struct range head, struct range cell)
{
	const struct piece dim = { 0, STYLE_DIM, 0, -1, -1, 0 };
	run_clear(field);
	run_copy(field, &b->run, head);
	if (field->n && cell.begin < cell.end)
		run_text(field, ": ", 2, dim);
	run_copy(field, &b->run, cell);
	block_wrap(
		b, field, (struct range){ 0, field->n }, field->n > cell.end - cell.begin ? 2 : 0);
}

/* What measure() collected already, or collected now; a cell that the row lacks is empty. */
static struct range record_cell(struct columns *g, size_t row, size_t c)
{
	const struct pipe_table *t = g->t;
	if (row >= t->n_rows || c >= t->rows[row].n_cells)
		return (struct range){ 0, 0 };
	if (g->cells)
		return g->cells[row * t->n_columns + c];
	return collect(g->b, t->rows[row].first_cell + c, row == 0);
}

static void records(struct columns *g)
{
	struct build *b = g->b;
	const struct pipe_table *t = g->t;
	struct range *heads = arena_array(&b->scratch, t->n_columns, sizeof *heads);
	struct run field = { .arena = &b->scratch, .ascii = b->run.ascii };
	size_t heads_bytes = 0;
	if (!heads)
		return;
	for (size_t c = 0; c < t->n_columns; c++) {
		heads[c] = record_cell(g, 0, c);
		heads_bytes += heads[c].end - heads[c].begin;
	}
	for (size_t row = 1; row < t->n_rows || row == 1; row++) {
		size_t n = row == 1 ? t->n_columns : t->rows[row].n_cells;
		for (size_t c = 0; c < n; c++) {
			struct range cell = record_cell(g, row, c), head = heads[c];
			if (row > 1 && (heads_bytes > LONG_HEADS || cell.begin == cell.end))
				head = (struct range){ 0, 0 };
			record_field(b, &field, head, cell);
		}
		b->gap = true;
		b->gap_frames = b->n_frames;
	}
}

void pipe_table_layout(struct build *b, const struct pipe_table *t)
{
	struct columns g = { .b = b, .t = t };
	run_clear(&b->run);
	if (t->has_lead) {
		struct range lead = collect(b, t->rows[0].first_cell - 1, false);
		block_wrap(b, &b->run, lead, 0);
		b->gap = true;
		b->gap_frames = b->n_frames;
	}
	bool narrow = t->n_columns > MOST_COLUMNS || build_aloud(b) ||
		      (int)t->n_columns * (1 + BETWEEN) - BETWEEN > block_width(b);
	if (!narrow && !measure(&g))
		return;
	if (!narrow && fit(&g))
		grid_lines(&g);
	else
		records(&g);
	if (t->rule_after) {
		b->gap = true;
		b->gap_frames = b->n_frames;
		block_rule(b, block_width(b));
	}
}
