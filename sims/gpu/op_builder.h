/* A section of sims/gpu/op_graph.h while it is written down: operations with the tensors that they
 * read and write (op_graph.c), grouped into kernels (op_fusion.c). Not for others. */
#ifndef RIDGE_OP_BUILDER_H
#define RIDGE_OP_BUILDER_H

#include "sims/gpu/op_graph.h"

#include <stdint.h>

enum { MAX_TENSORS = 256, MAX_IN = 4, MAX_OUT = 3, NO_TENSOR = UINT16_MAX };

struct node {
	const char *name;
	enum node_kind kind;
	unsigned key; /* neighbours with one key share rows and sizes: they can be one kernel */
	double m, n, k;
	uint16_t in[MAX_IN], out[MAX_OUT];
	size_t n_in, n_out;
	bool backward;
	bool sum; /* hands its gradient on as it is */
};

/* One section while it is written down. */
struct builder {
	const struct graph_setup *setup;
	double bytes[MAX_TENSORS];
	bool kept[MAX_TENSORS]; /* read after the section */
	uint16_t gradient[MAX_TENSORS];
	size_t n_tensors, n_nodes;
	struct node nodes[MAX_GRAPH_KERNELS];
	double tokens; /* rows */
};

/* Groups the operations into kernels and appends those to the section. */
void op_emit(const struct builder *b, enum fusion fusion, bool symbolic, struct graph_section *out);

#endif
