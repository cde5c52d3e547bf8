#include "sims/gpu/flashattention.h"

#include "sims/base/rng.h"

#include <math.h>

enum { GRAIN = 16 }; /* what matrix units take at once */

static double down_to_grain(double x)
{
	return fmax(GRAIN, GRAIN * floor(x / GRAIN));
}

void flash_blocks(struct flash_shape *s, double sram_bytes)
{
	double elements = sram_bytes / s->value_bytes;
	s->block_k = down_to_grain(elements / (4 * s->head_dim));
	s->block_q = down_to_grain(fmin(s->block_k, s->head_dim));
}

double flash_sram_bytes(const struct flash_shape *s)
{
	return s->value_bytes * s->head_dim * (2 * s->block_q + 2 * s->block_k);
}

/* Blocks of keys that the i-th block of queries sees. */
static double keys_seen(const struct flash_shape *s, double i)
{
	double last = fmin(s->seq, (i + 1) * s->block_q);
	return ceil((s->causal ? last : s->seq) / s->block_k);
}

struct flash_traffic flash_traffic_of(const struct flash_shape *s)
{
	enum { STATISTIC_BYTES = 4 }; /* FP32 */
	struct flash_traffic t = { 0 };
	double row = s->head_dim * s->value_bytes, blocks = ceil(s->seq / s->block_q);
	t.read_once = 4 * s->seq * row + s->seq * STATISTIC_BYTES;
	for (double i = 0; i < blocks; i++) {
		double rows = fmin(s->block_q, s->seq - i * s->block_q), seen = keys_seen(s, i);
		double keys = fmin(s->seq, seen * s->block_k);
		t.tiles += seen;
		if (s->keys_outside)
			/* Queries come, outputs come and go, maxima and sums too: once a tile. */
			t.again += seen * rows * (3 * row + 4 * STATISTIC_BYTES) -
				   rows * (2 * row + STATISTIC_BYTES);
		else
			t.again += 2 * keys * row;
	}
	if (!s->keys_outside)
		t.again -= 2 * s->seq * row; /* the first time is counted above */
	t.again = fmax(0, t.again);
	return t;
}

double unfused_traffic_bytes(const struct flash_shape *s)
{
	return (4 * s->seq * s->head_dim + 4 * s->seq * s->seq) * s->value_bytes;
}

double online_softmax_add(struct online_softmax *s, const double score[], size_t n)
{
	double m = s->m, sum = 0;
	for (size_t i = 0; i < n; i++)
		m = fmax(m, score[i]);
	for (size_t i = 0; i < n; i++)
		sum += exp(score[i] - m);
	double shrink = s->l > 0 ? exp(s->m - m) : 0;
	s->m = m;
	s->l = s->l * shrink + sum;
	return shrink;
}

/* What is accumulated for one query. */
struct tile_row {
	float online[ONLINE_MOST_DIM];
	double exact[ONLINE_MOST_DIM], exact_m, exact_l;
	double score[ONLINE_MOST_KEYS]; /* of the tile */
};

/* The exact row is summed about a fixed maximum that bounds every score, which takes no second
 * pass: exp never overflows, and double precision has the range. */
static void add_value(struct tile_row *r, size_t i, double score, float p, float v)
{
	r->exact[i] += exp(score - r->exact_m) * (double)v;
	r->online[i] += p * v;
}

double online_softmax_error(size_t keys, size_t head_dim, size_t block_k, uint64_t seed,
	struct online_softmax steps[], size_t most, size_t *n_steps)
{
	struct online_softmax s = { -INFINITY, 0 };
	struct tile_row r = { .exact_m = 8 }; /* scores are normal with deviation 1 */
	struct rng scores = rng_stream(seed, "scores", 0), values = rng_stream(seed, "values", 0);
	*n_steps = 0;
	for (size_t done = 0; done < keys; done += block_k) {
		size_t n = keys - done < block_k ? keys - done : block_k;
		for (size_t k = 0; k < n; k++)
			r.score[k] = (double)(float)rng_normal(&scores);
		float shrink = (float)online_softmax_add(&s, r.score, n);
		for (size_t i = 0; i < head_dim; i++)
			r.online[i] *= shrink;
		for (size_t k = 0; k < n; k++) {
			float p = (float)exp(r.score[k] - s.m);
			r.exact_l += exp(r.score[k] - r.exact_m);
			for (size_t i = 0; i < head_dim; i++)
				add_value(&r, i, r.score[k], p, (float)rng_uniform(&values) - 0.5f);
		}
		if (*n_steps < most)
			steps[(*n_steps)++] = s;
	}
	double error = 0, largest = 0;
	for (size_t i = 0; i < head_dim; i++) {
		double exact = r.exact[i] / r.exact_l;
		error = fmax(error, fabs((double)r.online[i] / s.l - exact));
		largest = fmax(largest, fabs(exact));
	}
	return largest > 0 ? error / largest : 0;
}
