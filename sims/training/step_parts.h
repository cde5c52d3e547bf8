/* The work of one layer of a model that is made of parts (sims/architecture/), for the model of a
 * training step: the mean over its layers. Attention of any kind, windows, latent vectors and states;
 * experts that are dealt to GPUs, with the tokens that travel to them and back. */
#ifndef RIDGE_STEP_PARTS_H
#define RIDGE_STEP_PARTS_H

#include "sims/training/model_step.h"
#include "sims/training/training_layer.h"

/* s->model->made_of must be set. */
struct layer_work parts_layer_work(const struct step_setup *s);
/* What a head for a further token does besides such a layer and the vocabulary: it joins the stream
 * with the embedding of the token before, in s. */
double parts_join_s(const struct step_setup *s);

/* Parameters of products that a token passes, all layers and heads for further tokens; without the
 * vocabulary. */
double parts_active_params(const struct step_setup *s);
/* FLOPs of attention, forward, of a token, over all layers: over what is not masked. */
double parts_attention_flops(const struct step_setup *s);

/* How the experts lie: on `ep` groups of GPUs, each of which cuts them over `split`; `copies` groups
 * of ep x split hold the same. */
struct expert_mesh {
	double ep, split, copies;
};
struct expert_mesh expert_mesh(double ep, double tp, double cp, double dp);
struct expert_mesh expert_mesh_of(const struct step_setup *s);

/* The layers of a group as training_layer.h lays them out, in 16 bits. */
struct layer_setup parts_layer_setup(const struct step_setup *s, size_t group);
/* What a layer keeps for backward on one GPU in one micro-batch, in B, the mean over layers. */
double parts_kept_bytes(const struct step_setup *s, enum recompute recompute);

#endif
