/* The comparisons `serving` and `serving_moe`: LLM servers (sims/serving/serving.h) under a fixed number
 * of clients, simulated row by row, with plain models and with mixtures of experts. */
#include "sims/constants.h"
#include "sims/base/array.h"
#include "sims/gpu/engine_parts.h"
#include "sims/gpu/precision.h"
#include "sims/published/names.h"
#include "sims/serving/serving.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	SYSTEM,
	BACKEND,
	VERSION,
	MODEL,
	QUANT,
	ISL,
	OSL,
	TP,
	ATTN_DP,
	MOE_TP,
	MOE_EP,
	BATCH,
	CLIENTS,
	TTFT,
	TPOT,
	N_COLUMNS
};
#define COUNT_COLUMN(id, most)                                                                     \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1, .max = most, .whole = true               \
	}
#define SHARE_COLUMN(id)                                                                           \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1, .max = 1024, .whole = true,              \
		.blank = true, .optional = true                                                    \
	}
#define TIME_COLUMN(id)                                                                            \
	{                                                                                          \
		.name = id, .kind = CSV_NUMBER, .min = 1e-6, .max = 1e12, .blank = true            \
	}
static const struct csv_column columns[N_COLUMNS] = {
	[SYSTEM] = { .name = "system" },
	[BACKEND] = { .name = "backend", .blank = true, .optional = true },
	[VERSION] = { .name = "backend_version", .blank = true, .optional = true },
	[MODEL] = { .name = "model" },
	[QUANT] = { .name = "gemm_quant", .blank = true },
	[ISL] = COUNT_COLUMN("isl", 1e6),
	[OSL] = COUNT_COLUMN("osl", 1e5),
	[TP] = COUNT_COLUMN("tp", 64),
	[ATTN_DP] = SHARE_COLUMN("attn_dp"),
	[MOE_TP] = SHARE_COLUMN("moe_tp"),
	[MOE_EP] = SHARE_COLUMN("moe_ep"),
	[BATCH] = COUNT_COLUMN("batch_size", 8192),
	[CLIENTS] = COUNT_COLUMN("client_concurrency", 8192),
	[TTFT] = TIME_COLUMN("ttft_ms"),
	[TPOT] = TIME_COLUMN("tpot_ms"),
};
enum { MOST_ROWS = 2000, ROUNDS = 10 };

/* wo: weights only, products in 16 bits. */
static const struct quant {
	const char *name;
	enum value_type weights;
	enum activation activations;
} quants[] = { { "bfloat16", VALUE_BF16, ACTIVATION_AUTO }, { "bf16", VALUE_BF16, ACTIVATION_AUTO },
	{ "float16", VALUE_BF16, ACTIVATION_AUTO }, { "fp16", VALUE_BF16, ACTIVATION_AUTO },
	{ "fp8", VALUE_FP8, ACTIVATION_AUTO }, { "fp8_block", VALUE_FP8, ACTIVATION_AUTO },
	{ "fp8_static", VALUE_FP8, ACTIVATION_AUTO }, { "fp8_ootb", VALUE_FP8, ACTIVATION_AUTO },
	{ "int8_wo", VALUE_INT8, ACTIVATION_BF16 }, { "int8", VALUE_INT8, ACTIVATION_AUTO },
	{ "sq", VALUE_INT8, ACTIVATION_AUTO }, { "int4_wo", VALUE_INT4, ACTIVATION_AUTO },
	{ "int4", VALUE_INT4, ACTIVATION_AUTO }, { "nvfp4", VALUE_FP4, ACTIVATION_AUTO },
	{ "fp4", VALUE_FP4, ACTIVATION_AUTO } };

/* What the name of a checkpoint says about its weights. */
static const struct quant checkpoints[] = { { "fp8", VALUE_FP8, ACTIVATION_AUTO },
	{ "fp4", VALUE_FP4, ACTIVATION_AUTO }, { "awq", VALUE_INT4, ACTIVATION_AUTO },
	{ "gptq", VALUE_INT4, ACTIVATION_AUTO }, { "int4", VALUE_INT4, ACTIVATION_AUTO },
	{ "w4a16", VALUE_INT4, ACTIVATION_AUTO }, { "int8", VALUE_INT8, ACTIVATION_AUTO },
	{ "w8a8", VALUE_INT8, ACTIVATION_AUTO } };

/* Weights as the checkpoint has them, where the table names none. */
static const struct quant *checkpoint_quant(const struct csv *c, size_t row)
{
	char name[MEASURED_NAME];

	csv_text(c, row, MODEL, name, sizeof name);
	for (char *s = name; *s; s++)
		*s = (char)tolower((unsigned char)*s);
	for (size_t i = 0; i < LENGTH(checkpoints); i++)
		if (strstr(name, checkpoints[i].name))
			return &checkpoints[i];
	return &quants[0];
}

/* NULL: unknown. */
static const struct quant *quant_of(const struct csv *c, size_t row)
{
	if (csv_is(c, row, QUANT, ""))
		return checkpoint_quant(c, row);
	for (size_t i = 0; i < LENGTH(quants); i++)
		if (measured_is(c, row, QUANT, quants[i].name))
			return &quants[i];
	return NULL;
}

/* Time of the CPU between two iterations, while the GPU waits: scheduling, inputs, the launch of
 * the graph, sampling. TensorRT-LLM's loop overlaps more of it than vLLM's. */
static const double trtllm_host_s = 0.99e-3, vllm_host_s = 1.93e-3;
enum { TRTLLM, VLLM, ANY_OTHER, N_ENGINES, N_CONSTANTS = ANY_OTHER };
static const struct measured_constant constants[N_CONSTANTS] = {
	[TRTLLM] = { "host per step, TensorRT-LLM", "ms", 1e-3, &trtllm_host_s, 0.05e-3, 5e-3,
		BACKEND, "trtllm" },
	[VLLM] = { "host per step, vLLM", "ms", 1e-3, &vllm_host_s, 0.05e-3, 5e-3, BACKEND,
		"vllm" },
};

/* How else engines differ.
 * chunk_tokens: the most that is prefilled in one iteration, as documented: vLLM's
 *   max_num_batched_tokens, TensorRT-LLM's max_num_tokens.
 * guaranteed: a request is admitted only when the cache holds all that it may come to (TensorRT-
 *   LLM's GUARANTEED_NO_EVICT); others take it in with its prompt and preempt when need be. */
static const struct engine_kind {
	const char *name;
	int64_t chunk_tokens;
	bool guaranteed;
} engines[N_ENGINES] = { [TRTLLM] = { "trtllm", 8192, true },
	[VLLM] = { "vllm", 2048, false },
	[ANY_OTHER] = { "", 8192, false } };

static const struct engine_kind *engine_of(const struct csv *c, size_t row)
{
	size_t i = 0;

	while (i < ANY_OTHER && !csv_is(c, row, BACKEND, engines[i].name))
		i++;
	return &engines[i];
}

/* Mixtures are not fitted: they take what plain models have. */
static double constant(const struct validation *v, size_t i)
{
	return v->model->n_constants ? validation_constant(v, i) : *constants[i].at;
}

/* From 0.14 (January 2026) on vLLM plans a step while the one before it runs, unless told otherwise, as
 * TensorRT-LLM's loop does. */
static bool plans_ahead(const struct csv *c, size_t row)
{
	enum { SINCE = 14 };
	char version[24], *rest;

	csv_text(c, row, VERSION, version, sizeof version);
	const long major = strtol(version, &rest, 10);
	const long minor = *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
	return csv_is(c, row, BACKEND, "vllm") && (major > 0 || minor >= SINCE);
}

static double host_s(const struct validation *v, const struct csv *c, size_t row)
{
	size_t i = (size_t)(engine_of(c, row) - engines);

	if (i != ANY_OTHER)
		return constant(v, plans_ahead(c, row) ? TRTLLM : i);
	return sqrt(constant(v, TRTLLM) * constant(v, VLLM));
}

/* TensorRT-LLM records graphs of these batches, and unless it may pad a batch to the next of them every
 * other one is launched kernel by kernel (CudaGraphConfig of its Python API: enable_padding is off, and
 * max_batch_size 128, unless given). */
static bool has_graph(const struct csv *c, size_t row)
{
	enum { ALL_BELOW = 32, ONE = 64, MOST = 128 };
	const double batch = csv_number(c, row, BATCH);
	return !csv_is(c, row, BACKEND, "trtllm") || batch <= ALL_BELOW || batch == ONE ||
	       batch == MOST;
}

/* Clients of one server. Where there is room for fewer at once than there are clients, these are shared
 * by several servers alike: batch_size is that of each. */
static size_t clients_of(const struct csv *c, size_t row)
{
	const double clients = csv_number(c, row, CLIENTS), batch = csv_number(c, row, BATCH);
	return (size_t)(batch < clients && fmod(clients, batch) == 0 ? batch : clients);
}

/* Settings near every engine's defaults. */
static struct serving_setup setup_of(const struct csv *c, size_t row,
	const struct engine_shape *engine, const struct request *requests)
{
	size_t clients = clients_of(c, row);

	return (struct serving_setup){ .policy = SERVING_CONTINUOUS,
		.requests = requests,
		.n = ROUNDS * clients,
		.gap_s = 1,
		.users = clients,
		.engine = engine,
		.max_batch = (size_t)csv_number(c, row, BATCH),
		.paged = !engine_of(c, row)->guaranteed,
		.reserve_tokens = (int64_t)(csv_number(c, row, ISL) + csv_number(c, row, OSL)),
		.block_tokens = KV_BLOCK_TOKENS,
		.chunk_tokens = engine_of(c, row)->chunk_tokens * (int64_t)engine->copies };
}

/* TensorRT-LLM's FP8 checkpoints keep the cache in FP8 too. */
static enum value_type cache_type(const struct csv *c, size_t row, const struct quant *q)
{
	return csv_is(c, row, BACKEND, "trtllm") && q->weights == VALUE_FP8 ? VALUE_FP8
									    : VALUE_BF16;
}

/* The row's GPUs: some share a copy of attention, and the experts lie on all of them. */
static struct engine_layout layout_of(const struct csv *c, size_t row)
{
	double copies = csv_number(c, row, ATTN_DP), ep = csv_number(c, row, MOE_EP);
	return (struct engine_layout){ .tp = csv_number(c, row, TP),
		.copies = copies > 1 ? copies : 1,
		.ep = ep > 1 ? ep : 1 };
}

static double cache_tokens(const struct csv *c, size_t row, const struct model *m,
	const struct accelerator *g, const struct quant *q)
{
	const struct engine_layout how = layout_of(c, row);
	double length = csv_number(c, row, ISL) + csv_number(c, row, OSL);
	double bytes = ENGINE_MEMORY_SHARE * how.tp * how.copies * g->memory_bytes -
		       model_weight_bytes(m, value_type_dtype(q->weights));
	double sequence =
		model_cache_bytes(m, value_type_dtype(cache_type(c, row, q)), length, how.tp);

	return fmax(0, length * bytes / sequence);
}

static struct engine_shape engine_for(const struct csv *c, size_t row, const struct model *m,
	const struct accelerator *g, const struct quant *q)
{
	const struct engine_layout how = layout_of(c, row);
	const enum value_type cache = cache_type(c, row, q);
	if (!m->made_of)
		return engine_shape_typed(m, g, (int)how.tp, q->weights, q->activations, cache);
	return engine_shape_laid(m->made_of, g, &how, value_type_dtype(q->weights),
		activation_dtype(g, q->weights, q->activations), value_type_dtype(cache));
}

struct latency {
	double ttft_s, tpot_s;
	size_t n;
};

/* Means over all requests, including the first wave that arrives at once, as benchmarks report. */
static struct latency mean_latency(const struct serving_run *run, double output)
{
	struct latency l = { 0, 0, 0 };

	for (size_t i = 0; i < run->n; i++) {
		const struct served *s = &run->served[i];
		if (!isfinite(s->finish_s))
			continue;
		l.ttft_s += s->first_s - s->arrival_s;
		l.tpot_s += output > 1 ? (s->finish_s - s->first_s) / (output - 1) : NAN;
		l.n++;
	}
	l.ttft_s /= (double)l.n;
	l.tpot_s /= (double)l.n;
	return l;
}

static struct latency simulate(struct validation *v, size_t file, size_t row, const struct model *m,
	const struct accelerator *g, const struct quant *q)
{
	const struct csv *c = &v->files[file];
	double output = csv_number(c, row, OSL);
	struct engine_shape engine = engine_for(c, row, m, g, q);
	struct arena a = { 0 };
	size_t clients = clients_of(c, row);
	struct request *requests = arena_array(&a, ROUNDS * clients, sizeof *requests);
	struct latency l = { NAN, NAN, 0 };

	engine.host_s = host_s(v, c, row);
	engine.eager_s = has_graph(c, row) ? 0 : EAGER_LAYER_S * m->layers;
	for (size_t i = 0; requests && i < ROUNDS * clients; i++)
		requests[i] = (struct request){ 0, csv_number(c, row, ISL), output };
	if (requests) {
		struct serving_setup setup = setup_of(c, row, &engine, requests);
		setup.cache_tokens = cache_tokens(c, row, m, g, q);
		struct serving_run run = serving_simulate(&a, &setup);
		l = mean_latency(&run, output);
	}
	v->arena.failed |= a.failed;
	arena_release(&a);
	return l;
}

static void predict_row(struct validation *v, size_t file, size_t row, const struct model *m)
{
	const struct csv *c = &v->files[file];
	/* One reason is enough, and a row is left out once. */
	const struct accelerator *g = m ? validation_gpu(v, file, row, SYSTEM) : NULL;
	double clients = csv_number(c, row, CLIENTS);
	char name[24];

	if (!g)
		return;
	const struct quant *q = quant_of(c, row);
	if (!q) {
		validation_skip(v, file, row,
			"gemm_quant: expected bfloat16, fp8, int8_wo, int4_wo or nvfp4, found "
			"\"%s\"",
			csv_text(c, row, QUANT, name, sizeof name));
		return;
	}
	if (csv_number(c, row, ATTN_DP) > 1 && !m->made_of) {
		validation_skip(v, file, row,
			"attn_dp: expected 1, no experts are shared by several copies, found "
			"%g",
			csv_number(c, row, ATTN_DP));
		return;
	}
	const struct engine_layout how = layout_of(c, row);
	if (how.ep > how.tp * how.copies) {
		validation_skip(v, file, row,
			"moe_ep: expected at most tp x attn_dp, %g GPUs, found %g",
			how.tp * how.copies, how.ep);
		return;
	}
	struct latency l = simulate(v, file, row, m, g, q);
	if (!l.n) {
		validation_skip(v, file, row, "no request fits in the GPUs' memory");
		return;
	}
	/* A blank time was not measured, and a single token has no time between tokens. */
	double tpot_ms = csv_number(c, row, TPOT), ttft_ms = csv_number(c, row, TTFT);
	uint8_t tpot = validation_group(v, true, "tpot_ms %s", m->id);
	uint8_t ttft = validation_group(
		v, false, "ttft_ms %s %s", clients > 16 ? "above 16" : "up to 16", m->id);
	if (!isnan(tpot_ms) && csv_number(c, row, OSL) > 1)
		validation_add(v, file, row, tpot, 1e3 * l.tpot_s, tpot_ms);
	if (!isnan(ttft_ms))
		validation_add(v, file, row, ttft, 1e3 * l.ttft_s, ttft_ms);
	if (isnan(tpot_ms) && isnan(ttft_ms))
		validation_skip(v, file, row, "neither tpot_ms nor ttft_ms is given");
}

static void predict(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		predict_row(v, file, row, validation_model(v, file, row, MODEL));
}

static void predict_any(struct validation *v, size_t file)
{
	for (size_t row = 0; row < v->files[file].n_rows; row++)
		predict_row(v, file, row, validation_any_model(v, file, row, MODEL));
}

/* Requests that decode at once, of the clients of a server, where the measured times are those of a
 * steady state (Little's law): what waits for its first token does not. All of them where a time was
 * not measured. */
static double running_of(const struct csv *c, size_t row)
{
	const double clients = (double)clients_of(c, row);
	const double waits = csv_number(c, row, TTFT);
	const double decodes = csv_number(c, row, TPOT) * csv_number(c, row, OSL);
	return isnan(waits + decodes) ? clients : clients * decodes / (waits + decodes);
}

static void describe(
	const struct validation *v, const struct prediction *p, struct measured_words *w)
{
	const struct csv *c = &v->files[p->file];
	double tp = csv_number(c, p->row, TP), clients = csv_number(c, p->row, CLIENTS);
	double isl = csv_number(c, p->row, ISL), osl = csv_number(c, p->row, OSL);
	const struct quant *q = quant_of(c, p->row);
	char system[24], model[32];

	csv_text(c, p->row, SYSTEM, system, sizeof system);
	csv_text(c, p->row, MODEL, model, sizeof model);
	const struct model *m = measured_model_at(v->tables, c, p->row, MODEL);
	const struct accelerator *g = measured_gpu_at(v->tables, c, p->row, SYSTEM);
	double room = cache_tokens(c, p->row, m, g, q);
	double running = running_of(c, p->row), held = running * (isl + osl / 2);
	snprintf(w->what, sizeof w->what, "%s %s tp %g, %g + %g tokens, %g clients", system, model,
		tp, isl, osl, clients);
	snprintf(w->thought, sizeof w->thought,
		"%.7s; room for %.0f such requests; by the measured times %.0f ran at once, and to "
		"read what they need takes %.1f ms",
		v->groups[p->group].name, room / (isl + osl), running,
		1e3 * decode_floor_s(m, g, (int)tp, value_type_dtype(q->weights), running, held));
}

static const struct measured_source sources[] = {
	{ .files = { "serving.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.most_rows = MOST_ROWS,
		.predict = predict,
		.describe = describe },
};

static void assume(struct figure *fig)
{
	figure_assume(fig,
		"continuous batching, cache in %g of the memory, prefill chunks of %s tokens "
		"(vLLM: %s); each client asks %d times, all of them at first at once",
		ENGINE_MEMORY_SHARE, figure_quantity(fig, (double)engines[TRTLLM].chunk_tokens, ""),
		figure_quantity(fig, (double)engines[VLLM].chunk_tokens, ""), ROUNDS);
}

static const struct measured_source moe_sources[] = {
	{ .files = { "serving_moe.csv" },
		.from = "NVIDIA aiconfigurator",
		.columns = columns,
		.n_columns = N_COLUMNS,
		.most_rows = MOST_ROWS,
		.predict = predict_any,
		.describe = describe },
};

const struct measured_model measured_serving_moe = {
	.id = "serving_moe",
	.title = "LLM servers of mixtures",
	.predicts = "mean time per output token; by itself: mean time to the first",
	.assume = assume,
	.quantity = "time",
	.unit = "ms",
	.sources = moe_sources,
	.n_sources = 1,
	.marks = { { "tpot_ms", 0.5, 0.2, "TPOT: median <= 20 %" } },
};

const struct measured_model measured_serving = {
	.id = "serving",
	.title = "LLM servers",
	.predicts = "mean time per output token; by itself: mean time to the first",
	.assume = assume,
	.quantity = "time",
	.unit = "ms",
	.sources = sources,
	.n_sources = 1,
	.marks = { { "tpot_ms", 0.5, 0.2, "TPOT: median <= 20 %" },
		{ "ttft_ms above", 0.5, 0.4, "TTFT above 16 clients: median <= 40 %" } },
	.constants = constants,
	.n_constants = N_CONSTANTS,
	.held = { { "GPU", SYSTEM }, { "model", MODEL } },
};
