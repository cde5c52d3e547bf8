/* The models whose configuration travels with ridge, with the counts that their publishers print
 * (content/architectures.json): read when somebody asks. */
#ifndef RIDGE_UI_DATA_ARCHITECTURE_LIST_H
#define RIDGE_UI_DATA_ARCHITECTURE_LIST_H

#include "sims/architecture/architecture.h"

#include <cjson/cJSON.h>

struct published_model {
	const char *id, *name;
	double params, active; /* as published; active 0: not said */
	const char *source, *address;
	const cJSON *config;
};
enum { MOST_PUBLISHED = 200 };

struct architecture_list {
	struct published_model models[MOST_PUBLISHED];
	size_t n;
	cJSON *json; /* owns every text */
};

/* 0; or -1 and one line in err. */
int architecture_list_load(struct architecture_list *list, char *err, size_t err_size);
void architecture_list_release(struct architecture_list *list);

const struct published_model *architecture_list_find(
	const struct architecture_list *list, const char *id);
/* The model of the list that has these very shapes: whose published counts a config.json without a
 * name can be held against. NULL: none. */
const struct published_model *architecture_list_alike(
	const struct architecture_list *list, const struct architecture *a);
/* 0; or -1 and one line in err. */
int architecture_list_read(
	const struct published_model *m, struct architecture *a, char *err, size_t err_size);

#endif
