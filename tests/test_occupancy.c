/* Occupancy: the published calculator's cases, a published benchmark, the clock of the scheduler
 * against its closed form, and rows worked by hand.
 *
 * The model in short. Of four limits the least is the number of blocks on an SM: warp slots over the
 * warps of a block; block slots; registers, where a warp is given ceil(32 r / 256) units of 256 and each
 * quarter of the SM has 16,384; shared memory, where a block takes what it asks for and, from 8.0 on, 1
 * KiB more. Its warps have threads x loads x bytes under way, and by Little's law that over the latency
 * is the bandwidth, up to a knee. A grid takes whole waves of blocks. */
#include "sims/base/array.h"
#include "sims/figure/sim.h"
#include "sims/gpu/sm_resources.h"
#include "sims/gpu/warp_scheduler.h"
#include "sims/registry/registry.h"
#include "tests/settings.h"
#include "tests/sim_run.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>

static struct tables tables;

static void load(void)
{
	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	tables = load_tables();
}

static void unload(void)
{
	tables_release(&tables);
}

TestSuite(occupancy, .init = load, .fini = unload);

/* --- the calculator -------------------------------------------------------------------------- */

/* What people and tools have published of kernels. 0: not said. Nsight Compute's kbytes are 1,000 B. */
static const struct {
	const char *source, *capability;
	double threads, registers, shared_bytes;
	double blocks, warps_limit, registers_limit, shared_limit, slots_limit;
	double occupancy_pct, tolerance;
	double carveout_bytes;
} published[] = {
	/* NVIDIA, CUDA C++ Best Practices Guide, Calculating Occupancy */
	{ "guide, 37 registers", "7.0", 128, 37, 0, 12, 0, 0, 0, 0, 75, 0, 0 },
	{ "guide, 320 threads", "7.0", 320, 37, 0, 4, 0, 0, 0, 0, 63, 0.5, 0 },
	{ "guide, at most 32 for 100 %", "7.0", 256, 32, 0, 8, 0, 0, 0, 0, 100, 0, 0 },
	/* NVIDIA, CUDA Programming Guide, occupancy of small blocks */
	{ "guide, a warp a block", "10.0", 32, 32, 0, 32, 0, 0, 0, 32, 50, 0, 0 },
	/* Boehm, How to Optimize a CUDA Matmul Kernel, kernel 3 on an A6000: 11 by shared memory */
	{ "Boehm", "8.6", 1024, 37, 8192, 1, 1, 1, 11, 0, 66, 1, 0 },
	/* Nsight Compute, published with kernels. L4, fused experts: */
	{ "L4, 72 registers", "8.9", 256, 72, 33024, 3, 6, 3, 3, 24, 50, 0, 102400 },
	{ "L4, 70 registers", "8.9", 256, 70, 33024, 3, 6, 3, 3, 24, 50, 0, 102400 },
	/* an Ada card of 66 SMs, matrix product, 49.15 kB of dynamic shared memory: */
	{ "Ada, 216 registers", "8.9", 256, 216, 49152, 1, 6, 1, 0, 24, 16.67, 0.005, 65536 },
	/* RTX 3090, saxpy at three block sizes: */
	{ "3090, 64 threads", "8.6", 64, 16, 0, 16, 24, 64, 0, 16, 66.67, 0.005, 16384 },
	{ "3090, 96 threads", "8.6", 96, 16, 0, 16, 16, 42, 0, 16, 100, 0, 16384 },
	{ "3090, 256 threads", "8.6", 256, 16, 0, 6, 6, 16, 0, 16, 100, 0, 8192 },
	/* A800, 46 registers: division of 65,536 by 512 x 46 says 2.78 */
	{ "A800", "8.0", 512, 46, 0, 2, 4, 2, 0, 32, 50, 0, 0 },
	/* RTX 4060, 56 registers: */
	{ "4060", "8.9", 1024, 56, 0, 1, 1, 1, 0, 24, 66.7, 0.05, 0 },
	/* B200, persistent product with two blocks an SM, 98.4 kB each: */
	{ "B200, two blocks", "10.0", 128, 255, 98400, 2, 0, 2, 2, 0, 12.5, 0, 0 },
	/* Kokkos, pull request 5739: 92 registers, 224 threads, which a count without quarters takes for
	 * three blocks */
	{ "Kokkos", "8.0", 224, 92, 0, 2, 0, 2, 0, 0, 21.875, 0, 0 },
};

static void expect_limit(const char *source, const char *what, double got, double want)
{
	cr_expect(want == 0 || got == want, "%s: %s %g, published %g", source, what, got, want);
}

Test(occupancy, calculator_says_what_was_published)
{
	for (size_t i = 0; i < LENGTH(published); i++) {
		const struct sm_kind *sm = sm_kind_find(published[i].capability);
		cr_assert(sm != NULL);
		struct residency r = sm_residency(
			sm, &(struct block_needs){ published[i].threads, published[i].registers,
				    published[i].shared_bytes });
		const char *source = published[i].source;
		expect_limit(source, "blocks", r.blocks, published[i].blocks);
		expect_limit(source, "by warps", r.allows[SM_WARPS], published[i].warps_limit);
		expect_limit(source, "by registers", r.allows[SM_REGISTERS],
			published[i].registers_limit);
		expect_limit(
			source, "by shared memory", r.allows[SM_SHARED], published[i].shared_limit);
		expect_limit(source, "by slots", r.allows[SM_BLOCKS], published[i].slots_limit);
		expect_limit(source, "set aside", r.carveout_bytes, published[i].carveout_bytes);
		double pct = 100 * r.occupancy;
		cr_expect(fabs(pct - published[i].occupancy_pct) <= published[i].tolerance + 1e-9,
			"%s: %g %%, published %g", source, pct, published[i].occupancy_pct);
	}
}

/* A block that asks for more than there is does not start; the limits that say so are said. */
Test(occupancy, what_does_not_fit_is_no_block)
{
	static const struct {
		const char *capability;
		struct block_needs block;
		enum sm_limit limit;
	} rows[] = {
		{ "9.0", { 1024, 72, 0 }, SM_REGISTERS },      /* 28 warps of 2,304 fit of 32 */
		{ "9.0", { 288, 224, 0 }, SM_REGISTERS },      /* two warps a quarter: 8 of 9 */
		{ "9.0", { 128, 32, 228 * 1024 }, SM_SHARED }, /* 227 is the most of a block */
		{ "8.6", { 128, 32, 100 * 1024 }, SM_SHARED }, /* 99 */
		{ "8.0", { 128, 32, 164 * 1024 }, SM_SHARED }, /* 163 */
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct residency r = sm_residency(sm_kind_find(rows[i].capability), &rows[i].block);
		cr_expect(zero(dbl, r.blocks), "row %zu", i);
		cr_expect(r.binds[rows[i].limit], "row %zu", i);
	}
	struct residency most =
		sm_residency(sm_kind_find("9.0"), &(struct block_needs){ 128, 32, 227 * 1024 });
	cr_expect(eq(dbl, most.blocks, 1));
	most = sm_residency(sm_kind_find("7.0"), &(struct block_needs){ 128, 32, 96 * 1024 });
	cr_expect(eq(dbl, most.blocks, 1), "before 8.0 the system takes nothing");
}

/* The capability of GPUs, as NVIDIA lists them. */
Test(occupancy, knows_the_capability_of_a_gpu)
{
	static const struct {
		const char *gpu, *capability;
	} rows[] = {
		{ "v100", "7.0" },
		{ "t4", "7.5" },
		{ "a100", "8.0" },
		{ "a30", "8.0" },
		{ "a10", "8.6" },
		{ "rtx3090", "8.6" },
		{ "orin", "8.7" },
		{ "l4", "8.9" },
		{ "l40s", "8.9" },
		{ "h100", "9.0" },
		{ "h200", "9.0" },
		{ "b200", "10.0" },
		{ "thor", "11.0" },
		{ "rtx5090", "12.0" },
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		const struct sm_kind *sm = sm_kind_of(gpu_find(&tables, rows[i].gpu));
		cr_assert(sm != NULL, "%s", rows[i].gpu);
		cr_expect(eq(str, (char *)sm->capability, (char *)rows[i].capability), "%s",
			rows[i].gpu);
		cr_expect(eq(dbl, sm->shared_bytes, gpu_find(&tables, rows[i].gpu)->shared_bytes),
			"%s: two tables, one shared memory", rows[i].gpu);
	}
	cr_expect(sm_kind_of(gpu_find(&tables, "mi300x")) == NULL);
	cr_expect(sm_kind_of(gpu_find(&tables, "tpu-v5p")) == NULL);
	cr_expect(sm_kind_find("6.0") == NULL);
}

/* --- Little's law ---------------------------------------------------------------------------- */

/* gpu-benches, cuda-stream on a V100-PCIe of 80 SMs at 1.38 GHz: GB/s that kernels which add up doubles
 * read, by warps on an SM and by loads of a thread at once (sum1, sum2, sum4, sum8). Its pointer chase
 * takes 436 cycles, and no row of reading kernels passes 894 GB/s. */
static const double v100_warps[] = { 4, 8, 12, 16, 20, 32, 48, 64 };
static const double v100_GBps[][4] = {
	{ 227.6, 404.7, 629.1, 800.1 },
	{ 418.6, 663.8, 823.7, 874.8 },
	{ 571.0, 788.1, 859.5, 881.9 },
	{ 680.6, 834.8, 871.9, 885.9 },
	{ 749.7, 855.5, 875.4, 887.4 },
	{ 833.5, 879.5, 883.9, 890.2 },
	{ 868.3, 886.8, 889.6, 888.5 },
	{ 878.9, 888.4, 891.0, 884.5 },
};

Test(occupancy, bandwidth_is_that_of_a_published_benchmark)
{
	const double sms = 80, clock_GHz = 1.38;
	const struct sm_timing t = { .load_latency = 436,
		.bytes_per_cycle = 890 / sms / clock_GHz,
		.fma_latency = 8,
		.fma_interval = 4 };
	double sum = 0, worst = 0;
	for (size_t i = 0; i < LENGTH(v100_warps); i++)
		for (size_t k = 0; k < 4; k++) {
			struct warp_program p = { (size_t)1 << k, 1, 8 };
			struct warp_rate r = warp_rate_of(&t, &p, (size_t)v100_warps[i]);
			double got = r.bytes_per_cycle * sms * clock_GHz;
			double error = fabs(got / v100_GBps[i][k] - 1);
			sum += error;
			worst = fmax(worst, error);
			cr_expect(error <= 0.1, "%g warps, %zu loads: %.1f GB/s, measured %.1f",
				v100_warps[i], p.loads, got, v100_GBps[i][k]);
		}
	cr_expect(le(dbl, sum / (4 * LENGTH(v100_warps)), 0.025));
	cr_expect(lt(dbl, 0, worst));
}

/* --- the clock ------------------------------------------------------------------------------- */

static const struct sm_timing hopper = { 480, 14, 4, 1 };

static double clocked(const struct sm_timing *t, struct warp_program p, size_t warps)
{
	return warp_clock_run(NULL, t, &p, warps).bytes_per_cycle;
}

/* Warps that end their iterations at different times do not add up to more than there is. */
Test(occupancy, a_near_memory_gives_no_more_than_it_has)
{
	static const struct sm_timing near = { 53, 8, 4, 2 };
	for (size_t warps = 1; warps <= MOST_WARPS; warps++)
		cr_expect(le(dbl, clocked(&near, (struct warp_program){ 16, 1, 1 }, warps),
				  near.bytes_per_cycle),
			"%zu warps", warps);
}

/* One warp: a load, 480 cycles, and 128 B have come; and a multiply-add after it takes one cycle more
 * before the next load can start. Latency rises with what is under way, 128 / 14 cycles beside 480:
 * sqrt(480^2 + 9.14^2) = 480.09, in whole cycles 481. */
Test(occupancy, one_warp_takes_its_latency)
{
	cr_expect(epsilon_eq(
		dbl, clocked(&hopper, (struct warp_program){ 1, 0, 4 }, 1), 128. / 481, 1e-9));
	cr_expect(epsilon_eq(
		dbl, clocked(&hopper, (struct warp_program){ 1, 1, 4 }, 1), 128. / 482, 1e-9));
	/* 10 rounds of 4 cycles: 9 of them, and the cycle after the last */
	cr_expect(epsilon_eq(dbl, clocked(&hopper, (struct warp_program){ 1, 10, 4 }, 1),
		128. / (481 + 37), 1e-9));
}

/* The limits that a closed form has: latency alone, the bandwidth alone, slots alone, units alone. */
Test(occupancy, clock_meets_the_closed_form)
{
	/* Half a megabyte under way at 2 B a cycle: a load takes 262,144 cycles. */
	static const struct sm_timing volta = { 436, 8, 4, 2 }, starved = { 480, 2, 4, 1 };
	static const struct {
		const struct sm_timing *t;
		struct warp_program p;
		size_t warps;
		enum warp_bound bound;
	} rows[] = {
		{ &hopper, { 1, 0, 4 }, 4, BOUND_LATENCY },
		{ &hopper, { 1, 1, 4 }, 16, BOUND_LATENCY },
		{ &hopper, { 4, 2, 4 }, 8, BOUND_LATENCY },
		{ &hopper, { 1, 30, 4 }, 16, BOUND_LATENCY },
		{ &volta, { 2, 1, 8 }, 8, BOUND_LATENCY },
		{ &hopper, { 8, 1, 4 }, 16, BOUND_BANDWIDTH },
		{ &hopper, { 8, 1, 16 }, 32, BOUND_BANDWIDTH },
		{ &hopper, { 16, 0, 16 }, 64, BOUND_BANDWIDTH },
		{ &volta, { 4, 1, 16 }, 64, BOUND_BANDWIDTH },
		{ &starved, { 16, 1, 16 }, 64, BOUND_BANDWIDTH },
		{ &hopper, { 4, 64, 4 }, 64, BOUND_ISSUE },
		{ &volta, { 4, 64, 4 }, 64, BOUND_UNITS },
		{ &volta, { 8, 64, 4 }, 32, BOUND_UNITS }, /* 128 B each 32 cycles: 4 of 8 */
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct warp_rate r = warp_rate_of(rows[i].t, &rows[i].p, rows[i].warps);
		struct warp_clock c = warp_clock_run(NULL, rows[i].t, &rows[i].p, rows[i].warps);
		cr_expect(eq(int, (int)r.bound, (int)rows[i].bound), "row %zu", i);
		cr_expect(fabs(c.bytes_per_cycle / r.bytes_per_cycle - 1) <= 0.03,
			"row %zu: clock %.4g B a cycle, closed form %.4g", i, c.bytes_per_cycle,
			r.bytes_per_cycle);
		cr_expect(fabs(c.issued / r.issued - 1) <= 0.03, "row %zu", i);
	}
}

/* Between the limits both agree within a sixth, and the clock never beats slots, units or bandwidth. */
Test(occupancy, clock_and_closed_form_part_little)
{
	for (size_t warps = 1; warps <= 64; warps += 7)
		for (size_t loads = 1; loads <= 16; loads *= 4)
			for (size_t work = 0; work <= 64; work = work ? work * 4 : 1) {
				struct warp_program p = { loads, work, 4 };
				struct warp_rate r = warp_rate_of(&hopper, &p, warps);
				double got = clocked(&hopper, p, warps);
				cr_expect(fabs(got / r.bytes_per_cycle - 1) <= 1. / 6,
					"%zu warps, %zu loads, %zu work: %.4g, %.4g", warps, loads,
					work, got, r.bytes_per_cycle);
				cr_expect(lt(dbl, got, hopper.bytes_per_cycle));
				cr_expect(le(dbl, got * (1 + (double)work) / 128, 4.0001));
			}
}

/* --- by hand --------------------------------------------------------------------------------- */

static const struct sim_row rows[] = {
	/* 128 registers: 16 units of 256 a warp, 4 warps a quarter, 16 an SM, 2 blocks of 8 */
	{ "", "blocks_per_sm", 2, 0 },
	{ "", "occupancy_pct", 25, 0 },
	{ "", "bytes_in_flight", 16, 0 }, /* 512 threads x 8 x 4 B */
	{ "", "waves", 1000. / 264, 0 },  /* 132 SMs of 2 */
	{ "", "tail_pct", 100 * (1 - 1000. / 1056), 0 },
	{ "blocks=264", "tail_pct", 0, 0 },
	{ "blocks=265", "tail_pct", 100 * (1 - 265. / 528), 0 },
	/* 129 are 17 units: 3 warps a quarter, 12 an SM, one block of 8 */
	{ "registers=129", "occupancy_pct", 12.5, 0 },
	/* 16 units are 128 KiB of threads' data, but a block of 33 KiB and the system's one: 228 / 34 */
	{ "registers=32 shared_KiB=33", "blocks_per_sm", 6, 0 },
	{ "registers=32 shared_KiB=33", "shared_limit", 6, 0 },
	{ "registers=32 shared_KiB=33", "carveout_KiB", 228, 0 }, /* 204: more than 196 */
	{ "registers=32 threads=1024", "blocks_per_sm", 2, 0 },
	{ "registers=72 threads=1024", "blocks_per_sm", 0, 0 }, /* 28 warps fit of 32 */
	{ "registers=72 threads=1024", "bandwidth_pct", 0, 0 },
	/* The published waves of Nsight Compute: L4, 4,096 blocks, 58 SMs of 3; RTX 3090, 82 of 16 */
	{ "gpu=l4 registers=72 shared_KiB=32.25 blocks=4096", "waves", 23.54, 0.005 },
	{ "gpu=rtx3090 registers=16 threads=96 blocks=100000", "waves", 100000. / 1312, 0 },
};

Test(occupancy, by_hand)
{
	const struct sim *s = sim_find("occupancy");
	cr_assert(s != NULL);
	expect_rows(s, &tables, rows, LENGTH(rows));
}

/* Without arithmetic and with one load Little's law is the whole of it: 1 / sqrt(1 + (L W / B)^2). */
Test(occupancy, bandwidth_by_hand)
{
	const struct sim *s = sim_find("occupancy");
	const struct accelerator *g = gpu_find(&tables, "h100");
	double sm_Bps = g->achieved.memory * g->bandwidth / 132;
	for (double registers = 32; registers <= 255; registers *= 2) {
		char settings[128];
		snprintf(settings, sizeof settings, "work=0 ilp=1 registers=%g latency_cycles=600",
			registers);
		double bytes = 65536 / registers * 4, needs = 600 / g->clock_hz * sm_Bps;
		double want = 100 / sqrt(1 + needs / bytes * needs / bytes);
		cr_expect(epsilon_eq(
			dbl, sim_number(s, &tables, settings, "bandwidth_pct"), want, 1e-6));
		cr_expect(epsilon_eq(dbl, sim_number(s, &tables, settings, "bytes_in_flight"),
			bytes / 1024, 1e-9));
	}
}

/* The lesson at the defaults: a quarter of the warps with eight loads beats all of them with one. */
Test(occupancy, few_warps_with_many_loads_win)
{
	const struct sim *s = sim_find("occupancy");
	double few = sim_number(s, &tables, "", "bandwidth_pct");
	double many = sim_number(s, &tables, "registers=32 ilp=1", "bandwidth_pct");
	cr_expect(eq(dbl, sim_number(s, &tables, "registers=32 ilp=1", "occupancy_pct"), 100));
	cr_expect(lt(dbl, many + 5, few));
	/* A wider load is as good as more of them, but for the cycles that issuing takes. */
	double wide = sim_number(s, &tables, "ilp=2 bytes_per_load=16", "bandwidth_pct");
	cr_expect(lt(dbl, fabs(wide - few), 0.5));
}
