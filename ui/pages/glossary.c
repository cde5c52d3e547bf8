/* Names are sorted by a hash of their first word, so that those a word may begin are found by
 * bisection. Most words begin no name: a table of bits, one for each hash cut short, says so at
 * once. */
#include "ui/pages/glossary.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST_WORD = 64 };

/* --- words ------------------------------------------------------------------------------ */

static bool is_ascii_word(unsigned char c)
{
	return (unsigned)(c | 32) - 'a' < 26 || (unsigned)c - '0' < 10 || c == '_';
}

/* Whether a code point belongs to a word: letters of all scripts do, signs and dashes do not. */
static bool is_word_code(uint32_t code)
{
	if (code < 0x80)
		return is_ascii_word((unsigned char)code);
	return code >= 0xc0 && code != 0xd7 && code != 0xf7 && (code < 0x2000 || code > 0x2bff);
}

static bool word_at(const char *text, size_t n, size_t at)
{
	if (at >= n)
		return false;
	unsigned char c = (unsigned char)text[at];
	if (c < 0x80)
		return is_ascii_word(c);
	const char *p = text + at;
	return is_word_code(utf8_next(&p));
}

static bool word_before(const char *text, size_t at)
{
	while (at > 0 && utf8_continues(text[at - 1]))
		at--;
	return at > 0 && word_at(text, at, at - 1);
}

static size_t character_bytes(const char *text, size_t at)
{
	const char *p = text + at;
	utf8_next(&p);
	return (size_t)(p - text) - at;
}

static size_t word_end(const char *text, size_t n, size_t at)
{
	for (;;) {
		while (at < n && is_ascii_word((unsigned char)text[at]))
			at++;
		if (at == n || (unsigned char)text[at] < 0x80 || !word_at(text, n, at))
			return at;
		at += character_bytes(text, at);
	}
}

/* A hyphen joins what stands around it to one word: "sub-warp" does not mention warps. */
static bool starts_word(const char *text, size_t at)
{
	if (word_before(text, at))
		return false;
	return at < 2 || text[at - 1] != '-' || !word_before(text, at - 1);
}

static bool ends_word(const char *text, size_t n, size_t at)
{
	return !word_at(text, n, at) &&
	       !(at + 1 < n && text[at] == '-' && word_at(text, n, at + 1));
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static uint32_t key_of(const char *word, size_t n)
{
	uint32_t hash = 2166136261u;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)lower(word[i])) * 16777619u;
	return hash;
}

/* --- the glossary ----------------------------------------------------------------------- */

static const char *copy(struct arena *a, const char *from, const char *to)
{
	char *text = arena_alloc(a, (size_t)(to - from) + 1);
	return text ? memcpy(text, from, (size_t)(to - from)) : "";
}

static void add_name(struct glossary *ix, const char *from, const char *to)
{
	while (from < to && *from == ' ')
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '.'))
		to--;
	size_t n = (size_t)(to - from), word = word_end(from, n, 0);
	if (!word || word > LONGEST_WORD)
		return;
	struct glossary_name name = { copy(&ix->arena, from, to), n, ix->n_entries - 1,
		key_of(from, word) };
	ARRAY_APPEND(&ix->arena, ix, names, n_names, cap_names, name);
}

/* Adds other names, which stand between commas. */
static void add_names(struct glossary *ix, const char *from, const char *to)
{
	while (from < to) {
		const char *comma = memchr(from, ',', (size_t)(to - from));
		const char *end = comma ? comma : to;
		add_name(ix, from, end);
		from = comma ? comma + 1 : to;
	}
}

static const char *end_of_line(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	return newline ? newline : end;
}

static const char *skip_blank(const char *at, const char *end)
{
	while (at < end && (*at == '\n' || *at == ' ' || *at == '\r'))
		at++;
	return at;
}

/* Takes what stands under a heading, up to `end`. */
static void add_body(struct glossary *ix, const char *at, const char *end)
{
	static const char also[] = GLOSSARY_ALSO;
	struct glossary_entry *e = &ix->entries[ix->n_entries - 1];
	at = skip_blank(at, end);
	if ((size_t)(end - at) > sizeof also && memcmp(at, also, sizeof also - 1) == 0) {
		const char *stop = end_of_line(at, end), *from = at + sizeof also - 1;
		const char *last = stop;
		while (last > from && strchr(". \r", last[-1]))
			last--;
		e->also = copy(&ix->arena, from, last);
		add_names(ix, from, last);
		at = skip_blank(stop, end);
	}
	while (end > at && strchr("\n\r ", end[-1]))
		end--;
	e->text = copy(&ix->arena, at, end);
}

static bool add_entry(struct glossary *ix, const char *name, const char *to)
{
	struct glossary_entry entry = { copy(&ix->arena, name, to), "", "" };
	ARRAY_APPEND(&ix->arena, ix, entries, n_entries, cap_entries, entry);
	if (ix->arena.failed)
		return false;
	add_name(ix, name, to);
	return true;
}

/* The next line that begins with '#', or the end. */
static const char *next_heading(const char *at, const char *end)
{
	while (at < end && *at != '#') {
		at = end_of_line(at, end);
		at += at < end;
	}
	return at;
}

static int by_key(const void *a, const void *b)
{
	const struct glossary_name *x = a, *y = b;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->bytes == y->bytes ? 0 : x->bytes > y->bytes ? -1 : 1;
}

int glossary_init(struct glossary *ix, const char *markdown, size_t bytes)
{
	static const char heading[] = "### ";
	const char *end = markdown + bytes;
	*ix = (struct glossary){ 0 };
	for (const char *at = next_heading(markdown, end); at < end;) {
		const char *stop = end_of_line(at, end), *next = next_heading(stop, end);
		size_t mark = sizeof heading - 1;
		if ((size_t)(stop - at) > mark && memcmp(at, heading, mark) == 0 &&
			add_entry(ix, at + mark, stop))
			add_body(ix, stop, next);
		at = next;
	}
	if (ix->arena.failed) {
		glossary_release(ix);
		return -1;
	}
	for (size_t i = 0; i < ix->n_names; i++) {
		uint32_t key = ix->names[i].key;
		ix->filter[(key & (GLOSSARY_FILTER - 1)) / 64] |= UINT64_C(1) << (key & 63);
	}
	if (ix->n_names)
		qsort(ix->names, ix->n_names, sizeof *ix->names, by_key);
	return 0;
}

void glossary_release(struct glossary *ix)
{
	arena_release(&ix->arena);
	*ix = (struct glossary){ 0 };
}

/* --- finding ---------------------------------------------------------------------------- */

/* Whether a word of a name counts only in the case in which it is written. */
static bool is_exact(const char *word, size_t n)
{
	bool small = false, capital = false, later = false;
	for (size_t i = 0; i < n; i++) {
		bool upper = word[i] >= 'A' && word[i] <= 'Z';
		small |= word[i] >= 'a' && word[i] <= 'z';
		capital |= upper;
		later |= upper && i > 0;
	}
	return later || (capital && !small);
}

static bool joins(char c)
{
	return c == ' ' || c == '-';
}

static bool same_word(const char *name, const char *text, size_t n)
{
	if (is_exact(name, n))
		return memcmp(name, text, n) == 0;
	for (size_t i = 0; i < n; i++)
		if (lower(name[i]) != lower(text[i]))
			return false;
	return true;
}

/* Where a name ends if it stands at text[at]; 0: it does not. */
static size_t name_end(const struct glossary_name *name, const char *text, size_t n, size_t at)
{
	if (name->bytes > n - at)
		return 0;
	for (size_t i = 0; i < name->bytes;) {
		size_t word = word_end(name->text, name->bytes, i) - i;
		if (!word) {
			char want = name->text[i], got = text[at + i];
			if (want != got && !(joins(want) && joins(got)))
				return 0;
			i++;
		} else if (!same_word(name->text + i, text + at + i, word)) {
			return 0;
		}
		i += word;
	}
	size_t end = at + name->bytes;
	if (end < n && text[end] == 's' && text[end - 1] != 's' && ends_word(text, n, end + 1))
		return end + 1;
	return ends_word(text, n, end) ? end : 0;
}

static const uint64_t *filter_of(const struct glossary *ix, uint32_t key)
{
	return &ix->filter[(key & (GLOSSARY_FILTER - 1)) / 64];
}

/* The first name of a key. */
static size_t lower_bound(const struct glossary *ix, uint32_t key)
{
	size_t low = 0, high = ix->n_names;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ix->names[middle].key < key)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct glossary_hit longest(
	const struct glossary *ix, uint32_t key, const char *text, size_t n, size_t at)
{
	if (!(*filter_of(ix, key) >> (key & 63) & 1))
		return (struct glossary_hit){ 0 };
	for (size_t i = lower_bound(ix, key); i < ix->n_names && ix->names[i].key == key; i++) {
		size_t end = name_end(&ix->names[i], text, n, at);
		if (end)
			return (struct glossary_hit){ true, at, end, ix->names[i].entry };
	}
	return (struct glossary_hit){ 0 };
}

/* The longest name that begins with the word text[at..end), or with the word of which that is the
 * plural. */
static struct glossary_hit at_word(
	const struct glossary *ix, const char *text, size_t n, size_t at, size_t end)
{
	struct glossary_hit hit = longest(ix, key_of(text + at, end - at), text, n, at);
	struct glossary_hit one = { 0 };
	if (text[end - 1] == 's' && end - at > 1)
		one = longest(ix, key_of(text + at, end - at - 1), text, n, at);
	return one.found && one.end > hit.end ? one : hit;
}

struct glossary_hit glossary_find(const struct glossary *ix, const char *text, size_t n, size_t at)
{
	while (at < n) {
		size_t end = word_end(text, n, at);
		if (end == at) {
			at += (unsigned char)text[at] < 0x80 ? 1 : character_bytes(text, at);
			continue;
		}
		if (end - at <= LONGEST_WORD && starts_word(text, at)) {
			struct glossary_hit hit = at_word(ix, text, n, at, end);
			if (hit.found)
				return hit;
		}
		at = end;
	}
	return (struct glossary_hit){ false, n, n, 0 };
}
