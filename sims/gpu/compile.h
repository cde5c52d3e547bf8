/* Private to the simulation `compile`: modes of running a model, and a stream of inputs through the
 * compiler. */
#ifndef RIDGE_COMPILE_H
#define RIDGE_COMPILE_H

#include "sims/figure/figure.h"
#include "sims/gpu/launches.h"
#include "sims/figure/sim.h"

/* clang-format off */
enum compile_knob {
	COMPILE_MODE, COMPILE_MODEL, COMPILE_GPU, COMPILE_PHASE, COMPILE_BATCH, COMPILE_TOKENS,
	COMPILE_LAUNCH, COMPILE_BREAKS, COMPILE_SYNC, COMPILE_DYNAMIC, COMPILE_SIZES,
	COMPILE_VARIES, COMPILE_LIMIT, COMPILE_ITERATIONS, COMPILE_COMPILE_S, COMPILE_WARMUP,
	COMPILE_SEED, N_COMPILE_KNOBS
};
/* clang-format on */
enum run_mode { MODE_EAGER, MODE_DEFAULT, MODE_GRAPHS, MODE_AUTOTUNE, N_RUN_MODES };
enum dynamic { DYNAMIC_NONE, DYNAMIC_TRUE, DYNAMIC_FALSE, N_DYNAMIC };
enum varies { VARIES_SIZE, VARIES_CONSTANT };
extern const char *const run_mode_ids[], *const dynamic_ids[];

enum { MAX_SIZES = 64 };

/* What a stream of inputs costs under one way of compiling. */
struct compile_stream {
	double *total_s;                   /* after each iteration; NULL: not wanted */
	double *each_s;                    /* of each, stalls included */
	size_t n, compilations, fallbacks; /* fallbacks: iterations that ran eager */
	double stall_s;                    /* compiling and recording */
	double steady_s;                   /* mean iteration without that */
};

struct compile_scene {
	const double *v;
	const struct model *model;
	const struct accelerator *gpu;
	enum run_mode mode;
	struct op_graph graph[N_RUN_MODES]; /* at the mean size */
	struct launch_run run[N_RUN_MODES];
	double watch_s;                /* of an iteration, on the lanes */
	double compile_s[N_RUN_MODES]; /* one compilation */
	double record_s[N_RUN_MODES];  /* of a CUDA graph */
	size_t n_sizes;
	double tokens[MAX_SIZES];
	double eager_s[MAX_SIZES], fixed_s[MAX_SIZES], symbolic_s[MAX_SIZES]; /* an iteration */
	struct compile_stream eager, stream;                                  /* of the mode */
	struct compile_stream other[N_DYNAMIC];
};

void compile_draw(struct figure *fig, const struct compile_scene *s);
void compile_explain(struct figure *fig, const struct compile_scene *s);

/* Sends the stream of the knobs through the compiler; curves: with total_s and each_s. */
struct compile_stream compile_stream_run(struct arena *a, const struct compile_scene *s,
	enum run_mode mode, enum dynamic dynamic, bool curves);

#endif
