/* The routed experts of one layer on one GPU: which of them a batch of tokens reads, and how long
 * that takes. Tokens choose their experts independently, each expert as often as any other (Fedus et
 * al., Switch Transformers, 2021, train for that); where they do not, `hot` says so. Times in s. */
#ifndef RIDGE_EXPERTS_H
#define RIDGE_EXPERTS_H

#include "sims/architecture/architecture.h"
#include "sims/communication/collective.h"
#include "sims/gpu/kernel.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An expert is `width` wide; in tensor parallelism each GPU has a part of every expert, in expert
 * parallelism some experts whole. */
struct experts {
	double experts, per_token; /* of the layer; of one token */
	double held;               /* of the layer's, on this GPU */
	double hidden, width;      /* of the part of an expert that lies on this GPU */
	bool gated;                /* three matrices instead of two */
	enum dtype weights, activations;
	const struct gemm_format *format; /* of the products; NULL: plain ones of these types */
	double hot; /* tokens that come to this GPU, in those that would if all got the same; 1 */
};
/* `groups`: the parts into which the layer's experts are dealt; `split`: the GPUs that share each
 * expert. Both 1 or more. */
struct experts experts_of(const struct feed *f, double hidden, double groups, double split,
	enum dtype weights, enum dtype activations);

/* Of the experts here, those that at least one of `tokens` chose: the mean. */
double experts_read(const struct experts *e, double tokens);
/* Rows that come here: a token counts once for each of its experts here. */
double experts_rows(const struct experts *e, double tokens);

/* The products of all experts here, for tokens of the whole layer; 0 for none. */
double experts_products_s(const struct accelerator *g, const struct experts *e, double tokens);
/* The same where it is known how many rows each of n experts here gets: products are of whole tiles, and
 * each expert has its own number of them. 0 where none gets any. The mean over the experts with rows of
 * what it would take if all of those were like it. */
double experts_drawn_s(
	const struct accelerator *g, const struct experts *e, const uint32_t rows[], size_t n);
/* What stands around them on a GPU that holds `tokens` of the layer's: scores of all experts, the
 * choice, sorting rows by expert, the gate, and adding up what comes back; and where their format
 * rounds its inputs, doing so: tokens before they are sent, rows behind the gate. */
double experts_routing_s(
	const struct accelerator *g, const struct experts *e, double tokens, double rows);

/* Tokens on the busiest of `groups`, in the mean: what chance alone does where `rows` are dealt to
 * them. 1 where there is one. */
double experts_chance_peak(double groups, double rows);

/* Copies of its `tokens` that a GPU sends out so that they reach their experts on `gpus` GPUs, itself
 * included: one to each GPU that has any of a token's experts. */
double experts_sent_tokens(const struct experts *e, double gpus, double tokens);

/* The GPUs among which tokens travel, and the groups of them to which experts are dealt. */
struct expert_travel {
	const struct network *net;
	double gpus, groups;
};
/* Few tokens of a GPU, a step of decoding, go straight to every GPU that has any of their experts. More go
 * into another node once and are handed on there, which takes SMs of the GPUs that do it (DeepSeek, DeepEP,
 * 2025, has kernels of both kinds). Within one node nothing is handed on. */
bool experts_hand_on(const struct expert_travel *m, double tokens);
/* One way of `tokens` of a GPU, of which copies of so many bytes go out, those for itself included. */
double experts_travel_s(
	const struct experts *e, const struct expert_travel *m, double tokens, double bytes);

#endif
