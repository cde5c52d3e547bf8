/* An array of structs as one piece of data without pointers, to be compiled into a program that then
 * need not read what it was read from. Texts that a struct points to stand one after another beside it;
 * zeros, of which such structs have many, are only counted. Good for programs of the same machine and
 * compiler. */
#ifndef RIDGE_IMAGE_H
#define RIDGE_IMAGE_H

#include "sims/base/arena.h"

#include <stddef.h>
#include <stdint.h>

/* Where a struct points to texts; it has no other pointers. */
struct image_layout {
	size_t bytes, n_texts, texts[5];
};

struct image {
	size_t n; /* structs */
	/* Runs: how many words follow as they are, times 2^32, and how many zeros come after these. In
	 * place of a pointer stands where its text begins, counted from 1 on; 0: NULL. */
	const uint64_t *words;
	size_t n_words;
	const char *texts; /* terminated, one after another */
	size_t text_bytes;
};

/* In the arena; n is 0 when memory ran out (a->failed). */
struct image image_of(const void *structs, size_t n, const struct image_layout *l, struct arena *a);
/* The structs, in the arena; their texts are the image's. NULL: out of memory. */
void *image_open(const struct image *image, const struct image_layout *l, struct arena *a);

#endif
