/* A session as Markdown, for both sides of a table. */
#ifndef RIDGE_UI_PRACTICE_DRILL_MARKDOWN_H
#define RIDGE_UI_PRACTICE_DRILL_MARKDOWN_H

#include "drills/session.h"

#include <stdbool.h>
#include <stdio.h>

/* The problems; with answers also keys, working, likely mistakes, hints and follow-ups. code: of the
 * session, "" where it has none. */
void drill_markdown(const struct drill_session *s, const char *code, bool answers, FILE *out);

#endif
