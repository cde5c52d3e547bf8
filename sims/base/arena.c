#include "sims/base/arena.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES 16384
#define ALIGN _Alignof(max_align_t)

struct arena_chunk {
	struct arena_chunk *previous;
	size_t used, size; /* bytes that are not used yet are zero */
	_Alignas(max_align_t) unsigned char bytes[];
};

void arena_release(struct arena *a)
{
	assert(a);
	while (a->last) {
		struct arena_chunk *previous = a->last->previous;
		free(a->last);
		a->last = previous;
	}
	a->failed = false;
}

/* A chunk with room for so many bytes. One that they fill is put behind the last, whose rest is kept
 * for what is small. */
static struct arena_chunk *grow(struct arena *a, size_t size)
{
	size_t room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
	/* Of a large array no page is taken before something is written there. */
	struct arena_chunk *chunk = calloc(1, sizeof *chunk + room);
	struct arena_chunk **place = size >= CHUNK_BYTES && a->last ? &a->last->previous : &a->last;

	if (!chunk)
		return NULL;
	*chunk = (struct arena_chunk){ .previous = *place, .size = room };
	*place = chunk;
	return chunk;
}

static size_t aligned(size_t size)
{
	return (size + ALIGN - 1) / ALIGN * ALIGN;
}

void *arena_alloc(struct arena *a, size_t size)
{
	assert(a);
	if (a->failed || size > SIZE_MAX / 2) {
		a->failed = true;
		return NULL;
	}
	size = aligned(size);
	struct arena_chunk *chunk = a->last;
	if (!chunk || chunk->size - chunk->used < size)
		chunk = grow(a, size);
	if (!chunk) {
		a->failed = true;
		return NULL;
	}
	void *p = chunk->bytes + chunk->used;
	chunk->used += size;
	return p;
}

void *arena_array(struct arena *a, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / 2 / size) {
		a->failed = true;
		return NULL;
	}
	return arena_alloc(a, count * size);
}

/* Where the chunk hangs that holds these bytes and nothing else; NULL: they share one. */
static struct arena_chunk **chunk_of(struct arena *a, const void *p, size_t size)
{
	struct arena_chunk **place = &a->last;
	if (size < CHUNK_BYTES)
		return NULL;
	while (*place && (*place)->bytes != p)
		place = &(*place)->previous;
	return *place && (*place)->used == size ? place : NULL;
}

void *arena_regrow(struct arena *a, void *old, size_t size, size_t more)
{
	assert(a && old && size < more);
	size = aligned(size);
	struct arena_chunk *last = a->last;
	bool fails = a->failed || more > SIZE_MAX / 2;
	if (!fails && (unsigned char *)old + size == last->bytes + last->used &&
		last->size - last->used >= aligned(more) - size) {
		last->used += aligned(more) - size;
		return old;
	}
	struct arena_chunk **place = fails ? NULL : chunk_of(a, old, size);
	if (!place) {
		void *bigger = arena_alloc(a, more);
		return bigger ? memcpy(bigger, old, size) : NULL;
	}
	more = aligned(more);
	struct arena_chunk *chunk = realloc(*place, sizeof *chunk + more);
	if (!chunk) {
		a->failed = true;
		return NULL;
	}
	*place = chunk;
	memset(chunk->bytes + size, 0, more - size);
	chunk->used = chunk->size = more;
	return chunk->bytes;
}

const char *arena_text(struct arena *a, const char *s)
{
	assert(a && s);
	size_t n = strlen(s) + 1;
	char *copy = arena_alloc(a, n);
	return copy ? memcpy(copy, s, n) : "";
}

const char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	assert(a && fmt);
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0) {
		a->failed = true;
		return "";
	}
	char *text = arena_alloc(a, (size_t)n + 1);
	if (!text)
		return "";
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	return text;
}

const char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	const char *text = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return text;
}

bool arena_reserve(struct arena_buffer *b, size_t bytes)
{
	if (b->cap - b->n > bytes)
		return true;
	size_t more = b->cap ? b->cap : 256;
	while (more - b->n <= bytes)
		more *= 2;
	char *bigger = arena_alloc(b->arena, more);
	if (!bigger)
		return false;
	if (b->n)
		memcpy(bigger, b->text, b->n);
	b->text = bigger;
	b->cap = more;
	return true;
}

void arena_append(struct arena_buffer *b, const char *bytes, size_t n)
{
	if (!arena_reserve(b, n))
		return;
	memcpy(b->text + b->n, bytes, n);
	b->n += n;
	b->text[b->n] = '\0';
}

void arena_append_text(struct arena_buffer *b, const char *text)
{
	arena_append(b, text, strlen(text));
}

const char *arena_buffer_text(const struct arena_buffer *b)
{
	return b->text ? b->text : "";
}
