/* A model held against published measurements (`ridge validate`): tables are read, each row is
 * predicted, errors are gathered and judged.
 *
 * A comparison is an adapter: from a row of a table to the functions that the simulations call, and
 * back one or several numbers to compare with what was measured. Comparisons call simulations, and
 * simulations show what was measured beside their own curves: so the comparisons stand above them
 * all (sims/comparisons/) and this folder stands below.
 *
 * Errors are (predicted - measured) / measured, or for a model whose numbers are shares
 * predicted - measured ("points", as fractions of 1). Median and P90 are of their sizes, bias is
 * the median with its sign: negative where the model is too low. */
#ifndef RIDGE_VALIDATION_H
#define RIDGE_VALIDATION_H

#include "sims/base/csv.h"
#include "sims/base/match.h"
#include "sims/tables/tables.h"
#include "sims/figure/figure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct validation;
struct prediction;

/* A row in words, and what the model made of it. */
struct measured_words {
	char what[160], thought[160];
	bool failed; /* memory was out: words are missing */
};

/* One shape of table. */
struct measured_source {
	const char *files[2]; /* "gemm.csv": the tables that travel with ridge; NULL: none */
	const char *from;     /* who measured them, as in content/measured/NOTICE */
	const struct csv_column *columns;
	size_t n_columns;
	size_t most_rows; /* where each row is a simulation of its own; 0: no limit */
	void (*predict)(struct validation *v, size_t file);
	void (*describe)(const struct validation *v, const struct prediction *p,
		struct measured_words *words);
};

/* A promise: at quantile q, errors of some groups are at most limit. groups: how their names begin;
 * "": all groups that count; "!": those of them that no other mark names; "-name": those of them
 * that do not begin so. */
struct measured_mark {
	const char *groups;
	double q, limit;
	const char *text; /* "median <= 6 % on H100" */
};

/* A constant of a model that `make fit` finds from the table that travels with ridge; a validation
 * can be tried with another value. Constants of kernels stand with the GPUs and formats, and are
 * fitted apart. */
struct measured_constant {
	const char *name, *unit;
	double scale;       /* what one of the unit is in the value: 1e-6 for us */
	const double *at;   /* where it stands */
	double least, most; /* what is physically possible; the fit starts between them */
	size_t column;      /* it matters only to rows whose cell there is `is` ... */
	const char *is;     /* ... or to all, where this is NULL */
};

enum { MEASURED_MARKS = 16, MEASURED_HELD = 2, MEASURED_CONSTANTS = 20 };
struct measured_model {
	const char *id, *title;
	const char *predicts;               /* "time of a matrix product" */
	const char *quantity, *unit;        /* of a prediction, for axes: "time", "us" */
	bool points;                        /* errors are differences of shares */
	void (*assume)(struct figure *fig); /* adds what the adapter takes for granted; or NULL */
	const char *licence;                /* why no table travels with ridge, or NULL */
	const struct measured_source *sources; /* the first is the usual one */
	size_t n_sources;
	bool together; /* rows depend on each other: none may be left out */
	struct measured_mark marks[MEASURED_MARKS]; /* until one without text */
	void (*finish)(struct validation *v);       /* adds values; or NULL */
	const struct measured_constant *constants;  /* MEASURED_CONSTANTS at most */
	size_t n_constants;
	/* Columns by whose values the fit holds rows back to judge itself, until one without a
	 * name. */
	struct {
		const char *name;
		size_t column;
	} held[MEASURED_HELD];
};
/* --- Predictions --- */

struct prediction {
	double predicted, measured;
	uint32_t row; /* in the file */
	uint8_t file, group;
};

struct error_stats {
	size_t n;
	double median, p90, bias; /* NAN where n is 0 */
};

enum { MEASURED_GROUPS = 64, MEASURED_FILES = 8, MEASURED_WORST = 10, MEASURED_VALUES = 8 };
struct measured_group {
	char name[40];
	bool counts; /* among the errors of the headline */
	struct error_stats errors;
};
struct measured_value {
	const char *id, *label;
	double value;
	const char *unit;
};
struct measured_verdict {
	const char *text;
	bool judged, met;  /* judged: there was something to judge */
	double got, limit; /* errors; NAN where the promise is about something else */
};

/* A name as a table writes it, and the row that it names. A longer one is unknown. */
enum { MEASURED_NAME = 96 };
struct measured_name {
	char text[MEASURED_NAME];
	const void *is;       /* NULL: unknown */
	char hint[HINT_SIZE]; /* where it is unknown: the nearest name, for a refusal */
};
enum { MEASURED_NAMES = 64 };
struct measured_names {
	struct measured_name known[MEASURED_NAMES];
	size_t n;
};

struct validation {
	const struct measured_model *model;
	const struct tables *tables;
	struct arena arena;
	size_t most;             /* rows of a table, thinned evenly; 0: all */
	const double *constants; /* to try in place of the model's own; NULL: those */
	struct csv files[MEASURED_FILES];
	const struct measured_source *source[MEASURED_FILES];
	size_t n_files;
	struct csv_faults faults; /* rows left out, by reason */
	size_t set_aside;         /* how many of them are anchors and the like, not faults */
	size_t read, rows;        /* rows in the files; rows with at least one prediction */
	struct prediction *predictions;
	size_t n, cap;
	struct measured_group groups[MEASURED_GROUPS];
	size_t n_groups;
	struct measured_names gpus, models;
	void *notes[MEASURED_FILES]; /* a comparison's own, in the arena, for describe and finish */

	struct error_stats errors; /* over all groups that count */
	const struct prediction *worst[MEASURED_WORST];
	size_t n_worst;
	struct measured_value values[MEASURED_VALUES];
	size_t n_values;
	struct measured_verdict verdicts[MEASURED_MARKS];
	size_t n_verdicts;
};

/* Where a table comes from. */
struct measured_input {
	const char *name, *text;
	size_t bytes;
};

/* Reads the tables, predicts, and judges; *v is zeroed but for `most` and `constants`. Texts must
 * outlive it. 0; or -1 and one line in err. The caller releases either way. */
int measured_validate(struct validation *v, const struct measured_model *m, const struct tables *t,
	const struct measured_input inputs[], size_t n_inputs, char *err, size_t err_size);
void validation_release(struct validation *v);

/* Signed error of one prediction. */
double prediction_error(const struct validation *v, const struct prediction *p);
struct measured_words prediction_words(const struct validation *v, const struct prediction *p);
size_t prediction_line(const struct validation *v, const struct prediction *p);

/* Errors over some groups, given as in a mark. */
struct error_stats validation_errors(const struct validation *v, const char *groups);

/* --- For comparisons --- */

/* The group of that name, a new one where there is none; the last one takes
 * whatever is too much. */
uint8_t validation_group(struct validation *v, bool counts, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Compares; a row with a number that is not finite or not above 0 (points: not finite) is left out
 * with that as the reason. True when it was taken. */
bool validation_add(struct validation *v, size_t file, size_t row, uint8_t group, double predicted,
	double measured);
/* Makes room for so many more where their number is known; false when memory is out. */
bool validation_reserve(struct validation *v, size_t more_predictions);
/* Leaves a row out, for a reason. */
void validation_skip(struct validation *v, size_t file, size_t row, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same where nothing is wrong with the row: it is an anchor for others. */
void validation_set_aside(struct validation *v, size_t file, size_t row, const char *why);
/* The i-th of the model's constants, or what is tried in its place. */
double validation_constant(const struct validation *v, size_t i);
/* Adds the verdict on a promise which is not about errors. */
void validation_verdict(struct validation *v, const char *text, bool judged, bool met);
void validation_value(
	struct validation *v, const char *id, const char *label, double value, const char *unit);

#endif
