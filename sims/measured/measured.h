/* The models held against published measurements (`ridge validate`).
 *
 * A model here is an adapter: from a row of a table to the functions that the simulations call, and
 * back one or several numbers to compare with what was measured. Adapters call simulations, and
 * simulations show what was measured beside their own curves: so the adapters stand above them all
 * (sims/adapters/) and this folder below; what is needed of them travels in struct tables.
 *
 * Errors are (predicted - measured) / measured, or for a model whose numbers are shares
 * predicted - measured ("points", as fractions of 1). Median and P90 are of their sizes, bias is
 * the median with its sign: negative where the model is too low. */
#ifndef RIDGE_MEASURED_H
#define RIDGE_MEASURED_H

#include "sims/base/csv.h"
#include "sims/figure/figure.h"
#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct validation;
struct prediction;

/* What a row was, and what the model thought of it. */
struct measured_words {
	char what[160], thought[160];
};

/* One shape of table. */
struct measured_source {
	const char *files[2]; /* "gemm.csv": those that travel with ridge; NULL: none */
	const char *from;     /* who measured them, as content/measured/NOTICE has it */
	const struct csv_column *columns;
	size_t n_columns;
	size_t most_rows; /* where each row is a simulation of its own; 0: no limit */
	void (*predict)(struct validation *v, size_t file);
	void (*describe)(const struct validation *v, const struct prediction *p,
		struct measured_words *words);
};

/* A promise: at quantile q, errors of the groups that begin so ("" all that count; "!": counting
 * groups that no other mark names) are at most limit. */
struct measured_mark {
	const char *groups;
	double q, limit;
	const char *text; /* "median <= 6 % on H100" */
};

/* A constant that `make fit` sets on the model's own table, so that the validation can be tried
 * with others. Those of kernels stand with the GPUs and formats, and are fitted apart. */
struct measured_constant {
	const char *name, *unit;
	double scale;       /* what one of the unit is in the value's own: 1e-6 for us */
	const double *at;   /* where it stands */
	double least, most; /* what is physically possible; the fit starts between them */
	size_t column;      /* only the rows that say `is` there bear on it; NULL: all do */
	const char *is;
};

enum { MEASURED_MARKS = 8, MEASURED_HELD = 2, MEASURED_CONSTANTS = 20 };
struct measured_model {
	const char *id, *title;
	const char *predicts;               /* "time of a matrix product" */
	const char *quantity, *unit;        /* of a prediction, for axes: "time", "us" */
	bool points;                        /* errors are differences of shares */
	void (*assume)(struct figure *fig); /* adds what the adapter takes for granted; or NULL */
	const char *licence;                /* why nothing travels with ridge, or NULL */
	const struct measured_source *sources; /* the first is the usual one */
	size_t n_sources;
	bool together; /* rows depend on each other: none may be left away */
	struct measured_mark marks[MEASURED_MARKS]; /* until one without text */
	void (*finish)(struct validation *v);       /* adds values; or NULL */
	const struct measured_constant *constants;  /* MEASURED_CONSTANTS at most */
	size_t n_constants;
	/* A column of which the fit leaves a part of the values out to judge by: until one without
	 * a name. */
	struct {
		const char *name;
		size_t column;
	} held[MEASURED_HELD];
};
/* The one of the tables' comparisons, or NULL. */
const struct measured_model *measured_comparison(const struct tables *t, const char *id);

/* --- Predictions --- */

struct prediction {
	double predicted, measured;
	uint32_t row; /* of the file */
	uint8_t file, group;
};

struct error_stats {
	size_t n;
	double median, p90, bias; /* NAN where n is 0 */
};

enum { MEASURED_GROUPS = 64, MEASURED_FILES = 4, MEASURED_WORST = 10, MEASURED_VALUES = 8 };
struct measured_group {
	char name[40];
	bool counts; /* in the headline */
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
	double got, limit; /* of errors; NAN where the promise is no error */
};

/* A name as it was written, and what it is. A longer one is unknown. */
enum { MEASURED_NAME = 96 };
struct measured_name {
	char text[MEASURED_NAME];
	const void *is;   /* NULL: unknown */
	const char *near; /* of an unknown one, or NULL */
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
	const double *constants; /* in place of the model's own; NULL: those */
	struct csv files[MEASURED_FILES];
	const struct measured_source *source[MEASURED_FILES];
	size_t n_files;
	struct csv_faults faults; /* rows left out, by reason */
	size_t set_aside;         /* of them: anchors and the like, which are no faults */
	size_t read, rows;        /* rows in the files; rows with at least one prediction */
	struct prediction *predictions;
	size_t n, cap;
	struct measured_group groups[MEASURED_GROUPS];
	size_t n_groups;
	struct measured_names gpus, models;
	void *notes[MEASURED_FILES]; /* an adapter's own, in the arena, for `describe` and `finish`
				      */

	struct error_stats errors; /* of all groups that count */
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
 * outlive it. 0; or
 * -1 and one line in err. The caller releases either way. */
int measured_validate(struct validation *v, const struct measured_model *m, const struct tables *t,
	const struct measured_input inputs[], size_t n_inputs, char *err, size_t err_size);
/* The same with what travels with ridge, thinned to `most` rows of a table where that is not 0; -1
 * where nothing travels. */
int measured_validate_own(struct validation *v, const struct measured_model *m,
	const struct tables *t, size_t most, char *err, size_t err_size);
void validation_release(struct validation *v);

/* Signed error of one prediction. */
double prediction_error(const struct validation *v, const struct prediction *p);
struct measured_words prediction_words(const struct validation *v, const struct prediction *p);
size_t prediction_line(const struct validation *v, const struct prediction *p);

/* The groups that begin so; as of a mark. */
struct error_stats validation_errors(const struct validation *v, const char *groups);

/* "met", "not met", or "no data". */
const char *measured_verdict_word(const struct measured_verdict *d);

/* Fills a figure: headline values, marks, errors by group, the worst rows, what was left out; with
 * plot also predicted against measured. */
void validation_figure(const struct validation *v, bool plot, struct figure *fig);

/* --- For the adapters --- */

/* Index of the group of that name, new where there is none; the last one takes what is too much. */
uint8_t validation_group(struct validation *v, bool counts, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Compares; where a number is not finite or not above 0 (points: not finite), the row is left out
 * with a reason. True when it was taken. */
bool validation_add(struct validation *v, size_t file, size_t row, uint8_t group, double predicted,
	double measured);
/* Room for so many more, where that is known; false when memory is out. Without it room doubles. */
bool validation_reserve(struct validation *v, size_t more_predictions);
/* Leaves a row out. */
void validation_skip(struct validation *v, size_t file, size_t row, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* The same, where that is no fault of the row's: an anchor. */
void validation_set_aside(struct validation *v, size_t file, size_t row, const char *why);
/* Of the model's constants the i-th, or what is tried in its place. */
double validation_constant(const struct validation *v, size_t i);
/* A promise that is no quantile of errors. */
void validation_verdict(struct validation *v, const char *text, bool judged, bool met);
void validation_value(
	struct validation *v, const char *id, const char *label, double value, const char *unit);

/* The GPU or model that a cell names, by its id or as benchmarks write it ("NVIDIA A100-SXM4-80GB
 * (400W)", "h100_sxm", "meta-llama/Llama-2-7b-hf"). NULL, and the row left out with the nearest
 * name, where there is none. */
const struct accelerator *validation_gpu(
	struct validation *v, size_t file, size_t row, size_t column);
const struct model *validation_model(struct validation *v, size_t file, size_t row, size_t column);
const struct accelerator *measured_gpu(const struct tables *t, const char *text);
const struct model *measured_model_named(const struct tables *t, const char *text);
/* The same of a cell, however long it is. */
const struct accelerator *measured_gpu_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column);
const struct model *measured_model_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column);

/* Whether a cell says so, whatever its case and the signs between its words: "All-Reduce" is
 * "all_reduce". */
bool measured_is(const struct csv *c, size_t row, size_t column, const char *text);

/* --- For simulations --- */

/* What comparisons came to, kept from figure to figure, for a knob's step must not read thousands
 * of rows again: lines of measured_summary, and the rows of the latest calls of measured_points. A
 * zeroed one is empty. It depends on nothing but the tables. */
enum { MEMO_LINES = 48, MEMO_POINTS = 4, MEMO_VALUES = 2000 };
struct measured_memo {
	struct {
		char key[80], line[120]; /* "": nothing to compare */
	} lines[MEMO_LINES];
	size_t n_lines;
	struct {
		char key[200];
		size_t n;
		double values[MEMO_VALUES];
	} points[MEMO_POINTS];
	size_t n_points; /* ever */
};

/* "model error: median 6 %, 90 % within 18 % on 1204 points". */
void measured_say_errors(
	const struct measured_model *m, const struct error_stats *e, char *buf, size_t size);
/* That sentence, computed from what travels with
 * ridge, for the groups that begin so ("": all that count). False where there is nothing. It costs
 * what the predictions cost (serving: 2 ms a row) unless the tables' memo has it. most > 0 thins
 * each table evenly to so many rows first, where rows do not hang together. */
bool measured_summary(const struct tables *t, const char *model, const char *groups, size_t most,
	char *buf, size_t size);

/* Measured rows near a setting. A condition holds where the column's number is within low..high, or
 * its text names the same GPU or model or is equal. */
struct measured_condition {
	const char *column, *text; /* text NULL: a number */
	double low, high;
};
/* Writes the number columns `want` of each row of the model's tables that meets all conditions to
 * out[most][n_want]; returns how many rows. Unknown columns meet nothing. */
size_t measured_points(const struct tables *t, const char *model,
	const struct measured_condition conditions[], size_t n_conditions, const char *const want[],
	size_t n_want, double *out, size_t most);

#endif
