/* All-reduce: the formulas by hand, and a run that moves the pieces and must end as they say. */
#include "sims/communication/collective_run.h"
#include "sims/formulas/communication.h"
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

TestSuite(allreduce, .init = load, .fini = unload);

static double value_of(const char *settings, const char *id)
{
	return sim_number(sim_find("allreduce"), &facts, settings, id);
}

/* F5.1 to F5.5 worked by hand: 14 GB are 7 B parameters in BF16. One GPU per node makes the
 * network's NIC the only link. */
Test(allreduce, check_values)
{
	static const struct {
		const char *settings, *value;
		double want, tolerance;
	} rows[] = {
		{ "", "sent_GB", 24.5, 1e-9 },
		{ "links=ideal", "time_ms", 81.737, 0.001 }, /* 14 (5 us + 1.75 GB / 300 GB/s) */
		{ "links=ideal", "algbw_GBps", 171.28, 0.01 },
		{ "links=ideal", "busbw_GBps", 299.74, 0.01 }, /* of 300: the hops */
		{ "links=ideal gpus_per_node=1 inter_GBps=50", "time_ms", 490.07, 0.01 },
		{ "links=ideal gpus_per_node=1 inter_GBps=12.5", "time_ms", 1960.07, 0.01 },
		/* beta alpha N (N - 1 - log2 N) */
		{ "links=ideal gpus_per_node=1", "crossover_MB", 4, 1e-6 },
		{ "links=ideal gpus_per_node=1 gpus=64", "crossover_MB", 456, 1e-4 },
		{ "links=ideal gpus_per_node=1 gpus=512", "crossover_MB", 32128, 0.01 },
		{ "links=ideal gpus_per_node=1 gpus=64 latency_us=10", "crossover_MB", 912, 1e-4 },
		/* all of 1.96 s but 559/560 of a backward of 1 s; of 0.49 s the last bucket */
		{ "links=ideal gpus_per_node=1 inter_GBps=12.5 latency_us=0.1", "exposed_ms", 962.6,
			0.1 },
		{ "links=ideal gpus_per_node=1 inter_GBps=50 latency_us=0.1", "exposed_ms", 0.876,
			0.002 },
		{ "links=ideal backward_ms=none buckets=1", "exposed_ms", 81.737, 0.001 },
		/* (9/8) 14 GB / 450 GB/s + 2 x 5 us */
		{ "links=ideal algorithm=in_network gpu=h100", "time_ms", 35.01, 0.01 },
		{ "links=ideal algorithm=in_network gpu=h100", "sent_GB", 15.75, 1e-9 },
		/* 0.105 s at the 232 GB/s that A100s measure */
		{ "", "time_ms", 105, 3 },
		{ "", "sum_holds", 1, 0 },
	};
	for (size_t i = 0; i < COUNT(rows); i++)
		cr_expect(epsilon_eq(dbl, value_of(rows[i].settings, rows[i].value), rows[i].want,
				  rows[i].tolerance),
			"%s: %s", rows[i].settings, rows[i].value);
}

Test(allreduce, what_cannot_be_done_is_infinite)
{
	cr_expect(isinf(value_of("algorithm=in_network gpu=a100", "time_ms")));
	cr_expect(isinf(value_of("algorithm=hierarchical gpus=8", "time_ms")));
	cr_expect(isfinite(value_of("algorithm=auto gpus=8", "time_ms")));
}

Test(allreduce, auto_is_never_slower)
{
	static const char *const algorithms[] = { "ring", "tree", "hierarchical", "in_network" };
	static const char *const places[] = { "gpus=8 bytes=0.01 gpu=h100",
		"gpus=64 bytes=1 gpu=h100", "gpus=64 bytes=14000", "gpus=1024 bytes=100" };
	for (size_t i = 0; i < COUNT(places); i++)
		for (size_t j = 0; j < COUNT(algorithms); j++) {
			char one[128], quickest[128];
			snprintf(one, sizeof one, "%s algorithm=%s", places[i], algorithms[j]);
			snprintf(quickest, sizeof quickest, "%s algorithm=auto", places[i]);
			cr_expect(le(dbl, value_of(quickest, "time_ms"), value_of(one, "time_ms")),
				"%s", one);
		}
}

/* A ring of eight: in the first frame every GPU holds its own part of every chunk and sends one; at
 * the end all hold the whole sum and nothing moves. */
Test(allreduce, one_chunk_of_each_gpu_is_on_its_way)
{
	struct figure fig = sim_run(sim_find("allreduce"), &facts, "gpus=8 algorithm=ring");
	cr_assert(eq(int, (int)fig.blocks[0]->kind, BLOCK_GRID));
	const struct grid *g = &fig.blocks[0]->as.grid;
	cr_assert(eq(sz, g->rows, 8));
	cr_assert(eq(sz, g->cols, 8));
	cr_expect(eq(int, (int)g->means[1], MEANS_LEVEL));
	cr_expect(eq(int, (int)g->means[8], MEANS_LEVEL + 7));
	for (size_t f = 0; f < g->n_frames; f++)
		for (size_t row = 0; row < 8; row++) {
			size_t moving = 0;
			for (size_t col = 0; col < 8; col++)
				moving +=
					g->means[g->cells[(f * 8 + row) * 8 + col]] == MEANS_FOCUS;
			cr_expect(
				eq(sz, moving, f + 1 < g->n_frames), "frame %zu, GPU %zu", f, row);
		}
	for (size_t i = 0; i < 64; i++)
		cr_expect(eq(int, g->cells[(g->n_frames - 1) * 64 + i], 8));
	figure_release(&fig);
}

/* In the first step GPU i sends its part of chunk i on to the next one, and GPU 7 back to GPU 0; after
 * it the next one holds two parts of that chunk. */
Test(allreduce, cells_say_what_they_hold_and_where_it_goes)
{
	struct figure fig = sim_run(sim_find("allreduce"), &facts, "gpus=8 algorithm=ring");
	const struct grid *g = &fig.blocks[0]->as.grid;
	cr_assert(ne(ptr, (void *)g->notes, NULL));
	size_t ups = 0, downs = 0, twos = 0;
	for (size_t i = 0; i < 64; i++) {
		cr_expect(eq(int, g->notes[i].number, 1 + 1), "cell %zu", i);
		ups += g->notes[i].moves < 0;
		downs += g->notes[i].moves > 0;
		twos += g->notes[64 + i].number == 1 + 2;
	}
	cr_expect(all(eq(sz, ups, 1), eq(sz, downs, 7), eq(sz, twos, 8)));
	/* The next one adds it; in the last step whole sums take the places of parts. */
	size_t last = (g->n_frames - 2) * 64, wholes = 0;
	for (size_t i = 0; i < 8; i++) {
		const struct cell_note *note = &g->notes[(i + 1) % 8 * 8 + i];
		cr_expect(all(eq(int, note->gets, 1 + 1), eq(int, note->adds, 1)), "chunk %zu", i);
	}
	for (size_t i = last; i < last + 64; i++)
		wholes += g->notes[i].gets == 1 + 8 && !g->notes[i].adds;
	cr_expect(eq(sz, wholes, 8));
	figure_release(&fig);
}

/* The steps that are played take as long as the time that is said, on few GPUs as on many of which few
 * are shown. */
Test(allreduce, there_is_one_clock)
{
	static const char *const settings[] = { "", "gpus=512 algorithm=tree",
		"gpus=64 algorithm=hierarchical" };
	for (size_t i = 0; i < COUNT(settings); i++) {
		struct figure fig = sim_run(sim_find("allreduce"), &facts, settings[i]);
		const struct grid *g = &fig.blocks[0]->as.grid;
		double want = figure_find(&fig, "time_ms")->value / 1e3;
		cr_expect(epsilon_eq(dbl, fig.duration_s, want, 1e-9), "%s", settings[i]);
		cr_expect(epsilon_eq(dbl, g->frame_times[g->n_frames - 1], want, 1e-9), "%s",
			settings[i]);
		figure_release(&fig);
	}
}

static struct run_setup setup(enum algorithm a, size_t nodes, size_t local, size_t pieces)
{
	return (struct run_setup){ .algorithm = a,
		.nodes = nodes,
		.local = local,
		.pieces = pieces,
		.bytes = 14e9,
		.intra_bandwidth = 232e9,
		.inter_bandwidth = 25e9,
		.intra_hop_s = 5e-6,
		.inter_hop_s = 5e-6 };
}

static double seconds(const struct run_setup *s)
{
	struct arena arena = { 0 };
	struct collective_run run;
	cr_assert(collective_run(s, 16, &run, &arena));
	double time_s = run.time_s;
	arena_release(&arena);
	return time_s;
}

/* Every shape, also odd ones: nobody misses a part and none counts twice. */
Test(collective_run, every_gpu_ends_with_the_sum)
{
	for (enum algorithm a = 0; a < N_ALGORITHMS; a++)
		for (size_t nodes = 1; nodes <= 6; nodes++)
			for (size_t local = 1; local <= 10; local += nodes < 3 ? 1 : 3) {
				struct run_setup s = setup(a, nodes, local, 7);
				struct arena arena = { 0 };
				struct collective_run run;
				if (a == ALGORITHM_IN_SWITCH && local == 1)
					continue; /* nothing to add */
				if (!collective_run(&s, 40, &run, &arena))
					continue; /* one GPU */
				cr_expect(run.sum_holds, "%s %zu x %zu", algorithm_names[a], nodes,
					local);
				cr_expect(le(sz, run.n_frames, (size_t)40));
				size_t cells = run.rows * run.chunks;
				for (size_t i = 0; i < run.gpus * run.chunks; i++) {
					cr_expect(eq(int, run.held[i], 1));
					cr_expect(eq(int, run.held[(run.n_frames - 1) * cells + i],
						(int)run.gpus));
				}
				arena_release(&arena);
			}
}

Test(collective_run, takes_what_the_formulas_say)
{
	for (size_t n = 2; n <= 64; n++) {
		struct run_setup s = setup(ALGORITHM_RING, 1, n, 2);
		double want = CALL(ring_allreduce_time, .bytes = 14e9, .gpus = (double)n,
			.link_bandwidth = 232e9, .latency = 5e-6);
		cr_expect(epsilon_eq(dbl, seconds(&s), want, 1e-9 * want), "%zu", n);
	}
	/* F5.3b: 14 GB over 8 x 8 GPUs with a NIC each. */
	struct run_setup s = setup(ALGORITHM_HIERARCHICAL, 8, 8, 2);
	cr_expect(epsilon_eq(dbl, seconds(&s), 0.2282, 0.0001));
	for (size_t g = 1; g <= 8; g++) {
		s = setup(ALGORITHM_HIERARCHICAL, 5, g, 2);
		double want =
			CALL(hierarchical_allreduce_time, .bytes = 14e9, .gpus_per_node = (double)g,
				.nodes = 5, .nics = (double)g, .link_bandwidth = 232e9,
				.nic_bandwidth = 25e9, .latency = 5e-6, .nic_latency = 5e-6);
		cr_expect(epsilon_eq(dbl, seconds(&s), want, 1e-9 * want), "%zu", g);
	}
}

/* With many pieces: the bytes of F5.3 and F5.3c, plus the time to fill the pipeline. Without bytes:
 * the hops alone. */
Test(collective_run, tree_and_switch_come_near_theirs, .description = "long")
{
	for (size_t n = 4; n <= 32; n *= 2) {
		struct run_setup s = setup(ALGORITHM_TREE, 1, n, 512);
		double gpus = (double)n;
		double want = CALL(tree_allreduce_time, .bytes = 14e9, .gpus = gpus,
			.link_bandwidth = 232e9, .latency = 5e-6);
		cr_expect(le(dbl, want, 1.001 * seconds(&s)), "%zu", n);
		cr_expect(le(dbl, seconds(&s), 1.08 * want), "%zu", n);
		s.bytes = 1e-6;
		cr_expect(epsilon_eq(dbl, seconds(&s), 2 * log2(gpus) * 5e-6, 1e-9), "%zu", n);

		s = setup(ALGORITHM_IN_SWITCH, 1, n, 1024);
		want = CALL(in_network_allreduce_time, .bytes = 14e9, .gpus = gpus,
			.link_bandwidth = 232e9, .latency = 5e-6);
		cr_expect(le(dbl, want, seconds(&s)), "%zu", n);
		cr_expect(le(dbl, seconds(&s), 1.10 * want), "%zu", n);
		s.bytes = 1e-6;
		cr_expect(epsilon_eq(dbl, seconds(&s), 2 * 5e-6, 1e-9), "%zu", n);
	}
}

Test(collective_run, sends_what_the_formulas_say)
{
	static const struct {
		enum algorithm algorithm;
		size_t nodes, local;
		double shares; /* of the message */
	} rows[] = {
		{ ALGORITHM_RING, 1, 8, 1.75 },
		{ ALGORITHM_RING, 4, 4, 1.875 },
		{ ALGORITHM_TREE, 1, 8, 2 },
		{ ALGORITHM_HIERARCHICAL, 8, 8, 1.75 + 1.75 / 8 },
		{ ALGORITHM_IN_SWITCH, 1, 8, 1.125 },
		{ ALGORITHM_IN_SWITCH, 4, 8, 1.125 + 2.0 / 8 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct run_setup s = setup(rows[i].algorithm, rows[i].nodes, rows[i].local, 64);
		struct arena arena = { 0 };
		struct collective_run run;
		cr_assert(collective_run(&s, 16, &run, &arena));
		cr_expect(
			epsilon_eq(dbl, run.sent_bytes / 14e9, rows[i].shares, 1e-9), "row %zu", i);
		arena_release(&arena);
	}
}

/* Of 16 GPUs in two nodes 4 each are shown, so that the ways stay on the screen beside them: the title
 * says so, and the ways are the very next part. A node of 8 is shown whole. */
Test(allreduce, shows_a_few_of_many_gpus)
{
	static const struct {
		const char *settings, *title;
	} rows[] = { { "", "GPUs summed so far" },
		{ "gpus=16", "GPUs summed so far, 8 GPUs stand for 16" } };
	for (size_t i = 0; i < 2; i++) {
		struct tables t = load_tables();
		struct figure fig = sim_run(sim_find("allreduce"), &t, rows[i].settings);
		cr_assert(fig.n_blocks > 1 && fig.blocks[0]->kind == BLOCK_GRID);
		cr_expect(eq(str, (char *)fig.blocks[0]->as.grid.title, (char *)rows[i].title));
		cr_expect(eq(sz, fig.blocks[0]->as.grid.rows, 8));
		cr_expect(fig.blocks[1]->kind == BLOCK_BARS);
		figure_release(&fig);
		tables_release(&t);
	}
}

/* The pages count 2 (N - 1) steps of a ring, so the figure does: 14 of 8 GPUs, however unevenly the
 * chunks arrive where some links are slower, and 30 that they are drawn for where the 8 stand for 16. A
 * tree has no such steps. */
Test(allreduce, counts_the_steps_of_the_ring)
{
	static const struct {
		const char *settings;
		size_t steps, stand_for;
	} rows[] = { { "gpus=2", 2, 0 }, { "gpus=8", 14, 0 }, { "gpus=16", 14, 30 },
		{ "gpus=4 gpus_per_node=1", 6, 0 }, { "gpus=16 inter_GBps=1", 14, 30 },
		{ "gpus=8 gpus_per_node=4 inter_GBps=1", 14, 0 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct figure fig = sim_run(sim_find("allreduce"), &facts, rows[i].settings);
		const struct grid *g = &fig.blocks[0]->as.grid;
		cr_assert(ne(ptr, (void *)g->frame_steps, NULL), "%s", rows[i].settings);
		cr_expect(eq(str, (char *)g->frame_title, "step"));
		cr_expect(eq(sz, g->n_steps, rows[i].steps), "%s", rows[i].settings);
		cr_expect(eq(sz, g->stand_for, rows[i].stand_for), "%s", rows[i].settings);
		cr_expect(eq(sz, g->frame_steps[0], 0));
		cr_expect(eq(sz, g->frame_steps[g->n_frames - 1], rows[i].steps));
		for (size_t f = 1; f < g->n_frames; f++)
			cr_expect(le(sz, g->frame_steps[f - 1], g->frame_steps[f]));
		figure_release(&fig);
	}
	struct figure fig = sim_run(sim_find("allreduce"), &facts, "algorithm=tree");
	cr_expect(eq(str, (char *)fig.blocks[0]->as.grid.frame_title, "arrival"));
	figure_release(&fig);
}

/* Where one bar shows the start of its hops, all do: a bar without would look as if it had none. Of a
 * kilobyte they are nearly all there is; of a terabyte nothing of them is to be seen. */
Test(allreduce, starts_of_hops_are_parted_in_all_ways_or_in_none)
{
	char settings[64];
	size_t parted = 0, whole = 0;
	for (double mb = 1e-3; mb <= 1e6; mb *= 2) {
		snprintf(settings, sizeof settings, "bytes=%.9g", mb);
		struct figure fig = sim_run(sim_find("allreduce"), &facts, settings);
		cr_assert(eq(int, (int)fig.blocks[1]->kind, BLOCK_BARS));
		const struct bars *ways = &fig.blocks[1]->as.bars;
		size_t with = 0;
		for (size_t i = 0; i < ways->n_bars; i++)
			with += ways->bars[i].parts[ways->n_parts - 1] > 0;
		cr_expect(with == 0 || with == ways->n_bars, "%s: %zu of %zu", settings, with,
			ways->n_bars);
		parted += with > 0;
		whole += with == 0;
		figure_release(&fig);
	}
	cr_expect(parted > 0 && whole > 0);
}

/* A ring of 8 sends 7/8 of 14 GB twice; an inner GPU of a tree all of it, up and down: 28 GB, in its bar as
 * in the sentence. The way that is set stands out among the bars and among the curves. Where another way is ahead by
 * less than counts, nobody says that none is. */
Test(allreduce, the_ways_are_told_apart_alike_in_numbers_and_colours)
{
	struct figure fig = sim_run(sim_find("allreduce"), &facts, "");
	const struct bars *ways = &fig.blocks[1]->as.bars;
	cr_expect(eq(str, (char *)fig.why,
		"The ring is quickest, 107 ms: each GPU sends 24.5 GB, in the tree 28 GB."));
	cr_expect(eq(str, (char *)ways->part_names[ALGORITHM_TREE], "sends 28 GB"));
	const struct plot *curves = &fig.blocks[3]->as.plot;
	for (size_t i = 0; i < ways->n_bars; i++) {
		const struct series *own = NULL;
		for (size_t k = 0; k < curves->n_series; k++)
			if (strcmp(curves->series[k].name, ways->bars[i].label) == 0)
				own = &curves->series[k];
		cr_assert(ne(ptr, (void *)own, NULL), "%s", ways->bars[i].label);
		bool set = strcmp(own->name, "ring") == 0;
		cr_expect(eq(int, ways->bars[i].role == ROLE_ACCENT, set));
		cr_expect(eq(int, own->meaning == MEANS_NETWORK, set));
	}
	figure_release(&fig);
	fig = sim_run(sim_find("allreduce"), &facts, "gpus=512");
	cr_expect(ne(ptr, strstr(fig.why, "no other way is much quicker: the tree takes"), NULL),
		"%s", fig.why);
	figure_release(&fig);
}
