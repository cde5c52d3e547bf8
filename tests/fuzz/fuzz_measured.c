/* Any bytes as a table of measurements: refused in one harmless line, or judged with every row
 * accounted for and every statistic a number. The first byte chooses the model. */
#include "sims/comparisons/comparisons.h"
#include "sims/published/validation_figure.h"
#include "ui/data/tables_load.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tables tables; /* loaded once: a hundred times slower than an input */

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check_text(const char *s)
{
	must(*s != '\0');
	for (; *s; s++)
		must(*s >= 0x20 && *s < 0x7f);
}

static void check_result(const struct validation *v)
{
	must(v->rows + v->faults.n == v->read);
	size_t counted = v->faults.others;
	for (size_t i = 0; i < v->faults.n_reasons; i++) {
		counted += v->faults.reasons[i].n;
		check_text(v->faults.reasons[i].text);
	}
	must(counted == v->faults.n);
	must(v->errors.n == 0 ||
		(isfinite(v->errors.median) && isfinite(v->errors.p90) &&
			isfinite(v->errors.bias) && v->errors.median <= v->errors.p90));
	for (size_t i = 0; i < v->n_worst; i++)
		check_text(prediction_words(v, v->worst[i]).what);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	must(tables_load(&tables, err, sizeof err) == 0);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct validation v = { 0 };
	struct figure fig = { 0 };
	char err[400] = "";

	if (!size)
		return 0;
	const struct measured_input in = { "f", (const char *)data + 1, size - 1 };
	const struct measured_model *m = measured_models[(data[0] - 'a') % n_measured_models];
	if (measured_validate(&v, m, &tables, &in, 1, err, sizeof err)) {
		check_text(err);
		goto out;
	}
	check_result(&v);
	validation_figure(&v, true, &fig);
	must(!fig.arena.failed);
out:
	figure_release(&fig);
	validation_release(&v);
	return 0;
}
