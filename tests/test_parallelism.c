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

/* Llama-2 70B has 68,976,648,192 parameters, 80 layers, a width of 8,192; 7B has 6,738,415,616,
 * 32 layers, 4,096. */
Test(parallelism, check_values)
{
	static const struct {
		const char *settings, *value;
		double want, tolerance;
	} rows[] = {
		/* F5.6: 3 of 11; interleaved, 3 of 32 + 3 */
		{ "", "bubble_pct", 27.27, 0.01 },
		{ "schedule=gpipe", "bubble_pct", 27.27, 0.01 },
		{ "schedule=interleaved virtual_stages=4", "bubble_pct", 8.571, 0.001 },
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
		/* F2.3: 34 s b h a layer, 80 of them; under TP with sequences cut a 64th */
		{ "strategy=ddp", "activations_GB", 91.268, 0.001 },
		{ "strategy=tp", "activations_GB", 1.4261, 0.0001 },
		/* 10 + 24/64 parts without */
		{ "strategy=tp sequence_parallel=off", "activations_GB", 27.850, 0.001 },
		/* 2 s b h a layer, and one layer whole */
		{ "strategy=ddp checkpointing=full", "activations_GB", 6.5095, 0.0001 },
		/* 20 layers of 4 micro-batches, an 8th */
		{ "", "activations_GB", 11.4085, 0.0001 },
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
		/* 3 of 11 */
		{ "", "bubble_pct", "wait 27.3 % of the step" },
		/* 16 B x 68.98e9 are 1,104 GB, and 91 of activations */
		{ "strategy=ddp", "memory_GB", "1,195 GB of 80" },
		{ "strategy=tp", "exposed_ms", "the tensor group leaves the node" },
		/* 3 of 67 */
		{ "micro_batches=64", "memory_GB", "the bubble takes 4.48 %" },
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

/* Two tensor groups have the same three of eleven for a bubble: a comparison shows no move. */
Test(parallelism, one_bubble_is_one_number)
{
	double bubble = value_of("", "bubble_pct");
	cr_expect(eq(dbl, value_of("tp=16", "bubble_pct"), bubble));
	cr_expect(eq(dbl, value_of("gpu=h100", "bubble_pct"), bubble));
}

/* Four stages of 20 of the 80 layers: each holds two of the eight slices of every kind, and no two
 * stages the same ones. Of 64 copies four are shown, and each holds everything. */
Test(parallelism, holders)
{
	static const struct {
		const char *settings, *names[4];
		unsigned from[4], to[4];
	} rows[] = {
		{ "", { "stage 0", "stage 1", "stage 2", "stage 3" }, { 0, 2, 4, 6 },
			{ 2, 4, 6, 8 } },
		{ "strategy=ddp", { "GPU 0", "GPU 21", "GPU 42", "GPU 63" }, { 0, 0, 0, 0 },
			{ 8, 8, 8, 8 } },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim_find("parallelism"), &facts, rows[i].settings);
		const struct grid *g = NULL;
		for (size_t b = 0; b < fig.n_blocks; b++)
			if (fig.blocks[b]->kind == BLOCK_GRID)
				g = &fig.blocks[b]->as.grid;
		cr_assert(g && g->rows == 4 && g->cols == 35);
		for (size_t r = 0; r < 4; r++) {
			cr_expect(eq(str, (char *)g->row_names[r], (char *)rows[i].names[r]));
			for (size_t c = 0; c < 35; c++) {
				size_t slice = c % 9;
				bool held = slice < 8 && slice >= rows[i].from[r] &&
					    slice < rows[i].to[r];
				cr_expect(eq(int, g->cells[r * 35 + c] != 0, held), "%s: %zu, %zu",
					rows[i].settings, r, c);
			}
		}
		figure_release(&fig);
	}
}

/* The bubble is painted: what the four stages wait is 3 of 11 of their time, in grey and by name; so is
 * that of chunks. The first knob is the one that fills it, which is what the screen asks to turn.
 * Activations have one colour, in the grid of holders and in the bars of bytes. */
Test(parallelism, the_bubble_is_painted)
{
	static const struct {
		const char *settings;
		double share;
	} rows[] = { { "", 3. / 11 }, { "schedule=gpipe", 3. / 11 },
		{ "schedule=interleaved virtual_stages=4", 3. / 35 } };
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
			if (s->lane == 4) /* the network's */
				continue;
			all_s += s->end - s->start;
			waits_s += waits ? s->end - s->start : 0;
			if (waits)
				cr_expect(eq(str, (char *)t->kind_names[s->kind], "waits"));
		}
		cr_expect(epsilon_eq(dbl, waits_s / all_s, rows[i].share, 1e-5), "%s",
			rows[i].settings);
		figure_release(&fig);
	}
	struct figure fig = sim_run(sim, &facts, "strategy=ddp");
	cr_assert(fig.blocks[0]->kind == BLOCK_BARS && fig.blocks[1]->kind == BLOCK_GRID);
	const struct grid *g = &fig.blocks[1]->as.grid;
	cr_expect(fig.blocks[0]->as.bars.means[3] == g->means[g->cells[3 * 9]]);
	figure_release(&fig);
}

enum { MOST = 1024 };

/* Every chunk takes 1 forward and 2 backward, over `chunks`. */
static bool even_run(enum pipeline_kind kind, size_t p, size_t m, size_t v, struct pipeline *out,
	struct arena *arena)
{
	double forward[MOST], backward[MOST], held[MOST];
	for (size_t i = 0; i < p * v; i++) {
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
	cr_expect(lt(dbl, value_of("", "bubble_pct"), value_of("transfers=on", "bubble_pct")));
	/* 80 layers over 3 stages: one is shorter, so the bubble is more than the formula's. */
	cr_expect(lt(dbl, value_of("pp=3", "bubble_formula_pct"), value_of("pp=3", "bubble_pct")));
	/* A tensor group that leaves the node waits longer. */
	cr_expect(lt(dbl, value_of("tp=8", "exposed_ms"), value_of("tp=16", "exposed_ms")));
	cr_expect(zero(dbl, value_of("strategy=ddp gpus=1", "exposed_ms")));
	cr_expect(zero(dbl, value_of("strategy=zero3 gpus=1", "traffic_GB")));
}
