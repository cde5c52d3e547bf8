#include "ui/pages/page_anchor.h"

#include "sims/base/array.h"
#include "sims/base/utf8.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Whether a character stays in an anchor: letters, digits, '_' and '-' do, and beyond ASCII
 * everything but blocks of punctuation, symbols and pictures. */
static bool stays(uint32_t c)
{
	static const uint32_t out[][2] = { { 0x80, 0xa9 }, { 0xab, 0xb4 }, { 0xb6, 0xb9 },
		{ 0xbb, 0xbf }, { 0xd7, 0xd7 }, { 0xf7, 0xf7 }, { 0x2000, 0x2070 },
		{ 0x2072, 0x207e }, { 0x2080, 0x208f }, { 0x20a0, 0x20cf }, { 0x2190, 0x245f },
		{ 0x2500, 0x2bff }, { 0x2e00, 0x2e7f }, { 0x3000, 0x3004 }, { 0x3008, 0x3020 },
		{ 0xff00, 0xff0f }, { 0xff1a, 0xff20 }, { 0xff3b, 0xff40 }, { 0xff5b, 0xff65 },
		{ 0xfffd, 0xfffd }, { 0x1f000, 0x1faff } };
	if (c < 0x80)
		return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' || c == '-';
	for (size_t i = 0; i < LENGTH(out); i++)
		if (c >= out[i][0] && c <= out[i][1])
			return false;
	return true;
}

const char *page_anchor(struct arena *a, const char *heading)
{
	/* utf8_write terminates; no lower case here is longer than its capital. */
	char *text = arena_alloc(a, strlen(heading) + 8);
	size_t n = 0;
	if (!text)
		return NULL;
	for (uint32_t c; (c = utf8_next(&heading));) {
		c = utf8_lower(c);
		if (c == ' ')
			text[n++] = '-';
		else if (stays(c))
			n += (size_t)utf8_write(text + n, c);
	}
	text[n] = '\0';
	return text;
}

static struct anchor *find(const struct anchor_set *set, const char *text)
{
	assert(set->cap && (set->cap & (set->cap - 1)) == 0);
	size_t hash = 1469598103u;
	for (const char *p = text; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619u;
	size_t i = hash & (set->cap - 1);
	while (set->slots[i].text && strcmp(set->slots[i].text, text) != 0)
		i = (i + 1) & (set->cap - 1);
	return &set->slots[i];
}

static bool make_room(struct anchor_set *set, struct arena *scratch)
{
	struct anchor_set bigger = { .cap = set->cap ? set->cap * 2 : 64 };
	if (set->n * 2 < set->cap)
		return true;
	bigger.slots = arena_array(scratch, bigger.cap, sizeof *bigger.slots);
	if (!bigger.slots)
		return false;
	bigger.n = set->n;
	for (size_t i = 0; i < set->cap; i++)
		if (set->slots[i].text)
			*find(&bigger, set->slots[i].text) = set->slots[i];
	*set = bigger;
	return true;
}

const char *anchor_make(
	struct anchor_set *set, struct arena *scratch, struct arena *a, const char *heading)
{
	const char *text = page_anchor(a, heading), *name = text;
	if (!text || !make_room(set, scratch))
		return "";
	struct anchor *first = find(set, text);
	while (first->text && find(set, name)->text) {
		name = arena_printf(a, "%s-%u", text, ++first->next);
		if (a->failed)
			return "";
	}
	*find(set, name) = (struct anchor){ name, 0 };
	set->n++;
	return name;
}
