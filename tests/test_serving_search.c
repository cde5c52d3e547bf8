/* The search for a serving plan: pruning loses nothing, and its plans obey what must hold. */
#include "sims/serving/serving_search.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables t;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	t = load_tables();
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(serving_search, .init = load, .fini = unload);

static const double groups[] = { 1, 2, 4, 8 }, chunks[] = { 256, 512, 1024 };
enum { N_LAYOUTS = COUNT(groups) * COUNT(chunks) };

struct case_of {
	struct serving_layout layouts[N_LAYOUTS];
	struct serving_search search;
};

static struct capacity_need need_of(const char *model, const char *gpu, enum value_type weights)
{
	const struct model *m = any_model_find(&t, model);
	cr_assert(m != NULL);
	struct capacity_need n = { .model = m,
		.gpu = gpu_find(&t, gpu),
		.requests_per_s = 100,
		.prompt_tokens = 900,
		.output_tokens = 200,
		.context = 1000,
		.ttft_s = 1,
		.itl_s = 0.05,
		.waste = 0.04,
		.fill = 0.8,
		.lengths = LENGTHS_EXPONENTIAL,
		.weights = weights,
		.kv = VALUE_BF16 };
	n.weight_bytes = model_weight_bytes(m, value_type_dtype(weights));
	n.kv_per_token = model_kv_bytes_per_token(m, DTYPE_BF16);
	return n;
}

static void list(struct case_of *c, struct capacity_need n, size_t requests)
{
	size_t i = 0;
	for (size_t g = 0; g < COUNT(groups); g++)
		for (size_t k = 0; k < COUNT(chunks); k++) {
			n.group = groups[g];
			n.chunk_tokens = chunks[k];
			c->layouts[i++] = (struct serving_layout){ .need = n, .family = g };
		}
	c->search = (struct serving_search){
		.layouts = c->layouts, .n = N_LAYOUTS, .requests = requests, .seed = 1
	};
}

static double best_of(const struct case_of *c)
{
	return c->search.found.best == NO_WAY ? INFINITY : c->layouts[c->search.found.best].gpus;
}

/* Models, GPUs and bits as somebody tried them who found plans seven times too large. Every layout is
 * worked out from one replica on; the search with bounds finds the same layout, and the same number,
 * with a quarter of the simulations. */
Test(serving_search, bounds_lose_nothing_in_sixty_plans)
{
	static const char *const models[] = { "llama3-8b", "qwen2.5-32b", "llama3-70b",
		"llama3-405b" };
	static const char *const gpus[] = { "a100", "h100", "h200", "b200", "l40s" };
	static const enum value_type bits[] = { VALUE_BF16, VALUE_FP8, VALUE_INT4 };
	size_t fast_runs = 0, slow_runs = 0, plans = 0;
	for (size_t m = 0; m < COUNT(models); m++)
		for (size_t g = 0; g < COUNT(gpus); g++)
			for (size_t b = 0; b < COUNT(bits); b++) {
				struct case_of fast, slow;
				list(&fast, need_of(models[m], gpus[g], bits[b]), 100);
				serving_search(&fast.search);
				list(&slow, need_of(models[m], gpus[g], bits[b]), 100);
				slow.search.without_bounds = true;
				serving_search(&slow.search);
				double least = INFINITY;
				for (size_t i = 0; i < N_LAYOUTS; i++)
					least = fmin(least, slow.layouts[i].gpus);
				cr_expect(eq(long, fast.search.found.best, slow.search.found.best),
					"%s %s %zu", models[m], gpus[g], b);
				cr_expect(eq(long, fast.search.found.second,
						  slow.search.found.second),
					"%s %s %zu", models[m], gpus[g], b);
				cr_expect(eq(dbl, best_of(&fast), least), "%s %s %zu", models[m],
					gpus[g], b);
				fast_runs += fast.search.runs;
				slow_runs += slow.search.runs;
				plans += isfinite(least);
			}
	cr_expect(lt(sz, 4 * fast_runs, slow_runs), "%zu of %zu", fast_runs, slow_runs);
	cr_expect(lt(sz, (size_t)30, plans));
}

/* The plan meets its goals when it is tried again; with one replica less it does not. */
Test(serving_search, a_plan_is_the_least_that_passes)
{
	static const char *const gpus[] = { "a100", "h100", "b200" };
	for (size_t g = 0; g < COUNT(gpus); g++) {
		struct case_of c;
		struct serving_summary again;
		list(&c, need_of("llama3-70b", gpus[g], VALUE_FP8), 500);
		serving_search(&c.search);
		const struct serving_layout *l = &c.layouts[c.search.found.best];
		double replicas = l->gpus / l->need.group;
		cr_assert(serving_try(&c.search, &l->need, replicas, 100, &again));
		cr_expect(serving_meets(&l->need, replicas, &again));
		cr_expect(eq(dbl, again.itl_p99_s, l->check.itl_p99_s));
		bool fewer = serving_try(&c.search, &l->need, replicas - 1, 100, &again) &&
			     serving_meets(&l->need, replicas - 1, &again);
		cr_expect(not(fewer));
	}
}

/* More requests never take fewer GPUs, a looser goal never more; and twice the fleet serves about
 * twice as much. */
Test(serving_search, rates_goals_and_fleets_are_ordered)
{
	struct case_of c;
	double before = 0, loose = 0;
	for (double rate = 25; rate <= 1600; rate *= 2) {
		struct capacity_need n = need_of("llama3-8b", "h100", VALUE_BF16);
		n.requests_per_s = rate;
		list(&c, n, 300);
		serving_search(&c.search);
		cr_expect(le(dbl, before, best_of(&c)), "%g/s", rate);
		before = best_of(&c);
	}
	for (double goal_s = 0.4; goal_s > 0.012; goal_s /= 2) {
		struct capacity_need n = need_of("llama3-8b", "h100", VALUE_BF16);
		n.itl_s = goal_s;
		list(&c, n, 300);
		serving_search(&c.search);
		cr_expect(le(dbl, loose, best_of(&c)), "%g s", goal_s);
		loose = best_of(&c);
	}
	double served[2];
	for (size_t i = 0; i < 2; i++) {
		list(&c, need_of("llama3-8b", "h100", VALUE_BF16), 300);
		c.search.fleet = i == 0 ? 16 : 32;
		serving_search(&c.search);
		served[i] = c.layouts[c.search.found.best].rate_per_s;
	}
	cr_expect(epsilon_eq(dbl, served[1], 2 * served[0], 0.1 * served[1]));
}

/* 141 GB of weights on GPUs of 80, filled to 80 %: not one, not two; four. A token cannot take less
 * than reading them: 141 GB at 4 x 3.35 TB/s are 10.5 ms. */
Test(serving_search, what_cannot_be_is_not_simulated)
{
	struct case_of c;
	struct capacity_need n = need_of("llama3-70b", "h100", VALUE_BF16);
	list(&c, n, 300);
	serving_search(&c.search);
	for (size_t i = 0; i < 2 * COUNT(chunks); i++)
		cr_expect(eq(int, (int)c.layouts[i].fate, (int)LAYOUT_TOO_SMALL));
	cr_expect(eq(int, (int)c.layouts[2 * COUNT(chunks)].fate, (int)LAYOUT_PASSES));
	n.itl_s = 0.005;
	list(&c, n, 300);
	serving_search(&c.search);
	cr_expect(eq(int, (int)c.layouts[2 * COUNT(chunks)].fate, (int)LAYOUT_SLOW_TOKEN));
	cr_expect(eq(long, c.search.found.best, (long)NO_WAY));
	const struct serving_layout *near = serving_nearest(&c.search);
	cr_assert(near != NULL);
	cr_expect(eq(dbl, near->need.group, 8), "the fastest token of all");
	cr_expect(lt(dbl, 0.005, near->check.itl_p99_s));
}

/* A replica's cache is what its cards have left, over the bytes of a token times the GPUs that
 * hold it: 16 GPUs of 16 heads keep as many tokens as 16 of 8 heads, or of 4, each of which two
 * of them or four hold. With room for two requests at once, and no more, whoever waits says how
 * many fit. */
Test(serving_search, copies_of_heads_fill_the_cache)
{
	struct model *m = (struct model *)model_find(&t, "llama3-8b");
	double heads_as_they_are = m->kv_heads, ttft_s = 0, roomy_s = 0;
	for (double heads = 16; heads >= 4; heads /= 2) {
		struct case_of c;
		struct serving_summary got;
		m->kv_heads = heads;
		struct capacity_need n = need_of("llama3-8b", "h100", VALUE_BF16);
		n.group = 16;
		n.chunk_tokens = 512;
		n.ttft_s = 1e3;
		n.lengths = LENGTHS_FIXED;
		double tokens = 2.5 * (n.prompt_tokens + n.output_tokens), copies = 16 / heads;
		double cards = n.group * n.gpu->memory_bytes;
		n.fill = (n.weight_bytes + tokens * copies * n.kv_per_token) / cards;
		list(&c, n, 200);
		cr_assert(serving_try(&c.search, &n, 1, 20, &got));
		ttft_s = heads < 16 ? ttft_s : got.ttft_p99_s;
		cr_expect(epsilon_eq(dbl, got.ttft_p99_s, ttft_s, 1e-9 * ttft_s), "%g heads: %g s",
			heads, got.ttft_p99_s);
		n.fill *= 1.2;
		cr_assert(serving_try(&c.search, &n, 1, 20, &got));
		roomy_s = got.ttft_p99_s;
		cr_expect(lt(dbl, 2 * roomy_s, ttft_s), "%g and %g s", roomy_s, ttft_s);
	}
	m->kv_heads = heads_as_they_are;
}

/* --- Mixtures --- */

static const struct {
	double tp, copies, ep;
} meshes[] = { { 1, 1, 1 }, { 4, 1, 1 }, { 8, 1, 1 }, { 8, 1, 8 }, { 1, 4, 4 }, { 1, 8, 8 },
	{ 2, 4, 8 }, { 1, 8, 1 }, { 1, 16, 16 }, { 4, 8, 32 } };
static const double mixture_chunks[] = { 128, 512 };
enum { N_SPREAD = COUNT(meshes) * COUNT(mixture_chunks) };

struct mixture_case {
	struct serving_layout layouts[N_SPREAD];
	struct serving_search search;
};

static void lay_out(struct capacity_need *n, size_t mesh)
{
	n->group = meshes[mesh].tp * meshes[mesh].copies;
	n->copies = meshes[mesh].copies;
	n->ep = meshes[mesh].ep;
	n->weight_bytes =
		model_weight_bytes_copied(n->model, value_type_dtype(n->weights), n->copies);
}

static void list_mixture(struct mixture_case *c, struct capacity_need n)
{
	size_t i = 0;
	for (size_t g = 0; g < COUNT(meshes); g++)
		for (size_t k = 0; k < COUNT(mixture_chunks); k++) {
			lay_out(&n, g);
			n.chunk_tokens = mixture_chunks[k];
			c->layouts[i++] = (struct serving_layout){ .need = n, .family = g };
		}
	c->search = (struct serving_search){
		.layouts = c->layouts, .n = N_SPREAD, .requests = 2000, .seed = 1
	};
}

static const struct {
	double rate, prompt, output, ttft_s, itl_s;
} loads[] = { { 20, 900, 200, 2, 0.05 }, { 200, 900, 200, 2, 0.05 }, { 5, 8000, 100, 5, 0.1 },
	{ 10, 500, 1000, 1, 0.02 } };

static struct capacity_need load_of(struct capacity_need n, size_t load)
{
	n.requests_per_s = loads[load].rate;
	n.prompt_tokens = loads[load].prompt;
	n.output_tokens = loads[load].output;
	n.context = n.prompt_tokens + n.output_tokens / 2;
	n.ttft_s = loads[load].ttft_s;
	n.itl_s = loads[load].itl_s;
	return n;
}

/* Copies of attention, experts dealt or cut, within a machine and beyond: every layout is worked
 * out from one replica on, and the search, which has an engine for few of them, finds the same two.
 * Runs are long enough for a queue to grow where more comes than can be served. */
Test(serving_search, bounds_lose_no_layout_of_experts, .timeout = 600)
{
	static const char *const models[] = { "mixtral-8x7b", "qwen3-30b-a3b", "gpt-oss-120b",
		"qwen3-235b-a22b", "deepseek-v3" };
	static const char *const gpus[] = { "h100", "b200" };
	size_t fast_runs = 0, slow_runs = 0, plans = 0, engines = 0, spread = 0;
	for (size_t m = 0; m < COUNT(models); m++)
		for (size_t at = 0; at < COUNT(gpus) * COUNT(loads); at++) {
			struct mixture_case fast, slow;
			const struct capacity_need n =
				load_of(need_of(models[m], gpus[at % COUNT(gpus)], VALUE_FP8),
					at / COUNT(gpus));
			list_mixture(&fast, n);
			serving_search(&fast.search);
			list_mixture(&slow, n);
			slow.search.without_bounds = true;
			serving_search(&slow.search);
			long best = fast.search.found.best;
			cr_expect(eq(long, best, slow.search.found.best), "%s %zu", models[m], at);
			cr_expect(eq(long, fast.search.found.second, slow.search.found.second),
				"%s %zu", models[m], at);
			double least = INFINITY;
			for (size_t i = 0; i < N_SPREAD; i++)
				least = fmin(least, slow.layouts[i].gpus);
			double found = best == NO_WAY ? INFINITY : fast.layouts[best].gpus;
			cr_expect(eq(dbl, found, least), "%s %zu", models[m], at);
			plans += isfinite(least);
			spread += best != NO_WAY && fast.layouts[best].need.copies > 1;
			fast_runs += fast.search.runs;
			slow_runs += slow.search.runs;
			engines += fast.search.engines;
		}
	cr_expect(lt(sz, 4 * fast_runs, slow_runs), "%zu of %zu", fast_runs, slow_runs);
	const size_t all = COUNT(models) * COUNT(gpus) * COUNT(loads) * N_SPREAD;
	cr_expect(lt(sz, 2 * engines, all), "%zu of %zu", engines, all);
	cr_expect(lt(sz, (size_t)20, plans));
	cr_expect(lt(sz, (size_t)5, spread), "%zu of %zu plans have copies", spread, plans);
}

/* What products of any size would take is never more, at any mix of a step. */
Test(serving_search, a_smooth_engine_is_never_slower)
{
	static const char *const models[] = { "llama3-70b", "qwen3-30b-a3b", "gpt-oss-120b",
		"deepseek-v3", "qwen3-next-80b-a3b" };
	static const char *const gpus[] = { "a100", "h100", "b200", "mi355x" };
	static const double users[] = { 0, 1, 3, 17, 64, 250, 1000 };
	static const double parts[] = { 0, 1, 16, 130, 512, 2000 };
	for (size_t m = 0; m < COUNT(models); m++)
		for (size_t at = 0; at < COUNT(gpus) * COUNT(meshes); at++) {
			struct capacity_need n =
				need_of(models[m], gpus[at % COUNT(gpus)], VALUE_FP8);
			lay_out(&n, at / COUNT(gpus));
			n.ep = model_experts(n.model) > 0 ? n.ep : 1;
			const struct engine_shape e = capacity_engine(&n, n.group);
			const struct engine_shape smooth = capacity_smooth_engine(&n, n.group);
			for (size_t k = 0; k < COUNT(users) * COUNT(parts); k++) {
				double u = users[k % COUNT(users)], part = parts[k / COUNT(users)];
				double s = engine_step_of_prompts_s(&e, u, 900 * u, part, 0, part);
				double least = engine_step_of_prompts_s(
					&smooth, u, 900 * u, part, 0, part);
				cr_expect(least <= s * (1 + 1e-9), "%s %zu %zu: %g, %g", models[m],
					at, k, least, s);
			}
		}
}

/* Another type of the cache is the same engine with another attention. */
Test(serving_search, an_engine_changes_its_cache)
{
	static const char *const models[] = { "qwen3-30b-a3b", "deepseek-v3", "llama3-8b" };
	for (size_t i = 0; i < COUNT(models); i++)
		for (int smooth = 0; smooth < 2; smooth++) {
			struct capacity_need was = need_of(models[i], "h200", VALUE_FP8), is = was;
			is.group = was.group = 8;
			is.kv = VALUE_FP8;
			struct engine_shape e =
				smooth ? capacity_smooth_engine(&was, 8) : capacity_engine(&was, 8);
			const struct engine_shape want =
				smooth ? capacity_smooth_engine(&is, 8) : capacity_engine(&is, 8);
			bool changed = capacity_engine_retype(&e, smooth, &was, &is);
			cr_expect(eq(int, changed, was.model->made_of != NULL));
			if (changed)
				cr_expect(eq(dbl, engine_step_s(&e, 16, 1e5, 256, 1000),
					engine_step_s(&want, 16, 1e5, 256, 1000)));
			is.weights = VALUE_BF16;
			cr_expect(not(capacity_engine_retype(&e, smooth, &was, &is)));
		}
}

/* Two copies of attention on two GPUs each: the cache of a user lies on two GPUs, each copy has
 * room of its own, and what is not an expert lies there twice. */
Test(serving_search, copies_have_room_of_their_own)
{
	struct capacity_need n = need_of("qwen3-235b-a22b", "h200", VALUE_FP8);
	n.group = 4;
	n.copies = 2;
	n.ep = 4;
	double experts = 94. * 128 * 3 * 4096 * 1536; /* layers, experts, matrices of each */
	double once = model_weight_bytes(n.model, DTYPE_FP8);
	n.weight_bytes = model_weight_bytes_copied(n.model, DTYPE_FP8, 2);
	cr_expect(epsilon_eq(dbl, n.weight_bytes, 2 * once - experts, 1e-3 * once));
	const struct engine_layout how = capacity_layout(&n, 4);
	cr_expect(how.tp == 2 && how.copies == 2 && how.ep == 4);
	/* Room for 2.5 users in all, 1.25 in each copy: one in each. */
	double user = n.context * 94 * 2 * 4 * 128 * 2 * (1 + n.waste);
	n.fill = (n.weight_bytes + 2.5 * user) / (4 * n.gpu->memory_bytes);
	cr_expect(eq(dbl, capacity_users_per_replica(&n, 4), 2));
	cr_expect(eq(dbl,
		capacity_chunk(&(struct capacity_need){ .copies = 2, .chunk_tokens = 512 }), 1024));
}
