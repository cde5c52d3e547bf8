/* Private to the walk over a training step (sims/memory/training_memory.c,
 * sims/memory/memory_walk.c): the list of events as it grows, and what is alive. */
#ifndef RIDGE_MEMORY_EVENTS_H
#define RIDGE_MEMORY_EVENTS_H

#include "sims/memory/training_memory.h"

/* Which rows of a layer outlive its forward pass. */
enum layer_keep { KEEP_SAVED, KEEP_STORED, KEEP_NONE };

struct memory_walk {
	const struct memory_setup *s;
	struct memory_trace *trace;
	struct arena *arena;
	struct training_layer layer;
	struct state_bytes state;
	double value_bytes; /* of activations, and of weights in use under ZeRO-3 */
	double shards;
	double t_s, recomputed_s;
	double forward_s; /* of one layer's forward pass */
	bool once;        /* what is allocated now comes in the first step only */
	int layers;
	size_t input_reader; /* the row that reads the layer's input last */

	/* Weights lie in units that are gathered together: 0 the embedding, the layers from 1,
	 * then the head. */
	double scale; /* the table's parameters of a layer over those of its rows */
	double embed_params, head_params;
	bool tied; /* the head uses the embedding's matrix */

	/* Tensors; 0 is none. By layer, from 1. */
	uint32_t *inputs; /* [layers + 2] */
	uint32_t (*rows)[MAX_LAYER_ROWS], (*casts)[MAX_LAYER_ROWS];
	uint32_t *gathered;             /* [layers + 2], by unit */
	uint32_t whole[MAX_LAYER_ROWS]; /* gradients of one unit before they are scattered */
	uint32_t stream;                /* the gradient that flows from layer to layer */
	uint32_t *gradients;            /* that live until the step ends */
	size_t n_gradients, cap_gradients;
};

/* Allocates; 0 for less than a byte, and when the arena has failed. */
uint32_t walk_take(struct memory_walk *w, double bytes, enum memory_kind kind);
/* Frees what is there, and forgets it. */
void walk_drop(struct memory_walk *w, uint32_t *tensor);
void walk_phase(struct memory_walk *w, enum memory_phase_kind kind, int layer, int last_layer);
void walk_keep_gradient(struct memory_walk *w, uint32_t tensor);

double walk_unit_params(const struct memory_walk *w, int unit);
/* Under ZeRO-3: the unit's weights, whole; nothing otherwise. */
void walk_gather(struct memory_walk *w, int unit);
void walk_release(struct memory_walk *w, int unit);

/* The gradient of one weight, and what becomes of a unit's when all are there. */
void walk_gradient(struct memory_walk *w, size_t row, double params);
void walk_reduce_gradients(struct memory_walk *w, int unit);

void walk_layer_forward(
	struct memory_walk *w, int layer, enum layer_keep keep, enum memory_kind output);
void walk_layer_rerun(struct memory_walk *w, int layer);
void walk_layer_backward(struct memory_walk *w, int layer);

#endif
