/* The formulas of serving.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_SERVING_H
#define RIDGE_FORMULAS_SERVING_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/serving.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
