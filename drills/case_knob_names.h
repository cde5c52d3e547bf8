/* What people call the knobs of designs, beside their ids and labels: "speculation" for the tokens that are drafted. An
 * id means the same in all simulations of designs. */
#ifndef RIDGE_CASE_KNOB_NAMES_H
#define RIDGE_CASE_KNOB_NAMES_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the first n words name the knob with that id, its label aside: signs between words, and an "s" at the end, do
 * not matter. */
bool case_knob_named(const char *id, const char *const words[], size_t n);

/* Whether a word is one for GPUs, "cards", or for what serves by itself, "engine". */
bool case_word_is_gpus(const char *word);
bool case_word_is_replica(const char *word);

/* Whether words are the same as a name in that way: "micro batches" and "micro-batch". */
bool case_words_are(const char *name, const char *const words[], size_t n);

#endif
