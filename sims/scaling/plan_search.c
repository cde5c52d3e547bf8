/* Layouts are tried in an order that does not matter: the closed form of each is a fraction of a
 * millisecond. What takes time is running pipelines, so only the quickest few of the closed form run,
 * one of each mesh. */
#include "sims/scaling/plan_search.h"

#include "sims/architecture/model_bytes.h"
#include "sims/base/array.h"
#include "sims/training/model_params.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Sequences from which cutting them is worth a try. */
static const double long_sequence = 32768;
/* In a micro-batch more tokens than this fill any GPU. */
static const double most_tokens = 65536;
/* Of one mesh the best of the closed form is kept; so many are kept to be run. */
enum { KEPT = 24 };

struct trial {
	const struct train_goal *goal;
	struct train_search *out;
	struct train_plan kept[KEPT]; /* quickest first */
	size_t n;
	struct arena arena; /* of one estimate */
};

static bool same_mesh(const struct plan_setup *a, const struct plan_setup *b)
{
	return a->tp == b->tp && a->pp == b->pp && a->cp == b->cp && a->zero == b->zero;
}

/* Puts a plan where it belongs among the quickest, each of another mesh. */
static void keep(struct train_plan plans[], size_t *n, size_t most, const struct train_plan *p)
{
	size_t at = 0, end = *n;
	for (size_t i = 0; i < *n; i++)
		if (same_mesh(&plans[i].setup, &p->setup)) {
			if (plans[i].tokens_per_s >= p->tokens_per_s)
				return;
			end = i; /* this one gives way */
			break;
		}
	while (at < *n && plans[at].tokens_per_s >= p->tokens_per_s)
		at++;
	if (at >= most)
		return;
	if (end == *n)
		*n += *n < most;
	size_t last = end < *n ? end : *n - 1;
	memmove(plans + at + 1, plans + at, (last - at) * sizeof *plans);
	plans[at] = *p;
}

/* What all layouts have in common; what divides the job is filled in below. */
static struct plan_setup setup_of(const struct train_goal *g)
{
	return (struct plan_setup){ .model = g->model,
		.gpu = g->gpu,
		.net = g->net,
		.strategy = PLAN_3D,
		.gpus = g->gpus,
		.seq = g->seq,
		.dtype = g->dtype,
		.recipe = g->recipe,
		.software = g->software,
		.routing = g->routing,
		.dispatch_overlap = g->dispatch_overlap,
		.sequence_parallel = true,
		.transfers = true };
}

static bool try_one(struct trial *t, const struct plan_setup *s)
{
	struct plan_estimate e;
	struct train_search *out = t->out;
	arena_release(&t->arena);
	if (!plan_estimate(s, &e, &t->arena))
		return false;
	struct train_plan p = { .setup = *s,
		.dp = e.dp,
		.ep = e.ep,
		.memory_bytes = e.memory_bytes,
		.tokens_per_s = e.tokens_per_s,
		.step_s = e.step_s,
		.bubble = e.bubble };
	for (size_t i = 0; i < N_SPENT; i++)
		p.spent_s[i] = e.part_s[i] / (e.step_s * e.tokens_per_s);
	out->considered++;
	if (e.memory_bytes > t->goal->memory_share * t->goal->gpu->memory_bytes) {
		out->no_room++;
		if (out->nearest.memory_bytes <= 0 || e.memory_bytes < out->nearest.memory_bytes)
			out->nearest = p;
		return true;
	}
	keep(t->kept, &t->n, KEPT, &p);
	return true;
}

static bool is_open(const struct train_pins *pins, enum pipeline_kind schedule)
{
	return !pins->schedule || pins->schedule == 1 + (int)schedule;
}

/* Chunks that deal a stage's layers evenly, and one; or as many as are pinned, where a stage has so many
 * layers or nearly. */
static bool try_chunks(struct trial *t, struct plan_setup s)
{
	const struct train_pins *pins = &t->goal->pins;
	double layers = floor(s.model->layers / s.pp),
	       most = pins->chunks > 0 ? ceil(s.model->layers / s.pp) : layers;
	s.chunks = 1;
	s.schedule = PIPELINE_1F1B;
	if (pins->chunks <= 1 && is_open(pins, s.schedule) && !try_one(t, &s))
		return false;
	for (double v = 2; s.pp > 1 && v <= fmin(8, most); v++) {
		bool even = fmod(layers, v) == 0;
		if (!(pins->chunks > 0 ? v == pins->chunks : even) ||
			fmod(s.micro_batches, s.pp) > 0 || !is_open(pins, PIPELINE_INTERLEAVED))
			continue;
		s.chunks = v;
		s.schedule = PIPELINE_INTERLEAVED;
		if (!try_one(t, &s))
			return false;
	}
	return true;
}

/* Whether micro-batches of this size deal the step's sequences to so many replicas evenly, and so few that
 * they can be run. */
static bool deals(const struct train_goal *g, double batch, double dp)
{
	double micro_batches = g->global_batch / (batch * dp);
	return micro_batches >= 1 && micro_batches == floor(micro_batches) &&
	       micro_batches <= MOST_MICRO_BATCHES;
}

/* The next size of a micro-batch after this one that deals the step's sequences to so many replicas;
 * 0: none. */
static double next_batch(const struct train_goal *g, double batch, double dp)
{
	const double pin = g->pins.micro_batch;
	if (pin > 0)
		return batch <= 0 && deals(g, pin, dp) ? pin : 0;
	for (batch = batch > 0 ? 2 * batch : 1; batch * dp <= g->global_batch; batch *= 2) {
		if (batch > 1 && batch * g->seq > most_tokens)
			break;
		if (deals(g, batch, dp))
			return batch;
	}
	return 0;
}

static bool try_batches(struct trial *t, struct plan_setup s, double dp)
{
	const struct train_goal *g = t->goal;
	for (s.batch = 0; (s.batch = next_batch(g, s.batch, dp)) > 0;) {
		s.micro_batches = g->global_batch / (s.batch * dp);
		for (int r = RECOMPUTE_NONE; r < N_RECOMPUTE; r++) {
			s.recompute = (enum recompute)r;
			if (g->pins.recompute && g->pins.recompute != 1 + r)
				continue;
			if (!try_chunks(t, s))
				return false;
		}
	}
	return true;
}

/* Experts in more groups than the fast links join, which takes less memory and more network. */
static bool try_groups(struct trial *t, struct plan_setup s, double dp)
{
	double most = fmin(model_experts(s.model), s.tp * s.cp * dp);
	for (s.ep = 2 * s.net.gpus_per_node; s.ep <= most; s.ep *= 2)
		if (!try_batches(t, s, dp))
			return false;
	return true;
}

/* ZeRO-1 costs nothing where there are replicas; stages 2 and 3 scatter or gather in every
 * micro-batch, of which a pipeline has many. */
static bool try_mesh(void *trial, struct plan_setup s, double dp)
{
	struct trial *t = trial;
	s.zero = dp * s.cp > 1 ? 1 : 0;
	if (!try_batches(t, s, dp) || !try_groups(t, s, dp))
		return false;
	for (s.zero = 2; s.pp <= 1 && dp * s.cp > 1 && s.zero <= 3; s.zero++)
		if (!try_batches(t, s, dp))
			return false;
	return true;
}

/* A number that is pinned is the first one and the last. */
static double first(double pin)
{
	return pin > 0 ? pin : 1;
}

static double next(double pin, double n)
{
	return pin > 0 ? INFINITY : n;
}

/* Called with each layout of whole replicas, of which there are no more than sequences, until it
 * returns false, which is passed on. */
static bool each_mesh(const struct train_goal *g,
	bool (*visit)(void *context, struct plan_setup s, double dp), void *context)
{
	struct plan_setup s = setup_of(g);
	const struct train_pins *pins = &g->pins;
	double most_tp = fmin(g->model->heads, fmin(g->gpus, g->net.gpus_per_node));
	double most_pp = fmin(64, fmin(g->gpus, g->model->layers));
	double most_cp = g->seq >= long_sequence ? fmin(64, g->gpus) : 1;
	if (pins->tp > 0)
		most_tp = fmin(g->model->heads, g->gpus);
	if (pins->cp > 0)
		most_cp = g->gpus;
	for (s.tp = first(pins->tp); s.tp <= most_tp; s.tp = next(pins->tp, 2 * s.tp))
		for (s.pp = first(pins->pp); s.pp <= most_pp; s.pp = next(pins->pp, s.pp + 1))
			for (s.cp = first(pins->cp); s.cp <= most_cp;
				s.cp = next(pins->cp, 2 * s.cp)) {
				double dp = g->gpus / (s.tp * s.pp * s.cp);
				if (dp >= 1 && dp == floor(dp) && dp <= g->global_batch &&
					!visit(context, s, dp))
					return false;
			}
	return true;
}

static bool deals_nothing(void *goal, struct plan_setup s, double dp)
{
	(void)s;
	return next_batch(goal, 0, dp) <= 0;
}

double train_gpus_dealt(const struct train_goal *g, double step)
{
	assert(step == 1 || step == -1);
	struct train_goal other = *g;
	for (double d = 1; d < g->gpus; d++) {
		other.gpus = g->gpus + step * d;
		if (!each_mesh(&other, deals_nothing, &other))
			return other.gpus;
	}
	return 0;
}

/* Runs a plan's pipeline; false when memory is out. */
static bool run_plan(struct train_plan *p, struct arena *arena)
{
	struct parallel_plan plan;
	if (!plan_make(&p->setup, &plan, arena))
		return false;
	p->memory_bytes = plan.memory_bytes;
	p->tokens_per_s = plan.tokens_per_s;
	p->step_s = plan.step_s;
	p->bubble = plan.pipeline.bubble;
	p->bubble_s = plan.pipeline.bubble * plan.pipeline.time_s;
	p->mfu = plan.mfu;
	p->ran = true;
	return true;
}

/* The layouts that people begin with: a layer on one GPU or on the whole node, stages by powers of
 * two, a sequence at a time, in one chunk or in as many as deal the layers evenly, and as little
 * run again as fits. */
static bool try_usual(struct trial *t, struct plan_setup s)
{
	const struct train_goal *g = t->goal;
	double dp = floor(g->gpus / (s.tp * s.pp)), layers = floor(g->model->layers / s.pp);
	if (dp < 1 || dp > g->global_batch)
		return true;
	s.zero = dp > 1 ? 1 : 0;
	s.batch = ceil(g->global_batch / (dp * MOST_MICRO_BATCHES));
	s.micro_batches = ceil(g->global_batch / (dp * s.batch));
	double most = s.pp > 1 && fmod(s.micro_batches, s.pp) == 0 ? fmin(8, layers) : 1;
	while (fmod(layers, most) > 0)
		most--;
	for (int r = RECOMPUTE_NONE; r < N_RECOMPUTE; r++) {
		double no_room = t->out->no_room;
		s.recompute = (enum recompute)r;
		for (s.chunks = 1;; s.chunks = most) {
			s.schedule = s.chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B;
			if (!try_one(t, &s))
				return false;
			if (s.chunks >= most)
				break;
		}
		if (t->out->no_room == no_room)
			break;
	}
	return true;
}

/* Of a mixture also experts in more groups than the fast links join: those of each multiply more rows. */
static bool try_usual_groups(struct trial *t, struct plan_setup s)
{
	double dp = floor(t->goal->gpus / (s.tp * s.pp));
	double most = fmin(model_experts(s.model), s.tp * dp);
	if (!try_usual(t, s))
		return false;
	for (s.ep = 2 * s.net.gpus_per_node; s.ep <= most; s.ep *= 2)
		if (!try_usual(t, s))
			return false;
	return true;
}

bool train_usual(const struct train_goal *g, struct train_plan *out, struct arena *arena)
{
	struct trial *t = arena_array(arena, 1, sizeof *t);
	struct train_search *search = arena_array(arena, 1, sizeof *search);
	if (!t || !search)
		return false;
	*search = (struct train_search){ 0 };
	*t = (struct trial){ .goal = g, .out = search };
	struct plan_setup s = setup_of(g);
	s.cp = s.batch = 1;
	double node = fmin(g->model->heads, fmin(g->gpus, g->net.gpus_per_node));
	while (fmod(g->model->heads, node) > 0)
		node--;
	bool ok = true;
	for (s.tp = 1; ok && s.tp <= node; s.tp = s.tp < node ? node : node + 1)
		for (s.pp = 1; ok && s.pp <= fmin(g->gpus, g->model->layers); s.pp *= 2)
			ok = try_usual_groups(t, s);
	*out = t->n > 0 ? t->kept[0] : search->nearest;
	arena_release(&t->arena);
	ok = ok && search->considered > 0 && run_plan(out, &t->arena);
	arena_release(&t->arena);
	return ok;
}

bool train_search(const struct train_goal *g, struct train_search *out, struct arena *arena)
{
	assert(g->model && g->gpu && g->gpus >= 1 && g->global_batch >= 1 && g->seq >= 1);
	assert(g->memory_share > 0 && g->memory_share <= 1);
	struct trial *t = arena_array(arena, 1, sizeof *t);
	if (!t)
		return false;
	*out = (struct train_search){ 0 };
	*t = (struct trial){ .goal = g, .out = out };
	bool ok = each_mesh(g, try_mesh, t);
	for (size_t i = 0; ok && i < t->n; i++) {
		arena_release(&t->arena);
		ok = run_plan(&t->kept[i], &t->arena);
		if (ok && t->kept[i].memory_bytes <= g->memory_share * g->gpu->memory_bytes)
			keep(out->best, &out->n, TRAIN_PLANS, &t->kept[i]);
	}
	if (ok && t->n == 0 && out->nearest.memory_bytes > 0)
		ok = run_plan(&out->nearest, &t->arena);
	arena_release(&t->arena);
	return ok;
}
