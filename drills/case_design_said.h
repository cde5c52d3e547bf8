/* A design as it is said aloud, "12 H100s, FP8 weights and TP 4": values may stand before what they are of, or stand for
 * it. Pure. */
#ifndef RIDGE_CASE_DESIGN_SAID_H
#define RIDGE_CASE_DESIGN_SAID_H

#include "drills/case_run.h"

/* What a line says of a design, into an empty one. False: it has a word that is none of a design, or one that may be of
 * two knobs and nothing else; then *out is not to be used. */
bool case_design_said(const struct dealt_case *d, const char *line, struct case_design *out);

#endif
