/* The Markdown is not parsed for this: a name is given by a line that begins with the comment, and a
 * computed span is what stands between "`=" and the next backquote. */
#include "ui/pages/page_names.h"

#include "sims/base/array.h"

#include <ctype.h>
#include <string.h>

struct name {
	const char *id, *text; /* with the names in it replaced */
	size_t id_bytes, text_bytes;
};

struct names {
	struct name *all;
	size_t n, cap;
	struct arena *arena;
};

static const char opening[] = "<!-- let ", closing[] = "-->";

/* Where a word stands in the text, or its end. */
static const char *find(const char *at, const char *end, const char *word)
{
	size_t n = strlen(word);
	for (; (size_t)(end - at) >= n; at++)
		if (memcmp(at, word, n) == 0)
			return at;
	return end;
}

static size_t id_bytes(const char *at, const char *end)
{
	const char *p = at;
	while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
		p++;
	return (size_t)(p - at);
}

/* The name in braces at `at`; NULL: none that was given. */
static const struct name *name_at(const struct names *ns, const char *at, const char *end)
{
	size_t n = *at == '{' ? id_bytes(at + 1, end) : 0;
	if (!n || at + 1 + n == end || at[1 + n] != '}')
		return NULL;
	for (size_t i = ns->n; i-- > 0;)
		if (ns->all[i].id_bytes == n && memcmp(ns->all[i].id, at + 1, n) == 0)
			return &ns->all[i];
	return NULL;
}

static void put_replaced(
	struct arena_buffer *out, const struct names *ns, const char *at, const char *end)
{
	while (at < end) {
		const struct name *found = name_at(ns, at, end);
		if (found) {
			arena_append(out, found->text, found->text_bytes);
			at += found->id_bytes + 2;
		} else {
			arena_append(out, at++, 1);
		}
	}
}

/* Takes "NAME = text" from inside of a comment. */
static void give_name(struct names *ns, const char *at, const char *end)
{
	struct name name = { .id = at, .id_bytes = id_bytes(at, end) };
	struct arena_buffer text = { .arena = ns->arena };
	at += name.id_bytes;
	while (at < end && isspace((unsigned char)*at))
		at++;
	if (!name.id_bytes || at == end || *at != '=')
		return;
	for (at++; at < end && isspace((unsigned char)*at);)
		at++;
	while (end > at && isspace((unsigned char)end[-1]))
		end--;
	put_replaced(&text, ns, at, end);
	if (!text.text)
		return;
	for (char *p = text.text; *p; p++)
		if (*p == '\n')
			*p = ' ';
	name.text = text.text;
	name.text_bytes = text.n;
	ARRAY_APPEND(ns->arena, ns, all, n, cap, name);
}

static void take_names(struct names *ns, const char *markdown, const char *end)
{
	for (const char *at = find(markdown, end, opening); at < end;) {
		const char *inside = at + strlen(opening), *stop = find(inside, end, closing);
		if (at == markdown || at[-1] == '\n')
			give_name(ns, inside, stop);
		at = find(stop, end, opening);
	}
}

const char *page_names_expand(const char *markdown, size_t *bytes, struct arena *a)
{
	struct names ns = { .arena = a };
	struct arena_buffer out = { .arena = a };
	const char *at = markdown, *end = markdown + *bytes;
	take_names(&ns, at, end);
	if (!ns.n)
		return a->failed ? NULL : markdown;
	while (at < end) {
		const char *span = find(at, end, "`=");
		const char *stop =
			span < end ? memchr(span + 1, '`', (size_t)(end - span) - 1) : NULL;
		if (!stop)
			break;
		arena_append(&out, at, (size_t)(span - at));
		put_replaced(&out, &ns, span, stop);
		at = stop;
		arena_append(&out, at++, 1);
	}
	arena_append(&out, at, (size_t)(end - at));
	*bytes = out.n;
	return a->failed ? NULL : out.text;
}
