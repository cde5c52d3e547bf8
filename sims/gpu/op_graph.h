/* A transformer as the kernels that a framework launches, one by one or after a compiler has fused
 * them. Eager kernels are those of a plain PyTorch implementation: norms and rotary embeddings
 * written out in pointwise kernels (a model with gated feed-forward), or a LayerNorm kernel and a
 * GELU (one without). Kernel times are those of sims/gpu/kernel.h, in s; sizes in B. */
#ifndef RIDGE_OP_GRAPH_H
#define RIDGE_OP_GRAPH_H

#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>

enum node_kind {
	NODE_GEMM,      /* a library call: nothing joins it, but for the epilogue of a template */
	NODE_ATTENTION, /* fused already */
	NODE_POINTWISE,
	NODE_REDUCTION, /* over a row: takes its pointwise neighbours along */
	NODE_COPY       /* writes in place: ends a chain */
};

enum graph_phase { GRAPH_DECODE, GRAPH_PREFILL, GRAPH_TRAIN };

struct graph_setup {
	const struct model *model;
	const struct accelerator *gpu;
	enum graph_phase phase;
	double batch, tokens; /* tokens: of each sequence; in decode those in the cache */
};

enum fusion {
	FUSION_NONE,     /* eager */
	FUSION_CHAINS,   /* pointwise and reductions with each other (Inductor's default) */
	FUSION_EPILOGUES /* and pointwise into the product before it (max-autotune's templates) */
};

/* What one launch runs. */
struct graph_kernel {
	const char *name; /* name of its first operation; a literal */
	enum node_kind kind;
	size_t ops;           /* how many of eager's kernels it replaces */
	double time_s, bytes; /* bytes: its operands in device memory */
	double unfused_s;     /* time of those kernels one by one */
};

enum { MAX_GRAPH_KERNELS = 128 };
/* A sequence of kernels, run `repeat` times in a row. */
struct graph_section {
	struct graph_kernel kernels[MAX_GRAPH_KERNELS];
	size_t n, repeat;
};
enum graph_sections { SECTION_FORWARD, SECTION_HEAD, SECTION_BACKWARD, N_GRAPH_SECTIONS };
struct op_graph {
	struct graph_section section[N_GRAPH_SECTIONS]; /* in order; an empty one has n 0 */
};

/* Writes the model down as kernels. symbolic: those made for any size, a little slower where they
 * were generated. */
struct op_graph op_graph_of(const struct graph_setup *s, enum fusion fusion, bool symbolic);

double op_graph_launches(const struct op_graph *g);
double op_graph_time_s(const struct op_graph *g); /* kernels back to back */

#endif
