/* Any bytes as a user's hardware.json, models.json or trace: refused in one harmless line, or read
 * into tables whose every entry can be found and computed with. The first byte chooses the kind. */
#include "sims/tables/tables.h"
#include "sims/tables/trace.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int holds)
{
	if (!holds)
		abort();
}

static int add(struct tables *t, int kind, const char *text, char *err, size_t err_size)
{
	switch (kind % 3) {
	case 0:
		return tables_add_hardware(t, text, "f", err, err_size);
	case 1:
		return tables_add_models(t, text, "f", err, err_size);
	default:
		return tables_add_trace(t, "t", "T", text, "f", err, err_size);
	}
}

static void check_entries(const struct tables *t)
{
	for (size_t i = 0; i < t->n_gpus; i++) {
		must(gpu_find(t, t->gpus[i].id) == &t->gpus[i]);
		must(t->gpus[i].bandwidth > 0 && t->gpus[i].memory_bytes > 0);
		must(t->gpus[i].achieved.compute > 0 && t->gpus[i].achieved.compute <= 1);
	}
	for (size_t i = 0; i < t->n_models; i++) {
		must(model_find(t, t->models[i].id) == &t->models[i]);
		must(t->models[i].heads >= t->models[i].kv_heads);
	}
	for (size_t i = 0; i < t->n_traces; i++) {
		const struct trace *trace = &t->traces[i];
		must(trace->n > 0);
		for (size_t q = 1; q < trace->n; q++)
			must(trace->requests[q].arrival_s >= trace->requests[q - 1].arrival_s);
		for (size_t q = 0; trace->prefixes && q < trace->n; q++)
			must(trace->prefixes[q].seen <= trace->prefixes[q].blocks);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tables t = { 0 };
	char err[256] = "", *text = malloc(size + 1);

	if (!size || !text) {
		free(text);
		return 0;
	}
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	if (add(&t, data[0], text, err, sizeof err)) {
		must(*err && !t.n_gpus && !t.n_models && !t.n_traces);
		for (const char *s = err; *s; s++)
			must(*s >= 0x20 && *s < 0x7f);
	}
	check_entries(&t);
	/* The same again replaces every entry. */
	size_t n = t.n_gpus + t.n_models + t.n_traces;
	add(&t, data[0], text, err, sizeof err);
	must(t.n_gpus + t.n_models + t.n_traces == n);
	check_entries(&t);
	tables_release(&t);
	free(text);
	return 0;
}
