#include "ui/data/tour_list.h"

#include "sims/registry/registry.h"
#include "ui/data/content.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char folder[] = "tours/", ending[] = ".md";

/* The text of a heading, "# A queue has no knee". */
static const char *title_of(const struct content_file *f, struct arena *a)
{
	const char *text = f->facts.heading;
	size_t n = f->facts.heading_bytes, marks = strspn(text, "# ");
	if (n <= marks)
		return NULL;
	return arena_printf(a, "%.*s", (int)(n - marks), text + marks);
}

bool tour_info_read(const char *id, struct arena *a, struct tour_info *out)
{
	char name[120];
	void *owned;
	snprintf(name, sizeof name, "%s%.100s%s", folder, id, ending);
	struct content_file f = content_look(name, &owned);
	if (f.text) {
		const char *title = title_of(&f, a);
		*out = (struct tour_info){ .id = arena_text(a, id),
			.title = title ? title : arena_text(a, id),
			.minutes = (int)f.facts.minutes,
			.talk = !sim_find(id) };
	}
	free(owned);
	return f.text && out->id && out->title;
}

/* The "queueing" of "tours/queueing.md"; false for any other file. */
static bool id_of(const char *file, char *id, size_t size)
{
	size_t head = sizeof folder - 1, tail = sizeof ending - 1, n = strlen(file);
	if (strncmp(file, folder, head) != 0 || n <= head + tail || n - head - tail >= size ||
		strcmp(file + n - tail, ending) != 0)
		return false;
	snprintf(id, size, "%.*s", (int)(n - head - tail), file + head);
	return true;
}

static void add_some(struct tour_list *list, bool talks)
{
	char id[80];
	for (size_t i = 0; i < n_content_files && !list->arena.failed; i++) {
		/* The questions among the talks come first: why, where, what. */
		size_t at = talks ? n_content_files - 1 - i : i;
		if (id_of(content_files[at].name, id, sizeof id) && !sim_find(id) == talks &&
			tour_info_read(id, &list->arena, &list->tours[list->n]))
			list->n++;
	}
}

int tour_list_init(struct tour_list *list)
{
	*list = (struct tour_list){ .n = 0 };
	list->tours = arena_array(&list->arena, n_content_files, sizeof *list->tours);
	if (list->tours)
		add_some(list, true);
	list->n_talks = list->n;
	if (list->tours)
		add_some(list, false);
	if (!list->arena.failed)
		return 0;
	tour_list_release(list);
	return -1;
}

void tour_list_release(struct tour_list *list)
{
	arena_release(&list->arena);
	*list = (struct tour_list){ .n = 0 };
}
