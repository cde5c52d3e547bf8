/* Any text on the scratch pad, line by line: a finite value that reads back, or one line that says
 * why not; and as an answer to a question, where nothing is right outside of the tolerance. */
#include "drills/grade.h"
#include "sims/quantity/scratch.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void check_result(const struct scratch_value *v)
{
	char shown[128], all[128], err[320];
	struct scratch_value again;
	must(isfinite(v->number));
	must(strlen(scratch_write(v, SCRATCH_DIGITS, shown, sizeof shown)) > 0);
	scratch_write(v, SCRATCH_ALL_DIGITS, all, sizeof all);
	if (scratch_read(NULL, all, &v->unit, &again, err, sizeof err))
		return; /* near the end of the range, or in a unit that is read in two ways */
	if (unit_same_dimension(&v->unit, &again.unit) && fabs(v->number) > 1e-280)
		must(fabs(again.number - v->number) <= 1e-9 * fabs(v->number));
}

static void check_answer(const char *text)
{
	static const struct question q = { .key = 640e9,
		.unit = "B",
		.shown_unit = "GB",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.tags = TAG_INFO };
	struct grade g;
	grade_answer(&q, text, false, &g);
	must(g.verdict != VERDICT_CORRECT || fabs(g.value / q.key - 1) <= 0.0500001);
	must(g.credit >= 0 && g.credit <= 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct scratch_pad *pad = calloc(1, sizeof *pad);
	char *text = malloc(size + 1), *rest = NULL;
	must(pad && text);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		char err[320] = "";
		size_t n = pad->n;
		int rc = scratch_add(pad, line, err, sizeof err);
		must((rc == 0) == (*err == '\0') && pad->n == n + (rc == 0));
		for (const char *c = err; *c; c++)
			must((unsigned char)*c >= 0x20 && (unsigned char)*c < 0x7f);
		if (rc == 0)
			check_result(&pad->lines[n].value);
		check_answer(line);
	}
	free(pad);
	free(text);
	return 0;
}
