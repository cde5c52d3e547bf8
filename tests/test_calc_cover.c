/* What formulas say beside a figure that they do not cover, over the whole tables: every formula for
 * every model either refuses, or is right, or says so in the same line. */
#include "sims/architecture/model_bytes.h"
#include "tests/settings.h"
#include "ui/data/calc_cover.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(calc_cover, .init = load, .fini = unload);

enum { LONG = 131072 };

static const struct model *model_of(size_t i)
{
	return i < t.n_models ? &t.models[i] : &t.composed[i - t.n_models];
}

/* Whether the formula gives that model a figure; where it does, what it says beside it. */
static bool has_figure(const char *formula, const char *with, const struct model *m,
	struct calc_result *r, char *said)
{
	char text[256], err[400];
	snprintf(text, sizeof text, "%s model=%s %s", formula, m->id, with);
	if (calc_evaluate(&t, text, r, err, sizeof err))
		return false;
	calc_uncovered(r, said, COVER_TEXT);
	return true;
}

/* Keys and values of a long sequence in 16 bits, layer by layer: a window's layer keeps its window, a
 * latent one its vector, an encoder nothing. */
static double cache_bytes(const struct model *m)
{
	return m->encoder ? 0 : model_cache_bytes(m, DTYPE_BF16, LONG, 1);
}

/* Layers that see everything: the causal half of all pairs; those with a window: that of each token. */
static double pairs_of(const struct model *m)
{
	double n = LONG, w = m->window > 0 ? fmin(n, m->window) : n;
	double full = m->window > 0 ? m->full_layers : m->layers;
	return full * n * n / 2 + (m->layers - full) * (w * n - w * w / 2);
}

/* Whatever a figure of a cache or of a prompt's work is off by, it says so; and where it is right it says
 * nothing. */
Test(calc_cover, what_is_wrong_says_so)
{
	static const struct {
		const char *id, *with;
		double tokens; /* that the figure is for */
		bool cache;
	} rows[] = { { "kv_cache_bytes", "tokens=131072 bytes_per_value=2", LONG, true },
		{ "windowed_cache_bytes", "tokens=131072 bytes_per_value=2", LONG, true },
		{ "latent_cache_bytes", "tokens=131072 bytes_per_value=2", LONG, true },
		{ "kv_bytes_per_token", "bytes_per_value=2", 1, true },
		{ "prefill_flops", "seq=131072", LONG, false } };
	size_t figures = 0, wrong = 0, models = t.n_models + t.n_composed;
	for (size_t i = 0; i < COUNT(rows); i++)
		for (size_t k = 0; k < models; k++) {
			const struct model *m = model_of(k);
			struct calc_result r;
			char said[COVER_TEXT];
			if (!has_figure(rows[i].id, rows[i].with, m, &r, said))
				continue;
			double prompt =
				2 * m->params * LONG + 4 * m->heads * m->head_dim * pairs_of(m);
			double all = rows[i].cache ? cache_bytes(m) : m->encoder ? 0 : prompt;
			double want = all * rows[i].tokens / LONG;
			bool right = fabs(r.value - want) <= 0.001 * want;
			cr_expect(eq(int, !*said, right), "%s of %s: %g, %g: %s", rows[i].id, m->id,
				r.value, want, said);
			figures++;
			wrong += !right;
		}
	cr_expect(lt(sz, (size_t)150, figures), "%zu", figures);
	cr_expect(lt(sz, (size_t)30, wrong), "%zu", wrong);
}

/* A model that has no experts, or no latent vectors, gets no figure of them without a word; nor one of
 * layers that are not plain a figure of plain ones; nor an encoder one of tokens that it would make. */
Test(calc_cover, no_formula_is_silent)
{
	static const char *const of_parts[] = { "experts", "experts_per_token", "expert_ffn",
		"latent" };
	char said[COVER_TEXT];
	struct calc_result r;
	size_t figures = 0;
	for (size_t f = 0; f < n_formulas; f++)
		for (size_t k = 0; k < t.n_models + t.n_composed; k++) {
			const struct model *m = model_of(k);
			if (!has_figure(formulas[f].id, "", m, &r, said))
				continue;
			figures++;
			for (size_t i = 0; i < COUNT(of_parts); i++) {
				int at = formula_param_index(&formulas[f], of_parts[i]);
				if (at >= 0 && r.origins[at] == CALC_EXAMPLE && !m->made_of)
					cr_expect(strstr(said, "has none") != NULL, "%s of %s: %s",
						formulas[f].id, m->id, said);
			}
			if (m->encoder && strncmp(formulas[f].number, "F9.", 3) == 0)
				cr_expect(strstr(said, "is an encoder") != NULL, "%s of %s",
					formulas[f].id, m->id);
			/* A mixture's parameters are not one number, whatever they are asked for. */
			int params = formula_param_index(&formulas[f], "params");
			if (params >= 0 && model_experts(m) > 0)
				cr_expect(r.origins[params] != CALC_EXAMPLE, "%s of %s",
					formulas[f].id, m->id);
		}
	cr_expect(lt(sz, (size_t)1000, figures), "%zu", figures);
}

Test(calc_cover, by_hand)
{
	static const struct {
		const char *id, *with, *model, *said; /* NULL: nothing to say */
	} rows[] = {
		/* half of 42 layers see 4,096 tokens */
		{ "attention_flops", "seq=8192", "gemma2-9b", "21 see 4096 tokens" },
		{ "attention_flops", "seq=4096", "gemma2-9b", NULL },
		{ "flops_per_token", "seq=8192", "mistral-7b", "32 see 4096 tokens" },
		{ "flops_per_token", "seq=8192", "llama3-8b", NULL },
		{ "time_to_first_token", "seq=8192", "gemma2-9b", "21 see 4096 tokens" },
		{ "time_to_first_token", "", "bert-large", "is an encoder" },
		{ "capacity_bytes", "", "bert-large", "is an encoder" },
		{ "attention_traffic", "", "bert-large", NULL },
		{ "lora_params", "", "mistral-7b", NULL },
		{ "gqa_reduction", "", "mistral-7b", NULL },
		{ "latent_cache_bytes", "", "llama3-8b", "if it had latent attention" },
		{ "latent_cache_bytes", "", "deepseek-v3", NULL },
		{ "expert_params", "", "llama3-8b", "if it had experts" },
		{ "expert_params", "", "mixtral-8x7b", NULL },
		{ "linear_layer_flops", "", "mixtral-8x7b", "has routed experts" },
		{ "attention_flops", "", "qwen3-next-80b-a3b", "layers that attend to all" },
		{ "selective_recompute_share", "", "gpt-oss-120b", "if its layers were plain" },
		{ "activation_bytes", "seq=4096", "llama3-8b", NULL },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct model *m = any_model_find(&t, rows[i].model);
		struct calc_result r;
		char said[COVER_TEXT] = "";
		cr_assert(m && has_figure(rows[i].id, rows[i].with, m, &r, said), "%s of %s",
			rows[i].id, rows[i].model);
		cr_expect(rows[i].said ? strstr(said, rows[i].said) != NULL : !*said,
			"%s of %s: %s", rows[i].id, rows[i].model, said);
	}
}
