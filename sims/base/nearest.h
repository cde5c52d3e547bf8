/* The name a person probably meant. */
#ifndef RIDGE_NEAREST_H
#define RIDGE_NEAREST_H

#include <stddef.h>

/* The one of n names that is nearest to `typed` (case ignored; insertions, deletions,
 * substitutions, transpositions; a prefix is near). NULL when none is near enough to be a typo. */
const char *nearest_name(const char *typed, const char *const names[], size_t n);

#endif
