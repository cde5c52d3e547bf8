/* Request traces: when the requests of a real service arrived, and how long their prompts and
 * answers were. Read from CSV into the tables that simulations stand on. */
#ifndef RIDGE_TRACE_H
#define RIDGE_TRACE_H

#include "sims/tables/tables.h"

/* Adds a trace to the tables, or replaces the one of its id: CSV with the columns arrival_s (from
 * 0, never falling), prompt_tokens, output_tokens, and of prompts that begin alike both blocks_512
 * and leading_blocks_seen_before, or neither (others are ignored). 64 MiB and a million requests at
 * most. */
int tables_add_trace(struct tables *t, const char *id, const char *title, const char *csv,
	const char *name, char *err, size_t err_size);

/* The same of a text that is known to be right and outlives the tables: it is read when somebody
 * first asks for the trace. 0, or -1 when out of memory. */
int tables_add_trace_unread(
	struct tables *t, const char *id, const char *title, const char *csv, const char *name);

/* NULL when there is none of that id. */
const struct trace *trace_find(const struct tables *t, const char *id);
/* The one that a knob of KNOB_TRACE has chosen, by its value; NULL when it is not there. */
const struct trace *trace_at(const struct tables *t, double knob);

/* Whether it has gaps between arrivals: not where it is NULL, has one request, or all in one
 * moment. */
bool trace_has_gaps(const struct trace *t);

/* What a trace is like. */
struct trace_facts {
	double span_s, rate_per_s; /* from the first arrival to the last; gaps over it */
	double moments; /* different times of arrival: far fewer than requests is a coarse clock */
	double gap_cv;  /* deviation of the gaps over their mean: 1 is Poisson */
	double prompt_tokens, output_tokens; /* means */
	double seen_ratio;                   /* leading blocks that an earlier prompt had, of all */
};
/* NAN where the trace cannot tell: the rate and CV of one request, or of requests that all came at
 * one moment. */
struct trace_facts trace_facts(const struct trace *t);

#endif
