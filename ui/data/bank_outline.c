#include "ui/data/bank_outline.h"

#include "ui/data/content.h"

#include <stdlib.h>
#include <string.h>

static const char folder[] = "drills/", ending[] = ".json";

/* The "memory" of "drills/memory.json". Returns its length, or 0 for any other file. */
static size_t topic_bytes(const char *file, const char **topic)
{
	size_t head = sizeof folder - 1, tail = sizeof ending - 1, n = strlen(file);
	if (strncmp(file, folder, head) != 0 || n <= head + tail ||
		strcmp(file + n - tail, ending) != 0)
		return 0;
	*topic = file + head;
	return n - head - tail;
}

static const char *copy(struct arena *a, const char *text, size_t n)
{
	char *to = arena_alloc(a, n + 1);
	return to ? memcpy(to, text, n) : "";
}

static void add_file(struct bank_outline *o, const char *file)
{
	const char *topic = "";
	size_t n = topic_bytes(file, &topic);
	if (!n)
		return;
	void *owned;
	struct content_file f = content_look(file, &owned);
	const char *id = copy(&o->arena, topic, n), *name = id;
	if (f.facts.name_bytes)
		name = copy(&o->arena, f.facts.name, f.facts.name_bytes);
	free(owned);
	if (f.facts.drills > 0) /* editions.json has no drills */
		o->topics[o->n++] = (struct topic_outline){ id, name, f.facts.drills };
}

int bank_outline_init(struct bank_outline *o)
{
	*o = (struct bank_outline){ 0 };
	o->topics = arena_array(&o->arena, n_content_files, sizeof *o->topics);
	for (size_t i = 0; i < n_content_files && !o->arena.failed; i++)
		add_file(o, content_files[i].name);
	return o->arena.failed ? -1 : 0;
}

void bank_outline_release(struct bank_outline *o)
{
	arena_release(&o->arena);
	*o = (struct bank_outline){ 0 };
}
