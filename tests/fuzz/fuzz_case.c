/* A case from anywhere, the user's own among them: refused with a reason, and of one that is read what a
 * fact tells can be asked. Designs are not run: a simulation may take as long as it likes (fuzz_setting). */
#include "drills/case_ask.h"
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
	struct design_case c;
	char err[500] = "";
	char *json = malloc(size + 1);
	if (!json)
		return 0;
	memcpy(json, data, size);
	json[size] = '\0';
	int rc = case_read(&c, &tables, json, "fuzz", err, sizeof err);
	if ((rc == 0) != (*err == '\0'))
		abort();
	/* One question: it takes longer than to read a case. */
	if (rc == 0 && c.n_facts) {
		struct case_match m = case_ask(&c, c.facts[size % c.n_facts].tell);
		for (size_t i = 0; i < m.n; i++)
			if (m.facts[i] >= c.n_facts)
				abort();
	}
	case_release(&c);
	free(json);
	return 0;
}
