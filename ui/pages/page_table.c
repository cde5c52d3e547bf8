#include "ui/pages/page_table.h"

#include "sims/base/array.h"
#include "sims/base/minmax.h"
#include "ui/data/markdown.h"

#include <assert.h>
#include <string.h>

/* -- Finding tables ------------------------------------------------------------------------- */

/* What finding needs: where lines begin, and the cells found so far as Markdown headings. */
struct table_search {
	struct pipe_tables *tables;
	struct arena *scratch;
	const char *source; /* the Markdown as the parser saw it */
	size_t source_bytes;
	size_t *starts; /* n_lines + 1 of them */
	size_t n_lines;
	struct arena_buffer cells;
};

static bool index_lines(struct table_search *s)
{
	const char *text = s->source;
	size_t n = 1;
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	s->starts = arena_array(s->scratch, n + 1, sizeof *s->starts);
	if (!s->starts)
		return false;
	for (size_t i = 0; i < s->source_bytes; i++)
		if (text[i] == '\n')
			s->starts[++s->n_lines] = i + 1;
	s->starts[++s->n_lines] = s->source_bytes + 1;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct page_range trim(const char *text, struct page_range r)
{
	while (r.begin < r.end && is_blank(text[r.begin]))
		r.begin++;
	while (r.end > r.begin && is_blank(text[r.end - 1]))
		r.end--;
	return r;
}

/* Line i of a paragraph, without the prefixes of its quotes and lists. */
static struct page_range line_of(const struct table_search *s, cmark_node *node, int i)
{
	const char *text = s->source;
	size_t line = (size_t)(cmark_node_get_start_line(node) + i - 1);
	if (line >= s->n_lines)
		return (struct page_range){ 0, 0 };
	struct page_range r = { s->starts[line], s->starts[line + 1] - 1 };
	if (i == 0) {
		r.begin += (size_t)cmark_node_get_start_column(node) - 1;
		return r.begin < r.end ? trim(text, r) : (struct page_range){ 0, 0 };
	}
	r = trim(text, r);
	for (cmark_node *up = cmark_node_parent(node); up; up = cmark_node_parent(up))
		if (cmark_node_get_type(up) == CMARK_NODE_BLOCK_QUOTE && r.begin < r.end &&
			text[r.begin] == '>') {
			r.begin++;
			r = trim(text, r);
		}
	return r;
}

/* Takes the next cell off a row; false when there is none. The row's outer pipes are gone. */
static bool next_cell(const char *text, struct page_range *row, struct page_range *cell)
{
	if (row->begin >= row->end)
		return false;
	size_t at = row->begin;
	while (at < row->end && (text[at] != '|' || (at > row->begin && text[at - 1] == '\\')))
		at++;
	*cell = trim(text, (struct page_range){ row->begin, at });
	row->begin = at + 1;
	return true;
}

static struct page_range open_row(const char *text, struct page_range line)
{
	if (line.begin < line.end && text[line.begin] == '|')
		line.begin++;
	return line;
}

static size_t count_cells(const char *text, struct page_range line)
{
	struct page_range row = open_row(text, line), cell;
	size_t n = 0;
	while (next_cell(text, &row, &cell))
		n++;
	return n;
}

/* The alignment that a delimiter cell such as ":--" asks for; 0: it is not such a cell. */
static char alignment(const char *text, struct page_range cell)
{
	bool left = cell.begin < cell.end && text[cell.begin] == ':';
	bool right = cell.end > cell.begin + 1 && text[cell.end - 1] == ':';
	size_t begin = cell.begin + left, end = cell.end - right;
	if (begin >= end)
		return '\0';
	for (size_t i = begin; i < end; i++)
		if (text[i] != '-')
			return '\0';
	return left && right ? 'c' : right ? 'r' : 'l';
}

/* How many columns a delimiter row has; 0: the line is not one. align may be NULL. */
static size_t delimiter_row(const char *text, struct page_range line, char *align)
{
	struct page_range row = open_row(text, line), cell;
	size_t n = 0;
	while (next_cell(text, &row, &cell)) {
		char a = alignment(text, cell);
		if (!a)
			return 0;
		if (align)
			align[n] = a;
		n++;
	}
	return n;
}

/* Which line of a paragraph (never the first, 0) is the delimiter row of a table; 0: there is no
 * table. */
static int find_delimiter(const struct table_search *s, cmark_node *node, int n_lines)
{
	const char *text = s->source;
	size_t line = (size_t)cmark_node_get_start_line(node);
	for (int i = 1; i < n_lines && line < s->n_lines; i++, line++) {
		const char *raw = text + s->starts[line];
		size_t length = s->starts[line + 1] - 1 - s->starts[line];
		if (strspn(raw, " \t>|:-") < length || !memchr(raw, '-', length))
			continue;
		size_t n = delimiter_row(text, line_of(s, node, i), NULL);
		if (n && n == count_cells(text, line_of(s, node, i - 1)))
			return i;
	}
	return 0;
}

/* Adds a cell as the heading "# text". In it "\|" becomes a pipe, and a '#' at the end must not
 * close the heading. */
static void add_cell(struct table_search *s, struct page_range cell)
{
	const char *text = s->source;
	arena_append(&s->cells, "# ", 2);
	size_t closing = cell.end;
	while (closing > cell.begin && text[closing - 1] == '#')
		closing--;
	bool closes = closing < cell.end && (closing == cell.begin || is_blank(text[closing - 1]));
	for (size_t i = cell.begin; i < cell.end; i++) {
		if (text[i] == '\\' && i + 1 < cell.end && text[i + 1] == '|')
			continue;
		if (closes && i == closing)
			arena_append(&s->cells, "\\", 1);
		arena_append(&s->cells, text + i, 1);
	}
	arena_append(&s->cells, "\n", 1);
	s->tables->n_cells++;
}

static void add_row(struct table_search *s, struct pipe_table *t, struct page_range line)
{
	struct page_range row = open_row(s->source, line), cell;
	struct pipe_row made = { s->tables->n_cells, 0 };
	while (made.n_cells < t->n_columns && next_cell(s->source, &row, &cell)) {
		add_cell(s, cell);
		made.n_cells++;
	}
	ARRAY_APPEND(s->scratch, t, rows, n_rows, cap_rows, made);
}

/* Adds the lines of the paragraph before the table, as one cell. */
static void add_lead(struct table_search *s, cmark_node *node, int n_lines)
{
	arena_append(&s->cells, "# ", 2);
	for (int i = 0; i < n_lines; i++) {
		struct page_range line = line_of(s, node, i);
		arena_append(&s->cells, s->source + line.begin, line.end - line.begin);
		arena_append(&s->cells, " ", 1);
	}
	arena_append(&s->cells, "\n", 1);
	s->tables->n_cells++;
}

/* How many lines a paragraph has, or a heading with its underline. cmark may count the blank line
 * after such a heading as one of its lines. */
static int count_lines(const struct table_search *s, cmark_node *node, bool underlined)
{
	int n = cmark_node_get_end_line(node) - cmark_node_get_start_line(node) + 1;
	while (underlined && n > 1) {
		struct page_range last = line_of(s, node, n - 1);
		if (last.begin < last.end)
			break;
		n--;
	}
	return n;
}

static struct pipe_table *new_table(struct table_search *s, struct page_range delimiter)
{
	struct arena *a = s->scratch;
	struct pipe_table *t = arena_alloc(a, sizeof *t);
	char *align = arena_alloc(a, delimiter_row(s->source, delimiter, NULL));
	if (!t || !align)
		return NULL;
	t->n_columns = delimiter_row(s->source, delimiter, align);
	t->align = align;
	return t;
}

static void try_table(struct table_search *s, cmark_node *node)
{
	bool underlined = cmark_node_get_type(node) == CMARK_NODE_HEADING;
	int n_lines = count_lines(s, node, underlined);
	int delimiter = find_delimiter(s, node, n_lines - underlined);
	struct pipe_table *t = delimiter ? new_table(s, line_of(s, node, delimiter)) : NULL;
	if (!t)
		return;
	/* "---" after rows makes a heading of them in CommonMark; GitHub sees a table and a
	 * rule. */
	if (underlined) {
		struct page_range last = line_of(s, node, n_lines - 1);
		t->rule_after = s->source[last.begin] == '-';
		n_lines -= t->rule_after;
	}
	t->has_lead = delimiter > 1;
	if (t->has_lead)
		add_lead(s, node, delimiter - 1);
	add_row(s, t, line_of(s, node, delimiter - 1));
	for (int i = delimiter + 1; i < n_lines; i++)
		add_row(s, t, line_of(s, node, i));
	cmark_node_set_user_data(node, t);
}

/* Links in cells may refer to definitions anywhere in the page: it then follows the cells. */
static void parse_cells(struct table_search *s)
{
	struct pipe_tables *t = s->tables;
	if (strstr(s->source, "]:")) {
		arena_append(&s->cells, "\n", 1);
		arena_append(&s->cells, s->source, s->source_bytes);
	}
	t->cells = arena_array(s->scratch, t->n_cells, sizeof *t->cells);
	if (s->scratch->failed)
		return;
	t->document = markdown_parse(s->cells.text, s->cells.n);
	cmark_node *node = cmark_node_first_child(t->document);
	for (size_t i = 0; i < t->n_cells; i++, node = cmark_node_next(node))
		t->cells[i] = node;
}

struct pipe_tables pipe_tables_find(
	cmark_node *document, const char *source, size_t bytes, struct arena *scratch)
{
	struct pipe_tables tables = { 0 };
	struct table_search s = { .tables = &tables,
		.scratch = scratch,
		.source = source,
		.source_bytes = bytes,
		.cells = { .arena = scratch } };
	if (!index_lines(&s))
		return tables;
	cmark_iter *iter = cmark_iter_new(document);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE && !scratch->failed) {
		cmark_node *node = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(node);
		if (type != CMARK_NODE_PARAGRAPH && type != CMARK_NODE_HEADING)
			continue;
		if (cmark_iter_get_event_type(iter) != CMARK_EVENT_ENTER)
			continue;
		try_table(&s, node);
		if (cmark_node_first_child(node))
			cmark_iter_reset(iter, node, CMARK_EVENT_EXIT);
	}
	cmark_iter_free(iter);
	if (tables.n_cells && !scratch->failed)
		parse_cells(&s);
	return tables;
}

void pipe_tables_release(struct pipe_tables *tables)
{
	if (tables->document)
		cmark_node_free(tables->document);
	*tables = (struct pipe_tables){ 0 };
}

/* -- Laying one out ------------------------------------------------------------------------- */

enum {
	BETWEEN = 2,           /* blanks between columns */
	READABLE = 10,         /* text in narrower columns is hard to read */
	LONG_HEADS = 2000,     /* bytes; such heads are not repeated in every record */
	MOST_COLUMNS = 1 << 10 /* as columns of a grid */
};

/* Words of up to so many columns are kept whole; the first limit with which the table fits is
 * taken. */
static const int word_limits[] = { 24, 12, 8 };

struct columns {
	const struct table_layout *on;
	const struct pipe_table *t;
	struct page_run run;      /* the cells' text, one after another */
	struct page_range *cells; /* [row * n_columns + column] in run */
	int *cols;                /* of the same cells, on one line */
	int *natural, *word, *width;
	struct page_wrap *wraps;
};

static struct page_range collect(struct columns *g, size_t cell, bool head)
{
	const struct table_layout *on = g->on;
	assert(cell < on->tables->n_cells);
	struct page_range r = { g->run.text.n, 0 };
	inline_collect(
		on->inlines, &g->run, on->tables->cells[cell], STYLE_PLAIN, head ? ATTR_BOLD : 0);
	r.end = g->run.text.n;
	if (!head)
		terms_mark(on->marks, &g->run, r);
	return r;
}

static bool measure(struct columns *g)
{
	const struct pipe_table *t = g->t;
	struct arena *a = g->on->lines->scratch;
	g->cells = arena_array(a, t->n_rows * t->n_columns, sizeof *g->cells);
	g->cols = arena_array(a, t->n_rows * t->n_columns, sizeof *g->cols);
	g->natural = arena_array(a, t->n_columns, sizeof *g->natural);
	g->word = arena_array(a, t->n_columns, sizeof *g->word);
	g->width = arena_array(a, t->n_columns, sizeof *g->width);
	g->wraps = arena_array(a, t->n_columns, sizeof *g->wraps);
	if (a->failed)
		return false;
	for (size_t row = 0; row < t->n_rows; row++)
		for (size_t c = 0; c < t->rows[row].n_cells; c++) {
			struct page_range r = collect(g, t->rows[row].first_cell + c, row == 0);
			g->cells[row * t->n_columns + c] = r;
			const int cols = range_width(&g->run, r);
			g->cols[row * t->n_columns + c] = cols;
			g->natural[c] = max_int(g->natural[c], cols);
			g->word[c] = max_int(g->word[c], range_word_width(&g->run, r));
		}
	return true;
}

static int least_of(const struct columns *g, size_t c, int word_limit)
{
	return min_int(g->natural[c], max_int(min_int(g->word[c], word_limit), READABLE));
}

/* Sets the widths when words up to a limit are kept whole and no column is wider than `level`
 * unless its words are. Returns the width of the table. */
static int total(const struct columns *g, int word_limit, int level)
{
	int sum = BETWEEN * ((int)g->t->n_columns - 1);
	for (size_t c = 0; c < g->t->n_columns; c++) {
		g->width[c] = max_int(least_of(g, c, word_limit), min_int(g->natural[c], level));
		sum += g->width[c];
	}
	return sum;
}

/* About how many lines the table has: a line that is wrapped leaves some of its columns blank. */
static long height(const struct columns *g)
{
	enum { SHARE = 8 }; /* 1 in so many */
	const size_t n = g->t->n_columns;
	long sum = 0;
	for (size_t row = 0; row < g->t->n_rows; row++) {
		int most = 1;
		for (size_t c = 0; c < n; c++) {
			const int cols = g->cols[row * n + c], width = g->width[c];
			if (cols > width)
				most = max_int(most, (cols + cols / SHARE + width - 1) / width);
		}
		sum += most;
	}
	return sum;
}

/* The move of columns from one to another that makes the table lowest, if any does. */
static bool move_width(struct columns *g, int word_limit)
{
	const size_t n = g->t->n_columns;
	long best = height(g);
	size_t from = 0, to = 0;
	int by = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++) {
			/* No cell becomes wider than the text, as where they were fitted. */
			const int widest = min_int(g->natural[k], g->on->lines->page->width);
			const int most = i == k ? 0
						: min_int(g->width[i] - least_of(g, i, word_limit),
							  widest - g->width[k]);
			for (int moved = 1; moved <= most; moved++) {
				g->width[i] -= moved;
				g->width[k] += moved;
				const long now = height(g);
				g->width[i] += moved;
				g->width[k] -= moved;
				if (now >= best)
					continue;
				best = now;
				from = i;
				to = k;
				by = moved;
			}
		}
	g->width[from] -= by;
	g->width[to] += by;
	return by > 0;
}

/* Equal shares are not the best ones where one column has a long cell and another has many. */
static void lower(struct columns *g, int word_limit)
{
	enum { MOST_MOVES = 6, MOST_CELLS = 1200 };
	if (g->t->n_rows * g->t->n_columns > MOST_CELLS)
		return;
	for (int moves = 0; moves < MOST_MOVES && move_width(g, word_limit); moves++)
		;
}

/* Sets the widths of the columns. False: the page is too narrow for them. */
static bool fit(struct columns *g)
{
	const int room = lines_width(g->on->lines);
	size_t i = 0, n = LENGTH(word_limits);
	while (i < n && total(g, word_limits[i], 0) > room)
		i++;
	if (i == n)
		return false;
	int level = min_int(room, g->on->lines->page->width); /* no cell is wider than the text */
	while (total(g, word_limits[i], level) > room)
		level--;
	int left = room - total(g, word_limits[i], level);
	for (size_t c = 0; c < g->t->n_columns && left > 0; c++)
		if (g->width[c] < g->natural[c] && g->width[c] >= level) {
			g->width[c]++;
			left--;
		}
	lower(g, word_limits[i]);
	return true;
}

/* Puts down one line of a row, from what is left of every cell. False: nothing was left. */
static bool row_line(struct columns *g)
{
	struct page_lines *lines = g->on->lines;
	int blanks = 0;
	bool begun = false;
	for (size_t c = 0; c < g->t->n_columns; c++) {
		struct page_range r = { 0, 0 };
		int columns = 0;
		if (wrap_next(&g->wraps[c], &r, &columns) && !begun) {
			line_begin(lines);
			begun = true;
			line_blanks(lines, blanks);
			blanks = 0;
		}
		int spare = g->width[c] - columns;
		char align = g->t->align[c];
		int before = align == 'r' ? spare : align == 'c' ? spare / 2 : 0;
		blanks += before;
		if (r.begin < r.end) {
			line_blanks(lines, blanks);
			line_range(lines, &g->run, r);
			blanks = 0;
		}
		blanks += spare - before + BETWEEN + (r.begin < r.end ? 0 : columns);
	}
	if (begun)
		line_end(lines);
	return begun;
}

static bool row_lines(struct columns *g, size_t row)
{
	for (size_t c = 0; c < g->t->n_columns; c++)
		g->wraps[c] = wrap_begin(
			&g->run, g->cells[row * g->t->n_columns + c], max_int(g->width[c], 1));
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
	const size_t first = g->on->lines->page->n_lines;
	if (row_lines(g, 0))
		lines_rule(g->on->lines, columns);
	for (size_t row = 1; row < g->t->n_rows; row++)
		row_lines(g, row);
	lines_whole(g->on->lines, first);
}

/* "head: cell" on lines of its own; the first record shows every head, even that of an empty
 * cell. */
static void record_field(
	struct columns *g, struct page_run *field, struct page_range head, struct page_range cell)
{
	run_clear(field);
	run_copy(field, &g->run, head);
	if (field->text.n && cell.begin < cell.end)
		run_text(field, ": ", 2, PLAIN_PIECE(STYLE_DIM));
	run_copy(field, &g->run, cell);
	bool headed = field->text.n > cell.end - cell.begin;
	lines_wrap(g->on->lines, field, run_whole(field), headed ? 2 : 0);
}

/* The text of a cell: what measure() collected, or else collected now. A cell that the row lacks is
 * empty. */
static struct page_range record_cell(struct columns *g, size_t row, size_t c)
{
	const struct pipe_table *t = g->t;
	if (row >= t->n_rows || c >= t->rows[row].n_cells)
		return (struct page_range){ 0, 0 };
	if (g->cells)
		return g->cells[row * t->n_columns + c];
	return collect(g, t->rows[row].first_cell + c, row == 0);
}

static void records(struct columns *g)
{
	struct page_lines *lines = g->on->lines;
	const struct pipe_table *t = g->t;
	struct page_range *heads = arena_array(lines->scratch, t->n_columns, sizeof *heads);
	struct page_run field = run_in(lines->scratch, lines->glyphs);
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
			struct page_range cell = record_cell(g, row, c), head = heads[c];
			if (row > 1 && (heads_bytes > LONG_HEADS || cell.begin == cell.end))
				head = (struct page_range){ 0, 0 };
			record_field(g, &field, head, cell);
		}
		line_gap_after(lines);
	}
}

void pipe_table_layout(const struct table_layout *on, const struct pipe_table *t)
{
	struct page_lines *lines = on->lines;
	struct columns g = { .on = on, .t = t, .run = run_in(lines->scratch, lines->glyphs) };
	if (t->has_lead) {
		struct page_range lead = collect(&g, t->rows[0].first_cell - 1, false);
		lines_wrap(lines, &g.run, lead, 0);
		line_gap_after(lines);
	}
	bool narrow = t->n_columns > MOST_COLUMNS || lines->aloud ||
		      (int)t->n_columns * (1 + BETWEEN) - BETWEEN > lines_width(lines);
	if (!narrow && !measure(&g))
		return;
	if (!narrow && fit(&g))
		grid_lines(&g);
	else
		records(&g);
	if (t->rule_after) {
		line_gap_after(lines);
		lines_rule(lines, lines_width(lines));
	}
}
