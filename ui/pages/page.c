#include "ui/pages/page.h"

#include "sims/base/utf8.h"
#include "ui/pages/page_block.h"
#include "ui/pages/page_names.h"
#include "ui/pages/page_place.h"

#include <assert.h>
#include <string.h>

/* cmark measures in int, and takes quadratic time for containers nested on every line and for
 * images that are opened and never closed. No author writes so many; beyond these numbers they
 * are text. */
enum { LARGEST = 64 << 20, MOST_MARKERS = 100, MOST_IMAGES = 1000, LEAST_WIDTH = 20 };

static const char *after_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

/* Whether the marker of a container stands here; p is past the digits of "12." */
static bool is_marker(const char *p, const char *end)
{
	if (p == end || *p == '>')
		return p < end;
	return end - p > 1 && *p && strchr("-+*.)", *p) && (p[1] == ' ' || p[1] == '\t');
}

static bool blank_line(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p == end || *p == '\n' || *p == '\r';
}

/* Where a line exceeds the number of container markers; NULL: it does not. */
static const char *too_deep(const char *p, const char *end)
{
	for (int markers = 0;; p++) {
		while (p < end && (*p == ' ' || *p == '\t'))
			p++;
		p = after_digits(p, end);
		if (!is_marker(p, end))
			return NULL;
		if (++markers > MOST_MARKERS)
			return p;
	}
}

static size_t count(const char *text, size_t bytes, char c)
{
	size_t n = 0;
	for (const char *p = text, *end = text + bytes; (p = memchr(p, c, (size_t)(end - p))); p++)
		n++;
	return n;
}

/* A copy of the Markdown that is safe to parse: line ends are '\n', NULs are U+FFFD, and what
 * would nest without measure is escaped. The input is terminated or not; *bytes becomes the
 * copy's length. NULL: memory is out. */
static const char *safe_copy(struct arena *scratch, const char *text, size_t *bytes)
{
	size_t room = *bytes + 2 * count(text, *bytes, '\0') + count(text, *bytes, '!') +
		      *bytes / MOST_MARKERS + 1;
	char *out = arena_alloc(scratch, room);
	const char *end = text + *bytes, *escape = NULL;
	size_t n = 0;
	int images = 0;
	bool line_start = true;
	if (!out)
		return NULL;
	for (const char *p = text; p < end; p++) {
		if (line_start) {
			images = blank_line(p, end) ? 0 : images;
			escape = too_deep(p, end);
		}
		if (*p == '!' && end - p > 1 && p[1] == '[' && ++images > MOST_IMAGES)
			escape = p;
		if (p == escape)
			out[n++] = '\\';
		line_start = *p == '\n' || *p == '\r';
		if (*p == '\0') {
			memcpy(out + n, "\xef\xbf\xbd", 3);
			n += 3;
		} else if (*p != '\r') {
			out[n++] = *p;
		} else if (end - p < 2 || p[1] != '\n') {
			out[n++] = '\n';
		}
	}
	*bytes = n;
	return out;
}

/* A link whose text is one blank at the end of a line cannot be seen, but it still gets a line. */
static void settle(struct page *p)
{
	const size_t last = p->n_lines ? p->n_lines - 1 : 0;
	for (size_t i = 0; i < p->n_links; i++)
		if (p->links[i].line > last)
			p->links[i].line = last;
	for (size_t i = 0; i < p->n_computed; i++)
		if (p->computed[i].line > last)
			p->computed[i].line = last;
	for (size_t i = 0; i < p->n_terms; i++)
		if (p->terms[i].line > last)
			p->terms[i].line = last;
}

int page_layout(
	struct page *p, const char *markdown, size_t bytes, int width, const struct page_env *env)
{
	assert(p && markdown && width >= LEAST_WIDTH);
	*p = (struct page){ .width = width, .title = "" };
	if (env)
		p->beside = env->beside;
	assert(!p->beside.cols || p->beside.col >= width);
	struct arena scratch = { 0 };
	const size_t mark = utf8_mark_bytes(markdown, bytes);
	markdown += mark;
	bytes -= mark;
	bool done = bytes <= LARGEST;
	if (done && env && env->expand) {
		markdown = env->expand(env->context, markdown, &bytes, env->ascii, &scratch);
		done = markdown && bytes <= LARGEST;
	}
	if (done) {
		markdown = page_names_expand(markdown, &bytes, &scratch);
		done = markdown && bytes <= LARGEST;
	}
	const char *source = done ? safe_copy(&scratch, markdown, &bytes) : NULL;
	if (source)
		page_blocks(p, source, bytes, env, &scratch);
	page_rows_list(p);
	done = source && !scratch.failed && !p->arena.failed;
	arena_release(&scratch);
	settle(p);
	if (done)
		return 0;
	page_release(p);
	return -1;
}

void page_release(struct page *p)
{
	arena_release(&p->arena);
	*p = (struct page){ .title = "" };
}
