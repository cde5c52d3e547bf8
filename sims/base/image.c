#include "sims/base/image.h"

#include <assert.h>
#include <string.h>

enum { WORD = sizeof(uint64_t), HALF = 32 };
static_assert(sizeof(const char *) == sizeof(uintptr_t), "a text's place fits where a pointer was");

/* --- Texts --- */

static char *pointer_at(char *structs, const struct image_layout *l, size_t i)
{
	return structs + i / l->n_texts * l->bytes + l->texts[i % l->n_texts];
}

static void take_texts(
	char *structs, size_t n, const struct image_layout *l, struct arena_buffer *texts)
{
	for (size_t i = 0; i < n * l->n_texts; i++) {
		char *at = pointer_at(structs, l, i);
		const char *text;
		memcpy(&text, at, sizeof text);
		uintptr_t place = text ? texts->n + 1 : 0;
		if (text)
			arena_append(texts, text, strlen(text) + 1);
		memcpy(at, &place, sizeof place);
	}
}

static void give_texts(char *structs, const struct image *image, const struct image_layout *l)
{
	for (size_t i = 0; i < image->n * l->n_texts; i++) {
		char *at = pointer_at(structs, l, i);
		uintptr_t place;
		memcpy(&place, at, sizeof place);
		assert(place <= image->text_bytes);
		const char *text = place ? image->texts + place - 1 : NULL;
		memcpy(at, &text, sizeof text);
	}
}

/* --- Runs --- */

/* In place: what is kept and its header is never longer than what was read, but for the first header,
 * which `to` has room for. Returns the words used. */
static size_t pack(const uint64_t *from, size_t n, uint64_t *to)
{
	size_t used = 0;
	for (size_t i = 0; i < n;) {
		size_t begin = i, zeros = 0;
		/* A single zero costs less as it is than a new run. */
		while (i < n && (from[i] || (i + 1 < n && from[i + 1])))
			i++;
		size_t kept = i - begin;
		for (; i < n && !from[i]; i++)
			zeros++;
		to[used++] = (uint64_t)kept << HALF | zeros;
		memcpy(to + used, from + begin, kept * WORD);
		used += kept;
	}
	return used;
}

static void unpack(const struct image *image, uint64_t *to, size_t n)
{
	size_t done = 0;
	for (size_t i = 0; i < image->n_words;) {
		uint64_t head = image->words[i++];
		size_t kept = (size_t)(head >> HALF), zeros = (size_t)(head & UINT32_MAX);
		assert(done + kept + zeros <= n);
		memcpy(to + done, image->words + i, kept * WORD);
		i += kept;
		done += kept + zeros;
	}
	assert(done == n);
}

/* --- Both --- */

/* The last word is filled up with zeros. */
static size_t words_of(size_t n, const struct image_layout *l)
{
	return (n * l->bytes + WORD - 1) / WORD;
}

struct image image_of(const void *structs, size_t n, const struct image_layout *l, struct arena *a)
{
	const size_t words = words_of(n, l);
	struct arena_buffer texts = { .arena = a };
	uint64_t *plain = arena_array(a, words, WORD);
	uint64_t *packed = arena_array(a, 2 * words, WORD);
	if (a->failed || n == 0)
		return (struct image){ 0 };
	memcpy(plain, structs, n * l->bytes);
	take_texts((char *)plain, n, l, &texts);
	size_t used = pack(plain, words, packed);
	if (a->failed)
		return (struct image){ 0 };
	return (struct image){ n, packed, used, texts.text, texts.n };
}

void *image_open(const struct image *image, const struct image_layout *l, struct arena *a)
{
	const size_t words = words_of(image->n, l);
	uint64_t *structs = arena_array(a, words, WORD); /* zeroed */
	if (!structs)
		return NULL;
	unpack(image, structs, words);
	give_texts((char *)structs, image, l);
	return structs;
}
