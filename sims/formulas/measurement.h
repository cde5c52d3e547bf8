/* The formulas of measurement.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_MEASUREMENT_H
#define RIDGE_FORMULAS_MEASUREMENT_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/measurement.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
