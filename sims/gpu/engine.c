/* A table of products is one array: points every ENGINE_FINE_STEP rows up to ENGINE_FINE, then
 * every ENGINE_COARSE_STEP, found by arithmetic without a search. Between points the time is a
 * line; beyond the last one the line goes on with the slope of the coarse half. */
#include "sims/gpu/engine.h"

#include <assert.h>
#include <math.h>

double prefill_work_flops(const struct model *m, double tokens, double context)
{
	double pairs = tokens * (context + tokens / 2);
	return 2 * m->params * tokens + 4 * m->layers * m->heads * m->head_dim * pairs;
}

double decode_floor_s(const struct model *m, const struct accelerator *g, int tp,
	enum dtype weights, double batch, double kv_tokens_total)
{
	assert(tp >= 1);
	const double context = batch > 0 ? kv_tokens_total / batch : 0;
	double bytes = model_read_bytes(m, weights, batch) +
		       batch * model_cache_bytes(m, DTYPE_BF16, context, 1);
	double flops = m->made_of ? batch * architecture_token_flops(m->made_of, context)
				  : 2 * m->params * batch + 4 * m->layers * m->heads * m->head_dim *
								    kv_tokens_total;
	return datasheet_time_s(g, weights, flops / tp, bytes / tp);
}

double engine_point_rows(size_t i)
{
	if (i == 0)
		return 1; /* one row costs what a few do: the weights are read all the same */
	if (i <= ENGINE_COARSE)
		return (double)(i * ENGINE_FINE_STEP);
	return ENGINE_FINE + (double)((i - ENGINE_COARSE) * ENGINE_COARSE_STEP);
}

/* The coarse half's slope goes on beyond it. */
enum { LAST_POINT = ENGINE_POINTS - 1, MIDDLE_POINT = (ENGINE_COARSE + LAST_POINT) / 2 };

void engine_table_close(struct engine_table *t)
{
	t->s_per_row = (t->s[LAST_POINT] - t->s[MIDDLE_POINT]) /
		       (engine_point_rows(LAST_POINT) - engine_point_rows(MIDDLE_POINT));
}

/* Where so many rows stand among the points. */
static double place_of(double rows)
{
	return rows <= ENGINE_FINE ? rows / ENGINE_FINE_STEP
				   : ENGINE_COARSE + (rows - ENGINE_FINE) / ENGINE_COARSE_STEP;
}

bool engine_point_is_read(size_t point, double rows)
{
	if (rows < 0)
		return true;
	const double at = place_of(rows);
	if (at >= LAST_POINT)
		return point == LAST_POINT || point == MIDDLE_POINT;
	return point == (size_t)at || point == (size_t)at + 1;
}

static double look_up(const struct engine_table *t, double rows)
{
	if (t->curved && rows < ENGINE_FINE_STEP) {
		size_t below = (size_t)rows;
		return t->few[below] + (rows - (double)below) * (t->few[below + 1] - t->few[below]);
	}
	const double at = place_of(rows);
	if (at >= LAST_POINT)
		return t->s[LAST_POINT] + t->s_per_row * (rows - engine_point_rows(LAST_POINT));
	size_t i = (size_t)at;
	return t->s[i] + (at - (double)i) * (t->s[i + 1] - t->s[i]);
}

/* Prefill's cost is f + a T + p T (context + T / 2): three prompts give f, a and p. */
struct engine_attention engine_attention_of(
	const struct accelerator *g, const struct attention_shape *s, double layers, double window)
{
	const double length = 8192;
	double none_s = attention_prefill_time_s(g, s, 0, 0);
	double one_s = attention_prefill_time_s(g, s, length, 0) - none_s;
	double two_s = attention_prefill_time_s(g, s, 2 * length, 0) - none_s;
	double pair_s = (two_s - 2 * one_s) / (length * length);
	return (struct engine_attention){ .layers = layers,
		.window = window,
		.decode_fixed_s = attention_fixed_s(g),
		.decode_s_per_seq = attention_sequence_s(g, s),
		.kv_s_per_token = attention_stream_s(g, s, 1),
		.prefill_fixed_s = layers * none_s,
		.prefill_s_per_token = layers * (one_s / length - pair_s * length / 2),
		.prefill_s_per_pair = layers * pair_s };
}

/* Tokens that a layer with a window sees in the mean, where one without sees `seen`: as if prompts of
 * equal length, of `tokens` at most, began at nothing, or one of so many after others. */
static double seen_in(const struct engine_attention *a, double tokens, double seen)
{
	double length = fmin(tokens, 2 * seen), from = seen - length / 2, w = a->window;
	if (!(w > 0) || from + length <= w)
		return seen;
	if (from >= w)
		return w;
	double growing = w - from;
	return (growing * (from + growing / 2) + (length - growing) * w) / length;
}

static double decode_attention_s(const struct engine_shape *e, double seqs, double kv_tokens)
{
	double s = 0;
	for (size_t i = 0; i < e->n_attention; i++) {
		const struct engine_attention *a = &e->attention[i];
		double seen = a->window > 0 ? fmin(kv_tokens, seqs * a->window) : kv_tokens;
		s += a->layers * attention_joined_s(a->decode_fixed_s, seqs * a->decode_s_per_seq,
					 seen * a->kv_s_per_token);
	}
	return s;
}

static double prefill_attention_s(const struct engine_shape *e, double tokens, double seen)
{
	double s = 0;
	for (size_t i = 0; i < e->n_attention; i++) {
		const struct engine_attention *a = &e->attention[i];
		s += a->prefill_fixed_s +
		     tokens * (a->prefill_s_per_token +
				      a->prefill_s_per_pair * seen_in(a, tokens, seen));
	}
	return s;
}

/* Of an iteration that computes for so long: beside its exchanges, and beside the CPU's launches. */
static double iteration_s(const struct engine_shape *e, double computing_s, double tokens)
{
	double exchange_s = e->copies > 1 ? look_up(&e->exchange, tokens) : 0;
	double beside_s = e->overlapped ? look_up(&e->aside, tokens) : 0;
	double gpu_s =
		e->overlapped ? fmax(computing_s + beside_s, exchange_s) : computing_s + exchange_s;
	return e->host_s + fmax(gpu_s, e->eager_s);
}

/* For tokens of all copies; with one copy experts are among its products. */
static double shared_experts_s(const struct engine_shape *e, double tokens)
{
	return e->copies > 1 ? look_up(&e->experts, tokens / e->copies) : 0;
}

/* What the fullest copy has of so many where each is on one copy: its equal part, and one at
 * least. */
static double on_fullest(double copies, double sequences)
{
	return copies > 1 && sequences > 0 ? fmax(1, sequences / copies) : sequences;
}

struct engine_rows engine_decode_rows(double copies, double decode_seqs)
{
	const double seqs = on_fullest(copies, decode_seqs);
	return (struct engine_rows){ .linear = seqs, .head = seqs };
}

struct engine_rows engine_prefill_rows(double copies, double prompts, double tokens)
{
	const double here = on_fullest(copies, prompts);
	return (struct engine_rows){ .linear = here < prompts ? tokens * here / prompts : tokens,
		.head = here };
}

double engine_step_of_prompts_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context, double largest)
{
	if (decode_seqs + prefill_tokens <= 0)
		return 0;
	double seqs = on_fullest(e->copies, decode_seqs);
	double cached = seqs < decode_seqs ? kv_tokens * seqs / decode_seqs : kv_tokens;
	double prefilled = fmax(prefill_tokens / e->copies, fmin(largest, prefill_tokens));
	double tokens = seqs + prefilled;
	double s = e->fixed_s + tokens * e->s_per_token + look_up(&e->linear, tokens) +
		   look_up(&e->head, seqs + (prefilled > 0)) +
		   shared_experts_s(e, decode_seqs + prefill_tokens);
	if (seqs > 0)
		s += decode_attention_s(e, seqs, cached);
	if (prefilled > 0)
		s += prefill_attention_s(e, prefilled, prefill_context + prefill_tokens / 2);
	return iteration_s(e, s, tokens);
}

double engine_step_s(const struct engine_shape *e, double decode_seqs, double kv_tokens,
	double prefill_tokens, double prefill_context)
{
	return engine_step_of_prompts_s(
		e, decode_seqs, kv_tokens, prefill_tokens, prefill_context, 0);
}

double engine_prefill_s(const struct engine_shape *e, double prompts, double tokens, double pairs)
{
	if (tokens <= 0)
		return 0;
	const struct engine_rows rows = engine_prefill_rows(e->copies, prompts, tokens);
	const double mine = rows.linear;
	double s = e->fixed_s + mine * e->s_per_token + look_up(&e->linear, mine) +
		   look_up(&e->head, rows.head) + shared_experts_s(e, tokens) +
		   prefill_attention_s(e, mine, pairs / tokens);
	return iteration_s(e, s, mine);
}
