/* A measured machine as JSON, and back. */
#ifndef RIDGE_UI_MACHINE_MACHINE_JSON_H
#define RIDGE_UI_MACHINE_MACHINE_JSON_H

#include "ui/machine/measure.h"

#include <cjson/cJSON.h>

/* {"schema":1,"cpu":..,"date":..,"threads":N,"took_s":..,"memory_bytes":..,"start_s":..,
 *  "caches":[{"level":1,"bytes":..,"threads":1}],
 *  "levels":[{"name":"L1","bytes":..,"one_thread":{"read":B/s,..},"all_threads":{..}}],
 *  "memory_best":{"one_thread":{"triad":B/s,..},..},
 *  "bandwidth":[{"bytes":..,"one_thread":{"read":SPREAD,..},"all_threads":{..}}],
 *  "flops":[{"bits":0,"fused":true,"one_thread":{"double":SPREAD,..},..}]}
 * SPREAD is {"median":..,"p10":..,"p90":..,"best":..,"n":N} in B/s or FLOP/s, null where it was
 * left out. NULL when out of memory; the caller deletes it. */
cJSON *machine_json(const struct machine *m);
/* Reads that; levels and memory_best are derived and not looked at. 0; or -1 and one line in err,
 * without the file's name; errno is ENOMEM where memory is out. */
int machine_read(struct machine *m, const char *json, char *err, size_t err_size);

#endif
