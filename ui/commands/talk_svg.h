/* A step of a talk as a picture that also says in words what it shows. */
#ifndef RIDGE_UI_COMMANDS_TALK_SVG_H
#define RIDGE_UI_COMMANDS_TALK_SVG_H

#include "ui/shell/app.h"
#include "ui/term/theme.h"

#include <stdbool.h>
#include <stdio.h>

/* The screen of the app, which shows a talk. Its title is the caption; its description what the
 * figure says, the answers of a question that stands, or the text of a step without a figure. With
 * cropped, rows at its end that have nothing on them are left out. 0; or -1 when out of memory. */
int talk_svg(struct app *app, enum background background, bool cropped, FILE *out);

#endif
