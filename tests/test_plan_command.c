/* ridge plan, as the program prints it. */
#include "tests/printed.h"

#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdlib.h>
#include <string.h>

static double number(const cJSON *obj, const char *name)
{
	const cJSON *n = cJSON_GetObjectItem(obj, name);
	cr_assert(cJSON_IsNumber(n), "no number %s", name);
	return n->valuedouble;
}

/* Two plans: the cheaper first, each within its goals, and each with a command that opens it. */
Test(plan_command, json_has_the_plan_and_the_runner_up)
{
	char *text = printed("C.UTF-8",
		"plan serve model=llama3-70b gpu=h100 rate_per_s=200 ttft_ms=1000 itl_ms=50 --json",
		"");
	cJSON *root = cJSON_Parse(text);
	cr_assert(root != NULL, "%s", text);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(root, "goals_met")));
	const cJSON *plans = cJSON_GetObjectItem(root, "plans");
	cr_assert(eq(int, cJSON_GetArraySize(plans), 2));
	double before = 0;
	for (int i = 0; i < 2; i++) {
		const cJSON *p = cJSON_GetArrayItem(plans, i);
		cr_expect(le(dbl, before, number(p, "usd_per_h")));
		before = number(p, "usd_per_h");
		cr_expect(le(dbl, number(p, "ttft_p99_ms"), 1000));
		cr_expect(le(dbl, number(p, "itl_p99_ms"), 50));
		cr_expect(eq(dbl, number(p, "replicas") * number(p, "tp"), number(p, "gpus")));
	}
	cr_expect(cJSON_GetArraySize(cJSON_GetObjectItem(root, "others")) >= 1);
	cJSON_Delete(root);
	free(text);
}

/* What opens a plan has the plan's number of GPUs. */
Test(plan_command, a_plan_opens_as_it_was_found)
{
	char words[600];
	char *text = printed("C.UTF-8",
		"plan serve model=llama3-8b gpu=h100 quant_bits=8 rate_per_s=100 --json", "");
	cJSON *root = cJSON_Parse(text), *first;
	cr_assert(root != NULL, "%s", text);
	first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "plans"), 0);
	const char *open = cJSON_GetStringValue(cJSON_GetObjectItem(first, "open"));
	cr_assert(open && strncmp(open, "ridge open capacity ", 20) == 0);
	snprintf(words, sizeof words, "sim capacity %s --json", open + 20);
	char *again = printed("C.UTF-8", words, "");
	cJSON *sim = cJSON_Parse(again);
	cr_assert(sim != NULL, "%s", again);
	const cJSON *gpus = cJSON_GetObjectItem(cJSON_GetObjectItem(sim, "values"), "gpus");
	cr_expect(eq(dbl, number(gpus, "value"), number(first, "gpus")));
	cJSON_Delete(sim);
	cJSON_Delete(root);
	free(again);
	free(text);
}

/* A mixture's plan names how experts lie, and opens as it was found; the same layouts are tried when each
 * is asked for by hand, and none takes fewer GPUs. */
Test(plan_command, a_mixture_has_expert_layouts)
{
	char words[600];
	static const char job[] = "model=qwen3-235b-a22b gpu=h200 weight_dtype=fp8 "
				  "kv_dtype=fp8 rate_per_s=60 ttft_ms=2000 itl_ms=40";
	snprintf(words, sizeof words, "plan serve %s --json", job);
	char *text = printed("C.UTF-8", words, "");
	cJSON *root = cJSON_Parse(text), *first;
	cr_assert(root != NULL, "%s", text);
	first = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "plans"), 0);
	double gpus = number(first, "gpus");
	double group = number(first, "tp") * number(first, "attn_dp");
	cr_expect(eq(dbl, number(first, "replicas") * group, gpus));
	cr_expect(lt(dbl, 1, number(first, "attn_dp")));
	const char *open = cJSON_GetStringValue(cJSON_GetObjectItem(first, "open"));
	cr_assert(open && strstr(open, " attn_dp=") && strstr(open, " ep="));
	snprintf(words, sizeof words, "sim capacity %s --json", open + 20);
	char *again = printed("C.UTF-8", words, "");
	cJSON *sim = cJSON_Parse(again);
	cr_assert(sim != NULL, "%s", again);
	const cJSON *opened = cJSON_GetObjectItem(cJSON_GetObjectItem(sim, "values"), "gpus");
	cr_expect(eq(dbl, number(opened, "value"), gpus));
	cJSON_Delete(sim);
	free(again);
	static const char *const by_hand[] = { "tp=8 attn_dp=1 ep=1", "tp=8 attn_dp=1 ep=8",
		"tp=1 attn_dp=8 ep=8", "tp=4 attn_dp=2 ep=8" };
	for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++) {
		snprintf(words, sizeof words, "plan serve %s %s --json", job, by_hand[i]);
		char *other = printed("C.UTF-8", words, "");
		cJSON *p = cJSON_Parse(other);
		cr_assert(p != NULL, "%s", other);
		if (cJSON_IsTrue(cJSON_GetObjectItem(p, "goals_met")))
			cr_expect(le(dbl, gpus,
				number(cJSON_GetArrayItem(cJSON_GetObjectItem(p, "plans"), 0),
					"gpus")));
		cJSON_Delete(p);
		free(other);
	}
	cJSON_Delete(root);
	free(text);
}

Test(plan_command, says_what_was_wrong)
{
	static const struct {
		const char *words, *said;
	} rows[] = {
		{ "plan", "serve" },
		{ "plan serv", "did you mean \"serve\"?" },
		{ "plan serve rate=3", "capacity has no knob \"rate\"" },
		{ "plan serve users=10 rate_per_s=200", "10 users cannot send 200 requests/s" },
		/* 406 billion weights of 4 bits, on 8 x 24 GB filled to 80 % */
		{ "plan serve model=llama3-405b gpu=l4 tp=8",
			"No layout serves Llama-3.1-405B: weights of 203 GB in 154 GB" },
		{ "plan serve model=llama3-405b prompt_tokens=20000 output_tokens=1 itl_ms=5 "
		  "gpu=t4 users=10000",
			"more than 1,000,000 GPUs" },
		{ "plan serve model=llama3-8b prompt_tokens=8000 ttft_ms=20",
			"The nearest that can be met" },
		{ "plan serve model=llama3-8b gpu=h100 itl_ms=1",
			"No layout meets these goals, even for one user alone" },
		{ "plan serve model=llama3-8b gpu=h100 fleet=8", "runner-up" },
		{ "plan serve model=llama3-8b gpu=h100 rate_per_s=1",
			"1 H100 SXM for 1 request/s" },
		{ "plan serve model=llama3-8b", "at least       an hour  why they lose" },
		{ "plan serve", "both together take" },
		{ "plan serve gpu=h100 output_tokens=2000 prompt_tokens=10",
			"decoding alone takes" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1");
		cr_expect(strstr(text, rows[i].said) != NULL, "ridge %s: %s", rows[i].words, text);
		free(text);
	}
}

/* 14.8T tokens of DeepSeek-V3 on 2,048 H800 took 2.664 M GPU-hours (DeepSeek-V3 Technical Report,
 * 2024, table 1); tokens travelled behind computation. */
Test(plan_command, train_plans_a_mixture)
{
	char *text = printed("C.UTF-8",
		"plan train model=deepseek-v3 gpu=h800 gpus=2048 tokens=14.8e12 "
		"batch_tokens=62914560 seq=4096 act_dtype=fp8 inter_GBps=50 dispatch_overlap=on "
		"--json",
		"");
	cJSON *root = cJSON_Parse(text);
	cr_assert(root != NULL, "%s", text);
	const cJSON *best = cJSON_GetArrayItem(cJSON_GetObjectItem(root, "plans"), 0);
	cr_assert(best != NULL, "%s", text);
	cr_expect(epsilon_eq(dbl, number(best, "gpu_hours") / 2.664e6, 1, 0.25), "%g",
		number(best, "gpu_hours"));
	cr_expect(le(dbl, number(best, "memory_GB"), 80));
	cJSON_Delete(root);
	free(text);
}

/* 64 H100 train 70B: the quickest first, each within the card, each with a command that opens it at
 * the speed that it says. The hours are the tokens over what all GPUs do. */
Test(plan_command, train_has_the_quickest_first)
{
	char *text = printed(
		"C.UTF-8", "plan train model=llama3-70b gpu=h100 gpus=64 tokens=1e12 --json", "");
	cJSON *root = cJSON_Parse(text);
	cr_assert(root != NULL, "%s", text);
	cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(root, "fits")));
	const cJSON *plans = cJSON_GetObjectItem(root, "plans"), *p = NULL;
	cr_assert(cJSON_GetArraySize(plans) >= 2);
	double before = 1e9;
	cJSON_ArrayForEach(p, plans)
	{
		double rate = number(p, "tokens_per_s_per_gpu");
		cr_expect(le(dbl, rate, before));
		before = rate;
		cr_expect(le(dbl, number(p, "memory_GB"), 80));
		cr_expect(epsilon_eq(dbl, number(p, "gpu_hours"), 1e12 / rate / 3600,
			1e-6 * number(p, "gpu_hours")));
		cr_expect(epsilon_eq(dbl, number(p, "hours") * 64, number(p, "gpu_hours"), 1e-3));
	}
	p = cJSON_GetArrayItem(plans, 0);
	const char *open = cJSON_GetStringValue(cJSON_GetObjectItem(p, "open"));
	cr_assert(open && strncmp(open, "ridge open parallelism ", 23) == 0);
	char words[600];
	snprintf(words, sizeof words, "sim parallelism %s --json", open + 23);
	char *opened = printed("C.UTF-8", words, "");
	cJSON *figure = cJSON_Parse(opened);
	cr_assert(figure != NULL, "%s", opened);
	const cJSON *values = cJSON_GetObjectItem(figure, "values");
	double rate = number(cJSON_GetObjectItem(values, "tokens_per_s"), "value");
	cr_expect(epsilon_eq(dbl, rate, number(p, "tokens_per_s_per_gpu"), 1e-6 * rate));
	cJSON_Delete(figure);
	cJSON_Delete(root);
	free(opened);
	free(text);
}

/* What cannot be is said in words: too little memory with what is nearest, a batch of less than a
 * sequence. One of no whole sequences is rounded: 4e6 / 8192 = 488.28, and 488 x 8192 = 3,997,696.
 * 512 sequences go to a power of two of replicas, of up to eight GPUs by up to 64 stages:
 * 126 is 2 x 63, 127 is odd; from 16,000 on the odd part is below 64 in multiples of 256 only, of
 * which 62 and 63 times are 15,872 and 16,128. Of 8 x 3 GPUs there are two replicas in 48 and four in 96; three
 * in 72 take no third of 512. */
Test(plan_command, train_says_what_cannot_be)
{
	static const struct {
		const char *words, *said;
	} rows[] = { { "plan train model=llama3-70b gpus=8 gpu=a100",
			     "No layout fits Llama-3-70B on 8 x A100-80 SXM" },
		{ "plan train seq=8192 batch_tokens=4000",
			"batch_tokens=4000: expected at least seq=8192 tokens, one sequence" },
		{ "plan train model=llama3-8b gpus=64 tokens=1e12 batch_tokens=4e6",
			"\nA step has 488 sequences of 8192: 3,997,696 tokens, the nearest to "
			"batch_tokens=4,000,000.\n" },
		{ "plan train gpus=127", "No layout deals 512 sequences to 127 GPUs evenly: 126 or "
					 "128 GPUs would do, or a batch of another size.\n" },
		{ "plan train gpus=16000", "evenly: 15,872 or 16,128 GPUs would do" },
		{ "plan train tp=8 pp=3", "No layout with tp=8 pp=3 deals 512 sequences to 64 GPUs "
					  "evenly: 48 or 96 GPUs would do" },
		{ "plan train tp=8 pp=4 cp=8", "a replica takes 256 GPUs, of 64" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *text = printed("C.UTF-8", rows[i].words, "2>&1");
		cr_expect(strstr(text, rows[i].said) != NULL, "%s: %s", rows[i].words, text);
		free(text);
	}
}
