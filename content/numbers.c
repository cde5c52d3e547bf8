/* Works out the numbers that pages quote from simulations and writes them as C (to stdout): a page that quotes a
 * day of a service in twenty places is then there at once. Numbers of formulas take no time and are left out. The
 * build runs it. */
#include "sims/base/arena.h"
#include "ui/data/content.h"
#include "ui/data/page_list.h"
#include "ui/data/tables_load.h"
#include "ui/pages/page_env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, A_LINE = 24 };

struct sources {
	const char **list;
	size_t n, room;
};

/* Sources are gathered here and worked out later, each once. */
static int leave_open(const void *context, const char *source, char *buf, size_t size)
{
	(void)context, (void)source;
	snprintf(buf, size, "0");
	return 0;
}

static int gather(
	const struct page_info *info, const struct tables *t, struct sources *s, struct arena *a)
{
	struct page_env env = page_env_printing(t);
	struct page page;
	size_t bytes;
	void *owned;
	const char *text = content_read(info->file, &bytes, &owned);
	env.compute = leave_open;
	if (!text || page_layout(&page, text, bytes, WIDTH, &env)) {
		free(owned);
		return -1;
	}
	for (size_t i = 0; i < page.n_computed; i++) {
		const char *source = page.computed[i].source;
		if (!strstr(source, " : "))
			continue;
		if (s->n == s->room) {
			const size_t room = s->room ? 2 * s->room : 256;
			const char **list = realloc(s->list, room * sizeof *list);
			if (!list)
				return -1;
			s->list = list;
			s->room = room;
		}
		s->list[s->n++] = arena_text(a, source);
	}
	page_release(&page);
	free(owned);
	return a->failed ? -1 : 0;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_text(const char *text, size_t *bytes)
{
	do {
		printf("%s%d,", *bytes % A_LINE ? " " : "\n\t", *text);
		++*bytes;
	} while (*text++);
}

static int write_numbers(const struct sources *s, const struct tables *t)
{
	size_t bytes = 0, n = 0;
	size_t *at = calloc(s->n + 1, sizeof *at);
	if (!at)
		return -1;
	printf("#include \"ui/data/known_numbers.h\"\n\nconst char known_number_texts[] = {");
	for (size_t i = 0; i < s->n; i++) {
		char number[256];
		if ((i && strcmp(s->list[i], s->list[i - 1]) == 0) ||
			page_env_compute(t, s->list[i], number, sizeof number))
			continue; /* what cannot be worked out says so where it is read */
		at[n++] = bytes;
		write_text(s->list[i], &bytes);
		write_text(number, &bytes);
	}
	printf("\n};\nconst uint32_t known_numbers[] = {");
	for (size_t i = 0; i < n; i++)
		printf("%s%zu,", i % A_LINE ? " " : "\n\t", at[i]);
	printf("\n};\nconst size_t n_known_numbers = %zu;\n", n);
	free(at);
	return fflush(stdout);
}

int main(void)
{
	struct tables t;
	struct page_list pages = { 0 };
	struct sources s = { 0 };
	struct arena a = { 0 };
	char err[512];
	int rc = tables_load(&t, err, sizeof err);
	if (rc)
		fprintf(stderr, "numbers: %s\n", err);
	if (!rc && t.own) {
		fprintf(stderr,
			"numbers: expected the tables of the program, found the user's own\n");
		rc = -1;
	}
	rc = rc ? rc : page_list_init(&pages);
	for (size_t i = 0; i < pages.n && !rc; i++)
		rc = gather(&pages.pages[i], &t, &s, &a);
	if (!rc) {
		if (s.n)
			qsort(s.list, s.n, sizeof *s.list, by_text);
		rc = write_numbers(&s, &t);
	}
	free(s.list);
	arena_release(&a);
	page_list_release(&pages);
	tables_release(&t);
	return rc ? 1 : 0;
}
