#include "ui/pages/chapter_end.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const struct page_info *chapter_after(const struct page_list *pages, int chapter)
{
	for (size_t i = 0; i < pages->n; i++)
		if (chapter >= 0 && pages->pages[i].chapter == chapter + 1)
			return &pages->pages[i];
	return NULL;
}

char *chapter_end_drill(const struct page_info *page, char *buf, size_t size)
{
	assert(page->chapter >= 0);
	snprintf(buf, size, "drill:chapter-%d", page->chapter);
	return buf;
}

/* "chapters/03-profiling.md" as a link from another chapter. */
static const char *link_of(const struct page_info *page)
{
	const char *slash = strrchr(page->file, '/');
	return slash ? slash + 1 : page->file;
}

const char *chapter_end_add(const char *markdown, size_t *bytes, const struct page_list *pages,
	const struct page_info *page, bool first, struct arena *a)
{
	char drill[64];
	if (page->chapter < 0)
		return markdown;
	const struct page_info *next = chapter_after(pages, page->chapter);
	chapter_end_drill(page, drill, sizeof drill);
	const char *then =
		next ? arena_printf(a, "Then [chapter %d, %s](%s), %d min.", next->chapter,
			       next->title, link_of(next), page_minutes(next, first))
		     : "That was the last chapter: [a mixed set](drill:) keeps them all.";
	if (!then)
		return NULL;
	const char *text = arena_printf(a,
		"%.*s\n\n## What stayed\n\n[Five problems on this chapter](%s), with fresh numbers. %s\n",
		(int)*bytes, markdown, drill, then);
	*bytes = text ? strlen(text) : 0;
	return text;
}
