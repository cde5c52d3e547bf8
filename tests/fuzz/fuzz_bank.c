/* A drill bank from anywhere: refused with a reason, or dealt without a fault. Models and
 * accelerators are those that the program ships, for most drills name some. */
#include "drills/bank_read.h"
#include "drills/program.h"
#include "ui/data/tables_load.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tables tables; /* loaded once: a hundred times slower than an input */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	char err[300];
	(void)argc;
	(void)argv;
	if (tables_load(&tables, err, sizeof err))
		abort();
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct drill_bank bank = { 0 };
	char err[300] = "";
	char *json = malloc(size + 1);
	if (!json)
		return 0;
	memcpy(json, data, size);
	json[size] = '\0';
	int rc = bank_add(&bank, &tables, json, "fuzz", err, sizeof err);
	if ((rc == 0) != (*err == '\0') || (rc && bank.n))
		abort();
	for (size_t i = 0; i < bank.n; i++) {
		struct variant v;
		if (deal(&bank.drills[i], &tables, 1, 0, &v, err, sizeof err) == 0 &&
			!question_separable(&v.question))
			abort();
		struct arena text = { 0 };
		if (v.program && !*program_check_text(&v, "0", &text))
			abort();
		arena_release(&text);
		variant_release(&v);
	}
	bank_release(&bank);
	free(json);
	return 0;
}
