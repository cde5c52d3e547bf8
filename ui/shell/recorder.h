/* A recording of what really happens in the terminal: each frame that is drawn, when it is drawn. */
#ifndef RIDGE_UI_SHELL_RECORDER_H
#define RIDGE_UI_SHELL_RECORDER_H

#include "ui/files/cast.h"
#include "ui/shell/app.h"

#include <stdbool.h>
#include <stdint.h>

struct recorder {
	struct cast cast;
	FILE *file; /* NULL: it does not record */
	char path[64];
	int64_t begun_ms;
};

/* Begins or ends, as app->records says; the app says so. The file is new, in the working directory:
 * "ridge-2026-11-23-153000.cast", in the second form, which every player reads. */
void recorder_switch(
	struct recorder *r, struct app *app, enum background background, int64_t now_ms);
/* Adds a frame, and what app->marked asks to be marked. */
void recorder_frame(struct recorder *r, struct app *app, const struct canvas *cv, int64_t now_ms);
/* Ends it where the program ends, and says where it is. */
void recorder_end(struct recorder *r, FILE *say, int64_t now_ms);

#endif
