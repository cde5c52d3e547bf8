/* What was measured and travels with ridge, for simulations that show it beside their own curves:
 * the rows near a setting, and how far off a comparison is in one line. */
#ifndef RIDGE_MEASURED_H
#define RIDGE_MEASURED_H

#include "sims/published/validation.h"

/* The one of the tables' comparisons, or NULL. */
const struct measured_model *measured_comparison(const struct tables *t, const char *id);

/* measured_validate with the tables that travel with ridge, thinned to `most` rows of each where
 * that is not 0; -1 where none travels. */
int measured_validate_own(struct validation *v, const struct measured_model *m,
	const struct tables *t, size_t most, char *err, size_t err_size);
/* --- Beside a simulation's own curve --- */

/* What comparisons came to, kept from figure to figure: the step of a knob must not read thousands
 * of rows again. It holds lines of measured_summary, and the rows of the latest calls of
 * measured_points. A zeroed one is empty, and NULL in its place means that nothing is kept.
 *
 * It depends on nothing but the tables, so that a figure is the same with it and without it. It is
 * no part of the tables, which nobody writes once they are loaded: whoever runs simulations hands
 * it to each figure (struct figure, sims/figure/figure.h). */
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
	bool starved; /* since somebody looked: something was not found for want of memory, and not kept */
};

/* "model error: median 6 %, 90 % within 18 % on 1204 points". */
void measured_say_errors(
	const struct measured_model *m, const struct error_stats *e, char *buf, size_t size);
/* That sentence for what travels with ridge and the groups whose names begin with `groups` ("": all
 * that count). False where there is nothing. It costs what the predictions cost (serving: 2 ms a
 * row) unless the memo has it. most > 0 thins each table evenly to so many rows first, unless its
 * rows depend on each other. */
bool measured_summary(struct measured_memo *memo, const struct tables *t, const char *model,
	const char *groups, size_t most, char *buf, size_t size);

/* Measured rows near a setting. A condition holds where the column's number is within low..high, or
 * its text names the same GPU or model or is equal. */
struct measured_condition {
	const char *column, *text; /* text NULL: a number */
	double low, high;
};
/* Writes the number columns `want` of each row of the model's tables that meets all conditions to
 * out[most][n_want]; returns how many rows. Unknown columns meet nothing. */
size_t measured_points(struct measured_memo *memo, const struct tables *t, const char *model,
	const struct measured_condition conditions[], size_t n_conditions, const char *const want[],
	size_t n_want, double *out, size_t most);

#endif
