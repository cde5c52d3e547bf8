/* Figures for programs: JSON (schema 1) and CSV of the same figure that is drawn. */
#ifndef RIDGE_UI_COMMANDS_EXPORT_H
#define RIDGE_UI_COMMANDS_EXPORT_H

#include "sims/figure/sim.h"

#include <cjson/cJSON.h>

#include <stdio.h>

/* {"schema":1,"sim":..,"knobs":{..},"values":{..},"assumptions":[..],"leaves_out":[..],
 * "blocks":[..]}. Numbers that are not finite are null. NULL when out of memory; the caller deletes
 * it. */
cJSON *figure_json(
	const struct sim *s, const struct tables *t, const double v[], const struct figure *fig);

/* One long table: block,series,label,x,y,unit. Values are the block "values". A number that is not
 * known is an empty field; an infinite one is "inf". */
void figure_csv(const struct figure *fig, FILE *out);

/* Adds the number, or null when it is not finite. */
void json_add_number(cJSON *obj, const char *name, double x);
/* Prints and deletes obj. 0, or -1 when out of memory or on a write error. */
int json_print(cJSON *obj, FILE *out);

#endif
