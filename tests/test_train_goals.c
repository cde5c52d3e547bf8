/* The goals of `ridge plan train` as they are read, and a plan in words, by hand. */
#include "sims/constants.h"
#include "sims/scaling/train_goals.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

static struct tables t;
static struct arena arena;

static void load(void)
{
	t = load_tables();
	arena = (struct arena){ 0 };
}

static void unload(void)
{
	arena_release(&arena);
	tables_release(&t);
}

TestSuite(train_goals, .init = load, .fini = unload);

/* A small job, so that there is little to search: two GPUs, two sequences of 512 tokens. */
#define SMALL "model=llama3.2-1b gpus=2 seq=512 batch_tokens=1024 "

static struct train_answer answer(const char *settings)
{
	double v[MAX_KNOBS];
	sim_set(&train_goals, &t, settings, v);
	return train_answer(&t, v, &arena);
}

/* 1024 tokens are two sequences of 512. A GB is 1e9 B, a us 1e-6 s; the rest of a card's 8 %
 * belongs to the context, to workspaces and to fragments. */
Test(train_goals, as_typed)
{
	struct train_answer a = answer(SMALL "gpu=h100 tokens=3e11 inter_GBps=25 latency_us=8 "
					     "gpus_per_node=4 act_dtype=fp8 price_per_gpu_h=2.5");
	cr_assert(a.refusal == NULL);
	cr_expect(eq(str, (char *)a.goal.model->id, "llama3.2-1b"));
	cr_expect(eq(str, (char *)a.goal.gpu->id, "h100"));
	cr_expect(eq(dbl, a.goal.gpus, 2));
	cr_expect(eq(dbl, a.goal.global_batch, 2));
	cr_expect(eq(dbl, a.goal.seq, 512));
	cr_expect(eq(int, (int)a.goal.dtype, DTYPE_FP8));
	cr_expect(eq(dbl, a.goal.net.gpus_per_node, 4));
	cr_expect(epsilon_eq(dbl, a.goal.net.inter_bandwidth, 25e9, 1));
	cr_expect(epsilon_eq(dbl, a.goal.net.inter_hop_s, 8e-6, 1e-12));
	cr_expect(epsilon_eq(dbl, a.goal.memory_share, 0.92, 1e-12));
	cr_expect(eq(dbl, a.tokens, 3e11));
	cr_expect(eq(dbl, a.usd_per_gpu_h, 2.5));
	cr_expect(zero(sz, a.n_warnings));
}

/* Nobody says how many tokens: 20 for each parameter (Hoffmann et al., 2022), of which Llama 3
 * 70B has 70,553,706,496. Nor what an hour costs: 2.99 $ for an H100 in content/hardware.json.
 * 4,194,304 tokens are 512 sequences of 8192. */
Test(train_goals, what_nobody_says)
{
	struct train_answer a = answer("");
	cr_expect(eq(dbl, a.tokens, 20 * 70553706496.));
	cr_expect(eq(dbl, a.usd_per_gpu_h, 2.99));
	cr_expect(eq(dbl, a.goal.gpus, 64));
	cr_expect(eq(dbl, a.goal.global_batch, 512));
	cr_expect(eq(dbl, a.goal.net.gpus_per_node, NODE_GPUS));
	cr_expect(epsilon_eq(dbl, a.goal.net.inter_bandwidth, 50e9, 1));
	cr_expect(epsilon_eq(dbl, a.goal.net.inter_hop_s, 5e-6, 1e-12));
	cr_expect(zero(sz, a.n_warnings));
	cr_expect(eq(str, (char *)train_software_text((double[MAX_KNOBS]){ 0 }), "megatron2021"));
}

/* One token or one cent are said too. */
Test(train_goals, the_least_that_is_said)
{
	struct train_answer a = answer(SMALL "tokens=1 price_per_gpu_h=0.5");
	cr_expect(eq(dbl, a.tokens, 1));
	cr_expect(eq(dbl, a.usd_per_gpu_h, 0.5));
}

/* A batch is a whole number of sequences, one at least: less is refused, and what is between two goes to
 * the nearer one, with a word. */
Test(train_goals, a_batch_of_no_whole_sequences)
{
	static const struct {
		const char *batch;
		double sequences;
		const char *said; /* NULL: nothing need be said */
	} rows[] = {
		{ "batch_tokens=512 gpus=1", 1, NULL },
		{ "batch_tokens=1024", 2, NULL },
		{ "batch_tokens=1270", 2, "2 sequences of 512: 1,024 tokens" }, /* 2.48 */
		{ "batch_tokens=1300", 3, "3 sequences of 512: 1,536 tokens" }, /* 2.54 */
		{ "batch_tokens=1535", 3, "the nearest to batch_tokens=1,535" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[128];
		snprintf(settings, sizeof settings, SMALL "%s", rows[i].batch);
		struct train_answer a = answer(settings);
		cr_assert(a.refusal == NULL, "%s", a.refusal);
		cr_expect(eq(dbl, a.goal.global_batch, rows[i].sequences), "%s", rows[i].batch);
		cr_assert(eq(sz, a.n_warnings, rows[i].said != NULL), "%s", rows[i].batch);
		if (rows[i].said)
			cr_expect(strstr(a.warnings[0], rows[i].said) != NULL, "%s", a.warnings[0]);
	}
	struct train_answer less = answer("seq=8192 batch_tokens=4096"); /* half of one */
	cr_assert(less.refusal != NULL);
	cr_expect(strstr(less.refusal, "expected at least seq=8192 tokens") != NULL, "%s",
		less.refusal);
	cr_expect(zero(sz, less.search.n));
}

/* An A100 has no unit for FP8, an H100 has; BERT was trained for 512 tokens, and is an encoder. */
Test(train_goals, what_holds_for_every_layout)
{
	static const struct {
		const char *settings, *first;
		size_t n;
	} rows[] = {
		{ "gpu=a100 act_dtype=bf16", NULL, 0 },
		{ "gpu=h100 act_dtype=fp8", NULL, 0 },
		{ "gpu=a100 act_dtype=fp8", "A100-80 SXM has no unit for FP8", 1 },
		{ "model=bert-large", "BERT-large is an encoder", 1 },
		{ "model=bert-large seq=1024", "for sequences of 512 tokens, not of 1024", 2 },
		{ "model=gpt2 seq=1024", NULL, 0 },
		{ "model=gpt2 seq=2048 batch_tokens=4096",
			"for sequences of 1024 tokens, not of 2048", 1 },
		{ "model=bert-large seq=1024 gpu=a100 act_dtype=fp8",
			"A100-80 SXM has no unit for FP8", 3 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[256];
		snprintf(settings, sizeof settings, SMALL "%s", rows[i].settings);
		struct train_answer a = answer(settings);
		cr_expect(eq(sz, a.n_warnings, rows[i].n), "%s", rows[i].settings);
		if (rows[i].n && a.n_warnings)
			cr_expect(
				strstr(a.warnings[0], rows[i].first) != NULL, "%s", a.warnings[0]);
	}
}

/* What is pinned goes to the search, and is said as it is typed; 0 and "any" leave it open. */
Test(train_goals, pins_as_typed)
{
	double v[MAX_KNOBS];
	const char *typed = "tp=2 pp=1 cp=1 checkpointing=selective schedule=1f1b "
			    "virtual_stages=1 micro_batch=1";
	char settings[256];
	snprintf(settings, sizeof settings, SMALL "%s", typed);
	struct train_answer a = answer(settings);
	cr_assert(a.refusal == NULL, "%s", a.refusal);
	cr_expect(eq(dbl, a.goal.pins.tp, 2));
	cr_expect(eq(dbl, a.goal.pins.pp, 1));
	cr_expect(eq(dbl, a.goal.pins.cp, 1));
	cr_expect(eq(dbl, a.goal.pins.chunks, 1));
	cr_expect(eq(dbl, a.goal.pins.micro_batch, 1));
	cr_expect(eq(int, a.goal.pins.schedule, 1 + PIPELINE_1F1B));
	cr_expect(eq(int, a.goal.pins.recompute, 1 + RECOMPUTE_SELECTIVE));
	sim_set(&train_goals, &t, settings, v);
	char *said = (char *)arena_printf(&arena, " with %s", typed);
	cr_expect(eq(str, (char *)train_pins_text(v, &arena), said));
	sim_set(&train_goals, &t, SMALL "tp=any checkpointing=any micro_batch=0", v);
	cr_expect(eq(str, (char *)train_pins_text(v, &arena), ""));
}

/* Llama 3.2 1B has 16 layers and 32 heads. */
Test(train_goals, pins_that_nothing_can_keep)
{
	static const struct {
		const char *pins, *why;
	} rows[] = {
		{ "virtual_stages=2 schedule=1f1b", "virtual_stages=2: 1F1B has no chunks" },
		{ "virtual_stages=1 schedule=interleaved", "two chunks or more" },
		{ "pp=1 virtual_stages=2", "pp=1: chunks take a pipeline" },
		{ "pp=1 schedule=interleaved", "pp=1: chunks take a pipeline" },
		{ "tp=2 pp=2", "a replica takes 4 GPUs, of 2" },
		{ "gpus=64 tp=64", "tp=64: Llama-3.2-1B has 32 heads to share" },
		{ "gpus=64 pp=32", "pp=32: Llama-3.2-1B has 16 layers to share" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[256];
		snprintf(settings, sizeof settings, SMALL "%s", rows[i].pins);
		struct train_answer a = answer(settings);
		cr_assert(a.refusal != NULL, "%s", rows[i].pins);
		cr_expect(strstr(a.refusal, rows[i].why) != NULL, "%s", a.refusal);
	}
}

/* 64 stages wait for 8 micro-batches, or 32 for 16: (p - 1) / (m + p - 1) of a step is the bubble, over two
 * thirds. 16 times the batch fills them. */
Test(train_goals, a_batch_that_starves_the_gpus)
{
#define JOB "model=llama3-405b gpus=16384 software=compiled2024 schedule=1f1b "
	struct train_answer few = answer(JOB "tp=8 pp=32"),
			    many = answer(JOB "tp=8 pp=32 batch_tokens=67108864");
	cr_assert(few.starved != NULL);
	cr_expect(strncmp(few.starved, "512 sequences on 16,384 GPUs: 8 micro-batches a replica.",
			  56) == 0,
		"%s", few.starved);
	cr_assert(lt(sz, 0, many.search.n));
	cr_expect(many.starved == NULL, "%s", many.starved);
	cr_expect(answer(SMALL).search.n > 0);
#undef JOB
}

/* A model of a user's own file need not say what it was trained for. */
Test(train_goals, a_model_that_says_no_context)
{
	for (size_t i = 0; i < t.n_models; i++)
		t.models[i].context = 0;
	cr_expect(zero(sz, answer(SMALL "seq=1024").n_warnings));
}

/* 1000 tokens/s of each of 10 GPUs: 3.6e9 tokens take 360,000 s, which are 100 hours. */
Test(train_goals, hours_by_hand)
{
	struct train_answer a = { .tokens = 3.6e9, .goal = { .gpus = 10 } };
	struct train_plan p = { .tokens_per_s = 1000 };
	cr_expect(epsilon_eq(dbl, train_hours(&a, &p), 100, 1e-9));
}

/* Chunks, context groups and ZeRO are named where there are any. */
Test(train_goals, a_layout_in_words)
{
	static const struct {
		struct plan_setup setup;
		double dp;
		const char *words;
	} rows[] = {
		{ { .tp = 8,
			  .pp = 2,
			  .chunks = 4,
			  .cp = 1,
			  .zero = 1,
			  .batch = 1,
			  .recompute = RECOMPUTE_SELECTIVE },
			4,
			"TP 8 x PP 2 in 4 chunks x DP 4, ZeRO-1, micro-batch 1, selective "
			"recomputation" },
		{ { .tp = 1,
			  .pp = 1,
			  .chunks = 1,
			  .cp = 1,
			  .batch = 2,
			  .recompute = RECOMPUTE_NONE },
			16, "TP 1 x PP 1 x DP 16, micro-batch 2, nothing runs again" },
		{ { .tp = 2,
			  .pp = 3,
			  .chunks = 2,
			  .cp = 2,
			  .zero = 3,
			  .batch = 8,
			  .recompute = RECOMPUTE_FULL },
			1,
			"TP 2 x PP 3 in 2 chunks x CP 2 x DP 1, ZeRO-3, micro-batch 8, full "
			"recomputation" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct train_plan p = { .setup = rows[i].setup, .dp = rows[i].dp };
		cr_expect(eq(str, (char *)train_layout_text(&p, &arena), (char *)rows[i].words));
	}
}

/* A plan of 750 tokens/s beside the best of 1000 is 25 % slower, and loses by what takes the most
 * more time of a token than it takes there, not by what takes the most. */
Test(train_goals, why_a_plan_loses)
{
	static const struct {
		enum step_part part;
		const char *words;
	} rows[] = {
		{ SPENT_PRODUCTS, "25 % slower: products too thin" },
		{ SPENT_ATTENTION, "25 % slower: attention in thinner pieces" },
		{ SPENT_RECOMPUTE, "25 % slower: layers run again" },
		{ SPENT_EXCHANGE, "25 % slower: gradients exchanged" },
		{ SPENT_PIPELINE, "25 % slower: the bubble" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct train_answer a = { .search = { .n = 1 } };
		struct train_plan p = { .tokens_per_s = 750 };
		a.search.best[0].tokens_per_s = 1000;
		for (size_t k = 0; k < N_SPENT; k++) {
			/* one millisecond more of everything, two more of the one that it is */
			a.search.best[0].spent_s[k] = 0.001 * (double)(N_SPENT - k) * 5;
			p.spent_s[k] = a.search.best[0].spent_s[k] + 0.001;
		}
		p.spent_s[rows[i].part] += 0.001;
		cr_expect(eq(str, (char *)train_fate_text(&a, &p, &arena), (char *)rows[i].words));
	}
}

/* What opens the layout in the simulation: one chunk is 1F1B, several are interleaved. */
Test(train_goals, a_plan_as_settings)
{
	double v[MAX_KNOBS];
	sim_set(&train_goals, &t, SMALL "act_dtype=fp8 inter_GBps=25 latency_us=8 gpus_per_node=4",
		v);
	struct train_answer a = { .goal = { .gpus = 16 } };
	struct train_plan p = { .setup = { .model = model_find(&t, "llama3-8b"),
					.gpu = gpu_find(&t, "a100"),
					.net = { .gpus_per_node = 4 },
					.tp = 2,
					.pp = 4,
					.cp = 1,
					.zero = 1,
					.chunks = 2,
					.micro_batches = 8,
					.batch = 4,
					.seq = 512,
					.recompute = RECOMPUTE_FULL } };
	cr_expect(eq(str, (char *)train_settings(&a, v, &p, &arena),
		"strategy=3d model=llama3-8b gpu=a100 gpus=16 tp=2 pp=4 cp=1 zero=1 "
		"schedule=interleaved virtual_stages=2 micro_batches=8 batch=4 seq=512 "
		"checkpointing=full act_dtype=fp8 software=megatron2025 gpus_per_node=4 "
		"inter_GBps=25 latency_us=8"));
	p.setup.chunks = 1;
	cr_expect(
		strstr(train_settings(&a, v, &p, &arena), "schedule=1f1b micro_batches=8") != NULL);
}
