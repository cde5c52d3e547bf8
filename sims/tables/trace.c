/* The CSV reader checks cells; this file checks what ties them together: times never go back, and
 * no more blocks were seen before than a prompt has. A count of the lines says how large the arrays
 * must be, then one pass fills them. */
#include "sims/tables/trace.h"

#include "sims/base/csv.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LARGEST_FILE = 64 << 20, MOST_REQUESTS = 1000000 };
enum { ARRIVAL, PROMPT, OUTPUT, N_NEEDED, BLOCKS = N_NEEDED, SEEN, N_WANTED };

static const struct csv_column columns[N_WANTED] = {
	[ARRIVAL] = { .name = "arrival_s", .kind = CSV_NUMBER, .min = 0, .max = 1e9 },
	[PROMPT] = { .name = "prompt_tokens",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e9,
		.whole = true },
	[OUTPUT] = { .name = "output_tokens",
		.kind = CSV_NUMBER,
		.min = 0,
		.max = 1e9,
		.whole = true },
	[BLOCKS] = { .name = "blocks_512",
		.kind = CSV_NUMBER,
		.min = 1,
		.max = 1e5,
		.whole = true },
	[SEEN] = { .name = "leading_blocks_seen_before",
		.kind = CSV_NUMBER,
		.min = 0,
		.max = 1e5,
		.whole = true },
};

/* Checks a row against the one before it, and its cells against each other. */
static int check_row(const struct csv_reader *r, const union csv_cell row[], double last_s)
{
	if (row[ARRIVAL].number < last_s)
		return csv_refuse(r, r->row_line, "arrival_s: expected %.15g or later, found %.15g",
			last_s, row[ARRIVAL].number);
	if (r->n_columns == N_WANTED && row[SEEN].number > row[BLOCKS].number)
		return csv_refuse(r, r->row_line, "%s: expected %g at most, the blocks, found %g",
			columns[SEEN].name, row[BLOCKS].number, row[SEEN].number);
	return 0;
}

/* A trace with holes is another trace: one bad row is one too many. */
static int read_rows(struct csv_reader *r, struct trace *t)
{
	union csv_cell row[N_WANTED];
	double last_s = 0;
	int more;

	while ((more = csv_next(r, row)) > 0 && r->faults->n == 0) {
		if (check_row(r, row, last_s))
			return -1;
		last_s = row[ARRIVAL].number;
		if (t->prefixes)
			t->prefixes[t->n] = (struct prompt_prefix){ (uint32_t)row[BLOCKS].number,
				(uint32_t)row[SEEN].number };
		t->requests[t->n++] =
			(struct request){ last_s, row[PROMPT].number, row[OUTPUT].number };
	}
	if (r->faults->n)
		return csv_refuse(r, r->faults->reasons[0].line, "%s", r->faults->reasons[0].text);
	return more;
}

/* Adds the trace, or replaces the one of its id. 0, or -1 when out of memory. */
static int put(struct tables *t, const struct trace *trace)
{
	struct trace *all = arena_array(&t->arena, t->n_traces + 1, sizeof *all);
	size_t i = 0;

	if (t->arena.failed)
		return -1;
	if (t->n_traces)
		memcpy(all, t->traces, t->n_traces * sizeof *all);
	while (i < t->n_traces && strcmp(all[i].id, trace->id) != 0)
		i++;
	all[i] = *trace;
	if (i == t->n_traces)
		t->n_traces++;
	t->traces = all;
	return 0;
}

/* Reads the requests of a trace into the arena. 0, or -1 and a line in err. */
static int read_trace(struct arena *a, const char *csv, const char *name, struct trace *trace,
	char *err, size_t err_size)
{
	size_t bytes = strnlen(csv, LARGEST_FILE + 1), n_blocks = N_WANTED - N_NEEDED;
	struct csv_faults faults = { 0 };
	struct csv_reader r = { .name = name,
		.columns = columns,
		.most_rows = MOST_REQUESTS,
		.faults = &faults,
		.err = err,
		.err_size = err_size };

	if (bytes > LARGEST_FILE)
		return csv_refuse(&r, 1, "expected %d MiB at most", LARGEST_FILE >> 20);
	/* The columns about blocks are both there, or neither. */
	bool prefixes = csv_missing(csv, bytes, &columns[N_NEEDED], n_blocks) != n_blocks;
	r.n_columns = prefixes ? N_WANTED : N_NEEDED;
	if (csv_begin(&r, csv, bytes))
		return -1;
	size_t room = csv_count_rows(&r);
	trace->requests = arena_array(a, room, sizeof *trace->requests);
	if (prefixes)
		trace->prefixes = arena_array(a, room, sizeof *trace->prefixes);
	if (a->failed)
		return csv_refuse(&r, 1, "out of memory");
	return read_rows(&r, trace);
}

int tables_add_trace(struct tables *t, const char *id, const char *title, const char *csv,
	const char *name, char *err, size_t err_size)
{
	assert(t && id && title && csv && name && err);
	struct trace trace = { .id = arena_text(&t->arena, id),
		.name = arena_text(&t->arena, title) };

	if (read_trace(&t->arena, csv, name, &trace, err, err_size))
		return -1;
	if (put(t, &trace) == 0)
		return 0;
	snprintf(err, err_size, "%s: out of memory", name);
	return -1;
}

int tables_add_trace_unread(
	struct tables *t, const char *id, const char *title, const char *csv, const char *name)
{
	assert(t && id && title && csv && name);
	if (!t->asked_for)
		t->asked_for = arena_alloc(&t->arena, sizeof *t->asked_for);
	return put(t, &(struct trace){ .id = id, .name = title, .csv = csv, .file = name });
}

/* The tables are the same before and after, for everybody who asks. */
static const struct trace *asked(const struct tables *t, size_t i)
{
	struct trace *trace = &t->traces[i], read = *trace;
	char err[256];

	if (!trace->csv)
		return trace;
	if (read_trace(t->asked_for, trace->csv, trace->file, &read, err, sizeof err))
		return NULL; /* out of memory */
	read.csv = NULL;
	*trace = read;
	return trace;
}

const struct trace *trace_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_traces; i++)
		if (strcmp(t->traces[i].id, id) == 0)
			return asked(t, i);
	return NULL;
}

const struct trace *trace_at(const struct tables *t, double knob)
{
	return knob >= 0 && knob < (double)t->n_traces ? asked(t, (size_t)knob) : NULL;
}

static double gap_cv(const struct trace *t, double mean_s)
{
	double squares = 0;
	for (size_t i = 1; i < t->n; i++) {
		double off_s = t->requests[i].arrival_s - t->requests[i - 1].arrival_s - mean_s;
		squares += off_s * off_s;
	}
	return t->n > 2 ? sqrt(squares / (double)(t->n - 2)) / mean_s : NAN;
}

bool trace_has_gaps(const struct trace *t)
{
	return t && t->requests[t->n - 1].arrival_s > t->requests[0].arrival_s;
}

struct trace_facts trace_facts(const struct trace *t)
{
	assert(t->n > 0);
	struct trace_facts f = { .rate_per_s = NAN, .gap_cv = NAN, .seen_ratio = NAN };
	double blocks = 0, seen = 0, n = (double)t->n;

	f.span_s = t->requests[t->n - 1].arrival_s - t->requests[0].arrival_s;
	if (f.span_s > 0) {
		f.rate_per_s = (n - 1) / f.span_s;
		f.gap_cv = gap_cv(t, 1 / f.rate_per_s);
	}
	for (size_t i = 0; i < t->n; i++) {
		f.moments += i == 0 || t->requests[i].arrival_s > t->requests[i - 1].arrival_s;
		f.prompt_tokens += t->requests[i].prompt_tokens / n;
		f.output_tokens += t->requests[i].output_tokens / n;
		blocks += t->prefixes ? t->prefixes[i].blocks : 0;
		seen += t->prefixes ? t->prefixes[i].seen : 0;
	}
	if (t->prefixes)
		f.seen_ratio = seen / blocks;
	return f;
}
