/* Parallel training: the plan by hand, and the order in which a pipeline works. */
#include "sims/formulas/communication.h"
#include "sims/scaling/parallel_plan.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>

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

TestSuite(parallelism, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(sim_find("parallelism"), &facts, settings, id);
}

/* Qwen3-30B-A3B has 30,532,122,624 parameters, of which 48 x 128 x 3 x 2,048 x 768 = 28,991,029,248 are
 * routed experts: of eight groups each holds 3,623,878,656 of them and the 1,541,093,376 others. */
Test(parallelism, experts_are_dealt_to_groups)
{
#define MIXTURE "model=qwen3-30b-a3b gpu=h100 gpus=8 tp=1 pp=1 micro_batches=1 "
	static const struct {
		const char *settings, *value;
		double want, tolerance;
	} rows[] = {
		{ MIXTURE "zero=0 ep=1", "weights_GB", 61.064, 0.001 },
		{ MIXTURE "zero=0 ep=8", "weights_GB", 10.330, 0.001 },
		{ MIXTURE "zero=0 ep=8", "optimizer_GB", 61.980, 0.001 },
		/* Nobody else holds these experts: ZeRO shards the rest alone. */
		{ MIXTURE "zero=1 ep=8", "optimizer_GB", 45.798, 0.001 },
		/* Two hold the same: 7,247,757,312 / 2 and 1,541,093,376 / 8, of 12 B. */
		{ MIXTURE "zero=1 ep=4", "optimizer_GB", 45.798, 0.001 },
		{ MIXTURE "zero=0 ep=4", "weights_GB", 17.578, 0.001 },
		/* auto: the node of eight; a rack of GB200 has more, but there are eight GPUs */
		{ MIXTURE "", "ep", 8, 0 },
		{ "model=qwen3-30b-a3b gpu=gb200 gpus=64 tp=1 pp=1", "ep", 64, 0 },
		/* a tensor group of two around whole experts */
		{ "model=qwen3-30b-a3b gpus=8 tp=2 pp=1 zero=0 ep=8", "weights_GB", 8.789, 0.001 },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		cr_expect(epsilon_eq(dbl, value_of(rows[i].settings, rows[i].value), rows[i].want,
				  rows[i].tolerance + 1e-9),
			"%s: %s is %g", rows[i].settings, rows[i].value,
			value_of(rows[i].settings, rows[i].value));
	/* Groups are nothing to a dense model. */
	cr_expect(eq(dbl, value_of("model=llama2-70b ep=8", "tokens_per_s"),
		value_of("model=llama2-70b", "tokens_per_s")));
}

/* DeepSeek-V3 in the layout of its report: 16 stages, experts in 64 groups over 8 nodes, tokens that
 * travel unseen, FP8, 15,360 sequences of 4,096. It took 2.664 M hours of H800 for 14.8T tokens: 1,543
 * tokens a second of each. */
Test(parallelism, deepseek_v3_trains_as_reported)
{
	double rate =
		value_of("model=deepseek-v3 gpu=h800 gpus=2048 tp=1 pp=16 ep=64 act_dtype=fp8 "
			 "micro_batches=120 seq=4096 inter_GBps=50 dispatch_overlap=on",
			"tokens_per_s");
	cr_expect(epsilon_eq(dbl, rate / (14.8e12 / 2.664e6 / 3600), 1, 0.25), "%g", rate);
}

/* Llama 3 405B as its report has it (2024, table 4): 430 TFLOP/s of each of 8,192 H100, 400 of 16,384,
 * and 380 with sequences of 131,072 tokens over context groups of 16, in steps of 16 M tokens. It does
 * not say how many pieces a stage was cut into; four are the fewest with which a pipeline of 16 fills
 * quickly enough. One software for all three. */
Test(parallelism, llama_405b_trains_as_reported)
{
	static const struct {
		const char *mesh;
		double tflops;
	} rows[] = {
		{ "gpus=8192 micro_batches=32 seq=8192", 430 },
		{ "gpus=16384 micro_batches=16 seq=8192", 400 },
		{ "gpus=16384 cp=16 micro_batches=16 seq=131072", 380 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[256];
		snprintf(settings, sizeof settings,
			"model=llama3-405b gpu=h100 inter_GBps=50 tp=8 pp=16 "
			"schedule=interleaved virtual_stages=4 software=compiled2024 %s",
			rows[i].mesh);
		double tflops = 989.4 * value_of(settings, "mfu_pct") / 100;
		cr_expect(epsilon_eq(dbl, tflops / rows[i].tflops, 1, 0.15), "%s: %g TFLOP/s",
			rows[i].mesh, tflops);
	}
}

/* The same in the schedule and the recipe that it ran, DualPipe and blocks: without anything run again, of which the report runs
 * a little (norms and what comes out of latents). A GPU has two pieces of the model in place of one, and
 * one more micro-batch than stages; over twice as many GPUs ZeRO leaves as much of the optimizer. */
Test(parallelism, deepseek_v3_trains_in_dualpipe)
{
	static const char *const job = "model=deepseek-v3 gpu=h800 gpus=2048 tp=1 pp=16 ep=64 "
				       "act_dtype=fp8_block micro_batches=120 seq=4096 "
				       "inter_GBps=50 ";
	char dual[200], plain[200], hidden[200];
	snprintf(dual, sizeof dual, "%s schedule=dualpipe", job);
	snprintf(plain, sizeof plain, "%s schedule=1f1b", job);
	snprintf(hidden, sizeof hidden, "%s schedule=1f1b dispatch_overlap=on", job);
	double rate = value_of(dual, "tokens_per_s");
	cr_expect(epsilon_eq(dbl, rate / (14.8e12 / 2.664e6 / 3600), 1, 0.1), "%g", rate);
	cr_expect(lt(dbl, value_of(plain, "tokens_per_s"), rate));
	/* It hides nearly as much as what hides everything for nothing. */
	cr_expect(lt(dbl, value_of(dual, "dispatch_ms"), value_of(plain, "dispatch_ms") / 3));
	cr_expect(lt(dbl, value_of(dual, "bubble_pct"), value_of(hidden, "bubble_pct")));
	cr_expect(eq(dbl, value_of(dual, "in_flight"), 17));
	static const char *const twice[] = { "weights_GB", "gradients_GB" };
	for (size_t i = 0; i < COUNT(twice); i++)
		cr_expect(epsilon_eq(dbl, value_of(dual, twice[i]) / value_of(plain, twice[i]), 2,
				  0.1),
			"%s", twice[i]);
	cr_expect(epsilon_eq(
		dbl, value_of(dual, "optimizer_GB") / value_of(plain, "optimizer_GB"), 1, 0.05));
}

/* Over a network of 1 GB/s tokens travel for longer than anything is computed. In 1F1B all of their way
 * shows; what DualPipe hides of it is the computing of the same stages, which has no more to hide behind it:
 * what is left of a step without its bubble and without what shows of the network. */
Test(parallelism, dualpipe_hides_no_more_than_is_computed)
{
	static const char *const job = "model=deepseek-v3 gpu=h800 gpus=2048 tp=1 pp=16 ep=64 "
				       "act_dtype=fp8_block micro_batches=120 seq=4096 "
				       "inter_GBps=1 ";
	char dual[200], plain[200];
	snprintf(dual, sizeof dual, "%s schedule=dualpipe", job);
	snprintf(plain, sizeof plain, "%s schedule=1f1b", job);
	double busy_ms = value_of(plain, "step_ms") * (1 - value_of(plain, "bubble_pct") / 100);
	double computed_ms = busy_ms - value_of(plain, "exposed_ms");
	double hidden_ms = value_of(plain, "dispatch_ms") - value_of(dual, "dispatch_ms");
	cr_expect(epsilon_eq(dbl, hidden_ms / computed_ms, 1, 0.02), "%g of %g ms", hidden_ms,
		computed_ms);
}

/* 80 layers of 4 stages: 20 forward and 20 backward on each of two pieces. Both directions of a dense
 * model have nothing to hide, and the bubble is the published one. Odd stages cannot be folded. */
Test(parallelism, dualpipe_of_a_dense_model)
{
	static const char *const even = "schedule=dualpipe transfers=off micro_batches=16 ";
	cr_expect(eq(dbl, value_of(even, "in_flight"), 5));
	cr_expect(epsilon_eq(dbl, value_of(even, "weights_GB"),
		2 * value_of("micro_batches=16 transfers=off", "weights_GB"),
		0.05 * value_of(even, "weights_GB")));
	cr_expect(epsilon_eq(dbl, value_of(even, "bubble_pct"),
			  value_of(even, "bubble_formula_pct"), 1),
		"%g, %g", value_of(even, "bubble_pct"), value_of(even, "bubble_formula_pct"));
	struct figure fig =
		sim_run(sim_find("parallelism"), &facts, "schedule=dualpipe pp=3 gpus=24");
	cr_expect(figure_has_note(&fig, "3 are odd"));
	figure_release(&fig);
	/* Eight micro-batches for four stages are what it takes; four are too few. */
	cr_expect(eq(dbl, value_of("schedule=dualpipe micro_batches=4", "global_batch"), 16));
	cr_expect(eq(dbl, value_of("schedule=dualpipe pp=3 gpus=24", "step_ms"),
		value_of("schedule=1f1b pp=3 gpus=24", "step_ms")));
}

/* Llama-2 70B has 68,976,648,192 parameters, 80 layers, a width of 8,192; 7B has 6,738,415,616,
 * 32 layers, 4,096. */
Test(parallelism, check_values)
{
	static const struct {
		const char *settings, *value;
		double want, tolerance;
	} rows[] = {
		/* F5.6: 3 of 11; interleaved, 3 of 32 + 3 */
		{ "", "bubble_formula_pct", 27.27, 0.01 },
		{ "schedule=gpipe", "bubble_formula_pct", 27.27, 0.01 },
		{ "schedule=interleaved virtual_stages=4", "bubble_formula_pct", 8.571, 0.001 },
		{ "", "in_flight", 4, 0 },
		{ "schedule=gpipe", "in_flight", 8, 0 },
		{ "strategy=ddp", "bubble_pct", 0, 1e-9 },
		/* C6: 2, 2 and 12 B over 64 */
		{ "strategy=zero3", "weights_GB", 2.1555, 0.0001 },
		{ "strategy=zero3", "gradients_GB", 2.1555, 0.0001 },
		{ "strategy=zero3", "optimizer_GB", 12.933, 0.001 },
		{ "strategy=zero2", "weights_GB", 137.95, 0.01 },
		{ "strategy=zero2", "gradients_GB", 2.1555, 0.0001 },
		{ "strategy=zero1", "gradients_GB", 137.95, 0.01 },
		{ "strategy=zero1", "optimizer_GB", 12.933, 0.001 },
		{ "strategy=ddp", "optimizer_GB", 827.72, 0.01 },
		{ "strategy=tp", "weights_GB", 2.1555, 0.0001 },
		/* F5.4: 2 and 3 x 63/64 of 13.477 GB */
		{ "strategy=ddp model=llama2-7b", "traffic_GB", 26.53, 0.01 },
		{ "strategy=zero3 model=llama2-7b micro_batches=1", "traffic_GB", 39.80, 0.01 },
		{ "strategy=zero3 model=llama2-7b micro_batches=4", "traffic_GB", 159.2, 0.05 },
		/* F5.7: 4 x 32 x 7/4 x 67.1 MB */
		{ "strategy=tp model=llama2-7b gpus=8 batch=4 seq=2048 micro_batches=1",
			"traffic_GB", 15.032, 0.001 },
		/* A layer keeps input, two norms, residual, query, context (8,192 each), key and
		 * value (1,024), gate, its activation, up and their product (28,672), of 2 B, and 4
		 * B a head: 332,032 B a token; of 4,096 tokens and 80 layers */
		{ "strategy=ddp", "activations_GB", 108.800, 0.001 },
		{ "strategy=tp", "activations_GB", 1.7, 0.0001 },
		/* input, norms and residual whole: 65,536 + 266,496 / 64 B a token */
		{ "strategy=tp sequence_parallel=off", "activations_GB", 22.839, 0.001 },
		/* 16,384 B a token and layer, and one layer whole */
		{ "strategy=ddp checkpointing=full", "activations_GB", 6.7287, 0.0001 },
		/* 20 layers of 4 micro-batches, an 8th */
		{ "", "activations_GB", 13.6, 0.0001 },
		/* a context group of 4 takes 4 more parts, and leaves a replica of 128 GPUs */
		{ "cp=4 gpus=128", "activations_GB", 3.4, 0.0001 },
		{ "cp=4 gpus=128", "dp", 1, 0 },
		/* hybrid: 16 B over 8 of 64 GPUs */
		{ "strategy=zero3 shard=8", "optimizer_GB", 103.465, 0.001 },
		{ "", "dp", 2, 0 },
		{ "", "global_batch", 16, 0 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl, value_of(rows[i].settings, rows[i].value), rows[i].want,
				  rows[i].tolerance),
			"%s: %s", rows[i].settings, rows[i].value);
}

/* What the sentence is about is the first number beside the figure. */
Test(parallelism, sentence_and_first_value)
{
	static const struct {
		const char *settings, *first, *said;
	} rows[] = {
		/* of 3 and 8 by the formula 8 are work, and of 16 it leaves 3 of 19, 15.8 %; the
		 * last stage has the vocabulary besides */
		{ "", "bubble_pct",
			"% of the time, the bubble: twice the micro-batches leave 16 %." },
		/* 16 B x 68.98e9 are 1,104 GB, 109 of activations and 14 B for each of 4,096 x
		 * 32,000 logits */
		{ "strategy=ddp", "memory_GB", "1,214 GB of 80" },
		{ "strategy=tp", "exposed_ms", "the tensor group leaves the node" },
		/* 3 of 67 by the formula, and a little for the vocabulary */
		{ "micro_batches=64", "memory_GB", "the bubble takes 5." },
		{ "gpus=1", "memory_GB", "There is one GPU, and one replica takes 32: 8 x 4 x 1." },
		{ "gpus=8", "memory_GB", "There are 8 GPUs, and one replica takes 32: 8 x 4 x 1." },
		{ "gpus=48", "memory_GB", "16 of 48 GPUs stand idle: replicas take 32 each" },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim_find("parallelism"), &facts, rows[i].settings);
		cr_expect(eq(str, (char *)fig.values[0].id, (char *)rows[i].first), "%s",
			rows[i].settings);
		cr_expect(
			strstr(fig.why, rows[i].said) != NULL, "%s: %s", rows[i].settings, fig.why);
		figure_release(&fig);
	}
}

/* The gap between the bubble that ran and the formula's is the vocabulary of the last stage, 32,000 x
 * 8,192 beside 20 layers of 855,638,016, and hand-overs: at most 2 % of the step. */
Test(parallelism, the_bubble_is_nearly_the_formulas)
{
	static const char *const settings[] = { "", "schedule=gpipe", "micro_batches=32",
		"schedule=interleaved virtual_stages=4", "gpu=h100", "gpus=128" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		double ran = value_of(settings[i], "bubble_pct");
		double formula = value_of(settings[i], "bubble_formula_pct");
		cr_expect(lt(dbl, formula, ran), "%s", settings[i]);
		cr_expect(lt(dbl, ran, formula + 2), "%s", settings[i]);
	}
	cr_expect(eq(dbl, value_of("gpus=128", "bubble_pct"), value_of("", "bubble_pct")));
}

/* The layout of Llama 3's report fits with attention run again, and the verdict says with how much; of one GPU's
 * weights nothing that runs again makes room. */
Test(parallelism, what_does_not_fit_says_what_would)
{
	static const char *const set =
		"model=llama3-405b gpu=h100 gpus=16384 tp=8 pp=16 schedule=interleaved "
		"virtual_stages=8 micro_batches=16 seq=8192 ";
	char again[256], said[64];
	snprintf(again, sizeof again, "%s checkpointing=selective", set);
	double memory_gb = sim_number(sim_find("parallelism"), &facts, again, "memory_GB");
	cr_assert(lt(dbl, memory_gb, 80));
	snprintf(said, sizeof said, " Selective recomputation takes %.3g GB.", memory_gb);
	struct figure none = sim_run(sim_find("parallelism"), &facts, set),
		      ddp = sim_run(sim_find("parallelism"), &facts, "strategy=ddp");
	cr_expect(strstr(none.why, said) != NULL, "%s, not %s", none.why, said);
	cr_expect(strstr(ddp.why, "recomputation takes") == NULL, "%s", ddp.why);
	figure_release(&none);
	figure_release(&ddp);
}

/* MFU counts the GPUs that are paid for: never above 1, even where one replica takes more GPUs than
 * there are, and less where some stand idle. */
Test(parallelism, mfu_counts_what_is_paid)
{
	static const char *const settings[] = { "gpus=8", "gpus=1 tp=8 pp=16 gpu=h100",
		"strategy=ddp", "strategy=ddp model=llama3.2-1b", "act_dtype=fp8 gpu=h100",
		"act_dtype=fp4 gpu=b200 software=pytorch2023" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		cr_expect(lt(dbl, 0, value_of(settings[i], "mfu_pct")), "%s", settings[i]);
		cr_expect(lt(dbl, value_of(settings[i], "mfu_pct"), 85), "%s", settings[i]);
	}
	/* 32 of 48 GPUs do what 32 of 32 do. */
	cr_expect(epsilon_eq(dbl, value_of("gpus=48", "mfu_pct"),
		value_of("gpus=32", "mfu_pct") * 32 / 48, 1e-9));
}

/* 80 layers in 64 pieces, 4 on each of 16 stages: each stage takes 5. 126 on 16: 14 take 8, the ends
 * 7, as Megatron deals them when it counts embedding and loss as a layer each. */
Test(parallelism, layers_are_dealt_evenly)
{
	static const struct {
		const char *model;
		double chunks, ends, middle;
	} rows[] = { { "llama3-70b", 4, 5, 5 }, { "llama3-405b", 4, 7, 8 },
		{ "llama3-405b", 5, 7, 8 }, { "llama3-405b", 7, 7, 8 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct accelerator *g = gpu_find(&facts, "h100");
		struct arena arena = { 0 };
		struct parallel_plan plan;
		struct plan_setup s = { .model = model_find(&facts, rows[i].model),
			.gpu = g,
			.net = network_measured(g->family, 8, g->link_bandwidth, 50e9, 5e-6),
			.strategy = PLAN_3D,
			.gpus = 128,
			.tp = 8,
			.pp = 16,
			.cp = 1,
			.schedule = PIPELINE_INTERLEAVED,
			.micro_batches = 64,
			.chunks = rows[i].chunks,
			.batch = 1,
			.seq = 8192,
			.dtype = DTYPE_BF16,
			.software.date = SOFTWARE_2025,
			.sequence_parallel = true };
		cr_assert(plan_make(&s, &plan, &arena));
		double next = 0;
		for (size_t c = 0; c < (size_t)rows[i].chunks; c++)
			for (size_t stage = 0; stage < 16; stage++) {
				double first, end;
				plan_layers(&plan, stage, c, &first, &end);
				cr_expect(eq(dbl, first, next));
				next = end;
			}
		cr_expect(eq(dbl, next, s.model->layers));
		for (size_t stage = 0; stage < 16; stage++) {
			double layers = 0, first, end;
			for (size_t c = 0; c < (size_t)rows[i].chunks; c++) {
				plan_layers(&plan, stage, c, &first, &end);
				layers += end - first;
			}
			bool is_end = stage == 0 || stage == 15;
			cr_expect(eq(dbl, layers, is_end ? rows[i].ends : rows[i].middle));
		}
		arena_release(&arena);
	}
}

/* Whatever a table counts, all stages together hold it: 32 layers of 12 x 4096^2 are 6.44e9
 * parameters, and two matrices of 32,000 words of 4096 values, 131,072,000, make it 6.7e9; 7e9 has
 * more beside its layers. 3e9 and 20e9 say how large a layer is, beside one such matrix: where there
 * are several stages the first has it and the last, too. */
Test(parallelism, all_stages_hold_what_the_table_counts)
{
	static const double counts[] = { 3e9, 6.7e9, 7e9, 20e9 };
	static const double again[] = { 131072000, 0, 0, 131072000 };
	for (size_t i = 0; i < COUNT(counts); i++)
		for (double pp = 1; pp <= 4; pp *= 2) {
			struct model m = *model_find(&facts, "llama-7b");
			const struct accelerator *g = gpu_find(&facts, "a100");
			struct arena arena = { 0 };
			struct parallel_plan plan;
			m.params = counts[i];
			m.ffn = 4 * m.hidden;
			m.gated = 0;
			struct plan_setup s = { .model = &m,
				.gpu = g,
				.net = network_measured(
					g->family, 8, g->link_bandwidth, 50e9, 5e-6),
				.strategy = PLAN_3D,
				.gpus = pp,
				.tp = 1,
				.pp = pp,
				.cp = 1,
				.micro_batches = 4,
				.chunks = 1,
				.batch = 1,
				.seq = 512,
				.dtype = DTYPE_BF16,
				.software.date = SOFTWARE_2025 };
			cr_assert(plan_make(&s, &plan, &arena));
			double bytes = 0;
			for (size_t k = 0; k < (size_t)pp; k++)
				bytes += plan.part_bytes[k * N_PLAN_PARTS + PLAN_WEIGHTS];
			double want = 2 * (counts[i] + (pp > 1 ? again[i] : 0));
			cr_expect(epsilon_eq(dbl, bytes, want, 1e-9 * want),
				"%g parameters in %g stages: %g B", counts[i], pp, bytes);
			arena_release(&arena);
		}
}

/* The step of the plan, whose pipeline runs work by work, is the step of the model, which has the
 * pipeline in closed form: within 3 % where nothing is handed over. */
Test(parallelism, the_plan_and_the_model_agree)
{
	static const struct {
		double tp, pp, micro_batches, chunks;
		int zero;
	} rows[] = { { 1, 1, 4, 1, 3 }, { 8, 1, 8, 1, 1 }, { 8, 4, 32, 1, 1 }, { 8, 8, 64, 5, 1 },
		{ 2, 8, 16, 1, 0 } };
	const struct accelerator *g = gpu_find(&facts, "h100");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct arena arena = { 0 };
		struct parallel_plan plan;
		struct plan_setup s = { .model = model_find(&facts, "llama3-70b"),
			.gpu = g,
			.net = network_measured(g->family, 8, g->link_bandwidth, 50e9, 5e-6),
			.strategy = PLAN_3D,
			.gpus = 256,
			.tp = rows[i].tp,
			.pp = rows[i].pp,
			.cp = 1,
			.zero = rows[i].zero,
			.schedule = rows[i].chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B,
			.micro_batches = rows[i].micro_batches,
			.chunks = rows[i].chunks,
			.batch = 1,
			.seq = 8192,
			.dtype = DTYPE_BF16,
			.software.date = SOFTWARE_2025,
			.sequence_parallel = true };
		cr_assert(plan_make(&s, &plan, &arena));
		double transfers_s =
			2 * rows[i].micro_batches * rows[i].chunks * plan.time.transfer_s;
		cr_expect(epsilon_eq(dbl, plan.step_s, plan.time.step_s - transfers_s,
				  0.03 * plan.step_s),
			"row %zu", i);
		arena_release(&arena);
	}
}

/* Four stages of 20 of the 80 layers: each holds three of the twelve slices of every kind, and no
 * two stages the same ones. Of 64 copies two are shown, and each holds everything. */
Test(parallelism, holders)
{
	static const struct {
		const char *settings, *names[4];
		unsigned from[4], to[4];
	} rows[] = {
		{ "", { "stage 0", "stage 1", "stage 2", "stage 3" }, { 0, 3, 6, 9 },
			{ 3, 6, 9, 12 } },
		{ "strategy=ddp", { "GPU 0", "GPU 63" }, { 0, 0 }, { 12, 12 } },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim_find("parallelism"), &facts, rows[i].settings);
		const struct grid *g = NULL;
		for (size_t b = 0; b < fig.n_blocks; b++)
			if (fig.blocks[b]->kind == BLOCK_GRID)
				g = &fig.blocks[b]->as.grid;
		cr_assert(g && g->rows == (rows[i].names[2] ? 4 : 2) && g->cols == 51);
		for (size_t r = 0; r < g->rows; r++) {
			cr_expect(eq(str, (char *)g->row_names[r], (char *)rows[i].names[r]));
			for (size_t c = 0; c < 51; c++) {
				size_t slice = c % 13;
				bool held = slice < 12 && slice >= rows[i].from[r] &&
					    slice < rows[i].to[r];
				cr_expect(eq(int, g->cells[r * 51 + c] != 0, held), "%s: %zu, %zu",
					rows[i].settings, r, c);
			}
		}
		figure_release(&fig);
	}
}

/* The bubble is painted: what the four stages wait, in grey and by name, is the share that the value
 * says; so is that of chunks. The first knob is the one that fills it, which is what the screen asks to turn.
 * Activations have one colour, in the grid of holders and in the bars of bytes. */
Test(parallelism, the_bubble_is_painted)
{
	static const struct {
		const char *settings;
	} rows[] = { { "" }, { "schedule=gpipe" }, { "schedule=zero_bubble" },
		{ "schedule=interleaved virtual_stages=4" } };
	const struct sim *sim = sim_find("parallelism");
	cr_expect(eq(str, (char *)sim->knobs[sim->story[0]].id, "micro_batches"));
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim, &facts, rows[i].settings);
		cr_assert(fig.blocks[0]->kind == BLOCK_TIMELINE);
		const struct timeline *t = &fig.blocks[0]->as.timeline;
		double waits_s = 0, all_s = 0;
		for (size_t k = 0; k < t->n_spans; k++) {
			const struct span *s = &t->spans[k];
			bool waits = t->means[s->kind] == MEANS_WAITING;
			/* the network's lane, and what follows the pipeline */
			if (s->lane == 4 || t->means[s->kind] == MEANS_FIXED)
				continue;
			/* The bubble ends with backward: what is waited for then is the network. */
			if (t->means[s->kind] == MEANS_NETWORK)
				continue;
			all_s += s->end - s->start;
			waits_s += waits ? s->end - s->start : 0;
			if (waits)
				cr_expect(eq(str, (char *)t->kind_names[s->kind], "bubble"));
		}
		cr_expect(epsilon_eq(dbl, waits_s / all_s,
				  figure_find(&fig, "bubble_pct")->value / 100, 1e-4),
			"%s", rows[i].settings);
		figure_release(&fig);
	}
	struct figure fig = sim_run(sim, &facts, "strategy=ddp");
	cr_assert(fig.blocks[0]->kind == BLOCK_BARS && fig.blocks[1]->kind == BLOCK_GRID);
	const struct grid *g = &fig.blocks[1]->as.grid;
	cr_expect(fig.blocks[0]->as.bars.means[3] == g->means[g->cells[3 * 13]]);
	figure_release(&fig);
}

/* Under 1F1B the first of four stages has four micro-batches in hand, the last one: the fullest and the
 * emptiest. The line is at the card's end, so that their lengths are shares of the card. */
Test(parallelism, the_fullest_stage_beside_the_emptiest)
{
	const struct sim *sim = sim_find("parallelism");
	struct figure fig = sim_run(sim, &facts, "");
	cr_assert(eq(str, (char *)block_name(fig.blocks[1]), "Stages"));
	const struct bars *b = &fig.blocks[1]->as.bars;
	cr_expect(eq(str, (char *)b->title, "Memory (line: 80 GB)"));
	cr_expect(epsilon_eq(dbl, b->limit, 80, 1e-9));
	cr_assert(eq(sz, b->n_bars, 2));
	cr_expect(eq(str, (char *)b->bars[0].label, "stage 0"));
	cr_expect(eq(str, (char *)b->bars[0].note, "fullest, 4 micro-batches in hand"));
	cr_expect(eq(str, (char *)b->bars[1].label, "stage 3"));
	cr_expect(eq(str, (char *)b->bars[1].note, "emptiest, 1 micro-batch in hand"));
	double sum = 0;
	for (size_t i = 0; i < b->n_parts; i++)
		sum += b->bars[0].parts[i];
	cr_expect(epsilon_eq(dbl, sum, figure_number(&fig, "memory_GB"), 1e-9));
	figure_release(&fig);
	/* A batch of 16 has 16 times the activations. */
	fig = sim_run(sim, &facts, "batch=16");
	cr_expect(epsilon_eq(dbl, fig.blocks[1]->as.bars.limit, 80, 1e-9));
	figure_release(&fig);
}

/* What is exchanged between replicas has one colour in the schedule and in the bars of traffic, and
 * nothing that is sent has one of what lies in memory. */
Test(parallelism, what_is_sent_and_what_is_held_have_colours_of_their_own)
{
	struct figure fig = sim_run(sim_find("parallelism"), &facts, "");
	const struct bars *memory = &figure_block(&fig, BLOCK_BARS, "Memory")->as.bars;
	const struct bars *traffic = &figure_block(&fig, BLOCK_BARS, "Traffic")->as.bars;
	for (size_t i = 0; i < traffic->n_parts; i++)
		for (size_t k = 0; k < memory->n_parts; k++)
			cr_expect(traffic->means[i] != memory->means[k], "%s and %s",
				traffic->part_names[i], memory->part_names[k]);
	const struct timeline *t = &fig.blocks[0]->as.timeline;
	for (size_t i = 0; i < t->n_kinds; i++)
		if (strcmp(t->kind_names[i], "all-reduce") == 0)
			cr_expect(t->means[i] == traffic->means[0]);
	/* The share by the formula is that of filling and draining equal stages, 3 of 11. */
	cr_expect(eq(
		str, (char *)figure_find(&fig, "bubble_formula_pct")->label, "with equal stages"));
	cr_expect(epsilon_eq(dbl, figure_number(&fig, "bubble_formula_pct"), 300. / 11, 1e-9));
	/* Tensor slices of 8 GPUs; the optimizer is dealt over 2 replicas as well. */
	const struct grid *g = &figure_block(&fig, BLOCK_GRID, NULL)->as.grid;
	cr_expect(eq(str, (char *)g->kind_names[g->cells[0]], "a tensor slice, 1/8"));
	cr_expect(eq(str, (char *)g->kind_names[g->cells[2 * 13]], "a shard of a slice, 1/16"));
	figure_release(&fig);
}

enum { MOST = 1024 };

/* Every chunk takes 1 forward and 2 backward, over `chunks`. */
static bool even_run(enum pipeline_kind kind, size_t p, size_t m, size_t v, struct pipeline *out,
	struct arena *arena)
{
	double forward[MOST], backward[MOST], weights[MOST], held[MOST];
	for (size_t i = 0; i < p * v; i++) {
		weights[i] = 1.0 / (double)v;
		forward[i] = 1.0 / (double)v;
		backward[i] = 2.0 / (double)v;
		held[i] = 1.0 / (double)v;
	}
	return pipeline_run(&(struct pipeline_setup){ .kind = kind,
				    .stages = p,
				    .micro_batches = m,
				    .chunks = v,
				    .forward_s = forward,
				    .backward_s = backward,
				    .weights_s = weights,
				    .held_bytes = held },
		out, arena);
}

static void expect_bubble(enum pipeline_kind kind, size_t p, size_t m, size_t v)
{
	struct arena arena = { 0 };
	struct pipeline out;
	cr_assert(even_run(kind, p, m, v, &out, &arena), "%d: %zu %zu %zu stuck", kind, p, m, v);
	double want = CALL(pipeline_bubble, .stages = (double)p, .microbatches = (double)(m * v));
	double overhead = CALL(interleaved_overhead, .stages = (double)p, .microbatches = (double)m,
		.chunks = (double)v);
	cr_expect(epsilon_eq(dbl, out.bubble, want, 1e-9), "%d: %zu %zu %zu", kind, p, m, v);
	cr_expect(epsilon_eq(dbl, out.time_s, 3 * (double)m * (1 + overhead), 1e-9 * out.time_s));
	for (size_t i = 0; i < p && v == 1; i++) {
		double live = kind == PIPELINE_GPIPE
				      ? (double)m
				      : CALL(in_flight_microbatches, .stages = (double)(p - i),
						.microbatches = (double)m);
		cr_expect(epsilon_eq(dbl, out.in_flight[i], live, 1e-9), "%zu %zu", p, m);
		cr_expect(epsilon_eq(dbl, out.held_bytes[i], live, 1e-9), "%zu %zu", p, m);
	}
	arena_release(&arena);
}

/* F5.6, measured. */
Test(pipeline, bubble_is_the_formulas)
{
	for (size_t p = 1; p <= 12; p++)
		for (size_t m = 1; m <= 24; m++) {
			expect_bubble(PIPELINE_GPIPE, p, m, 1);
			expect_bubble(PIPELINE_1F1B, p, m, 1);
		}
	for (size_t p = 2; p <= 8; p++)
		for (size_t groups = 1; groups <= 4; groups++)
			for (size_t v = 2; v <= 5; v++)
				expect_bubble(PIPELINE_INTERLEAVED, p, groups * p, v);
}

/* Qi et al. (2023): with forward F, backward B and gradients of weights W of one length, 1F1B has a
 * bubble of (p - 1)(F + B + W), ZB-H1 of (p - 1)(F + B - W), and holds no more than p. */
Test(pipeline, zero_bubble_has_a_third)
{
	for (size_t p = 2; p <= 8; p++)
		for (size_t m = 2 * p; m <= 4 * p; m += p) {
			struct arena arena = { 0 };
			struct pipeline out;
			cr_assert(even_run(PIPELINE_ZERO_BUBBLE, p, m, 1, &out, &arena));
			cr_expect(
				epsilon_eq(dbl, out.time_s, 3 * (double)m + (double)(p - 1), 1e-9),
				"%zu %zu: %g", p, m, out.time_s);
			for (size_t i = 0; i < p; i++)
				cr_expect(le(dbl, out.in_flight[i], (double)p));
			cr_expect(eq(sz, out.n_ops, 3 * m * p));
			arena_release(&arena);
		}
}

/* Each piece takes F forward and B backward, W of that for the gradients of weights; both at once FB. */
static bool dual_run(size_t p, size_t m, double f, double b, double w, double fb,
	struct pipeline *out, struct arena *arena)
{
	double forward[MOST], backward[MOST], weights[MOST], pair[MOST], held[MOST];
	for (size_t i = 0; i < 2 * p; i++) {
		forward[i] = f;
		backward[i] = b;
		weights[i] = w;
		pair[i] = fb;
		held[i] = 1;
	}
	return pipeline_run(&(struct pipeline_setup){ .kind = PIPELINE_DUALPIPE,
				    .stages = p,
				    .micro_batches = m,
				    .chunks = 2,
				    .forward_s = forward,
				    .backward_s = backward,
				    .weights_s = weights,
				    .pair_s = pair,
				    .held_bytes = held },
		out, arena);
}

static double idle_of(const struct pipeline *out, size_t stage)
{
	double idle = out->time_s;
	for (size_t i = out->first[stage]; i < out->first[stage + 1]; i++)
		if (!out->ops[i].paired || !out->ops[i].backward)
			idle -= out->ops[i].end_s - out->ops[i].start_s;
	return idle;
}

/* The published table of deepseek-ai/DualPipe: a bubble of (PP/2 - 1)(F&B + B - 3W), activations of
 * PP + 1 micro-batches. With F = W = 1, B = 2 and F&B = 3, four stages and eight micro-batches are idle
 * for 1 x (3 + 2 - 3) of 24 + 2; sixteen stages for 7 x 2. Where both at once take less than one after
 * the other, it is the middle that waits so long: it has the fewest pairs. */
Test(pipeline, dualpipe_is_as_published)
{
	static const struct {
		double f, b, w, fb;
	} rows[] = { { 1, 2, 1, 3 }, { 1, 2, 1, 2.4 }, { 1, 2, 1, 2.7 } };
	for (size_t r = 0; r < COUNT(rows); r++)
		for (size_t p = 2; p <= 16; p += 2)
			for (size_t m = 2 * p; m <= 4 * p; m += p) {
				struct arena arena = { 0 };
				struct pipeline out;
				cr_assert(dual_run(p, m, rows[r].f, rows[r].b, rows[r].w,
					rows[r].fb, &out, &arena));
				double want = ((double)p / 2 - 1) *
					      (rows[r].fb + rows[r].b - 3 * rows[r].w);
				double most = 0;
				for (size_t i = 0; i < p; i++) {
					most = fmax(most, idle_of(&out, i));
					cr_expect(eq(dbl, out.in_flight[i], (double)p + 1));
					cr_expect(eq(dbl, out.held_bytes[i], (double)p + 1));
				}
				cr_expect(epsilon_eq(dbl, most, want, 1e-9), "%zu %zu: %g", p, m,
					most);
				cr_expect(epsilon_eq(dbl, idle_of(&out, p / 2), want, 1e-9));
				if (r == 0)
					cr_expect(epsilon_eq(
						dbl, out.time_s, 3 * (double)m + want, 1e-9));
				arena_release(&arena);
			}
}

/* Either way every micro-batch goes forward and back through all stages, in their order, once; gradients
 * of weights come after the backward that left them; only pairs run together. */
Test(pipeline, dualpipe_keeps_its_order)
{
	enum { P = 6, M = 14 };
	double end[3][2][P][M] = { { { { 0 } } } };
	struct arena arena = { 0 };
	struct pipeline out;
	size_t split = 0, weights = 0;
	cr_assert(dual_run(P, M, 1, 2.5, 0.75, 3.1, &out, &arena));
	for (size_t i = 0; i < out.n_ops; i++) {
		const struct pipeline_op *o = &out.ops[i];
		double *done =
			&end[o->weights ? 2 : o->backward][o->chunk][o->stage][o->micro_batch];
		cr_expect(zero(dbl, *done), "twice");
		*done = o->end_s;
		split += o->split;
		weights += o->weights;
		if (i == out.first[o->stage])
			continue;
		if (o->paired && o->backward)
			cr_expect(eq(dbl, o->start_s, o[-1].start_s));
		else
			cr_expect(le(dbl, o[-1].end_s, o->start_s + 1e-12));
	}
	cr_expect(eq(sz, out.n_ops, 2 * P * M + weights));
	cr_expect(eq(sz, split, weights));
	for (size_t i = 0; i < out.n_ops; i++) {
		const struct pipeline_op *o = &out.ops[i];
		bool up = o->chunk == 0;
		size_t first = up ? 0 : P - 1, last = P - 1 - first;
		/* One way has the first half of the micro-batches, the other the second. */
		cr_expect(eq(int, o->micro_batch >= M / 2, o->chunk));
		double from = 0;
		if (o->weights)
			from = end[1][o->chunk][o->stage][o->micro_batch];
		else if (!o->backward && o->stage != first)
			from = end[0][o->chunk][up ? o->stage - 1 : o->stage + 1][o->micro_batch];
		else if (o->backward && o->stage == last)
			from = end[0][o->chunk][o->stage][o->micro_batch];
		else if (o->backward)
			from = end[1][o->chunk][up ? o->stage + 1 : o->stage - 1][o->micro_batch];
		cr_expect(le(dbl, from, o->start_s + 1e-12), "op %zu", i);
	}
	arena_release(&arena);
}

/* No stage does two things at once, nothing runs before what it needs, all of it runs once. */
Test(pipeline, keeps_its_order)
{
	static const struct {
		enum pipeline_kind kind;
		size_t p, m, v;
	} rows[] = { { PIPELINE_GPIPE, 4, 8, 1 }, { PIPELINE_1F1B, 4, 8, 1 },
		{ PIPELINE_1F1B, 5, 3, 1 }, { PIPELINE_INTERLEAVED, 4, 8, 3 } };
	for (size_t r = 0; r < COUNT(rows); r++) {
		struct arena arena = { 0 };
		struct pipeline out;
		size_t p = rows[r].p, m = rows[r].m, v = rows[r].v;
		double end[2][MOST] = { { 0 } };
		cr_assert(even_run(rows[r].kind, p, m, v, &out, &arena));
		cr_assert(eq(sz, out.n_ops, 2 * p * m * v));
		for (size_t i = 0; i < out.n_ops; i++) {
			const struct pipeline_op *o = &out.ops[i];
			double *done =
				&end[o->backward][(o->chunk * p + o->stage) * m + o->micro_batch];
			cr_expect(zero(dbl, *done), "twice");
			*done = o->end_s;
			if (i % (2 * m * v))
				cr_expect(le(dbl, out.ops[i - 1].end_s, o->start_s + 1e-12));
		}
		for (size_t i = 0; i < out.n_ops; i++) {
			const struct pipeline_op *o = &out.ops[i];
			size_t at = o->chunk * p + o->stage;
			double from_s = 0;
			if (o->backward)
				from_s = at + 1 < p * v ? end[1][(at + 1) * m + o->micro_batch]
							: end[0][at * m + o->micro_batch];
			else if (at > 0)
				from_s = end[0][(at - 1) * m + o->micro_batch];
			cr_expect(le(dbl, from_s, o->start_s + 1e-12), "row %zu", r);
		}
		arena_release(&arena);
	}
}

Test(parallelism, laws)
{
	/* ZeRO's stages only ever take less memory. */
	cr_expect(lt(dbl, value_of("strategy=zero1", "memory_GB"),
		value_of("strategy=ddp", "memory_GB")));
	cr_expect(lt(dbl, value_of("strategy=zero2", "memory_GB"),
		value_of("strategy=zero1", "memory_GB")));
	cr_expect(lt(dbl, value_of("strategy=zero3", "memory_GB"),
		value_of("strategy=zero2", "memory_GB")));
	/* A hand-over that takes time lengthens the bubble, and more so with chunks. */
	cr_expect(lt(dbl, value_of("transfers=off", "bubble_pct"), value_of("", "bubble_pct")));
	/* 80 layers over 3 stages: one is shorter, so the bubble is more than the formula's. */
	cr_expect(lt(dbl, value_of("pp=3", "bubble_formula_pct"), value_of("pp=3", "bubble_pct")));
	/* A tensor group that leaves the node waits longer. */
	cr_expect(lt(dbl, value_of("tp=8 gpus=32", "exposed_ms"),
		value_of("tp=16 gpus=64", "exposed_ms")));
	cr_expect(zero(dbl, value_of("strategy=ddp gpus=1", "exposed_ms")));
	cr_expect(zero(dbl, value_of("strategy=zero3 gpus=1", "traffic_GB")));
}

/* 4,096 tokens of 8,192 values of 2 B are 67.1 MB: over 0.1 GB/s they take 671 ms from stage to stage,
 * and up to a tenth longer over the share of a link that messages reach. More micro-batches are no
 * cure for that. FSDP is another name of ZeRO-3. */
Test(parallelism, a_slow_network_between_stages_is_named)
{
	struct figure fig =
		sim_run(sim_find("parallelism"), &facts, "gpus=64 tp=1 pp=64 inter_GBps=0.1");
	const char *said = strstr(fig.why, "hand on: ");
	double ms = 0;
	cr_assert(said && sscanf(said, "hand on: %lf ms", &ms) == 1, "%s", fig.why);
	cr_expect(ms >= 671 && ms <= 1.1 * 671, "%g", ms);
	figure_release(&fig);
	fig = sim_run(sim_find("parallelism"), &facts, "gpus=64 tp=1 pp=64 inter_GBps=25");
	cr_expect(strstr(fig.why, "hand on") == NULL, "%s", fig.why);
	figure_release(&fig);
	cr_expect(eq(
		dbl, value_of("strategy=fsdp", "step_ms"), value_of("strategy=zero3", "step_ms")));
}

/* H100 and A100 have no unit for FP4, A100 none for FP8: a step is what it is in BF16, to the bit. */
Test(parallelism, a_type_without_a_unit_gains_nothing)
{
	static const char *const cards[] = { "gpu=h100 act_dtype=fp4", "gpu=a100 act_dtype=fp4",
		"gpu=a100 act_dtype=fp8" };
	for (size_t i = 0; i < sizeof cards / sizeof *cards; i++) {
		char plain[64];
		snprintf(plain, sizeof plain, "%.8s act_dtype=bf16", cards[i]);
		cr_expect(eq(dbl, value_of(cards[i], "step_ms"), value_of(plain, "step_ms")), "%s",
			cards[i]);
	}
	cr_expect(lt(dbl, value_of("gpu=h100 act_dtype=fp8", "step_ms"),
		value_of("gpu=h100 act_dtype=bf16", "step_ms")));
}
