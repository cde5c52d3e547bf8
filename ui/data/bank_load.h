/* The banks of drills: those that travel with the program, and the user's own. */
#ifndef RIDGE_UI_DATA_BANK_LOAD_H
#define RIDGE_UI_DATA_BANK_LOAD_H

#include "drills/bank.h"

#include <stdint.h>
#include <stdio.h>

/* What came of the user's own files. The bank owns the texts. */
struct own_drills {
	const char *folder; /* as people write it: "~/.local/share/ridge/drills"; "" without HOME */
	size_t n_files, n_drills;   /* that were taken */
	const char *const *refused; /* a line for each file that was left out: file, drill, why */
	size_t n_refused;
};
enum { MOST_OWN_FILES = 100, LARGEST_OWN_FILE = 256 << 10 };

/* Adds every file of content/drills/, then the files *.json of $XDG_DATA_HOME/ridge/drills
 * (~/.local/share/ridge/drills where that is not set), by name and by the same rules; a drill there
 * must also be one that can be dealt. What is wrong with such a file leaves out that file alone,
 * and is told in *own. No edition has drills of the user's own.
 *
 * 0; or -1 and one line in err where the program's own cannot be read, or memory is out. Release the bank either
 * way. */
int bank_load_telling(struct drill_bank *b, const struct tables *t, struct own_drills *own,
	char *err, size_t err_size);

/* A number that changes when one of these files does, comes or goes. */
uint64_t bank_stamp(void);

/* Adds a file of drills as the bank's pack (drills/bank.h), by the same rules as a user's own. 0; or -1 and one
 * line in err: it cannot be read, or has a drill that cannot be dealt or is called as another. */
int bank_load_pack(
	struct drill_bank *b, const struct tables *t, const char *path, char *err, size_t err_size);

/* The same where nobody asks what was left out. */
int bank_load(struct drill_bank *b, const struct tables *t, char *err, size_t err_size);

/* The same for a command: what was left out is a line each on err, and so is a failure. */
int bank_load_for(struct drill_bank *b, const struct tables *t, const char *command, FILE *err);

#endif
