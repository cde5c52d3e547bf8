/* The formulas of driving.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_DRIVING_H
#define RIDGE_FORMULAS_DRIVING_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/driving.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
