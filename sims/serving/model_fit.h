/* What a model asks of GPUs, by its shapes and their datasheets alone: how many hold it, how long a
 * context fits, and how fast it can be at best. Behind `ridge model`. */
#ifndef RIDGE_MODEL_FIT_H
#define RIDGE_MODEL_FIT_H

#include "sims/architecture/architecture.h"
#include "sims/figure/sim.h"

/* Knobs alone, read like those of a simulation: no screen shows it. */
extern const struct sim model_goals;

struct fit_goal {
	double context; /* tokens of each sequence */
	double users;   /* sequences at once */
	double slack;   /* tokens that are kept beyond each window */
	double memory_share;
	enum dtype kv;
	bool stored; /* weights stay as the file has them; else in `weights` */
	enum dtype weights;
	const struct accelerator *gpu; /* NULL: whichever there are */
};
/* v: a value of every knob. */
struct fit_goal fit_goal_of(const struct tables *t, const struct architecture *a, const double v[]);
/* The architecture with its matrices in the type that was asked for. */
struct architecture fit_stored(const struct architecture *a, const struct fit_goal *goal);

/* The architecture with windows as an engine keeps them: for its cache, not for its work. */
struct architecture fit_cached(const struct architecture *a, const struct fit_goal *goal);

/* Whether the GPU is one of those that are listed unless one is asked for: of a datacentre's size,
 * with a price. */
bool fit_lists(const struct accelerator *g);

enum { MOST_FIT_GPUS = 1024 };

/* On the fewest GPUs, a power of two, that hold weights and the sequences' caches. Times are bounds:
 * no communication, and kernels as fast as the datasheet. */
struct model_fit {
	double gpus;                      /* INFINITY: not even MOST_FIT_GPUS hold it */
	double weight_bytes, cache_bytes; /* of all sequences */
	double longest_context; /* of each of the sequences on these GPUs, at most what the model was
				   made for, or 2^24 tokens where it does not say */
	double decode_s;        /* a step of all sequences */
	double tokens_per_s;    /* of all sequences */
	bool compute_bound;     /* the step */
	double prefill_s;       /* of one prompt of the context's length */
	double usd_per_mtok;    /* a million decoded tokens; NAN: there is no price */
};
/* a: as fit_stored gives it. */
struct model_fit model_fit_on(
	const struct architecture *a, const struct fit_goal *goal, const struct accelerator *g);

#endif
