/* Comma-separated tables: what is read, what is left out and why, and what is not a table. */
#include "sims/base/csv.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

enum { NAME, SIZE, TIME, NOTE, N_COLUMNS };
static const struct csv_column columns[N_COLUMNS] = {
	[NAME] = { .name = "name" },
	[SIZE] = { .name = "size", .kind = CSV_NUMBER, .min = 1, .max = 1e6, .whole = true },
	[TIME] = { .name = "time_us", .kind = CSV_NUMBER, .min = 1e-3, .max = 1e9 },
	[NOTE] = { .name = "note", .blank = true, .optional = true },
};

static int read_text(struct csv *c, struct arena *a, const char *text, struct csv_faults *faults,
	char err[static 200])
{
	*faults = (struct csv_faults){ 0 };
	*err = '\0';
	return csv_read(c, a, "f.csv", text, strlen(text), columns, N_COLUMNS, faults, err, 200);
}

/* A text cell for a person. */
struct shown {
	char text[64];
};

static struct shown cell(const struct csv *c, size_t row, size_t column)
{
	struct shown s;
	csv_text(c, row, column, s.text, sizeof s.text);
	return s;
}

Test(validate_csv, columns_in_any_order_and_others_ignored)
{
	struct arena a = { 0 };
	struct csv c;
	struct csv_faults f;
	char err[200];
	cr_assert(zero(int, read_text(&c, &a,
				    "\xef\xbb\xbftime_us,extra,name,size\r\n"
				    "1.5,\"a, b\",\"He said \"\"hi\"\"\",8\r\n"
				    "\r\n"
				    " 2e-1 ,,x,+16\r\n",
				    &f, err)),
		"%s", err);
	cr_assert(eq(sz, c.n_rows, 2));
	cr_expect(eq(sz, c.n_read, 2));
	cr_expect(zero(sz, f.n));
	cr_expect(eq(dbl, csv_number(&c, 0, TIME), 1.5));
	cr_expect(eq(dbl, csv_number(&c, 0, SIZE), 8));
	cr_expect(eq(str, cell(&c, 0, NAME).text, "He said \"hi\""));
	cr_expect(eq(str, cell(&c, 0, NOTE).text, ""));
	cr_expect(eq(dbl, csv_number(&c, 1, TIME), 0.2));
	cr_expect(eq(dbl, csv_number(&c, 1, SIZE), 16));
	cr_expect(eq(u32, c.lines[1], 4));
	cr_expect(csv_is(&c, 1, NAME, "x"));
	cr_expect(not(csv_is(&c, 1, NAME, "xy")));
	arena_release(&a);
}

/* A quoted cell may hold line ends; the next row's line number counts them. */
Test(validate_csv, line_end_in_quotes)
{
	struct arena a = { 0 };
	struct csv c;
	struct csv_faults f;
	char err[200];
	cr_assert(zero(int, read_text(&c, &a, "name,size,time_us\n\"a\nb\",1,1\nc,2,2", &f, err)));
	cr_assert(eq(sz, c.n_rows, 2));
	cr_expect(eq(str, cell(&c, 0, NAME).text, "a?b"));
	cr_expect(eq(u32, c.lines[0], 2));
	cr_expect(eq(u32, c.lines[1], 4));
	arena_release(&a);
}

/* Each is left out, named by its line, and the row behind it is read. */
Test(validate_csv, bad_rows_are_counted_and_named)
{
	static const struct {
		const char *row, *reason;
	} rows[] = {
		{ "a,1,-5", "time_us: expected 0.001 to 1e+09, found \"-5\"" },
		{ "a,1,0", "time_us: expected 0.001 to 1e+09, found \"0\"" },
		{ "a,1,nan", "time_us: expected a number, found \"nan\"" },
		{ "a,1,inf", "time_us: expected a number, found \"inf\"" },
		{ "a,1,0x10", "time_us: expected a number, found \"0x10\"" },
		{ "a,1,1e999", "time_us: expected 0.001 to 1e+09, found \"1e999\"" },
		{ "a,1,0e999", "time_us: expected 0.001 to 1e+09, found \"0e999\"" },
		{ "a,1,1e99999", "time_us: expected a number, found \"1e99999\"" },
		{ "a,1,1 2", "time_us: expected a number, found \"1 2\"" },
		{ "a,1,1;2", "time_us: expected a number, found \"1;2\"" },
		{ "a,1,", "time_us: expected a number, found a blank cell" },
		{ "a,1.5,1", "size: expected a whole number, found \"1.5\"" },
		{ ",1,1", "name: expected a name, found a blank cell" },
		{ "a,1", "expected 3 cells, found 2" },
		{ "a,1,1,1", "expected 3 cells, found 4" },
		{ "\"a\"b,1,1", "name: expected a comma after the closing quote, found \"b\"" },
		{ "\x1b[31m,x,1", "size: expected a number, found \"x\"" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct csv c;
		struct csv_faults f;
		char err[200], text[200];
		snprintf(text, sizeof text, "name,size,time_us\n%s\nb,2,3\n", rows[i].row);
		cr_assert(zero(int, read_text(&c, &a, text, &f, err)), "row %zu: %s", i, err);
		cr_assert(eq(sz, c.n_read, 2));
		cr_assert(eq(sz, c.n_rows, 1), "row %zu", i);
		cr_expect(eq(dbl, csv_number(&c, 0, TIME), 3));
		cr_assert(eq(sz, f.n, 1));
		cr_expect(eq(str, f.reasons[0].text, (char *)rows[i].reason));
		cr_expect(eq(sz, f.reasons[0].line, 2));
		arena_release(&a);
	}
}

Test(validate_csv, equal_reasons_count_together_and_many_are_bounded)
{
	struct arena a = { 0 };
	struct csv c;
	struct csv_faults f;
	char err[200], text[2000] = "name,size,time_us\n";
	for (int i = 0; i < 40; i++)
		snprintf(text + strlen(text), 40, i % 2 ? "a,1,\n" : "a,1,-%d\n", i + 1);
	cr_assert(zero(int, read_text(&c, &a, text, &f, err)));
	/* 20 blanks and 20 different negatives give 16 reasons; one of them is the blank. */
	cr_expect(eq(sz, f.n, 40));
	cr_expect(eq(sz, f.n_reasons, 16));
	cr_expect(eq(sz, f.reasons[1].n, 20));
	cr_expect(eq(sz, f.reasons[1].line, 3));
	cr_expect(eq(sz, f.others, 5));
	arena_release(&a);
}

/* One line each. */
Test(validate_csv, no_tables)
{
	static const struct {
		const char *text, *err;
	} rows[] = {
		{ "", "f.csv: line 1: expected the names of columns, found nothing" },
		{ "\n1,2,3\n", "f.csv: line 1: expected the names of columns, found nothing" },
		{ "name,size,time_us\n",
			"f.csv: line 2: expected rows below the head, found none" },
		{ "name,size,time_ms\na,1,1\n",
			"f.csv: line 1: expected a column time_us, found \"time_ms\"" },
		{ "name,size\na,1\n", "f.csv: line 1: expected a column time_us" },
		{ "x,y\n1,2\n",
			"f.csv: line 1: expected a column name, and 2 more columns are missing" },
		{ "name,size,size,time_us\na,1,1,1\n",
			"f.csv: line 1: expected the column size once" },
		{ "name,size,time_us\na,1,1\n\"b,2,2\nc,3,3\n",
			"f.csv: line 3: a quote opens here and never closes" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena a = { 0 };
		struct csv c;
		struct csv_faults f;
		char err[200];
		cr_expect(eq(int, read_text(&c, &a, rows[i].text, &f, err), -1), "row %zu", i);
		cr_expect(eq(str, err, (char *)rows[i].err));
		arena_release(&a);
	}
	char many[2 * CSV_MOST_COLUMNS + 2];
	for (size_t i = 0; i < sizeof many - 1; i++)
		many[i] = i % 2 ? ',' : 'a';
	many[sizeof many - 1] = '\0';
	struct arena a = { 0 };
	struct csv c;
	struct csv_faults f;
	char err[200];
	cr_expect(eq(int, read_text(&c, &a, many, &f, err), -1));
	cr_expect(eq(str, err, "f.csv: line 1: expected 256 columns at most"));
	arena_release(&a);
}

Test(validate_csv, missing_columns_are_counted)
{
	static const struct {
		const char *text;
		size_t missing;
	} rows[] = { { "name,size,time_us\n", 0 }, { "size\n", 2 }, { "note,x\n", 3 },
		{ "\"", SIZE_MAX } };
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(
			eq(sz, csv_missing(rows[i].text, strlen(rows[i].text), columns, N_COLUMNS),
				rows[i].missing),
			"row %zu", i);
}

Test(validate_csv, a_million_rows)
{
	enum { ROWS = 1000000 };
	char *text = malloc(ROWS * 16 + 64), *at = text;
	struct arena a = { 0 };
	struct csv c;
	struct csv_faults f = { 0 };
	char err[200];
	cr_assert(ne(ptr, text, NULL));
	at += snprintf(at, 64, "name,size,time_us\n");
	for (int i = 0; i < ROWS; i++) {
		memcpy(at, i % 10 ? "ab,12,3.5\n" : "ab,12,-3.\n", 10);
		at += 10;
	}
	cr_assert(zero(int, csv_read(&c, &a, "f", text, (size_t)(at - text), columns, N_COLUMNS, &f,
				    err, sizeof err)));
	cr_expect(eq(sz, c.n_read, ROWS));
	cr_expect(eq(sz, c.n_rows, ROWS - ROWS / 10));
	cr_expect(eq(sz, f.n, ROWS / 10));
	cr_expect(eq(dbl, csv_number(&c, c.n_rows - 1, TIME), 3.5));
	arena_release(&a);
	free(text);
}
