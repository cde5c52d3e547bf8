/* The formulas of loading.def, to be called: see call.h. */
#ifndef RIDGE_FORMULAS_LOADING_H
#define RIDGE_FORMULAS_LOADING_H

#include "sims/formulas/call.h"

#define ROWS "sims/formulas/loading.def"
#include "sims/formulas/declare.inc"
#undef ROWS

#endif
