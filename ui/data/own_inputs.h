/* Files of the user's own, named on the command line where a row of the tables is asked for:
 * `trace=FILE.csv`, `model=config.json`. */
#ifndef RIDGE_UI_DATA_OWN_INPUTS_H
#define RIDGE_UI_DATA_OWN_INPUTS_H

#include "sims/figure/sim.h"

#include <stddef.h>

/* For each setting of a knob that is a trace or a model, and a path (it has a "/" or a "." and no row of
 * the tables is called so): reads the file and adds it to the tables, once, with the path as its id,
 * so that the setting then reads and writes like any other. s may be NULL: nothing is done then. 0; or
 * -1 and one line in err. */
int own_inputs_read(struct tables *t, const struct sim *s, const char *const settings[], size_t n,
	char *err, size_t err_size);
/* The same for a model alone, where there are no knobs. */
int own_model_read(struct tables *t, const char *path, char *err, size_t err_size);

/* What file a knob can be given by its path: "a config.json"; NULL: none. */
const char *own_file_of(const struct knob *k);
/* Whether a word names a configuration by its path: it has a "/", ends in ".json", or something of that
 * name is there. */
bool own_config_is_path(const char *word);
/* The text of a config.json, or of the one in a folder; to be freed. NULL with errno as own_read. */
char *own_config_read(const char *path);

#endif
