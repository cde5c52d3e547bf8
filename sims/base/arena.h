/* A bump allocator: everything that a figure, a table or a laid-out page owns is freed at once.
 * Running out of memory is sticky: `failed` is set, arena_alloc returns NULL from then on. */
#ifndef RIDGE_ARENA_H
#define RIDGE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;
struct arena {
	struct arena_chunk *last;
	bool failed;
};

/* A zeroed `struct arena` is an empty one. */
void arena_release(struct arena *a);

/* `size` zeroed bytes, aligned for any object; NULL when memory is out. Size 0 gives a valid
 * pointer. */
void *arena_alloc(struct arena *a, size_t size);

/* count * size zeroed bytes, with the product checked. */
void *arena_array(struct arena *a, size_t count, size_t size);

/* The bytes of an allocation of `size` at the head of `more`, the rest zeroed; pointers into the old
 * one are no longer good. NULL when memory is out: then the old one is as it was. */
void *arena_regrow(struct arena *a, void *old, size_t size, size_t more);

/* Copies that live as long as the arena. On failure the empty string, never NULL, so that a
 * drawing never has to ask; `failed` tells. */
const char *arena_text(struct arena *a, const char *s);
const char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
const char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Text that grows in an arena. It is terminated after each call; when memory is out it stays as it
 * is. */
struct arena_buffer {
	struct arena *arena;
	char *text; /* NULL before the first call */
	size_t n, cap;
};
/* Room for so many bytes more and a terminator. False: memory is out. */
bool arena_reserve(struct arena_buffer *b, size_t bytes);
void arena_append(struct arena_buffer *b, const char *bytes, size_t n);
void arena_append_text(struct arena_buffer *b, const char *text);
/* What was appended; "" where nothing was, or memory is out. */
const char *arena_buffer_text(const struct arena_buffer *b);

#endif
