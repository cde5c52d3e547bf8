#include "sims/tables/tables.h"

#include "sims/base/nearest.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_FILE = 64 << 20, MOST_COLUMNS = 64, MOST_REQUESTS = 1000000 };
enum { ARRIVAL, PROMPT, OUTPUT, N_NEEDED, BLOCKS = N_NEEDED, SEEN, N_WANTED };

static const struct {
	const char *name;
	double min, max;
} columns[N_WANTED] = {
	[ARRIVAL] = { "arrival_s", 0, 1e9 },
	[PROMPT] = { "prompt_tokens", 1, 1e9 },
	[OUTPUT] = { "output_tokens", 0, 1e9 },
	[BLOCKS] = { "blocks_512", 1, 100000 },
	[SEEN] = { "leading_blocks_seen_before", 0, 100000 },
};

/* A cell as it stands in the text; quotes around it are taken off, doubled ones inside stay, for
 * no number and no column of ours has any. */
struct cell {
	const char *s;
	size_t n;
};

struct csv {
	const char *at, *end, *file;
	size_t line;
	int wanted_at[MOST_COLUMNS]; /* which of the wanted a column is, or -1 */
	size_t n_columns;
	bool prefixes; /* both columns about blocks are there */
	char *err;
	size_t err_size;
};

static int refuse(const struct csv *c, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static int refuse(const struct csv *c, const char *fmt, ...)
{
	char why[200];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof why, fmt, ap);
	va_end(ap);
	snprintf(c->err, c->err_size, "%s: line %zu: %s", c->file, c->line, why);
	return -1;
}

/* Foreign text in a message: a few harmless letters. */
struct excerpt {
	char text[32];
};

static struct excerpt excerpt(struct cell cell)
{
	struct excerpt e = { "" };

	for (size_t i = 0; i < cell.n && i < sizeof e.text - 1; i++)
		e.text[i] = (char)(cell.s[i] >= 0x20 && cell.s[i] < 0x7f ? cell.s[i] : '?');
	return e;
}

static int at_line_end(const struct csv *c)
{
	return c->at == c->end || *c->at == '\n' ||
	       (*c->at == '\r' && c->at + 1 < c->end && c->at[1] == '\n');
}

static void next_line(struct csv *c)
{
	if (c->at < c->end && *c->at == '\r')
		c->at++;
	if (c->at < c->end)
		c->at++;
	c->line++;
}

static int quoted_cell(struct csv *c, struct cell *cell)
{
	const char *s = ++c->at;

	for (;; c->at++) {
		if (c->at == c->end || *c->at == '\n')
			return refuse(c, "expected a closing quote");
		if (*c->at != '"')
			continue;
		if (c->at + 1 == c->end || c->at[1] != '"')
			break;
		c->at++;
	}
	*cell = (struct cell){ s, (size_t)(c->at - s) };
	c->at++;
	if (!at_line_end(c) && *c->at != ',')
		return refuse(c, "expected a comma after the closing quote");
	return 0;
}

/* One cell; the position is then at the comma or the end of the line behind it. */
static int next_cell(struct csv *c, struct cell *cell)
{
	if (c->at < c->end && *c->at == '"')
		return quoted_cell(c, cell);
	const char *s = c->at;
	while (!at_line_end(c) && *c->at != ',')
		c->at++;
	*cell = (struct cell){ s, (size_t)(c->at - s) };
	return 0;
}

/* 1: another cell follows on this line. */
static int comma(struct csv *c)
{
	if (at_line_end(c))
		return 0;
	c->at++;
	return 1;
}

static const char *digits(const char *s, const char *end, double *value, int *n)
{
	for (; s < end && *s >= '0' && *s <= '9'; s++, (*n)++)
		*value = *value * 10 + (*s - '0');
	return s;
}

/* [-]digits[.digits][e[+-]digits]: by hand because strtod knows the locale and takes most of the
 * time of loading. Up to 15 digits it is exact to the last bit, as the whole number and the power
 * of ten are. */
static int number(struct cell cell, double *value)
{
	const char *s = cell.s, *end = s + cell.n;
	double mantissa = 0, power = 0;
	int before = 0, after = 0, n_power = 0, sign = 1;
	bool negative = s < end && *s == '-';

	s = digits(s + negative, end, &mantissa, &before);
	if (s < end && *s == '.')
		s = digits(s + 1, end, &mantissa, &after);
	if (before + after == 0 || before + after > 300)
		return -1;
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '-' || *s == '+'))
			sign = *s++ == '-' ? -1 : 1;
		s = digits(s, end, &power, &n_power);
		if (n_power == 0 || n_power > 3)
			return -1;
	}
	if (s != end)
		return -1;
	double exponent = sign * power - after;
	*value = exponent < 0   ? mantissa / pow(10, -exponent)
		 : exponent > 0 ? mantissa * pow(10, exponent)
				: mantissa;
	if (negative)
		*value = -*value;
	return 0;
}

static int column_of(struct cell cell)
{
	for (int i = 0; i < N_WANTED; i++)
		if (cell.n > 0 && strlen(columns[i].name) == cell.n &&
			memcmp(columns[i].name, cell.s, cell.n) == 0)
			return i;
	return -1;
}

static int refuse_head(
	const struct csv *c, const char *missing, const struct excerpt found[], size_t n)
{
	const char *names[MOST_COLUMNS];
	size_t n_names = 0;

	for (size_t i = 0; i < n; i++)
		if (c->wanted_at[i] < 0)
			names[n_names++] = found[i].text;
	const char *near = nearest_name(missing, names, n_names);
	return refuse(c, "expected a column %s%s%s%s", missing, near ? "; is it \"" : "",
		near ? near : "", near ? "\"?" : "");
}

static int read_head(struct csv *c)
{
	int seen[N_WANTED] = { 0 };
	struct cell cell = { 0 };
	struct excerpt found[MOST_COLUMNS];

	do {
		if (c->n_columns == MOST_COLUMNS)
			return refuse(c, "expected %d columns at most", MOST_COLUMNS);
		if (next_cell(c, &cell))
			return -1;
		int i = column_of(cell);
		if (i >= 0 && seen[i]++)
			return refuse(c, "expected the column %s once", columns[i].name);
		found[c->n_columns] = excerpt(cell);
		c->wanted_at[c->n_columns++] = i;
	} while (comma(c));
	c->prefixes = seen[BLOCKS] && seen[SEEN];
	for (int i = 0; i < N_WANTED; i++)
		if (!seen[i] && (i < N_NEEDED || seen[BLOCKS] != seen[SEEN]))
			return refuse_head(c, columns[i].name, found, c->n_columns);
	next_line(c);
	return 0;
}

static int read_value(const struct csv *c, struct cell cell, int i, double *value)
{
	if (cell.n == 0)
		return refuse(c, "%s: expected a number, found a blank cell", columns[i].name);
	if (number(cell, value))
		return refuse(c, "%s: expected a number, found \"%s\"", columns[i].name,
			excerpt(cell).text);
	if (!(*value >= columns[i].min && *value <= columns[i].max))
		return refuse(c, "%s: expected %g to %g, found %s", columns[i].name, columns[i].min,
			columns[i].max, excerpt(cell).text);
	if (i != ARRIVAL && *value != floor(*value))
		return refuse(c, "%s: expected whole %s, found %s", columns[i].name,
			i < N_NEEDED ? "tokens" : "blocks", excerpt(cell).text);
	return 0;
}

static int read_row(struct csv *c, double values[N_WANTED])
{
	struct cell cell = { 0 };
	size_t n = 0;

	do {
		if (n == c->n_columns)
			return refuse(c, "expected %zu cells, found more", n);
		int i = c->wanted_at[n++];
		if (next_cell(c, &cell) || (i >= 0 && read_value(c, cell, i, &values[i])))
			return -1;
	} while (comma(c));
	if (n < c->n_columns)
		return refuse(c, "expected %zu cells, found %zu", c->n_columns, n);
	if (values[SEEN] > values[BLOCKS])
		return refuse(c, "%s: expected %g at most, the blocks, found %g",
			columns[SEEN].name, values[BLOCKS], values[SEEN]);
	return 0;
}

/* Room for every row there can be; the last line may lack its end. */
static size_t most_rows(const struct csv *c)
{
	size_t n = 0;
	for (const char *s = c->at; s < c->end && n < MOST_REQUESTS; s++, n++) {
		s = memchr(s, '\n', (size_t)(c->end - s));
		if (!s)
			return n + 1;
	}
	return n;
}

static int read_rows(struct csv *c, struct trace *t)
{
	double last_s = 0;

	while (c->at < c->end) {
		double values[N_WANTED] = { 0 };
		if (at_line_end(c)) { /* a blank line */
			next_line(c);
			continue;
		}
		if (t->n == MOST_REQUESTS)
			return refuse(c, "expected %d requests at most", MOST_REQUESTS);
		if (read_row(c, values))
			return -1;
		if (values[ARRIVAL] < last_s)
			return refuse(c, "arrival_s: expected %.15g or later, found %.15g", last_s,
				values[ARRIVAL]);
		last_s = values[ARRIVAL];
		if (t->prefixes)
			t->prefixes[t->n] = (struct prompt_prefix){ (uint32_t)values[BLOCKS],
				(uint32_t)values[SEEN] };
		t->requests[t->n++] =
			(struct request){ values[ARRIVAL], values[PROMPT], values[OUTPUT] };
		next_line(c);
	}
	return t->n ? 0 : refuse(c, "expected requests, found none");
}

/* Adds the trace, or replaces the one of its id. */
static void put(struct tables *t, struct trace *all, const struct trace *trace)
{
	size_t i = 0;

	if (t->n_traces)
		memcpy(all, t->traces, t->n_traces * sizeof *all);
	while (i < t->n_traces && strcmp(all[i].id, trace->id) != 0)
		i++;
	all[i] = *trace;
	if (i == t->n_traces)
		t->n_traces++;
	t->traces = all;
}

int tables_add_trace(struct tables *t, const char *id, const char *title, const char *csv,
	const char *name, char *err, size_t err_size)
{
	size_t bytes = strnlen(csv, LARGEST_FILE + 1);
	struct csv c = { .at = csv,
		.end = csv + bytes,
		.file = name,
		.line = 1,
		.err = err,
		.err_size = err_size };
	struct trace trace = { 0 };

	if (bytes > LARGEST_FILE)
		return refuse(&c, "expected %d MiB at most", LARGEST_FILE >> 20);
	if (read_head(&c))
		return -1;
	trace.id = arena_text(&t->arena, id);
	trace.name = arena_text(&t->arena, title);
	trace.requests = arena_array(&t->arena, most_rows(&c), sizeof *trace.requests);
	if (c.prefixes)
		trace.prefixes = arena_array(&t->arena, most_rows(&c), sizeof *trace.prefixes);
	struct trace *all = arena_array(&t->arena, t->n_traces + 1, sizeof *all);
	if (!trace.requests || !all || (c.prefixes && !trace.prefixes))
		return refuse(&c, "out of memory");
	if (read_rows(&c, &trace))
		return -1;
	put(t, all, &trace);
	return 0;
}
