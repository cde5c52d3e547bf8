/* The search for a layout: its closed form against pipelines that ran, its best against all that
 * there are, and layouts that were published. */
#include "sims/scaling/plan_search.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables facts;

static void load(void)
{
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(plan_search, .init = load, .fini = unload);

static struct train_goal goal(const char *model, const char *gpu, double gpus, double batch)
{
	const struct accelerator *g = gpu_find(&facts, gpu);
	return (struct train_goal){ .model = model_find(&facts, model),
		.gpu = g,
		.net = network_measured(g->family, 8, g->link_bandwidth, 50e9, 5e-6),
		.gpus = gpus,
		.global_batch = batch,
		.seq = 8192,
		.dtype = DTYPE_BF16,
		.software.date = SOFTWARE_2025,
		.memory_share = 0.94 };
}

/* The closed form has the memory of the run, and nearly its speed. */
Test(plan_search, the_estimate_is_the_run)
{
	static const struct {
		double tp, pp, micro_batches, chunks, batch;
		int zero;
		enum recompute recompute;
	} rows[] = { { 1, 1, 4, 1, 1, 3, RECOMPUTE_NONE }, { 8, 1, 8, 1, 2, 1, RECOMPUTE_FULL },
		{ 8, 4, 32, 1, 1, 1, RECOMPUTE_SELECTIVE }, { 8, 8, 64, 5, 1, 1, RECOMPUTE_NONE },
		{ 4, 4, 8, 4, 1, 1, RECOMPUTE_FULL }, { 2, 8, 4, 1, 1, 0, RECOMPUTE_NONE } };
	const struct train_goal g = goal("llama3-70b", "h100", 256, 1);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = { 0 };
		struct parallel_plan plan;
		struct plan_estimate e;
		struct plan_setup s = { .model = g.model,
			.gpu = g.gpu,
			.net = g.net,
			.strategy = PLAN_3D,
			.gpus = g.gpus,
			.tp = rows[i].tp,
			.pp = rows[i].pp,
			.cp = 1,
			.zero = rows[i].zero,
			.schedule = rows[i].chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B,
			.micro_batches = rows[i].micro_batches,
			.chunks = rows[i].chunks,
			.batch = rows[i].batch,
			.seq = g.seq,
			.recompute = rows[i].recompute,
			.dtype = g.dtype,
			.software = g.software,
			.sequence_parallel = true,
			.transfers = true };
		cr_assert(plan_make(&s, &plan, &arena));
		cr_assert(plan_estimate(&s, &e, &arena));
		cr_expect(epsilon_eq(
				  dbl, e.memory_bytes, plan.memory_bytes, 1e-6 * plan.memory_bytes),
			"row %zu: %g GB, ran with %g", i, e.memory_bytes / 1e9,
			plan.memory_bytes / 1e9);
		cr_expect(epsilon_eq(
				  dbl, e.tokens_per_s, plan.tokens_per_s, 0.05 * plan.tokens_per_s),
			"row %zu: %g, ran with %g", i, e.tokens_per_s, plan.tokens_per_s);
		arena_release(&arena);
	}
}

/* The best of every layout, each of which is run: tensor and pipeline groups, micro-batches, ZeRO,
 * recomputation, no chunks. */
static double best_of_all(const struct train_goal *g)
{
	double best = 0;
	for (double tp = 1; tp <= 8; tp *= 2)
		for (double pp = 1; tp * pp <= g->gpus; pp *= 2)
			for (double batch = 1; batch <= 4; batch *= 2)
				for (int zero = 0; zero <= 3; zero++)
					for (int r = 0; r < N_RECOMPUTE; r++) {
						struct arena arena = { 0 };
						struct parallel_plan plan;
						double dp = g->gpus / (tp * pp);
						struct plan_setup s = { .model = g->model,
							.gpu = g->gpu,
							.net = g->net,
							.strategy = PLAN_3D,
							.gpus = g->gpus,
							.tp = tp,
							.pp = pp,
							.cp = 1,
							.zero = zero,
							.schedule = PIPELINE_1F1B,
							.chunks = 1,
							.batch = batch,
							.micro_batches =
								g->global_batch / (dp * batch),
							.seq = g->seq,
							.recompute = (enum recompute)r,
							.dtype = g->dtype,
							.software = g->software,
							.sequence_parallel = true,
							.transfers = true };
						cr_assert(plan_make(&s, &plan, &arena));
						if (plan.memory_bytes <=
							g->memory_share * g->gpu->memory_bytes)
							best = fmax(best, plan.tokens_per_s);
						arena_release(&arena);
					}
	return best;
}

Test(plan_search, none_that_was_pruned_was_better)
{
	static const struct {
		const char *model, *gpu;
		double gpus, batch;
	} rows[] = { { "llama3-8b", "h100", 8, 64 }, { "llama3-8b", "a100", 16, 128 },
		{ "llama2-7b", "a100-40", 8, 64 }, { "llama3-70b", "h200", 32, 128 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct train_goal g = goal(rows[i].model, rows[i].gpu, rows[i].gpus, rows[i].batch);
		struct train_search out;
		struct arena arena = { 0 };
		cr_assert(train_search(&g, &out, &arena));
		cr_assert(lt(sz, 0, out.n), "%s on %s", rows[i].model, rows[i].gpu);
		cr_expect(le(dbl, 0.995 * best_of_all(&g), out.best[0].tokens_per_s), "%s on %s",
			rows[i].model, rows[i].gpu);
		for (size_t k = 1; k < out.n; k++)
			cr_expect(le(dbl, out.best[k].tokens_per_s, out.best[k - 1].tokens_per_s));
		arena_release(&arena);
	}
}

/* Llama 3's report: 405B on 16,384 H100, 2,048 sequences a step, as TP 8, PP 16, and 41 % of the
 * peak. The layout is among the first two, within 15 % of that. */
Test(plan_search, a_published_layout)
{
	struct train_goal g = goal("llama3-405b", "h100", 16384, 2048);
	struct train_search out;
	struct arena arena = { 0 };
	cr_assert(train_search(&g, &out, &arena));
	bool there = false;
	for (size_t i = 0; i < 2 && i < out.n; i++) {
		const struct train_plan *p = &out.best[i];
		there |= p->setup.tp == 8 && p->setup.pp == 16 && p->dp == 128 &&
			 fabs(p->mfu / 0.41 - 1) <= 0.15;
	}
	cr_expect(there);
	arena_release(&arena);
}

/* 70B does not fit on eight cards of 80 GB: 16 B of each of 70.6e9 parameters are 141 on each. The
 * nearest layout says so. */
Test(plan_search, what_does_not_fit_says_how_near)
{
	struct train_goal g = goal("llama3-70b", "a100", 8, 256);
	struct train_search out;
	struct arena arena = { 0 };
	cr_assert(train_search(&g, &out, &arena));
	cr_expect(eq(sz, out.n, 0));
	cr_expect(eq(dbl, out.considered, out.no_room));
	cr_expect(lt(dbl, 141e9, out.nearest.memory_bytes));
	cr_expect(lt(dbl, out.nearest.memory_bytes, 150e9));
	arena_release(&arena);
	/* Nor 405B on 512 cards of 16 GB, where as few layers a card as there are come nearest: up to 64
	 * stages are tried. */
	g = goal("llama3-405b", "t4", 512, 512);
	cr_assert(train_search(&g, &out, &arena));
	cr_expect(eq(sz, out.n, 0));
	cr_expect(eq(dbl, out.nearest.setup.tp, 8));
	cr_expect(eq(dbl, out.nearest.setup.pp, 64));
	arena_release(&arena);
}

/* Who only asks how long a step takes gets the step of a layout that is within a tenth of the best,
 * and that fits. 64 sequences on 100 GPUs: 96 work, as 12 nodes. */
Test(plan_search, the_usual_layout_is_nearly_the_best)
{
	static const struct {
		const char *model, *gpu;
		double gpus, batch;
	} rows[] = { { "llama3-8b", "h100", 8, 64 }, { "llama2-7b", "a100", 64, 512 },
		{ "llama3-70b", "h100", 64, 512 }, { "llama3-70b", "h100", 2048, 512 },
		{ "llama3-70b", "a100", 256, 512 }, { "gpt3-175b", "a100", 1024, 512 },
		{ "llama3-405b", "h100", 16384, 2048 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = { 0 };
		struct train_search search;
		struct train_plan usual;
		struct train_goal g = goal(rows[i].model, rows[i].gpu, rows[i].gpus, rows[i].batch);
		cr_assert(train_search(&g, &search, &arena) && search.n > 0);
		cr_assert(train_usual(&g, &usual, &arena));
		double ratio = usual.tokens_per_s / search.best[0].tokens_per_s;
		cr_expect(ratio > 0.9 && ratio < 1.05, "%s on %g: %.3f", rows[i].model,
			rows[i].gpus, ratio);
		cr_expect(usual.memory_bytes <= g.memory_share * g.gpu->memory_bytes, "%s",
			rows[i].model);
		arena_release(&arena);
	}
	struct arena arena = { 0 };
	struct train_plan usual;
	struct train_goal g = goal("llama3-70b", "h100", 100, 64);
	cr_assert(train_usual(&g, &usual, &arena));
	cr_expect(eq(dbl, usual.setup.tp * usual.setup.pp * usual.dp, 96));
	arena_release(&arena);
}

/* Layouts by hand: two GPUs, a batch of two sequences, 32 layers, and a micro-batch of up to 65,536
 * tokens; each with three ways to recompute.
 *   TP 1 x PP 1, 2 replicas: a micro-batch of 1, ZeRO-1, 2 and 3               3 x 3 =  9
 *   TP 1 x PP 2, 1 replica: of 1 are two, which 16 layers a stage run in 1, 2, 4
 *     and 8 chunks; of 2 there is one, which no two stages take in turns   (4 + 1) x 3 = 15
 *   TP 2 x PP 1, 1 replica: of 1 and of 2                                       2 x 3 =  6
 * From 32,768 tokens a sequence is cut, too:
 *   TP 1 x PP 1 x CP 2, 1 replica: of 1 and of 2, ZeRO-1, 2 and 3 over the two  6 x 3 = 18
 * Twice as long, no two sequences are a micro-batch: 9 + 4 x 3 + 3 + 9 = 33.
 * Of 28 layers a stage of two has 14, in 1, 2 or 7 chunks: 9 + (3 + 1) x 3 + 6 = 27. Of three stages
 * the shortest has 9, in 1 or 3; a batch of three sequences on three GPUs: 3 x 3 + 2 x 3 = 15. */
Test(plan_search, layouts_by_hand)
{
	static const struct {
		const char *model;
		double gpus, batch, seq, layouts;
	} rows[] = { { "llama3-8b", 2, 2, 8192, 30 }, { "llama3-8b", 2, 2, 32767, 30 },
		{ "llama3-8b", 2, 2, 32768, 48 }, { "llama3-8b", 2, 2, 65536, 33 },
		{ "llama3.2-3b", 2, 2, 8192, 27 }, { "llama3.2-3b", 3, 3, 8192, 15 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct train_goal g = goal(rows[i].model, "h100", rows[i].gpus, rows[i].batch);
		struct train_search out;
		struct arena arena = { 0 };
		g.seq = rows[i].seq;
		cr_assert(train_search(&g, &out, &arena));
		cr_expect(
			eq(dbl, out.considered, rows[i].layouts), "row %zu: %g", i, out.considered);
		arena_release(&arena);
	}
}

static bool keeps(const struct train_pins *pins, const struct plan_setup *s)
{
	return (!pins->tp || s->tp == pins->tp) && (!pins->pp || s->pp == pins->pp) &&
	       (!pins->cp || s->cp == pins->cp) &&
	       (!pins->micro_batch || s->batch == pins->micro_batch) &&
	       (!pins->chunks || s->chunks == pins->chunks) &&
	       (!pins->schedule || (int)s->schedule == pins->schedule - 1) &&
	       (!pins->recompute || (int)s->recompute == pins->recompute - 1);
}

/* The first job above, of 9 + 15 + 6 layouts, each with three ways to recompute. With two stages there are 15: of
 * 1F1B one for each of two micro-batches, (1 + 1) x 3 = 6, and 3 x 3 in 2, 4 or 8 chunks. 3 chunks deal 16 layers
 * unevenly, which is looked at where it is asked for. A micro-batch of 2 is a replica's all, so that there
 * is one replica: of two stages, or of a tensor group. What is cut though it is short is cut in two: 18, as above. */
Test(plan_search, what_is_pinned_is_not_searched)
{
	static const struct {
		struct train_pins pins;
		double layouts;
	} rows[] = { { { 0 }, 30 }, { { .pp = 2 }, 15 }, { { .pp = 1 }, 15 }, { { .tp = 2 }, 6 },
		{ { .tp = 1 }, 24 }, { { .tp = 2, .pp = 2 }, 0 }, { { .cp = 2 }, 18 },
		{ { .pp = 2, .chunks = 1 }, 6 }, { { .chunks = 3 }, 3 },
		{ { .schedule = 1 + PIPELINE_INTERLEAVED }, 9 },
		{ { .schedule = 1 + PIPELINE_1F1B }, 21 }, { { .micro_batch = 2 }, 6 },
		{ { .micro_batch = 1 }, 24 }, { { .micro_batch = 3 }, 0 },
		{ { .recompute = 1 + RECOMPUTE_FULL }, 10 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct train_pins *pins = &rows[i].pins;
		struct train_goal g = goal("llama3-8b", "h200", 2, 2);
		struct train_search out;
		struct arena arena = { 0 };
		g.pins = *pins;
		cr_assert(train_search(&g, &out, &arena));
		cr_expect(
			eq(dbl, out.considered, rows[i].layouts), "row %zu: %g", i, out.considered);
		for (size_t k = 0; k < out.n; k++)
			cr_expect(keeps(pins, &out.best[k].setup), "row %zu: plan %zu", i, k);
		arena_release(&arena);
	}
}

/* Where all fits, each way to divide is a plan. Of two GPUs: two replicas under ZeRO-1, 2 and 3, two
 * stages, or two that share each layer. From 32,768 tokens a sequence is cut under ZeRO-1, 2 and 3,
 * too. Of eight GPUs there are more than are kept. */
Test(plan_search, ways_to_divide_by_hand)
{
	static const struct {
		double gpus, seq;
		size_t ways;
	} rows[] = { { 1, 2048, 1 }, { 2, 2048, 5 }, { 2, 32768, 8 }, { 8, 2048, TRAIN_PLANS } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct train_goal g = goal("llama3.2-1b", "b200", rows[i].gpus, 8);
		struct train_search out;
		struct arena arena = { 0 };
		g.seq = rows[i].seq;
		cr_assert(train_search(&g, &out, &arena));
		cr_expect(eq(sz, out.n, rows[i].ways), "row %zu: %zu", i, out.n);
		arena_release(&arena);
	}
}

static bool another_mesh(const struct plan_setup *a, const struct plan_setup *b)
{
	return a->tp != b->tp || a->pp != b->pp || a->cp != b->cp || a->zero != b->zero;
}

static void expect_a_plan(const struct train_goal *g, const struct train_plan *p)
{
	const struct plan_setup *s = &p->setup;
	double spent_s = 0, tokens = g->global_batch * g->seq;
	for (size_t k = 0; k < N_SPENT; k++)
		spent_s += p->spent_s[k];
	cr_expect(epsilon_eq(dbl, spent_s * p->tokens_per_s, 1, 0.05), "%g", spent_s);
	cr_expect(p->ran);
	cr_expect(s->schedule == PIPELINE_INTERLEAVED ? s->chunks > 1 : s->chunks == 1);
	cr_expect(eq(dbl, s->tp * s->pp * s->cp * p->dp, g->gpus));
	cr_expect(eq(dbl, s->micro_batches * s->batch * p->dp, g->global_batch));
	cr_expect(epsilon_eq(dbl, p->tokens_per_s * p->step_s * g->gpus, tokens, 1e-6 * tokens));
	cr_expect(le(dbl, p->memory_bytes, g->memory_share * g->gpu->memory_bytes));
}

/* Each plan that is kept divides the GPUs in another way, fits, ran, and says where its time goes: all
 * parts together are the whole of it, as near as the closed form comes to the run. Of 64 GPUs there
 * are more ways than are run. */
Test(plan_search, plans_say_where_their_time_goes)
{
	static const double gpus[] = { 16, 64 };
	for (size_t i = 0; i < COUNT(gpus); i++) {
		struct train_goal g = goal("llama3-8b", "h100", gpus[i], 4 * gpus[i]);
		struct train_search out;
		struct arena arena = { 0 };
		cr_assert(train_search(&g, &out, &arena));
		cr_assert(eq(sz, out.n, TRAIN_PLANS));
		cr_expect(lt(dbl, out.no_room, out.considered));
		for (size_t k = 0; k < out.n; k++) {
			expect_a_plan(&g, &out.best[k]);
			for (size_t j = 0; j < k; j++) {
				cr_expect(another_mesh(&out.best[k].setup, &out.best[j].setup));
				cr_expect(le(
					dbl, out.best[k].tokens_per_s, out.best[j].tokens_per_s));
			}
		}
		arena_release(&arena);
	}
}

/* Of no room at all nothing fits, and the nearest is the least that any layout takes. */
Test(plan_search, the_nearest_is_the_smallest)
{
	struct train_goal g = goal("llama3-8b", "h100", 2, 2);
	struct train_search none, all;
	struct arena arena = { 0 };
	g.memory_share = 1e-6;
	cr_assert(train_search(&g, &none, &arena));
	cr_expect(zero(sz, none.n));
	cr_expect(eq(dbl, none.no_room, 30));
	cr_expect(none.nearest.ran);
	/* a card of just that size holds it, and nothing else */
	struct accelerator card = *g.gpu;
	card.memory_bytes = none.nearest.memory_bytes * 1.000001;
	g.gpu = &card;
	g.memory_share = 1;
	cr_assert(train_search(&g, &all, &arena));
	cr_expect(lt(sz, 0, all.n));
	card.memory_bytes = none.nearest.memory_bytes * 0.999999;
	cr_assert(train_search(&g, &all, &arena));
	cr_expect(zero(sz, all.n));
	cr_expect(eq(dbl, all.no_room, 30));
	arena_release(&arena);
}
