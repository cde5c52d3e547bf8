/* What a language model is made of, layer by layer, and what follows from that: its parameters by
 * part, those that one token touches, the cache of a sequence, the work of a token, the bytes of its
 * weights. Everything is counted from shapes; nothing is looked up.
 *
 * Counting follows the published implementations (transformers, vLLM): a parameter is a number that
 * is stored, biases and norms included. Sources of the parts: Vaswani et al., 2017 (attention);
 * Shazeer, 2019 and Ainslie et al., 2023 (shared KV heads); DeepSeek-AI, DeepSeek-V2, 2024 (latent
 * attention); Jiang et al., Mistral 7B, 2023 (windows); Yang et al., Gated Delta Networks, 2024;
 * Dao and Gu, Mamba-2, 2024; Fedus et al., Switch Transformers, 2021 (experts). */
#ifndef RIDGE_ARCHITECTURE_H
#define RIDGE_ARCHITECTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a layer lets tokens see each other. */
enum mixing {
	MIXING_NONE,   /* the layer has none: only a feed-forward part */
	MIXING_FULL,   /* attention to every earlier token */
	MIXING_WINDOW, /* to the last `window` tokens */
	MIXING_CHUNK,  /* to earlier tokens of the same chunk of `window` */
	MIXING_LATENT, /* to every earlier token, cached as one latent vector for all heads */
	MIXING_DELTA,  /* gated delta rule: a state of fixed size instead of a cache */
	MIXING_MAMBA,  /* Mamba-2: the same, by a state-space model */
	MIXING_CONV,   /* a short gated convolution: its last few inputs are the state */
	N_MIXINGS
};
extern const char *const mixing_ids[N_MIXINGS];   /* "full", "window", "chunked", ... */
extern const char *const mixing_names[N_MIXINGS]; /* "full attention", "window attention", ... */

/* All counts are of one layer. Matrices and the rest (biases, norms, scales) are told apart because
 * only matrices are stored in few bits. */
struct mixer {
	enum mixing kind;
	double heads, kv_heads;
	double key_dim, value_dim; /* of a head */
	double window;             /* tokens; 0: none */
	double latent;             /* numbers that stand for keys and values of all heads; 0 */
	double query_latent;       /* the same for queries; 0: they are made directly */
	double matrices, rest;     /* parameters */
	double cache_elements;     /* of one token, while it is cached */
	double state_elements;     /* of one sequence, whatever its length */
};

struct feed {
	double width;               /* of the dense part; 0: there is none */
	double matrices, rest;      /* of the dense part */
	double experts, per_token;  /* routed ones; 0: there are none */
	double expert_width;        /* of each */
	double expert, expert_rest; /* parameters of one expert */
	double shared;              /* experts that every token passes, all their parameters */
	double router;              /* with its biases */
};

/* Layers that are alike. */
struct layer_group {
	size_t n;
	struct mixer mixer;
	struct feed feed;
	double norms; /* parameters of norms around the parts, and scalars */
};

enum { MOST_LAYERS = 1024, MOST_GROUPS = 12, MOST_REMARKS = 8, REMARK_SIZE = 160 };

/* The parts of a model that are stored in types of their own. */
enum weight_part {
	PART_EMBEDDING, /* of tokens, positions, segments, with their norms */
	PART_HEAD,      /* the vocabulary's product; empty where it is the embedding's matrix */
	PART_MIXING,    /* attention and what stands in its place */
	PART_DENSE,     /* feed-forward parts that every token passes */
	PART_EXPERTS,   /* routed */
	PART_SHARED,    /* experts that every token passes */
	PART_ROUTER,
	PART_NORMS,
	N_WEIGHT_PARTS
};
extern const char *const weight_part_ids[N_WEIGHT_PARTS];
extern const char *const weight_part_names[N_WEIGHT_PARTS];

struct architecture {
	char type[48]; /* model_type of its configuration */
	double layers, hidden, vocab;
	double context; /* tokens it was made for; 0: not said */
	bool tied;      /* the head is the embedding's matrix */
	bool encoder;   /* sees its whole input at once and caches nothing */
	double embedding, head, last_norm, other; /* parameters outside of layers */
	double mtp_params; /* heads that predict further tokens, counted in no total; NAN: there are
			      some, of unknown size */
	struct layer_group groups[MOST_GROUPS];
	size_t n_groups;
	uint8_t of_layer[MOST_LAYERS]; /* the group of each layer */
	/* Bits of a stored weight, scales included, by the part's matrices; what is not a matrix
	 * has rest_bits. */
	double bits[N_WEIGHT_PARTS], rest_bits;
	bool fp8_blocks;     /* FP8 with a scale for each block, and activations rounded to match */
	const char *storage; /* in words: "BF16", "FP8 in blocks of 128 x 128" */
	char notes[MOST_REMARKS][REMARK_SIZE]; /* what was assumed, or not counted */
	size_t n_notes;
};

/* Matrices of a feed-forward part, of its routed experts where it has any: 3 with a gate, 2 without; and
 * the width of what all tokens share, as if that were one part. A part must have a width or experts. */
double feed_matrices(const struct feed *f, double hidden);
double feed_shared_width(const struct feed *f, double hidden);

/* Parameters by part; those that one token touches leave out the experts it is not sent to. */
struct parameter_count {
	double parts[N_WEIGHT_PARTS];
	double total, active;
	double active_without_embedding; /* a tied matrix stays, as the head */
};
struct parameter_count architecture_parameters(const struct architecture *a);

/* Bytes of all weights as they are stored, and of those that `tokens` tokens at once read at least:
 * experts are touched by chance, as the formula experts_touched has it. */
double architecture_weight_bytes(const struct architecture *a, double by_part[N_WEIGHT_PARTS]);
double architecture_read_bytes(const struct architecture *a, double tokens);

/* The cache of a sequence. */
struct cache_need {
	double full_per_token;     /* elements that every token adds */
	double windowed_per_token; /* elements that a token adds until the window is full */
	double window;             /* tokens; the longest, where several differ; 0: none */
	double state;              /* elements, whatever the length */
};
struct cache_need architecture_cache(const struct architecture *a);
/* Elements for a sequence of so many tokens, states included. */
double architecture_cache_elements(const struct architecture *a, double tokens);
/* The same where an engine keeps every attended layer whole, and keys and values of every head
 * instead of a latent vector. */
double architecture_expanded_elements(const struct architecture *a, double tokens);

/* FLOPs of the products of one token that follows `context` others: two for each active matrix
 * parameter but the embedding's, and for each head and token that attention sees two for each
 * dimension of key and value. Latent attention decodes on the latent vectors themselves (the
 * projections are absorbed into queries and output), which are longer than a head's. */
double architecture_token_flops(const struct architecture *a, double context);
/* Of a prompt of so many tokens, causal, logits of the last one alone. */
double architecture_prompt_flops(const struct architecture *a, double tokens);

/* How many layers of the kind, and how they follow each other: "5 window, 1 full, and so on" where a
 * pattern repeats, else "". Returns buf. */
size_t architecture_layers_of(const struct architecture *a, enum mixing kind);
char *architecture_pattern(const struct architecture *a, char *buf, size_t size);

#endif
