/* One compression in earnest, and a search beside it: every student at 2 to 8 bits with the rest of
 * the recipe as set, for the smallest network that still reads enough digits. */
#include "sims/compression/compression_study.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

static struct recipe recipe_of(const double v[])
{
	return (struct recipe){
		.outliers = v[COMPRESSION_OUTLIERS],
		.smoothing = (enum smoothing)v[COMPRESSION_SMOOTHING],
		.strength = v[COMPRESSION_ALPHA],
		.pattern = (enum pattern)v[COMPRESSION_PATTERN],
		.sparsity = v[COMPRESSION_SPARSITY] / 100,
		.by_activation = v[COMPRESSION_SALIENCY] > 0,
		.quantiser = { .bits = (unsigned)v[COMPRESSION_BITS],
			.granularity = (enum granularity)v[COMPRESSION_GRANULARITY],
			.group = (size_t)v[COMPRESSION_GROUP],
			.asymmetric = v[COMPRESSION_ZERO_POINT] > 0,
			.rounding = (enum rounding)v[COMPRESSION_METHOD] },
		.activation_bits = (unsigned)v[COMPRESSION_ACTIVATIONS],
	};
}

struct recipe study_plain(const struct study *s)
{
	struct recipe r = s->recipe;
	r.pattern = PRUNE_WEIGHTS;
	r.sparsity = 0;
	r.quantiser.bits = r.activation_bits = UNQUANTISED_BITS;
	return r;
}

bool study_prunes(const struct recipe *r)
{
	return r->pattern == PRUNE_2_OF_4 || r->sparsity > 0;
}

bool study_quantises(const struct recipe *r)
{
	return r->quantiser.bits < UNQUANTISED_BITS || r->activation_bits < UNQUANTISED_BITS;
}

static bool failed(const struct study *s)
{
	return s->fig->arena.failed || s->scratch.failed;
}

static bool same_recipe(const struct recipe *a, const struct recipe *b)
{
	const struct quantiser *p = &a->quantiser, *q = &b->quantiser;
	return a->outliers == b->outliers && a->smoothing == b->smoothing &&
	       a->strength == b->strength && a->pattern == b->pattern &&
	       a->sparsity == b->sparsity && a->by_activation == b->by_activation &&
	       a->activation_bits == b->activation_bits && p->bits == q->bits &&
	       p->granularity == q->granularity && p->group == q->group &&
	       p->asymmetric == q->asymmetric && p->rounding == q->rounding;
}

/* The teacher was taught in one way only. */
static enum teaching way_taught(size_t student, enum teaching teaching)
{
	return student == 0 ? LABELS_ALL : teaching;
}

static const struct outcome *known_outcome(
	const struct study *s, size_t student, enum teaching teaching, const struct recipe *r)
{
	for (size_t i = 0; i < s->n_known; i++)
		if (s->known[i].student == student && s->known[i].teaching == teaching &&
			same_recipe(&s->known[i].recipe, r))
			return &s->known[i].outcome;
	return NULL;
}

static void keep_outcome(struct study *s, size_t student, enum teaching teaching,
	const struct recipe *r, const struct outcome *o)
{
	if (s->n_known < MOST_TRIED)
		s->known[s->n_known++] = (struct tried){ student, teaching, *r, *o };
}

void study_try(struct study *s, size_t student, enum teaching teaching,
	const struct recipe recipes[], size_t n, struct outcome out[])
{
	assert(student < STUDENT_SIZES && teaching < N_TEACHINGS);
	struct arena a = { 0 };
	struct calibrated c;
	bool calibrated = false;
	int rc = 0;
	for (size_t i = 0; i < n; i++)
		out[i] = (struct outcome){ 0 };
	if (failed(s))
		return;
	teaching = way_taught(student, teaching);
	for (size_t i = 0; i < n && rc == 0; i++) {
		const struct outcome *known = known_outcome(s, student, teaching, &recipes[i]);
		if (known) {
			out[i] = *known;
			continue;
		}
		if (!calibrated)
			rc = calibrate(&c, &a, &s->nets.taught[student][teaching], &s->calibration,
				recipes);
		calibrated = true;
		if (rc == 0)
			rc = try_recipe(&out[i], &c, &s->calibration, &s->test, &recipes[i]);
		if (rc == 0)
			keep_outcome(s, student, teaching, &recipes[i], &out[i]);
	}
	if (rc)
		s->fig->arena.failed = true;
	arena_release(&a);
}

/* --- the game: the smallest that still works ------------------------------------------------ */

static void compete(struct champion *c, const struct outcome *o, unsigned bits, size_t student)
{
	if (100 * o->accuracy < GAME_PERCENT || (c->found && o->bytes >= c->bytes))
		return;
	*c = (struct champion){ o->bytes, bits, student, true, false };
}

/* Whether the network is too large to win: its codes alone take so many bytes
 * at the fewest bits. */
static bool cannot_win(const struct study *s, const struct mlp *net)
{
	const struct recipe *r = &s->recipe;
	double kept = r->pattern == PRUNE_2_OF_4 ? 0.5 : (1 - r->sparsity) * (1 - r->sparsity);
	return s->champion.found &&
	       s->champion.bytes < kept * LEAST_BITS / 8 * (double)mlp_weights(net);
}

void study_try_bits(struct study *s, size_t student, struct outcome out[SEARCHED_BITS + 1])
{
	struct recipe recipes[SEARCHED_BITS + 1];
	for (unsigned bits = LEAST_BITS; bits <= SEARCHED_BITS; bits++) {
		recipes[bits] = s->recipe;
		recipes[bits].quantiser.bits = bits;
	}
	study_try(s, student, s->teaching, recipes + LEAST_BITS, SEARCHED_BITS - LEAST_BITS + 1,
		out + LEAST_BITS);
}

static void search(struct study *s)
{
	struct outcome out[SEARCHED_BITS + 1];
	for (size_t i = STUDENT_SIZES; i-- > 0;) {
		if (i == 0 && cannot_win(s, &s->nets.taught[0][0]))
			continue;
		study_try_bits(s, i, out);
		for (unsigned bits = LEAST_BITS; bits <= SEARCHED_BITS; bits++)
			compete(&s->champion, &out[bits], bits, i);
	}
	compete(&s->champion, &s->outcome, s->recipe.quantiser.bits, s->student);
	s->champion.is_setting = s->champion.found && s->outcome.bytes <= s->champion.bytes &&
				 100 * s->outcome.accuracy >= GAME_PERCENT;
}

/* --- errors --------------------------------------------------------------------------------- */

static double error_of(struct study *s, size_t k, const struct mlp_layer *after)
{
	const struct calibrated *from = &s->now.from;
	struct arena a = { 0 };
	double error = 0;
	if (!failed(s) && output_error(&error, &a, &from->net.layer[k], after, from->input[k],
				  from->n_blocks))
		s->fig->arena.failed = true;
	arena_release(&a);
	return sqrt(error);
}

double study_layer_error(struct study *s, size_t k, enum rounding how)
{
	assert(k < s->now.from.net.n_layers);
	const struct calibrated *from = &s->now.from;
	struct quantiser q = s->recipe.quantiser;
	struct curvature u = { 0 };
	struct arena a = { 0 };
	struct mlp copy;
	double error = 0;
	q.rounding = how;
	if (failed(s) || mlp_copy(&copy, &a, &from->net) ||
		(how != ROUND_NEAREST &&
			curvature_of(&u, &a, from->input[k], from->n_blocks, copy.layer[k].in)) ||
		layer_quantise(&copy.layer[k], &a, &q, &u, s->now.keep[k]))
		s->fig->arena.failed = true;
	else
		error = error_of(s, k, &copy.layer[k]);
	arena_release(&a);
	return error;
}

static void find_worst_layer(struct study *s)
{
	for (size_t k = 0; k < s->now.net.n_layers; k++) {
		double error = error_of(s, k, &s->now.net.layer[k]);
		if (error > s->output_error) {
			s->output_error = error;
			s->worst_layer = k;
		}
	}
}

/* --- opening -------------------------------------------------------------------------------- */

static int read_all(struct study *s, const struct tables *t, char *err, size_t err_size)
{
	enum { ALL = 100000 };
	if (!t->digits || !t->networks) {
		snprintf(err, err_size, "digits and networks: expected with the program's data");
		return -1;
	}
	if (digits_read(&s->calibration, &s->scratch, t->digits, DIGITS_TRAIN, CALIBRATION_IMAGES,
		    err, err_size) ||
		digits_read(&s->test, &s->scratch, t->digits, DIGITS_TEST, ALL, err, err_size) ||
		networks_read(&s->nets, &s->scratch, t->networks, err, err_size))
		return -1;
	if (s->calibration.n >= LANES)
		return 0;
	snprintf(err, err_size, "digits: expected %d images at least to calibrate with, got %zu",
		LANES, s->calibration.n);
	return -1;
}

static int evaluate(struct study *s)
{
	const struct mlp *net = &s->nets.taught[s->student][s->teaching];
	s->answer = arena_array(&s->scratch, s->test.n, 1);
	s->teacher_answer = arena_array(&s->scratch, s->test.n, 1);
	if (!s->answer || !s->teacher_answer ||
		calibrate(&s->base, &s->scratch, net, &s->calibration, &s->recipe) ||
		compress(&s->now, &s->scratch, &s->base, &s->calibration, &s->recipe))
		return -1;
	double n = (double)s->test.n;
	s->outcome = (struct outcome){ stored_bytes(&s->now.stored),
		(double)mlp_answer(&s->now.net, s->now.grid, &s->test, s->answer) / n };
	keep_outcome(s, s->student, way_taught(s->student, s->teaching), &s->recipe, &s->outcome);
	s->teacher = (struct outcome){ 2 * (double)(mlp_weights(&s->nets.taught[0][0]) +
						    mlp_biases(&s->nets.taught[0][0])),
		(double)mlp_answer(&s->nets.taught[0][0], NULL, &s->test, s->teacher_answer) / n };
	return 0;
}

bool study_open(struct study *s, const struct tables *t, const double v[], struct figure *fig,
	char *err, size_t err_size)
{
	*s = (struct study){ .v = v,
		.fig = fig,
		.recipe = recipe_of(v),
		.student = (size_t)v[COMPRESSION_STUDENT] };
	s->teaching = (enum teaching)(v[COMPRESSION_TAUGHT_BY] + 2 * v[COMPRESSION_IMAGES]);
	if (read_all(s, t, err, err_size))
		return false;
	*err = '\0';
	if (evaluate(s))
		return false;
	find_worst_layer(s);
	search(s);
	return !failed(s);
}

void study_close(struct study *s)
{
	s->fig->arena.failed |= s->scratch.failed;
	arena_release(&s->scratch);
}

const char *bits_text(struct figure *fig, unsigned bits)
{
	return bits >= UNQUANTISED_BITS ? "FP16" : figure_text(fig, "%u bits", bits);
}
