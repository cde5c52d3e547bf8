/* How much a value changed, in words, the same wherever it is told. */
#ifndef RIDGE_UI_LIVE_CHANGE_WORDS_H
#define RIDGE_UI_LIVE_CHANGE_WORDS_H

#include "sims/figure/figure.h"

/* "3.9x", "+34 %", "-37 %", or "" where the two numbers say it better: a share of per cents is easily
 * taken for one of them, and what was zero or less has no share. Returns buf. */
char *change_words(const struct value *was, const struct value *now, char *buf, size_t size);

#endif
