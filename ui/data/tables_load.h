/* All facts at the start of the program: the files that travel with it, then the user's own. */
#ifndef RIDGE_UI_DATA_TABLES_LOAD_H
#define RIDGE_UI_DATA_TABLES_LOAD_H

#include "sims/tables/tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Loads hardware.json, models.json, the traces, and the text of the digits and their networks; then
 * hardware.json and models.json from $XDG_CONFIG_HOME/ridge (~/.config/ridge where that is not
 * set), where they exist: their entries come last or replace those of the same id. Last comes
 * the machine that ridge measure kept, if it was measured on this processor.
 *
 * 0; or -1 and the first refusal in err, in one line. What the other files hold is loaded all the
 * same, so that a slip in one's own file does not keep the program from starting. The caller
 * releases *t either way. */
int tables_load(struct tables *t, char *err, size_t err_size);

/* Whether simulations can run on them: there are GPUs, models and traces. */
bool tables_usable(const struct tables *t);

/* tables_load for a command, which goes on in spite of a slip in the user's own files: what was
 * refused is one line on err. 0, or -1 where nothing usable was loaded (and *t was released). */
int tables_load_for(struct tables *t, const char *command, FILE *err);

#endif
