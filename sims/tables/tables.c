#include "sims/tables/tables.h"

#include "sims/base/array.h"

#include <math.h>
#include <string.h>

const char *const dtype_ids[N_DTYPES + 1] = {
	[DTYPE_FP32] = "fp32",
	[DTYPE_TF32] = "tf32",
	[DTYPE_FP16] = "fp16",
	[DTYPE_BF16] = "bf16",
	[DTYPE_FP8] = "fp8",
	[DTYPE_INT8] = "int8",
	[DTYPE_FP4] = "fp4",
};

const char *const dtype_names[N_DTYPES] = {
	[DTYPE_FP32] = "FP32",
	[DTYPE_TF32] = "TF32",
	[DTYPE_FP16] = "FP16",
	[DTYPE_BF16] = "BF16",
	[DTYPE_FP8] = "FP8",
	[DTYPE_INT8] = "INT8",
	[DTYPE_FP4] = "FP4",
};

double dtype_bytes(enum dtype d)
{
	switch (d) {
	case DTYPE_FP32:
	case DTYPE_TF32: /* a way to multiply FP32 values, which stay as they are in memory */
		return 4;
	case DTYPE_FP16:
	case DTYPE_BF16:
		return 2;
	case DTYPE_FP8:
	case DTYPE_INT8:
		return 1;
	case DTYPE_FP4:
		return 0.5;
	case N_DTYPES:
		break;
	}
	return 0;
}

int tables_set_machine(struct tables *t, const struct accelerator *machine)
{
	struct accelerator *all = arena_array(&t->arena, t->n_gpus + 1, sizeof *all);

	if (!all)
		return -1;
	if (t->n_gpus)
		memcpy(all, t->gpus, t->n_gpus * sizeof *all);
	struct accelerator *m = &all[t->n_gpus];
	*m = *machine;
	m->id = arena_text(&t->arena, machine->id);
	m->name = arena_text(&t->arena, machine->name);
	m->family = arena_text(&t->arena, machine->family);
	m->processor = arena_text(&t->arena, machine->processor);
	m->measured_on = arena_text(&t->arena, machine->measured_on);
	if (t->arena.failed)
		return -1;
	t->gpus = all;
	t->n_machines = 1;
	return 0;
}

void tables_release(struct tables *t)
{
	arena_release(&t->arena);
	*t = (struct tables){ 0 };
}

const struct accelerator *gpu_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_gpus; i++)
		if (strcmp(t->gpus[i].id, id) == 0)
			return &t->gpus[i];
	return NULL;
}

const struct model *model_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_models; i++)
		if (strcmp(t->models[i].id, id) == 0)
			return &t->models[i];
	return NULL;
}

const struct trace *trace_find(const struct tables *t, const char *id)
{
	for (size_t i = 0; i < t->n_traces; i++)
		if (strcmp(t->traces[i].id, id) == 0)
			return &t->traces[i];
	return NULL;
}

const struct trace *trace_at(const struct tables *t, double index)
{
	return index >= 0 && index < (double)t->n_traces ? &t->traces[(size_t)index] : NULL;
}

static double gap_cv(const struct trace *t, double mean_s)
{
	double squares = 0;
	for (size_t i = 1; i < t->n; i++) {
		double off_s = t->requests[i].arrival_s - t->requests[i - 1].arrival_s - mean_s;
		squares += off_s * off_s;
	}
	return t->n > 2 ? sqrt(squares / (double)(t->n - 2)) / mean_s : NAN;
}

struct trace_facts trace_facts(const struct trace *t)
{
	struct trace_facts f = { .rate_per_s = NAN, .gap_cv = NAN, .seen_ratio = NAN };
	double blocks = 0, seen = 0, n = (double)t->n;

	f.span_s = t->requests[t->n - 1].arrival_s - t->requests[0].arrival_s;
	if (f.span_s > 0) {
		f.rate_per_s = (n - 1) / f.span_s;
		f.gap_cv = gap_cv(t, 1 / f.rate_per_s);
	}
	for (size_t i = 0; i < t->n; i++) {
		f.moments += i == 0 || t->requests[i].arrival_s > t->requests[i - 1].arrival_s;
		f.prompt_tokens += t->requests[i].prompt_tokens / n;
		f.output_tokens += t->requests[i].output_tokens / n;
		blocks += t->prefixes ? t->prefixes[i].blocks : 0;
		seen += t->prefixes ? t->prefixes[i].seen : 0;
	}
	if (t->prefixes)
		f.seen_ratio = seen / blocks;
	return f;
}

struct parameter {
	const char *name;
	size_t offset;
};

/* 0 in an entry means unknown, so that a formula never computes with it. */
static int parameter_of(const void *entry, const struct parameter known[], size_t n,
	const char *name, double *value)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(known[i].name, name) != 0)
			continue;
		double v;
		memcpy(&v, (const char *)entry + known[i].offset, sizeof v);
		if (v == 0)
			return 0;
		*value = v;
		return 1;
	}
	return 0;
}

int model_parameter(const struct model *m, const char *name, double *value)
{
	static const struct parameter known[] = {
		{ "params", offsetof(struct model, params) },
		{ "layers", offsetof(struct model, layers) },
		{ "hidden", offsetof(struct model, hidden) },
		{ "heads", offsetof(struct model, heads) },
		{ "kv_heads", offsetof(struct model, kv_heads) },
		{ "head_dim", offsetof(struct model, head_dim) },
		{ "ffn", offsetof(struct model, ffn) },
		{ "vocab", offsetof(struct model, vocab) },
	};
	return parameter_of(m, known, LENGTH(known), name, value);
}

int gpu_parameter(const struct accelerator *g, const char *name, double *value)
{
	static const struct parameter known[] = {
		{ "bandwidth", offsetof(struct accelerator, bandwidth) },
		{ "memory_bytes", offsetof(struct accelerator, memory_bytes) },
		{ "link_bandwidth", offsetof(struct accelerator, link_bandwidth) },
		{ "fp32_flops", offsetof(struct accelerator, peak_flops[DTYPE_FP32]) },
		{ "tf32_flops", offsetof(struct accelerator, peak_flops[DTYPE_TF32]) },
		{ "shared_bytes", offsetof(struct accelerator, shared_bytes) },
		{ "sm_count", offsetof(struct accelerator, sm_count) },
		{ "clock", offsetof(struct accelerator, clock_hz) },
		{ "power", offsetof(struct accelerator, power_w) },
	};
	if (strcmp(name, "peak_flops") == 0) {
		double peak = g->peak_flops[DTYPE_BF16];
		if (peak == 0)
			peak = g->peak_flops[DTYPE_FP16];
		if (peak == 0)
			return 0;
		*value = peak;
		return 1;
	}
	return parameter_of(g, known, LENGTH(known), name, value);
}
