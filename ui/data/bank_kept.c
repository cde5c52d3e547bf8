#include "ui/data/bank_kept.h"

#include <errno.h>
#include <stdlib.h>

static struct kept_bank *read_bank(
	const struct tables *t, uint64_t stamp, char *err, size_t err_size)
{
	struct kept_bank *k = calloc(1, sizeof *k);
	if (!k) {
		snprintf(err, err_size, "out of memory");
		errno = ENOMEM;
		return NULL;
	}
	k->stamp = stamp;
	k->users = 1;
	if (bank_load_telling(&k->bank, t, &k->own, err, err_size) == 0)
		return k;
	const bool no_memory = k->bank.arena.failed;
	kept_bank_give_back(k);
	errno = no_memory ? ENOMEM : 0;
	return NULL;
}

struct kept_bank *kept_bank_take(
	struct kept_bank **shelf, const struct tables *t, char *err, size_t err_size)
{
	/* Before they are read: what changes meanwhile is read the next time. */
	const uint64_t stamp = bank_stamp();
	if (*shelf && (*shelf)->stamp != stamp) {
		kept_bank_give_back(*shelf);
		*shelf = NULL;
	}
	if (!*shelf)
		*shelf = read_bank(t, stamp, err, err_size);
	if (*shelf)
		(*shelf)->users++;
	return *shelf;
}

void kept_bank_give_back(struct kept_bank *k)
{
	if (!k || --k->users > 0)
		return;
	bank_release(&k->bank);
	free(k);
}
