/* What a model is that a formula does not know, to be said beside its number. */
#ifndef RIDGE_UI_DATA_CALC_COVER_H
#define RIDGE_UI_DATA_CALC_COVER_H

#include "ui/data/calc.h"

enum { COVER_TEXT = 160 };

/* "if it generated tokens: BERT-large is an encoder, and caches nothing"; "" where the formula covers the
 * model, or was given none. Returns buf. */
const char *calc_uncovered(const struct calc_result *r, char *buf, size_t size);

#endif
