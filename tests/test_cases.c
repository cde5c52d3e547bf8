/* The cases themselves: their numbers come out by hand, and a design is judged as it should be. What they
 * claim is held at many seeds by tests/laws_cases.c. */
#include "tests/cases.h"

#include "drills/case_sitting.h"
#include "sims/base/array.h"
#include "sims/driving/driving.h"
#include "sims/gpu/benchmark.h"
#include "sims/memory/training_memory.h"

#include <math.h>

static struct tables tables;

static void load(void)
{
	cases_load_tables(&tables);
}

static void drop(void)
{
	tables_release(&tables);
}

TestSuite(cases, .init = load, .fini = drop);

/* --- Dealing --- */

static double bound(const struct dealt_case *d, const char *name)
{
	for (size_t i = 0; i < d->variant.n_bindings; i++)
		if (strcmp(d->variant.bindings[i].name, name) == 0)
			return d->variant.bindings[i].value;
	return NAN;
}

Test(cases, are_dealt_the_same_by_the_same_seed)
{
	struct design_case c;
	struct dealt_case a, b;
	bool differs = false;
	cases_open(&c, &tables, "200-ms-to-50");
	for (uint64_t seed = 3; seed <= 6; seed++) {
		cases_deal(&a, &c, &tables, 3, LEVEL_SENIOR);
		cases_deal(&b, &c, &tables, seed, LEVEL_SENIOR);
		bool same = strcmp(case_tell(&a, 2, 0), case_tell(&b, 2, 0)) == 0 &&
			    strcmp(case_tell(&a, 3, 0), case_tell(&b, 3, 0)) == 0 &&
			    strcmp(case_tell(&a, 5, 0), case_tell(&b, 5, 0)) == 0 &&
			    bound(&a, "jitter") == bound(&b, "jitter");
		cr_expect(same || seed != 3);
		differs |= !same;
		case_deal_release(&a);
		case_deal_release(&b);
	}
	cr_expect(differs);
	case_release(&c);
}

/* A level gets the twists up to its own. */
Test(cases, give_higher_levels_more_twists)
{
	static const size_t twists[] = { 1, 2, 3 };
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "serve-70b");
	for (unsigned level = 0; level < N_CASE_LEVELS; level++) {
		cases_deal(&d, &c, &tables, 1, (enum case_level)level);
		cr_expect(eq(sz, d.n_twists, twists[level]));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* 9 facts, 2 numbers, 4 knobs; 2 twists and 3 questions for seniors: 6.75 + 5 + 6 + 10 + 6 + 2. A
 * principal has a twist more. */
Test(cases, count_their_work_by_one_rule)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "scale-to-64");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	cr_expect(eq(dbl, case_minutes(&d), 35.75));
	case_deal_release(&d);
	cases_deal(&d, &c, &tables, 1, LEVEL_PRINCIPAL);
	cr_expect(eq(dbl, case_minutes(&d), 40.75));
	case_deal_release(&d);
	case_release(&c);
}

/* An interview of 45 minutes has at least 35 of work, whoever is asked. */
Test(cases, hold_enough_work_for_an_interview)
{
	struct design_case c;
	cr_expect(eq(sz, LENGTH(case_ids), 24));
	for (size_t i = 0; i < LENGTH(case_ids); i++) {
		cases_open(&c, &tables, case_ids[i]);
		for (unsigned level = case_least_level(&c); level < N_CASE_LEVELS; level++)
			cr_expect(le(dbl, 35, case_level_minutes(&c, (enum case_level)level)),
				"%s, %s: %g", c.id, case_level_names[level],
				case_level_minutes(&c, (enum case_level)level));
		cr_expect(eq(int, (int)case_least_level(&c), LEVEL_SENIOR), "%s", c.id);
		case_release(&c);
	}
}

/* --- Numbers by hand --- */

/* Llama-3-70B has 70.55e9 parameters, 80 layers and 8 KV heads of 128: 327,680 B a token in 16 bits. The
 * fields are those that were dealt. */
Test(cases, compute_the_numbers_of_serve_70b)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "serve-70b");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		double prompt = bound(&d, "prompt"), answer = bound(&d, "answer"),
		       rate = bound(&d, "rate");
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 70.55e9, 0.01e9));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 327680 * (prompt + answer / 2), 1));
		cr_expect(epsilon_eq(dbl, s[2].question.key, rate * answer * 0.04, 1e-6));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Qwen3-32B has 32.762e9 parameters, 64 layers and 8 KV heads of 128: 262,144 B a token in 16 bits and half
 * of that in 8. An answer has 200 s: with 4 requests a second for each size, 800. */
Test(cases, compute_the_numbers_of_long_answers)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "long-answers");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double whole = bound(&d, "prompt") + bound(&d, "answer");
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 262144 * whole, 1));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 800 * bound(&d, "size"), 1e-6));
		cr_expect(epsilon_eq(dbl, s[2].question.key, 32.762e9 / (131072 * whole), 0.001));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Qwen2.5-32B: 64 layers x 8 KV heads x 128 are 262,144 B a token in 16 bits; four H100s at nine tenths
 * leave 288 GB less 65.5278 GB of weights; of the pairs of tokens a causal mask leaves half, four FLOP
 * each for 64 layers x 40 heads x 128; 3.35 TB/s. */
Test(cases, compute_the_numbers_of_long_documents)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "long-documents");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const double bytes = 262144.0 * 65536,
		     work = 65.5278e9 * 65536 + 2 * pow(65536, 2) * 327680;
	const struct variant_step *s = d.variant.steps;
	cr_expect(eq(dbl, s[0].question.key, bytes));
	cr_expect(eq(dbl, s[1].question.key, floor((288e9 - 65.5278e9) / bytes)));
	cr_expect(epsilon_eq(dbl, s[2].question.key, work / (0.6 * 989.4e12), 1e-3));
	cr_expect(epsilon_eq(dbl, s[3].question.key, bytes / 3.35e12, 1e-9));
	case_deal_release(&d);
	case_release(&c);
}

/* Qwen2.5-14B has 14.770e9 parameters of 2 B; an L40S reads 864 GB/s and computes 362.05 TFLOP/s in 16 bits;
 * a causal mask leaves half of the pairs of tokens, four FLOP each for 48 layers x 40 heads x 128. */
Test(cases, compute_the_numbers_of_one_server)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "one-server");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double prompt = bound(&d, "prompt");
		const double work = 29.54007e9 * prompt + 2 * prompt * prompt * 245760;
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 29.54007e9, 1e5));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 34.190e-3, 1e-6));
		cr_expect(epsilon_eq(dbl, s[2].question.key,
			bound(&d, "rate") * bound(&d, "answer") * 0.04, 1e-9));
		cr_expect(epsilon_eq(dbl, s[3].question.key, work / 217.23e12, 1e-6));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* 64 x 96 + 96 x 48 + 48 x 10 weights of half a byte, and 96 + 48 + 10 scales of 2 B; 8 bits for three in
 * ten and one for each; 127 levels over the spread; and 1.96 x 0.17 over 0.005, squared. With all the
 * biases in 16 bits the reference has 308 B more. */
Test(cases, compute_the_numbers_of_smaller_model)
{
	struct design_case c;
	struct dealt_case d;
	struct case_run r;
	cases_open(&c, &tables, "smaller-model");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const struct variant_step *s = d.variant.steps;
	cr_expect(eq(dbl, s[0].question.key, 11232 / 2 + 2 * 154));
	cr_expect(epsilon_eq(dbl, s[1].question.key, 3.4, 1e-9));
	cr_expect(epsilon_eq(dbl, s[2].question.key, 127 / bound(&d, "spread"), 1e-9));
	cr_expect(eq(dbl, s[3].question.key, ceil(66.64 * 66.64)));
	struct case_design design = case_known_design(&d, &d.reference[0]);
	cr_assert(zero(int, case_run(&d, 0, &design, &r)));
	cr_expect(epsilon_eq(dbl, r.cost, 6.232, 1e-9));
	case_run_release(&r);
	case_deal_release(&d);
	case_release(&c);
}

/* The rate times 40 s; that over seven sixths of it; and 0.8 / 0.2 times half of one and the square of the
 * spread, times 40 s. */
Test(cases, compute_the_numbers_of_how_many_workers)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "how-many-workers");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double spread = bound(&d, "spread"), rate = bound(&d, "rate");
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 40 * rate, 1e-9));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 6. / 7, 1e-9));
		cr_expect(
			epsilon_eq(dbl, s[2].question.key, 160 * (1 + spread * spread) / 2, 1e-9));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Qwen2.5-32B: 32.764e9 parameters; two FLOP for each and token, and for each pair of tokens, of which a
 * causal mask leaves half, four for each of 64 layers x 40 heads x 128. An A100 has 312 TFLOP/s in 16 bits. */
Test(cases, compute_the_numbers_of_move_to_another_gpu)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "move-to-another-gpu");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double prompt = bound(&d, "prompt");
		const double work = 65.5278e9 * prompt + 2 * prompt * prompt * 327680;
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 32.7639e9, 1e6));
		cr_expect(epsilon_eq(dbl, s[1].question.key, work, 1e-5 * work));
		cr_expect(epsilon_eq(dbl, s[2].question.key, work / 156e12, 1e-5));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* ResNet-50: 25.56e6 gradients of 4 B, of which a GPU of 64 sends 2 x 63/64. Over one port of 100 Gb/s
 * for 8 GPUs: 2 x 7 x 102.24 MB / (8 x 12.5 GB/s) = 14.31 ms, and inside the node 2 x 7 x 102.24 MB /
 * (8 x 300 GB/s) = 0.60 ms; 28 hops of 5 us. */
Test(cases, compute_the_numbers_of_scale_to_64)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "scale-to-64");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, 201.285e6, 1e3));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 15.05e-3, 0.02e-3));
	case_deal_release(&d);
	case_release(&c);
}

/* 65 or 70 mph are 29.06 or 31.29 m/s, for 0.2 s. A plan of 50 ms is followed until the next one comes
 * 100 ms later. 10 or 11 cameras of 2 MP, 3 B, 10 times a second. Llama-2-13B: 2 x 40 layers x 40 heads
 * x 128 x 2 B = 819,200 B a token. */
Test(cases, compute_the_other_numbers)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "200-ms-to-50");
	cases_deal(&d, &c, &tables, 2, LEVEL_SENIOR);
	const double mph = bound(&d, "speed_mph"), cameras = bound(&d, "needed");
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, mph * 0.44704 * 0.2, 1e-9));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 0.15, 1e-9));
	cr_expect(epsilon_eq(dbl, d.variant.steps[2].question.key, cameras * 60e6, 1));
	case_deal_release(&d);
	case_release(&c);
	cases_open(&c, &tables, "halve-the-bill");
	cases_deal(&d, &c, &tables, 2, LEVEL_SENIOR);
	const double held = bound(&d, "prompt") + 300;
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, 819200 * held, 1));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 26.03e9, 0.02e9));
	cr_expect(eq(dbl, d.variant.steps[2].question.key,
		floor((64e9 - d.variant.steps[1].question.key) / (819200 * held))));
	case_deal_release(&d);
	case_release(&c);
}

/* A GPU's hours over 16,384; 405.85e9 parameters of 14 B; Young's root of 2 x 5 s x that time. */
Test(cases, compute_the_numbers_of_failures)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "failures-at-16384");
	cases_deal(&d, &c, &tables, 4, LEVEL_SENIOR);
	const double mtbf_s = bound(&d, "mtbf_gpu") * 3600 / 16384;
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, mtbf_s, 1e-6));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 5.682e12, 0.002e12));
	cr_expect(epsilon_eq(dbl, d.variant.steps[2].question.key, sqrt(10 * mtbf_s), 1e-6));
	case_deal_release(&d);
	case_release(&c);
}

/* 141.107 GB at 2 x 3.35 TB/s; 1 + a + ... + a^6; the 1,235,814,400 B of the draft at 3.35 TB/s; and
 * 989.4 TFLOP/s over 3.35 TB/s, at two operations for two bytes. */
Test(cases, compute_the_numbers_of_fast_for_one)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "fast-for-one");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const double a = bound(&d, "kept");
	const struct variant_step *s = d.variant.steps;
	cr_expect(epsilon_eq(dbl, s[0].question.key, 21.061e-3, 0.001e-3));
	double tokens = 0;
	for (unsigned kept = 0; kept <= 6; kept++)
		tokens += pow(a, kept);
	cr_expect(epsilon_eq(dbl, s[1].question.key, tokens, 1e-9));
	cr_expect(epsilon_eq(dbl, s[2].question.key, 0.3689e-3, 0.0001e-3));
	cr_expect(epsilon_eq(dbl, s[3].question.key, 295.3, 0.1));
	cr_expect(eq(dbl, bound(&d, "draft_params"), model_find(&tables, "llama3.2-1b")->params));
	case_deal_release(&d);
	case_release(&c);
}

/* 6 x 70.5537e9, and 12 x 80 layers x 8,192 x 131,072 for half of what attention could see; 34 bytes x 80
 * x 131,072 x 8,192; 15 of 16 parts of 131,072 keys and values of one head of 128 in 2 bytes. */
Test(cases, compute_the_numbers_of_train_at_128k)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "train-at-128k");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, 938.718e9, 0.001e9));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 2.92058e12, 0.00001e12));
	cr_expect(eq(dbl, d.variant.steps[2].question.key, 62914560));
	case_deal_release(&d);
	case_release(&c);
}

/* Half of the GPUs take twice the time: 256 x 0.5 of them, and not all, go into the days. */
Test(cases, count_days_on_the_gpus_that_are_left)
{
	struct design_case c;
	struct dealt_case d;
	struct case_run r;
	cases_open(&c, &tables, "train-at-128k");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	struct case_design design = case_known_design(&d, &d.reference[1]);
	cr_assert(zero(int, case_run(&d, 1, &design, &r)));
	const double rate = figure_find(&r.figure, "tokens_per_s")->value;
	const struct case_verdict *time = NULL;
	for (size_t i = 0; i < r.n_verdicts; i++)
		if (strcmp(r.verdicts[i].goal->id, "time") == 0)
			time = &r.verdicts[i];
	cr_assert(ne(ptr, (void *)time, NULL));
	cr_expect(epsilon_eq(dbl, time->value, bound(&d, "tokens") / (128 * rate) / 86400, 1e-9));
	cr_expect(r.met);
	case_run_release(&r);
	case_deal_release(&d);
	case_release(&c);
}

/* 6 x 70.55e9 x tokens; on 512 H100s of 989.4 TFLOP/s at 40 %; 16 bytes a parameter. */
Test(cases, compute_the_numbers_of_train_in_30_days)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "train-in-30-days");
	cases_deal(&d, &c, &tables, 4, LEVEL_SENIOR);
	const double work = 6 * 70.5537e9 * bound(&d, "tokens");
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, work, 1e-4 * work));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, work / (512 * 989.4e12 * 0.4),
		1e-3 * 36 * 86400));
	cr_expect(epsilon_eq(dbl, d.variant.steps[2].question.key, 16 * 70.5537e9, 1e8));
	case_deal_release(&d);
	case_release(&c);
}

/* Qwen2.5-14B: 2 x 48 layers x 8 KV heads x 128 x 2 B a token; 2 x 14.77e9 FLOP a token of a prompt and
 * its causal attention, on 75 % of 989.4 TFLOP/s; and the GPUs that are then busy for 70 %. */
Test(cases, compute_the_numbers_of_p99_at_noon)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "p99-at-noon");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const double attention = 2.0 * 4096 * 4096 * 48 * 40 * 128,
		     time_s = (2 * 14.77e9 * 4096 + attention) / (0.75 * 989.4e12);
	cr_expect(eq(dbl, d.variant.steps[0].question.key, 196608.0 * 4096));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, time_s, 1e-3 * time_s));
	cr_expect(eq(dbl, d.variant.steps[2].question.key, ceil(bound(&d, "rate") * time_s / 0.7)));
	case_deal_release(&d);
	case_release(&c);
}

/* An expert of Kimi K2 has 3 x 7168 x 2048 parameters; 6,144 tokens touch all 384 of them in 60 layers. A
 * GPU's 80 tokens go to 8 experts, 71 of 72 times elsewhere, with 7168 values of 1 B there and 2 B back. */
Test(cases, compute_the_numbers_of_mixture_on_72)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "mixture-on-72");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	cr_expect(epsilon_eq(dbl, d.variant.steps[0].question.key, 60.0 * 384 * 44040192, 1));
	cr_expect(epsilon_eq(dbl, d.variant.steps[1].question.key, 13571413.3, 1));
	case_deal_release(&d);
	case_release(&c);
}

/* 3.2e9 gradients of 2 B in a ring of 16 nodes at 12.5 GB/s: 30 parts of 32 ms. In 4 B it is 1.92 s, of which 63
 * of 64 parts of the backward pass are hidden. 30 hops; 12.8 GB in buckets of 25 MB. */
Test(cases, compute_the_numbers_of_gradients_over_ethernet)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "gradients-over-ethernet");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const struct variant_step *s = d.variant.steps;
		const double backward_s = bound(&d, "backward") / 1e3;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 0.96, 1e-9));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 1.92 - backward_s * 63 / 64, 1e-9));
		cr_expect(epsilon_eq(dbl, s[2].question.key, 30e-6 * bound(&d, "hop"), 1e-12));
		cr_expect(eq(dbl, s[3].question.key, 512));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* A batch of 0.52, 0.6 or 0.68 s for each step of 80 ms: 6.5, 7.5 or 8.5 of them at once, nine tenths of that
 * reading. 154 MB at 12.5 GB/s. 32 x 2 GB, and 2 x 4 x 32 batches. */
/* A ring of nodes is worked with nodes, though the formula's are GPUs: 2 (16 - 1) 6.4 GB / (16 x 12.5 GB/s) = 0.96 s. */
Test(cases, work_with_what_is_counted)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "gradients-over-ethernet");
	cases_deal(&d, &c, &tables, 3, LEVEL_SENIOR);
	const char *working = d.variant.steps[0].working;
	cr_expect(strstr(working, "16 nodes") != NULL, "%s", working);
	cr_expect(strstr(working, "16 GPUs") == NULL, "%s", working);
	case_deal_release(&d);
	case_release(&c);
}

Test(cases, compute_the_numbers_of_feed_the_gpus)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "feed-the-gpus");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const struct variant_step *s = d.variant.steps;
		const double at_once = bound(&d, "prep") / 80;
		cr_expect(eq(dbl, s[0].question.key, ceil(at_once)));
		cr_expect(eq(dbl, s[1].question.key, ceil(0.9 * at_once)));
		cr_expect(epsilon_eq(dbl, s[2].question.key, 12.32e-3, 1e-9));
		cr_expect(epsilon_eq(dbl, s[3].question.key, 64e9 + 256 * 154e6, 1));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* For each size 128 ms of kernels, and a batch of 143 ms times the workers and of 320 MB, at 25 GB/s. */
Test(cases, compute_the_numbers_of_a_regression)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "regression-of-12-percent");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double size = bound(&d, "size"), workers = bound(&d, "workers");
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 0.015 * size, 1e-9));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 0.0128 * size, 1e-9));
		cr_expect(epsilon_eq(dbl, s[2].question.key, 0.1408 * size + 0.002, 1e-9));
		cr_expect(eq(dbl, s[3].question.key, workers + 1));
		case_deal_release(&d);
	}
	case_release(&c);
}

static double value_of(
	struct dealt_case *d, size_t stage, const struct case_known *k, const char *id)
{
	struct case_design design = case_known_design(d, k);
	struct case_run r;
	cr_assert(zero(int, case_run(d, stage, &design, &r)));
	const double value = figure_find(&r.figure, id)->value;
	case_run_release(&r);
	return value;
}

static double step_of(struct dealt_case *d, const struct case_known *k)
{
	return value_of(d, 0, k, "step_ms");
}

/* What the case is about: today a step takes 12 % longer than its kernels; more workers alone and seldom
 * metrics alone give back less than 2 %, both together all. */
Test(cases, bind_a_regression_twice)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "regression-of-12-percent");
	const size_t workers = sim_knob_index(c.sim, "workers"),
		     sync = sim_knob_index(c.sim, "sync_every_step");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		struct case_known k = d.today;
		const double now_ms = step_of(&d, &k), kernels_ms = 128 * bound(&d, "size");
		cr_expect(epsilon_eq(dbl, now_ms / kernels_ms, 1.12, 0.008), "%g ms", now_ms);
		k.v[workers] += 2;
		cr_expect(lt(dbl, 0.98 * now_ms, step_of(&d, &k)));
		k.v[sync] = 0;
		cr_expect(epsilon_eq(dbl, step_of(&d, &k) / kernels_ms, 1, 0.005));
		k.v[workers] -= 2;
		cr_expect(lt(dbl, 0.98 * now_ms, step_of(&d, &k)));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Qwen3-8B: 8.1907e9 parameters of 2 B at 3.35 TB/s; 2 x 36 layers x 8 KV heads x 128 x 2 B = 147,456 B a token of
 * 256 rollouts that hold their prompt and half an answer; and how many of these weigh as much as the weights. */
Test(cases, compute_the_numbers_of_rollouts)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "rollouts");
	for (uint64_t seed = 1; seed <= 2; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const struct variant_step *s = d.variant.steps;
		const double one = 147456 * (bound(&d, "prompt") + bound(&d, "answer") / 2);
		cr_expect(epsilon_eq(dbl, s[0].question.key, 4.890e-3, 0.001e-3));
		cr_expect(epsilon_eq(dbl, s[1].question.key, 256 * one, 1));
		cr_expect(epsilon_eq(dbl, s[2].question.key, 16.3815e9 / one, 0.01));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Qwen2.5-3B: 3.0859e9 parameters; two FLOP for each and token, and of 868 x 868 pairs, of which a mask leaves half,
 * four for each of 36 layers x 16 heads x 128. Thor: 258.75 TFLOP/s and 273 GB/s. */
Test(cases, compute_the_numbers_of_drive_on_thor)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "drive-on-thor");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const struct variant_step *s = d.variant.steps;
	const double work = 2 * 3.0859387e9 * 868 + 2.0 * 868 * 868 * 36 * 16 * 128;
	cr_expect(epsilon_eq(dbl, s[0].question.key, 11.304e-3, 0.001e-3));
	cr_expect(epsilon_eq(dbl, s[1].question.key, work / 129.375e12, 1e-7));
	cr_expect(epsilon_eq(dbl, s[2].question.key, 258.75 / 0.273, 0.01));
	case_deal_release(&d);
	case_release(&c);
}

/* Qwen2.5-14B has 14.770e9 parameters in 48 layers, Qwen3-14B 14.768e9 in 40, and both 5,120 units: 16 B a
 * parameter over eight GPUs; 34 B for each of 8,192 tokens, layer and unit; four bytes for each token and word. */
Test(cases, compute_the_numbers_of_out_of_memory)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "out-of-memory");
	for (uint64_t seed = 3; seed <= 4; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const bool older = bound(&d, "layers") == 48;
		const struct variant_step *s = d.variant.steps;
		cr_expect(epsilon_eq(dbl, s[0].question.key, 29.54e9, 0.005e9));
		cr_expect(epsilon_eq(dbl, s[1].question.key, older ? 68.4510e9 : 57.0425e9, 1e6));
		cr_expect(epsilon_eq(dbl, s[2].question.key, older ? 4.98283e9 : 4.97864e9, 1e5));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* The twist of serve-70b says that a GPU serves less by about as much as prompts grew, and that some of the
 * second fleet's GPUs may be left out: by the simulation within 6 %, and four fifths of them will do. */
Test(cases, scale_serve_70b_by_about_what_prompts_grew, .description = "long", .timeout = 240)
{
	struct design_case c;
	cases_open(&c, &tables, "serve-70b");
	const size_t fleet = sim_knob_index(c.sim, "fleet");
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct dealt_case d;
		struct case_run r;
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const double before =
			value_of(&d, 0, &d.reference[0], "rate_per_s") / d.reference[0].v[fleet];
		const double after =
			value_of(&d, 1, &d.reference[1], "rate_per_s") / d.reference[1].v[fleet];
		cr_expect(epsilon_eq(dbl,
				  before / after / (bound(&d, "long_prompt") / bound(&d, "prompt")),
				  1, 0.06),
			"seed %d", (int)seed);
		struct case_design design = case_known_design(&d, &d.reference[1]);
		design.v[fleet] *= 0.8;
		cr_assert(zero(int, case_run(&d, 1, &design, &r)));
		cr_expect(r.met, "seed %d", (int)seed);
		case_run_release(&r);
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Each kind of memory has a cure of its own: a chunked loss takes logits, recomputation takes activations, neither
 * takes state, and half of the GPUs (the last twist) double what is sharded and nothing else. */
Test(cases, tell_three_kinds_of_memory_apart)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "out-of-memory");
	cases_deal(&d, &c, &tables, 1, LEVEL_PRINCIPAL);
	const size_t fused = sim_knob_index(c.sim, "fused"),
		     again = sim_knob_index(c.sim, "checkpointing"),
		     optimizer = sim_knob_index(c.sim, "optimizer");
	struct case_known k = d.reference[0];
	const double state = value_of(&d, 0, &k, "static_GB"),
		     kept = value_of(&d, 0, &k, "activations_GB"),
		     logits = value_of(&d, 0, &k, "logits_GB");
	k.v[fused] = 0;
	cr_expect(lt(dbl, 4 * logits, value_of(&d, 0, &k, "logits_GB")));
	cr_expect(eq(dbl, value_of(&d, 0, &k, "static_GB"), state));
	k.v[fused] = 1;
	k.v[again] = CHECKPOINT_NONE;
	cr_expect(lt(dbl, 2 * kept, value_of(&d, 0, &k, "activations_GB")));
	cr_expect(eq(dbl, value_of(&d, 0, &k, "static_GB"), state));
	k = d.reference[3];
	k.v[optimizer] = MEMORY_ADAMW;
	cr_expect(epsilon_eq(dbl, value_of(&d, 3, &k, "static_GB"), 2 * state, 1e-3));
	cr_expect(eq(dbl, value_of(&d, 3, &k, "activations_GB"),
		value_of(&d, 2, &d.reference[2], "activations_GB")));
	/* Two moments of one byte and not of four: 6 of 16 B a parameter. */
	cr_expect(epsilon_eq(
		dbl, value_of(&d, 3, &d.reference[3], "static_GB"), 2 * state * 10 / 16, 1e-3));
	case_deal_release(&d);
	case_release(&c);
}

/* A sixth of 5 + 6 ms; 36 ms with it and the 40 ms until the next plan; and what the GPU has of it, 28 ms and that
 * sixth, thirty times a second. The stages that are told are those that run. */
Test(cases, compute_the_numbers_of_perception_budget)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "perception-budget");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	const struct variant_step *s = d.variant.steps;
	cr_expect(epsilon_eq(dbl, s[0].question.key, 11e-3 / 6, 1e-9));
	cr_expect(epsilon_eq(dbl, s[1].question.key, 76e-3 + 11e-3 / 6, 1e-9));
	cr_expect(epsilon_eq(dbl, s[2].question.key, 30 * (28e-3 + 11e-3 / 6), 1e-9));
	static const char *const told[N_STAGES] = { "input", "encoder", "detector", "segments",
		"tracker", "predictor", "planner" };
	const struct driving today = {
		.platform = PLATFORM_ORIN, .on = { [TENSORRT] = true }, .cameras = 6
	};
	for (enum driving_stage stage = 0; stage < N_STAGES; stage++)
		cr_expect(epsilon_eq(
				  dbl, 1e3 * bound(&d, told[stage]), stage_ms(&today, stage), 1e-9),
			"%s", told[stage]);
	case_deal_release(&d);
	case_release(&c);
}

/* What the GPU does of a frame is all but tracking and planning, which its goal takes off the whole: 8 ms, of which
 * sparsity saves 1, on both computers. */
Test(cases, count_what_the_gpu_does_of_a_frame)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "perception-budget");
	cases_deal(&d, &c, &tables, 1, LEVEL_STAFF);
	const size_t sparse = sim_knob_index(c.sim, "sparse");
	for (size_t stage = 0; stage <= 2; stage += 2)
		for (int on = 0; on <= 1; on++) {
			struct case_known k = d.reference[stage];
			struct case_run r;
			k.v[sparse] = on;
			struct driving car = { .platform = stage ? PLATFORM_SA8650P : PLATFORM_ORIN,
				.on = { [BACKBONE_SHARING] = true,
					[TENSORRT] = true,
					[SPARSE] = on },
				.cameras = 7 };
			double gpu_ms = stages_total_ms(&car) - stage_ms(&car, STAGE_TRACKING) -
					stage_ms(&car, STAGE_PLANNING);
			struct case_design design = case_known_design(&d, &k);
			cr_assert(zero(int, case_run(&d, stage, &design, &r)));
			const double fps = stage ? 20 : 25;
			for (size_t i = 0; i < r.n_verdicts; i++)
				if (strcmp(r.verdicts[i].goal->id, "gpu") == 0)
					cr_expect(epsilon_eq(
						dbl, r.verdicts[i].value, gpu_ms * fps / 10, 1e-9));
			case_run_release(&r);
		}
	case_deal_release(&d);
	case_release(&c);
}

/* Overlap is of no use while the work of a frame is shorter than the time between frames, of much when it is longer,
 * and of none again when the rate falls. */
Test(cases, turn_overlap_on_and_off_with_the_rate)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "perception-budget");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_STAFF);
		const size_t overlap = sim_knob_index(c.sim, "pipelined");
		double gain[3];
		for (size_t stage = 0; stage < 3; stage++) {
			struct case_known k = d.reference[stage];
			k.v[overlap] = 0;
			const double serial = value_of(&d, stage, &k, "p99_ms");
			k.v[overlap] = 1;
			gain[stage] = serial / value_of(&d, stage, &k, "p99_ms");
		}
		cr_expect(epsilon_eq(dbl, gain[0], 1, 0.01));
		cr_expect(lt(dbl, 1.5, gain[1]));
		cr_expect(epsilon_eq(dbl, gain[2], 1, 0.01));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* 1.96 standard errors of a difference, the root of 2 of one, in half of 3 %: (1.96 x 1.4142 x 7 to 10 % / 1.5 %)^2. One call of
 * 0.8 s and 99 of the kernel. 24 or 32 MB at 3.35 TB/s. */
Test(cases, compute_the_numbers_of_is_it_faster)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "is-it-faster");
	for (uint64_t seed = 1; seed <= 4; seed++) {
		static const double runs[] = { [7] = 168, [8] = 219, [9] = 277, [10] = 342 };
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const struct variant_step *s = d.variant.steps;
		const double kernel_s = bound(&d, "kernel");
		cr_expect(eq(dbl, s[0].question.key, runs[(size_t)bound(&d, "noise")]));
		cr_expect(epsilon_eq(dbl, s[1].question.key, (0.8 + 99 * kernel_s) / 100, 1e-9));
		cr_expect(epsilon_eq(dbl, s[2].question.key, bound(&d, "input") / 3.35e12, 1e-10));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* Runs cure noise and no bias: four times as many halve the interval of the good design, and his own stays as wrong as
 * it was. Where clocks cannot be locked, the warm-up cures what they do not. */
Test(cases, tell_noise_from_bias)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "is-it-faster");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_STAFF);
		const size_t runs = sim_knob_index(c.sim, "iterations"),
			     warmup = sim_knob_index(c.sim, "warmup"),
			     statistic = sim_knob_index(c.sim, "statistic");
		const double kernel_s = bound(&d, "kernel");
		struct case_known k = d.reference[0];
		double width[2];
		for (int i = 0; i < 2; i++) {
			k.v[runs] = i ? 4096 : 1024;
			width[i] =
				value_of(&d, 0, &k, "ci_high_s") - value_of(&d, 0, &k, "ci_low_s");
		}
		cr_expect(epsilon_eq(dbl, width[0] / width[1], 2, 0.35), "%g", width[0] / width[1]);
		k = d.naive;
		k.v[statistic] = STATISTIC_MEDIAN;
		for (int i = 0; i < 2; i++) {
			k.v[runs] = i ? 4900 : 600;
			cr_expect(lt(dbl, value_of(&d, 0, &k, "reported_s"), 0.9 * kernel_s));
		}
		k = d.reference[1];
		cr_expect(epsilon_eq(dbl, value_of(&d, 1, &k, "reported_s"), 0.025, 0.000125));
		k.v[warmup] = 64;
		k.v[runs] = 4500;
		cr_expect(lt(dbl, value_of(&d, 1, &k, "reported_s"), 0.985 * 0.025));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* A budget for tasks takes a good deal off the wait when they come at random, and adds to it when they come in clumps:
 * a clump of mostly short tasks is sooner through than one of equal ones. */
Test(cases, give_a_budget_for_tasks_its_sign)
{
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "how-many-workers");
	for (uint64_t seed = 1; seed <= 3; seed++) {
		cases_deal(&d, &c, &tables, seed, LEVEL_SENIOR);
		const size_t service = sim_knob_index(c.sim, "service");
		double wait_ms[2][2];
		for (size_t stage = 0; stage < 2; stage++) {
			const struct case_known *with = &d.reference[0], *without = &d.reference[1];
			struct case_known k = d.reference[stage];
			k.v[service] = without->v[service];
			wait_ms[stage][0] = value_of(&d, stage, &k, "wait_p99_ms");
			k.v[service] = with->v[service];
			wait_ms[stage][1] = value_of(&d, stage, &k, "wait_p99_ms");
		}
		cr_expect(lt(dbl, wait_ms[0][1], 0.75 * wait_ms[0][0]));
		cr_expect(lt(dbl, 1.1 * wait_ms[1][0], wait_ms[1][1]));
		case_deal_release(&d);
	}
	case_release(&c);
}

/* --- Estimates --- */

/* 70.55 GB: within 5 % is exact, within a factor of 1.3 counts, and a named mistake is named. */
Test(cases, grade_estimates_by_what_an_estimate_is)
{
	static const struct {
		const char *text;
		enum estimate is;
		const char *remark; /* a part of it */
	} rows[] = {
		{ "70 GB", ESTIMATE_EXACT, "" },
		{ "74 GB", ESTIMATE_EXACT, "" },
		{ "75 GB", ESTIMATE_COUNTS, "" },
		{ "91 GB", ESTIMATE_COUNTS, "" },
		{ "55 GB", ESTIMATE_COUNTS, "" },
		{ "93 GB", ESTIMATE_OFF, "" },
		{ "53 GB", ESTIMATE_OFF, "" },
		{ "140 GB", ESTIMATE_OFF, "BF16" },
		{ "plenty", ESTIMATE_NONE, "" },
	};
	struct design_case c;
	struct case_sitting s;
	char err[700];
	cases_open(&c, &tables, "serve-70b");
	cr_assert(zero(int, case_sitting_begin(&s, &c, &tables, 1, LEVEL_SENIOR, err, sizeof err)));
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct grade g;
		enum estimate is = case_sitting_estimate(&s, 0, rows[i].text, &g);
		cr_expect(eq(int, (int)is, (int)rows[i].is), "%s", rows[i].text);
		cr_expect(
			strstr(g.remark, rows[i].remark) != NULL, "%s: %s", rows[i].text, g.remark);
	}
	cr_expect(eq(int, (int)s.estimates[0].best, (int)ESTIMATE_EXACT));
	cr_expect(eq(uint, s.estimates[0].tries, 8));
	cr_expect(eq(int, case_sitting_anchor(&s, "2"), 1));
	cr_expect(eq(int, case_sitting_anchor(&s, "cache"), 1));
	cr_expect(eq(int, case_sitting_anchor(&s, "4"), -1));
	case_sitting_release(&s);
	case_release(&c);
}

/* --- Designs --- */

static void read_design(
	const struct dealt_case *d, struct case_design *design, const char *a, const char *b)
{
	const char *words[] = { a, b };
	char err[500];
	cr_assert(zero(int, case_design_read(d, design, words, 2, err, sizeof err)), "%s", err);
}

/* The weeks are 3 + 4 + 2 and the cameras 16: two goals whose numbers stand on paper. The P99 is the
 * simulation's own, asked for at these knobs without the case. */
Test(cases, execute_a_design)
{
	struct design_case c;
	struct dealt_case d;
	struct case_design design = { .v = { 0 } };
	struct case_run r;
	struct figure fig = { .why = NULL };
	double v[MAX_KNOBS];
	char why[300];
	cases_open(&c, &tables, "200-ms-to-50");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	cr_expect(case_design_lacks(&d, &design) == &c.knobs[0]);
	read_design(&d, &design, "platform=orin", "cameras=16");
	read_design(&d, &design, "backbone_sharing=on", "tensorrt=on");
	read_design(&d, &design, "temporal_fusion=off", "sparse=off");
	read_design(&d, &design, "pipelined=off", "pipelined=on");
	cr_assert(eq(ptr, (void *)case_design_lacks(&d, &design), NULL));
	cr_assert(zero(int, case_run(&d, 0, &design, &r)));
	sim_defaults(c.sim, &tables, v);
	static const char *const settings[] = { "platform=orin", "cameras=16",
		"backbone_sharing=on", "tensorrt=on", "pipelined=on", "fps=10" };
	for (size_t i = 0; i < LENGTH(settings); i++)
		cr_assert(zero(
			int, sim_read_setting(c.sim, &tables, settings[i], v, why, sizeof why)));
	v[sim_knob_index(c.sim, "jitter_cv")] = bound(&d, "jitter");
	v[sim_knob_index(c.sim, "speed_mph")] = bound(&d, "speed_mph");
	c.sim->run(&tables, v, &fig);
	cr_expect(eq(dbl, r.verdicts[0].value, figure_find(&fig, "p99_ms")->value));
	cr_expect(not(r.verdicts[0].met));
	cr_expect(epsilon_eq(dbl, r.verdicts[0].off, r.verdicts[0].value / 50 - 1, 1e-9));
	cr_expect(strstr(r.verdicts[0].words, "misses by") != NULL);
	cr_expect(r.verdicts[1].met && r.verdicts[1].value == 16);
	cr_expect(r.verdicts[2].met);
	cr_expect(eq(dbl, r.verdicts[3].value, 9));
	cr_expect(eq(int, r.verdicts[3].met, 9 <= bound(&d, "weeks")));
	cr_expect(eq(str, (char *)r.ask, (char *)c.goals[0].ask));
	figure_release(&fig);
	case_run_release(&r);
	case_deal_release(&d);
	case_release(&c);
}

Test(cases, refuse_what_is_not_the_candidates)
{
	static const struct {
		const char *word, *says;
	} rows[] = {
		{ "prompt_tokens=100", "not yours to set" },
		{ "gpu=v100", "expected a100, h100 or h200" },
		{ "gpu", "expected knob=value" },
		{ "fleat=8", "did you mean \"fleet\"" },
		{ "tp=16", "expected 1, 2, 4 or 8" },
		{ "tp=3", "expected 1, 2, 4 or 8" }, /* 64 heads are not dealt out to three */
		{ "fleet=many", "expected 1 GPU to" },
		{ "weight_dtype=any", "expected bf16, fp8, int8 or int4" },
	};
	struct design_case c;
	struct dealt_case d;
	cases_open(&c, &tables, "serve-70b");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct case_design design = { .v = { 0 } };
		const char *words[] = { "kv_dtype=fp8", rows[i].word };
		char err[500] = "";
		cr_expect(eq(int, case_design_read(&d, &design, words, 2, err, sizeof err), -1));
		cr_expect(strstr(err, rows[i].says) != NULL, "%s: %s", rows[i].word, err);
		for (size_t k = 0; k < MAX_KNOBS; k++)
			cr_expect(not(design.given[k]), "it stays as it was");
	}
	case_deal_release(&d);
	case_release(&c);
}

/* A simulation that gives no number misses the goal: BF16 weights do not fit two H100s. */
Test(cases, call_a_goal_without_a_number_missed)
{
	struct design_case c;
	struct dealt_case d;
	struct case_run r;
	cases_open(&c, &tables, "serve-70b");
	cases_deal(&d, &c, &tables, 1, LEVEL_SENIOR);
	struct case_design design = case_known_design(&d, &d.naive);
	read_design(&d, &design, "tp=2", "fleet=64");
	cr_assert(zero(int, case_run(&d, 0, &design, &r)));
	cr_expect(not(r.met));
	cr_expect(eq(dbl, r.verdicts[0].value, 0));
	cr_expect(not(r.verdicts[1].met));
	cr_expect(strstr(r.verdicts[1].words, "no such number") != NULL);
	cr_expect(strstr(r.figure.why, "serve nobody") != NULL, "%s", r.figure.why);
	case_run_release(&r);
	case_deal_release(&d);
	case_release(&c);
}

/* --- A sitting --- */

/* Twists come by the clock, or when they are asked for, and change what is told. */
Test(cases, tell_twists_in_their_time)
{
	enum { MINUTE_MS = 60000 };
	struct design_case c;
	struct case_sitting s;
	char err[700];
	cases_open(&c, &tables, "serve-70b");
	cr_assert(zero(int, case_sitting_begin(&s, &c, &tables, 1, LEVEL_STAFF, err, sizeof err)));
	const struct case_match m = case_ask_all(&c, "How long are the prompts?");
	cr_expect(eq(int, (int)m.kind, (int)MATCH_FACT));
	case_sitting_asked(&s, &m);
	cr_expect(strstr(case_tell(&s.deal, 2, s.stage), "900 tokens") != NULL);
	cr_expect(eq(ptr, (void *)case_sitting_twist(&s, 21 * MINUTE_MS), NULL));
	cr_expect(case_sitting_twist(&s, 22 * MINUTE_MS) == &c.twists[0]);
	cr_expect(eq(ptr, (void *)case_sitting_twist(&s, 22 * MINUTE_MS), NULL));
	cr_expect(strstr(case_tell(&s.deal, 2, s.stage), "2,500 tokens") != NULL);
	cr_expect(case_sitting_twist(&s, -1) == &c.twists[1]);
	cr_expect(eq(ptr, (void *)case_sitting_twist(&s, -1), NULL), "the third is for principals");
	cr_expect(s.told[2] && !s.told[0]);
	case_sitting_release(&s);
	case_release(&c);
}
