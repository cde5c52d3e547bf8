#include "ui/data/page_list.h"

#include "sims/base/match.h"
#include "ui/data/markdown.h"

#include <cmark.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Technical prose with figures to look at is read slower than a novel. */
enum { WORDS_PER_MINUTE = 180, LONGEST_NAME = 256 };

static const char chapters[] = "chapters/", reference[] = "reference/";

static bool begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

/* The "roofline" of "01-roofline"; a stem without a number as it is. */
static const char *after_number(const char *stem)
{
	size_t digits = strspn(stem, "0123456789");
	return digits && stem[digits] == '-' ? stem + digits + 1 : stem;
}

/* The text of inline Markdown, without what marks it up. */
static const char *plain_text(struct arena *a, const char *markdown, size_t bytes)
{
	char *text = arena_alloc(a, bytes + 1);
	if (!text)
		return "";
	cmark_node *document = markdown_parse(markdown, bytes);
	cmark_iter *iter = cmark_iter_new(document);
	size_t n = 0;
	while (cmark_iter_next(iter) != CMARK_EVENT_DONE) {
		cmark_node *node = cmark_iter_get_node(iter);
		cmark_node_type type = cmark_node_get_type(node);
		if (type != CMARK_NODE_TEXT && type != CMARK_NODE_CODE)
			continue;
		const char *literal = cmark_node_get_literal(node);
		size_t length = strlen(literal);
		if (length > bytes - n)
			break;
		memcpy(text + n, literal, length);
		n += length;
	}
	cmark_iter_free(iter);
	cmark_node_free(document);
	return text;
}

static void add(struct page_list *list, const struct content_file *f)
{
	const char *file = f->name;
	const char *folder = begins(file, chapters)    ? chapters
			     : begins(file, reference) ? reference
						       : NULL;
	size_t bytes = strlen(file);
	if (!folder || bytes < 4 || strcmp(file + bytes - 3, ".md") != 0 || !f->text)
		return;
	const char *stem = file + strlen(folder), *name = after_number(stem);
	char *id = arena_alloc(&list->arena, strlen(name) + 1);
	if (!id)
		return;
	memcpy(id, name, strlen(name) - 3);
	const char *title = plain_text(&list->arena, f->facts.heading, f->facts.heading_bytes);
	list->pages[list->n++] = (struct page_info){ .id = id,
		.file = arena_text(&list->arena, file),
		.title = *title ? title : id,
		.chapter = folder == chapters ? atoi(stem) : -1,
		.words = f->facts.words,
		.first_words = f->facts.first_words };
}

static int finish(struct page_list *list)
{
	if (!list->arena.failed)
		return 0;
	page_list_release(list);
	return -1;
}

static void make_room(struct page_list *list, size_t n)
{
	*list = (struct page_list){ 0 };
	list->pages = arena_array(&list->arena, n, sizeof *list->pages);
}

int page_list_init_from(struct page_list *list, const struct content_file files[], size_t n)
{
	make_room(list, n);
	for (size_t i = 0; i < n && !list->arena.failed; i++) {
		struct content_file file = files[i];
		file.facts = content_facts(file.text);
		add(list, &file);
	}
	return finish(list);
}

int page_list_init(struct page_list *list)
{
	make_room(list, n_content_files);
	for (size_t i = 0; i < n_content_files && !list->arena.failed; i++) {
		const char *name = content_files[i].name;
		if (!begins(name, chapters) && !begins(name, reference))
			continue;
		void *owned;
		struct content_file file = content_look(name, &owned);
		add(list, &file);
		free(owned);
	}
	return finish(list);
}

void page_list_release(struct page_list *list)
{
	arena_release(&list->arena);
	*list = (struct page_list){ 0 };
}

/* What was typed, without "../", ".md" and "#anchor"; NULL when it is empty or too long for a
 * name. */
static const char *bare_name(const char *typed, char buf[static LONGEST_NAME])
{
	while (begins(typed, "../") || begins(typed, "./"))
		typed = strchr(typed, '/') + 1;
	size_t n = strcspn(typed, "#");
	if (n > 3 && strncasecmp(typed + n - 3, ".md", 3) == 0)
		n -= 3;
	if (!n || n >= LONGEST_NAME)
		return NULL;
	memcpy(buf, typed, n);
	buf[n] = '\0';
	return buf;
}

/* A number of a few digits and nothing else; -1. */
static int number_of(const char *digits)
{
	const size_t count = strspn(digits, "0123456789");
	return count && count < 6 && !digits[count] ? atoi(digits) : -1;
}

int chapter_named(const char *name)
{
	static const char prefix[] = "chapter-";
	const size_t n = sizeof prefix - 1;
	return strncasecmp(name, prefix, n) == 0 ? number_of(name + n) : -1;
}

/* A file's name without ".md" is `name`. */
static bool is_stem(const char *file, const char *name)
{
	size_t n = strlen(file) - 3;
	return strlen(name) == n && strncasecmp(file, name, n) == 0;
}

static bool is_called(const struct page_info *p, const char *name)
{
	if (strchr(name, '/'))
		return is_stem(p->file, name);
	const int number = number_of(name), chapter = number >= 0 ? number : chapter_named(name);
	if (chapter >= 0)
		return p->chapter == chapter;
	return strcasecmp(p->id, name) == 0 || is_stem(strchr(p->file, '/') + 1, name);
}

const struct page_info *page_list_find(const struct page_list *list, const char *typed)
{
	char buf[LONGEST_NAME];
	const char *name = bare_name(typed, buf);
	for (size_t i = 0; name && i < list->n; i++)
		if (is_called(&list->pages[i], name))
			return &list->pages[i];
	return NULL;
}

char *page_list_hint(const struct page_list *list, const char *typed, char *buf, size_t size)
{
	enum { MOST = 256 };
	char bare[LONGEST_NAME] = "";
	const char *names[MOST], *name = bare_name(typed, bare), *slash = strrchr(bare, '/');
	size_t n = 0;
	for (; name && n < list->n && n < MOST; n++)
		names[n] = list->pages[n].id;
	return did_you_mean(after_number(slash ? slash + 1 : bare), names, n, buf, size);
}

int words_minutes(size_t words)
{
	return (int)((words + WORDS_PER_MINUTE - 1) / WORDS_PER_MINUTE);
}

int page_minutes(const struct page_info *page, bool first)
{
	return words_minutes(first ? page->first_words : page->words);
}
