#include "sims/tables/tables_image.h"

#define GPU(member) offsetof(struct accelerator, member)
#define MODEL(member) offsetof(struct model, member)
static const struct image_layout layouts[N_TABLES_KINDS] = {
	[TABLES_GPUS] = { sizeof(struct accelerator), 5,
		{ GPU(id), GPU(name), GPU(family), GPU(processor), GPU(measured_on) } },
	[TABLES_MODELS] = { sizeof(struct model), 2, { MODEL(id), MODEL(name) } },
};

struct image tables_image_of(const struct tables *t, enum tables_kind kind, struct arena *a)
{
	return kind == TABLES_GPUS ? image_of(t->gpus, t->n_gpus, &layouts[kind], a)
				   : image_of(t->models, t->n_models, &layouts[kind], a);
}

int tables_take_image(struct tables *t, enum tables_kind kind, const struct image *image)
{
	void *entries = image_open(image, &layouts[kind], &t->arena);
	if (!entries)
		return -1;
	if (kind == TABLES_GPUS) {
		t->gpus = entries;
		t->n_gpus = image->n;
		t->n_machines = 0;
	} else {
		t->models = entries;
		t->n_models = image->n;
	}
	return 0;
}
