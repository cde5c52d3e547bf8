/* The memory simulation: its contract, the sheet's figures through its knobs, and laws that hold at
 * every setting. */
#include "sims/base/rng.h"
#include "sims/figure/sim.h"
#include "sims/registry/registry.h"
#include "ui/data/tables_load.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

extern const struct sim memory_sim;

static struct tables load(void)
{
	struct tables t = { 0 };
	char err[200];
	cr_assert(tables_load(&t, err, sizeof err) == 0, "%s", err);
	return t;
}

/* "id=value id=value" on top of the defaults. */
static void set(const struct tables *t, double v[], const char *settings)
{
	sim_set(&memory_sim, t, settings, v);
}

static double value(const struct tables *t, const char *settings, const char *id)
{
	return sim_number(&memory_sim, t, settings, id);
}

Test(memory, contract)
{
	static const char *const knobs[] = { "model", "batch", "seq", "precision", "optimizer",
		"checkpointing", "k", "zero", "gpus", "tp", "attention", "gpu", "allocator" };
	static const char *const values[] = { "peak_GB", "static_GB", "activations_GB",
		"recompute_pct", "fits" };
	struct tables t = load();
	for (size_t i = 0; i < COUNT(knobs); i++)
		cr_expect(ge(int, sim_knob_index(&memory_sim, knobs[i]), 0), "%s", knobs[i]);
	for (size_t i = 0; i < COUNT(values); i++)
		cr_expect(isfinite(value(&t, "", values[i])), "%s", values[i]);
	for (size_t i = 0; i < memory_sim.n_knobs; i++) {
		cr_expect(le(sz, strlen(memory_sim.knobs[i].label), 14), "%s",
			memory_sim.knobs[i].id);
		cr_expect(ne(ptr, (void *)memory_sim.knobs[i].help, NULL));
	}
	tables_release(&t);
}

/* Llama 2 7B has 6.738e9 parameters: 16 B each are 107.8 GB, not the round 112. 32 layers of 2,048
 * tokens, 4,096 wide and with 32 heads: s b h is 8,388,608 values a layer. */
Test(memory, sheet)
{
	static const char base[] =
		"model=llama2-7b batch=1 seq=2048 precision=bf16 optimizer=adamw "
		"checkpointing=none zero=0 gpus=8 tp=1 attention=flash layer=gpt";
	static const struct {
		const char *settings, *id;
		double want, tolerance;
	} rows[] = {
		{ "", "static_GB", 107.8146, 1e-3 },
		{ "zero=1", "static_GB", 37.0613, 1e-3 }, /* 4 + 12 / 8 = 5.5 B */
		{ "zero=2", "static_GB", 25.2691, 1e-3 }, /* 2 + 14 / 8 = 3.75 B */
		{ "zero=3", "static_GB", 13.4768, 1e-3 }, /* 2 B */
		{ "", "activations_GB", 9.1268, 1e-3 },   /* F2.3: 34 s b h, 32 times */
		/* and the scores, 5 B x 32 heads x 2048^2 a layer: 21.4748 more */
		{ "attention=unfused", "activations_GB", 30.6016, 1e-3 },
		/* 2 s b h a layer, 0.5369, and one layer whole, 0.2852 */
		{ "checkpointing=full", "activations_GB", 0.8221, 1e-3 },
		/* 2 s b h for each 6 layers, 6 times 0.0168, and 6 layers whole, 1.7113 */
		{ "checkpointing=every_k k=6", "activations_GB", 1.8119, 1e-3 },
		{ "checkpointing=full", "recompute_pct", 100.0 / 3, 1e-6 },
		{ "checkpointing=none", "recompute_pct", 0, 0 },
		/* 2048 / (18 x 4096 + 3 x 2048) */
		{ "checkpointing=selective attention=unfused", "recompute_pct", 2.5641, 1e-3 },
		{ "", "layer_constant", 34, 1e-9 },
		{ "", "fits", 0, 0 },
		{ "zero=3", "fits", 1, 0 },
		{ "gpu=b200", "fits", 1, 0 },
	};
	struct tables t = load();
	for (size_t i = 0; i < COUNT(rows); i++) {
		char settings[300];
		snprintf(settings, sizeof settings, "%s %s", base, rows[i].settings);
		double got = value(&t, settings, rows[i].id);
		cr_expect(epsilon_eq(dbl, got, rows[i].want, rows[i].tolerance), "%s %s: %g",
			rows[i].settings, rows[i].id, got);
	}
	tables_release(&t);
}

/* The first request that the card cannot serve, by name. */
Test(memory, breaks_where_it_says)
{
	static const struct {
		const char *settings, *where;
	} rows[] = {
		{ "gpu=v100 zero=0 allocator=caching", "loading the weights" },
		{ "gpu=v100 zero=0 allocator=ideal", "the state alone, before the step" },
		/* 13.5 + 27 GB of weights, 13.5 of gradients; the moments come with the first
		   update. */
		{ "batch=1 zero=0 allocator=caching", "first step, optimizer" },
	};
	struct tables t = load();
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		set(&t, v, rows[i].settings);
		memory_sim.run(&t, v, &fig);
		cr_expect(eq(dbl, figure_find(&fig, "fits")->value, 0));
		const char *note = figure_find(&fig, "fits")->note;
		cr_expect(ne(ptr, strstr(note, "GB over"), NULL), "%s", note);
		cr_expect(ne(ptr, strstr(fig.why, rows[i].where), NULL), "%s", fig.why);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* Rows, bars and plot are one account: allocated + cached + context is the peak, so is the first
 * bar of each picture of bars, and so is the highest point of the plot where the card is large enough. */
static void expect_sums(const struct figure *fig, const char *what)
{
	double peak = figure_find(fig, "peak_GB")->value, sum = 0, highest = 0;
	static const char *const ids[] = { "allocated_GB", "cached_GB", "context_GB" };
	for (size_t i = 0; i < COUNT(ids); i++)
		sum += figure_find(fig, ids[i]) ? figure_find(fig, ids[i])->value : 0;
	cr_assert(epsilon_eq(dbl, sum, peak, 1e-9 * peak), "%s", what);
	for (size_t i = 0; i < fig->n_blocks; i++) {
		const struct bars *b = &fig->blocks[i]->as.bars;
		if (fig->blocks[i]->kind != BLOCK_BARS)
			continue;
		double bar = 0;
		for (size_t k = 0; k < b->n_parts; k++)
			bar += b->bars[0].parts[k];
		cr_assert(epsilon_eq(dbl, bar, peak, 1e-9 * peak), "%s", what);
	}
	if (figure_find(fig, "fits")->value == 0)
		return;
	const struct plot *p = &fig->blocks[0]->as.plot;
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t j = 0; j < p->series[i].n && p->series[i].style != SERIES_DASHED; j++)
			if (p->series[i].points[j].role != ROLE_BAD) /* foreseen, not of the run */
				highest = fmax(highest, p->series[i].points[j].y);
	cr_assert(le(dbl, highest, peak * (1 + 1e-9)), "%s", what);
}

/* The mark of a step that is still to come, or NULL. */
static const struct point *foreseen(const struct plot *p)
{
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t j = 0; j < p->series[i].n; j++)
			if (p->series[i].points[j].role == ROLE_BAD)
				return &p->series[i].points[j];
	return NULL;
}

/* Everything in a figure is finite, in order, and hangs together. */
static void audit(const struct tables *t, const double v[], const char *what)
{
	struct figure fig = { 0 };
	memory_sim.run(t, v, &fig);
	cr_assert(not(fig.arena.failed), "%s", what);
	for (size_t i = 0; i < fig.n_values; i++)
		cr_assert(isfinite(fig.values[i].value) && fig.values[i].value >= 0, "%s: %s", what,
			fig.values[i].id);
	double peak = figure_find(&fig, "peak_GB")->value;
	double allocated = figure_find(&fig, "allocated_GB")->value;
	cr_assert(ge(dbl, peak, allocated), "%s", what);
	expect_sums(&fig, what);
	for (size_t i = 1; i < fig.n_moments; i++)
		cr_assert(ge(dbl, fig.moments[i].at_s, fig.moments[i - 1].at_s), "%s", what);
	cr_assert(lt(dbl, 0, fig.duration_s), "%s", what);
	const struct plot *p = &fig.blocks[0]->as.plot;
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_PLOT));
	bool further = foreseen(p) != NULL;
	cr_assert(further ? p->x.max > fig.duration_s : p->x.max <= fig.duration_s * (1 + 1e-9),
		"%s", what);
	for (size_t i = 0; i < p->n_series; i++)
		for (size_t j = 0; j < p->series[i].n; j++) {
			const struct point *q = &p->series[i].points[j];
			cr_assert(isinf(q->y) == 0 && q->x <= p->x.max * (1 + 1e-9), "%s", what);
			cr_assert(j == 0 || q->x >= q[-1].x, "%s", what);
		}
	figure_release(&fig);
}

static size_t last_choice(const struct knob *k, const struct tables *t)
{
	size_t n = knob_choices(k, t);
	return n ? n - 1 : 0;
}

Test(memory, both_ends_of_every_knob)
{
	struct tables t = load();
	for (size_t i = 0; i < memory_sim.n_knobs; i++)
		for (int end = 0; end < 2; end++) {
			const struct knob *k = &memory_sim.knobs[i];
			double v[MAX_KNOBS];
			sim_defaults(&memory_sim, &t, v);
			if (k->kind == KNOB_NUMBER)
				v[i] = end ? k->max : k->min;
			else
				v[i] = end ? (double)last_choice(k, &t) : 0;
			audit(&t, v, k->id);
		}
	tables_release(&t);
}

static double any_value(const struct knob *k, const struct tables *t, struct rng *r)
{
	size_t n = knob_choices(k, t);
	if (n)
		return (double)rng_below(r, n);
	double x = k->geometric ? k->min * pow(k->max / k->min, rng_uniform(r))
				: k->min + (k->max - k->min) * rng_uniform(r);
	return k->integer ? round(x) : x;
}

Test(memory, random_settings, .description = "long")
{
	struct tables t = load();
	struct rng r = rng_stream(11, "memory", 0);
	for (int i = 0; i < 300; i++) {
		double v[MAX_KNOBS];
		char what[32];
		for (size_t j = 0; j < memory_sim.n_knobs; j++)
			v[j] = any_value(&memory_sim.knobs[j], &t, &r);
		snprintf(what, sizeof what, "random setting %d", i);
		audit(&t, v, what);
	}
	tables_release(&t);
}

/* Laws between settings that differ in one knob. */
Test(memory, laws, .description = "long")
{
	static const char *const models[] = { "gpt2", "llama2-7b", "llama3-8b", "llama3-70b" };
	static const char *const layers[] = { "gpt", "actual" };
	static const char *const attention[] = { "flash", "unfused" };
	struct tables t = load();
	for (int i = 0; i < 16; i++) {
		char base[200], s[300];
		snprintf(base, sizeof base, "model=%s layer=%s attention=%s gpus=64 gpu=b300",
			models[i / 4], layers[i / 2 % 2], attention[i % 2]);
#define AT(id, text) (snprintf(s, sizeof s, "%s %s", base, text), value(&t, s, id))
		cr_expect(ge(dbl, AT("peak_GB", "allocator=caching"),
				  AT("peak_GB", "allocator=ideal")),
			"%s", base);
		double none = AT("activations_GB", "checkpointing=none");
		cr_expect(le(dbl, AT("activations_GB", "checkpointing=full"), none), "%s", base);
		cr_expect(
			le(dbl, AT("activations_GB", "checkpointing=selective"), none), "%s", base);
		cr_expect(le(dbl, AT("activations_GB", "checkpointing=every_k k=2"), none), "%s",
			base);
		double state[4];
		for (int z = 0; z < 4; z++) {
			char zero[16];
			snprintf(zero, sizeof zero, "zero=%d", z);
			state[z] = AT("static_GB", zero);
			cr_expect(z == 0 || state[z] < state[z - 1], "%s %s", base, zero);
		}
		cr_expect(
			lt(dbl, AT("activations_GB", "batch=2"), AT("activations_GB", "batch=4")));
		cr_expect(lt(dbl, AT("activations_GB", "tp=2"), AT("activations_GB", "tp=1")));
	}
	tables_release(&t);
}

/* 6.74e9 parameters over 8 GPUs are 0.842e9 on each: 4 B of gradient and weight at 25 GB/s take
 * 0.135 s, 2 + 2 + 2 x 12 B at 41 GB/s of host memory 0.575 s. On the card the same 28 B take 12
 * ms. */
Test(memory, offload_takes_time)
{
	struct tables t = load();
	double on_card = value(&t, "", "step_s"), on_host = value(&t, "offload=1", "step_s");
	cr_expect(epsilon_eq(dbl, on_host - on_card, 0.135 + 0.575 - 0.012, 0.005));
	tables_release(&t);
}

/* The logits' own maximum does not depend on when the whole peaks: two copies and the gradient in
 * FP32 of 4 x 2,048 x 32,000 values are more than one of 1.05 GB. */
Test(memory, logits_at_their_most)
{
	struct tables t = load();
	double few = value(&t, "checkpointing=full", "logits_GB");
	cr_expect(lt(dbl, 1.05, few));
	cr_expect(eq(dbl, value(&t, "checkpointing=none", "logits_GB"), few));
	tables_release(&t);
}

/* A domain that is left is said, after the plot. */
Test(memory, warns)
{
	static const char *const settings[] = { "tp=3 gpus=9", "seq=8192", "gpus=1 zero=1",
		"gpu=v100", "checkpointing=every_k k=64", "tp=2 gpus=7" };
	struct tables t = load();
	for (size_t i = 0; i < COUNT(settings); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		set(&t, v, settings[i]);
		memory_sim.run(&t, v, &fig);
		cr_expect(eq(int, (int)fig.blocks[0]->kind, BLOCK_PLOT));
		cr_expect(fig.blocks[1]->kind == BLOCK_NOTE &&
				  fig.blocks[1]->as.note.role == ROLE_WARN,
			"%s", settings[i]);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* ZeRO-2 shards what is not there at a peak before backward; with full recomputation the peak of
 * ZeRO-1 is full of gradients. */
Test(memory, says_why_sharded_gradients_change_nothing)
{
	static const struct {
		const char *settings;
		int said;
	} rows[] = { { "", 1 }, { "zero=2", 1 }, { "checkpointing=full", 0 }, { "gpus=1", 0 } };
	struct tables t = load();
	for (size_t i = 0; i < COUNT(rows); i++) {
		double v[MAX_KNOBS];
		struct figure fig = { 0 };
		int said = 0;
		set(&t, v, rows[i].settings);
		memory_sim.run(&t, v, &fig);
		for (size_t k = 0; k < fig.n_blocks; k++)
			said += fig.blocks[k]->kind == BLOCK_NOTE &&
				strstr(fig.blocks[k]->as.note.text, "No gradient is alive");
		cr_expect(eq(int, said, rows[i].said), "%s", rows[i].settings);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* Llama's layer, unless another is asked for. Of each value of the width it saves, in 2 B: inputs and
 * outputs of two norms, 8; queries, keys, values and what attention makes of them, 8; and of the
 * 11,008 / 4,096 wider feed-forward gate, SiLU, up and their product, 8 each. */
Test(memory, the_layer_is_the_models_own)
{
	struct tables t = load();
	double own = value(&t, "layer=actual", "layer_constant");
	cr_expect(eq(dbl, value(&t, "", "layer_constant"), own));
	cr_expect(epsilon_eq(dbl, own, 8 + 8 + 8. * 11008 / 4096, 0.05));
	/* GPT-2's own layer is the rule's. */
	cr_expect(epsilon_eq(dbl, value(&t, "model=gpt2", "layer_constant"), 34, 0.05));
	/* 82.4 GiB of torchtitan's Llama 3 8B at 2 x 8,192 do not fit 80 GB. */
	cr_expect(zero(dbl, value(&t, "model=llama3-8b gpus=8 batch=2 seq=8192 gpu=h100", "fits")));
	tables_release(&t);
}

/* Three teeth of the same height; with a leak each stands higher by what a step leaves behind: 2
 * outputs of 4 x 2,048 x 4,096 values of 2 B in 32 layers, 4.29 GB. 54.8 GB and 6 of those are more
 * than 80 GB: the seventh step is the first that does not fit. */
Test(memory, steps_and_leaks)
{
	struct tables t = load();
	double step_s = value(&t, "layer=gpt", "step_s"), peak = value(&t, "layer=gpt", "peak_GB");
	const double left = 2.0 * 4 * 2048 * 4096 * 2 * 32 / 1e9;
	double v[MAX_KNOBS];
	struct figure fig = { 0 };
	set(&t, v, "layer=gpt");
	memory_sim.run(&t, v, &fig);
	const struct plot *p = &fig.blocks[0]->as.plot;
	cr_expect(epsilon_eq(dbl, fig.duration_s, 3 * step_s, 1e-9));
	cr_assert(ge(sz, p->n_series, 3));
	cr_expect(p->series[0].meaning == MEANS_COMPUTE && p->series[1].meaning == MEANS_SECOND &&
		  p->series[2].meaning == MEANS_FIXED);
	cr_expect(strncmp(fig.why, "Forward piles up 36.5 GB", 24) == 0, "%s", fig.why);
	figure_release(&fig);
	cr_expect(epsilon_eq(dbl, value(&t, "layer=gpt steps=8", "peak_GB"), peak, 1e-9));
	cr_expect(epsilon_eq(dbl, value(&t, "layer=gpt leak=1", "peak_GB"), peak + 2 * left, 1e-6));
	/* Mixtral's 32 layers have experts and no dense part: two outputs all the same. */
	static const char mixtral[] = "model=mixtral-8x7b gpus=64 zero=3 seq=2048 batch=1";
	static const char leaking[] = "model=mixtral-8x7b gpus=64 zero=3 seq=2048 batch=1 leak=1";
	cr_expect(epsilon_eq(dbl, value(&t, leaking, "peak_GB") - value(&t, mixtral, "peak_GB"),
		2 * 2.0 * 2048 * 4096 * 2 * 32 / 1e9, 1e-6));
	cr_expect(eq(dbl, value(&t, "layer=gpt leak=1 steps=6", "fits"), 1));
	cr_expect(eq(dbl, value(&t, "layer=gpt leak=1 steps=7", "fits"), 0));
	set(&t, v, "layer=gpt leak=1");
	memory_sim.run(&t, v, &fig);
	const struct point *full = foreseen(&fig.blocks[0]->as.plot);
	cr_assert(full != NULL);
	cr_expect(eq(str, (char *)full->name, "full in step 7"));
	cr_expect(epsilon_eq(dbl, full->y, peak + 6 * left, 1e-6));
	cr_expect(full->y > 80 && full->y - left <= 80, "%g", full->y);
	cr_expect(full->x > 6 * step_s && full->x < 7 * step_s, "%g", full->x);
	figure_release(&fig);
	set(&t, v, "layer=gpt leak=1 steps=8");
	memory_sim.run(&t, v, &fig);
	cr_expect(foreseen(&fig.blocks[0]->as.plot) == NULL);
	cr_expect(strstr(fig.why, "Step 7 is out of memory") != NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* Until memory is out the teeth have the colours of their passes, and what comes after is grey: no
 * point of the one lies on the side of the other. A batch of 16 fails in forward, so that there is
 * no backward to show. */
Test(memory, what_never_comes_is_grey)
{
	struct tables t = load();
	static const char *const settings[] = { "leak=on steps=8", "batch=16" };
	for (size_t k = 0; k < 2; k++) {
		struct figure fig = sim_run(&memory_sim, &t, settings[k]);
		const struct plot *p = &fig.blocks[0]->as.plot;
		double broke_s = NAN;
		size_t grey = 0;
		for (size_t i = 0; i < p->n_rules; i++)
			if (!p->rules[i].horizontal)
				broke_s = p->rules[i].at;
		for (size_t i = 0; i < p->n_series; i++) {
			const struct series *s = &p->series[i];
			bool after = s->meaning == MEANS_WAITING;
			for (size_t j = 0; j < s->n; j++) {
				cr_expect(after ? s->points[j].x >= broke_s
						: s->points[j].x <= broke_s,
					"%s: %s", settings[k], s->name);
				grey += after;
			}
			cr_expect(k == 0 || s->meaning != MEANS_SECOND);
		}
		cr_expect(lt(sz, 1, grey), "%s", settings[k]);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The moment that says so is the one of the numbers: what the blocks in use come to there is what
 * tensors take at the peak, to a few cells that are half used. */
Test(memory, blocks_at_the_peak)
{
	static const char *const settings[] = { "", "seq=8192 checkpointing=full",
		"seq=8192 checkpointing=full fused=on" };
	struct tables t = load();
	for (size_t s = 0; s < COUNT(settings); s++) {
		struct figure fig = { 0 };
		double v[MAX_KNOBS];
		set(&t, v, settings[s]);
		memory_sim.run(&t, v, &fig);
		const struct moment *top = NULL;
		for (size_t i = 0; i < fig.n_moments && !top; i++)
			if (strstr(fig.moments[i].text, "most is alive"))
				top = &fig.moments[i];
		const struct grid *g = &figure_block(&fig, BLOCK_GRID, NULL)->as.grid;
		cr_assert(top != NULL, "%s", settings[s]);
		size_t frame = 0, used = 0, all = g->rows * g->cols;
		while (frame + 1 < g->n_frames && g->frame_times[frame + 1] <= top->at_s)
			frame++;
		for (size_t c = 0; c < all; c++)
			used += g->cells[frame * all + c] == 1;
		double room_GB = 80 - figure_find(&fig, "context_GB")->value;
		double in_use_GB = (double)used * room_GB / (double)all;
		double allocated_GB = figure_find(&fig, "allocated_GB")->value;
		cr_expect(fabs(in_use_GB / allocated_GB - 1) < 0.05, "%s: %g GB of cells, %g GB",
			settings[s], in_use_GB, allocated_GB);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* What stands beside the peak adds up to it: activations as they are alive at it (where that is less than at
 * their own highest, it is said), weights with optimizer, and the rest. The card's rule alarms only where
 * something is over it. */
Test(memory, the_numbers_beside_the_peak_add_up_to_it)
{
	static const char *const settings[] = { "", "checkpointing=full", "zero=0", "leak=on",
		"allocator=ideal", "batch=1 seq=256" };
	struct tables t = load();
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct figure fig = sim_run(sim_find("memory"), &t, settings[i]);
		const struct value *activations = figure_find(&fig, "activations_GB");
		double alive = activations->note ? atof(activations->note) : activations->value;
		double sum = alive + figure_number(&fig, "peak_state_GB") +
			     figure_number(&fig, "peak_rest_GB");
		double peak = figure_number(&fig, "peak_GB");
		cr_expect(epsilon_eq(dbl, sum, peak, 0.01 * peak), "%s: %g of %g", settings[i], sum,
			peak);
		const struct plot *p = &fig.blocks[0]->as.plot;
		cr_expect(
			p->n_rules == 0 || (p->rules[0].role == ROLE_BAD) == (peak > 80 || i == 3),
			"%s", settings[i]);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* The peak and the card have one unit, which stands once in each of the sentences. */
Test(memory, the_unit_of_peak_and_card_is_said_once)
{
	static const char *const settings[] = { "", "batch=1", "gpus=1 tp=64" };
	struct tables t = load();
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct figure fig = sim_run(&memory_sim, &t, settings[i]);
		cr_expect(strstr(fig.why, " of 80 GB") != NULL, "%s", fig.why);
		cr_expect(strstr(fig.why, " GB of 80 GB") == NULL, "%s", fig.why);
		figure_release(&fig);
	}
	tables_release(&t);
}

/* A tensor group of 64 on one GPU is no layout that fits: the sentence says so before anything else. */
Test(memory, a_group_that_is_not_there_is_said_first)
{
	struct tables t = load();
	struct figure fig = sim_run(&memory_sim, &t, "gpus=1 tp=64");
	cr_expect(strstr(fig.why, "There is 1 GPU, and a tensor group takes 64.") == fig.why, "%s",
		fig.why);
	figure_release(&fig);
	fig = sim_run(&memory_sim, &t, "gpus=8 tp=8");
	cr_expect(strstr(fig.why, "tensor group") == NULL, "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}
