/* The banks of drills that travel with the program. */
#ifndef RIDGE_BANK_LOAD_H
#define RIDGE_BANK_LOAD_H

#include "drills/bank.h"

/* Adds every file of content/drills/. 0; or -1 and one line in err. Release the bank either way. */
int bank_load(struct drill_bank *b, const struct tables *t, char *err, size_t err_size);

#endif
