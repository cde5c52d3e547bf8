/* The cheapest way to serve a model: over GPUs, tensor parallelism, copies of attention, groups of
 * experts, weight and cache types, the chunk of a prompt that an iteration takes, and the number of
 * replicas, until the P99 of a simulated replica meets the goals.
 *
 * A layout is one choice of all but the number of replicas. Closed forms say how many GPUs a layout
 * takes at least, and that some can never do: they do not hold the weights, or a user who is alone
 * waits too long. The first bound is the datasheet's, arithmetic over peak; the next
 * (capacity_plan.h) are of an engine whose products fill all SMs, and of the engine itself, which
 * takes a thousand times as long to work out. What is left is searched cheapest bound first
 * (sims/base/cheapest.h), and only those whose turn it is get a better one: of each layout the
 * fewest replicas are found of which one, with its share of the requests, meets both goals in a
 * simulation (serving.h). Once two layouts are known, another is first tried with as many replicas
 * as cost no more: most fail at once. */
#ifndef RIDGE_SERVING_SEARCH_H
#define RIDGE_SERVING_SEARCH_H

#include "sims/base/cheapest.h"
#include "sims/serving/capacity_plan.h"

/* Why a layout does or does not do. */
enum layout_fate {
	LAYOUT_PASSES,
	LAYOUT_LEFT_OUT,   /* beyond the two best by its bound, or while it was tried: it takes
			  * `at_least` GPUs or more */
	LAYOUT_TOO_MANY,   /* takes more than SENSIBLE_GPUS, whatever they cost */
	LAYOUT_SLOW_FIRST, /* a user who is alone waits too long for the first token, */
	LAYOUT_SLOW_TOKEN, /* or for the next one */
	LAYOUT_TOO_SMALL /* does not hold the weights and one user; of a fleet: no replica in it */
};

/* The largest fleets of today are of some hundred thousand GPUs. */
enum { SENSIBLE_GPUS = 1000000 };

/* Where a layout's bounds are from, and the two that it has: at_least or rate_per_s, and excess. */
enum bound_kind { BOUND_OF_DATASHEET, BOUND_OF_SMOOTH_ENGINE, BOUND_OF_ENGINE };
enum layout_bound { BOUND_COST, BOUND_EXCESS, N_BOUNDS };

struct serving_layout {
	struct capacity_need need; /* with this layout's GPU, group, types and chunk */
	size_t family;             /* the same for layouts that differ in their chunks only */
	double price_per_h;        /* of one GPU; 0: unknown, and GPUs are counted instead */
	struct capacity_plan plan; /* only its memory and speed, until serving_bounds */
	enum layout_fate fate;
	enum bound_kind known[N_BOUNDS];
	double excess;     /* by how much a lone user's waits exceed the goals, at least */
	double gpus;       /* that meet both goals; INFINITY unless it passes */
	double at_least;   /* GPUs that it takes, where it was left out */
	double rate_per_s; /* requests that they serve: what is asked for, or a fleet's most */
	struct serving_summary check; /* of one replica; of a lone user where that fails */
};

struct serving_search {
	struct serving_layout *layouts; /* those of a family stand together */
	size_t n;
	size_t requests; /* that a simulated replica serves, at least */
	uint64_t seed;
	double fleet; /* > 0: so many GPUs are there, and the most that they serve is looked for */
	bool (*go_on)(void *context, double share); /* NULL: to the end */
	void *context;
	bool bounds_only;    /* nothing is simulated: the best are those of the least bounds */
	bool without_bounds; /* every layout is tried from one replica on: the same, but slow */

	struct cheapest found;
	size_t runs;     /* simulations of a replica */
	size_t strides;  /* of their engines: what a search takes */
	size_t unproven; /* layouts that may be cheaper, and were not simulated: it took too long */
	size_t engines;  /* that were worked out, smooth ones too */
	/* The last two of them: neighbours in the list share one. */
	struct {
		struct engine_shape shape;
		struct capacity_need need;
		size_t family;
		bool known;
	} last[2];
};

/* Fills in what its layouts come to. */
void serving_search(struct serving_search *s);
/* The layout that comes nearest to the goals when a user is alone, and in its check what that user
 * sees; NULL: none holds the model. For a search that found nothing. */
struct serving_layout *serving_nearest(struct serving_search *s);
/* Requests of a replica that have a cache, on average. */
double capacity_holders(const struct serving_summary *check);
/* All bounds of a layout. */
void serving_bounds(struct serving_layout *l);
/* The first token of a lone user's prompt that is longer than 99 of 100. */
double capacity_first_token_s(const struct capacity_need *n, const struct engine_shape *e);
/* Gives a layout that was left out its next better bound, if there is one. */
void serving_sharpen(struct serving_search *s, size_t layout);

/* What one of its GPUs counts for among layouts: $ an hour, or 1 where no price is known. */
double serving_price(const struct serving_layout *l);

/* One of so many replicas at its share of the requests. False where none of them was served. */
bool serving_try(struct serving_search *s, const struct capacity_need *n, double replicas,
	double requests_per_s, struct serving_summary *out);
/* Both goals at P99, and no more users at once than there are. */
bool serving_meets(
	const struct capacity_need *n, double replicas, const struct serving_summary *summary);

#endif
