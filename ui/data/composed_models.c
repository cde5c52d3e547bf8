#include "ui/data/composed_models.h"

#include "sims/architecture/model_architecture.h"
#include "ui/data/architecture_list.h"
#include "ui/data/content.h"
#include "ui/data/known_tables.h"

#include <stdio.h>
#include <stdlib.h>

static int add_parts(
	struct tables *t, const struct architecture *a, const char *id, const char *name)
{
	struct architecture *kept = arena_alloc(&t->arena, sizeof *kept);
	if (!kept)
		return -1;
	*kept = *a;
	struct model m = model_made_of(kept);
	m.id = id;
	m.name = name;
	return tables_add_composed(t, &m);
}

int any_model_add(struct tables *t, const struct architecture *a, const char *id, const char *name)
{
	char why[256];
	struct model m;
	if (model_of_architecture(a, &m, why, sizeof why))
		return add_parts(t, a, id, name);
	m.id = id;
	m.name = name;
	return tables_add_model(t, &m);
}

/* Plain ones have rows in models.json. */
static int add_listed(
	struct tables *t, const struct published_model *listed, char *err, size_t err_size)
{
	char why[256];
	struct architecture a;
	struct model m;
	if (architecture_list_read(listed, &a, err, err_size))
		return -1;
	return model_of_architecture(&a, &m, why, sizeof why)
		       ? add_parts(t, &a, listed->id, listed->name)
		       : 0;
}

/* --- As the build has read them --- */

struct composed {
	const char *id, *name;
	struct architecture parts;
};
static const struct image_layout layout = { sizeof(struct composed), 3,
	{ offsetof(struct composed, id), offsetof(struct composed, name),
		offsetof(struct composed, parts.storage) } };

struct image composed_models_image(const struct tables *t, struct arena *a)
{
	struct composed *all = arena_array(a, t->n_composed, sizeof *all);
	for (size_t i = 0; all && i < t->n_composed; i++)
		all[i] = (struct composed){ t->composed[i].id, t->composed[i].name,
			*t->composed[i].made_of };
	return all ? image_of(all, t->n_composed, &layout, a) : (struct image){ 0 };
}

static int take_image(struct tables *t, const struct image *image)
{
	const struct composed *all = image_open(image, &layout, &t->arena);
	int rc = all ? 0 : -1;
	for (size_t i = 0; rc == 0 && i < image->n; i++) {
		struct model m = model_made_of(&all[i].parts);
		m.id = all[i].id;
		m.name = all[i].name;
		rc = tables_add_composed(t, &m);
	}
	return rc;
}

/* Whether the list is that of the program, and not of somebody's folder. */
static bool is_own_list(void)
{
	void *owned;
	content_read("architectures.json", NULL, &owned);
	bool own = !owned;
	free(owned);
	return own;
}

int composed_models_load(struct tables *t, char *err, size_t err_size)
{
	struct architecture_list list;
	const bool own = is_own_list();
	t->own |= !own;
	if (&known_composed && own && take_image(t, &known_composed) == 0)
		return 0;
	int rc = architecture_list_load(&list, err, err_size);
	for (size_t i = 0; i < list.n && rc == 0; i++)
		rc = add_listed(t, &list.models[i], err, err_size);
	architecture_list_release(&list);
	/* What adds to the tables has no words of its own for it. */
	if (rc && t->arena.failed)
		snprintf(err, err_size, "out of memory");
	return rc;
}
