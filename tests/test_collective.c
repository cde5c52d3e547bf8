/* Collectives: the formulas by hand, and their times as others measured them. */
#include "sims/communication/collective.h"

#include "sims/base/stats.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <math.h>

#define COUNT(x) (sizeof(x) / sizeof *(x))

/* The check values of F5.2 to F5.3b: 14 GB, worked by hand. */
Test(collective, textbook)
{
	static const struct {
		enum algorithm algorithm;
		double per_node, intra, inter, hop_s, gpus, want_s, tolerance_s;
	} rows[] = {
		{ ALGORITHM_RING, 8, 300e9, 25e9, 5e-6, 8, 0.0817, 5e-5 },
		{ ALGORITHM_RING, 8, 50e9, 25e9, 5e-6, 8, 0.4901, 1e-4 },
		{ ALGORITHM_RING, 8, 12.5e9, 25e9, 5e-6, 8, 1.9601, 1e-4 },
		/* 2 log2(8) 5 us + 28/300 s */
		{ ALGORITHM_TREE, 8, 300e9, 25e9, 5e-6, 8, 0.093363, 1e-6 },
		{ ALGORITHM_HIERARCHICAL, 8, 232e9, 25e9, 0, 64, 0.228, 5e-4 },
		/* one NIC per node: an eighth each */
		{ ALGORITHM_HIERARCHICAL, 8, 232e9, 25e9 / 8, 0, 64, 1.086, 5e-4 },
		/* flat over the NIC */
		{ ALGORITHM_RING, 1, 232e9, 25e9, 0, 64, 1.1025, 1e-4 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct network net = network_ideal(
			rows[i].per_node, rows[i].intra, rows[i].inter, rows[i].hop_s);
		double got_s =
			collective_time(&net, ALL_REDUCE, rows[i].algorithm, rows[i].gpus, 14e9);
		cr_expect(
			epsilon_eq(dbl, got_s, rows[i].want_s, rows[i].tolerance_s), "row %zu", i);
	}
}

/* F5.3: where the ring's many short hops equal the tree's second copy of the bytes. */
Test(collective, ring_and_tree_cross)
{
	static const struct {
		double gpus, bytes;
	} rows[] = { { 8, 4e6 }, { 64, 456e6 }, { 512, 32.2e9 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct network net = network_ideal(rows[i].gpus, 25e9, 25e9, 5e-6);
		enum algorithm below = N_ALGORITHMS, above = N_ALGORITHMS;
		collective_best(&net, ALL_REDUCE, rows[i].gpus, 0.97 * rows[i].bytes, &below);
		collective_best(&net, ALL_REDUCE, rows[i].gpus, 1.03 * rows[i].bytes, &above);
		cr_expect(eq(int, (int)below, ALGORITHM_TREE), "row %zu", i);
		cr_expect(eq(int, (int)above, ALGORITHM_RING), "row %zu", i);
	}
}

/* Bus bandwidths that others published, 8 GiB: nccl issues 1048 and 1374, nccl-tests issue 347. */
Test(collective, published_bus_bandwidth)
{
	static const struct {
		const char *family;
		double link, gpus, bus;
	} rows[] = {
		{ "ampere", 300e9, 8, 232.5e9 },
		{ "hopper", 450e9, 8, 480e9 },
	};
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct network net = network_measured(rows[i].family, 8, rows[i].link, 25e9, 5e-6);
		double bytes = 8 * 0x1p30;
		double time_s = collective_best(&net, ALL_REDUCE, rows[i].gpus, bytes, NULL);
		double bus = bus_bandwidth(ALL_REDUCE, rows[i].gpus, bytes, time_s);
		cr_expect(epsilon_eq(dbl, bus / rows[i].bus, 1, 0.05), "row %zu: %g", i, bus);
	}
}

/* nccl-tests medians in us, one node (aiconfigurator, Apache-2.0). */
static const struct {
	const char *family;
	enum collective op;
	double gpus, bytes, time_us;
} measured[] = {
	{ "ampere", ALL_GATHER, 2, 8192, 10.47 },
	{ "ampere", ALL_GATHER, 2, 262144, 13.57 },
	{ "ampere", ALL_GATHER, 2, 4194304, 43.28 },
	{ "ampere", ALL_GATHER, 2, 67108864, 266.3 },
	{ "ampere", ALL_GATHER, 2, 536870912, 1789.8 },
	{ "ampere", ALL_GATHER, 8, 8192, 14.58 },
	{ "ampere", ALL_GATHER, 8, 262144, 20.99 },
	{ "ampere", ALL_GATHER, 8, 4194304, 47.95 },
	{ "ampere", ALL_GATHER, 8, 67108864, 351.6 },
	{ "ampere", ALL_GATHER, 8, 536870912, 2288.0 },
	{ "ampere", ALL_REDUCE, 2, 8192, 10.97 },
	{ "ampere", ALL_REDUCE, 2, 262144, 15.26 },
	{ "ampere", ALL_REDUCE, 2, 4194304, 55.78 },
	{ "ampere", ALL_REDUCE, 2, 67108864, 391.5 },
	{ "ampere", ALL_REDUCE, 2, 536870912, 2781.1 },
	{ "ampere", ALL_REDUCE, 8, 8192, 21.27 },
	{ "ampere", ALL_REDUCE, 8, 262144, 27.5 },
	{ "ampere", ALL_REDUCE, 8, 4194304, 77.31 },
	{ "ampere", ALL_REDUCE, 8, 67108864, 595.3 },
	{ "ampere", ALL_REDUCE, 8, 536870912, 4225.9 },
	{ "hopper", ALL_GATHER, 2, 8192, 6.32 },
	{ "hopper", ALL_GATHER, 2, 262144, 7.6 },
	{ "hopper", ALL_GATHER, 2, 4194304, 27.01 },
	{ "hopper", ALL_GATHER, 2, 67108864, 160.07 },
	{ "hopper", ALL_GATHER, 2, 536870912, 1042.11 },
	{ "hopper", ALL_GATHER, 8, 8192, 12.82 },
	{ "hopper", ALL_GATHER, 8, 262144, 13.55 },
	{ "hopper", ALL_GATHER, 8, 4194304, 33.35 },
	{ "hopper", ALL_GATHER, 8, 67108864, 209.28 },
	{ "hopper", ALL_GATHER, 8, 536870912, 1399.72 },
	{ "hopper", ALL_REDUCE, 2, 8192, 6.97 },
	{ "hopper", ALL_REDUCE, 2, 262144, 9.04 },
	{ "hopper", ALL_REDUCE, 2, 4194304, 33.05 },
	{ "hopper", ALL_REDUCE, 2, 67108864, 253.04 },
	{ "hopper", ALL_REDUCE, 2, 536870912, 1676.59 },
	{ "hopper", ALL_REDUCE, 8, 8192, 16.42 },
	{ "hopper", ALL_REDUCE, 8, 262144, 19.44 },
	{ "hopper", ALL_REDUCE, 8, 4194304, 50.49 },
	{ "hopper", ALL_REDUCE, 8, 67108864, 323.99 },
	{ "hopper", ALL_REDUCE, 8, 536870912, 2112.02 },
};

Test(collective, measured_times)
{
	double errors[COUNT(measured)];
	for (size_t i = 0; i < COUNT(measured); i++) {
		double link = measured[i].family[0] == 'h' ? 450e9 : 300e9;
		struct network net = network_measured(measured[i].family, 8, link, 25e9, 5e-6);
		double got_us = 1e6 * collective_best(&net, measured[i].op, measured[i].gpus,
					      measured[i].bytes, NULL);
		errors[i] = fabs(got_us / measured[i].time_us - 1);
		if (measured[i].bytes > 1e8)
			cr_expect(lt(dbl, errors[i], 0.06), "row %zu: %g us", i, got_us);
	}
	sort_ascending(errors, COUNT(errors));
	cr_expect(lt(dbl, quantile_sorted(errors, COUNT(errors), 0.5), 0.08));
	cr_expect(lt(dbl, quantile_sorted(errors, COUNT(errors), 0.9), 0.25));
}

/* 16 MB on each of N GPUs, 100 GB/s in a node of 8, 25 GB/s from it, 5 us a hop: 7/8 of them to 7
 * peers, 140 us and 35; on 16 GPUs 7 MB inside in 70 us while 8 MB leave in 320, after 7 + 1 hops;
 * on 16 that are nodes of their own 15 MB leave in 600 us, after 15 hops. */
Test(collective, all_to_all)
{
	static const struct {
		double per_node, gpus, want_us;
	} rows[] = { { 8, 1, 0 }, { 8, 8, 175 }, { 8, 16, 360 }, { 1, 16, 675 } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct network net = network_ideal(rows[i].per_node, 100e9, 25e9, 5e-6);
		double got_us = 1e6 * all_to_all_time(&net, rows[i].gpus, 16e6);
		cr_expect(epsilon_eq(dbl, got_us, rows[i].want_us, 1e-9), "row %zu", i);
	}
}

Test(collective, more_costs_more)
{
	for (double gpus = 2; gpus <= 16384; gpus *= 2) {
		struct network net = network_measured("hopper", 8, 450e9, 50e9, 5e-6);
		struct network slow = net, far = net;
		slow.intra_bandwidth /= 2;
		slow.inter_bandwidth /= 2;
		far.inter_hop_s *= 10;
		double last_s = 0;
		for (double bytes = 1; bytes < 1e12; bytes *= 8) {
			for (enum collective op = ALL_REDUCE; op <= ALL_GATHER; op++) {
				double s = collective_best(&net, op, gpus, bytes, NULL);
				cr_expect(lt(dbl, 0, s));
				cr_expect(
					ge(dbl, collective_best(&slow, op, gpus, bytes, NULL), s));
				cr_expect(ge(dbl, collective_best(&far, op, gpus, bytes, NULL), s));
				for (enum algorithm a = 0; a < N_ALGORITHMS; a++)
					cr_expect(ge(
						dbl, collective_time(&net, op, a, gpus, bytes), s));
			}
			double s = collective_best(&net, ALL_REDUCE, gpus, bytes, NULL);
			cr_expect(ge(dbl, s, last_s), "%g GPUs, %g B", gpus, bytes);
			last_s = s;
		}
	}
}

Test(collective, edges)
{
	struct network net = network_measured(NULL, 8, 0, 25e9, 5e-6);
	cr_expect(eq(dbl, collective_best(&net, ALL_REDUCE, 1, 1e9, NULL), 0));
	cr_expect(lt(dbl, 0, collective_best(&net, ALL_REDUCE, 2, 0, NULL)));
	cr_expect(eq(dbl, collective_time(&net, ALL_GATHER, ALGORITHM_TREE, 8, 1e9), INFINITY));
	cr_expect(
		eq(dbl, collective_time(&net, ALL_REDUCE, ALGORITHM_IN_SWITCH, 8, 1e9), INFINITY));
	cr_expect(eq(
		dbl, collective_time(&net, ALL_REDUCE, ALGORITHM_HIERARCHICAL, 8, 1e9), INFINITY));
}

/* A card without a link of its own uses 16 lanes of PCIe, which no switch adds up on: 16 GB/s one
 * way in its third generation, 32 in the fourth and 64 in the fifth. What has a link uses that.
 * Who is not known gets Ampere's. */
Test(collective, without_a_link_by_hand)
{
	static const struct {
		const char *family;
		double GBps;
		bool mesh;
	} rows[] = { { "volta", 16, false }, { "turing", 16, false }, { "ampere", 32, false },
		{ "ada", 32, false }, { "hopper", 64, false }, { "blackwell", 64, false },
		{ "blackwell-rtx", 64, false }, { "cdna3", 64, true }, { "cdna4", 64, true },
		{ "gaudi", 64, true }, { "of tomorrow", 32, false }, { NULL, 32, false } };
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct network net = network_measured(rows[i].family, 4, 0, 25e9, 5e-6);
		cr_expect(eq(dbl, net.intra_bandwidth, rows[i].GBps * 1e9), "row %zu", i);
		cr_expect(zero(dbl, net.switch_efficiency), "row %zu", i);
		cr_expect(eq(int, net.mesh, rows[i].mesh), "row %zu", i);
		net = network_measured(rows[i].family, 4, 300e9, 25e9, 5e-6);
		cr_expect(eq(dbl, net.intra_bandwidth, 300e9), "row %zu", i);
	}
}
