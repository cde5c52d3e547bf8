#include "ui/data/architecture_list.h"

#include "sims/architecture/config.h"
#include "sims/base/json_text.h"
#include "ui/data/content.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char list_file[] = "architectures.json";

static const char *text_of(const cJSON *object, const char *name)
{
	return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static double number_of(const cJSON *object, const char *name)
{
	const cJSON *j = cJSON_GetObjectItemCaseSensitive(object, name);
	return cJSON_IsNumber(j) ? j->valuedouble : 0;
}

/* False where a member is missing. */
static bool take(struct architecture_list *list, const cJSON *sources, const cJSON *j)
{
	struct published_model *m = &list->models[list->n];
	const char *key = text_of(j, "source");
	const cJSON *source = key ? cJSON_GetObjectItemCaseSensitive(sources, key) : NULL;
	*m = (struct published_model){ .id = text_of(j, "id"),
		.name = text_of(j, "name"),
		.params = number_of(j, "params"),
		.active = number_of(j, "active"),
		.source = text_of(source, "title"),
		.address = text_of(source, "address"),
		.config = cJSON_GetObjectItemCaseSensitive(j, "config") };
	if (!m->id || !m->name || !(m->params > 0) || !m->source || !m->address || !m->config)
		return false;
	list->n++;
	return true;
}

int architecture_list_load(struct architecture_list *list, char *err, size_t err_size)
{
	void *owned = NULL;
	const char *text = content_read(list_file, NULL, &owned);
	*list = (struct architecture_list){ .json = text ? json_text_parse(text, NULL) : NULL };
	const bool no_memory = text && !list->json && errno == ENOMEM;
	free(owned);
	if (no_memory) {
		snprintf(err, err_size, "%s: out of memory", list_file);
		return -1;
	}
	const cJSON *j, *all = cJSON_GetObjectItemCaseSensitive(list->json, "architectures");
	const cJSON *sources = cJSON_GetObjectItemCaseSensitive(list->json, "sources");
	cJSON_ArrayForEach(j, all)
	{
		if (list->n == MOST_PUBLISHED || !take(list, sources, j)) {
			snprintf(err, err_size,
				"%s: entry %zu: expected id, name, params, source and config, of at "
				"most %d entries",
				list_file, list->n + 1, MOST_PUBLISHED);
			return -1;
		}
	}
	if (list->n > 0)
		return 0;
	snprintf(err, err_size, "%s: expected \"sources\" and \"architectures\"", list_file);
	return -1;
}

void architecture_list_release(struct architecture_list *list)
{
	cJSON_Delete(list->json);
	*list = (struct architecture_list){ .n = 0 };
}

const struct published_model *architecture_list_find(
	const struct architecture_list *list, const char *id)
{
	for (size_t i = 0; i < list->n; i++)
		if (strcmp(list->models[i].id, id) == 0)
			return &list->models[i];
	return NULL;
}

int architecture_list_read(
	const struct published_model *m, struct architecture *a, char *err, size_t err_size)
{
	char *config = cJSON_PrintUnformatted(m->config), why[200] = "out of memory";
	int rc = config ? architecture_read(a, config, why, sizeof why) : -1;
	cJSON_free(config);
	if (rc)
		snprintf(err, err_size, "%s: %s: %s", list_file, m->id, why);
	return rc;
}

static bool same_shape(const struct architecture *a, const struct architecture *b)
{
	const struct parameter_count p = architecture_parameters(a), q = architecture_parameters(b);
	return strcmp(a->type, b->type) == 0 && a->layers == b->layers && a->hidden == b->hidden &&
	       a->vocab == b->vocab && p.total == q.total && p.active == q.active;
}

const struct published_model *architecture_list_alike(
	const struct architecture_list *list, const struct architecture *a)
{
	struct architecture b;
	char err[256];
	for (size_t i = 0; i < list->n; i++)
		if (architecture_list_read(&list->models[i], &b, err, sizeof err) == 0 &&
			same_shape(a, &b))
			return &list->models[i];
	return NULL;
}
