/* A product tile by tile: times and traffic worked by hand on a GPU of four SMs, what no schedule and
 * no walk may change, and the simulation on top of it. */
#include "tests/settings.h"
#include "tests/sim_run.h"
#include "sims/base/array.h"
#include "sims/gpu/kernel.h"
#include "sims/gpu/tiled_product.h"
#include "sims/published/measured.h"
#include "sims/registry/registry.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

/* Four SMs at 1 GHz, 4,096 FLOP and 64 B from the L2 a clock each, memory as fast as a test wants:
 * all of it sustained, launches free. A tile of 128 x 128, 64 deep, in BF16 is 2 x 128 x 128 x 64 =
 * 2,097,152 FLOP, 512 ns, and 256 x 64 x 2 = 32,768 B, 512 ns as well; its 32,768 B of results are
 * stored in 512 ns, its 65,536 B of FP32 sums in 1,024 ns. A load is on its way for 480 clocks. */
static struct accelerator four_sms(double bandwidth)
{
	struct accelerator g = { .id = "four",
		.name = "four",
		.bandwidth = bandwidth,
		.sm_count = 4,
		.clock_hz = 1e9,
		.l2_bytes = 1e9,
		.shared_bytes = 228 * 1024,
		.achieved = { .compute = 1, .memory = 1, .operand_bytes = 64 } };
	g.peak_flops[DTYPE_BF16] = 4 * 4096e9;
	return g;
}

static struct tiled_product product(const struct accelerator *g, double m, double n, double k)
{
	return (struct tiled_product){ .gpu = g,
		.dtype = DTYPE_BF16,
		.m = m,
		.n = n,
		.k = k,
		.tile_m = 128,
		.tile_n = 128,
		.tile_k = 64,
		.stages = 3,
		.split_k = 1,
		.schedule = TILES_ONE_EACH,
		.group = 1,
		.l2_bytes = 1e9 };
}

static struct tiled_run run_of(const struct tiled_product *p)
{
	struct arena arena = { 0 };
	struct tiled_run r = tiled_product_run(p, &arena, NULL, 0, NULL, 0);
	cr_assert(arena.failed == false);
	arena_release(&arena);
	return r;
}

static const double fast = 1e15, slow = 32e9;

/* A tile: 480 + 512 ns until its first step is there, steps, the last product, 512 ns of storing. A
 * buffer is filled, waited for and used in 480 + 512 + 512 = 1,504 ns: with one of them every step
 * takes that, with two 752, with three the 512 of either. */
Test(tiles, times_by_hand)
{
	static const struct {
		const char *what;
		double bandwidth, m, n, k, stages, split;
		enum tile_schedule schedule;
		double ns;
	} rows[] = {
		{ "one buffer", fast, 128, 128, 128, 1, 1, TILES_ONE_EACH, 992 + 1504 + 512 + 512 },
		{ "two", fast, 128, 128, 128, 2, 1, TILES_ONE_EACH, 992 + 752 + 512 + 512 },
		{ "three", fast, 128, 128, 128, 3, 1, TILES_ONE_EACH, 992 + 512 + 512 + 512 },
		{ "two whole waves", fast, 256, 512, 128, 3, 1, TILES_ONE_EACH, 2 * 2528 },
		{ "a third for one tile", fast, 384, 384, 128, 3, 1, TILES_ONE_EACH, 3 * 2528 },
		{ "a row more is a tile row more", fast, 257, 512, 128, 3, 1, TILES_ONE_EACH,
			3 * 2528 },
		/* The first load once, the store of the last tile alone: 992 + 4 x 512 + 512. */
		{ "two waves, persistent", fast, 256, 512, 128, 3, 1, TILES_PERSISTENT, 3552 },
		/* Each slice of one step is 32,768 B, 1,024 ns of memory: steps end at 2,016 and
		 * 3,040, and the result goes out in as long again. */
		{ "slow memory", slow, 128, 128, 128, 3, 1, TILES_ONE_EACH, 4064 },
		/* Eight steps: 992 + 7 x 512 + 512 + 512; in halves 992 + 4 x 512 + 1,024 for the
		 * sums, then 131,072 B of them at 256 B a ns. */
		{ "deep", fast, 128, 128, 512, 3, 1, TILES_ONE_EACH, 5600 },
		{ "split", fast, 128, 128, 512, 3, 2, TILES_ONE_EACH, 4064 + 512 },
		/* Five tiles of eight steps on four SMs: two waves. Stream-K does four whole, till
		 * 992 + 4,096, and two steps each of the fifth, till 6,112; three SMs leave sums
		 * by 7,136, and the first adds them, 3,072, and stores. */
		{ "five tiles", fast, 128, 640, 512, 3, 1, TILES_ONE_EACH, 2 * 5600 },
		{ "five, persistent", fast, 128, 640, 512, 3, 1, TILES_PERSISTENT,
			992 + 16 * 512 + 512 },
		{ "five, stream-K", fast, 128, 640, 512, 3, 1, TILES_STREAM_K, 10720 },
		/* Three tiles are six steps for each SM. The third does the last four of a tile,
		 * leaves their sums by 992 + 2,048 + 1,024, does the first two of the next till
		 * 5,088, which is when the fourth has left its sums, adds them and stores. */
		{ "three, stream-K", fast, 128, 384, 512, 3, 1, TILES_STREAM_K, 6624 },
		/* Deep enough it pays: 128 steps of five tiles, two waves of 65,536 ns. Stream-K:
		 * 992 + 65,536 + 32 x 512, then sums, adding and storing as above, 4,608. */
		{ "deep, persistent", fast, 128, 640, 8192, 3, 1, TILES_PERSISTENT,
			992 + 256 * 512 + 512 },
		{ "deep, stream-K", fast, 128, 640, 8192, 3, 1, TILES_STREAM_K,
			992 + 160 * 512 + 4608 },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct accelerator g = four_sms(rows[i].bandwidth);
		struct tiled_product p = product(&g, rows[i].m, rows[i].n, rows[i].k);
		p.stages = rows[i].stages;
		p.split_k = rows[i].split;
		p.schedule = rows[i].schedule;
		double ns = 1e9 * run_of(&p).time_s;
		cr_expect(epsilon_eq(dbl, ns, rows[i].ns, 1), "%s", rows[i].what);
	}
}

/* 16 tiles of two steps on four SMs, 32,768 B to a panel. Row by row a wave is a row: a panel of A
 * and all four of B; in groups of two it is two of each. An L2 that holds B and two panels of A
 * reads everything once, although it holds only 6 of the 8. */
Test(tiles, traffic_by_hand)
{
	enum { PANEL = 32768 };
	static const struct {
		double group, l2_bytes, read;
	} rows[] = { { 1, 1e9, 8 * PANEL }, { 1, 0, 4 * 5 * PANEL }, { 2, 0, 4 * 4 * PANEL },
		{ 4, 0, 4 * 5 * PANEL }, { 1, 6 * PANEL, 8 * PANEL } };
	struct accelerator g = four_sms(fast);
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct tiled_product p = product(&g, 512, 512, 128);
		p.group = rows[i].group;
		p.l2_bytes = rows[i].l2_bytes;
		struct tiled_run r = run_of(&p);
		cr_expect(eq(dbl, r.hbm_read_bytes, rows[i].read), "row %zu", i);
		cr_expect(eq(dbl, r.hbm_write_bytes, 512 * 512 * 2), "row %zu", i);
		/* 16 tiles load 2 x 32,768 B each and store as much as C is. */
		cr_expect(eq(dbl, r.l2_bytes, 16 * 2 * PANEL + 512 * 512 * 2), "row %zu", i);
	}
	struct tiled_product p = product(&g, 512, 512, 128);
	p.b_in_l2 = true;
	cr_expect(eq(dbl, run_of(&p).hbm_read_bytes, 4 * PANEL), "B is there already");
}

/* The example of "slow memory" above: 512 ns of waiting in each of two steps. */
Test(tiles, time_of_the_sms_by_hand)
{
	struct accelerator g = four_sms(slow);
	struct tiled_product p = product(&g, 128, 128, 128);
	struct tiled_run r = run_of(&p);
	const struct {
		const char *what;
		double got_s, want_ns;
	} rows[] = { { "useful", r.useful_s, 1024 }, { "padding", r.padding_s, 0 },
		{ "memory", r.hbm_s, 1024 }, { "fill", r.fill_s, 992 }, { "store", r.store_s, 512 },
		{ "L2", r.l2_s, 0 }, { "latency", r.latency_s, 0 },
		{ "idle", r.idle_s, 4 * 4064 - 3552 } };
	for (size_t i = 0; i < LENGTH(rows); i++)
		cr_expect(epsilon_eq(dbl, 1e9 * rows[i].got_s, rows[i].want_ns, 1e-3), "%s",
			rows[i].what);
}

/* 96 of 128 rows of the only tile are asked for: a quarter of the products is beyond the edge. */
Test(tiles, padding_is_what_lies_beyond_the_edges)
{
	struct accelerator g = four_sms(fast);
	struct tiled_product p = product(&g, 96, 128, 128);
	struct tiled_run r = run_of(&p);
	cr_expect(eq(dbl, r.flops, 2. * 96 * 128 * 128));
	cr_expect(eq(dbl, r.padded_flops, 2. * 128 * 128 * 128));
	cr_expect(epsilon_eq(dbl, r.padding_s / (r.padding_s + r.useful_s), 0.25, 1e-12));
	cr_expect(eq(dbl, r.hbm_read_bytes, 96 * 128 * 2 + 128 * 128 * 2), "none of it is read");
}

/* Two rows of tiles at a time, column by column, and the odd one by itself. */
Test(tiles, the_walk_goes_by_groups_of_rows)
{
	struct accelerator g = four_sms(fast);
	struct tiled_product p = product(&g, 384, 256, 128);
	static const struct tile_place walk[] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { 1, 1 }, { 2, 0 },
		{ 2, 1 } };
	p.group = 2;
	for (size_t i = 0; i < LENGTH(walk); i++) {
		struct tile_place at = tile_at(&p, i);
		cr_expect(eq(u32, at.row, walk[i].row), "tile %zu", i);
		cr_expect(eq(u32, at.column, walk[i].column), "tile %zu", i);
	}
}

/* 3 stages of (128 + 128) x 64 values of 2 B are 96 KiB, the sums of a tile 64. Four times the tile
 * has sums as large as the registers, which must hold more. */
Test(tiles, what_an_sm_holds)
{
	struct accelerator g = four_sms(fast);
	struct tiled_product p = product(&g, 512, 512, 512);
	cr_expect(eq(dbl, tiled_buffer_bytes(&p), 96 * 1024));
	cr_expect(eq(dbl, tiled_accumulator_bytes(&p), 64 * 1024));
	cr_expect(tiled_fits(&p));
	p.stages = 8; /* 256 of 228 KiB */
	cr_expect(not(tiled_fits(&p)));
	p.stages = 3;
	p.tile_m = p.tile_n = 256;
	cr_expect(not(tiled_fits(&p)));
	g.family = "blackwell"; /* tensor memory holds nothing else */
	cr_expect(tiled_fits(&p));
}

enum { MOST_PIECES = 4096 };

/* Each k step of each tile is done once, by SMs that multiply for one tile at a time. */
static void expect_whole(const struct tiled_product *p, const struct tile_run runs[], size_t n)
{
	static double done[MOST_PIECES];
	float free_s[132] = { 0 };
	size_t tiles = (size_t)(tiled_rows(p) * tiled_columns(p));
	cr_assert(le(sz, tiles, (size_t)MOST_PIECES));
	for (size_t i = 0; i < tiles; i++)
		done[i] = 0;
	for (size_t i = 0; i < n; i++) {
		cr_assert(lt(sz, runs[i].tile, tiles));
		cr_assert(lt(sz, runs[i].sm, LENGTH(free_s)));
		done[runs[i].tile] += runs[i].end_step - runs[i].first_step;
		cr_expect(le(flt, free_s[runs[i].sm], runs[i].start_s));
		cr_expect(le(flt, runs[i].start_s, runs[i].loop_s));
		cr_expect(le(flt, runs[i].loop_s, runs[i].end_s));
		free_s[runs[i].sm] = runs[i].loop_s;
	}
	for (size_t i = 0; i < tiles; i++)
		cr_expect(eq(dbl, done[i], tiled_steps(p)), "tile %zu", i);
}

/* What no schedule, walk or split may change: every step once, the FLOPs, at least the least
 * traffic, and all of the SMs' time accounted for. */
Test(tiles, nothing_is_lost)
{
	static struct tile_run runs[MOST_PIECES];
	static const double sizes[][3] = { { 1000, 900, 700 }, { 4000, 2100, 64 },
		{ 64, 8192, 4096 }, { 1, 1, 1 } };
	struct tables t = load_tables();
	const struct accelerator *g = gpu_find(&t, "h100");
	for (size_t i = 0; i < LENGTH(sizes) * N_TILE_SCHEDULES * 3; i++) {
		const double *size = sizes[i / (N_TILE_SCHEDULES * 3)];
		struct tiled_product p =
			tiled_library_product(g, DTYPE_BF16, size[0], size[1], size[2]);
		p.schedule = (enum tile_schedule)(i / 3 % N_TILE_SCHEDULES);
		p.tile_m = p.tile_n = 128;
		p.split_k = 1 + (double)(i % 3);
		p.l2_bytes = i % 2 ? 0 : p.l2_bytes;
		tiled_choose(&p);
		struct arena arena = { 0 };
		struct tiled_run r = tiled_product_run(&p, &arena, runs, MOST_PIECES, NULL, 0);
		cr_assert(le(sz, r.segments, (size_t)MOST_PIECES));
		expect_whole(&p, runs, r.segments);
		struct tile_costs c = tile_costs_of(&p);
		double steps = (r.useful_s + r.padding_s) / c.multiply_s;
		double flops = 2 * p.tile_m * p.tile_n * p.tile_k * steps;
		cr_expect(epsilon_eq(dbl, flops / r.padded_flops, 1, 1e-9), "run %zu", i);
		cr_expect(epsilon_eq(dbl, r.flops, 2 * p.m * p.n * p.k, 1), "run %zu", i);
		double least = 2 * (p.m + p.n) * p.k, written = 2 * p.m * p.n;
		cr_expect(le(dbl, least * (1 - 1e-6), r.hbm_read_bytes), "run %zu", i);
		cr_expect(le(dbl, written * (1 - 1e-6), r.hbm_write_bytes), "run %zu", i);
		cr_expect(
			le(dbl, r.hbm_read_bytes, r.loaded_bytes + r.partial_bytes), "run %zu", i);
		double all_s = r.useful_s + r.padding_s + r.l2_s + r.latency_s + r.hbm_s +
			       r.fill_s + r.store_s + r.idle_s;
		cr_expect(epsilon_eq(dbl, all_s / (132 * r.run_s), 1, 1e-9), "run %zu", i);
		arena_release(&arena);
	}
	tables_release(&t);
}

/* 544 tiles on 132 SMs are four waves and 16 tiles: in the fifth 116 of them have nothing to do, 116
 * of 660 in all, and stream-K gives each a part of it. */
Test(tiles, stream_k_fills_the_last_wave)
{
	struct tables t = load_tables();
	struct tiled_product p =
		tiled_library_product(gpu_find(&t, "h100"), DTYPE_BF16, 4352, 4096, 4096);
	p.tile_m = 128;
	p.tile_n = 256;
	p.split_k = 1;
	tiled_choose(&p);
	struct tiled_run whole = run_of(&p);
	p.schedule = TILES_STREAM_K;
	struct tiled_run shared = run_of(&p);
	cr_expect(epsilon_eq(dbl, whole.idle_s / (132 * whole.run_s), 116 / 660., 0.01));
	cr_expect(lt(dbl, shared.idle_s / (132 * shared.run_s), 0.06));
	cr_expect(lt(dbl, shared.time_s, 0.9 * whole.time_s));
	p.m = 4224; /* 528 tiles: four whole waves, nothing to share */
	struct tiled_run exact = run_of(&p);
	p.schedule = TILES_PERSISTENT;
	cr_expect(epsilon_eq(dbl, exact.time_s, run_of(&p).time_s, 1e-12));
	tables_release(&t);
}

/* The L2's content as it is seen from outside: nothing before, all of a small product after. */
Test(tiles, glimpses_show_what_the_l2_holds)
{
	struct accelerator g = four_sms(fast);
	struct tiled_product p = product(&g, 256, 256, 512);
	float a[2][2], b[2][2];
	struct tile_glimpse seen[] = { { -1, a[0], b[0] }, { 1, a[1], b[1] } };
	struct arena arena = { 0 };
	tiled_product_run(&p, &arena, NULL, 0, seen, LENGTH(seen));
	for (size_t i = 0; i < 2; i++) {
		cr_expect(zero(flt, a[0][i]));
		cr_expect(zero(flt, b[0][i]));
		cr_expect(eq(flt, a[1][i], 1));
		cr_expect(eq(flt, b[1][i], 1));
	}
	arena_release(&arena);
}

/* The promises of the comparison hold on every row of the table that is about plain products. */
Test(tiles, agree_with_measured_products)
{
	struct tables t = load_tables();
	struct validation v = { 0 };
	char err[256] = "";
	cr_assert(zero(int, measured_validate_own(
				    &v, measured_comparison(&t, "tiles"), &t, 0, err, sizeof err)),
		"%s", err);
	cr_expect(eq(sz, v.n_verdicts, 2));
	for (size_t i = 0; i < v.n_verdicts; i++)
		cr_expect(v.verdicts[i].judged && v.verdicts[i].met, "%s", v.verdicts[i].text);
	cr_expect(eq(sz, v.faults.n, v.set_aside));
	cr_expect(lt(sz, 2000, v.n));
	validation_release(&v);
	tables_release(&t);
}
