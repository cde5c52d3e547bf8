/* Pipe tables by GitHub's rules. CommonMark reads them as paragraphs; their source lines are split
 * into cells before any inline is looked at, as GitHub does it: a pipe separates cells even inside
 * a code span, and "\|" is a pipe there too. All cells are then parsed together, as headings of a
 * second document: a heading is one line of nothing but inlines. */
#include "ui/data/markdown.h"
#include "ui/pages/page_build.h"

#include <string.h>

struct text {
	char *bytes;
	size_t n, cap;
};

/* What finding needs: where lines begin, and the cells found so far as Markdown headings. */
struct search {
	struct build *b;
	size_t *starts; /* n_lines + 1 of them */
	size_t n_lines;
	struct text cells;
};

static void append(struct search *s, const char *bytes, size_t n)
{
	struct text *t = &s->cells;
	if (!t->bytes || t->cap - t->n < n) {
		size_t more = (t->cap + n) * 2;
		char *bigger = arena_alloc(&s->b->scratch, more);
		if (!bigger)
			return;
		if (t->bytes)
			memcpy(bigger, t->bytes, t->n);
		t->bytes = bigger;
		t->cap = more;
	}
	memcpy(t->bytes + t->n, bytes, n);
	t->n += n;
}

static bool index_lines(struct search *s)
{
	const char *text = s->b->source;
	size_t n = 1;
	for (const char *p = text; (p = strchr(p, '\n')); p++)
		n++;
	s->starts = arena_array(&s->b->scratch, n + 1, sizeof *s->starts);
	if (!s->starts)
		return false;
	for (size_t i = 0; i < s->b->source_bytes; i++)
		if (text[i] == '\n')
			s->starts[++s->n_lines] = i + 1;
	s->starts[++s->n_lines] = s->b->source_bytes + 1;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct range trim(const char *text, struct range r)
{
	while (r.begin < r.end && is_blank(text[r.begin]))
		r.begin++;
	while (r.end > r.begin && is_blank(text[r.end - 1]))
		r.end--;
	return r;
}

/* Line i of a paragraph, without what its containers put before it. */
static struct range line_of(const struct search *s, cmark_node *node, int i)
{
	const char *text = s->b->source;
	size_t line = (size_t)(cmark_node_get_start_line(node) + i - 1);
	if (line >= s->n_lines)
		return (struct range){ 0, 0 };
	struct range r = { s->starts[line], s->starts[line + 1] - 1 };
	if (i == 0) {
		r.begin += (size_t)cmark_node_get_start_column(node) - 1;
		return r.begin < r.end ? trim(text, r) : (struct range){ 0, 0 };
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
static bool next_cell(const char *text, struct range *row, struct range *cell)
{
	if (row->begin >= row->end)
		return false;
	size_t at = row->begin;
	while (at < row->end && (text[at] != '|' || (at > row->begin && text[at - 1] == '\\')))
		at++;
	*cell = trim(text, (struct range){ row->begin, at });
	row->begin = at + 1;
	return true;
}

static struct range open_row(const char *text, struct range line)
{
	if (line.begin < line.end && text[line.begin] == '|')
		line.begin++;
	return line;
}

static size_t count_cells(const char *text, struct range line)
{
	struct range row = open_row(text, line), cell;
	size_t n = 0;
	while (next_cell(text, &row, &cell))
		n++;
	return n;
}

/* ':'? '-'+ ':'? gives the alignment; anything else 0. */
static char alignment(const char *text, struct range cell)
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

/* Columns that a delimiter row says; 0: it is none. align may be NULL. */
static size_t delimiter_row(const char *text, struct range line, char *align)
{
	struct range row = open_row(text, line), cell;
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

/* The line (2nd or later) of a paragraph that is the delimiter row of a table; 0: no table. */
static int find_delimiter(const struct search *s, cmark_node *node, int n_lines)
{
	const char *text = s->b->source;
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

/* A cell as the heading "# text": "\|" is a pipe by now, and '#'s at the end must not close it. */
static void add_cell(struct search *s, struct range cell)
{
	const char *text = s->b->source;
	append(s, "# ", 2);
	size_t closing = cell.end;
	while (closing > cell.begin && text[closing - 1] == '#')
		closing--;
	bool closes = closing < cell.end && (closing == cell.begin || is_blank(text[closing - 1]));
	for (size_t i = cell.begin; i < cell.end; i++) {
		if (text[i] == '\\' && i + 1 < cell.end && text[i + 1] == '|')
			continue;
		if (closes && i == closing)
			append(s, "\\", 1);
		append(s, text + i, 1);
	}
	append(s, "\n", 1);
	s->b->n_cells++;
}

static void add_row(struct search *s, struct pipe_table *t, struct range line)
{
	struct range row = open_row(s->b->source, line), cell;
	struct pipe_row made = { s->b->n_cells, 0 };
	while (made.n_cells < t->n_columns && next_cell(s->b->source, &row, &cell)) {
		add_cell(s, cell);
		made.n_cells++;
	}
	PAGE_PUSH(&s->b->scratch, t, rows, n_rows, cap_rows, made);
}

/* The lines of the paragraph before the table, as one. */
static void add_lead(struct search *s, cmark_node *node, int n_lines)
{
	append(s, "# ", 2);
	for (int i = 0; i < n_lines; i++) {
		struct range line = line_of(s, node, i);
		append(s, s->b->source + line.begin, line.end - line.begin);
		append(s, " ", 1);
	}
	append(s, "\n", 1);
	s->b->n_cells++;
}

/* Lines of a paragraph, or of a heading with its underline: cmark may count the blank line after
 * such a heading as its own. */
static int count_lines(const struct search *s, cmark_node *node, bool underlined)
{
	int n = cmark_node_get_end_line(node) - cmark_node_get_start_line(node) + 1;
	while (underlined && n > 1) {
		struct range last = line_of(s, node, n - 1);
		if (last.begin < last.end)
			break;
		n--;
	}
	return n;
}

static struct pipe_table *new_table(struct search *s, struct range delimiter)
{
	struct arena *a = &s->b->scratch;
	struct pipe_table *t = arena_alloc(a, sizeof *t);
	char *align = arena_alloc(a, delimiter_row(s->b->source, delimiter, NULL));
	if (!t || !align)
		return NULL;
	t->n_columns = delimiter_row(s->b->source, delimiter, align);
	t->align = align;
	return t;
}

static void try_table(struct search *s, cmark_node *node)
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
		struct range last = line_of(s, node, n_lines - 1);
		t->rule_after = s->b->source[last.begin] == '-';
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
static void parse_cells(struct search *s, cmark_node **cells_document)
{
	struct build *b = s->b;
	if (strstr(b->source, "]:")) {
		append(s, "\n", 1);
		append(s, b->source, b->source_bytes);
	}
	b->cells = arena_array(&b->scratch, b->n_cells, sizeof *b->cells);
	if (b->scratch.failed)
		return;
	*cells_document = markdown_parse(s->cells.bytes, s->cells.n);
	cmark_node *node = cmark_node_first_child(*cells_document);
	for (size_t i = 0; i < b->n_cells; i++, node = cmark_node_next(node))
		b->cells[i] = node;
}

void pipe_table_find(struct build *b, cmark_node *document, cmark_node **cells_document)
{
	struct search s = { .b = b };
	*cells_document = NULL;
	if (!index_lines(&s))
		return;
	cmark_iter *iter = cmark_iter_new(document);
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE && !b->scratch.failed) {
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
	if (b->n_cells && !b->scratch.failed)
		parse_cells(&s, cells_document);
}
