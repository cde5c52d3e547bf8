/* What was measured on large models, for comparison. Numbers are copied from the sources named.
 *
 * llama.cpp (MIT): Llama-3-8B, perplexity on Wikitext-2 by quantisation, perplexity README at
 * f364eb6f. wanda (MIT): Llama-2-7B, Wikitext-2 at half the weights, README at 1317b0ba.
 * DeepLearningExamples (Apache-2.0): BERT distillation, README at 729963dd. */
#include "sims/base/array.h"
#include "sims/compression/compression.h"

/* clang-format off */
static const struct {
	const char *name;
	double size_gib, perplexity;
} llama3_8b[] = {
	{ "f16", 14.97, 6.233160 }, { "q8_0", 7.96, 6.234284 }, { "q6_K", 6.14, 6.253382 },
	{ "q5_K_M", 5.33, 6.288607 }, { "q5_K_S", 5.21, 6.336598 }, { "q4_K_M", 4.58, 6.407115 },
	{ "q4_K_S", 4.37, 6.500529 }, { "q4_0", 4.34, 6.700147 }, { "q3_K_L", 4.03, 6.787876 },
	{ "q3_K_M", 3.74, 6.888498 }, { "q3_K_S", 3.41, 7.863786 }, { "q2_K", 2.96, 9.751568 },
};
static const char *const llama2_7b[][4] = {
	{ "none (dense)", "5.12", "5.12", "5.12" },
	{ "half, anywhere", "14.89", "6.51", "6.42" },
	{ "4 of 8", "16.48", "8.12", "7.97" },
	{ "2 of 4", "54.59", "10.17", "11.02" },
};
static const char *const bert[][5] = {
	{ "BERT-base, the teacher", "91.51", "88.58", "1,385", "429" },
	{ "6 layers, 768 wide", "91.97", "88.43", "", "" },
	{ "4 layers, 288 wide", "90.82", "83.09", "", "" },
	{ "4 layers, 312 wide", "", "", "13,600", "2,300" },
};
/* clang-format on */

void published_quantised(struct figure *fig, const struct tables *t)
{
	const struct model *m = model_find(t, "llama3-8b");
	struct plot *p;
	if (!m || !(m->params > 0))
		return;
	p = figure_plot(fig, "Published: Llama-3-8B (llama.cpp)", "Bits per weight", "",
		AXIS_LINEAR, "Perplexity, Wikitext-2", "", AXIS_LINEAR);
	struct series *points = plot_series(fig, p, "Llama-3-8B", SERIES_POINTS, 5);
	if (p) {
		p->x.min = 2;
		p->y.min = 6;
	}
	if (points)
		points->measured = true;
	for (size_t i = 0; i < LENGTH(llama3_8b); i++)
		series_mark(fig, points, llama3_8b[i].size_gib * 0x1p30 * 8 / m->params,
			llama3_8b[i].perplexity, llama3_8b[i].name, ROLE_PLAIN);
}

void published_pruned(struct figure *fig)
{
	static const char *const head[] = { "Pruned", "Magnitude", "SparseGPT", "Wanda" };
	struct table *t = figure_table(fig,
		"Published: perplexity of Llama-2-7B, Wikitext-2, not retrained (wanda)", head, 4,
		"0111");
	for (size_t i = 0; i < LENGTH(llama2_7b); i++)
		table_row(fig, t, llama2_7b[i]);
}

void published_distilled(struct figure *fig)
{
	static const char *const head[] = { "Network", "SST-2 %", "SQuAD F1", "seq/s, 128",
		"seq/s, 384" };
	struct table *t = figure_table(
		fig, "Published: BERT distilled (NVIDIA DeepLearningExamples)", head, 5, "01111");
	for (size_t i = 0; i < LENGTH(bert); i++)
		table_row(fig, t, bert[i]);
}
