/* Which prompts begin alike. A trace says of each prompt how many of its leading blocks had been
 * seen before, not whose: each is taken to go on from the latest prompt that is long enough. Blocks
 * then have identities, and equal identities mean equal tokens with equal ones before them. */
#ifndef RIDGE_PROMPT_BLOCKS_H
#define RIDGE_PROMPT_BLOCKS_H

#include "sims/base/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prompt_blocks {
	uint32_t *before; /* of a block; 0: it is the first */
	uint32_t *latest; /* [depth]: last block of that many of the latest prompt */
	uint32_t *prompt; /* identities of the present one, from 1 */
	uint32_t n_blocks;
};

/* For prompts of `longest` blocks at most, `most` in all. False when memory is out. */
bool prompt_blocks_init(struct prompt_blocks *p, struct arena *a, size_t most, size_t longest);

/* Fills p->prompt[0..n) of the next prompt, which goes on behind `seen` blocks of an earlier one:
 * fewer where no earlier prompt came so far. */
void prompt_blocks_next(struct prompt_blocks *p, size_t n, size_t seen);

#endif
