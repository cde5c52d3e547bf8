/* clang -fsanitize=fuzzer,address,undefined -I. tests/fuzz/fuzz_bank.c drills/bank*.c drills/deal.c
 * drills/question*.c sims/{unit,quantity*,nearest,arena,rng,formula*,tables*}.c -lcjson -lm
 *
 * A drill bank from anywhere: refused with a reason, or dealt without a fault. */
#include "drills/deal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tables tables = { 0 };
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
		variant_release(&v);
	}
	bank_release(&bank);
	free(json);
	return 0;
}
