/* Guards, versions and the limit: what torch.compile does with a stream of inputs. */
#include "sims/gpu/compile.h"

#include "sims/base/rng.h"

#include <math.h>
#include <string.h>

/* What Dynamo has made of one function so far. */
struct versions {
	bool fixed[MAX_SIZES];    /* one for this size, or with this constant burned in */
	bool recorded[MAX_SIZES]; /* a CUDA graph of this size exists */
	bool symbolic;            /* one for any size */
	size_t n;
};

enum stream_served { SERVED_FIXED, SERVED_SYMBOLIC, SERVED_EAGER };

/* Which version runs an input of kind k; compiles one if need and limit allow it. */
static enum stream_served serve(struct versions *have, const struct compile_scene *s,
	enum dynamic dynamic, size_t k, bool *compiles)
{
	bool sizes = s->v[COMPILE_VARIES] == VARIES_SIZE;
	*compiles = false;
	if (have->fixed[k])
		return sizes                     ? SERVED_FIXED
		       : dynamic == DYNAMIC_TRUE ? SERVED_SYMBOLIC
						 : SERVED_FIXED;
	if (sizes && have->symbolic)
		return SERVED_SYMBOLIC;
	if ((double)have->n >= s->v[COMPILE_LIMIT])
		return SERVED_EAGER;
	*compiles = true;
	have->n++;
	bool general = dynamic == DYNAMIC_TRUE || (dynamic == DYNAMIC_NONE && have->n > 1);
	if (sizes && general)
		have->symbolic = true;
	else
		have->fixed[k] = true;
	return general && (sizes || dynamic == DYNAMIC_TRUE) ? SERVED_SYMBOLIC : SERVED_FIXED;
}

struct compile_stream compile_stream_run(struct arena *a, const struct compile_scene *s,
	enum run_mode mode, enum dynamic dynamic, bool curves)
{
	struct versions have;
	struct rng r = rng_stream((uint64_t)s->v[COMPILE_SEED], "inputs of a compiled model", 0);
	struct compile_stream out = { .n = (size_t)s->v[COMPILE_ITERATIONS] };
	bool records = mode == MODE_GRAPHS || mode == MODE_AUTOTUNE;
	double total_s = 0;
	memset(&have, 0, sizeof have);
	if (curves) {
		out.total_s = arena_array(a, out.n, sizeof *out.total_s);
		out.each_s = arena_array(a, out.n, sizeof *out.each_s);
		if (a->failed)
			return (struct compile_stream){ 0 };
	}
	for (size_t i = 0; i < out.n; i++) {
		size_t k = s->n_sizes > 1 ? (size_t)rng_below(&r, s->n_sizes) : 0;
		size_t size = s->v[COMPILE_VARIES] == VARIES_SIZE ? k : 0;
		bool compiles = false;
		enum stream_served by =
			mode == MODE_EAGER ? SERVED_EAGER : serve(&have, s, dynamic, k, &compiles);
		double run_s = by == SERVED_EAGER   ? s->eager_s[size]
			       : by == SERVED_FIXED ? s->fixed_s[size]
						    : s->symbolic_s[size];
		double stall_s = compiles ? s->compile_s[mode] : 0;
		bool recording = records && by != SERVED_EAGER && !have.recorded[k];
		have.recorded[k] |= recording;
		stall_s += recording ? s->record_s[mode] : 0;
		out.compilations += compiles;
		out.fallbacks += mode != MODE_EAGER && by == SERVED_EAGER;
		out.stall_s += stall_s;
		total_s += run_s + stall_s;
		if (curves) {
			out.total_s[i] = total_s;
			out.each_s[i] = run_s + stall_s;
		}
	}
	out.steady_s = (total_s - out.stall_s) / (double)out.n;
	return out;
}
