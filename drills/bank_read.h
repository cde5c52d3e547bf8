/* Reads the files of a drill bank, whose form drills/bank.h describes. */
#ifndef RIDGE_BANK_READ_H
#define RIDGE_BANK_READ_H

#include "drills/bank.h"

/* Adds one file: drills, or the editions. `name` is what messages call the file. 0; or -1 and one
 * line in err that names the file, the drill and the member, and says what was wrong and what was
 * expected; the bank is then as it was. The tables must outlive the bank. */
int bank_add(struct drill_bank *b, const struct tables *t, const char *json, const char *name,
	char *err, size_t err_size);

#endif
