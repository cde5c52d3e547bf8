/* One job asked of several simulations has one answer. */
#include "sims/formulas/communication.h"
#include "sims/registry/registry.h"
#include "sims/training/model_step.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>

static struct tables facts;

static void load(void)
{
	facts = load_tables();
}

static void unload(void)
{
	tables_release(&facts);
}

TestSuite(agreement, .init = load, .fini = unload);

static double said(const char *sim, const char *settings, const char *id)
{
	return sim_number(sim_find(sim), &facts, settings, id);
}

/* What a recipe is to the step of `scaling`. MFU is counted over the peak of the type that products run
 * in: of an H100's FP8 twice that of BF16, so that the shares of the same samples a second are as one to
 * two. Where a GPU has no unit for it, or the workload no such products, nothing changes, and that is
 * said. */
Test(agreement, a_recipe_moves_the_step_of_scaling)
{
	static const char *const job = "workload=llama3_70b strategy=fsdp gpu=h100 gpus=512";
	static const char *const same[][2] = { { "workload=llama3_70b gpu=h100 gpus=512",
						       "H100 SXM has no unit for NVFP4" },
		{ "workload=resnet50 gpu=b200 gpus=64", "NVFP4 is a recipe for language models" } };
	char narrow[200];
	snprintf(narrow, sizeof narrow, "%s act_dtype=fp8", job);
	double wide_s = said("scaling", job, "step_s"),
	       narrow_s = said("scaling", narrow, "step_s");
	cr_expect(lt(dbl, narrow_s, wide_s));
	cr_expect(epsilon_eq(dbl, said("scaling", narrow, "mfu"),
		said("scaling", job, "mfu") * wide_s / narrow_s / 2, 0.01));
	cr_expect(
		lt(dbl, said("scaling", narrow, "efficiency"), said("scaling", job, "efficiency")));
	for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
		snprintf(narrow, sizeof narrow, "%s act_dtype=nvfp4", same[i][0]);
		cr_expect(eq(dbl, said("scaling", narrow, "step_s"),
			said("scaling", same[i][0], "step_s")));
		struct figure fig = sim_run(sim_find("scaling"), &facts, narrow);
		cr_expect(figure_has_note(&fig, same[i][1]), "%s", narrow);
		figure_release(&fig);
	}
}

/* Llama 2 7B on one GPU: 6.476e9 parameters of layers, 0.262e9 around them. In BF16 all have 2 B of weights,
 * 2 of gradients, 12 of AdamW: 107.8 GB. In blocks the moments have 2 B each, and those of layers a
 * value of 8 bits both ways besides: 14 and 12 B, 93.8 GB. A checkpoint of the 405.9e9 of Llama 3.1 is 14
 * and 10 B a parameter. */
Test(agreement, a_recipe_keeps_its_own_state)
{
	static const struct {
		const char *recipe, *state;
	} rows[] = { { "bf16", "108 GB of weights" }, { "fp8_block", "93.8 GB of weights" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char job[200];
		snprintf(job, sizeof job, "workload=llama2_7b gpu=h100 gpus=1 act_dtype=%s",
			rows[i].recipe);
		struct figure fig = sim_run(sim_find("scaling"), &facts, job);
		cr_expect(figure_has_note(&fig, rows[i].state), "%s", job);
		figure_release(&fig);
	}
	double wide_s = said("goodput", "", "write_s"),
	       blocks_s = said("goodput", "act_dtype=fp8_block", "write_s");
	cr_expect(epsilon_eq(dbl, blocks_s, wide_s * 10 / 14, 1e-9 * wide_s));
	cr_expect(lt(dbl, said("goodput", "act_dtype=fp8", "compute_s"),
		said("goodput", "", "compute_s")));
}

/* Sharded over 8 GPUs of a node, micro-batches of the workload: the step of `parallelism`, of `scaling`
 * where nobody waits for the slowest, and of `memory`. */
Test(agreement, one_step)
{
	static const struct {
		const char *model, *workload, *gpu;
		double batch, seq;
		const char *recipe;
	} rows[] = { { "llama2-7b", "llama2_7b", "h100", 2, 4096, "bf16" },
		{ "llama2-7b", "llama2_7b", "h100", 2, 4096, "fp8" },
		{ "llama2-7b", "llama2_7b", "a100", 2, 4096, "bf16" },
		{ "llama3-70b", "llama3_70b", "h200", 1, 8192, "bf16" },
		{ "llama3-70b", "llama3_70b", "h200", 1, 8192, "fp8_block" },
		{ "llama3-70b", "llama3_70b", "b200", 1, 8192, "nvfp4" },
		{ "gpt3-175b", "gpt3_175b", "a100", 1, 2048, "bf16" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char plan[200], scale[200], memory[200];
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=%s gpu=%s gpus=8 batch=%g seq=%g micro_batches=1 "
			"act_dtype=%s",
			rows[i].model, rows[i].gpu, rows[i].batch, rows[i].seq, rows[i].recipe);
		snprintf(scale, sizeof scale,
			"strategy=fsdp workload=%s gpu=%s gpus=8 mode=weak gpu_batch=%g overlap=1 "
			"jitter_pct=0 act_dtype=%s",
			rows[i].workload, rows[i].gpu, rows[i].batch, rows[i].recipe);
		snprintf(memory, sizeof memory,
			"model=%s gpu=%s gpus=8 batch=%g seq=%g zero=3 act_dtype=%s", rows[i].model,
			rows[i].gpu, rows[i].batch, rows[i].seq, rows[i].recipe);
		double step_s = said("parallelism", plan, "step_ms") / 1e3;
		cr_expect(epsilon_eq(dbl, said("scaling", scale, "step_s"), step_s, 0.005 * step_s),
			"%s", scale);
		cr_expect(epsilon_eq(dbl, said("memory", memory, "step_s"), step_s, 0.03 * step_s),
			"%s: %g, a plan takes %g", memory, said("memory", memory, "step_s"),
			step_s);
	}
}

/* Of a mixture, its experts dealt to the GPUs of a node and then to two nodes; of latent attention, of
 * states, of windows: the step of `parallelism`, `scaling` and `memory`, whose optimizer is the one that
 * is set and clips no gradient: 28 B a parameter and not 44, which shows where experts have no copy. */
Test(agreement, one_step_of_any_parts)
{
	static const struct {
		const char *model, *ep;
	} rows[] = { { "mixtral-8x7b", "0" }, { "deepseek-v3", "0" }, { "deepseek-v3", "16" },
		{ "gpt-oss-120b", "16" }, { "nemotron3-nano", "4" }, { "qwen3-next-80b-a3b", "0" },
		{ "llama4-scout", "0" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char plan[200], scale[200], memory[200];
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=%s ep=%s gpu=h200 gpus=16 batch=2 seq=4096 "
			"micro_batches=1",
			rows[i].model, rows[i].ep);
		snprintf(scale, sizeof scale,
			"strategy=fsdp model=%s ep=%s gpu=h200 gpus=16 mode=weak gpu_batch=2 "
			"overlap=1 jitter_pct=0",
			rows[i].model, rows[i].ep);
		snprintf(memory, sizeof memory,
			"model=%s ep=%s gpu=h200 gpus=16 batch=2 seq=4096 zero=3", rows[i].model,
			rows[i].ep);
		double step_s = said("parallelism", plan, "step_ms") / 1e3;
		cr_expect(epsilon_eq(dbl, said("scaling", scale, "step_s"), step_s, 1e-6 * step_s),
			"%s: %g, a plan takes %g", scale, said("scaling", scale, "step_s"), step_s);
		cr_expect(epsilon_eq(dbl, said("memory", memory, "step_s"), step_s, 0.05 * step_s),
			"%s: %g, a plan takes %g", memory, said("memory", memory, "step_s"),
			step_s);
		double mfu = said("parallelism", plan, "mfu_pct");
		cr_expect(epsilon_eq(dbl, said("scaling", scale, "mfu"), mfu, 1e-6 * mfu), "%s",
			scale);
		if (strcmp(rows[i].ep, "0") == 0)
			continue;
		/* The groups are those that were asked for. */
		cr_expect(eq(dbl, said("parallelism", plan, "ep"), said("memory", memory, "ep")));
		cr_expect(eq(dbl, said("parallelism", plan, "ep"), said("scaling", scale, "ep")));
	}
}

/* What lies on a GPU of it: state to a thousandth, activations as the layers keep them. The plan adds up
 * what each part takes at most; the walk sees that gradients grow while activations go, and logits are
 * gone when a layer runs again: its peak lacks those two at most. */
Test(agreement, one_memory_of_any_parts)
{
	static const struct {
		const char *model, *ep, *again;
	} rows[] = { { "mixtral-8x7b", "0", "none" }, { "mixtral-8x7b", "2", "selective" },
		{ "deepseek-v3", "16", "full" }, { "gpt-oss-120b", "0", "selective" },
		{ "nemotron3-nano", "0", "none" }, { "qwen3-next-80b-a3b", "16", "full" },
		{ "llama4-scout", "0", "none" } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int zero = 1; zero <= 3; zero++) {
			char plan[200], memory[200];
			snprintf(plan, sizeof plan,
				"strategy=zero%d model=%s ep=%s checkpointing=%s gpu=h200 gpus=16 "
				"batch=2 seq=4096 micro_batches=1",
				zero, rows[i].model, rows[i].ep, rows[i].again);
			snprintf(memory, sizeof memory,
				"zero=%d model=%s ep=%s checkpointing=%s gpu=h200 gpus=16 batch=2 "
				"seq=4096",
				zero, rows[i].model, rows[i].ep, rows[i].again);
			double state = said("parallelism", plan, "weights_GB") +
				       said("parallelism", plan, "gradients_GB") +
				       said("parallelism", plan, "optimizer_GB");
			cr_expect(epsilon_eq(dbl, said("memory", memory, "static_GB"), state,
					  1e-3 * state),
				"%s: %g, a plan %g", memory, said("memory", memory, "static_GB"),
				state);
			double kept = said("parallelism", plan, "activations_GB");
			cr_expect(epsilon_eq(dbl, said("memory", memory, "activations_GB"), kept,
					  0.03 * kept),
				"%s: %g, a plan %g", memory,
				said("memory", memory, "activations_GB"), kept);
			double held = said("parallelism", plan, "memory_GB");
			double parted = said("parallelism", plan, "gradients_GB") +
					said("parallelism", plan, "logits_GB");
			double peak = said("memory", memory, "allocated_GB");
			cr_expect(ge(dbl, peak, held - parted), "%s: %g, a plan %g", memory, peak,
				held);
			cr_expect(le(dbl, peak, 1.05 * held), "%s: %g, a plan %g", memory, peak,
				held);
		}
}

/* A mixture's step under the stack, and in lanes with nothing in their way, is the eager plan's with all
 * experts on each GPU. What the host waits for is a launch there, and no kernel's time here. */
Test(agreement, one_mixture_without_expert_parallelism)
{
	static const char *const plan = "model=mixtral-8x7b gpu=h100 batch=4 seq=2048 gpus=8 ep=1 "
					"routing=host micro_batches=1 ";
	char stacked[200], eager[200];
	snprintf(stacked, sizeof stacked, "%s strategy=zero3 software=compiled2023", plan);
	snprintf(eager, sizeof eager, "%s strategy=ddp software=pytorch2023", plan);
	double step_ms = said("parallelism", stacked, "step_ms");
	double stack_ms = said("stacking",
		"model=mixtral-8x7b gpu=h100 batch=4 seq=2048 shards=8 overlap=on workers=64",
		"step_ms");
	cr_expect(epsilon_eq(dbl, stack_ms, step_ms, 0.05 * step_ms), "%g, a plan takes %g",
		stack_ms, step_ms);
	double planned_ms = said("parallelism", eager, "step_ms") -
			    said("parallelism", eager, "exposed_ms") -
			    said("parallelism", eager, "host_ms");
	static const char *const lanes =
		"model=mixtral-8x7b gpu=h100 batch=4 seq=2048 gpus=8 compile=0 prep_ms=0.1 amp=on "
		"fused_optimizer=on pin_memory=on non_blocking=on copy_stream=on launch_us=0.1";
	double seen_ms =
		said("timeline", lanes, "step_ms") - said("timeline", lanes, "exposed_comm_ms");
	cr_expect(epsilon_eq(dbl, seen_ms, planned_ms, 0.03 * planned_ms), "%g, a plan takes %g",
		seen_ms, planned_ms);
}

/* A checkpoint of Mixtral 8x7B holds all 46.7 billion parameters, not the 12.9 that a token passes: 14 B
 * of each, BF16 weights with FP32 master copy and moments; 0.12 GB/s of storage for each GPU. Its step
 * is that of the layout which it names, run as a plan. */
Test(agreement, one_checkpoint_and_step_of_a_mixture)
{
	double write_s = said("goodput", "model=mixtral-8x7b gpus=2048", "write_s");
	double expected_s = 46.70e9 * 14 / (2e12 / 16384 * 2048);
	cr_expect(epsilon_eq(dbl, write_s, expected_s, 1e-3 * expected_s), "%g", write_s);
	double step_s = said("goodput", "model=mixtral-8x7b gpus=2048", "compute_s") *
			(1 + said("goodput", "model=mixtral-8x7b gpus=2048", "exposed_pct") / 100);
	double planned_s = said("parallelism",
				   "strategy=3d model=mixtral-8x7b gpu=h100 gpus=2048 tp=8 pp=8 "
				   "zero=1 schedule=interleaved virtual_stages=4 micro_batches=16 "
				   "batch=1 seq=8192 inter_GBps=50 ep=8",
				   "step_ms") /
			   1e3;
	cr_expect(
		epsilon_eq(dbl, step_s, planned_s, 1e-6 * planned_s), "%g, %g", step_s, planned_s);
}

/* A model that is no listed workload: two sequences of 4,096 on each of 8 GPUs. */
Test(agreement, one_step_of_any_model)
{
	static const char *const models[] = { "llama3-8b", "qwen2.5-32b", "gpt2-xl" };
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		const struct model *m = model_find(&facts, models[i]);
		char plan[200], scale[200];
		cr_assert(m != NULL, "%s", models[i]);
		double seq = m->context < 4096 ? m->context : 4096, batch = 8192 / seq;
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=%s gpu=h100 gpus=8 batch=%g seq=%g micro_batches=1",
			models[i], batch, seq);
		snprintf(scale, sizeof scale,
			"strategy=fsdp model=%s gpu=h100 gpus=8 mode=weak gpu_batch=%g overlap=1 "
			"jitter_pct=0",
			models[i], batch);
		double step_s = said("parallelism", plan, "step_ms") / 1e3;
		cr_expect(epsilon_eq(dbl, said("scaling", scale, "step_s"), step_s, 0.005 * step_s),
			"%s", scale);
	}
}

/* All of the stack on the step that nobody typed is the step that PyTorch of 2023 compiles, but for
 * AdamW without clipping, and weights that stay in FP32. */
Test(agreement, one_step_under_the_stack)
{
	static const char *const jobs[] = { "model=llama2-7b gpu=a100 batch=4 seq=2048",
		"model=llama3-8b gpu=h100 batch=2 seq=4096",
		"model=llama2-13b gpu=a100 batch=8 seq=1024" };
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
		char plan[200], stack[200];
		snprintf(plan, sizeof plan,
			"%s strategy=zero3 gpus=8 micro_batches=1 software=compiled2023", jobs[i]);
		snprintf(stack, sizeof stack, "%s shards=8 overlap=on workers=64", jobs[i]);
		double step_ms = said("parallelism", plan, "step_ms");
		cr_expect(epsilon_eq(
				  dbl, said("stacking", stack, "step_ms"), step_ms, 0.05 * step_ms),
			"%s: %g, a plan takes %g", jobs[i], said("stacking", stack, "step_ms"),
			step_ms);
	}
}

/* With data, copies and launches out of the way the lanes of a model's step are as long as its plan,
 * DDP on 8 GPUs. What shows of the sums is left out of it: lanes hide all but a bucket. */
Test(agreement, one_step_in_lanes)
{
	static const char *const jobs[] = { "model=llama3.2-1b gpu=a100 batch=4 seq=2048",
		"model=llama2-7b gpu=h100 batch=2 seq=4096",
		"model=gpt2-xl gpu=a100 batch=8 seq=1024" };
	static const char *const compiled[] = { "pytorch2023", "compiled2023" };
	for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
		for (int c = 0; c < 2; c++) {
			char plan[200], lanes[240];
			snprintf(plan, sizeof plan,
				"%s strategy=ddp gpus=8 micro_batches=1 software=%s", jobs[i],
				compiled[c]);
			snprintf(lanes, sizeof lanes,
				"%s gpus=8 compile=%d prep_ms=0.1 amp=on fused_optimizer=on "
				"pin_memory=on non_blocking=on copy_stream=on launch_us=0.1",
				jobs[i], c);
			double planned_ms = said("parallelism", plan, "step_ms") -
					    said("parallelism", plan, "exposed_ms");
			double seen_ms = said("timeline", lanes, "step_ms") -
					 said("timeline", lanes, "exposed_comm_ms");
			cr_expect(epsilon_eq(dbl, seen_ms, planned_ms, 0.03 * planned_ms),
				"%s: %g, a plan takes %g", lanes, seen_ms, planned_ms);
		}
}

/* A layer under the roof that kernels reach takes what it takes in a step, within 5 % where it is
 * large; and what the roofline says of the step is one of GPT-3's 96 layers. */
Test(agreement, one_layer)
{
	static const char *const layers[] = { "hidden=12288 heads=96 batch=1 gpu=a100",
		"hidden=8192 heads=64 gqa=8 batch=2 seq=4096 gpu=h100", "hidden=4096 gpu=a100",
		"hidden=4096 gpu=h100 batch=8" };
	for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
		char layer[200];
		snprintf(layer, sizeof layer,
			"%s attention=flash causal=on fusion=on ceiling=achieved", layers[i]);
		double step_ms = said("roofline", layer, "trained_ms");
		double roof_ms = said("roofline", layer, "layer_ms") +
				 said("roofline", layer, "backward_ms");
		cr_expect(epsilon_eq(dbl, roof_ms, step_ms, 0.05 * step_ms), "%s: %g, a step %g",
			layer, roof_ms, step_ms);
	}
	const struct step_setup gpt3 = { .model = model_find(&facts, "gpt3-175b"),
		.gpu = gpu_find(&facts, "a100"),
		.tp = 1,
		.pp = 1,
		.cp = 1,
		.dp = 1,
		.shard = 1,
		.micro_batch = 1,
		.micro_batches = 1,
		.seq = 2048,
		.dtype = DTYPE_BF16,
		.flash = true,
		.loss_share = 1,
		.software.date = SOFTWARE_2025 };
	struct step_time time = model_step(&gpt3, 1);
	double step_ms = 1e3 * (time.forward_s + time.backward_s);
	cr_expect(epsilon_eq(dbl,
		said("roofline",
			"hidden=12288 heads=96 batch=1 seq=2048 gpu=a100 attention=flash causal=on "
			"fusion=on",
			"trained_ms"),
		step_ms, 1e-9 * step_ms));
}

/* What a step waits in the pipeline and what it sends unhidden are those of the layout, run as a plan. Its bubble is
 * a share of the time of the pipeline, which is the step without the exchange of gradients at least, and at most
 * all of it. What is sent is the mean of all stages here, there that of the one which sends most. */
Test(agreement, one_bubble_among_failures)
{
	static const struct {
		const char *goodput, *parallelism;
	} rows[] = {
		{ "model=llama3-405b gpus=16384",
			"strategy=3d model=llama3-405b gpu=h100 gpus=16384 tp=8 pp=16 zero=1 "
			"schedule=interleaved virtual_stages=7 micro_batches=16 batch=1 seq=8192 "
			"inter_GBps=50 checkpointing=selective" },
		{ "model=llama3-70b gpus=2048",
			"strategy=3d model=llama3-70b gpu=h100 gpus=2048 tp=8 pp=4 zero=1 "
			"schedule=interleaved virtual_stages=5 micro_batches=8 batch=1 seq=8192 "
			"inter_GBps=50" },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const char *g = rows[i].goodput, *p = rows[i].parallelism;
		double compute_s = said("goodput", g, "compute_s"),
		       waits_s = compute_s * said("goodput", g, "bubble_pct") / 100,
		       sends_s = compute_s * said("goodput", g, "comm_only_pct") / 100;
		double step_s = said("parallelism", p, "step_ms") / 1e3,
		       exposed_s = said("parallelism", p, "exposed_ms") / 1e3,
		       bubble = said("parallelism", p, "bubble_pct") / 100;
		cr_expect(le(dbl, bubble * (step_s - exposed_s), waits_s), "%s", g);
		cr_expect(le(dbl, waits_s, bubble * step_s), "%s", g);
		cr_expect(epsilon_eq(dbl, sends_s, exposed_s, 0.1 * exposed_s), "%s: %g, %g", g,
			sends_s, exposed_s);
	}
}

/* A job's step is the step that its failures are counted in: within a tenth of the best plan. */
Test(agreement, one_step_among_failures)
{
	double compute_s = said("goodput", "model=llama3-70b gpus=2048", "compute_s");
	double step_s = compute_s *
			(1 + said("goodput", "model=llama3-70b gpus=2048", "exposed_pct") / 100);
	double planned_s =
		said("parallelism",
			"strategy=3d model=llama3-70b gpu=h100 gpus=2048 tp=8 pp=4 zero=1 "
			"schedule=interleaved virtual_stages=5 micro_batches=8 batch=1 "
			"seq=8192 inter_GBps=50",
			"step_ms") /
		1e3;
	cr_expect(epsilon_eq(dbl, step_s, planned_s, 0.1 * planned_s), "%g, %g", step_s, planned_s);
}

/* The state that ZeRO leaves on a GPU, by the plan and by the walk of a step's tensors. */
Test(agreement, one_state)
{
	static const char *const models[] = { "llama2-7b", "llama3-8b", "llama3-70b" };
	for (size_t i = 0; i < sizeof models / sizeof *models; i++)
		for (int zero = 1; zero <= 3; zero++) {
			char plan[120], memory[120];
			snprintf(plan, sizeof plan,
				"strategy=zero%d model=%s gpus=8 seq=4096 micro_batches=1", zero,
				models[i]);
			snprintf(memory, sizeof memory,
				"model=%s gpus=8 zero=%d seq=4096 precision=bf16", models[i], zero);
			double held = said("parallelism", plan, "weights_GB") +
				      said("parallelism", plan, "gradients_GB") +
				      said("parallelism", plan, "optimizer_GB");
			cr_expect(epsilon_eq(dbl, said("memory", memory, "static_GB"), held,
					  0.02 * held),
				"%s", memory);
		}
}

/* What a GPU holds at its peak: activations are the same, and all of it within 5 % of what the walk
 * allocates, which counts temporaries besides. */
Test(agreement, one_peak)
{
	static const char *const models[] = { "llama2-7b", "llama3-8b" };
	for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
		char plan[160], memory[160];
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=%s gpus=8 seq=8192 micro_batches=1 gpu=h200",
			models[i]);
		snprintf(memory, sizeof memory, "model=%s gpus=8 zero=3 seq=8192 batch=1 gpu=h200",
			models[i]);
		double held = said("parallelism", plan, "activations_GB");
		cr_expect(epsilon_eq(dbl, said("memory", memory, "activations_GB"), held,
				  0.005 * held),
			"%s", memory);
		double peak = said("memory", memory, "allocated_GB");
		cr_expect(
			epsilon_eq(dbl, said("parallelism", plan, "memory_GB"), peak, 0.05 * peak),
			"%s: %g, a plan holds %g", memory, peak,
			said("parallelism", plan, "memory_GB"));
	}
}

/* What each of n GPUs sends of gradients that all sum: 2 (n - 1) / n of two bytes a parameter, by the
 * plan of a step and by the all-reduce alone; and half as much again where FSDP gathers weights twice
 * and scatters gradients. */
Test(agreement, one_traffic)
{
	static const struct {
		const char *model;
		double params, gpus;
	} rows[] = { { "llama3-8b", 8030261248, 8 }, { "llama2-7b", 6738415616, 64 },
		{ "gpt2-xl", 1557611200, 16 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char plan[160], sum[160];
		double bytes = 2 * rows[i].params, n = rows[i].gpus;
		double sent_GB = 2 * (n - 1) / n * bytes / 1e9;
		snprintf(plan, sizeof plan,
			"strategy=ddp model=%s gpus=%g batch=1 micro_batches=1 seq=1024",
			rows[i].model, n);
		snprintf(sum, sizeof sum, "bytes=%.17g gpus=%g", bytes / 1e6, n);
		cr_expect(epsilon_eq(dbl, said("parallelism", plan, "traffic_GB"), sent_GB,
				  1e-6 * sent_GB),
			"%s", plan);
		cr_expect(
			epsilon_eq(dbl, said("allreduce", sum, "sent_GB"), sent_GB, 1e-6 * sent_GB),
			"%s", sum);
		snprintf(plan, sizeof plan,
			"strategy=zero3 model=%s gpus=%g batch=1 micro_batches=1 seq=1024",
			rows[i].model, n);
		cr_expect(epsilon_eq(dbl, said("parallelism", plan, "traffic_GB"), 1.5 * sent_GB,
				  1e-6 * sent_GB),
			"%s", plan);
	}
}

/* Mixtral 8x7B on eight GPUs: of 46,702,792,704 parameters 32 layers of 8 experts, three matrices of
 * 4,096 x 14,336 each, lie on one GPU and are exchanged with nobody; the others' gradients are summed.
 * Each token sends a copy to each of 2 experts, an eighth of which stay, there and back, forward and
 * backward: by the plan, by the all-reduce alone and by the formula. FSDP gathers what is not experts
 * twice and scatters it once. */
Test(agreement, one_traffic_of_a_mixture)
{
	static const char *const plan = "model=mixtral-8x7b gpus=8 batch=1 micro_batches=1 "
					"seq=4096 routing=host ep=8 strategy=";
	const double rest = 46702792704 - 32 * 8 * 3 * 4096 * 14336.0;
	const double travels_GB = 32 * 4 * 7. / 8 * 4096 * 2 * 4096 * 2 / 1e9;
	char settings[200];
	snprintf(settings, sizeof settings, "bytes=%.17g gpus=8", 2 * rest / 1e6);
	double summed_GB = said("allreduce", settings, "sent_GB");
	double formula_GB = 32 *
			    CALL(expert_parallel_bytes, .tokens = 4096, .experts_per_token = 2,
				    .hidden = 4096, .bytes_per_value = 2, .gpus = 8) /
			    1e9;
	cr_expect(epsilon_eq(dbl, formula_GB, travels_GB, 1e-9));
	snprintf(settings, sizeof settings, "%sddp", plan);
	double sent_GB = said("parallelism", settings, "traffic_GB");
	cr_expect(epsilon_eq(dbl, sent_GB, summed_GB + travels_GB, 1e-4 * sent_GB), "%g", sent_GB);
	snprintf(settings, sizeof settings, "%szero3", plan);
	sent_GB = said("parallelism", settings, "traffic_GB");
	cr_expect(epsilon_eq(dbl, sent_GB, 1.5 * summed_GB + travels_GB, 1e-4 * sent_GB), "%g",
		sent_GB);
}

/* A lone user waits as long for a token on a simulated server, in the loop that is drafted for, and
 * in the whole system, whatever the weights lie in: answers of 65 tokens to prompts of 2,016 have
 * 2,048 in the cache on average. */
Test(agreement, one_token)
{
	static const struct {
		const char *engine, *model;
		bool in_system; /* which has one GPU, and weights in 16 bits */
	} rows[] = { { "gpu=h100 tp=1 weight_dtype=bf16", "llama3-8b", true },
		{ "gpu=a100 tp=1 weight_dtype=bf16", "llama2-7b", true },
		{ "gpu=h100 tp=4 weight_dtype=fp8", "llama3-70b", false },
		{ "gpu=a100 tp=8 weight_dtype=int4", "llama3-70b", false } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char server[240], loop[160], system[160];
		snprintf(server, sizeof server,
			"%s model=%s arrivals=closed concurrency=1 requests=20 lengths=fixed "
			"prompt_tokens=2016 output_tokens=65",
			rows[i].engine, rows[i].model);
		snprintf(loop, sizeof loop, "%s model=%s times=engine context=2048 batch=1",
			rows[i].engine, rows[i].model);
		double token_ms = said("batching", server, "itl_p50_ms");
		double plain_ms =
			said("speculative", loop, "itl_ms") * said("speculative", loop, "speedup");
		cr_expect(epsilon_eq(dbl, plain_ms, token_ms, 1e-4 * token_ms), "%s", server);
		if (!rows[i].in_system)
			continue;
		snprintf(system, sizeof system,
			"%.8s model=%s component=inference context=2048 batch=1", rows[i].engine,
			rows[i].model);
		cr_expect(epsilon_eq(
				  dbl, said("system", system, "itl_ms"), token_ms, 1e-4 * token_ms),
			"%s", system);
	}
}

/* And the cache of a token is the same that is planned for and that fills its pool, which is what the
 * server has. */
Test(agreement, one_cache)
{
	static const char *const engines[] = { "model=llama3-8b gpu=h100 weight_dtype=bf16",
		"model=llama3-70b gpu=h200 weight_dtype=fp8",
		"model=qwen2.5-32b gpu=a100 weight_dtype=int4" };
	for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
		char server[120], pool[120], plan[120];
		snprintf(server, sizeof server, "%s tp=2", engines[i]);
		snprintf(plan, sizeof plan, "%s tp=2", engines[i]);
		snprintf(pool, sizeof pool, "%s gpus=2 memory_pct=90", engines[i]);
		double token_kB = said("kvcache", pool, "kv_bytes_per_token") * 1.024;
		cr_expect(epsilon_eq(dbl, said("capacity", plan, "kv_per_token_kB"), token_kB,
				  1e-9 * token_kB),
			"%s", plan);
		double room_GB = said("batching", server, "kv_capacity_GB");
		cr_expect(
			epsilon_eq(dbl, said("kvcache", pool, "pool_GB"), room_GB, 1e-6 * room_GB),
			"%s", pool);
	}
}

/* What fills the memory of a GPU, under all names that pictures of it have, and the colour of one of
 * them. */
struct held {
	const char *const *names;
	enum meaning means;
	size_t seen;
};

static void expect_colour(struct held *h, const struct sim *s, const char *part, enum meaning means)
{
	for (size_t i = 0; h->names[i]; i++)
		if (strcmp(h->names[i], part) == 0) {
			cr_expect(eq(int, (int)means, (int)h->means), "%s: %s", s->id, part);
			h->seen++;
		}
}

/* Memory is counted in GB, and its parts have one colour each, whatever simulation draws them:
 * weights are in the bars of memory, parallelism (the fullest GPU, its stages), stacking, caselab and
 * capacity. */
Test(agreement, one_colour_for_what_lies_in_memory)
{
	static const char *const weights[] = { "weights", "parameters", "weights and state", NULL };
	static const char *const gradients[] = { "gradients", NULL };
	static const char *const optimizer[] = { "optimizer", NULL };
	static const char *const activations[] = { "activations", "layers", NULL };
	static const char *const logits[] = { "logits", NULL }, *const caches[] = { "caches",
		NULL };
	struct held held[] = { { weights, MEANS_WEIGHTS, 0 }, { gradients, MEANS_GRADIENTS, 0 },
		{ optimizer, MEANS_OPTIMIZER, 0 }, { activations, MEANS_ACTIVATIONS, 0 },
		{ logits, MEANS_LOGITS, 0 }, { caches, MEANS_CACHE, 0 } };
	static const size_t least[] = { 6, 3, 3, 5, 2, 1 };
	static const char *const ids[] = { "memory", "parallelism", "stacking", "caselab",
		"capacity" };
	for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
		const struct sim *s = sim_find(ids[i]);
		struct figure fig = sim_run(s, &facts, "");
		for (size_t k = 0; k < fig.n_blocks; k++) {
			const struct bars *b = &fig.blocks[k]->as.bars;
			if (fig.blocks[k]->kind != BLOCK_BARS || strcmp(b->unit, "GB") != 0)
				continue;
			for (size_t part = 0; part < b->n_parts; part++)
				for (size_t h = 0; h < sizeof held / sizeof *held; h++)
					expect_colour(
						&held[h], s, b->part_names[part], b->means[part]);
		}
		figure_release(&fig);
	}
	for (size_t h = 0; h < sizeof held / sizeof *held; h++) {
		cr_expect(ge(sz, held[h].seen, least[h]), "%s", held[h].names[0]);
		for (size_t other = 0; other < h; other++)
			cr_expect(ne(int, (int)held[h].means, (int)held[other].means), "%s",
				held[h].names[0]);
	}
}
