/* Attention tile by tile: how a block of queries walks over the blocks of keys inside the SRAM of
 * an SM, what that reads and writes outside of it, and the softmax that never sees its whole row.
 * Dao et al., FlashAttention (2022); Dao, FlashAttention-2 (2023). */
#ifndef RIDGE_FLASHATTENTION_H
#define RIDGE_FLASHATTENTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One head. Counts are tokens; sizes of a value in B. */
struct flash_shape {
	double seq, head_dim, value_bytes;
	double block_q, block_k; /* >= 1 */
	bool causal;             /* tiles above the diagonal are skipped */
	bool keys_outside;       /* the first paper's loop; else a block of queries per SM */
};

/* The first paper's rule: keys, values, queries and the output share the SRAM. Multiples of 16,
 * at least 16. */
void flash_blocks(struct flash_shape *s, double sram_bytes);

/* B that the tiles keep in SRAM: queries, output, keys and values. */
double flash_sram_bytes(const struct flash_shape *s);

struct flash_traffic {
	double read_once; /* B that any attention moves: Q, K, V and O, and the row statistics */
	double again;     /* B that are read or written again, because SRAM is small */
	double tiles;     /* tiles that are computed */
};
/* Counted tile by tile. */
struct flash_traffic flash_traffic_of(const struct flash_shape *s);

/* The share of `again` that comes from memory where an L2 of l2_bytes stands before it and `sms` SMs
 * work on `heads` heads. The blocks of queries of a head that run at the same time walk the keys
 * together, so that one of them fetches a tile for all; a head with more blocks than SMs walks
 * them once more for every filling of the SMs, and then finds what the L2 still holds of the keys
 * and values, half of it being theirs. With keys outside one SM does a head by itself, and every
 * one of them wants to keep its queries and outputs. 0 to 1; falls as l2_bytes grows. */
double flash_missed_share(const struct flash_shape *s, double heads, double sms, double l2_bytes);

/* B that three separate kernels move, which write out scores and probabilities: 4 s d + 4 s^2
 * values. */
double unfused_traffic_bytes(const struct flash_shape *s);

/* The softmax of one row as its tiles come: the running maximum, and the running sum in terms of
 * it. */
struct online_softmax {
	double m, l;
};
/* Adds a tile of scores; returns the factor by which what was accumulated so far shrinks. */
double online_softmax_add(struct online_softmax *s, const double score[], size_t n);

/* A row of attention over random keys and values (normal, of a stream of the seed), tile by tile in
 * single precision, against the whole row in double precision: the largest difference in the
 * output, relative to its largest value. m and l after each tile, at most `most` of them, are left
 * in steps. keys: 1..8192; head_dim: 1..256. */
enum { ONLINE_MOST_KEYS = 8192, ONLINE_MOST_DIM = 256 };
double online_softmax_error(size_t keys, size_t head_dim, size_t block_k, uint64_t seed,
	struct online_softmax steps[], size_t most, size_t *n_steps);

#endif
