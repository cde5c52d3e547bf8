#include "ui/pages/formula_uses.h"

#include "ui/data/content.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool formula_asked_by(const struct formula *f, const struct drill *d)
{
	for (size_t i = 0; i < d->n_steps; i++)
		if (d->steps[i].key.formula == f)
			return true;
	for (size_t i = 0; d->program && i < d->program->n_expectations; i++)
		if (d->program->expectations[i].computed &&
			d->program->expectations[i].step->key.formula == f)
			return true;
	return false;
}

static bool is_in_id(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* "`=kv_cache_bytes", "`= kv_cache_bytes", and inside of another one "[kv_cache_bytes" or "(kv_cache_bytes". */
static bool begins_call(const char *text, const char *p)
{
	if (p > text && p[-1] == ' ')
		p--;
	return p > text && strchr("=([", p[-1]) != NULL;
}

/* Whether a page computes a number with it: a span `=kv_cache_bytes layers=32 ...`, or such a part of one. */
static bool computed_in(const struct formula *f, const struct page_info *page)
{
	size_t bytes;
	void *owned;
	const char *text = content_read(page->file, &bytes, &owned);
	const size_t n = strlen(f->id);
	bool found = false;
	for (const char *p = text; p && !found && (p = strstr(p, f->id)); p += n)
		found = begins_call(text, p) && !is_in_id(p[n]) && p[n] != '=';
	free(owned);
	return found;
}

/* A list that names its first few. */
struct named {
	char *buf;
	size_t size, used, n;
};

enum { MOST_NAMED = 3 };

static void name_one(struct named *l, const char *heading, const char *text)
{
	l->n++;
	if (l->n <= MOST_NAMED && l->used < l->size)
		l->used += (size_t)snprintf(l->buf + l->used, l->size - l->used, "%s%s",
			l->n == 1 ? heading : "; ", text);
}

static void name_rest(struct named *l)
{
	if (l->n > MOST_NAMED && l->used < l->size)
		l->used += (size_t)snprintf(
			l->buf + l->used, l->size - l->used, "; and %zu more", l->n - MOST_NAMED);
	l->n = 0;
}

char *formula_uses(const struct formula *f, const struct page_list *pages,
	const struct drill_bank *bank, char *buf, size_t size)
{
	assert(f && pages && buf && size);
	struct named l = { buf, size, 0, 0 };
	buf[0] = '\0';
	for (size_t i = 0; i < pages->n; i++) {
		const struct page_info *page = &pages->pages[i];
		char text[160];
		if (page->chapter < 0 || !computed_in(f, page))
			continue;
		snprintf(text, sizeof text, "%d %s", page->chapter, page->title);
		name_one(&l, "Chapters: ", text);
	}
	name_rest(&l);
	const char *heading = l.used ? "\nDrills: " : "Drills: ";
	for (size_t i = 0; bank && i < bank->n; i++)
		if (formula_asked_by(f, &bank->drills[i]))
			name_one(&l, heading, bank->drills[i].title);
	name_rest(&l);
	return buf;
}
