/* The rows of a simulation's knobs: one macro for each kind, with one meaning in the whole tree, so
 * that a row means the same in whatever file it stands.
 *
 * What every row of a kind has comes first, in this order; then the help, which may be several
 * literals; then, where a row has more to say, further members by name:
 *
 *	[WORKERS] = KNOB_WHOLE("workers", "workers", "", 1, 64, 8,
 *		"the loader delivers one batch per prep/workers",
 *		.when = { WHEN(LOADER, KNOB_ON) }),
 *
 * A knob's id is typed and stored, its label has room for 16 columns, its unit is a word of
 * sims/quantity/. */
#ifndef RIDGE_KNOBS_H
#define RIDGE_KNOBS_H

#include "sims/figure/knob.h"

/* A number of which a small step adds `by`. */
#define KNOB_LINEAR(id_, label_, unit_, least_, most_, usual, by, ...)                             \
	{                                                                                          \
		.id = id_, .label = label_, .unit = unit_, .kind = KNOB_NUMBER, .min = least_,     \
		.max = most_, .dflt = usual, .step = by, .help = __VA_ARGS__                       \
	}
/* A whole number: one more, one less. */
#define KNOB_WHOLE(id_, label_, unit_, least_, most_, usual, ...)                                  \
	{                                                                                          \
		.id = id_, .label = label_, .unit = unit_, .kind = KNOB_NUMBER, .min = least_,     \
		.max = most_, .dflt = usual, .step = 1, .integer = true, .help = __VA_ARGS__       \
	}
/* A number which a small step multiplies by `by`. */
#define KNOB_FACTOR(id_, label_, unit_, least_, most_, usual, by, ...)                             \
	{                                                                                          \
		.id = id_, .label = label_, .unit = unit_, .kind = KNOB_NUMBER, .min = least_,     \
		.max = most_, .dflt = usual, .step = by, .geometric = true, .help = __VA_ARGS__    \
	}
/* A whole number that doubles: 1, 2, 4, 8. */
#define KNOB_DOUBLING(id_, label_, unit_, least_, most_, usual, ...)                               \
	{                                                                                          \
		.id = id_, .label = label_, .unit = unit_, .kind = KNOB_NUMBER, .min = least_,     \
		.max = most_, .dflt = usual, .step = 2, .geometric = true, .integer = true,        \
		.help = __VA_ARGS__                                                                \
	}
/* In a simulation's row: .STORY(GPUS, BATCH, NETWORK) names the knobs that tell its story. */
#define STORY(...) story = { __VA_ARGS__ }, .n_story = sizeof((unsigned char[]){ __VA_ARGS__ })

/* The seed of a simulation's random numbers. */
#define KNOB_SEED(least_, most_, ...) KNOB_WHOLE("seed", "seed", "", least_, most_, 1, __VA_ARGS__)
/* On or off. */
#define KNOB_SWITCH(id_, label_, usual, ...)                                                       \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_TOGGLE, .dflt = usual,        \
		.help = __VA_ARGS__                                                                \
	}
/* One of some words: their ids and, for people, their names (NULL: the ids). `usual` is an id. */
#define KNOB_CHOICE_OF(id_, label_, ids, names, usual, ...)                                        \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_CHOICE, .choices = ids,       \
		.choice_names = names, .dflt_choice = usual, .help = __VA_ARGS__                   \
	}
/* A row of the tables, `usual` by its id: an accelerator; that or the user's own machine; that
 * or any of them; a model; a request trace. */
#define KNOB_ANY_GPU(usual, ...)                                                                   \
	{                                                                                          \
		.id = "gpu", .label = "GPU", .unit = "", .kind = KNOB_GPU, .dflt_choice = usual,   \
		.help = __VA_ARGS__                                                                \
	}
#define KNOB_ANY_MACHINE(usual, ...)                                                               \
	{                                                                                          \
		.id = "gpu", .label = "GPU", .unit = "", .kind = KNOB_MACHINE,                     \
		.dflt_choice = usual, .help = __VA_ARGS__                                          \
	}
#define KNOB_GPU_OR_ANY(usual, ...)                                                                \
	{                                                                                          \
		.id = "gpu", .label = "GPU", .unit = "", .kind = KNOB_GPU_SEARCH,                  \
		.dflt_choice = usual, .help = __VA_ARGS__                                          \
	}
/* A model, or none of them. */
#define KNOB_MODEL_OR_NONE(id_, label_, ...)                                                       \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_MODEL_OPEN,                   \
		.dflt_choice = "none", .help = __VA_ARGS__                                         \
	}
#define KNOB_ANY_MODEL(id_, label_, usual, ...)                                                    \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_MODEL, .dflt_choice = usual,  \
		.help = __VA_ARGS__                                                                \
	}
/* The same where the simulation computes from a model's parts: mixtures, latent attention, states. */
#define KNOB_ANY_PARTS_OF(id_, label_, usual, ...)                                                 \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_ANY_PARTS,                    \
		.dflt_choice = usual, .help = __VA_ARGS__                                          \
	}
/* Of those only the ones with routed experts. */
#define KNOB_ANY_MIXTURE(id_, label_, usual, ...)                                                  \
	{                                                                                          \
		.id = id_, .label = label_, .unit = "", .kind = KNOB_MIXTURE,                      \
		.dflt_choice = usual, .help = __VA_ARGS__                                          \
	}
#define KNOB_ANY_TRACE(usual, ...)                                                                 \
	{                                                                                          \
		.id = "trace", .label = "trace", .unit = "", .kind = KNOB_TRACE,                   \
		.dflt_choice = usual, .help = __VA_ARGS__                                          \
	}

/* Steps that meet powers of two, or of ten, on their way. */
#define HALF_AN_OCTAVE 1.4142135623730951
#define A_TENTH_OF_A_DECADE 1.2589254117941673

/* A condition of a row's `when`: the knob of that index has one of these values, choices by index,
 * KNOB_ON or KNOB_OFF of a switch, 0 of a number that can be "auto". What would be lost does not
 * compile: a seventh value, or one beyond the bits of `values`. */
enum { KNOB_OFF, KNOB_ON };
#define WHEN(knob_, ...)                                                                           \
	{                                                                                          \
		.knob = knob_, .values = WHEN_SET(__VA_ARGS__, -1, -1, -1, -1, -1, -1, -1)         \
	}
#define WHEN_SET(a, b, c, d, e, f, seventh, ...)                                                   \
	(WHEN_BIT(a) | WHEN_BIT(b) | WHEN_BIT(c) | WHEN_BIT(d) | WHEN_BIT(e) | WHEN_BIT(f) |       \
		WHEN_HOLDS((seventh) < 0, "WHEN takes six values at most"))
#define WHEN_BIT(value)                                                                            \
	(((value) < 0 ? 0u : 1u << ((unsigned)(value)&31)) |                                       \
		WHEN_HOLDS((value) < 32, "a condition has bits for the values 0 to 31"))
/* 0, once the compiler has found it true. */
#define WHEN_HOLDS(is_true, why)                                                                   \
	(0u * (unsigned)sizeof(struct {                                                            \
		_Static_assert(is_true, why);                                                      \
		int unused;                                                                        \
	}))

#endif
