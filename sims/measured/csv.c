#include "sims/measured/csv.h"

#include "sims/base/nearest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { UNUSED = -1, LONGEST_NAME = 64 };

struct cell {
	const char *s;
	size_t n;
	bool bad; /* text behind a closing quote */
};

struct reader {
	struct csv *csv;
	const char *at, *end;
	size_t line;
	int used_as[CSV_MOST_COLUMNS]; /* column of ours that the file's i-th one is */
	size_t n_cells;
	struct csv_faults *faults;
	char *err;
	size_t err_size;
};

static int refuse(const struct reader *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct reader *r, const char *fmt, ...)
{
	char why[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	if (r->err_size)
		snprintf(r->err, r->err_size, "%.200s: line %zu: %s", r->csv->name, r->line, why);
	return -1;
}

static bool at_line_end(const struct reader *r)
{
	return r->at == r->end || *r->at == '\n' ||
	       (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n'));
}

static void next_line(struct reader *r)
{
	if (r->at < r->end && *r->at == '\r')
		r->at++;
	if (r->at < r->end && *r->at == '\n')
		r->at++;
	r->line++;
}

/* A quoted field may hold commas, line ends and doubled quotes. -1: it never ends. */
static int quoted_cell(struct reader *r, struct cell *cell)
{
	const char *s = ++r->at;

	for (; r->at < r->end; r->at++) {
		r->line += *r->at == '\n';
		if (*r->at != '"')
			continue;
		if (r->at + 1 == r->end || r->at[1] != '"')
			break;
		r->at++;
	}
	if (r->at == r->end)
		return -1;
	*cell = (struct cell){ s, (size_t)(r->at - s), false };
	for (r->at++; !at_line_end(r) && *r->at != ','; r->at++)
		cell->bad = true;
	return 0;
}

/* One cell; the position is then at the comma or the end of the line behind it. */
static int next_cell(struct reader *r, struct cell *cell)
{
	size_t line = r->line;

	if (r->at < r->end && *r->at == '"') {
		if (quoted_cell(r, cell) == 0)
			return 0;
		r->line = line;
		return refuse(r, "a quote opens here and never closes");
	}
	const char *s = r->at;
	while (r->at < r->end && *r->at != ',' && *r->at != '\n')
		r->at++;
	const char *e = r->at;
	if (e > s && e[-1] == '\r' && (e == r->end || *e == '\n'))
		r->at = --e;
	*cell = (struct cell){ s, (size_t)(e - s), false };
	return 0;
}

/* Blanks around a word or a number mean nothing. */
static struct cell trimmed(struct cell c)
{
	for (; c.n && (*c.s == ' ' || *c.s == '\t'); c.n--)
		c.s++;
	while (c.n && (c.s[c.n - 1] == ' ' || c.s[c.n - 1] == '\t'))
		c.n--;
	return c;
}

static bool comma(struct reader *r)
{
	if (at_line_end(r))
		return false;
	r->at++;
	return true;
}

static bool cell_is(struct cell c, const char *text)
{
	return strlen(text) == c.n && (c.n == 0 || memcmp(text, c.s, c.n) == 0);
}

/* What is missing may be there under a name that is nearly right. */
struct head {
	char names[CSV_MOST_COLUMNS][LONGEST_NAME];
	const char *unused[CSV_MOST_COLUMNS]; /* those that are no column of ours */
	size_t n_unused;
};

static int read_head(struct reader *r, struct head *head)
{
	struct cell cell = { 0 };

	head->n_unused = 0;
	do {
		if (r->n_cells == CSV_MOST_COLUMNS)
			return refuse(r, "expected %d columns at most", CSV_MOST_COLUMNS);
		if (next_cell(r, &cell))
			return -1;
		cell = trimmed(cell);
		int found = UNUSED;
		for (size_t i = 0; i < r->csv->n_columns; i++)
			if (cell_is(cell, r->csv->columns[i].name))
				found = (int)i;
		for (size_t i = 0; i < r->n_cells && found != UNUSED; i++)
			if (r->used_as[i] == found)
				return refuse(r, "expected the column %s once",
					r->csv->columns[found].name);
		csv_plain(cell.s, cell.n, head->names[r->n_cells], LONGEST_NAME);
		if (found == UNUSED)
			head->unused[head->n_unused++] = head->names[r->n_cells];
		r->used_as[r->n_cells++] = found;
	} while (comma(r));
	return 0;
}

static bool has_column(const struct reader *r, size_t column)
{
	for (size_t i = 0; i < r->n_cells; i++)
		if (r->used_as[i] == (int)column)
			return true;
	return false;
}

/* Names one column that is missing, the name that may have been meant, and how many more. */
static int check_head(const struct reader *r, const struct head *head)
{
	size_t missing = 0, first = 0;

	for (size_t i = r->csv->n_columns; i-- > 0;)
		if (!r->csv->columns[i].optional && !has_column(r, i)) {
			missing++;
			first = i;
		}
	if (!missing)
		return 0;
	const char *name = r->csv->columns[first].name;
	const char *near = nearest_name(name, head->unused, head->n_unused);
	char more[64] = "";
	if (missing > 1)
		snprintf(more, sizeof more, ", and %zu more columns are missing", missing - 1);
	return refuse(r, "expected a column %s%s%s%s%s", name, near ? ", found \"" : "",
		near ? near : "", near ? "\"" : "", more);
}

/* True: the row is bad, and said so. */
static bool bad(
	struct reader *r, size_t line, const char *column, const char *expected, struct cell found)
{
	char text[40];

	csv_fault(r->faults, r->csv->name, line, "%s: expected %s, found %s%s%s", column, expected,
		found.n ? "\"" : "a blank cell",
		found.n ? csv_plain(found.s, found.n, text, sizeof text) : "", found.n ? "\"" : "");
	return true;
}

static bool take_number(struct reader *r, size_t line, const struct csv_column *k, struct cell cell,
	union csv_cell *out)
{
	char range[80];

	out->number = NAN;
	if (cell.n == 0 && k->blank)
		return false;
	if (csv_parse_number(cell.s, cell.n, &out->number))
		return bad(r, line, k->name, "a number", cell);
	if (!(out->number >= k->min && out->number <= k->max)) {
		snprintf(range, sizeof range, "%g to %g", k->min, k->max);
		return bad(r, line, k->name, range, cell);
	}
	if (k->whole && out->number != floor(out->number))
		return bad(r, line, k->name, "a whole number", cell);
	return false;
}

static bool take_cell(struct reader *r, size_t line, const struct csv_column *k, struct cell cell,
	union csv_cell *out)
{
	if (cell.bad)
		return bad(r, line, k->name, "a comma after the closing quote", cell);
	cell = trimmed(cell);
	if (k->kind == CSV_NUMBER)
		return take_number(r, line, k, cell, out);
	if (cell.n == 0 && !k->blank)
		return bad(r, line, k->name, "a name", cell);
	out->text.at = (uint32_t)(cell.s - r->csv->text);
	out->text.bytes = (uint32_t)cell.n;
	return false;
}

/* 1: a good row; 0: a bad one, counted; -1: no table. */
static int read_row(struct reader *r, union csv_cell out[])
{
	struct cell cell = { 0 };
	size_t n = 0, line = r->line;
	bool wrong = false;

	do {
		if (next_cell(r, &cell))
			return -1;
		int i = n < r->n_cells ? r->used_as[n] : UNUSED;
		if (i != UNUSED && !wrong)
			wrong = take_cell(r, line, &r->csv->columns[i], cell, &out[i]);
		n++;
	} while (comma(r));
	if (n != r->n_cells && !wrong) {
		csv_fault(r->faults, r->csv->name, line, "expected %zu cells, found %zu",
			r->n_cells, n);
		wrong = true;
	}
	return !wrong;
}

static void clear_row(const struct csv *c, union csv_cell out[])
{
	for (size_t i = 0; i < c->n_columns; i++) {
		if (c->columns[i].kind == CSV_NUMBER)
			out[i].number = NAN;
		else
			memset(&out[i], 0, sizeof out[i]);
	}
}

static int read_rows(struct reader *r, size_t room)
{
	struct csv *c = r->csv;

	while (r->at < r->end) {
		if (at_line_end(r)) { /* a blank line */
			next_line(r);
			continue;
		}
		if (c->n_read == room)
			return refuse(r, "expected %d rows at most", CSV_MOST_ROWS);
		union csv_cell *out = &c->cells[c->n_rows * c->n_columns];
		c->lines[c->n_rows] = (uint32_t)r->line;
		clear_row(c, out);
		int good = read_row(r, out);
		if (good < 0)
			return -1;
		c->n_rows += (size_t)good;
		c->n_read++;
		next_line(r);
	}
	return c->n_read ? 0 : refuse(r, "expected rows below the head, found none");
}

/* No more rows than line ends; the last one may lack its own. */
static size_t most_rows(const struct reader *r)
{
	size_t n = 1;

	for (const char *s = r->at; (s = memchr(s, '\n', (size_t)(r->end - s))); s++)
		n++;
	return n < CSV_MOST_ROWS ? n : CSV_MOST_ROWS;
}

static void begin(struct reader *r, struct csv *c)
{
	r->csv = c;
	r->at = c->text;
	r->end = c->text + c->bytes;
	r->line = 1;
	if (c->bytes >= 3 && memcmp(c->text, "\xef\xbb\xbf", 3) == 0)
		r->at += 3;
}

int csv_read(struct csv *c, struct arena *a, const char *name, const char *text, size_t bytes,
	const struct csv_column columns[], size_t n_columns, struct csv_faults *faults, char *err,
	size_t err_size)
{
	struct reader r = { .faults = faults, .err = err, .err_size = err_size };
	struct head head;

	*c = (struct csv){ .name = name,
		.text = text,
		.bytes = bytes,
		.columns = columns,
		.n_columns = n_columns };
	begin(&r, c);
	if (bytes > CSV_LARGEST)
		return refuse(&r, "expected %d MiB at most", CSV_LARGEST >> 20);
	if (at_line_end(&r))
		return refuse(&r, "expected the names of columns, found nothing");
	if (read_head(&r, &head) || check_head(&r, &head))
		return -1;
	next_line(&r);
	size_t room = most_rows(&r);
	c->cells = arena_array(a, room * n_columns, sizeof *c->cells);
	c->lines = arena_array(a, room, sizeof *c->lines);
	if (!c->cells || !c->lines)
		return refuse(&r, "out of memory");
	return read_rows(&r, room);
}

size_t csv_missing(
	const char *text, size_t bytes, const struct csv_column columns[], size_t n_columns)
{
	struct csv c = {
		.name = "", .text = text, .bytes = bytes, .columns = columns, .n_columns = n_columns
	};
	struct reader r = { 0 };
	struct head head;
	size_t missing = 0;

	begin(&r, &c);
	if (bytes > CSV_LARGEST || read_head(&r, &head))
		return SIZE_MAX;
	for (size_t i = 0; i < n_columns; i++)
		missing += !columns[i].optional && !has_column(&r, i);
	return missing;
}

double csv_number(const struct csv *c, size_t row, size_t column)
{
	return c->cells[row * c->n_columns + column].number;
}

const char *csv_text(const struct csv *c, size_t row, size_t column, char *buf, size_t size)
{
	const union csv_cell *cell = &c->cells[row * c->n_columns + column];

	return csv_plain(c->text + cell->text.at, cell->text.bytes, buf, size);
}

bool csv_is(const struct csv *c, size_t row, size_t column, const char *text)
{
	const union csv_cell *cell = &c->cells[row * c->n_columns + column];

	return cell->text.bytes == strlen(text) &&
	       memcmp(c->text + cell->text.at, text, cell->text.bytes) == 0;
}

int csv_compare(const struct csv *c, size_t column, size_t row, size_t other)
{
	const union csv_cell *p = &c->cells[row * c->n_columns + column];
	const union csv_cell *q = &c->cells[other * c->n_columns + column];

	if (p->text.bytes != q->text.bytes)
		return p->text.bytes < q->text.bytes ? -1 : 1;
	return memcmp(c->text + p->text.at, c->text + q->text.at, p->text.bytes);
}
