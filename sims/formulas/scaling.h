/* The formulas of scaling.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_SCALING_H
#define RIDGE_FORMULAS_SCALING_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/scaling.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
