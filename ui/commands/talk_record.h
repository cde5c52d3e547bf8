/* A talk as a recording that asciinema plays, and as pictures. What is written follows from the
 * tour alone: the same tour gives the same bytes. */
#ifndef RIDGE_UI_COMMANDS_TALK_RECORD_H
#define RIDGE_UI_COMMANDS_TALK_RECORD_H

#include "ui/files/cast.h"
#include "ui/shell/app.h"
#include "ui/term/theme.h"

#include <stdio.h>

/* The app shows the first step. Each step has a marker with its caption, plays what it plays, and
 * stays as long as the tour says; a question stands for the first two fifths of that, then its answer. 0; or -1 when out of memory. */
int talk_record(struct app *app, enum cast_form form, enum background background, FILE *out);

/* The screen of the app as a picture in FOLDER/NN.svg. 0; or -1 with errno. */
int talk_picture(struct app *app, const char *folder, size_t step, enum background background);

#endif
