/* Reads the files of a drill bank, whose form drills/bank.h describes. */
#ifndef RIDGE_BANK_READ_H
#define RIDGE_BANK_READ_H

#include "drills/bank.h"

/* Adds one file: drills, or the editions. `name` is what messages call the file. 0; or -1 and one
 * line in err that names the file, the drill and the member, and says what was wrong and what was
 * expected; the bank is then as it was. The tables must outlive the bank. */
int bank_add(struct drill_bank *b, const struct tables *t, const char *json, const char *name,
	char *err, size_t err_size);

struct cJSON;

/* Reads one drill object that stands elsewhere than in a bank: the numbers of a case
 * (drills/case.h). What it owns is in the arena. 0; or -1 and one line in err, as above. */
int drill_read(struct arena *a, const struct tables *t, const struct cJSON *object,
	const char *name, struct drill *out, char *err, size_t err_size);

#endif
