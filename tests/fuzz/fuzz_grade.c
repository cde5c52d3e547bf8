/* The first byte chooses: a question file, an answer to one of three questions, or a knob's value.
 * What is accepted must hold by a check of its own. */
#include "drills/grade.h"
#include "sims/quantity/quantity.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct mistake mistakes[] = { { "query heads", 85899345920, 0.25, NULL } };
static const struct factor factors[] = { { "layers", 80 }, { "KV heads", 8 } };
static const struct question questions[] = {
	{ .key = 10737418240,
		.unit = "B",
		.shown_unit = "GB",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.tags = TAG_INFO | TAG_KV | TAG_DTYPE,
		.mistakes = mistakes,
		.n_mistakes = 1,
		.factors = factors,
		.n_factors = 2 },
	{ .key = 0.424,
		.unit = "",
		.shown_unit = "%",
		.dual = true,
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.tags = TAG_FLOPS },
	{ .key = 0.23e-6,
		.unit = "$/token",
		.shown_unit = "$/Mtok",
		.tolerance = { TOLERANCE_RELATIVE, 0.05 },
		.unit_policy = UNIT_REQUIRED },
};

static void grade_text(const struct question *q, const char *text)
{
	struct grade g;
	grade_answer(q, text, false, &g);
	if (!(g.credit >= 0 && g.credit <= 1))
		abort();
	if (g.verdict == VERDICT_CORRECT && !(fabs(g.value / q->key - 1) <= 0.0500001))
		abort();
}

static void read_knob(const char *text)
{
	static const char *const units[] = { "", "B", "GB/s", "token", "$/h", "layer" };
	char err[200];
	double value = NAN;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (quantity_read(text, units[i], &value, err, sizeof err) == 0 && !isfinite(value))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	char *text = malloc(size);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	struct arena a = { 0 };
	struct question q;
	char err[300];
	if (data[0] % 5 == 0 && question_read(text, NULL, &a, &q, err, sizeof err) == 0)
		grade_answer(&q, "10.7 GB", false, &(struct grade){ 0 });
	else if (data[0] % 5 == 1)
		read_knob(text);
	else if (data[0] % 5 > 1)
		grade_text(&questions[data[0] % 5 - 2], text);
	arena_release(&a);
	free(text);
	return 0;
}
