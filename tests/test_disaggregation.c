/* The simulation `disaggregation` and its pools: requests followed by hand, conservation, Little's law,
 * the limits in which two pools are one, and what is published of such services. */
#include "sims/communication/collective.h"
#include "sims/constants.h"
#include "sims/gpu/precision.h"
#include "sims/serving/pools.h"
#include "tests/sim_run.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

extern const struct sim disaggregation_sim;

static struct tables t;

static void load(void)
{
	char err[256] = "";
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
}

static void unload(void)
{
	tables_release(&t);
}

TestSuite(disaggregation, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(&disaggregation_sim, &t, settings, id);
}

/* --- Pools, by hand --- */

/* Every iteration takes a second, whatever is in it. */
static struct engine_shape one_second(void)
{
	return (struct engine_shape){ .fixed_s = 1, .copies = 1 };
}

static struct pools_setup plain(const struct request *q, const double *bytes, size_t n,
	const struct engine_shape *e, size_t prefill, size_t decode)
{
	struct pool p = { .gpus = 1, .engine = e, .cache_tokens = 1e6, .chunk_tokens = 512 };
	struct pools_setup s = { .requests = q,
		.n = n,
		.gap_s = 1,
		.cache_bytes = bytes,
		.prefill = p,
		.decode = p,
		.card_bytes_per_s = 100,
		.host_bytes_per_s = 50,
		.max_batch = 64,
		.block_tokens = 16,
		.gaps = true };
	s.prefill.servers = prefill;
	s.decode.servers = decode;
	return s;
}

/* Three prompts at 0, #0 and #2 for the first prefill server, which takes both in one iteration, #1 for
 * the second: all are prefilled at 1 s. Caches of 200 B take 2 s at 100 B/s, and the only decode
 * server receives one after another: at 3, 5 and 7 s. A step later each has its first token, and
 * another step later its second and last. */
Test(disaggregation, three_requests_by_hand)
{
	static const struct request q[] = { { 0, 100, 2 }, { 0, 100, 2 }, { 0, 100, 2 } };
	static const double bytes[] = { 200, 200, 200 };
	struct engine_shape e = one_second();
	struct pools_setup s = plain(q, bytes, COUNT(q), &e, 2, 1);
	struct arena a = { 0 };
	struct pools_run *run = arena_alloc(&a, sizeof *run);
	pools_simulate(&a, &s, run);
	for (size_t i = 0; i < COUNT(q); i++) {
		const struct pooled *r = &run->requests[i];
		double there_s = 3 + 2 * (double)i;
		cr_expect(epsilon_eq(dbl, r->prefilled_s, 1, 1e-12), "%zu", i);
		cr_expect(epsilon_eq(dbl, r->sent_s, there_s - 2, 1e-12), "%zu", i);
		cr_expect(epsilon_eq(dbl, r->there_s, there_s, 1e-12), "%zu", i);
		cr_expect(epsilon_eq(dbl, r->first_s, there_s + 1, 1e-12), "%zu", i);
		cr_expect(epsilon_eq(dbl, r->finish_s, there_s + 2, 1e-12), "%zu", i);
	}
	cr_expect(eq(int, (int)run->requests[1].prefill_by, 1));
	/* Means over the three: 1 s of prefill, waits of 0, 2 and 4 s, 2 s on the way, a step. Of two
	 * goals of 4 and 1 s only #0 meets the first. */
	struct pools_summary sum;
	pools_summarise(&a, &s, run, 4, 1, &sum);
	static const double parts[N_FIRST_PARTS] = {
		[FIRST_PREFILL] = 1, [FIRST_LINK] = 2, [FIRST_TRANSFER] = 2, [FIRST_STEP] = 1
	};
	for (size_t k = 0; k < N_FIRST_PARTS; k++)
		cr_expect(epsilon_eq(dbl, sum.first_s[k], parts[k], 1e-12), "%zu", k);
	cr_expect(epsilon_eq(dbl, sum.within, 1.0 / 3, 1e-12));
	cr_expect(epsilon_eq(dbl, sum.goodput_per_s, 1.0 / 3, 1e-12));
	cr_expect(epsilon_eq(dbl, sum.in_time_next, 1, 0));
	arena_release(&a);
}

/* Of two layers the first travels during the second's prefill: of 2 s, which begin with the prefill at
 * 0, one is left. */
Test(disaggregation, layers_travel_behind_the_prefill)
{
	static const struct request q[] = { { 0, 100, 2 } };
	static const double bytes[] = { 200 };
	struct engine_shape e = one_second();
	struct pools_setup s = plain(q, bytes, 1, &e, 1, 1);
	s.layers = 2;
	struct arena a = { 0 };
	struct pools_run *run = arena_alloc(&a, sizeof *run);
	pools_simulate(&a, &s, run);
	cr_expect(epsilon_eq(dbl, run->requests[0].there_s, 2, 1e-12));
	cr_expect(epsilon_eq(dbl, run->requests[0].first_s, 3, 1e-12));
	arena_release(&a);
}

/* Half of 100 tokens is found, all of it in host memory: 100 of 200 B over 50 B/s are there after 2 s,
 * those of a second request after 4 s. One that finds everything computes a token all the same. */
Test(disaggregation, prefixes_come_from_the_host)
{
	static const struct request q[] = { { 0, 100, 1 }, { 0, 100, 1 } };
	static const double bytes[] = { 200, 200 };
	struct engine_shape e = one_second();
	struct pools_setup s = plain(q, bytes, COUNT(q), &e, 1, 1);
	struct arena a = { 0 };
	struct pools_run *run = arena_alloc(&a, sizeof *run);
	s.found = (struct prefix_found){ 0.5, 1 };
	pools_simulate(&a, &s, run);
	cr_expect(epsilon_eq(dbl, run->requests[0].loaded_s, 2, 1e-12));
	cr_expect(epsilon_eq(dbl, run->requests[0].prefilled_s, 3, 1e-12));
	cr_expect(epsilon_eq(dbl, run->requests[1].loaded_s, 4, 1e-12));
	s.found = (struct prefix_found){ 1, 0 };
	pools_simulate(&a, &s, run);
	cr_expect(epsilon_eq(dbl, run->requests[0].loaded_s, 0, 0));
	cr_expect(epsilon_eq(dbl, run->requests[0].prefilled_s, 1, 1e-12));
	arena_release(&a);
}

/* --- One request alone, to the bit of the engine --- */

/* Qwen2.5-14B has 48 layers of 8 KV heads of 128: 196,608 B a token in BF16. A prompt of 1,024 is one
 * iteration; 201,326,592 B take 4.03 ms at 50 GB/s, after a message's 5 us; then a step over all 1,024
 * tokens. */
Test(disaggregation, one_request_alone)
{
	const struct model *m = model_find(&t, "qwen2.5-14b");
	const struct accelerator *g = gpu_find(&t, "h100");
	struct engine_layout how = { .tp = 1, .copies = 1, .ep = 1 };
	struct engine_shape e =
		engine_shape_spread(m, g, &how, VALUE_BF16, ACTIVATION_AUTO, VALUE_BF16);
	const char *alone = "requests=1 lengths=fixed prompt_tokens=1024 output_tokens=8";
	double travels_s = 5e-6 + 1024 * 196608.0 / 50e9;
	double step_s = engine_step_s(&e, 1, 1024, 0, 0);
	double ttft_s = engine_step_s(&e, 0, 0, 1024, 0) + travels_s + step_s;
	cr_expect(epsilon_eq(dbl, value_of(alone, "transfer_ms"), 1e3 * travels_s, 1e-9));
	cr_expect(epsilon_eq(dbl, value_of(alone, "ttft_p50_ms"), 1e3 * ttft_s, 1e-9));
	/* Shared, the iteration that ends the prompt makes the token. */
	char whole[160];
	snprintf(whole, sizeof whole, "%s chunk_tokens=1024", alone);
	cr_expect(epsilon_eq(dbl, value_of(whole, "shared_ttft_p99_ms"),
		1e3 * engine_step_s(&e, 0, 0, 1024, 0), 1e-9));
	/* Half of the prompt was there: 512 tokens behind 512. */
	snprintf(whole, sizeof whole, "%s prefix_hit_pct=50 reuse_s=1", alone);
	double half_s = engine_step_s(&e, 0, 0, 512, 512) + travels_s + step_s;
	cr_expect(epsilon_eq(dbl, value_of(whole, "ttft_p50_ms"), 1e3 * half_s, 1e-6));
}

/* --- Laws --- */

static const struct {
	const char *settings;
	double rate;
} loads[] = { { "rate_per_s=5", 5 }, { "", 36 }, { "rate_per_s=60", 60 }, { "transfer_GBps=2", 36 },
	{ "prefill_gpus=1 decode_gpus=7", 36 }, { "lengths=exponential rate_per_s=20", 20 },
	{ "prefix_hit_pct=60 offload=on", 36 } };

static struct pools_setup of_model(struct arena *a, const struct engine_shape *e, size_t n,
	double rate, double *bytes_per_token)
{
	struct serving_workload w = { .arrivals = ARRIVALS_POISSON,
		.lengths = LENGTHS_EXPONENTIAL,
		.prompt_tokens = 1000,
		.output_tokens = 100,
		.seed = 3 };
	struct request *q = workload_requests(a, &w, n);
	double *bytes = arena_array(a, n, sizeof *bytes);
	*bytes_per_token = 196608;
	for (size_t i = 0; i < n; i++)
		bytes[i] = q[i].prompt_tokens * *bytes_per_token;
	struct pools_setup s = plain(q, bytes, n, e, 3, 2);
	s.gap_s = 1 / rate;
	s.card_bytes_per_s = 25e9;
	s.message_s = 1e-5;
	return s;
}

/* Every request ends once, its stages in their order, and no server sends or receives two caches at
 * once. What the network carries takes as long as its bytes do, so by Little's law as many are on it on
 * average as come in a second times that. */
Test(disaggregation, conserves_requests_and_bytes)
{
	enum { N = 300 };
	const struct model *m = model_find(&t, "qwen2.5-14b");
	struct engine_layout how = { .tp = 1, .copies = 1, .ep = 1 };
	struct engine_shape e = engine_shape_spread(
		m, gpu_find(&t, "h100"), &how, VALUE_BF16, ACTIVATION_AUTO, VALUE_BF16);
	struct arena a = { 0 };
	double each, carried_s = 0, bytes = 0, makes = 0;
	struct pools_setup s = of_model(&a, &e, N, 30, &each);
	struct pools_run *run = arena_alloc(&a, sizeof *run);
	pools_simulate(&a, &s, run);
	cr_assert(eq(sz, run->n, N));
	cr_expect(eq(sz, run->refused, 0));
	for (size_t i = 0; i < N; i++) {
		const struct pooled *r = &run->requests[i];
		const double at[] = { r->arrival_s, r->loaded_s, r->start_s, r->prefilled_s,
			r->sent_s, r->there_s, r->joined_s, r->first_s, r->finish_s };
		for (size_t k = 1; k < COUNT(at); k++)
			cr_expect(at[k] >= at[k - 1], "request %zu, stage %zu", i, k);
		for (size_t j = 0; j < i; j++) {
			const struct pooled *o = &run->requests[j];
			bool apart = o->there_s <= r->sent_s || r->there_s <= o->sent_s;
			cr_expect(apart || (o->prefill_by != r->prefill_by &&
						   o->decode_by != r->decode_by),
				"%zu and %zu", i, j);
		}
		carried_s += r->there_s - r->sent_s;
		bytes += s.cache_bytes[i];
		makes += s.requests[i].output_tokens;
	}
	cr_expect(epsilon_eq(dbl, carried_s, N * 1e-5 + bytes / 25e9, 1e-9));
	/* All gaps between tokens are in the histogram, none of them twice. */
	cr_expect(epsilon_eq(dbl, run->itl_s.total, makes - N, 1e-6));
	/* Over a link that takes no time the cache is there at once. */
	s.card_bytes_per_s = INFINITY;
	s.message_s = 0;
	pools_simulate(&a, &s, run);
	for (size_t i = 0; i < N; i++)
		cr_expect(eq(dbl, run->requests[i].there_s, run->requests[i].prefilled_s));
	arena_release(&a);
}

/* A pool that is not there leaves its work to the other: that is what shared GPUs are, to the bit. */
Test(disaggregation, one_pool_is_sharing)
{
	static const char *const one[] = { "prefill_gpus=0 decode_gpus=8",
		"prefill_gpus=8 decode_gpus=0" };
	static const char *const same[][2] = { { "goodput_req_s", "aggregated_req_s" },
		{ "ttft_p99_ms", "shared_ttft_p99_ms" }, { "itl_p99_ms", "shared_itl_p99_ms" } };
	for (size_t i = 0; i < COUNT(one); i++) {
		struct figure fig = sim_run(&disaggregation_sim, &t, one[i]);
		for (size_t k = 0; k < COUNT(same); k++)
			cr_expect(eq(dbl, figure_number(&fig, same[k][0]),
				figure_number(&fig, same[k][1])));
		cr_expect(eq(dbl, figure_number(&fig, "gain"), 1));
		cr_expect(lt(dbl, 5, figure_number(&fig, "aggregated_req_s")));
		figure_release(&fig);
	}
}

/* In time are no more than come, and shares are shares. */
Test(disaggregation, is_sound_at_any_load)
{
	for (size_t i = 0; i < COUNT(loads); i++) {
		struct figure fig = sim_run(&disaggregation_sim, &t, loads[i].settings);
		cr_expect(le(dbl, figure_number(&fig, "goodput_req_s"), loads[i].rate));
		cr_expect(le(dbl, figure_number(&fig, "aggregated_req_s"), loads[i].rate));
		static const char *const shares[] = { "prefill_busy_pct", "decode_busy_pct",
			"found_pct", "shared_found_pct", "from_host_pct" };
		for (size_t k = 0; k < COUNT(shares); k++) {
			double share = figure_number(&fig, shares[k]);
			cr_expect(share >= 0 && share <= 100 + 1e-9, "%s: %s %g", loads[i].settings,
				shares[k], share);
		}
		cr_expect(le(dbl, figure_number(&fig, "ttft_p50_ms"),
			figure_number(&fig, "ttft_p99_ms")));
		figure_release(&fig);
	}
}

/* The lesson and its reverses, as they are told. */
Test(disaggregation, teaches_when_it_pays)
{
	cr_expect(lt(dbl, 2.5, value_of("", "gain")));
	cr_expect(lt(dbl, 1.25 * value_of("", "itl_p99_ms"), value_of("", "shared_itl_p99_ms")));
	cr_expect(lt(dbl, value_of("transfer_GBps=3", "gain"), 0.2));
	cr_expect(eq(dbl, value_of("transfer_GBps=3 prompt_tokens=512", "gain"), 1));
	cr_expect(lt(dbl, value_of("prefill_gpus=2 decode_gpus=6", "gain"), 0.5));
	cr_expect(lt(dbl, value_of("prefill_gpus=6 decode_gpus=2", "gain"), 0.5));
	/* A goal that is loose leaves room for prompts beside the tokens. */
	cr_expect(eq(dbl, value_of("itl_ms=40", "gain"), 1));
}

/* Chapter 9 and the tour name the highest rate of which nine in ten are in time: 26 a second
 * shared, 42 in two pools. A request a second more, and it is fewer. */
Test(disaggregation, limits_that_pages_name)
{
	cr_expect(le(dbl, 0.9, value_of("rate_per_s=26", "aggregated_req_s") / 26));
	cr_expect(lt(dbl, value_of("rate_per_s=27", "aggregated_req_s") / 27, 0.9));
	cr_expect(le(dbl, 0.9, value_of("rate_per_s=42", "goodput_req_s") / 42));
	cr_expect(lt(dbl, value_of("rate_per_s=43", "goodput_req_s") / 43, 0.9));
	/* With a loose goal sharing takes more than two pools do. */
	cr_expect(lt(dbl, value_of("itl_ms=40 rate_per_s=41", "gain"), 1));
}

/* --- What is published --- */

/* A 13B model on A100s, 512 + 64 tokens, P90 of 0.4 s and 40 ms (DistServe, OSDI 2024, and its authors'
 * article of March 2024): a GPU takes 5.6 prompts/s or gives 10 answers/s, so two that prefill keep one
 * that decodes busy: 1.79. */
Test(disaggregation, distserve_has_two_for_one)
{
	const char *s =
		"model=llama2-13b gpu=a100 lengths=fixed prompt_tokens=512 output_tokens=64 "
		"ttft_ms=400 itl_ms=40 prefill_gpus=2 decode_gpus=1 rate_per_s=25";
	cr_expect(epsilon_eq(dbl, value_of(s, "balanced_ratio"), 10 / 5.6, 0.2 * 10 / 5.6));
	cr_expect(eq(dbl, value_of(s, "best_ratio"), 2));
	/* Against prompts that are not cut, as its baseline took them. */
	char whole[300];
	snprintf(whole, sizeof whole, "%s chunk_tokens=65536", s);
	cr_expect(lt(dbl, 1.05, value_of(whole, "gain")));
}

/* DeepSeek-V3 in units of 32 H800, prompts alone: 7,839 tokens/s a GPU in the profile that DeepSeek
 * published (InferSim's table). Decode at 21 tokens/s a user, of 4,989 cached tokens on average:
 * 14,800 tokens/s a node of eight in its service (Inference System Overview, 2025). */
Test(disaggregation, deepseek_by_gpu)
{
	const char *s = "model=deepseek-v3 gpu=h800 weight_dtype=fp8 attn_dp=32 ep=32 overlap=on "
			"lengths=fixed prefill_gpus=32 decode_gpus=32 itl_ms=47.6 ttft_ms=5000 "
			"rate_per_s=20 prefill_chunk_tokens=8192 max_batch=8192";
	char with[400];
	snprintf(with, sizeof with, "%s prompt_tokens=4096", s);
	double prefill = value_of(with, "prefill_per_s") * 4096 / 32;
	cr_expect(epsilon_eq(dbl, prefill, 7839, 0.2 * 7839), "%g", prefill);
	snprintf(with, sizeof with, "%s prompt_tokens=4383 output_tokens=1211", s);
	double decode = value_of(with, "decode_per_s") * 1211 / 32;
	cr_expect(epsilon_eq(dbl, decode, 1850, 0.2 * 1850), "%g", decode);
}

/* A latent vector of 576 numbers in each of 61 layers is 70,272 B a token in BF16; Llama 3 70B keeps 2 x
 * 80 x 8 x 128 numbers, 327,680 B: 4.66 times as long on its way. */
Test(disaggregation, latent_vectors_travel_light)
{
	const char *shape = "lengths=fixed prompt_tokens=2048 prefill_gpus=16 decode_gpus=16 tp=16 "
			    "weight_dtype=fp8 gpu=h200 requests=20 rate_per_s=1";
	char with[300];
	snprintf(with, sizeof with, "model=deepseek-v3 %s", shape);
	cr_expect(epsilon_eq(dbl, value_of(with, "cache_MB"), 2048 * 70272 / 1e6, 1e-6));
	snprintf(with, sizeof with, "model=llama3-70b %s", shape);
	cr_expect(epsilon_eq(dbl, value_of(with, "cache_MB"), 2048 * 327680 / 1e6, 1e-6));
}

/* 40 requests a second that stay for 52 s: 8,320 come until pools have filled and gone on for a while. 400
 * requests say so, and other divisions are tried with no more; with 8,320 nothing is said. */
Test(disaggregation, long_answers_need_many_requests)
{
	static const char of[] =
		"model=deepseek-v3 gpu=h800 weight_dtype=fp8 attn_dp=32 ep=32 overlap=on "
		"prefill_gpus=32 decode_gpus=32 rate_per_s=40 prompt_tokens=4096 lengths=fixed "
		"output_tokens=1000 ttft_ms=2000 itl_ms=50 max_batch=4096 chunk_tokens=192 requests=%d";
	static const struct {
		int requests;
		bool says;
	} rows[] = { { 400, true }, { 4159, true }, { 4161, false } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		char set[400];
		snprintf(set, sizeof set, of, rows[i].requests);
		struct figure fig = sim_run(&disaggregation_sim, &t, set);
		cr_expect(eq(int, figure_has_note(&fig, "hardly filled"), rows[i].says), "%d",
			rows[i].requests);
		figure_release(&fig);
	}
}

static const char *const contract_knobs[] = { "model", "gpu", "prefill_gpus", "decode_gpus", "tp",
	"tp_prefill", "tp_decode", "rate_per_s", "prompt_tokens", "output_tokens", "transfer_GBps",
	"prefix_hit_pct", "offload", "ttft_ms", "itl_ms", "trace", "seed", "weight_dtype",
	"act_dtype", "kv_dtype" };
static const char *const contract_values[] = { "goodput_req_s", "aggregated_req_s", "gain",
	"best_ratio", "ttft_p99_ms", "itl_p99_ms", "transfer_ms" };

Test(disaggregation, keeps_the_contract)
{
	struct figure fig = sim_run(&disaggregation_sim, &t, "");
	for (size_t i = 0; i < COUNT(contract_knobs); i++)
		cr_expect(sim_knob_index(&disaggregation_sim, contract_knobs[i]) >= 0, "%s",
			contract_knobs[i]);
	for (size_t i = 0; i < COUNT(contract_values); i++)
		cr_expect(figure_find(&fig, contract_values[i]) != NULL, "%s", contract_values[i]);
	cr_expect(fig.duration_s > 0 && fig.n_moments > 2);
	figure_release(&fig);
}

/* Of 36 requests/s two pools keep all in time, and shared servers 12, whose tokens come too late:
 * their lanes say so, past the goal with a "!" before it, and those of decoding without one. A lane
 * without spans parts the two, and says how many servers are shared; all have a lane. */
Test(disaggregation, lanes_say_who_is_late)
{
	struct figure fig = sim_run(&disaggregation_sim, &t, "");
	const struct timeline *lanes = &fig.blocks[0]->as.timeline;
	size_t decode = 0, late = 0, counted = 0;
	cr_assert(lanes->lane_notes != NULL);
	for (size_t i = 0; i < lanes->n_lanes; i++) {
		const char *name = lanes->lane_names[i], *note = lanes->lane_notes[i];
		counted += strcmp(name, "8 shared:") == 0;
		if (strncmp(name, "decode", 6) == 0)
			decode += note && *note != '!' && strstr(note, " ms") != NULL;
		if (strncmp(name, "shared", 6) == 0)
			late += note && strncmp(note, "! ", 2) == 0 && strstr(note, " ms") != NULL;
	}
	cr_expect(eq(sz, decode, 4));
	cr_expect(eq(sz, late, 8));
	cr_expect(eq(sz, counted, 1));
	cr_expect(eq(sz, lanes->without, 0));
	figure_release(&fig);
}

/* A decode server that takes a prompt, of one token or of a request that it had to drop, takes it beside
 * the tokens of all others: "prompts" alone is what the prefill servers do. */
Test(disaggregation, decode_servers_take_prompts_beside_tokens)
{
	struct figure fig = sim_run(&disaggregation_sim, &t, "prompt_tokens=1");
	const struct timeline *lanes = &fig.blocks[0]->as.timeline;
	size_t beside = 0;
	for (size_t i = 0; i < lanes->n_spans; i++) {
		const struct span *s = &lanes->spans[i];
		const char *kind = lanes->kind_names[s->kind];
		if (strncmp(lanes->lane_names[s->lane], "decode", 6) != 0)
			continue;
		cr_expect(ne(str, (char *)kind, "prompts"));
		beside += strcmp(kind, "both") == 0;
	}
	cr_expect(lt(sz, 0, beside));
	figure_release(&fig);
}
