/* Any bytes as a model's config.json: refused in one harmless line, or read into what can be counted. */
#include "sims/architecture/config.h"

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

static void check_counts(const struct architecture *a)
{
	const struct parameter_count c = architecture_parameters(a);
	char pattern[200];
	must(c.total > 0 && c.active <= c.total);
	must(isfinite(architecture_cache_elements(a, 4096)));
	must(architecture_weight_bytes(a, NULL) > 0);
	must(isfinite(architecture_prompt_flops(a, 4096)));
	must(strlen(architecture_pattern(a, pattern, sizeof pattern)) < sizeof pattern);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct architecture a;
	char err[300] = "", *text = malloc(size + 1);
	if (!text)
		return 0;
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	if (architecture_read(&a, text, err, sizeof err) == 0)
		check_counts(&a);
	for (const char *c = err; *c; c++)
		must(*c >= 0x20 && *c < 0x7f);
	free(text);
	return 0;
}
