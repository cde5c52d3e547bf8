/* The serving engine: worked examples and closed forms. */
#include "sims/gpu/engine_shape.h"
#include "sims/formulas/serving.h"
#include "sims/serving/serving.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static struct tables facts(void)
{
	struct tables t;
	char err[256] = "";
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	return t;
}

/* One second an iteration, room for everybody. */
static struct serving_setup plain(enum serving_policy policy, const struct request *q, size_t n)
{
	return (struct serving_setup){ .policy = policy,
		.requests = q,
		.n = n,
		.gap_s = 1,
		.fixed_step_s = 1,
		.max_batch = 2,
		.cache_tokens = 1e6,
		.paged = true,
		.block_tokens = 16,
		.reserve_tokens = 100,
		.chunk_tokens = 512 };
}

/* Of four requests those are written down that are asked for, and no other. */
Test(serving, only_the_first_are_written_down)
{
	static const struct request q[] = { { 0, 10, 2 }, { 0, 20, 3 }, { 1, 5, 2 }, { 2, 5, 2 } };
	for (size_t watch = 0; watch <= COUNT(q); watch++) {
		struct arena a = { 0 };
		struct serving_setup s = plain(SERVING_CONTINUOUS, q, COUNT(q));
		size_t seen[COUNT(q)] = { 0 };
		s.watch = watch;
		struct serving_run run = serving_simulate(&a, &s);
		for (size_t i = 0; i < run.log.n_spans; i++)
			seen[run.log.spans[i].request]++;
		for (size_t k = 0; k < COUNT(q); k++)
			cr_expect(eq(int, seen[k] > 0, k < watch), "request %zu of %zu", k, watch);
		arena_release(&a);
	}
}

/* Two slots; outputs of 1 and 3 tokens at 0, 2 tokens at 0.5 s. Whole batches: the first two start
 * at 0 and hold the engine for 3 s. Continuous: the
 * first leaves at 1 s, the third takes its slot. */
static const struct {
	enum serving_policy policy;
	double first_s[3], finish_s[3];
} three[] = {
	{ SERVING_STATIC, { 1, 1, 4 }, { 1, 3, 5 } }, /* nobody comes after the third */
	{ SERVING_DYNAMIC, { 1, 1, 4 }, { 1, 3, 5 } },
	{ SERVING_CONTINUOUS, { 1, 1, 2 }, { 1, 3, 3 } },
};

Test(serving, three_requests_by_hand)
{
	static const struct request q[] = { { 0, 10, 1 }, { 0, 20, 3 }, { 0.5, 5, 2 } };
	for (size_t i = 0; i < COUNT(three); i++) {
		struct arena a = { 0 };
		struct serving_setup s = plain(three[i].policy, q, COUNT(q));
		s.timeout_s = 1;
		struct serving_run run = serving_simulate(&a, &s);
		for (size_t k = 0; k < COUNT(q); k++) {
			cr_expect(
				epsilon_eq(dbl, run.served[k].first_s, three[i].first_s[k], 1e-12),
				"policy %zu request %zu", i, k);
			cr_expect(epsilon_eq(
					  dbl, run.served[k].finish_s, three[i].finish_s[k], 1e-12),
				"policy %zu request %zu", i, k);
		}
		cr_expect(epsilon_eq(dbl, run.tokens, 6, 0));
		arena_release(&a);
	}
}

/* Blocks of one token, room for 6; both prompts of 2 and outputs of 3 would need 4 in the end.
 * After two iterations the cache is full (3 + 3): the second gives way, the first is done at 3 s,
 * and the second is prefilled again with its two tokens and done at 4 s. Gaps: 1, 1 and 1, 2 s. */
Test(serving, preemption_by_hand)
{
	static const struct request q[] = { { 0, 2, 3 }, { 0, 2, 3 } };
	struct arena a = { 0 };
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, COUNT(q));
	s.block_tokens = 1;
	s.cache_tokens = 6;
	struct serving_run run = serving_simulate(&a, &s);
	cr_expect(eq(sz, run.preemptions, 1));
	cr_expect(epsilon_eq(dbl, run.served[0].finish_s, 3, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[1].finish_s, 4, 1e-12));
	cr_expect(epsilon_eq(dbl, histogram_quantile(&run.itl_s, 0.75), 1, 1e-12));
	cr_expect(epsilon_eq(dbl, histogram_quantile(&run.itl_s, 0.76), 2, 1e-12));
	cr_expect(epsilon_eq(dbl, run.most_reserved, 6, 1e-12));
	arena_release(&a);
}

/* F9.2: 500 tokens in blocks of 16 are 32 blocks with 2.3 % empty; in 8,192 reserved, 93.9 %. */
Test(serving, cache_waste)
{
	static const struct request q[] = { { 0, 500, 1 } };
	struct arena a = { 0 };
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, 1);
	struct serving_run paged = serving_simulate(&a, &s);
	s.paged = false;
	s.reserve_tokens = 8192;
	struct serving_run whole = serving_simulate(&a, &s);
	double waste = serving_summarise(&a, &s, &paged, 1, 1).waste_ratio;
	double blocks = CALL(paging_blocks, .tokens = 500, .block_tokens = 16);
	cr_expect(epsilon_eq(dbl, paged.most_reserved, 32 * 16, 1e-9));
	cr_expect(epsilon_eq(dbl, blocks, 32, 1e-9));
	cr_expect(epsilon_eq(dbl, waste, 0.0234, 1e-4));
	cr_expect(epsilon_eq(
		dbl, waste, CALL(paging_waste, .tokens = 500, .block_tokens = 16), 1e-9));
	waste = serving_summarise(&a, &s, &whole, 1, 1).waste_ratio;
	cr_expect(epsilon_eq(dbl, waste, 0.939, 1e-4));
	cr_expect(epsilon_eq(
		dbl, waste, CALL(contiguous_waste, .tokens = 500, .max_tokens = 8192), 1e-9));
	arena_release(&a);
}

/* F9.8: a prompt of 1,100 in chunks of 512 takes three iterations to its first token. */
Test(serving, chunked_prefill)
{
	static const struct request q[] = { { 0, 1100, 4 } };
	struct arena a = { 0 };
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, 1);
	struct serving_run run = serving_simulate(&a, &s);
	double want = CALL(
		chunked_prefill_time, .prompt_tokens = 1100, .chunk_tokens = 512, .step_time = 1);
	cr_expect(epsilon_eq(dbl, want, 3, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[0].first_s, want, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[0].finish_s, want + 3, 1e-12));
	arena_release(&a);
}

/* F9.7: with requests every 1/10 s the first of a batch of 8 waits 7/10 s for it to fill, or under
 * dynamic batching as long as the timeout lets it; then its prefill takes a second. */
Test(serving, filling_a_batch)
{
	struct request q[64];
	for (size_t i = 0; i < COUNT(q); i++)
		q[i] = (struct request){ (double)i, 10, 1 };
	for (int p = SERVING_STATIC; p <= SERVING_DYNAMIC; p++) {
		struct arena a = { 0 };
		struct serving_setup s = plain((enum serving_policy)p, q, COUNT(q));
		s.gap_s = 0.1;
		s.max_batch = 8;
		s.timeout_s = 100;
		double fill_s = CALL(batch_fill_wait, .batch = 8, .arrival_rate = 10);
		struct serving_run run = serving_simulate(&a, &s);
		cr_expect(epsilon_eq(dbl, fill_s, 0.7, 1e-12));
		cr_expect(epsilon_eq(dbl, run.served[0].first_s, fill_s + 1, 1e-9));
		s.timeout_s = 0.25;
		run = serving_simulate(&a, &s);
		bool times_out = p == SERVING_DYNAMIC;
		double first_s = times_out ? 1.25 : fill_s + 1;
		cr_expect(epsilon_eq(dbl, run.served[0].first_s, first_s, 1e-9));
		cr_expect(epsilon_eq(dbl, run.served[2].first_s, first_s, 1e-9));
		cr_expect(times_out == (run.served[3].first_s > 2));
		arena_release(&a);
	}
}

/* The last token that is made is never looked at again: 96 tokens and 5 more take 100 places. */
Test(serving, the_last_token_takes_no_place)
{
	static const struct request q[] = { { 0, 96, 5 }, { 0, 97, 5 } };
	struct arena a = { 0 };
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, COUNT(q));
	s.block_tokens = 1;
	s.cache_tokens = 100;
	struct serving_run run = serving_simulate(&a, &s);
	cr_expect(eq(sz, run.refused, 1));
	cr_expect(epsilon_eq(dbl, run.served[0].finish_s, 5, 1e-9));
	cr_expect(isinf(run.served[1].finish_s));
	arena_release(&a);
}

/* Two prompts of 100 and 60 tokens whose caches were made elsewhere, all but the last token of each:
 * each iteration is one of decodes, of one sequence of 100 tokens, then of two, of 101 and 60, of 102
 * and 61, and of one, of 62. */
Test(serving, a_cache_made_elsewhere_decodes_at_once)
{
	static const int64_t histories[] = { 99, 59 };
	struct tables t = facts();
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama3-8b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	double one_s = engine_step_s(&e, 1, 100, 0, 0);
	const struct request q[] = { { 0, 1, 3 }, { one_s / 2, 1, 3 } };
	struct arena a = { 0 };
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, COUNT(q));
	s.fixed_step_s = 0;
	s.engine = &e;
	s.histories = histories;
	s.watch_work = 2;
	struct serving_run run = serving_simulate(&a, &s);
	double two_s = one_s + engine_step_s(&e, 2, 101 + 60, 0, 0);
	double three_s = two_s + engine_step_s(&e, 2, 102 + 61, 0, 0);
	double four_s = three_s + engine_step_s(&e, 1, 62, 0, 0);
	cr_expect(epsilon_eq(dbl, run.served[0].first_s, one_s, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[0].finish_s, three_s, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[1].start_s, one_s, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[1].first_s, two_s, 1e-12));
	cr_expect(epsilon_eq(dbl, run.served[1].finish_s, four_s, 1e-12));
	/* It worked all the time, and prefilled nothing. */
	cr_assert(eq(sz, run.log.n_work, 1));
	cr_expect(not(run.log.work[0].prefills));
	cr_expect(epsilon_eq(dbl, run.log.work[0].end_s, four_s, 1e-12));
	arena_release(&a);
	tables_release(&t);
}

/* 50 tokens from before, a prompt of 10 and 5 more take 64 places: two requests one after another in
 * 100, at once in 128, and not at all in 63. Nobody computes the 50: one iteration takes the prompt. */
Test(serving, a_history_takes_room_and_no_time)
{
	static const struct request q[] = { { 0, 10, 5 }, { 0, 10, 5 } };
	static const struct {
		double room, finish_s[2];
	} rows[] = { { 128, { 5, 5 } }, { 100, { 5, 10 } }, { 64, { 5, 10 } },
		{ 63, { INFINITY, INFINITY } } };
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int p = 0; p < N_SERVING_POLICIES; p++) {
			struct arena a = { 0 };
			struct serving_setup s = plain((enum serving_policy)p, q, COUNT(q));
			s.block_tokens = 1;
			s.chunk_tokens = 20;
			s.history_tokens = 50;
			s.cache_tokens = rows[i].room;
			struct serving_run run = serving_simulate(&a, &s);
			for (size_t k = 0; k < COUNT(q); k++)
				cr_expect(eq(dbl, run.served[k].finish_s, rows[i].finish_s[k]),
					"room %g, policy %d, request %zu: %g", rows[i].room, p, k,
					run.served[k].finish_s);
			cr_expect(run.most_reserved <= rows[i].room);
			arena_release(&a);
		}
}

/* What is larger than the cache is refused, the others are served, and a user whose request was
 * refused goes on. */
Test(serving, refuses_what_cannot_fit)
{
	static const struct request q[] = { { 0, 10, 5 }, { 0, 100, 5 }, { 1, 10, 5 },
		{ 2, 90, 12 } };
	for (int i = 0; i < 6; i++) {
		struct arena a = { 0 };
		struct serving_setup s = plain((enum serving_policy)(i % 3), q, COUNT(q));
		s.users = i / 3;
		s.block_tokens = 1;
		s.cache_tokens = 100;
		struct serving_run run = serving_simulate(&a, &s);
		cr_expect(eq(sz, run.refused, 2), "%d", i);
		cr_expect(isfinite(run.served[0].finish_s) && isfinite(run.served[2].finish_s),
			"%d", i);
		cr_expect(isinf(run.served[1].finish_s) && isinf(run.served[3].finish_s), "%d", i);
		cr_expect(epsilon_eq(dbl, run.tokens, 10, 0), "%d", i);
		arena_release(&a);
	}
}

/* Iterations of 1 s, answers of 3 tokens, 4 users and slots for all: every 3 s all four are done.
 * 64 requests are 16 rounds; rounds 3 to 15 count, 4 requests each, so 4/3 a second, each 3 s. Of 6
 * requests the last two run alone: 6 in 6 s, and nothing is left out. */
Test(serving, a_closed_loop_by_hand)
{
	enum { USERS = 4, MOST = 64 };
	static const struct {
		size_t requests;
		double rate_per_s;
	} rows[] = { { MOST, 4. / 3 }, { 6, 1 }, { 4, 4. / 3 }, { 2, 2. / 3 } };
	struct request q[MOST];
	for (size_t i = 0; i < MOST; i++)
		q[i] = (struct request){ 0, 10, 3 };
	cr_expect(eq(sz, closed_loop_requests(1, USERS), MOST));
	cr_expect(eq(sz, closed_loop_requests(65, USERS), 68));
	for (size_t i = 0; i < COUNT(rows); i++)
		for (int p = 0; p < N_SERVING_POLICIES; p++) {
			struct arena a = { 0 };
			struct serving_setup s = plain((enum serving_policy)p, q, rows[i].requests);
			s.users = USERS;
			s.max_batch = USERS;
			struct serving_run run = serving_simulate(&a, &s);
			struct serving_summary sum = serving_summarise(&a, &s, &run, 1, 1);
			cr_expect(epsilon_eq(dbl, sum.requests_per_s, rows[i].rate_per_s, 1e-9),
				"row %zu, policy %d", i, p);
			cr_expect(epsilon_eq(dbl, sum.tokens_per_s, 3 * rows[i].rate_per_s, 1e-9));
			cr_expect(epsilon_eq(dbl, sum.e2e_mean_s, 3, 1e-9));
			cr_expect(epsilon_eq(dbl, sum.within_limits, 1, 0));
			arena_release(&a);
		}
}

/* A saturated server whose iterations all take the same: what is left is the padding (F9.7). */
static struct serving_summary saturated(struct arena *a, enum serving_policy p, enum length_law law,
	size_t batch, double *efficiency)
{
	enum { N = 20000 };
	struct serving_workload w = { .arrivals = ARRIVALS_CLOSED,
		.lengths = law,
		.prompt_tokens = 1,
		.output_tokens = 256,
		.seed = 2 };
	struct serving_setup s = plain(p, workload_requests(a, &w, N), N);
	s.users = 2 * batch;
	s.max_batch = batch;
	struct serving_run run = serving_simulate(a, &s);
	*efficiency = run.tokens / run.slot_iterations;
	return serving_summarise(a, &s, &run, INFINITY, INFINITY);
}

static const struct {
	enum length_law law;
	size_t batch;
	double gain; /* F9.7's table */
} gains[] = {
	{ LENGTHS_FIXED, 32, 1 },
	{ LENGTHS_EXPONENTIAL, 8, 2.72 },
	{ LENGTHS_EXPONENTIAL, 32, 4.06 },
	{ LENGTHS_UNIFORM, 32, 1.94 },
};

Test(serving, continuous_gains_what_padding_wastes)
{
	for (size_t i = 0; i < COUNT(gains); i++) {
		struct arena a = { 0 };
		double padded, full;
		struct serving_summary fixed =
			saturated(&a, SERVING_STATIC, gains[i].law, gains[i].batch, &padded);
		struct serving_summary live =
			saturated(&a, SERVING_CONTINUOUS, gains[i].law, gains[i].batch, &full);
		double gain = live.tokens_per_s / fixed.tokens_per_s;
		cr_expect(fabs(gain / gains[i].gain - 1) < 0.05, "row %zu: %g", i, gain);
		cr_expect(
			fabs(live.requests_per_s / fixed.requests_per_s / gains[i].gain - 1) < 0.05,
			"row %zu", i);
		double want = CALL(static_batching_efficiency, .mean_length = 1,
			.longest_length = gains[i].gain);
		cr_expect(fabs(padded / want - 1) < 0.03, "row %zu: efficiency %g", i, padded);
		cr_expect(full > 0.995, "row %zu: %g", i, full);
		arena_release(&a);
	}
	cr_expect(epsilon_eq(dbl, CALL(static_batching_gain_exponential, .batch = 32), 4.06, 5e-3));
	cr_expect(epsilon_eq(dbl, CALL(static_batching_gain_uniform, .batch = 32), 1.94, 5e-3));
}

/* F8.2: no token comes faster than the weights can be read: 6.87 ms for 7e9 parameters on an A100,
 * less for Llama-2's 6.74e9. */
Test(serving, decode_stays_above_its_floor)
{
	static const struct request q[] = { { 0, 100, 200 } };
	struct tables t = facts();
	struct arena a = { 0 };
	const struct model *m = model_find(&t, "llama2-7b");
	const struct accelerator *g = gpu_find(&t, "a100");
	struct engine_shape e = engine_shape_of(m, g, 1, DTYPE_BF16, DTYPE_BF16);
	struct serving_setup s = plain(SERVING_CONTINUOUS, q, 1);
	s.fixed_step_s = 0;
	s.engine = &e;
	struct serving_run run = serving_simulate(&a, &s);
	double floor_s = decode_floor_s(m, g, 1, DTYPE_BF16, 1, 100);
	double itl_s = histogram_quantile(&run.itl_s, 0.5);
	cr_expect(epsilon_eq(dbl, floor_s, 6.87e-3 * 6.74 / 7, 1e-4));
	cr_expect(itl_s > floor_s && itl_s < 2 * floor_s, "%g", itl_s);
	arena_release(&a);
	tables_release(&t);
}

/* Bigger chunks: the long prompt's first token comes earlier, the others' tokens come later. */
Test(serving, chunks_trade_ttft_for_itl)
{
	struct tables t = facts();
	struct engine_shape e = engine_shape_of(
		model_find(&t, "llama3-8b"), gpu_find(&t, "a100"), 1, DTYPE_BF16, DTYPE_BF16);
	static const struct request q[] = { { 0, 50, 400 }, { 0, 50, 400 }, { 1, 8000, 10 } };
	double last_ttft_s = INFINITY, last_itl_s = 0;
	for (int64_t chunk = 128; chunk <= 8192; chunk *= 4) {
		struct arena a = { 0 };
		struct serving_setup s = plain(SERVING_CONTINUOUS, q, COUNT(q));
		s.fixed_step_s = 0;
		s.engine = &e;
		s.max_batch = 8;
		s.chunk_tokens = chunk;
		struct serving_run run = serving_simulate(&a, &s);
		double ttft_s = run.served[2].first_s - 1,
		       itl_s = histogram_quantile(&run.itl_s, 1);
		cr_expect(ttft_s < last_ttft_s && itl_s > last_itl_s, "chunk %d: %g %g", (int)chunk,
			ttft_s, itl_s);
		last_ttft_s = ttft_s;
		last_itl_s = itl_s;
		arena_release(&a);
	}
	tables_release(&t);
}
