/* A family is a row: what its code does and its config.json does not say. The reader then asks for the
 * parts of each layer - what mixes tokens, what feeds forward - and puts layers that are alike into
 * groups. Counts of parameters follow the families' code in transformers; test_architecture.c has
 * them worked by hand. */
#include "sims/architecture/config.h"

#include "sims/architecture/config_fields.h"
#include "sims/architecture/config_storage.h"
#include "sims/base/array.h"
#include "sims/base/json_text.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum trait {
	QKV_BIAS = 1 << 0,  /* always */
	ALL_BIAS = 1 << 1,  /* q, k, v and the output, always */
	OUT_PLAIN = 1 << 2, /* attention_bias is of q, k and v alone */
	FEED_BIAS = 1 << 3,
	TWO_MATRICES = 1 << 4, /* no gate in the feed-forward part */
	NORM_BIAS = 1 << 5,
	HEAD_NORMS = 1 << 6,    /* queries and keys are normed, a head at a time */
	WHOLE_NORMS = 1 << 7,   /* the same over all heads at once */
	TIED = 1 << 8,          /* unless the file says otherwise */
	POSITIONS = 1 << 9,     /* are learned */
	GATED_OUTPUT = 1 << 10, /* attention's output is gated by as many more queries */
	SINKS = 1 << 11,        /* a number for each head that attention may go to */
	SHARED_GATE = 1 << 12,  /* of the shared expert */
	ROUTER_BIAS = 1 << 13,  /* a number for each expert */
	HEAD_BIAS = 1 << 14,
	LATENT = 1 << 15,
	ENCODER = 1 << 16,
	EMBEDDING_NORM = 1 << 17,
	EVERY_OTHER = 1 << 18, /* layer has a window, the first one does */
	WINDOW = 1 << 19,      /* sliding_window, where it is set, is of every layer */
	SCALARS = 1 << 20      /* one a layer */
};

struct family {
	const char *type;
	unsigned traits;
	double norms; /* of a layer, beside those of queries and keys */
};

/* clang-format off */
static const struct family families[] = {
	{ "baichuan",        0, 2 },
	{ "bert",            ENCODER | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | POSITIONS |
			     EMBEDDING_NORM, 2 },
	{ "bloom",           TIED | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | EMBEDDING_NORM, 2 },
	{ "chatglm",         OUT_PLAIN, 2 },
	{ "cohere",          TIED, 1 },
	{ "cohere2",         TIED | WINDOW, 1 },
	{ "dbrx",            0, 2 },
	{ "deepseek_v2",     LATENT, 2 },
	{ "deepseek_v3",     LATENT | ROUTER_BIAS, 2 },
	{ "deepseek_v32",    LATENT | ROUTER_BIAS, 2 },
	{ "dots1",           HEAD_NORMS | ROUTER_BIAS | WINDOW, 2 },
	{ "ernie4_5",        TIED, 2 },
	{ "exaone4",         HEAD_NORMS | WINDOW, 2 },
	{ "falcon",          TIED | TWO_MATRICES | NORM_BIAS, 2 },
	{ "gemma",           TIED, 2 },
	{ "gemma2",          TIED | EVERY_OTHER, 4 },
	{ "gemma3",          TIED | HEAD_NORMS, 4 },
	{ "gemma3_text",     TIED | HEAD_NORMS, 4 },
	{ "gemma4_text",     TIED | HEAD_NORMS | SCALARS, 4 },
	{ "glm",             OUT_PLAIN, 2 },
	{ "glm4",            OUT_PLAIN, 4 },
	{ "glm4_moe",        OUT_PLAIN | ROUTER_BIAS, 2 },
	{ "glm4_moe_lite",   LATENT | ROUTER_BIAS, 2 },
	{ "glm_moe_dsa",     LATENT | ROUTER_BIAS, 2 },
	{ "gpt2",            TIED | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | POSITIONS, 2 },
	{ "gpt_bigcode",     TIED | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | POSITIONS, 2 },
	{ "gpt_neox",        ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS, 2 },
	{ "gpt_oss",         SINKS | FEED_BIAS | ROUTER_BIAS | EVERY_OTHER, 2 },
	{ "gptj",            FEED_BIAS | TWO_MATRICES | NORM_BIAS | HEAD_BIAS, 1 },
	{ "granite",         0, 2 },
	{ "granitemoe",      0, 2 },
	{ "granitemoeshared", 0, 2 },
	{ "internlm2",       0, 2 },
	{ "kimi_k2",         LATENT | ROUTER_BIAS, 2 },
	{ "kimi_k25",        LATENT | ROUTER_BIAS, 2 },
	{ "lfm2",            TIED | HEAD_NORMS, 2 },
	{ "llama",           0, 2 },
	{ "llama4_text",     0, 2 },
	{ "mimo_v2_flash",   ROUTER_BIAS, 2 },
	{ "minimax_m2",      WHOLE_NORMS, 2 },
	{ "ministral",       WINDOW, 2 },
	{ "mistral",         WINDOW, 2 },
	{ "mixtral",         WINDOW, 2 },
	{ "mpt",             TIED | TWO_MATRICES, 2 },
	{ "nemotron",        TWO_MATRICES | NORM_BIAS, 2 },
	{ "nemotron_h",      TWO_MATRICES | ROUTER_BIAS, 1 },
	{ "olmo",            0, 0 },
	{ "olmo2",           WHOLE_NORMS, 2 },
	{ "olmo3",           WHOLE_NORMS | WINDOW, 2 },
	{ "olmoe",           WHOLE_NORMS, 2 },
	{ "opt",             TIED | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | POSITIONS, 2 },
	{ "phi",             ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | HEAD_BIAS, 1 },
	{ "phi3",            WINDOW, 2 },
	{ "phimoe",          NORM_BIAS | WINDOW, 2 },
	{ "qwen2",           QKV_BIAS, 2 },
	{ "qwen2_5_vl",      QKV_BIAS, 2 },
	{ "qwen2_5_vl_text", QKV_BIAS, 2 },
	{ "qwen2_moe",       QKV_BIAS | SHARED_GATE, 2 },
	{ "qwen2_vl",        QKV_BIAS, 2 },
	{ "qwen2_vl_text",   QKV_BIAS, 2 },
	{ "qwen3",           HEAD_NORMS, 2 },
	{ "qwen3_5_moe_text", HEAD_NORMS | GATED_OUTPUT | SHARED_GATE, 2 },
	{ "qwen3_5_text",    HEAD_NORMS | GATED_OUTPUT, 2 },
	{ "qwen3_moe",       HEAD_NORMS, 2 },
	{ "qwen3_next",      HEAD_NORMS | GATED_OUTPUT | SHARED_GATE, 2 },
	{ "qwen3_vl_moe_text", HEAD_NORMS, 2 },
	{ "qwen3_vl_text",   HEAD_NORMS, 2 },
	{ "roberta",         ENCODER | ALL_BIAS | FEED_BIAS | TWO_MATRICES | NORM_BIAS | POSITIONS |
			     EMBEDDING_NORM, 2 },
	{ "seed_oss",        OUT_PLAIN, 2 },
	{ "smollm3",         TIED, 2 },
	{ "stablelm",        NORM_BIAS, 2 },
	{ "starcoder2",      TIED | TWO_MATRICES | NORM_BIAS | WINDOW, 2 },
};

/* What a family assumes where its file says nothing. */
static const struct {
	const char *type, *name;
	double value;
} assumed[] = {
	{ "gemma", "head_dim", 256 },
	{ "gemma2", "head_dim", 256 },
	{ "gemma3_text", "head_dim", 256 },
	{ "gemma3_text", "num_attention_heads", 8 },
	{ "gemma3_text", "num_key_value_heads", 4 },
	{ "gemma3_text", "vocab_size", 262208 },
	{ "gemma3_text", "max_position_embeddings", 131072 },
	{ "gemma3_text", "sliding_window_pattern", 6 },
	{ "gemma4_text", "sliding_window_pattern", 6 },
	{ "gemma4_text", "global_head_dim", 512 },
	{ "cohere2", "sliding_window_pattern", 4 },
};
/* clang-format on */

/* Where a family is not known: what a plain decoder is described by. */
static const char *const plain_fields[] = { "hidden_size", "num_hidden_layers",
	"num_attention_heads", "num_key_value_heads", "head_dim", "intermediate_size", "vocab_size",
	"max_position_embeddings", "attention_bias", "mlp_bias", "tie_word_embeddings",
	"hidden_act", "architectures", "model_type" };

/* Fields that other families have. */
static const char *const other_fields[] = { "moe_intermediate_size", "n_routed_experts",
	"n_shared_experts", "num_experts", "num_experts_per_tok", "num_local_experts",
	"first_k_dense_replace", "n_group", "topk_group", "topk_method", "num_nextn_predict_layers",
	"q_lora_rank", "kv_lora_rank", "qk_nope_head_dim", "qk_rope_head_dim", "v_head_dim",
	"index_head_dim", "index_n_heads", "index_topk", "sliding_window", "layer_types",
	"use_qk_norm", "decoder_sparse_step", "shared_expert_intermediate_size" };

struct config {
	struct config_fields fields;
	struct architecture *a;
	struct family family;
	size_t layers;
	enum mixing kinds[MOST_LAYERS];
	bool experts[MOST_LAYERS];
	bool borrows[MOST_LAYERS]; /* the choice of an earlier layer's indexer */
	size_t first[MOST_GROUPS]; /* the first layer of each group */
};

static bool has(const struct config *c, unsigned trait)
{
	return c->family.traits & trait;
}

static double assumption(const struct config *c, const char *name, double otherwise)
{
	const char *type = strcmp(c->family.type, "gemma3") == 0 ? "gemma3_text" : c->family.type;
	for (size_t i = 0; i < LENGTH(assumed); i++)
		if (strcmp(assumed[i].type, type) == 0 && strcmp(assumed[i].name, name) == 0)
			return assumed[i].value;
	return otherwise;
}

static double count(struct config *c, const char *names, double otherwise)
{
	char first[64];
	snprintf(first, sizeof first, "%.*s", (int)strcspn(names, "|"), names);
	return config_count(&c->fields, names, 0, assumption(c, first, otherwise));
}

/* One that a model cannot do without. */
static double needed(struct config *c, const char *names)
{
	char first[64];
	snprintf(first, sizeof first, "%.*s", (int)strcspn(names, "|"), names);
	return config_count(&c->fields, names, 1, assumption(c, first, NAN));
}

static bool flag(struct config *c, const char *names, bool otherwise)
{
	return config_flag(&c->fields, names, otherwise);
}

static bool is_set(const struct config *c, const char *names)
{
	const cJSON *j = config_member(&c->fields, names);
	return j && !cJSON_IsFalse(j) && !(cJSON_IsNumber(j) && j->valuedouble == 0) &&
	       !(cJSON_IsArray(j) && !j->child);
}

/* --- What is not known --- */

static const char *type_of(struct config *c)
{
	const char *inner = config_text(&c->fields, "model_type");
	return inner ? inner
		     : cJSON_GetStringValue(
			       cJSON_GetObjectItemCaseSensitive(c->fields.outer, "model_type"));
}

static const struct family *family_of(const char *type)
{
	for (size_t i = 0; i < LENGTH(families); i++)
		if (strcmp(families[i].type, type) == 0)
			return &families[i];
	return NULL;
}

/* Fields whose names speak of a model's shape; others are tokens, angles, losses and the like. */
static bool shapes_a_model(const char *name)
{
	static const char *const harmless[] = { "token_id", "token_index", "dropout", "eps", "rope",
		"rotary", "init", "loss", "_coef", "softcap", "_scalar", "dtype", "version",
		"logit", "use_cache", "label", "pretraining", "_theta", "cache_impl", "return_",
		"output_attentions", "output_hidden", "quantization_config", "attn_implementation",
		"max_window_layers", "chunk_size_feed_forward", "_pdrop", "is_", "problem_type",
		"position_embedding_type", "embd_pdrop", "original_max", "initial_context" };
	static const char *const shapes[] = { "layer", "head", "expert", "moe", "window", "rank",
		"lora", "mamba", "ssm", "state", "linear", "compress", "index", "conv", "chunk",
		"attn", "attention", "ffn", "mlp", "intermediate", "dim", "width", "pattern",
		"group", "shared", "block", "hash", "num_", "n_", "size", "ratio", "mult", "hc_" };
	for (size_t i = 0; i < LENGTH(harmless); i++)
		if (strstr(name, harmless[i]))
			return false;
	for (size_t i = 0; i < LENGTH(shapes); i++)
		if (strstr(name, shapes[i]))
			return true;
	return false;
}

static bool is_one_of(const char *name, const char *const names[], size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

/* Appends the name to a list of names; false when it has no room. */
static bool listed(char *list, size_t size, const char *name)
{
	size_t used = strlen(list);
	int n = snprintf(list + used, size - used, "%s%.40s", used ? ", " : "", name);
	if (n >= 0 && (size_t)n < size - used)
		return true;
	list[used] = '\0';
	return false;
}

/* The fields that speak of the model's shape and that no family has; where there are none, those that
 * a plain decoder does not have. */
static void list_beyond_plain(const struct config *c, char *fields, size_t size)
{
	for (int known = 0; known < 2 && !*fields; known++)
		for (const cJSON *j = c->fields.model->child; j; j = j->next)
			if (!is_one_of(j->string, plain_fields, LENGTH(plain_fields)) &&
				is_one_of(j->string, other_fields, LENGTH(other_fields)) == known &&
				shapes_a_model(j->string) && is_set(c, j->string))
				listed(fields, size, j->string);
}

/* A family that nobody knows is a plain decoder if all that it says of its shape is what a plain
 * decoder says. */
static void take_unknown(struct config *c, const char *type)
{
	static const struct family plain = { "", 0, 2 };
	char fields[200] = "";
	list_beyond_plain(c, fields, sizeof fields);
	if (*fields)
		config_refuse(&c->fields,
			"model_type: \"%.40s\" is not known, nor what its fields say: %s", type,
			fields);
	c->family = plain;
	architecture_note(c->a,
		"model_type %.40s is not known; read as a plain decoder, which all its fields "
		"describe",
		type);
}

/* Fields that change what a known family is, in ways that are not read. */
static void refuse_unread(struct config *c)
{
	static const char *const unread[] = { "hidden_size_per_layer_input", "num_kv_shared_layers",
		"moe_latent_size", "compress_ratios", "hc_mult", "attn_type_list",
		"cross_attention_layers", "attn_every", "is_encoder_decoder", "use_mrope_section",
		"qk_layernorm" };
	char fields[200] = "";
	for (size_t i = 0; i < LENGTH(unread); i++)
		if (is_set(c, unread[i]))
			listed(fields, sizeof fields, unread[i]);
	if (*fields)
		config_refuse(&c->fields, "model_type %s is known, but not what is said by %s",
			c->family.type, fields);
}

/* --- Which layer is what --- */

static void fill(struct config *c, enum mixing kind)
{
	for (size_t i = 0; i < c->layers; i++)
		c->kinds[i] = kind;
}

/* DeepSeek's smallest have ordinary heads. */
static enum mixing full_kind(const struct config *c)
{
	return has(c, LATENT) && is_set(c, "kv_lora_rank") ? MIXING_LATENT : MIXING_FULL;
}

static void read_layer_types(struct config *c, const cJSON *list)
{
	static const struct {
		const char *name;
		enum mixing kind;
	} known[] = {
		{ "full_attention", MIXING_FULL },
		{ "attention", MIXING_FULL },
		{ "sliding_attention", MIXING_WINDOW },
		{ "chunked_attention", MIXING_CHUNK },
		{ "linear_attention", MIXING_DELTA },
		{ "conv", MIXING_CONV },
	};
	const cJSON *j = list->child;
	for (size_t i = 0; i < c->layers && j; i++, j = j->next) {
		const char *name = cJSON_GetStringValue(j);
		size_t k = 0;
		while (k < LENGTH(known) && name && strcmp(known[k].name, name) != 0)
			k++;
		if (!name || k == LENGTH(known)) {
			config_refuse(&c->fields,
				"layer_types: layers of kind \"%.40s\" are not known",
				name ? name : "?");
			return;
		}
		c->kinds[i] = known[k].kind == MIXING_FULL ? full_kind(c) : known[k].kind;
	}
}

/* A list of numbers, each saying what its layer is. */
static void read_switches(struct config *c, const cJSON *list, enum mixing zero, enum mixing other)
{
	const cJSON *j = list->child;
	for (size_t i = 0; i < c->layers && j; i++, j = j->next)
		c->kinds[i] = cJSON_IsNumber(j) && j->valuedouble != 0 ? other : zero;
}

/* Every so many-th layer is full, the others are of the kind. */
static void read_every(struct config *c, double period, enum mixing kind)
{
	for (size_t i = 0; i < c->layers; i++)
		c->kinds[i] = fmod((double)(i + 1), fmax(1, period)) == 0 ? MIXING_FULL : kind;
}

/* Nemotron-H: a letter for each layer. An M mixes, a star attends, a dash and an E feed forward. */
static void read_letters(struct config *c, const char *letters)
{
	if (strlen(letters) < c->layers)
		config_refuse(&c->fields,
			"hybrid_override_pattern: expected %zu letters, found %zu", c->layers,
			strlen(letters));
	for (size_t i = 0; i < c->layers && letters[i]; i++) {
		c->kinds[i] = letters[i] == 'M'   ? MIXING_MAMBA
			      : letters[i] == '*' ? MIXING_FULL
						  : MIXING_NONE;
		c->experts[i] = letters[i] == 'E';
		if (!strchr("M*-E", letters[i]))
			config_refuse(&c->fields,
				"hybrid_override_pattern: layers \"%c\" are not known; M, *, - and "
				"E are",
				letters[i]);
	}
}

static void read_qwen_windows(struct config *c)
{
	double first = count(c, "max_window_layers", (double)c->layers);
	for (size_t i = 0; i < c->layers; i++)
		c->kinds[i] = (double)i >= first ? MIXING_WINDOW : MIXING_FULL;
}

static bool windows_all(struct config *c)
{
	return has(c, WINDOW) && is_set(c, "sliding_window") && flag(c, "use_sliding_window", true);
}

static void read_kinds(struct config *c)
{
	struct config_fields *f = &c->fields;
	const cJSON *types = config_list(f, "layer_types", c->layers);
	const cJSON *hybrid = config_list(f, "hybrid_layer_pattern", c->layers);
	const char *letters = config_text(f, "hybrid_override_pattern");
	const bool llama4 = strcmp(c->family.type, "llama4_text") == 0;
	const cJSON *roped = llama4 ? config_list(f, "no_rope_layers", 0) : NULL;
	const bool patterned = assumption(c, "sliding_window_pattern", 0) > 0 ||
			       cJSON_IsNumber(config_member(f, "sliding_window_pattern"));
	fill(c, full_kind(c));
	if (types)
		read_layer_types(c, types);
	else if (hybrid)
		read_switches(c, hybrid, MIXING_FULL, MIXING_WINDOW);
	else if (letters)
		read_letters(c, letters);
	else if (llama4 && cJSON_GetArraySize(roped) >= (int)c->layers)
		read_switches(c, roped, MIXING_FULL, MIXING_CHUNK);
	else if (llama4 && is_set(c, "attention_chunk_size"))
		read_every(c, count(c, "no_rope_layer_interval", 4), MIXING_CHUNK);
	else if (is_set(c, "full_attention_interval") || is_set(c, "linear_num_value_heads"))
		read_every(c, count(c, "full_attention_interval", 4), MIXING_DELTA);
	else if (patterned && is_set(c, "sliding_window"))
		read_every(c, count(c, "sliding_window_pattern", 0), MIXING_WINDOW);
	else if (has(c, EVERY_OTHER))
		for (size_t i = 0; i < c->layers; i += 2)
			c->kinds[i] = MIXING_WINDOW;
	else if (has(c, QKV_BIAS | HEAD_NORMS) && flag(c, "use_sliding_window", false))
		read_qwen_windows(c);
	else if (windows_all(c))
		fill(c, MIXING_WINDOW);
}

/* A window that no sequence fills is none. */
static void forget_wide_windows(struct config *c, double window)
{
	for (size_t i = 0; i < c->layers; i++) {
		if (c->kinds[i] != MIXING_WINDOW && c->kinds[i] != MIXING_CHUNK)
			continue;
		if (window <= 0)
			config_refuse(&c->fields,
				"sliding_window: expected, since layer %zu has one, but missing",
				i);
		if (c->a->context > 0 && window >= c->a->context)
			c->kinds[i] = MIXING_FULL;
	}
}

/* --- Mixers --- */

static bool biased(struct config *c)
{
	const bool named = strcmp(c->family.type, "stablelm") == 0 ? flag(c, "use_qkv_bias", false)
			   : strcmp(c->family.type, "starcoder2") == 0
				   ? flag(c, "use_bias", true)
				   : flag(c, "attention_bias|add_qkv_bias|qkv_bias|bias", false);
	return named || has(c, QKV_BIAS | ALL_BIAS);
}

static bool output_biased(struct config *c)
{
	const char *t = c->family.type;
	if (strcmp(t, "stablelm") == 0 || strcmp(t, "chatglm") == 0)
		return false;
	if (strcmp(t, "seed_oss") == 0)
		return flag(c, "attention_out_bias", false);
	if (has(c, ALL_BIAS))
		return true;
	return !has(c, OUT_PLAIN) && !has(c, QKV_BIAS) && biased(c);
}

static bool norms_heads(struct config *c)
{
	return has(c, HEAD_NORMS) ||
	       (strcmp(c->family.type, "glm4_moe") == 0 && flag(c, "use_qk_norm", false));
}

static bool norms_whole(struct config *c)
{
	return has(c, WHOLE_NORMS) ||
	       (strncmp(c->family.type, "cohere", 6) == 0 && flag(c, "use_qk_norm", false));
}

/* Attention of heads that have keys and values, or share them. */
static void attention(struct config *c, struct mixer *m, double h, bool own_values, bool sinks)
{
	const double q = m->heads * m->key_dim, k = m->kv_heads * m->key_dim;
	const double v = m->kv_heads * m->value_dim, o = m->heads * m->value_dim;
	m->matrices = h * q * (has(c, GATED_OUTPUT) || flag(c, "attn_output_gate", false) ? 2 : 1) +
		      h * k + (own_values ? h * v : 0) + o * h;
	m->rest = (biased(c) ? q + k + v : 0) + (output_biased(c) ? h : 0) +
		  (norms_heads(c) ? 2 * m->key_dim : 0) + (norms_whole(c) ? q + k : 0) +
		  (sinks ? m->heads : 0);
	m->cache_elements = k + v;
}

/* One latent vector stands for the keys and values of all heads; a part with positions stands beside
 * it. An indexer, where there is one, chooses what is attended to. */
static void latent(struct config *c, struct mixer *m, double h, bool indexed)
{
	const double q_rank = count(c, "q_lora_rank", 0), rank = needed(c, "kv_lora_rank");
	const double nope = needed(c, "qk_nope_head_dim"), rope = needed(c, "qk_rope_head_dim");
	const double v = needed(c, "v_head_dim"), q = m->heads * (nope + rope);
	const double ih = count(c, "index_n_heads", 0), id = count(c, "index_head_dim", 0);
	m->matrices = (q_rank > 0 ? h * q_rank + q_rank * q : h * q) + h * (rank + rope) +
		      rank * m->heads * (nope + v) + m->heads * v * h;
	m->rest = q_rank + rank + (biased(c) ? (q_rank > 0 ? q_rank : q) + rank + rope + h : 0);
	if (ih > 0 && indexed) {
		m->matrices += q_rank * ih * id + h * id + h * ih;
		m->rest += 2 * id;
	}
	m->key_dim = nope + rope;
	m->value_dim = v;
	m->kv_heads = m->heads;
	m->latent = rank;
	m->query_latent = q_rank;
	m->cache_elements = rank + rope;
}

static void delta_rule(struct config *c, struct mixer *m, double h)
{
	const double nk = needed(c, "linear_num_key_heads"), dk = needed(c, "linear_key_head_dim");
	const double nv = needed(c, "linear_num_value_heads");
	const double dv = needed(c, "linear_value_head_dim");
	const double conv = needed(c, "linear_conv_kernel_dim"), mixed = 2 * nk * dk + nv * dv;
	m->matrices = h * (2 * nk * dk + 2 * nv * dv) + 2 * h * nv + nv * dv * h;
	m->rest = conv * mixed + 2 * nv + dv;
	m->state_elements = nv * dk * dv + (conv - 1) * mixed;
	*m = (struct mixer){ .kind = MIXING_DELTA,
		.heads = nv,
		.kv_heads = nk,
		.key_dim = dk,
		.value_dim = dv,
		.matrices = m->matrices,
		.rest = m->rest,
		.state_elements = m->state_elements };
}

static void mamba(struct config *c, struct mixer *m, double h)
{
	const double heads = needed(c, "mamba_num_heads"), dim = needed(c, "mamba_head_dim");
	const double groups = needed(c, "n_groups"), state = needed(c, "ssm_state_size");
	const double conv = needed(c, "conv_kernel"), inner = heads * dim;
	const double mixed = inner + 2 * groups * state;
	*m = (struct mixer){ .kind = MIXING_MAMBA,
		.heads = heads,
		.kv_heads = groups,
		.key_dim = state,
		.value_dim = dim,
		.matrices = h * (inner + mixed + heads) + inner * h,
		.rest = mixed * (conv + 1) + 3 * heads + inner,
		.state_elements = inner * state + (conv - 1) * mixed };
}

static void convolution(struct config *c, struct mixer *m, double h)
{
	const double kernel = needed(c, "conv_L_cache");
	*m = (struct mixer){ .kind = MIXING_CONV,
		.matrices = 4 * h * h,
		.rest = kernel * h,
		.state_elements = (kernel - 1) * h };
}

static double kv_heads_of(struct config *c, double heads)
{
	const char *t = c->family.type;
	if (strcmp(t, "chatglm") == 0)
		return flag(c, "multi_query_attention", false) ? needed(c, "multi_query_group_num")
							       : heads;
	if (strcmp(t, "gpt_bigcode") == 0)
		return flag(c, "multi_query", true) ? 1 : heads;
	if (strcmp(t, "falcon") == 0 && !flag(c, "new_decoder_architecture", false))
		return flag(c, "multi_query", true) ? 1 : heads;
	return fmax(1, count(c, "num_key_value_heads|num_kv_heads|n_head_kv|kv_n_heads", heads));
}

/* Gemma 4's full layers and MiMo's windowed ones have heads of their own. */
static void heads_of_kind(struct config *c, struct mixer *m)
{
	if (m->kind == MIXING_FULL) {
		m->key_dim = count(c, "global_head_dim", m->key_dim);
		m->value_dim = count(c, "global_head_dim", m->value_dim);
		m->kv_heads = count(c, "num_global_key_value_heads", m->kv_heads);
	} else if (m->kind == MIXING_WINDOW) {
		m->heads = count(c, "swa_num_attention_heads", m->heads);
		m->kv_heads = count(c, "swa_num_key_value_heads", m->kv_heads);
		m->key_dim = count(c, "swa_head_dim", m->key_dim);
		m->value_dim = count(c, "swa_v_head_dim", m->value_dim);
	}
}

static bool has_sinks(struct config *c, enum mixing kind)
{
	return has(c, SINKS) ||
	       (kind == MIXING_WINDOW && flag(c, "add_swa_attention_sink_bias", false)) ||
	       (kind == MIXING_FULL && flag(c, "add_full_attention_sink_bias", false));
}

static struct mixer mixer_of(struct config *c, size_t layer, double window)
{
	const enum mixing kind = c->kinds[layer];
	const double h = c->a->hidden;
	struct mixer m = { .kind = kind,
		.heads = needed(c, "num_attention_heads|n_head|n_heads|num_heads") };
	if (kind == MIXING_NONE)
		return (struct mixer){ .kind = kind };
	if (kind == MIXING_DELTA || kind == MIXING_MAMBA || kind == MIXING_CONV) {
		(kind == MIXING_DELTA          ? delta_rule
			: kind == MIXING_MAMBA ? mamba
					       : convolution)(c, &m, h);
		return m;
	}
	m.kv_heads = kv_heads_of(c, m.heads);
	m.key_dim = count(c, "head_dim|kv_channels|attention_head_dim", floor(h / m.heads));
	m.value_dim = is_set(c, "v_head_dim") ? count(c, "v_head_dim", 0) : m.key_dim;
	m.window = kind == MIXING_WINDOW || kind == MIXING_CHUNK ? window : 0;
	if (kind == MIXING_LATENT) {
		latent(c, &m, h, !c->borrows[layer]);
		return m;
	}
	heads_of_kind(c, &m);
	if (fmod(m.heads, fmax(1, m.kv_heads)) != 0)
		config_refuse(&c->fields,
			"num_key_value_heads: expected a divisor of %g heads, found %g", m.heads,
			m.kv_heads);
	attention(c, &m, h, !(kind == MIXING_FULL && flag(c, "attention_k_eq_v", false)),
		has_sinks(c, kind));
	return m;
}

/* --- Feed-forward parts --- */

static double matrices_of(const struct config *c)
{
	return has(c, TWO_MATRICES) ? 2 : 3;
}

static double dense_width(struct config *c)
{
	const double h = c->a->hidden;
	const char *t = c->family.type;
	if (strcmp(t, "llama4_text") == 0 && is_set(c, "intermediate_size_mlp"))
		return needed(c, "intermediate_size_mlp");
	if (strcmp(t, "mpt") == 0)
		return count(c, "expansion_ratio", 4) * h;
	/* LFM2 rounds two thirds of what it says up to a multiple, unless told not to. */
	if (strcmp(t, "lfm2") == 0 && flag(c, "block_auto_adjust_ff_dim", true)) {
		double of = fmax(1, count(c, "block_multiple_of", 256));
		double w = floor(2 * needed(c, "intermediate_size|block_ff_dim") / 3);
		return of * ceil(w / of);
	}
	return count(c, "intermediate_size|ffn_hidden_size|n_inner|ffn_dim|block_ff_dim",
		strcmp(t, "gpt2") == 0 || strcmp(t, "falcon") == 0 || strcmp(t, "bloom") == 0 ||
				strcmp(t, "gpt_bigcode") == 0 || strcmp(t, "gptj") == 0
			? 4 * h
			: NAN);
}

static bool feed_biased(struct config *c)
{
	if (strcmp(c->family.type, "starcoder2") == 0)
		return flag(c, "use_bias", true);
	return has(c, FEED_BIAS) || flag(c, "mlp_bias|add_bias_linear", false);
}

static void dense(struct config *c, struct feed *f)
{
	const double h = c->a->hidden, n = matrices_of(c);
	f->width = dense_width(c);
	f->matrices = n * h * f->width;
	f->rest = feed_biased(c) ? (n - 1) * f->width + h : 0;
}

static const char expert_count[] = "num_local_experts|num_experts|n_routed_experts|moe_num_experts";

static double expert_width(struct config *c)
{
	return is_set(c, "moe_intermediate_size") ? needed(c, "moe_intermediate_size")
						  : needed(c, "intermediate_size|ffn_hidden_size");
}

static double shared_width(struct config *c, double width)
{
	if (strcmp(c->family.type, "llama4_text") == 0)
		return needed(c, "intermediate_size");
	if (is_set(c, "moe_shared_expert_intermediate_size"))
		return count(c, "moe_shared_expert_intermediate_size", 0) *
		       count(c, "n_shared_experts", 1);
	return count(c, "n_shared_experts|num_shared_experts", 0) * width +
	       count(c, "shared_expert_intermediate_size|shared_intermediate_size", 0);
}

static void experts(struct config *c, struct feed *f)
{
	const double h = c->a->hidden, n = matrices_of(c);
	f->experts = needed(c, expert_count);
	f->per_token =
		needed(c, "num_experts_per_tok|experts_per_token|top_k_experts|moe_top_k|moe_k");
	if (f->per_token > f->experts)
		config_refuse(&c->fields,
			"num_experts_per_tok: expected at most the %g experts, found %g",
			f->experts, f->per_token);
	f->expert_width = expert_width(c);
	f->expert = n * h * f->expert_width;
	f->expert_rest = feed_biased(c) ? (n - 1) * f->expert_width + h : 0;
	f->shared = n * h * shared_width(c, f->expert_width) + (has(c, SHARED_GATE) ? h : 0);
	f->router = h * f->experts;
	if (has(c, ROUTER_BIAS) || flag(c, "use_routing_bias", false))
		f->router += f->experts;
}

/* Which layers have experts: all, but the first few; or every so many-th; or those listed. */
static void read_experts(struct config *c)
{
	const cJSON *j, *switches = config_member(&c->fields, "moe_layer_freq");
	const cJSON *without = config_list(&c->fields, "mlp_only_layers", 0);
	const bool listed_here = cJSON_IsArray(switches);
	if (!is_set(c, expert_count) || config_text(&c->fields, "hybrid_override_pattern"))
		return;
	const double first = count(c, "first_k_dense_replace", 0);
	const double step = fmax(1, count(c, "decoder_sparse_step|interleave_moe_layer_step", 1));
	const double freq = listed_here ? 1 : fmax(1, count(c, "moe_layer_freq", 1));
	for (size_t i = 0; i < c->layers; i++)
		c->experts[i] = (double)i >= first && fmod((double)(i + 1), step) == 0 &&
				fmod((double)i, freq) == 0;
	size_t i = 0;
	if (listed_here && config_list(&c->fields, "moe_layer_freq", c->layers))
		for (j = switches->child; j && i < c->layers; j = j->next, i++)
			c->experts[i] = cJSON_IsNumber(j) && j->valuedouble != 0;
	cJSON_ArrayForEach(j, without)
	{
		if (cJSON_IsNumber(j) && j->valuedouble >= 0 && j->valuedouble < (double)c->layers)
			c->experts[(size_t)j->valuedouble] = false;
	}
}

/* GLM-5.2's layers say whether they have an indexer or borrow an earlier layer's choice. */
static void read_indexers(struct config *c)
{
	const cJSON *list = config_list(&c->fields, "indexer_types", c->layers);
	const cJSON *j = list ? list->child : NULL;
	for (size_t i = 0; i < c->layers && j; i++, j = j->next)
		c->borrows[i] = cJSON_IsString(j) && strcmp(j->valuestring, "shared") == 0;
}

/* Gemma 4 has experts beside the dense part, with norms, scales and a gain of their own. */
static bool has_both(struct config *c)
{
	return strcmp(c->family.type, "gemma4_text") == 0 && flag(c, "enable_moe_block", false);
}

static struct feed feed_of(struct config *c, enum mixing kind, bool with_experts)
{
	struct feed f = { .width = 0 };
	const bool letters = config_text(&c->fields, "hybrid_override_pattern") != NULL;
	if (letters && kind != MIXING_NONE)
		return f;
	if (with_experts)
		experts(c, &f);
	if (with_experts && has_both(c))
		f.router += c->a->hidden + f.experts;
	if (!with_experts || has_both(c))
		dense(c, &f);
	return f;
}

/* --- The whole --- */

static double norm_size(const struct config *c)
{
	return c->a->hidden * (has(c, NORM_BIAS) ? 2 : 1);
}

static double layer_norms(struct config *c)
{
	double norms = c->family.norms + (has_both(c) ? 3 : 0);
	const char *t = c->family.type;
	/* One norm before both parts, where they run side by side. */
	if (strcmp(t, "falcon") == 0 && !flag(c, "new_decoder_architecture", false) &&
		flag(c, "parallel_attn", true))
		norms = 1;
	if (strcmp(t, "stablelm") == 0 && flag(c, "use_parallel_residual", false))
		norms = 1;
	if (strcmp(t, "mpt") == 0 && !flag(c, "no_bias", true))
		config_refuse(&c->fields, "no_bias: false is not read in a model of type mpt");
	return norms * norm_size(c) + (has(c, SCALARS) ? 1 : 0);
}

static bool alike(const struct config *c, size_t i, size_t j)
{
	return c->kinds[i] == c->kinds[j] && c->experts[i] == c->experts[j] &&
	       c->borrows[i] == c->borrows[j];
}

static void put_layer(struct config *c, size_t layer, double window, double norms)
{
	struct architecture *a = c->a;
	size_t i = 0;
	while (i < a->n_groups && !alike(c, c->first[i], layer))
		i++;
	if (i == a->n_groups) {
		/* No file has more kinds of layers, with and without experts. */
		assert(a->n_groups < MOST_GROUPS);
		c->first[i] = layer;
		a->groups[a->n_groups++] = (struct layer_group){ .n = 0,
			.mixer = mixer_of(c, layer, window),
			.feed = feed_of(c, c->kinds[layer], c->experts[layer]),
			.norms = norms };
	}
	a->groups[i].n++;
	a->of_layer[layer] = (uint8_t)i;
}

static double position_count(struct config *c)
{
	/* OPT leaves two rows free in front. */
	double n = needed(c, "max_position_embeddings|n_positions");
	return strcmp(c->family.type, "opt") == 0 ? n + 2 : n;
}

static void read_outside(struct config *c)
{
	struct architecture *a = c->a;
	const double h = a->hidden;
	const cJSON *tied =
		cJSON_GetObjectItemCaseSensitive(c->fields.outer, "tie_word_embeddings");
	a->tied = flag(c, "tie_word_embeddings|tie_embedding",
		cJSON_IsBool(tied) ? cJSON_IsTrue(tied) : has(c, TIED));
	a->encoder = has(c, ENCODER);
	a->embedding = a->vocab * h + (has(c, EMBEDDING_NORM) ? norm_size(c) : 0) +
		       (has(c, POSITIONS) ? position_count(c) * h : 0) +
		       count(c, "type_vocab_size", 0) * h;
	a->tied = a->tied && !a->encoder;
	a->head = a->tied || a->encoder ? 0 : a->vocab * h;
	a->last_norm = a->encoder || c->family.norms == 0 ? 0 : norm_size(c);
	/* An encoder ends in a pooler. */
	a->other = (a->encoder ? h * h + h : 0) +
		   (has(c, HEAD_BIAS) || flag(c, "lm_head_bias", false) ? a->vocab : 0);
	const double projected = count(c, "word_embed_proj_dim", h);
	if (projected != h)
		config_refuse(&c->fields,
			"word_embed_proj_dim: expected %g as hidden_size, found %g", h, projected);
}

/* DeepSeek's further layer: its own attention and experts, a product that joins the token before, and
 * three norms. Others' are not described by their files. */
static void read_further_tokens(struct config *c)
{
	struct architecture *a = c->a;
	const double n = count(c, "num_nextn_predict_layers", 0);
	const bool others =
		is_set(c, "mtp_num_hidden_layers|num_mtp_modules|mtp_transformer_layers");
	if (a->n_groups == 0)
		return;
	const struct layer_group *g = &a->groups[a->of_layer[c->layers - 1]];
	const double h = a->hidden;
	if (n > 0)
		a->mtp_params =
			n * (g->mixer.matrices + g->mixer.rest + g->feed.matrices + g->feed.rest +
				    g->feed.experts * (g->feed.expert + g->feed.expert_rest) +
				    g->feed.shared + g->feed.router + g->norms + 2 * h * h + 3 * h);
	else if (others)
		a->mtp_params = NAN;
}

static void note_what_is_left_out(struct config *c)
{
	if (is_set(c, "index_n_heads"))
		architecture_note(c->a,
			"an indexer chooses index_topk = %g tokens: its parameters are counted; its "
			"own cache and what it saves are not",
			count(c, "index_topk", 0));
	if (isnan(c->a->mtp_params))
		architecture_note(c->a, "layers that predict further tokens are not counted");
	if (cJSON_GetObjectItemCaseSensitive(c->fields.outer, "vision_config") ||
		cJSON_GetObjectItemCaseSensitive(c->fields.outer, "audio_config"))
		architecture_note(c->a,
			"the language model alone: towers for images and sound are not counted");
}

static void read_shape(struct config *c)
{
	struct architecture *a = c->a;
	a->hidden = needed(c, "hidden_size|n_embd|d_model");
	a->layers = needed(c, "num_hidden_layers|n_layer|n_layers|num_layers");
	a->vocab = needed(c, "vocab_size|padded_vocab_size");
	a->context = count(c,
		"max_position_embeddings|n_positions|seq_length|max_seq_len|max_sequence_length|"
		"n_ctx",
		0);
	if (a->layers > MOST_LAYERS)
		config_refuse(&c->fields, "num_hidden_layers: expected at most %d, found %g",
			MOST_LAYERS, a->layers);
	c->layers = a->layers <= MOST_LAYERS ? (size_t)a->layers : 0;
}

static void read_layers(struct config *c)
{
	const double window = fmax(count(c, "sliding_window|sliding_window_size", 0),
		strcmp(c->family.type, "llama4_text") == 0 ? count(c, "attention_chunk_size", 0)
							   : 0);
	const double norms = layer_norms(c);
	read_kinds(c);
	read_experts(c);
	read_indexers(c);
	forget_wide_windows(c, window);
	for (size_t i = 0; i < c->layers && !c->fields.failed; i++)
		put_layer(c, i, window, norms);
}

static void read_all(struct config *c)
{
	const char *type = type_of(c);
	if (!type) {
		config_refuse(&c->fields, "model_type: expected, but missing");
		return;
	}
	snprintf(c->a->type, sizeof c->a->type, "%.47s", type);
	const struct family *family = family_of(type);
	if (family)
		c->family = *family;
	else
		take_unknown(c, type);
	refuse_unread(c);
	if (!c->fields.failed)
		read_shape(c);
	if (!c->fields.failed)
		read_layers(c);
	if (!c->fields.failed) {
		read_outside(c);
		config_read_storage(&c->fields, c->a);
		read_further_tokens(c);
		note_what_is_left_out(c);
	}
}

int architecture_read(struct architecture *a, const char *json, char *err, size_t err_size)
{
	struct config c = { .a = a };
	const bool fits = strlen(json) <= LARGEST_CONFIG;
	cJSON *file = fits ? json_text_parse(json, NULL) : NULL;
	const bool no_memory = fits && !file && errno == ENOMEM;
	*a = (struct architecture){ .layers = 0 };
	c.fields = config_fields_of(file, err, err_size);
	if (no_memory)
		config_refuse(&c.fields, "out of memory");
	else if (!cJSON_IsObject(file))
		config_refuse(
			&c.fields, "expected a JSON object of at most %d bytes", LARGEST_CONFIG);
	else
		read_all(&c);
	cJSON_Delete(file);
	return c.fields.failed ? -1 : 0;
}
