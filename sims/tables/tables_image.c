#include "sims/tables/tables_image.h"

#include "sims/base/array.h"

#include <assert.h>
#include <string.h>

enum { MOST_TEXTS = 5, WORD = sizeof(uint64_t) };

/* Where an entry points to texts. */
struct layout {
	size_t bytes, n_texts, texts[MOST_TEXTS];
};

#define GPU(member) offsetof(struct accelerator, member)
#define MODEL(member) offsetof(struct model, member)
static const struct layout layouts[N_TABLES_KINDS] = {
	[TABLES_GPUS] = { sizeof(struct accelerator), 5,
		{ GPU(id), GPU(name), GPU(family), GPU(processor), GPU(measured_on) } },
	[TABLES_MODELS] = { sizeof(struct model), 2, { MODEL(id), MODEL(name) } },
};
static_assert(sizeof(struct accelerator) % WORD == 0 && sizeof(struct model) % WORD == 0 &&
		      sizeof(const char *) == WORD,
	"entries are whole words, and a text's place fits where a pointer was");

struct tables_image tables_image_of(const struct tables *t, enum tables_kind kind, struct arena *a)
{
	const struct layout *l = &layouts[kind];
	const size_t n = kind == TABLES_GPUS ? t->n_gpus : t->n_models;
	const void *entries = kind == TABLES_GPUS ? (void *)t->gpus : (void *)t->models;
	struct arena_buffer texts = { .arena = a };
	char *words = arena_array(a, n, l->bytes);
	if (!words || n == 0)
		return (struct tables_image){ 0 };
	memcpy(words, entries, n * l->bytes);
	for (size_t i = 0; i < n * l->n_texts; i++) {
		char *at = words + i / l->n_texts * l->bytes + l->texts[i % l->n_texts];
		const char *text;
		memcpy(&text, at, sizeof text);
		uint64_t place = text ? texts.n + 1 : 0;
		if (text)
			arena_append(&texts, text, strlen(text) + 1);
		memcpy(at, &place, sizeof place);
	}
	if (a->failed)
		return (struct tables_image){ 0 };
	return (struct tables_image){ n, l->bytes, (const uint64_t *)(void *)words, texts.text,
		texts.n };
}

int tables_take_image(struct tables *t, enum tables_kind kind, const struct tables_image *image)
{
	const struct layout *l = &layouts[kind];
	assert(image->entry_bytes == l->bytes);
	char *entries = arena_array(&t->arena, image->n, l->bytes);
	if (!entries)
		return -1;
	memcpy(entries, image->words, image->n * l->bytes);
	for (size_t i = 0; i < image->n * l->n_texts; i++) {
		char *at = entries + i / l->n_texts * l->bytes + l->texts[i % l->n_texts];
		uint64_t place;
		memcpy(&place, at, sizeof place);
		assert(place <= image->text_bytes);
		const char *text = place ? image->texts + place - 1 : NULL;
		memcpy(at, &text, sizeof text);
	}
	if (kind == TABLES_GPUS) {
		t->gpus = (struct accelerator *)(void *)entries;
		t->n_gpus = image->n;
		t->n_machines = 0;
	} else {
		t->models = (struct model *)(void *)entries;
		t->n_models = image->n;
	}
	return 0;
}
