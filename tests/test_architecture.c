/* Models counted from their configuration. Exact totals are those of the published checkpoints (the
 * number of parameters that a model's page shows), caches those printed in the threads named; the rest
 * is worked by hand beside it. */
#include "sims/architecture/config.h"
#include "sims/architecture/model_architecture.h"
#include "sims/base/rng.h"
#include "ui/data/architecture_list.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct architecture read_model(const char *json)
{
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_read(&a, json, err, sizeof err)), "%s\n%s", err, json);
	return a;
}

static double total_of(const char *json)
{
	const struct architecture a = read_model(json);
	return architecture_parameters(&a).total;
}

/* --- Counts --- */

/* Llama 3 8B. A layer: q and o 4096 x 4096, k and v 4096 x 1024, three matrices of 4096 x 14336, two
 * norms: 218,112,000; 32 of them, embedding and head of 128256 x 4096 each, and a norm. */
Test(architecture, a_plain_decoder_worked_by_hand)
{
	static const char json[] =
		"{\"model_type\":\"llama\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
		"\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
		"\"vocab_size\":128256,\"max_position_embeddings\":8192}";
	const struct architecture a = read_model(json);
	const struct parameter_count c = architecture_parameters(&a);
	const double layer = 2 * 4096. * 4096 + 2 * 4096. * 1024 + 3 * 4096. * 14336 + 2 * 4096;
	cr_expect(eq(dbl, layer, 218112000));
	cr_expect(eq(dbl, c.total, 32 * layer + 2 * 128256. * 4096 + 4096));
	cr_expect(eq(dbl, c.total, 8030261248));
	cr_expect(eq(dbl, c.active, c.total));
	cr_expect(eq(dbl, c.active_without_embedding, c.total - 128256. * 4096));
	/* Keys and values of 8 heads of 128 in 32 layers, two bytes each: 131,072 B a token. */
	cr_expect(eq(dbl, 2 * architecture_cache_elements(&a, 1), 131072));
	/* Two for each matrix parameter of layers and head, and 4 x 4096 x 32 for each token seen. */
	cr_expect(eq(dbl, architecture_token_flops(&a, 1000),
		2 * (32 * (layer - 8192) + 128256. * 4096) + 4 * 4096. * 32 * 1000));
	/* Four tokens see 1 + 2 + 3 + 4. */
	cr_expect(eq(dbl, architecture_prompt_flops(&a, 4),
		2 * (4 * 32 * (layer - 8192) + 128256. * 4096) + 4 * 4096. * 32 * 10));
}

/* What differs from family to family: biases, norms, tied heads, positions, one norm or four. */
Test(architecture, families_count_as_their_checkpoints_do)
{
	static const struct {
		const char *json;
		double total;
	} rows[] = {
		{ "{\"model_type\":\"gpt2\",\"n_embd\":768,\"n_layer\":12,\"n_head\":12,"
		  "\"n_positions\":1024,\"vocab_size\":50257}",
			124439808 },
		{ "{\"model_type\":\"opt\",\"hidden_size\":2048,\"ffn_dim\":8192,"
		  "\"num_hidden_layers\":24,\"num_attention_heads\":32,"
		  "\"max_position_embeddings\":2048,\"vocab_size\":50272,"
		  "\"word_embed_proj_dim\":2048}",
			1315758080 },
		{ "{\"model_type\":\"bloom\",\"hidden_size\":4096,\"n_layer\":30,"
		  "\"num_attention_heads\":32,\"vocab_size\":250880}",
			7069016064 },
		{ "{\"model_type\":\"gpt_neox\",\"hidden_size\":4096,\"intermediate_size\":16384,"
		  "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"vocab_size\":50432,"
		  "\"tie_word_embeddings\":false}",
			6857302016 },
		{ "{\"model_type\":\"gptj\",\"n_embd\":4096,\"n_layer\":28,\"n_head\":16,"
		  "\"n_positions\":2048,\"vocab_size\":50400,\"tie_word_embeddings\":false}",
			6050882784 },
		{ "{\"model_type\":\"phi\",\"hidden_size\":2560,\"intermediate_size\":10240,"
		  "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"vocab_size\":51200}",
			2779683840 },
		{ "{\"model_type\":\"starcoder2\",\"hidden_size\":3072,"
		  "\"intermediate_size\":12288,\"num_hidden_layers\":30,"
		  "\"num_attention_heads\":24,\"num_key_value_heads\":2,\"vocab_size\":49152}",
			3030371328 },
		{ "{\"model_type\":\"falcon\",\"hidden_size\":4544,\"num_attention_heads\":71,"
		  "\"num_hidden_layers\":32,\"multi_query\":true,\"parallel_attn\":true,"
		  "\"new_decoder_architecture\":false,\"vocab_size\":65024}",
			6921720704 },
		{ "{\"model_type\":\"cohere\",\"hidden_size\":8192,\"intermediate_size\":22528,"
		  "\"num_attention_heads\":64,\"num_hidden_layers\":40,"
		  "\"num_key_value_heads\":64,\"vocab_size\":256000}",
			34980831232 },
		{ "{\"model_type\":\"qwen2\",\"hidden_size\":3584,\"intermediate_size\":18944,"
		  "\"num_attention_heads\":28,\"num_hidden_layers\":28,"
		  "\"num_key_value_heads\":4,\"vocab_size\":152064}",
			7615616512 },
		{ "{\"model_type\":\"bert\",\"hidden_size\":768,\"intermediate_size\":3072,"
		  "\"num_attention_heads\":12,\"num_hidden_layers\":12,"
		  "\"max_position_embeddings\":512,\"type_vocab_size\":2,\"vocab_size\":30522}",
			109482240 },
		{ "{\"model_type\":\"dbrx\",\"d_model\":6144,\"n_heads\":48,\"n_layers\":40,"
		  "\"vocab_size\":100352,\"attn_config\":{\"kv_n_heads\":8},\"ffn_config\":"
		  "{\"ffn_hidden_size\":10752,\"moe_num_experts\":16,\"moe_top_k\":4}}",
			131596523520 },
		{ "{\"model_type\":\"phimoe\",\"attention_bias\":true,\"hidden_size\":4096,"
		  "\"intermediate_size\":6400,\"lm_head_bias\":true,\"num_attention_heads\":32,"
		  "\"num_experts_per_tok\":2,\"num_hidden_layers\":32,\"num_key_value_heads\":8,"
		  "\"num_local_experts\":16,\"vocab_size\":32064}",
			41873153344 },
		{ "{\"model_type\":\"qwen2_moe\",\"hidden_size\":2048,\"intermediate_size\":5632,"
		  "\"moe_intermediate_size\":1408,\"shared_expert_intermediate_size\":5632,"
		  "\"num_hidden_layers\":24,\"num_attention_heads\":16,\"num_experts\":60,"
		  "\"num_experts_per_tok\":4,\"vocab_size\":151936}",
			14315784192 },
		{ "{\"model_type\":\"lfm2\",\"hidden_size\":2048,\"block_ff_dim\":12288,"
		  "\"block_auto_adjust_ff_dim\":true,\"block_multiple_of\":256,"
		  "\"conv_L_cache\":3,\"num_hidden_layers\":16,\"num_attention_heads\":32,"
		  "\"num_key_value_heads\":8,\"vocab_size\":65536,\"layer_types\":[\"conv\","
		  "\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\","
		  "\"conv\",\"full_attention\",\"conv\",\"full_attention\",\"conv\","
		  "\"full_attention\",\"conv\",\"full_attention\",\"conv\"]}",
			1170340608 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(eq(dbl, total_of(rows[i].json), rows[i].total), "%s", rows[i].json);
}

/* Counted by somebody else from the same configurations, and printed by their publishers: in all, of a
 * token with the input embedding, without it. */
Test(architecture, the_models_that_travel_with_ridge_count_as_published)
{
	static const struct {
		const char *id;
		double total, active, without;
	} rows[] = {
		{ "mixtral-8x7b", 46702792704, 12879925248, 12748853248 },
		{ "deepseek-v2", 235741434880, 21375800320, 20851512320 },
		{ "deepseek-v3", 671026419200, 37552297472, 36625618432 },
		{ "kimi-k2", 1026408232448, 32861500928, 31687095808 },
		{ "qwen3-30b-a3b", 30532122624, 3353032704, 3041867776 },
		{ "qwen3-235b-a22b", 235093634560, 22190763520, 21568433664 },
		{ "qwen3-next-80b-a3b", 79674391296, 3874929408, 3563764480 },
		{ "gpt-oss-20b", 20914757184, 4187440704, 3608307264 },
		{ "gpt-oss-120b", 116829156672, 5711982912, 5132849472 },
		{ "llama4-scout", 107769861120, 17172894720, 16138408960 },
		{ "minimax-m2.5", 228689764864, 11030553088, 10415956480 },
		{ "mimo-v2-flash", 308778780864, 15445936320, 14820985024 },
		{ "gemma2-9b", 9241705984, 9241705984, 9241705984 },
		{ "gemma3-1b", 999885952, 999885952, 999885952 },
		{ "gemma3-27b", 27009346304, 27009346304, 27009346304 },
		{ "gemma4-26b-a4b", 25233141790, 3822530590, 3822530590 },
		{ "nemotron3-nano", 31577940288, 3580076352, 3227754816 },
		{ "olmoe-1b-7b", 6919161856, 1282017280, 1178994688 },
	};
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct published_model *m = architecture_list_find(&list, rows[i].id);
		cr_assert(m != NULL, "%s", rows[i].id);
		cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
		const struct parameter_count c = architecture_parameters(&a);
		cr_expect(eq(dbl, c.total, rows[i].total), "%s", m->id);
		cr_expect(eq(dbl, c.active, rows[i].active), "%s", m->id);
		cr_expect(eq(dbl, c.active_without_embedding, rows[i].without), "%s", m->id);
	}
	architecture_list_release(&list);
}

/* Publishers round, count towers for images, or leave out an embedding: the total never differs by
 * more than three in a hundred, and no id or shape is there twice. */
Test(architecture, every_model_of_the_list_is_what_its_publisher_says)
{
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	cr_expect(list.n >= 25);
	for (size_t i = 0; i < list.n; i++) {
		const struct published_model *m = &list.models[i];
		cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
		const double total = architecture_parameters(&a).total;
		cr_expect(fabs(total / m->params - 1) < 0.03, "%s: %g of %g", m->id, total,
			m->params);
		cr_expect(architecture_list_find(&list, m->id) == m, "%s twice", m->id);
		cr_expect(architecture_list_alike(&list, &a) == m, "%s", m->id);
		cr_expect(strncmp(m->address, "https://", 8) == 0, "%s", m->id);
	}
	architecture_list_release(&list);
}

/* DeepSeek-V3's layer for further tokens: README_WEIGHTS says 11.5 B of its own. */
Test(architecture, layers_for_further_tokens_stand_apart)
{
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	const struct published_model *m = architecture_list_find(&list, "deepseek-v3");
	cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
	cr_expect(eq(dbl, a.mtp_params, 11610068224));
	architecture_list_release(&list);
}

/* --- The cache --- */

/* Bytes at 16 bits, as the estimators of these threads print them once they are right:
 * unslothai/unsloth#4757, gpustack/gguf-parser-go#32 and #31, lablup/mlxcel#172. */
Test(architecture, caches_are_those_of_the_public_threads)
{
	static const struct {
		const char *id;
		double tokens, bytes;
	} rows[] = {
		{ "gemma3-27b", 131072, 11173625856 },
		{ "deepseek-v3", 163840, 11513364480 },
		{ "gpt-oss-20b", 131072, 3224371200 },
		{ "gemma3-1b", 32768, 145752064 },
	};
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct published_model *m = architecture_list_find(&list, rows[i].id);
		cr_assert(m != NULL, "%s", rows[i].id);
		cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
		cr_expect(
			eq(dbl, 2 * architecture_cache_elements(&a, rows[i].tokens), rows[i].bytes),
			"%s", m->id);
	}
	architecture_list_release(&list);
}

/* Two more of them, by the fields that shape the cache. Qwen3 0.6B has heads of 128, which are not 1,024 /
 * 16: 28 x 2 x 8 x 128 numbers a token (unsloth#4757). LFM2 1.2B attends in 6 layers of 16, with 8 heads of
 * 64 (gguf-parser-go#31); what its convolutions keep does not grow. */
Test(architecture, caches_of_the_threads_by_their_fields)
{
	static const char qwen[] =
		"{\"model_type\":\"qwen3\",\"hidden_size\":1024,\"num_hidden_layers\":28,"
		"\"num_attention_heads\":16,\"num_key_value_heads\":8,\"head_dim\":128,"
		"\"intermediate_size\":3072,\"vocab_size\":151936,"
		"\"max_position_embeddings\":40960,\"tie_word_embeddings\":true}";
	static const char lfm[] =
		"{\"model_type\":\"lfm2\",\"hidden_size\":2048,\"num_hidden_layers\":16,"
		"\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":8192,"
		"\"vocab_size\":65536,\"max_position_embeddings\":128000,\"conv_L_cache\":3,"
		"\"layer_types\":[\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\","
		"\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\","
		"\"full_attention\",\"conv\",\"full_attention\",\"conv\",\"full_attention\","
		"\"conv\"]}";
	const struct architecture q = read_model(qwen), l = read_model(lfm);
	cr_expect(eq(dbl, 2 * architecture_cache_elements(&q, 40960), 4697620480));
	cr_expect(eq(dbl, 2 * architecture_cache(&l).full_per_token * 32768, 402653184));
	cr_expect(lt(dbl, 0, architecture_cache(&l).state));
}

static const char windowed[] =
	"{\"model_type\":\"mistral\",\"hidden_size\":64,\"num_hidden_layers\":3,"
	"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":128,"
	"\"vocab_size\":100,\"max_position_embeddings\":1000,\"sliding_window\":10}";

/* Three layers, 2 heads of 16, keys and values: 192 numbers a token until ten are there. */
Test(architecture, a_window_fills_and_then_costs_nothing)
{
	const struct architecture a = read_model(windowed);
	const struct cache_need c = architecture_cache(&a);
	cr_expect(zero(dbl, c.full_per_token));
	cr_expect(eq(dbl, c.windowed_per_token, 192));
	cr_expect(eq(dbl, c.window, 10));
	cr_expect(eq(dbl, architecture_cache_elements(&a, 7), 7 * 192));
	cr_expect(eq(dbl, architecture_cache_elements(&a, 700), 10 * 192));
	cr_expect(eq(dbl, architecture_expanded_elements(&a, 700), 700 * 192));
	/* A prompt of 12: 1 to 10 tokens seen by the first ten, ten by the others: 55 + 20 pairs of 4
	 * heads of 16, twice two FLOPs, three layers. */
	struct architecture none = a;
	none.groups[0].mixer.heads = 0;
	cr_expect(eq(dbl, architecture_prompt_flops(&a, 12) - architecture_prompt_flops(&none, 12),
		75 * 4. * 4 * 16 * 3));
}

/* Chunks of 4: a prompt of 10 is triangles of 4, 4 and 2, which are 10 + 10 + 3 pairs. */
Test(architecture, chunks_are_small_triangles)
{
	static const char json[] =
		"{\"model_type\":\"llama4_text\",\"hidden_size\":64,\"num_hidden_layers\":1,"
		"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":128,"
		"\"intermediate_size_mlp\":256,\"vocab_size\":100,\"attention_chunk_size\":4,"
		"\"max_position_embeddings\":1000,\"no_rope_layers\":[1]}";
	const struct architecture a = read_model(json);
	cr_expect(eq(int, a.groups[0].mixer.kind, MIXING_CHUNK));
	struct architecture none = a;
	none.groups[0].mixer.heads = 0;
	cr_expect(eq(dbl, architecture_prompt_flops(&a, 10) - architecture_prompt_flops(&none, 10),
		23 * 4. * 4 * 16));
	cr_expect(eq(dbl, a.groups[0].feed.width, 256));
}

/* A state does not grow: 4 value heads of 16 x 16, and a convolution that remembers 3 inputs of
 * 2 x 2 x 16 + 4 x 16 channels. */
Test(architecture, a_state_is_of_a_fixed_size)
{
	static const char json[] =
		"{\"model_type\":\"qwen3_next\",\"hidden_size\":64,\"num_hidden_layers\":4,"
		"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"head_dim\":32,"
		"\"full_attention_interval\":4,\"linear_num_key_heads\":2,"
		"\"linear_num_value_heads\":4,\"linear_key_head_dim\":16,"
		"\"linear_value_head_dim\":16,\"linear_conv_kernel_dim\":4,"
		"\"num_experts\":8,\"num_experts_per_tok\":2,\"moe_intermediate_size\":32,"
		"\"shared_expert_intermediate_size\":32,\"vocab_size\":100}";
	const struct architecture a = read_model(json);
	const double state = 4 * 16 * 16 + 3 * (2 * 2 * 16 + 4 * 16);
	char pattern[100];
	cr_expect(eq(dbl, architecture_cache(&a).state, 3 * state));
	cr_expect(eq(dbl, architecture_cache_elements(&a, 10), 3 * state + 10 * 2. * 2 * 32));
	cr_expect(eq(sz, architecture_layers_of(&a, MIXING_DELTA), 3));
	/* Four layers are no pattern that repeats. */
	cr_expect(eq(str, architecture_pattern(&a, pattern, sizeof pattern), ""));
}

Test(architecture, a_pattern_that_repeats_is_told)
{
	static const char json[] =
		"{\"model_type\":\"gemma3_text\",\"hidden_size\":64,\"num_hidden_layers\":14,"
		"\"intermediate_size\":128,\"sliding_window\":8,\"vocab_size\":100}";
	const struct architecture a = read_model(json);
	char pattern[100];
	cr_expect(eq(str, architecture_pattern(&a, pattern, sizeof pattern),
		"5 window, 1 full, and so on"));
	cr_expect(eq(sz, architecture_layers_of(&a, MIXING_FULL), 2));
}

/* Twelve layers are the longest pattern that is told, and it stands twice at least. */
Test(architecture, a_pattern_has_up_to_twelve_layers)
{
	static const struct {
		int period, layers;
		const char *want;
	} rows[] = { { 12, 24, "11 window, 1 full, and so on" }, { 12, 23, "" }, { 13, 26, "" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[2000], pattern[100];
		size_t n = (size_t)snprintf(json, sizeof json,
			"{\"model_type\":\"gemma3_text\",\"hidden_size\":64,\"num_hidden_layers\":%d,"
			"\"intermediate_size\":128,\"sliding_window\":8,\"vocab_size\":100,"
			"\"layer_types\":[",
			rows[i].layers);
		for (int k = 1; k <= rows[i].layers; k++)
			n += (size_t)snprintf(json + n, sizeof json - n, "\"%s_attention\"%s",
				k % rows[i].period ? "sliding" : "full",
				k < rows[i].layers ? "," : "]}");
		const struct architecture a = read_model(json);
		cr_expect(eq(str, architecture_pattern(&a, pattern, sizeof pattern),
			(char *)rows[i].want));
	}
}

Test(architecture, an_encoder_caches_nothing)
{
	static const char json[] =
		"{\"model_type\":\"bert\",\"hidden_size\":64,\"intermediate_size\":128,"
		"\"num_attention_heads\":4,\"num_hidden_layers\":2,"
		"\"max_position_embeddings\":32,\"vocab_size\":100}";
	const struct architecture a = read_model(json);
	cr_expect(zero(dbl, architecture_cache_elements(&a, 30)));
	/* Every token sees every other: 30 x 30 pairs of 4 heads of 16, in two layers. */
	struct architecture none = a;
	none.groups[0].mixer.heads = 0;
	cr_expect(eq(dbl, architecture_prompt_flops(&a, 30) - architecture_prompt_flops(&none, 30),
		900 * 4. * 4 * 16 * 2));
}

/* --- Experts --- */

static const char mixture[] =
	"{\"model_type\":\"mixtral\",\"hidden_size\":64,\"num_hidden_layers\":2,"
	"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"intermediate_size\":128,"
	"\"num_local_experts\":8,\"num_experts_per_tok\":2,\"vocab_size\":100,"
	"\"max_position_embeddings\":1000}";

/* An expert is 3 x 64 x 128 = 24,576 parameters. One token reads two of eight in each layer; the
 * embedding it reads a row of, which is not counted. */
Test(architecture, what_a_token_reads_leaves_experts_out)
{
	const struct architecture a = read_model(mixture);
	const struct parameter_count c = architecture_parameters(&a);
	cr_expect(eq(dbl, c.parts[PART_EXPERTS], 2 * 8 * 24576));
	cr_expect(eq(dbl, c.total - c.active, 2 * 6 * 24576));
	cr_expect(epsilon_eq(
		dbl, architecture_read_bytes(&a, 1), 2 * c.active_without_embedding, 1e-6));
	cr_expect(eq(dbl, architecture_weight_bytes(&a, NULL), 2 * c.total));
}

/* Mixtral-8x7B as published: 46.7 B parameters, of which a token passes 12.9 B. An expert is three
 * matrices of 4096 x 14336, and 32 layers have eight each. */
Test(architecture, formulas_ask_a_mixture_by_name)
{
	static const struct {
		const char *name;
		double value;
	} rows[] = { { "experts", 8 }, { "experts_per_token", 2 }, { "expert_layers", 32 },
		{ "expert_size", 3 * 4096. * 14336 }, { "expert_ffn", 14336 },
		{ "other_params", 46702792704 - 32 * 8 * 3 * 4096. * 14336 },
		{ "active_params", 46702792704 - 32 * 6 * 3 * 4096. * 14336 } };
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	const struct published_model *m = architecture_list_find(&list, "mixtral-8x7b");
	cr_assert(m != NULL);
	cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double value = 0;
		cr_expect(eq(int, architecture_parameter(&a, rows[i].name, &value), 1));
		cr_expect(eq(dbl, value, rows[i].value), "%s", rows[i].name);
	}
	/* All weights are no parameter of a mixture's formulas: a token does not pass them. */
	double value;
	cr_expect(zero(int, architecture_parameter(&a, "params", &value)));
	architecture_list_release(&list);
}

/* Four heads of 16 + 8 for keys, 10 for values. Queries from 64 by a latent vector of 48, or directly as
 * DeepSeek-V2-Lite has them; 32 + 8 numbers down, 32 up to 4 x (16 + 10), and 40 out. */
Test(architecture, latent_attention_with_and_without_a_latent_query)
{
	static const struct {
		const char *rank;
		double queries;
	} rows[] = { { "48", 64 * 48 + 48 * 96 }, { "null", 64 * 96 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[600];
		snprintf(json, sizeof json,
			"{\"model_type\":\"deepseek_v2\",\"hidden_size\":64,\"num_hidden_layers\":1,"
			"\"num_attention_heads\":4,\"num_key_value_heads\":4,\"q_lora_rank\":%s,"
			"\"kv_lora_rank\":32,\"qk_nope_head_dim\":16,\"qk_rope_head_dim\":8,"
			"\"v_head_dim\":10,\"intermediate_size\":128,\"first_k_dense_replace\":1,"
			"\"n_routed_experts\":8,\"num_experts_per_tok\":2,\"moe_intermediate_size\":32,"
			"\"n_shared_experts\":1,\"vocab_size\":100}",
			rows[i].rank);
		const struct architecture a = read_model(json);
		cr_expect(eq(dbl, a.groups[0].mixer.matrices,
				  rows[i].queries + 64 * 40 + 32 * 4 * 26 + 40 * 64),
			"%s: %g", rows[i].rank, a.groups[0].mixer.matrices);
		cr_expect(eq(dbl, architecture_cache_elements(&a, 10), 10 * 40));
	}
}

/* LFM2 takes two thirds of 390, which is 260, and rounds them up to a multiple: of 256 unless it says
 * another, and of 0 to nothing. */
Test(architecture, lfm2_rounds_its_width_up)
{
	static const struct {
		const char *said;
		double width;
	} rows[] = { { "", 512 }, { ",\"block_multiple_of\":100", 300 },
		{ ",\"block_multiple_of\":0", 260 },
		{ ",\"block_auto_adjust_ff_dim\":false", 390 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[600];
		snprintf(json, sizeof json,
			"{\"model_type\":\"lfm2\",\"hidden_size\":64,\"num_hidden_layers\":2,"
			"\"num_attention_heads\":4,\"num_key_value_heads\":2,\"block_ff_dim\":390,"
			"\"conv_L_cache\":3,\"layer_types\":[\"conv\",\"full_attention\"],"
			"\"vocab_size\":100%s}",
			rows[i].said);
		const struct architecture a = read_model(json);
		cr_expect(eq(dbl, a.groups[0].feed.width, rows[i].width), "%s: %g", rows[i].said,
			a.groups[0].feed.width);
	}
}

/* A model that also sees or hears keeps what it is in a part of its file, under one of three names. */
Test(architecture, the_part_that_reads_text_is_found)
{
	static const char *const parts[] = { "text_config", "language_config", "llm_config" };
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		char json[600];
		snprintf(json, sizeof json,
			"{\"hidden_size\":7,\"%s\":{\"model_type\":\"llama\",\"hidden_size\":64,"
			"\"num_hidden_layers\":2,\"num_attention_heads\":4,"
			"\"num_key_value_heads\":2,\"intermediate_size\":128,\"vocab_size\":100}}",
			parts[i]);
		const struct architecture a = read_model(json);
		cr_expect(a.hidden == 64 && a.layers == 2, "%s", parts[i]);
	}
}

/* --- Storage --- */

static double expert_bits(const char *quantised)
{
	char json[1000];
	snprintf(json, sizeof json, "%.*s,\"quantization_config\":%s}", (int)strlen(mixture) - 1,
		mixture, quantised);
	const struct architecture a = read_model(json);
	cr_expect(eq(dbl, a.bits[PART_HEAD], 16));
	return a.bits[PART_EXPERTS];
}

Test(architecture, scales_take_bits_as_well)
{
	/* Four bytes for 128 x 128 weights; one for 32; two and half a byte for 64 of four bits. */
	cr_expect(eq(dbl, expert_bits("{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}"),
		8 + 32. / 16384));
	cr_expect(eq(dbl, expert_bits("{\"quant_method\":\"mxfp4\"}"), 4.25));
	cr_expect(eq(dbl, expert_bits("{\"quant_algo\":\"NVFP4\"}"), 4.5));
	cr_expect(eq(dbl, expert_bits("{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":64}"),
		4 + 20. / 64));
	cr_expect(eq(dbl,
		expert_bits(
			"{\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"group_0\":"
			"{\"weights\":{\"num_bits\":4,\"group_size\":32}}}}"),
		4.5));
}

Test(architecture, an_unknown_way_to_quantise_is_said)
{
	char json[1000];
	snprintf(json, sizeof json, "%.*s,\"quantization_config\":{\"quant_method\":\"magic\"}}",
		(int)strlen(mixture) - 1, mixture);
	const struct architecture a = read_model(json);
	cr_expect(eq(dbl, a.bits[PART_EXPERTS], 16));
	cr_assert(eq(sz, a.n_notes, 1));
	cr_expect(strstr(a.notes[0], "\"magic\" is not known") != NULL, "%s", a.notes[0]);
}

/* What one field more, or another, adds to a model of two layers of 8 channels, with two heads of 4 and a
 * feed-forward part of 16; by hand beside each. A bias is of as many parameters as what it is added to. */
Test(architecture, one_field_changes_the_count_by_so_much)
{
#define SMALL                                                                                           \
	"\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":2,\"intermediate_size\":16," \
	"\"vocab_size\":10,\"max_position_embeddings\":32"
#define LATENT_SMALL                                                                               \
	SMALL ",\"kv_lora_rank\":4,\"qk_nope_head_dim\":2,\"qk_rope_head_dim\":2,\"v_head_dim\":4"
#define EXPERTS_SMALL                                                                              \
	SMALL ",\"num_experts\":4,\"num_experts_per_tok\":2,\"moe_intermediate_size\":4"
	static const struct {
		const char *type, *plain, *with;
		double more;
	} rows[] = {
		/* a norm over all of q and one over all of k, in each layer */
		{ "cohere", SMALL, ",\"use_qk_norm\":true", 2 * (8 + 8) },
		{ "cohere", SMALL, ",\"use_qk_norm\":false", 0 },
		/* one of two norms of a weight and a bias each */
		{ "stablelm", SMALL, ",\"use_parallel_residual\":true", -2 * 16 },
		{ "stablelm", SMALL, ",\"use_qkv_bias\":true", 2 * 3 * 8 },
		/* q, k, v, o, and of the feed-forward part both */
		{ "starcoder2", SMALL, ",\"use_bias\":false", -2 * (4 * 8 + 16 + 8) },
		{ "seed_oss", SMALL, ",\"attention_bias\":true", 2 * 3 * 8 },
		{ "seed_oss", SMALL, ",\"attention_out_bias\":true", 2 * 8 },
		/* a second head of keys and of values, with biases */
		{ "gpt_bigcode", SMALL, ",\"multi_query\":false", 2 * 2 * (8 * 4 + 4) },
		/* the same without */
		{ "falcon", SMALL, ",\"multi_query\":false", 2 * 2 * 8 * 4 },
		/* a second norm, with its bias */
		{ "falcon", SMALL, ",\"parallel_attn\":false", 2 * 16 },
		/* both: keys of two heads, and two norms */
		{ "falcon", SMALL, ",\"new_decoder_architecture\":true", 2 * (2 * 8 * 4 + 16) },
		{ "mpt", SMALL, ",\"no_bias\":true", 0 },
		/* a gate as large as q */
		{ "qwen3", SMALL, ",\"attn_output_gate\":true", 2 * 8 * 8 },
		/* q, the latent vector, its part with positions, o */
		{ "deepseek_v3", LATENT_SMALL, ",\"attention_bias\":true", 2 * (8 + 4 + 2 + 8) },
		/* q of rank 4 with a norm: 8 x 4 + 4 x 8 + 4 for 8 x 8 */
		{ "deepseek_v3", LATENT_SMALL, ",\"q_lora_rank\":4", 2 * (32 + 32 + 4 - 64) },
		{ "deepseek_v3", LATENT_SMALL ",\"q_lora_rank\":4", ",\"attention_bias\":true",
			2 * (4 + 4 + 2 + 8) },
		/* an indexer of two heads of 3: their queries, a key, weights of heads, a norm with bias */
		{ "deepseek_v32", LATENT_SMALL ",\"q_lora_rank\":4",
			",\"index_n_heads\":2,\"index_head_dim\":3",
			2 * (4 * 2 * 3 + 8 * 3 + 8 * 2 + 6) },
		/* the second layer takes what the first one chose */
		{ "glm_moe_dsa",
			LATENT_SMALL ",\"q_lora_rank\":4,\"index_n_heads\":2,\"index_head_dim\":3",
			",\"indexer_types\":[\"full\",\"shared\"]",
			-(4 * 2 * 3 + 8 * 3 + 8 * 2 + 6) },
		/* of the second layer: 3 x 8 x 16 for four experts of 3 x 8 x 4 and a router of 8 x 4 */
		{ "qwen3_moe", EXPERTS_SMALL, ",\"mlp_only_layers\":[1]", 384 - 4 * 96 - 32 },
		{ "qwen3_moe", EXPERTS_SMALL, ",\"mlp_only_layers\":[-1,2,\"1\"]", 0 },
		/* every second layer, the second */
		{ "qwen3_moe", EXPERTS_SMALL, ",\"decoder_sparse_step\":2", 384 - 4 * 96 - 32 },
		/* a bias of each expert in the router */
		{ "qwen3_moe", EXPERTS_SMALL, ",\"use_routing_bias\":true", 2 * 4 },
		{ "llama", SMALL, ",\"lm_head_bias\":true", 10 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[600];
		snprintf(json, sizeof json, "{\"model_type\":\"%s\",%s}", rows[i].type,
			rows[i].plain);
		const double plain = total_of(json);
		snprintf(json, sizeof json, "{\"model_type\":\"%s\",%s%s}", rows[i].type,
			rows[i].plain, rows[i].with);
		cr_expect(eq(dbl, total_of(json) - plain, rows[i].more), "%s", json);
	}
}

/* Weights of few bits, with what scales take; matrices that a list names stay as they are. */
Test(architecture, what_is_left_as_it_is_keeps_its_bits)
{
	static const struct {
		const char *quantised, *storage;
		double experts, mixing, dense, shared;
	} rows[] = {
		{ "{\"quant_method\":\"fbgemm_fp8\",\"modules_to_not_convert\":[\"model.layers.0.self_attn\"]}",
			"FP8", 8, 16, 8, 8 },
		{ "{\"quant_algo\":\"FP8\",\"exclude_modules\":[7,\"*.mlp.up_proj\"]}", "FP8", 8, 8,
			16, 8 },
		{ "{\"quant_algo\":\"FP8\",\"ignored_layers\":[\"re:.*mlp.*\"]}", "FP8", 8, 8, 16,
			8 },
		{ "{\"quant_method\":\"awq\",\"ignore\":[\"shared_expert\"]}", "4 bits",
			4 + 20. / 128, 4 + 20. / 128, 4 + 20. / 128, 16 },
		/* no such sizes: those that are usual */
		{ "{\"quant_method\":\"gptq\",\"bits\":0,\"group_size\":-1}", "4 bits",
			4 + 20. / 128, 4 + 20. / 128, 4 + 20. / 128, 4 + 20. / 128 },
		{ "{\"quant_method\":\"gptq\",\"bits\":5,\"group_size\":21}", "few bits", 6, 6, 6,
			6 },
		{ "{\"quant_method\":\"gptq\",\"bits\":16,\"group_size\":32}", "few bits", 17, 17,
			17, 17 },
		{ "{\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"group_0\":"
		  "{\"weights\":{}}}}",
			"8 bits", 8, 8, 8, 8 },
		{ "{\"quant_method\":\"fp8\",\"weight_block_size\":[0,128]}", "FP8", 8, 8, 8, 8 },
		{ "{\"quant_method\":\"compressed-tensors\",\"config_groups\":{}}", "BF16", 16, 16,
			16, 16 },
		{ "{\"quant_method\":\"compressed-tensors\"}", "BF16", 16, 16, 16, 16 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char json[600];
		snprintf(json, sizeof json,
			"{\"model_type\":\"llama\",%s,\"quantization_config\":%s}", SMALL,
			rows[i].quantised);
		const struct architecture a = read_model(json);
		cr_expect(eq(str, (char *)a.storage, (char *)rows[i].storage), "%s", json);
		cr_expect(eq(dbl, a.bits[PART_EXPERTS], rows[i].experts), "%s", json);
		cr_expect(eq(dbl, a.bits[PART_MIXING], rows[i].mixing), "%s", json);
		cr_expect(eq(dbl, a.bits[PART_DENSE], rows[i].dense), "%s", json);
		cr_expect(eq(dbl, a.bits[PART_SHARED], rows[i].shared), "%s", json);
	}
}

/* Towers stand beside the text, and are said not to be counted. */
Test(architecture, what_is_not_counted_is_said)
{
	static const struct {
		const char *json, *note;
	} rows[] = {
		{ "{\"model_type\":\"x\",\"text_config\":{\"model_type\":\"llama\"," SMALL
		  "},\"vision_config\":{}}",
			"towers for images and sound" },
		{ "{\"model_type\":\"x\",\"text_config\":{\"model_type\":\"llama\"," SMALL
		  "},\"audio_config\":{}}",
			"towers for images and sound" },
		{ "{\"model_type\":\"llama\"," SMALL ",\"num_mtp_modules\":1}",
			"predict further tokens" },
		{ "{\"model_type\":\"deepseek_v32\"," LATENT_SMALL
		  ",\"q_lora_rank\":4,\"index_n_heads\":2,"
		  "\"index_head_dim\":3,\"index_topk\":7}",
			"index_topk = 7 tokens" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct architecture a = read_model(rows[i].json);
		cr_assert(eq(sz, a.n_notes, 1), "%s", rows[i].json);
		cr_expect(strstr(a.notes[0], rows[i].note) != NULL, "%s", a.notes[0]);
	}
}

/* --- Refusals --- */

#define PLAIN_SHAPE                                                                                \
	"\"num_hidden_layers\":2,\"num_attention_heads\":4,\"intermediate_size\":128,"             \
	"\"vocab_size\":100"

Test(architecture, says_which_field_is_wrong)
{
	static const struct {
		const char *json, *said;
	} rows[] = {
		{ "", "expected a JSON object" },
		{ "[1]", "expected a JSON object" },
		{ "{}", "model_type: expected, but missing" },
		{ "{\"model_type\":3}", "model_type: expected a text, found 3" },
		{ "{\"model_type\":\"llama\"," PLAIN_SHAPE "}",
			"hidden_size: expected, but missing" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":\"big\"," PLAIN_SHAPE "}",
			"hidden_size: expected a whole number from 1 to 1,073,741,824, found "
			"\"big\"" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":-4," PLAIN_SHAPE "}", "found -4" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":64,\"num_key_value_heads\":3," PLAIN_SHAPE
		  "}",
			"num_key_value_heads: expected a divisor of 4 heads, found 3" },
		{ "{\"model_type\":\"zamba\",\"hidden_size\":64,\"attn_every\":6," PLAIN_SHAPE "}",
			"model_type: \"zamba\" is not known, nor what its fields say: attn_every" },
		{ "{\"model_type\":\"gemma3n_text\",\"hidden_size\":64,"
		  "\"num_experts\":6," PLAIN_SHAPE "}",
			"is not known, nor what its fields say: num_experts" },
		{ "{\"model_type\":\"gemma4_text\",\"hidden_size\":64,"
		  "\"hidden_size_per_layer_input\":256," PLAIN_SHAPE "}",
			"is known, but not what is said by hidden_size_per_layer_input" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":64,\"layer_types\":[\"full_attention\"]," PLAIN_SHAPE
		  "}",
			"layer_types: expected a list of 2, found a list of 1" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":64,\"layer_types\":[\"ring\",\"ring\"]," PLAIN_SHAPE
		  "}",
			"layers of kind \"ring\" are not known" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":64,\"layer_types\":"
		  "[\"sliding_attention\",\"full_attention\"]," PLAIN_SHAPE "}",
			"sliding_window: expected, since layer 0 has one, but missing" },
		{ "{\"model_type\":\"mixtral\",\"hidden_size\":64,\"num_local_experts\":2,"
		  "\"num_experts_per_tok\":3," PLAIN_SHAPE "}",
			"num_experts_per_tok: expected at most the 2 experts, found 3" },
		{ "{\"model_type\":\"llama\",\"hidden_size\":64,\"tie_word_embeddings\":\"no\"," PLAIN_SHAPE
		  "}",
			"tie_word_embeddings: expected true or false, found \"no\"" },
		{ "{\"model_type\":\"nemotron_h\",\"hidden_size\":64,"
		  "\"hybrid_override_pattern\":\"M\"," PLAIN_SHAPE "}",
			"hybrid_override_pattern: expected 2 letters, found 1" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct architecture a;
		char err[300] = "";
		cr_expect(eq(int, architecture_read(&a, rows[i].json, err, sizeof err), -1), "%s",
			rows[i].json);
		cr_expect(strstr(err, rows[i].said) != NULL, "%s\n%s", rows[i].json, err);
	}
}

/* One that nobody knows, but whose fields are those of a plain decoder. */
Test(architecture, an_unknown_plain_decoder_is_read_and_said)
{
	const struct architecture a = read_model(
		"{\"model_type\":\"acme\",\"hidden_size\":64,\"rope_theta\":1e4," PLAIN_SHAPE "}");
	const double layer = 4 * 64. * 64 + 3 * 64. * 128 + 2 * 64;
	cr_expect(eq(dbl, architecture_parameters(&a).total, 2 * layer + 2 * 100 * 64. + 64));
	cr_assert(eq(sz, a.n_notes, 1));
	cr_expect(strstr(a.notes[0], "acme is not known; read as a plain decoder") != NULL);
}

/* --- Whatever comes --- */

/* The object, or one of the objects in it, now and then. */
static cJSON *any_object(cJSON *object, struct rng *r)
{
	cJSON *j;
	cJSON_ArrayForEach(j, object)
	{
		if (cJSON_IsObject(j) && j->child && rng_below(r, 4) == 0)
			return any_object(j, r);
	}
	return object;
}

static cJSON *something(struct rng *r)
{
	static const double numbers[] = { 0, -1, 1, 0.5, 1e300, 1e18, 3, 1024, 1073741824,
		9223372036854775808., -1e-300 };
	cJSON *deep = NULL;
	switch (rng_below(r, 7)) {
	case 0:
		return cJSON_CreateNull();
	case 1:
		return cJSON_CreateBool((int)rng_below(r, 2));
	case 2:
		return cJSON_CreateString("full_attention\033[5m");
	case 3:
		return cJSON_CreateArray();
	case 4:
		deep = cJSON_CreateObject();
		for (uint64_t i = rng_below(r, 950); i > 0; i--) {
			cJSON *outer = cJSON_CreateObject();
			cJSON_AddItemToObject(outer, "text_config", deep);
			deep = outer;
		}
		return deep;
	default:
		return cJSON_CreateNumber(numbers[rng_below(r, sizeof numbers / sizeof *numbers)]);
	}
}

static void change(cJSON *object, cJSON *member, cJSON *to)
{
	char name[64];
	snprintf(name, sizeof name, "%s", member->string);
	if (!cJSON_ReplaceItemInObjectCaseSensitive(object, name, to))
		cJSON_Delete(to);
}

/* Fields are dropped, or become something else. */
static char *mutated(const cJSON *config, struct rng *r)
{
	cJSON *copy = cJSON_Duplicate(config, true);
	size_t changes = 1 + rng_below(r, 3);
	for (size_t i = 0; i < changes; i++) {
		cJSON *object = any_object(copy, r);
		int n = cJSON_GetArraySize(object);
		if (n == 0)
			continue;
		cJSON *member = cJSON_GetArrayItem(object, (int)rng_below(r, (uint64_t)n));
		if (rng_below(r, 3) == 0)
			cJSON_Delete(cJSON_DetachItemViaPointer(object, member));
		else
			change(object, member, something(r));
	}
	char *text = cJSON_PrintUnformatted(copy);
	cJSON_Delete(copy);
	return text;
}

/* A field, or what the whole should have been, and then what was expected of it. */
static void expect_clean_line(const char *err, const char *json)
{
	size_t field = strspn(err, "abcdefghijklmnopqrstuvwxyz_0123456789");
	bool named = field > 0 && (err[field] == ':' || strncmp(err, "model_type ", 11) == 0);
	bool whole = strncmp(err, "expected a JSON object", 22) == 0;
	cr_expect(strlen(err) > field + 5 && (named || whole), "%s\n%s", err, json);
	for (const char *c = err; *c; c++) {
		bool plain = *c >= 0x20 && *c < 0x7f;
		cr_expect(plain, "%s\n%s", err, json);
	}
}

static void expect_counts(const struct architecture *a, const char *json)
{
	const struct parameter_count c = architecture_parameters(a);
	cr_expect(c.total > 0 && isfinite(c.total), "%g\n%s", c.total, json);
	cr_expect(c.active <= c.total && c.active_without_embedding <= c.active, "%s", json);
	double few = architecture_cache_elements(a, 10), more = architecture_cache_elements(a, 1e6);
	cr_expect(few >= 0 && few <= more && isfinite(more), "%g %g\n%s", few, more, json);
	cr_expect(architecture_expanded_elements(a, 1e6) >= 0, "%s", json);
	cr_expect(architecture_read_bytes(a, 1) <= architecture_weight_bytes(a, NULL) * (1 + 1e-9),
		"%s", json);
	cr_expect(isfinite(architecture_token_flops(a, 1000)), "%s", json);
	cr_expect(isfinite(architecture_prompt_flops(a, 1000)), "%s", json);
}

/* A thousand damaged configurations of every family: each is counted, or refused in one clean line
 * that names the field. */
Test(architecture, a_damaged_configuration_never_harms)
{
	struct architecture_list list;
	struct architecture a;
	struct rng r = rng_stream(16, "configurations", 0);
	char err[300] = "";
	size_t refused = 0;
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	for (size_t i = 0; i < 1000; i++) {
		char *json = mutated(list.models[i % list.n].config, &r);
		*err = '\0';
		if (architecture_read(&a, json, err, sizeof err)) {
			refused++;
			expect_clean_line(err, json);
		} else {
			expect_counts(&a, json);
		}
		free(json);
	}
	cr_expect(refused > 200 && refused < 900, "%zu", refused);
	architecture_list_release(&list);
}

/* Two matrices of 8 x 10 in an expert, three with a gate; what all tokens share, of the same kind, is
 * 30 wide. A dense part says it by its own matrices. */
Test(architecture, matrices_of_a_feed_forward_part)
{
	struct feed plain = {
		.experts = 4, .expert_width = 10, .expert = 2 * 8 * 10, .shared = 2 * 8 * 30
	};
	struct feed gated = {
		.experts = 4, .expert_width = 10, .expert = 3 * 8 * 10, .shared = 3 * 8 * 30
	};
	const struct feed dense = { .width = 12, .matrices = 2 * 8 * 12 };
	cr_expect(eq(dbl, feed_matrices(&plain, 8), 2));
	cr_expect(eq(dbl, feed_matrices(&gated, 8), 3));
	cr_expect(eq(dbl, feed_matrices(&dense, 8), 2));
	cr_expect(eq(dbl, feed_shared_width(&plain, 8), 30));
	cr_expect(eq(dbl, feed_shared_width(&gated, 8), 30));
	cr_expect(zero(dbl, feed_shared_width(&dense, 8)));
}

/* Qwen3-Next-80B-A3B: 16 heads of attention in every fourth layer; in the others 32 heads of a state, which keeps
 * no keys (its config.json). What a formula multiplies by is that of attention. */
Test(architecture, heads_are_those_that_keep_keys)
{
	struct architecture_list list;
	struct architecture a;
	char err[300] = "";
	double heads = 0;
	cr_assert(zero(int, architecture_list_load(&list, err, sizeof err)), "%s", err);
	const struct published_model *m = architecture_list_find(&list, "qwen3-next-80b-a3b");
	cr_assert(m != NULL);
	cr_assert(zero(int, architecture_list_read(m, &a, err, sizeof err)), "%s", err);
	cr_expect(eq(int, architecture_parameter(&a, "heads", &heads), 1));
	cr_expect(eq(dbl, heads, 16));
	architecture_list_release(&list);
}
