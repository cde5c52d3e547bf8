/* A measured machine as JSON, and the file in which it is kept: what ridge measure --json prints
 * is what the file holds. */
#ifndef RIDGE_UI_DATA_MACHINE_FILE_H
#define RIDGE_UI_DATA_MACHINE_FILE_H

#include "sims/tables/tables.h"
#include "ui/measure/measure.h"

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
 * without the file's name. */
int machine_read(struct machine *m, const char *json, char *err, size_t err_size);

/* $XDG_DATA_HOME/ridge/machine.json, or the same in ~/.local/share. Returns buf; NULL when the
 * environment names no home. */
char *machine_path(char *buf, size_t size);
/* Makes folders that are missing; the file is whole at any moment, as it is written beside and
 * renamed. 0, or -1 with errno. */
int machine_save(const struct machine *m, const char *path);
/* 1: *m is the kept measurement of this processor; 0: there is none; -1 and one line in err: it is
 * damaged, or of another processor. */
int machine_load(struct machine *m, char *err, size_t err_size);

/* What the tables know of it; the texts are m's. -1: too little was measured (err says what). */
int machine_accelerator(const struct machine *m, struct accelerator *a, char *err, size_t err_size);

#endif
