/* GPTQ (Frantar et al., 2022), after Optimal Brain Surgeon.
 *
 * Rounding a weight changes the layer's output by the change times its input. What the other inputs
 * of the same row can do about it depends on how alike the inputs are: H = 2 X X^T over some
 * training images. So the weights of a row are rounded one after the other, and after each of
 * them those that are still to come are changed by what undoes the error best in the
 * least-squares sense. With the upper factor U of H^-1, the change of weight k after rounding
 * weight j is -error * U[j][k], where error is the rounding error over U[j][j].
 *
 * U comes without inverting H: H = R R^T with R upper, worked out from the last column to the first
 * (Cholesky's decomposition from behind), and U = R^-1 by back substitution. H is damped by a
 * hundredth of its mean diagonal, for inputs that are always zero would make it singular. */
#include "sims/compression/quantise.h"

#include "sims/formulas/compression.h"
#include "sims/compression/half.h"

#include <assert.h>
#include <math.h>

float code_of(const struct code_grid *g, float weight)
{
	float code = rintf(weight / g->scale) + g->zero;
	return code < g->least ? g->least : code > g->most ? g->most : code;
}

float code_value(const struct code_grid *g, float code)
{
	return g->scale * (code - g->zero);
}

static size_t group_of(const struct mlp_layer *l, const struct quantiser *q)
{
	return q->granularity == PER_GROUP && q->group < l->in ? q->group : l->in;
}

size_t scales_of(const struct mlp_layer *l, const struct quantiser *q)
{
	size_t group = group_of(l, q);
	if (q->bits >= UNQUANTISED_BITS)
		return 0;
	return q->granularity == PER_TENSOR ? 1 : l->out * ((l->in + group - 1) / group);
}

/* A scale that holds the weights from least to most; 0 is always one of its values. */
static struct code_grid grid_for(double least, double most, const struct quantiser *q)
{
	double codes = exp2(q->bits);
	struct code_grid g = { .least = (float)(1 - codes / 2), .most = (float)(codes / 2 - 1) };
	double scale = CALL(quant_scale, .max_abs = fmax(-least, most), .bits = q->bits);
	if (q->asymmetric)
		scale = CALL(
			asymmetric_quant_scale, .minimum = least, .maximum = most, .bits = q->bits);
	g.scale = half_round((float)scale);
	if (!(g.scale > 0)) /* weights of nothing but 0, or too small for FP16 */
		g.scale = half_value(1);
	if (q->asymmetric) {
		g.zero = (float)CALL(quant_zero_point, .minimum = least, .scale = g.scale);
		g.least = 0;
		g.most = (float)(codes - 1);
	}
	return g;
}

static void range_of(const float *w, size_t n, double *least, double *most)
{
	for (size_t i = 0; i < n; i++) {
		*least = w[i] < *least ? w[i] : *least;
		*most = w[i] > *most ? w[i] : *most;
	}
}

int grids_of(struct grids *g, struct arena *a, const struct mlp_layer *l, const struct quantiser *q)
{
	assert(q->bits >= 1 && q->bits <= UNQUANTISED_BITS && q->granularity <= PER_GROUP);
	*g = (struct grids){ .n = scales_of(l, q), .group = group_of(l, q) };
	g->grid = arena_array(a, g->n, sizeof *g->grid);
	if (!g->grid)
		return -1;
	if (g->n == 0)
		return 0;
	if (q->granularity == PER_TENSOR) {
		double least = 0, most = 0;
		range_of(l->weight, l->in * l->out, &least, &most);
		g->grid[0] = grid_for(least, most, q);
		return 0;
	}
	g->per_row = (l->in + g->group - 1) / g->group;
	for (size_t i = 0; i < g->n; i++) {
		size_t from = i % g->per_row * g->group;
		size_t n = l->in - from < g->group ? l->in - from : g->group;
		double least = 0, most = 0;
		range_of(l->weight + i / g->per_row * l->in + from, n, &least, &most);
		g->grid[i] = grid_for(least, most, q);
	}
	return 0;
}

const struct code_grid *grid_at(const struct grids *g, size_t row, size_t input)
{
	return g->per_row ? &g->grid[row * g->per_row + input / g->group] : &g->grid[0];
}

/* --- GPTQ ---------------------------------------------------------------------------------- */

static void gram(double *h, const float *x, size_t n_blocks, size_t n)
{
	for (size_t block = 0; block < n_blocks; block++, x += n * LANES)
		for (size_t i = 0; i < n; i++)
			for (size_t j = 0; j <= i; j++)
				h[i * n + j] += 2 * (double)lanes_dot(x + i * LANES, x + j * LANES);
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			h[j * n + i] = h[i * n + j];
}

/* Replaces H by U: first by R, from the last column to the first, then by its inverse. */
static void factor(double *r, size_t n)
{
	for (size_t j = n; j-- > 0;)
		for (size_t i = j + 1; i-- > 0;) {
			double sum = r[i * n + j];
			for (size_t k = j + 1; k < n; k++)
				sum -= r[i * n + k] * r[j * n + k];
			r[i * n + j] = i == j ? sqrt(sum) : sum / r[j * n + j];
		}
	for (size_t i = n; i-- > 0;) {
		double row[MLP_WIDTH] = { 0 }, diagonal = r[i * n + i];
		row[i] = 1;
		for (size_t k = i + 1; k < n; k++)
			for (size_t j = k; j < n; j++)
				row[j] -= r[i * n + k] * r[k * n + j];
		for (size_t j = 0; j < n; j++)
			r[i * n + j] = row[j] / diagonal;
	}
}

int curvature_of(
	struct curvature *c, struct arena *a, const float *x, size_t n_blocks, size_t inputs)
{
	assert(inputs <= MLP_WIDTH);
	static const double damping = 0.01;
	double trace = 0, *h = arena_array(a, inputs * inputs, sizeof *h);
	*c = (struct curvature){ inputs, h };
	if (!h)
		return -1;
	gram(h, x, n_blocks, inputs);
	for (size_t i = 0; i < inputs; i++)
		trace += h[i * inputs + i];
	for (size_t i = 0; i < inputs; i++)
		h[i * inputs + i] += trace > 0 ? damping * trace / (double)inputs : 1;
	factor(h, inputs);
	return 0;
}

/* What rounding weight j does to the output, the weights behind it undo as far as they can. sign is
 * -1; +1 is the mistake that the simulation shows, which repeats the error instead. */
static void compensate(double *w, const struct curvature *c, size_t j, double rounded, double sign)
{
	const double *u = c->u + j * c->n;
	double error = CALL(gptq_error, .weight = w[j], .quantised = rounded, .diagonal = u[j]);
	for (size_t k = j + 1; k < c->n; k++)
		w[k] += sign * error * u[k];
}

/* grid: NULL where nothing is rounded. */
static double rounded(const struct code_grid *grid, double w)
{
	return grid ? code_value(grid, code_of(grid, (float)w)) : w;
}

int layer_quantise(struct mlp_layer *l, struct arena *a, const struct quantiser *q,
	const struct curvature *c, const unsigned char *keep)
{
	assert(l->in <= MLP_WIDTH);
	assert(q->rounding == ROUND_NEAREST || (c && c->n == l->in));
	struct grids g;
	double sign = q->rounding == ROUND_GPTQ_WRONG_SIGN ? 1 : -1;
	if (grids_of(&g, a, l, q))
		return -1;
	for (size_t o = 0; o < l->out; o++) {
		double row[MLP_WIDTH] = { 0 };
		const struct code_grid *grid = NULL;
		for (size_t i = 0; i < l->in; i++)
			row[i] = l->weight[o * l->in + i];
		for (size_t i = 0, group_end = 0; i < l->in; i++) {
			if (g.n && i == group_end) { /* a division a group, not a weight */
				grid = grid_at(&g, o, i);
				group_end += g.group;
			}
			double value = rounded(grid, row[i]);
			if (keep && !keep[o * l->in + i])
				value = 0;
			if (q->rounding != ROUND_NEAREST && value != row[i])
				compensate(row, c, i, value, sign);
			l->weight[o * l->in + i] = (float)value;
		}
	}
	return 0;
}

static double power(const struct mlp_layer *l, const float *x, size_t n_blocks)
{
	double sum = 0;
	for (size_t block = 0; block < n_blocks; block++) {
		float y[MLP_WIDTH * LANES];
		layer_forward(l, x + block * l->in * LANES, y, false);
		for (size_t o = 0; o < l->out; o++)
			sum += (double)lanes_dot(y + o * LANES, y + o * LANES);
	}
	return sum;
}

int output_error(double *error, struct arena *a, const struct mlp_layer *before,
	const struct mlp_layer *after, const float *x, size_t n_blocks)
{
	assert(before->in == after->in && before->out == after->out);
	struct mlp_layer l = { before->in, before->out, before->weight,
		arena_array(a, before->out, sizeof(float)) };
	float *difference = arena_array(a, l.in * l.out, sizeof *difference);
	if (!l.bias || !difference)
		return -1;
	double all = power(&l, x, n_blocks);
	for (size_t i = 0; i < l.in * l.out; i++)
		difference[i] = before->weight[i] - after->weight[i];
	l.weight = difference;
	*error = all > 0 ? power(&l, x, n_blocks) / all : 0;
	return 0;
}
