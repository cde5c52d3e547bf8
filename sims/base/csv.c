#include "sims/base/csv.h"

#include "sims/base/match.h"
#include "sims/base/utf8.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- cells and messages ---------------------------------------------------------------------- */

static void count_reason(struct csv_faults *f, const char *file, size_t line, const char *text)
{
	f->n++;
	for (size_t i = 0; i < f->n_reasons; i++)
		if (strcmp(f->reasons[i].text, text) == 0) {
			f->reasons[i].n++;
			return;
		}
	if (f->n_reasons == CSV_REASONS) {
		f->others++;
		return;
	}
	struct csv_reason *r = &f->reasons[f->n_reasons++];
	*r = (struct csv_reason){ .file = file, .line = line, .n = 1 };
	snprintf(r->text, sizeof r->text, "%s", text);
}

void csv_fault(struct csv_faults *f, const char *file, size_t line, const char *fmt, ...)
{
	assert(f && fmt);
	char text[CSV_REASON];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	count_reason(f, file, line, text);
}

const char *csv_plain(const char *s, size_t n, char *buf, size_t size)
{
	assert(buf || !size);
	size_t out = 0;

	for (size_t i = 0; i < n && out + 1 < size; i++) {
		buf[out++] = (char)(s[i] >= 0x20 && s[i] < 0x7f ? s[i] : '?');
		i += s[i] == '"' && i + 1 < n && s[i + 1] == '"';
	}
	if (size)
		buf[out] = '\0';
	return buf;
}

static const char *digits(const char *s, const char *end, double *value, int *n)
{
	for (; s < end && *s >= '0' && *s <= '9'; s++, (*n)++)
		*value = *value * 10 + (*s - '0');
	return s;
}

/* Up to the 22nd the powers of ten are exact doubles. */
static double power_of_ten(double exponent)
{
	static const double exact[] = { 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
		1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

	return exponent <= 22 ? exact[(size_t)exponent] : pow(10, exponent);
}

/* [+-]digits[.digits][e[+-]digits]. Read by hand, because strtod follows the locale, accepts
 * hexadecimals and words such as "nan", and is slow. Exact to the last bit up to 15 digits. 0, or
 * -1. */
static int parse_number(const char *s, size_t n, double *value)
{
	const char *end = s + n;
	double mantissa = 0, power = 0;
	int before = 0, after = 0, n_power = 0, sign = 1;
	bool minus = s < end && *s == '-';

	s += s < end && (*s == '-' || *s == '+');
	s = digits(s, end, &mantissa, &before);
	if (s < end && *s == '.')
		s = digits(s + 1, end, &mantissa, &after);
	if (before + after == 0 || before + after > 300)
		return -1;
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '-' || *s == '+'))
			sign = *s++ == '-' ? -1 : 1;
		s = digits(s, end, &power, &n_power);
		if (n_power == 0 || n_power > 4)
			return -1;
	}
	if (s != end)
		return -1;
	double exponent = sign * power - after;
	mantissa = exponent < 0 ? mantissa / power_of_ten(-exponent)
				: mantissa * power_of_ten(exponent);
	*value = minus ? -mantissa : mantissa;
	return 0;
}

/* --- row by row ------------------------------------------------------------------------------ */

enum { UNUSED = -1, LONGEST_NAME = 64 };

struct csv_span {
	const char *s;
	size_t n;
};

int csv_refuse(const struct csv_reader *r, size_t line, const char *fmt, ...)
{
	char why[240];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	if (r->err_size)
		snprintf(r->err, r->err_size, "%.200s: line %zu: %s", r->name, line, why);
	return -1;
}

static bool at_line_end(const struct csv_reader *r)
{
	return r->at == r->end || *r->at == '\n' ||
	       (*r->at == '\r' && (r->at + 1 == r->end || r->at[1] == '\n'));
}

static void next_line(struct csv_reader *r)
{
	if (r->at < r->end && *r->at == '\r')
		r->at++;
	if (r->at < r->end && *r->at == '\n')
		r->at++;
	r->line++;
}

/* Reads a quoted field, which may hold commas, line ends and doubled quotes. 0; 1 where something
 * stands behind the closing quote, which *cell then holds; -1 where the quote never closes. */
static int quoted_cell(struct csv_reader *r, struct csv_span *cell)
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
	*cell = (struct csv_span){ s, (size_t)(r->at - s) };
	s = ++r->at;
	while (!at_line_end(r) && *r->at != ',')
		r->at++;
	if (r->at == s)
		return 0;
	*cell = (struct csv_span){ s, (size_t)(r->at - s) };
	return 1;
}

/* Reads one cell and stops at the comma or the line end behind it. Returns what quoted_cell does;
 * -1 is refused. */
static int next_cell(struct csv_reader *r, struct csv_span *cell)
{
	size_t line = r->line;

	if (r->at < r->end && *r->at == '"') {
		int rc = quoted_cell(r, cell);
		return rc >= 0 ? rc : csv_refuse(r, line, "a quote opens here and never closes");
	}
	const char *s = r->at;
	while (r->at < r->end && *r->at != ',' && *r->at != '\n')
		r->at++;
	const char *e = r->at;
	if (e > s && e[-1] == '\r' && (e == r->end || *e == '\n'))
		r->at = --e;
	*cell = (struct csv_span){ s, (size_t)(e - s) };
	return 0;
}

/* Blanks around a word or a number mean nothing. */
static struct csv_span trimmed(struct csv_span c)
{
	for (; c.n && (*c.s == ' ' || *c.s == '\t'); c.n--)
		c.s++;
	while (c.n && (c.s[c.n - 1] == ' ' || c.s[c.n - 1] == '\t'))
		c.n--;
	return c;
}

static bool comma(struct csv_reader *r)
{
	if (at_line_end(r))
		return false;
	r->at++;
	return true;
}

static bool cell_is(struct csv_span c, const char *text)
{
	return strlen(text) == c.n && (c.n == 0 || memcmp(text, c.s, c.n) == 0);
}

/* The names in the head, because a column that is missing may be there under a name that is nearly
 * right. */
struct head {
	char names[CSV_MOST_COLUMNS][LONGEST_NAME];
	const char *unused[CSV_MOST_COLUMNS]; /* those that nobody asked for */
	size_t n_unused;
};

static int read_head(struct csv_reader *r, struct head *head)
{
	struct csv_span cell = { 0 };

	head->n_unused = 0;
	do {
		if (r->n_cells == CSV_MOST_COLUMNS)
			return csv_refuse(
				r, r->line, "expected %d columns at most", CSV_MOST_COLUMNS);
		int behind = next_cell(r, &cell);
		if (behind)
			return behind < 0 ? -1
					  : csv_refuse(r, r->line,
						    "expected a comma after the closing quote");
		cell = trimmed(cell);
		int found = UNUSED;
		for (size_t i = 0; i < r->n_columns; i++)
			if (cell_is(cell, r->columns[i].name))
				found = (int)i;
		for (size_t i = 0; i < r->n_cells && found != UNUSED; i++)
			if (r->used_as[i] == found)
				return csv_refuse(r, r->line, "expected the column %s once",
					r->columns[found].name);
		csv_plain(cell.s, cell.n, head->names[r->n_cells], LONGEST_NAME);
		if (found == UNUSED)
			head->unused[head->n_unused++] = head->names[r->n_cells];
		r->used_as[r->n_cells++] = found;
	} while (comma(r));
	return 0;
}

static bool has_column(const struct csv_reader *r, size_t column)
{
	for (size_t i = 0; i < r->n_cells; i++)
		if (r->used_as[i] == (int)column)
			return true;
	return false;
}

/* Refuses a head without a required column: names the first one, the name that may have been meant,
 * and how many more are missing. */
static int check_head(const struct csv_reader *r, const struct head *head)
{
	size_t missing = 0, first = 0;

	for (size_t i = r->n_columns; i-- > 0;)
		if (!r->columns[i].optional && !has_column(r, i)) {
			missing++;
			first = i;
		}
	if (!missing)
		return 0;
	const char *name = r->columns[first].name;
	const char *near = nearest_name(name, head->unused, head->n_unused);
	char more[64] = "";
	if (missing > 1)
		snprintf(more, sizeof more, ", and %zu more columns are missing", missing - 1);
	return csv_refuse(r, r->line, "expected a column %s%s%s%s%s", name,
		near ? ", found \"" : "", near ? near : "", near ? "\"" : "", more);
}

/* Reports a cell that makes its row bad. Always true. */
static bool bad(struct csv_reader *r, size_t line, const char *column, const char *expected,
	struct csv_span found)
{
	char text[40];

	csv_fault(r->faults, r->name, line, "%s: expected %s, found %s%s%s", column, expected,
		found.n ? "\"" : "a blank cell",
		found.n ? csv_plain(found.s, found.n, text, sizeof text) : "", found.n ? "\"" : "");
	return true;
}

static bool take_number(struct csv_reader *r, size_t line, const struct csv_column *k,
	struct csv_span cell, union csv_cell *out)
{
	char range[80];

	out->number = NAN;
	if (cell.n == 0 && k->blank)
		return false;
	if (parse_number(cell.s, cell.n, &out->number))
		return bad(r, line, k->name, "a number", cell);
	if (!(out->number >= k->min && out->number <= k->max)) {
		snprintf(range, sizeof range, "%g to %g", k->min, k->max);
		return bad(r, line, k->name, range, cell);
	}
	if (k->whole && out->number != floor(out->number))
		return bad(r, line, k->name, "a whole number", cell);
	return false;
}

static bool take_cell(struct csv_reader *r, size_t line, const struct csv_column *k,
	struct csv_span cell, union csv_cell *out)
{
	cell = trimmed(cell);
	if (k->kind == CSV_NUMBER)
		return take_number(r, line, k, cell, out);
	if (cell.n == 0 && !k->blank)
		return bad(r, line, k->name, "a name", cell);
	out->text.at = (uint32_t)(cell.s - r->text);
	out->text.bytes = (uint32_t)cell.n;
	return false;
}

/* 1: a good row; 0: a bad one, which was counted; -1: the text is not a table. */
static int read_row(struct csv_reader *r, union csv_cell out[])
{
	struct csv_span cell = { 0 };
	size_t n = 0, line = r->row_line;
	bool wrong = false;

	do {
		int behind = next_cell(r, &cell);
		if (behind < 0)
			return -1;
		int i = n < r->n_cells ? r->used_as[n] : UNUSED;
		if (i != UNUSED && !wrong)
			wrong = behind ? bad(r, line, r->columns[i].name,
						 "a comma after the closing quote", cell)
				       : take_cell(r, line, &r->columns[i], cell, &out[i]);
		n++;
	} while (comma(r));
	if (n != r->n_cells && !wrong) {
		csv_fault(r->faults, r->name, line, "expected %zu cells, found %zu", r->n_cells, n);
		wrong = true;
	}
	return !wrong;
}

static void clear_row(const struct csv_reader *r, union csv_cell out[])
{
	for (size_t i = 0; i < r->n_columns; i++) {
		if (r->columns[i].kind == CSV_NUMBER)
			out[i].number = NAN;
		else
			memset(&out[i], 0, sizeof out[i]);
	}
}

int csv_next(struct csv_reader *r, union csv_cell row[])
{
	assert(r && row && r->faults);
	int good = 0;

	while (!good) {
		/* The end of the last row, and blank lines. */
		while (r->at < r->end && at_line_end(r))
			next_line(r);
		if (r->at == r->end)
			return r->n_read ? 0
					 : csv_refuse(r, r->line,
						   "expected rows below the head, found none");
		if (r->n_read++ == r->most_rows)
			return csv_refuse(r, r->line, "expected %zu rows at most", r->most_rows);
		r->row_line = r->line;
		clear_row(r, row);
		good = read_row(r, row);
	}
	return good;
}

/* There are no more rows than line ends, and one more where the last row lacks its own. */
size_t csv_count_rows(const struct csv_reader *r)
{
	size_t n = 1;

	for (const char *s = r->at; (s = memchr(s, '\n', (size_t)(r->end - s))); s++)
		n++;
	return n < r->most_rows ? n : r->most_rows;
}

static void go_to_head(struct csv_reader *r, const char *text, size_t bytes)
{
	r->text = r->at = text;
	r->end = text + bytes;
	r->line = 1;
	r->n_cells = r->n_read = 0;
	r->at += utf8_mark_bytes(text, bytes);
}

int csv_begin(struct csv_reader *r, const char *text, size_t bytes)
{
	assert(r && text && r->name && r->columns && r->n_columns <= CSV_MOST_COLUMNS);
	struct head head;

	go_to_head(r, text, bytes);
	if (bytes > CSV_LARGEST)
		return csv_refuse(r, 1, "expected %d MiB at most", CSV_LARGEST >> 20);
	if (at_line_end(r))
		return csv_refuse(r, 1, "expected the names of columns, found nothing");
	return read_head(r, &head) || check_head(r, &head) ? -1 : 0;
}

size_t csv_missing(
	const char *text, size_t bytes, const struct csv_column columns[], size_t n_columns)
{
	struct csv_reader r = { .name = "", .columns = columns, .n_columns = n_columns };
	struct head head;
	size_t missing = 0;

	go_to_head(&r, text, bytes);
	if (bytes > CSV_LARGEST || read_head(&r, &head))
		return SIZE_MAX;
	for (size_t i = 0; i < n_columns; i++)
		missing += !columns[i].optional && !has_column(&r, i);
	return missing;
}

/* --- whole tables ---------------------------------------------------------------------------- */

int csv_read(struct csv *c, struct arena *a, const char *name, const char *text, size_t bytes,
	const struct csv_column columns[], size_t n_columns, struct csv_faults *faults, char *err,
	size_t err_size)
{
	assert(c && a && name && text && columns && n_columns > 0);
	struct csv_reader r = { .name = name,
		.columns = columns,
		.n_columns = n_columns,
		.most_rows = CSV_MOST_ROWS,
		.faults = faults,
		.err = err,
		.err_size = err_size };
	int more;

	*c = (struct csv){ .name = name, .text = text, .columns = columns, .n_columns = n_columns };
	if (csv_begin(&r, text, bytes))
		return -1;
	size_t room = csv_count_rows(&r);
	c->cells = arena_array(a, room * n_columns, sizeof *c->cells);
	c->lines = arena_array(a, room, sizeof *c->lines);
	if (!c->cells || !c->lines)
		return csv_refuse(&r, r.line, "out of memory");
	while ((more = csv_next(&r, &c->cells[c->n_rows * n_columns])) > 0)
		c->lines[c->n_rows++] = (uint32_t)r.row_line;
	c->n_read = r.n_read;
	return more;
}

/* A cell of a good row, in a column of that kind. */
static const union csv_cell *cell_at(
	const struct csv *c, size_t row, size_t column, enum csv_kind kind)
{
	assert(row < c->n_rows && column < c->n_columns && c->columns[column].kind == kind);
	return &c->cells[row * c->n_columns + column];
}

double csv_number(const struct csv *c, size_t row, size_t column)
{
	return cell_at(c, row, column, CSV_NUMBER)->number;
}

const char *csv_text(const struct csv *c, size_t row, size_t column, char *buf, size_t size)
{
	const union csv_cell *cell = cell_at(c, row, column, CSV_TEXT);

	return csv_plain(c->text + cell->text.at, cell->text.bytes, buf, size);
}

bool csv_is(const struct csv *c, size_t row, size_t column, const char *text)
{
	const union csv_cell *cell = cell_at(c, row, column, CSV_TEXT);

	return cell->text.bytes == strlen(text) &&
	       memcmp(c->text + cell->text.at, text, cell->text.bytes) == 0;
}

int csv_compare(const struct csv *c, size_t column, size_t row, size_t other)
{
	const union csv_cell *p = cell_at(c, row, column, CSV_TEXT);
	const union csv_cell *q = cell_at(c, other, column, CSV_TEXT);

	if (p->text.bytes != q->text.bytes)
		return p->text.bytes < q->text.bytes ? -1 : 1;
	return memcmp(c->text + p->text.at, c->text + q->text.at, p->text.bytes);
}
