/* The name a person probably meant. */
#ifndef RIDGE_NEAREST_H
#define RIDGE_NEAREST_H

#include <stddef.h>

/* The one of n names that is nearest to `typed` (case ignored; insertions, deletions,
 * substitutions, transpositions; a prefix is near). NULL when none is near enough to be a typo. */
const char *nearest_name(const char *typed, const char *const names[], size_t n);

/* The tail of a message that refuses `typed`: "; did you mean \"name\"?" with the nearest of the
 * names, or "" where none is near. Returns buf; HINT_SIZE is room enough. */
enum { HINT_SIZE = 96 };
char *did_you_mean(const char *typed, const char *const names[], size_t n, char *buf, size_t size);

#endif
