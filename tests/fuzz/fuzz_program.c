/* What a check printed, from anywhere: read, compared and graded without a fault. The first byte
 * chooses the program that was asked for. */
#include "drills/program_grade.h"
#include "ui/data/bank_load.h"
#include "ui/data/tables_load.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 16 };

static struct tables tables;
static struct drill_bank bank;
static struct variant variants[MOST];
static size_t n_variants;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	if (tables_load(&tables, err, sizeof err) || bank_load(&bank, &tables, err, sizeof err))
		abort();
	for (size_t i = 0; i < bank.n && n_variants < MOST; i++)
		if (bank.drills[i].program && deal(&bank.drills[i], &tables, 1, 0,
						      &variants[n_variants++], err, sizeof err))
			abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct program_answers model, given;
	struct program_result r;
	struct grade g;
	char shown[200];
	if (size < 1)
		return 0;
	const struct variant *v = &variants[data[0] % n_variants];
	/* A copy of just the size, so that reading past its end is seen. */
	char *text = malloc(size > 1 ? size - 1 : 1);
	if (!text)
		return 0;
	memcpy(text, data + 1, size - 1);
	program_read(v, "N", text, size - 1, &given);
	program_read(v, "N", text, (size - 1) / 2, &model);
	program_compare(v, &model, &given, &r);
	program_grade(&r, &g);
	if (r.passed > r.n || !(g.credit >= 0 && g.credit <= 1) ||
		(g.verdict == VERDICT_CORRECT) != (r.passed == r.n))
		abort();
	program_printable(text, size - 1, true, shown, sizeof shown);
	if (strlen(shown) >= sizeof shown || strchr(g.remark, '\x1b') || strchr(shown, '\x1b'))
		abort();
	program_answers_release(&model);
	program_answers_release(&given);
	free(text);
	return 0;
}
