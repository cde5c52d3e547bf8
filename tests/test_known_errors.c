/* What was worked out when ridge was built is what the models come to: the program, which has the list,
 * beside figures here that are given none. */
#include "sims/published/measured.h"
#include "sims/registry/registry.h"
#include "tests/printed.h"
#include "tests/settings.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "accuracy" of what the program says of a simulation, "" where it has none; to be freed. */
static char *said(const char *id)
{
	char words[64];
	snprintf(words, sizeof words, "sim %s --json", id);
	char *text = printed("C.UTF-8", words, "");
	cJSON *json = cJSON_Parse(text);
	cr_assert(json != NULL, "%s: %s", words, text);
	const char *accuracy = cJSON_GetStringValue(cJSON_GetObjectItem(json, "accuracy"));
	char *copy = strdup(accuracy ? accuracy : "");
	cJSON_Delete(json);
	free(text);
	return copy;
}

Test(known_errors, the_program_says_what_the_models_come_to, .description = "long")
{
	struct tables t = load_tables();
	size_t with = 0;
	for (size_t i = 0; i < n_sims; i++) {
		struct figure fig = { 0 }; /* without a memo, it is worked out here */
		double v[MAX_KNOBS];
		sim_defaults(sims[i], &t, v);
		sims[i]->run(&t, v, &fig);
		char *got = said(sims[i]->id);
		cr_expect(eq(str, got, (char *)(fig.accuracy ? fig.accuracy : "")), "%s",
			sims[i]->id);
		with += fig.accuracy != NULL;
		free(got);
		figure_release(&fig);
	}
	cr_expect(lt(sz, 5, with));
	tables_release(&t);
}
