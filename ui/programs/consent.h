/* The user's leave to run programs of drills where the system cannot confine them: asked for once, on a
 * screen that says what such a program could do, and kept among the user's settings. */
#ifndef RIDGE_UI_PROGRAMS_CONSENT_H
#define RIDGE_UI_PROGRAMS_CONSENT_H

#include <stdbool.h>
#include <stddef.h>

/* What the user types to give it, which nobody types by accident. */
#define CONSENT_WORDS "run unconfined"

bool consent_given(void);
/* From now on it is. 0; or -1 and one line in err. */
int consent_keep(char *err, size_t err_size);
/* A paragraph: that nothing was run, `why` (a clause), what a program could do, and how to go on. Into
 * buf, which it returns. */
char *consent_text(const char *why, char *buf, size_t size);

#endif
