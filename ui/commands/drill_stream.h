/* `ridge drill --code CODE --stream`: what somebody answers at this machine, printed as it is answered,
 * for an interviewer at another one (ui/interviewer/followed.h). */
#ifndef RIDGE_UI_COMMANDS_DRILL_STREAM_H
#define RIDGE_UI_COMMANDS_DRILL_STREAM_H

#include "sims/tables/tables.h"
#include "ui/commands/streams.h"
#include "ui/practice/drill_request.h"

/* Prints the lines of the history, or of the record of the case, that belong to the request's code,
 * and goes on until nobody reads any more. 0 then; else the exit status. */
int drill_stream(struct drill_request *r, const struct tables *t, const struct streams *io);

#endif
