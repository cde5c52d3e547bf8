/* The bank of drills, kept while somebody uses it: reading it takes longer than all else that a key does. It is read
 * anew when its files have changed since, and then who took it before still has what it took. */
#ifndef RIDGE_UI_DATA_BANK_KEPT_H
#define RIDGE_UI_DATA_BANK_KEPT_H

#include "ui/data/bank_load.h"

#include <stdint.h>

struct kept_bank {
	struct drill_bank bank; /* without a pack; nobody changes it */
	struct own_drills own;
	uint64_t stamp; /* of the files that it was read from */
	size_t users;
};

/* *shelf (NULL at first) is one user, and the caller becomes another, who gives it back. The tables outlive it. NULL:
 * it cannot be read, and err says why in one line; errno is ENOMEM where memory is out, else 0. */
struct kept_bank *kept_bank_take(
	struct kept_bank **shelf, const struct tables *t, char *err, size_t err_size);
/* NULL is given back as well. */
void kept_bank_give_back(struct kept_bank *k);

#endif
