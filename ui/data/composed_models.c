#include "ui/data/composed_models.h"

#include "sims/architecture/model_architecture.h"
#include "ui/data/architecture_list.h"

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

int composed_models_load(struct tables *t, char *err, size_t err_size)
{
	struct architecture_list list;
	int rc = architecture_list_load(&list, err, err_size);
	for (size_t i = 0; i < list.n && rc == 0; i++)
		rc = add_listed(t, &list.models[i], err, err_size);
	architecture_list_release(&list);
	return rc;
}
