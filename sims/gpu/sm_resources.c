#include "sims/gpu/sm_resources.h"

#include "sims/base/array.h"
#include "sims/formulas/kernels.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { KIB = 1024 };

#define KEPT(...)                                                                                  \
	{                                                                                          \
		__VA_ARGS__                                                                        \
	}
#define UP_TO_100 KEPT(0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 100 * KIB)
#define UP_TO_164 KEPT(0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 100 * KIB, 132 * KIB, 164 * KIB)
#define UP_TO_228                                                                                  \
	KEPT(0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 100 * KIB, 132 * KIB, 164 * KIB, 196 * KIB, \
		228 * KIB)

static const char on_v100[] = "gpu-benches on a V100-PCIe";
static const char on_a100[] = "Luo et al., 2024, on an A100";
static const char on_h800[] = "Luo et al., 2024, on an H800";
static const char on_4090[] = "Luo et al., 2024, on an RTX 4090";

/* Slots, registers, shared memory and its partings: NVIDIA, CUDA C++ Programming Guide, technical
 * specifications and shared memory capacity per compute capability; 7.0: its edition 12. FP32 lanes:
 * the same guide, throughput of arithmetic instructions. What the system reserves from 8.0 on, and the
 * units of registers (256 for a warp, in all of them) and of shared memory: cuda_occupancy.h of CUDA
 * 11.1 (up to 8.6) and, as quoted by others, of 12.8 and 13.2. Latencies: gpu-benches (cuda-latency, a
 * pointer chase through 512 MB); Luo et al., Benchmarking and Dissecting the Nvidia Hopper GPU
 * Architecture, 2024, table of memory latencies: 466.3, 478.8 and 541.5 cycles. */
static const struct sm_kind kinds[] = {
	{ "7.0", 64, 32, 65536, 96 * KIB, 0, 256,
		KEPT(0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 96 * KIB), 128 * KIB, 64, 436,
		on_v100, false },
	{ "7.5", 32, 16, 65536, 64 * KIB, 0, 256, KEPT(32 * KIB, 64 * KIB), 96 * KIB, 64, 541.5,
		on_4090, true },
	{ "8.0", 64, 32, 65536, 164 * KIB, KIB, 128, UP_TO_164, 192 * KIB, 64, 466.3, on_a100,
		false },
	{ "8.6", 48, 16, 65536, 100 * KIB, KIB, 128, UP_TO_100, 128 * KIB, 128, 541.5, on_4090,
		true },
	{ "8.7", 48, 16, 65536, 164 * KIB, KIB, 128, UP_TO_164, 192 * KIB, 128, 541.5, on_4090,
		true },
	{ "8.9", 48, 24, 65536, 100 * KIB, KIB, 128, UP_TO_100, 128 * KIB, 128, 541.5, on_4090,
		false },
	{ "9.0", 64, 32, 65536, 228 * KIB, KIB, 128, UP_TO_228, 256 * KIB, 128, 478.8, on_h800,
		false },
	{ "10.0", 64, 32, 65536, 228 * KIB, KIB, 128, UP_TO_228, 256 * KIB, 128, 478.8, on_h800,
		true },
	{ "11.0", 48, 24, 65536, 228 * KIB, KIB, 128, UP_TO_228, 256 * KIB, 128, 541.5, on_4090,
		true },
	{ "12.0", 48, 24, 65536, 100 * KIB, KIB, 128, UP_TO_100, 128 * KIB, 128, 541.5, on_4090,
		true },
};

/* A family has one capability, but for two that have a server's and a desk's chip under one name, or an
 * older and a newer one: there the shared memory tells them apart. */
static const struct {
	const char *family, *capability;
	double shared_bytes; /* 0: any */
} families[] = {
	{ "volta", "7.0", 0 },
	{ "turing", "7.5", 0 },
	{ "ampere", "8.0", 164 * KIB },
	{ "ampere", "8.6", 0 },
	{ "jetson", "8.7", 164 * KIB },
	{ "jetson", "11.0", 0 },
	{ "ada", "8.9", 0 },
	{ "hopper", "9.0", 0 },
	{ "blackwell", "10.0", 0 },
	{ "blackwell-rtx", "12.0", 0 },
};

const struct sm_kind *sm_kind_find(const char *capability)
{
	for (size_t i = 0; i < LENGTH(kinds); i++)
		if (strcmp(kinds[i].capability, capability) == 0)
			return &kinds[i];
	return NULL;
}

const struct sm_kind *sm_kind_of(const struct accelerator *gpu)
{
	for (size_t i = 0; gpu->family && gpu->sm_count > 0 && i < LENGTH(families); i++) {
		double shared_bytes = families[i].shared_bytes;
		bool fits = shared_bytes <= 0 || shared_bytes == gpu->shared_bytes;
		if (fits && strcmp(families[i].family, gpu->family) == 0)
			return sm_kind_find(families[i].capability);
	}
	return NULL;
}

/* B of shared memory that a block takes of its SM. */
static double taken_bytes(const struct sm_kind *sm, double shared_bytes)
{
	double unit = sm->shared_unit_bytes;
	return unit * ceil((shared_bytes + sm->reserved_bytes) / unit);
}

static double smallest_carveout(const struct sm_kind *sm, double bytes)
{
	for (size_t i = 0; i < MOST_CARVEOUTS; i++)
		if (sm->carveout_bytes[i] >= bytes)
			return sm->carveout_bytes[i];
	return sm->shared_bytes;
}

struct residency sm_residency(const struct sm_kind *sm, const struct block_needs *block)
{
	assert(block->threads >= 1 && block->registers >= 1 && block->shared_bytes >= 0);
	struct residency
		r = { .allows = {
			      [SM_WARPS] = CALL(blocks_by_warps, .warp_slots = sm->warp_slots,
				      .threads = block->threads),
			      [SM_REGISTERS] = CALL(blocks_by_registers,
				      .sm_registers = sm->registers, .registers = block->registers,
				      .threads = block->threads),
			      [SM_SHARED] =
				      INFINITY, /* where none is used and the system takes none */
			      [SM_BLOCKS] = sm->block_slots,
		      } };
	if (block->shared_bytes + sm->reserved_bytes > 0)
		r.allows[SM_SHARED] = CALL(blocks_by_shared, .sm_shared_bytes = sm->shared_bytes,
			.block_shared_bytes = block->shared_bytes,
			.reserved_bytes = sm->reserved_bytes, .unit_bytes = sm->shared_unit_bytes);
	r.blocks = INFINITY;
	for (size_t i = 0; i < N_SM_LIMITS; i++)
		r.blocks = fmin(r.blocks, r.allows[i]);
	for (size_t i = 0; i < N_SM_LIMITS; i++)
		r.binds[i] = r.allows[i] == r.blocks;
	r.warps = r.blocks * CALL(warps_of_block, .threads = block->threads);
	r.occupancy = CALL(warp_occupancy, .blocks_per_sm = r.blocks, .threads = block->threads,
		.warp_slots = sm->warp_slots);
	r.carveout_bytes = smallest_carveout(sm, r.blocks * taken_bytes(sm, block->shared_bytes));
	return r;
}
