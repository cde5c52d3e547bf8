/* How long one iteration of an inference engine takes: it decodes some sequences, prefills some
 * tokens, or both. Times in s, sizes in B, per GPU of the tensor-parallel group; every GPU of a
 * group takes the same time.
 *
 * A simulation of a server asks this millions of times. So everything that does not change from one
 * iteration to the next is worked out once, from the same kernel times as a layer's
 * (sims/gpu/kernel.h): the weight products are tabulated by their number of rows, densely where
 * tiles make steps and coarsely where the time is nearly a line, and what attention and pointwise
 * kernels take is linear or quadratic in tokens, so that a few probes give its coefficients.
 * engine_step_s is then a few additions and two look-ups. */
#ifndef RIDGE_ENGINE_H
#define RIDGE_ENGINE_H

#include "sims/architecture/architecture.h"
#include "sims/architecture/model_bytes.h"
#include "sims/gpu/kernel.h"

#include <stdbool.h>

enum {
	ENGINE_FINE = 1024,
	ENGINE_FINE_STEP = 16,
	ENGINE_COARSE_STEP = 256,
	ENGINE_COARSE = ENGINE_FINE / ENGINE_FINE_STEP,
	ENGINE_POINTS = ENGINE_COARSE + 1 + 60
};
struct engine_table {
	double s[ENGINE_POINTS]; /* every 16 rows up to 1,024, then every 256 */
	double s_per_row;        /* beyond the last point */
	/* Of 0 to 16 rows each, where few tokens touch ever more experts; else these rows are on
	 * one line. */
	double few[ENGINE_FINE_STEP + 1];
	bool curved;
};
/* Layers that attend alike. */
struct engine_attention {
	double layers;
	double window;           /* the last tokens that each sees; 0: all */
	double decode_fixed_s;   /* of one layer's decode attention, */
	double decode_s_per_seq; /* its blocks for one sequence, */
	double kv_s_per_token;   /* and reading one cached token; see attention_joined_s */
	double prefill_fixed_s, prefill_s_per_token, prefill_s_per_pair; /* of all these layers */
};
enum { ENGINE_ATTENTIONS = MOST_GROUPS };
struct engine_shape {
	struct engine_table linear; /* the layers' weight products, by tokens */
	struct engine_table head;   /* the vocabulary's product, by sequences that need logits */
	struct engine_attention attention[ENGINE_ATTENTIONS];
	size_t n_attention;
	double fixed_s;     /* launches of every other kernel, starts of the all-reduces */
	double s_per_token; /* norms, activations, all-reduces */
	double host_s;      /* scheduling and sampling between iterations; 0 at first */
	double eager_s;     /* the CPU's launches of an iteration, beside which the GPU runs; 0 at
			     * first: a CUDA graph launches all at once */
	/* Several copies of attention that share the experts of a mixture; each has its part of the
	 * sequences, and everything above is by what one of them has: the others wait for the
	 * fullest in every layer. */
	double copies;
	struct engine_table experts; /* by the tokens of a copy in the mean: whose they are does not
				       * matter to those they are sent to */
	struct engine_table exchange; /* tokens to their experts and back */
	struct engine_table aside;    /* overlapped: computing time that the exchange's SMs take */
	bool overlapped;              /* while another half of the batch computes */
};

/* One iteration that decodes decode_seqs sequences with kv_tokens cached tokens in all, and
 * prefills prefill_tokens that follow prefill_context cached tokens (of one sequence, or the mean
 * over several). 0 when there is nothing to do. A few nanoseconds. Copies of attention have equal
 * parts of it, but for a sequence, which is on one of them whole. */
double engine_step_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context);
/* The same where `largest` of prefill_tokens are of one prompt: so one copy has as many at
 * least. */
double engine_step_of_prompts_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context, double largest);
/* One iteration that prefills several prompts, `tokens` in all: each attends to its own tokens
 * alone, which makes `pairs` (a prompt of n after c cached ones: n (c + n / 2)). */
double engine_prefill_s(const struct engine_shape *e, double prompts, double tokens, double pairs);

/* No decode step is faster than this: max((weights + KV) / bandwidth, flops / peak) by the
 * datasheet, over tp GPUs. Of a mixture only those experts are read that the batch chooses. */
double decode_floor_s(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, double batch, double kv_tokens_total);
/* FLOPs of a causal prefill, 2 P s + 2 s^2 h L (h = heads x head_dim). */
double prefill_work_flops(const struct model *m, double tokens, double context);

/* For whoever builds an engine: the rows of a table's points, and its time once every point has one. */
double engine_point_rows(size_t point);
/* Whether a look-up of so many rows reads a point, which any does where rows are ENGINE_ANY_ROWS. */
enum { ENGINE_ANY_ROWS = -1 };
bool engine_point_is_read(size_t point, double rows);
/* How many rows will be looked up of a shape's tables, where few points will do. */
struct engine_rows {
	double linear, head;
};
/* What engine_step_s looks up for a step that decodes alone, and engine_prefill_s. */
struct engine_rows engine_decode_rows(double copies, double decode_seqs);
struct engine_rows engine_prefill_rows(double copies, double prompts, double tokens);
void engine_table_close(struct engine_table *t);
/* Layers' attention of that shape, on one GPU. */
struct engine_attention engine_attention_of(
	const struct accelerator *g, const struct attention_shape *s, double layers, double window);

#endif
