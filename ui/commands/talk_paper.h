/* A talk on paper: as Markdown, and as one page of HTML that needs nothing else. */
#ifndef RIDGE_UI_COMMANDS_TALK_PAPER_H
#define RIDGE_UI_COMMANDS_TALK_PAPER_H

#include "ui/shell/app.h"
#include "ui/term/theme.h"

#include <stdio.h>

/* The app shows the talk, and is at its last step afterwards. Each step: its caption, its figure as
 * text, the values that it is about, what the speaker says, the command that opens it. 0; or -1 when
 * out of memory. */
int talk_markdown(struct app *app, FILE *out);

/* The same as pictures, one at a time (n and p, or the arrow keys, or a tap), with the notes under
 * them; a question before its answer. Printed, as many steps on a page as fit: mostly two. */
int talk_html(struct app *app, enum background background, FILE *out);

#endif
