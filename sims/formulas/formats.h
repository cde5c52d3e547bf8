/* The formulas of formats.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_FORMATS_H
#define RIDGE_FORMULAS_FORMATS_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/formats.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
