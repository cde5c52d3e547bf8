/* A request trace of the user's own, named on the command line: `trace=FILE.csv`. */
#ifndef RIDGE_UI_DATA_OWN_TRACE_H
#define RIDGE_UI_DATA_OWN_TRACE_H

#include "sims/tables/tables.h"

#include <stddef.h>

/* For each setting of a KNOB_TRACE that is a path (it has a "/" or a "." and no trace of the tables
 * is called so): reads the file and adds it to the tables, once, with the path as its id, so that
 * the setting then reads and writes like any other. Where `sim` names no simulation, nothing is
 * done. 0; or -1 and one line in err. */
int own_traces_read(struct tables *t, const char *sim, const char *const settings[], size_t n,
	char *err, size_t err_size);

#endif
