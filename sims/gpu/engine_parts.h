/* The engine of a model that is made of parts: layers of several kinds, experts, latent vectors,
 * states. Its iterations are those of sims/gpu/engine.h. */
#ifndef RIDGE_ENGINE_PARTS_H
#define RIDGE_ENGINE_PARTS_H

#include "sims/communication/collective.h"
#include "sims/gpu/engine.h"
#include "sims/gpu/experts.h"

#include <stdbool.h>

/* How one model lies on tp x copies GPUs: each copy of attention (and of the parts that every token
 * passes) is cut over tp GPUs; the experts are dealt to `ep` groups of GPUs, which divide tp x copies,
 * and cut over the GPUs of a group. With one copy, results are added up by an all-reduce; with several,
 * tokens travel to their experts and back. */
struct engine_layout {
	double tp, copies, ep;
	double hot; /* tokens on the busiest group, in those of the mean, beyond what chance
				    * does; 0 means 1 */
	const struct network *net; /* that tokens travel on; NULL: nodes of eight, a
				    * card of 400 Gbit/s for each GPU */
	bool overlap; /* the batch runs in two halves, one computes while the other travels */
	bool apart; /* routed experts and the tokens' travel are left out: whoever draws which token
		       * goes where adds them */
	const struct engine_rows *only; /* NULL: any; with one copy, or experts apart */
};

/* The routed experts of a layer as that engine has them on one GPU, all alike often chosen. */
struct experts engine_experts(const struct architecture *a, const struct accelerator *g,
	const struct engine_layout *how, const struct feed *f, enum dtype weights,
	enum dtype activations);

struct engine_shape engine_shape_laid(const struct architecture *a, const struct accelerator *g,
	const struct engine_layout *how, enum dtype weights, enum dtype activations, enum dtype kv);
/* The same with another type of the cache: only attention changes. */
void engine_laid_retype(struct engine_shape *e, const struct architecture *a,
	const struct accelerator *g, const struct engine_layout *how, enum dtype kv);

#endif
