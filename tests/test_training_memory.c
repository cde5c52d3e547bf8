/* The walk over a training step: formulas of the sheet from its own events, conservation, and
 * published peaks. */
#include "sims/formulas/memory.h"
#include "sims/memory/memory_replay.h"
#include "sims/training/step_recipe.h"
#include "ui/data/tables_load.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* The round 7B of the formula sheet: GPT layers, every head with its own keys. */
static const struct model round_7b = { .id = "7b",
	.name = "7B",
	.params = 7e9,
	.layers = 32,
	.hidden = 4096,
	.heads = 32,
	.kv_heads = 32,
	.head_dim = 128,
	.ffn = 16384,
	.vocab = 32000,
	.context = 2048 };
static const struct model llama3_8b = { .id = "8b",
	.name = "Llama-3-8B",
	.params = 8030261248,
	.layers = 32,
	.hidden = 4096,
	.heads = 32,
	.kv_heads = 8,
	.head_dim = 128,
	.ffn = 14336,
	.vocab = 128256,
	.context = 8192,
	.gated = 1 };
static const struct model llama3_70b = { .id = "70b",
	.name = "Llama-3-70B",
	.params = 70553706496,
	.layers = 80,
	.hidden = 8192,
	.heads = 64,
	.kv_heads = 8,
	.head_dim = 128,
	.ffn = 28672,
	.vocab = 128256,
	.context = 8192,
	.gated = 1 };

static struct memory_setup sheet(void)
{
	return (struct memory_setup){ .model = &round_7b,
		.batch = 1,
		.seq = 2048,
		.precision = MEMORY_BF16,
		.k = 1,
		.gpus = 1,
		.tp = 1,
		.flash = true,
		.flops_per_s = 125e12,
		.bandwidth = 2e12 };
}

static struct memory_peak peak_of(const struct memory_setup *s, double *recompute)
{
	struct arena arena = { 0 };
	struct memory_trace trace = { 0 };
	memory_trace_build(s, &trace, &arena);
	cr_assert(not(arena.failed));
	struct memory_peak p = memory_replay_ideal(&trace, 0, 1e30, NULL);
	if (recompute)
		*recompute = trace.recompute_share;
	arena_release(&arena);
	return p;
}

/* Korthikanti et al.: s b h = 8,388,608 here; 34 of it, and 34 + 5 x 32 x 2048 / 4096 = 114. */
Test(training_memory, layer_adds_up_to_34)
{
	struct memory_setup s = sheet();
	struct training_layer l = memory_layer(&s, 0);
	cr_expect(epsilon_eq(dbl, layer_saved_bytes(&l), 285212672, 0.5));
	cr_expect(epsilon_eq(dbl, layer_stored_bytes(&l), 285212672, 0.5));
	s.flash = false;
	l = memory_layer(&s, 0);
	cr_expect(epsilon_eq(dbl, layer_saved_bytes(&l), 956301312, 0.5));
	cr_expect(epsilon_eq(dbl, layer_stored_bytes(&l), 285212672, 0.5));
	/* 24 b s h^2 + 4 b s^2 h */
	cr_expect(epsilon_eq(
		dbl, layer_flops(&l), 24.0 * 2048 * 4096 * 4096 + 4.0 * 2048 * 2048 * 4096, 1));
	/* Masks keep their byte in FP32: (34 - 2) x 2 + 2 = 66. */
	s.flash = true;
	s.precision = MEMORY_FP32;
	l = memory_layer(&s, 0);
	cr_expect(epsilon_eq(dbl, layer_saved_bytes(&l), 66.0 * 8388608, 0.5));
}

/* Gradients flow through a sum unchanged: what is added to the residual stream needs none of its
 * own. */
Test(training_memory, what_joins_the_residual_shares_its_gradient)
{
	for (int actual = 0; actual <= 1; actual++) {
		struct memory_setup s = sheet();
		if (actual) {
			s.model = &llama3_8b;
			s.actual = true;
		}
		struct training_layer l = memory_layer(&s, 0);
		size_t found = 0;
		for (size_t i = 0; i < l.n; i++) {
			bool joins = strcmp(l.rows[i].name, "projection") == 0 ||
				     strcmp(l.rows[i].name, "down") == 0;
			found += joins;
			if (joins)
				cr_expect(
					zero(dbl, l.rows[i].gradient_bytes), "%s", l.rows[i].name);
		}
		cr_expect(eq(sz, found, 2));
	}
}

/* Per token of Llama 3 8B: six rows of 2 h (input, two norms, query, context, residual), keys and
 * values of 8 heads, four rows of 2 x 14,336, and FlashAttention's FP32 per head; selective keeps
 * input, query, value, context with its statistics, gate and the last product. */
Test(training_memory, gated_layer_is_counted_by_itself)
{
	struct memory_setup s = sheet();
	s.model = &llama3_8b;
	s.seq = 1;
	s.actual = true;
	struct training_layer l = memory_layer(&s, 0);
	cr_expect(epsilon_eq(
		dbl, layer_saved_bytes(&l), 6 * 8192 + 2 * 2048 + 4 * 28672 + 32 * 4, 1e-6));
	cr_expect(epsilon_eq(dbl, layer_stored_bytes(&l), 4 * 8192 + 2048 + 28672 + 32 * 4, 1e-6));
	cr_expect(epsilon_eq(dbl, layer_params(&l), 218112000, 0.5));
}

/* F2.3, F2.5: activations at their peak, from the events. */
Test(training_memory, activations_of_the_sheet)
{
	static const struct {
		bool flash;
		enum memory_checkpointing how;
		int k;
		double tp, bytes, recompute;
	} rows[] = {
		{ true, CHECKPOINT_NONE, 1, 1, 9.126805504e9, 0 },
		{ false, CHECKPOINT_NONE, 1, 1, 30.601641984e9, 0 },
		{ true, CHECKPOINT_SELECTIVE, 1, 1, 9.126805504e9, 0 },
		{ true, CHECKPOINT_FULL, 1, 1, 0.822083584e9, 1.0 / 3 }, /* 0.54 + 0.29 */
		{ true, CHECKPOINT_EVERY_K, 1, 1, 0.822083584e9, 1.0 / 3 },
		{ true, CHECKPOINT_EVERY_K, 2, 1, 0.838860800e9, 1.0 / 3 },
		{ true, CHECKPOINT_EVERY_K, 3, 1, 1.040187392e9, 1.0 / 3 },
		{ true, CHECKPOINT_EVERY_K, 6, 1, 1.811939328e9, 1.0 / 3 },
		{ true, CHECKPOINT_NONE, 1, 8, 9.126805504e9 / 8, 0 },
		{ false, CHECKPOINT_NONE, 1, 8, 30.601641984e9 / 8, 0 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_setup s = sheet();
		double recompute;
		s.flash = rows[i].flash;
		s.checkpointing = rows[i].how;
		s.k = rows[i].k;
		s.tp = rows[i].tp;
		struct memory_peak p = peak_of(&s, &recompute);
		cr_expect(epsilon_eq(dbl, p.activations / rows[i].bytes, 1, 1e-6), "row %zu: %g", i,
			p.activations);
		cr_expect(epsilon_eq(dbl, recompute, rows[i].recompute, 1e-9), "row %zu", i);
	}
}

/* The walk and the formulas of the sheet are two counts of the same thing. */
Test(training_memory, activations_agree_with_the_formulas)
{
	struct memory_setup s = sheet();
	s.batch = 3;
	s.seq = 1024;
	double flash =
		CALL(flash_activation_bytes, .layers = 32, .seq = 1024, .batch = 3, .hidden = 4096);
	cr_expect(epsilon_eq(dbl, peak_of(&s, NULL).activations / flash, 1, 1e-6));
	s.flash = false;
	double unfused = CALL(activation_bytes, .layers = 32, .seq = 1024, .batch = 3,
		.hidden = 4096, .heads = 32);
	cr_expect(epsilon_eq(dbl, peak_of(&s, NULL).activations / unfused, 1, 1e-6));
	/* Selective: what is kept, and the scores of the one layer whose turn it is. */
	s.checkpointing = CHECKPOINT_SELECTIVE;
	double share, scores = (unfused - flash) / 32, got = peak_of(&s, &share).activations;
	cr_expect(epsilon_eq(dbl, got / (flash + scores), 1, 0.01));
	cr_expect(epsilon_eq(
		dbl, share, CALL(selective_recompute_share, .seq = 1024, .hidden = 4096), 1e-9));
	s.flash = true;
	s.checkpointing = CHECKPOINT_FULL;
	double full =
		CALL(full_recompute_bytes, .layers = 32, .seq = 1024, .batch = 3, .hidden = 4096);
	cr_expect(epsilon_eq(dbl, peak_of(&s, NULL).activations / full, 1, 1e-6));
	s.checkpointing = CHECKPOINT_EVERY_K;
	for (int k = 1; k <= 32; k++) {
		s.k = k;
		double segments = CALL(checkpoint_bytes, .layers = 32, .segment = k,
			.input_bytes = 2.0 * 1024 * 3 * 4096, .layer_bytes = flash / 32);
		got = peak_of(&s, NULL).activations;
		cr_expect(epsilon_eq(dbl, got / segments, 1, 1e-6), "k = %d", k);
	}
}

/* Weights, gradients and optimizer state when backward is done, from the events. */
static double state_bytes(const struct memory_setup *s)
{
	struct arena arena = { 0 };
	struct memory_trace t = { 0 };
	memory_trace_build(s, &t, &arena);
	cr_assert(not(arena.failed));
	double sum = 0;
	size_t end = t.phases[t.n_phases - 1].first_event;
	cr_assert(eq(i32, (int)t.phases[t.n_phases - 1].kind, PHASE_OPTIMIZER));
	for (size_t i = 0; i < t.n_events; i++) {
		const struct memory_tensor *tensor = &t.tensors[t.events[i].tensor];
		if (tensor->kind <= MEMORY_OPTIMIZER && (i < end || t.events[i].once))
			sum += t.events[i].frees ? -(double)tensor->bytes : (double)tensor->bytes;
	}
	arena_release(&arena);
	return sum;
}

/* F2.1, F2.2: 7e9 parameters, in GB. */
Test(training_memory, state_of_the_sheet)
{
	static const struct {
		enum memory_precision precision;
		enum memory_optimizer optimizer;
		int zero;
		double gpus, GB;
	} rows[] = {
		{ MEMORY_BF16, MEMORY_ADAMW, 0, 8, 112 },
		{ MEMORY_BF16, MEMORY_ADAMW, 1, 8, 38.5 },
		{ MEMORY_BF16, MEMORY_ADAMW, 2, 8, 26.25 },
		{ MEMORY_BF16, MEMORY_ADAMW, 3, 8, 14 },
		{ MEMORY_FP32, MEMORY_ADAMW, 0, 1, 112 },
		{ MEMORY_AUTOCAST, MEMORY_ADAMW, 0, 1, 112 }, /* E6: no static saving */
		{ MEMORY_BF16, MEMORY_ADAM8BIT, 0, 1, 70 },   /* 2 + 2 + 4 + 2 = 10 B */
		{ MEMORY_FP32, MEMORY_SGD, 0, 1, 84 },        /* 12 B */
		{ MEMORY_FP32, MEMORY_ADAMW, 3, 64, 1.75 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct memory_setup s = sheet();
		s.precision = rows[i].precision;
		s.optimizer = rows[i].optimizer;
		s.zero = rows[i].zero;
		s.gpus = rows[i].gpus;
		cr_expect(epsilon_eq(dbl, memory_static_bytes(&s) / 1e9, rows[i].GB, 1e-9),
			"row %zu", i);
		cr_expect(epsilon_eq(dbl, state_bytes(&s) / 1e9, rows[i].GB, 1e-5 * rows[i].GB),
			"row %zu: %g", i, state_bytes(&s));
	}
}

/* A recipe that keeps the layers' products in one byte leaves the vocabulary's two tables in two. Of Llama 3
 * 8B the layers have 32 x (2 x 4096 x 4096 + 2 x 4096 x 1024 + 3 x 4096 x 14336 + 2 x 4096) = 6.980e9
 * parameters, of 8.030e9. A GPU of two has half of each: 3.490e9 x (1 + 2 + 4 + 8) + 0.525e9 x (2 + 2 + 4 + 8)
 * bytes. */
Test(training_memory, narrow_weights_are_those_of_layers)
{
	struct tables t = { 0 };
	char err[300] = "";
	cr_assert(zero(int, tables_load(&t, err, sizeof err)), "%s", err);
	const struct step_recipe recipe = { .weight_bytes = 1, .moment_bytes = 8 };
	struct memory_setup s = sheet();
	s.model = model_find(&t, "llama3-8b");
	cr_assert(s.model != NULL);
	s.recipe = &recipe;
	s.gpus = s.tp = 2;
	cr_expect(epsilon_eq(dbl, memory_static_bytes(&s) / 1e9, 60.75, 0.02), "%g",
		memory_static_bytes(&s) / 1e9);
	tables_release(&t);
}

/* Everything that a step allocates it frees, once; time never runs back. */
static void audit(const struct memory_setup *s)
{
	struct arena arena = { 0 };
	struct memory_trace t = { 0 };
	memory_trace_build(s, &t, &arena);
	cr_assert(not(arena.failed));
	bool *live = calloc(t.n_tensors, sizeof *live);
	double at_s = 0;
	for (size_t i = 0; i < t.n_events; i++) {
		const struct memory_event *e = &t.events[i];
		cr_assert(ge(dbl, e->at_s, at_s));
		at_s = e->at_s;
		cr_assert(lt(u32, e->tensor, (uint32_t)t.n_tensors));
		cr_assert(eq(int, live[e->tensor], e->frees));
		live[e->tensor] = !e->frees;
	}
	for (size_t i = 1; i < t.n_tensors; i++)
		if (live[i])
			cr_assert(t.tensors[i].kind == MEMORY_WEIGHTS ||
				  t.tensors[i].kind == MEMORY_OPTIMIZER);
	cr_assert(le(dbl, at_s, t.duration_s));
	free(live);
	arena_release(&arena);
}

Test(training_memory, frees_what_it_takes)
{
	static const struct model small = { .id = "s",
		.name = "small",
		.params = 1e8,
		.layers = 5,
		.hidden = 512,
		.heads = 8,
		.kv_heads = 2,
		.head_dim = 64,
		.ffn = 2048,
		.vocab = 5000,
		.context = 512,
		.gated = 1 };
	for (int i = 0; i < 3 * 4 * 4 * 64; i++) {
		struct memory_setup s = sheet();
		int rest = i / 64;
		s.model = &small;
		s.k = 2;
		s.gpus = 8;
		s.tp = i & 1 ? 4 : 1;
		s.flash = i & 2;
		s.actual = i & 4;
		s.fused = i & 8;
		s.offload = i & 16;
		s.optimizer = i & 32 ? MEMORY_SGD : MEMORY_ADAMW;
		s.precision = (enum memory_precision)(rest % 3);
		s.checkpointing = (enum memory_checkpointing)(rest / 3 % 4);
		s.zero = rest / 12;
		audit(&s);
	}
}

/* One row of torchtitan's benchmarks; false at the end. */
static bool next_row(FILE *f, struct memory_setup *s, double *peak_GiB)
{
	char line[512], *field[16], *rest;
	while (fgets(line, sizeof line, f)) {
		size_t n = 0;
		rest = line;
		while (n < 16 && rest) {
			field[n++] = rest;
			rest = strchr(rest, ',');
			if (rest)
				*rest++ = '\0';
		}
		if (line[0] == '#' || n < 12 || strcmp(field[0], "table") == 0)
			continue;
		const char *tp = strstr(field[3], "TP"), *cp = strstr(field[3], "CP");
		double tokens = *field[6] ? strtod(field[6], NULL) : 8192;
		*s = sheet();
		s->model = strstr(field[1], "70B") ? &llama3_70b : &llama3_8b;
		s->gpus = strtod(field[2], NULL);
		s->tp = tp ? strtod(tp + 2, NULL) : 1;
		s->batch = strtod(field[4], NULL);
		s->seq = tokens / (cp ? strtod(cp + 2, NULL) : 1);
		s->precision = MEMORY_AUTOCAST; /* FP32 shards, gathered in BF16 */
		s->zero = 3;
		s->actual = true;
		s->checkpointing =
			strncmp(field[7], "full", 4) == 0 ? CHECKPOINT_FULL : CHECKPOINT_SELECTIVE;
		*peak_GiB = strtod(field[11], NULL);
		return true;
	}
	return false;
}

Test(training_memory, published_peaks)
{
	FILE *f = fopen("tests/data/torchtitan.csv", "r");
	cr_assert(ne(ptr, f, NULL));
	struct memory_setup s;
	double want;
	int rows = 0;
	for (; next_row(f, &s, &want); rows++) {
		double got = memory_reserved_peak(&s, 96e9) / (1 << 30);
		cr_expect(lt(dbl, fabs(got / want - 1), 0.1), "row %d: %.1f, published %.1f GiB",
			rows, got, want);
	}
	fclose(f);
	cr_expect(eq(int, rows, 5));
}
