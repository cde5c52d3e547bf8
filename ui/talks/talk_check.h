/* Whether a tour tells the truth. */
#ifndef RIDGE_UI_TALKS_TALK_CHECK_H
#define RIDGE_UI_TALKS_TALK_CHECK_H

#include "ui/talks/talk.h"

/* Goes through all steps and calls `tell` with a line for each thing that is not true: expectations
 * that fail, captions whose numbers cannot be computed or were typed though no setting and no
 * expectation has them, parts and values that the figure has not, steps that change nothing, or not what
 * they speak of.
 * Returns how many there are; the talk is at its last step then. TALK_UNCHECKED: memory ran out. */
#define TALK_UNCHECKED SIZE_MAX
size_t talk_check(struct talk *t, void (*tell)(void *context, const char *line), void *context);

#endif
