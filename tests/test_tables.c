/* The tables of hardware and models: the figures are the published ones, and bad files are
 * refused. */
#include "sims/formulas/inference.h"
#include "sims/tables/tables.h"
#include "sims/tables/tables_image.h"
#include "sims/tables/trace.h"
#include "tests/settings.h"
#include "ui/data/content.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What travels with ridge, whatever the user who runs the tests has in ~/.config. */
static struct tables shipped(void)
{
	struct tables t;
	char err[512] = "";

	unsetenv("RIDGE_CONTENT");
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	return t;
}

static const struct accelerator *gpu(const struct tables *t, const char *id)
{
	const struct accelerator *g = gpu_find(t, id);
	cr_assert(not(zero(ptr, (void *)g)), "%s", id);
	return g;
}

Test(tables, dtypes)
{
	static const struct {
		enum dtype d;
		const char *id, *name;
		double bytes;
	} rows[] = { { DTYPE_FP32, "fp32", "FP32", 4 }, { DTYPE_TF32, "tf32", "TF32", 4 },
		{ DTYPE_FP16, "fp16", "FP16", 2 }, { DTYPE_BF16, "bf16", "BF16", 2 },
		{ DTYPE_FP8, "fp8", "FP8", 1 }, { DTYPE_INT8, "int8", "INT8", 1 },
		{ DTYPE_FP4, "fp4", "FP4", 0.5 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		cr_expect(eq(str, (char *)dtype_ids[rows[i].d], (char *)rows[i].id));
		cr_expect(eq(str, (char *)dtype_names[rows[i].d], (char *)rows[i].name));
		cr_expect(eq(dbl, dtype_bytes(rows[i].d), rows[i].bytes));
	}
	cr_expect(eq(sz, COUNT(rows), N_DTYPES));
	cr_expect(zero(ptr, (void *)dtype_ids[N_DTYPES]));
}

/* Ridge points of the published datasheets, FLOP/B. */
Test(tables, ridge_points)
{
	static const struct {
		const char *id;
		enum dtype d;
		double ridge;
	} rows[] = { { "v100", DTYPE_FP16, 138.9 }, { "a10", DTYPE_BF16, 208.3 },
		{ "a100-40", DTYPE_BF16, 200.6 }, { "a100", DTYPE_BF16, 153.0 },
		{ "h100", DTYPE_BF16, 295.3 }, { "h100-pcie", DTYPE_BF16, 378.0 },
		{ "h200", DTYPE_BF16, 206.1 }, { "b200", DTYPE_BF16, 281.25 },
		{ "a100", DTYPE_INT8, 306.0 }, { "h100", DTYPE_FP8, 590.7 } };
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accelerator *g = gpu(&t, rows[i].id);
		cr_expect(epsilon_eq(dbl, g->peak_flops[rows[i].d] / g->bandwidth, rows[i].ridge,
				  0.051),
			"%s", rows[i].id);
	}
	tables_release(&t);
}

/* The reading of units is exact: no figure is off by a bit. */
Test(tables, exact_figures)
{
	struct tables t = shipped();
	const struct accelerator *a = gpu(&t, "a100"), *h = gpu(&t, "h100"), *v = gpu(&t, "v100");

	cr_expect(eq(dbl, a->peak_flops[DTYPE_BF16], 312e12));
	cr_expect(eq(dbl, a->bandwidth, 2039e9));
	cr_expect(eq(dbl, a->memory_bytes, 80e9));
	cr_expect(eq(dbl, a->l2_bytes, 41943040));   /* as deviceQuery prints */
	cr_expect(eq(dbl, a->shared_bytes, 167936)); /* 164 KB in the same print */
	cr_expect(eq(dbl, a->clock_hz, 1410e6));
	cr_expect(eq(dbl, a->sm_count, 108));
	cr_expect(eq(dbl, a->link_bandwidth, 300e9)); /* one direction of 600 */
	cr_expect(eq(dbl, gpu_domain(a), 8));
	cr_expect(eq(dbl, gpu_domain(gpu(&t, "gb200")), 72));
	cr_expect(eq(dbl, gpu_domain(gpu(&t, "gb300")), 72));
	cr_expect(eq(dbl, a->power_w, 400));
	cr_expect(eq(int, a->year, 2020));
	cr_expect(epsilon_eq(dbl, h->peak_flops[DTYPE_BF16], 989.4e12, 1));
	cr_expect(eq(dbl, h->bandwidth, 3350e9));
	cr_expect(zero(dbl, v->peak_flops[DTYPE_BF16])); /* Volta has none */
	cr_expect(zero(dbl, v->peak_flops[DTYPE_FP8]));
	cr_expect(eq(dbl, v->peak_flops[DTYPE_FP16], 125e12));
	tables_release(&t);
}

/* F1.7: peak = SMs x FMA per SM and clock x 2 x clock, with the FMA of the architecture. */
Test(tables, peaks_follow_from_units)
{
	static const struct {
		const char *id;
		double fma;
	} rows[] = { { "v100", 8 * 64 }, { "t4", 8 * 64 }, { "a10", 4 * 128 }, { "a100", 4 * 256 },
		{ "h100", 4 * 512 }, { "h100-pcie", 4 * 512 }, { "h200", 4 * 512 },
		{ "b200", 4 * 1024 }, { "gb200", 4 * 1024 }, { "l4", 4 * 128 }, { "l40s", 4 * 128 },
		{ "rtx4090", 4 * 64 }, { "orin", 4 * 256 }, { "orin-32", 4 * 256 },
		{ "thor", 4 * 1024 }, { "mi300x", 4 * 256 }, { "mi325x", 4 * 256 },
		{ "mi355x", 4 * 512 }, { "v100-pcie", 8 * 64 }, { "rtx2080ti", 4 * 64 },
		{ "a30", 4 * 256 }, { "a100-pcie-40", 4 * 256 }, { "a10g", 2 * 128 },
		{ "a40", 4 * 128 }, { "a6000", 4 * 128 }, { "a5000", 4 * 128 },
		{ "rtx3090", 4 * 64 }, { "l40", 4 * 64 }, { "rtx6000-ada", 4 * 128 },
		{ "rtx5090", 4 * 64 }, { "h100-nvl", 4 * 512 }, { "gh200", 4 * 512 },
		{ "b100", 4 * 1024 }, { "gb300", 4 * 1024 }, { "a800", 4 * 256 },
		{ "h800", 4 * 512 }, { "h100-96", 4 * 512 } };
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accelerator *g = gpu(&t, rows[i].id);
		double peak = g->sm_count * rows[i].fma * 2 * g->clock_hz;
		/* vendors round to a few per cent: 362.05 and 366.4 for the L40S */
		cr_expect(epsilon_eq(dbl, g->peak_flops[DTYPE_FP16] / peak, 1, 0.02), "%s",
			rows[i].id);
	}
	tables_release(&t);
}

Test(tables, kv_cache_per_token)
{
	static const struct {
		const char *id;
		double bytes;
	} rows[] = { { "llama-7b", 524288 }, { "llama2-7b", 524288 }, { "llama2-13b", 819200 },
		{ "llama2-70b", 327680 }, { "llama3-70b", 327680 }, { "llama3-8b", 131072 },
		{ "mistral-7b", 131072 } };
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct model *m = model_find(&t, rows[i].id);
		cr_assert(not(zero(ptr, (void *)m)), "%s", rows[i].id);
		double bytes = CALL(kv_cache_bytes, .layers = m->layers, .kv_heads = m->kv_heads,
			.head_dim = m->head_dim, .tokens = 1,
			.bytes_per_value = dtype_bytes(DTYPE_BF16));
		cr_expect(eq(dbl, bytes, rows[i].bytes), "%s", rows[i].id);
	}
	tables_release(&t);
}

/* Published sizes lie between the shapes' count with tied and with separate embeddings. */
Test(tables, parameters_follow_from_shapes)
{
	struct tables t = shipped();
	cr_assert(ge(sz, t.n_models, 15));
	for (size_t i = 0; i < t.n_models; i++) {
		const struct model *m = &t.models[i];
		double attention = 2 * m->hidden * m->head_dim * (m->heads + m->kv_heads);
		double ffn = (m->gated ? 3 : 2) * m->hidden * m->ffn;
		double body = m->layers * (attention + ffn), embedding = m->vocab * m->hidden;
		cr_expect(ge(dbl, m->params, body + embedding), "%s", m->id);
		cr_expect(le(dbl, m->params, 1.01 * (body + 2 * embedding)), "%s", m->id);
	}
	tables_release(&t);
}

static void expect_figure(const cJSON *figure, const cJSON *sources, const char *id)
{
	const char *source = cJSON_GetStringValue(cJSON_GetArrayItem(figure, 2));
	cr_expect(lt(dbl, 0, cJSON_GetNumberValue(cJSON_GetArrayItem(figure, 0))), "%s.%s", id,
		figure->string);
	cr_assert(source != NULL, "%s.%s", id, figure->string);
	const cJSON *s = cJSON_GetObjectItemCaseSensitive(sources, source);
	cr_assert(s != NULL, "%s.%s: %s", id, figure->string, source);
	const char *address = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s, "address"));
	cr_expect(address && strncmp(address, "https://", 8) == 0, "%s", source);
}

static void expect_figures(const cJSON *object, const cJSON *sources, const char *id)
{
	for (const cJSON *j = object->child; j; j = j->next) {
		cr_expect(cJSON_IsNumber(j) == 0 || strcmp(j->string, "year") == 0, "%s.%s", id,
			j->string);
		if (cJSON_IsArray(j))
			expect_figure(j, sources, id);
		if (cJSON_IsObject(j))
			expect_figures(j, sources, id);
	}
}

Test(tables, every_figure_is_positive_and_sourced)
{
	static const struct {
		const char *file, *list;
	} rows[] = { { "hardware.json", "accelerators" }, { "models.json", "models" } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		void *owned;
		cJSON *top = cJSON_ParseWithOpts(content_read(rows[i].file, NULL, &owned), NULL, 1);
		const cJSON *list = cJSON_GetObjectItemCaseSensitive(top, rows[i].list);
		cr_assert(lt(int, 0, cJSON_GetArraySize(list)));
		for (const cJSON *entry = list->child; entry; entry = entry->next)
			expect_figures(entry, cJSON_GetObjectItemCaseSensitive(top, "sources"),
				cJSON_GetStringValue(
					cJSON_GetObjectItemCaseSensitive(entry, "id")));
		cJSON_Delete(top);
		free(owned);
	}
}

/* A narrower type is never slower, and a price and a power are those of one device. */
Test(tables, accelerators_are_plausible)
{
	static const enum dtype order[] = { DTYPE_FP32, DTYPE_TF32, DTYPE_BF16, DTYPE_FP8,
		DTYPE_FP4 };
	struct tables t = shipped();
	cr_assert(ge(sz, t.n_gpus, 25));
	for (size_t i = 0; i < t.n_gpus; i++) {
		const struct accelerator *g = &t.gpus[i];
		double last = 0;
		for (size_t d = 0; d < COUNT(order); d++) {
			double peak = g->peak_flops[order[d]];
			cr_expect(peak == 0 || peak >= last, "%s %s", g->id, dtype_ids[order[d]]);
			last = fmax(last, peak);
		}
		cr_expect(g->peak_flops[DTYPE_BF16] == 0 || g->peak_flops[DTYPE_FP16] == 0 ||
				  g->peak_flops[DTYPE_BF16] == g->peak_flops[DTYPE_FP16],
			"%s", g->id);
		cr_expect(g->usd_per_hour < 20 && g->power_w < 2000, "%s", g->id);
		cr_expect(lt(dbl, g->l2_bytes, 1e9), "%s", g->id);
		cr_expect(lt(dbl, g->link_bandwidth, g->bandwidth), "%s", g->id);
		cr_expect(g->achieved.launch_s > 1e-7 && g->achieved.launch_s < 1e-4, "%s", g->id);
	}
	tables_release(&t);
}

/* DeepSeek published two models of one shape, which stand in one row. */
Test(tables, a_name_of_two_is_a_plural)
{
	struct tables t = shipped();
	cr_expect(eq(str, (char *)model_does(any_model_find(&t, "deepseek-v3")), "do"));
	cr_expect(eq(str, (char *)model_does(model_find(&t, "llama3-70b")), "does"));
	tables_release(&t);
}

Test(tables, parameters_by_name)
{
	static const struct {
		const char *gpu, *name;
		double value;
	} rows[] = { { "a100", "peak_flops", 312e12 }, { "v100", "peak_flops", 125e12 },
		{ "a100", "bandwidth", 2039e9 }, { "a100", "memory_bytes", 80e9 },
		{ "a100", "link_bandwidth", 300e9 }, { "a10", "link_bandwidth", 0 },
		{ "a100", "fp32_flops", 19.5e12 }, { "a100", "tf32_flops", 156e12 },
		{ "v100", "tf32_flops", 0 }, { "a100", "shared_bytes", 164 * 1024 },
		{ "a100", "sm_count", 108 }, { "a100", "clock", 1410e6 }, { "a100", "power", 400 },
		{ "a100", "layers", 0 }, { "a100", "", 0 } };
	static const struct {
		const char *name;
		double value;
	} model_rows[] = { { "params", 68976648192 }, { "layers", 80 }, { "hidden", 8192 },
		{ "heads", 64 }, { "kv_heads", 8 }, { "head_dim", 128 }, { "ffn", 28672 },
		{ "vocab", 32000 }, { "bandwidth", 0 } };
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++) {
		double value = 0;
		int known = gpu_parameter(gpu(&t, rows[i].gpu), rows[i].name, &value);
		cr_expect(eq(dbl, value, rows[i].value), "%s", rows[i].name);
		cr_expect(eq(int, known, rows[i].value != 0), "%s", rows[i].name);
	}
	for (size_t i = 0; i < COUNT(model_rows); i++) {
		double value = 0;
		int known =
			model_parameter(model_find(&t, "llama2-70b"), model_rows[i].name, &value);
		cr_expect(eq(dbl, value, model_rows[i].value), "%s", model_rows[i].name);
		cr_expect(eq(int, known, model_rows[i].value != 0), "%s", model_rows[i].name);
	}
	cr_expect(zero(ptr, (void *)gpu_find(&t, "A100")));
	cr_expect(zero(ptr, (void *)model_find(&t, "")));
	cr_expect(zero(ptr, (void *)trace_find(&t, "azure")));
	tables_release(&t);
}

/* JSON is written with ' for " here. */
static const char *quoted(const char *s, char buf[static 4096])
{
	size_t n = 0;
	for (; *s && n < 4095; s++)
		buf[n++] = *s == '\'' ? '"' : *s;
	buf[n] = '\0';
	return buf;
}

#define SOURCES "'sources':{'me':{'title':'t','address':'a'}}"
#define FILE_OF(list, entries) "{" SOURCES ",'" list "':[" entries "]}"
#define GPUS(entries) FILE_OF("accelerators", entries)
#define NAMED "'id':'x','name':'X','family':'f',"
#define MEMORY "'memory':[1,'GB','me'],'bandwidth':[100,'GB/s','me']"
#define PEAK "'bf16':[1,'TFLOP/s','me'],"
#define GOOD NAMED PEAK MEMORY
#define MODEL(layers, kv_heads)                                                                    \
	FILE_OF("models", "{'id':'m','name':'M','params':[1e9,'','me'],"                           \
			  "'layers':" layers                                                       \
			  ",'hidden':[64,'','me'],'heads':[8,'','me'],'kv_heads':" kv_heads ","    \
			  "'head_dim':[8,'','me'],'ffn':[256,'','me'],'vocab':[100,'','me'],"      \
			  "'context':[512,'token','me'],'gated':true}")

typedef int add_json(struct tables *, const char *, const char *, char *, size_t);

/* A refused file leaves the tables as they were and says in one line where and what. */
static void expect_refused(
	struct tables *t, add_json *add, const char *json, const char *const words[], size_t n)
{
	char err[512] = "", buf[4096];
	const struct accelerator *gpus = t->gpus;
	size_t n_gpus = t->n_gpus, n_models = t->n_models;

	cr_expect(eq(int, add(t, quoted(json, buf), "own.json", err, sizeof err), -1), "%s", json);
	cr_expect(strncmp(err, "own.json: ", 10) == 0, "%s", err);
	cr_expect(zero(ptr, strchr(err, '\n')), "%s", err);
	for (size_t i = 0; i < n && words[i]; i++)
		cr_expect(strstr(err, words[i]) != NULL, "\"%s\" is not in: %s", words[i], err);
	cr_expect(t->gpus == gpus && t->n_gpus == n_gpus && t->n_models == n_models, "%s", json);
}

Test(tables, refused_hardware)
{
	static const struct {
		const char *json, *words[5];
	} rows[] = {
		{ "", { "line 1", "expected JSON" } },
		{ "{\n\n'a' 3}", { "line 3", "expected JSON", "3}" } },
		{ GPUS("{" GOOD "}") "x", { "expected JSON", "\"x\"" } },
		{ "[]", { "expected an object", "accelerators", "a list of 0" } },
		{ "{" SOURCES "}", { "accelerators", "expected a list", "nothing" } },
		{ "{'accelerators':[]}", { "sources", "expected an object", "nothing" } },
		{ "{" SOURCES ",'accelerator':[]}",
			{ "\"accelerator\"", "did you mean \"accelerators\"" } },
		{ "{" SOURCES "," SOURCES ",'accelerators':[]}", { "\"sources\" once", "twice" } },
		{ "{'sources':{'me':{'title':'t'}},'accelerators':[]}",
			{ "sources", "\"address\"", "\"me\"" } },
		{ GPUS("7"), { "accelerator number 1", "expected an object", "found 7" } },
		{ GPUS("{'name':'X'}"), { "accelerator number 1", "id", "missing" } },
		{ GPUS("{'id':3}"), { "id", "expected a text", "found 3" } },
		{ GPUS("{'id':'A 1'}"), { "id", "lower-case", "\"A 1\"" } },
		{ GPUS("{'id':''}"), { "id", "expected 1 to 64 characters", "found 0" } },
		{ GPUS("{'id':'x','name':'\\u001b[2J'}"), { "name", "ASCII", "\"?[2J\"" } },
		{ GPUS("{" NAMED PEAK "'memory':[1,'GB','me']}"),
			{ "accelerator x", "bandwidth", "missing" } },
		{ GPUS("{" GOOD ",'bandwith':[1,'GB/s','me']}"),
			{ "accelerator x", "\"bandwith\"", "did you mean \"bandwidth\"" } },
		{ GPUS("{" GOOD ",'bf16':[1,'TFLOP/s','me']}"), { "bf16", "once", "twice" } },
		{ GPUS("{" NAMED MEMORY "}"), { "accelerator x", "dense peak", "none" } },
		{ GPUS("{" NAMED "'bf16':312}"),
			{ "bf16", "[number, \"unit\", \"source\"]", "found 312" } },
		{ GPUS("{" NAMED "'bf16':[1,'TFLOP/s']}"), { "bf16", "a list of 2" } },
		{ GPUS("{" NAMED "'bf16':[1,'GB/s','me']}"),
			{ "bf16", "such as \"FLOP/s\"", "\"GB/s\"" } },
		{ GPUS("{" NAMED "'bf16':[1,'TFLIP/s','me']}"),
			{ "bf16", "FLOP/s", "\"TFLIP/s\"" } },
		{ GPUS("{" NAMED "'bf16':[1,'TFLOP/s','ma']}"),
			{ "bf16", "source", "\"ma\"", "did you mean \"me\"" } },
		{ GPUS("{" NAMED "'bf16':[-1,'TFLOP/s','me']}"),
			{ "bf16", "expected", "FLOP/s to", "found -1 TFLOP/s" } },
		{ GPUS("{" NAMED "'bf16':[1e999,'TFLOP/s','me']}"),
			{ "bf16", "expected", "infinite" } },
		{ GPUS("{" NAMED "'sm_count':[1.5,'','me']}"),
			{ "sm_count", "whole number", "1.5" } },
		{ GPUS("{" NAMED "'year':1066}"), { "year", "1980 to 2100", "found 1066" } },
		{ GPUS("{" GOOD ",'achieved':3}"),
			{ "achieved", "expected an object", "found 3" } },
		{ GPUS("{" GOOD ",'achieved':{'compute':[1.2,'','me']}}"),
			{ "achieved.compute", "to 1", "1.2" } },
		{ GPUS("{" GOOD ",'achieved':{'measured':1}}"),
			{ "achieved.measured", "true or false" } },
	};
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++)
		expect_refused(&t, tables_add_hardware, rows[i].json, rows[i].words, 5);
	tables_release(&t);
}

Test(tables, refused_models)
{
	static const struct {
		const char *json, *words[4];
	} rows[] = {
		{ MODEL("[0,'','me']", "[8,'','me']"),
			{ "model m", "layers", "expected 1 to", "found 0" } },
		{ MODEL("[2.5,'','me']", "[8,'','me']"), { "model m", "layers", "whole" } },
		{ MODEL("[2,'B','me']", "[8,'','me']"), { "layers", "unit", "\"B\"" } },
		{ MODEL("[2,'','me']", "[3,'','me']"),
			{ "kv_heads", "divisor of heads (8)", "found 3" } },
		{ MODEL("[2,'','me']", "null"), { "kv_heads", "[number", "null" } },
		{ GPUS("{" GOOD "}"), { "\"accelerators\"", "\"models\"" } },
	};
	struct tables t = shipped();
	for (size_t i = 0; i < COUNT(rows); i++)
		expect_refused(&t, tables_add_models, rows[i].json, rows[i].words, 4);
	tables_release(&t);
}

/* One slip costs its entry and no other; the line tells of the first and counts the rest. */
Test(tables, a_faulty_entry_is_left_out_alone)
{
	char err[512] = "", buf[4096];
	struct tables t = shipped();
	size_t n = t.n_gpus;
	const char *json = GPUS("{'id':'bad'},{" GOOD "},{" GOOD "},7");
	cr_expect(eq(
		int, tables_add_hardware(&t, quoted(json, buf), "own.json", err, sizeof err), -1));
	cr_expect(eq(sz, t.n_gpus, n + 1));
	cr_expect(gpu_find(&t, "x") != NULL);
	cr_expect(strstr(err, "accelerator bad: ") != NULL, "%s", err);
	cr_expect(strstr(err, "; 2 more entries left out") != NULL, "%s", err);
	json = GPUS("{" GOOD "},{" GOOD "}");
	*err = '\0';
	cr_expect(eq(
		int, tables_add_hardware(&t, quoted(json, buf), "own.json", err, sizeof err), -1));
	cr_expect(
		strstr(err, "accelerator x: expected this id once in the file") != NULL, "%s", err);
	cr_expect(eq(sz, t.n_gpus, n + 1));
	tables_release(&t);
}

/* No pointer but those to texts: another reading of the files, elsewhere in memory, gives the same. */
Test(tables, image_has_no_pointers)
{
	struct tables t = load_tables(), elsewhere = load_tables();

	for (int kind = 0; kind < N_TABLES_KINDS; kind++) {
		struct image a = tables_image_of(&t, (enum tables_kind)kind, &t.arena),
			     b = tables_image_of(
				     &elsewhere, (enum tables_kind)kind, &elsewhere.arena);
		cr_assert(a.n > 0 && a.n == b.n && a.text_bytes == b.text_bytes);
		cr_assert(eq(sz, a.n_words, b.n_words));
		cr_expect(zero(int, memcmp(a.words, b.words, a.n_words * sizeof *a.words)));
		cr_expect(zero(int, memcmp(a.texts, b.texts, a.text_bytes)));
	}
	tables_release(&elsewhere);
	tables_release(&t);
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) == 0 : a == b;
}

/* What the build puts into the program is what the files say: texts by what they read, and all else
 * to the bit. */
Test(tables, image_has_it_all)
{
	struct tables t = load_tables(), again = { 0 };
	struct image images[N_TABLES_KINDS];

	for (int kind = 0; kind < N_TABLES_KINDS; kind++) {
		images[kind] = tables_image_of(&t, (enum tables_kind)kind, &t.arena);
		cr_assert(zero(
			int, tables_take_image(&again, (enum tables_kind)kind, &images[kind])));
	}
	cr_assert(again.n_gpus == t.n_gpus && again.n_models == t.n_models);
	for (size_t i = 0; i < t.n_gpus; i++) {
		struct accelerator a = t.gpus[i], b = again.gpus[i];
		cr_expect(same_text(a.id, b.id) && same_text(a.name, b.name) &&
			  same_text(a.family, b.family) && same_text(a.processor, b.processor) &&
			  same_text(a.measured_on, b.measured_on));
		a.id = a.name = a.family = a.processor = a.measured_on = NULL;
		b.id = b.name = b.family = b.processor = b.measured_on = NULL;
		cr_expect(zero(int, memcmp(&a, &b, sizeof a)), "%s", t.gpus[i].id);
	}
	for (size_t i = 0; i < t.n_models; i++) {
		struct model a = t.models[i], b = again.models[i];
		cr_expect(same_text(a.id, b.id) && same_text(a.name, b.name));
		a.id = a.name = b.id = b.name = NULL;
		cr_expect(zero(int, memcmp(&a, &b, sizeof a)), "%s", t.models[i].id);
	}
	cr_expect(gpu_find(&again, "a100")->bandwidth > 1e12);
	tables_release(&again);
	tables_release(&t);
}
