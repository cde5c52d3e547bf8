/* Out of memory: a training step's allocations (sims/memory/training_memory.h) on a card that is
 * too small for one of three reasons. */
#include "sims/diagnosis/ward_memory.h"

#include "sims/base/array.h"
#include "sims/memory/memory_replay.h"

#include <math.h>
#include <stdio.h>

static const struct {
	enum cause cause;
	const char *model, *gpu;
	double batch, seq;
	int zero;
} jobs[] = { { CAUSE_ACTIVATIONS, "llama2-7b", "a100", 8, 2048, 3 },
	{ CAUSE_ACTIVATIONS, "llama3-8b", "h100", 8, 2048, 3 },
	{ CAUSE_ACTIVATIONS, "bert-large", "a10", 64, 512, 0 },
	{ CAUSE_STATE, "llama2-7b", "a100", 1, 2048, 0 },
	{ CAUSE_STATE, "llama3-8b", "h100", 1, 2048, 0 },
	{ CAUSE_STATE, "llama3.2-3b", "a10", 1, 1024, 0 },
	{ CAUSE_FRAGMENTATION, "llama3.2-1b", "a100", 8, 2048, 3 },
	{ CAUSE_FRAGMENTATION, "gpt2", "a10", 8, 2048, 3 } };

/* What a step would reserve on a card without limits, and how much of it tensors hold. */
static bool peaks(
	struct arena *a, const struct patient *p, struct memory_peak *ideal, double *reserved)
{
	struct memory_trace trace = { 0 };
	struct memory_replay *r = arena_alloc(a, sizeof *r);
	memory_trace_build(&p->memory, &trace, a);
	double outside = memory_context_bytes(&p->memory);
	if (a->failed)
		return false;
	*ideal = memory_replay_ideal(&trace, outside, INFINITY, NULL);
	memory_replay_caching(&trace, outside, (double)ALLOCATOR_UNLIMITED, false, r, a);
	*reserved = outside + (double)r->peak_reserved;
	return !a->failed;
}

void memory_draw_patient(struct patient *p, const struct tables *t, struct rng *r)
{
	size_t n = LENGTH(jobs), job;
	do
		job = (size_t)rng_below(r, n);
	while (jobs[job].cause != p->cause);
	p->model = model_find(t, jobs[job].model);
	p->gpu = gpu_find(t, jobs[job].gpu);
	p->model = p->model ? p->model : &t->models[0];
	p->gpu = p->gpu ? p->gpu : &t->gpus[0];
	p->batch = jobs[job].batch;
	p->tokens = jobs[job].seq;
	p->memory = (struct memory_setup){ .model = p->model,
		.batch = p->batch,
		.seq = p->tokens,
		.precision = MEMORY_BF16,
		.optimizer = MEMORY_ADAMW,
		.k = 1,
		.zero = jobs[job].zero,
		.gpus = 8,
		.tp = 1,
		.flash = true,
		.actual = true,
		.flops_per_s = 1e14,
		.bandwidth = p->gpu->bandwidth };
	p->capacity = p->gpu->memory_bytes;
	if (p->cause != CAUSE_FRAGMENTATION)
		return;
	/* Another process leaves a little less than what is reserved. */
	struct arena a = { 0 };
	struct memory_peak ideal;
	double reserved;
	if (peaks(&a, p, &ideal, &reserved))
		p->capacity = ideal.bytes + 0.5 * (reserved - ideal.bytes);
	arena_release(&a);
}

bool memory_examine(struct arena *a, const struct patient *p, struct examination *x)
{
	struct memory_peak peak;
	struct signs *s = &x->signs;
	double reserved;
	if (!peaks(a, p, &peak, &reserved))
		return false;
	/* Segments that grow in place leave no holes between them. */
	if (p->expandable)
		reserved = peak.bytes;
	double activations = peak.part[MEMORY_ACTIVATIONS] + peak.part[MEMORY_LOGITS];
	double state = peak.part[MEMORY_WEIGHTS] + peak.part[MEMORY_GRADIENTS] +
		       peak.part[MEMORY_OPTIMIZER];
	s->reserved_over_allocated = reserved / peak.bytes;
	s->activation_share = activations / peak.bytes;
	reading_say(x, READING_MEMORY,
		"card %.1f GB; wanted: reserved %.1f, tensors %.1f (activations %.1f, state %.1f)",
		p->capacity / 1e9, reserved / 1e9, peak.bytes / 1e9, activations / 1e9,
		state / 1e9);
	reading_say(x, READING_CHANGES, "%s, batch %g of %g tokens, on 8 GPUs, since yesterday",
		p->model->name, p->batch, p->tokens);
	static const enum patient_reading nothing[] = { READING_UTILISATION, READING_POWER,
		READING_TOP, READING_STEPS, READING_TRACE, READING_NCCL, READING_RANKS,
		READING_KERNELS, READING_BATCH, READING_LOSS, READING_TENSORS };
	for (size_t i = 0; i < LENGTH(nothing); i++)
		reading_say(x, nothing[i], "it stops in the first step: nothing to read");
	reading_say(x, READING_LATENCY, "a training job, nobody asks it anything");
	reading_say(x, READING_CACHE, "a training job: no KV cache");
	x->badness = reserved / p->capacity;
	snprintf(x->complaint_number, sizeof x->complaint_number, "%.0f %% of the card",
		100 * x->badness);
	return true;
}

bool memory_treat(struct patient *p, enum remedy remedy)
{
	switch (remedy) {
	case REMEDY_CHECKPOINTING:
		p->memory.checkpointing = CHECKPOINT_FULL;
		return true;
	case REMEDY_SHARD:
		p->memory.zero = 3;
		return true;
	case REMEDY_SEGMENTS:
		p->expandable = true;
		return true;
	default:
		return false;
	}
}
