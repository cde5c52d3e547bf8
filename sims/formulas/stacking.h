/* The formulas of stacking.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_STACKING_H
#define RIDGE_FORMULAS_STACKING_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/stacking.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
