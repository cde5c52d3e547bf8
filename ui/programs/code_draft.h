/* The program that somebody is writing for a drill: a file of their own, $XDG_DATA_HOME/ridge/programs/DRILL.py
 * (or .c), which their editor writes to directly, so that every save of it is kept, whatever becomes of ridge. It
 * stays until the program passes. There is one for each drill: dealt with other numbers, the question above the
 * program is the new one. */
#ifndef RIDGE_UI_PROGRAMS_CODE_DRAFT_H
#define RIDGE_UI_PROGRAMS_CODE_DRAFT_H

#include "drills/deal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns buf; NULL where the environment names no home, or the path has no room. */
char *code_draft_path(const struct variant *v, char *buf, size_t size);

/* What was kept, and when it was saved, in Unix time; from malloc. NULL: nothing was, or it is no text that a
 * program may be. */
char *code_draft_read(const struct variant *v, int64_t *saved_s);

/* Puts a text there for an editor, and its path into buf. False: it cannot be written. */
bool code_draft_begin(const struct variant *v, const char *text, char *buf, size_t size);

/* Keeps a text; NULL and the stub as it was given are none, and then nothing is kept any more. 0; or -1 and one line
 * in err that says why it is not kept. */
int code_draft_keep(const struct variant *v, const char *text, char *err, size_t err_size);

#endif
