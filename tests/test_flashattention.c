/* FlashAttention: its traffic counted by hand on small cases, the bounds of the papers, and a
 * softmax in tiles that is the softmax. */
#include "tests/sim_run.h"
#include "sims/registry/registry.h"
#include "sims/gpu/flashattention.h"
#include "sims/formulas/inference.h"
#include "tests/settings.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>

extern const struct sim flashattention_sim;

/* 4 tokens in tiles of 2 x 2, one value of 1 B a token: Q, K, V and O are 4 B each, the statistics
 * 16 B. The second block of queries reads K and V again, 8 B; with the mask the first reads only
 * half of them, so that in all 4 + 8 = 12 B of K and V are read instead of 8. */
Test(flashattention, traffic_by_hand)
{
	struct flash_shape s = { 4, 1, 1, 2, 2, false, false };
	struct flash_traffic t = flash_traffic_of(&s);
	cr_expect(eq(dbl, t.read_once, 32));
	cr_expect(eq(dbl, t.again, 8));
	cr_expect(eq(dbl, t.tiles, 4));
	s.causal = true;
	t = flash_traffic_of(&s);
	cr_expect(eq(dbl, t.again, 4));
	cr_expect(eq(dbl, t.tiles, 3));
	/* Scores written and read, probabilities written and read: 4 x 16, and 16 of the rest. */
	cr_expect(eq(dbl, unfused_traffic_bytes(&s), 80));
}

/* Where all of the keys fit nothing is read again, and traffic falls as SRAM grows, to first order
 * with its inverse: Theta(s^2 d^2 / M). */
Test(flashattention, more_sram_less_traffic)
{
	struct flash_shape s = { .seq = 8192, .head_dim = 128, .value_bytes = 2 };
	double last = INFINITY, first = 0;
	for (double sram = 16384; sram <= 4194304; sram *= 2) {
		flash_blocks(&s, sram);
		s.block_q = s.block_k; /* the papers' min(.., d) would stop it at d */
		double again = flash_traffic_of(&s).again;
		cr_expect(le(dbl, again, last));
		cr_expect(le(dbl, flash_sram_bytes(&s), sram));
		if (sram == 65536)
			first = again;
		if (sram == 1048576)
			cr_expect(epsilon_eq(dbl, first / again, 16, 2.5), "16 times the SRAM");
		last = again;
	}
	s.block_q = s.block_k = s.seq;
	cr_expect(zero(dbl, flash_traffic_of(&s).again));
}

/* 512 blocks of queries on 128 SMs walk the keys four times instead of 512, and three of those
 * times find what half the L2 holds of 2 x 65,536 x 128 values of 2 B, 33.6 MB: a quarter of it in
 * an L2 of 16.8 MB. 32 blocks on 128 SMs walk them once. With keys outside nobody shares: 4 SMs
 * keep Q and O of 4 heads, 4 x 3 x 33.6 / 2 MB, of which half of 100.7 MB is a quarter. */
Test(flashattention, blocks_of_a_head_share_what_they_read)
{
	const double kv = 2 * 65536 * 128 * 2.;
	struct flash_shape s = { 65536, 128, 2, 128, 128, false, false };
	double missed = flash_missed_share(&s, 32, 128, kv / 2);
	cr_expect(epsilon_eq(dbl, missed, 3 * 0.75 / 511, 1e-12));
	cr_expect(zero(dbl, flash_missed_share(&s, 32, 128, 2 * kv)));
	cr_expect(eq(dbl, flash_missed_share(&s, 32, 128, 0), 1));
	s.seq = 4096;
	cr_expect(zero(dbl, flash_missed_share(&s, 32, 128, 16e6)));
	s = (struct flash_shape){ 65536, 128, 2, 128, 128, false, true };
	cr_expect(epsilon_eq(dbl, flash_missed_share(&s, 4, 4, 3 * kv), 0.75, 1e-12));
}

/* The papers' forward passes at 16,384 tokens, causal, heads of 128: FlashAttention-2 about 200
 * TFLOP/s on an A100, FlashAttention-3 about 640 on an H100. Longer sequences are no slower: no
 * step from one length to the next loses more than a hundredth. */
Test(flashattention, arithmetic_reaches_its_plateau_and_stays)
{
	static const struct {
		const char *setting;
		double tflops;
	} rows[] = { { "gpu=a100 seq=16384", 200 }, { "gpu=h100 seq=16384", 640 } };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double got = sim_number(&flashattention_sim, &t, rows[i].setting, "tflops");
		cr_expect(epsilon_eq(dbl, got, rows[i].tflops, 0.06 * rows[i].tflops));
	}
	double last = 0;
	for (double seq = 1000; seq <= 131072; seq *= 1.04) {
		char setting[60];
		snprintf(setting, sizeof setting, "gpu=h100 seq=%.0f", seq);
		double now = sim_number(&flashattention_sim, &t, setting, "tflops");
		cr_expect(lt(dbl, 0.98 * last, now), "%s: %g after %g", setting, now, last);
		last = now;
	}
	tables_release(&t);
}

Test(flashattention, tiles_cover_the_unmasked_half)
{
	struct flash_shape s = { 4096, 64, 2, 128, 128, true, false };
	cr_expect(eq(dbl, flash_traffic_of(&s).tiles, 32 * 33 / 2));
	s.causal = false;
	cr_expect(eq(dbl, flash_traffic_of(&s).tiles, 32 * 32));
}

/* exp(1), exp(2), exp(3) in two tiles: maxima 2 and 3, the sum e^-1 + 1 and then e^-2 + e^-1 +
 * 1. */
Test(flashattention, softmax_by_hand)
{
	struct online_softmax s = { -INFINITY, 0 };
	cr_expect(zero(dbl, online_softmax_add(&s, (const double[]){ 1, 2 }, 2)));
	cr_expect(epsilon_eq(dbl, s.l, 1 + exp(-1), 1e-12));
	cr_expect(
		epsilon_eq(dbl, online_softmax_add(&s, (const double[]){ 3 }, 1), exp(-1), 1e-12));
	cr_expect(eq(dbl, s.m, 3));
	cr_expect(epsilon_eq(dbl, s.l, 1 + exp(-1) + exp(-2), 1e-12));
}

/* Single precision: 2^-24 for each of the roundings that add up, with signs that mostly cancel. */
Test(flashattention, softmax_in_tiles_is_the_softmax)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct online_softmax steps[64];
		size_t n;
		double error = online_softmax_error(2048, 64, 128, seed, steps, 64, &n);
		cr_expect(lt(dbl, error, 2e-5));
		cr_expect(eq(sz, n, 16));
		for (size_t i = 1; i < n; i++)
			cr_expect(le(dbl, steps[i - 1].m, steps[i].m));
		/* A whole row in one tile is the same row. */
		cr_expect(lt(dbl, online_softmax_error(2048, 64, 2048, seed, steps, 64, &n), 2e-5));
	}
}

/* 8,192 tokens in BF16: 128 MiB of scores for a head, 32 KiB of statistics (F8.5); 113.8 FLOP/B
 * unfused at s = 2048, d = 128 (E5 counts the two products alone). */
Test(flashattention, check_values)
{
	cr_expect(eq(
		dbl, CALL(attention_matrix_bytes, .seq = 8192, .bytes_per_value = 2), 134217728));
	cr_expect(eq(dbl, CALL(flash_state_bytes, .seq = 8192, .bytes_per_value = 4), 32768));
}

/* 4096 tokens in tiles of 128 x 128: 32 blocks of queries. A head reads or writes Q, K, V and O
 * once, 4 x 1,048,576 B, and 4 B of statistics a row, 16,384 B. All blocks of queries but the first
 * read K and V again, 31 x 2,097,152 B; under the mask they read 1 to 32 blocks of them, 528
 * instead of 32, so 496 x 65,536 B. Unfused: the same once, and 4 x 4096^2 values of 2 B. 32
 * heads. */
static const struct sim_row shown[] = {
	{ "l2=off seq=4096 block_q=128 block_k=128 causal=off", "hbm_GB",
		32 * (4194304 + 16384 + 31 * 2097152.) / 1e9, 0 },
	{ "l2=off seq=4096 block_q=128 block_k=128", "hbm_GB",
		32 * (4194304 + 16384 + 496 * 65536.) / 1e9, 0 },
	{ "l2=off seq=4096 block_q=128 block_k=128 causal=off", "saved_ratio",
		138412032. / 69222400, 0 },
	{ "l2=off seq=4096 block_q=128 block_k=128 causal=off", "tiles", 1024, 0 },
	{ "l2=off seq=4096 block_q=128 block_k=128", "tiles", 528, 0 },
	/* However little SRAM: 16 x 16, 512 blocks of queries, the first meets one of keys, the last 512. */
	{ "l2=off seq=8192 sram_kB=1", "tiles", 512 * 513 / 2, 0 },
	/* 64 by 16 tiles of 64 queries and 256 keys. */
	{ "l2=off seq=4096 block_q=64 block_k=256 causal=off", "tiles", 1024, 0 },
	{ "l2=off seq=4096 block_q=64 block_k=128 causal=off", "tiles", 2048, 0 },
	{ "seq=4096", "state_kB", 16, 0 },
	/* 4 x 4096^2 x 128 FLOP a head over its bytes */
	{ "l2=off seq=4096 block_q=128 block_k=128 causal=off", "intensity", 8589934592. / 69222400,
		0 },
	{ "l2=off seq=4096 block_q=128 block_k=128", "intensity", 4294967296. / 36716544, 0 },
	{ "l2=off seq=4096 block_q=128 block_k=128 batch=3 causal=off", "hbm_GB", 3 * 2.2151168,
		0 },
};

Test(flashattention, shown_values_by_hand)
{
	struct tables t = load_tables();
	expect_rows(sim_find("flashattention"), &t, shown, sizeof shown / sizeof *shown);
	tables_release(&t);
}

/* Unfused, 32 heads move 4 x 8,192 x 128 values and the 8,192 x 8,192 scores four times, 2 B each:
 * 17.45 GB, 64.7 times the 269 MB of the tiles. The walk through the tiles takes as long as the
 * kernel. */
Test(flashattention, the_sentence_has_the_figures_numbers_and_there_is_one_clock)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&flashattention_sim, &t, "");
	cr_expect(ne(ptr, strstr(fig.why, "64.7x less"), NULL), "%s", fig.why);
	cr_expect(
		epsilon_eq(dbl, fig.duration_s, figure_find(&fig, "time_ms")->value / 1e3, 1e-12));
	figure_release(&fig);
	tables_release(&t);
}

/* 32 heads of 8,192 x 128 values of 2 B are 67.1 MB, four of which any attention moves: 0.268 GB, and
 * with the row statistics of 32 x 8,192 x 4 B 0.269. Scores are 32 x 8,192^2 x 2 B = 4.29 GB, written and
 * read twice: 17.2 GB, all of them unfused. The parts have the colours of nothing else. */
Test(flashattention, the_bars_say_what_hbm_carries)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&flashattention_sim, &t, "");
	const struct bars *b = &fig.blocks[0]->as.bars;
	cr_assert(eq(sz, b->n_parts, 3));
	cr_expect(epsilon_eq(dbl, b->bars[0].parts[0], 0.268, 0.001));
	cr_expect(zero(dbl, b->bars[0].parts[1]));
	cr_expect(epsilon_eq(dbl, b->bars[0].parts[2], 17.18, 0.01));
	cr_expect(epsilon_eq(dbl, b->bars[1].parts[0], 0.2695, 0.0005));
	cr_expect(zero(dbl, b->bars[1].parts[2]), "no score leaves the chip");
	cr_expect(eq(str, (char *)figure_find(&fig, "hbm_GB")->unit, "GB"));
	figure_release(&fig);
	/* Without the L2 the keys are read again: more than once, and still no scores. */
	fig = sim_run(&flashattention_sim, &t, "l2=off");
	b = &fig.blocks[0]->as.bars;
	cr_expect(b->bars[1].parts[1] > b->bars[1].parts[0]);
	cr_expect(zero(dbl, b->bars[1].parts[2]));
	cr_expect(epsilon_eq(dbl, b->bars[1].parts[0] + b->bars[1].parts[1],
		figure_number(&fig, "hbm_GB"), 1e-9));
	figure_release(&fig);
	tables_release(&t);
}

/* The picture of a tile: its queries at the left, its keys and values above, the output that it is added to
 * at the right, all four in SRAM at once and alone there; the rest of a head's queries, keys and values
 * never leaves HBM, and no score is there. */
Test(flashattention, a_tile_is_under_its_keys_and_beside_its_queries_and_output)
{
	enum { HBM = 1, SRAM };
	static const char *const settings[] = { "", "causal=off", "order=keys", "seq=256",
		"seq=131072 l2=off" };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
		struct figure fig = sim_run(&flashattention_sim, &t, settings[i]);
		const struct grid *g = &fig.blocks[1]->as.grid;
		cr_assert(eq(str, (char *)g->kind_names[SRAM], "in SRAM"));
		for (size_t f = 0; f < g->n_frames; f++) {
			const unsigned char *cells = g->cells + f * g->rows * g->cols;
			size_t in_sram = 0, row = 0, col = 0;
			for (size_t r = 0; r < g->rows; r++)
				for (size_t c = 0; c < g->cols; c++) {
					bool inside = r > 0 && c > 0 && c + 1 < g->cols;
					if (cells[r * g->cols + c] == SRAM) {
						in_sram++;
						row = inside ? r : row;
						col = inside ? c : col;
					}
					if (inside)
						cr_expect(cells[r * g->cols + c] != HBM, "%s",
							settings[i]);
				}
			cr_expect(eq(sz, in_sram, 4), "%s", settings[i]);
			cr_expect(eq(u8, cells[col], SRAM), "its keys and values");
			cr_expect(eq(u8, cells[row * g->cols], SRAM), "its queries");
			cr_expect(eq(u8, cells[(row + 1) * g->cols - 1], SRAM), "its output");
		}
		figure_release(&fig);
	}
	tables_release(&t);
}

/* 32 heads of 4 x 8,192 x 4,160 x 128 FLOP (the mask leaves half and half a block of 128) at 65 % of 312
 * TFLOP/s take 2.75 ms, and the 0.27 GB 0.13 ms of 2.04 TB/s: arithmetic. With keys outside unfinished
 * outputs pass HBM with every tile, 5 GB, and these are the longest. */
Test(flashattention, the_sentence_says_what_sets_the_pace)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&flashattention_sim, &t, "");
	cr_expect(ne(ptr, strstr(fig.why, "arithmetic sets the pace"), NULL), "%s", fig.why);
	figure_release(&fig);
	fig = sim_run(&flashattention_sim, &t, "order=keys");
	cr_expect(ne(ptr, strstr(fig.why, "HBM still sets the pace"), NULL), "%s", fig.why);
	figure_release(&fig);
	tables_release(&t);
}

/* One value has one form: 0.269 GB in the table too, not 269 MB beside 0.269 GB. */
Test(flashattention, the_table_counts_as_the_bars_do)
{
	struct tables t = load_tables();
	struct figure fig = sim_run(&flashattention_sim, &t, "");
	const struct table *table = &fig.blocks[fig.n_blocks - 2]->as.table;
	cr_assert(eq(str, (char *)table->rows[0][0], "moved, all heads"));
	cr_expect(eq(str, (char *)table->rows[0][1], "17.4 GB"));
	cr_expect(eq(str, (char *)table->rows[0][2], "0.269 GB"));
	figure_release(&fig);
	tables_release(&t);
}

/* Published kernels choose tiles for their own GPU: where somebody chose others, none is beside the curve. */
Test(flashattention, other_tiles_are_not_held_against_measured_ones)
{
	static const char *const chosen[] = { "block_q=1", "block_k=1", "sram_kB=1", "order=keys" };
	struct tables t = load_tables();
	for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
		struct figure fig = sim_run(sim_find("flashattention"), &t, chosen[i]);
		cr_assert(fig.accuracy != NULL);
		cr_expect(ne(ptr, strstr(fig.accuracy, "their own tiles"), NULL), "%s: %s",
			chosen[i], fig.accuracy);
		figure_release(&fig);
	}
	struct figure fig = sim_run(sim_find("flashattention"), &t, "");
	cr_expect(fig.accuracy == NULL || !strstr(fig.accuracy, "their own tiles"));
	figure_release(&fig);
	tables_release(&t);
}
