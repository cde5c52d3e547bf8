/* The terms of the glossary, sorted for finding them in text.
 *
 * A term is a heading of the third level in content/reference/glossary.md, with the text up to the
 * next heading. A first line "Also: ITL, time per output token." gives it other names.
 *
 * A name is found where the text has the same whole words. Case does not matter, except in a word
 * that has a capital after its first letter, or no small letter at all: "zero" does not mention
 * "ZeRO", nor "sm" an "SM". Blanks and hyphens stand for each other, and the last word may have an
 * "s" more in the text. Where several names begin at one place, the longest is found. */
#ifndef RIDGE_UI_PAGES_GLOSSARY_H
#define RIDGE_UI_PAGES_GLOSSARY_H

#include "sims/base/arena.h"

#include <stddef.h>
#include <stdint.h>

#define GLOSSARY_ID "glossary"
#define GLOSSARY_ALSO "Also: " /* begins the other names of an entry, on a line below its heading */
#define GLOSSARY_FILE "reference/glossary.md"

struct glossary_entry {
	const char *name;
	const char *also; /* "ITL, time per output token"; "" */
	const char *text; /* Markdown, without heading and other names */
};
struct glossary_name {
	const char *text;
	size_t bytes;
	size_t entry;
	uint32_t key; /* of its first word */
};
enum { GLOSSARY_FILTER = 1 << 12 };

/* A zeroed one has no terms. */
struct glossary {
	struct arena arena;
	struct glossary_entry *entries; /* in the order of the glossary */
	size_t n_entries, cap_entries;
	struct glossary_name *names; /* by key, then the longest first */
	size_t n_names, cap_names;
	uint64_t filter[GLOSSARY_FILTER / 64]; /* a bit for each key: most words begin no name */
};

/* From the glossary's Markdown. 0; or -1 when out of memory (the index is then empty). */
int glossary_init(struct glossary *ix, const char *markdown, size_t bytes);
void glossary_release(struct glossary *ix);

/* The first mention of any term in text[at..n): where it begins and ends, and its entry. */
struct glossary_hit {
	bool found;
	size_t begin, end, entry;
};
struct glossary_hit glossary_find(const struct glossary *ix, const char *text, size_t n, size_t at);

#endif
