/* Benchmarks write "NVIDIA A100-SXM4-80GB (400W)" where the tables have "a100", and
 * "meta-llama/Llama-2-7b-hf" for "llama2-7b". A name is split into words; words that say nothing
 * (makers, form factors, powers, "instruct") are dropped, and the rest has to be known: a word that
 * nobody knows may be what tells two machines apart, so that the name is then refused. */
#include "sims/architecture/model_architecture.h"
#include "sims/published/names.h"

#include "sims/base/array.h"
#include "sims/base/match.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 24, LONGEST = MEASURED_NAME, MOST_NAMES = 256 };

/* The words of a name in lower case, without what stands in brackets or before a slash. */
struct name_words {
	char text[LONGEST];
	const char *word[WORDS];
	size_t n;
};

static struct name_words *split(struct name_words *w, const char *name, const char *separators)
{
	/* A maker stands before a slash; "(w/o MTP)" names none. */
	const char *slash = NULL;
	for (const char *s = name; *s && *s != '('; s++)
		slash = *s == '/' ? s : slash;
	size_t n = 0;
	bool inside = false;

	*w = (struct name_words){ 0 };
	for (const char *s = slash ? slash + 1 : name; *s && *s != '(' && n + 1 < LONGEST; s++) {
		bool gap = strchr(separators, *s) != NULL;
		w->text[n] = gap ? '\0' : (char)tolower((unsigned char)*s);
		if (!gap && !inside && w->n < WORDS)
			w->word[w->n++] = &w->text[n];
		inside = !gap;
		n++;
	}
	w->text[n] = '\0';
	return w;
}

static bool among(const char *word, const char *const list[])
{
	for (size_t i = 0; list[i]; i++)
		if (strcmp(word, list[i]) == 0)
			return true;
	return false;
}

static bool same_word(const char *a, const char *b)
{
	while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
		a++, b++;
	return !*a && !*b;
}

/* --- GPUs --- */

static const struct accelerator *gpu_by_id_or_name(const struct tables *t, const char *text)
{
	for (size_t i = 0; i < t->n_gpus; i++)
		if (same_word(t->gpus[i].id, text) || same_word(t->gpus[i].name, text))
			return &t->gpus[i];
	return NULL;
}

static const struct accelerator *gpu_variant(
	const struct tables *t, const char *base, const char *suffix)
{
	char id[2 * LONGEST];

	snprintf(id, sizeof id, "%s-%s", base, suffix);
	return gpu_find(t, id);
}

static const struct accelerator *gpu_joined(
	const struct tables *t, const char *base, const char *suffix)
{
	char id[2 * LONGEST];

	snprintf(id, sizeof id, "%s%s", base, suffix);
	const struct accelerator *g = gpu_find(t, id);
	return g ? g : gpu_variant(t, base, suffix);
}

/* 80 for "80gb", and for "80", which a "gb" may follow; 0 for other words. */
static double memory_GB(const char *word)
{
	char *end;
	double n = strtod(word, &end);

	return end > word && (*end == '\0' || strcmp(end, "gb") == 0 || strcmp(end, "g") == 0) ? n
											       : 0;
}

/* Whether the word is a power such as "700w". */
static bool is_power(const char *word)
{
	size_t n = strspn(word, "0123456789");

	return n > 0 && strcmp(word + n, "w") == 0;
}

struct gpu_words {
	const struct accelerator *gpu;
	const char *base;
	bool pcie;
};

/* Takes a word that follows the GPU's own; false where it says something unknown. */
static bool take_gpu_word(const struct tables *t, struct gpu_words *g, const char *word)
{
	static const char *const said_anyway[] = { "sxm", "sxm2", "sxm3", "sxm4", "sxm5", "sxm6",
		"hgx", "dgx", "oam", "nvl72", "gpu", "gb", "cts", "tensor", "core", "gracehopper",
		"superchip", "generation", "hbm2", "hbm2e", "hbm3", "hbm3e", "nps1", "spx", NULL };
	char size[16];
	double GB = memory_GB(word);

	if (strcmp(word, "pcie") == 0) {
		g->pcie = true;
		return true;
	}
	if (GB <= 0 || GB > 1e4) {
		const struct accelerator *other = gpu_variant(t, g->base, word);
		if (other)
			g->gpu = other;
		return other || is_power(word) || among(word, said_anyway);
	}
	snprintf(size, sizeof size, g->pcie ? "pcie-%g" : "%g", GB);
	const struct accelerator *other = gpu_variant(t, g->base, size);
	if (other)
		g->gpu = other;
	return GB * 1e9 <= 1.08 * g->gpu->memory_bytes;
}

/* Names without a product number. */
static const char *other_name(const char *text)
{
	static const struct {
		const char *written, *id;
	} names[] = { { "TPU-trillium", "tpu-v6e" }, { "TPU trillium", "tpu-v6e" },
		{ "trillium", "tpu-v6e" } };

	for (size_t i = 0; i < LENGTH(names); i++)
		if (same_word(names[i].written, text))
			return names[i].id;
	return text;
}

/* Finds "B200-SXM-180GB" in "NVIDIA Blackwell GPU (B200-SXM-180GB)"; false where nothing stands in
 * brackets. */
static bool within_brackets(const char *text, char *inside, size_t size)
{
	const char *from = strchr(text, '('), *to = from ? strchr(from, ')') : NULL;

	if (!to || (size_t)(to - from) > size)
		return false;
	snprintf(inside, size, "%.*s", (int)(to - from - 1), from + 1);
	return true;
}

static const struct accelerator *gpu_in_words(const struct tables *t, const char *text, bool inside)
{
	static const char *const makers[] = { "nvidia", "tesla", "amd", "instinct", "geforce",
		"jetson", "agx", "rtx", "google", "intel", "habana", "hopper", "blackwell", "ultra",
		"gpu", "dgx", "hgx", NULL };
	const struct accelerator *exact = gpu_by_id_or_name(t, other_name(text));
	struct name_words w;
	char rtx[LONGEST + 4];
	size_t i = 0;

	if (exact)
		return exact;
	split(&w, text, " -_,");
	while (i < w.n && among(w.word[i], makers))
		i++;
	if (i == w.n)
		return !inside && within_brackets(text, rtx, sizeof rtx)
			       ? gpu_in_words(t, rtx, true)
			       : NULL;
	struct gpu_words g = { gpu_find(t, w.word[i]), w.word[i], false };
	if (!g.gpu && isdigit((unsigned char)*w.word[i])) {
		snprintf(rtx, sizeof rtx, "rtx%s", w.word[i]);
		g.gpu = gpu_find(t, rtx);
		g.base = rtx;
	}
	/* "2080 Ti", "6000 Ada" */
	if (!g.gpu && i + 1 < w.n)
		g.gpu = gpu_joined(t, g.base, w.word[++i]);
	if (!g.gpu)
		return NULL;
	for (i++; i < w.n; i++)
		if (!take_gpu_word(t, &g, w.word[i]))
			return NULL;
	if (!g.pcie || g.gpu->link_bandwidth <= 0)
		return g.gpu;
	return gpu_variant(t, g.base, "pcie");
}

const struct accelerator *measured_gpu(const struct tables *t, const char *text)
{
	return gpu_in_words(t, text, false);
}

/* --- Models --- */

/* The name without the signs between its words, so that "Llama-2-7b" equals "llama2-7b". */
static void squeeze(const char *name, char *out, size_t size)
{
	size_t n = 0;

	for (; *name && n + 1 < size; name++)
		if (!strchr("-_ ", *name))
			out[n++] = (char)tolower((unsigned char)*name);
	out[n] = '\0';
}

static bool same_squeezed(const char *name, const char *squeezed)
{
	for (;; name++, squeezed++) {
		name += strspn(name, "-_ ");
		if (*name == '\0' || tolower((unsigned char)*name) != *squeezed)
			return *name == *squeezed;
	}
}

static const struct model *row_squeezed(const struct model rows[], size_t n, const char *squeezed)
{
	for (size_t i = 0; i < n; i++)
		if (same_squeezed(rows[i].id, squeezed))
			return &rows[i];
	return NULL;
}

static const struct model *model_squeezed(const struct tables *t, const char *squeezed)
{
	const struct model *m = row_squeezed(t->models, t->n_models, squeezed);
	return m ? m : row_squeezed(t->composed, t->n_composed, squeezed);
}

/* Later releases of the same shape, and models that were tuned from another. */
static const struct {
	const char *begins, *with;
} same_shape[] = { { "llama3.1nemotron", "llama3" }, { "llama3.1", "llama3" },
	{ "llama3.3", "llama3" }, { "llama30b", "llama33b" }, { "vicuna", "llama" },
	{ "codellama", "llama2" }, { "yi1.5", "yi" }, { "qwen2.5coder", "qwen2.5" },
	{ "qwen2.5math", "qwen2.5" }, { "mistralsmall3.1", "mistralsmall" },
	{ "mistralsmall3.2", "mistralsmall" }, { "deepseekr1distillllama", "llama3" },
	{ "deepseekr1distillqwen", "qwen2.5" }, { "deepseekllm", "deepseek" },
	{ "qwen1.5", "qwen" }, { "qwen27b", "qwen2.57b" }, { "qwen272b", "qwen2.572b" },
	{ "qwq", "qwen2.5" }, { "phi4", "phi414b" }, { "mistralnemo", "mistralnemo12b" },
	{ "mistrallarge", "mistrallarge123b" }, { "bloom", "bloom176b" } };

const struct model *measured_model_named(const struct tables *t, const char *text)
{
	static const char *const said_anyway[] = { "hf", "instruct", "chat", "base", "meta", "it",
		"v0.1", "v0.2", "v0.3", "v1.0", "v1.3", "v1.5", "fp8", "fp4", "nvfp4", "bf16",
		"fp16", "awq", "gptq", "int4", "int8", "w8a8", "w4a16", "dynamic", "kv", "4k", "8k",
		"32k", "128k", "1m", "2407", "2411", "2501", "2503", "2506", "2507", NULL };
	struct name_words w;
	char joined[LONGEST] = "", other[2 * LONGEST];

	split(&w, text, " -_");
	for (size_t i = 0; i < w.n; i++)
		if (!among(w.word[i], said_anyway))
			strncat(joined, w.word[i], sizeof joined - 1 - strlen(joined));
	const struct model *m = model_squeezed(t, joined);
	for (size_t i = 0; !m && i < LENGTH(same_shape); i++) {
		size_t n = strlen(same_shape[i].begins);
		if (strncmp(joined, same_shape[i].begins, n) != 0)
			continue;
		snprintf(other, sizeof other, "%s%s", same_shape[i].with, joined + n);
		m = model_squeezed(t, other);
	}
	return m;
}

/* --- Cells --- */

/* False where the cell does not fit: what is cut may be another name. */
static bool name_at(const struct csv *c, size_t row, size_t column, char text[static MEASURED_NAME])
{
	csv_text(c, row, column, text, MEASURED_NAME);
	return strlen(text) + 1 < MEASURED_NAME;
}

const struct accelerator *measured_gpu_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column)
{
	char text[MEASURED_NAME];

	return name_at(c, row, column, text) ? measured_gpu(t, text) : NULL;
}

const struct model *measured_model_at(
	const struct tables *t, const struct csv *c, size_t row, size_t column)
{
	char text[MEASURED_NAME];

	return name_at(c, row, column, text) ? measured_model_named(t, text) : NULL;
}

static void gpu_hint(const struct tables *t, const char *text, char hint[HINT_SIZE])
{
	const char *ids[MOST_NAMES];
	size_t n = t->n_gpus < MOST_NAMES ? t->n_gpus : MOST_NAMES;

	for (size_t i = 0; i < n; i++)
		ids[i] = t->gpus[i].id;
	did_you_mean(text, ids, n, hint, HINT_SIZE);
}

static void model_hint(const struct tables *t, const char *text, char hint[HINT_SIZE])
{
	const char *ids[MOST_NAMES];
	size_t n = t->n_models < MOST_NAMES ? t->n_models : MOST_NAMES;

	for (size_t i = 0; i < n; i++)
		ids[i] = t->models[i].id;
	did_you_mean(text, ids, n, hint, HINT_SIZE);
}

bool measured_is(const struct csv *c, size_t row, size_t column, const char *text)
{
	char cell[MEASURED_NAME], squeezed[MEASURED_NAME];

	squeeze(csv_text(c, row, column, cell, sizeof cell), squeezed, sizeof squeezed);
	return same_squeezed(text, squeezed);
}

/* Whether the name belongs to a mixture of experts. */
static bool has_experts(const char *name)
{
	static const char *const parts[] = { "mixtral", "moe", "8x7b", "8x22b", "a3b", "a22b",
		"a35b", "deepseekv2", "deepseekv3", "deepseekr1", "gptoss", "llama4", "kimi",
		"glm4.5", "minimax", NULL };
	char squeezed[MEASURED_NAME];

	squeeze(name, squeezed, sizeof squeezed);
	for (size_t i = 0; parts[i]; i++)
		if (strstr(squeezed, parts[i]))
			return true;
	return false;
}

/* Tables repeat a few names: the last ones are remembered, and the oldest gives way. */
static struct measured_name *remembered(struct measured_names *names, const char *text, bool *found)
{
	size_t most = MEASURED_NAMES;

	for (size_t i = 0; i < names->n && i < most; i++)
		if (strcmp(names->known[i].text, text) == 0) {
			*found = true;
			return &names->known[i];
		}
	*found = false;
	struct measured_name *k = &names->known[names->n++ % most];
	*k = (struct measured_name){ 0 };
	snprintf(k->text, sizeof k->text, "%s", text);
	return k;
}

static void say_unknown(struct validation *v, size_t file, size_t row, size_t column,
	const char *what, const struct measured_name *k)
{
	validation_skip(v, file, row, "%s: unknown %s \"%s\"%s",
		v->files[file].columns[column].name, what, k->text, k->hint);
}

const struct accelerator *validation_gpu(
	struct validation *v, size_t file, size_t row, size_t column)
{
	assert(file < v->n_files && column < v->files[file].n_columns);
	const struct csv *c = &v->files[file];
	char text[MEASURED_NAME];
	bool found;

	csv_text(c, row, column, text, sizeof text);
	struct measured_name *k = remembered(&v->gpus, text, &found);
	if (!found) {
		k->is = measured_gpu_at(v->tables, c, row, column);
		/* Once no further reasons are kept, nobody would read it. */
		if (!k->is && v->faults.n_reasons < CSV_REASONS)
			gpu_hint(v->tables, text, k->hint);
	}
	if (!k->is)
		say_unknown(v, file, row, column, "GPU", k);
	return k->is;
}

static const struct measured_name *model_name(
	struct validation *v, size_t file, size_t row, size_t column)
{
	const struct csv *c = &v->files[file];
	char text[MEASURED_NAME];
	bool found;

	csv_text(c, row, column, text, sizeof text);
	struct measured_name *k = remembered(&v->models, text, &found);
	if (!found) {
		k->is = measured_model_at(v->tables, c, row, column);
		if (!k->is && v->faults.n_reasons < CSV_REASONS)
			model_hint(v->tables, text, k->hint);
	}
	return k;
}

const struct model *validation_model(struct validation *v, size_t file, size_t row, size_t column)
{
	assert(file < v->n_files && column < v->files[file].n_columns);
	const struct measured_name *k = model_name(v, file, row, column);
	const struct model *m = k->is;
	if (m && !m->made_of)
		return m;
	if (m || has_experts(k->text))
		validation_skip(v, file, row, "%s: expected a dense model, \"%s\" has %s",
			v->files[file].columns[column].name, k->text,
			m ? architecture_beyond_a_row(m->made_of) : "routed experts");
	else
		say_unknown(v, file, row, column, "model", k);
	return NULL;
}

const struct model *validation_any_model(
	struct validation *v, size_t file, size_t row, size_t column)
{
	assert(file < v->n_files && column < v->files[file].n_columns);
	const struct measured_name *k = model_name(v, file, row, column);
	if (!k->is)
		say_unknown(v, file, row, column, "model", k);
	return k->is;
}
