/* Questions that people ask of a training job, each asked in one setting and held to what was published.
 * Of software the date of the report is chosen, whether its small kernels were fused, and of 2024 also attention
 * written for the GPU, by what the report says of it; nothing is fitted to these rows. */
#include "sims/registry/registry.h"
#include "sims/scaling/train_goals.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static struct tables facts;

static void load(void)
{
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(questions, .init = load, .fini = unload);

static double asked(const char *settings, const char *id)
{
	return sim_number(sim_find("parallelism"), &facts, settings, id);
}

/* Within how much of what was published an answer is good enough to plan with. */
static const double near = 0.15;

static void holds(double answer, double published, const char *question)
{
	cr_expect(le(dbl, fabs(answer / published - 1), near), "%s: %.4g, published %.4g", question,
		answer, published);
}

/* Llama 3.1 405B on H100 (Grattafiori et al., 2024, table 4): 43 % at 8,192 GPUs, 41 % at 16,384, and 38 %
 * with sequences of 131,072 tokens over 16 GPUs. Its 126 layers fill 16 stages of eight chunks but for two
 * places, and 16 M tokens are a step. */
Test(questions, mfu_of_405b)
{
#define JOB                                                                                        \
	"model=llama3-405b gpu=h100 tp=8 pp=16 inter_GBps=50 software=compiled2024 "               \
	"schedule=interleaved virtual_stages=8 "
	holds(asked(JOB "gpus=8192 seq=8192 micro_batches=32", "mfu_pct"), 43, "MFU at 8,192 GPUs");
	holds(asked(JOB "gpus=16384 seq=8192 micro_batches=16", "mfu_pct"), 41,
		"MFU at 16,384 GPUs");
	holds(asked(JOB "gpus=16384 cp=16 seq=131072 micro_batches=16", "mfu_pct"), 38,
		"MFU of long sequences");
#undef JOB
}

/* Llama 3.1 8B on eight H100 of 500 W (torchtitan, Liang et al., 2024, table 1): 5,762 tokens a second of
 * each in BF16, 6,667 compiled, 8,532 with FP8. */
Test(questions, tokens_of_8b)
{
#define JOB                                                                                        \
	"strategy=zero3 zero=3 model=llama3-8b gpu=h100-500w gpus=8 tp=1 pp=1 micro_batches=1 "    \
	"batch=2 seq=8192 checkpointing=selective "
	double eager = asked(JOB "software=pytorch2023", "tokens_per_s"),
	       wide = asked(JOB "software=compiled2023", "tokens_per_s"),
	       narrow = asked(JOB "software=compiled2023 act_dtype=fp8", "tokens_per_s");
	holds(eager, 5762, "eager");
	holds(wide, 6667, "compiled");
	holds(narrow, 8532, "in FP8");
	holds(narrow / wide, 8532. / 6667, "what FP8 gains");
#undef JOB
}

/* GPT-3 175B on 64 A100 (Korthikanti et al., 2022, table 5): 18.13 s a step of 64 sequences where all runs
 * again, 13.75 s where attention does and sequences are cut. */
Test(questions, step_of_175b)
{
#define JOB                                                                                        \
	"model=gpt3-175b gpu=a100 gpus=64 tp=8 pp=8 seq=2048 software=megatron2021 "               \
	"schedule=interleaved virtual_stages=3 micro_batches=64 batch=1 "
	holds(asked(JOB "checkpointing=full sequence_parallel=off", "step_ms"), 18130, "again");
	holds(asked(JOB "checkpointing=selective", "step_ms"), 13750, "attention again");
#undef JOB
}

static double gpu_hours(double tokens, const char *settings)
{
	return tokens / asked(settings, "tokens_per_s") / 3600;
}

/* GPT-3 175B, 300 billion tokens on 1,024 A100: 34 days (Narayanan et al., 2021, section 5.1). Llama 3 70B,
 * 15 trillion: 6.4 million hours of H100 (its model card). DeepSeek-V3, 14.8 trillion: 2.664 million hours
 * of H800 (DeepSeek-AI, 2024, table 1). */
Test(questions, hours_of_whole_runs)
{
	holds(gpu_hours(300e9,
		      "model=gpt3-175b gpu=a100 gpus=1024 tp=8 pp=8 seq=2048 software=megatron2021 "
		      "checkpointing=full schedule=interleaved virtual_stages=2 micro_batches=96 "
		      "batch=1"),
		34. * 24 * 1024, "GPT-3");
	holds(gpu_hours(15e12,
		      "model=llama3-70b gpu=h100 gpus=16384 tp=8 pp=8 seq=8192 inter_GBps=50 "
		      "software=compiled2024 schedule=interleaved virtual_stages=5 micro_batches=8 "
		      "batch=1"),
		6.4e6, "Llama 3 70B");
	holds(gpu_hours(14.8e12,
		      "model=deepseek-v3 gpu=h800 gpus=2048 tp=4 pp=2 zero=1 inter_GBps=50 seq=4096 ep=256 "
		      "act_dtype=fp8_block dispatch_overlap=on routing=recorded "
		      "software=megatron2025 schedule=interleaved virtual_stages=6 micro_batches=4 "
		      "batch=1"),
		2.664e6, "DeepSeek-V3");
}

/* Llama 2 7B on A100, one answer at a time (gpt-fast's README): 104.9 tokens a second in BF16, 155.58 with
 * weights in INT8 and 196.8 in INT4, both widened on their way; 328.43 on eight. */
Test(questions, tokens_of_7b_alone)
{
#define JOB "model=llama2-7b gpu=a100 users=1 prompt_tokens=100 output_tokens=100 "
	static const struct {
		const char *settings;
		double tokens_per_s;
	} rows[] = { { JOB "tp=1 weight_dtype=bf16", 104.9 },
		{ JOB "tp=1 weight_dtype=int8 act_dtype=bf16", 155.58 },
		{ JOB "tp=1 weight_dtype=int4", 196.8 }, { JOB "tp=8 weight_dtype=bf16", 328.43 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		holds(1e3 / sim_number(
				    sim_find("capacity"), &facts, rows[i].settings, "itl_p50_ms"),
			rows[i].tokens_per_s, rows[i].settings);
#undef JOB
}

/* The same runs as one command each, `ridge plan train`: what was published of the layout is held, the rest is
 * searched. GPT-3 175B with all of it run again, batches of 1,536 sequences, in 34 days; Llama 3 70B and 405B in
 * 6.4 and 30.84 million GPU-hours (their model cards), 405B in the layout of its report (Grattafiori et al.,
 * 2024, table 4) with 15.6 trillion tokens. */
static double planned_hours(const char *settings)
{
	double v[MAX_KNOBS], hours = NAN;
	struct arena arena = { 0 };
	sim_set(&train_goals, &facts, settings, v);
	struct train_answer a = train_answer(&facts, v, &arena);
	if (!a.refusal && a.search.n > 0)
		hours = train_hours(&a, &a.search.best[0]) * a.goal.gpus;
	arena_release(&arena);
	return hours;
}

Test(questions, hours_as_one_plan)
{
	holds(planned_hours(
		      "model=gpt3-175b gpu=a100 gpus=1024 tokens=300e9 seq=2048 batch_tokens=3145728 "
		      "software=megatron2021 checkpointing=full tp=8 pp=8 micro_batch=1 "
		      "virtual_stages=2"),
		34. * 24 * 1024, "GPT-3");
	holds(planned_hours("model=llama3-70b gpu=h100 gpus=16384 tokens=15e12 "
			    "batch_tokens=16777216 software=compiled2024"),
		6.4e6, "Llama 3 70B");
	holds(planned_hours("model=llama3-405b gpu=h100 gpus=16384 tokens=15.6e12 "
			    "batch_tokens=16777216 software=compiled2024 tp=8 pp=16"),
		30.84e6, "Llama 3.1 405B");
}
