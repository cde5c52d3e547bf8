/* The capacity plan: the figures of F9.1, bounds that hold by definition, and its check. */
#include "sims/serving/capacity_plan.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct sim capacity_sim;

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

TestSuite(capacity, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(&capacity_sim, &t, settings, id);
}

/* E2, E75, F9.1: A100 of 80 GB filled to 80 %, a thousand users of 1,000 tokens. Replicated and
 * before any waste: (64 - 3.5) GB / 524,288,000 B = 115 users, nine replicas; with 4 %: 110,
 * ten. */
static const struct {
	const char *settings, *id;
	double want, tolerance;
} sheet[] = {
	{ "params=7e9 layout=sharded kv_rule=scaled waste_pct=30", "total_GB", 653.5, 1e-9 },
	{ "params=7e9 layout=sharded kv_rule=scaled waste_pct=30", "gpus_memory", 11, 0 },
	{ "params=7e9 layout=sharded", "total_GB", 548.8, 0.05 },
	{ "params=7e9 layout=sharded", "gpus_memory", 9, 0 },
	{ "params=8e9 model=llama3-8b layout=sharded", "total_GB", 140.3, 0.05 },
	{ "params=8e9 model=llama3-8b layout=sharded", "gpus_memory", 3, 0 },
	{ "params=7e9 waste_pct=0", "gpus_memory", 9, 0 },
	{ "params=7e9", "gpus_memory", 10, 0 },
	{ "", "kv_per_token_kB", 524.288, 1e-9 },
	{ "model=llama3-8b", "kv_per_token_kB", 131.072, 1e-9 },
	{ "model=llama3-8b kv_dtype=fp8", "kv_per_token_kB", 65.536, 1e-9 },
};

Test(capacity, figures_of_the_sheet)
{
	for (size_t i = 0; i < COUNT(sheet); i++) {
		double got = value_of(sheet[i].settings, sheet[i].id);
		cr_expect(epsilon_eq(dbl, got, sheet[i].want, sheet[i].tolerance), "%s: %s is %g",
			sheet[i].settings, sheet[i].id, got);
	}
}

/* The number that a bound gives meets the goal; one replica less does not. */
Test(capacity, a_bound_is_the_least_that_meets_the_goal)
{
	static const double goals_s[] = { 0.012, 0.02, 0.05, 0.1 };
	for (size_t i = 0; i < COUNT(goals_s); i++) {
		struct arena a = { 0 };
		struct capacity_need n = { .model = model_find(&t, "llama3-8b"),
			.gpu = gpu_find(&t, "h100"),
			.users = 3000,
			.context = 4000,
			.itl_s = goals_s[i],
			.requests_per_s = 60,
			.prompt_tokens = 3000,
			.output_tokens = 400,
			.weights = DTYPE_BF16,
			.kv = DTYPE_BF16,
			.fill = 0.9,
			.group = 1 };
		n.weight_bytes = model_weight_bytes(n.model, n.weights);
		n.kv_per_token = model_kv_bytes_per_token(n.model, n.kv);
		struct capacity_engines e = capacity_engines(&a, &n);
		struct capacity_plan p = capacity_plan(&n, &e);
		double least = p.bandwidth;
		cr_expect(capacity_itl_s(e.shape, ceil(n.users / least), n.context, 0) <= n.itl_s);
		cr_expect(lt(dbl, n.itl_s,
			capacity_itl_s(e.shape, ceil(n.users / (least - 1)), n.context, 0)));
		double held = capacity_users_per_replica(&n, 1);
		cr_expect(p.memory * held >= n.users && (p.memory - 1) * held < n.users);
		cr_expect(p.speed >= p.bandwidth && p.speed >= p.compute);
		cr_expect(eq(dbl, p.gpus, fmax(p.memory, p.speed)));
		/* Decoding can never be faster than reading its bytes. */
		cr_expect(capacity_itl_s(e.shape, 40, n.context, 0) >=
			  decode_floor_s(n.model, n.gpu, 1, n.weights, 40, 40 * n.context));
		arena_release(&a);
	}
}

Test(capacity, laws)
{
	cr_expect(lt(dbl, value_of("", "gpus"), value_of("users=2000", "gpus")));
	cr_expect(lt(dbl, value_of("", "gpus"), value_of("itl_ms=20", "gpus")));
	cr_expect(lt(dbl, value_of("model=llama3-8b", "gpus_memory"), value_of("", "gpus_memory")));
	cr_expect(lt(dbl, value_of("requests_per_s=10", "gpus_compute"),
		value_of("requests_per_s=1000", "gpus_compute")));
	cr_expect(isinf(value_of("itl_ms=1", "gpus_bandwidth"))); /* 3.4 GB at 2 TB/s: 1.7 ms */
	/* $2 an hour for each GPU, 100 requests/s of 200 tokens: $/h over 72e6 tokens/h */
	double usd = value_of("price_per_gpu_h=2 requests_per_s=100", "usd_per_mtok");
	cr_expect(epsilon_eq(dbl, usd, value_of("", "gpus") * 2 / 72, 1e-9));
	/* 810 GB in BF16 on two GPUs of 80 */
	cr_expect(isinf(value_of("model=llama3-405b quant_bits=16 tp=2", "gpus_memory")));
}

/* Its median meets the goal; twice the GPUs (for a cache twice as wasteful) meet it at P99. */
Test(capacity, the_check_agrees_with_the_plan)
{
	cr_expect(lt(dbl, value_of("waste_pct=200", "itl_p99_ms"), 50));
	cr_expect(lt(dbl, value_of("waste_pct=200", "ttft_p99_ms"), 1000));
	cr_expect(lt(dbl, value_of("", "itl_p50_ms"), 50));
	cr_expect(lt(dbl, value_of("waste_pct=200", "itl_p99_ms"), value_of("", "itl_p99_ms")));
}

Test(capacity, large_rates_are_written_out)
{
	struct figure fig = sim_run(&capacity_sim, &t, "users=100000");
	const struct value *v = figure_find(&fig, "gpus_compute");
	cr_assert(v && v->note);
	cr_expect(eq(str, (char *)v->note, "10,000 prompts/s"));
	figure_release(&fig);
}

/* Memory of a GPU in the figure's bars, their parts summed: waste and what is kept free as well. */
static double bar_GB(const struct figure *fig, double *caches_GB)
{
	for (size_t i = 0; i < fig->n_blocks; i++) {
		const struct bars *b = &fig->blocks[i]->as.bars;
		if (fig->blocks[i]->kind != BLOCK_BARS ||
			strcmp(b->title, "Memory of one GPU") != 0)
			continue;
		double sum = 0;
		for (size_t k = 0; k < b->n_parts; k++)
			sum += b->bars[0].parts[k];
		*caches_GB = b->bars[0].parts[1];
		return sum;
	}
	cr_assert(false, "no bars");
	return NAN;
}

/* A copy of a head takes what another head would: with as many KV heads as GPUs or with fewer, each
 * GPU holds one head of its group's users. So plan, check and figure are the same in all cases, and
 * what is planned fills no GPU beyond its memory. */
Test(capacity, copies_of_heads_cost_what_heads_do)
{
	static const struct {
		const char *settings, *model;
		double heads; /* as many as GPUs, or fewer of them */
	} rows[] = {
		{ "model=llama3-8b tp=16 memory_pct=10 users=60 prompt_tokens=30000 "
		  "output_tokens=2000 requests_per_s=2 checked=200",
			"llama3-8b", 16 },
		{ "model=llama3-405b layout=sharded quant_bits=16 users=60 itl_ms=500",
			"llama3-405b", 8 },
	};
	static const char *const ids[] = { "gpus", "gpus_memory", "gpus_speed", "users_per_replica",
		"ttft_p99_ms", "itl_p99_ms" };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct model *m = (struct model *)model_find(&t, rows[i].model);
		double want[COUNT(ids)], want_GB = 0, heads_as_they_are = m->kv_heads;
		for (double heads = rows[i].heads; heads >= 1; heads /= 2) {
			double caches_GB = 0;
			m->kv_heads = heads;
			struct figure fig = sim_run(&capacity_sim, &t, rows[i].settings);
			double sum_GB = bar_GB(&fig, &caches_GB);
			want_GB = heads == rows[i].heads ? caches_GB : want_GB;
			cr_expect(epsilon_eq(dbl, caches_GB, want_GB, 1e-9 * want_GB),
				"%s, %g heads: %g GB", rows[i].settings, heads, caches_GB);
			cr_expect(epsilon_eq(dbl, sum_GB, 80, 1e-9), "%s, %g heads: %g GB",
				rows[i].settings, heads, sum_GB);
			for (size_t k = 0; k < COUNT(ids); k++) {
				double got = figure_number(&fig, ids[k]);
				want[k] = heads == rows[i].heads ? got : want[k];
				cr_expect(epsilon_eq(dbl, got, want[k], 1e-9 * want[k]),
					"%s, %g heads: %s is %g", rows[i].settings, heads, ids[k],
					got);
			}
			figure_release(&fig);
		}
		m->kv_heads = heads_as_they_are;
	}
	/* 2,000 users of 1,000 tokens: 85 GB for each of 8 heads, on GPUs of 80. */
	cr_expect(isinf(value_of("model=llama3-70b layout=sharded users=2000", "gpus_memory")));
}

static double total_of(const struct bars *b, size_t bar)
{
	double sum = 0;
	for (size_t i = 0; i < b->n_parts; i++)
		sum += b->bars[bar].parts[i];
	return sum;
}

/* The stairs end with the plan: as work, those that would do with fewer held grey, and no step is
 * higher. */
Test(capacity, the_last_stair_is_the_plan)
{
	static const char *const settings[] = { "", "model=llama3-8b", "itl_ms=20",
		"prompt_tokens=20", "model=llama3-70b quant_bits=16" };
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[k]);
		const struct bars *b = &fig.blocks[0]->as.bars;
		cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_BARS));
		double last = 0;
		for (size_t i = 0; i < b->n_bars; i++) {
			double gpus = total_of(b, i);
			cr_expect(le(dbl, last, gpus), "%s", settings[k]);
			for (size_t j = 0; j < b->n_parts; j++)
				if (b->bars[i].parts[j] > 0)
					cr_expect(b->means[j] == (gpus < figure_number(&fig, "gpus")
										 ? MEANS_HELD
										 : MEANS_COMPUTE));
			last = gpus;
		}
		cr_expect(eq(dbl, total_of(b, b->n_bars - 1), figure_number(&fig, "gpus")), "%s",
			settings[k]);
		figure_release(&fig);
	}
}

/* A goal that the simulated replica misses is said in the sentence; one that it meets is not. Alone, a
 * user waits for nobody. */
Test(capacity, a_missed_goal_is_in_the_sentence)
{
	static const char *const settings[] = { "", "ttft_ms=5000", "ttft_ms=1",
		"users=1 prompt_tokens=10 context=110 itl_ms=1000 ttft_ms=100000" };
	size_t missed = 0;
	for (size_t k = 0; k < COUNT(settings); k++) {
		struct figure fig = sim_run(&capacity_sim, &t, settings[k]);
		bool first = figure_find(&fig, "ttft_p99_ms")->role == ROLE_BAD;
		bool next = figure_find(&fig, "itl_p99_ms")->role == ROLE_BAD;
		cr_expect(eq(int, strstr(fig.why, "for a first token") != NULL, first), "%s",
			fig.why);
		cr_expect(eq(int, strstr(fig.why, "for the next") != NULL, next), "%s", fig.why);
		missed += first || next;
		figure_release(&fig);
	}
	cr_expect(eq(sz, missed, COUNT(settings) - 1));
}

/* What passes is named in the sentence, and does pass: so many GPUs bring each replica a smaller share
 * of users and requests, as fewer users do. A first token in 1 ms is out of everybody's reach. */
Test(capacity, says_how_many_would_pass)
{
	struct figure fig = sim_run(&capacity_sim, &t, "");
	double plan = figure_number(&fig, "gpus"), pass = figure_number(&fig, "gpus_p99");
	cr_expect(lt(dbl, plan, pass));
	cr_expect(le(dbl, pass, 4 * plan));
	char said[60];
	snprintf(said, sizeof said, "but the goals take %.0f: with %.0f", pass, plan);
	cr_expect(strstr(fig.why, said) != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(&capacity_sim, &t, "ttft_ms=1");
	cr_expect(figure_find(&fig, "gpus_p99") == NULL);
	snprintf(said, sizeof said, "but %.0f would not meet the goals", 4 * plan);
	cr_expect(strstr(fig.why, said) != NULL, "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(&capacity_sim, &t, "ttft_ms=5000 itl_ms=400");
	cr_expect(figure_find(&fig, "gpus_p99") == NULL, "no goal is missed");
	figure_release(&fig);
}
