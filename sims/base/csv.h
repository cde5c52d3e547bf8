/* Tables as comma-separated text: columns known by name and in any order, numbers checked against a
 * range, quoted fields, blank cells, CRLF, a byte-order mark. Pure: bytes in, numbers and slices
 * out; nothing in the text is trusted.
 *
 * A file that cannot be a table (no head, a column missing, a quote that never closes, too long) is
 * refused in one line. A bad row is left out, counted, and named with its line, its column, what
 * was expected and what was found. Cells of columns that nobody asked for are not looked at. */
#ifndef RIDGE_CSV_H
#define RIDGE_CSV_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CSV_LARGEST = 256 << 20, CSV_MOST_ROWS = 4000000, CSV_MOST_COLUMNS = 256 };

enum csv_kind { CSV_TEXT, CSV_NUMBER };
struct csv_column {
	const char *name;
	enum csv_kind kind;
	double min, max; /* of a number, both ends allowed */
	bool whole;      /* a number without a fraction */
	bool blank;      /* a cell may be empty: NAN or "" */
	bool optional;   /* the column may be missing: then it reads as blank */
};

union csv_cell {
	double number;
	struct {
		uint32_t at, bytes; /* as written, between the quotes where there are any */
	} text;
};

/* Why rows were left out: equal reasons are counted together, and the first few are kept. */
enum { CSV_REASONS = 16, CSV_REASON = 160 };
struct csv_reason {
	char text[CSV_REASON]; /* printable ASCII */
	const char *file;
	size_t line, n; /* where it happened first; how often */
};
struct csv_faults {
	struct csv_reason reasons[CSV_REASONS];
	size_t n_reasons;
	size_t others; /* rows left out for reasons beyond those */
	size_t n;      /* rows in all */
};
void csv_fault(struct csv_faults *f, const char *file, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* --- Row by row --- */

struct csv_reader {
	/* Filled by the caller. */
	const char *name; /* of the file, for messages */
	const struct csv_column *columns;
	size_t n_columns, most_rows;
	struct csv_faults *faults;
	char *err; /* one line, where something is refused */
	size_t err_size;
	/* Kept by the reader. */
	const char *text, *at, *end;
	size_t line, row_line;         /* where it is; where the last row begins; from 1 */
	size_t n_read;                 /* rows, good and bad */
	int used_as[CSV_MOST_COLUMNS]; /* which of our columns the i-th one of the file is */
	size_t n_cells;
};

/* Reads the head of a text, which the caller keeps. 0; or -1, refused. */
int csv_begin(struct csv_reader *r, const char *text, size_t bytes);
/* At least as many rows as there are, at most most_rows: room for an array. */
size_t csv_count_rows(const struct csv_reader *r);
/* Reads the next good row, n_columns cells; bad rows before it go to faults. 1; 0 after the last
 * row; or -1, also where there are no rows or too many. */
int csv_next(struct csv_reader *r, union csv_cell row[]);
/* Writes "NAME: line LINE: ..." into err and returns -1. */
int csv_refuse(const struct csv_reader *r, size_t line, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* How many required columns the head lacks; SIZE_MAX where there is no head to read. */
size_t csv_missing(
	const char *text, size_t bytes, const struct csv_column columns[], size_t n_columns);

/* --- A whole table --- */

struct csv {
	const char *name, *text; /* the caller's */
	const struct csv_column *columns;
	size_t n_columns;
	size_t n_rows, n_read; /* good ones; all of them */
	union csv_cell *cells; /* n_columns of each good row */
	uint32_t *lines;       /* where each good row begins, from 1 */
};

/* Reads the whole text, which the caller keeps, with its cells in the arena. Bad rows go to faults.
 * 0; or -1 and one line in err. */
int csv_read(struct csv *c, struct arena *a, const char *name, const char *text, size_t bytes,
	const struct csv_column columns[], size_t n_columns, struct csv_faults *faults, char *err,
	size_t err_size);

/* Cells of a good row. A blank number is NAN, and so is one of a missing column. */
double csv_number(const struct csv *c, size_t row, size_t column);
/* As csv_plain. */
const char *csv_text(const struct csv *c, size_t row, size_t column, char *buf, size_t size);
bool csv_is(const struct csv *c, size_t row, size_t column, const char *text);
/* Orders two rows by a text column: some order that stays the same, with the sign as strcmp has it;
 * 0 where both have the same text. */
int csv_compare(const struct csv *c, size_t column, size_t row, size_t other);

/* --- Cells --- */

/* Foreign text made fit for a message: doubled quotes become single ones, what is not printable
 * ASCII becomes "?", and the rest is cut to size. Returns buf. */
const char *csv_plain(const char *s, size_t n, char *buf, size_t size);

#endif
